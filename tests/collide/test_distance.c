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

TESTS(distances_of_random_pairs_are_certified, depths_of_overlapping_pairs_part_them,
      needles_and_plates_are_certified_too)
