// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Smooth motion without contacts, at the default settings unless a test says otherwise: free
// bodies, pendulums, tops, springs and dampers against closed forms and references that were
// integrated to 1e-9 by a Runge-Kutta method.

#include "check_cairn.h"
#include "mechanisms.h"
#include "worlds.h"
#include <math.h>

static const cairn_vec3 zero = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};
static const double default_accuracy = 1e-4;
enum { default_most = 64 };

static cairn_world* make(void)
{
    return mechanism_make(default_accuracy, 1, default_most);
}

static void set_velocity(cairn_world* world, cairn_body_id id, cairn_vec3 v, cairn_vec3 w)
{
    CHECK(cairn_body_set_velocity(world, id, v, w, NULL) == CAIRN_OK);
}

static cairn_transform at(cairn_vec3 p, cairn_vec3 direction)
{
    return (cairn_transform){p, mechanism_turn(direction)};
}

// rods of 1 m and 1 kg in a row, level, on ball joints
static cairn_body_id rods(cairn_world* world, int count)
{
    return mechanism_chain(world, count, 1.0, 1.0, 0.0141421356);
}

// ---------------------------------------------------------------- free bodies

TEST(a_projectile_is_exact)
{
    cairn_world* world = make();
    cairn_body_id id = mechanism_body(world, 2.0, cairn_vec(1.0, 2.0, 3.0), at(zero, z_axis));
    set_velocity(world, id, cairn_vec(3.0, -1.0, 7.0), zero);
    mechanism_run run = mechanism_step(world, 120);
    cairn_body_state state = worlds_state(world, id);
    CHECK_NEAR(state.center.x, 6.0, 1e-12);
    CHECK_NEAR(state.center.z, 14.0 - 2.0 * mechanism_g, 1e-12);
    CHECK_NEAR(state.velocity.z, 7.0 - 2.0 * mechanism_g, 1e-12);
    CHECK_BELOW(run.balance, 1e-11);
    cairn_world_destroy(world);
}
END

TEST(damping_decays_by_its_exponential_and_forces_do_their_work)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = zero;
    cairn_world* world = worlds_empty(def);
    cairn_body_def body = cairn_default_body_def();
    cairn_body_id id;
    body.mass = 2.0;
    body.inertia = cairn_mat3_diagonal(0.3, 0.3, 0.3);
    body.velocity = x_axis;
    body.spin = cairn_vec(0.0, 0.0, 5.0);
    body.linear_damping = 2.0;
    body.angular_damping = 3.0;
    CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);

    CHECK_BELOW(mechanism_step(world, 60).balance, 1e-12);
    CHECK_NEAR(worlds_state(world, id).velocity.x, exp(-2.0), 1e-12);
    CHECK_NEAR(worlds_state(world, id).spin.z, 5.0 * exp(-3.0), 1e-12);
    cairn_world_destroy(world);

    // a constant push: v = F/m t, and its work is the kinetic energy
    world = worlds_empty(def);
    body.linear_damping = body.angular_damping = 0.0;
    CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);
    double work = 0.0, before = mechanism_energy(world);

    for (int i = 0; i < 60; i++) {
        cairn_step_report report;
        CHECK(cairn_body_add_force(world, id, cairn_vec(4.0, 0.0, 0.0),
                                   worlds_state(world, id).center, NULL) == CAIRN_OK);
        CHECK(cairn_body_add_torque(world, id, cairn_vec(0.0, 0.0, 0.6), NULL) == CAIRN_OK);
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        work += report.motion.work_external;
    }

    CHECK_NEAR(worlds_state(world, id).velocity.x, 3.0, 1e-12);
    CHECK_NEAR(worlds_state(world, id).spin.z, 7.0, 1e-12);
    CHECK_NEAR(mechanism_energy(world) - before, work, 1e-11);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- pendulums

