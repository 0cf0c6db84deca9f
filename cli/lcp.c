// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn lcp M.mtx q.mtx: a plain linear complementarity problem in Matrix Market files.

#include "verb.h"
#include <cairn/io.h>
#include <cairn/lcp.h>
#include <math.h>
#include <stdlib.h>

enum { printed_at_most = 20 };

typedef struct options {
    verb_common common;
    const char *lo, *hi;
} options;

static const verb_option own[] = {
    {"method", "NAME", "Method for plain LCPs, see `cairn methods` (auto)", VERB_LCP_METHOD,
     offsetof(options, common.def.method), 0, 0, NULL},
    {"lo", "FILE", "Lower bound of z, a column in Matrix Market format; -1e300: none (0)",
     VERB_TEXT, offsetof(options, lo), 0, 0, NULL},
    {"hi", "FILE", "Upper bound of z, likewise; 1e300: none (none)", VERB_TEXT,
     offsetof(options, hi), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Find z >= 0 with w = M z + q >= 0 and z w = 0, from Matrix Market files. With bounds: lo <= z "
    "<= hi, w >= 0 where z is lo, w <= 0 where it is hi, and w = 0 between. The exit status is 0 "
    "if the relative residual is within the tolerance (1e-8), else 1.\v"
    "Example:\n  cairn lcp M.mtx q.mtx --json";

// what is shown
typedef struct result {
    const cairn_lcp* lcp;
    const double* z;
    const cairn_lcp_report* report;
} result;

static json_t* to_json(const void* from)
{
    const result* r = from;
    json_t *out = json_object(), *list = json_array();
    for (int i = 0; i < r->lcp->n; i++)
        json_array_append_new(list, isfinite(r->z[i]) ? json_real(r->z[i]) : json_null());
    verb_set_string(out, "method", r->report->method);
    verb_set_string(out, "status", cairn_outcome_name(r->report->outcome));
    verb_set_integer(out, "n", r->lcp->n);
    verb_set_real(out, "residual", r->report->residual);
    verb_set_integer(out, "iterations", r->report->iterations);
    verb_set_real(out, "seconds", r->report->seconds);
    json_object_set_new(out, "z", list);
    return out;
}

static void to_text(const void* from)
{
    const result* r = from;
    verb_print("%s by %s in %.3g s: n = %d, %d iterations, residual %.3e",
               cairn_outcome_name(r->report->outcome), r->report->method, r->report->seconds,
               r->lcp->n, r->report->iterations, r->report->residual);
    for (int i = 0; i < r->lcp->n && i < printed_at_most; i++)
        verb_print("z(%d) = %.17g", i + 1, r->z[i]);
    if (r->lcp->n > printed_at_most)
        verb_print("... (--json gives all %d)", r->lcp->n);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    cairn_lcp_data data;
    cairn_lcp_report report;
    cairn_status status = cairn_lcp_read(common->arguments[0], common->arguments[1], &data, error);
    if (status != CAIRN_OK)
        return status;

    const options* o = (const options*)common;
    status = cairn_lcp_read_bounds(o->lo, o->hi, &data, error);
    if (status != CAIRN_OK) {
        cairn_lcp_data_destroy(&data);
        return status;
    }

    // the solver returns when a signal raises the cancel flag
    cairn_lcp lcp = {data.n, data.M, data.q, data.lo, data.hi};
    double* z = calloc((size_t)lcp.n + 1, sizeof(double));
    common->def.cancel = verb_catch_signals();
    if (z)
        status = cairn_lcp_solve(&lcp, &common->def, z, &report, error);
    else
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for an LCP of size %d", lcp.n);

    if (status == CAIRN_OK && report.outcome == CAIRN_OUTCOME_CANCELED)
        status = cairn_fail(error, CAIRN_INTERRUPTED, "the solve was interrupted");
    if (status == CAIRN_OK)
        verb_show(common, to_json, to_text, &(result){&lcp, z, &report});
    common->missed = status == CAIRN_OK && report.outcome != CAIRN_OUTCOME_CONVERGED;

    free(z);
    cairn_lcp_data_destroy(&data);
    return status;
}

const verb verb_lcp = {
    .name = "lcp",
    .summary = "solve a plain LCP from Matrix Market files",
    .arguments = "M.mtx q.mtx",
    .least = 2,
    .most = 2,
    .noun = "file",
    .expected = "two Matrix Market files: M and q",
    .doc = doc,
    .options = own,
    .limits = true,
    .size = sizeof(options),
    .run = run,
};
