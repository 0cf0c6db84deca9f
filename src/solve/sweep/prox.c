// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// PROX schemes (Erleben 2017, corrected): iterate the proximal fixed point of the contact law,
// contact after contact (Gauss-Seidel) or all at once (Jacobi), for any convex friction set.
//
// The robust driver judges by the natural residual at fixed steps, never by |λ' - λ|, which any
// small step makes small:
//
//   - sweeps are undone when their natural residual has stayed above 1.5 times the best one for
//     five windows of ten; the steps of the blocks whose own residual grew are multiplied by ν.
//     Where sweeps crawl, steps grow again;
//   - between sweeps, Anderson's mixing extrapolates; when a mixed iterate makes the sweep's change
//     twice the smallest one, it is dropped and mixing starts anew;
//   - the best impulses by the certificate are returned.
//
// Contacts with cones go through vector registers (batch_solve.c), the rest through prox_step.c.
//
// Good for heaps of any friction law; slow, like every method of sweeps, on tall stacks and large
// mass ratios. In Painlevé's configurations there may be no contraction: the report then says so.

#include "solve/sweep/anderson.h"
#include "solve/sweep/batch_solve.h"
#include "solve/sweep/prox_published.h"
#include <string.h>

enum {
    default_sweeps = 50000,
    window = 10,            // sweeps between looks at the natural residual
    patience = 5,           // bad windows in a row before they are undone
    sweeps_before_mix = 16, // let the set of closed and sliding contacts settle first
    fast_round = 4,         // sweeps between mixings in the fast way
    stalled_sweeps = 2000,  // without progress, before batches give way to the robust driver
    single_patience = 48    // sweeps without progress that single precision is given
};

// relative residual that single precision is trusted with
static const double single_floor = 2e-5;

static const double reject_ratio = 1.5, mix_ratio = 2.0, growth = 1.1, most_growth = 1.3;

typedef struct solver {
    cairn_job* job;
    cairn_prox prox;
    cairn_batch_loop fast;
    bool use_fast;
    cairn_anderson mix;
    bool mixing;
    double* before; // iterate before the round
    double* kept;   // the image that mixing can go back to
    double kept_size;
    double* best_lambda; // best by the certificate
    double best;         // its relative residual
    double* safe_lambda; // best by the natural residual
    double safe;
    double* each; // natural residual per block, now and at `safe`
    double* safe_each;
    double* settled; // damping that the solve started with
    int crawling;    // windows without progress
    int worsening;   // windows in a row that were bad
    int sweeps, limit, next_check, rollbacks;
    double lowest; // least violation of a sweep in single precision, and when
    int lowest_at;
    double mark; // certified residual at the last progress, and when
    int mark_at;
    double scale; // max |b|
} solver;

static size_t bytes_of(const solver* s)
{
    return (size_t)s->job->problem->row_count * sizeof(double);
}

// the state follows job->lambda
static void load(solver* s)
{
    if (s->use_fast)
        cairn_batch_loop_restart(&s->fast);
    else
        cairn_prox_load(&s->prox);
}

static void advance(solver* s, int count)
{
    // mixing costs as much again
    cairn_job_spend(s->job, s->mixing ? 2.0 * count : count);
    for (int i = 0; i < count; i++) {
        s->sweeps++;
        if (s->use_fast)
            cairn_batch_loop_sweep(&s->fast, false, 0.0);
        else
            cairn_prox_sweep(&s->prox, false);
    }
}

// job->lambda follows the sweeps
static void store(solver* s)
{
    if (s->use_fast)
        cairn_batch_loop_store(&s->fast);
}

// measures job->lambda; true when the solve is over
static bool certify(solver* s)
{
    cairn_residual residual = {.relative = INFINITY, .fclib_relative = INFINITY};
    bool done = cairn_job_done(s->job, s->job->lambda, &residual);
    double measure = residual.relative;

    if (s->job->def->fclib)
        measure = fmax(measure, residual.fclib_relative);
    cairn_job_trace(s->job, s->sweeps, residual.relative);

    // the best impulses so far are what a solve that gives up returns
    if (measure < s->best || done) {
        s->best = measure;
        memcpy(s->best_lambda, s->job->lambda, bytes_of(s));
    }

    // the last sweep that gained a tenth: stalls count from here
    if (measure < 0.9 * s->mark) {
        s->mark = measure;
        s->mark_at = s->sweeps;
    }

    s->next_check = s->sweeps + (s->sweeps < 80 ? 8 : s->sweeps / 10);
    if (done)
        s->job->report->outcome = CAIRN_OUTCOME_CONVERGED;
    return done;
}

static bool late(solver* s)
{
    if (!cairn_job_stopped(s->job))
        return false;
    s->job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
    return true;
}

// ---------------------------------------------------------------- mixing

