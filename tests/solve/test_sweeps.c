// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static cairn_problem made(const char* kind, int width, int height)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    def.width = width;
    def.height = def.size = height;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

static cairn_status solve(const cairn_problem* problem, const char* method, double tolerance,
                          double* lambda, cairn_report* report, cairn_error* error)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
    return cairn_solve(problem, &def, lambda, report, error);
}

// single precision holds a load of h g to some 1e-6 of it: ten times that is asked
TEST(heaps_stacks_and_walls_of_contacts_are_swept_to_five_digits)
{
    const struct {
        const char* kind;
        int width, height;
    } cases[] = {{"heap", 0, 400}, {"stack", 0, 5}, {"wall", 6, 5}, {"heap", 0, 100}};

    for (int i = 0; i < 4; i++) {
        cairn_problem problem = made(cases[i].kind, cases[i].width, cases[i].height);
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        cairn_report report;
        CHECK(solve(&problem, "sweeps", 1e-5, lambda, &report, NULL) == CAIRN_OK);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %g after %d sweeps",
                      cases[i].kind, report.residual.relative, report.iterations);
        ck_assert_str_eq(report.method, "sweeps");
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

// the contacts of a problem with another law, a row of spin added; bodies move at up to `speed`
static cairn_problem with_law(const cairn_problem* problem, cairn_friction friction, double speed)
{
    cairn_random random = {17};
    cairn_problem other = cairn_problem_empty();
    double* v = calloc(6 * (size_t)problem->body_count, sizeof(double));

    for (int i = 0; i < problem->body_count; i++) {
        cairn_problem_add_body(&other, problem->bodies[i]);
        for (int k = 0; k < 6; k++)
            v[6 * i + k] = cairn_random_range(&random, -speed, speed);
    }

    for (int c = 0; c < problem->block_count; c++) {
        cairn_block block = problem->blocks[c];
        const cairn_row* row = &problem->rows[block.row];
        const int body[2] = {block.body_a, block.body_b};
        cairn_row own[4] = {row[0], row[1], row[2]};
        double b[4] = {0.0};

        // the row of spin turns about the normal
        for (int k = 0; k < 3; k++) {
            own[3].a[3 + k] = row[0].a[k];
            own[3].b[3 + k] = row[0].b[k];
        }

        // b gains J v
        for (int i = 0; i < 4; i++) {
            b[i] = i < 3 ? problem->b[block.row + i] : 0.0;
            for (int side = 0; side < 2; side++)
                for (int k = 0; k < 6 && body[side] != CAIRN_WORLD_BODY; k++)
                    b[i] += (side ? own[i].b[k] : own[i].a[k]) * v[6 * body[side] + k];
        }

        block.row_count = friction.kind == CAIRN_FRICTION_ELLIPSOID ? 4 : 3;
        block.friction = friction;
        cairn_problem_add_block(&other, &block, own, b);
    }
    free(v);
    return other;
}

// The front door measures, by a certificate that knows no lanes. A heap that moves is hard for sweeps:
// with cones they end at 2e-4.
TEST(ellipses_and_ellipsoids_of_friction_are_swept_as_far_as_cones)
{
    const cairn_friction laws[] = {
        {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.5, 0.01}},
        {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.6, 0.2}},
        {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.2, 0.7, 0.1}},
        {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.0, 0.01}},
    };
    const struct {
        const char* kind;
        int width, height;
        double speed, tolerance;
    } cases[] = {
        {"heap", 0, 200, 0.0, 1e-5}, {"heap", 0, 200, 0.1, 1e-3}, {"wall", 5, 4, 0.0, 1e-5}};

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < (CHECK_SLOW_BUILD ? 2 : 4); k++) {
            cairn_problem plain = made(cases[i].kind, cases[i].width, cases[i].height);
            cairn_problem problem = with_law(&plain, laws[k], cases[i].speed);
            double* lambda = calloc((size_t)problem.row_count, sizeof(double));
            cairn_report report;
            CHECK(solve(&problem, "sweeps", cases[i].tolerance, lambda, &report, NULL) == CAIRN_OK);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED,
                          "%s %g, law %d: %g after %d sweeps", cases[i].kind, cases[i].speed, k,
                          report.residual.relative, report.iterations);
            free(lambda);
            cairn_problem_destroy(&problem);
            cairn_problem_destroy(&plain);
        }
}
END

