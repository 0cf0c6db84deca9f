// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numeric part of the block LU, row by row (up-looking):
//
//     w_j := A_ij;    for k in row i of L, ascending:
//         L_ik = w_k U_kk^-1,     w_j -= L_ik U_kj (j > k);
//     U_ij = w_j (j > i),     U_ii^-1 = w_i^-1.
//
// Only columns that were touched in this row count: blocks that stay zero cost nothing, now or in
// later rows. Two rows with the same pattern (the linear and angular part of a body, two contacts
// of a face) go together, so that every block of U is read once for both. The lanes of a vector are
// the rows of one column of a block.

#include "linalg/block_lu.h"
#include "linalg/small_block.h"
#include <string.h>

CAIRN_INLINE bool is_out(const cairn_block_lu* lu, int position)
{
    return lu->left_out && lu->left_out[lu->pattern->order[position]];
}

// rows that are worked on together: `count` twins (1 or 2) at positions `at`; the blocks of column
// j stand side by side in lu->row
typedef struct panel {
    int at[2];
    int stamp; // marks the columns that these rows touch
} panel;

CAIRN_INLINE double* block_of(const cairn_block_lu* lu, int column, int row, int size)
{
    return lu->row + size * (2 * (ptrdiff_t)column + row);
}

// the blocks of a column that is touched for the first time become zero
CAIRN_INLINE void touch(cairn_block_lu* lu, const panel* rows, int column, int count, int size)
{
    if (lu->touched[column] == rows->stamp)
        return;
    lu->touched[column] = rows->stamp;
    memset(block_of(lu, column, 0, size), 0, (size_t)(count * size) * sizeof(double));
}

// whether a block is zero, as between bodies whose contacts are all open
CAIRN_INLINE bool is_empty(const double* block, int size)
{
    cairn_double4 sum = {0.0};
    for (int i = 0; i < size; i += 4) {
        cairn_double4 x = cairn_load4(block + i);
        sum += x * x;
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

// scatters the rows of the matrix
CAIRN_INLINE void load_rows(cairn_block_lu* lu, const panel* rows, const double* value, int count,
                            int size)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    for (int row = 0; row < count; row++)
        for (int m = p->entry[rows->at[row]]; m < p->entry[rows->at[row] + 1]; m++) {
            int j = p->entry_column[m];
            const double* block = value + size * (ptrdiff_t)p->entry_place[m];
            if (is_out(lu, j) || is_empty(block, size))
                continue;
            touch(lu, rows, j, count, size);
            memcpy(block_of(lu, j, row, size), block, (size_t)size * sizeof(double));
        }
}

// eliminates the columns before the panel and stores their blocks of L
CAIRN_INLINE void eliminate(cairn_block_lu* lu, const panel* rows, int count, int width)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    const int size = 4 * width, head = rows->at[0];
    int stored = 0;
    for (ptrdiff_t m = p->lower[head]; m < p->lower[head + 1]; m++) {
        int k = p->lower_column[m];
        double* L[2];

        if (lu->touched[k] != rows->stamp)
            continue;

        // L_ik = w_k U_kk^-1
        for (int row = 0; row < count; row++) {
            L[row] = lu->L + size * (p->lower[rows->at[row]] + stored);
            lu->lower_column[p->lower[rows->at[row]] + stored] = k;
            cairn_block_multiply(L[row], block_of(lu, k, row, size),
                                 lu->inverse + size * (ptrdiff_t)k, width);
        }

        // w_j -= L_ik U_kj
        const double* U = lu->U + size * p->upper[k];
        const int* to = lu->upper_column + p->upper[k];
        for (int s = 0; s < lu->upper_count[k]; s++, U += size) {
            touch(lu, rows, to[s], count, size);
            for (int row = 0; row < count; row++)
                cairn_block_multiply_subtract(block_of(lu, to[s], row, size), L[row], U, width);
        }

        stored++;
    }

    for (int row = 0; row < count; row++)
        lu->lower_count[rows->at[row]] = stored;
}

// eliminates the first row of a panel from the second
CAIRN_INLINE void eliminate_twin(cairn_block_lu* lu, const panel* rows, int width)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    const int size = 4 * width, k = rows->at[0], i = rows->at[1];
    ptrdiff_t place = p->lower[i] + lu->lower_count[i]++;
    double* L = lu->L + size * place;
    const double* U = lu->U + size * p->upper[k];
    lu->lower_column[place] = k;
    cairn_block_multiply(L, block_of(lu, k, 1, size), lu->inverse + size * (ptrdiff_t)k, width);
    for (int s = 0; s < lu->upper_count[k]; s++, U += size)
        cairn_block_multiply_subtract(block_of(lu, lu->upper_column[p->upper[k] + s], 1, size), L,
                                      U, width);
}

// inverts the diagonal of a row and stores what stands behind it; false when there is no inverse
CAIRN_INLINE bool finish_row(cairn_block_lu* lu, const panel* rows, int row, int width)
{
    const cairn_block_lu_pattern* p = lu->pattern;
    const int size = 4 * width, i = rows->at[row];
    double* U = lu->U + size * p->upper[i];
    int* column = lu->upper_column + p->upper[i];
    int count = 0;

    // a diagonal that nothing has touched is zero
    if (lu->touched[i] != rows->stamp ||
        !cairn_block_invert(lu->inverse + size * (ptrdiff_t)i, block_of(lu, i, row, size), width))
        return false;

    for (ptrdiff_t m = p->upper[i]; m < p->upper[i + 1]; m++) {
        int j = p->upper_column[m];
        if (lu->touched[j] != rows->stamp)
            continue;
        memcpy(U + size * (ptrdiff_t)count, block_of(lu, j, row, size),
               (size_t)size * sizeof(double));
        column[count++] = j;
    }

    lu->upper_count[i] = count;
    return true;
}

CAIRN_INLINE bool factor_panel(cairn_block_lu* lu, const panel* rows, const double* value,
                               int count, int width)
{
    load_rows(lu, rows, value, count, 4 * width);
    eliminate(lu, rows, count, width);
    if (!finish_row(lu, rows, 0, width))
        return false;
    if (count == 1)
        return true;
    eliminate_twin(lu, rows, width);
    return finish_row(lu, rows, 1, width);
}

CAIRN_INLINE bool factor(cairn_block_lu* lu, const double* value, int width)
{
    int n = lu->pattern->n, i = 0;

    for (int k = 0; k < n; k++) {
        lu->touched[k] = -1;
        lu->lower_count[k] = lu->upper_count[k] = 0;
    }
    while (i < n) {
        if (cairn_stop_asked(lu->stop))
            return false;

        // rows that are left out leave their twin alone in the panel
        panel rows = {.stamp = i};
        int count = 0, end = i + (lu->pattern->is_twin[i] ? 2 : 1);
        for (; i < end; i++)
            if (!is_out(lu, i))
                rows.at[count++] = i;

        // constants as arguments, so that the compiler unrolls both
        if (count == 1 && !factor_panel(lu, &rows, value, 1, width))
            return false;
        if (count == 2 && !factor_panel(lu, &rows, value, 2, width))
            return false;
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
