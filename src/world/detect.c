// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From bodies to contacts: boxes to the broad phase, close pairs to the narrow phase, points
// matched with those of the last step by their features so that impulses carry over.
//
// A pair is looked at as far ahead as its bodies can come together within the step: fast bodies get
// contacts while they are still apart, with a gap that they may close but not pass.

#include "world/crew.h"
#include "world/sleep.h"
#include <string.h>

static const double largest_turn = 0.5; // rad per step that the boxes ahead of a body allow for

// ---------------------------------------------------------------- broad phase

static double turn_of(const cairn_body* body, double dt)
{
    return fmin(dt * cairn_norm(body->w), largest_turn) * body->radius;
}

// how far two bodies can approach each other within dt: one may fall while the other is held
static double reach_of(const cairn_world* world, const cairn_body* a, const cairn_body* b,
                       double dt)
{
    double speed = cairn_norm(cairn_sub(b->v, a->v)) + dt * cairn_norm(world->def.gravity);
    return dt * speed + turn_of(a, dt) + turn_of(b, dt);
}

static cairn_status move_boxes(cairn_world* world, double dt)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        bool still = body->type == CAIRN_STATIC || body->asleep;
        if (!body->alive || body->proxy < 0 || (still && !body->moved))
            continue;
        double margin = world->def.contact_margin + turn_of(body, dt);
        cairn_vec3 ahead = cairn_scale(dt, body->v);
        cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_body_shape_pose(body)), end;
        end = (cairn_aabb){cairn_add(box.lo, ahead), cairn_add(box.hi, ahead)};
        box = cairn_aabb_grow(cairn_aabb_join(box, end), margin);
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
    cairn_pair_state* pairs = realloc(world->pairs, (size_t)capacity * sizeof *pairs);
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
    int count;
    const cairn_pair* ended = cairn_broad_ended(world->broad, &count);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        cairn_pair_state* pair = &world->pairs[ended[i].slot];
        status = cairn_pair_end(world, pair);
        pair->contacts.count = 0;
        world->slept_stale = world->slept_stale || pair->asleep;
        pair->touch_count = 0;
        pair->asleep = false;
    }
    return status;
}

// ---------------------------------------------------------------- materials

static double combine(double a, double b, cairn_combine rule_a, cairn_combine rule_b)
{
    switch (rule_a > rule_b ? rule_a : rule_b) {
    case CAIRN_COMBINE_MEAN:
        return 0.5 * (a + b);
    case CAIRN_COMBINE_SMALLER:
        return fmin(a, b);
    case CAIRN_COMBINE_LARGER:
        return fmax(a, b);
    case CAIRN_COMBINE_PRODUCT:
        return a * b;
    case CAIRN_COMBINE_GEOMETRIC:
        break;
    }
    return sqrt(a * b);
}

// friction and restitution of a contact, and its tangents along the direction of an anisotropic
// surface
static void set_material(cairn_touch* touch, const cairn_body* a, const cairn_body* b)
{
    const cairn_material *m = &a->material, *k = &b->material;
    cairn_vec3 grain = cairn_rotate(a->q, m->direction);
    bool first = cairn_norm(m->direction) > 0.0;
    if (!first)
        grain = cairn_rotate(b->q, k->direction);
    cairn_vec3 t = cairn_add_scaled(grain, -cairn_dot(grain, touch->n), touch->n);
    bool grained = cairn_norm(t) > 1e-6 * cairn_norm(grain) && cairn_norm(grain) > 0.0;
    double mu = combine(m->mu, k->mu, m->friction_rule, k->friction_rule);
    double across = combine(first ? m->mu_across : m->mu, !first && grained ? k->mu_across : k->mu,
                            m->friction_rule, k->friction_rule);
    double spin = combine(m->mu_spin, k->mu_spin, m->friction_rule, k->friction_rule);
    cairn_tangents(touch->n, &touch->t, &touch->s);
    touch->friction = cairn_friction_cone(mu);
    if (grained) {
        touch->t = cairn_normalize(t);
        touch->s = cairn_cross(touch->n, touch->t);
        touch->friction.kind = CAIRN_ELLIPSE;
        touch->friction.mu[1] = across;
    }
    touch->rows = spin > 0.0 ? 4 : 3;
    if (spin > 0.0) {
        touch->friction.kind = CAIRN_ELLIPSOID;
        touch->friction.mu[2] = spin;
    }
    touch->restitution =
        combine(m->restitution, k->restitution, m->restitution_rule, k->restitution_rule);
}

