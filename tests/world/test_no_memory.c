// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every request for memory fails once. What fails says CAIRN_NO_MEMORY and leaves the world as it
// was, to the bit: also its future, as if the call had not been.

#include "check_cairn.h"
#include "worlds.h"
#include "wrapped_memory.h"

// whether a request failed since it was told to
static bool has_failed(void)
{
    bool failed = memory_failed();
    memory_fail_after(-1);
    return failed;
}

enum { steps = worlds_followed };

// ---------------------------------------------------------------- a step

// a world that goes on from a snapshot, with nothing in its scratch memory yet
static cairn_world* copy_of(const cairn_snapshot* snapshot, int threads)
{
    cairn_world_def def = cairn_default_world_def();
    def.threads = threads;
    cairn_world* copy = worlds_empty(def);
    CHECK(cairn_world_restore(copy, snapshot, NULL) == CAIRN_OK);
    return copy;
}

// Each request of a step fails once, in copies of the world that have made `before` steps, so that
// some memory is there already. Destroys the world; returns how many failed.
static int fail_steps(cairn_world* world, int threads, int before)
{
    cairn_snapshot* snapshot = NULL;
    uint64_t same[steps], shorter[steps], now[steps];
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    cairn_world_destroy(world);

    cairn_world* whole = copy_of(snapshot, threads);
    cairn_world* half = copy_of(snapshot, threads);

    worlds_run(whole, before);
    worlds_run(half, before);

    uint64_t start = worlds_seen(whole);
    worlds_follow(same, whole, worlds_dt);
    worlds_follow(shorter, half, 0.5 * worlds_dt);
    cairn_world_destroy(whole);
    cairn_world_destroy(half);

    int failures = 0;
    bool failed = true;

    for (int n = 0; failed; n++) {
        cairn_error error = {""};
        cairn_world* copy = copy_of(snapshot, threads);

        worlds_run(copy, before);
        memory_fail_after(n);

        cairn_status status = cairn_world_step(copy, worlds_dt, NULL, &error);
        failed = has_failed();

        ck_assert_msg(status == CAIRN_OK || (failed && status == CAIRN_NO_MEMORY),
                      "request %d: status %d, %s", n, (int)status, error.text);

        if (status == CAIRN_NO_MEMORY) {
            failures++;
            ck_assert_msg(worlds_seen(copy) == start, "request %d changed the world", n);
            // as if it had not been: for the same step again, and for another one
            bool again = n % 2 == 0;
            worlds_follow(now, copy, again ? worlds_dt : 0.5 * worlds_dt);
            for (int i = 0; i < steps; i++)
                ck_assert_msg(now[i] == (again ? same : shorter)[i], "request %d: step %d after it",
                              n, i);
        } else {
            // memory that it can do without
            worlds_follow(now, copy, worlds_dt);
            for (int i = 0; i + 1 < steps; i++)
                ck_assert_msg(now[i] == same[i + 1], "request %d: step %d after it", n, i);
        }
        cairn_world_destroy(copy);
    }
    cairn_snapshot_destroy(snapshot);
    return failures;
}

TEST(a_wall_that_is_hit_is_as_it_was)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    def.substeps = 3;
    cairn_world* world = worlds_wall(def, 3, 3);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, -1.5, 1.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 10.0, 0.0), cairn_vec(1.0, 2.0, 3.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 8);
    CHECK(fail_steps(world, 1, 0) > 0);
}
END

