// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The free rotation of a rigid body: what happens between two impulses.
#ifndef CAIRN_WORLD_ROTATION_H
#define CAIRN_WORLD_ROTATION_H

#include <cairn/math.h>

/// Turns a body without torque for `h` seconds. `q` leads from its principal axes to the world,
/// `omega` is its angular velocity in the world, `inertia` its principal moments (all > 0). Angular
/// momentum is kept to round-off, energy without drift.
void cairn_rotate_freely(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, double h);

#endif
