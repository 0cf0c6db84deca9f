// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints beside contacts, with default options: they stay closed to a micrometer whatever they bear,
// no energy is made, and closed forms hold (a car that rolls, a rope over a drum).

#include "check_cairn.h"
#include "worlds.h"
#include <math.h>

static const cairn_vec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};
static const cairn_body_id no_body = {0, 0};
static const double pi = 3.14159265358979323846, g = 9.81;
static const double closed = 1e-6; // m: what joints may gape

// ---------------------------------------------------------------- scenes

static cairn_world* make(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    return worlds_empty(def);
}

static cairn_quat turn(cairn_vec3 axis, double angle)
{
    return cairn_quat_from_rotation_vector(cairn_scale(angle, axis));
}

// mass 0: it does not move
static cairn_body_id add(cairn_world* world, cairn_shape shape, double mass, cairn_vec3 at,
                         cairn_quat q, double mu)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = no_body;
    cairn_error error = {""};
    def.type = mass > 0.0 ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
    def.shape = &shape;
    def.pose = (cairn_transform){at, q};
    def.mass = mass;
    def.material.mu = mu;
    cairn_status status = cairn_world_add_body(world, &def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

static void add_floor(cairn_world* world)
{
    add(world, cairn_shape_half_space(), 0.0, cairn_vec(0.0, 0.0, 0.0), cairn_quat_identity(), 0.5);
}

// a joint at a point of the world, its frame turned by q
static void join(cairn_world* world, cairn_joint_kind kind, cairn_body_id a, cairn_body_id b,
                 cairn_vec3 at, cairn_quat q)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    cairn_joint_id id;
    cairn_transform frame = {at, q};
    def.body_a = a;
    def.body_b = b;
    def.frame_a = frame;
    if (a.generation > 0)
        def.frame_a = cairn_transform_relative(worlds_state(world, a).pose, frame);
    def.frame_b = cairn_transform_relative(worlds_state(world, b).pose, frame);
    CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
}

// links of 10 cm along x on ball joints, from `at` on; the last one
static cairn_body_id add_chain(cairn_world* world, cairn_body_id first, int links, double mass,
                               double radius, cairn_vec3 at)
{
    const double length = 0.1;
    cairn_body_id last = first;
    for (int i = 0; i < links; i++) {
        cairn_vec3 center = cairn_add_scaled(at, (i + 0.5) * length, x_axis);
        cairn_body_id link = add(world, cairn_shape_capsule(radius, 0.5 * length - radius), mass,
                                 center, turn(y_axis, 0.5 * pi), 0.5);
        if (last.generation > 0)
            join(world, CAIRN_JOINT_BALL, last, link, cairn_add_scaled(at, i * length, x_axis),
                 cairn_quat_identity());
        last = link;
    }
    return last;
}

// ---------------------------------------------------------------- runs

typedef struct run {
    double joint_error, penetration; // m: the worst
    double start, gain;              // J: of the whole; the most above its start
    int missed;                      // steps that did not converge
} run;

static run step(cairn_world* world, int steps)
{
    run all = {0};
    for (int k = 0; k < steps; k++) {
        cairn_step_report report;
        cairn_error error = {""};
        cairn_status status = cairn_world_step(world, worlds_dt, &report, &error);
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);
        double energy = report.kinetic + report.potential;
        all.start = k == 0 ? energy : all.start;
        all.gain = fmax(all.gain, energy - all.start);
        all.joint_error = fmax(all.joint_error, report.joint_error);
        all.penetration = fmax(all.penetration, report.penetration);
        all.missed += report.outcome != CAIRN_OUTCOME_CONVERGED;
    }

    return all;
}

static int seconds(double s)
{
    return (int)((CHECK_SLOW_BUILD ? 0.4 : 1.0) * s / worlds_dt);
}

TEST(a_chain_that_falls_on_a_floor_stays_whole)
{
    cairn_world* world = make();
    add_floor(world);
    add_chain(world, no_body, 20, 0.1, 0.02, cairn_vec(0.0, 0.0, 1.0));
    run all = step(world, seconds(3.0));
    CHECK_BELOW(all.joint_error, closed);
    CHECK_BELOW(all.penetration, 1e-4);
    CHECK_BELOW(all.gain, 1e-3 * all.start);
    ck_assert_int_eq(all.missed, 0);
    cairn_world_destroy(world);
}
END

