// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The rows of a study: one for each run, in memory, in a CSV file that grows as runs end and from
// which a killed study goes on, in an HDF5 file and on a page.
#ifndef CAIRN_CLI_SWEEP_H
#define CAIRN_CLI_SWEEP_H

#include "study.h"
#include <stdio.h>

typedef enum sweep_status {
    SWEEP_OPEN, ///< not run yet
    SWEEP_OK,
    SWEEP_MISSED,  ///< ran, but missed a tolerance or the accuracy of its motion
    SWEEP_FAILED,  ///< refused, with a sentence
    SWEEP_CRASHED, ///< ended by a signal
    SWEEP_STALLED, ///< ended by the time limit of the study
    sweep_statuses
} sweep_status;

extern const char* const sweep_status_names[sweep_statuses];

typedef struct sweep_row {
    sweep_status status;
    bool holds;      ///< the condition of a bisection
    double searched; ///< the value of its parameter
    double seconds;
    char* reason; ///< or NULL
} sweep_row;

typedef struct sweep_rows {
    const study* of;
    int count;
    sweep_row* row;
    double* metric; ///< metric_count for each row; NaN where there is none
} sweep_rows;

cairn_status sweep_rows_make(sweep_rows* rows, const study* of, cairn_error* error);
void sweep_rows_free(sweep_rows* rows);

/// Whether a run gave metrics.
static inline bool sweep_measured(const sweep_row* row)
{
    return row->status == SWEEP_OK || row->status == SWEEP_MISSED;
}

/// The values of the parameters of a run, NaN for texts.
void sweep_parameters(const sweep_rows* rows, int run, double* values);

/// Takes over the rows of a table of the same study. With `whole` the last line must be whole; else
/// one that was cut short is left out.
cairn_status sweep_table_read(sweep_rows* rows, const char* path, cairn_error* error);

/// The head of a table, and one of its lines.
void sweep_table_head(FILE* file, const study* s);
void sweep_table_line(FILE* file, const sweep_rows* rows, int run);

/// The whole table, in the order of the runs, in place of what grew.
cairn_status sweep_table_write(const sweep_rows* rows, const char* path, cairn_error* error);
cairn_status sweep_hdf5_write(const sweep_rows* rows, const char* path, bool force,
                              cairn_error* error);

/// A page with the table, a histogram of each metric and each metric over each parameter. Runs in
/// `replays` have a page of their own beside it.
typedef struct sweep_replay {
    int run;
    char file[256];
} sweep_replay;
cairn_status sweep_page_write(const sweep_rows* rows, const sweep_replay* replays, int count,
                              const char* path, bool force, cairn_error* error);

#endif
