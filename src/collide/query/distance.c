// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Distance of any two shapes: convex pairs by their cores, a half-space by the lowest point, and
// compounds and surfaces by the least over their pieces; the depth of overlapping pieces is that of
// the whole (penetration.c).

#include "collide/narrow/convex_pair.h"
#include "collide/narrow/surface.h"
#include "collide/shape/usable.h"

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
    return s->kind == CAIRN_SHAPE_HALF_SPACE || cairn_has_triangles(s);
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

// ---------------------------------------------------------------- shapes with pieces

static bool has_pieces(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_COMPOUND || cairn_has_triangles(s);
}

// pieces that overlap: B is moved out by the depth, and the points that touch there are found
static cairn_gap parted(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                        cairn_transform xb, const cairn_gap* deepest)
{
    cairn_vec3 far = cairn_abs(cairn_sub(deepest->point_a, xa.p)), n;
    double size = fmax(-deepest->gap, fmax(far.x, fmax(far.y, far.z))), depth;
    if (!cairn_part_pieces(&n, &depth, a, xa, b, xb, 1e-12 * size))
        return *deepest;
    cairn_transform out = {cairn_add_scaled(xb.p, depth, n), xb.q};
    cairn_gap g = least_gap(a, xa, b, out);
    g.gap = -depth;
    g.normal = n;
    g.point_b = cairn_add_scaled(g.point_b, -depth, n);
    return g;
}

cairn_gap cairn_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                         cairn_transform xb)
{
    if (!cairn_placed_usable(a, xa) || !cairn_placed_usable(b, xb))
        return far_apart();
    if ((has_pieces(b) && !has_pieces(a)) || (cairn_has_triangles(b) && !cairn_has_triangles(a)))
        return swapped(cairn_distance(b, xb, a, xa));
    cairn_gap g = least_gap(a, xa, b, xb);
    return g.gap >= 0.0 || !has_pieces(a) ? g : parted(a, xa, b, xb, &g);
}

bool cairn_overlap(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                   cairn_transform xb)
{
    if (!cairn_placed_usable(a, xa) || !cairn_placed_usable(b, xb))
        return false;
    return least_gap(a, xa, b, xb).gap <= 0.0;
}
