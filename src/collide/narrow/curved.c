// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How an ellipsoid, a cone or a tapered capsule is apart from another core. GJK and EPA end where
// the distance is right to round-off, which leaves the normal right to the square root of it. Here
// it is polished on the patches of the surfaces that meet. A patch gives its point with the outward
// normal m:
//
//     ball      p(m)    = c + r m                          corners, apexes, ends of capsules
//     line      p(m, s) = c + s l + (r + k s) m,  m·l = -k    edges, and sides of what is round
//     oval      p(m)    = c + S m / sqrt(m·S m)            ellipsoids, rims
//     flat      m = l
//
// The points of A and B lie straight over each other, b - a = g n. With m = n on A and m = -n on B,
// tangents T of n, and D = ∂p/∂m, a Newton step for n, s_A and s_B is
//
//     | Tᵀ (D_A + D_B + g) T   Tᵀ l_A   -Tᵀ l_B | | δ    |   |  Tᵀ (b - a)    |
//     | l_Aᵀ T                 0         0      | | δs_A | = | -(k_A + l_A·n) |
//     | -l_Bᵀ T                0         0      | | δs_B |   | -(k_B - l_B·n) |
//
// whose first block is the sum of the radii of curvature and the gap: it does not degenerate when
// the cores touch or overlap. A result counts when the planes across n through both points hold the
// cores apart (or overlapping) by the gap, so that a wrong guess of patches does no harm: what GJK
// or EPA had then stands, right to 1e-10 of the size with a normal right to 1e-5.

#include "collide/narrow/convex_pair.h"
#include "linalg/gauss.h"

typedef enum patch_kind { BALL, LINE, OVAL, FLAT } patch_kind;

typedef struct patch {
    patch_kind kind;
    cairn_vec3 c;    // center, or a point of the line
    cairn_vec3 l;    // unit: direction of the line, normal of the flat
    double r, k;     // m: radius of the ball, or of the line at c; its slope
    double from, to; // m: the line, from c
    cairn_mat3 S;    // m²: of the oval
} patch;

enum { most_patches = 3 };

typedef struct patches {
    int count;
    patch patch[most_patches]; // the likeliest first
} patches;

static const double is_flat = 1e-12;  // 1 - cosine: a face may look along the normal
static const double is_side = 1e-3;   // sine: a normal may be one of a side
static const double is_right = 1e-12; // of the size: what the gap may be off
static const double is_close =
    1e-10; // of the size: what the points may miss, as on a rim whose axis
           // is all but the normal; the gap misses the square of it

// ---------------------------------------------------------------- patches of cores

static void add(patches* out, patch p)
{
    if (out->count < most_patches)
        out->patch[out->count++] = p;
}

static patch ball(cairn_vec3 c, double r)
{
    return (patch){.kind = BALL, .c = c, .r = r};
}

static patch flat(cairn_vec3 normal)
{
    return (patch){.kind = FLAT, .l = normal};
}

static patch rim(double radius, double z)
{
    double s = radius * radius;
    return (patch){.kind = OVAL, .c = cairn_vec(0.0, 0.0, z), .S = cairn_mat3_diagonal(s, s, 0.0)};
}

static patch axis_line(double z, double r, double k, double from, double to)
{
    return (patch){.kind = LINE,
                   .c = cairn_vec(0.0, 0.0, z),
                   .l = cairn_vec(0.0, 0.0, 1.0),
                   .r = r,
                   .k = k,
                   .from = from,
                   .to = to};
}

static void patches_of_ellipsoid(patches* out, cairn_vec3 h)
{
    add(out, (patch){.kind = OVAL, .S = cairn_mat3_diagonal(h.x * h.x, h.y * h.y, h.z * h.z)});
}

static void patches_of_cylinder(patches* out, const cairn_core* core, cairn_vec3 m, double z)
{
    double h = core->half.z, r = core->half.x;
    if (fabs(m.z) > 1.0 - is_flat)
        add(out, flat(cairn_vec(0.0, 0.0, m.z < 0.0 ? -1.0 : 1.0)));
    if (fabs(m.z) < is_side)
        add(out, axis_line(0.0, r, 0.0, -h, h));
    add(out, rim(r, (fabs(m.z) < is_side ? z : m.z) < 0.0 ? -h : h));
}

