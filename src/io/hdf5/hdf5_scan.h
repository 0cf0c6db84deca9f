// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The walk through the structure of an HDF5 file: what its parts share. Private to hdf5_check.c and
// hdf5_dataset.c.
#ifndef CAIRN_IO_HDF5_SCAN_H
#define CAIRN_IO_HDF5_SCAN_H

#include "io/hdf5/hdf5_check.h"
#include <string.h>

static const uint64_t cairn_undefined = UINT64_MAX; ///< an address that leads nowhere

typedef struct cairn_scan {
    const unsigned char* data;
    uint64_t size;
    const char* path;
    bool change;
    cairn_error* error;
    unsigned leaf_k, node_k; ///< entries of a symbol node and of a B-tree node are at most 2 K
    unsigned chunk_k;        ///< the same for nodes of chunks
    int objects;
    bool going;              ///< in the part that a change deletes
    unsigned char* claimed;  ///< a bit for each byte that something lies in already
    char name[128];          ///< of the object at hand, from the root
    cairn_hdf5_visit* visit; ///< or NULL: only contiguous arrays
    void* context;
} cairn_scan;

/// A group: where its names and its entries are.
typedef struct cairn_scan_group {
    uint64_t tree, heap;
    uint64_t names, names_size; ///< the heap's data
    const char* last;           ///< name met so far: names ascend
} cairn_scan_group;

/// What the messages of one object said.
typedef struct cairn_scan_object {
    bool is_group, has_space, has_type, has_layout, has_filters, allocated, attributes;
    cairn_scan_group table;
    uint64_t points;
    uint64_t fill_size;
    uint64_t stored;
    uint64_t tree; ///< of chunks
    int chunk_rank;
    uint64_t chunk_width, chunk_element;
    cairn_hdf5_dataset array; ///< what a visitor gets to see
} cairn_scan_object;

// ---------------------------------------------------------------- bytes

static inline cairn_status cairn_scan_damaged(const cairn_scan* s, uint64_t at,
                                              const char* expected)
{
    return cairn_fail(s->error, CAIRN_BAD_INPUT, "%s: is damaged at byte %llu, expected %s",
                      s->path, (unsigned long long)at, expected);
}

/// Every byte belongs to one thing: HDF5 keeps what it has read by its address. False when the
/// bytes are outside of the file or belong to another thing.
bool cairn_scan_claim(const cairn_scan* s, uint64_t at, uint64_t length);

static inline uint64_t cairn_scan_number(const unsigned char* at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static inline uint64_t cairn_scan_at(const cairn_scan* s, uint64_t at, int bytes)
{
    return cairn_scan_number(s->data + at, bytes);
}

static inline bool cairn_scan_signed(const cairn_scan* s, uint64_t at, const char* signature)
{
    return memcmp(s->data + at, signature, 4) == 0;
}

// ---------------------------------------------------------------- datasets (hdf5_dataset.c)

/// The messages of a dataset's header.
cairn_status cairn_scan_space(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                              uint64_t length);
cairn_status cairn_scan_type(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                             uint64_t length);
cairn_status cairn_scan_fill(const cairn_scan* s, cairn_scan_object* o, uint64_t type, uint64_t at,
                             uint64_t length);
cairn_status cairn_scan_layout(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                               uint64_t length);
cairn_status cairn_scan_filters(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                                uint64_t length);

/// A dataset whose messages were read: whether they agree, its chunks, and the visit.
cairn_status cairn_scan_dataset(const cairn_scan* s, cairn_scan_object* o, uint64_t at);

#endif
