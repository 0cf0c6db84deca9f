// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "solvable_mix.h"
#include "solve/sweep/prox_step.h"
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

static cairn_solve_def options(const char* method, double tolerance)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
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

static double farthest(const double* x, const double* y, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

// ---------------------------------------------------------------- fixed points

// A brick that slides over the floor on one point off its center, so that the friction rows have
// different diagonals in A and are coupled.
static cairn_problem sliding_brick(void)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_row rows[3];
    double b[3] = {-1.0, 2.0, 1.0};
    cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(9.0, 3.0, 5.0)});
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 0.0),
                       cairn_vec(0.1, 0.15, -0.4), 3, rows);
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .body_a = CAIRN_WORLD_BODY,
                         .body_b = 0,
                         .friction = cairn_friction_cone(0.3)};
    cairn_problem_add_block(&problem, &block, rows, b);
    return problem;
}

// the sine of the angle between friction and the direction against the slip
static double misdirection(const cairn_problem* problem, const double* x)
{
    double v[3];
    cairn_problem_velocity(problem, x, v);
    double slip = hypot(v[1], v[2]), friction = hypot(x[1], x[2]);
    CHECK(slip > 0.1 && friction > 0.1);
    return fabs(v[1] * x[2] - v[2] * x[1]) / (slip * friction);
}

TEST(published_local_and_blocked_steps_slide_in_a_wrong_direction_and_ours_do_not)
{
    cairn_problem problem = sliding_brick();
    double x[3];

    cairn_solve_def def = options("prox", 1e-12);

    def.prox.published = true;
    def.max_iterations = 100000;
    static const cairn_prox_strategy wrong[] = {CAIRN_PROX_LOCAL, CAIRN_PROX_BLOCKED};

    for (int i = 0; i < 2; i++) {
        def.prox.strategy = wrong[i];
        cairn_report report = solve(x, &problem, &def);
        CHECK(misdirection(&problem, x) > 0.01);
        CHECK(report.outcome != CAIRN_OUTCOME_CONVERGED);
    }

    def = options("prox", 1e-12);
    static const cairn_prox_strategy right[] = {CAIRN_PROX_SCALAR_LOCAL, CAIRN_PROX_METRIC,
                                                CAIRN_PROX_GLOBAL};

    for (int i = 0; i < 3; i++) {
        def.prox.strategy = right[i];
        CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_NEAR(misdirection(&problem, x), 0.0, 1e-10);
    }
    cairn_problem_destroy(&problem);
}
END

TEST(one_step_for_all_rows_is_right_for_spin_too_in_any_unit_of_the_arm)
{
    // the brick slides and spins on a patch of friction: slip and torque share one ellipsoid
    cairn_problem problem = cairn_problem_empty();
    cairn_row rows[4];
    double b[4] = {-1.0, 2.0, 1.0, 30.0}, x[2][4], v[4];
    cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(9.0, 3.0, 5.0)});
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 0.0),
                       cairn_vec(0.1, 0.15, -0.4), 4, rows);
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 4,
                         .body_a = CAIRN_WORLD_BODY,
                         .body_b = 0,
                         .friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.3, 0.3, 0.02}}};
    cairn_problem_add_block(&problem, &block, rows, b);
    static const cairn_prox_strategy right[] = {CAIRN_PROX_SCALAR_LOCAL, CAIRN_PROX_GLOBAL};

    for (int i = 0; i < 2; i++) {
        cairn_solve_def def = options("prox", 1e-12);
        def.prox.strategy = right[i];
        CHECK(solve(x[i], &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);
    }

    cairn_problem_velocity(&problem, x[0], v);
    CHECK(hypot(v[1], v[2]) > 0.1 && fabs(v[3]) > 0.1);
    CHECK_BELOW(farthest(x[0], x[1], 4), 1e-10);
    cairn_problem_destroy(&problem);
}
END

