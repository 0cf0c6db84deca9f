// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `convergence`: how the certified residual falls with the work that a method is given. Each
// point is a solve of its own from zero with a limit of iterations, so that the residual is that of
// the certificate and not what a method believes. Bound: eight digits by Newton's method.

#include "suite.h"
#include "timed_solve.h"
#include <cairn/cairn.h>
#include <math.h>
#include <stdlib.h>

static const struct {
    const char* name;
    const char* kind;
    int size;
    double ratio, hit;
} cases[] = {{"wall of 10 rows", "wall", 10, 1.0, 0.0},
             {"wall of 10 rows, hit", "wall", 10, 1.0, 3.0},
             {"stack of 10, mass ratio 10,000", "massratio", 10, 1e4, 0.0},
             {"heap of 200", "heap", 200, 1.0, 0.0}};

static const char* const methods[] = {"exact", "prox", "prox-jacobi", "pgs", "gauss-seidel"};

static cairn_report solve(double* lambda, const cairn_problem* problem, const char* method,
                          int iterations)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = 1e-12;
    def.max_iterations = iterations;
    def.time_limit = 2.0;
    return timed_solve(lambda, problem, def, 2);
}

// the least residual that was reached
static double follow(bench* b, const char* name, const cairn_problem* problem, const char* method)
{
    double* lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
    double spent = 0.0, least = INFINITY, limit = b->quick ? 60.0 : 2000.0;
    for (int iterations = 1; iterations <= 16384 && spent < limit; iterations *= 2) {
        cairn_report report = solve(lambda, problem, method, iterations);
        double ms = 1e3 * report.seconds;
        if (!isfinite(ms))
            break;
        bench_row(b, json_pack("{s:s, s:s, s:i, s:f, s:f}", "problem", name, "method", method,
                               "iterations", iterations, "residual", report.residual_coulomb, "ms",
                               ms));
        least = fmin(least, report.residual_coulomb);
        spent += 2.0 * ms;
        if (report.outcome == CAIRN_OUTCOME_CONVERGED)
            break;
    }

    free(lambda);
    return least;
}

void bench_convergence(bench* b)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cairn_generate_def def = cairn_default_generate_def(cases[k].kind);
        cairn_problem problem;
        cairn_error error;

        def.size = def.width = def.height = cases[k].size;
        def.mass_ratio = cases[k].ratio;
        def.hit = cases[k].hit;
        if (cairn_generate(&def, &problem, &error) != CAIRN_OK) {
            bench_bound(b, false, "%s: %s", cases[k].name, error.text);
            continue;
        }

        // the first method is Newton's, which has a bound
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            if (bench_reach(b, "%s, %s", cases[k].name, methods[m])) {
                double least = follow(b, cases[k].name, &problem, methods[m]);
                if (m == 0)
                    bench_bound(b, least <= 1e-8, "%s: %s reaches %.1e (1e-8)", cases[k].name,
                                methods[m], least);
                else
                    bench_say(b, "%s: %s reaches %.1e", cases[k].name, methods[m], least);
            }

        cairn_problem_destroy(&problem);
    }
}
