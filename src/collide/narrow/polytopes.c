// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of convex cores. Polytopes: the separating axis decides; a face axis gives the points of
// one face clipped by the other, an edge axis one point. Everything else: from the closest points
// and, where a face looks along the normal, from clipping too.
//
// A face axis is preferred to an edge axis, and the face of A to that of B, unless the other is
// less deep by more than a twentieth, so that a box at rest does not change its mind from step to
// step. When apart there is no such choice: the gap must be the distance. Along the best axis it
// is, if some clipped point realizes the separation; otherwise (corners facing each other) GJK is
// asked.

#include "collide/narrow/convex_pair.h"
#include "collide/query/closest_point.h"
#include <float.h>

enum { most_edge_pairs = 2000000 }; // of which witnesses leave a few
static const double facing = 0.95;  // cosine: faces that look along a normal, within 18 degrees

static bool has_faces(const cairn_core* core)
{
    return core->kind == CAIRN_CORE_BOX || core->kind == CAIRN_CORE_HULL;
}

bool cairn_few_edges(const cairn_placed* p)
{
    if (p->a->kind >= CAIRN_CORE_CYLINDER || p->b->kind >= CAIRN_CORE_CYLINDER)
        return false;
    if (p->a->face_count > CAIRN_MOST_SAT_FACES || p->b->face_count > CAIRN_MOST_SAT_FACES)
        return false;
    return (double)p->a->edge_count * p->b->edge_count <= most_edge_pairs &&
           (has_faces(p->a) || has_faces(p->b) || p->a->kind == CAIRN_CORE_TRIANGLE ||
            p->b->kind == CAIRN_CORE_TRIANGLE);
}

static void search_axes(cairn_axes* axes, const cairn_placed* p, double beyond)
{
    if (p->a->kind == CAIRN_CORE_BOX && p->b->kind == CAIRN_CORE_BOX)
        cairn_sat_boxes(axes, p, beyond);
    else
        cairn_sat(axes, p, beyond);
}

// ---------------------------------------------------------------- distance

static cairn_apart deepest_point(const cairn_placed* p, const cairn_axis* axis)
{
    int va = 0, vb = 0;
    cairn_vec3 n = axis->normal, m = cairn_mat3_apply_transposed(p->R, n);
    cairn_apart apart = {.gap = axis->separation, .normal = n};

    // two edges touch where they cross
    if (axis->kind == CAIRN_AXIS_EDGES) {
        cairn_candidates c = {.normal = n};
        cairn_placed cores = *p;
        cairn_add_edge_candidate(&c, &cores, axis);
        double shift = 0.5 * c.point[0].gap;
        apart.point_a = cairn_add_scaled(c.point[0].position, -shift, n);
        apart.point_b = cairn_add_scaled(c.point[0].position, shift, n);
        return apart;
    }

    // a face touches the other core's farthest point
    if (axis->kind == CAIRN_AXIS_FACE_A) {
        apart.point_b = cairn_to_a(p, cairn_core_support(p->b, cairn_neg(m), &vb));
        apart.point_a = cairn_add_scaled(apart.point_b, -axis->separation, n);
    } else {
        apart.point_a = cairn_core_support(p->a, n, &va);
        apart.point_b = cairn_add_scaled(apart.point_a, axis->separation, n);
    }
    return apart;
}

static bool has_closed_form(const cairn_core* core)
{
    return core->kind == CAIRN_CORE_BOX || core->kind == CAIRN_CORE_CYLINDER ||
           core->kind == CAIRN_CORE_TRIANGLE;
}

// of cores that GJK takes for overlapping: a gap above zero shows that they are not
static cairn_apart way_out(const cairn_placed* p, const cairn_simplex* simplex)
{
    cairn_apart apart;
    if (cairn_few_edges(p)) {
        cairn_axes axes;
        search_axes(&axes, p, DBL_MAX);
        return deepest_point(p, cairn_axes_best(&axes));
    }
    cairn_epa(&apart, simplex, p);
    return apart;
}

