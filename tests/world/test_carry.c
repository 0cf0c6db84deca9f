// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Surfaces that move against their bodies: conveyors that stay, tracks of vehicles, in all ways in which
// an island is solved. With the surface velocity s of the ground, Coulomb's law is that of the slip
// v - s: what slides gains μ g, what does not has v = s, and the drive does the work P·s.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/body.h>
#include <cairn/snapshot.h>

#define OK(call) CHECK((call) == CAIRN_OK)

static const double g = 9.81, mu = 0.6;

static cairn_world* world_of(bool sleep)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = sleep;
    return worlds_empty(def);
}

static cairn_material carrying(double x, double y)
{
    cairn_material m = cairn_default_material();
    m.mu = mu;
    m.surface_velocity = cairn_vec(x, y, 0.0);
    return m;
}

// a static slab whose top at z = 0 runs along x
static cairn_body_id add_conveyor(cairn_world* world, double speed)
{
    static cairn_shape slab;
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    slab = cairn_shape_box(cairn_vec(100.0, 5.0, 0.1));
    def.type = CAIRN_BODY_STATIC;
    def.shape = &slab;
    def.pose.p.z = -0.1;
    def.material = carrying(speed, 0.0);
    OK(cairn_world_add_body(world, &def, &id, NULL));
    return id;
}

static cairn_shape cube(double half)
{
    return cairn_shape_box(cairn_vec(half, half, half));
}

// ---------------------------------------------------------------- conveyors

// v = μ g t until v = s; the work of the drive is the kinetic energy and as much again in heat:
// W = μ m g s t = m s², of which m s²/2 is dissipated
TEST(a_conveyor_that_stays_carries_a_crate_and_pays_for_it)
{
    cairn_world* world = world_of(true);
    cairn_body_id belt = add_conveyor(world, 2.0);
    cairn_body_id crate = worlds_add(world, CAIRN_BODY_DYNAMIC, cube(0.2), cairn_vec(0., 0., 0.2));
    double m = worlds_state(world, crate).mass, s = 2.0, work = 0.0, heat = 0.0;
    for (int i = 0; i < 120; i++) {
        cairn_step_report report = worlds_run(world, 1);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        work += report.motion.work_external;
        heat += report.motion.dissipated + report.motion.dissipated_numeric;
        if (i == 11)
            CHECK_NEAR(worlds_state(world, crate).velocity.x, mu * g * 0.2, 1e-3);
    }
    CHECK_NEAR(worlds_state(world, crate).velocity.x, s, 1e-6);
    CHECK_NEAR(work, m * s * s, 0.02 * m * s * s);
    CHECK_NEAR(heat, 0.5 * m * s * s, 0.02 * m * s * s);

    // it never sleeps there; the belt stops, and so does the crate, until the belt runs the other way
    cairn_material still = carrying(0.0, 0.0), back = carrying(-1.0, 0.0);
    OK(cairn_body_set_material(world, belt, &still, NULL));
    worlds_run(world, 120);
    CHECK_NEAR(cairn_norm(worlds_state(world, crate).velocity), 0.0, 1e-6);
    CHECK(worlds_state(world, crate).asleep);
    OK(cairn_body_set_material(world, belt, &back, NULL));
    worlds_run(world, 60);
    CHECK_NEAR(worlds_state(world, crate).velocity.x, -1.0, 1e-6);
    cairn_world_destroy(world);
}
END

// what cannot go with it is pushed against a stop by μ m g
TEST(a_blocked_crate_presses_by_its_friction)
{
    cairn_world* world = world_of(false);
    add_conveyor(world, 1.5);
    worlds_add(world, CAIRN_BODY_STATIC, cube(1.0), cairn_vec(3.0, 0.0, 1.0));
    cairn_body_id crate = worlds_add(world, CAIRN_BODY_DYNAMIC, cube(0.2), cairn_vec(1.2, 0., 0.2));
    double push = 0.0, weight = worlds_state(world, crate).mass * g;
    worlds_run(world, 180);
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < count; i++) {
        push += fabs(contacts[i].normal.x) > 0.9 ? fabs(contacts[i].impulse.x) / worlds_dt : 0.0;
        if (fabs(contacts[i].normal.z) > 0.9 && contacts[i].impulse.z != 0.0)
            CHECK(contacts[i].state == CAIRN_CONTACT_SLIDE);
    }
    // friction lifts or presses it at the stop by at most μ of what presses there
    CHECK_NEAR(push, mu * weight, 0.4 * mu * weight);
    CHECK_NEAR(worlds_state(world, crate).velocity.x, 0.0, 1e-6);
    cairn_world_destroy(world);
}
END

