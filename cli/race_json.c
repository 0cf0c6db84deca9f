// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every method on one problem. The way of a method is its trace, thinned to a few hundred points;
// the end of the way is the certificate.

#include "race_json.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

// the clock of the trace is stretched to the time that counts
static json_t* trace_json(const way* w, const cairn_report* report, double seconds)
{
    json_t* list = json_array();
    double stretch = report->seconds > 0.0 ? seconds / report->seconds : 1.0;
    for (int i = 0; i < w->count; i++)
        if (w->seconds[i] <= report->seconds)
            json_array_append_new(list,
                                  json_pack("[f,f]", stretch * w->seconds[i], w->residual[i]));
    if (isfinite(report->residual.relative))
        json_array_append_new(list, json_pack("[f,f]", seconds, report->residual.relative));
    return list;
}

// ---------------------------------------------------------------- one method

// the fastest run of a method
typedef struct best {
    double seconds;
    cairn_report report;
    way way;
} best;

typedef struct racer {
    const cairn_problem* problem;
    const cairn_race_def* def;
    double* lambda;
    best *fastest, *trial;
} racer;

// Processor time, so that other programs on the machine do not count; with several threads the
// clock, because they share the work.
static double race_clock(const cairn_solve_def* def)
{
    struct timespec t;
    clock_gettime(def->threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cairn_status run_once(racer* r, cairn_solve_def* def, best* out, cairn_error* error)
{
    out->way = (way){.every = 1};
    if (r->def->traces) {
        def->trace = follow;
        def->trace_context = &out->way;
    }
    double start = race_clock(def);
    cairn_status status = cairn_solve(r->problem, def, r->lambda, &out->report, error);
    out->seconds = race_clock(def) - start;
    if (status == CAIRN_OK && out->report.outcome == CAIRN_OUTCOME_CANCELED)
        return cairn_fail(error, CAIRN_INTERRUPTED, "the race was canceled");
    return status;
}

// all runs give the same bits; the shortest time is the least disturbed one
static cairn_status run_method(racer* r, const char* method, cairn_error* error)
{
    cairn_solve_def def = *r->def->solve;
    def.method = method;
    cairn_status status = run_once(r, &def, r->fastest, error);
    double spent = r->fastest->seconds;
    for (int i = 1; status == CAIRN_OK && i < r->def->runs && spent < r->def->patience; i++) {
        status = run_once(r, &def, r->trial, error);
        spent += r->trial->seconds;
        if (status == CAIRN_OK && r->trial->seconds < r->fastest->seconds) {
            best* faster = r->trial;
            r->trial = r->fastest;
            r->fastest = faster;
        }
    }
    return status;
}

// ---------------------------------------------------------------- results

// a number that JSON cannot hold becomes null
static void set_real(json_t* object, const char* key, double x)
{
    json_object_set_new(object, key, isfinite(x) ? json_real(x) : json_null());
}

static json_t* result_json(const best* b, const char* method, bool traces)
{
    const cairn_report* report = &b->report;
    json_t* item = json_object();
    const char* rescuer = report->rescued_by;

    json_object_set_new(item, "method", json_string(method));
    json_object_set_new(item, "status", json_string(cairn_outcome_name(report->outcome)));

    set_real(item, "residual", report->residual.relative);
    set_real(item, "residual_coulomb", report->residual_coulomb);
    set_real(item, "fclib_relative", report->residual.fclib_relative);

    json_object_set_new(item, "iterations", json_integer(report->iterations));
    json_object_set_new(item, "pivots", json_integer(report->pivots));
    set_real(item, "seconds", b->seconds);
    json_object_set_new(item, "rescued_by", rescuer ? json_string(rescuer) : json_null());

    if (report->note[0])
        json_object_set_new(item, "note", json_string(report->note));
    if (traces)
        json_object_set_new(item, "trace", trace_json(&b->way, report, b->seconds));

    return item;
}

// a method that cannot treat the problem is part of the result
static json_t* refusal_json(const cairn_error* error, const char* method)
{
    const char* const unknown[] = {"residual", "residual_coulomb", "fclib_relative", "iterations",
                                   "pivots",   "seconds",          "rescued_by"};
    json_t* item = json_object();
    json_object_set_new(item, "method", json_string(method));
    json_object_set_new(item, "status", json_string("not-supported"));
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        json_object_set_new(item, unknown[i], json_null());
    json_object_set_new(item, "note", json_string(error->text));
    return item;
}

// ---------------------------------------------------------------- the order

typedef struct rank {
    json_t* item;
    bool met;
    double by; // seconds, or the residual of those that missed
    int number;
} rank;

static double number_of(const json_t* item, const char* key)
{
    const json_t* x = json_object_get(item, key);
    return json_is_number(x) ? json_number_value(x) : (double)INFINITY;
}

static int compare_ranks(const void* a, const void* b)
{
    const rank *x = a, *y = b;
    if (x->met != y->met)
        return x->met ? -1 : 1;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return x->number - y->number;
}

// a new list with the items in order; NULL without memory
static json_t* sorted(const json_t* list)
{
    size_t count = json_array_size(list);
    rank* ranks = malloc(count * sizeof *ranks + 1);
    json_t* out = json_array();

    for (size_t i = 0; ranks && out && i < count; i++) {
        json_t* item = json_array_get(list, i);
        const char* status = json_string_value(json_object_get(item, "status"));
        bool met = status && strcmp(status, "converged") == 0;
        ranks[i] = (rank){item, met, number_of(item, met ? "seconds" : "residual"), (int)i};
    }

    if (ranks && out)
        qsort(ranks, count, sizeof *ranks, compare_ranks);
    for (size_t i = 0; ranks && out && i < count; i++)
        json_array_append(out, ranks[i].item);

    if (!ranks || json_array_size(out) != count) {
        json_decref(out);
        out = NULL;
    }

    free(ranks);
    return out;
}

// ---------------------------------------------------------------- the race

static cairn_status race_all(racer* r, json_t* list, bool* won, cairn_error* error)
{
    for (int i = 0; i < cairn_method_count(); i++) {
        const char* method = cairn_method_at(i).name;
        cairn_status status = run_method(r, method, error);
        if (status == CAIRN_NOT_SUPPORTED) {
            json_array_append_new(list, refusal_json(error, method));
            continue;
        }
        if (status != CAIRN_OK)
            return status;
        *won = *won || r->fastest->report.outcome == CAIRN_OUTCOME_CONVERGED;
        json_array_append_new(list, result_json(r->fastest, method, r->def->traces));
    }
    return CAIRN_OK;
}

cairn_status cairn_race(json_t** race, const cairn_problem* problem, const cairn_race_def* def,
                        bool* won, cairn_error* error)
{
    // room for the best and the current run of a method
    best* runs = malloc(2 * sizeof *runs);
    racer r = {problem, def, malloc((size_t)problem->row_count * sizeof(double) + 1), runs,
               runs ? runs + 1 : NULL};
    json_t *list = json_array(), *order = NULL, *out = NULL;
    bool any = false;
    cairn_status status = CAIRN_NO_MEMORY;
    if (r.lambda && runs && list)
        status = race_all(&r, list, &any, error);

    // methods that converged come first, the fastest before the others
    if (status == CAIRN_OK) {
        order = sorted(list);
        out = json_object();
        status = order && out ? CAIRN_OK : CAIRN_NO_MEMORY;
    }

    if (status == CAIRN_NO_MEMORY)
        cairn_fail(error, status, "no memory for a race over %d impulses", problem->row_count);

    // the size of the problem, and the methods in that order
    if (status == CAIRN_OK) {
        json_object_set_new(out, "contacts", json_integer(cairn_problem_contact_count(problem)));
        json_object_set_new(out, "bodies", json_integer(problem->body_count));
        json_object_set_new(out, "rows", json_integer(problem->row_count));
        set_real(out, "tolerance", def->solve->tolerance);
        json_object_set(out, "methods", order);
        *race = json_incref(out);
    }

    if (won)
        *won = any;
    json_decref(out);
    json_decref(order);
    json_decref(list);
    free(runs);
    free(r.lambda);
    return status;
}
