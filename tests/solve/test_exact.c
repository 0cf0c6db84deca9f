// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "exact_case.h"
#include <cairn/random.h>

// solves to 1e-8 by both measures and returns the number of factorizations
static int solve_strictly(const cairn_problem* problem)
{
    double* lambda = room(problem);
    cairn_solve_def def = strict();
    cairn_report report = solve(lambda, problem, &def);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    CHECK_BELOW(report.residual.relative, 1e-8);
    CHECK_BELOW(report.residual.fclib_relative, 1e-8);
    free(lambda);
    return report.factorizations;
}

static double velocity_difference(const cairn_problem* problem, const double* a, const double* b)
{
    double *u = room(problem), *v = room(problem), worst = 0.0, scale = 0.0;
    cairn_problem_velocity(problem, a, u);
    cairn_problem_velocity(problem, b, v);
    for (int i = 0; i < problem->row_count; i++) {
        worst = fmax(worst, fabs(u[i] - v[i]));
        scale = fmax(scale, fabs(problem->b[i]));
    }
    free(u);
    free(v);
    return worst / scale;
}

TEST(a_stack_ten_high_bears_a_million_times_its_weight_in_twenty_factorizations)
{
    const double mass[4] = {1.0, 1e2, 1e4, 1e6};
    for (int i = 0; i < 4; i++) {
        cairn_problem problem = make("massratio", 10, 0.6, mass[i], 0.0);
        ck_assert_int_le(solve_strictly(&problem), 20);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(tall_stacks_with_heavy_tops_are_solved_too)
{
    for (int height = 20; height <= 30; height += 10)
        for (int k = 4; k <= 6; k += 2) {
            cairn_problem problem = make("massratio", height, 0.6, pow(10.0, k), 0.0);
            ck_assert_int_le(solve_strictly(&problem), 25);
            cairn_problem_destroy(&problem);
        }
}
END

TEST(walls_at_rest_hit_and_slippery_are_solved)
{
    const double mu[6] = {0.6, 0.2, 0.5, 0.8, 0.0, 5.0}, hit[6] = {0.0, 3.0, 1.0, 5.0, 1.0, 1.0};
    for (int i = 0; i < 6; i++) {
        cairn_problem problem = make("wall", 5, mu[i], 1.0, hit[i]);
        solve_strictly(&problem);
        cairn_problem_destroy(&problem);
    }
}
END

static cairn_problem make_seeded(const char* kind, int size, double mu, uint64_t seed)
{
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_problem problem;
    cairn_error error;
    def.size = size;
    def.mu = mu;
    def.seed = seed;
    ck_assert_msg(cairn_generate(&def, &problem, &error) == CAIRN_OK, "%s", error.text);
    return problem;
}

// b += J v with the same velocity for all bodies
static void push(cairn_problem* problem, double speed)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            if (block->body_a != CAIRN_WORLD_BODY)
                problem->b[i] += speed * (problem->rows[i].a[0] + 0.2 * problem->rows[i].a[1]);
            if (block->body_b != CAIRN_WORLD_BODY)
                problem->b[i] += speed * (problem->rows[i].b[0] + 0.2 * problem->rows[i].b[1]);
        }
    }
}

TEST(walls_whose_bricks_all_move_seldom_take_more_than_sixty_factorizations)
{
    // one in ten may meet a point where the barrier would have to rise again
    int walls = 0, costly = 0;
    for (int side = 5; side <= CHECK_FEWER(8, 6); side++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            cairn_problem problem = make("wall", side, 0.1 + 0.1 * (double)seed, 1.0, 0.0);
            stir(&problem, 0.2, seed);
            costly += solve_strictly(&problem) > 60;
            walls++;
            cairn_problem_destroy(&problem);
        }
    ck_assert_int_le(10 * costly, walls);
}
END

