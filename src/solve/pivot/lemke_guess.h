// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lemke's path from impulses that are near the answer.
#ifndef CAIRN_SOLVE_LEMKE_GUESS_H
#define CAIRN_SOLVE_LEMKE_GUESS_H

#include "solve/pivot/lemke_pivot.h"

/// From impulses near the answer, θ of each item and its friction T, S in the form's units, to an
/// answer. Ends as cairn_lemke_run does; CAIRN_OUTCOME_SINGULAR also when the impulses lead to no
/// basis. False: no memory.
bool cairn_lemke_run_near(cairn_lemke_solver* solver, const double* theta, const double* friction,
                          cairn_arena* arena, cairn_outcome* outcome);

/// The same from an answer to a problem like this one, found by this method: what is not zero is
/// basic.
bool cairn_lemke_run_warm(cairn_lemke_solver* solver, const double* theta, const double* friction,
                          cairn_arena* arena, cairn_outcome* outcome);

#endif
