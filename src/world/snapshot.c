// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Snapshots: a deep copy of everything that decides how a world goes on. Scratch memory, the
// solvers' workspace (which remembers patterns that follow from the problem alone) and the hooks
// stay with the world. A restore builds its copy first and changes the world only when that is
// complete.

#include "world/snapshot.h"
#include "math/accept.h"
#include "math/array.h"

void cairn_world_release_state(cairn_world* world)
{
    if (world->broad)
        cairn_broad_destroy(world->broad);
    for (int i = 0; world->pairs && i < world->pair_capacity; i++)
        cairn_contacts_destroy(&world->pairs[i].contacts);

    free(world->pairs);
    free(world->bodies);
    free(world->proxy_body);
    free(world->links);
    free(world->touches);
    free(world->lines);
    free(world->slept);
    free(world->contacts);
    free(world->island_reports);
    free(world->begun.items);
    free(world->ended.items);
    free(world->begins.items);
    free(world->ends.items);

    cairn_alerts_destroy(world->alerts);
}

// close pairs with their manifolds
static bool copy_pairs(cairn_world* to, const cairn_world* from)
{
    to->pairs =
        CAIRN_COPY_ARRAY(from->pairs, cairn_pair_state, from->pair_capacity, from->pair_capacity);
    if (!to->pairs)
        return false;

    bool done = true;
    for (int i = 0; i < from->pair_capacity; i++) {
        cairn_contacts* contacts = &to->pairs[i].contacts;
        *contacts = (cairn_contacts){0};
        if (from->pairs[i].contacts.capacity > 0 && done)
            done = cairn_contacts_copy(&from->pairs[i].contacts, contacts) == CAIRN_OK;
    }

    return done;
}

static bool copy_touches(cairn_world* to, const cairn_world* from)
{
    int count = from->touch_count, capacity = from->touch_capacity;
    to->touches = CAIRN_COPY_ARRAY(from->touches, cairn_touch, count, capacity);
    to->slept = CAIRN_COPY_ARRAY(from->slept, cairn_touch, from->slept_count, from->slept_capacity);
    to->contacts = CAIRN_COPY_ARRAY(from->contacts, cairn_contact, from->slept_count + count,
                                    from->contact_capacity);
    return to->touches && to->slept && to->contacts;
}

static bool copy_events(cairn_event_list* to, const cairn_event_list* from)
{
    to->items = CAIRN_COPY_ARRAY(from->items, cairn_contact_event, from->count, from->capacity);
    return to->items != NULL;
}

static bool copy_state(cairn_world* to, const cairn_world* from)
{
    *to = *from;

    // what belongs to a world and not to its state: workspace, threads, hooks and scratch
    to->workspace = NULL;
    to->crew = NULL;
    to->strays = NULL;
    to->linkages = NULL;
    to->solve_hook = NULL;
    to->solve_context = NULL;
    to->pair_hook = NULL;
    to->pair_context = NULL;
    to->contact_hook = NULL;
    to->contact_context = NULL;
    to->material_hook = NULL;
    to->material_context = NULL;
    to->task_hook = NULL;
    to->task_context = NULL;
    to->alerts = NULL;

    to->arena = to->keep = (cairn_arena){0};
    to->pairs = NULL;
    to->touches = to->slept = NULL;
    to->lines = NULL;
    to->line_count = to->line_capacity = 0;
    to->warmth = NULL;
    to->contacts = NULL;
    to->island_reports = to->told = NULL;
    to->begun.items = to->ended.items = NULL;
    to->begins = to->ends = (cairn_event_list){0};
    to->undo = (cairn_undo){0};

    to->broad = cairn_broad_copy(from->broad);
    to->bodies = CAIRN_COPY_ARRAY(from->bodies, cairn_body, from->body_count, from->body_capacity);
    to->proxy_body =
        CAIRN_COPY_ARRAY(from->proxy_body, int, from->proxy_capacity, from->proxy_capacity);
    to->island_reports = CAIRN_COPY_ARRAY(from->island_reports, cairn_island_report,
                                          from->island_count, from->island_capacity);
    to->links = CAIRN_COPY_ARRAY(from->links, cairn_link, from->link_count, from->link_capacity);

    bool done = to->island_reports && to->broad && to->bodies && to->proxy_body && to->links;
    done = done && copy_touches(to, from) && copy_pairs(to, from) &&
           copy_events(&to->begun, &from->begun) && copy_events(&to->ended, &from->ended) &&
           cairn_alerts_copy(&to->alerts, from->alerts);

    if (!done)
        cairn_world_release_state(to);
    return done;
}

cairn_status cairn_world_snapshot(const cairn_world* world, cairn_snapshot** snapshot,
                                  cairn_error* error)
{
    cairn_status status = cairn_world_may_ask(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!snapshot)
        return cairn_refuse_null(error, "the place for the snapshot");

    cairn_snapshot* out = malloc(sizeof *out);
    if (!out || !copy_state(&out->state, world)) {
        free(out);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a snapshot of %d bodies",
                          world->body_count);
    }

    *snapshot = out;
    return CAIRN_OK;
}

cairn_status cairn_world_restore(cairn_world* world, const cairn_snapshot* snapshot,
                                 cairn_error* error)
{
    cairn_world copy;
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!snapshot)
        return cairn_refuse_null(error, "the snapshot");

    if (!copy_state(&copy, &snapshot->state))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to restore a snapshot of %d bodies",
                          snapshot->state.body_count);

    // the copy takes over what belongs to the world
    copy.def.threads = world->def.threads;
    if (copy.tuning.cookie == 0)
        copy.tuning = world->tuning; // bytes have none
    copy.arena = world->arena;
    copy.keep = world->keep;
    copy.undo = world->undo;
    copy.workspace = world->workspace;
    copy.crew = world->crew;
    copy.strays = world->strays;
    copy.version = world->version + 1;
    copy.linkages = world->linkages;

    copy.solve_hook = world->solve_hook;
    copy.solve_context = world->solve_context;
    copy.pair_hook = world->pair_hook;
    copy.pair_context = world->pair_context;
    copy.contact_hook = world->contact_hook;
    copy.contact_context = world->contact_context;
    copy.material_hook = world->material_hook;
    copy.material_context = world->material_context;
    copy.task_hook = world->task_hook;
    copy.task_context = world->task_context;

    cairn_world_release_state(world);
    *world = copy;
    return CAIRN_OK;
}

void cairn_snapshot_destroy(cairn_snapshot* snapshot)
{
    if (!snapshot)
        return;
    cairn_world_release_state(&snapshot->state);
    free(snapshot);
}
