// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The budget of a step; see budget.c. Private to this folder.
#ifndef CAIRN_WORLD_BUDGET_H
#define CAIRN_WORLD_BUDGET_H

#include "world/step/island.h"

/// Whether steps of the world have a limit.
bool cairn_budget_is_set(const cairn_world* world);

/// A step begins.
void cairn_budget_begin(cairn_world* world);

/// After detection: whether a whole step is worth a try, `late`: which was made in vain already. If so
/// the limit is set at which it ends.
bool cairn_budget_tries_whole(cairn_world* world, bool late);

/// A whole step has passed its limit.
void cairn_budget_note_late(cairn_world* world);

/// How many small steps a lean step has room for, and when it is to end (of cairn_clock(); 0: no
/// matter when).
int cairn_budget_small_steps(cairn_world* world, double* deadline);

/// Whether a lean step has room for an exact measure of overlaps.
bool cairn_budget_affords_overlaps(const cairn_world* world);

/// The small steps of a lean step have taken this long, s.
void cairn_budget_note_small_steps(cairn_world* world, double seconds);

/// The step of dt seconds is done: what it has cost is what the next one will.
void cairn_budget_end(cairn_world* world, double dt, const cairn_step_report* report);

#endif
