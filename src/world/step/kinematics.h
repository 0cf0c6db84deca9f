// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where a contact is: point, normal and gap from the features that meet, wherever the bodies are
// now. With x the centers, c the features' core points from there, ρ radii about these:
//
//     face of A     n = R_A own,   p = x_B + c_B - ρ_B n,   gap = n·(p - x_A) - level,
//                   r_B = p - x_B,   r_A = p - gap n - x_A          (A's arm follows B's point)
//     face of B     the same with the sides exchanged; n leads from A to B
//     points        d = x_B + c_B - x_A - c_A,   n = d/|d|,   gap = |d| - ρ_A - ρ_B,
//                   r_A = c_A + ρ_A n,   r_B = c_B - ρ_B n
//     edges         n = s l_A x l_B / |l_A x l_B|,   closest points of the two lines,   gap = n·d
//     anchors       two material points and a normal that stands still: right to first order
//
// The point of a rim, of radius D about the axis z of a cylinder, is where the rim reaches farthest
// against the normal: c - D (n - (n·z) z)/|n - (n·z) z|. An ellipsoid meets a face at
// c - S n / sqrt(n·S n), S as in feature.h. A point meets an edge (with a line l)
// square to it: d loses its part along l, and the core of the edge slides by it.
//
// Between two balls, cores are the centers. Private to this folder.
#ifndef CAIRN_WORLD_KINEMATICS_H
#define CAIRN_WORLD_KINEMATICS_H

#include "collide/narrow/feature.h"
#include "world/state.h"

/// Where a contact is now: normal, arms from the centers to the points, and the gap between these.
typedef struct cairn_reach {
    cairn_vec3 n, r_a, r_b;
    double gap; ///< m
} cairn_reach;

/// Whether a body touches others as a ball does: with the same friction in all directions, and none
/// against spinning and rolling.
static inline bool cairn_body_is_round(const cairn_body* body)
{
    const cairn_material* m = &body->material;
    return body->shape.kind == CAIRN_SHAPE_SPHERE && body->radius == body->shape.radius &&
           m->mu_spin == 0.0 && m->mu_roll == 0.0 && cairn_dot(m->direction, m->direction) == 0.0;
}

/// Whether two bodies are balls that the laws of motion move.
static inline bool cairn_are_balls(const cairn_body* a, const cairn_body* b)
{
    return a->round && b->round && cairn_body_active(a) && cairn_body_active(b);
}

/// Whether two points are one.
static inline bool cairn_points_meet(double distance, double radii)
{
    return !(distance > 1e-15 * radii);
}

/// The contact of two balls about points d apart, |d| = distance; where these meet any `n` is as
/// good. The arms begin at the points.
static inline cairn_reach cairn_balls_reach(double radius_a, double radius_b, cairn_vec3 d,
                                            double distance, cairn_vec3 n)
{
    double radii = radius_a + radius_b;
    if (!cairn_points_meet(distance, radii))
        n = cairn_scale(1.0 / distance, d);
    return (cairn_reach){n, cairn_scale(radius_a, n), cairn_scale(-radius_b, n), distance - radii};
}

/// Where a contact would be with its bodies at these places.
cairn_reach cairn_touch_reach_at(const cairn_touch* touch, const cairn_world* world,
                                 cairn_transform a, cairn_transform b);

/// Where it is with its bodies where they are now.
static inline cairn_reach cairn_touch_reach(const cairn_touch* touch, const cairn_world* world)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    if (touch->balls) {
        cairn_vec3 d = cairn_sub(b->x, a->x);
        return cairn_balls_reach(a->radius, b->radius, d, cairn_norm(d), touch->n);
    }
    return cairn_touch_reach_at(touch, world, (cairn_transform){a->x, a->q},
                                (cairn_transform){b->x, b->q});
}

/// The velocity of the point of B against that of A.
static inline cairn_vec3 cairn_touch_slip(const cairn_touch* touch, const cairn_world* world,
                                          const cairn_reach* reach)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    return cairn_sub(cairn_add(b->v, cairn_cross(b->w, reach->r_b)),
                     cairn_add(a->v, cairn_cross(a->w, reach->r_a)));
}

/// Turns the frame of a contact to a new normal; the grain of its surfaces stays where it is.
void cairn_touch_turn(cairn_touch* touch, const cairn_world* world, cairn_vec3 n);

/// Follows a contact to where it is now: gap and frame.
cairn_reach cairn_touch_refresh(cairn_touch* touch, const cairn_world* world);

/// Finds the features of a contact that has anchors, with its bodies where detection saw them.
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_touch_classify(cairn_touch* touch, cairn_world* world);

/// The same unless the features are lines, for which there is one list: then `waits` is true. For threads.
void cairn_touch_classify_plain(cairn_touch* touch, const cairn_world* world, bool* waits);

/// Room for the lines of contacts; false without memory.
bool cairn_world_reserve_lines(cairn_world* world, int need);

/// The lines, the rim or the ellipsoid of a contact that has some; else NULL.
static inline const cairn_touch_lines* cairn_touch_lines_of(const cairn_touch* touch,
                                                            const cairn_world* world)
{
    return touch->line > 0 ? &world->lines[touch->line - 1] : NULL;
}

/// Lets a contact stand where it is now, on anchors.
void cairn_touch_anchor(cairn_touch* touch, const cairn_world* world);

/// Lays the tangents of a contact along and across the grain of its surfaces, if they have one.
void cairn_touch_set_grain(cairn_touch* touch, const cairn_world* world);

/// Whether the surfaces of a contact have a grain, or one of them.
bool cairn_touch_has_grain(const cairn_touch* touch, const cairn_world* world);

/// Whether the features of a contact are still those that meet: the point is over its face, on its
/// edge.
bool cairn_touch_is_valid(const cairn_touch* touch, const cairn_world* world);

#endif
