// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Whether the bytes of a file may be handed to HDF5, and where its arrays lie.
#ifndef CAIRN_IO_HDF5_CHECK_H
#define CAIRN_IO_HDF5_CHECK_H

#include <cairn/base.h>

/// Walks through the groups and datasets of a file and refuses what is damaged, or what contact
/// problems never use. Objects named "info" and "comment", which nobody opens, are passed over, and
/// "solution" unless the file is to be changed. CAIRN_BAD_INPUT names the byte and what was
/// expected.
cairn_status cairn_hdf5_check(const void* data, size_t size, const char* path, bool change,
                              cairn_error* error);

/// The type of an array's numbers.
typedef enum cairn_hdf5_kind {
    CAIRN_HDF5_INTEGER,
    CAIRN_HDF5_REAL,
    CAIRN_HDF5_TEXT = 3, ///< fixed strings, padded with zeros
} cairn_hdf5_kind;

/// A piece of a chunked array: rows [index rows, ...) of it.
typedef struct cairn_hdf5_chunk {
    uint64_t at;
    uint32_t size;
    bool plain; ///< neither shuffled nor compressed
} cairn_hdf5_chunk;

/// An array: a scalar, a list or a table of rows, little-endian.
typedef struct cairn_hdf5_dataset {
    const char* name; ///< from the root: "/group/name"
    cairn_hdf5_kind kind;
    bool is_signed, big_endian;
    uint32_t size; ///< bytes of an element
    int rank;      ///< 0, 1 or 2
    uint64_t extent[2];
    uint64_t extent_at; ///< where extent[0] is stored
    bool chunked;       ///< along extent[0], shuffled and deflated; contiguous or compact otherwise
    uint64_t data_at;   ///< of an array in one piece; 0: nothing was stored
    uint64_t tree_at;   ///< where the address of the tree of chunks is stored
    uint64_t chunk_rows;
    uint64_t chunk_count; ///< chunks from the first on, none left out
    const cairn_hdf5_chunk* chunks;
} cairn_hdf5_dataset;

/// Called for each dataset; name and chunks last until it returns.
typedef cairn_status cairn_hdf5_visit(void* context, const cairn_hdf5_dataset* dataset);

/// The same walk for files that also have chunked arrays of at most two dimensions.
cairn_status cairn_hdf5_walk(const void* data, size_t size, const char* path,
                             cairn_hdf5_visit* visit, void* context, cairn_error* error);

#endif
