// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Moving piles: sweeps of projected Gauss-Seidel over clusters of contacts (cluster.h), made faster
// by conjugate directions. With S the sweep, always in the same order (to turn back repeats the
// color that was swept last, which changes nothing),
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
// afresh from the impulses alone. Sweeps are right for heaps where many contacts slide or part; for
// loads that go through many bodies, and for great ratios of masses, they converge slowly: then a
// more exact method goes on from here.

#include "world/step/layout.h"
#include "world/step/policy.h"
#include "world/threads.h"
#include <string.h>

enum { least_sweeps = 2, each = cairn_place_stride };

enum { most_members = 64 }; // of a team

// what sweeps give to come closer than was asked
enum { enough_sweeps = 32 };

typedef struct sweeper {
    const cairn_span* span;
    cairn_pack* pack;
    cairn_simd_level level;
    cairn_team* team; // threads that share the clusters of a color; or NULL
    cairn_cluster_pass pass;
    int sweeps;  // so far
    double last; // |d_old|²
    float beta;
} sweeper;

// ---------------------------------------------------------------- passes

static double larger(double a, double b)
{
    return a <= b || b != b ? b : a;
}

// a pass of a team: each member does its part of a color and waits for the others
typedef struct shared_pass {
    const sweeper* s;
    cairn_cluster_kernel kernel;
    bool apart; // all clusters at once: they write nothing in common
    double most[most_members];
} shared_pass;

static void do_part(shared_pass* shared, int rank, int first, int end)
{
    const sweeper* s = shared->s;
    int count = s->team ? cairn_team_count(s->team) : 1, size = end - first;
    end = first + (int)((int64_t)size * (rank + 1) / count);
    first += (int)((int64_t)size * rank / count);
    if (first < end)
        shared->most[rank] = larger(shared->most[rank], shared->kernel(&s->pass, first, end));
}

static void do_parts(void* context, int rank)
{
    shared_pass* shared = context;
    const cairn_pack* pack = shared->s->pack;
    const int* begin = pack->color;
    if (shared->apart) {
        do_part(shared, rank, 0, pack->count);
        return;
    }
    for (int k = 0; k < cairn_pack_colors; k++) {
        if (begin[k] == begin[k + 1])
            continue;
        do_part(shared, rank, begin[k], begin[k + 1]);
        if (shared->s->team)
            cairn_team_meet(shared->s->team);
    }
    // what has several colors, one by one
    for (int i = begin[cairn_pack_colors]; i < pack->count && rank == 0; i++)
        shared->most[0] = larger(shared->most[0], shared->kernel(&shared->s->pass, i, i + 1));
}

static double run(const sweeper* s, cairn_cluster_kernel kernel, bool apart)
{
    shared_pass shared;
    int count = s->team ? cairn_team_count(s->team) : 1;
    double most = 0.0;
    shared.s = s;
    shared.kernel = kernel;
    shared.apart = apart;
    for (int i = 0; i < count; i++)
        shared.most[i] = 0.0;
    if (s->team)
        cairn_team_run(s->team, do_parts, &shared);
    else
        do_parts(&shared, 0);
    for (int i = 0; i < count; i++)
        most = larger(most, shared.most[i]);
    return most;
}

// over all clusters, color by color, in the same order at every time
static double over(const sweeper* s, cairn_cluster_kernel kernel)
{
    return run(s, kernel, false);
}

// over clusters that write nothing in common
static double over_apart(const sweeper* s, cairn_cluster_kernel kernel)
{
    return run(s, kernel, true);
}

static size_t number_count(const cairn_pack* pack)
{
    return each * (size_t)((pack->place_count + 1) / 2 * 2);
}

// s in which an open gap may close
static double remaining_of(const cairn_span* span)
{
    if (span->phase == CAIRN_PHASE_END)
        return 0.0;
    return span->world->def.integrator == CAIRN_INTEGRATOR_MOREAU ? 0.5 * span->h : span->h;
}

