// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How much memory a world holds: the state that it goes on from, and scratch, which it could make
// afresh in every step.

#include "world/crew.h"
#include "world/query.h"

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
