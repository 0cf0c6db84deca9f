// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints that couple velocities: a rack turns its pinion, a screw lets its nut down.

#include "check_cairn.h"
#include "worlds.h"

static const double g = 9.81;

// joint frames with this z axis
static cairn_quat along(cairn_vec3 axis)
{
    cairn_quat q = {1.0 + axis.z, -axis.y, axis.x, 0.0};
    return cairn_quat_normalize(q);
}

static void join(cairn_world* world, cairn_joint_kind kind, cairn_body_id a, cairn_body_id b,
                 cairn_transform frame_a, cairn_transform frame_b, double ratio)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    cairn_joint_id id;
    cairn_error error;
    def.body_a = a;
    def.body_b = b;
    def.frame_a = frame_a;
    def.frame_b = frame_b;
    def.ratio = ratio;
    cairn_status status = cairn_world_add_joint(world, &def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
}

static cairn_body_id add(cairn_world* world, cairn_vec3 at, double mass, double moment)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.pose.p = at;
    def.mass = mass;
    def.inertia = cairn_mat3_diagonal(moment, moment, moment);
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

static double turning(const cairn_world* world, cairn_body_id id, cairn_vec3 axis)
{
    return cairn_dot(worlds_state(world, id).spin, axis);
}

// m z'' = -m g - F, I w' = F R, z' = R w
TEST(a_falling_rack_turns_its_pinion)
{
    const double m = 2.0, I = 0.3, R = 0.25, t = 1.0;
    const cairn_vec3 x = {0.1, 0.2, 0.3}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id none = {0}, pinion = add(world, x, 3.0, I);
    cairn_vec3 beside = cairn_add(x, cairn_vec(-R, 0.0, 0.4));
    cairn_body_id rack = add(world, beside, m, 0.1);
    cairn_transform home = cairn_transform_identity(), axle = {{0}, along(y)};
    join(world, CAIRN_JOINT_HINGE, none, pinion, (cairn_transform){x, along(y)}, axle, 1.0);
    join(world, CAIRN_JOINT_SLIDER, none, rack, (cairn_transform){beside, along(z)}, home, 1.0);
    join(world, CAIRN_JOINT_RACK, pinion, rack, axle, home, R);

    cairn_step_report report = worlds_run(world, 60);
    double a = -g * m / (m + I / (R * R));
    double v = worlds_state(world, rack).velocity.z;

    CHECK_NEAR(v, a * t, 1e-6);
    CHECK_NEAR(worlds_state(world, rack).center.z - beside.z, 0.5 * a * t * t, 1e-5);
    CHECK_NEAR(R * turning(world, pinion, y), v, 1e-8);
    CHECK(report.joint_error < 1e-8);
    cairn_world_destroy(world);
}
END

// m z'' = -m g + F, I w' = -p F, z' = p w
TEST(a_nut_comes_down_its_screw_as_its_pitch_says)
{
    const double m = 1.5, I = 0.02, t = 1.0;
    const double pitches[] = {0.05, -0.02, 0.3};
    const cairn_vec3 z = {0.0, 0.0, 1.0};

    for (int k = 0; k < 3; k++) {
        double p = pitches[k];
        cairn_world* world = worlds_empty(cairn_default_world_def());
        cairn_body_id none = {0}, nut = add(world, cairn_vec(0.0, 0.0, 0.0), m, I);
        cairn_transform home = cairn_transform_identity();
        join(world, CAIRN_JOINT_CYLINDRICAL, none, nut, home, home, 1.0);
        join(world, CAIRN_JOINT_SCREW, none, nut, home, home, p);

        worlds_run(world, 60);
        double a = -g / (1.0 + I / (m * p * p)), v = worlds_state(world, nut).velocity.z;

        CHECK_NEAR(v, a * t, 1e-5);
        CHECK_NEAR(p * turning(world, nut, z), v, 1e-7);
        CHECK_NEAR(worlds_state(world, nut).center.z, 0.5 * a * t * t, 1e-4);
        cairn_world_destroy(world);
    }
}
END

// L = sum of m x × v + I w; all moments are alike, so I is a number
static cairn_vec3 momentum(const cairn_world* world, cairn_body_id id, double m, double I,
                           cairn_vec3* turning_about_origin)
{
    cairn_body_state s = worlds_state(world, id);
    cairn_vec3 orbit = cairn_scale(m, cairn_cross(s.center, s.velocity));
    *turning_about_origin = cairn_add(*turning_about_origin, cairn_add_scaled(orbit, I, s.spin));
    return cairn_scale(m, s.velocity);
}

