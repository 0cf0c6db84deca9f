// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The loads of worlds where statics leave a choice: tables, doors, cars, robots. They are those of a
// rigid structure on equal springs, whatever the method, and where the motion depends on them they
// drive it.

#include "check_cairn.h"
#include "worlds.h"

static const double g = 9.81;
static const cairn_body_id no_body = {0};
static const char* const methods[] = {"auto", "exact", "pgs", "dantzig"};
enum { method_count = 4 };

static cairn_world* make(const char* method)
{
    cairn_world_def def = cairn_default_world_def();
    def.method = method;
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    return world;
}

static cairn_body_id add(cairn_world* world, cairn_shape shape, double mass, cairn_vec3 at,
                         cairn_quat q)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = no_body;
    cairn_error error = {""};
    def.shape = &shape;
    def.pose = (cairn_transform){at, q};
    def.mass = mass;
    def.material.mu = 0.8;
    cairn_status status = cairn_world_add_body(world, &def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

// a joint at a point of the world, its frame turned by q; driven where strength > 0
static cairn_joint_id join(cairn_world* world, cairn_joint_kind kind, cairn_body_id a,
                           cairn_body_id b, cairn_vec3 at, cairn_quat q, double speed,
                           double strength)
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
    def.driven = strength > 0.0;
    def.speed = speed;
    def.strength = strength;
    CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

// N: the upward force of the ground on a body
static double load_of(const cairn_world* world, cairn_body_id id)
{
    int count;
    double sum = 0.0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int c = 0; c < count; c++)
        if (contacts[c].body_a.index == id.index || contacts[c].body_b.index == id.index)
            sum += fabs(contacts[c].impulse.z) / worlds_dt;
    return sum;
}

static const double corner[4][2] = {{-0.5, -0.3}, {0.5, -0.3}, {-0.5, 0.3}, {0.5, 0.3}};

// a top of 20 kg on legs of 1 kg; `offset` moves the top over them, `turn` turns all of it
static cairn_world* table(const char* method, cairn_joint_kind kind, double offset, double turn,
                          cairn_body_id legs[4])
{
    cairn_world* world = make(method);
    cairn_quat q = {cos(0.5 * turn), 0.0, 0.0, sin(0.5 * turn)};
    cairn_body_id top = add(world, cairn_shape_box(cairn_vec(0.6, 0.4, 0.05)), 20.0,
                            cairn_rotate(q, cairn_vec(offset, 0.0, 0.65)), q);
    for (int i = 0; i < 4; i++) {
        cairn_vec3 at = cairn_rotate(q, cairn_vec(corner[i][0], corner[i][1], 0.3));
        legs[i] = add(world, cairn_shape_box(cairn_vec(0.04, 0.04, 0.3)), 1.0, at, q);
        join(world, kind, top, legs[i], cairn_add(at, cairn_vec(0.0, 0.0, 0.3)), q, 0.0, 0.0);
    }
    return world;
}

TEST(a_table_on_fixed_joints_stands_evenly_by_every_method)
{
    for (int m = 0; m < method_count; m++) {
        cairn_body_id legs[4];
        cairn_world* world = table(methods[m], CAIRN_JOINT_FIXED, 0.0, 0.0, legs);
        cairn_step_report report = worlds_run(world, 20);
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(load_of(world, legs[i]), 6.0 * g, 0.01 * g); // the tolerance of the world
        CHECK(report.multiplicity > 0);
        CHECK(report.islands == 1 && report.island_reports[0].multiplicity == report.multiplicity);
        cairn_world_destroy(world);
    }
}

TEST(loads_off_the_center_are_affine_and_turn_with_the_table)
{
    // on a rectangle affine is F0 - F1 - F2 + F3 = 0
    double F[2][4];

    for (int turned = 0; turned < 2; turned++) {
        cairn_body_id legs[4];
        cairn_world* world =
            table("auto", CAIRN_JOINT_FIXED, 0.1, turned * 0.25 * 3.14159265358979, legs);
        worlds_run(world, 20);
        for (int i = 0; i < 4; i++)
            F[turned][i] = load_of(world, legs[i]);
        CHECK_NEAR(F[turned][0] - F[turned][1] - F[turned][2] + F[turned][3], 0.0, 0.01 * g);
        CHECK(F[turned][1] > 1.2 * F[turned][0]);
        cairn_world_destroy(world);
    }

    for (int i = 0; i < 4; i++)
        CHECK_NEAR(F[1][i], F[0][i], 0.01 * g);
}

