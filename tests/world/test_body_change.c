// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies that are changed while the world runs, and all of them as arrays.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const double g = 9.81;

static cairn_world* empty(void)
{
    return worlds_empty(cairn_default_world_def());
}

static cairn_body_id add_cube(cairn_world* world, cairn_body_type type, double x, double z)
{
    return worlds_add(world, type, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), cairn_vec(x, 0.0, z));
}

static cairn_vec3 at(const cairn_world* world, cairn_body_id id)
{
    return worlds_state(world, id).pose.p;
}

// N: what the contacts of the last step carry on a body, upwards
static double load_on(const cairn_world* world, cairn_body_id id)
{
    int count;
    double sum = 0.0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < count; i++) {
        bool b = memcmp(&contacts[i].body_b, &id, sizeof id) == 0;
        bool a = memcmp(&contacts[i].body_a, &id, sizeof id) == 0;
        sum += (b - a) * contacts[i].impulse.z / worlds_dt;
    }
    return sum;
}

#define OK(call) CHECK((call) == CAIRN_OK)

// ---------------------------------------------------------------- arrays

TEST(arrays_say_what_each_body_says)
{
    cairn_world* world = worlds_heap(cairn_default_world_def(), 3);
    worlds_run(world, 30);

    int n = cairn_world_body_slots(world);
    double* poses = calloc((size_t)n + 1, 7 * sizeof *poses);
    float* rough = calloc((size_t)n, 7 * sizeof *rough);
    double* velocities = calloc((size_t)n, 6 * sizeof *velocities);
    poses[7 * n] = 1.0;
    OK(cairn_world_get_poses(world, poses, n + 1, NULL));
    OK(cairn_world_get_poses_float(world, rough, n, NULL));
    OK(cairn_world_get_velocities(world, velocities, n, NULL));

    for (int i = 0; i < n; i++) {
        cairn_body_state s = worlds_state(world, cairn_world_body_at(world, i));
        CHECK(memcmp(poses + 7 * i, &s.pose.p, sizeof s.pose.p) == 0);
        CHECK(memcmp(poses + 7 * i + 3, &s.pose.q, sizeof s.pose.q) == 0);
        CHECK(memcmp(velocities + 6 * i + 3, &s.spin, sizeof s.spin) == 0);
        CHECK(rough[7 * i + 2] == (float)s.pose.p.z);
    }
    CHECK(poses[7 * n] == 0.0);

    // what was read and is written back changes nothing
    uint64_t before = worlds_seen(world);
    OK(cairn_world_set_poses(world, poses, n + 1, NULL));
    OK(cairn_world_set_velocities(world, velocities, n, NULL));
    CHECK(worlds_seen(world) == before);

    // one bad number, and no body moves
    poses[2] += 1.0;
    poses[7 * (n - 1)] = NAN;

    CHECK(cairn_world_set_poses(world, poses, n, NULL) == CAIRN_BAD_INPUT);
    CHECK(worlds_seen(world) == before);
    free(poses);
    free(rough);
    free(velocities);
    cairn_world_destroy(world);
}
END

TEST(those_that_a_step_moves_are_listed)
{
    cairn_world* world = empty();
    worlds_ground(world);
    add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.5);
    cairn_body_id falls = add_cube(world, CAIRN_BODY_DYNAMIC, 5.0, 9.0), moved[4];
    worlds_run(world, 60); // the first one sleeps by now
    CHECK(cairn_world_moved(world, moved, 4) == 1);
    CHECK(moved[0].index == falls.index);
    CHECK(cairn_world_moved(world, NULL, 0) == 1);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- changes

TEST(a_floor_bears_the_mass_that_a_body_has_now)
{
    cairn_world* world = empty();
    worlds_ground(world);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.5);
    OK(cairn_body_allow_sleep(world, cube, false, NULL));
    worlds_run(world, 60);

    CHECK(!worlds_state(world, cube).asleep);
    CHECK_NEAR(load_on(world, cube), 1000.0 * g, 1e-3);

    OK(cairn_body_set_mass(world, cube, 3000.0, NULL));
    worlds_run(world, 5);
    CHECK_NEAR(load_on(world, cube), 3000.0 * g, 1e-2);

    OK(cairn_body_set_gravity_scale(world, cube, 0.5, NULL));
    worlds_run(world, 5);

    CHECK_NEAR(load_on(world, cube), 1500.0 * g, 1e-2);
    cairn_world_destroy(world);
}
END

