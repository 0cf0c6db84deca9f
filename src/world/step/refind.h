// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of fast bodies, found anew within a step. Private to this folder.
#ifndef CAIRN_WORLD_REFIND_H
#define CAIRN_WORLD_REFIND_H

#include "world/step/island.h"

/// Looks again at the pairs whose contacts the motion of the substeps so far has outdated. The
/// islands keep their bodies; their contacts may change.
cairn_status cairn_world_retouch(cairn_group* group, const cairn_span* span, int substep);

/// Ends the step for the contacts: those that were found anew where the bodies are now, all of them
/// in the order of pairs, as the next step expects them.
cairn_status cairn_world_end_touches(const cairn_group* group, cairn_world* world, double dt,
                                     double* deepest);

#endif
