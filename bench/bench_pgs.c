// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projected Gauss-Seidel: walls, standing and hit, and the patent's case of 888 bodies and about
// 5,170 contacts, at the patent's threshold and a tenth of it. Times are those of the processor,
// one thread, the least of some runs: other programs on the machine do not count. `ms` is a whole
// solve, certificate included; `warm_ms` that of the fifth step in a row from rest, each
// started from the impulses and the velocities that the last one left. `residual` is the certified
// one in m/s. `ns_per_row_visit` is the time of more sweeps of the fast loop,
// `scalar_ns_per_row_visit` that of a plain double loop over compressed rows written out below. Low
// walls of 10^4 to 10^6 rows show how the time grows.

#include "scenes.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

// seconds of the processor
static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- the scalar loop

// Refinement R3 as the patent has it: per row J and M^-1 J^T, 12 numbers each, two bodies, boxed
// friction with bounds from the current normal impulse.
typedef struct scalar_row {
    double J[12], MJ[12];
    double b, over_a, mu;
    int body[2];
    int normal; // the row whose impulse bounds this one, or -1
} scalar_row;

static void moved(double* to, const cairn_mass* mass, const double* j)
{
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(j[3], j[4], j[5]));
    for (int k = 0; k < 3; k++)
        to[k] = mass->inverse_mass * j[k];
    to[3] = turn.x;
    to[4] = turn.y;
    to[5] = turn.z;
}

static scalar_row* compress(const cairn_problem* problem)
{
    scalar_row* rows = calloc((size_t)problem->row_count, sizeof(scalar_row));
    for (int c = 0; rows && c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = 0; i < block->row_count; i++) {
            scalar_row* row = &rows[block->row + i];
            const cairn_row* from = &problem->rows[block->row + i];
            row->body[0] = block->body_a == CAIRN_WORLD ? problem->body_count : block->body_a;
            row->body[1] = block->body_b == CAIRN_WORLD ? problem->body_count : block->body_b;
            if (block->body_a != CAIRN_WORLD) {
                memcpy(row->J, from->a, sizeof from->a);
                moved(row->MJ, &problem->bodies[block->body_a], from->a);
            }
            if (block->body_b != CAIRN_WORLD) {
                memcpy(row->J + 6, from->b, sizeof from->b);
                moved(row->MJ + 6, &problem->bodies[block->body_b], from->b);
            }
            double a = 0.0;
            for (int k = 0; k < 12; k++)
                a += row->J[k] * row->MJ[k];
            row->over_a = a > 0.0 ? 1.0 / a : 0.0;
            row->b = problem->b[block->row + i];
            row->mu = block->friction.mu[0];
            row->normal = i == 0 ? -1 : block->row;
        }
    }
    return rows;
}

static void scalar_sweep(const scalar_row* rows, int count, double* f, double* v)
{
    for (int i = 0; i < count; i++) {
        const scalar_row* row = &rows[i];
        double* v1 = v + 6 * (ptrdiff_t)row->body[0];
        double* v2 = v + 6 * (ptrdiff_t)row->body[1];
        double u = row->b;
        for (int k = 0; k < 6; k++)
            u += row->J[k] * v1[k] + row->J[6 + k] * v2[k];
        double lo = 0.0, hi = INFINITY;
        if (row->normal >= 0) {
            hi = row->mu * f[row->normal];
            lo = -hi;
        }
        double x = f[i] - row->over_a * u;
        x = x < lo ? lo : x > hi ? hi : x;
        double delta = x - f[i];
        f[i] = x;
        for (int k = 0; k < 6; k++) {
            v1[k] += delta * row->MJ[k];
            v2[k] += delta * row->MJ[6 + k];
        }
    }
}

// ns per row visit, the least of some runs
static double time_scalar(const cairn_problem* problem, int runs)
{
    scalar_row* rows = compress(problem);
    double* f = calloc((size_t)problem->row_count, sizeof(double));
    double* v = calloc(6 * (size_t)problem->body_count + 6, sizeof(double));
    double least = INFINITY;
    int sweeps = 1 + 2000000 / (problem->row_count + 1);
    for (int run = 0; rows && f && v && run < runs; run++) {
        double start = clock_now();
        for (int k = 0; k < sweeps; k++)
            scalar_sweep(rows, problem->row_count, f, v);
        least = fmin(least, (clock_now() - start) / sweeps / problem->row_count);
    }
    free(rows);
    free(f);
    free(v);
    return 1e9 * least;
}

// ---------------------------------------------------------------- the library's

static cairn_report solve(const cairn_problem* problem, const cairn_solve_def* def, double* lambda,
                          int runs, double* least)
{
    cairn_report report = {0};
    cairn_error error;
    *least = INFINITY;
    for (int run = 0; run < runs; run++) {
        double start = clock_now();
        if (cairn_solve(lambda, problem, def, &report, &error) != CAIRN_OK) {
            fprintf(stderr, "cairn-bench: %s\n", error.text);
            exit(2);
        }
        *least = fmin(*least, clock_now() - start);
    }
    return report;
}

// Sweeps that are timed: many enough for them to outlast what else a solve does, and its noise.
enum { fewest_sweeps = 32 };

