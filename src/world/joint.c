// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints: making, removing and reading them. Where they are and what they hold is in joint_place.c.

#include "math/accept.h"
#include "world/alerts.h"
#include "world/sleep/sleep.h"
#include <cairn/joint.h>
#include <float.h>

cairn_joint_def cairn_default_joint_def(cairn_joint_kind kind)
{
    return (cairn_joint_def){.cookie = cairn_cookie,
                             .kind = kind,
                             .frame_a = cairn_transform_identity(),
                             .frame_b = cairn_transform_identity(),
                             .ratio = 1.0};
}

// ---------------------------------------------------------------- making and removing

cairn_link* cairn_world_link(const cairn_world* world, cairn_joint_id id, cairn_error* error)
{
    if (cairn_world_may_read(world, error) != CAIRN_OK)
        return NULL;
    if (id.generation != 0 && id.index >= 0 && id.index < world->link_count) {
        cairn_link* link = &world->links[id.index];
        if (link->alive && link->generation == id.generation)
            return link;
    }
    cairn_fail(error, CAIRN_BAD_INPUT,
               "joint %d (generation %u) is not in this world: it was removed or never added",
               (int)id.index, (unsigned)id.generation);
    return NULL;
}

bool cairn_joint_has_coordinate(cairn_joint_kind kind)
{
    return (kind <= CAIRN_JOINT_DISTANCE && kind != CAIRN_JOINT_FIXED) || kind >= CAIRN_JOINT_WHEEL;
}

// whether the free coordinate can lie within the limits: a swing is in 0 .. π, a distance >= 0
static bool can_be_kept(const cairn_joint_def* def)
{
    bool length = def->kind == CAIRN_JOINT_BALL || def->kind == CAIRN_JOINT_DISTANCE ||
                  (def->kind == CAIRN_JOINT_PULLEY && def->ratio > 0.0);
    double least = length ? 0.0 : -DBL_MAX;
    double most = def->kind == CAIRN_JOINT_BALL ? 3.141592653589793 : DBL_MAX;
    return !def->limited || (def->lo <= def->hi && def->lo <= most && def->hi >= least);
}

cairn_status cairn_joint_check_limits(const cairn_joint_def* def, cairn_error* error)
{
    if (can_be_kept(def))
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_BAD_INPUT,
                      "the joint's limits are %g and %g, expected lo <= hi%s", def->lo, def->hi,
                      def->kind == CAIRN_JOINT_BALL ? " within 0 .. π"
                      : def->kind == CAIRN_JOINT_DISTANCE || def->kind == CAIRN_JOINT_PULLEY
                          ? " and hi >= 0"
                          : "");
}

static cairn_status check_numbers(const cairn_joint_def* def, cairn_error* error)
{
    const cairn_given numbers[] = {
        {"the joint's stiffness", def->stiffness, CAIRN_A_STIFFNESS},
        {"the joint's damping", def->damping, CAIRN_A_STIFFNESS},
        {"the joint's strength", def->strength, CAIRN_A_STRENGTH},
        {"the joint's speed", def->speed, CAIRN_A_VELOCITY},
        {"the joint's rest", def->rest, CAIRN_A_COORDINATE},
        {"the joint's break force", def->break_force, CAIRN_A_STRENGTH},
        {"the joint's break torque", def->break_torque, CAIRN_A_STRENGTH},
        {"the joint's ratio", def->ratio, CAIRN_A_RATIO},
        {"the joint's lower limit", def->limited ? def->lo : 0.0, CAIRN_A_LIMIT},
        {"the joint's upper limit", def->limited ? def->hi : 0.0, CAIRN_A_LIMIT},
    };

    cairn_status status =
        cairn_accept_pose(error, "a coordinate of the joint's frame_a", def->frame_a);
    if (status == CAIRN_OK)
        status = cairn_accept_pose(error, "a coordinate of the joint's frame_b", def->frame_b);
    if (status == CAIRN_OK)
        status = cairn_accept_all(error, numbers, (int)(sizeof numbers / sizeof numbers[0]));
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the joint's anchor_a", def->anchor_a, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the joint's anchor_b", def->anchor_b, CAIRN_A_COORDINATE);
    return status;
}

