// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A step that is canceled in its middle, after any of its solves, leaves the world as it was, to
// the bit, and so is its future.

#include "check_cairn.h"
#include "worlds.h"

typedef struct brake {
    cairn_world* world;
    int countdown; // solves until the step is canceled; negative: it is not
} brake;

static void pull(void* context, const cairn_island_solve* solve)
{
    brake* own = context;
    (void)solve;
    if (own->countdown >= 0 && own->countdown-- == 0)
        cairn_world_cancel(own->world);
}

// Cancels a step after each of its solves and compares with a copy that was left alone. Destroys
// the world; returns how often a step was canceled.
static int cancel_steps(cairn_world* world)
{
    uint64_t same[worlds_followed], other[worlds_followed], now[worlds_followed];
    cairn_snapshot* snapshot = NULL;
    brake own = {world, -1};
    uint64_t start = worlds_seen(world);
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    cairn_world_set_solve_hook(world, pull, &own);

    worlds_follow(same, world, worlds_dt);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    worlds_follow(other, world, 0.7 * worlds_dt);

    int canceled = 0;
    for (cairn_status status = CAIRN_INTERRUPTED; status == CAIRN_INTERRUPTED; canceled++) {
        CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
        own.countdown = canceled;

        status = cairn_world_step(world, worlds_dt, NULL, NULL);
        own.countdown = -1;
        CHECK(status == CAIRN_OK || status == CAIRN_INTERRUPTED);

        if (status == CAIRN_OK)
            break;
        ck_assert_msg(worlds_seen(world) == start, "solve %d: the world is another one", canceled);

        // as if the step had not been: for the same step again, and for a shorter one
        bool again = canceled % 2 == 0;

        worlds_follow(now, world, again ? worlds_dt : 0.7 * worlds_dt);
        for (int i = 0; i < worlds_followed; i++)
            ck_assert_msg(now[i] == (again ? same : other)[i], "solve %d: step %d after it",
                          canceled, i);
    }
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
    return canceled;
}

static cairn_world_def options(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    def.substeps = 3;
    return def;
}

TEST(a_wall_that_is_hit)
{
    cairn_world* world = worlds_wall(options(), 4, 4);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, -1.5, 1.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 15.0, 0.0), cairn_vec(1.0, 2.0, 3.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 6);
    CHECK(cancel_steps(world) >= 3);
}
END

TEST(boxes_and_balls_that_fall_and_bounce)
{
    cairn_world* world = worlds_empty(options());
    worlds_ground(world);

    for (int i = 0; i < 24; i++) {
        cairn_shape shape =
            i % 2 ? cairn_shape_sphere(0.3) : cairn_shape_box(cairn_vec(0.3, 0.2, 0.25));
        cairn_body_id id = worlds_add(
            world, CAIRN_BODY_DYNAMIC, shape,
            cairn_vec(0.55 * (i % 3) + 0.01 * i, 0.5 * (i / 3 % 3), 0.4 + 0.6 * (i / 9)));
        cairn_material material = cairn_default_material();
        material.restitution = i % 3 ? 0.0 : 0.6;
        CHECK(cairn_body_set_material(world, id, &material, NULL) == CAIRN_OK);
        CHECK(cairn_body_set_velocity(world, id, cairn_vec(0.0, 0.1 * i, -3.0),
                                      cairn_vec(i, 0.0, 1.0), NULL) == CAIRN_OK);
    }

    // a step of each copy is canceled at every solve that it makes
    for (int i = 0; i < CHECK_FEWER(3, 1); i++) {
        worlds_run(world, 10);
        cairn_snapshot* snapshot = NULL;
        CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
        cairn_world* copy = worlds_empty(cairn_default_world_def());
        CHECK(cairn_world_restore(copy, snapshot, NULL) == CAIRN_OK);
        CHECK(cancel_steps(copy) >= 3);
        cairn_snapshot_destroy(snapshot);
    }
    cairn_world_destroy(world);
}
END

TEST(joints_motors_and_contacts)
{
    cairn_joint_id motor;
    cairn_world* world = worlds_machine(options(), &motor);
    worlds_run(world, 25);
    CHECK(cancel_steps(world) >= 3);
    cairn_world_def def = options();
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    cairn_world* chain = worlds_chain(def, 10, NULL);
    worlds_run(chain, 10);
    CHECK(cancel_steps(chain) >= 2);
}
END

// a column of three sleeps until a ball falls onto it; another pair ends in the same step
TEST(sleepers_that_wake_and_a_pair_that_ends)
{
    cairn_world_def def = options();
    cairn_world* world = worlds_columns(def, 4, 3);
    cairn_body_id top =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.4), cairn_vec(3.0, 0.0, 3.4));
    worlds_run(world, 120);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3), cairn_vec(0.1, 0.0, 3.4));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 0.0, -8.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    CHECK(cairn_world_remove_body(world, top, NULL) == CAIRN_OK);
    CHECK(cancel_steps(world) >= 2);
}
END

TESTS(a_wall_that_is_hit, boxes_and_balls_that_fall_and_bounce, joints_motors_and_contacts,
      sleepers_that_wake_and_a_pair_that_ends)
