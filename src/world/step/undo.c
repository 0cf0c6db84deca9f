// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A step that does not return CAIRN_OK leaves the world as it was, to the bit, and so is its
// future. What a step changes before its last point of failure, and the way back:
//
//     broad phase            boxes and pairs            undone by itself (cairn_broad_begin)
//     bodies                 x q v w, clocks of rest,   noted for those that take part, and for
//                            asleep, frozen, moved      sleeping ones before they wake
//     joints                 warm start, angle,         noted for those that take part
//                            impulses of the step
//     pairs                  where their touches are,   noted for those that have touches or end
//                            asleep, touching
//     manifolds              all                        noted where the narrow phase changed them
//     touches                all                        the notes for the warm start, which is all
//                                                       that is read of them between steps
//     world                  counts of sleeping bodies  noted
//                            and touches
//
// All else that the user can see (time, step, contacts, events, reports of islands, forces, which
// frozen bodies are hidden) and the places where bodies were last seen to stand are written after
// the last point of failure, in publish.c. What is left follows from the state: poses of shapes and
// inertia in the world from x and q, margins and swings from the next detection, touches of
// sleeping pairs from being packed at the end. A pair is known to have been looked at in this step
// by the number of the attempt, which counts failed steps, too.
//
// Most notes are small and lie in an arena of their own. Manifolds are large, but those of bodies
// that stand do not change: such notes are dropped at once, and the memory of the others is given
// back with the end of the step.

#include "world/step/undo.h"
#include "collide/broad.h"
#include "world/threads.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- bodies and joints

enum { least_batch = 8 };

// room in the next batch: for as many notes as the last step had, or for half as many again as now
static int batch_of(int before, int now)
{
    int room = before > now ? before - now : now / 2;
    return room > least_batch ? room : least_batch;
}

typedef struct past_body {
    cairn_vec3 x, v, w;
    cairn_quat q;
    double still, stood, wait, inverse_mass;
    int slot;
    bool asleep, frozen, moved;
    cairn_pace pace;
} past_body;

typedef struct past_link {
    double turns, load, borne, warm[9], shares[3];
    cairn_vec3 impulse, twist;
    int slot;
} past_link;

// notes of one kind, some at a time, the newest first
struct cairn_undo_bodies {
    cairn_undo_bodies* older;
    int count, capacity;
    past_body items[];
};

struct cairn_undo_links {
    cairn_undo_links* older;
    int count, capacity;
    past_link items[];
};

static bool note_body(cairn_world* world, int slot)
{
    cairn_undo* undo = &world->undo;
    cairn_undo_bodies* to = undo->bodies;

    // notes lie in batches, newest first
    if (!to || to->count == to->capacity) {
        int capacity = batch_of(undo->bodies_before, undo->body_count);
        to = cairn_arena_take(&undo->arena, sizeof *to + (size_t)capacity * sizeof *to->items);
        if (!to)
            return false;
        *to = (cairn_undo_bodies){.older = undo->bodies, .capacity = capacity};
        undo->bodies = to;
    }

    undo->body_count++;
    const cairn_body* body = &world->bodies[slot];
    to->items[to->count++] = (past_body){.x = body->x,
                                         .v = body->v,
                                         .w = body->w,
                                         .q = body->q,
                                         .still = body->still,
                                         .stood = body->stood,
                                         .wait = body->wait,
                                         .inverse_mass = body->inverse_mass,
                                         .slot = slot,
                                         .asleep = body->asleep,
                                         .frozen = body->frozen,
                                         .moved = body->moved,
                                         .pace = body->pace};

    return true;
}

static void restore_body(cairn_world* world, const past_body* past)
{
    cairn_body* body = &world->bodies[past->slot];
    body->x = past->x;
    body->v = past->v;
    body->w = past->w;
    body->q = past->q;
    body->still = past->still;
    body->stood = past->stood;
    body->wait = past->wait;
    body->inverse_mass = past->inverse_mass;
    body->asleep = past->asleep;
    body->frozen = past->frozen;
    body->moved = past->moved;
    body->pace = past->pace;
    body->lost = body->advanced = body->yields = false;

    cairn_body_refresh(body);

    // the next step does not refresh the pose of a sleeping body
    if (body->asleep)
        body->pose = cairn_body_shape_pose(body);
}

