// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The methods `exact` and `prox` on the collection of FCLib, judged by a residual of its own,
// written from the definition and straight from the matrix of the file.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

typedef struct figures {
    double F, q, r, u; // lengths
} figures;

// F_c = r - P_K(r - u - μ|u_T| e_N), u = W r + q, lengths over all contacts
static figures judge(const cairn_problem* problem, const double* r)
{
    const cairn_block_matrix* W = problem->A;
    figures sum = {0};
    for (int c = 0; c < W->n; c++) {
        double u[3], z[3], p[3] = {0.0}, mu = problem->blocks[c].friction.mu[0];
        for (int i = 0; i < 3; i++) {
            u[i] = problem->b[3 * c + i];
            for (int k = W->row_begin[c]; k < W->row_begin[c + 1]; k++)
                for (int j = 0; j < 3; j++)
                    u[i] += W->value[9 * k + 3 * i + j] * r[3 * W->column[k] + j];
        }
        for (int i = 0; i < 3; i++)
            z[i] = r[3 * c + i] - u[i];
        z[0] -= mu * sqrt(u[1] * u[1] + u[2] * u[2]);
        double t = sqrt(z[1] * z[1] + z[2] * z[2]);
        if (t <= mu * z[0]) {
            memcpy(p, z, sizeof p);
        } else if (z[0] + mu * t > 0.0) {
            p[0] = (z[0] + mu * t) / (1.0 + mu * mu);
            p[1] = mu * p[0] * z[1] / t;
            p[2] = mu * p[0] * z[2] / t;
        }
        for (int i = 0; i < 3; i++) {
            double x = r[3 * c + i], q = problem->b[3 * c + i];
            sum.F += (x - p[i]) * (x - p[i]);
            sum.q += q * q;
            sum.r += x * x;
            sum.u += u[i] * u[i];
        }
    }
    return (figures){sqrt(sum.F), sqrt(sum.q), sqrt(sum.r), sqrt(sum.u)};
}

// by the measures in use: relative to the largest term and to |q|, and for a method that ends at
// round-off also to 1 + √|q|, which is not free of units
static void check_figures(const cairn_problem* problem, const double* r, double tolerance,
                          bool exact)
{
    figures f = judge(problem, r);
    CHECK_BELOW(f.F, tolerance * fmax(f.q, fmax(f.r, f.u)));
    CHECK_BELOW(f.F, tolerance * f.q);
    if (exact)
        CHECK_BELOW(f.F, tolerance * (1.0 + sqrt(f.q)));
}

static int solve_folder(const char* method, double tolerance)
{
    int count = 0;
    DIR* folder = opendir(CAIRN_TEST_DATA "/fclib");
    ck_assert_ptr_nonnull(folder);
    for (const struct dirent* entry; (entry = readdir(folder));) {
        char path[1024];
        cairn_problem problem;
        cairn_error error;
        cairn_report report;
        cairn_solve_def def = cairn_default_solve_def();
        if (!strstr(entry->d_name, ".hdf5"))
            continue;
        snprintf(path, sizeof path, "%s/fclib/%s", CAIRN_TEST_DATA, entry->d_name);
        ck_assert_msg(cairn_fclib_read(path, &problem, &error) == CAIRN_OK, "%s", error.text);
        double* r = calloc((size_t)problem.row_count, sizeof(double));
        def.method = method;
        def.fclib = true;
        def.tolerance = tolerance;
        ck_assert_int_eq(cairn_solve(&problem, &def, r, &report, &error), CAIRN_OK);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s", entry->d_name);
        // sums in another order
        check_figures(&problem, r, 1.01 * tolerance, strcmp(method, "exact") == 0);
        free(r);
        cairn_problem_destroy(&problem);
        count++;
    }
    closedir(folder);
    return count;
}

TEST(exact_solves_all_problems_to_1e_minus_8)
{
    ck_assert_int_ge(solve_folder("exact", 1e-8), 16);
}
END

TEST(exact_solves_all_problems_to_1e_minus_10)
{
    ck_assert_int_ge(solve_folder("exact", 1e-10), 16);
}
END

TEST(prox_solves_all_problems_to_1e_minus_4)
{
    ck_assert_int_ge(solve_folder("prox", 1e-4), 16);
}
END

TESTS(exact_solves_all_problems_to_1e_minus_8, exact_solves_all_problems_to_1e_minus_10,
      prox_solves_all_problems_to_1e_minus_4)