// seconds between the first and the last passage below the pivot, over their number
static double period(cairn_world* world, cairn_body_id id, int steps)
{
    double first = 0.0, last = 0.0, x = worlds_state(world, id).center.x;
    int passages = 0;
    for (int i = 0; i < steps; i++) {
        worlds_run(world, 1);
        double next = worlds_state(world, id).center.x;
        if (x * next < 0.0) {
            last = (i + x / (x - next)) * worlds_dt;
            first = passages++ == 0 ? last : first;
        }
        x = next;
    }
    return 2.0 * (last - first) / (passages - 1);
}

TEST(a_pendulum_keeps_its_period_and_its_energy)
{
    cairn_world* world = make();
    cairn_body_id rod = rods(world, 1);

    // 4 K(sin 45°) / sqrt(3g/2)
    CHECK_NEAR(period(world, rod, 1200), 1.93334, 5e-4);
    CHECK_BELOW(fabs(mechanism_energy(world)), 3e-3);

    // no drift: as close after ten times as long
    mechanism_run run = mechanism_step(world, CHECK_SLOW_BUILD ? 4000 : 20000);

    CHECK_BELOW(fabs(mechanism_energy(world)), 3e-3);
    CHECK_BELOW(run.gain, 3e-3);
    CHECK_BELOW(run.joint_error, 1e-8);
    CHECK_BELOW(run.balance, 1e-10);
    ck_assert_int_eq(run.missed, 0);
    cairn_world_destroy(world);
}
END

// the end of the second rod after 2 s, against a reference of 1e-9
static double double_pendulum_error(double accuracy, int substeps, int most)
{
    cairn_world* world = mechanism_make(accuracy, substeps, most);
    cairn_body_id rod = mechanism_chain(world, 2, 1.0, 1.0, 1e-6);
    mechanism_step(world, 120);
    cairn_vec3 tip = cairn_transform_point(worlds_state(world, rod).pose, cairn_vec(0.0, 0.0, 0.5));
    cairn_world_destroy(world);
    return cairn_norm(cairn_sub(tip, cairn_vec(0.313524776, 0.0, -1.914746618)));
}

TEST(a_double_pendulum_is_of_second_order)
{
    CHECK_BELOW(double_pendulum_error(default_accuracy, 1, default_most), 4e-3);
    double coarse = double_pendulum_error(1.0, 4, 4), middle = double_pendulum_error(1.0, 8, 8),
           fine = double_pendulum_error(1.0, 16, 16);
    CHECK_BELOW(coarse, 1e-3);
    CHECK_NEAR(coarse / middle, 4.0, 0.1);
    CHECK_NEAR(middle / fine, 4.0, 0.1);
}
END

// chaos does not make energy
TEST(a_double_pendulum_neither_gains_nor_loses_in_a_long_run)
{
    cairn_world* world = make();
    rods(world, 2);
    mechanism_run run = mechanism_step(world, CHECK_SLOW_BUILD ? 1000 : 20000);
    CHECK_BELOW(run.gain, 0.02);
    CHECK_BELOW(-run.change, 0.2);
    CHECK_BELOW(run.joint_error, 1e-8);
    cairn_world_destroy(world);
}
END

