// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The threads of a world. Each has scratch memory of its own; items are taken in any order by any
// thread, and none may depend on another, so that the bits of the answer do not depend on who did
// what.
#ifndef CAIRN_WORLD_THREADS_H
#define CAIRN_WORLD_THREADS_H

#include "solve/threads.h"
#include "world/state.h"

typedef struct cairn_worker {
    cairn_arena arena, keep; ///< as those of the world
    cairn_workspace* workspace;
    cairn_undo_log log; ///< likewise
    cairn_error error;
} cairn_worker;

/// Works on one item. Writes only what belongs to the item or to the worker.
typedef cairn_status (*cairn_crew_task)(void* context, cairn_worker* worker, int item);

/// The crew of a world, made when it is first asked for; NULL when the world has one thread or
/// there is no memory for more.
cairn_crew* cairn_world_crew(cairn_world* world);
void cairn_crew_destroy(cairn_crew* crew);

/// Gives back the scratch memory of a step. `crew` may be NULL.
void cairn_crew_reset(cairn_crew* crew);
size_t cairn_crew_memory(const cairn_crew* crew);

/// What worker i has noted of manifolds; NULL when there are not so many workers.
cairn_undo_log* cairn_crew_log(cairn_crew* crew, int i);

/// Gives back what no step since the last fit has needed. `crew` may be NULL.
void cairn_crew_fit(cairn_crew* crew);

/// Works on items 0 .. count - 1, `share` of them at a time; `brief` if that takes microseconds. The status and the
/// error are those of the first item that failed.
cairn_status cairn_crew_run(cairn_crew* crew, cairn_crew_task task, void* context, int count,
                            int share, bool brief, cairn_error* error);

/// A part of a loop: from `first` to before `end`. Writes only what belongs to these, and nothing that
/// depends on where parts begin.
typedef void (*cairn_loop_body)(void* context, int first, int end);

/// A loop over 0 .. count - 1 in parts of `share`, on all threads of the world if that is more than one part.
/// Never while the crew is at work.
void cairn_world_loop(cairn_world* world, cairn_loop_body body, void* context, int count,
                      int share);

/// The threads as a team, for work inside one island; never while the crew is at work. NULL for NULL.
cairn_team* cairn_crew_team(cairn_crew* crew);

/// One thread at a time between these two. `crew` may be NULL.
void cairn_crew_lock(cairn_crew* crew);
void cairn_crew_unlock(cairn_crew* crew);

#endif
