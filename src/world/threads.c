// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Threads of a world; see threads.h.

#include "world/threads.h"
#include "math/system.h"
#include "world/step/undo.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct cairn_crew {
    cairn_team* team;
    int count;
    cairn_worker* workers;
    cairn_lock mutex;
    // the run under way
    cairn_crew_task task;
    void* context;
    int item_count, share;
    atomic_int entered; // workers that have got items
    int failed_item;    // the first, or item_count
    cairn_status status;
    cairn_error error;
    int worker_of[]; // of each member of the team, plus 1; 0: it has got none yet
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

    cairn_crew* crew = calloc(1, sizeof *crew + (size_t)threads * sizeof *crew->worker_of);
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
    size_t bytes = crew ? sizeof *crew + (size_t)crew->count * sizeof *crew->worker_of : 0;
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

// Some items, by a member of the team. Who gets items takes the next worker, whoever had it the last
// time: few items fill the scratch memory of few workers.
static void work(void* context, int rank, int part)
{
    cairn_crew* crew = context;
    if (crew->worker_of[rank] == 0)
        crew->worker_of[rank] = atomic_fetch_add(&crew->entered, 1) + 1;
    cairn_worker* worker = &crew->workers[crew->worker_of[rank] - 1];

    int begin = part * crew->share, end = begin + crew->share;
    for (int i = begin; i < end && i < crew->item_count; i++) {
        cairn_status status = crew->task(crew->context, worker, i);
        if (status != CAIRN_OK)
            note_failure(crew, worker, i, status);
    }
}

cairn_status cairn_crew_run(cairn_crew* crew, cairn_crew_task task, void* context, int count,
                            int share, bool brief, cairn_error* error)
{
    int least = count / cairn_most_items + 1;
    share = share > least ? share : least;
    crew->task = task;
    crew->context = context;
    crew->item_count = crew->failed_item = count;
    crew->share = share;
    crew->status = CAIRN_OK;
    atomic_store_explicit(&crew->entered, 0, memory_order_relaxed);
    memset(crew->worker_of, 0, (size_t)crew->count * sizeof *crew->worker_of);
    if (brief)
        cairn_team_each_brief(crew->team, work, crew, (count + share - 1) / share);
    else
        cairn_team_each(crew->team, work, crew, (count + share - 1) / share);
    if (crew->status != CAIRN_OK && error)
        *error = crew->error;
    return crew->status;
}

// ---------------------------------------------------------------- a loop

typedef struct loop {
    cairn_loop_body body;
    void* context;
    int count, share;
} loop;

static void do_part(void* context, int rank, int part)
{
    const loop* own = context;
    int first = part * own->share, end = first + own->share;
    (void)rank;
    own->body(own->context, first, end < own->count ? end : own->count);
}

void cairn_world_loop(cairn_world* world, cairn_loop_body body, void* context, int count, int share)
{
    int least = count / cairn_most_items + 1;
    loop own = {body, context, count, share > least ? share : least};
    cairn_crew* crew = count > own.share ? cairn_world_crew(world) : NULL;
    if (crew)
        cairn_team_each_brief(crew->team, do_part, &own, (count + own.share - 1) / own.share);
    else if (count > 0)
        body(context, 0, count);
}
