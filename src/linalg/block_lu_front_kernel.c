// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numeric part of the fronts. A front is dense and stored by columns. The pivots' columns are
// factored by halves down to groups of four blocks, the pivots' rows of the other columns solved
// likewise, and one deep product changes all that is behind. The lanes of a vector are rows, every
// number of the front is changed by one product after the other in the order of the pivots: the
// same bits for every width.

#include "linalg/block_lu_front.h"
#include "linalg/small_block.h"
#include <string.h>

enum { group_rows = 12, slice_depth = 96 };

// rows times depth of a product from which on its tiles ask whether to stop: some microseconds each
enum { large_product = 16384 };

// a tile of the product: this many vectors of 8 rows, and columns, so that it stays in registers
#if defined(__AVX512F__)
enum { tile_vectors = 2, tile_columns = 6 };
#else
enum { tile_vectors = 1, tile_columns = 6 };
#endif

// ---------------------------------------------------------------- one front

// C -= A B: `vectors` times 8 rows, `columns` columns, depth `depth`; all by columns of `leading`
CAIRN_INLINE void multiply_tile(double* C, const double* A, const double* B, ptrdiff_t leading,
                                int depth, int vectors, int columns)
{
    cairn_double8 sum[tile_columns][2];
    for (int j = 0; j < columns; j++)
        for (int v = 0; v < vectors; v++)
            sum[j][v] = cairn_load8(C + j * leading + 8 * v);

    for (int k = 0; k < depth; k++) {
        cairn_double8 a[2];
        for (int v = 0; v < vectors; v++)
            a[v] = cairn_load8(A + k * leading + 8 * v);
        for (int j = 0; j < columns; j++) {
            double b = B[j * leading + k];
            for (int v = 0; v < vectors; v++)
                sum[j][v] -= a[v] * b;
        }
    }

    for (int j = 0; j < columns; j++)
        for (int v = 0; v < vectors; v++)
            cairn_store8(C + j * leading + 8 * v, sum[j][v]);
}

// C -= A B for `rows` rows (rounded up to whole vectors) and a fixed number of columns
CAIRN_INLINE void multiply_strip(double* C, const double* A, const double* B, ptrdiff_t leading,
                                 int rows, int depth, int columns)
{
    int i = 0;
    for (; i + 8 * (tile_vectors - 1) < rows; i += 8 * tile_vectors)
        multiply_tile(C + i, A + i, B, leading, depth, tile_vectors, columns);
    for (; i < rows; i += 8)
        multiply_tile(C + i, A + i, B, leading, depth, 1, columns);
}

// the same for the usual depths, which are unrolled, and for any other
CAIRN_INLINE void multiply_columns(double* C, const double* A, const double* B, ptrdiff_t leading,
                                   int rows, int depth, int columns)
{
    if (depth == group_rows)
        multiply_strip(C, A, B, leading, rows, group_rows, columns);
    else if (depth == 6)
        multiply_strip(C, A, B, leading, rows, 6, columns);
    else if (depth == 3)
        multiply_strip(C, A, B, leading, rows, 3, columns);
    else
        multiply_strip(C, A, B, leading, rows, depth, columns);
}

// C -= A B for any sizes (columns in threes), in slices of the depth that stay in the cache
static void multiply(double* C, const double* A, const double* B, ptrdiff_t leading, int rows,
                     int columns, int depth, const cairn_stop* stop)
{
    for (int k = 0; k < depth; k += slice_depth) {
        int some = depth - k < slice_depth ? depth - k : slice_depth, j = 0;
        const double *a = A + k * leading, *b = B + k;
        // after a stop the product is incomplete; the caller asks for the stop, too, and does not
        // use it
        bool large = (ptrdiff_t)rows * some >= large_product;
        for (; j + tile_columns <= columns && !(large && cairn_stop_asked(stop)); j += tile_columns)
            multiply_columns(C + j * leading, a, b + j * leading, leading, rows, some,
                             tile_columns);
        for (; j < columns && !(large && cairn_stop_asked(stop)); j += 3)
            multiply_columns(C + j * leading, a, b + j * leading, leading, rows, some, 3);
    }
}

