// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `exact`: the method `exact` on every generated family and on a folder of FCLib files, cold
// start, to 1e-4 and 1e-8 by the strict measure |F|/|q| and the certificate; Siconos beside it. A
// time is that of a whole solve with checks and certificate, the least of several; see stopwatch.h.

#include "siconos.h"
#include "solve/newton/exact.h"
#include "stopwatch.h"
#include "suite.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <cairn/random.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { repetitions = 5, peer_seconds = 2, peer_contacts = 800, peer_least = 20 };

// what the bounds are about
typedef struct tally {
    int problems, solved;
    int heavy; // most factorizations at a mass ratio of a million
    int warm;  // most factorizations after a change of 1 %
    double log_speedup;
    int compared, peer_failed;
} tally;

static cairn_report solve(double* lambda, const cairn_problem* problem, double tolerance, bool warm,
                          int runs)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report = {0}, best = {.seconds = INFINITY};
    cairn_error error;
    def.method = "exact";
    def.tolerance = tolerance;
    def.fclib = true;
    def.warm_start = warm;
    def.workspace = cairn_workspace_create();

    for (int i = 0; i < runs; i++) {
        stopwatch watch = stopwatch_start();
        if (cairn_solve(problem, &def, lambda, &report, &error) != CAIRN_OK)
            break;

        report.seconds = 1e-3 * stopwatch_read(&watch);
        if (report.seconds < best.seconds)
            best = report;

        // one long run is enough
        if (best.seconds > 0.5)
            break;
    }

    cairn_workspace_destroy(def.workspace);
    return best;
}

// ---------------------------------------------------------------- Siconos

static siconos_result ask_peer(const cairn_problem* problem)
{
    cairn_problem form;
    cairn_error error;
    siconos_result result = {0};
    if (problem->A)
        return siconos_best(problem, 1e-8, peer_seconds);
    if (cairn_problem_explicit(problem, &form, &error) == CAIRN_OK) {
        result = siconos_best(&form, 1e-8, peer_seconds);
        cairn_problem_destroy(&form);
    }
    return result;
}

// ---------------------------------------------------------------- one problem

static void measure(bench* b, tally* t, const char* name, const cairn_problem* problem)
{
    double* lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
    cairn_report coarse = solve(lambda, problem, 1e-4, false, repetitions);
    cairn_report fine = solve(lambda, problem, 1e-8, false, repetitions);
    siconos_result peer = {0};

    // Siconos is asked about problems of middling size
    int contacts = cairn_problem_contact_count(problem);
    bool compare =
        siconos_is_here() && !b->quick && contacts >= peer_least && contacts <= peer_contacts;
    if (compare)
        peer = ask_peer(problem);

    double residual = fmax(fine.residual.relative, fine.residual.fclib_relative);
    json_t* row = json_pack("{s:s, s:i, s:f, s:f, s:i, s:f}", "problem", name, "contacts", contacts,
                            "ms_1e4", 1e3 * coarse.seconds, "ms_1e8", 1e3 * fine.seconds,
                            "factorizations", fine.factorizations, "residual", residual);
    json_object_set_new(row, "siconos_ms",
                        peer.solver ? json_real(peer.milliseconds) : json_null());
    json_object_set_new(row, "siconos", peer.solver ? json_string(peer.solver) : json_null());

    bench_row(b, row);
    t->problems++;
    t->solved += fine.outcome == CAIRN_OUTCOME_CONVERGED && residual <= 1e-8;
    if (strstr(name, "_1e6"))
        t->heavy = fine.factorizations > t->heavy ? fine.factorizations : t->heavy;

    if (peer.solver) {
        t->log_speedup += log(peer.milliseconds / (1e3 * fine.seconds));
        t->compared++;
    } else if (compare) {
        t->peer_failed++;
    }

    free(lambda);
}

// ---------------------------------------------------------------- families

static bool generate(cairn_problem* problem, const char* kind, int size, double mu, double ratio,
                     double hit)
{
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_error error;
    def.size = def.width = def.height = size;
    def.mass_ratio = ratio;
    def.hit = hit;
    def.mu = mu;
    return cairn_generate(&def, problem, &error) == CAIRN_OK;
}

