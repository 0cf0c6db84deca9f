// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"

enum { most_steps = 200 };

// the hashes of some steps
static void record(uint64_t* hash, cairn_world* world, int steps)
{
    for (int i = 0; i < steps; i++) {
        worlds_run(world, 1);
        hash[i] = cairn_world_hash(world);
    }
}

static cairn_snapshot* take(const cairn_world* world)
{
    cairn_snapshot* snapshot = NULL;
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    return snapshot;
}

static void restore(cairn_world* world, const cairn_snapshot* snapshot)
{
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
}

// runs `before` steps, then `after` steps twice from the same snapshot, the second time after the
// world has gone elsewhere, and once in another world; destroys the world
static void repeats(cairn_world* world, int before, int after)
{
    uint64_t first[most_steps], again[most_steps];
    after = CHECK_SLOW_BUILD ? (after + 2) / 3 : after;

    worlds_run(world, before);
    uint64_t start = cairn_world_hash(world);
    cairn_snapshot* snapshot = take(world);
    ck_assert_uint_eq(cairn_world_hash(world), start);

    record(first, world, after);
    ck_assert_uint_ne(first[after - 1], start);

    // other bodies and a further step do not matter
    for (int i = 0; i < 40; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.2),
                   cairn_vec(0.5 * i, 1.0, 3.0));

    worlds_run(world, 10);
    restore(world, snapshot);
    ck_assert_uint_eq(cairn_world_hash(world), start);

    record(again, world, after);
    for (int i = 0; i < after; i++)
        ck_assert_uint_eq(first[i], again[i]);

    // a world of its own, and a snapshot that outlives the first one
    cairn_world* other = worlds_empty(cairn_default_world_def());
    cairn_world_destroy(world);

    restore(other, snapshot);
    cairn_snapshot_destroy(snapshot);

    record(again, other, after);
    for (int i = 0; i < after; i++)
        ck_assert_uint_eq(first[i], again[i]);
    cairn_world_destroy(other);
}

TEST(a_restored_heap_falls_the_same_way_again)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-4;
    repeats(worlds_heap(def, 3), 40, 30);
}
END

TEST(a_restored_wall_stands_and_is_hit_the_same_way_again)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-4;
    cairn_world* world = worlds_wall(def, 5, 4);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, -3.0, 1.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 10.0, 0.0), cairn_vec(1.0, 2.0, 3.0),
                                  NULL) == CAIRN_OK);
    repeats(world, 12, 16);
}
END

TEST(a_restored_chain_and_a_restored_machine_go_on_the_same_way)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_joint_id motor;
    repeats(worlds_machine(def, &motor), 30, 60);
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    def.substeps = 4;
    repeats(worlds_chain(def, 20, NULL), 30, 60);
}
END

TEST(bodies_and_joints_that_were_removed_or_added_are_as_before)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_joint_id motor;
    cairn_world* world = worlds_machine(def, &motor);
    cairn_body_id box =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3), cairn_vec(0.0, 2.0, 0.3));
    uint64_t first[most_steps], again[most_steps];

    worlds_run(world, 20);
    cairn_snapshot* snapshot = take(world);
    cairn_joint_state state;

    // the same edits after the snapshot, with the same ids, give the same states
    for (int round = 0; round < 2; round++) {
        CHECK(cairn_world_remove_body(world, box, NULL) == CAIRN_OK);
        CHECK(cairn_world_remove_joint(world, motor, NULL) == CAIRN_OK);
        cairn_body_id added = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                         cairn_vec(0.0, 0.5, 1.0));

        ck_assert_int_eq(added.index, box.index);
        ck_assert_uint_eq(added.generation, box.generation + 1);

        record(round ? again : first, world, 40);
        restore(world, snapshot);
        CHECK(cairn_joint_get(world, motor, &state, NULL) == CAIRN_OK);
        CHECK(worlds_state(world, box).mass > 0.0);

        cairn_body_state gone;
        CHECK(cairn_body_get(world, added, &gone, NULL) == CAIRN_BAD_INPUT);
    }
    for (int i = 0; i < 40; i++)
        ck_assert_uint_eq(first[i], again[i]);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

TEST(a_body_takes_its_joints_with_it)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape ball = cairn_shape_sphere(0.3);
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    joint.body_a = worlds_add(world, CAIRN_BODY_DYNAMIC, ball, cairn_vec(0.0, 0.0, 0.0));
    joint.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, ball, cairn_vec(1.0, 0.0, 0.0));
    cairn_joint_id id;
    cairn_joint_state state;
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    CHECK(cairn_world_remove_body(world, joint.body_a, NULL) == CAIRN_OK);
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_BAD_INPUT);

    // the slot's next owner is free, and collides with the former partner
    cairn_body_id next = worlds_add(world, CAIRN_BODY_DYNAMIC, ball, cairn_vec(0.0, 0.0, 0.0));
    ck_assert_int_eq(next.index, joint.body_a.index);

    CHECK(cairn_body_set_velocity(world, next, cairn_vec(2.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 30);

    CHECK(worlds_state(world, joint.body_b).velocity.x > 0.5);
    cairn_world_destroy(world);
}
END

TEST(bodies_that_come_and_go_without_a_step_cost_nothing)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    for (int i = 0; i < 1000; i++) {
        cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                      cairn_vec(0.0, 0.0, 0.0));
        ck_assert_int_eq(id.index, 0);
        CHECK(cairn_world_remove_body(world, id, NULL) == CAIRN_OK);
    }
    worlds_run(world, 1);
    cairn_world_destroy(world);
}
END

// Many pairs end at once and then nothing moves: the world gives memory back that its broad phase
// no longer needs, and a snapshot copies no more than is left.
TEST(a_snapshot_after_bodies_were_removed_is_a_snapshot_of_what_is_left)
{
    enum { balls = 200, copies = 20 };
    cairn_body_id id[balls];
    cairn_snapshot* snapshots[copies];
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);

    for (int i = 0; i < balls; i++)
        id[i] =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(i, 0.0, 0.1));

    worlds_run(world, 5);
    for (int i = 0; i < balls; i++)
        CHECK(cairn_world_remove_body(world, id[i], NULL) == CAIRN_OK);
    worlds_run(world, 30);

    // several, so that a write behind the end of one meets another
    uint64_t hash = cairn_world_hash(world);

    for (int k = 0; k < copies; k++)
        snapshots[k] = take(world);

    for (int k = 0; k < copies; k++) {
        restore(world, snapshots[k]);
        ck_assert_uint_eq(cairn_world_hash(world), hash);
        cairn_snapshot_destroy(snapshots[k]);
    }
    cairn_world_destroy(world);
}
END

TESTS(a_restored_heap_falls_the_same_way_again,
      a_restored_wall_stands_and_is_hit_the_same_way_again,
      a_restored_chain_and_a_restored_machine_go_on_the_same_way,
      bodies_and_joints_that_were_removed_or_added_are_as_before, a_body_takes_its_joints_with_it,
      bodies_that_come_and_go_without_a_step_cost_nothing,
      a_snapshot_after_bodies_were_removed_is_a_snapshot_of_what_is_left)
