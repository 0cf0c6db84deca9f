// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Greedy coloring: each block takes the first color that none of its bodies has used yet. One word
// of 32 bits per body remembers which colors touch it; bodies that cannot move connect nothing.

#include "solve/sweep/color.h"
#include "problem/mass.h"

static uint32_t used_by(const cairn_problem* problem, const uint32_t* used, int body)
{
    bool moves = body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
    return moves ? used[body] : 0;
}

// the first color that is free at both bodies, or cairn_most_colors
static int first_free(uint32_t used)
{
    for (int k = 0; k < cairn_most_colors; k++)
        if (!(used >> k & 1u))
            return k;
    return cairn_most_colors;
}

int cairn_color_take(uint32_t* used, const cairn_problem* problem, const cairn_block* block)
{
    int k =
        first_free(used_by(problem, used, block->body_a) | used_by(problem, used, block->body_b));
    if (k == cairn_most_colors)
        return k;
    if (block->body_a != CAIRN_WORLD_BODY)
        used[block->body_a] |= UINT32_C(1) << k;
    if (block->body_b != CAIRN_WORLD_BODY)
        used[block->body_b] |= UINT32_C(1) << k;
    return k;
}

bool cairn_color_blocks(cairn_coloring* coloring, const cairn_problem* problem, const int* blocks,
                        int count, cairn_arena* arena)
{
    uint32_t* used = CAIRN_TAKE_ZEROED(arena, uint32_t, problem->body_count);
    unsigned char* color = CAIRN_TAKE(arena, unsigned char, count);
    *coloring = (cairn_coloring){.total = count, .block = CAIRN_TAKE(arena, int, count)};
    if (arena->failed)
        return false;

    // choose the first free color; the last key counts blocks that found none
    int size[cairn_most_colors + 2] = {0};
    for (int i = 0; i < count; i++) {
        int k = cairn_color_take(used, problem, &problem->blocks[blocks[i]]);
        color[i] = (unsigned char)k;
        size[k + 1]++;
        if (k < cairn_most_colors && k >= coloring->count)
            coloring->count = k + 1;
    }

    // sort by color, keeping the order within
    int place[cairn_most_colors + 1] = {0};
    for (int k = 1; k <= cairn_most_colors; k++)
        place[k] = place[k - 1] + size[k];
    for (int k = 0; k <= coloring->count; k++)
        coloring->begin[k] = k < coloring->count ? place[k] : count - size[cairn_most_colors + 1];
    for (int i = 0; i < count; i++)
        coloring->block[place[color[i]]++] = blocks[i];

    return true;
}
