// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A dense factorization K = L D L^T of a symmetric positive definite matrix that grows and shrinks:
// a row is appended and any row is deleted in O(n²). L has a unit diagonal.
//
//     append    L y = k,  l = D^-1 y,  δ = κ - Σ y_i²/D_i      (k, κ: the new column and diagonal)
//     delete p  the block below p becomes L₂ D₂ L₂^T + D_p l l^T: a positive rank-one update,
//               which is always stable (Gill, Golub, Murray, Saunders 1974, method C1)
//
// A row whose pivot δ is below ε κ depends on the others and is refused. Deletions add round-off,
// appending does not: the factor is worn after 64 deletions, and should then be computed again.
//
// Not for indefinite or unsymmetric matrices (see inverse.h), and blocked by four columns only:
// above a thousand rows a library's factorization is faster.
#ifndef CAIRN_LINALG_LDL_H
#define CAIRN_LINALG_LDL_H

#include "math/arena.h"
#include "math/simd.h"

enum { cairn_ldl_panel = 4 }; ///< columns that are eliminated together

typedef struct cairn_ldl {
    int n;         ///< rows of the factor
    int capacity;  ///< most rows
    int deletions; ///< since the last factorization from scratch
    size_t stride; ///< from one column of L to the next
    double* L;     ///< column by column: L_ij at L[j stride + i], i > j
    double* D;     ///< pivots, > 0
    double* work;  ///< a panel of columns
} cairn_ldl;

/// Column j of L, from row 0 on.
static inline double* cairn_ldl_column(const cairn_ldl* ldl, int j)
{
    return ldl->L + (size_t)j * ldl->stride;
}

/// An empty factor with room for `capacity` rows from the arena. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_ldl_take(cairn_ldl* ldl, int capacity, cairn_arena* arena);

/// Forgets all rows.
void cairn_ldl_clear(cairn_ldl* ldl);

/// Appends a row with the entries `column` against the present rows and the given diagonal. False
/// (and nothing changed) when the pivot is not above `epsilon` times the diagonal.
bool cairn_ldl_append(cairn_ldl* ldl, const double* column, double diagonal, double epsilon);

/// The same, from y = L^-1 column, which a solve may have left behind: O(n).
bool cairn_ldl_append_forward(cairn_ldl* ldl, const double* y, double diagonal, double epsilon);

/// Deletes the row and column at `place`; those behind it move up.
void cairn_ldl_remove(cairn_ldl* ldl, int place);

/// y ← L^-1 y
void cairn_ldl_forward(const cairn_ldl* ldl, double* y);

/// x ← L^-T D^-1 x
void cairn_ldl_backward(const cairn_ldl* ldl, double* x);

/// x ← K^-1 x
void cairn_ldl_solve(const cairn_ldl* ldl, double* x);

/// Factors K (n x n, symmetric, rows `stride` apart) from scratch. False when a pivot is refused;
/// the factor then holds the rows before it.
bool cairn_ldl_factor(cairn_ldl* ldl, const double* K, size_t stride, int n, double epsilon);

CAIRN_DECLARE_KERNEL(bool, cairn_ldl_factor_kernel,
                     (cairn_ldl * ldl, const double* K, size_t stride, int n, double epsilon));

/// Whether so many rows were deleted that the factor should be computed again.
bool cairn_ldl_worn(const cairn_ldl* ldl);

#endif
