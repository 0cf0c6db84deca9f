// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "collide_reference.h"
#include <float.h>

typedef struct real3 {
    long double x, y, z;
} real3;

static real3 wide(cairn_vec3 v)
{
    return (real3){v.x, v.y, v.z};
}

static long double dot(real3 a, real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static real3 cross(real3 a, real3 b)
{
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// q v q* with the quaternion normalized in long double
static real3 rotate(cairn_quat q, real3 v, long double sign)
{
    long double w = q.w, norm = w * w + dot((real3){q.x, q.y, q.z}, (real3){q.x, q.y, q.z});
    real3 u = {sign * q.x, sign * q.y, sign * q.z};
    real3 t = cross(u, v);
    real3 s = cross(u, t);
    long double k = 2.0L / norm;
    return (real3){v.x + k * (w * t.x + s.x), v.y + k * (w * t.y + s.y), v.z + k * (w * t.z + s.z)};
}

static long double local_reach(const cairn_shape* s, real3 n)
{
    long double best = -LDBL_MAX, r = s->radius, h = s->half_height;
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return r * sqrtl(dot(n, n));
    case CAIRN_SHAPE_CAPSULE:
        return r * sqrtl(dot(n, n)) + h * fabsl(n.z);
    case CAIRN_SHAPE_CYLINDER:
        return r * sqrtl(n.x * n.x + n.y * n.y) + h * fabsl(n.z);
    case CAIRN_SHAPE_BOX:
        return s->half.x * fabsl(n.x) + s->half.y * fabsl(n.y) + s->half.z * fabsl(n.z);
    case CAIRN_SHAPE_ELLIPSOID: {
        real3 e = {s->half.x * n.x, s->half.y * n.y, s->half.z * n.z};
        return sqrtl(dot(e, e));
    }
    case CAIRN_SHAPE_CONE:
        return fmaxl(h * n.z, r * sqrtl(n.x * n.x + n.y * n.y) - h * n.z);
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return fmaxl(r * sqrtl(dot(n, n)) - h * n.z, s->top_radius * sqrtl(dot(n, n)) + h * n.z);
    default:
        for (int i = 0; i < s->data.hull->vertex_count; i++)
            best = fmaxl(best, dot(n, wide(s->data.hull->vertices[i])));
        return best;
    }
}

static long double reach(const cairn_shape* s, cairn_transform x, real3 n)
{
    return dot(n, wide(x.p)) + local_reach(s, rotate(x.q, n, -1.0L));
}

long double reference_reach(const cairn_shape* s, cairn_transform x, cairn_vec3 n)
{
    return reach(s, x, wide(n));
}

// a unit outward normal of an ellipsoid, E⁻² v, and how far v is outside, to first order
static long double ellipsoid_outside(cairn_vec3 h, real3 v, real3* normal)
{
    real3 u = {v.x / h.x, v.y / h.y, v.z / h.z}, g = {u.x / h.x, u.y / h.y, u.z / h.z};
    long double q = sqrtl(dot(u, u)), slope = sqrtl(dot(g, g));
    *normal = (real3){g.x / slope, g.y / slope, g.z / slope};
    return (q - 1.0L) * q / slope;
}

// The ball of a tapered capsule that a point is least outside of: z - c + h = k |v - c|. Returns how
// far that is.
static long double tapered_outside(const cairn_shape* s, real3 v, long double* center)
{
    long double r = s->radius, t = s->top_radius, h = s->half_height, k = (t - r) / (2.0L * h);
    long double across = sqrtl(v.x * v.x + v.y * v.y);
    long double c = v.z + k * across / sqrtl(1.0L - k * k);
    c = fmaxl(-h, fminl(h, c));
    *center = c;
    return sqrtl(across * across + (v.z - c) * (v.z - c)) - (r + k * (c + h));
}

double reference_outside(const cairn_shape* s, cairn_transform x, cairn_vec3 p)
{
    real3 d = {(long double)p.x - x.p.x, (long double)p.y - x.p.y, (long double)p.z - x.p.z};
    real3 v = rotate(x.q, d, -1.0L);
    long double across = sqrtl(v.x * v.x + v.y * v.y), worst = -LDBL_MAX;
    long double beyond = fmaxl(0.0L, fabsl(v.z) - s->half_height);
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return (double)(sqrtl(dot(v, v)) - s->radius);
    case CAIRN_SHAPE_CAPSULE:
        return (double)(sqrtl(across * across + beyond * beyond) - s->radius);
    case CAIRN_SHAPE_CYLINDER:
        return (double)fmaxl(across - s->radius, fabsl(v.z) - s->half_height);
    case CAIRN_SHAPE_BOX:
        return (double)fmaxl(fabsl(v.x) - s->half.x,
                             fmaxl(fabsl(v.y) - s->half.y, fabsl(v.z) - s->half.z));
    case CAIRN_SHAPE_ELLIPSOID: {
        real3 normal;
        return (double)ellipsoid_outside(s->half, v, &normal);
    }
    case CAIRN_SHAPE_CONE: {
        long double slant = sqrtl(s->radius * s->radius + 4.0L * s->half_height * s->half_height);
        long double side =
            (2.0L * s->half_height * across + s->radius * (v.z - s->half_height)) / slant;
        return (double)fmaxl(side, -s->half_height - v.z);
    }
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return (double)tapered_outside(s, v, &beyond);
    default:
        for (int f = 0; f < s->data.hull->face_count; f++)
            worst = fmaxl(worst, dot(v, wide(s->data.hull->faces[f].normal)) -
                                     s->data.hull->faces[f].offset);
        return (double)worst;
    }
}

