// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of fast bodies are found anew within a step. The points of a contact are anchored to
// their bodies and its normal stands still, so that its gap is right to first order: once the
// bodies, of radius ρ, have moved by m against each other it is wrong by about
//
//     m² / 2ρ,        m = (time since the pair was looked at) (|u| + ρ |ω_B - ω_A|),
//
// u the relative velocity at the contact. Where this is more than a gap that counts as closed, and
// the pair may meet, it is looked at again: after the motion of a substep and before overlaps are
// pushed away, so that these are true ones, and so are the contacts of the next substep. Impulses
// follow their features. A contact that is gone waits, with its impulse for the user, and takes no
// further part.
//
// Islands that meet are solved as one from then on. What was found at rest has been solved for the
// whole step: whoever meets it waits for the next one.

#include "world/retouch.h"
#include "world/pack.h"
#include <string.h>

static const double least_motion = 2e-3; // m: slower bodies are not looked at

// ---------------------------------------------------------------- which pairs

// what a first look at a pair needs to know of a body, close together in memory
typedef struct mover {
    cairn_vec3 v;
    double turn, radius; // m/s: of its surface; m
    double gain;         // m/s: of its surface, since the step began
    bool swift;          // it moved at all
    bool stepped;        // by the laws of motion, and not at rest
    bool rested;
} mover;

typedef struct renewal {
    cairn_group* group;
    const cairn_span* span;
    double elapsed; // s: since the step began
    double left;    // s: of it
    int substep;
    const mover* movers; // of each body
    double unseen;       // m/s: more than this no pair can have gained on what it was looked at for
    bool renewed, joined; // some pair was looked at again; some joins two islands
} renewal;

static bool list_movers(mover* movers, const cairn_group* group, const cairn_world* world,
                        double time)
{
    bool any = false;
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        bool moves = body->alive && !body->asleep && !body->frozen && body->type != CAIRN_STATIC;
        bool active = group->local[i] >= 0;
        mover m = {.v = body->v, .radius = body->radius};
        m.turn = moves ? body->radius * cairn_norm(body->w) : 0.0;
        m.gain = cairn_norm(cairn_sub(body->v, group->start[2 * i])) +
                 body->radius * cairn_norm(cairn_sub(body->w, group->start[2 * i + 1]));
        m.swift = moves && time * (cairn_norm(body->v) + m.turn) > least_motion;
        m.rested = active && group->islands[group->island_of[i]].rested;
        m.stepped = active && !m.rested;
        any = any || m.swift;
        movers[i] = m;
    }
    return any;
}

// the radius of the smaller body; a half-space has none
static double smaller(double a, double b)
{
    return a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
}

// how fast the two surfaces move against each other where they are about to touch
static double speed_at(const cairn_touch* touch, const cairn_body* a, const cairn_body* b)
{
    cairn_vec3 r_a = cairn_rotate(a->q, touch->at_a), r_b = cairn_rotate(b->q, touch->at_b);
    cairn_vec3 u =
        cairn_sub(cairn_add(b->v, cairn_cross(b->w, r_b)), cairn_add(a->v, cairn_cross(a->w, r_a)));
    return cairn_norm(u);
}

static double gap_at(const cairn_touch* touch, const cairn_body* a, const cairn_body* b)
{
    cairn_vec3 at_a = cairn_add(a->x, cairn_rotate(a->q, touch->at_a));
    cairn_vec3 at_b = cairn_add(b->x, cairn_rotate(b->q, touch->at_b));
    return cairn_dot(cairn_sub(at_b, at_a), touch->n);
}

// the touches of a pair: its range, then those that were found since the step began
static int first_touch(const cairn_pair_state* pair)
{
    return pair->touch_count > 0 ? pair->touch : pair->extra - 1;
}

static int next_touch(const cairn_world* world, const cairn_pair_state* pair, int c)
{
    if (c >= pair->touch && c + 1 < pair->touch + pair->touch_count)
        return c + 1;
    bool ranged = c >= pair->touch && c < pair->touch + pair->touch_count;
    return (ranged ? pair->extra : world->touches[c].next) - 1;
}

// Most pairs move little against each other and hardly faster than they did when the step began:
// bounds tell, and neither the pair nor its contacts need be looked at. What was found at rest is
// left alone.
static bool worth_a_look(const mover* a, const mover* b, const renewal* job)
{
    if (!(a->swift || b->swift) || !(a->stepped || b->stepped) || a->rested || b->rested)
        return false;
    double moved = job->elapsed * (cairn_norm(cairn_sub(b->v, a->v)) + 2.0 * (a->turn + b->turn));
    return moved * moved > 2.0 * smaller(a->radius, b->radius) * job->span->world->touching ||
           a->gain + b->gain > job->unseen;
}

