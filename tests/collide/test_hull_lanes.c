// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide/shape/hull_lanes.h"
#include <cairn/random.h>
#include <float.h>

enum { most = 70, trials = 40 };

static cairn_hull* random_hull(cairn_random* random, int count)
{
    cairn_vec3 points[most];
    cairn_hull* hull = NULL;
    for (int i = 0; i < count; i++)
        points[i] = cairn_random_direction(random);
    ck_assert_int_eq(cairn_hull_create(points, count, 0.0, &hull, NULL), CAIRN_OK);
    return hull;
}

static int farthest_vertex(const cairn_hull* hull, cairn_vec3 d)
{
    int best = 0;
    for (int i = 1; i < hull->vertex_count; i++)
        if (cairn_dot(d, hull->vertices[i]) > cairn_dot(d, hull->vertices[best]))
            best = i;
    return best;
}

static int facing_face(const cairn_hull* hull, cairn_vec3 d)
{
    int best = 0;
    for (int i = 1; i < hull->face_count; i++)
        if (cairn_dot(d, hull->faces[i].normal) > cairn_dot(d, hull->faces[best].normal))
            best = i;
    return best;
}

static double height(const cairn_hull* hull, int face, cairn_vec3 p)
{
    return cairn_dot(hull->faces[face].normal, p) - hull->faces[face].offset;
}

static void check_farthest(const cairn_hull* hull, cairn_vec3 d, cairn_simd_level level)
{
    int vertices = cairn_hull_groups(hull->vertex_count);
    int faces = cairn_hull_groups(hull->face_count);
    ck_assert_int_eq(CAIRN_PICK_KERNEL(level, cairn_lanes_farthest)(hull->vertex_lanes, vertices,
                                                                    CAIRN_VERTEX_GROUP, d),
                     farthest_vertex(hull, d));
    ck_assert_int_eq(CAIRN_PICK_KERNEL(level, cairn_lanes_farthest)(hull->face_lanes, faces,
                                                                    CAIRN_FACE_GROUP, d),
                     facing_face(hull, d));
}

static void check_bounds(const cairn_hull* hull, cairn_random* random, cairn_simd_level level)
{
    enum { room = 2 * most + CAIRN_HULL_LANES };
    double least[room];
    unsigned char bits[room];
    int groups = cairn_hull_groups(hull->face_count);
    cairn_lane_points points = {.count = 3};
    for (int f = 0; f < room; f++)
        least[f] = DBL_MAX;
    for (int k = 0; k < points.count; k++) {
        points.at[k] = cairn_random_vec3(random);
        CAIRN_PICK_KERNEL(level, cairn_lanes_lower)(least, hull->face_lanes, groups, points.at[k]);
    }
    CAIRN_PICK_KERNEL(level, cairn_lanes_bound)(bits, hull->face_lanes, groups, &points, 0.1);
    for (int f = 0; f < hull->face_count; f++) {
        double lowest = DBL_MAX;
        int expected = 0;
        for (int k = 0; k < points.count; k++) {
            double h = height(hull, f, points.at[k]);
            lowest = h < lowest ? h : lowest;
            expected |= (h <= 0.1) << k | (h <= 0.0) << (4 + k);
        }
        CHECK(least[f] == lowest);
        ck_assert_int_eq(bits[f], expected);
    }
}

TEST(every_instruction_set_gives_what_a_plain_loop_gives_to_the_bit)
{
    cairn_random random = {9};
    for (int count = 4; count <= most; count++) {
        cairn_hull* hull = random_hull(&random, count);
        for (int level = CAIRN_SIMD_BASELINE; level <= (int)cairn_simd_detect(); level++) {
            for (int t = 0; t < trials; t++) {
                check_farthest(hull, cairn_random_direction(&random), (cairn_simd_level)level);
                check_bounds(hull, &random, (cairn_simd_level)level);
            }
        }
        cairn_hull_destroy(hull);
    }
}
END

// all corners of a side of a cube lie equally far along its normal
TEST(of_equals_the_first_is_farthest)
{
    cairn_vec3 corners[8];
    cairn_hull* cube = NULL;
    for (int i = 0; i < 8; i++)
        corners[i] = cairn_vec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    ck_assert_int_eq(cairn_hull_create(corners, 8, 0.0, &cube, NULL), CAIRN_OK);
    for (int level = CAIRN_SIMD_BASELINE; level <= (int)cairn_simd_detect(); level++)
        for (int i = 0; i < 27; i++)
            check_farthest(cube, cairn_vec(i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0),
                           (cairn_simd_level)level);
    cairn_hull_destroy(cube);
}
END

// a hull that somebody made by hand has no lanes
TEST(a_corner_lies_on_its_faces_with_lanes_and_without)
{
    cairn_random random = {10};
    for (int count = 4; count <= most; count += 3) {
        cairn_hull* hull = random_hull(&random, count);
        cairn_hull plain = *hull;
        plain.vertex_lanes = plain.face_lanes = NULL;
        for (int h = 0; h < hull->edge_count; h++) {
            cairn_vec3 corner = hull->vertices[hull->edges[h].origin];
            int with[2 * most], without[2 * most];
            int n = cairn_hull_faces_at(hull, corner, 1e-9, with, 2 * most), own = 0;
            ck_assert_int_eq(cairn_hull_faces_at(&plain, corner, 1e-9, without, 2 * most), n);
            for (int i = 0; i < n; i++) {
                ck_assert_int_eq(with[i], without[i]);
                own += with[i] == hull->edges[h].face;
            }
            CHECK(n >= 3 && own == 1);
            cairn_vec3 d = cairn_random_direction(&random);
            ck_assert_int_eq(cairn_hull_facing(hull, d), cairn_hull_facing(&plain, d));
        }
        cairn_hull_destroy(hull);
    }
}
END

TESTS(a_corner_lies_on_its_faces_with_lanes_and_without,
      every_instruction_set_gives_what_a_plain_loop_gives_to_the_bit,
      of_equals_the_first_is_farthest)