// I α = τ with the moments of a cube, m a²/6
TEST(moments_of_inertia_follow_the_mass)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.0);
    OK(cairn_body_set_mass(world, cube, 60.0, NULL));
    OK(cairn_body_add_torque_local(world, cube, cairn_vec(0.0, 0.0, 30.0), NULL));
    worlds_run(world, 1);
    CHECK_NEAR(worlds_state(world, cube).spin.z, 30.0 / 10.0 * worlds_dt, 1e-12);
    cairn_world_destroy(world);
}
END

// with its center of mass beyond the edge that it stands on a box tips; at home it stands
TEST(a_loaded_box_tips_over_its_edge)
{
    for (int loaded = 0; loaded < 2; loaded++) {
        cairn_world* world = empty();
        cairn_body_id shelf = add_cube(world, CAIRN_BODY_STATIC, 0.0, -0.5);
        (void)shelf;
        cairn_shape box = cairn_shape_box(cairn_vec(0.4, 0.2, 0.1));
        cairn_body_def def = cairn_default_body_def();
        def.shape = &box;
        def.pose.p = cairn_vec(0.4, 0.0, 0.1); // 0.1 m of it stand out: the edge is at x = 0.5
        def.centered = loaded;
        def.center = cairn_vec(0.2, 0.0, 0.0);
        cairn_body_id id;
        OK(cairn_world_add_body(world, &def, &id, NULL));
        CHECK_NEAR(worlds_state(world, id).center.x, loaded ? 0.6 : 0.4, 1e-15);

        worlds_run(world, 60);
        CHECK(loaded ? at(world, id).z < -0.1 : fabs(at(world, id).z - 0.1) < 1e-6);
        cairn_world_destroy(world);
    }
}
END

// the point of a free body that its new center is on goes straight on, v + ω × r
TEST(a_center_of_mass_that_is_moved_takes_its_velocity_along)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.0);
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id pin;
    cairn_body_id other = add_cube(world, CAIRN_BODY_DYNAMIC, 3.0, 0.0);
    hinge.body_a = cube;
    hinge.body_b = other;
    hinge.frame_a.p = cairn_vec(1.5, 0.0, 0.0);
    hinge.frame_b.p = cairn_vec(-1.5, 0.0, 0.0);
    OK(cairn_world_add_joint(world, &hinge, &pin, NULL));
    OK(cairn_body_set_velocity(world, cube, cairn_vec(0.0, 1.0, 0.0), cairn_vec(0.0, 0.0, 2.0),
                               NULL));
    cairn_vec3 velocity;
    OK(cairn_body_velocity_at(world, cube, cairn_vec(0.25, 0.0, 0.0), &velocity, NULL));
    CHECK_NEAR(velocity.y, 1.5, 1e-15);

    cairn_mat3 inertia = cairn_mat3_diagonal(100.0, 150.0, 200.0);
    OK(cairn_body_set_inertia(world, cube, cairn_vec(0.25, 0.0, 0.0), inertia, NULL));

    CHECK_NEAR(worlds_state(world, cube).velocity.y, 1.5, 1e-15);
    CHECK_NEAR(at(world, cube).x, 0.0, 1e-15);

    // and joints stay where they were on the body
    cairn_joint_state state;
    cairn_joint_def read;
    OK(cairn_joint_get(world, pin, &state, NULL));
    CHECK_NEAR(state.error, 0.0, 1e-14);

    OK(cairn_joint_get_def(world, pin, &read, NULL));
    CHECK_NEAR(read.frame_a.p.x, 1.5, 1e-14);
    cairn_world_destroy(world);
}
END

TEST(a_shelf_that_becomes_dynamic_falls_with_its_load_and_stops_when_static)
{
    cairn_world* world = empty();
    cairn_body_id shelf = add_cube(world, CAIRN_BODY_STATIC, 0.0, 10.5);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 11.5);

    worlds_run(world, 60);
    CHECK(worlds_state(world, cube).asleep);

    OK(cairn_body_set_type(world, shelf, CAIRN_BODY_DYNAMIC, NULL));
    CHECK_NEAR(worlds_state(world, shelf).mass, 1000.0, 1e-9);

    // both fall freely for half a second
    worlds_run(world, 30);
    CHECK_NEAR(at(world, shelf).z, 10.5 - 0.5 * g * 0.25, 1e-6);
    CHECK_NEAR(at(world, cube).z, 11.5 - 0.5 * g * 0.25, 1e-3);

    OK(cairn_body_set_type(world, shelf, CAIRN_BODY_STATIC, NULL));

    double stays = at(world, shelf).z;
    worlds_run(world, 60);

    CHECK(at(world, shelf).z == stays);
    CHECK_NEAR(at(world, cube).z, stays + 1.0, 1e-3);
    CHECK(isinf(worlds_state(world, shelf).mass));

    // its mass is remembered
    OK(cairn_body_set_type(world, shelf, CAIRN_BODY_KINEMATIC, NULL));
    OK(cairn_body_set_type(world, shelf, CAIRN_BODY_DYNAMIC, NULL));

    CHECK_NEAR(worlds_state(world, shelf).mass, 1000.0, 1e-9);
    cairn_world_destroy(world);
}
END

