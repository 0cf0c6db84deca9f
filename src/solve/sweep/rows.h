// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plain row loop of projected Gauss-Seidel in its refinements R0 to R6: any kind of block, any
// friction set, explicit A. Slower than batches, but complete; what no batch can hold is visited
// here.
#ifndef CAIRN_SOLVE_ROWS_H
#define CAIRN_SOLVE_ROWS_H

#include "solve/method.h"

typedef struct cairn_rows {
    const cairn_job* job;
    cairn_pgs_form form;
    cairn_law law;    ///< that the friction is solved as
    bool lagged;      ///< friction limits from `limit`
    double* rate;     ///< row_count: r of each row, relaxation included
    double* state;    ///< 8 per body: v = M^-1 J^T λ, or Ĵ^T λ in the reduced form
    double* dense;    ///< R0: A
    cairn_row* moved; ///< R3: J M^-1
    double* limit;    ///< lagged: λ_N of each block at the start of the sweep
    double threshold; ///< m/s: T
    uint8_t* active;  ///< filter: bodies that changed in the last sweep, or NULL
    uint8_t* woken;   ///< filter: bodies that changed in this one
    double* quiet;    ///< filter: per body, the square of the change that counts as none
    double worst;     ///< m/s: the largest violation since it was last set to 0
    int64_t visits;   ///< rows updated
} cairn_rows;

/// Prepares the loop with memory from the job's arena and loads job->lambda. `relaxation`
/// multiplies every step. With `filter_speed` >= 0 the filter is on. False when there is no memory.
bool cairn_rows_prepare(cairn_rows* rows, const cairn_job* job, cairn_pgs_form form, cairn_law law,
                        double relaxation, double filter_speed);

/// Makes the state true to job->lambda again.
void cairn_rows_load(cairn_rows* rows);

/// Updates the impulses of one block.
void cairn_rows_visit(cairn_rows* rows, int block);

/// Visits all blocks, forward or backward.
void cairn_rows_sweep(cairn_rows* rows, bool backward);

#endif
