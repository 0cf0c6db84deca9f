// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide_laws.h"
#include "collide_reference.h"
#include <string.h>

static const cairn_quat upright = {1.0, 0.0, 0.0, 0.0};

static cairn_transform at(double x, double y, double z)
{
    return (cairn_transform){{x, y, z}, upright};
}

static double deepest(const cairn_manifold* m)
{
    double least = INFINITY;
    for (int i = 0; i < m->count; i++)
        least = fmin(least, m->points[i].gap);
    return least;
}

static double extent(const cairn_shape* s)
{
    return cairn_shape_radius(s, cairn_vec(0.0, 0.0, 0.0));
}

static bool is_round(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_CAPSULE || s->kind == CAIRN_SHAPE_CYLINDER;
}

// ---------------------------------------------------------------- against the distance

// A pair within the margin: the deepest point has the distance as its gap when apart; when it
// overlaps, moving B by that gap along the normal parts the shapes.
static void check_against_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                   cairn_transform xb, double margin)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold m;
    double scale = extent(a) + extent(b);
    def.margin = margin;
    bool touch = cairn_collide_convex(a, xa, b, xb, &def, NULL, &m);
    cairn_gap g = cairn_distance(a, xa, b, xb);
    if (fabs(g.gap - margin) > 1e-9 * scale)
        ck_assert_msg(touch == (g.gap < margin), "%s %s gap %g margin %g",
                      cairn_shape_name(a->kind), cairn_shape_name(b->kind), g.gap, margin);
    if (!touch)
        return;
    CHECK_NEAR(cairn_norm(m.normal), 1.0, 1e-12);
    CHECK(m.count <= 4);
    double s = reference_separation(a, xa, b, xb, m.normal);
    if (g.gap > 0.0) {
        ck_assert_msg(fabs(deepest(&m) - g.gap) < 1e-9 * scale,
                      "%d %d count %d  %g %g n %g %g %g  %g %g %g", a->kind, b->kind, m.count,
                      deepest(&m), g.gap, m.normal.x, m.normal.y, m.normal.z, g.normal.x,
                      g.normal.y, g.normal.z);
        CHECK_NEAR(s, g.gap, 1e-9 * scale);
    } else {
        // no point lies deeper than the overlap along the normal, and that is not much more than
        // the least one
        CHECK_BELOW(s, deepest(&m) + 1e-9 * scale);
        CHECK_BELOW(g.gap * 1.06 - 1e-7 * scale, s);
        CHECK_BELOW(reference_separation(a, xa, b, xb, m.normal) - s, 1e-12 * scale);
    }
    // each point lies between the surfaces
    for (int i = 0; i < m.count; i++) {
        cairn_vec3 p = m.points[i].position;
        CHECK(m.points[i].gap <= margin + 1e-12 * scale);
        // the ends of the common stretch of two round sides may be skew by φ = 0.02 and tilted by
        // 0.1: their points are off each other by (1 - cos φ) 0.1
        double slack = 0.5 * fabs(m.points[i].gap) + 1e-9 * scale +
                       (is_round(a) && is_round(b) ? 2e-5 * (a->radius + b->radius) : 0.0);
        CHECK_BELOW(reference_outside(a, xa, p), slack);
        ck_assert_msg(reference_outside(b, xb, p) <= slack,
                      "%d %d count %d i %d  %g %g gap %g s %g out %g", a->kind, b->kind, m.count, i,
                      m.points[i].gap, deepest(&m), g.gap, s, reference_outside(b, xb, p));
    }
}

