// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joint coordinates of a robot whose links are bodies of a world. With the poses X of a link and
// X_p of its parent, the joint's motion is J = (X_p at)⁻¹ X, whose turn about the axis or way along
// it is q; its rate is the difference of their velocities where the joint is.

#include "io/robot/robot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// the body of a link of the multibody, by its name in the scene
static cairn_status find_body(const cairn_robot* robot, const cairn_scene* scene, int model,
                              cairn_body_id* id, cairn_error* error)
{
    const robot_joint* joint = &robot->joints[robot->model_joint[model]];
    const robot_link* link = &robot->links[joint->link];
    char name[96];
    if (link->model == model)
        snprintf(name, sizeof name, "%s", link->name);
    else
        snprintf(name, sizeof name, "%s~%d", link->name, link->model - model);
    if (!cairn_scene_find(scene, name, id))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the scene has no body '%s', expected one of the robot", name);
    return CAIRN_OK;
}

// the world stands still at the origin
static const cairn_body_state world_state = {.pose = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}};

static cairn_status read_states(const cairn_robot* robot, const cairn_scene* scene,
                                cairn_body_state** states, cairn_error* error)
{
    int count = cairn_multibody_links(robot->model);
    cairn_status status = CAIRN_OK;
    *states = calloc((size_t)count + 1, sizeof **states);
    if (!*states)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the states of %d links", count);
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        cairn_body_id id;
        status = find_body(robot, scene, i, &id, error);
        if (status == CAIRN_OK)
            status = cairn_body_get(cairn_scene_world(scene), id, &(*states)[i], error);
    }
    return status;
}

// the velocity of a body at a point of the world
static cairn_vec3 velocity_at(const cairn_body_state* s, cairn_vec3 point)
{
    return cairn_add(s->velocity, cairn_cross(s->spin, cairn_sub(point, s->center)));
}

static void put_quat(double* q, cairn_quat x)
{
    memcpy(q, &x, sizeof x);
}

static void put_vec(double* v, cairn_vec3 x)
{
    memcpy(v, &x, sizeof x);
}

// the angle of a turn about an axis, -π to π
static double angle_about(cairn_quat q, cairn_vec3 axis)
{
    double s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    return q.w < 0.0 ? 2.0 * cairn_atan2(-s, -q.w) : 2.0 * cairn_atan2(s, q.w);
}

static void read_joint(const cairn_multibody_link* link, const cairn_body_state* p,
                       const cairn_body_state* s, double* q, double* v)
{
    // J is the motion of the joint: from its zero frame on the parent to the body
    cairn_transform zero = cairn_transform_multiply(p->pose, link->at);
    cairn_transform J = cairn_transform_relative(zero, s->pose);
    cairn_vec3 axis = cairn_rotate(s->pose.q, link->axis);
    cairn_vec3 spin = cairn_sub(s->spin, p->spin);

    switch (link->mobility) {
    case CAIRN_MOBILITY_HINGE:
        q[0] = angle_about(J.q, link->axis);
        v[0] = cairn_dot(axis, spin);
        return;
    case CAIRN_MOBILITY_SLIDE:
        q[0] = cairn_dot(link->axis, J.p);
        v[0] = cairn_dot(axis, cairn_sub(s->velocity, velocity_at(p, s->center)));
        return;
    case CAIRN_MOBILITY_BALL:
        put_quat(q, J.q);
        put_vec(v, cairn_rotate_back(s->pose.q, spin));
        return;
    case CAIRN_MOBILITY_FREE:
        put_vec(q, s->pose.p);
        put_quat(q + 3, s->pose.q);
        put_vec(v, velocity_at(s, s->pose.p));
        put_vec(v + 3, cairn_rotate_back(s->pose.q, s->spin));
        return;
    default:
        return;
    }
}

cairn_status cairn_robot_get_state(const cairn_robot* robot, const cairn_scene* scene, double* q,
                                   double* v, cairn_error* error)
{
    if (!robot || !scene || !q)
        return cairn_refuse_null(error, "the robot, the scene or q");
    cairn_body_state* states = NULL;
    cairn_status status = read_states(robot, scene, &states, error);
    for (int i = 0; i < cairn_multibody_links(robot->model) && status == CAIRN_OK; i++) {
        cairn_multibody_link link = cairn_multibody_get(robot->model, i);
        const cairn_body_state* p = link.parent >= 0 ? &states[link.parent] : &world_state;
        double spare[6];
        read_joint(&link, p, &states[i], q + cairn_multibody_q_offset(robot->model, i),
                   v ? v + cairn_multibody_v_offset(robot->model, i) : spare);
    }
    free(states);
    return status;
}

// ---------------------------------------------------------------- moving it

// poses and velocities of all links for q and v
typedef struct motion {
    cairn_transform* poses;
    cairn_vec3 *velocities, *spins;
    cairn_body_id* ids;
} motion;

static void free_motion(motion* m)
{
    free(m->poses);
    free(m->velocities);
    free(m->spins);
    free(m->ids);
}

static cairn_status prepare(motion* m, const cairn_robot* robot, const cairn_scene* scene,
                            cairn_error* error)
{
    size_t count = (size_t)cairn_multibody_links(robot->model) + 1;
    cairn_status status = CAIRN_OK;
    m->poses = calloc(count, sizeof *m->poses);
    m->velocities = calloc(count, sizeof *m->velocities);
    m->spins = calloc(count, sizeof *m->spins);
    m->ids = calloc(count, sizeof *m->ids);
    if (!m->poses || !m->velocities || !m->spins || !m->ids)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the motion of a robot");
    for (int i = 0; i + 1 < (int)count && status == CAIRN_OK; i++)
        status = find_body(robot, scene, i, &m->ids[i], error);
    return status;
}

