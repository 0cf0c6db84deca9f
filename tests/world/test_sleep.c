// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const cairn_vec3 none = {0.0, 0.0, 0.0};

// a column of three cubes on the ground, run until it sleeps
typedef struct column {
    cairn_world* world;
    cairn_body_id ground, cube[3];
} column;

static cairn_shape cube(void)
{
    return cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
}

static column sleeping_column(void)
{
    column c = {.world = worlds_empty(cairn_default_world_def())};
    c.ground = worlds_ground(c.world);
    for (int i = 0; i < 3; i++)
        c.cube[i] = worlds_add(c.world, CAIRN_BODY_DYNAMIC, cube(), cairn_vec(0.0, 0.0, 0.5 + i));
    cairn_step_report report = worlds_run(c.world, 60);
    ck_assert_int_eq(report.bodies, 3);
    ck_assert_int_eq(report.awake, 0);
    ck_assert_int_eq(report.awake_contacts, 0);
    ck_assert_int_eq(report.contacts, 12);
    return c;
}

static int awake(const column* c)
{
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += !worlds_state(c->world, c->cube[i]).asleep;
    return count;
}

TEST(a_stack_falls_asleep_keeps_its_bits_and_its_loads)
{
    column c = sleeping_column();
    cairn_body_state before[3], after;

    for (int i = 0; i < 3; i++) {
        before[i] = worlds_state(c.world, c.cube[i]);
        CHECK(before[i].asleep);
        CHECK(cairn_norm(before[i].velocity) == 0.0 && cairn_norm(before[i].spin) == 0.0);
    }

    uint64_t hash = cairn_world_hash(c.world);
    worlds_run(c.world, 100);

    ck_assert_uint_eq(cairn_world_hash(c.world), hash);
    for (int i = 0; i < 3; i++) {
        after = worlds_state(c.world, c.cube[i]);
        CHECK(memcmp(&before[i].pose, &after.pose, sizeof after.pose) == 0);
    }

    // the ground still bears three cubes of 1000 kg for a step
    int count;
    const cairn_contact* contacts = cairn_world_contacts(c.world, &count);
    double load = 0.0;

    for (int i = 0; i < count; i++)
        if (contacts[i].body_a.index == c.ground.index)
            load += contacts[i].impulse.z;
    CHECK_NEAR(load, 3000.0 * 9.81 * worlds_dt, 1e-6 * load);

    cairn_events events = cairn_world_events(c.world);
    ck_assert_int_eq(events.ended_count, 0);
    cairn_world_destroy(c.world);
}
END

TEST(every_push_through_the_api_wakes_the_whole_stack)
{
    for (int k = 0; k < 7; k++) {
        column c = sleeping_column();
        cairn_body_id top = c.cube[2];
        cairn_transform pose = worlds_state(c.world, top).pose;
        cairn_status status =
            k == 0   ? cairn_body_add_force(c.world, top, cairn_vec(1.0, 0.0, 0.0), none, NULL)
            : k == 1 ? cairn_body_add_torque(c.world, top, cairn_vec(1.0, 0.0, 0.0), NULL)
            : k == 2 ? cairn_body_add_impulse(c.world, top, cairn_vec(1.0, 0.0, 0.0), none, NULL)
            : k == 3 ? cairn_body_set_velocity(c.world, top, none, none, NULL)
            : k == 4 ? cairn_body_set_pose(c.world, top, pose, NULL)
            : k == 5 ? cairn_body_wake(c.world, top, NULL)
                     : cairn_world_set_gravity(c.world, cairn_vec(0.0, 1.0, -9.81), NULL);

        CHECK(status == CAIRN_OK);
        ck_assert_int_eq(awake(&c), 3);

        // and nothing is lost by it
        cairn_step_report report = worlds_run(c.world, 10);

        CHECK_BELOW(report.penetration, 1e-3);
        CHECK_NEAR(worlds_state(c.world, top).center.z, 2.5, 1e-3);
        ck_assert_int_eq(report.awake, 3);

        report = worlds_run(c.world, 90);
        ck_assert_int_eq(report.awake, 0);
        cairn_world_destroy(c.world);
    }
}
END

