// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>
#include <string.h>

static cairn_body_id add(cairn_world* world, cairn_body_type type, cairn_shape shape, cairn_vec3 at,
                         double mu)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    cairn_error error;
    def.type = type;
    def.shape = &shape;
    def.pose.p = at;
    def.material.mu = mu;
    cairn_status status = cairn_world_add_body(world, &def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

// nothing sleeps here: standing still is for the contacts to bring about
static cairn_world_def awake(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    return def;
}

static cairn_world* ground(double mu)
{
    cairn_world* world = worlds_empty(awake());
    add(world, CAIRN_BODY_STATIC, cairn_shape_half_space(), cairn_vec(0.0, 0.0, 0.0), mu);
    return world;
}

static cairn_step_report run(cairn_world* world, double seconds)
{
    return worlds_run(world, (int)(seconds / worlds_dt + 0.5));
}

TEST(a_free_body_falls_by_half_g_t_squared)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id ball =
        add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, 0.0, 10.0), 0.5);
    run(world, 1.0);
    // a parabola is exact: round-off of sixty steps
    CHECK_NEAR(worlds_state(world, ball).center.z, 10.0 - 0.5 * 9.81, 1e-12);
    cairn_world_destroy(world);
}
END

TEST(a_dropped_box_comes_to_rest_on_the_ground)
{
    cairn_world* world = ground(0.5);
    cairn_body_id box = add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                            cairn_vec(0.0, 0.0, 2.0), 0.5);
    cairn_step_report report = run(world, 3.0);
    CHECK_NEAR(worlds_state(world, box).center.z, 0.5, 1e-3);
    CHECK_BELOW(cairn_norm(worlds_state(world, box).velocity), 1e-6);
    CHECK_BELOW(report.penetration, 1e-3);
    CHECK_BELOW(report.residual, 1e-5);
    cairn_world_destroy(world);
}
END

// the speed after 2 s of a box on ground tilted by atan(0.5) + degrees, turned by `turn` in its
// plane
static double slide(double degrees, double turn, double* creep)
{
    double tilt = atan(0.5) + degrees * 0.017453292519943295;
    cairn_world_def def = awake();
    def.gravity =
        cairn_vec(9.81 * sin(tilt) * cos(turn), 9.81 * sin(tilt) * sin(turn), -9.81 * cos(tilt));
    cairn_world* world = worlds_empty(def);
    add(world, CAIRN_BODY_STATIC, cairn_shape_half_space(), cairn_vec(0.0, 0.0, 0.0), 0.5);
    cairn_body_id box = add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.25)),
                            cairn_vec(0.0, 0.0, 0.25), 0.5);

    run(world, 1.0);
    cairn_body_state start = worlds_state(world, box);

    run(world, 1.0);
    cairn_body_state end = worlds_state(world, box);
    *creep = cairn_norm(cairn_sub(end.center, start.center));
    cairn_world_destroy(world);
    return cairn_norm(cairn_sub(end.velocity, start.velocity));
}

TEST(a_box_on_an_incline_sticks_below_the_limit_and_slides_right_above_it)
{
    double creep, tilt = atan(0.5) + 0.5 * 0.017453292519943295;
    double a = 9.81 * (sin(tilt) - 0.5 * cos(tilt));
    slide(-0.5, 0.0, &creep);
    CHECK_BELOW(creep, 1e-6);
    CHECK_NEAR(slide(0.5, 0.0, &creep), a, 1e-3 * a);
    CHECK_NEAR(slide(0.5, 0.7853981633974483, &creep), a, 1e-3 * a);
}
END

TEST(a_light_box_carries_a_heavy_one)
{
    for (double ratio = 100.0; ratio <= 10000.0; ratio *= 10.0) {
        cairn_world* world = ground(0.6);
        cairn_body_def def = cairn_default_body_def();
        cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
        cairn_body_id top, bottom;
        def.shape = &cube;
        def.material.mu = 0.6;
        def.mass = 1.0;
        def.pose.p.z = 0.5;
        CHECK(cairn_world_add_body(world, &def, &bottom, NULL) == CAIRN_OK);
        def.mass = ratio;
        def.pose.p.z = 1.5;
        CHECK(cairn_world_add_body(world, &def, &top, NULL) == CAIRN_OK);

        cairn_step_report report = run(world, 5.0);
        CHECK_BELOW(report.penetration, 1e-3);
        CHECK_NEAR(worlds_state(world, top).center.z, 1.5, 1e-3);
        cairn_world_destroy(world);
    }
}
END

TEST(stale_ids_and_bad_numbers_are_refused)
{
    cairn_world* world = ground(0.5);
    cairn_body_id ball =
        add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, 0.0, 10.0), 0.5);
    cairn_body_state state;
    cairn_error error = {""};
    CHECK(cairn_world_remove_body(world, ball, NULL) == CAIRN_OK);

    CHECK(cairn_body_get(world, ball, &state, &error) == CAIRN_BAD_INPUT);
    CHECK(error.text[0] != '\0');
    CHECK(cairn_world_step(world, 0.0, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_step(world, NAN, NULL, &error) == CAIRN_BAD_INPUT);

    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    def.mass = -1.0;
    CHECK(cairn_world_add_body(world, &def, &id, &error) == CAIRN_BAD_INPUT);

    cairn_body_id again =
        add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, 0.0, 9.0), 0.5);

    CHECK(again.index == ball.index && again.generation != ball.generation);
    cairn_world_destroy(world);
}
END

