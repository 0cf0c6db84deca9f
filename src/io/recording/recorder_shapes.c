// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shapes in a recording: each once, however many bodies have it. Hulls are their vertices, meshes
// vertices and triangles, height fields the points of their grid, compounds ranges of parts.

#include "io/recording/recorder.h"

static int64_t rows_of(const cairn_recorder* r, int column)
{
    return (int64_t)cairn_columns_rows(r->columns, column);
}

static void put_vertices(cairn_recorder* r, const cairn_vec3* vertices, int count)
{
    for (int i = 0; i < count; i++) {
        double row[3] = {vertices[i].x, vertices[i].y, vertices[i].z};
        cairn_recorder_put(r, CAIRN_COLUMN_vertices_point, row, 1);
    }
}

static void put_field(cairn_recorder* r, const cairn_height_field_def* field)
{
    for (int j = 0; j < field->count_y; j++)
        for (int i = 0; i < field->count_x; i++) {
            cairn_vec3 point = {i * field->spacing_x, j * field->spacing_y,
                                field->heights[(ptrdiff_t)j * field->count_x + i]};
            put_vertices(r, &point, 1);
        }
}

static void put_mesh(cairn_recorder* r, const cairn_mesh_def* mesh)
{
    put_vertices(r, mesh->vertices, mesh->vertex_count);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int* corner = &mesh->triangles[3 * (ptrdiff_t)i];
        int32_t row[3] = {corner[0], corner[1], corner[2]};
        cairn_recorder_put(r, CAIRN_COLUMN_triangles_corner, row, 1);
    }
}

// the shapes of the parts may need rows of their own: those are written before
static void put_parts(cairn_recorder* r, const cairn_compound* compound)
{
    for (int i = 0; i < compound->count; i++)
        cairn_recorder_shape(r, &compound->parts[i]);
    for (int i = 0; i < compound->count; i++) {
        double offset[7];
        int32_t shape = cairn_recorder_shape(r, &compound->parts[i]);
        cairn_transform_store(offset, compound->offsets[i]);
        cairn_recorder_put(r, CAIRN_COLUMN_parts_shape, &shape, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_parts_offset, offset, 1);
    }
}

static void put_data(cairn_recorder* r, const cairn_shape* shape)
{
    if (shape->kind == CAIRN_SHAPE_HULL) {
        put_vertices(r, shape->data.hull->vertices, shape->data.hull->vertex_count);
    } else if (shape->kind == CAIRN_SHAPE_MESH) {
        cairn_mesh_def mesh = cairn_mesh_get_def(shape->data.mesh);
        put_mesh(r, &mesh);
    } else if (shape->kind == CAIRN_SHAPE_HEIGHT_FIELD) {
        cairn_height_field_def field = cairn_height_field_get_def(shape->data.field);
        put_field(r, &field);
    } else if (shape->kind == CAIRN_SHAPE_COMPOUND) {
        put_parts(r, shape->data.compound);
    }
}

static void put_shape(cairn_recorder* r, const cairn_shape* shape)
{
    int64_t vertex[2] = {rows_of(r, CAIRN_COLUMN_vertices_point), 0};
    int64_t triangle[2] = {rows_of(r, CAIRN_COLUMN_triangles_corner), 0};

    // a shape is a row, with ranges of rows for its vertices, triangles and parts
    put_data(r, shape);
    int64_t parts = shape->kind == CAIRN_SHAPE_COMPOUND ? shape->data.compound->count : 0;
    int64_t part[2] = {rows_of(r, CAIRN_COLUMN_parts_shape) - parts, parts};

    // a compound's parts have taken their own vertices and triangles
    if (shape->kind != CAIRN_SHAPE_COMPOUND) {
        vertex[1] = rows_of(r, CAIRN_COLUMN_vertices_point) - vertex[0];
        triangle[1] = rows_of(r, CAIRN_COLUMN_triangles_corner) - triangle[0];
    }

    // half.x is also the top radius of a tapered capsule: they share their place
    int32_t kind = (int32_t)shape->kind, grid[2] = {0, 0};
    double size[5] = {shape->radius, shape->half_height, shape->half.x, shape->half.y,
                      shape->half.z};
    if (shape->kind == CAIRN_SHAPE_HEIGHT_FIELD) {
        cairn_height_field_def field = cairn_height_field_get_def(shape->data.field);
        grid[0] = field.count_x;
        grid[1] = field.count_y;
    }

    cairn_recorder_put(r, CAIRN_COLUMN_shapes_kind, &kind, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_shapes_size, size, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_shapes_vertex, vertex, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_shapes_triangle, triangle, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_shapes_part, part, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_shapes_grid, grid, 1);
}

int cairn_recorder_shape(cairn_recorder* r, const cairn_shape* shape)
{
    for (int i = 0; i < r->shape_count; i++)
        if (cairn_stage_same_shape(&r->shapes[i], shape))
            return i;
    put_shape(r, shape);
    if (!cairn_grow((void**)&r->shapes, &r->shape_capacity, r->shape_count + 1,
                    sizeof *r->shapes)) {
        if (r->status == CAIRN_OK)
            r->status = cairn_fail(&r->error, CAIRN_NO_MEMORY, "no memory to record shapes");
        return -1;
    }
    r->shapes[r->shape_count] = *shape;
    return r->shape_count++;
}
