// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Round sides (of cylinders and capsules) that lie nearly along each other, or along the edge of a
// polytope, which is a side of radius 0, touch at the two ends of their common segment. Each side
// shows a line that looks along the normal n; with unit vectors t along the line of A and v = n x t
// across, both square to n, the lines are at the same x along t at
//
//     a(x), b(x):   (b - a)·t = 0,   G(x) = (b - a)·n - core radii,   w(x) = (b - a)·v.
//
// The sections of both sides there are circles of radii R_a and R_b, whose gap is
//
//     g(x) = sqrt((G + R)² + w²) - R,    R = R_a + R_b,
//
// between the points at the angle φ from n to v, tan φ = w / (G + R). The segment ends where one of
// the lines ends, or where w is a fiftieth of R: there g is larger than G by R/5000, which is
// little for bodies at rest on each other, and φ is a fiftieth. Long sides that cross at a small
// angle may turn about this segment and meet beyond it: where that leaves a good part of a line,
// its ends count, too, up to where g is the margin and φ a fifth.

#include "collide/narrow/convex_pair.h"

static const double tilt = 0.1;  // sine: a line that n is not square to by more shows its end only
static const double skew = 0.02; // of the radii,
static const double wide = 0.2;  // and at most where sides may come to meet
static const double part = 0.1;  // of the shorter line: what is left beyond a segment that counts

typedef struct side {
    cairn_vec3 o, z; // a point of the line half way, its unit direction (frame of A)
    cairn_vec3 out;  // unit, from the axis to the surface
    double half;     // m, of the line
    double radius;   // m, from the axis to the surface
    double below;    // m, from the line to the surface: the radius of a core
} side;

// the edge that is farthest out along n, of the face that looks along it
static bool find_edge(side* s, const cairn_core* core, cairn_vec3 n)
{
    cairn_feature_polygon face;
    cairn_facing_polygon(&face, core, n);
    double best = -INFINITY;

    for (int i = 0; i < face.count; i++) {
        cairn_vec3 p = face.corner[i], q = face.corner[i + 1 < face.count ? i + 1 : 0];
        cairn_vec3 along = cairn_sub(q, p);
        double length = cairn_norm(along), far = fmin(cairn_dot(n, p), cairn_dot(n, q));

        if (far <= best || !(length > 0.0))
            continue;

        best = far;
        *s = (side){.o = cairn_scale(0.5, cairn_add(p, q)),
                    .z = cairn_scale(1.0 / length, along),
                    .out = n,
                    .half = 0.5 * length,
                    .radius = core->radius,
                    .below = core->radius};
    }
    return best > -INFINITY && fabs(cairn_dot(n, s->z)) <= tilt;
}

// `n` looks out of the core, in the core's own frame
static bool find_side(side* s, const cairn_core* core, cairn_vec3 n)
{
    bool cylinder = core->kind == CAIRN_CORE_CYLINDER;

    if (core->kind == CAIRN_CORE_BOX || core->kind == CAIRN_CORE_HULL)
        return find_edge(s, core, n);
    if (!(cylinder || core->kind == CAIRN_CORE_SEGMENT) || fabs(n.z) > tilt)
        return false;

    s->out = cylinder ? cairn_normalize(cairn_vec(n.x, n.y, 0.0)) : n;
    s->half = cylinder ? core->half.z : core->size;
    s->z = cairn_vec(0.0, 0.0, 1.0);
    s->radius = cylinder ? core->half.x : core->radius;
    s->below = core->radius;
    s->o = cairn_scale(s->radius - s->below, s->out);
    return s->half > 0.0 && s->radius > 0.0;
}

// the directions along and across the line of A, and the segment along it
typedef struct segment {
    cairn_vec3 n, t, v;
    double lo, hi;
} segment;

static void narrow(segment* s, double from, double to)
{
    s->lo = fmax(s->lo, fmin(from, to));
    s->hi = fmin(s->hi, fmax(from, to));
}

static cairn_vec3 point_at(const side* s, const segment* along, double x)
{
    double u = (x - cairn_dot(along->t, s->o)) / cairn_dot(along->t, s->z);
    return cairn_add_scaled(s->o, u < -s->half ? -s->half : u > s->half ? s->half : u, s->z);
}

