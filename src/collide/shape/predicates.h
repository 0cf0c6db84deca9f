// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// On which side of a plane through three points a fourth lies, without rounding error, and the
// normal of a plane through three points that are almost on a line.
#ifndef CAIRN_COLLIDE_PREDICATES_H
#define CAIRN_COLLIDE_PREDICATES_H

#include <cairn/math.h>

/// The sign of det(b - a, c - a, d - a): 1 when d lies on the side from which a, b, c run
/// counter-clockwise, -1 on the other, 0 on the plane. Exact for coordinates below 1e60, where
/// those below 1e-92 count as zero.
int cairn_orient(cairn_vec3 a, cairn_vec3 b, cairn_vec3 c, cairn_vec3 d);

/// (b - a) x (c - a), twice the area of the triangle along its normal, to a relative error of 1e-12
/// however thin the triangle is: the cross product of doubles of a sliver of width w and length l
/// is off by round-off times l / w. The same numbers count as zero.
cairn_vec3 cairn_area_vector(cairn_vec3 a, cairn_vec3 b, cairn_vec3 c);

/// n / |n| also where the square of n underflows.
static inline cairn_vec3 cairn_direction_of(cairn_vec3 n)
{
    double most = fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z)));
    return most > 0.0 ? cairn_normalize(cairn_scale(1.0 / most, n)) : n;
}

#endif
