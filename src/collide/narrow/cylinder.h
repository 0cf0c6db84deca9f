// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What makes up the distance of a cylinder from another core: the way out of an overlap, and the
// closest points of two curves.
#ifndef CAIRN_COLLIDE_CYLINDER_H
#define CAIRN_COLLIDE_CYLINDER_H

#include "collide/narrow/gjk.h"
#include "collide/query/closest_point.h"

/// The unit direction (frame of A) along which B must go least to leave A, a cylinder that it
/// overlaps. B is a segment, a triangle, a polytope or another cylinder.
cairn_vec3 cairn_cylinder_way_out(const cairn_placed* p);

/// By how much the points are farther apart than the normal says, relative: zero at the solution.
static inline double cairn_excess(const cairn_apart* x, const cairn_placed* p)
{
    return (cairn_norm(cairn_sub(x->point_b, x->point_a)) - x->gap) / p->size;
}

/// Moves the points that GJK found to the closest ones of the curves that they lie on, if they do.
void cairn_polish_curves(cairn_apart* apart, const cairn_placed* p, const cairn_simplex* from);

/// The closest points of the rims or edges that two feet (frame of A) lie near, taken when they are
/// straight over each other and no farther apart beyond what their normal separates.
void cairn_join_feet(cairn_apart* apart, const cairn_placed* p, const cairn_foot* a,
                     const cairn_foot* b);

/// Two caps, all but parallel: their points may be anywhere over each other but for the very last
/// digits, which are decided where the two rims cross as seen along the axis of A.
void cairn_try_crossings(cairn_apart* apart, const cairn_placed* p);

#endif
