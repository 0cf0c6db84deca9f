// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Soft contacts against the closed forms of a mass on a spring and a damper that push alone.

#include "check_cairn.h"
#include "worlds.h"

static const double g = 9.81;

static cairn_body_id add(cairn_world* world, const cairn_shape* shape, cairn_body_type type,
                         cairn_vec3 at, double stiffness, double damping)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    def.shape = shape;
    def.type = type;
    def.pose.p = at;
    def.mass = type == CAIRN_BODY_DYNAMIC ? 2.0 : 0.0;
    def.material.stiffness = stiffness;
    def.material.damping = damping;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

static cairn_world* world_with(int substeps, double gravity)
{
    cairn_world_def def = cairn_default_world_def();
    def.substeps = substeps;
    def.gravity = cairn_vec(0.0, 0.0, -gravity);
    def.sleep = false;
    return worlds_empty(def);
}

// ---------------------------------------------------------------- rest

// m g / k under a ball, a quarter of it under the four points of a box
TEST(what_rests_sinks_by_its_weight_over_the_stiffness)
{
    cairn_shape plane = cairn_shape_half_space(), ball = cairn_shape_sphere(0.5);
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_world* world = world_with(4, g);
    double k = 5e3, c = 2.0 * sqrt(k * 2.0);
    add(world, &plane, CAIRN_BODY_STATIC, cairn_vec(0.0, 0.0, 0.0), 0.0, 0.0);
    cairn_body_id a = add(world, &ball, CAIRN_BODY_DYNAMIC, cairn_vec(0.0, 0.0, 0.5), k, c);
    cairn_body_id b = add(world, &box, CAIRN_BODY_DYNAMIC, cairn_vec(3.0, 0.0, 0.5), k, c);
    cairn_step_report report = worlds_run(world, 300);

    CHECK_NEAR(worlds_state(world, a).pose.p.z, 0.5 - 2.0 * g / k, 1e-7);
    CHECK_NEAR(worlds_state(world, b).pose.p.z, 0.5 - 0.25 * 2.0 * g / k, 1e-7);
    CHECK_NEAR(cairn_norm(worlds_state(world, b).velocity), 0.0, 1e-7);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK_BELOW(report.residual, 1e-6);
    CHECK_NEAR(report.penetration, 0.0, 0.0); // as the materials have it
    cairn_world_destroy(world);
}
END

// 1/k = 1/k_A + 1/k_B
TEST(two_soft_materials_are_springs_in_series)
{
    cairn_shape plane = cairn_shape_half_space(), ball = cairn_shape_sphere(0.5);
    cairn_world* world = world_with(4, g);
    add(world, &plane, CAIRN_BODY_STATIC, cairn_vec(0.0, 0.0, 0.0), 4e3, 80.0);
    cairn_body_id a = add(world, &ball, CAIRN_BODY_DYNAMIC, cairn_vec(0.0, 0.0, 0.5), 6e3, 120.0);
    worlds_run(world, 300);
    CHECK_NEAR(worlds_state(world, a).pose.p.z, 0.5 - 2.0 * g * (1.0 / 4e3 + 1.0 / 6e3), 1e-7);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- a bounce

// Without gravity a mass that comes at v leaves a spring and damper of damping ratio ζ when they
// would begin to pull:
//
//     e = exp(-ζ/sqrt(1 - ζ²) φ),      φ = atan2(2 ζ sqrt(1 - ζ²), 2 ζ² - 1).
static double restitution_of(double zeta)
{
    double root = sqrt(1.0 - zeta * zeta);
    return exp(-zeta / root * atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0));
}

static double bounce_from(int substeps, double zeta, double k, double height)
{
    cairn_shape plane = cairn_shape_half_space(), ball = cairn_shape_sphere(0.5);
    cairn_world* world = world_with(substeps, 0.0);
    double v = 1.0, m = 2.0;
    add(world, &plane, CAIRN_BODY_STATIC, cairn_vec(0.0, 0.0, 0.0), 0.0, 0.0);
    cairn_body_id id = add(world, &ball, CAIRN_BODY_DYNAMIC, cairn_vec(0.0, 0.0, height), k,
                           2.0 * zeta * sqrt(k * m));
    cairn_body_set_velocity(world, id, cairn_vec(0.0, 0.0, -v), cairn_vec(0.0, 0.0, 0.0), NULL);
    worlds_run(world, 60);
    double e = worlds_state(world, id).velocity.z / v;
    cairn_world_destroy(world);
    return e;
}

static double bounce(int substeps, double zeta, double k)
{
    return bounce_from(substeps, zeta, k, 0.505);
}

