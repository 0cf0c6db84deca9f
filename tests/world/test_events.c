// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"

static const cairn_vec3 none = {0.0, 0.0, 0.0};

static bool same(cairn_body_id a, cairn_body_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

static int count_pair(const cairn_contact_event* events, int count, cairn_body_id a,
                      cairn_body_id b)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += (same(events[i].body_a, a) && same(events[i].body_b, b)) ||
                 (same(events[i].body_a, b) && same(events[i].body_b, a));
    return found;
}

// begins less ends of a pair so far, of the last step's events
static int balance(const cairn_world* world, cairn_body_id a, cairn_body_id b)
{
    cairn_events events = cairn_world_events(world);
    return count_pair(events.begun, events.begun_count, a, b) -
           count_pair(events.ended, events.ended_count, a, b);
}

TEST(a_bouncing_ball_begins_and_ends_at_every_bounce)
{
    for (int substeps = 1; substeps <= 8; substeps *= 8) {
        cairn_world_def def = cairn_default_world_def();
        def.substeps = substeps;
        cairn_world* world = worlds_empty(def);
        cairn_body_def body = cairn_default_body_def();
        cairn_shape half = cairn_shape_half_space(), sphere = cairn_shape_sphere(0.5);
        cairn_body_id ground, ball;
        body.material.restitution = 1.0;
        body.type = CAIRN_BODY_STATIC;
        body.shape = &half;
        CHECK(cairn_world_add_body(world, &body, &ground, NULL) == CAIRN_OK);
        body.type = CAIRN_BODY_DYNAMIC;
        body.shape = &sphere;
        body.pose.p.z = 1.5;
        CHECK(cairn_world_add_body(world, &body, &ball, NULL) == CAIRN_OK);
        int begun = 0, ended = 0, bounces = 0;
        double before = 0.0;

        for (int i = 0; i < 240; i++) {
            worlds_run(world, 1);
            cairn_events events = cairn_world_events(world);
            begun += events.begun_count;
            ended += events.ended_count;
            CHECK(begun == ended || begun == ended + 1);
            double v = worlds_state(world, ball).velocity.z;
            bounces += before < 0.0 && v > 0.0;
            before = v;
        }

        // 1 m of fall: 0.4515 s down and as much up
        CHECK(bounces == 4 || bounces == 5);
        ck_assert_int_eq(begun, bounces);
        cairn_world_destroy(world);
    }
}
END

TEST(a_stack_begins_once_and_does_not_flicker)
{
    cairn_world* world = worlds_pyramid(cairn_default_world_def(), 5);
    int begun = 0;
    for (int i = 0; i < 120; i++) {
        worlds_run(world, 1);
        cairn_events events = cairn_world_events(world);
        begun += events.begun_count;
        ck_assert_int_eq(events.ended_count, 0);
    }
    // 5 on the ground, and each of the 10 above on two
    ck_assert_int_eq(begun, 25);
    cairn_world_destroy(world);
}
END

TEST(removed_bodies_end_their_contacts_by_their_own_names)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id ground = worlds_ground(world);
    cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_body_id low = worlds_add(world, CAIRN_BODY_DYNAMIC, cube, cairn_vec(0.0, 0.0, 0.5));
    cairn_body_id high = worlds_add(world, CAIRN_BODY_DYNAMIC, cube, cairn_vec(0.0, 0.0, 1.5));
    worlds_run(world, 1);

    ck_assert_int_eq(balance(world, low, ground), 1);
    ck_assert_int_eq(balance(world, high, low), 1);
    worlds_run(world, 5);

    // another body takes the slot before the next step
    CHECK(cairn_world_remove_body(world, low, NULL) == CAIRN_OK);
    cairn_body_id next = worlds_add(world, CAIRN_BODY_DYNAMIC, cube, cairn_vec(0.0, 0.0, 0.5));
    ck_assert_int_eq(next.index, low.index);

    worlds_run(world, 1);
    ck_assert_int_eq(balance(world, low, ground), -1);
    ck_assert_int_eq(balance(world, high, low), -1);
    ck_assert_int_eq(balance(world, next, ground), 1);
    ck_assert_int_eq(balance(world, high, next), 1);

    cairn_events events = cairn_world_events(world);
    ck_assert_int_eq(events.begun_count, 2);
    ck_assert_int_eq(events.ended_count, 2);
    cairn_world_destroy(world);
}
END

TEST(moved_and_joined_bodies_end_their_contacts)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id ground = worlds_ground(world);
    cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_body_id low = worlds_add(world, CAIRN_BODY_DYNAMIC, cube, cairn_vec(0.0, 0.0, 0.5));
    cairn_body_id high = worlds_add(world, CAIRN_BODY_DYNAMIC, cube, cairn_vec(0.0, 0.0, 1.5));

    worlds_run(world, 2);

    // a joint between two bodies ends their contact and leaves others
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_FIXED);
    cairn_joint_id id;
    joint.body_a = low;
    joint.body_b = high;
    joint.frame_a.p.z = 0.5;
    joint.frame_b.p.z = -0.5;
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    worlds_run(world, 1);

    ck_assert_int_eq(balance(world, low, high), -1);
    ck_assert_int_eq(balance(world, low, ground), 0);

    // without the joint the contact begins again
    CHECK(cairn_world_remove_joint(world, id, NULL) == CAIRN_OK);
    worlds_run(world, 1);
    ck_assert_int_eq(balance(world, low, high), 1);

    cairn_transform away = {cairn_vec(50.0, 0.0, 5.0), cairn_quat_identity()};
    CHECK(cairn_body_set_pose(world, high, away, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_velocity(world, high, none, none, NULL) == CAIRN_OK);
    worlds_run(world, 1);

    ck_assert_int_eq(balance(world, low, high), -1);
    cairn_world_destroy(world);
}
END

TEST(a_restored_world_tells_the_same_events)
{
    cairn_world* world = worlds_pyramid(cairn_default_world_def(), 3);
    cairn_snapshot* snapshot = NULL;

    worlds_run(world, 1);
    cairn_events first = cairn_world_events(world);
    int begun = first.begun_count;
    CHECK(begun > 0);

    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    worlds_run(world, 3);
    ck_assert_int_eq(cairn_world_events(world).begun_count, 0);

    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    ck_assert_int_eq(cairn_world_events(world).begun_count, begun);

    worlds_run(world, 1);
    ck_assert_int_eq(cairn_world_events(world).begun_count, 0);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

TESTS(a_bouncing_ball_begins_and_ends_at_every_bounce, a_stack_begins_once_and_does_not_flicker,
      removed_bodies_end_their_contacts_by_their_own_names,
      moved_and_joined_bodies_end_their_contacts, a_restored_world_tells_the_same_events)
