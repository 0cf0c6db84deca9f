// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Whatever stops a method, its answer is never worse than the impulses that it started from, nor
// than none at all; and the report names whatever gave the answer in its place.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static cairn_problem make(const char* kind, int size, double mu, double hit)
{
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_problem problem;
    cairn_error error;
    def.size = def.width = def.height = size;
    def.mu = mu;
    def.hit = hit;
    ck_assert_msg(cairn_generate(&def, &problem, &error) == CAIRN_OK, "%s", error.text);
    return problem;
}

static double measure(const cairn_problem* problem, const double* lambda,
                      const cairn_report* report)
{
    cairn_residual residual;
    ck_assert_int_eq(
        cairn_problem_residual(problem, lambda, report->law, report->facets, &residual), CAIRN_OK);
    return residual.relative;
}

// impulses near a solution: a few hundred sweeps, then each changed by up to `change` of itself
static void warm_up(cairn_problem* problem, double tolerance, double change, uint64_t seed)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    cairn_random random = {seed};
    def.method = "pgs";
    def.tolerance = tolerance;
    def.max_iterations = 300;
    free(problem->warm);
    problem->warm = calloc((size_t)problem->row_count, sizeof(double));
    ck_assert(problem->warm != NULL);
    ck_assert_int_eq(cairn_solve(problem, &def, problem->warm, &report, &error), CAIRN_OK);
    for (int i = 0; i < problem->row_count; i++)
        problem->warm[i] *= 1.0 + change * cairn_random_range(&random, -1.0, 1.0);
}

// one method, stopped by `limit`: at most the residual of the start and of zero
static void check_method(const cairn_problem* problem, cairn_solve_def def)
{
    size_t n = (size_t)problem->row_count;
    double *lambda = calloc(n, sizeof(double)), *zero = calloc(n, sizeof(double));
    cairn_report report;
    cairn_error error;
    cairn_status status = cairn_solve(problem, &def, lambda, &report, &error);

    // a method that refuses a problem returns nothing
    if (status == CAIRN_OK) {
        double answer = measure(problem, lambda, &report);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED ||
                          answer <= measure(problem, zero, &report),
                      "%s: %g, zero %g", def.method, answer, measure(problem, zero, &report));
        if (def.warm_start)
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED ||
                              answer <= measure(problem, problem->warm, &report),
                          "%s: %g, start %g", def.method, answer,
                          measure(problem, problem->warm, &report));

        // what was measured is what is returned
        CHECK_NEAR(answer, report.residual.relative, 1e-12 * (1.0 + answer));
    } else {
        ck_assert_int_eq(status, CAIRN_NOT_SUPPORTED);
    }
    free(lambda);
    free(zero);
}

static void check_all_methods(const cairn_problem* problem, int iterations, double seconds,
                              bool warm)
{
    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_solve_def def = cairn_default_solve_def();
        def.method = cairn_method_at(i).name;
        def.max_iterations = iterations;
        def.time_limit = seconds;
        def.warm_start = warm;
        check_method(problem, def);
    }
}

TEST(no_method_ends_worse_than_zero)
{
    static const char* const kinds[] = {"wall", "heap", "random", "chain", "peg"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        cairn_problem problem = make(kinds[k], 4, 0.7, 2.0);
        for (int iterations = 1; iterations <= 16; iterations *= CHECK_SLOW_BUILD ? 16 : 4)
            check_all_methods(&problem, iterations, 0.0, false);
        check_all_methods(&problem, 0, 1e-4, false);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(no_method_ends_worse_than_its_warm_start)
{
    static const char* const kinds[] = {"wall", "heap", "massratio"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        cairn_problem problem = make(kinds[k], 4, 0.6, 0.0);
        for (int i = 0; i < (CHECK_SLOW_BUILD ? 1 : 3); i++) {
            warm_up(&problem, 1e-2, i * 1e-3, 7 + (uint64_t)i);
            check_all_methods(&problem, 1 + i, 0.0, true);
            check_all_methods(&problem, 0, 1e-4, true);
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_better_start_is_returned_and_named)
{
    // complementary pivoting knows no warm start and has nothing after one pivot
    cairn_problem problem = make("wall", 4, 0.6, 0.0);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    size_t n = (size_t)problem.row_count;
    double* lambda = calloc(n, sizeof(double));
    warm_up(&problem, 1e-8, 1e-3, 7);
    def.method = "lemke-standard";
    def.max_iterations = 1;
    def.warm_start = true;

    ck_assert_int_eq(cairn_solve(&problem, &def, lambda, &report, &error), CAIRN_OK);
    ck_assert_ptr_nonnull(report.rescued_by);
    ck_assert_str_eq(report.rescued_by, "start");
    ck_assert_mem_eq(lambda, problem.warm, n * sizeof(double));
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

// a friction set of the user's: a disk of half the normal impulse
static void project_on_disk(double* force, double normal, int rows, void* context)
{
    (void)context;
    double limit = 0.5 * normal, length = 0.0;
    for (int k = 0; k < rows; k++)
        length = hypot(length, force[k]);
    for (int k = 0; k < rows && length > limit; k++)
        force[k] *= limit / length;
}

TEST(a_method_that_hands_a_problem_on_names_the_other)
{
    static const struct {
        const char *method, *other;
    } cases[] = {{"dantzig", "prox"}, {"exact", "pgs"}, {"auto", NULL}, {"prox", NULL}};
    cairn_problem problem = make("stack", 3, 0.6, 0.0);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    problem.blocks[0].friction =
        (cairn_friction){.kind = CAIRN_FRICTION_CUSTOM, .project = project_on_disk};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.method = cases[i].method;
        ck_assert_int_eq(cairn_solve(&problem, &def, lambda, &report, &error), CAIRN_OK);
        if (cases[i].other)
            ck_assert_str_eq(report.rescued_by, cases[i].other);
        else
            ck_assert_ptr_null(report.rescued_by);
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TESTS(no_method_ends_worse_than_zero, no_method_ends_worse_than_its_warm_start,
      a_better_start_is_returned_and_named, a_method_that_hands_a_problem_on_names_the_other)
