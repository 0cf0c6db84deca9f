// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Friction against closed forms: one body on the floor, its contact below the center of mass.

#include "check_cairn.h"
#include <cairn/cairn.h>

static const double g = 9.81, dt = 1e-3, pi = 3.14159265358979323846;

typedef struct slider {
    double m, I;       // mass and inertia about the normal
    double v[2], spin; // sliding velocity, spin
    double lambda[4];  // the last impulses
    cairn_friction friction;
    double pull[2]; // tangential acceleration
    const char* method;
} slider;

// one step by the solver
static void step(slider* s)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_row rows[4];
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    int count = s->friction.kind == CAIRN_FRICTION_ELLIPSOID ? 4 : 3;
    double v[4];
    double b[4] = {-g * dt, s->v[0] + s->pull[0] * dt, s->v[1] + s->pull[1] * dt, s->spin};
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, zero, count, rows);
    cairn_problem_add_body(&problem,
                           (cairn_mass){1.0 / s->m, cairn_mat3_diagonal(0.0, 0.0, 1.0 / s->I)});

    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = count,
                         .body_a = CAIRN_WORLD_BODY,
                         .body_b = 0,
                         .friction = s->friction};
    cairn_problem_add_block(&problem, &block, rows, b);

    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    def.method = s->method;
    def.tolerance = 1e-13;

    CHECK(cairn_solve(&problem, &def, s->lambda, &report, &error) == CAIRN_OK);
    CHECK_BELOW(report.residual.relative, 1e-11);

    cairn_problem_velocity(&problem, s->lambda, v);
    s->v[0] = v[1];
    s->v[1] = v[2];
    s->spin = count == 4 ? v[3] : s->spin;
    cairn_problem_destroy(&problem);
}

static const char* const methods[] = {"prox", "prox-jacobi", "pgs"};
enum { method_count = 3 };

TEST(a_block_on_an_incline_sticks_below_the_angle_of_friction_and_accelerates_above)
{
    for (int i = 0; i < method_count; i++)
        for (int above = 0; above < 2; above++) {
            // gravity's component along the floor, in a direction of no row
            double pull = g * (0.5 + (above ? 0.01 : -0.01)), angle = 0.7;
            slider s = {.m = 3.0,
                        .I = 1.0,
                        .friction = cairn_friction_cone(0.5),
                        .pull = {pull * cos(angle), pull * sin(angle)},
                        .method = methods[i]};
            for (int k = 0; k < 50; k++)
                step(&s);
            double expected = above ? 0.01 * g * 50.0 * dt : 0.0;
            CHECK_NEAR(s.v[0] * cos(angle) + s.v[1] * sin(angle), expected, 1e-10);
            CHECK_NEAR(s.v[1] * cos(angle) - s.v[0] * sin(angle), 0.0, 1e-10);
        }
}
END

TEST(torsion_stops_a_spinning_disc_when_the_closed_form_says)
{
    // I ω' = -μ_τ m g
    const double mu_spin = 0.02, spin = 3.0;

    for (int i = 0; i < method_count; i++) {
        slider s = {.m = 2.0,
                    .I = 0.05,
                    .spin = spin,
                    .friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.5, mu_spin}},
                    .method = methods[i]};
        double stop = s.I * spin / (mu_spin * s.m * g);
        int steps = 0;

        for (; s.spin > 1e-9 && steps < 5000; steps++) {
            double before = s.spin;
            step(&s);
            if (s.spin > 1e-9)
                CHECK_NEAR(before - s.spin, mu_spin * s.m * g * dt / s.I, 1e-10);
        }

        CHECK_NEAR(steps * dt, stop, dt);
    }
}
END

TEST(spin_lowers_the_friction_of_sliding_as_contensou_has_it)
{
    // (λ_T, λ_τ) = -λ_N (μ² v, μ_τ² ω) / √(μ² v² + μ_τ² ω²)
    const double mu = 0.4, mu_spin = 0.03;

    for (int i = 0; i < method_count; i++) {
        slider s = {.m = 2.0,
                    .I = 0.05,
                    .v = {1.0, 0.0},
                    .spin = 30.0,
                    .friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {mu, mu, mu_spin}},
                    .method = methods[i]};

        step(&s);
        double normal = s.m * g * dt;
        double size = hypot(mu * s.v[0], mu_spin * s.spin);

        CHECK_NEAR(s.lambda[0], normal, 1e-12);
        CHECK_NEAR(s.lambda[1], -normal * mu * mu * s.v[0] / size, 1e-9 * normal);
        CHECK_NEAR(s.lambda[3], -normal * mu_spin * mu_spin * s.spin / size, 1e-9 * normal);
        CHECK(fabs(s.lambda[1]) < 0.5 * mu * normal);
    }
}
END

