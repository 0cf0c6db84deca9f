// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands by union and find: contacts and joints between two active bodies join their sets. The
// root of a set is its lowest slot, so islands come in the order of their first bodies and the
// grouping depends on nothing but the state of the world.

#include "world/island.h"

static int root_of(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(int* parent, int a, int b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// places are -1 for bodies that are not active
static bool active(const cairn_group* group, int slot)
{
    return slot != CAIRN_WORLD && group->local[slot] >= 0;
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
        group->local[i] = cairn_body_active(&world->bodies[i]) ? 0 : -1;
    }
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        if (active(group, touch->a) && active(group, touch->b))
            join(parent, touch->a, touch->b);
    }
    for (int k = 0; k < world->link_count; k++) {
        const cairn_link* link = &world->links[k];
        if (cairn_link_active(world, link) && active(group, link->a) && active(group, link->b))
            join(parent, link->a, link->b);
    }
}

static bool plain_touch(const cairn_touch* touch)
{
    return touch->rows == 3 && touch->kind == CAIRN_CONE;
}

// numbers the islands and counts what belongs to each; island_of holds the islands of slots after
static void count_members(cairn_group* group, const cairn_world* world, int* parent, int* island_of)
{
    for (int i = 0; i < world->body_count; i++) {
        island_of[i] = -1;
        if (!active(group, i))
            continue;
        int root = root_of(parent, i);
        if (root == i) {
            island_of[i] = group->count++;
            group->islands[island_of[i]] = (cairn_island){.plain = true};
        }
        island_of[i] = island_of[root];
        group->local[i] = group->islands[island_of[i]].body_count++;
    }
    for (int c = 0; c < world->touch_count; c++) {
        int slot = owner(group, world->touches[c].a, world->touches[c].b);
        if (slot < 0)
            continue;
        cairn_island* island = &group->islands[island_of[slot]];
        island->touch_count++;
        island->plain = island->plain && plain_touch(&world->touches[c]);
        island->bouncy = island->bouncy || world->touches[c].restitution > 0.0;
    }
    for (int k = 0; k < world->link_count; k++) {
        const cairn_link* link = &world->links[k];
        if (cairn_link_active(world, link))
            group->islands[island_of[owner(group, link->a, link->b)]].link_count++;
    }
}

static void list_members(cairn_group* group, const cairn_world* world, const int* island_of)
{
    int bodies = 0, touches = 0, links = 0;
    for (int i = 0; i < group->count; i++) {
        cairn_island* island = &group->islands[i];
        island->body = bodies;
        island->touch = touches;
        island->link = links;
        bodies += island->body_count;
        touches += island->touch_count;
        links += island->link_count;
        island->plain = island->plain && island->link_count == 0;
        island->touch_count = island->link_count = 0;
    }
    for (int i = 0; i < world->body_count; i++)
        if (island_of[i] >= 0)
            group->bodies[group->islands[island_of[i]].body + group->local[i]] = i;
    for (int c = 0; c < world->touch_count; c++) {
        int slot = owner(group, world->touches[c].a, world->touches[c].b);
        if (slot < 0)
            continue;
        cairn_island* island = &group->islands[island_of[slot]];
        group->touches[island->touch + island->touch_count++] = c;
    }
    for (int k = 0; k < world->link_count; k++) {
        const cairn_link* link = &world->links[k];
        if (!cairn_link_active(world, link))
            continue;
        cairn_island* island = &group->islands[island_of[owner(group, link->a, link->b)]];
        group->links[island->link + island->link_count++] = k;
    }
}

cairn_status cairn_world_group(cairn_group* group, cairn_world* world)
{
    cairn_arena* arena = &world->arena;
    *group = (cairn_group){0};
    int* parent = CAIRN_TAKE(arena, int, world->body_count);
    int* island_of = CAIRN_TAKE(arena, int, world->body_count);
    group->islands = CAIRN_TAKE(arena, cairn_island, world->body_count);
    group->bodies = CAIRN_TAKE(arena, int, world->body_count);
    group->local = CAIRN_TAKE(arena, int, world->body_count);
    group->touches = CAIRN_TAKE(arena, int, world->touch_count);
    group->links = CAIRN_TAKE(arena, int, world->link_count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    join_all(parent, group, world);
    count_members(group, world, parent, island_of);
    list_members(group, world, island_of);
    return CAIRN_OK;
}
