// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projected Gauss-Seidel (US 7,079,145, AGEIA 2004, with its errors corrected). One row at a time,
// with the newest neighbors:
//
//     λ_i ← med(lo_i, λ_i - ω (A λ + b)_i / A_ii, hi_i);
//
// the two friction rows of a cone move together, with one step for both. Two ways lead through it:
// batches of contacts in vector registers (batch_solve.c) and the plain row loop with the
// refinements of the patent (rows.c). Three ways lead out: a fixed number of sweeps, a threshold on
// the rows' own violation, or the certificate. In the fast way single precision goes first; it ends
// where its residual stops falling or is small enough, and double precision goes on from there.
//
// Robust and cheap per sweep; slow on tall stacks, long chains and large mass ratios, where sweeps
// grow with the square of the height or with the ratio.

#include "solve/sweep/batch_solve.h"
#include <string.h>

enum { default_sweeps = 20000, first_check = 8, refresh_sweeps = 1024 };

// relative residual that single precision is trusted with
static const double single_floor = 2e-5;

// The state of a solve between sweeps, whichever loop runs.
typedef struct pgs {
    cairn_job* job;
    const cairn_pgs_def* def;
    cairn_law law;
    double speed;           // of the filter, < 0: none
    double scale;           // max |b|
    cairn_rows* rows;       // the plain loop, or
    cairn_batch_loop* fast; // the fast one
    double worst;           // violation of the last sweep
    int sweeps, limit;
    int next_check; // sweep of the next certificate
    double best;    // least certified residual, with
    double* best_lambda;
} pgs;

static void sweep(pgs* s)
{
    bool backward = s->def->symmetric && s->sweeps % 2 == 1;
    s->sweeps++;
    cairn_job_spend(s->job, 1.0);
    if (s->fast) {
        cairn_batch_loop_sweep(s->fast, backward, s->def->threshold);
        s->worst = s->fast->worst;
        return;
    }

    cairn_rows* rows = s->rows;
    if (rows->active) {
        size_t bodies = (size_t)s->job->problem->body_count;
        memcpy(rows->active, rows->woken, bodies);
        memset(rows->woken, 0, bodies);
    }

    rows->worst = 0.0;
    cairn_rows_sweep(rows, backward);
    s->worst = rows->worst;
}

static void store(pgs* s)
{
    if (s->fast)
        cairn_batch_loop_store(s->fast);
}

// all rows again: what the filter let sleep is tested too
static void wake_all(pgs* s)
{
    if (s->fast)
        cairn_batch_loop_wake(s->fast);
    else
        for (int i = 0; i < s->job->problem->body_count; i++)
            s->rows->woken[i] = s->rows->quiet[i] < INFINITY;
}

static bool out_of_time(pgs* s)
{
    if (!cairn_job_stopped(s->job))
        return false;
    s->job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
    return true;
}

// R4: until no row violates by more than the threshold; then, after a filtered sweep, all rows are
// tested once more
static void run_threshold(pgs* s)
{
    // the forms that form A or v afresh visit every row: they have no filter to verify
    bool filters = s->fast || s->rows->active;
    bool filtered = filters && s->speed >= 0.0 && s->def->verify, verifying = false;
    while (s->sweeps < s->limit && !out_of_time(s)) {
        sweep(s);
        cairn_job_trace(s->job, s->sweeps, s->scale > 0.0 ? s->worst / s->scale : s->worst);
        if (s->worst > s->def->threshold) {
            verifying = false;
            continue;
        }
        if (!filtered || verifying)
            break;
        verifying = true;
        wake_all(s);
    }
}

static void run_fixed(pgs* s)
{
    while (s->sweeps < s->def->sweeps && !out_of_time(s)) {
        sweep(s);
        cairn_job_trace(s->job, s->sweeps, s->scale > 0.0 ? s->worst / s->scale : s->worst);
    }
}

// measures, keeps the best; true when the solve is over
static bool certify(pgs* s)
{
    cairn_residual residual = {.relative = INFINITY};
    store(s);
    bool done = cairn_job_done(s->job, s->job->lambda, &residual);
    cairn_job_trace(s->job, s->sweeps, residual.relative);
    if (residual.relative < s->best || done) {
        s->best = residual.relative;
        memcpy(s->best_lambda, s->job->lambda, (size_t)s->job->problem->row_count * sizeof(double));
    }
    s->next_check = s->sweeps + (s->sweeps < 64 ? first_check : s->sweeps / 8);
    if (done)
        s->job->report->outcome = CAIRN_OUTCOME_CONVERGED;
    return done;
}

