// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Making forests of ball joints, and the way to their kernels; see ball_tree.h.

#include "solve/tree/ball_tree.h"

bool cairn_ball_tree_make(cairn_ball_tree* balls, const cairn_tree* tree, cairn_arena* arena)
{
    *balls = (cairn_ball_tree){.count = tree->link_count};
    balls->links = CAIRN_TAKE_ZEROED(arena, cairn_ball_link, tree->link_count);
    balls->link_of_body = CAIRN_TAKE(arena, int, tree->body_count);
    balls->link_of_joint = CAIRN_TAKE(arena, int, tree->constraint_count);
    balls->x = CAIRN_TAKE(arena, double, 12 * (size_t)tree->link_count);
    if (arena->failed)
        return false;

    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        balls->links[k].parent = link->parent;
        balls->links[k].body = link->body;
        balls->links[k].joint = link->constraint;
        balls->links[k].body_is_b = link->outer_is_b;
        balls->link_of_body[link->body] = k;
        if (link->constraint >= 0)
            balls->link_of_joint[link->constraint] = k;
    }
    return true;
}

bool cairn_ball_tree_factor(cairn_ball_tree* balls)
{
    return CAIRN_PICK_NARROW_KERNEL(cairn_simd_detect(), cairn_ball_factor)(balls);
}

void cairn_ball_tree_solve(cairn_ball_tree* balls, double* y, double* lambda, const double* c,
                           int columns)
{
    cairn_ball_sweep sweep = {balls, y, lambda, c};
    if (columns == 1)
        CAIRN_PICK_NARROW_KERNEL(cairn_simd_detect(), cairn_ball_solve)(&sweep);
    else
        CAIRN_PICK_NARROW_KERNEL(cairn_simd_detect(), cairn_ball_solve2)(&sweep);
}
