// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The rest pass: an island that stands is solved for the whole step at once, by last step's
// impulses or by statics, both certified; its bodies stay where they are.

#include "math/numbers.h"
#include "solve/statics.h"
#include "world/step/policy.h"
#include "world/step/step.h"
#include <string.h>

static const double resting_speed = 0.5;   // m/s: faster bodies are not tried at rest,
static const double slowing_speed = 0.2;   // m/s: of large islands, about what a step can stop
static const double single_speed = 1e-4;   // m/s: nor is a faster one alone, and
static const double moving_speed = 1e-4;   // m/s: none that would go on faster
static const double rest_tolerance = 1e-5; // m/s
static const double still_speed = 1e-10;   // m/s, rad/s: slower bodies at rest do not move

// takes the impulses that the contacts hold as those of the substep
static cairn_status accept(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    cairn_island_accept(span, judged);
    *solved = true;
    return CAIRN_OK;
}

// whether the island is worth a try at rest: nothing moves fast
static bool slow(const cairn_span* span, bool single)
{
    enum { many_contacts = 200 };
    double speed = single ? single_speed : resting_speed;
    if (span->island->touch_count > many_contacts)
        speed = slowing_speed;
    if (span->island->bouncy)
        speed = fmin(speed, span->world->def.restitution_speed);
    const double limit = speed * speed;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = cairn_span_body(span, i);
        if (cairn_dot(body->v, body->v) > limit || cairn_dot(body->w, body->w) > limit)
            return false;
    }
    return true;
}

static bool at_rest(const cairn_judged* judged, const cairn_span* span, bool single)
{
    if (single)
        return cairn_single_exact(judged);
    return judged->residual <= rest_tolerance &&
           judged->residual <= cairn_island_tolerance(span) * judged->scale;
}

// whether bodies with these velocities, 6 each, stay where they are
static bool stays(const cairn_span* span, const double* velocity)
{
    for (int i = 0; i < span->island->body_count; i++) {
        const double* v = velocity + 6 * (ptrdiff_t)i;
        const cairn_body* body = cairn_span_body(span, i);
        double turn = fmax(body->radius, 0.1) * cairn_norm(cairn_vec(v[3], v[4], v[5]));
        if (!(cairn_norm(cairn_vec(v[0], v[1], v[2])) + turn <= moving_speed))
            return false;
    }
    return true;
}

static cairn_status statics(const cairn_span* span, cairn_judged* judged, const char* method)
{
    cairn_problem problem;
    cairn_arena* arena = span->arena;
    cairn_status status = cairn_island_assemble(&problem, span);
    double* lambda = CAIRN_TAKE(arena, double, problem.row_count);
    double* gap = CAIRN_TAKE(arena, double, problem.block_count);
    double* free = CAIRN_TAKE(arena, double, 6 * (size_t)problem.body_count);
    if (status != CAIRN_OK || arena->failed)
        return CAIRN_NO_MEMORY;

    // what statics starts from: free velocities and gaps
    const cairn_island* island = span->island;
    judged->scale = cairn_largest(problem.b, problem.row_count);
    for (int c = 0; c < problem.block_count; c++)
        gap[c] = span->world->touches[problem.blocks[c].source].gap;
    for (int i = 0; i < island->body_count; i++)
        memcpy(free + 6 * (ptrdiff_t)i,
               span->free + 6 * (ptrdiff_t)span->group->bodies[island->body + i],
               6 * sizeof(double));

    cairn_statics_input input = {free, gap, span->world->touching};
    status = cairn_statics_attempt(lambda, &judged->residual, &problem, &input, arena);
    if (status != CAIRN_OK || !at_rest(judged, span, false))
        return status;

    // forces that balance are taken where the bodies stay
    double* after = CAIRN_TAKE(arena, double, 6 * (size_t)problem.body_count);
    if (!after)
        return CAIRN_NO_MEMORY;
    cairn_problem_body_velocity(&problem, lambda, after);
    for (int i = 0; i < 6 * island->body_count; i++)
        after[i] += free[i];
    if (stays(span, after)) {
        span->island->rested = true;
        cairn_island_tell(span, method, judged, CAIRN_OUTCOME_CONVERGED);
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
        cairn_body* body = cairn_span_body(span, i);
        if (cairn_dot(body->v, body->v) < limit && cairn_dot(body->w, body->w) < limit)
            body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
    }
}

// whether bodies overlap by more than what counts as closed: they do not rest
static bool is_jammed(const cairn_span* span)
{
    double deepest = span->world->touching + span->world->def.slop;
    for (int c = 0; c < span->island->touch_count; c++)
        if (-cairn_span_touch(span, c)->gap > deepest)
            return true;
    return false;
}

// tries to leave the island as it stands
cairn_status cairn_island_rest(const cairn_span* span)
{
    cairn_judged judged;
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    cairn_island_kind kind = cairn_island_kind_of(span);
    bool single = cairn_kind_is_one_body(&kind);
    kind.stands = span->world->def.rest_pass && span->island->plain && !span->island->shared &&
                  !span->island->rolls && !span->island->soft && span->island->touch_count > 0 &&
                  slow(span, single) && !is_jammed(span);
    const cairn_choice* choice = cairn_choose(&kind, NULL);
    if (choice->way != CAIRN_WAY_WARM)
        return CAIRN_OK;

    // the impulses of the last step may still hold it
    cairn_status status = cairn_island_verify(span, &judged, single ? INFINITY : rest_tolerance);
    bool holds = status == CAIRN_OK && at_rest(&judged, span, single);
    if (holds && stays(span, judged.velocity)) {
        span->island->rested = true;
        cairn_island_tell(span, choice->method, &judged, CAIRN_OUTCOME_CONVERGED);
        bool solved;
        status = cairn_island_show(accept, span, &judged, &solved);
    }

    // otherwise statics may find impulses that do; it takes the memory of the certificate
    choice = cairn_choose(&kind, choice);
    if (status == CAIRN_OK && !holds && choice->way == CAIRN_WAY_STATICS) {
        cairn_arena_release(span->arena, mark);
        status = statics(span, &judged, choice->method);
    }

    cairn_arena_release(span->arena, mark);
    settle(span);
    return status;
}
