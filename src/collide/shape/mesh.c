// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Static surfaces. A mesh finds its neighbors once, by sorting its edges: an edge that exactly two
// triangles run in opposite directions joins them; any other edge is free. A height field needs no
// tree: the cells below a box are a range of indices.

#include "collide/shape/mesh.h"
#include "collide/shape/usable.h"
#include "math/accept.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- building a mesh

typedef struct edge_key {
    int lo, hi; // vertices
    int side;   // 3 triangle + corner
} edge_key;

static int compare_edges(const void* a, const void* b)
{
    const edge_key *x = a, *y = b;
    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    if (x->hi != y->hi)
        return x->hi < y->hi ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int edge_start(const cairn_mesh* mesh, int side)
{
    return mesh->triangles[side];
}

static bool find_neighbors(cairn_mesh* mesh)
{
    int sides = 3 * mesh->triangle_count;
    edge_key* keys = malloc((size_t)sides * sizeof *keys);
    if (!keys)
        return false;

    // sort the sides by their vertices, so that the sides of an edge are neighbors in the list
    for (int s = 0; s < sides; s++) {
        int a = mesh->triangles[s], b = mesh->triangles[s % 3 == 2 ? s - 2 : s + 1];
        keys[s] = (edge_key){a < b ? a : b, a < b ? b : a, s};
    }
    qsort(keys, (size_t)sides, sizeof *keys, compare_edges);

    mesh->closed = true;
    for (int i = 0, end; i < sides; i = end) {
        for (end = i + 1; end < sides; end++)
            if (keys[end].lo != keys[i].lo || keys[end].hi != keys[i].hi)
                break;

        // an edge joins two triangles when exactly two sides run along it, in opposite directions
        bool joined =
            end - i == 2 && edge_start(mesh, keys[i].side) != edge_start(mesh, keys[i + 1].side);
        for (int k = i; k < end; k++)
            mesh->neighbor[keys[k].side] = joined ? keys[2 * i + 1 - k].side / 3 : -1;
        mesh->closed = mesh->closed && joined;
    }

    free(keys);
    return true;
}

static cairn_status check_mesh(const cairn_mesh_def* def, cairn_error* error)
{
    if (def->vertex_count < 3 || def->triangle_count < 1)
        return cairn_fail(error, CAIRN_BAD_INPUT, "mesh: %d vertices and %d triangles",
                          def->vertex_count, def->triangle_count);

    for (int i = 0; i < def->vertex_count; i++)
        if (!cairn_vec_usable(def->vertices[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "mesh: vertex %d is not finite or lies beyond 1e40 m", i);

    for (int i = 0; i < 3 * def->triangle_count; i++)
        if (def->triangles[i] < 0 || def->triangles[i] >= def->vertex_count)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "mesh: triangle %d has vertex %d, but there are %d vertices", i / 3,
                              def->triangles[i], def->vertex_count);

    return CAIRN_OK;
}

static void copy_triangles(cairn_mesh* mesh, const cairn_mesh_def* def)
{
    for (int i = 0; i < def->triangle_count; i++) {
        const int* v = &def->triangles[3 * i];
        cairn_vec3 a = def->vertices[v[0]];
        cairn_vec3 u = cairn_sub(def->vertices[v[1]], a), w = cairn_sub(def->vertices[v[2]], a);
        cairn_vec3 n = cairn_cross(u, w);
        if (!(cairn_norm(n) > 1e-14 * cairn_norm(u) * cairn_norm(w)))
            continue;
        mesh->normals[mesh->triangle_count] = cairn_normalize(n);
        memcpy(&mesh->triangles[3 * mesh->triangle_count++], v, 3 * sizeof(int));
    }
}

static cairn_status build_tree(cairn_mesh* mesh)
{
    cairn_aabb* boxes = malloc((size_t)mesh->triangle_count * sizeof *boxes);
    if (!boxes)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < mesh->triangle_count; i++) {
        const int* v = &mesh->triangles[3 * i];
        cairn_vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        boxes[i] = (cairn_aabb){cairn_min(a, cairn_min(b, c)), cairn_max(a, cairn_max(b, c))};
        mesh->box = i ? cairn_aabb_join(mesh->box, boxes[i]) : boxes[i];
    }

    mesh->tree = cairn_box_tree_empty();
    cairn_status status = cairn_box_tree_build(&mesh->tree, boxes, mesh->triangle_count);
    free(boxes);
    return status;
}

cairn_status cairn_mesh_create(const cairn_mesh_def* def, cairn_mesh** out, cairn_error* error)
{
    if (!out || !def || !def->vertices || !def->triangles)
        return cairn_refuse_null(error, "the place for the mesh, its def or an array of it");

    cairn_status status = check_mesh(def, error);
    if (status != CAIRN_OK)
        return status;

    cairn_mesh* mesh = calloc(1, sizeof *mesh);
    size_t sides = 3 * (size_t)def->triangle_count, vertices = (size_t)def->vertex_count;
    if (mesh) {
        mesh->vertex_count = def->vertex_count;
        mesh->vertices = malloc(vertices * sizeof *mesh->vertices);
        mesh->triangles = malloc(sides * sizeof(int));
        mesh->normals = malloc(sides / 3 * sizeof *mesh->normals);
        mesh->neighbor = malloc(sides * sizeof(int));
    }

    if (!mesh || !mesh->vertices || !mesh->triangles || !mesh->normals || !mesh->neighbor) {
        cairn_mesh_destroy(mesh);
        return cairn_fail(error, CAIRN_NO_MEMORY, "mesh: no memory for %d triangles",
                          def->triangle_count);
    }

    // triangles without area are dropped
    memcpy(mesh->vertices, def->vertices, vertices * sizeof *mesh->vertices);
    copy_triangles(mesh, def);
    if (mesh->triangle_count == 0) {
        cairn_mesh_destroy(mesh);
        return cairn_fail(error, CAIRN_BAD_INPUT, "mesh: no triangle has an area");
    }

    if (!find_neighbors(mesh) || build_tree(mesh) != CAIRN_OK) {
        cairn_mesh_destroy(mesh);
        return cairn_fail(error, CAIRN_NO_MEMORY, "mesh: no memory for %d triangles",
                          def->triangle_count);
    }

    *out = mesh;
    return CAIRN_OK;
}

void cairn_mesh_destroy(cairn_mesh* mesh)
{
    if (!mesh)
        return;
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh->normals);
    free(mesh->neighbor);
    cairn_box_tree_destroy(&mesh->tree);
    free(mesh);
}