// The same without a number beyond the last row: what does not fill a vector of 8 goes by 4 and 1.
static void multiply_rows(double* C, const double* A, const double* B, ptrdiff_t leading, int rows,
                          int columns, int depth, const cairn_stop* stop)
{
    int whole = rows / 8 * 8, i = whole;
    multiply(C, A, B, leading, whole, columns, depth, stop);

    for (; i + 4 <= rows; i += 4)
        for (int j = 0; j < columns; j++) {
            cairn_double4 sum = cairn_load4(C + j * leading + i);
            for (int k = 0; k < depth; k++)
                sum -= cairn_load4(A + k * leading + i) * B[j * leading + k];
            cairn_store4(C + j * leading + i, sum);
        }

    for (; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < depth; k++)
                C[j * leading + i] -= A[k * leading + i] * B[j * leading + k];
}

// The columns of one pivot block at k: its inverse takes its place, L = F U^-1 below it. False when
// there is no inverse.
CAIRN_INLINE bool divide_by_pivot(double* F, ptrdiff_t leading, int k, int m)
{
    double block[12] = {0.0}, inverse[12];
    double* column[3];

    for (int j = 0; j < 3; j++) {
        column[j] = F + (k + j) * leading;
        for (int i = 0; i < 3; i++)
            block[4 * j + i] = column[j][k + i];
    }

    if (!cairn_block_invert(inverse, block, 3))
        return false;

    for (int i = k + 3; i < m; i += 8) {
        cairn_double8 a = cairn_load8(column[0] + i), b = cairn_load8(column[1] + i),
                      c = cairn_load8(column[2] + i);
        for (int j = 0; j < 3; j++)
            cairn_store8(column[j] + i,
                         a * inverse[4 * j] + b * inverse[4 * j + 1] + c * inverse[4 * j + 2]);
    }

    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            column[j][k + i] = inverse[4 * j + i];
    return true;
}

// Rows begin .. end - 1, at most a group of them, of some columns X are solved with L, which is
// copied with zeros on and above the diagonal blocks.
static void solve_group(double* X, const double* L, ptrdiff_t leading, int begin, int end,
                        int columns)
{
    double part[group_rows][group_rows] = {{0.0}};
    int count = end - begin;

    for (int k = 0; k < count; k++)
        for (int i = k / 3 * 3 + 3; i < count; i++)
            part[k][i] = L[(begin + k) * leading + begin + i];

    for (int j = 0; j < columns; j++) {
        double* column = X + j * leading + begin;
        double x[group_rows] = {0.0};
        memcpy(x, column, (size_t)count * sizeof(double));
        for (int k = 0; k + 3 < count; k++) {
            double b = x[k];
            for (int i = 0; i < group_rows; i += 4)
                cairn_store4(x + i, cairn_load4(x + i) - cairn_load4(part[k] + i) * b);
        }
        memcpy(column, x, (size_t)count * sizeof(double));
    }
}

// half of the pivots begin .. end - 1, in whole groups
CAIRN_INLINE int middle(int begin, int end)
{
    return begin + ((end - begin) / 2 + group_rows - 1) / group_rows * group_rows;
}

// the same for any number of rows
static void solve_rows(double* X, const double* L, ptrdiff_t leading, int begin, int end,
                       int columns, const cairn_stop* stop)
{
    if (end - begin <= group_rows) {
        solve_group(X, L, leading, begin, end, columns);
        return;
    }
    int half = middle(begin, end);
    solve_rows(X, L, leading, begin, half, columns, stop);
    multiply_rows(X + half, L + begin * leading + half, X + begin, leading, end - half, columns,
                  half - begin, stop);
    solve_rows(X, L, leading, half, end, columns, stop);
}

