// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// With f_j = s (g_j - x_j) and the differences ΔF, ΔG of successive iterates,
//
//     x⁺ = g - ΔG γ,      γ = argmin |f - ΔF γ|² + ε tr(ΔF^T ΔF) |γ|²
//
// (Walker and Ni 2011, type II, regularized). For maps that are not smooth nothing is proved: the
// caller must compare residuals and be ready to go back.

#include "solve/sweep/anderson.h"
#include "math/numbers.h"
#include <math.h>
#include <string.h>

static const double regularization = 1e-12;

bool cairn_anderson_prepare(cairn_anderson* mix, int n, int depth, cairn_arena* arena)
{
    *mix = (cairn_anderson){.n = n, .depth = depth};
    size_t size = (size_t)n;
    mix->scale = CAIRN_TAKE(arena, double, size);
    mix->last_f = CAIRN_TAKE(arena, double, size);
    mix->last_g = CAIRN_TAKE(arena, double, size);
    mix->df = CAIRN_TAKE(arena, double, (size_t)depth* size);
    mix->dg = CAIRN_TAKE(arena, double, (size_t)depth* size);
    return !arena->failed;
}

void cairn_anderson_forget(cairn_anderson* mix)
{
    mix->count = 0;
    mix->newest = 0;
    mix->started = false;
}

double cairn_anderson_size(const cairn_anderson* mix, const double* x, const double* g)
{
    double sum = 0.0;
    for (int i = 0; i < mix->n; i++) {
        double f = mix->scale[i] * (g[i] - x[i]);
        sum += f * f;
    }
    return sqrt(sum);
}

// takes the newest difference into the ring and its products into the Gram matrix
static void learn(cairn_anderson* mix, const double* x, const double* g)
{
    int n = mix->n, k = mix->newest;
    double *df = mix->df + (ptrdiff_t)k * n, *dg = mix->dg + (ptrdiff_t)k * n;
    for (int i = 0; i < n; i++) {
        double f = mix->scale[i] * (g[i] - x[i]);
        df[i] = f - mix->last_f[i];
        dg[i] = g[i] - mix->last_g[i];
        mix->last_f[i] = f;
        mix->last_g[i] = g[i];
    }

    if (!mix->started) {
        mix->started = true;
        return;
    }
    mix->newest = (k + 1) % mix->depth;
    mix->count = mix->count < mix->depth ? mix->count + 1 : mix->depth;
    for (int j = 0; j < mix->count; j++)
        mix->gram[k][j] = mix->gram[j][k] = cairn_dot_n(df, mix->df + (ptrdiff_t)j * n, n);
}

// solves (gram + ε tr I) γ = ΔF^T f by Cholesky's method; false when that breaks down
static bool mixture(const cairn_anderson* mix, double* gamma)
{
    int m = mix->count;
    double L[cairn_anderson_most][cairn_anderson_most], trace = 0.0;

    // the regularization follows the trace, so that scales do not matter
    for (int i = 0; i < m; i++)
        trace += mix->gram[i][i];

    // the Cholesky factor of the regularized Gram matrix, and the right side
    for (int i = 0; i < m; i++) {
        gamma[i] = cairn_dot_n(mix->df + (ptrdiff_t)i * mix->n, mix->last_f, mix->n);
        for (int j = 0; j <= i; j++) {
            double sum = mix->gram[i][j] + (i == j ? regularization * trace : 0.0);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }

    // forward and backward substitution
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++)
            gamma[i] -= L[i][k] * gamma[k];
        gamma[i] /= L[i][i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++)
            gamma[i] -= L[k][i] * gamma[k];
        gamma[i] /= L[i][i];
    }

    return true;
}

void cairn_anderson_next(cairn_anderson* mix, double* x, const double* g)
{
    double gamma[cairn_anderson_most];
    learn(mix, x, g);
    memcpy(x, g, (size_t)mix->n * sizeof(double));
    if (!mixture(mix, gamma)) {
        cairn_anderson_forget(mix);
        return;
    }
    for (int j = 0; j < mix->count; j++) {
        const double* dg = mix->dg + (ptrdiff_t)j * mix->n;
        for (int i = 0; i < mix->n; i++)
            x[i] -= gamma[j] * dg[i];
    }
}