int cairn_mesh_triangle_count(const cairn_mesh* mesh)
{
    if (!mesh)
        return 0;
    return mesh->triangle_count;
}

cairn_mesh_def cairn_mesh_get_def(const cairn_mesh* mesh)
{
    if (!mesh)
        return (cairn_mesh_def){0};
    return (cairn_mesh_def){.vertices = mesh->vertices,
                            .vertex_count = mesh->vertex_count,
                            .triangles = mesh->triangles,
                            .triangle_count = mesh->triangle_count};
}

cairn_height_field_def cairn_height_field_get_def(const cairn_height_field* field)
{
    if (!field)
        return (cairn_height_field_def){0};
    return (cairn_height_field_def){.count_x = field->count_x,
                                    .count_y = field->count_y,
                                    .spacing_x = field->spacing_x,
                                    .spacing_y = field->spacing_y,
                                    .heights = field->heights};
}

// ---------------------------------------------------------------- height fields

cairn_status cairn_height_field_create(const cairn_height_field_def* def, cairn_height_field** out,
                                       cairn_error* error)
{
    if (!out || !def || !def->heights)
        return cairn_refuse_null(error, "the place for the height field, its def or its heights");

    if (def->count_x < 2 || def->count_y < 2 || def->count_x > 40000 || def->count_y > 40000)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "height field: %d x %d points, expected 2 to 40000 each way",
                          def->count_x, def->count_y);
    if (!(def->spacing_x > 0.0 && def->spacing_y > 0.0 && isfinite(def->spacing_x) &&
          isfinite(def->spacing_y)))
        return cairn_fail(error, CAIRN_BAD_INPUT, "height field: spacing %g x %g is not positive",
                          def->spacing_x, def->spacing_y);

    if (!cairn_length_usable(def->spacing_x * def->count_x) ||
        !cairn_length_usable(def->spacing_y * def->count_y))
        return cairn_fail(error, CAIRN_BAD_INPUT, "height field: it reaches beyond 1e40 m");

    // check the heights and find their range
    size_t n = (size_t)def->count_x * (size_t)def->count_y;
    double lo = def->heights[0], hi = lo;
    for (size_t i = 0; i < n; i++) {
        if (!cairn_length_usable(fabs(def->heights[i])))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "height field: height %zu is not finite or lies beyond 1e40 m", i);
        lo = fmin(lo, def->heights[i]);
        hi = fmax(hi, def->heights[i]);
    }

    cairn_height_field* field = calloc(1, sizeof *field);
    double* heights = malloc(n * sizeof *heights);
    if (!field || !heights) {
        free(field);
        free(heights);
        return cairn_fail(error, CAIRN_NO_MEMORY, "height field: no memory for %zu points", n);
    }

    memcpy(heights, def->heights, n * sizeof *heights);
    cairn_vec3 corner =
        cairn_vec(def->spacing_x * (def->count_x - 1), def->spacing_y * (def->count_y - 1), hi);
    *field = (cairn_height_field){def->count_x,   def->count_y, def->spacing_x,
                                  def->spacing_y, heights,      {cairn_vec(0.0, 0.0, lo), corner}};

    *out = field;
    return CAIRN_OK;
}

