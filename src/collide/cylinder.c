// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The last digits of a cylinder's distance. On a curved surface GJK ends when the distance is right
// to round-off, where the normal is right to the square root of it. From there the features are
// known: a vertex, a line (an edge; or the axis, for contact with the side) or a circle (a rim),
// and Newton's method on
//
//     D(u, w) = |a(u) - b(w)|² / 2
//
// along the two curves gives the points to round-off in two steps. Where a face or a cap decides,
// the normal is that of the face. Of all candidates the one that separates most is taken: no normal
// separates by more than the distance, so none can be too good.

#include "collide/pair.h"

// a point c, a line c + u e, or a circle c + e cos u + f sin u; `radius` around it
typedef struct curve {
    enum { POINT, LINE, CIRCLE } kind;
    cairn_vec3 c, e, f;
    double u, lo, hi; // the parameter, and the ends of a line
    double radius;
} curve;

// normals that differ by less are the same feature's
static const double near = 1e-5;

static void evaluate(const curve* k, cairn_vec3* x, cairn_vec3* d, cairn_vec3* dd)
{
    *x = k->c;
    *d = *dd = cairn_vec(0.0, 0.0, 0.0);
    if (k->kind == LINE) {
        *x = cairn_add_scaled(k->c, k->u, k->e);
        *d = k->e;
    } else if (k->kind == CIRCLE) {
        double c = cos(k->u), s = sin(k->u);
        cairn_vec3 r = cairn_add_scaled(cairn_scale(c, k->e), s, k->f);
        *x = cairn_add(k->c, r);
        *d = cairn_add_scaled(cairn_scale(-s, k->e), c, k->f);
        *dd = cairn_neg(r);
    }
}

static void newton(curve* a, curve* b)
{
    for (int i = 0; i < 4; i++) {
        cairn_vec3 x, xd, xdd, y, yd, ydd;
        evaluate(a, &x, &xd, &xdd);
        evaluate(b, &y, &yd, &ydd);
        cairn_vec3 r = cairn_sub(x, y);
        double g = cairn_dot(r, xd), h = -cairn_dot(r, yd);
        double A = cairn_dot(xd, xd) + cairn_dot(r, xdd);
        double C = cairn_dot(yd, yd) - cairn_dot(r, ydd), B = -cairn_dot(xd, yd);
        // a point has no parameter
        if (a->kind == POINT)
            A = 1.0, B = 0.0;
        if (b->kind == POINT)
            C = 1.0, B = 0.0;
        double det = A * C - B * B;
        if (!(fabs(det) > 1e-12 * fabs(A * C)))
            return;
        a->u -= (C * g - B * h) / det;
        b->u -= (A * h - B * g) / det;
    }
}

// ---------------------------------------------------------------- features

// the feature of a cylinder at point x with outward normal n, both in its frame
static int cylinder_curve(curve* k, const cairn_core* core, cairn_vec3 x, cairn_vec3 n)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    double up = n.z > 0.0 ? core->half.z : -core->half.z;
    if (across < near)
        return 0;
    if (fabs(n.z) < near && fabs(x.z) < core->half.z * (1.0 - near)) {
        *k = (curve){.kind = LINE,
                     .e = {0.0, 0.0, 1.0},
                     .u = x.z,
                     .lo = -core->half.z,
                     .hi = core->half.z,
                     .radius = core->half.x};
        return 1;
    }
    *k = (curve){.kind = CIRCLE,
                 .c = {0.0, 0.0, up},
                 .e = {core->half.x, 0.0, 0.0},
                 .f = {0.0, core->half.x, 0.0},
                 .u = atan2(x.y, x.x)};
    return 1;
}

// the features that a simplex may stand for: corner by corner, then pair by pair
enum { most_features = 7 };

static int get_curves(curve* k, const cairn_core* core, const cairn_simplex* s, bool of_b,
                      cairn_vec3 x, cairn_vec3 n)
{
    int vertex[4], distinct = 0, count = 0;
    if (core->kind == CAIRN_CORE_CYLINDER)
        return cylinder_curve(k, core, x, n);
    for (int i = 0; i < s->count; i++) {
        int v = of_b ? s->point[i].vertex_b : s->point[i].vertex_a, j = 0;
        while (j < distinct && vertex[j] != v)
            j++;
        if (j == distinct)
            vertex[distinct++] = v;
    }
    for (int i = 0; i < distinct; i++) {
        cairn_vec3 c = core->vertices[vertex[i]];
        k[count++] = (curve){.kind = POINT, .c = c};
        for (int j = 0; j < i; j++) {
            cairn_vec3 e = cairn_sub(core->vertices[vertex[j]], c);
            double length = cairn_norm(e);
            e = cairn_scale(1.0 / length, e);
            k[count++] = (curve){
                .kind = LINE, .c = c, .e = e, .u = cairn_dot(e, cairn_sub(x, c)), .hi = length};
        }
    }
    return count;
}

static curve place_curve(const cairn_placed* p, curve k)
{
    k.c = cairn_to_a(p, k.c);
    k.e = cairn_mat3_apply(p->R, k.e);
    k.f = cairn_mat3_apply(p->R, k.f);
    return k;
}

