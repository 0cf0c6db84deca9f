// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps with joints eliminated: joints are met by every answer, contacts to the tolerance, and the
// answer is that of the exact methods.

#include "check_cairn.h"
#include "figures_case.h"
#include "solve/tree/articulated.h"
#include <cairn/solve.h>
#include <string.h>

enum { most_bodies = 80 };

// ---------------------------------------------------------------- solves

// the worst velocity of the rows of joints
static double joint_error(const cairn_problem* problem, const double* lambda)
{
    double worst = 0.0, *v = malloc((size_t)problem->row_count * sizeof *v + 1);
    CHECK(cairn_problem_velocity(problem, lambda, v) == CAIRN_OK);
    for (int c = 0; c < problem->block_count; c++)
        for (int r = 0; r < problem->blocks[c].row_count; r++)
            if (problem->blocks[c].kind == CAIRN_BLOCK_JOINT)
                worst = fmax(worst, fabs(v[problem->blocks[c].row + r]));
    free(v);
    return worst;
}

// sweeps from nothing; returns the relative residual
static double sweep_figures(const cairn_problem* problem, double* lambda, int sweeps)
{
    cairn_arena arena = {0};
    cairn_residual residual;
    cairn_articulated* all = cairn_articulated_make(problem, &arena);
    CHECK(all != NULL && cairn_articulated_factor(all));
    memset(lambda, 0, (size_t)problem->row_count * sizeof *lambda);
    cairn_articulated_start(all, lambda);
    for (int k = 0; k < sweeps; k++)
        cairn_articulated_sweep(all);
    cairn_articulated_finish(all, lambda);
    CHECK(cairn_problem_residual(problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual) == CAIRN_OK);
    cairn_arena_destroy(&arena);
    return residual.relative;
}

TEST(joints_are_met_after_every_sweep)
{
    cairn_random random = {7};
    for (int k = 0; k < 8; k++) {
        cairn_problem problem = figures(&random, 40, 30, 1000.0);
        double* lambda = take_rows(&problem);
        for (int sweeps = 0; sweeps <= 3; sweeps++) {
            sweep_figures(&problem, lambda, sweeps);
            CHECK(joint_error(&problem, lambda) < 1e-9); // round-off of masses of 1 to 1000
        }
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(sweeps_lead_to_the_law_of_contact)
{
    cairn_random random = {3};
    for (int k = 0; k < 8; k++) {
        cairn_problem problem = figures(&random, 40, 12, 10.0);
        double* lambda = take_rows(&problem);
        CHECK(sweep_figures(&problem, lambda, 400) < 1e-6);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(the_answer_is_that_of_the_exact_method)
{
    cairn_random random = {11};
    cairn_problem problem = figures(&random, 18, 4, 10.0);
    double *lambda = take_rows(&problem), *exact = take_rows(&problem);
    double *v = take_rows(&problem), *w = take_rows(&problem);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.tolerance = 1e-10;

    CHECK(cairn_solve(&problem, &def, exact, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK(sweep_figures(&problem, lambda, 2000) < 1e-9);

    CHECK(cairn_problem_velocity(&problem, lambda, v) == CAIRN_OK);
    CHECK(cairn_problem_velocity(&problem, exact, w) == CAIRN_OK);

    for (int r = 0; r < problem.row_count; r++)
        CHECK_NEAR(v[r], w[r], 1e-7); // a hundred times both residuals
    free(lambda);
    free(exact);
    free(v);
    free(w);
    cairn_problem_destroy(&problem);
}
END

TEST(ellipses_and_spinning_friction_are_cones_of_scaled_rows)
{
    cairn_random random = {5};
    cairn_problem problem = figures(&random, 12, 0, 10.0);
    cairn_friction ellipse = {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.2, 0.9, 0.0}};
    cairn_friction spin = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.5, 0.05}};
    cairn_friction line = {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.7, 0.0, 0.0}};
    add_contact(&problem, &random, CAIRN_WORLD_BODY, 3, ellipse, 3);
    add_contact(&problem, &random, 2, 9, spin, 4);
    add_contact(&problem, &random, CAIRN_WORLD_BODY, 7, line, 3);
    double* lambda = take_rows(&problem);
    CHECK(sweep_figures(&problem, lambda, 400) < 1e-6);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(a_joint_that_closes_a_loop_is_swept)
{
    cairn_random random = {2};
    cairn_problem problem = cairn_problem_empty();

    for (int i = 0; i < 6; i++) {
        CHECK(cairn_problem_add_body(&problem, random_mass(&random, 2.0)) == CAIRN_OK);
        if (i > 0)
            add_ball(&problem, &random, i - 1, i);
    }

    add_ball(&problem, &random, 5, 0);
    add_contact(&problem, &random, CAIRN_WORLD_BODY, 3, cairn_friction_cone(0.5), 3);
    cairn_arena arena = {0};
    cairn_articulated* all = cairn_articulated_make(&problem, &arena);

    CHECK(all != NULL && all->loop_count == 1 && all->limb_count == 6 && all->tree_count == 1);
    cairn_arena_destroy(&arena);

    double* lambda = take_rows(&problem);
    CHECK(sweep_figures(&problem, lambda, 400) < 1e-6);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(a_law_that_is_no_cone_is_refused)
{
    cairn_random random = {2};
    cairn_problem problem = figures(&random, 4, 0, 2.0);
    cairn_friction box = {.kind = CAIRN_FRICTION_BOX, .mu = {0.5, 0.5, 0.0}};
    cairn_arena arena = {0};
    add_contact(&problem, &random, CAIRN_WORLD_BODY, 3, box, 3);
    CHECK(cairn_articulated_make(&problem, &arena) == NULL && !arena.failed);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
}
END

// every width of vectors gives the same bits
TEST(instruction_sets_agree)
{
    cairn_random random = {13};
    cairn_problem problem = figures(&random, most_bodies, 60, 100.0);
    double *lambda = take_rows(&problem), *narrow = take_rows(&problem);
    sweep_figures(&problem, lambda, 10);
    cairn_arena arena = {0};
    cairn_articulated* all = cairn_articulated_make(&problem, &arena);
    CHECK(all != NULL && cairn_articulated_factor_kernel_baseline(all));

    cairn_articulated_start(all, narrow);
    for (int k = 0; k < 10; k++)
        cairn_articulated_sweep_kernel_baseline(all);

    cairn_articulated_finish(all, narrow);
    CHECK(memcmp(lambda, narrow, (size_t)problem.row_count * sizeof *lambda) == 0);
    cairn_arena_destroy(&arena);
    free(lambda);
    free(narrow);
    cairn_problem_destroy(&problem);
}
END

TESTS(joints_are_met_after_every_sweep, sweeps_lead_to_the_law_of_contact,
      the_answer_is_that_of_the_exact_method,
      ellipses_and_spinning_friction_are_cones_of_scaled_rows, a_joint_that_closes_a_loop_is_swept,
      a_law_that_is_no_cone_is_refused, instruction_sets_agree)
