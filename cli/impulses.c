// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// On every body that is awake, the contacts of a step show what its solves gave:
//
//     Σ_contacts ± impulse  =  Σ_solves Σ_contacts ± (λ_N n + λ_T t + λ_S s)
//
// or, of piles that march (docs/world.md), whose small steps are not recorded one by one, the change of its
// momentum, m (v' - v - g dt). Of bodies that joints hold together the same holds of their sum, because contacts
// and joints share the loads that statics leaves open; nothing is known where a joint holds them to the world.

#include "impulses.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// another capacity of an array; false without memory, which leaves it as it was
static bool grow(void** array, int slots, size_t size)
{
    void* grown = realloc(*array, (size_t)slots * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static bool reserve(impulses* b, int slots)
{
    if (slots <= b->capacity)
        return true;
    bool done = grow((void**)&b->net, slots, sizeof *b->net) &&
                grow((void**)&b->told, slots, sizeof *b->told) &&
                grow((void**)&b->before, slots, sizeof *b->before) &&
                grow((void**)&b->speed, slots, sizeof *b->speed) &&
                grow((void**)&b->root, slots, sizeof *b->root) &&
                grow((void**)&b->moves, slots, sizeof *b->moves) &&
                grow((void**)&b->anchored, slots, sizeof *b->anchored);
    b->capacity = done ? slots : b->capacity;
    return done;
}

double impulses_slower_by(const cairn_frame* frame, const cairn_stage* stage, int i, cairn_vec3 v,
                          cairn_vec3 w)
{
    const cairn_stage_body* body = &stage->bodies[i];
    const cairn_frame_body* now = &frame->bodies[i];
    if (!now->present || body->type != CAIRN_BODY_DYNAMIC || !body->shaped)
        return 0.0;
    cairn_vec3 center = cairn_transform_relative(body->offset, body->principal).p;
    return cairn_norm(cairn_sub(now->velocity, v)) +
           cairn_shape_radius(&body->shape, center) * cairn_norm(cairn_sub(now->spin, w));
}

double impulses_speed_of(const cairn_frame* frame, const cairn_stage* stage, int i)
{
    const cairn_vec3 none = {0.0, 0.0, 0.0};
    return impulses_slower_by(frame, stage, i, none, none);
}

bool impulses_reset(impulses* b, int slots)
{
    if (!reserve(b, slots))
        return false;
    if (slots > 0) {
        memset(b->net, 0, (size_t)slots * sizeof *b->net);
        memset(b->told, 0, (size_t)slots * sizeof *b->told);
    }
    b->scale = b->kick = 0.0;
    return true;
}

bool impulses_remember(impulses* b, const cairn_frame* frame, const cairn_stage* stage)
{
    if (!reserve(b, frame->body_count))
        return false;
    for (int i = 0; i < frame->body_count; i++) {
        b->before[i] = frame->bodies[i].velocity;
        b->speed[i] = impulses_speed_of(frame, stage, i);
    }
    b->known = frame->body_count;
    return true;
}

static void add_impulse(impulses* b, int slot, double sign, cairn_vec3 impulse)
{
    if (slot >= 0 && slot < b->capacity)
        b->net[slot] = cairn_add_scaled(b->net[slot], sign, impulse);
}

static void add_told(impulses* b, int slot, double sign, cairn_vec3 impulse)
{
    add_impulse(b, slot, -sign, impulse);
    if (slot >= 0 && slot < b->capacity)
        b->told[slot] = cairn_add_scaled(b->told[slot], sign, impulse);
}

static bool is_dynamic(const cairn_stage* stage, int slot)
{
    return slot >= 0 && slot < stage->body_count && stage->bodies[slot].type == CAIRN_BODY_DYNAMIC;
}

static int root_of(const impulses* b, int slot)
{
    while (b->root[slot] != slot)
        slot = b->root[slot];
    return slot;
}

// what the change of momentum of a body has beyond the impulses that its contacts show and those of gravity
static cairn_vec3 unexplained(const impulses* b, const cairn_frame* frame, const cairn_stage* stage,
                              int i)
{
    const cairn_stage_body* body = &stage->bodies[i];
    cairn_vec3 fall = cairn_scale(body->gravity_scale * stage->dt, stage->gravity);
    cairn_vec3 change = cairn_sub(cairn_sub(frame->bodies[i].velocity, b->before[i]), fall);
    return cairn_sub(cairn_scale(body->mass, change), b->told[i]);
}

// whether the island of a body moves, which was there in the frame before
static bool is_moving(const impulses* b, const cairn_frame* frame, int i)
{
    int island = frame->bodies[i].island;
    return i < b->known && island >= 0 && island < frame->body_count && b->moves[island];
}

// Whether the contact impulses of a body are the change of its momentum. An island that moves may
// have marched for a part of the step, so that its solves do not have all impulses.
static bool marched_so(const impulses* b, const cairn_frame* frame, const cairn_stage* stage, int i)
{
    return is_moving(b, frame, i) && cairn_norm(unexplained(b, frame, stage, i)) <= 1e-9 * b->scale;
}

// the same of all bodies that joints hold together: what these exert cancels
static bool marched_together(const impulses* b, const cairn_frame* frame, const cairn_stage* stage,
                             int root)
{
    cairn_vec3 off = {0.0, 0.0, 0.0};
    for (int i = root; i < frame->body_count; i++) {
        if (root_of(b, i) != root || !is_dynamic(stage, i))
            continue;
        if (!is_moving(b, frame, i))
            return false;
        off = cairn_add(off, unexplained(b, frame, stage, i));
    }
    return cairn_norm(off) <= 1e-9 * b->scale;
}

void impulses_add_solve(impulses* b, const cairn_recorded_solve* solve)
{
    const cairn_problem* problem = &solve->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        cairn_vec3 sum = {0.0, 0.0, 0.0};

        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;

        // the rows of B are the directions, so Σ λ_i d_i is the impulse on B
        for (int i = 0; i < 3; i++) {
            const double* along = problem->rows[block->row + i].b;
            sum = cairn_add_scaled(sum, solve->lambda[block->row + i],
                                   cairn_vec(along[0], along[1], along[2]));
        }

        if (block->body_a >= 0)
            add_impulse(b, solve->slot[block->body_a], -1.0, sum);
        if (block->body_b >= 0)
            add_impulse(b, solve->slot[block->body_b], 1.0, sum);
        b->scale += cairn_norm(sum);
    }
}

// ---------------------------------------------------------------- the law

// the impulses of the frame's contacts, to be set against those of its solves
static void tell(impulses* b, const cairn_frame* frame)
{
    for (int c = 0; c < frame->contact_count; c++) {
        const cairn_contact* contact = &frame->contacts[c];
        add_told(b, contact->body_a.index, -1.0, contact->impulse);
        add_told(b, contact->body_b.index, 1.0, contact->impulse);
        b->scale += cairn_norm(contact->impulse);
    }
}

// A body at rest rests with its whole island, at exactly zero velocity: a creeping island may have
// been integrated by marching.
static void find_moving(impulses* b, const cairn_frame* frame)
{
    const double still = 0.0; // m/s
    if (frame->body_count > 0)
        memset(b->moves, 0, (size_t)frame->body_count * sizeof *b->moves);
    for (int i = 0; i < frame->body_count; i++) {
        int island = frame->bodies[i].present ? frame->bodies[i].island : -1;
        double before = i < b->known ? cairn_norm(b->before[i]) : 0.0;
        if (island >= 0 && island < frame->body_count &&
            fmax(before, cairn_norm(frame->bodies[i].velocity)) > still)
            b->moves[island] = true;
    }
}

// Bodies that joints hold together, by the lowest of them. A joint gives its two bodies opposite impulses;
// the ropes of a pulley end at the world, too.
static void join(impulses* b, const cairn_stage* stage)
{
    for (int i = 0; i < stage->body_count; i++) {
        b->root[i] = i;
        b->anchored[i] = false;
    }
    for (int k = 0; k < stage->joint_count; k++) {
        const cairn_stage_joint* joint = &stage->joints[k];
        if (joint->id.generation == 0)
            continue;
        bool a_moves = is_dynamic(stage, joint->body_a), b_moves = is_dynamic(stage, joint->body_b);
        int first = a_moves ? root_of(b, joint->body_a) : -1;
        int second = b_moves ? root_of(b, joint->body_b) : first;
        first = a_moves ? first : second;
        if (first < 0)
            continue;
        int low = first < second ? first : second, high = first + second - low;
        b->root[high] = low;
        b->anchored[low] = b->anchored[low] || b->anchored[high] || !a_moves || !b_moves ||
                           joint->kind == CAIRN_JOINT_PULLEY;
    }
}

// Whether a body was given what its contacts show. The tolerance covers the round-off of the sums; a sleeping
// body keeps the impulses with which it fell asleep.
static bool is_held(const impulses* b, const cairn_frame* frame, const cairn_stage* stage, int i)
{
    return !frame->bodies[i].present || frame->bodies[i].asleep || frame->bodies[i].frozen ||
           stage->bodies[i].type != CAIRN_BODY_DYNAMIC ||
           cairn_norm(b->net[i]) <= 1e-9 * b->scale || marched_so(b, frame, stage, i);
}

impulses_verdict impulses_hold(impulses* b, const cairn_frame* frame, const cairn_stage* stage)
{
    tell(b, frame);
    find_moving(b, frame);
    bool all = true;
    for (int i = 0; i < frame->body_count && all; i++)
        all = is_held(b, frame, stage, i);
    if (all || stage->joint_count == 0 || stage->body_count != frame->body_count)
        return all ? IMPULSES_HOLD : IMPULSES_DIFFER;

    // Where statics leaves a choice, loads are shared among contacts and joints: bodies that joints hold together
    // got the same in all. What differs is added up at their roots, each after those that it is the root of.
    join(b, stage);
    impulses_verdict verdict = IMPULSES_HOLD;
    for (int i = frame->body_count - 1; i >= 0; i--)
        if (b->root[i] != i)
            b->net[b->root[i]] = cairn_add(b->net[b->root[i]], b->net[i]);
    for (int i = 0; i < frame->body_count; i++) {
        if (b->root[i] != i || is_held(b, frame, stage, i))
            continue;
        if (b->anchored[i])
            verdict = IMPULSES_UNKNOWN;
        else if (!marched_together(b, frame, stage, i))
            return IMPULSES_DIFFER;
    }
    return verdict;
}

void impulses_destroy(impulses* b)
{
    free(b->net);
    free(b->told);
    free(b->before);
    free(b->speed);
    free(b->root);
    free(b->moves);
    free(b->anchored);
}