TEST(the_answer_does_not_depend_on_the_step)
{
    cairn_problem problem = sliding_brick();
    double x[2][3], v[2][3];
    for (int i = 0; i < 2; i++) {
        cairn_solve_def def = options("prox", 1e-12);
        def.prox.strategy = CAIRN_PROX_GLOBAL;
        def.prox.global_step = i ? 0.3 : 0.03;
        CHECK(solve(x[i], &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);
        cairn_problem_velocity(&problem, x[i], v[i]);
    }
    CHECK_BELOW(farthest(v[0], v[1], 3), 1e-8);
    cairn_problem_destroy(&problem);
}
END

TEST(all_right_variants_agree_with_pivoting_where_velocities_are_unique)
{
    static const struct {
        const char* method;
        cairn_prox_strategy strategy;
        bool anderson, fast;
    } variants[] = {{"prox", CAIRN_PROX_SCALAR_LOCAL, true, true},
                    {"prox", CAIRN_PROX_SCALAR_LOCAL, false, true},
                    {"prox", CAIRN_PROX_SCALAR_LOCAL, false, false},
                    {"prox", CAIRN_PROX_METRIC, true, false},
                    {"prox", CAIRN_PROX_METRIC, false, false},
                    {"prox-jacobi", CAIRN_PROX_SCALAR_LOCAL, true, false},
                    {"prox-jacobi", CAIRN_PROX_SCALAR_LOCAL, false, false}};

    for (uint64_t seed = 1; seed <= 4; seed++) {
        cairn_generate_def kind = cairn_default_generate_def("random");
        cairn_problem problem;
        cairn_error error;
        double x[24], v[24], w[24];
        kind.width = 6;
        kind.height = 5;
        kind.mu = 0.2;
        kind.seed = seed;
        CHECK(cairn_generate(&kind, &problem, &error) == CAIRN_OK);

        cairn_solve_def def = options("dantzig", 1e-11);
        CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&problem, x, w);
        for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
            def = options(variants[i].method, 1e-10);
            def.prox.strategy = variants[i].strategy;
            def.prox.anderson = variants[i].anderson;
            def.prox.fast = variants[i].fast;
            cairn_report report = solve(x, &problem, &def);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "seed %d, variant %d: %g",
                          (int)seed, (int)i, report.residual.relative);
            cairn_problem_velocity(&problem, x, v);
            CHECK_BELOW(farthest(v, w, problem.row_count), 1e-7);
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(an_explicit_matrix_gives_the_same_velocities)
{
    cairn_problem problem = generate("heap", 30, 0.0), form;
    cairn_error error;
    CHECK(cairn_problem_explicit(&problem, &form, &error) == CAIRN_OK);
    size_t bytes = (size_t)problem.row_count * sizeof(double);
    double *x = malloc(bytes), *v = malloc(bytes), *w = malloc(bytes);
    cairn_solve_def def = options("prox", 1e-9);
    CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);

    cairn_problem_velocity(&problem, x, v);
    CHECK(solve(x, &form, &def).outcome == CAIRN_OUTCOME_CONVERGED);

    cairn_problem_velocity(&problem, x, w);
    CHECK_BELOW(farthest(v, w, problem.row_count), 1e-6);
    free(x);
    free(v);
    free(w);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&form);
}
END

TEST(joints_limits_motors_and_every_convex_friction_set_are_solved)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        cairn_problem problem = solvable_mix(seed);
        double* x = malloc((size_t)problem.row_count * sizeof(double));

        for (int variant = 0; variant < 3; variant++) {
            cairn_solve_def def = options(variant == 2 ? "prox-jacobi" : "prox", 1e-7);
            def.prox.strategy = variant == 1 ? CAIRN_PROX_METRIC : CAIRN_PROX_SCALAR_LOCAL;
            cairn_report report = solve(x, &problem, &def);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED,
                          "seed %d, variant %d: %g after %d", (int)seed, variant,
                          report.residual.relative, report.iterations);
        }
        free(x);
        cairn_problem_destroy(&problem);
    }
}
END

// ---------------------------------------------------------------- drivers

TEST(mixing_solves_a_stack_that_plain_sweeps_hardly_move)
{
    cairn_problem problem = generate("stack", 10, 0.0);
    double x[120];
    CHECK(problem.row_count == 120);
    cairn_solve_def def = options("prox", 1e-8);
    def.max_iterations = 2000;
    CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_CONVERGED);
    def.prox.anderson = false;
    CHECK(solve(x, &problem, &def).outcome == CAIRN_OUTCOME_ITERATION_LIMIT);
    cairn_problem_destroy(&problem);
}
END

// the published driver stopped after k sweeps, to look between them
static cairn_report stop_after(double* x, const cairn_problem* problem, int sweeps)
{
    cairn_solve_def def = options("prox", 0.0);
    def.prox.published = true;
    def.prox.strategy = CAIRN_PROX_GLOBAL;
    def.prox.global_step = 4.0;
    def.max_iterations = sweeps;
    return solve(x, problem, &def);
}

