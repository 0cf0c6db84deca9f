// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <string.h>

static cairn_problem made(const char* kind, int width, int height)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    def.width = width;
    def.height = def.size = height;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

static cairn_status solve(const cairn_problem* problem, const char* method, double tolerance,
                          double* lambda, cairn_report* report, cairn_error* error)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
    return cairn_solve(problem, &def, lambda, report, error);
}

// single precision holds a load of h g to some 1e-6 of it: ten times that is asked
TEST(heaps_stacks_and_walls_of_contacts_are_swept_to_five_digits)
{
    const struct {
        const char* kind;
        int width, height;
    } cases[] = {{"heap", 0, 400}, {"stack", 0, 5}, {"wall", 6, 5}, {"heap", 0, 100}};
    for (int i = 0; i < 4; i++) {
        cairn_problem problem = made(cases[i].kind, cases[i].width, cases[i].height);
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        cairn_report report;
        CHECK(solve(&problem, "sweeps", 1e-5, lambda, &report, NULL) == CAIRN_OK);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %g after %d sweeps",
                      cases[i].kind, report.residual.relative, report.iterations);
        ck_assert_str_eq(report.method, "sweeps");
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

// a turn of the tangents of a row turns its impulses, and nothing else
TEST(tangents_of_ones_own_get_the_impulses_along_them)
{
    cairn_problem problem = made("stack", 0, 3), turned;
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double *a = calloc(1, bytes), *b = calloc(1, bytes);
    const double c = 0.6, s = 0.8;
    cairn_report report;
    CHECK(cairn_problem_copy(&problem, &turned) == CAIRN_OK);
    for (int k = 0; k < problem.block_count; k++) {
        int r = problem.blocks[k].row;
        cairn_row t = turned.rows[r + 1], w = turned.rows[r + 2];
        for (int i = 0; i < 6; i++) {
            turned.rows[r + 1].a[i] = c * t.a[i] + s * w.a[i];
            turned.rows[r + 1].b[i] = c * t.b[i] + s * w.b[i];
            turned.rows[r + 2].a[i] = c * w.a[i] - s * t.a[i];
            turned.rows[r + 2].b[i] = c * w.b[i] - s * t.b[i];
        }
        turned.b[r + 1] = c * problem.b[r + 1] + s * problem.b[r + 2];
        turned.b[r + 2] = c * problem.b[r + 2] - s * problem.b[r + 1];
    }
    CHECK(solve(&problem, "sweeps", 1e-5, a, &report, NULL) == CAIRN_OK);
    double largest = 0.0;
    CHECK(solve(&turned, "sweeps", 1e-5, b, &report, NULL) == CAIRN_OK);
    for (int r = 0; r < problem.row_count; r++)
        largest = fmax(largest, fabs(a[r]));
    for (int k = 0; k < problem.block_count; k++) {
        int r = problem.blocks[k].row;

        // the lanes see the same contacts but for the last bits of their numbers
        CHECK_NEAR(b[r], a[r], 1e-4 * largest);
        CHECK_NEAR(b[r + 1], c * a[r + 1] + s * a[r + 2], 1e-4 * largest);
        CHECK_NEAR(b[r + 2], c * a[r + 2] - s * a[r + 1], 1e-4 * largest);
    }
    free(a);
    free(b);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&turned);
}
END

TEST(where_sweeps_do_not_apply_they_say_why)
{
    cairn_problem chain = made("chain", 0, 4), stack = made("stack", 0, 3), formed;
    double* lambda = calloc((size_t)(chain.row_count + stack.row_count), sizeof(double));
    cairn_report report;
    cairn_error error = {""};
    CHECK(solve(&chain, "sweeps", 1e-5, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "contacts alone") != NULL);

    CHECK(cairn_problem_explicit(&stack, &formed, NULL) == CAIRN_OK);
    CHECK(solve(&formed, "sweeps", 1e-5, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "A alone") != NULL);

    stack.blocks[2].friction = (cairn_friction){.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.5, 0.2}};
    CHECK(solve(&stack, "sweeps", 1e-5, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "another law") != NULL);
    free(lambda);
    cairn_problem_destroy(&chain);
    cairn_problem_destroy(&stack);
    cairn_problem_destroy(&formed);
}
END

TESTS(heaps_stacks_and_walls_of_contacts_are_swept_to_five_digits,
      tangents_of_ones_own_get_the_impulses_along_them, where_sweeps_do_not_apply_they_say_why)
