// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A recorder, as the parts that write see it.
#ifndef CAIRN_IO_RECORDER_H
#define CAIRN_IO_RECORDER_H

#include "io/recording/recording_columns.h"
#include "io/recording/stage.h"

struct cairn_recorder {
    cairn_columns* columns;
    cairn_status status; ///< the first thing that went wrong, with its sentence
    cairn_error error;
    int change; ///< of the stage that was written
    int slot_capacity;
    cairn_stage_body* written; ///< the bodies that were written, by slot
    int row_capacity;
    int* row; ///< of the table of bodies, by slot; -1: none
    int shape_count, shape_capacity;
    cairn_shape* shapes; ///< those that were written
    int mark_capacity;
    int* mark;       ///< by slot of a problem: its place among the masses of a solve, and 1
    int64_t attempt; // of the solves that were put last
    int64_t solve_first;
    int64_t joint_first, joint_count;
    int64_t excluded_first, excluded_count;
    double flushed; ///< s: when
};

/// Appends rows to a column; keeps the first failure.
void cairn_recorder_put(cairn_recorder* recorder, int column, const void* rows, size_t count);

/// The row of a shape in the table of shapes; written when it is new (recorder_shapes.c).
int cairn_recorder_shape(cairn_recorder* recorder, const cairn_shape* shape);

/// 7 numbers: place, then the quaternion w, x, y, z.
void cairn_transform_store(double* to, cairn_transform x);
cairn_transform cairn_transform_load(const double* from);

#endif
