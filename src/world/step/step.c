// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One step: detect contacts and group the bodies into islands. An island that stands is solved for
// the whole step at once: by last step's impulses, or by the rest pass, both certified. The others
// go through the substeps: free velocities, impulses by sweeps or by a method, motion, and overlaps
// and gaping joints pushed away. Each stage is one function.

#include "math/accept.h"
#include "solve/statics.h"
#include "world/step/balance.h"
#include "world/step/integrate.h"
#include "world/step/island.h"
#include "world/step/layout.h"
#include "world/step/policy.h"
#include "world/step/refind.h"
#include "world/step/seams.h"
#include "world/step/squeeze.h"
#include "world/step/undo.h"
#include "world/threads.h"
#include <string.h>

static const double resting_speed = 0.5;    // m/s: faster bodies are not tried at rest,
static const double single_speed = 1e-4;    // m/s: nor is a faster one alone, and
static const double moving_speed = 1e-4;    // m/s: none that would go on faster
static const double rest_tolerance = 1e-5;  // m/s
static const double still_speed = 1e-10;    // m/s, rad/s: slower bodies at rest do not move
static const double loose_tolerance = 1e-5; // a tighter one is beyond the reach of sweeps

// ---------------------------------------------------------------- one island

typedef cairn_status (*solve_function)(const cairn_span* span, cairn_judged* judged, bool* solved);

// where the contacts of the island are known to be, so that looking on changes nothing
typedef struct known {
    cairn_vec3 n, t;
    double gap;
} known;

static cairn_touch* touch_of(const cairn_span* span, int c)
{
    return &span->world->touches[span->group->touches[span->island->touch + c]];
}

// the problem of a solve for whoever looks on
static cairn_status foresee(cairn_problem* problem, const cairn_span* span)
{
    int count = span->island->touch_count;
    known* before = CAIRN_TAKE(span->arena, known, count);
    for (int c = 0; c < count && before; c++)
        before[c] = (known){touch_of(span, c)->n, touch_of(span, c)->t, touch_of(span, c)->gap};
    if (!before || cairn_island_assemble(problem, span) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < count; c++) {
        cairn_touch* touch = touch_of(span, c);
        touch->n = before[c].n;
        touch->t = before[c].t;
        touch->gap = before[c].gap;
    }
    return CAIRN_OK;
}

// Runs a solve that needs no problem of its own. Whoever looks on sees the problem as it was before
// and the impulses that contacts and joints hold after it.
static cairn_status show(solve_function solve, const cairn_span* span, cairn_judged* judged,
                         bool* solved)
{
    cairn_problem problem;
    bool seen = span->world->solve_hook != NULL;
    if (seen && foresee(&problem, span) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    cairn_status status = solve(span, judged, solved);
    if (status == CAIRN_OK && seen && *solved) {
        cairn_island_read_impulses(span, &problem, problem.warm);
        cairn_island_witness(span, &problem, problem.warm, judged, NULL);
    }
    return status;
}

// takes the impulses that the contacts hold as those of the substep
static cairn_status accept(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    cairn_island_accept(span, judged);
    *solved = true;
    return CAIRN_OK;
}

// whether the island is worth a try at rest: nothing moves fast
static bool slow(const cairn_span* span)
{
    double speed = cairn_island_single(span) ? single_speed : resting_speed;
    if (span->island->bouncy)
        speed = fmin(speed, span->world->def.restitution_speed);
    const double limit = speed * speed;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        if (cairn_dot(body->v, body->v) > limit || cairn_dot(body->w, body->w) > limit)
            return false;
    }
    return true;
}

static bool at_rest(const cairn_judged* judged, const cairn_span* span)
{
    if (cairn_island_single(span))
        return cairn_single_exact(judged);
    return judged->residual <= rest_tolerance &&
           judged->residual <= cairn_island_tolerance(span) * judged->scale;
}

// whether bodies with these velocities, 6 each, stay where they are
static bool stays(const cairn_span* span, const double* velocity)
{
    for (int i = 0; i < span->island->body_count; i++) {
        const double* v = velocity + 6 * (ptrdiff_t)i;
        const cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        double turn = fmax(body->radius, 0.1) * cairn_norm(cairn_vec(v[3], v[4], v[5]));
        if (!(cairn_norm(cairn_vec(v[0], v[1], v[2])) + turn <= moving_speed))
            return false;
    }
    return true;
}

