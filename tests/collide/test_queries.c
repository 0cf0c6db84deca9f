// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide/query/time_of_impact.h"
#include "collide_reference.h"

static const cairn_quat upright = {1.0, 0.0, 0.0, 0.0};

static cairn_transform random_pose(cairn_random* random, double spread)
{
    return (cairn_transform){cairn_scale(spread, cairn_random_vec3(random)),
                             reference_rotation(random)};
}

TEST(a_point_is_contained_when_no_inequality_says_otherwise)
{
    cairn_random random = {1};
    for (int trial = 0; trial < CHECK_CASES(20000); trial++) {
        cairn_shape s = reference_shape(&random, reference_kind(trial % REFERENCE_KINDS), 1.0, 5.0);
        cairn_transform x = random_pose(&random, 1.0);
        cairn_vec3 p = cairn_add(x.p, cairn_random_vec3(&random));
        double outside = reference_outside(&s, x, p);
        if (fabs(outside) > 1e-12)
            CHECK(cairn_contains(&s, x, p) == (outside < 0.0));
        reference_shape_destroy(&s);
    }
}
END

// up to the hit the ray is outside, just after it inside; a miss is outside all along
TEST(a_ray_ends_where_a_shape_begins)
{
    cairn_random random = {2};
    for (int trial = 0; trial < CHECK_CASES(20000); trial++) {
        cairn_shape s = reference_shape(&random, reference_kind(trial % REFERENCE_KINDS), 1.0, 5.0);
        cairn_transform x = random_pose(&random, 1.0);
        cairn_vec3 o = cairn_scale(4.0, cairn_random_vec3(&random));
        cairn_vec3 aim = cairn_add_scaled(x.p, 0.7, cairn_random_vec3(&random));
        cairn_vec3 way = cairn_scale(1.5, cairn_sub(aim, o));
        cairn_hit hit = {.t = 1.0};
        bool inside = cairn_contains(&s, x, o), found = cairn_shape_cast_ray(&s, x, o, way, &hit);
        if (inside) {
            CHECK(found);
            CHECK_NEAR(hit.t, 0.0, 0.0);
        } else if (found) {
            CHECK_NEAR(reference_outside(&s, x, hit.point), 0.0, 1e-12);
            CHECK_NEAR(cairn_norm(hit.normal), 1.0, 1e-12);
            CHECK(cairn_dot(hit.normal, way) <= 0.0);
            // the plane through the hit supports the shape
            CHECK_NEAR((double)reference_reach(&s, x, hit.normal), cairn_dot(hit.normal, hit.point),
                       1e-11);
        }
        for (int k = 0; k < 20 && !inside; k++) {
            cairn_vec3 p = cairn_add_scaled(o, hit.t * (k + 0.5) / 20.0, way);
            CHECK_BELOW(-1e-12, reference_outside(&s, x, p));
        }
        reference_shape_destroy(&s);
    }
}
END

TEST(a_ray_on_a_height_field_is_that_on_its_mesh)
{
    enum { n = 9 };
    double heights[n * n];
    cairn_vec3 v[n * n];
    int triangles[6 * (n - 1) * (n - 1)], count = 0;
    cairn_random random = {3};
    for (int i = 0; i < n * n; i++) {
        heights[i] = cairn_random_unit(&random);
        v[i] = cairn_vec(0.5 * (i % n), 0.25 * (i / n), heights[i]);
    }
    for (int j = 0; j + 1 < n; j++) {
        for (int i = 0; i + 1 < n; i++) {
            int a = j * n + i, cell[6] = {a, a + 1, a + n + 1, a, a + n + 1, a + n};
            for (int k = 0; k < 6; k++)
                triangles[count++] = cell[k];
        }
    }
    cairn_height_field_def fd = {n, n, 0.5, 0.25, heights};
    cairn_mesh_def md = {v, n * n, triangles, count / 3};
    cairn_height_field* field;
    cairn_mesh* mesh;
    cairn_height_field_create(&fd, &field, NULL);
    cairn_mesh_create(&md, &mesh, NULL);
    cairn_shape a = cairn_shape_height_field(field), b = cairn_shape_mesh(mesh);
    int hits = 0;
    for (int trial = 0; trial < CHECK_CASES(5000); trial++) {
        cairn_transform x = random_pose(&random, 1.0);
        cairn_vec3 from = cairn_vec(cairn_random_range(&random, -1.0, 5.0),
                                    cairn_random_range(&random, -1.0, 3.0), 2.0);
        cairn_vec3 to = cairn_vec(cairn_random_range(&random, -1.0, 5.0),
                                  cairn_random_range(&random, -1.0, 3.0), -1.0);
        cairn_vec3 o = cairn_transform_point(x, from);
        cairn_vec3 w = cairn_sub(cairn_transform_point(x, to), o);
        cairn_hit p, q;
        bool one = cairn_shape_cast_ray(&a, x, o, w, &p),
             two = cairn_shape_cast_ray(&b, x, o, w, &q);
        CHECK(one == two);
        if (one)
            CHECK_NEAR(p.t, q.t, 1e-12);
        hits += one;
        // a point above or below
        cairn_vec3 at = cairn_vec(cairn_random_range(&random, 0.01, 3.99),
                                  cairn_random_range(&random, 0.01, 1.99),
                                  cairn_random_range(&random, -0.5, 1.5));
        cairn_hit down;
        bool above = cairn_shape_cast_ray(&a, cairn_transform_identity(), at,
                                          cairn_vec(0.0, 0.0, -10.0), &down);
        CHECK(cairn_contains(&a, cairn_transform_identity(), at) == !above);
    }
    CHECK(hits > CHECK_CASES(1000));
    cairn_height_field_destroy(field);
    cairn_mesh_destroy(mesh);
}
END

