// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Hulls of arbitrary points, and contacts of two such hulls: whatever the bytes are, the builder
// refuses or gives a closed convex polytope with all points inside, and distance and manifold are
// finite.

#include "fuzz.h"
#include <cairn/cairn.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const uint8_t* data;
    size_t size;
} reader;

// small integers, halves and the like, or raw doubles: degenerate sets are the point
static double number(reader* r, int mode)
{
    double x = 0.0;
    if (mode == 0 && r->size >= sizeof x) {
        memcpy(&x, r->data, sizeof x);
        r->data += sizeof x;
        r->size -= sizeof x;
        return x;
    }
    if (r->size == 0)
        return 0.0;
    x = (double)(int8_t)*r->data / (mode == 1 ? 1.0 : 16.0);
    r->data++;
    r->size--;
    return x;
}

static void check_edges(const cairn_hull* h)
{
    if (h->vertex_count - h->edge_count / 2 + h->face_count != 2)
        abort();
    for (int e = 0; e < h->edge_count; e++)
        if (h->edges[h->edges[e].twin].twin != e ||
            h->edges[e].face == h->edges[h->edges[e].twin].face)
            abort();
}

// no point further out of a face than the header says
static void check_inside(const cairn_hull* h, const cairn_vec3* points, int count)
{
    cairn_vec3 lo = points[0], hi = points[0];
    for (int i = 1; i < count; i++) {
        lo = cairn_min(lo, points[i]);
        hi = cairn_max(hi, points[i]);
    }
    cairn_vec3 d = cairn_sub(hi, lo), far = cairn_max(cairn_abs(lo), cairn_abs(hi));
    double extent = fmax(fmax(d.x, fmax(d.y, d.z)), 1e-4 * fmax(far.x, fmax(far.y, far.z)));
    for (int f = 0; f < h->face_count; f++) {
        if (!(fabs(cairn_norm(h->faces[f].normal) - 1.0) < 1e-14))
            abort();
        for (int i = 0; i < count; i++)
            if (cairn_dot(h->faces[f].normal, points[i]) - h->faces[f].offset > 8e-11 * extent)
                abort();
    }
}

static cairn_hull* read_hull(reader* r)
{
    cairn_vec3 points[64];
    cairn_hull* hull = NULL;
    int mode = r->size ? *r->data % 3 : 0, count = r->size ? *r->data / 3 % 64 : 0;
    if (r->size) {
        r->data++;
        r->size--;
    }
    for (int i = 0; i < count; i++) {
        points[i].x = number(r, mode);
        points[i].y = number(r, mode);
        points[i].z = number(r, mode);
    }
    cairn_error error;
    cairn_status status = cairn_hull_create(points, count, 0.0, &hull, &error);
    if ((status == CAIRN_OK) != (hull != NULL) || status == CAIRN_NO_MEMORY)
        abort();
    if (hull) {
        check_edges(hull);
        check_inside(hull, points, count);
    }
    return hull;
}

static void check_pair(const cairn_shape* a, const cairn_shape* b, cairn_transform xb, double size)
{
    cairn_transform xa = cairn_transform_identity();
    cairn_gap g = cairn_distance(a, xa, b, xb);
    if (!isfinite(g.gap) || !cairn_is_finite(g.normal) || !cairn_is_finite(g.point_a))
        abort();
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold m;
    def.margin = 0.1 * size;
    if (cairn_collide_convex(a, xa, b, xb, &def, NULL, &m))
        for (int i = 0; i < m.count; i++)
            if (!isfinite(m.points[i].gap) || !cairn_is_finite(m.points[i].position))
                abort();
}

// a hull against the other, and against round and flat shapes of the other's size
static void check_pairs(const cairn_hull* a, const cairn_hull* b, reader* r)
{
    double size = a->size + b->size, h = b->size;
    cairn_shape hull = cairn_shape_hull(a);
    cairn_shape others[7] = {cairn_shape_hull(b),
                             cairn_shape_box(cairn_vec(h, 0.5 * h, 0.25 * h)),
                             cairn_shape_cylinder(h, 0.5 * h),
                             cairn_shape_capsule(0.5 * h, h),
                             cairn_shape_ellipsoid(cairn_vec(h, 0.5 * h, 0.25 * h)),
                             cairn_shape_cone(h, 0.5 * h),
                             cairn_shape_tapered_capsule(h, 0.5 * h, h)};
    cairn_vec3 turn = {number(r, 2), number(r, 2), number(r, 2)};
    cairn_vec3 move = {number(r, 2), number(r, 2), number(r, 2)};
    cairn_transform xb = {cairn_scale(size, move), cairn_quat_from_rotation_vector(turn)};
    for (int i = 0; i < 7; i++)
        check_pair(&hull, &others[i], xb, size);
}

FUZZ_TARGET(fuzz_hull)
{
    reader r = {data, size};
    cairn_hull *a = read_hull(&r), *b = read_hull(&r);
    if (a && b && a->size < 1e30 && b->size < 1e30 && a->size > 1e-30 && b->size > 1e-30)
        check_pairs(a, b, &r);
    cairn_hull_destroy(a);
    cairn_hull_destroy(b);
    return 0;
}
