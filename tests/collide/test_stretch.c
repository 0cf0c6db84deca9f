// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide_laws.h"
#include "collide_reference.h"
#include "worlds.h"

static const double right_angle = 1.5707963267948966;

static cairn_quat turn(double x, double y, double z)
{
    return cairn_quat_from_rotation_vector(cairn_vec(x, y, z));
}

// ---------------------------------------------------------------- round sides

static const double radius[2] = {0.5, 0.2}, half[2] = {1.0, 0.7};

static cairn_shape roll(int which, bool capsule)
{
    return capsule ? cairn_shape_capsule(radius[which], half[which])
                   : cairn_shape_cylinder(radius[which], half[which]);
}

// B beside A, its axis along A's or against it, `along` further up and `gap` away
typedef struct beside {
    double along, gap;
    bool against;
} beside;

static cairn_transform place_beside(cairn_transform xa, const beside* how, cairn_vec3 out)
{
    double apart = radius[0] + radius[1] + how->gap;
    cairn_quat q = how->against ? turn(right_angle * 2.0, 0.0, 0.0) : turn(0.0, 0.0, 0.3);
    cairn_vec3 at = cairn_vec(apart * out.x, apart * out.y, how->along);
    return (cairn_transform){cairn_transform_point(xa, at), cairn_quat_multiply(xa.q, q)};
}

static void check_beside(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                         const beside* how, cairn_vec3 out)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_transform xb = place_beside(xa, how, out);
    double ends[2] = {fmax(-half[0], how->along - half[1]), fmin(half[0], how->along + half[1])};
    for (int swap = 0; swap < 2; swap++) {
        cairn_manifold m;
        CHECK(swap ? cairn_collide_convex(b, xb, a, xa, &def, NULL, &m)
                   : cairn_collide_convex(a, xa, b, xb, &def, NULL, &m));
        ck_assert_int_eq(m.count, 2);
        CHECK(m.points[0].feature != m.points[1].feature);
        cairn_vec3 n = cairn_scale(swap ? -1.0 : 1.0, cairn_rotate(xa.q, out));
        CHECK_NEAR(cairn_norm(cairn_sub(m.normal, n)), 0.0, 1e-12);
        double z[2];
        for (int i = 0; i < 2; i++) {
            cairn_vec3 p = cairn_transform_point_back(xa, m.points[i].position);
            cairn_vec3 on = cairn_scale(radius[0] + 0.5 * how->gap, out);
            CHECK_NEAR(m.points[i].gap, how->gap, 1e-12);
            CHECK_NEAR(p.x, on.x, 1e-12);
            CHECK_NEAR(p.y, on.y, 1e-12);
            z[i] = p.z;
        }
        CHECK_NEAR(fmin(z[0], z[1]), ends[0], 1e-12);
        CHECK_NEAR(fmax(z[0], z[1]), ends[1], 1e-12);
    }
}

TEST(round_sides_along_each_other_touch_at_both_ends_of_their_common_stretch)
{
    cairn_random random = {5};
    for (int trial = 0; trial < CHECK_CASES(400); trial++) {
        cairn_shape a = roll(0, trial & 1), b = roll(1, trial & 2);
        cairn_transform xa = {cairn_random_vec3(&random), reference_rotation(&random)};
        beside how = {cairn_random_range(&random, -1.2, 1.2),
                      cairn_random_range(&random, -0.005, 0.005), trial & 4};
        double angle = cairn_random_range(&random, -3.0, 3.0);
        if (trial & 8)
            xa = cairn_transform_identity(); // nothing is rounded
        check_beside(&a, xa, &b, &how, cairn_vec(cos(angle), sin(angle), 0.0));
    }
}
END