// ---------------------------------------------------------------- candidates

// how far the points are from facing each other along the normal
static double mismatch(const cairn_apart* x)
{
    cairn_vec3 d = cairn_sub(x->point_b, x->point_a);
    return cairn_norm(cairn_add_scaled(d, -x->gap, x->normal));
}

// The best so far, and how many parameters its points were free in. Near the border of two features
// both separate alike to round-off while their normals differ by its root; then the freer feature
// is the right one, as its points are inside the feature.
typedef struct choice {
    cairn_apart apart;
    int freedom;
} choice;

static void try_normal(choice* best, const cairn_placed* p, const cairn_apart* points, int freedom)
{
    cairn_apart x = *points;
    x.gap = cairn_separation(p, x.normal);
    double lead = x.gap - best->apart.gap, tie = 1e-14 * p->size;
    double mine = mismatch(&x), theirs = mismatch(&best->apart);
    bool better = mine > tie || theirs > tie ? mine < theirs : freedom > best->freedom;
    if (lead > tie || (lead > -tie && better))
        *best = (choice){x, freedom};
}

// a face of a core that looks along n to within `near`; its exact normal
static bool face_normal(cairn_vec3* exact, const cairn_core* core, cairn_vec3 n)
{
    if (core->kind == CAIRN_CORE_CYLINDER) {
        *exact = cairn_vec(0.0, 0.0, n.z > 0.0 ? 1.0 : -1.0);
        return fabs(n.z) > 1.0 - near * near;
    }
    for (int f = 0; f < core->face_count; f++) {
        *exact = core->faces[f].normal;
        if (cairn_dot(*exact, n) > 1.0 - near * near)
            return true;
    }
    return false;
}

// the point near x that a core shows along n: exact on a cylinder's rim and side
static cairn_vec3 shown(const cairn_core* core, cairn_vec3 x, cairn_vec3 n)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    if (core->kind != CAIRN_CORE_CYLINDER || across < near)
        return x;
    double s = core->half.x / across;
    double z = n.z > 0.0 ? core->half.z : -core->half.z;
    return cairn_vec(s * n.x, s * n.y, fabs(n.z) > near ? z : x.z);
}

static void try_faces(choice* best, const cairn_placed* p, const cairn_apart* from)
{
    cairn_vec3 n, local = cairn_neg(cairn_mat3_apply_transposed(p->R, from->normal));
    if (face_normal(&n, p->a, from->normal)) {
        cairn_vec3 back = cairn_neg(cairn_mat3_apply_transposed(p->R, n));
        cairn_vec3 b = cairn_to_a(p, shown(p->b, cairn_to_b(p, from->point_b), back));
        cairn_vec3 a = cairn_add_scaled(b, -cairn_separation(p, n), n);
        try_normal(best, p, &(cairn_apart){0.0, n, a, b}, 0);
    }
    if (face_normal(&n, p->b, local)) {
        n = cairn_neg(cairn_mat3_apply(p->R, n));
        cairn_vec3 a = shown(p->a, from->point_a, n);
        cairn_vec3 b = cairn_add_scaled(a, cairn_separation(p, n), n);
        try_normal(best, p, &(cairn_apart){0.0, n, a, b}, 0);
    }
}

static void try_curves(choice* best, const cairn_placed* p, curve a, curve b,
                       const cairn_apart* from)
{
    newton(&a, &b);
    if ((a.kind == LINE && !(a.u >= a.lo && a.u <= a.hi)) ||
        (b.kind == LINE && !(b.u >= b.lo && b.u <= b.hi)))
        return;
    cairn_vec3 x, y, unused;
    evaluate(&a, &x, &unused, &unused);
    evaluate(&b, &y, &unused, &unused);
    cairn_vec3 n = cairn_sub(y, x);
    if (!(cairn_dot(n, from->normal) > 0.0))
        return;
    n = cairn_normalize(n);
    x = cairn_add_scaled(x, a.radius, n);
    y = cairn_add_scaled(y, -b.radius, n);
    // lines that are nearly parallel send the points far away for nothing
    double moved =
        cairn_norm(cairn_sub(x, from->point_a)) + cairn_norm(cairn_sub(y, from->point_b));
    if (moved <= near * p->size)
        try_normal(best, p, &(cairn_apart){0.0, n, x, y}, (a.kind != POINT) + (b.kind != POINT));
}

void cairn_polish_cylinder(cairn_apart* apart, const cairn_placed* p, const cairn_simplex* simplex)
{
    cairn_apart from = *apart;
    choice best = {from, -1};
    best.apart.gap = cairn_separation(p, from.normal);
    curve a[most_features], b[most_features];
    cairn_vec3 local = cairn_neg(cairn_mat3_apply_transposed(p->R, from.normal));
    int na = get_curves(a, p->a, simplex, false, from.point_a, from.normal);
    int nb = get_curves(b, p->b, simplex, true, cairn_to_b(p, from.point_b), local);
    for (int j = 0; j < nb; j++) {
        curve placed = place_curve(p, b[j]);
        for (int i = 0; i < na; i++)
            try_curves(&best, p, a[i], placed, &from);
    }
    try_faces(&best, p, &from);
    *apart = best.apart;
}
