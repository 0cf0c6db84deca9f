// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact law of one contact, solved exactly.
#ifndef CAIRN_SOLVE_LOCAL_SOLVE_H
#define CAIRN_SOLVE_LOCAL_SOLVE_H

#include <cairn/base.h>

/// One contact: u = W r + b, W by columns of 4 numbers (row i of column j is W[4 j + i]), normal
/// first, friction in the rows slip[0] .. slip[slip_count-1] (1 to 3 of them), |r_F| <= μ r_N.
typedef struct cairn_local {
    const double* W;
    double mu;
    int slip_count;
    const int* slip;
} cairn_local;

/// Fills r (4 numbers) with the solution of the law for b (4 numbers). W need not be symmetric;
/// W_NN > 0, or r becomes zero.
void cairn_local_solve(double* r, const cairn_local* local, const double* b);

#endif