// Balls about the axis of a cone of half angle α that touch its side have the radius (h - z) sin α;
// they do so at the rim when h - z = 2 h / cos² α.
static void patches_of_cone(patches* out, const cairn_core* core, cairn_vec3 m)
{
    double h = core->half.z, r = core->half.x, slant2 = r * r + 4.0 * h * h;
    double sine = r / sqrt(slant2), longest = slant2 / (2.0 * h);
    if (m.z < -1.0 + is_flat)
        add(out, flat(cairn_vec(0.0, 0.0, -1.0)));
    if (fabs(m.z - sine) < is_side)
        add(out, axis_line(h, 0.0, -sine, -longest, 0.0));
    add(out, m.z > sine ? ball(cairn_vec(0.0, 0.0, h), 0.0) : rim(r, -h));
    add(out, m.z > sine ? rim(r, -h) : ball(cairn_vec(0.0, 0.0, h), 0.0));
}

static void patches_of_tapered(patches* out, const cairn_core* core, cairn_vec3 m)
{
    double h = core->half.z, k = (core->end[1] - core->end[0]) / (2.0 * h);
    int top = m.z > -k;
    if (fabs(m.z + k) < is_side)
        add(out, axis_line(-h, core->end[0], k, 0.0, 2.0 * h));
    add(out, ball(cairn_vec(0.0, 0.0, top ? h : -h), core->end[top]));
    add(out, ball(cairn_vec(0.0, 0.0, top ? -h : h), core->end[!top]));
}

// the vertices that a simplex comes from, those with most weight first; returns how many
static int vertices_of(int* vertex, const cairn_simplex* s, bool of_b)
{
    double weight[4] = {0.0};
    int count = 0;

    for (int i = 0; i < s->count; i++) {
        int v = of_b ? s->point[i].vertex_b : s->point[i].vertex_a, k = 0;
        while (k < count && vertex[k] != v)
            k++;
        vertex[k] = v;
        weight[k] += s->weight[i];
        count += k == count;

        // insertion sort by weight
        for (; k > 0 && weight[k] > weight[k - 1]; k--) {
            double w = weight[k];
            int u = vertex[k];
            weight[k] = weight[k - 1];
            vertex[k] = vertex[k - 1];
            weight[k - 1] = w;
            vertex[k - 1] = u;
        }
    }
    return count;
}

// of a core with vertices: the face that looks along m, the edge and the corner that GJK ended with
static void patches_of_polytope(patches* out, const cairn_core* core, cairn_vec3 m,
                                const cairn_simplex* simplex, bool of_b)
{
    int vertex[4] = {0};
    int count = vertices_of(vertex, simplex, of_b);
    if (core->face_count > 0 && cairn_facing_cosine(core, m) > 1.0 - is_flat) {
        cairn_feature_polygon polygon;
        cairn_facing_polygon(&polygon, core, m);
        add(out, flat(polygon.normal));
    }

    if (count > 1) {
        cairn_vec3 a = core->vertices[vertex[0]], d = cairn_sub(core->vertices[vertex[1]], a);
        double length = cairn_norm(d);
        add(out, (patch){.kind = LINE, .c = a, .l = cairn_scale(1.0 / length, d), .to = length});
    }
    add(out, ball(core->vertices[vertex[0]], 0.0));
}

// all that may hold the point x with the normal m, in the frame of the core
static void find_patches(patches* out, const cairn_core* core, cairn_vec3 m, cairn_vec3 x,
                         const cairn_simplex* simplex, bool of_b)
{
    out->count = 0;
    switch (core->kind) {
    case CAIRN_CORE_ELLIPSOID:
        patches_of_ellipsoid(out, core->half);
        break;
    case CAIRN_CORE_CYLINDER:
        patches_of_cylinder(out, core, m, x.z);
        break;
    case CAIRN_CORE_CONE:
        patches_of_cone(out, core, m);
        break;
    case CAIRN_CORE_TAPERED:
        patches_of_tapered(out, core, m);
        break;
    default:
        patches_of_polytope(out, core, m, simplex, of_b);
        break;
    }
}

