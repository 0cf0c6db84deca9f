// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An LCP with bounds as a plain one. Variables without bounds are eliminated first,
//
//     z_f = -M_ff^-1 (M_fb z_b + q_f),     M ← M_bb - M_bf M_ff^-1 M_fb,  q ← q_b - M_bf M_ff^-1 q_f;
//
// the others are measured from one bound, z = e + s x with s = 1 at a lower and s = -1 at an upper
// one, and what has two bounds a distance h apart gets a multiplier t of the second:
//
//     0 <= s (M z + q) + t  ⟂  x >= 0,          0 <= h - x  ⟂  t >= 0.

#include "linalg/gauss.h"
#include "math/accept.h"
#include "solve/pivot/lcp_method.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bounded {
    const cairn_lcp* lcp;
    int* bound; // variables with bounds
    int* both;  // of these the places of those with two
    int* open;  // variables without
    int bound_count, both_count, open_count;
    double* X; // M_ff^-1 (M_fb, q_f): open_count x (bound_count + 1)
    double *M, *q, *x;
} bounded;

static double lower(const cairn_lcp* lcp, int i)
{
    return lcp->lo ? lcp->lo[i] : 0.0;
}

static double upper(const cairn_lcp* lcp, int i)
{
    return lcp->hi ? lcp->hi[i] : INFINITY;
}

// the bound that a variable is measured from, and the direction that leads inside
static double end_of(const cairn_lcp* lcp, int i, double* sign)
{
    bool below = lower(lcp, i) > -INFINITY;
    *sign = below ? 1.0 : -1.0;
    return below ? lower(lcp, i) : upper(lcp, i);
}

static void sort(bounded* b)
{
    const cairn_lcp* lcp = b->lcp;
    for (int i = 0; i < lcp->n; i++) {
        if (lower(lcp, i) == -INFINITY && upper(lcp, i) == INFINITY) {
            b->open[b->open_count++] = i;
            continue;
        }
        if (lower(lcp, i) > -INFINITY && upper(lcp, i) < INFINITY)
            b->both[b->both_count++] = b->bound_count;
        b->bound[b->bound_count++] = i;
    }
}

// false: M_ff is singular
static bool eliminate(bounded* b, double* copy)
{
    ptrdiff_t n = b->lcp->n, open = b->open_count, width = b->bound_count + 1;
    double* column = copy + open * open;

    // M_ff^-1 times each bounded column, and q_f
    for (ptrdiff_t c = 0; c < width; c++) {
        for (ptrdiff_t i = 0; i < open; i++) {
            const double* row = b->lcp->M + n * b->open[i];
            for (ptrdiff_t j = 0; j < open; j++)
                copy[open * i + j] = row[b->open[j]];
            column[i] = c < b->bound_count ? row[b->bound[c]] : b->lcp->q[b->open[i]];
        }

        if (!cairn_gauss_solve(copy, (size_t)open, column, (int)open, NULL))
            return false;
        for (ptrdiff_t i = 0; i < open; i++) {
            if (!isfinite(column[i]))
                return false;
            b->X[width * i + c] = column[i];
        }
    }

    return true;
}

// column c of M (q: the last) at a variable with bounds, without those that have none
static double reduced(const bounded* b, int row, int c)
{
    ptrdiff_t n = b->lcp->n, width = b->bound_count + 1;
    const double* M = b->lcp->M + n * b->bound[row];
    double sum = c < b->bound_count ? M[b->bound[c]] : b->lcp->q[b->bound[row]];
    for (ptrdiff_t k = 0; k < b->open_count; k++)
        sum -= M[b->open[k]] * b->X[width * k + c];
    return sum;
}

