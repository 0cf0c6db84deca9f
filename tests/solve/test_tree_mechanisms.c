// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `tree` on mechanisms made at random: joints of three and five rows, some of them redundant, limits,
// contacts of any friction, masses up to 10^6 apart.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

enum { most_bodies = 8, most_rows = 200 };

// a joint at a point of both bodies; every third one holds two directions of turning as well
static int joint_rows(cairn_row* rows, cairn_vec3 r_a, cairn_vec3 r_b, cairn_random* random)
{
    static const cairn_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++)
        cairn_contact_rows(axis[k], r_a, r_b, 1, rows + k);
    if (cairn_random_index(random, 3) != 0)
        return 3;
    for (int k = 3; k < 5; k++) {
        rows[k].a[k] = -1.0;
        rows[k].b[k] = 1.0;
    }
    return 5;
}

// b = J v, so that the rows do not contradict each other
static void add_block(cairn_problem* problem, cairn_block block, cairn_row* rows, const double* v)
{
    double b[6] = {0.0};
    for (int i = 0; i < block.row_count; i++) {
        for (int k = 0; k < 6; k++) {
            b[i] += rows[i].b[k] * v[6 * block.body_b + k];
            if (block.body_a != CAIRN_WORLD_BODY)
                b[i] += rows[i].a[k] * v[6 * block.body_a + k];
        }
        if (block.body_a == CAIRN_WORLD_BODY)
            memset(rows[i].a, 0, sizeof rows[i].a);
    }
    cairn_problem_add_block(problem, &block, rows, b);
}

// a tree of joints, and then joints, limits and contacts between any two bodies
static cairn_problem mechanism(uint64_t seed)
{
    static const double mu[5] = {0.0, 0.1, 0.4, 0.8, 1.5};
    cairn_random random = {seed};
    cairn_problem problem = cairn_problem_empty();
    double v[6 * most_bodies];
    int bodies = 1 + cairn_random_index(&random, most_bodies);
    double span = log(cairn_random_index(&random, 3) == 0 ? 1e3 : 3.0);
    for (int i = 0; i < bodies; i++) {
        double m = exp(cairn_random_range(&random, -span, span));
        cairn_problem_add_body(
            &problem, (cairn_mass){1.0 / m, cairn_mat3_diagonal(6.0 / m, 4.0 / m, 8.0 / m)});
    }
    for (int i = 0; i < 6 * bodies; i++)
        v[i] = cairn_random_range(&random, -1.0, 1.0) - (i % 6 == 2 ? 0.5 : 0.0);

    int blocks = bodies + cairn_random_index(&random, 10);
    for (int c = 0; c < blocks; c++) {
        bool tree = c < bodies;
        int b = tree ? c : cairn_random_index(&random, bodies);
        int a = cairn_random_index(&random, tree ? c + 1 : bodies + 1) - 1;
        cairn_block block = {.body_a = a == b ? CAIRN_WORLD_BODY : a, .body_b = b};
        cairn_row rows[6] = {0};
        cairn_vec3 n = cairn_random_direction(&random), r_a = cairn_random_vec3(&random),
                   r_b = cairn_random_vec3(&random);
        int kind = tree ? 0 : cairn_random_index(&random, 4);
        if (kind == 0) {
            block.kind = CAIRN_BLOCK_JOINT;
            block.row_count = joint_rows(rows, r_a, r_b, &random);
        } else if (kind == 1) {
            block.kind = CAIRN_BLOCK_LIMIT;
            block.row_count = 1;
            rows[0].a[3] = -1.0;
            rows[0].b[3] = 1.0;
        } else {
            double friction = mu[cairn_random_index(&random, 5)];
            block.kind = CAIRN_BLOCK_CONTACT;
            block.row_count = friction > 0.0 ? 3 : 1;
            block.friction = cairn_friction_cone(friction);
            cairn_contact_rows(n, r_a, r_b, block.row_count, rows);
        }
        add_block(&problem, block, rows, v);
    }
    return problem;
}

static cairn_report solve(const cairn_problem* problem)
{
    double lambda[most_rows];
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.method = "tree";
    ck_assert_int_le(problem->row_count, most_rows);
    ck_assert(cairn_solve(problem, &def, lambda, &report, NULL) == CAIRN_OK);
    return report;
}

TEST(mechanisms_made_at_random_are_solved_and_rescues_are_named)
{
    for (uint64_t seed = 1; seed <= 600; seed++) {
        cairn_problem problem = mechanism(seed);
        cairn_report report = solve(&problem);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "seed %d: %s, residual %.1e",
                      (int)seed, cairn_outcome_name(report.outcome), report.residual.relative);
        bool handed_on = strstr(report.note, "another method") || strstr(report.note, "solved by");
        ck_assert_msg(!handed_on || report.rescued_by, "seed %d: '%s' but nobody is named",
                      (int)seed, report.note);
        cairn_problem_destroy(&problem);
    }
}
END

TESTS(mechanisms_made_at_random_are_solved_and_rescues_are_named)
