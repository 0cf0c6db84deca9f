// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide_reference.h"
#include <string.h>

enum { cells = 12, side = cells + 1 };

// a floor of triangles of uneven sizes with random diagonals
static cairn_mesh* flat_mesh(void)
{
    cairn_vec3 vertices[side * side];
    int triangles[6 * cells * cells], count = 0;
    cairn_random random = {6};
    for (int i = 0; i < side * side; i++) {
        double x = i % side, y = i / side;
        vertices[i] = cairn_vec(0.4 * x + 0.1 * cairn_random_unit(&random) - 2.4,
                                0.4 * y + 0.1 * cairn_random_unit(&random) - 2.4, 0.0);
    }
    for (int j = 0; j < cells; j++) {
        for (int i = 0; i < cells; i++) {
            int a = j * side + i, b = a + 1, c = b + side, d = a + side;
            int one[6] = {a, b, c, a, c, d}, two[6] = {a, b, d, b, c, d};
            memcpy(&triangles[6 * count++], (i + j) % 2 ? one : two, sizeof one);
        }
    }
    cairn_mesh_def def = {vertices, side * side, triangles, 2 * count};
    cairn_mesh* mesh = NULL;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, NULL), CAIRN_OK);
    return mesh;
}

static cairn_height_field* flat_field(void)
{
    double heights[side * side] = {0.0};
    cairn_height_field_def def = {side, side, 0.4, 0.4, heights};
    cairn_height_field* field = NULL;
    ck_assert_int_eq(cairn_height_field_create(&def, &field, NULL), CAIRN_OK);
    return field;
}

// slides a body over the seams; every normal is the plane's, every step is supported
static void slide(const cairn_shape* floor, cairn_transform xf, const cairn_shape* body,
                  cairn_quat q, double height, int points)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_contacts contacts = {0};
    for (int i = 0; i < 1500; i++) {
        double s = 1e-3 * i;
        cairn_transform x = {{s - 0.7, 0.37 * s - 0.3, height - 0.001}, q};
        ck_assert_int_eq(cairn_collide(&contacts, floor, xf, body, x, &def), CAIRN_OK);
        int found = 0;
        for (int k = 0; k < contacts.count; k++) {
            const cairn_patch* m = &contacts.patches[k];
            found += m->count;
            if (m->count > 0)
                CHECK_BELOW(cairn_norm(cairn_sub(m->normal, cairn_vec(0.0, 0.0, 1.0))), 1e-6);
            for (int c = 0; c < m->count; c++)
                CHECK_BELOW(-0.001 - 1e-9, contacts.points[m->first + c].gap);
        }
        ck_assert_msg(found >= points && found <= 4, "step %d: %d points", i, found);
    }
    cairn_contacts_destroy(&contacts);
}

TEST(bodies_slide_over_flat_seams_without_ghosts)
{
    cairn_mesh* mesh = flat_mesh();
    cairn_height_field* field = flat_field();
    cairn_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = cairn_vec(i & 1 ? 0.3 : -0.3, i & 2 ? 0.25 : -0.25, i & 4 ? 0.2 : -0.2);
    cairn_hull* hull;
    cairn_hull_create(corners, 8, 0.0, &hull, NULL);
    cairn_quat turned = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 0.3));
    cairn_quat lying = cairn_quat_multiply(
        turned, cairn_quat_from_rotation_vector(cairn_vec(1.5707963267948966, 0.0, 0.0)));
    struct {
        cairn_shape shape;
        cairn_quat q;
        double height;
        int points;
    } bodies[] = {{cairn_shape_box(cairn_vec(0.3, 0.25, 0.2)), turned, 0.2, 4},
                  {cairn_shape_hull(hull), turned, 0.2, 4},
                  {cairn_shape_sphere(0.3), turned, 0.3, 1},
                  {cairn_shape_capsule(0.1, 0.3), lying, 0.1, 2},
                  {cairn_shape_cylinder(0.3, 0.2), turned, 0.2, 4}};
    cairn_shape floors[2] = {cairn_shape_mesh(mesh), cairn_shape_height_field(field)};
    cairn_transform at[2] = {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                             {{-2.4, -2.4, 0.0}, {1.0, 0.0, 0.0, 0.0}}};
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 5; i++)
            slide(&floors[f], at[f], &bodies[i].shape, bodies[i].q, bodies[i].height,
                  bodies[i].points);
    cairn_hull_destroy(hull);
    cairn_mesh_destroy(mesh);
    cairn_height_field_destroy(field);
}
END