TEST(the_same_gravity_wakes_nothing)
{
    column c = sleeping_column();
    CHECK(cairn_world_set_gravity(c.world, cairn_default_world_def().gravity, NULL) == CAIRN_OK);
    ck_assert_int_eq(awake(&c), 0);
    cairn_world_destroy(c.world);
}
END

TEST(what_loses_its_support_falls)
{
    // a cube of the stack, the ground under it, the ground moved away
    for (int k = 0; k < 3; k++) {
        column c = sleeping_column();
        cairn_transform away = {cairn_vec(0.0, 0.0, -50.0), cairn_quat_identity()};

        if (k == 0)
            CHECK(cairn_world_remove_body(c.world, c.cube[1], NULL) == CAIRN_OK);
        if (k == 1)
            CHECK(cairn_world_remove_body(c.world, c.ground, NULL) == CAIRN_OK);
        if (k == 2)
            CHECK(cairn_body_set_pose(c.world, c.ground, away, NULL) == CAIRN_OK);

        worlds_run(c.world, 20);
        CHECK_BELOW(worlds_state(c.world, c.cube[2]).center.z, 2.0);
        if (k > 0)
            CHECK_BELOW(worlds_state(c.world, c.cube[0]).center.z, 0.2);
        cairn_world_destroy(c.world);
    }
}
END

// momentum along x of a ball that hits a sleeping cube on ice
TEST(an_impact_wakes_and_loses_no_momentum)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape half = cairn_shape_half_space(), box = cube(), sphere = cairn_shape_sphere(0.5);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id ground, sleeper, ball;
    def.material.mu = 0.0;
    def.type = CAIRN_BODY_STATIC;
    def.shape = &half;
    CHECK(cairn_world_add_body(world, &def, &ground, NULL) == CAIRN_OK);
    def.type = CAIRN_BODY_DYNAMIC;
    def.shape = &box;
    def.pose.p = cairn_vec(0.0, 0.0, 0.5);
    CHECK(cairn_world_add_body(world, &def, &sleeper, NULL) == CAIRN_OK);

    worlds_run(world, 60);
    CHECK(worlds_state(world, sleeper).asleep);

    // a ball comes at 20 m/s; before it arrives the cube sleeps on
    def.shape = &sphere;
    def.pose.p = cairn_vec(-5.0, 0.0, 0.5);
    def.velocity = cairn_vec(20.0, 0.0, 0.0);
    CHECK(cairn_world_add_body(world, &def, &ball, NULL) == CAIRN_OK);

    worlds_run(world, 5);
    CHECK(worlds_state(world, sleeper).asleep);

    worlds_run(world, 25);
    cairn_body_state a = worlds_state(world, ball), b = worlds_state(world, sleeper);

    CHECK(!b.asleep && b.velocity.x > 1.0);
    CHECK_NEAR(a.mass * a.velocity.x + b.mass * b.velocity.x, a.mass * 20.0, 1e-9 * a.mass * 20.0);
    cairn_world_destroy(world);
}
END

TEST(a_lift_wakes_what_stands_on_it_and_a_standing_one_lets_it_sleep)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id lift =
        worlds_add(world, CAIRN_BODY_KINEMATIC, cairn_shape_box(cairn_vec(2.0, 2.0, 0.1)), none);
    cairn_body_id box = worlds_add(world, CAIRN_BODY_DYNAMIC, cube(), cairn_vec(0.0, 0.0, 0.6));

    worlds_run(world, 60);
    CHECK(worlds_state(world, box).asleep);

    CHECK(cairn_body_set_velocity(world, lift, cairn_vec(0.0, 0.0, 0.001), none, NULL) == CAIRN_OK);
    worlds_run(world, 120);

    CHECK(!worlds_state(world, box).asleep);
    CHECK_NEAR(worlds_state(world, box).center.z, 0.602, 1e-4);

    CHECK(cairn_body_set_velocity(world, lift, none, none, NULL) == CAIRN_OK);
    worlds_run(world, 60);

    CHECK(worlds_state(world, box).asleep);
    cairn_world_destroy(world);
}
END

