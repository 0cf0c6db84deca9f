// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints of a scene file. Points and axes are given where the bodies start, in the frame of the
// group; both frames of the joint coincide there.

#include "io/recording/stage.h"
#include "io/scene/scene.h"
#include <stdlib.h>
#include <string.h>

static const char* const kinds[] = {"ball",  "hinge",    "slider", "universal", "cylindrical",
                                    "fixed", "distance", "gear",   "surface",   "rolling",
                                    "locks", "rack",     "screw",  "wheel",     "pulley",
                                    "along", "twist",    "around"};
static const char* const surfaces[] = {"plane", "sphere", "cylinder", "torus"};
static const double degree = 0.017453292519943295;

static cairn_body_id read_end(const cairn_node* node, const char* key)
{
    cairn_node child;
    cairn_body_id none = {0, 0};
    if (!cairn_node_child(&child, node, key))
        return none;
    const char* name = cairn_node_string(node, key, "");
    return cairn_node_ok(node) ? cairn_scene_body(&child, name) : none;
}

// a frame at `at` whose z axis is `axis`
static cairn_transform frame_at(cairn_vec3 at, cairn_vec3 axis)
{
    // the shortest turn from z to the axis; half a turn about x when it points down
    cairn_vec3 z = cairn_normalize(axis);
    cairn_quat q = {1.0 + z.z, -z.y, z.x, 0.0};
    if (z.z < -1.0 + 1e-12)
        q = (cairn_quat){0.0, 1.0, 0.0, 0.0};
    return (cairn_transform){at, cairn_quat_normalize(q)};
}

static cairn_vec3 read_axis(const cairn_node* node, const char* key, cairn_vec3 absent)
{
    cairn_vec3 axis = cairn_node_vector(node, key, absent);
    double n = cairn_norm(axis);
    if (cairn_node_ok(node) && !(n > 1e-9 && n < 1e9))
        cairn_node_fail(node, "has an %s without direction, expected a vector that is not zero",
                        key);
    return axis;
}

// the frames in the bodies, from the places in the world
static void set_frames(cairn_joint_def* def, const cairn_node* node, cairn_transform frame)
{
    // one place and axis for both bodies, unless they have their own
    cairn_world* world = node->reader->scene->world;
    cairn_vec3 origin = cairn_vec(0.0, 0.0, 0.0);
    cairn_vec3 at = cairn_node_vector(node, "at", origin);
    cairn_vec3 axis = read_axis(node, "axis", cairn_vec(0.0, 0.0, 1.0));
    cairn_vec3 axis_b = axis;
    if (def->kind == CAIRN_JOINT_UNIVERSAL || def->kind == CAIRN_JOINT_RACK ||
        def->kind == CAIRN_JOINT_WHEEL || def->kind == CAIRN_JOINT_AROUND)
        axis_b = read_axis(node, "axis_b", cairn_vec(1.0, 0.0, 0.0));
    if (def->kind == CAIRN_JOINT_GEAR || def->kind == CAIRN_JOINT_ROLLING)
        axis_b = read_axis(node, "axis_b", axis);

    cairn_transform a = frame_at(cairn_node_vector(node, "at_a", at), axis);
    cairn_transform b = frame_at(cairn_node_vector(node, "at_b", at), axis_b);
    a = cairn_transform_multiply(frame, a);
    b = cairn_transform_multiply(frame, b);

    // from the world to the frames of the bodies; the world itself has no frame
    cairn_body_state state;
    cairn_error error;
    def->frame_a = a;

    def->anchor_a = cairn_transform_point(frame, cairn_node_vector(node, "anchor_a", origin));
    def->anchor_b = cairn_transform_point(frame, cairn_node_vector(node, "anchor_b", origin));

    if (def->body_a.generation && cairn_body_get(world, def->body_a, &state, &error) == CAIRN_OK)
        def->frame_a = cairn_transform_relative(state.pose, a);
    if (cairn_body_get(world, def->body_b, &state, &error) == CAIRN_OK)
        def->frame_b = cairn_transform_relative(state.pose, b);
}

