// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The least depth of a cylinder (radius R, half height H, axis z, center c) in another core. Over a
// convex core with support function h the separation along a unit m is
//
//     s(m) = m·c - R |m - (m·z) z| - H |m·z| - h(m),
//
// and the depth is the least of -s: the radius of the largest ball about the origin in the
// difference of the two. That ball touches the difference only where its surface is smooth, so m is
// one of these, and each kind is solved for all of its minima:
//
//     a face's normal, or ±z,
//     a face of edge and side:       m = ±z x e,
//     a face of vertex and side:     m from the vertex nearest to the axis, square to z,
//     a face of edge and rim:        m square to e, one parameter.
//
// For the last let k = |e x z|, β = |e·z|, v = e x z / k, u = v x e, m = (±u + τ v) / sqrt(1 + τ²),
// and for a point q of the edge a = ±u·(c - q) - H k, b = v·(c - q). Then
//
//     -s = (R sqrt(τ² + β²) - a - b τ) / sqrt(1 + τ²),
//     the slope has the sign of  F(τ) = R k² τ / sqrt(τ² + β²) + a τ - b,
//
// and F grows for all τ when a >= 0, else only where (τ² + β²)^(3/2) < R k² β² / |a|: on each rim
// an edge has one minimum at most, between the normals of its two faces.
//
// Two cylinders: caps, two sides (±z x z'), and a rim on the other's side, which is a rim on an
// edge (the other axis) and R' more. Two rims make a doubly curved face, on which Newton's method
// descends from the best of a grid of directions; its Hessian is
//
//     R/ρ t tᵀ + R'/ρ' t' t'ᵀ + s I,     ρ = |m x z|, t = m x z / ρ.

#include "collide/narrow/cylinder.h"
#include "collide/narrow/sat.h"
#include <float.h>

typedef struct barrel {
    cairn_vec3 c, z;
    double R, H;
} barrel;

// the best direction so far
typedef struct deepest {
    double gap;
    cairn_vec3 m;
} deepest;

static void consider(deepest* best, double gap, cairn_vec3 m)
{
    if (gap > best->gap)
        *best = (deepest){gap, m};
}

static double barrel_reach(const barrel* b, cairn_vec3 m)
{
    double along = cairn_dot(m, b->z);
    return b->R * cairn_norm(cairn_add_scaled(m, -along, b->z)) + b->H * fabs(along);
}

// s(m) when the other core reaches as far as q
static double lift(const barrel* b, cairn_vec3 m, cairn_vec3 q)
{
    return cairn_dot(m, cairn_sub(b->c, q)) - barrel_reach(b, m);
}

// ---------------------------------------------------------------- an edge and a rim

typedef struct crease {
    cairn_vec3 q, e;   // a point of the edge and its unit direction
    cairn_vec3 n0, n1; // its faces' normals: m turns from n0 to n1 about e
    bool bounded;
} crease;

typedef struct rim {
    double R, k, beta, a, b;
} rim;

static double rim_slope(const rim* r, double tau)
{
    double root = sqrt(tau * tau + r->beta * r->beta);
    double turn = root > 0.0 ? tau / root : 0.0;
    return r->R * r->k * r->k * turn + r->a * tau - r->b;
}

// narrows [lo, hi] to p τ >= q
static void narrow(double* lo, double* hi, double p, double q)
{
    if (p > 0.0)
        *lo = fmax(*lo, q / p);
    else if (p < 0.0)
        *hi = fmin(*hi, q / p);
    else if (q > 0.0)
        *hi = -DBL_MAX;
}

// The root of F in [lo, hi], where it grows from below zero to above: Newton, halving when it
// leaves. Halving alone takes [-1e8, 1e8] to 1.6e-22 in 100 steps, which is 1e-11 β for every β
// above 1e-11; a rim that is flatter than that has its root at zero.
static double rim_root(const rim* r, double lo, double hi)
{
    double tau = lo < 0.0 && hi > 0.0 ? 0.0 : 0.5 * (lo + hi);
    double scale = r->R * r->k * r->k;

    for (int i = 0; i < 100; i++) {
        double f = rim_slope(r, tau), root2 = tau * tau + r->beta * r->beta;
        if (f > 0.0)
            hi = tau;
        else
            lo = tau;

        double slope = scale * r->beta * r->beta / (root2 * sqrt(root2)) + r->a;
        double next = tau - f / slope;
        if (!(next > lo && next < hi))
            next = 0.5 * (lo + hi);

        // the depth is right to second order
        if (fabs(next - tau) <= 1e-11 * (fabs(tau) + r->beta) || !(lo < hi))
            return next;
        tau = next;
    }
    return tau;
}

