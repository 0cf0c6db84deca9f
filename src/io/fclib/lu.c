// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Gaussian elimination with complete pivoting: the largest entry of what is left becomes the next
// pivot, so that what remains below round-off tells the rank. Redundant joints make the systems of
// global contact problems singular and yet solvable; the unknowns without a pivot are set to zero.
// O(n³) with a search of O(n²) per step; for systems of up to a few thousand unknowns.

#include "io/fclib/lu.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

// how far a right-hand side may be from one that has a solution, relative to its size
static const double consistent = 1e-9;

bool cairn_lu_create(cairn_lu* lu, int n)
{
    size_t size = (size_t)n;
    *lu = (cairn_lu){.n = n,
                     .a = calloc(size * size + 1, sizeof(double)),
                     .row = malloc(size * sizeof(int) + 1),
                     .column = malloc(size * sizeof(int) + 1)};
    if (lu->a && lu->row && lu->column)
        return true;
    cairn_lu_destroy(lu);
    return false;
}

void cairn_lu_destroy(cairn_lu* lu)
{
    free(lu->a);
    free(lu->row);
    free(lu->column);
    *lu = (cairn_lu){0};
}

static void swap(double* x, double* y)
{
    double keep = *x;
    *x = *y;
    *y = keep;
}

static void swap_ints(int* x, int* y)
{
    int keep = *x;
    *x = *y;
    *y = keep;
}

// brings the largest entry of the rest to (k, k)
static double pivot(cairn_lu* lu, int k)
{
    ptrdiff_t n = lu->n, best_row = k, best_column = k;
    double best = 0.0;

    for (ptrdiff_t i = k; i < n; i++)
        for (ptrdiff_t j = k; j < n; j++)
            if (fabs(lu->a[n * i + j]) > best) {
                best = fabs(lu->a[n * i + j]);
                best_row = i;
                best_column = j;
            }

    for (ptrdiff_t j = 0; j < n && best_row != k; j++)
        swap(&lu->a[n * k + j], &lu->a[n * best_row + j]);
    for (ptrdiff_t i = 0; i < n && best_column != k; i++)
        swap(&lu->a[n * i + k], &lu->a[n * i + best_column]);

    swap_ints(&lu->row[k], &lu->row[best_row]);
    swap_ints(&lu->column[k], &lu->column[best_column]);
    return best;
}

void cairn_lu_factor(cairn_lu* lu)
{
    ptrdiff_t n = lu->n;
    double first = 0.0;

    for (int k = 0; k < lu->n; k++)
        lu->row[k] = lu->column[k] = k;

    for (lu->rank = 0; lu->rank < lu->n; lu->rank++) {
        ptrdiff_t k = lu->rank;
        double size = pivot(lu, lu->rank);
        if (k == 0)
            first = size;

        // what is left is round-off: the rank is found
        if (!(size > 8.0 * DBL_EPSILON * (double)n * first))
            return;

        for (ptrdiff_t i = k + 1; i < n; i++) {
            double factor = lu->a[n * i + k] /= lu->a[n * k + k];
            for (ptrdiff_t j = k + 1; factor != 0.0 && j < n; j++)
                lu->a[n * i + j] -= factor * lu->a[n * k + j];
        }
    }
}

bool cairn_lu_solve(const cairn_lu* lu, double* y, double* scratch)
{
    ptrdiff_t n = lu->n, rank = lu->rank;
    double size = 0.0, left = 0.0;

    // L z = P y; beyond the rank z must vanish
    for (ptrdiff_t i = 0; i < n; i++) {
        double z = y[lu->row[i]];
        size = fmax(size, fabs(z));
        for (ptrdiff_t j = 0; j < (i < rank ? i : rank); j++)
            z -= lu->a[n * i + j] * scratch[j];
        scratch[i] = z;
        if (i >= rank)
            left = fmax(left, fabs(z));
    }

    // U x = z
    for (ptrdiff_t i = rank - 1; i >= 0; i--) {
        for (ptrdiff_t j = i + 1; j < rank; j++)
            scratch[i] -= lu->a[n * i + j] * scratch[j];
        scratch[i] /= lu->a[n * i + i];
    }

    // free unknowns beyond the rank are zero
    for (ptrdiff_t k = 0; k < n; k++)
        y[lu->column[k]] = k < rank ? scratch[k] : 0.0;
    return left <= consistent * size;
}
