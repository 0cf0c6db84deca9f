// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From bodies to contacts: boxes to the broad phase, close pairs to the narrow phase, points
// matched with those of the last step by their features so that impulses carry over.
//
// A pair is looked at as far ahead as its bodies can come together within the step: fast bodies get
// contacts while they are still apart, with a gap that they may close but not pass.

#include "collide/narrow/manifold.h"
#include "math/array.h"
#include "math/simd.h"
#include "world/alerts.h"
#include "world/part_filter.h"
#include "world/sleep/sleep.h"
#include "world/step/contact_law.h"
#include "world/step/kinematics.h"
#include "world/step/undo.h"
#include "world/threads.h"
#include <string.h>

enum { pairs_between_polls = 64 };

static const double largest_turn = 2.0; // of the radius: no point goes farther by turning

// ---------------------------------------------------------------- broad phase

// what the pairs of a body will ask of it
static void note_place(cairn_body* body, double dt)
{
    cairn_transform pose = cairn_body_shape_pose(body);
    body->shifted = memcmp(&pose, &body->pose, sizeof pose) != 0;
    body->pose = pose;
    body->swing = fmin(dt * cairn_norm(body->w), largest_turn) * body->radius;
    body->round = cairn_body_is_round(body);
}

// the boxes of bodies that move
static cairn_status move_boxes(cairn_world* world, double dt)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        bool still = body->type == CAIRN_BODY_STATIC || body->asleep;
        bool replaced = body->replaced;
        if (replaced || body->shifted) {
            body->shifted = replaced;
            body->replaced = false;
        }
        if (!body->alive || body->proxy < 0 || (still && !body->moved && !body->fled))
            continue;
        note_place(body, dt);
        if (replaced)
            body->shifted = true;
        cairn_vec3 ahead = cairn_scale(dt, body->v);
        cairn_aabb box = cairn_shape_aabb(&body->shape, body->pose), end;
        end = (cairn_aabb){cairn_add(box.lo, ahead), cairn_add(box.hi, ahead)};
        box =
            cairn_aabb_grow(cairn_aabb_join(box, end), world->def.contact_margin + body->swing +
                                                           (body->fled ? dt * world->flight : 0.0));
        cairn_broad_move(world->broad, body->proxy, box, ahead);
    }
    return cairn_broad_update(world->broad);
}

// contacts of pairs by slot
static cairn_status reserve_slots(cairn_world* world)
{
    int need = cairn_broad_slot_count(world->broad);
    if (need <= world->pair_capacity)
        return CAIRN_OK;
    int capacity = 2 * need;
    cairn_pair_state* pairs =
        CAIRN_GROW_ARRAY(world->pairs, cairn_pair_state, world->pair_capacity, capacity);
    if (!pairs)
        return CAIRN_NO_MEMORY;
    memset(pairs + world->pair_capacity, 0,
           (size_t)(capacity - world->pair_capacity) * sizeof *pairs);
    world->pairs = pairs;
    world->pair_capacity = capacity;
    return CAIRN_OK;
}

// a slot that another pair will get must not remember the old one; its memory stays
static cairn_status forget_ended(cairn_world* world)
{
    int count, close;
    const cairn_pair* ended = cairn_broad_ended(world->broad, &count);
    cairn_broad_pairs(world->broad, &close);
    cairn_status status = cairn_undo_reserve_pairs(world, count + close);
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        int slot = ended[i].slot;
        cairn_pair_state* pair = &world->pairs[slot];
        cairn_undo_log* log = &world->undo.log;
        cairn_undo_note_pair(world, slot);
        if (!cairn_undo_note_contacts(log, world, slot))
            return CAIRN_NO_MEMORY;
        cairn_contacts_clear(&pair->contacts);
        cairn_undo_compare_contacts(log, world, slot);
        pair->settled = false;
        status = cairn_pair_end(world, pair);
        world->slept_stale = world->slept_stale || pair->asleep;
        pair->touch_count = 0;
        pair->asleep = false;
    }
    return status;
}

// ---------------------------------------------------------------- touches

static cairn_contact_law law_of(const cairn_world* world, const cairn_pair* pair,
                                const cairn_patch* patch)
{
    cairn_contact_law common;
    cairn_contact_law_set(&common, world, pair, patch->normal, patch->part_a, patch->part_b);
    return common;
}

