// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The linear systems of Newton's method; see newton.h.

#include "solve/newton/newton.h"
#include "linalg/small_block.h"
#include "solve/newton/newton_plan.h"
#include <string.h>

enum { stride = CAIRN_CELL_STRIDE };

// W_cd = Σ Ĵ_c Ĵ_d^T over the bodies that both touch, plus C on the diagonal
static void form_block(double* W, const cairn_cells* cells, int c, int d)
{
    const cairn_cell *x = &cells->cell[c], *y = &cells->cell[d];
    memset(W, 0, 4 * (size_t)cells->width * sizeof(double));
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            if (x->body[p] < 0 || x->body[p] != y->body[q])
                continue;
            const cairn_cell_rows *J = &cells->J[2 * c + p], *K = &cells->J[2 * d + q];
            for (int j = 0; j < y->rows; j++) {
                cairn_double4 sum = cairn_load4(W + 4 * j);
                for (int k = 0; k < 6; k++)
                    sum += J->column[k] * K->column[k][j];
                cairn_store4(W + 4 * j, sum);
            }
        }
    for (int i = 0; i < x->rows && c == d; i++)
        W[5 * i] += x->softness[i];
}

static void form_W(cairn_newton* newton)
{
    const cairn_newton_plan* plan = newton->plan;
    int size = 4 * newton->cells->width;
    for (int c = 0; c < plan->n; c++)
        for (int k = plan->begin[c]; k < plan->begin[c + 1]; k++)
            form_block(newton->W + size * (ptrdiff_t)k, newton->cells, c, plan->column[k]);
}

cairn_status cairn_newton_prepare(cairn_newton* newton, const cairn_cells* cells,
                                  const cairn_job* job, cairn_newton_space space)
{
    cairn_arena* arena = job->arena;
    *newton = (cairn_newton){.cells = cells};
    cairn_status status = cairn_newton_plan_find(&newton->plan, cells, job, space);
    if (status != CAIRN_OK)
        return status;

    const cairn_newton_plan* plan = newton->plan;
    int width = plan->body_space ? 3 : cells->width;
    int size = plan->iterated ? CAIRN_KRYLOV_BLOCK : 4 * width;
    ptrdiff_t blocks = plan->begin[plan->n];

    // numbers of the cells and of K; W is formed where K needs it and the cells have none
    newton->local = CAIRN_TAKE(arena, cairn_newton_cell, cells->count);
    newton->open = CAIRN_TAKE_ZEROED(arena, bool, cells->count);
    newton->K = CAIRN_TAKE(arena, double, size* blocks);
    newton->y = CAIRN_TAKE(arena, double, stride*(ptrdiff_t)cells->count);
    newton->w = CAIRN_TAKE(arena, double, cairn_cells_state_size(cells));
    if (plan->body_space) {
        newton->X = CAIRN_TAKE(arena, double, 16 * (ptrdiff_t)cells->count);
        newton->inverse = CAIRN_TAKE(arena, double, 16 * (ptrdiff_t)cells->count);
    } else if (!cells->W) {
        newton->W = CAIRN_TAKE(arena, double, size* blocks);
    } else {
        newton->W = cells->W;
    }

    // complete factors, or an iteration with incomplete ones
    status = plan->iterated ? cairn_krylov_prepare(&newton->krylov, plan->n, plan->begin,
                                                   plan->column, newton->K, arena)
                            : cairn_block_lu_prepare(&newton->lu, &plan->pattern, width, arena);
    newton->lu.stop = newton->lu.front.stop = newton->krylov.stop = &job->stop;
    if (status == CAIRN_OK && !plan->body_space && !cells->W)
        form_W(newton);
    return arena->failed ? CAIRN_NO_MEMORY : status;
}

bool cairn_newton_factor(cairn_newton* newton)
{
    cairn_simd_level level = cairn_simd_detect();
    if (newton->plan->iterated) {
        bool done = CAIRN_PICK_KERNEL(level, cairn_newton_body_kernel)(newton) &&
                    cairn_krylov_factor(&newton->krylov);
        newton->gave_up = newton->gave_up || !done;
        return done;
    }

    if (newton->plan->body_space)
        return CAIRN_PICK_KERNEL(level, cairn_newton_body_kernel)(newton) &&
               cairn_block_lu_factor(&newton->lu, newton->K, NULL);
    CAIRN_PICK_KERNEL(level, cairn_newton_contact_kernel)(newton);
    return cairn_block_lu_factor(&newton->lu, newton->K, newton->open);
}

CAIRN_INLINE cairn_double4 apply(const double* A, const double* x, int width)
{
    return width == 3 ? cairn_block_apply(A, x, 3) : cairn_block_apply(A, x, 4);
}

static void solve_contacts(cairn_newton* newton, double* dr, const double* d0, const double* rhs)
{
    const cairn_cells* cells = newton->cells;

    // K ξ = rhs - V_l^T W d0
    cairn_cells_product(cells, newton->y, d0, newton->w);
    for (int c = 0; c < cells->count; c++) {
        ptrdiff_t at = stride * (ptrdiff_t)c;
        cairn_store4(dr + at, cairn_load4(rhs + at) -
                                  apply(newton->local[c].Vt, newton->y + at, cells->width));
    }
    cairn_block_lu_solve(&newton->lu, dr);

    // dr = d0 + V ξ
    for (int c = 0; c < cells->count; c++) {
        ptrdiff_t at = stride * (ptrdiff_t)c;
        cairn_double4 d = cairn_load4(d0 + at);
        if (!newton->open[c])
            d += apply(newton->local[c].V, dr + at, cells->width);
        cairn_store4(dr + at, d);
    }
}

void cairn_newton_solve(cairn_newton* newton, double* dr, const double* d0, const double* rhs)
{
    if (newton->plan->body_space)
        CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_newton_body_solve_kernel)
    (newton, dr, d0, rhs);
    else solve_contacts(newton, dr, d0, rhs);
}