void cairn_undo_place(cairn_world* world, int slot)
{
    cairn_body* body = &world->bodies[slot];
    for (const cairn_undo_bodies* list = world->undo.bodies; list; list = list->older)
        for (int i = 0; i < list->count; i++) {
            if (list->items[i].slot != slot)
                continue;
            body->x = list->items[i].x;
            body->q = list->items[i].q;
            return;
        }
}

void cairn_undo_mark_travelers(cairn_world* world)
{
    for (const cairn_undo_bodies* list = world->undo.bodies; list; list = list->older)
        for (int i = 0; i < list->count; i++) {
            const past_body* past = &list->items[i];
            cairn_body* body = &world->bodies[past->slot];
            body->traveled = memcmp(&body->x, &past->x, sizeof past->x) != 0 ||
                             memcmp(&body->q, &past->q, sizeof past->q) != 0;
        }
}

static bool note_link(cairn_world* world, int slot)
{
    cairn_undo* undo = &world->undo;
    cairn_undo_links* to = undo->links;

    if (!to || to->count == to->capacity) {
        int capacity = batch_of(undo->links_before, undo->link_count);
        to = cairn_arena_take(&undo->arena, sizeof *to + (size_t)capacity * sizeof *to->items);
        if (!to)
            return false;
        *to = (cairn_undo_links){.older = undo->links, .capacity = capacity};
        undo->links = to;
    }

    const cairn_link* link = &world->links[slot];
    undo->link_count++;
    past_link* past = &to->items[to->count++];
    *past = (past_link){
        .turns = link->turns, .impulse = link->impulse, .twist = link->twist, .slot = slot};

    past->load = link->load;
    past->borne = link->borne;
    memcpy(past->warm, link->warm, sizeof past->warm);
    memcpy(past->shares, link->shares, sizeof past->shares);
    return true;
}

static void restore_link(cairn_world* world, const past_link* past)
{
    cairn_link* link = &world->links[past->slot];
    link->turns = past->turns;
    link->load = past->load;
    link->borne = past->borne;
    memcpy(link->warm, past->warm, sizeof link->warm);
    memcpy(link->shares, past->shares, sizeof link->shares);
    link->impulse = past->impulse;
    link->twist = past->twist;
}

cairn_status cairn_undo_note_sleepers(cairn_world* world, int slot)
{
    int i = slot;
    do {
        if (!note_body(world, i))
            return CAIRN_NO_MEMORY;
        i = world->bodies[i].next_asleep;
    } while (i != slot);
    return CAIRN_OK;
}

cairn_status cairn_undo_note_movers(cairn_world* world)
{
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        bool moves = body->type != CAIRN_BODY_STATIC && !body->asleep && !body->frozen;
        if (body->alive && (moves || body->moved) && !note_body(world, i))
            return CAIRN_NO_MEMORY;
    }
    for (int i = 0; i < world->link_count; i++)
        if (cairn_link_active(world, &world->links[i]) && !note_link(world, i))
            return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- pairs

struct cairn_undo_pair {
    int slot, touch, touch_count;
    bool asleep, touching;
};

