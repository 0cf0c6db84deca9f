// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps over batches: domain after domain, each a thread's own, then what is between domains,
// color after color, the batches of one color shared among threads; what fits no batch one by one
// at the end. The order of updates is fixed by the problem alone, so neither the number of threads
// nor the instruction set changes a bit.
#ifndef CAIRN_SOLVE_BATCH_SOLVE_H
#define CAIRN_SOLVE_BATCH_SOLVE_H

#include "solve/sweep/batch.h"
#include "solve/sweep/rows.h"
#include "solve/threads.h"

typedef struct cairn_batch_loop {
    cairn_job* job;
    cairn_batch_plan plan;
    cairn_rows rest; ///< the loop for blocks in no batch; it shares the double state
    cairn_simd_level level;
    cairn_team* team; ///< or NULL: the caller alone
    bool single;      ///< the phase under way
    cairn_batches_float narrow;
    cairn_batches_double wide;
    double* scratch; ///< 6 per body
    uint8_t* active; ///< filter, per place in the state
    uint8_t* woken;
    double filter_speed; ///< m/s; < 0: no filter
    double worst;        ///< m/s: the largest violation of the last sweep
    int64_t visits;      ///< rows updated
} cairn_batch_loop;

/// Prepares with memory from the job's arena. False when there is no memory. End with
/// cairn_batch_loop_end.
bool cairn_batch_loop_prepare(cairn_batch_loop* fast, cairn_job* job, cairn_law law,
                              double relaxation, double filter_speed);
void cairn_batch_loop_end(cairn_batch_loop* fast);

/// Whether single precision can be used: every block is in a batch.
bool cairn_batch_loop_narrow(const cairn_batch_loop* fast);

/// Starts a phase in one precision from job->lambda.
bool cairn_batch_loop_begin(cairn_batch_loop* fast, bool single);

/// Goes on, in the phase under way, from job->lambda.
void cairn_batch_loop_restart(cairn_batch_loop* fast);

/// One sweep. `threshold` is the filter's.
void cairn_batch_loop_sweep(cairn_batch_loop* fast, bool backward, double threshold);

/// Puts every body on the filter's list.
void cairn_batch_loop_wake(cairn_batch_loop* fast);

/// Copies the impulses into job->lambda.
void cairn_batch_loop_store(cairn_batch_loop* fast);

#endif
