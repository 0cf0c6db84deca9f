// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a scene does while it runs: forces, paths, motors and servos over time; sensors; meshes from
// files beside the scene.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cairn_scene* read_scene(const char* text)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status =
        cairn_scene_read_text(text, strlen(text), "test.json", NULL, &scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return scene;
}

static void refused(const char* text, const char* why)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    CHECK(cairn_scene_read_text(text, strlen(text), "test.json", NULL, &scene, &error) != CAIRN_OK);
    ck_assert_msg(strstr(error.text, why) != NULL, "%s", error.text);
}

static void run(cairn_scene* scene, int steps)
{
    double dt = cairn_scene_describe(scene).dt;
    for (int n = 0; n < steps; n++)
        CHECK(cairn_scene_step(scene, dt, NULL, NULL) == CAIRN_OK);
}

static cairn_body_state state_of(const cairn_scene* scene, const char* name)
{
    cairn_body_id id;
    cairn_body_state state;
    CHECK(cairn_scene_find(scene, name, &id));
    CHECK(cairn_body_get(cairn_scene_world(scene), id, &state, NULL) == CAIRN_OK);
    return state;
}

#define FREE "{\"cairn\": 1, \"gravity\": [0, 0, 0], \"run\": {\"dt\": 0.01}, "
#define BLOCK                                                                                      \
    "\"bodies\": [{\"name\": \"block\", \"mass\": 2, \"shape\": {\"kind\": \"box\", \"size\": "    \
    "[1, 1, 1]}}]"

// v = ∫ F dt / m: 6 N for a second between 0.5 and 1.5 s; and a triangle of factors
TEST(a_force_gives_the_momentum_of_its_table)
{
    cairn_scene* scene =
        read_scene(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"force\": [6, 0, 0], "
                              "\"from\": 0.5, \"to\": 1.5}]}");
    run(scene, 200);
    CHECK_NEAR(state_of(scene, "block").velocity.x, 3.0, 1e-12);
    cairn_scene_destroy(scene);

    scene = read_scene(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"force\": [0, 6, 0], "
                                  "\"scale\": [[0, 0], [1, 1], [2, 0]]}]}");
    run(scene, 300);
    CHECK_NEAR(state_of(scene, "block").velocity.y, 3.0, 1e-12);
    CHECK_NEAR(cairn_norm(state_of(scene, "block").spin), 0.0, 1e-15);
    cairn_scene_destroy(scene);
}
END

// a force at a corner that turns with the body does not stop turning it
TEST(a_force_at_a_point_turns_the_body)
{
    cairn_scene* scene =
        read_scene(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"force\": [0, 0.01, 0], "
                              "\"at\": [0.5, 0, 0], \"local\": true, \"to\": 1}]}");
    run(scene, 100);

    // I w = F r t with I = m/6
    CHECK_NEAR(state_of(scene, "block").spin.z, 0.01 * 0.5 * 1.0 / (2.0 / 6.0), 1e-9);
    cairn_scene_destroy(scene);
}
END

#define LIFT                                                                                       \
    "{\"cairn\": 1, \"run\": {\"dt\": 0.01}, \"bodies\": [{\"name\": \"lift\", \"type\": "         \
    "\"kinematic\", "                                                                              \
    "\"shape\": {\"kind\": \"box\", \"size\": [2, 2, 0.2]}, \"at\": [0, 0, 0]}, {\"name\": "       \
    "\"load\", "                                                                                   \
    "\"shape\": {\"kind\": \"box\", \"size\": [0.5, 0.5, 0.5]}, \"at\": [0, 0, 0.35]}], "          \
    "\"drives\": "                                                                                 \
    "[{\"body\": \"lift\", \"path\": [{\"time\": 0, \"at\": [0, 0, 0]}, {\"time\": 1, \"at\": "    \
    "[0, 0, 1]}, "                                                                                 \
    "{\"time\": 2, \"at\": [0.5, 0, 1], \"turn\": [0, 0, 90]}]%s}]}"

