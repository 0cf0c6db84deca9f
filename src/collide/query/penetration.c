// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How far shapes of several pieces must go to leave each other. Pieces that overlap each have their
// own way out, and none of these ways need part the whole. Along a unit n, piece i of A and piece k
// of B are apart once B has gone by
//
//     w_ik(n) = h_i(n) + h_k(-n),      h the support functions of the pieces where they are.
//
// Let O(t) be the pairs that overlap when B has gone by t. From t_0 = 0,
//
//     t_j+1 = min { w_ik(n) : ik in O(t_j) },     D(n) = the first t_j with O(t_j) empty,
//
// and the depth is the least D(n) over the normals of all pairs of O(0). These are minima over
// sets: pieces that share an edge are often equally deep, but neither their order nor the round-off
// that decides between them has a say.

#include "collide/narrow/surface.h"

enum { most_overlaps = 128, most_moves = 500 };

typedef struct piece {
    cairn_core core;
    cairn_transform x;
    bool half_space;
    bool flat; // a triangle of a surface
    cairn_facet facet;
} piece;

typedef struct overlap {
    int part_a, part_b;
    cairn_vec3 normal; // world
} overlap;

// O(t)
typedef struct overlaps {
    double tolerance;        // m: of overlaps that do not count
    const cairn_vec3* along; // the way, or NULL when there is none yet
    int count;
    overlap pair[most_overlaps];
} overlaps;

typedef struct separation {
    const cairn_shape *a, *b; // if one of them is a surface of triangles, it is A
    cairn_transform xa, xb;
    overlaps first; // O(0)
} separation;

static int part_count(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_COMPOUND ? s->data.compound->count : 1;
}

static void get_piece(piece* out, const cairn_shape* s, cairn_transform x, int part)
{
    out->x = x;
    out->half_space = false;
    out->flat = cairn_has_triangles(s);
    if (out->flat) {
        out->facet = cairn_surface_facet(s, part);
        cairn_core_of_facet(&out->core, &out->facet);
        return;
    }

    if (s->kind == CAIRN_SHAPE_COMPOUND) {
        out->x = cairn_transform_multiply(x, s->data.compound->offsets[part]);
        s = &s->data.compound->parts[part];
    }

    out->half_space = s->kind == CAIRN_SHAPE_HALF_SPACE;
    cairn_core_of_shape(&out->core, s);
}

// how far B must go along n to leave A; infinite when it never does. Two half-spaces, which never
// touch each other, have left already.
static double way_out(const piece* a, const piece* b, cairn_vec3 n)
{
    if (a->half_space && b->half_space)
        return 0.0;
    if (b->half_space)
        return way_out(b, a, cairn_neg(n));
    cairn_placed p = cairn_place(&a->core, &b->core, cairn_transform_relative(a->x, b->x));
    cairn_vec3 local = cairn_rotate_back(a->x.q, n), up = cairn_vec(0.0, 0.0, 1.0);
    if (a->half_space)
        return local.z > 1e-6 ? (b->core.radius - cairn_separation(&p, up)) / local.z : INFINITY;
    return a->core.radius + b->core.radius - cairn_separation(&p, local);
}

// ---------------------------------------------------------------- what overlaps

// how deep two pieces are in each other; zero or less when they are not, or B is behind A
static double depth_of(cairn_vec3* normal, const piece* a, const piece* b)
{
    if (a->half_space && b->half_space)
        return 0.0;

    if (a->half_space || b->half_space) {
        const piece* plane = a->half_space ? a : b;
        cairn_vec3 up = cairn_rotate(plane->x.q, cairn_vec(0.0, 0.0, 1.0));
        *normal = a->half_space ? up : cairn_neg(up);
        return way_out(a, b, *normal);
    }

    cairn_placed p = cairn_place(&a->core, &b->core, cairn_transform_relative(a->x, b->x));
    double radii = a->core.radius + b->core.radius;
    cairn_apart apart;
    if (!a->flat)
        apart = cairn_cores_apart(&p, radii);
    else if (!cairn_facet_near(&a->facet, &p, 0.0) ||
             !cairn_facet_apart(&apart, &a->facet, &p, radii))
        return 0.0;

    *normal = cairn_rotate(a->x.q, apart.normal);
    return radii - apart.gap;
}

