// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The exact sign of a 3x3 determinant of differences,
//
//     det(b - a, c - a, d - a) = Σ over the six permutations of ± x_i y_j z_k,
//
// first in doubles with a bound of the error, then, when the bound does not decide, as a sum of
// doubles without error: each difference is two doubles, each product of two doubles is two, so the
// determinant is a sum of 6·8·4 doubles, added up into an expansion whose terms do not overlap
// (Shewchuk 1997). The vector area of a triangle is three such determinants of 2x2.
//
// A product of doubles is two doubles only where it does not underflow. So a coordinate below
// 1e-92 counts as zero: the others are multiples of 2^-358, products of three are multiples of
// 2^-1074, which is the last bit that there is. (Fuzzing found planes of points that stick out by
// 1e-319: with signs that were rounded there the rim of what a point sees was no loop.)

#include "collide/shape/predicates.h"
#include <float.h>

typedef struct pair {
    double hi, lo;
} pair;

static pair two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (pair){s, (a - (s - t)) + (b - t)};
}

// Dekker's product: exact without a fused multiply-add
static pair two_product(double a, double b)
{
    double p = a * b;
    double ca = 134217729.0 * a, cb = 134217729.0 * b;
    double ah = ca - (ca - a), bh = cb - (cb - b);
    double al = a - ah, bl = b - bh;
    return (pair){p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)};
}

enum { most_terms = 200 };

typedef struct expansion {
    int count;
    double term[most_terms]; // ascending in magnitude, not overlapping
} expansion;

static void grow(expansion* e, double x)
{
    int kept = 0;
    for (int i = 0; i < e->count; i++) {
        pair s = two_sum(x, e->term[i]);
        x = s.hi;
        if (s.lo != 0.0)
            e->term[kept++] = s.lo;
    }
    if (x != 0.0)
        e->term[kept++] = x;
    e->count = kept;
}

// adds ± x y z, where each factor is a pair
static void grow_product(expansion* e, double sign, pair x, pair y, pair z)
{
    double xs[2] = {x.hi, x.lo}, ys[2] = {y.hi, y.lo}, zs[2] = {z.hi, z.lo};
    for (int i = 0; i < 8; i++) {
        double f = sign * xs[i & 1], g = ys[i >> 1 & 1], h = zs[i >> 2];
        if (f == 0.0 || g == 0.0 || h == 0.0)
            continue;

        // x y z as a sum of four doubles without round-off
        pair fg = two_product(f, g);
        pair high = two_product(fg.hi, h), low = two_product(fg.lo, h);
        grow(e, low.lo);
        grow(e, low.hi);
        grow(e, high.lo);
        grow(e, high.hi);
    }
}

static double flushed(double x)
{
    return fabs(x) < 1e-92 ? 0.0 : x;
}

static cairn_vec3 without_underflow(cairn_vec3 p)
{
    return cairn_vec(flushed(p.x), flushed(p.y), flushed(p.z));
}

static int exact_sign(cairn_vec3 a, const cairn_vec3* rows)
{
    pair m[3][3];
    for (int i = 0; i < 3; i++) {
        m[i][0] = two_sum(rows[i].x, -a.x);
        m[i][1] = two_sum(rows[i].y, -a.y);
        m[i][2] = two_sum(rows[i].z, -a.z);
    }

    // the six products of the determinant of the differences
    expansion e = {0};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        grow_product(&e, 1.0, m[0][i], m[1][j], m[2][k]);
        grow_product(&e, -1.0, m[0][i], m[1][k], m[2][j]);
    }

    // the last term of an expansion is greater than the sum of the others: it has the sign
    double top = e.count ? e.term[e.count - 1] : 0.0;
    return (top > 0.0) - (top < 0.0);
}

int cairn_orient(cairn_vec3 a, cairn_vec3 b, cairn_vec3 c, cairn_vec3 d)
{
    cairn_vec3 o = without_underflow(a);
    cairn_vec3 rows[3] = {without_underflow(b), without_underflow(c), without_underflow(d)};
    cairn_vec3 u = cairn_sub(rows[0], o), v = cairn_sub(rows[1], o), w = cairn_sub(rows[2], o);
    double det = cairn_dot(w, cairn_cross(u, v));

    // the permanent bounds the rounding of the sum above
    cairn_vec3 au = cairn_abs(u), av = cairn_abs(v), aw = cairn_abs(w);
    double permanent = aw.x * (au.y * av.z + au.z * av.y) + aw.y * (au.z * av.x + au.x * av.z) +
                       aw.z * (au.x * av.y + au.y * av.x);
    double bound = 1e-15 * permanent + DBL_MIN;
    if (det > bound || det < -bound)
        return det > 0.0 ? 1 : -1;
    return exact_sign(o, rows);
}

// a b - c d of pairs, rounded once or twice
static double exact_minor(pair a, pair b, pair c, pair d)
{
    static const pair one = {1.0, 0.0};
    expansion e = {0};
    grow_product(&e, 1.0, a, b, one);
    grow_product(&e, -1.0, c, d, one);
    double sum = 0.0;
    for (int i = 0; i < e.count; i++)
        sum += e.term[i];
    return sum;
}

static cairn_vec3 exact_area(cairn_vec3 a, cairn_vec3 b, cairn_vec3 c)
{
    pair ux = two_sum(b.x, -a.x), uy = two_sum(b.y, -a.y), uz = two_sum(b.z, -a.z);
    pair vx = two_sum(c.x, -a.x), vy = two_sum(c.y, -a.y), vz = two_sum(c.z, -a.z);
    return cairn_vec(exact_minor(uy, vz, uz, vy), exact_minor(uz, vx, ux, vz),
                     exact_minor(ux, vy, uy, vx));
}

cairn_vec3 cairn_area_vector(cairn_vec3 a, cairn_vec3 b, cairn_vec3 c)
{
    cairn_vec3 p = without_underflow(a), q = without_underflow(b), r = without_underflow(c);
    cairn_vec3 u = cairn_sub(q, p), v = cairn_sub(r, p), n = cairn_cross(u, v);

    // rounding is below 4e-16 |u| |v|: it matters for slivers only
    return cairn_norm(n) > 1e-3 * cairn_norm(u) * cairn_norm(v) ? n : exact_area(p, q, r);
}
