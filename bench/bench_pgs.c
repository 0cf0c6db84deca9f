// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projected Gauss-Seidel: walls, standing and hit, and the patent's case of 888 bodies and about
// 5,170 contacts, at the patent's threshold and a tenth of it. Times are those of the processor,
// one thread. What is compared takes turns in one process, and the median of its turns counts: the
// first ones, on cold caches, and those that others on the machine disturb do not.
//
// `ms` is a whole solve, certificate included; `warm_ms` that of the fifth step in a row from rest,
// each started from the impulses and the velocities that the last one left. `residual` is the
// certified one in m/s. `ns_per_row_visit` is the time of sweeps of the fast loop alone,
// `scalar_ns_per_row_visit` that of a plain double loop over compressed rows written out below. Low
// walls of 10^4 to 10^6 rows show how the time grows.
//
// The filter ends at a larger residual than plain sweeps with the same threshold. `equal_` is the
// plain solve that ends at a residual no larger than the filter's: what filtering saves is the
// ratio to that one.

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
            // the world is a body after all others, whose velocity stays zero
            row->body[0] = block->body_a == CAIRN_WORLD_BODY ? problem->body_count : block->body_a;
            row->body[1] = block->body_b == CAIRN_WORLD_BODY ? problem->body_count : block->body_b;

            if (block->body_a != CAIRN_WORLD_BODY) {
                memcpy(row->J, from->a, sizeof from->a);
                moved(row->MJ, &problem->bodies[block->body_a], from->a);
            }
            if (block->body_b != CAIRN_WORLD_BODY) {
                memcpy(row->J + 6, from->b, sizeof from->b);
                moved(row->MJ + 6, &problem->bodies[block->body_b], from->b);
            }

            // 1/A_ii
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

        // friction is bounded by the newest normal impulse
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

// additions and multiplications, counted as they are made
static double plus(double a, double b, int* flops)
{
    ++*flops;
    return a + b;
}

static double times(double a, double b, int* flops)
{
    ++*flops;
    return a * b;
}

// The body of scalar_sweep for one row with every operation counted; comparisons are none.
static int counted_visit(const scalar_row* row, double* force, const double* f, double* v)
{
    int flops = 0;
    double* v1 = v + 6 * (ptrdiff_t)row->body[0];
    double* v2 = v + 6 * (ptrdiff_t)row->body[1];

    double u = row->b;
    for (int k = 0; k < 6; k++)
        u = plus(u,
                 plus(times(row->J[k], v1[k], &flops), times(row->J[6 + k], v2[k], &flops), &flops),
                 &flops);

    double hi = times(row->mu, f[row->normal], &flops);
    double x = plus(*force, -times(row->over_a, u, &flops), &flops);
    x = x < -hi ? -hi : x > hi ? hi : x;
    double delta = plus(x, -*force, &flops);
    *force = x;

    for (int k = 0; k < 6; k++) {
        v1[k] = plus(v1[k], times(delta, row->MJ[k], &flops), &flops);
        v2[k] = plus(v2[k], times(delta, row->MJ[6 + k], &flops), &flops);
    }
    return flops;
}

// Floating-point operations of a visit to a friction row, after a check that what is counted is
// what scalar_sweep computes, bit by bit; 0 when it is not.
static int count_flops(void)
{
    enum { numbers = 12 };
    scalar_row rows[2] = {{.b = -1.0, .over_a = 0.4, .normal = -1, .body = {0, 1}},
                          {.b = 0.3, .over_a = 0.7, .mu = 0.5, .normal = 0, .body = {0, 1}}};
    double f[2] = {0.0, 0.0}, v[numbers] = {0.0}, before[numbers], after[numbers], force;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < numbers; k++) {
            rows[i].J[k] = sin(1.0 + i + 3.0 * k);
            rows[i].MJ[k] = 0.5 * rows[i].J[k];
        }

    // the normal row first, so that friction has a bound; then the friction row both ways
    scalar_sweep(rows, 1, f, v);
    memcpy(before, v, sizeof before);
    double rest[2] = {f[0], 0.0};
    force = 0.0;
    int flops = counted_visit(&rows[1], &force, rest, before);

    // a sweep over both rows, the normal one without effect
    memcpy(after, v, sizeof after);
    scalar_row alone[2] = {rows[0], rows[1]};
    memset(alone[0].J, 0, sizeof alone[0].J);
    memset(alone[0].MJ, 0, sizeof alone[0].MJ);
    alone[0].b = 0.0;
    scalar_sweep(alone, 2, rest, after);
    return rest[1] == force && memcmp(before, after, sizeof after) == 0 ? flops : 0;
}