static cairn_status statics(const cairn_span* span, cairn_judged* judged)
{
    cairn_problem problem;
    cairn_arena* arena = span->arena;
    cairn_status status = cairn_island_assemble(&problem, span);
    double* lambda = CAIRN_TAKE(arena, double, problem.row_count);
    double* gap = CAIRN_TAKE(arena, double, problem.block_count);
    double* free = CAIRN_TAKE(arena, double, 6 * (size_t)problem.body_count);
    if (status != CAIRN_OK || arena->failed)
        return CAIRN_NO_MEMORY;
    const cairn_island* island = span->island;
    judged->scale = 0.0;
    for (int i = 0; i < problem.row_count; i++)
        judged->scale = fmax(judged->scale, fabs(problem.b[i]));
    for (int c = 0; c < problem.block_count; c++)
        gap[c] = span->world->touches[problem.blocks[c].source].gap;
    for (int i = 0; i < island->body_count; i++)
        memcpy(free + 6 * (ptrdiff_t)i,
               span->free + 6 * (ptrdiff_t)span->group->bodies[island->body + i],
               6 * sizeof(double));
    cairn_statics_input input = {free, gap, span->world->touching};
    status = cairn_statics_attempt(lambda, &judged->residual, &problem, &input, arena);
    if (status != CAIRN_OK || !at_rest(judged, span))
        return status;
    double* after = CAIRN_TAKE(arena, double, 6 * (size_t)problem.body_count);
    if (!after)
        return CAIRN_NO_MEMORY;
    cairn_problem_body_velocity(&problem, lambda, after);
    for (int i = 0; i < 6 * island->body_count; i++)
        after[i] += free[i];
    if (stays(span, after)) {
        span->island->rested = true;
        cairn_island_tell(span, "statics", judged, CAIRN_OUTCOME_CONVERGED);
        cairn_island_witness(span, &problem, lambda, judged, NULL);
        status = cairn_island_apply(span, &problem, lambda);
    }
    return status;
}

// What is left of the velocities of bodies at rest is the residual of the impulses that hold them:
// taken away it cannot add up from step to step.
static void settle(const cairn_span* span)
{
    const double limit = still_speed * still_speed;
    for (int i = 0; i < span->island->body_count && span->island->rested; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        if (cairn_dot(body->v, body->v) < limit && cairn_dot(body->w, body->w) < limit)
            body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
    }
}

// whether bodies overlap by more than what counts as closed: they do not rest
static bool is_jammed(const cairn_span* span)
{
    double deepest = span->world->touching + span->world->def.slop;
    for (int c = 0; c < span->island->touch_count; c++)
        if (-touch_of(span, c)->gap > deepest)
            return true;
    return false;
}

// tries to leave the island as it stands
static cairn_status rest(const cairn_span* span)
{
    cairn_judged judged;
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    if (!span->world->def.rest_pass || !span->island->plain || span->island->touch_count == 0 ||
        !slow(span) || is_jammed(span))
        return CAIRN_OK;
    bool single = cairn_island_single(span);
    cairn_status status = cairn_island_verify(span, &judged, single ? INFINITY : rest_tolerance);
    bool holds = status == CAIRN_OK && at_rest(&judged, span);
    if (holds && stays(span, judged.velocity)) {
        span->island->rested = true;
        cairn_island_tell(span, "warm", &judged, CAIRN_OUTCOME_CONVERGED);
        bool solved;
        status = show(accept, span, &judged, &solved);
    } else if (status == CAIRN_OK && !single && !holds) {
        cairn_arena_release(span->arena, mark); // what the certificate needed
        status = statics(span, &judged);
    }
    cairn_arena_release(span->arena, mark);
    settle(span);
    return status;
}

cairn_solve_def cairn_island_solve_def(const cairn_span* span)
{
    enum { most_iterations = 1000 };
    const cairn_world_def* own = &span->world->def;
    cairn_solve_def def = cairn_default_solve_def();
    def.method = own->method;
    def.tolerance = cairn_island_tolerance(span);
    def.time_limit = cairn_island_time(span);
    def.cancel = cairn_world_flag(span->world);
    def.max_iterations = own->max_iterations;
    // nobody waits for methods that crawl: what they reached is taken, and reported
    if (def.max_iterations == 0 && !(own->tolerance > 0.0))
        def.max_iterations = most_iterations;
    def.threads = span->threads;
    def.warm_start = true;
    def.workspace = span->workspace;
    return def;
}

