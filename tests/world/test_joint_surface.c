// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Points on surfaces, and what rolls on them.

#include "check_cairn.h"
#include "worlds.h"

static const double g = 9.81, step = 1.0 / 240.0;

static cairn_world* swinging(cairn_vec3 gravity)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = gravity;
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    def.sleep = false;
    return worlds_empty(def);
}

static cairn_joint_id join(cairn_world* world, const cairn_joint_def* def)
{
    cairn_joint_id id = {0};
    cairn_error error = {""};
    ck_assert_msg(cairn_world_add_joint(world, def, &id, &error) == CAIRN_OK, "%s", error.text);
    return id;
}

static double energy(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

static void go(cairn_world* world, int steps, double dt)
{
    cairn_error error = {""};
    for (int i = 0; i < steps; i++)
        ck_assert_msg(cairn_world_step(world, dt, NULL, &error) == CAIRN_OK, "%s", error.text);
}

static cairn_joint_state joint(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_state state = {0};
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_OK);
    return state;
}

TEST(a_bead_stays_on_its_surface_and_keeps_its_energy)
{
    const cairn_surface surfaces[] = {CAIRN_SURFACE_PLANE, CAIRN_SURFACE_SPHERE,
                                      CAIRN_SURFACE_CYLINDER, CAIRN_SURFACE_TORUS};

    for (int k = 0; k < 4; k++) {
        cairn_world* world = swinging(cairn_vec(0.0, 0.0, -g));
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_SURFACE);
        def.surface = surfaces[k];

        // the axis of the surface leans, so that gravity has work to do on each of them
        def.frame_a.q = cairn_quat_from_rotation_vector(cairn_vec(0.4, 0.3, 0.0));
        cairn_vec3 local = cairn_vec(1.5, 0.0, 0.0);

        if (k == 3) {
            def.radius = 1.2;
            def.tube = 0.3;
        }

        def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                cairn_transform_point(def.frame_a, local));
        cairn_vec3 push = cairn_rotate(def.frame_a.q, cairn_vec(0.0, 1.0, k == 0 ? 0.0 : 0.5));
        CHECK(cairn_body_set_velocity(world, def.body_b, push, cairn_vec(0.0, 0.0, 0.0), NULL) ==
              CAIRN_OK);
        cairn_joint_id id = join(world, &def);
        double before = energy(world), scale = 10.0 * g;
        double mass = worlds_state(world, def.body_b).mass;

        for (int i = 0; i < 480; i++) {
            go(world, 1, step);
            // a second-order curve over 4 ms, brought back by one Newton step
            CHECK_BELOW(joint(world, id).error, 1e-7);
        }
        CHECK_NEAR(energy(world) / (mass * scale), before / (mass * scale), 1e-4);

        cairn_vec3 p =
            cairn_transform_point_back(def.frame_a, worlds_state(world, def.body_b).center);
        double ring = hypot(p.x, p.y);
        const double gap[4] = {p.z, cairn_norm(p) - 1.5, ring - 1.5, hypot(ring - 1.2, p.z) - 0.3};

        CHECK_NEAR(gap[k], 0.0, 1e-7);
        cairn_world_destroy(world);
    }
}
END

TEST(a_point_on_a_sphere_moves_as_one_at_a_fixed_distance)
{
    cairn_vec3 end[2];
    for (int k = 0; k < 2; k++) {
        cairn_world* world = swinging(cairn_vec(0.0, 0.0, -g));
        cairn_joint_def def =
            cairn_default_joint_def(k ? CAIRN_JOINT_DISTANCE : CAIRN_JOINT_SURFACE);
        def.surface = CAIRN_SURFACE_SPHERE;

        // off the center of a box, so that it tumbles
        def.body_b =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.1, 0.3)),
                       cairn_vec(1.0, 0.0, 0.0));
        def.frame_b.p = cairn_vec(0.2, 0.1, 0.3);
        join(world, &def);

        go(world, 240, step);
        end[k] = worlds_state(world, def.body_b).center;
        cairn_world_destroy(world);
    }

    CHECK_BELOW(cairn_norm(cairn_sub(end[0], end[1])), 1e-9);
}
END

