// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What acts between the joints of robots: joints that follow others, tendons, actuators, gears of
// motors, and pairs that collide.

#include "check_cairn.h"
#include <cairn/robot.h>
#include <stdio.h>
#include <string.h>

enum { most = 32 };

typedef struct run {
    cairn_robot* robot;
    cairn_scene* scene;
    double q[most], v[most];
} run;

static run start(const char* text, const cairn_robot_def* def)
{
    run r = {0};
    cairn_error error = {""};
    cairn_scene_def options = {.no_sleep = true};
    cairn_status status = cairn_robot_read_text(text, strlen(text), "t.xml", def, &r.robot, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    status = cairn_robot_make_scene(r.robot, &options, &r.scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return r;
}

static void step(run* r, double dt, int count)
{
    cairn_error error = {""};
    cairn_step_report report;
    for (int i = 0; i < count; i++) {
        cairn_status status = cairn_scene_step(r->scene, dt, &report, &error);
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    }
    CHECK(cairn_robot_get_state(r->robot, r->scene, r->q, r->v, &error) == CAIRN_OK);
}

static void end(run* r)
{
    cairn_scene_destroy(r->scene);
    cairn_robot_destroy(r->robot);
}

static double q_of(const run* r, const char* joint)
{
    for (int i = 0; i < cairn_robot_describe(r->robot).joint_count; i++) {
        cairn_robot_joint j = cairn_robot_get_joint(r->robot, i);
        if (strcmp(j.name, joint) == 0)
            return r->q[j.q];
    }
    ck_abort_msg("no joint %s", joint);
}

// ---------------------------------------------------------------- joints that follow

#define INERTIA "<inertia ixx='0.01' iyy='0.012' izz='0.009' ixy='0' ixz='0' iyz='0'/>"
#define LINK(name, mass)                                                                           \
    "<link name='" name "'><inertial><origin xyz='0.03 0.02 0.1'/><mass value='" mass              \
    "'/>" INERTIA "</inertial></link>"

// a free base that turns, a leader on it, and a follower on `parent`
static void check_follower(const char* kind_b, const char* axis_b, const char* kind_a,
                           const char* axis_a, const char* parent)
{
    char text[4000];
    snprintf(text, sizeof text,
             "<robot name='r'>" LINK("base", "2") LINK("b", "0.5") LINK("a", "0.4") //
             "<joint name='jb' type='%s'><parent link='base'/><child link='b'/>"
             "<origin xyz='0.1 0 0.2'/><axis xyz='%s'/><limit lower='-9' upper='9'/></joint>"
             "<joint name='ja' type='%s'><parent link='%s'/><child link='a'/>"
             "<origin xyz='0 0.3 0.1'/><axis xyz='%s'/><limit lower='-9' upper='9'/>"
             "<mimic joint='jb' multiplier='-1.5' offset='0.2'/></joint></robot>",
             kind_b, axis_b, kind_a, parent, axis_a);
    cairn_robot_def def = {.no_floor = true};
    run r = start(text, &def);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "");
    cairn_robot_start(r.robot, r.q, r.v);
    CHECK_NEAR(q_of(&r, "ja"), 0.2 - 1.5 * q_of(&r, "jb"), 1e-12);

    // a spin of the base drives the leader
    r.v[3] = 1.0;
    r.v[4] = 2.0;
    r.v[5] = 0.5;
    CHECK(cairn_robot_set_state(r.robot, r.scene, r.q, r.v, NULL) == CAIRN_OK);
    step(&r, 0.005, 100);
    CHECK(fabs(q_of(&r, "jb")) > 1e-3);
    CHECK_NEAR(q_of(&r, "ja"), 0.2 - 1.5 * q_of(&r, "jb"), 1e-7);
    end(&r);
}

TEST(a_mimic_joint_follows_its_leader)
{
    // siblings and chains, of the same and of opposite axes
    check_follower("prismatic", "0 0 1", "prismatic", "0 0 -1", "base");
    check_follower("continuous", "0 1 0", "continuous", "0 1 0", "base");
    check_follower("continuous", "0 1 0", "continuous", "0 -1 0", "b");
    check_follower("prismatic", "1 0 0", "prismatic", "1 0 0", "b");
    check_follower("continuous", "0 0 1", "prismatic", "0 0 1", "base");
    check_follower("prismatic", "0 0 1", "continuous", "0 0 -1", "base");
    check_follower("continuous", "0 0 1", "prismatic", "0 0 1", "b");
    check_follower("prismatic", "0 0 1", "continuous", "0 0 1", "b");
}
END

TEST(followers_are_put_where_the_coordinates_say)
{
    static const char text[] =
        "<robot name='r'>" LINK("base", "2") LINK("b", "0.5") LINK("a", "0.4") //
        "<joint name='jb' type='continuous'><parent link='base'/><child link='b'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='ja' type='continuous'><parent link='b'/><child link='a'/>"
        "<origin xyz='0.3 0 0'/><axis xyz='0 0 1'/><mimic joint='jb' multiplier='2'/></joint>"
        "</robot>";
    cairn_robot_def def = {.no_floor = true};
    run r = start(text, &def);
    double before, after, potential;
    cairn_robot_start(r.robot, r.q, r.v);
    r.q[0] = 3.0;
    r.q[7] = 0.4;
    r.q[8] = 0.8;
    r.v[3] = 1.0;
    r.v[6] = 0.5;
    r.v[7] = 1.0;
    CHECK(cairn_robot_set_state(r.robot, r.scene, r.q, r.v, NULL) == CAIRN_OK);
    cairn_world* world = cairn_scene_world(r.scene);
    cairn_world_energy(world, &before, &potential);
    before += potential;

    // nothing is jerked into its place
    step(&r, 0.001, 1);
    cairn_world_energy(world, &after, &potential);
    CHECK_NEAR(after + potential, before, 1e-6 * fabs(before));
    CHECK_NEAR(q_of(&r, "ja"), 2.0 * q_of(&r, "jb"), 1e-9);
    CHECK_NEAR(q_of(&r, "jb"), 0.4 + 0.001 * 0.5, 1e-5);
    end(&r);
}
END

TEST(a_follower_that_screws_cannot_hold_is_listed)
{
    static const char text[] =
        "<robot name='r'>" LINK("base", "2") LINK("b", "0.5") LINK("a", "0.4") //
        "<joint name='jb' type='continuous'><parent link='base'/><child link='b'/>"
        "<axis xyz='0 0 1'/></joint>\n"
        "<joint name='ja' type='continuous'><parent link='b'/><child link='a'/>"
        "<axis xyz='0 1 0'/><mimic joint='jb'/></joint></robot>";
    run r = start(text, NULL);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "<mimic> (line 2)");
    end(&r);
}
END

