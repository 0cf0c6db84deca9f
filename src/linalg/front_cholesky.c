// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Memory of the fronts and the choice of their kernels. The numeric part is
// front_cholesky_kernel.c.

#include "linalg/front_cholesky.h"

enum { lanes = 16 };

// Room for whole vectors from any row on. Columns that lie a large power of two apart would share
// few lines of the cache.
static int leading_of(int rows)
{
    int leading = (rows + 2 * lanes - 2) / lanes * lanes;
    return leading % 128 == 0 ? leading + lanes : leading;
}

// factors one after the other, the largest panel and the largest rest
static void size_fronts(cairn_front_cholesky* chol)
{
    const cairn_fronts* fronts = &chol->pattern.fronts;
    chol->begin[0] = 0;
    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        int rows = CAIRN_CHOLESKY_WIDTH * front->rows;
        int pivots = CAIRN_CHOLESKY_WIDTH * front->pivots, rest = rows - pivots;

        chol->leading[f] = leading_of(rows);
        chol->rest_leading[f] = leading_of(rest);
        ptrdiff_t panel = pivots * (ptrdiff_t)chol->leading[f];
        ptrdiff_t left = rest * (ptrdiff_t)chol->rest_leading[f];
        chol->panel_size = panel > chol->panel_size ? panel : chol->panel_size;
        chol->rest_size = left > chol->rest_size ? left : chol->rest_size;
        chol->tallest = chol->leading[f] > chol->tallest ? chol->leading[f] : chol->tallest;

        // a block on the diagonal, and whole vectors of rows below it
        chol->begin[f + 1] = chol->begin[f];
        for (int k = CAIRN_CHOLESKY_WIDTH; k <= pivots; k += CAIRN_CHOLESKY_WIDTH)
            chol->begin[f + 1] += CAIRN_CHOLESKY_PACKED +
                                  CAIRN_CHOLESKY_WIDTH * lanes * ((rows - k + lanes - 1) / lanes);
        for (int k = 0; k < pivots; k++)
            chol->work += 0.5 * (double)(rows - k) * (double)(rows - k);
    }
}

// the greatest height of the stack: the Schur complement of a front replaces those of its children
static void size_stack(cairn_front_cholesky* chol, ptrdiff_t* waiting)
{
    const cairn_fronts* fronts = &chol->pattern.fronts;
    ptrdiff_t used = 0;
    int depth = 0;
    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        ptrdiff_t n = CAIRN_CHOLESKY_WIDTH * (ptrdiff_t)(front->rows - front->pivots);

        for (int c = 0; c < front->children; c++)
            used -= waiting[--depth];

        if (n == 0)
            continue;

        waiting[depth++] = n * (n + 1) / 2;
        used += n * (n + 1) / 2;
        chol->stack_size = used > chol->stack_size ? used : chol->stack_size;
        chol->deepest = depth > chol->deepest ? depth : chol->deepest;
    }
}

cairn_status cairn_front_cholesky_prepare(cairn_front_cholesky* chol, int n, const int* begin,
                                          const int* column, cairn_arena* arena,
                                          cairn_arena* scratch, const cairn_stop* stop)
{
    // the symbolic part, always with fronts
    *chol = (cairn_front_cholesky){.stop = stop};
    cairn_status status =
        cairn_block_lu_analyze(&chol->pattern, n, begin, column, 0.0, arena, scratch, stop);
    if (status != CAIRN_OK)
        return status;

    // sizes
    int count = chol->pattern.fronts.count;
    chol->begin = CAIRN_TAKE(arena, ptrdiff_t, count + 1);
    chol->leading = CAIRN_TAKE(arena, int, count);
    chol->rest_leading = CAIRN_TAKE(arena, int, count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    size_fronts(chol);
    cairn_arena_mark here = cairn_arena_here(scratch);
    ptrdiff_t* waiting = CAIRN_TAKE(scratch, ptrdiff_t, count);
    if (!waiting)
        return CAIRN_NO_MEMORY;
    size_stack(chol, waiting);
    cairn_arena_release(scratch, here);

    // room for double precision; pages that single precision does not touch cost nothing
    chol->value = CAIRN_TAKE(arena, double, chol->begin[count]);
    chol->stack = CAIRN_TAKE(arena, double, chol->stack_size);
    chol->panel = CAIRN_TAKE(arena, double, chol->panel_size);
    chol->rest = CAIRN_TAKE(arena, double, chol->rest_size);
    chol->x = CAIRN_TAKE(arena, double, CAIRN_CHOLESKY_WIDTH*(ptrdiff_t)n);
    chol->y = CAIRN_TAKE(arena, double, chol->tallest + lanes);
    chol->waiting = CAIRN_TAKE(arena, int, chol->deepest);
    chol->run = CAIRN_TAKE(arena, int, chol->tallest + 1);
    return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

bool cairn_front_cholesky_factor(cairn_front_cholesky* chol, const double* blocks,
                                 cairn_front_precision precision)
{
    cairn_simd_level level = cairn_simd_detect();
    chol->precision = precision;
    if (precision == CAIRN_FRONT_SINGLE)
        return CAIRN_PICK_KERNEL(level, cairn_front_cholesky_factor_single_kernel)(chol, blocks);
    return CAIRN_PICK_KERNEL(level, cairn_front_cholesky_factor_double_kernel)(chol, blocks);
}

void cairn_front_cholesky_pivots(const cairn_front_cholesky* chol, double* blocks)
{
    enum { six = CAIRN_CHOLESKY_WIDTH, double_lanes = 8 };
    const cairn_fronts* fronts = &chol->pattern.fronts;

    for (int f = 0; f < fronts->count; f++) {
        const double* L = (const double*)chol->value + chol->begin[f];
        int rows = six * fronts->front[f].rows;
        for (int k = 0; k < fronts->front[f].pivots; k++, blocks += CAIRN_CHOLESKY_BLOCK) {
            // by columns, the diagonal by reciprocals
            for (int i = 0; i < six; i++)
                for (int j = 0; j <= i; j++) {
                    double sum = 0.0;
                    for (int m = 0; m <= j; m++) {
                        double left = i == m ? 1.0 / L[six * m + m] : L[six * m + i];
                        double right = j == m ? 1.0 / L[six * m + m] : L[six * m + j];
                        sum += left * right;
                    }
                    blocks[six * i + j] = blocks[six * j + i] = sum;
                }

            int vectors = (rows - six * (k + 1) + double_lanes - 1) / double_lanes;
            L += CAIRN_CHOLESKY_PACKED + six * double_lanes * vectors;
        }
    }
}

void cairn_front_cholesky_solve(const cairn_front_cholesky* chol, double* x)
{
    cairn_simd_level level = cairn_simd_detect();
    if (chol->precision == CAIRN_FRONT_SINGLE)
        CAIRN_PICK_KERNEL(level, cairn_front_cholesky_solve_single_kernel)
    (chol, x);
    else CAIRN_PICK_KERNEL(level, cairn_front_cholesky_solve_double_kernel)(chol, x);
}
