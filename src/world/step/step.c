// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One step: detect contacts and group the bodies into islands. An island that stands is solved for
// the whole step at once: by last step's impulses, or by the rest pass, both certified. The others
// go through the substeps: free velocities, impulses by sweeps or by a method, motion, and overlaps
// and gaping joints pushed away. Each stage is one function.

#include "world/step/step.h"
#include "math/accept.h"
#include "world/alerts.h"
#include "world/step/balance.h"
#include "world/step/budget.h"
#include "world/step/integrate.h"
#include "world/step/lean.h"
#include "world/step/march.h"
#include "world/step/refind.h"
#include "world/step/seams.h"
#include "world/step/undo.h"
#include "world/threads.h"
#include <string.h>

static bool any_bounces(const cairn_group* group)
{
    for (int i = 0; i < group->count; i++)
        if (group->islands[i].bouncy && !group->islands[i].rested)
            return true;
    return false;
}

// the contacts of an island whose features are not lines
typedef struct classifying {
    const cairn_group* group;
    const cairn_island* island;
    cairn_world* world;
    bool* waits; // of each contact of the world: the others
} classifying;

static void classify_some(void* context, int first, int end)
{
    const classifying* own = context;
    for (int c = first; c < end; c++) {
        int index = own->group->touches[own->island->touch + c];
        cairn_touch_classify_plain(&own->world->touches[index], own->world, &own->waits[index]);
    }
}

// finds the features of the contacts of moving islands, where detection has seen them
static cairn_status classify(cairn_group* group, cairn_world* world)
{
    cairn_status status = CAIRN_OK;
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    bool* waits = CAIRN_TAKE(&world->arena, bool, world->touch_count);
    if (!waits)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < group->count && status == CAIRN_OK; i++) {
        cairn_island* island = &group->islands[i];
        if (island->rested || island->touch_count == 0)
            continue;
        classifying own = {group, island, world, waits};
        cairn_world_loop(world, classify_some, &own, island->touch_count, cairn_touches_at_once);

        // lines are listed in the order of contacts
        for (int c = 0; c < island->touch_count && status == CAIRN_OK; c++) {
            int index = group->touches[island->touch + c];
            cairn_touch* touch = &world->touches[index];
            if (waits[index])
                status = cairn_touch_classify(touch, world);
            island->bouncy =
                island->bouncy || (touch->rule == CAIRN_RULE_POINTS && touch->gap > 0.0);
        }
    }
    cairn_arena_release(&world->arena, mark);

    // ghost contacts at seams are dropped: the lists of contacts change
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
        body->v = cairn_scale(cairn_exp(-h * body->linear_damping), body->v);
        body->w = cairn_scale(cairn_exp(-h * body->angular_damping), body->w);
    }
}

// after a drift of h seconds velocities are those of its middle; marched bodies have set theirs
static void fall_behind(const cairn_group* group, const cairn_world* world, double h)
{
    for (int i = 0; group->behind && i < world->body_count; i++)
        if (!group->marched[i])
            group->behind[i] = 0.5 * h;
}

// notes where bodies are before the drift, for joints that only a part of it can close
static cairn_status note_places(cairn_group* group, cairn_world* world)
{
    bool jointed = false;
    for (int i = 0; i < group->count && !jointed; i++) {
        const cairn_island* island = &group->islands[i];
        jointed = island->touch_count > 0 && island->link_count > 0 && !island->rested;
    }
    if (!jointed)
        return CAIRN_OK;

    if (!group->from)
        group->from = CAIRN_TAKE(&world->keep, cairn_transform, world->body_count);
    if (!group->from)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < world->body_count; i++)
        group->from[i] = (cairn_transform){world->bodies[i].x, world->bodies[i].q};
    return CAIRN_OK;
}

// measures by how much the drift missed the gaps of the contacts
static void measure_update(cairn_span* span)
{
    for (int i = 0; i < span->group->count; i++) {
        span->island = &span->group->islands[i];
        if (!span->island->rested && !span->island->advanced && span->island->touch_count > 0 &&
            !span->island->shared && !cairn_island_is_ahead(span))
            cairn_island_update_error(span);
    }
}

// Before a kick, islands that march no further give their impulses back to their contacts.
static void end_marches(cairn_span* span)
{
    for (int i = 0; i < span->group->count; i++) {
        span->island = &span->group->islands[i];
        if (!span->island->march ||
            (span->phase == CAIRN_PHASE_DRIFT && cairn_island_has_marched(span)))
            continue;
        if (span->phase == CAIRN_PHASE_END)
            cairn_march_store(span, true);
        else if (!cairn_march_applies(span))
            cairn_march_yield(span);
    }
}

