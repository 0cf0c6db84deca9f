// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projected Gauss-Seidel, the plain form. One block at a time, with the newest neighbours; with
// v_c = (A λ + b)_c,
//
//     λ_N ← max(0, λ_N - v_N / A_NN),    λ_F ← P_F(λ_N)( λ_F - v_F / max diag A_FF ).
//
// Robust and cheap per sweep; slow on tall stacks and large mass ratios.

#include "problem/friction.h"
#include "solve/method.h"

enum { default_sweeps = 20000, sweeps_between_checks = 8 };

static void update_contact(const double* D, double* lambda, const double* v,
                           const cairn_block* block)
{
    int n = block->row_count;
    double largest = 0.0;
    if (D[0] > 0.0)
        lambda[0] = fmax(0.0, lambda[0] - v[0] / D[0]);
    for (int i = 1; i < n; i++)
        largest = fmax(largest, D[n * i + i]);
    for (int i = 1; i < n && largest > 0.0; i++)
        lambda[i] -= v[i] / largest;
    cairn_friction_project(lambda + 1, n, &block->friction, lambda[0]);
}

static void update_bounded(const cairn_problem* problem, const double* D, double* lambda,
                           const double* v, const cairn_block* block)
{
    for (int i = 0; i < block->row_count; i++) {
        double d = D[block->row_count * i + i];
        if (!(d > 0.0))
            continue;
        double x = lambda[i] - v[i] / d;
        if (block->kind == CAIRN_LIMIT)
            x = fmax(0.0, x);
        else if (block->kind == CAIRN_MOTOR)
            x = fmin(fmax(x, problem->lo[block->row + i]), problem->hi[block->row + i]);
        lambda[i] = x;
    }
}

static void sweep(cairn_job* job, double* w)
{
    const cairn_problem* problem = job->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* D = cairn_delassus_block(&job->A, c);
        double* lambda = job->lambda + block->row;
        double v[6], delta[6];
        cairn_delassus_block_velocity(&job->A, v, c, w, job->lambda);
        for (int i = 0; i < block->row_count; i++)
            delta[i] = -lambda[i];
        if (block->kind == CAIRN_CONTACT)
            update_contact(D, lambda, v, block);
        else
            update_bounded(problem, D, lambda, v, block);
        for (int i = 0; i < block->row_count; i++)
            delta[i] += lambda[i];
        cairn_delassus_block_change(&job->A, w, c, delta);
    }
}

cairn_status cairn_method_pgs(cairn_job* job, cairn_error* error)
{
    (void)error;
    double* w = CAIRN_TAKE(job->arena, double, cairn_delassus_state_size(&job->A));
    if (!w)
        return CAIRN_NO_MEMORY;
    cairn_delassus_load(&job->A, w, job->lambda);
    int limit = job->def->max_iterations ? job->def->max_iterations : default_sweeps;
    job->report->outcome = CAIRN_ITERATION_LIMIT;
    for (int k = 0;; k++) {
        job->report->iterations = k;
        if (k % sweeps_between_checks == 0 || k == limit) {
            cairn_residual residual;
            bool done = cairn_job_done(job, job->lambda, &residual);
            cairn_job_trace(job, k, residual.relative);
            if (done)
                job->report->outcome = CAIRN_CONVERGED;
            else if (cairn_job_late(job))
                job->report->outcome = CAIRN_TIME_LIMIT;
            if (done || k == limit || job->report->outcome == CAIRN_TIME_LIMIT)
                return CAIRN_OK;
        }
        sweep(job, w);
    }
}
