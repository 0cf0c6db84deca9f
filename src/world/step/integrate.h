// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion over a substep. Private to this folder.
#ifndef CAIRN_WORLD_INTEGRATE_H
#define CAIRN_WORLD_INTEGRATE_H

#include "world/state.h"

/// Moves all bodies by their velocities for h seconds; fast ones no farther than to what they meet.
cairn_status cairn_world_drift(cairn_world* world, double h, cairn_step_report* report);

#endif
