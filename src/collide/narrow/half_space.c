// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A half-space z <= 0 against a convex core: the corners of the face that looks most downwards,
// with the lowest point in the place of the nearest when it is not among them. The gap of each is
// its height.

#include "collide/narrow/convex_pair.h"

static void add_point(cairn_candidates* out, const cairn_placed* p, cairn_vec3 local,
                      uint64_t feature, double margin)
{
    cairn_vec3 b = cairn_to_a(p, local);
    if (b.z - p->b->radius <= margin)
        cairn_add_candidate(out, p, cairn_vec(b.x, b.y, 0.0), b, feature);
}

static int nearest_corner(const cairn_feature_polygon* polygon, cairn_vec3 x)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < polygon->count; i++) {
        double distance = cairn_norm(cairn_sub(polygon->corner[i], x));
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

void cairn_collide_half_space(cairn_candidates* out, const cairn_placed* p, double margin)
{
    cairn_vec3 down = cairn_vec(-p->R.cx.z, -p->R.cy.z, -p->R.cz.z);
    cairn_feature_polygon polygon;
    int vertex = 0;

    cairn_vec3 lowest = cairn_core_support(p->b, down, &vertex);
    out->normal = cairn_vec(0.0, 0.0, 1.0);
    if (cairn_to_a(p, lowest).z - p->b->radius > margin)
        return;

    cairn_facing_polygon(&polygon, p->b, down);
    double least = INFINITY;
    for (int i = 0; i < polygon.count; i++)
        least = fmin(least, cairn_to_a(p, polygon.corner[i]).z);

    // on a cap the lowest point of the rim stands in for the corner beside it
    if (cairn_to_a(p, lowest).z < least - 1e-14 * p->size) {
        int i = nearest_corner(&polygon, lowest);
        polygon.corner[i] = lowest;
        polygon.vertex[i] = p->b->kind >= CAIRN_CORE_CYLINDER ? polygon.vertex[i] : vertex;
    }

    for (int i = 0; i < polygon.count; i++)
        add_point(out, p, polygon.corner[i],
                  cairn_feature(CAIRN_FEATURE_VERTEX_B, 0, polygon.vertex[i]), margin);
}