// sensors, hits, a servo, a joint that breaks and a target under way, in the step that tells of them
TEST(a_step_with_alerts_is_as_it_was)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape room = cairn_shape_sphere(1.0);
    cairn_sensor_def sensor = cairn_default_sensor_def();
    cairn_sensor_id id;
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    cairn_joint_id joint;
    worlds_ground(world);
    cairn_body_id hand =
        worlds_add(world, CAIRN_BODY_KINEMATIC, cairn_shape_sphere(0.2), cairn_vec(3.0, 0.0, 1.0));

    for (int i = 0; i < 4; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                   cairn_vec(0.3 * i, 0.0, 0.35));

    // a servo whose joint breaks under the weight
    hinge.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0.0, 3.0, 2.0));
    hinge.frame_a.p = cairn_vec(0.0, 3.0, 2.5);
    hinge.frame_b.p = cairn_vec(0.0, 0.0, 0.5);
    hinge.servo = true;
    hinge.stiffness = 10.0;
    hinge.strength = 1.0;
    hinge.break_force = 1.0;

    sensor.shape = &room;
    CHECK(cairn_world_add_sensor(world, &sensor, &id, NULL) == CAIRN_OK);
    CHECK(cairn_world_set_hit_speed(world, 0.1, NULL) == CAIRN_OK);

    worlds_run(world, 13); // the next step but one brings the hits
    CHECK(cairn_world_add_joint(world, &hinge, &joint, NULL) == CAIRN_OK);
    cairn_transform to = {{3.0, 0.0, 1.1}, {1.0, 0.0, 0.0, 0.0}};
    CHECK(cairn_body_set_target(world, hand, to, worlds_dt, NULL) == CAIRN_OK);

    CHECK(fail_steps(world, 1, 0) > 0);
}
END

TEST(a_wall_that_is_hit_is_as_it_was_when_memory_runs_out_late)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    def.substeps = 3;
    cairn_world* world = worlds_wall(def, 4, 4);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, -2.5, 1.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 10.0, 0.0), cairn_vec(1.0, 2.0, 3.0),
                                  NULL) == CAIRN_OK);
    CHECK(fail_steps(world, 1, 10) > 0);
}
END

TEST(falling_balls_are_as_they_were)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    cairn_world* world = worlds_heap(def, 3);
    worlds_run(world, 40);
    CHECK(fail_steps(world, 1, 0) > 0);
}
END

TEST(chains_and_machines_are_as_they_were)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_joint_id motor;
    cairn_world* machine = worlds_machine(def, &motor);
    worlds_run(machine, 20);
    CHECK(fail_steps(machine, 1, 0) > 0);
    cairn_world* euler = worlds_chain(def, 8, NULL);
    worlds_run(euler, 20);
    CHECK(fail_steps(euler, 1, 0) > 0);
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    def.substeps = 2;
    cairn_world* midpoint = worlds_chain(def, 8, NULL);
    worlds_run(midpoint, 20);
    CHECK(fail_steps(midpoint, 1, 0) > 0);
}
END

TEST(exact_solves_leave_columns_as_they_were)
{
    cairn_world_def def = cairn_default_world_def();
    def.rest_pass = false;
    def.method = "exact";
    cairn_world* world = worlds_columns(def, 2, 3);
    worlds_run(world, 3);
    CHECK(fail_steps(world, 1, 0) > 0);
}
END

// runs until the step that comes next puts bodies to sleep
static void run_until_sleepy(cairn_world* world)
{
    cairn_snapshot* snapshot = NULL;
    cairn_step_report before = {0}, report = {0};
    CHECK(cairn_world_step(world, worlds_dt, &before, NULL) == CAIRN_OK);
    for (int i = 0;; i++) {
        ck_assert_int_lt(i, 300);
        CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        if (report.awake < before.awake)
            break;
        cairn_snapshot_destroy(snapshot);
    }
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    cairn_snapshot_destroy(snapshot);
}

TEST(columns_that_fall_asleep_are_as_they_were)
{
    cairn_world* world = worlds_columns(cairn_default_world_def(), 3, 3);
    run_until_sleepy(world);
    CHECK(fail_steps(world, 1, 0) > 0);
}
END

// two columns sleep; a ball falls onto one of them, and a box of the other is taken away
TEST(sleeping_columns_that_wake_are_as_they_were)
{
    cairn_world* world = worlds_columns(cairn_default_world_def(), 3, 3);
    cairn_body_id box =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.4), cairn_vec(3.0, 0.0, 3.4));
    worlds_run(world, 120);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3), cairn_vec(0.1, 0.0, 3.5));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 0.0, -8.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    CHECK(cairn_world_remove_body(world, box, NULL) == CAIRN_OK);
    CHECK(fail_steps(world, 1, 0) > 0);
}
END

