// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of two balls, of radii ρ about the centers x of their bodies:
//
//     d = x_B - x_A,     n = d/|d|,     gap = |d| - ρ_A - ρ_B,     r_A = ρ_A n,     r_B = -ρ_B n,
//
// wherever the balls are and however they have turned: such a contact needs no anchors and is never
// found anew. Private to this folder.
#ifndef CAIRN_WORLD_BALL_H
#define CAIRN_WORLD_BALL_H

#include "world/state.h"

/// Where a contact is now: normal, arms from the centers to the points, and the gap between these.
typedef struct cairn_reach {
    cairn_vec3 n, r_a, r_b;
    double gap; ///< m
} cairn_reach;

/// Whether a body touches others as a ball does: with the same friction in all directions, and none
/// against spinning.
static inline bool cairn_body_is_round(const cairn_body* body)
{
    const cairn_material* m = &body->material;
    return body->shape.kind == CAIRN_SHAPE_SPHERE && body->radius == body->shape.radius &&
           m->mu_spin == 0.0 && cairn_dot(m->direction, m->direction) == 0.0;
}

/// Whether two bodies are balls that the laws of motion move.
static inline bool cairn_are_balls(const cairn_body* a, const cairn_body* b)
{
    return a->round && b->round && cairn_body_active(a) && cairn_body_active(b);
}

/// Whether two centers are one.
static inline bool cairn_balls_meet(double distance, double radii)
{
    return !(distance > 1e-15 * radii);
}

/// The contact of two balls whose centers are d apart, |d| = distance; where these meet any `n` is
/// as good.
static inline cairn_reach cairn_balls_reach(double radius_a, double radius_b, cairn_vec3 d,
                                            double distance, cairn_vec3 n)
{
    double radii = radius_a + radius_b;
    if (!cairn_balls_meet(distance, radii))
        n = cairn_scale(1.0 / distance, d);
    return (cairn_reach){n, cairn_scale(radius_a, n), cairn_scale(-radius_b, n), distance - radii};
}

/// Where a contact is, with its bodies where they are now.
static inline cairn_reach cairn_touch_reach(const cairn_touch* touch, const cairn_body* a,
                                            const cairn_body* b)
{
    if (touch->balls) {
        cairn_vec3 d = cairn_sub(b->x, a->x);
        return cairn_balls_reach(a->radius, b->radius, d, cairn_norm(d), touch->n);
    }
    cairn_vec3 r_a = cairn_rotate(a->q, touch->at_a), r_b = cairn_rotate(b->q, touch->at_b);
    cairn_vec3 apart = cairn_sub(cairn_add(b->x, r_b), cairn_add(a->x, r_a));
    return (cairn_reach){touch->n, r_a, r_b, cairn_dot(apart, touch->n)};
}

/// Turns the frame of a contact with the same friction in all directions.
static inline void cairn_touch_turn(cairn_touch* touch, cairn_vec3 n)
{
    touch->n = n;
    cairn_vec3 across;
    cairn_tangents(n, &touch->t, &across);
}

#endif
