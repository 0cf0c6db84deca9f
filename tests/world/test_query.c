// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Queries through the tree against the same question put to every body in turn.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>

enum { body_count = 120, question_count = 300 };

typedef struct crowd {
    cairn_world* world;
    cairn_body_id id[body_count];
    cairn_shape shape[body_count];
    uint32_t category[body_count];
} crowd;

// boxes, spheres and capsules in a cube of 6 m, some fast, after a few steps without contacts
static crowd make_crowd(void)
{
    crowd c = {.world = worlds_empty(cairn_default_world_def())};
    cairn_random random = {11};

    for (int i = 0; i < body_count; i++) {
        cairn_body_def def = cairn_default_body_def();
        c.shape[i] = i % 3 == 0   ? cairn_shape_box(cairn_vec(0.5, 0.3, 0.2))
                     : i % 3 == 1 ? cairn_shape_sphere(0.4)
                                  : cairn_shape_capsule(0.2, 0.5);
        c.category[i] = 1u << (i % 4);
        def.shape = &c.shape[i];
        def.type = i % 5 == 0 ? CAIRN_BODY_STATIC : CAIRN_BODY_DYNAMIC;
        def.category = c.category[i];
        def.mask = 0;
        def.pose.p = cairn_scale(3.0, cairn_random_vec3(&random));
        def.pose.q = cairn_quat_from_rotation_vector(cairn_scale(2.0, cairn_random_vec3(&random)));
        def.velocity = cairn_scale(i % 7 == 0 ? 60.0 : 1.0, cairn_random_vec3(&random));
        def.gravity_scale = 0.0;
        CHECK(cairn_world_add_body(c.world, &def, &c.id[i], NULL) == CAIRN_OK);
    }
    worlds_run(c.world, 3);

    // some leave their boxes by hand
    for (int i = 0; i < body_count; i += 10) {
        cairn_transform pose = worlds_state(c.world, c.id[i]).pose;
        pose.p = cairn_scale(3.0, cairn_random_vec3(&random));
        CHECK(cairn_body_set_pose(c.world, c.id[i], pose, NULL) == CAIRN_OK);
    }

    return c;
}

static cairn_transform pose_of(const crowd* c, int i)
{
    return worlds_state(c->world, c->id[i]).pose;
}

typedef struct bag {
    int count;
    bool seen[body_count];
    int stop_at;
} bag;

static bool put(void* context, cairn_body_id body)
{
    bag* b = context;
    CHECK(!b->seen[body.index]);
    b->seen[body.index] = true;
    return ++b->count != b->stop_at;
}

static bool put_hit(void* context, const cairn_body_hit* hit)
{
    return put(context, hit->body);
}

static void same_bags(const bag* a, const bag* b)
{
    for (int i = 0; i < body_count; i++)
        CHECK(a->seen[i] == b->seen[i]);
}

TEST(a_ray_hits_what_every_body_in_turn_says)
{
    crowd c = make_crowd();
    cairn_random random = {5};
    int hits = 0;

    for (int k = 0; k < question_count; k++) {
        cairn_vec3 from = cairn_scale(5.0, cairn_random_vec3(&random));
        cairn_vec3 way = cairn_scale(12.0, cairn_random_vec3(&random));
        uint32_t mask = k % 2 ? CAIRN_MASK_ALL : 1u << (k / 2 % 4);
        cairn_hit best = {.t = 2.0}, hit;
        int who = -1;
        bag expected = {0}, got = {0};

        // each body by itself, without the broad phase
        for (int i = 0; i < body_count; i++) {
            if (!(c.category[i] & mask) ||
                !cairn_shape_cast_ray(&c.shape[i], pose_of(&c, i), from, way, &hit))
                continue;
            expected.seen[i] = true;
            if (hit.t < best.t) {
                best = hit;
                who = i;
            }
        }

        cairn_body_hit found;
        CHECK(cairn_world_cast_ray(c.world, from, way, mask, &found, NULL) == CAIRN_OK);
        CHECK(cairn_world_cast_ray_all(c.world, from, way, mask, put_hit, &got, NULL) == CAIRN_OK);
        same_bags(&expected, &got);

        if (who < 0) {
            CHECK(found.body.generation == 0);
            continue;
        }

        hits++;
        ck_assert_int_eq(found.body.index, c.id[who].index);
        CHECK_NEAR(found.t, best.t, 1e-12);
        CHECK_BELOW(cairn_norm(cairn_sub(found.point, best.point)), 1e-12);
    }
    CHECK(hits > question_count / 10);
    cairn_world_destroy(c.world);
}
END