static patch to_frame_of_a(const cairn_placed* p, const patch* b)
{
    patch x = *b;
    x.c = cairn_to_a(p, b->c);
    x.l = cairn_mat3_apply(p->R, b->l);
    x.S = cairn_mat3_multiply(cairn_mat3_multiply(p->R, b->S), cairn_mat3_transpose(p->R));
    return x;
}

// ---------------------------------------------------------------- points of patches

static cairn_vec3 point_of(const patch* f, cairn_vec3 m, double s)
{
    if (f->kind == OVAL) {
        cairn_vec3 v = cairn_mat3_apply(f->S, m);
        double q2 = cairn_dot(m, v);
        return q2 > 0.0 ? cairn_add_scaled(f->c, 1.0 / sqrt(q2), v) : f->c;
    }
    cairn_vec3 c = f->kind == LINE ? cairn_add_scaled(f->c, s, f->l) : f->c;
    return cairn_add_scaled(c, f->r + f->k * s, m);
}

// t·D u with D = S / q - S m (S m)ᵀ / q³ of an oval, (r + k s) 1 of others
static double bend(const patch* f, cairn_vec3 m, double s, cairn_vec3 t, cairn_vec3 u)
{
    if (f->kind != OVAL)
        return (f->r + f->k * s) * cairn_dot(t, u);
    cairn_vec3 v = cairn_mat3_apply(f->S, m);
    double q2 = cairn_dot(m, v), q = sqrt(q2);
    if (!(q2 > 0.0))
        return 0.0;
    return (cairn_dot(t, cairn_mat3_apply(f->S, u)) - cairn_dot(t, v) * cairn_dot(u, v) / q2) / q;
}

// where the point x of a line has its ball: x·l = c·l + s + (r + k s) m·l with m·l = -k
static double place_on(const patch* f, cairn_vec3 x)
{
    if (f->kind != LINE)
        return 0.0;
    return (cairn_dot(f->l, cairn_sub(x, f->c)) + f->k * f->r) / (1.0 - f->k * f->k);
}

static bool is_on(const patch* f, double s, double slack)
{
    return f->kind != LINE || (s >= f->from - slack && s <= f->to + slack);
}

// ---------------------------------------------------------------- Newton's method

typedef struct state {
    cairn_vec3 n;
    double s[2];
} state;

// one step; how far the points are from lying over each other (m) before it, or -1 without a step
static double step(state* x, const patch* a, const patch* b)
{
    enum { stride = 4 };
    double A[stride * stride] = {0.0}, y[stride];
    cairn_vec3 n = x->n, back = cairn_neg(n), t[2];
    cairn_vec3 d = cairn_sub(point_of(b, back, x->s[1]), point_of(a, n, x->s[0]));

    double gap = cairn_dot(n, d);
    int size = 2, line_a = -1, line_b = -1;
    cairn_tangents(n, &t[0], &t[1]);

    // radii of curvature and the gap
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            A[stride * i + j] = bend(a, n, x->s[0], t[i], t[j]) +
                                bend(b, back, x->s[1], t[i], t[j]) + (i == j ? gap : 0.0);
        y[i] = cairn_dot(t[i], d);
    }
    double miss = cairn_length(y[0], y[1]);

    // each line adds a row, as the normal keeps its angle with it: k_A + l_A·n = 0, k_B - l_B·n = 0
    if (a->kind == LINE) {
        line_a = size++;
        for (int i = 0; i < 2; i++)
            A[stride * i + line_a] = A[stride * line_a + i] = cairn_dot(t[i], a->l);
        y[line_a] = -(a->k + cairn_dot(a->l, n));
    }
    if (b->kind == LINE) {
        line_b = size++;
        for (int i = 0; i < 2; i++)
            A[stride * i + line_b] = A[stride * line_b + i] = -cairn_dot(t[i], b->l);
        y[line_b] = -(b->k - cairn_dot(b->l, n));
    }

    // a long step is divergence
    if (!cairn_gauss_solve(A, stride, y, size, NULL) || !(cairn_length(y[0], y[1]) < 0.5))
        return -1.0;

    x->n = cairn_normalize(cairn_add_scaled(cairn_add_scaled(n, y[0], t[0]), y[1], t[1]));
    x->s[0] += line_a >= 0 ? y[line_a] : 0.0;
    x->s[1] += line_b >= 0 ? y[line_b] : 0.0;
    return miss;
}

