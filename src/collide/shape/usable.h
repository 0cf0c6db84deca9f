// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the functions without a status can work with. Two tests: `known`, a comparison or two, for
// those that are called for every pair in every step; `usable` for queries. A query forms products
// of at most six lengths; with lengths up to 1e40 m they stay below 1e240, so that neither infinity
// nor NaN comes out. Outside of that range, and with poses that are not rigid, a query meets
// nothing. Private.
#ifndef CAIRN_COLLIDE_USABLE_H
#define CAIRN_COLLIDE_USABLE_H

#include <cairn/shape.h>
#include <math.h>

/// Whether the kind exists and the data that it needs is there.
static inline bool cairn_shape_known(const cairn_shape* s)
{
    bool needs_data = s->kind >= CAIRN_SHAPE_HULL && s->kind <= CAIRN_SHAPE_COMPOUND &&
                      s->kind != CAIRN_SHAPE_HALF_SPACE;
    return (unsigned)s->kind < CAIRN_SHAPE_KIND_COUNT && (!needs_data || s->data.hull);
}

/// Whether a length, or a coordinate, is within the range; NaN is not.
static inline bool cairn_length_usable(double x)
{
    return x >= 0.0 && x <= 1e40;
}

/// Whether a length that is divided by is within the range.
static inline bool cairn_size_usable(double x)
{
    return x >= 1e-40 && x <= 1e40;
}

static inline bool cairn_vec_usable(cairn_vec3 v)
{
    return cairn_length_usable(fabs(v.x)) && cairn_length_usable(fabs(v.y)) &&
           cairn_length_usable(fabs(v.z));
}

/// Whether the shape has sizes within the range, or none: a sphere without a radius is a point.
/// Ellipsoids, cones and tapered capsules have all of theirs.
/// Data was held to the range when it was made.
static inline bool cairn_shape_usable(const cairn_shape* s)
{
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return cairn_length_usable(s->radius);
    case CAIRN_SHAPE_CAPSULE:
    case CAIRN_SHAPE_CYLINDER:
        return cairn_length_usable(s->radius) && cairn_length_usable(s->half_height);
    case CAIRN_SHAPE_BOX:
        return cairn_length_usable(s->half.x) && cairn_length_usable(s->half.y) &&
               cairn_length_usable(s->half.z);
    case CAIRN_SHAPE_ELLIPSOID:
        return cairn_size_usable(s->half.x) && cairn_size_usable(s->half.y) &&
               cairn_size_usable(s->half.z);
    case CAIRN_SHAPE_CONE:
        return cairn_size_usable(s->radius) && cairn_size_usable(s->half_height);
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return cairn_size_usable(s->radius) && cairn_size_usable(s->top_radius) &&
               cairn_size_usable(s->half_height);
    default:
        return cairn_shape_known(s);
    }
}

/// Whether a pose is a rigid motion within the range.
static inline bool cairn_pose_usable(cairn_transform x)
{
    double norm = x.q.w * x.q.w + x.q.x * x.q.x + x.q.y * x.q.y + x.q.z * x.q.z;
    return cairn_vec_usable(x.p) && fabs(norm - 1.0) < 1e-6;
}

/// Whether a query can be asked about the shape at this pose. NULL cannot.
static inline bool cairn_placed_usable(const cairn_shape* s, cairn_transform x)
{
    return s && cairn_shape_usable(s) && cairn_pose_usable(x);
}

#endif
