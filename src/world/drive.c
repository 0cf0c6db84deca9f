// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints while the world runs. A servo with stiffness k, damping c and strength F on a
// coordinate x is
//
//     f = -k (x - x0) - c x',  |f| <= F.
//
// Where a step of dt seconds begins, f in its middle, at the present speed, decides what it is: up
// to F the implicit spring of the joint, beyond it a motor of strength F and of the speed
//
//     s = -k (x - x0) / (c + dt k),
//
// which is the one at which the implicit spring would cease to pull: x + dt s lies between x and
// x0, so that no step pushes beyond.

#include "math/accept.h"
#include "world/alerts.h"
#include "world/sleep/sleep.h"
#include <cairn/drive.h>

// the rate of the free coordinate; 0 where there is none
static double speed_of(const cairn_world* world, const cairn_link* link,
                       const cairn_link_place* place)
{
    cairn_row row = {{0.0}, {0.0}};
    if (!cairn_link_free_row(&row, link, place))
        return 0.0;
    return cairn_link_velocity(&row, world, link);
}

void cairn_world_aim_servos(cairn_world* world, double dt)
{
    for (int i = 0; i < world->link_count; i++) {
        cairn_link* link = &world->links[i];
        const cairn_servo* servo = &link->servo;
        if (!servo->on || !link->alive || !cairn_link_active(world, link))
            continue;

        cairn_link_place place = cairn_link_where(world, link);
        double k = servo->stiffness, c = servo->damping, way = place.coordinate - servo->target;
        double speed = speed_of(world, link, &place);

        // the force in the middle of the step decides between spring and motor
        double f = -k * (way + 0.5 * dt * speed) - c * speed;
        link->driven = fabs(f) > servo->strength;
        link->strength = servo->strength;

        link->speed = link->driven ? -k * way / (c + dt * k) : 0.0;
        link->stiffness = link->driven ? 0.0 : k;
        link->damping = link->driven ? 0.0 : c;

        link->rest = servo->target;
    }
}

// ---------------------------------------------------------------- changes

static cairn_status find(cairn_link** link, cairn_world* world, cairn_joint_id id,
                         cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    *link = cairn_world_link(world, id, error);
    return *link ? CAIRN_OK : CAIRN_BAD_INPUT;
}

static cairn_status find_free(cairn_link** link, cairn_world* world, cairn_joint_id id,
                              cairn_error* error)
{
    cairn_status status = find(link, world, id, error);
    if (status == CAIRN_OK && !cairn_joint_has_coordinate((*link)->kind))
        return cairn_fail(
            error, CAIRN_BAD_INPUT,
            "joint %d has no free coordinate: it is a fixed one, a gear, or on a surface",
            (int)id.index);
    return status;
}

cairn_status cairn_joint_set_limits(cairn_world* world, cairn_joint_id id, double lo, double hi,
                                    cairn_error* error)
{
    cairn_link* link;
    const cairn_given numbers[] = {{"the lower limit", lo, CAIRN_A_LIMIT},
                                   {"the upper limit", hi, CAIRN_A_LIMIT}};
    cairn_status status = cairn_accept_all(error, numbers, 2);
    if (status == CAIRN_OK)
        status = find_free(&link, world, id, error);
    if (status != CAIRN_OK)
        return status;

    bool limited = lo > -INFINITY || hi < INFINITY;
    cairn_joint_def def = {.kind = link->kind, .limited = limited, .lo = lo, .hi = hi};
    status = cairn_joint_check_limits(&def, error);
    if (status != CAIRN_OK)
        return status;

    // a joint that does not change leaves its bodies asleep
    if (limited != link->limited || lo != link->lo || hi != link->hi)
        cairn_link_wake(world, link);

    link->limited = limited;
    link->lo = lo;
    link->hi = hi;
    return CAIRN_OK;
}

// the numbers of a spring or a servo
static cairn_status check_spring(double stiffness, double damping, double rest, cairn_error* error)
{
    const cairn_given numbers[] = {{"the stiffness", stiffness, CAIRN_A_STIFFNESS},
                                   {"the damping", damping, CAIRN_A_STIFFNESS},
                                   {"the rest or target", rest, CAIRN_A_COORDINATE}};
    return cairn_accept_all(error, numbers, 3);
}