TEST(a_floor_falls_away_by_its_filter_or_by_being_disabled)
{
    for (int way = 0; way < 2; way++) {
        cairn_world* world = empty();
        cairn_body_id floor = worlds_ground(world);
        cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.5);

        worlds_run(world, 60);
        CHECK(worlds_state(world, cube).asleep);

        if (way == 0)
            OK(cairn_body_set_filter(world, floor, 1, 0, NULL));
        else
            OK(cairn_body_set_enabled(world, floor, false, NULL));
        CHECK(worlds_state(world, floor).disabled == (way == 1));

        worlds_run(world, 1);
        CHECK(cairn_world_events(world).ended_count == 1);

        worlds_run(world, 29);
        CHECK_NEAR(at(world, cube).z, 0.5 - 0.5 * g * 0.25, 1e-6);
        cairn_world_destroy(world);
    }
}
END

TEST(a_body_that_is_disabled_waits_and_comes_back_at_rest)
{
    cairn_world* world = empty();
    worlds_ground(world);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 2.0);

    worlds_run(world, 10);
    OK(cairn_body_set_enabled(world, cube, false, NULL));
    double waits = at(world, cube).z;

    worlds_run(world, 20);
    CHECK(at(world, cube).z == waits);

    // a ray passes through it to the ground
    cairn_body_hit hit;
    OK(cairn_world_cast_ray(world, cairn_vec(0.0, 0.0, 5.0), cairn_vec(0.0, 0.0, -9.0),
                            CAIRN_MASK_ALL, &hit, NULL));
    CHECK_NEAR(hit.point.z, 0.0, 1e-12);

    OK(cairn_body_set_enabled(world, cube, true, NULL));

    worlds_run(world, 6);

    CHECK_NEAR(at(world, cube).z, waits - 0.5 * g * 0.01, 1e-9);
    CHECK_NEAR(worlds_state(world, cube).mass, 1000.0, 1e-9);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- motion

TEST(a_kinematic_body_arrives_at_its_target_in_one_step_and_stops)
{
    cairn_world* world = empty();
    worlds_ground(world);
    cairn_body_id hand = add_cube(world, CAIRN_BODY_KINEMATIC, 0.0, 2.0);
    cairn_transform to = {cairn_vec(0.1, -0.2, 2.3),
                          cairn_quat_from_rotation_vector(cairn_vec(0.1, 0.2, -0.3))};
    OK(cairn_body_set_target(world, hand, to, worlds_dt, NULL));
    worlds_run(world, 1);

    for (int k = 0; k < 2; k++) {
        cairn_body_state s = worlds_state(world, hand);
        CHECK_NEAR(cairn_norm(cairn_sub(s.pose.p, to.p)), 0.0, 1e-14);
        CHECK_NEAR(fabs(s.pose.q.w * to.q.w + s.pose.q.x * to.q.x + s.pose.q.y * to.q.y +
                        s.pose.q.z * to.q.z),
                   1.0, 1e-14);
        CHECK(cairn_norm(s.velocity) == 0.0);
        worlds_run(world, 1);
    }
    cairn_world_destroy(world);
}
END

// a lift that follows its path carries a crate without a hop or a dent
TEST(a_lift_carries_its_load_to_the_targets)
{
    cairn_world* world = empty();
    cairn_body_id lift = add_cube(world, CAIRN_BODY_KINEMATIC, 0.0, 0.5);
    cairn_body_id crate = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 1.5);
    double z = 0.5;
    for (int i = 1; i <= 120; i++) {
        z = 0.5 + 0.25 * (1.0 - cos(i * worlds_dt * 1.5707963267948966));
        cairn_transform to = {cairn_vec(0.0, 0.0, z), cairn_quat_identity()};
        OK(cairn_body_set_target(world, lift, to, worlds_dt, NULL));
        worlds_run(world, 1);
        CHECK_NEAR(at(world, crate).z, z + 1.0, 2e-4);
    }
    CHECK_NEAR(z, 1.0, 1e-12);
    cairn_world_destroy(world);
}
END

