// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Limits, motors and springs on the free coordinates of joints.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const double g = 9.81, quarter = 1.5707963267948966;

static cairn_world* make(cairn_vec3 gravity)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = gravity;
    def.sleep = false;
    return worlds_empty(def);
}

// a rod of 1 m along z with its upper end at the origin, joined there to the world
static cairn_body_id hang(cairn_world* world, cairn_joint_def* def, cairn_joint_id* id)
{
    cairn_error error = {""};
    def->body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.05, 0.05, 0.5)),
                             cairn_vec(0.0, 0.0, -0.5));
    def->frame_b.p = cairn_vec(0.0, 0.0, 0.5);
    ck_assert_msg(cairn_world_add_joint(world, def, id, &error) == CAIRN_OK, "%s", error.text);
    return def->body_b;
}

static double coordinate(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_state state = {0};
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_OK);
    return state.coordinate;
}

TEST(a_rod_on_a_ball_joint_does_not_swing_beyond_its_cone)
{
    for (int k = 0; k < 8; k++) {
        cairn_world* world = make(cairn_vec(0.0, 0.0, -g));
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_BALL);
        cairn_joint_id id;
        def.limited = true;
        def.hi = 0.4;
        cairn_body_id rod = hang(world, &def, &id);
        cairn_vec3 side = cairn_vec(cos(0.8 * k), sin(0.8 * k), 0.0);
        CHECK(cairn_body_add_impulse(world, rod, cairn_scale(40.0, side), cairn_vec(0.0, 0.0, -1.0),
                                     NULL) == CAIRN_OK);
        double most = 0.0;

        for (int i = 0; i < 120; i++) {
            worlds_run(world, 1);
            most = fmax(most, coordinate(world, id));
        }

        // it reaches the cone; the row is taken at the start of a step, which passes it by (h ω)²,
        // and what was passed is taken back
        CHECK(most > 0.39);
        CHECK_BELOW(most, 0.4 + 1e-6);
        cairn_world_destroy(world);
    }
}
END

TEST(a_spring_on_the_swing_holds_a_rod_where_the_torques_balance)
{
    // gravity along x: k θ = m g l/2 cos θ
    cairn_world* world = make(cairn_vec(g, 0.0, 0.0));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id id;
    def.stiffness = 100.0;
    def.damping = 20.0;
    cairn_body_id rod = hang(world, &def, &id);

    // the swing has no direction while the axes coincide: a touch gives it one
    CHECK(cairn_body_set_velocity(world, rod, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, -1e-3, 0.0),
                                  NULL) == CAIRN_OK);

    worlds_run(world, 1200);
    double angle = coordinate(world, id), mass = worlds_state(world, rod).mass;

    CHECK(angle > 0.1);
    CHECK_NEAR(100.0 * angle, mass * g * 0.5 * cos(angle), 1e-6);
    cairn_world_destroy(world);
}
END

TEST(a_motor_turns_a_universal_joint_and_follows_it_beyond_a_turn)
{
    cairn_world* world = make(cairn_vec(0.0, 0.0, 0.0));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_UNIVERSAL);
    cairn_joint_id id;

    // B's axis starts along A's x
    def.frame_b.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, quarter, 0.0));
    def.driven = true;
    def.speed = 3.0;
    def.strength = 1e3;
    hang(world, &def, &id);
    worlds_run(world, 240);
    CHECK_NEAR(coordinate(world, id), 12.0, 1e-6);
    cairn_world_destroy(world);
}
END

// the angle after a second, of a joint about z of a ball that spins; `fixed`: beside a ball joint, or alone
static double angle_at(double rate, cairn_joint_kind kind, cairn_body_type type, bool fixed)
{
    cairn_world* world = make(cairn_vec(0.0, 0.0, 0.0));
    cairn_shape shape = cairn_shape_sphere(0.1);
    cairn_body_def def = cairn_default_body_def();
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id id;
    def.shape = &shape;
    def.type = type;
    def.spin = cairn_vec(0.0, 0.0, rate);
    CHECK(cairn_world_add_body(world, &def, &joint.body_b, NULL) == CAIRN_OK);
    if (fixed)
        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    joint.kind = kind;
    if (kind == CAIRN_JOINT_AROUND)
        joint.frame_b.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, quarter, 0.0));
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);

    worlds_run(world, 60);
    double angle = coordinate(world, id);
    cairn_world_destroy(world);
    return angle;
}

