// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Columns that grow in a file that is sound at every moment. HDF5's own library leaves a file that
// nobody can open when its process is killed (or one that only readers with a special flag open),
// so it makes the empty file, and the rows are appended here:
//
//     rows of the last, unfinished chunk  -> in place, into a spare chunk that is not compressed
//     tree of chunks                      -> leads to the spare chunk
//     extent of the array                 -> one number: the rows are there
//
// A finished chunk is put aside, then compressed and appended, then the tree leads there and the
// spare chunk is free for the next one. Each arrow is one write that the end of the process cannot
// cut in two, and what it leads to was written before. On closing, the file is packed: copied
// without its spare chunks, and renamed.

#include "io/hdf5/chunk_tree.h"
#include "io/hdf5/columns.h"
#include "io/hdf5/shuffle.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { page = 4096 };

typedef struct column {
    const cairn_column_def* def;
    uint64_t rows, written; // put, and known to the file
    uint64_t tail;          // rows of the unfinished chunk
    uint64_t tail_written;
    bool linked;    // the tree leads to the spare chunk
    uint64_t spare; // its address; 0: none yet
    size_t row_bytes, chunk_bytes;
    unsigned char* chunk;  // the unfinished one
    unsigned char** ready; // finished ones that were not appended yet
    int ready_count, ready_capacity;
    unsigned char* pool; // a chunk to use next, or NULL
    uint64_t extent_at;
    cairn_chunk_tree tree;
    cairn_hdf5_chunk* chunks; // tree.count of them
    uint64_t chunk_capacity;
} column;

struct cairn_columns {
    char* path;
    cairn_place place;
    cairn_bytes start;
    int count;
    column* columns;
    unsigned char *packed, *scratch; // room for the largest chunk
    bool failed;
};

static cairn_status refused(cairn_columns* c, cairn_error* error)
{
    c->failed = true;
    if (errno == ENOMEM)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", c->path);
    return cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be written: %s", c->path, strerror(errno));
}

// ---------------------------------------------------------------- making

// where the extents and trees of the columns are in the empty file
static cairn_status find_column(void* context, const cairn_hdf5_dataset* dataset)
{
    cairn_columns* c = context;
    for (int i = 0; dataset->chunked && i < c->count; i++)
        if (strcmp(c->columns[i].def->name, dataset->name) == 0) {
            c->columns[i].extent_at = dataset->extent_at;
            c->columns[i].tree.root_at = dataset->tree_at;
            c->columns[i].tree.rank = dataset->rank;
            c->columns[i].tree.rows = dataset->chunk_rows;
        }
    return CAIRN_OK;
}

static cairn_status take_memory(cairn_columns* c, const cairn_column_def* defs)
{
    size_t most = 0;
    c->columns = calloc((size_t)c->count, sizeof *c->columns);
    if (!c->columns)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < c->count; i++) {
        column* col = &c->columns[i];
        col->def = &defs[i];
        col->row_bytes = (size_t)defs[i].size * (size_t)defs[i].width;
        col->chunk_bytes = col->row_bytes * (size_t)defs[i].chunk_rows;
        col->chunk = calloc(1, col->chunk_bytes);
        if (!col->chunk)
            return CAIRN_NO_MEMORY;
        most = col->chunk_bytes > most ? col->chunk_bytes : most;
    }

    c->packed = malloc(most);
    c->scratch = malloc(most);
    return c->packed && c->scratch ? CAIRN_OK : CAIRN_NO_MEMORY;
}

// a new file with the bytes of the empty one, under another name
static int start_file(char* beside, size_t room, const char* path, const cairn_bytes* start)
{
    int file = cairn_file_open_beside(beside, room, path);
    cairn_place place = {.file = file};
    if (file >= 0 && !cairn_place_write(&place, 0, start->data, start->size)) {
        int reason = errno;
        close(file);
        unlink(beside);
        errno = reason;
        return -1;
    }
    return file;
}

static cairn_status make_file(cairn_columns* c, bool force, cairn_error* error)
{
    size_t room = strlen(c->path) + 40;
    char* beside = malloc(room);
    if (!beside)
        return CAIRN_NO_MEMORY;
    c->place.file = start_file(beside, room, c->path, &c->start);
    cairn_status status = CAIRN_OK;
    if (c->place.file < 0) {
        status = refused(c, error);
    } else {
        status = cairn_file_take_name(beside, c->path, force, error);
    }
    free(beside);
    return status;
}

