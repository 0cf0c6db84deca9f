// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Products and inverses of blocks of 3x3 and 4x4 numbers, stored by columns of 4. `width` is a
// constant where it matters, so that the loops unroll. The lanes of a vector are the rows of a
// column.
#ifndef CAIRN_LINALG_SMALL_BLOCK_H
#define CAIRN_LINALG_SMALL_BLOCK_H

#include "math/simd.h"
#include <math.h>

/// C -= A B
CAIRN_INLINE void cairn_block_multiply_subtract(double* C, const double* A, const double* B,
                                                int width)
{
    cairn_double4 a[4];
    for (int k = 0; k < width; k++)
        a[k] = cairn_load4(A + 4 * k);
    for (int j = 0; j < width; j++) {
        cairn_double4 sum = a[0] * B[4 * j];
        for (int k = 1; k < width; k++)
            sum += a[k] * B[4 * j + k];
        cairn_store4(C + 4 * j, cairn_load4(C + 4 * j) - sum);
    }
}

/// C = A B
CAIRN_INLINE void cairn_block_multiply(double* C, const double* A, const double* B, int width)
{
    cairn_double4 a[4];
    for (int k = 0; k < width; k++)
        a[k] = cairn_load4(A + 4 * k);
    for (int j = 0; j < width; j++) {
        cairn_double4 sum = a[0] * B[4 * j];
        for (int k = 1; k < width; k++)
            sum += a[k] * B[4 * j + k];
        cairn_store4(C + 4 * j, sum);
    }
}

/// A x
CAIRN_INLINE cairn_double4 cairn_block_apply(const double* A, const double* x, int width)
{
    cairn_double4 sum = cairn_load4(A) * x[0];
    for (int k = 1; k < width; k++)
        sum += cairn_load4(A + 4 * k) * x[k];
    return sum;
}

/// The inverse by Gauss-Jordan with pivots from the column; false when there is none.
CAIRN_INLINE bool cairn_block_invert(double* to, const double* A, int width)
{
    double m[4][8] = {{0.0}};

    // [A | I] becomes [I | A^-1]
    for (int i = 0; i < width; i++) {
        for (int j = 0; j < width; j++)
            m[i][j] = A[4 * j + i];
        m[i][width + i] = 1.0;
    }

    for (int k = 0; k < width; k++) {
        int pivot = k;
        for (int i = k + 1; i < width; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k]))
                pivot = i;

        double size = fabs(m[pivot][k]);
        if (!(size > 0.0 && size < INFINITY))
            return false;

        if (pivot != k)
            for (int j = 0; j < 2 * width; j++) {
                double other = m[k][j];
                m[k][j] = m[pivot][j];
                m[pivot][j] = other;
            }

        double over = 1.0 / m[k][k];
        for (int j = 0; j < 2 * width; j++)
            m[k][j] *= over;

        for (int i = 0; i < width; i++) {
            double f = m[i][k];
            if (i == k)
                continue;
            for (int j = 0; j < 2 * width; j++)
                m[i][j] -= f * m[k][j];
        }
    }

    for (int j = 0; j < width; j++)
        for (int i = 0; i < 4; i++)
            to[4 * j + i] = i < width ? m[i][width + j] : 0.0;
    return true;
}

#endif
