// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The position pass of an island with joints and contacts: overlaps, gaping joints and passed limits
// go together, by displacements that change no velocity. With the rows of the present place,
//
//     joints      J d + C = 0
//     contacts    J_N d + gap + slop >= 0  ⟂  x >= 0       (and limits: room)
//     d = M^-1 (J^T λ + J_N^T x),
//
// which sweeps with the joints eliminated solve to the accuracy that a push needs; joints are closed
// by each solve to second order. Rounds go on until they are. A joint that closes a loop is swept with the
// contacts, until it is closed as well; where sweeps do not come close the island is left to position.c.

#include "solve/tree/articulated.h"
#include "world/step/step.h"
#include <string.h>

enum { most_rounds = 8, pushing_rounds = 3, least_sweeps = 3, most_sweeps = 12 };
enum { few_loops = 4, loop_sweeps = 64 }; // of islands with loops
static const double longest_push = 0.05;  // m or rad at once
static const double shallow = 1e-6;       // m: such overlaps wait
static const double deep = 5e-4;          // m: what asks for another push
static const double closed = 1e-9;        // m or rad: of joints
static const double close = 1e-5;         // m or rad: of loops, from which the next round goes on
static const double torn = 1e-7;          // m or rad: of joints that rounds could not close
static const double wide = 1e-4; // m or rad: of joints that do not wait for the end of the step

// the island at its present place
typedef struct stance {
    cairn_problem problem;
    double deepest; // m: overlap
    double gape;    // m, rad: of joints
    double widest;  // m, rad: of joints and passed limits
    double least;   // m, rad: what is open
    bool* open;     // of each body: some joint of its tree is
} stance;

static bool take(stance* now, const cairn_span* span, double least)
{
    const cairn_island* island = span->island;
    cairn_arena* arena = span->arena;
    size_t rows = (size_t)island->touch_count, blocks = rows;
    for (int i = 0; i < island->link_count; i++)
        rows += cairn_link_room(&span->world->links[span->group->links[island->link + i]], &blocks);
    *now = (stance){.problem = {.space = 3, .body_count = island->body_count}, .least = least};
    now->open = CAIRN_TAKE_ZEROED(arena, bool, island->body_count);
    now->problem.bodies = CAIRN_TAKE(arena, cairn_mass, island->body_count);
    now->problem.blocks = CAIRN_TAKE(arena, cairn_block, blocks);
    now->problem.rows = CAIRN_TAKE(arena, cairn_row, rows);
    now->problem.b = CAIRN_TAKE(arena, double, rows);
    return !arena->failed;
}

static void add_block(cairn_problem* problem, cairn_block_kind kind, int a, int b, int count)
{
    problem->blocks[problem->block_count++] = (cairn_block){
        .kind = kind, .row = problem->row_count, .row_count = count, .body_a = a, .body_b = b};
    problem->row_count += count;
}

static int place_of(const cairn_span* span, int slot)
{
    return slot == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY : span->group->local[slot];
}

static cairn_link* link_of(const cairn_span* span, int i)
{
    return &span->world->links[span->group->links[span->island->link + i]];
}

// joints with their errors, and the limits that were passed
static void add_links(stance* now, const cairn_span* span)
{
    cairn_problem* problem = &now->problem;
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = link_of(span, i);
        cairn_link_place place = cairn_link_where(span->world, link);
        int a = place_of(span, link->a), b = place_of(span, link->b);
        cairn_row* rows = problem->rows + problem->row_count;
        double *C = problem->b + problem->row_count, room, own = 0.0;

        int count = cairn_joint_is_gear(link->kind) ? 0 : cairn_link_rows(rows, link, &place);
        if (count > 0) {
            cairn_link_errors(C, link, &place, rows, count);
            for (int r = 0; r < count; r++)
                own = fmax(own, fabs(C[r]));
            now->gape = own <= now->gape ? now->gape : own; // a NaN stays
            add_block(problem, CAIRN_BLOCK_JOINT, a, b, count);
        }
        cairn_row* inward = problem->rows + problem->row_count;
        if (cairn_link_limit(inward, &room, link, &place) && room < 0.0) {
            problem->b[problem->row_count] = fmax(room, -longest_push);
            own = fmax(own, fmin(-room, longest_push));
            add_block(problem, CAIRN_BLOCK_LIMIT, a, b, 1);
        }
        now->widest = fmax(now->widest, own);
        if (own > now->least && a >= 0)
            now->open[a] = true;
        if (own > now->least && b >= 0)
            now->open[b] = true;
    }
}

// what hangs together is open together; the others stand still
static void hold_closed(stance* now, const cairn_span* span)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < span->island->link_count; i++) {
            const cairn_link* link = link_of(span, i);
            int a = place_of(span, link->a), b = place_of(span, link->b);
            if (a < 0 || b < 0 || now->open[a] == now->open[b])
                continue;
            now->open[a] = now->open[b] = changed = true;
        }
    }
    for (int i = 0; i < span->island->body_count; i++)
        if (!now->open[i])
            now->problem.bodies[i] = (cairn_mass){0};
}

