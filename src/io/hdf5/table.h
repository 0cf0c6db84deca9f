// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Tables of numbers as HDF5: each column is a dataset of its own, some in a group.
#ifndef CAIRN_IO_HDF5_TABLE_H
#define CAIRN_IO_HDF5_TABLE_H

#include <cairn/base.h>

typedef struct cairn_table {
    const char* title;
    int columns, rows;
    const char* const* name;  ///< of each column; a slash in it becomes a bar
    const char* const* group; ///< of each column, or NULL
    const double* value;      ///< one column after the other
} cairn_table;

/// Writes a table; an existing file is refused unless `force`.
cairn_status cairn_table_write(const char* path, const cairn_table* table, bool force,
                               cairn_error* error);

#endif
