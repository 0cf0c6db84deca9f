// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints that are driven, changed, read and broken while the world runs.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const double g = 9.81;
#define OK(call) CHECK((call) == CAIRN_OK)

static cairn_world* empty(double gravity)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, -gravity);
    def.sleep = false; // what settles is measured to the end
    return worlds_empty(def);
}

// a bar of 1 kg and 2 m along x on a hinge at its left end, the axis along y: down is positive
static cairn_body_id add_bar(cairn_world* world, cairn_joint_def* hinge)
{
    cairn_shape bar = cairn_shape_box(cairn_vec(1.0, 0.05, 0.05));
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.shape = &bar;
    def.mass = 1.0;
    def.pose.p = cairn_vec(1.0, 0.0, 0.0);
    OK(cairn_world_add_body(world, &def, &id, NULL));
    cairn_quat axis = cairn_quat_from_rotation_vector(cairn_vec(-1.5707963267948966, 0.0, 0.0));
    hinge->body_b = id;
    hinge->frame_a.q = hinge->frame_b.q = axis;
    hinge->frame_b.p = cairn_vec(-1.0, 0.0, 0.0);
    return id;
}

static cairn_joint_motion motion_of(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_motion motion;
    OK(cairn_joint_get_motion(world, id, &motion, NULL));
    return motion;
}

// a block of 1 kg on a slider along z
static cairn_body_id add_lift(cairn_world* world, cairn_joint_def* slider)
{
    cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC,
                                  cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), cairn_vec(0., 0., 0.));
    OK(cairn_body_set_mass(world, id, 1.0, NULL));
    *slider = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    slider->body_b = id;
    return id;
}

// ---------------------------------------------------------------- servos

// at rest k (target - x) = m g L cos x: the servo sags as a spring does
TEST(a_servo_holds_an_arm_with_the_sag_of_its_stiffness)
{
    cairn_world* world = empty(g);
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    cairn_joint_id id;
    add_bar(world, &hinge);
    OK(cairn_world_add_joint(world, &hinge, &id, NULL));
    OK(cairn_joint_set_servo(world, id, -0.5, 400.0, 60.0, 100.0, NULL));

    worlds_run(world, 600);
    cairn_joint_motion m = motion_of(world, id);

    CHECK_NEAR(400.0 * (m.coordinate + 0.5), g * cos(m.coordinate), 1e-6);
    CHECK_NEAR(m.spring, -g * cos(m.coordinate), 1e-5);
    CHECK_NEAR(m.speed, 0.0, 1e-8);

    // another target
    OK(cairn_joint_set_servo(world, id, 0.3, 400.0, 60.0, 100.0, NULL));

    worlds_run(world, 600);
    m = motion_of(world, id);

    CHECK_NEAR(400.0 * (m.coordinate - 0.3), g * cos(m.coordinate), 1e-6);
    cairn_world_destroy(world);
}
END

// a servo of F against a weight: it lifts up to F = m g and is pressed down beyond
TEST(a_servo_lifts_no_more_than_its_strength)
{
    for (int weak = 0; weak < 2; weak++) {
        cairn_world* world = empty(g);
        cairn_joint_def slider;
        cairn_joint_id id;
        cairn_body_id lift = add_lift(world, &slider);
        slider.servo = true;
        slider.stiffness = 1e4;
        slider.damping = 200.0;
        slider.rest = 1.0;
        slider.strength = weak ? 0.98 * g : 1.02 * g;
        OK(cairn_world_add_joint(world, &slider, &id, NULL));

        // z'' = ± 0.02 g, from the first step to the last; kick by kick the law is exact
        for (int i = 0; i < 60; i++) {
            worlds_run(world, 1);
            CHECK_BELOW(fabs(motion_of(world, id).motor), slider.strength * (1.0 + 1e-9));
        }

        CHECK_NEAR(worlds_state(world, lift).velocity.z, (weak ? -0.02 : 0.02) * g, 1e-9);
        cairn_world_destroy(world);
    }
}
END

// m: by how much a servo of 1 kg strays from m x'' = -k (x - 1) - c x' within ±F in 3 s, with steps of
// dt; the law is followed in steps of 8 µs
static double stray(double dt, double* last)
{
    const double k = 400.0, c = 40.0, F = 4.0;
    cairn_world* world = empty(0.0);
    cairn_joint_def slider;
    cairn_joint_id id;
    double x = 0.0, v = 0.0, worst = 0.0, h = worlds_dt / 2000;
    add_lift(world, &slider);
    OK(cairn_world_add_joint(world, &slider, &id, NULL));
    OK(cairn_joint_set_servo(world, id, 1.0, k, c, F, NULL));

    // the law by symplectic Euler beside the world
    for (int i = 0; i < (int)(3.0 / dt + 0.5); i++) {
        OK(cairn_world_step(world, dt, NULL, NULL));
        for (int n = 0; n < (int)(dt / h + 0.5); n++) {
            double f = -k * (x - 1.0) - c * v;
            v += h * fmax(fmin(f, F), -F);
            x += h * v;
        }
        worst = fmax(worst, fabs(motion_of(world, id).coordinate - x));
    }

    *last = motion_of(world, id).coordinate;
    cairn_world_destroy(world);
    return worst;
}

