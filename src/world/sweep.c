// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Moving piles: sweeps of projected Gauss-Seidel over batches of contacts that share no body
// (solve/batch.h), made faster by conjugate directions. With S the sweep, forward and backward in
// turn,
//
//     λ' = S(λ),   d = λ' - λ,   β = |d|² / |d_old|²  in the norm of the kinetic energy,
//     λ = λ' + β p,   p = β p + d          (β > 1: start again from p = d)
//
// which is the nonlinear conjugate-gradient step of Silcowitz-Hansen, Niebe and Erleben (2010). The
// bodies' velocities are linear in λ, so a step along p is a step along p_v, carried beside it.
//
// Each round ends with the certificate of verify.c, from the impulses alone. Sweeps are right for
// heaps where many contacts slide or part; for loads that go through many bodies, and for great
// ratios of masses, they converge slowly: then a more exact method goes on from here.

#include "solve/batch.h"
#include "world/island.h"
#include <string.h>

enum { most_colors = 64, least_sweeps = 2, most_sweeps = 200 };

typedef struct sweeper {
    const cairn_span* span;
    cairn_simd_level level;
    int batch_count, place_count;
    const int* list; // contacts, `lanes` per batch; -1: an empty lane
    cairn_batch_double* batches;
    double *state, *mass;  // 8 per place; the last place is the ground
    double *before, *way;  // λ before the sweep and p, 3 x lanes per batch
    double *start, *way_v; // v before the sweep and p_v, 8 per place
    double last;           // |d_old|²
} sweeper;

// ---------------------------------------------------------------- dealing contacts to batches

// greedy coloring; returns the number of batches and lists the contacts batch by batch, -1 for
// empty lanes
static int deal(int** list, const cairn_span* span)
{
    cairn_arena* arena = &span->world->arena;
    const cairn_island* island = span->island;
    const int* touches = span->group->touches + island->touch;
    int count = island->touch_count, size[most_colors + 1] = {0}, begin[most_colors + 1];
    uint64_t* used = CAIRN_TAKE_ZEROED(arena, uint64_t, island->body_count + 1);
    unsigned char* color = CAIRN_TAKE(arena, unsigned char, count);
    if (arena->failed)
        return -1;
    for (int c = 0; c < count; c++) {
        const cairn_touch* touch = &span->world->touches[touches[c]];
        int a = span->group->local[touch->a], b = span->group->local[touch->b];
        uint64_t taken = (a < 0 ? 0 : used[a]) | (b < 0 ? 0 : used[b]);
        int k = ~taken ? __builtin_ctzll(~taken) : most_colors;
        color[c] = (unsigned char)k;
        size[k]++;
        if (a >= 0 && k < most_colors)
            used[a] |= UINT64_C(1) << k;
        if (b >= 0 && k < most_colors)
            used[b] |= UINT64_C(1) << k;
    }

    // whole batches of each color; one contact per batch for what found none
    int batches = 0;
    for (int k = 0; k <= most_colors; k++) {
        begin[k] = cairn_lanes * batches;
        batches += k < most_colors ? (size[k] + cairn_lanes - 1) / cairn_lanes : size[k];
    }
    *list = CAIRN_TAKE(arena, int, cairn_lanes*(size_t)batches);
    if (!*list)
        return -1;
    memset(*list, 0xff, cairn_lanes * (size_t)batches * sizeof(int));
    for (int c = 0; c < count; c++) {
        (*list)[begin[color[c]]] = touches[c];
        begin[color[c]] += color[c] < most_colors ? 1 : cairn_lanes;
    }
    return batches;
}

// ---------------------------------------------------------------- filling

static void put(double (*to)[cairn_lanes], int l, cairn_vec3 v)
{
    to[0][l] = v.x;
    to[1][l] = v.y;
    to[2][l] = v.z;
}

// adds K c = c/m - r x (I^-1 (r x c)) ... of one body: the velocity of its point for an impulse c
static cairn_vec3 answer(const cairn_body* body, cairn_vec3 r, cairn_vec3 c)
{
    cairn_vec3 spin = cairn_mat3_apply(body->inverse_inertia, cairn_cross(r, c));
    return cairn_add_scaled(cairn_cross(spin, r), body->inverse_mass, c);
}

