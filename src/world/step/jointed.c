// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One kick of an island with joints and contacts (or limits and motors alone, where it is too close
// to others to be stepped as a whole): sweeps over its contacts, limits and motors with the joints eliminated (solve/tree/articulated.h), until the certificate of the island's problem is
// within the tolerance.
//
// In islands that are small enough, the drift that follows is to close the joints, as RATTLE does
// (leapfrog.c). With γ their errors where the drift leads, along the rows of the start,
//
//     b_j += γ/h for the rows of joints, and the same solve again from where it ended
//
// until γ is small. Contacts keep b and their cones: their law holds for the velocities that move the
// bodies, and joints are closed there. Larger islands are closed by the position pass.

#include "math/stop.h"
#include "problem/residual.h"
#include "solve/newton/few_bodies.h"
#include "solve/tree/articulated.h"
#include "world/step/policy.h"
#include "world/step/rotation.h"
#include "world/step/step.h"
#include <string.h>

enum { few_contacts = 64 };
static const double tight_tolerance = 1e-6; // of small islands, while sweeps are cheap

// m/s: the largest |b| but of limits, whose b tells how far they are away
static double largest(const cairn_problem* problem)
{
    double most = 0.0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int r = block->row; r < block->row + block->row_count; r++)
            if (block->kind != CAIRN_BLOCK_LIMIT || problem->b[r] < 0.0)
                most = fmax(most, fabs(problem->b[r]));
    }
    return most;
}

// the solve under way
typedef struct kick {
    const cairn_span* span;
    cairn_problem* problem;
    cairn_articulated* all;
    double* lambda;
    double tight, asked; // m/s: what is tried for in the first sweeps, and what will do
    int tight_sweeps, most_sweeps, sweeps;
    bool few; // contacts: another method goes on where sweeps are in vain
    cairn_stop stop;
    bool late;
    cairn_residual measured;
    cairn_transform* ahead; // of each body of the island, after the drift
    double* gaps;           // of each row: γ there
} kick;

// Whether sweeps that came from one change of the velocities to another within some sweeps will not reach
// what will do within those that are left, if they go on at that rate.
static bool in_vain(const kick* now, double from, double to, int sweeps)
{
    if (!now->few || !(to > now->asked))
        return false;
    double left = (double)(now->most_sweeps - now->sweeps) / sweeps;
    return !(to < from) || cairn_log(to / now->asked) > left * cairn_log(from / to);
}

// sweeps until the certificate is met, no more are allowed, or they are in vain
static cairn_status sweep(kick* now)
{
    enum { stretch = 16 };
    double before = INFINITY;
    bool vain = false;
    now->measured.velocity = INFINITY;

    for (;;) {
        double goal = now->sweeps < now->tight_sweeps ? now->tight : now->asked;
        if (now->measured.velocity <= goal || now->sweeps >= now->most_sweeps || now->late || vain)
            return CAIRN_OK;

        // as long as the velocities change by more than the goal
        double worst = INFINITY;
        do {
            worst = cairn_articulated_sweep(now->all);
            now->sweeps++;

            // the rate, from time to time
            if (now->sweeps % stretch == 0) {
                vain = isfinite(before) && in_vain(now, before, worst, stretch);
                before = worst;
            }

            cairn_world_spend(now->span->world, now->problem->row_count);
            now->late = cairn_stop_now(&now->stop);
            goal = now->sweeps < now->tight_sweeps ? now->tight : now->asked;
            if (cairn_world_poll(now->span->world) != CAIRN_OK)
                return CAIRN_INTERRUPTED;
        } while (now->sweeps < now->most_sweeps && worst > goal && !now->late && !vain);

        // the certificate has the last word
        cairn_articulated_finish(now->all, now->lambda);
        cairn_arena_mark mark = cairn_arena_here(now->span->arena);
        cairn_status status = cairn_residual_measure(&now->measured, now->problem, now->lambda,
                                                     CAIRN_LAW_AS_GIVEN, 0, now->span->arena);
        cairn_arena_release(now->span->arena, mark);
        if (status != CAIRN_OK)
            return status;
    }
}

// ---------------------------------------------------------------- joints closed by the drift

