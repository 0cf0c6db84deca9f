// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Parts of compounds that collide with some bodies and not with others; see part_filter.c.
#ifndef CAIRN_WORLD_PART_FILTER_H
#define CAIRN_WORLD_PART_FILTER_H

#include "world/state.h"

/// Whether some part of a body has a filter of its own.
bool cairn_body_is_sifted(const cairn_body* body);

/// The category of a part: its own, or that of the body.
uint32_t cairn_part_category(const cairn_body* body, int part);

/// Two bodies whose parts meet.
typedef struct cairn_body_pair {
    const cairn_body *a, *b;
} cairn_body_pair;

/// Whether two parts of a cairn_body_pair may collide: `parts_meet` of a cairn_collide_def.
bool cairn_parts_meet(const void* bodies, int part_a, int part_b);

/// As cairn_distance and cairn_time_of_impact_within, of the parts that may collide. None of them:
/// an infinite gap, and no impact.
cairn_gap cairn_bodies_distance(cairn_body_pair bodies, cairn_transform xa, cairn_transform xb);
cairn_impact cairn_bodies_time_of_impact(cairn_body_pair bodies, const cairn_sweep* ma,
                                         const cairn_sweep* mb, double target, double* t,
                                         int* looks);

#endif
