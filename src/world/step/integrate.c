// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion over a substep, and a swept test of those that move far in it. Contacts of a fast body are
// found while it is still apart, and are right to first order; a blow that sets a long body
// spinning by turns within the substep takes it elsewhere. So a body, no ball, that moves by more
// than half of its radius goes no farther than where it first meets another,
//
//     x = x(t),     t = min over its close pairs of the time of impact,
//
// along straight lines and by the smaller angle from its place before to its place after. Its
// velocity stays: the contact is seen there in the next substep, close by.

#include "world/step/integrate.h"
#include "world/step/rotation.h"

static const double far_share = 0.5; // of the radius

static bool swift(const cairn_body* body, double h)
{
    if (!cairn_body_active(body) || body->advanced || body->proxy < 0 ||
        body->shape.kind == CAIRN_SHAPE_SPHERE)
        return false;
    double way = h * (cairn_norm(body->v) + body->radius * cairn_norm(body->w));
    return way > far_share * body->radius;
}

// Whether a struck contact leaves its bodies the whole of their lags: each was struck once.
static bool is_clean(const cairn_touch* touch, const cairn_group* group)
{
    const cairn_lag *a = &group->lags[touch->a], *b = &group->lags[touch->b];
    bool once_a = a->hits <= 1 || group->local[touch->a] < 0;
    bool once_b = b->hits <= 1 || group->local[touch->b] < 0;
    return touch->struck && !a->cut && !b->cut && once_a && once_b;
}

// What bodies lag behind leads into no other contact: with `room` what its gap will be without it,
// both lags are shortened to room/into.
static bool shorten_lags(const cairn_group* group, cairn_world* world, double h)
{
    static const double round_off = 1.0 + 1e-12;
    bool shortened = false;
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        cairn_lag *a = &group->lags[touch->a], *b = &group->lags[touch->b];
        cairn_vec3 lag = cairn_sub(b->by, a->by);
        if (touch->gone || cairn_dot(lag, lag) == 0.0 || is_clean(touch, group))
            continue;
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
    bool lags = any_lags(group, world);
    for (int k = 0; k < most_passes && lags; k++)
        if (!shorten_lags(group, world, h))
            break;
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (!body->alive || body->frozen || body->asleep || body->type == CAIRN_BODY_STATIC ||
            body->advanced)
            continue;
        if (cairn_dot(body->v, body->v) == 0.0 && cairn_dot(body->w, body->w) == 0.0)
            continue;
        cairn_vec3 inertia =
            body->type == CAIRN_BODY_DYNAMIC ? body->inertia : cairn_vec(1.0, 1.0, 1.0);
        cairn_transform from = {body->x, body->q};
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

// where a body was before, whether it may have passed something, and how much of its way it goes
typedef struct way {
    cairn_transform from; // of its shape
    bool swift;
    double share;
    int other; // slot of the one that it meets
} way;

// the share of their ways after which two bodies meet
static double meeting(const cairn_world* world, const cairn_body* a, const way* wa,
                      const cairn_body* b, const way* wb)
{
    double t = 1.0;
    cairn_sweep ma = {wa->from, cairn_body_shape_pose(a)},
                mb = {wb->from, cairn_body_shape_pose(b)};
    double gap = cairn_distance(&a->shape, ma.from, &b->shape, mb.from).gap;
    if (!(gap > 0.0 && gap < INFINITY))
        return 1.0;
    double target = fmin(world->touching, 0.5 * gap);
    bool hit = cairn_time_of_impact(&a->shape, &ma, &b->shape, &mb, target, &t) == CAIRN_IMPACT_HIT;
    return hit ? t : 1.0;
}

// puts a body where it meets the other one, and along with that one from there on, unless it is
// held back as well
static void hold_back(cairn_world* world, const way* ways, int slot)
{
    cairn_body* body = &world->bodies[slot];
    const way *w = &ways[slot], *other = &ways[w->other];
    cairn_sweep sweep = {w->from, cairn_body_shape_pose(body)};
    cairn_transform centered = cairn_transform_relative(body->offset, cairn_transform_identity());
    cairn_transform at = cairn_sweep_at(&sweep, w->share);
    if (!other->swift) {
        cairn_sweep carrier = {other->from, cairn_body_shape_pose(&world->bodies[w->other])};
        cairn_transform seen = cairn_transform_relative(cairn_sweep_at(&carrier, w->share), at);
        at = cairn_transform_multiply(carrier.to, seen);
    }
    at = cairn_transform_multiply(at, centered);
    body->x = at.p;
    body->q = cairn_quat_normalize(at.q);
    cairn_body_refresh(body);
}

static void shorten(way* w, double share, int other)
{
    if (share < w->share) {
        w->share = share;
        w->other = other;
    }
}

static void hold(cairn_world* world, way* ways)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    for (int i = 0; i < count; i++) {
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        const cairn_body *body_a = &world->bodies[a], *body_b = &world->bodies[b];
        if (!(ways[a].swift || ways[b].swift) || body_a->frozen || body_b->frozen)
            continue;
        double t = meeting(world, body_a, &ways[a], body_b, &ways[b]);
        shorten(&ways[a], t, b);
        shorten(&ways[b], t, a);
    }
    for (int i = 0; i < world->body_count; i++)
        if (ways[i].swift && ways[i].share < 1.0 && !world->bodies[i].frozen)
            hold_back(world, ways, i);
}

cairn_status cairn_world_drift(const cairn_group* group, cairn_world* world, double h,
                               cairn_step_report* report)
{
    bool any = false;
    for (int i = 0; i < world->body_count && !any; i++)
        any = swift(&world->bodies[i], h);
    if (!any) {
        drift(group, world, h, report);
        return CAIRN_OK;
    }
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    way* ways = CAIRN_TAKE(&world->arena, way, world->body_count);
    if (!ways)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        ways[i] = (way){.swift = swift(body, h), .share = 1.0};
        if (body->alive && body->proxy >= 0)
            ways[i].from = cairn_body_shape_pose(body);
    }
    drift(group, world, h, report);
    hold(world, ways);
    cairn_arena_release(&world->arena, mark);
    return CAIRN_OK;
}
