// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// LU factors of a small sparse matrix in blocks of 6x6, one row of blocks for each of up to 64
// bodies. Sets of bodies are the bits of a word, so that the order (minimum degree) and the fill
// are found in a microsecond, anew for every matrix. Pivots are chosen inside of diagonal blocks
// alone; a singular one is reported. (Larger matrices: block_lu.h.)
#ifndef CAIRN_LINALG_SIX_LU_H
#define CAIRN_LINALG_SIX_LU_H

#include "math/arena.h"
#include "math/simd.h"

enum { cairn_six_lu_most = 64 };

/// A block by rows of six numbers in eight lanes; the last two are zero.
typedef struct cairn_six_block {
    cairn_double8 row[6];
} cairn_six_block;

typedef struct cairn_six_lu {
    int n;
    uint64_t near[cairn_six_lu_most];  ///< the rows that a row has blocks with
    uint64_t later[cairn_six_lu_most]; ///< those of them, with fill, that are eliminated after it
    int order[cairn_six_lu_most];      ///< of elimination
    int* slot;                         ///< n x n: which block; -1: there is none
    int block_count;
    cairn_six_block* blocks; ///< the matrix; then its factors
} cairn_six_lu;

/// A matrix of n <= 64 block rows without blocks but for the diagonal.
void cairn_six_lu_start(cairn_six_lu* lu, int n);

/// There are blocks (i, j) and (j, i).
static inline void cairn_six_lu_join(cairn_six_lu* lu, int i, int j)
{
    lu->near[i] |= UINT64_C(1) << j;
    lu->near[j] |= UINT64_C(1) << i;
}

/// The order of elimination, and memory for the blocks. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_six_lu_plan(cairn_six_lu* lu, cairn_arena* arena);

static inline cairn_six_block* cairn_six_lu_block(const cairn_six_lu* lu, int i, int j)
{
    return &lu->blocks[lu->slot[lu->n * i + j]];
}

/// The factors take the place of the matrix, their blocks by columns. False: a pivot is singular.
bool cairn_six_lu_factor(cairn_six_lu* lu);

/// Solves in place; six numbers for each block row, in eight lanes.
void cairn_six_lu_solve(const cairn_six_lu* lu, cairn_double8* x);

CAIRN_DECLARE_KERNEL(bool, cairn_six_lu_factor_kernel, (cairn_six_lu * lu));
CAIRN_DECLARE_KERNEL(void, cairn_six_lu_solve_kernel, (const cairn_six_lu* lu, cairn_double8* x));

#endif