TEST(a_lift_carries_its_load_along_its_path)
{
    char text[1000];
    snprintf(text, sizeof text, LIFT, "");
    cairn_scene* scene = read_scene(text);
    run(scene, 100);
    CHECK_NEAR(state_of(scene, "lift").pose.p.z, 1.0, 1e-9);
    CHECK_NEAR(state_of(scene, "load").pose.p.z, 1.35, 1e-3);

    // a snapshot goes on as the scene would have
    cairn_snapshot* snapshot;
    CHECK(cairn_world_snapshot(cairn_scene_world(scene), &snapshot, NULL) == CAIRN_OK);
    run(scene, 100);
    uint64_t hash = cairn_world_hash(cairn_scene_world(scene));
    CHECK_NEAR(state_of(scene, "lift").pose.p.x, 0.5, 1e-9);
    CHECK_NEAR(state_of(scene, "lift").pose.q.z, sqrt(0.5), 1e-9);
    CHECK(cairn_scene_restore(scene, snapshot, NULL) == CAIRN_OK);
    run(scene, 100);
    CHECK(cairn_world_hash(cairn_scene_world(scene)) == hash);
    cairn_snapshot_destroy(snapshot);

    // there it stays
    run(scene, 50);
    CHECK_NEAR(state_of(scene, "lift").pose.p.x, 0.5, 1e-9);
    CHECK(cairn_norm(state_of(scene, "lift").velocity) == 0.0);
    cairn_scene_destroy(scene);

    // or starts anew
    snprintf(text, sizeof text, LIFT, ", \"repeat\": true");
    scene = read_scene(text);
    run(scene, 250);
    CHECK_NEAR(state_of(scene, "lift").pose.p.z, 0.5, 1e-9);
    cairn_scene_destroy(scene);
}
END

#define WHEEL                                                                                      \
    FREE "\"bodies\": [{\"name\": \"w\", \"shape\": {\"kind\": \"cylinder\", \"radius\": 0.5, "    \
         "\"height\": 0.1}}], "                                                                    \
         "\"joints\": [{\"kind\": \"hinge\", \"name\": \"axle\", \"b\": \"w\", %s}], \"drives\": " \
         "[{\"joint\": \"axle\", %s}]}"

TEST(motors_and_servos_follow_their_tables)
{
    char text[1000];
    cairn_joint_id id;
    cairn_joint_motion motion;
    snprintf(text, sizeof text, WHEEL, "\"motor\": {\"strength\": 1e6}",
             "\"speed\": [[0, 0], [1, 4], [2, -1]]");
    cairn_scene* scene = read_scene(text);
    CHECK(cairn_scene_find_joint(scene, "axle", &id));
    run(scene, 50);
    CHECK(cairn_joint_get_motion(cairn_scene_world(scene), id, &motion, NULL) == CAIRN_OK);
    CHECK_NEAR(motion.speed, 4.0 * 0.495, 1e-9);
    run(scene, 250);
    CHECK(cairn_joint_get_motion(cairn_scene_world(scene), id, &motion, NULL) == CAIRN_OK);
    CHECK_NEAR(motion.speed, -1.0, 1e-9);

    // the angle is the integral: 2 + 1.5 - 1
    CHECK_NEAR(motion.coordinate, 2.5, 1e-6);
    cairn_scene_destroy(scene);

    snprintf(text, sizeof text, WHEEL,
             "\"servo\": {\"stiffness\": 1e5, \"damping\": 3e3, \"strength\": 1e6}",
             "\"target\": [[0, 0], [1, 90]]");
    scene = read_scene(text);
    CHECK(cairn_scene_find_joint(scene, "axle", &id));
    run(scene, 300);
    CHECK(cairn_joint_get_motion(cairn_scene_world(scene), id, &motion, NULL) == CAIRN_OK);
    CHECK_NEAR(motion.coordinate, 0.5 * 3.141592653589793, 1e-6);
    cairn_scene_destroy(scene);
}
END

// a ball that falls through a gate is inside from sqrt(2 h_1/g) to sqrt(2 h_2/g)
TEST(a_sensor_sees_a_ball_pass)
{
    cairn_scene* scene = read_scene("{\"cairn\": 1, \"run\": {\"dt\": 0.01}, \"bodies\": "
                                    "[{\"name\": \"ball\", \"shape\": {\"kind\": \"sphere\", "
                                    "\"radius\": 0.1}, \"at\": [0, 0, 5]}], \"sensors\": "
                                    "[{\"name\": \"gate\", \"shape\": {\"kind\": \"box\", "
                                    "\"size\": [1, 1, 0.8]}, \"at\": [0, 0, 3]}]}");
    cairn_sensor_id gate;
    CHECK(cairn_scene_find_sensor(scene, "gate", &gate));
    CHECK(!cairn_scene_find_sensor(scene, "door", &gate));
    double entered = 0.0, left = 0.0;
    for (int n = 1; n <= 100; n++) {
        CHECK(cairn_scene_step(scene, 0.01, NULL, NULL) == CAIRN_OK);
        cairn_sensor_events events = cairn_world_sensor_events(cairn_scene_world(scene));
        entered = events.begun_count > 0 ? n * 0.01 : entered;
        left = events.ended_count > 0 ? n * 0.01 : left;
    }
    CHECK_NEAR(entered, sqrt(2.0 * 1.5 / 9.81), 0.01);
    CHECK_NEAR(left, sqrt(2.0 * 2.5 / 9.81), 0.01);
    cairn_scene_destroy(scene);
}
END