// ---------------------------------------------------------------- actuators

// two carts of 2 kg on a rail without gravity, and what acts on them
static run carts(const char* rest, const char* keyframe)
{
    char text[3000];
    snprintf(text, sizeof text,
             "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody>"
             "<body name='one'><joint name='x' type='slide' axis='1 0 0'/>"
             "<geom name='g' type='box' size='0.1 0.1 0.1' mass='2'/></body>"
             "<body name='two' pos='0 1 0'><joint name='y' type='slide' axis='1 0 0'/>"
             "<geom name='h' type='box' size='0.1 0.1 0.1' mass='2'/></body>"
             "</worldbody>%s</mujoco>",
             rest);
    cairn_robot_def def = {.keyframe = keyframe};
    run r = start(text, &def);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "");
    return r;
}

TEST(a_motor_pushes_with_the_control_of_the_keyframe)
{
    run r = carts("<actuator><motor joint='x' gear='3'/></actuator>"
                  "<keyframe><key name='on' ctrl='0.5'/></keyframe>",
                  "on");
    step(&r, 0.01, 100);
    CHECK_NEAR(r.v[0], 3.0 * 0.5 / 2.0, 1e-9); // f t / m
    CHECK_NEAR(r.v[1], 0.0, 1e-12);
    end(&r);
}
END

TEST(controls_are_kept_in_their_range)
{
    run r = carts("<actuator><motor joint='x' ctrlrange='-0.2 0.2' ctrllimited='true'/></actuator>"
                  "<keyframe><key name='on' ctrl='5'/></keyframe>",
                  "on");
    step(&r, 0.01, 100);
    CHECK_NEAR(r.v[0], 0.2 / 2.0, 1e-9);
    end(&r);
}
END

TEST(a_velocity_actuator_reaches_its_speed)
{
    run r = carts("<actuator><velocity joint='x' kv='10'/></actuator>"
                  "<keyframe><key name='on' ctrl='0.7'/></keyframe>",
                  "on");
    step(&r, 0.01, 400);
    CHECK_NEAR(r.v[0], 0.7, 1e-6); // after twenty times m / kv
    end(&r);
}
END

