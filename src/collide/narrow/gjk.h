// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Distance of two convex cores that are apart (GJK), depth of two that overlap (EPA).
#ifndef CAIRN_COLLIDE_GJK_H
#define CAIRN_COLLIDE_GJK_H

#include "collide/narrow/support.h"

/// A point of the difference A - B and where it comes from.
typedef struct cairn_difference {
    cairn_vec3 w;    ///< a - b
    cairn_vec3 a, b; ///< points of A and B, frame of A
    int vertex_a, vertex_b;
} cairn_difference;

typedef struct cairn_simplex {
    int count;
    cairn_difference point[4];
    double weight[4]; ///< of the closest point to the origin
} cairn_simplex;

/// The point of A - B that lies farthest along `direction`. Starts the walks at `last`.
cairn_difference cairn_difference_support(const cairn_placed* p, cairn_vec3 direction,
                                          const cairn_difference* last);

/// Weights of the point of a simplex with 1 to 4 corners that lies nearest to the origin, zero for
/// corners that it does not need. Returns its distance squared.
double cairn_simplex_closest(double* weight, const cairn_vec3* corner, int count);

/// Distance and closest points. False when the cores overlap or touch to round-off; then `simplex`
/// holds what EPA starts from. `beyond`: stop early once the distance is known to exceed it;
/// `slack`: or to this relative error, 0 for round-off.
bool cairn_gjk(cairn_apart* apart, cairn_simplex* simplex, const cairn_placed* p, double beyond,
               double slack);

/// The same for cores that `normal` (frame of A) separates: across a gap of a billionth of the size
/// round-off may put the origin inside of a tetrahedron, but here it is known to be outside. False
/// only when they touch to round-off.
bool cairn_gjk_apart(cairn_apart* apart, cairn_simplex* simplex, const cairn_placed* p,
                     cairn_vec3 normal);

/// A direction of little depth for overlapping cores; exactly the least for polytopes, and for
/// cylinders to 1e-10 of the size. The reported depth always parts the cores.
void cairn_epa(cairn_apart* apart, const cairn_simplex* simplex, const cairn_placed* p);

#endif
