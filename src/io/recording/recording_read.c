// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading a recording: its tables were checked as HDF5 (columns_read.c), here the numbers in them
// are. A step counts when its row is there in every column of the steps; what its ranges lead to
// must be there too.

#include "io/recording/recorder.h"
#include "io/recording/recording.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { spare_slots = 1 << 20 }; // empty slots that a world may have

// ---------------------------------------------------------------- numbers

cairn_status cairn_recording_range(cairn_recording* r, int from, uint64_t row, int column,
                                   cairn_range* range, cairn_error* error)
{
    int64_t pair[2];
    uint64_t rows = cairn_table_rows(r->table, column);
    cairn_status status = cairn_table_read(r->table, from, row, 1, pair, error);
    if (status != CAIRN_OK)
        return status;
    if (pair[0] < 0 || pair[1] < 0 || (uint64_t)pair[0] > rows ||
        (uint64_t)pair[1] > rows - (uint64_t)pair[0] || pair[1] > INT_MAX)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: row %llu of %s leads to rows that %s does not have", r->path,
                          (unsigned long long)row, cairn_recording_columns[from].name,
                          cairn_recording_columns[column].name);
    *range = (cairn_range){(uint64_t)pair[0], (int)pair[1]};
    return CAIRN_OK;
}

cairn_status cairn_recording_later(cairn_recording* r, int column, uint64_t row, void* to,
                                   cairn_error* error)
{
    if (row >= cairn_table_rows(r->table, column))
        return CAIRN_OK;
    return cairn_table_read(r->table, column, row, 1, to, error);
}

static bool all_finite(const double* x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

bool cairn_recording_pose(cairn_transform* pose, const double* numbers)
{
    *pose = cairn_transform_load(numbers);
    return all_finite(numbers, 7);
}

// ---------------------------------------------------------------- opening

static cairn_status check_format(const cairn_recording* r, cairn_error* error)
{
    size_t count = 0, size = 0;
    const char* format = cairn_table_find(r->table, "/run/format", CAIRN_HDF5_TEXT, &count, &size);
    if (!format || strncmp(format, CAIRN_RECORDING_FORMAT, size) != 0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: is not a recording, expected '%s' in /run/format", r->path,
                          CAIRN_RECORDING_FORMAT);

    int32_t version = 0;
    const void* at =
        cairn_table_find(r->table, "/run/format_version", CAIRN_HDF5_INTEGER, &count, &size);
    if (at && size == sizeof version)
        memcpy(&version, at, size);

    if (version != cairn_recording_version)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: is a recording of format %d, expected format %d", r->path,
                          (int)version, (int)cairn_recording_version);
    return CAIRN_OK;
}

