// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A convex shape as the algorithms see it: a core (point, segment, triangle, polytope, cylinder,
// ellipsoid, cone, or the hull of a ball and a point) grown by a radius. A sphere is a point with a
// radius, a capsule a segment, a tapered capsule the hull of a ball and a point with that of its
// smaller end; all else has no radius. Two shapes are apart by the distance of their cores less
// both radii.
#ifndef CAIRN_COLLIDE_SUPPORT_H
#define CAIRN_COLLIDE_SUPPORT_H

#include "collide/shape/hull_lanes.h"
#include "collide/shape/mesh.h"
#include <cairn/collide.h>

typedef enum cairn_core_kind {
    CAIRN_CORE_POINT,
    CAIRN_CORE_SEGMENT, ///< along z
    CAIRN_CORE_TRIANGLE,
    CAIRN_CORE_BOX,
    CAIRN_CORE_HULL,
    CAIRN_CORE_CYLINDER,
    CAIRN_CORE_ELLIPSOID,
    CAIRN_CORE_CONE,
    CAIRN_CORE_TAPERED, ///< along z, balls about its two ends
} cairn_core_kind;

typedef struct cairn_core {
    cairn_core_kind kind;
    double radius;     ///< m, around the core
    double size;       ///< m, the greatest coordinate of the core: what round-off is measured by
    cairn_vec3 center; ///< m, inside; not set for triangles
    cairn_vec3 half;   ///< box, ellipsoid; cylinder, cone: (radius, radius, half height); z of a
                       ///< segment, and of a tapered core
    double end[2];     ///< m: tapered: radii of the balls at -half.z and half.z, one of them 0
    int vertex_count, edge_count, face_count; ///< edge_count counts whole edges
    const cairn_vec3* vertices;
    const cairn_hull_edge* edges;
    const cairn_hull_face* faces;
    const int* edge_half;
    const int* vertex_edge;
    const double *vertex_lanes, *face_lanes; ///< of hulls; NULL: none
    cairn_simd_level level;                  ///< of the kernels for these
    cairn_vec3 room_vertices[8];             ///< the arrays of boxes and triangles
    cairn_hull_face room_faces[6];
} cairn_core;

/// Ellipsoid, cone or tapered: a core without vertices that is no cylinder.
static inline bool cairn_core_is_curved(const cairn_core* core)
{
    return core->kind >= CAIRN_CORE_ELLIPSOID;
}

/// Fills a core in place: it points into itself and into the shape's data.
void cairn_core_of_shape(cairn_core* core, const cairn_shape* shape);
void cairn_core_of_facet(cairn_core* core, const cairn_facet* facet);

/// The vertex that lies farthest along `direction`; not for cylinders and curved cores. `start` is
/// where a walk over a large hull begins.
int cairn_core_support_vertex(const cairn_core* core, cairn_vec3 direction, int start);

/// The farthest point of the core along `direction`, with its vertex in `vertex` (which also says
/// where to start; for cylinders and curved cores it is not changed).
cairn_vec3 cairn_core_support(const cairn_core* core, cairn_vec3 direction, int* vertex);

/// How far a bounded convex shape reaches from its origin along d (unit, its frame), radius
/// included.
double cairn_shape_reach(const cairn_shape* shape, cairn_vec3 d);

/// Half the sides of a box about the origin that holds the core; not for triangles.
static inline cairn_vec3 cairn_core_half(const cairn_core* core)
{
    if (core->kind == CAIRN_CORE_TAPERED) {
        double r = fmax(core->end[0], core->end[1]);
        return cairn_vec(r, r, core->half.z + r);
    }
    if (core->kind == CAIRN_CORE_BOX || core->kind >= CAIRN_CORE_CYLINDER)
        return core->half;
    double across = core->kind == CAIRN_CORE_HULL ? core->size : 0.0;
    return cairn_vec(across, across, core->size);
}

/// The two ends of whole edge i.
static inline cairn_vec3 cairn_core_edge_start(const cairn_core* core, int i)
{
    return core->vertices[core->edges[core->edge_half[i]].origin];
}

static inline cairn_vec3 cairn_core_edge_end(const cairn_core* core, int i)
{
    return core->vertices[core->edges[core->edges[core->edge_half[i]].twin].origin];
}

/// Two cores placed: B in the frame of A, x_A = t + R x_B.
typedef struct cairn_placed {
    const cairn_core *a, *b;
    cairn_mat3 R;
    cairn_vec3 t;
    double size; ///< m: what round-off of this pair is measured by
} cairn_placed;

cairn_placed cairn_place(const cairn_core* a, const cairn_core* b, cairn_transform relative);

/// The same pose with another core as A.
static inline void cairn_place_other(cairn_placed* p, const cairn_core* a)
{
    cairn_vec3 t = cairn_abs(p->t);
    p->a = a;
    p->size = fmax(a->size + p->b->size, fmax(t.x, fmax(t.y, t.z)));
}

static inline cairn_vec3 cairn_to_a(const cairn_placed* p, cairn_vec3 v)
{
    return cairn_add(p->t, cairn_mat3_apply(p->R, v));
}

static inline cairn_vec3 cairn_to_b(const cairn_placed* p, cairn_vec3 v)
{
    return cairn_mat3_apply_transposed(p->R, cairn_sub(v, p->t));
}

/// How two cores are apart, in the frame of A: normal from A to B, gap along it, points on both
/// cores. `gap` is negative when they overlap.
typedef struct cairn_apart {
    double gap;
    cairn_vec3 normal;
    cairn_vec3 point_a, point_b;
} cairn_apart;

/// From the frame of B with B as A, to the frame of A.
static inline cairn_apart cairn_apart_turned(const cairn_placed* p, cairn_apart x)
{
    return (cairn_apart){x.gap, cairn_neg(cairn_mat3_apply(p->R, x.normal)),
                         cairn_to_a(p, x.point_b), cairn_to_a(p, x.point_a)};
}

/// The least value of normal·(b - a) over the cores: how far the normal separates them.
double cairn_separation(const cairn_placed* p, cairn_vec3 normal);

#endif
