// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Parts of a compound with filters of their own: each collides with whom its filter allows, at rest,
// at high speed and for queries; the rest of the body goes on as before.

#include "check_cairn.h"
#include "worlds.h"

enum { floors = 1, walls = 2, ghosts = 4 };

// a bar along z: the lower half is part 0, the upper half part 1; the frame is between them
typedef struct bar {
    cairn_compound* compound;
    cairn_shape shape;
    cairn_part parts[2];
} bar;

static void make_bar(bar* b)
{
    cairn_shape half = cairn_shape_box(cairn_vec(0.2, 0.2, 0.25));
    const cairn_shape pieces[2] = {half, half};
    const cairn_transform places[2] = {{{0.0, 0.0, -0.25}, {1.0, 0.0, 0.0, 0.0}},
                                       {{0.0, 0.0, 0.25}, {1.0, 0.0, 0.0, 0.0}}};
    CHECK(cairn_compound_create(pieces, places, 2, &b->compound, NULL) == CAIRN_OK);
    b->shape = cairn_shape_compound(b->compound);
    b->parts[0] = b->parts[1] = cairn_default_part();
}

static cairn_body_id add_bar(cairn_world* world, const bar* b, cairn_vec3 at, cairn_vec3 velocity)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    def.shape = &b->shape;
    def.parts = b->parts;
    def.pose.p = at;
    def.velocity = velocity;
    def.category = walls;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

static double height(const cairn_world* world, cairn_body_id id)
{
    return worlds_state(world, id).pose.p.z;
}

// The floor has the category 1. A lower half that does not meet it sinks in until the upper half
// stands on the floor; a filter that says the same as the body's changes nothing.
TEST(a_part_that_does_not_meet_the_floor_sinks_into_it)
{
    bar b;
    make_bar(&b);
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    b.parts[0].filtered = true;
    b.parts[0].mask = (uint32_t)~floors;
    cairn_body_id id = add_bar(world, &b, cairn_vec(0.0, 0.0, 0.6), cairn_vec(0.0, 0.0, 0.0));
    cairn_step_report report = worlds_run(world, 90);

    CHECK_NEAR(height(world, id), 0.0, 1e-3); // the upper half begins at the frame
    CHECK(report.penetration < 1e-3);         // the lower half does not count
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    ck_assert_int_gt(count, 0);
    for (int i = 0; i < count; i++)
        CHECK((contacts[i].body_a.index == id.index ? contacts[i].part_a : contacts[i].part_b) ==
              1);

    // the lower half gets the body's own filter again, while all sleep: it is pushed out
    bar whole = b;
    whole.parts[0].filtered = false;
    worlds_run(world, 60);
    CHECK(worlds_state(world, id).asleep);
    CHECK(cairn_body_set_shape(world, id, &whole.shape, cairn_transform_identity(), whole.parts,
                               0.0, NULL) == CAIRN_OK);
    worlds_run(world, 120);
    CHECK_NEAR(height(world, id), 0.5, 1e-3);

    cairn_world_destroy(world);
    cairn_compound_destroy(b.compound);
}
END

// a change of the body's filter while it rests changes it for the parts that have no other
TEST(a_filter_of_the_body_changes_for_the_parts_without_one)
{
    for (int asleep = 0; asleep < 2; asleep++) {
        bar b;
        make_bar(&b);
        cairn_world_def def = cairn_default_world_def();
        def.sleep = asleep;
        cairn_world* world = worlds_empty(def);
        worlds_ground(world);
        b.parts[1].filtered = true;
        cairn_body_id id = add_bar(world, &b, cairn_vec(0.0, 0.0, 0.5), cairn_vec(0.0, 0.0, 0.0));
        worlds_run(world, 60);
        CHECK_NEAR(height(world, id), 0.5, 1e-6);
        CHECK(cairn_body_set_filter(world, id, walls, (uint32_t)~floors, NULL) == CAIRN_OK);
        worlds_run(world, 60);
        CHECK_NEAR(height(world, id), 0.0, 1e-3);
        cairn_world_destroy(world);
        cairn_compound_destroy(b.compound);
    }
}
END

