// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Large systems of Newton's method in body space without complete factors. The matrix K has 6x6
// blocks, one block row per body. Its incomplete factors have no block where K has none:
//
//     K ≈ L U,     L_ik = K_ik U_kk^-1,    K_ij -= L_ik U_kj   for blocks (i, j) of K alone,
//
// and K x = b is solved by generalized minimal residuals with that as right preconditioner (Saad
// and Schultz 1986): |b - K x| over x = (L U)^-1 y is least for y in the span of
// b, K (L U)^-1 b, ...
//
// Factors, products and memory are linear in the number of contacts, where complete factors of a
// heap take n^(4/3) numbers and n² operations. Iterations: 10 to 40 on heaps, also where the
// regularization has all but vanished. Not for walls and towers, whose complete factors are cheap.
//
// A block is stored by 6 columns of 8 numbers, (linear, 0, angular, 0), as the state of a body.
#ifndef CAIRN_LINALG_KRYLOV_H
#define CAIRN_LINALG_KRYLOV_H

#include "math/arena.h"
#include "math/simd.h"
#include "math/stop.h"

enum {
    CAIRN_KRYLOV_BLOCK = 48, ///< numbers of a block
    CAIRN_KRYLOV_MOST = 80,  ///< iterations of a solve
};

typedef struct cairn_krylov {
    int n;
    const int* begin;  ///< the blocks of K by rows, n + 1
    const int* column; ///< ascending, the diagonal among them
    const double* K;
    double* factor; ///< L below the diagonal, U above it, U_kk^-1 on it
    int* diagonal;  ///< its block in each row
    int* place;     ///< scratch: the block of the present row in a column, or -1
    double* basis;  ///< CAIRN_KRYLOV_MOST + 1 vectors
    double* z;
    double* h;      ///< Hessenberg's matrix, made triangular: column j from j (j + 1) / 2 on
    int iterations; ///< of the last solve
    const cairn_stop* stop; ///< ends factors and solves, which then fail; or NULL
} cairn_krylov;

/// Takes the memory. `begin`, `column` and the numbers of K stay the caller's.
cairn_status cairn_krylov_prepare(cairn_krylov* krylov, int n, const int* begin, const int* column,
                                  const double* K, cairn_arena* arena);

/// Makes the incomplete factors of the present K. False when a pivot block has no inverse.
bool cairn_krylov_factor(cairn_krylov* krylov);

/// Solves K x = b in place (8 numbers per block row) until |b - K x| <= tolerance. False when that
/// many iterations do not suffice; x is then the best found.
bool cairn_krylov_solve(cairn_krylov* krylov, double* x, double tolerance);

CAIRN_DECLARE_KERNEL(bool, cairn_krylov_factor_kernel, (cairn_krylov * krylov));

/// z = (L U)^-1 v
CAIRN_DECLARE_KERNEL(void, cairn_krylov_precondition_kernel,
                     (const cairn_krylov* krylov, double* z, const double* v));

/// y = K z
CAIRN_DECLARE_KERNEL(void, cairn_krylov_product_kernel,
                     (const cairn_krylov* krylov, double* y, const double* z));

/// Makes vector `count` of the basis orthogonal to those before it, their products with it go to h,
/// and a unit vector; returns its length.
CAIRN_DECLARE_KERNEL(double, cairn_krylov_orthogonal_kernel,
                     (const cairn_krylov* krylov, double* h, int count));

#endif