static cairn_status check_def(const cairn_joint_def* def, cairn_error* error)
{
    cairn_status status = cairn_accept_def(error, def->cookie, "cairn_default_joint_def");
    if (status == CAIRN_OK)
        status = check_numbers(def, error);

    if (status != CAIRN_OK)
        return status;

    status = cairn_joint_check_limits(def, error);
    if (status != CAIRN_OK)
        return status;

    if ((unsigned)def->kind >= CAIRN_JOINT_KIND_COUNT)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d is not a kind of joint", (int)def->kind);

    // three ways and three turns: six bits
    if ((def->kind == CAIRN_JOINT_LOCKS) != (def->locks != 0) || def->locks > 63u)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the joint's locks are %u, expected 1 to 63 for a joint of locks, else 0",
                          def->locks);

    if (def->servo && def->driven)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the joint has a motor and a servo, expected one");

    if (!cairn_joint_has_coordinate(def->kind) &&
        (def->limited || def->driven || def->servo || def->stiffness + def->damping > 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "fixed joints, gears, racks, screws and joints on surfaces take no "
                          "limits, motors and springs");

    return cairn_link_check_surface(def, error);
}

// room for one more joint
static bool reserve_link(cairn_world* world)
{
    if (world->link_free > 0 || world->link_count < world->link_capacity)
        return true;
    int capacity = world->link_capacity ? 2 * world->link_capacity : 16;
    cairn_link* links = realloc(world->links, (size_t)capacity * sizeof(cairn_link));
    if (!links)
        return false;
    world->links = links;
    world->link_capacity = capacity;
    return true;
}

// a slot, for which there is room: the first dead one, or one more
static int take_slot(cairn_world* world)
{
    for (int i = 0; i < world->link_count && world->link_free > 0; i++)
        if (!world->links[i].alive) {
            world->link_free--;
            return i;
        }
    world->links[world->link_count].generation = 0;
    return world->link_count++;
}

// keeps the two bodies of a joint from colliding, or lets them
static bool exclude(cairn_world* world, const cairn_link* link, bool excluded)
{
    if (link->a == CAIRN_WORLD_BODY)
        return true;
    int a = world->bodies[link->a].proxy, b = world->bodies[link->b].proxy;
    return a < 0 || b < 0 || cairn_broad_exclude(world->broad, a, b, excluded) == CAIRN_OK;
}

bool cairn_world_joint_excludes(const cairn_world* world, int a, int b)
{
    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        bool between = (link->a == a && link->b == b) || (link->a == b && link->b == a);
        if (link->alive && !link->collide && between)
            return true;
    }
    return false;
}

void cairn_link_wake(cairn_world* world, const cairn_link* link)
{
    cairn_world_wake(world, link->b);
    if (link->a != CAIRN_WORLD_BODY)
        cairn_world_wake(world, link->a);
}

// the bodies collide again unless another joint keeps them from it
void cairn_link_remove(cairn_world* world, cairn_link* link)
{
    cairn_link_wake(world, link);
    link->alive = false;
    world->link_free++;
    if (!cairn_world_joint_excludes(world, link->a, link->b))
        exclude(world, link, false);
}

// joint frame -> principal frame of a body
static cairn_transform in_body(const cairn_body* body, cairn_transform frame)
{
    frame.q = cairn_quat_normalize(frame.q);
    return cairn_transform_relative(body->principal, frame);
}

// Whether the axes of a joint that keeps them perpendicular are parallel. No turn brings them nearer to
// where they belong then: d(z_A·z_B) = (z_A × z_B)·dθ = 0.
static bool is_stuck(cairn_joint_kind kind, const cairn_link_place* start)
{
    const double least = 1e-6; // rad
    bool square = kind == CAIRN_JOINT_UNIVERSAL || kind == CAIRN_JOINT_WHEEL;
    return square && cairn_norm(cairn_cross(start->axes_a.cz, start->axes_b.cz)) < least;
}

