// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which bodies began to touch in a step, and which ended. Two bodies begin when a contact of theirs
// bears an impulse in any substep or overlaps; they end when none does and all gaps are open by
// more than world->touching, or when the pair is gone: far apart, a body removed, collisions
// excluded by a joint. Between the two bounds nothing changes, so that a support that is loaded now
// and then does not flicker. A pair keeps the ids of its bodies, so that the end of a removed
// body's contacts names it, whoever has its slot by then.

#include "math/array.h"
#include "world/state.h"

static bool push(cairn_event_list* list, const cairn_pair_state* pair)
{
    if (list->count == list->capacity) {
        int capacity = 2 * list->capacity + 16;
        cairn_contact_event* items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = (cairn_contact_event){pair->body_a, pair->body_b};
    return true;
}

cairn_status cairn_pair_end(cairn_world* world, cairn_pair_state* pair)
{
    bool done = !pair->touching || push(&world->ends, pair);
    pair->touching = false;
    return done ? CAIRN_OK : CAIRN_NO_MEMORY;
}

// where the bodies are at the end of the step
static double balls_gap(const cairn_world* world, const cairn_touch* touch)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    return cairn_norm(cairn_sub(b->x, a->x)) - (a->radius + b->radius);
}

// Whether a pair changed, by its touches from `first` to before `end`. The state of the pair is far
// away in memory, so it is only read when there is a change.
static cairn_status look_at(cairn_world* world, int first, int end)
{
    cairn_touch* touches = world->touches;
    cairn_pair_state* pair = &world->pairs[touches[first].pair];
    bool loaded = false, touching = touches[first].touching;
    double gap = INFINITY;

    for (int c = first; c < end; c++) {
        if (touches[c].balls)
            touches[c].gap = balls_gap(world, &touches[c]);
        loaded = loaded || cairn_dot(touches[c].total, touches[c].total) > 0.0;
        gap = fmin(gap, touches[c].gap);
    }

    // hysteresis: a pair begins to touch by an impulse or an overlap, and ends beyond a gap
    if (!touching && (loaded || gap <= 0.0)) {
        int a = touches[first].a, b = touches[first].b;
        pair->body_a = (cairn_body_id){a, world->bodies[a].generation};
        pair->body_b = (cairn_body_id){b, world->bodies[b].generation};
        pair->touching = true;
        return push(&world->begins, pair) ? CAIRN_OK : CAIRN_NO_MEMORY;
    }

    if (touching && !loaded && gap > world->touching)
        return cairn_pair_end(world, pair);
    return CAIRN_OK;
}

cairn_status cairn_world_find_events(cairn_world* world)
{
    cairn_status status = CAIRN_OK;
    for (int c = 0, end; c < world->touch_count && status == CAIRN_OK; c = end) {
        int pair = world->touches[c].pair;
        for (end = c + 1; end < world->touch_count && world->touches[end].pair == pair;)
            end++;
        status = look_at(world, c, end);
    }
    return status;
}

cairn_events cairn_world_events(const cairn_world* world)
{
    if (!world)
        return (cairn_events){0};
    return (cairn_events){.begun = world->begun.items,
                          .begun_count = world->begun.count,
                          .ended = world->ended.items,
                          .ended_count = world->ended.count};
}
