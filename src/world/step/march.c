// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A substep of a large island of contacts, as small steps of η seconds in single precision:
//
//     v* = v + η a,   v = v* + M^-1 J^T λ        with the impulses of the small step before
//     λ, v by sweeps over manifolds, upwards and downwards
//     D += η v,   then one sweep that moves overlaps out of D
//
// More and smaller steps do for a pile what more sweeps in a longer one do, and cost nothing beside
// the sweeps: a small step knows the contacts from the one before. What the impulses do to a body is
// one number per velocity, so that the warm start takes no pass over the contacts. No velocity gets
// anything from an overlap. Where the step ends, its last half kick is solved to the tolerance of the
// island and put to the certificate in double precision (sweep.c), and the overlaps of the bodies
// are measured afresh (refind.c): these two tell what the march is worth.

#include "world/step/march.h"
#include "world/step/layout.h"
#include "world/step/policy.h"
#include "world/step/rotation.h"
#include "world/threads.h"
#include <string.h>

enum { each = cairn_place_stride };

// small steps of a step at least, and the sweeps of each. After three sweeps the worst contact of a wall that is
// hit hardly improves within a small step, but half as long a one halves what it misses.
enum { least_steps = 16, least_sweeps = 2, most_sweeps = 4 };

// sweeps that end a march: a round more as long as the last one promises that they will do
enum { round_sweeps = 6, most_end_sweeps = 60 };

enum { clusters_at_once = 16 }; // of a loop on all threads

// m: by how much bodies may approach each other, or part while they are pushed, in a small step where
// sweeps end. An overlap is pushed out, and that lifts: at 5e-5 rubble gains energy now and then, at
// 2e-4 often.
static const double most_approach = 1e-5;

// m: likewise, where few bodies move among many at rest. The rest bear them as a floor does, and what they
// sink and are lifted is not to show: a plate of 16 kg that slides over loose bricks of half a kilogram at
// 0.5 m/s gains 12 % of its energy in 3 m at 2e-6, and 0.2 % at 5e-8. Sweeps for it, as there is work.
static const double least_approach = 5e-8;
enum { sedate_steps = 8, least_sedate_sweeps = 12, sedate_sweeps = 400, sedate_visits = 160000 };

// m/s: up to which that shows. What sinks by most_approach in each of 16 small steps is lifted at 9.6 mm/s,
// which adds up to 0.19/v² of its energy ½ v² in a second: 19 % at 1 m/s, 1 % at this speed.
static const double most_careful = 4.0;

static const double longest_push = 0.05; // m per small step

// ---------------------------------------------------------------- who marches

// whether a body goes so far in a substep that its way is looked at, not only its end; see
// integrate.c
static bool is_too_fast(const cairn_body* body, double h)
{
    double way = h * (cairn_norm(body->v) + body->radius * cairn_norm(body->w));
    return body->shape.kind != CAIRN_SHAPE_SPHERE && !(way < 0.5 * body->radius);
}

// Single precision and one certificate for a step are for piles, unless somebody asked for more. What
// hardly moves is solved in every kick, but in real time and of what is vast: a stack comes to rest sooner
// that way, if sweeps can solve it.
bool cairn_march_suffices(const cairn_span* span)
{
    const cairn_island* island = span->island;
    const cairn_world_def* def = &span->world->def;
    bool asked = def->tolerance > 0.0 || def->sweeps > 0 || def->preset == CAIRN_PRESET_EXACT ||
                 def->integrator != CAIRN_INTEGRATOR_LEAPFROG ||
                 def->stabilization != CAIRN_STABILIZE_POSITIONS;
    bool calm = island->slow && def->preset != CAIRN_PRESET_REALTIME && !cairn_island_is_vast(span);
    return !asked && !calm && span->world->automatic && cairn_island_is_pile(span);
}

bool cairn_march_applies(const cairn_span* span)
{
    const cairn_island* island = span->island;
    if (!cairn_march_suffices(span) || !island->plain || island->springy || island->rolls ||
        island->soft || island->carries)
        return false;
    for (int i = 0; i < island->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[island->body + i]];
        if (!cairn_body_active(body) || is_too_fast(body, span->h))
            return false;
    }
    return true;
}

// whether little moves among much at rest, and slowly, and not in rubble
static bool is_careful(const cairn_span* span)
{
    return cairn_island_is_sedate(span->island) && !span->island->tired &&
           cairn_island_fastest(span) < most_careful;
}

// fewer and longer ones where little moves: what it stands on is then swept as far as it sinks
static int small_steps(const cairn_span* span)
{
    int least = cairn_island_is_sedate(span->island) ? sedate_steps : least_steps;
    return span->substeps < least ? (least + span->substeps - 1) / span->substeps : 1;
}