// where the bodies will be, with the velocities of the solve
static void drift_ahead(kick* now)
{
    const cairn_span* span = now->span;
    for (int i = 0; i < now->all->limb_count; i++) {
        int place = now->all->limbs[i].body, slot = span->group->bodies[span->island->body + place];
        const cairn_body* body = &span->world->bodies[slot];
        const double *v = span->free + 6 * (ptrdiff_t)slot, *d = (const double*)&now->all->v[i];
        cairn_vec3 w = cairn_vec(v[3] + d[3], v[4] + d[4], v[5] + d[5]);
        cairn_transform at = {body->x, body->q};
        at.p = cairn_add_scaled(at.p, span->h, cairn_vec(v[0] + d[0], v[1] + d[1], v[2] + d[2]));
        cairn_rotate_freely(&at.q, &w, body->inertia, span->h);
        now->ahead[place] = at;
    }
}

static cairn_transform ahead_of(const kick* now, int slot)
{
    const cairn_span* span = now->span;
    if (slot == CAIRN_WORLD_BODY)
        return cairn_transform_identity();
    const cairn_body* body = &span->world->bodies[slot];
    cairn_transform at = {body->x, body->q};
    if (span->group->local[slot] >= 0)
        return now->ahead[span->group->local[slot]];
    if (body->type == CAIRN_BODY_KINEMATIC && !body->belt) {
        at.p = cairn_add_scaled(at.p, span->h, body->v);
        at.q = cairn_quat_normalize(
            cairn_quat_multiply(cairn_turn_by(cairn_scale(span->h, body->w)), body->q));
    }
    return at;
}

// γ of all joints in `gaps`; returns the largest
static double measure_drift(kick* now)
{
    double worst = 0.0;
    drift_ahead(now);
    for (int c = 0; c < now->problem->block_count; c++) {
        const cairn_block* block = &now->problem->blocks[c];
        const cairn_link* link = cairn_island_link_of(now->span, block);
        if (!link)
            continue;
        cairn_link_place place =
            cairn_link_at(link, ahead_of(now, link->a), ahead_of(now, link->b), link->turns);
        worst = fmax(worst, cairn_link_drifted(now->gaps + block->row, link, &place,
                                               now->problem->rows + block->row, block->row_count));
    }
    return worst;
}

// J: with the velocities of the solve
static double kinetic(const kick* now)
{
    const cairn_span* span = now->span;
    double sum = 0.0;
    for (int i = 0; i < now->all->limb_count; i++) {
        int slot = span->group->bodies[span->island->body + now->all->limbs[i].body];
        const cairn_body* body = &span->world->bodies[slot];
        const double *v = span->free + 6 * (ptrdiff_t)slot, *d = (const double*)&now->all->v[i];
        cairn_vec3 linear = cairn_vec(v[0] + d[0], v[1] + d[1], v[2] + d[2]), I = body->inertia;
        cairn_vec3 w = cairn_rotate_back(body->q, cairn_vec(v[3] + d[3], v[4] + d[4], v[5] + d[5]));
        sum += 0.5 * (cairn_dot(linear, linear) / body->inverse_mass + I.x * w.x * w.x +
                      I.y * w.y * w.y + I.z * w.z * w.z);
    }
    return sum;
}

// how far to go: a fraction of the largest |b|, which γ/h may be where hardly anything approaches
static void aim(kick* now, double scale)
{
    double fine = now->few ? tight_tolerance : cairn_island_tolerance(now->span);
    now->asked = cairn_island_tolerance(now->span) * scale;
    now->tight = fmin(now->asked, fine * cairn_island_fastest(now->span));
}

// velocities and impulses as they were solved first
static cairn_status take_back(kick* now, const double* b, const double* lambda)
{
    size_t bytes = (size_t)now->problem->row_count * sizeof(double);
    memcpy(now->problem->b, b, bytes);
    memcpy(now->lambda, lambda, bytes);
    aim(now, largest(now->problem));
    cairn_articulated_start(now->all, now->lambda);
    now->sweeps = 0;
    return sweep(now);
}

