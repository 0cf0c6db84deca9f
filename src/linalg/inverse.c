// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A general inverse kept true while its matrix changes; see inverse.h.

#include "linalg/inverse.h"
#include "linalg/dense.h"
#include "math/assert.h"
#include <math.h>
#include <string.h>

// a pivot this small against the numbers it divides leaves no digits
static const double least_pivot = 1e-12;

cairn_status cairn_inverse_take(cairn_inverse* inverse, int capacity, cairn_arena* arena)
{
    *inverse = (cairn_inverse){.capacity = capacity, .stride = ((size_t)capacity + 7) / 8 * 8};
    inverse->B = CAIRN_TAKE(arena, double, inverse->stride*(size_t)capacity);
    inverse->left = CAIRN_TAKE(arena, double, capacity);
    inverse->right = CAIRN_TAKE(arena, double, capacity);
    return inverse->B && inverse->left && inverse->right ? CAIRN_OK : CAIRN_NO_MEMORY;
}

static double* row_of(const cairn_inverse* inverse, int i)
{
    return inverse->B + (size_t)i * inverse->stride;
}

// asked at every 32nd row: small matrices never ask
static bool stopped_at(const cairn_inverse* inverse, int row)
{
    return row % 32 == 31 && cairn_stop_asked(inverse->stop);
}

void cairn_inverse_solve(const cairn_inverse* inverse, double* x, const double* rhs)
{
    int i = 0;
    for (; i < inverse->n && !stopped_at(inverse, i); i++)
        x[i] = cairn_dense_dot(row_of(inverse, i), rhs, inverse->n);
    for (; i < inverse->n; i++)
        x[i] = 0.0;
}

// y = r B
static void solve_transposed(const cairn_inverse* inverse, double* y, const double* r)
{
    memset(y, 0, (size_t)inverse->n * sizeof(double));
    for (int i = 0; i < inverse->n && !stopped_at(inverse, i); i++)
        cairn_dense_axpy(y, r[i], row_of(inverse, i), inverse->n);
}

bool cairn_inverse_append(cairn_inverse* inverse, const double* column, const double* row,
                          double diagonal, double epsilon)
{
    CAIRN_ASSERT(inverse->n < inverse->capacity);
    int n = inverse->n;
    double *left = inverse->left, *right = inverse->right;

    // the Schur complement of the new diagonal
    cairn_inverse_solve(inverse, left, column);
    double pivot = diagonal - cairn_dense_dot(row, left, n);
    if (!(fabs(pivot) > epsilon * fabs(diagonal)) || pivot == 0.0)
        return false;

    // B + left right / pivot, bordered by the scaled vectors
    solve_transposed(inverse, right, row);
    double over = 1.0 / pivot;
    for (int i = 0; i < n; i++) {
        if (stopped_at(inverse, i))
            return false;
        cairn_dense_axpy(row_of(inverse, i), over * left[i], right, n);
        row_of(inverse, i)[n] = -over * left[i];
    }

    double* last = row_of(inverse, n);
    for (int j = 0; j < n; j++)
        last[j] = -over * right[j];
    last[n] = over;

    inverse->n = n + 1;
    return true;
}

bool cairn_inverse_remove(cairn_inverse* inverse, int place)
{
    CAIRN_ASSERT(place >= 0 && place < inverse->n);
    int n = inverse->n, last = n - 1;
    double* p = row_of(inverse, place);
    double pivot = p[place], size = 0.0;

    for (int i = 0; i < n; i++)
        size = fmax(size, fmin(fabs(p[i]), fabs(row_of(inverse, i)[place])));

    if (!(fabs(pivot) > least_pivot * size))
        return false;

    // the last row and column trade places with the deleted ones
    for (int i = 0; i < n; i++) {
        if (stopped_at(inverse, i))
            return false;
        double* row = row_of(inverse, i);
        double leaving = row[place];
        row[place] = row[last];
        row[last] = leaving;
    }

    memcpy(inverse->right, p, (size_t)n * sizeof(double));
    if (place != last)
        memcpy(p, row_of(inverse, last), (size_t)n * sizeof(double));

    // the Schur complement of the leaving pivot
    for (int i = 0; i < last; i++) {
        if (stopped_at(inverse, i))
            return false;
        double* row = row_of(inverse, i);
        cairn_dense_axpy(row, -row[last] / pivot, inverse->right, last);
    }

    inverse->n = last;
    return true;
}

bool cairn_inverse_replace(cairn_inverse* inverse, int place, const double* change)
{
    int n = inverse->n;
    double* z = inverse->left;

    // Sherman and Morrison: A + change e_place has the pivot 1 + e_place B change
    cairn_inverse_solve(inverse, z, change);
    double pivot = 1.0 + z[place], size = 1.0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(z[i]));

    if (!(fabs(pivot) > least_pivot * size))
        return false;

    memcpy(inverse->right, row_of(inverse, place), (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        if (stopped_at(inverse, i))
            return false;
        cairn_dense_axpy(row_of(inverse, i), -z[i] / pivot, inverse->right, n);
    }

    return true;
}

// brings the largest entry of column `k` at or below the diagonal up to it
static bool choose_pivot(double* K, size_t stride, int n, int k, double least, int* swap)
{
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(K[(size_t)i * stride + (size_t)k]) > fabs(K[(size_t)best * stride + (size_t)k]))
            best = i;

    swap[k] = best;
    double* a = K + (size_t)k * stride;
    double* b = K + (size_t)best * stride;
    for (int j = 0; best != k && j < n; j++) {
        double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }

    return fabs(a[k]) > least;
}

bool cairn_inverse_compute(cairn_inverse* inverse, double* K, size_t stride, int n, double epsilon,
                           int* swap)
{
    double size = 0.0;
    inverse->n = 0;
    for (int i = 0; i < n; i++) {
        if (stopped_at(inverse, i))
            return false;
        for (int j = 0; j < n; j++)
            size = fmax(size, fabs(K[(size_t)i * stride + (size_t)j]));
    }

    // in place: column k of the identity takes the room of the eliminated column k
    for (int k = 0; k < n; k++) {
        if (cairn_stop_asked(inverse->stop) || !choose_pivot(K, stride, n, k, epsilon * size, swap))
            return false;

        double* pivot_row = K + (size_t)k * stride;
        double over = 1.0 / pivot_row[k];
        pivot_row[k] = 1.0;
        for (int j = 0; j < n; j++)
            pivot_row[j] *= over;

        for (int i = 0; i < n; i++) {
            double* row = K + (size_t)i * stride;
            double s = row[k];
            if (stopped_at(inverse, i))
                return false;
            if (i == k || s == 0.0)
                continue;
            row[k] = 0.0;
            cairn_dense_axpy(row, -s, pivot_row, n);
        }
    }

    // row swaps of K are column swaps of its inverse, undone last to first
    for (int i = 0; i < n; i++) {
        if (stopped_at(inverse, i))
            return false;
        double* row = K + (size_t)i * stride;
        for (int k = n - 1; k >= 0; k--) {
            double x = row[k];
            row[k] = row[swap[k]];
            row[swap[k]] = x;
        }
        memcpy(row_of(inverse, i), row, (size_t)n * sizeof(double));
    }

    inverse->n = n;
    return true;
}
