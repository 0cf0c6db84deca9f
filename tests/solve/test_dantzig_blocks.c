// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Pivoting many contacts with friction: walls and heaps at rest and in slow motion are solved by
// pivoting alone, after a counted number of systems.

#include "exact_case.h"

// more than any of these needs, and 0.2 s of one processor at most
enum { most_systems = 120 };

static cairn_solve_def by_pivoting(void)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "dantzig";
    return def;
}

// solved, by nothing but pivoting
static cairn_report check_pivoted(const cairn_problem* problem, const char* what)
{
    double* lambda = room(problem);
    cairn_solve_def def = by_pivoting();
    cairn_report report = solve(lambda, problem, &def);
    cairn_residual residual;
    cairn_problem_residual(problem, lambda, CAIRN_LAW_COULOMB, 8, &residual);

    ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED && residual.relative <= 1e-8,
                  "%s: %s, %g", what, cairn_outcome_name(report.outcome), residual.relative);
    ck_assert_msg(report.rescued_by == NULL, "%s: rescued by %s", what, report.rescued_by);
    ck_assert_str_eq(report.method, "dantzig");
    ck_assert_msg(report.factorizations <= most_systems, "%s: %d systems", what,
                  report.factorizations);
    ck_assert_int_gt(report.pivots, 0);
    free(lambda);
    return report;
}

TEST(walls_that_stand_or_move_slowly_are_solved_by_pivoting_alone)
{
    for (int side = 5; side <= CHECK_FEWER(10, 7); side++)
        for (int seed = 0; seed < 4; seed++) {
            cairn_problem problem = make("wall", side, 0.6, 1.0, 0.0);
            stir(&problem, seed == 0 ? 0.0 : 0.01, 100 * (uint64_t)side + (uint64_t)seed);
            check_pivoted(&problem, "wall");
            cairn_problem_destroy(&problem);
        }
}
END

TEST(a_wall_that_is_hit_is_solved_by_pivoting_alone)
{
    cairn_problem problem = make("wall", 10, 0.6, 1.0, 3.0);
    check_pivoted(&problem, "wall under impact");
    cairn_problem_destroy(&problem);
}
END

TEST(heaps_of_spheres_at_rest_are_solved_by_pivoting_alone)
{
    for (int seed = 1; seed <= (CHECK_SLOW_BUILD ? 2 : 4); seed++)
        for (int moving = 0; moving < 2; moving++) {
            cairn_generate_def def = cairn_default_generate_def("heap");
            cairn_problem problem;
            cairn_error error;
            def.size = 40 * seed;
            def.mu = 0.3;
            def.seed = (uint64_t)seed;
            ck_assert_int_eq(cairn_generate(&def, &problem, &error), CAIRN_OK);
            stir(&problem, moving ? 0.01 : 0.0, (uint64_t)seed);
            check_pivoted(&problem, "heap");
            cairn_problem_destroy(&problem);
        }
}
END

TEST(a_heap_that_sticks_has_the_velocities_that_every_other_method_finds)
{
    // strong friction: nothing slips, and the velocities are unique
    cairn_problem problem = make("heap", 60, 5.0, 1.0, 0.0);
    size_t n = (size_t)problem.row_count;
    double *lambda = room(&problem), *other = room(&problem);
    double *v = calloc(n, sizeof(double)), *w = calloc(n, sizeof(double));
    cairn_solve_def def = by_pivoting();
    def.tolerance = 1e-10;
    cairn_report report = solve(lambda, &problem, &def);

    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_ptr_null(report.rescued_by);

    def.method = "exact";
    ck_assert_int_eq(solve(other, &problem, &def).outcome, CAIRN_OUTCOME_CONVERGED);

    // velocities are as good as the root of the residual allows: |v - w|² <= |λ - λ'| |residual|
    cairn_problem_velocity(&problem, lambda, v);
    cairn_problem_velocity(&problem, other, w);

    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(v[i], w[i], 1e-5);
    free(lambda);
    free(other);
    free(v);
    free(w);
    cairn_problem_destroy(&problem);
}
END

