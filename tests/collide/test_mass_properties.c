// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static cairn_mass_properties mass_of(cairn_shape shape)
{
    cairn_mass_properties mass;
    ck_assert_int_eq(cairn_shape_mass(&shape, &mass, NULL), CAIRN_OK);
    return mass;
}

static double inertia_difference(cairn_mat3 a, cairn_mat3 b)
{
    cairn_mat3 d = cairn_mat3_add(a, cairn_mat3_scale(-1.0, b));
    return sqrt(cairn_dot(d.cx, d.cx) + cairn_dot(d.cy, d.cy) + cairn_dot(d.cz, d.cz));
}

static void check_same(cairn_mass_properties a, cairn_mass_properties b, double tolerance)
{
    CHECK_NEAR(a.volume, b.volume, tolerance * b.volume);
    CHECK_NEAR(cairn_norm(cairn_sub(a.center, b.center)), 0.0, tolerance * cbrt(b.volume));
    double scale = b.inertia.cx.x + b.inertia.cy.y + b.inertia.cz.z;
    CHECK_NEAR(inertia_difference(a.inertia, b.inertia), 0.0, tolerance * scale);
}

static bool inside(const cairn_shape* s, cairn_vec3 p)
{
    double across = p.x * p.x + p.y * p.y, r = s->radius;
    double beyond = fmax(0.0, fabs(p.z) - s->half_height);
    switch (s->kind) {
    case CAIRN_SHAPE_CAPSULE:
        return across + beyond * beyond <= r * r;
    case CAIRN_SHAPE_CYLINDER:
        return across <= r * r && beyond == 0.0;
    default:
        return across + p.z * p.z <= r * r;
    }
}

// hit and miss in the box around the shape
static cairn_mass_properties monte_carlo(const cairn_shape* s, int samples)
{
    cairn_aabb box = cairn_shape_aabb(s, cairn_transform_identity());
    cairn_vec3 half = cairn_scale(0.5, cairn_sub(box.hi, box.lo));
    cairn_random random = {5};
    cairn_mass_properties m = {0};
    double cell = 8.0 * half.x * half.y * half.z / samples;
    for (int i = 0; i < samples; i++) {
        cairn_vec3 u = cairn_random_vec3(&random);
        cairn_vec3 p = cairn_vec(u.x * half.x, u.y * half.y, u.z * half.z);
        if (!inside(s, p))
            continue;
        m.volume += cell;
        m.center = cairn_add_scaled(m.center, cell, p);
        m.inertia.cx.x += cell * (p.y * p.y + p.z * p.z);
        m.inertia.cy.y += cell * (p.z * p.z + p.x * p.x);
        m.inertia.cz.z += cell * (p.x * p.x + p.y * p.y);
    }
    m.center = cairn_scale(1.0 / m.volume, m.center);
    return m;
}

TEST(round_shapes_agree_with_hit_and_miss)
{
    // 10^6 samples: the standard error of each figure is below 0.2 %, five of them are allowed
    cairn_shape shapes[3] = {cairn_shape_sphere(0.7), cairn_shape_capsule(0.4, 0.9),
                             cairn_shape_cylinder(0.6, 0.3)};
    for (int i = 0; i < 3; i++)
        check_same(monte_carlo(&shapes[i], 1000000), mass_of(shapes[i]), 0.01);
}
END

TEST(a_box_and_the_hull_of_its_corners_weigh_the_same)
{
    cairn_vec3 half = {0.3, 1.0, 2.5}, corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] =
            cairn_vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    cairn_hull* hull;
    ck_assert_int_eq(cairn_hull_create(corners, 8, 0.0, &hull, NULL), CAIRN_OK);
    check_same(mass_of(cairn_shape_hull(hull)), mass_of(cairn_shape_box(half)), 1e-14);
    cairn_hull_destroy(hull);
}
END

TEST(a_fine_prism_tends_to_its_cylinder_with_second_order)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        int n = 64 << k;
        cairn_vec3 points[256];
        for (int i = 0; i < 2 * n; i++) {
            double angle = 6.283185307179586 * (i / 2) / n;
            points[i] = cairn_vec(cos(angle), sin(angle), i % 2 ? 1.0 : -1.0);
        }
        cairn_hull* hull;
        ck_assert_int_eq(cairn_hull_create(points, 2 * n, 0.0, &hull, NULL), CAIRN_OK);
        cairn_mass_properties a = mass_of(cairn_shape_hull(hull));
        cairn_mass_properties b = mass_of(cairn_shape_cylinder(1.0, 1.0));
        error[k] = inertia_difference(a.inertia, b.inertia);
        cairn_hull_destroy(hull);
    }
    CHECK_NEAR(error[0] / error[1], 4.0, 0.02);
}
END

