// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Random pairs of convex shapes, each answer certified by laws that need no second implementation.
// Apart: the points lie on the shapes, the normal joins them and is a normal of both shapes at
// them. Overlapping: moved by the depth, the shapes are separated along the normal.

#include "check_cairn.h"
#include "collide_reference.h"
#include <stdio.h>

typedef struct pair {
    cairn_shape a, b;
    cairn_transform xa, xb;
    double scale; // what "relative" refers to: the extent of both shapes together
} pair;

static double extent(const cairn_shape* s)
{
    return cairn_shape_radius(s, cairn_vec(0.0, 0.0, 0.0));
}

static pair random_shapes(cairn_random* random, int ka, int kb, double aspect)
{
    double size = pow(10.0, cairn_random_range(random, -4.0, 4.0));
    double ratio = pow(10.0, cairn_random_range(random, -1.0, 1.0));
    return (pair){.a = reference_shape(random, (cairn_shape_kind)ka, size, aspect),
                  .b = reference_shape(random, (cairn_shape_kind)kb, size * ratio, aspect)};
}

// a distance of the centers from 0 to `spread` times the sum of the radii
static void random_poses(pair* p, cairn_random* random, double spread)
{
    double ra = extent(&p->a), rb = extent(&p->b);
    p->xa.q = reference_rotation(random);
    p->xb.q = reference_rotation(random);
    p->xa.p = cairn_scale(ra, cairn_random_vec3(random));
    double apart = (ra + rb) * spread * cairn_random_unit(random);
    p->xb.p = cairn_add_scaled(p->xa.p, apart, cairn_random_direction(random));
    p->scale = ra + rb + apart;
}

static void destroy_pair(pair* p)
{
    reference_shape_destroy(&p->a);
    reference_shape_destroy(&p->b);
}

// ---------------------------------------------------------------- the laws

// the first law that an answer breaks, or NULL; `by` how much, relative
static const char* check_apart(const pair* p, const cairn_gap* g, double* by)
{
    cairn_vec3 d = cairn_sub(g->point_b, g->point_a);
    double upper = cairn_norm(d), slack = 2e-15 * p->scale;
    *by = fmax(reference_outside(&p->a, p->xa, g->point_a),
               reference_outside(&p->b, p->xb, g->point_b)) /
          p->scale;
    if (!(*by <= 1e-12))
        return "the points lie on the shapes";
    *by = fabs(upper - g->gap) / p->scale;
    if (!(*by <= 1e-9))
        return "the points are a gap apart";
    *by = fabs(reference_separation(&p->a, p->xa, &p->b, p->xb, g->normal) - g->gap) / p->scale;
    if (!(*by <= 1e-9))
        return "the normal separates by the gap";

    // the direction of the points has the round-off of their positions over the gap
    *by = cairn_norm(cairn_sub(g->normal, cairn_scale(1.0 / upper, d))) - slack / upper;
    if (!(*by <= 1e-9))
        return "the normal joins the points";
    *by = reference_normal_error(&p->a, p->xa, g->point_a, g->normal, slack);
    if (!(*by <= 1e-9))
        return "the normal is normal to A";
    *by = reference_normal_error(&p->b, p->xb, g->point_b, cairn_neg(g->normal), slack);
    return *by <= 1e-9 ? NULL : "the normal is normal to B";
}

static bool has_corners(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_BOX || s->kind == CAIRN_SHAPE_HULL;
}

static const char* check_deep(const pair* p, const cairn_gap* g, bool brute, double* by)
{
    *by = fabs(reference_separation(&p->a, p->xa, &p->b, p->xb, g->normal) - g->gap) / p->scale;
    if (!(*by <= 1e-9))
        return "the depth parts the shapes";
    if (!brute || !has_corners(&p->a) || !has_corners(&p->b))
        return NULL;
    *by = fabs(-g->gap - reference_depth(&p->a, p->xa, &p->b, p->xb)) / p->scale;
    return *by <= 1e-9 ? NULL : "the depth is the least";
}