cairn_status cairn_joint_set_spring(cairn_world* world, cairn_joint_id id, double stiffness,
                                    double damping, double rest, cairn_error* error)
{
    cairn_link* link;
    cairn_status status = check_spring(stiffness, damping, rest, error);
    if (status == CAIRN_OK)
        status = find_free(&link, world, id, error);
    if (status != CAIRN_OK)
        return status;

    if (link->servo.on || stiffness != link->stiffness || damping != link->damping ||
        rest != link->rest)
        cairn_link_wake(world, link);

    // a servo that was a motor in its last step stops being one
    if (link->servo.on)
        link->driven = false;
    link->servo.on = false;

    link->stiffness = stiffness;
    link->damping = damping;
    link->rest = rest;
    return CAIRN_OK;
}

cairn_status cairn_joint_set_servo(cairn_world* world, cairn_joint_id id, double target,
                                   double stiffness, double damping, double strength,
                                   cairn_error* error)
{
    cairn_link* link;
    cairn_status status = check_spring(stiffness, damping, target, error);
    if (status == CAIRN_OK)
        status = cairn_accept(error, "the servo's strength", strength, CAIRN_A_STRENGTH);
    if (status == CAIRN_OK)
        status = find_free(&link, world, id, error);
    if (status != CAIRN_OK)
        return status;

    const cairn_servo* old = &link->servo;
    if (!old->on || old->target != target || old->stiffness != stiffness ||
        old->damping != damping || old->strength != strength)
        cairn_link_wake(world, link);

    link->servo = (cairn_servo){true, target, stiffness, damping, strength};
    return CAIRN_OK;
}

cairn_status cairn_joint_set_break(cairn_world* world, cairn_joint_id id, double force,
                                   double torque, cairn_error* error)
{
    cairn_link* link;
    const cairn_given numbers[] = {{"the break force", force, CAIRN_A_STRENGTH},
                                   {"the break torque", torque, CAIRN_A_STRENGTH}};
    cairn_status status = cairn_accept_all(error, numbers, 2);
    if (status == CAIRN_OK)
        status = find(&link, world, id, error);
    if (status != CAIRN_OK)
        return status;

    if (!cairn_world_alerts(world))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to watch a joint");

    // the load of a joint whose bodies sleep is judged again by the next step
    if (force != link->break_force || torque != link->break_torque)
        cairn_link_wake(world, link);

    link->break_force = force;
    link->break_torque = torque;
    return CAIRN_OK;
}

cairn_status cairn_joint_set_user(cairn_world* world, cairn_joint_id id, void* user,
                                  cairn_error* error)
{
    cairn_link* link;
    cairn_status status = find(&link, world, id, error);
    if (status == CAIRN_OK)
        link->user = user;
    return status;
}

cairn_status cairn_body_lock(cairn_world* world, cairn_body_id id, unsigned locks,
                             cairn_joint_id* joint, cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_LOCKS);
    def.body_b = id;
    def.locks = locks;
    def.frame_a.p = body->x;
    def.frame_b = cairn_transform_relative(cairn_body_pose(body), def.frame_a);
    return cairn_world_add_joint(world, &def, joint, error);
}

// a frame whose z axis is the axis k of another one
static cairn_transform turned_frame(cairn_transform frame, int k)
{
    static const cairn_quat turns[3] = {
        {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}, {1.0, 0.0, 0.0, 0.0}};
    frame.q = cairn_quat_multiply(cairn_quat_normalize(frame.q), turns[k]);
    return frame;
}

// the spring k of a bushing: x, y, z, then the turns about them
static cairn_joint_def spring_of(const cairn_bushing* bushing, int k)
{
    cairn_joint_def def = cairn_default_joint_def(k < 3 ? CAIRN_JOINT_ALONG : CAIRN_JOINT_TWIST);
    def.body_a = bushing->body_a;
    def.body_b = bushing->body_b;
    def.frame_a = turned_frame(bushing->frame_a, k % 3);
    def.frame_b = turned_frame(bushing->frame_b, k % 3);
    def.stiffness = bushing->stiffness[k];
    def.damping = bushing->damping[k];
    def.collide = bushing->collide;
    return def;
}