static void fill_lane(sweeper* s, cairn_batch_double* batch, int l, cairn_touch* touch)
{
    const cairn_span* span = s->span;
    const cairn_world* world = span->world;
    const int slots[2] = {touch->a, touch->b};
    const cairn_vec3 c[3] = {touch->n, touch->t, touch->s};
    cairn_vec3 K[3] = {{0}}, drive = {0}, moved = {0};
    for (int side = 0; side < 2; side++) {
        const double* v = span->free + 6 * (ptrdiff_t)slots[side];
        cairn_vec3 arm = side ? touch->r_b : touch->r_a;
        cairn_vec3 p = cairn_cross(cairn_vec(v[3], v[4], v[5]), arm);
        p = cairn_add(cairn_vec(v[0], v[1], v[2]), p);
        int place = span->group->local[slots[side]];
        moved = cairn_add_scaled(moved, side ? 1.0 : -1.0, p);
        batch->body[side][l] = place < 0 ? s->place_count - 1 : place;
        put(batch->arm[side], l, arm);
        if (place < 0) // what the ground does by itself belongs to b
            drive = cairn_add_scaled(drive, side ? 1.0 : -1.0, p);
        for (int i = 0; i < 3 && place >= 0; i++)
            K[i] = cairn_add(K[i], answer(&world->bodies[slots[side]], arm, c[i]));
    }
    cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, span->h), touch->impulse);
    double d[3] = {cairn_dot(c[0], K[0]), cairn_dot(c[1], K[1]), cairn_dot(c[2], K[2])};
    double slide = fmax(d[1], d[2]);
    for (int i = 0; i < 3; i++) {
        double diagonal = i == 0 ? d[0] : slide;
        batch->b[i][l] = cairn_dot(c[i], drive);
        batch->lambda[i][l] = cairn_dot(c[i], P);
        batch->rate[i][l] = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
    }
    batch->b[0][l] += cairn_touch_bias(world, touch, cairn_dot(c[0], moved), span->h);
    batch->coupling[0][l] = cairn_dot(c[1], K[0]);
    batch->coupling[1][l] = cairn_dot(c[2], K[0]);
    batch->mu[l] = touch->friction.mu[0];
    put(batch->normal, l, touch->n);
    put(batch->tangent, l, touch->t);
}

static void fill(sweeper* s)
{
    for (int i = 0; i < s->batch_count; i++) {
        cairn_batch_double* batch = &s->batches[i];
        memset(batch, 0, sizeof *batch);
        for (int l = 0; l < cairn_lanes; l++) {
            int c = s->list[cairn_lanes * i + l];
            batch->body[0][l] = batch->body[1][l] = s->place_count - 1;
            if (c < 0)
                continue;
            cairn_touch_refresh(&s->span->world->touches[c], s->span->world);
            fill_lane(s, batch, l, &s->span->world->touches[c]);
        }
    }
}

static void load_bodies(sweeper* s)
{
    const cairn_island* island = s->span->island;
    for (int i = 0; i < island->body_count; i++) {
        int slot = s->span->group->bodies[island->body + i];
        const cairn_body* body = &s->span->world->bodies[slot];
        const cairn_mat3* J = &body->inverse_inertia;
        const double mass[8] = {
            body->inverse_mass, J->cx.x, J->cy.y, J->cz.z, J->cy.x, J->cz.x, J->cz.y, 0.0};
        memcpy(s->mass + 8 * (ptrdiff_t)i, mass, sizeof mass);
        memcpy(s->state + 8 * (ptrdiff_t)i, s->span->free + 6 * (ptrdiff_t)slot,
               6 * sizeof(double));
    }
    // the warm start acts on the bodies
    for (int i = 0; i < s->batch_count; i++) {
        const cairn_batch_double* batch = &s->batches[i];
        for (int l = 0; l < cairn_lanes; l++) {
            int c = s->list[cairn_lanes * i + l];
            if (c < 0)
                continue;
            const cairn_touch* touch = &s->span->world->touches[c];
            cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, s->span->h), touch->impulse);
            for (int side = 0; side < 2; side++) {
                int place = batch->body[side][l];
                if (place == s->place_count - 1)
                    continue;
                cairn_vec3 p = side ? P : cairn_scale(-1.0, P);
                const cairn_body* body = &s->span->world->bodies[side ? touch->b : touch->a];
                cairn_vec3 w = cairn_mat3_apply(body->inverse_inertia,
                                                cairn_cross(side ? touch->r_b : touch->r_a, p));
                double* v = s->state + 8 * (ptrdiff_t)place;
                v[0] += body->inverse_mass * p.x;
                v[1] += body->inverse_mass * p.y;
                v[2] += body->inverse_mass * p.z;
                v[3] += w.x;
                v[4] += w.y;
                v[5] += w.z;
            }
        }
    }
}

static bool prepare(sweeper* s, const cairn_span* span)
{
    cairn_arena* arena = &span->world->arena;
    int* list;
    *s = (sweeper){.span = span, .level = cairn_simd_detect()};
    s->batch_count = deal(&list, span);
    if (s->batch_count < 0)
        return false;
    s->place_count = span->island->body_count + 1;
    size_t numbers = 8 * (size_t)s->place_count, impulses = 3 * cairn_lanes;
    impulses *= (size_t)s->batch_count;
    s->batches = CAIRN_TAKE(arena, cairn_batch_double, s->batch_count);
    s->state = CAIRN_TAKE_ZEROED(arena, double, numbers);
    s->mass = CAIRN_TAKE_ZEROED(arena, double, numbers);
    s->start = CAIRN_TAKE(arena, double, numbers);
    s->way_v = CAIRN_TAKE_ZEROED(arena, double, numbers);
    s->before = CAIRN_TAKE(arena, double, impulses);
    s->way = CAIRN_TAKE_ZEROED(arena, double, impulses);
    if (arena->failed)
        return false;
    s->list = list;
    fill(s);
    load_bodies(s);
    return true;
}

