// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion over a substep: bodies drift with their velocities, those that were struck on the way by
// what they lag behind. Those that move far are traced (trace.c).

#include "world/step/integrate.h"
#include "world/step/rotation.h"
#include "world/step/trace.h"

// Whether a struck contact leaves its bodies the whole of their lags: each was struck once.
static bool is_clean(const cairn_touch* touch, const cairn_group* group)
{
    const cairn_lag *a = &group->lags[touch->a], *b = &group->lags[touch->b];
    bool once_a = a->hits <= 1 || group->local[touch->a] < 0;
    bool once_b = b->hits <= 1 || group->local[touch->b] < 0;
    return touch->struck && !a->cut && !b->cut && once_a && once_b;
}

// Whether the bodies of a timed contact are apart where their drift and their lags lead them. They were
// struck in the order of time, and the rows of the substep saw where this puts them.
static bool ends_apart(const cairn_group* group, const cairn_world* world, const cairn_touch* touch,
                       double h)
{
    const double round_off = 1e-12; // of the distance
    if (!cairn_touch_is_timed(touch, world))
        return false;
    cairn_transform place[2];
    const int slots[2] = {touch->a, touch->b};
    for (int side = 0; side < 2; side++) {
        const cairn_body* body = &world->bodies[slots[side]];
        double time = body->type == CAIRN_BODY_STATIC || body->belt ? 0.0 : h;
        cairn_vec3 x = cairn_add(body->x, group->lags[slots[side]].by);
        place[side] = (cairn_transform){cairn_add_scaled(x, time, body->v), body->q};
    }
    double size = cairn_norm(cairn_sub(place[1].p, place[0].p));
    return cairn_touch_reach_at(touch, world, place[0], place[1]).gap >= -round_off * size;
}

// A lag must not lead into another contact: with `room` its gap without the lags, and `into` what
// they would take of it, both lags are shortened to room/into.
static bool shorten_lags(const cairn_group* group, cairn_world* world, double h)
{
    static const double round_off = 1.0 + 1e-12;
    bool shortened = false;
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        cairn_lag *a = &group->lags[touch->a], *b = &group->lags[touch->b];

        cairn_vec3 lag = cairn_sub(b->by, a->by);
        if (touch->gone || cairn_dot(lag, lag) == 0.0 || is_clean(touch, group) ||
            ends_apart(group, world, touch, h))
            continue;

        // where the bodies drift without lag, the gap becomes `room`; their lags take `into` of it
        cairn_reach reach = cairn_touch_reach(touch, world);
        double closing = cairn_dot(reach.n, cairn_touch_slip(touch, world, &reach));
        double into = -cairn_dot(reach.n, lag), room = fmax(reach.gap + h * closing, 0.0);
        if (into <= room * round_off)
            continue;

        a->by = cairn_scale(room / into, a->by);
        b->by = cairn_scale(room / into, b->by);
        a->cut = b->cut = shortened = true;
    }
    return shortened;
}

static bool any_lags(const cairn_group* group, const cairn_world* world)
{
    for (int i = 0; group->lags && i < world->body_count; i++)
        if (group->lags[i].hits > 0)
            return true;
    return false;
}

// puts struck bodies back by what they lag behind, and forgets the blows
static void take_lags(const cairn_group* group, cairn_world* world)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (cairn_body_active(body))
            body->x = cairn_add(body->x, group->lags[i].by);
        group->lags[i] = (cairn_lag){0};
    }
    for (int c = 0; c < world->touch_count; c++)
        world->touches[c].struck = false;
}

// moves all bodies by their velocities for h seconds
static void drift(const cairn_group* group, cairn_world* world, double h, cairn_step_report* report)
{
    enum { most_passes = 4 };

    // lags lead into no other contact
    bool lags = any_lags(group, world);
    for (int k = 0; k < most_passes && lags; k++)
        if (!shorten_lags(group, world, h))
            break;

    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (!body->alive || body->frozen || body->asleep || body->type == CAIRN_BODY_STATIC ||
            body->advanced || body->belt)
            continue;
        if (cairn_dot(body->v, body->v) == 0.0 && cairn_dot(body->w, body->w) == 0.0)
            continue;

        cairn_vec3 inertia =
            body->type == CAIRN_BODY_DYNAMIC ? body->inertia : cairn_vec(1.0, 1.0, 1.0);
        cairn_transform from = {body->x, body->q};

        // bodies that marched have moved already
        if (group->marched && group->marched[i]) {
            cairn_body_freeze_lost(world, body, from, report);
            continue;
        }

        body->x = cairn_add_scaled(body->x, h, body->v);
        cairn_rotate_freely(&body->q, &body->w, inertia, h);
        cairn_body_refresh(body);
        cairn_body_freeze_lost(world, body, from, report);
    }

    if (lags)
        take_lags(group, world);
}

cairn_status cairn_world_note_ways(cairn_way** ways, cairn_world* world, double h)
{
    *ways = NULL;
    bool any = false;
    for (int i = 0; i < world->body_count && !any; i++)
        any = cairn_body_is_swift(&world->bodies[i], h);
    if (!any)
        return CAIRN_OK;

    *ways = CAIRN_TAKE(&world->arena, cairn_way, world->body_count);
    if (!*ways)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        (*ways)[i] = (cairn_way){.w = body->w, .swift = cairn_body_is_swift(body, h)};
        if (body->alive && body->proxy >= 0)
            (*ways)[i].from = cairn_body_shape_pose(body);
    }
    return CAIRN_OK;
}

cairn_status cairn_world_arrive(cairn_group* group, cairn_world* world, const cairn_way* ways,
                                double h, cairn_step_report* report)
{
    drift(group, world, h, report);
    return ways ? cairn_world_trace(group, world, ways, h) : CAIRN_OK;
}

cairn_status cairn_world_drift(cairn_group* group, cairn_world* world, double h,
                               cairn_step_report* report)
{
    cairn_way* ways;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    cairn_status status = cairn_world_note_ways(&ways, world, h);
    if (status == CAIRN_OK)
        status = cairn_world_arrive(group, world, ways, h, report);
    cairn_arena_release(&world->arena, mark);
    return status;
}
