// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls on a broad phase. Proxies are those that were given out: an index is not checked by the
// library.

#include "api.h"
#include <string.h>

enum { most_proxies = sizeof(((api_boxes*)0)->used) };

static cairn_aabb any_box(api* a)
{
    cairn_vec3 lo = api_vec(a, -3.0, 3.0), side = api_vec(a, 0.0, 1.0);
    return (cairn_aabb){lo, cairn_add(lo, side)};
}

// boxes are finite or infinite, but numbers; lo <= hi
static cairn_aabb good_box(api* a)
{
    cairn_aabb box = any_box(a);
    cairn_aabb unit = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    return box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z ? box : unit;
}

static int pick_proxy(api* a)
{
    int first = api_below(a, most_proxies);
    for (int i = 0; i < most_proxies; i++)
        if (a->boxes.used[(first + i) % most_proxies])
            return (first + i) % most_proxies;
    return -1;
}

static void default_filter(api* a)
{
    api_begin(a);
    cairn_filter filter = cairn_default_filter();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (filter.category != 1 || filter.owner != -1)
        api_broken(a, "other defaults than the header says");
}

static cairn_filter any_filter(api* a)
{
    cairn_filter filter = cairn_default_filter();
    int b = api_byte(a);
    if (b & 1)
        filter.mask = (uint64_t)api_byte(a);
    if (b & 2)
        filter.owner = api_below(a, 3);
    filter.fixed = (b & 12) == 12;
    return filter;
}

static void broad_create(api* a)
{
    double margin = api_real(a, 0.0, 0.2);
    if (!(margin >= 0.0 && margin < 1e3))
        margin = 0.05;
    api_begin(a);
    cairn_broad* broad = cairn_broad_create(margin);
    api_end(a, CAIRN_OK, API_NOTHING);
    cairn_broad_destroy(a->boxes.broad);
    memset(&a->boxes, 0, sizeof a->boxes);
    a->boxes.broad = broad;
}

static void broad_destroy(api* a)
{
    api_begin(a);
    cairn_broad_destroy(a->boxes.broad);
    api_end(a, CAIRN_OK, API_NOTHING);
    memset(&a->boxes, 0, sizeof a->boxes);
}

// a copy goes on in place of the original
static void broad_copy(api* a)
{
    if (!a->boxes.broad)
        return;
    api_begin(a);
    cairn_broad* copy = cairn_broad_copy(a->boxes.broad);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (copy) {
        cairn_broad_destroy(a->boxes.broad);
        a->boxes.broad = copy;
    }
}

static void broad_add(api* a)
{
    int free_places = 0;
    for (int i = 0; i < most_proxies; i++)
        free_places += !a->boxes.used[i];
    if (!a->boxes.broad || free_places == 0)
        return;
    cairn_aabb box = good_box(a);
    cairn_filter filter = any_filter(a);
    api_begin(a);
    int proxy = cairn_broad_add(a->boxes.broad, box, &filter);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (proxy >= most_proxies || proxy < -1 || (proxy >= 0 && a->boxes.used[proxy]))
        api_broken(a, "proxy %d is not the smallest that is free", proxy);
    if (proxy >= 0)
        a->boxes.used[proxy] = true;
}

static void broad_remove(api* a)
{
    int proxy = pick_proxy(a);
    if (proxy < 0)
        return;
    api_begin(a);
    cairn_broad_remove(a->boxes.broad, proxy);
    api_end(a, CAIRN_OK, API_NOTHING);
    a->boxes.used[proxy] = false;
}