// the normal rows of the contacts that overlap or may come to
static void add_touches(stance* now, const cairn_span* span)
{
    cairn_problem* problem = &now->problem;
    int first = problem->row_count, blocks = problem->block_count;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        cairn_reach reach = cairn_touch_reach(touch, span->world);
        double gap = reach.gap + span->world->def.slop;
        if (touch->soft)
            continue;
        now->deepest = fmax(now->deepest, -gap);
        if (gap >= longest_push)
            continue;
        cairn_row* row = &problem->rows[problem->row_count];
        cairn_vec3 back = cairn_scale(-1.0, reach.n);
        cairn_store_six(row->a, back, cairn_cross(reach.r_a, back));
        cairn_store_six(row->b, reach.n, cairn_cross(reach.r_b, reach.n));
        problem->b[problem->row_count] = fmax(gap, -longest_push);
        add_block(problem, CAIRN_BLOCK_CONTACT, span->group->local[touch->a],
                  span->group->local[touch->b], 1);
    }

    // what is shallow may wait, and then all may
    if (now->deepest <= shallow) {
        problem->row_count = first;
        problem->block_count = blocks;
    }
}

static cairn_status place(stance* now, const cairn_span* span, double least, bool push)
{
    if (!take(now, span, least))
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        now->problem.bodies[i] = (cairn_mass){body->inverse_mass, body->inverse_inertia};
    }
    add_links(now, span);
    if (push)
        add_touches(now, span);
    if (now->deepest <= shallow)
        hold_closed(now, span);
    return CAIRN_OK;
}

// moves the bodies; false: not by this method
static bool displace(const stance* now, const cairn_span* span)
{
    const cairn_problem* problem = &now->problem;
    cairn_articulated* all = cairn_articulated_make(problem, span->arena);
    double* lambda = CAIRN_TAKE_ZEROED(span->arena, double, problem->row_count);
    if (!lambda || !all || all->loop_count > few_loops || !cairn_articulated_factor(all))
        return false;
    cairn_articulated_start(all, lambda);
    bool loops = all->loop_count > 0;
    int most = loops ? loop_sweeps : most_sweeps;
    double enough = loops ? closed : fmax(0.25 * now->deepest, shallow), worst = INFINITY;
    for (int k = 0; k < most && all->grip_count > 0 && (k < least_sweeps || worst > enough); k++)
        worst = cairn_articulated_sweep(all);
    if (loops && !(worst <= close))
        return false;
    cairn_articulated_finish(all, lambda);
    for (int i = 0; i < all->limb_count; i++) {
        int slot = span->group->bodies[span->island->body + all->limbs[i].body];
        cairn_body_displace(&span->world->bodies[slot], (const double*)&all->v[i]);
    }
    return true;
}

// rounds until nothing is open; *gape: what is left open of joints
static cairn_status close_rounds(const cairn_span* span, double least, bool push, double* gape,
                                 bool* done)
{
    double deepest = push ? INFINITY : 0.0;
    *done = true;
    for (int k = 0; k < most_rounds && *done; k++) {
        cairn_arena_mark mark = cairn_arena_here(span->arena);
        stance now;
        cairn_status status = place(&now, span, least, k < pushing_rounds && deepest > deep);
        if (status != CAIRN_OK)
            return status;
        deepest = now.deepest;
        *gape = now.gape;
        bool open = !(now.widest <= least) || now.deepest > shallow;
        if (open)
            *done = displace(&now, span);
        if (span->arena->failed)
            return CAIRN_NO_MEMORY;
        cairn_arena_release(span->arena, mark);
        if (!open)
            break;
    }
    return CAIRN_OK;
}

// puts the bodies of the island on their way from where the substep began to where it led
static void stand_at(const cairn_span* span, const cairn_transform* to, double share)
{
    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        cairn_body* body = &span->world->bodies[slot];
        cairn_sweep way = {span->group->from[slot], to[i]};
        cairn_transform at = cairn_sweep_at(&way, share);
        body->x = at.p;
        body->q = cairn_quat_normalize(at.q);
        cairn_body_refresh(body);
    }
}

// as much of the way as closes: where it began the joints were closed
static cairn_status fall_short(const cairn_span* span, const cairn_transform* to)
{
    enum { most_tries = 6 };
    cairn_status status = CAIRN_OK;
    double share = 0.5, went = 1.0, gape = INFINITY;
    for (int k = 0; k < most_tries && status == CAIRN_OK && !(gape <= torn); k++, share *= 0.5) {
        bool done;
        if (k + 1 == most_tries)
            share = 0.0;
        stand_at(span, to, share);
        status = close_rounds(span, closed, false, &gape, &done);
        went = share;
    }

    // what did not go all the way has not been as fast: no force gives energy without a way
    for (int i = 0; i < span->island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        body->v = cairn_scale(went, body->v);
        body->w = cairn_scale(went, body->w);
    }
    return status;
}

cairn_status cairn_jointed_part(const cairn_span* span, bool* done)
{
    // within a step large islands are closed where they are wide open, and their overlaps wait
    bool whole = span->last || cairn_island_is_fine(span);
    double gape = 0.0;
    cairn_transform* to = CAIRN_TAKE(span->arena, cairn_transform, span->island->body_count);
    if (!to)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        to[i] = (cairn_transform){span->world->bodies[slot].x, span->world->bodies[slot].q};
    }
    cairn_status status = close_rounds(span, whole ? closed : wide, whole, &gape, done);
    if (status == CAIRN_OK && *done && whole && !(gape <= torn) && span->group->from)
        status = fall_short(span, to);
    return status;
}
