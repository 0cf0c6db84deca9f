// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide_reference.h"

typedef struct pair {
    cairn_shape a, b;
    cairn_transform xa, xb;
    double scale; // what "relative" refers to: the extent of both shapes together
} pair;

static double extent(const cairn_shape* s)
{
    return cairn_shape_radius(s, cairn_vec(0.0, 0.0, 0.0));
}

// two shapes at a distance of their centers from 0 to `spread` times the sum of their radii
static pair random_pair(cairn_random* random, int ka, int kb, double aspect, double spread)
{
    double size = pow(10.0, cairn_random_range(random, -4.0, 4.0));
    double ratio = pow(10.0, cairn_random_range(random, -1.0, 1.0));
    pair p = {.a = reference_shape(random, (cairn_shape_kind)ka, size, aspect),
              .b = reference_shape(random, (cairn_shape_kind)kb, size * ratio, aspect)};
    p.xa.q = reference_rotation(random);
    p.xb.q = reference_rotation(random);
    p.xa.p = cairn_scale(size, cairn_random_vec3(random));
    double radii = extent(&p.a) + extent(&p.b);
    double apart = radii * spread * cairn_random_unit(random);
    p.xb.p = cairn_add_scaled(p.xa.p, apart, cairn_random_direction(random));
    p.scale = radii + apart;
    return p;
}

static void destroy_pair(pair* p)
{
    reference_shape_destroy(&p->a);
    reference_shape_destroy(&p->b);
}

static void check_apart(const pair* p, const cairn_gap* g)
{
    cairn_vec3 d = cairn_sub(g->point_b, g->point_a);
    double upper = cairn_norm(d),
           lower = reference_separation(&p->a, p->xa, &p->b, p->xb, g->normal);
    double tolerance = 1e-9 * p->scale;
    CHECK_BELOW(reference_outside(&p->a, p->xa, g->point_a), 1e-12 * p->scale);
    CHECK_BELOW(reference_outside(&p->b, p->xb, g->point_b), 1e-12 * p->scale);
    CHECK_NEAR(upper, g->gap, tolerance);
    CHECK_NEAR(lower, g->gap, tolerance);

    // the direction of the closest points has the round-off of their positions over the gap
    // (and where two features of a cylinder meet, the root of it)
    bool cylinder = p->a.kind == CAIRN_SHAPE_CYLINDER || p->b.kind == CAIRN_SHAPE_CYLINDER;
    if (g->gap > 1e-3 * p->scale)
        CHECK_BELOW(cairn_norm(cairn_sub(g->normal, cairn_scale(1.0 / upper, d))),
                    cylinder ? 1e-7 : 1e-9);
}

static void check_deep(const pair* p, const cairn_gap* g)
{
    double s = reference_separation(&p->a, p->xa, &p->b, p->xb, g->normal);
    CHECK_NEAR(s, g->gap, 1e-9 * p->scale);
    bool polytopes = (p->a.kind == CAIRN_SHAPE_BOX || p->a.kind == CAIRN_SHAPE_HULL) &&
                     (p->b.kind == CAIRN_SHAPE_BOX || p->b.kind == CAIRN_SHAPE_HULL);
    if (polytopes)
        CHECK_NEAR(-g->gap, reference_depth(&p->a, p->xa, &p->b, p->xb), 1e-9 * p->scale);
}

static void check_pair(const pair* p)
{
    cairn_gap g = cairn_distance(&p->a, p->xa, &p->b, p->xb);
    CHECK(isfinite(g.gap) && cairn_is_finite(g.point_a) && cairn_is_finite(g.point_b));
    CHECK_NEAR(cairn_norm(g.normal), 1.0, 1e-12);
    if (g.gap > 0.0)
        check_apart(p, &g);
    else
        check_deep(p, &g);

    // the other way round
    cairn_gap h = cairn_distance(&p->b, p->xb, &p->a, p->xa);
    CHECK_NEAR(h.gap, g.gap, 1e-9 * p->scale);

    // both moved alike
    cairn_transform move = {{3.0 * p->scale, -2.0 * p->scale, p->scale}, {0.5, -0.5, 0.5, 0.5}};
    cairn_gap m = cairn_distance(&p->a, cairn_transform_multiply(move, p->xa), &p->b,
                                 cairn_transform_multiply(move, p->xb));
    CHECK_NEAR(m.gap, g.gap, 1e-9 * p->scale);
}

static void campaign(int trials, double aspect, double spread, uint64_t seed)
{
    cairn_random random = {seed};
    for (int ka = 0; ka <= CAIRN_SHAPE_HULL; ka++) {
        for (int kb = 0; kb <= CAIRN_SHAPE_HULL; kb++) {
            for (int trial = 0; trial < trials; trial++) {
                pair p = random_pair(&random, ka, kb, aspect, spread);
                check_pair(&p);
                destroy_pair(&p);
            }
        }
    }
}

TEST(distances_of_random_pairs_are_certified)
{
    campaign(2000, 10.0, 2.0, 1);
}
END

TEST(depths_of_overlapping_pairs_part_them)
{
    campaign(500, 10.0, 0.5, 2);
}
END

TEST(needles_and_plates_are_certified_too)
{
    campaign(1000, 1000.0, 1.0, 3);
}
END

TESTS(distances_of_random_pairs_are_certified, depths_of_overlapping_pairs_part_them,
      needles_and_plates_are_certified_too)
