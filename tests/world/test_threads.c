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

// a wall so long that it is cut in two, which a ball is about to hit
static cairn_world* long_wall(cairn_world_def def)
{
    enum { rows = 24, bricks = 44 };
    const cairn_vec3 half = cairn_vec(0.25, 0.125, 0.125);
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);

    for (int r = 0; r < rows; r++)
        for (int i = 0; i < bricks; i++)
            worlds_add(
                world, CAIRN_BODY_DYNAMIC, cairn_shape_box(half),
                cairn_vec(0.505 * (i - 0.5 * bricks) + 0.25 * (r % 2), 0.0, 0.25 * r + 0.126));

    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, -0.8, 2.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 30.0, 0.0), cairn_vec(0, 0, 0),
                                  NULL) == CAIRN_OK);
    return world;
}

// boxes that land, in pairs that are joined
static cairn_world* joined_boxes(cairn_world_def def)
{
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    for (int i = 0; i < 96; i++) {
        const double x = 0.9 * (i % 4), y = 0.5 * (i / 4 % 4), z = 0.3 + 0.45 * (i / 16);
        const cairn_shape box = cairn_shape_box(cairn_vec(0.2, 0.2, 0.2));
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_HINGE);
        cairn_joint_id id;
        joint.body_a = worlds_add(world, CAIRN_BODY_DYNAMIC, box, cairn_vec(x, y, z));
        joint.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, box, cairn_vec(x + 0.42, y, z));
        joint.frame_a.p = cairn_vec(0.21, 0.0, 0.0);
        joint.frame_b.p = cairn_vec(-0.21, 0.0, 0.0);
        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    }
    return world;
}

// a slow build looks for races, and for those four threads and fewer steps are enough
static void same_bits(maker make, cairn_world_def def, int steps)
{
    enum { most = 120 };
    uint64_t hash[most];
    const int threads[] = {1, 2, 3, 4};
    steps = CHECK_SLOW_BUILD ? (steps + 1) / 2 : steps;

    for (int k = 0; k < 4; k += CHECK_SLOW_BUILD ? 3 : 1) {
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

TEST(a_wall_that_is_hit_has_the_same_bits_for_any_number_of_threads)
{
    enum { steps = 6 };
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = long_wall(def);
    cairn_step_report report = worlds_run(world, 3);
    ck_assert_int_gt(report.contacts, 8192); // manifolds of four, of which 2,048 are cut in two
    cairn_world_destroy(world);
    same_bits(long_wall, def, steps);
}
END

TEST(joined_boxes_that_land_have_the_same_bits_for_any_number_of_threads)
{
    same_bits(joined_boxes, cairn_default_world_def(), 16);
}
END

TESTS(many_islands_have_the_same_bits_for_any_number_of_threads,
      chains_and_balls_have_the_same_bits_for_any_number_of_threads,
      a_heap_has_the_same_bits_for_any_number_of_threads,
      a_wall_that_is_hit_has_the_same_bits_for_any_number_of_threads,
      joined_boxes_that_land_have_the_same_bits_for_any_number_of_threads,
      threads_that_share_the_colors_of_one_pile_have_the_same_bits,
      a_restored_world_keeps_its_threads_and_its_bits)