TEST(a_chain_that_falls_over_a_post_stays_whole)
{
    cairn_world* world = make();
    add_floor(world);
    add(world, cairn_shape_cylinder(0.05, 0.5), 0.0, cairn_vec(0.83, 0.0, 1.0),
        turn(x_axis, 0.5 * pi), 0.5);
    add_chain(world, no_body, 20, 0.1, 0.02, cairn_vec(0.0, 0.0, 1.5));
    run all = step(world, seconds(3.0));
    CHECK_BELOW(all.joint_error, closed);
    CHECK_BELOW(all.penetration, 1e-3);
    CHECK_BELOW(all.gain, 1e-3 * all.start);
    cairn_world_destroy(world);
}
END

// a ball on five links of 10 g swings down and hits the floor
TEST(light_links_hold_heavy_loads_that_hit_the_floor)
{
    const double masses[] = {1.0, 100.0, 1e4};
    for (int k = 0; k < 3; k++) {
        cairn_world* world = make();
        const cairn_vec3 at = {0.0, 0.0, 0.3};
        add_floor(world);
        cairn_body_id hook =
            add(world, cairn_shape_sphere(0.01), 0.0, at, cairn_quat_identity(), 0.5);
        cairn_body_id last = add_chain(world, hook, 5, 0.01, 0.01, at);
        cairn_body_id ball = add(world, cairn_shape_sphere(0.05), masses[k],
                                 cairn_add_scaled(at, 0.55, x_axis), cairn_quat_identity(), 0.5);
        join(world, CAIRN_JOINT_BALL, last, ball, cairn_add_scaled(at, 0.5, x_axis),
             cairn_quat_identity());

        run all = step(world, seconds(3.0));
        double height = masses[k] * g * 0.5;

        CHECK_BELOW(all.joint_error, closed);
        CHECK_BELOW(all.penetration, 1e-3);
        CHECK_BELOW(all.gain, 1e-3 * height);
        cairn_world_destroy(world);
    }
}
END

TEST(light_links_stand_under_heavy_plates)
{
    const double masses[] = {1.0, 100.0, 1e4};
    for (int k = 0; k < 3; k += CHECK_SLOW_BUILD ? 2 : 1) {
        cairn_world* world = make();
        add_floor(world);
        add_chain(world, no_body, 5, 0.01, 0.01, cairn_vec(0.0, 0.0, 0.01));
        cairn_body_id plate = add(world, cairn_shape_box(cairn_vec(0.3, 0.3, 0.05)), masses[k],
                                  cairn_vec(0.25, 0.0, 0.07), cairn_quat_identity(), 0.5);
        run all = step(world, seconds(1.0));
        CHECK_BELOW(all.joint_error, closed);
        CHECK_NEAR(worlds_state(world, plate).center.z, 0.07, 1e-6); // it came without a gap
        ck_assert_int_eq(all.missed, 0);
        cairn_world_destroy(world);
    }
}
END

// what holds two planks together: a hinge, or a ball joint at each end of the seam, which repeat
// each other
static void hold(cairn_world* world, bool balls, cairn_body_id a, cairn_body_id b, cairn_vec3 at)
{
    if (!balls) {
        join(world, CAIRN_JOINT_HINGE, a, b, at, turn(x_axis, 0.5 * pi));
        return;
    }
    for (int side = -1; side <= 1; side += 2)
        join(world, CAIRN_JOINT_BALL, a, b, cairn_add_scaled(at, 0.45 * side, y_axis),
             cairn_quat_identity());
}

