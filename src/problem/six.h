// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Linear and angular parts as six numbers: half a row, or the velocity of a body.
#ifndef CAIRN_PROBLEM_SIX_H
#define CAIRN_PROBLEM_SIX_H

#include <cairn/math.h>

static inline void cairn_store_six(double* to, cairn_vec3 linear, cairn_vec3 angular)
{
    to[0] = linear.x;
    to[1] = linear.y;
    to[2] = linear.z;
    to[3] = angular.x;
    to[4] = angular.y;
    to[5] = angular.z;
}

/// x·y of such
static inline double cairn_dot6(const double* x, const double* y)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += x[k] * y[k];
    return sum;
}

/// The velocity of a point of a body that moves by v (6 numbers).
static inline cairn_vec3 cairn_point_velocity(const double* v, cairn_vec3 arm)
{
    cairn_vec3 turn = cairn_cross(cairn_vec(v[3], v[4], v[5]), arm);
    return cairn_vec(v[0] + turn.x, v[1] + turn.y, v[2] + turn.z);
}

#endif