// the bodies that make joints follow others
static cairn_status set_couplers(const cairn_robot* robot, cairn_scene* scene, const motion* m,
                                 const double* q, const double* v, cairn_error* error)
{
    cairn_world* world = cairn_scene_world(scene);
    const robot_motions links = {m->poses, m->velocities, m->spins};
    cairn_status status = CAIRN_OK;

    for (int i = 0; i < robot->coupler_count && status == CAIRN_OK; i++) {
        const robot_coupler* k = &robot->couplers[i];
        cairn_body_id id;
        if (!k->made)
            continue;

        if (!cairn_scene_find(scene, k->name, &id))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "the scene has no body '%s', expected one of the robot", k->name);

        robot_motion x = robot_move_coupler(robot, k, &links, q, v);
        status = cairn_body_set_pose(world, id, x.pose, error);
        if (status == CAIRN_OK)
            status = cairn_body_set_velocity(world, id, x.velocity, x.spin, error);
    }

    return status;
}

cairn_status cairn_robot_set_state(const cairn_robot* robot, cairn_scene* scene, const double* q,
                                   const double* v, cairn_error* error)
{
    if (!robot || !scene || !q)
        return cairn_refuse_null(error, "the robot, the scene or q");
    cairn_world* world = cairn_scene_world(scene);
    motion m = {0};

    cairn_status status = prepare(&m, robot, scene, error);
    if (status == CAIRN_OK)
        status =
            cairn_multibody_kinematics(robot->model, q, v, m.poses, m.velocities, m.spins, error);
    for (int i = 0; i < cairn_multibody_links(robot->model) && status == CAIRN_OK; i++) {
        // links without mass in the multibody have the center of the link that they lead to
        const robot_link* link = &robot->links[robot->joints[robot->model_joint[i]].link];
        cairn_vec3 velocity = m.velocities[i];
        if (link->model != i)
            velocity = cairn_add(velocity,
                                 cairn_cross(m.spins[i], cairn_rotate(m.poses[i].q, link->center)));

        status = cairn_body_set_pose(world, m.ids[i], m.poses[i], error);
        if (status == CAIRN_OK)
            status = cairn_body_set_velocity(world, m.ids[i], velocity, m.spins[i], error);
    }

    if (status == CAIRN_OK)
        status = set_couplers(robot, scene, &m, q, v, error);
    free_motion(&m);
    return status;
}

// a force at a point and a torque on one body, and their opposites on another
static cairn_status push(cairn_world* world, cairn_body_id on, cairn_body_id from, cairn_vec3 force,
                         cairn_vec3 point, cairn_vec3 torque, cairn_error* error)
{
    cairn_status status = cairn_body_add_force(world, on, force, point, error);
    if (status == CAIRN_OK)
        status = cairn_body_add_torque(world, on, torque, error);
    if (status == CAIRN_OK && from.generation != 0)
        status = cairn_body_add_force(world, from, cairn_neg(force), point, error);
    if (status == CAIRN_OK && from.generation != 0)
        status = cairn_body_add_torque(world, from, cairn_neg(torque), error);
    return status;
}

static cairn_status add_force(const cairn_robot* robot, cairn_world* world, int i,
                              const cairn_body_id* ids, const double* tau, cairn_error* error)
{
    cairn_multibody_link link = cairn_multibody_get(robot->model, i);
    cairn_body_id parent = {0, 0};
    cairn_body_state s;
    cairn_vec3 force = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
    cairn_status status = cairn_body_get(world, ids[i], &s, error);
    if (status != CAIRN_OK)
        return status;

    if (link.parent >= 0)
        parent = ids[link.parent];

    // generalized forces of the joint as a force and a torque, with the reaction on the parent
    cairn_vec3 point = cairn_transform_point(s.pose, link.anchor);
    cairn_vec3 axis = cairn_rotate(s.pose.q, link.axis);
    if (link.mobility == CAIRN_MOBILITY_HINGE)
        torque = cairn_scale(tau[0], axis);
    if (link.mobility == CAIRN_MOBILITY_SLIDE)
        force = cairn_scale(tau[0], axis);

    if (link.mobility == CAIRN_MOBILITY_FREE) {
        force = cairn_vec(tau[0], tau[1], tau[2]);
        point = s.pose.p;
        tau += 3;
    }

    if (link.mobility == CAIRN_MOBILITY_FREE || link.mobility == CAIRN_MOBILITY_BALL)
        torque = cairn_rotate(s.pose.q, cairn_vec(tau[0], tau[1], tau[2]));
    return push(world, ids[i], parent, force, point, torque, error);
}

cairn_status cairn_robot_add_forces(const cairn_robot* robot, cairn_scene* scene, const double* tau,
                                    cairn_error* error)
{
    if (!robot || !scene || !tau)
        return cairn_refuse_null(error, "the robot, the scene or the forces");
    for (int i = 0; i < cairn_multibody_v_count(robot->model); i++)
        if (!(fabs(tau[i]) <= 1e12))
            return cairn_fail(error, CAIRN_BAD_INPUT, "force %d is %g, expected one up to 1e12", i,
                              tau[i]);
    cairn_world* world = cairn_scene_world(scene);
    motion m = {0};
    cairn_status status = prepare(&m, robot, scene, error);
    for (int i = 0; i < cairn_multibody_links(robot->model) && status == CAIRN_OK; i++)
        status = add_force(robot, world, i, m.ids, tau + cairn_multibody_v_offset(robot->model, i),
                           error);
    free_motion(&m);
    return status;
}
