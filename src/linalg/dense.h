// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The two inner loops of dense linear algebra. Sums run in eight fixed lanes that are added in one
// fixed order at the end, so that every instruction set gives the same bits and no reassociation by
// the compiler is needed.
#ifndef CAIRN_LINALG_DENSE_H
#define CAIRN_LINALG_DENSE_H

#include <stddef.h>

/// Σ x_i y_i
static inline double cairn_dense_dot(const double* restrict x, const double* restrict y, int n)
{
    double lane[8] = {0};
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += x[i + k] * y[i + k];
    double sum =
        ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
    for (; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/// y += s x
static inline void cairn_dense_axpy(double* restrict y, double s, const double* restrict x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

#endif