// all bodies get the same velocity on top: b += J v
static void add_velocity(cairn_problem* problem, cairn_vec3 v)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            const double *p = problem->rows[i].a, *q = problem->rows[i].b;
            if (block->body_a != CAIRN_WORLD_BODY)
                problem->b[i] += p[0] * v.x + p[1] * v.y + p[2] * v.z;
            if (block->body_b != CAIRN_WORLD_BODY)
                problem->b[i] += q[0] * v.x + q[1] * v.y + q[2] * v.z;
        }
    }
}

static void measure_generated(bench* b, tally* t, const char* name, const char* kind, int size,
                              double mu, double ratio, double hit, double slide)
{
    cairn_problem problem;
    if (!bench_reach(b, "%s", name))
        return;
    if (!generate(&problem, kind, size, mu, ratio, hit)) {
        bench_bound(b, false, "%s can not be generated", name);
        return;
    }
    add_velocity(&problem, cairn_vec(slide, 0.2 * slide, 0.0));
    measure(b, t, name, &problem);
    cairn_problem_destroy(&problem);
}

static void measure_stacks(bench* b, tally* t)
{
    static const char* const mass[] = {"1", "1e2", "1e4", "1e6"};
    for (int height = 10; height <= 30; height += 10)
        for (int k = 0; k < 4; k++) {
            char name[48];
            snprintf(name, sizeof name, "stack_%d_%s", height, mass[k]);
            measure_generated(b, t, name, "massratio", height, 0.6, atof(mass[k]), 0.0, 0.0);
        }
    for (int height = 10; height <= 30; height += 10) {
        char name[48];
        snprintf(name, sizeof name, "pushed_stack_%d", height);
        measure_generated(b, t, name, "stack", height, 0.6, 1.0, 0.0, 0.0);
    }
}

static void measure_walls(bench* b, tally* t)
{
    static const struct {
        const char* name;
        double mu, hit, slide;
    } states[] = {{"rest", 0.6, 0.0, 0.0},
                  {"slides", 0.3, 0.0, 0.3},
                  {"slides_rough", 0.8, 0.0, 0.2},
                  {"hit", 0.6, 3.0, 0.0}};
    for (int side = 5; side <= (b->quick ? 10 : 20); side *= 2)
        for (size_t k = 0; k < sizeof states / sizeof states[0]; k++) {
            char name[48];
            snprintf(name, sizeof name, "wall_%d_%s", side, states[k].name);
            measure_generated(b, t, name, "wall", side, states[k].mu, 1.0, states[k].hit,
                              states[k].slide);
        }
}

static void put_face(cairn_problem* problem, int below, int above, cairn_vec3 n, double half,
                     const double* speed)
{
    cairn_vec3 s, t;

    cairn_tangents(n, &s, &t);
    for (int k = 0; k < 4; k++) {
        cairn_row rows[3];
        double b[3] = {0.0};

        cairn_vec3 at =
            cairn_add_scaled(cairn_scale(k & 1 ? half : -half, s), k & 2 ? half : -half, t);
        cairn_contact_rows(n, cairn_add_scaled(at, 0.5, n), cairn_add_scaled(at, -0.5, n), 3, rows);

        // the velocity that the bodies have along the rows
        for (int i = 0; i < 3; i++)
            for (int m = 0; m < 6; m++) {
                b[i] += above >= 0 ? rows[i].b[m] * speed[6 * above + m] : 0.0;
                b[i] += below >= 0 ? rows[i].a[m] * speed[6 * below + m] : 0.0;
            }

        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = below,
                             .body_b = above,
                             .friction = cairn_friction_cone(0.5)};
        cairn_problem_add_block(problem, &block, rows, b);
    }
}

// cubes in a crooked lattice, faces on faces below and beside, each with a velocity of its own
static cairn_problem pile_of_boxes(int side)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_random random = {7};
    int count = side * side * side;
    double* speed = calloc(6 * (size_t)count, sizeof(double));

    for (int i = 0; i < count; i++) {
        double m = cairn_random_range(&random, 0.5, 2.0);
        cairn_problem_add_body(&problem,
                               (cairn_mass){1.0 / m, cairn_mat3_diagonal(6 / m, 6 / m, 6 / m)});
        for (int k = 0; k < 6; k++)
            speed[6 * i + k] =
                0.05 * cairn_random_range(&random, -1.0, 1.0) - (k == 2 ? 0.16 : 0.0);
    }

    // contacts with the three neighbors before it; the lowest layer stands on the ground
    for (int i = 0; i < count; i++) {
        const int step[3] = {1, side, side * side};
        int place[3] = {i % side, i / side % side, i / side / side};
        for (int axis = 0; axis < 3; axis++) {
            double x[3] = {0.05, 0.05, 0.05};
            x[axis] = 1.0;

            for (int k = 0; k < 3; k++)
                x[k] += 0.03 * cairn_random_range(&random, -1.0, 1.0);
            cairn_vec3 n = cairn_normalize(cairn_vec(x[0], x[1], x[2]));

            bool edge = place[axis] == 0;
            if (edge && axis != 2)
                continue;
            put_face(&problem, edge ? CAIRN_WORLD_BODY : i - step[axis], i, n,
                     axis == 2 ? 0.4 : 0.2, speed);
        }
    }

    free(speed);
    return problem;
}