// axes that cross at a small angle: the points are where the sections are apart by their gap, up to where one
// of them looks along a fifth, or the log ends
TEST(round_sides_that_cross_at_a_small_angle_touch_where_they_are_nearly_over_each_other)
{
    cairn_shape log = cairn_shape_cylinder(0.1, 1.0);
    cairn_collide_def def = cairn_default_collide_def();
    def.margin = 0.01;
    for (int k = 1; k < 6; k++) {
        double angle = 0.002 * k, near = fmin(1.0, 0.004 / tan(angle)), gap = 0.001;
        cairn_transform xa = cairn_transform_identity(),
                        xb = {{0.2 + gap, 0.0, 0.0}, turn(angle, 0.0, 0.0)};
        cairn_manifold m;
        CHECK(cairn_collide_convex(&log, xa, &log, xb, &def, NULL, &m));
        CHECK(m.count >= 3); // the one where they cross as well
        double lo = INFINITY, hi = -INFINITY, least = INFINITY;
        for (int i = 0; i < m.count; i++) {
            double z = m.points[i].position.z, w = z * tan(angle);
            lo = fmin(lo, z);
            hi = fmax(hi, z);
            least = fmin(least, m.points[i].gap);
            CHECK_NEAR(m.points[i].gap, cairn_length(0.2 + gap, w) - 0.2, 1e-6);
        }
        CHECK_NEAR(least, gap, 1e-12);
        CHECK(lo <= -near + 1e-3 && hi >= near - 1e-3);
        CHECK_NEAR(fmax(hi, -lo), fmin(1.0, 0.04 / tan(angle)), 1e-3);
    }
}
END

// a log that lies along the edge of a box, seen under any angle from its top to its side
TEST(a_round_side_along_an_edge_touches_at_both_ends_of_their_common_stretch)
{
    cairn_shape box = cairn_shape_box(cairn_vec(0.3, 0.3, 0.8));
    cairn_collide_def def = cairn_default_collide_def();
    for (int k = 0; k < 10; k++) {
        cairn_shape log = k & 1 ? cairn_shape_cylinder(0.1, 1.0) : cairn_shape_capsule(0.1, 1.0);
        double angle = 0.4 + 0.08 * k, gap = 0.002, shift = 0.1 * k - 0.5;
        cairn_vec3 out = cairn_vec(cos(angle), sin(angle), 0.0);
        cairn_transform xa = cairn_transform_identity(), xb = xa;
        xb.p = cairn_add_scaled(cairn_vec(0.3, 0.3, shift), 0.1 + gap, out);
        cairn_manifold m;
        CHECK(cairn_collide_convex(&box, xa, &log, xb, &def, NULL, &m));
        double lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < m.count; i++) {
            lo = fmin(lo, m.points[i].position.z);
            hi = fmax(hi, m.points[i].position.z);
            CHECK_NEAR(m.points[i].gap, gap, 1e-9);
        }
        CHECK_NEAR(cairn_dot(m.normal, out), 1.0, 1e-9);
        CHECK_NEAR(lo, fmax(-0.8, shift - 1.0), 1e-9);
        CHECK_NEAR(hi, fmin(0.8, shift + 1.0), 1e-9);
    }
}
END

TEST(a_cylinder_that_stands_in_another_is_as_deep_as_their_caps)
{
    // axes that are parallel to the last bit had a depth of zero along no direction at all
    cairn_shape drum = cairn_shape_cylinder(0.5, 1.0), post = cairn_shape_cylinder(0.2, 0.7);
    cairn_collide_def def = cairn_default_collide_def();
    const double shift[3] = {0.0, 0.2, 0.45};
    for (int k = 0; k < 12; k++) {
        const cairn_shape *a = k & 1 ? &drum : &post, *b = k & 2 ? &drum : &post;
        cairn_transform xa = cairn_transform_identity(), xb = xa;
        xb.p = cairn_vec(k / 4 ? 0.5 * shift[k / 4] : 0.0, 0.0, a->half_height + b->half_height);
        for (int deep = 0; deep < 2; deep++) {
            double gap = deep ? -0.001 : 0.001;
            cairn_transform x = xb;
            x.p.z += gap;
            cairn_gap g = cairn_distance(a, xa, b, x);
            CHECK_NEAR(g.gap, gap, 1e-15);
            CHECK_NEAR(g.normal.z, 1.0, 1e-15);
            cairn_manifold m;
            CHECK(cairn_collide_convex(a, xa, b, x, &def, NULL, &m));
            ck_assert_int_eq(m.count, 4);
            for (int i = 0; i < 4; i++)
                CHECK_NEAR(m.points[i].gap, gap, 1e-12);
        }
    }
}
END

