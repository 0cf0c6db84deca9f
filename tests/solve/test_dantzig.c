// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dantzig's method without friction: contacts, limits, motors, joints, both forms of A.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <string.h>

enum { most_rows = 512 };

static cairn_report solve_by(const char* method, double* lambda, const cairn_problem* problem,
                             double tolerance)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error = {""};
    def.method = method;
    def.tolerance = tolerance;
    CHECK(problem->row_count <= most_rows);
    ck_assert_msg(cairn_solve(problem, &def, lambda, &report, &error) == CAIRN_OK, "%s",
                  error.text);
    return report;
}

static cairn_report solve(double* lambda, const cairn_problem* problem)
{
    return solve_by("dantzig", lambda, problem, 1e-8);
}

static cairn_mass unit_box(void)
{
    return (cairn_mass){1.0, cairn_mat3_diagonal(6.0, 6.0, 6.0)};
}

// a row that pushes body b along e at r from its center, against the world
static cairn_row push_row(cairn_vec3 e, cairn_vec3 r)
{
    cairn_vec3 t = cairn_cross(r, e);
    return (cairn_row){.b = {e.x, e.y, e.z, t.x, t.y, t.z}};
}

static void add_row(cairn_problem* problem, cairn_block_kind kind, int body, cairn_row row,
                    double b)
{
    cairn_block block = {.kind = kind, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = body};
    CHECK(cairn_problem_add_block(problem, &block, &row, &b) == CAIRN_OK);
}

TEST(a_block_on_four_points_is_carried_by_its_weight_in_any_split)
{
    cairn_problem problem = cairn_problem_empty();
    double lambda[4], v[4], sum = 0.0;
    cairn_problem_add_body(&problem, unit_box());

    for (int c = 0; c < 4; c++) {
        cairn_vec3 r = cairn_vec(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.5);
        add_row(&problem, CAIRN_BLOCK_CONTACT, 0, push_row(cairn_vec(0.0, 0.0, 1.0), r), -0.0981);
    }

    cairn_report report = solve(lambda, &problem);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);

    cairn_problem_velocity(&problem, lambda, v);
    for (int c = 0; c < 4; c++) {
        CHECK(lambda[c] >= 0.0);
        CHECK_NEAR(v[c], 0.0, 1e-15);
        sum += lambda[c];
    }
    CHECK_NEAR(sum, 0.0981, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(redundant_contacts_are_solved_to_round_off_in_few_pivots)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem problem;
        double lambda[most_rows];
        def.seed = seed;
        def.width = 1 + (int)(seed % 5);
        def.height = 4 + (int)(seed % 23);
        def.deficiency = def.height / 3;
        def.mu = 0.0;
        CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
        cairn_report report = solve(lambda, &problem);

        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.residual.relative, 1e-9);
        CHECK_BELOW(report.pivots, 3.0 * problem.row_count);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(velocities_agree_with_gauss_seidel_where_they_are_unique)
{
    // without friction the velocities are those of the least kinetic energy
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem problem;
        double lambda[most_rows], other[most_rows], v[most_rows], w[most_rows];
        def.seed = seed;
        def.width = 3;
        def.height = 8;
        def.mu = 0.0;
        CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);

        CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(solve_by("pgs", other, &problem, 1e-10).outcome == CAIRN_OUTCOME_CONVERGED);

        double scale = 0.0;
        cairn_problem_velocity(&problem, lambda, v);
        cairn_problem_velocity(&problem, other, w);

        for (int i = 0; i < problem.row_count; i++)
            scale = fmax(scale, fabs(problem.b[i]));

        // the error in velocity of an approximate minimum goes with the root of its residual
        for (int i = 0; i < problem.row_count; i++)
            CHECK_NEAR(v[i], w[i], 1e-6 * scale);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(both_forms_of_A_give_the_same_velocities)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem problem, form;
        double lambda[most_rows], other[most_rows], v[most_rows], w[most_rows];
        def.seed = seed;
        def.width = 4;
        def.height = 12;
        def.deficiency = 3;
        def.mu = seed % 2 ? 0.0 : 0.3;
        CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
        CHECK(cairn_problem_explicit(&problem, &form, NULL) == CAIRN_OK);

        CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(solve(other, &form).outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&problem, lambda, v);
        cairn_problem_velocity(&form, other, w);

        for (int c = 0; c < problem.block_count && def.mu == 0.0; c++)
            CHECK_NEAR(v[problem.blocks[c].row], w[form.blocks[c].row], 1e-9);

        // with friction velocities may differ, but each answer solves the other form as well
        cairn_residual one, another;
        CHECK(cairn_problem_residual(&form, lambda, CAIRN_LAW_AS_GIVEN, 0, &one) == CAIRN_OK);
        CHECK(cairn_problem_residual(&problem, other, CAIRN_LAW_AS_GIVEN, 0, &another) == CAIRN_OK);

        CHECK_BELOW(one.relative, 1e-8);
        CHECK_BELOW(another.relative, 1e-8);
        cairn_problem_destroy(&form);
        cairn_problem_destroy(&problem);
    }
}
END

