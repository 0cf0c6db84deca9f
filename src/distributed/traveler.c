// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A body from one rank to another, bit for bit: frames, masses and what its last steps have taught
// are those that it had. What belongs to its world (slot, box, contacts) it gets anew.

#include "distributed/ranks.h"
#include <stdlib.h>
#include <string.h>

static bool has_data(cairn_shape_kind kind)
{
    return kind == CAIRN_SHAPE_HULL || kind == CAIRN_SHAPE_MESH ||
           kind == CAIRN_SHAPE_HEIGHT_FIELD || kind == CAIRN_SHAPE_COMPOUND;
}

static int asset_of(const cairn_ranks* ranks, const cairn_body* body)
{
    for (int i = 0; i < ranks->asset_count && has_data(body->shape.kind); i++)
        if (ranks->assets[i].shape.data.hull == body->shape.data.hull &&
            ranks->assets[i].parts == body->parts)
            return i;
    return -1;
}

void cairn_traveler_take(cairn_traveler* out, const cairn_ranks* ranks, int slot)
{
    const cairn_body* body = &ranks->world->bodies[slot];
    memset(out, 0, sizeof *out);
    out->id = ranks->id[slot];
    out->asset = body->shaped ? asset_of(ranks, body) : -1;
    out->body = *body;
}

static bool reserve_slot(cairn_ranks* ranks, int slot)
{
    if (slot < ranks->slot_room)
        return true;

    int room = 2 * slot + 64;
    int64_t* id = realloc(ranks->id, (size_t)room * sizeof *id);
    if (id)
        ranks->id = id;
    int* leaf = realloc(ranks->leaf, (size_t)room * sizeof *leaf);
    if (leaf)
        ranks->leaf = leaf;

    if (!id || !leaf)
        return false;

    for (int i = ranks->slot_room; i < room; i++) {
        id[i] = -1;
        leaf[i] = 0;
    }

    ranks->slot_room = room;
    return true;
}

// copies all of a body but what belongs to its slot
static void imprint(cairn_body* body, const cairn_body* from, bool copy)
{
    cairn_body own = *body;
    *body = *from;

    // the slot keeps its own identity and memory
    body->generation = own.generation;
    body->proxy = own.proxy;
    body->shape = own.shape;
    body->parts = own.parts;
    body->pose = own.pose;
    body->user = own.user;
    body->next_asleep = own.next_asleep;
    body->moved = own.moved;
    body->shifted = own.shifted;
    body->replaced = own.replaced;

    body->asleep = false;
    body->spread = false;
    body->copy = copy;
}

cairn_status cairn_traveler_settle(cairn_ranks* ranks, const cairn_traveler* from, bool copy,
                                   int* slot, cairn_error* error)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_shape shape = from->body.shape;
    cairn_body_id id;
    const cairn_body* body = &from->body;
    if (from->asset >= 0) {
        shape = ranks->assets[from->asset].shape;
        def.parts = ranks->assets[from->asset].parts;
    }

    // a body of the same shape at the same place, which then becomes the traveler
    def.shape = body->shaped ? &shape : NULL;
    def.mass = 1.0 / body->inverse_mass;
    def.inertia = cairn_mat3_diagonal(1.0, 1.0, 1.0);
    def.category = body->category;
    def.mask = body->mask;
    def.material = body->material;

    // the frame of the body from its center of mass and principal axes
    cairn_quat q = cairn_quat_multiply(body->q, cairn_quat_conjugate(body->principal.q));
    def.pose = (cairn_transform){cairn_sub(body->x, cairn_rotate(q, body->principal.p)), q};
    def.centered = true;
    def.center = body->principal.p;
    def.shape_offset = cairn_transform_multiply(body->principal, body->offset);

    cairn_status status = cairn_world_add_body(ranks->world, &def, &id, error);
    if (status != CAIRN_OK)
        return status;

    *slot = id.index;
    if (!reserve_slot(ranks, *slot))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a body of another rank");

    // everything else, velocities and inertia too, is a copy of the traveler
    imprint(&ranks->world->bodies[*slot], body, copy);
    ranks->id[*slot] = from->id;
    return CAIRN_OK;
}

cairn_status cairn_ranks_remove(cairn_ranks* ranks, int slot, cairn_error* error)
{
    ranks->id[slot] = -1;
    ranks->world->bodies[slot].copy = ranks->world->bodies[slot].spread = false;
    return cairn_world_remove_body(ranks->world, cairn_world_body_at(ranks->world, slot), error);
}
