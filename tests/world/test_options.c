// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/world.h>
#include <string.h>

// a box that slides on the ground at 3 m/s
static cairn_world* make(cairn_body_id* box, cairn_body_id* ground)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world;
    CHECK(cairn_world_create(&def, &world, NULL) == CAIRN_OK);
    cairn_body_def body = cairn_default_body_def();
    cairn_shape flat = cairn_shape_half_space(), cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    body.type = CAIRN_BODY_STATIC;
    body.shape = &flat;
    CHECK(cairn_world_add_body(world, &body, ground, NULL) == CAIRN_OK);
    body.type = CAIRN_BODY_DYNAMIC;
    body.shape = &cube;
    body.pose.p = cairn_vec(0.0, 0.0, 0.5);
    body.velocity = cairn_vec(3.0, 0.0, 0.0);
    CHECK(cairn_world_add_body(world, &body, box, NULL) == CAIRN_OK);
    return world;
}

static double speed_after(cairn_world* world, cairn_body_id box, int steps)
{
    cairn_body_state state;
    for (int i = 0; i < steps; i++)
        CHECK(cairn_world_step(world, 0.01, NULL, NULL) == CAIRN_OK);
    CHECK(cairn_body_get(world, box, &state, NULL) == CAIRN_OK);
    return state.velocity.x;
}

TEST(ice_in_place_of_stone_lets_the_box_slide_on)
{
    cairn_body_id box, ground;
    cairn_world* world = make(&box, &ground);
    cairn_material ice;
    CHECK(cairn_body_get_material(world, box, &ice, NULL) == CAIRN_OK);

    // μ g t lost with μ = 1/2, then nothing
    CHECK_NEAR(speed_after(world, box, 10), 3.0 - 0.5 * 9.81 * 0.1, 1e-6);

    ice.mu = 0.0;
    CHECK(cairn_body_set_material(world, box, &ice, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_material(world, ground, &ice, NULL) == CAIRN_OK);
    double before = speed_after(world, box, 0);
    CHECK_NEAR(speed_after(world, box, 10), before, 1e-9);

    ice.mu = -1.0;
    CHECK(cairn_body_set_material(world, box, &ice, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TEST(another_method_takes_over_and_a_bad_one_does_not)
{
    cairn_body_id box, ground;
    cairn_step_report report;
    cairn_error error;
    cairn_world* world = make(&box, &ground);
    char name[] = "prox";
    CHECK(cairn_world_set_method(world, name, 1e-9, 0, NULL) == CAIRN_OK);
    memset(name, 0, sizeof name);

    CHECK(cairn_world_step(world, 0.01, &report, NULL) == CAIRN_OK);
    ck_assert_str_eq(report.method, "prox");
    CHECK_BELOW(report.residual, 1e-9);
    CHECK(cairn_world_set_method(world, "magic", 1e-9, 0, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_set_method(world, "prox", -1.0, 0, &error) == CAIRN_BAD_INPUT);

    CHECK(cairn_world_step(world, 0.01, &report, NULL) == CAIRN_OK);
    ck_assert_str_eq(report.method, "prox");
    cairn_world_destroy(world);
}
END

TEST(a_limit_of_iterations_is_kept)
{
    cairn_body_id box, ground;
    cairn_step_report report;
    cairn_world* world = make(&box, &ground);
    CHECK(cairn_world_set_method(world, "prox-jacobi", 1e-14, 1, NULL) == CAIRN_OK);
    CHECK(cairn_world_step(world, 0.01, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && report.residual > 1e-14);
    cairn_world_destroy(world);
}
END

// how far the joints of two hanging balls gape a second after they were made 1 cm too long
static double gape(cairn_stabilization stabilization, cairn_integrator integrator, bool sprung)
{
    cairn_world_def def = cairn_default_world_def();
    def.stabilization = stabilization;
    def.integrator = integrator;
    def.substeps = 1;
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    cairn_joint_def loose = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id id;

    for (int i = 0; i < 2; i++) {
        loose.body_a = loose.body_b;
        loose.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                  cairn_vec(0.0, 0.0, -0.51 * (i + 1)));
        loose.frame_b.p = cairn_vec(0.0, 0.0, 0.5);
        CHECK(cairn_world_add_joint(world, &loose, &id, NULL) == CAIRN_OK);
    }

    // a spring beside them takes the island to the general methods
    cairn_joint_def spring = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    spring.body_b = loose.body_b;
    spring.stiffness = 1.0;

    if (sprung)
        CHECK(cairn_world_add_joint(world, &spring, &id, NULL) == CAIRN_OK);

    cairn_step_report report;
    worlds_run(world, 60);

    CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
    cairn_world_destroy(world);
    return report.joint_error;
}

TEST(joints_close_by_displacements_or_by_the_velocities_of_baumgarte)
{
    for (int k = 0; k < 4; k++) {
        cairn_integrator integrator = k / 2 ? CAIRN_INTEGRATOR_MOREAU : CAIRN_INTEGRATOR_EULER;
        CHECK_NEAR(gape(CAIRN_STABILIZE_NONE, integrator, k % 2), 1e-2, 1e-6);
        CHECK_BELOW(gape(CAIRN_STABILIZE_POSITIONS, integrator, k % 2), 1e-9);
        // a fifth in each step: 1 cm times 0.8^61
        CHECK_NEAR(gape(CAIRN_STABILIZE_VELOCITIES, integrator, k % 2), 1e-2 * pow(0.8, 61.0),
                   1e-8);
    }
}
END

TEST(a_motor_on_a_distance_is_a_winch)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    cairn_joint_def winch = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    cairn_joint_id id;
    cairn_joint_state state;
    winch.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0.0, 0.0, -2.0));
    winch.driven = true;
    winch.speed = -0.5;
    winch.strength = 1e4;
    CHECK(cairn_world_add_joint(world, &winch, &id, NULL) == CAIRN_OK);

    worlds_run(world, 120);
    cairn_body_state load = worlds_state(world, winch.body_b);
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_OK);

    CHECK_NEAR(load.center.z, -1.0, 1e-9);
    CHECK_NEAR(state.coordinate, 1.0, 1e-9);
    CHECK_NEAR(state.impulse.z, load.mass * 9.81 * worlds_dt, 1e-9 * load.mass);
    cairn_world_destroy(world);
}
END

TESTS(joints_close_by_displacements_or_by_the_velocities_of_baumgarte,
      a_motor_on_a_distance_is_a_winch, ice_in_place_of_stone_lets_the_box_slide_on,
      another_method_takes_over_and_a_bad_one_does_not, a_limit_of_iterations_is_kept)
