// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Convex shapes against surfaces of triangles.
#ifndef CAIRN_COLLIDE_SURFACE_H
#define CAIRN_COLLIDE_SURFACE_H

#include "collide/narrow/convex_pair.h"

/// The distance of a surface (A) and a convex shape (B).
cairn_gap cairn_surface_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                 cairn_transform xb);

static inline bool cairn_has_triangles(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_MESH || s->kind == CAIRN_SHAPE_HEIGHT_FIELD;
}

/// Whether B may touch the front of a triangle (A) within `margin`, by the triangle's normal alone:
/// neither wholly above its plane nor wholly below.
bool cairn_facet_near(const cairn_facet* facet, const cairn_placed* p, double margin);

/// How B is apart from the front of a triangle (A); false when it is behind.
bool cairn_facet_apart(cairn_apart* apart, const cairn_facet* facet, const cairn_placed* p,
                       double beyond);

/// The way out of an overlap of shapes with pieces (if one is a surface of triangles, it is A):
/// moving B by `depth` along `normal` leaves no pair of pieces overlapping by more than
/// `tolerance`. False when nothing overlaps or no way was found.
bool cairn_part_pieces(cairn_vec3* normal, double* depth, const cairn_shape* a, cairn_transform xa,
                       const cairn_shape* b, cairn_transform xb, double tolerance);

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