// ---------------------------------------------------------------- sweeping

static void plain_sweep(sweeper* s, bool backward, double* worst)
{
    cairn_batch_sweep sweep = {.backward = backward};
    cairn_batches_double batches = {
        .batch = s->batches, .state = s->state, .mass = s->mass, .relaxation = 1.0};
    CAIRN_PICK_KERNEL(s->level, cairn_batch_sweep_double)(&batches, 0, s->batch_count, &sweep);
    *worst = sweep.worst;
}

// |d|² by the energy of the change of velocity; rotation counts at the mean inertia
static double change_square(const sweeper* s)
{
    double sum = 0.0;
    for (int i = 0; i < s->place_count - 1; i++) {
        const double *v = s->state + 8 * (ptrdiff_t)i, *v0 = s->start + 8 * (ptrdiff_t)i;
        const double* m = s->mass + 8 * (ptrdiff_t)i;
        double linear = 0.0, angular = 0.0;
        for (int k = 0; k < 3; k++) {
            linear += (v[k] - v0[k]) * (v[k] - v0[k]);
            angular += (v[3 + k] - v0[3 + k]) * (v[3 + k] - v0[3 + k]);
        }
        sum += linear / m[0] + 3.0 * angular / (m[1] + m[2] + m[3]);
    }
    return sum;
}

// x += β p; p = β p + (x - before): returns nothing new but both
static void follow(double* x, double* way, const double* before, int n, double beta)
{
    for (int k = 0; k < n; k++) {
        double d = x[k] - before[k];
        x[k] += beta * way[k];
        way[k] = beta * way[k] + d;
    }
}

static void accelerated_sweep(sweeper* s, bool backward, double* worst)
{
    enum { per_batch = 3 * cairn_lanes };
    size_t numbers = 8 * (size_t)s->place_count;
    for (int i = 0; i < s->batch_count; i++)
        memcpy(s->before + per_batch * (ptrdiff_t)i, s->batches[i].lambda,
               per_batch * sizeof(double));
    memcpy(s->start, s->state, numbers * sizeof(double));
    plain_sweep(s, backward, worst);
    double square = change_square(s);
    double beta = s->last > 0.0 ? square / s->last : 0.0;
    if (beta > 1.0)
        beta = 0.0;
    for (int i = 0; i < s->batch_count; i++)
        follow(&s->batches[i].lambda[0][0], s->way + per_batch * (ptrdiff_t)i,
               s->before + per_batch * (ptrdiff_t)i, per_batch, beta);
    follow(s->state, s->way_v, s->start, (int)numbers, beta);
    s->last = square;
}

// impulses of the batches to the contacts
static void store(const sweeper* s)
{
    for (int i = 0; i < s->batch_count; i++) {
        const cairn_batch_double* batch = &s->batches[i];
        for (int l = 0; l < cairn_lanes; l++) {
            int c = s->list[cairn_lanes * i + l];
            if (c < 0)
                continue;
            cairn_touch* touch = &s->span->world->touches[c];
            cairn_vec3 P = cairn_scale(batch->lambda[0][l], touch->n);
            P = cairn_add_scaled(P, batch->lambda[1][l], touch->t);
            touch->impulse = cairn_add_scaled(P, batch->lambda[2][l], touch->s);
            touch->spin_impulse = 0.0;
            touch->span = s->span->h;
        }
    }
}

cairn_status cairn_island_sweep(const cairn_span* span, cairn_judged* judged)
{
    sweeper s;
    int budget = span->world->def.sweeps > 0 ? span->world->def.sweeps : most_sweeps;
    double target = span->world->def.tolerance * judged->scale, worst = INFINITY;
    if (!prepare(&s, span))
        return CAIRN_NO_MEMORY;
    for (int k = 0; k < budget;) {
        while (k + 1 < budget && (worst > target || k < least_sweeps))
            accelerated_sweep(&s, k++ % 2 == 1, &worst);
        // the last sweep is plain: its impulses lie in their cones
        plain_sweep(&s, k++ % 2 == 1, &worst);
        s.last = 0.0;
        store(&s);
        cairn_arena_mark inner = cairn_arena_here(&span->world->arena);
        cairn_status status = cairn_island_verify(span, judged);
        if (status != CAIRN_OK || judged->residual <= target || k >= budget)
            return status;
        cairn_arena_release(&span->world->arena, inner);
        target = span->world->def.tolerance * judged->scale;
        worst = INFINITY;
    }
    return CAIRN_OK;
}
