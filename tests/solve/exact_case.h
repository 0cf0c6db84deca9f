// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the tests of `exact` share: problems of the generators, strict options, a checked solve.
#ifndef CAIRN_TESTS_EXACT_CASE_H
#define CAIRN_TESTS_EXACT_CASE_H

#include "check_cairn.h"
#include <cairn/cairn.h>
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

#endif