TEST(threads_leave_many_columns_as_they_were)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    def.threads = 3;
    cairn_world* world = worlds_columns(def, 12, 3);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.3, 0.3, 0.3)),
                   cairn_vec(0.3, 0.2, 3.6));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(1.0, 0.0, -4.0), cairn_vec(0.0, 2.0, 0.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 4);
    CHECK(fail_steps(world, 3, 0) > 0);
}
END

// a compound of two boxes and a box slide on a mesh of two triangles
TEST(bodies_on_a_mesh_are_as_they_were)
{
    const cairn_vec3 corner[] = {
        {-5.0, -5.0, 0.3}, {5.0, -5.0, 0.0}, {5.0, 5.0, 0.0}, {-5.0, 5.0, 0.2}};
    const int triangle[] = {0, 1, 2, 0, 2, 3};
    cairn_mesh_def mesh_def = {
        .vertices = corner, .vertex_count = 4, .triangles = triangle, .triangle_count = 2};
    cairn_mesh* mesh = NULL;
    CHECK(cairn_mesh_create(&mesh_def, &mesh, NULL) == CAIRN_OK);
    cairn_shape box = cairn_shape_box(cairn_vec(0.3, 0.2, 0.2));
    const cairn_shape parts[] = {box, box};
    const cairn_transform offsets[] = {{{-0.3, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                                       {{0.3, 0.0, 0.2}, {1.0, 0.0, 0.0, 0.0}}};
    cairn_compound* compound = NULL;
    CHECK(cairn_compound_create(parts, offsets, 2, &compound, NULL) == CAIRN_OK);

    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_mesh(mesh), cairn_vec(0.0, 0.0, 0.0));
    worlds_add(world, CAIRN_BODY_DYNAMIC, box, cairn_vec(0.0, 0.0, 0.5));
    worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_compound(compound), cairn_vec(0.1, 0.1, 1.1));
    worlds_run(world, 25);

    CHECK(fail_steps(world, 1, 0) > 0);
    cairn_compound_destroy(compound);
    cairn_mesh_destroy(mesh);
}
END

// ---------------------------------------------------------------- other calls

TEST(snapshots_and_restores_that_fail_change_nothing)
{
    cairn_world* world = worlds_columns(cairn_default_world_def(), 3, 3);
    cairn_snapshot *first = NULL, *other = NULL;

    worlds_run(world, 5);
    CHECK(cairn_world_snapshot(world, &first, NULL) == CAIRN_OK);

    worlds_run(world, 5);
    uint64_t start = worlds_seen(world);

    // let the first request of memory fail, then the second, and so on until none does
    bool failed = true;

    for (int n = 0; failed; n++) {
        memory_fail_after(n);
        cairn_status status = cairn_world_snapshot(world, &other, NULL);
        failed = has_failed();
        CHECK(status == (failed ? CAIRN_NO_MEMORY : CAIRN_OK));
        ck_assert_uint_eq(worlds_seen(world), start);
    }

    failed = true;
    for (int n = 0; failed; n++) {
        memory_fail_after(n);
        cairn_status status = cairn_world_restore(world, first, NULL);
        failed = has_failed();
        CHECK(status == (failed ? CAIRN_NO_MEMORY : CAIRN_OK));
        CHECK(!failed || worlds_seen(world) == start);
    }
    cairn_snapshot_destroy(first);
    cairn_snapshot_destroy(other);
    cairn_world_destroy(world);
}
END

