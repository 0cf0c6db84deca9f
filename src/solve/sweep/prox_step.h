// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One sweep of the PROX schemes over blocks of any kind: the steps R of each strategy, the update
// of one block, Gauss-Seidel and Jacobi order, and the natural residual that does not depend on R.
#ifndef CAIRN_SOLVE_PROX_STEP_H
#define CAIRN_SOLVE_PROX_STEP_H

#include "solve/method.h"

/// The friction step of one contact: R_F = E Λ^-1 E^T with E = diag(μ) Q, where diag(μ) A_FF
/// diag(μ) = Q Λ Q^T. In the coordinates y = E^-1 λ_F the set F(λ_N) is the ball of radius λ_N.
typedef struct cairn_prox_metric {
    double E[9]; ///< row-major
    double inverse[9];
    double weight[3]; ///< 1 / Λ
    bool used;
} cairn_prox_metric;

typedef struct cairn_prox {
    const cairn_job* job;
    cairn_prox_strategy strategy;
    bool jacobi;
    double* lambda;            ///< the iterate (job->lambda)
    double* w;                 ///< its state
    double* next;              ///< Jacobi: the trial
    double* rate;              ///< row_count: scalar steps of each row, damping apart
    double* fixed;             ///< row_count: scalar-local steps, for the natural residual
    double* damping;           ///< block_count: factor on the block's steps
    double* block_step;        ///< 9 per block: R_F of CAIRN_PROX_BLOCKED
    cairn_prox_metric* metric; ///< per block, CAIRN_PROX_METRIC
    int64_t visits;
} cairn_prox;

/// Takes memory from the job's arena and sets the steps. False when there is no memory.
bool cairn_prox_prepare(cairn_prox* prox, const cairn_job* job, cairn_prox_strategy strategy,
                        bool jacobi);

/// Makes the state true to the iterate.
void cairn_prox_load(cairn_prox* prox);

/// One sweep from the iterate to the next. Returns max |λ' - λ|, as the published test does.
double cairn_prox_sweep(cairn_prox* prox, bool backward);

/// The natural residual a |λ - P(λ - v/a)| of each block in m/s with the fixed steps; returns the
/// largest. The state must be true. `each` may be NULL.
double cairn_prox_natural(const cairn_prox* prox, double* each);

/// Steps that make Jacobi converge where friction limits stay: as if every body were split among
/// its blocks (or, for an explicit A, from its rows' sums). Sets `damping`.
void cairn_prox_split(cairn_prox* prox);

#endif
