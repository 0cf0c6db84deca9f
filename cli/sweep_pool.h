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
    pid_t pid; ///< 0: free
    int run;
    int out, err; ///< -1: closed
    double started;
    bool late;
    char scene[PATH_MAX];
    char *text, *said; ///< what it printed
    size_t text_size, said_size;
} sweep_worker;

typedef struct sweep_pool {
    const study* s;
    sweep_rows* rows;
    sweep_worker* workers; ///< jobs
    int jobs;
    char folder[PATH_MAX]; ///< of the scenes that are being run
    FILE* table;           ///< to which rows are added as runs end; NULL: none
    int done;              ///< runs that have ended
    bool lost;             ///< a row could not be written
} sweep_pool;

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