// ---------------------------------------------------------------- touches

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
    cairn_touch* touches = realloc(world->touches, (size_t)capacity * sizeof *touches);
    if (!touches)
        return false;
    world->touches = touches;
    world->touch_capacity = capacity;
    return true;
}

// what the last step's touches leave to this step's
static bool keep_warmth(cairn_world* world)
{
    if (world->touch_count > world->warmth_capacity) {
        int capacity = world->touch_count + world->touch_count / 2;
        cairn_warmth* warmth = realloc(world->warmth, (size_t)capacity * sizeof *warmth);
        if (!warmth)
            return false;
        world->warmth = warmth;
        world->warmth_capacity = capacity;
    }
    for (int c = 0; c < world->touch_count; c++)
        world->warmth[c] = warmth_of(&world->touches[c]);
    world->touch_count = 0;
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

// what the points of a manifold have in common
static cairn_touch touch_of(const cairn_world* world, int a, int b, const cairn_manifold* manifold)
{
    cairn_touch touch = {.a = a,
                         .b = b,
                         .part_a = manifold->part_a,
                         .part_b = manifold->part_b,
                         .n = manifold->normal};
    set_material(&touch, &world->bodies[a], &world->bodies[b]);
    return touch;
}

static void set_point(cairn_touch* touch, const cairn_world* world,
                      const cairn_contact_point* point)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    cairn_vec3 half = cairn_scale(0.5 * point->gap, touch->n);
    touch->feature = point->feature;
    touch->gap = point->gap;
    touch->r_a = cairn_sub(cairn_sub(point->position, half), a->x);
    touch->r_b = cairn_sub(cairn_add(point->position, half), b->x);
    touch->at_a = cairn_rotate_back(a->q, touch->r_a);
    touch->at_b = cairn_rotate_back(b->q, touch->r_b);
}

// the impulse of the same feature in the last step, or before the pair fell asleep
static void carry_over(cairn_touch* touch, const cairn_world* world, const cairn_pair_state* pair)
{
    for (int i = 0; i < pair->touch_count; i++) {
        cairn_warmth old = pair->asleep ? warmth_of(&world->slept[pair->touch + i])
                                        : world->warmth[pair->touch + i];
        if (old.feature == touch->feature && old.part_a == touch->part_a &&
            old.part_b == touch->part_b) {
            touch->impulse = old.impulse;
            touch->spin_impulse = old.spin_impulse;
            touch->span = old.span;
            return;
        }
    }
}

cairn_touch cairn_touch_at(const cairn_world* world, int a, int b, const cairn_manifold* manifold,
                           int point)
{
    cairn_touch touch = touch_of(world, a, b, manifold);
    set_point(&touch, world, &manifold->points[point]);
    return touch;
}

cairn_status cairn_pair_look(cairn_world* world, const cairn_pair* pair, double dt)
{
    cairn_pair_state* state = &world->pairs[pair->slot];
    const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
    const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
    cairn_collide_def def = cairn_default_collide_def();
    def.margin = state->margin = world->def.contact_margin + reach_of(world, a, b, dt);
    return cairn_collide(&state->contacts, &a->shape, cairn_body_shape_pose(a), &b->shape,
                         cairn_body_shape_pose(b), &def);
}

cairn_status cairn_pair_collide(cairn_world* world, const cairn_pair* pair, double dt)
{
    cairn_pair_state* state = &world->pairs[pair->slot];
    if (state->seen == world->step + 1)
        return CAIRN_OK;
    state->seen = world->step + 1;
    return cairn_pair_look(world, pair, dt);
}

