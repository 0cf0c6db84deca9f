// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The stiffness of bodies on springs,
//
//     K = Σ_e J_e^T W_e J_e,      6 rows and columns for each body,
//
// of elements e that connect one or two bodies by up to 6 rows J_e with a symmetric weight W_e. Few
// bodies make a dense matrix, many a sparse one (front_cholesky.h). A little of the identity keeps
// the factor regular; pivots no larger than that tell the dimension of the null space.
#ifndef CAIRN_SOLVE_STIFFNESS_H
#define CAIRN_SOLVE_STIFFNESS_H

#include "linalg/front_cholesky.h"

enum { cairn_element_rows = 6 };

/// Rows between two bodies: 6 numbers for each of them, row after row.
typedef struct cairn_element {
    int a, b;  ///< bodies, or -1
    int count; ///< rows
    int slot;  ///< of the block between the bodies, of the stiffness
    double J[cairn_element_rows][12];
} cairn_element;

typedef struct cairn_stiffness {
    int bodies;
    bool dense;
    double* K; ///< dense: row-major, lower triangle; else blocks of 6x6
    size_t size;
    double* L;    ///< dense: factor of L D L^T,
    double* over; ///< and its reciprocal pivots
    int* begin;   ///< sparse: bodies + 1, blocks of the lower triangle by rows
    int* column;
    cairn_front_cholesky chol;
} cairn_stiffness;

/// Takes memory for the stiffness of these elements and sets their slots. CAIRN_NO_MEMORY,
/// CAIRN_INTERRUPTED or CAIRN_OK.
cairn_status cairn_stiffness_prepare(cairn_stiffness* stiffness, int bodies,
                                     cairn_element* elements, int count, cairn_arena* arena,
                                     const cairn_stop* stop);

/// K = shift times the identity.
void cairn_stiffness_start(cairn_stiffness* stiffness, double shift);

/// K += J^T W J with W row-major, as many rows as the element has.
void cairn_stiffness_add(cairn_stiffness* stiffness, const cairn_element* element, const double* W);

/// Factors K. False when it is not positive definite or a stop was asked for.
bool cairn_stiffness_factor(cairn_stiffness* stiffness);

/// The dimension of the null space: pivots no larger than `limit`, the largest first. Few bodies are
/// eliminated together, many one after the other. The entries of K are gone, its factor stays.
int cairn_stiffness_null(cairn_stiffness* stiffness, double limit);

/// x ← K^-1 x, 6 numbers for each body.
void cairn_stiffness_solve(const cairn_stiffness* stiffness, double* x);

#endif
