// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One substep of an island without contacts: kick, drift, kick (leapfrog, RATTLE). With η = h/2,
// rows J_n and masses at the place q_n,
//
//     kick     x = η c (damping), φ = x/(1 - e^-x), M = φ M_0,
//              u = e^-x v + M^-1 (η f + G + J_n^T λ)
//     drift    q_{n+1} from q_n by u,    λ such that the joints are closed there: γ(q_{n+1}) = 0
//     kick     v_{n+1} = e^-x u + M^-1 (η f + G + J_{n+1}^T μ),     J_{n+1} v_{n+1} = 0
//
// λ starts from μ of the substep before and is found with the factor at q_n alone:
//
//     A_n δ = -γ/h,    λ += δ.
//
// The factor of the end kick is that of the next start. Second order, symplectic, momentum exact.
//
// A jointed body with two equal moments I_t and the third I_s about e drifts so that e moves on a
// great circle and the spin s about it stays; what free rotation has beyond it is the gyroscopic
// impulse in each kick,
//
//     G = η I_s s e x ω,    ω the mean of before and after, s = ω·e,    G·ω = 0,
//
// which is iterated together with λ. In the drift it would make a fast axis deaf to kicks.
//
// Sources: Andersen 1983 (RATTLE); Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1.

#include "world/step/leapfrog.h"
#include "problem/natural_map.h"
#include <string.h>

enum {
    most_closings = 8,
    most_sets = 8,
    most_spins = 12,
    most_projections = 30,
    most_idle = 4,
    most_tries = 8,
    most_locked = 5, // projections of a net that is locked,
    few_tries = 4
};
static const double least_progress = 0.5;       // of the error, in one iteration
static const double spin_share = 0.1;           // of h Δω counts as an error of position
static const double spin_tolerance = 1e-9;      // m: of G in the end kick
static const double residual_tolerance = 1e-10; // relative, of the end kick before it is refined
static const double closing_accuracy = 1e-4;    // of a solve with a net: drifts tell the rest
static const double good_start = 1e-8;          // relative, of a net: it needs no solve
static const double locked_gap = 1e-6;          // m, rad: at which they end,
static const double widest_locked = 1e-5;       // and what will do
static const double enough_share = 0.01;        // of the tolerance: closings of nets go no further

// ---------------------------------------------------------------- kicks and drifts

static void kick(cairn_flight* all, double eta)
{
    cairn_vec3 gravity = all->span->world->def.gravity;
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];
        const cairn_body* body = mover->body;
        cairn_drag drag = cairn_mover_drag(all, i);

        cairn_vec3 pull = cairn_scale(body->gravity_scale / drag.phi_v, gravity);
        all->before[i] = mover->u;
        mover->gyration = cairn_vec(0.0, 0.0, 0.0);

        // u = e^-x v + M^-1 η f
        mover->u.v = cairn_add_scaled(cairn_scale(drag.keep_v, mover->u.v), eta,
                                      cairn_add_scaled(pull, mover->inverse_mass, body->force));
        mover->u.w = cairn_scale(drag.keep_w, mover->u.w);

        if (cairn_dot(body->torque, body->torque) > 0.0)
            mover->u.w = cairn_add_scaled(mover->u.w, eta,
                                          cairn_mat3_apply(mover->inverse_inertia, body->torque));
    }
}

static double moment_about(const cairn_mover* mover)
{
    return mover->axis == 0   ? mover->moments.x
           : mover->axis == 1 ? mover->moments.y
                              : mover->moments.z;
}

// brings the gyroscopic impulses in line with the velocities; returns by how much these change
static double gyrate(cairn_flight* all, double eta)
{
    double most = 0.0;
    for (int i = 0; i < all->body_count && all->gyric; i++) {
        cairn_mover* mover = &all->movers[i];

        if (mover->axis < 0)
            continue;

        // G = η I_s s e x ω with the mean of the velocities before and after
        cairn_vec3 e = cairn_axis_of(mover->at.q, mover->axis);
        cairn_vec3 mean = cairn_scale(0.5, cairn_add(all->before[i].w, mover->u.w));
        double size = eta * moment_about(mover) * cairn_dot(mean, e);
        cairn_vec3 G = cairn_scale(size, cairn_cross(e, mean));
        cairn_vec3 change = cairn_mat3_apply(mover->inverse_inertia, cairn_sub(G, mover->gyration));

        mover->gyration = G;
        mover->u.w = cairn_add(mover->u.w, change);
        most = fmax(most, cairn_norm(change));
    }
    return most;
}