// twelve planks hang between two hooks: a loop by way of the world
TEST(a_bridge_of_planks_carries_boxes)
{
    enum { planks = 12, boxes = 3 };
    for (int balls = 0; balls < 2; balls++) {
        cairn_world* world = make();
        cairn_vec3 at = {0.0, 0.0, 0.0}, middle[planks];
        cairn_body_id last = no_body;

        // the planks sag along an arc, so that the joints are closed at the start
        for (int i = 0; i < planks; i++) {
            double tilt = 0.4 - 0.8 * i / (planks - 1);
            cairn_vec3 along = cairn_vec(cos(tilt), 0.0, -sin(tilt));
            middle[i] = cairn_add_scaled(at, 0.25, along);
            cairn_body_id plank = add(world, cairn_shape_box(cairn_vec(0.24, 0.5, 0.03)), 10.0,
                                      middle[i], turn(y_axis, tilt), 0.6);
            hold(world, balls, last, plank, at);
            at = cairn_add_scaled(at, 0.5, along);
            last = plank;
        }

        hold(world, balls, no_body, last, at);

        for (int i = 0; i < boxes; i++)
            add(world, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)), 30.0,
                cairn_add_scaled(middle[3 + 3 * i], 0.3 + 0.2 * balls, z_axis),
                cairn_quat_identity(), 0.6);

        run all = step(world, CHECK_SLOW_BUILD ? 15 : 60);
        CHECK_BELOW(all.joint_error, closed);
        CHECK_BELOW(all.penetration, 1e-3);
        CHECK_BELOW(all.gain, 0.1); // of some 200 J that the boxes fall by
        cairn_world_destroy(world);
    }
}
END

// With the mass m of all and I of each of its four wheels, a = m g sin(slope) / (m + 4 I/R²).
TEST(a_car_rolls_down_a_slope_as_the_closed_form_says)
{
    const double slope = 0.2, R = 0.3, body = 500.0, wheel = 20.0, I = 0.5 * wheel * R * R;
    cairn_world* world = make();
    cairn_quat q = turn(y_axis, slope), axle = cairn_quat_multiply(q, turn(x_axis, 0.5 * pi));
    cairn_vec3 up = cairn_rotate(q, z_axis), along = cairn_rotate(q, x_axis);
    cairn_body_id wheels[4];
    add(world, cairn_shape_half_space(), 0.0, cairn_vec(0.0, 0.0, 0.0), q, 0.8);
    cairn_body_id chassis = add(world, cairn_shape_box(cairn_vec(1.0, 0.5, 0.2)), body,
                                cairn_scale(R + 0.1, up), q, 0.8);

    for (int i = 0; i < 4; i++) {
        cairn_vec3 at = cairn_add_scaled(cairn_scale(R, up), i & 1 ? 0.8 : -0.8, along);
        at = cairn_add_scaled(at, i & 2 ? 0.65 : -0.65, y_axis);
        wheels[i] = add(world, cairn_shape_cylinder(R, 0.1), wheel, at, axle, 0.8);
        join(world, CAIRN_JOINT_HINGE, chassis, wheels[i], at, axle);
    }

    int steps = seconds(3.0);
    run all = step(world, steps);

    double m = body + 4.0 * wheel, a = m * g * sin(slope) / (m + 4.0 * I / (R * R));
    double v = a * steps * worlds_dt;

    CHECK_NEAR(cairn_dot(worlds_state(world, chassis).velocity, along), v, 1e-6 * v);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(fabs(worlds_state(world, wheels[i]).spin.y) * R, v, 1e-6 * v);
    CHECK_BELOW(all.joint_error, closed);
    CHECK_BELOW(all.gain, 1e-9 * m * g);
    ck_assert_int_eq(all.missed, 0);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- the balance of energy

// a cart on the floor whose two front wheels are driven; sums of what the certificate says in `sum`
static double drive(cairn_motion* sum, int steps, double strength)
{
    const double R = 0.2;
    cairn_world* world = make();
    cairn_quat axle = turn(x_axis, 0.5 * pi);
    add_floor(world);
    cairn_body_id cart = add(world, cairn_shape_box(cairn_vec(0.8, 0.3, 0.1)), 100.0,
                             cairn_vec(0.0, 0.0, R), cairn_quat_identity(), 0.5);

    for (int i = 0; i < 4; i++) {
        cairn_vec3 at = cairn_vec(i & 1 ? 0.6 : -0.6, i & 2 ? 0.4 : -0.4, R);
        cairn_body_id wheel = add(world, cairn_shape_cylinder(R, 0.05), 5.0, at, axle, 0.5);
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_HINGE);
        cairn_joint_id id;
        cairn_transform frame = {at, axle};
        def.body_a = cart;
        def.body_b = wheel;
        def.frame_a = cairn_transform_relative(worlds_state(world, cart).pose, frame);
        def.frame_b = cairn_transform_relative(worlds_state(world, wheel).pose, frame);
        def.driven = (i & 1) != 0;
        def.speed = -100.0;
        def.strength = strength;
        CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
    }

    // the balance begins after the first step, whose report tells the energy
    cairn_step_report report = {0}, first = {0};
    *sum = (cairn_motion){0};

    for (int k = 0; k < steps; k++) {
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        first = k == 0 ? report : first;
        if (k > 0)
            cairn_motion_add(sum, &report.motion);
    }

    double gained = report.kinetic + report.potential - first.kinetic - first.potential;
    cairn_world_destroy(world);
    return gained;
}

