// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Statics from the top down: impulses that hold a pile at rest, judged by the certificate. The
// method `statics` of the front door, and what a caller that steps may hand over.
#ifndef CAIRN_SOLVE_STATICS_H
#define CAIRN_SOLVE_STATICS_H

#include "math/arena.h"
#include <cairn/problem.h>

/// What a caller that steps knows beside its problem, which holds b = J v* + bias alone.
typedef struct cairn_statics_input {
    const double* free_velocity; ///< v* without contact impulses, 6 per body
    const double* gap;           ///< m, of each block
    double margin;               ///< m: contacts that are open by more carry nothing
} cairn_statics_input;

/// Tries impulses under which every body stops. Fills `lambda` and sets `residual` (m/s, the
/// certificate's); it is infinite when the problem has blocks other than contacts, bodies that no
/// chain of contacts leads to the ground, or bodies that what is below them does not stop. The
/// caller accepts the impulses when the residual is small enough: then they solve the problem.
cairn_status cairn_statics_attempt(double* lambda, double* residual, const cairn_problem* problem,
                                   const cairn_statics_input* input, cairn_arena* arena);

#endif
