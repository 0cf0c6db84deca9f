// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Columns of a file in memory. The walk of hdf5_check.c lists where chunks lie and has checked that
// they lie in the file; what they hold is unpacked here, exactly as much as fits, one chunk of each
// column at a time. HDF5's library takes no part: nothing has to be trusted.

#include "io/hdf5/columns.h"
#include "io/hdf5/shuffle.h"
#include <stdlib.h>
#include <string.h>

enum { most_arrays = 64 };

typedef struct column {
    const cairn_column_def* def;
    bool found;
    uint64_t rows, chunk_rows;
    uint64_t chunk_count;
    cairn_hdf5_chunk* chunks;
    size_t row_bytes, chunk_bytes;
    unsigned char* open; // the chunk that was read last
    uint64_t open_index;
    bool is_open;
} column;

typedef struct array {
    char name[64];
    cairn_hdf5_kind kind;
    size_t size, count;
    uint64_t at;
} array;

struct cairn_table {
    const char* path;
    cairn_bytes bytes; // borrowed
    int count;
    column* columns;
    int array_count;
    array arrays[most_arrays];
    unsigned char* scratch;
    size_t scratch_size;
    cairn_error* error; // while opening
};

// ---------------------------------------------------------------- opening

static bool is_of_type(const cairn_column_def* def, const cairn_hdf5_dataset* set)
{
    return set->chunked && set->kind == def->kind && !set->big_endian &&
           set->size == (uint32_t)def->size &&
           (def->kind != CAIRN_HDF5_INTEGER || set->is_signed == def->is_signed) &&
           set->rank == (def->width > 1 ? 2 : 1) &&
           (set->rank == 1 || set->extent[1] == (uint64_t)def->width) &&
           set->chunk_rows == (uint64_t)def->chunk_rows;
}

static cairn_status keep_column(cairn_table* t, column* col, const cairn_hdf5_dataset* set)
{
    if (!is_of_type(col->def, set))
        return cairn_fail(t->error, CAIRN_BAD_INPUT,
                          "%s: %s is of another type or shape than in a recording", t->path,
                          set->name);

    col->found = true;
    col->rows = set->extent[0];
    col->chunk_rows = set->chunk_rows;
    col->chunk_count = set->chunk_count;
    col->row_bytes = (size_t)col->def->size * (size_t)col->def->width;
    col->chunk_bytes = col->row_bytes * (size_t)set->chunk_rows;

    col->chunks = malloc((size_t)set->chunk_count * sizeof *col->chunks + 1);
    if (!col->chunks)
        return cairn_fail(t->error, CAIRN_NO_MEMORY, "%s: no memory to read it", t->path);

    if (set->chunk_count > 0)
        memcpy(col->chunks, set->chunks, (size_t)set->chunk_count * sizeof *col->chunks);
    return CAIRN_OK;
}

static cairn_status keep(void* context, const cairn_hdf5_dataset* set)
{
    cairn_table* t = context;
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->columns[i].def->name, set->name) == 0)
            return keep_column(t, &t->columns[i], set);

    // other arrays are small and kept as they are
    if (set->chunked || set->big_endian || t->array_count == most_arrays ||
        strlen(set->name) >= sizeof t->arrays[0].name)
        return CAIRN_OK;

    array* a = &t->arrays[t->array_count++];
    memcpy(a->name, set->name, strlen(set->name) + 1);
    a->kind = set->kind;
    a->size = set->size;
    a->count = 1;

    for (int k = 0; k < set->rank; k++)
        a->count *= (size_t)set->extent[k];
    a->at = set->data_at;
    a->count = a->at == 0 ? 0 : a->count;

    return CAIRN_OK;
}

