// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The inverse B = K^-1 of a general matrix that grows, shrinks and changes by columns, each in
// O(n²):
//
//     append     δ = κ - r B c;   B ← [B + (B c)(r B)/δ, -B c/δ; -r B/δ, 1/δ]
//     delete p   B ← B - B[:,p] B[p,:] / B_pp, without row and column p
//     replace p  the column changes by d: z = B d;  B ← B - z B[p,:] / (1 + z_p)
//
// An updated inverse loses digits where a pivot (δ, B_pp, 1 + z_p) is small: users check the
// residual of each solve, refine it, and compute the inverse again when that is not enough. For
// symmetric positive definite matrices ldl.h is half the work and always stable.
//
// One pass over a matrix of some thousand rows takes tens of milliseconds: each one asks `stop`
// every few rows. After a stop, solutions are zero from there on and the inverse means nothing.
#ifndef CAIRN_LINALG_INVERSE_H
#define CAIRN_LINALG_INVERSE_H

#include "math/arena.h"
#include "math/stop.h"

typedef struct cairn_inverse {
    int n, capacity;
    size_t stride;          ///< from one row of B to the next
    double* B;              ///< row-major
    double* left;           ///< capacity: B c
    double* right;          ///< capacity: r B
    const cairn_stop* stop; ///< or NULL, as it is after cairn_inverse_take
} cairn_inverse;

/// Room for `capacity` rows from the arena; empty. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_inverse_take(cairn_inverse* inverse, int capacity, cairn_arena* arena);

/// Appends a row and a column. False (and nothing changed) when |δ| <= epsilon |diagonal|; false
/// also after a stop, as for the next two.
bool cairn_inverse_append(cairn_inverse* inverse, const double* column, const double* row,
                          double diagonal, double epsilon);

/// Deletes row and column `place`; the last ones take their place. False (and nothing changed) when
/// the pivot is too small to divide by.
bool cairn_inverse_remove(cairn_inverse* inverse, int place);

/// Adds `change` to column `place` of K. False (and nothing changed) when that makes K singular.
bool cairn_inverse_replace(cairn_inverse* inverse, int place, const double* change);

/// x = B rhs
void cairn_inverse_solve(const cairn_inverse* inverse, double* x, const double* rhs);

/// Inverts K (n x n, row-major, rows `stride` apart; overwritten) by Gauss-Jordan elimination with
/// row pivoting. `swap` has room for n. False when K is singular to `epsilon` times its largest
/// entry, or after a stop; the inverse is then empty.
bool cairn_inverse_compute(cairn_inverse* inverse, double* K, size_t stride, int n, double epsilon,
                           int* swap);

#endif