// wheels that roll lose nothing: all that the motors do is energy of the cart
TEST(the_work_of_motors_beside_contacts_is_booked)
{
    cairn_motion sum;
    double gained = drive(&sum, seconds(1.0), 10.0);
    CHECK(sum.work_motor > 1.0);
    CHECK_NEAR(gained, sum.work_motor, 1e-3 * sum.work_motor); // a substep at each end
    CHECK_NEAR(sum.energy_defect, 0.0, 1e-3 * sum.work_motor);
    CHECK_NEAR(sum.dissipated, 0.0, 1e-3 * sum.work_motor);
}
END

// and wheels that spin on the spot lose what friction takes
TEST(wheels_that_spin_dissipate_what_the_motors_do_in_vain)
{
    cairn_motion sum;
    double gained = drive(&sum, seconds(1.0), 500.0);
    CHECK(sum.dissipated > 0.1 * sum.work_motor);
    CHECK_NEAR(gained, sum.work_motor - sum.dissipated - sum.dissipated_numeric + sum.energy_defect,
               1e-9 * sum.work_motor);
}
END

// a weight on a spring above a foot that stands on the floor swings without gain: k x0 = m g
TEST(a_spring_beside_contacts_is_part_of_the_balance)
{
    const double k = 1000.0, m = 10.0;
    cairn_world* world = make();
    add_floor(world);
    cairn_body_id foot = add(world, cairn_shape_box(cairn_vec(0.2, 0.2, 0.1)), 20.0,
                             cairn_vec(0.0, 0.0, 0.1), cairn_quat_identity(), 0.5);
    cairn_body_id weight = add(world, cairn_shape_sphere(0.1), m, cairn_vec(0.0, 0.0, 0.8),
                               cairn_quat_identity(), 0.5);
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    cairn_joint_id id;
    def.body_a = foot;
    def.body_b = weight;
    def.frame_a.p.z = 0.7;
    def.stiffness = k;
    CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
    double energy = 0.0, before = 0.0;

    // the change of all energy is what the certificate tells
    for (int i = 0; i < seconds(1.0); i++) {
        cairn_step_report report;
        cairn_joint_state joint;

        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);

        CHECK(cairn_joint_get(world, id, &joint, NULL) == CAIRN_OK);
        energy = report.kinetic + report.potential + 0.5 * k * joint.coordinate * joint.coordinate;
        const cairn_motion* motion = &report.motion;
        double told = motion->energy_defect - motion->dissipated - motion->dissipated_numeric;

        if (i > 0)
            CHECK_NEAR(energy - before, told, 1e-9 * m * g);
        CHECK_BELOW(motion->energy_defect, 1e-3 * m * g * m * g / k);

        before = energy;
    }
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- what rows promise

