// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Coloring of blocks: blocks of one color share no body that moves, so they can be updated in any
// order, or at once, with the same result to the last bit.
#ifndef CAIRN_SOLVE_COLOR_H
#define CAIRN_SOLVE_COLOR_H

#include "math/arena.h"
#include <cairn/problem.h>

enum { cairn_most_colors = 32 };

/// Color k holds block[begin[k]] .. block[begin[k+1]-1], ascending; what found no color (a body
/// with more than 32 blocks) is in block[begin[count]] .. block[total-1], to be updated one by one.
typedef struct cairn_coloring {
    int count;
    int total;
    int begin[cairn_most_colors + 1];
    int* block;
} cairn_coloring;

/// Colors the blocks listed in `blocks` (ascending). Depends on the problem alone: same problem,
/// same colors. False when there is no memory.
bool cairn_color_blocks(cairn_coloring* coloring, const cairn_problem* problem, const int* blocks,
                        int count, cairn_arena* arena);

/// The first color that is free at both bodies of a block, marked as used there; cairn_most_colors
/// when there is none. `used` holds a word per body.
int cairn_color_take(uint32_t* used, const cairn_problem* problem, const cairn_block* block);

#endif