TEST(pivoting_from_the_answer_changes_nothing)
{
    cairn_problem problem = make("wall", 8, 0.6, 1.0, 0.0);
    double* lambda = room(&problem);
    cairn_solve_def def = by_pivoting();
    ck_assert_int_eq(solve(lambda, &problem, &def).outcome, CAIRN_OUTCOME_CONVERGED);
    problem.warm = calloc((size_t)problem.row_count, sizeof(double));
    memcpy(problem.warm, lambda, (size_t)problem.row_count * sizeof(double));
    def.warm_start = true;
    cairn_report report = solve(lambda, &problem, &def);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_int_eq(report.pivots, 0);
    ck_assert_int_eq(report.factorizations, 0);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

// motors that are too weak for what they should do, and a bar between two bodies
static void add_rows(cairn_problem* problem)
{
    for (int i = 0; i < problem->body_count; i += 3) {
        cairn_block block = {
            .kind = CAIRN_BLOCK_MOTOR, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = i};
        cairn_row row = {.b = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}};
        double b = 0.1;
        cairn_problem_add_block(problem, &block, &row, &b);
        cairn_problem_set_bounds(problem, problem->row_count - 1, -1e-3 * i, 1e-3);
    }
    cairn_block block = {
        .kind = CAIRN_BLOCK_JOINT, .row_count = 1, .body_a = 0, .body_b = problem->body_count - 1};
    cairn_row row = {.a = {-1.0}, .b = {1.0}};
    double b = 0.02;
    cairn_problem_add_block(problem, &block, &row, &b);
}

TEST(motors_and_joints_are_pivoted_together_with_contacts)
{
    cairn_problem problem = make("wall", 6, 0.6, 1.0, 0.0);
    add_rows(&problem);
    check_pivoted(&problem, "wall with motors");
    cairn_problem_destroy(&problem);
}
END

TEST(what_pivoting_does_not_solve_is_solved_by_what_the_report_names)
{
    // contacts that slide everywhere: the limits of friction do not settle on all of these
    int pivoted = 0, rescued = 0;

    for (int seed = 1; seed <= 6; seed++) {
        cairn_problem problem = make("wall", 6, 0.1 * seed, 1.0, 0.0);
        stir(&problem, 0.3, (uint64_t)seed);
        double* lambda = room(&problem);
        cairn_solve_def def = by_pivoting();
        cairn_report report = solve(lambda, &problem, &def);

        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        if (report.rescued_by)
            ck_assert(strcmp(report.rescued_by, "polish") == 0 ||
                      strcmp(report.rescued_by, report.method) == 0);
        else
            ck_assert_str_eq(report.method, "dantzig");

        pivoted += !report.rescued_by;
        rescued += report.rescued_by != NULL;
        free(lambda);
        cairn_problem_destroy(&problem);
    }
    ck_assert_int_eq(pivoted + rescued, 6);
}
END

TEST(another_method_is_named_even_where_it_has_only_come_nearer)
{
    // two pivots and two factorizations solve nothing, but sweeps of the others do come nearer
    cairn_problem problem = make("wall", 6, 0.3, 1.0, 0.0);
    stir(&problem, 0.3, 5);
    double* lambda = room(&problem);
    cairn_residual zero;
    cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 8, &zero);
    cairn_solve_def def = by_pivoting();
    def.max_iterations = 2;
    cairn_report report = solve(lambda, &problem, &def);

    ck_assert_int_ne(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_double_lt(report.residual.relative, zero.relative);
    ck_assert_ptr_nonnull(report.rescued_by);
    ck_assert_ptr_nonnull(strstr("exact prox pgs", report.rescued_by));
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TESTS(walls_that_stand_or_move_slowly_are_solved_by_pivoting_alone,
      a_wall_that_is_hit_is_solved_by_pivoting_alone,
      heaps_of_spheres_at_rest_are_solved_by_pivoting_alone,
      a_heap_that_sticks_has_the_velocities_that_every_other_method_finds,
      pivoting_from_the_answer_changes_nothing,
      motors_and_joints_are_pivoted_together_with_contacts,
      what_pivoting_does_not_solve_is_solved_by_what_the_report_names,
      another_method_is_named_even_where_it_has_only_come_nearer)
