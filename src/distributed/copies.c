// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which bodies other ranks need copies of. A body can touch in a step of dt what is within
//
//     ρ + margin + dt |v| + g dt²            ρ: its radius
//
// of its center; it is copied to the ranks that have bodies whose boxes, made the same way, meet
// its own. Each rank tells the others some boxes about its bodies. Copies that stay are told where
// their bodies are: both have moved them by the same velocities, and that is to stay so.

#include "distributed/ranks.h"
#include <stdlib.h>
#include <string.h>

static const cairn_aabb nothing = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};

static void widen(cairn_aabb* box, const cairn_aabb* by)
{
    box->lo =
        cairn_vec(fmin(box->lo.x, by->lo.x), fmin(box->lo.y, by->lo.y), fmin(box->lo.z, by->lo.z));
    box->hi =
        cairn_vec(fmax(box->hi.x, by->hi.x), fmax(box->hi.y, by->hi.y), fmax(box->hi.z, by->hi.z));
}

// where a body may touch something within a step
static cairn_aabb reach_of(const cairn_world* world, const cairn_body* body, double dt)
{
    double g = cairn_norm(world->def.gravity);
    double r = body->radius + world->def.contact_margin + dt * (cairn_norm(body->v) + g * dt);
    return (cairn_aabb){cairn_sub(body->x, cairn_vec(r, r, r)),
                        cairn_add(body->x, cairn_vec(r, r, r))};
}

// the boxes of all ranks
static void find_boxes(cairn_ranks* ranks, double dt)
{
    cairn_aabb own[cairn_rank_boxes];
    for (int k = 0; k < cairn_rank_boxes; k++)
        own[k] = nothing;
    for (int slot = 0; slot < ranks->world->body_count; slot++) {
        if (!cairn_rank_owns(ranks, slot))
            continue;
        cairn_aabb box = reach_of(ranks->world, &ranks->world->bodies[slot], dt);
        widen(&own[ranks->leaf[slot]], &box);
    }
    cairn_ranks_gather(ranks, own, sizeof own, ranks->boxes, MPI_COMM_WORLD);
}

// whether a box meets one of those of a rank; `all` is about them
static bool meets(const cairn_aabb* box, const cairn_aabb* boxes, const cairn_aabb* all)
{
    if (!cairn_aabb_overlap(box, all))
        return false;
    for (int k = 0; k < cairn_rank_boxes; k++)
        if (cairn_aabb_overlap(box, &boxes[k]))
            return true;
    return false;
}

static bool push(int** list, int* count, int* room, int value)
{
    if (*count == *room) {
        int more = 2 * *room + 64;
        int* grown = realloc(*list, (size_t)more * sizeof *grown);
        if (!grown)
            return false;
        *list = grown;
        *room = more;
    }
    (*list)[(*count)++] = value;
    return true;
}

// own bodies near those of a rank, ascending
static bool list_near(const cairn_ranks* ranks, int r, double dt, int** list, int* count)
{
    const cairn_aabb *boxes = ranks->boxes + (ptrdiff_t)r * cairn_rank_boxes,
                     *own = ranks->boxes + (ptrdiff_t)ranks->rank * cairn_rank_boxes;
    cairn_aabb all = nothing;
    bool near[cairn_rank_boxes], any = false;
    int room = 0;
    *list = NULL;
    *count = 0;

    // a rank whose boxes are far away gets nothing, without a look at single bodies
    for (int k = 0; k < cairn_rank_boxes; k++)
        widen(&all, &boxes[k]);
    for (int k = 0; k < cairn_rank_boxes; k++) {
        near[k] = meets(&own[k], boxes, &all);
        any = any || near[k];
    }

    // then the own boxes that are near, then the bodies in them
    for (int slot = 0; any && slot < ranks->world->body_count; slot++) {
        if (!cairn_rank_owns(ranks, slot) || !near[ranks->leaf[slot]])
            continue;
        cairn_aabb box = reach_of(ranks->world, &ranks->world->bodies[slot], dt);
        if (meets(&box, boxes, &all) && !push(list, count, &room, slot))
            return false;
    }
    return true;
}

// The message to a rank: how many bodies; of each its place in the list before, or -1; where all
// are; those that are new.
static bool write_copies(cairn_parcel* out, const cairn_ranks* ranks, const cairn_peer* peer,
                         const int* list, int count)
{
    if (!cairn_parcel_add(out, &count, sizeof count))
        return false;

    // both lists ascend, so one walk finds which bodies were there before
    bool fits = true;
    for (int i = 0, k = 0; i < count && fits; i++) {
        while (k < peer->own_count && peer->own[k] < list[i])
            k++;
        int before = k < peer->own_count && peer->own[k] == list[i] ? k : -1;
        fits = cairn_parcel_add(out, &before, sizeof before);
    }

    // positions and velocities of all
    for (int i = 0; i < count && fits; i++) {
        const cairn_body* body = &ranks->world->bodies[list[i]];
        cairn_motion_state state = {body->x, body->v, body->w, body->q};
        fits = cairn_parcel_add(out, &state, sizeof state);
    }

    // whole bodies, where they are new
    for (int i = 0, k = 0; i < count && fits; i++) {
        while (k < peer->own_count && peer->own[k] < list[i])
            k++;
        if (k < peer->own_count && peer->own[k] == list[i])
            continue;
        cairn_traveler traveler;
        cairn_traveler_take(&traveler, ranks, list[i]);
        fits = cairn_parcel_add(out, &traveler, sizeof traveler);
    }

    return fits;
}

