// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Torsional friction in a world (Coulomb-Contensou): a sphere that spins about the normal of its
// contact loses μ_spin m g of angular momentum a second,
//
//     ω(t) = ω_0 - μ_spin m g t / I,     I = 2/5 m r²,
//
// and while it also slides, friction and torsion share one ellipsoid.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const double radius = 0.5, mu = 0.5, mu_spin = 0.02, gravity = 9.81;

static cairn_world* make(const char* method, cairn_body_id* ball, cairn_vec3 velocity, double spin)
{
    cairn_world_def def = cairn_default_world_def();
    def.method = method;
    def.tolerance = 1e-10;
    cairn_world* world = worlds_empty(def);
    cairn_body_def body = cairn_default_body_def();
    cairn_shape flat = cairn_shape_half_space(), sphere = cairn_shape_sphere(radius);
    body.material.mu = mu;
    body.material.mu_spin = mu_spin;
    body.type = CAIRN_BODY_STATIC;
    body.shape = &flat;
    cairn_body_id ground;
    CHECK(cairn_world_add_body(world, &body, &ground, NULL) == CAIRN_OK);
    body.type = CAIRN_BODY_DYNAMIC;
    body.shape = &sphere;
    body.pose.p = cairn_vec(0.0, 0.0, radius);
    body.velocity = velocity;
    body.spin = cairn_vec(0.0, 0.0, spin);
    CHECK(cairn_world_add_body(world, &body, ball, NULL) == CAIRN_OK);
    return world;
}

TEST(a_spinning_sphere_slows_down_by_torsional_friction_and_stops)
{
    static const char* const methods[] = {"auto", "exact", "pgs", "prox", "gauss-seidel"};
    const double spin = 3.0, dt = 0.01;
    double loss = mu_spin * gravity / (0.4 * radius * radius);

    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        cairn_body_id ball;
        cairn_world* world = make(methods[k], &ball, cairn_vec(0.0, 0.0, 0.0), spin);

        for (int n = 1; n <= 200; n++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, dt, &report, NULL) == CAIRN_OK);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s", methods[k]);

            // the step in which it comes to rest is one of the law as well
            double expected = fmax(spin - loss * dt * n, 0.0);
            CHECK_NEAR(worlds_state(world, ball).spin.z, expected, 1e-6);
        }
        cairn_world_destroy(world);
    }
}
END

