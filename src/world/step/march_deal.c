// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which manifolds share a cluster of a march (march.h), and in which order clusters are swept. Loads go
// from the top of a pile to the ground: manifolds are swept in bands, by how many contacts lie between
// their bodies and the ground, upwards and downwards in turn. That is what makes few sweeps enough for
// tall stacks. Bands are two levels high: at four a wall falls.
//
// A large island is cut upright through the middle of its bodies, and each half again as long as enough
// is left of it. A manifold belongs to the part that has both of its bodies: one that was cut no more, or
// the seam between two. What lies on two sides of a seam shares no body, so that threads sweep it at
// once; a seam follows when both of its sides are swept. The cuts depend on nothing but the island, and
// so does the order in which each body is pushed.

#include "world/step/march.h"
#include "world/step/step.h"
#include <string.h>

enum { lanes = cairn_cluster_lanes };
enum { levels_per_band = 2 };

// the places of the bodies of a manifold; -1: not active
static void ends_of(int* ends, const cairn_span* span, const cairn_march_place* manifold)
{
    const cairn_touch* touch = &span->world->touches[manifold->touch[0]];
    ends[0] = span->group->local[touch->a];
    ends[1] = span->group->local[touch->b];
}

// ---------------------------------------------------------------- bands

// Levels of all bodies, breadth first from those on the ground; returns the highest. What nothing
// connects to the ground has level 0.
static int find_levels(int* level, const cairn_march* march, const cairn_span* span)
{
    int bodies = march->body_count, count = march->manifold_count, head = 0, tail = 0, highest = 0;
    int* begin = CAIRN_TAKE_ZEROED(span->arena, int, bodies + 2);
    int* next = CAIRN_TAKE(span->arena, int, 2 * (size_t)count);
    int* queue = CAIRN_TAKE(span->arena, int, bodies);
    if (span->arena->failed)
        return -1;

    // neighbors of each body, one list after the other
    for (int i = 0; i < bodies; i++)
        level[i] = -1;
    for (int m = 0; m < count; m++) {
        int ends[2];
        ends_of(ends, span, &march->manifolds[m]);
        for (int side = 0; side < 2; side++) {
            if (ends[side] >= 0 && ends[!side] >= 0)
                begin[ends[side] + 2]++;
            if (ends[side] >= 0 && ends[!side] < 0 && level[ends[side]] < 0) {
                level[ends[side]] = 0;
                queue[tail++] = ends[side];
            }
        }
    }
    for (int i = 0; i < bodies; i++)
        begin[i + 2] += begin[i + 1];
    for (int m = 0; m < count; m++) {
        int ends[2];
        ends_of(ends, span, &march->manifolds[m]);
        for (int side = 0; side < 2 && ends[0] >= 0 && ends[1] >= 0; side++)
            next[begin[ends[side] + 1]++] = ends[!side];
    }

    while (head < tail) {
        int body = queue[head++];
        for (int k = begin[body]; k < begin[body + 1]; k++)
            if (level[next[k]] < 0) {
                level[next[k]] = highest = level[body] + 1;
                queue[tail++] = next[k];
            }
    }
    for (int i = 0; i < bodies; i++)
        level[i] = level[i] < 0 ? 0 : level[i];
    return highest;
}

// the band of each manifold: that of its higher body; returns how many there are, or 0: no memory
static int find_bands(const cairn_march* march, const cairn_span* span)
{
    int* level = CAIRN_TAKE(span->arena, int, march->body_count);
    int highest = level ? find_levels(level, march, span) : -1;
    for (int m = 0; m < march->manifold_count && highest >= 0; m++) {
        int ends[2], high = 0;
        ends_of(ends, span, &march->manifolds[m]);
        for (int side = 0; side < 2; side++)
            if (ends[side] >= 0 && level[ends[side]] > high)
                high = level[ends[side]];
        march->manifolds[m].band = high / levels_per_band;
    }
    return highest < 0 ? 0 : highest / levels_per_band + 1;
}

