// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Spheres and capsules among themselves: the closest points of two segments, either of which may be
// a point. Minimizes |a(s) - b(t)|² over the square of parameters: the free minimum when the lines
// are not parallel, clamped, then each parameter once more for the other (Ericson 2005, 5.1.9). Two
// spheres, of which heaps are made, need none of this.

#include "collide/narrow/convex_pair.h"

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

typedef struct lines {
    double ha, hb;   // half lengths
    cairn_vec3 t, d; // center of B, unit direction of B; A lies along z about the origin
} lines;

static lines get_lines(const cairn_placed* p)
{
    return (lines){p->a->vertex_count == 2 ? p->a->vertices[1].z : 0.0,
                   p->b->vertex_count == 2 ? p->b->vertices[1].z : 0.0, p->t, p->R.cz};
}

static void closest_parameters(const lines* l, double* s, double* u)
{
    // a = s z, b = t + u d: s = t.z + u d.z and u = s d.z - t·d where free
    double c = l->d.z, td = cairn_dot(l->t, l->d);
    double sin2 = l->d.x * l->d.x + l->d.y * l->d.y;
    *s = sin2 > 1e-14 ? clamp((l->t.z - c * td) / sin2, -l->ha, l->ha)
                      : clamp(l->t.z, -l->ha, l->ha);
    *u = clamp(*s * c - td, -l->hb, l->hb);
    *s = clamp(l->t.z + *u * c, -l->ha, l->ha);
    *u = clamp(*s * c - td, -l->hb, l->hb);
}

cairn_apart cairn_round_distance(const cairn_placed* p)
{
    lines l = get_lines(p);
    double s, u;
    closest_parameters(&l, &s, &u);
    cairn_apart apart = {.point_a = cairn_vec(0.0, 0.0, s),
                         .point_b = cairn_add_scaled(l.t, u, l.d)};

    cairn_vec3 d = cairn_sub(apart.point_b, apart.point_a);
    double gap = cairn_norm(d);
    if (gap > 1e-15 * p->size) {
        apart.gap = gap;
        apart.normal = cairn_scale(1.0 / gap, d);
        return apart;
    }

    // the cores meet: square to both, or to A alone
    cairn_vec3 n = cairn_cross(cairn_vec(0.0, 0.0, 1.0), l.d);
    apart.normal = cairn_norm(n) > 1e-9 ? cairn_normalize(n) : cairn_vec(1.0, 0.0, 0.0);
    return apart;
}

void cairn_collide_round(cairn_candidates* out, const cairn_placed* p, double margin)
{
    cairn_apart apart = cairn_round_distance(p);
    double gap = apart.gap - p->a->radius - p->b->radius;
    if (gap > margin)
        return;
    out->normal = apart.normal;
    cairn_add_parallel_contact(out, p, apart.normal, margin);
    for (int i = 0; i < out->count; i++)
        if (out->point[i].gap <= gap + 1e-9 * p->size)
            return;
    cairn_add_candidate(out, p, apart.point_a, apart.point_b,
                        cairn_feature(CAIRN_FEATURE_ROUND, 0, 0));
}

bool cairn_collide_spheres(cairn_manifold* m, const cairn_shape* a, cairn_transform xa,
                           const cairn_shape* b, cairn_transform xb, double margin)
{
    cairn_vec3 d = cairn_sub(xb.p, xa.p);
    double distance = cairn_norm(d), radii = a->radius + b->radius, gap = distance - radii;
    m->part_a = m->part_b = 0;
    m->count = gap <= margin;

    // where the centers meet: any direction that turns with A
    m->normal = distance > 1e-15 * radii ? cairn_scale(1.0 / distance, d)
                                         : cairn_rotate(xa.q, cairn_vec(1.0, 0.0, 0.0));

    m->points[0] =
        (cairn_contact_point){.position = cairn_add_scaled(xa.p, a->radius + 0.5 * gap, m->normal),
                              .gap = gap,
                              .feature = cairn_feature(CAIRN_FEATURE_ROUND, 0, 0)};
    return m->count > 0;
}