TEST(a_disc_that_slides_and_spins_stops_in_both_at_once_and_later)
{
    // with I = m (μ_τ/μ)² slip and spin fall together: T = √(v² + (μ_τ ω/μ)²) / (μ g)
    const double mu = 0.4, mu_spin = 0.04, v = 0.3, spin = 4.0;
    slider s = {.m = 2.0,
                .I = 2.0 * (mu_spin / mu) * (mu_spin / mu),
                .v = {v, 0.0},
                .spin = spin,
                .friction = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {mu, mu, mu_spin}},
                .method = "prox"};
    double stop = hypot(v, mu_spin * spin / mu) / (mu * g), slide_stop = 0.0, spin_stop = 0.0;

    for (int k = 1; k < 1000; k++) {
        step(&s);
        if (s.v[0] > 1e-9)
            slide_stop = (k + 1) * dt;
        if (s.spin > 1e-9)
            spin_stop = (k + 1) * dt;
    }

    CHECK_NEAR(slide_stop, stop, 1.5 * dt);
    CHECK_NEAR(spin_stop, stop, 1.5 * dt);
    CHECK(stop > 1.5 * v / (mu * g));
}
END

TEST(anisotropic_friction_deflects_a_sliding_block_by_the_angle_of_theory)
{
    // the friction against slip at angle θ points to atan2(μ_1² sin θ, μ_0² cos θ) + π
    const double mu[2] = {0.6, 0.2};

    for (int i = 0; i < method_count; i++)
        for (int k = 0; k < 12; k++) {
            double angle = 2.0 * pi * (k + 0.3) / 12.0;
            slider s = {.m = 2.0,
                        .I = 1.0,
                        .v = {cos(angle), sin(angle)},
                        .friction = {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {mu[0], mu[1], 0.0}},
                        .method = methods[i]};
            step(&s);
            double x = mu[0] * mu[0] * s.v[0], y = mu[1] * mu[1] * s.v[1];
            double cross = x * s.lambda[2] - y * s.lambda[1],
                   dot = x * s.lambda[1] + y * s.lambda[2];
            CHECK(dot < 0.0);
            CHECK_NEAR(cross / dot, 0.0, 1e-9);

            // on the ellipse, and the block is turned towards the axis of little friction
            CHECK_NEAR(hypot(s.lambda[1] / mu[0], s.lambda[2] / mu[1]), s.m * g * dt, 1e-12);
            CHECK(fabs(s.v[1] / s.v[0]) > fabs(tan(angle)));
        }
}
END

// ---------------------------------------------------------------- restitution and gaps

TEST(a_ball_leaves_the_floor_with_its_restitution_above_the_threshold_alone)
{
    double b[1], x[1], v[1];
    cairn_row row[1];
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, zero, 1, row);
    cairn_block block = {
        .kind = CAIRN_BLOCK_CONTACT, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = 0};

    for (int slow = 0; slow < 2; slow++) {
        cairn_problem problem = cairn_problem_empty();
        double fall = slow ? -0.05 : -2.0;
        cairn_problem_add_body(&problem, (cairn_mass){4.0, cairn_mat3_diagonal(1.0, 1.0, 1.0)});
        b[0] = fall + cairn_contact_restitution(fall, 0.5, 0.1);
        cairn_problem_add_block(&problem, &block, row, b);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.method = "prox";

        CHECK(cairn_solve(&problem, &def, x, &report, &error) == CAIRN_OK);
        cairn_problem_velocity(&problem, x, v);

        // the body's own velocity is v without the term that restitution added
        CHECK_NEAR(v[0] - b[0] + fall, slow ? 0.0 : 1.0, 1e-8);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(gaps_are_closed_down_to_the_slop_and_no_further)
{
    // a stack of three whose faces overlap, and a corner that is open already
    cairn_generate_def kind = cairn_default_generate_def("stack");
    cairn_problem problem;
    cairn_error error;
    kind.size = 3;
    CHECK(cairn_generate(&kind, &problem, &error) == CAIRN_OK);
    double gap[12], x[36], move[18];

    for (int c = 0; c < 12; c++)
        gap[c] = -0.01 * (1 + c / 4);

    gap[11] = 0.5;
    const double slop = 0.002;
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.method = "prox";
    def.tolerance = 1e-9;
    CHECK(cairn_solve_gaps(&problem, gap, slop, &def, x, &report, &error) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);

    cairn_problem_body_velocity(&problem, x, move);
    for (int c = 0; c < 12; c++) {
        const cairn_block* block = &problem.blocks[c];
        double after = gap[c];
        for (int k = 0; k < 6; k++) {
            if (block->body_a != CAIRN_WORLD_BODY)
                after += problem.rows[block->row].a[k] * move[6 * block->body_a + k];
            after += problem.rows[block->row].b[k] * move[6 * block->body_b + k];
        }
        CHECK(after >= -slop - 1e-9);
        if (x[block->row] > 0.0)
            CHECK_NEAR(after, -slop, 1e-8);
        CHECK(x[block->row + 1] == 0.0 && x[block->row + 2] == 0.0);
    }
    CHECK(x[33] == 0.0);
    cairn_problem_destroy(&problem);
}
END

TESTS(a_block_on_an_incline_sticks_below_the_angle_of_friction_and_accelerates_above,
      torsion_stops_a_spinning_disc_when_the_closed_form_says,
      spin_lowers_the_friction_of_sliding_as_contensou_has_it,
      a_disc_that_slides_and_spins_stops_in_both_at_once_and_later,
      anisotropic_friction_deflects_a_sliding_block_by_the_angle_of_theory,
      a_ball_leaves_the_floor_with_its_restitution_above_the_threshold_alone,
      gaps_are_closed_down_to_the_slop_and_no_further)
