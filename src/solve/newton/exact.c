// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The method `exact`: Coulomb's law to round-off, for any size and mass ratio. The driver:
//
//     1. Gauss-Seidel: 8 sweeps (4 from 150 cells on), measured after every other one, of up to 3
//        cells after the first; on while its rate promises the end before sweep 40
//     2. alternating directions (admm.c): 20 cheap iterations on one factorization, which spare
//        proximal-point Newton (ppn.c) half of its factorizations or more; the latter until 20 of
//        them have not halved the error
//     3. interior points (ipm.c), for contacts that stick or open and then for Coulomb's law;
//        proximal-point Newton from there
//     4. proximal-point Newton from the best point so far with a longer step of its map
//     5. restarts from zero: 20 sweeps, 100 sweeps, 100 alternating directions, each with PPN
//
// From 150 cells on, 3 comes before 2: walls under impact take interior points half as many
// factorizations, stacks of a few boxes up to twice as many (measured). A warm start takes 4 sweeps
// and proximal-point Newton in place of 1 and 2, as long as it is close and gets closer.
//
// Most problems end in step 1, 2 or 3. Every exit returns the best impulses seen, inside the cones.
// The error that steers the stages is the certificate's own; a stage has won only when the
// certificate itself says so.
//
// When b lies outside the range of A (stabilisation terms that contradict each other on redundant
// contacts), no impulses solve the problem; give the contacts compliance then. Without it the
// outcome is the iteration limit, never a false success.

#include "solve/newton/exact.h"
#include "solve/sweep/gauss_seidel.h"
#include <string.h>

enum {
    stride = CAIRN_CELL_STRIDE,
    first_sweeps = 8,
    most_sweeps = 40,
    warm_sweeps = 4,
    tiny_cells = 3,
    large_cells = 150,
    first_admm = 20,
    restart_admm = 100,
    first_budget = 20,
    warm_budget = 6,
    rescue_budget = 400,
    restart_budget = 450,
    default_limit = 6000,
};

static const double long_step = 100.0;   // of the map of proximal-point Newton, under heavy loads
static const double close_start = 0.01;  // error up to which a warm start is worth polishing
static const double close_answer = 1e-3; // and the answer of the convex problem

double cairn_exact_measure(cairn_exact* exact, const double* r)
{
    cairn_job* job = exact->job;
    cairn_cells_product(&exact->cells, exact->u, r, exact->w);
    for (size_t i = 0; i < exact->size; i++)
        exact->u[i] += exact->cells.q[i];
    double error = cairn_cells_error(&exact->cells, job, r, exact->u);
    if (!(error < exact->best_error))
        return isnan(error) ? INFINITY : error;
    exact->best_error = error;
    memcpy(exact->best, r, exact->size * sizeof(double));
    if (error > exact->goal)
        return error;

    // the certificate has the last word; when it disagrees by round-off, aim lower
    cairn_cells_store(&exact->cells, job->lambda, r);
    exact->done = cairn_job_done(job, job->lambda, NULL);
    if (!exact->done)
        exact->goal = 0.5 * error;
    return error;
}

bool cairn_exact_stop(const cairn_exact* exact)
{
    return exact->done || exact->newton.gave_up || exact->factorizations >= exact->limit ||
           cairn_job_stopped(exact->job);
}

bool cairn_exact_factor(cairn_exact* exact)
{
    exact->factorizations++;
    cairn_job_spend(exact->job, cairn_sweeps_per_factorization);
    return cairn_newton_factor(&exact->newton);
}

static void sweep(cairn_exact* exact, double* r, int count)
{
    cairn_gauss_seidel_start(&exact->cells, r, exact->w);
    for (int k = 0; k < count && !cairn_job_stopped(exact->job); k++)
        cairn_gauss_seidel_sweep(&exact->cells, r, exact->w, false);
    exact->iterations += count;
    cairn_job_spend(exact->job, count);
}