static cairn_warmth warmth_of(const cairn_touch* touch)
{
    return (cairn_warmth){.part_a = touch->part_a,
                          .part_b = touch->part_b,
                          .feature = touch->feature,
                          .impulse = touch->impulse,
                          .spin_impulse = touch->spin_impulse,
                          .span = touch->span};
}

bool cairn_world_reserve_touches(cairn_world* world, int need)
{
    if (need <= world->touch_capacity)
        return true;
    int capacity = need + need / 2;
    cairn_touch* touches =
        CAIRN_GROW_ARRAY(world->touches, cairn_touch, world->touch_count, capacity);
    if (!touches)
        return false;
    world->touches = touches;
    world->touch_capacity = capacity;
    return cairn_world_reserve_lines(world, capacity / 16);
}

// what the last step's touches leave to this step's, and to an undo
static bool keep_warmth(cairn_world* world)
{
    world->warmth = CAIRN_TAKE(&world->undo.arena, cairn_warmth, world->touch_count);
    if (!world->warmth)
        return false;
    for (int c = 0; c < world->touch_count; c++)
        world->warmth[c] = warmth_of(&world->touches[c]);
    world->touch_count = world->line_count = 0;
    return true;
}

bool cairn_world_reserve_contacts(cairn_world* world)
{
    int need = world->slept_count + world->touch_count;
    if (need <= world->contact_capacity)
        return true;
    int capacity = need + need / 2;
    cairn_contact* contacts = realloc(world->contacts, (size_t)capacity * sizeof *contacts);
    if (!contacts)
        return false;
    world->contacts = contacts;
    world->contact_capacity = capacity;
    return true;
}

// the impulse of the same feature in the last step, or before the pair fell asleep; or none
static cairn_warmth warmth_for(const cairn_world* world, const cairn_pair_state* pair,
                               const cairn_contact_law* common, uint64_t feature)
{
    for (int i = 0; i < pair->touch_count; i++) {
        cairn_warmth old = pair->asleep ? warmth_of(&world->slept[pair->touch + i])
                                        : world->warmth[pair->touch + i];
        if (old.feature == feature && old.part_a == common->part_a && old.part_b == common->part_b)
            return old;
    }
    return (cairn_warmth){0};
}

// A contact without anchors; number by number, since to clear the whole first would take longer.
static void set_touch(cairn_touch* touch, const cairn_contact_law* common, double gap,
                      uint64_t feature, const cairn_warmth* warmth)
{
    touch->a = common->a;
    touch->b = common->b;
    touch->part_a = common->part_a;
    touch->part_b = common->part_b;
    touch->feature = feature;
    touch->impulse = warmth->impulse;
    touch->spin_impulse = warmth->spin_impulse;
    touch->span = warmth->span;
    touch->n = common->n;
    touch->t = common->t;
    touch->gap = gap;
    touch->pair = common->pair;
    touch->touching = common->touching;
    touch->balls = touch->renewed = touch->gone = touch->moved = touch->struck = touch->cut = false;
    touch->rolls = common->rolls;
    touch->soft = common->soft;
    touch->carries = common->carries;
    touch->rule = CAIRN_RULE_ANCHORS;
    touch->kind = (unsigned char)common->kind;
    touch->rows = (unsigned)common->rows & 0x3fu;
    touch->total = touch->at_a = touch->at_b = cairn_vec(0.0, 0.0, 0.0);
    touch->mu[0] = common->mu[0];
    touch->mu[1] = common->mu[1];
    touch->mu_spin = common->mu[2];
    touch->restitution = common->restitution;
    touch->round_a = touch->round_b = 0.0;
    touch->next = touch->line = 0;
}

// a contact that does not slide holds by its static friction; levers lead from the centers
static void hold(cairn_touch* touch, const cairn_world* world, const cairn_contact_law* common,
                 cairn_vec3 r_a, cairn_vec3 r_b)
{
    static const double stick_speed = 1e-3; // m/s
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    cairn_vec3 slip =
        cairn_sub(cairn_add(b->v, cairn_cross(b->w, r_b)), cairn_add(a->v, cairn_cross(a->w, r_a)));
    slip = cairn_add(slip, cairn_touch_carry(touch, world));
    slip = cairn_add_scaled(slip, -cairn_dot(slip, touch->n), touch->n);
    if (cairn_norm(slip) <= stick_speed)
        touch->mu[0] = touch->mu[1] = common->mu_static;
}

