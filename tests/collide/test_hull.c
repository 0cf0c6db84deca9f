// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide/shape/predicates.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>
#ifdef CAIRN_HAVE_QHULL
#include <libqhull_r/qhull_ra.h>
#endif

// every law of a convex polytope that half-edges must keep, to `slack` (m)
static void check_polytope(const cairn_hull* h, double slack)
{
    ck_assert_int_eq(h->vertex_count - h->edge_count / 2 + h->face_count, 2);
    for (int f = 0; f < h->face_count; f++) {
        const cairn_hull_face* face = &h->faces[f];
        CHECK_NEAR(cairn_norm(face->normal), 1.0, 1e-15);
        CHECK(face->edge_count >= 3);
        for (int i = 0; i < face->edge_count; i++) {
            int e = face->edge + i, next = face->edge + (i + 1) % face->edge_count;
            int twin = h->edges[e].twin;
            ck_assert_int_eq(h->edges[e].face, f);
            ck_assert_int_eq(h->edges[twin].twin, e);
            CHECK(h->edges[twin].face != f);
            ck_assert_int_eq(h->edges[twin].origin, h->edges[next].origin);
            double d = cairn_dot(face->normal, h->vertices[h->edges[e].origin]) - face->offset;
            CHECK_NEAR(d, 0.0, slack);
        }
    }
    for (int v = 0; v < h->vertex_count; v++)
        ck_assert_int_eq(h->edges[h->vertex_edge[v]].origin, v);
}

static double outside(const cairn_hull* h, cairn_vec3 p)
{
    double worst = -INFINITY;
    for (int f = 0; f < h->face_count; f++)
        worst = fmax(worst, cairn_dot(h->faces[f].normal, p) - h->faces[f].offset);
    return worst;
}

static double volume_of(const cairn_hull* h)
{
    cairn_shape shape = cairn_shape_hull(h);
    cairn_mass_properties mass;
    ck_assert_int_eq(cairn_shape_mass(&shape, &mass, NULL), CAIRN_OK);
    return mass.volume;
}

#ifdef CAIRN_HAVE_QHULL
static double qhull_volume(const cairn_vec3* points, int count, int* vertices)
{
    qhT qh;
    FILE* sink = fopen("/dev/null", "w");
    coordT* copy = malloc((size_t)count * sizeof *points);
    memcpy(copy, points, (size_t)count * sizeof *points);
    qh_zero(&qh, sink);
    int failed = qh_new_qhull(&qh, 3, count, copy, 0, "qhull", NULL, sink);
    ck_assert_int_eq(failed, 0);
    qh_getarea(&qh, qh.facet_list);
    double volume = qh.totvol;
    int curlong, totlong;
    *vertices = qh.num_vertices;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &curlong, &totlong);
    free(copy);
    fclose(sink);
    return volume;
}
#endif

// builds, checks the laws, that all points are inside, and the volume against qhull
static void check_cloud(const cairn_vec3* points, int count, double extent)
{
    cairn_hull* hull = NULL;
    cairn_error error = {{0}};
    ck_assert_msg(cairn_hull_create(points, count, 0.0, &hull, &error) == CAIRN_OK, "%s",
                  error.text);
    check_polytope(hull, 1e-10 * extent);
    int stride = 1 + count / 2000;
    for (int i = 0; i < count; i += stride)
        CHECK_BELOW(outside(hull, points[i]), 1e-10 * extent);
#ifdef CAIRN_HAVE_QHULL
    int vertices;
    double volume = qhull_volume(points, count, &vertices);
    CHECK_NEAR(volume_of(hull), volume, 1e-9 * volume + 1e-10 * extent * extent * extent);
#endif
    cairn_hull_destroy(hull);
}

