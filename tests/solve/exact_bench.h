// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The stages of `exact` on the bench: a job with its cells and systems, and points to try them at.
#ifndef CAIRN_TESTS_EXACT_BENCH_H
#define CAIRN_TESTS_EXACT_BENCH_H

#include "exact_case.h"
#include "solve/newton/exact.h"
#include <cairn/random.h>

// a job as the front door makes it
typedef struct bench {
    cairn_arena arena;
    cairn_report report;
    cairn_solve_def def;
    cairn_job job;
    cairn_exact exact;
} bench;

static inline void set_up(bench* b, const cairn_problem* problem, cairn_newton_space space)
{
    *b = (bench){.def = strict()};
    b->job =
        (cairn_job){.problem = problem, .def = &b->def, .arena = &b->arena, .report = &b->report};
    b->job.lambda = CAIRN_TAKE_ZEROED(&b->arena, double, problem->row_count);
    ck_assert_int_eq(cairn_delassus_prepare(&b->job.A, problem, &b->arena), CAIRN_OK);
    ck_assert_int_eq(cairn_exact_prepare(&b->exact, &b->job), CAIRN_OK);
    ck_assert_int_eq(cairn_exact_prepare_newton(&b->exact, space), CAIRN_OK);
}

// random impulses, some inside the cone, some outside, some pulling
static inline void random_point(double* r, size_t n, uint64_t seed)
{
    cairn_random random = {seed};
    for (size_t i = 0; i < n; i++)
        r[i] = i % 4 == 3 ? 0.0 : cairn_random_range(&random, -1.0, 1.0) + (i % 4 == 0 ? 0.5 : 0.0);
}

// (d|Φ|/dh)/|Φ| along the Newton direction at a random point: -1, but for the second derivative and
// round-off, which leave about h = 1e-7
static inline double relative_slope(bench* b, uint64_t seed)
{
    const double h = 1e-7;
    size_t n = b->exact.size;
    double *r = calloc(n, 8), *center = calloc(n, 8), *dr = calloc(n, 8);
    random_point(r, n, seed);
    double before = cairn_exact_ppn_map(&b->exact, r, center, 0.1);
    ck_assert(cairn_exact_ppn_direction(&b->exact, dr, r, center, 0.1));
    for (size_t i = 0; i < n; i++)
        r[i] += h * dr[i];
    double after = cairn_exact_ppn_map(&b->exact, r, center, 0.1);
    free(r);
    free(center);
    free(dr);
    return (after - before) / (h * before);
}

#endif
