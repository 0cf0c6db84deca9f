// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>

// one unit mass on a floor, frictional contact at its centre: A = I / m
static cairn_problem one_contact(double mass, double mu, const double* b)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_mass body = {1.0 / mass, cairn_mat3_diagonal(0.0, 0.0, 0.0)};
    cairn_row rows[3];
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    cairn_contact_rows(rows, 3, cairn_vec(0.0, 0.0, 1.0), zero, zero);
    cairn_block block = {.kind = CAIRN_CONTACT,
                         .row_count = 3,
                         .body_a = CAIRN_WORLD,
                         .body_b = 0,
                         .friction = cairn_friction_cone(mu)};
    cairn_problem_add_body(&problem, body);
    cairn_problem_add_block(&problem, &block, rows, b);
    return problem;
}

TEST(impulses_that_solve_a_contact_have_no_residual)
{
    // falls at 2 m/s, slides at 3 m/s: μ 0.5 takes 1 m/s of the slip
    double b[3] = {-2.0, 3.0, 0.0}, lambda[3] = {2.0, -1.0, 0.0};
    cairn_problem problem = one_contact(1.0, 0.5, b);
    cairn_residual residual;
    cairn_problem_residual(&residual, &problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.velocity, 0.0, 1e-15);
    CHECK_NEAR(residual.fclib_relative, 0.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(no_impulse_on_a_falling_body_has_its_whole_speed_as_residual)
{
    double b[3] = {-2.0, 0.0, 0.0}, lambda[3] = {0.0, 0.0, 0.0};
    cairn_problem problem = one_contact(4.0, 0.5, b);
    cairn_residual residual;
    cairn_problem_residual(&residual, &problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.velocity, 2.0, 1e-15);
    CHECK_NEAR(residual.relative, 1.0, 1e-15);
    CHECK_NEAR(residual.approach, 2.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TESTS(impulses_that_solve_a_contact_have_no_residual,
      no_impulse_on_a_falling_body_has_its_whole_speed_as_residual)