// More contacts than are solved to second order go through vector lanes: a static surface that moves and
// a kinematic belt that stays give the same motion.
TEST(a_surface_moves_a_pile_as_a_belt_does)
{
    double x[2][27];
    for (int k = 0; k < 2; k++) {
        cairn_world* world = world_of(false);
        cairn_shape slab = cairn_shape_box(cairn_vec(100.0, 5.0, 0.1));
        cairn_body_def def = cairn_default_body_def();
        cairn_body_id id, crates[27];
        cairn_shape plate = cairn_shape_box(cairn_vec(0.2, 0.2, 0.05)); // too flat to topple
        def.type = k == 0 ? CAIRN_BODY_STATIC : CAIRN_BODY_KINEMATIC;
        def.shape = &slab;
        def.pose.p.z = -0.1;
        def.belt = k == 1;
        def.velocity.x = k == 1 ? 1.0 : 0.0;
        def.material = carrying(k == 0 ? 1.0 : 0.0, 0.0);
        OK(cairn_world_add_body(world, &def, &id, NULL));
        for (int i = 0; i < 27; i++)
            crates[i] =
                worlds_add(world, CAIRN_BODY_DYNAMIC, plate,
                           cairn_vec(0.405 * (i % 3), 0.405 * (i / 3 % 3), 0.05 + 0.1 * (i / 9)));
        cairn_step_report report = worlds_run(world, 90);
        CHECK(report.contacts >= 100);
        CHECK_BELOW(report.residual, 2e-3);
        for (int i = 0; i < 27; i++) {
            x[k][i] = worlds_state(world, crates[i]).pose.p.x;
            CHECK_NEAR(worlds_state(world, crates[i]).velocity.x, 1.0, 0.01);
        }
        cairn_world_destroy(world);
    }
    for (int i = 0; i < 27; i++)
        CHECK_NEAR(x[0][i], x[1][i], 0.005);
}
END

// ---------------------------------------------------------------- vehicles

// a hull between two tracks, as parts of one body; the tracks run at these speeds
typedef struct vehicle {
    cairn_compound* shape;
    cairn_part parts[3];
} vehicle;

static cairn_body_id add_tank(cairn_world* world, vehicle* tank, double left, double right)
{
    const cairn_shape track = cairn_shape_box(cairn_vec(1.0, 0.15, 0.25));
    const cairn_shape shapes[3] = {cairn_shape_box(cairn_vec(1.0, 0.4, 0.2)), track, track};
    const cairn_quat one = cairn_quat_identity();
    const cairn_transform offsets[3] = {{cairn_vec(0.0, 0.0, 0.4), one},
                                        {cairn_vec(0.0, 0.6, 0.25), one},
                                        {cairn_vec(0.0, -0.6, 0.25), one}};
    OK(cairn_compound_create(shapes, offsets, 3, &tank->shape, NULL));
    cairn_shape shape = cairn_shape_compound(tank->shape);
    cairn_part* parts = tank->parts;
    for (int i = 0; i < 3; i++)
        parts[i] = cairn_default_part();
    parts[1].material = carrying(-left, 0.0);
    parts[2].material = carrying(-right, 0.0);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.shape = &shape;
    def.parts = parts;
    OK(cairn_world_add_body(world, &def, &id, NULL));
    return id;
}

// v = μ g t up to the speed of the tracks, straight
TEST(a_tank_reaches_the_speed_of_its_tracks)
{
    cairn_world* world = world_of(true);
    vehicle made;
    worlds_ground(world);
    cairn_body_id tank = add_tank(world, &made, 3.0, 3.0);
    double work = 0.0, heat = 0.0, m = worlds_state(world, tank).mass;
    for (int i = 0; i < 120; i++) {
        cairn_step_report report = worlds_run(world, 1);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        work += report.motion.work_external;
        heat += report.motion.dissipated + report.motion.dissipated_numeric;
        if (i == 17)
            CHECK_NEAR(worlds_state(world, tank).velocity.x, mu * g * 0.3, 2e-3);
    }
    cairn_body_state now = worlds_state(world, tank);
    CHECK_NEAR(now.velocity.x, 3.0, 1e-5);
    CHECK_NEAR(now.pose.p.y, 0.0, 1e-5);
    CHECK_NEAR(now.pose.p.x, 3.0 * 2.0 - 0.5 * 9.0 / (mu * g), 0.02);
    CHECK_NEAR(work, m * 9.0, 0.03 * m * 9.0);
    CHECK_NEAR(heat, 0.5 * m * 9.0, 0.03 * m * 9.0);

    // half round, and back: other materials of its parts
    made.parts[1].material = carrying(1.0, 0.0);
    made.parts[2].material = carrying(1.0, 0.0);
    cairn_body_def def;
    OK(cairn_body_get_def(world, tank, &def, NULL));
    OK(cairn_body_set_shape(world, tank, def.shape, def.shape_offset, made.parts, 0.0, NULL));
    worlds_run(world, 120);
    CHECK_NEAR(worlds_state(world, tank).velocity.x, -1.0, 1e-5);
    cairn_world_destroy(world);
    cairn_compound_destroy(made.shape);
}
END

