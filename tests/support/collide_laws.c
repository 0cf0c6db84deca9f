// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "collide_laws.h"
#include "check_cairn.h"
#include <stdio.h>
#include <stdlib.h>

void law_random_poses(law_pair* p, cairn_random* random, double spread)
{
    cairn_vec3 o = cairn_vec(0.0, 0.0, 0.0);
    double ra = cairn_shape_radius(&p->a, o), rb = cairn_shape_radius(&p->b, o);
    p->xa.q = reference_rotation(random);
    p->xb.q = reference_rotation(random);
    p->xa.p = cairn_scale(ra, cairn_random_vec3(random));
    double apart = (ra + rb) * spread * cairn_random_unit(random);
    p->xb.p = cairn_add_scaled(p->xa.p, apart, cairn_random_direction(random));
    p->scale = ra + rb + apart;
}

const char* law_of_apart(const law_pair* p, const cairn_gap* g, double* by)
{
    cairn_vec3 d = cairn_sub(g->point_b, g->point_a);
    // A coordinate of a point has gone through the relative pose (7 roundings), the rotation matrix
    // and its product (9), the foot on a feature (6) and the pose of A (8): 30 u of what the pair
    // extends over, u = 1.1e-16, and the square root of 3 as much for the length.
    double upper = cairn_norm(d), slack = 5e-15 * p->scale;
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

const char* law_of_symmetry(const law_pair* p, const cairn_gap* g, double* by)
{
    *by = NAN;
    if (!isfinite(g->gap) || !cairn_is_finite(g->point_a) || !cairn_is_finite(g->point_b) ||
        !(fabs(cairn_norm(g->normal) - 1.0) < 1e-12))
        return "numbers are finite and the normal is unit";

    // the other way round; well apart there is one normal
    bool clear = g->gap > 1e-3 * p->scale;
    cairn_gap h = cairn_distance(&p->b, p->xb, &p->a, p->xa);
    *by = fabs(h.gap - g->gap) / p->scale;
    if (!(*by <= 1e-9))
        return "swapping keeps the gap";
    *by = cairn_norm(cairn_add(h.normal, g->normal));
    if (clear && !(*by <= 2e-9))
        return "swapping turns the normal";

    // both moved alike
    cairn_transform move = {{3.0 * p->scale, -2.0 * p->scale, p->scale}, {0.5, -0.5, 0.5, 0.5}};
    cairn_gap m = cairn_distance(&p->a, cairn_transform_multiply(move, p->xa), &p->b,
                                 cairn_transform_multiply(move, p->xb));
    *by = fabs(m.gap - g->gap) / p->scale;
    if (!(*by <= 1e-9))
        return "moving both keeps the gap";
    *by = cairn_norm(cairn_sub(m.normal, cairn_rotate(move.q, g->normal)));
    return clear && !(*by <= 2e-9) ? "moving both turns the normal" : NULL;
}

int law_from_environment(const char* name, int otherwise)
{
    const char* text = getenv(name);
    return text ? atoi(text) : CHECK_CASES(otherwise);
}

void law_report(const law_pair* p, int broken, int trial, const char* law, double by)
{
    enum { shown = 3 };
    if (broken <= shown)
        printf("%s-%s, case %d: not so that %s, by %g\n", cairn_shape_name(p->a.kind),
               cairn_shape_name(p->b.kind), trial, law, by);
}

int law_kept_points(const cairn_manifold* old, const cairn_manifold* now)
{
    int kept = 0;
    for (int i = 0; i < now->count; i++)
        for (int k = 0; k < old->count; k++)
            kept += old->points[k].feature == now->points[i].feature;
    return kept;
}
