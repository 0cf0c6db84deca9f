// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How much memory a world holds: the state that it goes on from, and scratch, which it could make
// afresh in every step.

#include "world/crew.h"
#include "world/query.h"
#include <string.h>

static size_t pair_memory(const cairn_world* world)
{
    size_t bytes = (size_t)world->pair_capacity * sizeof(cairn_pair_state);
    for (int i = 0; i < world->pair_capacity; i++)
        bytes += (size_t)world->pairs[i].contacts.capacity *
                 (sizeof(cairn_manifold) + sizeof(cairn_pair_cache));
    return bytes;
}

static size_t contact_memory(const cairn_world* world)
{
    int events = world->begun.capacity + world->ended.capacity;
    return (size_t)(world->touch_capacity + world->slept_capacity) * sizeof(cairn_touch) +
           (size_t)world->warmth_capacity * sizeof(cairn_warmth) +
           (size_t)world->contact_capacity * sizeof(cairn_contact) +
           (size_t)events * sizeof(cairn_contact_event);
}

size_t cairn_world_memory(const cairn_world* world, size_t* scratch)
{
    size_t state = sizeof *world + (size_t)world->body_capacity * sizeof(cairn_body) +
                   (size_t)world->link_capacity * sizeof(cairn_link) +
                   (size_t)world->proxy_capacity * sizeof(int) + pair_memory(world) +
                   contact_memory(world) + cairn_broad_memory(world->broad);
    size_t rest = (size_t)world->island_capacity * sizeof(cairn_island_report) +
                  sizeof *world->strays + (size_t)world->strays->capacity * sizeof(int) +
                  cairn_linkages_memory(world->linkages) + cairn_arena_memory(&world->arena) +
                  cairn_arena_memory(&world->keep) + cairn_workspace_memory(world->workspace) +
                  cairn_crew_memory(world->crew);
    if (scratch)
        *scratch = rest;
    return state + rest;
}

// ---------------------------------------------------------------- giving back

// What twelve steps have not needed is given back. Where exact solves come and go that would be
// asked for again and again: every time doubles the patience.
enum { first_patience = 12, most_doublings = 12, least_gain = 1 << 17 };

void cairn_world_count_need(cairn_world* world)
{
    static const char* const without[] = {"none", "rest", "newton", "sweeps"};
    if (world->arena.peak > world->arena_need)
        world->arena_need = world->arena.peak;
    if (world->keep.peak > world->keep_need)
        world->keep_need = world->keep.peak;
    for (int i = 0; i < world->island_count && !world->solver_needed; i++) {
        bool needed = true;
        for (int k = 0; k < 4 && needed; k++)
            needed = strcmp(world->island_reports[i].method, without[k]) != 0;
        world->solver_needed = needed;
    }
    world->steps_counted++;
}

static bool shrink(cairn_arena* arena, size_t need)
{
    if (cairn_arena_memory(arena) < 2 * need + least_gain)
        return false;
    cairn_arena_destroy(arena);
    cairn_arena_take(arena, need + need / 8);
    return true;
}

static bool empty_workspace(cairn_world* world)
{
    if (world->solver_needed || cairn_workspace_memory(world->workspace) < least_gain)
        return false;
    cairn_workspace* empty = cairn_workspace_create();
    if (!empty)
        return false;
    cairn_workspace_destroy(world->workspace);
    world->workspace = empty;
    return true;
}

void cairn_world_trim(cairn_world* world)
{
    if (world->steps_counted < (first_patience << world->given_back))
        return;
    bool arena = shrink(&world->arena, world->arena_need);
    bool keep = shrink(&world->keep, world->keep_need);
    bool workspace = empty_workspace(world);
    if ((arena || keep || workspace) && world->given_back < most_doublings)
        world->given_back++;
    world->arena_need = world->keep_need = 0;
    world->steps_counted = 0;
    world->solver_needed = false;
}