cairn_status cairn_undo_reserve_pairs(cairn_world* world, int count)
{
    world->undo.pairs = CAIRN_TAKE(&world->undo.arena, cairn_undo_pair, count);
    return world->undo.pairs ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void cairn_undo_note_pair(cairn_world* world, int slot)
{
    const cairn_pair_state* pair = &world->pairs[slot];
    world->undo.pairs[world->undo.pair_count++] =
        (cairn_undo_pair){.slot = slot,
                          .touch = pair->touch,
                          .touch_count = pair->touch_count,
                          .asleep = pair->asleep,
                          .touching = pair->touching};
}

static void restore_pair(cairn_world* world, const cairn_undo_pair* past)
{
    cairn_pair_state* pair = &world->pairs[past->slot];
    pair->touch = past->touch;
    pair->touch_count = past->touch_count;
    pair->asleep = past->asleep;
    pair->touching = past->touching;
    pair->extra = 0;
}

// ---------------------------------------------------------------- manifolds

// a block of a log; its bytes follow it
struct cairn_undo_block {
    cairn_undo_block* older;
    size_t capacity, used;
    size_t last; // where the newest note begins
};

// the manifolds of a pair; patches and points follow
typedef struct past_contacts {
    int slot, count, point_count, pad;
} past_contacts;

// A log that fits into one small block keeps it from step to step: what settles asks for no memory.
enum { least_block = 1 << 11, kept_block = 1 << 14, largest_block = 1 << 18 };

static cairn_patch* patches_of(past_contacts* past)
{
    return (cairn_patch*)(past + 1);
}

static cairn_contact_point* points_of(past_contacts* past)
{
    return (cairn_contact_point*)(patches_of(past) + past->count);
}

static past_contacts* entry_at(cairn_undo_block* block, size_t at)
{
    return (past_contacts*)((char*)(block + 1) + at);
}

static size_t bytes_of(int count, int point_count)
{
    return sizeof(past_contacts) + (size_t)count * sizeof(cairn_patch) +
           (size_t)point_count * sizeof(cairn_contact_point);
}

// the first block has room for all that the last step noted, and a little more
static bool reserve(cairn_undo_log* log, size_t bytes)
{
    cairn_undo_block* newest = log->newest;
    if (newest && newest->capacity - newest->used >= bytes)
        return true;
    size_t capacity = newest ? 2 * newest->capacity : log->before + log->before / 8 + bytes;
    capacity = capacity < least_block ? least_block : capacity;
    capacity = capacity > largest_block ? largest_block : capacity;
    capacity = capacity > bytes ? capacity : bytes;
    cairn_undo_block* block = malloc(sizeof *block + capacity);
    if (!block)
        return false;
    *block = (cairn_undo_block){.older = newest, .capacity = capacity};
    log->newest = block;
    return true;
}

bool cairn_undo_note_contacts(cairn_undo_log* log, cairn_world* world, int slot)
{
    const cairn_pair_state* pair = &world->pairs[slot];
    const cairn_contacts* contacts = &pair->contacts;
    size_t bytes = bytes_of(contacts->count, contacts->point_count);

    if (pair->noted == world->attempt)
        return true;
    if (!reserve(log, bytes))
        return false;

    cairn_undo_block* block = log->newest;
    past_contacts* past = entry_at(block, block->used);
    *past = (past_contacts){slot, contacts->count, contacts->point_count, 0};

    if (contacts->count > 0)
        memcpy(patches_of(past), contacts->patches,
               (size_t)contacts->count * sizeof *contacts->patches);
    if (contacts->point_count > 0)
        memcpy(points_of(past), contacts->points,
               (size_t)contacts->point_count * sizeof *contacts->points);

    block->last = block->used;
    block->used += bytes;
    return true;
}

static bool is_unchanged(past_contacts* past, const cairn_contacts* now)
{
    if (past->count != now->count || past->point_count != now->point_count)
        return false;
    return (now->count == 0 || memcmp(patches_of(past), now->patches,
                                      (size_t)now->count * sizeof *now->patches) == 0) &&
           (now->point_count == 0 || memcmp(points_of(past), now->points,
                                            (size_t)now->point_count * sizeof *now->points) == 0);
}

bool cairn_undo_compare_contacts(cairn_undo_log* log, cairn_world* world, int slot)
{
    cairn_pair_state* pair = &world->pairs[slot];
    cairn_undo_block* block = log->newest;
    if (pair->noted == world->attempt)
        return false;
    bool same = is_unchanged(entry_at(block, block->last), &pair->contacts);
    if (same)
        block->used = block->last;
    else
        pair->noted = world->attempt;
    return same;
}

static void restore_contacts(cairn_world* world, past_contacts* past)
{
    // there is room: memory of pairs only grows within a step
    cairn_contacts* contacts = &world->pairs[past->slot].contacts;
    contacts->count = past->count;
    contacts->point_count = past->point_count;
    if (past->count > 0)
        memcpy(contacts->patches, patches_of(past), (size_t)past->count * sizeof(cairn_patch));
    if (past->point_count > 0)
        memcpy(contacts->points, points_of(past),
               (size_t)past->point_count * sizeof(cairn_contact_point));
}

// no pair has two notes: their order does not matter
static void restore_log(cairn_world* world, const cairn_undo_log* log)
{
    for (cairn_undo_block* block = log->newest; block; block = block->older)
        for (size_t at = 0; at < block->used;) {
            past_contacts* past = entry_at(block, at);
            restore_contacts(world, past);
            at += bytes_of(past->count, past->point_count);
        }
}

static void empty_log(cairn_undo_log* log)
{
    bool one = log->newest && !log->newest->older && log->newest->capacity <= kept_block;
    log->before = 0;
    while (log->newest) {
        cairn_undo_block* block = log->newest;
        log->before += block->used;
        if (one) {
            block->used = 0;
            return;
        }
        log->newest = block->older;
        free(block);
    }
}

size_t cairn_undo_log_memory(const cairn_undo_log* log)
{
    size_t bytes = 0;
    for (const cairn_undo_block* block = log->newest; block; block = block->older)
        bytes += sizeof *block + block->capacity;
    return bytes;
}

void cairn_undo_log_destroy(cairn_undo_log* log)
{
    empty_log(log);
    free(log->newest);
    *log = (cairn_undo_log){0};
}

// ---------------------------------------------------------------- all of it

cairn_status cairn_undo_begin(cairn_world* world)
{
    cairn_undo* undo = &world->undo;

    cairn_arena_reset(&undo->arena);
    undo->bodies = NULL;
    undo->links = NULL;
    undo->bodies_before = undo->body_count;
    undo->links_before = undo->link_count;
    undo->body_count = undo->link_count = 0;

    undo->pairs = NULL;
    undo->pair_count = 0;

    undo->asleep = world->asleep;
    undo->slept_count = world->slept_count;
    undo->touch_count = world->touch_count;
    undo->slept_stale = world->slept_stale;

    world->warmth = NULL;
    world->begins.count = world->ends.count = 0;
    world->attempt++;

    return cairn_broad_begin(world->broad);
}

void cairn_undo_end(cairn_world* world)
{
    cairn_undo_log* log = &world->undo.log;
    for (int i = 0; log; log = cairn_crew_log(world->crew, i++))
        empty_log(log);
}

static void restore_touches(cairn_world* world)
{
    // before they were noted they were not changed
    world->touch_count = world->undo.touch_count;
    for (int c = 0; c < world->touch_count && world->warmth; c++) {
        const cairn_warmth* past = &world->warmth[c];
        world->touches[c] = (cairn_touch){.part_a = past->part_a,
                                          .part_b = past->part_b,
                                          .feature = past->feature,
                                          .impulse = past->impulse,
                                          .spin_impulse = past->spin_impulse,
                                          .span = past->span};
    }
}

void cairn_undo_step(cairn_world* world)
{
    const cairn_undo* undo = &world->undo;

    // the newest notes first: of what was noted twice the oldest holds
    for (const cairn_undo_bodies* list = undo->bodies; list; list = list->older)
        for (int i = list->count - 1; i >= 0; i--)
            restore_body(world, &list->items[i]);
    for (const cairn_undo_links* list = undo->links; list; list = list->older)
        for (int i = list->count - 1; i >= 0; i--)
            restore_link(world, &list->items[i]);

    for (int i = undo->pair_count - 1; i >= 0; i--)
        restore_pair(world, &undo->pairs[i]);

    const cairn_undo_log* log = &undo->log;
    for (int i = 0; log; log = cairn_crew_log(world->crew, i++))
        restore_log(world, log);

    cairn_broad_undo(world->broad);
    restore_touches(world);

    world->asleep = undo->asleep;
    world->slept_count = undo->slept_count;
    world->slept_stale = undo->slept_stale;

    // caches that remember places are out of date
    world->version++;
    cairn_undo_end(world);
}
