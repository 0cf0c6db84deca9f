// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plane that bodies which are apart must not cross within a substep: that of their impact, of their
// closest approach, or one along which they pass each other.

#include "world/step/island.h"
#include "world/step/kinematics.h"
#include "world/step/seams.h"

typedef struct motion {
    cairn_vec3 v, w;
} motion;

// how a body moves, with the velocities of all slots or its own; only the surface of a belt does
static motion motion_of(const cairn_world* world, int slot, const double* velocities)
{
    const cairn_body* body = &world->bodies[slot];
    if (body->belt)
        return (motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (!velocities)
        return (motion){body->v, body->w};

    const double* v = velocities + 6 * (ptrdiff_t)slot;
    return (motion){cairn_vec(v[0], v[1], v[2]), cairn_vec(v[3], v[4], v[5])};
}

// m: how far a part of a body reaches along d; of a mesh, the box about it
static double part_reach(const cairn_body* body, int part, cairn_vec3 d)
{
    if (body->shape.kind != CAIRN_SHAPE_MESH)
        return cairn_body_reach(body, part, d);
    cairn_transform x = cairn_body_shape_pose(body);
    cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_transform_identity());
    cairn_vec3 center = cairn_scale(0.5, cairn_add(box.lo, box.hi));
    cairn_vec3 half = cairn_scale(0.5, cairn_sub(box.hi, box.lo));
    return cairn_dot(d, cairn_transform_point(x, center)) +
           cairn_dot(cairn_abs(cairn_rotate_back(x.q, d)), half);
}

// m: what the two parts of a contact leave free between them along n, from A to B; negative infinity of
// half-spaces and height fields
static double between(const cairn_touch* touch, const cairn_world* world, cairn_vec3 n)
{
    return -part_reach(&world->bodies[touch->a], touch->part_a, n) -
           part_reach(&world->bodies[touch->b], touch->part_b, cairn_neg(n));
}

// Two convex bodies that do not turn pass each other if a plane along their relative velocity u has them
// on its two sides: neither comes nearer to it. The search for its normal begins at the closest approach
// of the points of the contact, d - (d·u) u/u², and turns it about u while the bodies leave more
//
//     gap = -(max_A n·x - min_B n·x)
//
// free between them, by ever smaller angles. What bodies turn within h seconds may use of that. Without
// this, corners and edges ahead, which keep the normal that they were found with, would block what flies
// past them.
bool cairn_touch_passes(cairn_reach* reach, const cairn_touch* touch, const cairn_world* world,
                        const double* velocities, double h)
{
    enum { most_turns = 12 };
    const double first_turn = 0.4; // rad
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    motion m_a = motion_of(world, touch->a, velocities);
    motion m_b = motion_of(world, touch->b, velocities);
    cairn_vec3 u_a = cairn_add(m_a.v, cairn_cross(m_a.w, reach->r_a));
    cairn_vec3 u_b = cairn_add(m_b.v, cairn_cross(m_b.w, reach->r_b));

    // nothing blocks them, or they touch
    if (reach->gap <= world->touching ||
        reach->gap + h * cairn_dot(reach->n, cairn_sub(u_b, u_a)) >= 0.0)
        return false;

    // how far they have to be apart
    double turns = a->radius * cairn_norm(m_a.w) + b->radius * cairn_norm(m_b.w);
    double asked = world->touching + h * turns;

    // the plane along u where the points are closest, and the direction that turns it
    cairn_vec3 u = cairn_normalize(cairn_sub(m_b.v, m_a.v));
    cairn_vec3 d = cairn_sub(cairn_add(b->x, reach->r_b), cairn_add(a->x, reach->r_a));
    cairn_vec3 across = cairn_add_scaled(d, -cairn_dot(d, u), u);
    if (!(cairn_norm(across) > 0.0))
        return false;
    cairn_vec3 n = cairn_normalize(across);
    double gap = between(touch, world, n), turn = first_turn;

    for (int k = 0; k < most_turns && !(gap > asked) && isfinite(gap); k++) {
        cairn_vec3 side = cairn_cross(u, n), best = n;
        for (int way = -1; way <= 1; way += 2) {
            cairn_vec3 turned = cairn_normalize(cairn_add_scaled(n, way * turn, side));
            double found = between(touch, world, turned);
            if (found > gap) {
                gap = found;
                best = turned;
            }
        }
        turn = best.x == n.x && best.y == n.y && best.z == n.z ? 0.5 * turn : turn;
        n = best;
    }
    if (!(gap > asked))
        return false;

    reach->n = n;
    reach->gap = gap;
    return true;
}

