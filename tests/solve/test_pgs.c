// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "solvable_mix.h"
#include <cairn/cairn.h>
#include <string.h>

static cairn_problem generate(const char* kind, int size, double hit)
{
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_problem problem;
    cairn_error error;
    def.size = def.width = def.height = size;
    def.hit = hit;
    CHECK(cairn_generate(&def, &problem, &error) == CAIRN_OK);
    return problem;
}

static cairn_solve_def plain(cairn_pgs_form form, int sweeps)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "pgs";
    def.pgs.fast = false;
    def.pgs.form = form;
    def.pgs.sweeps = sweeps;
    return def;
}

static cairn_report solve(double* lambda, const cairn_problem* problem, const cairn_solve_def* def)
{
    cairn_report report;
    cairn_error error = {{0}};
    cairn_status status = cairn_solve(problem, def, lambda, &report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return report;
}

static double largest(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double farthest(const double* x, const double* y, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

// ---------------------------------------------------------------- the ladder

static void check_ladder(const cairn_problem* problem, bool box, bool lagged)
{
    int n = problem->row_count;
    double *reference = malloc((size_t)n * sizeof(double)), *x = malloc((size_t)n * sizeof(double));

    for (int form = CAIRN_PGS_DENSE; form <= (int)CAIRN_PGS_REDUCED; form++) {
        cairn_solve_def def = plain((cairn_pgs_form)form, 25);
        def.pgs.box = box;
        def.pgs.lagged = lagged;
        def.pgs.relaxation = 1.1;
        def.pgs.symmetric = true;
        solve(form == CAIRN_PGS_DENSE ? reference : x, problem, &def);
        if (form != CAIRN_PGS_DENSE)
            CHECK_BELOW(farthest(reference, x, n), 1e-12 * largest(reference, n));
    }
    free(reference);
    free(x);
}

TEST(all_refinements_give_the_same_impulses)
{
    cairn_problem problem = generate("wall", 4, 1.0);
    check_ladder(&problem, false, false);
    check_ladder(&problem, true, false);
    check_ladder(&problem, false, true);
    cairn_problem_destroy(&problem);
}
END

TEST(the_plain_loop_and_the_batches_have_one_fixed_point)
{
    // a single block: no order of contacts to differ in, and few contacts
    cairn_problem problem = generate("stack", 1, 0.0);
    double x[12], y[12], v[12], w[12];
    cairn_solve_def def = plain(CAIRN_PGS_REDUCED, 0);
    def.tolerance = 1e-13;
    solve(x, &problem, &def);
    def.pgs.fast = true;
    cairn_report report = solve(y, &problem, &def);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED && report.law == CAIRN_LAW_AS_GIVEN);
    cairn_problem_velocity(&problem, x, v);
    cairn_problem_velocity(&problem, y, w);
    CHECK_BELOW(farthest(v, w, 12), 1e-11);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- convergence

static double objective(const cairn_problem* problem, const double* f)
{
    // ½ f A f + b f = ½ f (v + b)
    double v[64], sum = 0.0;
    cairn_problem_velocity(problem, f, v);
    for (int i = 0; i < problem->row_count; i++)
        sum += 0.5 * f[i] * (v[i] + problem->b[i]);
    return sum;
}

TEST(every_sweep_lowers_the_objective_of_a_frictionless_problem)
{
    cairn_problem problem = generate("random", 16, 0.0);
    for (int c = 0; c < problem.block_count; c++)
        problem.blocks[c].friction = (cairn_friction){.kind = CAIRN_FRICTION_NONE};
    double f[64], last = 0.0;
    CHECK(problem.row_count <= 64);
    for (int sweeps = 1; sweeps <= 12; sweeps++) {
        cairn_solve_def def = plain(CAIRN_PGS_REDUCED, sweeps);
        solve(f, &problem, &def);
        double now = objective(&problem, f);
        CHECK_BELOW(now, last + 1e-12 * fabs(last));
        last = now;
    }
    cairn_problem_destroy(&problem);
}
END

TEST(it_agrees_with_pivoting_where_the_velocities_are_unique)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        cairn_generate_def kind = cairn_default_generate_def("random");
        cairn_problem problem;
        cairn_error error;
        double x[64], y[64], v[64], w[64];
        kind.width = 5;
        kind.height = 4;
        kind.mu = 0.2;
        kind.seed = seed;
        CHECK(cairn_generate(&kind, &problem, &error) == CAIRN_OK);

        cairn_solve_def def = cairn_default_solve_def();
        def.tolerance = 1e-11;
        def.method = "pgs";
        CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);

        def.method = "dantzig";
        CHECK(solve(y, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&problem, x, v);
        cairn_problem_velocity(&problem, y, w);

        CHECK_BELOW(farthest(v, w, problem.row_count),
                    1e-8 * largest(problem.b, problem.row_count));
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_threshold_bounds_the_violation_that_is_left)
{
    static const double thresholds[] = {0.05, 0.005, 0.0005};
    cairn_problem problem = generate("wall", 10, 0.0);
    double* x = malloc((size_t)problem.row_count * sizeof(double));

    for (int fast = 0; fast < 2; fast++) {
        int sweeps = 0;
        for (int k = 0; k < 3; k++) {
            cairn_solve_def def = plain(CAIRN_PGS_REDUCED, 0);
            def.pgs.fast = fast;
            def.pgs.threshold = thresholds[k];
            cairn_report report = solve(x, &problem, &def);

            // each of the three rows of a contact violates by at most the threshold, and the
            // certificate takes their norm
            CHECK_BELOW(report.residual.velocity, sqrt(3.0) * thresholds[k]);
            CHECK(report.iterations > sweeps);
            sweeps = report.iterations;
        }
    }
    free(x);
    cairn_problem_destroy(&problem);
}
END

TEST(friction_rows_of_open_contacts_do_not_keep_the_loop_alive)
{
    // a cube thrown upward: λ_N = 0, so that friction rows have lo = hi = 0 and slip remains
    cairn_problem problem = generate("stack", 1, 0.0);
    double x[12];

    for (int i = 0; i < 12; i++)
        problem.b[i] = i % 3 == 0 ? 1.0 : 0.7;

    for (int fast = 0; fast < 2; fast++)
        for (int box = 0; box < 2; box++) {
            cairn_solve_def def = plain(CAIRN_PGS_COMPRESSED, 0);
            def.pgs.fast = fast;
            def.pgs.box = box;
            def.pgs.threshold = 0.01;
            CHECK(solve(x, &problem, &def).iterations <= 2);
        }
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- the filter

TEST(a_filter_of_no_speed_changes_no_bit)
{
    cairn_problem problem = generate("wall", 6, 2.0);
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double *x = malloc(bytes), *y = malloc(bytes);

    for (int fast = 0; fast < 2; fast++) {
        cairn_solve_def def = plain(CAIRN_PGS_REDUCED, 30);
        def.pgs.fast = fast;
        cairn_report all = solve(x, &problem, &def);
        def.pgs.filter = true;
        cairn_report some = solve(y, &problem, &def);
        CHECK(memcmp(x, y, bytes) == 0);
        CHECK(some.row_visits <= all.row_visits);
    }
    free(x);
    free(y);
    cairn_problem_destroy(&problem);
}
END

TEST(filtering_saves_visits_and_verification_restores_the_threshold)
{
    cairn_problem problem = generate("wall", 16, 0.0);
    double* x = malloc((size_t)problem.row_count * sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "pgs";
    def.pgs.threshold = 0.01;
    cairn_report all = solve(x, &problem, &def);
    def.pgs.filter = true;
    cairn_report verified = solve(x, &problem, &def);
    def.pgs.verify = false;
    cairn_report unverified = solve(x, &problem, &def);

    CHECK(3 * unverified.row_visits < 2 * all.row_visits);
    CHECK_BELOW(verified.residual.velocity, sqrt(3.0) * def.pgs.threshold);
    CHECK_BELOW(verified.residual.velocity, unverified.residual.velocity);

    // what it saves is paid by the residual: plain sweeps that end there visit fewer rows than
    // those that end at the threshold
    def.pgs.filter = false;
    def.pgs.threshold = unverified.residual.velocity;
    cairn_report equal = solve(x, &problem, &def);

    CHECK_BELOW(equal.residual.velocity, sqrt(3.0) * unverified.residual.velocity);
    CHECK(equal.row_visits < all.row_visits);
    CHECK(unverified.residual.velocity > all.residual.velocity);
    free(x);
    cairn_problem_destroy(&problem);
}
END

// a problem that brings its own A, and the forms that form A or v afresh, visit every row
TEST(a_filter_changes_no_bit_where_every_row_is_visited)
{
    cairn_problem problem = generate("wall", 4, 0.0);
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double *x = malloc(bytes), *y = malloc(bytes);

    for (int form = CAIRN_PGS_DENSE; form <= CAIRN_PGS_AUXILIARY; form++) {
        cairn_solve_def def = plain((cairn_pgs_form)form, 0);
        def.pgs.threshold = 0.01;
        solve(x, &problem, &def);
        def.pgs.filter = true;
        solve(y, &problem, &def);
        CHECK(memcmp(x, y, bytes) == 0);
    }
    free(x);
    free(y);
    cairn_problem_destroy(&problem);
}
END

TEST(the_filter_does_not_depend_on_the_unit_of_mass)
{
    cairn_problem problem = generate("wall", 6, 2.0);
    double* x = malloc((size_t)problem.row_count * sizeof(double));
    int64_t visits[2][2];

    for (int heavy = 0; heavy < 2; heavy++) {
        for (int fast = 0; fast < 2; fast++) {
            cairn_solve_def def = plain(CAIRN_PGS_REDUCED, 0);
            def.pgs.fast = fast;
            def.pgs.single = false;
            def.pgs.threshold = 0.01;
            def.pgs.filter = true;
            visits[heavy][fast] = solve(x, &problem, &def).row_visits;
        }

        // a power of two, so that no number is rounded in another way
        for (int i = 0; i < problem.body_count; i++) {
            problem.bodies[i].inverse_mass /= 16384.0;
            problem.bodies[i].inverse_inertia =
                cairn_mat3_scale(1.0 / 16384.0, problem.bodies[i].inverse_inertia);
        }
    }

    CHECK(visits[0][0] == visits[1][0] && visits[0][1] == visits[1][1]);
    free(x);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- friction

// a cube of 1 kg that gravity pulls along (cos, sin)·pull of the floor; slip speed after a
// frame
static double slip_of(double tangent, double angle, bool box)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_row rows[3];
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    double b[3], x[3], v[3];
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, zero, 3, rows);
    cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(0.0, 0.0, 0.0)});
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .body_a = CAIRN_WORLD_BODY,
                         .body_b = 0,
                         .friction = cairn_friction_cone(0.5)};
    b[0] = -1.0;
    b[1] = tangent * cos(angle);
    b[2] = tangent * sin(angle);
    cairn_problem_add_block(&problem, &block, rows, b);

    cairn_solve_def def = plain(CAIRN_PGS_REDUCED, 0);
    def.pgs.fast = true;
    def.pgs.box = box;
    def.tolerance = 1e-12;
    cairn_report report = solve(x, &problem, &def);

    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK(report.law == (box ? CAIRN_LAW_BOX : CAIRN_LAW_AS_GIVEN));

    cairn_problem_velocity(&problem, x, v);
    cairn_problem_destroy(&problem);
    return hypot(v[1], v[2]);
}