TEST(nonsense_is_refused_by_a_sentence)
{
    refused(FREE BLOCK ", \"drives\": [{\"body\": \"rock\", \"force\": [1, 0, 0]}]}", "rock");
    refused(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"path\": [{\"time\": 0}]}]}",
            "not kinematic");
    refused(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"scale\": [[1, 0], [1, 2]]}]}",
            "times >= 0 that grow");
    refused(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"scale\": []}]}", "empty");
    refused(FREE BLOCK ", \"drives\": [{\"joint\": \"block\", \"speed\": [[0, 1]]}]}",
            "name of a joint");
    refused(FREE BLOCK ", \"drives\": [{\"body\": \"block\", \"push\": 1}]}", "push");
    refused(FREE BLOCK ", \"sensors\": [{\"name\": \"s\", \"shape\": {\"kind\": \"half_space\"}}]}",
            "convex");
    refused("{\"cairn\": 1, \"bodies\": [{\"name\": \"f\", \"type\": \"static\"}], \"drives\": "
            "[{\"body\": \"f\", "
            "\"force\": [1, 0, 0]}]}",
            "not dynamic");
    char text[1000];
    snprintf(text, sizeof text, WHEEL, "\"limits\": [0, 1]", "\"speed\": [[0, 1]]");
    refused(text, "without a motor");
}
END

// The chassis of 1,200 kg sinks by m g/4k = 73.6 mm; the car rolls at the speed of its wheels, and turns left.
TEST(a_car_on_wheel_joints_sinks_drives_and_turns)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status =
        cairn_scene_read(CAIRN_SOURCE_DIR "/scenes/car.json", NULL, &scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    // a slow build sees it sink and start
    for (int n = 0; n < (CHECK_SLOW_BUILD ? 45 : 180); n++) {
        cairn_step_report report;
        CHECK(cairn_scene_step(scene, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        if (n == 29)
            CHECK_NEAR(state_of(scene, "chassis").pose.p.z, 0.85 - 1200.0 * 9.81 / 160000.0, 1e-3);
        if (n == 149)
            CHECK_NEAR(state_of(scene, "chassis").velocity.x, 14.0 * 0.35, 0.05);
    }
    CHECK(CHECK_SLOW_BUILD || state_of(scene, "chassis").velocity.y > 0.5);
    cairn_scene_destroy(scene);
}
END

// ---------------------------------------------------------------- files

static void put(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

TEST(meshes_come_from_files_in_the_folder_of_the_scene_alone)
{
    static const char tetrahedron[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    char folder[256], path[300], text[600];
    snprintf(folder, sizeof folder, "%s/cairn-scene-XXXXXX", check_cairn_folder());
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/inner", folder);
    CHECK(mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/inner/t.obj", folder);
    put(path, tetrahedron);
    snprintf(path, sizeof path, "%s/outside.obj", folder);
    put(path, tetrahedron);
    snprintf(path, sizeof path, "%s/inner/link.obj", folder);
    CHECK(symlink("../outside.obj", path) == 0);

    // volume 1/6 at scale 2: 8/6 m³
    static const char scene_text[] = "{\"cairn\": 1, \"bodies\": [{\"name\": \"t\", \"density\": "
                                     "3, \"shape\": {\"kind\": \"hull\", \"file\": "
                                     "\"%s\", \"scale\": 2}}, {\"type\": \"static\", \"shape\": "
                                     "{\"kind\": \"mesh\", \"file\": \"%s\"}}]}";
    static const struct {
        const char *file, *why;
    } cases[] = {{"t.obj", NULL},
                 {"../outside.obj", "inside the folder"},
                 {"/etc/passwd", "inside the folder"},
                 {"link.obj", "leads out"},
                 {"none.obj", "no such file"},
                 {"", "inside the folder"}};
    snprintf(path, sizeof path, "%s/inner/scene.json", folder);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cairn_scene* scene = NULL;
        cairn_error error = {""};
        snprintf(text, sizeof text, scene_text, cases[k].file, cases[k].file);
        put(path, text);
        cairn_status status = cairn_scene_read(path, NULL, &scene, &error);
        if (cases[k].why) {
            CHECK(status == CAIRN_BAD_INPUT);
            ck_assert_msg(strstr(error.text, cases[k].why) != NULL, "%s", error.text);
            continue;
        }
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);
        CHECK_NEAR(state_of(scene, "t").mass, 3.0 * 8.0 / 6.0, 1e-12);
        cairn_scene_destroy(scene);
    }
}
END

TESTS(a_force_gives_the_momentum_of_its_table, a_force_at_a_point_turns_the_body,
      a_lift_carries_its_load_along_its_path, motors_and_servos_follow_their_tables,
      a_sensor_sees_a_ball_pass, a_car_on_wheel_joints_sinks_drives_and_turns,
      nonsense_is_refused_by_a_sentence, meshes_come_from_files_in_the_folder_of_the_scene_alone)
