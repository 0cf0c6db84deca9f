// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Gaussian elimination by rows; see gauss.h.

#include "linalg/gauss.h"
#include "linalg/dense.h"
#include <math.h>

static void swap_rows(double* restrict x, double* restrict y, int n)
{
    for (int j = 0; j < n; j++) {
        double z = x[j];
        x[j] = y[j];
        y[j] = z;
    }
}

bool cairn_gauss_solve(double* A, size_t stride, double* b, int n, const cairn_stop* stop)
{
    for (int k = 0; k < n; k++) {
        if (cairn_stop_asked(stop))
            return false;

        // partial pivoting
        int best = k;
        double* pivot = A + (size_t)k * stride;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(size_t)i * stride + (size_t)k]) >
                fabs(A[(size_t)best * stride + (size_t)k]))
                best = i;
        if (best != k) {
            swap_rows(pivot + k, A + (size_t)best * stride + k, n - k);
            swap_rows(b + k, b + best, 1);
        }

        if (!(fabs(pivot[k]) > 0.0))
            return false;

        for (int i = k + 1; i < n; i++) {
            double* row = A + (size_t)i * stride;
            double s = row[k] / pivot[k];
            cairn_dense_axpy(row + k + 1, -s, pivot + k + 1, n - k - 1);
            b[i] -= s * b[k];
        }
    }

    // back substitution
    for (int k = n - 1; k >= 0; k--) {
        const double* row = A + (size_t)k * stride;
        b[k] = (b[k] - cairn_dense_dot(row + k + 1, b + k + 1, n - k - 1)) / row[k];
    }
    return true;
}
