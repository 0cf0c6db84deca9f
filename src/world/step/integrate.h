// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion over a substep. Private to this folder.
#ifndef CAIRN_WORLD_INTEGRATE_H
#define CAIRN_WORLD_INTEGRATE_H

#include "world/step/island.h"

/// Moves all bodies by their velocities for h seconds; fast ones no farther than to what they meet,
/// those that were struck on the way by what they lag behind.
cairn_status cairn_world_drift(cairn_group* group, cairn_world* world, double h,
                               cairn_step_report* report);

#endif
