// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Robots in URDF and MJCF: what they weigh, where they are, how they move, and what is refused.

#include "check_cairn.h"
#include <cairn/robot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 64 };

static const char* const folder = CAIRN_TEST_DATA "/robots";

static cairn_robot* read_file(const char* path, const cairn_robot_def* def)
{
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    cairn_status status = cairn_robot_read(path, def, &robot, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return robot;
}

static cairn_robot* read_named(const char* name, const cairn_robot_def* def)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_file(path, def);
}

static cairn_scene* make_scene(const cairn_robot* robot)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_scene_def def = {.no_sleep = true};
    cairn_status status = cairn_robot_make_scene(robot, &def, &scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return scene;
}

// ---------------------------------------------------------------- what is read

TEST(links_that_are_fixed_to_each_other_weigh_as_one)
{
    cairn_robot* robot = read_named("arm.urdf", NULL);
    cairn_robot_info info = cairn_robot_describe(robot);
    ck_assert_int_eq(info.link_count, 2);
    ck_assert_int_eq(info.q_count, 2);
    CHECK_NEAR(info.mass, 3.5, 1e-15);
    ck_assert_str_eq(info.ignored, "");

    // the lower arm with its tool: (1 (0.2, 0, 0.01) + 0.5 (0.4, 0, 0)) / 1.5
    cairn_robot_link lower = cairn_robot_get_link(robot, 1);
    ck_assert_str_eq(lower.name, "lower");
    ck_assert_str_eq(lower.parent, "upper");
    CHECK_NEAR(lower.mass, 1.5, 1e-15);
    CHECK_NEAR(lower.center.x, 0.4 / 1.5, 1e-15);
    CHECK_NEAR(lower.center.z, 0.01 / 1.5, 1e-15);

    cairn_robot_joint shoulder = cairn_robot_get_joint(robot, 0);
    ck_assert_str_eq(shoulder.name, "shoulder");
    CHECK(shoulder.limited && shoulder.lo == -1.5 && shoulder.hi == 1.5);
    CHECK(shoulder.effort == 50.0 && shoulder.damping == 0.1 && shoulder.friction == 0.05);
    CHECK(!cairn_robot_get_joint(robot, 1).limited);
    CHECK(cairn_robot_get_joint(robot, 2).name == NULL);
    cairn_robot_destroy(robot);
}
END

TEST(a_free_robot_stands_on_its_floor_and_one_with_a_fixed_base_does_not_fall)
{
    static const char text[] = "<robot name='box'><link name='b'><inertial><mass "
                               "value='2'/><inertia ixx='1' iyy='1' izz='1' "
                               "ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='0 0 "
                               "0.1' rpy='0 0.3 0'/><geometry>"
                               "<sphere radius='0.25'/></geometry></collision></link></robot>";
    cairn_robot* robot = NULL;
    CHECK(cairn_robot_read_text(text, strlen(text), "b.urdf", NULL, &robot, NULL) == CAIRN_OK);
    double q[7];
    cairn_robot_start(robot, q, NULL);
    CHECK_NEAR(q[2], 0.15, 1e-15);
    cairn_scene* scene = make_scene(robot);
    for (int i = 0; i < 30; i++)
        CHECK(cairn_scene_step(scene, 1.0 / 60.0, NULL, NULL) == CAIRN_OK);
    CHECK(cairn_robot_get_state(robot, scene, q, NULL, NULL) == CAIRN_OK);
    CHECK_NEAR(q[2], 0.15, 1e-3);
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);

    cairn_robot_def fixed = {.fix_base = true};
    CHECK(cairn_robot_read_text(text, strlen(text), "b.urdf", &fixed, &robot, NULL) == CAIRN_OK);
    ck_assert_int_eq(cairn_robot_describe(robot).q_count, 0);
    cairn_robot_destroy(robot);
}
END