TEST(a_cylinder_that_overlaps_another_beside_it_is_as_deep_as_their_sides)
{
    cairn_shape log = cairn_shape_cylinder(0.5, 1.0);
    for (int k = 0; k < 20; k++) {
        double angle = 0.3 * k, apart = 0.999 - 0.04 * k;
        cairn_transform xa = cairn_transform_identity(), xb = xa;
        xb.p = cairn_vec(apart * cos(angle), apart * sin(angle), 0.01 * k);
        cairn_gap g = cairn_distance(&log, xa, &log, xb);
        CHECK_NEAR(g.gap, apart - 1.0, 1e-14);
        CHECK_NEAR(cairn_dot(g.normal, xb.p), apart, 1e-14);
    }
}
END

// ---------------------------------------------------------------- on surfaces

static double spread(const cairn_contacts* c)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < c->point_count; k++) {
        lo = fmin(lo, c->points[k].position.x);
        hi = fmax(hi, c->points[k].position.x);
    }
    return hi - lo;
}

static void lie_on(const cairn_shape* ground, double top)
{
    const cairn_shape log[2] = {cairn_shape_capsule(0.1, 0.4), cairn_shape_cylinder(0.1, 0.4)};
    cairn_collide_def def = cairn_default_collide_def();
    for (int k = 0; k < 4; k++) {
        cairn_contacts contacts = {0};
        cairn_transform x = {{0.9, 0.7, top + 0.1 + (k & 2 ? 1e-3 : -1e-3)},
                             turn(0.0, right_angle, 0.0)};
        CHECK(cairn_collide(&contacts, ground, cairn_transform_identity(), &log[k & 1], x, &def) ==
              CAIRN_OK);
        ck_assert_int_eq(contacts.count, 1);
        CHECK(contacts.patches[0].count >= 2);
        CHECK_NEAR(contacts.patches[0].normal.z, 1.0, 1e-12);
        CHECK_NEAR(spread(&contacts), 0.8, 1e-9);
        cairn_contacts_destroy(&contacts);
    }
}

TEST(a_log_that_lies_on_anything_flat_touches_it_at_both_ends)
{
    cairn_vec3 corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = cairn_vec(i & 1 ? 2.0 : -2.0, i & 2 ? 2.0 : -2.0, i & 4 ? 0.0 : -1.0);
    const int triangles[6] = {4, 5, 7, 4, 7, 6};
    const double heights[25] = {0.0};
    cairn_hull* hull;
    cairn_mesh* mesh;
    cairn_height_field* field;
    cairn_mesh_def mesh_def = {
        .vertices = corner, .vertex_count = 8, .triangles = triangles, .triangle_count = 2};
    cairn_height_field_def field_def = {5, 5, 0.5, 0.5, heights};
    CHECK(cairn_hull_create(corner, 8, 0.0, &hull, NULL) == CAIRN_OK);
    CHECK(cairn_mesh_create(&mesh_def, &mesh, NULL) == CAIRN_OK);
    CHECK(cairn_height_field_create(&field_def, &field, NULL) == CAIRN_OK);
    cairn_shape box = cairn_shape_box(cairn_vec(2.0, 2.0, 0.5)), plane = cairn_shape_half_space();
    cairn_shape of_hull = cairn_shape_hull(hull), of_mesh = cairn_shape_mesh(mesh);
    lie_on(&box, 0.5);
    lie_on(&plane, 0.0);
    lie_on(&of_hull, 0.0);
    lie_on(&of_mesh, 0.0);
    cairn_shape grid = cairn_shape_height_field(field);
    lie_on(&grid, 0.0);
    cairn_hull_destroy(hull);
    cairn_mesh_destroy(mesh);
    cairn_height_field_destroy(field);
}
END

