// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The datasets of an HDF5 file, checked byte by byte: dataspace, datatype, fill value, layout,
// filters, and the tree of chunks of an array that grows:
//
//     layout -> B-tree node -> ... -> leaf: (bytes, filters, first row) and address of each chunk
//
// Chunks cover whole rows, follow each other without a hole, are shuffled and deflated or plain,
// and never larger than what they hold. Only what recordings use is allowed, so that nothing else
// has to be trusted.

#include "io/hdf5/hdf5_scan.h"
#include <stdlib.h>

enum { deepest_tree = 6 };

// ---------------------------------------------------------------- messages

cairn_status cairn_scan_space(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                              uint64_t length)
{
    if (o->has_space || length < 4)
        return cairn_scan_damaged(s, at, "one dataspace");

    uint64_t version = cairn_scan_at(s, at, 1), rank = cairn_scan_at(s, at + 1, 1),
             flags = cairn_scan_at(s, at + 2, 1);
    uint64_t header = version == 1 ? 8 : 4;
    if ((version != 1 && version != 2) || flags > 1 || rank > 32 ||
        length < header + 8 * rank * (flags + 1))
        return cairn_scan_damaged(s, at, "a dataspace of version 1 or 2");

    if (version == 2 && cairn_scan_at(s, at + 3, 1) > 2)
        return cairn_scan_damaged(s, at + 3, "a scalar, an array or nothing");
    if (s->visit && rank > 2)
        return cairn_scan_damaged(s, at + 1, "an array of at most two dimensions");

    o->array.rank = (int)rank;
    o->array.extent_at = at + header;
    o->points = 1;

    // the product of the extents must not overflow, whatever the file claims
    for (uint64_t k = 0; k < rank; k++) {
        uint64_t extent = cairn_scan_at(s, at + header + 8 * k, 8);
        if (extent > UINT64_MAX / 4096 || (extent > 0 && o->points > UINT64_MAX / 4096 / extent))
            return cairn_scan_damaged(s, at + header + 8 * k,
                                      "an array that is not larger than its file");
        o->points *= extent;
        if (k < 2)
            o->array.extent[k] = extent;
    }

    o->has_space = true;
    return CAIRN_OK;
}

// bit offset 0, all bits used; floating point as IEEE 754 says
static bool is_standard_type(const unsigned char* type, uint64_t class, uint64_t size)
{
    const unsigned char* property = type + 8;
    uint64_t bits = cairn_scan_number(type + 1, 3);
    if (class == 0)
        return (size == 1 || size == 2 || size == 4 || size == 8) && (bits & ~9ull) == 0 &&
               cairn_scan_number(property, 2) == 0 &&
               cairn_scan_number(property + 2, 2) == 8 * size;
    static const unsigned char real[2][12] = {{0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0},
                                              {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0}};
    uint64_t sign = size == 4 ? 31 : 63;
    return (size == 4 || size == 8) && (bits & ~1ull) == (sign << 8 | 0x20) &&
           memcmp(property, real[size == 8], 12) == 0;
}

cairn_status cairn_scan_type(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                             uint64_t length)
{
    if (o->has_type || length < 8)
        return cairn_scan_damaged(s, at, "one datatype");

    uint64_t class = cairn_scan_at(s, at, 1) & 15, version = cairn_scan_at(s, at, 1) >> 4;
    uint64_t properties = class == 0 ? 4 : class == 1 ? 12 : 0;
    if (version < 1 || version > 3 || (class != 0 && class != 1 && class != 3) ||
        length < 8 + properties)
        return cairn_scan_damaged(s, at,
                                  "a type of integers, floating-point numbers or fixed strings");

    o->array.size = (uint32_t)cairn_scan_at(s, at + 4, 4);
    o->array.kind = (cairn_hdf5_kind) class;
    o->array.big_endian = class != 3 && s->data[at + 1] & 1;
    o->array.is_signed = class == 0 && s->data[at + 1] & 8;

    if (class == 3 ? o->array.size == 0 || o->array.size > s->size
                   : !is_standard_type(s->data + at, class, o->array.size))
        return cairn_scan_damaged(s, at, "a standard type of numbers");

    o->has_type = true;
    return CAIRN_OK;
}