cairn_status cairn_world_add_joint(cairn_world* world, const cairn_joint_def* def,
                                   cairn_joint_id* id, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!def || !id)
        return cairn_refuse_null(error, "the joint's def or the place for its id");

    status = check_def(def, error);
    if (status != CAIRN_OK)
        return status;

    // two bodies, or one and the world
    cairn_body* b = cairn_world_body(world, def->body_b, error);
    cairn_body* a = NULL;
    if (!b)
        return CAIRN_BAD_INPUT;
    if (def->body_a.generation != 0 && !(a = cairn_world_body(world, def->body_a, error)))
        return CAIRN_BAD_INPUT;
    if (a == b)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the joint's two bodies are the same");
    if (!a && def->kind == CAIRN_JOINT_PULLEY)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "a pulley has two bodies, and its body_a is the world");

    // the joint in the principal frames of its bodies
    cairn_link link = {
        .alive = true,
        .kind = def->kind,
        .a = a ? def->body_a.index : CAIRN_WORLD_BODY,
        .b = def->body_b.index,
        .frame_a = a ? in_body(a, def->frame_a)
                     : (cairn_transform){def->frame_a.p, cairn_quat_normalize(def->frame_a.q)},
        .frame_b = in_body(b, def->frame_b),
        .collide = def->collide,
        .ratio = def->ratio,
        .locks = def->locks,
        .anchor_a = def->anchor_a,
        .anchor_b = def->anchor_b,
        .surface = def->surface,
        .radius = def->radius,
        .tube = def->tube,
        .roller = def->roller,
        .wheel = def->wheel,
        .side = 1.0,
        .limited = def->limited,
        .driven = def->driven,
        .lo = def->lo,
        .hi = def->hi,
        .speed = def->speed,
        .strength = def->strength,
        .stiffness = def->stiffness,
        .damping = def->damping,
        .rest = def->rest,
        .servo = {def->servo, def->rest, def->stiffness, def->damping, def->strength},
        .break_force = def->break_force,
        .break_torque = def->break_torque,
        .user = def->user};

    cairn_link_start_surface(&link, world);
    cairn_link_place start = cairn_link_where(world, &link);
    if (is_stuck(link.kind, &start))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the z axes of the joint's frames are parallel, expected perpendicular");
    link.turns = start.coordinate;
    link.length = cairn_link_start_length(&link, &start);

    // take the memory first: nothing can fail after that
    bool breakable = link.break_force > 0.0 || link.break_torque > 0.0;
    if ((breakable && !cairn_world_alerts(world)) || !reserve_link(world) ||
        (!link.collide && !exclude(world, &link, true)))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for another joint");

    int index = take_slot(world);
    link.generation = world->links[index].generation + 1;
    world->links[index] = link;

    cairn_link_wake(world, &link);
    *id = (cairn_joint_id){index, link.generation};
    return CAIRN_OK;
}

cairn_status cairn_world_remove_joint(cairn_world* world, cairn_joint_id id, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_link* link = cairn_world_link(world, id, error);
    if (!link)
        return CAIRN_BAD_INPUT;
    cairn_link_remove(world, link);
    return CAIRN_OK;
}

void cairn_world_remove_links_of(cairn_world* world, int body)
{
    for (int i = 0; i < world->link_count; i++) {
        cairn_link* link = &world->links[i];
        if (link->alive && (link->a == body || link->b == body))
            cairn_link_remove(world, link);
    }
}

// the position error of a joint (m); rows that only turn do not count
static double gap_at(const cairn_link* link, const cairn_link_place* place)
{
    cairn_row rows[6];
    double C[6], sum = 0.0;
    int count = cairn_link_rows(rows, link, place);
    cairn_link_errors(C, link, place, rows, count);
    for (int i = 0; i < count; i++)
        if (rows[i].b[0] != 0.0 || rows[i].b[1] != 0.0 || rows[i].b[2] != 0.0)
            sum += C[i] * C[i];
    return sqrt(sum);
}

double cairn_link_gap(const cairn_world* world, const cairn_link* link)
{
    if (link->kind == CAIRN_JOINT_BALL)
        return cairn_norm(cairn_link_points_of(world, link).apart);
    cairn_link_place place = cairn_link_where(world, link);
    return gap_at(link, &place);
}

cairn_status cairn_joint_get(const cairn_world* world, cairn_joint_id id, cairn_joint_state* state,
                             cairn_error* error)
{
    const cairn_link* link = cairn_world_link(world, id, error);
    if (!link)
        return CAIRN_BAD_INPUT;

    if (!state)
        return cairn_refuse_null(error, "the place for the joint's state");

    cairn_link_place place = cairn_link_where(world, link);
    bool free = cairn_joint_has_coordinate(link->kind);
    *state = (cairn_joint_state){.coordinate = free ? place.coordinate : 0.0,
                                 .error = gap_at(link, &place),
                                 .impulse = link->impulse,
                                 .twist = link->twist,
                                 .user = link->user};
    return CAIRN_OK;
}

cairn_status cairn_joint_set_motor(cairn_world* world, cairn_joint_id id, double speed,
                                   double strength, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    cairn_link* link = cairn_world_link(world, id, error);
    if (!link)
        return CAIRN_BAD_INPUT;

    const cairn_given numbers[] = {{"the motor's speed", speed, CAIRN_A_VELOCITY},
                                   {"the motor's strength", strength, CAIRN_A_STRENGTH}};
    status = cairn_accept_all(error, numbers, 2);
    if (status != CAIRN_OK)
        return status;

    if (!cairn_joint_has_coordinate(link->kind))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "joint %d takes no motor: it is a fixed one, a gear, or on a surface",
                          (int)id.index);

    cairn_link_wake(world, link);

    // the spring of a servo goes with it
    if (link->servo.on)
        link->stiffness = link->damping = 0.0;
    link->servo.on = false;

    link->driven = true;
    link->speed = speed;
    link->strength = strength;
    return CAIRN_OK;
}