// Bodies of all sorts, balls among them whose shape is not where their frame is, with nothing that
// moves them: a pair is part of the problem when its gap is within the margin, and else not.
TEST(contacts_are_those_of_the_pairs_within_the_margin)
{
    enum { count = 120 };
    cairn_world_def def = awake();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    def.contact_margin = 0.1;
    def.stabilization = CAIRN_STABILIZE_VELOCITIES;
    def.baumgarte = 0.0;
    cairn_world* world = worlds_empty(def);
    cairn_random random = {3};
    cairn_shape shapes[count];
    cairn_transform poses[count];
    bool expected[count][count] = {{false}}, found[count][count] = {{false}};

    for (int i = 0; i < count; i++) {
        cairn_body_def body = cairn_default_body_def();
        cairn_body_id id;
        shapes[i] = i % 3 ? cairn_shape_sphere(cairn_random_range(&random, 0.2, 0.6))
                          : cairn_shape_box(cairn_vec(0.3, 0.4, 0.5));
        body.shape = &shapes[i];
        body.pose.p = cairn_scale(2.5, cairn_random_vec3(&random));
        body.pose.q = cairn_quat_from_rotation_vector(cairn_random_vec3(&random));

        if (i % 2)
            body.shape_offset.p = cairn_vec(0.3, -0.2, 0.1);

        poses[i] = cairn_transform_multiply(body.pose, body.shape_offset);
        CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);

        for (int k = 0; k < i; k++) {
            double gap = cairn_distance(&shapes[k], poses[k], &shapes[i], poses[i]).gap;
            expected[k][i] = gap <= def.contact_margin;
        }
    }

    int contacts;
    CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_OK);

    const cairn_contact* list = cairn_world_contacts(world, &contacts);
    for (int c = 0; c < contacts; c++)
        found[list[c].body_a.index][list[c].body_b.index] = true;

    CHECK(memcmp(expected, found, sizeof found) == 0);
    cairn_world_destroy(world);
}
END

TEST(the_direction_of_friction_is_of_the_frame_that_the_user_gave_the_body)
{
    cairn_world_def def = awake();
    cairn_world* world = worlds_empty(def);
    cairn_body_def body = cairn_default_body_def();
    cairn_shape plate = cairn_shape_box(cairn_vec(0.8, 0.2, 0.01));
    cairn_body_id id;
    add(world, CAIRN_BODY_STATIC, cairn_shape_half_space(), cairn_vec(0.0, 0.0, 0.0), 1.0);
    body.shape = &plate;

    // its principal axes are not the axes of its frame
    body.shape_offset.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 0.5));
    body.pose.p.z = 0.01;
    body.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, -1.1));
    body.material = (cairn_material){.mu = 0.2,
                                     .mu_across = 0.6,
                                     .direction = {1.0, 0.0, 0.0},
                                     .friction_rule = CAIRN_COMBINE_PRODUCT};
    body.velocity = cairn_rotate(body.pose.q, cairn_vec(5.0, 0.0, 0.0));
    CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);

    run(world, 0.5);
    cairn_vec3 v = cairn_rotate_back(body.pose.q, worlds_state(world, id).velocity);

    CHECK_NEAR(v.x, 5.0 - 0.2 * 9.81 * 0.5, 1e-3); // friction acts below the center: the load tilts
    CHECK_NEAR(v.y, 0.0, 1e-3);
    cairn_world_destroy(world);
}
END

TEST(a_fast_small_ball_does_not_pass_through_a_thin_wall)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(0.025, 2.0, 2.0)),
        cairn_vec(0.0, 0.0, 0.0), 0.5);
    for (int k = 0; k < 10; k++) {
        cairn_body_id ball = add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.025),
                                 cairn_vec(-2.0 - 0.3 * k, 0.0, 0.0), 0.5);
        CHECK(cairn_body_set_velocity(world, ball, cairn_vec(200.0, 0.0, 0.0),
                                      cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
        run(world, 0.2);
        CHECK_BELOW(worlds_state(world, ball).center.x, 0.0);
        CHECK(cairn_world_remove_body(world, ball, NULL) == CAIRN_OK);
    }
    cairn_world_destroy(world);
}
END

