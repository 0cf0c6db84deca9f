// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The front door of contacts between two convex shapes, or one and a half-space: chooses the
// algorithm, keeps the cache, and reuses the manifold of a pair that hardly moved. Everything is
// computed in the frame of A, so that where the pair is in the world does not matter.

#include "collide/pair.h"

cairn_collide_def cairn_default_collide_def(void)
{
    return (cairn_collide_def){.margin = 0.01, .all_points = false, .reuse = 1e-5};
}

double cairn_motion(cairn_transform from, cairn_transform to, double reach)
{
    cairn_quat d = cairn_quat_multiply(cairn_quat_conjugate(from.q), to.q);
    double half_sine = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return cairn_norm(cairn_sub(to.p, from.p)) + 2.0 * half_sine * reach;
}

// ---------------------------------------------------------------- reuse

static double least(double a, double b)
{
    return a < b ? a : b;
}

// moves the points of a manifold along with the bodies that they are on
static void carry(cairn_manifold* m, const cairn_pair_cache* cache, cairn_transform xa,
                  cairn_transform xb)
{
    cairn_quat turn = cairn_quat_multiply(xa.q, cairn_quat_conjugate(cache->a.q));
    cairn_vec3 n = cairn_normalize(cairn_rotate(turn, m->normal));
    for (int i = 0; i < m->count; i++) {
        cairn_contact_point* c = &m->points[i];
        cairn_vec3 a = cairn_add_scaled(c->position, -0.5 * c->gap, m->normal);
        cairn_vec3 b = cairn_add_scaled(c->position, 0.5 * c->gap, m->normal);
        a = cairn_transform_point(xa, cairn_transform_point_back(cache->a, a));
        b = cairn_transform_point(xb, cairn_transform_point_back(cache->b, b));
        c->gap = cairn_dot(n, cairn_sub(b, a));
        c->position = cairn_scale(0.5, cairn_add(a, b));
    }
    m->normal = n;
}

static bool reuse(cairn_manifold* m, cairn_pair_cache* cache, cairn_transform xa,
                  cairn_transform xb, const cairn_collide_def* def)
{
    if (!cache || !cache->valid || !(def->reuse > 0.0) || m->count == 0)
        return false;
    // the smaller one as seen from the larger
    bool small_b = cache->reach_b <= cache->reach_a;
    double motion = small_b ? cairn_motion(cairn_transform_relative(cache->a, cache->b),
                                           cairn_transform_relative(xa, xb), cache->reach_b)
                            : cairn_motion(cairn_transform_relative(cache->b, cache->a),
                                           cairn_transform_relative(xb, xa), cache->reach_a);
    double drift = cache->drift + motion;
    if (!(drift <= def->reuse * least(cache->reach_a, cache->reach_b)))
        return false;
    carry(m, cache, xa, xb);
    cache->a = xa;
    cache->b = xb;
    cache->drift = drift;
    return true;
}

// ---------------------------------------------------------------- the choice

static void measure(cairn_pair_cache* cache, const cairn_shape* a, const cairn_shape* b)
{
    if (cache && !(cache->reach_a > 0.0)) {
        cairn_vec3 o = cairn_vec(0.0, 0.0, 0.0);
        cache->reach_a = cairn_shape_radius(a, o);
        cache->reach_b = cairn_shape_radius(b, o);
    }
}

static void collide_cores(cairn_candidates* out, cairn_pair_cache* cache, const cairn_shape* a,
                          const cairn_shape* b, cairn_transform relative, double margin)
{
    cairn_core core_a, core_b;
    cairn_core_of_shape(&core_a, a);
    cairn_core_of_shape(&core_b, b);
    cairn_placed p = cairn_place(&core_a, &core_b, relative);
    if (a->kind == CAIRN_SHAPE_HALF_SPACE) {
        cairn_collide_half_space(out, &p, margin);
        return;
    }
    bool round_a = core_a.kind <= CAIRN_CORE_SEGMENT, round_b = core_b.kind <= CAIRN_CORE_SEGMENT;
    if (round_a && round_b) {
        cairn_collide_round(out, &p, margin);
    } else if (!round_a && !round_b && cairn_few_edges(&p)) {
        cairn_collide_polytopes(out, &p, margin, cache, relative);
    } else {
        cairn_apart apart = cairn_cores_apart(&p, margin + core_a.radius + core_b.radius);
        cairn_collide_apart(out, &p, &apart, margin);
    }
}

bool cairn_collide_convex(cairn_manifold* m, cairn_pair_cache* cache, const cairn_shape* a,
                          cairn_transform xa, const cairn_shape* b, cairn_transform xb,
                          const cairn_collide_def* def)
{
    if (reuse(m, cache, xa, xb, def))
        return true;
    cairn_candidates candidates;
    candidates.count = 0;
    measure(cache, a, b);
    // a half-space as B: turned around, and back at the end
    bool swap = b->kind == CAIRN_SHAPE_HALF_SPACE;
    if (swap)
        collide_cores(&candidates, NULL, b, a, cairn_transform_relative(xb, xa), def->margin);
    else
        collide_cores(&candidates, cache, a, b, cairn_transform_relative(xa, xb), def->margin);
    if (candidates.count > 0)
        cairn_finish_manifold(m, &candidates, swap ? xb : xa, def->all_points ? 8 : 4,
                              cache && cache->valid ? m : NULL, 0.1 * def->margin);
    else
        m->count = 0;
    m->part_a = m->part_b = 0;
    if (swap && m->count > 0)
        m->normal = cairn_neg(m->normal);
    if (cache) {
        cache->a = xa;
        cache->b = xb;
        cache->drift = 0.0;
        cache->valid = true;
    }
    return m->count > 0;
}
