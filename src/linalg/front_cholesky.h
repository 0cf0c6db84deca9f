// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sparse Cholesky factors of a symmetric positive definite matrix in blocks of 6x6 (one block row
// per body) by dense fronts (multifrontal method: Duff and Reid 1983; Liu 1992). The fronts are
// those of block_lu_front.h; here a front is symmetric and only its lower triangle is kept:
//
//     F = entries of the pivots + Σ_children S_c,   F = | L11     | | L11^T L21^T |,
//                                                       | L21  I  | |         S   |
//     S = F22 - L21 L21^T.
//
// The factors are made of single or of double precision numbers, chosen at each factorization.
// Single precision takes half the memory and half the time, and serves as a preconditioner of the
// matrix as long as its condition number is below some 1e6.
//
// The symbolic part depends on the graph alone. Nothing is allocated after the preparation.
#ifndef CAIRN_LINALG_FRONT_CHOLESKY_H
#define CAIRN_LINALG_FRONT_CHOLESKY_H

#include "linalg/block_lu.h"

enum {
    CAIRN_CHOLESKY_WIDTH = 6,   ///< rows of a block
    CAIRN_CHOLESKY_BLOCK = 36,  ///< numbers of a block of the matrix, row-major
    CAIRN_CHOLESKY_PACKED = 48, ///< of a block on the diagonal of the factors, in whole cache lines
};

/// Precision of the factors.
typedef enum cairn_front_precision {
    CAIRN_FRONT_SINGLE,
    CAIRN_FRONT_DOUBLE,
} cairn_front_precision;

typedef struct cairn_front_cholesky {
    cairn_block_lu_pattern pattern; ///< order of elimination and fronts
    ptrdiff_t* begin;               ///< count + 1: where the factors of a front start in `value`
    int* leading;                   ///< numbers from one column of a front to the next
    int* rest_leading;              ///< the same of what is left of the front
    int tallest;                    ///< rows of the largest front
    int deepest;                    ///< most fronts that wait to be handed over
    ptrdiff_t stack_size, panel_size, rest_size;
    double work; ///< multiplications of a factorization

    // numbers, of the precision of the present factor; there is room for double precision
    cairn_front_precision precision;
    void* value;
    void* stack; ///< what fronts have left for their parents: lower triangles by columns
    void* panel; ///< the columns of the pivots of the present front
    void* rest;  ///< S of it
    void* x;     ///< a right side in the order of elimination
    void* y;     ///< the part of it that a front sees
    int* waiting;
    int* run;
    const cairn_stop* stop; ///< ends a factorization, which then fails; or NULL
} cairn_front_cholesky;

/// Analyzes the graph of a matrix of n block rows and takes all memory. The blocks of the lower or
/// the upper triangle are given by rows, the diagonal among them: block (i, column[k]) for k in
/// begin[i] .. begin[i+1]-1. `scratch` may be the same arena. CAIRN_NO_MEMORY, CAIRN_INTERRUPTED or
/// CAIRN_OK.
cairn_status cairn_front_cholesky_prepare(cairn_front_cholesky* chol, int n, const int* begin,
                                          const int* column, cairn_arena* arena,
                                          cairn_arena* scratch, const cairn_stop* stop);

/// Factors the matrix with these blocks, in the order of the analyzed graph. False when it is not
/// positive definite to the precision asked for, or when `stop` said so.
bool cairn_front_cholesky_factor(cairn_front_cholesky* chol, const double* blocks,
                                 cairn_front_precision precision);

/// The pivot blocks L_kk L_kk^T, 6x6 for each block row in the order of elimination: what is left
/// of the diagonal when all before is eliminated. Of a factor of double precision.
void cairn_front_cholesky_pivots(const cairn_front_cholesky* chol, double* blocks);

/// Solves in place; x has 6 numbers per block row, of magnitude around 1 where the precision is
/// single.
void cairn_front_cholesky_solve(const cairn_front_cholesky* chol, double* x);

CAIRN_DECLARE_KERNEL(bool, cairn_front_cholesky_factor_single_kernel,
                     (cairn_front_cholesky * chol, const double* blocks));
CAIRN_DECLARE_KERNEL(bool, cairn_front_cholesky_factor_double_kernel,
                     (cairn_front_cholesky * chol, const double* blocks));
CAIRN_DECLARE_KERNEL(void, cairn_front_cholesky_solve_single_kernel,
                     (const cairn_front_cholesky* chol, double* x));
CAIRN_DECLARE_KERNEL(void, cairn_front_cholesky_solve_double_kernel,
                     (const cairn_front_cholesky* chol, double* x));

#endif
