// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts that come and go while their island marches (march.h). The lanes of a pair are its own: no
// other manifold of their clusters has one of its bodies, so that what is found anew of the pair goes
// where the old was. What has no lane yet, and what has more points than its lane, goes to clusters of its own
// behind the others, which are swept last.

#include "world/step/march.h"
#include "world/step/refind.h"

enum { lanes = cairn_cluster_lanes, most_points = cairn_manifold_points };

// no manifold is in the lane any more
static void empty(cairn_march* march, int lane)
{
    cairn_manifold_cluster* cluster = &march->clusters[lane / lanes];
    int l = lane % lanes;
    for (int k = 0; k < cluster->points; k++) {
        cairn_manifold_point* point = &march->points[cluster->first + k];
        float(*all)[lanes] = (float(*)[lanes])point;
        for (size_t i = 0; i < sizeof *point / sizeof *all; i++)
            all[i][l] = 0.0f;
        point->gap[l] = cairn_wide_open;
        if (march->laws)
            march->laws[cluster->first + k].lambda[l] = 0.0f;
    }
    for (int k = 0; k < 3; k++)
        cluster->normal[k][l] = k == 2 ? 1.0f : 0.0f;
    cluster->mu[l] = 0.0f;
    cluster->body[0][l] = cluster->body[1][l] = cluster->ground;
}

// the first manifold of a pair, plus 1; 0: it has none
static int first_of(const cairn_march* march, const cairn_world* world, int pair)
{
    int m = world->pairs[pair].manifold;
    bool own = m > 0 && m <= march->manifold_count && march->manifolds[m - 1].pair == pair;
    return own ? m : 0;
}

void cairn_march_release(const cairn_span* span, int pair)
{
    cairn_march* march = span->island->march;
    for (int m = first_of(march, span->world, pair); m > 0; m = march->manifolds[m - 1].next) {
        cairn_march_place* manifold = &march->manifolds[m - 1];
        const int* held = manifold->held;
        if (manifold->count == 0)
            continue;

        // what they did to their bodies counts from now on
        for (int side = 0; side < 2; side++)
            if (held[side] < march->body_count)
                march->sum[held[side]] = cairn_vec(0.0, 0.0, 0.0);
        cairn_march_hand_back(march, span, manifold, true);
        for (int side = 0; side < 2; side++)
            if (held[side] < march->body_count) {
                const cairn_body* body = &span->world->bodies[cairn_march_slot(span, held[side])];
                march->linear[held[side]] = cairn_add_scaled(
                    march->linear[held[side]], body->inverse_mass, march->sum[held[side]]);
            }
        empty(march, manifold->lane);
        manifold->count = 0;
        march->amended = true;
    }
}

// whether a cluster has none of these bodies
static bool is_free_of(const cairn_march* march, int cluster, const int* held)
{
    for (int l = 0; l < lanes; l++)
        for (int side = 0; side < 2; side++) {
            int place = march->clusters[cluster].body[side][l];
            if (place < march->body_count && (place == held[0] || place == held[1]))
                return false;
        }
    return true;
}

// another cluster of empty lanes; false: there is no room
static bool open_cluster(cairn_march* march)
{
    if (march->count == march->capacity || march->point_count + most_points > march->point_room ||
        (march->laws && march->point_count + most_points > march->law_room))
        return false;
    cairn_manifold_cluster* cluster = &march->clusters[march->count];
    cluster->points = most_points;
    cluster->first = march->point_count;
    cluster->filled = 0;
    cluster->apart = 0;
    cluster->ground = march->body_count + march->ground_count - 1;
    march->point_count += most_points;
    for (int l = 0; l < lanes; l++)
        empty(march, lanes * march->count + l);
    march->count++;
    return true;
}

// A lane behind the others for these bodies, or -1: there is no room. What strikes a pile has many contacts with one
// body, each in a cluster of its own: they share these with what others have.
static int take_lane(cairn_march* march, const int* held)
{
    int own = march->laid;
    while (own < march->count &&
           (march->clusters[own].filled == lanes || !is_free_of(march, own, held)))
        own++;
    if (own == march->count && !open_cluster(march))
        return -1;
    return lanes * own + march->clusters[own].filled++;
}

// a manifold of the pair that no contacts have and that has room for so many, or NULL
static cairn_march_place* find_empty(cairn_march* march, const cairn_world* world, int pair,
                                     int count)
{
    for (int m = first_of(march, world, pair); m > 0; m = march->manifolds[m - 1].next) {
        cairn_march_place* manifold = &march->manifolds[m - 1];
        if (manifold->count == 0 && march->clusters[manifold->lane / lanes].points >= count)
            return manifold;
    }
    return NULL;
}

// the same with a new lane
static cairn_march_place* add_manifold(cairn_march* march, const cairn_span* span,
                                       const cairn_touch* touch)
{
    const int slots[2] = {touch->a, touch->b};
    cairn_march_place manifold = {.pair = touch->pair};
    if (march->manifold_count == march->manifold_room)
        return NULL;
    for (int side = 0; side < 2; side++) {
        int place = span->group->local[slots[side]];
        bool driven = place < 0 && span->world->bodies[slots[side]].type == CAIRN_BODY_KINEMATIC;
        if (driven && march->place_count == march->place_room)
            return NULL;
        if (place < 0)
            place = cairn_march_immovable(march, span, slots[side]);
        manifold.held[side] = place;
    }
    manifold.lane = take_lane(march, manifold.held);
    if (manifold.lane < 0)
        return NULL;
    manifold.next = first_of(march, span->world, touch->pair);
    march->manifolds[march->manifold_count] = manifold;
    span->world->pairs[touch->pair].manifold = ++march->manifold_count;
    return &march->manifolds[march->manifold_count - 1];
}

// some contacts of the same manifold
static bool adopt(cairn_march* march, const cairn_span* span, const int* some, int count)
{
    const cairn_touch* first = &span->world->touches[some[0]];
    if (!march->laws && (first->rows != 3 || first->kind != CAIRN_FRICTION_CONE))
        return false;
    cairn_march_place* manifold = find_empty(march, span->world, first->pair, count);
    if (!manifold)
        manifold = add_manifold(march, span, first);
    if (!manifold)
        return false;
    for (int k = 0; k < count; k++)
        manifold->touch[k] = some[k];
    manifold->count = count;
    march->amended = true;
    cairn_march_fill(march, span, manifold);
    return true;
}

bool cairn_march_adopt(const cairn_span* span, int slot)
{
    const cairn_world* world = span->world;
    const cairn_pair_state* pair = &world->pairs[slot];
    int some[most_points], count = 0;
    bool fits = true;
    for (int c = cairn_pair_first(pair); c >= 0 && fits; c = cairn_pair_next(world, pair, c)) {
        if (world->touches[c].gone)
            continue;
        if (count == most_points ||
            (count > 0 && !cairn_march_belongs(&world->touches[c], &world->touches[some[0]]))) {
            fits = adopt(span->island->march, span, some, count);
            count = 0;
        }
        some[count++] = c;
    }
    return fits && (count == 0 || adopt(span->island->march, span, some, count));
}