TEST(a_sweep_that_is_undone_leaves_every_bit_as_it_was)
{
    cairn_problem problem = generate("stack", 3, 0.0);
    double last[36], x[36];
    int undone = 0, last_rollbacks = 0;

    for (int k = 1; k <= 60; k++) {
        cairn_report report = stop_after(x, &problem, k);
        if (report.rollbacks > last_rollbacks) {
            undone++;
            CHECK(memcmp(x, last, sizeof x) == 0);
        }
        last_rollbacks = report.rollbacks;
        memcpy(last, x, sizeof x);
    }
    CHECK(undone > 0);
    cairn_problem_destroy(&problem);
}
END

enum { published_sweeps = 1000 };

typedef struct history {
    double change[published_sweeps];
    int count;
} history;

static void remember(void* context, int sweep, double seconds, double change)
{
    history* h = context;
    (void)sweep;
    (void)seconds;
    h->change[h->count++] = change;
}

// what the published rules make of the changes: sweeps undone, and whether the last one ends it
static int undone_by_the_rules(const history* h, bool* ended)
{
    double last = INFINITY;
    int undone = 0;
    *ended = false;
    for (int k = 0; k < h->count; k++) {
        double e = h->change[k];
        CHECK(!*ended);
        *ended = e < 1e-3 || fabs(e - last) < 1e-3 * last;
        undone += !*ended && e > last;
        last = e > last ? last : e;
    }
    return undone;
}

TEST(the_published_driver_tests_a_sweep_before_it_undoes_it)
{
    int slight_growth = 0;
    for (int i = 0; i < 40; i++) {
        static const cairn_prox_strategy strategies[] = {CAIRN_PROX_GLOBAL, CAIRN_PROX_LOCAL,
                                                         CAIRN_PROX_BLOCKED};
        cairn_problem problem = generate("wall", 4, 0.1 * (i / 3));
        double* x = malloc((size_t)problem.row_count * sizeof(double));
        history h = {.count = 0};
        bool ended;
        cairn_solve_def def = options("prox", 0.0);
        def.prox.published = true;
        def.prox.strategy = strategies[i % 3];
        def.trace = remember;
        def.trace_context = &h;
        cairn_report report = solve(x, &problem, &def);

        CHECK(report.rollbacks == undone_by_the_rules(&h, &ended));
        CHECK(report.iterations == h.count && ended == (h.count < published_sweeps));

        slight_growth += ended && h.count > 1 && h.change[h.count - 1] > h.change[h.count - 2];
        free(x);
        cairn_problem_destroy(&problem);
    }
    CHECK(slight_growth > 0);
}
END

TEST(blocked_steps_with_working_back_tracking_end_by_the_published_test)
{
    int ended = 0, solves = 20;
    for (int i = 0; i < solves; i++) {
        cairn_problem problem = generate("wall", 5, 0.1 * i);
        double* x = malloc((size_t)problem.row_count * sizeof(double));
        cairn_solve_def def = options("prox", 1e-3);
        def.prox.published = true;
        def.prox.strategy = CAIRN_PROX_BLOCKED;
        cairn_report report = solve(x, &problem, &def);
        ended += report.iterations < published_sweeps;

        // its own test is not the certificate: who ends by it is not called converged for that
        CHECK((report.outcome == CAIRN_OUTCOME_CONVERGED) ==
              (report.residual.relative <= def.tolerance));
        free(x);
        cairn_problem_destroy(&problem);
    }
    CHECK(100 * ended >= 95 * solves);
}
END

TEST(gauss_seidel_needs_fewer_sweeps_than_jacobi)
{
    static const struct {
        const char* kind;
        int size;
        double hit;
    } cases[] = {{"heap", 40, 0.0}, {"heap", 100, 0.0}, {"wall", 4, 0.0},
                 {"wall", 4, 1.0},  {"stack", 4, 0.0},  {"peg", 16, 0.0}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cairn_problem problem = generate(cases[k].kind, cases[k].size, cases[k].hit);
        double* x = malloc((size_t)problem.row_count * sizeof(double));
        int sweeps[2];

        for (int jacobi = 0; jacobi < 2; jacobi++) {
            cairn_solve_def def = options(jacobi ? "prox-jacobi" : "prox", 1e-4);
            def.prox.anderson = false;
            def.prox.fast = false;
            def.max_iterations = 100000;
            cairn_report report = solve(x, &problem, &def);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s %d", cases[k].kind,
                          cases[k].size);
            sweeps[jacobi] = report.iterations;
        }
        ck_assert_msg(sweeps[0] < sweeps[1], "%s %d: %d and %d sweeps", cases[k].kind,
                      cases[k].size, sweeps[0], sweeps[1]);
        free(x);
        cairn_problem_destroy(&problem);
    }
}
END

