// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Products of all cells with W.

#include "solve/newton/cell_products.h"

enum { stride = CAIRN_CELL_STRIDE };

void CAIRN_KERNEL(cairn_cells_product_kernel)(const cairn_cells* cells, double* y, const double* x,
                                              double* w)
{
    if (cells->J) {
        memset(w, 0, cairn_cells_state_size(cells) * sizeof(double));
        for (int c = 0; c < cells->count; c++)
            cairn_cell_push(cells, w, c, x + stride * (ptrdiff_t)c);
    }
    for (int c = 0; c < cells->count; c++)
        cairn_store4(y + stride * (ptrdiff_t)c, cairn_cell_product(cells, c, x, w));
}