// a flywheel on a frame that lies on the ground has after a second the angle that its speed gives
static void check_flywheel(double rate, cairn_integrator integrator, double work)
{
    cairn_world_def def = cairn_default_world_def();
    def.integrator = integrator;
    def.work = work;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    cairn_body_id frame =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.2)),
                   cairn_vec(0., 0., 0.2));
    cairn_body_id wheel = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_cylinder(0.2, 0.05),
                                     cairn_vec(0.0, 0.0, 0.8));
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    cairn_joint_id id;
    hinge.body_a = frame;
    hinge.body_b = wheel;
    hinge.frame_a.p = cairn_vec(0.0, 0.0, 0.6);
    CHECK(cairn_world_add_joint(world, &hinge, &id, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_velocity(world, wheel, cairn_vec(0., 0., 0.), cairn_vec(0., 0., rate),
                                  NULL) == CAIRN_OK);

    // what its speed makes of it, step by step
    double angle = 0.0;
    for (int i = 0; i < 60; i++) {
        cairn_joint_motion before, after;
        CHECK(cairn_joint_get_motion(world, id, &before, NULL) == CAIRN_OK);
        worlds_run(world, 1);
        CHECK(cairn_joint_get_motion(world, id, &after, NULL) == CAIRN_OK);
        angle += 0.5 * worlds_dt * (before.speed + after.speed);
    }
    CHECK_NEAR(coordinate(world, id), angle, 1.0); // of full turns
    cairn_world_destroy(world);
}

// a screw that turns several times in a step moves by as many pitches
TEST(a_fast_screw_loses_no_pitch)
{
    cairn_world* world = make(cairn_vec(0.0, 0.0, 0.0));
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_CYLINDRICAL);
    cairn_joint_id id;
    joint.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0., 0., 0.));
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    joint.kind = CAIRN_JOINT_SCREW;
    joint.ratio = 0.001;
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_velocity(world, joint.body_b, cairn_vec(0.0, 0.0, 2.0),
                                  cairn_vec(0.0, 0.0, 2000.0), NULL) == CAIRN_OK);

    worlds_run(world, 60);

    CHECK_NEAR(worlds_state(world, joint.body_b).pose.p.z, 2.0, 1e-6);
    cairn_world_destroy(world);
}
END

// angles are known up to full turns: who turns further than half of one between two looks is followed by
// the speed, also where nothing acts on the joint and where nothing can push its bodies
TEST(an_angle_is_followed_however_fast_it_turns)
{
    static const double rates[] = {20.0, -250.0, 1000.0, 5000.0};
    for (int i = 0; i < 4; i++) {
        double rate = rates[i], most = 1e-9 * fabs(rate);
        CHECK_NEAR(angle_at(rate, CAIRN_JOINT_HINGE, CAIRN_BODY_DYNAMIC, false), rate, most);
        CHECK_NEAR(angle_at(rate, CAIRN_JOINT_HINGE, CAIRN_BODY_KINEMATIC, false), rate, most);
        CHECK_NEAR(angle_at(rate, CAIRN_JOINT_TWIST, CAIRN_BODY_DYNAMIC, false), rate, most);
        CHECK_NEAR(angle_at(rate, CAIRN_JOINT_TWIST, CAIRN_BODY_DYNAMIC, true), rate, most);
        CHECK_NEAR(angle_at(rate, CAIRN_JOINT_AROUND, CAIRN_BODY_DYNAMIC, true), rate, most);

        // in an island with contacts, by every rule, and in steps that are lean
        for (int rule = 0; rule < 3; rule++)
            check_flywheel(rate, (cairn_integrator)rule, 0.0);
        check_flywheel(rate, CAIRN_INTEGRATOR_LEAPFROG, 1e-9);
    }
}
END

