// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Servos, locks, breaking joints, belts, static friction and centers of mass in scene files.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <string.h>

static const double g = 9.81;

static cairn_status read(cairn_scene** scene, const char* text, cairn_error* error)
{
    return cairn_scene_read_text(text, strlen(text), "test.json", NULL, scene, error);
}

// the scene after some steps
static cairn_scene* run(const char* text, int steps)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status = read(&scene, text, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    for (int i = 0; i < steps; i++)
        CHECK(cairn_scene_step(scene, 1.0 / 60.0, NULL, NULL) == CAIRN_OK);
    return scene;
}

static cairn_body_state state_of(const cairn_scene* scene, const char* name)
{
    cairn_body_id id;
    cairn_body_state state = {0};
    CHECK(cairn_scene_find(scene, name, &id));
    CHECK(cairn_body_get(cairn_scene_world(scene), id, &state, NULL) == CAIRN_OK);
    return state;
}

static void refuse(const char* text, const char* word)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    CHECK(read(&scene, text, &error) != CAIRN_OK);
    ck_assert_msg(strstr(error.text, word), "'%s' does not name %s", error.text, word);
}

#define ARM                                                                                        \
    "{\"name\": \"arm\", \"mass\": 2, \"shape\": {\"kind\": \"box\", \"size\": [1, 0.1, 0.1]}, "   \
    "\"at\": [0.5, 0, 0]}"

// k (x - target) = m g L/2 cos x, the angle down from the level; targets are in degrees
TEST(a_servo_holds_an_arm)
{
    cairn_scene* scene =
        run("{\"cairn\": 1, \"bodies\": [" ARM "], \"joints\": [{\"kind\": \"hinge\", "
            "\"b\": \"arm\", \"axis\": [0, 1, 0], \"servo\": {\"target\": -30, "
            "\"stiffness\": 400, \"damping\": 60, \"strength\": 50}}]}",
            300);
    cairn_joint_motion m;
    cairn_world* world = cairn_scene_world(scene);
    CHECK(cairn_joint_get_motion(world, cairn_world_joint_at(world, 0), &m, NULL) == CAIRN_OK);
    double load = 2.0 * g * 0.5 * cos(m.coordinate);
    CHECK_NEAR(400.0 * (m.coordinate + 0.5235987755982988), load, 1e-2);
    cairn_scene_destroy(scene);
}
END

// m g L/2 = 9.81 N m at the root: 9 N m break, 11 N m hold
TEST(a_weld_breaks_by_its_torque)
{
    const char* text[2] = {
        "{\"cairn\": 1, \"bodies\": [" ARM "], \"joints\": [{\"kind\": \"fixed\", "
        "\"b\": \"arm\", \"break_torque\": 9}]}",
        "{\"cairn\": 1, \"bodies\": [" ARM "], \"joints\": [{\"kind\": \"fixed\", "
        "\"b\": \"arm\", \"break_torque\": 11, \"break_force\": 20}]}"};
    for (int i = 0; i < 2; i++) {
        cairn_scene* scene = run(text[i], 30);
        CHECK((state_of(scene, "arm").pose.p.z < -0.5) == (i == 0));
        cairn_scene_destroy(scene);
    }
}
END

// a crate rides on a belt, and a ball that is locked in a plane falls in it
TEST(belts_locks_and_centers_are_read)
{
    cairn_scene* scene = run(
        "{\"cairn\": 1, \"bodies\": [{\"name\": \"belt\", \"type\": \"kinematic\", \"belt\": true, "
        "\"velocity\": [1, 0, 0], \"shape\": {\"kind\": \"box\", \"size\": [20, 2, 0.2]}, \"at\": "
        "[0, 0, "
        "-0.1]}, {\"name\": \"crate\", \"sleep\": false, \"center\": [0, 0, -0.1], \"material\": "
        "{\"mu\": 0.3, "
        "\"mu_static\": 0.5}, \"shape\": {\"kind\": \"box\", \"size\": [0.4, 0.4, 0.4]}, \"at\": "
        "[-3, 0, "
        "0.2]}, {\"name\": \"ball\", \"velocity\": [0.5, 2, 0], \"shape\": {\"kind\": \"sphere\", "
        "\"radius\": "
        "0.1}, \"at\": [0, 0, 30]}], \"joints\": [{\"kind\": \"locks\", \"b\": \"ball\", \"at\": "
        "[0, 0, 30], "
        "\"locks\": [\"y\", \"turn_x\", \"turn_z\"]}]}",
        120);
    CHECK_NEAR(state_of(scene, "crate").velocity.x, 1.0, 1e-6);
    CHECK_NEAR(state_of(scene, "crate").center.z, 0.1, 1e-3);
    CHECK(state_of(scene, "belt").pose.p.x == 0.0);
    CHECK_NEAR(state_of(scene, "ball").pose.p.y, 0.0, 1e-8);
    CHECK_NEAR(state_of(scene, "ball").pose.p.x, 1.0, 1e-6);
    CHECK_NEAR(state_of(scene, "ball").pose.p.z, 30.0 - 0.5 * g * 4.0, 1e-5);
    cairn_scene_destroy(scene);
}
END

