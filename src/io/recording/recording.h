// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A recording that is open, as the parts that read see it.
#ifndef CAIRN_IO_RECORDING_H
#define CAIRN_IO_RECORDING_H

#include "io/recording/recording_columns.h"
#include "io/recording/stage.h"

struct cairn_recording {
    char* path;
    cairn_bytes bytes;
    cairn_table* table;
    int frame_count;
    int body_count; ///< rows of the table of bodies
    cairn_stage_body* bodies;
    int* body_shape; ///< row of the table of shapes, or -1
    char (*names)[cairn_name_size + 1];
    bool shaped; ///< the shapes were built
    int shape_count;
    cairn_shape* shapes;
    int row_capacity;
    int* row; ///< scratch of a frame, by slot: row of the table of bodies, or -1
};

/// A range of rows: first and count, within what the column `column` has.
typedef struct cairn_range {
    uint64_t first;
    int count;
} cairn_range;

/// Reads row `row` of `from` as a range of `column`.
cairn_status cairn_recording_range(cairn_recording* recording, int from, uint64_t row, int column,
                                   cairn_range* range, cairn_error* error);

/// Reads a row of a column that came later; files that lack it leave `to` as it is.
cairn_status cairn_recording_later(cairn_recording* recording, int column, uint64_t row, void* to,
                                   cairn_error* error);

/// Builds the shapes of the bodies, once (recording_shapes.c).
cairn_status cairn_recording_shapes(cairn_recording* recording, cairn_error* error);
void cairn_recording_free_shapes(cairn_recording* recording);

/// 7 numbers as cairn_transform_store writes them; false when they are no pose.
bool cairn_recording_pose(cairn_transform* pose, const double* numbers);

#endif