TEST(walls_that_slide_take_tens_of_factorizations)
{
    const double mu[3] = {0.2, 0.5, 0.8};
    for (int i = 0; i < 3; i++) {
        cairn_problem problem = make("wall", 5, mu[i], 1.0, 0.0);
        push(&problem, 0.2);
        ck_assert_int_le(solve_strictly(&problem), 99);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(rough_heaps_that_are_shaken_or_thrown_at_a_wall_take_few_factorizations)
{
    // hardly a pressed contact slides: the convex problem has the answer, in one run of interior
    // points of at most 20 iterations
    for (uint64_t seed = 1; seed <= (CHECK_SLOW_BUILD ? 1 : 4); seed++) {
        cairn_problem problem = make("heap", 200, 0.6 + 0.1 * (double)(seed - 1), 1.0, 0.0);
        stir(&problem, seed % 2 == 0 ? 1.0 : 0.2, seed);
        ck_assert_int_le(solve_strictly(&problem), 20);
        cairn_problem_destroy(&problem);
    }
    cairn_problem problem = make("heap", 200, 0.9, 1.0, 0.0);
    push(&problem, 0.2);
    ck_assert_int_le(solve_strictly(&problem), 20);
    cairn_problem_destroy(&problem);
}
END

TEST(heaps_that_lock_while_they_are_thrown_take_at_most_forty_factorizations)
{
    // friction locks these heaps between the walls of their box, but only once impulses are far
    // above those of the start: the cones cut the steps towards them short
    const uint64_t seed[4] = {21, 31, 31, 11};
    for (int i = 0; i < (CHECK_SLOW_BUILD ? 1 : 4); i++) {
        cairn_problem problem = make_seeded("heap", 200, 0.5, seed[i]);
        if (i < 2)
            push(&problem, 0.2);
        else
            stir(&problem, 1.0, seed[i]);
        ck_assert_int_le(solve_strictly(&problem), 40);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(complete_factors_go_on_where_interior_points_of_incomplete_ones_ended)
{
    // incomplete factors fail after both interior points: 25 factorizations that are not made again
    cairn_problem problem = make("heap", CHECK_FEWER(160, 60), 0.9, 1.0, 0.0);
    push(&problem, 1.0);
    ck_assert_int_le(solve_strictly(&problem), 220);
    cairn_problem_destroy(&problem);
}
END

TEST(heaps_of_spheres_are_solved_by_factors_and_by_iteration)
{
    const int size[2] = {60, 300};
    for (int i = 0; i < (CHECK_SLOW_BUILD ? 1 : 2); i++) {
        cairn_problem problem = make("heap", size[i], 0.5, 1.0, 0.0);
        ck_assert_int_le(solve_strictly(&problem), 20);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(an_explicit_matrix_gives_the_velocities_of_the_bodies)
{
    // at rest, so that the velocities are unique although the impulses are not
    cairn_problem problem = make("wall", 4, 0.6, 1.0, 0.0), form;
    cairn_error error;
    ck_assert_int_eq(cairn_problem_explicit(&problem, &form, &error), CAIRN_OK);

    double *a = room(&problem), *b = room(&problem);
    cairn_solve_def def = strict();
    def.tolerance = 1e-10;

    ck_assert_int_eq(solve(a, &problem, &def).outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_int_eq(solve(b, &form, &def).outcome, CAIRN_OUTCOME_CONVERGED);
    CHECK_BELOW(velocity_difference(&problem, a, b), 1e-8);
    free(a);
    free(b);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&form);
}
END

TEST(other_methods_find_the_same_velocities)
{
    // little friction and few contacts per body: the solution is unique
    static const char* const others[] = {"dantzig", "prox", "gauss-seidel", "pgs"};

    for (uint64_t seed = 1; seed <= 4; seed++) {
        cairn_generate_def generate = cairn_default_generate_def("random");
        cairn_problem problem;
        cairn_error error;
        generate.width = 6;
        generate.height = 9;
        generate.mu = 0.2;
        generate.seed = seed;
        ck_assert_int_eq(cairn_generate(&generate, &problem, &error), CAIRN_OK);

        double *a = room(&problem), *b = room(&problem);
        cairn_solve_def def = strict();
        def.tolerance = 1e-10;

        ck_assert_int_eq(solve(a, &problem, &def).outcome, CAIRN_OUTCOME_CONVERGED);
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            def.method = others[k];
            cairn_report report = solve(b, &problem, &def);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %g", others[k],
                          report.residual.relative);

            // residuals of 1e-10 times the condition of A
            CHECK_BELOW(velocity_difference(&problem, a, b), 1e-7);
        }
        free(a);
        free(b);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(fine_facets_of_lemke_come_near)
{
    cairn_generate_def generate = cairn_default_generate_def("random");
    cairn_problem problem;
    cairn_error error;
    generate.width = 4;
    generate.height = 5;
    generate.mu = 0.2;
    ck_assert_int_eq(cairn_generate(&generate, &problem, &error), CAIRN_OK);

    double *a = room(&problem), *b = room(&problem);
    cairn_solve_def def = strict();
    solve(a, &problem, &def);
    def.method = "lemke";
    def.fclib = false;
    def.facets = 64;
    solve(b, &problem, &def);

    // a polygon of 64 corners is within 1 - cos(π/64) = 1.2e-3 of the circle, and its corners
    // within π/64 = 5e-2 of any direction
    CHECK_BELOW(velocity_difference(&problem, a, b), 5e-2 * 0.2);
    free(a);
    free(b);
    cairn_problem_destroy(&problem);
}
END

TEST(masses_and_time_steps_scale_the_answer_and_nothing_else)
{
    // powers of four, so that the scaled numbers are the same bits
    const double mass = 0x1p20, speed = 0x1p-10;
    cairn_problem problem = make("wall", 4, 0.6, 1.0, 2.0), scaled;
    ck_assert_int_eq(cairn_problem_copy(&problem, &scaled), CAIRN_OK);

    for (int i = 0; i < scaled.body_count; i++) {
        scaled.bodies[i].inverse_mass /= mass;
        scaled.bodies[i].inverse_inertia =
            cairn_mat3_scale(1.0 / mass, scaled.bodies[i].inverse_inertia);
    }

    for (int i = 0; i < scaled.row_count; i++)
        scaled.b[i] *= speed;

    double *a = room(&problem), *b = room(&problem);
    cairn_solve_def def = strict();
    def.fclib = false;
    cairn_report first = solve(a, &problem, &def), second = solve(b, &scaled, &def);

    ck_assert_int_eq(first.factorizations, second.factorizations);
    for (int i = 0; i < problem.row_count; i++)
        CHECK_NEAR(b[i], mass * speed * a[i], 0.0);
    free(a);
    free(b);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&scaled);
}
END

TEST(any_limit_returns_impulses_inside_the_cones_that_are_no_worse_than_none)
{
    cairn_problem problem = make("wall", 5, 0.5, 1.0, 3.0);
    double* lambda = room(&problem);
    cairn_residual none;
    cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &none);

    for (int limit = 0; limit <= 8; limit++) {
        cairn_solve_def def = strict();
        def.tolerance = 0.0;
        def.max_iterations = limit;
        def.time_limit = limit == 0 ? 1e-6 : 0.0;
        cairn_report report = solve(lambda, &problem, &def);
        ck_assert_int_eq(report.outcome,
                         limit == 0 ? CAIRN_OUTCOME_TIME_LIMIT : CAIRN_OUTCOME_ITERATION_LIMIT);
        ck_assert_int_le(report.factorizations, limit);
        CHECK_BELOW(report.residual.relative, none.relative);
        for (int i = 0; i < problem.row_count; i += 3)
            CHECK_BELOW(hypot(lambda[i + 1], lambda[i + 2]), 0.5 * lambda[i] * (1.0 + 1e-12));
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(after_a_change_of_one_per_cent_ten_factorizations_suffice)
{
    static const struct {
        const char* kind;
        int size;
        double hit;
    } cases[] = {{"massratio", 10, 0.0}, {"wall", 5, 0.0}, {"wall", 5, 3.0}, {"heap", 60, 0.0}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cairn_problem problem = make(cases[k].kind, cases[k].size, 0.6, 1.0, cases[k].hit);
        double *lambda = room(&problem), *noise = room(&problem), *change = room(&problem);
        cairn_solve_def def = strict();
        cairn_random random = {5};
        solve(lambda, &problem, &def);

        // q changes by A (1 % of noise on λ), so that it stays in the range of A
        for (int i = 0; i < problem.row_count; i++)
            noise[i] = 0.01 * cairn_random_range(&random, -1.0, 1.0) * lambda[i];

        cairn_problem_velocity(&problem, noise, change);
        memcpy(problem.b, change, (size_t)problem.row_count * sizeof(double));
        problem.warm = calloc((size_t)problem.row_count, sizeof(double));
        memcpy(problem.warm, lambda, (size_t)problem.row_count * sizeof(double));
        def.warm_start = true;
        cairn_report report = solve(lambda, &problem, &def);

        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        ck_assert_int_le(report.factorizations, 10);
        free(lambda);
        free(noise);
        free(change);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_workspace_changes_no_bit_and_serves_any_pattern)
{
    cairn_problem problems[3] = {make("wall", 4, 0.6, 1.0, 1.0), make("wall", 4, 0.6, 1.0, 2.0),
                                 make("heap", 30, 0.5, 1.0, 0.0)};
    cairn_solve_def def = strict();
    cairn_workspace* workspace = cairn_workspace_create();

    for (int round = 0; round < 6; round++) {
        const cairn_problem* problem = &problems[round % 3];
        double *a = room(problem), *b = room(problem);
        def.workspace = NULL;
        solve(a, problem, &def);
        def.workspace = workspace;
        solve(b, problem, &def);
        ck_assert_mem_eq(a, b, (size_t)problem->row_count * sizeof(double));
        free(a);
        free(b);
    }
    cairn_workspace_destroy(workspace);

    for (int i = 0; i < 3; i++)
        cairn_problem_destroy(&problems[i]);
}
END

TEST(nothing_to_do_is_done_at_once)
{
    cairn_problem empty = cairn_problem_empty();
    double lambda[1];
    cairn_solve_def def = strict();
    ck_assert_int_eq(solve(lambda, &empty, &def).outcome, CAIRN_OUTCOME_CONVERGED);

    // all take off, and b = 0
    for (int i = 0; i < 2; i++) {
        cairn_problem problem = make("wall", 3, 0.6, 1.0, 0.0);
        double* r = room(&problem);
        for (int k = 0; k < problem.row_count; k++)
            problem.b[k] = i == 0 && k % 3 == 0 ? 1.0 : 0.0;
        cairn_report report = solve(r, &problem, &def);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        ck_assert_int_eq(report.iterations, 0);
        for (int k = 0; k < problem.row_count; k++)
            CHECK_NEAR(r[k], 0.0, 0.0);
        free(r);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(contacts_that_repeat_others_and_contacts_without_friction_do_no_harm)
{
    for (int deficiency = 0; deficiency <= 12; deficiency += 6) {
        cairn_generate_def generate = cairn_default_generate_def("random");
        cairn_problem problem;
        cairn_error error;
        generate.width = 8;
        generate.height = 24;
        generate.mu = 0.4;
        generate.deficiency = deficiency;
        ck_assert_int_eq(cairn_generate(&generate, &problem, &error), CAIRN_OK);

        for (int c = 0; c < problem.block_count; c += 3)
            problem.blocks[c].friction = cairn_friction_cone(0.0);

        solve_strictly(&problem);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(velocities_that_contradict_each_other_need_compliance_and_are_not_called_solved)
{
    // four contacts of one rigid face cannot have four arbitrary normal velocities
    cairn_problem problem = make("massratio", 1, 0.5, 1.0, 0.0);
    double* lambda = room(&problem);
    cairn_solve_def def = strict();

    for (int i = 0; i < problem.row_count; i += 3)
        problem.b[i] -= 0.01 * (i / 3 % 2 ? 1.0 : -1.0) * (i < 6 ? 1.0 : -1.0);

    cairn_report report = solve(lambda, &problem, &def);
    ck_assert_int_eq(report.outcome == CAIRN_OUTCOME_CONVERGED,
                     report.residual.fclib_relative <= 1e-8);

    // compliance makes A regular: now there is a solution
    problem.compliance = calloc((size_t)problem.row_count, sizeof(double));

    for (int i = 0; i < problem.row_count; i++)
        problem.compliance[i] = 1e-3;

    report = solve(lambda, &problem, &def);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TESTS(a_stack_ten_high_bears_a_million_times_its_weight_in_twenty_factorizations,
      tall_stacks_with_heavy_tops_are_solved_too, walls_at_rest_hit_and_slippery_are_solved,
      walls_whose_bricks_all_move_seldom_take_more_than_sixty_factorizations,
      walls_that_slide_take_tens_of_factorizations,
      rough_heaps_that_are_shaken_or_thrown_at_a_wall_take_few_factorizations,
      heaps_that_lock_while_they_are_thrown_take_at_most_forty_factorizations,
      complete_factors_go_on_where_interior_points_of_incomplete_ones_ended,
      heaps_of_spheres_are_solved_by_factors_and_by_iteration,
      an_explicit_matrix_gives_the_velocities_of_the_bodies, other_methods_find_the_same_velocities,
      fine_facets_of_lemke_come_near, masses_and_time_steps_scale_the_answer_and_nothing_else,
      any_limit_returns_impulses_inside_the_cones_that_are_no_worse_than_none,
      after_a_change_of_one_per_cent_ten_factorizations_suffice,
      a_workspace_changes_no_bit_and_serves_any_pattern, nothing_to_do_is_done_at_once,
      contacts_that_repeat_others_and_contacts_without_friction_do_no_harm,
      velocities_that_contradict_each_other_need_compliance_and_are_not_called_solved)
