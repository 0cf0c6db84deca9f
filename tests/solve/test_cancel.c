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
    CHECK(cairn_generate(&problem, &def, NULL) == CAIRN_OK);
    return problem;
}

// the report tells the residual of the returned impulses, whatever they are worth
static void measured(const cairn_problem* problem, const double* lambda, const cairn_report* report)
{
    cairn_residual residual;
    CHECK(cairn_problem_residual(&residual, problem, lambda, report->law, report->facets) ==
          CAIRN_OK);
    CHECK_NEAR(report->residual.relative, residual.relative, 0.0);
}

TEST(a_raised_flag_ends_every_method_and_is_always_told)
{
    cairn_problem problem = made("stack", 3);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_cancel cancel = {0};
        cairn_report report;
        def.method = cairn_method_at(i).name;
        def.cancel = &cancel;

        cairn_cancel_raise(&cancel);
        CHECK(cairn_solve(lambda, &problem, &def, &report, NULL) == CAIRN_OK);
        ck_assert_str_eq(cairn_outcome_name(report.outcome), "canceled");
        measured(&problem, lambda, &report);

        // the flag belongs to the caller: it stays up until he lowers it
        CHECK(cairn_solve(lambda, &problem, &def, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_CANCELED);
        cairn_cancel_clear(&cancel);
        CHECK(cairn_solve(lambda, &problem, &def, &report, NULL) == CAIRN_OK);
        ck_assert_msg(report.outcome == CAIRN_CONVERGED, "%s: %s", def.method,
                      cairn_outcome_name(report.outcome));
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(a_raised_flag_ends_every_method_for_plain_lcps)
{
    const double M[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {-5.0, -6.0};
    cairn_lcp lcp = {2, M, q};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_cancel cancel = {0};
    cairn_lcp_report report;
    double z[2];
    def.cancel = &cancel;
    for (int i = -1; i < cairn_lcp_method_count(); i++) {
        def.method = i < 0 ? "auto" : cairn_lcp_method_at(i);
        cairn_cancel_raise(&cancel);
        CHECK(cairn_lcp_solve(z, &lcp, &def, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_CANCELED);
        CHECK_NEAR(report.residual, cairn_lcp_residual(&lcp, z), 0.0);
        cairn_cancel_clear(&cancel);
        CHECK(cairn_lcp_solve(z, &lcp, &def, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_CONVERGED);
    }
}
END

TESTS(a_raised_flag_ends_every_method_and_is_always_told,
      a_raised_flag_ends_every_method_for_plain_lcps)