// ---------------------------------------------------------------- parts

// A part is cut where each half keeps about so many manifolds; not if seams would have more than this share.
enum { least_of_part = 1024, least_of_seam = 128 };
static const double widest_seam = 1.0 / 6.0;

// two directions across gravity, and how far the bodies of a part are spread along each
typedef struct cut {
    cairn_vec3 along;
    double mean, spread; // m
} cut;

static cut cut_along(cairn_vec3 along, const cairn_span* span, const unsigned char* part, int which)
{
    cut own = {.along = along};
    double sum = 0.0, squares = 0.0;
    int count = 0;
    const int* bodies = span->group->bodies + span->island->body;
    for (int i = 0; i < span->island->body_count; i++)
        if (part[i] == which) {
            sum += cairn_dot(along, span->world->bodies[bodies[i]].x);
            count++;
        }
    own.mean = count > 0 ? sum / count : 0.0;
    for (int i = 0; i < span->island->body_count; i++)
        if (part[i] == which) {
            double d = cairn_dot(along, span->world->bodies[bodies[i]].x) - own.mean;
            squares += d * d;
        }
    own.spread = count > 0 ? sqrt(squares / count) : 0.0;
    return own;
}

// Halves a part: its bodies go to the parts 2 which and 2 which + 1, left and right of the upright plane
// that has about as many on each side.
static void halve(unsigned char* part, const cairn_span* span, int which)
{
    enum { bins = 256 };
    cairn_vec3 one, other, down = span->world->def.gravity;
    down = cairn_dot(down, down) > 0.0 ? cairn_normalize(down) : cairn_vec(0.0, 0.0, 1.0);
    cairn_tangents(down, &one, &other);
    cut first = cut_along(one, span, part, which), own = cut_along(other, span, part, which);
    if (first.spread >= own.spread)
        own = first;

    // the median, among bins of two standard deviations on both sides
    int size[bins] = {0}, bin = 0, before = 0, total = 0;
    const int* bodies = span->group->bodies + span->island->body;
    double per_bin = own.spread > 0.0 ? bins / (4.0 * own.spread) : 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < span->island->body_count; i++) {
            if (part[i] != which)
                continue;
            double d = cairn_dot(own.along, span->world->bodies[bodies[i]].x) - own.mean;
            int at = (int)fmin(fmax(d * per_bin + bins / 2, 0.0), bins - 1.0);
            if (pass == 0)
                size[at]++, total++;
            else
                part[i] = (unsigned char)(2 * which + (at >= bin));
        }
        for (; pass == 0 && bin < bins && 2 * before < total; bin++)
            before += size[bin];
    }
}

// the part of a manifold, from those of its bodies: the first that has both
static int part_of(const unsigned char* part, const int* ends)
{
    int a = ends[0] < 0 ? part[ends[1]] : part[ends[0]];
    int b = ends[1] < 0 ? a : part[ends[1]];
    while (a != b) {
        if (a > b)
            a /= 2;
        else
            b /= 2;
    }
    return a;
}

// Parts are numbered as the nodes of a tree: 1 is the whole, or its seam; the halves of k are 2 k and
// 2 k + 1. Cuts as often as it is worth while, and tells the part of each body.
static void find_parts(unsigned char* part, cairn_march* march, const cairn_span* span)
{
    int count = march->manifold_count, bodies = march->body_count;
    memset(part, 1, (size_t)bodies);
    march->cuts = 0;
    while (march->cuts < cairn_march_cuts) {
        int next = march->cuts + 1, of_part[2 << cairn_march_cuts] = {0}, seams = 0;
        if (count >> next < least_of_part)
            return;
        for (int k = 1 << march->cuts; k < 1 << next; k++)
            halve(part, span, k);

        // what the cuts have brought; the last ones are taken back if it is too little
        for (int m = 0; m < count; m++) {
            int ends[2];
            ends_of(ends, span, &march->manifolds[m]);
            of_part[part_of(part, ends)]++;
        }
        bool even = true;
        for (int k = 1; k < 1 << next; k++)
            seams += of_part[k];
        for (int k = 1 << next; k < 2 << next; k++)
            even = even && 2 * of_part[k] >= least_of_part;
        if (seams > widest_seam * count || !even) {
            for (int i = 0; i < bodies; i++)
                part[i] = (unsigned char)(part[i] / 2);
            return;
        }
        march->cuts = next;
    }
}