// a flat side has the normal; the other has its farthest point over it
static cairn_apart over_flat(const cairn_placed* p, cairn_vec3 n, bool flat_a)
{
    int vertex = 0;
    cairn_vec3 m = cairn_neg(cairn_mat3_apply_transposed(p->R, n));
    cairn_apart x = {.gap = cairn_separation(p, n), .normal = n};
    if (flat_a) {
        x.point_b = cairn_to_a(p, cairn_core_support(p->b, m, &vertex));
        x.point_a = cairn_add_scaled(x.point_b, -x.gap, n);
    } else {
        x.point_a = cairn_core_support(p->a, n, &vertex);
        x.point_b = cairn_add_scaled(x.point_a, x.gap, n);
    }
    return x;
}

// the pair of points on two patches, from one close to it; false where they do not hold it
static bool join(cairn_apart* out, const cairn_placed* p, const patch* a, const patch* b,
                 const cairn_apart* start)
{
    enum { most_steps = 12 };
    if (a->kind == FLAT || b->kind == FLAT) {
        bool flat_a = a->kind == FLAT;
        *out = over_flat(p, flat_a ? a->l : cairn_neg(b->l), flat_a);
        return out->gap >= start->gap - 0.1 * is_right * p->size;
    }

    // quadratic convergence: five steps from 1e-3, and one in round-off
    state x = {start->normal, {place_on(a, start->point_a), place_on(b, start->point_b)}};
    double close = is_close * p->size, miss = INFINITY;
    for (int i = 0; i < most_steps; i++) {
        double before = miss;
        miss = step(&x, a, b);
        if (!(miss >= 0.0))
            return false;
        if (miss <= 1e-16 * p->size || (miss <= close && miss >= 0.5 * before))
            break;
    }

    if (!(miss <= close) || !is_on(a, x.s[0], is_right * p->size) ||
        !is_on(b, x.s[1], is_right * p->size))
        return false;

    // nothing else of the cores is beyond the planes of both points
    out->normal = x.n;
    out->point_a = point_of(a, x.n, x.s[0]);
    out->point_b = point_of(b, cairn_neg(x.n), x.s[1]);
    out->gap = cairn_dot(x.n, cairn_sub(out->point_b, out->point_a));
    double held = cairn_separation(p, x.n);
    return fabs(held - out->gap) <= is_right * p->size &&
           held >= start->gap - 0.1 * is_right * p->size;
}

// the first pair of patches that holds the points
static void polish(cairn_apart* apart, const cairn_placed* p, const cairn_apart* start,
                   const cairn_simplex* simplex)
{
    patches of_a, of_b;

    cairn_vec3 back = cairn_neg(cairn_mat3_apply_transposed(p->R, start->normal));
    find_patches(&of_a, p->a, start->normal, start->point_a, simplex, false);
    find_patches(&of_b, p->b, back, cairn_to_b(p, start->point_b), simplex, true);

    for (int k = 0; k < of_b.count; k++) {
        patch b = to_frame_of_a(p, &of_b.patch[k]);
        for (int i = 0; i < of_a.count; i++) {
            cairn_apart found;
            if (join(&found, p, &of_a.patch[i], &b, start)) {
                *apart = found;
                return;
            }
        }
    }
}

cairn_apart cairn_curved_apart(const cairn_placed* p, double beyond)
{
    const double outside = 1e-3; // of the size: how far apart overlapping cores are looked at
    cairn_apart apart, start;
    cairn_simplex simplex;

    // apart: GJK's points are the start for Newton's method
    if (cairn_gjk(&apart, &simplex, p, beyond, 0.0)) {
        if (apart.gap <= beyond) {
            start = apart;
            start.gap = cairn_separation(p, start.normal);
            polish(&apart, p, &start, &simplex);
        }
        return apart;
    }

    // overlapping: the same points as seen from a little outside
    cairn_epa(&apart, &simplex, p);
    cairn_placed out = *p;
    double back = outside * p->size - apart.gap;
    out.t = cairn_add_scaled(p->t, back, apart.normal);
    if (cairn_gjk(&start, &simplex, &out, INFINITY, 0.0)) {
        start.point_b = cairn_add_scaled(start.point_b, -back, apart.normal);
        start.gap = apart.gap;
        polish(&apart, p, &start, &simplex);
    }

    return apart;
}
