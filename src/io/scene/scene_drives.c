// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a scene does while it runs: forces on bodies, ways of kinematic bodies, motors and servos
// that follow tables; and sensors. All are functions of the world's time t alone, so that a
// restored scene goes on as it would have. In a step of dt seconds forces and drives have their
// values at t + dt/2, and a way leads to its place at t + dt.

#include "io/scene/scene.h"
#include <cairn/alert.h>
#include <cairn/body.h>
#include <cairn/drive.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 0.017453292519943295;

// ---------------------------------------------------------------- tables

// the entry at or before a time, and how far it is to the next: 0 before the first and after the
// last
static int entry_at(const cairn_scene_drive* drive, double t, double* share)
{
    int last = drive->count - 1, i = 0;
    if (drive->repeat && drive->times[last] > 0.0 && t > drive->times[last])
        t -= drive->times[last] * floor(t / drive->times[last]);
    while (i < last && drive->times[i + 1] <= t)
        i++;
    *share = 0.0;
    if (i < last && t > drive->times[i])
        *share = (t - drive->times[i]) / (drive->times[i + 1] - drive->times[i]);
    return i;
}

static double value_at(const cairn_scene_drive* drive, double t)
{
    double share;
    if (drive->count == 0)
        return 1.0;
    int i = entry_at(drive, t, &share);
    double value = drive->values[i];
    return share > 0.0 ? value + share * (drive->values[i + 1] - value) : value;
}

static cairn_transform pose_at(const cairn_scene_drive* drive, double t)
{
    double share;
    int i = entry_at(drive, t, &share);
    cairn_transform pose = drive->poses[i];
    if (share == 0.0)
        return pose;

    // straight, and by the smaller angle at a steady rate
    cairn_transform next = drive->poses[i + 1];
    cairn_quat by = cairn_quat_multiply(next.q, cairn_quat_conjugate(pose.q));
    cairn_vec3 turn = cairn_scale(share, cairn_quat_to_rotation_vector(by));
    pose.p = cairn_add_scaled(pose.p, share, cairn_sub(next.p, pose.p));
    pose.q =
        cairn_quat_normalize(cairn_quat_multiply(cairn_quat_from_rotation_vector(turn), pose.q));
    return pose;
}

// ---------------------------------------------------------------- reading

static bool take_table(cairn_scene_drive* drive, const cairn_node* node, int count)
{
    drive->count = count;
    drive->times = calloc((size_t)count + 1, sizeof *drive->times);
    drive->values = calloc((size_t)count + 1, sizeof *drive->values);
    drive->poses = calloc((size_t)count + 1, sizeof *drive->poses);
    if (!drive->times || !drive->values || !drive->poses)
        cairn_node_starve(node);
    else if (cairn_node_ok(node) && count == 0)
        cairn_node_fail(node, "is empty, expected at least one entry");
    return cairn_node_ok(node);
}

static void take_time(cairn_scene_drive* drive, const cairn_node* item, int i, double time)
{
    drive->times[i] = time;
    if (cairn_node_ok(item) && (time < 0.0 || (i > 0 && !(time > drive->times[i - 1]))))
        cairn_node_fail(item, "has the time %g, expected times >= 0 that grow", time);
}

// [[time, value], ...]
static void read_table(cairn_scene_drive* drive, const cairn_node* list, double unit)
{
    int count = cairn_node_count(list);
    if (!cairn_node_ok(list) || !take_table(drive, list, count))
        return;
    for (int i = 0; i < count && cairn_node_ok(list); i++) {
        cairn_node item = cairn_node_item(list, i);
        if (cairn_node_count(&item) != 2) {
            cairn_node_fail(&item, "is no entry of a table, expected [time, value]");
            return;
        }
        cairn_node time = cairn_node_item(&item, 0), value = cairn_node_item(&item, 1);
        take_time(drive, &item, i, cairn_node_number(&time, CAIRN_ANY));
        drive->values[i] = unit * cairn_node_number(&value, CAIRN_ANY);
    }
}