cairn_status cairn_scan_fill(const cairn_scan* s, cairn_scan_object* o, uint64_t type, uint64_t at,
                             uint64_t length)
{
    const char* expected = "a fill value";
    uint64_t place = 0;

    // where the value begins, by version; 0: there is none
    if (type == 4) {
        place = 4;
    } else {
        if (length < 2)
            return cairn_scan_damaged(s, at, expected);
        uint64_t version = cairn_scan_at(s, at, 1);
        if (version < 1 || version > 3 || (version < 3 && length < 4))
            return cairn_scan_damaged(s, at, expected);
        if (version == 3)
            place = cairn_scan_at(s, at + 1, 1) & 0x20 ? 6 : 0;
        else if (version == 1 || cairn_scan_at(s, at + 3, 1))
            place = 8;
    }

    if (place == 0)
        return CAIRN_OK;
    if (length < place)
        return cairn_scan_damaged(s, at, expected);

    // a length of all ones says that the value is undefined
    uint64_t size = cairn_scan_at(s, at + place - 4, 4);
    if (size == UINT32_MAX)
        return CAIRN_OK;

    if (size > length - place || (o->fill_size && size && size != o->fill_size))
        return cairn_scan_damaged(s, at, expected);
    if (size)
        o->fill_size = size;
    return CAIRN_OK;
}

// an array in pieces: rank + 1 sizes, the last one of an element, in bytes
static cairn_status read_chunked(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                                 uint64_t length)
{
    uint64_t rank = length >= 11 ? cairn_scan_at(s, at + 2, 1) : 0;
    if (rank < 2 || rank > 3 || length < 11 + 4 * rank)
        return cairn_scan_damaged(s, at, "an array in chunks of at most two dimensions");
    o->array.chunked = true;
    o->array.tree_at = at + 3;
    o->tree = cairn_scan_at(s, at + 3, 8);
    o->array.chunk_rows = cairn_scan_at(s, at + 11, 4);
    o->stored = 1;
    for (uint64_t k = 0; k < rank; k++) {
        o->stored *= cairn_scan_at(s, at + 11 + 4 * k, 4);
        if (o->stored > UINT32_MAX)
            return cairn_scan_damaged(s, at, "chunks of less than 4 GB");
    }

    // the extents are checked against these when all messages are known
    o->chunk_width = rank == 3 ? cairn_scan_at(s, at + 15, 4) : 1;
    o->chunk_element = cairn_scan_at(s, at + 7 + 4 * rank, 4);
    o->chunk_rank = (int)rank - 1;
    return CAIRN_OK;
}

cairn_status cairn_scan_layout(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                               uint64_t length)
{
    if (o->has_layout || length < 2 || cairn_scan_at(s, at, 1) != 3)
        return cairn_scan_damaged(s, at, "one layout, of version 3 (h5repack makes one)");

    uint64_t class = cairn_scan_at(s, at + 1, 1);
    o->has_layout = true;

    // compact: the array is in the header itself
    if (class == 0 && length >= 4) {
        o->allocated = true;
        o->array.data_at = at + 4;
        o->stored = cairn_scan_at(s, at + 2, 2);
        return o->stored <= length - 4 ? CAIRN_OK
                                       : cairn_scan_damaged(s, at, "a compact array in its header");
    }

    if (class == 2 && s->visit)
        return read_chunked(s, o, at, length);

    // contiguous: one piece of the file, or none if nothing was ever written
    if (class != 1 || length < 18)
        return cairn_scan_damaged(s, at, "a contiguous array (h5repack -l CONTI makes one)");
    uint64_t address = cairn_scan_at(s, at + 2, 8);
    o->allocated = address != cairn_undefined;
    o->stored = cairn_scan_at(s, at + 10, 8);

    if (!o->allocated)
        return CAIRN_OK;
    o->array.data_at = address;
    return cairn_scan_claim(s, address, o->stored)
               ? CAIRN_OK
               : cairn_scan_damaged(s, at, "an array in bytes of its own");
}