// where the lines are at most `most` m apart across
static segment common_segment(const side* a, const side* b, cairn_vec3 n, double most)
{
    segment s = {.n = n, .lo = -INFINITY, .hi = INFINITY};

    s.t = cairn_normalize(cairn_add_scaled(a->z, -cairn_dot(n, a->z), n));
    s.v = cairn_cross(n, s.t);

    // where both lines run beside each other
    const side* line[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        double middle = cairn_dot(s.t, line[i]->o),
               reach = line[i]->half * cairn_dot(s.t, line[i]->z);
        narrow(&s, middle - reach, middle + reach);
    }

    // w = w0 + slope x
    double slope = cairn_dot(s.v, b->z) / cairn_dot(s.t, b->z);
    double w0 = cairn_dot(s.v, cairn_sub(b->o, a->o)) - slope * cairn_dot(s.t, b->o);

    if (fabs(slope) * fmax(fabs(s.lo), fabs(s.hi)) > 1e-3 * most)
        narrow(&s, (-most - w0) / slope, (most - w0) / slope);
    else if (fabs(w0) > most)
        s.hi = s.lo;
    return s;
}

// the point of the surface at the angle φ, from a point of the line
static cairn_vec3 on_surface(const side* s, const segment* along, cairn_vec3 x, double sign,
                             const double* turn)
{
    cairn_vec3 v = cairn_normalize(cairn_add_scaled(along->v, -cairn_dot(along->v, s->z), s->z));
    cairn_vec3 axis = cairn_add_scaled(x, s->below - s->radius, s->out);
    axis = cairn_add_scaled(axis, s->radius * turn[0], s->out);
    return cairn_add_scaled(axis, sign * s->radius * turn[1], v);
}

static void add_end(cairn_candidates* out, const side* a, const side* b, const segment* s, double x,
                    int name, double margin)
{
    double R = a->radius + b->radius;
    cairn_vec3 pa = point_at(a, s, x), pb = point_at(b, s, x), d = cairn_sub(pb, pa);
    double G = cairn_dot(s->n, d) - a->below - b->below, w = cairn_dot(s->v, d);
    double across = cairn_length(G + R, w), gap = across - R;
    if (gap > margin || !(G + R > 0.0))
        return;
    double turn[2] = {(G + R) / across, w / across};
    cairn_vec3 on_a = on_surface(a, s, pa, 1.0, turn), on_b = on_surface(b, s, pb, -1.0, turn);
    out->point[out->count++] = (cairn_contact_point){cairn_scale(0.5, cairn_add(on_a, on_b)), gap,
                                                     cairn_feature(CAIRN_FEATURE_ROUND, 1, name)};
}

void cairn_add_parallel_contact(cairn_candidates* out, const cairn_placed* p, cairn_vec3 n,
                                double margin)
{
    side a, b;

    if (!find_side(&a, p->a, n) ||
        !find_side(&b, p->b, cairn_neg(cairn_mat3_apply_transposed(p->R, n))))
        return;

    b.o = cairn_to_a(p, b.o);
    b.z = cairn_mat3_apply(p->R, b.z);
    b.out = cairn_mat3_apply(p->R, b.out);
    double R = a.radius + b.radius;

    if (fabs(cairn_dot(a.z, b.z)) < 0.99 || !(R > 0.0))
        return;

    // the ends of the stretch where the lines lie over each other
    double shorter = fmin(a.half, b.half);
    segment s = common_segment(&a, &b, n, skew * R);
    if (!(s.hi - s.lo > 1e-3 * shorter))
        return;
    add_end(out, &a, &b, &s, s.lo, 0, margin);
    add_end(out, &a, &b, &s, s.hi, 1, margin);

    // ends of a longer stretch, where the round sides are still within the margin
    segment more = common_segment(&a, &b, n, fmin(wide * R, sqrt(2.0 * R * fmax(margin, 0.0))));
    if (s.lo - more.lo > part * shorter)
        add_end(out, &a, &b, &s, more.lo, 2, margin);
    if (more.hi - s.hi > part * shorter)
        add_end(out, &a, &b, &s, more.hi, 3, margin);
}
