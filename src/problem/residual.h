// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The certificate with memory from an arena; the public form is cairn_problem_residual.
#ifndef CAIRN_PROBLEM_RESIDUAL_H
#define CAIRN_PROBLEM_RESIDUAL_H

#include "math/arena.h"
#include <cairn/problem.h>

cairn_status cairn_residual_measure(cairn_residual* residual, const cairn_problem* problem,
                                    const double* lambda, cairn_law law, int facets,
                                    cairn_arena* arena);

/// Whether the relative residual exceeds a bound: told by the first block that shows it, which is
/// mostly one of the first.
cairn_status cairn_residual_exceeds(bool* exceeds, const cairn_problem* problem,
                                    const double* lambda, double bound, cairn_law law, int facets,
                                    cairn_arena* arena);

/// The figures from a velocity v = A λ + b and a diagonal of A that the caller has at hand: for the
/// stop tests of methods. The certificate computes both afresh.
void cairn_residual_evaluate(cairn_residual* residual, const cairn_problem* problem,
                             const double* lambda, const double* v, const double* diagonal,
                             cairn_law law, int facets);

#endif