TEST(joints_and_motors_wake_their_bodies)
{
    cairn_joint_id motor;
    cairn_world* world = worlds_machine(cairn_default_world_def(), &motor);
    CHECK(cairn_joint_set_motor(world, motor, 0.0, 200.0, NULL) == CAIRN_OK);

    cairn_step_report report = worlds_run(world, 300);
    ck_assert_int_eq(report.awake, 0);

    cairn_joint_state held, still;
    CHECK(cairn_joint_get(world, motor, &held, NULL) == CAIRN_OK);

    worlds_run(world, 10);
    CHECK(cairn_joint_get(world, motor, &still, NULL) == CAIRN_OK);

    CHECK(cairn_norm(held.impulse) > 0.0);
    CHECK(memcmp(&held, &still, sizeof held) == 0);

    CHECK(cairn_joint_set_motor(world, motor, 3.0, 200.0, NULL) == CAIRN_OK);
    report = worlds_run(world, 30);

    ck_assert_int_eq(report.awake, report.bodies);
    cairn_world_destroy(world);
}
END

TEST(slow_free_motion_is_not_stopped)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = none;
    cairn_world* world = worlds_empty(def);
    cairn_body_id drifting = worlds_add(world, CAIRN_BODY_DYNAMIC, cube(), none);
    cairn_body_id resting = worlds_add(world, CAIRN_BODY_DYNAMIC, cube(), cairn_vec(5.0, 0.0, 0.0));
    CHECK(cairn_body_set_velocity(world, drifting, cairn_vec(0.0, 0.001, 0.0), none, NULL) ==
          CAIRN_OK);
    worlds_run(world, 120);
    CHECK_NEAR(worlds_state(world, drifting).center.y, 0.002, 1e-12);
    CHECK(worlds_state(world, resting).asleep);
    cairn_world_destroy(world);
}
END

TEST(islands_sleep_one_by_one)
{
    cairn_world* world = worlds_columns(cairn_default_world_def(), 4, 3);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(6.0, 0.0, 12.0));
    cairn_step_report report = worlds_run(world, 60);
    ck_assert_int_eq(report.awake, 1);

    // the ball wakes the third column alone, and its contacts are the computed ones
    while (worlds_state(world, ball).velocity.z < -1.0 && report.step < 200)
        report = worlds_run(world, 1);
    ck_assert_int_eq(report.awake, 4);
    CHECK(report.awake_contacts >= 12 && report.awake_contacts <= 16);
    CHECK(report.contacts >= 48);
    cairn_world_destroy(world);
}
END

TEST(a_wall_that_may_sleep_stands_no_worse)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    cairn_world* sleepy = worlds_wall(def, 10, 10);
    def.sleep = false;
    cairn_world* awake_wall = worlds_wall(def, 10, 10);
    cairn_step_report a = worlds_run(sleepy, 120), b = worlds_run(awake_wall, 120);
    ck_assert_int_eq(a.awake, 0);
    ck_assert_int_eq(b.awake, b.bodies);
    CHECK_BELOW(a.penetration, b.penetration);
    CHECK_BELOW(a.penetration, 1e-3);
    cairn_world_destroy(sleepy);
    cairn_world_destroy(awake_wall);
}
END

TEST(sleep_is_part_of_a_snapshot)
{
    column c = sleeping_column();
    cairn_snapshot* snapshot = NULL;
    uint64_t hash[2][30];
    CHECK(cairn_world_snapshot(c.world, &snapshot, NULL) == CAIRN_OK);

    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(awake(&c), 0);
        CHECK(cairn_body_add_impulse(c.world, c.cube[1], cairn_vec(500.0, 100.0, 0.0),
                                     cairn_vec(0.0, 0.0, 1.7), NULL) == CAIRN_OK);
        for (int i = 0; i < 30; i++) {
            worlds_run(c.world, 1);
            hash[k][i] = cairn_world_hash(c.world);
        }
        CHECK(cairn_world_restore(c.world, snapshot, NULL) == CAIRN_OK);
    }

    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(c.world);
}
END

TEST(what_starts_to_slide_is_not_stopped)
{
    // 5 mm/s² beyond the friction limit: slower than 5 mm/s for a whole second
    cairn_world_def def = cairn_default_world_def();
    double angle = atan(0.6) + 0.005 / (9.81 * sqrt(1.0 + 0.6 * 0.6)), along = 9.81 * sin(angle);
    def.gravity = cairn_vec(along, 0.0, -9.81 * cos(angle));
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    cairn_body_id box =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.25)),
                   cairn_vec(0.0, 0.0, 0.25));

    worlds_run(world, 240);
    cairn_body_state s = worlds_state(world, box);

    CHECK(!s.asleep);
    CHECK_NEAR(s.velocity.x, 4.0 * (along - 0.6 * 9.81 * cos(angle)), 1e-9);
    cairn_world_destroy(world);
}
END

