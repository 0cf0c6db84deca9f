// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands by union and find: contacts and joints between two active bodies join their sets. The
// root of a set is its lowest slot, so islands come in the order of their first bodies and the
// grouping depends on nothing but the state of the world.

#include "math/sets.h"
#include "world/step/island.h"

// places are -1 for bodies that are not active
static bool active(const cairn_group* group, int slot)
{
    return slot != CAIRN_WORLD_BODY && group->local[slot] >= 0;
}

// the active one of two bodies, or -1
static int owner(const cairn_group* group, int a, int b)
{
    return active(group, a) ? a : active(group, b) ? b : -1;
}

static void join_all(int* parent, cairn_group* group, const cairn_world* world)
{
    for (int i = 0; i < world->body_count; i++) {
        parent[i] = i;
        if (group->start) {
            group->start[2 * i] = world->bodies[i].v;
            group->start[2 * i + 1] = world->bodies[i].w;
        }
        group->local[i] = cairn_body_active(&world->bodies[i]) ? 0 : -1;
    }

    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];

        // also contacts that are gone: what a step has joined stays together
        if (active(group, touch->a) && active(group, touch->b))
            cairn_set_join(parent, touch->a, touch->b);
    }

    for (int k = 0; k < world->link_count; k++) {
        const cairn_link* link = &world->links[k];
        if (cairn_link_active(world, link) && active(group, link->a) && active(group, link->b))
            cairn_set_join(parent, link->a, link->b);
    }
}

// bodies that are shared with other processes are one island: those know what else connects them
static void join_shared(int* parent, const cairn_group* group, const cairn_exchange* exchange)
{
    int first = -1;
    for (int i = 0; exchange && i < exchange->count; i++) {
        int slot = exchange->bodies[i];
        if (!active(group, slot))
            continue;
        if (first >= 0)
            cairn_set_join(parent, first, slot);
        first = slot;
    }
}

static void mark_shared(cairn_group* group, const cairn_exchange* exchange)
{
    for (int i = 0; exchange && i < exchange->count; i++)
        if (active(group, exchange->bodies[i]))
            group->islands[group->island_of[exchange->bodies[i]]].shared = true;
}

static bool has_cone(const cairn_touch* touch)
{
    return touch->rows == 3 && touch->kind == CAIRN_FRICTION_CONE;
}

// numbers the islands and counts what belongs to each
static void count_members(cairn_group* group, const cairn_world* world, int* parent)
{
    int* island_of = group->island_of;
    for (int i = 0; i < world->body_count; i++) {
        island_of[i] = -1;
        if (!active(group, i))
            continue;
        int root = cairn_set_root(parent, i);
        if (root == i) {
            island_of[i] = group->count++;
            group->islands[island_of[i]] = (cairn_island){.cones = true};
        }
        island_of[i] = island_of[root];
        group->local[i] = group->islands[island_of[i]].body_count++;
    }

    for (int k = 0; k < world->link_count; k++) {
        const cairn_link* link = &world->links[k];
        if (cairn_link_active(world, link))
            group->islands[island_of[owner(group, link->a, link->b)]].link_count++;
    }
}

// the island of a contact that takes part, or NULL
static cairn_island* island_of_touch(const cairn_group* group, const cairn_touch* touch)
{
    int slot = owner(group, touch->a, touch->b);
    return slot < 0 || touch->gone ? NULL : &group->islands[group->island_of[slot]];
}

static void list_touches(cairn_group* group, const cairn_world* world)
{
    int touches = 0;

    for (int i = 0; i < group->count; i++)
        group->islands[i].touch_count = 0;
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        cairn_island* island = island_of_touch(group, touch);
        if (!island)
            continue;
        island->touch_count++;
        island->cones = island->cones && has_cone(touch);
        island->springy = island->springy || touch->restitution > 0.0;
        island->rolls |= touch->rolls;
        island->soft |= touch->soft;
        island->carries |= touch->carries;
        island->bouncy = island->bouncy || touch->restitution > 0.0 ||
                         (touch->rule == CAIRN_RULE_POINTS && touch->gap > 0.0);
    }

    // each island's contacts are a range of one list; then fill it
    for (int i = 0; i < group->count; i++) {
        group->islands[i].touch = touches;
        touches += group->islands[i].touch_count;
        group->islands[i].touch_count = 0;
    }

    for (int c = 0; c < world->touch_count; c++) {
        cairn_island* island = island_of_touch(group, &world->touches[c]);
        if (island)
            group->touches[island->touch + island->touch_count++] = c;
    }
}

static void list_members(cairn_group* group, const cairn_world* world)
{
    int bodies = 0, links = 0;
    const int* island_of = group->island_of;
    // each island's bodies and joints are ranges of one list each; then fill these
    for (int i = 0; i < group->count; i++) {
        cairn_island* island = &group->islands[i];
        island->body = bodies;
        island->link = links;
        bodies += island->body_count;
        links += island->link_count;
        island->plain = island->link_count == 0;
        island->link_count = 0;
    }

    for (int i = 0; i < world->body_count; i++)
        if (island_of[i] >= 0)
            group->bodies[group->islands[island_of[i]].body + group->local[i]] = i;

    for (int k = 0; k < world->link_count; k++) {
        const cairn_link* link = &world->links[k];
        if (!cairn_link_active(world, link))
            continue;
        cairn_island* island = &group->islands[island_of[owner(group, link->a, link->b)]];
        group->links[island->link + island->link_count++] = k;
    }
}

