// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Random pairs of convex shapes, each answer certified by laws that need no second implementation.
// Overlapping shapes, moved by the depth, must be separated along the normal.

#include "check_cairn.h"
#include "collide_laws.h"

static law_pair random_shapes(cairn_random* random, int ka, int kb, double aspect)
{
    double size = pow(10.0, cairn_random_range(random, -4.0, 4.0));
    double ratio = pow(10.0, cairn_random_range(random, -1.0, 1.0));
    return (law_pair){.a = reference_shape(random, (cairn_shape_kind)ka, size, aspect),
                      .b = reference_shape(random, (cairn_shape_kind)kb, size * ratio, aspect)};
}

static void destroy_pair(law_pair* p)
{
    reference_shape_destroy(&p->a);
    reference_shape_destroy(&p->b);
}

static bool has_corners(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_BOX || s->kind == CAIRN_SHAPE_HULL;
}

static const char* check_deep(const law_pair* p, const cairn_gap* g, bool brute, double* by)
{
    *by = fabs(reference_separation(&p->a, p->xa, &p->b, p->xb, g->normal) - g->gap) / p->scale;
    if (!(*by <= 1e-9))
        return "the depth parts the shapes";
    if (!brute || !has_corners(&p->a) || !has_corners(&p->b))
        return NULL;
    *by = fabs(-g->gap - reference_depth(&p->a, p->xa, &p->b, p->xb)) / p->scale;
    return *by <= 1e-9 ? NULL : "the depth is the least";
}

static int run_kinds(cairn_random* random, int ka, int kb, int trials, double aspect, double spread)
{
    // new shapes only now and then: to make a hull takes longer than to measure it
    enum { poses = 16 };
    int broken = 0;
    law_pair p = random_shapes(random, ka, kb, aspect);
    for (int trial = 0; trial < trials; trial++) {
        if (trial % poses == poses - 1) {
            destroy_pair(&p);
            p = random_shapes(random, ka, kb, aspect);
        }
        double by;
        law_random_poses(&p, random, spread);
        cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
        const char* law =
            g.gap > 0.0 ? law_of_apart(&p, &g, &by) : check_deep(&p, &g, trial % poses == 0, &by);
        if (!law)
            law = law_of_symmetry(&p, &g, &by);
        if (law)
            law_report(&p, ++broken, trial, law, by);
    }
    destroy_pair(&p);
    return broken;
}

