// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "problem/contact_geometry.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static cairn_problem made(const char* kind, int size, uint64_t seed)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    def.size = size;
    def.seed = seed;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

static cairn_report solve(const cairn_problem* problem, const char* method, double* lambda)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error = {""};
    def.method = method;
    def.tolerance = 1e-10;
    cairn_status status = cairn_solve(problem, &def, lambda, &report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return report;
}

// A body on the ground that is pushed anyhow, A or B of its contacts: three feet, so that the loads
// and with them the motion are unique.
static cairn_problem pushed(uint64_t seed, bool is_b)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_random random = {seed};
    cairn_vec3 v = cairn_random_vec3(&random), w = cairn_random_vec3(&random);
    cairn_problem_add_body(&problem, (cairn_mass){2.0, cairn_mat3_diagonal(9.0, 11.0, 14.0)});

    for (int k = 0; k < 3; k++) {
        cairn_row rows[3];
        cairn_vec3 r = cairn_vec(k == 0 ? 0.5 : -0.3, 0.4 * (k - 1), -0.2), none = {0};
        cairn_vec3 n = cairn_vec(0.0, 0.0, is_b ? 1.0 : -1.0);
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = is_b ? CAIRN_WORLD_BODY : 0,
                             .body_b = is_b ? 0 : CAIRN_WORLD_BODY,
                             .friction = cairn_friction_cone(0.5)};
        double b[3] = {0.0};
        const double six[6] = {v.x, v.y, v.z - 0.5, w.x, w.y, w.z};
        cairn_contact_rows(n, is_b ? none : r, is_b ? r : none, 3, rows);

        // b = J v with gravity in v
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 6; c++)
                b[i] += (is_b ? rows[i].b[c] : rows[i].a[c]) * six[c];

        cairn_problem_add_block(&problem, &block, rows, b);
    }

    return problem;
}

TEST(one_body_is_solved_to_round_off_and_moves_as_pivoting_moves_it)
{
    int exact = 0, total = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        cairn_problem problem = pushed(seed, seed % 2);
        double own[9], other[9], a[6], b[6];
        cairn_report report = solve(&problem, "newton", own);
        total++;

        if (report.outcome == CAIRN_OUTCOME_CONVERGED) {
            exact++;
            CHECK(solve(&problem, "exact", other).outcome == CAIRN_OUTCOME_CONVERGED);
            cairn_problem_body_velocity(&problem, own, a);
            cairn_problem_body_velocity(&problem, other, b);

            // a hundred times the tolerance, on velocities of some m/s
            for (int k = 0; k < 6; k++)
                CHECK_NEAR(a[k], b[k], 1e-8);
        }
        cairn_problem_destroy(&problem);
    }
    ck_assert_msg(exact >= 95, "%d of %d", exact, total);
}
END

TEST(the_geometry_of_a_contact_comes_back_from_its_rows)
{
    cairn_random random = {7};
    for (int k = 0; k < 50; k++) {
        cairn_problem problem = cairn_problem_empty();
        cairn_vec3 n = cairn_normalize(cairn_random_vec3(&random));
        cairn_vec3 r[2] = {cairn_random_vec3(&random), cairn_random_vec3(&random)};
        cairn_mass mass = {1.0, cairn_mat3_diagonal(1.0, 1.0, 1.0)};
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = 0,
                             .body_b = 1,
                             .friction = cairn_friction_cone(0.5)};
        const double b[3] = {0.0};
        cairn_row rows[3];
        cairn_contact_geometry geometry;
        cairn_problem_add_body(&problem, mass);
        cairn_problem_add_body(&problem, mass);
        cairn_contact_rows(n, r[0], r[1], 3, rows);
        cairn_problem_add_block(&problem, &block, rows, b);

        CHECK(cairn_contact_geometry_read(&geometry, &problem, &problem.blocks[0], 1e-12));
        CHECK_BELOW(cairn_norm(cairn_sub(geometry.axis[0], n)), 1e-15);
        CHECK_BELOW(cairn_norm(cairn_sub(geometry.arm[0], r[0])), 1e-14);
        CHECK_BELOW(cairn_norm(cairn_sub(geometry.arm[1], r[1])), 1e-14);

        // rows that turn the body as no point does
        problem.rows[1].b[4] += 1e-7;

        CHECK(!cairn_contact_geometry_read(&geometry, &problem, &problem.blocks[0], 1e-9));
        CHECK(cairn_contact_geometry_read(&geometry, &problem, &problem.blocks[0], 1e-6));
        cairn_problem_destroy(&problem);
    }
}
END

TEST(where_newton_does_not_apply_it_says_why)
{
    const struct {
        const char *kind, *reason;
    } cases[] = {{"stack", "one movable body"}, {"chain", "contacts alone"}};

    for (int i = 0; i < 2; i++) {
        cairn_problem problem = made(cases[i].kind, 4, 1);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error = {""};
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        def.method = "newton";
        CHECK(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
        ck_assert_msg(strstr(error.text, cases[i].reason) != NULL, "%s", error.text);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TESTS(one_body_is_solved_to_round_off_and_moves_as_pivoting_moves_it,
      the_geometry_of_a_contact_comes_back_from_its_rows, where_newton_does_not_apply_it_says_why)