TEST(the_deepest_point_of_a_manifold_has_the_gap_of_the_pair)
{
    cairn_random random = {21};
    for (int ka = 0; ka <= CAIRN_SHAPE_HULL; ka++) {
        for (int kb = 0; kb <= CAIRN_SHAPE_HULL; kb++) {
            for (int trial = 0; trial < CHECK_CASES(1500); trial++) {
                cairn_shape a = reference_shape(&random, (cairn_shape_kind)ka, 1.0, 5.0);
                cairn_shape b = reference_shape(&random, (cairn_shape_kind)kb, 1.0, 5.0);
                cairn_transform xa = {cairn_random_vec3(&random), reference_rotation(&random)};
                cairn_transform xb = {xa.p, reference_rotation(&random)};
                cairn_vec3 d = cairn_random_direction(&random);
                // start far away and come near, to a gap that lies around the margin
                xb.p = cairn_add_scaled(xa.p, 4.0, d);
                double gap = cairn_distance(&a, xa, &b, xb).gap;
                xb.p = cairn_add_scaled(xb.p, -gap + cairn_random_range(&random, -0.1, 0.1), d);
                check_against_distance(&a, xa, &b, xb, 0.05);
                reference_shape_destroy(&a);
                reference_shape_destroy(&b);
            }
        }
    }
}
END

TEST(swapping_the_shapes_mirrors_the_manifold)
{
    cairn_random random = {22};
    cairn_collide_def def = cairn_default_collide_def();
    def.margin = 0.2;
    for (int trial = 0; trial < CHECK_CASES(20000); trial++) {
        int ka = cairn_random_index(&random, 5), kb = cairn_random_index(&random, 5);
        cairn_shape a = reference_shape(&random, (cairn_shape_kind)ka, 1.0, 5.0);
        cairn_shape b = reference_shape(&random, (cairn_shape_kind)kb, 1.0, 5.0);
        cairn_transform xa = {{0.0, 0.0, 0.0}, reference_rotation(&random)};
        cairn_transform xb = {cairn_random_vec3(&random), reference_rotation(&random)};
        cairn_manifold m, n;
        bool there = cairn_collide_convex(&a, xa, &b, xb, &def, NULL, &m);
        bool back = cairn_collide_convex(&b, xb, &a, xa, &def, NULL, &n);
        double gap = cairn_distance(&a, xa, &b, xb).gap;
        if (fabs(gap - def.margin) > 1e-9)
            CHECK(there == back);
        // apart there is one answer; at overlap ties between axes may go either way
        if (there && back && gap > 1e-6) {
            CHECK_NEAR(deepest(&m), deepest(&n), 1e-9);
            CHECK_BELOW(cairn_norm(cairn_add(m.normal, n.normal)), 1e-9 + 1e-14 / gap);
        }
        reference_shape_destroy(&a);
        reference_shape_destroy(&b);
    }
}
END

// ---------------------------------------------------------------- faces

TEST(a_box_on_a_box_has_four_points_at_its_corners)
{
    cairn_shape table = cairn_shape_box(cairn_vec(5.0, 5.0, 0.5));
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.4, 0.3));
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold m;
    CHECK(
        cairn_collide_convex(&table, at(0.0, 0.0, 0.0), &box, at(1.0, 2.0, 0.799), &def, NULL, &m));
    ck_assert_int_eq(m.count, 4);
    CHECK_NEAR(m.normal.z, 1.0, 0.0);
    double x = 0.0, y = 0.0;
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(m.points[i].gap, -0.001, 1e-15);
        CHECK_NEAR(m.points[i].position.z, 0.4995, 1e-15);
        CHECK_NEAR(fabs(m.points[i].position.x - 1.0), 0.5, 1e-15);
        CHECK_NEAR(fabs(m.points[i].position.y - 2.0), 0.4, 1e-15);
        x += m.points[i].position.x;
        y += m.points[i].position.y;
    }
    CHECK_NEAR(x, 4.0, 1e-14);
    CHECK_NEAR(y, 8.0, 1e-14);
}
END