static bool has_static(const cairn_contact_law* common)
{
    return common->mu_static > common->mu[0] && !common->grained;
}

static void set_balls(cairn_touch* touch, const cairn_world* world)
{
    touch->balls = true;
    touch->rule = CAIRN_RULE_POINTS;
    touch->round_a = world->bodies[touch->a].radius;
    touch->round_b = world->bodies[touch->b].radius;
    touch->at_a = touch->at_b = cairn_vec(0.0, 0.0, 0.0);
}

// a point of a patch becomes a contact
static void set_point(cairn_touch* touch, const cairn_world* world, const cairn_contact_law* common,
                      const cairn_contact_point* point, const cairn_warmth* warmth)
{
    const cairn_body *a = &world->bodies[common->a], *b = &world->bodies[common->b];
    cairn_vec3 half = cairn_scale(0.5 * point->gap, common->n);
    cairn_vec3 r_a = cairn_sub(cairn_sub(point->position, half), a->x);
    cairn_vec3 r_b = cairn_sub(cairn_add(point->position, half), b->x);
    set_touch(touch, common, point->gap, point->feature, warmth);
    touch->at_a = cairn_rotate_back(a->q, r_a);
    touch->at_b = cairn_rotate_back(b->q, r_b);
    if (has_static(common))
        hold(touch, world, common, r_a, r_b);
}

cairn_touch cairn_touch_at(const cairn_world* world, const cairn_pair* pair,
                           const cairn_patch* patch, const cairn_contact_point* point)
{
    cairn_touch touch;
    cairn_contact_law common = law_of(world, pair, patch);
    set_point(&touch, world, &common, point, &(cairn_warmth){0});
    if (cairn_are_balls(&world->bodies[touch.a], &world->bodies[touch.b]))
        set_balls(&touch, world);
    return touch;
}

// m/s: what a body gains that falls for dt s
static double fall_of(const cairn_world* world, double dt)
{
    return dt * cairn_norm(world->def.gravity);
}

// m: gaps up to this are part of the step of dt s: how far the bodies can approach each other; one
// may fall while the other is held, and flee from a blow within the step (refind.c)
static double margin_of(const cairn_world* world, const cairn_body* a, const cairn_body* b,
                        double dt, double fall)
{
    double speed = cairn_norm(cairn_sub(b->v, a->v)) + fall + world->flight * (a->fled + b->fled);
    return world->def.contact_margin + dt * speed + a->swing + b->swing;
}

// whether the balls about the centers that hold the shapes are farther apart than the margin
static bool clear(const cairn_body* a, const cairn_body* b, double margin)
{
    static const double round_off = 1.0 + 1e-12;
    cairn_vec3 d = cairn_sub(b->x, a->x);
    double near = (a->radius + b->radius + margin) * round_off;
    return a->radius > 0.0 && b->radius > 0.0 && cairn_dot(d, d) > near * near;
}

// what a pair remembers
static void show(cairn_found* found, const cairn_pair_state* state)
{
    found->count = state->contacts.count;
    found->patches = state->contacts.patches;
    found->points = state->contacts.points;
}

static bool both_spheres(const cairn_body* a, const cairn_body* b)
{
    return a->shape.kind == CAIRN_SHAPE_SPHERE && b->shape.kind == CAIRN_SHAPE_SPHERE;
}

// The narrow phase of a pair that remembers its manifolds; `known`: it would do now what it did the
// last time; `reuse` as in cairn_collide_def.
static cairn_status collide(cairn_world* world, int slot, const cairn_body* a, const cairn_body* b,
                            bool known, double reuse, cairn_undo_log* log)
{
    cairn_pair_state* state = &world->pairs[slot];
    bool far = clear(a, b, state->margin);
    known = known && state->settled && !far;
    state->settled = known;
    if (known || (far && state->contacts.count == 0))
        return CAIRN_OK;
    if (!cairn_undo_note_contacts(log, world, slot))
        return CAIRN_NO_MEMORY;
    cairn_status status = CAIRN_OK;
    cairn_collide_def def = {.margin = state->margin, .reuse = reuse};
    cairn_body_pair bodies = {a, b};
    if (a->parts || b->parts) {
        def.parts_meet = cairn_parts_meet;
        def.context = &bodies;
    }
    if (far)
        cairn_contacts_clear(&state->contacts);
    else
        status = cairn_collide(&state->contacts, &a->shape, a->pose, &b->shape, b->pose, &def);
    bool same = cairn_undo_compare_contacts(log, world, slot);
    state->settled = same && !far && status == CAIRN_OK;
    return status;
}

