// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"

enum { size = 18 }; // 867 of 1785 rows close loops, and some of them repeat others

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
            for (int side = 0; side < 2; side++) {
                cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
                cairn_joint_id own;
                if (i == 0 || (side == 1 && k == 0))
                    continue;
                joint.body_a = side ? id[k - 1][i] : id[k][i - 1];
                joint.body_b = id[k][i];
                joint.frame_a.p = side ? cairn_vec(0.5, 0.0, 0.0) : cairn_vec(0.0, 0.0, -0.5);
                joint.frame_b.p = side ? cairn_vec(-0.5, 0.0, 0.0) : cairn_vec(0.0, 0.0, 0.5);
                CHECK(cairn_world_add_joint(world, &joint, &own, NULL) == CAIRN_OK);
            }
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

TESTS(a_net_hangs_still, a_net_that_swings_as_a_plane_keeps_its_joints)
