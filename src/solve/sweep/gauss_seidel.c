// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Block Gauss-Seidel with the exact solution of each cell (method `gauss-seidel`):
//
//     b_c = q_c + Σ_{d != c} W_cd r_d,     r_c ← the solution of the law for u = W_cc r + b_c.
//
// A sweep is gauss_seidel_kernel.c. Every sweep lowers the error of well-conditioned problems by a
// fixed factor; on tall stacks and large mass ratios that factor is next to one: take `exact`
// there.

#include "solve/sweep/gauss_seidel.h"
#include <string.h>

enum {
    stride = CAIRN_CELL_STRIDE,
    default_sweeps = 20000,
    sweeps_between_checks = 4,
};

void cairn_gauss_seidel_start(const cairn_cells* cells, const double* r, double* w)
{
    memset(w, 0, cairn_cells_state_size(cells) * sizeof(double));
    for (int c = 0; c < cells->count && cells->J; c++)
        cairn_cells_push(cells, w, c, r + stride * (ptrdiff_t)c);
}

void cairn_gauss_seidel_sweep(const cairn_cells* cells, double* r, double* w, bool backward)
{
    CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_gauss_seidel_sweep_kernel)(cells, r, w, backward);
}

cairn_status cairn_method_gauss_seidel(cairn_job* job, cairn_error* error)
{
    cairn_cells cells;
    cairn_status status = cairn_cells_prepare(&cells, job);
    if (status == CAIRN_NOT_SUPPORTED) {
        cairn_job_note(job, "a contact has a friction set of its own: solved by pgs");
        return cairn_job_delegate(job, "pgs", error);
    }
    if (status != CAIRN_OK)
        return status;

    size_t n = stride * (size_t)cells.count;
    double* r = CAIRN_TAKE(job->arena, double, n);
    double* u = CAIRN_TAKE(job->arena, double, n);
    double* w = CAIRN_TAKE(job->arena, double, cairn_cells_state_size(&cells));
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    if (cells.smoothed)
        job->report->law = CAIRN_LAW_COULOMB;

    // from the start values, sweep after sweep
    cairn_cells_load(&cells, r, job->lambda);
    cairn_gauss_seidel_start(&cells, r, w);
    int limit = job->def->max_iterations ? job->def->max_iterations : default_sweeps;
    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    for (int k = 0;; k++) {
        job->report->iterations = k;

        // now and then: u = W r + q, and what the certificate says of r
        if (k % sweeps_between_checks == 0 || k == limit) {
            cairn_cells_product(&cells, u, r, w);
            for (size_t i = 0; i < n; i++)
                u[i] += cells.q[i];
            double e = cairn_cells_error(&cells, job, r, u);
            cairn_job_trace(job, k, e);
            cairn_cells_store(&cells, job->lambda, r);
            if (e <= job->def->tolerance && cairn_job_done(job, job->lambda, NULL))
                job->report->outcome = CAIRN_OUTCOME_CONVERGED;
            else if (cairn_job_stopped(job))
                job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            if (k == limit || job->report->outcome != CAIRN_OUTCOME_ITERATION_LIMIT)
                return CAIRN_OK;
        }

        cairn_job_spend(job, 1.0);
        cairn_gauss_seidel_sweep(&cells, r, w, false);
    }
}
