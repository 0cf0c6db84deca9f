// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "solve/auto.h"
#include "solve/method.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

// an island of any kind
static cairn_island_kind random_kind(cairn_random* random, bool stepped)
{
    static const int sizes[] = {0, 1, 24, 25, 64, 65, 1000, 50000, 50001};
    bool flags[12];

    for (int i = 0; i < 12; i++)
        flags[i] = cairn_random_index(random, 2) == 1;

    return (cairn_island_kind){.body_count = 1 + cairn_random_index(random, 3),
                               .contacts = sizes[cairn_random_index(random, 9)],
                               .joint_rows = 5 * cairn_random_index(random, 3),
                               .bounded_rows = cairn_random_index(random, 3),
                               .bodies = stepped || flags[0],
                               .frictional = flags[1],
                               .faceted = flags[2],
                               .sliding = flags[3],
                               .custom = flags[4],
                               .stepped = stepped,
                               .named = flags[5],
                               .stands = flags[6],
                               .marches = flags[7],
                               .cones = flags[8],
                               .squeezed = flags[9],
                               .driven = flags[10],
                               .tolerance = flags[11] ? 1e-3 : 1e-9};
}

enum { trials = 2000 };

TEST(every_name_of_the_policy_is_one_of_the_table_of_methods)
{
    cairn_random random = {1};
    for (int k = 0; k < trials; k++) {
        cairn_island_kind kind = random_kind(&random, k % 2 == 0);
        for (const cairn_choice* row = cairn_choose(&kind, NULL); row;
             row = cairn_choose(&kind, row))
            CHECK(cairn_method_find(row->method) != NULL);
    }
}
END

// what is read from a file has no arrays of a step, and iteration is its last resort
TEST(a_problem_gets_methods_alone_and_pgs_at_last)
{
    cairn_random random = {2};
    for (int k = 0; k < trials; k++) {
        cairn_island_kind kind = random_kind(&random, false);
        const cairn_choice* last = NULL;
        for (const cairn_choice* row = cairn_choose(&kind, NULL); row;
             row = cairn_choose(&kind, row)) {
            CHECK(row->way == CAIRN_WAY_METHOD);
            last = row;
        }
        ck_assert_str_eq(last->method, "pgs");
    }
}
END

TEST(an_island_of_a_step_can_always_become_a_problem)
{
    cairn_random random = {3};
    for (int k = 0; k < trials; k++) {
        cairn_island_kind kind = random_kind(&random, true);
        const cairn_choice* row = cairn_choose(&kind, NULL);
        while (row && row->way != CAIRN_WAY_PROBLEM)
            row = cairn_choose(&kind, row);
        CHECK(row != NULL);
    }
}
END

TEST(a_method_that_the_user_names_is_used_unless_the_island_stands)
{
    cairn_random random = {4};
    for (int k = 0; k < trials; k++) {
        cairn_island_kind kind = random_kind(&random, true);
        kind.named = true;
        kind.stands = false;
        CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_PROBLEM);
    }
}
END

// sweeps leave a squeezed island swinging for ever and a wheel without load spinning
TEST(joints_beside_contacts_are_not_swept_where_they_are_squeezed_or_driven)
{
    cairn_island_kind kind = {
        .stepped = true, .body_count = 2, .contacts = 8, .joint_rows = 6, .tolerance = 1e-3};
    CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_JOINTED);
    kind.squeezed = true;
    CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_PROBLEM);
    kind.squeezed = false;
    kind.driven = true;
    for (const cairn_choice* row = NULL; (row = cairn_choose(&kind, row));)
        CHECK(row->way != CAIRN_WAY_JOINTED);
}
END

TEST(few_driven_bodies_and_loops_go_to_newton_first)
{
    cairn_island_kind kind = {
        .stepped = true, .body_count = 2, .contacts = 64, .joint_rows = 6, .tolerance = 1e-3};
    kind.driven = true;
    CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_FEW);
    kind.contacts = 65;
    CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_PROBLEM);

    // three joints between two bodies; two make a tree with the world, where sweeps come first
    kind.driven = false;
    kind.contacts = 8;
    kind.joint_rows = 18;
    CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_FEW);
    kind.joint_rows = 12;
    CHECK(cairn_choose(&kind, NULL)->way == CAIRN_WAY_JOINTED);
    CHECK(cairn_choose(&kind, cairn_choose(&kind, NULL))->way == CAIRN_WAY_FEW);
}
END

TEST(joints_that_contradict_each_other_are_told_as_such)
{
    // one point of a body is to move at 0 and at 1 m/s
    cairn_problem problem = cairn_problem_empty();
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    double lambda[6];
    cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(1.0, 1.0, 1.0)});
    for (int k = 0; k < 2; k++) {
        cairn_row rows[3];
        const double b[3] = {k, 0.5, 0.0};
        cairn_block block = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = CAIRN_WORLD_BODY, .body_b = 0};
        cairn_ball_rows(cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.3, 0.0, 0.0), rows);
        for (int i = 0; i < 3; i++)
            memset(rows[i].a, 0, sizeof rows[i].a);
        cairn_problem_add_block(&problem, &block, rows, b);
    }
    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_SINGULAR || report.outcome == CAIRN_OUTCOME_NO_SOLUTION);
    CHECK(report.note[0] != '\0');

    // the best impulses of all methods are returned: those that meet both halfway
    CHECK_BELOW(report.residual.relative, 0.51);
    cairn_problem_destroy(&problem);
}
END

TESTS(few_driven_bodies_and_loops_go_to_newton_first,
      every_name_of_the_policy_is_one_of_the_table_of_methods,
      a_problem_gets_methods_alone_and_pgs_at_last, an_island_of_a_step_can_always_become_a_problem,
      a_method_that_the_user_names_is_used_unless_the_island_stands,
      joints_beside_contacts_are_not_swept_where_they_are_squeezed_or_driven,
      joints_that_contradict_each_other_are_told_as_such)