TEST(a_filter_that_says_what_the_body_says_changes_no_bit)
{
    bar plain, told;
    make_bar(&plain);
    make_bar(&told);
    for (int i = 0; i < 2; i++) {
        told.parts[i].filtered = true;
        told.parts[i].category = walls;
    }

    uint64_t seen[2];
    for (int k = 0; k < 2; k++) {
        cairn_world* world = worlds_empty(cairn_default_world_def());
        worlds_ground(world);
        add_bar(world, k == 0 ? &plain : &told, cairn_vec(0.0, 0.0, 0.6), cairn_vec(1.0, 0.3, 0.0));
        worlds_run(world, 60);
        seen[k] = worlds_seen(world);
        cairn_world_destroy(world);
    }

    CHECK(seen[0] == seen[1]);
    cairn_compound_destroy(plain.compound);
    cairn_compound_destroy(told.compound);
}
END

// The bar flies at a wall that only its upper half meets: however fast, that half does not get
// through a high wall, and the bar flies over a low one, through which its lower half passes.
static void flies_at_a_wall(double speed, bool high)
{
    bar b;
    make_bar(&b);
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);
    cairn_body_def post = cairn_default_body_def();
    cairn_shape box = cairn_shape_box(cairn_vec(0.05, 2.0, 2.0));
    cairn_body_id wall;
    post.type = CAIRN_BODY_STATIC;
    post.shape = &box;
    post.category = ghosts;
    post.pose.p = cairn_vec(3.0, 0.0, high ? 0.0 : -2.45); // up to z = 2 or -0.45
    CHECK(cairn_world_add_body(world, &post, &wall, NULL) == CAIRN_OK);

    b.parts[0].filtered = true;
    b.parts[0].mask = (uint32_t)~ghosts;
    cairn_body_id id = add_bar(world, &b, cairn_vec(0.0, 0.0, 0.0), cairn_vec(speed, 0.0, 0.0));
    int steps = (int)(8.0 / (speed * worlds_dt)) + 4;
    double furthest = -INFINITY;
    for (int i = 0; i < steps; i++) {
        worlds_run(world, 1);
        cairn_body_state state = worlds_state(world, id);
        cairn_vec3 upper = cairn_transform_point(state.pose, cairn_vec(0.0, 0.0, 0.25));
        furthest = fmax(furthest, upper.x);
    }
    if (high)
        CHECK(furthest < 2.95 - 0.19);
    else
        CHECK(furthest > 3.5 && worlds_state(world, id).velocity.x == speed);

    cairn_world_destroy(world);
    cairn_compound_destroy(b.compound);
}

TEST(the_parts_of_a_fast_body_meet_what_their_filters_allow)
{
    const double speeds[] = {2.0, 20.0, 90.0, 200.0}; // the last two are traced
    for (int i = 0; i < 4; i++) {
        flies_at_a_wall(speeds[i], true);
        flies_at_a_wall(speeds[i], false);
    }
}
END

static bool count_body(void* context, cairn_body_id body)
{
    (void)body;
    ++*(int*)context;
    return true;
}

static bool count_hit(void* context, const cairn_body_hit* hit)
{
    CHECK(hit->part == 1);
    ++*(int*)context;
    return true;
}

