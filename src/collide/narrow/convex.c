// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The front door of contacts between two convex shapes, or one and a half-space: chooses the
// algorithm, keeps the cache, and reuses the manifold of a pair that hardly moved. Everything is
// computed in the frame of A, so that where the pair is in the world does not matter.

#include "collide/narrow/convex_pair.h"
#include "collide/shape/usable.h"
#include <string.h>

cairn_collide_def cairn_default_collide_def(void)
{
    return (cairn_collide_def){.margin = 0.01, .all_points = false, .reuse = 1e-3};
}

double cairn_motion(cairn_transform from, cairn_transform to, double reach)
{
    cairn_quat d = cairn_quat_multiply(cairn_quat_conjugate(from.q), to.q);
    double half_sine = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return cairn_norm(cairn_sub(to.p, from.p)) + 2.0 * half_sine * reach;
}

// ---------------------------------------------------------------- reuse

static const double farther = 1.01; // by so much more a margin may be than that of the last look

// Of the size of a body, and m: depths that differ by less are the same, so that a known point may
// stand for the deepest. What a manifold hides is never more.
static const double same_depth = 1e-5, never_hidden = 5e-6;

// how a body moved since the last call: x goes to p + R (x - o)
typedef struct shift {
    cairn_quat q;
    cairn_mat3 R;
    cairn_vec3 o, p;
} shift;

static shift shift_between(cairn_transform from, cairn_transform to)
{
    cairn_quat q = cairn_quat_multiply(to.q, cairn_quat_conjugate(from.q));
    return (shift){q, cairn_quat_to_mat3(q), from.p, to.p};
}

static cairn_vec3 shifted(const shift* s, cairn_vec3 x)
{
    return cairn_add(s->p, cairn_mat3_apply(s->R, cairn_sub(x, s->o)));
}

// an upper bound of how far the points of one body, within `reach` of its origin, moved as seen
// from the other
static double motion_seen(const shift* of, const shift* from, double reach)
{
    cairn_quat turn = cairn_quat_multiply(cairn_quat_conjugate(from->q), of->q);
    double half_sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    return cairn_norm(cairn_sub(of->p, shifted(from, of->o))) + 2.0 * half_sine * reach;
}

// moves the points of a manifold along with the bodies that they are on, and its normal along with
// its owner
static void carry(cairn_manifold* m, const shift* a, const shift* b, const shift* owner)
{
    cairn_vec3 n = cairn_normalize(cairn_mat3_apply(owner->R, m->normal));
    for (int i = 0; i < m->count; i++) {
        cairn_contact_point* c = &m->points[i];
        cairn_vec3 on_a = shifted(a, cairn_add_scaled(c->position, -0.5 * c->gap, m->normal));
        cairn_vec3 on_b = shifted(b, cairn_add_scaled(c->position, 0.5 * c->gap, m->normal));
        c->gap = cairn_dot(n, cairn_sub(on_b, on_a));
        c->position = cairn_scale(0.5, cairn_add(on_a, on_b));
    }
    m->normal = n;
}

static bool is_same_pose(const cairn_transform* x, const cairn_transform* y)
{
    return memcmp(x, y, sizeof *x) == 0;
}

static bool is_round(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_SPHERE || s->kind == CAIRN_SHAPE_CAPSULE ||
           s->kind == CAIRN_SHAPE_CYLINDER || s->kind > CAIRN_SHAPE_COMPOUND;
}

double cairn_reuse_of(const cairn_shape* a, const cairn_shape* b, const cairn_collide_def* def)
{
    return is_round(a) || is_round(b) ? def->reuse * def->reuse : def->reuse;
}

bool cairn_reuse_manifold(cairn_manifold* m, cairn_pair_cache* cache, cairn_transform xa,
                          cairn_transform xb, double reuse, double margin)
{
    if (!cache || !cache->valid || !(reuse > 0.0) || m->count == 0)
        return false;

    // the normal of two edges turns with both bodies, not with one
    if (cache->axis == CAIRN_AXIS_EDGES)
        reuse *= reuse;

    // a greater margin may find more points
    if (margin > farther * cache->margin)
        return false;

    shift a = shift_between(cache->a, xa), b = shift_between(cache->b, xb);

    // how far the smaller body has moved as seen from the larger
    bool small_b = cache->reach_b <= cache->reach_a;
    double reach = small_b ? cache->reach_b : cache->reach_a;
    double drift = cache->drift;

    // a pair that has not moved adds no round-off: its manifold stays the same to the bit
    if (!is_same_pose(&cache->a, &xa) || !is_same_pose(&cache->b, &xb))
        drift += motion_seen(small_b ? &b : &a, small_b ? &a : &b, reach);

    if (!(drift <= reuse * reach))
        return false;

    carry(m, &a, &b, cache->of_b ? &b : &a);
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

    // two round cores have a closed form; two cores of few edges take the separating axis test; all
    // others take their distance and the features at the points
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

// two convex shapes, or one and a half-space
static bool makes_a_pair(const cairn_shape* a, const cairn_shape* b)
{
    bool convex_a = cairn_shape_is_convex(a), convex_b = cairn_shape_is_convex(b);
    bool plane_a = a->kind == CAIRN_SHAPE_HALF_SPACE, plane_b = b->kind == CAIRN_SHAPE_HALF_SPACE;
    return ((convex_a && (convex_b || plane_b)) || (plane_a && convex_b)) && cairn_shape_known(a) &&
           cairn_shape_known(b);
}

bool cairn_collide_convex(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                          cairn_transform xb, const cairn_collide_def* def, cairn_pair_cache* cache,
                          cairn_manifold* m)
{
    if (!m)
        return false;
    if (!a || !b || !def || !makes_a_pair(a, b)) {
        m->count = 0;
        return false;
    }

    if (a->kind == CAIRN_SHAPE_SPHERE && b->kind == CAIRN_SHAPE_SPHERE)
        return cairn_collide_spheres(m, a, xa, b, xb, def->margin);

    if (cairn_reuse_manifold(m, cache, xa, xb, cairn_reuse_of(a, b, def), def->margin))
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

    // points near those of the last step keep their names, so that the manifold does not flicker
    if (candidates.count > 0) {
        cairn_memory memory = {.last = m};
        bool known = cache && cache->valid && m->count > 0;
        if (known) {
            double size = fmin(cache->reach_a, cache->reach_b);
            memory.at = swap ? cache->b : cache->a;
            memory.near = 0.02 * size;
            memory.slack = fmin(same_depth * size, never_hidden);
        }
        cairn_finish_manifold(m, &candidates, swap ? xb : xa, def->all_points ? 8 : 4, def->margin,
                              known ? &memory : NULL);
    } else {
        m->count = 0;
    }

    m->part_a = m->part_b = 0;
    if (swap && m->count > 0)
        m->normal = cairn_neg(m->normal);

    if (cache) {
        cache->a = xa;
        cache->b = xb;
        cache->drift = 0.0;
        cache->margin = def->margin;
        cache->valid = true;
        cache->of_b = swap || cache->axis == CAIRN_AXIS_FACE_B;
    }
    return m->count > 0;
}
