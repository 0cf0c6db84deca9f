// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plans of Newton's systems that a workspace keeps.

#include "exact_case.h"
#include "solve/newton/newton_plan.h"

// the plan that a workspace gives for a stack of some height
static const cairn_newton_plan* find(cairn_workspace* workspace, int height)
{
    cairn_problem problem = make("stack", height, 0.5, 1.0, 0.0);
    cairn_arena arena = {0};
    cairn_report report = {0};
    cairn_solve_def def = cairn_default_solve_def();
    def.workspace = workspace;
    cairn_job job = {.problem = &problem, .def = &def, .arena = &arena, .report = &report};
    cairn_cells cells;
    const cairn_newton_plan* plan = NULL;

    ck_assert_int_eq(cairn_delassus_prepare(&job.A, &problem, &arena), CAIRN_OK);
    ck_assert_int_eq(cairn_cells_prepare(&cells, &job), CAIRN_OK);
    ck_assert_int_eq(cairn_newton_plan_find(&plan, &cells, &job, CAIRN_NEWTON_CHEAPEST), CAIRN_OK);
    ck_assert_int_eq(plan->n, plan->body_space ? 2 * cells.body_count : cells.count);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
    return plan;
}

TEST(islands_that_take_turns_keep_their_plans)
{
    cairn_workspace* workspace = cairn_workspace_create();
    const cairn_newton_plan* first[8];
    for (int k = 0; k < 8; k++)
        first[k] = find(workspace, 3 + k);
    for (int k = 7; k >= 0; k--) {
        ck_assert_ptr_eq(find(workspace, 3 + k), first[k]);
        for (int j = 0; j < k; j++)
            ck_assert_ptr_ne(first[k], first[j]);
    }
    cairn_workspace_destroy(workspace);
}
END

TEST(the_plan_that_was_not_used_for_longest_makes_room)
{
    cairn_workspace* workspace = cairn_workspace_create();
    const cairn_newton_plan* often = find(workspace, 2);
    const cairn_newton_plan* once = find(workspace, 3);

    // 14 more fill the 16 places; the next takes that of the one used once, long ago
    for (int k = 0; k < 14; k++) {
        find(workspace, 4 + k);
        ck_assert_ptr_eq(find(workspace, 2), often);
    }
    ck_assert_ptr_eq(find(workspace, 18), once);
    ck_assert_ptr_eq(find(workspace, 2), often);
    cairn_workspace_destroy(workspace);
}
END

TESTS(islands_that_take_turns_keep_their_plans, the_plan_that_was_not_used_for_longest_makes_room)