// one sphere after the other slides and spins on the ground: the answer is unique
TEST(swept_ellipsoids_give_the_motion_of_exact_and_prox)
{
    cairn_friction friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.3, 0.6, 0.05}};
    cairn_random random = {23};

    for (int n = 0; n < CHECK_CASES(200); n++) {
        cairn_problem problem = cairn_problem_empty();
        cairn_row rows[4];
        cairn_vec3 normal = cairn_random_direction(&random);
        double b[4] = {-1.0}, x[3][4] = {{0}}, v[3][4];

        for (int k = 1; k < 4; k++)
            b[k] = cairn_random_range(&random, -2.0, 2.0) * (k < 3 ? 1.0 : 20.0);

        cairn_contact_rows(normal, cairn_vec(0.0, 0.0, 0.0), cairn_scale(-0.5, normal), 4, rows);
        cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(10.0, 10.0, 10.0)});
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 4,
                             .body_a = CAIRN_WORLD_BODY,
                             .friction = friction};
        cairn_problem_add_block(&problem, &block, rows, b);
        static const char* const methods[] = {"sweeps", "exact", "prox"};

        for (int m = 0; m < 3; m++) {
            cairn_report report;
            CHECK(solve(&problem, methods[m], m == 0 ? 1e-6 : 1e-10, x[m], &report, NULL) ==
                  CAIRN_OK);
            cairn_problem_velocity(&problem, x[m], v[m]);
        }

        // 1e-6 of 20 rad/s, the largest |b|
        for (int m = 1; m < 3; m++)
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(v[0][k], v[m][k], 1e-4);
        cairn_problem_destroy(&problem);
    }
}
END

// a turn of the tangents of a row turns its impulses, and nothing else
TEST(tangents_of_ones_own_get_the_impulses_along_them)
{
    cairn_problem problem = made("stack", 0, 3), turned;
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double *a = calloc(1, bytes), *b = calloc(1, bytes);
    const double c = 0.6, s = 0.8;
    cairn_report report;
    CHECK(cairn_problem_copy(&problem, &turned) == CAIRN_OK);

    for (int k = 0; k < problem.block_count; k++) {
        int r = problem.blocks[k].row;
        cairn_row t = turned.rows[r + 1], w = turned.rows[r + 2];
        for (int i = 0; i < 6; i++) {
            turned.rows[r + 1].a[i] = c * t.a[i] + s * w.a[i];
            turned.rows[r + 1].b[i] = c * t.b[i] + s * w.b[i];
            turned.rows[r + 2].a[i] = c * w.a[i] - s * t.a[i];
            turned.rows[r + 2].b[i] = c * w.b[i] - s * t.b[i];
        }
        turned.b[r + 1] = c * problem.b[r + 1] + s * problem.b[r + 2];
        turned.b[r + 2] = c * problem.b[r + 2] - s * problem.b[r + 1];
    }

    CHECK(solve(&problem, "sweeps", 1e-5, a, &report, NULL) == CAIRN_OK);
    double largest = 0.0;
    CHECK(solve(&turned, "sweeps", 1e-5, b, &report, NULL) == CAIRN_OK);

    for (int r = 0; r < problem.row_count; r++)
        largest = fmax(largest, fabs(a[r]));

    for (int k = 0; k < problem.block_count; k++) {
        int r = problem.blocks[k].row;

        // the lanes see the same contacts but for the last bits of their numbers
        CHECK_NEAR(b[r], a[r], 1e-4 * largest);
        CHECK_NEAR(b[r + 1], c * a[r + 1] + s * a[r + 2], 1e-4 * largest);
        CHECK_NEAR(b[r + 2], c * a[r + 2] - s * a[r + 1], 1e-4 * largest);
    }
    free(a);
    free(b);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&turned);
}
END

TEST(where_sweeps_do_not_apply_they_say_why)
{
    cairn_problem chain = made("chain", 0, 4), stack = made("stack", 0, 3), formed;
    double* lambda = calloc((size_t)(chain.row_count + stack.row_count), sizeof(double));
    cairn_report report;
    cairn_error error = {""};

    CHECK(solve(&chain, "sweeps", 1e-5, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "contacts alone") != NULL);

    CHECK(cairn_problem_explicit(&stack, &formed, NULL) == CAIRN_OK);
    CHECK(solve(&formed, "sweeps", 1e-5, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "A alone") != NULL);

    stack.blocks[2].friction = (cairn_friction){.kind = CAIRN_FRICTION_BOX, .mu = {0.5, 0.2}};
    CHECK(solve(&stack, "sweeps", 1e-5, lambda, &report, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "another law") != NULL);
    free(lambda);
    cairn_problem_destroy(&chain);
    cairn_problem_destroy(&stack);
    cairn_problem_destroy(&formed);
}
END

TESTS(heaps_stacks_and_walls_of_contacts_are_swept_to_five_digits,
      ellipses_and_ellipsoids_of_friction_are_swept_as_far_as_cones,
      swept_ellipsoids_give_the_motion_of_exact_and_prox,
      tangents_of_ones_own_get_the_impulses_along_them, where_sweeps_do_not_apply_they_say_why)
