// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numeric part of the block LU, row by row (up-looking):
//
//     w_j := A_ij;    for k in row i of L, ascending:  L_ik = w_k U_kk^-1,  w_j -= L_ik U_kj (j >
//     k); U_ij = w_j (j > i),     U_ii^-1 = w_i^-1.
//
// Only columns that were touched in this row count: blocks that stay zero cost nothing, now or in
// later rows. The lanes of a vector are the rows of one column of a block.

#include "solve/block_lu.h"
#include "solve/small_block.h"
#include <string.h>

CAIRN_INLINE bool is_out(const cairn_block_lu* lu, int position)
{
    return lu->left_out && lu->left_out[lu->pattern->order[position]];
}

// scatters row i of the matrix
CAIRN_INLINE void load_row(cairn_block_lu* lu, const double* value, int i, int size)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    for (int m = p->entry[i]; m < p->entry[i + 1]; m++) {
        int j = p->entry_column[m];
        if (is_out(lu, j))
            continue;
        memcpy(lu->row + size * (ptrdiff_t)j, value + size * (ptrdiff_t)p->entry_place[m],
               (size_t)size * sizeof(double));
        lu->touched[j] = i;
    }
}

// eliminates the columns before i and stores row i of L
CAIRN_INLINE void eliminate_row(cairn_block_lu* lu, int i, int width)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    const int size = 4 * width;
    double* L = lu->L + size * p->lower[i];
    int* column = lu->lower_column + p->lower[i];
    int count = 0;
    for (ptrdiff_t m = p->lower[i]; m < p->lower[i + 1]; m++) {
        int k = p->lower_column[m];
        if (lu->touched[k] != i)
            continue;
        cairn_block_multiply(L, lu->row + size * (ptrdiff_t)k, lu->inverse + size * (ptrdiff_t)k,
                             width);
        const double* U = lu->U + size * p->upper[k];
        const int* to = lu->upper_column + p->upper[k];
        for (int s = 0; s < lu->upper_count[k]; s++, U += size) {
            double* w = lu->row + size * (ptrdiff_t)to[s];
            if (lu->touched[to[s]] != i) {
                lu->touched[to[s]] = i;
                memset(w, 0, (size_t)size * sizeof(double));
            }
            cairn_block_multiply_subtract(w, L, U, width);
        }
        column[count++] = k;
        L += size;
    }
    lu->lower_count[i] = count;
}

// stores row i of U behind the diagonal
CAIRN_INLINE void store_row(cairn_block_lu* lu, int i, int size)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    double* U = lu->U + size * p->upper[i];
    int* column = lu->upper_column + p->upper[i];
    int count = 0;
    for (ptrdiff_t m = p->upper[i]; m < p->upper[i + 1]; m++) {
        int j = p->upper_column[m];
        if (lu->touched[j] != i)
            continue;
        memcpy(U + size * (ptrdiff_t)count, lu->row + size * (ptrdiff_t)j,
               (size_t)size * sizeof(double));
        column[count++] = j;
    }
    lu->upper_count[i] = count;
}

CAIRN_INLINE bool factor(cairn_block_lu* lu, const double* value, int width)
{
    const int size = 4 * width;
    int n = lu->pattern->n;
    for (int i = 0; i < n; i++)
        lu->touched[i] = -1;
    for (int i = 0; i < n; i++) {
        lu->lower_count[i] = lu->upper_count[i] = 0;
        if (is_out(lu, i))
            continue;
        load_row(lu, value, i, size);
        eliminate_row(lu, i, width);
        if (lu->touched[i] != i || !cairn_block_invert(lu->inverse + size * (ptrdiff_t)i,
                                                       lu->row + size * (ptrdiff_t)i, width))
            return false;
        store_row(lu, i, size);
    }
    return true;
}

CAIRN_INLINE void solve(const cairn_block_lu* lu, double* x, int width)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    const int size = 4 * width;
    double* y = lu->x;

    // L y = x
    for (int i = 0; i < p->n; i++) {
        cairn_double4 sum = {0.0};
        if (!is_out(lu, i)) {
            const double* L = lu->L + size * p->lower[i];
            const int* column = lu->lower_column + p->lower[i];
            sum = cairn_load4(x + 4 * (ptrdiff_t)p->order[i]);
            for (int m = 0; m < lu->lower_count[i]; m++, L += size)
                sum -= cairn_block_apply(L, y + 4 * (ptrdiff_t)column[m], width);
        }
        cairn_store4(y + 4 * (ptrdiff_t)i, sum);
    }

    // U x = y
    for (int i = p->n - 1; i >= 0; i--) {
        if (!is_out(lu, i)) {
            const double* U = lu->U + size * p->upper[i];
            const int* column = lu->upper_column + p->upper[i];
            cairn_double4 sum = cairn_load4(y + 4 * (ptrdiff_t)i);
            for (int m = 0; m < lu->upper_count[i]; m++, U += size)
                sum -= cairn_block_apply(U, y + 4 * (ptrdiff_t)column[m], width);
            double right[4];
            cairn_store4(right, sum);
            cairn_store4(y + 4 * (ptrdiff_t)i,
                         cairn_block_apply(lu->inverse + size * (ptrdiff_t)i, right, width));
        }
        memcpy(x + 4 * (ptrdiff_t)p->order[i], y + 4 * (ptrdiff_t)i, 4 * sizeof(double));
    }
}

// declared in the header for every instruction set
bool CAIRN_KERNEL(cairn_block_lu_factor_kernel)(cairn_block_lu* lu, const double* value)
{
    return lu->width == 3 ? factor(lu, value, 3) : factor(lu, value, 4);
}

void CAIRN_KERNEL(cairn_block_lu_solve_kernel)(const cairn_block_lu* lu, double* x)
{
    if (lu->width == 3)
        solve(lu, x, 3);
    else
        solve(lu, x, 4);
}