TEST(included_files_classes_of_defaults_and_keyframes_are_read)
{
    cairn_robot_def def = {.keyframe = "bent"};
    cairn_robot* robot = read_named("parts.xml", &def);
    double q[most], v[most];
    ck_assert_int_eq(cairn_robot_describe(robot).q_count, 15);
    ck_assert_int_eq(cairn_robot_describe(robot).v_count, 13);
    cairn_robot_start(robot, q, v);
    CHECK_NEAR(q[2], 1.0, 0.0);
    CHECK_NEAR(q[8], 0.2, 0.0);
    CHECK_NEAR(q[14], 0.3 - 15.0 * M_PI / 180.0, 1e-15); // it counts from the pose of the model
    CHECK_NEAR(v[12], 2.0, 0.0);

    // of the class `stiff` in an included file
    cairn_robot_joint a2 = cairn_robot_get_joint(robot, 2);
    ck_assert_str_eq(a2.name, "a2");
    CHECK_NEAR(a2.damping, 0.5, 0.0);
    cairn_multibody_link link = cairn_multibody_get(cairn_robot_multibody(robot), 2);
    CHECK_NEAR(link.armature, 0.02, 0.0);
    ck_assert_str_eq(cairn_robot_describe(robot).ignored, "<joint armature> x3 (line 11)");
    cairn_robot_destroy(robot);
}
END

// a turned arm with a turned hand, its places seen from the bodies around them and from the world
TEST(global_coordinates_are_those_of_the_same_robot)
{
    enum { nv = 2 };
    static const char local[] =
        "<mujoco><worldbody><body name='a' pos='0 0 1' euler='0 0 90'>"
        "<joint name='p' axis='0 1 0' pos='0.1 0 0'/>"
        "<geom type='capsule' size='0.05' fromto='0 0 0 0.5 0 0'/>"
        "<body name='b' pos='0.5 0 0'><joint name='q' axis='0 0 1' pos='0 0.02 0'/>"
        "<inertial pos='0.1 0 0.03' mass='2' diaginertia='0.01 0.02 0.03'/>"
        "<geom type='box' size='0.1 0.05 0.02' pos='0.2 0 0'/></body></body></worldbody></mujoco>";
    static const char global[] =
        "<mujoco><compiler coordinate='global'/><worldbody>"
        "<body name='a' pos='0 0 1' euler='0 0 90'><joint name='p' axis='-1 0 0' pos='0 0.1 1'/>"
        "<geom type='capsule' size='0.05' fromto='0 0 1 0 0.5 1'/>"
        "<body name='b'><joint name='q' axis='0 0 1' pos='-0.02 0.5 1'/>"
        "<inertial pos='0 0.6 1.03' mass='2' diaginertia='0.02 0.01 0.03'/>"
        "<geom type='box' size='0.1 0.05 0.02' pos='0 0.7 1' euler='0 0 90'/></body></body>"
        "</worldbody></mujoco>";
    static const double q[nv] = {0.3, -0.8}, v[nv] = {1.1, -2.3};
    const char* texts[2] = {local, global};
    double H[2][nv * nv], bias[2][nv];

    for (int i = 0; i < 2; i++) {
        cairn_robot* robot = NULL;
        CHECK(cairn_robot_read_text(texts[i], strlen(texts[i]), "m.xml", NULL, &robot, NULL) ==
              CAIRN_OK);
        cairn_multibody* model = cairn_robot_multibody(robot);
        CHECK(cairn_multibody_mass_matrix(model, q, H[i], NULL) == CAIRN_OK);
        CHECK(cairn_multibody_inverse(model, q, v, NULL, bias[i], NULL) == CAIRN_OK);
        cairn_robot_destroy(robot);
    }

    for (int i = 0; i < nv * nv; i++)
        CHECK_NEAR(H[1][i], H[0][i], 1e-14);
    for (int i = 0; i < nv; i++)
        CHECK_NEAR(bias[1][i], bias[0][i], 1e-13);
}
END

// ---------------------------------------------------------------- how it moves

static double draw(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 2.0 * (double)(*state >> 11) * 0x1p-53 - 1.0;
}

