// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sleep. Bodies that are joined by contacts (also open ones of the contact problem) and joints form
// islands. A body is at rest in a step when its island was solved to the tolerance and left it with
// no more velocity than such a solve leaves (sleep_speed): that is a certificate, not a guess that
// what is slow has stopped; standing.c gives another one to what trembles within a loose tolerance.
// A body that starts to slide, a pendulum at its turning point, a load on a creeping carrier are
// slow as well, but not for ten steps and sleep_time. An island whose bodies have all been at rest
// for so long falls asleep as a whole: its velocities become zero, its contacts with their impulses
// are put aside, and until it wakes it costs nothing and keeps its bits. Bodies that overlap do not
// sleep: they are still being pushed apart. An island that nothing holds (no contact with and no
// joint to what does not move) sleeps only when it is exactly at rest, so that slow free motion is
// not stopped.
//
// It wakes as a whole: when a body that moves comes so close that the contact problem would see
// both, when a body or joint of it is touched through the API, when what holds it is moved or
// removed, when gravity changes. Two bodies in one contact problem are thus either both awake or
// one of them does not move at all, and no impulse is ever lost to a sleeping body.

#include "world/sleep/sleep.h"
#include "math/array.h"
#include "world/step/island.h"
#include "world/step/undo.h"
#include <string.h>

// ---------------------------------------------------------------- waking

void cairn_world_wake(cairn_world* world, int slot)
{
    cairn_body* body = &world->bodies[slot];
    body->still = body->stood = body->wait = 0.0;
    if (!body->asleep)
        return;
    // each round wakes one body: the ring ends at one that is awake already
    for (int i = slot; world->bodies[i].asleep; i = world->bodies[i].next_asleep) {
        cairn_body* member = &world->bodies[i];
        member->asleep = false;
        member->still = member->stood = member->wait = 0.0;
        world->asleep--;
    }
}

void cairn_world_wake_all(cairn_world* world)
{
    if (cairn_world_may_change(world, NULL) != CAIRN_OK)
        return;
    for (int i = 0; i < world->body_count && world->asleep > 0; i++)
        cairn_world_wake(world, i);
}

void cairn_world_wake_around(cairn_world* world, int slot)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    cairn_world_wake(world, slot);
    for (int i = 0; i < count && world->asleep > 0; i++) {
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        bool touched = world->pairs[pairs[i].slot].touch_count > 0;
        if (touched && (a == slot || b == slot))
            cairn_world_wake(world, a == slot ? b : a);
    }
}

// a body that can wake another: one that is stepped, or one that was or will be moved
static bool stirs(const cairn_body* body)
{
    if (cairn_body_active(body))
        return true;
    bool placed = body->type != CAIRN_BODY_DYNAMIC && body->moved;
    bool driven = body->type == CAIRN_BODY_KINEMATIC && !body->frozen &&
                  (cairn_norm(body->v) > 0.0 || cairn_norm(body->w) > 0.0);
    return body->alive && (placed || driven);
}

static bool has_points(cairn_world* world, const cairn_pair* pair, const cairn_found* found)
{
    for (int m = 0; m < found->count; m++) {
        const cairn_patch* patch = &found->patches[m];
        if (patch->count > 0 && !cairn_patch_refused(world, pair, patch, found->points))
            return true;
    }
    return false;
}

// wakes the sleeping side of pairs that come together; says whether it woke one
static cairn_status wake_pairs(bool* woke, cairn_world* world, double dt)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    for (int i = 0; i < count && world->asleep > 0; i++) {
        // a sleeper and a body that moves, and that may touch it
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        int sleeper = world->bodies[a].asleep ? a : b, other = a + b - sleeper;
        if (!world->bodies[sleeper].asleep || !stirs(&world->bodies[other]) ||
            cairn_pair_refused(world, a, b))
            continue;

        cairn_found found;
        cairn_status status = cairn_pair_collide(&found, world, &pairs[i], dt, &world->undo.log);
        bool touches = status == CAIRN_OK && has_points(world, &pairs[i], &found);
        if (touches)
            status = cairn_undo_note_sleepers(world, sleeper);
        if (status != CAIRN_OK)
            return status;

        if (!touches)
            continue;

        cairn_world_wake(world, sleeper);
        *woke = true;
    }
    return CAIRN_OK;
}

