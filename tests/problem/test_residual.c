// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "mixed_problem.h"
#include "problem/residual.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

// One body of mass m at a point of the floor with its center there: A = I/m for the first three
// rows; the spin row has the inverse inertia about z.
static cairn_problem one_body(double mass, double inverse_turn, cairn_block block, const double* b)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_mass body = {1.0 / mass, cairn_mat3_diagonal(0.0, 0.0, inverse_turn)};
    cairn_row rows[4];
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, zero, 3, rows);
    if (block.row_count == 4)
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, zero, 4, rows);
    block.body_a = CAIRN_WORLD_BODY;
    block.body_b = 0;
    cairn_problem_add_body(&problem, body);
    cairn_problem_add_block(&problem, &block, rows, b);
    return problem;
}

static cairn_problem one_contact(double mass, double mu, const double* b)
{
    cairn_block block = {
        .kind = CAIRN_BLOCK_CONTACT, .row_count = 3, .friction = cairn_friction_cone(mu)};
    return one_body(mass, 0.0, block, b);
}

static cairn_residual measure(const cairn_problem* problem, const double* lambda, cairn_law law,
                              int facets)
{
    cairn_residual residual;
    CHECK(cairn_problem_residual(problem, lambda, law, facets, &residual) == CAIRN_OK);
    return residual;
}

static double error_of(cairn_block block, double mass, const double* b, const double* lambda)
{
    cairn_problem problem = one_body(mass, 0.0, block, b);
    double error = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0).velocity;
    cairn_problem_destroy(&problem);
    return error;
}

// ---------------------------------------------------------------- contacts by hand

TEST(impulses_that_solve_a_contact_have_no_residual)
{
    // falls at 2 m/s, slides at 3 m/s: μ 0.5 takes 1 m/s of the slip
    double b[3] = {-2.0, 3.0, 0.0}, lambda[3] = {2.0, -1.0, 0.0};
    cairn_problem problem = one_contact(1.0, 0.5, b);
    cairn_residual residual = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.velocity, 0.0, 1e-15);
    CHECK_NEAR(residual.fclib_relative, 0.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(no_impulse_on_a_falling_body_has_its_whole_speed_as_residual)
{
    double b[3] = {-2.0, 0.0, 0.0}, lambda[3] = {0.0, 0.0, 0.0};
    cairn_problem problem = one_contact(4.0, 0.5, b);
    cairn_residual residual = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.velocity, 2.0, 1e-15);
    CHECK_NEAR(residual.relative, 1.0, 1e-15);
    CHECK_NEAR(residual.approach, 2.0, 1e-15);
    ck_assert_int_eq(residual.worst_block, 0);
    cairn_problem_destroy(&problem);
}
END

TEST(an_impulse_on_a_leaving_body_is_wrong_by_itself_until_it_separates)
{
    // v_N = b + λ/m = 1 + 0.5: F = λ - max(0, λ - m v) = 1 - max(0, 1 - 3) = 1 N s, or 0.5 m/s
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT, .row_count = 1};
    double b[1] = {1.0}, pull[1] = {1.0}, glue[1] = {-2.0};
    CHECK_NEAR(error_of(block, 2.0, b, pull), 0.5, 1e-15);

    // a contact that pulls by 2 N s cancels v, and is wrong by all of it: 1 m/s
    CHECK_NEAR(error_of(block, 2.0, b, glue), 1.0, 1e-15);
}
END

