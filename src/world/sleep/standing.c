// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What seems to stand, and why it may. A solve leaves the velocities that its tolerance cannot tell
// from rest: a heap that has come to rest goes on trembling by them, and would never sleep. So an
// island whose bodies have all stayed within a gap that counts as closed for sleep_time is asked
// whether it could stand: with all velocities zero, do impulses exist that keep it so,
//
//     v = 0 + h g + M^-1 J^T λ,     the law of every contact and joint,     |v| <= sleep_speed?
//
// They are found by an exact method and put to the certificate of the rest pass, whatever the
// tolerance of the world. If they exist the law admits rest where the bodies are: they stop, which
// takes energy away, and the island falls asleep. If not, something is about to slide, tip or roll:
// all is left as it was, and the island is asked again after twice the time.
//
// What truly moves slower than that (a ball that rolls by half a millimeter in sleep_time) is
// stopped as well. An island that nothing holds is not asked.

#include "math/numbers.h"
#include "problem/six.h"
#include "world/step/island.h"
#include <string.h>

static const double rest_tolerance = 1e-5; // m/s
static const double longest_wait = 16.0;   // s

static cairn_body* body_of(const cairn_span* span, int i)
{
    return cairn_span_body(span, i);
}

// ---------------------------------------------------------------- who is asked

void cairn_body_watch(cairn_body* body, double speed, double dt)
{
    double bound = cairn_touching_gap;
    if (body->radius > 0.0)
        bound = fmin(bound, cairn_touching_share * body->radius);

    cairn_quat d = cairn_quat_multiply(cairn_quat_conjugate(body->stood_q), body->q);
    double turn = 2.0 * body->radius * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    double moved = fmax(cairn_norm(cairn_sub(body->x, body->stood_x)), turn);

    if (moved <= bound && speed * dt <= bound) {
        body->stood += dt;
        return;
    }

    // it has moved: watch it from here
    body->stood_x = body->x;
    body->stood_q = body->q;
    body->stood = body->wait = 0.0;
}

static bool is_drowsy(const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    double enough = fmax(def->sleep_time, 9.5 * span->h);
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        if (body->stood < fmax(enough, body->wait))
            return false;
    }
    return def->sleep && span->island->touch_count + span->island->link_count > 0;
}

// ---------------------------------------------------------------- the question

// velocities of the island's bodies, to be brought back
static double* stop(const cairn_span* span)
{
    int count = span->island->body_count;
    double* before = CAIRN_TAKE(span->arena, double, 6 * (size_t)count);
    for (int i = 0; i < count && before; i++) {
        cairn_body* body = body_of(span, i);
        cairn_store_six(before + 6 * (ptrdiff_t)i, body->v, body->w);
        body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
    }
    return before;
}

static void go_on(const cairn_span* span, const double* before)
{
    for (int i = 0; i < span->island->body_count; i++) {
        const double* v = before + 6 * (ptrdiff_t)i;
        cairn_body* body = body_of(span, i);
        body->v = cairn_vec(v[0], v[1], v[2]);
        body->w = cairn_vec(v[3], v[4], v[5]);
        body->wait = fmin(2.0 * fmax(body->wait, body->stood), longest_wait);
        body->stood = 0.0;
    }
}

// whether what does not move bears a part of the island
static bool is_held(const cairn_problem* problem, const double* lambda)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        bool ground = block->body_a < 0 || block->body_b < 0;
        if (ground && (block->kind != CAIRN_BLOCK_CONTACT || lambda[block->row] > 0.0))
            return true;
    }
    return false;
}

// whether the bodies stay where they are under the impulses
static bool stays(const cairn_span* span, const double* change)
{
    double most = 0.0;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        const double* d = change + 6 * (ptrdiff_t)i;
        const double* v = span->free + 6 * (ptrdiff_t)span->group->bodies[span->island->body + i];
        double lever = body->radius > 0.0 ? body->radius : 1.0;
        most = fmax(most, cairn_norm(cairn_vec(v[0] + d[0], v[1] + d[1], v[2] + d[2])));
        most = fmax(most, lever * cairn_norm(cairn_vec(v[3] + d[3], v[4] + d[4], v[5] + d[5])));
    }
    return most <= span->world->def.sleep_speed;
}

// solves for impulses that hold the island; the bodies' velocities are zero
static cairn_status ask(const cairn_span* span, bool* stands)
{
    cairn_problem problem;
    cairn_status status = cairn_island_assemble(&problem, span);

    double* lambda = CAIRN_TAKE(span->arena, double, problem.row_count);
    double* change = CAIRN_TAKE(span->arena, double, 6 * (size_t)problem.body_count);
    double most = status == CAIRN_OK ? cairn_largest(problem.b, problem.row_count) : 0.0;
    if (status != CAIRN_OK || span->arena->failed)
        return CAIRN_NO_MEMORY;

    cairn_solve_def def = cairn_island_solve_def(span);
    cairn_report solved;

    // the velocities that are left must be below the tolerance of rest
    if (most > 0.0)
        def.tolerance = fmin(def.tolerance, 0.1 * rest_tolerance / most);
    status = cairn_island_call_rolling(span, &problem, &def, lambda, &solved);
    if (status != CAIRN_OK)
        return status;

    cairn_problem_body_velocity(&problem, lambda, change);
    *stands = solved.residual.velocity <= rest_tolerance && stays(span, change) &&
              is_held(&problem, lambda);

    if (!*stands)
        return CAIRN_OK;

    cairn_judged judged = {.residual = solved.residual.velocity, .scale = most};
    cairn_island_tell(span, solved.method, &judged, CAIRN_OUTCOME_CONVERGED);
    cairn_island_tell_law(span, problem.row_count, solved.law, solved.facets);
    cairn_island_witness(span, &problem, lambda, &judged, &solved);
    return cairn_island_apply(span, &problem, lambda);
}

// it stands: nothing is left of its velocities, and its clock has run
static void lay_still(const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    span->island->rested = true;
    for (int i = 0; i < span->island->body_count; i++) {
        cairn_body* body = body_of(span, i);
        body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
        body->still = fmax(def->sleep_time, 10.0 * span->h);
    }
}

// v* of bodies without velocity: 0 + h g
static double* free_from_rest(const cairn_span* span, const double* before)
{
    size_t count = 6 * (size_t)span->world->body_count;
    double* free = CAIRN_TAKE(span->arena, double, count);
    if (!free)
        return NULL;
    memcpy(free, span->free, count * sizeof *free);
    for (int i = 0; i < span->island->body_count; i++) {
        double* v = free + 6 * (ptrdiff_t)span->group->bodies[span->island->body + i];
        for (int k = 0; k < 6; k++)
            v[k] -= before[6 * i + k];
    }
    return free;
}

cairn_status cairn_island_calm(const cairn_span* span)
{
    if (span->island->shared || !is_drowsy(span))
        return CAIRN_OK;

    cairn_span own = *span;
    bool stands = false;

    // stop the bodies, and ask whether impulses hold them
    double* before = stop(span);
    own.free = before ? free_from_rest(span, before) : NULL;
    if (!own.free)
        return CAIRN_NO_MEMORY;
    cairn_status status = ask(&own, &stands);

    if (stands)
        lay_still(span);
    else
        go_on(span, before);
    return status;
}