// soft rows and rigid ones
TEST(a_few_rows_whose_matrix_is_formed_give_the_velocities_of_many)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem few, many;
        double lambda[most_rows], other[most_rows], v[most_rows], w[most_rows];
        def.seed = seed;
        def.width = 3;
        def.height = 8;
        def.deficiency = 3;
        def.mu = 0.0;
        CHECK(cairn_generate(&def, &few, NULL) == CAIRN_OK);
        CHECK(cairn_generate(&def, &many, NULL) == CAIRN_OK);
        int rows = few.row_count;

        // the same and a crowd of others apart from it, too many for one matrix
        for (int k = 0; k < 30; k++) {
            int body = many.body_count;
            cairn_problem_add_body(&many, unit_box());
            add_row(&many, CAIRN_BLOCK_LIMIT, body,
                    push_row(cairn_vec(1.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0)), -1.0);
        }

        few.compliance = calloc((size_t)rows, sizeof(double));
        many.compliance = calloc((size_t)many.row_count, sizeof(double));

        for (int i = 0; i < rows && seed % 2; i++)
            few.compliance[i] = many.compliance[i] = 1e-3 * i;

        CHECK(solve(lambda, &few).outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(solve(other, &many).outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&few, lambda, v);
        cairn_problem_velocity(&many, other, w);

        for (int i = 0; i < rows; i++)
            CHECK_NEAR(v[i], w[i], 1e-9);
        for (int i = rows; i < many.row_count; i++)
            CHECK_NEAR(other[i], 1.0, 1e-12);
        cairn_problem_destroy(&few);
        cairn_problem_destroy(&many);
    }
}
END

TEST(a_motor_reaches_its_speed_or_its_bound)
{
    // a mass moving at 1 m/s whose motor wants rest: 1 N s is needed
    static const double bound[4][2] = {{-2.0, 2.0}, {-0.4, 0.4}, {0.25, 3.0}, {-3.0, -0.25}};
    static const double expected[4] = {-1.0, -0.4, 0.25, -1.0};

    for (int k = 0; k < 4; k++) {
        cairn_problem problem = cairn_problem_empty();
        double lambda[1];
        cairn_problem_add_body(&problem, unit_box());
        add_row(&problem, CAIRN_BLOCK_MOTOR, 0,
                push_row(cairn_vec(1.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0)), 1.0);
        cairn_problem_set_bounds(&problem, 0, bound[k][0], bound[k][1]);
        CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_NEAR(lambda[0], expected[k], 1e-15);
        cairn_problem_destroy(&problem);
    }
}
END

// a body on a floor, hinged to the world with one redundant row, turned by a weak motor into a
// limit
static cairn_problem mechanism(double torque)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_vec3 x = cairn_vec(1.0, 0.0, 0.0), z = cairn_vec(0.0, 0.0, 1.0);
    cairn_vec3 pin = cairn_vec(-0.5, 0.0, 0.0), zero = cairn_vec(0.0, 0.0, 0.0);
    cairn_row turn = {.b = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0}};
    cairn_problem_add_body(&problem, unit_box());
    cairn_row rows[3] = {push_row(x, pin), push_row(z, pin), push_row(x, pin)};
    double b[3] = {0.3, -0.2, 0.3};
    cairn_block joint = {
        .kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = CAIRN_WORLD_BODY, .body_b = 0};
    cairn_problem_add_block(&problem, &joint, rows, b);
    add_row(&problem, CAIRN_BLOCK_MOTOR, 0, turn, -2.0);
    cairn_problem_set_bounds(&problem, 3, -torque, torque);
    add_row(&problem, CAIRN_BLOCK_LIMIT, 0, turn, -0.5);
    add_row(&problem, CAIRN_BLOCK_CONTACT, 0, push_row(z, cairn_vec(0.5, 0.0, -0.5)), 0.9);
    add_row(&problem, CAIRN_BLOCK_VELOCITY, 0, push_row(cairn_vec(0.0, 1.0, 0.0), zero), 0.1);
    return problem;
}

