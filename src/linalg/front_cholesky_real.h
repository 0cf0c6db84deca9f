// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numeric part of the Cholesky fronts for numbers of type REAL; included once for each precision.
//
// A panel holds the columns of a front's pivots, `leading` numbers each; the diagonal stands as its
// reciprocal. Pivots are factored by halves down to one body of 6 columns, so that products are as
// deep as possible; one deep product makes what is left of the front. The factors are then packed
// in the order in which solves read them: for each body its block on the diagonal, and below it the
// 6 columns side by side, a vector of rows at a time.
//
// The lanes of a vector are rows. Every number of a front is changed by one product after the other
// in the order of the pivots, and the sums of the backward solve always run in the same number of
// lanes: the same bits for every instruction set.

#ifndef CAIRN_LINALG_FRONT_CHOLESKY_REAL_H
#define CAIRN_LINALG_FRONT_CHOLESKY_REAL_H

enum { width = CAIRN_CHOLESKY_WIDTH, slice_depth = 96 };

// a tile of a product: this many vectors of 64 bytes, and columns, so that it stays in registers
#if defined(__AVX512F__)
enum { tile_vectors = 2, tile_columns = 12, narrow_columns = 6 };
#elif defined(__AVX2__)
enum { tile_vectors = 1, tile_columns = 6, narrow_columns = 6 };
#else
enum { tile_vectors = 1, tile_columns = 2, narrow_columns = 2 };
#endif

#endif

#define REAL_LANES ((int)(64 / sizeof(REAL)))

typedef REAL REAL_NAME(lanes) __attribute__((vector_size(64)));
typedef REAL REAL_NAME(half) __attribute__((vector_size(32)));
typedef REAL REAL_NAME(quarter) __attribute__((vector_size(16)));
#define REAL_VECTOR REAL_NAME(lanes)

CAIRN_INLINE REAL_VECTOR REAL_NAME(load)(const REAL* x)
{
    REAL_VECTOR y;
    memcpy(&y, x, sizeof y);
    return y;
}

CAIRN_INLINE void REAL_NAME(store)(REAL* to, REAL_VECTOR x)
{
    memcpy(to, &x, sizeof x);
}

// ---------------------------------------------------------------- products

// C -= A B^T: `vectors` vectors of rows, `columns` columns, the columns of A and B `leading` apart
CAIRN_INLINE void REAL_NAME(multiply_tile)(REAL* C, ptrdiff_t to, const REAL* A, const REAL* B,
                                           ptrdiff_t leading, int depth, int vectors, int columns)
{
    REAL_VECTOR sum[tile_columns][tile_vectors];
    for (int j = 0; j < columns; j++)
        for (int v = 0; v < vectors; v++)
            sum[j][v] = REAL_NAME(load)(C + j * to + REAL_LANES * v);

    for (int k = 0; k < depth; k++) {
        REAL_VECTOR a[tile_vectors];
        for (int v = 0; v < vectors; v++)
            a[v] = REAL_NAME(load)(A + k * leading + REAL_LANES * v);
        for (int j = 0; j < columns; j++) {
            REAL b = B[k * leading + j];
            for (int v = 0; v < vectors; v++)
                sum[j][v] -= a[v] * b;
        }
    }

    for (int j = 0; j < columns; j++)
        for (int v = 0; v < vectors; v++)
            REAL_NAME(store)(C + j * to + REAL_LANES * v, sum[j][v]);
}

// the same for `rows` rows, rounded up to whole vectors, and a fixed number of columns
CAIRN_INLINE void REAL_NAME(multiply_strip)(REAL* C, ptrdiff_t to, const REAL* A, const REAL* B,
                                            ptrdiff_t leading, int rows, int depth, int columns)
{
    int i = 0;
    for (; i + REAL_LANES * (tile_vectors - 1) < rows; i += REAL_LANES * tile_vectors)
        REAL_NAME(multiply_tile)(C + i, to, A + i, B, leading, depth, tile_vectors, columns);
    for (; i < rows; i += REAL_LANES)
        REAL_NAME(multiply_tile)(C + i, to, A + i, B, leading, depth, 1, columns);
}

// The lower trapezoid of C -= A A^T, `columns` (a multiple of 6) and `rows` >= columns of it, in
// slices of the depth that stay in the cache.
static void REAL_NAME(multiply_lower)(REAL* C, ptrdiff_t to, const REAL* A, ptrdiff_t leading,
                                      int rows, int columns, int depth)
{
    for (int k = 0; k < depth; k += slice_depth) {
        int some = depth - k < slice_depth ? depth - k : slice_depth, j = 0;
        const REAL* a = A + k * leading;
        for (; j + tile_columns <= columns; j += tile_columns)
            REAL_NAME(multiply_strip)
        (C + j * to + j, to, a + j, a + j, leading, rows - j, some, tile_columns);
        for (; j < columns; j += narrow_columns)
            REAL_NAME(multiply_strip)
        (C + j * to + j, to, a + j, a + j, leading, rows - j, some, narrow_columns);
    }
}