cairn_apart cairn_cores_apart(const cairn_placed* p, double beyond)
{
    cairn_apart apart;
    cairn_simplex simplex;
    bool round_a = p->a->kind <= CAIRN_CORE_SEGMENT, round_b = p->b->kind <= CAIRN_CORE_SEGMENT;

    // closed forms, as far as there are any
    if (round_a && round_b)
        return cairn_round_distance(p);

    if (cairn_core_is_curved(p->a) || cairn_core_is_curved(p->b))
        return cairn_curved_apart(p, beyond);
    if (p->b->kind == CAIRN_CORE_POINT && has_closed_form(p->a))
        return cairn_point_apart(p->a, p->t);
    if (p->a->kind == CAIRN_CORE_POINT && has_closed_form(p->b))
        return cairn_apart_turned(p,
                                  cairn_point_apart(p->b, cairn_to_b(p, cairn_vec(0.0, 0.0, 0.0))));

    if (p->a->kind == CAIRN_CORE_CYLINDER || p->b->kind == CAIRN_CORE_CYLINDER)
        return cairn_cylinder_apart(p, beyond);

    if (cairn_gjk(&apart, &simplex, p, beyond, 0.0))
        return apart;

    // overlap: the way out, unless round-off hid a gap
    cairn_apart deep = way_out(p, &simplex), near;
    bool parted = deep.gap > 4.0 * DBL_EPSILON * p->size;
    return parted && cairn_gjk_apart(&near, &simplex, p, deep.normal) ? near : deep;
}

// ---------------------------------------------------------------- points from a normal

static void place_polygon(cairn_feature_polygon* polygon, const cairn_placed* p)
{
    for (int i = 0; i < polygon->count; i++)
        polygon->corner[i] = cairn_to_a(p, polygon->corner[i]);
    polygon->normal = cairn_mat3_apply(p->R, polygon->normal);
}

static double least_gap(const cairn_candidates* c)
{
    double least = DBL_MAX;
    for (int i = 0; i < c->count; i++)
        least = fmin(least, c->point[i].gap);
    return least;
}

// a line (the axis of a capsule, the side of a cylinder) looks wherever it is square to
static bool looks_along(const cairn_feature_polygon* polygon, double along)
{
    return polygon->count == 2 || along > 0.0;
}

// The faces that look at each other along a normal, clipped, when one of them looks roughly along
// it: what will touch next when the bodies roll on their nearest point. A capsule that lies on a
// face touches it at both ends.
static void clip_facing(cairn_candidates* out, const cairn_placed* p, cairn_vec3 normal,
                        double margin)
{
    cairn_feature_polygon a, b;
    cairn_vec3 back = cairn_neg(cairn_mat3_apply_transposed(p->R, normal));
    double along_a = cairn_facing_cosine(p->a, normal), along_b = cairn_facing_cosine(p->b, back);

    // no faces, but perhaps two sides that lie along each other
    if (!(fmax(along_a, along_b) > facing)) {
        cairn_add_parallel_contact(out, p, normal, margin);
        return;
    }

    cairn_facing_polygon(&a, p->a, normal);
    cairn_facing_polygon(&b, p->b, back);
    place_polygon(&b, p);
    if (looks_along(&a, along_a) && looks_along(&b, along_b))
        cairn_clip(out, p, &a, &b, along_b > along_a, normal, margin);
}

void cairn_collide_apart(cairn_candidates* out, const cairn_placed* p, const cairn_apart* apart,
                         double margin)
{
    double gap = apart->gap - p->a->radius - p->b->radius;
    out->normal = apart->normal;
    out->count = 0;
    if (gap > margin)
        return;
    clip_facing(out, p, apart->normal, margin);
    if (least_gap(out) > gap + 1e-10 * p->size && out->count < CAIRN_MOST_CANDIDATES)
        cairn_add_candidate(out, p, apart->point_a, apart->point_b,
                            cairn_feature(CAIRN_FEATURE_ROUND, 0, 0));
}

// ---------------------------------------------------------------- polytopes

// which axis to build on: see above
static const cairn_axis* preferred(const cairn_axes* axes, double size, int last)
{
    const cairn_axis* best = cairn_axes_best(axes);
    double touching = 1e-9 * size; // round-off must not part faces that lie on each other
    if (best->separation > touching)
        return best;

    // the face of the last step comes first, and another must separate clearly farther
    const cairn_axis *first = &axes->face_a, *second = &axes->face_b;
    if (last == CAIRN_AXIS_FACE_B || first->kind == CAIRN_AXIS_NONE) {
        first = &axes->face_b;
        second = &axes->face_a;
    }

    double slack = 0.05 * fmax(0.0, -best->separation) + touching;
    const cairn_axis* face = second->separation > first->separation + slack ? second : first;
    return axes->edges.separation > face->separation + slack ? &axes->edges : face;
}