TEST(a_spherical_pendulum_follows_its_reference_for_20_s)
{
    cairn_world* world = mechanism_make(1e-5, 1, default_most);
    cairn_vec3 d = {sin(1.0), 0.0, -cos(1.0)};
    cairn_vec3 w = cairn_add_scaled(cairn_vec(0.0, 0.0, 2.0), -2.0 * d.z, d);
    cairn_body_id rod =
        mechanism_body(world, 1.0, mechanism_rod(1.0, 1.0, 1e-6), at(cairn_scale(0.5, d), d));
    mechanism_join(world, CAIRN_JOINT_BALL, mechanism_world, rod, zero, z_axis);
    set_velocity(world, rod, cairn_cross(w, cairn_scale(0.5, d)), w);
    mechanism_step(world, 1200);
    cairn_vec3 end = cairn_scale(2.0, worlds_state(world, rod).center);
    cairn_vec3 reference = {-0.476078398, 0.614828265, -0.628757158};
    CHECK_BELOW(cairn_norm(cairn_sub(end, reference)), 2e-3);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- tops

// A disk on a rod that precesses steadily: Ω from I_1 cosθ Ω² - I_s ω Ω + m g l = 0.
static void check_top(double spin, double substeps)
{
    const double m = 1.0, l = 0.3, r = 0.2, tilt = acos(-1.0) / 6.0;
    double own = 0.5 * m * r * r, across = 0.5 * own, a = (across + m * l * l) * cos(tilt);
    double omega =
        (own * spin - sqrt(own * spin * own * spin - 4.0 * a * m * mechanism_g * l)) / (2.0 * a);
    cairn_world* world = make();
    cairn_vec3 axis = {sin(tilt), 0.0, cos(tilt)};
    cairn_vec3 w = cairn_add_scaled(cairn_vec(0.0, 0.0, omega), spin - omega * cos(tilt), axis);
    cairn_body_id top =
        mechanism_body(world, m, cairn_vec(across, across, own), at(cairn_scale(l, axis), axis));
    mechanism_join(world, CAIRN_JOINT_BALL, mechanism_world, top, zero, z_axis);
    set_velocity(world, top, cairn_cross(w, cairn_scale(l, axis)), w);

    // the way round is summed from step to step, and the tilt stays
    double turned = 0.0, heading = 0.0, worst = 0.0, taken = 0.0;
    for (int i = 0; i < 300; i++) {
        taken += mechanism_step(world, 1).substeps / 300.0;
        cairn_vec3 p = worlds_state(world, top).center;
        double next = atan2(p.y, p.x);
        turned += remainder(next - heading, 4.0 * acos(0.0));
        heading = next;
        worst = fmax(worst, fabs(acos(p.z / cairn_norm(p)) - tilt));
    }

    cairn_body_state state = worlds_state(world, top);
    CHECK_BELOW(worst, 0.01 * acos(-1.0) / 180.0);
    CHECK_NEAR(turned / 5.0 / omega, 1.0, 3e-4);
    CHECK_NEAR(cairn_dot(state.spin, cairn_rotate(state.pose.q, z_axis)) / spin, 1.0, 1e-6);
    CHECK_BELOW(taken, substeps);
    cairn_world_destroy(world);
}

TEST(tops_precess_at_their_tilt)
{
    check_top(100.0, 4.0);
    check_top(400.0, 8.0);
}
END

// A rotor on the hinge of a platform that tumbles freely in space.
static cairn_vec3 gyrostat_axis(double spin, int substeps, double* momentum_change)
{
    cairn_world* world = mechanism_make(substeps > 1 ? 1.0 : default_accuracy, substeps,
                                        substeps > 1 ? substeps : default_most);
    CHECK(cairn_world_set_gravity(world, zero, NULL) == CAIRN_OK);
    cairn_body_id base = mechanism_body(world, 5.0, cairn_vec(0.5, 0.7, 0.9), at(zero, z_axis));
    cairn_body_id rotor = mechanism_body(world, 1.0, cairn_vec(0.01, 0.01, 0.02),
                                         at(cairn_scale(0.1, z_axis), z_axis));
    mechanism_join(world, CAIRN_JOINT_HINGE, base, rotor, cairn_scale(0.1, z_axis), z_axis);
    set_velocity(world, base, zero, cairn_vec(0.6, 0.4, 0.0));
    set_velocity(world, rotor, cairn_cross(cairn_vec(0.6, 0.4, 0.0), cairn_scale(0.1, z_axis)),
                 cairn_vec(0.6, 0.4, spin));
    cairn_vec3 L[2];

    // angular momentum of both bodies before and after
    for (int k = 0; k < 2; k++) {
        const cairn_body_id ids[2] = {base, rotor};
        L[k] = zero;

        for (int i = 0; i < 2; i++) {
            cairn_body_state s = worlds_state(world, ids[i]);
            cairn_vec3 I = i ? cairn_vec(0.01, 0.01, 0.02) : cairn_vec(0.5, 0.7, 0.9);
            cairn_vec3 own = cairn_rotate_back(s.pose.q, s.spin);
            L[k] = cairn_add(L[k], cairn_cross(s.center, cairn_scale(s.mass, s.velocity)));
            L[k] = cairn_add(
                L[k], cairn_rotate(s.pose.q, cairn_vec(I.x * own.x, I.y * own.y, I.z * own.z)));
        }

        if (k == 0)
            mechanism_step(world, 120);
    }

    *momentum_change = cairn_norm(cairn_sub(L[1], L[0])) / cairn_norm(L[0]);
    cairn_vec3 axis = cairn_rotate(worlds_state(world, base).pose.q, z_axis);
    cairn_world_destroy(world);
    return axis;
}

TEST(a_rotor_on_a_tumbling_platform_turns_its_axis_as_it_must)
{
    const double spins[2] = {100.0, 400.0};
    for (int k = 0; k < 2; k++) {
        double change, ignored;
        cairn_vec3 axis = gyrostat_axis(spins[k], 1, &change);
        cairn_vec3 reference = gyrostat_axis(spins[k], CHECK_SLOW_BUILD ? 128 : 512, &ignored);
        CHECK_BELOW(cairn_norm(cairn_sub(axis, reference)), 2e-4);
        CHECK_BELOW(change, 1e-4);
    }
}
END

// ---------------------------------------------------------------- springs and dampers

// a body on a slider along z with a spring, 0.1 m from its rest
static cairn_world* spring(double stiffness, double damping, int most, cairn_joint_id* id)
{
    cairn_world* world = mechanism_make(default_accuracy, 1, most);
    CHECK(cairn_world_set_gravity(world, zero, NULL) == CAIRN_OK);
    cairn_vec3 start = {0.0, 0.0, 0.1};
    cairn_body_id body = mechanism_body(world, 1.0, cairn_vec(1.0, 1.0, 1.0), at(start, z_axis));
    cairn_joint_def def =
        mechanism_joint(world, CAIRN_JOINT_SLIDER, mechanism_world, body, start, z_axis);
    def.frame_a.p = zero;
    def.stiffness = stiffness;
    def.damping = damping;
    *id = mechanism_add(world, &def);
    return world;
}

typedef struct swing {
    double frequency, amplitude; // rad/s; m: the largest of the last tenth
} swing;

static swing swing_of(cairn_world* world, cairn_joint_id id, int steps)
{
    swing out = {0.0, 0.0};
    double first = 0.0, last = 0.0, x = mechanism_coordinate(world, id);
    int passages = 0;

    for (int i = 0; i < steps; i++) {
        worlds_run(world, 1);
        double next = mechanism_coordinate(world, id);
        if (x * next < 0.0) {
            last = (i + x / (x - next)) * worlds_dt;
            first = passages++ == 0 ? last : first;
        }
        if (i >= 9 * steps / 10)
            out.amplitude = fmax(out.amplitude, fabs(next));
        x = next;
    }

    out.frequency = acos(-1.0) * (passages - 1) / (last - first);
    return out;
}

// one substep: the implicit midpoint rule, tan(h ω'/2) = h ω/2
TEST(a_spring_keeps_its_amplitude_for_ten_thousand_steps)
{
    cairn_joint_id id;
    cairn_world* world = spring(100.0, 0.0, 1, &id);
    swing s = swing_of(world, id, CHECK_SLOW_BUILD ? 2000 : 10000);
    CHECK_NEAR(s.frequency, 2.0 / worlds_dt * atan(5.0 * worlds_dt), 1e-3);
    // the step that is nearest to the turning point: 1 - (ω h/2)²/2
    CHECK_NEAR(s.amplitude, 0.1, 1e-4);
    cairn_world_destroy(world);
}
END

TEST(a_stiff_spring_takes_the_substeps_that_it_needs)
{
    cairn_joint_id id;
    cairn_world* world = spring(1e4, 0.0, default_most, &id);
    swing s = swing_of(world, id, 600);
    CHECK_NEAR(s.frequency, 100.0, 1.0);
    CHECK_NEAR(s.amplitude, 0.1, 1e-3);
    cairn_world_destroy(world);
}
END

// A wheel on its axle: the arms of the joint are zero, and the axis lies across all axes of the world,
// so that angles have round-off. x = 0.1 cos 5 t, every step converged.
TEST(a_torsion_spring_on_a_tilted_axle_through_the_center_swings)
{
    cairn_world* world = make();
    CHECK(cairn_world_set_gravity(world, zero, NULL) == CAIRN_OK);
    cairn_vec3 axis = cairn_normalize(cairn_vec(0.6, -1.1, 0.3));
    cairn_quat turned =
        cairn_quat_multiply(mechanism_turn(axis), cairn_quat_from_rotation_vector(x_axis));
    cairn_body_id id =
        mechanism_body(world, 1.0, cairn_vec(1.0, 1.0, 1.0), (cairn_transform){zero, turned});
    cairn_joint_def def =
        mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, id, zero, axis);
    def.stiffness = 25.0;
    def.rest = -0.1;
    cairn_joint_id hinge = mechanism_add(world, &def);

    CHECK(mechanism_step(world, 300).missed == 0);
    CHECK_NEAR(mechanism_coordinate(world, hinge) + 0.1, 0.1 * cos(25.0), 5e-3);
    cairn_world_destroy(world);
}
END