static void campaign(int trials, double aspect, double spread, uint64_t seed)
{
    cairn_random random = {seed + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int broken = 0;
    trials = law_from_environment("CAIRN_CAMPAIGN", trials);
    for (int ka = 0; ka <= CAIRN_SHAPE_HULL; ka++)
        for (int kb = 0; kb <= ka; kb++)
            broken += run_kinds(&random, ka, kb, trials, aspect, spread);
    ck_assert_int_eq(broken, 0);
}

TEST(distances_of_random_pairs_are_certified)
{
    campaign(3000, 10.0, 2.0, 1);
}
END

TEST(depths_of_overlapping_pairs_part_them)
{
    campaign(1000, 10.0, 0.5, 2);
}
END

TEST(needles_and_plates_are_certified_too)
{
    campaign(2000, 1000.0, 1.0, 3);
}
END

// climbs the separation from a direction, by ever smaller steps around it
static double climb(const law_pair* p, cairn_vec3 n)
{
    double here = reference_separation(&p->a, p->xa, &p->b, p->xb, n);
    for (double step = 0.05; step > 1e-5;) {
        cairn_vec3 t, s, best = n;
        double most = here;
        cairn_tangents(n, &t, &s);
        for (int k = 0; k < 8; k++) {
            cairn_vec3 way = cairn_add(cairn_scale(step * cos(0.7853981633974483 * k), t),
                                       cairn_scale(step * sin(0.7853981633974483 * k), s));
            cairn_vec3 m = cairn_normalize(cairn_add(n, way));
            double there = reference_separation(&p->a, p->xa, &p->b, p->xb, m);
            if (there > most) {
                most = there;
                best = m;
            }
        }
        step *= most > here ? 1.0 : 0.5;
        here = most;
        n = best;
    }
    return here;
}

// a spiral over the sphere, then uphill from its best directions
static double least_depth(const law_pair* p)
{
    enum { directions = 300, climbers = 4 };
    cairn_vec3 best[climbers] = {{0.0, 0.0, 1.0}};
    double most[climbers] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, top = -INFINITY;
    for (int i = 0; i < directions; i++) {
        double z = 1.0 - 2.0 * (i + 0.5) / directions, r = sqrt(1.0 - z * z);
        cairn_vec3 n = cairn_vec(r * cos(2.399963229728653 * i), r * sin(2.399963229728653 * i), z);
        double s = reference_separation(&p->a, p->xa, &p->b, p->xb, n);
        for (int k = 0; k < climbers; k++) {
            if (s <= most[k])
                continue;
            double swap = most[k];
            cairn_vec3 turn = best[k];
            most[k] = s;
            best[k] = n;
            s = swap;
            n = turn;
        }
    }
    for (int k = 0; k < climbers; k++)
        top = fmax(top, climb(p, best[k]));
    return -top;
}

TEST(no_direction_parts_a_cylinder_sooner_than_the_depth)
{
    static const int kinds[] = {CAIRN_SHAPE_CAPSULE, CAIRN_SHAPE_BOX, CAIRN_SHAPE_HULL,
                                CAIRN_SHAPE_CYLINDER};
    cairn_random random = {41};
    int trials = law_from_environment("CAIRN_CAMPAIGN", 1000), seen = 0;
    for (int trial = 0; trial < trials; trial++) {
        law_pair p = random_shapes(&random, CAIRN_SHAPE_CYLINDER, kinds[trial % 4], 3.0);
        law_random_poses(&p, &random, 0.3);
        cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
        if (g.gap < 0.0) {
            double depth = least_depth(&p);
            ck_assert_msg(-g.gap <= depth + 1e-9 * p.scale, "%s, case %d: %g instead of %g",
                          cairn_shape_name(p.b.kind), trial, -g.gap, depth);
            seen++;
        }
        destroy_pair(&p);
    }
    ck_assert_int_gt(seen, trials / 2);
}
END

// Nearly parallel, nearly crossing at a border: where two features meet, a method that looks at
// distances alone finds the normal to the root of round-off only.
static void check_near_border(const cairn_shape* a, const cairn_shape* b, cairn_transform xa,
                              cairn_transform xb)
{
    cairn_vec3 o = cairn_vec(0.0, 0.0, 0.0);
    law_pair p = {*a, *b, xa, xb, cairn_shape_radius(a, o) + cairn_shape_radius(b, o)};
    p.scale += cairn_norm(cairn_sub(xb.p, xa.p));
    double by = 0.0;
    cairn_gap g = cairn_distance(a, xa, b, xb);
    const char* law = g.gap > 0.0 ? law_of_apart(&p, &g, &by) : "shapes are apart";
    if (!law)
        law = law_of_symmetry(&p, &g, &by);
    ck_assert_msg(!law, "%s-%s at %g %g %g: not so that %s, by %g", cairn_shape_name(a->kind),
                  cairn_shape_name(b->kind), xb.p.x, xb.p.y, xb.p.z, law, by);
}

TEST(normals_are_right_where_features_meet)
{
    static const double small[] = {0.0,  1e-14, -1e-12, 1e-11, -1e-10, 1e-9,  -3e-9,
                                   1e-8, -3e-8, 1e-7,   -1e-6, 1e-5,   -1e-4, 1e-3};
    enum { count = sizeof small / sizeof small[0] };
    cairn_shape cylinder = cairn_shape_cylinder(0.5, 0.8);
    cairn_shape others[5] = {cairn_shape_sphere(0.2), cairn_shape_capsule(0.1, 0.4),
                             cairn_shape_box(cairn_vec(0.5, 0.4, 0.3)),
                             cairn_shape_cylinder(0.3, 0.6)};
    cairn_random random = {77};
    others[4] = reference_shape(&random, CAIRN_SHAPE_HULL, 0.7, 1.0);
    const cairn_quat turn[3] = {
        cairn_quat_identity(),
        cairn_quat_from_rotation_vector(cairn_vec(1.5707963267948966, 0.0, 0.0)),
        cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.7853981633974483, 0.0))};
    // Above the cap, above its rim, beside the side, beside its end, out from the rim. Among them
    // two that look ill-conditioned and are not, as far as the normal goes. Caps all but parallel,
    // by the angle s: their points are where the rims cross, and the normal is square to both rims
    // there, right to u over the sine of their angle. An edge along the rim, straight above it: the
    // distance is flat to fourth order in the angle α along the rim, which is known to the cube
    // root of u only; but the normal moves by α Δα, and Δα is the smaller of u / α² and that root,
    // so that it is right to u^(2/3).
    const cairn_vec3 at[5] = {
        {0.1, 0.2, 2.5}, {0.5, 0.0, 2.5}, {2.5, 0.1, 0.2}, {2.5, 0.0, 0.8}, {1.9, 0.0, 2.0}};
    for (int k = 0; k < 5; k++)
        for (int q = 0; q < 3; q++)
            for (int w = 0; w < 5; w++)
                for (int i = 0; i < 2 * count; i++) {
                    double s = small[i / 2];
                    cairn_quat tilt = cairn_quat_from_rotation_vector(
                        cairn_vec(i % 2 ? s : 0.0, i % 2 ? 0.0 : s, 0.0));
                    cairn_transform xb = {cairn_add(at[w], cairn_vec(s, 0.0, 0.0)),
                                          cairn_quat_multiply(tilt, turn[q])};
                    check_near_border(&cylinder, &others[k], cairn_transform_identity(), xb);
                }
    reference_shape_destroy(&others[4]);
}
END

