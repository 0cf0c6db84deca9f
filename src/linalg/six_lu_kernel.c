// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The elimination of six_lu.h. With P = K_kk^-1, block row k leaves L_jk = K_jk P in column k, and
// K_ji -= L_jk K_ki; the diagonal keeps -P. Lanes are the columns of a block.

#include "linalg/six_lu.h"
#include <math.h>

// A^-1 by Gauss and Jordan with pivots from the column; false when there is none
CAIRN_INLINE bool invert(cairn_six_block* A)
{
    cairn_double8 own[6], to[6];
    for (int i = 0; i < 6; i++) {
        own[i] = A->row[i];
        to[i] = (cairn_double8){0.0};
        to[i][i] = 1.0;
    }

    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(own[i][k]) > fabs(own[pivot][k]))
                pivot = i;

        double size = fabs(own[pivot][k]);
        if (!(size > 0.0 && size < INFINITY))
            return false;

        cairn_double8 x = own[pivot], y = to[pivot];
        own[pivot] = own[k];
        to[pivot] = to[k];
        double over = 1.0 / x[k];
        own[k] = x * over;
        to[k] = y * over;

        for (int i = 0; i < 6; i++) {
            if (i == k)
                continue;
            double share = own[i][k];
            own[i] -= share * own[k];
            to[i] -= share * to[k];
        }
    }

    for (int i = 0; i < 6; i++)
        A->row[i] = to[i];
    return true;
}

// row i of A B
CAIRN_INLINE cairn_double8 product(const cairn_six_block* A, const cairn_six_block* B, int i)
{
    const double* a = (const double*)&A->row[i];
    cairn_double8 sum = a[0] * B->row[0];
    for (int k = 1; k < 6; k++)
        sum += a[k] * B->row[k];
    return sum;
}

CAIRN_INLINE void transpose(cairn_six_block* A)
{
    double(*e)[8] = (double(*)[8])A;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) {
            double swap = e[i][j];
            e[i][j] = e[j][i];
            e[j][i] = swap;
        }
}

bool CAIRN_KERNEL(cairn_six_lu_factor_kernel)(cairn_six_lu* lu)
{
    for (int k = 0; k < lu->n; k++) {
        int i = lu->order[k];
        cairn_six_block* P = cairn_six_lu_block(lu, i, i);

        if (!invert(P))
            return false;

        for (uint64_t rows = lu->later[i]; rows; rows &= rows - 1) {
            int j = __builtin_ctzll(rows);
            cairn_six_block *own = cairn_six_lu_block(lu, j, i), L;
            for (int r = 0; r < 6; r++)
                L.row[r] = product(own, P, r);

            *own = L;

            for (uint64_t columns = lu->later[i]; columns; columns &= columns - 1) {
                int c = __builtin_ctzll(columns);
                const cairn_six_block* U = cairn_six_lu_block(lu, i, c);
                cairn_six_block* to = cairn_six_lu_block(lu, j, c);
                for (int r = 0; r < 6; r++)
                    to->row[r] -= product(&L, U, r);
            }
        }

        // the solve subtracts, so it needs the inverse with the sign changed
        for (int r = 0; r < 6; r++)
            P->row[r] = -P->row[r];
    }
    for (int k = 0; k < lu->block_count; k++)
        transpose(&lu->blocks[k]);
    return true;
}

// x -= A y, A by columns
CAIRN_INLINE void subtract(cairn_double8* x, const cairn_six_block* A, const cairn_double8* y)
{
    const double* e = (const double*)y;
    cairn_double8 sum = A->row[0] * e[0];
    for (int k = 1; k < 6; k++)
        sum += A->row[k] * e[k];
    *x -= sum;
}

void CAIRN_KERNEL(cairn_six_lu_solve_kernel)(const cairn_six_lu* lu, cairn_double8* x)
{
    for (int k = 0; k < lu->n; k++) {
        int i = lu->order[k];
        for (uint64_t rest = lu->later[i]; rest; rest &= rest - 1) {
            int j = __builtin_ctzll(rest);
            subtract(&x[j], cairn_six_lu_block(lu, j, i), &x[i]);
        }
    }
    for (int k = lu->n - 1; k >= 0; k--) {
        int i = lu->order[k];
        for (uint64_t rest = lu->later[i]; rest; rest &= rest - 1) {
            int j = __builtin_ctzll(rest);
            subtract(&x[i], cairn_six_lu_block(lu, i, j), &x[j]);
        }
        cairn_double8 right = x[i];
        x[i] = (cairn_double8){0.0};
        subtract(&x[i], cairn_six_lu_block(lu, i, i), &right);
    }
}