static void measure_heaps(bench* b, tally* t)
{
    measure_generated(b, t, "heap_100", "heap", 100, 0.5, 1.0, 0.0, 0.0);
    measure_generated(b, t, "heap_500", "heap", 500, 0.5, 1.0, 0.0, 0.0);
    if (!b->quick)
        measure_generated(b, t, "heap_2000", "heap", 2000, 0.5, 1.0, 0.0, 0.0);
    for (int side = 3; side <= (b->quick ? 3 : 5); side++) {
        if (!bench_reach(b, "boxes_%d", side * side * side))
            continue;
        cairn_problem problem = pile_of_boxes(side);
        char name[48];
        snprintf(name, sizeof name, "boxes_%d", problem.body_count);
        measure(b, t, name, &problem);
        cairn_problem_destroy(&problem);
    }
}

static int compare_names(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static void measure_files(bench* b, tally* t)
{
    char* names[1000];
    int count = 0;
    DIR* folder = opendir(b->problems);
    if (!folder) {
        bench_bound(b, false, "the folder %s can not be read", b->problems);
        return;
    }

    // files in the order of their names
    for (const struct dirent* entry; (entry = readdir(folder)) && count < 1000;)
        if (strstr(entry->d_name, ".hdf5"))
            names[count++] = strdup(entry->d_name);
    closedir(folder);
    qsort(names, (size_t)count, sizeof(char*), compare_names);

    for (int i = 0; i < count; i++) {
        char path[4096];
        cairn_problem problem;
        cairn_error error;
        snprintf(path, sizeof path, "%s/%s", b->problems, names[i]);
        *strstr(names[i], ".hdf5") = '\0';

        if (!bench_reach(b, "%s", names[i])) {
            free(names[i]);
            continue;
        }

        if (cairn_fclib_read(path, &problem, &error) == CAIRN_OK) {
            measure(b, t, names[i], &problem);
            cairn_problem_destroy(&problem);
        } else {
            bench_bound(b, false, "%s", error.text);
        }
        free(names[i]);
    }
}

// ---------------------------------------------------------------- warm starts

// after a change of q by A (1 % of noise on λ)
static void measure_warm(bench* b, tally* t, const char* kind, int size, double hit)
{
    cairn_problem problem;
    cairn_random random = {5};
    if (!generate(&problem, kind, size, 0.6, 1.0, hit))
        return;

    size_t n = (size_t)problem.row_count;
    double *lambda = calloc(n, sizeof(double)), *noise = calloc(n, sizeof(double));
    cairn_report cold = solve(lambda, &problem, 1e-8, false, 1);

    // b is replaced by the velocity of the changed impulses
    for (size_t i = 0; i < n; i++)
        noise[i] = 0.01 * cairn_random_range(&random, -1.0, 1.0) * lambda[i];
    double* q = calloc(n, sizeof(double));
    if (cairn_problem_velocity(&problem, noise, q) == CAIRN_OK) {
        memcpy(problem.b, q, n * sizeof(double));
        problem.warm = lambda;

        cairn_report warm = solve(noise, &problem, 1e-8, true, 1);
        bench_say(b, "warm start, %s %d: %d factorizations (cold %d), %s", kind, size,
                  warm.factorizations, cold.factorizations, cairn_outcome_name(warm.outcome));
        int count = warm.outcome == CAIRN_OUTCOME_CONVERGED ? warm.factorizations : 1000;
        t->warm = count > t->warm ? count : t->warm;
        lambda = NULL;
    }

    free(q);
    free(noise);
    free(lambda);
    cairn_problem_destroy(&problem);
}

// ---------------------------------------------------------------- growth

// a system with nothing open, near the end of a solve, where the regularization is small
static void fill_system(cairn_exact* exact)
{
    memset(exact->newton.local, 0, (size_t)exact->cells.count * sizeof *exact->newton.local);
    for (int c = 0; c < exact->cells.count; c++)
        for (int i = 0; i < 3; i++) {
            cairn_newton_cell* local = &exact->newton.local[c];
            local->V[5 * i] = local->Vt[5 * i] = 1.0;
            local->D[5 * i] = 1e-6;
        }
}

// milliseconds of the linear algebra of one Newton step, factors (complete or not) and solution, or
// a negative number
static double step_time(const cairn_problem* problem)
{
    cairn_arena arena = {0};
    cairn_report report = {0};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_job job = {.problem = problem, .def = &def, .arena = &arena, .report = &report};
    cairn_exact exact;
    double least = -1.0;

    if (cairn_delassus_prepare(&job.A, problem, &arena) == CAIRN_OK &&
        cairn_exact_prepare(&exact, &job) == CAIRN_OK &&
        cairn_exact_prepare_newton(&exact, CAIRN_NEWTON_CHEAPEST) == CAIRN_OK) {
        fill_system(&exact);

        // a factorization and a solve, the least of several
        for (int i = 0; i < repetitions; i++) {
            stopwatch watch = stopwatch_start();
            bool done = cairn_newton_factor(&exact.newton);
            if (done)
                cairn_newton_solve(&exact.newton, exact.scratch[1], exact.scratch[0],
                                   exact.cells.q);

            double milliseconds = stopwatch_read(&watch);
            if (done && !exact.newton.gave_up && (least < 0.0 || milliseconds < least))
                least = milliseconds;
        }
    }

    cairn_arena_destroy(&arena);
    return least;
}

// the exponent of a family, fitted over its sizes
static void measure_growth(bench* b, const char* kind, const int* sizes, int count)
{
    if (!bench_reach(b, "growth of a factorization, %s", kind))
        return;

    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < count; i++) {
        cairn_problem problem;
        if (!generate(&problem, kind, sizes[i], 0.6, 1.0, 0.0))
            return;
        double milliseconds = step_time(&problem);
        double x = log(problem.block_count), y = log(milliseconds);
        bench_say(b, "a factorization of %s %d (%d contacts): %.4g ms", kind, sizes[i],
                  problem.block_count, milliseconds);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
        cairn_problem_destroy(&problem);
    }

    double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    bench_bound(b, slope <= 1.5, "a factorization of a %s grows like n^%.2f, expected at most 1.5",
                kind, slope);
}

