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
    int conflict; ///< first of the points that lie above this triangle or on it, or -1
    bool alive;
    bool visible; ///< from the point that is being added
} cairn_hull_triangle;

/// Triangles [0, count), all alive, closed and consistent. Free with free(triangles).
typedef struct cairn_triangulation {
    cairn_hull_triangle* triangles;
    int count;
} cairn_triangulation;

/// Points that stick out of all triangles by less than `tolerance` (m) are left out.
cairn_status cairn_quickhull(cairn_triangulation* hull, const cairn_vec3* points, int count,
                             double tolerance, cairn_error* error);

/// How high p stands above the plane of a triangle (m), to round-off of their distance.
static inline double cairn_triangle_height(const cairn_hull_triangle* t, const cairn_vec3* points,
                                           cairn_vec3 p)
{
    return cairn_dot(t->normal, cairn_sub(p, points[t->vertex[0]]));
}

#endif