// Off a pile of loose planks the normals turn within each step: what the tracks do is booked blow by blow,
// square to each, so that no energy comes from nowhere.
TEST(a_tank_leaves_a_pile_of_planks_and_the_balance_holds)
{
    cairn_world* world = world_of(false);
    vehicle made;
    double gain = 0.0, work = 0.0;
    worlds_ground(world);
    for (int i = 0; i < 8; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.9, 0.05)),
                   cairn_vec(0.45 * (i % 4) - 0.6, 0.0, 0.05 + 0.1 * (i / 4)));
    cairn_body_id tank = add_tank(world, &made, 2.0, 2.0);
    OK(cairn_body_set_pose(
        world, tank, (cairn_transform){cairn_vec(0.0, 0.0, 0.2), cairn_quat_identity()}, NULL));
    for (int i = 0; i < 150; i++) {
        cairn_step_report report = worlds_run(world, 1);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        gain += report.motion.energy_defect;
        work += fabs(report.motion.work_external);
    }
    CHECK(worlds_state(world, tank).pose.p.x > 2.0);
    CHECK_NEAR(worlds_state(world, tank).pose.p.z, 0.0, 0.05);
    CHECK(work > 1000.0);
    CHECK_BELOW(gain, 1e-3 * work);
    cairn_world_destroy(world);
    cairn_compound_destroy(made.shape);
}
END

// 100 m/s: a long body is traced from blow to blow, and each knows the surface
TEST(a_fast_body_takes_no_energy_that_the_surface_has_not_given)
{
    cairn_world* world = world_of(false);
    double gain = 0.0, work = 0.0;
    add_conveyor(world, -30.0);
    cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_capsule(0.05, 0.3),
                                  cairn_vec(-20.0, 0.0, 3.0));
    OK(cairn_body_set_velocity(world, id, cairn_vec(60.0, 0.0, -80.0), cairn_vec(9.0, 9.0, 0.0),
                               NULL));
    for (int i = 0; i < 30; i++) {
        cairn_step_report report = worlds_run(world, 1);
        gain += report.motion.energy_defect;
        work += report.motion.work_external;
    }
    CHECK(worlds_state(world, id).velocity.x < 59.0);
    CHECK(work > 0.0); // of the heat μ N (60 + 30) m/s the drive pays its share
    CHECK_BELOW(gain, 1e-3 * work);
    cairn_world_destroy(world);
}
END

// opposite tracks turn it about its center, which stays; a drive beyond the friction slips on ice
TEST(opposite_tracks_turn_a_tank_in_place)
{
    cairn_world* world = world_of(false);
    vehicle made;
    worlds_ground(world);
    cairn_body_id tank = add_tank(world, &made, -1.0, 1.0);
    cairn_step_report report = worlds_run(world, 180);
    cairn_body_state now = worlds_state(world, tank);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK_NEAR(now.center.x, 0.0, 1e-3);
    CHECK_NEAR(now.center.y, 0.0, 1e-3);
    CHECK(now.spin.z > 0.1 && now.spin.z < 1.0 / 0.45);
    cairn_world_destroy(world);
    cairn_compound_destroy(made.shape);
}
END

// ---------------------------------------------------------------- other ways of solving

