// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints: making them, where they are, their rows and their position errors.

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

static const double least_upright = 1e-6; // 1 + a·b: axes that are opposite have no twist
static const double least_rope = 1e-9;    // m: a rope without length has no direction

// ---------------------------------------------------------------- places

// the angle of a direction about A's z axis, next to `near`
static double turn_of(double near, const cairn_link_place* p, cairn_vec3 direction)
{
    const double round_turn = 6.283185307179586;
    double angle =
        cairn_atan2(cairn_dot(p->axes_a.cy, direction), cairn_dot(p->axes_a.cx, direction));
    return angle + round_turn * round((near - angle) / round_turn);
}

// The twist φ of B about its z axis b against A, whose z axis is a: what is left of B's turn after the
// shortest one from a to b. It turns x_a to c = x_a - (x_a·b)/(1 + a·b) (a + b), and y_a to b x c.
static double twist_of(double near, const cairn_link_place* p)
{
    const double round_turn = 6.283185307179586;
    cairn_vec3 a = p->axes_a.cz, b = p->axes_b.cz, x = p->axes_a.cx;
    double upright = 1.0 + cairn_dot(a, b);
    if (!(upright > least_upright))
        return near;
    cairn_vec3 c = cairn_add_scaled(x, -cairn_dot(x, b) / upright, cairn_add(a, b));
    double angle =
        cairn_atan2(cairn_dot(p->axes_b.cx, cairn_cross(b, c)), cairn_dot(p->axes_b.cx, c));
    return angle + round_turn * round((near - angle) / round_turn);
}

// the rope of a pulley at B, from its anchor to B's point
static cairn_vec3 rope_of(const cairn_link* link, const cairn_link_place* p)
{
    return cairn_add(cairn_add(p->normal, p->apart), cairn_sub(link->anchor_a, link->anchor_b));
}

static double coordinate_at(const cairn_link* link, const cairn_link_place* p, double near)
{
    switch (link->kind) {
    case CAIRN_JOINT_BALL:
        return cairn_atan2(cairn_norm(cairn_cross(p->axes_a.cz, p->axes_b.cz)),
                           cairn_dot(p->axes_a.cz, p->axes_b.cz));
    case CAIRN_JOINT_HINGE:
        return turn_of(near, p, p->axes_b.cx);
    case CAIRN_JOINT_UNIVERSAL:
        return turn_of(near, p, p->axes_b.cz);
    case CAIRN_JOINT_AROUND:
    case CAIRN_JOINT_RACK:
        return turn_of(near, p, p->axes_b.cz);
    case CAIRN_JOINT_TWIST:
    case CAIRN_JOINT_SCREW:
        return twist_of(near, p);
    case CAIRN_JOINT_SLIDER:
    case CAIRN_JOINT_CYLINDRICAL:
    case CAIRN_JOINT_WHEEL:
    case CAIRN_JOINT_ALONG:
        return cairn_dot(p->axes_a.cz, p->apart);
    case CAIRN_JOINT_DISTANCE:
        return cairn_norm(p->apart);
    case CAIRN_JOINT_PULLEY:
        return cairn_norm(p->normal) + link->ratio * cairn_norm(rope_of(link, p));
    default:
        return 0.0;
    }
}

// What a rack or a screw keeps, with the angle φ that its coordinate is: z_b·d + R φ and z_a·d - p φ, d
// from the point of A to that of B. Their rows are the rates of these.
static double meshed(const cairn_link* link, const cairn_link_place* p)
{
    if (link->kind == CAIRN_JOINT_RACK)
        return cairn_dot(p->axes_b.cz, p->apart) + link->ratio * p->coordinate;
    return cairn_dot(p->axes_a.cz, p->apart) - link->ratio * p->coordinate;
}

static bool is_meshed(cairn_joint_kind kind)
{
    return kind == CAIRN_JOINT_RACK || kind == CAIRN_JOINT_SCREW;
}

cairn_link_place cairn_link_at(const cairn_link* link, cairn_transform a, cairn_transform b,
                               double near)
{
    cairn_transform fa = cairn_transform_multiply(a, link->frame_a);
    cairn_transform fb = cairn_transform_multiply(b, link->frame_b);
    cairn_link_place place = {.r_a = cairn_sub(fa.p, a.p),
                              .r_b = cairn_sub(fb.p, b.p),
                              .apart = cairn_sub(fb.p, fa.p),
                              .axes_a = cairn_quat_to_mat3(fa.q),
                              .axes_b = cairn_quat_to_mat3(fb.q)};
    if (link->kind == CAIRN_JOINT_PULLEY)
        place.normal = cairn_sub(fa.p, link->anchor_a);
    if (link->kind == CAIRN_JOINT_SURFACE || link->kind == CAIRN_JOINT_ROLLING)
        cairn_link_touch(&place, link);
    else
        place.coordinate = coordinate_at(link, &place, near);
    return place;
}

