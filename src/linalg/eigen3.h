// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Principal axes of a symmetric 3x3 matrix.
#ifndef CAIRN_LINALG_EIGEN3_H
#define CAIRN_LINALG_EIGEN3_H

#include <cairn/math.h>

/// m = R diag(values) R^T with R the rotation of `axes`. A matrix that is diagonal already keeps
/// its axes.
void cairn_eigen3(cairn_vec3* values, cairn_quat* axes, cairn_mat3 m);

#endif
