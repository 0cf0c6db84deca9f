// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// PROX schemes and strategies (Erleben 2017) on the contact problems of 450 steps of 0.01 s of a
// tower of 49 boxes, a wall of 81 bricks, and heaps of 362 spheres, jacks and glasses
// (prox_scenes.c), each checked before it is used.
// The engine runs the scenes by its own solver; what it meets in a step, all islands as one
// problem, every variant solves from zero impulses, as the published program did. Steps in which
// nothing touches do not count.
//
// A solve has 1000 sweeps. Published strategies run the published driver: `ended` counts the solves
// that its own test ended, `certified` those whose relative residual is at most 1e-3, whatever
// ended them, `residual_median` is that residual. The corrected ones run until the certificate says
// 1e-3; `plain` is scalar-local without mixing of iterates, so that sweeps are compared at one
// residual. Each scene runs on two threads, each with its own world and half of the variants; the
// processor time of the thread is measured.

#include "dump.h"
#include "prox_scenes.h"
#include "scenes.h"
#include "suite.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_steps = 450, most_sweeps = 1000, quick_stride = 15, shares = 2 };

static const double tolerance = 1e-3;

typedef struct variant {
    const char* scheme;
    const char* strategy;
    cairn_prox_strategy which;
    bool jacobi, published, plain;
} variant;

static const variant variants[] = {
    {"gauss-seidel", "scalar-local", CAIRN_PROX_SCALAR_LOCAL, false, false, false},
    {"jacobi", "scalar-local", CAIRN_PROX_SCALAR_LOCAL, true, false, false},
    {"gauss-seidel", "plain", CAIRN_PROX_SCALAR_LOCAL, false, false, true},
    {"jacobi", "plain", CAIRN_PROX_SCALAR_LOCAL, true, false, true},
    {"gauss-seidel", "metric", CAIRN_PROX_METRIC, false, false, false},
    {"gauss-seidel", "global", CAIRN_PROX_GLOBAL, false, true, false},
    {"gauss-seidel", "local", CAIRN_PROX_LOCAL, false, true, false},
    {"gauss-seidel", "blocked", CAIRN_PROX_BLOCKED, false, true, false},
    {"jacobi", "global", CAIRN_PROX_GLOBAL, true, true, false},
    {"jacobi", "local", CAIRN_PROX_LOCAL, true, true, false},
    {"jacobi", "blocked", CAIRN_PROX_BLOCKED, true, true, false},
};
enum {
    variant_count = sizeof variants / sizeof variants[0],
    plain_gauss_seidel = 2,
    plain_jacobi = 3,
    blocked = 7
};

// what one variant did on all steps of a scene
typedef struct tally {
    double sweeps[most_steps], residual[most_steps];
    int solves, ended, certified;
    int64_t rollbacks, contact_sweeps;
    double seconds;
} tally;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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

static cairn_solve_def options(const variant* v)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = v->jacobi ? "prox-jacobi" : "prox";
    def.tolerance = tolerance;
    def.prox.strategy = v->which;
    def.prox.published = v->published;
    def.prox.anderson = !v->plain;
    def.max_iterations = most_sweeps;
    return def;
}

static void try_variant(tally* t, const variant* v, const cairn_problem* problem, double* lambda)
{
    cairn_solve_def def = options(v);
    double start = clock_now();
    cairn_report report = solve(problem, &def, lambda);
    t->seconds += clock_now() - start;
    t->sweeps[t->solves] = report.iterations;
    t->residual[t->solves++] = report.residual.relative;
    t->ended +=
        v->published ? report.iterations < most_sweeps : report.outcome == CAIRN_OUTCOME_CONVERGED;
    t->certified += report.residual.relative <= tolerance;
    t->rollbacks += report.rollbacks;
    t->contact_sweeps += (int64_t)report.iterations * cairn_problem_contact_count(problem);
}

static double percentile(double* x, int n, int percent)
{
    bench_median(x, n); // sorts
    return n ? x[(n - 1) * percent / 100] : 0.0;
}

// the problem of the next step, as the engine met it
static void next_problem(dump* step, scene_run* run)
{
    cairn_error error;
    if (dump_step(step, run->scene, run->info.dt, &error) != CAIRN_OK) {
        fprintf(stderr, "cairn-bench: %s\n", error.text);
        exit(2);
    }
}

static void add_rows(bench* b, const char* scene, tally* tallies)
{
    for (int i = 0; i < variant_count; i++) {
        tally* t = &tallies[i];
        double sweeps = (double)(t->contact_sweeps ? t->contact_sweeps : 1);
        bench_row(b,
                  json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:f, s:f, s:I, s:f, s:f}", "scene",
                            scene, "scheme", variants[i].scheme, "strategy", variants[i].strategy,
                            "solves", t->solves, "ended", t->ended, "certified", t->certified,
                            "sweeps_median", percentile(t->sweeps, t->solves, 50), "sweeps_p90",
                            percentile(t->sweeps, t->solves, 90), "rollbacks",
                            (json_int_t)t->rollbacks, "residual_median",
                            percentile(t->residual, t->solves, 50), "us_per_contact_sweep",
                            1e6 * t->seconds / sweeps));
    }
}

// A scene, and what some of the variants did on it: every `shares`-th one from `share` on.
typedef struct trial {
    scene_run run;
    int share;
    int stride; // every so many steps' problems are solved
    double end; // of bench_clock: no step begins later
    int done;   // steps
    tally* tallies;
} trial;