TEST(all_points_of_two_crossed_octagons_are_given_on_request)
{
    cairn_vec3 corner[16];
    for (int i = 0; i < 16; i++) {
        double angle = 0.7853981633974483 * (i / 2);
        corner[i] = cairn_vec(cos(angle), sin(angle), i % 2 ? 0.5 : -0.5);
    }
    cairn_hull* hull;
    cairn_hull_create(corner, 16, 0.0, &hull, NULL);
    cairn_shape prism = cairn_shape_hull(hull);
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold m;
    cairn_transform xb = {{0.1, 0.0, 0.999},
                          cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 0.2))};
    CHECK(cairn_collide_convex(&prism, at(0.0, 0.0, 0.0), &prism, xb, &def, NULL, &m));
    ck_assert_int_eq(m.count, 4);
    def.all_points = true;
    CHECK(cairn_collide_convex(&prism, at(0.0, 0.0, 0.0), &prism, xb, &def, NULL, &m));
    ck_assert_int_eq(m.count, 8);
    CHECK_NEAR(m.normal.z, 1.0, 1e-15);
    cairn_hull_destroy(hull);
}
END

// A cube tilted about y on a turned one, looked at far ahead: eight points, of which those on the
// low side may bear something soon, and those on the high side only span the area.
TEST(points_that_are_near_go_before_points_that_are_far_out)
{
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold four, all;
    cairn_transform a = {{0.0, 0.0, 0.0},
                         cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 0.7))};
    cairn_transform b = {{0.0, 0.0, 1.021},
                         cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.045, 0.0))};
    def.margin = 0.05;
    CHECK(cairn_collide_convex(&box, a, &box, b, &def, NULL, &four));
    def.all_points = true;
    CHECK(cairn_collide_convex(&box, a, &box, b, &def, NULL, &all));
    ck_assert_int_eq(four.count, 4);
    ck_assert_int_eq(all.count, 8);
    double far = 0.0;
    int lower = 0;
    for (int i = 0; i < 4; i++)
        far = fmax(far, four.points[i].gap);
    for (int i = 0; i < 8; i++)
        lower += all.points[i].gap < far;
    CHECK(lower < 6);
}
END

TEST(every_shape_rests_on_a_half_space)
{
    cairn_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = cairn_vec(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    cairn_hull* hull;
    cairn_hull_create(corners, 8, 0.0, &hull, NULL);
    cairn_quat lying = cairn_quat_from_rotation_vector(cairn_vec(1.5707963267948966, 0.0, 0.0));
    struct {
        cairn_shape shape;
        cairn_quat q;
        double height;
        int points;
    } cases[] = {{cairn_shape_sphere(0.5), upright, 0.5, 1},
                 {cairn_shape_capsule(0.25, 0.5), upright, 0.75, 1},
                 {cairn_shape_capsule(0.25, 0.5), lying, 0.25, 2},
                 {cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), upright, 0.5, 4},
                 {cairn_shape_cylinder(0.5, 0.5), upright, 0.5, 4},
                 {cairn_shape_cylinder(0.5, 0.5), lying, 0.5, 2},
                 {cairn_shape_hull(hull), upright, 0.5, 4}};
    cairn_shape floor = cairn_shape_half_space();
    cairn_collide_def def = cairn_default_collide_def();
    for (int i = 0; i < 7; i++) {
        cairn_transform x = {{3.0, -2.0, 1.0 + cases[i].height - 0.001}, cases[i].q};
        cairn_manifold m;
        CHECK(cairn_collide_convex(&floor, at(0.0, 0.0, 1.0), &cases[i].shape, x, &def, NULL, &m));
        ck_assert_int_eq(m.count, cases[i].points);
        CHECK_NEAR(m.normal.z, 1.0, 1e-15);
        CHECK_NEAR(deepest(&m), -0.001, 1e-12);
        CHECK(cairn_collide_convex(&cases[i].shape, x, &floor, at(0.0, 0.0, 1.0), &def, NULL, &m));
        ck_assert_int_eq(m.count, cases[i].points);
        CHECK_NEAR(m.normal.z, -1.0, 1e-15);
        CHECK_NEAR(deepest(&m), -0.001, 1e-12);
    }
    cairn_hull_destroy(hull);
}
END

// ---------------------------------------------------------------- persistence

