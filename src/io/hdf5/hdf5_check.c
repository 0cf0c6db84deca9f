// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// HDF5's library trusts the lengths and addresses that it finds in a file, and a damaged one can
// crash it. So the structure is checked here first, byte by byte, for the part of the format that
// contact problems are written in (HDF5 File Format Specification 2.0, superblock 0 and 1):
//
//     superblock -> group -> B-tree of nodes -> symbol nodes -> group or dataset
//                         -> heap of names
//     object header: messages (dataspace, datatype, fill value, layout, ...) in chunks
//
// Every address and length must lie in the file, no two things may share a byte, every count lie
// within its node, every type be a standard one, every array be contiguous or compact and as long
// as it says, every name in order. Anything else is refused, sound files of newer layouts too:
// h5repack turns those into this one. What is not checked: attributes, which are never opened.

#include "io/hdf5/hdf5_scan.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    deepest = 8, // groups in groups
    most_objects = 4096,
    most_chunks = 64,   // of one object header
    widest_node = 1024, // K of a B-tree node
    any_level = -1,
};

// ---------------------------------------------------------------- bytes

static bool inside(const cairn_scan* s, uint64_t at, uint64_t length)
{
    return at <= s->size && length <= s->size - at;
}

bool cairn_scan_claim(const cairn_scan* s, uint64_t at, uint64_t length)
{
    if (!inside(s, at, length))
        return false;
    while (length > 0) {
        bool whole = at % 8 == 0 && length >= 8;
        unsigned bits = whole ? 0xffu : 1u << at % 8;
        unsigned before = s->claimed[at / 8];
        if (before & bits)
            return false;
        s->claimed[at / 8] = (unsigned char)(before | bits);
        at += whole ? 8 : 1;
        length -= whole ? 8 : 1;
    }
    return true;
}

// ---------------------------------------------------------------- object headers

static cairn_status check_message(const cairn_scan* s, cairn_scan_object* o, uint64_t type,
                                  uint64_t at, uint64_t length)
{
    // the types of the HDF5 specification, section IV.A.2; anything else is refused
    switch (type) {
    case 0x00: // nothing
        return CAIRN_OK;
    case 0x01:
        return cairn_scan_space(s, o, at, length);
    case 0x03:
        return cairn_scan_type(s, o, at, length);
    case 0x04:
    case 0x05:
        return cairn_scan_fill(s, o, type, at, length);
    case 0x08:
        return cairn_scan_layout(s, o, at, length);
    case 0x0b:
        return cairn_scan_filters(s, o, at, length);
    case 0x0c:
        o->attributes = true;
        return CAIRN_OK;

    case 0x11:
        if (o->is_group || length < 16)
            return cairn_scan_damaged(s, at, "one table of names");
        o->is_group = true;
        o->table = (cairn_scan_group){.tree = cairn_scan_at(s, at, 8),
                                      .heap = cairn_scan_at(s, at + 8, 8)};
        return CAIRN_OK;
    case 0x12:
        return length >= 8 && cairn_scan_at(s, at, 1) == 1 ? CAIRN_OK
                                                           : cairn_scan_damaged(s, at, "a time");

    default:
        return cairn_scan_damaged(
            s, at, "a message that contact problems use (h5repack makes such files)");
    }
}

typedef struct chunk_list {
    int count;
    uint64_t at[most_chunks], length[most_chunks];
} chunk_list;

static cairn_status add_chunk(const cairn_scan* s, chunk_list* chunks, uint64_t at, uint64_t length)
{
    if (chunks->count == most_chunks || length < 8 || !cairn_scan_claim(s, at, length))
        return cairn_scan_damaged(s, at, "the rest of an object header in bytes of its own");
    chunks->at[chunks->count] = at;
    chunks->length[chunks->count++] = length;
    return CAIRN_OK;
}

// the messages of one chunk; `count` runs on
static cairn_status check_chunk(const cairn_scan* s, cairn_scan_object* o, chunk_list* chunks,
                                int k, uint64_t* count)
{
    uint64_t at = chunks->at[k], end = at + chunks->length[k];

    // a message: type, length, flags, three bytes of nothing, then its data
    while (at < end) {
        if (end - at < 8)
            return cairn_scan_damaged(s, at, "a message");
        uint64_t type = cairn_scan_at(s, at, 2), length = cairn_scan_at(s, at + 2, 2);
        if (length > end - at - 8 || length % 8 != 0)
            return cairn_scan_damaged(s, at, "a message within its object header");

        if (cairn_scan_at(s, at + 4, 1) & ~0x05ull)
            return cairn_scan_damaged(s, at + 4, "a message that is not shared");

        // type 0x10 leads to another chunk of the same header
        cairn_status status;
        if (type == 0x10)
            status = length < 16 ? cairn_scan_damaged(s, at, "a continuation")
                                 : add_chunk(s, chunks, cairn_scan_at(s, at + 8, 8),
                                             cairn_scan_at(s, at + 16, 8));
        else
            status = check_message(s, o, type, at + 8, length);

        if (status != CAIRN_OK)
            return status;
        at += 8 + length;
        ++*count;
    }
    return CAIRN_OK;
}