TEST(a_pendulum_goes_on_through_its_turning_points)
{
    // 0.5 mm to each side: never faster than 2 mm/s
    cairn_world_def def = cairn_default_world_def();
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    cairn_world* world = worlds_empty(def);
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id id;
    joint.body_b =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(5e-4, 0.0, -1.0));
    joint.frame_b.p = cairn_vec(-5e-4, 0.0, 1.0);
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    double least = 1.0, most = -1.0;

    for (int i = 0; i < 600; i++) {
        worlds_run(world, 1);
        double x = worlds_state(world, joint.body_b).center.x;
        if (i >= 480) {
            least = fmin(least, x);
            most = fmax(most, x);
        }
    }

    CHECK(!worlds_state(world, joint.body_b).asleep);
    CHECK_NEAR(most, 5e-4, 1e-5);
    CHECK_NEAR(least, -5e-4, 1e-5);
    cairn_world_destroy(world);
}
END

TEST(a_slow_carrier_takes_its_load_along)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id belt =
        worlds_add(world, CAIRN_BODY_KINEMATIC, cairn_shape_box(cairn_vec(2.0, 2.0, 0.5)),
                   cairn_vec(0.0, 0.0, -0.5));
    cairn_body_id box =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)),
                   cairn_vec(0.0, 0.0, 0.2));

    worlds_run(world, 120);
    CHECK(worlds_state(world, box).asleep);

    CHECK(cairn_body_set_velocity(world, belt, cairn_vec(1e-6, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 600);

    CHECK_NEAR(worlds_state(world, box).center.x, 1e-5, 1e-9);
    cairn_world_destroy(world);
}
END

TEST(what_drifts_along_a_wall_without_load_is_not_stopped)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    cairn_body_id box =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)),
                   cairn_vec(0.0, 0.0, 0.2));
    CHECK(cairn_body_set_velocity(world, box, cairn_vec(5e-6, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 600);
    CHECK_NEAR(worlds_state(world, box).center.x, 5e-5, 1e-12);
    cairn_world_destroy(world);
}
END

// twenty crosses of two capsules each, dropped on each other
static cairn_world* drop_crosses(cairn_world_def def)
{
    static cairn_shape bars[2];
    static cairn_transform at[2];
    static cairn_compound cross = {.count = 2, .parts = bars, .offsets = at};
    cairn_world* world = worlds_empty(def);
    bars[0] = bars[1] = cairn_shape_capsule(0.08, 0.4);
    at[0] = at[1] = (cairn_transform){.q = cairn_quat_identity()};
    at[1].q = cairn_quat_from_rotation_vector(cairn_vec(asin(1.0), 0.0, 0.0));
    worlds_ground(world);

    for (int i = 0; i < 20; i++) {
        cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_compound(&cross),
                                      cairn_vec(0.25 * (i % 3), 0.2 * (i % 2), 0.6 + 0.35 * i));
        CHECK(cairn_body_set_velocity(world, id, cairn_vec(0.0, 0.0, 0.0),
                                      cairn_vec(0.3 * (i % 5), 0.4 * (i % 4), 0.1 * i),
                                      NULL) == CAIRN_OK);
    }
    return world;
}

static double kinetic_energy(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic;
}

// A loose tolerance lets them tremble for ever; that they could stand is certain all the same.
TEST(a_heap_that_trembles_within_its_tolerance_falls_asleep)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    def.substeps = 8;
    cairn_world* world = drop_crosses(def);
    cairn_step_report report = worlds_run(world, 720);

    CHECK(report.awake == 0);
    CHECK(kinetic_energy(world) == 0.0);

    // and does not come apart when it wakes
    CHECK(cairn_world_set_gravity(world, cairn_vec(0.0, 0.0, -9.811), NULL) == CAIRN_OK);
    report = worlds_run(world, 60);

    CHECK_BELOW(kinetic_energy(world), 1e-3); // some millimeters a second
    cairn_world_destroy(world);

    def.sleep = false;
    world = drop_crosses(def);
    report = worlds_run(world, CHECK_FEWER(480, 60));

    CHECK(report.awake == 20);
    CHECK(kinetic_energy(world) > 0.0);
    cairn_world_destroy(world);
}
END