// rocks by a few tenths of a degree about a turning axis, with a little sliding and heaving
static void rock(const cairn_shape* table, cairn_transform xt, const cairn_shape* body,
                 double height)
{
    enum { steps = 2000 };
    cairn_collide_def def = cairn_default_collide_def();
    cairn_pair_cache cache = {0};
    cairn_manifold m = {0}, last = {0};
    int same = 0;
    for (int i = 0; i < steps; i++) {
        double s = 0.01 * i, tilt = 0.004 * sin(1.7 * s);
        cairn_transform x = {{0.002 * s, 0.001 * s, height - 0.002 + 0.001 * sin(s)},
                             cairn_quat_from_rotation_vector(
                                 cairn_vec(tilt * cos(0.3 * s), tilt * sin(0.3 * s), 0.0005 * s))};
        cairn_collide_convex(table, xt, body, x, &def, &cache, &m);
        same += i > 0 && law_kept_points(&last, &m) == last.count && m.count == last.count;
        last = m;
    }
    CHECK_BELOW(0.99 * (steps - 1), same);
}

TEST(a_rocking_box_keeps_its_ids)
{
    cairn_shape table = cairn_shape_box(cairn_vec(2.0, 2.0, 0.5));
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_shape floor = cairn_shape_half_space();
    rock(&table, at(0.0, 0.0, -0.5), &box, 0.5);
    rock(&floor, at(0.0, 0.0, 0.0), &box, 0.5);
}
END

// trembles by round-off and more, each time computed anew
static void rest(const cairn_shape* table, cairn_transform xt, const cairn_shape* body,
                 double height, double noise)
{
    enum { steps = 2000 };
    cairn_collide_def def = cairn_default_collide_def();
    cairn_pair_cache cache = {0};
    cairn_manifold m = {0}, last = {0};
    cairn_random random = {8};
    int same = 0;
    def.reuse = 0.0;
    for (int i = 0; i < steps; i++) {
        cairn_transform x = {
            cairn_scale(noise, cairn_random_vec3(&random)),
            cairn_quat_from_rotation_vector(cairn_scale(noise, cairn_random_vec3(&random)))};
        x.p.z += height;
        cairn_collide_convex(table, xt, body, x, &def, &cache, &m);
        same += i > 0 && law_kept_points(&last, &m) == last.count && m.count == last.count;
        last = m;
    }
    CHECK_BELOW(0.99 * (steps - 1), same);
}

TEST(a_resting_body_keeps_its_ids)
{
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), floor = cairn_shape_half_space();
    cairn_shape table = cairn_shape_box(cairn_vec(2.0, 2.0, 0.5));
    cairn_shape drum = cairn_shape_cylinder(0.4, 0.5);
    static const double noise[] = {1e-15, 1e-12, 1e-9, 1e-6};
    for (int k = 0; k < 4; k++) {
        rest(&table, at(0.0, 0.0, -0.5), &box, 0.5, noise[k]);
        rest(&box, at(0.0, 0.0, -0.5), &box, 0.5, noise[k]);
        rest(&floor, at(0.0, 0.0, 0.0), &box, 0.5, noise[k]);
        rest(&table, at(0.0, 0.0, -0.5), &drum, 0.5, noise[k]);
        rest(&drum, at(0.0, 0.0, -0.5), &drum, 0.5, noise[k]);
        rest(&floor, at(0.0, 0.0, 0.0), &drum, 0.5, noise[k]);
    }
}
END

TEST(a_rocking_hull_keeps_its_ids)
{
    cairn_vec3 corner[12];
    for (int i = 0; i < 12; i++) {
        double angle = 1.0471975511965976 * (i / 2);
        corner[i] = cairn_vec(0.5 * cos(angle), 0.5 * sin(angle), i % 2 ? 0.5 : -0.5);
    }
    cairn_hull* hull;
    cairn_hull_create(corner, 12, 0.0, &hull, NULL);
    cairn_shape table = cairn_shape_box(cairn_vec(2.0, 2.0, 0.5)), prism = cairn_shape_hull(hull);
    rock(&table, at(0.0, 0.0, -0.5), &prism, 0.5);
    cairn_hull_destroy(hull);
}
END