// A sweep's own violation is cheap and follows the residual: certify when it says that the
// tolerance may be reached, or now and then.
static bool run_phase(pgs* s, double tolerance, bool single)
{
    double lowest = INFINITY, last_lowest = INFINITY;
    for (int k = 1; s->sweeps < s->limit && !out_of_time(s); k++) {
        sweep(s);
        lowest = fmin(lowest, s->worst);

        // single precision ends at its floor
        if (single && s->worst <= single_floor * s->scale)
            return false;

        if (s->worst <= tolerance * s->scale || s->sweeps >= s->next_check)
            if (certify(s))
                return true;

        // or where 128 sweeps gain less than two percent
        if (k % 128 == 0) {
            if (single && !(lowest < 0.98 * last_lowest))
                return false;
            last_lowest = lowest;
        }

        // round-off has gathered in the velocities: they are computed afresh from the impulses
        if (s->fast && k % refresh_sweeps == 0 && single) {
            store(s);
            cairn_batch_loop_begin(s->fast, true);
        }
    }

    return true;
}

static cairn_status run_certified(pgs* s)
{
    if (certify(s))
        return CAIRN_OK;

    bool single = s->fast && s->fast->single;
    bool over = run_phase(s, s->job->def->tolerance, single);
    if (!over) {
        store(s);
        if (!cairn_batch_loop_begin(s->fast, false))
            return CAIRN_NO_MEMORY;
        run_phase(s, s->job->def->tolerance, false);
    }

    if (s->job->report->outcome != CAIRN_OUTCOME_CONVERGED && !certify(s))
        memcpy(s->job->lambda, s->best_lambda, (size_t)s->job->problem->row_count * sizeof(double));
    return CAIRN_OK;
}

static cairn_status run(pgs* s)
{
    cairn_job* job = s->job;
    size_t n = (size_t)job->problem->row_count;
    s->limit = job->def->max_iterations ? job->def->max_iterations : default_sweeps;
    s->best = INFINITY;
    s->best_lambda = CAIRN_TAKE(job->arena, double, n);
    if (!s->best_lambda)
        return CAIRN_NO_MEMORY;

    // violations are judged relative to max |b|
    for (size_t i = 0; i < n; i++)
        s->scale = fmax(s->scale, fabs(job->problem->b[i]));

    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    cairn_status status = CAIRN_OK;

    // three ways out: a fixed number of sweeps, a threshold, or the certificate
    if (s->def->sweeps > 0)
        run_fixed(s);
    else if (s->def->threshold > 0.0)
        run_threshold(s);
    else
        status = run_certified(s);

    if (s->def->sweeps > 0 || s->def->threshold > 0.0)
        store(s);
    job->report->iterations = s->sweeps;
    return status;
}

cairn_status cairn_method_pgs(cairn_job* job, cairn_error* error)
{
    const cairn_pgs_def* def = &job->def->pgs;
    if (!(def->relaxation > 0.0 && def->relaxation < 2.0) || def->sweeps < 0 ||
        !(def->threshold >= 0.0) || !(def->filter_speed >= 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "options of pgs: expected 0 < relaxation < 2 (is %g), sweeps, threshold "
                          "and filter speed >= 0",
                          def->relaxation);

    pgs s = {.job = job, .def = def, .law = def->box ? CAIRN_LAW_BOX : CAIRN_LAW_AS_GIVEN};
    s.speed = !def->filter ? -1.0 : def->filter_speed > 0.0 ? def->filter_speed : def->threshold;
    job->report->law = s.law;

    // batches of contacts in vector registers
    cairn_rows rows;
    cairn_batch_loop fast;
    cairn_status status = CAIRN_NO_MEMORY;
    if (def->fast && !def->lagged && !job->problem->A) {
        s.fast = &fast;
        bool ready = cairn_batch_loop_prepare(&fast, job, s.law, def->relaxation, s.speed);
        if (ready && cairn_batch_loop_begin(&fast, def->single && cairn_batch_loop_narrow(&fast)))
            status = run(&s);
        cairn_batch_loop_end(&fast);
        job->report->row_visits = fast.visits;
        return status;
    }

    // or the plain loop over rows
    s.rows = &rows;
    if (!cairn_rows_prepare(&rows, job, def->form, s.law, def->relaxation, s.speed))
        return status;
    rows.lagged = def->lagged;
    rows.threshold = def->threshold;
    status = run(&s);
    job->report->row_visits = rows.visits;
    return status;
}
