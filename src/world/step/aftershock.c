// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A blow may make a body faster than its pairs were looked at for, and within the same substep it
// would run into what none of its contacts knows of: bricks of a wall that stand a finger apart.
// Such pairs are looked at again after the kick, before the bodies move. Where one of them would
// overlap, its island is solved once more, for an instant in which forces do nothing,
//
//     v'' = v' + M^-1 J^T λ,     g + h v_N'' >= 0  ⟂  λ_N >= 0,
//
// so that the blow is passed on, and again for those that these meet. Each is a solve like others:
// certified, dissipative, its impulses added to those of the contacts.

#include "world/step/refind.h"
#include "world/step/step.h"

enum { most_rounds = 4 };
static const double instant = 1e-9; // of a substep

// Whether a contact would be passed in the drift to come, by more than is left to the next substep.
static bool is_passed(const cairn_touch* touch, const cairn_world* world, double h)
{
    cairn_reach reach = cairn_touch_reach(touch, world);
    double closing = cairn_dot(reach.n, cairn_touch_slip(touch, world, &reach));
    return !touch->gone && !touch->soft && reach.gap + h * closing < -cairn_shallow_overlap;
}

// moves the impulses that the cluster lanes of an island hold back to its contacts
static void yield(const cairn_span* span)
{
    if (span->island->pack && !span->island->pack->stale)
        cairn_pack_yield(span);
}

// marks the islands of new contacts that would be passed; returns whether there are any
static bool find_startled(cairn_span* span, int first)
{
    bool any = false;
    const cairn_group* group = span->group;
    for (int c = first; c < span->world->touch_count; c++) {
        const cairn_touch* touch = &span->world->touches[c];
        int slot = group->local[touch->a] >= 0 ? touch->a : touch->b;
        if (group->local[slot] < 0 || !is_passed(touch, span->world, span->h))
            continue;

        span->island = &group->islands[group->island_of[slot]];
        if (span->island->shared)
            continue; // the position pass has it

        // the island is solved again: its cluster lanes give their impulses back first
        span->island->bouncy = span->island->bouncy || touch->restitution > 0.0;
        span->island->startled = any = true;
        yield(span);
    }

    return any;
}

// contacts that bounce are struck first
static cairn_status strike(const cairn_span* span)
{
    bool takes_part = span->island->startled && span->group->lags;
    return takes_part ? cairn_island_impact(span) : CAIRN_OK;
}

// the impulses of the kick are the warm start of the next one, those of the instant are not
static cairn_status pass_on(const cairn_span* span)
{
    int count = span->island->touch_count;
    if (!span->island->startled)
        return CAIRN_OK;
    span->island->startled = false;

    // set the impulses of the kick aside; the instant has no warm start
    cairn_touch* before = CAIRN_TAKE(span->arena, cairn_touch, count);
    if (!before)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < count; c++) {
        before[c] = *cairn_span_touch(span, c);
        cairn_touch_start(cairn_span_touch(span, c), cairn_vec(0.0, 0.0, 0.0), 0.0, 0.0);
    }

    cairn_status status = cairn_island_solve_kick(span);

    yield(span);
    for (int c = 0; c < count; c++)
        cairn_touch_start(cairn_span_touch(span, c), before[c].impulse, before[c].spin_impulse,
                          before[c].span);
    return status;
}

cairn_status cairn_group_aftershock(cairn_group* group, cairn_span* span, int substep)
{
    cairn_world* world = span->world;
    double kick = span->kick;
    cairn_status status = CAIRN_OK;
    for (int round = 0; round < most_rounds && status == CAIRN_OK; round++) {
        // look again at pairs that the velocities after the kick bring together
        int first = world->touch_count;
        span->kick = kick;
        status = cairn_world_foresee(group, span, substep);
        if (status != CAIRN_OK || !find_startled(span, first))
            break;

        // pass the blow on: solve the startled islands for an instant in which forces do nothing
        span->kick = instant * span->h;
        span->instant = true;
        status = cairn_group_each(strike, span, true);
        if (status == CAIRN_OK)
            status = cairn_group_each(pass_on, span, true);
        span->instant = false;
    }

    span->kick = kick;
    return status;
}
