// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forming the matrices of Newton's method; see newton.h.

#include "linalg/small_block.h"
#include "solve/newton/cell_products.h"
#include "solve/newton/newton.h"

// |b - K w| of an iterated solve against |rhs| and |d0|: Newton's method then takes no more steps
// than with complete factors; from 1e-4 on it does (measured)
static const double iteration_accuracy = 1e-6;

// ---------------------------------------------------------------- contact space

// K_cd = V_l^T W_cd V, plus D on the diagonal
CAIRN_INLINE void form_contact(cairn_newton* newton, int width)
{
    const cairn_newton_plan* plan = newton->plan;
    const int size = 4 * width;

    for (int c = 0; c < plan->n; c++) {
        const cairn_newton_cell* x = &newton->local[c];

        // open cells take no part in K
        if (newton->open[c])
            continue;
        for (int k = plan->begin[c]; k < plan->begin[c + 1]; k++) {
            int d = plan->column[k];
            if (newton->open[d])
                continue;

            double product[16];
            double* K = newton->K + size * (ptrdiff_t)k;
            cairn_block_multiply(product, newton->W + size * (ptrdiff_t)k, newton->local[d].V,
                                 width);
            cairn_block_multiply(K, x->Vt, product, width);

            for (int i = 0; i < size && d == c; i++)
                K[i] += x->D[i];
        }
    }
}

void CAIRN_KERNEL(cairn_newton_contact_kernel)(cairn_newton* newton)
{
    if (newton->cells->width == 3)
        form_contact(newton, 3);
    else
        form_contact(newton, 4);
}

// ---------------------------------------------------------------- body space

// X = V (D + V_l^T C V)^-1 V_l^T of one cell
CAIRN_INLINE bool form_X(cairn_newton* newton, int c, int width)
{
    const cairn_newton_cell* local = &newton->local[c];
    const double* softness = newton->cells->cell[c].softness;
    double* inverse = newton->inverse + 16 * (ptrdiff_t)c;
    double D[16], product[16];
    for (int j = 0; j < width; j++) {
        cairn_double4 sum = cairn_load4(local->D + 4 * j);
        for (int i = 0; i < width; i++)
            sum += cairn_load4(local->Vt + 4 * i) * (softness[i] * local->V[4 * j + i]);
        cairn_store4(D + 4 * j, sum);
    }

    if (!cairn_block_invert(inverse, D, width))
        return false;
    cairn_block_multiply(product, inverse, local->Vt, width);
    cairn_block_multiply(newton->X + 16 * (ptrdiff_t)c, local->V, product, width);
    return true;
}

// where column k of the four blocks of a pair of bodies stands: block slot + half (k / 3) + column
// (k % 3), its angular part `below` further on
typedef struct layout {
    ptrdiff_t block, half, column, below;
} layout;

// blocks of 3x3, the rows of body `row` that far apart, or one block of 6x6
CAIRN_INLINE layout layout_of(const cairn_newton_plan* plan, int row)
{
    if (plan->iterated)
        return (layout){CAIRN_KRYLOV_BLOCK, 24, 8, 4};
    return (layout){12, 12, 4, 12 * (ptrdiff_t)(plan->begin[2 * row + 1] - plan->begin[2 * row])};
}

// adds Ĵ_p^T X Ĵ_q to the four blocks of a pair of bodies
CAIRN_INLINE void add_pair(double* K, layout at, const cairn_cell_rows* p, const cairn_double4* XJ,
                           int width)
{
    for (int k = 0; k < 6; k++) {
        cairn_double4 linear = {0.0}, angular = {0.0};
        for (int i = 0; i < width; i++) {
            linear += p->row[i][0] * XJ[k][i];
            angular += p->row[i][1] * XJ[k][i];
        }
        double* top = K + at.half * (k / 3) + at.column * (k % 3);
        double* bottom = top + at.below;
        cairn_store4(top, cairn_load4(top) + linear);
        cairn_store4(bottom, cairn_load4(bottom) + angular);
    }
}

CAIRN_INLINE bool form_body(cairn_newton* newton, int width)
{
    const cairn_newton_plan* plan = newton->plan;
    const cairn_cells* cells = newton->cells;
    size_t size = plan->iterated ? CAIRN_KRYLOV_BLOCK : 12;

    memset(newton->K, 0, size * (size_t)plan->begin[plan->n] * sizeof(double));
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        if (newton->open[c])
            continue;

        if (!form_X(newton, c, width))
            return false;
        for (int q = 0; q < 2; q++) {
            cairn_double4 XJ[6];
            const cairn_cell_rows* J = &cells->J[2 * c + q];
            if (cell->body[q] < 0)
                continue;

            // X J of one side
            for (int k = 0; k < 6; k++) {
                double column[4];
                cairn_store4(column, J->column[k]);
                XJ[k] = cairn_block_apply(newton->X + 16 * (ptrdiff_t)c, column, width);
            }

            // J^T X J for both
            for (int p = 0; p < 2; p++) {
                int body = cell->body[p];
                if (body < 0)
                    continue;
                layout at = layout_of(plan, body);
                add_pair(newton->K + at.block * plan->slot[4 * c + 2 * p + q], at,
                         &cells->J[2 * c + p], XJ, width);
            }
        }
    }

    return true;
}