static long double separation(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                              cairn_transform xb, real3 n)
{
    long double length = sqrtl(dot(n, n));
    real3 back = {-n.x, -n.y, -n.z};
    return (-reach(b, xb, back) - reach(a, xa, n)) / length;
}

double reference_separation(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                            cairn_transform xb, cairn_vec3 n)
{
    return (double)separation(a, xa, b, xb, wide(n));
}

// ---------------------------------------------------------------- normals

// n·(v - p) <= 0 for a vertex v, as the sine of the angle by which it is not so
static long double lean(real3 n, real3 p, real3 v, long double slack)
{
    real3 d = {v.x - p.x, v.y - p.y, v.z - p.z};
    long double over = dot(n, d) - slack;
    return over > 0.0L ? over / sqrtl(dot(d, d)) : 0.0L;
}

static long double corner_lean(const cairn_shape* s, real3 p, real3 n, long double slack)
{
    long double worst = 0.0L;
    if (s->kind == CAIRN_SHAPE_HULL) {
        for (int i = 0; i < s->data.hull->vertex_count; i++)
            worst = fmaxl(worst, lean(n, p, wide(s->data.hull->vertices[i]), slack));
        return worst;
    }
    for (int i = 0; i < 8; i++) {
        real3 v = {i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y,
                   i & 4 ? s->half.z : -s->half.z};
        worst = fmaxl(worst, lean(n, p, v, slack));
    }
    return worst;
}

// along the axis, out to the rim, and around it
static long double cylinder_lean(const cairn_shape* s, real3 p, real3 n, long double slack)
{
    long double r = sqrtl(p.x * p.x + p.y * p.y), across = sqrtl(n.x * n.x + n.y * n.y);
    real3 up = {p.x, p.y, n.z > 0.0L ? s->half_height : -s->half_height};
    long double worst = lean(n, p, up, slack);
    if (across == 0.0L)
        return worst;
    real3 out = {s->radius * n.x / across, s->radius * n.y / across, p.z};
    // on the surface: only sideways; on a cap: also outwards
    if (r > 0.999L * s->radius)
        return fmaxl(worst, fmaxl(0.0L, fabsl(n.x * p.y - n.y * p.x) - slack) / r);
    return fmaxl(worst, lean(n, p, out, slack));
}

