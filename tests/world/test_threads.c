// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The same bits for any number of threads.

#include "check_cairn.h"
#include "worlds.h"

typedef cairn_world* (*maker)(cairn_world_def def);

static cairn_world* columns(cairn_world_def def)
{
    cairn_world* world = worlds_columns(def, 20, 4);
    // some are kicked, so that islands need different methods
    for (int i = 0; i < 20; i += 3) {
        cairn_body_id id = {4 * i + 3, 1};
        CHECK(cairn_body_set_velocity(world, id, cairn_vec(0.3 * (i % 5), 1.0, 0.0),
                                      cairn_vec(0.0, 0.1 * i, 0.0), NULL) == CAIRN_OK);
    }
    return world;
}

static cairn_world* heap(cairn_world_def def)
{
    return worlds_heap(def, 4);
}

static cairn_world* pile(cairn_world_def def)
{
    return worlds_heap(def, 7);
}

// many chains that swing, and balls that fall beside them
static cairn_world* chains(cairn_world_def def)
{
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);

    for (int k = 0; k < 12; k++) {
        cairn_body_id before = {0};
        for (int i = 0; i < 6; i++) {
            cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
            cairn_joint_id id;
            cairn_vec3 at = cairn_vec(0.5 * i + 0.25, 3.0 * k, 5.0);
            joint.body_a = before;
            joint.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC,
                                      cairn_shape_box(cairn_vec(0.2, 0.05, 0.05)), at);
            joint.frame_a.p = i ? cairn_vec(0.25, 0.0, 0.0) : cairn_vec(0.0, 3.0 * k, 5.0);
            joint.frame_b.p = cairn_vec(-0.25, 0.0, 0.0);
            CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
            before = joint.body_b;
        }

        for (int i = 0; i < 3; i++)
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3),
                       cairn_vec(0.1 * i, 3.0 * k + 1.0, 0.5 + 0.7 * i));
    }

    return world;
}

// a slow build looks for races, and for those four threads and fewer steps are enough
static void same_bits(maker make, cairn_world_def def, int steps)
{
    enum { most = 120 };
    uint64_t hash[most];
    const int threads[] = {1, 2, 4};
    steps = CHECK_SLOW_BUILD ? (steps + 1) / 2 : steps;

    for (int k = 0; k < 3; k += CHECK_SLOW_BUILD ? 2 : 1) {
        def.threads = threads[k];
        cairn_world* world = make(def);
        for (int i = 0; i < steps; i++) {
            cairn_step_report report = worlds_run(world, 1);
            CHECK(report.islands >= 0);
            if (k == 0)
                hash[i] = cairn_world_hash(world);
            else
                ck_assert_uint_eq(hash[i], cairn_world_hash(world));
        }
        cairn_world_destroy(world);
    }
}

TEST(many_islands_have_the_same_bits_for_any_number_of_threads)
{
    cairn_world_def def = cairn_default_world_def();
    same_bits(columns, def, 30);
    def.substeps = 3;
    def.tolerance = 1e-3;
    same_bits(columns, def, 20);
}
END

TEST(chains_and_balls_have_the_same_bits_for_any_number_of_threads)
{
    cairn_world_def def = cairn_default_world_def();
    same_bits(chains, def, 40);
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    def.substeps = 2;
    same_bits(chains, def, 40);
}
END

TEST(a_heap_has_the_same_bits_for_any_number_of_threads)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    same_bits(heap, def, 40);
    // one large island by a method whose colors are shared out
    def.method = "pgs";
    def.tolerance = 1e-2;
    same_bits(heap, def, 10);
}
END

TEST(a_restored_world_keeps_its_threads_and_its_bits)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_snapshot* snapshot = NULL;
    uint64_t hash[2];
    def.threads = 4;
    cairn_world* world = columns(def);

    worlds_run(world, 10);
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);

    worlds_run(world, 20);
    hash[0] = cairn_world_hash(world);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);

    worlds_run(world, 20);
    hash[1] = cairn_world_hash(world);

    ck_assert_uint_eq(hash[0], hash[1]);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

TEST(threads_that_share_the_colors_of_one_pile_have_the_same_bits)
{
    cairn_world_def def = cairn_default_world_def();
    def.substeps = 2;
    def.tolerance = 1e-2;
    def.threads = 4;
    cairn_world* world = pile(def);

    cairn_step_report report = worlds_run(world, 50);
    int largest = 0;

    for (int i = 0; i < report.islands; i++)
        largest = report.island_reports[i].contacts > largest ? report.island_reports[i].contacts
                                                              : largest;

    ck_assert_int_gt(largest, 600); // enough for threads to share
    cairn_world_destroy(world);

    if (!CHECK_SLOW_BUILD)
        same_bits(pile, def, 50);
}
END

TESTS(many_islands_have_the_same_bits_for_any_number_of_threads,
      chains_and_balls_have_the_same_bits_for_any_number_of_threads,
      a_heap_has_the_same_bits_for_any_number_of_threads,
      threads_that_share_the_colors_of_one_pile_have_the_same_bits,
      a_restored_world_keeps_its_threads_and_its_bits)