// sweeps as long as they promise to reach the goal soon; interior points do not start from them
static void sweep_while_useful(cairn_exact* exact, double* r, double error)
{
    bool tiny = exact->cells.count <= tiny_cells;
    int most = tiny ? 5 * most_sweeps : most_sweeps;
    int first = exact->cells.count < large_cells ? first_sweeps : warm_sweeps;
    for (int k = 0; k < most && !cairn_job_stopped(exact->job);) {
        int block = tiny && k == 0 ? 1 : k < first ? 2 : 6;
        sweep(exact, r, block);
        k += block;
        double next = cairn_exact_measure(exact, r);
        cairn_job_trace(exact->job, exact->iterations, next);
        if (exact->done)
            return;
        double rate = cairn_log(next / error) / block;
        error = next;
        if (k >= first && !(rate < 0.0 && cairn_log(exact->goal / error) / rate <= most_sweeps - k))
            return;
    }
}

// r = 0, some sweeps, proximal-point Newton
static void restart(cairn_exact* exact, double* r, int sweeps, double rho)
{
    if (cairn_exact_stop(exact))
        return;
    memset(r, 0, exact->size * sizeof(double));
    cairn_cells_project(&exact->cells, r);
    if (sweeps > 0)
        sweep(exact, r, sweeps);
    else
        cairn_exact_admm(exact, r, restart_admm);
    if (!cairn_exact_stop(exact))
        cairn_exact_ppn(exact, r, restart_budget, 0.1, rho);
}