TEST(a_cast_stops_at_first_contact)
{
    cairn_random random = {4};
    int hits = 0;
    for (int trial = 0; trial < CHECK_CASES(5000); trial++) {
        cairn_shape a = reference_shape(&random, reference_kind(trial % REFERENCE_KINDS), 1.0, 5.0);
        cairn_shape b = reference_shape(
            &random, reference_kind(trial / REFERENCE_KINDS % REFERENCE_KINDS), 1.0, 5.0);
        cairn_transform xa = random_pose(&random, 1.0), xb = random_pose(&random, 1.0);
        xb.p = cairn_add_scaled(xa.p, 5.0, cairn_random_direction(&random));
        cairn_vec3 aim = cairn_add_scaled(xa.p, 1.0, cairn_random_vec3(&random));
        cairn_vec3 way = cairn_scale(1.5, cairn_sub(aim, xb.p));
        cairn_hit hit = {.t = 1.0};
        bool found = cairn_shape_cast_shape(&b, xb, way, &a, xa, &hit);
        cairn_transform end = {cairn_add_scaled(xb.p, hit.t, way), xb.q};
        if (found) {
            CHECK_NEAR(cairn_distance(&a, xa, &b, end).gap, 0.0, 1e-10);
            CHECK_NEAR(reference_outside(&a, xa, hit.point), 0.0, 1e-10);
        }
        for (int k = 0; k < 10; k++) {
            cairn_transform x = {cairn_add_scaled(xb.p, hit.t * (k + 0.5) / 10.0, way), xb.q};
            CHECK(cairn_distance(&a, xa, &b, x).gap > -1e-10);
        }
        hits += found;
        reference_shape_destroy(&a);
        reference_shape_destroy(&b);
    }
    CHECK(hits > CHECK_CASES(2000));
}
END

// the least gap of b on its way past a: a convex function of t, by its thirds
static double least_gap(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                        cairn_transform xb, cairn_vec3 way)
{
    double lo = 0.0, hi = 1.0, least = INFINITY;
    while (hi - lo > 1e-11) {
        double t[2] = {(2.0 * lo + hi) / 3.0, (lo + 2.0 * hi) / 3.0}, gap[2];
        for (int k = 0; k < 2; k++) {
            cairn_transform at = {cairn_add_scaled(xb.p, t[k], way), xb.q};
            gap[k] = cairn_distance(a, xa, b, at).gap;
            least = fmin(least, gap[k]);
        }
        if (gap[0] < gap[1])
            hi = t[1];
        else
            lo = t[0];
    }
    return least;
}

// how far out along n the way of b just touches a; xb.p is where the way starts when b goes through
static double grazing_offset(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                             cairn_transform xb, cairn_vec3 way, cairn_vec3 n)
{
    double in = 0.0;
    double out = (double)(reference_reach(a, xa, n) + reference_reach(b, xb, cairn_neg(n)));
    out -= cairn_dot(n, xb.p);
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (in + out);
        cairn_transform at = {cairn_add_scaled(xb.p, middle, n), xb.q};
        if (least_gap(a, xa, b, at, way) > 0.0)
            out = middle;
        else
            in = middle;
    }
    return out;
}

