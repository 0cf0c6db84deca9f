// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps over manifolds (manifold.h), in single precision, a register of lanes at a time. The
// equations are those of cluster_sweep_kernel.c, point by point, with velocities in registers from
// the first point of a manifold to the last. Lanes share no body, so no sum runs across lanes and
// every instruction set gives the same bits.

#include "solve/sweep/manifold.h"
#include <math.h>

// vectors wider than the machine's are passed between inlined functions of this file alone
#pragma GCC diagnostic ignored "-Wpsabi"

#include "solve/sweep/lanes_swift.h"

#include "solve/sweep/lanes_law.h"

typedef enum stage { is_first, is_next, is_last } stage;

// the two bodies of some lanes, with their masses where they need them
typedef struct couple {
    bodies s[2], m[2];
} couple;

CAIRN_INLINE couple take(const float* numbers, const cairn_manifold_cluster* all, int at,
                         const cairn_march_pass* pass)
{
    couple two;
    for (int side = 0; side < 2; side++) {
        two.s[side] = gather(numbers, all->body[side] + at);
        if (!pass->round)
            two.m[side] = gather(pass->mass, all->body[side] + at);
    }
    return two;
}

// P on B, -P on A
CAIRN_INLINE void strike(couple* two, bool round, const vec* arm, vec P)
{
    vec back = times(all(-1.0f), P);
    if (round) {
        apply_round(&two->s[0], arm[0], back);
        apply_round(&two->s[1], arm[1], P);
    } else {
        apply(&two->s[0], &two->m[0], arm[0], back);
        apply(&two->s[1], &two->m[1], arm[1], P);
    }
}

// the moment L on B, -L on A
CAIRN_INLINE void twist(couple* two, bool round, vec L)
{
    for (int side = 0; side < 2; side++) {
        vec own = times(all(side ? 1.0f : -1.0f), L);
        vec w = round ? times(two->s[side].w[7], own) : turn(&two->m[side], own);
        two->s[side].w[3] += w.x;
        two->s[side].w[4] += w.y;
        two->s[side].w[5] += w.z;
    }
}

CAIRN_INLINE void give(float* numbers, const cairn_manifold_cluster* all, int at, const couple* two)
{
    scatter(numbers, all->body[0] + at, two->s[0]);
    scatter(numbers, all->body[1] + at, two->s[1]);
}

CAIRN_INLINE vec along(const vec* c, const real* x)
{
    return plus(times(x[0], c[0]), plus(times(x[1], c[1]), times(x[2], c[2])));
}

// ---------------------------------------------------------------- the diagonal

CAIRN_INLINE void diagonal_lanes(cairn_manifold_cluster* all_points, int at,
                                 const cairn_march_pass* pass)
{
    const real zero = all(0.0f), one = all(1.0f);
    bodies m[2] = {gather(pass->mass, all_points->body[0] + at),
                   gather(pass->mass, all_points->body[1] + at)};
    vec c[3];
    frame(c, load3(all_points->normal, at));
    for (int k = 0; k < all_points->points; k++) {
        cairn_manifold_point* point = &pass->points[all_points->first + k];
        vec K[3], arm[2] = {load3(point->arm[0], at), load3(point->arm[1], at)};
        real d[3];
        for (int i = 0; i < 3; i++) {
            K[i] = plus(answer(&m[0], arm[0], c[i]), answer(&m[1], arm[1], c[i]));
            d[i] = dot(c[i], K[i]);
        }

        // empty lanes are wide open, and no impulse changes them
        real slide = largest(d[1], d[2]);
        mask some = (d[0] > zero) & (load(point->gap + at) < all(1e30f));
        keep(point->rate[0] + at, pick(some, one / d[0], zero));
        keep(point->rate[1] + at, pick(some, one / slide, zero));
        keep(point->coupling[0] + at, dot(c[1], K[0]));
        keep(point->coupling[1] + at, dot(c[2], K[0]));
        if (pass->laws)
            find_rates(&pass->laws[all_points->first + k], at, m, c, arm);
    }
}