static void start_mixing(solver* s)
{
    const cairn_problem* problem = s->job->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* D = cairn_delassus_block(&s->job->A, c);
        int n = block->row_count;
        for (int i = 0; i < n; i++)
            s->mix.scale[block->row + i] = sqrt(fmax(D[n * i + i], 0.0));
    }
    s->mixing = true;
    s->kept_size = INFINITY;
}

// job->lambda is the image of `before`: keep it, or go back to the image kept; then extrapolate
static void mix_next(solver* s)
{
    double* lambda = s->job->lambda;
    double size = cairn_anderson_size(&s->mix, s->before, lambda);
    if (!(size <= mix_ratio * s->kept_size)) {
        memcpy(lambda, s->kept, bytes_of(s));
        cairn_anderson_forget(&s->mix);
        s->kept_size = INFINITY;
        s->rollbacks++;
        load(s);
        return;
    }

    if (size < s->kept_size || s->kept_size == INFINITY) {
        memcpy(s->kept, lambda, bytes_of(s));
        s->kept_size = size;
    }
    cairn_anderson_next(&s->mix, s->before, lambda);
    memcpy(lambda, s->before, bytes_of(s));
    load(s);
}

// ---------------------------------------------------------------- steps

// after a window: undo and damp, or go on; the state is true to job->lambda
static void judge(solver* s)
{
    const cairn_problem* problem = s->job->problem;
    double natural = cairn_prox_natural(&s->prox, s->each);
    s->worsening = natural > reject_ratio * s->safe ? s->worsening + 1 : 0;

    // undo: back to the safe impulses, with smaller steps where the residual grew
    if (s->worsening >= patience) {
        double nu = s->job->def->prox.nu > 0.0 ? s->job->def->prox.nu : 0.7;
        for (int c = 0; c < problem->block_count; c++)
            if (s->each[c] > s->safe_each[c])
                s->prox.damping[c] *= nu;

        memcpy(s->job->lambda, s->safe_lambda, bytes_of(s));
        cairn_prox_load(&s->prox);
        cairn_anderson_forget(&s->mix);
        s->kept_size = INFINITY;
        s->rollbacks++;
        s->crawling = s->worsening = 0;
        return;
    }

    // go on, and remember the best natural residual
    s->crawling = natural < 0.9 * s->safe ? 0 : s->crawling + 1;
    if (natural < s->safe) {
        s->safe = natural;
        memcpy(s->safe_lambda, s->job->lambda, bytes_of(s));
        memcpy(s->safe_each, s->each, (size_t)problem->block_count * sizeof(double));
    }

    // where sweeps crawl, steps grow again
    for (int c = 0; s->crawling >= 2 && c < problem->block_count; c++)
        s->prox.damping[c] = fmin(growth * s->prox.damping[c], most_growth * s->settled[c]);
}

// ---------------------------------------------------------------- the driver

// one round: sweeps, a certificate when due, a mixing; true when the solve is over
static bool round_of_sweeps(solver* s, int count)
{
    if (s->mixing)
        memcpy(s->before, s->job->lambda, bytes_of(s));
    advance(s, count);
    bool near = s->use_fast && s->fast.worst <= s->job->def->tolerance * s->scale;
    bool look = near || s->sweeps >= s->next_check;
    bool start = s->job->def->prox.anderson && !s->mixing && s->sweeps >= sweeps_before_mix;
    if (look || start || s->mixing)
        store(s);
    if (look && certify(s))
        return true;
    if (s->mixing)
        mix_next(s);
    if (start)
        start_mixing(s);
    return false;
}

static cairn_status run_generic(solver* s)
{
    s->safe = INFINITY;
    memcpy(s->settled, s->prox.damping, (size_t)s->job->problem->block_count * sizeof(double));
    cairn_prox_load(&s->prox);
    judge(s);
    for (int k = 1; s->sweeps < s->limit && !late(s); k++) {
        if (round_of_sweeps(s, 1))
            return CAIRN_OK;
        if (k % window == 0 && !s->mixing)
            judge(s);
    }
    return CAIRN_OK;
}

// single precision has carried as far as it can: small enough, or no longer falling
static bool single_ends(solver* s)
{
    double worst = s->fast.worst;
    if (worst < 0.7 * s->lowest) {
        s->lowest = worst;
        s->lowest_at = s->sweeps;
    }
    return worst <= single_floor * s->scale || s->sweeps - s->lowest_at >= single_patience;
}

// batches have stalled: the robust driver goes on from the best impulses
static cairn_status leave_fast(solver* s)
{
    s->use_fast = s->mixing = false;
    cairn_anderson_forget(&s->mix);
    memcpy(s->job->lambda, s->best_lambda, bytes_of(s));
    cairn_job_note(s->job, "batches stalled at %.2g after %d sweeps; steps were adapted", s->best,
                   s->sweeps);
    return run_generic(s);
}

