// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Post-stabilization (Erleben 2017): the contact problem without friction, with gaps in the place
// of velocities. The contacts are copied with their normal rows alone; an explicit A keeps its 3x3
// blocks and loses its friction.

#include "math/accept.h"
#include <cairn/solve.h>
#include <stdlib.h>
#include <string.h>

// room for the normal-only problem
static bool take(cairn_problem* normal, const cairn_problem* problem)
{
    size_t blocks = (size_t)problem->block_count, rows = problem->A ? 3 * blocks : blocks;
    *normal = (cairn_problem){.space = problem->space,
                              .body_count = problem->body_count,
                              .bodies = problem->bodies,
                              .A = problem->A};
    normal->blocks = malloc(blocks * sizeof(cairn_block) + 1);
    normal->rows = problem->A ? NULL : malloc(rows * sizeof(cairn_row) + 1);
    normal->b = calloc(rows + 1, sizeof(double));
    return normal->blocks && normal->b && (normal->rows || problem->A);
}

// frees what take() has allocated; bodies and A are borrowed
static void give_back(cairn_problem* normal)
{
    free(normal->blocks);
    free(normal->rows);
    free(normal->b);
}

static void fill(cairn_problem* normal, const cairn_problem* problem, const double* gap,
                 double slop)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        cairn_block* to = &normal->blocks[normal->block_count++];
        *to = *block;
        to->friction = (cairn_friction){.kind = CAIRN_FRICTION_NONE};
        to->row = normal->row_count;
        to->row_count = problem->A ? 3 : 1;
        normal->b[to->row] = gap[c] + slop;
        if (!problem->A)
            normal->rows[to->row] = problem->rows[block->row];
        normal->row_count += to->row_count;
    }
}

cairn_status cairn_solve_gaps(const cairn_problem* problem, const double* gap, double slop,
                              const cairn_solve_def* def, double* x, cairn_report* report,
                              cairn_error* error)
{
    if (!problem || !def || (problem->row_count > 0 && (!x || !gap)))
        return cairn_refuse_null(error,
                                 "the problem, the def, the gaps or the place for the answer");

    cairn_problem normal;
    cairn_status status = cairn_problem_check(problem, error);
    if (status != CAIRN_OK)
        return status;

    // a problem of normal rows alone, with room for its answer
    double* solution = malloc((size_t)problem->row_count * sizeof(double) + 1);
    if (!take(&normal, problem) || !solution)
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the gaps of %d blocks",
                            problem->block_count);

    if (status == CAIRN_OK) {
        fill(&normal, problem, gap, slop);
        status = cairn_solve(&normal, def, solution, report, error);
    }

    // normal impulses go back to the rows that they came from; friction rows get none
    if (status == CAIRN_OK) {
        memset(x, 0, (size_t)problem->row_count * sizeof(double));
        for (int c = 0, k = 0; c < problem->block_count; c++)
            if (problem->blocks[c].kind == CAIRN_BLOCK_CONTACT)
                x[problem->blocks[c].row] = solution[normal.blocks[k++].row];
    }

    free(solution);
    give_back(&normal);
    return status;
}
