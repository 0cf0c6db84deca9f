// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Products of one cell with W or Ĵ, inlined into kernels and into plain code.
#ifndef CAIRN_SOLVE_CELL_PRODUCTS_H
#define CAIRN_SOLVE_CELL_PRODUCTS_H

#include "solve/newton/cells.h"

/// w += Ĵ^T x of one cell.
CAIRN_INLINE void cairn_cell_push(const cairn_cells* cells, double* w, int c, const double* x)
{
    const cairn_cell* cell = &cells->cell[c];
    for (int side = 0; side < 2; side++) {
        if (cell->body[side] < 0)
            continue;
        double* to = w + 8 * (ptrdiff_t)cell->body[side];
        const cairn_cell_rows* J = &cells->J[2 * c + side];
        cairn_double4 linear = cairn_load4(to), angular = cairn_load4(to + 4);
        for (int i = 0; i < cell->rows; i++) {
            linear += J->row[i][0] * x[i];
            angular += J->row[i][1] * x[i];
        }
        cairn_store4(to, linear);
        cairn_store4(to + 4, angular);
    }
}

/// Ĵ w of one cell.
CAIRN_INLINE cairn_double4 cairn_cell_pull(const cairn_cells* cells, const double* w, int c)
{
    const cairn_cell* cell = &cells->cell[c];
    cairn_double4 sum = {0.0};
    for (int side = 0; side < 2; side++) {
        if (cell->body[side] < 0)
            continue;
        const double* from = w + 8 * (ptrdiff_t)cell->body[side];
        const cairn_cell_rows* J = &cells->J[2 * c + side];
        for (int k = 0; k < 3; k++)
            sum += J->column[k] * from[k] + J->column[3 + k] * from[4 + k];
    }
    return sum;
}

/// Σ_d W_cd x_d of one row of an explicit W.
CAIRN_INLINE cairn_double4 cairn_cell_row_product(const cairn_cells* cells, int c, const double* x)
{
    cairn_double4 sum = {0.0};
    for (int k = cells->begin[c]; k < cells->begin[c + 1]; k++) {
        const double* block = cells->W + 12 * (ptrdiff_t)k;
        const double* y = x + CAIRN_CELL_STRIDE * (ptrdiff_t)cells->column[k];
        sum += cairn_load4(block) * y[0] + cairn_load4(block + 4) * y[1] +
               cairn_load4(block + 8) * y[2];
    }
    return sum;
}

/// (W x)_c from x and its state w.
CAIRN_INLINE cairn_double4 cairn_cell_product(const cairn_cells* cells, int c, const double* x,
                                              const double* w)
{
    if (cells->W)
        return cairn_cell_row_product(cells, c, x);
    return cairn_cell_pull(cells, w, c) +
           cairn_load4(cells->cell[c].softness) * cairn_load4(x + CAIRN_CELL_STRIDE * (ptrdiff_t)c);
}

#endif