// a ball or a wheel rolls down a slope of 0.3 rad for a second
static void roll_down(bool wheel, double share)
{
    double angle = 0.3, along = g * sin(angle), r = 0.5;
    cairn_world* world = swinging(cairn_vec(along, 0.0, -g * cos(angle)));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_ROLLING);
    def.roller = r;
    def.wheel = wheel;
    def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC,
                            wheel ? cairn_shape_cylinder(r, 0.05) : cairn_shape_sphere(r),
                            cairn_vec(0.0, 0.0, r));

    if (wheel) {
        // its own axis becomes y
        cairn_transform pose = {cairn_vec(0.0, 0.0, r),
                                cairn_quat_from_rotation_vector(cairn_vec(-acos(0.0), 0.0, 0.0))};
        CHECK(cairn_body_set_pose(world, def.body_b, pose, NULL) == CAIRN_OK);
    }

    cairn_joint_id id = join(world, &def);
    go(world, 239, step);

    cairn_body_state before = worlds_state(world, def.body_b);
    go(world, 1, step);
    cairn_body_state s = worlds_state(world, def.body_b);

    CHECK_NEAR(s.velocity.x, share * along, 1e-9);
    CHECK_NEAR(s.velocity.x, s.spin.y * r, 1e-9);
    CHECK_NEAR(s.center.x, 0.5 * share * along, 1e-9);
    CHECK_NEAR(s.center.z, r, 1e-9);

    // the plane bears the weight and holds back what the ball does not take up
    cairn_vec3 force = cairn_scale(1.0 / step, joint(world, id).impulse);

    CHECK_NEAR(force.z, s.mass * g * cos(angle), 1e-8 * s.mass * g);
    CHECK_NEAR(force.x, -(1.0 - share) * s.mass * along, 1e-8 * s.mass * g);
    CHECK_NEAR(s.velocity.x - before.velocity.x, share * along * step, 1e-11);
    cairn_world_destroy(world);
}

TEST(a_ball_rolls_down_a_slope_by_five_sevenths_and_a_disc_by_two_thirds)
{
    roll_down(false, 5.0 / 7.0);
    roll_down(true, 2.0 / 3.0);
}
END

TEST(a_ball_that_rolls_inside_an_upright_cylinder_comes_up_again)
{
    // with the ball circling at the rate w, z'' = -5/7 g - 2/7 w² (z - z0): it dips and returns
    double a = 1.0, r = 0.2, w = 12.0, W = sqrt(2.0 / 7.0) * w;
    cairn_world* world = swinging(cairn_vec(0.0, 0.0, -g));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_ROLLING);
    def.surface = CAIRN_SURFACE_CYLINDER;
    def.radius = a;
    def.roller = r;
    def.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(r), cairn_vec(a - r, 0.0, 0.0));
    CHECK(cairn_body_set_velocity(world, def.body_b, cairn_vec(0.0, (a - r) * w, 0.0),
                                  cairn_vec(0.0, 0.0, -(a - r) * w / r), NULL) == CAIRN_OK);
    join(world, &def);
    double depth = 5.0 / 7.0 * g / (W * W), fine = 0.25 * step, lowest = 0.0;

    for (int i = 1; i <= 1920; i++) {
        go(world, 1, fine);
        cairn_vec3 x = worlds_state(world, def.body_b).center;

        // second order: (w dt)²/12 of the turn of each radian, 24 radians in two seconds
        CHECK_NEAR(x.z, -depth * (1.0 - cos(W * i * fine)), 1e-3 * depth);
        CHECK_NEAR(hypot(x.x, x.y), a - r, 1e-7);
        lowest = fmin(lowest, x.z);
    }

    CHECK_NEAR(lowest, -2.0 * depth, 1e-3 * depth);
    cairn_world_destroy(world);
}
END