static cairn_status read_header(const cairn_scan* s, cairn_scan_object* o, uint64_t at)
{
    chunk_list chunks = {0};
    uint64_t count = 0;
    *o = (cairn_scan_object){0};
    if (!cairn_scan_claim(s, at, 16) || cairn_scan_at(s, at, 1) != 1)
        return cairn_scan_damaged(s, at, "an object header of version 1 in bytes of its own");
    cairn_status status = add_chunk(s, &chunks, at + 16, cairn_scan_at(s, at + 8, 4));
    for (int k = 0; status == CAIRN_OK && k < chunks.count; k++)
        status = check_chunk(s, o, &chunks, k, &count);
    if (status == CAIRN_OK && count != cairn_scan_at(s, at + 2, 2))
        status = cairn_scan_damaged(s, at, "as many messages as announced");
    return status;
}

// ---------------------------------------------------------------- groups

// the heap of names, and its list of free pieces
static cairn_status check_heap(const cairn_scan* s, cairn_scan_group* g)
{
    if (!cairn_scan_claim(s, g->heap, 32) || !cairn_scan_signed(s, g->heap, "HEAP") ||
        s->data[g->heap + 4] != 0)
        return cairn_scan_damaged(s, g->heap, "a heap of names");

    g->names_size = cairn_scan_at(s, g->heap + 8, 8);
    g->names = cairn_scan_at(s, g->heap + 24, 8);
    if (!cairn_scan_claim(s, g->names, g->names_size))
        return cairn_scan_damaged(s, g->heap, "a heap of names in bytes of its own");

    // the free pieces cannot be longer than the heap together, so the list ends
    uint64_t free_at = cairn_scan_at(s, g->heap + 16, 8), freed = 0;
    while (free_at != 1) {
        if (free_at > g->names_size || g->names_size - free_at < 16)
            return cairn_scan_damaged(s, g->heap + 16, "a list of free names within the heap");
        uint64_t length = cairn_scan_at(s, g->names + free_at + 8, 8);
        if (length < 16 || length > g->names_size - free_at || freed + length > g->names_size)
            return cairn_scan_damaged(s, g->names + free_at, "a free piece of the heap");
        freed += length;
        free_at = cairn_scan_at(s, g->names + free_at, 8);
    }

    return CAIRN_OK;
}

// the name at an offset of the heap, or NULL
static const char* name_of(const cairn_scan* s, const cairn_scan_group* g, uint64_t offset)
{
    if (offset >= g->names_size)
        return NULL;
    const unsigned char* name = s->data + g->names + offset;
    return memchr(name, 0, g->names_size - offset) ? (const char*)name : NULL;
}

static bool is_passed_over(const cairn_scan* s, const char* name, int depth)
{
    return strcmp(name, "info") == 0 || strcmp(name, "comment") == 0 ||
           (!s->change && depth == 1 && strcmp(name, "solution") == 0);
}

static cairn_status check_object(cairn_scan* s, uint64_t at, int depth,
                                 const cairn_scan_group* cached);

// one entry of a symbol node: a hard link to an object, or a soft link that nobody follows
static cairn_status check_entry(cairn_scan* s, cairn_scan_group* g, uint64_t at, int depth)
{
    const char* name = name_of(s, g, cairn_scan_at(s, at, 8));
    uint64_t cache = cairn_scan_at(s, at + 16, 4);
    if (!name || cache > 2 || strcmp(name, g->last) <= 0)
        return cairn_scan_damaged(s, at, "an entry of a group, in order of names");

    g->last = name;

    // a soft link has only a name where it leads
    if (cache == 2)
        return name_of(s, g, cairn_scan_at(s, at + 24, 4))
                   ? CAIRN_OK
                   : cairn_scan_damaged(s, at + 24, "where a link leads");

    // what Cairn does not read need not be sound
    if (is_passed_over(s, name, depth))
        return CAIRN_OK;
    cairn_scan_group cached = {.tree = cairn_scan_at(s, at + 24, 8),
                               .heap = cairn_scan_at(s, at + 32, 8)};

    s->going = depth == 1 ? strcmp(name, "solution") == 0 : s->going;

    // the path so far, for error messages, grows by this name
    size_t trail = strlen(s->name);
    if (trail + strlen(name) + 2 > sizeof s->name)
        return cairn_scan_damaged(s, at, "shorter names");
    snprintf(s->name + trail, sizeof s->name - trail, "/%s", name);

    cairn_status status =
        check_object(s, cairn_scan_at(s, at + 8, 8), depth, cache == 1 ? &cached : NULL);
    s->name[trail] = 0;
    return status;
}

