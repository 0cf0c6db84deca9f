// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The way out of an overlap with a cylinder.
#ifndef CAIRN_COLLIDE_CYLINDER_H
#define CAIRN_COLLIDE_CYLINDER_H

#include "collide/core.h"

/// The unit direction (frame of A) along which B must go least to leave A, a cylinder that it
/// overlaps. B is a segment, a triangle, a polytope or another cylinder.
cairn_vec3 cairn_cylinder_way_out(const cairn_placed* p);

#endif
