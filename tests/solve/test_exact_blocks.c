// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "exact_bench.h"
#include "exact_case.h"

// a chain of `n` bodies of 1 kg on joints, from the world on unless they would hold it off the
// floor that every body touches; a motor turns the first body about z, a limit keeps the last one
// from turning back
static cairn_problem jointed(int n, int joint_rows)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_random random = {9};

    for (int i = 0; i < n; i++) {
        cairn_mass mass = {1.0, cairn_mat3_diagonal(10.0, 12.0, 15.0)};
        cairn_row rows[6];
        double b[6];
        cairn_problem_add_body(&problem, mass);
        memset(rows, 0, sizeof rows);

        for (int k = 0; k < 6; k++) {
            b[k] = 0.1 * cairn_random_range(&random, -1.0, 1.0);
            rows[k].b[k] = 1.0;
            rows[k].a[k] = -1.0;
        }

        // the pivot is half a meter before B and half a meter behind A
        rows[1].b[5] = -0.5, rows[2].b[4] = 0.5;
        rows[1].a[5] = -0.5, rows[2].a[4] = 0.5;
        cairn_block joint = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = joint_rows, .body_a = i - 1, .body_b = i};

        if (i > 0 || joint_rows < 5)
            cairn_problem_add_block(&problem, &joint, rows, b);
    }

    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            cairn_row rows[3];
            double b[3] = {-0.2, cairn_random_range(&random, -1.0, 1.0), 0.3};
            cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 0.0),
                               cairn_vec(0.2, k == 0 ? -0.1 : 0.1, -0.1), 3, rows);
            cairn_block contact = {.kind = CAIRN_BLOCK_CONTACT,
                                   .row_count = 3,
                                   .body_a = CAIRN_WORLD_BODY,
                                   .body_b = i,
                                   .friction = cairn_friction_cone(0.4)};
            cairn_problem_add_block(&problem, &contact, rows, b);
        }

    cairn_row spin = {.b = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}};
    double fast = -2.0;
    cairn_block motor = {.kind = CAIRN_BLOCK_MOTOR, .row_count = 1, .body_a = CAIRN_WORLD_BODY};
    cairn_problem_add_block(&problem, &motor, &spin, &fast);
    cairn_problem_set_bounds(&problem, problem.row_count - 1, -0.01, 0.01);
    cairn_block limit = {
        .kind = CAIRN_BLOCK_LIMIT, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = n - 1};
    cairn_problem_add_block(&problem, &limit, &spin, &fast);
    return problem;
}

// a sphere on the floor: one contact of 4 rows
static cairn_problem spinning_ball(double mu, double mu_spin, const double* b)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_mass mass = {1.0, cairn_mat3_diagonal(2.5, 2.5, 2.5)};
    cairn_row rows[4];
    cairn_problem_add_body(&problem, mass);
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 0.0),
                       cairn_vec(0.0, 0.0, -1.0), 4, rows);
    cairn_block contact = {.kind = CAIRN_BLOCK_CONTACT,
                           .row_count = 4,
                           .body_a = CAIRN_WORLD_BODY,
                           .body_b = 0,
                           .friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {mu, mu, mu_spin}}};
    cairn_problem_add_block(&problem, &contact, rows, b);
    return problem;
}

TEST(joints_motors_and_limits_are_solved_with_the_contacts)
{
    for (int rows = 3; rows <= 6; rows++) {
        cairn_problem problem = jointed(8, rows);
        double* lambda = room(&problem);
        cairn_solve_def def = strict();
        cairn_report report = solve(lambda, &problem, &def);

        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%d rows: %g", rows,
                      report.residual.relative);
        CHECK_BELOW(report.residual.relative, 1e-8);

        double motor = lambda[problem.row_count - 2];
        CHECK(motor >= -0.01 && motor <= 0.01);
        CHECK(lambda[problem.row_count - 1] >= 0.0);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(torsional_friction_brakes_a_spin_by_mu_times_the_load)
{
    double b[4] = {-1.0, 0.0, 0.0, 10.0}, lambda[4];
    cairn_problem problem = spinning_ball(0.5, 0.1, b);
    cairn_solve_def def = strict();
    cairn_report report = solve(lambda, &problem, &def);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);

    // the load is 1 N s, the spin far from stopping: the whole of μ_τ is used
    CHECK_NEAR(lambda[0], 1.0, 1e-10);
    CHECK_NEAR(lambda[3], -0.1, 1e-10);
    cairn_problem_destroy(&problem);
}
END

