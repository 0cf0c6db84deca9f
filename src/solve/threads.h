// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A few threads that run the same function together, many times in a row. They meet at barriers
// that spin for a moment before they give way, because a sweep's parts last microseconds; threads
// that have nothing to do for longer sleep.
#ifndef CAIRN_SOLVE_THREADS_H
#define CAIRN_SOLVE_THREADS_H

#include <cairn/hooks.h>

typedef struct cairn_team cairn_team;

/// What every member runs: rank 0 is the caller of cairn_team_run.
typedef void (*cairn_team_function)(void* context, int rank);

/// Starts `count` - 1 threads, or fewer where the system gives none; NULL when there is no memory.
cairn_team* cairn_team_start(int count);
/// A team of `count` members without threads: the host runs them, each on one of its own.
cairn_team* cairn_team_of_host(int count, cairn_task_hook hook, void* context);
void cairn_team_stop(cairn_team* team);

/// Members, the caller included.
int cairn_team_count(const cairn_team* team);

/// Runs `function` on every member and returns when all have ended.
void cairn_team_run(cairn_team* team, cairn_team_function function, void* context);

/// Waits, inside such a function, until every member has come here.
void cairn_team_meet(cairn_team* team);

#endif