static void drift(cairn_flight* all, double h)
{
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        cairn_transform at = mover->at;
        cairn_vec3 w = mover->u.w;
        at.p = cairn_add_scaled(at.p, h, mover->u.v);
        if (mover->axis >= 0)
            cairn_turn_axis(&at.q, &w, mover->axis, h);
        else
            cairn_rotate_freely(&at.q, &w, mover->moments, h);
        all->next_at[i] = at;
        all->next_w[i] = w;
    }
}

static void add_delta(cairn_flight* all, double* lambda)
{
    for (int r = 0; r < all->row_count; r++)
        lambda[r] += all->delta[r];
    cairn_flight_push(all, all->delta);
}

// ---------------------------------------------------------------- the substep

// iterates the impulses until the drift of h seconds closes the joints
static bool close_drift(cairn_flight* all, double h)
{
    double last = INFINITY;
    int sets = 0;
    all->rate = 0.0;

    for (int k = 0; k <= most_closings; k++) {
        double spun = gyrate(all, 0.5 * h);
        drift(all, h);

        double worst = cairn_flight_errors(all, h);
        if (k > 0)
            worst = cairn_worst(worst, spin_share * h * spun);
        if (!(worst < INFINITY))
            return false;

        // the joints are closed: done, unless the drift shows a limit or motor to be wrong
        if (worst <= all->tolerance && (k > 0 || !all->gyric)) {
            all->gap = worst;
            if (!cairn_free_revise(all, all->lambda, h))
                return true;

            // solve again with the set of limits and motors that the drift asks for
            all->decided = true;
            bool solved = ++sets <= most_sets && cairn_free_solve(all, all->lambda, h);
            all->decided = false;
            if (!solved)
                return false;
            last = INFINITY;
            k = -1;
            continue;
        }

        // no progress: rows that nearly repeat each other come no closer
        if (k >= 2 && worst > least_progress * last) {
            all->gap = worst;
            return worst <= all->acceptable && !cairn_free_revise(all, all->lambda, h);
        }

        if (k > 0)
            all->rate = fmax(all->rate, worst / last);
        last = worst;

        // one more iteration with the factor of the start: A δ = -γ/h
        all->enough = enough_share * all->tolerance / h;
        cairn_flight_solve(all, closing_accuracy);
        all->enough = 0.0;
        add_delta(all, all->lambda);
    }

    return false;
}

static bool first_kick(cairn_flight* all, double h)
{
    cairn_flight_weigh(all, 0.5 * h);
    cairn_free_start(all, h);
    kick(all, 0.5 * h);
    bool warm = all->warm > 0.0 && !all->extra;
    for (int r = 0; r < all->row_count; r++)
        all->lambda[r] = warm ? all->mu[r] * (h / all->warm) : 0.0;
    if (!warm)
        return cairn_free_solve(all, all->lambda, h);
    cairn_flight_push(all, all->lambda);
    return cairn_flight_factor(all);
}

static void push_springs(cairn_flight* all)
{
    for (int i = 0; i < all->link_count && all->extra; i++) {
        const cairn_tie* tie = &all->ties[i];
        if (tie->more && tie->more->extra && tie->more->free.spring != 0.0)
            cairn_flight_push_free(all, tie, tie->more->free.spring);
    }
}

// Whether the impulses of the first kick are also those of the second, as of a net that hangs at
// rest: then it needs no solve, and no factor (round-off that kicks pile up asks for one in some
// hundred steps). Other nets start from zero: along combinations of joints that move next to
// nothing impulses would pile up as well.
static bool goes_on(cairn_flight* all)
{
    double scale = cairn_flight_miss(all, all->lambda);
    cairn_flight_push(all, all->lambda);
    if (cairn_flight_miss(all, all->lambda) <= good_start * scale) {
        all->scale = scale;
        return true;
    }
    for (int r = 0; r < all->row_count; r++)
        all->lambda[r] = -all->lambda[r];
    cairn_flight_push(all, all->lambda);
    return false;
}