// The impulses that close the joints where the drift leads; contacts keep their law. Where that does
// not converge fast, or costs energy, the substep does not resolve the motion: then the position
// pass closes the joints, which makes no energy.
static cairn_status close_drift(kick* now)
{
    enum { most_closings = 4 };
    const double closed = 1e-8, least_progress = 0.25, most_gain = 0.02;
    cairn_arena* arena = now->span->arena;
    size_t rows = (size_t)now->problem->row_count;
    double* b = CAIRN_TAKE(arena, double, rows);
    double* lambda = CAIRN_TAKE(arena, double, rows);
    now->gaps = CAIRN_TAKE_ZEROED(arena, double, rows);
    now->ahead = CAIRN_TAKE(arena, cairn_transform, now->span->island->body_count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    memcpy(b, now->problem->b, rows * sizeof *b);
    memcpy(lambda, now->lambda, rows * sizeof *lambda);

    double worst = measure_drift(now), allowed = (1.0 + most_gain) * kinetic(now);
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < most_closings && worst > closed; k++) {
        for (size_t r = 0; r < rows; r++)
            now->problem->b[r] += now->gaps[r] / now->span->h;
        aim(now, largest(now->problem));
        cairn_articulated_finish(now->all, now->lambda);
        now->sweeps = 0;
        status = sweep(now);
        if (status != CAIRN_OK)
            return status;
        double last = worst;
        worst = measure_drift(now);
        if (!(worst <= fmax(least_progress * last, closed)) || kinetic(now) > allowed)
            return take_back(now, b, lambda);
    }
    return CAIRN_OK;
}

// whether the drift of this kick is to close the joints
static bool closes(const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    return span->phase == CAIRN_PHASE_DRIFT && def->integrator == CAIRN_INTEGRATOR_LEAPFROG &&
           def->stabilization == CAIRN_STABILIZE_POSITIONS &&
           span->island->touch_count <= few_contacts;
}

cairn_status cairn_jointed_sweep(const cairn_span* span, cairn_problem* problem, double* lambda,
                                 cairn_judged* judged, bool* solved)
{
    *solved = false;
    cairn_articulated* all = cairn_articulated_make(problem, span->arena);
    if (span->arena->failed)
        return CAIRN_NO_MEMORY;
    bool net = all && all->loop_count > 0 && span->island->touch_count == 0;
    if (!all || net || !cairn_articulated_factor(all))
        return CAIRN_OK;
    memcpy(lambda, problem->warm, (size_t)problem->row_count * sizeof *lambda);
    cairn_articulated_start(all, lambda);

    // how far
    bool few = span->island->touch_count <= few_contacts;
    kick now = {.span = span, .problem = problem, .all = all, .lambda = lambda, .few = few};
    aim(&now, few ? largest(problem) : judged->scale);
    now.tight_sweeps = few ? 32 : 16;
    now.most_sweeps = few && all->loop_count == 0 ? 96 : few ? 24 : 64;
    now.stop = cairn_stop_after(cairn_clock(), cairn_island_time(span), NULL);

    cairn_status status = sweep(&now);
    bool met = now.measured.velocity <= now.asked;
    if (status == CAIRN_OK && closes(span) && all->loop_count == 0 && met)
        status = close_drift(&now);
    judged->residual = now.measured.velocity;
    judged->scale = fmax(judged->scale, largest(problem));
    judged->late = now.late;

    // what small islands have not reached is for a more exact method, which goes on from here
    bool enough = judged->residual <= now.asked || now.late || !few;
    *solved = enough && isfinite(judged->residual);
    if (!*solved && isfinite(judged->residual))
        memcpy(problem->warm, lambda, (size_t)problem->row_count * sizeof *lambda);
    return status;
}

cairn_status cairn_jointed_newton(const cairn_span* span, cairn_problem* problem, double* lambda,
                                  cairn_judged* judged, bool* solved)
{
    *solved = false;
    cairn_few_bodies* all = cairn_few_bodies_make(problem, span->arena);
    if (span->arena->failed)
        return CAIRN_NO_MEMORY;
    if (!all)
        return CAIRN_OK;
    memcpy(lambda, problem->warm, (size_t)problem->row_count * sizeof *lambda);

    double asked = cairn_island_tolerance(span) * largest(problem);
    double tight = fmin(asked, tight_tolerance * cairn_island_fastest(span));
    cairn_stop stop =
        cairn_stop_after(cairn_clock(), cairn_island_time(span), cairn_world_flag(span->world));
    *solved = cairn_few_bodies_solve(all, lambda, tight, asked, &stop);
    cairn_world_spend(span->world, (double)(all->iterations + 1) * problem->row_count);
    if (!*solved)
        return cairn_world_poll(span->world);
    cairn_residual measured;
    cairn_status status =
        cairn_residual_measure(&measured, problem, lambda, CAIRN_LAW_AS_GIVEN, 0, span->arena);
    judged->residual = measured.velocity;
    *solved = measured.velocity <= asked;
    return status;
}
