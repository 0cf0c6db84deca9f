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
// polished by Newton's method until the friction opposes the slip exactly (dantzig_polish.c).
//
// With friction, rows one after the other may go round in circles, the more the larger a problem
// is. Many contacts are therefore pivoted in blocks, with limits of friction that are held while
// states change (dantzig_blocks.c), and so are few ones whose rows lead to no answer. When that
// fails, other orders of few rows are tried, and then another method goes on from the best answer.
// The report names whatever gave the answer in place of pivoting.
//
// Friction laws: cones, ellipses and ellipsoids (three friction rows) are balls after scaling; a
// box is one interval per axis; a pyramid is solved as its cone, which the report names; a user's
// own set is left to another method.

#include "solve/pivot/dantzig.h"
#include <string.h>

enum {
    most_orders = 6,
    few_rows = 150,        // with friction: established one after the other
    largest_polish = 3000, // a dense matrix
};

// rows count as independent above these pivots, order by order: nearly dependent contacts may need
// each other
static const double pivots_of_orders[most_orders] = {1e-9, 1e-9, 1e-11, 1e-12, 1e-13, 1e-13};

// a residual above this is worth Newton's method, unless it is well below the tolerance
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
    bool stuck;      // rows one after the other did not come to an end
    bool in_blocks;  // block pivoting was tried
    bool polished;   // the best impulses are those of Newton's method
    bool blocks_won; // they are those of block pivoting
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
        summary->blocks_won = false;
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

// Whether there is friction, and no other than block pivoting knows. Without friction rows one
// after the other are sure to end, with exact zeros, however badly conditioned the problem is.
static bool fits_blocks(const cairn_problem* problem)
{
    bool any = false;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        any = any || (block->kind == CAIRN_BLOCK_CONTACT && block->row_count > 1 &&
                      block->friction.kind != CAIRN_FRICTION_NONE && block->friction.mu[0] > 0.0);
    }
    return any && !has_kind(problem, CAIRN_FRICTION_BOX) &&
           !has_kind(problem, CAIRN_FRICTION_SLIDING);
}

// block pivoting from the start of the job, whose impulses it changes
static cairn_status pivot_in_blocks(cairn_job* job, attempt_summary* summary, bool* done)
{
    cairn_residual residual;
    cairn_arena_mark mark = cairn_arena_here(job->arena);
    cairn_status status = cairn_dantzig_blocks(job, done);
    summary->in_blocks = true;
    if (status != CAIRN_OK)
        return status;

    cairn_job_done(job, job->lambda, &residual);
    cairn_arena_release(job->arena, mark);
    summary->late = cairn_job_stopped(job);
    if (residual.relative < summary->residual) {
        summary->residual = residual.relative;
        summary->polished = false;
        summary->blocks_won = true;
        memcpy(summary->best, job->lambda, (size_t)job->problem->row_count * sizeof(double));
    }
    return CAIRN_OK;
}

// Newton's method from where the rows were left
static cairn_status polish(cairn_dantzig* d, attempt_summary* summary, bool* done)
{
    double error;
    if (d->n > largest_polish)
        return CAIRN_OK;
    cairn_status status = cairn_dantzig_polish(d, &error);
    bool pivoted = *done;
    if (status == CAIRN_OK)
        *done = keep_best(d, summary, !pivoted) || pivoted;
    summary->late = cairn_job_stopped(d->job);
    return status;
}

// one order of the rows and Newton's method; blocks of contacts once, where the rows do not come to
// an end or Newton's method not to the law
static cairn_status attempt(cairn_dantzig* d, attempt_summary* summary, int order, bool* done)
{
    bool warm = order == 0 && d->job->def->warm_start && d->job->problem->warm;
    cairn_dantzig_result result = cairn_dantzig_establish(d, warm);

    if (result == CAIRN_DANTZIG_RAY)
        keep_ray(d, summary);

    summary->stuck = result == CAIRN_DANTZIG_STUCK;
    *done = keep_best(d, summary, false);

    // an answer well below the tolerance needs no polish
    summary->late = cairn_job_stopped(d->job);
    double enough = fmax(polished_residual, cairn_dantzig_well_below * d->job->def->tolerance);
    if (summary->late || (*done && summary->last <= enough))
        return CAIRN_OK;

    // Newton's method on the cones, unless pivoting was stuck
    cairn_status status = CAIRN_OK;
    if (!summary->stuck)
        status = polish(d, summary, done);
    if (status != CAIRN_OK || *done || summary->late)
        return status;

    // blocks of contacts, once in a solve
    if (!summary->in_blocks && fits_blocks(d->job->problem))
        status = pivot_in_blocks(d->job, summary, done);

    if (status != CAIRN_OK || *done || summary->late || !summary->stuck)
        return status;
    return polish(d, summary, done);
}

