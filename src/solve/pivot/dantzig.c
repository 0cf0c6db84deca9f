// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dantzig's method for contact forces with friction, after Baraff, "Fast contact force computation
// for nonpenetrating rigid bodies", SIGGRAPH 1994. One row after the other is brought to its
// condition while those before it keep theirs:
//
//     v = A λ + b;   normal 0 <= v ⟂ λ >= 0;   bounds lo <= λ <= hi;
//     friction at rest |λ_F| <= μ λ_N;   friction that slides λ_F = μ λ_N u;   known slip u = -slip
//
// Exact up to round-off after about one pivot per row without friction; each pivot is O(n²). The
// published law of sliding friction in space asks only for partial opposition, so the answer is
// polished by Newton's method until the friction opposes the slip exactly (dantzig_polish.c). When
// an order of the rows fails, others are tried; when all fail, an iterative method goes on from the
// best answer. All of that is said in the report.
//
// Friction laws: cones, ellipses and ellipsoids (three friction rows) are balls after scaling; a
// box is one interval per axis; a pyramid is solved as its cone, which the report names; a user's
// own set is left to another method. Not for thousands of contacts: the work grows with the cube.

#include "solve/pivot/dantzig.h"
#include <string.h>

enum { most_orders = 6, largest_polish = 3000 };

// rows count as independent above these pivots, order by order: nearly dependent contacts may need
// each other
static const double pivots_of_orders[most_orders] = {1e-9, 1e-9, 1e-11, 1e-12, 1e-13, 1e-13};

// a residual above this is worth Newton's method, whatever the tolerance
static const double polished_residual = 1e-10;

// |λ| >= strength max |b| is what a ray must prove before no solution is said to exist
static const double least_strength = 1e10;

typedef struct attempt_summary {
    double residual; // of the best impulses so far
    double* best;    // those impulses
    double last;     // residual of the newest impulses
    bool ray;        // some order ended in a ray
    double* ray_direction;
    double ray_strength;
    bool stuck;    // pivoting did not come to an end
    bool polished; // the best impulses are those of Newton's method
    bool late;
} attempt_summary;

static bool has_kind(const cairn_problem* problem, cairn_friction_kind kind)
{
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind == CAIRN_BLOCK_CONTACT &&
            problem->blocks[c].friction.kind == kind)
            return true;
    return false;
}

// worst first, then last to first, then at random
static void set_order(cairn_dantzig* d, int* rank, int attempt, cairn_random* random)
{
    d->order = attempt == 0 ? NULL : rank;
    for (int i = 0; i < d->n; i++)
        rank[i] = i;
    for (int i = d->n - 1; i > 0 && attempt > 1; i--) {
        int j = cairn_random_index(random, i + 1);
        int x = rank[i];
        rank[i] = rank[j];
        rank[j] = x;
    }
}

// keeps the impulses of d->f when they are the best so far; true when they are good enough
static bool keep_best(cairn_dantzig* d, attempt_summary* summary, bool polished)
{
    cairn_residual residual;
    cairn_dantzig_unscale(d, d->fresh, d->f);
    bool done = cairn_job_done(d->job, d->fresh, &residual);
    summary->last = residual.relative;
    if (residual.relative < summary->residual) {
        summary->residual = residual.relative;
        summary->polished = polished;
        memcpy(summary->best, d->fresh, (size_t)d->n * sizeof(double));
    }
    return done;
}

// keeps the first ray z. Every f >= 0 with A f + b >= 0 has f·(A z) >= -b·z, so |f|_1 is at least
// -b·z / max |A z|: the strength of the ray, in units of max |b|
static void keep_ray(cairn_dantzig* d, attempt_summary* summary)
{
    if (summary->ray)
        return;
    summary->ray = true;
    cairn_dantzig_unscale(d, summary->ray_direction, d->df);
    cairn_dantzig_apply(d, d->da, d->df);
    double value = 0.0, effect = 0.0, size = 0.0;
    for (int i = 0; i < d->n; i++) {
        value -= d->df[i] * d->a[i];
        effect = fmax(effect, fabs(d->da[i]));
        size = fmax(size, fabs(d->b[i]));
    }
    summary->ray_strength = effect > 0.0 ? value / (effect * size) : INFINITY;
}

// one order of the rows, and Newton's method after it
static cairn_status attempt(cairn_dantzig* d, attempt_summary* summary, bool warm, bool* done)
{
    cairn_dantzig_result result = cairn_dantzig_establish(d, warm);
    if (result == CAIRN_DANTZIG_RAY)
        keep_ray(d, summary);
    summary->stuck = result == CAIRN_DANTZIG_STUCK;
    *done = keep_best(d, summary, false);
    summary->late = cairn_job_stopped(d->job);
    bool good = *done && summary->last <= polished_residual;
    if (good || summary->late || d->n > largest_polish)
        return CAIRN_OK;
    double error;
    cairn_status status = cairn_dantzig_polish(d, &error);
    bool pivoted = *done;
    if (status == CAIRN_OK)
        *done = keep_best(d, summary, !pivoted) || pivoted;
    return status;
}

