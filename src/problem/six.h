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

#endif
