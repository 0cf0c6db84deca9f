// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The hook of contacts: what it refuses pushes nothing, is not traced and counts for no overlap; what
// it allows goes on as without it.

#include "check_cairn.h"
#include "worlds.h"

static const cairn_vec3 none = {0.0, 0.0, 0.0};

static bool same(cairn_body_id a, cairn_body_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

// a block may be stood on, and its sides let everything through
typedef struct block {
    cairn_body_id id;
    int asked;
} block;

static bool top_alone(void* context, const cairn_world* world, const cairn_contact* contact)
{
    block* b = context;
    b->asked++;
    CHECK(cairn_body_wake((cairn_world*)world, contact->body_a, NULL) == CAIRN_BUSY);
    CHECK(cairn_norm(contact->impulse) == 0.0);
    CHECK_NEAR(cairn_norm(contact->normal), 1.0, 1e-12);
    if (!same(contact->body_a, b->id) && !same(contact->body_b, b->id))
        return true;
    return fabs(contact->normal.z) > 0.9;
}

// boxes, balls and capsules fly into the side at up to 300 m/s: each keeps its velocity
TEST(what_comes_from_the_side_passes_at_any_speed)
{
    const cairn_shape shapes[] = {cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)),
                                  cairn_shape_sphere(0.2), cairn_shape_capsule(0.1, 0.2)};
    const double speeds[] = {1.0, 20.0, 90.0, 300.0};
    for (int k = 0; k < 12; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.gravity = none;
        cairn_world* world = worlds_empty(def);
        double v = speeds[k % 4];
        block b = {worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(1.0, 5.0, 5.0)),
                              cairn_vec(2.0, 0.0, 0.0)),
                   0};
        cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC, shapes[k / 4], none);
        CHECK(cairn_world_set_contact_hook(world, top_alone, &b, NULL) == CAIRN_OK);
        CHECK(cairn_body_set_velocity(world, id, cairn_vec(v, 0.0, 0.0), none, NULL) == CAIRN_OK);

        cairn_step_report report = worlds_run(world, (int)(5.0 * 60.0 / v) + 2);
        cairn_body_state state = worlds_state(world, id);
        CHECK(state.velocity.x == v && cairn_norm(state.spin) == 0.0);
        CHECK(state.pose.p.x > 5.0);
        CHECK(b.asked > 0 && report.penetration == 0.0);
        cairn_world_destroy(world);
    }
}
END

// the bits are those of a world without a hook, and what stands on the block sleeps there
TEST(what_stands_on_top_stays_to_the_bit)
{
    uint64_t seen[3];
    for (int k = 0; k < 3; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.threads = k == 2 ? 2 : 1;
        cairn_world* world = worlds_empty(def);
        block b = {worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(9.0, 9.0, 1.0)),
                              cairn_vec(0.0, 0.0, -1.0)),
                   0};
        cairn_body_id last = {0};
        for (int i = 0; i < 6; i++)
            last = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.4, 0.4, 0.4)),
                              cairn_vec(0.1 * (i % 2), 0.0, 0.41 + 0.81 * i));
        if (k > 0)
            CHECK(cairn_world_set_contact_hook(world, top_alone, &b, NULL) == CAIRN_OK);
        worlds_run(world, 240);
        CHECK(worlds_state(world, last).asleep);
        seen[k] = worlds_seen(world);
        cairn_world_destroy(world);
    }
    CHECK(seen[0] == seen[1] && seen[0] == seen[2]);
}
END

static bool nobody(void* context, const cairn_world* world, const cairn_contact* contact)
{
    (void)context;
    (void)world;
    (void)contact;
    return false;
}

static bool no_pair(void* context, const cairn_world* world, cairn_body_id a, cairn_body_id b)
{
    (void)context;
    (void)world;
    (void)a;
    (void)b;
    return false;
}

// two balls in the same place overlap by their diameter; nothing of that is an error
TEST(balls_that_may_pass_count_for_no_overlap)
{
    for (int k = 0; k < 2; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.gravity = none;
        cairn_world* world = worlds_empty(def);
        cairn_body_id ball[2];
        for (int i = 0; i < 2; i++) {
            ball[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5),
                                 cairn_vec(0.3 * i, 0.0, 0.0));
            CHECK(cairn_body_set_velocity(world, ball[i], cairn_vec(0.0, 0.1, 0.0), none, NULL) ==
                  CAIRN_OK);
        }
        if (k == 0)
            CHECK(cairn_world_set_contact_hook(world, nobody, NULL, NULL) == CAIRN_OK);
        else
            CHECK(cairn_world_set_pair_hook(world, no_pair, NULL, NULL) == CAIRN_OK);
        cairn_step_report report = worlds_run(world, 10);
        CHECK(report.penetration == 0.0 && report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(worlds_state(world, ball[0]).velocity.x == 0.0);

        // without the hook they part
        CHECK(cairn_world_set_contact_hook(world, NULL, NULL, NULL) == CAIRN_OK);
        CHECK(cairn_world_set_pair_hook(world, NULL, NULL, NULL) == CAIRN_OK);
        worlds_run(world, 60);
        double apart = cairn_norm(
            cairn_sub(worlds_state(world, ball[1]).pose.p, worlds_state(world, ball[0]).pose.p));
        CHECK(apart > 0.999);
        cairn_world_destroy(world);
    }
}
END

// a sleeper is not woken by what passes through it
TEST(what_passes_wakes_nobody)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    cairn_body_id rests =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.3, 0.3, 1.0)),
                   cairn_vec(0.0, 0.0, 1.0));
    block b = {rests, 0};
    CHECK(cairn_world_set_contact_hook(world, top_alone, &b, NULL) == CAIRN_OK);
    worlds_run(world, 90);
    CHECK(worlds_state(world, rests).asleep);

    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(-2.0, 0.0, 1.0));
    CHECK(cairn_body_set_gravity_scale(world, ball, 0.0, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(4.0, 0.0, 0.0), none, NULL) == CAIRN_OK);
    for (int i = 0; i < 60; i++) {
        worlds_run(world, 1);
        CHECK(worlds_state(world, rests).asleep);
    }
    CHECK_NEAR(worlds_state(world, ball).pose.p.x, 2.0, 1e-9);
    cairn_world_destroy(world);
}
END

TESTS(what_comes_from_the_side_passes_at_any_speed, what_stands_on_top_stays_to_the_bit,
      balls_that_may_pass_count_for_no_overlap, what_passes_wakes_nobody)