// bodies that are ahead have made this substep with the last one
static void start_marches(const cairn_group* group, const cairn_world* world)
{
    size_t size = (size_t)world->body_count * sizeof(bool);
    if (!group->ahead)
        return;
    memcpy(group->marched, group->ahead, size);
    memset(group->ahead, 0, size);
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
    span->substep = k;
    span->kick = leapfrog && k == 0 ? 0.5 * span->h : span->h;

    // Moreau's midpoint rule drifts half a substep before the kick
    start_marches(group, world);
    if (moreau)
        status = cairn_world_drift(group, world, 0.5 * span->h, span->report);
    end_marches(span);

    // impacts first, then forces and contacts, then blows that are passed on
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    bool bounces = any_bounces(group);
    if (status == CAIRN_OK && bounces && !group->lags) {
        group->lags = CAIRN_TAKE_ZEROED(&world->keep, cairn_lag, world->body_count);
        status = group->lags ? CAIRN_OK : CAIRN_NO_MEMORY;
    }
    if (status == CAIRN_OK && bounces)
        status = cairn_group_each(cairn_island_impact, span, true);
    if (status == CAIRN_OK)
        status = cairn_group_each(cairn_island_solve_kick, span, true);
    cairn_arena_release(&world->arena, mark);

    if (status == CAIRN_OK)
        status = cairn_group_aftershock(group, span, k);
    double solved = cairn_world_clock();
    span->report->ms_solve += solved - start;

    if (status == CAIRN_OK)
        status = note_places(group, world);
    if (status != CAIRN_OK)
        return status;

    // drift, then find contacts again and push overlaps out
    status = cairn_world_drift(group, world, moreau ? 0.5 * span->h : span->h, span->report);
    fall_behind(group, world, span->h);

    if (status == CAIRN_OK)
        measure_update(span);
    if (status == CAIRN_OK)
        status = cairn_world_retouch(group, span, k);
    if (status == CAIRN_OK)
        status = cairn_group_each(cairn_island_stabilize, span, false);
    span->report->ms_integrate += cairn_world_clock() - solved;
    return status;
}

// the last half kick, where the bodies have arrived: velocities are those at the end of the step
static cairn_status end_kick(cairn_span* span)
{
    double start = cairn_world_clock();
    span->phase = CAIRN_PHASE_END;
    span->kick = 0.5 * span->h;
    end_marches(span);
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    cairn_status status = cairn_group_each(cairn_island_solve_kick, span, true);
    cairn_arena_release(span->arena, mark);
    span->report->ms_solve += cairn_world_clock() - start;
    return status;
}

// Resting bodies keep their pose; only the overlap they came to rest with is pushed out.
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

