// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Short loops over arrays of numbers, summed from the first to the last. (Long products in lanes:
// linalg/dense.h.)
#ifndef CAIRN_MATH_NUMBERS_H
#define CAIRN_MATH_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/// Σ x_i y_i
static inline double cairn_dot_n(const double* x, const double* y, ptrdiff_t n)
{
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/// |x|
static inline double cairn_norm_n(const double* x, ptrdiff_t n)
{
    return sqrt(cairn_dot_n(x, x, n));
}

/// max |x_i|; a NaN does not count
static inline double cairn_largest(const double* x, ptrdiff_t n)
{
    double most = 0.0;
    for (ptrdiff_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static inline bool cairn_all_finite(const double* x, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/// For qsort: ascending.
static inline int cairn_compare_ints(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

#endif
