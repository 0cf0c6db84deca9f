// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A light box that turns between two heavy bodies, of which one rolls against it, near the corner of a room: what its
// turning does in the drift ahead grows with the square of its spin, and each push that makes room for it makes it spin
// faster. No more energy may come of it than a step that tells of it adds: a twentieth of what moves.

#include "check_cairn.h"
#include "worlds.h"

static cairn_body_id add(cairn_world* world, cairn_shape shape, double density, cairn_vec3 at,
                         cairn_quat turn, cairn_vec3 velocity, cairn_vec3 spin)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.type = density > 0.0 ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
    def.shape = &shape;
    def.density = density > 0.0 ? density : def.density;
    def.material.mu = 0.0;
    def.pose = (cairn_transform){at, turn};
    def.velocity = velocity;
    def.spin = spin;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

// the box turns by `spin` rad/s
static void check_jam(double spin, double speed)
{
    const cairn_vec3 none = {0.0, 0.0, 0.0};
    const cairn_quat straight = {1.0, 0.0, 0.0, 0.0};
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    add(world, cairn_shape_box(cairn_vec(0.05, 2.1, 2.0)), 0.0, cairn_vec(-2.05, 0.0, 2.0),
        straight, none, none);
    add(world, cairn_shape_box(cairn_vec(2.1, 0.05, 2.0)), 0.0, cairn_vec(0.0, 2.05, 2.0), straight,
        none, none);
    add(world, cairn_shape_sphere(0.2684767130968018), 8000.0,
        cairn_vec(-1.458777069, 1.731139624, 0.2684768473),
        (cairn_quat){-0.24685522, 0.5768045017, 0.7630838453, 0.1551196709},
        cairn_vec(-speed, -0.008139144811, 0.0),
        cairn_vec(-0.6125828025, -0.2702654296, -4.262663292));
    add(world, cairn_shape_capsule(0.09557765478607681, 0.5 * 0.238944136965192), 8000.0,
        cairn_vec(-1.904422436, 1.780822624, 0.09557763328),
        (cairn_quat){0.1113554178, -0.1113562708, -0.6982833453, -0.6982836971},
        cairn_vec(0.0, -0.01212720335, 0.0), cairn_vec(0.0, -0.5784313465, 0.0));
    add(world, cairn_shape_box(cairn_vec(0.05482308735891541, 0.1495828391351705, 0.1163257991219)),
        100.0, cairn_vec(-1.75706396, 1.848961424, 0.1260345173),
        (cairn_quat){-9.760736016e-07, -0.1171780858, -2.590675522e-05, 0.993110918},
        cairn_vec(-0.01939765608, -0.04914404869, 0.3457181465), cairn_vec(0.0, -spin, 0.0));

    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    double most = kinetic + potential, moves = kinetic;
    for (int step = 0; step < 12; step++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);

        // overlaps that are pushed apart give back what they owed
        double gained = report.kinetic + report.potential - most;
        CHECK_BELOW(gained + report.motion.dissipated_numeric, 0.05 * moves);
        most = fmin(most, report.kinetic + report.potential);
    }
    cairn_world_destroy(world);
}

TEST(a_light_box_that_is_jammed_while_it_turns_gains_no_energy)
{
    for (int k = 0; k < 6; k++) {
        check_jam(13.17337316, 0.8727390448 + 0.1 * k);
        check_jam(5.0 + 5.0 * k, 0.8727390448);
    }
}
END

TESTS(a_light_box_that_is_jammed_while_it_turns_gains_no_energy)
