// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts at seams; see seams.c. Private to this folder.
#ifndef CAIRN_WORLD_SEAMS_H
#define CAIRN_WORLD_SEAMS_H

#include "world/step/island.h"

/// Sets contacts of moving islands aside that no smooth surface would make: `gone`. Returns whether
/// there were any; CAIRN_NO_MEMORY in *status.
bool cairn_group_drop_ghosts(const cairn_group* group, cairn_world* world, cairn_status* status);

/// The pairs of each active body, by their slots: those of body i from first[i] to before first[i + 1].
typedef struct cairn_pair_index {
    int *first, *slots;
} cairn_pair_index;

/// Whether a new contact is one of those, beside the ones of its bodies that are there. One that is
/// about to lie flush gets the plane of the others. `all` is made in the arena of the world when it is
/// first needed, from all zeros; when that fails, the arena tells.
bool cairn_touch_is_ghost(cairn_touch* touch, cairn_world* world, cairn_pair_index* all);

/// m: what sticks out of a plane by less lies flush, of bodies that do not move.
static const double cairn_flush = 1e-4;

/// The plane of a contact of a body X that is above it.
typedef struct cairn_plane {
    cairn_vec3 normal; ///< unit, towards X
    double level;      ///< m: along it from the origin
    double sunk;       ///< m: how deep X is in it
    bool fixed;        ///< its owner does not move
} cairn_plane;

/// Whether a plane separates a part of X from a part of Y, whose own contact has a normal n with
/// turn = 1 - n·normal.
bool cairn_plane_parts(const cairn_world* world, const cairn_plane* plane, double turn,
                       const cairn_body* x, int part_x, const cairn_body* y, int part_y);

/// The farthest that a convex part of a body reaches along d, from the origin of the world; infinite
/// for what has no end or is not convex.
double cairn_body_reach(const cairn_body* body, int part, cairn_vec3 d);

#endif