// ---------------------------------------------------------------- at rest

TEST(logs_side_by_side_that_tremble_keep_their_points)
{
    enum { steps = 1000 };
    static const double noise[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-6};
    cairn_collide_def def = cairn_default_collide_def();
    def.reuse = 0.0;
    for (int k = 0; k < 20; k++) {
        cairn_shape a = roll(0, k / 5 & 1), b = roll(1, k / 5 & 2);
        cairn_random random = {8};
        cairn_pair_cache cache = {0};
        cairn_manifold m = {0}, last = {0};
        int same = 0;
        for (int i = 0; i < steps; i++) {
            double by = noise[k % 5];
            cairn_vec3 about = cairn_scale(by, cairn_random_vec3(&random));
            cairn_transform xa = {{0.0, 0.0, 0.0}, turn(right_angle, 0.0, 0.0)};
            cairn_transform xb = {cairn_scale(by, cairn_random_vec3(&random)),
                                  turn(right_angle + about.x, about.y, about.z)};
            xb.p.z += radius[0] + radius[1];
            cairn_collide_convex(&a, xa, &b, xb, &def, &cache, &m);
            same += i > 0 && law_kept_points(&last, &m) == last.count && m.count == last.count;
            last = m;
        }
        ck_assert_int_eq(last.count, 2);
        CHECK_BELOW(0.99 * (steps - 1), same);
    }
}
END

static cairn_body_id add_log(cairn_world* world, const cairn_shape* shape, double x, double z)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.shape = shape;
    def.pose = (cairn_transform){{x, 0.0, z}, turn(right_angle, 0.0, 0.0)};
    def.material.mu = 0.6;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

TEST(a_log_on_two_logs_stands_still_and_does_not_turn)
{
    const cairn_shape log[2] = {cairn_shape_cylinder(0.2, 0.8), cairn_shape_capsule(0.2, 0.8)};
    for (int k = 0; k < 2; k++) {
        cairn_world* world = worlds_empty(cairn_default_world_def());
        worlds_ground(world);
        double up = 0.2 + 0.2 * sqrt(3.0);
        const double x[3] = {-0.2, 0.2, 0.0}, z[3] = {0.2, 0.2, up};
        cairn_body_id id[3];
        for (int i = 0; i < 3; i++)
            id[i] = add_log(world, &log[k], x[i], z[i]);
        cairn_step_report report = worlds_run(world, 300);
        CHECK_BELOW(report.residual, 1e-6); // the tolerance of a world
        for (int i = 0; i < 3; i++) {
            cairn_body_state s = worlds_state(world, id[i]);
            cairn_vec3 axis = cairn_rotate(s.pose.q, cairn_vec(0.0, 0.0, 1.0));
            CHECK_NEAR(s.pose.p.x, x[i], 1e-4);
            CHECK_NEAR(s.pose.p.y, 0.0, 1e-6);
            CHECK_NEAR(s.pose.p.z, z[i], 1e-4);
            CHECK_NEAR(fabs(axis.y), 1.0, 1e-9);
            CHECK_NEAR(cairn_norm(s.velocity), 0.0, 1e-6);
            CHECK_NEAR(cairn_norm(s.spin), 0.0, 1e-6);
        }
        cairn_world_destroy(world);
    }
}
END

TESTS(a_round_side_along_an_edge_touches_at_both_ends_of_their_common_stretch,
      round_sides_along_each_other_touch_at_both_ends_of_their_common_stretch,
      round_sides_that_cross_at_a_small_angle_touch_where_they_are_nearly_over_each_other,
      a_cylinder_that_stands_in_another_is_as_deep_as_their_caps,
      a_cylinder_that_overlaps_another_beside_it_is_as_deep_as_their_sides,
      a_log_that_lies_on_anything_flat_touches_it_at_both_ends,
      logs_side_by_side_that_tremble_keep_their_points,
      a_log_on_two_logs_stands_still_and_does_not_turn)
