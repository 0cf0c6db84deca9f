// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Threads of a world; see threads.h.

#include "world/threads.h"
#include "math/system.h"
#include "world/step/undo.h"
#include <stdatomic.h>
#include <stdlib.h>

struct cairn_crew {
    cairn_team* team;
    int count;
    cairn_worker* workers;
    cairn_lock mutex;
    // the run under way
    cairn_crew_task task;
    void* context;
    int item_count, share;
    atomic_int next;
    atomic_int entered; // workers that have got items
    int failed_item;    // the first, or item_count
    cairn_status status;
    cairn_error error;
};

void cairn_crew_destroy(cairn_crew* crew)
{
    if (!crew)
        return;

    cairn_team_stop(crew->team);

    for (int i = 0; i < crew->count; i++) {
        cairn_arena_destroy(&crew->workers[i].arena);
        cairn_arena_destroy(&crew->workers[i].keep);
        cairn_undo_log_destroy(&crew->workers[i].log);
        if (i > 0)
            cairn_workspace_destroy(crew->workers[i].workspace);
    }

    cairn_lock_destroy(&crew->mutex);
    free(crew->workers);
    free(crew);
}

// the first worker shares the solvers' workspace of the world, which rests while the crew is at
// work
static cairn_crew* make_crew(const cairn_world* world)
{
    int threads = world->def.threads;

    cairn_crew* crew = calloc(1, sizeof *crew);
    if (!crew)
        return NULL;

    cairn_lock_init(&crew->mutex);
    crew->team = world->task_hook
                     ? cairn_team_of_host(threads, world->task_hook, world->task_context)
                     : cairn_team_start(threads);

    // a crew of one thread is none
    int members = crew->team ? cairn_team_count(crew->team) : 0;
    crew->workers = members > 1 ? calloc((size_t)members, sizeof *crew->workers) : NULL;
    bool done = crew->workers != NULL;

    for (int i = 0; i < members && done; i++) {
        crew->workers[i].workspace = i == 0 ? world->workspace : cairn_workspace_create();
        crew->count++;
        done = crew->workers[i].workspace != NULL;
    }

    if (done)
        return crew;
    cairn_crew_destroy(crew);
    return NULL;
}

cairn_crew* cairn_world_crew(cairn_world* world)
{
    if (!world->crew && world->def.threads > 1)
        world->crew = make_crew(world);
    return world->crew;
}

cairn_status cairn_world_set_task_hook(cairn_world* world, cairn_task_hook hook, void* context,
                                       cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_crew_destroy(world->crew); // the next step makes another
    world->crew = NULL;
    world->task_hook = hook;
    world->task_context = context;
    return CAIRN_OK;
}

void cairn_crew_reset(cairn_crew* crew)
{
    for (int i = 0; crew && i < crew->count; i++) {
        cairn_arena_reset(&crew->workers[i].arena);
        cairn_arena_reset(&crew->workers[i].keep);
    }
}

void cairn_crew_fit(cairn_crew* crew)
{
    for (int i = 0; crew && i < crew->count; i++) {
        cairn_arena_fit(&crew->workers[i].arena);
        cairn_arena_fit(&crew->workers[i].keep);
        if (i > 0)
            cairn_workspace_fit(crew->workers[i].workspace);
    }
}

size_t cairn_crew_memory(const cairn_crew* crew)
{
    size_t bytes = crew ? sizeof *crew : 0;
    for (int i = 0; crew && i < crew->count; i++)
        bytes += sizeof(cairn_worker) + cairn_arena_memory(&crew->workers[i].arena) +
                 cairn_arena_memory(&crew->workers[i].keep) +
                 cairn_undo_log_memory(&crew->workers[i].log) +
                 (i > 0 ? cairn_workspace_memory(crew->workers[i].workspace) : 0);
    return bytes;
}

cairn_undo_log* cairn_crew_log(cairn_crew* crew, int i)
{
    return crew && i < crew->count ? &crew->workers[i].log : NULL;
}

cairn_team* cairn_crew_team(cairn_crew* crew)
{
    return crew ? crew->team : NULL;
}

void cairn_crew_lock(cairn_crew* crew)
{
    if (crew)
        cairn_lock_acquire(&crew->mutex);
}

void cairn_crew_unlock(cairn_crew* crew)
{
    if (crew)
        cairn_lock_release(&crew->mutex);
}

// ---------------------------------------------------------------- a run

static void note_failure(cairn_crew* crew, const cairn_worker* worker, int item,
                         cairn_status status)
{
    cairn_crew_lock(crew);
    if (item < crew->failed_item) {
        crew->failed_item = item;
        crew->status = status;
        crew->error = worker->error;
    }
    cairn_crew_unlock(crew);
}

// A thread that gets items takes the next worker, whichever thread that was last time: few items
// fill the scratch memory of few workers.
static void work(void* context, int rank)
{
    cairn_crew* crew = context;
    cairn_worker* worker = NULL;
    (void)rank;
    for (;;) {
        int begin = atomic_fetch_add_explicit(&crew->next, crew->share, memory_order_relaxed);
        if (begin >= crew->item_count)
            return;
        if (!worker)
            worker = &crew->workers[atomic_fetch_add(&crew->entered, 1)];

        int end = begin + crew->share < crew->item_count ? begin + crew->share : crew->item_count;
        for (int i = begin; i < end; i++) {
            cairn_status status = crew->task(crew->context, worker, i);
            if (status != CAIRN_OK)
                note_failure(crew, worker, i, status);
        }
    }
}

cairn_status cairn_crew_run(cairn_crew* crew, cairn_crew_task task, void* context, int count,
                            int share, cairn_error* error)
{
    crew->task = task;
    crew->context = context;
    crew->item_count = crew->failed_item = count;
    crew->share = share;
    crew->status = CAIRN_OK;
    atomic_store_explicit(&crew->next, 0, memory_order_relaxed);
    atomic_store_explicit(&crew->entered, 0, memory_order_relaxed);
    cairn_team_run(crew->team, work, crew);
    if (crew->status != CAIRN_OK && error)
        *error = crew->error;
    return crew->status;
}