TEST(a_table_of_one_body_comes_to_rest_with_even_loads)
{
    cairn_world* world = make("auto");
    cairn_shape parts[4];
    cairn_transform places[4];

    for (int i = 0; i < 4; i++) {
        parts[i] = cairn_shape_sphere(0.05);
        places[i] =
            (cairn_transform){cairn_vec(corner[i][0], corner[i][1], 0.0), cairn_quat_identity()};
    }

    cairn_compound* compound;
    CHECK(cairn_compound_create(parts, places, 4, &compound, NULL) == CAIRN_OK);
    add(world, cairn_shape_compound(compound), 20.0, cairn_vec(0.0, 0.0, 0.05),
        cairn_quat_identity());

    cairn_step_report report = worlds_run(world, 20);
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);

    // twelve rows hold six degrees of freedom: the choice of loads has six dimensions
    CHECK(count == 4 && report.multiplicity == 6);
    for (int c = 0; c < 4; c++) {
        CHECK_NEAR(fabs(contacts[c].impulse.z) / worlds_dt, 5.0 * g, 1e-5 * g);
        CHECK_NEAR(hypot(contacts[c].impulse.x, contacts[c].impulse.y), 0.0, 1e-6);
    }
    cairn_world_destroy(world);
    cairn_compound_destroy(compound);
}

TEST(a_door_hangs_equally_on_two_and_three_hinges)
{
    for (int hinges = 2; hinges <= 3; hinges++)
        for (int m = 0; m < method_count; m++) {
            cairn_joint_id joints[3];
            cairn_world_def def = cairn_default_world_def();
            def.method = methods[m];
            def.sleep = false;
            cairn_world* world = worlds_empty(def);
            cairn_body_id door = add(world, cairn_shape_box(cairn_vec(0.4, 0.02, 1.0)), 20.0,
                                     cairn_vec(0.4, 0.0, 1.0), cairn_quat_identity());
            for (int i = 0; i < hinges; i++)
                joints[i] = join(world, CAIRN_JOINT_HINGE, no_body, door,
                                 cairn_vec(0.0, 0.0, 0.2 + 1.6 * i / (hinges - 1.0)),
                                 cairn_quat_identity(), 0.0, 0.0);

            // a hinge has five rows, and one of them is enough
            cairn_step_report report = worlds_run(world, 10);
            CHECK(report.multiplicity == 5 * (hinges - 1));
            for (int i = 0; i < hinges; i++) {
                cairn_joint_state state;
                CHECK(cairn_joint_get(world, joints[i], &state, NULL) == CAIRN_OK);
                CHECK_NEAR(state.impulse.z / worlds_dt, 20.0 * g / hinges, 0.01 * g);
            }
            cairn_world_destroy(world);
        }
}

