// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Feet: the nearest point P(x) of a core to a point x, in closed form for segments, boxes,
// cylinders, and simplices of vertices of a hull or triangle. The derivative of P is the projector
// on the feature that the foot lies on; on a circle of radius R seen from the distance r > R of its
// axis it is shorter by R / r along the circle.

#include "collide/query/closest_point.h"
#include "collide/narrow/gjk.h"
#include <float.h>

static void foot_on_segment(cairn_foot* foot, double half, cairn_vec3 x)
{
    bool inside = fabs(x.z) < half;
    foot->x = cairn_vec(0.0, 0.0, inside ? x.z : x.z < 0.0 ? -half : half);
    foot->freedom = inside;
    foot->tangent[0] = cairn_vec(0.0, 0.0, 1.0);
    foot->weight[0] = 1.0;
}

static void foot_on_box(cairn_foot* foot, cairn_vec3 half, cairn_vec3 x)
{
    const double at[3] = {x.x, x.y, x.z}, h[3] = {half.x, half.y, half.z};
    double to[3], out[3] = {0.0, 0.0, 0.0};
    foot->freedom = 0;

    // a coordinate within the box is free to move along its axis; the others are at a face
    for (int i = 0; i < 3; i++) {
        to[i] = at[i];
        if (fabs(at[i]) < h[i]) {
            if (foot->freedom < 2)
                foot->tangent[foot->freedom] = cairn_vec(i == 0, i == 1, i == 2);
            foot->freedom++;
        } else {
            out[i] = at[i] < 0.0 ? -1.0 : 1.0;
            to[i] = out[i] * h[i];
        }
    }

    foot->x = cairn_vec(to[0], to[1], to[2]);
    foot->normal = cairn_vec(out[0], out[1], out[2]);
    foot->weight[0] = foot->weight[1] = 1.0;
}

static void foot_on_cylinder(cairn_foot* foot, cairn_vec3 half, cairn_vec3 x)
{
    double r = sqrt(x.x * x.x + x.y * x.y), R = half.x;
    bool beside = r > R, above = fabs(x.z) > half.z;
    double up = x.z < 0.0 ? -1.0 : 1.0;
    cairn_vec3 z = cairn_vec(0.0, 0.0, 1.0);
    cairn_vec3 out = r > 0.0 ? cairn_vec(x.x / r, x.y / r, 0.0) : cairn_vec(1.0, 0.0, 0.0);

    foot->x =
        cairn_vec(beside ? R * out.x : x.x, beside ? R * out.y : x.y, above ? up * half.z : x.z);
    foot->freedom = 3 - beside - above;
    foot->round = beside && !above;

    // beside the cylinder the foot moves around it R / r as far as x does
    foot->normal = beside ? out : cairn_scale(up, z);
    foot->tangent[0] = beside ? cairn_vec(-out.y, out.x, 0.0) : cairn_vec(1.0, 0.0, 0.0);
    foot->weight[0] = beside ? R / r : 1.0;
    foot->tangent[1] = beside ? z : cairn_vec(0.0, 1.0, 0.0);
    foot->weight[1] = 1.0;
}

static int closest_corners(double* weight, const cairn_footing* on, cairn_vec3 x)
{
    cairn_vec3 w[4];
    for (int i = 0; i < on->count; i++)
        w[i] = cairn_sub(on->core->vertices[on->vertex[i]], x);
    cairn_simplex_closest(weight, w, on->count);
    return on->count;
}