// a cube of side 2 as a closed mesh
static cairn_mesh* cube_mesh(void)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    cairn_vec3 v[8];
    int triangles[36];
    for (int i = 0; i < 8; i++)
        v[i] = cairn_vec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    for (int f = 0; f < 6; f++) {
        int two[6] = {faces[f][0], faces[f][1], faces[f][2], faces[f][0], faces[f][2], faces[f][3]};
        memcpy(&triangles[6 * f], two, sizeof two);
    }
    cairn_mesh_def def = {v, 8, triangles, 12};
    cairn_mesh* mesh = NULL;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, NULL), CAIRN_OK);
    return mesh;
}

TEST(a_cube_of_triangles_is_as_far_away_as_a_box)
{
    cairn_mesh* mesh = cube_mesh();
    cairn_shape surface = cairn_shape_mesh(mesh), box = cairn_shape_box(cairn_vec(1.0, 1.0, 1.0));
    cairn_random random = {8};
    for (int trial = 0; trial < CHECK_CASES(2000); trial++) {
        int kind = cairn_random_index(&random, 5);
        cairn_shape b = reference_shape(&random, (cairn_shape_kind)kind, 0.5, 5.0);
        cairn_transform xa = {cairn_random_vec3(&random), reference_rotation(&random)};
        cairn_transform xb = {cairn_scale(5.0, cairn_random_direction(&random)),
                              reference_rotation(&random)};
        cairn_gap g = cairn_distance(&surface, xa, &b, xb), h = cairn_distance(&box, xa, &b, xb);
        CHECK(h.gap > 0.0);
        CHECK_NEAR(g.gap, h.gap, 1e-9);
        CHECK_BELOW(cairn_norm(cairn_sub(g.normal, h.normal)), 2e-9);
        CHECK_NEAR(cairn_distance(&b, xb, &surface, xa).gap, h.gap, 1e-9);
        reference_shape_destroy(&b);
    }
    cairn_mesh_destroy(mesh);
}
END

TEST(contacts_with_a_cube_of_triangles_are_those_of_a_box)
{
    cairn_mesh* mesh = cube_mesh();
    cairn_shape surface = cairn_shape_mesh(mesh), box = cairn_shape_box(cairn_vec(1.0, 1.0, 1.0));
    cairn_random random = {9};
    cairn_collide_def def = cairn_default_collide_def();
    cairn_contacts contacts = {0};
    def.margin = 0.05;
    for (int trial = 0; trial < CHECK_CASES(1000); trial++) {
        cairn_shape b = reference_shape(&random, (cairn_shape_kind)(trial % 5), 0.4, 2.0);
        cairn_transform xa = {cairn_random_vec3(&random), reference_rotation(&random)};
        cairn_vec3 d = cairn_random_direction(&random);
        cairn_transform xb = {cairn_add_scaled(xa.p, 5.0, d), reference_rotation(&random)};
        xb.p = cairn_add_scaled(xb.p, 0.02 - cairn_distance(&box, xa, &b, xb).gap, d);
        double gap = cairn_distance(&box, xa, &b, xb).gap, least = INFINITY;
        cairn_collide(&contacts, &surface, xa, &b, xb, &def);
        for (int k = 0; k < contacts.point_count; k++)
            least = fmin(least, contacts.points[k].gap);
        if (gap > 0.0 && gap < 0.049)
            CHECK_NEAR(least, gap, 1e-9);
        reference_shape_destroy(&b);
    }
    cairn_contacts_destroy(&contacts);
    cairn_mesh_destroy(mesh);
}
END

