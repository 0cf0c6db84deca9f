// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From a direction to points of contact: faces clipped against each other, features named, points
// reduced to the few that matter.
#ifndef CAIRN_COLLIDE_MANIFOLD_H
#define CAIRN_COLLIDE_MANIFOLD_H

#include "collide/narrow/sat.h"

/// Points of contact in the frame of A, before reduction. Positions lie midway between surfaces.
enum { CAIRN_MOST_CANDIDATES = 80 };

typedef struct cairn_candidates {
    cairn_vec3 normal; ///< from A to B
    int count;
    cairn_contact_point point[CAIRN_MOST_CANDIDATES];
} cairn_candidates;

/// Names of features: what of A meets what of B.
typedef enum cairn_feature_kind {
    CAIRN_FEATURE_ROUND,    ///< whole shapes, or ends of a capsule
    CAIRN_FEATURE_VERTEX_A, ///< a vertex of A on a face of B
    CAIRN_FEATURE_VERTEX_B, ///< a vertex of B on a face of A
    CAIRN_FEATURE_EDGES,    ///< two edges that cross
} cairn_feature_kind;

static inline uint64_t cairn_feature(cairn_feature_kind kind, int a, int b)
{
    return (uint64_t)kind << 62 | (uint64_t)(uint32_t)a << 31 | (uint64_t)(uint32_t)b;
}

/// A polygon of a core with names: the face, cap or side that looks along a direction. Counts: 1 a
/// vertex, 2 a segment, more a face.
enum { CAIRN_MOST_CORNERS = 32 };

typedef struct cairn_feature_polygon {
    int count;
    int face;          ///< index, or -1
    cairn_vec3 normal; ///< outwards; zero below three corners
    cairn_vec3 corner[CAIRN_MOST_CORNERS];
    int vertex[CAIRN_MOST_CORNERS]; ///< name of each corner
    int edge[CAIRN_MOST_CORNERS];   ///< name of the edge that leaves it
} cairn_feature_polygon;

/// The face of a core with index `face`.
void cairn_face_polygon(cairn_feature_polygon* polygon, const cairn_core* core, int face);

/// The feature of a core that looks most along `direction` (unit).
void cairn_facing_polygon(cairn_feature_polygon* polygon, const cairn_core* core,
                          cairn_vec3 direction);

/// The cosine of `direction` with the normal of that feature; 0 of a line or a point.
double cairn_facing_cosine(const cairn_core* core, cairn_vec3 direction);

/// Clips what B shows against what A shows (or the other way round when `flip`) and adds the points
/// with gaps up to `margin`. `normal` is the unit direction from A to B; gaps are measured along
/// it.
void cairn_clip(cairn_candidates* out, const cairn_placed* p, const cairn_feature_polygon* a,
                const cairn_feature_polygon* b, bool flip, cairn_vec3 normal, double margin);

/// Adds one point between core points a and b (frame of A).
void cairn_add_candidate(cairn_candidates* out, const cairn_placed* p, cairn_vec3 a, cairn_vec3 b,
                         uint64_t feature);

/// The point of two crossing edges, along `axis`; false when their lines cross beyond their ends.
bool cairn_add_edge_candidate(cairn_candidates* out, const cairn_placed* p, const cairn_axis* axis);

/// What a pair showed the last time, so that points are found again.
typedef struct cairn_memory {
    const cairn_manifold* last; ///< may be the manifold that is written
    cairn_transform at;         ///< where A (the core that the candidates are relative to) was
    double near;                ///< m: a point that moved less is the same, whatever its features
    double slack;               ///< m: depth that a point may lack to be kept
} cairn_memory;

/// Reduces the candidates, whose gaps are at most `margin`, to `most` points and moves them to the
/// world, A at `xa`. Points of `memory` (may be NULL) are preferred and keep their names.
void cairn_finish_manifold(cairn_manifold* manifold, const cairn_candidates* candidates,
                           cairn_transform xa, int most, double margin, const cairn_memory* memory);

#endif
