// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Clipping (Sutherland, Hodgman 1974) of the incident polygon by the planes that stand on the sides
// of the reference polygon, along the normal of contact. Each corner of the result lies between two
// sides, and each side belongs to one of the two polygons, so that every corner has a name that
// does not depend on which polygon was the reference:
//
//     both sides incident:   a vertex of the incident polygon
//     one of each:           an edge of A crosses an edge of B
//     both sides reference:  a vertex of the reference polygon

#include "collide/narrow/manifold.h"

enum { most_clipped = CAIRN_MOST_CANDIDATES };

typedef struct corner {
    cairn_vec3 x;
    int vertex; // of the incident polygon, or -1
    int side;   // that leaves it: incident side i, or reference side as -1 - i
    int plane;  // the reference side that made it, when it is no vertex
} corner;

typedef struct clipped {
    int count;
    bool closed;
    corner c[most_clipped];
} clipped;

static corner cut(const corner* from, const corner* to, double d0, double d1, int plane)
{
    double t = d0 / (d0 - d1);
    return (corner){cairn_add_scaled(from->x, t, cairn_sub(to->x, from->x)), -1, from->side, plane};
}

// how high each corner stands above plane·(x - o) = 0; whether any does
static bool stand_above(double* height, const clipped* in, cairn_vec3 plane, cairn_vec3 o)
{
    bool any = false;
    for (int i = 0; i < in->count; i++) {
        height[i] = cairn_dot(plane, cairn_sub(in->c[i].x, o));
        any = any || !(height[i] <= 0.0);
    }
    return any;
}

// keeps what does not stand above the plane of a side
static void clip_by_plane(clipped* out, const clipped* in, const double* height, int side)
{
    out->count = 0;
    out->closed = in->closed;
    int edges = in->closed ? in->count : in->count - 1;
    for (int i = 0; i < in->count && out->count < most_clipped - 2; i++) {
        int next = i + 1 < in->count ? i + 1 : 0;
        const corner *from = &in->c[i], *to = &in->c[next];
        double d0 = height[i], d1 = height[next];

        if (d0 <= 0.0)
            out->c[out->count++] = *from;
        if (i < edges && (d0 <= 0.0) != (d1 <= 0.0)) {
            out->c[out->count++] = cut(from, to, d0, d1, side);

            // going out: from here the polygon runs along the plane
            if (d0 <= 0.0)
                out->c[out->count - 1].side = -1 - side;
        }
    }
}

typedef struct clip_job {
    const cairn_feature_polygon *reference, *incident;
    bool flip; // the reference belongs to B
} clip_job;

// names a corner between the sides `before` and `after`
static uint64_t name(const clip_job* job, const corner* c, int before)
{
    const cairn_feature_polygon *ref = job->reference, *inc = job->incident;

    int after = c->side;
    if (c->vertex >= 0) {
        // an original corner
        return job->flip ? cairn_feature(CAIRN_FEATURE_VERTEX_A, c->vertex, ref->face)
                         : cairn_feature(CAIRN_FEATURE_VERTEX_B, ref->face, c->vertex);
    }

    // a corner where two planes of the reference cut: the corner of the reference between them
    if (before < 0 && after < 0) {
        int i = -1 - before, j = -1 - after, n = ref->count;
        int v = (i + 1) % n == j ? j : i;
        return job->flip ? cairn_feature(CAIRN_FEATURE_VERTEX_B, inc->face, ref->vertex[v])
                         : cairn_feature(CAIRN_FEATURE_VERTEX_A, ref->vertex[v], inc->face);
    }

    // the start of a cut segment lies on the plane that cut it, though no side runs along it
    int of_ref = ref->edge[before < 0 ? -1 - before : after < 0 ? -1 - after : c->plane];
    int of_inc = inc->edge[before < 0 ? after : before];
    return job->flip ? cairn_feature(CAIRN_FEATURE_EDGES, of_inc, of_ref)
                     : cairn_feature(CAIRN_FEATURE_EDGES, of_ref, of_inc);
}

// the side that ends at corner i
static int side_before(const clipped* c, int i)
{
    if (i > 0)
        return c->c[i - 1].side;
    return c->closed ? c->c[c->count - 1].side : c->c[i].side;
}

void cairn_clip(cairn_candidates* out, const cairn_placed* p, const cairn_feature_polygon* a,
                const cairn_feature_polygon* b, bool flip, cairn_vec3 normal, double margin)
{
    clip_job job = {flip ? b : a, flip ? a : b, flip};
    clipped buffer[2];
    double height[most_clipped];
    int now = 0;

    buffer[0].count = job.incident->count;
    buffer[0].closed = job.incident->count > 2;
    for (int i = 0; i < job.incident->count; i++)
        buffer[0].c[i] = (corner){job.incident->corner[i], job.incident->vertex[i], i, 0};

    // Sutherland and Hodgman: cut the incident feature with the plane of each side of the reference
    const cairn_feature_polygon* ref = job.reference;
    for (int i = 0; i < ref->count && buffer[now].count > 0; i++) {
        cairn_vec3 o = ref->corner[i], q = ref->corner[i + 1 < ref->count ? i + 1 : 0];
        cairn_vec3 plane = cairn_cross(cairn_sub(q, o), flip ? cairn_neg(normal) : normal);
        if (!stand_above(height, &buffer[now], plane, o))
            continue;
        clip_by_plane(&buffer[1 - now], &buffer[now], height, i);
        now = 1 - now;
    }

    // height over the reference plane, measured along the normal
    double slope = cairn_dot(ref->normal, flip ? cairn_neg(normal) : normal);
    for (int i = 0; i < buffer[now].count; i++) {
        const corner* c = &buffer[now].c[i];
        double gap = cairn_dot(ref->normal, cairn_sub(c->x, ref->corner[0])) / slope;

        if (gap - p->a->radius - p->b->radius > margin || out->count == CAIRN_MOST_CANDIDATES)
            continue;

        cairn_vec3 other = cairn_add_scaled(c->x, flip ? gap : -gap, normal);
        cairn_add_candidate(out, p, flip ? c->x : other, flip ? other : c->x,
                            name(&job, c, side_before(&buffer[now], i)));
    }
}