// the touches of a pair with a body that moves
static cairn_status touch_pair(cairn_world* world, const cairn_pair* pair, double dt)
{
    cairn_pair_state* state = &world->pairs[pair->slot];
    int ia = world->proxy_body[pair->a], ib = world->proxy_body[pair->b];
    if (!cairn_body_active(&world->bodies[ia]) && !cairn_body_active(&world->bodies[ib])) {
        state->touch_count = state->asleep ? state->touch_count : 0;
        return CAIRN_OK;
    }
    cairn_status status = cairn_pair_collide(world, pair, dt);
    if (status != CAIRN_OK)
        return status;
    int begin = world->touch_count;
    for (int m = 0; m < state->contacts.count; m++) {
        const cairn_manifold* manifold = &state->contacts.manifolds[m];
        if (manifold->count == 0)
            continue;
        if (!cairn_world_reserve_touches(world, world->touch_count + manifold->count))
            return CAIRN_NO_MEMORY;
        cairn_touch common = touch_of(world, ia, ib, manifold);
        for (int k = 0; k < manifold->count; k++) {
            cairn_touch* touch = &world->touches[world->touch_count++];
            *touch = common;
            set_point(touch, world, &manifold->points[k]);
            carry_over(touch, world, state);
        }
    }
    state->touch = begin;
    state->touch_count = world->touch_count - begin;
    world->slept_stale = world->slept_stale || state->asleep;
    state->asleep = false;
    return CAIRN_OK;
}

typedef struct pair_task {
    cairn_world* world;
    const cairn_pair* pairs;
    double dt;
} pair_task;

static cairn_status share_pair(void* context, cairn_worker* worker, int i)
{
    const pair_task* task = context;
    const cairn_world* world = task->world;
    int a = world->proxy_body[task->pairs[i].a], b = world->proxy_body[task->pairs[i].b];
    (void)worker;
    if (!cairn_body_active(&world->bodies[a]) && !cairn_body_active(&world->bodies[b]))
        return CAIRN_OK;
    return cairn_pair_collide(task->world, &task->pairs[i], task->dt);
}

// the narrow phase of many pairs at once, when there are threads for it
static cairn_status collide_ahead(cairn_world* world, const cairn_pair* pairs, int count, double dt)
{
    enum { least_pairs = 64, share = 16 };
    cairn_crew* crew = count >= least_pairs ? cairn_world_crew(world) : NULL;
    pair_task task = {world, pairs, dt};
    return crew ? cairn_crew_run(crew, share_pair, &task, count, share, NULL) : CAIRN_OK;
}

// States, bodies and manifolds of pairs lie all over the memory: they are sent for before their
// turn.
static void fetch_ahead(const cairn_world* world, const cairn_pair* pairs, int count, int i)
{
    enum { far = 12, near = 6 };
    if (i + far < count) {
        const cairn_pair* pair = &pairs[i + far];
        const cairn_body* a = &world->bodies[world->proxy_body[pair->a]];
        const cairn_body* b = &world->bodies[world->proxy_body[pair->b]];
        __builtin_prefetch(&world->pairs[pair->slot]);
        __builtin_prefetch(&a->x);
        __builtin_prefetch(&b->x);
        __builtin_prefetch(&a->offset);
        __builtin_prefetch(&b->offset);
    }
    if (i + near < count) {
        const cairn_contacts* contacts = &world->pairs[pairs[i + near].slot].contacts;
        __builtin_prefetch(contacts->manifolds);
        __builtin_prefetch(contacts->caches);
    }
}

// all close pairs, in their order
static cairn_status touch_pairs(cairn_world* world, double dt)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    cairn_status status = collide_ahead(world, pairs, count, dt);
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        fetch_ahead(world, pairs, count, i);
        status = touch_pair(world, &pairs[i], dt);
    }
    if (status == CAIRN_OK)
        status = cairn_world_pack_slept(world);
    if (status == CAIRN_OK && !cairn_world_reserve_contacts(world))
        status = CAIRN_NO_MEMORY;
    return status;
}

cairn_status cairn_world_detect(cairn_world* world, double dt, cairn_step_report* report)
{
    double start = cairn_world_clock();
    world->version++;
    world->begun.count = world->ended.count = 0;
    cairn_status status = move_boxes(world, dt);
    if (status == CAIRN_OK)
        status = reserve_slots(world);
    if (status == CAIRN_OK)
        status = forget_ended(world);
    if (status == CAIRN_OK)
        status = cairn_world_wake_touched(world, dt);
    if (status != CAIRN_OK)
        return status;
    double broad = cairn_world_clock();
    report->ms_broad += broad - start;

    for (int i = 0; i < world->body_count; i++)
        world->bodies[i].moved = false;
    for (int i = 0; i < world->link_count; i++)
        if (cairn_link_active(world, &world->links[i]))
            world->links[i].impulse = world->links[i].twist = cairn_vec(0.0, 0.0, 0.0);

    status = keep_warmth(world) ? touch_pairs(world, dt) : CAIRN_NO_MEMORY;
    report->ms_narrow += cairn_world_clock() - broad;
    return status;
}