// chooses the loads that are shown where statics leaves a choice
static cairn_status share_loads(cairn_span* span, double dt)
{
    cairn_status status = CAIRN_OK;
    double start = cairn_world_clock();
    for (int i = 0; i < span->group->count && status == CAIRN_OK; i++) {
        cairn_arena_mark mark = cairn_arena_here(span->arena);
        span->island = &span->group->islands[i];
        status = cairn_island_share(span, dt);
        if (status == CAIRN_OK)
            status = cairn_world_poll(span->world);
        cairn_arena_release(span->arena, mark);
    }
    span->report->ms_solve += cairn_world_clock() - start;
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

// ends islands that were stepped as a whole; a body whose pose is not finite is put back first
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

static bool is_slow(const cairn_body* body)
{
    const double limit = 0.05; // m/s
    return cairn_norm(body->v) + body->radius * cairn_norm(body->w) < limit;
}

// marks the islands that hardly move, and those where little moves among many contacts
static void find_slow(const cairn_group* group, const cairn_world* world)
{
    for (int i = 0; i < group->count; i++) {
        cairn_island* island = &group->islands[i];
        island->slow = true;
        for (int k = 0; k < island->body_count && island->slow; k++)
            island->slow = is_slow(&world->bodies[group->bodies[island->body + k]]);

        island->moving = 0;
        for (int c = 0; c < island->touch_count && !island->slow; c++) {
            const cairn_touch* touch = &world->touches[group->touches[island->touch + c]];
            island->moving +=
                !is_slow(&world->bodies[touch->a]) || !is_slow(&world->bodies[touch->b]);
            if (!cairn_island_is_sedate(island))
                break;
        }
    }
}

// All processes that share an island have to know how many contacts it has altogether, and whether
// it hardly moves.
static void count_everywhere(const cairn_group* group, const cairn_world* world)
{
    const cairn_exchange* exchange = cairn_world_exchange(world);
    cairn_island* shared = NULL;
    for (int i = 0; exchange && i < group->count; i++)
        if (group->islands[i].shared)
            shared = &group->islands[i];

    double all = shared ? shared->touch_count : 0.0, moves = shared && !shared->slow;
    if (exchange)
        exchange->agree(exchange->context, &all, &moves);

    if (shared) {
        shared->everywhere = (int)all;
        shared->slow = moves == 0.0;
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

// solves resting islands for the whole step, and steps islands without contacts as a whole
static cairn_status solve_whole(cairn_span* span, cairn_group* group)
{
    cairn_world* world = span->world;
    double start = cairn_world_clock();
    cairn_status status = CAIRN_OK;

    // nothing is kept through the substeps yet: the rest pass may use that arena
    span->arena = &world->keep;
    if (world->touch_count > 0)
        status = cairn_group_each(cairn_island_rest, span, true);
    if (status == CAIRN_OK && world->def.sleep)
        status = cairn_group_each(cairn_island_calm, span, true);
    span->arena = &world->arena;

    // islands without contacts that no moving island can reach take the whole step by themselves
    if (status == CAIRN_OK && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG) {
        status = cairn_group_crowds(group, world);
        if (status == CAIRN_OK)
            status = cairn_group_each(cairn_island_advance, span, false);
        freeze_advanced(group, world, span->report);
    }

    span->fresh = false;
    span->report->ms_solve += cairn_world_clock() - start;
    return status;
}

// the substeps that the other islands take together, and the features of their contacts
static cairn_status prepare_substeps(cairn_span* span, cairn_group* group, double dt, bool moving)
{
    cairn_world* world = span->world;
    double start = cairn_world_clock();
    cairn_status status = CAIRN_OK;

    // stiff joints, blows and contacts may each ask for more substeps
    int substeps = moving ? world->def.substeps : 1;
    if (moving && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG)
        status = cairn_pace_joints(&substeps, group, world, dt);
    if (moving && world->automatic && !(world->def.tolerance > 0.0) &&
        2 * substeps <= world->def.most_substeps)
        cairn_pace_blows(&substeps, group, world, dt);
    if (moving && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG)
        cairn_pace_contacts(&substeps, group, world, dt);
    span->substeps = (int)cairn_exchange_most(cairn_world_exchange(world), substeps);
    span->h = dt / span->substeps;

    if (moving && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG) {
        group->behind = CAIRN_TAKE_ZEROED(&world->keep, double, world->body_count);
        group->marched = CAIRN_TAKE_ZEROED(&world->keep, bool, world->body_count);
        group->ahead = CAIRN_TAKE_ZEROED(&world->keep, bool, world->body_count);
        if (world->keep.failed)
            return CAIRN_NO_MEMORY;
    }

    find_slow(group, world);
    if (status == CAIRN_OK)
        status = classify(group, world);
    count_everywhere(group, world);
    span->report->ms_assemble += cairn_world_clock() - start;
    return status;
}

// all substeps, with the damping of half a step on either side
static cairn_status run_substeps(cairn_span* span, cairn_group* group, double dt, bool moving)
{
    cairn_world* world = span->world;
    cairn_status status = CAIRN_OK;
    damp(group, world, 0.5 * dt);
    for (int k = 0; k < span->substeps && status == CAIRN_OK; k++) {
        span->last = k + 1 == span->substeps;
        status = substep(span, group, k);
        if (status == CAIRN_OK)
            status = cairn_world_poll(world);
    }

    if (status == CAIRN_OK && moving && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG)
        status = end_kick(span);
    if (status == CAIRN_OK && moving)
        status = cairn_world_find_fled(group, span, 0.0);

    if (status == CAIRN_OK)
        damp(group, world, 0.5 * dt);
    return status;
}

// judges the motion of the islands that were not stepped as a whole: under contacts, or where they may meet others
static void judge(cairn_balance* balance, cairn_span* span)
{
    for (int i = 0; i < span->group->count; i++) {
        span->island = &span->group->islands[i];
        bool moved = !span->island->rested && !span->island->advanced;
        bool held = span->island->touch_count > 0 || span->island->link_count > 0;
        if (moved && (held || span->island->shared))
            cairn_balance_end(balance, span);
    }
}

// writes the reports, when nothing changes any more
static void conclude(cairn_span* span)
{
    for (int i = 0; i < span->group->count; i++) {
        span->island = &span->group->islands[i];
        if (span->island->deferred && !span->island->lost)
            cairn_island_tell_deferred(span);
        span->report->rested += span->island->rested && !span->island->lost;
    }
    cairn_reports_sum(span->world, span->report);
    deny_rest(span->group, span->world);
}

// groups the bodies into islands; the span is that of the whole step
static cairn_status group_bodies(cairn_span* span, cairn_group* group, double dt)
{
    cairn_world* world = span->world;
    double start = cairn_world_clock();
    world->balance = NULL;
    cairn_linkages_prune(world);
    cairn_world_freeze_lost(world, dt, span->report);
    cairn_status status = cairn_world_group(group, world);
    if (status == CAIRN_OK)
        status = cairn_reports_start(group, world);
    span->group = group;
    span->h = span->kick = dt;
    span->report->ms_assemble += cairn_world_clock() - start;
    return status == CAIRN_OK ? cairn_world_poll(world) : status;
}

static cairn_status advance(cairn_world* world, double dt, cairn_step_report* report,
                            cairn_error* error)
{
    cairn_group group;
    cairn_span span = {.world = world,
                       .phase = CAIRN_PHASE_REST,
                       .fresh = true,
                       .arena = &world->arena,
                       .keep = &world->keep,
                       .workspace = world->workspace,
                       .threads = world->def.threads,
                       .report = report,
                       .error = error};
    cairn_status status = group_bodies(&span, &group, dt);

    // islands that are solved for the whole step
    if (status == CAIRN_OK)
        status = solve_whole(&span, &group);

    // the others, substep by substep
    bool moving = status == CAIRN_OK && any_moving(&group);
    cairn_balance* balance = NULL;
    double* raised = NULL;
    if (status == CAIRN_OK)
        status = prepare_substeps(&span, &group, dt, moving);
    if (status == CAIRN_OK && world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG)
        status = cairn_pace_raise(&raised, &group, world, dt, span.h);
    if (status == CAIRN_OK && (world->touch_count > 0 || cairn_world_exchange(world)))
        status = cairn_balance_begin(&balance, &group, world);
    if (status == CAIRN_OK)
        status = run_substeps(&span, &group, dt, moving);
    if (status == CAIRN_OK && moving)
        cairn_pace_learn(&group, world, span.substeps);
    if (status == CAIRN_OK && balance)
        judge(balance, &span);
    cairn_pace_lower(raised, world);

    // the end: overlaps at rest; bodies that left the numbers, which are put back before anybody
    // looks at their contacts; contacts where the bodies are
    if (status == CAIRN_OK)
        status = part_rested(&span);
    if (status == CAIRN_OK)
        status = cairn_group_end_lost(&group, world, report);
    if (status == CAIRN_OK)
        status = share_loads(&span, dt);
    if (status == CAIRN_OK)
        status = cairn_world_end_touches(&group, world, dt, true, &report->penetration);
    if (status == CAIRN_OK)
        conclude(&span);
    return status;
}

// all bodies of islands have made their way; the others have not
static cairn_status mark_moved(cairn_group* group, cairn_world* world)
{
    group->marched = CAIRN_TAKE(&world->keep, bool, world->body_count);
    if (!group->marched)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < world->body_count; i++)
        group->marched[i] = group->local[i] >= 0;
    return CAIRN_OK;
}

// Few swift bodies are traced; where there are many, the contacts have to do that were found ahead.
static bool are_few_swift(const cairn_world* world, double dt)
{
    enum { few = 8 };
    int count = 0;
    for (int i = 0; i < world->body_count && count <= few; i++)
        count += cairn_body_is_swift(&world->bodies[i], dt);
    return count <= few;
}

// a step with little time: small steps of each island, and nothing else
static cairn_status advance_lean(cairn_world* world, double dt, cairn_step_report* report,
                                 cairn_error* error)
{
    cairn_group group;
    cairn_way* ways = NULL;
    cairn_balance* balance = NULL;
    cairn_span span = {.world = world,
                       .phase = CAIRN_PHASE_DRIFT,
                       .arena = &world->arena,
                       .keep = &world->keep,
                       .workspace = world->workspace,
                       .threads = world->def.threads,
                       .report = report,
                       .error = error};

    cairn_status status = group_bodies(&span, &group, dt);
    if (status == CAIRN_OK && are_few_swift(world, dt))
        status = cairn_world_note_ways(&ways, world, dt);
    if (status == CAIRN_OK && world->touch_count > 0)
        status = cairn_balance_begin(&balance, &group, world);

    // small steps of all islands
    double start = cairn_world_clock();
    span.substeps = cairn_budget_small_steps(world, &span.deadline);
    span.h = dt / span.substeps;
    span.last = true;
    if (status == CAIRN_OK)
        status = cairn_group_each(cairn_island_lean, &span, false);
    double solved = cairn_world_clock();
    report->ms_solve += solved - start;
    cairn_budget_note_small_steps(world, 1e-3 * (solved - start));

    // trace the swift bodies, then measure the balance and refresh the contacts
    if (status == CAIRN_OK)
        status = mark_moved(&group, world);
    if (status == CAIRN_OK)
        status = cairn_world_arrive(&group, world, ways, dt, report);
    freeze_advanced(&group, world, report);

    if (status == CAIRN_OK && balance)
        judge(balance, &span);
    if (status == CAIRN_OK)
        status = cairn_group_end_lost(&group, world, report);

    bool exact = cairn_budget_affords_overlaps(world);
    if (status == CAIRN_OK)
        status = cairn_world_end_touches(&group, world, dt, exact, &report->penetration);
    if (status == CAIRN_OK)
        conclude(&span);
    report->ms_integrate += cairn_world_clock() - solved;
    return status;
}

// Whatever status but CAIRN_OK this ends with, all that it changed can be undone. `late`: there is
// no time but for a lean step.
static cairn_status attempt(cairn_world* world, double dt, bool late, cairn_step_report* report,
                            cairn_error* error)
{
    cairn_world_aim_servos(world, dt);
    cairn_world_note_angles(world, dt);
    cairn_status status = world->alerts ? cairn_alerts_begin(world) : CAIRN_OK;
    if (status == CAIRN_OK)
        status = cairn_world_detect(world, dt, report);
    if (status != CAIRN_OK)
        return status;
    if (cairn_budget_is_set(world) && !cairn_budget_tries_whole(world, late))
        status = advance_lean(world, dt, report, error);
    else
        status = advance(world, dt, report, error);
    world->meter.armed = false;
    return status == CAIRN_OK ? cairn_world_publish(world, dt, report) : status;
}

// gives back the scratch memory of steps and starts to note what changes
static cairn_status begin(cairn_world* world)
{
    cairn_arena_reset(&world->arena);
    cairn_arena_reset(&world->keep);
    cairn_crew_reset(world->crew);
    cairn_status status = cairn_world_poll(world);
    return status == CAIRN_OK ? cairn_undo_begin(world) : status;
}

// The first attempt at a step, and others with larger boxes where bodies fled from those of the last one.
static cairn_status attempt_whole(cairn_world* world, double dt, cairn_step_report* out,
                                  cairn_error* error)
{
    world->again = 0;
    world->flight = 0.0;
    cairn_status status;
    do {
        world->fled = false;
        status = attempt(world, dt, false, out, error);
        if (status == CAIRN_OK)
            break;
        cairn_undo_step(world);
        if (!world->fled || cairn_is_raised(cairn_world_flag(world)))
            break;
        world->again++;
        *out = (cairn_step_report){.method = "none"};
        status = begin(world);
    } while (status == CAIRN_OK);

    for (int i = 0; i < world->body_count && world->again > 0; i++)
        world->bodies[i].fled = false;
    return status;
}

// makes a step again, lean, after its limit was passed
static cairn_status make_lean(cairn_world* world, double dt, cairn_step_report* out,
                              cairn_error* error)
{
    cairn_budget_note_late(world);
    *out = (cairn_step_report){.method = "none",
                               .ms_broad = out->ms_broad,
                               .ms_narrow = out->ms_narrow,
                               .ms_assemble = out->ms_assemble,
                               .ms_solve = out->ms_solve,
                               .ms_integrate = out->ms_integrate};
    cairn_status status = begin(world);
    if (status == CAIRN_OK)
        status = attempt(world, dt, true, out, error);
    return status;
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
    cairn_budget_begin(world);
    status = begin(world);

    // a step over its budget is undone and made again, lean
    if (status == CAIRN_OK) {
        status = attempt_whole(world, dt, &out, error);
        bool canceled = cairn_is_raised(cairn_world_flag(world));
        if (status == CAIRN_INTERRUPTED && !canceled) {
            status = make_lean(world, dt, &out, error);
            if (status != CAIRN_OK)
                cairn_undo_step(world);
        }
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
    cairn_budget_end(world, dt, &out);
    if (report)
        *report = out;
    return CAIRN_OK;
}