TEST(a_cast_shape_stops_where_every_body_in_turn_says)
{
    crowd c = make_crowd();
    cairn_random random = {6};
    cairn_shape ball = cairn_shape_box(cairn_vec(0.2, 0.4, 0.3));

    for (int k = 0; k < question_count; k++) {
        cairn_transform from = {cairn_scale(5.0, cairn_random_vec3(&random)),
                                cairn_quat_from_rotation_vector(cairn_random_vec3(&random))};
        cairn_vec3 way = cairn_scale(12.0, cairn_random_vec3(&random));
        double best = 2.0;

        // each body by itself, without the broad phase
        for (int i = 0; i < body_count; i++) {
            cairn_hit hit;
            if (cairn_shape_cast_shape(&ball, from, way, &c.shape[i], pose_of(&c, i), &hit))
                best = fmin(best, hit.t);
        }

        cairn_body_hit found;
        CHECK(cairn_world_cast_shape(c.world, &ball, from, way, CAIRN_MASK_ALL, &found, NULL) ==
              CAIRN_OK);

        CHECK((found.body.generation == 0) == (best > 1.0));
        if (best <= 1.0)
            CHECK_NEAR(found.t, best, 1e-9);
    }
    cairn_world_destroy(c.world);
}
END

TEST(overlaps_are_those_that_every_body_in_turn_says)
{
    crowd c = make_crowd();
    cairn_random random = {8};
    cairn_shape capsule = cairn_shape_capsule(0.6, 0.8);
    int sum = 0, inside = 0;

    for (int k = 0; k < question_count; k++) {
        cairn_vec3 at = cairn_scale(3.0, cairn_random_vec3(&random));
        cairn_transform pose = {at, cairn_quat_from_rotation_vector(cairn_random_vec3(&random))};
        cairn_aabb box = {cairn_sub(at, cairn_vec(0.5, 1.0, 0.3)),
                          cairn_add(at, cairn_vec(0.5, 1.0, 0.3))};
        cairn_shape block = cairn_shape_box(cairn_vec(0.5, 1.0, 0.3));
        cairn_transform straight = {at, cairn_quat_identity()};
        bag by_shape = {0}, by_box = {0}, by_point = {0}, want[3] = {0};

        for (int i = 0; i < body_count; i++) {
            cairn_transform x = pose_of(&c, i);
            want[0].seen[i] = cairn_overlap(&c.shape[i], x, &capsule, pose);
            want[1].seen[i] = cairn_overlap(&c.shape[i], x, &block, straight);
            want[2].seen[i] = cairn_contains(&c.shape[i], x, at);
        }

        CHECK(cairn_world_overlap(c.world, &capsule, pose, CAIRN_MASK_ALL, put, &by_shape, NULL) ==
              CAIRN_OK);
        CHECK(cairn_world_overlap_box(c.world, box, CAIRN_MASK_ALL, put, &by_box, NULL) ==
              CAIRN_OK);
        CHECK(cairn_world_overlap_point(c.world, at, CAIRN_MASK_ALL, put, &by_point, NULL) ==
              CAIRN_OK);
        same_bags(&want[0], &by_shape);
        same_bags(&want[1], &by_box);
        same_bags(&want[2], &by_point);
        sum += by_shape.count;
        inside += by_point.count;

        // a visitor ends the query
        bag one = {.stop_at = 1};
        CHECK(cairn_world_overlap(c.world, &capsule, pose, CAIRN_MASK_ALL, put, &one, NULL) ==
              CAIRN_OK);

        ck_assert_int_eq(one.count, by_shape.count > 0);
    }
    CHECK(sum > question_count / 10 && inside > 0);
    cairn_world_destroy(c.world);
}
END

TEST(the_closest_point_is_that_of_every_body_in_turn)
{
    crowd c = make_crowd();
    cairn_random random = {9};
    cairn_shape dot = cairn_shape_sphere(1e-9);

    for (int k = 0; k < question_count; k++) {
        cairn_transform at = {cairn_scale(6.0, cairn_random_vec3(&random)), cairn_quat_identity()};
        double reach = k % 2 ? INFINITY : 0.5, best = INFINITY;
        cairn_body_gap found;

        // each body by itself, without the broad phase
        for (int i = 0; i < body_count; i++)
            best = fmin(best, cairn_distance(&c.shape[i], pose_of(&c, i), &dot, at).gap);

        CHECK(cairn_world_closest(c.world, at.p, reach, CAIRN_MASK_ALL, &found, NULL) == CAIRN_OK);
        CHECK((found.body.generation == 0) == (best > reach));

        if (best > reach)
            continue;
        CHECK_NEAR(found.gap, best, 1e-8);

        // the normal leads from the point of the body over the gap
        cairn_vec3 way = cairn_sub(at.p, found.point);
        CHECK_NEAR(cairn_dot(way, found.normal), found.gap, 1e-8);
        CHECK_NEAR(cairn_norm(way), fabs(found.gap), 1e-8);
    }
    cairn_world_destroy(c.world);
}
END