bool cairn_scene_is_angle(cairn_joint_kind kind)
{
    return kind == CAIRN_JOINT_BALL || kind == CAIRN_JOINT_HINGE || kind == CAIRN_JOINT_UNIVERSAL ||
           kind == CAIRN_JOINT_TWIST || kind == CAIRN_JOINT_AROUND;
}

static void read_drives(cairn_joint_def* def, const cairn_node* node)
{
    static const char* const motor_keys[] = {"speed", "strength", NULL};
    static const char* const servo_keys[] = {"target", "stiffness", "damping", "strength", NULL};
    static const char* const spring_keys[] = {"stiffness", "damping", "rest", NULL};
    double unit = cairn_scene_is_angle(def->kind) ? degree : 1.0;
    cairn_node child;
    if (cairn_node_child(&child, node, "limits")) {
        def->limited = true;
        if (cairn_node_count(&child) != 2) {
            cairn_node_fail(&child, "is not a pair of limits, expected [lo, hi]");
            return;
        }
        cairn_node lo = cairn_node_item(&child, 0), hi = cairn_node_item(&child, 1);
        def->lo = unit * cairn_node_number(&lo, CAIRN_ANY);
        def->hi = unit * cairn_node_number(&hi, CAIRN_ANY);
    }

    if (cairn_node_child(&child, node, "motor") && cairn_node_allow(&child, motor_keys, NULL)) {
        def->driven = true;
        def->speed = cairn_node_real(&child, "speed", 0.0, CAIRN_ANY);
        def->strength = cairn_node_real(&child, "strength", 0.0, CAIRN_AT_LEAST_0);
    }

    if (cairn_node_child(&child, node, "servo") && cairn_node_allow(&child, servo_keys, NULL)) {
        def->servo = true;
        def->strength = cairn_node_real(&child, "strength", 0.0, CAIRN_AT_LEAST_0);
        def->stiffness = cairn_node_real(&child, "stiffness", 0.0, CAIRN_AT_LEAST_0);
        def->damping = cairn_node_real(&child, "damping", 0.0, CAIRN_AT_LEAST_0);
        def->rest = unit * cairn_node_real(&child, "target", 0.0, CAIRN_ANY);
    }

    // a spring and a servo use the same numbers of the definition
    if (cairn_node_child(&child, node, "spring") && cairn_node_allow(&child, spring_keys, NULL)) {
        if (def->servo)
            cairn_node_fail(&child, "stands beside a servo, expected one of the two");
        def->stiffness = cairn_node_real(&child, "stiffness", 0.0, CAIRN_AT_LEAST_0);
        def->damping = cairn_node_real(&child, "damping", 0.0, CAIRN_AT_LEAST_0);
        def->rest = unit * cairn_node_real(&child, "rest", 0.0, CAIRN_ANY);
    }
}

static void read_surface(cairn_joint_def* def, const cairn_node* node)
{
    def->surface = (cairn_surface)cairn_node_choice(node, "surface", surfaces, 4, 0);
    def->radius = cairn_node_real(node, "radius", 0.0, CAIRN_AT_LEAST_0);
    def->tube = cairn_node_real(node, "tube", 0.0, CAIRN_AT_LEAST_0);
    def->roller = cairn_node_real(node, "roller", 0.0, CAIRN_AT_LEAST_0);
    def->wheel = cairn_node_flag(node, "wheel", false);
}

static void name_joint(const cairn_node* node, const char* name, cairn_joint_id id)
{
    cairn_scene* scene = node->reader->scene;
    if (!cairn_node_ok(node))
        return;
    if (!cairn_grow((void**)&scene->joints, &scene->joint_capacity, scene->joint_count + 1,
                    sizeof *scene->joints)) {
        cairn_node_starve(node);
        return;
    }
    cairn_scene_joint* joint = &scene->joints[scene->joint_count];
    *joint = (cairn_scene_joint){.name = strdup(name), .id = id};
    if (!joint->name)
        cairn_node_starve(node);
    else
        scene->joint_count++;
}