// which of the two it is, spring or bound, is decided once in a step: first order in dt
TEST(a_bounded_servo_moves_by_the_bounded_law)
{
    double coarse_end, fine_end;
    double coarse = stray(worlds_dt, &coarse_end), fine = stray(worlds_dt / 4.0, &fine_end);
    CHECK_BELOW(coarse, 0.06); // of a way of 1 m, an overshoot of 0.22 m
    CHECK_BELOW(fine, 0.3 * coarse);
    CHECK_NEAR(coarse_end, 1.0, 1e-3);
    CHECK_NEAR(fine_end, 1.0, 1e-3);
}
END

// ---------------------------------------------------------------- changes

TEST(limits_springs_and_motors_change_at_run_time)
{
    cairn_world* world = empty(g);
    cairn_joint_def slider;
    cairn_joint_id id;
    cairn_body_id lift = add_lift(world, &slider);
    OK(cairn_world_add_joint(world, &slider, &id, NULL));
    OK(cairn_joint_set_limits(world, id, -1.0, INFINITY, NULL));

    worlds_run(world, 120);
    cairn_joint_motion m = motion_of(world, id);

    CHECK_NEAR(m.coordinate, -1.0, 1e-6);
    CHECK_NEAR(m.limit, g, 1e-6);

    // without limits it falls; on a spring it sags by m g / k
    OK(cairn_joint_set_limits(world, id, -INFINITY, INFINITY, NULL));
    OK(cairn_joint_set_spring(world, id, 100.0, 20.0, 0.0, NULL));

    worlds_run(world, 600);
    m = motion_of(world, id);

    CHECK_NEAR(m.coordinate, -g / 100.0, 1e-6);
    CHECK_NEAR(m.spring, g, 1e-5);
    CHECK_NEAR(m.limit, 0.0, 1e-12);

    // a motor carries it up
    OK(cairn_joint_set_spring(world, id, 0.0, 0.0, 0.0, NULL));
    OK(cairn_joint_set_motor(world, id, 0.5, 100.0, NULL));

    worlds_run(world, 60);
    m = motion_of(world, id);

    CHECK_NEAR(m.speed, 0.5, 1e-9);
    CHECK_NEAR(m.motor, g, 1e-6);
    CHECK_NEAR(worlds_state(world, lift).velocity.z, 0.5, 1e-9);
    cairn_world_destroy(world);
}
END

// m g and m g L/2 at the wall, on B: up, and against the weight
TEST(a_cantilever_is_read_at_its_root)
{
    cairn_world* world = empty(g);
    cairn_joint_def fixed = cairn_default_joint_def(CAIRN_JOINT_FIXED);
    cairn_joint_id id;
    add_bar(world, &fixed);
    fixed.frame_a.q = fixed.frame_b.q = cairn_quat_identity();
    OK(cairn_world_add_joint(world, &fixed, &id, NULL));
    worlds_run(world, 20);
    cairn_joint_motion m = motion_of(world, id);
    CHECK_NEAR(m.force.z, g, 1e-9);
    CHECK_NEAR(cairn_norm(cairn_sub(m.torque, cairn_vec(0.0, -g, 0.0))), 0.0, 1e-8);
    CHECK_NEAR(m.point.x, 0.0, 1e-9);
    cairn_world_destroy(world);
}
END

