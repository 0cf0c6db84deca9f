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

/// Which of two gaps counts. Pieces that share an edge are often equally deep: then the first, so
/// that round-off does not decide.
static inline bool cairn_is_nearer(const cairn_gap* g, const cairn_gap* best)
{
    return g->gap < (best->gap < 0.0 ? (1.0 + 1e-9) * best->gap : best->gap);
}

/// The manifolds of a surface (A) and a convex shape (B), at most `capacity`; returns their number.
/// Points of the last call's manifolds (`last_count` of them, numbered in part_a) are preferred.
typedef struct cairn_surface_job {
    const cairn_shape *a, *b;
    cairn_transform xa, xb;
    const cairn_collide_def* def;
    const cairn_manifold* last;
    int last_count;
} cairn_surface_job;

int cairn_collide_surface(cairn_manifold* manifolds, int capacity, const cairn_surface_job* job);

/// A gap of cores in the frame of A as one of shapes in the world.
cairn_gap cairn_gap_to_world(const cairn_apart* apart, const cairn_placed* p, cairn_transform xa);

#endif