TEST(joint_coordinates_put_into_the_world_are_read_back)
{
    cairn_robot* robot = read_named("parts.xml", NULL);
    cairn_scene* scene = make_scene(robot);
    uint64_t state = 1;
    for (int round = 0; round < 5; round++) {
        double q[most], v[most], q_back[most], v_back[most];
        cairn_robot_start(robot, q, v);
        for (int i = 0; i < 15; i++)
            q[i] += 0.5 * draw(&state);
        for (int i = 0; i < 13; i++)
            v[i] = draw(&state);
        for (int at = 3; at <= 10; at += 7) { // the quaternions of the free joint and of the ball
            cairn_quat u =
                cairn_quat_normalize((cairn_quat){q[at], q[at + 1], q[at + 2], q[at + 3]});
            memcpy(q + at, &u, sizeof u);
        }
        CHECK(cairn_robot_set_state(robot, scene, q, v, NULL) == CAIRN_OK);
        CHECK(cairn_robot_get_state(robot, scene, q_back, v_back, NULL) == CAIRN_OK);
        double sign_free = q[3] * q_back[3] < 0.0 ? -1.0 : 1.0;
        double sign_ball = q[10] * q_back[10] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 15; i++) {
            double sign = i >= 3 && i < 7 ? sign_free : i >= 10 && i < 14 ? sign_ball : 1.0;
            CHECK_NEAR(sign * q_back[i], q[i], 1e-14);
        }
        for (int i = 0; i < 13; i++)
            CHECK_NEAR(v_back[i], v[i], 1e-13);
    }
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}
END