TEST(a_general_actuator_is_affine)
{
    // 4 u + 1 - 8 x - 6 x' rests at (4 u + 1) / 8
    run r = carts("<actuator><general joint='x' gaintype='fixed' gainprm='4 0 0' biastype='affine'"
                  " biasprm='1 -8 -6'/></actuator><keyframe><key name='on' ctrl='2'/></keyframe>",
                  "on");
    step(&r, 0.01, 2000);
    CHECK_NEAR(r.q[0], 9.0 / 8.0, 1e-6);
    end(&r);
}
END

TEST(a_servo_with_a_force_range_pushes_no_harder)
{
    // far from its target: 0.5 N on 2 kg
    run r = carts("<actuator><position joint='x' kp='100' forcerange='-0.5 0.5'"
                  " forcelimited='true'/></actuator><keyframe><key name='on' ctrl='9'/></keyframe>",
                  "on");
    step(&r, 0.01, 100);
    CHECK_NEAR(r.v[0], 0.25, 1e-6);
    end(&r);
}
END

TEST(a_fixed_tendon_pulls_each_joint_by_its_coefficient)
{
    run r = carts("<tendon><fixed name='t'><joint joint='x' coef='1'/><joint joint='y' coef='-2'/>"
                  "</fixed></tendon><actuator><motor tendon='t'/></actuator>"
                  "<keyframe><key name='on' ctrl='0.5'/></keyframe>",
                  "on");
    step(&r, 0.01, 100);
    CHECK_NEAR(r.v[0], 0.25, 1e-9);
    CHECK_NEAR(r.v[1], -0.5, 1e-9);
    end(&r);
}
END

TEST(the_spring_and_range_of_a_tendon_of_one_joint_are_its_own)
{
    // 3 N/m on l = 2 x: 12 N/m on x, period 2π sqrt(2 / 12)
    static const double pi = 3.14159265358979323846;
    run r =
        carts("<tendon><fixed name='t' stiffness='3' springlength='0'><joint joint='x' coef='2'/>"
              "</fixed><fixed name='u' limited='true' range='-1 0.4'><joint joint='y' coef='2'/>"
              "</fixed></tendon>",
              NULL);
    cairn_robot_joint y = cairn_robot_get_joint(r.robot, 1);
    CHECK(y.limited);
    CHECK_NEAR(y.lo, -0.5, 1e-15);
    CHECK_NEAR(y.hi, 0.2, 1e-15);
    r.q[0] = 0.3;
    CHECK(cairn_robot_set_state(r.robot, r.scene, r.q, NULL, NULL) == CAIRN_OK);
    step(&r, pi * sqrt(2.0 / 12.0) / 100.0, 100);
    CHECK_NEAR(r.q[0], -0.3, 1e-3);
    end(&r);
}
END

TEST(the_armature_of_a_hinge_is_inertia_about_its_axis)
{
    // 0.5 N m on a thin rod about its middle: I = m l² / 12 = 0.06, and 0.04 of the rotor
    static const char text[] =
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='rod'>"
        "<joint name='x' axis='0 0 1' armature='0.04'/>"
        "<inertial pos='0 0 0' mass='2' diaginertia='0.001 0.06 0.06'/></body></worldbody>"
        "<actuator><motor joint='x'/></actuator><keyframe><key name='on' ctrl='0.5'/></keyframe>"
        "</mujoco>";
    cairn_robot_def def = {.keyframe = "on"};
    run r = start(text, &def);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "");
    step(&r, 0.01, 20);
    CHECK_NEAR(r.v[0], 0.2 * 0.5 / 0.1, 1e-9);
    end(&r);
}
END

// Two links of a microgram on rotors of 0.75 kg m²; a ball of 3 g falls on the outer one. In joint coordinates the arm
// has two moments of inertia of 0.75 kg m², and a blow in its plane hardly turns it.
TEST(links_without_weight_on_heavy_rotors_hold_a_blow)
{
    static const char text[] =
        "<mujoco><default><joint armature='0.75' damping='1'/></default><worldbody>"
        "<body name='upper'><joint name='a' axis='0 1 0'/><geom type='capsule' "
        "fromto='0 0 0 0.4 0 0' size='0.02' density='0.0001' contype='0' conaffinity='0'/>"
        "<body name='roll' pos='0.4 0 0'><joint name='r' axis='1 0 0'/><geom type='capsule' "
        "fromto='-0.1 0 0 0.1 0 0' size='0.01' density='0.0001' contype='0' conaffinity='0'/>"
        "<body name='hand'><joint name='b' axis='0 0 1'/><geom type='capsule' "
        "fromto='0 -0.1 0 0.3 0.1 0' size='0.01' density='0.0001'/></body></body></body>"
        "<body name='ball' pos='0.6 0.05 0.1'><freejoint/><geom size='0.03' density='25'/></body>"
        "</worldbody></mujoco>";
    run r = start(text, NULL);
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        cairn_step_report report;
        CHECK(cairn_scene_step(r.scene, 0.005, &report, NULL) == CAIRN_OK);
        CHECK(report.frozen == 0 && report.outcome == CAIRN_OUTCOME_CONVERGED);
        worst = fmax(worst, report.joint_error);
    }
    CHECK(worst < 1e-6);
    CHECK(cairn_robot_get_state(r.robot, r.scene, r.q, r.v, NULL) == CAIRN_OK);
    for (int i = 0; i < 3; i++)
        CHECK(fabs(r.v[i]) < 0.05); // 3 g that fall by 0.1 m have 4e-3 N s, at most 0.7 m away
    end(&r);
}
END