TEST(rods_and_boxes_that_fly_and_whirl_do_not_pass_through_walls)
{
    const cairn_shape shapes[4] = {
        cairn_shape_capsule(0.01, 0.3), cairn_shape_box(cairn_vec(0.02, 0.03, 0.01)),
        cairn_shape_cylinder(0.05, 0.01), cairn_shape_capsule(0.005, 0.2)};

    for (int k = 0; k < 120; k++) {
        cairn_world* world = worlds_empty(awake());
        cairn_body_id wall =
            add(world, k % 3 ? CAIRN_BODY_STATIC : CAIRN_BODY_KINEMATIC,
                cairn_shape_box(cairn_vec(0.025, 2.0, 2.0)), cairn_vec(0, 0, 0), 0.5);
        cairn_body_id body = add(world, CAIRN_BODY_DYNAMIC, shapes[k % 4],
                                 cairn_vec(-1.0 - 0.037 * k, 0.0, 0.0), 0.5);
        cairn_vec3 v = cairn_vec(200.0 - k, 7.0 * (k % 7) - 21.0, 0.0);
        cairn_vec3 w = cairn_vec(3.0 * (k % 5), 20.0 * (k % 9), 11.0 * (k % 4));
        CHECK(cairn_body_set_velocity(world, body, v, w, NULL) == CAIRN_OK);

        if (k % 3 == 0)
            CHECK(cairn_body_set_velocity(world, wall, cairn_vec(-10.0, 0.0, 0.0),
                                          cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);

        for (int i = 0; i < 6; i++) {
            CHECK_BELOW(run(world, worlds_dt).penetration, 1e-3);
            CHECK_BELOW(worlds_state(world, body).center.x, worlds_state(world, wall).center.x);
        }
        cairn_world_destroy(world);
    }
}
END

TEST(a_ball_that_flies_freely_for_long_does_not_pass_either)
{
    cairn_world_def def = awake();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);

    for (int k = 0; k < 20; k++) {
        cairn_world* world = worlds_empty(def);
        add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(0.025, 2.0, 2.0)),
            cairn_vec(0.0, 0.0, 0.0), 0.5);
        cairn_body_id ball = add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.025),
                                 cairn_vec(-2.0 - 1.37 * k, 0.0, 0.0), 0.5);
        CHECK(cairn_body_set_velocity(world, ball, cairn_vec(200.0, 0.0, 0.0),
                                      cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
        run(world, 0.3);
        CHECK_BELOW(worlds_state(world, ball).center.x, 0.0);
        cairn_world_destroy(world);
    }
}
END

// a chain of capsules as in the reference scene: along x, the first fixed to the world at the
// origin
static cairn_world* chain(int links, cairn_world_def def, cairn_body_id* last)
{
    cairn_world* world = worlds_empty(def);
    cairn_shape capsule = cairn_shape_capsule(0.05, 0.25);
    cairn_body_id before = {0};

    for (int i = 0; i < links; i++) {
        cairn_body_def body = cairn_default_body_def();
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
        cairn_joint_id id;
        body.shape = &capsule;
        body.mask = 0;
        body.pose.p = cairn_vec(0.5 * i + 0.25, 0.0, 0.0);

        // the capsule's z axis along x
        body.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 1.5707963267948966, 0.0));
        CHECK(cairn_world_add_body(world, &body, last, NULL) == CAIRN_OK);
        joint.body_a = before;
        joint.body_b = *last;
        joint.frame_a.p = i > 0 ? cairn_vec(0.0, 0.0, 0.25) : cairn_vec(0.0, 0.0, 0.0);
        joint.frame_b.p = cairn_vec(0.0, 0.0, -0.25);
        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
        before = *last;
    }

    return world;
}

TEST(a_swinging_chain_keeps_its_energy_and_ends_where_integration_says)
{
    cairn_world_def def = awake();
    cairn_body_id last;
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    def.substeps = 4;
    cairn_world* world = chain(10, def, &last);

    cairn_step_report report = run(world, 2.0);
    cairn_body_state state = worlds_state(world, last);
    double scale = 0.0, mass = state.mass;

    for (int i = 0; i < 10; i++)
        scale += mass * 9.81 * (0.5 * i + 0.25);

    CHECK_BELOW(report.joint_error, 1e-4);
    CHECK_BELOW(fabs(report.kinetic + report.potential) / scale, 0.05);

    // error-controlled integration of the same chain puts the last center here
    CHECK_NEAR(state.center.x, -4.397, 1e-3);
    CHECK_NEAR(state.center.z, -0.788, 1e-3);
    cairn_world_destroy(world);
}
END

TESTS(a_free_body_falls_by_half_g_t_squared, a_dropped_box_comes_to_rest_on_the_ground,
      a_box_on_an_incline_sticks_below_the_limit_and_slides_right_above_it,
      a_light_box_carries_a_heavy_one, stale_ids_and_bad_numbers_are_refused,
      contacts_are_those_of_the_pairs_within_the_margin,
      the_direction_of_friction_is_of_the_frame_that_the_user_gave_the_body,
      a_fast_small_ball_does_not_pass_through_a_thin_wall,
      rods_and_boxes_that_fly_and_whirl_do_not_pass_through_walls,
      a_ball_that_flies_freely_for_long_does_not_pass_either,
      a_swinging_chain_keeps_its_energy_and_ends_where_integration_says)