static cairn_status check_symbols(cairn_scan* s, cairn_scan_group* g, uint64_t at, int depth)
{
    if (!cairn_scan_claim(s, at, 8 + 80 * (uint64_t)s->leaf_k) ||
        !cairn_scan_signed(s, at, "SNOD") || s->data[at + 4] != 1)
        return cairn_scan_damaged(s, at, "a node of names");
    uint64_t count = cairn_scan_at(s, at + 6, 2);
    if (count > 2 * (uint64_t)s->leaf_k)
        return cairn_scan_damaged(s, at + 6, "a node of names that is not overfull");
    for (uint64_t k = 0; k < count; k++) {
        cairn_status status = check_entry(s, g, at + 8 + 40 * k, depth);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static cairn_status check_tree(cairn_scan* s, cairn_scan_group* g, uint64_t at, int level,
                               int depth);

// the children of a node: names of child k lie above key k and not above key k + 1
static cairn_status check_children(cairn_scan* s, cairn_scan_group* g, uint64_t at, int level,
                                   int depth)
{
    uint64_t count = cairn_scan_at(s, at + 6, 2);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t key = at + 24 + 16 * k, child = cairn_scan_at(s, key + 8, 8);
        const char* above = name_of(s, g, cairn_scan_at(s, key, 8));
        const char* upto = name_of(s, g, cairn_scan_at(s, key + 16, 8));

        if (!above || !upto || strcmp(g->last, above) > 0)
            return cairn_scan_damaged(s, key, "a name of the heap, in order of names");
        g->last = above;

        cairn_status status = level == 0 ? check_symbols(s, g, child, depth)
                                         : check_tree(s, g, child, level - 1, depth);
        if (status != CAIRN_OK)
            return status;

        if (strcmp(g->last, upto) > 0)
            return cairn_scan_damaged(s, key + 16, "a name of the heap, in order of names");
    }
    return CAIRN_OK;
}

static cairn_status check_tree(cairn_scan* s, cairn_scan_group* g, uint64_t at, int level,
                               int depth)
{
    if (!cairn_scan_claim(s, at, 32 + 32 * (uint64_t)s->node_k) ||
        !cairn_scan_signed(s, at, "TREE") || s->data[at + 4] != 0)
        return cairn_scan_damaged(s, at, "a tree of names");
    int own = s->data[at + 5];
    uint64_t count = cairn_scan_at(s, at + 6, 2);
    if ((level != any_level && own != level) || own > deepest || count > 2 * (uint64_t)s->node_k)
        return cairn_scan_damaged(s, at + 5, "a tree of names that is not overfull");
    for (uint64_t side = 0; side < 2; side++) {
        uint64_t sibling = cairn_scan_at(s, at + 8 + 8 * side, 8);
        if (sibling != cairn_undefined && !inside(s, sibling, 32))
            return cairn_scan_damaged(s, at + 8, "a neighbor within the file");
    }
    return check_children(s, g, at, own, depth);
}

// `cached`: what the entry of a group said of its table, or NULL
static cairn_status check_object(cairn_scan* s, uint64_t at, int depth,
                                 const cairn_scan_group* cached)
{
    cairn_scan_object o;
    if (++s->objects > most_objects || depth > deepest)
        return cairn_scan_damaged(s, at, "fewer objects, or groups less deep");

    cairn_status status = read_header(s, &o, at);
    if (status != CAIRN_OK)
        return status;

    if (s->going && o.attributes)
        return cairn_scan_damaged(s, at, "a solution without attributes, as it is to be replaced");
    if (cached && (!o.is_group || cached->tree != o.table.tree || cached->heap != o.table.heap))
        return cairn_scan_damaged(s, at, "the table of names that its entry tells of");

    if (!o.is_group)
        return cairn_scan_dataset(s, &o, at);
    if (o.has_space || o.has_type || o.has_layout)
        return cairn_scan_damaged(s, at, "a group or a dataset");

    o.table.last = "";
    status = check_heap(s, &o.table);
    return status == CAIRN_OK ? check_tree(s, &o.table, o.table.tree, any_level, depth + 1)
                              : status;
}

// ---------------------------------------------------------------- the superblock

static cairn_status check_superblock(cairn_scan* s, uint64_t* root)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    if (s->size < 8 || memcmp(s->data, signature, 8) != 0)
        return cairn_fail(s->error, CAIRN_BAD_INPUT,
                          "%s: is not an HDF5 file, its first bytes are not HDF5's", s->path);

    if (s->size < 100)
        return cairn_scan_damaged(s, s->size, "a superblock, the file ends");

    uint64_t version = s->data[8], wide = version == 1 ? 4 : 0;
    if (version > 1)
        return cairn_fail(s->error, CAIRN_BAD_INPUT,
                          "%s: has an HDF5 superblock of version %d, expected 0 or 1 (h5repack "
                          "makes one)",
                          s->path, (int)version);

    // addresses and lengths of 8 bytes, in the formats of version 0
    if (s->data[9] || s->data[10] || s->data[12] || s->data[13] != 8 || s->data[14] != 8)
        return cairn_scan_damaged(s, 9, "a superblock with addresses of 8 bytes");

    // half of the entries that a node has room for
    s->leaf_k = (unsigned)cairn_scan_at(s, 16, 2);
    s->node_k = (unsigned)cairn_scan_at(s, 18, 2);
    if (s->leaf_k < 1 || s->leaf_k > widest_node || s->node_k < 1 || s->node_k > widest_node)
        return cairn_scan_damaged(s, 16, "nodes of 1 to 1024");

    // the flag of a file that is open for writing, or was never closed
    if (cairn_scan_at(s, 20, 4) != 0 || (wide && cairn_scan_at(s, 24, 2) == 0))
        return cairn_scan_damaged(s, 20, "a file that was closed");

    s->chunk_k = wide ? (unsigned)cairn_scan_at(s, 24, 2) : 32;
    if (s->chunk_k > widest_node)
        return cairn_scan_damaged(s, 24, "nodes of 1 to 1024");

    // no user block before the file, no free-space list, no driver information
    if (cairn_scan_at(s, 24 + wide, 8) != 0 || cairn_scan_at(s, 32 + wide, 8) != cairn_undefined ||
        cairn_scan_at(s, 48 + wide, 8) != cairn_undefined)
        return cairn_scan_damaged(s, 24, "a file that begins at its first byte, without drivers");

    uint64_t end = cairn_scan_at(s, 40 + wide, 8);
    if (end > s->size)
        return cairn_fail(s->error, CAIRN_BAD_INPUT,
                          "%s: is cut off, it has %llu bytes and was written with %llu", s->path,
                          (unsigned long long)s->size, (unsigned long long)end);

    // what lies behind the end of the file is not looked at
    s->size = end;
    *root = 56 + wide;
    return CAIRN_OK;
}

