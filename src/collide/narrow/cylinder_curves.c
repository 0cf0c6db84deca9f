// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The closest points of two curves, rims of cylinders or edges, from points near them. For where
// the projections of cylinder.c come to no end: GJK's points have half of the digits.

#include "collide/narrow/cylinder.h"
#include <float.h>

// a rim o + R (cos t x + sin t y), or an edge o + t x
typedef struct curve {
    bool rim;
    cairn_vec3 o, x, y;
    double R;
} curve;

// the point and its first two derivatives
static void curve_at(cairn_vec3* d, const curve* c, double t)
{
    double cosine = c->rim ? c->R * cairn_cos(t) : t, sine = c->rim ? c->R * cairn_sin(t) : 0.0;
    cairn_vec3 out = cairn_add(cairn_scale(cosine, c->x), cairn_scale(sine, c->y));
    d[0] = cairn_add(c->o, out);
    d[1] = c->rim ? cairn_add(cairn_scale(-sine, c->x), cairn_scale(cosine, c->y)) : c->x;
    d[2] = c->rim ? cairn_neg(out) : cairn_vec(0.0, 0.0, 0.0);
}

static double curve_parameter(const curve* c, cairn_vec3 p)
{
    double x = cairn_dot(cairn_sub(p, c->o), c->x), y = cairn_dot(cairn_sub(p, c->o), c->y);
    return c->rim ? cairn_atan2(y, x) : x / cairn_dot(c->x, c->x);
}

// the curve of a core that a point lies on, in the core's frame; false when it is something else
static bool find_curve(curve* c, const cairn_core* core, cairn_vec3 p, const cairn_simplex* from,
                       bool of_b)
{
    if (core->kind == CAIRN_CORE_CYLINDER) {
        double r = sqrt(p.x * p.x + p.y * p.y), up = p.z < 0.0 ? -1.0 : 1.0;
        *c = (curve){true, {0.0, 0.0, up * core->half.z}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 0.0};
        c->R = core->half.x;
        return fabs(r - core->half.x) <= 1e-6 * core->half.x &&
               fabs(p.z - c->o.z) <= 1e-6 * core->half.z;
    }

    // the vertices that GJK ended with: two of them span an edge, three are no curve
    int first = -1, second = -1;
    for (int i = 0; i < from->count; i++) {
        int v = of_b ? from->point[i].vertex_b : from->point[i].vertex_a;
        if (first < 0 || v == first)
            first = v;
        else if (second < 0 || v == second)
            second = v;
        else
            return false;
    }

    if (second < 0)
        return false;

    *c = (curve){.o = core->vertices[first]};
    c->x = cairn_sub(core->vertices[second], c->o);
    return true;
}

static cairn_vec3 without(cairn_vec3 d, cairn_vec3 along)
{
    return cairn_add_scaled(d, -cairn_dot(along, d) / cairn_dot(along, along), along);
}

// Two curves a(s), b(t) in the frame of A, from points near the closest ones: with d = b - a,
//
//     d·a' = 0,  d·b' = 0      by Newton's method, and the normal is that of both tangents,
//
// or of d where that is known better: to ε size / |d|, against ε size / (R sine) of the tangents.
// Taken when the points are no farther apart beyond what the normal separates.
static void join_curves(cairn_apart* apart, const cairn_placed* p, const curve* ca, const curve* cb,
                        const cairn_apart* near)
{
    double s = curve_parameter(ca, near->point_a), t = curve_parameter(cb, near->point_b);
    cairn_vec3 a[3], b[3], d = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < 5; i++) {
        curve_at(a, ca, s);
        curve_at(b, cb, t);
        d = cairn_sub(b[0], a[0]);
        double f = cairn_dot(d, a[1]), g = cairn_dot(d, b[1]), c = cairn_dot(a[1], b[1]);
        double fs = cairn_dot(d, a[2]) - cairn_dot(a[1], a[1]);
        double gt = cairn_dot(d, b[2]) + cairn_dot(b[1], b[1]), det = fs * gt + c * c;

        if (!(fabs(det) > 1e-12 * fabs(fs * gt)))
            return;

        s -= (f * gt - g * c) / det;
        t -= (fs * g + c * f) / det;
    }

    // the normal, from what is known better
    cairn_vec3 n = cairn_cross(a[1], b[1]);
    double length = cairn_norm(d), sine = cairn_norm(n) / (cairn_norm(a[1]) * cairn_norm(b[1]));
    double Ra = ca->rim ? ca->R : p->size, Rb = cb->rim ? cb->R : p->size, R = fmin(Ra, Rb);
    if (sine * R <= length)
        n = Ra > Rb ? without(without(d, b[1]), a[1]) : without(without(d, a[1]), b[1]);

    n = cairn_scale((cairn_dot(n, d) < 0.0 ? -1.0 : 1.0) / cairn_norm(n), n);
    bool on_edges = (ca->rim || (s >= 0.0 && s <= 1.0)) && (cb->rim || (t >= 0.0 && t <= 1.0));
    cairn_apart next = {cairn_separation(p, n), n, a[0], b[0]};
    if (on_edges && cairn_excess(&next, p) <= cairn_excess(apart, p) + 1e-15)
        *apart = next;
}

