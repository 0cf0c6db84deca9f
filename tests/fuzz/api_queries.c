// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The queries of a world. Their visitors end early or late, read the world that they see, and call
// it again.

#include "api.h"

typedef struct visit {
    api* a;
    int world;
    int left; // visits until it ends the query
} visit;

static bool seen(visit* v, cairn_body_id body)
{
    cairn_body_state state;
    if (cairn_body_get(v->a->worlds[v->world].world, body, &state, NULL) != CAIRN_OK)
        api_broken(v->a, "a query found a body that is not there");
    api_reenter(v->a, v->world);
    return v->left-- > 0;
}

static bool seen_body(void* context, cairn_body_id body)
{
    return seen(context, body);
}

static void judge_numbers(api* a, const cairn_body_hit* hit)
{
    if (!isfinite(hit->t) || !cairn_is_finite(hit->point) || !cairn_is_finite(hit->normal))
        api_broken(a, "a hit that is not finite");
}

static bool seen_hit(void* context, const cairn_body_hit* hit)
{
    visit* v = context;
    judge_numbers(v->a, hit);
    return seen(v, hit->body);
}

static uint32_t mask(api* a)
{
    return api_chance(a, 32) ? (uint32_t)api_byte(a) : CAIRN_MASK_ALL;
}

static void judge_hit(api* a, int world, const cairn_body_hit* hit)
{
    cairn_body_state state;
    if (hit->body.generation == 0)
        return;
    judge_numbers(a, hit);
    if (cairn_body_get(a->worlds[world].world, hit->body, &state, NULL) != CAIRN_OK)
        api_broken(a, "a query found a body that is not there");
}

static void cast_ray(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_hit hit = {0};
    cairn_vec3 origin = api_vec(a, -3.0, 3.0), way = api_vec(a, -9.0, 9.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_hit* place = API_OR_NULL(a, &hit);
    uint32_t m = mask(a);
    api_begin(a);
    if (api_end(a, cairn_world_cast_ray(world, origin, way, m, place, a->said), API_NOTHING))
        judge_hit(a, w, &hit);
}

static void cast_ray_all(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    visit v = {a, w, api_below(a, 32)};
    cairn_vec3 origin = api_vec(a, -3.0, 3.0), way = api_vec(a, -9.0, 9.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_hit_visit visitor = a->nulls && api_hostile(a) ? NULL : seen_hit;
    uint32_t m = mask(a);
    api_begin(a);
    api_end(a, cairn_world_cast_ray_all(world, origin, way, m, visitor, &v, a->said), API_NOTHING);
}

static void cast_shape(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_hit hit = {0};
    cairn_shape shape = api_pick_shape(a);
    cairn_transform from = api_pose(a);
    cairn_vec3 way = api_vec(a, -9.0, 9.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    const cairn_shape* given = API_OR_NULL(a, &shape);
    cairn_body_hit* place = API_OR_NULL(a, &hit);
    uint32_t m = mask(a);
    api_begin(a);
    if (api_end(a, cairn_world_cast_shape(world, given, from, way, m, place, a->said), API_NOTHING))
        judge_hit(a, w, &hit);
}

static void overlap(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    visit v = {a, w, api_below(a, 32)};
    cairn_shape shape = api_pick_shape(a);
    cairn_transform pose = api_pose(a);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    const cairn_shape* given = API_OR_NULL(a, &shape);
    cairn_body_visit visitor = a->nulls && api_hostile(a) ? NULL : seen_body;
    uint32_t m = mask(a);
    api_begin(a);
    api_end(a, cairn_world_overlap(world, given, pose, m, visitor, &v, a->said), API_NOTHING);
}

static void overlap_box(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    visit v = {a, w, api_below(a, 32)};
    cairn_vec3 lo = api_vec(a, -3.0, 0.5), hi = api_vec(a, -0.5, 3.0);
    cairn_aabb box = {lo, hi};
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_visit visitor = a->nulls && api_hostile(a) ? NULL : seen_body;
    uint32_t m = mask(a);
    api_begin(a);
    api_end(a, cairn_world_overlap_box(world, box, m, visitor, &v, a->said), API_NOTHING);
}

static void overlap_point(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    visit v = {a, w, api_below(a, 32)};
    cairn_vec3 point = api_vec(a, -2.0, 2.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_visit visitor = a->nulls && api_hostile(a) ? NULL : seen_body;
    uint32_t m = mask(a);
    api_begin(a);
    api_end(a, cairn_world_overlap_point(world, point, m, visitor, &v, a->said), API_NOTHING);
}

static void closest(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_gap gap = {0};
    cairn_vec3 point = api_vec(a, -3.0, 3.0);
    double reach = api_real(a, 0.0, 10.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_gap* place = API_OR_NULL(a, &gap);
    uint32_t m = mask(a);
    api_begin(a);
    if (!api_end(a, cairn_world_closest(world, point, reach, m, place, a->said), API_NOTHING))
        return;
    if (gap.body.generation != 0 && (!isfinite(gap.gap) || !cairn_is_finite(gap.point)))
        api_broken(a, "a gap that is not finite");
}

// clang-format off: one line for each call
const api_call api_query_calls[] = {
    {"cairn_world_cast_ray", cast_ray, 2},       {"cairn_world_cast_ray_all", cast_ray_all, 2},
    {"cairn_world_cast_shape", cast_shape, 3},   {"cairn_world_overlap", overlap, 3},
    {"cairn_world_overlap_box", overlap_box, 1}, {"cairn_world_overlap_point", overlap_point, 1},
    {"cairn_world_closest", closest, 3},         {0},
};
// clang-format on
