// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// L D L^T with rows appended and deleted; see ldl.h. L lies column by column: the forward sweep and
// the rank-one update run along columns without any sum, the backward sweep is a row of dot
// products.

#include "linalg/ldl.h"
#include "linalg/dense.h"
#include "math/assert.h"
#include <math.h>
#include <string.h>

enum { deletions_before_refactor = 64 };

cairn_status cairn_ldl_take(cairn_ldl* ldl, int capacity, cairn_arena* arena)
{
    *ldl = (cairn_ldl){.capacity = capacity, .stride = ((size_t)capacity + 7) / 8 * 8};
    ldl->L = CAIRN_TAKE(arena, double, ldl->stride*(size_t)capacity);
    ldl->D = CAIRN_TAKE(arena, double, capacity);
    ldl->work = CAIRN_TAKE(arena, double, cairn_ldl_panel * ldl->stride);
    return ldl->L && ldl->D && ldl->work ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void cairn_ldl_clear(cairn_ldl* ldl)
{
    ldl->n = 0;
    ldl->deletions = 0;
}

void cairn_ldl_forward(const cairn_ldl* ldl, double* restrict y)
{
    int n = ldl->n, j = 0;

    // four columns at a time: y is read and written once for four columns of L
    for (; j + 4 <= n; j += 4) {
        const double* restrict a = cairn_ldl_column(ldl, j);
        const double* restrict b = cairn_ldl_column(ldl, j + 1);
        const double* restrict c = cairn_ldl_column(ldl, j + 2);
        const double* restrict d = cairn_ldl_column(ldl, j + 3);

        double y0 = y[j];
        double y1 = y[j + 1] - a[j + 1] * y0;
        double y2 = y[j + 2] - a[j + 2] * y0 - b[j + 2] * y1;
        double y3 = y[j + 3] - a[j + 3] * y0 - b[j + 3] * y1 - c[j + 3] * y2;
        y[j + 1] = y1;
        y[j + 2] = y2;
        y[j + 3] = y3;

        for (int i = j + 4; i < n; i++)
            y[i] = y[i] - a[i] * y0 - b[i] * y1 - c[i] * y2 - d[i] * y3;
    }

    for (; j < n; j++)
        cairn_dense_axpy(y + j + 1, -y[j], cairn_ldl_column(ldl, j) + j + 1, n - j - 1);
}

void cairn_ldl_backward(const cairn_ldl* ldl, double* x)
{
    int n = ldl->n, j = n;

    // four rows at a time: their sums over the rows behind do not wait for each other
    for (; j >= 4; j -= 4) {
        double* y = x + j - 4;
        for (int k = 0; k < 4; k++)
            y[k] = y[k] / ldl->D[j - 4 + k] -
                   cairn_dense_dot(cairn_ldl_column(ldl, j - 4 + k) + j, x + j, n - j);

        const double* a = cairn_ldl_column(ldl, j - 4) + j - 4;
        const double* b = cairn_ldl_column(ldl, j - 3) + j - 4;
        const double* c = cairn_ldl_column(ldl, j - 2) + j - 4;
        y[2] -= c[3] * y[3];
        y[1] -= b[3] * y[3] + b[2] * y[2];
        y[0] -= a[3] * y[3] + a[2] * y[2] + a[1] * y[1];
    }

    for (j--; j >= 0; j--)
        x[j] = x[j] / ldl->D[j] -
               cairn_dense_dot(cairn_ldl_column(ldl, j) + j + 1, x + j + 1, n - j - 1);
}

void cairn_ldl_solve(const cairn_ldl* ldl, double* x)
{
    cairn_ldl_forward(ldl, x);
    cairn_ldl_backward(ldl, x);
}

bool cairn_ldl_append_forward(cairn_ldl* ldl, const double* y, double diagonal, double epsilon)
{
    CAIRN_ASSERT(ldl->n < ldl->capacity);
    int n = ldl->n;
    double pivot = diagonal;
    double* l = ldl->L + n; // row n of L: `stride` apart

    for (int j = 0; j < n; j++) {
        double quotient = y[j] / ldl->D[j];
        l[(size_t)j * ldl->stride] = quotient;
        pivot -= y[j] * quotient;
    }

    if (!(pivot > epsilon * diagonal) || !(pivot > 0.0))
        return false;

    ldl->D[n] = pivot;
    ldl->n = n + 1;
    return true;
}

bool cairn_ldl_append(cairn_ldl* ldl, const double* column, double diagonal, double epsilon)
{
    memcpy(ldl->work, column, (size_t)ldl->n * sizeof(double));
    cairn_ldl_forward(ldl, ldl->work);
    return cairn_ldl_append_forward(ldl, ldl->work, diagonal, epsilon);
}

// L D L^T + alpha w w^T for the rows from `first` on; w is overwritten
static void rank_one_update(cairn_ldl* ldl, int first, double alpha, double* restrict w)
{
    for (int j = first; j < ldl->n; j++) {
        double* restrict l = cairn_ldl_column(ldl, j);
        double p = w[j];
        double d = ldl->D[j] + alpha * p * p;
        double beta = alpha * p / d;

        alpha *= ldl->D[j] / d;
        ldl->D[j] = d;

        for (int i = j + 1; i < ldl->n; i++) {
            w[i] -= p * l[i];
            l[i] += beta * w[i];
        }
    }
}

void cairn_ldl_remove(cairn_ldl* ldl, int place)
{
    CAIRN_ASSERT(place >= 0 && place < ldl->n);
    int n = ldl->n - 1;
    double alpha = ldl->D[place];

    // the deleted column below its diagonal is the vector of the update
    memcpy(ldl->work + place, cairn_ldl_column(ldl, place) + place + 1,
           (size_t)(n - place) * sizeof(double));

    // row `place` leaves the columns before it; the columns behind it move up and to the left
    for (int j = 0; j < place; j++) {
        double* l = cairn_ldl_column(ldl, j);
        memmove(l + place, l + place + 1, (size_t)(n - place) * sizeof(double));
    }
    for (int j = place; j < n; j++) {
        memcpy(cairn_ldl_column(ldl, j) + j + 1, cairn_ldl_column(ldl, j + 1) + j + 2,
               (size_t)(n - j - 1) * sizeof(double));
        ldl->D[j] = ldl->D[j + 1];
    }

    ldl->n = n;
    ldl->deletions++;
    rank_one_update(ldl, place, alpha, ldl->work);
}

bool cairn_ldl_factor(cairn_ldl* ldl, const double* K, size_t stride, int n, double epsilon)
{
    CAIRN_ASSERT(n <= ldl->capacity);
    return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_ldl_factor_kernel)(ldl, K, stride, n,
                                                                           epsilon);
}

bool cairn_ldl_worn(const cairn_ldl* ldl)
{
    return ldl->deletions >= deletions_before_refactor;
}
