// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Solids of revolution as compounds of convex pieces: glasses, chalices, funnels. Each piece is a
// convex polygon of points (r, z), turned about the z axis. A piece that reaches the axis is convex
// as a whole and becomes one hull; any other becomes one hull for each of `segments` equal angles.
// Not for round contact: the solid has flat sides.

#include "io/scene/scene.h"
#include <stdlib.h>

enum { max_points = 24, max_segments = 64 };

static const double two_pi = 6.283185307179586;

typedef struct piece {
    int count;
    double r[max_points], z[max_points];
    bool solid; ///< reaches the axis
} piece;

static void read_piece(piece* out, const cairn_node* node)
{
    out->count = cairn_node_count(node);
    out->solid = false;
    if (cairn_node_ok(node) && (out->count < 3 || out->count > max_points))
        cairn_node_fail(node, "has %d points, expected 3 to %d", out->count, max_points);

    for (int i = 0; i < out->count && cairn_node_ok(node); i++) {
        cairn_node point = cairn_node_item(node, i);
        if (cairn_node_count(&point) != 2) {
            cairn_node_fail(&point, "is not a point, expected [r, z]");
            return;
        }

        cairn_node r = cairn_node_item(&point, 0), z = cairn_node_item(&point, 1);
        out->r[i] = cairn_node_number(&r, CAIRN_AT_LEAST_0);
        out->z[i] = cairn_node_number(&z, CAIRN_ANY);
        out->solid = out->solid || out->r[i] == 0.0;
    }
}

// the corners of a piece at angles [first, last] of the segments
static int corners(cairn_vec3* points, const piece* p, int first, int last, int segments)
{
    int count = 0;
    for (int s = first; s <= last; s++)
        for (int i = 0; i < p->count; i++) {
            double a = two_pi * s / segments;
            if (p->r[i] == 0.0 && s > first)
                continue;
            points[count++] = cairn_vec(p->r[i] * cairn_cos(a), p->r[i] * cairn_sin(a), p->z[i]);
        }
    return count;
}

static int add_piece(cairn_shape* parts, const cairn_node* node, const piece* p, int segments)
{
    cairn_vec3* points = malloc(sizeof *points * max_points * (max_segments + 1));
    int made = 0;
    if (!points) {
        cairn_node_starve(node);
        return 0;
    }
    if (p->solid)
        parts[made++] =
            cairn_scene_hull(node, points, corners(points, p, 0, segments - 1, segments));
    for (int s = 0; !p->solid && s < segments && cairn_node_ok(node); s++)
        parts[made++] = cairn_scene_hull(node, points, corners(points, p, s, s + 1, segments));
    free(points);
    return made;
}

cairn_shape cairn_read_revolve(const cairn_node* node)
{
    cairn_node list;
    int segments = cairn_node_integer(node, "segments", 16, 3, max_segments);
    cairn_shape out = cairn_shape_sphere(1.0);
    if (!cairn_node_need(&list, node, "pieces"))
        return out;

    int count = cairn_node_count(&list), made = 0;
    size_t room = (size_t)count * (size_t)segments + 1;
    cairn_shape* parts = calloc(room, sizeof *parts);
    cairn_transform* offsets = calloc(room, sizeof *offsets);
    if (!parts || !offsets)
        cairn_node_starve(node);

    // each piece of the profile becomes a wedge per segment
    for (int i = 0; i < count && cairn_node_ok(node); i++) {
        cairn_node item = cairn_node_item(&list, i);
        piece p;
        read_piece(&p, &item);
        if (cairn_node_ok(node))
            made += add_piece(parts + made, &item, &p, segments);
    }

    for (int i = 0; i < made; i++)
        offsets[i] = cairn_transform_identity();
    out = cairn_scene_compound(node, parts, offsets, made);
    free(parts);
    free(offsets);
    return out;
}
