// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sparse LU factors by dense fronts (multifrontal method: Duff and Reid 1983; Liu 1992), for
// systems of 3x3 blocks whose factors fill up. Block rows that are eliminated one after the other
// with the same pattern behind them form a front, a dense matrix of its pivots and of the rows that
// these reach. Children hand what is left of their fronts to their parent:
//
//     F = entries of the pivots + Σ_children S_c,     F = | L11     | | U11 U12 |,    S = F22 - L21
//     U12.
//                                                        | L21  I  | |      S  |
//
// Nearly all the work is the dense product L21 U12, whose rate grows with the front. A pivot is a
// 3x3 block and stored by its inverse, as in block_lu.h. Nothing is left out: for matrices of which
// many rows are open contacts, and for small ones, the rows of block_lu_kernel.c are faster.
#ifndef CAIRN_LINALG_BLOCK_LU_FRONT_H
#define CAIRN_LINALG_BLOCK_LU_FRONT_H

#include "math/arena.h"
#include "math/simd.h"
#include "math/stop.h"

struct cairn_block_lu_pattern;

/// A front; counts are in block rows.
typedef struct cairn_front {
    int first; ///< position of the first pivot
    int pivots;
    int rows;     ///< pivots and the rows that they reach
    int children; ///< fronts that hand over to this one
    int index;    ///< the rows behind the pivots: fronts->row and fronts->into from here
    int entry;    ///< the entries of the matrix: fronts->entry_* from here to the next front's
    ptrdiff_t L;  ///< place of the pivots' columns in the values: `leading` numbers each
    ptrdiff_t U;  ///< place of the rows of the pivots behind them: 3 pivots numbers per column
    int leading;  ///< numbers from one column of the front to the next
} cairn_front;

typedef struct cairn_fronts {
    int count;
    cairn_front* front; ///< children before parents; count + 1
    int* row;           ///< positions
    int* into;          ///< the same rows in the parent's front
    int* entry_place;   ///< index of the block in the values of the matrix
    int* entry_row;     ///< its place in the front
    int* entry_column;
    ptrdiff_t values; ///< numbers of all factors
    ptrdiff_t stack;  ///< most numbers that wait to be handed over
    ptrdiff_t widest; ///< most numbers of a front behind the pivots' columns
    int tallest;      ///< block rows of the largest front
    int deepest;      ///< most fronts that wait to be handed over
} cairn_fronts;

/// The numeric part.
typedef struct cairn_front_lu {
    const cairn_fronts* fronts;
    double* value;
    double* stack;
    int* waiting;           ///< the fronts on the stack
    double* X;              ///< the columns of a front behind its pivots
    int* run;               ///< scratch: rows of a child that stay neighbors
    double* y;              ///< scratch of a solve
    const cairn_stop* stop; ///< ends a factorization, which then fails; or NULL
} cairn_front_lu;

/// Makes the fronts of a pattern whose elimination tree (by position) is known. Memory of the
/// result from `arena`.
cairn_status cairn_fronts_make(cairn_fronts* fronts, const struct cairn_block_lu_pattern* pattern,
                               const int* parent, cairn_arena* arena, cairn_arena* scratch);

cairn_status cairn_front_lu_prepare(cairn_front_lu* lu, const cairn_fronts* fronts,
                                    cairn_arena* arena);

/// Factors the matrix with these blocks (columns of 4 numbers, 3 columns). False when a pivot block
/// has no inverse.
CAIRN_DECLARE_KERNEL(bool, cairn_front_lu_factor_kernel,
                     (cairn_front_lu * lu, const double* value));

/// Solves in place; x has 4 numbers per block row, `order` tells the row of a position.
CAIRN_DECLARE_KERNEL(void, cairn_front_lu_solve_kernel,
                     (const cairn_front_lu* lu, const int* order, double* x));

#endif
