// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The published driver (Erleben 2017, Algorithms 1 and 2): with e = |λ' - λ|∞ of a sweep,
//
//     e < 1e-3  or  |e - e_last| < 1e-3 e_last:  λ ← λ' and the end
//     e > e_last:  R ← ν R, and λ and its state stay as they were before the sweep
//     otherwise:   λ ← λ',  e_last ← e
//
// in this order: a change that has grown by less than 1e-3 of itself ends the loop too. At most
// 1000 sweeps are made, those undone included. The test is the published one and proportional to R:
// the certificate, not it, says whether the answer is right. ν is 0.5 for global and blocked, 0.9
// for local. For comparison alone.

#include "solve/sweep/prox_published.h"
#include <string.h>

enum { published_sweeps = 1000 };

static const double absolute = 1e-3, relative = 1e-3;

static double own_nu(cairn_prox_strategy strategy)
{
    return strategy == CAIRN_PROX_GLOBAL || strategy == CAIRN_PROX_BLOCKED ? 0.5 : 0.9;
}

cairn_status cairn_prox_published(cairn_job* job, cairn_prox* prox)
{
    const cairn_problem* problem = job->problem;
    size_t bytes = (size_t)problem->row_count * sizeof(double);
    size_t state_bytes = (size_t)cairn_delassus_state_size(&job->A) * sizeof(double);
    double* old = CAIRN_TAKE(job->arena, double, problem->row_count);
    double* old_w = CAIRN_TAKE(job->arena, double, cairn_delassus_state_size(&job->A));
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    double nu = job->def->prox.nu > 0.0 ? job->def->prox.nu : own_nu(prox->strategy);
    double last = INFINITY;
    int limit = job->def->max_iterations ? job->def->max_iterations : published_sweeps;
    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    cairn_prox_load(prox);

    for (int k = 0; k < limit; k++) {
        if (cairn_job_stopped(job)) {
            job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            break;
        }

        // one sweep, and the change by which it is judged
        memcpy(old, prox->lambda, bytes);
        memcpy(old_w, prox->w, state_bytes);
        cairn_job_spend(job, 1.0);
        double e = cairn_prox_sweep(prox, false);
        job->report->iterations = k + 1;
        cairn_job_trace(job, k + 1, e);

        // a change that grows is undone, with smaller steps from now on
        bool over = e < absolute || fabs(e - last) < relative * last;
        if (!over && !(e <= last)) {
            memcpy(prox->lambda, old, bytes);
            memcpy(prox->w, old_w, state_bytes);
            for (int c = 0; c < problem->block_count; c++)
                prox->damping[c] *= nu;
            job->report->rollbacks++;
            continue;
        }

        last = e;
        if (over) {
            job->report->outcome = CAIRN_OUTCOME_CONVERGED;
            cairn_job_note(job, "ended by the published test, a change of %.3g N s per sweep", e);
            break;
        }
    }

    job->report->row_visits = prox->visits;
    return CAIRN_OK;
}
