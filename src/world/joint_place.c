// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where a joint is: its coordinate, the rows of what it holds and of what it leaves free, and its
// position errors.

#include "world/state.h"
#include <cairn/joint.h>
#include <float.h>

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

// The twist φ of B about its z axis b against A, whose z axis is a: what is left of B's turn after
// the shortest one from a to b. It turns x_a to c = x_a - (x_a·b)/(1 + a·b) (a + b), and y_a to
// b x c.
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
        // the swing: the angle between the z axes
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
        // the way along the axis of A
        return cairn_dot(p->axes_a.cz, p->apart);
    case CAIRN_JOINT_DISTANCE:
        return cairn_norm(p->apart);
    case CAIRN_JOINT_PULLEY:
        return cairn_norm(p->normal) + link->ratio * cairn_norm(rope_of(link, p));
    default:
        return 0.0;
    }
}

// What a rack or a screw keeps, with the angle φ that its coordinate is: z_b·d + R φ and
// z_a·d - p φ, d from the point of A to that of B. Their rows are the rates of these.
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

double cairn_link_start_length(const cairn_link* link, const cairn_link_place* p)
{
    return is_meshed(link->kind) ? meshed(link, p) : p->coordinate;
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

// Of the twist φ: dφ/dt = (w_B - w_A)·(a + b)/(1 + a·b). What turns about a or b twists, what
// swings a to b does not. False where the axes are opposite.
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

// Pinion A of pitch radius R about z_a and rack B along z_b: the rate of z_b·d + R φ, with φ the
// angle of z_b about z_a and u its gradient. Where both are square u = z_a, and at the pitch point,
// R z_b x z_a from the pinion's axis, both move alike along the rack. Forces and moments on A and B
// cancel.
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
    cairn_vec3 u = {0};
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
    // of the four rows of a cylindrical joint, which has one axis, those of the line
    cairn_row line[4];
    cairn_cylindrical_rows(p->r_a, p->r_b, p->apart, p->axes_a.cz, line);
    rows[0] = line[0];
    rows[1] = line[1];
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

bool cairn_link_angle_axis(cairn_vec3* u, const cairn_link* link, const cairn_link_place* p)
{
    switch (link->kind) {
    case CAIRN_JOINT_HINGE:
    case CAIRN_JOINT_UNIVERSAL:
        *u = p->axes_a.cz;
        return true;
    case CAIRN_JOINT_TWIST:
    case CAIRN_JOINT_SCREW:
        return twist_gradient(u, p->axes_a.cz, p->axes_b.cz);
    case CAIRN_JOINT_AROUND:
    case CAIRN_JOINT_RACK:
        return around_gradient(u, p->axes_a.cz, p->axes_b.cz);
    default:
        return false;
    }
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
    case CAIRN_JOINT_TWIST:
    case CAIRN_JOINT_AROUND:
        there = cairn_link_angle_axis(&along, link, p);
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

    // three locked turns: the small rotation is half the sum over the axes
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