static void measure_changes(bench* b, tally* t)
{
    if (!bench_reach(b, "warm starts"))
        return;
    measure_warm(b, t, "massratio", 10, 0.0);
    measure_warm(b, t, "wall", 5, 0.0);
    measure_warm(b, t, "wall", 10, 3.0);
    measure_warm(b, t, "heap", 100, 0.0);
    bench_bound(b, t->warm <= 10, "warm start: %d factorizations, expected at most 10", t->warm);
}

// --only knows the parts stacks, walls, heaps, files, warm and growth
void bench_exact(bench* b)
{
    const int walls[] = {5, 10, 15, 20, 25}, heaps[] = {60, 125, 250, 500, 1000};
    tally t = {0};

    if (bench_wants(b, "stacks"))
        measure_stacks(b, &t);
    if (bench_wants(b, "walls"))
        measure_walls(b, &t);
    if (bench_wants(b, "heaps"))
        measure_heaps(b, &t);
    if (b->problems && bench_wants(b, "files"))
        measure_files(b, &t);
    if (bench_wants(b, "warm"))
        measure_changes(b, &t);

    if (t.problems > 0)
        bench_bound(b, t.solved == t.problems, "%d of %d problems to 1e-8 by |F|/|q|", t.solved,
                    t.problems);
    if (t.heavy > 0)
        bench_bound(b, t.heavy <= 20, "mass ratio 1e6: %d factorizations, expected at most 20",
                    t.heavy);

    if (bench_wants(b, "growth")) {
        measure_growth(b, "wall", walls, b->quick ? 4 : 5);
        measure_growth(b, "heap", heaps, b->quick ? 4 : 5);
    }

    if (t.compared > 0)
        bench_bound(b, exp(t.log_speedup / t.compared) >= 5.0,
                    "%.3g times as fast as the fastest Siconos setting (geometric mean of %d "
                    "problems; %d more none of its settings solved), expected at least 5",
                    exp(t.log_speedup / t.compared), t.compared, t.peer_failed);
}