static bool end_kick(cairn_flight* all, double h)
{
    double eta = 0.5 * h;

    cairn_flight_weigh(all, eta);
    cairn_free_end(all, h);
    kick(all, eta);
    push_springs(all);

    // a net at rest keeps the multipliers of the first kick; all others solve from zero
    bool solved = cairn_flight_is_net(all) && !all->extra && goes_on(all);
    if (!solved) {
        memset(all->lambda, 0, (size_t)all->row_count * sizeof *all->lambda);
        if (!cairn_free_solve(all, all->lambda, 0.0))
            return false;
    }

    // iterate the gyroscopic impulses together with the multipliers
    double scale = all->scale;
    for (int k = 0; k < most_spins && all->gyric; k++) {
        double spun = gyrate(all, eta);
        if (spun > 0.0 && !cairn_free_solve(all, all->lambda, 0.0))
            return false;
        if (spin_share * h * spun < spin_tolerance)
            break;
    }

    all->scale = scale;
    all->residual = cairn_flight_miss(all, all->lambda);

    // one step of iterative refinement where the residual is too large
    if (all->residual > (cairn_flight_is_net(all) ? good_start : residual_tolerance) * all->scale) {
        cairn_flight_solve(all, cairn_kick_accuracy);
        add_delta(all, all->lambda);
        all->residual = cairn_flight_miss(all, all->lambda);
    }

    return all->residual < INFINITY;
}

cairn_refusal cairn_flight_substep(cairn_flight* all, double h)
{
    double eta = 0.5 * h;
    all->ledger = (cairn_ledger){0.0, 0.0, 0.0};
    all->arrived = false;

    // kick and drift, with multipliers that close the joints at the end
    if (!first_kick(all, h) || !close_drift(all, h))
        return CAIRN_DIVERGED;
    cairn_free_divide(all, all->lambda);
    cairn_flight_book(all, all->lambda, eta);
    cairn_flight_react(all, all->lambda);

    // kick at the end, with multipliers that stop the joints' velocities
    all->time += h;
    cairn_flight_arrive(all);
    if (!end_kick(all, h))
        return CAIRN_DIVERGED;
    cairn_free_divide(all, all->lambda);
    cairn_flight_book(all, all->lambda, eta);
    cairn_flight_react(all, all->lambda);

    cairn_flight_measure(all, all->lambda, eta);
    return CAIRN_TAKEN;
}

// ---------------------------------------------------------------- projections

static void let_go(cairn_flight* all)
{
    for (int i = 0; i < all->link_count && all->extra; i++)
        if (all->ties[i].more && all->ties[i].more->extra)
            all->ties[i].more->free.mode = CAIRN_FREE_OFF;
}

bool cairn_flight_project(cairn_flight* all)
{
    let_go(all);
    cairn_flight_weigh(all, 0.0);
    if (!cairn_flight_factor(all))
        return false;
    for (int k = 0; k < 2; k++) {
        cairn_flight_miss(all, all->lambda);
        cairn_flight_solve(all, cairn_kick_accuracy);
        cairn_flight_push(all, all->delta);
    }
    all->warm = 0.0;
    return true;
}

// moves the bodies by M^-1 J^T δ
static void displace(cairn_flight* all)
{
    for (int i = 0; i < all->body_count; i++) {
        all->before[i] = all->movers[i].u;
        all->movers[i].u = (cairn_twist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    cairn_flight_push(all, all->delta);
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];
        mover->at.p = cairn_add(mover->at.p, mover->u.v);
        mover->at.q =
            cairn_quat_normalize(cairn_quat_multiply(cairn_turn_by(mover->u.w), mover->at.q));
        mover->u = all->before[i];
    }
}

bool cairn_flight_close(cairn_flight* all)
{
    double best = INFINITY;
    bool net = cairn_flight_is_net(all);
    int idle = 0, most = net ? most_locked : most_projections, patience = net ? 1 : most_idle;

    // project the positions until the joints are closed or progress ends
    for (int k = 0; k < most && idle < patience; k++) {
        cairn_flight_place(all);
        cairn_free_positions(all);
        double worst = cairn_flight_gaps(all);
        if (worst <= all->tolerance)
            return true;

        idle = worst > least_progress * best ? idle + 1 : 0;
        best = fmin(best, worst);

        cairn_flight_weigh(all, 0.0);
        if (!(worst < INFINITY) || !cairn_flight_factor(all))
            return false;
        cairn_flight_solve(all, closing_accuracy);
        displace(all);
    }

    cairn_flight_place(all);
    cairn_free_positions(all);
    return cairn_flight_gaps(all) <= all->acceptable;
}

