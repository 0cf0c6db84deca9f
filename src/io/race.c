// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every method on one problem. The way of a method is what it tells by its trace, thinned to a few
// hundred points; the end of the way is the certificate.

#include "io/race.h"
#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------- the way of a method

enum { trace_points = 256 };

/// Points of a trace. When there is no room every other is dropped.
typedef struct way {
    int count, every, seen;
    double seconds[trace_points], residual[trace_points];
} way;

static void follow(void* context, int iteration, double seconds, double residual)
{
    way* w = context;
    (void)iteration;
    if (!isfinite(seconds) || !isfinite(residual) || w->seen++ % w->every != 0)
        return;
    if (w->count == trace_points) {
        for (int i = 0; i < trace_points / 2; i++) {
            w->seconds[i] = w->seconds[2 * i];
            w->residual[i] = w->residual[2 * i];
        }
        w->count = trace_points / 2;
        w->every *= 2;
    }
    w->seconds[w->count] = seconds;
    w->residual[w->count++] = residual;
}

static json_t* trace_json(const way* w, const cairn_report* report)
{
    json_t* list = json_array();
    for (int i = 0; i < w->count; i++)
        if (w->seconds[i] <= report->seconds)
            json_array_append_new(list, json_pack("[f,f]", w->seconds[i], w->residual[i]));
    if (isfinite(report->residual.relative))
        json_array_append_new(list, json_pack("[f,f]", report->seconds, report->residual.relative));
    return list;
}

// ---------------------------------------------------------------- results

// a number that JSON cannot hold becomes null
static void set_real(json_t* object, const char* key, double x)
{
    json_object_set_new(object, key, isfinite(x) ? json_real(x) : json_null());
}

static json_t* report_json(const cairn_report* report, const char* method)
{
    json_t* item = json_object();
    json_object_set_new(item, "method", json_string(method));
    json_object_set_new(item, "status", json_string(cairn_outcome_name(report->outcome)));
    set_real(item, "residual", report->residual.relative);
    set_real(item, "residual_coulomb", report->residual_coulomb);
    set_real(item, "fclib_relative", report->residual.fclib_relative);
    json_object_set_new(item, "iterations", json_integer(report->iterations));
    set_real(item, "seconds", report->seconds);
    if (report->note[0])
        json_object_set_new(item, "note", json_string(report->note));
    return item;
}

// a method that cannot treat the problem is part of the result
static json_t* refusal_json(const cairn_error* error, const char* method)
{
    const char* const unknown[] = {"residual", "residual_coulomb", "fclib_relative", "iterations",
                                   "seconds"};
    json_t* item = json_object();
    json_object_set_new(item, "method", json_string(method));
    json_object_set_new(item, "status", json_string("not-supported"));
    for (int i = 0; i < 5; i++)
        json_object_set_new(item, unknown[i], json_null());
    json_object_set_new(item, "note", json_string(error->text));
    return item;
}

// ---------------------------------------------------------------- the race

static cairn_status race_method(json_t* list, double* lambda, const cairn_problem* problem,
                                cairn_solve_def def, way* w, bool* won, cairn_error* error)
{
    cairn_report report;
    if (w) {
        *w = (way){.every = 1};
        def.trace = follow;
        def.trace_context = w;
    }
    cairn_status status = cairn_solve(lambda, problem, &def, &report, error);
    if (status == CAIRN_NOT_SUPPORTED) {
        json_array_append_new(list, refusal_json(error, def.method));
        return CAIRN_OK;
    }
    if (status != CAIRN_OK)
        return status;
    *won = *won || report.outcome == CAIRN_CONVERGED;
    json_t* item = report_json(&report, def.method);
    if (w)
        json_object_set_new(item, "trace", trace_json(w, &report));
    json_array_append_new(list, item);
    return CAIRN_OK;
}

cairn_status cairn_race(json_t** race, const cairn_problem* problem, const cairn_solve_def* def,
                        bool traces, bool* won, cairn_error* error)
{
    double* lambda = malloc((size_t)problem->row_count * sizeof(double) + 1);
    way* w = traces ? malloc(sizeof *w) : NULL;
    json_t* list = json_array();
    cairn_status status = CAIRN_OK;
    bool any = false;
    if (!lambda || !list || (traces && !w))
        status =
            cairn_fail(error, CAIRN_NO_MEMORY, "no memory for %d impulses", problem->row_count);
    for (int i = 0; status == CAIRN_OK && i < cairn_method_count(); i++) {
        cairn_solve_def own = *def;
        own.method = cairn_method_at(i).name;
        status = race_method(list, lambda, problem, own, w, &any, error);
    }
    free(lambda);
    free(w);
    if (won)
        *won = any;
    if (status != CAIRN_OK) {
        json_decref(list);
        return status;
    }
    json_t* out = json_object();
    json_object_set_new(out, "contacts", json_integer(cairn_problem_contact_count(problem)));
    json_object_set_new(out, "bodies", json_integer(problem->body_count));
    json_object_set_new(out, "rows", json_integer(problem->row_count));
    set_real(out, "tolerance", def->tolerance);
    json_object_set_new(out, "methods", list);
    *race = out;
    return CAIRN_OK;
}