// a ball that rolls keeps its gap; a box that topples does so to second order in the substep
TEST(the_update_error_is_of_second_order)
{
    double errors[2] = {0.0};
    for (int k = 0; k < 2; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.sleep = false;
        def.substeps = k ? 8 : 4;
        cairn_world* world = worlds_empty(def);
        add_floor(world);
        add(world, cairn_shape_box(cairn_vec(0.1, 0.1, 0.5)), 1.0, cairn_vec(0.1 + 0.12, 0.0, 0.5),
            turn(y_axis, 0.3), 0.9);

        for (int i = 0; i < 60; i++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
            errors[k] = fmax(errors[k], report.motion.update_error);
        }
        cairn_world_destroy(world);
    }

    CHECK(errors[0] > 0.0 && errors[0] < 1e-2);
    CHECK_BELOW(errors[1], errors[0]);

    // a ball that rolls without slip: its gap does not change at all
    cairn_world* world = make();
    add_floor(world);
    cairn_body_id ball = add(world, cairn_shape_sphere(0.1), 1.0, cairn_vec(0.0, 0.0, 0.1),
                             cairn_quat_identity(), 0.5);
    CHECK(cairn_body_set_velocity(world, ball, x_axis, cairn_scale(10.0, y_axis), NULL) ==
          CAIRN_OK);

    for (int i = 0; i < 30; i++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK_BELOW(report.motion.update_error, 1e-12);
    }
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- a rope over a drum

enum { tail = 12 }; // beads that hang on either side

// beads of 1 g over a drum, 1 kg on one end and `load` kg on the other; where that comes down to
static double slip_by(double mu, double excess, run* all)
{
    const double R = 0.2, r = 0.005, arm = R + r, each = 2.0 * asin(r / arm);
    const int half = (int)(pi / each);
    const double over = half * each, first = 0.5 * (pi + over);
    const double load = excess * exp(mu * over);
    cairn_world* world = make();
    cairn_body_id beads[256], ends[2];
    cairn_vec3 at[256];
    int count = half + 1 + 2 * tail;
    add(world, cairn_shape_cylinder(R, 0.05), 0.0, cairn_vec(0.0, 0.0, 0.0), turn(x_axis, 0.5 * pi),
        mu);

    // beads over the upper half of the drum, and a tail straight down on both sides
    for (int i = 0; i < count; i++) {
        int k = i - tail, on = k < 0 ? 0 : k > half ? half : k;
        double angle = first - on * each, below = 2.0 * r * abs(k - on);
        at[i] = cairn_vec(arm * cos(angle), 0.0, arm * sin(angle) - below);
        beads[i] = add(world, cairn_shape_sphere(r), 0.001, at[i], cairn_quat_identity(), mu);
        if (i > 0)
            join(world, CAIRN_JOINT_BALL, beads[i - 1], beads[i],
                 cairn_scale(0.5, cairn_add(at[i - 1], at[i])), cairn_quat_identity());
    }

    for (int k = 0; k < 2; k++) {
        int end = k ? count - 1 : 0;
        ends[k] = add(world, cairn_shape_sphere(0.02), k ? load : 1.0,
                      cairn_add_scaled(at[end], -0.04, z_axis), cairn_quat_identity(), mu);
        join(world, CAIRN_JOINT_BALL, beads[end], ends[k], cairn_add_scaled(at[end], -r, z_axis),
             cairn_quat_identity());
    }

    double before = worlds_state(world, ends[1]).center.z;
    *all = step(world, CHECK_SLOW_BUILD ? 4 : 30);

    double after = worlds_state(world, ends[1]).center.z;
    cairn_world_destroy(world);
    return before - after;
}

// Euler and Eytelwein: it holds up to e^(μ θ), θ the angle that the rope lies on.
TEST(a_rope_of_beads_holds_as_the_capstan_says)
{
    const double mus[] = {0.2, 0.5};
    for (int k = 0; k < (CHECK_SLOW_BUILD ? 1 : 2); k++) {
        run held, slid;
        double least = slip_by(mus[k], 0.98, &held), most = slip_by(mus[k], 1.02, &slid);
        CHECK_BELOW(held.joint_error, closed);
        CHECK_BELOW(slid.joint_error, closed);
        CHECK_BELOW(held.gain, 1e-5); // J
        CHECK_BELOW(slid.gain, 1e-5);
        CHECK_BELOW(least, 2e-4); // m: beads come to lie against each other
        CHECK(CHECK_SLOW_BUILD || most > 5e-3);
    }
}
END

// A cube of 1 kg between two jaws on sliders, each pressed by `share` of the force m g/2μ that holds
// it: below one it slips with g (1 - share). How far it falls in half a second; presses: by forces of
// the user, by springs, by motors.
static double fall_between_jaws(int presses, double share, double mu)
{
    const double force = 0.5 * share * g / mu, soft = 1000.0; // N, N/m
    cairn_world* world = make();
    cairn_body_id jaws[2], cube;
    cube = add(world, cairn_shape_box(cairn_vec(0.05, 0.05, 0.05)), 1.0, cairn_vec(0.0, 0.0, 0.0),
               cairn_quat_identity(), mu);

    for (int i = 0; i < 2; i++) {
        cairn_vec3 at = cairn_vec(i ? 0.1 : -0.1, 0.0, 0.0);
        cairn_quat inwards = turn(y_axis, i ? -0.5 * pi : 0.5 * pi);
        jaws[i] = add(world, cairn_shape_box(cairn_vec(0.05, 0.1, 0.3)), 1.0, at,
                      cairn_quat_identity(), mu);
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
        def.body_b = jaws[i];
        def.frame_a = (cairn_transform){at, inwards};
        def.frame_b = (cairn_transform){cairn_vec(0.0, 0.0, 0.0), inwards};
        def.driven = presses == 2;
        def.speed = 1.0;
        def.strength = force;
        def.stiffness = presses == 1 ? soft : 0.0;
        def.rest = presses == 1 ? force / soft : 0.0;
        cairn_joint_id id;
        CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
    }

    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < 2 && presses == 0; i++)
            cairn_body_add_force(world, jaws[i], cairn_scale(i ? -force : force, x_axis),
                                 worlds_state(world, jaws[i]).center, NULL);
        worlds_run(world, 1);
    }

    double fallen = -worlds_state(world, cube).center.z;
    cairn_world_destroy(world);
    return fallen;
}

