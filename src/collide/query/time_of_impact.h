// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The time of impact for callers that have many pairs to ask for and bounded time.
#ifndef CAIRN_COLLIDE_TIME_OF_IMPACT_H
#define CAIRN_COLLIDE_TIME_OF_IMPACT_H

#include <cairn/collide.h>

/// As cairn_time_of_impact, with `looks` distances at most; it is counted down. A search that has
/// used them up ends as CAIRN_IMPACT_HIT where it got to, which is safe.
cairn_impact cairn_time_of_impact_within(const cairn_shape* a, const cairn_sweep* ma,
                                         const cairn_shape* b, const cairn_sweep* mb, double target,
                                         double* t, int* looks);

#endif
