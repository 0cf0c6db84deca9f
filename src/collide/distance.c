// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Distance of any two shapes: convex pairs by their cores, a half-space by the lowest point, and
// compounds and surfaces by the least over their pieces. Pieces that overlap each have their own
// way out, and none of these ways need part the whole: so B is moved along one of them, by what the
// deepest piece still needs, until nothing overlaps; a few ways are tried and the shortest is
// taken.

#include "collide/pair.h"
#include "collide/surface.h"

static cairn_gap far_apart(void)
{
    return (cairn_gap){.gap = INFINITY, .normal = {0.0, 0.0, 1.0}};
}

cairn_gap cairn_gap_to_world(const cairn_apart* apart, const cairn_placed* p, cairn_transform xa)
{
    cairn_vec3 n = apart->normal;
    return (cairn_gap){
        .gap = apart->gap - p->a->radius - p->b->radius,
        .normal = cairn_rotate(xa.q, n),
        .point_a = cairn_transform_point(xa, cairn_add_scaled(apart->point_a, p->a->radius, n)),
        .point_b = cairn_transform_point(xa, cairn_add_scaled(apart->point_b, -p->b->radius, n))};
}

static cairn_gap swapped(cairn_gap g)
{
    return (cairn_gap){g.gap, cairn_neg(g.normal), g.point_b, g.point_a, g.part_b, g.part_a};
}

static cairn_gap convex_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                 cairn_transform xb)
{
    cairn_core core_a, core_b;
    cairn_core_of_shape(&core_a, a);
    cairn_core_of_shape(&core_b, b);
    cairn_placed p = cairn_place(&core_a, &core_b, cairn_transform_relative(xa, xb));
    cairn_apart apart = cairn_cores_apart(&p, INFINITY);
    return cairn_gap_to_world(&apart, &p, xa);
}

static cairn_gap half_space_distance(cairn_transform xa, const cairn_shape* b, cairn_transform xb)
{
    cairn_core core_a = {.kind = CAIRN_CORE_POINT}, core_b;
    cairn_core_of_shape(&core_b, b);
    cairn_placed p = cairn_place(&core_a, &core_b, cairn_transform_relative(xa, xb));
    cairn_vec3 down = cairn_vec(-p.R.cx.z, -p.R.cy.z, -p.R.cz.z);
    int vertex = 0;
    cairn_vec3 lowest = cairn_to_a(&p, cairn_core_support(&core_b, down, &vertex));
    cairn_apart apart = {lowest.z, {0.0, 0.0, 1.0}, {lowest.x, lowest.y, 0.0}, lowest};
    return cairn_gap_to_world(&apart, &p, xa);
}

static cairn_gap least_gap(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                           cairn_transform xb);

static cairn_gap compound_distance(const cairn_compound* a, cairn_transform xa,
                                   const cairn_shape* b, cairn_transform xb)
{
    cairn_gap best = far_apart();
    for (int i = 0; i < a->count; i++) {
        cairn_transform x = cairn_transform_multiply(xa, a->offsets[i]);
        cairn_gap g = least_gap(&a->parts[i], x, b, xb);
        if (cairn_is_nearer(&g, &best)) {
            best = g;
            best.part_a = i;
        }
    }
    return best;
}

static bool is_surface(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_HALF_SPACE || s->kind == CAIRN_SHAPE_MESH ||
           s->kind == CAIRN_SHAPE_HEIGHT_FIELD;
}

// the deepest pair of pieces when something overlaps
static cairn_gap least_gap(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                           cairn_transform xb)
{
    if (is_surface(a) && is_surface(b))
        return far_apart();
    if (a->kind == CAIRN_SHAPE_COMPOUND)
        return compound_distance(a->data.compound, xa, b, xb);
    if (b->kind == CAIRN_SHAPE_COMPOUND || is_surface(b))
        return swapped(least_gap(b, xb, a, xa));
    if (a->kind == CAIRN_SHAPE_HALF_SPACE)
        return half_space_distance(xa, b, xb);
    if (is_surface(a))
        return cairn_surface_distance(a, xa, b, xb);
    return convex_distance(a, xa, b, xb);
}

// ---------------------------------------------------------------- parting what has pieces

typedef struct piece {
    cairn_core core;
    cairn_transform x;
    bool half_space;
} piece;