// Both act on each other at one point, with forces that are opposite: nothing is lost outside.
TEST(a_rack_and_a_screw_between_free_bodies_keep_momentum)
{
    const double m[2] = {1.0, 3.0}, I[2] = {0.2, 0.7};
    const cairn_joint_kind kinds[] = {CAIRN_JOINT_RACK, CAIRN_JOINT_SCREW};

    for (int k = 0; k < 2; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.gravity = cairn_vec(0.0, 0.0, 0.0);
        cairn_world* world = worlds_empty(def);
        cairn_body_id ids[2] = {add(world, cairn_vec(0.0, 0.0, 0.0), m[0], I[0]),
                                add(world, cairn_vec(0.4, 0.1, 0.2), m[1], I[1])};
        cairn_transform home = cairn_transform_identity(),
                        turned = {{0}, along(cairn_vec(0, 1, 0))};
        join(world, kinds[k], ids[0], ids[1], k ? home : turned, home, 0.3);
        CHECK(cairn_body_set_velocity(world, ids[0], cairn_vec(0.3, -0.2, 0.1),
                                      cairn_vec(0.5, 2.0, -1.0), NULL) == CAIRN_OK);
        cairn_vec3 L0 = {0}, L1 = {0}, P0 = {0}, P1 = {0};

        for (int i = 0; i < 2; i++)
            P0 = cairn_add(P0, momentum(world, ids[i], m[i], I[i], &L0));

        worlds_run(world, 30);
        for (int i = 0; i < 2; i++)
            P1 = cairn_add(P1, momentum(world, ids[i], m[i], I[i], &L1));

        CHECK_NEAR(cairn_norm(cairn_sub(P1, P0)), 0.0, 1e-12);
        CHECK_NEAR(cairn_norm(cairn_sub(L1, L0)), 0.0, 1e-12);
        CHECK(cairn_norm(worlds_state(world, ids[1]).velocity) > 1e-2); // and they do act
        cairn_world_destroy(world);
    }
}
END

// A rack on a spring swings its pinion, a nut on a spring its screw. What they keep is kept as a
// place, not as a velocity: moved off it by a tenth of a millimeter, they come back.
TEST(racks_and_screws_come_back_to_their_places)
{
    const cairn_vec3 y = {0.0, 1.0, 0.0};
    const double R = 0.25, pitch = 0.1;
    cairn_transform home = cairn_transform_identity(), axle = {{0}, along(y)};
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id none = {0}, pinion = add(world, cairn_vec(0.0, 0.0, 0.0), 3.0, 0.3);
    cairn_vec3 beside = cairn_vec(-R, 0.0, 0.0);
    cairn_body_id rack = add(world, beside, 2.0, 0.1);
    cairn_body_id nut = add(world, cairn_vec(2.0, 0.0, 0.0), 2.0, 0.05);
    join(world, CAIRN_JOINT_HINGE, none, pinion, axle, axle, 1.0);
    join(world, CAIRN_JOINT_RACK, pinion, rack, axle, home, R);
    join(world, CAIRN_JOINT_SCREW, none, nut, (cairn_transform){{2.0, 0.0, 0.0}, home.q}, home,
         pitch);

    // springs on the ways of both; hinges and cylindrical joints tell the angles
    const struct {
        cairn_joint_kind kind;
        cairn_body_id body;
        cairn_vec3 at;
    } guides[] = {{CAIRN_JOINT_SLIDER, rack, beside},
                  {CAIRN_JOINT_CYLINDRICAL, nut, {2.0, 0.0, 0.0}}};
    cairn_joint_id way[2], angle[2];

    for (int k = 0; k < 2; k++) {
        cairn_joint_def def = cairn_default_joint_def(guides[k].kind);
        def.body_b = guides[k].body;
        def.frame_a.p = guides[k].at;
        def.stiffness = 150.0;
        def.rest = -0.3;
        CHECK(cairn_world_add_joint(world, &def, &way[k], NULL) == CAIRN_OK);
        def = cairn_default_joint_def(CAIRN_JOINT_TWIST);
        def.body_b = k ? nut : pinion;
        def.frame_a = k ? (cairn_transform){guides[1].at, home.q} : axle;
        def.frame_b = k ? home : axle;
        def.damping = 1e-6;
        CHECK(cairn_world_add_joint(world, &def, &angle[k], NULL) == CAIRN_OK);
    }

    for (int n = 0; n < 1000; n++) {
        cairn_body_id moved[2] = {rack, nut};
        for (int k = 0; k < 2 && n == 500; k++) {
            cairn_transform pose = worlds_state(world, moved[k]).pose;
            pose.p.z += 1e-4;
            CHECK(cairn_body_set_pose(world, moved[k], pose, NULL) == CAIRN_OK);
        }
        CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_OK);
    }

    for (int k = 0; k < 2; k++) {
        cairn_joint_motion moved, turned;
        CHECK(cairn_joint_get_motion(world, way[k], &moved, NULL) == CAIRN_OK);
        CHECK(cairn_joint_get_motion(world, angle[k], &turned, NULL) == CAIRN_OK);
        CHECK_NEAR(moved.coordinate, (k ? pitch : R) * turned.coordinate, 1e-8);
    }
    cairn_world_destroy(world);
}
END

TESTS(racks_and_screws_come_back_to_their_places, a_falling_rack_turns_its_pinion,
      a_nut_comes_down_its_screw_as_its_pitch_says,
      a_rack_and_a_screw_between_free_bodies_keep_momentum)
