// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Vectors of three for kernels whose lanes are contacts. The file that includes this says what a
// lane is: `scalar`, `real` (a vector of them), `mask` (integers of that size) and `ROOT`.

enum { wide = sizeof(real) / sizeof(scalar) };

typedef struct vec {
    real x, y, z;
} vec;

// the numbers of the bodies of the lanes
typedef struct bodies {
    real w[cairn_place_stride];
} bodies;

CAIRN_INLINE real load(const scalar* x)
{
    real v;
    memcpy(&v, x, sizeof v);
    return v;
}

CAIRN_INLINE void keep(scalar* x, real v)
{
    memcpy(x, &v, sizeof v);
}

CAIRN_INLINE real all(scalar x)
{
    return x - (real){0};
}

CAIRN_INLINE real pick(mask yes, real a, real b)
{
    return (real)((yes & (mask)a) | (~yes & (mask)b));
}

// whether the mask is set in some lane
CAIRN_INLINE bool any(mask yes)
{
    for (int l = 0; l < wide; l++)
        if (yes[l])
            return true;
    return false;
}

CAIRN_INLINE vec pick3(mask yes, vec a, vec b)
{
    return (vec){pick(yes, a.x, b.x), pick(yes, a.y, b.y), pick(yes, a.z, b.z)};
}

CAIRN_INLINE real largest(real a, real b)
{
    return pick(a > b, a, b);
}

CAIRN_INLINE real magnitude(real a)
{
    return largest(a, -a);
}

CAIRN_INLINE real root(real a)
{
    scalar x[wide];
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < wide; i++)
        x[i] = ROOT(x[i]);
    return load(x);
}

CAIRN_INLINE double widest(real x)
{
    scalar most = 0;
    for (int l = 0; l < wide; l++)
        most = x[l] > most ? x[l] : most;
    return (double)most;
}

// lanes from `at` on
CAIRN_INLINE vec load3(scalar (*x)[cairn_cluster_lanes], int at)
{
    return (vec){load(x[0] + at), load(x[1] + at), load(x[2] + at)};
}

CAIRN_INLINE vec plus(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

CAIRN_INLINE vec minus(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

CAIRN_INLINE vec times(real s, vec a)
{
    return (vec){s * a.x, s * a.y, s * a.z};
}

CAIRN_INLINE real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

CAIRN_INLINE vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// v + ω x r
CAIRN_INLINE vec point_velocity(const bodies* s, vec arm)
{
    return plus((vec){s->w[0], s->w[1], s->w[2]}, cross((vec){s->w[3], s->w[4], s->w[5]}, arm));
}

// how the point of B moves against that of A
CAIRN_INLINE vec approach(const bodies* s, const vec* arm)
{
    return minus(point_velocity(&s[1], arm[1]), point_velocity(&s[0], arm[0]));
}

// I^-1 L
CAIRN_INLINE vec turn(const bodies* m, vec L)
{
    return (vec){m->w[1] * L.x + m->w[4] * L.y + m->w[5] * L.z,
                 m->w[4] * L.x + m->w[2] * L.y + m->w[6] * L.z,
                 m->w[5] * L.x + m->w[6] * L.y + m->w[3] * L.z};
}

// n and two tangents, as cairn_tangents has them
CAIRN_INLINE void frame(vec* c, vec n)
{
    real sign = pick((mask)n.z < 0, all(-1), all(1));
    real a = all(-1) / (sign + n.z);
    real b = n.x * n.y * a;
    c[0] = n;
    c[1] = (vec){all(1) + sign * n.x * n.x * a, sign * b, -sign * n.x};
    c[2] = (vec){b, sign + n.y * n.y * a, -n.y};
}

// (x, y) cut to the disc of radius `limit`
CAIRN_INLINE void cut(real* x, real* y, real limit)
{
    real square = *x * *x + *y * *y;
    mask slides = square > limit * limit;
    real share = limit / root(square);
    *x = pick(slides, *x * share, *x);
    *y = pick(slides, *y * share, *y);
}