static void try_rim(deepest* best, const barrel* b, const crease* c, double side)
{
    cairn_vec3 x = cairn_cross(c->e, b->z), to = cairn_sub(b->c, c->q);
    rim r = {.R = b->R, .k = cairn_norm(x), .beta = fabs(cairn_dot(c->e, b->z))};
    if (!(r.k > 1e-12))
        return;

    cairn_vec3 v = cairn_scale(1.0 / r.k, x), u = cairn_cross(v, c->e);
    r.a = side * cairn_dot(u, to) - b->H * r.k;
    r.b = cairn_dot(v, to);

    // beyond these m is square to the axis, but for round-off
    double hi = 1e8, lo = -hi;
    if (r.a < 0.0) {
        double edge = cairn_cbrt(r.R * r.k * r.k * r.beta * r.beta / -r.a);
        double room = edge * edge - r.beta * r.beta;
        if (!(room > 0.0))
            return;
        hi = fmin(hi, sqrt(room));
        lo = -hi;
    }

    // only directions between the normals of the two faces belong to the edge
    if (c->bounded) {
        narrow(&lo, &hi, cairn_dot(c->n0, u), side * cairn_dot(c->n0, v));
        narrow(&lo, &hi, -cairn_dot(c->n1, u), -side * cairn_dot(c->n1, v));
    }

    if (!(lo < hi && rim_slope(&r, lo) < 0.0 && rim_slope(&r, hi) > 0.0))
        return;

    double tau = rim_root(&r, lo, hi);
    cairn_vec3 m = cairn_normalize(cairn_add_scaled(cairn_scale(side, u), tau, v));
    consider(best, lift(b, m, c->q), m);
}

// ---------------------------------------------------------------- a polytope

static void try_edges(deepest* best, const cairn_core* core, const barrel* b)
{
    for (int i = 0; i < core->edge_count; i++) {
        const cairn_hull_edge* h = &core->edges[core->edge_half[i]];
        cairn_vec3 q = core->vertices[h->origin];
        cairn_vec3 d = cairn_sub(core->vertices[core->edges[h->twin].origin], q);
        crease c = {.q = q, .e = cairn_normalize(d), .bounded = core->face_count > 0};
        if (c.bounded) {
            c.n0 = core->faces[h->face].normal;
            c.n1 = core->faces[core->edges[h->twin].face].normal;
        }

        // directions in which a rim touches the edge
        try_rim(best, b, &c, 1.0);
        try_rim(best, b, &c, -1.0);

        // and those in which the side of the barrel does
        cairn_vec3 m = cairn_cross(b->z, c.e);
        double length = cairn_norm(m);

        if (!(length > 1e-7))
            continue;

        m = cairn_scale(1.0 / length, m);
        for (int side = 0; side < 2; side++, m = cairn_neg(m))
            if (cairn_edge_shows(core, i, m))
                consider(best, lift(b, m, q), m);
    }
}

static double reach(const cairn_core* core, cairn_vec3 m)
{
    int vertex = 0;
    return cairn_dot(m, cairn_core_support(core, m, &vertex));
}

static void try_direction(deepest* best, const cairn_core* core, const barrel* b, cairn_vec3 m)
{
    consider(best, cairn_dot(m, b->c) - barrel_reach(b, m) - reach(core, m), m);
}

// from the vertex nearest to the axis to it
static void try_nearest_vertex(deepest* best, const cairn_core* core, const barrel* b)
{
    cairn_vec3 nearest = cairn_vec(0.0, 0.0, 0.0);
    double least = INFINITY;
    for (int i = 0; i < core->vertex_count; i++) {
        cairn_vec3 d = cairn_sub(b->c, core->vertices[i]);
        d = cairn_add_scaled(d, -cairn_dot(d, b->z), b->z);
        if (cairn_dot(d, d) < least) {
            least = cairn_dot(d, d);
            nearest = d;
        }
    }

    if (least > 0.0)
        try_direction(best, core, b, cairn_scale(1.0 / sqrt(least), nearest));
}

