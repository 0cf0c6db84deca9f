// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn race F.hdf5...: every method on the same problem, one table. Results are kept as the JSON
// objects that --json prints; the table reads from them.

#include "verb.h"
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    verb_common common;
    cairn_solve_def def;
    char** files;
    int file_count;
} options;

static error_t parse(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->def;
        state->child_inputs[1] = &o->def;
        state->child_inputs[2] = &o->common;
        return 0;
    case ARGP_KEY_ARGS:
        o->files = state->argv + state->next;
        o->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        verb_usage(state, "no problem given, expected the name of an FCLib file");
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
    "FILE.hdf5...",
    "Solve a problem by every method and compare; several files make one table. Each method has 10 "
    "seconds unless --time-limit says otherwise. The exit status is 0 when at least one method is "
    "within tolerance on each problem, else 1.\v"
    "Example:\n  cairn race wall.hdf5 --tolerance 1e-6 --time-limit 5",
    children,
    NULL,
    NULL};

// ---------------------------------------------------------------- racing

static json_t* report_json(const cairn_report* report, const char* method)
{
    json_t* item = json_object();
    verb_set_string(item, "method", method);
    verb_set_string(item, "status", cairn_outcome_name(report->outcome));
    verb_set_real(item, "residual", report->residual.relative);
    verb_set_real(item, "residual_coulomb", report->residual_coulomb);
    verb_set_real(item, "fclib_relative", report->residual.fclib_relative);
    verb_set_integer(item, "iterations", report->iterations);
    verb_set_real(item, "seconds", report->seconds);
    if (report->note[0])
        verb_set_string(item, "note", report->note);
    return item;
}

// a method that cannot treat the problem is part of the result
static json_t* refusal_json(const cairn_error* error, const char* method)
{
    const char* const unknown[] = {"residual", "residual_coulomb", "fclib_relative", "iterations",
                                   "seconds"};
    json_t* item = json_object();
    verb_set_string(item, "method", method);
    verb_set_string(item, "status", "not-supported");
    for (int i = 0; i < 5; i++)
        json_object_set_new(item, unknown[i], json_null());
    verb_set_string(item, "note", error->text);
    return item;
}

static cairn_status race_methods(json_t* list, bool* won, const cairn_problem* problem,
                                 const cairn_solve_def* base, cairn_error* error)
{
    double* lambda = malloc((size_t)problem->row_count * sizeof(double) + 1);
    if (!lambda)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for %d impulses", problem->row_count);
    cairn_status status = CAIRN_OK;
    for (int i = 0; status == CAIRN_OK && i < cairn_method_count(); i++) {
        cairn_solve_def def = *base;
        cairn_report report;
        def.method = cairn_method_at(i).name;
        status = cairn_solve(lambda, problem, &def, &report, error);
        if (status == CAIRN_OK) {
            *won = *won || report.outcome == CAIRN_CONVERGED;
            json_array_append_new(list, report_json(&report, def.method));
        } else if (status == CAIRN_NOT_SUPPORTED) {
            json_array_append_new(list, refusal_json(error, def.method));
            status = CAIRN_OK;
        }
    }
    free(lambda);
    return status;
}

static cairn_status race_file(json_t* result, bool* won, const char* path, const options* o,
                              cairn_error* error)
{
    cairn_problem problem;
    cairn_status status = cairn_fclib_read(&problem, path, error);
    if (status != CAIRN_OK)
        return status;
    json_t* list = json_array();
    status = race_methods(list, won, &problem, &o->def, error);
    verb_set_string(result, "problem", path);
    verb_set_integer(result, "contacts", cairn_problem_contact_count(&problem));
    verb_set_integer(result, "bodies", problem.body_count);
    verb_set_integer(result, "rows", problem.row_count);
    verb_set_real(result, "tolerance", o->def.tolerance);
    json_object_set_new(result, "methods", list);
    cairn_problem_destroy(&problem);
    return status;
}

// ---------------------------------------------------------------- printing

static void cell_of(verb_table* table, const json_t* item, const char* key)
{
    const json_t* x = json_object_get(item, key);
    if (json_is_string(x))
        verb_cell(table, "%s", json_string_value(x));
    else if (json_is_integer(x))
        verb_cell(table, "%lld", (long long)json_integer_value(x));
    else if (json_is_real(x))
        verb_cell(table, strcmp(key, "seconds") == 0 ? "%.3g" : "%.2e", json_real_value(x));
    else
        verb_cell(table, "-");
}

static void print_table(const json_t* results)
{
    const char* const outer[] = {"contacts", "rows", "problem"};
    const char* const inner[] = {"method",         "status",     "residual", "residual_coulomb",
                                 "fclib_relative", "iterations", "seconds"};
    verb_table table = {.columns = 10};
    for (int k = 0; k < 7; k++)
        verb_cell(&table, "%s", inner[k]);
    for (int k = 0; k < 3; k++)
        verb_cell(&table, "%s", outer[k]);
    size_t i, j;
    const json_t *result, *item;
    json_array_foreach(results, i, result)
    {
        json_array_foreach(json_object_get(result, "methods"), j, item)
        {
            for (int k = 0; k < 7; k++)
                cell_of(&table, item, inner[k]);
            for (int k = 0; k < 3; k++)
                cell_of(&table, result, outer[k]);
        }
    }
    verb_print_table(&table);
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {.def = cairn_default_solve_def()};
    o.def.fclib = true;
    o.def.time_limit = 10.0;
    verb_parse(v, argc, argv, &o);

    cairn_error error;
    cairn_status status = CAIRN_OK;
    json_t* results = json_array();
    bool all_won = true;
    for (int i = 0; status == CAIRN_OK && i < o.file_count; i++) {
        json_t* result = json_object();
        bool won = false;
        json_array_append_new(results, result);
        status = race_file(result, &won, o.files[i], &o, &error);
        all_won = all_won && won;
    }
    if (status == CAIRN_OK && o.common.json)
        verb_print_json(o.file_count == 1 ? json_incref(json_array_get(results, 0))
                                          : json_pack("{s:O}", "problems", results));
    else if (status == CAIRN_OK && !o.common.quiet)
        print_table(results);
    json_decref(results);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    return all_won ? exit_done : exit_missed;
}

const verb verb_race = {"race", "all methods on one FCLib problem or several", &manual, run};