// The columns of the pivots begin .. end - 1, all rows: L and the diagonal. False when a pivot has
// no inverse. Halves go one after the other, so that the products are as deep as possible.
static bool factor_columns(double* L, ptrdiff_t leading, int begin, int end, int m,
                           const cairn_stop* stop)
{
    // the left half first; then its update of the right half as one product, and the right half
    if (end - begin > group_rows) {
        int half = middle(begin, end);
        double* behind = L + half * leading;
        if (!factor_columns(L, leading, begin, half, m, stop) || cairn_stop_asked(stop))
            return false;
        solve_rows(behind, L, leading, begin, half, end - half, stop);
        multiply(behind + half, L + begin * leading + half, behind + begin, leading, m - half,
                 end - half, half - begin, stop);
        return !cairn_stop_asked(stop) && factor_columns(L, leading, half, end, m, stop);
    }

    for (int k = begin; k < end; k += 3) {
        if (!divide_by_pivot(L, leading, k, m))
            return false;

        double* below = L + k * leading + k + 3;
        multiply(below + 3 * leading, below, below + 3 * leading - 3, leading, m - k - 3,
                 end - k - 3, 3, NULL);
    }
    return true;
}

// eliminates the pivots of a front: its first columns are L, the others X
CAIRN_INLINE bool factor_front(double* L, double* X, ptrdiff_t leading, int pivots, int m,
                               const cairn_stop* stop)
{
    if (!factor_columns(L, leading, 0, pivots, m, stop))
        return false;
    solve_rows(X, L, leading, 0, pivots, m - pivots, stop);
    multiply(X + pivots, L + pivots, X, leading, m - pivots, m - pivots, pivots, stop);
    return !cairn_stop_asked(stop);
}

// ---------------------------------------------------------------- from front to front

// column j of a front: the pivots' columns stand where their factors stay
CAIRN_INLINE double* column_of(const cairn_front_lu* lu, const cairn_front* front, int j)
{
    int pivots = 3 * front->pivots;
    return j < pivots ? lu->value + front->L + j * (ptrdiff_t)front->leading
                      : lu->X + (j - pivots) * (ptrdiff_t)front->leading;
}

CAIRN_INLINE void load_entries(cairn_front_lu* lu, const cairn_front* front, const double* value)
{
    const cairn_fronts* fronts = lu->fronts;
    size_t column = (size_t)front->leading * sizeof(double);
    memset(lu->value + front->L, 0, 3 * (size_t)front->pivots * column);
    memset(lu->X, 0, 3 * (size_t)(front->rows - front->pivots) * column);
    for (int e = front->entry; e < front[1].entry; e++) {
        const double* block = value + 12 * (ptrdiff_t)fronts->entry_place[e];
        for (int j = 0; j < 3; j++)
            memcpy(column_of(lu, front, 3 * fronts->entry_column[e] + j) +
                       3 * (ptrdiff_t)fronts->entry_row[e],
                   block + 4 * (ptrdiff_t)j, 3 * sizeof(double));
    }
}

// adds the Schur complement of a child, n block rows and columns at S; rows that stay neighbors go
// together
CAIRN_INLINE void take_over(cairn_front_lu* lu, const cairn_front* front, const double* S,
                            const int* into, int n)
{
    int runs = 0;
    for (int i = 0; i < n; i++) {
        if (i == 0 || into[i] != into[i - 1] + 1)
            lu->run[runs++] = i;
    }
    lu->run[runs] = n;

    for (int j = 0; j < 3 * n; j++) {
        double* column = column_of(lu, front, 3 * into[j / 3] + j % 3);
        const double* from = S + 3 * n * (ptrdiff_t)j;
        for (int r = 0; r < runs; r++) {
            int begin = 3 * lu->run[r], count = 3 * lu->run[r + 1] - begin;
            double* to = column + 3 * (ptrdiff_t)into[lu->run[r]];
            for (int i = 0; i < count; i++)
                to[i] += from[begin + i];
        }
    }
}

// keeps U of a front, puts the rest on the stack
CAIRN_INLINE double* store_front(cairn_front_lu* lu, const cairn_front* front, double* top)
{
    int pivots = 3 * front->pivots, n = 3 * front->rows - pivots;
    for (int j = 0; j < n; j++) {
        const double* column = lu->X + j * (ptrdiff_t)front->leading;
        memcpy(lu->value + front->U + j * (ptrdiff_t)pivots, column,
               (size_t)pivots * sizeof(double));
        memcpy(top + j * (ptrdiff_t)n, column + pivots, (size_t)n * sizeof(double));
    }
    return top + n * (ptrdiff_t)n;
}

