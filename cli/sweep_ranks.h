// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A study on several ranks. Rank 0 decides what is run next, writes the table and runs its own
// share; the others make the runs that they are told, in batches, and send the rows back.
#ifndef CAIRN_CLI_SWEEP_RANKS_H
#define CAIRN_CLI_SWEEP_RANKS_H

#include "sweep_pool.h"

/// Runs that a rank is told ahead of those under way, so that it never waits for the next one.
enum { sweep_runs_ahead = 2 };

/// Gives the pool of rank 0 slots for the runs of the others: `sweep_runs_ahead` more than each
/// makes at once.
cairn_status sweep_ranks_open(sweep_pool* w, int ranks, cairn_error* error);

/// Gives a run to the rank of a slot; it is sent with the others of its batch.
void sweep_ranks_start(sweep_pool* w, sweep_worker* slot, int run);

/// Sends the batches and completes the rows that have come back.
void sweep_ranks_attend(sweep_pool* w);

/// Tells the others that the study is over.
void sweep_ranks_close(sweep_pool* w);

/// What the others do until then.
cairn_status sweep_ranks_serve(const study* s, sweep_rows* rows, int jobs, cairn_error* error);

#endif