TEST(what_slips_between_jaws_falls_straight)
{
    for (int presses = 0; presses < 3; presses++)
        for (int k = 0; k < (CHECK_SLOW_BUILD ? 1 : 2); k++) {
            double mu = k ? 1.0 : 0.3;
            CHECK_NEAR(fall_between_jaws(presses, 0.9, mu), 0.125 * 0.1 * g, 1e-5);
            CHECK_NEAR(fall_between_jaws(presses, 0.99, mu), 0.125 * 0.01 * g, 1e-5);
            CHECK_NEAR(fall_between_jaws(presses, 1.01, mu), 0.0, 1e-5);
        }
}
END

TEST(what_joints_hold_in_a_floor_stays_there)
{
    // a plate on two crossed rails that hold it half a millimeter deep
    cairn_world* world = make();
    add_floor(world);
    cairn_body_id carriage = add(world, cairn_shape_sphere(0.01), 0.001,
                                 cairn_vec(0.0, 0.0, 0.0495), cairn_quat_identity(), 0.0);
    cairn_body_id plate = add(world, cairn_shape_box(cairn_vec(0.1, 0.1, 0.05)), 1.2,
                              cairn_vec(0.0, 0.0, 0.0495), cairn_quat_identity(), 0.3);
    join(world, CAIRN_JOINT_SLIDER, no_body, carriage, cairn_vec(0.0, 0.0, 0.0),
         turn(y_axis, 0.5 * pi));
    join(world, CAIRN_JOINT_SLIDER, carriage, plate, cairn_vec(0.0, 0.0, 0.0),
         turn(x_axis, 0.5 * pi));

    for (int i = 0; i < 120; i++) {
        cairn_step_report report;
        cairn_body_state state;
        CHECK(cairn_world_step(world, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        CHECK(cairn_body_get(world, plate, &state, NULL) == CAIRN_OK);
        CHECK_NEAR(cairn_norm(cairn_sub(state.pose.p, cairn_vec(0.0, 0.0, 0.0495))), 0.0, closed);
    }
    cairn_world_destroy(world);
}
END

// the fastest that the coordinate of the slider moves in any kick, along the row of its limit
static void watch_limit(void* context, const cairn_island_solve* solve)
{
    double* fastest = context;
    const cairn_problem* problem = solve->problem;
    double* v = malloc((size_t)problem->row_count * sizeof *v);
    CHECK(cairn_problem_velocity(problem, solve->lambda, v) == CAIRN_OK);
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind != CAIRN_BLOCK_CONTACT && problem->blocks[c].row_count == 1)
            *fastest = fmax(*fastest, fabs(v[problem->blocks[c].row]));
    free(v);
}

// a block on the floor that a slider with equal limits holds, pushed to and fro
TEST(equal_limits_hold_from_both_sides_at_once)
{
    cairn_world* world = make();
    add_floor(world);
    cairn_body_id block = add(world, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)), 10.0,
                              cairn_vec(0.0, 0.0, 0.2), cairn_quat_identity(), 0.1);
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    cairn_joint_id id;
    const cairn_quat z_to_x = {0.5, 0.5, 0.5, 0.5};
    def.body_b = block;
    def.frame_a = (cairn_transform){cairn_vec(0.0, 0.0, 0.2), z_to_x};
    def.frame_b = (cairn_transform){cairn_vec(0.0, 0.0, 0.0), z_to_x};
    def.limited = true;
    def.lo = def.hi = 0.0;
    CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
    double fastest = 0.0;
    cairn_world_set_solve_hook(world, watch_limit, &fastest);
    for (int k = 0; k < 10; k++) {
        cairn_vec3 push = cairn_vec(k % 2 ? 100.0 : -100.0, 0.0, 0.0);
        CHECK(cairn_body_add_force(world, block, push, worlds_state(world, block).pose.p, NULL) ==
              CAIRN_OK);
        CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_OK);
    }
    CHECK_BELOW(fastest, 1e-12);
    cairn_world_destroy(world);
}
END