// another method goes on from the best impulses; they stay when it does not do better
static cairn_status delegate(cairn_job* job, attempt_summary* summary, cairn_error* error)
{
    static const char* const others[] = {"exact", "prox", "pgs"};
    const cairn_report own = *job->report;
    const char* rescuer = own.rescued_by;
    size_t bytes = (size_t)job->problem->row_count * sizeof(double);

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cairn_residual residual;
        if (!cairn_method_find(others[i]))
            continue;

        cairn_status status = cairn_job_delegate(job, others[i], error);
        if (status == CAIRN_NO_MEMORY)
            return status;

        // solved: the report is that of the other method, with the work of both
        if (status == CAIRN_OK && cairn_job_done(job, job->lambda, &residual)) {
            job->report->iterations += own.iterations;
            job->report->factorizations += own.factorizations;
            return CAIRN_OK;
        }

        if (status == CAIRN_OK && residual.relative < summary->residual) {
            summary->residual = residual.relative;
            memcpy(summary->best, job->lambda, bytes);
            rescuer = others[i];
        }

        memcpy(job->lambda, summary->best, bytes);
        *job->report = own;
        job->report->rescued_by = rescuer;

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

    // a ray counts where the slip is given, or where it proves that there is no solution
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
    return delegate(job, summary, error);
}

// rows one after the other, in several orders
static cairn_status solve_rows(cairn_job* job, attempt_summary* summary, cairn_error* error)
{
    cairn_dantzig d;
    cairn_status status = cairn_dantzig_setup(&d, job);
    int* rank = CAIRN_TAKE(job->arena, int, job->problem->row_count);
    if (status != CAIRN_OK || !rank)
        return CAIRN_NO_MEMORY;

    cairn_random random = {job->def->seed};
    cairn_report* report = job->report;
    int orders = 0;
    bool done = false;

    // each order has a limit of pivots and a least pivot of its own
    while (!done && orders < most_orders && status == CAIRN_OK && !summary->late) {
        int per_row = job->def->max_iterations ? job->def->max_iterations : 200 + 2 * d.n;
        d.limit = d.pivots + per_row;
        d.least_pivot = pivots_of_orders[orders];
        set_order(&d, rank, orders, &random);
        status = attempt(&d, summary, orders, &done);
        orders++;
    }

    report->pivots += d.pivots;
    report->factorizations += d.factorizations;
    report->iterations += d.drives;
    if (status != CAIRN_OK)
        return status;
    if (!done)
        return fall_back(&d, summary, orders, error);

    // the note tells what it took
    report->outcome = CAIRN_OUTCOME_CONVERGED;
    memcpy(job->lambda, summary->best, (size_t)d.n * sizeof(double));
    if (summary->polished)
        report->rescued_by = "polish";
    if (summary->stuck && summary->polished)
        cairn_job_note(job, "pivoting did not end; Newton's method on the cones went on from it");
    else if (summary->blocks_won)
        cairn_job_note(job, "rows one after the other led to no answer, blocks of contacts did");
    else if (orders > 1)
        cairn_job_note(job, "solved in the %d. order of the rows", orders);
    else if (d.give_ups)
        cairn_job_note(job, "%d rows were given up and established again", d.give_ups);
    return CAIRN_OK;
}

// blocks of contacts; where that fails, another method
static cairn_status solve_blocks(cairn_job* job, attempt_summary* summary, cairn_error* error)
{
    bool done;
    cairn_status status = pivot_in_blocks(job, summary, &done);
    if (status != CAIRN_OK)
        return status;
    if (done || summary->late) {
        job->report->outcome = done ? CAIRN_OUTCOME_CONVERGED : CAIRN_OUTCOME_TIME_LIMIT;
        return CAIRN_OK;
    }
    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    cairn_job_note(job, "block pivoting left a residual of %.1e; another method went on",
                   summary->residual);
    return delegate(job, summary, error);
}

cairn_status cairn_method_dantzig(cairn_job* job, cairn_error* error)
{
    const cairn_problem* problem = job->problem;

    // laws that pivoting does not know
    if (has_kind(problem, CAIRN_FRICTION_CUSTOM)) {
        cairn_job_note(job, "dantzig knows no user's friction set; prox took over");
        return cairn_job_delegate(job, "prox", error);
    }
    if (has_kind(problem, CAIRN_FRICTION_PYRAMID)) {
        job->report->law = CAIRN_LAW_COULOMB;
        cairn_job_note(job, "pyramids were solved as the cones around them");
    }

    attempt_summary summary = {.residual = INFINITY,
                               .best = CAIRN_TAKE_ZEROED(job->arena, double, problem->row_count),
                               .ray_direction =
                                   CAIRN_TAKE_ZEROED(job->arena, double, problem->row_count)};
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    bool many = problem->row_count > few_rows && fits_blocks(problem);
    return many ? solve_blocks(job, &summary, error) : solve_rows(job, &summary, error);
}