static curve curve_to_a(const cairn_placed* p, const curve* c)
{
    return (curve){c->rim, cairn_to_a(p, c->o), cairn_mat3_apply(p->R, c->x),
                   cairn_mat3_apply(p->R, c->y), c->R};
}

// the rim or edge that a foot with one freedom lies on, at x in the core's frame
static curve curve_of_foot(const cairn_core* core, const cairn_foot* foot, cairn_vec3 x,
                           double size)
{
    if (core->kind != CAIRN_CORE_CYLINDER)
        return (curve){.o = cairn_add_scaled(x, -size, foot->tangent[0]),
                       .x = cairn_scale(2.0 * size, foot->tangent[0])};
    double z = x.z < 0.0 ? -core->half.z : core->half.z;
    return (curve){true, {0.0, 0.0, z}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, core->half.x};
}

void cairn_join_feet(cairn_apart* apart, const cairn_placed* p, const cairn_foot* a,
                     const cairn_foot* b)
{
    curve on_a = curve_of_foot(p->a, a, a->x, p->size);
    curve on_b = curve_of_foot(p->b, b, cairn_to_b(p, b->x), p->size);
    on_b = curve_to_a(p, &on_b);
    cairn_apart next = *apart;
    join_curves(&next, p, &on_a, &on_b, &(cairn_apart){.point_a = a->x, .point_b = b->x});
    // the excess is of second order in how far the points are from straight over each other
    cairn_vec3 d = cairn_sub(next.point_b, next.point_a);
    if (cairn_norm(cairn_cross(next.normal, d)) <= 4.0 * DBL_EPSILON * p->size)
        *apart = next;
}

void cairn_polish_curves(cairn_apart* apart, const cairn_placed* p, const cairn_simplex* from)
{
    curve a, b;
    cairn_apart near = *apart;
    if (!find_curve(&a, p->a, near.point_a, from, false) ||
        !find_curve(&b, p->b, cairn_to_b(p, near.point_b), from, true))
        return;
    b = curve_to_a(p, &b);
    join_curves(apart, p, &a, &b, &near);
}

void cairn_try_crossings(cairn_apart* apart, const cairn_placed* p)
{
    if (p->a->kind != CAIRN_CORE_CYLINDER || p->b->kind != CAIRN_CORE_CYLINDER ||
        fabs(p->R.cz.z) < 0.999)
        return;

    // the rims that face each other, in the frame of A
    double ra = p->a->half.x, rb = p->b->half.x, up = apart->normal.z < 0.0 ? -1.0 : 1.0;
    double facing = up * p->R.cz.z < 0.0 ? 1.0 : -1.0;
    const cairn_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    curve a = {true, {0.0, 0.0, up * p->a->half.z}, x, y, ra};
    curve b = curve_to_a(p, &(curve){true, {0.0, 0.0, facing * p->b->half.z}, x, y, rb});

    // |v| = ra and |v - c| = rb
    cairn_vec3 c = cairn_vec(b.o.x, b.o.y, 0.0), across = cairn_vec(-c.y, c.x, 0.0);
    double c2 = cairn_dot(c, c), along = 0.5 * (1.0 + (ra * ra - rb * rb) / c2);
    double side2 = ra * ra / c2 - along * along;

    if (!(c2 > 0.0 && side2 > 0.0))
        return;

    for (int k = -1; k <= 1; k += 2) {
        cairn_vec3 v = cairn_add_scaled(cairn_scale(along, c), k * sqrt(side2), across);
        cairn_apart near = {.point_a = v, .point_b = v};
        join_curves(apart, p, &a, &b, &near);
    }
}