TEST(friction_below_its_limit_should_have_stopped_the_slip)
{
    // sticks at the normal, slips at 3 m/s without friction; the cone bears μ λ_N/m = 1 m/s of it
    double b[3] = {-2.0, 3.0, 0.0}, lambda[3] = {2.0, 0.0, 0.0};
    cairn_problem problem = one_contact(1.0, 0.5, b);
    cairn_residual residual = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.velocity, 1.0, 1e-15);
    CHECK_NEAR(residual.slip, 1.0, 1e-15);
    CHECK_NEAR(residual.relative, 1.0 / 3.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(each_friction_law_limits_the_impulse_in_its_own_shape)
{
    // unit mass, λ_N = 1, free slip (3, 4) m/s, no friction yet: the residual is the length of the
    // projection of (-3, -4) on F(1)
    double b[3] = {-1.0, 3.0, 4.0}, lambda[3] = {1.0, 0.0, 0.0};
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT, .row_count = 3};
    cairn_friction* law = &block.friction;
    law->kind = CAIRN_FRICTION_NONE;
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.0, 1e-15);
    *law = (cairn_friction){.kind = CAIRN_FRICTION_CONE, .mu = {0.5}};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.5, 1e-15);
    *law = (cairn_friction){.kind = CAIRN_FRICTION_BOX, .mu = {0.5, 0.25}};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), hypot(0.5, 0.25), 1e-15);
    *law = (cairn_friction){.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.0, 0.25}};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.25, 1e-15);

    // the nearest corner of a square with corners on the axes is (0, -1/2): slopes of 45° end there
    *law = (cairn_friction){.kind = CAIRN_FRICTION_PYRAMID, .facets = 4, .mu = {0.5}};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.5, 1e-15);
    *law = (cairn_friction){.kind = CAIRN_FRICTION_SLIDING, .mu = {0.5}, .slip = {0.6, 0.8}};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.5, 1e-15);
}
END

TEST(a_known_slip_direction_is_braked_whatever_the_velocity_is)
{
    double b[3] = {-1.0, -3.0, 0.0}, lambda[3] = {1.0, -0.5, 0.0};
    cairn_block block = {
        .kind = CAIRN_BLOCK_CONTACT,
        .row_count = 3,
        .friction = {.kind = CAIRN_FRICTION_SLIDING, .mu = {0.5}, .slip = {1.0, 0.0}}};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.0, 1e-15);
}
END

TEST(a_plane_contact_slides_along_one_line)
{
    double b[2] = {-2.0, 3.0}, lambda[2] = {2.0, -1.0}, none[2] = {2.0, 0.0};
    cairn_block block = {
        .kind = CAIRN_BLOCK_CONTACT, .row_count = 2, .friction = cairn_friction_cone(0.5)};
    CHECK_NEAR(error_of(block, 1.0, b, lambda), 0.0, 1e-15);
    CHECK_NEAR(error_of(block, 1.0, b, none), 1.0, 1e-15);
}
END

