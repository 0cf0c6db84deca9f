// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A function for each island of a step, on all threads: small islands beside each other, a large
// one with all threads inside it.

#include "world/step/lean.h"
#include "world/step/step.h"
#include "world/threads.h"

typedef struct island_task {
    cairn_island_function function;
    const cairn_span* span;
} island_task;

cairn_crew* cairn_span_crew(const cairn_span* span)
{
    return span->threads > 1 ? cairn_world_crew(span->world) : NULL;
}

void cairn_span_loop(const cairn_span* span, cairn_loop_body body, void* context, int count,
                     int share)
{
    if (span->threads > 1)
        cairn_world_loop(span->world, body, context, count, share);
    else if (count > 0)
        body(context, 0, count);
}

// an island with most of the contacts: threads help more inside it than beside it
static bool is_large(const cairn_span* span, const cairn_island* island)
{
    return 2 * island->touch_count > span->world->touch_count;
}

static cairn_status call_island(const island_task* task, cairn_span* own, int i)
{
    own->island = &own->group->islands[i];
    if (own->island->rested || own->island->advanced)
        return CAIRN_OK;

    // what the island costs at least is counted before the call
    enum { operations = 4, rows_per_joint = 6 };
    const cairn_island* island = own->island;
    cairn_world_spend(own->world, operations * (island->body_count + island->touch_count +
                                                rows_per_joint * island->link_count));

    cairn_arena_mark mark = cairn_arena_here(own->arena);
    cairn_status status = cairn_world_poll(own->world);
    if (status == CAIRN_OK)
        status = task->function(own);
    cairn_arena_release(own->arena, mark);

    // numerical trouble is never a status; a rest pass that did not succeed and the position pass
    // of contacts have changed no velocity
    bool refused = status == CAIRN_BAD_INPUT;
    bool moved = task->function == cairn_island_stabilize || task->function == cairn_island_lean ||
                 own->island->advanced;
    bool solved = task->function == cairn_island_rest   ? own->island->rested
                  : task->function == cairn_island_lean ? true
                  : moved                               ? own->island->link_count > 0
                                                        : task->function != cairn_island_advance;

    if (own->island->shared)
        return status; // who shares it would wait for this process: a fault ends them all

    // an island that is no longer finite is lost; the step goes on without it
    if (refused || (status == CAIRN_OK && solved && !cairn_island_is_finite(own)) ||
        (status == CAIRN_OK && moved && !cairn_island_is_placed(own)))
        cairn_island_lose(own);
    return refused ? CAIRN_OK : status;
}

// an island in which the threads of a host work, who gives them once for all that is done in it
typedef struct led_island {
    const island_task* task;
    cairn_span* span;
    int island;
    cairn_status status;
} led_island;

static void lead_island(void* context)
{
    led_island* own = context;
    own->status = call_island(own->task, own->span, own->island);
}

// an island by itself
static cairn_status call_alone(const island_task* task, cairn_span* span, int i)
{
    led_island own = {task, span, i, CAIRN_OK};
    bool large = is_large(span, &span->group->islands[i]) && !span->world->solve_hook;
    cairn_team_lead(large ? cairn_crew_team(cairn_span_crew(span)) : NULL, lead_island, &own);
    return own.status;
}

static cairn_status share_island(void* context, cairn_worker* worker, int i)
{
    const island_task* task = context;
    cairn_span own = *task->span;
    if (is_large(&own, &own.group->islands[i]))
        return CAIRN_OK;
    own.arena = &worker->arena;
    own.keep = &worker->keep;
    own.workspace = worker->workspace;
    own.error = &worker->error;
    own.threads = 1;
    return call_island(task, &own, i);
}

// the crew, when there is enough to do for it; a solve hook is called on one thread
static cairn_crew* crew_for(const cairn_span* span)
{
    enum { least_work = 64 };
    cairn_world* world = span->world;
    bool enough = world->touch_count + world->link_count >= least_work && span->group->count > 1;
    return enough && !world->solve_hook ? cairn_world_crew(world) : NULL;
}

cairn_status cairn_group_each(cairn_island_function function, cairn_span* span, bool forces)
{
    cairn_world* world = span->world;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    double* free = forces ? CAIRN_TAKE(&world->arena, double, 6 * (size_t)world->body_count) : NULL;
    if (world->arena.failed)
        return CAIRN_NO_MEMORY;
    if (forces)
        cairn_span_free_velocities(free, span);
    span->free = free;
    cairn_status status = CAIRN_OK;
    cairn_crew* crew = crew_for(span);
    island_task task = {function, span};
    for (int i = 0; i < span->group->count && status == CAIRN_OK; i++)
        if (!crew || is_large(span, &span->group->islands[i]))
            status = call_alone(&task, span, i);
    if (crew && status == CAIRN_OK)
        status =
            cairn_crew_run(crew, share_island, &task, span->group->count, 4, false, span->error);
    cairn_arena_release(&world->arena, mark);
    return status;
}
