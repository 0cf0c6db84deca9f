// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One sweep of block Gauss-Seidel; see gauss_seidel.c. A contact is solved by local_solve.c, a
// joint by its 3x3 system, rows with bounds one after the other.

#include "solve/newton/cell_products.h"
#include "solve/sweep/gauss_seidel.h"
#include "solve/sweep/local_solve.h"

enum { stride = CAIRN_CELL_STRIDE, bound_passes = 4 };

// joint rows: D x = -b, by elimination with pivots; false when D has no inverse to speak of
static bool solve_joint(double* x, const double* D, const double* b, int n)
{
    double m[4][5];

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i][j] = D[4 * j + i];
        m[i][n] = -b[i];
    }

    // Gauss-Jordan elimination, with the largest entry of the column as pivot
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k]))
                pivot = i;
        if (!(fabs(m[pivot][k]) > 1e-10)) // the diagonal of D is 1
            return false;

        for (int j = 0; j <= n && pivot != k; j++) {
            double other = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = other;
        }

        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : m[i][k] / m[k][k];
            for (int j = k; j <= n && f != 0.0; j++)
                m[i][j] -= f * m[k][j];
        }
    }

    for (int i = 0; i < n; i++)
        x[i] = m[i][n] / m[i][i];
    return true;
}

static void solve_bounds(double* r, const cairn_cell* cell, const double* D, const double* b)
{
    bool free = true;
    for (int i = 0; i < cell->rows; i++)
        free = free && cell->lo[i] == -INFINITY && cell->hi[i] == INFINITY;
    if (free && solve_joint(r, D, b, cell->rows))
        return;

    for (int pass = 0; pass < bound_passes; pass++)
        for (int i = 0; i < cell->rows; i++) {
            double u = b[i];
            for (int j = 0; j < cell->rows; j++)
                u += D[4 * j + i] * r[j];
            double x = D[5 * i] > 0.0 ? r[i] - u / D[5 * i] : r[i];
            r[i] = fmin(fmax(x, cell->lo[i]), cell->hi[i]);
        }
}

static void solve_directed(double* r, const cairn_cell* cell, const double* D, const double* b)
{
    double d = 0.0;
    for (int j = 0; j < cell->rows; j++)
        d += D[4 * j] * cell->along[j];

    // d <= 0: pushing harder makes the contact approach faster (Painlevé); leave it to others
    double n = d > 0.0 ? fmax(0.0, -b[0] / d) : r[0];
    for (int i = 0; i < cell->rows; i++)
        r[i] = n * cell->along[i];
}

static void solve_cell(const cairn_cells* cells, double* r, double* w, int c)
{
    const cairn_cell* cell = &cells->cell[c];
    const double* D = cells->diagonal + 4 * cells->width * (ptrdiff_t)c;
    double* x = r + stride * (ptrdiff_t)c;
    double b[4], before[4], change[4];

    // b: the velocity of the cell without its own impulse
    cairn_store4(b, cairn_load4(cells->q + stride * (ptrdiff_t)c) +
                        cairn_cell_product(cells, c, r, w));
    memcpy(before, x, sizeof before);
    for (int j = 0; j < cell->rows; j++)
        for (int i = 0; i < cell->rows; i++)
            b[i] -= D[4 * j + i] * x[j];

    // each kind of cell has an exact local solution
    if (cell->kind == CAIRN_CELL_CONE)
        cairn_local_solve(x, &(cairn_local){D, cell->mu, cell->slip_count, cell->slip}, b);
    else if (cell->kind == CAIRN_CELL_BOUNDS)
        solve_bounds(x, cell, D, b);
    else
        solve_directed(x, cell, D, b);

    // where A is J M^-1 J^T, the change goes into the velocities of the bodies
    if (!cells->J)
        return;
    for (int i = 0; i < stride; i++)
        change[i] = x[i] - before[i];
    cairn_cell_push(cells, w, c, change);
}

void CAIRN_KERNEL(cairn_gauss_seidel_sweep_kernel)(const cairn_cells* cells, double* r, double* w,
                                                   bool backward)
{
    for (int k = 0; k < cells->count; k++)
        solve_cell(cells, r, w, backward ? cells->count - 1 - k : k);
}