static void read_locks(cairn_joint_def* def, const cairn_node* node)
{
    static const char* const axes[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
    cairn_node list;
    if (!cairn_node_child(&list, node, "locks"))
        return;

    int count = cairn_node_count(&list);
    for (int i = 0; i < count && cairn_node_ok(&list); i++) {
        cairn_node item = cairn_node_item(&list, i);
        const char* name = json_is_string(item.value) ? json_string_value(item.value) : "";
        unsigned bit = 0;
        for (int k = 0; k < 6; k++)
            bit |= strcmp(name, axes[k]) == 0 ? 1u << k : 0u;

        if (bit == 0)
            cairn_node_fail(&item, "is '%.20s', expected x, y, z, turn_x, turn_y or turn_z", name);
        def->locks |= bit;
    }
}

static void read_joint(const cairn_node* node, cairn_transform frame)
{
    static const char* const keys[] = {
        "kind",         "a",      "b",     "at",       "at_a",     "at_b",    "axis",
        "axis_b",       "limits", "motor", "spring",   "ratio",    "surface", "radius",
        "tube",         "roller", "wheel", "collide",  "comment",  "servo",   "break_force",
        "break_torque", "locks",  "name",  "anchor_a", "anchor_b", NULL};
    cairn_node child;
    cairn_joint_id id;
    cairn_error error;
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&child, node, "kind") ||
        !cairn_node_need(&child, node, "b") || !cairn_node_spend(node))
        return;

    int kind = cairn_node_choice(node, "kind", kinds, CAIRN_JOINT_KIND_COUNT, 0);
    cairn_joint_def def = cairn_default_joint_def((cairn_joint_kind)kind);
    def.body_a = read_end(node, "a");
    def.body_b = read_end(node, "b");
    if (!cairn_node_ok(node))
        return;

    // bodies must be known by now: frames are relative to where they are
    set_frames(&def, node, frame);
    read_drives(&def, node);
    read_surface(&def, node);
    read_locks(&def, node);

    def.ratio = cairn_node_real(node, "ratio", 1.0, CAIRN_ANY);
    def.collide = cairn_node_flag(node, "collide", false);
    def.break_force = cairn_node_real(node, "break_force", 0.0, CAIRN_AT_LEAST_0);
    def.break_torque = cairn_node_real(node, "break_torque", 0.0, CAIRN_AT_LEAST_0);
    if (!cairn_node_ok(node))
        return;

    cairn_status status = cairn_world_add_joint(node->reader->scene->world, &def, &id, &error);
    if (status != CAIRN_OK)
        cairn_node_blame(node, status, &error);
    else if (cairn_node_child(&child, node, "name"))
        name_joint(&child, cairn_node_string(node, "name", ""), id);
}

// pairs of names of bodies that do not collide
void cairn_read_exclusions(const cairn_node* node)
{
    int count = cairn_node_count(node);
    for (int i = 0; i < count && cairn_node_ok(node); i++) {
        cairn_node pair = cairn_node_item(node, i);
        cairn_body_id ids[2] = {{0, 0}, {0, 0}};
        if (cairn_node_count(&pair) != 2)
            cairn_node_fail(&pair, "is not a pair, expected the names of two bodies");
        for (int k = 0; k < 2 && cairn_node_ok(node); k++) {
            cairn_node name = cairn_node_item(&pair, k);
            if (!json_is_string(name.value))
                cairn_node_fail(&name, "is not a string, expected the name of a body");
            else
                ids[k] = cairn_scene_body(&name, json_string_value(name.value));
        }

        cairn_error error;
        if (!cairn_node_ok(node) || !cairn_node_spend(&pair))
            return;
        cairn_status status =
            cairn_world_exclude(node->reader->scene->world, ids[0], ids[1], true, &error);
        if (status != CAIRN_OK)
            cairn_node_blame(&pair, status, &error);
    }
}

void cairn_read_joints(const cairn_node* node, cairn_transform frame)
{
    int count = cairn_node_count(node);
    for (int i = 0; i < count && cairn_node_ok(node); i++) {
        cairn_node item = cairn_node_item(node, i);
        read_joint(&item, frame);
    }
}
