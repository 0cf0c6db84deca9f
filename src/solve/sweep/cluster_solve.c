// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps of projected Gauss-Seidel over clusters of contacts, made faster by conjugate directions.
// With S the sweep, always in the same order (to turn back repeats the color that was swept last,
// which changes nothing),
//
//     λ' = S(λ),   d = λ' - λ,   β = |d|² / |d_old|²  in the norm of the kinetic energy,
//     λ = λ' + β p,   p = β p + d          (β > 1: start again from p = d)
//
// which is the nonlinear conjugate-gradient step of Silcowitz-Hansen, Niebe and Erleben (2010). The
// bodies' velocities are linear in λ, so a step along p is a step along p_v, carried beside it. The
// step is taken when the next sweep begins: what a sweep leaves lies in its cones, and is an
// answer.
//
// Sweeps are single precision. The end is told by the certificate in double precision: velocities
// afresh from the impulses alone.

#include "solve/sweep/cluster_solve.h"
#include <string.h>

enum { each = cairn_place_stride };

enum { most_members = 64 }; // of a team

// ---------------------------------------------------------------- passes

static double larger(double a, double b)
{
    return a <= b || b != b ? b : a;
}

// clusters that share nothing which they write, some at a time on all threads
typedef struct shared_pass {
    const cairn_sweeps* s;
    cairn_cluster_kernel kernel;
    int first, end, share;
    double most[most_members];
} shared_pass;

static void do_some(void* context, int rank, int item)
{
    shared_pass* own = context;
    int first = own->first + item * own->share, end = first + own->share;
    end = end < own->end ? end : own->end;
    own->most[rank] = larger(own->most[rank], own->kernel(&own->s->pass, first, end));
}

static void do_range(shared_pass* own, int first, int end)
{
    enum { least_share = 8 };
    int count = end - first, least = count / cairn_most_items + 1;
    own->first = first;
    own->end = end;
    own->share = own->s->team ? (least > least_share ? least : least_share) : count;
    if (count > 0)
        cairn_team_each_brief(own->s->team, do_some, own, (count + own->share - 1) / own->share);
}

static double run(const cairn_sweeps* s, cairn_cluster_kernel kernel, bool apart)
{
    shared_pass own = {.s = s, .kernel = kernel};
    double most = 0.0;
    if (apart)
        do_range(&own, 0, s->count);
    for (int k = 0; k < s->colors && !apart; k++)
        do_range(&own, s->color[k], s->color[k + 1]);
    for (int i = 0; i < most_members; i++)
        most = larger(most, own.most[i]);

    // what has several colors, one by one
    for (int i = s->color[s->colors]; i < s->count && !apart; i++)
        most = larger(most, kernel(&s->pass, i, i + 1));
    return most;
}

double cairn_sweeps_over(const cairn_sweeps* s, cairn_cluster_kernel kernel)
{
    return run(s, kernel, false);
}

double cairn_sweeps_over_apart(const cairn_sweeps* s, cairn_cluster_kernel kernel)
{
    return run(s, kernel, true);
}

// ---------------------------------------------------------------- the certificate

// v = v* + M^-1 momentum
static void add_momentum(const cairn_sweeps* s)
{
    for (int i = 0; i < s->body_count; i++) {
        double* v = s->velocity + each * (ptrdiff_t)i;
        const double* m = s->pass.mass + each * (ptrdiff_t)i;
        const double* P = s->pass.momentum + each * (ptrdiff_t)i;
        for (int k = 0; k < 3; k++)
            v[k] += m[0] * P[k];
        v[3] += m[1] * P[3] + m[4] * P[4] + m[5] * P[5];
        v[4] += m[4] * P[3] + m[2] * P[4] + m[6] * P[5];
        v[5] += m[5] * P[3] + m[6] * P[4] + m[3] * P[5];
    }
}

// the momentum of shared bodies is the sum of what all processes give them
static void sum_momentum(const cairn_sweeps_shared* shared, double* momentum)
{
    for (int i = 0; i < shared->exchange->count; i++)
        for (int k = 0; k < 6; k++)
            shared->numbers[6 * i + k] =
                shared->place[i] < 0 ? 0.0 : momentum[each * (ptrdiff_t)shared->place[i] + k];
    shared->exchange->sum(shared->exchange->context, shared->numbers, 6);
    for (int i = 0; i < shared->exchange->count; i++)
        for (int k = 0; k < 6 && shared->place[i] >= 0; k++)
            momentum[each * (ptrdiff_t)shared->place[i] + k] = shared->numbers[6 * i + k];
}

double cairn_sweeps_certify(const cairn_sweeps* s)
{
    memset(s->pass.momentum, 0, cairn_sweeps_numbers(s->place_count) * sizeof(double));
    cairn_sweeps_over(s, CAIRN_PICK_KERNEL(s->level, cairn_cluster_push));
    if (s->shared)
        sum_momentum(s->shared, s->pass.momentum);
    add_momentum(s);
    double own = cairn_sweeps_over_apart(s, CAIRN_PICK_KERNEL(s->level, cairn_cluster_measure));
    return s->shared ? cairn_exchange_most(s->shared->exchange, own) : own;
}

// ---------------------------------------------------------------- sweeping

void cairn_sweeps_split(const cairn_sweeps* s)
{
    for (int i = 0; s->shared && i < s->shared->exchange->count; i++)
        for (int k = 6; k < each && s->shared->place[i] >= 0; k++)
            s->pass.swift_velocity[each * (ptrdiff_t)s->shared->place[i] + k] *=
                s->shared->split[i];
}

void cairn_sweeps_load(const cairn_sweeps* s)
{
    size_t numbers = cairn_sweeps_numbers(s->place_count);
    for (size_t i = 0; i < numbers; i++)
        s->pass.swift_velocity[i] = (float)s->velocity[i];
    cairn_sweeps_split(s);
    if (s->sweeps == 0)
        memcpy(s->before, s->pass.swift_velocity, numbers * sizeof(float));
}

// the velocity of shared bodies is the mean of those that the processes have
static void take_means(const cairn_sweeps_shared* shared, float* v)
{
    for (int i = 0; i < shared->exchange->count; i++)
        for (int k = 0; k < 6; k++)
            shared->numbers[6 * i + k] =
                shared->place[i] < 0
                    ? 0.0
                    : shared->part[i] * (double)v[each * (ptrdiff_t)shared->place[i] + k];
    shared->exchange->sum(shared->exchange->context, shared->numbers, 6);
    for (int i = 0; i < shared->exchange->count; i++)
        for (int k = 0; k < 6 && shared->place[i] >= 0; k++)
            v[each * (ptrdiff_t)shared->place[i] + k] = (float)shared->numbers[6 * i + k];
}

double cairn_sweeps_sweep(cairn_sweeps* s, cairn_cluster_kernel kernel)
{
    int numbers = (int)cairn_sweeps_numbers(s->place_count);
    float* v = s->pass.swift_velocity;
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_follow)(v, s->way, s->before, numbers, s->beta);
    s->pass.beta = s->beta;
    double worst = cairn_sweeps_over(s, kernel);
    s->sweeps++;
    if (s->shared)
        take_means(s->shared, v);

    double square =
        CAIRN_PICK_KERNEL(s->level, cairn_cluster_square)(v, s->before, s->weight, numbers);
    if (s->shared)
        s->shared->exchange->agree(s->shared->exchange->context, &square, &worst);
    double beta = s->last > 0.0 ? square / s->last : 0.0;
    s->beta = beta <= 1.0 ? (float)beta : 0.0f;
    s->last = square;
    return worst;
}