// room for the contacts, and for some that may come within the step
static void take_touches(cairn_group* group, const cairn_world* world, cairn_arena* arena)
{
    group->touch_room = world->touch_count + world->touch_count / 32;
    group->touches = CAIRN_TAKE(arena, int, group->touch_room);
}

cairn_status cairn_world_group(cairn_group* group, cairn_world* world)
{
    int pairs;
    cairn_arena* arena = &world->arena;
    *group = (cairn_group){0};

    int* parent = CAIRN_TAKE(arena, int, world->body_count);
    group->islands = CAIRN_TAKE(arena, cairn_island, world->body_count);
    group->bodies = CAIRN_TAKE(arena, int, world->body_count);
    group->local = CAIRN_TAKE(arena, int, world->body_count);
    group->island_of = CAIRN_TAKE(arena, int, world->body_count);

    // velocities at the start are kept only where something can change them
    cairn_broad_pairs(world->broad, &pairs);
    if (pairs > 0 || world->link_count > 0)
        group->start = CAIRN_TAKE(arena, cairn_vec3, 2 * (size_t)world->body_count);
    take_touches(group, world, arena);
    group->links = CAIRN_TAKE(arena, int, world->link_count);

    if (arena->failed)
        return CAIRN_NO_MEMORY;

    // join bodies into sets, number these as islands, and list what belongs to each
    join_all(parent, group, world);
    join_shared(parent, group, cairn_world_exchange(world));
    count_members(group, world, parent);
    mark_shared(group, cairn_world_exchange(world));
    list_members(group, world);
    list_touches(group, world);
    return CAIRN_OK;
}

cairn_status cairn_group_crowds(const cairn_group* group, cairn_world* world)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);

    if (world->touch_count == 0 || group->count == 0)
        return CAIRN_OK;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    int* parent = CAIRN_TAKE(&world->arena, int, group->count);
    bool* busy = CAIRN_TAKE_ZEROED(&world->arena, bool, group->count);
    if (world->arena.failed)
        return CAIRN_NO_MEMORY;

    // islands that close pairs connect: one with contacts may push the next one into a third
    for (int i = 0; i < group->count; i++)
        parent[i] = i;
    for (int i = 0; i < count; i++) {
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        if (active(group, a) && active(group, b))
            cairn_set_join(parent, group->island_of[a], group->island_of[b]);
    }

    // an island is crowded if its set has a moving island with contacts
    for (int i = 0; i < group->count; i++)
        if (group->islands[i].touch_count > 0 && !group->islands[i].rested)
            busy[cairn_set_root(parent, i)] = true;
    for (int i = 0; i < group->count; i++)
        group->islands[i].crowded = busy[cairn_set_root(parent, i)];

    cairn_arena_release(&world->arena, mark);
    return CAIRN_OK;
}

cairn_status cairn_group_touches(cairn_group* group, cairn_world* world)
{
    if (world->touch_count > group->touch_room)
        take_touches(group, world, &world->keep);
    if (!group->touches)
        return CAIRN_NO_MEMORY;
    list_touches(group, world);
    return CAIRN_OK;
}

// a body whose island this one goes on as: of those that met, the one that other processes share
static int heir_of(const cairn_group* group, const cairn_island* island, const cairn_world* world)
{
    const cairn_exchange* exchange = cairn_world_exchange(world);
    for (int i = 0; island->shared && i < exchange->count; i++)
        if (active(group, exchange->bodies[i]))
            return exchange->bodies[i];
    return group->bodies[island->body];
}

cairn_status cairn_group_again(cairn_group* group, cairn_world* world)
{
    cairn_group old = *group;

    cairn_status status = cairn_world_group(group, world);
    if (status != CAIRN_OK)
        return status;

    group->renewed = old.renewed;
    group->changed = old.changed;
    group->start = old.start;
    group->from = old.from;
    group->lags = old.lags;
    group->behind = old.behind;
    group->marched = old.marched;
    group->ahead = old.ahead;

    // an island that met no other is as it was
    for (int i = 0; i < group->count; i++) {
        cairn_island* island = &group->islands[i];
        const cairn_island* before = &old.islands[old.island_of[heir_of(group, island, world)]];
        island->rested = before->rested;
        island->everywhere = before->everywhere;
        island->slow = before->slow;
        island->moving = before->moving;
        island->tired = before->tired;
        island->advanced = before->advanced;
        island->deferred = before->deferred;
        island->lost = before->lost;
        island->far = before->far;
        island->pack = before->pack;
        island->march = before->march;

        // when an island has split, one part inherits its memory
        bool heir = group->bodies[island->body] == old.bodies[before->body];
        island->spare = heir ? before->spare : NULL;
        island->old_march = heir ? before->old_march : NULL;
    }

    return cairn_reports_regroup(group, &old, world);
}