// ns per row visit of the fast loop: the difference of many sweeps and few
static double time_fast(const cairn_problem* problem, cairn_solve_def def, double* lambda, int runs)
{
    double few, many;
    def.pgs.threshold = 0.0;
    def.pgs.filter = false;
    def.pgs.sweeps = 2;
    solve(problem, &def, lambda, runs, &few);
    def.pgs.sweeps += fewest_sweeps + 4000000 / (problem->row_count + 1);
    cairn_report report = solve(problem, &def, lambda, runs, &many);
    return 1e9 * (many - few) / (double)(report.row_visits - 2 * (int64_t)problem->row_count);
}

enum { steps_before_warm = 4 };

typedef struct outcome {
    int rows;
    double ms, warm_ms, visits_ratio, fast, scalar, residual, filtered_residual;
} outcome;

static outcome measure(bench* b, const char* scene, double threshold, int runs)
{
    cairn_problem problem = bench_scene(scene, 1);
    cairn_problem next;
    double* lambda = malloc((size_t)problem.row_count * sizeof(double) + 1);
    double* velocity = calloc(6 * (size_t)problem.body_count + 1, sizeof(double));
    cairn_random random = {.state = 5};
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "pgs";
    def.workspace = cairn_workspace_create();
    def.pgs.threshold = threshold;
    if (!lambda || !velocity || cairn_problem_copy(&next, &problem) != CAIRN_OK)
        exit(2);

    double plain_s, filtered_s, warm_s;
    def.pgs.filter = true;
    def.pgs.verify = false;
    cairn_report filtered = solve(&problem, &def, lambda, runs, &filtered_s);
    def.pgs.filter = false;
    cairn_report plain = solve(&problem, &def, lambda, runs, &plain_s);
    outcome out = {.rows = problem.row_count,
                   .ms = 1e3 * plain_s,
                   .visits_ratio = (double)plain.row_visits / (double)filtered.row_visits,
                   .residual = plain.residual.velocity,
                   .filtered_residual = filtered.residual.velocity};

    // some steps on, with the bodies moving as each step left them
    for (int step = 0; step <= steps_before_warm; step++) {
        bench_next_step(&next, velocity, step ? lambda : NULL, 0.0, 0.0, &random);
        def.warm_start = step > 0;
        solve(&next, &def, lambda, step < steps_before_warm ? 1 : runs, &warm_s);
    }
    def.warm_start = false;
    out.warm_ms = 1e3 * warm_s;
    out.fast = time_fast(&problem, def, lambda, runs);
    out.scalar = time_scalar(&problem, runs);
    bench_row(b, json_pack("{s:s, s:i, s:i, s:i, s:f, s:i, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, "
                           "s:f}",
                           "scene", scene, "bodies", problem.body_count, "contacts",
                           cairn_problem_contact_count(&problem), "rows", problem.row_count,
                           "threshold", threshold, "sweeps", plain.iterations, "row_visits",
                           (json_int_t)plain.row_visits, "filtered_row_visits",
                           (json_int_t)filtered.row_visits, "ms", out.ms, "filtered_ms",
                           1e3 * filtered_s, "warm_ms", out.warm_ms, "residual", out.residual,
                           "filtered_residual", out.filtered_residual, "ns_per_row_visit", out.fast,
                           "scalar_ns_per_row_visit", out.scalar));
    cairn_workspace_destroy(def.workspace);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&next);
    free(lambda);
    free(velocity);
    return out;
}

void bench_pgs(bench* b)
{
    static const char* const scenes[] = {"wall10", "wall10-hit", "wall20", "wall20-hit",
                                         "wall32", "wall32-hit", "pile"};
    enum { scene_count = sizeof scenes / sizeof scenes[0], wall32 = 4, pile = 6 };
    static const char* const sizes[] = {"wall44x10", "wall440x10", "wall4400x10"};
    outcome found[scene_count] = {{0}}, grown[3] = {{0}};
    int runs = b->quick ? 2 : 9;
    for (int i = 0; i < scene_count; i++) {
        found[i] = measure(b, scenes[i], 0.01, runs);
        if (!b->quick)
            measure(b, scenes[i], 0.001, 3);
    }
    for (int i = 0; i < (b->quick ? 2 : 3); i++)
        grown[i] = measure(b, sizes[i], 0.01, 3);

    double ratio = INFINITY;
    for (int i = 0; i < scene_count; i++)
        ratio = fmin(ratio, found[i].scalar / found[i].fast);
    bench_bound(b, found[pile].ms <= 16.7, "pile at 0.01 m/s, cold: %.2f ms of 16.7",
                found[pile].ms);
    bench_bound(b, found[pile].warm_ms <= 3.3, "pile at 0.01 m/s, warm: %.2f ms of 3.3",
                found[pile].warm_ms);
    bench_bound(b, ratio >= 4.0, "the fast loop is at least %.1f times as fast per row visit (4)",
                ratio);
    bench_bound(
        b, found[wall32].visits_ratio >= 3.0,
        "filtering the 32x32 wall: %.1f times fewer visits (3), residual %.2g against %.2g m/s",
        found[wall32].visits_ratio, found[wall32].filtered_residual, found[wall32].residual);
    for (int i = 1; i < (b->quick ? 2 : 3); i++) {
        double rows = (double)grown[i].rows / grown[i - 1].rows;
        double growth = grown[i].fast / grown[i - 1].fast * rows;
        bench_bound(b, growth <= 1.2 * rows, "from %d to %d rows a sweep takes %.1f times as long",
                    grown[i - 1].rows, grown[i].rows, growth);
    }
}
