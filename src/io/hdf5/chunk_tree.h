// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The tree that leads HDF5 to the chunks of an array that grows by rows.
#ifndef CAIRN_IO_CHUNK_TREE_H
#define CAIRN_IO_CHUNK_TREE_H

#include "io/hdf5/hdf5_check.h"

enum {
    cairn_tree_entries = 64, ///< of a node: 2 K with HDF5's standard K
    cairn_tree_levels = 6,
    cairn_tree_node_most = 24 + 64 * (32 + 8) + 32, ///< bytes of a node for arrays of rank 2
};

/// A file that is written at places. `end` is where the next thing goes; the file knows it by the
/// number in its superblock.
typedef struct cairn_place {
    int file;
    uint64_t end;
    uint64_t align; ///< of nodes: a power of two
} cairn_place;

/// Writes all bytes at a place. False when the system refuses; errno tells why.
bool cairn_place_write(const cairn_place* place, uint64_t at, const void* data, size_t size);

/// Takes `size` bytes at the end of the file, aligned, and makes the file so long before it says
/// so. 0 when the system refuses.
uint64_t cairn_place_take(cairn_place* place, uint64_t size, uint64_t align);

typedef struct cairn_tree_node {
    uint64_t at;
    int count;
    unsigned char image[cairn_tree_node_most];
} cairn_tree_node;

/// The way to the last chunk.
typedef struct cairn_chunk_tree {
    int rank;         ///< of the array
    uint64_t rows;    ///< of a chunk
    uint64_t root_at; ///< where the address of the root is stored
    uint64_t count;   ///< chunks
    int levels;
    cairn_tree_node spine[cairn_tree_levels]; ///< leaf first
} cairn_chunk_tree;

/// Adds the chunk that follows the last one. At every moment the tree in the file is whole: with
/// the chunk or without it.
bool cairn_chunk_tree_add(cairn_chunk_tree* tree, cairn_place* place,
                          const cairn_hdf5_chunk* chunk);

/// Puts another chunk in place of the last one.
bool cairn_chunk_tree_replace(cairn_chunk_tree* tree, cairn_place* place,
                              const cairn_hdf5_chunk* chunk);

#endif
