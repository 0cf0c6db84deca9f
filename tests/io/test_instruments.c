// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sensors that measure, against what mechanics says they must read.

#include "check_cairn.h"
#include <cairn/instrument.h>
#include <cairn/robot.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

static cairn_scene* read_scene(const char* text)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_scene_def def = {.no_sleep = true};
    ck_assert_msg(cairn_scene_read_text(text, strlen(text), "t.json", &def, &scene, &error) ==
                      CAIRN_OK,
                  "%s", error.text);
    return scene;
}

static void step(cairn_scene* scene, int count)
{
    cairn_error error = {""};
    for (int i = 0; i < count; i++)
        ck_assert_msg(cairn_scene_step(scene, 0.01, NULL, &error) == CAIRN_OK, "%s", error.text);
}

static void read_values(const cairn_scene* scene, const char* name, double* values)
{
    cairn_error error = {""};
    int i = cairn_scene_find_instrument(scene, name);
    CHECK(i >= 0);
    ck_assert_str_eq(cairn_scene_get_instrument(scene, i).name, name);
    ck_assert_msg(cairn_scene_read_instrument(scene, i, values, &error) == CAIRN_OK, "%s",
                  error.text);
}

TEST(an_imu_reads_nothing_in_free_fall_and_g_at_rest)
{
    cairn_scene* scene = read_scene(
        "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
        "{\"name\": \"falls\", \"at\": [0, 0, 50], \"shape\": {\"kind\": \"sphere\", \"radius\": "
        "0.1}},"
        "{\"name\": \"lies\", \"at\": [2, 0, 0.1], \"shape\": {\"kind\": \"box\", \"size\": "
        "[1, 1, 0.2]}}],"
        "\"sensors\": [{\"name\": \"a\", \"kind\": \"imu\", \"body\": \"falls\"},"
        "{\"name\": \"b\", \"kind\": \"imu\", \"body\": \"lies\", \"turn\": [90, 0, 0]}]}");
    double a[6], b[6];
    step(scene, 50);
    read_values(scene, "a", a);
    read_values(scene, "b", b);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(a[k], 0.0, 1e-9);

    // its y axis points up
    CHECK_NEAR(b[1], g, 1e-6);
    CHECK_NEAR(b[0], 0.0, 1e-6);
    CHECK_NEAR(b[2], 0.0, 1e-6);
    cairn_scene_destroy(scene);
}
END

TEST(an_imu_on_a_turntable_reads_the_centripetal_acceleration)
{
    cairn_scene* scene =
        read_scene("{\"cairn\": 1, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"disk\", "
                   "\"spin\": [0, 0, 2], "
                   "\"shape\": {\"kind\": \"cylinder\", \"radius\": 1, \"height\": 0.1}}],"
                   "\"sensors\": [{\"name\": \"a\", \"kind\": \"imu\", \"body\": \"disk\", \"at\": "
                   "[0.5, 0, 0]}]}");
    double a[6];
    step(scene, 10);
    read_values(scene, "a", a);

    // the mean over a step of 0.02 rad lies half of that behind
    CHECK_NEAR(a[0], -4.0 * 0.5, 1e-3);
    CHECK_NEAR(a[1], 4.0 * 0.5 * 0.01, 1e-3);
    CHECK_NEAR(a[5], 2.0, 1e-12);
    cairn_scene_destroy(scene);
}
END

// an arm of 2 kg, held level by a stiff servo
static const char arm[] =
    "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"at\": [0, 0, -1], \"shape\": {\"kind\": "
    "\"half_space\"}}, {\"name\": \"arm\", \"at\": [0.5, 0, 0], \"mass\": 2, "
    "\"inertia\": [0.01, 0.2, 0.2, 0, 0, 0]}],"
    "\"joints\": [{\"name\": \"j\", \"kind\": \"hinge\", \"b\": \"arm\", \"at\": [0, 0, 0], "
    "\"axis\": "
    "[0, 1, 0], \"spring\": {\"stiffness\": 1e5, \"damping\": 500}}],"
    "\"sensors\": [{\"name\": \"q\", \"kind\": \"joint\", \"joint\": \"j\", \"offset\": 0.25},"
    "{\"name\": \"f\", \"kind\": \"force_torque\", \"joint\": \"j\"},"
    "{\"name\": \"end\", \"kind\": \"force_torque\", \"joint\": \"j\", \"at\": [0.5, 0, 0], "
    "\"turn\": [0, 0, 90]},"
    "{\"name\": \"r\", \"kind\": \"range\", \"body\": \"arm\", \"turn\": [180, 0, 0]},"
    "{\"name\": \"short\", \"kind\": \"range\", \"body\": \"arm\", \"turn\": [180, 0, 0], "
    "\"length\": 0.5}]}";

TEST(a_joint_that_bears_an_arm_tells_its_weight)
{
    cairn_scene* scene = read_scene(arm);
    double q[6], f[6], e[6];
    step(scene, 400);
    read_values(scene, "q", q);
    read_values(scene, "f", f);
    read_values(scene, "end", e);

    // the servo gives by m g l / k
    CHECK_NEAR(q[0], 0.25 + 2.0 * g * 0.5 / 1e5, 1e-7);
    CHECK_NEAR(q[1], 0.0, 1e-7);
    CHECK_NEAR(q[2], -2.0 * g * 0.5, 1e-3);

    // on the arm: m g upwards, and a moment about -y
    CHECK_NEAR(f[2], 2.0 * g, 1e-3);
    CHECK_NEAR(f[4], -2.0 * g * 0.5, 1e-3);

    // at the end, in axes that are turned about z, x is what was y: the moment of m g on a lever of
    // -1 m comes to it
    CHECK_NEAR(e[2], 2.0 * g, 1e-3);
    CHECK_NEAR(e[3], -2.0 * g * 0.5 + 2.0 * g * 1.0, 1e-2);
    cairn_scene_destroy(scene);
}
END