bool cairn_island_has_marched(const cairn_span* span)
{
    const bool* marched = span->group->marched;
    for (int i = 0; i < span->island->body_count && marched; i++)
        if (!marched[span->group->bodies[span->island->body + i]])
            return false;
    return marched != NULL;
}

// ---------------------------------------------------------------- bodies

static void load_some(void* context, int first, int end)
{
    const cairn_span* span = context;
    cairn_march* march = span->island->march;
    for (int i = first; i < end; i++) {
        ptrdiff_t at = each * (ptrdiff_t)i;
        int slot = cairn_march_slot(span, i);
        float *v = march->velocity + at, *d = march->displacement + at, *m = march->mass + at;
        if (slot < 0)
            continue;
        const cairn_body* body = &span->world->bodies[slot];
        const double numbers[6] = {body->v.x, body->v.y, body->v.z,
                                   body->w.x, body->w.y, body->w.z};
        for (int k = 0; k < 6; k++)
            v[k] = (float)numbers[k];
        if (i >= march->body_count)
            continue;
        const cairn_mat3* J = &body->inverse_inertia;
        const double inverse[7] = {
            body->inverse_mass, J->cx.x, J->cy.y, J->cz.z, J->cy.x, J->cz.x, J->cz.y};
        for (int k = 0; k < 7; k++)
            m[k] = (float)inverse[k];
        v[6] = d[6] = m[0];
        v[7] = d[7] = m[1];
    }
}

static void load_bodies(const cairn_span* span)
{
    cairn_march* march = span->island->march;
    cairn_span own = *span;
    march->round = true;
    for (int i = 0; i < march->body_count && march->round; i++) {
        cairn_vec3 I = cairn_span_body(span, i)->inertia;
        march->round = I.x == I.y && I.y == I.z;
    }
    cairn_span_loop(span, load_some, &own, march->place_count, cairn_bodies_at_once);
}

// what forces do in the first small step of h seconds, and in each of the others; the former starts
// where the velocity of the body is
static void load_kicks(float* kicks, const cairn_span* span, double h, int steps)
{
    const cairn_world* world = span->world;
    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        const cairn_body* body = &world->bodies[slot];
        double first = span->group->behind[slot] + 0.5 * h;
        float* own = kicks + 12 * (ptrdiff_t)i;
        cairn_vec3 pull = cairn_add_scaled(cairn_scale(body->gravity_scale, world->def.gravity),
                                           body->inverse_mass, body->force);
        cairn_vec3 turn = cairn_mat3_apply(body->inverse_inertia, body->torque);
        const double a[6] = {pull.x, pull.y, pull.z, turn.x, turn.y, turn.z};
        span->island->march->linear[i] =
            cairn_add_scaled(span->island->march->linear[i], first + (steps - 1) * h, pull);
        for (int k = 0; k < 6; k++) {
            own[k] = (float)(first * a[k]);
            own[6 + k] = (float)(h * a[k]);
        }
    }
}

// m, rad: what is left of the displacement of a body
static void take_displacement(double* d, cairn_march* march, int i)
{
    const float* D = march->displacement + each * (ptrdiff_t)i;
    float* done = march->done + each * (ptrdiff_t)i;
    for (int k = 0; k < 6; k++) {
        d[k] = (double)(D[k] - done[k]);
        done[k] = D[k];
    }
}

// Velocities and places to the bodies. A body that is not round turns freely with the velocity that
// it has in the end; by what the march has turned it otherwise it is turned after that.
typedef struct storing {
    const cairn_span* span;
    double behind; // s
} storing;

static void store_some(void* context, int first, int end)
{
    const storing* own = context;
    const cairn_span* span = own->span;
    cairn_march* march = span->island->march;
    for (int i = first; i < end; i++) {
        int slot = cairn_march_slot(span, i);
        const float* v = march->velocity + each * (ptrdiff_t)i;
        cairn_body* body = &span->world->bodies[slot];
        double d[6];
        take_displacement(d, march, i);
        body->v = cairn_vec((double)v[0], (double)v[1], (double)v[2]);
        body->w = cairn_vec((double)v[3], (double)v[4], (double)v[5]);
        march->left[i] = body->v;
        if (!march->round) {
            const double w[3] = {body->w.x, body->w.y, body->w.z};
            for (int k = 0; k < 3; k++)
                d[3 + k] -= span->h * w[k];
            cairn_rotate_freely(&body->q, &body->w, body->inertia, span->h);
        }
        cairn_body_displace(body, d);
        span->group->marched[slot] = true;
        span->group->behind[slot] = own->behind;
    }
}

