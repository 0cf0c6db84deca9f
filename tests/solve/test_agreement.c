// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Different methods, one answer: where velocities are unique they must not depend on the method.

#include "check_cairn.h"
#include <cairn/cairn.h>

// velocities of the rows by one method, on a copy with the given law
static void velocities(double* v, const cairn_problem* problem, const char* method,
                       double tolerance)
{
    double* lambda = malloc((size_t)problem->row_count * sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error = {""};
    def.method = method;
    def.tolerance = tolerance;
    cairn_status status = cairn_solve(problem, &def, lambda, &report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s: %s", method, error.text);
    ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %s, residual %g", method,
                  cairn_outcome_name(report.outcome), report.residual.relative);
    CHECK(cairn_problem_velocity(problem, lambda, v) == CAIRN_OK);
    free(lambda);
}

static double largest_difference(const double* a, const double* b, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// no more contacts than bodies, so that A is regular, and little friction: the velocities are
// unique
static cairn_problem regular(uint64_t seed, cairn_friction_kind law)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def("random");
    def.seed = seed;
    def.width = 12;
    def.height = 4 + (int)(seed % 8);
    def.mu = 0.2;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    for (int c = 0; c < problem.block_count; c++) {
        problem.blocks[c].friction.kind = law;
        problem.blocks[c].friction.facets = 8;
    }
    return problem;
}

static void compare(cairn_friction_kind law, const char* const* methods, int count,
                    double tolerance)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_problem problem = regular(seed, law);
        size_t bytes = (size_t)problem.row_count * sizeof(double);
        double *first = malloc(bytes), *other = malloc(bytes), scale = 0.0;
        velocities(first, &problem, methods[0], 1e-10);

        for (int i = 0; i < problem.row_count; i++)
            scale = fmax(scale, fabs(problem.b[i]));

        for (int m = 1; m < count; m++) {
            velocities(other, &problem, methods[m], 1e-9);
            double apart = largest_difference(first, other, problem.row_count) / scale;
            ck_assert_msg(apart <= tolerance, "seed %d: %s and %s differ by %g", (int)seed,
                          methods[0], methods[m], apart);
        }
        free(first);
        free(other);
        cairn_problem_destroy(&problem);
    }
}

TEST(methods_of_the_true_cone_agree_on_velocities)
{
    // residuals of 1e-9, grown by the condition of A, about 1e2
    const char* const methods[] = {"exact", "dantzig", "prox", "gauss-seidel", "auto"};
    compare(CAIRN_FRICTION_CONE, methods, 5, 1e-6);
}
END

TEST(methods_of_the_pyramid_agree_on_velocities)
{
    const char* const methods[] = {"lemke-standard", "lemke", "lemke-structural", "prox"};
    compare(CAIRN_FRICTION_PYRAMID, methods, 4, 1e-6);
}
END

TEST(methods_without_friction_agree_on_velocities)
{
    const char* const methods[] = {"dantzig", "lemke", "exact", "prox", "pgs"};
    compare(CAIRN_FRICTION_NONE, methods, 5, 1e-6);
}
END

TEST(fine_facets_approach_the_cone)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cairn_problem cone = regular(seed, CAIRN_FRICTION_CONE),
                      fine = regular(seed, CAIRN_FRICTION_PYRAMID);
        size_t bytes = (size_t)cone.row_count * sizeof(double);
        double *a = malloc(bytes), *b = malloc(bytes), scale = 0.0;

        for (int c = 0; c < fine.block_count; c++)
            fine.blocks[c].friction.facets = 64;

        velocities(a, &cone, "exact", 1e-10);
        velocities(b, &fine, "lemke", 1e-10);

        for (int i = 0; i < cone.row_count; i++)
            scale = fmax(scale, fabs(cone.b[i]));

        // the polygon deviates from the disc by a direction of pi/64 at most
        CHECK_BELOW(largest_difference(a, b, cone.row_count) / scale, 0.05);
        free(a);
        free(b);
        cairn_problem_destroy(&cone);
        cairn_problem_destroy(&fine);
    }
}
END

TESTS(methods_of_the_true_cone_agree_on_velocities, methods_of_the_pyramid_agree_on_velocities,
      methods_without_friction_agree_on_velocities, fine_facets_approach_the_cone)
