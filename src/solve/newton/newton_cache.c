// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plans that a workspace keeps between solves. `auto` solves one island after the other with
// the same workspace, so there are several: up to 16, and no more than 64 MB of them beside the
// one in use. The one that was not used for longest makes room.

#include "solve/newton/newton_plan.h"
#include <stdlib.h>

enum { slots = 16 };

static const size_t most_bytes = (size_t)64 << 20;

typedef struct kept_plan {
    cairn_arena arena;
    cairn_newton_key key; // length 0: no plan
    cairn_newton_plan plan;
    unsigned long used; // when, counted in searches
} kept_plan;

typedef struct kept_plans {
    cairn_kept base;
    kept_plan slot[slots];
    unsigned long searches;
    unsigned long fitted; // searches before the last fit
} kept_plans;

static void destroy_plans(cairn_kept* base)
{
    kept_plans* kept = (kept_plans*)base;
    for (int i = 0; i < slots; i++)
        cairn_arena_destroy(&kept->slot[i].arena);
    free(kept);
}

static size_t plans_memory(const cairn_kept* base)
{
    const kept_plans* kept = (const kept_plans*)base;
    size_t sum = sizeof *kept;
    for (int i = 0; i < slots; i++)
        sum += cairn_arena_memory(&kept->slot[i].arena);
    return sum;
}

static void empty_slot(kept_plan* own)
{
    cairn_arena_destroy(&own->arena);
    *own = (kept_plan){0};
}

static bool forget_unused(cairn_kept* base)
{
    kept_plans* kept = (kept_plans*)base;
    bool some = kept->searches > kept->fitted;
    for (int i = 0; i < slots; i++)
        if (kept->slot[i].used <= kept->fitted)
            empty_slot(&kept->slot[i]);
    kept->fitted = kept->searches;
    return some;
}

// the plans in the workspace, or an empty collection put there
static kept_plans* find_kept(cairn_kept** place)
{
    if (*place)
        return (kept_plans*)*place;
    kept_plans* kept = calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->base.destroy = destroy_plans;
    kept->base.memory = plans_memory;
    kept->base.fit = forget_unused;
    *place = &kept->base;
    return kept;
}

static kept_plan* find_slot(kept_plans* kept, const cairn_newton_key* key)
{
    for (int i = 0; i < slots; i++)
        if (kept->slot[i].key.length > 0 && cairn_newton_key_equal(&kept->slot[i].key, key))
            return &kept->slot[i];
    return NULL;
}

// the slot that was not used for longest; an empty one was never used. `full`: only those with a
// plan, and not `except`
static kept_plan* oldest_slot(kept_plans* kept, bool full, const kept_plan* except)
{
    kept_plan* oldest = NULL;
    for (int i = 0; i < slots; i++) {
        kept_plan* own = &kept->slot[i];
        if (own == except || (full && own->key.length == 0))
            continue;
        if (!oldest || own->used < oldest->used)
            oldest = own;
    }
    return oldest;
}

static size_t bytes_beside(const kept_plans* kept, const kept_plan* own)
{
    size_t sum = 0;
    for (int i = 0; i < slots; i++)
        if (&kept->slot[i] != own)
            sum += kept->slot[i].arena.taken;
    return sum;
}

// gives up old plans until the rest is small enough
static void make_room(kept_plans* kept, const kept_plan* own)
{
    while (bytes_beside(kept, own) > most_bytes)
        empty_slot(oldest_slot(kept, true, own));
}

static cairn_status fill_slot(kept_plan* own, const cairn_cells* cells, cairn_newton_space space,
                              cairn_arena* scratch, const cairn_stop* stop)
{
    cairn_newton_key key;
    cairn_arena_reset(&own->arena);
    own->key.length = 0;
    if (!cairn_newton_key_make(&key, cells, space, &own->arena))
        return CAIRN_NO_MEMORY;

    cairn_status status =
        cairn_newton_plan_make(&own->plan, cells, space, &own->arena, scratch, stop);

    // a slot whose plan was not made gives its memory back at once
    if (status == CAIRN_OK)
        own->key = key;
    else
        empty_slot(own);
    return status;
}

cairn_status cairn_newton_plan_find(const cairn_newton_plan** plan, const cairn_cells* cells,
                                    const cairn_job* job, cairn_newton_space space)
{
    cairn_kept** place = cairn_job_kept(job, destroy_plans);

    // without a workspace the plan lives as long as the solve
    if (!place) {
        cairn_newton_plan* own = CAIRN_TAKE(job->arena, cairn_newton_plan, 1);
        *plan = own;
        return own ? cairn_newton_plan_make(own, cells, space, job->arena, job->arena, &job->stop)
                   : CAIRN_NO_MEMORY;
    }

    // a plan of the same pattern serves again
    kept_plans* kept = find_kept(place);
    cairn_arena_mark here = cairn_arena_here(job->arena);
    cairn_newton_key key;
    if (!kept || !cairn_newton_key_make(&key, cells, space, job->arena))
        return CAIRN_NO_MEMORY;
    kept_plan* own = find_slot(kept, &key);
    cairn_arena_release(job->arena, here);
    cairn_status status = CAIRN_OK;

    if (own) {
        cairn_newton_plan_borrow(&own->plan, cells);
    } else {
        own = oldest_slot(kept, false, NULL);
        status = fill_slot(own, cells, space, job->arena, &job->stop);
        make_room(kept, own);
    }

    own->used = ++kept->searches;
    *plan = &own->plan;
    return status;
}
