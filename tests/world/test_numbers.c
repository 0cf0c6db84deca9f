// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Extreme values that are accepted, alone and together: every step says OK, no world holds a number
// that is not finite, what cannot be computed is frozen and reported, and the rest goes on.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>
#include <stdio.h>
#include <string.h>

static bool is_finite_pose(cairn_transform x)
{
    return cairn_is_finite(x.p) && isfinite(x.q.w + x.q.x + x.q.y + x.q.z);
}

// what a caller can see of a world after a step
static void check_world(const cairn_world* world, const cairn_step_report* report, const char* what)
{
    int count;
    for (int i = 0; i < cairn_world_body_slots(world); i++) {
        cairn_body_id id = cairn_world_body_at(world, i);
        cairn_body_state s;
        if (id.generation == 0)
            continue;
        CHECK(cairn_body_get(world, id, &s, NULL) == CAIRN_OK);
        ck_assert_msg(is_finite_pose(s.pose) && cairn_is_finite(s.center) &&
                          cairn_is_finite(s.velocity) && cairn_is_finite(s.spin),
                      "%s: body %d", what, i);
    }

    for (int i = 0; i < cairn_world_joint_slots(world); i++) {
        cairn_joint_id id = cairn_world_joint_at(world, i);
        cairn_joint_state s;
        if (id.generation == 0)
            continue;
        CHECK(cairn_joint_get(world, id, &s, NULL) == CAIRN_OK);
        ck_assert_msg(isfinite(s.coordinate + s.error) && cairn_is_finite(s.impulse) &&
                          cairn_is_finite(s.twist),
                      "%s: joint %d: coordinate %g, error %g, impulse %g, twist %g", what, i,
                      s.coordinate, s.error, cairn_norm(s.impulse), cairn_norm(s.twist));
    }

    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int c = 0; c < count; c++)
        ck_assert_msg(cairn_is_finite(contacts[c].impulse) && cairn_is_finite(contacts[c].point) &&
                          cairn_is_finite(contacts[c].normal) && isfinite(contacts[c].gap),
                      "%s: contact %d", what, c);
    ck_assert_msg(
        isfinite(report->kinetic + report->potential + report->penetration + report->joint_error),
        "%s: the report", what);
}

static void step_and_check(cairn_world* world, double dt, int steps, const char* what)
{
    for (int k = 0; k < steps; k++) {
        cairn_step_report report;
        cairn_error error = {""};
        cairn_status status = cairn_world_step(world, dt, &report, &error);
        ck_assert_msg(status == CAIRN_OK, "%s, step %d: status %d, %s", what, k, (int)status,
                      error.text);
        check_world(world, &report, what);
    }
}

// ---------------------------------------------------------------- one pair at the ends of the
// ranges

// a joint whose axes are as they are to be: those of universal and wheel joints are perpendicular
static cairn_joint_def joint_of(cairn_joint_kind kind)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    if (kind == CAIRN_JOINT_UNIVERSAL || kind == CAIRN_JOINT_WHEEL)
        def.frame_b.q = cairn_quat_from_rotation_vector(cairn_vec(1.5707963267948966, 0.0, 0.0));
    return def;
}

TEST(bodies_at_both_ends_of_the_ranges_on_one_joint_do_no_harm)
{
    const double masses[] = {1e-27, 1.0, 1e27}, moments[] = {1e-45, 1e-20, 1.0, 1e45};
    const double levers[] = {0.0, 1.0, 1e12};

    // a slow build takes the ends alone
    const int next_mass = CHECK_SLOW_BUILD ? 2 : 1, next_moment = CHECK_SLOW_BUILD ? 3 : 1;

    for (int kind = CAIRN_JOINT_BALL; kind <= CAIRN_JOINT_GEAR; kind++)
        for (int m = 0; m < 3; m += next_mass)
            for (int i = 0; i < 4; i += next_moment)
                for (int l = 0; l < 3; l++) {
                    char what[100];
                    cairn_world* world = worlds_empty(cairn_default_world_def());
                    cairn_body_def def = cairn_default_body_def();
                    cairn_joint_def joint = joint_of((cairn_joint_kind)kind);
                    cairn_joint_id id;
                    cairn_body_id witness =
                        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5),
                                   cairn_vec(50.0, 0.0, 0.0));
                    def.mass = 1.0;
                    def.inertia = cairn_mat3_diagonal(1.0, 1.0, 1.0);
                    CHECK(cairn_world_add_body(world, &def, &joint.body_a, NULL) == CAIRN_OK);
                    def.mass = masses[m];
                    def.inertia = cairn_mat3_diagonal(moments[i], moments[i], moments[i]);
                    def.spin = cairn_vec(1.0, 2.0, 3.0);
                    CHECK(cairn_world_add_body(world, &def, &joint.body_b, NULL) == CAIRN_OK);
                    joint.frame_b.p.x = levers[l];
                    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
                    snprintf(what, sizeof what, "joint %d, mass %g, moment %g, lever %g", kind,
                             masses[m], moments[i], levers[l]);
                    step_and_check(world, worlds_dt, 4, what);

                    // what is apart from it falls as it should
                    double t = 4.0 * worlds_dt;
                    CHECK_NEAR(worlds_state(world, witness).velocity.z, -9.81 * t, 1e-12);
                    cairn_world_destroy(world);
                }
}
END