// Two rods on a ball joint turn fast beside balls that they do not touch: what they lose of their energy is reported.
TEST(energy_that_joints_lose_beside_other_bodies_is_told)
{
    cairn_world* world = make();
    CHECK(cairn_world_set_gravity(world, cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
    cairn_shape rod = cairn_shape_capsule(0.05, 0.2);
    cairn_body_id a = add(world, rod, 1.0, cairn_vec(0.0, 0.0, -0.25), cairn_quat_identity(), 0.5);
    cairn_body_id b = add(world, rod, 1.0, cairn_vec(0.0, 0.0, 0.25), cairn_quat_identity(), 0.5);
    join(world, CAIRN_JOINT_BALL, a, b, cairn_vec(0.0, 0.0, 0.0), cairn_quat_identity());
    cairn_vec3 spin = cairn_vec(60.0, 20.0, 0.0);
    CHECK(cairn_body_set_velocity(world, a, cairn_cross(spin, cairn_vec(0.0, 0.0, -0.25)), spin,
                                  NULL) == CAIRN_OK);
    CHECK(cairn_body_set_velocity(world, b, cairn_cross(spin, cairn_vec(0.0, 0.0, 0.25)), spin,
                                  NULL) == CAIRN_OK);

    // pairs of balls that bounce off each other near them
    for (int k = 0; k < 16; k++) {
        bool outer = k % 2;
        double turn = 0.8 * (k / 2), speed = outer ? -0.5 : 0.5;
        cairn_vec3 way = cairn_vec(cairn_cos(turn), cairn_sin(turn), 0.0);
        cairn_body_id ball = add(world, cairn_shape_sphere(0.05), 1.0,
                                 cairn_scale(outer ? 0.74 : 0.6, way), cairn_quat_identity(), 0.5);
        CHECK(cairn_body_set_velocity(world, ball, cairn_scale(speed, way),
                                      cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
    }

    double before, after, potential;
    cairn_world_energy(world, &before, &potential);
    for (int step = 0; step < 20; step++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        cairn_world_energy(world, &after, &potential);
        const cairn_motion* m = &report.motion;
        double told = m->energy_defect - m->dissipated - m->dissipated_numeric;
        CHECK_NEAR(after - before, told, 1e-6 * before);
        before = after;
    }
    cairn_world_destroy(world);
}
END

// kg m²/s about the z axis through the origin: the bat's pivot
static double angular_momentum(const cairn_world* world, cairn_body_id id, double mass,
                               double inertia)
{
    cairn_body_state state = worlds_state(world, id);
    return mass * cairn_cross(state.center, state.velocity).z + inertia * state.spin.z;
}

// A bat on a hinge sweeps a ball away, without gravity: after the blow hardly anything approaches, and what is
// left of b are the errors of the joint where the drift leads. The blow acts with the arms at the start of its
// substep, in which the bat turns by up to 0.13 rad: the momentum about the pivot is kept to 7e-4.
TEST(a_bat_that_strikes_a_ball_keeps_the_angular_momentum_and_the_certificate)
{
    const double length = 1.0, width = 0.08, bat_mass = 2.6, ball_mass = 0.46, radius = 0.033;
    const double bat_inertia = bat_mass * (length * length + width * width) / 12.0,
                 ball_inertia = 0.4 * ball_mass * radius * radius;

    for (int k = 0; k < 40; k++) {
        cairn_world* world = make();
        CHECK(cairn_world_set_gravity(world, cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
        cairn_body_id bat =
            add(world, cairn_shape_box(cairn_vec(0.5 * length, 0.5 * width, 0.5 * width)), bat_mass,
                cairn_vec(0.5 * length, 0.0, 0.0), cairn_quat_identity(), 0.5);
        cairn_body_id ball = add(world, cairn_shape_sphere(radius), ball_mass,
                                 cairn_vec(0.3 + 0.01 * k, 0.5, 0.0), cairn_quat_identity(), 0.5);
        join(world, CAIRN_JOINT_HINGE, no_body, bat, cairn_vec(0.0, 0.0, 0.0),
             cairn_quat_identity());
        double spin = 5.0 + 0.7 * k;
        CHECK(cairn_body_set_velocity(world, bat, cairn_vec(0.0, 0.5 * length * spin, 0.0),
                                      cairn_vec(0.0, 0.0, spin), NULL) == CAIRN_OK);

        double before = angular_momentum(world, bat, bat_mass, bat_inertia);
        for (int step = 0; step < 30; step++) {
            cairn_step_report report;
            CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);

            // beside the ball a fast bat loses energy, which is told
            bool slowed = spin > 20.0 && report.outcome == CAIRN_OUTCOME_STEP_LIMIT &&
                          report.motion.energy_defect < 0.0;
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED || slowed,
                          "bat %d, step %d: residual %g, %g m/s", k, step, report.residual,
                          report.residual_velocity);
        }
        double after = angular_momentum(world, bat, bat_mass, bat_inertia) +
                       angular_momentum(world, ball, ball_mass, ball_inertia);
        CHECK_NEAR(after / before, 1.0, 1e-3);
        CHECK(cairn_norm(worlds_state(world, ball).velocity) > 1.0);
        cairn_world_destroy(world);
    }
}
END

TESTS(a_bat_that_strikes_a_ball_keeps_the_angular_momentum_and_the_certificate,
      what_joints_hold_in_a_floor_stays_there, what_slips_between_jaws_falls_straight,
      a_chain_that_falls_on_a_floor_stays_whole, a_chain_that_falls_over_a_post_stays_whole,
      light_links_hold_heavy_loads_that_hit_the_floor, light_links_stand_under_heavy_plates,
      a_bridge_of_planks_carries_boxes, a_car_rolls_down_a_slope_as_the_closed_form_says,
      the_work_of_motors_beside_contacts_is_booked,
      wheels_that_spin_dissipate_what_the_motors_do_in_vain,
      a_spring_beside_contacts_is_part_of_the_balance, the_update_error_is_of_second_order,
      a_rope_of_beads_holds_as_the_capstan_says, equal_limits_hold_from_both_sides_at_once,
      energy_that_joints_lose_beside_other_bodies_is_told)