cairn_status cairn_table_open(cairn_table** table, const cairn_bytes* bytes, const char* path,
                              const cairn_column_def* defs, int count, cairn_error* error)
{
    cairn_table* t = calloc(1, sizeof *t);
    column* columns = calloc((size_t)count, sizeof *columns);
    if (!t || !columns) {
        free(t);
        free(columns);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", path);
    }

    *t = (cairn_table){
        .path = path, .bytes = *bytes, .count = count, .columns = columns, .error = error};
    for (int i = 0; i < count; i++)
        columns[i].def = &defs[i];

    // one walk over the file finds all columns; only optional ones may be missing
    cairn_status status = cairn_hdf5_walk(bytes->data, bytes->size, path, keep, t, error);
    for (int i = 0; status == CAIRN_OK && i < count; i++)
        if (!columns[i].found && !defs[i].optional)
            status = cairn_fail(error, CAIRN_BAD_INPUT,
                                "%s: %s is missing, expected a recording of `cairn run --record`",
                                path, defs[i].name);

    if (status != CAIRN_OK)
        cairn_table_close(t);
    else
        *table = t;
    return status;
}

void cairn_table_close(cairn_table* t)
{
    if (!t)
        return;
    for (int i = 0; i < t->count; i++) {
        free(t->columns[i].chunks);
        free(t->columns[i].open);
    }
    free(t->columns);
    free(t->scratch);
    free(t);
}

// ---------------------------------------------------------------- reading

uint64_t cairn_table_rows(const cairn_table* t, int index)
{
    return t->columns[index].rows;
}

static bool make_room(cairn_table* t, column* col)
{
    if (!col->open)
        col->open = malloc(col->chunk_bytes);
    if (t->scratch_size < col->chunk_bytes) {
        unsigned char* grown = realloc(t->scratch, col->chunk_bytes);
        if (!grown)
            return false;
        t->scratch = grown;
        t->scratch_size = col->chunk_bytes;
    }
    return col->open != NULL;
}

static cairn_status open_chunk(cairn_table* t, column* col, uint64_t index, cairn_error* error)
{
    if (col->is_open && col->open_index == index)
        return CAIRN_OK;

    if (!make_room(t, col))
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %s", t->path, col->def->name);

    const cairn_hdf5_chunk* chunk = &col->chunks[index];
    const unsigned char* from = (const unsigned char*)t->bytes.data + chunk->at;
    col->is_open = false;

    if (chunk->plain)
        memcpy(col->open, from, col->chunk_bytes);
    else if (!cairn_unpack(col->open, col->chunk_bytes, (size_t)col->def->size, from, chunk->size,
                           t->scratch))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: chunk %llu of %s is damaged", t->path,
                          (unsigned long long)index, col->def->name);

    col->is_open = true;
    col->open_index = index;
    return CAIRN_OK;
}

cairn_status cairn_table_read(cairn_table* t, int index, uint64_t first, size_t count, void* rows,
                              cairn_error* error)
{
    column* col = &t->columns[index];
    char* to = rows;
    if (first > col->rows || count > col->rows - first)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: %s has %llu rows, but row %llu is asked for",
                          t->path, col->def->name, (unsigned long long)col->rows,
                          (unsigned long long)(first + count - 1));

    while (count > 0) {
        uint64_t skip = first % col->chunk_rows, now = col->chunk_rows - skip;
        now = now < count ? now : count;
        cairn_status status = open_chunk(t, col, first / col->chunk_rows, error);
        if (status != CAIRN_OK)
            return status;

        memcpy(to, col->open + skip * col->row_bytes, now * col->row_bytes);
        to += now * col->row_bytes;
        first += now;
        count -= now;
    }
    return CAIRN_OK;
}

const void* cairn_table_find(const cairn_table* t, const char* name, cairn_hdf5_kind kind,
                             size_t* count, size_t* size)
{
    for (int i = 0; i < t->array_count; i++) {
        const array* a = &t->arrays[i];
        if (strcmp(a->name, name) != 0 || a->kind != kind || a->count == 0)
            continue;
        *count = a->count;
        *size = a->size;
        return t->bytes.data + a->at;
    }
    return NULL;
}