cairn_link_place cairn_link_where(const cairn_world* world, const cairn_link* link)
{
    cairn_transform a = cairn_transform_identity();
    const cairn_body* body = &world->bodies[link->b];
    if (link->a != CAIRN_WORLD_BODY)
        a = (cairn_transform){world->bodies[link->a].x, world->bodies[link->a].q};
    return cairn_link_at(link, a, (cairn_transform){body->x, body->q}, link->turns);
}

int cairn_link_most_rows(const cairn_link* link)
{
    static const int rows[] = {
        [CAIRN_JOINT_BALL] = 3,      [CAIRN_JOINT_HINGE] = 5,       [CAIRN_JOINT_SLIDER] = 5,
        [CAIRN_JOINT_UNIVERSAL] = 4, [CAIRN_JOINT_CYLINDRICAL] = 4, [CAIRN_JOINT_FIXED] = 6,
        [CAIRN_JOINT_DISTANCE] = 1,  [CAIRN_JOINT_GEAR] = 1,        [CAIRN_JOINT_SURFACE] = 1,
        [CAIRN_JOINT_ROLLING] = 3,   [CAIRN_JOINT_LOCKS] = 0,       [CAIRN_JOINT_RACK] = 1,
        [CAIRN_JOINT_SCREW] = 1,     [CAIRN_JOINT_WHEEL] = 3,       [CAIRN_JOINT_PULLEY] = 1,
        [CAIRN_JOINT_ALONG] = 0,     [CAIRN_JOINT_TWIST] = 0,       [CAIRN_JOINT_AROUND] = 0};
    int locked = 0;
    for (unsigned left = link->locks; left; left >>= 1)
        locked += (int)(left & 1u);
    return rows[link->kind] + locked;
}

static void store(double* to, cairn_vec3 linear, cairn_vec3 angular)
{
    const double x[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int k = 0; k < 6; k++)
        to[k] = x[k];
}

static void store_turning(cairn_row* row, cairn_vec3 axis)
{
    cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
    store(row->a, none, cairn_neg(axis));
    store(row->b, none, axis);
}

// along an axis that turns with A: the lever of A reaches to B's point
static void store_sliding(cairn_row* row, const cairn_link_place* p, cairn_vec3 axis)
{
    cairn_vec3 lever = cairn_cross(cairn_add(p->r_a, p->apart), axis);
    store(row->a, cairn_neg(axis), cairn_neg(lever));
    store(row->b, axis, cairn_cross(p->r_b, axis));
}

// Of the twist φ: dφ/dt = (w_B - w_A)·(a + b)/(1 + a·b). What turns about a or b twists, what swings a to b
// does not. False where the axes are opposite.
static bool twist_gradient(cairn_vec3* u, cairn_vec3 a, cairn_vec3 b)
{
    double upright = 1.0 + cairn_dot(a, b);
    if (upright > least_upright)
        *u = cairn_scale(1.0 / upright, cairn_add(a, b));
    return upright > least_upright;
}

// of the angle of b about a: dφ/dt = (w_B - w_A)·(a - (a·b) b)/(1 - (a·b)²)
static bool around_gradient(cairn_vec3* u, cairn_vec3 a, cairn_vec3 b)
{
    double c = cairn_dot(a, b), across = 1.0 - c * c;
    if (across > least_upright)
        *u = cairn_scale(1.0 / across, cairn_add_scaled(a, -c, b));
    return across > least_upright;
}

// one row for each axis that is locked
static int lock_rows(cairn_row* rows, unsigned locks, const cairn_link_place* p)
{
    const cairn_vec3 axes[3] = {p->axes_a.cx, p->axes_a.cy, p->axes_a.cz};
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (locks >> k & 1u)
            store_sliding(&rows[count++], p, axes[k]);
    for (int k = 0; k < 3; k++)
        if (locks >> (3 + k) & 1u)
            store_turning(&rows[count++], axes[k]);
    return count;
}

// Pinion A of pitch radius R about z_a and rack B along z_b: the rate of z_b·d + R φ, with φ the angle of
// z_b about z_a and u its gradient. Where both are square u = z_a, and at the pitch point, R z_b x z_a from
// the pinion's axis, both move alike along the rack. Forces and moments on A and B cancel.
static int rack_rows(cairn_row* row, double radius, const cairn_link_place* p)
{
    cairn_vec3 z = p->axes_b.cz, u;
    if (!around_gradient(&u, p->axes_a.cz, z))
        return 0;
    u = cairn_scale(radius, u);
    store(row->a, cairn_neg(z), cairn_neg(cairn_add(cairn_cross(p->r_a, z), u)));
    store(row->b, z, cairn_add(cairn_cross(cairn_sub(p->r_b, p->apart), z), u));
    return 1;
}

