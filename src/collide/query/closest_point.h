// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The nearest point of a core to a point, and how it moves when the point does.
#ifndef CAIRN_COLLIDE_CLOSEST_POINT_H
#define CAIRN_COLLIDE_CLOSEST_POINT_H

#include "collide/narrow/support.h"

/// The foot of a point x on a core: what it lies on, and its derivative by x, which is symmetric
/// and of low rank, Σ weight_k tangent_k tangent_kᵀ.
typedef struct cairn_foot {
    cairn_vec3 x;
    int freedom;       ///< 0: a vertex, 1: an edge or a rim, 2: a face, a cap or a side, 3: inside
    bool round;        ///< on a cylinder's side
    cairn_vec3 normal; ///< outwards, when the freedom is 2
    cairn_vec3 tangent[2]; ///< as many as the freedom, unit, orthogonal; none inside
    double weight[2];
} cairn_foot;

/// A core; or, of a hull or triangle, the simplex of those of its vertices that matter.
typedef struct cairn_footing {
    const cairn_core* core;
    int count; ///< 0: the whole core
    int vertex[4];
} cairn_footing;

void cairn_find_foot(cairn_foot* foot, const cairn_footing* on, cairn_vec3 x);

/// How a point (B) is apart from a box, a cylinder or a triangle (A), also inside.
cairn_apart cairn_point_apart(const cairn_core* core, cairn_vec3 x);

/// Keeps the corners that the foot of x needs and adds one; false when it is there already.
bool cairn_footing_exchange(cairn_footing* on, cairn_vec3 x, int vertex);

#endif