// nothing but round-off and the tolerance of the joint moves at first: no step may be told as missed
TEST(a_pendulum_let_go_just_beside_its_highest_point_converges)
{
    cairn_world* world = mechanism_make(default_accuracy, 4, default_most);
    const double beside = acos(-1.0) / 180.0, length = 10.0;
    cairn_vec3 up = {sin(beside), 0.0, cos(beside)};
    cairn_body_id id = mechanism_body(world, 3.0, mechanism_rod(3.0, length, 0.01),
                                      at(cairn_scale(0.5 * length, up), up));
    mechanism_join(world, CAIRN_JOINT_HINGE, mechanism_world, id, zero, y_axis);
    mechanism_run run = mechanism_step(world, 600);
    CHECK(run.missed == 0);
    CHECK_BELOW(run.gain, 1e-3);
    cairn_world_destroy(world);
}
END

// x = x0 e^-ζωt (...), the closed forms of one degree of freedom
TEST(dampers_follow_their_closed_forms)
{
    cairn_joint_id id;

    // overdamped: the slow root of s² + c s + k is nearly -k/c
    cairn_world* world = spring(1000.0, 1e4, default_most, &id);

    mechanism_step(world, 300);
    double slow = -0.5 * 1e4 * (1.0 - sqrt(1.0 - 4.0 * 1000.0 / 1e8));
    double fast = -1e4 - slow;
    double exact = 0.1 * (fast * exp(slow * 5.0) - slow * exp(fast * 5.0)) / (fast - slow);

    CHECK_NEAR(mechanism_coordinate(world, id), exact, 1e-5);
    cairn_world_destroy(world);

    // critical: x = x0 (1 + ω t) e^-ωt, with substeps enough for 1e-4 of x0
    world = spring(25.0, 10.0, default_most, &id);
    mechanism_step(world, 30);

    CHECK_NEAR(mechanism_coordinate(world, id), 0.1 * (1.0 + 2.5) * exp(-2.5), 1e-4);
    cairn_world_destroy(world);

    // a damper alone: v = v0 e^-ct/m exactly
    world = spring(0.0, 3.0, default_most, &id);
    set_velocity(world, (cairn_body_id){0, 1}, z_axis, zero);
    mechanism_step(world, 60);

    CHECK_NEAR(worlds_state(world, (cairn_body_id){0, 1}).velocity.z, exp(-3.0), 1e-12);
    cairn_world_destroy(world);
}
END