static void foot_on_simplex(cairn_foot* foot, const cairn_footing* on, cairn_vec3 x)
{
    cairn_vec3 corner[4];
    double weight[4];
    int kept = 0;

    closest_corners(weight, on, x);
    foot->x = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < on->count; i++) {
        if (weight[i] <= 0.0)
            continue;
        corner[kept++] = on->core->vertices[on->vertex[i]];
        foot->x = cairn_add_scaled(foot->x, weight[i], corner[kept - 1]);
    }
    foot->freedom = kept - 1;
    foot->weight[0] = foot->weight[1] = 1.0;

    // the weights come from corners as seen from x: with x far from a short edge their differences
    // are off by more than those of the corners themselves
    if (kept > 1)
        foot->tangent[0] = cairn_normalize(cairn_sub(corner[1], corner[0]));

    if (kept == 2) {
        double length = cairn_dot(foot->tangent[0], cairn_sub(corner[1], corner[0]));
        double along = cairn_dot(foot->tangent[0], cairn_sub(x, corner[0]));
        foot->x = cairn_add_scaled(corner[0], fmin(fmax(along, 0.0), length), foot->tangent[0]);
    }

    if (kept == 3) {
        cairn_vec3 n = cairn_normalize(
            cairn_cross(cairn_sub(corner[1], corner[0]), cairn_sub(corner[2], corner[0])));
        double height = cairn_dot(n, cairn_sub(x, corner[0]));
        foot->normal = height < 0.0 ? cairn_neg(n) : n;
        foot->tangent[1] = cairn_cross(n, foot->tangent[0]);

        // straight below x: free of the round-off of the weights
        foot->x = cairn_add_scaled(x, -height, n);
    }
}

bool cairn_footing_exchange(cairn_footing* on, cairn_vec3 x, int vertex)
{
    double weight[4];
    int kept = 0, count = closest_corners(weight, on, x);

    for (int i = 0; i < count; i++) {
        if (on->vertex[i] == vertex)
            return false;
        if (weight[i] > 0.0)
            on->vertex[kept++] = on->vertex[i];
    }

    if (kept == 4)
        return false;

    on->vertex[kept++] = vertex;
    on->count = kept;
    return true;
}

void cairn_find_foot(cairn_foot* foot, const cairn_footing* on, cairn_vec3 x)
{
    const cairn_core* core = on->core;
    foot->round = false;
    if (on->count > 0)
        foot_on_simplex(foot, on, x);
    else if (core->kind == CAIRN_CORE_CYLINDER)
        foot_on_cylinder(foot, core->half, x);
    else if (core->kind == CAIRN_CORE_BOX)
        foot_on_box(foot, core->half, x);
    else
        foot_on_segment(foot, core->vertex_count == 2 ? core->vertices[1].z : 0.0, x);
}

// ---------------------------------------------------------------- a point

// out through the nearest face
static cairn_vec3 way_out_of_box(cairn_vec3 half, cairn_vec3 x)
{
    cairn_vec3 room = cairn_sub(half, cairn_abs(x));
    if (room.x <= room.y && room.x <= room.z)
        return cairn_vec(x.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
    if (room.y <= room.z)
        return cairn_vec(0.0, x.y < 0.0 ? -1.0 : 1.0, 0.0);
    return cairn_vec(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0);
}

// out through the side or a cap, whichever is nearer
static cairn_vec3 way_out_of_cylinder(cairn_vec3 half, cairn_vec3 x)
{
    double across = sqrt(x.x * x.x + x.y * x.y);
    if (half.z - fabs(x.z) < half.x - across)
        return cairn_vec(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0);
    return across > 0.0 ? cairn_vec(x.x / across, x.y / across, 0.0) : cairn_vec(1.0, 0.0, 0.0);
}

cairn_apart cairn_point_apart(const cairn_core* core, cairn_vec3 x)
{
    cairn_foot foot;
    bool flat = core->kind == CAIRN_CORE_TRIANGLE;
    cairn_find_foot(&foot, &(cairn_footing){core, flat ? 3 : 0, {0, 1, 2}}, x);

    cairn_vec3 d = cairn_sub(x, foot.x), far = cairn_abs(x);
    double gap = cairn_norm(d), size = fmax(core->size, fmax(far.x, fmax(far.y, far.z)));

    if (gap > 4.0 * DBL_EPSILON * size)
        return (cairn_apart){gap, foot.freedom == 2 ? foot.normal : cairn_scale(1.0 / gap, d),
                             foot.x, x};

    // inside: the shortest way out
    cairn_vec3 n = flat                           ? core->faces[0].normal
                   : core->kind == CAIRN_CORE_BOX ? way_out_of_box(core->half, x)
                                                  : way_out_of_cylinder(core->half, x);
    int vertex = 0;
    gap = cairn_dot(n, cairn_sub(x, cairn_core_support(core, n, &vertex)));
    return (cairn_apart){gap, n, cairn_add_scaled(x, -gap, n), x};
}