static void destroy(cairn_columns* c)
{
    if (c->place.file >= 0)
        close(c->place.file);

    for (int i = 0; c->columns && i < c->count; i++) {
        column* col = &c->columns[i];
        for (int k = 0; k < col->ready_count; k++)
            free(col->ready[k]);
        free(col->ready);
        free(col->pool);
        free(col->chunk);
        free(col->chunks);
    }

    free(c->columns);
    free(c->packed);
    free(c->scratch);
    free(c->start.data);
    free(c->path);
    free(c);
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

cairn_status cairn_columns_create(cairn_columns** columns, const char* path,
                                  const cairn_bytes* start, const cairn_column_def* defs, int count,
                                  bool force, cairn_error* error)
{
    if (!is_little_endian())
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "%s: recordings are written on little-endian machines only", path);
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status != CAIRN_OK)
        return status;

    cairn_columns* c = calloc(1, sizeof *c);
    if (!c)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);

    // the file begins with what HDF5 made, whose columns are all empty
    c->count = count;
    c->place = (cairn_place){.file = -1, .end = start->size, .align = page};
    c->path = strdup(path);
    c->start = (cairn_bytes){malloc(start->size), start->size};
    status = c->path && c->start.data ? take_memory(c, defs) : CAIRN_NO_MEMORY;

    // where each column has its extent and the root of its tree
    if (status == CAIRN_OK) {
        memcpy(c->start.data, start->data, start->size);
        status = cairn_hdf5_walk(start->data, start->size, path, find_column, c, error);
    }
    for (int i = 0; status == CAIRN_OK && i < count; i++)
        if (c->columns[i].tree.root_at == 0)
            status = cairn_fail(error, CAIRN_FAULT, "%s: was made without %s", path, defs[i].name);

    if (status == CAIRN_OK)
        status = make_file(c, force, error);
    if (status == CAIRN_NO_MEMORY)
        cairn_fail(error, status, "%s: no memory to write it", path);

    if (status != CAIRN_OK)
        destroy(c);
    else
        *columns = c;
    return status;
}

// ---------------------------------------------------------------- rows

// the last chunk is `chunk`: one more, or another one in place of the spare one
static bool link_chunk(cairn_columns* c, column* col, const cairn_hdf5_chunk* chunk)
{
    if (col->tree.count == col->chunk_capacity) {
        uint64_t capacity = col->chunk_capacity ? 2 * col->chunk_capacity : 16;
        cairn_hdf5_chunk* grown = realloc(col->chunks, capacity * sizeof *grown);
        if (!grown)
            return false;
        col->chunks = grown;
        col->chunk_capacity = capacity;
    }
    if (!(col->linked ? cairn_chunk_tree_replace(&col->tree, &c->place, chunk)
                      : cairn_chunk_tree_add(&col->tree, &c->place, chunk)))
        return false;
    col->chunks[col->tree.count - 1] = *chunk;
    return true;
}

// compresses a chunk and appends it; as it is when that would not make it smaller
static bool append_chunk(cairn_columns* c, const column* col, const unsigned char* bytes,
                         cairn_place* place, cairn_hdf5_chunk* chunk)
{
    size_t size =
        cairn_pack(c->packed, bytes, col->chunk_bytes, (size_t)col->def->size, c->scratch);
    *chunk =
        (cairn_hdf5_chunk){.size = (uint32_t)(size ? size : col->chunk_bytes), .plain = size == 0};
    chunk->at = cairn_place_take(place, chunk->size, 1);
    return chunk->at != 0 &&
           cairn_place_write(place, chunk->at, size ? c->packed : bytes, chunk->size);
}

// appends the finished chunks; the first takes the place of the spare one where that is linked
static bool append_ready(cairn_columns* c, column* col)
{
    for (int k = 0; k < col->ready_count; k++) {
        cairn_hdf5_chunk chunk;
        if (!append_chunk(c, col, col->ready[k], &c->place, &chunk) || !link_chunk(c, col, &chunk))
            return false;
        col->linked = false;
    }
    for (int k = 0; k < col->ready_count; k++) {
        free(col->pool);
        col->pool = col->ready[k];
    }
    col->ready_count = 0;
    return true;
}

