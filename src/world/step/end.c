// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The end of a step for its contacts: where the bodies have arrived, in the order of pairs, and how
// deep bodies overlap there.

#include "world/sleep/sleep.h"
#include "world/step/contact_law.h"
#include "world/step/refind.h"
#include "world/threads.h"

static const double worth_a_search =
    5e-6; // m: overlaps that are deeper by less are not searched for

static bool forgotten(const cairn_touch* touch)
{
    return touch->gone && cairn_dot(touch->total, touch->total) == 0.0;
}

// whether a body went through the substeps of the step
static bool has_moved(const cairn_group* group, int slot)
{
    return group->local[slot] >= 0 && !group->islands[group->island_of[slot]].rested;
}

// whether it was put back to where it was when the step began
static bool is_back(const cairn_group* group, int slot)
{
    return group->local[slot] >= 0 && group->islands[group->island_of[slot]].lost;
}

// whether a contact is known where its bodies are: it took part in the last kick
static bool has_followed(const cairn_group* group, const cairn_touch* touch)
{
    const int slots[2] = {touch->a, touch->b};
    const cairn_island* own[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++)
        if (group->local[slots[side]] >= 0)
            own[side] = &group->islands[group->island_of[slots[side]]];
    const cairn_island* one = own[0] ? own[0] : own[1];
    bool alone = !own[0] || !own[1] || own[0] == own[1];
    return !touch->gone && one && alone && one->followed && !one->lost && !one->far;
}

// a contact as the user sees it after the step
static void look_again(cairn_world* world, cairn_touch* touch)
{
    cairn_touch_refresh(touch, world);
    if (touch->gone)
        touch->gap = fmax(touch->gap, 0.0);
}

typedef struct looking {
    const cairn_group* group;
    cairn_world* world;
} looking;