TEST(a_cylindrical_joint_falls_to_its_limit_and_goes_on_spinning)
{
    cairn_world* world = make(cairn_vec(0.0, 0.0, -g));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_CYLINDRICAL);
    cairn_joint_id id;
    cairn_joint_state state;
    def.limited = true;
    def.lo = -0.3;
    def.hi = 0.1;
    cairn_body_id rod = hang(world, &def, &id);
    CHECK(cairn_body_set_velocity(world, rod, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 5.0),
                                  NULL) == CAIRN_OK);

    worlds_run(world, 120);
    cairn_body_state s = worlds_state(world, rod);
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_OK);

    CHECK_NEAR(state.coordinate, -0.3, 1e-9);
    CHECK_NEAR(s.center.z, -0.8, 1e-9);
    CHECK_NEAR(s.spin.z, 5.0, 1e-9);

    // the limit bears the weight
    CHECK_NEAR(state.impulse.z, s.mass * g * worlds_dt, 1e-9 * s.mass);
    cairn_world_destroy(world);
}
END

// the worst that a coordinate was beyond `hi` in some seconds, and at their end (inside: 0)
static void run_to_limit(cairn_world* world, cairn_joint_id id, double hi, double* worst,
                         double* end)
{
    *worst = 0.0;
    for (int i = 0; i < 300; i++) {
        worlds_run(world, 1);
        *worst = fmax(*worst, coordinate(world, id) - hi);
    }
    *end = fabs(coordinate(world, id) - hi);
}

// two rods of 1 m on hinges about y, the lower one limited; gravity along x lifts both
static cairn_world* double_pendulum(cairn_integrator integrator, double hi, cairn_joint_id* lower)
{
    cairn_world_def world_def = cairn_default_world_def();
    world_def.gravity = cairn_vec(-g, 0.0, 0.0);
    world_def.integrator = integrator;
    world_def.sleep = false;
    cairn_world* world = worlds_empty(world_def);
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    def.frame_a.q = def.frame_b.q = cairn_quat_from_rotation_vector(cairn_vec(-quarter, 0.0, 0.0));
    def.limited = true;
    def.hi = hi;
    def.lo = -3.0;
    cairn_joint_id upper;
    cairn_body_id rod = hang(world, &def, &upper);
    def.body_a = rod;
    def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.05, 0.05, 0.5)),
                            cairn_vec(0.0, 0.0, -1.5));
    def.frame_a.p = cairn_vec(0.0, 0.0, -0.5);
    def.hi = 0.5 * hi;
    CHECK(cairn_world_add_joint(world, &def, lower, NULL) == CAIRN_OK);
    return world;
}

TEST(hinges_that_fall_against_their_limits_stay_within_them)
{
    for (int k = 0; k < 2; k++) {
        cairn_joint_id lower;
        cairn_world* world =
            double_pendulum(k ? CAIRN_INTEGRATOR_MOREAU : CAIRN_INTEGRATOR_EULER, 0.7, &lower);
        double worst, end;
        run_to_limit(world, lower, 0.35, &worst, &end);
        // a Newton step leaves the square of what a step overshoots, some 1e-4 rad
        CHECK_BELOW(worst, 1e-6);
        CHECK_BELOW(end, 1e-9);
        cairn_world_destroy(world);
    }
}
END

