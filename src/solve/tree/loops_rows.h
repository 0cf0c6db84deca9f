// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the two halves of loops.h share: products with one row of Ĵ, and the ladder of
// factors.
#ifndef CAIRN_SOLVE_LOOPS_ROWS_H
#define CAIRN_SOLVE_LOOPS_ROWS_H

#include "solve/tree/loops.h"

static inline double dot6(const double* x, const double* y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
}

// y += s x
static inline void add6(double* y, double s, const double* x)
{
    for (int i = 0; i < 6; i++)
        y[i] += s * x[i];
}

/// Factors the present rows with the precision and the shift of a level, the coarsest first. False
/// when round-off has made K indefinite, or when `stop` said so.
bool cairn_loops_factor_at(cairn_loops* loops, int level);

/// ε of a level.
double cairn_loops_shift(const cairn_loops* loops, int level);

#endif
