// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A version 1 B-tree of chunks (HDF5 File Format Specification, III.A.1) that only grows at its
// right end. A node is
//
//     "TREE" 1 level count left right | key 0, child 0 | key 1, child 1 | ... | key count
//
// with keys (bytes, filters, first row, 0, 0). The last key of the rightmost nodes lies beyond any
// row, so that a chunk more changes one leaf and nothing above it. A leaf lies within one page and
// is written by one call, which the end of the process cannot cut in two; a new node is written
// before anything leads to it. So the file is a sound HDF5 file at every moment, whenever the
// process is killed. The tree does not survive a power failure in this way: nothing is forced to
// the disk here.

#include "io/hdf5/chunk_tree.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static const uint64_t nowhere = UINT64_MAX;

enum { end_of_file_at = 40 }; // in a superblock of version 0

// ---------------------------------------------------------------- the file

bool cairn_place_write(const cairn_place* place, uint64_t at, const void* data, size_t size)
{
    const char* from = data;
    while (size > 0) {
        ssize_t put = pwrite(place->file, from, size, (off_t)at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        from += put;
        at += (uint64_t)put;
        size -= (size_t)put;
    }
    return true;
}

static void put_number(unsigned char* to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static bool write_number(const cairn_place* place, uint64_t at, uint64_t value)
{
    unsigned char bytes[8];
    put_number(bytes, value, 8);
    return cairn_place_write(place, at, bytes, sizeof bytes);
}

uint64_t cairn_place_take(cairn_place* place, uint64_t size, uint64_t align)
{
    uint64_t at = (place->end + align - 1) / align * align;
    if (ftruncate(place->file, (off_t)(at + size)) != 0 ||
        !write_number(place, end_of_file_at, at + size))
        return 0;
    place->end = at + size;
    return at;
}

// ---------------------------------------------------------------- nodes

static size_t key_size(const cairn_chunk_tree* tree)
{
    return 16 + 8 * (size_t)tree->rank;
}

static size_t node_size(const cairn_chunk_tree* tree)
{
    return 24 + cairn_tree_entries * (key_size(tree) + 8) + key_size(tree);
}

static void put_key(unsigned char* to, const cairn_chunk_tree* tree, uint64_t first_row,
                    const cairn_hdf5_chunk* chunk)
{
    memset(to, 0, key_size(tree));
    put_number(to, chunk ? chunk->size : 0, 4);
    put_number(to + 4, chunk && chunk->plain ? 3 : 0, 4);
    put_number(to + 8, first_row, 8);
}

// the entry `k` of a node, and the key beyond any row behind it
static void put_entry(cairn_tree_node* node, int k, const cairn_chunk_tree* tree,
                      uint64_t first_row, const cairn_hdf5_chunk* chunk, uint64_t child)
{
    unsigned char* key = node->image + 24 + (size_t)k * (key_size(tree) + 8);
    put_key(key, tree, first_row, chunk);
    put_number(key + key_size(tree), child, 8);
    put_key(key + key_size(tree) + 8, tree, tree->rows << 32, NULL);
    node->count = k + 1;
    put_number(node->image + 6, (uint64_t)node->count, 2);
}

static void start_node(cairn_tree_node* node, int level, uint64_t left)
{
    memset(node, 0, sizeof *node);
    memcpy(node->image, "TREE", 4);
    node->image[4] = 1;
    node->image[5] = (unsigned char)level;
    put_number(node->image + 8, left, 8);
    put_number(node->image + 16, nowhere, 8);
}

static bool write_node(const cairn_chunk_tree* tree, const cairn_place* place,
                       const cairn_tree_node* node)
{
    return cairn_place_write(place, node->at, node->image, node_size(tree));
}

static bool place_node(const cairn_chunk_tree* tree, cairn_place* place, cairn_tree_node* node)
{
    node->at = cairn_place_take(place, node_size(tree), place->align);
    return node->at != 0 && write_node(tree, place, node);
}

// ---------------------------------------------------------------- growing

static bool add_child(cairn_chunk_tree* tree, cairn_place* place, int level, uint64_t first_row,
                      const cairn_hdf5_chunk* chunk, uint64_t child);

// a root above the former one, `former`
static bool add_root(cairn_chunk_tree* tree, cairn_place* place, uint64_t former,
                     uint64_t first_row, const cairn_hdf5_chunk* chunk, uint64_t child)
{
    int level = tree->levels;
    if (level == cairn_tree_levels) {
        errno = EFBIG;
        return false;
    }
    cairn_tree_node* root = &tree->spine[level];
    start_node(root, level, nowhere);
    if (level > 0)
        put_entry(root, 0, tree, 0, NULL, former);
    put_entry(root, root->count, tree, first_row, chunk, child);
    if (!place_node(tree, place, root) || !write_number(place, tree->root_at, root->at))
        return false;
    tree->levels++;
    return true;
}

// a full node gets a right neighbor; the link to it is written last
static bool add_neighbor(cairn_chunk_tree* tree, cairn_place* place, int level, uint64_t first_row,
                         const cairn_hdf5_chunk* chunk, uint64_t child)
{
    cairn_tree_node* node = &tree->spine[level];
    cairn_tree_node full = *node;
    start_node(node, level, full.at);
    put_entry(node, 0, tree, first_row, chunk, child);
    if (!place_node(tree, place, node))
        return false;
    bool is_root = level + 1 == tree->levels;
    if (!(is_root ? add_root(tree, place, full.at, first_row, chunk, node->at)
                  : add_child(tree, place, level + 1, first_row, chunk, node->at)))
        return false;
    put_number(full.image + 16, node->at, 8);
    put_key(full.image + 24 + cairn_tree_entries * (key_size(tree) + 8), tree, first_row, chunk);
    return write_node(tree, place, &full);
}

static bool add_child(cairn_chunk_tree* tree, cairn_place* place, int level, uint64_t first_row,
                      const cairn_hdf5_chunk* chunk, uint64_t child)
{
    cairn_tree_node* node = &tree->spine[level];
    if (node->count == cairn_tree_entries)
        return add_neighbor(tree, place, level, first_row, chunk, child);
    put_entry(node, node->count, tree, first_row, chunk, child);
    return write_node(tree, place, node);
}

bool cairn_chunk_tree_add(cairn_chunk_tree* tree, cairn_place* place, const cairn_hdf5_chunk* chunk)
{
    uint64_t first_row = tree->count * tree->rows;
    bool done = tree->levels == 0 ? add_root(tree, place, nowhere, first_row, chunk, chunk->at)
                                  : add_child(tree, place, 0, first_row, chunk, chunk->at);
    tree->count += done;
    return done;
}

bool cairn_chunk_tree_replace(cairn_chunk_tree* tree, cairn_place* place,
                              const cairn_hdf5_chunk* chunk)
{
    cairn_tree_node* leaf = &tree->spine[0];
    put_entry(leaf, leaf->count - 1, tree, (tree->count - 1) * tree->rows, chunk, chunk->at);
    return write_node(tree, place, leaf);
}
