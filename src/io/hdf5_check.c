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

#include "io/hdf5_check.h"
#include <stdlib.h>
#include <string.h>

enum {
    deepest = 8, // groups in groups
    most_objects = 4096,
    most_chunks = 64,   // of one object header
    widest_node = 1024, // K of a B-tree node
    any_level = -1,
};

static const uint64_t undefined = UINT64_MAX;

typedef struct scan {
    const unsigned char* data;
    uint64_t size;
    const char* path;
    bool change;
    cairn_error* error;
    unsigned leaf_k, node_k; // entries of a symbol node and of a B-tree node are at most 2 K
    int objects;
    bool going;             // in the part that a change deletes
    unsigned char* claimed; // a bit for each byte that something lies in already
} scan;

// a group: where its names and its entries are
typedef struct group {
    uint64_t tree, heap;
    uint64_t names, names_size; // the heap's data
    const char* last;           // name met so far: names ascend
} group;

// what the messages of one object said
typedef struct object {
    bool is_group, has_space, has_type, has_layout, allocated, attributes;
    group table;
    uint64_t points;
    uint64_t type_size;
    uint64_t fill_size;
    uint64_t stored;
} object;

// ---------------------------------------------------------------- bytes

static cairn_status damaged(const scan* s, uint64_t at, const char* expected)
{
    return cairn_fail(s->error, CAIRN_BAD_INPUT, "%s: is damaged at byte %llu, expected %s",
                      s->path, (unsigned long long)at, expected);
}

static bool inside(const scan* s, uint64_t at, uint64_t length)
{
    return at <= s->size && length <= s->size - at;
}

// every byte belongs to one thing: HDF5 keeps what it has read by its address
static bool claim(const scan* s, uint64_t at, uint64_t length)
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