TEST(queries_do_not_change_the_bits_of_what_follows)
{
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        cairn_world* world = worlds_heap(cairn_default_world_def(), 3);
        for (int i = 0; i < 60; i++) {
            worlds_run(world, 1);
            cairn_body_hit hit;
            for (int r = 0; r < 10 * k; r++)
                CHECK(cairn_world_cast_ray(world, cairn_vec(0.3 * r - 1.5, 0.1, 9.0),
                                           cairn_vec(0.0, 0.0, -10.0), CAIRN_MASK_ALL, &hit,
                                           NULL) == CAIRN_OK);
        }
        hash[k] = cairn_world_hash(world);
        cairn_world_destroy(world);
    }

    ck_assert_uint_eq(hash[0], hash[1]);
}
END

TEST(the_ground_is_hit_everywhere_and_bad_questions_are_refused)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id ground = worlds_ground(world);
    cairn_body_hit hit = {.t = 7.0};
    cairn_shape mesh = cairn_shape_half_space(), ball = cairn_shape_sphere(1.0);
    cairn_transform from = {cairn_vec(1e4, -1e4, 5.0), cairn_quat_identity()};
    CHECK(cairn_world_cast_ray(world, from.p, cairn_vec(0.0, 0.0, -10.0), CAIRN_MASK_ALL, &hit,
                               NULL) == CAIRN_OK);

    CHECK(hit.body.index == ground.index);
    CHECK_NEAR(hit.t, 0.5, 1e-15);

    CHECK(cairn_world_cast_shape(world, &ball, from, cairn_vec(0.0, 0.0, -8.0), CAIRN_MASK_ALL,
                                 &hit, NULL) == CAIRN_OK);
    CHECK_NEAR(hit.t, 0.5, 1e-12);

    // a refused question leaves its answer alone
    cairn_error error = {""};
    hit.t = 7.0;

    CHECK(cairn_world_cast_ray(world, cairn_vec(NAN, 0.0, 0.0), from.p, CAIRN_MASK_ALL, &hit,
                               &error) == CAIRN_BAD_INPUT);
    CHECK(error.text[0] && hit.t == 7.0);
    CHECK(cairn_world_cast_shape(world, &mesh, from, from.p, CAIRN_MASK_ALL, &hit, &error) ==
          CAIRN_BAD_INPUT);

    from.q = (cairn_quat){0.0, 0.0, 0.0, 0.0};
    CHECK(cairn_world_overlap(world, &ball, from, CAIRN_MASK_ALL, put, NULL, &error) ==
          CAIRN_BAD_INPUT);

    cairn_body_gap gap;
    CHECK(cairn_world_closest(world, from.p, -1.0, CAIRN_MASK_ALL, &gap, &error) ==
          CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TEST(the_closest_point_of_a_mesh_and_of_a_height_field_is_found)
{
    static const cairn_vec3 corners[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    static const int triangle[3] = {0, 1, 2};
    static const double heights[4] = {0.0};
    cairn_mesh* mesh;
    cairn_height_field* field;
    cairn_mesh_def md = {corners, 3, triangle, 1};
    cairn_height_field_def fd = {2, 2, 1.0, 1.0, heights};
    CHECK(cairn_mesh_create(&md, &mesh, NULL) == CAIRN_OK);
    CHECK(cairn_height_field_create(&fd, &field, NULL) == CAIRN_OK);

    for (int i = 0; i < 2; i++) {
        cairn_world* world = worlds_empty(cairn_default_world_def());
        cairn_shape shape = i == 0 ? cairn_shape_mesh(mesh) : cairn_shape_height_field(field);
        cairn_body_gap gap;
        worlds_add(world, CAIRN_BODY_STATIC, shape, cairn_vec(0.0, 0.0, 0.0));
        CHECK(cairn_world_closest(world, cairn_vec(0.2, 0.2, 0.5), 10.0, CAIRN_MASK_ALL, &gap,
                                  NULL) == CAIRN_OK);
        CHECK_NEAR(gap.gap, 0.5, 1e-12);
        cairn_world_destroy(world);
    }
    cairn_mesh_destroy(mesh);
    cairn_height_field_destroy(field);
}
END

TESTS(the_closest_point_of_a_mesh_and_of_a_height_field_is_found,
      a_ray_hits_what_every_body_in_turn_says, a_cast_shape_stops_where_every_body_in_turn_says,
      overlaps_are_those_that_every_body_in_turn_says,
      the_closest_point_is_that_of_every_body_in_turn,
      queries_do_not_change_the_bits_of_what_follows,
      the_ground_is_hit_everywhere_and_bad_questions_are_refused)