// + I, on the diagonal blocks
CAIRN_INLINE void add_identity(cairn_newton* newton)
{
    const cairn_newton_plan* plan = newton->plan;
    for (int i = 0; i < plan->n; i++)
        for (int k = plan->begin[i]; k < plan->begin[i + 1]; k++) {
            if (plan->column[k] != i)
                continue;
            double* K = newton->K + (plan->iterated ? CAIRN_KRYLOV_BLOCK : 12) * (ptrdiff_t)k;
            for (int j = 0; j < 3 && !plan->iterated; j++)
                K[5 * j] += 1.0;
            for (int j = 0; j < 6 && plan->iterated; j++)
                K[8 * j + j + j / 3] += 1.0;
        }
}

bool CAIRN_KERNEL(cairn_newton_body_kernel)(cairn_newton* newton)
{
    bool done = newton->cells->width == 3 ? form_body(newton, 3) : form_body(newton, 4);
    if (done)
        add_identity(newton);
    return done;
}

// x = d0 + V (D + V_l^T C V)^-1 (rhs - V_l^T (v + C d0)) of one cell, v its velocity
CAIRN_INLINE void respond(const cairn_newton* newton, double* x, int c, const double* d0,
                          const double* rhs, cairn_double4 v, int width)
{
    const cairn_newton_cell* local = &newton->local[c];
    double right[4], xi[4], velocity[4];
    cairn_store4(velocity, v + cairn_load4(newton->cells->cell[c].softness) * cairn_load4(d0));
    cairn_store4(right, cairn_load4(rhs) - cairn_block_apply(local->Vt, velocity, width));
    cairn_store4(xi, cairn_block_apply(newton->inverse + 16 * (ptrdiff_t)c, right, width));
    cairn_store4(x, cairn_load4(d0) + cairn_block_apply(local->V, xi, width));
}

// the length of some vectors together
CAIRN_INLINE double length_of(const double* x, const double* y, size_t n)
{
    cairn_double4 sum = {0.0};
    for (size_t i = 0; i < n; i += 4)
        sum += cairn_load4(x + i) * cairn_load4(x + i) + cairn_load4(y + i) * cairn_load4(y + i);
    return sqrt(sum[0] + sum[1] + sum[2] + sum[3]);
}

// K w = b in place
CAIRN_INLINE void solve_state(cairn_newton* newton, const double* d0, const double* rhs)
{
    if (!newton->plan->iterated) {
        cairn_block_lu_solve(&newton->lu, newton->w);
        return;
    }
    double size = length_of(d0, rhs, CAIRN_CELL_STRIDE * (size_t)newton->cells->count);
    if (!cairn_krylov_solve(&newton->krylov, newton->w, iteration_accuracy * size))
        newton->gave_up = true;
}

CAIRN_INLINE void solve_body(cairn_newton* newton, double* dr, const double* d0, const double* rhs,
                             int width)
{
    const cairn_cells* cells = newton->cells;
    const cairn_double4 none = {0.0};

    // what the cells give to the bodies
    memset(newton->w, 0, cairn_cells_state_size(cells) * sizeof(double));
    for (int c = 0; c < cells->count; c++) {
        ptrdiff_t at = CAIRN_CELL_STRIDE * (ptrdiff_t)c;
        double x[4];
        cairn_store4(x, cairn_load4(d0 + at));
        if (!newton->open[c])
            respond(newton, x, c, d0 + at, rhs + at, none, width);
        cairn_cell_push(cells, newton->w, c, x);
    }

    solve_state(newton, d0, rhs);

    // what the cells get from the solution
    for (int c = 0; c < cells->count; c++) {
        ptrdiff_t at = CAIRN_CELL_STRIDE * (ptrdiff_t)c;
        double x[4];
        cairn_store4(x, cairn_load4(d0 + at));
        if (!newton->open[c])
            respond(newton, x, c, d0 + at, rhs + at, cairn_cell_pull(cells, newton->w, c), width);
        cairn_store4(dr + at, cairn_load4(x));
    }
}

void CAIRN_KERNEL(cairn_newton_body_solve_kernel)(cairn_newton* newton, double* dr,
                                                  const double* d0, const double* rhs)
{
    if (newton->cells->width == 3)
        solve_body(newton, dr, d0, rhs, 3);
    else
        solve_body(newton, dr, d0, rhs, 4);
}