// A cast has most to do where the moving shape grazes: its distance has a double root there, and
// steps only halve what is left of the way.
TEST(a_cast_that_grazes_ends_at_the_first_contact)
{
    cairn_random random = {7};
    for (int trial = 0; trial < CHECK_CASES(100); trial++) {
        double size = pow(10.0, cairn_random_range(&random, -2.0, 2.0));
        cairn_shape a = reference_shape(&random, reference_kind(trial % REFERENCE_KINDS), 1.0, 5.0);
        cairn_shape b = reference_shape(
            &random, reference_kind(trial / REFERENCE_KINDS % REFERENCE_KINDS), size, 5.0);
        cairn_transform xa = {cairn_vec(0.0, 0.0, 0.0), reference_rotation(&random)};
        cairn_transform xb = {xa.p, reference_rotation(&random)};
        cairn_vec3 n = cairn_random_direction(&random);
        cairn_vec3 w = cairn_normalize(cairn_cross(n, cairn_random_direction(&random)));
        double length = 10.0 * (1.0 + size);
        cairn_vec3 way = cairn_scale(2.0 * length, w);
        xb.p = cairn_scale(-length, w);
        double out = grazing_offset(&a, xa, &b, xb, way, n);

        // a little deeper it hits, a little farther out it misses
        for (double share = 1e-9; share < 0.1; share *= 10.0) {
            double depth = share * length;
            cairn_transform in = {cairn_add_scaled(xb.p, out - depth, n), xb.q};
            cairn_transform past = {cairn_add_scaled(xb.p, out + depth, n), xb.q};
            cairn_hit hit;
            CHECK(!cairn_shape_cast_shape(&b, past, way, &a, xa, &hit));
            if (depth > 0.5 * out)
                continue;
            CHECK(cairn_shape_cast_shape(&b, in, way, &a, xa, &hit));

            // ten times what ends the cast
            cairn_transform end = {cairn_add_scaled(in.p, hit.t, way), in.q};
            CHECK_NEAR(cairn_distance(&a, xa, &b, end).gap, 0.0, 1e-11 * 4.0 * length);
        }
        reference_shape_destroy(&a);
        reference_shape_destroy(&b);
    }
}
END

// ---------------------------------------------------------------- time of impact

TEST(a_fast_ball_meets_a_thin_wall_when_it_should)
{
    cairn_shape ball = cairn_shape_sphere(0.025),
                wall = cairn_shape_box(cairn_vec(0.025, 5.0, 5.0));
    cairn_sweep still = {{{0.0, 0.0, 0.0}, upright}, {{0.0, 0.0, 0.0}, upright}};
    cairn_sweep fly = {{{-2.0, 0.0, 0.0}, upright}, {{200.0 / 60.0 - 2.0, 0.0, 0.0}, upright}};
    double t;
    ck_assert_int_eq(cairn_time_of_impact(&wall, &still, &ball, &fly, 1e-6, &t), CAIRN_IMPACT_HIT);
    CHECK_NEAR(t, 1.95 * 60.0 / 200.0, 1e-6);
}
END

TEST(a_spinning_rod_is_stopped_before_it_passes)
{
    // centered above a plane, the rod's tip comes down to it after asin(h / l) of its turn
    cairn_shape rod = cairn_shape_capsule(0.01, 1.0), floor = cairn_shape_half_space();
    cairn_quat level = cairn_quat_from_rotation_vector(cairn_vec(0.0, 1.5707963267948966, 0.0));
    cairn_quat turned = cairn_quat_multiply(
        cairn_quat_from_rotation_vector(cairn_vec(0.0, 1.5707963267948966, 0.0)), level);
    cairn_sweep spin = {{{0.0, 0.0, 0.51}, level}, {{0.0, 0.0, 0.51}, turned}};
    cairn_sweep still = {cairn_transform_identity(), cairn_transform_identity()};
    double t;
    ck_assert_int_eq(cairn_time_of_impact(&rod, &spin, &floor, &still, 1e-5, &t), CAIRN_IMPACT_HIT);
    CHECK_NEAR(t, asin(0.5) / 1.5707963267948966, 1e-4);
}
END

