// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn race F.hdf5: every method on one problem, one table.

#include "verb.h"
#include <cairn/io.h>
#include <stdlib.h>

typedef struct options {
    verb_common common;
    cairn_solve_def def;
    const char* file[1];
} options;

typedef struct entry {
    const char* method;
    cairn_status status; // CAIRN_NOT_SUPPORTED: the method cannot treat this problem
    cairn_report report;
    cairn_error error;
} entry;

static error_t parse(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->def;
        state->child_inputs[1] = &o->def;
        state->child_inputs[2] = &o->common;
        return 0;
    case ARGP_KEY_ARG:
        verb_take_argument(state, o->file, 1, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            verb_usage(state, "no problem given, expected the name of an FCLib file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&verb_limits_argp, 0, NULL, 0},
                                             {&verb_tuning_argp, 0, NULL, 0},
                                             {&verb_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp manual = {
    NULL,
    parse,
    "FILE.hdf5",
    "Solve one problem by every method and compare. Each method has 10 seconds unless --time-limit "
    "says otherwise. The exit status is 0 when at least one method is within tolerance, else 1.\v"
    "Example:\n  cairn race wall.hdf5 --tolerance 1e-6 --time-limit 5",
    children,
    NULL,
    NULL};

static const char* status_of(const entry* e)
{
    return e->status == CAIRN_OK ? cairn_outcome_name(e->report.outcome) : "not-supported";
}

static json_t* entry_json(const entry* e)
{
    json_t* item = json_object();
    verb_set_string(item, "method", e->method);
    verb_set_string(item, "status", status_of(e));
    if (e->status != CAIRN_OK) {
        verb_set_string(item, "note", e->error.text);
        return item;
    }
    verb_set_real(item, "residual", e->report.residual.relative);
    verb_set_real(item, "residual_coulomb", e->report.residual_coulomb);
    verb_set_real(item, "fclib_relative", e->report.residual.fclib_relative);
    verb_set_integer(item, "iterations", e->report.iterations);
    verb_set_real(item, "seconds", e->report.seconds);
    if (e->report.note[0])
        verb_set_string(item, "note", e->report.note);
    return item;
}

static void print_json(const options* o, const cairn_problem* problem, const entry* entries)
{
    json_t *out = json_object(), *list = json_array();
    for (int i = 0; i < cairn_method_count(); i++)
        json_array_append_new(list, entry_json(&entries[i]));
    verb_set_string(out, "problem", o->file[0]);
    verb_set_integer(out, "contacts", cairn_problem_contact_count(problem));
    verb_set_integer(out, "bodies", problem->body_count);
    verb_set_integer(out, "rows", problem->row_count);
    verb_set_real(out, "tolerance", o->def.tolerance);
    json_object_set_new(out, "methods", list);
    verb_print_json(out);
}

static void print_text(const options* o, const cairn_problem* problem, const entry* entries)
{
    const char* const head[] = {"method",         "status",     "residual", "residual_coulomb",
                                "fclib_relative", "iterations", "seconds"};
    verb_table table = {.columns = 7};
    for (int i = 0; i < 7; i++)
        verb_cell(&table, "%s", head[i]);
    for (int i = 0; i < cairn_method_count(); i++) {
        const cairn_report* report = &entries[i].report;
        verb_cell(&table, "%s", entries[i].method);
        verb_cell(&table, "%s", status_of(&entries[i]));
        if (entries[i].status != CAIRN_OK) {
            for (int k = 2; k < 7; k++)
                verb_cell(&table, "-");
            continue;
        }
        verb_cell(&table, "%.2e", report->residual.relative);
        verb_cell(&table, "%.2e", report->residual_coulomb);
        verb_cell(&table, "%.2e", report->residual.fclib_relative);
        verb_cell(&table, "%d", report->iterations);
        verb_cell(&table, "%.3g", report->seconds);
    }
    printf("%s: %d contacts, %d bodies, %d rows, tolerance %g\n", o->file[0],
           cairn_problem_contact_count(problem), problem->body_count, problem->row_count,
           o->def.tolerance);
    verb_print_table(&table);
}

// fills one entry; a method that cannot treat the problem is part of the result
static cairn_status race_one(entry* e, const options* o, const cairn_problem* problem,
                             double* lambda)
{
    cairn_solve_def def = o->def;
    def.method = e->method;
    e->status = cairn_solve(lambda, problem, &def, &e->report, &e->error);
    return e->status == CAIRN_NOT_SUPPORTED ? CAIRN_OK : e->status;
}

static int race(const verb* v, const options* o, const cairn_problem* problem, entry* entries,
                double* lambda)
{
    bool won = false;
    for (int i = 0; i < cairn_method_count(); i++) {
        entries[i].method = cairn_method_at(i).name;
        cairn_status status = race_one(&entries[i], o, problem, lambda);
        if (status != CAIRN_OK)
            return verb_fail(v, status, &entries[i].error);
        won =
            won || (entries[i].status == CAIRN_OK && entries[i].report.outcome == CAIRN_CONVERGED);
    }
    if (o->common.json)
        print_json(o, problem, entries);
    else if (!o->common.quiet)
        print_text(o, problem, entries);
    return won ? exit_done : exit_missed;
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {.def = cairn_default_solve_def()};
    o.def.fclib = true;
    o.def.time_limit = 10.0;
    verb_parse(v, argc, argv, &o);
    cairn_error error;
    cairn_problem problem;
    cairn_status status = cairn_fclib_read(&problem, o.file[0], &error);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    entry* entries = calloc((size_t)cairn_method_count(), sizeof *entries);
    double* lambda = malloc((size_t)problem.row_count * sizeof(double) + 1);
    int result;
    if (entries && lambda) {
        result = race(v, &o, &problem, entries, lambda);
    } else {
        status = cairn_fail(&error, CAIRN_NO_MEMORY, "%s: no memory for %d impulses", o.file[0],
                            problem.row_count);
        result = verb_fail(v, status, &error);
    }
    free(entries);
    free(lambda);
    cairn_problem_destroy(&problem);
    return result;
}

const verb verb_race = {"race", "all methods on one FCLib problem", &manual, run};
