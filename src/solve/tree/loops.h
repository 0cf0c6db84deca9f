// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Nets of joints: any graph of bodies, with loops, rows that repeat each other and springs. Solves
//
//     M y = f + J^T λ,     J y + c + C λ = 0,
//
// C >= 0 the compliance of each row. With G G^T = M, Ĵ = J G^-T, ŷ = G^T y, A = Ĵ Ĵ^T + C that is
// A λ = -(Ĵ f̂ + c). A is singular where rows repeat each other, and dense once it is eliminated.
// The system of the bodies is neither:
//
//     K = 1 + Ĵ^T W Ĵ,   W = (C + ε D)^-1,   D = diag(Ĵ Ĵ^T),
//
// one block row of 6x6 per body. It is factored by fronts (linalg/front_cholesky.h), in single
// precision where that will do, and gives
//
//     (A + ε D)^-1 r = W (r - Ĵ K^-1 Ĵ^T W r),
//
// the preconditioner of a conjugate gradient iteration on A in double precision. Eigenvalues of the
// preconditioned matrix are σ / (σ + ε) for an eigenvalue σ of D^-1 A, close to 1: a few
// iterations, and no trace of ε in the answer. Among the multipliers of redundant rows the ones
// nearest to the start are found, in the norm Σ D_i λ_i²: the proximal point method.
//
// An old factor, of rows that have changed since, is a preconditioner as well as long as the
// iterations stay few; the multipliers of redundant rows are then near to the nearest ones only.
// Rows that contradict each other, and directions with σ below `redundancy`, do not converge: they
// are left out in the sense of least squares, weighted by 1/D, and what is left of their velocities
// is reported. Never NaN.
//
// Not for trees, which solve/tree/tree_factor.c takes in linear time and in one pass.
#ifndef CAIRN_SOLVE_LOOPS_H
#define CAIRN_SOLVE_LOOPS_H

#include "linalg/front_cholesky.h"
#include "problem/delassus.h"
#include <cairn/tree.h>

/// The ladder of factors.
enum {
    CAIRN_LOOPS_SINGLE, ///< single precision
    CAIRN_LOOPS_DOUBLE, ///< double precision, smaller ε
    CAIRN_LOOPS_FINE,   ///< the smallest ε
    CAIRN_LOOPS_LEVELS,
};

/// Options. Start from cairn_default_loops_def().
typedef struct cairn_loops_def {
    double tolerance; ///< of J y + c + C λ, relative to f and c; default 1e-12
    double velocity;  ///< root mean square of J y + c + C λ that is good enough; default 0
    double redundancy; ///< combinations of rows with λ^T A λ below this times Σ A_ii λ_i² count as
                       ///< redundant; default 1e-13. From 1e-5 on one factor in single precision
                       ///< serves, also an old one: what steps of a world need
    int proximal_steps;  ///< at least, where such combinations do not agree; default 4; 0: none
    int most_iterations; ///< of a solve; default 200
    int patience;        ///< iterations with an old factor after which a solve makes a new one; 6
    bool exact;          ///< double precision from the start: for masses of very different size
    const cairn_stop* stop; ///< ends factors and solves; or NULL
} cairn_loops_def;

static inline cairn_loops_def cairn_default_loops_def(void)
{
    return (cairn_loops_def){.tolerance = 1e-12,
                             .redundancy = 1e-13,
                             .proximal_steps = 4,
                             .most_iterations = 200,
                             .patience = 6};
}

/// What a solve did. Always measured on the answer.
typedef struct cairn_loops_report {
    int iterations;     ///< solves with a factor, the most of a column
    int factorizations; ///< made in this call
    double residual;    ///< |J y + c + C λ| over the larger of |J f| and |c|, weighted by 1/A_ii
    double velocity;    ///< the largest |J y + c + C λ|_i, in the unit of that row
    int worst_row;      ///< where it is, or -1
    bool converged;     ///< the residual is within tolerance, or within round-off
} cairn_loops_report;

/// The graph, the rows and their factor. One thread at a time.
typedef struct cairn_loops {
    cairn_loops_def def;
    int body_count, joint_count, row_count;
    int (*side)[2]; ///< bodies of a joint; negative: none that moves
    int* row_begin; ///< joint_count + 1
    int (*slot)[3]; ///< blocks of K that a joint adds to: (a, a), (b, b) and the one between them
    cairn_front_cholesky chol;
    int block_count;
    int* diagonal_block; ///< of each body
    double* blocks;      ///< K

    cairn_body_factor* body; ///< G^-T
    cairn_row* rows;         ///< Ĵ
    double* compliance;
    double* diagonal; ///< D
    double* weight;   ///< 1 / A_ii; 0 for a row that moves nothing

    // the rows that were factored, with their W
    bool is_factored, is_fresh; ///< fresh: of the present rows
    int level;                  ///< of the ladder of factors
    int needed;                 ///< the level that fell short of nothing lately: the first to try
    double shift;               ///< ε
    int failures, distrust;     ///< of old factors: lately, and solves that do without
    cairn_row* old_rows;
    double* W;

    // vectors of a solve. Of rows: what is left of -(J y + c + C λ), the direction of search and
    // its image, the preconditioned rest, and the best λ so far
    double *r, *p, *q, *z, *best;
    // Of bodies: f̂, ŷ, Ĵ^T p, Ĵ^T z, and the right side and solution of K
    double *free, *y, *step, *change, *solved;
    cairn_arena own; ///< memory of cairn_loops_create
} cairn_loops;

/// Analyzes a graph. Constraints may join any bodies, or a body with CAIRN_WORLD_BODY. Takes all
/// memory from `arena`, so that nothing is allocated afterwards.
cairn_status cairn_loops_prepare(cairn_loops* loops, int body_count,
                                 const cairn_tree_constraint* joints, int joint_count,
                                 const cairn_loops_def* def, cairn_arena* arena);

/// The same with memory of its own.
cairn_status cairn_loops_create(cairn_loops** loops, int body_count,
                                const cairn_tree_constraint* joints, int joint_count,
                                const cairn_loops_def* def);
void cairn_loops_destroy(cairn_loops* loops);

/// Forgets the factor and what was learned from earlier solves, so that answers depend on what
/// follows alone, and takes other options.
void cairn_loops_forget(cairn_loops* loops, const cairn_loops_def* def);

/// Takes the masses (NULL: M = 1), the rows of all joints in order, and their compliance (NULL:
/// none). A factor that is there becomes an old one.
void cairn_loops_load(cairn_loops* loops, const cairn_mass* bodies, const cairn_row* rows,
                      const double* compliance);

/// Factors the rows that were loaded. False when `stop` said so.
bool cairn_loops_factor(cairn_loops* loops);

/// Solves for `columns` right sides, one after the other: f (6 numbers per body, or NULL: zero), c
/// (one per row, or NULL: zero). lambda is where to start (zeros: the least multipliers) and the
/// answer; y receives 6 numbers per body. Factors anew where the factor is missing or takes more
/// iterations than def.patience (after which the next old ones are not tried at all), and in double
/// precision where single precision falls short.
///
/// The last digits of an answer depend on the factor: see cairn_loops_forget.
cairn_loops_report cairn_loops_solve(cairn_loops* loops, const double* f, const double* c,
                                     int columns, double* y, double* lambda);

/// The same by the factor that is there, fresh or old, whatever the iterations: the caller decides
/// when to factor.
cairn_loops_report cairn_loops_iterate(cairn_loops* loops, const double* f, const double* c,
                                       int columns, double* y, double* lambda);

#endif
