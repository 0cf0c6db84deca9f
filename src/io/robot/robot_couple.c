// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints that follow other joints, q_a = offset + ratio q_b, made of screws. A screw couples how
// far one body is along an axis of another with how far it has turned about it, z = c φ, and so two
// joints whose axes are parallel:
//
//     a slide and a hinge           one screw between what they move
//     two slides, two hinges        as a vise with threads of two pitches: a light rotor that turns about
//                                   the axis, or a light slide along it, and a screw to each of them
//
// when they have the same parent (the joints are siblings), or when one moves the parent of the
// other (a chain: the screw is then against the parent of both). Other pairs meet through a third
// joint that follows the same one. What stands between weighs a thousandth of the link and is not
// pulled down.

#include "io/robot/robot.h"
#include <string.h>

static const double light_share = 1e-3, parallel = 1.0 - 1e-9;

/// Two joints of which the second leads: the way of one is `ratio` times that of the other.
typedef struct couple {
    const robot_joint *a, *b;
    double ratio; ///< of q_a to q_b, where b's axis is turned to that of a
    int parent_a, parent_b;
    cairn_vec3 axis, at_a, at_b; ///< world, at the start
} couple;

static bool is_slide(const robot_joint* joint)
{
    return joint->mobility == CAIRN_MOBILITY_SLIDE;
}

static bool has_one_coordinate(const robot_joint* joint)
{
    return is_slide(joint) || joint->mobility == CAIRN_MOBILITY_HINGE;
}

static cairn_vec3 axis_of(const cairn_robot* robot, const robot_joint* joint)
{
    return cairn_normalize(cairn_rotate(robot->poses[joint->model].q, joint->axis));
}

// whether screws can hold q_a = ratio q_b
static bool find_couple(const cairn_robot* robot, const robot_joint* a, const robot_joint* b,
                        double ratio, couple* c)
{
    if (!has_one_coordinate(a) || !has_one_coordinate(b) || a == b)
        return false;
    *c = (couple){.a = a,
                  .b = b,
                  .parent_a = cairn_multibody_get(robot->model, a->model).parent,
                  .parent_b = cairn_multibody_get(robot->model, b->model).parent,
                  .axis = axis_of(robot, a),
                  .at_a = cairn_transform_point(robot->poses[a->model], a->anchor),
                  .at_b = cairn_transform_point(robot->poses[b->model], b->anchor)};
    double cosine = cairn_dot(c->axis, axis_of(robot, b));
    c->ratio = cosine < 0.0 ? -ratio : ratio;
    return fabs(cosine) > parallel && fabs(ratio) >= 1e-3 && fabs(ratio) <= 1e3 &&
           (c->parent_a == c->parent_b || c->parent_a == b->model);
}

// if the follower comes first in the chain, the roles are exchanged
static bool find_either(const cairn_robot* robot, const robot_joint* a, const robot_joint* b,
                        double ratio, couple* c)
{
    return ratio != 0.0 &&
           (find_couple(robot, a, b, ratio, c) || find_couple(robot, b, a, 1.0 / ratio, c));
}

// ---------------------------------------------------------------- screws

static void add_screw(robot_coupler* k, int a, int b, cairn_vec3 at, double ratio)
{
    k->screws[k->screw_count++] = (robot_screw){.a = a, .b = b, .at = at, .ratio = ratio};
}

// a slide and a hinge: one screw between the bodies that slide and turn, or to the chain's parent
static void couple_unlike(robot_coupler* k, const couple* c)
{
    bool chain = c->parent_a == c->b->model;
    double ratio = is_slide(c->a) ? c->ratio : 1.0 / c->ratio;
    cairn_vec3 at = is_slide(c->a) ? c->at_b : c->at_a;
    add_screw(k, chain ? c->parent_b : c->b->model, c->a->model, at, chain ? ratio : -ratio);
}