// the rate of z_a·d - pitch φ, with φ the twist of B
static int screw_rows(cairn_row* row, double pitch, const cairn_link_place* p)
{
    cairn_vec3 u;
    if (!twist_gradient(&u, p->axes_a.cz, p->axes_b.cz))
        return 0;
    const double x[3] = {u.x, u.y, u.z};
    store_sliding(row, p, p->axes_a.cz);
    for (int k = 0; k < 3; k++) {
        row->a[3 + k] += pitch * x[k];
        row->b[3 + k] -= pitch * x[k];
    }
    return 1;
}

// across A's z axis a, and d/dt (a·b) = (w_B - w_A)·(b x a) for the axle b
static int wheel_rows(cairn_row* rows, const cairn_link_place* p)
{
    cairn_cylindrical_rows(p->r_a, p->r_b, p->apart, p->axes_a.cz, rows);
    store_turning(&rows[2], cairn_normalize(cairn_cross(p->axes_b.cz, p->axes_a.cz)));
    return 3;
}

// d_A·v_A + ratio d_B·v_B of the points, along the ropes; none where a rope has no length
static int pulley_rows(cairn_row* row, const cairn_link* link, const cairn_link_place* p)
{
    cairn_vec3 a = p->normal, b = rope_of(link, p);
    double la = cairn_norm(a), lb = cairn_norm(b);
    if (!(la > least_rope && lb > least_rope))
        return 0;
    a = cairn_scale(1.0 / la, a);
    b = cairn_scale(link->ratio / lb, b);
    store(row->a, a, cairn_cross(p->r_a, a));
    store(row->b, b, cairn_cross(p->r_b, b));
    return 1;
}

int cairn_link_rows(cairn_row* rows, const cairn_link* link, const cairn_link_place* p)
{
    switch (link->kind) {
    case CAIRN_JOINT_BALL:
        return cairn_ball_rows(p->r_a, p->r_b, rows);
    case CAIRN_JOINT_HINGE:
        return cairn_hinge_rows(p->r_a, p->r_b, p->axes_a.cz, rows);
    case CAIRN_JOINT_SLIDER:
        return cairn_slider_rows(p->r_a, p->r_b, p->apart, p->axes_a.cz, rows);
    case CAIRN_JOINT_UNIVERSAL:
        return cairn_universal_rows(p->r_a, p->r_b, p->axes_a.cz, p->axes_b.cz, rows);
    case CAIRN_JOINT_CYLINDRICAL:
        return cairn_cylindrical_rows(p->r_a, p->r_b, p->apart, p->axes_a.cz, rows);
    case CAIRN_JOINT_FIXED:
        return cairn_fixed_rows(p->r_a, p->r_b, rows);
    case CAIRN_JOINT_DISTANCE:
        // with a spring, a damper, limits or a motor the distance is free
        if (link->stiffness + link->damping > 0.0 || link->limited || link->driven ||
            p->coordinate == 0.0)
            return 0;
        return cairn_distance_rows(p->r_a, p->r_b, p->apart, rows);
    case CAIRN_JOINT_GEAR:
        return cairn_gear_rows(p->axes_a.cz, p->axes_b.cz, link->ratio, rows);
    case CAIRN_JOINT_SURFACE:
        return cairn_surface_rows(p->r_a, p->r_b, p->normal, rows);
    case CAIRN_JOINT_ROLLING:
        return cairn_rolling_rows(p->r_a, p->r_b, p->normal, rows);
    case CAIRN_JOINT_LOCKS:
        return lock_rows(rows, link->locks, p);
    case CAIRN_JOINT_RACK:
        return rack_rows(rows, link->ratio, p);
    case CAIRN_JOINT_SCREW:
        return screw_rows(rows, link->ratio, p);
    case CAIRN_JOINT_WHEEL:
        return wheel_rows(rows, p);
    case CAIRN_JOINT_PULLEY:
        return cairn_link_acts(link) ? 0 : pulley_rows(rows, link, p);
    case CAIRN_JOINT_ALONG:
    case CAIRN_JOINT_TWIST:
    case CAIRN_JOINT_AROUND:
    case CAIRN_JOINT_KIND_COUNT:
        break;
    }
    return 0;
}