TEST(joints_limits_motors_contacts_and_velocity_rows_are_solved_together)
{
    for (int k = 0; k < 8; k++) {
        cairn_problem problem = mechanism(0.05 * k);
        double lambda[8], v[8];
        cairn_report report = solve(lambda, &problem);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.residual.relative, 1e-13);
        cairn_problem_velocity(&problem, lambda, v);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(v[i], 0.0, 1e-14);
        CHECK_NEAR(v[6], 0.0, 1e-14);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_warm_start_with_the_answer_needs_almost_no_pivots)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_generate_def generate = cairn_default_generate_def("random");
        cairn_solve_def def = cairn_default_solve_def();
        cairn_problem problem;
        cairn_report cold, warm;
        double lambda[most_rows], again[most_rows];
        generate.seed = seed;
        generate.width = 5;
        generate.height = 30;
        generate.mu = seed % 2 ? 0.0 : 0.3;
        def.method = "dantzig";
        def.warm_start = true;
        CHECK(cairn_generate(&generate, &problem, NULL) == CAIRN_OK);

        free(problem.warm);
        problem.warm = NULL;
        CHECK(cairn_solve(&problem, &def, lambda, &cold, NULL) == CAIRN_OK);
        CHECK(cold.outcome == CAIRN_OUTCOME_CONVERGED);

        problem.warm = malloc((size_t)problem.row_count * sizeof(double));
        memcpy(problem.warm, lambda, (size_t)problem.row_count * sizeof(double));

        CHECK(cairn_solve(&problem, &def, again, &warm, NULL) == CAIRN_OK);
        CHECK(warm.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(warm.pivots, cold.pivots > 0 ? cold.pivots / 4 + 2 : 0);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(walls_that_close_on_a_rigid_block_have_no_solution_and_a_ray_proves_it)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_vec3 x = cairn_vec(1.0, 0.0, 0.0), zero = cairn_vec(0.0, 0.0, 0.0);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    double lambda[2], ray[2], effect[2];
    cairn_problem_add_body(&problem, unit_box());
    add_row(&problem, CAIRN_BLOCK_CONTACT, 0, push_row(x, zero), -1.0);
    add_row(&problem, CAIRN_BLOCK_CONTACT, 0, push_row(cairn_neg(x), zero), -1.0);
    def.method = "dantzig";
    def.ray = ray;

    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_NO_SOLUTION);

    // Farkas: z >= 0, A z = 0, b·z < 0
    CHECK(ray[0] >= 0.0 && ray[1] >= 0.0);
    CHECK(problem.b[0] * ray[0] + problem.b[1] * ray[1] < 0.0);

    cairn_problem_velocity(&problem, ray, effect);
    CHECK_NEAR(effect[0], problem.b[0], 1e-15);
    CHECK_NEAR(effect[1], problem.b[1], 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(an_unsymmetric_A_is_solved_or_not_called_solved)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem problem, form;
        double lambda[most_rows];
        def.seed = seed;
        def.width = 3;
        def.height = 8;
        def.mu = 0.3;
        CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
        CHECK(cairn_problem_explicit(&problem, &form, NULL) == CAIRN_OK);

        // the last digits, then one part in a hundred
        double change = seed <= 20 ? 1e-14 : 1e-2;

        for (int k = 0; k < 9 * form.A->row_begin[form.A->n]; k++)
            form.A->value[k] *= 1.0 + change * ((k * 7 + 3) % 11 - 5) / 5.0;

        cairn_report report = solve(lambda, &form);
        cairn_residual residual;
        cairn_problem_residual(&form, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual);

        CHECK((report.outcome == CAIRN_OUTCOME_CONVERGED) == (residual.relative <= 1e-8));
        if (seed <= 20)
            CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        cairn_problem_destroy(&form);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(nothing_to_solve_is_solved_at_once)
{
    cairn_problem problem = cairn_problem_empty();
    double lambda[3] = {7.0, 7.0, 7.0};
    CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);

    // a contact between immovable things that separate
    cairn_mass wall = {0.0, cairn_mat3_diagonal(0.0, 0.0, 0.0)};
    cairn_problem_add_body(&problem, wall);
    add_row(&problem, CAIRN_BLOCK_CONTACT, 0,
            push_row(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 0.0)), 1.0);
    CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK_NEAR(lambda[0], 0.0, 0.0);
    cairn_problem_destroy(&problem);
}
END

TESTS(a_block_on_four_points_is_carried_by_its_weight_in_any_split,
      redundant_contacts_are_solved_to_round_off_in_few_pivots,
      velocities_agree_with_gauss_seidel_where_they_are_unique,
      both_forms_of_A_give_the_same_velocities,
      a_few_rows_whose_matrix_is_formed_give_the_velocities_of_many,
      a_motor_reaches_its_speed_or_its_bound,
      joints_limits_motors_contacts_and_velocity_rows_are_solved_together,
      a_warm_start_with_the_answer_needs_almost_no_pivots,
      walls_that_close_on_a_rigid_block_have_no_solution_and_a_ray_proves_it,
      an_unsymmetric_A_is_solved_or_not_called_solved, nothing_to_solve_is_solved_at_once)
