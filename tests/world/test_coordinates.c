// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints that users of an engine reach for: wheels on a suspension, pulleys, springs and servos on
// single coordinates, bushings.

#include "check_cairn.h"
#include "world/state.h"
#include "worlds.h"
#include <string.h>

static const double g = 9.81, pi = 3.141592653589793;

static cairn_quat along(cairn_vec3 axis)
{
    cairn_quat q = {1.0 + axis.z, -axis.y, axis.x, 0.0};
    return cairn_quat_normalize(q);
}

static cairn_body_id add(cairn_world* world, cairn_vec3 at, double mass, double moment)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.pose.p = at;
    def.mass = mass;
    def.inertia = cairn_mat3_diagonal(moment, moment, moment);
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

static cairn_joint_def joint(cairn_joint_kind kind, cairn_body_id a, cairn_body_id b,
                             cairn_transform frame_a, cairn_transform frame_b)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    def.body_a = a;
    def.body_b = b;
    def.frame_a = frame_a;
    def.frame_b = frame_b;
    return def;
}

static cairn_joint_id join(cairn_world* world, const cairn_joint_def* def)
{
    cairn_joint_id id;
    cairn_error error;
    cairn_status status = cairn_world_add_joint(world, def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

static double coordinate(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_motion motion;
    CHECK(cairn_joint_get_motion(world, id, &motion, NULL) == CAIRN_OK);
    return motion.coordinate;
}

static double rate(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_motion motion;
    CHECK(cairn_joint_get_motion(world, id, &motion, NULL) == CAIRN_OK);
    return motion.speed;
}

static const cairn_vec3 z_axis = {0.0, 0.0, 1.0}, x_axis = {1.0, 0.0, 0.0},
                        none_at = {0.0, 0.0, 0.0};

// ---------------------------------------------------------------- pulleys

// an Atwood machine: a = g (m_2 - m_1)/(m_1 + m_2); with the ratio r, y_1 + r y_2 = const
static void atwood(double ratio, bool loose)
{
    const double m1 = 1.0, m2 = 3.0, t = 0.5;
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id one = add(world, cairn_vec(-1.0, 0.0, 0.0), m1, 0.1);
    cairn_body_id two = add(world, cairn_vec(1.0, 0.0, 0.0), m2, 0.1);
    cairn_transform home = cairn_transform_identity();
    cairn_joint_def def = joint(CAIRN_JOINT_PULLEY, one, two, home, home);
    def.ratio = ratio;
    def.anchor_a = cairn_vec(-1.0, 0.0, 5.0);
    def.anchor_b = cairn_vec(1.0, 0.0, 5.0);
    def.limited = loose;
    def.hi = 5.0 * (1.0 + ratio);
    cairn_joint_id id = join(world, &def);

    cairn_step_report report = worlds_run(world, 30);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);

    // m_1 r a_2 ... with y_1 = -r y_2 and the tensions T and r T
    double a = g * (ratio * m1 - m2) / (m2 + ratio * ratio * m1);

    CHECK_NEAR(worlds_state(world, two).velocity.z, a * t, 1e-6);
    CHECK_NEAR(worlds_state(world, one).velocity.z, -ratio * a * t, 1e-6);
    CHECK_NEAR(worlds_state(world, two).pose.p.z, 0.5 * a * t * t, 1e-5);
    CHECK_NEAR(coordinate(world, id), 5.0 * (1.0 + ratio), 1e-7);
    cairn_world_destroy(world);
}

TEST(weights_on_a_pulley_fall_as_atwoods_do)
{
    atwood(1.0, false);
    atwood(2.0, false);
}
END

TEST(a_rope_over_a_pulley_pulls_and_does_not_push)
{
    atwood(1.0, true);

    // both weights are thrown up: the rope hangs loose and both fly freely
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id one = add(world, cairn_vec(-1.0, 0.0, 0.0), 1.0, 0.1);
    cairn_body_id two = add(world, cairn_vec(1.0, 0.0, 0.0), 1.0, 0.1);
    cairn_transform home = cairn_transform_identity();
    cairn_joint_def def = joint(CAIRN_JOINT_PULLEY, one, two, home, home);
    def.anchor_a = cairn_vec(-1.0, 0.0, 5.0);
    def.anchor_b = cairn_vec(1.0, 0.0, 5.0);
    def.limited = true;
    def.hi = 10.0;
    join(world, &def);
    CHECK(cairn_body_set_velocity(world, one, cairn_vec(0.0, 0.0, 2.0), none_at, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_velocity(world, two, cairn_vec(0.0, 0.0, 2.0), none_at, NULL) == CAIRN_OK);
    worlds_run(world, 12);

    CHECK_NEAR(worlds_state(world, one).velocity.z, 2.0 - 0.2 * g, 1e-9);
    CHECK_NEAR(worlds_state(world, two).velocity.z, 2.0 - 0.2 * g, 1e-9);
    cairn_world_destroy(world);
}
END

TEST(a_pulley_without_two_bodies_is_refused)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id none = {0}, one = add(world, none_at, 1.0, 0.1);
    cairn_transform home = cairn_transform_identity();
    cairn_joint_def def = joint(CAIRN_JOINT_PULLEY, none, one, home, home);
    cairn_joint_id id;
    cairn_error error;
    CHECK(cairn_world_add_joint(world, &def, &id, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "pulley") != NULL);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- wheels

// a wheel under a fixed chassis: it bounces on its spring, is steered and driven at the same time
TEST(a_wheel_bounces_steers_and_spins)
{
    const double m = 20.0, I = 0.5, k = 8000.0, amplitude = 0.05;
    cairn_world_def options = cairn_default_world_def();
    options.gravity = none_at;
    cairn_world* world = worlds_empty(options);
    cairn_body_id none = {0}, wheel = add(world, cairn_vec(0.0, 0.0, amplitude), m, I);
    cairn_transform up = {none_at, along(z_axis)}, axle = {none_at, along(x_axis)};
    cairn_joint_def def = joint(CAIRN_JOINT_WHEEL, none, wheel, up, axle);
    def.stiffness = k;
    cairn_joint_id strut = join(world, &def);

    // steering: the axle about the strut; spin: the chassis about the axle
    def = joint(CAIRN_JOINT_AROUND, none, wheel, up, axle);
    def.servo = true;
    def.rest = 0.4;
    def.stiffness = 2000.0;
    def.damping = 60.0;
    def.strength = INFINITY;
    cairn_joint_id steer = join(world, &def);

    // the wheel is B here: what turns about its axle is seen from the world as the angle of the strut
    cairn_body_id hub = add(world, none_at, 5.0, 0.1);
    cairn_joint_def held = joint(CAIRN_JOINT_FIXED, none, hub, up, up);
    join(world, &held);
    def = joint(CAIRN_JOINT_AROUND, wheel, hub, axle, up);
    def.driven = true;
    def.speed = -10.0;
    def.strength = 3.0;
    cairn_joint_id spin = join(world, &def);

    double period = 2.0 * pi * sqrt(m / k), t = 0.0, dt = 1.0 / 240.0, worst = 0.0,
           turned = coordinate(world, spin);

    for (int n = 1; n <= 480; n++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(report.joint_error < 1e-7);
        t = n * dt;
        worst =
            fmax(worst, fabs(coordinate(world, strut) - amplitude * cos(2.0 * pi * t / period)));
        turned += dt * rate(world, spin);
    }

    CHECK_BELOW(worst, 0.02 * amplitude);
    CHECK_NEAR(coordinate(world, steer), 0.4, 1e-3);

    // I w = strength t up to the speed of the motor, and the angle is followed beyond a turn
    CHECK_NEAR(rate(world, spin), -10.0, 1e-6);
    CHECK_NEAR(coordinate(world, spin), turned, 0.05);
    CHECK(fabs(coordinate(world, spin)) > 2.0 * pi);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- springs on coordinates

// the twist of a ball joint swings as I φ'' = -k φ, whatever its swing
TEST(a_spring_twists_a_ball_joint_back)
{
    const double I = 0.2, k = 5.0, start = 1.0;
    cairn_world_def options = cairn_default_world_def();
    options.gravity = none_at;
    cairn_world* world = worlds_empty(options);
    cairn_body_id none = {0}, arm = add(world, none_at, 1.0, I);
    cairn_transform home = cairn_transform_identity(), twisted = home;
    twisted.q = (cairn_quat){cairn_cos(0.5 * start), 0.0, 0.0, -cairn_sin(0.5 * start)};
    cairn_joint_def def = joint(CAIRN_JOINT_BALL, none, arm, home, home);
    join(world, &def);
    def = joint(CAIRN_JOINT_TWIST, none, arm, home, twisted);
    def.stiffness = k;
    cairn_joint_id twist = join(world, &def);
    CHECK_NEAR(coordinate(world, twist), -start, 1e-12);

    // φ = -start cos(sqrt(k/I) t)
    double dt = 1.0 / 240.0, worst = 0.0;
    for (int n = 1; n <= 480; n++) {
        CHECK(cairn_world_step(world, dt, NULL, NULL) == CAIRN_OK);
        worst = fmax(worst, fabs(coordinate(world, twist) + start * cos(sqrt(k / I) * n * dt)));
    }

    CHECK_BELOW(worst, 0.01);
    cairn_world_destroy(world);
}
END

// the rate of each coordinate is the one that its row gives, however the bodies turn
TEST(coordinates_change_at_the_rate_of_their_rows)
{
    static const cairn_joint_kind kinds[] = {CAIRN_JOINT_ALONG, CAIRN_JOINT_TWIST,
                                             CAIRN_JOINT_AROUND};

    for (int k = 0; k < 3; k++) {
        cairn_world_def options = cairn_default_world_def();
        options.gravity = none_at;
        cairn_world* world = worlds_empty(options);
        cairn_body_id a = add(world, cairn_vec(0.3, -0.2, 0.1), 1.0, 0.1);
        cairn_body_id b = add(world, cairn_vec(-0.4, 0.5, 0.3), 2.0, 0.3);
        cairn_transform at = {cairn_vec(0.1, 0.2, -0.1),
                              along(cairn_normalize(cairn_vec(1.0, 2.0, 3.0)))};
        cairn_transform to = {cairn_vec(-0.2, 0.1, 0.4),
                              along(cairn_normalize(cairn_vec(2.0, -1.0, 1.0)))};
        cairn_joint_def def = joint(kinds[k], a, b, at, to);
        def.damping = 1e-9;
        cairn_joint_id id = join(world, &def);
        CHECK(cairn_body_set_velocity(world, a, cairn_vec(0.1, 0.3, -0.2),
                                      cairn_vec(0.5, -0.4, 0.3), NULL) == CAIRN_OK);
        CHECK(cairn_body_set_velocity(world, b, cairn_vec(-0.3, 0.1, 0.2),
                                      cairn_vec(-0.2, 0.6, 0.7), NULL) == CAIRN_OK);

        // the secant of the coordinate against the mean of its rates, to second order
        const double dt = 1e-4;
        double before = coordinate(world, id), first = rate(world, id);

        CHECK(cairn_world_step(world, dt, NULL, NULL) == CAIRN_OK);
        double mean = 0.5 * (first + rate(world, id));

        CHECK(fabs(mean) > 1e-2);
        CHECK_NEAR((coordinate(world, id) - before) / dt, mean, 1e-6);
        cairn_world_destroy(world);
    }
}
END

// a body on a bushing sinks by m g/k, and swings about each axis with its own period
TEST(a_bushing_gives_by_its_stiffness)
{
    const double m = 2.0, I = 0.1;
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id body = add(world, none_at, m, I);
    cairn_bushing bushing = {.body_b = body,
                             .frame_a = cairn_transform_identity(),
                             .frame_b = cairn_transform_identity(),
                             .stiffness = {500.0, 600.0, 700.0, 20.0, 30.0, 40.0},
                             .damping = {40.0, 40.0, 40.0, 3.0, 3.0, 3.0}};
    cairn_joint_id ids[6];
    CHECK(cairn_world_add_bushing(world, &bushing, ids, NULL) == CAIRN_OK);
    cairn_vec3 force = {30.0, -20.0, 10.0}, torque = {0.2, 0.1, -0.15};

    for (int n = 0; n < 600; n++) {
        CHECK(cairn_body_add_force(world, body, force, worlds_state(world, body).center, NULL) ==
              CAIRN_OK);
        CHECK(cairn_body_add_torque(world, body, torque, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(world, 1.0 / 120.0, NULL, NULL) == CAIRN_OK);
    }

    cairn_vec3 at = worlds_state(world, body).pose.p;
    CHECK_NEAR(at.x, force.x / 500.0, 1e-6);
    CHECK_NEAR(at.y, force.y / 600.0, 1e-6);
    CHECK_NEAR(at.z, (force.z - m * g) / 700.0, 1e-6);

    // small turns, to second order
    CHECK_NEAR(coordinate(world, ids[3]), torque.x / 20.0, 1e-4);
    CHECK_NEAR(coordinate(world, ids[4]), torque.y / 30.0, 1e-4);
    CHECK_NEAR(coordinate(world, ids[5]), torque.z / 40.0, 1e-4);

    // nonsense is refused, and nothing is made
    cairn_error error;
    int slots = cairn_world_joint_slots(world);
    bushing.damping[4] = -1.0;

    CHECK(cairn_world_add_bushing(world, &bushing, ids, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "damping of the bushing") != NULL);
    CHECK(cairn_world_joint_slots(world) == slots);
    cairn_world_destroy(world);
}
END

// what holds nothing and on which nothing acts leaves the motion alone
TEST(a_coordinate_on_which_nothing_acts_changes_nothing)
{
    cairn_world* with = worlds_chain(cairn_default_world_def(), 3, NULL);
    cairn_world* without = worlds_chain(cairn_default_world_def(), 3, NULL);
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_TWIST);
    def.body_b = cairn_world_body_at(with, 1);
    join(with, &def);

    worlds_run(with, 60);
    worlds_run(without, 60);

    for (int i = 0; i < 3; i++) {
        cairn_vec3 a = worlds_state(with, cairn_world_body_at(with, i)).center;
        cairn_vec3 b = worlds_state(without, cairn_world_body_at(without, i)).center;
        CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
    }
    cairn_world_destroy(with);
    cairn_world_destroy(without);
}
END

TEST(a_joint_writes_no_row_beyond_those_of_its_kind)
{
    enum { most = 6, room = 12 };
    const cairn_mat3 level = cairn_mat3_identity(),
                     tilted = {x_axis, {0.0, 0.6, 0.8}, {0.0, -0.8, 0.6}};
    const cairn_link_place place = {.r_a = {0.1, 0.2, 0.3},
                                    .r_b = {0.3, -0.2, 0.5},
                                    .apart = {0.4, 0.5, 0.6},
                                    .axes_a = level,
                                    .axes_b = tilted,
                                    .coordinate = 0.7,
                                    .normal = {0.0, 0.6, 0.8}};

    for (int kind = 0; kind < CAIRN_JOINT_KIND_COUNT; kind++) {
        cairn_link link = {.kind = (cairn_joint_kind)kind, .ratio = 0.5};
        link.locks = kind == CAIRN_JOINT_LOCKS ? 0x2du : 0u;
        cairn_row rows[room], blank;

        // rows that are not written keep the pattern
        memset(rows, 0x5a, sizeof rows);
        memset(&blank, 0x5a, sizeof blank);
        int count = cairn_link_rows(rows, &link, &place);
        ck_assert_int_le(count, cairn_link_most_rows(&link));
        ck_assert_int_le(count, most);
        for (int k = count; k < room; k++)
            ck_assert_msg(memcmp(&rows[k], &blank, sizeof blank) == 0, "joint %d: row %d", kind, k);
    }
}
END

TESTS(a_joint_writes_no_row_beyond_those_of_its_kind, weights_on_a_pulley_fall_as_atwoods_do,
      a_rope_over_a_pulley_pulls_and_does_not_push, a_pulley_without_two_bodies_is_refused,
      a_wheel_bounces_steers_and_spins, a_spring_twists_a_ball_joint_back,
      coordinates_change_at_the_rate_of_their_rows, a_bushing_gives_by_its_stiffness,
      a_coordinate_on_which_nothing_acts_changes_nothing)