// the boundary of a hull as a mesh
static cairn_mesh* mesh_of(const cairn_hull* h)
{
    int* triangles = malloc(3 * (size_t)h->edge_count * sizeof(int));
    int count = 0;
    for (int f = 0; f < h->face_count; f++) {
        const cairn_hull_edge* e = &h->edges[h->faces[f].edge];
        for (int i = 1; i + 1 < h->faces[f].edge_count; i++) {
            triangles[3 * count] = e[0].origin;
            triangles[3 * count + 1] = e[i].origin;
            triangles[3 * count++ + 2] = e[i + 1].origin;
        }
    }
    cairn_mesh_def def = {h->vertices, h->vertex_count, triangles, count};
    cairn_mesh* mesh = NULL;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, NULL), CAIRN_OK);
    free(triangles);
    return mesh;
}

TEST(a_hull_and_its_closed_mesh_weigh_the_same_and_turn_alike)
{
    cairn_random random = {11};
    for (int trial = 0; trial < 50; trial++) {
        cairn_vec3 points[60], turned[60];
        cairn_transform x = {cairn_random_vec3(&random),
                             cairn_quat_from_rotation_vector(cairn_random_vec3(&random))};
        for (int i = 0; i < 60; i++) {
            points[i] = cairn_random_vec3(&random);
            turned[i] = cairn_transform_point(x, points[i]);
        }
        cairn_hull *a, *b;
        cairn_hull_create(points, 60, 0.0, &a, NULL);
        cairn_hull_create(turned, 60, 0.0, &b, NULL);
        cairn_mesh* mesh = mesh_of(a);
        cairn_mass_properties m = mass_of(cairn_shape_hull(a));
        check_same(mass_of(cairn_shape_mesh(mesh)), m, 1e-13);

        // the moved body: center moves along, inertia turns
        cairn_mat3 r = cairn_quat_to_mat3(x.q);
        m.center = cairn_transform_point(x, m.center);
        m.inertia = cairn_mat3_multiply(cairn_mat3_multiply(r, m.inertia), cairn_mat3_transpose(r));
        check_same(mass_of(cairn_shape_hull(b)), m, 1e-13);
        cairn_hull_destroy(a);
        cairn_hull_destroy(b);
        cairn_mesh_destroy(mesh);
    }
}
END

TEST(a_box_cut_into_two_is_a_compound_of_the_same_mass)
{
    cairn_shape parts[2] = {cairn_shape_box(cairn_vec(0.5, 1.0, 2.0)),
                            cairn_shape_box(cairn_vec(1.0, 1.5, 2.0))};
    cairn_quat quarter = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 1.5707963267948966));
    cairn_transform offsets[2] = {{{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                                  {{1.0, 0.0, 0.0}, quarter}};
    cairn_compound* compound;
    // the second half is turned by a quarter: 1.5 along x, 1 along y
    ck_assert_int_eq(cairn_compound_create(parts, offsets, 2, &compound, NULL), CAIRN_OK);
    cairn_mass_properties whole = mass_of(cairn_shape_box(cairn_vec(2.0, 1.0, 2.0)));
    whole.center = cairn_vec(0.5, 0.0, 0.0);
    check_same(mass_of(cairn_shape_compound(compound)), whole, 1e-14);
    cairn_compound_destroy(compound);
}
END

TEST(what_has_no_mass_is_refused_by_name)
{
    cairn_error error;
    cairn_mass_properties mass;
    cairn_shape half = cairn_shape_half_space(), bad = cairn_shape_sphere(-1.0);
    ck_assert_int_eq(cairn_shape_mass(&half, &mass, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "half-space"));
    ck_assert_int_eq(cairn_shape_mass(&bad, &mass, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "radius"));
    cairn_vec3 corner[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    int triangle[3] = {0, 1, 2};
    cairn_mesh_def def = {corner, 3, triangle, 1};
    cairn_mesh* mesh;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, NULL), CAIRN_OK);
    cairn_shape open = cairn_shape_mesh(mesh);
    ck_assert_int_eq(cairn_shape_mass(&open, &mass, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "not closed"));
    cairn_mesh_destroy(mesh);
}
END

TESTS(round_shapes_agree_with_hit_and_miss, a_box_and_the_hull_of_its_corners_weigh_the_same,
      a_fine_prism_tends_to_its_cylinder_with_second_order,
      a_hull_and_its_closed_mesh_weigh_the_same_and_turn_alike,
      a_box_cut_into_two_is_a_compound_of_the_same_mass, what_has_no_mass_is_refused_by_name)
