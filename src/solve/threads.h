// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A few threads that work together, many times in a row: on the items of a list, which each takes as
// it comes to them, or on the same function, in which they meet at barriers. What they do lasts
// microseconds, so that who waits looks on for a moment before it gives way, and then sleeps. Nobody
// waits for a thread that has not begun: where its processor is taken, the others do its share.
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

/// Works on one item; `rank` is that of the member who does, each on one item at a time.
typedef void (*cairn_team_item)(void* context, int rank, int item);

/// Works on the items 0 .. count - 1, in any order, and returns when all are done. The caller takes
/// part; it does all of them where there is no other member or `team` is NULL.
enum { cairn_most_items = 0xffff };
void cairn_team_each(cairn_team* team, cairn_team_item function, void* context, int count);

/// The same for items that all take about as long, microseconds. Where others have lost their processor
/// amid one, so that it came late, the caller does the next lists by itself.
void cairn_team_each_brief(cairn_team* team, cairn_team_item function, void* context, int count);

/// Calls `function` on one thread, with the threads of a host at hand until it returns: they are asked
/// for once, not for every list of items. No more than a call where the team has threads of its own.
void cairn_team_lead(cairn_team* team, void (*function)(void* context), void* context);

#endif
