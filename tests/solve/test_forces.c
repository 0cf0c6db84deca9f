// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forces from accelerations, against closed forms of mechanics.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>

static const double g = 9.81;

static cairn_report forces_of(const cairn_problem* problem, const double* velocity, double* force,
                              double* impulse, int* applied)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.tolerance = 1e-12;
    cairn_forces forces = {.force = force, .impulse = impulse};
    cairn_report report;
    cairn_error error;
    ck_assert_msg(cairn_solve_forces(problem, velocity, &def, &forces, &report, &error) == CAIRN_OK,
                  "%s", error.text);
    *applied = forces.applied;
    return report;
}

// ---------------------------------------------------------------- a block on a slope

// a cube of 2 kg on a plane whose normal is z; gravity leans by `slope` towards x
static cairn_problem block_on(double slope, double mu)
{
    const double none[3] = {0.0, 0.0, 0.0}, m = 2.0;
    cairn_problem problem = cairn_problem_empty();
    double force[6] = {m * g * sin(slope), 0.0, -m * g * cos(slope), 0.0, 0.0, 0.0};
    cairn_error error;
    cairn_problem_add_body(&problem, (cairn_mass){1.0 / m, cairn_mat3_diagonal(3.0, 3.0, 3.0)});

    for (int c = 0; c < 4; c++) {
        cairn_row rows[3];
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = CAIRN_WORLD_BODY,
                             .body_b = 0,
                             .friction = cairn_friction_cone(mu)};
        cairn_vec3 r = cairn_vec(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.5);
        cairn_mat3 frame = {cairn_vec(0, 0, 1), cairn_vec(1, 0, 0), cairn_vec(0, 1, 0)};
        cairn_frame_rows(frame, r, r, 3, rows);
        cairn_problem_add_block(&problem, &block, rows, none);
    }

    ck_assert(cairn_problem_set_accelerations(&problem, force, NULL, &error) == CAIRN_OK);
    return problem;
}

TEST(a_block_at_rest_is_held_by_its_weight_along_the_slope)
{
    cairn_problem problem = block_on(0.3, 0.5);
    double force[12], impulse[12], sum[3] = {0};
    int applied;
    cairn_report report = forces_of(&problem, NULL, force, impulse, &applied);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    for (int i = 0; i < 12; i++)
        sum[i % 3] += force[i];
    CHECK_NEAR(sum[0], 2.0 * g * cos(0.3), 1e-9);
    CHECK_NEAR(sum[1], -2.0 * g * sin(0.3), 1e-9);
    CHECK_NEAR(sum[2], 0.0, 1e-9);
    cairn_problem_destroy(&problem);
}
END

// in a world of first order velocities are forces over resistances, b = J M^-1 F: below the angle of
// friction nothing moves, above it the velocity is what friction leaves of the force
TEST(in_a_world_of_first_order_a_block_creeps_as_fast_as_friction_leaves_it)
{
    const double mu = 0.5, slopes[2] = {0.3, 0.8};
    for (int k = 0; k < 2; k++) {
        cairn_problem problem = block_on(slopes[k], mu);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        double lambda[12], motion[6], drive = g * sin(slopes[k]), hold = mu * g * cos(slopes[k]);
        def.method = "dantzig";

        ck_assert_int_eq(cairn_solve(&problem, &def, lambda, &report, NULL), CAIRN_OK);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        cairn_problem_body_velocity(&problem, lambda, motion);

        // the force 2 g sin over the resistance 2, less what friction takes
        CHECK_NEAR(drive + motion[0], fmax(0.0, drive - hold), 1e-9);
        cairn_problem_destroy(&problem);
    }
}
END