cairn_status cairn_exact_prepare(cairn_exact* exact, cairn_job* job)
{
    *exact = (cairn_exact){.job = job};
    cairn_status status = cairn_cells_prepare(&exact->cells, job);
    if (status != CAIRN_OK)
        return status;
    exact->size = stride * (size_t)exact->cells.count;
    exact->best_error = INFINITY;
    exact->goal = job->def->tolerance;
    exact->limit = job->def->max_iterations ? job->def->max_iterations : default_limit;
    exact->u = CAIRN_TAKE(job->arena, double, exact->size);
    exact->best = CAIRN_TAKE(job->arena, double, exact->size);
    exact->w = CAIRN_TAKE(job->arena, double, cairn_cells_state_size(&exact->cells));
    if (exact->cells.smoothed)
        job->report->law = CAIRN_LAW_COULOMB;
    return job->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

cairn_status cairn_exact_prepare_newton(cairn_exact* exact, cairn_newton_space space)
{
    cairn_arena* arena = exact->job->arena;
    for (size_t i = 0; i < sizeof exact->scratch / sizeof exact->scratch[0]; i++)
        if (!exact->scratch[i])
            exact->scratch[i] = CAIRN_TAKE_ZEROED(arena, double, exact->size);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    return cairn_newton_prepare(&exact->newton, &exact->cells, exact->job, space);
}

// alternating directions and proximal-point Newton from there
static void split_and_polish(cairn_exact* exact, double* r)
{
    if (cairn_exact_stop(exact))
        return;
    cairn_exact_admm(exact, r, first_admm);
    if (!cairn_exact_stop(exact))
        cairn_exact_ppn(exact, r, first_budget, 0.1, CAIRN_PPN_STEP);
}

// the convex problem of contacts that do not slide; where its answer is nearly one of Coulomb's law,
// proximal-point Newton from there
static void convex_and_polish(cairn_exact* exact, double* r)
{
    if (cairn_exact_stop(exact) || !cairn_exact_ipm(exact, r, false) || cairn_exact_stop(exact))
        return;
    if (cairn_exact_measure(exact, r) <= close_answer)
        cairn_exact_ppn(exact, r, first_budget, 1e-3, CAIRN_PPN_STEP);
}

// interior points and proximal-point Newton from there; the convex problem comes first where systems
// are costly. A second run with other factors begins where the interior points ended
static void interior_and_polish(cairn_exact* exact, double* r)
{
    size_t bytes = exact->size * sizeof(double);
    if (exact->interior) {
        memcpy(r, exact->interior, bytes);
    } else {
        if (exact->cells.count >= large_cells)
            convex_and_polish(exact, r);
        if (cairn_exact_stop(exact) || !cairn_exact_ipm(exact, r, true) || cairn_exact_stop(exact))
            return;
        exact->interior = CAIRN_TAKE(exact->job->arena, double, exact->size);
        if (exact->interior)
            memcpy(exact->interior, r, bytes);
    }
    cairn_exact_ppn(exact, r, rescue_budget, 1e-4, CAIRN_PPN_STEP);
}

static void run_newton(cairn_exact* exact, double* r, bool warm)
{
    if (warm && exact->best_error <= close_start)
        cairn_exact_ppn(exact, r, warm_budget, 1e-3, CAIRN_PPN_STEP);
    bool large = exact->cells.count >= large_cells;
    if (!large)
        split_and_polish(exact, r);
    interior_and_polish(exact, r);
    if (large && !cairn_exact_stop(exact)) {
        memset(r, 0, exact->size * sizeof(double));
        cairn_cells_project(&exact->cells, r);
        sweep(exact, r, first_sweeps);
        split_and_polish(exact, r);
    }
    if (!cairn_exact_stop(exact)) {
        memcpy(r, exact->best, exact->size * sizeof(double));
        cairn_exact_ppn(exact, r, rescue_budget, 1e-3, long_step);
    }
    restart(exact, r, 20, CAIRN_PPN_STEP);
    restart(exact, r, 100, long_step);
    restart(exact, r, 0, CAIRN_PPN_STEP);
}

static void finish(cairn_exact* exact)
{
    cairn_job* job = exact->job;
    cairn_cells_store(&exact->cells, job->lambda, exact->best);
    job->report->iterations = exact->iterations;
    job->report->factorizations = exact->factorizations;
    job->report->outcome = exact->done              ? CAIRN_OUTCOME_CONVERGED
                           : cairn_job_stopped(job) ? CAIRN_OUTCOME_TIME_LIMIT
                                                    : CAIRN_OUTCOME_ITERATION_LIMIT;
    if (exact->cells.smoothed)
        cairn_job_note(job, "pyramids and boxes of friction were solved as cones");
    if (!exact->done)
        cairn_job_note(job, "%d factorizations left an error of %.1e", exact->factorizations,
                       exact->best_error);
}

cairn_status cairn_method_exact(cairn_job* job, cairn_error* error)
{
    cairn_exact exact;
    cairn_status status = cairn_exact_prepare(&exact, job);
    if (status == CAIRN_NOT_SUPPORTED) {
        cairn_job_note(job, "a contact has a friction set of its own: solved by pgs");
        return cairn_job_delegate(job, "pgs", error);
    }
    double* r = CAIRN_TAKE(job->arena, double, exact.size);
    if (status != CAIRN_OK || !r)
        return CAIRN_NO_MEMORY;

    bool warm = job->def->warm_start && job->problem->warm;
    cairn_cells_load(&exact.cells, r, job->lambda);
    cairn_cells_project(&exact.cells, r);
    double start = cairn_exact_measure(&exact, r);
    if (warm && !exact.done) {
        sweep(&exact, r, warm_sweeps);
        cairn_exact_measure(&exact, r);
    } else if (!exact.done) {
        sweep_while_useful(&exact, r, start);
    }
    if (!cairn_exact_stop(&exact)) {
        status = cairn_exact_prepare_newton(&exact, CAIRN_NEWTON_CHEAPEST);
        if (status == CAIRN_OK)
            run_newton(&exact, r, warm);
    }

    // iteration with incomplete factors has failed: on with complete ones from the best point
    if (exact.newton.gave_up && !cairn_job_stopped(job)) {
        memcpy(r, exact.best, exact.size * sizeof(double));
        status = cairn_exact_prepare_newton(&exact, CAIRN_NEWTON_COMPLETE);
        if (status == CAIRN_OK && !cairn_exact_stop(&exact))
            run_newton(&exact, r, true);
    }
    finish(&exact);
    return status == CAIRN_INTERRUPTED ? CAIRN_OK : status;
}
