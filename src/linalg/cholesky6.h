// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// K = L L^T of a symmetric positive definite matrix of up to six rows, six numbers apart: the
// balance of one body. (Larger ones: ldl.h.)
#ifndef CAIRN_LINALG_CHOLESKY6_H
#define CAIRN_LINALG_CHOLESKY6_H

#include <math.h>
#include <stdbool.h>

/// The lower triangle of K becomes L. False when a pivot is not above `floor`.
static inline bool cairn_cholesky6_factor(double* K, int n, double floor)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                K[6 * i + j] -= K[6 * i + k] * K[6 * j + k];
        if (!(K[7 * j] > floor))
            return false;
        double root = sqrt(K[7 * j]);
        for (int i = j; i < n; i++)
            K[6 * i + j] /= root;
    }
    return true;
}

/// x ← K^-1 x
static inline void cairn_cholesky6_solve(const double* L, int n, double* x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[6 * i + k] * x[k];
        x[i] /= L[7 * i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= L[6 * k + i] * x[k];
        x[i] /= L[7 * i];
    }
}

#endif