// without torsion it would spin for ever, and without its share in the ellipsoid stop as fast
TEST(what_slides_is_slowed_less_by_torsion)
{
    const double dt = 0.01;
    cairn_body_id ball, still;
    cairn_world* slides = make("exact", &ball, cairn_vec(5.0, 0.0, 0.0), 3.0);
    cairn_world* spins = make("exact", &still, cairn_vec(0.0, 0.0, 0.0), 3.0);

    for (int n = 0; n < 10; n++) {
        CHECK(cairn_world_step(slides, dt, NULL, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(spins, dt, NULL, NULL) == CAIRN_OK);
    }

    // most dissipation on (λ_T/μ)² + (λ_τ/μ_spin)² = λ_N²: λ_τ / λ_N = μ_spin² ω / |(μ v, μ_spin ω)|
    cairn_body_state s = worlds_state(slides, ball);
    double before = worlds_state(spins, still).spin.z;
    CHECK(s.spin.z > before && s.spin.z < 3.0);

    double least = mu_spin * mu_spin * s.spin.z / (mu * 5.0 + mu_spin * 3.0);
    double most = mu_spin * mu_spin * 3.0 / (mu * (s.velocity.x - radius * s.spin.y));
    double lost = (3.0 - s.spin.z) * 0.4 * radius * radius / (gravity * 10.0 * dt);

    CHECK(lost >= least && lost <= most);
    cairn_world_destroy(slides);
    cairn_world_destroy(spins);
}
END

// a pyramid has no torsion: a method that solves one says so
TEST(a_method_that_drops_torsion_does_not_call_it_solved)
{
    cairn_body_id ball;
    cairn_world* world = make("lemke", &ball, cairn_vec(0.0, 0.0, 0.0), 3.0);
    cairn_step_report report;
    CHECK(cairn_world_step(world, 0.01, &report, NULL) == CAIRN_OK);
    double loss = mu_spin * gravity / (0.4 * radius * radius) * 0.01;
    bool right = fabs(worlds_state(world, ball).spin.z - (3.0 - loss)) <= 1e-6;
    CHECK(right || report.outcome != CAIRN_OUTCOME_CONVERGED);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- the fast path

// all bodies of a world with another material
static void rub(cairn_world* world, double along, double across, double spin)
{
    for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
        cairn_body_id id = cairn_world_body_at(world, slot);
        cairn_material material;
        CHECK(cairn_body_get_material(world, id, &material, NULL) == CAIRN_OK);
        material.mu = along;
        material.mu_across = across;
        material.mu_spin = spin;
        if (across != along)
            material.direction = cairn_vec(1.0, 0.0, 0.0);
        CHECK(cairn_body_set_material(world, id, &material, NULL) == CAIRN_OK);
    }
}

typedef struct witness {
    int sweeps, others;
} witness;

// the certificate of a solve from its problem and impulses alone
static void look(void* context, const cairn_island_solve* solve)
{
    witness* w = context;
    cairn_residual residual;
    CHECK(cairn_problem_residual(solve->problem, solve->lambda, solve->law, solve->facets,
                                 &residual) == CAIRN_OK);

    // sums of a few velocities below 10 m/s
    CHECK_NEAR(residual.velocity, solve->residual_velocity, 1e-11);
    if (solve->problem->block_count > 64)
        w->sweeps++;
    else
        w->others++;
}

// small steps in single precision, whose last half kick is put to the certificate; without torsion the
// spin about the vertical would stay where balls lie on the ground alone
TEST(piles_that_march_know_every_law)
{
    const double laws[][3] = {{0.5, 0.5, 0.05}, {0.6, 0.2, 0.0}, {0.3, 0.6, 0.02}};
    for (int k = 0; k < 3; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.preset = CAIRN_PRESET_REALTIME;
        cairn_world* world = worlds_heap(def, 5);
        witness seen = {0};
        rub(world, laws[k][0], laws[k][1], laws[k][2]);
        cairn_world_set_solve_hook(world, look, &seen);
        double before = INFINITY;
        for (int n = 0; n < CHECK_FEWER(120, 40); n++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
            CHECK_BELOW(report.penetration, 5e-3);

            // friction takes energy; what overlaps owe comes back, a thousandth of the fall at most
            if (n > 0)
                CHECK_BELOW(report.kinetic + report.potential, before * (1.0 + 1e-3));
            before = report.kinetic + report.potential;
        }
        CHECK(seen.sweeps > CHECK_FEWER(20, 5));
        cairn_world_destroy(world);
    }
}
END

TEST(heaps_with_torsion_and_with_a_grain_are_certified_as_problems_are)
{
    const double laws[][3] = {{0.5, 0.5, 0.01}, {0.6, 0.2, 0.0}, {0.3, 0.6, 0.02}};
    for (int k = 0; k < 3; k++) {
        cairn_world* world = worlds_heap(cairn_default_world_def(), 5);
        witness seen = {0};
        rub(world, laws[k][0], laws[k][1], laws[k][2]);
        cairn_world_set_solve_hook(world, look, &seen);
        for (int n = 0; n < CHECK_FEWER(90, 45); n++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "law %d, step %d: %s", k, n,
                          cairn_outcome_name(report.outcome));
        }
        CHECK(seen.sweeps > CHECK_FEWER(50, 5));
        cairn_world_destroy(world);
    }
}
END

TEST(a_wall_with_torsion_and_a_grain_rests_by_statics_or_as_before)
{
    const double laws[][3] = {{0.6, 0.6, 0.01}, {0.6, 0.3, 0.0}, {0.3, 0.6, 0.02}};
    for (int k = 0; k < 3; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.sleep = false;
        cairn_world* world = worlds_wall(def, 8, 8);
        rub(world, laws[k][0], laws[k][1], laws[k][2]);

        for (int n = 0; n < 20; n++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
            CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
            CHECK_BELOW(report.kinetic, 1e-10);
            CHECK(report.islands > 0 && report.rested == report.islands);
        }
        cairn_world_destroy(world);
    }
}
END

TESTS(piles_that_march_know_every_law,
      heaps_with_torsion_and_with_a_grain_are_certified_as_problems_are,
      a_wall_with_torsion_and_a_grain_rests_by_statics_or_as_before,
      a_spinning_sphere_slows_down_by_torsional_friction_and_stops,
      what_slides_is_slowed_less_by_torsion, a_method_that_drops_torsion_does_not_call_it_solved)