// a cylindrical joint turns and slides; both are read, in A's frame
TEST(all_six_coordinates_and_rates_are_read)
{
    cairn_world* world = empty(0.0);
    cairn_joint_def joint;
    cairn_joint_id id;
    cairn_body_id lift = add_lift(world, &joint);
    joint.kind = CAIRN_JOINT_CYLINDRICAL;
    OK(cairn_world_add_joint(world, &joint, &id, NULL));
    OK(cairn_body_set_velocity(world, lift, cairn_vec(0.0, 0.0, 0.3), cairn_vec(0.0, 0.0, 0.7),
                               NULL));

    worlds_run(world, 60);
    cairn_joint_motion m = motion_of(world, id);

    CHECK_NEAR(m.shift.z, 0.3, 1e-9);
    CHECK_NEAR(m.turn.z, 0.7, 1e-9);
    CHECK_NEAR(m.slide.z, 0.3, 1e-9);
    CHECK_NEAR(m.spin.z, 0.7, 1e-9);
    CHECK_NEAR(m.speed, 0.3, 1e-9);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- locks

// pushed aside and off its center, a box in the plane of x and z stays there and turns about y alone
TEST(a_body_that_is_locked_to_a_plane_stays_in_it)
{
    for (int floor = 0; floor < 2; floor++) {
        cairn_world* world = empty(g);
        cairn_joint_def unused;
        cairn_joint_id lock;
        cairn_body_id box = add_lift(world, &unused);

        if (floor) {
            cairn_body_id ground = worlds_ground(world);
            OK(cairn_body_set_pose(world, ground,
                                   (cairn_transform){{0., 0., -0.5}, {1., 0., 0., 0.}}, NULL));
        }

        OK(cairn_body_lock(world, box, CAIRN_LOCK_PLANE, &lock, NULL));
        for (int i = 0; i < 60; i++) {
            OK(cairn_body_add_force(
                world, box, cairn_vec(1.0, 3.0, 0.5),
                cairn_add(worlds_state(world, box).center, cairn_vec(0.2, 0.1, 0.4)), NULL));
            worlds_run(world, 1);
        }

        cairn_body_state s = worlds_state(world, box);
        CHECK_NEAR(s.pose.p.y, 0.0, 1e-8);
        CHECK_NEAR(fabs(s.pose.q.x) + fabs(s.pose.q.z), 0.0, 1e-8);
        if (!floor) { // on a floor friction may bear a part of it
            CHECK_NEAR(motion_of(world, lock).force.y, -3.0, 1e-6);
            CHECK_NEAR(s.velocity.x, 1.0, 1e-6);
            CHECK_NEAR(s.velocity.z, 0.5 - g, 1e-6);

            // τ = r × F about y: 0.4 · 1 - 0.2 · 0.5, and I = m a²/6
            CHECK_NEAR(s.spin.y, 0.3 * 6.0, 1e-6);
        }

        OK(cairn_world_remove_joint(world, lock, NULL));
        cairn_world_destroy(world);
    }
}
END

// a tall crate with its turns locked slides by F - μ m g where it would tip
TEST(a_crate_that_cannot_turn_slides)
{
    cairn_world* world = empty(g);
    worlds_ground(world);
    cairn_body_id crate =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.1, 0.1, 1.0)),
                   cairn_vec(0.0, 0.0, 1.0));
    cairn_joint_id lock;
    OK(cairn_body_set_mass(world, crate, 2.0, NULL));
    OK(cairn_body_lock(world, crate, CAIRN_LOCK_TURNS, &lock, NULL));

    for (int i = 0; i < 60; i++) {
        cairn_vec3 top = cairn_add(worlds_state(world, crate).center, cairn_vec(0.0, 0.0, 0.9));
        OK(cairn_body_add_force(world, crate, cairn_vec(20.0, 0.0, 0.0), top, NULL));
        worlds_run(world, 1);
    }

    cairn_body_state s = worlds_state(world, crate);
    CHECK_NEAR(s.velocity.x, 10.0 - 0.6 * g, 1e-3);
    CHECK_NEAR(s.pose.q.w, 1.0, 1e-9);

    // nonsense
    OK(cairn_world_remove_joint(world, lock, NULL));

    CHECK(cairn_body_lock(world, crate, 64, &lock, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_lock(world, crate, 0, &lock, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- breaking

TEST(a_hook_breaks_above_its_load_and_not_below)
{
    for (int heavy = 0; heavy < 2; heavy++) {
        cairn_world* world = empty(g);
        cairn_body_id ball =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.2), cairn_vec(0., 0., 0.));
        cairn_joint_def hook = cairn_default_joint_def(CAIRN_JOINT_BALL);
        cairn_joint_id id;
        int tag, count;
        OK(cairn_body_set_mass(world, ball, heavy ? 1.01 : 0.99, NULL));
        hook.body_b = ball;
        hook.frame_a.p = hook.frame_b.p = cairn_vec(0.0, 0.0, 0.2);
        hook.break_force = g;
        hook.user = &tag;
        OK(cairn_world_add_joint(world, &hook, &id, NULL));

        worlds_run(world, 1);
        const cairn_break_event* broken = cairn_world_broken(world, &count);

        CHECK(count == heavy);
        if (heavy) {
            CHECK(broken->user == &tag && broken->joint.index == id.index);
            CHECK_NEAR(broken->force, 1.01 * g, 1e-9);
            CHECK(cairn_world_joint_at(world, id.index).generation == 0);
        }

        // what is broken falls, and is told once
        worlds_run(world, 60);
        cairn_world_broken(world, &count);

        CHECK(count == 0);
        CHECK(heavy ? worlds_state(world, ball).pose.p.z < -4.0
                    : fabs(worlds_state(world, ball).pose.p.z) < 1e-6);
        cairn_world_destroy(world);
    }
}
END

TEST(a_lower_bound_breaks_a_joint_whose_bodies_sleep)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_joint_def hook = cairn_default_joint_def(CAIRN_JOINT_FIXED);
    cairn_joint_id id;
    int count;
    hook.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.2), cairn_vec(0., 0., 0.));
    hook.break_force = 1e6;
    OK(cairn_body_set_mass(world, hook.body_b, 1.0, NULL));
    OK(cairn_world_add_joint(world, &hook, &id, NULL));
    worlds_run(world, 120);
    CHECK(worlds_state(world, hook.body_b).asleep);

    // the same bound once more wakes nobody
    OK(cairn_joint_set_break(world, id, 1e6, 0.0, NULL));
    CHECK(worlds_state(world, hook.body_b).asleep);

    OK(cairn_joint_set_break(world, id, 0.5 * g, 0.0, NULL));
    worlds_run(world, 1);
    const cairn_break_event* broken = cairn_world_broken(world, &count);

    CHECK(count == 1);
    CHECK_NEAR(broken[0].force, g, 1e-9);
    cairn_world_destroy(world);
}
END

