// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Separating axes of convex polytopes. The candidates are the face normals of A - B: the faces of
// A, those of B reversed, and the cross products of an edge of A with an edge of B. A pair of edges
// makes a face of A - B only if, on the sphere of normals, the arc between the two faces at A's
// edge crosses the arc at B's edge reversed (Gregorius 2013): with edges e, f, the normals a0, a1
// beside e and c0, c1 beside f,
//
//     (c0·e)(c1·e) < 0,   (a0·f)(a1·f) < 0,   (c0·e)(a1·f) < 0,
//
// four dot products instead of two support points. A segment's arc is a full circle, a flat
// triangle's arcs are half circles; for them the crossing e x f is tested against the arcs
// directly.

#include "collide/narrow/sat.h"
#include <float.h>

// sin² below which two edges count as parallel
static const double parallel = 1e-14;

static const cairn_axis no_axis = {CAIRN_AXIS_NONE, -1, -1, -DBL_MAX, {0.0, 0.0, 0.0}};

const cairn_axis* cairn_axes_best(const cairn_axes* axes)
{
    const cairn_axis* best = &axes->face_a;
    if (axes->face_b.separation > best->separation)
        best = &axes->face_b;
    if (axes->edges.separation > best->separation)
        best = &axes->edges;
    return best;
}

// ---------------------------------------------------------------- faces

// n·x = offset in the frame of A, everything of A below; the least height of B over it
static double height_over_a(const cairn_placed* p, const cairn_hull_face* face, int* start)
{
    cairn_vec3 m = cairn_mat3_apply_transposed(p->R, face->normal);
    *start = cairn_core_support_vertex(p->b, cairn_neg(m), *start);
    return cairn_dot(face->normal, p->t) + cairn_dot(m, p->b->vertices[*start]) - face->offset;
}

static double height_over_b(const cairn_placed* p, const cairn_hull_face* face, int* start)
{
    cairn_vec3 m = cairn_mat3_apply(p->R, face->normal);
    *start = cairn_core_support_vertex(p->a, cairn_neg(m), *start);
    return cairn_dot(m, cairn_sub(p->a->vertices[*start], p->t)) - face->offset;
}

static cairn_axis face_axis_a(const cairn_placed* p, double beyond)
{
    cairn_axis best = no_axis;
    int start = 0;
    for (int f = 0; f < p->a->face_count; f++) {
        double s = height_over_a(p, &p->a->faces[f], &start);
        if (s <= best.separation)
            continue;
        best = (cairn_axis){CAIRN_AXIS_FACE_A, f, -1, s, p->a->faces[f].normal};
        if (s > beyond)
            break;
    }
    return best;
}

static cairn_axis face_axis_b(const cairn_placed* p, double beyond)
{
    cairn_axis best = no_axis;
    int start = 0;
    for (int f = 0; f < p->b->face_count; f++) {
        double s = height_over_b(p, &p->b->faces[f], &start);
        if (s <= best.separation)
            continue;
        best = (cairn_axis){CAIRN_AXIS_FACE_B, -1, f, s, best.normal};
        if (s > beyond)
            break;
    }
    if (best.kind)
        best.normal = cairn_neg(cairn_mat3_apply(p->R, p->b->faces[best.b].normal));
    return best;
}

// ---------------------------------------------------------------- edges

typedef struct arc {
    cairn_vec3 p, e;   // start of the edge and its direction
    cairn_vec3 n0, n1; // normals of the faces on its left and right
} arc;

static arc get_arc(const cairn_core* core, int i)
{
    const cairn_hull_edge* h = &core->edges[core->edge_half[i]];
    arc a = {.p = core->vertices[h->origin]};
    a.e = cairn_sub(core->vertices[core->edges[h->twin].origin], a.p);
    if (core->kind != CAIRN_CORE_SEGMENT) {
        a.n0 = core->faces[h->face].normal;
        a.n1 = core->faces[core->edges[h->twin].face].normal;
    }
    return a;
}

static arc to_a(const cairn_placed* p, arc a)
{
    return (arc){cairn_to_a(p, a.p), cairn_mat3_apply(p->R, a.e), cairn_mat3_apply(p->R, a.n0),
                 cairn_mat3_apply(p->R, a.n1)};
}

// the separation along ± e x f if x points from A to B
static void try_axis(cairn_axis* best, cairn_vec3 x, const arc* a, const arc* b, int i, int j)
{
    double length2 = cairn_dot(x, x);
    if (length2 <= parallel * cairn_dot(a->e, a->e) * cairn_dot(b->e, b->e))
        return;
    double length = sqrt(length2);
    double s = cairn_dot(x, cairn_sub(b->p, a->p)) / length;
    if (s > best->separation)
        *best = (cairn_axis){CAIRN_AXIS_EDGES, i, j, s, cairn_scale(1.0 / length, x)};
}

