// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The shapes of a recording, made again from their rows by the functions that any caller uses,
// which refuse what is no shape. A compound's parts have rows before its own.

#include "io/recording/recording.h"
#include <stdlib.h>
#include <string.h>

typedef struct shape_row {
    int32_t kind, grid[2];
    double size[5];
    cairn_range vertex, triangle, part;
} shape_row;

static cairn_status read_row(cairn_recording* r, int index, shape_row* row, cairn_error* error)
{
    uint64_t at = (uint64_t)index;
    cairn_table* t = r->table;
    cairn_status status = cairn_table_read(t, CAIRN_COLUMN_shapes_kind, at, 1, &row->kind, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(t, CAIRN_COLUMN_shapes_size, at, 1, row->size, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(t, CAIRN_COLUMN_shapes_grid, at, 1, row->grid, error);

    if (status == CAIRN_OK)
        status = cairn_recording_range(r, CAIRN_COLUMN_shapes_vertex, at,
                                       CAIRN_COLUMN_vertices_point, &row->vertex, error);
    if (status == CAIRN_OK)
        status = cairn_recording_range(r, CAIRN_COLUMN_shapes_triangle, at,
                                       CAIRN_COLUMN_triangles_corner, &row->triangle, error);
    if (status == CAIRN_OK)
        status = cairn_recording_range(r, CAIRN_COLUMN_shapes_part, at, CAIRN_COLUMN_parts_shape,
                                       &row->part, error);
    return status;
}

// a range of rows in memory of its own
static cairn_status read_rows(cairn_recording* r, int column, cairn_range range, void** rows,
                              cairn_error* error)
{
    size_t size = (size_t)cairn_recording_columns[column].size *
                  (size_t)cairn_recording_columns[column].width;
    *rows = malloc((size_t)range.count * size + 1);
    if (!*rows)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its shapes", r->path);
    return cairn_table_read(r->table, column, range.first, (size_t)range.count, *rows, error);
}

static cairn_status make_hull(cairn_shape* shape, const shape_row* row, const cairn_vec3* vertices,
                              cairn_error* error)
{
    cairn_hull* hull = NULL;
    cairn_status status = cairn_hull_create(vertices, row->vertex.count, 0.0, &hull, error);
    if (status == CAIRN_OK)
        *shape = cairn_shape_hull(hull);
    return status;
}

static cairn_status make_mesh(cairn_recording* r, cairn_shape* shape, const shape_row* row,
                              const cairn_vec3* vertices, cairn_error* error)
{
    void* triangles = NULL;
    cairn_mesh* mesh = NULL;
    cairn_status status =
        read_rows(r, CAIRN_COLUMN_triangles_corner, row->triangle, &triangles, error);
    if (status == CAIRN_OK) {
        cairn_mesh_def def = {vertices, row->vertex.count, triangles, row->triangle.count};
        status = cairn_mesh_create(&def, &mesh, error);
    }
    if (status == CAIRN_OK)
        *shape = cairn_shape_mesh(mesh);
    free(triangles);
    return status;
}

static cairn_status make_field(cairn_recording* r, cairn_shape* shape, const shape_row* row,
                               const cairn_vec3* points, cairn_error* error)
{
    int64_t x = row->grid[0], y = row->grid[1];
    cairn_height_field* field = NULL;
    if (x < 2 || y < 2 || x * y != row->vertex.count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: a height field has no grid", r->path);

    double* heights = malloc((size_t)row->vertex.count * sizeof *heights);
    if (!heights)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its shapes", r->path);

    for (int i = 0; i < row->vertex.count; i++)
        heights[i] = points[i].z;

    // the grid begins at the origin, so the first neighbors tell its spacing
    cairn_height_field_def def = {(int)x, (int)y, points[1].x, points[x].y, heights};
    cairn_status status = cairn_height_field_create(&def, &field, error);
    if (status == CAIRN_OK)
        *shape = cairn_shape_height_field(field);

    free(heights);
    return status;
}

static cairn_status read_part(cairn_recording* r, cairn_shape* part, cairn_transform* offset,
                              uint64_t at, int before, cairn_error* error)
{
    int32_t shape;
    double numbers[7];
    cairn_status status =
        cairn_table_read(r->table, CAIRN_COLUMN_parts_shape, at, 1, &shape, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(r->table, CAIRN_COLUMN_parts_offset, at, 1, numbers, error);
    if (status != CAIRN_OK)
        return status;
    if (shape < 0 || shape >= before || !cairn_recording_pose(offset, numbers))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: a part of a compound has no shape or no place", r->path);
    *part = r->shapes[shape];
    return CAIRN_OK;
}

static cairn_status make_compound(cairn_recording* r, cairn_shape* shape, const shape_row* row,
                                  int index, cairn_error* error)
{
    size_t count = (size_t)row->part.count;
    cairn_shape* parts = malloc(count * sizeof *parts + 1);
    cairn_transform* offsets = malloc(count * sizeof *offsets + 1);
    cairn_compound* compound = NULL;
    cairn_status status = CAIRN_OK;

    if (!parts || !offsets)
        status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its shapes", r->path);
    for (size_t i = 0; status == CAIRN_OK && i < count; i++)
        status = read_part(r, &parts[i], &offsets[i], row->part.first + i, index, error);

    if (status == CAIRN_OK)
        status = cairn_compound_create(parts, offsets, row->part.count, &compound, error);
    if (status == CAIRN_OK)
        *shape = cairn_shape_compound(compound);

    free(parts);
    free(offsets);
    return status;
}

static cairn_status make_shape(cairn_recording* r, int index, cairn_error* error)
{
    shape_row row;
    void* vertices = NULL;
    cairn_shape shape = {0};
    cairn_status status = read_row(r, index, &row, error);
    if (status != CAIRN_OK)
        return status;

    if (row.kind < 0 || row.kind >= CAIRN_SHAPE_KIND_COUNT)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: shape %d is of an unknown kind", r->path,
                          index);

    // each kind is made from its vertices, or from its sizes alone
    status = read_rows(r, CAIRN_COLUMN_vertices_point, row.vertex, &vertices, error);
    if (status == CAIRN_OK && row.kind == CAIRN_SHAPE_HULL)
        status = make_hull(&shape, &row, vertices, error);
    else if (status == CAIRN_OK && row.kind == CAIRN_SHAPE_MESH)
        status = make_mesh(r, &shape, &row, vertices, error);
    else if (status == CAIRN_OK && row.kind == CAIRN_SHAPE_HEIGHT_FIELD)
        status = make_field(r, &shape, &row, vertices, error);
    else if (status == CAIRN_OK && row.kind == CAIRN_SHAPE_COMPOUND)
        status = make_compound(r, &shape, &row, index, error);
    else if (status == CAIRN_OK)
        shape = (cairn_shape){.kind = (cairn_shape_kind)row.kind,
                              .radius = row.size[0],
                              .half_height = row.size[1],
                              .half = {row.size[2], row.size[3], row.size[4]}};

    free(vertices);

    // the shape is counted before it is checked, so that it is freed in any case
    if (status == CAIRN_OK) {
        r->shapes[index] = shape;
        r->shape_count = index + 1;
        status = cairn_shape_check(&shape, error);
    }
    return status;
}

cairn_status cairn_recording_shapes(cairn_recording* r, cairn_error* error)
{
    if (r->shaped)
        return CAIRN_OK;
    cairn_recording_free_shapes(r);

    uint64_t count = cairn_table_rows(r->table, CAIRN_COLUMN_shapes_grid);
    r->shapes = calloc((size_t)count + 1, sizeof *r->shapes);
    if (!r->shapes)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its shapes", r->path);
    cairn_status status = CAIRN_OK;

    // parts of a compound are shapes before it
    for (int i = 0; status == CAIRN_OK && (uint64_t)i < count; i++)
        status = make_shape(r, i, error);

    for (int i = 0; status == CAIRN_OK && i < r->body_count; i++) {
        if (r->body_shape[i] >= r->shape_count)
            return cairn_fail(error, CAIRN_BAD_INPUT, "%s: body %d has no shape", r->path, i);
        r->bodies[i].shaped = r->body_shape[i] >= 0;
        if (r->bodies[i].shaped)
            r->bodies[i].shape = r->shapes[r->body_shape[i]];
    }

    r->shaped = status == CAIRN_OK;
    return status;
}

void cairn_recording_free_shapes(cairn_recording* r)
{
    for (int i = 0; i < r->shape_count; i++) {
        // made here, so given back here
        const cairn_shape* shape = &r->shapes[i];
        if (shape->kind == CAIRN_SHAPE_HULL)
            cairn_hull_destroy((cairn_hull*)(uintptr_t)shape->data.hull);
        else if (shape->kind == CAIRN_SHAPE_MESH)
            cairn_mesh_destroy((cairn_mesh*)(uintptr_t)shape->data.mesh);
        else if (shape->kind == CAIRN_SHAPE_HEIGHT_FIELD)
            cairn_height_field_destroy((cairn_height_field*)(uintptr_t)shape->data.field);
        else if (shape->kind == CAIRN_SHAPE_COMPOUND)
            cairn_compound_destroy((cairn_compound*)(uintptr_t)shape->data.compound);
    }

    free(r->shapes);
    r->shapes = NULL;
    r->shape_count = 0;
}
