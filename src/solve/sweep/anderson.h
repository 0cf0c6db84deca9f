// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Anderson acceleration of a fixed-point map g: from the last iterates x_j and their images g(x_j),
// the affine combination whose residuals g - x cancel best in the least-squares sense.
#ifndef CAIRN_SOLVE_ANDERSON_H
#define CAIRN_SOLVE_ANDERSON_H

#include "math/arena.h"

enum { cairn_anderson_most = 16 };

typedef struct cairn_anderson {
    int n;
    int depth;
    int count;      ///< differences held
    int newest;     ///< their ring's head
    bool started;   ///< last_f, last_g hold an iterate
    double* scale;  ///< n: weights of the least-squares problem
    double* last_f; ///< n: scaled residual of the last iterate
    double* last_g; ///< n: its image
    double* df;     ///< depth x n
    double* dg;     ///< depth x n
    double gram[cairn_anderson_most][cairn_anderson_most]; ///< df df^T
} cairn_anderson;

/// Takes memory for n numbers and `depth` differences; the caller fills `scale`.
bool cairn_anderson_prepare(cairn_anderson* mix, int n, int depth, cairn_arena* arena);

/// Forgets what was learned.
void cairn_anderson_forget(cairn_anderson* mix);

/// |scale (g - x)|, the size of a residual.
double cairn_anderson_size(const cairn_anderson* mix, const double* x, const double* g);

/// Learns that x has the image g and replaces x by the mixed next iterate (g itself at first).
void cairn_anderson_next(cairn_anderson* mix, double* x, const double* g);

#endif