TEST(the_exact_sign_sees_what_doubles_cannot)
{
    // d lies one unit in the last place above or below the plane z = x
    cairn_vec3 a = {12.0, 12.0, 12.0}, b = {24.0, 12.0, 24.0}, c = {12.0, 24.0, 12.0};
    for (int i = -3; i <= 3; i++) {
        cairn_vec3 d = cairn_vec(0.5, 0.5, 0.5 + i * 0x1p-53);
        ck_assert_int_eq(cairn_orient(a, b, c, d), (i > 0) - (i < 0));
        ck_assert_int_eq(cairn_orient(a, c, b, d), (i < 0) - (i > 0));
    }
}
END

TEST(the_exact_sign_does_not_underflow)
{
    // what is below 1e-92 is zero: these lie on one plane, and the pairs on its two sides
    cairn_vec3 o = {0.0, 0.0, 0.0}, far = {-6e8, -6e8, -6e8}, x = {-3.9375, 0.0, 0.0};
    ck_assert_int_eq(cairn_orient(far, x, o, cairn_vec(8.696e-320, 0.0, 0.0)), 0);
    ck_assert_int_eq(cairn_orient(far, x, o, cairn_vec(0.0, 2e-307, 1e-307)), 0);
    for (int i = -1; i <= 1; i += 2) {
        cairn_vec3 p = {0.0, 0.0, i * 2e-92}, q = {3e-92, 0.0, 0.0}, r = {0.0, 7e-92, 0.0};
        ck_assert_int_eq(cairn_orient(o, q, r, p), i);
        ck_assert_int_eq(cairn_orient(o, q, r, cairn_add(q, p)), i);
    }
}
END

TEST(the_normal_of_a_sliver_is_square_to_its_edges)
{
    cairn_random random = {11};
    for (int trial = 0; trial < CHECK_CASES(1000); trial++) {
        double width = pow(10.0, cairn_random_range(&random, -13.0, 0.0));
        cairn_vec3 a = cairn_random_vec3(&random), b = cairn_random_vec3(&random);
        cairn_vec3 c = cairn_add_scaled(a, cairn_random_unit(&random), cairn_sub(b, a));
        c = cairn_add_scaled(c, width, cairn_random_vec3(&random));
        // however the corners are named, up to one rounding of the sum
        cairn_vec3 n = cairn_direction_of(cairn_area_vector(a, b, c));
        cairn_vec3 m = cairn_direction_of(cairn_area_vector(b, c, a));
        CHECK_NEAR(cairn_norm(cairn_sub(n, m)), 0.0, 2e-12);
        CHECK_NEAR(cairn_dot(n, cairn_sub(b, a)), 0.0, 2e-12);
        CHECK_NEAR(cairn_dot(n, cairn_sub(c, a)), 0.0, 2e-12);
    }
}
END

TEST(a_grid_of_points_becomes_a_cube_with_six_faces)
{
    cairn_vec3 points[125];
    cairn_hull* hull;
    for (int i = 0; i < 125; i++)
        points[i] = cairn_vec(i % 5, i / 5 % 5, i / 25);
    ck_assert_int_eq(cairn_hull_create(points, 125, 0.0, &hull, NULL), CAIRN_OK);
    check_polytope(hull, 0.0);
    ck_assert_int_eq(hull->vertex_count, 8);
    ck_assert_int_eq(hull->face_count, 6);
    CHECK_NEAR(volume_of(hull), 64.0, 1e-12);
    cairn_hull_destroy(hull);
}
END

TEST(a_turned_prism_merges_its_ends_into_polygons)
{
    cairn_random random = {7};
    for (int trial = 0; trial < 50; trial++) {
        int n = 3 + trial % 20;
        cairn_vec3 points[64];
        cairn_transform x = {cairn_random_vec3(&random),
                             cairn_quat_from_rotation_vector(cairn_random_vec3(&random))};
        for (int i = 0; i < n; i++) {
            double angle = 6.283185307179586 * i / n;
            for (int k = 0; k < 2; k++)
                points[2 * i + k] =
                    cairn_transform_point(x, cairn_vec(cos(angle), sin(angle), k - 0.5));
        }
        cairn_hull* hull;
        ck_assert_int_eq(cairn_hull_create(points, 2 * n, 0.0, &hull, NULL), CAIRN_OK);
        ck_assert_int_eq(hull->face_count, n + 2);
        ck_assert_int_eq(hull->vertex_count, 2 * n);
        check_polytope(hull, 1e-14);
        cairn_hull_destroy(hull);
    }
}
END