// ---------------------------------------------------------------- the library's

static cairn_report solve(const cairn_problem* problem, const cairn_solve_def* def, double* lambda)
{
    cairn_report report;
    cairn_error error;
    if (cairn_solve(problem, def, lambda, &report, &error) != CAIRN_OK) {
        fprintf(stderr, "cairn-bench: %s\n", error.text);
        exit(2);
    }
    return report;
}

// the time between two sweeps of a solve
typedef struct lap {
    int from, to;
    double start, seconds;
} lap;

static void at_sweep(void* context, int sweep, double seconds, double residual)
{
    lap* l = context;
    (void)seconds;
    (void)residual;
    if (sweep == l->from)
        l->start = clock_now();
    if (sweep == l->to)
        l->seconds = clock_now() - l->start;
}

// ---------------------------------------------------------------- a scene under test

enum {
    turns = 21,
    quick_turns = 5,
    visits_per_turn = 1000000,
    fewest_sweeps = 4,
    steps_before_warm = 4
};

typedef struct subject {
    const char* scene;
    cairn_problem cold, warm; // the first step, and a later one with its warm start
    cairn_solve_def def;
    scalar_row* rows;
    double *f, *v, *lambda;
    double fast[turns], scalar[turns]; // ns per row visit
    double equal_threshold;            // m/s: ends plain sweeps at the residual of the filter
    double cold_ms[turns], filtered_ms[turns], equal_ms[turns], warm_ms[turns];
    cairn_report plain, filtered, equal;
} subject;

static void subject_open(subject* s, const char* scene)
{
    *s = (subject){.scene = scene, .cold = bench_scene(scene, 1), .def = cairn_default_solve_def()};
    size_t rows = (size_t)s->cold.row_count, bodies = (size_t)s->cold.body_count;
    s->rows = compress(&s->cold);
    s->f = calloc(rows + 1, sizeof(double));
    s->v = calloc(6 * bodies + 6, sizeof(double));
    s->lambda = calloc(rows + 1, sizeof(double));
    s->def.method = "pgs";
    s->def.workspace = cairn_workspace_create();
    if (!s->rows || !s->f || !s->v || !s->lambda || !s->def.workspace ||
        cairn_problem_copy(&s->cold, &s->warm) != CAIRN_OK)
        exit(2);
}

static void subject_close(subject* s)
{
    cairn_workspace_destroy(s->def.workspace);
    cairn_problem_destroy(&s->cold);
    cairn_problem_destroy(&s->warm);
    free(s->rows);
    free(s->f);
    free(s->v);
    free(s->lambda);
}

// both loops, about a million row visits each
static void sweep_in_turn(subject* s, int turn)
{
    int rows = s->cold.row_count, sweeps = fewest_sweeps + visits_per_turn / (rows + 1);
    double start = clock_now();
    for (int k = 0; k < sweeps; k++)
        scalar_sweep(s->rows, rows, s->f, s->v);
    s->scalar[turn] = 1e9 * (clock_now() - start) / sweeps / rows;

    lap timed = {.from = 1, .to = 1 + sweeps};
    cairn_solve_def def = s->def;
    def.pgs.sweeps = timed.to;
    def.trace = at_sweep;
    def.trace_context = &timed;
    solve(&s->cold, &def, s->lambda);
    s->fast[turn] = 1e9 * timed.seconds / sweeps / rows;
}