TEST(what_hangs_still_is_held_by_its_weight)
{
    cairn_joint_id id;
    cairn_joint_state state;
    cairn_world* world = spring(200.0, 20.0, default_most, &id);
    CHECK(cairn_world_set_gravity(world, cairn_vec(0.0, 0.0, -mechanism_g), NULL) == CAIRN_OK);
    mechanism_step(world, 1200);

    CHECK_NEAR(mechanism_coordinate(world, id), -mechanism_g / 200.0, 1e-9);
    cairn_world_destroy(world);

    // damping does not lower weights
    world = make();
    cairn_body_def body = cairn_default_body_def();
    cairn_body_id block;
    body.mass = 2.0;
    body.inertia = cairn_mat3_diagonal(1.0, 1.0, 1.0);
    body.linear_damping = 10.0;
    CHECK(cairn_world_add_body(world, &body, &block, NULL) == CAIRN_OK);
    id = mechanism_join(world, CAIRN_JOINT_FIXED, mechanism_world, block, zero, z_axis);

    mechanism_step(world, 10);
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_OK);

    CHECK_NEAR(state.impulse.z, 2.0 * mechanism_g * worlds_dt, 1e-9);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- the same numbers

// three chains, of which two have enough joints for threads
static cairn_world* many_chains(int threads)
{
    cairn_world_def def = cairn_default_world_def();
    def.threads = threads;
    cairn_world* world = worlds_empty(def);

    for (int k = 0; k < 4; k++) {
        cairn_body_id last = mechanism_world;
        for (int i = 0; i < 25; i++) {
            cairn_vec3 from = {0.1 * i, 1.0 * k, 0.0}, middle = {0.1 * i + 0.05, 1.0 * k, 0.0};
            cairn_body_id rod =
                mechanism_body(world, 0.1, mechanism_rod(0.1, 0.1, 0.01), at(middle, x_axis));
            mechanism_join(world, i % 5 == 4 ? CAIRN_JOINT_HINGE : CAIRN_JOINT_BALL, last, rod,
                           from, y_axis);
            last = rod;
        }
    }

    return world;
}