static void store_bodies(const cairn_span* span, double behind)
{
    storing own = {span, behind};
    cairn_span_loop(span, store_some, &own, span->island->march->body_count, cairn_bodies_at_once);
}

static void displace_bodies(const cairn_span* span)
{
    for (int i = 0; i < span->island->march->body_count; i++) {
        double d[6];
        take_displacement(d, span->island->march, i);
        cairn_body_displace(&span->world->bodies[cairn_march_slot(span, i)], d);
    }
}

// ---------------------------------------------------------------- small steps

typedef struct marcher {
    const cairn_span* span;
    cairn_march* march;
    cairn_team* team; // threads that share the parts; or NULL
    cairn_march_pass pass;
    cairn_simd_level level;
    double approach; // m: at which the sweeps of a small step end,
    int sweeps;      // and at most so many
    float* kicks;    // of each active body: six of the first small step, six of the others
} marcher;

// ---------------------------------------------------------------- parts on threads

// a kernel over some parts that share no body
typedef struct parts_job {
    const marcher* m;
    cairn_manifold_kernel kernel;
    int first;
    double most[2 << cairn_march_cuts];
} parts_job;

// some clusters, as if all that come before them had been done
static double do_clusters(const marcher* m, cairn_manifold_kernel kernel, int begin, int end)
{
    cairn_march_pass pass = m->pass;
    pass.clusters += begin;
    pass.visit += pass.downwards ? m->march->count - end : begin;
    return kernel(&pass, end - begin);
}

static void do_part(void* context, int rank, int item)
{
    parts_job* job = context;
    int part = job->first + item;
    (void)rank;
    job->most[part] =
        do_clusters(job->m, job->kernel, job->m->march->part[part], job->m->march->part[part + 1]);
}

// A kernel over all clusters, whose changes to bodies follow each other in one order, from the first to the last
// or back. Returns the largest of what it returns.
static double do_parts(const marcher* m, cairn_manifold_kernel kernel)
{
    const cairn_march* march = m->march;
    if (march->cuts == 0)
        return do_clusters(m, kernel, 0, march->count);

    // what came later is behind the whole; parts of the same depth are done at once
    parts_job job = {.m = m, .kernel = kernel};
    double most = 0.0;
    if (m->pass.downwards)
        most = do_clusters(m, kernel, march->laid, march->count);
    for (int k = 0; k <= march->cuts; k++) {
        int depth = m->pass.downwards ? k : march->cuts - k;
        job.first = (2 << march->cuts) - (2 << depth);
        cairn_team_each_brief(m->team, do_part, &job, 1 << depth);
    }
    if (!m->pass.downwards)
        most = do_clusters(m, kernel, march->laid, march->count);
    for (int k = 0; k < cairn_march_parts(march); k++)
        most = fmax(most, job.most[k]);
    return most;
}

// the same for a sweep of positions, whose visits count
static double part_all(marcher* m)
{
    double deepest = do_parts(m, CAIRN_PICK_KERNEL(m->level, cairn_manifold_part));
    m->march->visit += m->march->count;
    m->pass.visit = m->march->visit;
    return deepest;
}

static void do_diagonal(void* context, int first, int end)
{
    const marcher* m = context;
    do_clusters(m, CAIRN_PICK_KERNEL(m->level, cairn_manifold_diagonal), first, end);
}

// ---------------------------------------------------------------- sweeps

// what the impulses do to the velocities of all bodies
static void find_pushed(marcher* m)
{
    cairn_march* march = m->march;
    marcher own = *m;
    for (int i = 0; i < march->place_count; i++) {
        float *to = march->pushed + each * (ptrdiff_t)i, *v = march->velocity + each * (ptrdiff_t)i;
        for (int k = 0; k < each; k++)
            to[k] = k < 6 ? 0.0f : v[k];
    }
    own.pass.velocity = march->pushed;
    do_parts(&own, CAIRN_PICK_KERNEL(m->level, cairn_manifold_push));
}

// One sweep, the first of a kick or another one. Returns how fast bodies still approach each other, or part while
// they are pushed, where it met them.
static double sweep_once(const marcher* m, bool first)
{
    if (first)
        return do_parts(m, CAIRN_PICK_KERNEL(m->level, cairn_manifold_start));
    return do_parts(m, CAIRN_PICK_KERNEL(m->level, cairn_manifold_sweep));
}

