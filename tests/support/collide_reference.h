// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// References for collision tests, in long double and by definitions alone: how far a shape reaches
// along a direction, how far a point is outside it. Together they certify a distance: points a in A
// and b in B with |b - a| = d show that the distance is at most d; a unit n with
// min_B n·x - max_A n·x = s shows that it is at least s.
#ifndef CAIRN_TESTS_COLLIDE_REFERENCE_H
#define CAIRN_TESTS_COLLIDE_REFERENCE_H

#include <cairn/cairn.h>
#include <cairn/random.h>

/// max over the placed shape of n·x (convex shapes).
long double reference_reach(const cairn_shape* s, cairn_transform x, cairn_vec3 n);

/// How far a point is outside a placed convex shape, by its defining inequalities; at most 0
/// inside.
double reference_outside(const cairn_shape* s, cairn_transform x, cairn_vec3 p);

/// min_B n·x - max_A n·x.
double reference_separation(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                            cairn_transform xb, cairn_vec3 n);

/// How far the unit vector n is from being an outward normal of the placed convex shape at its
/// point p, as an angle to first order: zero when n·(v - p) <= 0 for all v of the shape. `slack`
/// (m) is the round-off of positions that is not counted.
double reference_normal_error(const cairn_shape* s, cairn_transform x, cairn_vec3 p, cairn_vec3 n,
                              double slack);

/// The least depth of two overlapping polytopes (boxes and hulls): every face normal and every
/// cross product of edges, by reaches alone.
double reference_depth(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                       cairn_transform xb);

/// The bounded convex kinds, i from 0 below REFERENCE_KINDS.
enum { REFERENCE_KINDS = 8 };
cairn_shape_kind reference_kind(int i);

/// A random convex shape of a kind with sizes around `size` (m) and aspect ratios up to `aspect`. A
/// hull is made anew: destroy it with reference_shape_destroy.
cairn_shape reference_shape(cairn_random* random, cairn_shape_kind kind, double size,
                            double aspect);
void reference_shape_destroy(cairn_shape* shape);

cairn_quat reference_rotation(cairn_random* random);

#endif
