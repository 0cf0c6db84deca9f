// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the numbers of a world that was read say of each other. A step walks free lists, rings of
// sleeping bodies, proxies and pairs without looking twice: here is looked once.

#include "collide/broad.h"
#include "collide/shape/mesh.h"
#include "world/snapshot.h"
#include <stdlib.h>

// the free list holds every dead slot once
static bool free_slots_agree(const cairn_world* w)
{
    int dead = 0, walked = 0;

    for (int i = 0; i < w->body_count; i++)
        dead += !w->bodies[i].alive;

    // a list that comes back to itself would be longer than the dead slots are many
    for (int i = w->body_free; i != -1; walked++) {
        if (walked >= dead || w->bodies[i].alive)
            return false;

        double next = w->bodies[i].x.x;
        if (!(next >= -1.0 && next < w->body_count) || next != (int)next)
            return false;
        i = (int)next;
    }

    return walked == dead;
}

// Sleeping bodies form rings: each is the next one of exactly one other. `seen` has a flag for each
// slot, all false.
static bool rings_agree(const cairn_world* w, bool* seen)
{
    int asleep = 0;

    for (int i = 0; i < w->body_count; i++) {
        const cairn_body* body = &w->bodies[i];
        if (!body->alive || !body->asleep)
            continue;

        int next = body->next_asleep;
        if (next < 0 || !w->bodies[next].alive || !w->bodies[next].asleep || seen[next])
            return false;
        seen[next] = true;
        asleep++;
    }

    return asleep == w->asleep;
}

// each proxy in use is that of the body that says so, and its filter that of the body
static bool proxies_agree(const cairn_world* w)
{
    int owned = 0, used = 0;
    for (int i = 0; i < w->body_count; i++) {
        const cairn_body* body = &w->bodies[i];
        if (!body->alive || body->proxy < 0)
            continue;

        if (!body->shaped || !cairn_broad_has(w->broad, body->proxy) ||
            w->proxy_body[body->proxy] != i)
            return false;

        owned++;
    }

    for (int i = 0; i < cairn_broad_proxy_count(w->broad); i++)
        used += cairn_broad_has(w->broad, i);

    return owned == used;
}

static bool joints_agree(const cairn_world* w)
{
    int dead = 0;
    for (int i = 0; i < w->link_count; i++) {
        const cairn_link* link = &w->links[i];
        dead += !link->alive;
        if (!link->alive)
            continue;
        if (!w->bodies[link->b].alive || (link->a >= 0 && !w->bodies[link->a].alive))
            return false;
    }
    return dead == w->link_free;
}

// pieces that a part may be one of
static int pieces_of(const cairn_shape* shape)
{
    if (shape->kind == CAIRN_SHAPE_COMPOUND)
        return shape->data.compound->count;
    if (shape->kind == CAIRN_SHAPE_MESH)
        return cairn_mesh_triangle_count(shape->data.mesh);
    if (shape->kind == CAIRN_SHAPE_HEIGHT_FIELD) {
        cairn_height_field_def def = cairn_height_field_get_def(shape->data.field);
        return 2 * (def.count_x - 1) * (def.count_y - 1);
    }
    return 1;
}

static bool patches_agree(const cairn_contacts* contacts, int pieces_a, int pieces_b)
{
    for (int m = 0; m < contacts->count; m++)
        if (contacts->patches[m].part_a >= pieces_a || contacts->patches[m].part_b >= pieces_b)
            return false;
    return true;
}

// pairs have their touches within the lists and name parts that their shapes have
static bool pairs_agree(const cairn_world* w)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(w->broad, &count);
    for (int i = 0; i < count; i++) {
        const cairn_pair_state* pair = &w->pairs[pairs[i].slot];
        int end = pair->asleep ? w->slept_count : w->touch_count;
        if (pair->touch > end - pair->touch_count)
            return false;
        if (!cairn_broad_has(w->broad, pairs[i].a) || !cairn_broad_has(w->broad, pairs[i].b))
            continue; // it ends with the next step, and nobody looks at it before

        const cairn_body* a = &w->bodies[w->proxy_body[pairs[i].a]];
        const cairn_body* b = &w->bodies[w->proxy_body[pairs[i].b]];
        if (!patches_agree(&pair->contacts, pieces_of(&a->shape), pieces_of(&b->shape)))
            return false;
    }
    return true;
}

static bool sleepers_agree(const cairn_world* w)
{
    for (int i = 0; i < w->slept_count; i++) {
        const cairn_touch* t = &w->slept[i];
        const cairn_body *a = &w->bodies[t->a], *b = &w->bodies[t->b];
        if (!w->slept_stale && (!a->alive || !b->alive))
            return false;
        if (a->alive && b->alive && a->shaped && b->shaped && !w->slept_stale &&
            (t->part_a >= pieces_of(&a->shape) || t->part_b >= pieces_of(&b->shape)))
            return false;
    }
    return true;
}

cairn_status cairn_snapshot_agrees(const cairn_world* world, const char** what)
{
    bool* seen = calloc((size_t)world->body_count + 1, sizeof *seen);
    if (!seen)
        return CAIRN_NO_MEMORY;
    bool rings = rings_agree(world, seen);
    free(seen);

    const struct {
        bool sound;
        const char* name;
    } facts[] = {
        {rings, "its sleeping bodies"},
        {free_slots_agree(world), "its free slots"},
        {proxies_agree(world), "the broad phase"},
        {joints_agree(world), "a joint"},
        {pairs_agree(world), "a pair of bodies"},
        {sleepers_agree(world), "a contact of sleeping bodies"},
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        *what = facts[i].name;
        if (!facts[i].sound)
            return CAIRN_BAD_INPUT;
    }
    return CAIRN_OK;
}