// the upper half alone is a ghost: queries for ghosts see it, and nothing of the lower half
TEST(queries_see_the_parts_whose_category_they_ask_for)
{
    bar b;
    make_bar(&b);
    cairn_world* world = worlds_empty(cairn_default_world_def());
    b.parts[1].filtered = true;
    b.parts[1].category = ghosts;
    cairn_body_id id = add_bar(world, &b, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0));
    cairn_body_hit hit;
    cairn_vec3 below = cairn_vec(0.0, 0.0, -2.0), up = cairn_vec(0.0, 0.0, 4.0);

    // a ray and a ball from below
    CHECK(cairn_world_cast_ray(world, below, up, ghosts, &hit, NULL) == CAIRN_OK);
    CHECK(hit.body.index == id.index && hit.part == 1);
    CHECK_NEAR(hit.point.z, 0.0, 1e-12);
    CHECK(cairn_world_cast_ray(world, below, up, walls, &hit, NULL) == CAIRN_OK);
    CHECK(hit.part == 0);
    CHECK_NEAR(hit.point.z, -0.5, 1e-12);
    CHECK(cairn_world_cast_ray(world, below, up, floors, &hit, NULL) == CAIRN_OK);
    CHECK(hit.body.generation == 0);
    cairn_shape ball = cairn_shape_sphere(0.1);
    cairn_transform from = {below, cairn_quat_identity()};
    CHECK(cairn_world_cast_shape(world, &ball, from, up, ghosts, &hit, NULL) == CAIRN_OK);
    CHECK_NEAR(hit.t * 4.0, 1.9, 1e-6);

    // each body is told once
    int seen = 0;
    CHECK(cairn_world_cast_ray_all(world, below, up, ghosts, count_hit, &seen, NULL) == CAIRN_OK);
    ck_assert_int_eq(seen, 1);
    cairn_aabb all = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}, low = {{-1, -1, -1}, {1, 1, -0.1}};
    seen = 0;
    CHECK(cairn_world_overlap_box(world, all, ghosts | walls, count_body, &seen, NULL) == CAIRN_OK);
    CHECK(cairn_world_overlap_box(world, low, ghosts, count_body, &seen, NULL) == CAIRN_OK);
    ck_assert_int_eq(seen, 1);
    CHECK(cairn_world_overlap_point(world, cairn_vec(0, 0, -0.2), ghosts, count_body, &seen,
                                    NULL) == CAIRN_OK);
    ck_assert_int_eq(seen, 1);

    cairn_body_gap gap;
    CHECK(cairn_world_closest(world, below, INFINITY, ghosts, &gap, NULL) == CAIRN_OK);
    CHECK_NEAR(gap.gap, 2.0, 1e-12);
    ck_assert_int_eq(gap.part, 1);

    cairn_world_destroy(world);
    cairn_compound_destroy(b.compound);
}
END

// bytes name a compound by a digest of its parts, filters included
TEST(bytes_of_another_filter_are_refused)
{
    bar b;
    make_bar(&b);
    cairn_world* world = worlds_empty(cairn_default_world_def());
    b.parts[0].filtered = true;
    b.parts[0].mask = ghosts;
    add_bar(world, &b, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0));
    cairn_snapshot *snapshot, *copy = NULL;
    char bytes[1 << 16];
    size_t size;
    cairn_asset asset = {b.shape, b.parts};
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    CHECK(cairn_snapshot_write(snapshot, &asset, 1, bytes, sizeof bytes, &size, NULL) == CAIRN_OK);

    CHECK(cairn_snapshot_read(bytes, size, &asset, 1, &copy, NULL) == CAIRN_OK);
    cairn_snapshot_destroy(copy);
    b.parts[0].mask = walls;
    CHECK(cairn_snapshot_read(bytes, size, &asset, 1, &copy, NULL) == CAIRN_BAD_INPUT);

    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
    cairn_compound_destroy(b.compound);
}
END

TESTS(a_part_that_does_not_meet_the_floor_sinks_into_it,
      a_filter_of_the_body_changes_for_the_parts_without_one,
      a_filter_that_says_what_the_body_says_changes_no_bit,
      the_parts_of_a_fast_body_meet_what_their_filters_allow,
      queries_see_the_parts_whose_category_they_ask_for, bytes_of_another_filter_are_refused)