// F = ma: the torque T of each of n wheels pushes m and four wheels of inertia I
TEST(a_car_on_four_wheels_drives_as_its_motors_push)
{
    const double T = 300.0, R = 0.3, body = 1000.0, wheel = 20.0, I = 0.5 * wheel * R * R;
    const cairn_quat axle = {sqrt(0.5), sqrt(0.5), 0.0, 0.0};

    for (int driven = CHECK_FEWER(2, 4); driven <= 4; driven += 2)
        for (int m = 0; m < method_count; m++) {
            cairn_body_id wheels[4];
            cairn_world* world = make(methods[m]);
            cairn_body_id car = add(world, cairn_shape_box(cairn_vec(1.2, 0.6, 0.25)), body,
                                    cairn_vec(0.0, 0.0, 0.7), cairn_quat_identity());
            for (int i = 0; i < 4; i++) {
                cairn_vec3 at = cairn_vec(i % 2 ? 1.0 : -1.0, i < 2 ? -0.8 : 0.8, R);
                bool pushed = driven == 4 || i % 2;
                wheels[i] = add(world, cairn_shape_cylinder(R, 0.1), wheel, at, axle);
                join(world, CAIRN_JOINT_HINGE, car, wheels[i], at, axle, 1000.0, pushed ? T : 0.0);
            }

            cairn_step_report report = worlds_run(world, 60);
            if (m == 0)
                ck_assert_str_eq(report.island_reports[0].method, "newton");

            double mass = body + 4.0 * wheel, a = driven * T / R / (mass + 4.0 * I / (R * R));
            CHECK_NEAR(fabs(worlds_state(world, car).velocity.x), a, 1e-3 * a);
            for (int i = 0; i < 4; i++)
                CHECK_NEAR(fabs(worlds_state(world, wheels[i]).spin.y), a / R, 1e-3 * a / R);
            cairn_world_destroy(world);
        }
}

TEST(the_feet_of_a_quadruped_share_its_weight)
{
    for (int m = 0; m < method_count; m++) {
        cairn_body_id feet[4];
        cairn_world* world = make(methods[m]);
        cairn_body_id trunk = add(world, cairn_shape_box(cairn_vec(0.5, 0.3, 0.1)), 10.0,
                                  cairn_vec(0.0, 0.0, 0.6), cairn_quat_identity());

        for (int i = 0; i < 4; i++) {
            cairn_vec3 at = cairn_vec(corner[i][0], corner[i][1], 0.05);
            feet[i] = add(world, cairn_shape_sphere(0.05), 0.5, at, cairn_quat_identity());
            join(world, CAIRN_JOINT_SLIDER, trunk, feet[i], at, cairn_quat_identity(), 0.0, 1e3);
        }

        worlds_run(world, 20);
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(load_of(world, feet[i]), 3.0 * g, 0.01 * g);
        cairn_world_destroy(world);
    }
}

TEST(loads_are_shared_without_a_change_of_motion)
{
    // the same wall with and without sharing: the same places, other loads
    cairn_world* worlds[2];

    for (int any = 0; any < 2; any++) {
        cairn_solve_def tuning = cairn_default_solve_def();
        cairn_world_def def = cairn_default_world_def();
        tuning.any_forces = any;
        def.tuning = &tuning;
        def.sleep = false;
        worlds[any] = worlds_wall(def, 4, 4);
    }

    cairn_step_report report[2];
    for (int any = 0; any < 2; any++)
        report[any] = worlds_run(worlds[any], 40);

    CHECK(report[1].multiplicity == CAIRN_MULTIPLICITY_UNKNOWN);
    CHECK(report[0].multiplicity > 0);
    for (int i = 0; i < cairn_world_body_slots(worlds[0]); i++) {
        cairn_vec3 a = worlds_state(worlds[0], cairn_world_body_at(worlds[0], i)).pose.p;
        cairn_vec3 b = worlds_state(worlds[1], cairn_world_body_at(worlds[1], i)).pose.p;
        CHECK_NEAR(cairn_norm(cairn_sub(a, b)), 0.0, 1e-6);
    }

    // the least: no larger a sum of squares
    double sum[2] = {0};

    for (int any = 0; any < 2; any++) {
        int count;
        const cairn_contact* contacts = cairn_world_contacts(worlds[any], &count);
        for (int c = 0; c < count; c++)
            sum[any] += cairn_dot(contacts[c].impulse, contacts[c].impulse);
        cairn_world_destroy(worlds[any]);
    }

    CHECK_BELOW(sum[0], (1.0 + 1e-9) * sum[1]);
}

TESTS(a_table_on_fixed_joints_stands_evenly_by_every_method,
      loads_off_the_center_are_affine_and_turn_with_the_table,
      a_table_of_one_body_comes_to_rest_with_even_loads,
      a_door_hangs_equally_on_two_and_three_hinges, a_car_on_four_wheels_drives_as_its_motors_push,
      the_feet_of_a_quadruped_share_its_weight, loads_are_shared_without_a_change_of_motion)
