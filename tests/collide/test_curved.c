// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Ellipsoids, cones and tapered capsules: masses against sums and limits, distances and depths
// certified by laws, rays, casts and sweeps.

#include "check_cairn.h"
#include "collide_laws.h"
#include <string.h>

// ---------------------------------------------------------------- distances

static const char* check_deep(const law_pair* p, const cairn_gap* g, double* by)
{
    *by = fabs(reference_separation(&p->a, p->xa, &p->b, p->xb, g->normal) - g->gap) / p->scale;
    return *by <= 1e-9 ? NULL : "the depth parts the shapes";
}

static int run_kinds(cairn_random* random, int ka, int kb, int trials, double aspect, double spread)
{
    int broken = 0;
    for (int trial = 0; trial < trials; trial++) {
        double size = pow(10.0, cairn_random_range(random, -4.0, 4.0));
        double ratio = pow(10.0, cairn_random_range(random, -1.0, 1.0)), by;
        law_pair p = {.a = reference_shape(random, (cairn_shape_kind)ka, size, aspect),
                      .b = reference_shape(random, (cairn_shape_kind)kb, size * ratio, aspect)};
        law_random_poses(&p, random, spread);
        cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
        const char* law = g.gap > 0.0 ? law_of_apart(&p, &g, &by) : check_deep(&p, &g, &by);
        if (!law)
            law = law_of_symmetry(&p, &g, &by);
        if (law)
            law_report(&p, ++broken, trial, law, by);
        reference_shape_destroy(&p.a);
        reference_shape_destroy(&p.b);
    }
    return broken;
}

static void campaign(int trials, double aspect, double spread, uint64_t seed)
{
    cairn_random random = {seed + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int broken = 0;
    trials = law_from_environment("CAIRN_CAMPAIGN", trials);
    for (int a = CAIRN_SHAPE_ELLIPSOID; a <= CAIRN_SHAPE_TAPERED_CAPSULE; a++)
        for (int b = 0; b < REFERENCE_KINDS; b++)
            broken += run_kinds(&random, a, (int)reference_kind(b), trials, aspect, spread);
    ck_assert_int_eq(broken, 0);
}

TEST(distances_of_curved_shapes_are_certified)
{
    campaign(1000, 10.0, 2.0, 1);
}
END

TEST(depths_of_overlapping_curved_shapes_part_them)
{
    campaign(300, 5.0, 0.5, 2);
}
END

// ---------------------------------------------------------------- masses

static cairn_mass_properties mass_of(cairn_shape s)
{
    cairn_mass_properties m;
    ck_assert_int_eq(cairn_shape_mass(&s, &m, NULL), CAIRN_OK);
    return m;
}

static void check_same(cairn_mass_properties a, cairn_mass_properties b, double tolerance)
{
    double size = cbrt(b.volume);
    CHECK_NEAR(a.volume, b.volume, tolerance * b.volume);
    CHECK_NEAR(a.center.z, b.center.z, tolerance * size);
    CHECK_NEAR(a.inertia.cx.x, b.inertia.cx.x, tolerance * b.inertia.cx.x);
    CHECK_NEAR(a.inertia.cy.y, b.inertia.cy.y, tolerance * b.inertia.cy.y);
    CHECK_NEAR(a.inertia.cz.z, b.inertia.cz.z, tolerance * b.inertia.cz.z);
}

// V, center, and moments of a solid of revolution by the midpoint rule over disks
static cairn_mass_properties sum_of_disks(const cairn_shape* s, int count)
{
    double lo = cairn_shape_aabb(s, cairn_transform_identity()).lo.z;
    double hi = cairn_shape_aabb(s, cairn_transform_identity()).hi.z, dz = (hi - lo) / count;
    double one = 0.0, z1 = 0.0, z2 = 0.0, r4 = 0.0;
    for (int i = 0; i < count; i++) {
        // how far out a point of this height is inside, by bisection
        double z = lo + (i + 0.5) * dz, in = 0.0, out = hi - lo;
        for (int k = 0; k < 50; k++) {
            double r = 0.5 * (in + out);
            bool inside =
                reference_outside(s, cairn_transform_identity(), cairn_vec(r, 0.0, z)) < 0.0;
            *(inside ? &in : &out) = r;
        }
        double disk = 3.141592653589793 * in * in * dz;
        one += disk;
        z1 += disk * z;
        z2 += disk * z * z;
        r4 += disk * in * in;
    }
    double center = z1 / one, across = 0.25 * r4 + z2 - one * center * center;
    return (cairn_mass_properties){
        one, {0.0, 0.0, center}, cairn_mat3_diagonal(across, across, 0.5 * r4)};
}

TEST(masses_are_those_of_thin_disks)
{
    // the midpoint rule of 20,000 disks is right to 1e-6 where an end is round
    cairn_shape shapes[5] = {
        cairn_shape_cone(0.7, 0.4), cairn_shape_ellipsoid(cairn_vec(0.5, 0.5, 1.2)),
        cairn_shape_tapered_capsule(0.6, 0.2, 0.5), cairn_shape_tapered_capsule(0.1, 0.5, 0.21),
        cairn_shape_tapered_capsule(0.3, 0.3, 0.8)};
    for (int i = 0; i < 5; i++)
        check_same(mass_of(shapes[i]), sum_of_disks(&shapes[i], 20000), 1e-6);
}
END

TEST(equal_axes_and_ends_are_spheres_and_capsules)
{
    check_same(mass_of(cairn_shape_ellipsoid(cairn_vec(0.7, 0.7, 0.7))),
               mass_of(cairn_shape_sphere(0.7)), 1e-15);
    check_same(mass_of(cairn_shape_tapered_capsule(0.4, 0.4, 0.9)),
               mass_of(cairn_shape_capsule(0.4, 0.9)), 1e-14);
    // 1/5 m (b² + c²)
    cairn_mass_properties m = mass_of(cairn_shape_ellipsoid(cairn_vec(1.0, 2.0, 3.0)));
    CHECK_NEAR(m.volume, 8.0 * 3.141592653589793, 1e-13);
    CHECK_NEAR(m.inertia.cx.x, m.volume * 13.0 / 5.0, 1e-12);
}
END

TEST(a_tapered_capsule_with_a_ball_inside_the_other_is_refused)
{
    cairn_shape inside = cairn_shape_tapered_capsule(1.0, 0.2, 0.39);
    cairn_shape outside = cairn_shape_tapered_capsule(1.0, 0.2, 0.41);
    cairn_error error = {""};
    ck_assert_int_eq(cairn_shape_check(&inside, &error), CAIRN_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "one of its balls holds the other"));
    ck_assert_int_eq(cairn_shape_check(&outside, NULL), CAIRN_OK);
}
END