// a point of a box or cylinder: of a face, or where it reaches farthest along a direction
typedef struct surface_point {
    cairn_vec3 x, n;
} surface_point;

static surface_point on_box(cairn_random* random, cairn_vec3 half, int freedom)
{
    const double h[3] = {half.x, half.y, half.z};
    cairn_vec3 m = cairn_random_direction(random);
    double n[3] = {m.x, m.y, m.z}, x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = n[i] < 0.0 ? -h[i] : h[i];
        if (i < freedom) {
            x[i] = h[i] * cairn_random_range(random, -0.9, 0.9);
            n[i] = 0.0;
        }
    }
    return (surface_point){cairn_vec(x[0], x[1], x[2]),
                           cairn_normalize(cairn_vec(n[0], n[1], n[2]))};
}

static surface_point on_cylinder(cairn_random* random, double radius, double half_height,
                                 int freedom)
{
    cairn_vec3 n = cairn_random_direction(random);
    double up = n.z < 0.0 ? -half_height : half_height, across = sqrt(n.x * n.x + n.y * n.y);
    double out = radius / across;
    if (freedom == 1) { // the side
        up *= cairn_random_range(random, -0.9, 0.9);
        n = cairn_vec(n.x / across, n.y / across, 0.0);
        return (surface_point){cairn_vec(radius * n.x, radius * n.y, up), n};
    }
    if (freedom == 2) { // a cap
        out *= cairn_random_range(random, 0.0, 0.9);
        return (surface_point){cairn_vec(out * n.x, out * n.y, up),
                               cairn_vec(0.0, 0.0, up / half_height)};
    }
    return (surface_point){cairn_vec(out * n.x, out * n.y, up), n};
}

// A large shape and a small cylinder, put so that its rim is at the gap g from a point x of A
// along the normal n there:
//
//     b = x + g n,    b the point of B that lies farthest along -n,
//
// and convex shapes are then g apart. The points are right to u times the size of A, over g and
// over the radius of the rim that is much more than 1e-9; the normal is a normal of both shapes
// all the same.
static int run_rims(cairn_random* random, cairn_shape_kind kind, int freedom, int trials)
{
    int broken = 0;
    for (int trial = 0; trial < trials; trial++) {
        double size = pow(10.0, cairn_random_range(random, -4.0, 4.0)), by;
        double small = size * pow(10.0, cairn_random_range(random, -4.0, -1.0));
        law_pair p = {.a = reference_shape(random, kind, size, 3.0),
                      .b = reference_shape(random, CAIRN_SHAPE_CYLINDER, small, 10.0)};
        surface_point on = kind == CAIRN_SHAPE_BOX
                               ? on_box(random, p.a.half, freedom)
                               : on_cylinder(random, p.a.radius, p.a.half_height, freedom);
        double gap = size * pow(10.0, cairn_random_range(random, -10.0, -4.0));
        cairn_quat q = reference_rotation(random);
        cairn_vec3 d = cairn_neg(cairn_rotate_back(q, on.n));
        double s = p.b.radius / sqrt(d.x * d.x + d.y * d.y);
        cairn_vec3 rim = {s * d.x, s * d.y, d.z < 0.0 ? -p.b.half_height : p.b.half_height};
        cairn_vec3 at = cairn_add_scaled(on.x, gap, on.n);
        cairn_transform local = {cairn_sub(at, cairn_rotate(q, rim)), q};
        p.xa.p = cairn_scale(size, cairn_random_vec3(random));
        p.xa.q = reference_rotation(random);
        p.xb = cairn_transform_multiply(p.xa, local);
        p.scale = 3.0 * size;
        cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
        const char* law = law_of_apart(&p, &g, &by);
        if (!law)
            law = law_of_symmetry(&p, &g, &by);
        if (law)
            law_report(&p, ++broken, trial, law, by);
    }
    return broken;
}

TEST(rims_at_small_gaps_have_normals_of_both_shapes)
{
    cairn_random random = {53 + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int trials = law_from_environment("CAIRN_CAMPAIGN", 2000), broken = 0;
    for (int freedom = 0; freedom < 3; freedom++) {
        broken += run_rims(&random, CAIRN_SHAPE_BOX, freedom, trials);
        broken += run_rims(&random, CAIRN_SHAPE_CYLINDER, freedom, trials);
    }
    ck_assert_int_eq(broken, 0);
}
END

TESTS(distances_of_random_pairs_are_certified, depths_of_overlapping_pairs_part_them,
      needles_and_plates_are_certified_too, no_direction_parts_a_cylinder_sooner_than_the_depth,
      normals_are_right_where_features_meet, rims_at_small_gaps_have_normals_of_both_shapes)