static void place(cairn_body* body, const char* at)
{
    cairn_motion_state state;
    memcpy(&state, at, sizeof state);
    body->x = state.x;
    body->v = state.v;
    body->w = state.w;
    body->q = state.q;
    cairn_body_refresh(body);
}

// removes the copies that no longer are near
static cairn_status drop_old(cairn_ranks* ranks, cairn_peer* peer, const int* before, int count,
                             cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    bool* stays = calloc((size_t)peer->copy_count + 1, sizeof *stays);
    if (!stays)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for copies of bodies");
    for (int i = 0; i < count; i++)
        if (before[i] >= 0)
            stays[before[i]] = true;
    for (int k = 0; k < peer->copy_count && status == CAIRN_OK; k++)
        if (!stays[k])
            status = cairn_ranks_remove(ranks, peer->copies[k], error);
    free(stays);
    return status;
}

static cairn_status read_copies(cairn_ranks* ranks, cairn_peer* peer, const cairn_parcel* in,
                                cairn_error* error)
{
    const char* at = in->bytes;
    int count = 0, *list = NULL, listed = 0, room = 0;

    if (in->size > 0)
        memcpy(&count, at, sizeof count);

    int* before = calloc((size_t)count + 1, sizeof *before);
    if (!before)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for copies of bodies");
    if (count > 0)
        memcpy(before, at + sizeof count, (size_t)count * sizeof *before);

    // copies that are no longer near go; the others keep their slots
    cairn_status status = drop_old(ranks, peer, before, count, error);
    const char* states = at + ((size_t)count + 1) * sizeof count;
    const char* fresh = states + (size_t)count * sizeof(cairn_motion_state);

    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        // a copy that was here before is moved, another one is made
        int slot = before[i] >= 0 ? peer->copies[before[i]] : -1;
        if (slot < 0) {
            cairn_traveler traveler;
            memcpy(&traveler, fresh, sizeof traveler);
            fresh += sizeof traveler;
            status = cairn_traveler_settle(ranks, &traveler, true, &slot, error);
        }

        if (status == CAIRN_OK)
            place(&ranks->world->bodies[slot], states + (size_t)i * sizeof(cairn_motion_state));
        if (status == CAIRN_OK && !push(&list, &listed, &room, slot))
            status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for copies of bodies");
    }

    free(before);
    free(peer->copies);
    peer->copies = list;
    peer->copy_count = listed;
    peer->copy_room = room;
    return status;
}

cairn_status cairn_ranks_copy(cairn_ranks* ranks, double dt, cairn_error* error)
{
    cairn_parcel* out = calloc((size_t)ranks->count, sizeof *out);
    cairn_parcel* in = calloc((size_t)ranks->count, sizeof *in);

    bool fits = out && in;
    find_boxes(ranks, dt);

    // an empty list is sent to a rank that still has copies
    for (int r = 0; r < ranks->count && fits; r++) {
        int *list = NULL, count = 0;
        cairn_peer* peer = &ranks->peers[r];
        if (r != ranks->rank)
            fits = list_near(ranks, r, dt, &list, &count);
        if (fits && (count > 0 || peer->own_count > 0))
            fits = write_copies(&out[r], ranks, peer, list, count);
        free(peer->own);
        peer->own = list;
        peer->own_count = count;
    }

    cairn_status status =
        fits ? cairn_ranks_trade(ranks, out, in, error)
             : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for copies of bodies");
    for (int r = 0; r < ranks->count && status == CAIRN_OK; r++)
        status = read_copies(ranks, &ranks->peers[r], &in[r], error);

    cairn_parcels_free(out, ranks->count);
    cairn_parcels_free(in, ranks->count);

    ranks->traffic.copies = 0;
    for (int r = 0; r < ranks->count; r++)
        ranks->traffic.copies += ranks->peers[r].copy_count;
    return status == CAIRN_OK ? cairn_ranks_connect(ranks, error) : status;
}

cairn_status cairn_ranks_drop_copies(cairn_ranks* ranks, cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    for (int r = 0; r < ranks->count; r++) {
        cairn_peer* peer = &ranks->peers[r];
        for (int k = 0; k < peer->copy_count && status == CAIRN_OK; k++)
            status = cairn_ranks_remove(ranks, peer->copies[k], error);
        peer->own_count = peer->copy_count = 0;
    }
    return status;
}