// some steps on, with the bodies moving as each step left them
static void walk_on(subject* s, cairn_solve_def def)
{
    double* velocity = calloc(6 * (size_t)s->warm.body_count + 1, sizeof(double));
    if (!velocity)
        exit(2);
    for (int step = 0; step <= steps_before_warm; step++) {
        bench_next_step(&s->warm, velocity, step ? s->lambda : NULL);
        def.warm_start = step > 0;
        if (step < steps_before_warm)
            solve(&s->warm, &def, s->lambda);
    }
    free(velocity);
}

// The largest threshold at which plain sweeps end at a residual no larger than that of the filter.
static double match_filter(subject* s, cairn_solve_def def)
{
    double threshold = def.pgs.threshold;
    def.pgs.filter = true;
    def.pgs.verify = false;
    double aim = solve(&s->cold, &def, s->lambda).residual.velocity;
    def.pgs.filter = false;

    // thresholds grow by a tenth; the residual of plain sweeps grows with them
    for (double next = aim; next > threshold; next /= 1.1) {
        def.pgs.threshold = next;
        if (solve(&s->cold, &def, s->lambda).residual.velocity <= aim)
            return next;
    }
    return threshold;
}

// whole solves: cold, cold with the filter, cold to the residual of that, warm
static void solve_in_turn(subject* s, cairn_solve_def def, int turn)
{
    double start = clock_now();
    s->plain = solve(&s->cold, &def, s->lambda);
    double plain = clock_now();
    def.pgs.filter = true;
    def.pgs.verify = false;
    s->filtered = solve(&s->cold, &def, s->lambda);
    double filtered = clock_now();
    def.pgs.filter = false;

    // plain sweeps down to the residual of the filter, never beyond it
    cairn_solve_def loose = def;
    loose.pgs.threshold = s->equal_threshold;
    double start_equal = clock_now();
    s->equal = solve(&s->cold, &loose, s->lambda);
    s->equal_ms[turn] = 1e3 * (clock_now() - start_equal);

    def.warm_start = true;
    double start_warm = clock_now();
    solve(&s->warm, &def, s->lambda);
    s->warm_ms[turn] = 1e3 * (clock_now() - start_warm);
    s->filtered_ms[turn] = 1e3 * (filtered - plain);
    s->cold_ms[turn] = 1e3 * (plain - start);
}

// ---------------------------------------------------------------- figures

typedef struct outcome {
    int rows;
    double ms, warm_ms, visits_ratio, fast, scalar, residual, filtered_residual;
} outcome;

// the row of a scene whose loops have taken `sweep_turns` turns
static outcome report(bench* b, subject* s, double threshold, int sweep_turns, int solve_turns)
{
    cairn_solve_def def = s->def;
    def.pgs.threshold = threshold;
    walk_on(s, def);
    s->equal_threshold = match_filter(s, def);
    for (int turn = 0; turn < solve_turns; turn++)
        solve_in_turn(s, def, turn);

    outcome out = {.rows = s->cold.row_count,
                   .ms = bench_median(s->cold_ms, solve_turns),
                   .warm_ms = bench_median(s->warm_ms, solve_turns),
                   .visits_ratio = (double)s->equal.row_visits / (double)s->filtered.row_visits,
                   .fast = bench_median(s->fast, sweep_turns),
                   .scalar = bench_median(s->scalar, sweep_turns),
                   .residual = s->plain.residual.velocity,
                   .filtered_residual = s->filtered.residual.velocity};

    bench_row(b, json_pack("{s:s, s:i, s:i, s:i, s:f, s:i, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, "
                           "s:f, s:f, s:f, s:f}",
                           "scene", s->scene, "bodies", s->cold.body_count, "contacts",
                           cairn_problem_contact_count(&s->cold), "rows", s->cold.row_count,
                           "threshold", threshold, "sweeps", s->plain.iterations, "row_visits",
                           (json_int_t)s->plain.row_visits, "filtered_row_visits",
                           (json_int_t)s->filtered.row_visits, "equal_row_visits",
                           (json_int_t)s->equal.row_visits, "ms", out.ms, "filtered_ms",
                           bench_median(s->filtered_ms, solve_turns), "equal_ms",
                           bench_median(s->equal_ms, solve_turns), "warm_ms", out.warm_ms,
                           "residual", out.residual, "filtered_residual", out.filtered_residual,
                           "equal_residual", s->equal.residual.velocity, "ns_per_row_visit",
                           out.fast, "scalar_ns_per_row_visit", out.scalar));

    return out;
}