TEST(nonsense_is_refused_and_a_definition_reads_back)
{
    cairn_world* world = empty(g);
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE), read;
    cairn_joint_id id, none = {0};
    add_bar(world, &hinge);
    hinge.servo = hinge.driven = true;
    CHECK(cairn_world_add_joint(world, &hinge, &id, NULL) == CAIRN_BAD_INPUT);

    hinge.driven = false;
    hinge.stiffness = 50.0;
    hinge.strength = 7.0;
    hinge.rest = 0.25;
    hinge.break_torque = 99.0;
    OK(cairn_world_add_joint(world, &hinge, &id, NULL));

    worlds_run(world, 10);
    OK(cairn_joint_get_def(world, id, &read, NULL));

    CHECK(read.servo && !read.driven && read.stiffness == 50.0 && read.strength == 7.0);
    CHECK(read.rest == 0.25 && read.break_torque == 99.0);

    // a refused call changes nothing
    uint64_t before = worlds_seen(world);
    CHECK(cairn_joint_set_limits(world, id, 1.0, -1.0, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_joint_set_spring(world, id, -1.0, 0.0, 0.0, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_joint_set_servo(world, id, NAN, 1.0, 0.0, 1.0, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_joint_set_break(world, id, -1.0, 0.0, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_joint_set_user(world, none, NULL, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_joint_get_motion(world, id, NULL, NULL) == CAIRN_BAD_INPUT);
    CHECK(worlds_seen(world) == before);
    cairn_world_destroy(world);
}
END

// what drives, breaks and is read goes on from a snapshot as it went on before
TEST(servos_and_breaking_joints_survive_a_snapshot)
{
    cairn_world* world = empty(g);
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    cairn_joint_id id;
    cairn_snapshot* snapshot;
    uint64_t first[worlds_followed], again[worlds_followed];
    add_bar(world, &hinge);
    hinge.servo = true;
    hinge.stiffness = 200.0;
    hinge.damping = 5.0;
    hinge.strength = 6.0;
    hinge.break_force = 13.0;
    OK(cairn_world_add_joint(world, &hinge, &id, NULL));

    worlds_run(world, 10);

    // follow it, run on, go back and follow it again
    OK(cairn_world_snapshot(world, &snapshot, NULL));

    worlds_follow(first, world, worlds_dt);
    worlds_run(world, 60);

    OK(cairn_world_restore(world, snapshot, NULL));
    worlds_follow(again, world, worlds_dt);

    CHECK(memcmp(first, again, sizeof first) == 0);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

TESTS(a_lower_bound_breaks_a_joint_whose_bodies_sleep,
      a_servo_holds_an_arm_with_the_sag_of_its_stiffness, a_servo_lifts_no_more_than_its_strength,
      a_bounded_servo_moves_by_the_bounded_law, limits_springs_and_motors_change_at_run_time,
      a_cantilever_is_read_at_its_root, all_six_coordinates_and_rates_are_read,
      a_body_that_is_locked_to_a_plane_stays_in_it, a_crate_that_cannot_turn_slides,
      a_hook_breaks_above_its_load_and_not_below, nonsense_is_refused_and_a_definition_reads_back,
      servos_and_breaking_joints_survive_a_snapshot)