TEST(random_clouds_agree_with_qhull)
{
    cairn_random random = {1};
    cairn_vec3 points[400];
    for (int trial = 0; trial < (CHECK_SLOW_BUILD ? 40 : 300); trial++) {
        int count = 4 + cairn_random_index(&random, 300);
        double size = pow(10.0, cairn_random_range(&random, -4.0, 4.0));
        for (int i = 0; i < count; i++) {
            bool sphere = trial % 3 == 0;
            cairn_vec3 p = sphere ? cairn_random_direction(&random) : cairn_random_vec3(&random);
            points[i] = cairn_scale(size, p);
        }
        check_cloud(points, count, 2.0 * size);
    }
}
END

TEST(many_points_agree_with_qhull)
{
    enum { count = CHECK_SLOW_BUILD ? 2000 : 10000 };
    cairn_vec3* points = malloc(count * sizeof *points);
    cairn_random random = {2};
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < count; i++)
            points[i] = kind ? cairn_random_direction(&random) : cairn_random_vec3(&random);
        check_cloud(points, count, 2.0);
    }
    free(points);
}
END

TEST(nearly_degenerate_clouds_agree_with_qhull)
{
    // on a cube's surface, snapped to a coarse grid, flat by 1e-6, with noise of round-off size, in
    // clusters, long by 1000
    cairn_random random = {3};
    cairn_vec3 points[400];
    for (int trial = 0; trial < (CHECK_SLOW_BUILD ? 60 : 600); trial++) {
        int count = 30 + cairn_random_index(&random, 300), kind = trial % 6;
        cairn_quat q = cairn_quat_from_rotation_vector(cairn_random_vec3(&random));
        for (int i = 0; i < count; i++) {
            cairn_vec3 p = cairn_random_vec3(&random);
            cairn_vec3 a = cairn_abs(p);
            double top = fmax(a.x, fmax(a.y, a.z));
            if (kind == 0 || kind == 3)
                p = cairn_scale(1.0 / top, p);
            if (kind == 1)
                p = cairn_vec(floor(4.0 * p.x) / 4.0, floor(4.0 * p.y) / 4.0,
                              floor(4.0 * p.z) / 4.0);
            if (kind == 2)
                p.z *= 1e-6;
            if (kind == 3)
                p = cairn_add_scaled(p, 1e-15, cairn_random_vec3(&random));
            if (kind == 4)
                p = cairn_add_scaled(cairn_vec(i % 2, i / 2 % 2, i / 4 % 2), 1e-9, p);
            if (kind == 5)
                p.x *= 1000.0;
            points[i] = cairn_rotate(q, p);
        }
        check_cloud(points, count, kind == 5 ? 2000.0 : 2.0);
    }
}
END