static outcome measure(bench* b, const char* scene, int count)
{
    subject s;
    subject_open(&s, scene);
    for (int turn = 0; turn < count; turn++)
        sweep_in_turn(&s, turn);
    outcome out = report(b, &s, 0.01, count, count);
    if (!b->quick)
        report(b, &s, 0.001, count, count);
    subject_close(&s);
    return out;
}

// sweeps of all sizes in turn: what slows the machine down slows down all of them
static void measure_growth(bench* b, outcome* grown, const char* const* sizes, int size_count,
                           int count)
{
    enum { few = 3 };
    subject* s = calloc((size_t)size_count, sizeof *s);
    if (!s)
        exit(2);
    for (int i = 0; i < size_count; i++)
        subject_open(&s[i], sizes[i]);
    for (int turn = 0; turn < count; turn++)
        for (int i = 0; i < size_count; i++)
            sweep_in_turn(&s[i], turn);
    for (int i = 0; i < size_count; i++) {
        grown[i] = report(b, &s[i], 0.01, count, few);
        subject_close(&s[i]);
    }
    free(s);
}

void bench_pgs(bench* b)
{
    static const char* const scenes[] = {"wall10", "wall10-hit", "wall20", "wall20-hit",
                                         "wall32", "wall32-hit", "pile"};
    enum { scene_count = sizeof scenes / sizeof scenes[0], wall32 = 4, pile = 6 };
    static const char* const sizes[] = {"wall44x10", "wall440x10", "wall4400x10"};
    outcome found[scene_count], grown[3];
    int count = b->quick ? quick_turns : turns, size_count = b->quick ? 2 : 3;
    for (int i = 0; i < scene_count; i++)
        found[i] = measure(b, scenes[i], count);
    if (bench_reach(b, "growth with the rows"))
        measure_growth(b, grown, sizes, size_count, count);
    else
        size_count = 0;

    // the bounds
    double ratio = INFINITY;
    for (int i = 0; i < scene_count; i++)
        ratio = fmin(ratio, found[i].scalar / found[i].fast);
    bench_bound(b, found[pile].ms <= 16.7, "pile at 0.01 m/s, cold: %.2f ms of 16.7",
                found[pile].ms);
    bench_bound(b, found[pile].warm_ms <= 3.3, "pile at 0.01 m/s, warm: %.2f ms of 3.3",
                found[pile].warm_ms);
    bench_bound(b, ratio >= 4.0, "the fast loop is at least %.1f times as fast per row visit (4)",
                ratio);

    bench_say(
        b,
        "filtering the 32x32 wall: residual %.2g against %.2g m/s at the same threshold; plain "
        "sweeps to that residual visit %.2f times as many rows",
        found[wall32].filtered_residual, found[wall32].residual, found[wall32].visits_ratio);
    bench_row(b, json_pack("{s:s, s:i}", "figure", "flops per row visit", "value", count_flops()));

    for (int i = 1; i < size_count; i++) {
        double rows = (double)grown[i].rows / grown[i - 1].rows;
        double growth = grown[i].fast / grown[i - 1].fast * rows;
        bench_bound(b, growth <= 1.2 * rows, "from %d to %d rows a sweep takes %.1f times as long",
                    grown[i - 1].rows, grown[i].rows, growth);
    }
}
