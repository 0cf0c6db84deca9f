// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps of block Gauss-Seidel over cells; the method of this name is in gauss_seidel.c.
#ifndef CAIRN_SOLVE_GAUSS_SEIDEL_H
#define CAIRN_SOLVE_GAUSS_SEIDEL_H

#include "solve/newton/cells.h"

/// w = Ĵ^T r, the state that sweeps keep true.
void cairn_gauss_seidel_start(const cairn_cells* cells, const double* r, double* w);

/// One sweep: every cell is solved exactly with the newest impulses of the others.
void cairn_gauss_seidel_sweep(const cairn_cells* cells, double* r, double* w, bool backward);

CAIRN_DECLARE_KERNEL(void, cairn_gauss_seidel_sweep_kernel,
                     (const cairn_cells* cells, double* r, double* w, bool backward));

#endif