TEST(a_slider_on_a_swinging_rod_stays_within_its_limit)
{
    for (int k = 0; k < 2; k++) {
        cairn_world_def world_def = cairn_default_world_def();
        world_def.integrator = k ? CAIRN_INTEGRATOR_MOREAU : CAIRN_INTEGRATOR_EULER;
        world_def.sleep = false;
        cairn_world* world = worlds_empty(world_def);
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_HINGE);
        cairn_joint_id hinge, slider;
        double worst, end;
        def.frame_a.q = def.frame_b.q =
            cairn_quat_from_rotation_vector(cairn_vec(-quarter, 0.0, 0.0));
        cairn_body_id rod = hang(world, &def, &hinge);
        CHECK(cairn_body_set_velocity(world, rod, cairn_vec(-1.0, 0.0, 0.0),
                                      cairn_vec(0.0, 2.0, 0.0), NULL) == CAIRN_OK);
        def = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
        def.body_a = rod;
        def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                cairn_vec(0.0, 0.0, -0.5));

        // along the rod, downwards
        def.frame_a.q = def.frame_b.q =
            cairn_quat_from_rotation_vector(cairn_vec(2.0 * quarter, 0.0, 0.0));
        def.limited = true;
        def.lo = -0.3;
        def.hi = 0.3;
        CHECK(cairn_world_add_joint(world, &def, &slider, NULL) == CAIRN_OK);

        run_to_limit(world, slider, 0.3, &worst, &end);
        CHECK_BELOW(worst, 1e-6);
        CHECK_BELOW(end, 1e-9);
        cairn_world_destroy(world);
    }
}
END

TEST(a_rope_is_never_longer_than_it_is)
{
    cairn_world* world = make(cairn_vec(0.0, 0.0, -g));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    cairn_joint_id id;
    double worst, end;
    def.limited = true;
    def.hi = 1.0;
    def.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0.6, 0.0, 0.3));
    CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
    run_to_limit(world, id, 1.0, &worst, &end);
    CHECK_BELOW(worst, 1e-6);
    cairn_world_destroy(world);
}
END

TEST(a_hinge_that_was_made_beyond_its_limit_comes_back_little_by_little)
{
    cairn_world* world = make(cairn_vec(0.0, 0.0, 0.0));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    cairn_joint_id id;
    def.limited = true;
    def.lo = 0.52;
    def.hi = 1.0;
    hang(world, &def, &id);
    worlds_run(world, 1);
    CHECK_NEAR(coordinate(world, id), 0.05, 1e-4);
    worlds_run(world, 20);
    CHECK_NEAR(coordinate(world, id), 0.52, 1e-9);
    cairn_world_destroy(world);
}
END

TEST(axes_that_are_to_be_perpendicular_may_not_start_parallel)
{
    const cairn_joint_kind kinds[] = {CAIRN_JOINT_UNIVERSAL, CAIRN_JOINT_WHEEL};
    for (int k = 0; k < 2; k++) {
        cairn_world* world = make(cairn_vec(0.0, 0.0, -g));
        cairn_joint_def def = cairn_default_joint_def(kinds[k]);
        cairn_joint_id id;
        cairn_error error = {""};
        def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                                cairn_vec(0.0, 0.0, 0.0));
        uint64_t before = cairn_world_hash(world);

        CHECK(cairn_world_add_joint(world, &def, &id, &error) == CAIRN_BAD_INPUT);
        CHECK(strstr(error.text, "parallel") != NULL);
        CHECK(cairn_world_hash(world) == before);

        // a degree apart they find their place
        def.frame_b.q = cairn_quat_from_rotation_vector(cairn_vec(quarter / 90.0, 0.0, 0.0));
        CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
        cairn_world_destroy(world);
    }
}
END

TESTS(an_angle_is_followed_however_fast_it_turns, a_fast_screw_loses_no_pitch,
      a_rod_on_a_ball_joint_does_not_swing_beyond_its_cone,
      a_spring_on_the_swing_holds_a_rod_where_the_torques_balance,
      a_motor_turns_a_universal_joint_and_follows_it_beyond_a_turn,
      a_cylindrical_joint_falls_to_its_limit_and_goes_on_spinning,
      hinges_that_fall_against_their_limits_stay_within_them,
      a_slider_on_a_swinging_rod_stays_within_its_limit, a_rope_is_never_longer_than_it_is,
      a_hinge_that_was_made_beyond_its_limit_comes_back_little_by_little,
      axes_that_are_to_be_perpendicular_may_not_start_parallel)