// where a part is in the order of sweeps: what was cut no more first, the whole or its seam last
static int turn_of(const cairn_march* march, int part)
{
    int depth = 0;
    while (part >> (depth + 1))
        depth++;
    int before = (2 << march->cuts) - (2 << depth);
    return before + part - (1 << depth);
}

// The band of a manifold among those of its part. Seams have few manifolds in each: theirs are higher.
static int band_of(const cairn_march_place* manifold, int bands, int of_part)
{
    int most = of_part / least_of_seam + 1;
    return bands <= most ? manifold->band : (int)((int64_t)manifold->band * most / bands);
}

// ---------------------------------------------------------------- lanes

// A manifold goes to the first cluster that has a lane left and neither of its bodies, and that comes after all
// in which they are with manifolds of lower bands: so what the last clusters of a band leave is filled by those
// of the next. Clusters are looked for in a window that moves on when its first one is full. They are dealt in
// twos that share no body, which the kernels sweep side by side.
enum { window = 64, half_a_window = window / 2, two = 2 * lanes };

// where a body is in the clusters of a part
typedef struct paint {
    uint64_t used;    // those of the window that have it
    int base;         // of the window then
    int band;         // in which it was last,
    int floor, above; // the first cluster that it may be in there, and the one after its last
} paint;

typedef struct dealer {
    int base, end;      // the first cluster of the window; those from here on are not open yet
    uint64_t full;      // clusters of the window without a lane left
    int filled[window]; // lanes of each, in turn
} dealer;

static void move_on(dealer* own, int clusters)
{
    for (int k = 0; k < clusters; k++)
        own->filled[(own->base + k) % window] = 0;
    own->base += clusters;
    own->full >>= clusters;
    own->end = own->end > own->base ? own->end : own->base;
}

// the clusters of the window that a manifold cannot go to
static uint64_t barred(const dealer* own, paint* paints, const int* ends, int band)
{
    uint64_t used = own->full;
    for (int side = 0; side < 2; side++) {
        if (ends[side] < 0)
            continue;
        paint* body = &paints[ends[side]];
        int moved = own->base - body->base;
        body->used = moved < window ? body->used >> moved : 0;
        body->base = own->base;
        if (body->band != band)
            body->floor = body->above;
        body->band = band;
        int below = body->floor - own->base;
        used |= body->used | (below <= 0       ? 0
                              : below < window ? (UINT64_C(1) << below) - 1
                                               : ~UINT64_C(0));
    }
    return used;
}

// the lane of a manifold
static int take_lane(dealer* own, paint* paints, const int* ends, int band)
{
    uint64_t used = barred(own, paints, ends, band);
    if (!~used) {
        move_on(own, half_a_window);
        used = barred(own, paints, ends, band);
    }
    int k = __builtin_ctzll(~used), cluster = own->base + k, at = cluster % window;
    int lane = two * cluster + own->filled[at]++;
    own->end = own->end > cluster ? own->end : cluster + 1;
    for (int side = 0; side < 2; side++)
        if (ends[side] >= 0) {
            paint* body = &paints[ends[side]];
            body->used |= UINT64_C(1) << k;
            body->above = body->above > cluster ? body->above : cluster + 1;
        }
    if (own->filled[at] == two)
        own->full |= UINT64_C(1) << k;
    while (own->full & 1)
        move_on(own, 1);
    return lane;
}

