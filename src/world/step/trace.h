// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies that move far within a substep; see trace.c. Private to this folder.
#ifndef CAIRN_WORLD_TRACE_H
#define CAIRN_WORLD_TRACE_H

#include "world/step/island.h"

/// Where a body was before a drift.
typedef struct cairn_way {
    cairn_transform from; ///< of its shape
    cairn_vec3 w;         ///< rad/s
    bool swift;           ///< it may have passed something
} cairn_way;

/// Whether a body moves far in h seconds, measured by its size.
bool cairn_body_is_swift(const cairn_body* body, double h);

/// Moves the swift bodies again, from where they were before a drift of h seconds, no farther than to
/// what they meet: there both are struck. What has to wait for the next substep is told of.
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_world_trace(cairn_group* group, cairn_world* world, const cairn_way* ways,
                               double h);

#endif
