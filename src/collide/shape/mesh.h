// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Surfaces of triangles, and height fields, which are such surfaces with triangles made on demand.
#ifndef CAIRN_COLLIDE_MESH_H
#define CAIRN_COLLIDE_MESH_H

#include "collide/broad/aabb_tree.h"

struct cairn_mesh {
    int vertex_count, triangle_count;
    cairn_vec3* vertices;
    int* triangles;      ///< 3 per triangle
    cairn_vec3* normals; ///< of the triangles, unit
    int* neighbor;       ///< 3 per triangle: across the edge from corner i to i+1, or -1
    bool closed;         ///< every edge joins two triangles that run it in opposite directions
    cairn_aabb box;
    cairn_box_tree tree;
};

struct cairn_height_field {
    int count_x, count_y;
    double spacing_x, spacing_y;
    double* heights;
    cairn_aabb box;
};

/// A triangle of a surface as contacts need it.
typedef struct cairn_facet {
    cairn_vec3 corner[3]; ///< counter-clockwise from outside
    cairn_vec3 normal;
    const cairn_shape* surface; ///< where it comes from
    int triangle;
} cairn_facet;

/// The triangles of a mesh or height field, seen alike.
int cairn_surface_triangle_count(const cairn_shape* surface);
cairn_facet cairn_surface_facet(const cairn_shape* surface, int triangle);

/// The normal of the neighbor across the edge from corner e to e+1; zero at a free edge.
cairn_vec3 cairn_facet_beyond(const cairn_facet* facet, int e);

/// Visits the triangles whose boxes meet `box`, in a fixed order: the walk of a mesh's tree, or the
/// cells of a height field.
typedef struct cairn_surface_walk {
    const cairn_shape* surface;
    cairn_aabb box;
    cairn_box_tree_walk tree;         ///< mesh
    int lo_x, hi_x, hi_y, x, y, half; ///< height field: cells
} cairn_surface_walk;

cairn_surface_walk cairn_surface_start(const cairn_shape* surface, cairn_aabb box);

/// The next triangle, or -1.
int cairn_surface_next(cairn_surface_walk* walk);

#endif
