// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How much memory a world holds: the state that it goes on from, and scratch, which it could make
// afresh in every step.

#include "math/array.h"
#include "world/alerts.h"
#include "world/query.h"
#include "world/step/undo.h"
#include "world/threads.h"

static size_t pair_memory(const cairn_world* world)
{
    size_t bytes = (size_t)world->pair_capacity * sizeof(cairn_pair_state);
    for (int i = 0; i < world->pair_capacity; i++)
        bytes += cairn_contacts_memory(&world->pairs[i].contacts);
    return bytes;
}

static size_t contact_memory(const cairn_world* world)
{
    int events = world->begun.capacity + world->ended.capacity + world->begins.capacity +
                 world->ends.capacity;
    return (size_t)(world->touch_capacity + world->slept_capacity) * sizeof(cairn_touch) +
           (size_t)world->contact_capacity * sizeof(cairn_contact) +
           (size_t)events * sizeof(cairn_contact_event);
}

size_t cairn_world_memory(const cairn_world* world, size_t* scratch)
{
    if (!world)
        return 0;

    size_t state = sizeof *world + (size_t)world->body_capacity * sizeof(cairn_body) +
                   (size_t)world->link_capacity * sizeof(cairn_link) +
                   (size_t)world->proxy_capacity * sizeof(int) + pair_memory(world) +
                   contact_memory(world) + cairn_broad_memory(world->broad) +
                   cairn_alerts_memory(world->alerts);

    size_t rest = (size_t)world->island_capacity * sizeof(cairn_island_report) +
                  sizeof *world->strays + (size_t)world->strays->capacity * sizeof(int) +
                  cairn_linkages_memory(world->linkages) + cairn_arena_memory(&world->arena) +
                  cairn_arena_memory(&world->keep) + cairn_arena_memory(&world->undo.arena) +
                  cairn_undo_log_memory(&world->undo.log) +
                  cairn_workspace_memory(world->workspace) + cairn_crew_memory(world->crew);

    if (scratch)
        *scratch = rest;
    return state + rest;
}

// ---------------------------------------------------------------- giving back

// What twelve steps have not needed is given back. Where memory grew again between two looks, and
// between the two looks before, it would be asked for again and again: each two times more that it
// grew than that it did not double the patience.
enum { first_patience = 12, most_doublings = 3 };

static void keep_most(int* most, int count)
{
    *most = count > *most ? count : *most;
}

// counts what the world holds now as needed
static void look(cairn_world* world)
{
    cairn_need* need = &world->need;
    int pairs;
    cairn_broad_pairs(world->broad, &pairs);
    keep_most(&need->pairs, pairs);
    keep_most(&need->touches, world->touch_count);
    keep_most(&need->slept, world->slept_count);
    keep_most(&need->contacts, world->slept_count + world->touch_count);
    keep_most(&need->begun, world->begun.count);
    keep_most(&need->ended, world->ended.count);
    keep_most(&need->islands, world->island_count);
}

void cairn_world_count_need(cairn_world* world)
{
    look(world);
    world->need.steps++;
}

// Ended pairs leave holes in the array, with memory for manifolds, which new pairs take over. Where
// there are many holes the array is packed.
static void fit_pairs(cairn_world* world)
{
    int count, room = cairn_array_room(world->need.pairs);

    const cairn_pair* close = cairn_broad_pairs(world->broad, &count);
    int least = 0; // two spheres remember nothing

    for (int i = 0; i < count; i++) {
        cairn_contacts* contacts = &world->pairs[close[i].slot].contacts;
        least = contacts->capacity > 0 ? 1 : least;
        cairn_contacts_fit(contacts, contacts->capacity > 0 ? 1 : 0);
    }

    if (world->pair_capacity <= cairn_array_room(room))
        return;

    cairn_pair_state* pairs = CAIRN_COPY_ARRAY(NULL, cairn_pair_state, 0, room);
    if (!pairs)
        return;
    memset(pairs, 0, (size_t)room * sizeof *pairs);

    // close ranks: the pairs in use move to the front with their manifolds
    for (int i = 0; i < count; i++) {
        pairs[i] = world->pairs[close[i].slot];
        world->pairs[close[i].slot].contacts = (cairn_contacts){0};
    }

    for (int i = 0; i < world->pair_capacity; i++)
        cairn_contacts_destroy(&world->pairs[i].contacts);
    for (int i = count; i < room; i++)
        cairn_contacts_fit(&pairs[i].contacts, least);

    free(world->pairs);
    world->pairs = pairs;
    world->pair_capacity = room;
    cairn_broad_renumber(world->broad);
}

static void fit_lists(cairn_world* world)
{
    const cairn_need* need = &world->need;

    // bodies and joints grow by calls of the user alone, not by steps
    CAIRN_SHRINK_ARRAY(world->bodies, world->body_capacity, world->body_count);
    CAIRN_SHRINK_ARRAY(world->links, world->link_capacity, world->link_count);

    CAIRN_FIT_ARRAY(world->touches, world->touch_capacity, need->touches);
    CAIRN_FIT_ARRAY(world->slept, world->slept_capacity, need->slept);
    CAIRN_FIT_ARRAY(world->contacts, world->contact_capacity, need->contacts);
    CAIRN_FIT_ARRAY(world->begun.items, world->begun.capacity, need->begun);
    CAIRN_FIT_ARRAY(world->ended.items, world->ended.capacity, need->ended);
    CAIRN_FIT_ARRAY(world->begins.items, world->begins.capacity, need->begun);
    CAIRN_FIT_ARRAY(world->ends.items, world->ends.capacity, need->ended);
    CAIRN_FIT_ARRAY(world->island_reports, world->island_capacity, need->islands);
}

void cairn_world_trim(cairn_world* world)
{
    cairn_need* need = &world->need;
    if (need->steps < first_patience << (need->growths / 2))
        return;

    look(world);

    bool grown = need->held > 0 && cairn_world_memory(world, NULL) > need->held;
    int growths = need->growths + (grown ? 1 : -1);
    growths = growths < 0 ? 0 : growths > 2 * most_doublings ? 2 * most_doublings : growths;

    fit_pairs(world);
    fit_lists(world);
    cairn_broad_fit(world->broad);
    cairn_arena_fit(&world->arena);
    cairn_arena_fit(&world->keep);
    cairn_arena_fit(&world->undo.arena);
    cairn_workspace_fit(world->workspace);
    cairn_crew_fit(world->crew);

    *need = (cairn_need){.growths = growths, .held = cairn_world_memory(world, NULL)};
}
