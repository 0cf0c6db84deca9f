// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion over a substep. Private to this folder.
#ifndef CAIRN_WORLD_INTEGRATE_H
#define CAIRN_WORLD_INTEGRATE_H

#include "world/step/island.h"
#include "world/step/trace.h"

/// Moves all bodies by their velocities for h seconds; fast ones no farther than to what they meet,
/// those that were struck on the way by what they lag behind.
cairn_status cairn_world_drift(cairn_group* group, cairn_world* world, double h,
                               cairn_step_report* report);

/// Of bodies that have been moved otherwise (group->marched): notes where they all are if some may
/// pass others within h seconds (else NULL), and then moves those that nothing has moved, and swift
/// ones no farther than to what they meet. Memory from the arena; CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_world_note_ways(cairn_way** ways, cairn_world* world, double h);
cairn_status cairn_world_arrive(cairn_group* group, cairn_world* world, const cairn_way* ways,
                                double h, cairn_step_report* report);

#endif