static cairn_status wake_links(bool* woke, cairn_world* world)
{
    for (int i = 0; i < world->link_count && world->asleep > 0; i++) {
        const cairn_link* link = &world->links[i];
        if (!link->alive || link->a == CAIRN_WORLD_BODY)
            continue;

        bool a = world->bodies[link->a].asleep, b = world->bodies[link->b].asleep;
        if (a == b || !stirs(&world->bodies[a ? link->b : link->a]))
            continue;

        int sleeper = a ? link->a : link->b;
        cairn_status status = cairn_undo_note_sleepers(world, sleeper);
        if (status != CAIRN_OK)
            return status;
        cairn_world_wake(world, sleeper);
        *woke = true;
    }
    return CAIRN_OK;
}

cairn_status cairn_world_wake_touched(cairn_world* world, double dt)
{
    cairn_status status = CAIRN_OK;
    // a body that wakes may wake others
    for (bool woke = true; woke && world->asleep > 0 && status == CAIRN_OK;) {
        woke = false;
        status = wake_links(&woke, world);
        if (status == CAIRN_OK)
            status = wake_pairs(&woke, world, dt);
    }
    return status;
}

// ---------------------------------------------------------------- contacts of sleeping pairs

static bool reserve_slept(cairn_world* world, int need)
{
    if (need <= world->slept_capacity)
        return true;
    int capacity = need + need / 2;
    cairn_touch* slept = CAIRN_GROW_ARRAY(world->slept, cairn_touch, world->slept_count, capacity);
    if (!slept)
        return false;
    world->slept = slept;
    world->slept_capacity = capacity;
    return true;
}

cairn_status cairn_world_pack_slept(cairn_world* world)
{
    if (!world->slept_stale)
        return CAIRN_OK;

    int count, kept = 0;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    cairn_arena_mark mark = cairn_arena_here(&world->arena);

    cairn_touch* old = CAIRN_TAKE(&world->arena, cairn_touch, world->slept_count);
    if (!old)
        return CAIRN_NO_MEMORY;
    if (world->slept_count > 0)
        memcpy(old, world->slept, (size_t)world->slept_count * sizeof *old);

    // in the order of the pairs
    for (int i = 0; i < count; i++) {
        cairn_pair_state* pair = &world->pairs[pairs[i].slot];
        if (!pair->asleep || pair->touch_count == 0)
            continue;
        memcpy(world->slept + kept, old + pair->touch, (size_t)pair->touch_count * sizeof *old);
        pair->touch = kept;
        kept += pair->touch_count;
    }

    world->slept_count = kept;
    world->slept_stale = false;
    world->slept_shown = false;
    cairn_arena_release(&world->arena, mark);
    return CAIRN_OK;
}

static bool is_resting(const cairn_world* world, const cairn_pair* pair)
{
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    return (a->asleep || b->asleep) && !cairn_body_active(a) && !cairn_body_active(b);
}

// moves the touches of pairs that fell asleep aside, to be packed; the others close ranks
static cairn_status put_touches_aside(cairn_world* world)
{
    int count, kept = 0, aside = 0;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    for (int i = 0; i < count; i++) {
        const cairn_pair_state* pair = &world->pairs[pairs[i].slot];
        if (!pair->asleep && is_resting(world, &pairs[i]))
            aside += pair->touch_count;
    }

    if (!reserve_slept(world, world->slept_count + aside))
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        cairn_pair_state* pair = &world->pairs[pairs[i].slot];
        if (pair->asleep)
            continue;
        pair->asleep = is_resting(world, &pairs[i]);

        // the lists may not be there yet when no pair that fell asleep touches
        if (pair->touch_count > 0) {
            cairn_touch* to =
                pair->asleep ? world->slept + world->slept_count : world->touches + kept;
            memmove(to, world->touches + pair->touch, (size_t)pair->touch_count * sizeof *to);
            for (int k = 0; k < pair->touch_count && pair->asleep; k++)
                cairn_touch_anchor(&to[k], world);
        }
        pair->touch = pair->asleep ? world->slept_count : kept;
        *(pair->asleep ? &world->slept_count : &kept) += pair->touch_count;
    }

    world->touch_count = kept;
    world->slept_stale = true;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- falling asleep

// what is known of the island of which a body is the root
typedef struct island {
    int parent;
    double still, speed; // s: of the body that moved last; m/s: of the fastest
    bool held;
    int last; // while the ring of its members is made
    // and of the body itself
    bool active, stirred; // one that moves from outside touches it
    double rate;          // m/s: its speed
} island;

static int find(island* islands, int i)
{
    while (islands[i].parent != i) {
        islands[i].parent = islands[islands[i].parent].parent;
        i = islands[i].parent;
    }
    return i;
}

