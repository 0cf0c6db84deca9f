// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the tests of `exact` share: problems of the generators, strict options, a checked solve.
#ifndef CAIRN_TESTS_EXACT_CASE_H
#define CAIRN_TESTS_EXACT_CASE_H

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static inline cairn_problem make(const char* kind, int size, double mu, double mass_ratio,
                                 double hit)
{
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_problem problem;
    cairn_error error;
    def.size = size;
    def.width = def.height = size;
    def.mu = mu;
    def.mass_ratio = mass_ratio;
    def.hit = hit;
    ck_assert_msg(cairn_generate(&def, &problem, &error) == CAIRN_OK, "%s", error.text);
    return problem;
}

static inline cairn_report solve(double* lambda, const cairn_problem* problem,
                                 const cairn_solve_def* def)
{
    cairn_report report;
    cairn_error error;
    ck_assert_msg(cairn_solve(problem, def, lambda, &report, &error) == CAIRN_OK, "%s", error.text);
    return report;
}

static inline cairn_solve_def strict(void)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "exact";
    def.fclib = true;
    return def;
}

static inline double* room(const cairn_problem* problem)
{
    return calloc((size_t)problem->row_count + 1, sizeof(double));
}

// every body gets a velocity of its own on top, up to `speed`: b += J v
static inline void stir(cairn_problem* problem, double speed, uint64_t seed)
{
    cairn_random random = {seed};
    double* v = calloc(6 * (size_t)problem->body_count, sizeof(double));

    for (int i = 0; i < 6 * problem->body_count; i++)
        v[i] = cairn_random_range(&random, -speed, speed);

    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++)
            for (int k = 0; k < 6; k++) {
                if (block->body_a != CAIRN_WORLD_BODY)
                    problem->b[i] += problem->rows[i].a[k] * v[6 * block->body_a + k];
                if (block->body_b != CAIRN_WORLD_BODY)
                    problem->b[i] += problem->rows[i].b[k] * v[6 * block->body_b + k];
            }
    }
    free(v);
}

#endif