// Projected Gauss-Seidel is PROX with boxes and r = 1/A_ii: rows one by one instead of contacts, but
// the same fixed points.
TEST(an_answer_of_pgs_is_a_fixed_point_of_prox_with_boxes_and_local_steps)
{
    for (int hit = 0; hit < 3; hit++) {
        cairn_problem problem = generate("wall", 3, 0.5 * hit);
        size_t bytes = (size_t)problem.row_count * sizeof(double);
        double *x = malloc(bytes), *y = malloc(bytes);

        for (int c = 0; c < problem.block_count; c++) {
            problem.blocks[c].friction.kind = CAIRN_FRICTION_BOX;
            problem.blocks[c].friction.mu[1] = problem.blocks[c].friction.mu[0];
        }

        cairn_solve_def pgs = options("pgs", 1e-10), prox = options("prox", 0.0);
        pgs.pgs.fast = false;
        pgs.max_iterations = 100000;

        CHECK(solve(x, &problem, &pgs).outcome == CAIRN_OUTCOME_CONVERGED);
        free(problem.warm);
        problem.warm = malloc(bytes);
        memcpy(problem.warm, x, bytes);
        prox.warm_start = true;
        prox.prox.strategy = CAIRN_PROX_LOCAL;
        prox.prox.anderson = false;
        prox.prox.fast = false;
        prox.max_iterations = 8;
        solve(y, &problem, &prox);

        // eight sweeps of steps r = 1/A_ii move an impulse by at most r times the residual each
        double most = 0.0;

        for (int i = 0; i < problem.row_count; i++)
            most = fmax(most, fabs(x[i]));

        CHECK_BELOW(farthest(x, y, problem.row_count), 1e-7 * most);
        free(x);
        free(y);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_problem_without_solution_is_never_called_converged)
{
    // the floor rises against a body that a joint holds
    cairn_problem problem = cairn_problem_empty();
    cairn_row rows[3];
    double b[3] = {0.0, 0.0, 0.0}, x[4];
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(0.0, 0.0, 0.0)});
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, zero, 3, rows);
    cairn_block joint = {
        .kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = CAIRN_WORLD_BODY, .body_b = 0};
    cairn_problem_add_block(&problem, &joint, rows, b);
    cairn_block contact = {
        .kind = CAIRN_BLOCK_CONTACT, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = 0};
    b[0] = -1.0;
    cairn_problem_add_block(&problem, &contact, rows, b);

    static const char* const methods[] = {"pgs", "prox", "prox-jacobi"};

    for (int i = 0; i < 3; i++) {
        cairn_solve_def def = options(methods[i], 1e-6);
        def.max_iterations = 500;
        cairn_report report = solve(x, &problem, &def);
        CHECK(report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && report.residual.relative > 0.1);
    }
    cairn_problem_destroy(&problem);
}
END

TESTS(published_local_and_blocked_steps_slide_in_a_wrong_direction_and_ours_do_not,
      one_step_for_all_rows_is_right_for_spin_too_in_any_unit_of_the_arm,
      the_answer_does_not_depend_on_the_step,
      all_right_variants_agree_with_pivoting_where_velocities_are_unique,
      an_explicit_matrix_gives_the_same_velocities,
      joints_limits_motors_and_every_convex_friction_set_are_solved,
      mixing_solves_a_stack_that_plain_sweeps_hardly_move,
      a_sweep_that_is_undone_leaves_every_bit_as_it_was,
      the_published_driver_tests_a_sweep_before_it_undoes_it,
      blocked_steps_with_working_back_tracking_end_by_the_published_test,
      gauss_seidel_needs_fewer_sweeps_than_jacobi,
      an_answer_of_pgs_is_a_fixed_point_of_prox_with_boxes_and_local_steps,
      a_problem_without_solution_is_never_called_converged)