// up the slope friction pulls down, and down the slope up, whatever the acceleration is
TEST(a_block_that_slides_is_braked_against_its_slip_not_its_acceleration)
{
    for (int way = -1; way <= 1; way += 2) {
        cairn_problem problem = block_on(0.3, 0.2);
        double force[12], impulse[12], velocity[12] = {0}, body[6], sum = 0.0;
        int applied;

        for (int c = 0; c < 4; c++)
            velocity[3 * c + 1] = 1.5 * way;

        cairn_report report = forces_of(&problem, velocity, force, impulse, &applied);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);

        for (int c = 0; c < 4; c++)
            sum += force[3 * c];

        cairn_problem_body_velocity(&problem, force, body);
        CHECK_NEAR(sum, 2.0 * g * cos(0.3), 1e-9);
        CHECK_NEAR(g * sin(0.3) + body[0], g * (sin(0.3) - way * 0.2 * cos(0.3)), 1e-9);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_contact_that_parts_bears_nothing)
{
    cairn_problem problem = block_on(0.0, 0.5);
    double force[12], impulse[12], velocity[12] = {0};
    int applied;
    for (int c = 0; c < 4; c++)
        velocity[3 * c] = 0.1;
    forces_of(&problem, velocity, force, impulse, &applied);
    for (int i = 0; i < 12; i++)
        CHECK_NEAR(force[i], 0.0, 0.0);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- motion

// a ball of mass m at the end of a bar of length l, which turns about the origin at rate w
TEST(a_pendulum_is_held_by_its_weight_and_by_what_turns_it)
{
    for (int k = 0; k < 10; k++) {
        double angle = 0.3 * k, w = 0.5 * k, m = 3.0, l = 2.0, zero[3] = {0};
        cairn_problem problem = cairn_problem_empty();
        cairn_vec3 out = cairn_vec(sin(angle), 0.0, -cos(angle)), spin = cairn_vec(0.0, -w, 0.0);
        cairn_moving_point end = {
            .v = cairn_scale(l, cairn_cross(spin, out)), .w = spin, .r = cairn_scale(-l, out)};
        cairn_block joint = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = CAIRN_WORLD_BODY, .body_b = 0};
        cairn_mat3 axes = cairn_mat3_identity();
        cairn_row rows[3];
        double bias[3], gravity[6] = {0.0, 0.0, -m * g}, force[3], impulse[3];
        cairn_error error;
        int applied;
        cairn_problem_add_body(&problem, (cairn_mass){1.0 / m, cairn_mat3_diagonal(9.0, 9.0, 9.0)});
        cairn_frame_rows(axes, cairn_vec(0, 0, 0), end.r, 3, rows);
        cairn_frame_bias(axes, NULL, &end, 3, bias);
        cairn_problem_add_block(&problem, &joint, rows, zero);
        cairn_problem_set_accelerations(&problem, gravity, bias, &error);
        cairn_report report = forces_of(&problem, NULL, force, impulse, &applied);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);

        // along the bar: weight and centripetal force; it pulls inwards
        double pull = -cairn_dot(out, cairn_vec(force[0], force[1], force[2]));

        CHECK_NEAR(pull, m * (g * cos(angle) + w * w * l), 1e-9);
        cairn_problem_destroy(&problem);
    }
}
END

// J̇ u is what is left of the change of J u when a body goes on as it moves
TEST(the_bias_is_the_rate_of_the_rows_velocity_without_forces)
{
    cairn_random random = {71};
    for (int k = 0; k < 50; k++) {
        cairn_moving_point b = {cairn_random_vec3(&random), cairn_random_vec3(&random),
                                cairn_random_vec3(&random)};
        cairn_mat3 frame = cairn_mat3_identity();
        double bias[3], h = 1e-4;
        cairn_frame_bias(frame, NULL, &b, 3, bias);
        cairn_vec3 rate[2];

        for (int side = 0; side < 2; side++) {
            double t = side ? h : -h;
            cairn_quat turn = cairn_quat_from_rotation_vector(cairn_scale(t, b.w));
            rate[side] = cairn_cross(b.w, cairn_rotate(turn, b.r));
        }

        cairn_vec3 c = cairn_scale(0.5 / h, cairn_sub(rate[1], rate[0]));
        CHECK_NEAR(bias[0], c.x, 1e-6);
        CHECK_NEAR(bias[1], c.y, 1e-6);
        CHECK_NEAR(bias[2], c.z, 1e-6);
    }
}
END

// ---------------------------------------------------------------- Painlevé's rod

// a rod that slides to the right on its end, leaning by 1 : 2; A_NN = 1 + 3 c², A_NF = 3 c s
static cairn_problem rod(double mu, double a_n, double a_t)
{
    cairn_problem problem = cairn_problem_empty();
    double c = 1.0 / sqrt(5.0), s = 2.0 / sqrt(5.0), b[2] = {a_n, a_t};
    cairn_vec3 r = cairn_vec(c, 0.0, -s), n = cairn_vec(0, 0, 1), t = cairn_vec(1, 0, 0);
    cairn_vec3 rn = cairn_cross(r, n), rt = cairn_cross(r, t);
    cairn_row rows[2] = {{.b = {n.x, n.y, n.z, rn.x, rn.y, rn.z}},
                         {.b = {t.x, t.y, t.z, rt.x, rt.y, rt.z}}};
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 2,
                         .body_a = CAIRN_WORLD_BODY,
                         .body_b = 0,
                         .friction = cairn_friction_cone(mu)};
    problem.space = 2;
    cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(0.0, 3.0, 0.0)});
    cairn_problem_add_block(&problem, &block, rows, b);
    return problem;
}