static void get_piece(piece* out, const cairn_shape* s, cairn_transform x, int part)
{
    out->x = x;
    out->half_space = false;
    if (s->kind == CAIRN_SHAPE_MESH || s->kind == CAIRN_SHAPE_HEIGHT_FIELD) {
        cairn_facet facet = cairn_surface_facet(s, part);
        cairn_core_of_facet(&out->core, &facet);
        return;
    }
    if (s->kind == CAIRN_SHAPE_COMPOUND) {
        out->x = cairn_transform_multiply(x, s->data.compound->offsets[part]);
        s = &s->data.compound->parts[part];
    }
    out->half_space = s->kind == CAIRN_SHAPE_HALF_SPACE;
    cairn_core_of_shape(&out->core, s);
}

// how far B must go along n to leave the piece of A; infinite when it never does
static double way_out(const piece* a, const piece* b, cairn_vec3 n)
{
    cairn_placed p = cairn_place(&a->core, &b->core, cairn_transform_relative(a->x, b->x));
    cairn_vec3 local = cairn_rotate_back(a->x.q, n), up = cairn_vec(0.0, 0.0, 1.0);
    if (a->half_space)
        return local.z > 1e-6 ? (b->core.radius - cairn_separation(&p, up)) / local.z : INFINITY;
    return a->core.radius + b->core.radius - cairn_separation(&p, local);
}

typedef struct parting {
    const cairn_shape *a, *b;
    cairn_transform xa, xb;
    double tolerance; // m: of overlaps that do not count
    int way_count;
    cairn_vec3 ways[6];
    cairn_gap best;
} parting;

static void add_way(parting* w, cairn_vec3 n)
{
    for (int i = 0; i < w->way_count; i++)
        if (cairn_norm(cairn_sub(w->ways[i], n)) < 0.01)
            return;
    if (w->way_count < (int)(sizeof w->ways / sizeof w->ways[0]))
        w->ways[w->way_count++] = n;
}

// moves B along n until it is free, or has gone farther than the best way
static void try_way(parting* w, cairn_vec3 n)
{
    enum { most_moves = 200 };
    double gone = 0.0;
    for (int i = 0; i < most_moves && gone < -w->best.gap; i++) {
        cairn_transform xb = {cairn_add_scaled(w->xb.p, gone, n), w->xb.q};
        cairn_gap g = least_gap(w->a, w->xa, w->b, xb);
        if (g.gap >= -w->tolerance) {
            w->best = g;
            w->best.gap = -gone;
            w->best.normal = n;
            w->best.point_b = cairn_add_scaled(g.point_b, -gone, n);
            return;
        }
        add_way(w, g.normal);
        piece pa, pb;
        get_piece(&pa, w->a, w->xa, g.part_a);
        get_piece(&pb, w->b, xb, g.part_b);
        gone += pb.half_space ? way_out(&pb, &pa, cairn_neg(n)) : way_out(&pa, &pb, n);
    }
}

static cairn_gap part_pieces(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                             cairn_transform xb, const cairn_gap* deepest)
{
    cairn_vec3 far = cairn_abs(cairn_sub(deepest->point_a, xa.p));
    parting w = {a, b, xa, xb, 0.0, 0, {{0.0, 0.0, 0.0}}, far_apart()};
    double size = fmax(-deepest->gap, fmax(far.x, fmax(far.y, far.z)));
    w.tolerance = 1e-12 * size;
    w.best.gap = -INFINITY;
    add_way(&w, deepest->normal);
    for (int i = 0; i < w.way_count; i++)
        try_way(&w, w.ways[i]);
    return isfinite(w.best.gap) ? w.best : *deepest;
}

static bool has_pieces(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_COMPOUND || s->kind == CAIRN_SHAPE_MESH ||
           s->kind == CAIRN_SHAPE_HEIGHT_FIELD;
}

cairn_gap cairn_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                         cairn_transform xb)
{
    if (has_pieces(b) && !has_pieces(a))
        return swapped(cairn_distance(b, xb, a, xa));
    cairn_gap g = least_gap(a, xa, b, xb);
    bool parted = g.gap >= 0.0 || !(has_pieces(a) || has_pieces(b));
    return parted ? g : part_pieces(a, xa, b, xb, &g);
}

bool cairn_overlap(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                   cairn_transform xb)
{
    return least_gap(a, xa, b, xb).gap <= 0.0;
}
