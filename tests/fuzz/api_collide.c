// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of collide.h, with shapes and poses that may be anything: what cairn_shape_check refuses,
// and poses that are no rigid motion, meet nothing.

#include "api.h"
#include <string.h>

static bool is_finite(cairn_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// a hit lies on the way, and all its numbers are finite
static void judge_hit(api* a, bool met, const cairn_hit* hit)
{
    if (met && !(hit->t >= 0.0 && hit->t <= 1.0))
        api_broken(a, "a hit at t = %g", hit->t);
    if (met && !(is_finite(hit->point) && is_finite(hit->normal)))
        api_broken(a, "a hit that is not finite");
}

// mostly convex
static cairn_shape convex(api* a)
{
    cairn_shape shape = api_pick_shape(a);
    bool keep = cairn_shape_is_convex(&shape) || api_hostile(a);
    return keep ? shape : cairn_shape_box(cairn_vec(0.3, 0.4, 0.5));
}

// ---------------------------------------------------------------- manifolds

static void default_collide_def(api* a)
{
    api_begin(a);
    cairn_collide_def def = cairn_default_collide_def();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.margin != 0.01)
        api_broken(a, "other defaults than the header says");
}

static cairn_collide_def collide_def(api* a)
{
    cairn_collide_def def = cairn_default_collide_def();
    int b = api_byte(a);
    if (b & 1)
        def.margin = api_real(a, 0.0, 0.1);
    def.all_points = (b & 2) != 0;
    if (b & 4)
        def.reuse = api_real(a, 0.0, 1e-3);
    return def;
}

static void collide_convex(api* a)
{
    cairn_manifold m;
    cairn_pair_cache cache;
    cairn_shape s = convex(a), t = convex(a);
    cairn_transform xs = api_pose(a), xt = api_pose(a);
    cairn_collide_def def = collide_def(a);
    bool cached = api_chance(a, 128);
    memset(&m, 0, sizeof m);
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 3; i++) {
        api_begin(a);
        cairn_collide_convex(&s, xs, &t, xt, &def, cached ? &cache : NULL, &m);
        api_end(a, CAIRN_OK, API_NOTHING);
        if (m.count < 0 || m.count > CAIRN_MANIFOLD_POINTS)
            api_broken(a, "%d points", m.count);
        xt.p.x += 1e-3 * i;
    }
}

static void collide(api* a)
{
    cairn_shape s = api_pick_shape(a), t = api_pick_shape(a);
    cairn_transform xs = api_pose(a), xt = api_pose(a);
    cairn_collide_def def = collide_def(a);

    // contacts are kept for one pair; another pair starts anew
    cairn_contacts_clear(&a->contacts);
    for (int i = 0; i < 2; i++) {
        api_begin(a);
        a->said = NULL;
        api_end(a, cairn_collide(&a->contacts, &s, xs, &t, xt, &def), API_NOTHING);
        xt.p.z += 1e-3;
    }
}

static void contacts_destroy(api* a)
{
    api_begin(a);
    cairn_contacts_destroy(&a->contacts);
    api_end(a, CAIRN_OK, API_NOTHING);
    memset(&a->contacts, 0, sizeof a->contacts);
}