// Sweeps, upwards and downwards in turn, until bodies neither approach each other nor are pushed apart
// by more than `enough`, or the sweeps of a small step are used up; one more adds to the totals
static void sweep(marcher* m, bool downwards, double enough)
{
    double met = INFINITY;
    for (int k = 0; k < least_sweeps || (met > enough && k < m->sweeps); k++) {
        m->pass.downwards = downwards == (k % 2 == 0);
        met = sweep_once(m, k == 0);
    }
    m->pass.downwards = !m->pass.downwards;
    do_parts(m, CAIRN_PICK_KERNEL(m->level, cairn_manifold_finish));
}

// Forces act, and the impulses of the small step before. v* = v + η a is kept where what those do was,
// until it is known what they are now.
static void kick(marcher* m, int step, double eta)
{
    cairn_march* march = m->march;
    float longer = (float)(eta / march->eta - 1.0);
    m->pass.warm = longer;
    march->eta = eta;
    for (int i = 0; i < march->body_count; i++) {
        ptrdiff_t at = each * (ptrdiff_t)i;
        float *v = march->velocity + at, *p = march->pushed + at, *begun = march->begun + at;
        const float* own = m->kicks + 12 * (ptrdiff_t)i + (step > 0 ? 6 : 0);
        for (int k = 0; k < 6; k++) {
            float free = v[k] + own[k];
            begun[k] = p[k] + longer * begun[k];
            v[k] = free + begun[k];
            p[k] = free;
        }
    }
}

// sweeps of a small step where little moves; empty lanes take their time, too
static int sweeps_of_sedate(const cairn_march* march)
{
    int points = cairn_manifold_points * cairn_cluster_lanes * march->count;
    int affordable = sedate_visits / (points + 1);
    affordable = affordable < sedate_sweeps ? affordable : sedate_sweeps;
    return affordable > least_sedate_sweeps ? affordable : least_sedate_sweeps;
}

static void small_step(marcher* m, int step, double eta, double drift)
{
    cairn_march* march = m->march;
    kick(m, step, eta);
    m->pass.over_h = (float)(1.0 / drift);
    sweep(m, step % 2 == 1, m->approach / drift);

    // the drift, and overlaps out of it
    float h = (float)drift;
    for (int i = 0; i < march->place_count; i++) {
        ptrdiff_t at = each * (ptrdiff_t)i;
        float *v = march->velocity + at, *p = march->pushed + at, *D = march->displacement + at;
        for (int k = 0; k < 6; k++) {
            D[k] += h * v[k];
            p[k] = v[k] - p[k];
        }
    }
    m->pass.downwards = false;
    part_all(m);
}

// ---------------------------------------------------------------- substeps

// what impulses began with is not known of contacts that came since: all begin afresh
static void forget_starts(cairn_march* march)
{
    for (int k = 0; k < march->point_count; k++)
        memset(march->points[k].start, 0, sizeof march->points[k].start);
    memset(march->begun, 0, each * (size_t)march->place_count * sizeof *march->begun);
    march->amended = false;
}

// the island as it is, laid out; its impulses act for `eta` seconds if it is laid out now
static cairn_status begin(marcher* m, const cairn_span* span, double eta)
{
    cairn_status status = CAIRN_OK;
    if (span->island->march) {
        if (span->island->march->amended)
            forget_starts(span->island->march);
        cairn_march_follow(span);
    } else {
        cairn_pack_retire(span);
        status = cairn_march_make(span, eta);
    }
    if (status != CAIRN_OK)
        return status;
    cairn_march* march = span->island->march;
    *m = (marcher){.span = span, .march = march, .level = cairn_simd_detect()};
    m->team = cairn_crew_team(cairn_span_crew(span));
    load_bodies(span);
    m->pass = (cairn_march_pass){.clusters = march->clusters,
                                 .points = march->points,
                                 .laws = march->laws,
                                 .velocity = march->velocity,
                                 .displacement = march->displacement,
                                 .mass = march->mass,
                                 .touching = (float)span->world->touching,
                                 .closed = (float)cairn_closed_gap(span),
                                 .slop = (float)span->world->def.slop,
                                 .longest = (float)longest_push,
                                 .round = march->round,
                                 .visit = march->visit,
                                 .moved = march->moved};
    cairn_span_loop(span, do_diagonal, m, march->count, clusters_at_once);
    return CAIRN_OK;
}

// s: by how much the velocities of the island are behind its places
static double behind(const cairn_span* span)
{
    return span->group->behind[span->group->bodies[span->island->body]];
}