// the normal at the point; a point that is off moves it by as much as the surface is curved
static long double ellipsoid_lean(cairn_vec3 h, real3 p, real3 n, long double slack)
{
    long double most = fmaxl(h.x, fmaxl(h.y, h.z)), least = fminl(h.x, fminl(h.y, h.z));
    real3 at;
    ellipsoid_outside(h, p, &at);
    real3 off = {at.x - n.x, at.y - n.y, at.z - n.z};
    return fmaxl(0.0L, sqrtl(dot(off, off)) - slack * most / (least * least));
}

// to the apex, and to the point of the rim that is farthest out
static long double cone_lean(const cairn_shape* s, real3 p, real3 n, long double slack)
{
    long double across = sqrtl(n.x * n.x + n.y * n.y),
                out = across > 0.0L ? s->radius / across : 0.0L;
    real3 apex = {0.0L, 0.0L, s->half_height}, rim = {out * n.x, out * n.y, -s->half_height};
    return fmaxl(lean(n, p, apex, slack), lean(n, p, rim, slack));
}

double reference_normal_error(const cairn_shape* s, cairn_transform x, cairn_vec3 point,
                              cairn_vec3 normal, double slack)
{
    real3 d = {(long double)point.x - x.p.x, (long double)point.y - x.p.y,
               (long double)point.z - x.p.z};
    real3 p = rotate(x.q, d, -1.0L), n = rotate(x.q, wide(normal), -1.0L);
    if (s->kind == CAIRN_SHAPE_BOX || s->kind == CAIRN_SHAPE_HULL)
        return (double)corner_lean(s, p, n, slack);
    if (s->kind == CAIRN_SHAPE_CYLINDER)
        return (double)cylinder_lean(s, p, n, slack);
    if (s->kind == CAIRN_SHAPE_ELLIPSOID)
        return (double)ellipsoid_lean(s->half, p, n, slack);
    if (s->kind == CAIRN_SHAPE_CONE)
        return (double)cone_lean(s, p, n, slack);
    // around a point or a segment the normal leads from it
    long double center = 0.0L;
    if (s->kind == CAIRN_SHAPE_TAPERED_CAPSULE)
        tapered_outside(s, p, &center);
    p.z -= center;
    long double z = s->kind == CAIRN_SHAPE_CAPSULE ? s->half_height : 0.0L;
    real3 out = {p.x, p.y, p.z - fmaxl(-z, fminl(z, p.z))};
    long double r = sqrtl(dot(out, out));
    real3 off = {out.x / r - n.x, out.y / r - n.y, out.z / r - n.z};
    return (double)fmaxl(0.0L, sqrtl(dot(off, off)) - slack / r);
}

// ---------------------------------------------------------------- depth by brute force

// directions of faces and edges of a box or hull, in the world
static int directions(real3* out, const cairn_shape* s, cairn_transform x, bool edges)
{
    int count = 0;
    if (s->kind == CAIRN_SHAPE_BOX) {
        out[count++] = rotate(x.q, (real3){1.0L, 0.0L, 0.0L}, 1.0L);
        out[count++] = rotate(x.q, (real3){0.0L, 1.0L, 0.0L}, 1.0L);
        out[count++] = rotate(x.q, (real3){0.0L, 0.0L, 1.0L}, 1.0L);
        return count;
    }
    const cairn_hull* h = s->data.hull;
    for (int f = 0; !edges && f < h->face_count; f++)
        out[count++] = rotate(x.q, wide(h->faces[f].normal), 1.0L);
    for (int i = 0; edges && i < h->edge_count / 2; i++) {
        const cairn_hull_edge* e = &h->edges[h->edge_half[i]];
        real3 p = wide(h->vertices[e->origin]), q = wide(h->vertices[h->edges[e->twin].origin]);
        out[count++] = rotate(x.q, (real3){q.x - p.x, q.y - p.y, q.z - p.z}, 1.0L);
    }
    return count;
}