TEST(a_search_for_an_impact_that_has_to_give_up_gives_up_on_the_safe_side)
{
    // a disk turns in its own plane above a floor: the gap never shrinks, but the bound of its speed
    // does not know that, and each step goes no farther than the gap that is left
    cairn_shape disk = cairn_shape_cylinder(1.0, 0.1), floor = cairn_shape_half_space();
    double target = 1e-3, gap = 1.11 * target, turn = 3.0, t;
    cairn_quat about_z = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, turn));
    cairn_quat about_x = cairn_quat_from_rotation_vector(cairn_vec(turn, 0.0, 0.0));
    cairn_vec3 up = cairn_vec(0.0, 0.0, 0.1 + gap);
    cairn_sweep still = {cairn_transform_identity(), cairn_transform_identity()};
    cairn_sweep level = {{up, upright}, {up, about_z}};
    ck_assert_int_eq(cairn_time_of_impact(&disk, &level, &floor, &still, target, &t),
                     CAIRN_IMPACT_NONE);

    // a ball that turns has the bound of a rod
    cairn_shape ball = cairn_shape_sphere(1.0);
    cairn_vec3 above = cairn_vec(0.0, 0.0, 1.0 + gap);
    cairn_sweep spin = {{above, upright}, {above, about_x}};
    ck_assert_int_eq(cairn_time_of_impact(&ball, &spin, &floor, &still, target, &t),
                     CAIRN_IMPACT_HIT);

    // 1024 steps of 0.11 of the target at the bound of the speed
    CHECK_NEAR(t, 1024.0 * (gap - target) / turn, 1e-9);
    CHECK(cairn_distance(&ball, cairn_sweep_at(&spin, t), &floor, still.from).gap > target);
}
END

TEST(turning_shapes_are_told_free_beyond_a_1024th_of_their_path)
{
    // the worst case of the bound: a ball that spins above a floor, whose gap never changes, has to be
    // excluded to come straight at all times
    const double target = 1e-3, turn = 3.0, clearance = turn / 1024.0;
    cairn_shape ball = cairn_shape_sphere(1.0), floor = cairn_shape_half_space();
    cairn_sweep still = {cairn_transform_identity(), cairn_transform_identity()};
    cairn_quat turned = cairn_quat_from_rotation_vector(cairn_vec(turn, 0.0, 0.0));
    const double share[] = {1.001, 0.999};
    for (int k = 0; k < 2; k++) {
        cairn_vec3 at = cairn_vec(0.0, 0.0, 1.0 + target + share[k] * clearance);
        cairn_sweep spin = {{at, upright}, {at, turned}};
        double t;
        int looks = 1024;
        cairn_impact impact =
            cairn_time_of_impact_within(&ball, &spin, &floor, &still, target, &t, &looks);
        ck_assert_int_eq(impact, k == 0 ? CAIRN_IMPACT_NONE : CAIRN_IMPACT_HIT);
        CHECK(k == 0 ? looks == 0 || looks == 1 : t > 0.998);
    }
}
END

TEST(a_search_without_turning_ends_after_the_logarithm_of_the_path)
{
    // a ball flies past another one as near as can be without a hit, the worst that Newton's steps meet,
    // or a little nearer, from near and far
    const double target = 1e-3, off[] = {1.1 + 1e-9, 1.1 + 1e-3, 1.1 - 1e-9, 1.05, 1.0, 0.5};
    cairn_shape ball = cairn_shape_sphere(1.0);
    cairn_sweep still = {cairn_transform_identity(), cairn_transform_identity()};
    int steepest = 0;
    for (double path = 1e-2; path < 1e9; path *= 10.0)
        for (int k = 0; k < 6; k++) {
            double past = 2.0 + off[k] * target, t;
            cairn_sweep fly = {{{-0.6 * path, past, 0.0}, upright},
                               {{0.4 * path, past, 0.0}, upright}};
            int looks = 1024;
            cairn_impact impact =
                cairn_time_of_impact_within(&ball, &still, &ball, &fly, target, &t, &looks);
            int taken = 1024 - looks, bound = 2 + (int)ceil(log2(10.0 * path / target));
            ck_assert_msg(taken <= bound, "path %g, past %g: %d looks, bound %d", path, off[k],
                          taken, bound);
            CHECK(impact == CAIRN_IMPACT_NONE || off[k] < 1.1);
            steepest = taken > steepest ? taken : steepest;
        }
    // some of them do take steps
    ck_assert_int_gt(steepest, 6);
}
END