TEST(room_that_was_reserved_is_room_that_stays)
{
    cairn_contacts contacts = {0};
    cairn_collide_def def = cairn_default_collide_def();
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_transform a = cairn_transform_identity(), b = a;
    b.p.z = 1.0;
    CHECK(cairn_contacts_reserve(&contacts, 1, 4) == CAIRN_OK);
    CHECK(contacts.count == 0 && contacts.capacity == 1 && contacts.point_capacity == 4);
    const cairn_patch* room = contacts.patches;
    const cairn_contact_point* points = contacts.points;
    CHECK(cairn_collide(&contacts, &box, a, &box, b, &def) == CAIRN_OK);
    CHECK(contacts.count == 1 && contacts.patches == room && room->count == 4);
    CHECK(contacts.points == points && contacts.point_count == 4);
    CHECK(cairn_contacts_memory(&contacts) == sizeof *room + 4 * sizeof *points);
    cairn_contacts_destroy(&contacts);
}
END

TEST(a_cached_pair_gives_what_a_fresh_one_gives_to_second_order)
{
    cairn_random random = {31};
    for (int trial = 0; trial < 200; trial++) {
        cairn_shape a = reference_shape(&random, CAIRN_SHAPE_HULL, 1.0, 3.0);
        cairn_shape b = reference_shape(&random, CAIRN_SHAPE_BOX, 1.0, 3.0);
        cairn_transform xa = {{0.0, 0.0, 0.0}, reference_rotation(&random)};
        cairn_transform xb = {cairn_random_vec3(&random), reference_rotation(&random)};
        cairn_collide_def def = cairn_default_collide_def();
        cairn_pair_cache cache = {0};
        cairn_manifold m, fresh;
        bool touch = cairn_collide_convex(&a, xa, &b, xb, &def, &cache, &m);
        xb.p = cairn_add_scaled(xb.p, 1e-6, cairn_random_direction(&random));
        if (touch && cairn_collide_convex(&a, xa, &b, xb, &def, &cache, &m)) {
            // the same points moved along: the overlap along the normal follows exactly
            cairn_collide_convex(&a, xa, &b, xb, &def, NULL, &fresh);
            double s = reference_separation(&a, xa, &b, xb, m.normal);
            CHECK_NEAR(deepest(&m), s, 1e-9 + (deepest(&fresh) < 0.0 ? 0.2 : 0.0));
            CHECK_NEAR(deepest(&m), deepest(&fresh), 1e-5);
        }
        reference_shape_destroy(&a);
        reference_shape_destroy(&b);
    }
}
END

TEST(bricks_laid_face_to_face_in_any_direction_touch_in_four_points)
{
    cairn_random random = {7};
    cairn_shape brick = cairn_shape_box(cairn_vec(0.5, 0.25, 0.25));
    cairn_collide_def def = cairn_default_collide_def();
    for (int k = 0; k < CHECK_CASES(2000); k++) {
        cairn_quat q =
            cairn_quat_from_rotation_vector(cairn_scale(3.0, cairn_random_vec3(&random)));
        cairn_vec3 along = cairn_random_vec3(&random);
        double apart = 0.5 + cairn_random_range(&random, -1e-12, 1e-12);
        cairn_transform a = {cairn_scale(5.0, cairn_random_vec3(&random)), q};
        cairn_transform b = {
            cairn_add(a.p, cairn_rotate(q, cairn_vec(0.4 * along.x, 0.2 * along.y, apart))), q};
        cairn_manifold manifold;
        CHECK(cairn_collide_convex(&brick, a, &brick, b, &def, NULL, &manifold));
        ck_assert_int_eq(manifold.count, 4);
        CHECK_NEAR(cairn_dot(manifold.normal, cairn_rotate(q, cairn_vec(0.0, 0.0, 1.0))), 1.0,
                   1e-12);
    }
}
END