static void contacts_fit(api* a)
{
    int least = api_below(a, 8);
    api_begin(a);
    cairn_contacts_fit(&a->contacts, least);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void contacts_reserve(api* a)
{
    int count = api_below(a, 32), points = api_below(a, 128);
    api_begin(a);
    a->said = NULL;
    api_end(a, cairn_contacts_reserve(&a->contacts, count, points), API_NOTHING);
}

static void contacts_clear(api* a)
{
    api_begin(a);
    cairn_contacts_clear(&a->contacts);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void contacts_memory(api* a)
{
    api_begin(a);
    cairn_contacts_memory(&a->contacts);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void contacts_copy(api* a)
{
    cairn_contacts copy;
    memset(&copy, 0, sizeof copy);
    api_begin(a);
    a->said = NULL;
    if (api_end(a, cairn_contacts_copy(&a->contacts, &copy), API_NOTHING))
        cairn_contacts_destroy(&copy);
}

// ---------------------------------------------------------------- distance and queries

static void distance(api* a)
{
    cairn_shape s = api_pick_shape(a), t = api_pick_shape(a);
    cairn_transform xs = api_pose(a), xt = api_pose(a);
    api_begin(a);
    cairn_gap g = cairn_distance(&s, xs, &t, xt);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (isnan(g.gap) || !is_finite(g.normal) || !is_finite(g.point_a) || !is_finite(g.point_b))
        api_broken(a, "a gap of %g m that is not finite", g.gap);
}

static void overlap(api* a)
{
    cairn_shape s = api_pick_shape(a), t = api_pick_shape(a);
    cairn_transform xs = api_pose(a), xt = api_pose(a);
    api_begin(a);
    cairn_overlap(&s, xs, &t, xt);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void contains(api* a)
{
    cairn_shape s = api_pick_shape(a);
    cairn_transform x = api_pose(a);
    cairn_vec3 point = api_vec(a, -2.0, 2.0);
    api_begin(a);
    cairn_contains(&s, x, point);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void ray_cast(api* a)
{
    cairn_hit hit;
    cairn_shape s = api_pick_shape(a);
    cairn_transform x = api_pose(a);
    cairn_vec3 origin = api_vec(a, -3.0, 3.0), way = api_vec(a, -6.0, 6.0);
    api_begin(a);
    bool met = cairn_shape_cast_ray(&s, x, origin, way, &hit);
    api_end(a, CAIRN_OK, API_NOTHING);
    judge_hit(a, met, &hit);
}

static void shape_cast(api* a)
{
    cairn_hit hit;
    cairn_shape moving = convex(a), s = api_pick_shape(a);
    cairn_transform from = api_pose(a), x = api_pose(a);
    cairn_vec3 way = api_vec(a, -6.0, 6.0);
    api_begin(a);
    bool met = cairn_shape_cast_shape(&moving, from, way, &s, x, &hit);
    api_end(a, CAIRN_OK, API_NOTHING);
    judge_hit(a, met, &hit);
}

static void sweep_at(api* a)
{
    cairn_transform from = api_pose(a), to = api_pose(a);
    cairn_sweep sweep = {from, to};
    double t = api_real(a, 0.0, 1.0);
    api_begin(a);
    cairn_sweep_at(&sweep, t);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void time_of_impact(api* a)
{
    double t = 0.0, target = api_chance(a, 64) ? api_real(a, 1e-4, 0.01) : 1e-3;
    cairn_shape s = api_pick_shape(a), u = api_pick_shape(a);
    cairn_transform from_s = api_pose(a), to_s = api_pose(a), from_u = api_pose(a),
                    to_u = api_pose(a);
    cairn_sweep ms = {from_s, to_s}, mu = {from_u, to_u};
    api_begin(a);
    cairn_impact impact = cairn_time_of_impact(&s, &ms, &u, &mu, target, &t);
    api_end(a, CAIRN_OK, API_NOTHING);
    if ((int)impact < 0 || impact > CAIRN_IMPACT_OVERLAP)
        api_broken(a, "impact %d", (int)impact);
    if (!(t >= 0.0 && t <= 1.0))
        api_broken(a, "an impact at t = %g", t);
}

// clang-format off: one line for each call
const api_call api_collide_calls[] = {
    {"cairn_default_collide_def", default_collide_def, 1},
    {"cairn_collide_convex", collide_convex, 3},
    {"cairn_collide", collide, 3},
    {"cairn_contacts_destroy", contacts_destroy, 1},
    {"cairn_contacts_fit", contacts_fit, 1},
    {"cairn_contacts_reserve", contacts_reserve, 1},
    {"cairn_contacts_clear", contacts_clear, 1},
    {"cairn_contacts_memory", contacts_memory, 1},
    {"cairn_contacts_copy", contacts_copy, 1},
    {"cairn_distance", distance, 3},
    {"cairn_overlap", overlap, 2},
    {"cairn_contains", contains, 1},
    {"cairn_shape_cast_ray", ray_cast, 2},
    {"cairn_shape_cast_shape", shape_cast, 3},
    {"cairn_sweep_at", sweep_at, 1},
    {"cairn_time_of_impact", time_of_impact, 3},
    {0},
};
// clang-format on