// a force in the body frame turns with the body: thrust along its own x axis at its own corner
TEST(a_local_force_acts_as_the_turned_one_does)
{
    cairn_vec3 spin[2], velocity[2];
    for (int local = 0; local < 2; local++) {
        cairn_world* world = empty();
        cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 1.0, 2.0);
        cairn_transform pose = {cairn_vec(1.0, 0.0, 2.0),
                                cairn_quat_from_rotation_vector(cairn_vec(0.3, -0.4, 0.5))};
        cairn_vec3 force = {100.0, 0.0, 50.0}, point = {0.5, 0.2, -0.1};
        OK(cairn_body_set_pose(world, cube, pose, NULL));
        pose = worlds_state(world, cube).pose;

        if (local)
            OK(cairn_body_add_force_local(world, cube, force, point, NULL));
        else
            OK(cairn_body_add_force(world, cube, cairn_rotate(pose.q, force),
                                    cairn_transform_point(pose, point), NULL));

        worlds_run(world, 1);
        spin[local] = worlds_state(world, cube).spin;
        velocity[local] = worlds_state(world, cube).velocity;
        cairn_world_destroy(world);
    }

    CHECK(memcmp(&spin[0], &spin[1], sizeof spin[0]) == 0);
    CHECK(memcmp(&velocity[0], &velocity[1], sizeof velocity[0]) == 0);
    CHECK(cairn_norm(spin[0]) > 1e-4);
}
END

// ---------------------------------------------------------------- refusals, snapshots

TEST(what_cannot_be_changed_is_refused_and_nothing_changes)
{
    cairn_world* world = empty();
    cairn_body_id floor = worlds_ground(world);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.5), none = {0};

    worlds_run(world, 60);
    uint64_t before = worlds_seen(world);
    cairn_error error;
    cairn_transform here = cairn_transform_identity();

    CHECK(cairn_body_set_type(world, floor, CAIRN_BODY_DYNAMIC, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "half") != NULL);
    CHECK(cairn_body_set_type(world, cube, (cairn_body_type)7, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_mass(world, cube, 0.0, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_mass(world, floor, 1.0, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_inertia(world, cube, here.p, cairn_mat3_diagonal(0.0, 0.0, 0.0), &error) ==
          CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_damping(world, cube, -1.0, 0.0, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_gravity_scale(world, cube, NAN, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_target(world, cube, here, worlds_dt, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_filter(world, none, 1, 1, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_set_enabled(NULL, cube, true, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_body_velocity_at(world, cube, here.p, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_get_poses(world, NULL, 1, &error) == CAIRN_BAD_INPUT);
    CHECK(worlds_seen(world) == before);
    cairn_world_destroy(world);
}
END

TEST(a_snapshot_takes_changes_back_to_the_bit)
{
    cairn_world* world = empty();
    cairn_body_id floor = worlds_ground(world);
    cairn_body_id cube = add_cube(world, CAIRN_BODY_DYNAMIC, 0.0, 0.6);
    cairn_body_id hand = add_cube(world, CAIRN_BODY_KINEMATIC, -1.2, 0.6);
    cairn_transform to = {cairn_vec(-1.1, 0.0, 0.6), cairn_quat_identity()};
    cairn_snapshot* snapshot;
    uint64_t first[worlds_followed], again[worlds_followed];

    worlds_run(world, 20);
    OK(cairn_body_set_target(world, hand, to, worlds_dt, NULL));
    OK(cairn_world_snapshot(world, &snapshot, NULL));

    worlds_follow(first, world, worlds_dt);

    // changes of every kind after the snapshot
    OK(cairn_body_set_mass(world, cube, 5.0, NULL));
    OK(cairn_body_set_type(world, hand, CAIRN_BODY_DYNAMIC, NULL));
    OK(cairn_body_set_enabled(world, floor, false, NULL));

    worlds_run(world, 20);

    OK(cairn_world_restore(world, snapshot, NULL));
    worlds_follow(again, world, worlds_dt);

    CHECK(memcmp(first, again, sizeof first) == 0);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

TESTS(arrays_say_what_each_body_says, those_that_a_step_moves_are_listed,
      a_floor_bears_the_mass_that_a_body_has_now, moments_of_inertia_follow_the_mass,
      a_loaded_box_tips_over_its_edge, a_center_of_mass_that_is_moved_takes_its_velocity_along,
      a_shelf_that_becomes_dynamic_falls_with_its_load_and_stops_when_static,
      a_floor_falls_away_by_its_filter_or_by_being_disabled,
      a_body_that_is_disabled_waits_and_comes_back_at_rest,
      a_kinematic_body_arrives_at_its_target_in_one_step_and_stops,
      a_lift_carries_its_load_to_the_targets, a_local_force_acts_as_the_turned_one_does,
      what_cannot_be_changed_is_refused_and_nothing_changes,
      a_snapshot_takes_changes_back_to_the_bit)