void cairn_height_field_destroy(cairn_height_field* field)
{
    if (!field)
        return;
    free(field->heights);
    free(field);
}

static cairn_vec3 grid_point(const cairn_height_field* f, int i, int j)
{
    return cairn_vec(i * f->spacing_x, j * f->spacing_y, f->heights[j * f->count_x + i]);
}

// cell (i, j): half 0 below the diagonal (i,j) (i+1,j) (i+1,j+1), half 1 above it
static void field_corners(const cairn_height_field* f, int i, int j, int half, cairn_vec3* c)
{
    c[0] = grid_point(f, i, j);
    c[1] = half ? grid_point(f, i + 1, j + 1) : grid_point(f, i + 1, j);
    c[2] = half ? grid_point(f, i, j + 1) : grid_point(f, i + 1, j + 1);
}

static bool has_cell(const cairn_height_field* f, int i, int j)
{
    return i >= 0 && j >= 0 && i < f->count_x - 1 && j < f->count_y - 1;
}

static cairn_vec3 triangle_normal(const cairn_vec3* c)
{
    return cairn_normalize(cairn_cross(cairn_sub(c[1], c[0]), cairn_sub(c[2], c[0])));
}

static void triangle_of_field(const cairn_height_field* f, int triangle, cairn_vec3* corner)
{
    int cell = triangle / 2;
    field_corners(f, cell % (f->count_x - 1), cell / (f->count_x - 1), triangle % 2, corner);
}

static bool neighbor_in_field(const cairn_height_field* f, int triangle, int e, cairn_vec3* corner)
{
    // the neighbors across the three edges: cell offset and half
    static const int next[2][3][3] = {{{0, -1, 1}, {1, 0, 1}, {0, 0, 1}},
                                      {{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}}};
    int cell = triangle / 2;
    const int* n = next[triangle % 2][e];
    int i = cell % (f->count_x - 1) + n[0], j = cell / (f->count_x - 1) + n[1];
    if (!has_cell(f, i, j))
        return false;
    field_corners(f, i, j, n[2], corner);
    return true;
}

// ---------------------------------------------------------------- both alike