// v = 2 mm/s: a millimeter in sleep_time, twice what counts as standing
TEST(a_ball_that_rolls_slowly_rolls_on)
{
    cairn_world_def def = cairn_default_world_def();
    const double v = 2e-3, r = 0.2;
    def.tolerance = 1e-2;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(r), cairn_vec(0.0, 0.0, r));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(v, 0.0, 0.0), cairn_vec(0.0, v / r, 0.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 600);
    CHECK_NEAR(worlds_state(world, ball).center.x, 10.0 * v, 1e-9);
    cairn_world_destroy(world);
}
END

// It goes 0.25 mm in sleep_time, hardly at all, but no impulses can hold it.
TEST(what_creeps_off_because_nothing_holds_it_is_not_stopped)
{
    cairn_world_def def = cairn_default_world_def();
    const double a = 2e-3, mu = 0.6, angle = atan(mu);

    // g sin - mu g cos = a
    double g = 9.81, along = g * sin(angle) + a, down = g * cos(angle);
    def.gravity = cairn_vec(along, 0.0, -down);
    def.tolerance = 1e-2;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    cairn_body_id box[2];

    for (int i = 0; i < 2; i++)
        box[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.1)),
                            cairn_vec(0.0, 0.0, 0.1 + 0.2 * i));
    const int steps = CHECK_FEWER(300, 60);
    double t = steps * worlds_dt;
    worlds_run(world, steps);
    CHECK(worlds_state(world, box[1]).center.x > 0.8 * 0.5 * a * t * t);
    CHECK(!worlds_state(world, box[0]).asleep);
    cairn_world_destroy(world);
}
END

TEST(a_body_that_hangs_beside_others_without_touching_them_falls_asleep)
{
    // its pair with the ground has no contacts, and nothing else sleeps yet
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id ground = worlds_ground(world);
    cairn_body_id box =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                   cairn_vec(0, 0, 0.52));
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_FIXED);
    cairn_joint_id id;
    joint.body_a = ground;
    joint.body_b = box;
    joint.frame_a.p = cairn_vec(0.0, 0.0, 0.52);
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    worlds_run(world, 240);

    CHECK(worlds_state(world, box).asleep);
    cairn_world_destroy(world);
}
END

TEST(bodies_that_overlap_do_not_sleep_before_they_are_apart)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);

    for (int i = 0; i < 10; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5),
                   cairn_vec(1e-3 * i, 0.0, 0.0));

    bool slept = false;
    for (int k = 0; k < 1200 && !slept; k++) {
        cairn_step_report report = worlds_run(world, 1);
        slept = report.awake == 0;
        for (int i = 0; i < 10; i++) {
            cairn_body_id id = {i, 1};
            if (worlds_state(world, id).asleep)
                CHECK_BELOW(report.penetration, 1e-3); // twice a gap that counts as closed
        }
    }

    CHECK(slept);
    cairn_world_destroy(world);
}
END

TESTS(a_body_that_hangs_beside_others_without_touching_them_falls_asleep,
      a_heap_that_trembles_within_its_tolerance_falls_asleep, a_ball_that_rolls_slowly_rolls_on,
      what_creeps_off_because_nothing_holds_it_is_not_stopped, what_starts_to_slide_is_not_stopped,
      a_pendulum_goes_on_through_its_turning_points, a_slow_carrier_takes_its_load_along,
      what_drifts_along_a_wall_without_load_is_not_stopped,
      a_stack_falls_asleep_keeps_its_bits_and_its_loads,
      every_push_through_the_api_wakes_the_whole_stack, the_same_gravity_wakes_nothing,
      what_loses_its_support_falls, an_impact_wakes_and_loses_no_momentum,
      a_lift_wakes_what_stands_on_it_and_a_standing_one_lets_it_sleep,
      joints_and_motors_wake_their_bodies, slow_free_motion_is_not_stopped,
      islands_sleep_one_by_one, a_wall_that_may_sleep_stands_no_worse, sleep_is_part_of_a_snapshot,
      bodies_that_overlap_do_not_sleep_before_they_are_apart)
