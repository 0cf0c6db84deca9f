// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts by color: those of one color share no active body and fill clusters of their own. What
// is left of each color fills mixed clusters, whose contacts share no active body either, but which
// share bodies with each other: that leaves few lanes empty. What finds no place there is alone.

#include "world/step/layout.h"
#include <string.h>

enum { lanes = cairn_cluster_lanes, most_colors = cairn_pack_colors };

static const cairn_touch* touch_of(const cairn_span* span, int c)
{
    return &span->world->touches[span->group->touches[span->island->touch + c]];
}

enum { mixed = most_colors, alone = 2 * most_colors, kinds = cairn_pack_kinds };

// a part of a cluster of so many contacts stays with its color
enum { nearly_full = lanes * 3 / 4 };

static int clusters_of(int size)
{
    return (size + lanes - nearly_full) / lanes;
}

// the lowest of the `open` ones that neither body is in, from now on both are; -1: none
static int first_free(uint64_t* used, const cairn_group* group, const cairn_touch* touch,
                      uint64_t open)
{
    int a = group->local[touch->a], b = group->local[touch->b];
    uint64_t free = open & ~((a < 0 ? 0 : used[a]) | (b < 0 ? 0 : used[b]));
    if (!free)
        return -1;
    if (a >= 0)
        used[a] |= free & -free;
    if (b >= 0)
        used[b] |= free & -free;
    return __builtin_ctzll(free);
}

// the contacts that do not fill clusters of their colors
static void mix(cairn_palette* colors, const cairn_span* span)
{
    int seen[most_colors] = {0};
    uint64_t open = ~UINT64_C(0);
    memset(colors->used, 0, (size_t)span->island->body_count * sizeof *colors->used);
    for (int c = 0; c < span->island->touch_count; c++) {
        int k = colors->place[c];
        if (k < most_colors && seen[k]++ < lanes * clusters_of(colors->size[k]))
            continue;
        int m = first_free(colors->used, span->group, touch_of(span, c), open);
        k = m < 0 ? alone : mixed + m;
        colors->place[c] = (unsigned char)k;
        if (++colors->size[k] == lanes && m >= 0)
            open &= ~(UINT64_C(1) << m);
    }
}

// greedy coloring; counts the clusters
bool cairn_pack_color(cairn_pack* pack, cairn_palette* colors, const cairn_span* span)
{
    const cairn_island* island = span->island;
    colors->used = CAIRN_TAKE_ZEROED(span->arena, uint64_t, island->body_count);
    colors->place = CAIRN_TAKE(span->arena, unsigned char, island->touch_count);
    memset(colors->size, 0, sizeof colors->size);
    if (span->arena->failed)
        return false;

    // the lowest color that neither body has yet; contacts that find none are alone
    for (int c = 0; c < island->touch_count; c++) {
        int k = first_free(colors->used, span->group, touch_of(span, c), ~UINT64_C(0));
        colors->place[c] = (unsigned char)(k < 0 ? alone : k);
        if (k >= 0)
            colors->size[k]++;
    }

    // what does not fill the clusters of its color goes into mixed ones
    mix(colors, span);

    // clusters are numbered by color, then the mixed ones, then contacts that are alone
    for (int k = 0; k < most_colors; k++) {
        pack->color[k] = pack->count;
        pack->count += clusters_of(colors->size[k]);
    }
    pack->color[most_colors] = pack->count;
    for (int m = mixed; m < alone; m++)
        pack->count += colors->size[m] > 0;
    pack->count += colors->size[alone];

    return true;
}

// The contacts in their order, each to the next lane of its place: contacts are read one after the
// other, and written to the one open cluster of each color.
void cairn_pack_deal(cairn_pack* pack, const cairn_palette* colors, int count)
{
    int next[kinds], tail = pack->color[most_colors];
    for (int k = 0; k < most_colors; k++)
        next[k] = lanes * pack->color[k];
    for (int m = mixed; m < alone; m++) {
        next[m] = lanes * tail;
        tail += colors->size[m] > 0;
    }
    next[alone] = lanes * tail;
    for (int c = 0; c < count; c++) {
        int k = colors->place[c];
        pack->lane[c] = next[k];
        next[k] += k < alone ? 1 : lanes;
    }
}