// bodies until arrays have grown, with a joint each, where every request fails once
static uint64_t build(bool with_failures)
{
    enum { bodies = 70 };
    cairn_world_def world_def = cairn_default_world_def();
    cairn_world* world = NULL;
    bool failed = with_failures;

    // let each request of memory fail once
    for (int n = 0; failed; n++) {
        memory_fail_after(n);
        cairn_status status = cairn_world_create(&world_def, &world, NULL);
        failed = has_failed();
        CHECK(status == (failed ? CAIRN_NO_MEMORY : CAIRN_OK));
    }

    if (!world)
        world = worlds_empty(world_def);

    worlds_ground(world);

    cairn_shape box = cairn_shape_box(cairn_vec(0.2, 0.2, 0.2));
    cairn_body_id last = {0};

    for (int i = 0; i < bodies; i++) {
        cairn_body_def def = cairn_default_body_def();
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
        cairn_body_id id = {0};
        cairn_joint_id joint_id;
        def.shape = &box;
        def.pose.p = cairn_vec(0.5 * i, 0.0, 0.25);
        failed = true;

        for (int n = 0; failed; n++) {
            memory_fail_after(with_failures ? n : -1);
            cairn_status status = cairn_world_add_body(world, &def, &id, NULL);
            failed = has_failed() && with_failures;
            CHECK(status == (failed ? CAIRN_NO_MEMORY : CAIRN_OK));
        }

        joint.body_a = last;
        joint.body_b = id;
        joint.frame_a.p = cairn_vec(0.25, 0.0, 0.0);
        joint.frame_b.p = cairn_vec(-0.25, 0.0, 0.0);
        failed = i % 3 > 0;

        for (int n = 0; failed; n++) {
            memory_fail_after(with_failures ? n : -1);
            cairn_status status = cairn_world_add_joint(world, &joint, &joint_id, NULL);
            failed = has_failed() && with_failures;
            CHECK(status == (failed ? CAIRN_NO_MEMORY : CAIRN_OK));
        }

        last = id;
    }

    worlds_run(world, 5);
    uint64_t end = worlds_seen(world);
    cairn_world_destroy(world);
    return end;
}

TEST(bodies_and_joints_that_could_not_be_added_left_no_trace)
{
    ck_assert_uint_eq(build(true), build(false));
}
END

TEST(a_query_without_memory_says_so_and_changes_nothing)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world = worlds_heap(def, 3);

    worlds_run(world, 30);
    int failures = 0;
    bool failed = true;

    for (int n = 0; failed; n++) {
        // bodies that were placed since the last step have to be listed
        for (int i = 0; i < cairn_world_body_slots(world); i++) {
            cairn_body_state state;
            cairn_body_id id = cairn_world_body_at(world, i);
            CHECK(cairn_body_get(world, id, &state, NULL) == CAIRN_OK);
            state.pose.p.x += 0.5;
            CHECK(cairn_body_set_pose(world, id, state.pose, NULL) == CAIRN_OK);
        }

        uint64_t start = worlds_seen(world);
        cairn_body_hit hit = {0};
        memory_fail_after(n);
        cairn_status status =
            cairn_world_cast_ray(world, cairn_vec(0.0, 0.0, 20.0), cairn_vec(0.0, 0.0, -30.0),
                                 CAIRN_MASK_ALL, &hit, NULL);
        failed = has_failed();
        failures += failed;

        CHECK(status == (failed ? CAIRN_NO_MEMORY : CAIRN_OK));
        ck_assert_uint_eq(worlds_seen(world), start);
    }
    CHECK(failures > 0);
    cairn_world_destroy(world);
}
END

TESTS(a_step_with_alerts_is_as_it_was, a_wall_that_is_hit_is_as_it_was,
      a_wall_that_is_hit_is_as_it_was_when_memory_runs_out_late, falling_balls_are_as_they_were,
      chains_and_machines_are_as_they_were, exact_solves_leave_columns_as_they_were,
      columns_that_fall_asleep_are_as_they_were, sleeping_columns_that_wake_are_as_they_were,
      threads_leave_many_columns_as_they_were, bodies_on_a_mesh_are_as_they_were,
      snapshots_and_restores_that_fail_change_nothing,
      bodies_and_joints_that_could_not_be_added_left_no_trace,
      a_query_without_memory_says_so_and_changes_nothing)