static sweeper sweeper_of(const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    cairn_pack* pack = span->island->pack;
    bool soft = def->stabilization == CAIRN_STABILIZE_VELOCITIES;
    sweeper s = {.span = span, .pack = pack, .level = cairn_simd_detect()};
    if (span->threads > 1 && pack->count >= cairn_shared_clusters)
        s.team = cairn_crew_team(cairn_world_crew(span->world));
    s.pass = (cairn_cluster_pass){.clusters = pack->clusters,
                                  .swift = pack->swift,
                                  .rules = pack->rules,
                                  .velocity = pack->velocity,
                                  .momentum = pack->momentum,
                                  .mass = pack->mass,
                                  .pose = pack->pose,
                                  .bend = pack->bend,
                                  .swift_velocity = pack->swift_velocity,
                                  .swift_mass = pack->swift_mass,
                                  .round = pack->round,
                                  .remaining = remaining_of(span),
                                  .touching = span->world->touching,
                                  .closed = cairn_closed_gap(span),
                                  .bounce = def->restitution_speed,
                                  .slop = def->slop,
                                  .baumgarte = soft ? def->baumgarte : 0.0};
    return s;
}

// arms, gaps and the diagonal of A; returns the largest |b|
static double place(const sweeper* s)
{
    double scale = over_apart(s, CAIRN_PICK_KERNEL(s->level, cairn_cluster_place));
    over_apart(s, CAIRN_PICK_KERNEL(s->level, cairn_cluster_diagonal));
    s->pack->placed = true;
    return scale;
}

// ---------------------------------------------------------------- the certificate

// v = v* + M^-1 momentum
static void add_momentum(const cairn_pack* pack)
{
    for (int i = 0; i < pack->body_count; i++) {
        double* v = pack->velocity + each * (ptrdiff_t)i;
        const double* m = pack->mass + each * (ptrdiff_t)i;
        const double* P = pack->momentum + each * (ptrdiff_t)i;
        for (int k = 0; k < 3; k++)
            v[k] += m[0] * P[k];
        v[3] += m[1] * P[3] + m[4] * P[4] + m[5] * P[5];
        v[4] += m[4] * P[3] + m[2] * P[4] + m[6] * P[5];
        v[5] += m[5] * P[3] + m[6] * P[4] + m[3] * P[5];
    }
}

// velocities afresh from the impulses, and the residual of both
static double certify(const sweeper* s)
{
    cairn_pack_load_velocities(s->span);
    memset(s->pack->momentum, 0, number_count(s->pack) * sizeof(double));
    over(s, CAIRN_PICK_KERNEL(s->level, cairn_cluster_push));
    add_momentum(s->pack);
    return over_apart(s, CAIRN_PICK_KERNEL(s->level, cairn_cluster_measure));
}

// ---------------------------------------------------------------- sweeping

// the impulses at hand act on the bodies, unless none at all are the better start
static void start(sweeper* s, cairn_judged* judged)
{
    cairn_pack* pack = s->pack;
    judged->residual = certify(s);
    for (int i = 0; i < pack->count; i++)
        memset(pack->swift[i].change, 0, sizeof pack->swift[i].change);
    if (judged->residual <= judged->scale)
        return;
    for (int i = 0; i < pack->count; i++)
        memset(pack->swift[i].lambda, 0, sizeof pack->swift[i].lambda);
    judged->residual = certify(s);
}

// sweeps go on from the certified velocities
static void load_swift(const sweeper* s)
{
    for (size_t i = 0; i < number_count(s->pack); i++)
        s->pack->swift_velocity[i] = (float)s->pack->velocity[i];
    if (s->sweeps == 0)
        memcpy(s->pack->before, s->pack->swift_velocity, number_count(s->pack) * sizeof(float));
}

// a step along the way and a sweep by a kernel
static double sweep(sweeper* s, cairn_cluster_kernel kernel)
{
    cairn_pack* pack = s->pack;
    int numbers = (int)number_count(pack);
    float* v = pack->swift_velocity;
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_follow)(v, pack->way, pack->before, numbers, s->beta);
    s->pass.beta = s->beta;
    double worst = over(s, kernel);
    s->sweeps++;
    double square =
        CAIRN_PICK_KERNEL(s->level, cairn_cluster_square)(v, pack->before, pack->weight, numbers);
    double beta = s->last > 0.0 ? square / s->last : 0.0;
    s->beta = beta <= 1.0 ? (float)beta : 0.0f;
    s->last = square;
    return worst;
}

// m/s: no contact is faster than the bodies, v*. The largest |b| may be that of a wide open gap, by
// which a slow pile would creep within its tolerance.
static double fastest(const cairn_span* span)
{
    double most = 0.0;
    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        const double* v = span->free + 6 * (ptrdiff_t)slot;
        double turn = cairn_norm(cairn_vec(v[3], v[4], v[5])) * span->world->bodies[slot].radius;
        most = fmax(most, cairn_norm(cairn_vec(v[0], v[1], v[2])) + turn);
    }
    return 2.0 * most;
}

