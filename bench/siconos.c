// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Siconos' solvers for Coulomb friction on one problem. The matrix is handed over in Siconos' own
// sparse blocks, and neither that nor the solver's options count as time. A solver runs in a child
// process, because some of them end the program or never return.

#include "siconos.h"

#ifndef CAIRN_HAVE_SICONOS

bool siconos_is_here(void)
{
    return false;
}

siconos_result siconos_best(const cairn_problem* problem, double tolerance, int seconds)
{
    (void)problem;
    (void)tolerance;
    (void)seconds;
    return (siconos_result){0};
}

int siconos_solver_count(void)
{
    return 0;
}

const char* siconos_solver_name(int solver)
{
    (void)solver;
    return "";
}

siconos_result siconos_try(const cairn_problem* problem, int solver, double tolerance, int seconds)
{
    (void)solver;
    return siconos_best(problem, tolerance, seconds);
}

#else

#include "stopwatch.h"
#include "suite.h"
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { repetitions = 3 };

static const struct setting {
    const char* name;
    int id;
    int local;  // solver of one contact, or 0
    int hybrid; // strategy of Newton's start, or 0
    int iterations;
} settings[] = {
    {"NSGS_AC", SICONOS_FRICTION_3D_NSGS, 0, 0, 100000},
    {"NSGS_AC_GP", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID, 0,
     100000},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 0, 0, 1000},
    {"NSN_AC_HYB", SICONOS_FRICTION_3D_NSN_AC, 0, SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN,
     1000},
    {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, 0, 0, 1000},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, 0, 0, 20000},
    {"PROX", SICONOS_FRICTION_3D_PROX, 0, 0, 1000},
    {"VI_EG", SICONOS_FRICTION_3D_VI_EG, 0, 0, 20000},
};

enum { setting_count = sizeof settings / sizeof settings[0] };

bool siconos_is_here(void)
{
    return true;
}

// the matrix in blocks by columns; only ever made in a child, which gives it back by ending
static NumericsMatrix* block_matrix(const cairn_block_matrix* A)
{
    size_t n = (size_t)A->n, count = (size_t)A->row_begin[A->n];
    SparseBlockStructuredMatrix* M = calloc(1, sizeof *M);

    M->nbblocks = (unsigned)count;
    M->block = calloc(count, sizeof(double*));
    M->blocknumber0 = M->blocknumber1 = (unsigned)n;
    M->blocksize0 = calloc(n, sizeof(unsigned));
    M->blocksize1 = calloc(n, sizeof(unsigned));
    M->filled1 = n + 1;
    M->filled2 = count;
    M->index1_data = calloc(n + 1, sizeof(size_t));
    M->index2_data = calloc(count, sizeof(size_t));

    for (size_t i = 0; i < n; i++) {
        M->blocksize0[i] = M->blocksize1[i] = (unsigned)(3 * (i + 1));
        M->index1_data[i + 1] = (size_t)A->row_begin[i + 1];
    }

    // their blocks are stored by columns
    for (size_t k = 0; k < count; k++) {
        M->index2_data[k] = (size_t)A->column[k];
        M->block[k] = calloc(9, sizeof(double));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                M->block[k][3 * j + i] = A->value[9 * k + (size_t)(3 * i + j)];
    }

    return NM_new_SBM((int)(3 * n), (int)(3 * n), M);
}

static SolverOptions* make_options(const struct setting* setting, double tolerance)
{
    SolverOptions* options = solver_options_create(setting->id);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = setting->iterations;
    if (setting->local)
        solver_options_update_internal(options, 0, setting->local);
    if (setting->hybrid)
        options->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = setting->hybrid;
    return options;
}

// what a run in a child tells: milliseconds, negative when it failed, and |F| / |q|
typedef struct answer {
    double milliseconds, residual;
} answer;

// one solve from zero
static answer run_once(const cairn_problem* problem, const struct setting* setting,
                       double tolerance)
{
    size_t n = (size_t)problem->row_count;
    double *q = calloc(n, sizeof(double)), *mu = calloc(n, sizeof(double));
    double *r = calloc(n, sizeof(double)), *u = calloc(n, sizeof(double));

    memcpy(q, problem->b, n * sizeof(double));
    for (int c = 0; c < problem->block_count; c++)
        mu[c] = problem->blocks[c].friction.mu[0];
    FrictionContactProblem* peer = frictionContactProblem_new_with_data(
        3, problem->block_count, block_matrix(problem->A), q, mu);
    SolverOptions* options = make_options(setting, tolerance);

    // the solve alone is timed
    stopwatch watch = stopwatch_start();
    int info = fc3d_driver(peer, r, u, options);
    double milliseconds = stopwatch_read(&watch);

    for (size_t i = 0; i < n; i++)
        if (!isfinite(r[i]))
            info = 1;

    cairn_residual measured = {.fclib_relative = INFINITY};
    if (cairn_problem_residual(problem, r, CAIRN_LAW_AS_GIVEN, 0, &measured) != CAIRN_OK)
        info = 1;
    return (answer){info == 0 ? milliseconds : -1.0, measured.fclib_relative};
}

// the same in a child that ends after `seconds`: the least of several runs
static answer run(const cairn_problem* problem, const struct setting* setting, double tolerance,
                  int seconds)
{
    int ends[2];
    answer least = {-1.0, INFINITY}, next;
    if (pipe(ends) != 0)
        return least;

    pid_t child = fork();
    if (child == 0) {
        bench_end_with_parent();
        signal(SIGALRM, SIG_DFL);
        alarm((unsigned)seconds);
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(1);

        for (int i = 0; i < repetitions; i++) {
            answer a = run_once(problem, setting, tolerance);
            if (write(ends[1], &a, sizeof a) < 0)
                break;
        }
        _exit(0);
    }

    close(ends[1]);
    while (child > 0 && read(ends[0], &next, sizeof next) == (ssize_t)sizeof next)
        if (next.milliseconds >= 0.0 &&
            (least.milliseconds < 0.0 || next.milliseconds < least.milliseconds))
            least = next;

    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return least;
}

siconos_result siconos_best(const cairn_problem* problem, double tolerance, int seconds)
{
    siconos_result best = {.milliseconds = -1.0};
    for (int i = 0; i < setting_count; i++) {
        answer a = run(problem, &settings[i], tolerance, seconds);
        if (a.milliseconds >= 0.0 && (!best.solver || a.milliseconds < best.milliseconds))
            best = (siconos_result){settings[i].name, a.milliseconds, a.residual};
    }
    return best;
}

int siconos_solver_count(void)
{
    return setting_count;
}

const char* siconos_solver_name(int solver)
{
    return settings[solver].name;
}

siconos_result siconos_try(const cairn_problem* problem, int solver, double tolerance, int seconds)
{
    double asked = tolerance;
    for (int i = 0; i < 5; i++, asked *= 0.1) {
        answer a = run(problem, &settings[solver], asked, seconds);
        if (a.milliseconds < 0.0)
            break;
        if (a.residual <= tolerance)
            return (siconos_result){settings[solver].name, a.milliseconds, a.residual};
    }
    return (siconos_result){.milliseconds = -1.0, .residual = INFINITY};
}

#endif
