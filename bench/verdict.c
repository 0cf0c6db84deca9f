// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "verdict.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const char* verdict_name(verdict v)
{
    static const char* const names[] = {"reproduced", "better", "worse", "not comparable"};
    return names[v];
}

// the first reason not to compare, or NULL
static const char* find_obstacle(const verdict_claim* claim)
{
    if (claim->obstacle)
        return claim->obstacle;
    if (isnan(claim->measured) || isinf(claim->measured))
        return "not measured in this run";
    if (isnan(claim->low) || isnan(claim->high) || claim->low > claim->high)
        return "the paper has no such figure";
    if (!(claim->factor >= 1.0))
        return "no factor was stated";
    return NULL;
}

verdict verdict_judge(const verdict_claim* claim, const char** why)
{
    const char* obstacle = find_obstacle(claim);
    if (why)
        *why = obstacle;
    if (obstacle)
        return VERDICT_NOT_COMPARABLE;

    // both sides count
    bool below = claim->measured < claim->low / claim->factor;
    bool above = claim->measured > claim->high * claim->factor;
    if (!below && !above)
        return VERDICT_REPRODUCED;
    return below == (claim->sense == VERDICT_LESS_IS_BETTER) ? VERDICT_BETTER : VERDICT_WORSE;
}

verdict verdict_join(verdict a, verdict b)
{
    if (a == VERDICT_NOT_COMPARABLE || b == VERDICT_NOT_COMPARABLE)
        return VERDICT_NOT_COMPARABLE;
    if (a == VERDICT_WORSE || b == VERDICT_WORSE)
        return VERDICT_WORSE;
    return a == b ? a : VERDICT_REPRODUCED;
}