// the narrow phase of two spheres
static void meet_spheres(cairn_found* found, const cairn_body* a, const cairn_body* b,
                         double margin)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_manifold m;
    def.margin = margin;
    found->count = !clear(a, b, margin) &&
                   cairn_collide_convex(&a->shape, a->pose, &b->shape, b->pose, &def, NULL, &m);
    found->patches = &found->brief;
    found->points = &found->brief_point;
    if (found->count > 0) {
        found->brief = (cairn_patch){.normal = m.normal, .count = 1};
        found->brief_point = m.points[0];
    }
}

// The narrow phase of any pair. It is a function of the manifolds, the poses and the margin: where
// these are those of the last step it need not run. `known`: the poses are.
static cairn_status look(cairn_found* found, cairn_world* world, const cairn_pair* pair, double dt,
                         bool known, double reuse, cairn_undo_log* log)
{
    cairn_pair_state* state = &world->pairs[pair->slot];
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    double margin = margin_of(world, a, b, dt, fall_of(world, dt));
    known = known && margin == state->margin;
    state->margin = margin;
    if (both_spheres(a, b)) {
        meet_spheres(found, a, b, state->margin);
        return CAIRN_OK;
    }
    cairn_status status = collide(world, pair->slot, a, b, known, reuse, log);
    show(found, state);
    return status;
}

void cairn_pair_note_places(cairn_world* world, const cairn_pair* pair, double dt)
{
    cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    note_place(a, dt);
    note_place(b, dt);
    a->replaced = b->replaced = true;
}

cairn_status cairn_pair_look_on(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                double dt, double reuse, cairn_undo_log* log)
{
    return look(found, world, pair, dt, false, reuse, log);
}

bool cairn_pair_show(cairn_found* found, const cairn_world* world, const cairn_pair* pair)
{
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    if (both_spheres(a, b))
        return false;
    show(found, &world->pairs[pair->slot]);
    return true;
}

cairn_status cairn_pair_look_again(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                   double dt, double reuse)
{
    cairn_pair_note_places(world, pair, dt);
    found->count = 0;
    if (cairn_pair_refused(world, world->proxy_body[pair->a], world->proxy_body[pair->b]))
        return CAIRN_OK;
    return cairn_pair_look_on(found, world, pair, dt, reuse, &world->undo.log);
}

cairn_status cairn_pair_collide(cairn_found* found, cairn_world* world, const cairn_pair* pair,
                                double dt, cairn_undo_log* log)
{
    cairn_pair_state* state = &world->pairs[pair->slot];
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    bool spheres = both_spheres(a, b);
    show(found, state);
    if (state->seen == world->attempt && !spheres)
        return CAIRN_OK;
    bool known = state->seen == world->attempt - 1 && !a->shifted && !b->shifted;
    state->seen = world->attempt;
    // a new slot asks for its memory now, not when a settled world stirs or gives it to others
    cairn_status status = CAIRN_OK;
    if (!spheres && state->contacts.capacity == 0)
        status = cairn_contacts_reserve(&state->contacts, 1, 0);
    double reuse = cairn_default_collide_def().reuse;
    return status == CAIRN_OK ? look(found, world, pair, dt, known, reuse, log) : status;
}

typedef struct pair_task {
    cairn_world* world;
    const cairn_pair* pairs;
    double dt, fall; // s, m/s
} pair_task;

// whether the hook of contacts lets two balls pass
static bool balls_refused(cairn_world* world, const cairn_pair* pair, const cairn_reach* reach)
{
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    cairn_patch patch = {.normal = reach->n, .count = 1};
    cairn_contact_point point = {.gap = reach->gap};
    point.position = cairn_add_scaled(a->x, a->radius + 0.5 * reach->gap, reach->n);
    return cairn_patch_refused(world, pair, &patch, &point);
}