// a method of the front door on the island's problem
static cairn_status solve_exactly(const cairn_span* span)
{
    cairn_problem problem;
    cairn_status status = cairn_island_assemble(&problem, span);
    double* lambda = CAIRN_TAKE(span->arena, double, problem.row_count);
    if (status != CAIRN_OK || !lambda)
        return CAIRN_NO_MEMORY;
    double own = 0.0;
    for (int i = 0; i < problem.row_count; i++)
        own = fmax(own, fabs(problem.b[i]));
    double scale = cairn_island_scale(span, own);
    bool squeezed = false;
    if (cairn_island_may_be_squeezed(span))
        status = cairn_problem_soften(&problem, span->arena, &squeezed);
    if (status != CAIRN_OK)
        return status;
    cairn_solve_def def = cairn_island_solve_def(span);
    if (own > 0.0)
        def.tolerance = fmin(def.tolerance * scale / own, 1.0);
    cairn_report solved;
    status = cairn_solve(&problem, &def, lambda, &solved, span->error);
    if (status == CAIRN_OK && solved.outcome == CAIRN_OUTCOME_CANCELED)
        status = CAIRN_INTERRUPTED;
    if (status != CAIRN_OK)
        return status;
    cairn_judged judged = {.residual = solved.residual.velocity, .scale = scale};
    cairn_island_tell(span, solved.method, &judged,
                      squeezed ? CAIRN_OUTCOME_NO_SOLUTION : solved.outcome);
    cairn_island_tell_law(span, problem.row_count, solved.law, solved.facets);
    cairn_island_witness(span, &problem, lambda, &judged, &solved);
    return cairn_island_apply(span, &problem, lambda);
}

// whether sweeps are the way to start
static bool sweeps_apply(const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    return span->island->plain && span->world->automatic &&
           (cairn_island_tolerance(span) >= loose_tolerance || def->sweeps > 0);
}

// one body alone; what sweeps of earlier substeps keep of its impulses comes back first
static cairn_status solve_single(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    if (span->island->pack && !span->island->pack->stale)
        cairn_pack_yield(span);
    return cairn_single_solve(span, judged, solved);
}

