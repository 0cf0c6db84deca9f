// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From links to bodies: a link without joints is a part of its parent, what it weighs and its
// shapes included; a link of several joints is a chain of links of the multibody, the last of which
// carries the mass. Then the start: joints at zero, or where their limits are nearest to it.

#include "io/robot/robot.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- masses

// I + m (d² 1 - d d^T)
static cairn_mat3 shifted(cairn_mat3 I, double m, cairn_vec3 d)
{
    cairn_mat3 X = cairn_mat3_skew(d);
    return cairn_mat3_add(I, cairn_mat3_scale(-m, cairn_mat3_multiply(X, X)));
}

void robot_add_mass(robot_link* link, double mass, cairn_vec3 center, cairn_mat3 inertia)
{
    double sum = link->mass + mass;
    if (!(sum > 0.0)) {
        link->inertia = cairn_mat3_add(link->inertia, inertia);
        return;
    }
    cairn_vec3 both =
        cairn_add(cairn_scale(link->mass / sum, link->center), cairn_scale(mass / sum, center));
    cairn_mat3 own = shifted(link->inertia, link->mass, cairn_sub(link->center, both));
    link->inertia = cairn_mat3_add(own, shifted(inertia, mass, cairn_sub(center, both)));
    link->center = both;
    link->mass = sum;
}

static cairn_mat3 turned(cairn_mat3 I, cairn_quat q)
{
    cairn_mat3 R = cairn_quat_to_mat3(q);
    return cairn_mat3_multiply(R, cairn_mat3_multiply(I, cairn_mat3_transpose(R)));
}

// a link that moves needs a mass and moments that turn it
static void check_mass(robot_reader* r, const robot_link* link)
{
    const cairn_mat3* I = &link->inertia;
    double minor = I->cx.x * I->cy.y - I->cx.y * I->cy.x, all = cairn_mat3_determinant(*I);
    if (!(link->mass > 0.0))
        robot_fail(r, link->from, "'%.60s' moves and has no mass", link->name);
    else if (!(I->cx.x > 0.0 && I->cy.y > 0.0 && I->cz.z > 0.0 && minor > 0.0 && all > 0.0))
        robot_fail(r, link->from,
                   "'%.60s' moves and has an inertia that is not positive: moments %g, %g, %g "
                   "kg m², expected three > 0 of a body",
                   link->name, I->cx.x, I->cy.y, I->cz.z);
}

// ---------------------------------------------------------------- bodies

// finds the body of each link; frames and parents are those of bodies afterwards
static void find_bodies(cairn_robot* robot)
{
    for (int i = 0; i < robot->link_count; i++) {
        robot_link* link = &robot->links[i];
        cairn_transform at = link->at;
        int body = -1;

        // a link without joints is welded to its parent and adds its mass there
        if (link->parent >= 0) {
            const robot_link* parent = &robot->links[link->parent];
            at = cairn_transform_multiply(parent->in_body, at);
            body = parent->body;
        }

        bool moves = link->joint_count > 0;
        link->in_body = moves ? cairn_transform_identity() : at;
        link->body = moves ? i : body;
        link->at = at;
        link->parent = body;

        if (moves || body < 0)
            continue;
        robot_add_mass(&robot->links[body], link->mass, cairn_transform_point(at, link->center),
                       turned(link->inertia, at.q));
    }

    // shapes are placed in the frame of the body that carries them
    for (int i = 0; i < robot->geom_count; i++) {
        robot_geom* geom = &robot->geoms[i];
        const robot_link* link = &robot->links[geom->link];
        geom->at = cairn_transform_multiply(link->in_body, geom->at);
    }
}

// ---------------------------------------------------------------- the multibody

static void fill_model(robot_reader* r, cairn_multibody_link* links)
{
    cairn_robot* robot = r->robot;
    int count = 0;
    for (int i = 0; i < robot->link_count && robot_ok(r); i++) {
        robot_link* link = &robot->links[i];
        if (link->joint_count == 0)
            continue;

        check_mass(r, link);

        // a link of k joints is a chain of k links, of which the last has the mass
        for (int k = 0; k < link->joint_count; k++) {
            robot_joint* joint = &robot->joints[link->first_joint + k];
            bool last = k == link->joint_count - 1;
            int parent = link->parent >= 0 ? robot->links[link->parent].model : -1;
            robot->model_joint[count] = link->first_joint + k;
            joint->model = count;
            links[count] = (cairn_multibody_link){
                .parent = k == 0 ? parent : count - 1,
                .at = k == 0 ? link->at : cairn_transform_identity(),
                .mobility = joint->mobility,
                .axis = joint->axis,
                .anchor = joint->anchor,
                .mass = last ? link->mass : 0.0,
                .center = last ? link->center : cairn_vec(0.0, 0.0, 0.0),
                .inertia = last ? link->inertia : cairn_mat3_diagonal(0.0, 0.0, 0.0),
                .armature = joint->armature};
            count++;
        }

        link->model = count - 1;
    }
}

