// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Columns: arrays of an HDF5 file that grow by rows while the file is read by others, or while its
// writer is killed. Little-endian machines only.
#ifndef CAIRN_IO_COLUMNS_H
#define CAIRN_IO_COLUMNS_H

#include "io/file.h"
#include "io/hdf5/hdf5_check.h"

/// What a column holds.
typedef struct cairn_column_def {
    const char* name; ///< from the root: "/group/name"
    cairn_hdf5_kind kind;
    bool is_signed; ///< integers
    int size;       ///< bytes of an element
    int width;      ///< elements of a row
    int chunk_rows;
    bool optional; ///< files that lack it are read, too: it has no rows then
} cairn_column_def;

// ---------------------------------------------------------------- writing (columns_write.c)

typedef struct cairn_columns cairn_columns;

/// Makes the file: `start` are the bytes of an HDF5 file that has all columns, empty. An existing
/// file is replaced only with `force`. The defs are borrowed.
cairn_status cairn_columns_create(cairn_columns** columns, const char* path,
                                  const cairn_bytes* start, const cairn_column_def* defs, int count,
                                  bool force, cairn_error* error);

/// Appends rows to a column, at the price of a copy. They are in the file after the next flush.
cairn_status cairn_columns_put(cairn_columns* columns, int column, const void* rows, size_t count,
                               cairn_error* error);

/// Compresses and appends the chunks that are finished: the costly part of putting rows.
cairn_status cairn_columns_settle(cairn_columns* columns, cairn_error* error);

/// Rows of a column so far.
uint64_t cairn_columns_rows(const cairn_columns* columns, int column);

/// Writes what was put. Columns become longer in the order of their numbers: whoever reads a row of
/// a later column finds the rows of earlier ones that were put before it.
cairn_status cairn_columns_flush(cairn_columns* columns, cairn_error* error);

/// Flushes, packs the file (all chunks compressed, nothing left unused) and frees the columns, also
/// when that fails.
cairn_status cairn_columns_close(cairn_columns* columns, bool packed, cairn_error* error);

// ---------------------------------------------------------------- reading (columns_read.c)

typedef struct cairn_table cairn_table;

/// Opens the bytes of a file (borrowed) and checks its structure. Every column of `defs` that is
/// not optional must be there, of the type that it says.
cairn_status cairn_table_open(cairn_table** table, const cairn_bytes* bytes, const char* path,
                              const cairn_column_def* defs, int count, cairn_error* error);
void cairn_table_close(cairn_table* table);

uint64_t cairn_table_rows(const cairn_table* table, int column);

/// Reads rows of a column; they must be there.
cairn_status cairn_table_read(cairn_table* table, int column, uint64_t first, size_t count,
                              void* rows, cairn_error* error);

/// The bytes of a small array in one piece, or NULL when there is none of that name and type. They
/// belong to the table.
const void* cairn_table_find(const cairn_table* table, const char* name, cairn_hdf5_kind kind,
                             size_t* count, size_t* size);

#endif