static cairn_status solve_island(const cairn_span* span)
{
    cairn_judged judged = {0};
    const char* method = "tree";
    bool solved = false, linkage = span->island->touch_count == 0;
    if (linkage && span->island->link_count == 0) {
        size_t numbers = 6 * (size_t)span->island->body_count;
        double* none = CAIRN_TAKE_ZEROED(span->arena, double, numbers);
        if (!none)
            return CAIRN_NO_MEMORY;
        cairn_island_kick(span, none);
        return CAIRN_OK;
    }
    cairn_status status = CAIRN_OK;
    if (linkage && span->world->automatic)
        status = show(cairn_linkage_solve, span, &judged, &solved);
    else if (cairn_island_single(span))
        status = show(solve_single, span, &judged, &solved), method = "newton";
    if (status == CAIRN_OK && !solved && sweeps_apply(span))
        status = show(cairn_island_sweep, span, &judged, &solved), method = "sweeps";
    if (status != CAIRN_OK)
        return status;
    if (!solved)
        return solve_exactly(span);
    bool met = judged.residual <= cairn_island_tolerance(span) * judged.scale;
    cairn_outcome missed = judged.late ? CAIRN_OUTCOME_TIME_LIMIT : CAIRN_OUTCOME_ITERATION_LIMIT;
    cairn_island_tell(span, method, &judged, met ? CAIRN_OUTCOME_CONVERGED : missed);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- all islands

typedef cairn_status (*island_function)(const cairn_span* span);

typedef struct island_task {
    island_function function;
    const cairn_span* span;
} island_task;

// an island with most of the contacts: threads help more inside it than beside it
static bool is_large(const cairn_span* span, const cairn_island* island)
{
    return 2 * island->touch_count > span->world->touch_count;
}

static cairn_status call_island(const island_task* task, cairn_span* own, int i)
{
    own->island = &own->group->islands[i];
    if (own->island->rested || own->island->advanced)
        return CAIRN_OK;
    cairn_arena_mark mark = cairn_arena_here(own->arena);
    cairn_status status = cairn_world_poll(own->world);
    if (status == CAIRN_OK)
        status = task->function(own);
    cairn_arena_release(own->arena, mark);

    // numerical trouble is never a status; a rest pass that did not succeed and the position pass
    // of contacts have changed no velocity
    bool refused = status == CAIRN_BAD_INPUT;
    bool moved = task->function == cairn_island_stabilize || own->island->advanced;
    bool solved = task->function == rest ? own->island->rested
                  : moved                ? own->island->link_count > 0
                                         : task->function != cairn_island_advance;
    if (refused || (status == CAIRN_OK && solved && !cairn_island_is_finite(own)) ||
        (status == CAIRN_OK && moved && !cairn_island_is_placed(own)))
        cairn_island_lose(own);
    return refused ? CAIRN_OK : status;
}

static cairn_status share_island(void* context, cairn_worker* worker, int i)
{
    const island_task* task = context;
    cairn_span own = *task->span;
    if (is_large(&own, &own.group->islands[i]))
        return CAIRN_OK;
    own.arena = &worker->arena;
    own.keep = &worker->keep;
    own.workspace = worker->workspace;
    own.error = &worker->error;
    own.threads = 1;
    return call_island(task, &own, i);
}

// the crew, when there is enough to do for it; whoever looks on wants one solve after the other
static cairn_crew* crew_for(const cairn_span* span)
{
    enum { least_work = 64 };
    cairn_world* world = span->world;
    bool enough = world->touch_count + world->link_count >= least_work && span->group->count > 1;
    return enough && !world->solve_hook ? cairn_world_crew(world) : NULL;
}

// calls a function for each island that is not at rest, with v* for h seconds
static cairn_status for_islands(island_function function, cairn_span* span, bool forces)
{
    cairn_world* world = span->world;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    double* free = forces ? CAIRN_TAKE(&world->arena, double, 6 * (size_t)world->body_count) : NULL;
    if (world->arena.failed)
        return CAIRN_NO_MEMORY;
    if (forces)
        cairn_world_free_velocities(free, world, span->kick);
    span->free = free;
    cairn_status status = CAIRN_OK;
    cairn_crew* crew = crew_for(span);
    island_task task = {function, span};
    for (int i = 0; i < span->group->count && status == CAIRN_OK; i++)
        if (!crew || is_large(span, &span->group->islands[i]))
            status = call_island(&task, span, i);
    if (crew && status == CAIRN_OK)
        status = cairn_crew_run(crew, share_island, &task, span->group->count, 4, span->error);
    cairn_arena_release(&world->arena, mark);
    return status;
}

static bool any_bounces(const cairn_group* group)
{
    for (int i = 0; i < group->count; i++)
        if (group->islands[i].bouncy && !group->islands[i].rested)
            return true;
    return false;
}

// the features of the contacts of islands that move, as detection has seen them
static cairn_status classify(cairn_group* group, cairn_world* world)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < group->count && status == CAIRN_OK; i++) {
        cairn_island* island = &group->islands[i];
        for (int c = 0; c < island->touch_count && !island->rested && status == CAIRN_OK; c++) {
            cairn_touch* touch = &world->touches[group->touches[island->touch + c]];
            status = cairn_touch_classify(touch, world);
            island->bouncy =
                island->bouncy || (touch->rule == CAIRN_RULE_POINTS && touch->gap > 0.0);
        }
    }
    if (status != CAIRN_OK || !cairn_group_drop_ghosts(group, world, &status))
        return status;
    group->changed = true;
    return cairn_group_touches(group, world);
}

// Damping over h seconds, outside of all kicks: v' = e^(-c h) v changes no reaction.
static void damp(const cairn_group* group, cairn_world* world, double h)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        bool damped = body->linear_damping > 0.0 || body->angular_damping > 0.0;
        if (!damped || body->advanced || group->local[i] < 0 ||
            group->islands[group->island_of[i]].rested)
            continue;
        body->v = cairn_scale(exp(-h * body->linear_damping), body->v);
        body->w = cairn_scale(exp(-h * body->angular_damping), body->w);
    }
}