static cairn_vec3 out_of_polytope(const cairn_core* core, const barrel* b)
{
    deepest best = {.gap = -DBL_MAX};
    for (int f = 0; f < core->face_count; f++) {
        cairn_vec3 m = core->faces[f].normal;
        consider(&best, cairn_dot(m, b->c) - barrel_reach(b, m) - core->faces[f].offset, m);
    }
    try_direction(&best, core, b, b->z);
    try_direction(&best, core, b, cairn_neg(b->z));
    try_nearest_vertex(&best, core, b);
    try_edges(&best, core, b);
    return best.m;
}

// ---------------------------------------------------------------- two cylinders

// s(m) of A seen from B, both in the frame of B, whose center is the origin
static double apart_along(const barrel* a, const barrel* b, cairn_vec3 m)
{
    return lift(a, m, b->c) - barrel_reach(b, m);
}

static void try_both_ways(deepest* best, const barrel* a, const barrel* b, cairn_vec3 m)
{
    double length = cairn_norm(m);
    if (!(length > 1e-12))
        return;
    m = cairn_scale(1.0 / length, m);
    consider(best, apart_along(a, b, m), m);
    consider(best, apart_along(a, b, cairn_neg(m)), cairn_neg(m));
}

// the rim of a on the side of b: an edge along b's axis
static void try_rim_on_side(deepest* best, const barrel* a, const barrel* b, bool turned)
{
    crease axis = {.q = b->c, .e = b->z};
    for (int side = -1; side <= 1; side += 2) {
        deepest here = {.gap = -DBL_MAX};
        try_rim(&here, a, &axis, side);
        if (here.gap > -DBL_MAX)
            consider(best, here.gap - b->R, turned ? cairn_neg(here.m) : here.m);
    }
}

// half of the Hessian, and of the point of the difference that m looks at
static cairn_vec3 rim_point(const barrel* b, cairn_vec3 m, cairn_vec3* tangent, double* bend)
{
    double along = cairn_dot(m, b->z);
    cairn_vec3 out = cairn_add_scaled(m, -along, b->z);
    double rho = cairn_norm(out), s = rho > 0.0 ? b->R / rho : 0.0;
    *tangent = rho > 0.0 ? cairn_scale(1.0 / rho, cairn_cross(m, b->z)) : b->z;
    *bend = s;
    return cairn_add_scaled(cairn_scale(s, out), along < 0.0 ? -b->H : b->H, b->z);
}

// one step of Newton's method on the sphere, downhill where the Hessian is not positive
static cairn_vec3 rims_step(const barrel* a, const barrel* b, const deepest* at)
{
    cairn_vec3 ta, tb, t, s, m = at->m;
    double ka, kb;
    cairn_vec3 w = cairn_add(rim_point(a, m, &ta, &ka), rim_point(b, m, &tb, &kb));
    w = cairn_sub(w, cairn_sub(a->c, b->c));

    // gradient and Hessian of the gap in the plane across m: each rim bends along its own tangent
    cairn_tangents(m, &t, &s);

    double g[2] = {cairn_dot(w, t), cairn_dot(w, s)};
    double pa[2] = {cairn_dot(ta, t), cairn_dot(ta, s)},
           pb[2] = {cairn_dot(tb, t), cairn_dot(tb, s)};
    double hxx = ka * pa[0] * pa[0] + kb * pb[0] * pb[0] + at->gap;
    double hyy = ka * pa[1] * pa[1] + kb * pb[1] * pb[1] + at->gap;
    double hxy = ka * pa[0] * pa[1] + kb * pb[0] * pb[1];

    // raised until its least eigenvalue is a hundredth of the largest
    double mean = 0.5 * (hxx + hyy), spread = cairn_hypot(0.5 * (hxx - hyy), hxy);
    double raise = fmax(0.0, 0.01 * (fabs(mean) + spread) - (mean - spread));
    hxx += raise;
    hyy += raise;

    // the step -H^-1 g, half a radian at most
    double det = hxx * hyy - hxy * hxy;
    if (!(det > 0.0))
        return cairn_vec(0.0, 0.0, 0.0);

    double x = (hxy * g[1] - hyy * g[0]) / det, y = (hxy * g[0] - hxx * g[1]) / det;
    cairn_vec3 step = cairn_add(cairn_scale(x, t), cairn_scale(y, s));
    double length = cairn_norm(step);
    return length > 0.5 ? cairn_scale(0.5 / length, step) : step;
}