static cairn_status run_fast(solver* s)
{
    s->use_fast = true;
    s->lowest = INFINITY;
    if (!cairn_batch_loop_begin(&s->fast,
                                s->job->def->prox.single && cairn_batch_loop_narrow(&s->fast)))
        return CAIRN_NO_MEMORY;

    while (s->sweeps < s->limit && !late(s)) {
        if (round_of_sweeps(s, fast_round))
            return CAIRN_OK;
        if (s->sweeps - s->mark_at > s->mark_at + stalled_sweeps)
            return leave_fast(s);

        // when single precision has done its part, double precision goes on from its impulses
        if (!s->fast.single || !single_ends(s))
            continue;

        store(s);
        cairn_anderson_forget(&s->mix);
        s->kept_size = INFINITY;
        if (!cairn_batch_loop_begin(&s->fast, false))
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

static bool prepare(solver* s, cairn_job* job, bool jacobi)
{
    cairn_arena* arena = job->arena;
    size_t rows = (size_t)job->problem->row_count, blocks = (size_t)job->problem->block_count;
    *s = (solver){.job = job, .best = INFINITY, .mark = INFINITY, .kept_size = INFINITY};
    s->limit = job->def->max_iterations ? job->def->max_iterations : default_sweeps;

    s->before = CAIRN_TAKE(arena, double, rows);
    s->kept = CAIRN_TAKE(arena, double, rows);
    s->best_lambda = CAIRN_TAKE(arena, double, rows);
    s->safe_lambda = CAIRN_TAKE(arena, double, rows);
    s->each = CAIRN_TAKE(arena, double, blocks);
    s->safe_each = CAIRN_TAKE(arena, double, blocks);
    s->settled = CAIRN_TAKE(arena, double, blocks);

    if (arena->failed || !cairn_prox_prepare(&s->prox, job, job->def->prox.strategy, jacobi))
        return false;
    if (job->def->prox.anderson &&
        !cairn_anderson_prepare(&s->mix, (int)rows, job->def->prox.anderson_depth, arena))
        return false;

    // violations are judged relative to max |b|
    for (size_t i = 0; i < rows; i++)
        s->scale = fmax(s->scale, fabs(job->problem->b[i]));
    return true;
}

static cairn_status run(solver* s, bool jacobi)
{
    cairn_job* job = s->job;
    const cairn_prox_def* def = &job->def->prox;
    if (jacobi)
        cairn_prox_split(&s->prox);

    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    if (certify(s))
        return CAIRN_OK;

    // batches in vector registers know one strategy only
    bool batches =
        def->fast && !jacobi && def->strategy == CAIRN_PROX_SCALAR_LOCAL && !job->problem->A;
    if (batches && !cairn_batch_loop_prepare(&s->fast, job, CAIRN_LAW_AS_GIVEN, 1.0, -1.0))
        return CAIRN_NO_MEMORY;
    batches = batches && s->fast.plan.batch_count > 0;

    cairn_status status = batches ? run_fast(s) : run_generic(s);
    if (status != CAIRN_OK || job->report->outcome == CAIRN_OUTCOME_CONVERGED)
        return status;

    // the end of the budget: the last impulses count if the certificate accepts them
    store(s);
    if (!certify(s))
        memcpy(job->lambda, s->best_lambda, bytes_of(s));
    return status;
}

static cairn_status solve(cairn_job* job, bool jacobi, cairn_error* error)
{
    const cairn_prox_def* def = &job->def->prox;
    if (!(def->nu >= 0.0 && def->nu < 1.0) || def->anderson_depth < 1 ||
        def->anderson_depth > cairn_anderson_most)
        return cairn_fail(
            error, CAIRN_BAD_INPUT,
            "options of prox: expected 0 <= nu < 1 (is %g) and an Anderson depth of 1 "
            "to %d (is %d)",
            def->nu, cairn_anderson_most, def->anderson_depth);

    solver s;
    job->report->law = CAIRN_LAW_AS_GIVEN;
    if (!prepare(&s, job, jacobi))
        return CAIRN_NO_MEMORY;

    // for comparison alone: the driver as it was printed
    if (def->published)
        return cairn_prox_published(job, &s.prox);

    cairn_status status = run(&s, jacobi);
    cairn_batch_loop_end(&s.fast);
    job->report->iterations = s.sweeps;
    job->report->rollbacks = s.rollbacks;
    job->report->row_visits = s.prox.visits + s.fast.visits;
    return status;
}

cairn_status cairn_method_prox(cairn_job* job, cairn_error* error)
{
    return solve(job, false, error);
}

cairn_status cairn_method_prox_jacobi(cairn_job* job, cairn_error* error)
{
    return solve(job, true, error);
}
