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

TESTS(a_spinning_sphere_slows_down_by_torsional_friction_and_stops,
      what_slides_is_slowed_less_by_torsion, a_method_that_drops_torsion_does_not_call_it_solved)