// most pairs of pieces are apart along n: then nothing else need be asked
static void add_if_overlapping(overlaps* o, const piece* a, const piece* b, overlap here)
{
    if (o->count == most_overlaps || (o->along && !(way_out(a, b, *o->along) > o->tolerance)) ||
        !(depth_of(&here.normal, a, b) > o->tolerance))
        return;
    o->pair[o->count++] = here;
}

// all pairs that overlap when B is at xb, or as many as there is room for
static void find_overlaps(overlaps* o, const separation* w, cairn_transform xb)
{
    piece a, b;
    o->count = 0;
    for (int k = 0; k < part_count(w->b); k++) {
        get_piece(&b, w->b, xb, k);

        // parts against parts
        if (!cairn_has_triangles(w->a)) {
            for (int i = 0; i < part_count(w->a); i++) {
                get_piece(&a, w->a, w->xa, i);
                add_if_overlapping(o, &a, &b, (overlap){.part_a = i, .part_b = k});
            }
            continue;
        }

        // a part against the triangles below its box
        const cairn_shape* part =
            w->b->kind == CAIRN_SHAPE_COMPOUND ? &w->b->data.compound->parts[k] : w->b;
        cairn_aabb box = cairn_shape_aabb(part, cairn_transform_relative(w->xa, b.x));
        cairn_surface_walk walk = cairn_surface_start(w->a, box);
        for (int i; (i = cairn_surface_next(&walk)) >= 0;) {
            get_piece(&a, w->a, w->xa, i);
            add_if_overlapping(o, &a, &b, (overlap){.part_a = i, .part_b = k});
        }
    }
}

// ---------------------------------------------------------------- the least way

static double least_way(const separation* w, const overlaps* o, cairn_vec3 n)
{
    double least = INFINITY;
    for (int i = 0; i < o->count; i++) {
        piece a, b;
        get_piece(&a, w->a, w->xa, o->pair[i].part_a);
        get_piece(&b, w->b, w->xb, o->pair[i].part_b);
        least = fmin(least, way_out(&a, &b, n));
    }
    return least;
}

// D(n), or something not below `best`
static double depth_along(const separation* w, cairn_vec3 n, double best)
{
    double t = least_way(w, &w->first, n);
    overlaps o = {.tolerance = 0.0, .along = &n};
    for (int i = 0; i < most_moves && t < best; i++) {
        // go a little farther, so that round-off does not decide whether the pair just left still
        // overlaps
        t += w->first.tolerance;
        find_overlaps(&o, w, (cairn_transform){cairn_add_scaled(w->xb.p, t, n), w->xb.q});
        if (o.count == 0)
            return t;
        t = fmax(least_way(w, &o, n), t);
    }
    return INFINITY;
}

// whether a pair before it has the same normal, but for round-off
static bool is_repeated(const overlaps* o, int i)
{
    for (int k = 0; k < i; k++)
        if (cairn_norm(cairn_sub(o->pair[k].normal, o->pair[i].normal)) < 1e-12)
            return true;
    return false;
}

bool cairn_part_pieces(cairn_vec3* normal, double* depth, const cairn_shape* a, cairn_transform xa,
                       const cairn_shape* b, cairn_transform xb, double tolerance)
{
    separation w = {.a = a, .b = b, .xa = xa, .xb = xb, .first = {.tolerance = tolerance}};
    find_overlaps(&w.first, &w, xb);

    // the least depth along a normal of any overlapping pair
    *depth = INFINITY;
    for (int i = 0; i < w.first.count; i++) {
        if (is_repeated(&w.first, i))
            continue;

        double d = depth_along(&w, w.first.pair[i].normal, *depth);
        if (!(d < *depth))
            continue;

        *depth = d;
        *normal = w.first.pair[i].normal;
    }
    return *depth < INFINITY;
}
