// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Moving piles: sweeps over clusters of contacts by conjugate directions, in
// solve/sweep/cluster_solve.c. They are right for heaps where many contacts slide or part; for loads
// that go through many bodies, and for great ratios of masses, they converge slowly: then a more
// exact method goes on from here. The same sweeps push overlaps away.

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

// arms, gaps and the diagonal of A; returns the largest |b|
static double place(const sweeper* s)
{
    cairn_simd_level level = s->engine.level;
    double scale =
        cairn_sweeps_over_apart(&s->engine, CAIRN_PICK_KERNEL(level, cairn_cluster_place));
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

// the impulses at hand act on the bodies, unless none at all are the better start
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

// J: the work of the certified impulses P on velocities from v to v', Σ P·(v + v')/2. Exact ones take
// energy away; those that still push what parts add some.
static double work_of(const sweeper* s)
{
    const cairn_span* span = s->span;
    const cairn_pack* pack = s->pack;
    double sum = 0.0;
    for (int i = 0; i < pack->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        const double *P = pack->momentum + each * (ptrdiff_t)i,
                     *v = pack->velocity + each * (ptrdiff_t)i;
        cairn_vec3 along = cairn_add(body->v, cairn_vec(v[0], v[1], v[2]));
        cairn_vec3 turn = cairn_add(body->w, cairn_vec(v[3], v[4], v[5]));
        sum += cairn_dot(cairn_vec(P[0], P[1], P[2]), along) +
               cairn_dot(cairn_vec(P[3], P[4], P[5]), turn);
    }
    for (int i = pack->body_count; i < pack->place_count; i++)
        for (int k = 0; k < 6; k++)
            sum += 2.0 * pack->momentum[each * i + k] * pack->velocity[each * i + k];
    return 0.5 * sum;
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
    double target = fmin(asked, tolerance * cairn_island_fastest(span));
    start(&s, judged);

    // each kick has its share of what a step may gain, less what the last push has lifted: what
    // sinks in one substep is lifted in the next
    double goal = asked, may_gain = cairn_balance_allowed(span, 0.0) / (span->substeps + 1);
    may_gain -= span->island->lifted;

    // what a sweep meets and what it leaves are in proportion: that tells when to certify
    double share = 0.5;
    bool late = false;
    cairn_stop stop = cairn_stop_after(cairn_clock(), cairn_island_time(span), NULL);
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
            if (cairn_world_poll(span->world) != CAIRN_OK)
                return CAIRN_INTERRUPTED;
            late = cairn_stop_now(&stop);
            if (late)
                break;
        }
        judged->residual = certify(&s);
        share = fmin(1.0, judged->residual / worst);

        // an answer that adds energy is not yet one, within reason
        if (judged->residual <= goal && goal > closest * asked && work_of(&s) > may_gain) {
            goal *= 0.5;
            target = fmin(target, goal);
        }
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

// The normal-only problem of position.c with the gaps of the new places; arms and diagonal are
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
    s.engine.pass.longest = most;
    if (!s.pack->placed) {
        place(&s);
        s.pack->stale = true; // what it has was put to no certificate
    }
    double deepest =
        cairn_sweeps_over_apart(&s.engine, CAIRN_PICK_KERNEL(s.engine.level, cairn_cluster_gaps));
    if (deepest - s.engine.pass.slop <= least)
        return;
    start_push(s.pack);
    double enough = cairn_push_enough(deepest), met = deepest;
    while (s.engine.sweeps < least_rounds || (met > enough && s.engine.sweeps < most_rounds))
        met = cairn_sweeps_sweep(&s.engine, CAIRN_PICK_KERNEL(s.engine.level, cairn_cluster_part));
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
        span->island->lifted -= body->gravity_scale * along / body->inverse_mass;
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