enum { most_directions = 400 };

double reference_depth(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                       cairn_transform xb)
{
    real3 da[most_directions], db[most_directions];
    long double best = -LDBL_MAX;
    int na = directions(da, a, xa, false), nb = directions(db, b, xb, false);
    for (int i = 0; i < na + nb; i++) {
        real3 n = i < na ? da[i] : db[i - na], back = {-n.x, -n.y, -n.z};
        best = fmaxl(best, separation(a, xa, b, xb, n));
        best = fmaxl(best, separation(a, xa, b, xb, back));
    }
    na = directions(da, a, xa, true);
    nb = directions(db, b, xb, true);
    for (int i = 0; i < na; i++) {
        for (int j = 0; j < nb; j++) {
            real3 n = cross(da[i], db[j]), back = {-n.x, -n.y, -n.z};
            if (dot(n, n) < 1e-12L * dot(da[i], da[i]) * dot(db[j], db[j]))
                continue;
            best = fmaxl(best, separation(a, xa, b, xb, n));
            best = fmaxl(best, separation(a, xa, b, xb, back));
        }
    }
    return (double)-best;
}

// ---------------------------------------------------------------- random shapes

cairn_quat reference_rotation(cairn_random* random)
{
    for (;;) {
        cairn_vec3 v = cairn_random_vec3(random);
        double w = cairn_random_range(random, -1.0, 1.0);
        double norm = cairn_dot(v, v) + w * w;
        if (norm > 1e-3 && norm <= 1.0)
            return cairn_quat_normalize((cairn_quat){w, v.x, v.y, v.z});
    }
}

static double side(cairn_random* random, double size, double aspect)
{
    return size * pow(aspect, -cairn_random_unit(random));
}

cairn_shape_kind reference_kind(int i)
{
    return (cairn_shape_kind)(i <= CAIRN_SHAPE_HULL ? i
                                                    : i - CAIRN_SHAPE_HULL + CAIRN_SHAPE_COMPOUND);
}

cairn_shape reference_shape(cairn_random* random, cairn_shape_kind kind, double size, double aspect)
{
    double x = side(random, size, aspect), y = side(random, size, aspect);
    double z = side(random, size, aspect);
    switch (kind) {
    case CAIRN_SHAPE_SPHERE:
        return cairn_shape_sphere(x);
    case CAIRN_SHAPE_CAPSULE:
        return cairn_shape_capsule(x, y);
    case CAIRN_SHAPE_CYLINDER:
        return cairn_shape_cylinder(x, y);
    case CAIRN_SHAPE_BOX:
        return cairn_shape_box(cairn_vec(x, y, z));
    case CAIRN_SHAPE_ELLIPSOID:
        return cairn_shape_ellipsoid(cairn_vec(x, y, z));
    case CAIRN_SHAPE_CONE:
        return cairn_shape_cone(x, y);
    case CAIRN_SHAPE_TAPERED_CAPSULE: // neither ball holds the other
        return cairn_shape_tapered_capsule(x, y, 0.5 * fabs(x - y) + z);
    default: {
        cairn_vec3 points[24];
        int count = 6 + cairn_random_index(random, 18);
        for (int i = 0; i < count; i++) {
            cairn_vec3 d = cairn_random_direction(random);
            points[i] = cairn_vec(x * d.x, y * d.y, z * d.z);
        }
        cairn_hull* hull = NULL;
        cairn_hull_create(points, count, 0.0, &hull, NULL);
        return cairn_shape_hull(hull);
    }
    }
}

void reference_shape_destroy(cairn_shape* shape)
{
    if (shape->kind == CAIRN_SHAPE_HULL)
        cairn_hull_destroy((cairn_hull*)shape->data.hull);
}