bool cairn_link_free_row(cairn_row* row, const cairn_link* link, const cairn_link_place* p)
{
    cairn_vec3 axis = p->axes_a.cz, swing = cairn_cross(axis, p->axes_b.cz), along;
    bool there;
    switch (link->kind) {
    case CAIRN_JOINT_BALL:
        // two axes that coincide swing apart in any direction
        if (cairn_norm(swing) > 1e-9)
            store_turning(row, cairn_normalize(swing));
        return cairn_norm(swing) > 1e-9;
    case CAIRN_JOINT_HINGE:
    case CAIRN_JOINT_UNIVERSAL:
        store_turning(row, axis);
        return true;
    case CAIRN_JOINT_TWIST:
        there = twist_gradient(&along, axis, p->axes_b.cz);
        if (there)
            store_turning(row, along);
        return there;
    case CAIRN_JOINT_AROUND:
        there = around_gradient(&along, axis, p->axes_b.cz);
        if (there)
            store_turning(row, along);
        return there;
    case CAIRN_JOINT_PULLEY:
        return pulley_rows(row, link, p) > 0;
    case CAIRN_JOINT_SLIDER:
    case CAIRN_JOINT_CYLINDRICAL:
    case CAIRN_JOINT_WHEEL:
    case CAIRN_JOINT_ALONG:
        store_sliding(row, p, axis);
        return true;
    case CAIRN_JOINT_DISTANCE:
        if (p->coordinate > 0.0)
            cairn_distance_rows(p->r_a, p->r_b, p->apart, row);
        return p->coordinate > 0.0;
    default:
        return false;
    }
}

bool cairn_link_limit(cairn_row* inward, double* room, const cairn_link* link,
                      const cairn_link_place* p)
{
    if (!link->limited || !cairn_link_free_row(inward, link, p))
        return false;
    double below = p->coordinate - link->lo, above = link->hi - p->coordinate;
    *room = below < above ? below : above;
    for (int k = 0; k < 6 && !(below < above); k++) {
        inward->a[k] = -inward->a[k];
        inward->b[k] = -inward->b[k];
    }
    return true;
}

// ---------------------------------------------------------------- errors

// the small rotation that B is turned against A beyond what the joint allows, as far as rows see it
static cairn_vec3 turned(const cairn_link* link, const cairn_link_place* p)
{
    cairn_vec3 sum = cairn_cross(p->axes_a.cz, p->axes_b.cz);
    unsigned turns = link->locks >> 3;
    if (link->kind == CAIRN_JOINT_LOCKS && turns != 7u) {
        // two locked turns keep the third axis; one keeps no angle
        if (turns == 5u)
            return cairn_cross(p->axes_a.cy, p->axes_b.cy);
        if (turns == 6u)
            return cairn_cross(p->axes_a.cx, p->axes_b.cx);
        return turns == 3u ? sum : cairn_vec(0.0, 0.0, 0.0);
    }
    if (link->kind == CAIRN_JOINT_FIXED || link->kind == CAIRN_JOINT_SLIDER || turns == 7u) {
        sum = cairn_add(sum, cairn_cross(p->axes_a.cx, p->axes_b.cx));
        sum = cairn_add(sum, cairn_cross(p->axes_a.cy, p->axes_b.cy));
        sum = cairn_scale(0.5, sum);
    }
    return sum;
}

void cairn_link_errors(double* C, const cairn_link* link, const cairn_link_place* p,
                       const cairn_row* rows, int count)
{
    cairn_vec3 turn = turned(link, p);
    for (int i = 0; i < count; i++) {
        cairn_vec3 linear = cairn_vec(rows[i].b[0], rows[i].b[1], rows[i].b[2]);
        cairn_vec3 angular = cairn_vec(rows[i].b[3], rows[i].b[4], rows[i].b[5]);
        if (cairn_joint_is_gear(link->kind))
            C[i] = 0.0;
        else if (is_meshed(link->kind))
            C[i] = meshed(link, p) - link->length;
        else if (link->kind == CAIRN_JOINT_DISTANCE || link->kind == CAIRN_JOINT_PULLEY)
            C[i] = p->coordinate - link->length;
        else if (cairn_norm(linear) > 0.0)
            C[i] = cairn_dot(linear, p->apart);
        else if (link->kind == CAIRN_JOINT_UNIVERSAL || link->kind == CAIRN_JOINT_WHEEL)
            C[i] = cairn_dot(p->axes_a.cz, p->axes_b.cz);
        else
            C[i] = cairn_dot(angular, turn);
    }
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
    link.turns = start.coordinate;
    link.length = is_meshed(link.kind) ? meshed(&link, &start) : start.coordinate;

    // memory first: from there on nothing can fail
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

// how far the points of a joint gape at its place
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
    if (link->servo.on)
        link->stiffness = link->damping = 0.0;
    link->servo.on = false;
    link->driven = true;
    link->speed = speed;
    link->strength = strength;
    return CAIRN_OK;
}