static uint64_t number(const unsigned char* at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static uint64_t number_at(const scan* s, uint64_t at, int bytes)
{
    return number(s->data + at, bytes);
}

static bool signed_as(const scan* s, uint64_t at, const char* signature)
{
    return memcmp(s->data + at, signature, 4) == 0;
}

// ---------------------------------------------------------------- messages of a dataset

static cairn_status check_space(const scan* s, object* o, uint64_t at, uint64_t length)
{
    if (o->has_space || length < 4)
        return damaged(s, at, "one dataspace");
    uint64_t version = number_at(s, at, 1), rank = number_at(s, at + 1, 1),
             flags = number_at(s, at + 2, 1);
    uint64_t header = version == 1 ? 8 : 4;
    if ((version != 1 && version != 2) || flags > 1 || rank > 32 ||
        length < header + 8 * rank * (flags + 1))
        return damaged(s, at, "a dataspace of version 1 or 2");
    if (version == 2 && number_at(s, at + 3, 1) > 2)
        return damaged(s, at + 3, "a scalar, an array or nothing");
    o->points = 1;
    for (uint64_t k = 0; k < rank; k++) {
        uint64_t extent = number_at(s, at + header + 8 * k, 8);
        if (extent > s->size || (extent > 0 && o->points > s->size / extent))
            return damaged(s, at + header + 8 * k, "an array that is not larger than its file");
        o->points *= extent;
    }
    o->has_space = true;
    return CAIRN_OK;
}

// bit offset 0, all bits used; floating point as IEEE 754 says
static bool is_standard_type(const unsigned char* type, uint64_t class, uint64_t size)
{
    const unsigned char* property = type + 8;
    uint64_t bits = number(type + 1, 3);
    if (class == 0)
        return (size == 1 || size == 2 || size == 4 || size == 8) && (bits & ~9ull) == 0 &&
               number(property, 2) == 0 && number(property + 2, 2) == 8 * size;
    static const unsigned char real[2][12] = {{0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0},
                                              {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0}};
    uint64_t sign = size == 4 ? 31 : 63;
    return (size == 4 || size == 8) && (bits & ~1ull) == (sign << 8 | 0x20) &&
           memcmp(property, real[size == 8], 12) == 0;
}

static cairn_status check_type(const scan* s, object* o, uint64_t at, uint64_t length)
{
    if (o->has_type || length < 8)
        return damaged(s, at, "one datatype");
    uint64_t class = number_at(s, at, 1) & 15, version = number_at(s, at, 1) >> 4;
    uint64_t properties = class == 0 ? 4 : class == 1 ? 12 : 0;
    if (version < 1 || version > 3 || (class != 0 && class != 1 && class != 3) ||
        length < 8 + properties)
        return damaged(s, at, "a type of integers, floating-point numbers or fixed strings");
    o->type_size = number_at(s, at + 4, 4);
    if (class == 3 ? o->type_size == 0 || o->type_size > s->size
                   : !is_standard_type(s->data + at, class, o->type_size))
        return damaged(s, at, "a standard type of numbers");
    o->has_type = true;
    return CAIRN_OK;
}

static cairn_status check_fill(const scan* s, object* o, uint64_t type, uint64_t at,
                               uint64_t length)
{
    const char* expected = "a fill value";
    uint64_t place = 0;
    if (type == 4) {
        place = 4;
    } else {
        if (length < 2)
            return damaged(s, at, expected);
        uint64_t version = number_at(s, at, 1);
        if (version < 1 || version > 3 || (version < 3 && length < 4))
            return damaged(s, at, expected);
        if (version == 3)
            place = number_at(s, at + 1, 1) & 0x20 ? 6 : 0;
        else if (version == 1 || number_at(s, at + 3, 1))
            place = 8;
    }
    if (place == 0)
        return CAIRN_OK;
    if (length < place)
        return damaged(s, at, expected);
    uint64_t size = number_at(s, at + place - 4, 4);
    if (size == UINT32_MAX)
        return CAIRN_OK;
    if (size > length - place || (o->fill_size && size && size != o->fill_size))
        return damaged(s, at, expected);
    if (size)
        o->fill_size = size;
    return CAIRN_OK;
}

static cairn_status check_layout(const scan* s, object* o, uint64_t at, uint64_t length)
{
    if (o->has_layout || length < 2 || number_at(s, at, 1) != 3)
        return damaged(s, at, "one layout, of version 3 (h5repack makes one)");
    uint64_t class = number_at(s, at + 1, 1);
    o->has_layout = true;
    if (class == 0 && length >= 4) {
        o->allocated = true;
        o->stored = number_at(s, at + 2, 2);
        return o->stored <= length - 4 ? CAIRN_OK : damaged(s, at, "a compact array in its header");
    }
    if (class != 1 || length < 18)
        return damaged(s, at, "a contiguous array (h5repack -l CONTI makes one)");
    uint64_t address = number_at(s, at + 2, 8);
    o->allocated = address != undefined;
    o->stored = number_at(s, at + 10, 8);
    if (o->allocated && !claim(s, address, o->stored))
        return damaged(s, at, "an array in bytes of its own");
    return CAIRN_OK;
}

// ---------------------------------------------------------------- object headers

static cairn_status check_message(const scan* s, object* o, uint64_t type, uint64_t at,
                                  uint64_t length)
{
    switch (type) {
    case 0x00: // nothing
        return CAIRN_OK;
    case 0x01:
        return check_space(s, o, at, length);
    case 0x03:
        return check_type(s, o, at, length);
    case 0x04:
    case 0x05:
        return check_fill(s, o, type, at, length);
    case 0x08:
        return check_layout(s, o, at, length);
    case 0x0c:
        o->attributes = true;
        return CAIRN_OK;
    case 0x11:
        if (o->is_group || length < 16)
            return damaged(s, at, "one table of names");
        o->is_group = true;
        o->table = (group){.tree = number_at(s, at, 8), .heap = number_at(s, at + 8, 8)};
        return CAIRN_OK;
    case 0x12:
        return length >= 8 && number_at(s, at, 1) == 1 ? CAIRN_OK : damaged(s, at, "a time");
    default:
        return damaged(s, at, "a message that contact problems use (h5repack makes such files)");
    }
}

typedef struct chunk_list {
    int count;
    uint64_t at[most_chunks], length[most_chunks];
} chunk_list;

static cairn_status add_chunk(const scan* s, chunk_list* chunks, uint64_t at, uint64_t length)
{
    if (chunks->count == most_chunks || length < 8 || !claim(s, at, length))
        return damaged(s, at, "the rest of an object header in bytes of its own");
    chunks->at[chunks->count] = at;
    chunks->length[chunks->count++] = length;
    return CAIRN_OK;
}

// the messages of one chunk; `count` runs on
static cairn_status check_chunk(const scan* s, object* o, chunk_list* chunks, int k,
                                uint64_t* count)
{
    uint64_t at = chunks->at[k], end = at + chunks->length[k];
    while (at < end) {
        if (end - at < 8)
            return damaged(s, at, "a message");
        uint64_t type = number_at(s, at, 2), length = number_at(s, at + 2, 2);
        if (length > end - at - 8 || length % 8 != 0)
            return damaged(s, at, "a message within its object header");
        if (number_at(s, at + 4, 1) & ~0x05ull)
            return damaged(s, at + 4, "a message that is not shared");
        cairn_status status;
        if (type == 0x10)
            status = length < 16
                         ? damaged(s, at, "a continuation")
                         : add_chunk(s, chunks, number_at(s, at + 8, 8), number_at(s, at + 16, 8));
        else
            status = check_message(s, o, type, at + 8, length);
        if (status != CAIRN_OK)
            return status;
        at += 8 + length;
        ++*count;
    }
    return CAIRN_OK;
}

static cairn_status check_dataset(const scan* s, const object* o, uint64_t at)
{
    if (!o->has_space || !o->has_type || !o->has_layout || o->is_group)
        return damaged(s, at, "a group or a dataset");
    if (o->fill_size && o->fill_size != o->type_size)
        return damaged(s, at, "a fill value of the dataset's type");
    if (o->points > UINT64_MAX / 2 / o->type_size)
        return damaged(s, at, "an array that is not larger than its file");
    if (o->allocated && o->stored < o->points * o->type_size)
        return damaged(s, at, "an array as long as it says");
    return CAIRN_OK;
}

static cairn_status read_header(const scan* s, object* o, uint64_t at)
{
    chunk_list chunks = {0};
    uint64_t count = 0;
    *o = (object){0};
    if (!claim(s, at, 16) || number_at(s, at, 1) != 1)
        return damaged(s, at, "an object header of version 1 in bytes of its own");
    cairn_status status = add_chunk(s, &chunks, at + 16, number_at(s, at + 8, 4));
    for (int k = 0; status == CAIRN_OK && k < chunks.count; k++)
        status = check_chunk(s, o, &chunks, k, &count);
    if (status == CAIRN_OK && count != number_at(s, at + 2, 2))
        status = damaged(s, at, "as many messages as announced");
    return status;
}

// ---------------------------------------------------------------- groups

// the heap of names, and its list of free pieces
static cairn_status check_heap(const scan* s, group* g)
{
    if (!claim(s, g->heap, 32) || !signed_as(s, g->heap, "HEAP") || s->data[g->heap + 4] != 0)
        return damaged(s, g->heap, "a heap of names");
    g->names_size = number_at(s, g->heap + 8, 8);
    g->names = number_at(s, g->heap + 24, 8);
    if (!claim(s, g->names, g->names_size))
        return damaged(s, g->heap, "a heap of names in bytes of its own");
    uint64_t free_at = number_at(s, g->heap + 16, 8), freed = 0;
    while (free_at != 1) {
        if (free_at > g->names_size || g->names_size - free_at < 16)
            return damaged(s, g->heap + 16, "a list of free names within the heap");
        uint64_t length = number_at(s, g->names + free_at + 8, 8);
        if (length < 16 || length > g->names_size - free_at || freed + length > g->names_size)
            return damaged(s, g->names + free_at, "a free piece of the heap");
        freed += length;
        free_at = number_at(s, g->names + free_at, 8);
    }
    return CAIRN_OK;
}

// the name at an offset of the heap, or NULL
static const char* name_of(const scan* s, const group* g, uint64_t offset)
{
    if (offset >= g->names_size)
        return NULL;
    const unsigned char* name = s->data + g->names + offset;
    return memchr(name, 0, g->names_size - offset) ? (const char*)name : NULL;
}

static bool is_passed_over(const scan* s, const char* name, int depth)
{
    return strcmp(name, "info") == 0 || strcmp(name, "comment") == 0 ||
           (!s->change && depth == 1 && strcmp(name, "solution") == 0);
}

static cairn_status check_object(scan* s, uint64_t at, int depth, const group* cached);

// one entry of a symbol node: a hard link to an object, or a soft link that nobody follows
static cairn_status check_entry(scan* s, group* g, uint64_t at, int depth)
{
    const char* name = name_of(s, g, number_at(s, at, 8));
    uint64_t cache = number_at(s, at + 16, 4);
    if (!name || cache > 2 || strcmp(name, g->last) <= 0)
        return damaged(s, at, "an entry of a group, in order of names");
    g->last = name;
    if (cache == 2)
        return name_of(s, g, number_at(s, at + 24, 4)) ? CAIRN_OK
                                                       : damaged(s, at + 24, "where a link leads");
    if (is_passed_over(s, name, depth))
        return CAIRN_OK;
    group cached = {.tree = number_at(s, at + 24, 8), .heap = number_at(s, at + 32, 8)};
    s->going = depth == 1 ? strcmp(name, "solution") == 0 : s->going;
    return check_object(s, number_at(s, at + 8, 8), depth, cache == 1 ? &cached : NULL);
}

static cairn_status check_symbols(scan* s, group* g, uint64_t at, int depth)
{
    if (!claim(s, at, 8 + 80 * (uint64_t)s->leaf_k) || !signed_as(s, at, "SNOD") ||
        s->data[at + 4] != 1)
        return damaged(s, at, "a node of names");
    uint64_t count = number_at(s, at + 6, 2);
    if (count > 2 * (uint64_t)s->leaf_k)
        return damaged(s, at + 6, "a node of names that is not overfull");
    for (uint64_t k = 0; k < count; k++) {
        cairn_status status = check_entry(s, g, at + 8 + 40 * k, depth);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static cairn_status check_tree(scan* s, group* g, uint64_t at, int level, int depth);

// the children of a node: names of child k lie above key k and not above key k + 1
static cairn_status check_children(scan* s, group* g, uint64_t at, int level, int depth)
{
    uint64_t count = number_at(s, at + 6, 2);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t key = at + 24 + 16 * k, child = number_at(s, key + 8, 8);
        const char* above = name_of(s, g, number_at(s, key, 8));
        const char* upto = name_of(s, g, number_at(s, key + 16, 8));
        if (!above || !upto || strcmp(g->last, above) > 0)
            return damaged(s, key, "a name of the heap, in order of names");
        g->last = above;
        cairn_status status = level == 0 ? check_symbols(s, g, child, depth)
                                         : check_tree(s, g, child, level - 1, depth);
        if (status != CAIRN_OK)
            return status;
        if (strcmp(g->last, upto) > 0)
            return damaged(s, key + 16, "a name of the heap, in order of names");
    }
    return CAIRN_OK;
}

static cairn_status check_tree(scan* s, group* g, uint64_t at, int level, int depth)
{
    if (!claim(s, at, 32 + 32 * (uint64_t)s->node_k) || !signed_as(s, at, "TREE") ||
        s->data[at + 4] != 0)
        return damaged(s, at, "a tree of names");
    int own = s->data[at + 5];
    uint64_t count = number_at(s, at + 6, 2);
    if ((level != any_level && own != level) || own > deepest || count > 2 * (uint64_t)s->node_k)
        return damaged(s, at + 5, "a tree of names that is not overfull");
    for (uint64_t side = 0; side < 2; side++) {
        uint64_t sibling = number_at(s, at + 8 + 8 * side, 8);
        if (sibling != undefined && !inside(s, sibling, 32))
            return damaged(s, at + 8, "a neighbor within the file");
    }
    return check_children(s, g, at, own, depth);
}

// `cached`: what the entry of a group said of its table, or NULL
static cairn_status check_object(scan* s, uint64_t at, int depth, const group* cached)
{
    object o;
    if (++s->objects > most_objects || depth > deepest)
        return damaged(s, at, "fewer objects, or groups less deep");
    cairn_status status = read_header(s, &o, at);
    if (status != CAIRN_OK)
        return status;
    if (s->going && o.attributes)
        return damaged(s, at, "a solution without attributes, as it is to be replaced");
    if (cached && (!o.is_group || cached->tree != o.table.tree || cached->heap != o.table.heap))
        return damaged(s, at, "the table of names that its entry tells of");
    if (!o.is_group)
        return check_dataset(s, &o, at);
    if (o.has_space || o.has_type || o.has_layout)
        return damaged(s, at, "a group or a dataset");
    o.table.last = "";
    status = check_heap(s, &o.table);
    return status == CAIRN_OK ? check_tree(s, &o.table, o.table.tree, any_level, depth + 1)
                              : status;
}

// ---------------------------------------------------------------- the superblock

static cairn_status check_superblock(scan* s, uint64_t* root)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    if (s->size < 8 || memcmp(s->data, signature, 8) != 0)
        return cairn_fail(s->error, CAIRN_BAD_INPUT,
                          "%s: is not an HDF5 file, its first bytes are not HDF5's", s->path);
    if (s->size < 100)
        return damaged(s, s->size, "a superblock, the file ends");
    uint64_t version = s->data[8], wide = version == 1 ? 4 : 0;
    if (version > 1)
        return cairn_fail(s->error, CAIRN_BAD_INPUT,
                          "%s: has an HDF5 superblock of version %d, expected 0 or 1 (h5repack "
                          "makes one)",
                          s->path, (int)version);
    if (s->data[9] || s->data[10] || s->data[12] || s->data[13] != 8 || s->data[14] != 8)
        return damaged(s, 9, "a superblock with addresses of 8 bytes");
    s->leaf_k = (unsigned)number_at(s, 16, 2);
    s->node_k = (unsigned)number_at(s, 18, 2);
    if (s->leaf_k < 1 || s->leaf_k > widest_node || s->node_k < 1 || s->node_k > widest_node)
        return damaged(s, 16, "nodes of 1 to 1024");
    if (number_at(s, 20, 4) != 0 || (wide && number_at(s, 24, 2) == 0))
        return damaged(s, 20, "a file that was closed");
    if (number_at(s, 24 + wide, 8) != 0 || number_at(s, 32 + wide, 8) != undefined ||
        number_at(s, 48 + wide, 8) != undefined)
        return damaged(s, 24, "a file that begins at its first byte, without drivers");
    uint64_t end = number_at(s, 40 + wide, 8);
    if (end > s->size)
        return cairn_fail(s->error, CAIRN_BAD_INPUT,
                          "%s: is cut off, it has %llu bytes and was written with %llu", s->path,
                          (unsigned long long)s->size, (unsigned long long)end);
    s->size = end;
    *root = 56 + wide;
    return CAIRN_OK;
}

static cairn_status check_root(scan* s)
{
    uint64_t root = 0;
    cairn_status status = check_superblock(s, &root);
    if (status != CAIRN_OK)
        return status;
    if (!claim(s, 0, root + 40) || number_at(s, root + 16, 4) > 1)
        return damaged(s, root, "the first group");
    group cached = {.tree = number_at(s, root + 24, 8), .heap = number_at(s, root + 32, 8)};
    bool told = number_at(s, root + 16, 4) == 1;
    return check_object(s, number_at(s, root + 8, 8), 0, told ? &cached : NULL);
}

cairn_status cairn_hdf5_check(const void* data, size_t size, const char* path, bool change,
                              cairn_error* error)
{
    scan s = {.data = data, .size = size, .path = path, .change = change, .error = error};
    s.claimed = calloc(size / 8 + 1, 1);
    if (!s.claimed)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to check it", path);
    cairn_status status = check_root(&s);
    free(s.claimed);
    return status;
}
