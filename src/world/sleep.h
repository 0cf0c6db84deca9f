// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sleeping islands; see sleep.c.
#ifndef CAIRN_WORLD_SLEEP_H
#define CAIRN_WORLD_SLEEP_H

#include "world/state.h"
#include <stdlib.h>

/// Wakes the island of a body, and starts its clock anew when it is awake.
void cairn_world_wake(cairn_world* world, int slot);

/// Wakes a body and all that were close to it: it is about to be moved or removed.
void cairn_world_wake_around(cairn_world* world, int slot);

/// Wakes the islands that something comes close to in a step of dt seconds; after the broad phase.
cairn_status cairn_world_wake_touched(cairn_world* world, double dt);

/// Puts islands to sleep that have been still for long enough, at the end of a step.
cairn_status cairn_world_fall_asleep(cairn_world* world, double dt);

/// Drops the touches of pairs that are awake again or gone.
cairn_status cairn_world_pack_slept(cairn_world* world);

/// What the narrow phase says of a close pair.
typedef struct cairn_found {
    int count;
    const cairn_manifold* manifolds; ///< of the pair, or `brief`
    cairn_manifold brief;            ///< of two spheres, of which nothing is worth keeping
} cairn_found;

/// The narrow phase of a close pair in a step of dt seconds; for all but spheres at most once.
cairn_status cairn_pair_collide(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                double dt);

#endif