// ---------------------------------------------------------------- one front

// The block of a body on the diagonal: its factor takes its place, the diagonal by reciprocals.
// False when it is not positive definite.
CAIRN_INLINE bool REAL_NAME(factor_block)(REAL* F, ptrdiff_t leading)
{
    for (int j = 0; j < width; j++) {
        REAL pivot = F[j * leading + j];
        for (int k = 0; k < j; k++)
            pivot -= F[k * leading + j] * F[k * leading + j];
        if (!(pivot > 0 && pivot < (REAL)INFINITY))
            return false;

        REAL over = 1 / REAL_SQRT(pivot);
        F[j * leading + j] = over;

        for (int i = j + 1; i < width; i++) {
            REAL sum = F[j * leading + i];
            for (int k = 0; k < j; k++)
                sum -= F[k * leading + i] * F[k * leading + j];
            F[j * leading + i] = sum * over;
        }
    }
    return true;
}

// the columns of one body below its block: X L^T = F
CAIRN_INLINE void REAL_NAME(divide_by_block)(REAL* F, ptrdiff_t leading, int rows)
{
    for (int i = width; i < rows; i += REAL_LANES) {
        REAL_VECTOR x[width];
        for (int j = 0; j < width; j++) {
            x[j] = REAL_NAME(load)(F + j * leading + i);
            for (int k = 0; k < j; k++)
                x[j] -= x[k] * F[k * leading + j];
            x[j] *= F[j * leading + j];
        }
        for (int j = 0; j < width; j++)
            REAL_NAME(store)(F + j * leading + i, x[j]);
    }
}

// columns begin .. end - 1 of a panel, all rows below them
static bool REAL_NAME(factor_columns)(REAL* F, ptrdiff_t leading, int begin, int end, int rows)
{
    if (end - begin == width) {
        REAL* own = F + begin * leading + begin;
        if (!REAL_NAME(factor_block)(own, leading))
            return false;
        REAL_NAME(divide_by_block)(own, leading, rows - begin);
        return true;
    }

    // the left half first; then its update of the right half as one product, and the right half
    int half = begin + ((end - begin) / width + 1) / 2 * width;
    if (!REAL_NAME(factor_columns)(F, leading, begin, half, rows))
        return false;

    REAL_NAME(multiply_lower)
    (F + half * leading + half, leading, F + begin * leading + half, leading, rows - half,
     end - half, half - begin);

    return REAL_NAME(factor_columns)(F, leading, half, end, rows);
}

// ---------------------------------------------------------------- from front to front

// where the number (i, j) of a front stands, i >= j unless both are pivots
CAIRN_INLINE REAL* REAL_NAME(place_of)(const cairn_front_cholesky* chol, int f, int i, int j)
{
    int pivots = width * chol->pattern.fronts.front[f].pivots;
    if (j < pivots)
        return (REAL*)chol->panel + j * (ptrdiff_t)chol->leading[f] + i;
    return (REAL*)chol->rest + (j - pivots) * (ptrdiff_t)chol->rest_leading[f] + (i - pivots);
}

// the blocks of the matrix in the columns of a front's pivots, zeros elsewhere
CAIRN_INLINE void REAL_NAME(load_entries)(cairn_front_cholesky* chol, int f, const double* blocks)
{
    const cairn_fronts* fronts = &chol->pattern.fronts;
    const cairn_front* front = &fronts->front[f];
    size_t pivots = (size_t)(width * front->pivots), rest = (size_t)(width * front->rows) - pivots;
    memset(chol->panel, 0, pivots * (size_t)chol->leading[f] * sizeof(REAL));
    memset(chol->rest, 0, rest * (size_t)chol->rest_leading[f] * sizeof(REAL));

    for (int e = front->entry; e < front[1].entry; e++) {
        const double* block = blocks + CAIRN_CHOLESKY_BLOCK * (ptrdiff_t)fronts->entry_place[e];
        int i = fronts->entry_row[e], j = fronts->entry_column[e];
        bool lower = i >= j;

        for (int c = 0; c < width; c++) {
            REAL* to =
                REAL_NAME(place_of)(chol, f, width * (lower ? i : j), width * (lower ? j : i) + c);
            for (int r = 0; r < width; r++)
                to[r] = (REAL)(lower ? block[width * r + c] : block[width * c + r]);
        }
    }
}