double CAIRN_KERNEL(cairn_manifold_diagonal)(const cairn_march_pass* pass, int count)
{
    for (int i = 0; i < count; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            diagonal_lanes(&pass->clusters[i], at, pass);
    return 0.0;
}

// ---------------------------------------------------------------- velocities

// what b_N has beside J v*: a gap that is open may close within the small step
CAIRN_INLINE real bias_of(cairn_manifold_point* point, int at, const cairn_march_pass* pass,
                          const bodies* d, vec n, const vec* arm)
{
    const real zero = all(0.0f);
    real gap = load(point->gap + at) + dot(n, approach(d, arm));
    real bound = pick(load(point->lambda[0] + at) > zero, all(pass->touching), all(pass->closed));
    real bias = pick(gap > bound, gap * all(pass->over_h), zero);
    keep(point->bias + at, bias);
    return bias;
}

// m/s: by how much a normal velocity missed its law when its impulse had to change. Bodies that still
// approach will overlap; those that part while they are pushed gain energy.
CAIRN_INLINE real missed_by(real change, real u)
{
    const real zero = all(0.0f);
    return pick(change > zero, -u, pick(change < zero, u, zero));
}

// Sixteen manifolds, or eight, on their way through a sweep.
typedef struct strip {
    cairn_manifold_cluster* manifold;
    int at;
    couple two;
    bodies d[2];
    vec c[3];
    real most;
} strip;

CAIRN_INLINE void pick_up(strip* own, cairn_manifold_cluster* manifold, int at,
                          const cairn_march_pass* pass, stage now_at)
{
    own->manifold = manifold;
    own->at = at;
    own->most = all(0.0f);
    own->two = take(pass->velocity, manifold, at, pass);
    frame(own->c, load3(manifold->normal, at));
    if (now_at == is_first)
        for (int side = 0; side < 2; side++)
            own->d[side] = gather(pass->displacement, manifold->body[side] + at);
}

// A point of a strip under way: its velocity, and its impulse before and after.
typedef struct contact {
    cairn_manifold_point* point;
    vec arm[2];
    real u[3], old[3], now[3];
} contact;

CAIRN_INLINE void look_at(contact* c, const strip* own, int k, const cairn_march_pass* pass,
                          stage now_at)
{
    int at = own->at;
    cairn_manifold_point* point = c->point = &pass->points[own->manifold->first + k];
    c->arm[0] = load3(point->arm[0], at);
    c->arm[1] = load3(point->arm[1], at);
    real bias = now_at == is_first ? bias_of(point, at, pass, own->d, own->c[0], c->arm)
                                   : load(point->bias + at);
    vec p = approach(own->two.s, c->arm);
    for (int i = 0; i < 3; i++) {
        c->u[i] = dot(own->c[i], p);
        c->old[i] = load(point->lambda[i] + at);
        if (now_at == is_first) {
            c->old[i] += all(pass->warm) * load(point->start[i] + at);
            keep(point->start[i] + at, c->old[i]);
        }
    }
    c->u[0] += bias;
}

CAIRN_INLINE void push(contact* c, strip* own)
{
    const cairn_manifold_point* point = c->point;
    int at = own->at;
    c->now[0] = largest(c->old[0] - load(point->rate[0] + at) * c->u[0], all(0.0f));
    real delta = c->now[0] - c->old[0];
    own->most = largest(own->most, missed_by(delta, c->u[0]));
    c->u[1] += load(point->coupling[0] + at) * delta;
    c->u[2] += load(point->coupling[1] + at) * delta;
}

// friction at the velocity that the normal's change leaves
CAIRN_INLINE void rub(contact* c, const strip* own)
{
    real rate = load(c->point->rate[1] + own->at);
    c->now[1] = c->old[1] - rate * c->u[1];
    c->now[2] = c->old[2] - rate * c->u[2];
    cut(&c->now[1], &c->now[2], load(own->manifold->mu + own->at) * c->now[0]);
}

CAIRN_INLINE void react(const contact* c, strip* own, const cairn_march_pass* pass, stage now_at)
{
    real delta[3];
    for (int i = 0; i < 3; i++) {
        float *lambda = c->point->lambda[i] + own->at, *total = c->point->total[i] + own->at;
        delta[i] = c->now[i] - c->old[i];
        keep(lambda, c->now[i]);
        if (now_at == is_last)
            keep(total, load(total) + c->now[i]);
    }
    strike(&own->two, pass->round, c->arm, along(own->c, delta));
}

CAIRN_INLINE void sweep_point(strip* own, int k, const cairn_march_pass* pass, stage now_at)
{
    contact c;
    look_at(&c, own, k, pass, now_at);
    push(&c, own);
    rub(&c, own);
    react(&c, own, pass, now_at);
}

// the same of two strips, step by step in turn
CAIRN_INLINE void sweep_points(strip* one, strip* other, int k, const cairn_march_pass* pass,
                               stage now_at)
{
    contact c, d;
    look_at(&c, one, k, pass, now_at);
    look_at(&d, other, k, pass, now_at);
    push(&c, one);
    push(&d, other);
    rub(&c, one);
    rub(&d, other);
    react(&c, one, pass, now_at);
    react(&d, other, pass, now_at);
}

CAIRN_INLINE real sweep_lanes(cairn_manifold_cluster* manifold, int at,
                              const cairn_march_pass* pass, stage now_at)
{
    strip own;
    pick_up(&own, manifold, at, pass, now_at);
    for (int k = 0; k < manifold->points; k++)
        sweep_point(&own, k, pass, now_at);
    give(pass->velocity, manifold, at, &own.two);
    return own.most;
}

// Two strips that share no body, point by point in turn: each point waits for the one before it in its own
// strip alone, and the processor works on the other meanwhile. The numbers are those of one after the other.
CAIRN_INLINE real sweep_both(cairn_manifold_cluster* a, int at_a, cairn_manifold_cluster* b,
                             int at_b, const cairn_march_pass* pass, stage now_at)
{
    strip one, other;
    pick_up(&one, a, at_a, pass, now_at);
    pick_up(&other, b, at_b, pass, now_at);
    int common = a->points < b->points ? a->points : b->points;
    for (int k = 0; k < common; k++)
        sweep_points(&one, &other, k, pass, now_at);
    for (int k = common; k < a->points; k++)
        sweep_point(&one, k, pass, now_at);
    for (int k = common; k < b->points; k++)
        sweep_point(&other, k, pass, now_at);
    give(pass->velocity, a, at_a, &one.two);
    give(pass->velocity, b, at_b, &other.two);
    return largest(one.most, other.most);
}

// the same with ellipsoids of friction
CAIRN_INLINE real sweep_law_lanes(cairn_manifold_cluster* manifold, int at,
                                  const cairn_march_pass* pass, stage now_at)
{
    real most = all(0.0f);
    couple two = take(pass->velocity, manifold, at, pass);
    bodies d[2];
    vec c[3];
    frame(c, load3(manifold->normal, at));
    if (now_at == is_first)
        for (int side = 0; side < 2; side++)
            d[side] = gather(pass->displacement, manifold->body[side] + at);
    for (int k = 0; k < manifold->points; k++) {
        cairn_manifold_point* point = &pass->points[manifold->first + k];
        cairn_cluster_law* law = &pass->laws[manifold->first + k];
        vec arm[2] = {load3(point->arm[0], at), load3(point->arm[1], at)};
        real u[4], old[4], now[4], delta[3];
        real bias =
            now_at == is_first ? bias_of(point, at, pass, d, c[0], arm) : load(point->bias + at);
        vec p = approach(two.s, arm);
        for (int i = 0; i < 4; i++) {
            float* start = i < 3 ? point->start[i] + at : law->way + at;
            u[i] = i < 3 ? dot(c[i], p) : spin_about(c[0], two.s);
            old[i] = load(i < 3 ? point->lambda[i] + at : law->lambda + at);
            if (now_at == is_first) {
                old[i] += all(pass->warm) * load(start);
                keep(start, old[i]);
            }
        }
        u[0] += bias;
        solve_law(now, old, u, load(point->rate[0] + at), load(manifold->mu + at), law, at);
        most = largest(most, missed_by(now[0] - old[0], u[0]));
        for (int i = 0; i < 3; i++) {
            delta[i] = now[i] - old[i];
            keep(point->lambda[i] + at, now[i]);
            if (now_at == is_last)
                keep(point->total[i] + at, load(point->total[i] + at) + now[i]);
        }
        keep(law->lambda + at, now[3]);
        strike(&two, pass->round, arm, along(c, delta));
        twist(&two, pass->round, times(now[3] - old[3], c[0]));
    }
    give(pass->velocity, manifold, at, &two);
    return most;
}

// one cluster; or two, side by side, where they are `apart`: returns how many
CAIRN_INLINE int sweep_next(real* most, const cairn_march_pass* pass, int i, int count,
                            stage now_at)
{
    cairn_manifold_cluster* own = &pass->clusters[pass->downwards ? count - 1 - i : i];
    cairn_manifold_cluster* next = own + (pass->downwards ? -1 : 1);
    bool apart = i + 1 < count && (pass->downwards ? own : next)->apart;

    if (pass->laws) {
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            *most = largest(*most, sweep_law_lanes(own, at, pass, now_at));
        return 1;
    }

    // lanes share no body, so that the halves of a cluster are apart
    if (2 * wide <= cairn_cluster_lanes) {
        for (int at = 0; at < cairn_cluster_lanes; at += 2 * wide)
            *most = largest(*most, sweep_both(own, at, own, at + wide, pass, now_at));
        return 1;
    }
    *most = largest(*most, apart ? sweep_both(own, 0, next, 0, pass, now_at)
                                 : sweep_lanes(own, 0, pass, now_at));
    return apart ? 2 : 1;
}

CAIRN_INLINE double sweep_all(const cairn_march_pass* pass, int count, stage now_at)
{
    real most = all(0.0f);
    for (int i = 0; i < count;)
        i += sweep_next(&most, pass, i, count, now_at);
    return widest(most);
}

double CAIRN_KERNEL(cairn_manifold_start)(const cairn_march_pass* pass, int count)
{
    return sweep_all(pass, count, is_first);
}

double CAIRN_KERNEL(cairn_manifold_sweep)(const cairn_march_pass* pass, int count)
{
    return sweep_all(pass, count, is_next);
}

double CAIRN_KERNEL(cairn_manifold_finish)(const cairn_march_pass* pass, int count)
{
    return sweep_all(pass, count, is_last);
}

double CAIRN_KERNEL(cairn_manifold_push)(const cairn_march_pass* pass, int count)
{
    for (int i = 0; i < count; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            const cairn_manifold_cluster* manifold = &pass->clusters[i];
            couple two = take(pass->velocity, manifold, at, pass);
            vec c[3] = {{load(manifold->normal[0] + at), load(manifold->normal[1] + at),
                         load(manifold->normal[2] + at)}};
            frame(c, c[0]);
            for (int k = 0; k < manifold->points; k++) {
                cairn_manifold_point* point = &pass->points[manifold->first + k];
                vec arm[2] = {load3(point->arm[0], at), load3(point->arm[1], at)};
                real x[3];
                for (int j = 0; j < 3; j++)
                    x[j] = load(point->lambda[j] + at);
                strike(&two, pass->round, arm, along(c, x));
                if (pass->laws)
                    twist(&two, pass->round,
                          times(load(pass->laws[manifold->first + k].lambda + at), c[0]));
            }
            give(pass->velocity, manifold, at, &two);
        }
    return 0.0;
}

// ---------------------------------------------------------------- positions

// notes the bodies of the lanes that this visit has moved
CAIRN_INLINE void note_moved(const cairn_manifold_cluster* manifold, int at,
                             const cairn_march_pass* pass, mask pushed)
{
    if (!any(pushed))
        return;
    for (int l = 0; l < wide; l++)
        for (int side = 0; side < 2 && pushed[l]; side++)
            pass->moved[manifold->body[side][at + l]] = manifold->seen;
    pass->moved[manifold->ground] = 0;
}

// whether a body of a cluster has moved since it was seen, or then
CAIRN_INLINE bool is_due(const cairn_manifold_cluster* manifold, const cairn_march_pass* pass)
{
    int32_t last = 0;
    for (int side = 0; side < 2; side++)
        for (int l = 0; l < cairn_cluster_lanes; l++) {
            int32_t own = pass->moved[manifold->body[side][l]];
            last = own > last ? own : last;
        }
    return last >= manifold->seen;
}

// x = max(0, -gap/A_NN) for each point, with the displacements that the ones before it left
CAIRN_INLINE real part_lanes(cairn_manifold_cluster* manifold, int at, const cairn_march_pass* pass)
{
    const real zero = all(0.0f);
    couple two = take(pass->displacement, manifold, at, pass);
    vec n = load3(manifold->normal, at);
    real deepest = zero;
    mask pushed = {0};
    for (int k = 0; k < manifold->points; k++) {
        cairn_manifold_point* point = &pass->points[manifold->first + k];
        vec arm[2] = {load3(point->arm[0], at), load3(point->arm[1], at)};
        real gap = load(point->gap + at) + all(pass->slop) + dot(n, approach(two.s, arm));
        deepest = largest(deepest, -gap);
        gap = largest(gap, all(-pass->longest));
        real push = largest(-(load(point->rate[0] + at) * gap), zero);
        pushed |= push > zero;
        strike(&two, pass->round, arm, times(push, n));
    }
    give(pass->displacement, manifold, at, &two);
    note_moved(manifold, at, pass, pushed);
    return deepest;
}

double CAIRN_KERNEL(cairn_manifold_part)(const cairn_march_pass* pass, int count)
{
    real most = all(0.0f);
    for (int i = 0; i < count; i++) {
        cairn_manifold_cluster* own = &pass->clusters[pass->downwards ? count - 1 - i : i];
        if (pass->again && !is_due(own, pass))
            continue;
        own->seen = pass->visit + i + 1;
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            most = largest(most, part_lanes(own, at, pass));
    }
    return widest(most);
}
