// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "solve/statics.h"
#include <cairn/cairn.h>
#include <string.h>

static const double fall = -9.81 / 60.0; // m/s gained in one frame

// b = J v: nothing but gravity acts
static void fall_freely(cairn_problem* problem, const double* v)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            problem->b[i] = 0.0;
            for (int k = 0; k < 6; k++) {
                if (block->body_a != CAIRN_WORLD_BODY)
                    problem->b[i] += problem->rows[i].a[k] * v[6 * block->body_a + k];
                if (block->body_b != CAIRN_WORLD_BODY)
                    problem->b[i] += problem->rows[i].b[k] * v[6 * block->body_b + k];
            }
        }
    }
}

// tries to rest a generated pile under gravity, all its bodies at a speed upwards (m/s); the
// residual in m/s
static double rest_rising(const char* kind, int width, int height, double mass_ratio, double speed)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_arena arena = {0};
    double residual;
    def.width = width;
    def.height = def.size = height;
    def.mass_ratio = mass_ratio;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    double* lambda = malloc((size_t)problem.row_count * sizeof(double));
    double* gap = calloc((size_t)problem.block_count, sizeof(double));
    double* v = calloc(6 * (size_t)problem.body_count, sizeof(double));

    for (int i = 0; i < problem.body_count; i++)
        v[6 * i + 2] = speed + fall;

    fall_freely(&problem, v);
    CHECK(cairn_statics_attempt(lambda, &residual, &problem, &(cairn_statics_input){v, gap, 5e-4},
                                &arena) == CAIRN_OK);
    free(lambda);
    free(gap);
    free(v);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
    return residual;
}

static double rest(const char* kind, int width, int height, double mass_ratio)
{
    return rest_rising(kind, width, height, mass_ratio, 0.0);
}

TEST(walls_at_rest_are_certified_in_one_pass)
{
    CHECK_BELOW(rest("wall", 10, 10, 1.0), 1e-6);
    CHECK_BELOW(rest("wall", 32, 32, 1.0), 1e-6);
}
END

TEST(a_column_of_thirty_and_a_heavy_top_are_certified_in_one_pass)
{
    CHECK_BELOW(rest("massratio", 0, 30, 1.0), 1e-6);
    CHECK_BELOW(rest("massratio", 0, 10, 10000.0), 1e-5);
}
END

TEST(a_wall_that_rises_is_given_up_at_its_first_brick)
{
    // contacts push and do not pull: nothing stops it
    CHECK(isinf(rest_rising("wall", 10, 10, 1.0, 0.3)));
    CHECK_BELOW(rest_rising("wall", 10, 10, 1.0, -0.3), 1e-6);
}
END

// the spin of a plank on one support after an accepted pass, its center `overhang` meters
// outside
static double plank_spin(double overhang)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_mass body = {1.0, cairn_mat3_diagonal(1.0, 1.0, 1.0)};
    double v[6] = {0.0, 0.0, fall, 0.0, 0.0, 0.0}, gap[4] = {0.0}, lambda[12], change[6], residual;
    cairn_arena arena = {0};
    cairn_problem_add_body(&problem, body);

    // four contacts at the end of the plank that lies on the support
    for (int k = 0; k < 4; k++) {
        cairn_row rows[3];
        cairn_vec3 r = cairn_vec(k % 2 ? -overhang : -overhang - 0.4, k < 2 ? 0.1 : -0.1, -0.1);
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = CAIRN_WORLD_BODY,
                             .body_b = 0,
                             .friction = cairn_friction_cone(0.5)};
        double b[3] = {fall, 0.0, 0.0};
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 0.0), r, 3, rows);
        cairn_problem_add_block(&problem, &block, rows, b);
    }

    CHECK(cairn_statics_attempt(lambda, &residual, &problem, &(cairn_statics_input){v, gap, 5e-4},
                                &arena) == CAIRN_OK);
    cairn_problem_body_velocity(&problem, lambda, change);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
    return residual < 1e-4 ? change[4] : INFINITY;
}

TEST(the_pass_holds_a_plank_that_lies_safely_and_does_not_glue_one_that_hangs_over)
{
    CHECK_NEAR(plank_spin(-0.02), 0.0, 1e-6);
    CHECK(plank_spin(0.02) > 1e-3); // tips, or was refused
}
END

// the method on a generated problem, from b alone; `report` tells how it ended
static cairn_status solve(const char* kind, int width, int height, cairn_report* report,
                          cairn_error* error)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_solve_def options = cairn_default_solve_def();
    def.width = width;
    def.height = def.size = height;
    options.method = "statics";
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    cairn_status status = cairn_solve(&problem, &options, lambda, report, error);
    free(lambda);
    cairn_problem_destroy(&problem);
    return status;
}

TEST(a_problem_of_a_pile_at_rest_is_solved_from_its_b_alone)
{
    cairn_report report;
    CHECK(solve("wall", 10, 10, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    ck_assert_str_eq(report.method, "statics");
    CHECK(solve("massratio", 0, 20, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
}
END

TEST(where_statics_does_not_apply_it_says_why)
{
    cairn_report report;
    cairn_error error = {""};

    // joints
    CHECK(solve("chain", 0, 5, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "contacts alone") != NULL);

    // a heap that moves
    CHECK(solve("heap", 0, 60, &report, &error) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT);
    CHECK(strstr(report.note, "statics does not apply") != NULL);
}
END

TESTS(a_problem_of_a_pile_at_rest_is_solved_from_its_b_alone,
      where_statics_does_not_apply_it_says_why, walls_at_rest_are_certified_in_one_pass,
      a_column_of_thirty_and_a_heavy_top_are_certified_in_one_pass,
      a_wall_that_rises_is_given_up_at_its_first_brick,
      the_pass_holds_a_plank_that_lies_safely_and_does_not_glue_one_that_hangs_over)