// ---------------------------------------------------------------- random worlds

typedef struct draw {
    cairn_random random;
} draw;

// a number of an ordinary size, or one of the ends of a range
static double pick(draw* d, double least, double usual, double most)
{
    double r = cairn_random_unit(&d->random);
    return r < 0.7 ? usual * (0.5 + cairn_random_unit(&d->random)) : r < 0.85 ? least : most;
}

static cairn_vec3 pick_vec(draw* d, double usual, double most)
{
    double s = cairn_random_unit(&d->random) < 0.9 ? usual : most;
    cairn_vec3 v = cairn_random_vec3(&d->random);
    return cairn_scale(s, v);
}

static int pick_int(draw* d, int count)
{
    int k = (int)(count * cairn_random_unit(&d->random));
    return k < count ? k : count - 1;
}

static void add_random_body(cairn_world* world, draw* d)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    double size = pick(d, 1e-9, 0.5, pick_int(d, 2) ? 1e4 : 1e12);
    cairn_shape shapes[3] = {cairn_shape_sphere(size), cairn_shape_box(cairn_vec(size, 0.5, 0.5)),
                             cairn_shape_capsule(0.3, size)};
    def.shape = &shapes[pick_int(d, 3)];
    def.type = pick_int(d, 8) == 0 ? CAIRN_BODY_KINEMATIC : CAIRN_BODY_DYNAMIC;
    def.mass = pick(d, 1e-27, 1.0, 1e27);
    double moment = pick(d, 1e-45, 0.1, 1e45);

    if (pick_int(d, 3) == 0)
        def.inertia = cairn_mat3_diagonal(moment, 0.1, 0.1);

    def.pose.p = pick_vec(d, 2.0, 1e9);
    def.velocity = pick_vec(d, 5.0, 1e12);
    def.spin = pick_vec(d, 5.0, 1e12);
    def.material.mu = pick(d, 1e-12, 0.5, 1e6);
    def.material.mu_spin = pick_int(d, 4) == 0 ? pick(d, 1e-12, 0.01, 1e6) : 0.0;
    def.material.restitution = pick(d, 0.0, 0.4, 1.0) > 0.9 ? 1.0 : 0.0;
    def.linear_damping = pick_int(d, 6) == 0 ? 1e12 : 0.0;
    def.gravity_scale = pick(d, 1.0, 1.0, 1e12);
    cairn_world_add_body(world, &def, &id, NULL); // some are too heavy together with their size
}

static void add_random_joint(cairn_world* world, draw* d)
{
    cairn_joint_def def = cairn_default_joint_def((cairn_joint_kind)pick_int(d, 8));
    cairn_joint_id id;
    int slots = cairn_world_body_slots(world);
    def.body_a = cairn_world_body_at(world, pick_int(d, slots));
    def.body_b = cairn_world_body_at(world, pick_int(d, slots));
    def.frame_a.p = pick_vec(d, 1.0, 1e12);
    def.frame_b.p = pick_vec(d, 1.0, 1e12);
    def.ratio = pick(d, 1e-6, 1.0, 1e6);

    if (def.kind != CAIRN_JOINT_FIXED && def.kind != CAIRN_JOINT_GEAR) {
        def.driven = pick_int(d, 3) == 0;
        def.speed = pick(d, 0.0, 1.0, 1e12);
        def.strength = pick(d, 0.0, 10.0, INFINITY);
        def.stiffness = pick_int(d, 3) == 0 ? pick(d, 1e-30, 10.0, 1e30) : 0.0;
        def.damping = pick_int(d, 3) == 0 ? pick(d, 1e-30, 1.0, 1e30) : 0.0;
        def.limited = pick_int(d, 3) == 0;
        def.lo = -pick(d, 0.0, 0.5, 1e12);
        def.hi = pick(d, 0.0, 0.5, 1e12);
    }

    cairn_world_add_joint(world, &def, &id, NULL);
}