TEST(a_block_on_an_incline_slides_beyond_the_angle_of_friction_alone)
{
    for (int k = 0; k < 8; k++) {
        double angle = 0.785398163397448310 * k;
        CHECK_NEAR(slip_of(0.499, angle, false), 0.0, 1e-11);
        CHECK_NEAR(slip_of(0.52, angle, false), 0.02, 1e-11);
    }
}
END

TEST(boxed_friction_is_stronger_along_the_diagonal_by_the_root_of_two)
{
    // along a row's direction the box is the cone; along the diagonal it holds √2 μ
    CHECK_NEAR(slip_of(0.52, 0.0, true), 0.02, 1e-11);
    CHECK_NEAR(slip_of(0.5 * sqrt(2.0) - 1e-6, 0.785398163397448310, true), 0.0, 1e-11);
    CHECK_NEAR(slip_of(0.5 * sqrt(2.0) + 0.01, 0.785398163397448310, true), 0.01, 1e-11);
}
END

// ---------------------------------------------------------------- everything else

TEST(joints_limits_motors_and_every_friction_set_are_solved)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        cairn_problem problem = solvable_mix(seed);
        double* x = malloc((size_t)problem.row_count * sizeof(double));

        for (int fast = 0; fast < 2; fast++) {
            cairn_solve_def def = plain(CAIRN_PGS_REDUCED, 0);
            def.pgs.fast = fast;
            def.tolerance = 1e-6;
            cairn_report report = solve(x, &problem, &def);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED,
                          "seed %d, fast %d: %g after %d sweeps", (int)seed, fast,
                          report.residual.relative, report.iterations);
        }
        free(x);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_time_budget_returns_the_best_answer_so_far)
{
    cairn_problem problem = generate("wall", 20, 0.0);
    double* x = malloc((size_t)problem.row_count * sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "pgs";
    def.tolerance = 1e-14;
    def.time_limit = 0.5;
    def.max_iterations = 1000000000;
    cairn_report report = solve(x, &problem, &def);
    CHECK(report.outcome == CAIRN_OUTCOME_TIME_LIMIT);
    CHECK_BELOW(report.residual.relative, 0.9);
    free(x);
    cairn_problem_destroy(&problem);
}
END

TEST(a_warm_start_from_the_answer_needs_no_sweep)
{
    cairn_problem problem = generate("heap", 60, 0.0);
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double* x = malloc(bytes);
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "pgs";
    def.tolerance = 1e-5;

    CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);
    free(problem.warm);
    problem.warm = malloc(bytes);
    memcpy(problem.warm, x, bytes);
    def.warm_start = true;

    CHECK(solve(x, &problem, &def).iterations == 0);
    free(x);
    cairn_problem_destroy(&problem);
}
END

TESTS(all_refinements_give_the_same_impulses, the_plain_loop_and_the_batches_have_one_fixed_point,
      every_sweep_lowers_the_objective_of_a_frictionless_problem,
      it_agrees_with_pivoting_where_the_velocities_are_unique,
      a_threshold_bounds_the_violation_that_is_left,
      friction_rows_of_open_contacts_do_not_keep_the_loop_alive,
      a_filter_of_no_speed_changes_no_bit,
      filtering_saves_visits_and_verification_restores_the_threshold,
      a_filter_changes_no_bit_where_every_row_is_visited,
      the_filter_does_not_depend_on_the_unit_of_mass,
      a_block_on_an_incline_slides_beyond_the_angle_of_friction_alone,
      boxed_friction_is_stronger_along_the_diagonal_by_the_root_of_two,
      joints_limits_motors_and_every_friction_set_are_solved,
      a_time_budget_returns_the_best_answer_so_far, a_warm_start_from_the_answer_needs_no_sweep)