// the contact of two balls that may meet within the step; without a manifold
static cairn_status touch_balls(const pair_task* task, const cairn_pair* pair)
{
    cairn_world* world = task->world;
    cairn_pair_state* state = &world->pairs[pair->slot];
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    cairn_vec3 d = cairn_sub(b->x, a->x), any = cairn_vec(1.0, 0.0, 0.0);
    double distance = cairn_norm(d);
    state->margin = margin_of(world, a, b, task->dt, task->fall);

    // centers that coincide have no direction between them
    if (cairn_points_meet(distance, a->radius + b->radius))
        any = cairn_rotate(a->q, any);
    cairn_reach reach = cairn_balls_reach(a->radius, b->radius, d, distance, any);
    if (reach.gap > state->margin)
        return CAIRN_OK;
    if (world->contact_hook && balls_refused(world, pair, &reach))
        return CAIRN_OK;
    if (!cairn_world_reserve_touches(world, world->touch_count + 1))
        return CAIRN_NO_MEMORY;

    // its law, and the impulse of the last step
    cairn_contact_law common;
    cairn_contact_law_set(&common, world, pair, reach.n, 0, 0);
    uint64_t feature = cairn_feature(CAIRN_FEATURE_ROUND, 0, 0);
    cairn_warmth warmth = warmth_for(world, state, &common, feature);

    cairn_touch* touch = &world->touches[world->touch_count++];
    set_touch(touch, &common, reach.gap, feature, &warmth);
    set_balls(touch, world);
    if (has_static(&common))
        hold(touch, world, &common, cairn_scale(a->radius, reach.n),
             cairn_scale(-b->radius, reach.n));
    return CAIRN_OK;
}

// the points of the manifolds of a pair
static cairn_status touch_points(cairn_world* world, const cairn_pair* pair, double dt)
{
    cairn_found found;
    found.count = 0;
    cairn_status status = cairn_pair_collide(&found, world, pair, dt, &world->undo.log);
    for (int m = 0; m < found.count && status == CAIRN_OK; m++) {
        const cairn_patch* patch = &found.patches[m];
        if (patch->count == 0 || cairn_patch_refused(world, pair, patch, found.points))
            continue;
        if (!cairn_world_reserve_touches(world, world->touch_count + patch->count))
            return CAIRN_NO_MEMORY;
        cairn_contact_law common = law_of(world, pair, patch);
        for (int k = 0; k < patch->count; k++) {
            const cairn_contact_point* point = &found.points[patch->first + k];
            cairn_warmth warmth =
                warmth_for(world, &world->pairs[pair->slot], &common, point->feature);
            set_point(&world->touches[world->touch_count++], world, &common, point, &warmth);
        }
    }
    return status;
}

// the touches of a pair with a body that moves
static cairn_status touch_pair(const pair_task* task, const cairn_pair* pair)
{
    cairn_world* world = task->world;
    cairn_pair_state* state = &world->pairs[pair->slot];
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    bool moves = cairn_body_active(a) || cairn_body_active(b);
    if (!moves && state->asleep)
        return CAIRN_OK;
    cairn_undo_note_pair(world, pair->slot);
    if (!moves ||
        cairn_pair_refused(world, world->proxy_body[pair->a], world->proxy_body[pair->b])) {
        world->slept_stale = world->slept_stale || state->asleep;
        state->asleep = false;
        state->touch_count = 0;
        return cairn_pair_end(world, state);
    }
    int begin = world->touch_count;
    state->passes = false;
    cairn_status status =
        cairn_are_balls(a, b) ? touch_balls(task, pair) : touch_points(world, pair, task->dt);
    if (status != CAIRN_OK)
        return status;
    state->touch = begin;
    state->touch_count = world->touch_count - begin;
    world->slept_stale = world->slept_stale || state->asleep;
    state->asleep = false;
    return state->touching && begin == world->touch_count ? cairn_pair_end(world, state) : CAIRN_OK;
}

