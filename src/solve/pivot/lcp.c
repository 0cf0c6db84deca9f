// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plain LCP: its residual and its front door.

#include "math/accept.h"
#include "solve/method.h"
#include "solve/pivot/lcp_method.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char* name;
    cairn_lcp_function solve;
} methods[] = {
    {"lemke-standard", cairn_lcp_lemke_standard},
    {"pgs", cairn_lcp_pgs},
    {"search", cairn_lcp_search},
};

enum { method_count = sizeof methods / sizeof methods[0] };

int cairn_lcp_method_count(void)
{
    return method_count;
}

const char* cairn_lcp_method_at(int index)
{
    return index >= 0 && index < method_count ? methods[index].name : NULL;
}

double cairn_lcp_residual(const cairn_lcp* lcp, const double* z)
{
    if (!lcp || (lcp->n > 0 && (!z || !lcp->M || !lcp->q)))
        return 0.0;

    int n = lcp->n;
    double worst = 0.0, scale = 0.0;

    for (int i = 0; i < n; i++) {
        const double* row = lcp->M + (ptrdiff_t)n * i;
        double w = lcp->q[i], across = 0.0, down = 0.0;
        for (int j = 0; j < n; j++) {
            w += row[j] * z[j];
            across += fabs(row[j]) / n;
            down += fabs(lcp->M[(ptrdiff_t)n * j + i]) / n;
        }

        // z_i counts by what it does to all of w; a z_i that does nothing counts as it is
        double d = fmax(fabs(row[i]), fmax(across, down));
        d = d > 0.0 ? d : 1.0;

        // the natural map in units of w; NaN counts as infinite
        double lo = lcp->lo ? lcp->lo[i] : 0.0, hi = lcp->hi ? lcp->hi[i] : INFINITY;
        double error = fabs(fmin(fmax(w, d * (z[i] - hi)), d * (z[i] - lo)));
        if (!(error <= worst))
            worst = isnan(error) ? INFINITY : error;
        scale = fmax(scale, fabs(lcp->q[i]));
    }

    return scale > 0.0 ? worst / scale : worst;
}

static cairn_status check(const cairn_lcp* lcp, cairn_error* error)
{
    if (lcp->n < 0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the problem has a negative size");

    for (ptrdiff_t i = 0; i < (ptrdiff_t)lcp->n * lcp->n; i++)
        if (!isfinite(lcp->M[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT, "M(%d, %d) is not finite",
                              (int)(i / lcp->n) + 1, (int)(i % lcp->n) + 1);
    for (int i = 0; i < lcp->n; i++)
        if (!isfinite(lcp->q[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT, "q(%d) is not finite", i + 1);
    for (int i = 0; i < lcp->n; i++) {
        double lo = lcp->lo ? lcp->lo[i] : 0.0, hi = lcp->hi ? lcp->hi[i] : INFINITY;
        if (!(lo <= hi) || lo == INFINITY || hi == -INFINITY)
            return cairn_fail(error, CAIRN_BAD_INPUT, "the bounds of z(%d) are %g and %g", i + 1,
                              lo, hi);
    }
    return CAIRN_OK;
}

// runs one method and measures; keeps the better answer
static cairn_status try_method(int index, double* z, const cairn_lcp* lcp,
                               const cairn_solve_def* def, const cairn_stop* stop,
                               cairn_lcp_report* report)
{
    cairn_lcp_report trial = {.method = methods[index].name};
    double* y = calloc((size_t)lcp->n + 1, sizeof(double));
    if (!y)
        return CAIRN_NO_MEMORY;

    cairn_status status = methods[index].solve(y, lcp, def, stop, &trial);
    if (status == CAIRN_OK) {
        trial.residual = cairn_lcp_residual(lcp, y);

        // the residual decides about the outcome
        if (trial.residual <= def->tolerance)
            trial.outcome = CAIRN_OUTCOME_CONVERGED;
        else if (trial.outcome == CAIRN_OUTCOME_CONVERGED)
            trial.outcome = CAIRN_OUTCOME_ITERATION_LIMIT;

        // a proof that there is no solution beats any answer short of one
        bool proof = trial.outcome == CAIRN_OUTCOME_NO_SOLUTION &&
                     report->outcome != CAIRN_OUTCOME_CONVERGED;
        if (!report->method || proof || trial.residual < report->residual) {
            *report = trial;
            memcpy(z, y, (size_t)lcp->n * sizeof(double));
        }
    }

    free(y);
    return status;
}

cairn_status cairn_lcp_solve(const cairn_lcp* lcp, const cairn_solve_def* def, double* z,
                             cairn_lcp_report* report, cairn_error* error)
{
    if (!lcp || !def || !def->method || !report || (lcp->n > 0 && (!z || !lcp->M || !lcp->q)))
        return cairn_refuse_null(
            error, "the LCP, an array of it, the def, the report or the place for the answer");

    double started = cairn_clock();
    bool all = strcmp(def->method, "auto") == 0, known = all;
    cairn_lcp_report best = {0};
    cairn_stop stop = cairn_stop_after(started, def->time_limit, def->cancel);

    cairn_status status = cairn_accept_def(error, def->cookie, "cairn_default_solve_def");
    if (status == CAIRN_OK)
        status = check(lcp, error);
    if (status == CAIRN_OK && (lcp->lo || lcp->hi))
        return cairn_lcp_solve_bounded(lcp, def, z, report, error);

    // `auto` tries all methods in their order
    for (int i = 0; status == CAIRN_OK && i < method_count; i++) {
        if (!all && strcmp(def->method, methods[i].name) != 0)
            continue;
        known = true;
        status = try_method(i, z, lcp, def, &stop, &best);
        if (best.outcome == CAIRN_OUTCOME_CONVERGED || best.outcome == CAIRN_OUTCOME_NO_SOLUTION ||
            cairn_stop_now(&stop))
            break;
    }

    if (status == CAIRN_OK && !known)
        return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a method for plain LCPs",
                          def->method);
    if (status == CAIRN_NO_MEMORY)
        return cairn_fail(error, status, "no memory for an LCP of size %d", lcp->n);
    if (status != CAIRN_OK)
        return status;

    // a ray or a lost basis says something about one method; all of them have tried
    if (all && best.outcome != CAIRN_OUTCOME_CONVERGED && best.outcome != CAIRN_OUTCOME_NO_SOLUTION)
        best.outcome =
            cairn_stop_now(&stop) ? CAIRN_OUTCOME_TIME_LIMIT : CAIRN_OUTCOME_ITERATION_LIMIT;

    // a raised cancel flag is always reported, as by cairn_solve
    bool limited = def->time_limit > 0.0;
    if (cairn_is_raised(def->cancel) || (best.outcome == CAIRN_OUTCOME_TIME_LIMIT && !limited))
        best.outcome = CAIRN_OUTCOME_CANCELED;

    best.seconds = cairn_clock() - started;
    *report = best;
    return CAIRN_OK;
}