// ---------------------------------------------------------------- contacts

TEST(a_pair_collides_whatever_the_types_of_its_geoms_are)
{
    // the ball would fall through a floor that it has no type in common with
    static const char form[] =
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' contype='0' "
        "conaffinity='0'/>"
        "<body name='ball' pos='0 0 0.5'><freejoint/><geom name='g' size='0.1' contype='0' "
        "conaffinity='0'/></body>"
        "<body name='other' pos='1 0 0.5'><freejoint/><geom name='h' size='0.1' contype='0' "
        "conaffinity='0'/></body></worldbody>"
        "<contact><pair geom1='floor' geom2='g'/></contact></mujoco>";
    run r = start(form, NULL);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "");
    step(&r, 0.01, 100);
    CHECK_NEAR(r.q[2], 0.1, 1e-3);
    CHECK(r.q[9] < -3.0);
    end(&r);
}
END

TEST(a_frame_without_mass_at_the_end_stays_where_it_is)
{
    static const char text[] = "<robot name='r'>" LINK("base", "2") LINK(
        "a",
        "0.4") "<link name='tip'/>\n"
               "<joint name='ja' type='continuous'><parent link='base'/><child link='a'/></joint>\n"
               "<joint name='jt' type='prismatic'><parent link='a'/><child link='tip'/>"
               "<limit lower='0' upper='1'/></joint></robot>";
    cairn_robot_def def = {.hold_frames = true};
    run r = start(text, &def);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "<joint> (line 3)");
    ck_assert_int_eq(cairn_robot_describe(r.robot).joint_count, 2);
    end(&r);
}
END

// ---------------------------------------------------------------- transmissions

TEST(transmissions_tell_the_reduction_of_their_gears)
{
    static const char form[] = "<robot name='r'>" LINK("base", "2") LINK("a", "0.4") //
        "<joint name='ja' type='continuous'><parent link='base'/><child link='a'/></joint>"
        "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
        "<joint name='%s'><hardwareInterface>E</hardwareInterface></joint><actuator name='m'>"
        "<mechanicalReduction> -79.5 </mechanicalReduction></actuator></transmission></robot>";
    char text[2000];
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    snprintf(text, sizeof text, form, "ja");
    run r = start(text, NULL);
    ck_assert_str_eq(cairn_robot_describe(r.robot).ignored, "");
    CHECK(cairn_robot_get_joint(r.robot, 1).reduction == -79.5);
    CHECK(cairn_robot_get_joint(r.robot, 0).reduction == 1.0);
    end(&r);
    snprintf(text, sizeof text, form, "nobody");
    CHECK(cairn_robot_read_text(text, strlen(text), "t.urdf", NULL, &robot, &error) ==
          CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "drives the joint 'nobody'"));
}
END

TESTS(a_mimic_joint_follows_its_leader, followers_are_put_where_the_coordinates_say,
      a_follower_that_screws_cannot_hold_is_listed, a_motor_pushes_with_the_control_of_the_keyframe,
      controls_are_kept_in_their_range, a_velocity_actuator_reaches_its_speed,
      a_general_actuator_is_affine, a_servo_with_a_force_range_pushes_no_harder,
      the_armature_of_a_hinge_is_inertia_about_its_axis,
      links_without_weight_on_heavy_rotors_hold_a_blow,
      a_fixed_tendon_pulls_each_joint_by_its_coefficient,
      the_spring_and_range_of_a_tendon_of_one_joint_are_its_own,
      a_pair_collides_whatever_the_types_of_its_geoms_are,
      a_frame_without_mass_at_the_end_stays_where_it_is,
      transmissions_tell_the_reduction_of_their_gears)