TEST(a_rod_below_the_critical_friction_has_forces_and_no_impact)
{
    cairn_problem problem = rod(1.2, -g, 0.0);
    double force[2], impulse[2], velocity[2] = {0.0, 1.0};
    int applied;
    cairn_report report = forces_of(&problem, velocity, force, impulse, &applied);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_int_eq(applied, 0);

    // (1 + 3/5 - μ 6/5) N = g
    CHECK_NEAR(force[0], g / (1.6 - 1.2 * 1.2), 1e-9);
    CHECK_NEAR(force[1], -1.2 * force[0], 1e-9);
    CHECK_NEAR(impulse[0], 0.0, 0.0);
    cairn_problem_destroy(&problem);
}
END

// whatever acceleration friction is about to change, the impulse takes exactly the slip away
TEST(a_rod_above_the_critical_friction_is_stopped_by_an_impact)
{
    for (int k = -1; k <= 1; k++) {
        cairn_problem problem = rod(1.6, -g, 0.5 * k);
        double force[2], impulse[2], velocity[2] = {0.0, 1.0}, after[2], a[2];
        int applied;
        cairn_report report = forces_of(&problem, velocity, force, impulse, &applied);

        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        ck_assert_int_eq(applied, 1);

        cairn_problem_velocity(&problem, impulse, after);
        for (int i = 0; i < 2; i++)
            after[i] += velocity[i] - problem.b[i];

        CHECK_NEAR(after[1], 0.0, 1e-9);
        ck_assert(after[0] >= -1e-9 && impulse[0] > 0.0);

        // then it stands, and its forces are those of a contact that sticks or opens
        cairn_problem_velocity(&problem, force, a);

        ck_assert(force[0] >= 0.0 && a[0] >= -1e-9 && fabs(force[1]) <= 1.6 * force[0] + 1e-9);
        cairn_problem_destroy(&problem);
    }
}
END

// an impact scales with the slip that it ends, and forces do not
TEST(an_impact_scales_with_the_slip)
{
    double force[2][2], impulse[2][2];
    for (int k = 0; k < 2; k++) {
        cairn_problem problem = rod(1.6, -g, 0.0);
        double velocity[2] = {0.0, k ? 3.0 : 1.0};
        int applied;
        forces_of(&problem, velocity, force[k], impulse[k], &applied);
        cairn_problem_destroy(&problem);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(impulse[1][i], 3.0 * impulse[0][i], 1e-9);
        CHECK_NEAR(force[1][i], force[0][i], 1e-9);
    }
}
END

TEST(what_is_missing_or_not_a_number_is_refused)
{
    cairn_problem problem = rod(1.6, -g, 0.0);
    double force[2], impulse[2], velocity[2] = {0.0, NAN};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_forces forces = {.force = force, .impulse = impulse};
    cairn_report report;
    cairn_error error;
    ck_assert(cairn_solve_forces(&problem, velocity, &def, &forces, &report, &error) != CAIRN_OK);
    ck_assert(cairn_solve_forces(NULL, NULL, &def, &forces, &report, &error) != CAIRN_OK);
    ck_assert(cairn_problem_set_accelerations(&problem, NULL, NULL, &error) != CAIRN_OK);
    cairn_problem_destroy(&problem);
}
END

TESTS(a_block_at_rest_is_held_by_its_weight_along_the_slope,
      in_a_world_of_first_order_a_block_creeps_as_fast_as_friction_leaves_it,
      a_block_that_slides_is_braked_against_its_slip_not_its_acceleration,
      a_contact_that_parts_bears_nothing, a_pendulum_is_held_by_its_weight_and_by_what_turns_it,
      the_bias_is_the_rate_of_the_rows_velocity_without_forces,
      a_rod_below_the_critical_friction_has_forces_and_no_impact,
      a_rod_above_the_critical_friction_is_stopped_by_an_impact, an_impact_scales_with_the_slip,
      what_is_missing_or_not_a_number_is_refused)