static const char* check_pair(const pair* p, bool brute, double* by)
{
    cairn_gap g = cairn_distance(&p->a, p->xa, &p->b, p->xb);
    *by = NAN;
    if (!isfinite(g.gap) || !cairn_is_finite(g.point_a) || !cairn_is_finite(g.point_b) ||
        !(fabs(cairn_norm(g.normal) - 1.0) < 1e-12))
        return "numbers are finite and the normal is unit";
    const char* law = g.gap > 0.0 ? check_apart(p, &g, by) : check_deep(p, &g, brute, by);
    if (law)
        return law;

    // the other way round; apart there is one normal
    cairn_gap h = cairn_distance(&p->b, p->xb, &p->a, p->xa);
    *by = fabs(h.gap - g.gap) / p->scale;
    if (!(*by <= 1e-9))
        return "swapping keeps the gap";
    *by = cairn_norm(cairn_add(h.normal, g.normal));
    if (g.gap > 1e-3 * p->scale && !(*by <= 2e-9))
        return "swapping turns the normal";

    // both moved alike
    cairn_transform move = {{3.0 * p->scale, -2.0 * p->scale, p->scale}, {0.5, -0.5, 0.5, 0.5}};
    cairn_gap m = cairn_distance(&p->a, cairn_transform_multiply(move, p->xa), &p->b,
                                 cairn_transform_multiply(move, p->xb));
    *by = fabs(m.gap - g.gap) / p->scale;
    if (!(*by <= 1e-9))
        return "moving both keeps the gap";
    *by = cairn_norm(cairn_sub(m.normal, cairn_rotate(move.q, g.normal)));
    return g.gap > 1e-3 * p->scale && !(*by <= 2e-9) ? "moving both turns the normal" : NULL;
}

// ---------------------------------------------------------------- the campaign

// CAIRN_CAMPAIGN=N in the environment makes it N cases for every pair, CAIRN_SEED another start
// (with CK_FORK=no, as a million takes longer than a test may)
static int from_environment(const char* name, int otherwise)
{
    const char* text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static int run_kinds(cairn_random* random, int ka, int kb, int trials, double aspect, double spread)
{
    enum { poses = 16, shown = 3 };
    int broken = 0;
    pair p = random_shapes(random, ka, kb, aspect);
    for (int trial = 0; trial < trials; trial++) {
        if (trial % poses == poses - 1) {
            destroy_pair(&p);
            p = random_shapes(random, ka, kb, aspect);
        }
        uint64_t state = random->state;
        random_poses(&p, random, spread);
        double by;
        const char* law = check_pair(&p, trial % poses == 0, &by);
        if (law && broken++ < shown)
            printf("%s-%s, case %d (state %llx): not so that %s, by %g\n",
                   cairn_shape_name((cairn_shape_kind)ka), cairn_shape_name((cairn_shape_kind)kb),
                   trial, (unsigned long long)state, law, by);
    }
    destroy_pair(&p);
    return broken;
}

static void campaign(int trials, double aspect, double spread, uint64_t seed)
{
    cairn_random random = {seed + (uint64_t)from_environment("CAIRN_SEED", 0) * 1000};
    int only_a = from_environment("CAIRN_KIND", -1), broken = 0;
    trials = from_environment("CAIRN_CAMPAIGN", trials);
    for (int ka = 0; ka <= CAIRN_SHAPE_HULL; ka++) {
        for (int kb = 0; kb <= ka; kb++) {
            if (only_a >= 0 && only_a != ka)
                continue;
            int here = run_kinds(&random, ka, kb, trials, aspect, spread);
            if (here)
                printf("%s-%s: %d of %d\n", cairn_shape_name((cairn_shape_kind)ka),
                       cairn_shape_name((cairn_shape_kind)kb), here, trials);
            broken += here;
        }
    }
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

TESTS(distances_of_random_pairs_are_certified, depths_of_overlapping_pairs_part_them,
      needles_and_plates_are_certified_too)
