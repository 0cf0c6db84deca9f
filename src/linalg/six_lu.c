// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "linalg/six_lu.h"
#include <string.h>

static uint64_t bit(int i)
{
    return UINT64_C(1) << i;
}

void cairn_six_lu_start(cairn_six_lu* lu, int n)
{
    *lu = (cairn_six_lu){.n = n};
}

// the row of `left` with the fewest neighbors there
static int least_degree(const cairn_six_lu* lu, uint64_t left)
{
    int best = -1, least = cairn_six_lu_most + 1;
    for (uint64_t rest = left; rest; rest &= rest - 1) {
        int i = __builtin_ctzll(rest), degree = __builtin_popcountll(lu->near[i] & left & ~bit(i));
        if (degree < least) {
            least = degree;
            best = i;
        }
    }
    return best;
}

cairn_status cairn_six_lu_plan(cairn_six_lu* lu, cairn_arena* arena)
{
    int n = lu->n;
    uint64_t left = n == cairn_six_lu_most ? ~UINT64_C(0) : bit(n) - 1;

    lu->slot = CAIRN_TAKE(arena, int, n* n);
    if (!lu->slot)
        return CAIRN_NO_MEMORY;

    memset(lu->slot, -1, (size_t)n * (size_t)n * sizeof(int));
    lu->block_count = 0;

    for (int k = 0; k < n; k++) {
        // the next of least degree gets slots for its diagonal and for all neighbors that are left
        int i = least_degree(lu, left);
        left &= ~bit(i);
        lu->order[k] = i;
        lu->later[i] = lu->near[i] & left;
        lu->slot[(n + 1) * i] = lu->block_count++;

        // its neighbors become neighbors of each other
        for (uint64_t rest = lu->later[i]; rest; rest &= rest - 1) {
            int j = __builtin_ctzll(rest);
            lu->near[j] |= lu->later[i];
            lu->slot[n * i + j] = lu->block_count++;
            lu->slot[n * j + i] = lu->block_count++;
        }
    }

    lu->blocks = CAIRN_TAKE(arena, cairn_six_block, lu->block_count);
    return lu->blocks ? CAIRN_OK : CAIRN_NO_MEMORY;
}

bool cairn_six_lu_factor(cairn_six_lu* lu)
{
    return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_six_lu_factor_kernel)(lu);
}

void cairn_six_lu_solve(const cairn_six_lu* lu, cairn_double8* x)
{
    CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_six_lu_solve_kernel)(lu, x);
}
