// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A step of a settled scene asks the system for no memory, and a world holds little.

#include "check_cairn.h"
#include "nets.h"
#include "solve/tree/loops.h"
#include "worlds.h"
#include "wrapped_memory.h"

// lets the world settle, then counts what `steps` steps ask for; destroys the world
static int asked(cairn_world* world, int settle, int steps)
{
    worlds_run(world, settle);
    long before = memory_requests();
    int failed = 0;
    for (int i = 0; i < steps; i++)
        failed += cairn_world_step(world, worlds_dt, NULL, NULL) != CAIRN_OK;
    int more = (int)(memory_requests() - before);
    ck_assert_int_eq(failed, 0);
    cairn_world_destroy(world);
    return more;
}

static cairn_world_def options(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    def.tolerance = 1e-3;
    return def;
}

TEST(requests_are_counted)
{
    long before = memory_requests();
    cairn_world_destroy(worlds_empty(options()));
    CHECK(memory_requests() > before);
}
END

TEST(a_standing_wall_asks_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_wall(options(), 10, 10), 30, 60), 0);
}
END

TEST(a_standing_pyramid_asks_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_pyramid(options(), 10), 30, 60), 0);
}
END

TEST(a_heap_at_rest_asks_for_no_memory)
{
    // its last ball has found its place long before; of a small heap sooner
    const int layers = CHECK_SLOW_BUILD ? 2 : 3, settle = CHECK_SLOW_BUILD ? 600 : 2400;
    ck_assert_int_eq(asked(worlds_heap(options(), layers), settle, settle / 4), 0);
}
END

TEST(a_swinging_chain_asks_for_no_memory)
{
    cairn_world_def def = options();
    ck_assert_int_eq(asked(worlds_chain(def, 20, NULL), 30, 60), 0);
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    def.substeps = 4;
    ck_assert_int_eq(asked(worlds_chain(def, 20, NULL), 30, 60), 0);
}
END

TEST(exact_solves_and_motors_ask_for_no_memory)
{
    cairn_world_def def = options();
    cairn_joint_id motor;
    def.rest_pass = false;
    def.method = "exact";
    ck_assert_int_eq(asked(worlds_columns(def, 5, 5), 90, 60), 0);
    def.method = "auto";
    ck_assert_int_eq(asked(worlds_machine(def, &motor), 120, 60), 0);
}
END

TEST(a_net_of_joints_asks_for_no_memory_once_it_is_made)
{
    net n = net_grid(8, 8, 3, 1e4);
    cairn_loops* loops;
    cairn_loops_def def = cairn_default_loops_def();
    double *y = calloc(6 * 64, sizeof(double)), *lambda = calloc((size_t)n.rows, sizeof(double));
    net_load(&n, 3, true);
    ck_assert_int_eq(cairn_loops_create(&loops, n.bodies, n.joint, n.joints, &def), CAIRN_OK);

    long before = memory_requests();
    cairn_loops_load(loops, n.mass, n.row, NULL);
    cairn_loops_solve(loops, n.f, n.c, 1, y, lambda);
    n.c[0] += 1.0; // rows that contradict each other: every factor of the ladder
    cairn_loops_solve(loops, n.f, n.c, 1, y, lambda);
    int more = (int)(memory_requests() - before);

    ck_assert_int_eq(more, 0);
    cairn_loops_destroy(loops);
    free(y);
    free(lambda);
    net_free(&n);
}
END

TEST(sleeping_stacks_ask_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_columns(cairn_default_world_def(), 5, 5), 60, 60), 0);
}
END

static int touching_pairs(const cairn_world* world)
{
    int count_of, pairs = 0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count_of);
    for (int c = 0; c < count_of; c++)
        pairs += c == 0 || contacts[c].body_a.index != contacts[c - 1].body_a.index ||
                 contacts[c].body_b.index != contacts[c - 1].body_b.index;
    return pairs;
}

// a world that goes on from where another is, made without a word of Check, which asks for memory
// too; what it says that it holds must be what it asked for, but for the allocator's rounding
static cairn_world* honest_copy(const cairn_world* world, cairn_step_report* report)
{
    cairn_world_def def = options();
    cairn_snapshot* snapshot = NULL;
    cairn_world* copy = NULL;
    cairn_status status = cairn_world_snapshot(world, &snapshot, NULL);
    size_t before = memory_bytes();

    if (status == CAIRN_OK)
        status = cairn_world_create(&def, &copy, NULL);
    if (status == CAIRN_OK)
        status = cairn_world_restore(copy, snapshot, NULL);
    for (int i = 0; i < 60 && status == CAIRN_OK; i++)
        status = cairn_world_step(copy, worlds_dt, report, NULL);

    double real = (double)(memory_bytes() - before), told = (double)cairn_world_memory(copy, NULL);
    CHECK(status == CAIRN_OK);
    CHECK_BELOW(told, real);
    CHECK_BELOW(real, 1.05 * told);
    cairn_snapshot_destroy(snapshot);
    return copy;
}

