// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every kind of joint and velocity constraint as a primary constraint of the method `tree`.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>

enum { kinds = 10, rounds = 3, bodies = kinds * rounds };

// rows of one kind with arms, axes and gaps at random; tells whether they bind velocities alone
static int rows_of_kind(cairn_row* rows, int kind, cairn_random* random, bool* velocity)
{
    cairn_vec3 r_a = cairn_random_vec3(random), r_b = cairn_random_vec3(random);
    cairn_vec3 n = cairn_random_direction(random), apart = cairn_random_direction(random);
    cairn_vec3 t = cairn_normalize(cairn_cross(n, apart));
    *velocity = kind >= 8;

    switch (kind) {
    case 0:
        return cairn_ball_rows(r_a, r_b, rows);
    case 1:
        return cairn_hinge_rows(r_a, r_b, n, rows);
    case 2:
        return cairn_slider_rows(r_a, r_b, cairn_scale(0.3, n), n, rows);
    case 3:
        return cairn_universal_rows(r_a, r_b, n, t, rows);
    case 4:
        return cairn_cylindrical_rows(r_a, r_b, cairn_scale(0.3, n), n, rows);
    case 5:
        return cairn_fixed_rows(r_a, r_b, rows);
    case 6:
        return cairn_distance_rows(r_a, r_b, apart, rows);
    case 7:
        return cairn_surface_rows(r_a, r_b, n, rows);
    case 8:
        return cairn_gear_rows(n, t, 2.0, rows);
    default:
        return cairn_rolling_rows(r_a, r_b, n, rows);
    }
}

// body i hangs from a body before it, or from the world, by kind i
static cairn_problem random_tree(cairn_random* random)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < bodies; i++) {
        double mass = cairn_random_range(random, 0.5, 2.0);
        cairn_problem_add_body(&problem,
                               (cairn_mass){1.0 / mass, cairn_mat3_diagonal(8.0, 9.0, 10.0)});
        cairn_row rows[6];
        double b[6];
        bool velocity;
        int count = rows_of_kind(rows, i % kinds, random, &velocity);

        for (int r = 0; r < count; r++)
            b[r] = cairn_random_range(random, -1.0, 1.0);

        cairn_block block = {.kind = velocity ? CAIRN_BLOCK_VELOCITY : CAIRN_BLOCK_JOINT,
                             .row_count = count,
                             .body_a = i ? cairn_random_index(random, i) : CAIRN_WORLD_BODY,
                             .body_b = i};
        cairn_problem_add_block(&problem, &block, rows, b);
    }

    return problem;
}

static void solve_by(double* change, const cairn_problem* problem, const char* method)
{
    double lambda[6 * bodies];
    cairn_report report;
    cairn_error error;
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = 1e-12;
    cairn_status status = cairn_solve(problem, &def, lambda, &report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %s", method, report.note);

    // `tree` tells of blocks that it could not eliminate and of problems that it handed on
    ck_assert_str_eq(report.note, "");
    cairn_problem_body_velocity(problem, lambda, change);
}

TEST(every_kind_of_joint_is_eliminated_and_moves_as_the_general_solver_says)
{
    cairn_random random = {19};
    for (int trial = 0; trial < 20; trial++) {
        cairn_problem problem = random_tree(&random);
        double by_tree[6 * bodies], by_exact[6 * bodies];
        solve_by(by_tree, &problem, "tree");
        solve_by(by_exact, &problem, "exact");

        // both hold their rows to 1e-12; arms of length 1 and masses of 1 within a decade
        for (int i = 0; i < 6 * bodies; i++)
            CHECK_NEAR(by_tree[i], by_exact[i], 1e-9);
        cairn_problem_destroy(&problem);
    }
}
END

TESTS(every_kind_of_joint_is_eliminated_and_moves_as_the_general_solver_says)
