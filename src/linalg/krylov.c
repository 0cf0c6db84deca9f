// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Generalised minimal residuals: see krylov.h. With the orthonormal basis v_0 = b/|b|, v_1, .. of
// the space and K (L U)^-1 V_j = V_j+1 H, the residual is that of the small problem
//
//     min_y | |b| e_0 - H y |,
//
// in which Givens rotations make H triangular column by column; the last number of the rotated
// right side is the length of the residual.

#include "linalg/krylov.h"
#include <cairn/math.h>

// no residual is known better than to this part of |b|
static const double round_off = 1e-14;

// the small problem
typedef struct least_squares {
    double* h; // columns of the triangle
    double cosine[CAIRN_KRYLOV_MOST], sine[CAIRN_KRYLOV_MOST];
    double right[CAIRN_KRYLOV_MOST + 1];
} least_squares;

cairn_status cairn_krylov_prepare(cairn_krylov* krylov, int n, const int* begin, const int* column,
                                  const double* K, cairn_arena* arena)
{
    const int most = CAIRN_KRYLOV_MOST;

    *krylov = (cairn_krylov){.n = n, .begin = begin, .column = column, .K = K};
    krylov->factor = CAIRN_TAKE(arena, double, CAIRN_KRYLOV_BLOCK*(ptrdiff_t)begin[n]);
    krylov->diagonal = CAIRN_TAKE(arena, int, n);
    krylov->place = CAIRN_TAKE(arena, int, n);
    krylov->basis = CAIRN_TAKE(arena, double, (most + 1) * 8 * (ptrdiff_t)n);
    krylov->z = CAIRN_TAKE(arena, double, 8 * (ptrdiff_t)n);
    krylov->h = CAIRN_TAKE(arena, double, (most + 1) * (most + 2) / 2);

    if (arena->failed)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < n; i++) {
        krylov->place[i] = -1;
        for (int m = begin[i]; m < begin[i + 1]; m++)
            if (column[m] == i)
                krylov->diagonal[i] = m;
    }
    return CAIRN_OK;
}

bool cairn_krylov_factor(cairn_krylov* krylov)
{
    return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_krylov_factor_kernel)(krylov);
}

// column j of H, with `below` beneath its diagonal, becomes a column of the triangle
static void rotate(least_squares* s, int j, double below)
{
    double* h = s->h + (ptrdiff_t)j * (j + 1) / 2;

    // the rotations of the columns before it
    for (int i = 0; i < j; i++) {
        double upper = h[i];
        h[i] = s->cosine[i] * upper + s->sine[i] * h[i + 1];
        h[i + 1] = s->cosine[i] * h[i + 1] - s->sine[i] * upper;
    }

    // one more rotation takes away `below`
    double length = cairn_hypot(h[j], below);
    s->cosine[j] = h[j] / length;
    s->sine[j] = below / length;
    h[j] = length;

    s->right[j + 1] = -s->sine[j] * s->right[j];
    s->right[j] *= s->cosine[j];
}

// y of the first `count` columns, in place of the right side
static void back_substitute(least_squares* s, int count)
{
    for (int j = count - 1; j >= 0; j--) {
        const double* h = s->h + (ptrdiff_t)j * (j + 1) / 2;
        s->right[j] /= h[j];
        for (int i = 0; i < j; i++)
            s->right[i] -= h[i] * s->right[j];
    }
}

// x = (L U)^-1 Σ_k y_k v_k
static void combine(cairn_krylov* krylov, double* x, const double* y, int count)
{
    size_t n = 8 * (size_t)krylov->n;
    memset(krylov->z, 0, n * sizeof(double));
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < n; i++)
            krylov->z[i] += y[k] * krylov->basis[n * (size_t)k + i];
    CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_krylov_precondition_kernel)(krylov, x, krylov->z);
}

bool cairn_krylov_solve(cairn_krylov* krylov, double* x, double tolerance)
{
    cairn_simd_level level = cairn_simd_detect();
    size_t n = 8 * (size_t)krylov->n;
    least_squares s = {.h = krylov->h};

    // the right-hand side is the first vector of the basis; its length is the first residual
    memcpy(krylov->basis, x, n * sizeof(double));
    s.right[0] = CAIRN_PICK_KERNEL(level, cairn_krylov_orthogonal_kernel)(krylov, NULL, 0);
    int count = 0;

    tolerance = fmax(tolerance, round_off * s.right[0]);
    while (count < CAIRN_KRYLOV_MOST && fabs(s.right[count]) > tolerance &&
           !cairn_stop_asked(krylov->stop)) {
        double* v = krylov->basis + n * (size_t)count;
        double* h = s.h + (ptrdiff_t)count * (count + 1) / 2;

        // Arnoldi: the next direction K (L U)^-1 v, made orthogonal to all before it
        CAIRN_PICK_KERNEL(level, cairn_krylov_precondition_kernel)(krylov, krylov->z, v);
        CAIRN_PICK_KERNEL(level, cairn_krylov_product_kernel)(krylov, v + n, krylov->z);
        double below =
            CAIRN_PICK_KERNEL(level, cairn_krylov_orthogonal_kernel)(krylov, h, count + 1);

        if (!isfinite(below) || !(cairn_hypot(h[count], below) > 0.0))
            break;

        rotate(&s, count, below);
        count++;
    }

    double residual = fabs(s.right[count]);
    krylov->iterations = count;

    back_substitute(&s, count);
    combine(krylov, x, s.right, count);
    return residual <= tolerance;
}