TEST(a_compound_touches_part_by_part_and_remembers)
{
    cairn_shape bars[3] = {cairn_shape_box(cairn_vec(0.5, 0.1, 0.1)),
                           cairn_shape_box(cairn_vec(0.1, 0.5, 0.1)),
                           cairn_shape_box(cairn_vec(0.1, 0.1, 0.5))};
    cairn_transform at[3] = {cairn_transform_identity(), cairn_transform_identity(),
                             cairn_transform_identity()};
    cairn_compound* jack;
    ck_assert_int_eq(cairn_compound_create(bars, at, 3, &jack, NULL), CAIRN_OK);
    cairn_shape shape = cairn_shape_compound(jack), floor = cairn_shape_half_space();
    cairn_collide_def def = cairn_default_collide_def();
    cairn_contacts contacts = {0};
    cairn_transform x = {{0.0, 0.0, 0.499}, {1.0, 0.0, 0.0, 0.0}};
    uint64_t ids[4] = {0};
    for (int step = 0; step < 5; step++) {
        cairn_collide(&contacts, &floor, cairn_transform_identity(), &shape, x, &def);
        int found = 0;
        for (int k = 0; k < contacts.count; k++) {
            const cairn_patch* m = &contacts.patches[k];
            for (int c = 0; c < m->count; c++) {
                const cairn_contact_point* point = &contacts.points[m->first + c];
                ck_assert_int_eq(m->part_b, 2);
                CHECK_NEAR(point->gap, -0.001 + 1e-4 * step, 1e-15);
                CHECK(step == 0 || ids[found] == point->feature);
                ids[found++] = point->feature;
            }
        }
        ck_assert_int_eq(found, 4);
        x.p.z += 1e-4;
    }
    cairn_contacts_destroy(&contacts);
    cairn_compound_destroy(jack);
}
END

// ---------------------------------------------------------------- persistence

// points of `now` that were there before, by direction and feature
static int kept_points(const cairn_contacts* old, const cairn_contacts* now)
{
    int kept = 0;
    for (int i = 0; i < now->count; i++) {
        const cairn_patch* m = &now->patches[i];
        for (int k = 0; k < old->count; k++) {
            const cairn_patch* n = &old->patches[k];
            for (int p = 0; p < m->count; p++)
                for (int q = 0; q < n->count; q++)
                    kept += m->part_a == n->part_a && m->part_b == n->part_b &&
                            now->points[m->first + p].feature == old->points[n->first + q].feature;
        }
    }
    return kept;
}

static double deepest_point(const cairn_contacts* c)
{
    double least = INFINITY;
    for (int i = 0; i < c->point_count; i++)
        least = fmin(least, c->points[i].gap);
    return least;
}

// trembles by a millionth of its size: the points go along, and are what fresh ones would be
static void tremble(const cairn_shape* a, const cairn_shape* b, bool surface_first)
{
    cairn_collide_def def = cairn_default_collide_def();
    def.reuse = 1e-5;
    cairn_contacts kept = {0}, last = {0};
    cairn_random random = {12};
    int reused = 0;
    for (int i = 0; i < 50; i++) {
        cairn_transform body = {
            {0.05, 0.03, 0.199},
            cairn_quat_from_rotation_vector(cairn_scale(1e-7, cairn_random_vec3(&random)))};
        body.p = cairn_add_scaled(body.p, 1e-7, cairn_random_vec3(&random));
        cairn_transform xa = surface_first ? cairn_transform_identity() : body;
        cairn_transform xb = surface_first ? body : cairn_transform_identity();
        cairn_contacts fresh = {0};
        cairn_collide(&kept, a, xa, b, xb, &def);
        cairn_collide(&fresh, a, xa, b, xb, &def);
        ck_assert_int_eq(kept.point_count, 4);
        CHECK_NEAR(deepest_point(&kept), deepest_point(&fresh), 1e-12);
        CHECK_NEAR(kept.patches[0].normal.z, surface_first ? 1.0 : -1.0, 1e-12);
        if (i > 0)
            ck_assert_int_eq(kept_points(&last, &kept), 4);
        reused += kept.patches[0].cache.drift > 0.0;
        cairn_contacts_destroy(&last);
        last = fresh;
    }
    // computed anew only when the motions add up
    CHECK(reused > 40 && reused < 49);
    cairn_contacts_destroy(&kept);
    cairn_contacts_destroy(&last);
}

TEST(a_trembling_body_keeps_its_points_on_a_surface)
{
    cairn_mesh* mesh = flat_mesh();
    cairn_shape floor = cairn_shape_mesh(mesh), box = cairn_shape_box(cairn_vec(0.3, 0.25, 0.2));
    tremble(&floor, &box, true);
    tremble(&box, &floor, false);
    cairn_mesh_destroy(mesh);
}
END