static void broad_move(api* a)
{
    int proxy = pick_proxy(a);
    if (proxy < 0)
        return;
    cairn_aabb box = good_box(a);
    cairn_vec3 ahead = api_vec(a, -0.5, 0.5);
    if (!cairn_is_finite(ahead))
        ahead = cairn_vec(0.0, 0.0, 0.0);
    api_begin(a);
    cairn_broad_move(a->boxes.broad, proxy, box, ahead);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_set_filter(api* a)
{
    int proxy = pick_proxy(a);
    if (proxy < 0)
        return;
    cairn_filter filter = any_filter(a);
    api_begin(a);
    cairn_broad_set_filter(a->boxes.broad, proxy, &filter);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_memory(api* a)
{
    if (!a->boxes.broad)
        return;
    api_begin(a);
    cairn_broad_memory(a->boxes.broad);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_box(api* a)
{
    int proxy = pick_proxy(a);
    if (proxy < 0)
        return;
    api_begin(a);
    cairn_broad_box(a->boxes.broad, proxy);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_exclude(api* a)
{
    int i = pick_proxy(a), j = pick_proxy(a);
    bool excluded = api_chance(a, 192);
    if (i < 0 || i == j)
        return;
    api_begin(a);
    a->said = NULL;
    api_end(a, cairn_broad_exclude(a->boxes.broad, i, j, excluded), API_NOTHING);
}

static void broad_excluded(api* a)
{
    int count = 0;
    api_begin(a);
    cairn_broad_excluded(a->boxes.broad, &count);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_update(api* a)
{
    if (!a->boxes.broad)
        return;
    api_begin(a);
    a->said = NULL;
    api_end(a, cairn_broad_update(a->boxes.broad), API_NOTHING);
}

static void judge_pairs(api* a, const cairn_pair* pairs, int count)
{
    for (int i = 0; i < count; i++) {
        if (pairs[i].a >= pairs[i].b)
            api_broken(a, "a pair of %d and %d", pairs[i].a, pairs[i].b);
        if (i > 0 && (pairs[i - 1].a > pairs[i].a ||
                      (pairs[i - 1].a == pairs[i].a && pairs[i - 1].b >= pairs[i].b)))
            api_broken(a, "pairs that do not ascend");
    }
}

static void broad_pairs(api* a)
{
    int count = 0;
    if (!a->boxes.broad)
        return;
    api_begin(a);
    const cairn_pair* pairs = cairn_broad_pairs(a->boxes.broad, &count);
    api_end(a, CAIRN_OK, API_NOTHING);
    judge_pairs(a, pairs, count);
}

static void broad_ended(api* a)
{
    int count = 0;
    if (!a->boxes.broad)
        return;
    api_begin(a);
    const cairn_pair* pairs = cairn_broad_ended(a->boxes.broad, &count);
    api_end(a, CAIRN_OK, API_NOTHING);
    judge_pairs(a, pairs, count);
}

static void broad_slot_count(api* a)
{
    if (!a->boxes.broad)
        return;
    api_begin(a);
    int slots = cairn_broad_slot_count(a->boxes.broad);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (slots < 0)
        api_broken(a, "%d slots", slots);
}

static void broad_renumber(api* a)
{
    if (!a->boxes.broad)
        return;
    api_begin(a);
    cairn_broad_renumber(a->boxes.broad);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_fit(api* a)
{
    if (!a->boxes.broad)
        return;
    api_begin(a);
    cairn_broad_fit(a->boxes.broad);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static bool seen_proxy(void* context, int proxy)
{
    api* a = context;
    if (proxy < 0 || proxy >= most_proxies || !a->boxes.used[proxy])
        api_broken(a, "a query found proxy %d, which is not there", proxy);
    return true;
}

static double seen_on_ray(void* context, int proxy, double reach)
{
    seen_proxy(context, proxy);
    return proxy % 3 == 0 ? 0.5 * reach : reach;
}

static void broad_query(api* a)
{
    if (!a->boxes.broad)
        return;
    cairn_aabb box = any_box(a);
    api_begin(a);
    cairn_broad_query(a->boxes.broad, box, seen_proxy, a);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void broad_ray(api* a)
{
    if (!a->boxes.broad)
        return;
    cairn_vec3 origin = api_vec(a, -3.0, 3.0), way = api_vec(a, -6.0, 6.0);
    cairn_vec3 half = api_vec(a, 0.0, 0.3);
    api_begin(a);
    cairn_broad_ray(a->boxes.broad, origin, way, half, seen_on_ray, a);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// clang-format off: one line for each call
const api_call api_broad_calls[] = {
    {"cairn_default_filter", default_filter, 1},
    {"cairn_broad_create", broad_create, 2},
    {"cairn_broad_destroy", broad_destroy, 1},
    {"cairn_broad_copy", broad_copy, 2},
    {"cairn_broad_add", broad_add, 6},
    {"cairn_broad_remove", broad_remove, 2},
    {"cairn_broad_move", broad_move, 3},
    {"cairn_broad_set_filter", broad_set_filter, 1},
    {"cairn_broad_memory", broad_memory, 1},
    {"cairn_broad_box", broad_box, 1},
    {"cairn_broad_exclude", broad_exclude, 1},
    {"cairn_broad_excluded", broad_excluded, 1},
    {"cairn_broad_update", broad_update, 4},
    {"cairn_broad_pairs", broad_pairs, 1},
    {"cairn_broad_ended", broad_ended, 1},
    {"cairn_broad_slot_count", broad_slot_count, 1},
    {"cairn_broad_renumber", broad_renumber, 1},
    {"cairn_broad_fit", broad_fit, 1},
    {"cairn_broad_query", broad_query, 1},
    {"cairn_broad_ray", broad_ray, 1},
    {0},
};
// clang-format on