TEST(threads_and_snapshots_give_the_same_bits)
{
    const int threads[3] = {1, 2, 8};
    uint64_t hash[3];

    for (int k = 0; k < 3; k++) {
        cairn_world* world = many_chains(threads[k]);
        mechanism_step(world, 40);
        cairn_snapshot* snapshot;
        CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
        mechanism_step(world, 20);
        hash[k] = cairn_world_hash(world);
        CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
        mechanism_step(world, 20);
        CHECK(cairn_world_hash(world) == hash[k]);
        cairn_snapshot_destroy(snapshot);
        cairn_world_destroy(world);
    }

    CHECK(hash[0] == hash[1] && hash[1] == hash[2]);
}
END

TESTS(a_projectile_is_exact, damping_decays_by_its_exponential_and_forces_do_their_work,
      a_pendulum_keeps_its_period_and_its_energy, a_double_pendulum_is_of_second_order,
      a_double_pendulum_neither_gains_nor_loses_in_a_long_run,
      a_spherical_pendulum_follows_its_reference_for_20_s, tops_precess_at_their_tilt,
      a_rotor_on_a_tumbling_platform_turns_its_axis_as_it_must,
      a_spring_keeps_its_amplitude_for_ten_thousand_steps,
      a_stiff_spring_takes_the_substeps_that_it_needs,
      a_torsion_spring_on_a_tilted_axle_through_the_center_swings,
      a_pendulum_let_go_just_beside_its_highest_point_converges, dampers_follow_their_closed_forms,
      what_hangs_still_is_held_by_its_weight, threads_and_snapshots_give_the_same_bits)