// shuffle (2), then deflate (1): version 1 of the message, names left out or padded to 8 bytes
cairn_status cairn_scan_filters(const cairn_scan* s, cairn_scan_object* o, uint64_t at,
                                uint64_t length)
{
    static const uint64_t wanted[2] = {2, 1};
    const char* expected = "the filters shuffle and deflate";
    uint64_t here = 8;
    if (!s->visit || o->has_filters || length < 8 || cairn_scan_at(s, at, 2) != 0x0201)
        return cairn_scan_damaged(s, at, expected);

    for (int k = 0; k < 2; k++) {
        if (length - here < 8)
            return cairn_scan_damaged(s, at, expected);

        uint64_t id = cairn_scan_at(s, at + here, 2), name = cairn_scan_at(s, at + here + 2, 2),
                 values = cairn_scan_at(s, at + here + 6, 2);

        if (id != wanted[k] || name > 64 || name % 8 != 0 || values != 1 ||
            length - here < 8 + name + 8)
            return cairn_scan_damaged(s, at + here, expected);
        here += 8 + name + 8;
    }

    o->has_filters = true;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- chunks

typedef struct chunk_table {
    cairn_hdf5_chunk* chunks;
    uint64_t count, capacity;
    uint64_t row_key; // bytes of a key
    uint64_t bytes;   // of a chunk that is not compressed
} chunk_table;

static cairn_status add_chunk(const cairn_scan* s, const cairn_scan_object* o, chunk_table* table,
                              uint64_t key)
{
    uint64_t size = cairn_scan_at(s, key, 4), mask = cairn_scan_at(s, key + 4, 4);
    uint64_t address = cairn_scan_at(s, key + table->row_key, 8);

    if (cairn_scan_at(s, key + 8, 8) != table->count * o->array.chunk_rows)
        return cairn_scan_damaged(s, key, "the chunk that follows the one before");

    if ((mask != 0 && mask != 3) || size == 0 || size > table->bytes ||
        (mask == 3 && size != table->bytes) || !cairn_scan_claim(s, address, size))
        return cairn_scan_damaged(s, key, "a chunk in bytes of its own");

    if (table->count == table->capacity) {
        uint64_t capacity = table->capacity ? 2 * table->capacity : 64;
        cairn_hdf5_chunk* grown = realloc(table->chunks, capacity * sizeof *grown);
        if (!grown)
            return cairn_fail(s->error, CAIRN_NO_MEMORY, "%s: no memory for a list of chunks",
                              s->path);
        table->chunks = grown;
        table->capacity = capacity;
    }
    table->chunks[table->count++] = (cairn_hdf5_chunk){address, (uint32_t)size, mask == 3};
    return CAIRN_OK;
}

static cairn_status read_tree(const cairn_scan* s, const cairn_scan_object* o, chunk_table* table,
                              uint64_t at, uint64_t level)
{
    uint64_t entry = table->row_key + 8;

    // an entry is a key and the address of a child
    if (!cairn_scan_claim(s, at, 24 + 2 * s->chunk_k * entry + table->row_key) ||
        !cairn_scan_signed(s, at, "TREE") || s->data[at + 4] != 1)
        return cairn_scan_damaged(s, at, "a tree of chunks");

    uint64_t own = s->data[at + 5], count = cairn_scan_at(s, at + 6, 2);
    if (own > deepest_tree || (level != deepest_tree + 1 && own != level) || count == 0 ||
        count > 2 * (uint64_t)s->chunk_k)
        return cairn_scan_damaged(s, at + 5, "a tree of chunks that is not overfull");

    cairn_status status = CAIRN_OK;
    for (uint64_t k = 0; status == CAIRN_OK && k < count; k++) {
        uint64_t key = at + 24 + k * entry;
        status = own == 0
                     ? add_chunk(s, o, table, key)
                     : read_tree(s, o, table, cairn_scan_at(s, key + table->row_key, 8), own - 1);
    }

    return status;
}

static cairn_status read_chunks(const cairn_scan* s, cairn_scan_object* o, uint64_t at)
{
    cairn_hdf5_dataset* array = &o->array;
    uint64_t rows = array->extent[0], width = array->rank == 2 ? array->extent[1] : 1;
    if (!o->has_filters || o->chunk_rank != array->rank || array->chunk_rows == 0 ||
        o->chunk_width != width || o->chunk_element != array->size)
        return cairn_scan_damaged(s, at, "chunks of whole rows, shuffled and deflated");

    chunk_table table = {.row_key = 16 + 8 * (uint64_t)array->rank, .bytes = o->stored};
    cairn_status status = CAIRN_OK;
    if (o->tree != cairn_undefined)
        status = read_tree(s, o, &table, o->tree, deepest_tree + 1);

    if (status == CAIRN_OK && rows > table.count * array->chunk_rows)
        status = cairn_scan_damaged(s, at, "chunks for every row");

    array->chunks = table.chunks;
    array->chunk_count = table.count;
    if (status == CAIRN_OK)
        status = s->visit(s->context, array);

    free(table.chunks);
    return status;
}

cairn_status cairn_scan_dataset(const cairn_scan* s, cairn_scan_object* o, uint64_t at)
{
    if (!o->has_space || !o->has_type || !o->has_layout || o->is_group)
        return cairn_scan_damaged(s, at, "a group or a dataset");
    if (o->fill_size && o->fill_size != o->array.size)
        return cairn_scan_damaged(s, at, "a fill value of the dataset's type");
    o->array.name = s->name;
    if (o->array.chunked)
        return read_chunks(s, o, at);
    if (o->has_filters || o->points > s->size || o->points > UINT64_MAX / 2 / o->array.size)
        return cairn_scan_damaged(s, at, "an array that is not larger than its file");
    if (o->allocated && o->stored < o->points * o->array.size)
        return cairn_scan_damaged(s, at, "an array as long as it says");
    return s->visit ? s->visit(s->context, &o->array) : CAIRN_OK;
}