bool CAIRN_KERNEL(cairn_front_lu_factor_kernel)(cairn_front_lu* lu, const double* value)
{
    const cairn_fronts* fronts = lu->fronts;
    double* top = lu->stack;
    int depth = 0;

    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        load_entries(lu, front, value);

        // the children's Schur complements are the last ones on the stack
        for (int c = 0; c < front->children; c++) {
            const cairn_front* child = &fronts->front[lu->waiting[--depth]];
            int n = child->rows - child->pivots;
            top -= 9 * (ptrdiff_t)n * n;
            take_over(lu, front, top, fronts->into + child->index, n);
        }

        if (!factor_front(lu->value + front->L, lu->X, front->leading, 3 * front->pivots,
                          3 * front->rows, lu->stop))
            return false;

        top = store_front(lu, front, top);
        if (front->rows > front->pivots)
            lu->waiting[depth++] = f;
    }
    return true;
}

// ---------------------------------------------------------------- solving

CAIRN_INLINE void gather(double* y, const cairn_fronts* fronts, const cairn_front* front,
                         const int* order, const double* x)
{
    for (int k = 0; k < front->rows; k++) {
        int position =
            k < front->pivots ? front->first + k : fronts->row[front->index + k - front->pivots];
        memcpy(y + 3 * k, x + 4 * (ptrdiff_t)order[position], 3 * sizeof(double));
    }
}

// the first `count` rows of a front
CAIRN_INLINE void scatter(double* x, const cairn_fronts* fronts, const cairn_front* front,
                          const int* order, const double* y, int count)
{
    for (int k = 0; k < count; k++) {
        int position =
            k < front->pivots ? front->first + k : fronts->row[front->index + k - front->pivots];
        memcpy(x + 4 * (ptrdiff_t)order[position], y + 3 * k, 3 * sizeof(double));
    }
}

// y -= column x, from row `begin` on; whole vectors, y has room for the last
CAIRN_INLINE void subtract(double* y, const double* column, double x, int begin, int end)
{
    for (int i = begin; i < end; i += 8)
        cairn_store8(y + i, cairn_load8(y + i) - cairn_load8(column + i) * x);
}

// y_k ← U_kk^-1 (y_k - Σ_j>k U_kj y_j), last pivot first
CAIRN_INLINE void solve_upper(double* y, const cairn_front* front, const double* value)
{
    int pivots = 3 * front->pivots, m = 3 * front->rows;

    for (int j = pivots; j < m; j++) {
        const double* U = value + front->U + (j - pivots) * (ptrdiff_t)pivots;
        for (int i = 0; i < pivots; i++)
            y[i] -= U[i] * y[j];
    }

    for (int k = pivots - 3; k >= 0; k -= 3) {
        double right[3];
        memcpy(right, y + k, sizeof right);
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++)
                sum += value[front->L + (k + j) * (ptrdiff_t)front->leading + k + i] * right[j];
            y[k + i] = sum;
        }

        for (int j = k; j < k + 3; j++) {
            const double* U = value + front->L + j * (ptrdiff_t)front->leading;
            for (int i = 0; i < k; i++)
                y[i] -= U[i] * y[j];
        }
    }
}

void CAIRN_KERNEL(cairn_front_lu_solve_kernel)(const cairn_front_lu* lu, const int* order,
                                               double* x)
{
    const cairn_fronts* fronts = lu->fronts;

    // L y = x, children first
    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        gather(lu->y, fronts, front, order, x);
        for (int k = 0; k < 3 * front->pivots; k++)
            subtract(lu->y, lu->value + front->L + k * (ptrdiff_t)front->leading, lu->y[k],
                     k / 3 * 3 + 3, 3 * front->rows);
        scatter(x, fronts, front, order, lu->y, front->rows);
    }

    // U x = y, parents first
    for (int f = fronts->count - 1; f >= 0; f--) {
        const cairn_front* front = &fronts->front[f];
        gather(lu->y, fronts, front, order, x);
        solve_upper(lu->y, front, lu->value);
        scatter(x, fronts, front, order, lu->y, front->pivots);
    }
}