// Downhill, and at last by whole steps: the depth is right to second order before m is to first. A
// step of at most 0.5 that was halved 20 times is 5e-7, and what it gains, its square, round-off.
// The matrix of the step is raised to a condition of 100: the search has settled long before 40
// steps, and the depth along any m at all is one that parts the cylinders.
static void descend_on_rims(deepest* at, const barrel* a, const barrel* b)
{
    for (int i = 0; i < 40; i++) {
        cairn_vec3 step = rims_step(a, b, at);
        double length = cairn_norm(step);
        deepest next = *at;

        // halve the step until the gap grows
        for (int halving = 0; halving < 20; halving++) {
            next.m = cairn_normalize(cairn_add(at->m, step));
            next.gap = apart_along(a, b, next.m);
            if (next.gap > at->gap || length < 1e-6)
                break;
            step = cairn_scale(0.5, step);
        }

        if (!(next.gap > at->gap || length < 1e-6))
            return;
        *at = next;
        if (length < 1e-14)
            return;
    }
}

enum { most_starts = 4 };

static void try_two_rims(deepest* best, const barrel* a, const barrel* b)
{
    static const double weight[3][2] = {{1.0, 0.3}, {1.0, 1.0}, {0.3, 1.0}};
    deepest start[most_starts];
    cairn_vec3 x = cairn_cross(a->z, b->z);

    for (int i = 0; i < most_starts; i++)
        start[i].gap = -DBL_MAX;

    // a grid of directions between the axes; the best few are kept, in falling order
    for (int i = 0; i < 36; i++) {
        double wa = weight[i % 3][0], wb = weight[i % 3][1];
        cairn_vec3 m = cairn_add(cairn_scale(i / 9 % 2 ? wa : -wa, a->z),
                                 cairn_scale(i / 18 ? wb : -wb, b->z));
        m = cairn_add_scaled(m, i / 3 % 3 - 1, x);

        // axes that are parallel may leave nothing: then there is no face of two rims
        if (!(cairn_norm(m) > 1e-12))
            continue;

        m = cairn_normalize(m);
        deepest here = {apart_along(a, b, m), m};
        for (int k = 0; k < most_starts; k++) {
            if (here.gap <= start[k].gap)
                continue;
            deepest swap = start[k];
            start[k] = here;
            here = swap;
        }
    }

    // descend from each of them
    for (int i = 0; i < most_starts && start[i].gap > -DBL_MAX; i++) {
        descend_on_rims(&start[i], a, b);
        consider(best, start[i].gap, start[i].m);
    }
}

static cairn_vec3 out_of_cylinder(const barrel* a, const barrel* b)
{
    deepest best = {.gap = -DBL_MAX};
    cairn_vec3 t = cairn_sub(a->c, b->c);
    try_both_ways(&best, a, b, a->z);
    try_both_ways(&best, a, b, b->z);
    try_both_ways(&best, a, b, cairn_cross(a->z, b->z));
    try_both_ways(&best, a, b, cairn_add_scaled(t, -cairn_dot(t, a->z), a->z));
    try_both_ways(&best, a, b, cairn_add_scaled(t, -cairn_dot(t, b->z), b->z));
    try_rim_on_side(&best, a, b, false);
    try_rim_on_side(&best, b, a, true);
    try_two_rims(&best, a, b);
    return best.m;
}

cairn_vec3 cairn_cylinder_way_out(const cairn_placed* p)
{
    cairn_vec3 z = cairn_vec(0.0, 0.0, 1.0), o = cairn_vec(0.0, 0.0, 0.0);
    barrel a = {cairn_to_b(p, o), cairn_mat3_apply_transposed(p->R, z), p->a->half.x, p->a->half.z};
    barrel b = {o, z, p->b->half.x, p->b->half.z};
    cairn_vec3 m =
        p->b->kind == CAIRN_CORE_CYLINDER ? out_of_cylinder(&a, &b) : out_of_polytope(p->b, &a);
    return cairn_neg(cairn_mat3_apply(p->R, m));
}
