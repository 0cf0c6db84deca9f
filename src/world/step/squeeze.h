// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies that are squeezed by what no impulse moves; see squeeze.c. Private to this folder.
#ifndef CAIRN_WORLD_SQUEEZE_H
#define CAIRN_WORLD_SQUEEZE_H

#include "world/step/island.h"

/// Whether a contact of the island is with a body that moves whatever resists it.
bool cairn_island_may_be_squeezed(const cairn_span* span);

/// If no velocities satisfy the contacts of the island's problem, lets those of the proof yield and marks
/// their bodies: `squeezed` of the island. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_island_soften(const cairn_span* span, cairn_problem* problem);

#endif
