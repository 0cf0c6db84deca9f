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

#endif