static void read_path(cairn_scene_drive* drive, const cairn_node* list)
{
    static const char* const keys[] = {"time", "at", "turn", "quaternion", NULL};
    int count = cairn_node_count(list);
    if (!cairn_node_ok(list) || !take_table(drive, list, count))
        return;
    for (int i = 0; i < count && cairn_node_ok(list); i++) {
        cairn_node item = cairn_node_item(list, i), child;
        if (!cairn_node_allow(&item, keys, NULL) || !cairn_node_need(&child, &item, "time"))
            return;
        take_time(drive, &item, i, cairn_node_real(&item, "time", 0.0, CAIRN_ANY));
        drive->poses[i] = cairn_node_pose(&item);
    }
}

static void read_body_drive(cairn_scene_drive* drive, const cairn_node* node)
{
    static const char* const keys[] = {"body", "force", "torque", "at",     "local",   "from",
                                       "to",   "scale", "path",   "repeat", "comment", NULL};
    cairn_node child;
    cairn_body_def def;
    cairn_vec3 none = {0.0, 0.0, 0.0};
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&child, node, "body"))
        return;

    drive->body = cairn_scene_body(&child, cairn_node_string(node, "body", ""));
    if (!cairn_node_ok(node) ||
        cairn_body_get_def(node->reader->scene->world, drive->body, &def, NULL) != CAIRN_OK)
        return;
    drive->repeat = cairn_node_flag(node, "repeat", false);

    // a path, for a body whose motion is prescribed
    if (cairn_node_child(&child, node, "path")) {
        drive->kind = CAIRN_DRIVE_PATH;
        if (def.type != CAIRN_BODY_KINEMATIC)
            cairn_node_fail(&child, "is given to a body that is not kinematic");
        read_path(drive, &child);
        return;
    }

    // forces; at the center of mass if no point is given
    drive->kind = CAIRN_DRIVE_FORCE;
    drive->force = cairn_node_vector(node, "force", none);
    drive->torque = cairn_node_vector(node, "torque", none);
    drive->at = cairn_node_vector(node, "at", def.center);
    drive->local = cairn_node_flag(node, "local", false);
    drive->from = cairn_node_real(node, "from", 0.0, CAIRN_ANY);
    drive->to = cairn_node_real(node, "to", 1e300, CAIRN_ANY);
    if (cairn_node_child(&child, node, "scale"))
        read_table(drive, &child, 1.0);

    if (cairn_node_ok(node) && def.type != CAIRN_BODY_DYNAMIC)
        cairn_node_fail(node, "drives a body that is not dynamic and has no path");
}

static void read_joint_drive(cairn_scene_drive* drive, const cairn_node* node)
{
    static const char* const keys[] = {"joint", "speed", "target", "repeat", "comment", NULL};
    cairn_node child;
    cairn_joint_def def;
    const cairn_scene* scene = node->reader->scene;
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&child, node, "joint"))
        return;

    const char* name = cairn_node_string(node, "joint", "");
    if (!cairn_node_ok(node))
        return;
    if (!cairn_scene_find_joint(scene, name, &drive->joint) ||
        cairn_joint_get_def(scene->world, drive->joint, &def, NULL) != CAIRN_OK) {
        cairn_node_fail(&child, "is '%.60s', expected the name of a joint", name);
        return;
    }

    // a table over time: the speed of a motor or the target of a servo
    drive->repeat = cairn_node_flag(node, "repeat", false);
    if (cairn_node_child(&child, node, "speed")) {
        drive->kind = CAIRN_DRIVE_SPEED;
        read_table(drive, &child, 1.0);
        if (cairn_node_ok(node) && !def.driven)
            cairn_node_fail(&child, "is given to a joint without a motor");
    } else if (cairn_node_need(&child, node, "target")) {
        drive->kind = CAIRN_DRIVE_TARGET;
        read_table(drive, &child, cairn_scene_is_angle(def.kind) ? degree : 1.0);
        if (cairn_node_ok(node) && !def.servo)
            cairn_node_fail(&child, "is given to a joint without a servo");
    }
}