// Deals the manifolds of a part to clusters, band by band, those of many points first. `order` lists them, from
// begin[k] to before begin[k + 1] those of band k.
static void deal_part(cairn_march* march, const cairn_span* span, paint* paints, const int* order,
                      const int* begin, int bands)
{
    dealer own = {.base = 0};
    for (int i = 0; i < march->body_count; i++)
        paints[i] = (paint){.band = -1};
    for (int band = 0; band < bands; band++)
        for (int few = 0; few < 2; few++)
            for (int k = begin[band]; k < begin[band + 1]; k++) {
                cairn_march_place* manifold = &march->manifolds[order[k]];
                int ends[2];
                if (few != (2 * manifold->count <= cairn_manifold_points))
                    continue;
                ends_of(ends, span, manifold);
                manifold->lane = lanes * march->count + take_lane(&own, paints, ends, band);
            }
    march->count += 2 * own.end;
}

// closes up clusters without manifolds: the second ones of some twos
static bool close_up(cairn_march* march, const cairn_span* span)
{
    int parts = cairn_march_parts(march), count = 0;
    int* place = CAIRN_TAKE_ZEROED(span->arena, int, march->count);
    if (!place)
        return false;
    for (int m = 0; m < march->manifold_count; m++)
        place[march->manifolds[m].lane / lanes] = 1;
    for (int i = 0, part = 0; i <= march->count; i++) {
        for (; part <= parts && march->part[part] == i; part++)
            march->part[part] = count;
        if (i < march->count && place[i])
            place[i] = count++;
    }
    for (int m = 0; m < march->manifold_count; m++) {
        int lane = march->manifolds[m].lane;
        march->manifolds[m].lane = lanes * place[lane / lanes] + lane % lanes;
    }
    march->count = count;
    return true;
}

// all parts in their turn, and their bands from the ground upwards; counts the clusters
bool cairn_march_deal(cairn_march* march, const cairn_span* span)
{
    int bands = find_bands(march, span), count = march->manifold_count;
    int keys = (2 << cairn_march_cuts) * bands, of_part[2 << cairn_march_cuts] = {0};
    int* begin = CAIRN_TAKE_ZEROED(span->arena, int, keys + 2);
    int* order = CAIRN_TAKE(span->arena, int, count);
    int* turn = CAIRN_TAKE(span->arena, int, count);
    paint* paints = CAIRN_TAKE(span->arena, paint, march->body_count);
    unsigned char* part = CAIRN_TAKE(span->arena, unsigned char, march->body_count);
    if (bands == 0 || span->arena->failed)
        return false;

    // the turn of each manifold's part, and how many it has
    find_parts(part, march, span);
    int parts = cairn_march_parts(march);
    for (int m = 0; m < count; m++) {
        int ends[2];
        ends_of(ends, span, &march->manifolds[m]);
        turn[m] = turn_of(march, part_of(part, ends));
        of_part[turn[m]]++;
    }

    // the manifolds in the order of parts and bands
    for (int m = 0; m < count; m++) {
        cairn_march_place* manifold = &march->manifolds[m];
        bool seam = turn[m] >= 1 << march->cuts && march->cuts > 0;
        int band = seam ? band_of(manifold, bands, of_part[turn[m]]) : manifold->band;
        manifold->band = turn[m] * bands + band;
        begin[manifold->band + 2]++;
    }
    for (int k = 0; k < keys; k++)
        begin[k + 2] += begin[k + 1];
    for (int m = 0; m < count; m++)
        order[begin[march->manifolds[m].band + 1]++] = m;

    march->count = 0;
    for (int k = 0; k < parts; k++) {
        march->part[k] = march->count;
        deal_part(march, span, paints, order, begin + (ptrdiff_t)k * bands, bands);
    }
    march->part[parts] = march->count;
    return close_up(march, span);
}