// ---------------------------------------------------------------- against half-spaces

TEST(a_half_space_is_as_far_as_the_lowest_point)
{
    cairn_random random = {7};
    cairn_shape ground = cairn_shape_half_space();
    cairn_collide_def def = cairn_default_collide_def();
    def.margin = 10.0;
    for (int trial = 0; trial < CHECK_CASES(3000); trial++) {
        cairn_shape s = reference_shape(&random, reference_kind(5 + trial % 3), 1.0, 5.0);
        cairn_transform x = {cairn_random_vec3(&random), reference_rotation(&random)};
        cairn_vec3 down = cairn_vec(0.0, 0.0, -1.0);
        double lowest = -(double)reference_reach(&s, x, down), least = INFINITY;
        cairn_manifold m = {0};
        cairn_collide_convex(&ground, cairn_transform_identity(), &s, x, &def, NULL, &m);
        for (int i = 0; i < m.count; i++) {
            cairn_vec3 on = cairn_add_scaled(m.points[i].position, 0.5 * m.points[i].gap, m.normal);
            least = fmin(least, m.points[i].gap);
            CHECK_BELOW(reference_outside(&s, x, on), 1e-13);
        }
        CHECK_NEAR(least, lowest, 1e-13);
        CHECK_NEAR(cairn_distance(&ground, cairn_transform_identity(), &s, x).gap, lowest, 1e-13);
    }
}
END

TESTS(masses_are_those_of_thin_disks, equal_axes_and_ends_are_spheres_and_capsules,
      a_tapered_capsule_with_a_ball_inside_the_other_is_refused,
      a_half_space_is_as_far_as_the_lowest_point, distances_of_curved_shapes_are_certified,
      depths_of_overlapping_curved_shapes_part_them)