static void look_at_some(void* context, int first, int end)
{
    const looking* own = context;
    for (int c = first; c < end; c++) {
        cairn_touch* touch = &own->world->touches[c];
        bool moved = touch->renewed || has_moved(own->group, touch->a) ||
                     has_moved(own->group, touch->b) || is_back(own->group, touch->a) ||
                     is_back(own->group, touch->b);
        if (moved && !has_followed(own->group, touch))
            look_again(own->world, touch);
    }
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
        for (int c = cairn_pair_first(pair), next; c >= 0; c = next) {
            next = cairn_pair_next(world, pair, c);
            order[forgotten(&world->touches[c]) ? --lost : kept++] = c;
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

static cairn_status sort_touches(cairn_world* world)
{
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    int* order = CAIRN_TAKE(&world->arena, int, world->touch_count);
    if (!order)
        return CAIRN_NO_MEMORY;
    int kept = list_order(order, world);
    permute(world->touches, order, world->touch_count);
    world->touch_count = kept;
    cairn_arena_release(&world->arena, mark);
    return CAIRN_OK;
}

// boxes around bodies where they are
typedef struct boxing {
    const cairn_world* world;
    cairn_aabb* boxes;
} boxing;

static void box_some(void* context, int first, int end)
{
    const boxing* own = context;
    for (int i = first; i < end; i++) {
        const cairn_body* body = &own->world->bodies[i];
        if (body->alive && body->proxy >= 0)
            own->boxes[i] = cairn_shape_aabb(&body->shape, cairn_body_shape_pose(body));
    }
}

// How deep a pair overlaps. Points that go along with bodies (cairn_collide_def.reuse) may hide one
// that has become the deepest since, but not by more than the bodies have moved.
typedef struct depth {
    double seen;   // m
    double hidden; // m: at most
} depth;

// how a pair is looked at
typedef enum look { is_left, is_of_balls, is_looked_at } look;

static depth depth_of_balls(const cairn_world* world, const cairn_pair* pair)
{
    int ia = world->proxy_body[pair->a], ib = world->proxy_body[pair->b];
    const cairn_body *a = &world->bodies[ia], *b = &world->bodies[ib];
    depth out = {0};
    if (!cairn_body_is_soft(a) && !cairn_body_is_soft(b) && !world->pairs[pair->slot].passes &&
        !cairn_pair_refused(world, ia, ib))
        out.seen = a->radius + b->radius - cairn_norm(cairn_sub(b->x, a->x));
    return out;
}

// No contact lies deeper than its bodies overlap: a body that has left the plane of a contact within
// the step may be far below it, and beside the other body.
static void limit_gaps(cairn_world* world, const cairn_pair* pair, const depth* found)
{
    const cairn_pair_state* state = &world->pairs[pair->slot];
    for (int c = cairn_pair_first(state); c >= 0; c = cairn_pair_next(world, state, c))
        world->touches[c].gap = fmax(world->touches[c].gap, -(found->seen + found->hidden));
}

// what the narrow phase has found of a pair; a hook may take patches out
static depth depth_of(const cairn_found* found, cairn_world* world, const cairn_pair* pair)
{
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    depth out = {0};
    for (int m = 0; m < found->count; m++) {
        const cairn_patch* patch = &found->patches[m];
        if (cairn_patch_refused(world, pair, patch, found->points))
            continue;
        out.hidden = fmax(out.hidden, patch->cache.drift);
        for (int k = 0; k < patch->count; k++)
            out.seen = fmax(out.seen, -found->points[patch->first + k].gap);
    }
    limit_gaps(world, pair, &out);

    // soft contacts may overlap
    if (cairn_body_is_soft(a) || cairn_body_is_soft(b))
        out = (depth){0};
    return out;
}

// a pair whose deepest point may not have been seen
typedef struct doubt {
    int pair;
    double depth; // m: at most
} doubt;

// whether a pair is to be looked at when the step ends: what stands was found to overlap by hardly
// anything, or it would not rest
static bool to_measure(const cairn_group* group, const cairn_world* world, const cairn_pair* pair)
{
    int a = world->proxy_body[pair->a], b = world->proxy_body[pair->b];
    return (has_moved(group, a) || has_moved(group, b)) && !world->pairs[pair->slot].asleep &&
           !world->bodies[a].frozen && !world->bodies[b].frozen;
}

// whether a pair has to be looked at, and how; of those without contacts most are still apart
static look look_of(const cairn_group* group, const cairn_world* world, const cairn_pair* pair,
                    const cairn_aabb* boxes)
{
    int a = world->proxy_body[pair->a], b = world->proxy_body[pair->b];
    if (!to_measure(group, world, pair))
        return is_left;
    if (cairn_are_balls(&world->bodies[a], &world->bodies[b]))
        return is_of_balls;
    bool apart = cairn_pair_first(&world->pairs[pair->slot]) < 0 &&
                 !cairn_aabb_overlap(&boxes[a], &boxes[b]);
    return apart ? is_left : is_looked_at;
}

static void tell(const cairn_group* group, const cairn_world* world, const cairn_pair* pair,
                 double seen, double dt)
{
    const int slots[2] = {world->proxy_body[pair->a], world->proxy_body[pair->b]};
    if (seen > 0.0)
        cairn_reports_tell_overlap(group, world, slots, seen, dt);
}

// the pairs of a step that ends
typedef struct measuring {
    const cairn_group* group;
    cairn_world* world;
    const cairn_pair* pairs;
    const cairn_aabb* boxes;
    unsigned char* looks; // of each pair
    double dt;
} measuring;

static void choose_some(void* context, int first, int end)
{
    const measuring* own = context;
    for (int i = first; i < end; i++)
        own->looks[i] = (unsigned char)look_of(own->group, own->world, &own->pairs[i], own->boxes);
}

static cairn_status share_look(void* context, cairn_worker* worker, int i)
{
    const measuring* own = context;
    cairn_found found;
    if (own->looks[i] != is_looked_at)
        return CAIRN_OK;
    return cairn_pair_look_on(&found, own->world, &own->pairs[i], own->dt,
                              cairn_default_collide_def().reuse, &worker->log);
}

// the depth of a pair, whose narrow phase runs now unless it has run
static cairn_status measure(depth* out, const measuring* own, int i, double reuse, bool done)
{
    cairn_found found;
    *out = (depth){0};
    if (own->looks[i] == is_of_balls)
        *out = depth_of_balls(own->world, &own->pairs[i]);
    if (own->looks[i] != is_looked_at)
        return CAIRN_OK;
    cairn_status status = CAIRN_OK;
    if (!done || !cairn_pair_show(&found, own->world, &own->pairs[i]))
        status = cairn_pair_look_on(&found, own->world, &own->pairs[i], own->dt, reuse,
                                    &own->world->undo.log);
    if (status == CAIRN_OK)
        *out = depth_of(&found, own->world, &own->pairs[i]);
    return status;
}

// Which pairs are looked at, and the narrow phase of many at once, when there are threads for it: `done`. The next
// step begins with what is found here.
static cairn_status look_at_pairs(measuring* own, int count, bool* done)
{
    enum { least_pairs = 64, share = 16, pairs_at_once = 512 };
    cairn_world* world = own->world;
    cairn_aabb* boxes = CAIRN_TAKE(&world->arena, cairn_aabb, world->body_count);
    own->looks = CAIRN_TAKE(&world->arena, unsigned char, count);
    if (world->arena.failed)
        return CAIRN_NO_MEMORY;
    boxing all = {world, boxes};
    own->boxes = boxes;
    cairn_world_loop(world, box_some, &all, world->body_count, cairn_bodies_at_once);
    cairn_world_loop(world, choose_some, own, count, pairs_at_once);

    // hooks are asked on one thread
    for (int i = 0; i < count; i++) {
        if (own->looks[i] != is_looked_at)
            continue;
        int a = world->proxy_body[own->pairs[i].a], b = world->proxy_body[own->pairs[i].b];
        cairn_pair_note_places(world, &own->pairs[i], own->dt);
        if (cairn_pair_refused(world, a, b))
            own->looks[i] = is_left;
    }
    cairn_crew* crew = count >= least_pairs ? cairn_world_crew(world) : NULL;
    *done = crew != NULL;
    return crew ? cairn_crew_run(crew, share_look, own, count, share, true, NULL) : CAIRN_OK;
}

// Overlaps of all pairs that moved where they are, whatever contacts the step knew of: first as the
// manifolds that they have show them, then afresh where a deeper one than the deepest may hide.
static cairn_status measure_overlaps(const cairn_group* group, cairn_world* world, double dt,
                                     double* deepest)
{
    int count, doubts = 0;
    bool done;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    measuring own = {.group = group, .world = world, .dt = dt};
    own.pairs = cairn_broad_pairs(world->broad, &count);
    doubt* doubtful = CAIRN_TAKE(&world->arena, doubt, count);
    if (!doubtful)
        return CAIRN_NO_MEMORY;
    cairn_status status = look_at_pairs(&own, count, &done);

    depth found;
    double reuse = cairn_default_collide_def().reuse;
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        if (own.looks[i] == is_left)
            continue;
        status = measure(&found, &own, i, reuse, done);
        *deepest = fmax(*deepest, found.seen);
        tell(group, world, &own.pairs[i], found.seen, dt);
        doubtful[doubts] = (doubt){i, found.seen + found.hidden};
        doubts += found.hidden > 0.0;
    }

    for (int i = 0; i < doubts && status == CAIRN_OK; i++) {
        if (doubtful[i].depth <= *deepest + worth_a_search)
            continue;
        status = measure(&found, &own, doubtful[i].pair, 0.0, false);
        *deepest = fmax(*deepest, found.seen);
        tell(group, world, &own.pairs[doubtful[i].pair], found.seen, dt);
    }
    cairn_arena_release(&world->arena, mark);
    return status;
}

// overlaps as the contacts show them that the step knew of
static void read_overlaps(const cairn_group* group, const cairn_world* world, double dt,
                          double* deepest)
{
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        const int slots[2] = {touch->a, touch->b};
        if (touch->soft)
            continue; // it may
        *deepest = fmax(*deepest, -touch->gap);
        if (touch->gap < 0.0)
            cairn_reports_tell_overlap(group, world, slots, -touch->gap, dt);
    }
}

cairn_status cairn_world_end_touches(const cairn_group* group, cairn_world* world, double dt,
                                     bool exact, double* deepest)
{
    bool moving = group->renewed;
    for (int i = 0; i < group->count && !moving; i++)
        moving = !group->islands[i].rested || group->islands[i].lost;
    looking own = {group, world};
    if (moving)
        cairn_world_loop(world, look_at_some, &own, world->touch_count, cairn_touches_at_once);
    cairn_status status = CAIRN_OK;
    if (moving && exact)
        status = measure_overlaps(group, world, dt, deepest);
    else if (moving)
        read_overlaps(group, world, dt, deepest);
    if (status != CAIRN_OK)
        return status;
    return group->changed ? sort_touches(world) : CAIRN_OK;
}