static void fill(bounded* b)
{
    ptrdiff_t size = b->bound_count + b->both_count;
    memset(b->M, 0, (size_t)(size * size) * sizeof(double));

    // s (M z + q) with z = e + s x
    for (int i = 0; i < b->bound_count; i++) {
        double s, t;
        end_of(b->lcp, b->bound[i], &s);
        b->q[i] = s * reduced(b, i, b->bound_count);
        for (int j = 0; j < b->bound_count; j++) {
            double m = reduced(b, i, j), end = end_of(b->lcp, b->bound[j], &t);
            b->M[size * i + j] = s * m * t;
            b->q[i] += s * m * end;
        }
    }

    // the multipliers of second bounds
    for (int k = 0; k < b->both_count; k++) {
        int i = b->both[k], j = b->bound_count + k;
        b->M[size * i + j] = 1.0;
        b->M[size * j + i] = -1.0;
        b->q[j] = upper(b->lcp, b->bound[i]) - lower(b->lcp, b->bound[i]);
    }
}

static void read_answer(const bounded* b, double* z)
{
    ptrdiff_t width = b->bound_count + 1;
    for (int i = 0; i < b->bound_count; i++) {
        double s, end = end_of(b->lcp, b->bound[i], &s);
        double value = end + s * b->x[i];
        z[b->bound[i]] = fmin(fmax(value, lower(b->lcp, b->bound[i])), upper(b->lcp, b->bound[i]));
    }

    for (ptrdiff_t k = 0; k < b->open_count; k++) {
        double sum = -b->X[width * k + b->bound_count];
        for (int j = 0; j < b->bound_count; j++)
            sum -= b->X[width * k + j] * z[b->bound[j]];
        z[b->open[k]] = sum;
    }
}

static cairn_status solve(bounded* b, const cairn_solve_def* def, double* z,
                          cairn_lcp_report* report, cairn_error* error)
{
    fill(b);
    cairn_lcp plain = {.n = b->bound_count + b->both_count, .M = b->M, .q = b->q};
    cairn_status status = cairn_lcp_solve(&plain, def, b->x, report, error);
    if (status != CAIRN_OK)
        return status;
    read_answer(b, z);
    report->residual = cairn_lcp_residual(b->lcp, z);

    // the certificate is that of the problem with bounds
    if (report->residual <= def->tolerance && report->outcome != CAIRN_OUTCOME_CANCELED)
        report->outcome = CAIRN_OUTCOME_CONVERGED;
    else if (report->outcome == CAIRN_OUTCOME_CONVERGED)
        report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    return CAIRN_OK;
}

cairn_status cairn_lcp_solve_bounded(const cairn_lcp* lcp, const cairn_solve_def* def, double* z,
                                     cairn_lcp_report* report, cairn_error* error)
{
    size_t n = (size_t)lcp->n;
    bounded b = {.lcp = lcp};
    int* places = malloc((3 * n + 1) * sizeof(int));
    double* memory = NULL;
    cairn_status status = places ? CAIRN_OK : CAIRN_NO_MEMORY;

    // variables with one bound, with two and without any
    if (status == CAIRN_OK) {
        b.bound = places;
        b.both = places + n;
        b.open = places + 2 * n;
        sort(&b);

        size_t size = (size_t)(b.bound_count + b.both_count), open = (size_t)b.open_count;
        size_t width = (size_t)b.bound_count + 1;
        memory = malloc((size * size + 2 * size + open * width + open * (open + 1) + 1) *
                        sizeof(double));
        b.M = memory;
        status = memory ? CAIRN_OK : CAIRN_NO_MEMORY;

        // those without bounds are eliminated
        if (memory) {
            b.q = b.M + size * size;
            b.x = b.q + size;
            b.X = b.x + size;
            if (!eliminate(&b, b.X + open * width))
                status = CAIRN_NOT_SUPPORTED;
        }
    }

    if (status == CAIRN_OK)
        status = solve(&b, def, z, report, error);
    else
        cairn_fail(error, status,
                   status == CAIRN_NO_MEMORY
                       ? "no memory for an LCP of size %d"
                       : "the %d variables without bounds have no unique answer",
                   status == CAIRN_NO_MEMORY ? lcp->n : b.open_count);

    free(places);
    free(memory);
    return status;
}