void cairn_read_drives(const cairn_node* list)
{
    cairn_scene* scene = list->reader->scene;
    int count = cairn_node_count(list);
    if (!cairn_node_ok(list))
        return;

    scene->drives = calloc((size_t)count + 1, sizeof *scene->drives);
    if (!scene->drives) {
        cairn_node_starve(list);
        return;
    }

    for (int i = 0; i < count && cairn_node_ok(list); i++) {
        cairn_node item = cairn_node_item(list, i), child;
        if (!cairn_node_spend(&item))
            return;

        cairn_scene_drive* drive = &scene->drives[scene->drive_count++];
        if (json_is_object(item.value) && cairn_node_child(&child, &item, "joint"))
            read_joint_drive(drive, &item);
        else
            read_body_drive(drive, &item);
    }
}

void cairn_scene_free_drives(cairn_scene* scene)
{
    for (int i = 0; i < scene->drive_count; i++) {
        free(scene->drives[i].times);
        free(scene->drives[i].values);
        free(scene->drives[i].poses);
    }
    free(scene->drives);
    for (int i = 0; i < scene->sensor_count; i++)
        free(scene->sensors[i].name);
    free(scene->sensors);
    cairn_scene_free_instruments(scene);
}

// ---------------------------------------------------------------- driving

// applies force and torque; a negative factor takes them back
static cairn_status push(cairn_world* world, const cairn_scene_drive* drive, double factor,
                         cairn_error* error)
{
    cairn_body_state state;
    cairn_vec3 force = cairn_scale(factor, drive->force);
    cairn_vec3 torque = cairn_scale(factor, drive->torque);
    cairn_status status = cairn_body_get(world, drive->body, &state, error);
    if (status == CAIRN_OK && drive->local) {
        force = cairn_rotate(state.pose.q, force);
        torque = cairn_rotate(state.pose.q, torque);
    }
    if (status == CAIRN_OK)
        status = cairn_body_add_force(world, drive->body, force,
                                      cairn_transform_point(state.pose, drive->at), error);
    if (status == CAIRN_OK)
        status = cairn_body_add_torque(world, drive->body, torque, error);
    return status;
}

static bool is_pushing(const cairn_scene_drive* drive, double t)
{
    return drive->kind == CAIRN_DRIVE_FORCE && drive->from <= t && t < drive->to;
}

static cairn_status drive_joint(cairn_world* world, const cairn_scene_drive* drive, double value,
                                cairn_error* error)
{
    // a joint that broke is driven no more; one that has its value is left alone
    cairn_joint_def def;
    if (cairn_joint_get_def(world, drive->joint, &def, NULL) != CAIRN_OK)
        return CAIRN_OK;
    if (drive->kind == CAIRN_DRIVE_TARGET)
        return cairn_joint_set_servo(world, drive->joint, value, def.stiffness, def.damping,
                                     def.strength, error);
    if (def.speed == value)
        return CAIRN_OK;
    return cairn_joint_set_motor(world, drive->joint, value, def.strength, error);
}

// a path that has ended no longer moves its body
static cairn_status lead(cairn_world* world, const cairn_scene_drive* drive, double t, double dt,
                         cairn_error* error)
{
    if (!drive->repeat && t >= drive->times[drive->count - 1])
        return CAIRN_OK;
    return cairn_body_set_target(world, drive->body, pose_at(drive, t + dt), dt, error);
}

// takes back the forces of the first `count` drives
static void release(cairn_scene* scene, double middle, int count)
{
    for (int i = 0; i < count; i++)
        if (is_pushing(&scene->drives[i], middle))
            push(scene->world, &scene->drives[i], -value_at(&scene->drives[i], middle), NULL);
}