TEST(spin_is_measured_at_the_arm_of_its_friction)
{
    // μ_τ/μ_T = 0.2 m; inverse inertia 25 makes the spin row as soft as the others at that arm.
    // λ_N = 1 bears a torque of 0.1 N s m, which turns by 2.5 rad/s: 0.5 m/s at the arm.
    double b[4] = {-1.0, 0.0, 0.0, 10.0}, lambda[4] = {1.0, 0.0, 0.0, 0.0};
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 4,
                         .friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.5, 0.1}}};
    cairn_problem problem = one_body(1.0, 25.0, block, b);
    CHECK_NEAR(measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0).velocity, 0.5, 1e-15);
    lambda[3] = -0.1;
    CHECK_NEAR(measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0).velocity, 0.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(a_law_can_stand_for_another)
{
    // solves the box of μ 0.5, both rows at their limit; of the cone it is outside by √0.5 - 0.5,
    // and the edge of a pyramid of four corners halves the diagonal
    double b[3] = {-1.0, 3.0, 3.0}, lambda[3] = {1.0, -0.5, -0.5};
    cairn_problem problem = one_contact(1.0, 0.5, b);
    CHECK_NEAR(measure(&problem, lambda, CAIRN_LAW_BOX, 0).velocity, 0.0, 1e-15);
    CHECK_NEAR(measure(&problem, lambda, CAIRN_LAW_COULOMB, 0).velocity, sqrt(0.5) - 0.5, 1e-15);
    CHECK_NEAR(measure(&problem, lambda, CAIRN_LAW_PYRAMID, 4).velocity, sqrt(0.5) / 2.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- other blocks by hand

TEST(a_joint_is_wrong_by_its_velocity)
{
    double b[3] = {1.0, 2.0, -2.0}, none[3] = {0.0}, right[3] = {-4.0, -8.0, 8.0};
    cairn_block joint = {.kind = CAIRN_BLOCK_JOINT, .row_count = 3};
    cairn_block gear = {.kind = CAIRN_BLOCK_VELOCITY, .row_count = 3};
    CHECK_NEAR(error_of(joint, 4.0, b, none), 3.0, 1e-15);
    CHECK_NEAR(error_of(joint, 4.0, b, right), 0.0, 1e-15);
    CHECK_NEAR(error_of(gear, 4.0, b, none), 3.0, 1e-15);
}
END

TEST(a_limit_pushes_and_never_pulls)
{
    double closing[1] = {-3.0}, opening[1] = {3.0}, none[1] = {0.0}, push[1] = {6.0};
    double pull[1] = {-6.0};
    cairn_block limit = {.kind = CAIRN_BLOCK_LIMIT, .row_count = 1};
    CHECK_NEAR(error_of(limit, 2.0, closing, none), 3.0, 1e-15);
    CHECK_NEAR(error_of(limit, 2.0, closing, push), 0.0, 1e-15);
    CHECK_NEAR(error_of(limit, 2.0, opening, none), 0.0, 1e-15);
    CHECK_NEAR(error_of(limit, 2.0, opening, pull), 3.0, 1e-15);
}
END

TEST(a_motor_stops_the_row_if_its_bounds_let_it)
{
    double b[1] = {3.0}, none[1] = {0.0}, weak[1] = {-2.0}, strong[1] = {-6.0};
    cairn_block motor = {.kind = CAIRN_BLOCK_MOTOR, .row_count = 1};
    cairn_problem problem = one_body(2.0, 0.0, motor, b);
    cairn_problem_set_bounds(&problem, 0, -2.0, 2.0);
    CHECK_NEAR(measure(&problem, none, CAIRN_LAW_AS_GIVEN, 0).velocity, 1.0, 1e-15);
    CHECK_NEAR(measure(&problem, weak, CAIRN_LAW_AS_GIVEN, 0).velocity, 0.0, 1e-15);
    CHECK_NEAR(measure(&problem, strong, CAIRN_LAW_AS_GIVEN, 0).velocity, 2.0, 1e-15);
    cairn_problem_set_bounds(&problem, 0, -10.0, 10.0);
    CHECK_NEAR(measure(&problem, strong, CAIRN_LAW_AS_GIVEN, 0).velocity, 0.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(compliance_gives_way)
{
    // a spring of compliance 1/2 and a mass of 2 share the speed 1: λ = 1 / (1/2 + 1/2)
    double b[1] = {-1.0}, lambda[1] = {1.0};
    cairn_problem problem =
        one_body(2.0, 0.0, (cairn_block){.kind = CAIRN_BLOCK_LIMIT, .row_count = 1}, b);
    problem.compliance = malloc(sizeof(double));
    problem.compliance[0] = 0.5;
    CHECK_NEAR(measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0).velocity, 0.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(what_nothing_can_move_is_wrong_by_its_approach_alone)
{
    cairn_problem problem = one_contact(1.0, 0.5, (const double[]){-2.0, 5.0, 0.0});
    double none[3] = {0.0};
    problem.bodies[0] = (cairn_mass){0};
    CHECK_NEAR(measure(&problem, none, CAIRN_LAW_AS_GIVEN, 0).velocity, 2.0, 1e-15);
    problem.b[0] = 2.0;
    CHECK_NEAR(measure(&problem, none, CAIRN_LAW_AS_GIVEN, 0).velocity, 0.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- the field's figures

TEST(the_figures_of_fclib_are_those_of_its_definition)
{
    // r = 0, u = q = (-2, 0, 0): F = r - P_K(r - u) = (-2, 0, 0)
    double b[3] = {-2.0, 0.0, 0.0}, none[3] = {0.0};
    cairn_problem problem = one_contact(1.0, 0.5, b);
    cairn_residual residual = measure(&problem, none, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.fclib_relative, 1.0, 1e-15);
    CHECK_NEAR(residual.fclib_merit, 2.0 / (1.0 + sqrt(2.0)), 1e-15);

    // r = (2, 0, 0), u = (0, 3, 0) with μ 0.5: û_N = 1.5, r - û = (0.5, -3, 0) lies outside K; its
    // projection is n = (0.5 + 1.5)/1.25 = 1.6, t = -0.8, so F = (0.4, 0.8, 0)
    problem.b[1] = 3.0;
    residual = measure(&problem, (const double[]){2.0, 0.0, 0.0}, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(residual.fclib_relative, sqrt(0.8) / sqrt(13.0), 1e-15);
    CHECK_NEAR(residual.fclib_merit, sqrt(0.8) / (1.0 + sqrt(sqrt(13.0))), 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(the_figures_of_fclib_are_not_given_where_they_do_not_apply)
{
    double b[3] = {-2.0, 0.0, 0.0}, none[3] = {0.0};
    cairn_problem problem = one_contact(1.0, 0.5, b);
    problem.blocks[0].friction.kind = CAIRN_FRICTION_BOX;
    cairn_residual residual = measure(&problem, none, CAIRN_LAW_AS_GIVEN, 0);
    CHECK(isnan(residual.fclib_merit) && isnan(residual.fclib_relative));
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- invariance

static void scale_all(double* x, int n, double s)
{
    for (int i = 0; i < n; i++)
        x[i] *= s;
}

TEST(masses_a_million_times_heavier_leave_the_relative_figure_alone)
{
    const double factor = 1e6;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cairn_problem problem = mixed_problem(seed);
        int n = problem.row_count;
        double* lambda = random_numbers(seed + 100, n);
        cairn_residual before = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
        for (int i = 0; i < problem.body_count; i++) {
            problem.bodies[i].inverse_mass /= factor;
            problem.bodies[i].inverse_inertia =
                cairn_mat3_scale(1.0 / factor, problem.bodies[i].inverse_inertia);
        }
        scale_all(problem.compliance, n, 1.0 / factor);
        scale_all(problem.lo, n, factor);
        scale_all(problem.hi, n, factor);
        scale_all(lambda, n, factor);
        cairn_residual after = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
        CHECK(before.relative > 0.1);
        CHECK_NEAR(after.relative / before.relative, 1.0, 1e-12);
        CHECK_NEAR(after.velocity / before.velocity, 1.0, 1e-12);
        ck_assert_int_eq(after.worst_block, before.worst_block);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(another_unit_of_time_leaves_the_relative_figure_alone)
{
    const double factor = 1.0 / 3600.0; // per hour to per second
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cairn_problem problem = mixed_problem(seed);
        int n = problem.row_count;
        double* lambda = random_numbers(seed + 100, n);
        cairn_residual before = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
        scale_all(problem.b, n, factor);
        scale_all(problem.lo, n, factor);
        scale_all(problem.hi, n, factor);
        scale_all(lambda, n, factor);
        cairn_residual after = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
        CHECK_NEAR(after.relative / before.relative, 1.0, 1e-12);
        CHECK_NEAR(after.velocity / before.velocity, factor, 1e-12 * factor);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

static void rotate_half(double* j, cairn_quat q)
{
    for (int k = 0; k < 6; k += 3) {
        cairn_vec3 v = cairn_rotate(q, cairn_vec(j[k], j[k + 1], j[k + 2]));
        j[k] = v.x;
        j[k + 1] = v.y;
        j[k + 2] = v.z;
    }
}

TEST(a_rotated_world_has_the_same_residual)
{
    cairn_random random = {77};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cairn_problem problem = mixed_problem(seed);
        double* lambda = random_numbers(seed + 100, problem.row_count);
        cairn_residual before = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
        cairn_quat q = cairn_quat_from_rotation_vector(cairn_random_vec3(&random));
        cairn_mat3 R = cairn_quat_to_mat3(q);
        for (int i = 0; i < problem.body_count; i++)
            problem.bodies[i].inverse_inertia = cairn_mat3_multiply(
                cairn_mat3_multiply(R, problem.bodies[i].inverse_inertia), cairn_mat3_transpose(R));
        for (int i = 0; i < problem.row_count; i++) {
            rotate_half(problem.rows[i].a, q);
            rotate_half(problem.rows[i].b, q);
        }
        cairn_residual after = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
        CHECK_NEAR(after.relative / before.relative, 1.0, 1e-12);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(both_forms_of_A_have_the_same_residual)
{
    cairn_generate_def def = cairn_default_generate_def("random");
    cairn_problem problem, form;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    CHECK(cairn_problem_explicit(&problem, &form, NULL) == CAIRN_OK);
    double* lambda = random_numbers(5, problem.row_count);
    cairn_residual rows = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
    cairn_residual matrix = measure(&form, lambda, CAIRN_LAW_AS_GIVEN, 0);
    CHECK_NEAR(matrix.relative / rows.relative, 1.0, 1e-12);
    CHECK_NEAR(matrix.fclib_merit / rows.fclib_merit, 1.0, 1e-12);
    CHECK_NEAR(matrix.fclib_relative / rows.fclib_relative, 1.0, 1e-12);
    free(lambda);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&form);
}
END

// ---------------------------------------------------------------- what is not a number

TEST(impulses_that_are_not_numbers_are_infinitely_wrong)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    cairn_problem problem = mixed_problem(2);
    double* lambda = random_numbers(6, problem.row_count);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < problem.row_count; i++) {
            double keep = lambda[i];
            lambda[i] = bad[k];
            cairn_residual residual = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0);
            ck_assert_msg(residual.relative == INFINITY, "row %d, %g: %g", i, bad[k],
                          residual.relative);
            lambda[i] = keep;
        }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(velocities_that_are_not_numbers_are_infinitely_wrong)
{
    // b is refused when it is no number, so the velocity is given to the measure itself
    cairn_problem problem = mixed_problem(2);
    double* lambda = random_numbers(6, problem.row_count);
    double* v = random_numbers(7, problem.row_count);
    double* diagonal = random_numbers(8, problem.row_count);
    for (int i = 0; i < problem.row_count; i++) {
        double keep = v[i];
        cairn_residual residual;
        v[i] = i % 2 ? NAN : INFINITY;
        cairn_residual_evaluate(&residual, &problem, lambda, v, diagonal, CAIRN_LAW_AS_GIVEN, 0);
        ck_assert_msg(residual.velocity == INFINITY, "row %d: %g", i, residual.velocity);
        CHECK(problem.blocks[residual.worst_block].row <= i);
        v[i] = keep;
    }
    free(lambda);
    free(v);
    free(diagonal);
    cairn_problem_destroy(&problem);
}
END

TEST(an_empty_problem_is_solved)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_residual residual = measure(&problem, NULL, CAIRN_LAW_AS_GIVEN, 0);
    CHECK(residual.relative == 0.0 && residual.worst_block == -1);
    CHECK(residual.fclib_merit == 0.0 && residual.fclib_relative == 0.0);
}
END

TEST(a_bound_is_exceeded_if_and_only_if_the_residual_is_larger)
{
    cairn_arena arena = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cairn_problem problem = mixed_problem(seed);
        double* lambda = random_numbers(seed, problem.row_count);
        if (seed % 4 == 0)
            memset(lambda, 0, (size_t)problem.row_count * sizeof(double));
        double residual = measure(&problem, lambda, CAIRN_LAW_AS_GIVEN, 8).relative;
        bool above, below;
        CHECK(cairn_residual_exceeds(&above, &problem, lambda, 0.999 * residual, CAIRN_LAW_AS_GIVEN,
                                     8, &arena) == CAIRN_OK);
        CHECK(cairn_residual_exceeds(&below, &problem, lambda, 1.001 * residual, CAIRN_LAW_AS_GIVEN,
                                     8, &arena) == CAIRN_OK);
        CHECK(above && !below);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
    cairn_arena_destroy(&arena);
}
END

TESTS(impulses_that_solve_a_contact_have_no_residual,
      no_impulse_on_a_falling_body_has_its_whole_speed_as_residual,
      an_impulse_on_a_leaving_body_is_wrong_by_itself_until_it_separates,
      friction_below_its_limit_should_have_stopped_the_slip,
      each_friction_law_limits_the_impulse_in_its_own_shape,
      a_known_slip_direction_is_braked_whatever_the_velocity_is,
      a_plane_contact_slides_along_one_line, spin_is_measured_at_the_arm_of_its_friction,
      a_law_can_stand_for_another, a_joint_is_wrong_by_its_velocity, a_limit_pushes_and_never_pulls,
      a_motor_stops_the_row_if_its_bounds_let_it, compliance_gives_way,
      what_nothing_can_move_is_wrong_by_its_approach_alone,
      the_figures_of_fclib_are_those_of_its_definition,
      the_figures_of_fclib_are_not_given_where_they_do_not_apply,
      masses_a_million_times_heavier_leave_the_relative_figure_alone,
      another_unit_of_time_leaves_the_relative_figure_alone, a_rotated_world_has_the_same_residual,
      both_forms_of_A_have_the_same_residual, impulses_that_are_not_numbers_are_infinitely_wrong,
      velocities_that_are_not_numbers_are_infinitely_wrong, an_empty_problem_is_solved,
      a_bound_is_exceeded_if_and_only_if_the_residual_is_larger)