TEST(a_bounce_has_the_restitution_of_its_damping_ratio)
{
    // ω = 31.6 rad/s: half a period takes six steps of 1/60 s
    static const double ratios[] = {0.0, 0.1, 0.3, 0.6};
    for (int i = 0; i < 4; i++) {
        double expected = restitution_of(ratios[i]);
        CHECK_NEAR(bounce(4, ratios[i], 2e3), expected, 0.02);
        CHECK_NEAR(bounce(16, ratios[i], 2e3), expected, 4e-3);
    }
}
END

TEST(no_stiffness_throws_a_ball_back_faster_than_it_came)
{
    for (double k = 1e2; k < 1e13; k *= 3.0)
        for (int substeps = 1; substeps <= 4; substeps++)
            for (int late = 0; late < 5; late++) {
                // the trapezoidal rule may be off by a sixteenth of the energy
                double e = bounce_from(substeps, 0.0, k, 0.505 + 0.003 * late);
                ck_assert_msg(e <= 1.031, "k = %g, %d substeps: %g", k, substeps, e);
            }
}
END

// The bounce of a mass of 1 kg on 4e5 N/m lasts 5 ms, little more than a substep: it takes more of them,
// at any speed. Stiffer springs than those can follow lose energy, which is told as numeric.
TEST(a_stiff_contact_bounces_as_its_damping_ratio_says_at_any_speed)
{
    static const double speeds[] = {3.0, 27.0, 243.0}, ratios[] = {0.0, 0.3};
    cairn_shape slab = cairn_shape_box(cairn_vec(9.0, 9.0, 0.3)), ball = cairn_shape_sphere(0.1);
    for (int i = 0; i < 12; i++) {
        double v = speeds[i % 3], zeta = ratios[i / 3 % 2], k = i < 6 ? 4e5 : 1e9;
        double moving = v * v, lost = 0.0, numeric = 0.0;
        cairn_world* world = world_with(4, 0.0);
        add(world, &slab, CAIRN_BODY_STATIC, cairn_vec(0.0, 0.0, -0.3), 0.0, 0.0);
        cairn_body_id id = add(world, &ball, CAIRN_BODY_DYNAMIC, cairn_vec(0.0, 0.0, 3.137),
                               2.0 * k, zeta * 2.0 * sqrt(2.0 * k * 2.0));
        cairn_body_set_velocity(world, id, cairn_vec(0.0, 0.0, -v), cairn_vec(0., 0., 0.), NULL);
        for (int s = 0; s < 10 + (int)(4.0 / (v * worlds_dt)); s++) {
            cairn_step_report report = worlds_run(world, 1);
            CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
            lost += report.motion.dissipated;
            numeric += report.motion.dissipated_numeric;
        }
        double e = worlds_state(world, id).velocity.z / v;
        if (i < 6) {
            CHECK_NEAR(e, restitution_of(zeta), 0.02);
            CHECK_BELOW(numeric, 0.0);
        } else {
            CHECK(e >= 0.0 && e < 1.0);
            CHECK_NEAR(numeric, (1.0 - e * e) * moving, 1e-6 * moving);
            CHECK_BELOW(lost, 1e-6 * moving);
        }
        cairn_world_destroy(world);
    }
}
END

// ---------------------------------------------------------------- energy

// 0.2 m above the floor, no damper: a hundred bounces or so
TEST(a_ball_on_a_spring_keeps_its_energy)
{
    cairn_shape plane = cairn_shape_half_space(), ball = cairn_shape_sphere(0.5);
    cairn_world* world = world_with(4, g);
    add(world, &plane, CAIRN_BODY_STATIC, cairn_vec(0.0, 0.0, 0.0), 0.0, 0.0);
    cairn_body_id id = add(world, &ball, CAIRN_BODY_DYNAMIC, cairn_vec(0.0, 0.0, 0.7), 2e3, 0.0);
    double top = 0.0;
    for (int k = 0; k < 3000; k++) {
        CHECK(worlds_run(world, 1).outcome == CAIRN_OUTCOME_CONVERGED);
        if (k >= 2900)
            top = fmax(top, worlds_state(world, id).pose.p.z);
    }
    CHECK_NEAR(top, 0.7, 0.005);
    cairn_world_destroy(world);
}
END

TEST(damping_without_stiffness_is_refused)
{
    cairn_world* world = world_with(1, g);
    cairn_shape ball = cairn_shape_sphere(0.5);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.shape = &ball;
    def.material.damping = 1.0;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_BAD_INPUT);
    def.material.damping = 0.0;
    def.material.stiffness = -1.0;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TESTS(what_rests_sinks_by_its_weight_over_the_stiffness, two_soft_materials_are_springs_in_series,
      a_bounce_has_the_restitution_of_its_damping_ratio,
      a_stiff_contact_bounces_as_its_damping_ratio_says_at_any_speed,
      no_stiffness_throws_a_ball_back_faster_than_it_came, a_ball_on_a_spring_keeps_its_energy,
      damping_without_stiffness_is_refused)