// One kick and one drift of h seconds. By leapfrog the first kick is half of one: the other half of
// the last is done where the step ends.
static cairn_status substep(cairn_span* span, cairn_group* group, int k)
{
    cairn_world* world = span->world;
    bool moreau = world->def.integrator == CAIRN_INTEGRATOR_MOREAU;
    bool leapfrog = world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG;
    double start = cairn_world_clock();
    cairn_status status = CAIRN_OK;
    span->phase = CAIRN_PHASE_DRIFT;
    span->kick = leapfrog && k == 0 ? 0.5 * span->h : span->h;
    if (moreau)
        status = cairn_world_drift(group, world, 0.5 * span->h, span->report);
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    bool bounces = any_bounces(group);
    if (status == CAIRN_OK && bounces && !group->lags) {
        group->lags = CAIRN_TAKE_ZEROED(&world->keep, cairn_lag, world->body_count);
        status = group->lags ? CAIRN_OK : CAIRN_NO_MEMORY;
    }
    if (status == CAIRN_OK && bounces)
        status = for_islands(cairn_island_impact, span, true);
    if (status == CAIRN_OK)
        status = for_islands(solve_island, span, true);
    cairn_arena_release(&world->arena, mark);
    double solved = cairn_world_clock();
    span->report->ms_solve += solved - start;
    if (status != CAIRN_OK)
        return status;
    status = cairn_world_drift(group, world, moreau ? 0.5 * span->h : span->h, span->report);
    if (status == CAIRN_OK)
        status = cairn_world_retouch(group, span, k);
    if (status == CAIRN_OK)
        status = for_islands(cairn_island_stabilize, span, false);
    span->report->ms_integrate += cairn_world_clock() - solved;
    return status;
}

// the last half kick, where the bodies have arrived: velocities are those at the end of the step
static cairn_status end_kick(cairn_span* span)
{
    double start = cairn_world_clock();
    span->phase = CAIRN_PHASE_END;
    span->kick = 0.5 * span->h;
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    cairn_status status = for_islands(solve_island, span, true);
    cairn_arena_release(span->arena, mark);
    span->report->ms_solve += cairn_world_clock() - start;
    return status;
}

// what stands does not move, but for overlaps with which it came to rest
static cairn_status part_rested(cairn_span* span)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < span->group->count && status == CAIRN_OK; i++) {
        cairn_arena_mark mark = cairn_arena_here(span->arena);
        span->island = &span->group->islands[i];
        if (span->island->rested && !span->island->lost)
            status = cairn_island_part(span);
        if (status == CAIRN_OK)
            status = cairn_world_poll(span->world);
        cairn_arena_release(span->arena, mark);
    }
    return status;
}

// an island that was not solved to the tolerance is not at rest, however slow it is
static void deny_rest(const cairn_group* group, cairn_world* world)
{
    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        for (int k = 0; k < island->body_count; k++) {
            cairn_body* body = &world->bodies[group->bodies[island->body + k]];
            if (world->told[i].outcome != CAIRN_OUTCOME_CONVERGED)
                body->still = body->stood = 0.0;
        }
    }
}

// islands that were stepped as a whole end here; those that left the range of numbers leave
static void freeze_advanced(const cairn_group* group, cairn_world* world, cairn_step_report* report)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (group->local[i] < 0 || !body->advanced)
            continue;
        cairn_transform from = {body->x, body->q};
        if (!cairn_is_finite(from.p) || !isfinite(from.q.w + from.q.x + from.q.y + from.q.z)) {
            cairn_undo_place(world, i);
            from = (cairn_transform){body->x, body->q};
        }
        cairn_body_freeze_lost(world, body, from, report);
    }
}

// marks the islands that hardly move
static void find_slow(const cairn_group* group, const cairn_world* world)
{
    const double limit = 0.05; // m/s
    for (int i = 0; i < group->count; i++) {
        cairn_island* island = &group->islands[i];
        island->slow = true;
        for (int k = 0; k < island->body_count && island->slow; k++) {
            const cairn_body* body = &world->bodies[group->bodies[island->body + k]];
            double turn = body->radius * cairn_norm(body->w);
            island->slow = cairn_norm(body->v) + turn < limit;
        }
    }
}

// whether an island is neither at rest nor advanced already
static bool any_moving(const cairn_group* group)
{
    for (int i = 0; i < group->count; i++)
        if (!group->islands[i].rested && !group->islands[i].advanced)
            return true;
    return false;
}

