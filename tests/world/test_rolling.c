// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Rolling resistance ρ: the moment against rolling is at most ρ N. A ball of the radius r that rolls
// at v on a level floor is slowed by (5/7) g ρ/r, a cylinder by (2/3) g ρ/r; on a slope a ball stays
// where tan α < ρ/r.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const double radius = 0.1, rho = 0.004, g = 9.81, dt = 1.0 / 120.0;

// a floor under gravity that is tilted by `slope`, and what rolls on it along x
static cairn_world* roll(cairn_shape shape, cairn_quat turn, double slope, double speed,
                         cairn_body_id* id)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(g * cairn_sin(slope), 0.0, -g * cairn_cos(slope));
    cairn_world* world = worlds_empty(def);
    cairn_body_def body = cairn_default_body_def();
    cairn_shape flat = cairn_shape_half_space();
    cairn_body_id ground;
    body.material.mu = 0.8;
    body.material.mu_roll = rho;
    body.material.mu_spin = 1e-3;
    body.type = CAIRN_BODY_STATIC;
    body.shape = &flat;
    CHECK(cairn_world_add_body(world, &body, &ground, NULL) == CAIRN_OK);
    body.type = CAIRN_BODY_DYNAMIC;
    body.shape = &shape;
    body.pose.p = cairn_vec(0.0, 0.0, radius);
    body.pose.q = turn;
    body.velocity = cairn_vec(speed, 0.0, 0.0);
    body.spin = cairn_vec(0.0, speed / radius, 0.0);
    CHECK(cairn_world_add_body(world, &body, id, NULL) == CAIRN_OK);
    return world;
}

static void walk(cairn_world* world, int steps)
{
    for (int n = 0; n < steps; n++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    }
}

static void stops_after(cairn_shape shape, cairn_quat turn, double share)
{
    const double speed = 0.7, a = share * g * rho / radius;
    cairn_body_id id;
    cairn_world* world = roll(shape, turn, 0.0, speed, &id);

    // on the way it is slower by a each second
    walk(world, 60);
    CHECK_NEAR(worlds_state(world, id).velocity.x, speed - a * 60 * dt, 1e-6);

    // and where it stops it stays
    walk(world, (int)(speed / a / dt));
    CHECK_NEAR(worlds_state(world, id).pose.p.x, 0.5 * speed * speed / a, 1e-4);
    CHECK_NEAR(worlds_state(world, id).velocity.x, 0.0, 1e-8);
    cairn_world_destroy(world);
}

TEST(a_ball_stops_after_the_way_that_its_resistance_allows)
{
    stops_after(cairn_shape_sphere(radius), cairn_quat_identity(), 5.0 / 7.0);
}
END

TEST(a_cylinder_stops_after_the_way_that_its_resistance_allows)
{
    cairn_quat lying = {sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    stops_after(cairn_shape_cylinder(radius, 0.2), lying, 2.0 / 3.0);
}
END

TEST(a_ball_stays_on_a_slope_up_to_its_resistance)
{
    for (int k = 0; k < 2; k++) {
        double slope = cairn_atan2((k ? 1.02 : 0.98) * rho, radius);
        cairn_body_id id;
        cairn_world* world =
            roll(cairn_shape_sphere(radius), cairn_quat_identity(), slope, 0.0, &id);
        walk(world, 240);
        double t = 240 * dt,
               a = 5.0 / 7.0 * g * (cairn_sin(slope) - rho / radius * cairn_cos(slope));
        CHECK_NEAR(worlds_state(world, id).pose.p.x, k ? 0.5 * a * t * t : 0.0, 1e-6);
        CHECK(worlds_state(world, id).asleep == !k);
        cairn_world_destroy(world);
    }
}
END

static double energy(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

// rows of balls that are pushed together roll on each other, too
TEST(balls_on_balls_come_to_rest_and_gain_no_energy)
{
    cairn_body_id id;
    cairn_world* world = roll(cairn_shape_sphere(radius), cairn_quat_identity(), 0.0, 0.5, &id);
    cairn_body_def body = cairn_default_body_def();
    cairn_shape ball = cairn_shape_sphere(radius);
    body.shape = &ball;
    body.material.mu = 0.8;
    body.material.mu_roll = rho;
    body.material.mu_spin = 1e-3;

    // two layers of three
    for (int k = 0; k < 6; k++) {
        cairn_body_id more;
        body.pose.p = cairn_vec(0.15 + 0.205 * (k % 3), 0.11 * (k % 2), radius + 0.19 * (k / 3));
        body.pose.p.x += k / 3 * 0.1;
        CHECK(cairn_world_add_body(world, &body, &more, NULL) == CAIRN_OK);
    }

    double before = energy(world);
    for (int n = 0; n < 1500; n++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, dt, &report, NULL) == CAIRN_OK);
        double after = energy(world);
        CHECK(after <= before + 1e-6);
        before = after;
    }

    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);

    CHECK_NEAR(kinetic, 0.0, 1e-9);
    cairn_world_destroy(world);
}
END

// a step that a budget has made lean leaves it out, and says so
TEST(a_lean_step_does_not_call_rolling_solved)
{
    cairn_body_id id;
    cairn_world* full = roll(cairn_shape_sphere(radius), cairn_quat_identity(), 0.0, 0.5, &id);
    cairn_world_def def = cairn_world_get_def(full);
    def.work = 1.0;
    cairn_world* lean;
    CHECK(cairn_world_create(&def, &lean, NULL) == CAIRN_OK);
    cairn_body_def ball, ground;
    CHECK(cairn_body_get_def(full, cairn_world_body_at(full, 0), &ground, NULL) == CAIRN_OK);
    CHECK(cairn_body_get_def(full, id, &ball, NULL) == CAIRN_OK);
    CHECK(cairn_world_add_body(lean, &ground, &id, NULL) == CAIRN_OK);
    CHECK(cairn_world_add_body(lean, &ball, &id, NULL) == CAIRN_OK);
    int told = 0;

    for (int n = 0; n < 10; n++) {
        cairn_step_report report;
        CHECK(cairn_world_step(lean, dt, &report, NULL) == CAIRN_OK);
        told += report.outcome == CAIRN_OUTCOME_TIME_LIMIT;
    }

    // nothing has slowed it down
    CHECK(worlds_state(lean, id).velocity.x > 0.499);
    CHECK(told == 10);
    cairn_world_destroy(lean);
    cairn_world_destroy(full);
}
END

TEST(nonsense_is_refused)
{
    cairn_body_id id;
    cairn_world* world = roll(cairn_shape_sphere(radius), cairn_quat_identity(), 0.0, 0.5, &id);
    static const double nonsense[] = {-1e-3, (double)NAN, (double)INFINITY};
    for (int k = 0; k < 3; k++) {
        cairn_material m = cairn_default_material();
        cairn_error error;
        m.mu_roll = nonsense[k];
        CHECK(cairn_body_set_material(world, id, &m, &error) == CAIRN_BAD_INPUT);
        CHECK(strstr(error.text, "rolling resistance") != NULL);
    }
    cairn_world_destroy(world);
}
END

TESTS(a_ball_stops_after_the_way_that_its_resistance_allows,
      a_cylinder_stops_after_the_way_that_its_resistance_allows,
      a_ball_stays_on_a_slope_up_to_its_resistance, balls_on_balls_come_to_rest_and_gain_no_energy,
      a_lean_step_does_not_call_rolling_solved, nonsense_is_refused)
