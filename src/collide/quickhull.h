// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The triangulated convex hull that cairn_hull_create merges into faces.
#ifndef CAIRN_COLLIDE_QUICKHULL_H
#define CAIRN_COLLIDE_QUICKHULL_H

#include <cairn/shape.h>

typedef struct cairn_hull_triangle {
    int vertex[3];   ///< counter-clockwise from outside
    int neighbor[3]; ///< across the edge from vertex[i] to vertex[i+1]
    cairn_vec3 normal;
    double offset;
    int conflict; ///< first of the points that lie above this triangle, or -1
    bool alive;
    bool visible; ///< from the point that is being added
} cairn_hull_triangle;

/// Triangles [0, count), all alive, closed and consistent. Free with free(triangles).
typedef struct cairn_triangulation {
    cairn_hull_triangle* triangles;
    int count;
} cairn_triangulation;

/// Points that stick out by less than `tolerance` (m) are left out.
cairn_status cairn_quickhull(cairn_triangulation* hull, const cairn_vec3* points, int count,
                             double tolerance, cairn_error* error);

/// The unit normal n of a face made square to the face's longest edge: a needle of width w and
/// length l has a cross product that is off by round-off times l / w, and would tilt away from its
/// own corners.
cairn_vec3 cairn_hull_upright(cairn_vec3 n, cairn_vec3 longest);

#endif