static void* run_trial(void* context)
{
    trial* t = context;
    dump step = {0};
    for (; t->done < most_steps && bench_clock() < t->end; t->done++) {
        next_problem(&step, &t->run);
        if (step.problem.block_count == 0 || t->done % t->stride)
            continue;
        for (int i = t->share; i < variant_count && bench_clock() < t->end; i += shares)
            try_variant(&t->tallies[i], &variants[i], &step.problem, step.lambda);
    }
    dump_free(&step);
    return NULL;
}

// µs per contact of one more sweep
static double sweep_time(const cairn_problem* problem, bool fast, double* lambda)
{
    double least[2] = {INFINITY, INFINITY};
    int sweeps[2] = {8, fast ? 808 : 88};
    for (int run = 0; run < 5; run++)
        for (int k = 0; k < 2; k++) {
            cairn_solve_def def = cairn_default_solve_def();
            def.method = "prox";
            def.tolerance = 0.0;
            def.max_iterations = sweeps[k];
            def.prox.fast = fast;
            def.prox.anderson = false;
            double start = clock_now();
            solve(problem, &def, lambda);
            least[k] = fmin(least[k], clock_now() - start);
        }
    return 1e6 * (least[1] - least[0]) / (sweeps[1] - sweeps[0]) /
           cairn_problem_contact_count(problem);
}

static void judge_scene(bench* b, const char* scene, tally* t)
{
    if (t[blocked].solves == 0)
        return;

    double one = percentile(t[plain_gauss_seidel].sweeps, t[plain_gauss_seidel].solves, 50);
    double other = percentile(t[plain_jacobi].sweeps, t[plain_jacobi].solves, 50);
    bench_say(
        b,
        "%s: plain Gauss-Seidel %.0f sweeps, plain Jacobi %.0f to the same residual%s; blocked "
        "with back-tracking is certified in %d of %d solves",
        scene, one, other, fmax(one, other) >= most_sweeps ? " (limit reached)" : "",
        t[blocked].certified, t[blocked].solves);
    bench_bound(b, t[plain_gauss_seidel].certified >= t[plain_jacobi].certified,
                "%s: plain Gauss-Seidel solves %d of %d, plain Jacobi %d", scene,
                t[plain_gauss_seidel].certified, t[plain_gauss_seidel].solves,
                t[plain_jacobi].certified);
}

static void compare_loops(bench* b)
{
    cairn_problem pile = bench_scene("pile", 1);
    double* lambda = malloc((size_t)pile.row_count * sizeof(double) + 1);
    if (!lambda)
        exit(2);
    double fast = sweep_time(&pile, true, lambda), scalar = sweep_time(&pile, false, lambda);
    bench_say(b,
              "cone friction, a pile of 888: %.1f ns per contact and sweep (aim 25), scalar %.1f",
              1e3 * fast, 1e3 * scalar);
    bench_bound(b, scalar >= 4.0 * fast, "batches are %.1f times as fast as the scalar loop (4)",
                scalar / fast);
    cairn_problem_destroy(&pile);
    free(lambda);
}

static void run_trials(trial* trials, int count)
{
    pthread_t threads[prox_scene_count * shares];
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, run_trial, &trials[i]) != 0)
            exit(2);
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        scene_close(&trials[i].run);
    }
}

// steps that all shares of a scene came to
static int steps_done(const trial* trials, int count, const tally* tallies)
{
    int done = most_steps;
    for (int i = 0; i < count; i++)
        if (trials[i].tallies == tallies && trials[i].done < done)
            done = trials[i].done;
    return done;
}

// a scene that is not what it should be is not measured on
static bool is_sound(bench* b, int index)
{
    char why[256];
    bool sound = prox_scene_sound(index, why, sizeof why);
    bench_bound(b, sound, "%s", why);
    return sound;
}

// --only takes the name of a scene, or `speed`
void bench_prox(bench* b)
{
    tally* tallies = calloc(prox_scene_count * variant_count, sizeof(tally));
    trial trials[prox_scene_count * shares];
    int count = 0;
    if (!tallies)
        exit(2);

    if (bench_wants(b, "speed") && bench_reach(b, "speed"))
        compare_loops(b);

    bool fit[prox_scene_count];
    for (int i = 0; i < prox_scene_count; i++)
        fit[i] = bench_wants(b, prox_scene_name(i)) && is_sound(b, i);

    // each share of a scene has a world of its own
    for (int i = 0; i < prox_scene_count * shares; i++)
        if (fit[i / shares])
            trials[count++] = (trial){.run = prox_scene_open(i / shares),
                                      .share = i % shares,
                                      .stride = b->quick ? quick_stride : 1,
                                      .end = bench_part_ends(b, 1),
                                      .tallies = tallies + i / shares * variant_count};

    run_trials(trials, count);
    for (int i = 0; i < prox_scene_count; i++) {
        const char* scene = prox_scene_name(i);
        tally* own = tallies + i * variant_count;
        int done = steps_done(trials, count, own);
        if (!fit[i])
            continue;
        add_rows(b, scene, own);
        judge_scene(b, scene, own);
        if (done < most_steps)
            bench_unreached(b, "%s: steps %d to %d", scene, done + 1, most_steps);
    }

    free(tallies);
}