cairn_status cairn_island_march(const cairn_span* span)
{
    marcher m;
    bool careful = is_careful(span);
    int steps = small_steps(span);
    double h = span->h / steps, first = behind(span) + 0.5 * h;
    cairn_status status = begin(&m, span, first);
    if (status != CAIRN_OK)
        return status;

    m.kicks = CAIRN_TAKE(span->arena, float, 12 * (size_t)m.march->body_count);
    if (!m.kicks)
        return CAIRN_NO_MEMORY;

    // how closely, and how long, each small step is swept
    if (careful) {
        m.approach = least_approach;
        m.sweeps = sweeps_of_sedate(m.march);
    } else if (cairn_island_is_sedate(span->island)) {
        m.approach = most_approach * least_steps / sedate_steps;
        m.sweeps = least_sedate_sweeps;
    } else {
        m.approach = most_approach;
        m.sweeps = most_sweeps;
    }

    load_kicks(m.kicks, span, h, steps);
    find_pushed(&m);
    for (int k = 0; k < steps && status == CAIRN_OK; k++) {
        small_step(&m, k, k == 0 ? first : h, h);
        cairn_world_spend(span->world, m.sweeps * (double)span->island->touch_count);
        status = cairn_world_poll(span->world);
    }
    store_bodies(span, 0.5 * h);
    return status;
}

cairn_status cairn_march_part(const cairn_span* span)
{
    enum { most_rounds = 16 };
    const double shallow = 1e-3; // m
    marcher m;
    const cairn_march* march = span->island->march;
    if (march ? !march->amended : span->island->touch_count == 0)
        return CAIRN_OK; // all contacts have marched
    cairn_status status = begin(&m, span, 2.0 * behind(span));
    if (status != CAIRN_OK)
        return status;
    double enough = 0.0, met = INFINITY;
    for (int k = 0; k < most_rounds && met > enough; k++) {
        m.pass.downwards = k % 2 == 1;
        m.pass.again = k > 0;
        met = part_all(&m);
        enough = k == 0 ? fmin(cairn_push_enough(met), shallow) : enough;
    }
    displace_bodies(span);
    return CAIRN_OK;
}

// Whether the sweeps that are left will bring what the last one met below what is asked, if each round brings as
// much as the last one
static bool will_do(double before, double met, double asked, int done)
{
    double ratio = fmin(met / before, 1.0);
    for (int k = done; k + round_sweeps <= most_end_sweeps && met > asked; k += round_sweeps)
        met *= ratio;
    return met <= asked;
}

// Sweeps what is left of the last kick, in rounds, until the judge keeps it, or there is no hope that he will
static cairn_status sweep_and_judge(marcher* m, double asked, cairn_solve_function judge,
                                    cairn_judged* judged, bool* kept)
{
    cairn_status status = CAIRN_OK;
    double met = INFINITY, before = INFINITY, enough = 0.5 * asked;
    bool hope = true;

    for (int done = 0; done < most_end_sweeps && hope && !*kept && status == CAIRN_OK;) {
        before = met;
        for (int k = 0; k < least_sweeps || (met > enough && k < round_sweeps); k++, done++) {
            m->pass.downwards = done % 2 == 1;
            met = sweep_once(m, done == 0);
        }
        cairn_world_spend(m->span->world, round_sweeps * (double)m->span->island->touch_count);

        // contacts hold what the judge sees, and what is swept further if he does not keep it
        hope = done <= round_sweeps || will_do(before, met, asked, done);
        if (hope && met > enough && done < most_end_sweeps)
            continue;
        cairn_march_store(m->span, false);
        if (met <= asked)
            status = cairn_island_show(judge, m->span, judged, kept);
        enough = 0.5 * fmin(enough, met);
    }
    return status;
}

cairn_status cairn_march_end(const cairn_span* span, cairn_solve_function judge,
                             cairn_judged* judged, bool* kept)
{
    const double never = 1e6; // 1/s: what is open does not close any more
    marcher m;
    cairn_status status = begin(&m, span, behind(span));
    if (status != CAIRN_OK)
        return status;
    m.kicks = CAIRN_TAKE(span->arena, float, 12 * (size_t)m.march->body_count);
    if (!m.kicks)
        return CAIRN_NO_MEMORY;
    load_kicks(m.kicks, span, 0.0, 1);
    find_pushed(&m);
    kick(&m, 0, behind(span));
    m.pass.over_h = (float)never;

    // the certificate is relative to the fastest that a contact can be, with what gravity adds in the
    // step, unless its own |b| is larger
    double dt = span->h * span->substeps;
    span->island->scale = cairn_island_fastest(span) + dt * cairn_norm(span->world->def.gravity);
    double asked = cairn_island_tolerance(span) * span->island->scale;
    return sweep_and_judge(&m, asked, judge, judged, kept);
}