static cairn_status share_pair(void* context, cairn_worker* worker, int i)
{
    const pair_task* task = context;
    const cairn_world* world = task->world;
    const cairn_body* a = &world->bodies[world->proxy_body[task->pairs[i].a]];
    const cairn_body* b = &world->bodies[world->proxy_body[task->pairs[i].b]];
    cairn_found found;
    if (cairn_world_poll(world) != CAIRN_OK)
        return CAIRN_INTERRUPTED;
    if ((!cairn_body_active(a) && !cairn_body_active(b)) || both_spheres(a, b))
        return CAIRN_OK; // too little to share
    return cairn_pair_collide(&found, task->world, &task->pairs[i], task->dt, &worker->log);
}

// the narrow phase of many pairs at once, when there are threads for it
static cairn_status collide_ahead(pair_task* task, int count)
{
    enum { least_pairs = 64, share = 16 };
    cairn_crew* crew = count >= least_pairs ? cairn_world_crew(task->world) : NULL;
    return crew ? cairn_crew_run(crew, share_pair, task, count, share, true, NULL) : CAIRN_OK;
}

// States, bodies and manifolds of pairs lie all over the memory: they are sent for before their
// turn. The first bodies of pairs come in order. Of balls little is asked. (Inlined: a function
// that does nothing but fetch is taken for one that does nothing, and dropped.)
CAIRN_INLINE void fetch_ahead(const cairn_world* world, const cairn_pair* pairs, int count, int i)
{
    enum { far = 16, near = 8, line = 64, lines = 4 };
    if (i + far >= count)
        return;
    __builtin_prefetch(&world->pairs[pairs[i + far].slot]);
    __builtin_prefetch(&world->bodies[world->proxy_body[pairs[i + far].b]].x);
    const cairn_body* a = &world->bodies[world->proxy_body[pairs[i + near].a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pairs[i + near].b]];
    __builtin_prefetch(&b->v);
    __builtin_prefetch(&b->material);
    if (a->round && b->round)
        return;
    __builtin_prefetch(&b->pose);
    __builtin_prefetch(&b->shape);
    __builtin_prefetch(&b->q);
    const cairn_contacts* contacts = &world->pairs[pairs[i + near].slot].contacts;
    for (int k = 0; k < lines && contacts->count > 0 && contacts->points; k++) {
        __builtin_prefetch((const char*)contacts->patches + line * k);
        __builtin_prefetch((const char*)contacts->points + line * k);
    }
}

// all close pairs, in their order
static cairn_status touch_pairs(cairn_world* world, double dt)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    pair_task task = {world, pairs, dt, fall_of(world, dt)};
    cairn_status status = collide_ahead(&task, count);
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        fetch_ahead(world, pairs, count, i);
        status = touch_pair(&task, &pairs[i]);
        if (status == CAIRN_OK && i % pairs_between_polls == 0)
            status = cairn_world_poll(world);
    }
    return status;
}

cairn_status cairn_world_detect(cairn_world* world, double dt, cairn_step_report* report)
{
    double start = cairn_world_clock();
    world->version++;
    cairn_status status = move_boxes(world, dt);
    if (status == CAIRN_OK)
        status = reserve_slots(world);
    if (status == CAIRN_OK)
        status = forget_ended(world);
    if (status == CAIRN_OK)
        status = cairn_world_wake_touched(world, dt);
    if (status == CAIRN_OK)
        status = cairn_undo_note_movers(world);
    if (status != CAIRN_OK)
        return status;
    double broad = cairn_world_clock();
    report->ms_broad += broad - start;

    for (int i = 0; i < world->body_count; i++)
        if (world->bodies[i].moved)
            world->bodies[i].moved = false;
    for (int i = 0; i < world->link_count; i++)
        if (cairn_link_active(world, &world->links[i])) {
            double load = cairn_norm(world->links[i].impulse);
            world->links[i].borne = fmin(world->links[i].load, load);
            world->links[i].load = load;
            world->links[i].impulse = world->links[i].twist = cairn_vec(0.0, 0.0, 0.0);
            world->links[i].worked = 0.0;
            memset(world->links[i].shares, 0, sizeof world->links[i].shares);
        }

    status = keep_warmth(world) ? touch_pairs(world, dt) : CAIRN_NO_MEMORY;
    report->ms_narrow += cairn_world_clock() - broad;
    return status;
}