TEST(no_impact_is_passed_and_none_is_made_up)
{
    cairn_random random = {5};
    int hits = 0;
    for (int trial = 0; trial < CHECK_CASES(1500); trial++) {
        cairn_shape a = reference_shape(&random, reference_kind(trial % REFERENCE_KINDS), 0.8, 4.0);
        cairn_shape b = reference_shape(
            &random, reference_kind(trial / REFERENCE_KINDS % REFERENCE_KINDS), 0.8, 4.0);
        cairn_sweep ma = {random_pose(&random, 1.5), random_pose(&random, 1.5)};
        cairn_sweep mb = {random_pose(&random, 1.5), random_pose(&random, 1.5)};
        double target = 1e-4, t;
        cairn_impact impact = cairn_time_of_impact(&a, &ma, &b, &mb, target, &t);
        double start = cairn_distance(&a, ma.from, &b, mb.from).gap;
        if (impact == CAIRN_IMPACT_OVERLAP) {
            CHECK(start < target);
        } else {
            CHECK(start > 0.8 * target);
            for (int k = 0; k < 50; k++) {
                double s = t * k / 50.0;
                CHECK(cairn_distance(&a, cairn_sweep_at(&ma, s), &b, cairn_sweep_at(&mb, s)).gap >
                      0.8 * target);
            }
            double end = cairn_distance(&a, cairn_sweep_at(&ma, t), &b, cairn_sweep_at(&mb, t)).gap;
            if (impact == CAIRN_IMPACT_HIT)
                CHECK_NEAR(end, target, 0.2 * target);
            hits += impact == CAIRN_IMPACT_HIT;
        }
        reference_shape_destroy(&a);
        reference_shape_destroy(&b);
    }
    CHECK(hits > CHECK_CASES(200));
}
END

// a triangle, or a square of four of them
static void make_surfaces(cairn_mesh** mesh, cairn_height_field** field)
{
    static const cairn_vec3 corners[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    static const int triangle[3] = {0, 1, 2};
    static const double heights[4] = {0.0};
    cairn_mesh_def md = {corners, 3, triangle, 1};
    cairn_height_field_def fd = {2, 2, 1.0, 1.0, heights};
    CHECK(cairn_mesh_create(&md, mesh, NULL) == CAIRN_OK);
    CHECK(cairn_height_field_create(&fd, field, NULL) == CAIRN_OK);
}

TEST(the_distance_of_a_point_from_a_surface_is_found_from_anywhere)
{
    // a point has no size from which the search could start; from far away, nothing has
    cairn_mesh* mesh;
    cairn_height_field* field;
    make_surfaces(&mesh, &field);
    const cairn_shape surfaces[2] = {cairn_shape_mesh(mesh), cairn_shape_height_field(field)};
    const cairn_shape others[2] = {{.kind = CAIRN_SHAPE_SPHERE},
                                   cairn_shape_box(cairn_vec(0.5, 0.5, 0.5))};
    for (int i = 0; i < 2; i++) {
        for (double height = 1e-12; height < 1e18; height *= 10.0) {
            cairn_transform at = {cairn_vec(0.25, 0.25, height), upright};
            cairn_gap g = cairn_distance(&surfaces[i], cairn_transform_identity(), &others[0], at);
            CHECK_NEAR(g.gap, height, 1e-12 * (1.0 + height));
        }
        // beyond all precision it still ends
        for (int k = 0; k < 2; k++)
            for (double far = 1e18; far < INFINITY; far *= 1e20) {
                cairn_transform at = {cairn_vec(far, -far, far), {0.617, 0.024, 0.501, -0.606}};
                at.q = cairn_quat_normalize(at.q);
                cairn_gap g =
                    cairn_distance(&surfaces[i], at, &others[k], cairn_transform_identity());
                CHECK(g.gap > 1.0 || isnan(g.gap));
            }
    }
    cairn_mesh_destroy(mesh);
    cairn_height_field_destroy(field);
}
END

TESTS(the_distance_of_a_point_from_a_surface_is_found_from_anywhere,
      a_point_is_contained_when_no_inequality_says_otherwise, a_ray_ends_where_a_shape_begins,
      a_ray_on_a_height_field_is_that_on_its_mesh, a_cast_stops_at_first_contact,
      a_cast_that_grazes_ends_at_the_first_contact, a_fast_ball_meets_a_thin_wall_when_it_should,
      a_spinning_rod_is_stopped_before_it_passes,
      a_search_for_an_impact_that_has_to_give_up_gives_up_on_the_safe_side,
      turning_shapes_are_told_free_beyond_a_1024th_of_their_path,
      a_search_without_turning_ends_after_the_logarithm_of_the_path,
      no_impact_is_passed_and_none_is_made_up)
