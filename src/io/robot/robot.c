// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Robots for callers: reading, telling, and their joint coordinates in a scene.

#include "io/robot/robot.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- reading

static void read_root(robot_reader* r)
{
    xml_element* root = r->robot->root;
    root->taken = true;
    if (strcmp(root->name, "robot") == 0)
        robot_read_urdf(r);
    else if (strcmp(root->name, "mujoco") == 0)
        robot_read_mjcf(r);
    else
        robot_fail(r, root, "is not a robot, expected <robot> (URDF) or <mujoco> (MJCF)");
    if (robot_ok(r))
        robot_make_model(r);
    if (robot_ok(r))
        robot_make_scene(r);
    if (robot_ok(r))
        robot_list_ignored(r);
}

cairn_status cairn_robot_read_text(const char* text, size_t size, const char* name,
                                   const cairn_robot_def* def, cairn_robot** robot,
                                   cairn_error* error)
{
    static const cairn_robot_def plain = {0};
    if (!text || !name || !robot)
        return cairn_refuse_null(error, "the text, its name or the place for the robot");

    cairn_robot* out = calloc(1, sizeof *out);
    if (!out)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a robot", name);

    // strings and arrays of a robot live in its pool, and die with it
    out->gravity = cairn_vec(0.0, 0.0, -9.81);
    out->file = xml_copy(&out->pool, name, strlen(name));
    robot_reader r = {.robot = out, .def = def ? def : &plain, .error = error};
    if (!out->file)
        r.status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a robot", name);
    else
        r.status = xml_parse(&out->pool, text, size, out->file, &out->root, error);

    if (robot_ok(&r))
        read_root(&r);

    if (robot_ok(&r))
        *robot = out;
    else
        cairn_robot_destroy(out);
    return r.status;
}

cairn_status cairn_robot_read(const char* path, const cairn_robot_def* def, cairn_robot** robot,
                              cairn_error* error)
{
    if (!path || !robot)
        return cairn_refuse_null(error, "the path or the place for the robot");
    cairn_bytes bytes;
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_text, error);
    if (status != CAIRN_OK)
        return status;
    status = cairn_robot_read_text(bytes.data, bytes.size, path, def, robot, error);
    free(bytes.data);
    return status;
}

void cairn_robot_destroy(cairn_robot* robot)
{
    if (!robot)
        return;
    cairn_multibody_destroy(robot->model);
    free(robot->links);
    free(robot->joints);
    free(robot->geoms);
    free(robot->ties);
    free(robot->sensors);
    free(robot->ignored);
    free(robot->scene);
    xml_free(&robot->pool);
    free(robot);
}

// ---------------------------------------------------------------- telling

// the link of the n-th body, or NULL
static const robot_link* body_at(const cairn_robot* robot, int index)
{
    for (int i = 0; robot && i < robot->link_count; i++)
        if (robot->links[i].joint_count > 0 && index-- == 0)
            return &robot->links[i];
    return NULL;
}

cairn_robot_info cairn_robot_describe(const cairn_robot* robot)
{
    if (!robot)
        return (cairn_robot_info){.name = "", .format = "", .ignored = ""};
    cairn_robot_info info = {.name = robot->name,
                             .format = robot->format,
                             .ignored = robot->ignored,
                             .joint_count = robot->joint_count,
                             .q_count = cairn_multibody_q_count(robot->model),
                             .v_count = cairn_multibody_v_count(robot->model)};
    for (int i = 0; i < robot->link_count; i++)
        if (robot->links[i].joint_count > 0) {
            info.link_count++;
            info.mass += robot->links[i].mass;
        }
    return info;
}

cairn_robot_link cairn_robot_get_link(const cairn_robot* robot, int index)
{
    const robot_link* link = index >= 0 ? body_at(robot, index) : NULL;
    if (!link)
        return (cairn_robot_link){0};
    return (cairn_robot_link){.name = link->name,
                              .parent = link->parent >= 0 ? robot->links[link->parent].name : "",
                              .link = link->model,
                              .mass = link->mass,
                              .center = link->center};
}

cairn_robot_joint cairn_robot_get_joint(const cairn_robot* robot, int index)
{
    if (!robot || index < 0 || index >= robot->joint_count)
        return (cairn_robot_joint){0};

    const robot_joint* joint = &robot->joints[robot->model_joint[index]];
    return (cairn_robot_joint){.name = joint->name,
                               .link = robot->links[joint->link].name,
                               .mobility = joint->mobility,
                               .q = cairn_multibody_q_offset(robot->model, joint->model),
                               .v = cairn_multibody_v_offset(robot->model, joint->model),
                               .limited = joint->limited,
                               .lo = joint->lo,
                               .hi = joint->hi,
                               .effort = joint->effort,
                               .damping = joint->damping,
                               .friction = joint->friction,
                               .start = joint->start,
                               .reduction = joint->reduction};
}

cairn_multibody* cairn_robot_multibody(const cairn_robot* robot)
{
    return robot ? robot->model : NULL;
}

void cairn_robot_start(const cairn_robot* robot, double* q, double* v)
{
    if (robot && q)
        memcpy(q, robot->start_q, (size_t)cairn_multibody_q_count(robot->model) * sizeof *q);
    if (robot && v)
        memcpy(v, robot->start_v, (size_t)cairn_multibody_v_count(robot->model) * sizeof *v);
}

const char* cairn_robot_scene_text(const cairn_robot* robot)
{
    return robot ? robot->scene : NULL;
}

cairn_status cairn_robot_make_scene(const cairn_robot* robot, const cairn_scene_def* def,
                                    cairn_scene** scene, cairn_error* error)
{
    if (!robot || !scene)
        return cairn_refuse_null(error, "the robot or the place for the scene");
    return cairn_scene_read_text(robot->scene, strlen(robot->scene), robot->file, def, scene,
                                 error);
}