// a crate on a static belt goes one way, a cart whose belly is a belt the other
TEST(surface_velocities_are_read)
{
    cairn_scene* scene = run(
        "{\"cairn\": 1, \"materials\": {\"belt\": {\"mu\": 0.5, \"surface_velocity\": [1, 0, 0]}}, "
        "\"bodies\": [{\"type\": \"static\", \"material\": \"belt\", \"shape\": {\"kind\": "
        "\"box\", "
        "\"size\": [20, 2, 0.2]}, \"at\": [0, 0, -0.1]}, {\"type\": \"static\", \"shape\": "
        "{\"kind\": "
        "\"box\", \"size\": [20, 2, 0.2]}, \"at\": [0, 3, -0.1]}, {\"name\": \"crate\", \"shape\": "
        "{\"kind\": \"box\", \"size\": [0.4, 0.4, 0.4]}, \"at\": [0, 0, 0.2]}, {\"name\": "
        "\"cart\", "
        "\"material\": \"belt\", \"shape\": {\"kind\": \"box\", \"size\": [0.4, 0.4, 0.2]}, "
        "\"at\": "
        "[0, 3, 0.1]}]}",
        60);
    CHECK_NEAR(state_of(scene, "crate").velocity.x, 1.0, 1e-6);
    CHECK_NEAR(state_of(scene, "cart").velocity.x, -1.0, 1e-6);
    cairn_scene_destroy(scene);
}
END

// a bob hangs below the origin of its frame, which a joint holds, and a half-space ends above its own
TEST(the_offset_of_a_shape_is_its_place_in_the_body)
{
    cairn_scene* scene = run("{\"cairn\": 1, \"bodies\": [{\"name\": \"bob\", \"at\": [0, 0, 3], "
                             "\"shape\": {\"kind\": \"box\", "
                             "\"size\": [0.2, 0.4, 0.6]}, \"offset\": {\"at\": [0, 0, -1], "
                             "\"turn\": [0, 0, 90]}}, {\"type\": "
                             "\"static\", \"shape\": {\"kind\": \"half_space\"}, \"offset\": "
                             "{\"at\": [0, 0, 0.5]}}, {\"name\": "
                             "\"ball\", \"at\": [5, 0, 0.9], \"shape\": {\"kind\": \"sphere\", "
                             "\"radius\": 0.1}}], \"joints\": "
                             "[{\"kind\": \"ball\", \"b\": \"bob\", \"at\": [0, 0, 3]}]}",
                             60);
    CHECK_NEAR(state_of(scene, "bob").center.z, 2.0, 1e-9);
    CHECK_NEAR(state_of(scene, "ball").pose.p.z, 0.6, 1e-6);
    cairn_body_id id;
    cairn_body_mass mass;
    CHECK(cairn_scene_find(scene, "bob", &id));
    CHECK(cairn_body_get_mass(cairn_scene_world(scene), id, &mass, NULL) == CAIRN_OK);

    // turned by 90 degrees about z, its 0.2 m lie along y of the body
    cairn_mat3 axes = cairn_quat_to_mat3(mass.principal.q);
    const cairn_vec3 along[3] = {axes.cx, axes.cy, axes.cz};
    const double I[3] = {mass.moments.x, mass.moments.y, mass.moments.z};
    double about_x = 0.0;
    for (int k = 0; k < 3; k++)
        about_x += I[k] * along[k].x * along[k].x;
    CHECK_NEAR(about_x, mass.mass * (0.2 * 0.2 + 0.6 * 0.6) / 12.0, 1e-9);
    cairn_scene_destroy(scene);
    refuse("{\"cairn\": 1, \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, "
           "\"offset\": [1, 2, 3]}]}",
           "offset");
}
END

TEST(nonsense_is_refused_by_name)
{
    refuse("{\"cairn\": 1, \"bodies\": [" ARM
           "], \"joints\": [{\"kind\": \"locks\", \"b\": \"arm\", "
           "\"locks\": [\"w\"]}]}",
           "turn_x");
    refuse("{\"cairn\": 1, \"bodies\": [" ARM
           "], \"joints\": [{\"kind\": \"locks\", \"b\": \"arm\"}]}",
           "locks");
    refuse("{\"cairn\": 1, \"bodies\": [" ARM
           "], \"joints\": [{\"kind\": \"hinge\", \"b\": \"arm\", "
           "\"servo\": {\"aim\": 1}}]}",
           "aim");
    refuse("{\"cairn\": 1, \"bodies\": [" ARM
           "], \"joints\": [{\"kind\": \"hinge\", \"b\": \"arm\", "
           "\"servo\": {\"stiffness\": 1}, \"spring\": {\"stiffness\": 1}}]}",
           "servo");
    refuse("{\"cairn\": 1, \"bodies\": [{\"name\": \"a\", \"belt\": true, \"shape\": {\"kind\": "
           "\"sphere\", "
           "\"radius\": 1}}]}",
           "belt");
}
END

TESTS(a_servo_holds_an_arm, a_weld_breaks_by_its_torque, belts_locks_and_centers_are_read,
      surface_velocities_are_read, the_offset_of_a_shape_is_its_place_in_the_body,
      nonsense_is_refused_by_name)
