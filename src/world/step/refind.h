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

/// The same before the bodies move in a substep, for pairs that its kick made faster than they were
/// looked at for. New contacts stand behind those that were there.
cairn_status cairn_world_foresee(cairn_group* group, const cairn_span* span, int substep);

/// CAIRN_INTERRUPTED where a body that a blow sent off, or pushed, will run into another one that is not solved with
/// it in the `left` seconds until the step ends, or lies in it: then the step is begun anew (fled.c).
cairn_status cairn_world_find_fled(const cairn_group* group, const cairn_span* span, double left);

/// Ends the step for the contacts: those that were found anew where the bodies are now, all of them
/// in the order of pairs, as the next step expects them. Overlaps, the deepest and those of each
/// island, are measured by manifolds where the bodies have arrived, or (not `exact`) by the contacts
/// that there are.
cairn_status cairn_world_end_touches(const cairn_group* group, cairn_world* world, double dt,
                                     bool exact, double* deepest);

/// The touches of a pair: its range, then those that were found since the step began; -1 ends them.
static inline int cairn_pair_first(const cairn_pair_state* pair)
{
    return pair->touch_count > 0 ? pair->touch : pair->extra - 1;
}

static inline int cairn_pair_next(const cairn_world* world, const cairn_pair_state* pair, int c)
{
    if (c >= pair->touch && c + 1 < pair->touch + pair->touch_count)
        return c + 1;
    bool ranged = c >= pair->touch && c < pair->touch + pair->touch_count;
    return (ranged ? pair->extra : world->touches[c].next) - 1;
}

#endif