// N s: what a joint may bear of which nothing is known yet: the weight of all
static double weight_of(const cairn_group* group, const cairn_island* island,
                        const cairn_world* world, double dt)
{
    double mass = 0.0, borne = 0.0;
    for (int i = 0; i < island->link_count; i++)
        borne += world->links[group->links[island->link + i]].borne;
    for (int i = 0; i < island->body_count && borne == 0.0; i++)
        mass += 1.0 / world->bodies[group->bodies[island->body + i]].inverse_mass;
    return mass * cairn_norm(world->def.gravity) * dt;
}

// rad²/s²: how stiff the joints of an island make its lightest body: with the forces F of the last
// step at the arms r, ω² <= Σ |r| |F| / I for every transverse mode.
static double stiffness_of(const cairn_group* group, const cairn_island* island,
                           const cairn_world* world, double dt, double* moments)
{
    double most = 0.0, weight = weight_of(group, island, world, dt);
    for (int i = 0; i < island->body_count; i++)
        moments[group->bodies[island->body + i]] = 0.0;
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &world->links[group->links[island->link + i]];
        const int slots[2] = {link->a, link->b};
        const cairn_vec3 arms[2] = {link->frame_a.p, link->frame_b.p};
        for (int side = 0; side < 2; side++) {
            if (slots[side] < 0 || group->local[slots[side]] < 0)
                continue;
            cairn_vec3 I = world->bodies[slots[side]].inertia;
            double* sum = &moments[slots[side]];
            *sum += cairn_norm(arms[side]) * fmax(link->borne, weight) / dt;
            most = fmax(most, *sum / fmin(I.x, fmin(I.y, I.z)));
        }
    }
    return most;
}

// Substeps that resolve joints under load beside contacts, h² ω² <= 2: a power of two times those
// that were asked for, up to the most that are allowed.
static cairn_status resolve_joints(int* substeps, const cairn_group* group, cairn_world* world,
                                   double dt)
{
    double* moments = NULL;
    double stiffest = 0.0;
    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        if (island->rested || island->advanced || island->link_count == 0)
            continue;
        if (!moments)
            moments = CAIRN_TAKE(&world->arena, double, world->body_count);
        if (!moments)
            return CAIRN_NO_MEMORY;
        stiffest = fmax(stiffest, stiffness_of(group, island, world, dt, moments));
    }
    while (2 * *substeps <= world->def.most_substeps &&
           stiffest * dt * dt > 2.0 * *substeps * *substeps)
        *substeps *= 2;
    return CAIRN_OK;
}

// s: the part of a budget that solves may use; the rest is for what ends the step
static const double usable_share = 0.85;

// how many substeps the rest of a budget has room for, by what the step has taken so far: detection
// costs about as much as two substeps
static int affordable(const cairn_world* world, int substeps, double started)
{
    double end = started + usable_share * world->def.budget, now = cairn_clock();
    double each = 0.5 * (now - started);
    while (world->def.budget > 0.0 && substeps > 1 && now + substeps * each > end)
        substeps /= 2;
    return substeps;
}

// when the solves of the next of `left` kicks are to end
static double next_deadline(const cairn_world* world, double started, int left)
{
    double end = started + usable_share * world->def.budget, now = cairn_clock();
    return world->def.budget > 0.0 ? now + fmax(end - now, 0.0) / left : 0.0;
}

