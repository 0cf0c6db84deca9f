// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The linear systems of Newton's method on contact problems. Each cell says how its impulse may
// change and which combinations of its velocity matter,
//
//     dr = d0 + V ξ,       V_l^T W dr + D ξ = rhs,
//
// and the system K ξ = rhs - V_l^T W d0 with K = D + V_l^T W V is factored in one of two spaces:
//
//     contact space   K itself, one block row per cell
//     body space      W = Ĵ Ĵ^T + C. With w = Ĵ^T dr and X = V (D + V_l^T C V)^-1 V_l^T,
//                     (I + Ĵ^T X Ĵ) w = Ĵ^T (d0 + V (D + V_l^T C V)^-1 (rhs - V_l^T C d0)),
//                     6 rows per body: less work where many contacts meet on few bodies
//
// whichever costs less. Where complete factors would fill up (heaps of hundreds of bodies), the
// system in body space is solved by iteration with incomplete factors instead (krylov.h). With ŵ
// the iterate and b - K ŵ what is left of it, dr satisfies the equations of the cells but for
//
//     V_l^T Ĵ (b - K ŵ),
//
// so |b - K ŵ| is compared with the right sides themselves, whatever D is. The symbolic parts of
// the last systems are kept in the workspace and used again when the same cells join the same
// bodies (newton_cache.c).
#ifndef CAIRN_SOLVE_NEWTON_H
#define CAIRN_SOLVE_NEWTON_H

#include "linalg/block_lu.h"
#include "linalg/krylov.h"
#include "solve/newton/cells.h"

/// One cell's part of a system. Matrices by columns of 4 numbers, `width` columns.
typedef struct cairn_newton_cell {
    double V[16];
    double Vt[16]; ///< V_l^T
    double D[16];  ///< regular; the identity in rows and columns that are not used
} cairn_newton_cell;

/// What depends on the pattern alone.
typedef struct cairn_newton_plan {
    bool body_space;
    bool iterated;    ///< body space with incomplete factors: blocks of 6x6, no pattern
    int n;            ///< block rows of the matrix
    const int* begin; ///< its blocks, n + 1
    const int* column;
    int* slot; ///< body space: 4 per cell, the blocks that it adds to: (a,a) (a,b) (b,a) (b,b)
    cairn_block_lu_pattern pattern;
} cairn_newton_plan;

typedef struct cairn_newton {
    const cairn_cells* cells;
    const cairn_newton_plan* plan;
    cairn_newton_cell* local; ///< the caller fills it before it factors
    bool* open;               ///< the caller's too: cells without unknown (V = 0)
    double* W;                ///< contact space: the blocks of W
    double* K;
    cairn_block_lu lu;
    cairn_krylov krylov; ///< in its place, for a plan that iterates
    bool gave_up;        ///< iteration has failed: complete factors are needed
    double* X;           ///< body space: 16 per cell
    double* inverse;     ///< body space: (D + V_l^T C V)^-1, 16 per cell
    double* y;           ///< scratch, 4 per cell
    double* w;           ///< scratch, a state
} cairn_newton;

typedef enum cairn_newton_space {
    CAIRN_NEWTON_CHEAPEST, ///< what is likely to cost least
    CAIRN_NEWTON_COMPLETE, ///< the same among complete factors
    CAIRN_NEWTON_CONTACTS, ///< complete factors in contact space
    CAIRN_NEWTON_BODIES,   ///< complete factors in body space
    CAIRN_NEWTON_ITERATED, ///< incomplete factors in body space
} cairn_newton_space;

/// Prepares systems for the cells of a job. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_newton_prepare(cairn_newton* newton, const cairn_cells* cells,
                                  const cairn_job* job, cairn_newton_space space);

/// Factors the system that `local` and `open` describe. False when a pivot block is singular.
/// Incomplete factors that fail say so in `gave_up`.
bool cairn_newton_factor(cairn_newton* newton);

/// Solves it: dr from d0 and rhs, 4 numbers per cell each. Iteration that fails says so in
/// `gave_up`.
void cairn_newton_solve(cairn_newton* newton, double* dr, const double* d0, const double* rhs);

CAIRN_DECLARE_KERNEL(void, cairn_newton_contact_kernel, (cairn_newton * newton));
CAIRN_DECLARE_KERNEL(bool, cairn_newton_body_kernel, (cairn_newton * newton));
CAIRN_DECLARE_KERNEL(void, cairn_newton_body_solve_kernel,
                     (cairn_newton * newton, double* dr, const double* d0, const double* rhs));

#endif