// adds the Schur complement of a child, a lower triangle of n block rows; rows that stay neighbors
// go together
CAIRN_INLINE void REAL_NAME(take_over)(cairn_front_cholesky* chol, int f, const REAL* S,
                                       const int* into, int n)
{
    int runs = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || into[i] != into[i - 1] + 1)
            chol->run[runs++] = i;
    chol->run[runs] = n;

    // S points at row 0 of a column, of which rows j and below are stored
    for (int block = 0, first = 0; block < n; block++) {
        first += chol->run[first + 1] == block;
        for (int c = 0; c < width; c++) {
            int j = width * block + c;
            for (int r = first; r < runs; r++) {
                int start = width * chol->run[r], begin = start > j ? start : j;
                int count = width * chol->run[r + 1] - begin;
                REAL* to = REAL_NAME(place_of)(chol, f, width * into[chol->run[r]] + begin - start,
                                               width * into[block] + c);
                for (int i = 0; i < count; i++)
                    to[i] += S[begin + i];
            }
            S += width * n - j - 1;
        }
    }
}

// puts the Schur complement of a front on the stack
CAIRN_INLINE REAL* REAL_NAME(keep_rest)(const cairn_front_cholesky* chol, int f, REAL* top)
{
    const cairn_front* front = &chol->pattern.fronts.front[f];
    int n = width * (front->rows - front->pivots);
    const REAL* column = chol->rest;
    for (int j = 0; j < n; j++, column += chol->rest_leading[f]) {
        memcpy(top, column + j, (size_t)(n - j) * sizeof(REAL));
        top += n - j;
    }
    return top;
}

// numbers of a body with this many rows below it
CAIRN_INLINE ptrdiff_t REAL_NAME(packed_size)(int below)
{
    int vectors = (below + REAL_LANES - 1) / REAL_LANES;
    return CAIRN_CHOLESKY_PACKED + (ptrdiff_t)width * REAL_LANES * vectors;
}

CAIRN_INLINE void REAL_NAME(pack)(REAL* to, const REAL* F, ptrdiff_t leading, int pivots, int rows)
{
    for (int k = 0; k < pivots; k += width, F += width * leading) {
        for (int j = 0; j < width; j++)
            memcpy(to + width * j, F + j * leading + k, width * sizeof(REAL));
        to += CAIRN_CHOLESKY_PACKED;
        for (int i = k + width; i < rows; i += REAL_LANES)
            for (int j = 0; j < width; j++, to += REAL_LANES)
                REAL_NAME(store)(to, REAL_NAME(load)(F + j * leading + i));
    }
}

bool REAL_KERNEL(cairn_front_cholesky_factor)(cairn_front_cholesky* chol, const double* blocks)
{
    const cairn_fronts* fronts = &chol->pattern.fronts;
    REAL* top = chol->stack;
    int depth = 0;
    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        int pivots = width * front->pivots, rows = width * front->rows;
        REAL* F = chol->panel;
        if (cairn_stop_asked(chol->stop))
            return false;

        // assemble the entries of the matrix and the Schur complements of the children
        REAL_NAME(load_entries)(chol, f, blocks);
        for (int c = 0; c < front->children; c++) {
            const cairn_front* child = &fronts->front[chol->waiting[--depth]];
            int n = child->rows - child->pivots;
            top -= (ptrdiff_t)(width * n) * (width * n + 1) / 2;
            REAL_NAME(take_over)(chol, f, top, fronts->into + child->index, n);
        }

        // factor the pivots
        if (!REAL_NAME(factor_columns)(F, chol->leading[f], 0, pivots, rows))
            return false;

        REAL_NAME(pack)
        ((REAL*)chol->value + chol->begin[f], F, chol->leading[f], pivots, rows);
        if (rows == pivots)
            continue;

        // the Schur complement waits on the stack for the parent
        REAL_NAME(multiply_lower)
        (chol->rest, chol->rest_leading[f], F + pivots, chol->leading[f], rows - pivots,
         rows - pivots, pivots);
        top = REAL_NAME(keep_rest)(chol, f, top);
        chol->waiting[depth++] = f;
    }
    return true;
}

// ---------------------------------------------------------------- solving

// L y = x for the pivots of a front, and what that takes from the rows behind them
CAIRN_INLINE void REAL_NAME(forward)(REAL* y, const REAL* L, int pivots, int rows)
{
    for (int k = 0; k < pivots; k += width) {
        REAL* own = y + k;

        // the pivots of one body
        for (int j = 0; j < width; j++) {
            REAL sum = own[j];
            for (int m = 0; m < j; m++)
                sum -= L[width * m + j] * own[m];
            own[j] = sum * L[width * j + j];
        }

        // the rows behind them
        L += CAIRN_CHOLESKY_PACKED;
        for (int i = k + width; i < rows; i += REAL_LANES, L += width * REAL_LANES) {
            REAL_VECTOR sum = REAL_NAME(load)(y + i);
            for (int j = 0; j < width; j++)
                sum -= REAL_NAME(load)(L + REAL_LANES * j) * own[j];
            REAL_NAME(store)(y + i, sum);
        }
    }
}

