// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// On which side of a plane through three points a fourth lies, without rounding error.
#ifndef CAIRN_COLLIDE_ORIENT_H
#define CAIRN_COLLIDE_ORIENT_H

#include <cairn/math.h>

/// The sign of det(b - a, c - a, d - a): 1 when d lies on the side from which a, b, c run
/// counter-clockwise, -1 on the other, 0 on the plane. Exact but for overflow and underflow.
int cairn_orient(cairn_vec3 a, cairn_vec3 b, cairn_vec3 c, cairn_vec3 d);

#endif