static cairn_status check_root(cairn_scan* s)
{
    uint64_t root = 0;
    cairn_status status = check_superblock(s, &root);
    if (status != CAIRN_OK)
        return status;
    if (!cairn_scan_claim(s, 0, root + 40) || cairn_scan_at(s, root + 16, 4) > 1)
        return cairn_scan_damaged(s, root, "the first group");
    cairn_scan_group cached = {.tree = cairn_scan_at(s, root + 24, 8),
                               .heap = cairn_scan_at(s, root + 32, 8)};
    bool told = cairn_scan_at(s, root + 16, 4) == 1;
    return check_object(s, cairn_scan_at(s, root + 8, 8), 0, told ? &cached : NULL);
}

static cairn_status check_all(cairn_scan* s)
{
    s->claimed = calloc(s->size / 8 + 1, 1);
    if (!s->claimed)
        return cairn_fail(s->error, CAIRN_NO_MEMORY, "%s: no memory to check it", s->path);
    cairn_status status = check_root(s);
    free(s->claimed);
    return status;
}

cairn_status cairn_hdf5_check(const void* data, size_t size, const char* path, bool change,
                              cairn_error* error)
{
    cairn_scan s = {.data = data, .size = size, .path = path, .change = change, .error = error};
    return check_all(&s);
}

cairn_status cairn_hdf5_walk(const void* data, size_t size, const char* path,
                             cairn_hdf5_visit* visit, void* context, cairn_error* error)
{
    cairn_scan s = {.data = data,
                    .size = size,
                    .path = path,
                    .error = error,
                    .visit = visit,
                    .context = context};
    return check_all(&s);
}
