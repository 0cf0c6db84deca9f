// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The pair algorithms that cairn_collide_convex chooses from. Each adds candidates in the frame of
// A for core gaps up to the margin.
#ifndef CAIRN_COLLIDE_CONVEX_PAIR_H
#define CAIRN_COLLIDE_CONVEX_PAIR_H

#include "collide/narrow/gjk.h"
#include "collide/narrow/manifold.h"

/// Points and segments.
void cairn_collide_round(cairn_candidates* out, const cairn_placed* p, double margin);
cairn_apart cairn_round_distance(const cairn_placed* p);

/// Adds the ends of the common segment of two round sides, of cylinders or capsules, that lie
/// nearly along each other and look at each other along `normal` (unit, frame of A, from A to B).
void cairn_add_parallel_contact(cairn_candidates* out, const cairn_placed* p, cairn_vec3 normal,
                                double margin);

/// Two spheres, straight to their manifold: there is nothing worth keeping in a cache.
bool cairn_collide_spheres(cairn_manifold* m, const cairn_shape* a, cairn_transform xa,
                           const cairn_shape* b, cairn_transform xb, double margin);

/// A half-space z <= 0 as A, and any core as B placed by p->R and p->t.
void cairn_collide_half_space(cairn_candidates* out, const cairn_placed* p, double margin);

/// Two cores with faces; `cache` may be NULL.
void cairn_collide_polytopes(cairn_candidates* out, const cairn_placed* p, double margin,
                             cairn_pair_cache* cache, cairn_transform relative);

/// Any two cores, from how they are apart.
void cairn_collide_apart(cairn_candidates* out, const cairn_placed* p, const cairn_apart* apart,
                         double margin);

/// How two cores are apart, by whichever algorithm is exact for them. Gaps above `beyond` may be
/// reported short, but above it.
cairn_apart cairn_cores_apart(const cairn_placed* p, double beyond);

/// The same when one of the cores is a cylinder.
cairn_apart cairn_cylinder_apart(const cairn_placed* p, double beyond);

/// The same when one of them is curved.
cairn_apart cairn_curved_apart(const cairn_placed* p, double beyond);

/// Whether separating axes are the right tool: faces, and not too many edges.
bool cairn_few_edges(const cairn_placed* p);

/// How far two pieces may move, relative to the radius of the smaller, and keep their points.
double cairn_reuse_of(const cairn_shape* a, const cairn_shape* b, const cairn_collide_def* def);

/// Moves the points of a manifold along with a pair that moved by no more than that since they were
/// computed; false when it moved too far, or there is nothing to move.
bool cairn_reuse_manifold(cairn_manifold* m, cairn_pair_cache* cache, cairn_transform xa,
                          cairn_transform xb, double reuse, double margin);

/// An upper bound of how far any point of B, within `reach` of its origin, moves between two poses.
double cairn_motion(cairn_transform from, cairn_transform to, double reach);

#endif