// joins the islands of two bodies that act on each other; one may be the world, or not be stepped
static void join(cairn_world* world, island* islands, int a, int b, bool holds)
{
    bool moves_a = a != CAIRN_WORLD_BODY && cairn_body_active(&world->bodies[a]);
    bool moves_b = b != CAIRN_WORLD_BODY && cairn_body_active(&world->bodies[b]);

    // both are stepped: one island; the lower root wins, whatever the order of the touches
    if (moves_a && moves_b) {
        a = find(islands, a);
        b = find(islands, b);
        islands[a > b ? a : b].parent = a > b ? b : a;
    } else if (moves_a || moves_b) {
        int mover = moves_a ? a : b, other = moves_a ? b : a;
        islands[mover].held = islands[mover].held || holds;
        if (other != CAIRN_WORLD_BODY && stirs(&world->bodies[other])) {
            world->bodies[mover].still = 0.0;
            islands[mover].stirred = true;
        }
    }
}

static double speed_of(const cairn_body* body)
{
    double lever = body->radius > 0.0 ? body->radius : 1.0;
    return fmax(cairn_norm(body->v), lever * cairn_norm(body->w));
}

// Whether two bodies overlap by more than a resting contact may, which is the slop and the gap that
// counts as closed. A deeper overlap is still being pushed out, however slow the bodies are.
// Without stabilization overlaps are never removed, and keep no body awake.
static bool is_deep(const cairn_world* world, const cairn_touch* touch)
{
    return world->def.stabilization != CAIRN_STABILIZE_NONE && !touch->gone &&
           touch->gap < -(world->def.slop + world->touching);
}

static void join_all(cairn_world* world, island* islands, double dt)
{
    // how long each body has been calm
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        islands[i] = (island){.parent = i, .still = INFINITY, .last = -1};
        if (!cairn_body_active(body))
            continue;
        islands[i].active = true;
        islands[i].rate = speed_of(body);

        bool calm = islands[i].rate <= world->def.sleep_speed && !body->sleepless;
        body->still = calm ? body->still + dt : 0.0;
    }

    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        join(world, islands, touch->a, touch->b, cairn_dot(touch->total, touch->n) > 0.0);

        if (is_deep(world, touch))
            world->bodies[touch->a].still = world->bodies[touch->b].still = 0.0;
    }

    for (int i = 0; i < world->link_count; i++)
        if (cairn_link_active(world, &world->links[i]))
            join(world, islands, world->links[i].a, world->links[i].b, true);

    // an island has been calm as long as its most restless body
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        if (!cairn_body_active(body))
            continue;

        island* root = &islands[find(islands, i)];
        root->still = fmin(root->still, body->still);
        root->speed = fmax(root->speed, speed_of(body));
        root->held = root->held || islands[i].held;
    }
}

// puts a body to sleep and into the ring of its island
static void lay_down(cairn_world* world, island* root, int slot)
{
    cairn_body* body = &world->bodies[slot];
    cairn_body* before = root->last >= 0 ? &world->bodies[root->last] : body;
    body->asleep = true;
    body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
    body->moved = true; // its box is brought up to date once more
    body->next_asleep = root->last >= 0 ? before->next_asleep : slot;
    before->next_asleep = slot;
    root->last = slot;
    world->asleep++;
}

// counts for how long bodies have stood; after the last point of failure, since no undo knows where
static void watch_all(cairn_world* world, const island* islands, double dt)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (islands[i].active)
            cairn_body_watch(body, islands[i].rate, dt);
        if (islands[i].stirred)
            body->stood = 0.0;
    }
}

cairn_status cairn_world_fall_asleep(cairn_world* world, double dt)
{
    if (!world->def.sleep)
        return cairn_world_pack_slept(world);

    cairn_arena_reset(&world->arena);
    island* islands = CAIRN_TAKE(&world->arena, island, world->body_count);
    int before = world->asleep;
    if (!islands)
        return CAIRN_NO_MEMORY;

    // ten steps, whatever is left of the last of them by round-off
    double enough = fmax(world->def.sleep_time, 9.5 * dt);
    join_all(world, islands, dt);

    for (int i = 0; i < world->body_count; i++) {
        if (!cairn_body_active(&world->bodies[i]))
            continue;
        island* root = &islands[find(islands, i)];
        if (root->still >= enough && (root->held || root->speed == 0.0))
            lay_down(world, root, i);
    }

    cairn_status status = world->asleep > before ? put_touches_aside(world) : CAIRN_OK;
    if (status == CAIRN_OK)
        status = cairn_world_pack_slept(world);
    if (status == CAIRN_OK)
        watch_all(world, islands, dt);
    return status;
}