static bool outdated(const cairn_world* world, const cairn_pair* close, const renewal* job)
{
    const cairn_pair_state* pair = &world->pairs[close->slot];
    int ia = world->proxy_body[close->a], ib = world->proxy_body[close->b];
    const cairn_body *a = &world->bodies[ia], *b = &world->bodies[ib];
    bool renewed = pair->renewed == world->step + 1;
    double age = renewed ? (job->substep - pair->renewed_at) * job->span->h : job->elapsed;
    double ahead = job->left > 0.0 ? job->span->h : 0.0;
    // points that were too far away to be seen
    double most = cairn_norm(cairn_sub(b->v, a->v)) + job->movers[ia].turn + job->movers[ib].turn;
    if ((age + ahead) * most > pair->margin)
        return true;
    double speed = 0.0, gap = INFINITY, size = smaller(a->radius, b->radius);
    for (int c = first_touch(pair); c >= 0; c = next_touch(world, pair, c)) {
        const cairn_touch* touch = &world->touches[c];
        if (touch->gone)
            continue;
        speed = fmax(speed, speed_at(touch, a, b));
        gap = fmin(gap, gap_at(touch, a, b));
    }
    speed += size * cairn_norm(cairn_sub(b->w, a->w));
    double moved = age * speed;
    return moved * moved > 2.0 * size * world->touching && gap < moved + ahead * speed;
}

static cairn_island* island_of(const cairn_group* group, int slot)
{
    return group->local[slot] < 0 ? NULL : &group->islands[group->island_of[slot]];
}

// ---------------------------------------------------------------- new points

static cairn_touch* same_feature(cairn_world* world, const cairn_pair_state* pair,
                                 const cairn_touch* touch)
{
    for (int c = first_touch(pair); c >= 0; c = next_touch(world, pair, c)) {
        cairn_touch* old = &world->touches[c];
        if (old->feature == touch->feature && old->part_a == touch->part_a &&
            old->part_b == touch->part_b)
            return old;
    }
    return NULL;
}

static cairn_status put(cairn_world* world, cairn_pair_state* pair, cairn_touch* touch,
                        bool* changed)
{
    cairn_touch* old = same_feature(world, pair, touch);
    if (old) {
        touch->impulse = old->impulse;
        touch->spin_impulse = old->spin_impulse;
        touch->span = old->span;
        touch->total = old->total;
        touch->next = old->next;
        *changed = *changed || old->gone;
        *old = *touch;
        old->moved = true;
        return CAIRN_OK;
    }
    *changed = true;
    if (!cairn_world_reserve_touches(world, world->touch_count + 1))
        return CAIRN_NO_MEMORY;
    touch->next = pair->extra;
    touch->moved = true;
    world->touches[world->touch_count++] = *touch;
    pair->extra = world->touch_count;
    return CAIRN_OK;
}

// contacts of the island will change: its layout for sweeps hands its impulses back
static void unpack(const renewal* job, cairn_island* island)
{
    cairn_span own = *job->span;
    if (!island)
        return;
    own.island = island;
    island->redrawn = true;
    if (island->pack && !island->pack->stale)
        cairn_pack_yield(&own);
}

// layouts follow contacts that moved; where some came or went they are made anew
static void repack(const renewal* job)
{
    cairn_span own = *job->span;
    for (int i = 0; i < job->group->count; i++) {
        own.island = &job->group->islands[i];
        if (own.island->recast && own.island->pack) {
            own.island->spare = own.island->pack;
            own.island->pack = NULL;
        }
        if (own.island->redrawn && own.island->pack)
            cairn_pack_redraw(&own);
        own.island->redrawn = own.island->recast = false;
    }
}