// two of a kind, with length l: the coupler's coordinate is s = l q_a of hinges and s = -q_a / l of
// slides; each screw says so of its joint
static void couple_like(robot_coupler* k, const couple* c, const cairn_robot* robot)
{
    // l is a radius of gyration: it makes the coupler's inertia comparable to the link's
    const robot_link* link = &robot->links[c->a->link];
    const cairn_mat3* I = &link->inertia;
    double l = sqrt((I->cx.x + I->cy.y + I->cz.z) / (2.0 * link->mass));
    bool chain = c->parent_a == c->b->model, slide = is_slide(c->a);

    l = fmin(fmax(l, 1e-4), 1e4);

    // the coupler is a light body on the parent of A, which moves along or about A's axis
    k->made = true;
    k->carrier = c->parent_a;
    k->turns = slide;
    k->joint = (int)(c->a - robot->joints);
    k->rate = slide ? -1.0 / l : l;
    k->mass = light_share * link->mass;
    k->inertia = k->mass * l * l;
    k->pose = (cairn_transform){c->at_a, cairn_quat_identity()};

    // slides: q_a = l φ with φ = -s; hinges: the way of A against the coupler is -s = -l q_a
    double own = slide ? l : -l, other = slide ? l / c->ratio : -l * c->ratio;
    add_screw(k, robot_own, c->a->model, c->at_a, own);
    if (chain)
        add_screw(k, c->parent_b, robot_own, slide ? c->at_a : c->at_b, -other);
    else
        add_screw(k, robot_own, c->b->model, slide ? c->at_a : c->at_b, other);
}

// ---------------------------------------------------------------- ties

// couples directly, or through another joint that follows the same leader
static bool find_way(const cairn_robot* robot, const robot_tie* tie, couple* c)
{
    const robot_joint *a = &robot->joints[tie->a], *b = &robot->joints[tie->b];
    if (find_either(robot, a, b, tie->ratio, c))
        return true;
    for (int i = 0; i < robot->tie_count; i++) {
        const robot_tie* other = &robot->ties[i];
        couple direct;
        if (other->kind != ROBOT_COUPLE || other == tie || other->b != tie->b)
            continue;
        const robot_joint* through = &robot->joints[other->a];
        if (find_either(robot, through, b, other->ratio, &direct) &&
            find_either(robot, a, through, tie->ratio / other->ratio, c))
            return true;
    }
    return false;
}

void robot_couple_joints(robot_reader* r)
{
    cairn_robot* robot = r->robot;

    robot->couplers =
        xml_take(&robot->pool, (size_t)(robot->tie_count + 1) * sizeof *robot->couplers);
    if (!robot->couplers) {
        robot_starve(r);
        return;
    }

    for (int i = 0; i < robot->tie_count && robot_ok(r); i++) {
        const robot_tie* tie = &robot->ties[i];
        couple c;
        if (tie->kind != ROBOT_COUPLE || !find_way(robot, tie, &c))
            continue;

        // joints of a kind need a body between them, a hinge and a slide a single screw
        robot_coupler* k = &robot->couplers[robot->coupler_count++];
        *k = (robot_coupler){.tie = i, .axis = c.axis};
        k->name = robot_print(r, "%.60s~follower", robot->joints[tie->a].name);
        if (is_slide(c.a) == is_slide(c.b))
            couple_like(k, &c, robot);
        else
            couple_unlike(k, &c);
    }
}

robot_motion robot_move_coupler(const cairn_robot* robot, const robot_coupler* k,
                                const robot_motions* links, const double* q, const double* v)
{
    const robot_joint* joint = &robot->joints[k->joint];
    double s = k->rate * (q[cairn_multibody_q_offset(robot->model, joint->model)] - joint->start);
    double rate = v ? k->rate * v[cairn_multibody_v_offset(robot->model, joint->model)] : 0.0;
    cairn_vec3 way = cairn_scale(s, k->axis), axis = k->axis;

    // its own motion, along or about its axis
    robot_motion m = {.pose = k->pose};
    if (k->turns)
        m.pose.q = cairn_quat_multiply(cairn_quat_from_rotation_vector(way), m.pose.q);
    else
        m.pose.p = cairn_add(m.pose.p, way);

    // and where its carrier has taken it since
    if (k->carrier >= 0) {
        cairn_vec3 center = cairn_multibody_get(robot->model, k->carrier).center;
        cairn_transform was = robot->poses[k->carrier], is = links->poses[k->carrier];
        m.pose = cairn_transform_multiply(is, cairn_transform_relative(was, m.pose));
        m.spin = links->spins[k->carrier];
        axis = cairn_rotate(is.q, cairn_rotate_back(was.q, axis));
        cairn_vec3 arm = cairn_sub(m.pose.p, cairn_transform_point(is, center));
        m.velocity = cairn_add(links->velocities[k->carrier], cairn_cross(m.spin, arm));
    }

    cairn_vec3* moved = k->turns ? &m.spin : &m.velocity;
    *moved = cairn_add(*moved, cairn_scale(rate, axis));
    return m;
}
