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

/// Whether a new contact is one of those, beside the ones of its bodies that are there.
bool cairn_touch_is_ghost(const cairn_touch* touch, const cairn_world* world);

/// The farthest that a convex part of a body reaches along d, from the origin of the world; infinite
/// for what has no end or is not convex.
double cairn_body_reach(const cairn_body* body, int part, cairn_vec3 d);

#endif