// another method goes on from the best impulses; they stay when it does not do better
static cairn_status delegate(cairn_dantzig* d, attempt_summary* summary, cairn_error* error)
{
    static const char* const others[] = {"exact", "prox", "pgs"};
    cairn_job* job = d->job;
    const cairn_report own = *job->report;
    size_t bytes = (size_t)d->n * sizeof(double);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cairn_residual residual;
        if (!cairn_method_find(others[i]))
            continue;
        cairn_status status = cairn_job_delegate(job, others[i], error);
        if (status == CAIRN_NO_MEMORY)
            return status;
        if (status == CAIRN_OK && cairn_job_done(job, job->lambda, &residual))
            return CAIRN_OK;
        if (status == CAIRN_OK && residual.relative < summary->residual) {
            summary->residual = residual.relative;
            memcpy(summary->best, job->lambda, bytes);
        }
        memcpy(job->lambda, summary->best, bytes);
        *job->report = own;
        if (cairn_job_stopped(job)) {
            job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            break;
        }
    }
    return CAIRN_OK;
}

// what remains when no order has led to an answer
static cairn_status fall_back(cairn_dantzig* d, attempt_summary* summary, int orders,
                              cairn_error* error)
{
    cairn_job* job = d->job;
    bool sliding = has_kind(job->problem, CAIRN_FRICTION_SLIDING);
    bool proven = d->group_total == 0 && summary->ray_strength >= least_strength;
    memcpy(job->lambda, summary->best, (size_t)d->n * sizeof(double));
    if (summary->late) {
        job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
        return CAIRN_OK;
    }
    if (summary->ray && (sliding || proven)) {
        job->report->outcome = sliding ? CAIRN_OUTCOME_RAY : CAIRN_OUTCOME_NO_SOLUTION;
        if (job->def->ray)
            memcpy(job->def->ray, summary->ray_direction, (size_t)d->n * sizeof(double));
        cairn_job_note(job,
                       sliding ? "no finite impulses were found in %d orders of the rows"
                               : "impulses without effect press on rows that still approach (%d "
                                 "orders of the rows)",
                       orders);
        return CAIRN_OK;
    }
    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    cairn_job_note(job, "%d orders of the rows left a residual of %.1e; another method went on",
                   orders, summary->residual);
    return delegate(d, summary, error);
}

static cairn_status solve(cairn_dantzig* d, cairn_error* error)
{
    cairn_job* job = d->job;
    int* rank = CAIRN_TAKE(job->arena, int, d->n);
    attempt_summary summary = {.residual = INFINITY,
                               .best = CAIRN_TAKE_ZEROED(job->arena, double, d->n),
                               .ray_direction = CAIRN_TAKE_ZEROED(job->arena, double, d->n)};
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;
    cairn_random random = {job->def->seed};
    int orders = 0;
    bool done = false, warm = job->def->warm_start && job->problem->warm;
    cairn_status status = CAIRN_OK;
    while (!done && orders < most_orders && status == CAIRN_OK && !summary.late) {
        int per_row = job->def->max_iterations ? job->def->max_iterations : 200 + 2 * d->n;
        d->limit = d->pivots + per_row;
        d->least_pivot = pivots_of_orders[orders];
        set_order(d, rank, orders, &random);
        status = attempt(d, &summary, warm && orders == 0, &done);
        orders++;
    }
    job->report->pivots = d->pivots;
    job->report->factorizations = d->factorizations;
    job->report->iterations = d->drives;
    if (status != CAIRN_OK)
        return status;
    if (!done)
        return fall_back(d, &summary, orders, error);
    job->report->outcome = CAIRN_OUTCOME_CONVERGED;
    memcpy(job->lambda, summary.best, (size_t)d->n * sizeof(double));
    if (summary.polished)
        job->report->rescued_by = "polish";
    if (summary.stuck)
        cairn_job_note(job, "pivoting did not end; Newton's method on the cones went on from it");
    else if (orders > 1)
        cairn_job_note(job, "solved in the %d. order of the rows", orders);
    else if (d->give_ups)
        cairn_job_note(job, "%d rows were given up and established again", d->give_ups);
    return CAIRN_OK;
}

cairn_status cairn_method_dantzig(cairn_job* job, cairn_error* error)
{
    if (has_kind(job->problem, CAIRN_FRICTION_CUSTOM)) {
        cairn_job_note(job, "dantzig knows no user's friction set; prox took over");
        return cairn_job_delegate(job, "prox", error);
    }
    if (has_kind(job->problem, CAIRN_FRICTION_PYRAMID)) {
        job->report->law = CAIRN_LAW_COULOMB;
        cairn_job_note(job, "pyramids were solved as the cones around them");
    }
    cairn_dantzig d;
    cairn_status status = cairn_dantzig_setup(&d, job);
    return status == CAIRN_OK ? solve(&d, error) : status;
}