static bool reserve(cairn_robot* robot)
{
    xml_pool* pool = &robot->pool;
    size_t n = (size_t)robot->joint_count + 1;
    robot->model_joint = xml_take(pool, n * sizeof(int));
    robot->start_q = xml_take(pool, 7 * n * sizeof(double));
    robot->start_v = xml_take(pool, 6 * n * sizeof(double));
    robot->poses = xml_take(pool, n * sizeof *robot->poses);
    robot->velocities = xml_take(pool, n * sizeof *robot->velocities);
    robot->spins = xml_take(pool, n * sizeof *robot->spins);
    return robot->model_joint && robot->start_q && robot->start_v && robot->poses &&
           robot->velocities && robot->spins;
}

// ---------------------------------------------------------------- the start

static bool has_one(const robot_joint* joint)
{
    return joint->mobility == CAIRN_MOBILITY_HINGE || joint->mobility == CAIRN_MOBILITY_SLIDE;
}

// a keyframe has the numbers of all joints in their order
static void take_key(cairn_robot* robot)
{
    size_t nq = (size_t)cairn_multibody_q_count(robot->model);
    size_t nv = (size_t)cairn_multibody_v_count(robot->model);
    if (robot->key_q)
        memcpy(robot->start_q, robot->key_q, nq * sizeof(double));
    if (robot->key_v)
        memcpy(robot->start_v, robot->key_v, nv * sizeof(double));
    for (int i = 0; i < robot->joint_count && robot->key_q; i++) {
        robot_joint* joint = &robot->joints[i];
        if (has_one(joint))
            joint->start =
                robot->key_q[cairn_multibody_q_offset(robot->model, joint->model)] - joint->ref;
    }
}

// joints stand at zero, or where their limits are nearest to it, or where a keyframe has them
static void set_start(cairn_robot* robot)
{
    for (int i = 0; i < robot->joint_count; i++) {
        robot_joint* joint = &robot->joints[i];
        if (joint->limited)
            joint->start = fmin(fmax(joint->start, joint->lo), joint->hi);
    }

    // followers start where their leaders have them
    for (int i = 0; i < robot->tie_count; i++) {
        const robot_tie* tie = &robot->ties[i];
        if (tie->kind == ROBOT_COUPLE)
            robot->joints[tie->a].start = tie->offset + tie->ratio * robot->joints[tie->b].start;
    }

    cairn_multibody_zero(robot->model, robot->start_q);
    if (robot->key)
        take_key(robot);

    for (int i = 0; i < robot->joint_count; i++) {
        const robot_joint* joint = &robot->joints[i];
        if (has_one(joint))
            robot->start_q[cairn_multibody_q_offset(robot->model, joint->model)] = joint->start;
    }
}

static void place(robot_reader* r)
{
    cairn_robot* robot = r->robot;
    cairn_error error = {""};
    cairn_status status =
        cairn_multibody_kinematics(robot->model, robot->start_q, robot->start_v, robot->poses,
                                   robot->velocities, robot->spins, &error);
    if (status != CAIRN_OK)
        robot_blame(r, robot->root, status, &error);
}

// raises a free root so that the lowest shape stands on the floor
static void raise(robot_reader* r)
{
    cairn_robot* robot = r->robot;
    double lowest = INFINITY;

    for (int i = 0; i < robot->geom_count && robot_ok(r); i++) {
        const robot_geom* geom = &robot->geoms[i];
        const robot_link* link = &robot->links[geom->link];
        cairn_shape shape;
        cairn_hull* hull;
        if (link->body < 0 || !geom->collides)
            continue;

        cairn_transform X = robot->poses[robot->links[link->body].model];
        if (robot_shape(r, geom, link->from, &shape, &hull))
            lowest =
                fmin(lowest, cairn_shape_aabb(&shape, cairn_transform_multiply(X, geom->at)).lo.z);
        cairn_hull_destroy(hull);
    }

    if (!isfinite(lowest))
        return;

    robot->start_q[2] -= lowest;
    place(r);
}

void robot_make_model(robot_reader* r)
{
    cairn_robot* robot = r->robot;

    // links become bodies, bodies become a multibody
    find_bodies(robot);
    cairn_multibody_link* links =
        xml_take(&robot->pool, (size_t)(robot->joint_count + 1) * sizeof *links);
    if (!links || !reserve(robot)) {
        robot_starve(r);
        return;
    }

    fill_model(r, links);
    cairn_error error = {""};
    cairn_status status = CAIRN_OK;
    if (robot_ok(r))
        status = cairn_multibody_create(links, robot->joint_count, robot->gravity, &robot->model,
                                        &error);

    if (status != CAIRN_OK)
        robot_blame(r, robot->root, status, &error);
    if (!robot_ok(r))
        return;

    // the start: coordinates, poses, height above the floor, couplers
    set_start(robot);
    place(r);
    if (robot->floor && robot_ok(r))
        raise(r);
    if (robot_ok(r))
        robot_couple_joints(r);
}
