// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The loops of krylov.h. The lanes of a vector are the rows of a column of a block, or, in sums
// over a whole vector, eight sums that are added up in the end: the same bits for every width.

#include "linalg/krylov.h"
#include <math.h>

enum { rows_between_polls = 16 };

// the place of row k of a block in its columns: the fourth number is not used
CAIRN_INLINE int lane(int k)
{
    return k < 3 ? k : k + 1;
}

// y - A x
CAIRN_INLINE cairn_double8 subtract_product(cairn_double8 y, const double* A, const double* x)
{
    for (int k = 0; k < 6; k++)
        y -= cairn_load8(A + 8 * k) * x[lane(k)];
    return y;
}

// C -= A B
CAIRN_INLINE void subtract_block(double* C, const double* A, const double* B)
{
    for (int j = 0; j < 6; j++)
        cairn_store8(C + 8 * j, subtract_product(cairn_load8(C + 8 * j), A, B + 8 * j));
}

// C = A B
CAIRN_INLINE void multiply_block(double* C, const double* A, const double* B)
{
    for (int j = 0; j < 6; j++) {
        cairn_double8 none = {0.0};
        cairn_store8(C + 8 * j, -subtract_product(none, A, B + 8 * j));
    }
}

// The inverse by elimination of columns, pivots from the row; false when there is none.
CAIRN_INLINE bool invert_block(double* to, const double* A)
{
    cairn_double8 a[6], b[6];
    for (int j = 0; j < 6; j++) {
        const cairn_double8 none = {0.0};
        a[j] = cairn_load8(A + 8 * j);
        b[j] = none;
        b[j][lane(j)] = 1.0;
    }

    for (int k = 0; k < 6; k++) {
        int pivot = k, row = lane(k);
        for (int j = k + 1; j < 6; j++)
            if (fabs(a[j][row]) > fabs(a[pivot][row]))
                pivot = j;

        double size = fabs(a[pivot][row]);
        if (!(size > 0.0 && size < INFINITY))
            return false;

        cairn_double8 x = a[pivot] / a[pivot][row], y = b[pivot] / a[pivot][row];
        a[pivot] = a[k], b[pivot] = b[k];
        a[k] = x, b[k] = y;

        for (int j = 0; j < 6; j++) {
            double f = j == k ? 0.0 : a[j][row];
            a[j] -= x * f;
            b[j] -= y * f;
        }
    }

    for (int j = 0; j < 6; j++)
        cairn_store8(to + 8 * j, b[j]);
    return true;
}

CAIRN_INLINE double* block(double* values, int k)
{
    return values + CAIRN_KRYLOV_BLOCK * (ptrdiff_t)k;
}

// eliminates what stands before the diagonal of row i
CAIRN_INLINE void eliminate(cairn_krylov* krylov, int i)
{
    const int* place = krylov->place;
    for (int m = krylov->begin[i]; m < krylov->diagonal[i]; m++) {
        int k = krylov->column[m];
        double L[CAIRN_KRYLOV_BLOCK];
        multiply_block(L, block(krylov->factor, m), block(krylov->factor, krylov->diagonal[k]));
        memcpy(block(krylov->factor, m), L, sizeof L);
        for (int s = krylov->diagonal[k] + 1; s < krylov->begin[k + 1]; s++)
            if (place[krylov->column[s]] >= 0)
                subtract_block(block(krylov->factor, place[krylov->column[s]]), L,
                               block(krylov->factor, s));
    }
}

bool CAIRN_KERNEL(cairn_krylov_factor_kernel)(cairn_krylov* krylov)
{
    const int *begin = krylov->begin, *column = krylov->column;
    size_t size = CAIRN_KRYLOV_BLOCK * (size_t)begin[krylov->n];
    memcpy(krylov->factor, krylov->K, size * sizeof(double));
    for (int i = 0; i < krylov->n; i++) {
        if (i % rows_between_polls == 0 && cairn_stop_asked(krylov->stop))
            return false;

        for (int m = begin[i]; m < begin[i + 1]; m++)
            krylov->place[column[m]] = m;

        eliminate(krylov, i);
        double* pivot = block(krylov->factor, krylov->diagonal[i]);
        if (!invert_block(pivot, pivot))
            return false;

        for (int m = begin[i]; m < begin[i + 1]; m++)
            krylov->place[column[m]] = -1;
    }
    return true;
}

// y minus the blocks first .. last - 1 of a row times x
CAIRN_INLINE cairn_double8 subtract_row(cairn_double8 y, const double* values, const int* column,
                                        int first, int last, const double* x)
{
    for (int m = first; m < last; m++)
        y = subtract_product(y, values + CAIRN_KRYLOV_BLOCK * (ptrdiff_t)m,
                             x + 8 * (ptrdiff_t)column[m]);
    return y;
}

void CAIRN_KERNEL(cairn_krylov_precondition_kernel)(const cairn_krylov* krylov, double* z,
                                                    const double* v)
{
    const int *begin = krylov->begin, *column = krylov->column, *diagonal = krylov->diagonal;

    // L z = v
    for (int i = 0; i < krylov->n; i++) {
        ptrdiff_t at = 8 * (ptrdiff_t)i;
        cairn_store8(z + at, subtract_row(cairn_load8(v + at), krylov->factor, column, begin[i],
                                          diagonal[i], z));
    }

    // then U z = z, in place
    for (int i = krylov->n - 1; i >= 0; i--) {
        ptrdiff_t at = 8 * (ptrdiff_t)i;
        const cairn_double8 none = {0.0};
        double right[8];
        cairn_store8(right, subtract_row(cairn_load8(z + at), krylov->factor, column,
                                         diagonal[i] + 1, begin[i + 1], z));
        cairn_store8(z + at, -subtract_product(none, block(krylov->factor, diagonal[i]), right));
    }
}

void CAIRN_KERNEL(cairn_krylov_product_kernel)(const cairn_krylov* krylov, double* y,
                                               const double* z)
{
    for (int i = 0; i < krylov->n; i++) {
        const cairn_double8 none = {0.0};
        cairn_store8(y + 8 * (ptrdiff_t)i,
                     -subtract_row(none, krylov->K, krylov->column, krylov->begin[i],
                                   krylov->begin[i + 1], z));
    }
}

CAIRN_INLINE double dot(const double* x, const double* y, size_t n)
{
    cairn_double8 sum = {0.0};
    double total = 0.0;
    for (size_t i = 0; i < n; i += 8)
        sum += cairn_load8(x + i) * cairn_load8(y + i);
    for (int i = 0; i < 8; i++)
        total += sum[i];
    return total;
}

double CAIRN_KERNEL(cairn_krylov_orthogonal_kernel)(const cairn_krylov* krylov, double* h,
                                                    int count)
{
    size_t n = 8 * (size_t)krylov->n;
    double* w = krylov->basis + n * (size_t)count;

    // modified Gram and Schmidt
    for (int k = 0; k < count; k++) {
        const double* v = krylov->basis + n * (size_t)k;
        h[k] = dot(v, w, n);
        for (size_t i = 0; i < n; i += 8)
            cairn_store8(w + i, cairn_load8(w + i) - cairn_load8(v + i) * h[k]);
    }

    double length = sqrt(dot(w, w, n));
    for (size_t i = 0; i < n && length > 0.0; i += 8)
        cairn_store8(w + i, cairn_load8(w + i) / length);
    return length;
}
