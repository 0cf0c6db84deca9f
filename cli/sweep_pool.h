// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Runs of a study under way, each a process of its own, so that one that crashes or stalls is told
// in its row and the rest goes on.
#ifndef CAIRN_CLI_SWEEP_POOL_H
#define CAIRN_CLI_SWEEP_POOL_H

#include "sweep.h"
#include <limits.h>
#include <sys/types.h>

enum { sweep_most_jobs = 256 };

typedef struct sweep_worker {
    pid_t pid; ///< of its process; 0: none
    int rank;  ///< that makes its runs; 0: this one, as processes
    bool away; ///< that rank has one
    int run;
    int out, err; ///< -1: closed
    double started;
    bool late;
    char scene[PATH_MAX];
    char *text, *said; ///< what it printed
    size_t text_size, said_size;
} sweep_worker;

/// What rank 0 knows of the others; see sweep_ranks.h.
typedef struct sweep_ranks sweep_ranks;

typedef struct sweep_pool sweep_pool;
struct sweep_pool {
    const study* s;
    sweep_rows* rows;
    sweep_worker* workers; ///< jobs
    int jobs;              ///< slots
    sweep_ranks* others;   ///< or NULL
    char folder[PATH_MAX]; ///< of the scenes that are being run
    FILE* table;           ///< to which rows are added as runs end; NULL: none
    int done;              ///< runs that have ended
    bool lost;             ///< a row could not be written

    /// What becomes of the row of a run that has ended.
    void (*ended)(sweep_pool* w, int run);
};

/// Whether a slot has a run under way.
static inline bool sweep_is_busy(const sweep_worker* slot)
{
    return slot->pid || slot->away;
}

cairn_status sweep_pool_open(sweep_pool* w, const study* s, sweep_rows* rows, int jobs,
                             cairn_error* error);

/// Ends what is under way; its rows stay open.
void sweep_pool_close(sweep_pool* w);

/// Starts a run; `searched` of its row is set where the study is a bisection.
cairn_status sweep_pool_start(sweep_pool* w, sweep_worker* slot, int run, cairn_error* error);

/// Waits for news of the runs under way, at most a tenth of a second; completes the rows of those
/// that have ended.
void sweep_pool_attend(sweep_pool* w);

/// Makes a run again as a page beside the study's own.
bool sweep_pool_replay(const sweep_pool* w, sweep_replay* replay, const char* page);

#endif