TEST(the_world_and_the_joint_coordinates_agree_on_the_energy)
{
    cairn_robot* robot = read_named("arm.urdf", NULL);
    cairn_scene* scene = make_scene(robot);
    double q[2] = {0.4, -0.9}, v[2] = {1.3, -0.7}, T, P, kinetic, potential;
    CHECK(cairn_robot_set_state(robot, scene, q, v, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_energy(cairn_robot_multibody(robot), q, v, &T, &P, NULL) == CAIRN_OK);
    cairn_world_energy(cairn_scene_world(scene), &kinetic, &potential);
    CHECK_NEAR(kinetic, T, 1e-14);
    CHECK_NEAR(potential, P, 1e-13);
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}
END

TEST(an_arm_whose_motors_bear_its_weight_stays_where_it_is)
{
    // τ = c(q, 0), computed once: by inverse dynamics for the world's bodies and rows
    cairn_robot* robot = read_named("arm.urdf", NULL);
    cairn_scene* scene = make_scene(robot);
    double start[2] = {0.4, -0.9}, q[2], tau[2];
    CHECK(cairn_robot_set_state(robot, scene, start, NULL, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_inverse(cairn_robot_multibody(robot), start, NULL, NULL, tau, NULL) ==
          CAIRN_OK);
    CHECK(fabs(tau[0]) > 5.0 && fabs(tau[1]) > 0.5);
    for (int i = 0; i < 60; i++) {
        CHECK(cairn_robot_add_forces(robot, scene, tau, NULL) == CAIRN_OK);
        CHECK(cairn_scene_step(scene, 1.0 / 120.0, NULL, NULL) == CAIRN_OK);
    }
    CHECK(cairn_robot_get_state(robot, scene, q, NULL, NULL) == CAIRN_OK);
    CHECK_NEAR(q[0], start[0], 1e-9);
    CHECK_NEAR(q[1], start[1], 1e-9);

    // without them it falls
    for (int i = 0; i < 60; i++)
        CHECK(cairn_scene_step(scene, 1.0 / 120.0, NULL, NULL) == CAIRN_OK);
    CHECK(cairn_robot_get_state(robot, scene, q, NULL, NULL) == CAIRN_OK);
    CHECK(fabs(q[1] - start[1]) > 0.1);
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}
END

TEST(a_pole_on_a_cart_falls_as_its_equations_say)
{
    cairn_robot_def def = {.keyframe = "tilted"};
    cairn_robot* robot = read_file(CAIRN_SOURCE_DIR "/scenes/cart_pole.xml", &def);
    cairn_scene* scene = make_scene(robot);
    cairn_multibody* model = cairn_robot_multibody(robot);
    double q[2], v[2], seen[2];
    cairn_robot_start(robot, q, v);
    const double h = 1e-4;
    for (int i = 0; i < 5000; i++) { // the midpoint rule
        double a[2], mid_q[2], mid_v[2];
        CHECK(cairn_multibody_forward(model, q, v, NULL, a, NULL) == CAIRN_OK);
        for (int k = 0; k < 2; k++) {
            mid_q[k] = q[k] + 0.5 * h * v[k];
            mid_v[k] = v[k] + 0.5 * h * a[k];
        }
        CHECK(cairn_multibody_forward(model, mid_q, mid_v, NULL, a, NULL) == CAIRN_OK);
        for (int k = 0; k < 2; k++) {
            q[k] += h * mid_v[k];
            v[k] += h * a[k];
        }
    }
    for (int i = 0; i < 50; i++)
        CHECK(cairn_scene_step(scene, 0.01, NULL, NULL) == CAIRN_OK);
    CHECK(cairn_robot_get_state(robot, scene, seen, NULL, NULL) == CAIRN_OK);
    CHECK(q[1] > 0.3);
    CHECK_NEAR(seen[0], q[0], 1e-4); // second order: 0.0025 s of 0.3 s, squared
    CHECK_NEAR(seen[1], q[1], 1e-3);
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}
END

TEST(a_biped_on_servos_stands)
{
    cairn_robot* robot = read_file(CAIRN_SOURCE_DIR "/scenes/walker.xml", NULL);
    cairn_scene* scene = make_scene(robot);
    double q[most], z[2];
    cairn_robot_start(robot, q, NULL);
    z[0] = q[2];
    for (int i = 0; i < 200; i++) {
        cairn_step_report report;
        CHECK(cairn_scene_step(scene, 0.01, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    }
    CHECK(cairn_robot_get_state(robot, scene, q, NULL, NULL) == CAIRN_OK);
    z[1] = q[2];
    CHECK_NEAR(z[1], z[0], 0.08); // it settles on its springs and its feet
    CHECK(q[3] > 0.99);           // upright
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}
END

TEST(a_robot_read_as_a_scene_is_the_robot)
{
    char path[512];
    cairn_scene* scene = NULL;
    cairn_body_id id;
    cairn_joint_id joint;
    snprintf(path, sizeof path, "%s/arm.urdf", folder);
    CHECK(cairn_scene_read(path, NULL, &scene, NULL) == CAIRN_OK);
    CHECK(cairn_scene_find(scene, "lower", &id));
    CHECK(cairn_scene_find_joint(scene, "elbow", &joint));
    ck_assert_str_eq(cairn_scene_body_name(scene, id), "lower");
    ck_assert_str_eq(cairn_scene_joint_name(scene, joint), "elbow");
    ck_assert_str_eq(cairn_scene_describe(scene).title, "arm");
    cairn_scene_destroy(scene);
}
END

// ---------------------------------------------------------------- what is refused

static const char one[] =
    "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
    "iyz='0'/></inertial></link>";

// reads a text and checks that it is refused with a sentence that begins and goes on like this
static void refused(const char* name, const char* text, const char* start, const char* word)
{
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    cairn_status status = cairn_robot_read_text(text, strlen(text), name, NULL, &robot, &error);
    ck_assert_msg(status == CAIRN_BAD_INPUT, "%s: status %d", text, (int)status);
    ck_assert_msg(strncmp(error.text, start, strlen(start)) == 0, "'%s', expected '%s'", error.text,
                  start);
    ck_assert_msg(strstr(error.text, word) != NULL, "'%s', expected '%s'", error.text, word);
    CHECK(robot == NULL);
}

static void refused_robot(const char* body, const char* start, const char* word)
{
    char text[4096];
    snprintf(text, sizeof text, "<robot name='r'>\n%s\n%s\n</robot>", one, body);
    refused("r.urdf", text, start, word);
}

TEST(bad_robots_are_refused_with_file_line_and_reason)
{
    refused("r.urdf", "", "r.urdf:1:", "expected XML");
    refused("r.urdf", "<robot", "r.urdf:1:", "expected XML");
    refused("r.urdf", "<world/>", "r.urdf:1:", "not a robot");
    refused("r.urdf", "<robot name='r'/>", "r.urdf:1:", "0 links");
    refused("r.urdf", "<!DOCTYPE r [\n<!ENTITY a 'aaaa'>\n]><robot name='&a;'/>",
            "r.urdf:2:", "entity");
    refused_robot("<link name='a'/>", "r.urdf:3: <link>", "another link has");
    refused_robot("<link name='b'/>", "r.urdf:3: <link>", "not attached");
    refused_robot("<link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child "
                  "link='c'/></joint>",
                  "r.urdf:4: <child>", "'c'");
    refused_robot("<link name='b'/><joint name='j' type='hinge'><parent link='a'/><child "
                  "link='b'/></joint>",
                  "r.urdf:3: <joint>", "revolute");
    refused_robot("<link name='b'/><joint name='j' type='continuous'><parent link='a'/><child "
                  "link='b'/></joint>",
                  "r.urdf:3: <link>", "no mass");
    refused_robot("<link name='b'/><joint name='j' type='continuous'><parent link='a'/><child "
                  "link='b'/>\n<axis xyz='0 0 0'/></joint>",
                  "r.urdf:4: <axis>", "direction");
    refused_robot("<link name='b'/><joint name='j' type='continuous'><parent link='a'/><child "
                  "link='b'/>\n<origin xyz='0 0'/></joint>",
                  "r.urdf:4: <origin>", "3 numbers");
    refused_robot("<link name='b'/><joint name='j' type='continuous'><parent link='a'/><child "
                  "link='b'/>\n<origin xyz='0 nan 1x'/></joint>",
                  "r.urdf:4: <origin>", "numbers");
    refused_robot("<link name='b'><collision>\n<geometry><mesh "
                  "filename='package://p/none.stl'/></geometry></collision></link><joint name='j' "
                  "type='fixed'><parent link='a'/><child link='b'/></joint>",
                  "r.urdf:4: <mesh>", "not there");
    refused_robot("<link name='b'/><joint name='j' type='fixed'><parent link='a'/><child "
                  "link='b'/></joint>\n<joint name='k' type='fixed'><parent link='a'/><child "
                  "link='b'/></joint>",
                  "r.urdf:4: <joint>", "tree");
}
END

static void refused_mjcf(const char* body, const char* start, const char* word)
{
    char text[4096];
    snprintf(text, sizeof text, "<mujoco>\n%s\n</mujoco>", body);
    refused("m.xml", text, start, word);
}

TEST(bad_models_are_refused_with_file_line_and_reason)
{
    refused_mjcf("<worldbody><body><joint/></body></worldbody>", "m.xml:2: <body>", "no mass");
    refused_mjcf("<worldbody><body><joint/><geom/></body></worldbody>", "m.xml:2: <geom>", "size");
    refused_mjcf("<worldbody><body><joint class='x'/></body></worldbody>", "m.xml:2: <joint>",
                 "class 'x'");
    refused_mjcf("<worldbody><body><joint type='screw'/></body></worldbody>", "m.xml:2: <joint>",
                 "screw");
    refused_mjcf("<worldbody><body name='a'/>\n<body name='a'/></worldbody>", "m.xml:3: <body>",
                 "another body");
    refused_mjcf("<worldbody><body quat='0 0 0 0'/></worldbody>", "m.xml:2: <body>", "quaternion");
    refused_mjcf("<include file='none.xml'/>", "m.xml:2: <include>", "not there");
    refused_mjcf("<actuator><motor joint='x'/></actuator>", "m.xml:2: <motor>", "'x'");
    refused_mjcf("<contact><exclude body1='x' body2='y'/></contact>", "m.xml:2: <exclude>", "'x'");
    refused_mjcf("<worldbody><body><freejoint/><geom size='1'/><body><freejoint/><geom "
                 "size='1'/></body></body></worldbody>",
                 "m.xml:2: <freejoint>", "free below");
    refused_mjcf("<worldbody><body><joint/><geom type='plane' size='1 1 1'/><geom "
                 "size='1'/></body></worldbody>",
                 "m.xml:2: <body>", "plane");
    refused_mjcf("<compiler coordinate='polar'/>", "m.xml:2: <compiler>", "global");
    refused_mjcf("<compiler coordinate='global'/><worldbody><body name='a'/></worldbody>\n"
                 "<equality><connect body1='a' anchor='0 0 0'/></equality>",
                 "m.xml:3: <connect>", "local");
}
END

TEST(elements_nested_without_end_and_files_that_include_themselves_are_refused)
{
    enum { deep = 5000 };
    char* text = malloc(deep * 6 + 20);
    CHECK(text != NULL);
    strcpy(text, "<robot>");
    for (int i = 0; i < deep; i++)
        strcat(text + 7 + 6 * i, "<link>");
    refused("r.urdf", text, "r.urdf:1:", "200 deep");
    free(text);

    char path[] = "cairn-test-include.xml";
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    fputs("<mujoco><include file='cairn-test-include.xml'/></mujoco>", file);
    fclose(file);
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    CHECK(cairn_robot_read(path, NULL, &robot, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "nested more than 16 deep"));
    remove(path);
}
END

TEST(what_is_not_read_is_listed_or_refused)
{
    static const char text[] =
        "<mujoco>\n<worldbody><body><joint/><geom size='1' solref='1 1'/></body>"
        "</worldbody>\n<tendon><fixed/></tendon>\n<sensor><user/></sensor></mujoco>";
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    CHECK(cairn_robot_read_text(text, strlen(text), "m.xml", NULL, &robot, NULL) == CAIRN_OK);
    ck_assert_str_eq(cairn_robot_describe(robot).ignored,
                     "<geom solref> (line 2), <fixed> (line 3), <user> (line 4)");
    cairn_robot_destroy(robot);
    cairn_robot_def strict = {.strict = true};
    CHECK(cairn_robot_read_text(text, strlen(text), "m.xml", &strict, &robot, &error) ==
          CAIRN_BAD_INPUT);
    ck_assert_str_eq(error.text,
                     "m.xml:2: <geom> has the attribute 'solref', which is not read (strict)");
}
END

TEST(objects_that_are_missing_are_refused)
{
    cairn_error error = {""};
    cairn_robot* robot = NULL;
    double q[2] = {0.0, 0.0};
    CHECK(cairn_robot_read(NULL, NULL, &robot, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_robot_read_text(NULL, 0, "x", NULL, &robot, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_robot_make_scene(NULL, NULL, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_robot_get_state(NULL, NULL, q, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_robot_set_state(NULL, NULL, q, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_robot_add_forces(NULL, NULL, q, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_robot_multibody(NULL) == NULL && cairn_robot_scene_text(NULL) == NULL);
    cairn_robot_start(NULL, q, NULL);
    cairn_robot_destroy(NULL);
}
END

TESTS(global_coordinates_are_those_of_the_same_robot,
      links_that_are_fixed_to_each_other_weigh_as_one,
      a_free_robot_stands_on_its_floor_and_one_with_a_fixed_base_does_not_fall,
      included_files_classes_of_defaults_and_keyframes_are_read,
      joint_coordinates_put_into_the_world_are_read_back,
      the_world_and_the_joint_coordinates_agree_on_the_energy,
      an_arm_whose_motors_bear_its_weight_stays_where_it_is,
      a_pole_on_a_cart_falls_as_its_equations_say, a_biped_on_servos_stands,
      a_robot_read_as_a_scene_is_the_robot, bad_robots_are_refused_with_file_line_and_reason,
      bad_models_are_refused_with_file_line_and_reason,
      elements_nested_without_end_and_files_that_include_themselves_are_refused,
      what_is_not_read_is_listed_or_refused, objects_that_are_missing_are_refused)