cairn_status cairn_world_add_bushing(cairn_world* world, const cairn_bushing* bushing,
                                     cairn_joint_id* joints, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!bushing || !joints)
        return cairn_refuse_null(error, "the bushing or the place for its joints");

    status = cairn_accept_pose(error, "a coordinate of the bushing's frame_a", bushing->frame_a);
    if (status == CAIRN_OK)
        status =
            cairn_accept_pose(error, "a coordinate of the bushing's frame_b", bushing->frame_b);

    for (int k = 0; k < 6 && status == CAIRN_OK; k++) {
        const cairn_given numbers[] = {
            {"a stiffness of the bushing", bushing->stiffness[k], CAIRN_A_STIFFNESS},
            {"a damping of the bushing", bushing->damping[k], CAIRN_A_STIFFNESS}};
        status = cairn_accept_all(error, numbers, 2);
    }

    // one joint for each spring; all or none
    cairn_joint_id made[6] = {{0}};
    bool some = false;
    for (int k = 0; k < 6 && status == CAIRN_OK; k++) {
        cairn_joint_def def = spring_of(bushing, k);
        if (def.stiffness == 0.0 && def.damping == 0.0)
            continue;
        some = true;
        status = cairn_world_add_joint(world, &def, &made[k], error);
    }

    if (status == CAIRN_OK && !some)
        status = cairn_fail(error, CAIRN_BAD_INPUT, "the bushing has no stiffness and no damping");

    // all or none: what was made goes again
    for (int k = 5; k >= 0 && status != CAIRN_OK; k--)
        if (made[k].generation != 0)
            cairn_world_remove_joint(world, made[k], NULL);

    for (int k = 0; k < 6 && status == CAIRN_OK; k++)
        joints[k] = made[k];
    return status;
}

// ---------------------------------------------------------------- reading

// the velocity of a point of a body, or of the world, and its spin
static cairn_vec3 velocity_at(const cairn_body* body, cairn_vec3 r)
{
    cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
    return body ? cairn_add(body->v, cairn_cross(body->w, r)) : none;
}

cairn_status cairn_joint_get_motion(const cairn_world* world, cairn_joint_id id,
                                    cairn_joint_motion* motion, cairn_error* error)
{
    const cairn_link* link = cairn_world_link(world, id, error);
    if (!link)
        return CAIRN_BAD_INPUT;

    if (!motion)
        return cairn_refuse_null(error, "the place for the joint's motion");

    const cairn_body* b = &world->bodies[link->b];
    const cairn_body* a = link->a == CAIRN_WORLD_BODY ? NULL : &world->bodies[link->a];
    cairn_link_place place = cairn_link_where(world, link);
    cairn_link_points points = cairn_link_points_of(world, link);

    bool free = cairn_joint_has_coordinate(link->kind);
    *motion = (cairn_joint_motion){.coordinate = free ? place.coordinate : 0.0,
                                   .speed = speed_of(world, link, &place),
                                   .point = cairn_add(b->x, points.r_b)};

    // B's frame in A's: the point of A that is where B's is now, and A's axes, move with A
    cairn_vec3 lever = cairn_add(points.r_a, points.apart);
    cairn_vec3 slide = cairn_sub(velocity_at(b, points.r_b), velocity_at(a, lever));
    cairn_vec3 spin = a ? cairn_sub(b->w, a->w) : b->w;
    cairn_quat q_a = a ? cairn_quat_multiply(a->q, link->frame_a.q) : link->frame_a.q;
    cairn_quat q_b = cairn_quat_multiply(b->q, link->frame_b.q);
    motion->shift = cairn_rotate_back(q_a, points.apart);
    motion->turn =
        cairn_quat_to_rotation_vector(cairn_quat_multiply(cairn_quat_conjugate(q_a), q_b));
    motion->slide = cairn_rotate_back(q_a, slide);
    motion->spin = cairn_rotate_back(q_a, spin);

    // the forces of the last step
    double rate = world->dt > 0.0 ? 1.0 / world->dt : 0.0;
    cairn_vec3 turning = cairn_sub(link->twist, cairn_cross(points.r_b, link->impulse));
    motion->limit = rate * link->shares[0];
    motion->motor = rate * link->shares[1];
    motion->spring = rate * link->shares[2];
    motion->force = cairn_scale(rate, link->impulse);
    motion->torque = cairn_scale(rate, turning);
    return CAIRN_OK;
}
