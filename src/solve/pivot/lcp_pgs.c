// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projected Gauss-Seidel for a plain LCP: z_i ← max(0, z_i - w_i / M_ii) with w = M z + q.
// Converges for symmetric positive definite and for strictly diagonally dominant M; rows without a
// positive diagonal are left alone.

#include "solve/method.h"
#include "solve/pivot/lcp_method.h"

enum { default_sweeps = 2000, least_sweeps = 50, sweeps_between_checks = 8 };

static const double default_work = 1.25e8; // multiplications

static void sweep(double* z, const cairn_lcp* lcp)
{
    for (int i = 0; i < lcp->n; i++) {
        const double* row = lcp->M + (ptrdiff_t)lcp->n * i;
        double w = lcp->q[i];
        if (!(row[i] > 0.0))
            continue;
        for (int j = 0; j < lcp->n; j++)
            w += row[j] * z[j];
        z[i] = fmax(0.0, z[i] - w / row[i]);
    }
}

cairn_status cairn_lcp_pgs(double* z, const cairn_lcp* lcp, const cairn_solve_def* def,
                           const cairn_stop* stop, cairn_lcp_report* report)
{
    // a sweep takes n² multiplications: large problems get fewer
    double n = lcp->n, affordable = fmax(least_sweeps, default_work / fmax(n * n, 1.0));
    int limit = def->max_iterations ? def->max_iterations : (int)fmin(default_sweeps, affordable);
    report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    for (int k = 0; k <= limit; k++) {
        report->iterations = k;

        if (k % sweeps_between_checks == 0) {
            double residual = cairn_lcp_residual(lcp, z);
            if (residual <= def->tolerance)
                report->outcome = CAIRN_OUTCOME_CONVERGED;

            // converged, or diverged to infinity or NaN
            if (residual <= def->tolerance || !isfinite(residual))
                break;
        }

        if (cairn_stop_now(stop)) {
            report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            break;
        }
        sweep(z, lcp);
    }
    return CAIRN_OK;
}