// bytes of lasting memory for each body, joint and pair of touching bodies; destroys the world
static double bytes_each(cairn_world* world)
{
    cairn_step_report report;
    size_t scratch;
    cairn_world* copy = honest_copy(world, &report);
    double bytes = (double)cairn_world_memory(copy, &scratch) - (double)scratch;
    double each = bytes / (report.bodies + report.joints + touching_pairs(copy));
    cairn_world_destroy(copy);
    cairn_world_destroy(world);
    return each;
}

// a chain and 300 bodies (200 in a slow build), each of which `jointed` hangs at its end for one
// step; the scratch memory after 70 steps without them, and the most that it was
static size_t scratch_after(bool jointed, size_t* most)
{
    *most = 0;
    cairn_body_id last;
    cairn_joint_id id;
    size_t scratch;
    cairn_world* world = worlds_chain(options(), 5, &last);

    for (int i = 0; i < (CHECK_SLOW_BUILD ? 200 : 300); i++) {
        // every joint makes another tree of the same size
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
        joint.body_a = last;
        joint.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                  cairn_vec(3.0 + i, 0.0, 0.0));
        joint.frame_a.p.x = 1.0;

        // a world with contacts holds memory for these
        CHECK(cairn_body_set_filter(world, joint.body_b, 0, 0, NULL) == CAIRN_OK);
        if (jointed)
            CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);

        worlds_run(world, 1);
        if (jointed)
            CHECK(cairn_world_remove_joint(world, id, NULL) == CAIRN_OK);

        cairn_world_memory(world, &scratch);
        *most = scratch > *most ? scratch : *most;
    }

    worlds_run(world, 70);
    cairn_world_memory(world, &scratch);
    cairn_world_destroy(world);
    return scratch;
}

TEST(trees_of_joints_that_are_gone_are_forgotten)
{
    // beyond what the bodies need by themselves, most of it is given back
    size_t most, most_plain;
    double end = (double)scratch_after(true, &most);
    double plain = (double)scratch_after(false, &most_plain);
    CHECK(most > most_plain);
    CHECK_BELOW(end - plain, 0.05 * ((double)most - plain));
}
END

TEST(a_world_holds_three_kilobytes_for_each_body_and_pair)
{
    CHECK_BELOW(bytes_each(worlds_wall(options(), 10, 10)), 3072.0);
    CHECK_BELOW(bytes_each(worlds_pyramid(options(), CHECK_SLOW_BUILD ? 10 : 20)), 3072.0);
    CHECK_BELOW(bytes_each(worlds_heap(options(), CHECK_SLOW_BUILD ? 4 : 5)), 3072.0);
    CHECK_BELOW(bytes_each(worlds_chain(options(), 100, NULL)), 3072.0);
}
END

// the same with the scratch memory that it holds after some steps
static double bytes_with_scratch(cairn_world* world, int steps)
{
    cairn_step_report report = worlds_run(world, steps);
    double bytes = (double)cairn_world_memory(world, NULL);
    double each = bytes / (report.bodies + report.joints + touching_pairs(world));
    cairn_world_destroy(world);
    return each;
}

TEST(scratch_that_no_step_needs_any_more_is_given_back)
{
    cairn_world_def moving = options();
    moving.tolerance = 1e-2;
    moving.substeps = 3;
    CHECK_BELOW(bytes_with_scratch(worlds_wall(options(), 10, 10), 60), 3072.0);
    if (!CHECK_SLOW_BUILD) {
        CHECK_BELOW(bytes_with_scratch(worlds_pyramid(options(), 20), 60), 3072.0);
        CHECK_BELOW(bytes_with_scratch(worlds_heap(moving, 8), 120), 3072.0);
        CHECK_BELOW(bytes_with_scratch(worlds_heap(moving, 5), 240), 3072.0);
    }
    moving.threads = 4;
    CHECK_BELOW(bytes_with_scratch(worlds_heap(moving, 5), CHECK_FEWER(240, 120)), 3072.0);
}
END

TESTS(requests_are_counted, a_standing_wall_asks_for_no_memory,
      a_standing_pyramid_asks_for_no_memory, a_heap_at_rest_asks_for_no_memory,
      a_swinging_chain_asks_for_no_memory, exact_solves_and_motors_ask_for_no_memory,
      a_net_of_joints_asks_for_no_memory_once_it_is_made, sleeping_stacks_ask_for_no_memory,
      trees_of_joints_that_are_gone_are_forgotten,
      a_world_holds_three_kilobytes_for_each_body_and_pair,
      scratch_that_no_step_needs_any_more_is_given_back)
