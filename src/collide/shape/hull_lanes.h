// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Vertices and faces of a hull, eight in the lanes of a vector, for loops over all of them. A group
// of vertices is x[8] y[8] z[8], of faces the same of their normals and then offset[8]. Lanes
// beyond the last vertex repeat the first one; faces beyond the last are those that everything is
// far below of. Each lane computes what the scalar code does, bit by bit.
#ifndef CAIRN_COLLIDE_HULL_LANES_H
#define CAIRN_COLLIDE_HULL_LANES_H

#include "math/simd.h"
#include <cairn/shape.h>

enum { CAIRN_HULL_LANES = 8, CAIRN_VERTEX_GROUP = 24, CAIRN_FACE_GROUP = 32 };

static inline int cairn_hull_groups(int count)
{
    return (count + CAIRN_HULL_LANES - 1) / CAIRN_HULL_LANES;
}

/// Allocates and fills the lanes of a hull; false without memory.
bool cairn_hull_fill_lanes(cairn_hull* hull);

/// Points that bound faces, see sat.c: at most four.
typedef struct cairn_lane_points {
    int count;
    cairn_vec3 at[4];
} cairn_lane_points;

/// The vector of `groups` groups of `stride` numbers each that lies farthest along d, the first of
/// equals.
CAIRN_DECLARE_KERNEL(int, cairn_lanes_farthest,
                     (const double* lanes, int groups, int stride, cairn_vec3 d));

/// least[f] = min(least[f], height of p over face f). Room for whole groups.
CAIRN_DECLARE_KERNEL(void, cairn_lanes_lower,
                     (double* least, const double* faces, int groups, cairn_vec3 p));

/// For each face the points, as bits, that are not higher over it than `most`, and in the next four
/// bits those that are not above it. Room for whole groups.
CAIRN_DECLARE_KERNEL(void, cairn_lanes_bound,
                     (unsigned char* bits, const double* faces, int groups,
                      const cairn_lane_points* points, double most));

/// The face that looks most along d.
int cairn_hull_facing(const cairn_hull* hull, cairn_vec3 d);

/// How many faces a point of the hull lies on, to `slack` (m); the first `most` of them are listed.
int cairn_hull_faces_at(const cairn_hull* hull, cairn_vec3 p, double slack, int* faces, int most);

#endif
