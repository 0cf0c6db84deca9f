// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The law of a contact: what the materials of two parts make together, by their rules.
#ifndef CAIRN_WORLD_STEP_CONTACT_LAW_H
#define CAIRN_WORLD_STEP_CONTACT_LAW_H

#include "world/state.h"

/// What the points of a patch have in common.
typedef struct cairn_contact_law {
    int a, b, part_a, part_b, pair; ///< as in cairn_touch
    bool touching;
    cairn_vec3 n, t;
    cairn_friction_kind kind;
    int rows;
    bool grained;
    bool rolls;   ///< it resists rolling
    bool soft;    ///< it is a spring: see soft.c
    bool carries; ///< a surface of it moves
    double mu[3], mu_static, restitution;
} cairn_contact_law;

/// A spring and a damper; stiffness 0: rigid.
typedef struct cairn_spring {
    double stiffness, damping; ///< N/m, N s/m
} cairn_spring;

/// The spring of a contact of two materials (soft.c), and of two parts that touch.
cairn_spring cairn_spring_of(const cairn_material* m, const cairn_material* k);
cairn_spring cairn_touch_spring(const cairn_touch* touch, const cairn_world* world);

/// m/s, world: by how much the surface of B moves past that of A beside what the bodies do, in the plane
/// of a contact that carries.
cairn_vec3 cairn_touch_carried(const cairn_touch* touch, const cairn_world* world);

/// The same of any contact.
static inline cairn_vec3 cairn_touch_carry(const cairn_touch* touch, const cairn_world* world)
{
    return touch->carries ? cairn_touch_carried(touch, world) : cairn_vec(0.0, 0.0, 0.0);
}

/// Whether some part of a body is soft.
bool cairn_body_is_soft(const cairn_body* body);

/// J: what the spring of a soft contact holds.
double cairn_touch_soft_energy(const cairn_touch* touch, const cairn_world* world);

/// The law of a pair with normal n, between these parts of its bodies.
void cairn_contact_law_set(cairn_contact_law* common, const cairn_world* world,
                           const cairn_pair* pair, cairn_vec3 n, int part_a, int part_b);

#endif