// of a capsule or a cylinder that lies on the face of a box, tilted by a little
static void lie_on_box(const cairn_shape* log, double tilt, bool swap)
{
    const double half_height = 0.12, radius = 0.05, gap = 0.002;
    cairn_shape box = cairn_shape_box(cairn_vec(0.2, 0.3, 0.25));
    cairn_quat q = cairn_quat_from_rotation_vector(cairn_vec(asin(1.0) + tilt, 0.0, 0.0));
    cairn_transform on = {{0.02, 0.03, 0.25 + radius + gap + half_height * sin(tilt)}, q};
    cairn_transform ground = at(0.0, 0.0, 0.0);
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold m;
    def.margin = 0.05;
    CHECK(swap ? cairn_collide_convex(log, on, &box, ground, &def, NULL, &m)
               : cairn_collide_convex(&box, ground, log, on, &def, NULL, &m));
    ck_assert_int_eq(m.count, 2);
    CHECK(m.points[0].feature != m.points[1].feature);
    CHECK_NEAR(deepest(&m), gap, tilt > 0.0 ? radius * tilt * tilt : 1e-12);
    CHECK_NEAR(m.points[0].gap + m.points[1].gap - 2.0 * deepest(&m), 2.0 * half_height * sin(tilt),
               1e-12);
    CHECK_NEAR(fabs(m.points[0].position.y - m.points[1].position.y), 2.0 * half_height * cos(tilt),
               tilt > 0.0 ? 2.0 * radius * tilt : 1e-12);
}

TEST(a_capsule_or_a_cylinder_that_lies_on_a_box_touches_it_at_both_ends)
{
    const cairn_shape log[2] = {cairn_shape_capsule(0.05, 0.12), cairn_shape_cylinder(0.05, 0.12)};
    for (int i = 0; i < 2; i++)
        for (int swap = 0; swap < 2; swap++) {
            lie_on_box(&log[i], 0.0, swap);
            lie_on_box(&log[i], 0.1, swap);
        }
}
END

TEST(a_pair_that_stands_still_shows_more_points_to_who_looks_farther)
{
    cairn_shape table = cairn_shape_box(cairn_vec(2.0, 2.0, 0.5));
    cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), plane = cairn_shape_half_space();
    // one edge is 1 mm above the table, the other 31 mm
    double tilt = asin(0.03);
    cairn_transform x = {{0.0, 0.0, 0.501 + 0.5 * (cos(tilt) - 1.0) + 0.015},
                         cairn_quat_from_rotation_vector(cairn_vec(0.0, tilt, 0.0))};
    for (int i = 0; i < 2; i++) {
        cairn_transform ground = at(0.0, 0.0, i ? 0.0 : -0.5);
        cairn_collide_def def = cairn_default_collide_def();
        cairn_pair_cache cache = {0};
        cairn_manifold m = {.count = 0};
        def.margin = 0.01;
        cairn_collide_convex(i ? &plane : &table, ground, &cube, x, &def, &cache, &m);
        ck_assert_int_eq(m.count, 2);
        def.margin = 0.05;
        cairn_collide_convex(i ? &plane : &table, ground, &cube, x, &def, &cache, &m);
        ck_assert_int_eq(m.count, 4);
    }
}
END

