// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <string.h>

static cairn_problem made(const char* kind, int size)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    def.size = size;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

TEST(an_empty_problem_is_solved_at_once_by_every_method)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error = {""};
        def.method = cairn_method_at(i).name;
        cairn_status status = cairn_solve(&problem, &def, NULL, &report, &error);
        ck_assert_msg(status == CAIRN_OK, "%s: %s", def.method, error.text);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s", def.method);
    }
}
END

// `def` is refused, and neither the impulses nor the report are touched
static void refused(const cairn_problem* problem, const cairn_solve_def* def)
{
    double lambda[64];
    cairn_report report, before;
    cairn_error error = {""};
    memset(&before, 7, sizeof before);
    memset(&report, 7, sizeof report);
    for (int i = 0; i < 64; i++)
        lambda[i] = 42.0;
    CHECK(cairn_solve(problem, def, lambda, &report, &error) == CAIRN_BAD_INPUT);
    CHECK(error.text[0] != '\0');
    CHECK(memcmp(&report, &before, sizeof report) == 0);
    for (int i = 0; i < 64; i++)
        CHECK_NEAR(lambda[i], 42.0, 0.0);
}

TEST(bad_options_and_bad_problems_are_refused_and_leave_everything_as_it_was)
{
    cairn_problem problem = made("peg", 4);
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "guess";
    refused(&problem, &def);
    def = cairn_default_solve_def();
    def.tolerance = NAN;
    refused(&problem, &def);
    def = cairn_default_solve_def();
    def.facets = 2;
    refused(&problem, &def);
    def.facets = 2147483647;
    refused(&problem, &def);
    def = cairn_default_solve_def();
    def.time_limit = -1.0;
    refused(&problem, &def);
    def = cairn_default_solve_def();
    problem.b[3] = NAN;
    refused(&problem, &def);
    cairn_problem_destroy(&problem);
}
END

// where data overflow on the way, the best answer is where the method started
TEST(impulses_are_finite_whatever_the_data_are)
{
    static const double scales[] = {1e300, 1e160, 1e-160, 1e-300};
    for (int i = 0; i < 4 * cairn_method_count(); i++) {
        cairn_problem problem = made("peg", 4);
        for (int r = 0; r < problem.row_count; r++) {
            problem.b[r] *= scales[i % 4];
            problem.rows[r].a[r % 6] *= r % 2 ? scales[i % 4] : 1.0;
        }

        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        def.method = cairn_method_at(i / 4).name;
        def.max_iterations = 100;

        if (cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK)
            for (int r = 0; r < problem.row_count; r++)
                ck_assert_msg(isfinite(lambda[r]), "%s at %g: impulse %d is %g", def.method,
                              scales[i % 4], r, lambda[r]);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(every_method_reports_what_the_certificate_measures)
{
    // a tolerance of zero cannot be met: no method may claim that it was, and the best answer comes
    // back
    cairn_problem problem = made("stack", 3);
    double* lambda = malloc((size_t)problem.row_count * sizeof(double));

    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_residual residual;
        def.method = cairn_method_at(i).name;
        def.tolerance = 0.0;
        def.max_iterations = 50;

        if (cairn_solve(&problem, &def, lambda, &report, NULL) != CAIRN_OK)
            continue;

        CHECK(cairn_problem_residual(&problem, lambda, report.law, report.facets, &residual) ==
              CAIRN_OK);

        CHECK_NEAR(report.residual.relative, residual.relative, 0.0);
        ck_assert_msg(report.outcome != CAIRN_OUTCOME_CONVERGED || residual.relative == 0.0, "%s",
                      def.method);
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(a_workspace_does_not_change_the_answer)
{
    cairn_problem problem = made("stack", 5);
    cairn_workspace* workspace = cairn_workspace_create();
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double *with = malloc(bytes), *without = malloc(bytes);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;

    CHECK(cairn_solve(&problem, &def, without, &report, NULL) == CAIRN_OK);
    def.workspace = workspace;

    for (int k = 0; k < 3; k++) {
        CHECK(cairn_solve(&problem, &def, with, &report, NULL) == CAIRN_OK);
        CHECK(memcmp(with, without, bytes) == 0);
    }
    free(with);
    free(without);
    cairn_workspace_destroy(workspace);
    cairn_problem_destroy(&problem);
}
END

// copies the blocks and bodies of `part` behind those of `whole`
static void append(cairn_problem* whole, const cairn_problem* part, double scale)
{
    int first = whole->body_count;
    for (int i = 0; i < part->body_count; i++)
        cairn_problem_add_body(whole, part->bodies[i]);
    for (int c = 0; c < part->block_count; c++) {
        cairn_block block = part->blocks[c];
        double b[6];
        for (int i = 0; i < block.row_count; i++)
            b[i] = scale * part->b[block.row + i];
        block.body_a += block.body_a == CAIRN_WORLD_BODY ? 0 : first;
        block.body_b += block.body_b == CAIRN_WORLD_BODY ? 0 : first;
        cairn_problem_add_block(whole, &block, part->rows + part->blocks[c].row, b);
    }
}

TEST(auto_meets_the_tolerance_on_many_islands_of_very_different_speeds)
{
    cairn_problem whole = cairn_problem_empty();
    const char* const kinds[] = {"peg", "stack", "massratio"};

    for (int k = 0; k < 9; k++) {
        cairn_problem part = made(kinds[k % 3], 4 + k);
        append(&whole, &part, k % 2 ? 1.0 : 1e-9);
        cairn_problem_destroy(&part);
    }

    double* lambda = malloc((size_t)whole.row_count * sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;

    CHECK(cairn_solve(&whole, &def, lambda, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK_BELOW(report.residual.relative, 1e-8);
    free(lambda);
    cairn_problem_destroy(&whole);
}
END

TEST(a_limit_of_time_holds_while_the_matrix_of_lemke_is_filled)
{
    // over at once: no time for the matrix, nor for a single pivot on it
    cairn_problem problem = made("random", 40);
    double* lambda = malloc((size_t)problem.row_count * sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.method = "lemke-standard";
    def.time_limit = 1e-9;

    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_TIME_LIMIT);
    ck_assert_int_eq((int)report.pivots, 0);
    for (int i = 0; i < problem.row_count; i++)
        CHECK_NEAR(lambda[i], 0.0, 0.0);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TESTS(impulses_are_finite_whatever_the_data_are, an_empty_problem_is_solved_at_once_by_every_method,
      bad_options_and_bad_problems_are_refused_and_leave_everything_as_it_was,
      every_method_reports_what_the_certificate_measures, a_workspace_does_not_change_the_answer,
      auto_meets_the_tolerance_on_many_islands_of_very_different_speeds,
      a_limit_of_time_holds_while_the_matrix_of_lemke_is_filled)