static const uint64_t another = (uint64_t)1 << 61; // of a feature: above all names of vertices

// returns whether the points realize the separation of the axis
static bool build(cairn_candidates* out, const cairn_placed* p, const cairn_axis* axis,
                  double margin)
{
    cairn_feature_polygon a, b;
    out->normal = axis->normal;
    out->count = 0;
    if (axis->kind == CAIRN_AXIS_EDGES) {
        bool real = cairn_add_edge_candidate(out, p, axis) || axis->separation <= 0.0;
        clip_facing(out, p, axis->normal, margin);

        // a corner that was cut from the same edges elsewhere is another point
        for (int i = 1; i < out->count; i++)
            if (out->point[i].feature == out->point[0].feature)
                out->point[i].feature |= another;
        return real;
    }

    // clip the other core's face against the face of the axis
    bool flip = axis->kind == CAIRN_AXIS_FACE_B;
    if (flip) {
        cairn_facing_polygon(&a, p->a, axis->normal);
        cairn_face_polygon(&b, p->b, axis->b);
    } else {
        cairn_face_polygon(&a, p->a, axis->a);
        cairn_facing_polygon(&b, p->b, cairn_neg(cairn_mat3_apply_transposed(p->R, axis->normal)));
    }

    place_polygon(&b, p);
    cairn_clip(out, p, &a, &b, flip, axis->normal, margin);

    if (axis->separation <= 0.0)
        return out->count > 0;
    return least_gap(out) + p->a->radius + p->b->radius <= axis->separation + 1e-13 * p->size;
}

// The axis of the last call, if the pair has hardly moved since axes were searched, or if it still
// separates. Where it has become deep another one may be less so: who slides onto a box was beside
// it.
static bool cached_axis(cairn_axis* axis, const cairn_placed* p, double margin,
                        const cairn_pair_cache* cache, cairn_transform relative)
{
    if (!cache || cache->axis == CAIRN_AXIS_NONE)
        return false;
    // the direction only matters for the sign of an edge axis: take it from A to B
    *axis = (cairn_axis){(cairn_axis_kind)cache->axis, cache->index_a, cache->index_b, 0.0, p->t};
    if (!cairn_sat_again(axis, p))
        return false;
    const double deep = 1e-4; // of the size
    double size = fmin(cache->reach_a, cache->reach_b);
    return axis->separation > margin ||
           (axis->separation > -deep * size &&
            cairn_motion(cache->seen, relative, cache->reach_b) <= 0.01 * size);
}

static void remember(cairn_pair_cache* cache, const cairn_axis* axis, cairn_transform relative)
{
    if (!cache)
        return;
    cache->axis = (int)axis->kind;
    cache->index_a = axis->a;
    cache->index_b = axis->b;
    cache->seen = relative;
}

void cairn_collide_polytopes(cairn_candidates* out, const cairn_placed* p, double margin,
                             cairn_pair_cache* cache, cairn_transform relative)
{
    double reach = margin + p->a->radius + p->b->radius;
    cairn_axis axis;
    out->count = 0;

    // the axis of the last step, tested again, or a new search
    if (!cached_axis(&axis, p, reach, cache, relative)) {
        cairn_axes axes;
        search_axes(&axes, p, reach);
        axis = *preferred(&axes, p->size, cache ? cache->axis : 0);
        remember(cache, &axis, relative);
    }

    // no axis at all: the numbers are not finite
    if (axis.separation > reach || axis.kind == CAIRN_AXIS_NONE)
        return;

    if (build(out, p, &axis, margin))
        return;

    // Apart, and no clipped point is as near as the axis says, or nothing is left of the faces.
    // Points that all but meet have no direction between them, only round-off, as those of edges
    // that lie along each other: the axis is their normal then.
    const double meeting = 1e-9; // of the size
    cairn_apart apart = cairn_cores_apart(p, reach);
    if (fabs(apart.gap) <= meeting * p->size)
        apart.normal = axis.normal;
    cairn_collide_apart(out, p, &apart, margin);
}