// Within its reuse a point stays on its body, and the normal on the face that it is of. A corner
// that turns by φ moves by φ r to first order, which the gap follows, and by φ² r / 2.
static void drift(const cairn_shape* floor, double top, bool floor_first)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.4, 0.3));
    cairn_random random = {17};
    int reused = 0;
    for (int trial = 0; trial < 200; trial++) {
        cairn_pair_cache cache = {0};
        cairn_manifold m = {.count = 0}, fresh;
        cairn_transform ground = at(0.0, 0.0, top), x = at(0.1, 0.2, 0.3);
        for (int i = 0; i < 2; i++) {
            const cairn_shape *a = floor_first ? floor : &box, *b = floor_first ? &box : floor;
            cairn_transform xa = floor_first ? ground : x, xb = floor_first ? x : ground;
            cairn_collide_convex(a, xa, b, xb, &def, &cache, &m);
            cairn_collide_convex(a, xa, b, xb, &def, NULL, &fresh);
            double r = extent(&box), most = def.reuse * def.reuse * r;
            CHECK_NEAR(deepest(&m), deepest(&fresh), most);
            // of two faces that lie on each other that of A is the one
            bool of_floor = floor_first || floor->kind == CAIRN_SHAPE_HALF_SPACE;
            cairn_vec3 up = cairn_rotate(of_floor ? ground.q : x.q, cairn_vec(0.0, 0.0, 1.0));
            cairn_vec3 n = floor_first ? m.normal : cairn_neg(m.normal);
            CHECK_BELOW(cairn_norm(cairn_sub(n, up)), 1e-12);
            reused += cache.drift > 0.0;
            double by = 0.2 * def.reuse * cairn_random_unit(&random);
            x.p = cairn_add_scaled(x.p, by * r, cairn_random_direction(&random));
            x.q = cairn_quat_from_rotation_vector(cairn_scale(by, cairn_random_direction(&random)));
        }
    }
    CHECK(reused == 200);
}

TEST(points_that_are_kept_follow_the_bodies_and_the_normal_its_face)
{
    cairn_shape plane = cairn_shape_half_space();
    cairn_shape table = cairn_shape_box(cairn_vec(2.0, 2.0, 0.5));
    for (int first = 0; first < 2; first++) {
        drift(&plane, 0.0, first);
        drift(&table, -0.5, first);
    }
}
END

// A brick on a crossed one rocks on it, so that one after the other of the eight points where their
// faces cross is the deepest: whatever was kept before, the four points show how deep they are.
TEST(points_that_are_kept_never_hide_the_deepest)
{
    cairn_shape brick = cairn_shape_box(cairn_vec(0.5, 0.25, 0.25));
    for (int margin = 1; margin <= 8; margin *= 2) {
        cairn_collide_def def = cairn_default_collide_def(), fresh = {.all_points = true};
        cairn_random random = {(uint64_t)margin};
        cairn_pair_cache cache = {0};
        cairn_manifold m = {0}, all;
        def.margin = 0.02 * margin;
        for (int i = 0; i < 500; i++) {
            cairn_vec3 lean = cairn_vec(0.03 * sin(0.1 * i), 0.03 * cos(0.17 * i), 0.8);
            cairn_transform x = {cairn_vec(0.0, 0.0, 0.499), cairn_quat_from_rotation_vector(lean)};
            x.p.x = 0.05 * (cairn_random_unit(&random) - 0.5);
            cairn_collide_convex(&brick, at(0.0, 0.0, 0.0), &brick, x, &def, &cache, &m);
            cairn_collide_convex(&brick, at(0.0, 0.0, 0.0), &brick, x, &fresh, NULL, &all);
            CHECK_NEAR(deepest(&m), deepest(&all), 1e-5);
        }
    }
}
END

TESTS(points_that_are_kept_never_hide_the_deepest,
      points_that_are_kept_follow_the_bodies_and_the_normal_its_face,
      a_pair_that_stands_still_shows_more_points_to_who_looks_farther,
      a_capsule_or_a_cylinder_that_lies_on_a_box_touches_it_at_both_ends,
      bricks_laid_face_to_face_in_any_direction_touch_in_four_points,
      the_deepest_point_of_a_manifold_has_the_gap_of_the_pair,
      swapping_the_shapes_mirrors_the_manifold, a_box_on_a_box_has_four_points_at_its_corners,
      all_points_of_two_crossed_octagons_are_given_on_request,
      points_that_are_near_go_before_points_that_are_far_out, every_shape_rests_on_a_half_space,
      a_rocking_box_keeps_its_ids, a_resting_body_keeps_its_ids, a_rocking_hull_keeps_its_ids,
      room_that_was_reserved_is_room_that_stays,
      a_cached_pair_gives_what_a_fresh_one_gives_to_second_order)