int cairn_surface_triangle_count(const cairn_shape* surface)
{
    if (surface->kind == CAIRN_SHAPE_MESH)
        return surface->data.mesh->triangle_count;
    const cairn_height_field* f = surface->data.field;
    return 2 * (f->count_x - 1) * (f->count_y - 1);
}

static void mesh_corners(const cairn_mesh* mesh, int triangle, cairn_vec3* c)
{
    for (int i = 0; i < 3; i++)
        c[i] = mesh->vertices[mesh->triangles[3 * triangle + i]];
}

cairn_facet cairn_surface_facet(const cairn_shape* surface, int triangle)
{
    cairn_facet facet = {.surface = surface, .triangle = triangle};
    if (surface->kind == CAIRN_SHAPE_HEIGHT_FIELD) {
        triangle_of_field(surface->data.field, triangle, facet.corner);
        facet.normal = triangle_normal(facet.corner);
    } else {
        mesh_corners(surface->data.mesh, triangle, facet.corner);
        facet.normal = surface->data.mesh->normals[triangle];
    }
    return facet;
}

cairn_vec3 cairn_facet_beyond(const cairn_facet* facet, int e)
{
    const cairn_shape* s = facet->surface;
    cairn_vec3 c[3], none = cairn_vec(0.0, 0.0, 0.0);
    if (s->kind == CAIRN_SHAPE_HEIGHT_FIELD)
        return neighbor_in_field(s->data.field, facet->triangle, e, c) ? triangle_normal(c) : none;
    int other = s->data.mesh->neighbor[3 * facet->triangle + e];
    return other < 0 ? none : s->data.mesh->normals[other];
}

static int cell_of(double x, double spacing, int cells)
{
    double i = floor(x / spacing);
    if (!(i > 0.0))
        return 0;
    return i < cells ? (int)i : cells - 1;
}

cairn_surface_walk cairn_surface_start(const cairn_shape* surface, cairn_aabb box)
{
    cairn_surface_walk walk = {.surface = surface, .box = box};
    if (surface->kind == CAIRN_SHAPE_MESH) {
        walk.tree = cairn_box_tree_start(&surface->data.mesh->tree);
        return walk;
    }

    // the range of cells below the box
    const cairn_height_field* f = surface->data.field;
    walk.lo_x = cell_of(box.lo.x, f->spacing_x, f->count_x - 1);
    walk.hi_x = cell_of(box.hi.x, f->spacing_x, f->count_x - 1);
    walk.hi_y = cell_of(box.hi.y, f->spacing_y, f->count_y - 1);
    walk.x = walk.lo_x;
    walk.y = cell_of(box.lo.y, f->spacing_y, f->count_y - 1);

    // no overlap: start beyond the last row, so that the walk is empty
    if (!cairn_aabb_overlap(&f->box, &box))
        walk.y = walk.hi_y + 1;
    return walk;
}

static int next_cell(cairn_surface_walk* w)
{
    const cairn_height_field* f = w->surface->data.field;
    while (w->y <= w->hi_y) {
        int triangle = 2 * (w->y * (f->count_x - 1) + w->x) + w->half;
        cairn_vec3 c[3];
        field_corners(f, w->x, w->y, w->half, c);

        // on to the next half, cell, row
        w->half = 1 - w->half;
        w->x += w->half == 0;
        if (w->x > w->hi_x) {
            w->x = w->lo_x;
            w->y++;
        }

        // the box must overlap the triangle in height, too
        double lo = fmin(c[0].z, fmin(c[1].z, c[2].z)), hi = fmax(c[0].z, fmax(c[1].z, c[2].z));
        if (lo <= w->box.hi.z && hi >= w->box.lo.z)
            return triangle;
    }
    return -1;
}

int cairn_surface_next(cairn_surface_walk* walk)
{
    if (walk->surface->kind == CAIRN_SHAPE_HEIGHT_FIELD)
        return next_cell(walk);
    return cairn_box_tree_next(&walk->surface->data.mesh->tree, &walk->tree, &walk->box);
}
