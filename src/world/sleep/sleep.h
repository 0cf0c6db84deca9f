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

/// Puts islands to sleep that have been still for long enough, and packs the touches of sleeping
/// pairs: the last point at which a step may fail, for CAIRN_NO_MEMORY.
cairn_status cairn_world_fall_asleep(cairn_world* world, double dt);

/// Drops the touches of pairs that are awake again or gone; CAIRN_NO_MEMORY, which changes nothing,
/// or CAIRN_OK.
cairn_status cairn_world_pack_slept(cairn_world* world);

/// What the narrow phase says of a close pair.
typedef struct cairn_found {
    int count;
    const cairn_patch* patches;        ///< of the pair, or `brief`
    const cairn_contact_point* points; ///< of the patches
    cairn_patch brief;                 ///< of two spheres, of which nothing is worth keeping
    cairn_contact_point brief_point;
} cairn_found;

/// The narrow phase of a close pair in a step of dt seconds; for all but spheres at most once. The
/// manifolds that it had are noted in the log of the thread.
cairn_status cairn_pair_collide(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                double dt, cairn_undo_log* log);

/// The same again for a pair that has moved since the step began, as far ahead as it can come
/// together within dt; `reuse` as in cairn_collide_def.
cairn_status cairn_pair_look_again(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                   double dt, double reuse);

/// Its parts, for many pairs on several threads. First, on one thread, where the bodies of each pair are; then
/// the narrow phase, which asks no hook, with the log of the thread; then what it found, which is kept of all
/// but two spheres: false.
void cairn_pair_note_places(cairn_world* world, const cairn_pair* pair, double dt);
cairn_status cairn_pair_look_on(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                double dt, double reuse, cairn_undo_log* log);
bool cairn_pair_show(cairn_found* found, const cairn_world* world, const cairn_pair* pair);

/// The contact of a point of a patch between two bodies, without impulse.
cairn_touch cairn_touch_at(const cairn_world* world, const cairn_pair* pair,
                           const cairn_patch* patch, const cairn_contact_point* point);

#endif