// the sum of the lanes, by halves
CAIRN_INLINE REAL REAL_NAME(sum_lanes)(REAL_VECTOR x)
{
    REAL_NAME(half) half[2];

    memcpy(half, &x, sizeof half);
    half[0] += half[1];
    REAL_NAME(quarter) quarter[2];
    memcpy(quarter, &half[0], sizeof quarter);
    quarter[0] += quarter[1];
    REAL lane[REAL_LANES / 4];
    memcpy(lane, &quarter[0], sizeof lane);

    for (int count = REAL_LANES / 8; count > 0; count /= 2)
        for (int i = 0; i < count; i++)
            lane[i] += lane[i + count];
    return lane[0];
}

// L^T y = x for the pivots of a front, last pivot first; `end` is the end of its factors
CAIRN_INLINE void REAL_NAME(backward)(REAL* y, const REAL* end, int pivots, int rows)
{
    for (int k = pivots - width; k >= 0; k -= width) {
        const REAL* block = end - REAL_NAME(packed_size)(rows - k - width);
        const REAL* L = block + CAIRN_CHOLESKY_PACKED;
        REAL_VECTOR sum[width] = {{0}};

        for (int i = k + width; i < rows; i += REAL_LANES, L += width * REAL_LANES) {
            REAL_VECTOR below = REAL_NAME(load)(y + i);
            for (int j = 0; j < width; j++)
                sum[j] += REAL_NAME(load)(L + REAL_LANES * j) * below;
        }

        REAL* own = y + k;
        for (int j = width - 1; j >= 0; j--) {
            REAL x = own[j] - REAL_NAME(sum_lanes)(sum[j]);
            for (int m = j + 1; m < width; m++)
                x -= block[width * j + m] * own[m];
            own[j] = x * block[width * j + j];
        }
        end = block;
    }
}

// where the factors of a front end
CAIRN_INLINE const REAL* REAL_NAME(end_of)(const REAL* begin, int pivots, int rows)
{
    for (int k = width; k <= pivots; k += width)
        begin += REAL_NAME(packed_size)(rows - k);
    return begin;
}

void REAL_KERNEL(cairn_front_cholesky_solve)(const cairn_front_cholesky* chol, double* x)
{
    const cairn_fronts* fronts = &chol->pattern.fronts;
    const int* order = chol->pattern.order;
    const REAL* value = chol->value;
    REAL *z = chol->x, *y = chol->y;
    for (int k = 0; k < chol->pattern.n; k++)
        for (int r = 0; r < width; r++)
            z[width * (ptrdiff_t)k + r] = (REAL)x[width * (ptrdiff_t)order[k] + r];

    // children first: the pivots of a front are neighbors, the rows behind them are not
    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        int pivots = width * front->pivots, rows = width * front->rows;

        REAL* own = z + width * (ptrdiff_t)front->first;
        memcpy(y, own, (size_t)pivots * sizeof(REAL));
        memset(y + pivots, 0, (size_t)(rows - pivots + REAL_LANES) * sizeof(REAL));
        REAL_NAME(forward)(y, value + chol->begin[f], pivots, rows);
        memcpy(own, y, (size_t)pivots * sizeof(REAL));

        // what the front takes from the rows behind it goes to their own fronts
        for (int k = front->pivots; k < front->rows; k++) {
            REAL* to = z + width * (ptrdiff_t)fronts->row[front->index + k - front->pivots];
            for (int r = 0; r < width; r++)
                to[r] += y[width * k + r];
        }
    }

    // parents first
    for (int f = fronts->count - 1; f >= 0; f--) {
        const cairn_front* front = &fronts->front[f];
        int pivots = width * front->pivots, rows = width * front->rows;
        REAL* own = z + width * (ptrdiff_t)front->first;

        memcpy(y, own, (size_t)pivots * sizeof(REAL));
        for (int k = front->pivots; k < front->rows; k++)
            memcpy(y + width * k,
                   z + width * (ptrdiff_t)fronts->row[front->index + k - front->pivots],
                   width * sizeof(REAL));

        memset(y + rows, 0, REAL_LANES * sizeof(REAL));
        REAL_NAME(backward)
        (y, REAL_NAME(end_of)(value + chol->begin[f], pivots, rows), pivots, rows);

        memcpy(own, y, (size_t)pivots * sizeof(REAL));
    }

    for (int k = 0; k < chol->pattern.n; k++)
        for (int r = 0; r < width; r++)
            x[width * (ptrdiff_t)order[k] + r] = (double)z[width * (ptrdiff_t)k + r];
}

#undef REAL_LANES
#undef REAL_VECTOR