// whether one side of a contact is a ball about its center, and the other one neither turns nor is moved
static bool is_ball_on(const cairn_touch* touch, const cairn_world* world, bool ball_is_b)
{
    const cairn_body* other = &world->bodies[ball_is_b ? touch->a : touch->b];
    const cairn_body* ball = &world->bodies[ball_is_b ? touch->b : touch->a];
    cairn_vec3 at = ball_is_b ? touch->at_b : touch->at_a;
    return cairn_body_active(ball) && other->type != CAIRN_BODY_DYNAMIC && !other->belt &&
           cairn_dot(other->w, other->w) == 0.0 && ball->shape.kind == CAIRN_SHAPE_SPHERE &&
           (ball_is_b ? touch->round_b : touch->round_a) > 0.0 && cairn_dot(at, at) == 0.0;
}

bool cairn_touch_is_timed(const cairn_touch* touch, const cairn_world* world)
{
    if (touch->balls)
        return true;
    bool points = touch->rule == CAIRN_RULE_POINTS;
    return ((points || touch->rule == CAIRN_RULE_FACE_A) && is_ball_on(touch, world, true)) ||
           ((points || touch->rule == CAIRN_RULE_FACE_B) && is_ball_on(touch, world, false));
}

// |d + t u| = ρ_A + ρ_B at the impact; d·u + t u² = 0 at the closest approach. Where bodies were struck in
// this substep already, d is between the lines of their new velocities, and t >= the last blow.
double cairn_touch_aim(cairn_reach* reach, const cairn_touch* touch, const cairn_world* world,
                       const double* velocities, const cairn_lag* lags, double h)
{
    // what the lags make of the separation
    cairn_vec3 shift = {0.0, 0.0, 0.0};
    double begin = 0.0;
    if (lags && (lags[touch->a].last > 0.0 || lags[touch->b].last > 0.0) &&
        cairn_touch_is_timed(touch, world)) {
        shift = cairn_sub(lags[touch->b].by, lags[touch->a].by);
        begin = fmax(lags[touch->a].last, lags[touch->b].last);
    }

    bool shifted = cairn_dot(shift, shift) > 0.0;
    if (shifted && touch->rule != CAIRN_RULE_POINTS)
        reach->gap += cairn_dot(reach->n, shift);
    if ((!(reach->gap > 0.0) && !shifted) ||
        (!touch->balls && !shifted && cairn_touch_passes(reach, touch, world, velocities, h)) ||
        touch->rule != CAIRN_RULE_POINTS)
        return 0.0;

    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    double R = touch->round_a + touch->round_b;

    // d between the centers of rounding, u their relative velocity but for slip along a line
    cairn_vec3 c_a = cairn_add_scaled(reach->r_a, -touch->round_a, reach->n);
    cairn_vec3 c_b = cairn_add_scaled(reach->r_b, touch->round_b, reach->n);
    cairn_vec3 d = cairn_add(cairn_scale(reach->gap + R, reach->n), shift);
    cairn_vec3 u =
        cairn_sub(cairn_add(b->v, cairn_cross(b->w, c_b)), cairn_add(a->v, cairn_cross(a->w, c_a)));
    if (velocities)
        u = cairn_sub(cairn_point_velocity(velocities + 6 * (ptrdiff_t)touch->b, c_b),
                      cairn_point_velocity(velocities + 6 * (ptrdiff_t)touch->a, c_a));

    const cairn_touch_lines* lines = cairn_touch_lines_of(touch, world);
    for (int side = 0; lines && side < 2; side++) {
        cairn_vec3 along = cairn_rotate(side ? b->q : a->q, lines->along[side]);
        u = cairn_add_scaled(u, -cairn_dot(u, along), along);
    }

    // the time of impact, or of the closest approach, within h seconds
    double uu = cairn_dot(u, u), du = cairn_dot(d, u), t = begin;
    double root = du * du - uu * (cairn_dot(d, d) - R * R);
    bool nears = du + begin * uu < 0.0;
    if (nears)
        t = fmin(fmax(root >= 0.0 ? (-du - sqrt(root)) / uu : -du / uu, begin), h);
    cairn_vec3 then = cairn_add_scaled(d, t, u);
    double distance = cairn_norm(then);
    if (cairn_points_meet(distance, R))
        return 0.0;

    // the normal and gap that the points have then
    cairn_vec3 n = cairn_scale(1.0 / distance, then);
    *reach = (cairn_reach){n, cairn_add_scaled(c_a, touch->round_a, n),
                           cairn_add_scaled(c_b, -touch->round_b, n), cairn_dot(n, d) - R};
    return nears && root >= 0.0 && t < h ? t : 0.0;
}
