// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Small dense systems that may be singular.
#ifndef CAIRN_IO_LU_H
#define CAIRN_IO_LU_H

#include <cairn/base.h>

/// P A Q = L U with complete pivoting, up to the rank that round-off leaves.
typedef struct cairn_lu {
    int n, rank;
    double* a;   ///< n x n row-major: given A, then L and U
    int* row;    ///< row k of P A is row[k] of A
    int* column; ///< column k of A Q is column[k] of A
} cairn_lu;

/// Memory for a matrix of zeros, to be filled in; false without memory.
bool cairn_lu_create(cairn_lu* lu, int n);
void cairn_lu_destroy(cairn_lu* lu);

/// Factors lu->a in place.
void cairn_lu_factor(cairn_lu* lu);

/// Solves A x = y in place of y, with `scratch` of n numbers. Where A is singular, one of the
/// solutions is taken; false when there is none.
bool cairn_lu_solve(const cairn_lu* lu, double* y, double* scratch);

#endif