// polytopes with volume
static void edge_axes(cairn_axis* best, const cairn_placed* p, double beyond)
{
    for (int j = 0; j < p->b->edge_count; j++) {
        arc b = to_a(p, get_arc(p->b, j));
        for (int i = 0; i < p->a->edge_count; i++) {
            const cairn_core* core = p->a;
            const cairn_hull_edge* h = &core->edges[core->edge_half[i]];
            const cairn_hull_edge* twin = &core->edges[h->twin];
            cairn_vec3 e = cairn_sub(core->vertices[twin->origin], core->vertices[h->origin]);
            double c0 = cairn_dot(b.n0, e), c1 = cairn_dot(b.n1, e);
            if (c0 * c1 >= 0.0)
                continue;
            double a0 = cairn_dot(core->faces[h->face].normal, b.e);
            double a1 = cairn_dot(core->faces[twin->face].normal, b.e);
            if (a0 * a1 >= 0.0 || c0 * a1 >= 0.0)
                continue;
            arc a = get_arc(core, i);
            cairn_vec3 x = cairn_cross(a.e, b.e);
            if (cairn_dot(x, cairn_add(a.n0, a.n1)) < 0.0)
                x = cairn_neg(x);
            try_axis(best, x, &a, &b, i, j);
            if (best->separation > beyond)
                return;
        }
    }
}

// whether x is an outward normal at the edge
static bool on_arc(const cairn_core* core, const arc* a, cairn_vec3 x)
{
    if (core->kind == CAIRN_CORE_SEGMENT)
        return true;
    if (core->kind == CAIRN_CORE_TRIANGLE)
        return cairn_dot(x, cairn_cross(a->e, a->n0)) >= 0.0;
    return cairn_dot(cairn_cross(a->n0, x), a->e) >= 0.0 &&
           cairn_dot(cairn_cross(x, a->n1), a->e) >= 0.0;
}

bool cairn_edge_shows(const cairn_core* core, int i, cairn_vec3 x)
{
    arc a = get_arc(core, i);
    return on_arc(core, &a, x);
}

static bool is_flat(const cairn_core* core)
{
    return core->kind == CAIRN_CORE_SEGMENT || core->kind == CAIRN_CORE_TRIANGLE;
}

// whether the arc of an edge may cross a direction square to e: it does not if e sees both ends of
// it from the same side
static bool may_cross(const cairn_core* core, const arc* a, cairn_vec3 e)
{
    return is_flat(core) || !(cairn_dot(a->n0, e) * cairn_dot(a->n1, e) > 0.0);
}

// with a segment or a triangle among them
static void flat_edge_axes(cairn_axis* best, const cairn_placed* p, double beyond)
{
    for (int j = 0; j < p->b->edge_count; j++) {
        arc b = to_a(p, get_arc(p->b, j));
        for (int i = 0; i < p->a->edge_count; i++) {
            arc a = get_arc(p->a, i);
            if (!may_cross(p->a, &a, b.e) || !may_cross(p->b, &b, a.e))
                continue;
            cairn_vec3 x = cairn_cross(a.e, b.e);
            for (int side = 0; side < 2; side++) {
                cairn_vec3 back = cairn_neg(x);
                if (on_arc(p->a, &a, x) && on_arc(p->b, &b, back))
                    try_axis(best, x, &a, &b, i, j);
                x = back;
            }
            if (best->separation > beyond)
                return;
        }
    }
}

void cairn_sat(cairn_axes* axes, const cairn_placed* p, double beyond)
{
    *axes = (cairn_axes){no_axis, no_axis, no_axis};
    axes->face_a = face_axis_a(p, beyond);
    if (axes->face_a.separation > beyond)
        return;
    axes->face_b = face_axis_b(p, beyond);
    if (axes->face_b.separation > beyond)
        return;
    if (is_flat(p->a) || is_flat(p->b))
        flat_edge_axes(&axes->edges, p, beyond);
    else
        edge_axes(&axes->edges, p, beyond);
}

// ---------------------------------------------------------------- a cached axis

static bool edges_again(cairn_axis* axis, const cairn_placed* p)
{
    arc a = get_arc(p->a, axis->a), b = to_a(p, get_arc(p->b, axis->b));
    cairn_vec3 x = cairn_cross(a.e, b.e);
    if (cairn_dot(x, axis->normal) < 0.0)
        x = cairn_neg(x);
    if (!on_arc(p->a, &a, x) || !on_arc(p->b, &b, cairn_neg(x)))
        return false;
    axis->separation = -DBL_MAX;
    try_axis(axis, x, &a, &b, axis->a, axis->b);
    return axis->separation > -DBL_MAX;
}

bool cairn_sat_again(cairn_axis* axis, const cairn_placed* p)
{
    int start = 0;
    switch (axis->kind) {
    case CAIRN_AXIS_FACE_A:
        axis->normal = p->a->faces[axis->a].normal;
        axis->separation = height_over_a(p, &p->a->faces[axis->a], &start);
        return true;
    case CAIRN_AXIS_FACE_B:
        axis->normal = cairn_neg(cairn_mat3_apply(p->R, p->b->faces[axis->b].normal));
        axis->separation = height_over_b(p, &p->b->faces[axis->b], &start);
        return true;
    case CAIRN_AXIS_EDGES:
        return edges_again(axis, p);
    default:
        return false;
    }
}
