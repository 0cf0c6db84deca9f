// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Moving piles: sweeps over clusters of contacts by conjugate directions, in
// solve/sweep/cluster_solve.c. They are right for heaps where many contacts slide or part; for
// loads that go through many bodies, and for great ratios of masses, they converge slowly: then a
// more exact method goes on from here. The same sweeps push overlaps away.

#include "solve/sweep/cluster_solve.h"
#include "world/step/balance.h"
#include "world/step/layout.h"
#include "world/step/policy.h"
#include "world/threads.h"
#include <string.h>

enum { least_sweeps = 2, each = cairn_place_stride };

static const double closest = 0.125; // of the tolerance: for the sake of energy

// what sweeps give to come closer than was asked
enum { enough_sweeps = 32 };

typedef struct sweeper {
    const cairn_span* span;
    cairn_pack* pack;
    cairn_sweeps engine;
    cairn_sweeps_shared shared; // if other processes have a part of the island
} sweeper;

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
    sweeper s = {.span = span,
                 .pack = pack,
                 .engine = {.level = cairn_simd_detect(),
                            .count = pack->count,
                            .color = pack->color,
                            .colors = cairn_pack_colors,
                            .body_count = pack->body_count,
                            .place_count = pack->place_count,
                            .velocity = pack->velocity,
                            .before = pack->before,
                            .way = pack->way,
                            .weight = pack->weight}};

    if (span->threads > 1 && pack->count >= cairn_shared_clusters)
        s.engine.team = cairn_crew_team(cairn_world_crew(span->world));

    s.engine.pass = (cairn_cluster_pass){.clusters = pack->clusters,
                                         .swift = pack->swift,
                                         .law = pack->law,
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

// ---------------------------------------------------------------- what other processes share

// which places have contacts of this process
static void find_held(bool* held, const cairn_pack* pack)
{
    for (int i = 0; i < pack->count; i++)
        for (int l = 0; l < cairn_cluster_lanes; l++)
            held[pack->swift[i].body[0][l]] = held[pack->swift[i].body[1][l]] = true;
}

// Counts the processes whose contacts hold each shared body, and makes it as light as they sweep
// it. In the norm of the kinetic energy its owner alone counts it.
static cairn_status split(sweeper* s)
{
    const cairn_span* span = s->span;
    const cairn_exchange* exchange = cairn_island_exchange(span);
    if (!exchange)
        return CAIRN_OK;

    int count = exchange->count;
    int* place = CAIRN_TAKE(span->arena, int, count);
    double* part = CAIRN_TAKE(span->arena, double, count);
    float* times = CAIRN_TAKE(span->arena, float, count);
    double* numbers = CAIRN_TAKE(span->arena, double, 6 * (size_t)count);
    bool* held = CAIRN_TAKE_ZEROED(span->arena, bool, s->pack->place_count);
    if (span->arena->failed)
        return CAIRN_NO_MEMORY;

    // how many processes hold each of them
    find_held(held, s->pack);
    for (int i = 0; i < count; i++) {
        place[i] = span->group->local[exchange->bodies[i]];
        numbers[i] = place[i] >= 0 && held[place[i]];
    }
    exchange->sum(exchange->context, numbers, 1);

    // a body that n processes hold is n times as light for each of them
    for (int i = 0; i < count; i++) {
        ptrdiff_t at = each * (ptrdiff_t)place[i];
        bool copy = span->world->bodies[exchange->bodies[i]].copy;
        times[i] = fmaxf((float)numbers[i], 1.0f);
        part[i] = numbers[i] == 0.0 ? !copy : 0.0;
        if (place[i] < 0)
            continue;
        if (held[place[i]])
            part[i] = 1.0 / numbers[i];
        for (int k = 0; k < each; k++) {
            s->pack->swift_mass[at + k] *= times[i];
            s->pack->weight[at + k] *= copy ? 0.0f : 1.0f;
        }
    }

    s->shared = (cairn_sweeps_shared){exchange, place, part, times, numbers};
    s->engine.shared = &s->shared;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- places

// arms, gaps and the diagonal of A; returns the largest |b|
static double place(const sweeper* s)
{
    cairn_simd_level level = s->engine.level;
    cairn_cluster_kernel kernel = CAIRN_PICK_KERNEL(level, cairn_cluster_place);
    for (int i = 0; i < s->pack->count; i++)
        s->pack->rules[i].closing = s->pack->rules[i].passed = 0;
    if (s->span->phase == CAIRN_PHASE_DRIFT)
        cairn_pack_mark_turning(s->span);
    double scale = cairn_sweeps_over_apart(&s->engine, kernel);
    if (s->span->phase == CAIRN_PHASE_DRIFT && cairn_pack_let_pass(s->span))
        scale = cairn_sweeps_over_apart(&s->engine, kernel);
    cairn_pack_turn_grains(s->span);
    cairn_sweeps_over_apart(&s->engine, CAIRN_PICK_KERNEL(level, cairn_cluster_diagonal));
    s->pack->placed = true;
    return scale;
}

// velocities afresh from the impulses, and the residual of both
static double certify(const sweeper* s)
{
    cairn_pack_load_velocities(s->span);
    return cairn_sweeps_certify(&s->engine);
}

// ---------------------------------------------------------------- sweeping

// starts from the impulses of the last kick, or from zero where their residual exceeds |b|
static void start(sweeper* s, cairn_judged* judged)
{
    cairn_pack* pack = s->pack;
    judged->residual = certify(s);
    for (int i = 0; i < pack->count; i++)
        memset(pack->swift[i].change, 0, sizeof pack->swift[i].change);
    for (int i = 0; i < pack->count && pack->law; i++)
        memset(pack->law[i].change, 0, sizeof pack->law[i].change);
    if (judged->residual <= judged->scale)
        return;
    for (int i = 0; i < pack->count; i++)
        memset(pack->swift[i].lambda, 0, sizeof pack->swift[i].lambda);
    for (int i = 0; i < pack->count && pack->law; i++)
        memset(pack->law[i].lambda, 0, sizeof pack->law[i].lambda);
    judged->residual = certify(s);
}

// J: the work of the certified impulses P on velocities from v to v', Σ P·(v + v')/2. Exact ones
// take energy away; those that still push what parts add some.
static double work_of(const sweeper* s)
{
    const cairn_span* span = s->span;
    const cairn_pack* pack = s->pack;
    double sum = 0.0;

    for (int i = 0; i < pack->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        const double *P = pack->momentum + each * (ptrdiff_t)i,
                     *v = pack->velocity + each * (ptrdiff_t)i;
        if (body->copy)
            continue;
        cairn_vec3 along = cairn_add(body->v, cairn_vec(v[0], v[1], v[2]));
        cairn_vec3 turn = cairn_add(body->w, cairn_vec(v[3], v[4], v[5]));
        sum += cairn_dot(cairn_vec(P[0], P[1], P[2]), along) +
               cairn_dot(cairn_vec(P[3], P[4], P[5]), turn);
    }

    // bodies outside of the island keep their velocity: v + v' = 2 v
    for (int i = pack->body_count; i < pack->place_count; i++)
        for (int k = 0; k < 6; k++)
            sum += 2.0 * pack->momentum[each * i + k] * pack->velocity[each * i + k];

    return 0.5 * cairn_exchange_total(cairn_island_exchange(span), sum);
}

cairn_status cairn_island_sweep(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    cairn_status status = span->island->pack ? CAIRN_OK : cairn_pack_make(span);
    if (status != CAIRN_OK)
        return status;

    // load what changes from substep to substep into the clusters
    cairn_pack_load_poses(span);
    cairn_pack_load_masses(span);
    cairn_pack_load_impulses(span);
    cairn_pack_load_velocities(span);
    cairn_pack_follow_lines(span);
    cairn_pack_bend(span);

    sweeper s = sweeper_of(span);
    const cairn_exchange* exchange = cairn_island_exchange(span);
    status = split(&s);
    if (status != CAIRN_OK)
        return status;

    // the residual is relative to b; the first sweeps also aim at a share of the fastest speed
    judged->scale = cairn_exchange_most(exchange, cairn_island_scale(span, place(&s)));
    int budget = cairn_island_sweeps(span);
    double tolerance = cairn_island_tolerance(span), asked = tolerance * judged->scale;
    double fastest = cairn_exchange_most(exchange, cairn_island_fastest(span));
    double target = fmin(asked, tolerance * fastest);
    start(&s, judged);

    // each kick has its share of what a step may gain, less what the last push has lifted: what
    // sinks in one substep is lifted in the next
    double goal = asked, may_gain = cairn_balance_allowed(span, 0.0) / (span->substeps + 1);
    may_gain -= cairn_exchange_total(exchange, span->island->lifted);

    // what a sweep meets and what it leaves are in proportion: that tells when to certify
    double share = 0.5;
    bool late = false;
    cairn_stop stop =
        cairn_stop_after(cairn_clock(), exchange ? 0.0 : cairn_island_time(span), NULL);
    while (s.engine.sweeps < budget && !late &&
           !(judged->residual <= (s.engine.sweeps < enough_sweeps ? target : goal))) {
        double worst = INFINITY;
        cairn_sweeps_load(&s.engine);
        for (int end = s.engine.sweeps + least_sweeps; s.engine.sweeps < budget;) {
            double next = s.engine.sweeps < enough_sweeps ? target : goal;
            if (share * worst <= next && s.engine.sweeps >= end)
                break;
            worst = cairn_sweeps_sweep(&s.engine,
                                       CAIRN_PICK_KERNEL(s.engine.level, cairn_cluster_sweep));
            cairn_world_spend(span->world, span->island->touch_count);
            if (!exchange && cairn_world_poll(span->world) != CAIRN_OK)
                return CAIRN_INTERRUPTED;
            late = cairn_stop_now(&stop);
            if (late)
                break;
        }

        judged->residual = certify(&s);
        share = fmin(1.0, judged->residual / worst);

        // sweep on while the answer adds energy, up to a bound of the accuracy
        if (judged->residual <= goal && goal > closest * asked && work_of(&s) > may_gain) {
            goal *= 0.5;
            target = fmin(target, goal);
        }
    }

    bool insists = cairn_island_insists(span) && !exchange;
    *solved = judged->residual <= asked || ((late || !insists) && isfinite(judged->residual));

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

// The normal-only problem of position.c with the gaps of the new places; arms and diagonal are
// still those of the substep, which a turn by h ω changes little, unless contacts were found anew.

// displacements and pushes start from zero
static void start_push(const sweeper* s)
{
    const cairn_pack* pack = s->pack;
    for (int i = 0; i < pack->place_count; i++) {
        ptrdiff_t at = each * (ptrdiff_t)i;
        float *d = pack->swift_velocity + at, *before = pack->before + at;
        for (int k = 0; k < each; k++)
            d[k] = before[k] = k < 6 ? 0.0f : (float)pack->velocity[at + k];
    }
    cairn_sweeps_split(&s->engine);
    for (int i = 0; i < pack->count; i++) {
        memset(pack->swift[i].amount, 0, sizeof pack->swift[i].amount);
        memset(pack->swift[i].change, 0, sizeof pack->swift[i].change);
    }
}

static cairn_status push(const cairn_span* span, double least, double most)
{
    enum { least_rounds = 2, most_rounds = 16 };
    const cairn_exchange* exchange = cairn_island_exchange(span);

    cairn_pack_load_poses(span);
    if (!span->island->pack->placed || exchange)
        cairn_pack_load_masses(span);
    cairn_pack_follow_lines(span);

    sweeper s = sweeper_of(span);
    s.engine.pass.longest = most;
    if (split(&s) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    cairn_cluster_kernel diagonal = CAIRN_PICK_KERNEL(s.engine.level, cairn_cluster_diagonal);
    if (!s.pack->placed) {
        place(&s);
        s.pack->stale = true; // what it has was put to no certificate
    } else if (exchange) {
        cairn_sweeps_over_apart(&s.engine, diagonal); // others may hold the bodies than did
    }

    // overlaps that are too shallow to push stay
    double deepest =
        cairn_sweeps_over_apart(&s.engine, CAIRN_PICK_KERNEL(s.engine.level, cairn_cluster_gaps));
    deepest = cairn_exchange_most(exchange, deepest);
    if (deepest - s.engine.pass.slop <= least)
        return CAIRN_OK;

    start_push(&s);
    double enough = cairn_push_enough(deepest), met = deepest;
    while (s.engine.sweeps < least_rounds || (met > enough && s.engine.sweeps < most_rounds))
        met = cairn_sweeps_sweep(&s.engine, CAIRN_PICK_KERNEL(s.engine.level, cairn_cluster_part));

    // displace the bodies; lifting them against gravity counts in the next kick's balance
    span->island->lifted = 0.0;
    for (int i = 0; i < s.pack->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        double moved[6];
        for (int k = 0; k < 6; k++)
            moved[k] = s.pack->swift_velocity[each * (ptrdiff_t)i + k];
        if (!cairn_body_active(body))
            continue;
        cairn_body_displace(body, moved);
        double along = cairn_dot(span->world->def.gravity, cairn_vec(moved[0], moved[1], moved[2]));
        if (!body->copy)
            span->island->lifted -= body->gravity_scale * along / body->inverse_mass;
    }

    return CAIRN_OK;
}

cairn_status cairn_pack_push(const cairn_span* span, double least, double most)
{
    cairn_status status = span->island->pack ? CAIRN_OK : cairn_pack_make(span);
    if (status != CAIRN_OK)
        return status;
    status = push(span, least, most);
    if (!cairn_pack_lasts(span))
        span->island->pack = NULL;
    return status;
}