static void push_at_random(cairn_world* world, draw* d)
{
    cairn_body_id id = cairn_world_body_at(world, pick_int(d, cairn_world_body_slots(world)));
    switch (pick_int(d, 4)) {
    case 0:
        cairn_body_add_force(world, id, pick_vec(d, 10.0, 1e42), pick_vec(d, 1.0, 1e12), NULL);
        break;
    case 1:
        cairn_body_add_torque(world, id, pick_vec(d, 10.0, 1e42), NULL);
        break;
    case 2:
        cairn_body_add_impulse(world, id, pick_vec(d, 1.0, 1e42), pick_vec(d, 1.0, 1e12), NULL);
        break;
    default:
        cairn_body_set_velocity(world, id, pick_vec(d, 1.0, 1e12), pick_vec(d, 1.0, 1e12), NULL);
    }
}

TEST(random_worlds_at_the_ends_of_the_ranges_hold_finite_numbers_and_go_on)
{
    enum { worlds = CHECK_SLOW_BUILD ? 8 : 40 };
    for (int seed = 1; seed <= worlds; seed++) {
        draw d = {{(uint64_t)seed}};
        char what[40];
        cairn_world_def def = cairn_default_world_def();
        def.substeps = 1 + pick_int(&d, 3);
        def.integrator = (cairn_integrator)pick_int(&d, 2);
        def.stabilization = (cairn_stabilization)pick_int(&d, 3);
        def.sweeps = pick_int(&d, 3) == 0 ? 4 : 0;
        def.time_limit = 0.02;
        cairn_world* world = worlds_empty(def);
        snprintf(what, sizeof what, "world %d", seed);

        if (pick_int(&d, 2))
            worlds_ground(world);
        for (int i = 0; i < 3 + pick_int(&d, 6); i++)
            add_random_body(world, &d);
        for (int i = 0; i < 4 && cairn_world_body_slots(world) > 1; i++)
            add_random_joint(world, &d);

        for (int k = 0; k < 6; k++) {
            if (cairn_world_body_slots(world) > 0)
                push_at_random(world, &d);
            step_and_check(world, pick(&d, 1e-9, worlds_dt, 1e3), 1, what);
        }

        // and afterwards ordinary steps are ordinary: the world is not stuck
        step_and_check(world, worlds_dt, 3, what);
        cairn_world_destroy(world);
    }
}
END

TEST(an_island_that_has_no_answer_freezes_its_odd_body_and_the_others_go_on)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_def def = cairn_default_body_def();
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_FIXED);
    cairn_joint_id id;
    cairn_body_id bodies[4];
    int frozen = 0;

    // a chain of ordinary bodies, at whose end one with the least mass and the greatest moments
    for (int i = 0; i < 4; i++) {
        def.mass = i < 3 ? 1.0 : 1e-27;
        def.inertia =
            i < 3 ? cairn_mat3_diagonal(0.1, 0.1, 0.1) : cairn_mat3_diagonal(1e-45, 1e45, 1e-45);
        def.spin = i < 3 ? cairn_vec(0.0, 0.0, 0.0) : cairn_vec(1e8, 1e8, 1e8);
        def.pose.p = cairn_vec(i, 0.0, 0.0);
        CHECK(cairn_world_add_body(world, &def, &bodies[i], NULL) == CAIRN_OK);

        if (i == 0)
            continue;

        joint.body_a = bodies[i - 1];
        joint.body_b = bodies[i];
        joint.frame_a.p.x = i < 3 ? 1.0 : 1e12;
        joint.frame_b.p.y = i < 3 ? 0.0 : 1e12;
        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    }

    for (int k = 0; k < 60; k++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        check_world(world, &report, "chain");
        frozen += report.frozen;
    }

    int counted = 0;
    for (int i = 0; i < 4; i++)
        counted += worlds_state(world, bodies[i]).frozen;

    ck_assert_int_eq(frozen, counted);
    cairn_world_destroy(world);
}
END

