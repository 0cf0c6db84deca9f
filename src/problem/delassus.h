// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The operator A of a problem (in the field: the Delassus operator), prepared for products. Methods
// see both forms of A through these functions alone:
//
//     bodies and rows:  Ĵ = J G^-T with M = G G^T, so A = Ĵ Ĵ^T; the state of λ is w = Ĵ^T λ,
//                       6 numbers per body
//     explicit:         rows of 3x3 blocks; no state is needed
//
// The compliance C is part of A in both.
#ifndef CAIRN_PROBLEM_DELASSUS_H
#define CAIRN_PROBLEM_DELASSUS_H

#include "math/arena.h"
#include <cairn/problem.h>

/// G^-T of one body: diag(1/√m, S) with S S^T = I^-1, S lower triangular.
typedef struct cairn_body_factor {
    double inverse_root_mass;
    cairn_mat3 S;
} cairn_body_factor;

typedef struct cairn_delassus {
    const cairn_problem* problem;
    cairn_body_factor* factor; ///< body_count
    cairn_row* scaled;         ///< Ĵ, row_count; NULL when A is explicit
    double* diagonal;          ///< blocks A_cc (with compliance), row-major, one after the other
    size_t* diagonal_begin;    ///< block_count
} cairn_delassus;

/// G^-T of a body. A singular inverse inertia gives zero columns.
cairn_body_factor cairn_factor_body(const cairn_mass* mass);

/// Prepares A with memory from the arena, which must outlive it. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_delassus_prepare(cairn_delassus* A, const cairn_problem* problem,
                                    cairn_arena* arena);

/// The diagonal block A_cc, row-major, row_count x row_count.
static inline const double* cairn_delassus_block(const cairn_delassus* A, int block)
{
    return A->diagonal + A->diagonal_begin[block];
}

/// The block A_cd of two contacts of up to 3 rows, row-major 3x3, padded with zeros (compliance
/// included when c = d). For the form with bodies.
void cairn_delassus_pair(const cairn_delassus* A, double* block, int c, int d);

/// Numbers in the state w of an impulse vector (0 for the explicit form).
int cairn_delassus_state_size(const cairn_delassus* A);

/// w = Ĵ^T λ
void cairn_delassus_load(const cairn_delassus* A, double* w, const double* lambda);

/// v = (A λ + b) of one block, from λ and its state.
void cairn_delassus_block_velocity(const cairn_delassus* A, double* v, int block, const double* w,
                                   const double* lambda);

/// Keeps the state true after λ of one block changed by delta.
void cairn_delassus_block_change(const cairn_delassus* A, double* w, int block,
                                 const double* delta);

/// v = A λ + b of all rows, from λ and its state.
void cairn_delassus_velocity(const cairn_delassus* A, double* v, const double* w,
                             const double* lambda);

/// The whole of A, row-major, row_count x row_count, for methods that pivot on dense matrices.
void cairn_delassus_dense(const cairn_delassus* A, double* dense);

/// The change of the bodies' velocities M^-1 J^T λ = G^-T w, 6 per body.
void cairn_delassus_body_velocity(const cairn_delassus* A, double* change, const double* w);

#endif