TEST(a_range_is_the_distance_to_the_nearest_body)
{
    cairn_scene* scene = read_scene(arm);
    double r[6], none[6];
    read_values(scene, "r", r);
    read_values(scene, "short", none);
    CHECK_NEAR(r[0], 1.0, 1e-12);
    CHECK(none[0] == -1.0);
    cairn_scene_destroy(scene);
}
END

TEST(a_touch_is_the_weight_of_what_lies_on_it)
{
    cairn_scene* scene = read_scene(
        "{\"cairn\": 1, \"bodies\": [{\"name\": \"table\", \"type\": \"static\", \"at\": [0, 0, "
        "-0.5], \"shape\": {\"kind\": \"box\", \"size\": [4, 4, 1]}},"
        "{\"name\": \"one\", \"at\": [-1, 0, 0.1], \"mass\": 3, \"shape\": {\"kind\": \"box\", "
        "\"size\": [0.2, 0.2, 0.2]}},"
        "{\"name\": \"two\", \"at\": [1, 0, 0.1], \"mass\": 5, \"shape\": {\"kind\": \"box\", "
        "\"size\": [0.2, 0.2, 0.2]}}],"
        "\"sensors\": [{\"name\": \"all\", \"kind\": \"touch\", \"body\": \"table\"},"
        "{\"name\": \"left\", \"kind\": \"touch\", \"body\": \"table\", \"at\": [-1, 0, 0.5], "
        "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}}]}");
    double all[6], left[6];
    read_values(scene, "all", all);
    CHECK(all[0] == 0.0);
    step(scene, 20);
    read_values(scene, "all", all);
    read_values(scene, "left", left);
    CHECK_NEAR(all[0], 8.0 * g, 1e-4);
    CHECK_NEAR(left[0], 3.0 * g, 1e-4);
    cairn_scene_destroy(scene);
}
END

TEST(sensors_of_mjcf_are_read)
{
    static const char text[] =
        "<mujoco><compiler angle='radian'/><option timestep='0.01'/><worldbody>"
        "<geom name='floor' type='plane' size='5 5 1' pos='0 0 -2'/>"
        "<body name='arm'><joint name='j' axis='0 1 0' ref='0.3' stiffness='1e5' springref='0.3' "
        "damping='500'/><geom type='box' size='0.5 0.05 0.05' pos='0.5 0 0' mass='2'/>"
        "<site name='s' pos='0.5 0 0' euler='3.14159265358979 0 0'/><site name='o'/></body>"
        "</worldbody><sensor><jointpos name='q' joint='j'/><accelerometer name='a' site='s'/>"
        "<force name='f' site='o'/><rangefinder name='r' site='s' cutoff='10'/>"
        "<touch name='t' site='s'/><magnetometer name='m' site='s'/></sensor></mujoco>";
    cairn_robot* robot = NULL;
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    ck_assert_msg(cairn_robot_read_text(text, strlen(text), "t.xml", NULL, &robot, &error) ==
                      CAIRN_OK,
                  "%s", error.text);
    ck_assert_str_eq(cairn_robot_describe(robot).ignored, "<magnetometer> (line 1)");
    CHECK(cairn_robot_make_scene(robot, NULL, &scene, &error) == CAIRN_OK);
    ck_assert_int_eq(cairn_scene_instruments(scene), 5);
    double q[6], a[6], f[6], r[6], t[6];
    step(scene, 300);
    read_values(scene, "q", q);
    read_values(scene, "a", a);
    read_values(scene, "f", f);
    read_values(scene, "r", r);
    read_values(scene, "t", t);
    CHECK_NEAR(q[0], 0.3, 1e-3);
    CHECK_NEAR(a[2], -g, 1e-2); // its z axis points down
    CHECK_NEAR(f[2], 2.0 * g, 1e-2);
    CHECK_NEAR(r[0], 2.0, 1e-3);
    CHECK(t[0] == 0.0);
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}
END

TEST(bad_sensors_are_refused_by_name)
{
    static const char* const texts[][2] = {
        {"{\"name\": \"x\", \"kind\": \"smell\", \"body\": \"b\"}", "smell"},
        {"{\"name\": \"x\", \"kind\": \"imu\"}", "body"},
        {"{\"name\": \"x\", \"kind\": \"joint\", \"joint\": \"nobody\"}", "nobody"},
        {"{\"name\": \"x\", \"kind\": \"range\", \"body\": \"b\", \"length\": 0}", "length"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[400];
        cairn_scene* scene = NULL;
        cairn_error error = {""};
        snprintf(
            text, sizeof text,
            "{\"cairn\": 1, \"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1, 0, "
            "0, 0]}], \"sensors\": [%s]}",
            texts[i][0]);
        CHECK(cairn_scene_read_text(text, strlen(text), "t.json", NULL, &scene, &error) ==
              CAIRN_BAD_INPUT);
        ck_assert_msg(strstr(error.text, texts[i][1]) != NULL, "%s", error.text);
    }
}
END

TESTS(an_imu_reads_nothing_in_free_fall_and_g_at_rest,
      an_imu_on_a_turntable_reads_the_centripetal_acceleration,
      a_joint_that_bears_an_arm_tells_its_weight, a_range_is_the_distance_to_the_nearest_body,
      a_touch_is_the_weight_of_what_lies_on_it, sensors_of_mjcf_are_read,
      bad_sensors_are_refused_by_name)
