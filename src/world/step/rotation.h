// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The free rotation of a rigid body: what happens between two impulses.
#ifndef CAIRN_WORLD_ROTATION_H
#define CAIRN_WORLD_ROTATION_H

#include <cairn/math.h>

/// The rotation by |v| radians about v, to round-off. Within a quarter of a radian, where most
/// steps stay, by the series in t = |v|²/4 of sin(√t)/√t and cos(√t), whose next terms are below
/// 1e-20: no root and no call.
static inline cairn_quat cairn_turn_by(cairn_vec3 v)
{
    double t = 0.25 * cairn_dot(v, v);
    if (!(t < 1.0 / 64.0))
        return cairn_quat_from_rotation_vector(v);
    double c = 1.0 - t * (1.0 / 90.0) * (1.0 - t * (1.0 / 132.0));
    double s = 1.0 - t * (1.0 / 72.0) * (1.0 - t * (1.0 / 110.0));
    c = 1.0 - t * (1.0 / 12.0) * (1.0 - t * (1.0 / 30.0) * (1.0 - t * (1.0 / 56.0) * c));
    s = 1.0 - t * (1.0 / 6.0) * (1.0 - t * (1.0 / 20.0) * (1.0 - t * (1.0 / 42.0) * s));
    double half = 0.5 * s;
    return (cairn_quat){1.0 - 0.5 * t * c, half * v.x, half * v.y, half * v.z};
}

/// Turns a body without torque for `h` seconds. `q` leads from its principal axes to the world,
/// `omega` is its angular velocity in the world, `inertia` its principal moments (all > 0). Angular
/// momentum is kept to round-off, energy without drift.
void cairn_rotate_freely(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, double h);

/// The principal axis whose moment is the odd one of three, 0 .. 2; -1: all are equal, or none.
int cairn_symmetry_axis(cairn_vec3 inertia);

/// Principal axis k in the world: column k of the rotation.
cairn_vec3 cairn_axis_of(cairn_quat q, int k);

/// Turns a body for h seconds so that axis k moves on a great circle and the spin about it stays:
/// free rotation without the gyroscopic torque, which a kick gives (leapfrog.c).
void cairn_turn_axis(cairn_quat* q, cairn_vec3* omega, int k, double h);

#endif