// discs and grids as thin as the tolerance and more, in any orientation
TEST(a_thin_slab_leaves_no_point_outside)
{
    cairn_random random = {4};
    cairn_vec3 points[64];
    int built = 0, trials = CHECK_CASES(3000);
    for (int trial = 0; trial < trials; trial++) {
        int count = 8 + cairn_random_index(&random, 50);
        double thin = pow(10.0, cairn_random_range(&random, -11.5, -6.0));
        double noise = thin * cairn_random_unit(&random);
        cairn_quat q = cairn_quat_from_rotation_vector(cairn_random_vec3(&random));
        for (int i = 0; i < count; i++) {
            double angle = 0.2617993877991494 * cairn_random_index(&random, 24);
            cairn_vec3 p = trial % 2 ? cairn_vec(cos(angle), sin(angle), 0.0)
                                     : cairn_vec(0.2 * cairn_random_index(&random, 6),
                                                 0.2 * cairn_random_index(&random, 6), 0.0);
            p.z = thin * cairn_random_index(&random, 3);
            p = cairn_add_scaled(p, noise, cairn_random_vec3(&random));
            points[i] = cairn_rotate(q, p);
        }
        cairn_hull* hull = NULL;
        if (cairn_hull_create(points, count, 0.0, &hull, NULL) != CAIRN_OK)
            continue;
        check_polytope(hull, thin + 1.6e-10); // a side may lean by its width
        for (int i = 0; i < count; i++)
            CHECK_BELOW(outside(hull, points[i]), 1.6e-10); // 8 tolerances of an extent of 2
        cairn_hull_destroy(hull);
        built++;
    }
    ck_assert_int_gt(3 * built, 2 * trials);
}
END

TEST(numbers_near_the_least_of_all_make_no_difference)
{
    // a tetrahedron whose corners come again and again, off by what fuzzing found
    cairn_vec3 corner[4] = {{-595821175.7968044, -595821443.5137254, -595821443.5137264},
                            {1.9755165551609032e-307, 1.6808387172839317e-307, 3.125},
                            {4.75, 0.0, 0.0},
                            {0.0, 0.0, 0.0}};
    cairn_vec3 points[20];
    cairn_hull* hull = NULL;
    cairn_error error;
    for (int i = 0; i < 20; i++)
        points[i] = corner[i < 3 ? i : 3];
    ck_assert_int_eq(cairn_hull_create(points, 20, 0.0, &hull, NULL), CAIRN_OK);
    check_polytope(hull, 1e-6);
    ck_assert_int_eq(hull->vertex_count, 4);
    cairn_hull_destroy(hull);

    // and one that is flat but for a number that has no inverse
    hull = NULL;
    points[1] = cairn_vec(8.696e-320, 0.0, 0.0);
    ck_assert_int_eq(cairn_hull_create(points, 20, 0.0, &hull, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "plane"));
}
END

TEST(degenerate_input_is_refused_by_name)
{
    cairn_hull* hull = NULL;
    cairn_error error;
    cairn_vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = cairn_vec(1.0, 2.0, 3.0);
    ck_assert_int_eq(cairn_hull_create(p, 3, 0.0, &hull, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "at least 4"));
    ck_assert_int_eq(cairn_hull_create(p, 8, 0.0, &hull, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "coincide"));
    for (int i = 0; i < 8; i++)
        p[i] = cairn_vec(0.1 * i, 0.2 * i, 0.3 * i);
    ck_assert_int_eq(cairn_hull_create(p, 8, 0.0, &hull, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "line"));
    for (int i = 0; i < 8; i++)
        p[i] = cairn_vec(0.1 * i, 0.2 * i * i, 0.1 * i + 0.2 * i * i);
    ck_assert_int_eq(cairn_hull_create(p, 8, 0.0, &hull, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "plane"));
    p[5].y = NAN;
    ck_assert_int_eq(cairn_hull_create(p, 8, 0.0, &hull, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "point 5 is not finite"));
    CHECK(!hull);
}
END

TESTS(the_exact_sign_sees_what_doubles_cannot, the_exact_sign_does_not_underflow,
      the_normal_of_a_sliver_is_square_to_its_edges, a_thin_slab_leaves_no_point_outside,
      numbers_near_the_least_of_all_make_no_difference,
      a_grid_of_points_becomes_a_cube_with_six_faces, a_turned_prism_merges_its_ends_into_polygons,
      random_clouds_agree_with_qhull, many_points_agree_with_qhull,
      nearly_degenerate_clouds_agree_with_qhull, degenerate_input_is_refused_by_name)