// ---------------------------------------------------------------- the last resort

// A locked net: the closest place of a few projections. Each leaves out what hardly moves, so that
// joints may stay open along it.
static bool close_locked(cairn_flight* all)
{
    cairn_arena_mark mark = cairn_arena_here(all->span->arena);
    cairn_transform* closest = CAIRN_TAKE(all->span->arena, cairn_transform, all->body_count);
    all->no_memory = all->no_memory || !closest;

    double least = INFINITY;
    for (int k = 0; k <= most_locked && !all->no_memory; k++) {
        cairn_flight_place(all);
        cairn_free_positions(all);
        double worst = cairn_flight_gaps(all);

        // progress has ended: stay at the closest place
        if (!(worst < least_progress * least)) {
            for (int i = 0; i < all->body_count && !(worst < least); i++)
                all->movers[i].at = closest[i];
            break;
        }

        least = worst;
        if (worst <= locked_gap || k == most_locked)
            break;

        for (int i = 0; i < all->body_count; i++)
            closest[i] = all->movers[i].at;
        cairn_flight_weigh(all, 0.0);
        if (!cairn_flight_factor(all))
            break;
        cairn_flight_solve(all, closing_accuracy);
        displace(all);
    }

    cairn_flight_place(all);
    cairn_free_positions(all);
    cairn_arena_release(all->span->arena, mark);
    return !all->no_memory && cairn_flight_gaps(all) <= widest_locked;
}

// stops all bodies, where the substep began (`from`) or where they are
static void stand_still(cairn_flight* all, const cairn_transform* from)
{
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];
        mover->at = from ? from[i] : mover->at;
        mover->u = (cairn_twist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    cairn_flight_place(all);
}

bool cairn_flight_dissipate(cairn_flight* all, double h)
{
    cairn_arena_mark mark = cairn_arena_here(all->span->arena);
    cairn_transform* from = CAIRN_TAKE(all->span->arena, cairn_transform, all->body_count);
    cairn_twist* moving = CAIRN_TAKE(all->span->arena, cairn_twist, all->body_count);
    all->ledger = (cairn_ledger){0.0, 0.0, 0.0};
    all->no_memory = all->no_memory || all->span->arena->failed;
    if (all->no_memory)
        return false;

    // velocities after h seconds, with the rows of the start
    cairn_flight_weigh(all, h);
    cairn_free_whole(all, h);
    kick(all, h);
    memset(all->lambda, 0, (size_t)all->row_count * sizeof *all->lambda);
    bool solved = cairn_free_solve(all, all->lambda, h);
    if (solved)
        cairn_flight_react(all, all->lambda);

    for (int i = 0; i < all->body_count; i++) {
        from[i] = all->movers[i].at;
        moving[i] = all->movers[i].u;
    }

    // drift as far as the joints can be closed
    bool closed = false;
    double share = 1.0;
    all->time += h;
    int tries = all->locked ? few_tries : most_tries;
    double less = all->locked ? 0.25 : 0.5;
    for (int k = 0; k < tries && solved && !closed; k++, share *= less) {
        if (all->locked && k + 1 == tries)
            share = 0.0;
        for (int i = 0; i < all->body_count; i++) {
            all->movers[i].at = from[i];
            all->movers[i].u = moving[i];
        }
        drift(all, share * h);
        for (int i = 0; i < all->body_count; i++) {
            all->movers[i].at = all->next_at[i];
            all->movers[i].u.w = all->next_w[i];
        }
        closed = (all->locked ? close_locked(all) : cairn_flight_close(all)) &&
                 cairn_flight_project(all);
    }

    if (!closed)
        stand_still(all, all->locked && solved ? NULL : from);

    memcpy(all->next_at, from, (size_t)all->body_count * sizeof *from);
    all->warm = 0.0;
    cairn_arena_release(all->span->arena, mark);
    return closed;
}
