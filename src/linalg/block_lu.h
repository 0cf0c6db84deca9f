// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sparse LU factors of a matrix in blocks of 3x3 (or 4x4), without pivoting between blocks.
//
// The symbolic part (order, room for the factors) depends on the pattern alone and serves any
// number of matrices. A numeric factorization may leave out some block rows and columns (as if they
// were those of the identity) and only works on blocks that are not zero, so that the set of open
// contacts may change without a new symbolic part.
//
// A block is stored by columns of 4 numbers, `width` columns (3 or 4); with width 3 the fourth
// number of a column is zero.
//
// Not for matrices that need pivoting: a singular pivot block is reported, nothing more is done.
#ifndef CAIRN_LINALG_BLOCK_LU_H
#define CAIRN_LINALG_BLOCK_LU_H

#include "linalg/block_lu_front.h"
#include "math/arena.h"
#include "math/simd.h"
#include "math/stop.h"

/// The symbolic part. Everything is in the order of elimination: position k is block row order[k].
typedef struct cairn_block_lu_pattern {
    int n;
    int* order;
    int* position;       ///< of a block row
    ptrdiff_t* lower;    ///< n + 1: room for the blocks of L by rows
    int* lower_column;   ///< ascending
    ptrdiff_t* upper;    ///< n + 1: room for the blocks of U by rows, without the diagonal
    int* upper_column;   ///< ascending
    int* entry;          ///< n + 1: the blocks of the matrix by rows, in the order of elimination
    int* entry_column;   ///< position
    int* entry_place;    ///< index of the block in the values of the matrix
    bool* is_twin;       ///< position i + 1 has the pattern of i: they are factored together
    double work;         ///< products of two blocks in a factorization with nothing left out
    cairn_fronts fronts; ///< count 0: not used
} cairn_block_lu_pattern;

/// The numeric part: blocks that are not zero, packed at the head of each row's room.
typedef struct cairn_block_lu {
    const cairn_block_lu_pattern* pattern;
    int width;
    int* lower_count;
    int* upper_count;
    int* lower_column;
    int* upper_column;
    double* L;
    double* U;
    double* inverse; ///< U_kk^-1
    double* row;     ///< the two rows under work: two blocks for each column
    int* touched;    ///< the row that last wrote this column
    double* x;       ///< scratch of a solve, 4 per block row
    const bool* left_out;
    const cairn_stop* stop; ///< ends a factorization, which then fails; or NULL
    cairn_front_lu front;   ///< in place of all that, for a pattern with fronts
} cairn_block_lu;

/// Analyzes a pattern (not necessarily symmetric; it is completed) with a diagonal. From
/// `dense_from` products per block row on, the factors are made by fronts (block_lu_front.h); those
/// are for blocks of 3x3 of which none is ever left out: INFINITY otherwise. Memory of the result
/// from `arena`, scratch from `scratch`. CAIRN_INTERRUPTED when `stop` (or NULL) says so.
cairn_status cairn_block_lu_analyze(cairn_block_lu_pattern* pattern, int n, const int* begin,
                                    const int* column, double dense_from, cairn_arena* arena,
                                    cairn_arena* scratch, const cairn_stop* stop);

/// The `work` of a pattern in the order of minimum degree: for choosing between patterns.
cairn_status cairn_block_lu_estimate(double* work, int n, const int* begin, const int* column,
                                     cairn_arena* scratch, const cairn_stop* stop);

/// Takes the memory of the numeric part.
cairn_status cairn_block_lu_prepare(cairn_block_lu* lu, const cairn_block_lu_pattern* pattern,
                                    int width, cairn_arena* arena);

/// Factors the matrix whose blocks stand in the order of the analyzed pattern. `left_out` (n, by
/// block row, or NULL) must live until the last solve. False when a pivot block has no inverse.
bool cairn_block_lu_factor(cairn_block_lu* lu, const double* value, const bool* left_out);

/// Solves in place; x has 4 numbers per block row. What was left out becomes zero.
void cairn_block_lu_solve(const cairn_block_lu* lu, double* x);

CAIRN_DECLARE_KERNEL(bool, cairn_block_lu_factor_kernel,
                     (cairn_block_lu * lu, const double* value));
CAIRN_DECLARE_KERNEL(void, cairn_block_lu_solve_kernel, (const cairn_block_lu* lu, double* x));

#endif
