// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of robot.h: each reads a small robot, asks it or moves it in a scene of its own, and
// destroys both. What files hold is the matter of fuzz_urdf and fuzz_mjcf.

#include "api.h"
#include <stdio.h>
#include <string.h>

static const char* const robots[] = {
    "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/><inertia "
    "ixx='1' "
    "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
    "type='continuous'><parent link='world'/><child link='a'/></joint></robot>",
    "<mujoco><worldbody><body name='b'><freejoint/><geom size='0.1'/><body name='c' pos='0.3 0 "
    "0'><joint name='x'/><joint name='y' axis='0 1 0'/><geom size='0.1'/></body></body></worldbody>"
    "</mujoco>",
    "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
    "<robot",
};

enum { robot_count = sizeof robots / sizeof robots[0] };

static cairn_robot* draw(api* a)
{
    cairn_robot* robot = NULL;
    cairn_robot_def def = {.strict = api_chance(a, 32),
                           .fix_base = api_chance(a, 32),
                           .keyframe = api_chance(a, 16) ? "none" : NULL};
    const char* text = robots[api_below(a, robot_count)];
    const cairn_robot_def* given = API_OR_NULL(a, &def);
    const char* name = API_OR_NULL(a, "api.xml");
    api_begin(a);
    cairn_status status = cairn_robot_read_text(text, strlen(text), name, given, &robot, a->said);
    return api_end(a, status, API_NOTHING) ? robot : NULL;
}

static void read_text(api* a)
{
    cairn_robot_destroy(draw(a));
}

static void read_path(api* a)
{
    char path[80];
    cairn_robot* robot = NULL;
    const char* from = api_pick_path(a, path, sizeof path, ".json");
    api_begin(a);
    api_end(a, cairn_robot_read(from, NULL, &robot, a->said), API_NOTHING);
    cairn_robot_destroy(robot);
}

static void tell(api* a)
{
    cairn_robot* robot = draw(a);
    const cairn_robot* asked = API_OR_NULL(a, robot);
    int index = api_int(a, -1, 4);
    double q[32], v[32];
    api_begin(a);
    cairn_robot_info info = cairn_robot_describe(asked);
    cairn_robot_link link = cairn_robot_get_link(asked, index);
    cairn_robot_joint joint = cairn_robot_get_joint(asked, index);
    cairn_robot_start(asked, q, v);
    const char* text = cairn_robot_scene_text(asked);
    cairn_multibody* model = cairn_robot_multibody(asked);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!info.name || !info.ignored || (asked && (!text || !model)) ||
        (index >= info.joint_count && joint.name) || (index >= info.link_count && link.name))
        api_broken(a, "a robot that does not know itself");
    cairn_robot_destroy(robot);
}

static void move(api* a)
{
    cairn_robot* robot = draw(a);
    cairn_scene* scene = NULL;
    double q[32] = {0.0}, v[32] = {0.0};
    api_begin(a);
    if (!api_end(a, cairn_robot_make_scene(robot, NULL, &scene, a->said), API_NOTHING)) {
        cairn_robot_destroy(robot);
        return;
    }
    int count = cairn_robot_describe(robot).q_count;
    cairn_robot_start(robot, q, v);
    for (int i = 0; i < count; i++)
        q[i] += api_real(a, -1.0, 1.0);
    api_begin(a);
    api_end(a, cairn_robot_set_state(robot, scene, q, v, a->said), API_NOTHING);
    api_begin(a);
    api_end(a, cairn_robot_add_forces(robot, scene, v, a->said), API_NOTHING);
    cairn_scene_step(scene, 0.01, NULL, NULL);
    api_begin(a);
    api_end(a, cairn_robot_get_state(robot, scene, API_OR_NULL(a, q), v, a->said), API_NOTHING);
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
}

const api_call api_robot_calls[] = {
    {"cairn_robot_read", read_path, 1},    {"cairn_robot_read_text", read_text, 1},
    {"cairn_robot_destroy", read_text, 1}, {"cairn_robot_describe", tell, 1},
    {"cairn_robot_get_link", tell, 1},     {"cairn_robot_get_joint", tell, 1},
    {"cairn_robot_start", tell, 1},        {"cairn_robot_scene_text", tell, 1},
    {"cairn_robot_multibody", tell, 1},    {"cairn_robot_make_scene", move, 1},
    {"cairn_robot_get_state", move, 1},    {"cairn_robot_set_state", move, 1},
    {"cairn_robot_add_forces", move, 1},   {0},
};
