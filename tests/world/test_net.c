// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>

enum { size = 18, small = 10 }; // 867 of 1785 rows close loops, and some of them repeat others

// a ball joint between a body and the one beside it, or below it
static void tie(cairn_world* world, cairn_body_id a, cairn_body_id b, bool beside)
{
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id own;
    joint.body_a = a;
    joint.body_b = b;
    joint.frame_a.p = beside ? cairn_vec(0.5, 0.0, 0.0) : cairn_vec(0.0, 0.0, -0.5);
    joint.frame_b.p = beside ? cairn_vec(-0.5, 0.0, 0.0) : cairn_vec(0.0, 0.0, 0.5);
    CHECK(cairn_world_add_joint(world, &joint, &own, NULL) == CAIRN_OK);
}

// balls in a vertical net, its upper edge fixed; all swing out of its plane with the angular
// velocity w about that edge
static cairn_world* hang_net(double w, cairn_body_id* last)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    cairn_shape ball = cairn_shape_sphere(0.4);
    cairn_body_id id[size][size];

    for (int k = 0; k < size; k++)
        for (int i = 0; i < size; i++) {
            cairn_body_def body = cairn_default_body_def();
            body.type = i == 0 ? CAIRN_BODY_STATIC : body.type;
            body.shape = &ball;
            body.mask = 0;
            body.pose.p = cairn_vec(k, 0.0, -i);
            body.velocity = i == 0 ? body.velocity : cairn_vec(0.0, w * (i - 0.5), 0.0);
            body.spin = i == 0 ? body.spin : cairn_vec(w, 0.0, 0.0);
            CHECK(cairn_world_add_body(world, &body, &id[k][i], NULL) == CAIRN_OK);
            for (int side = 0; side < 2; side++)
                if (i > 0 && (side == 0 || k > 0))
                    tie(world, side ? id[k - 1][i] : id[k][i - 1], id[k][i], side);
        }

    *last = id[size - 1][size - 1];
    return world;
}

TEST(a_net_hangs_still)
{
    cairn_body_id last;
    cairn_world* world = hang_net(0.0, &last);
    cairn_step_report report;
    for (int i = 0; i < 30; i++) {
        ck_assert_int_eq(cairn_world_step(world, worlds_dt, &report, NULL), CAIRN_OK);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.joint_error, 1e-8);
    }
    cairn_body_state state;
    CHECK(cairn_body_get(world, last, &state, NULL) == CAIRN_OK);
    CHECK_BELOW(cairn_norm(cairn_sub(state.center, cairn_vec(size - 1, 0.0, 1 - size))), 1e-7);
    cairn_world_destroy(world);
}
END

TEST(a_net_that_swings_as_a_plane_keeps_its_joints)
{
    cairn_body_id last;
    cairn_world* world = hang_net(0.1, &last);
    cairn_step_report report;

    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq(cairn_world_step(world, worlds_dt, &report, NULL), CAIRN_OK);
        CHECK_BELOW(report.joint_error, 1e-7);
    }

    // a third of a second at less and less than 1.75 m/s
    cairn_body_state state;
    CHECK(cairn_body_get(world, last, &state, NULL) == CAIRN_OK);

    CHECK_NEAR(state.center.y, 0.57, 0.03);
    CHECK_NEAR(state.center.x, size - 1.0, 1e-3);
    cairn_world_destroy(world);
}
END

// the net of joints of `small` columns, each body thrown in another direction
static cairn_world* throw_net(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    cairn_shape ball = cairn_shape_sphere(0.4);
    cairn_body_id id[small][small];
    cairn_random random = {1};

    for (int k = 0; k < small; k++)
        for (int i = 0; i < small; i++) {
            cairn_body_def body = cairn_default_body_def();
            body.type = i == 0 ? CAIRN_BODY_STATIC : body.type;
            body.shape = &ball;
            body.mask = 0;
            body.pose.p = cairn_vec(k, 0.0, -i);
            if (i > 0)
                body.velocity = cairn_vec(cairn_random_range(&random, -3.0, 3.0),
                                          cairn_random_range(&random, -3.0, 3.0),
                                          cairn_random_range(&random, -3.0, 3.0));
            CHECK(cairn_world_add_body(world, &body, &id[k][i], NULL) == CAIRN_OK);
            for (int side = 0; side < 2; side++)
                if (i > 0 && (side == 0 || k > 0))
                    tie(world, side ? id[k - 1][i] : id[k][i - 1], id[k][i], side);
        }

    return world;
}

// Bent in two directions a net of rigid squares locks: joints repeat each other more and more.
TEST(a_net_that_locks_is_told_and_takes_bounded_work)
{
    cairn_world* world = throw_net();
    cairn_step_report report;
    double energy = INFINITY;

    for (int i = 0; i < 12; i++) {
        ck_assert_int_eq(cairn_world_step(world, worlds_dt, &report, NULL), CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED ||
              report.outcome == CAIRN_OUTCOME_STEP_LIMIT);
        ck_assert_str_eq(report.method, "tree");
        CHECK_BELOW(report.joint_error, 1.001e-5);
        CHECK_BELOW(report.work, 1e6);
        CHECK_BELOW(report.kinetic + report.potential, energy + 1e-6 * fabs(energy));
        energy = report.kinetic + report.potential;
    }
    cairn_world_destroy(world);
}
END

TESTS(a_net_hangs_still, a_net_that_swings_as_a_plane_keeps_its_joints,
      a_net_that_locks_is_told_and_takes_bounded_work)