TEST(a_leaning_wheel_rolls_in_a_circle_without_slip_and_keeps_its_energy)
{
    double r = 0.5;
    cairn_world* world = swinging(cairn_vec(0.0, 0.0, -g));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_ROLLING);
    def.roller = r;
    def.wheel = true;
    def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_cylinder(r, 0.02),
                            cairn_vec(0.0, 0.0, r));

    // upright along x with a lean of 0.2 rad
    cairn_quat upright = cairn_quat_from_rotation_vector(cairn_vec(-acos(0.0), 0.0, 0.0));
    cairn_quat lean = cairn_quat_from_rotation_vector(cairn_vec(0.2, 0.0, 0.0));
    cairn_transform pose = {cairn_vec(0.0, 0.0, r * cos(0.2)), cairn_quat_multiply(lean, upright)};
    CHECK(cairn_body_set_pose(world, def.body_b, pose, NULL) == CAIRN_OK);
    cairn_vec3 axle = cairn_rotate(pose.q, cairn_vec(0.0, 0.0, 1.0));
    CHECK(cairn_body_set_velocity(world, def.body_b, cairn_vec(4.0, 0.0, 0.0),
                                  cairn_scale(8.0 * axle.y, axle), NULL) == CAIRN_OK);
    cairn_joint_id id = join(world, &def);

    go(world, 1, 0.25 * step);
    double before = energy(world), turned = 0.0, heading = 0.0;

    for (int i = 0; i < 1920; i++) {
        go(world, 1, 0.25 * step);
        cairn_body_state s = worlds_state(world, def.body_b);
        cairn_vec3 e = cairn_rotate(s.pose.q, cairn_vec(0.0, 0.0, 1.0));
        cairn_vec3 d = cairn_normalize(cairn_vec(e.z * e.x, e.z * e.y, e.z * e.z - 1.0));
        cairn_vec3 slip = cairn_add(s.velocity, cairn_cross(s.spin, cairn_scale(r, d)));
        CHECK_BELOW(cairn_norm(slip), 1e-8);
        CHECK_BELOW(joint(world, id).error, 1e-7);
        double now = atan2(s.velocity.y, s.velocity.x);
        turned += remainder(now - heading, 4.0 * acos(0.0));
        heading = now;
    }
    CHECK_NEAR(energy(world) / before, 1.0, 1e-4);

    // towards the side to which it leans, and it does not fall over
    CHECK(fabs(turned) > 0.5);
    CHECK(worlds_state(world, def.body_b).center.z > 0.5 * r);
    cairn_world_destroy(world);
}
END

TEST(surfaces_and_rollers_that_are_none_are_refused)
{
    cairn_world* world = swinging(cairn_vec(0.0, 0.0, -g));
    cairn_joint_def good = cairn_default_joint_def(CAIRN_JOINT_ROLLING);
    cairn_joint_id id;
    good.roller = 0.1;
    good.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0.0, 0.0, 0.1));
    cairn_joint_def bad[8];

    for (int i = 0; i < 8; i++)
        bad[i] = good;

    bad[0].roller = 0.0;
    bad[1].roller = -1.0;
    bad[2].roller = NAN;
    bad[3].surface = (cairn_surface)9;
    bad[4].surface = CAIRN_SURFACE_TORUS;
    bad[5].wheel = true;
    bad[5].surface = CAIRN_SURFACE_SPHERE;
    bad[6].kind = CAIRN_JOINT_SURFACE; // a roller that does not roll
    bad[7].limited = true;

    for (int i = 0; i < 8; i++) {
        cairn_error error = {""};
        CHECK(cairn_world_add_joint(world, &bad[i], &id, &error) == CAIRN_BAD_INPUT);
        CHECK(error.text[0] != '\0');
    }

    CHECK(cairn_world_add_joint(world, &good, &id, NULL) == CAIRN_OK);
    cairn_world_destroy(world);
}
END

TESTS(a_bead_stays_on_its_surface_and_keeps_its_energy,
      a_point_on_a_sphere_moves_as_one_at_a_fixed_distance,
      a_ball_rolls_down_a_slope_by_five_sevenths_and_a_disc_by_two_thirds,
      a_ball_that_rolls_inside_an_upright_cylinder_comes_up_again,
      a_leaning_wheel_rolls_in_a_circle_without_slip_and_keeps_its_energy,
      surfaces_and_rollers_that_are_none_are_refused)