TEST(a_rocking_box_keeps_its_ids_on_a_surface)
{
    enum { steps = 1000 };
    cairn_mesh* mesh = flat_mesh();
    cairn_shape floor = cairn_shape_mesh(mesh), box = cairn_shape_box(cairn_vec(0.3, 0.25, 0.2));
    cairn_collide_def def = cairn_default_collide_def();
    cairn_contacts now = {0};
    int same = 0;
    for (int i = 0; i < steps; i++) {
        double s = 0.01 * i, tilt = 0.003 * sin(1.7 * s);
        cairn_transform x = {{0.05, 0.03, 0.198 + 0.001 * sin(s)},
                             cairn_quat_from_rotation_vector(
                                 cairn_vec(tilt * cos(0.3 * s), tilt * sin(0.3 * s), 0.0))};
        cairn_contacts old;
        CHECK(cairn_contacts_copy(&now, &old) == CAIRN_OK);
        cairn_collide(&now, &floor, cairn_transform_identity(), &box, x, &def);
        same += i > 0 && old.point_count == now.point_count &&
                kept_points(&old, &now) == now.point_count;
        cairn_contacts_destroy(&old);
    }
    CHECK_BELOW(0.99 * (steps - 1), same);
    cairn_contacts_destroy(&now);
    cairn_mesh_destroy(mesh);
}
END

TEST(bad_surfaces_are_refused_by_name)
{
    cairn_vec3 v[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
    int wrong[3] = {0, 1, 3}, flat[3] = {0, 1, 2};
    cairn_mesh_def def = {v, 3, wrong, 1};
    cairn_mesh* mesh = NULL;
    cairn_error error;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "vertex 3"));
    def.triangles = flat;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "area"));
    double heights[4] = {0.0, 0.0, NAN, 0.0};
    cairn_height_field_def bad = {2, 2, 1.0, 1.0, heights};
    cairn_height_field* field = NULL;
    ck_assert_int_eq(cairn_height_field_create(&bad, &field, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "height 2"));
    cairn_shape part = cairn_shape_box(cairn_vec(1.0, 1.0, 0.0));
    cairn_transform at = cairn_transform_identity();
    cairn_compound* compound = NULL;
    ck_assert_int_eq(cairn_compound_create(&part, &at, 1, &compound, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "half side"));
}
END

// The nearest point of a surface to a ball is on a face, a ridge or a peak, with a normal of it;
// other edges of the same triangle may be hollow.
TEST(a_ball_over_a_hilly_field_touches_it_where_it_is_nearest)
{
    cairn_random random = {12};
    double heights[side * side];
    for (int i = 0; i < side * side; i++)
        heights[i] = i % side > 5 ? 0.0
                                  : 0.0125 * (i % side) +
                                        0.15 * sin(0.525 * (i % side)) * cos(0.425 * (i / side));
    cairn_height_field_def fd = {side, side, 0.25, 0.25, heights};
    cairn_height_field* field = NULL;
    ck_assert_int_eq(cairn_height_field_create(&fd, &field, NULL), CAIRN_OK);
    cairn_shape ground = cairn_shape_height_field(field), ball = cairn_shape_sphere(0.15);
    cairn_collide_def def = cairn_default_collide_def();
    for (int t = 0; t < 3000; t++) {
        cairn_transform x = {
            {0.3 + 2.4 * cairn_random_unit(&random), 0.3 + 2.4 * cairn_random_unit(&random), 1.0},
            cairn_quat_identity()};
        cairn_gap g = cairn_distance(&ground, cairn_transform_identity(), &ball, x);
        for (int i = 0; i < 60 && g.gap > 0.005; i++) {
            x.p.z -= g.gap - 0.001;
            g = cairn_distance(&ground, cairn_transform_identity(), &ball, x);
        }
        cairn_contacts c = {0};
        ck_assert_int_eq(cairn_collide(&c, &ground, cairn_transform_identity(), &ball, x, &def),
                         CAIRN_OK);
        double least = INFINITY;
        for (int k = 0; k < c.point_count; k++)
            least = fmin(least, c.points[k].gap);
        CHECK_NEAR(least, g.gap, 1e-12);
        cairn_contacts_destroy(&c);
    }
    cairn_height_field_destroy(field);
}
END

TESTS(a_ball_over_a_hilly_field_touches_it_where_it_is_nearest,
      bodies_slide_over_flat_seams_without_ghosts, a_cube_of_triangles_is_as_far_away_as_a_box,
      contacts_with_a_cube_of_triangles_are_those_of_a_box,
      a_compound_touches_part_by_part_and_remembers, a_trembling_body_keeps_its_points_on_a_surface,
      a_rocking_box_keeps_its_ids_on_a_surface, bad_surfaces_are_refused_by_name)