cairn_status cairn_scene_drive_all(cairn_scene* scene, double dt, cairn_error* error)
{
    cairn_world* world = scene->world;

    // forces are those of the middle of the step
    double t = cairn_world_time(world), middle = t + 0.5 * dt;
    cairn_status status = CAIRN_OK;

    int i = 0;

    // a body that was removed, or has not entered yet, is passed over
    for (; i < scene->drive_count && status == CAIRN_OK; i++) {
        const cairn_scene_drive* drive = &scene->drives[i];
        cairn_body_state state;
        bool there = drive->kind == CAIRN_DRIVE_SPEED || drive->kind == CAIRN_DRIVE_TARGET ||
                     cairn_body_get(world, drive->body, &state, NULL) == CAIRN_OK;
        if (!there)
            continue;

        if (is_pushing(drive, middle))
            status = push(world, drive, value_at(drive, middle), error);
        else if (drive->kind == CAIRN_DRIVE_PATH)
            status = lead(world, drive, t, dt, error);
        else if (drive->kind != CAIRN_DRIVE_FORCE)
            status = drive_joint(world, drive, value_at(drive, middle), error);
    }

    // a step that cannot be made must leave no forces behind
    if (status != CAIRN_OK)
        release(scene, middle, i - 1);
    return status;
}

void cairn_scene_release(cairn_scene* scene, double dt)
{
    release(scene, cairn_world_time(scene->world) + 0.5 * dt, scene->drive_count);
}

// ---------------------------------------------------------------- sensors

static void read_sensor(const cairn_node* node)
{
    static const char* const keys[] = {"name",       "shape", "at",      "turn", "body",
                                       "quaternion", "mask",  "comment", NULL};
    cairn_scene* scene = node->reader->scene;
    cairn_node shape, child;
    cairn_error error;
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&shape, node, "shape") ||
        !cairn_node_need(&child, node, "name") || !cairn_node_spend(node))
        return;

    cairn_sensor_def def = cairn_default_sensor_def();
    cairn_shape own = cairn_read_shape(&shape);
    def.shape = &own;
    def.pose = cairn_node_pose(node);
    def.mask = (uint32_t)cairn_node_whole(node, "mask", (double)def.mask, 0.0, 4294967295.0);
    if (cairn_node_child(&child, node, "body"))
        def.body = cairn_scene_body(&child, cairn_node_string(node, "body", ""));

    const char* name = cairn_node_string(node, "name", "");
    if (!cairn_node_ok(node))
        return;

    cairn_scene_sensor* sensor = &scene->sensors[scene->sensor_count];
    cairn_status status = cairn_world_add_sensor(scene->world, &def, &sensor->id, &error);
    if (status != CAIRN_OK) {
        cairn_node_blame(node, status, &error);
        return;
    }

    sensor->name = strdup(name);
    if (!sensor->name)
        cairn_node_starve(node);
    else
        scene->sensor_count++;
}

void cairn_read_sensors(const cairn_node* list)
{
    cairn_scene* scene = list->reader->scene;
    int count = cairn_node_count(list);
    if (!cairn_node_ok(list))
        return;

    scene->sensors = calloc((size_t)count + 1, sizeof *scene->sensors);
    scene->instruments = calloc((size_t)count + 1, sizeof *scene->instruments);
    if (!scene->sensors || !scene->instruments)
        cairn_node_starve(list);

    for (int i = 0; i < count && cairn_node_ok(list); i++) {
        cairn_node item = cairn_node_item(list, i);
        if (cairn_is_instrument(&item))
            cairn_read_instrument(&item);
        else
            read_sensor(&item);
    }
}

bool cairn_scene_find_sensor(const cairn_scene* scene, const char* name, cairn_sensor_id* id)
{
    if (!scene || !name || !id)
        return false;
    for (int i = 0; i < scene->sensor_count; i++)
        if (strcmp(scene->sensors[i].name, name) == 0) {
            *id = scene->sensors[i].id;
            return true;
        }
    return false;
}