// A ball that falls on a surface that runs gets the tangential impulse of Coulomb's law, μ (1 + e) m v, as
// long as it slips; soft and lean contacts know the surface, too.
TEST(blows_springs_and_lean_steps_know_the_surface)
{
    const double e = 0.5, h = 0.5;
    cairn_world* world = world_of(false);
    add_conveyor(world, 20.0);
    cairn_shape ball = cairn_shape_sphere(0.2);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id, soft;
    def.shape = &ball;
    def.pose.p.z = 0.2 + h;
    def.material.mu = mu;
    def.material.restitution = 1.0;
    def.material.restitution_rule = CAIRN_COMBINE_MEAN; // with the belt's 0
    OK(cairn_world_add_body(world, &def, &id, NULL));
    worlds_run(world, 24); // it falls for 0.32 s
    double fall = sqrt(2.0 * g * h);
    CHECK_NEAR(worlds_state(world, id).velocity.x, mu * (1.0 + e) * fall,
               2.0 * mu * g * worlds_dt / 4.0); // to gravity within a substep

    // a soft crate slides until it has the speed of the surface
    cairn_shape crate = cube(0.2);
    def.shape = &crate;
    def.pose.p = cairn_vec(0.0, 2.0, 0.2);
    def.material.restitution = 0.0;
    def.material.stiffness = 1e5;
    def.material.damping = 1e3;
    OK(cairn_world_add_body(world, &def, &soft, NULL));
    worlds_run(world, 60);
    CHECK_NEAR(worlds_state(world, soft).velocity.x, mu * g, 0.05 * mu * g);
    cairn_world_destroy(world);

    // no time at all: lean steps
    cairn_world_def lean = cairn_default_world_def();
    lean.work = 1.0;
    world = worlds_empty(lean);
    add_conveyor(world, 1.0);
    for (int i = 0; i < 24; i++)
        id = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.05)),
                        cairn_vec(0.405 * (i % 4), 0.405 * (i / 4 % 3), 0.05 + 0.1 * (i / 12)));
    cairn_step_report report = worlds_run(world, 120);
    CHECK(report.outcome == CAIRN_OUTCOME_TIME_LIMIT);
    CHECK_NEAR(worlds_state(world, id).velocity.x, 1.0, 0.01);
    cairn_world_destroy(world);
}
END

// what lies still on a surface that hardly moves has static friction, what slips has not
TEST(static_friction_is_that_of_the_slip)
{
    double speeds[2] = {5e-4, 0.5}, share[2];
    for (int k = 0; k < 2; k++) {
        cairn_world* world = world_of(false);
        add_conveyor(world, speeds[k]);
        cairn_body_def def = cairn_default_body_def();
        cairn_shape crate = cube(0.2);
        cairn_body_id id;
        def.shape = &crate;
        def.pose.p.z = 0.2;
        def.material.mu = 0.1;
        def.material.mu_static = 0.6;
        def.material.friction_rule = CAIRN_COMBINE_SMALLER;
        OK(cairn_world_add_body(world, &def, &id, NULL));
        double m = worlds_state(world, id).mass;

        // held by 0.3 of its weight
        OK(cairn_body_add_force(world, id, cairn_vec(-0.3 * m * g, 0.0, 0.0),
                                cairn_vec(0.0, 0.0, 0.0), NULL));
        worlds_run(world, 1);
        share[k] = worlds_state(world, id).velocity.x / (g * worlds_dt);
        cairn_world_destroy(world);
    }
    CHECK_NEAR(share[0], 5e-4 / (g * worlds_dt), 1e-3); // it goes with the surface
    CHECK_NEAR(share[1], -0.3 + 0.1, 1e-3);             // it slips
}
END

TEST(a_surface_velocity_goes_through_bytes_and_nonsense_is_refused)
{
    cairn_world* world = world_of(true);
    cairn_body_id belt = add_conveyor(world, 2.0);
    worlds_add(world, CAIRN_BODY_DYNAMIC, cube(0.2), cairn_vec(0., 0., 0.2));
    worlds_run(world, 10);
    static unsigned char bytes[1 << 16];
    size_t size;
    cairn_snapshot *taken, *read;
    OK(cairn_world_snapshot(world, &taken, NULL));
    OK(cairn_snapshot_write(taken, NULL, 0, bytes, sizeof bytes, &size, NULL));
    OK(cairn_snapshot_read(bytes, size, NULL, 0, &read, NULL));
    worlds_run(world, 50);
    uint64_t there = cairn_world_hash(world);
    OK(cairn_world_restore(world, read, NULL));
    worlds_run(world, 50);
    CHECK(cairn_world_hash(world) == there);
    cairn_material m;
    OK(cairn_body_get_material(world, belt, &m, NULL));
    CHECK(m.surface_velocity.x == 2.0);
    m.surface_velocity.y = NAN;
    CHECK(cairn_body_set_material(world, belt, &m, NULL) == CAIRN_BAD_INPUT);
    cairn_snapshot_destroy(taken);
    cairn_snapshot_destroy(read);
    cairn_world_destroy(world);
}
END

TESTS(a_conveyor_that_stays_carries_a_crate_and_pays_for_it,
      a_blocked_crate_presses_by_its_friction, a_surface_moves_a_pile_as_a_belt_does,
      a_tank_reaches_the_speed_of_its_tracks, a_tank_leaves_a_pile_of_planks_and_the_balance_holds,
      a_fast_body_takes_no_energy_that_the_surface_has_not_given,
      opposite_tracks_turn_a_tank_in_place, blows_springs_and_lean_steps_know_the_surface,
      static_friction_is_that_of_the_slip,
      a_surface_velocity_goes_through_bytes_and_nonsense_is_refused)
