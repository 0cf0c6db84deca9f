// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Newton's method in the velocities of a few bodies: its answers pass the certificate, move as
// those of the exact methods, and share loads.

#include "figures_case.h"
#include "solve/newton/few_bodies.h"
#include <cairn/solve.h>
#include <string.h>

// from nothing; the relative residual, or infinity where nothing was found
static double solve(const cairn_problem* problem, double* lambda, double goal)
{
    cairn_arena arena = {0};
    cairn_residual residual = {.relative = INFINITY};
    cairn_few_bodies* all = cairn_few_bodies_make(problem, &arena);
    CHECK(all != NULL);
    memset(lambda, 0, (size_t)problem->row_count * sizeof *lambda);
    if (cairn_few_bodies_solve(all, lambda, goal, goal, &(cairn_stop){0}))
        CHECK(cairn_problem_residual(problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual) ==
              CAIRN_OK);
    cairn_arena_destroy(&arena);
    return residual.relative;
}

TEST(figures_are_solved_and_the_certificate_agrees)
{
    cairn_random random = {3};
    int solved = 0, total = CHECK_CASES(100);
    for (int k = 0; k < total; k++) {
        cairn_problem problem = figures(&random, 12, 8, 10.0);
        double* lambda = take_rows(&problem);
        double residual = solve(&problem, lambda, 1e-8);
        CHECK(residual == INFINITY || residual < 2e-8); // b is below 1 m/s
        solved += residual < 1.0;
        free(lambda);
        cairn_problem_destroy(&problem);
    }
    ck_assert_msg(solved >= (95 * total) / 100, "%d of %d", solved, total);
}
END

TEST(the_motion_is_that_of_the_exact_method)
{
    cairn_random random = {11};
    int compared = 0;

    for (int k = 0; k < 10; k++) {
        cairn_problem problem = figures(&random, 18, 4, 10.0);
        double *lambda = take_rows(&problem), *exact = take_rows(&problem);
        double *v = take_rows(&problem), *w = take_rows(&problem);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        def.tolerance = 1e-10;

        CHECK(cairn_solve(&problem, &def, exact, &report, NULL) == CAIRN_OK);
        if (report.outcome == CAIRN_OUTCOME_CONVERGED && solve(&problem, lambda, 1e-9) < 1.0) {
            CHECK(cairn_problem_velocity(&problem, lambda, v) == CAIRN_OK);
            CHECK(cairn_problem_velocity(&problem, exact, w) == CAIRN_OK);
            for (int r = 0; r < problem.row_count; r++)
                CHECK_NEAR(v[r], w[r], 1e-6); // a thousand times both residuals
            compared++;
        }
        free(lambda);
        free(exact);
        free(v);
        free(w);
        cairn_problem_destroy(&problem);
    }

    ck_assert_msg(compared >= 9, "%d of 10", compared);
}
END

TEST(ellipses_and_spinning_friction_are_solved)
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
    CHECK_BELOW(solve(&problem, lambda, 1e-8), 2e-8);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

// two plates, one fixed below the other, on four feet in the corners of a square: three would bear it
TEST(four_feet_share_the_load_of_two_plates)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_mass mass = {0.5, cairn_mat3_diagonal(3.0, 3.0, 2.0)};
    cairn_row rows[6];
    const double falls = -0.1, none[6] = {0};
    cairn_vec3 up = cairn_vec(0.0, 0.0, 1.0), center = cairn_vec(0.0, 0.0, 0.0);
    cairn_problem_add_body(&problem, mass);
    cairn_problem_add_body(&problem, mass);
    int count = cairn_fixed_rows(cairn_vec(0.0, 0.0, 0.2), cairn_vec(0.0, 0.0, -0.2), rows);
    cairn_block joint = {.kind = CAIRN_BLOCK_JOINT, .row_count = count, .body_b = 1};
    cairn_problem_add_block(&problem, &joint, rows, none);

    for (int k = 0; k < 4; k++) {
        cairn_vec3 r = cairn_vec(k % 2 ? 0.5 : -0.5, k / 2 ? 0.5 : -0.5, -0.1);
        cairn_block foot = {.kind = CAIRN_BLOCK_CONTACT,
                            .row_count = 3,
                            .body_a = CAIRN_WORLD_BODY,
                            .friction = cairn_friction_cone(0.5)};
        const double b[3] = {falls, 0.0, 0.0};
        cairn_contact_rows(up, center, r, 3, rows);
        cairn_problem_add_block(&problem, &foot, rows, b);
    }

    // a quarter of the momentum of both plates on each foot
    double* lambda = take_rows(&problem);
    CHECK_BELOW(solve(&problem, lambda, 1e-10), 1e-9);
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(lambda[count + 3 * k], -falls * 2.0 / mass.inverse_mass / 4.0, 1e-6);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(laws_without_a_smooth_cone_and_crowds_are_refused)
{
    cairn_random random = {2};
    cairn_arena arena = {0};
    cairn_problem crowd = figures(&random, 65, 0, 10.0), pyramid = figures(&random, 3, 0, 10.0);
    cairn_friction law = {.kind = CAIRN_FRICTION_PYRAMID, .facets = 4, .mu = {0.5}};
    add_contact(&pyramid, &random, CAIRN_WORLD_BODY, 1, law, 3);
    CHECK(cairn_few_bodies_make(&crowd, &arena) == NULL);

    // 40 bodies in trees are taken, but not if each touches all others
    cairn_problem tangle = figures(&random, 40, 0, 10.0);
    CHECK(cairn_few_bodies_make(&tangle, &arena) != NULL);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < i; k++)
            add_contact(&tangle, &random, k, i, cairn_friction_cone(0.5), 3);
    CHECK(cairn_few_bodies_make(&tangle, &arena) == NULL);
    cairn_problem_destroy(&tangle);
    CHECK(cairn_few_bodies_make(&pyramid, &arena) == NULL);
    CHECK(!arena.failed);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&crowd);
    cairn_problem_destroy(&pyramid);
}
END

TESTS(figures_are_solved_and_the_certificate_agrees, the_motion_is_that_of_the_exact_method,
      ellipses_and_spinning_friction_are_solved, four_feet_share_the_load_of_two_plates,
      laws_without_a_smooth_cone_and_crowds_are_refused)