cairn_status cairn_island_sweep(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    cairn_status status = span->island->pack ? CAIRN_OK : cairn_pack_make(span);
    if (status != CAIRN_OK)
        return status;
    cairn_pack_load_poses(span);
    cairn_pack_load_masses(span);
    cairn_pack_load_impulses(span);
    cairn_pack_load_velocities(span);
    cairn_pack_follow_lines(span);
    cairn_pack_bend(span);
    sweeper s = sweeper_of(span);
    judged->scale = cairn_island_scale(span, place(&s));
    int budget = cairn_island_sweeps(span);
    double tolerance = cairn_island_tolerance(span), asked = tolerance * judged->scale;
    double target = fmin(asked, tolerance * fastest(span));
    start(&s, judged);
    // what a sweep meets and what it leaves are in proportion: that tells when to certify
    double share = 0.5;
    bool late = false;
    cairn_stop stop = cairn_stop_after(cairn_clock(), span->world->def.time_limit, NULL);
    while (s.sweeps < budget && !late &&
           !(judged->residual <= (s.sweeps < enough_sweeps ? target : asked))) {
        double worst = INFINITY;
        load_swift(&s);
        for (int end = s.sweeps + least_sweeps; s.sweeps < budget;) {
            double goal = s.sweeps < enough_sweeps ? target : asked;
            if (share * worst <= goal && s.sweeps >= end)
                break;
            worst = sweep(&s, CAIRN_PICK_KERNEL(s.level, cairn_cluster_sweep));
            if (cairn_world_poll(span->world) != CAIRN_OK)
                return CAIRN_INTERRUPTED;
            late = cairn_stop_now(&stop);
            if (late)
                break;
        }
        judged->residual = certify(&s);
        share = fmin(1.0, judged->residual / worst);
    }
    *solved = judged->residual <= asked ||
              ((late || !cairn_island_insists(span)) && isfinite(judged->residual));
    judged->late = late;
    if (*solved)
        cairn_pack_store(span);
    else
        cairn_pack_yield(span);
    if (!cairn_pack_lasts(span))
        span->island->pack = NULL;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- positions

// The normal-only problem of stabilize.c with the gaps of the new places; arms and diagonal are
// still those of the substep, which a turn by h ω changes little, unless contacts were found anew.

// nothing has moved or been pushed yet
static void start_push(const cairn_pack* pack)
{
    for (int i = 0; i < pack->place_count; i++) {
        ptrdiff_t at = each * (ptrdiff_t)i;
        float *d = pack->swift_velocity + at, *before = pack->before + at;
        for (int k = 0; k < each; k++)
            d[k] = before[k] = k < 6 ? 0.0f : (float)pack->velocity[at + k];
    }
    for (int i = 0; i < pack->count; i++) {
        memset(pack->swift[i].amount, 0, sizeof pack->swift[i].amount);
        memset(pack->swift[i].change, 0, sizeof pack->swift[i].change);
    }
}

static void push(const cairn_span* span, double least, double most)
{
    enum { least_rounds = 2, most_rounds = 16 };
    cairn_pack_load_poses(span);
    if (!span->island->pack->placed)
        cairn_pack_load_masses(span);
    cairn_pack_follow_lines(span);
    sweeper s = sweeper_of(span);
    s.pass.longest = most;
    if (!s.pack->placed) {
        place(&s);
        s.pack->stale = true; // what it has was put to no certificate
    }
    double deepest = over_apart(&s, CAIRN_PICK_KERNEL(s.level, cairn_cluster_gaps));
    if (deepest - s.pass.slop <= least)
        return;
    start_push(s.pack);
    double enough = cairn_push_enough(deepest), met = deepest;
    while (s.sweeps < least_rounds || (met > enough && s.sweeps < most_rounds))
        met = sweep(&s, CAIRN_PICK_KERNEL(s.level, cairn_cluster_part));
    for (int i = 0; i < s.pack->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        double moved[6];
        for (int k = 0; k < 6; k++)
            moved[k] = s.pack->swift_velocity[each * (ptrdiff_t)i + k];
        if (cairn_body_active(body))
            cairn_body_displace(body, moved);
    }
}

cairn_status cairn_pack_push(const cairn_span* span, double least, double most)
{
    cairn_status status = span->island->pack ? CAIRN_OK : cairn_pack_make(span);
    if (status != CAIRN_OK)
        return status;
    push(span, least, most);
    if (!cairn_pack_lasts(span))
        span->island->pack = NULL;
    return CAIRN_OK;
}