static cairn_status advance(cairn_world* world, double dt, double started,
                            cairn_step_report* report, cairn_error* error)
{
    cairn_group group;
    double start = cairn_world_clock();
    cairn_linkages_prune(world);
    cairn_world_freeze_lost(world, dt, report);
    cairn_status status = cairn_world_group(&group, world);
    if (status == CAIRN_OK)
        status = cairn_reports_start(&group, world);
    cairn_span span = {.world = world,
                       .group = &group,
                       .h = dt,
                       .kick = dt,
                       .phase = CAIRN_PHASE_REST,
                       .fresh = true,
                       .arena = &world->arena,
                       .keep = &world->keep,
                       .workspace = world->workspace,
                       .threads = world->def.threads,
                       .report = report,
                       .error = error};
    double grouped = cairn_world_clock();
    report->ms_assemble += grouped - start;
    // nothing lasts through the substeps yet: the memory for it serves the rest pass
    span.arena = &world->keep;
    if (status == CAIRN_OK && world->touch_count > 0)
        status = for_islands(rest, &span, true);
    if (status == CAIRN_OK && world->def.sleep && !(world->def.budget > 0.0))
        status = for_islands(cairn_island_calm, &span, true);
    span.arena = &world->arena;
    if (status == CAIRN_OK && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG) {
        status = cairn_group_crowds(&group, world);
        if (status == CAIRN_OK)
            status = for_islands(cairn_island_advance, &span, false);
        freeze_advanced(&group, world, report);
    }
    report->ms_solve += cairn_world_clock() - grouped;
    span.fresh = false;
    bool moving = any_moving(&group);
    int substeps = moving ? world->def.substeps : 1;
    if (status == CAIRN_OK && moving && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG)
        status = resolve_joints(&substeps, &group, world, dt);
    substeps = affordable(world, substeps, started);
    span.substeps = substeps;
    span.h = dt / substeps;
    double before = cairn_world_clock();
    find_slow(&group, world);
    if (status == CAIRN_OK)
        status = classify(&group, world);
    report->ms_assemble += cairn_world_clock() - before;
    cairn_balance* balance = NULL;
    if (status == CAIRN_OK && world->touch_count > 0)
        status = cairn_balance_begin(&balance, &group, world);
    if (status == CAIRN_OK)
        damp(&group, world, 0.5 * dt);
    for (int k = 0; k < substeps && status == CAIRN_OK; k++) {
        span.last = k + 1 == substeps;
        span.deadline = next_deadline(world, started, substeps - k + 1);
        status = substep(&span, &group, k);
        if (status == CAIRN_OK)
            status = cairn_world_poll(world);
    }
    span.deadline = next_deadline(world, started, 1);
    if (status == CAIRN_OK && moving && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG)
        status = end_kick(&span);
    if (status == CAIRN_OK)
        damp(&group, world, 0.5 * dt);
    for (int i = 0; i < group.count && balance && status == CAIRN_OK; i++) {
        span.island = &group.islands[i];
        if (!span.island->rested && !span.island->advanced && span.island->touch_count > 0)
            cairn_balance_end(balance, &span);
    }
    if (status == CAIRN_OK)
        status = part_rested(&span);
    if (status == CAIRN_OK)
        status = cairn_world_end_touches(&group, world, dt, &report->penetration);
    if (status == CAIRN_OK)
        status = cairn_group_end_lost(&group, world, report);
    if (status != CAIRN_OK)
        return status;
    for (int i = 0; i < group.count; i++) {
        span.island = &group.islands[i];
        if (span.island->deferred && !span.island->lost)
            cairn_island_tell_deferred(&span);
    }
    for (int i = 0; i < group.count; i++)
        report->rested += group.islands[i].rested && !group.islands[i].lost;
    cairn_reports_sum(world, report);
    deny_rest(&group, world);
    return CAIRN_OK;
}

// whatever status but CAIRN_OK this ends with, all that it changed can be undone
static cairn_status attempt(cairn_world* world, double dt, cairn_step_report* report,
                            cairn_error* error)
{
    double started = cairn_clock();
    cairn_status status = cairn_world_detect(world, dt, report);
    if (status == CAIRN_OK)
        status = advance(world, dt, started, report, error);
    return status == CAIRN_OK ? cairn_world_publish(world, dt, report) : status;
}

cairn_status cairn_world_step(cairn_world* world, double dt, cairn_step_report* report,
                              cairn_error* error)
{
    cairn_step_report out = {.method = "none"};
    cairn_status status = cairn_world_may_change(world, error);
    if (status == CAIRN_OK)
        status = cairn_accept(error, "the step", dt, CAIRN_A_STEP);
    if (status != CAIRN_OK)
        return status;
    cairn_world_trim(world);
    cairn_arena_reset(&world->arena);
    cairn_arena_reset(&world->keep);
    cairn_crew_reset(world->crew);
    status = cairn_world_poll(world);
    if (status == CAIRN_OK)
        status = cairn_undo_begin(world);
    if (status == CAIRN_OK) {
        status = attempt(world, dt, &out, error);
        if (status != CAIRN_OK)
            cairn_undo_step(world);
    }
    if (status == CAIRN_INTERRUPTED) {
        cairn_cancel_clear(cairn_world_flag(world));
        return cairn_fail(error, status, "the step was canceled");
    }
    if (status == CAIRN_NO_MEMORY)
        return cairn_fail(error, status, "no memory for a step of %d bodies", world->body_count);
    if (status != CAIRN_OK)
        return status;
    cairn_undo_end(world);
    cairn_world_count_need(world);
    if (report)
        *report = out;
    return CAIRN_OK;
}
