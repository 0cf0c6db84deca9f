// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Plans of the systems of Newton's method: making one (newton_plan.c), and finding one among those
// that the workspace keeps (newton_cache.c).
#ifndef CAIRN_SOLVE_NEWTON_PLAN_H
#define CAIRN_SOLVE_NEWTON_PLAN_H

#include "solve/newton/newton.h"

/// What a plan depends on: sizes and pattern.
typedef struct cairn_newton_key {
    int* word;
    int length;
    uint64_t hash;
} cairn_newton_key;

/// The key of cells. False when there is no memory.
bool cairn_newton_key_make(cairn_newton_key* key, const cairn_cells* cells,
                           cairn_newton_space space, cairn_arena* arena);

bool cairn_newton_key_equal(const cairn_newton_key* x, const cairn_newton_key* y);

/// Makes a plan. Its memory comes from `arena`; the pattern of an explicit W stays the problem's.
cairn_status cairn_newton_plan_make(cairn_newton_plan* plan, const cairn_cells* cells,
                                    cairn_newton_space space, cairn_arena* arena,
                                    cairn_arena* scratch, const cairn_stop* stop);

/// Lets a plan that was kept borrow the pattern of an explicit W of the present problem.
void cairn_newton_plan_borrow(cairn_newton_plan* plan, const cairn_cells* cells);

/// The plan for the cells of a job: one that the workspace keeps, or a new one.
cairn_status cairn_newton_plan_find(const cairn_newton_plan** plan, const cairn_cells* cells,
                                    const cairn_job* job, cairn_newton_space space);

#endif
