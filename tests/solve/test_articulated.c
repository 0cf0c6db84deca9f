// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps with joints eliminated: joints are met by every answer, contacts to the tolerance, and the
// answer is that of the exact methods.

#include "check_cairn.h"
#include "solve/tree/articulated.h"
#include <cairn/joint.h>
#include <cairn/random.h>
#include <cairn/solve.h>
#include <string.h>

enum { most_bodies = 80 };

// ---------------------------------------------------------------- problems

static cairn_mass random_mass(cairn_random* random, double ratio)
{
    double m = pow(ratio, cairn_random_unit(random));
    cairn_vec3 u = cairn_random_vec3(random);
    cairn_mat3 I = cairn_mat3_add(cairn_mat3_diagonal(0.1, 0.2, 0.25),
                                  (cairn_mat3){cairn_scale(0.1 * u.x, u), cairn_scale(0.1 * u.y, u),
                                               cairn_scale(0.1 * u.z, u)});
    return (cairn_mass){1.0 / m, cairn_mat3_scale(1.0 / m, cairn_mat3_inverse(I))};
}

static void add(cairn_problem* problem, cairn_random* random, cairn_block block,
                const cairn_row* rows)
{
    double b[6];
    for (int r = 0; r < block.row_count; r++)
        b[r] = 2.0 * cairn_random_unit(random) - 1.0;
    CHECK(cairn_problem_add_block(problem, &block, rows, b) == CAIRN_OK);
}

static void add_ball(cairn_problem* problem, cairn_random* random, int a, int b)
{
    cairn_row rows[3];
    cairn_ball_rows(cairn_random_vec3(random), cairn_random_vec3(random), rows);
    add(problem, random,
        (cairn_block){.kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = a, .body_b = b}, rows);
}

// a contact that approaches
static void add_contact(cairn_problem* problem, cairn_random* random, int a, int b,
                        cairn_friction friction, int count)
{
    cairn_row rows[4];
    cairn_vec3 n = cairn_normalize(cairn_random_vec3(random));
    cairn_contact_rows(n, cairn_random_vec3(random), cairn_random_vec3(random), count, rows);
    add(problem, random,
        (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                      .row_count = count,
                      .body_a = a,
                      .body_b = b,
                      .friction = friction},
        rows);
    problem->b[problem->row_count - count] = -fabs(problem->b[problem->row_count - count]);
}

// one row about an axis between neighbors: a limit, or a motor with bounds
static void add_axis(cairn_problem* problem, cairn_random* random, cairn_block_kind kind, int a,
                     int b, double strength)
{
    cairn_vec3 z = cairn_normalize(cairn_random_vec3(random));
    cairn_row row = {{0, 0, 0, -z.x, -z.y, -z.z}, {0, 0, 0, z.x, z.y, z.z}};
    add(problem, random, (cairn_block){.kind = kind, .row_count = 1, .body_a = a, .body_b = b},
        &row);
    if (kind == CAIRN_BLOCK_MOTOR)
        cairn_problem_set_bounds(problem, problem->row_count - 1, -strength, strength);
}

// trees of ball joints, some held by the world, with contacts to the world and between each other
static cairn_problem figures(cairn_random* random, int bodies, int contacts, double ratio)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < bodies; i++) {
        CHECK(cairn_problem_add_body(&problem, random_mass(random, ratio)) == CAIRN_OK);
        int other = (int)cairn_random_index(random, i + 1) - 1;
        bool turned = other >= 0 && cairn_random_index(random, 2);
        if (i % 9 != 0)
            add_ball(&problem, random, turned ? i : other, turned ? other : i);
        if (other >= 0 && i % 5 == 1)
            add_axis(&problem, random, CAIRN_BLOCK_LIMIT, other, i, 0.0);
        if (other >= 0 && i % 5 == 2)
            add_axis(&problem, random, CAIRN_BLOCK_MOTOR, other, i, 0.05);
    }
    for (int c = 0; c < contacts; c++) {
        int a = (int)cairn_random_index(random, bodies + 1) - 1;
        int b = (int)cairn_random_index(random, bodies);
        if (a != b)
            add_contact(&problem, random, a, b, cairn_friction_cone(0.6), 3);
    }
    return problem;
}

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

static double* take_rows(const cairn_problem* problem)
{
    return calloc((size_t)problem->row_count + 1, sizeof(double));
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
