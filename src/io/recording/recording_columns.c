// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "io/recording/recording_columns.h"

// types
#define F64 CAIRN_HDF5_REAL, false, 8
#define I32 CAIRN_HDF5_INTEGER, true, 4
#define I64 CAIRN_HDF5_INTEGER, true, 8
#define U64 CAIRN_HDF5_INTEGER, false, 8
#define U8 CAIRN_HDF5_INTEGER, false, 1
#define NAME CAIRN_HDF5_TEXT, false, cairn_name_size
#define WORD CAIRN_HDF5_TEXT, false, cairn_word_size

// rows of a chunk: tens of kilobytes where a run makes many rows
enum {
    VERTICES = 256,
    TRIANGLES = 256,
    PARTS = 64,
    SHAPES = 64,
    BODIES = 64,
    JOINTS = 64,
    EXCLUDED = 64,
    STATES = 1024,
    CONTACTS = 1024,
    MASSES = 1024,
    POINTS = 1024,
    ROWS = 256,
    BLOCKS = 256,
    SOLVES = 256,
    STEPS = 256,
};

#define COLUMN(id, name, table, type, width) {name, type, width, table, false},
#define LATER(id, name, table, type, width) {name, type, width, table, true},
const cairn_column_def cairn_recording_columns[CAIRN_COLUMN_COUNT] = {
    CAIRN_RECORDING_COLUMNS(COLUMN, LATER)};