static cairn_status renew(renewal* job, const cairn_pair* close)
{
    cairn_world* world = job->span->world;
    cairn_pair_state* pair = &world->pairs[close->slot];
    int a = world->proxy_body[close->a], b = world->proxy_body[close->b];
    const cairn_body *at_a = &world->bodies[a], *at_b = &world->bodies[b];
    cairn_island *first = island_of(job->group, a), *second = island_of(job->group, b);
    unpack(job, first);
    unpack(job, second);
    bool changed = false;
    job->renewed = true;
    cairn_status status = cairn_pair_look_again(world, close, job->left);
    pair->renewed = world->step + 1;
    pair->renewed_at = job->substep;
    for (int c = first_touch(pair); c >= 0; c = next_touch(world, pair, c))
        world->touches[c].moved = false;
    for (int m = 0; m < pair->contacts.count; m++) {
        const cairn_manifold* manifold = &pair->contacts.manifolds[m];
        for (int k = 0; k < manifold->count && status == CAIRN_OK; k++) {
            cairn_touch touch = cairn_touch_at(world, close, manifold, k);
            status = put(world, pair, &touch, &changed);
        }
    }
    for (int c = first_touch(pair); c >= 0; c = next_touch(world, pair, c)) {
        cairn_touch* touch = &world->touches[c];
        if (touch->moved || touch->gone || gap_at(touch, at_a, at_b) > pair->margin)
            continue;
        cairn_touch_start(touch, cairn_vec(0.0, 0.0, 0.0), 0.0, 0.0);
        touch->gone = changed = true;
    }
    job->joined = job->joined || (changed && first && second && first != second);
    if (changed && first)
        first->recast = true;
    if (changed && second)
        second->recast = true;
    return status;
}

cairn_status cairn_world_retouch(cairn_group* group, const cairn_span* span, int substep)
{
    int count;
    cairn_world* world = span->world;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    if (count == 0)
        return CAIRN_OK;
    renewal job = {.group = group, .span = span, .elapsed = (substep + 1) * span->h};
    job.substep = substep;
    job.left = span->last ? 0.0 : (world->def.substeps - substep - 1) * span->h;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    mover* movers = CAIRN_TAKE(&world->arena, mover, world->body_count);
    if (!movers)
        return CAIRN_NO_MEMORY;
    bool any = list_movers(movers, group, world, job.elapsed);
    job.movers = movers;
    double dt = span->h * world->def.substeps;
    job.unseen = world->def.contact_margin / dt + dt * cairn_norm(world->def.gravity);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && any && status == CAIRN_OK; i++) {
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        if (worth_a_look(&movers[a], &movers[b], &job) && outdated(world, &pairs[i], &job))
            status = renew(&job, &pairs[i]);
    }
    cairn_arena_release(&world->arena, mark);
    if (status != CAIRN_OK || !job.renewed)
        return status;
    group->renewed = true;
    repack(&job);
    return job.joined ? cairn_group_again(group, world) : cairn_group_touches(group, world);
}

// ---------------------------------------------------------------- the end of the step

static bool forgotten(const cairn_touch* touch)
{
    return touch->gone && cairn_dot(touch->total, touch->total) == 0.0;
}

// a contact as the user sees it after the step
static void look_again(cairn_world* world, cairn_touch* touch)
{
    cairn_touch_refresh(touch, world);
    if (touch->gone)
        touch->gap = fmax(touch->gap, 0.0);
    touch->next = 0;
    touch->moved = false;
}

// the order of pairs; what is forgotten comes last; returns how many are not
static int list_order(int* order, cairn_world* world)
{
    int count, kept = 0, lost = world->touch_count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    for (int i = 0; i < count; i++) {
        cairn_pair_state* pair = &world->pairs[pairs[i].slot];
        if (pair->asleep)
            continue;
        int begin = kept;
        for (int c = first_touch(pair), next; c >= 0; c = next) {
            next = next_touch(world, pair, c);
            order[forgotten(&world->touches[c]) ? --lost : kept++] = c;
            if (pair->renewed == world->step + 1)
                look_again(world, &world->touches[c]);
        }
        pair->touch = begin;
        pair->touch_count = kept - begin;
        pair->extra = 0;
    }
    return kept;
}

// to[i] = from[order[i]], cycle by cycle
static void permute(cairn_touch* touches, int* order, int count)
{
    for (int i = 0; i < count; i++) {
        if (order[i] == i)
            continue;
        cairn_touch first = touches[i];
        int to = i;
        for (int from = order[to]; from != i; from = order[to]) {
            touches[to] = touches[from];
            order[to] = to;
            to = from;
        }
        touches[to] = first;
        order[to] = to;
    }
}

cairn_status cairn_world_sort_touches(const cairn_group* group, cairn_world* world)
{
    if (!group->renewed)
        return CAIRN_OK;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    int* order = CAIRN_TAKE(&world->arena, int, world->touch_count);
    if (!order)
        return CAIRN_NO_MEMORY;
    int kept = list_order(order, world);
    permute(world->touches, order, world->touch_count);
    world->touch_count = kept;
    cairn_arena_release(&world->arena, mark);
    return cairn_world_reserve_contacts(world) ? CAIRN_OK : CAIRN_NO_MEMORY;
}
