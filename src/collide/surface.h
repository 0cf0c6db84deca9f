// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Convex shapes against surfaces of triangles.
#ifndef CAIRN_COLLIDE_SURFACE_H
#define CAIRN_COLLIDE_SURFACE_H

#include "collide/pair.h"

/// The distance of a surface (A) and a convex shape (B).
cairn_gap cairn_surface_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                 cairn_transform xb);

/// The manifolds of a surface (A) and a convex shape (B), at most `capacity`; returns their number.
int cairn_collide_surface(cairn_manifold* manifolds, int capacity, const cairn_shape* a,
                          cairn_transform xa, const cairn_shape* b, cairn_transform xb,
                          const cairn_collide_def* def);

/// A gap of cores in the frame of A as one of shapes in the world.
cairn_gap cairn_gap_to_world(const cairn_apart* apart, const cairn_placed* p, cairn_transform xa);

#endif