// principal axes and moments, gravity scale and collision filter of a body, if recorded
static cairn_status read_mass(cairn_recording* r, uint64_t at, cairn_stage_body* body,
                              cairn_error* error)
{
    // recordings of older versions lack these columns: the defaults stay
    double principal[7] = {0.0, 0.0, 0.0, 1.0}, moments[3] = {0.0}, scale = 1.0;
    int64_t filter[2] = {1, UINT32_MAX};
    const int columns[4] = {CAIRN_COLUMN_bodies_principal, CAIRN_COLUMN_bodies_moments,
                            CAIRN_COLUMN_bodies_gravity, CAIRN_COLUMN_bodies_filter};
    void* const rows[4] = {principal, moments, &scale, filter};

    for (int k = 0; k < 4; k++) {
        cairn_status status = cairn_recording_later(r, columns[k], at, rows[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    body->moments = cairn_vec(moments[0], moments[1], moments[2]);
    body->gravity_scale = scale;
    body->category = (uint32_t)filter[0];
    body->mask = (uint32_t)filter[1];

    if (!cairn_recording_pose(&body->principal, principal) || !all_finite(moments, 3) ||
        !isfinite(scale) || filter[0] < 0 || filter[0] > UINT32_MAX || filter[1] < 0 ||
        filter[1] > UINT32_MAX)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %llu of /bodies has no mass", r->path,
                          (unsigned long long)at);
    return CAIRN_OK;
}

static cairn_status read_body(cairn_recording* r, int index, cairn_error* error)
{
    cairn_stage_body* body = &r->bodies[index];
    uint64_t at = (uint64_t)index;
    int64_t id[2];
    int32_t type, shape;
    double offset[7];
    static const int columns[6] = {CAIRN_COLUMN_bodies_id,    CAIRN_COLUMN_bodies_type,
                                   CAIRN_COLUMN_bodies_shape, CAIRN_COLUMN_bodies_offset,
                                   CAIRN_COLUMN_bodies_mass,  CAIRN_COLUMN_bodies_name};
    void* const rows[6] = {id, &type, &shape, offset, &body->mass, r->names[index]};

    for (int k = 0; k < 6; k++) {
        cairn_status status = cairn_table_read(r->table, columns[k], at, 1, rows[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    // a column that came later may be missing
    uint8_t look = 0;
    cairn_status status = cairn_recording_later(r, CAIRN_COLUMN_bodies_look, at, &look, error);
    if (status == CAIRN_OK)
        status = read_mass(r, at, body, error);
    if (status != CAIRN_OK)
        return status;

    // every number of a file is checked before it is used
    if (id[0] < 0 || id[0] >= r->body_count + (int64_t)spare_slots || id[1] < 1 ||
        id[1] > UINT32_MAX || type < CAIRN_BODY_DYNAMIC || type > CAIRN_BODY_STATIC || shape < -1 ||
        !(body->mass > 0.0) || !cairn_recording_pose(&body->offset, offset))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %d of /bodies is no body", r->path,
                          index);

    body->id = (cairn_body_id){(int32_t)id[0], (uint32_t)id[1]};
    body->type = (cairn_body_type)type;
    body->glass = (look & cairn_look_glass) != 0;
    body->soft = (look & cairn_look_soft) != 0;
    body->look = (cairn_look)((look & ~cairn_look_soft) >> cairn_look_shift);
    if (body->look > CAIRN_LOOK_RUBBER)
        body->look = CAIRN_LOOK_PLAIN; // of a later version

    body->name = r->names[index][0] ? r->names[index] : NULL;
    r->body_shape[index] = shape;
    return CAIRN_OK;
}

static cairn_status read_bodies(cairn_recording* r, cairn_error* error)
{
    uint64_t count = cairn_table_rows(r->table, CAIRN_COLUMN_bodies_name);
    if (count > INT_MAX / 2)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: has %llu bodies", r->path,
                          (unsigned long long)count);

    r->bodies = calloc((size_t)count + 1, sizeof *r->bodies);
    r->body_shape = calloc((size_t)count + 1, sizeof *r->body_shape);
    r->names = calloc((size_t)count + 1, sizeof *r->names);
    if (!r->bodies || !r->body_shape || !r->names)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %llu bodies", r->path,
                          (unsigned long long)count);

    r->body_count = (int)count;
    cairn_status status = CAIRN_OK;
    for (int i = 0; status == CAIRN_OK && i < r->body_count; i++)
        status = read_body(r, i, error);
    return status;
}

// the rows that every column of the steps has
static int count_frames(const cairn_recording* r)
{
    uint64_t rows = INT_MAX;
    for (int i = CAIRN_COLUMN_steps_states; i < CAIRN_COLUMN_COUNT; i++)
        if (cairn_table_rows(r->table, i) < rows)
            rows = cairn_table_rows(r->table, i);
    return (int)rows;
}

// takes over the bytes
static cairn_status open_bytes(cairn_recording** recording, cairn_bytes bytes, const char* name,
                               cairn_error* error)
{
    cairn_recording* r = calloc(1, sizeof *r);
    char* path = strdup(name);
    if (!r || !path) {
        free(r);
        free(path);
        free(bytes.data);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", name);
    }

    r->path = path;
    r->bytes = bytes;
    cairn_status status = cairn_table_open(&r->table, &r->bytes, r->path, cairn_recording_columns,
                                           CAIRN_COLUMN_COUNT, error);

    if (status == CAIRN_OK)
        status = check_format(r, error);
    if (status == CAIRN_OK)
        status = read_bodies(r, error);

    if (status != CAIRN_OK) {
        cairn_recording_destroy(r);
        return status;
    }

    // a frame counts when all of its rows are there
    r->frame_count = count_frames(r);
    *recording = r;
    return CAIRN_OK;
}

cairn_status cairn_recording_open(const char* path, cairn_recording** recording, cairn_error* error)
{
    if (!recording || !path)
        return cairn_refuse_null(error, "the place for the recording or the path");
    cairn_bytes bytes;
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_hdf5, error);
    return status == CAIRN_OK ? open_bytes(recording, bytes, path, error) : status;
}

cairn_status cairn_recording_open_bytes(const void* data, size_t size, const char* name,
                                        cairn_recording** recording, cairn_error* error)
{
    if (!recording || !name || (size > 0 && !data))
        return cairn_refuse_null(error, "the place for the recording, its bytes or its name");
    cairn_bytes bytes = {malloc(size + 1), size};
    if (!bytes.data)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", name);
    if (size > 0)
        memcpy(bytes.data, data, size);
    bytes.data[size] = 0;
    return open_bytes(recording, bytes, name, error);
}

void cairn_recording_destroy(cairn_recording* r)
{
    if (!r)
        return;
    cairn_recording_free_shapes(r);
    cairn_table_close(r->table);
    free(r->bodies);
    free(r->body_shape);
    free(r->names);
    free(r->row);
    free(r->bytes.data);
    free(r->path);
    free(r);
}

int cairn_recording_frame_count(const cairn_recording* r)
{
    if (!r)
        return 0;
    return r->frame_count;
}
