// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Plain Gaussian elimination with partial pivoting: the yardstick, and good enough for systems that
// are solved once.
#ifndef CAIRN_LINALG_GAUSS_H
#define CAIRN_LINALG_GAUSS_H

#include "math/stop.h"

/// Solves A x = b for a row-major n x n matrix with rows `stride` apart. A is overwritten, b
/// becomes x. False when a pivot is zero, or when `stop` (or NULL) says so.
bool cairn_gauss_solve(double* A, size_t stride, double* b, int n, const cairn_stop* stop);

#endif