// puts the finished chunk aside and starts another
static bool turn_chunk(column* col)
{
    if (col->ready_count == col->ready_capacity) {
        int capacity = col->ready_capacity ? 2 * col->ready_capacity : 4;
        unsigned char** grown = realloc(col->ready, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        col->ready = grown;
        col->ready_capacity = capacity;
    }

    unsigned char* next = col->pool ? col->pool : malloc(col->chunk_bytes);
    if (!next)
        return false;

    col->pool = NULL;
    col->ready[col->ready_count++] = col->chunk;
    col->chunk = next;
    col->tail = col->tail_written = 0;
    return true;
}

cairn_status cairn_columns_put(cairn_columns* c, int index, const void* rows, size_t count,
                               cairn_error* error)
{
    column* col = &c->columns[index];
    const unsigned char* from = rows;
    uint64_t most = (uint64_t)col->def->chunk_rows;
    if (c->failed)
        return cairn_fail(error, CAIRN_NO_FILE, "%s: could not be written before", c->path);

    while (count > 0) {
        uint64_t now = most - col->tail < count ? most - col->tail : count;
        memcpy(col->chunk + col->tail * col->row_bytes, from, now * col->row_bytes);
        from += now * col->row_bytes;
        count -= now;
        col->tail += now;
        col->rows += now;

        if (col->tail == most && !turn_chunk(col))
            return refused(c, error);
    }
    return CAIRN_OK;
}

cairn_status cairn_columns_settle(cairn_columns* c, cairn_error* error)
{
    for (int i = 0; i < c->count; i++)
        if (c->columns[i].ready_count > 0 && !append_ready(c, &c->columns[i]))
            return refused(c, error);
    return CAIRN_OK;
}

uint64_t cairn_columns_rows(const cairn_columns* c, int index)
{
    return c->columns[index].rows;
}

static bool write_tail(cairn_columns* c, column* col)
{
    if (col->tail == col->tail_written)
        return true;
    if (col->spare == 0)
        col->spare = cairn_place_take(&c->place, col->chunk_bytes, 8);
    size_t from = col->tail_written * col->row_bytes, to = col->tail * col->row_bytes;
    if (col->spare == 0 ||
        !cairn_place_write(&c->place, col->spare + from, col->chunk + from, to - from))
        return false;
    cairn_hdf5_chunk chunk = {col->spare, (uint32_t)col->chunk_bytes, true};
    if (!col->linked && !link_chunk(c, col, &chunk))
        return false;
    col->linked = true;
    col->tail_written = col->tail;
    return true;
}

static bool write_extent(const cairn_place* place, const column* col)
{
    // machines that write are little-endian
    return cairn_place_write(place, col->extent_at, &col->rows, 8);
}

cairn_status cairn_columns_flush(cairn_columns* c, cairn_error* error)
{
    if (c->failed)
        return cairn_fail(error, CAIRN_NO_FILE, "%s: could not be written before", c->path);

    // finished chunks, then the rows of the unfinished one
    cairn_status status = cairn_columns_settle(c, error);
    if (status != CAIRN_OK)
        return status;
    for (int i = 0; i < c->count; i++)
        if (!write_tail(c, &c->columns[i]))
            return refused(c, error);

    // last the extents: only now a reader sees the rows
    for (int i = 0; i < c->count; i++) {
        column* col = &c->columns[i];
        if (col->rows != col->written && !write_extent(&c->place, col))
            return refused(c, error);
        col->written = col->rows;
    }

    return CAIRN_OK;
}

// ---------------------------------------------------------------- packing

static bool read_all(int file, void* to, size_t size, uint64_t at)
{
    char* here = to;
    while (size > 0) {
        ssize_t got = pread(file, here, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        here += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

static bool pack_column(cairn_columns* c, column* col, cairn_place* place)
{
    // the spare chunk, if the tree leads there, is not copied
    uint64_t count = col->tree.count - col->linked;
    col->tree = (cairn_chunk_tree){
        .rank = col->tree.rank, .rows = col->tree.rows, .root_at = col->tree.root_at};

    for (uint64_t k = 0; k < count; k++) {
        cairn_hdf5_chunk chunk = col->chunks[k];
        if (!read_all(c->place.file, c->packed, chunk.size, chunk.at))
            return false;

        // chunks stand one after the other, as they are compressed
        chunk.at = cairn_place_take(place, chunk.size, 1);
        if (chunk.at == 0 || !cairn_place_write(place, chunk.at, c->packed, chunk.size) ||
            !cairn_chunk_tree_add(&col->tree, place, &chunk))
            return false;
    }

    // the unfinished chunk is filled up with zeros and compressed like the others
    if (col->tail > 0) {
        cairn_hdf5_chunk chunk;
        size_t used = col->tail * col->row_bytes;
        memset(col->chunk + used, 0, col->chunk_bytes - used);
        if (!append_chunk(c, col, col->chunk, place, &chunk) ||
            !cairn_chunk_tree_add(&col->tree, place, &chunk))
            return false;
    }

    return write_extent(place, col);
}

// The file is complete also when this fails, only larger: then it is left as it is.
static void pack(cairn_columns* c)
{
    size_t room = strlen(c->path) + 40;
    char* beside = malloc(room);
    if (!beside)
        return;

    cairn_place place = {.end = c->start.size, .align = 8};
    place.file = start_file(beside, room, c->path, &c->start);
    bool done = place.file >= 0;

    for (int i = 0; done && i < c->count; i++)
        done = pack_column(c, &c->columns[i], &place);

    // on the disk before it takes the name
    if (place.file >= 0) {
        done = done && fsync(place.file) == 0;
        done = close(place.file) == 0 && done;
        if (done)
            cairn_file_take_name(beside, c->path, true, NULL);
        else
            unlink(beside);
    }

    free(beside);
}

cairn_status cairn_columns_close(cairn_columns* c, bool packed, cairn_error* error)
{
    if (!c)
        return CAIRN_OK;
    cairn_status status = cairn_columns_flush(c, error);
    if (status == CAIRN_OK && packed)
        pack(c);
    destroy(c);
    return status;
}
