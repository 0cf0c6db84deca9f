// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn lcp M.mtx q.mtx: a plain linear complementarity problem in Matrix Market files.

#include "verb.h"
#include <cairn/io.h>
#include <cairn/lcp.h>
#include <stdlib.h>

typedef struct options {
    verb_common common;
} options;

enum { key_method = 0x200, printed_at_most = 20 };

static error_t take(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_method:
        o->common.def.method = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option own[] = {
    {"method", key_method, "NAME", 0, "Method for plain LCPs, see `cairn methods` (auto)", 0}, {0}};
static const char doc[] =
    "Find z >= 0 with w = M z + q >= 0 and z w = 0, from Matrix Market files. The exit status is 0 "
    "when the relative residual is within the tolerance (1e-8), else 1.\v"
    "Example:\n  cairn lcp M.mtx q.mtx --json";

static void print_json(const cairn_lcp* lcp, const double* z, const cairn_lcp_report* report)
{
    json_t *out = json_object(), *list = json_array();
    for (int i = 0; i < lcp->n; i++)
        json_array_append_new(list, isfinite(z[i]) ? json_real(z[i]) : json_null());
    verb_set_string(out, "method", report->method);
    verb_set_string(out, "status", cairn_outcome_name(report->outcome));
    verb_set_integer(out, "n", lcp->n);
    verb_set_real(out, "residual", report->residual);
    verb_set_integer(out, "iterations", report->iterations);
    verb_set_real(out, "seconds", report->seconds);
    json_object_set_new(out, "z", list);
    verb_print_json(out);
}

static void print_text(const cairn_lcp* lcp, const double* z, const cairn_lcp_report* report)
{
    printf("%s by %s in %.3g s: n = %d, %d iterations, residual %.3e\n",
           cairn_outcome_name(report->outcome), report->method, report->seconds, lcp->n,
           report->iterations, report->residual);
    for (int i = 0; i < lcp->n && i < printed_at_most; i++)
        printf("z(%d) = %.17g\n", i + 1, z[i]);
    if (lcp->n > printed_at_most)
        printf("... (--json gives all %d)\n", lcp->n);
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {.common.def = cairn_default_solve_def()};
    verb_parse(v, argc, argv, &o.common);
    cairn_error error;
    cairn_lcp_data data;
    cairn_lcp_report report;
    cairn_status status =
        cairn_lcp_read(&data, o.common.arguments[0], o.common.arguments[1], &error);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    cairn_lcp lcp = {data.n, data.M, data.q};
    double* z = calloc((size_t)lcp.n + 1, sizeof(double));
    if (z)
        status = cairn_lcp_solve(z, &lcp, &o.common.def, &report, &error);
    else
        status = cairn_fail(&error, CAIRN_NO_MEMORY, "no memory for an LCP of size %d", lcp.n);
    if (status == CAIRN_OK && o.common.json)
        print_json(&lcp, z, &report);
    else if (status == CAIRN_OK && !o.common.quiet)
        print_text(&lcp, z, &report);
    free(z);
    cairn_lcp_data_destroy(&data);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    return report.outcome == CAIRN_CONVERGED ? exit_done : exit_missed;
}

const verb verb_lcp = {
    .name = "lcp",
    .summary = "solve a plain LCP given in Matrix Market files",
    .arguments = "M.mtx q.mtx",
    .least = 2,
    .most = 2,
    .noun = "file",
    .expected = "two Matrix Market files: M and q",
    .doc = doc,
    .options = own,
    .take = take,
    .limits = true,
    .run = run,
};