TEST(ellipses_and_ellipsoids_in_a_heap_reach_the_tolerance)
{
    for (int kind = 0; kind < 2; kind++) {
        cairn_problem problem = cairn_problem_empty();
        cairn_random random = {3};

        for (int i = 0; i < 6; i++)
            cairn_problem_add_body(&problem,
                                   (cairn_mass){1.0 + i, cairn_mat3_diagonal(2.0, 3.0, 4.0)});

        // ellipses have three rows, ellipsoids a fourth against spin
        for (int c = 0; c < 16; c++) {
            cairn_row rows[4];
            double b[4] = {-1.0, cairn_random_range(&random, -1.0, 1.0), 0.5,
                           cairn_random_range(&random, -1.0, 1.0)};
            cairn_contact_rows(cairn_random_direction(&random), cairn_random_vec3(&random),
                               cairn_random_vec3(&random), kind == 0 ? 3 : 4, rows);
            cairn_block contact = {
                .kind = CAIRN_BLOCK_CONTACT,
                .row_count = kind == 0 ? 3 : 4,
                .body_a = c % 3 == 0 ? CAIRN_WORLD_BODY : c % 6,
                .body_b = (c + 1 + c / 6) % 6,
                .friction = {.kind = kind == 0 ? CAIRN_FRICTION_ELLIPSE : CAIRN_FRICTION_ELLIPSOID,
                             .mu = {0.3, 0.6, 0.05}}};

            if (contact.body_a == contact.body_b)
                contact.body_a = CAIRN_WORLD_BODY;

            cairn_problem_add_block(&problem, &contact, rows, b);
        }

        double* lambda = room(&problem);
        cairn_solve_def def = strict();
        cairn_report report = solve(lambda, &problem, &def);

        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.residual.relative, 1e-8);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(pyramids_are_solved_as_cones_and_the_report_says_so)
{
    cairn_problem problem = make("wall", 3, 0.5, 1.0, 2.0);
    for (int c = 0; c < problem.block_count; c++) {
        problem.blocks[c].friction.kind = CAIRN_FRICTION_PYRAMID;
        problem.blocks[c].friction.facets = 6;
    }

    double* lambda = room(&problem);
    cairn_solve_def def = strict();
    def.fclib = false;
    cairn_report report = solve(lambda, &problem, &def);

    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_int_eq(report.law, CAIRN_LAW_COULOMB);
    CHECK(strstr(report.note, "cones"));
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(the_newton_direction_is_that_of_the_derivative)
{
    cairn_problem problem = make("wall", 3, 0.5, 1.0, 2.0);
    bench b;
    set_up(&b, &problem, CAIRN_NEWTON_CONTACTS);
    for (uint64_t seed = 1; seed <= 20; seed++)
        CHECK_NEAR(relative_slope(&b, seed), -1.0, 1e-4);
    cairn_arena_destroy(&b.arena);
    cairn_problem_destroy(&problem);
}
END

TEST(the_error_that_steers_is_that_of_the_certificate)
{
    cairn_problem problem = make("wall", 3, 0.5, 1.0, 2.0);
    bench b;
    set_up(&b, &problem, CAIRN_NEWTON_CONTACTS);
    CHECK(b.exact.cells.plain);

    double *r = calloc(b.exact.size, 8), *lambda = room(&problem);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_residual residual;
        random_point(r, b.exact.size, seed);
        cairn_cells_project(&b.exact.cells, r);
        cairn_cells_store(&b.exact.cells, lambda, r);
        ck_assert_int_eq(cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 8, &residual),
                         CAIRN_OK);
        double strictest = fmax(residual.relative, residual.fclib_relative);

        // round-off of sums over some tens of contacts
        CHECK_NEAR(cairn_exact_measure(&b.exact, r), strictest, 1e-13 * strictest);
    }
    free(r);
    free(lambda);
    cairn_arena_destroy(&b.arena);
    cairn_problem_destroy(&problem);
}
END

TEST(both_spaces_give_the_same_direction)
{
    cairn_problem problem = make("wall", 3, 0.5, 1.0, 2.0);
    bench b[2];
    double* dr[2];
    problem.compliance = calloc((size_t)problem.row_count, sizeof(double));

    for (int i = 0; i < problem.row_count; i++)
        problem.compliance[i] = i % 2 ? 1e-4 : 0.0;

    for (int k = 0; k < 2; k++) {
        set_up(&b[k], &problem, k == 0 ? CAIRN_NEWTON_CONTACTS : CAIRN_NEWTON_BODIES);
        size_t n = b[k].exact.size;
        double *r = calloc(n, 8), *center = calloc(n, 8);
        random_point(r, n, 3);
        dr[k] = calloc(n, 8);
        CHECK(cairn_exact_ppn_direction(&b[k].exact, dr[k], r, center, 1e-3));
        free(r);
        free(center);
    }
    CHECK(!b[0].exact.newton.plan->body_space && b[1].exact.newton.plan->body_space);

    double worst = 0.0, size = 0.0;
    for (size_t i = 0; i < b[0].exact.size; i++) {
        worst = fmax(worst, fabs(dr[0][i] - dr[1][i]));
        size = fmax(size, fabs(dr[0][i]));
    }

    // ε = 1e-3 costs three digits of the sixteen, the condition of the wall some more
    CHECK_BELOW(worst, 1e-9 * size);

    for (int k = 0; k < 2; k++) {
        free(dr[k]);
        cairn_arena_destroy(&b[k].arena);
    }
    cairn_problem_destroy(&problem);
}
END

TESTS(joints_motors_and_limits_are_solved_with_the_contacts,
      torsional_friction_brakes_a_spin_by_mu_times_the_load,
      ellipses_and_ellipsoids_in_a_heap_reach_the_tolerance,
      pyramids_are_solved_as_cones_and_the_report_says_so,
      the_newton_direction_is_that_of_the_derivative,
      the_error_that_steers_is_that_of_the_certificate, both_spaces_give_the_same_direction)
