// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the report says of the motion of islands without contacts: a step that is called converged
// has closed joints and made no energy, what the substeps could not resolve is told, and only what
// rests may sleep.

#include "check_cairn.h"
#include "mechanisms.h"
#include "worlds.h"
#include <math.h>
#include <string.h>

static const cairn_vec3 zero = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0};

// A whip of 20 links with one substep: most of its steps cannot be resolved.
TEST(a_step_that_converged_is_closed_and_makes_no_energy)
{
    const int most[3] = {1, 4, 64};
    int limited[3] = {0};

    for (int k = 0; k < 3; k++) {
        cairn_world* world = mechanism_make(1e-4, 1, most[k]);
        mechanism_chain(world, 20, 0.1, 0.1, 0.01);
        const double scale = 2.0 * mechanism_g * 2.0; // m g L

        for (int i = 0; i < 180; i++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
            ck_assert_int_eq(report.islands, 1);

            const cairn_motion* motion = &report.motion;
            limited[k] += report.outcome == CAIRN_OUTCOME_STEP_LIMIT;

            CHECK(memcmp(motion, &report.island_reports[0].motion, sizeof *motion) == 0);
            CHECK(motion->substeps_max >= 1 && motion->substeps_max <= most[k]);
            CHECK(motion->inertia_raised >= 1.0);
            // closed in any case: 10 times 1e-9 of an arm of 5 cm
            CHECK_BELOW(motion->joint_error, 5e-10);
            CHECK_BELOW(motion->energy_defect, 10.0 * 1e-4 * motion->substeps_max * scale);
            if (report.outcome != CAIRN_OUTCOME_CONVERGED)
                CHECK(strcmp(cairn_outcome_name(report.outcome), "step-limit") == 0);
        }
        cairn_world_destroy(world);
    }

    CHECK(limited[0] > limited[2]);
    ck_assert_int_eq(limited[2], 0);
}
END

// user forces, motors, dampers and damping at once: nothing of the energy is unexplained
TEST(the_balance_of_energy_has_no_other_terms)
{
    cairn_world* world = mechanism_make(1e-4, 1, 64);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id arm, rod;
    def.mass = 1.0;
    def.inertia = cairn_mat3_diagonal(0.02, 0.09, 0.1);
    def.pose.p = cairn_vec(0.5, 0.0, 0.0);
    def.linear_damping = 0.3;
    def.angular_damping = 0.2;
    CHECK(cairn_world_add_body(world, &def, &arm, NULL) == CAIRN_OK);
    def.pose.p = cairn_vec(1.5, 0.0, 0.0);
    CHECK(cairn_world_add_body(world, &def, &rod, NULL) == CAIRN_OK);

    // a driven arm, and a rod on it with a damper and limits
    cairn_joint_def motor =
        mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, arm, zero, y_axis);
    motor.driven = true;
    motor.speed = 3.0;
    motor.strength = 20.0;
    mechanism_add(world, &motor);
    cairn_joint_def damper = mechanism_joint(world, CAIRN_JOINT_HINGE, arm, rod, x_axis, y_axis);
    damper.damping = 0.7;
    damper.limited = true;
    damper.lo = -1.0;
    damper.hi = 1.0;
    mechanism_add(world, &damper);

    // E' - E = W + W_motor + defect - D - D_numeric
    double dissipated = 0.0, work = 0.0, start = mechanism_energy(world);
    for (int i = 0; i < 240; i++) {
        cairn_step_report report;
        CHECK(cairn_body_add_force(world, rod, cairn_vec(0.0, 0.4, 2.0 * sin(0.1 * i)),
                                   worlds_state(world, rod).center, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        const cairn_motion* m = &report.motion;
        dissipated += m->dissipated;
        work += m->work_external + m->work_motor + m->energy_defect - m->dissipated -
                m->dissipated_numeric;
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    }

    CHECK_NEAR(mechanism_energy(world) - start, work, 1e-9);
    CHECK(dissipated > 1.0);
    cairn_world_destroy(world);
}
END

// Hung at both ends, with damping: at rest it is a catenary, whose ends bear half of the weight
// each and one tension, and the island sleeps.
TEST(a_chain_that_hangs_at_both_ends_comes_to_rest)
{
    enum { links = 12 };
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id before = mechanism_world, last = mechanism_world;
    cairn_joint_id ends[2];
    const double l = 0.2;
    cairn_vec3 from = zero;

    for (int i = 0; i < links; i++) {
        // an arc to start from
        double slope = (i - 0.5 * (links - 1)) * 0.15;
        cairn_vec3 d = {cos(slope), 0.0, sin(slope)};
        cairn_vec3 moments = mechanism_rod(0.5, l, 0.02);
        cairn_body_def def = cairn_default_body_def();
        def.mass = 0.5;
        def.inertia = cairn_mat3_diagonal(moments.x, moments.y, moments.z);
        def.pose = (cairn_transform){cairn_add_scaled(from, 0.5 * l, d), mechanism_turn(d)};
        def.linear_damping = def.angular_damping = 4.0;
        CHECK(cairn_world_add_body(world, &def, &last, NULL) == CAIRN_OK);
        cairn_joint_id id = mechanism_join(world, CAIRN_JOINT_BALL, before, last, from, y_axis);

        if (i == 0)
            ends[0] = id;

        before = last;
        from = cairn_add_scaled(from, l, d);
    }

    cairn_joint_def def =
        mechanism_joint(world, CAIRN_JOINT_BALL, mechanism_world, last, from, y_axis);
    ends[1] = mechanism_add(world, &def);
    cairn_joint_state state[2];
    cairn_step_report report = {0};

    for (int i = 0; i < 1800 && (i == 0 || report.awake > 0); i++) {
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        if (report.awake > 0)
            for (int k = 0; k < 2; k++)
                CHECK(cairn_joint_get(world, ends[k], &state[k], NULL) == CAIRN_OK);
    }
    ck_assert_int_eq(report.awake, 0);

    // the impulse on the last link is that of the world on it as B, on the first one likewise
    double weight = 0.5 * links * mechanism_g * worlds_dt;

    CHECK_NEAR(state[0].impulse.z, 0.5 * weight, 1e-4 * weight);
    CHECK_NEAR(state[1].impulse.z, 0.5 * weight, 1e-4 * weight);
    CHECK_NEAR(state[0].impulse.x + state[1].impulse.x, 0.0, 1e-4 * weight);
    CHECK(state[1].impulse.x > 0.1 * weight);
    cairn_world_destroy(world);
}
END

TESTS(a_step_that_converged_is_closed_and_makes_no_energy, the_balance_of_energy_has_no_other_terms,
      a_chain_that_hangs_at_both_ends_comes_to_rest)