// a box that lies on the ground, in the island of a joint that no solve can hold: it is put back, and
// its contacts are those of the place where it is
TEST(contacts_of_bodies_that_are_put_back_are_finite)
{
    const double masses[] = {1e-27, 1e27}, moments[] = {1e-45, 1e45}, levers[] = {1.0, 1e12};
    int put_back = 0;

    for (int kind = CAIRN_JOINT_BALL; kind <= CAIRN_JOINT_GEAR; kind++)
        for (int k = CHECK_FEWER(0, kind % 8); k < 8; k += CHECK_FEWER(1, 8)) {
            cairn_world* world = worlds_empty(cairn_default_world_def());
            cairn_body_def def = cairn_default_body_def();
            cairn_joint_def joint = joint_of((cairn_joint_kind)kind);
            cairn_joint_id id;
            worlds_ground(world);
            joint.body_a =
                worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                           cairn_vec(0.0, 0.0, 0.499));

            // masses, moments and levers at the ends of their ranges
            def.mass = masses[k % 2];
            def.inertia =
                cairn_mat3_diagonal(moments[k / 2 % 2], moments[k / 2 % 2], moments[k / 2 % 2]);
            def.spin = cairn_vec(1e8, 2.0, 3.0);
            def.velocity = cairn_vec(1e9, 0.0, -1e9);
            CHECK(cairn_world_add_body(world, &def, &joint.body_b, NULL) == CAIRN_OK);
            joint.frame_b.p.x = levers[k / 4];
            CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);

            for (int n = 0; n < 3; n++) {
                cairn_step_report report;
                cairn_error error = {""};
                cairn_status status = cairn_world_step(world, worlds_dt, &report, &error);
                ck_assert_msg(status == CAIRN_OK, "joint %d, case %d, step %d: status %d, %s", kind,
                              k, n, (int)status, error.text);
                check_world(world, &report, "put back");
                put_back += report.outcome == CAIRN_OUTCOME_SINGULAR;
            }
            cairn_world_destroy(world);
        }

    CHECK(put_back > 0);
}
END

// ---------------------------------------------------------------- what is not read

// what sizes a kind of shape does not have, set to numbers that nobody can use
static cairn_shape spoiled(cairn_shape shape)
{
    bool round = shape.kind == CAIRN_SHAPE_SPHERE || shape.kind == CAIRN_SHAPE_CAPSULE ||
                 shape.kind == CAIRN_SHAPE_CYLINDER;
    if (!round)
        shape.radius = 1.79769e308;
    if (!round || shape.kind == CAIRN_SHAPE_SPHERE)
        shape.half_height = NAN;
    if (shape.kind != CAIRN_SHAPE_BOX)
        shape.half = cairn_vec(-1.0, INFINITY, NAN);
    return shape;
}

// bodies of all simple kinds fall on a half-space
static uint64_t seen_with(bool spoil)
{
    const cairn_shape shapes[] = {
        cairn_shape_half_space(), cairn_shape_sphere(0.5), cairn_shape_capsule(0.3, 0.4),
        cairn_shape_box(cairn_vec(0.4, 0.5, 0.6)), cairn_shape_cylinder(0.4, 0.5)};
    cairn_world* world = worlds_empty(cairn_default_world_def());
    for (int i = 0; i < 5; i++)
        worlds_add(world, i == 0 ? CAIRN_BODY_STATIC : CAIRN_BODY_DYNAMIC,
                   spoil ? spoiled(shapes[i]) : shapes[i], cairn_vec(0.2 * i, 0.0, 0.9 * i - 0.4));
    step_and_check(world, worlds_dt, 30, "sizes that a shape does not have");
    uint64_t seen = worlds_seen(world);
    cairn_world_destroy(world);
    return seen;
}

TEST(sizes_that_a_kind_of_shape_does_not_have_are_not_read)
{
    CHECK(seen_with(true) == seen_with(false));
}
END

TESTS(sizes_that_a_kind_of_shape_does_not_have_are_not_read,
      contacts_of_bodies_that_are_put_back_are_finite,
      bodies_at_both_ends_of_the_ranges_on_one_joint_do_no_harm,
      random_worlds_at_the_ends_of_the_ranges_hold_finite_numbers_and_go_on,
      an_island_that_has_no_answer_freezes_its_odd_body_and_the_others_go_on)
