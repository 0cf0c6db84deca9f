// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn race F.hdf5...: every method on the same problem, one table. Results are kept as the JSON
// objects that --json prints; the table reads from them.

#include "io/race.h"
#include "verb.h"
#include <cairn/io.h>
#include <cairn/page.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    verb_common common;
    const char* html;
    bool force;
} options;

enum { key_html = 0x200, key_force };

static error_t take(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_html:
        o->html = arg;
        return 0;
    case key_force:
        o->force = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option own[] = {
    {"html", key_html, "FILE", 0,
     "Write a page with the table and a plot of the residual against time: one file that opens in "
     "any browser, without network",
     0},
    {"force", key_force, NULL, 0, "Overwrite an existing file", 0},
    {0}};
static const char doc[] =
    "Solve a problem by every method and compare; several files make one table. Each method has 10 "
    "seconds unless --time-limit says otherwise. The exit status is 0 when at least one method is "
    "within tolerance on each problem, else 1.\v"
    "Example:\n  cairn race wall.hdf5 --tolerance 1e-6 --time-limit 5 --html race.html";

// ---------------------------------------------------------------- racing

// the name of the file comes first
static cairn_status race_file(json_t* results, bool* won, const char* path, const options* o,
                              cairn_error* error)
{
    cairn_problem problem;
    cairn_status status = cairn_fclib_read(&problem, path, error);
    if (status != CAIRN_OK)
        return status;
    json_t* race = NULL;
    status = cairn_race(&race, &problem, &o->common.def, o->html != NULL, won, error);
    cairn_problem_destroy(&problem);
    if (status != CAIRN_OK)
        return status;
    json_t* result = json_object();
    verb_set_string(result, "problem", path);
    json_object_update(result, race);
    json_decref(race);
    json_array_append_new(results, result);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- the page

static cairn_status write_page(const json_t* results, const options* o, cairn_error* error)
{
    json_t* page =
        json_pack("{s:s,s:s,s:O}", "type", "race", "version", cairn_version(), "problems", results);
    char* text = json_dumps(page, JSON_COMPACT | JSON_REAL_PRECISION(6));
    cairn_status status = text ? cairn_page_write_race(o->html, text, o->force, error)
                               : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the page");
    free(text);
    json_decref(page);
    return status;
}

// the points of the way are for the page alone
static void drop_traces(const json_t* results)
{
    size_t i, j;
    json_t *result, *item;
    json_array_foreach(results, i, result)
    {
        json_array_foreach(json_object_get(result, "methods"), j, item)
        {
            json_object_del(item, "trace");
        }
    }
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

static cairn_status race_all(json_t* results, bool* all_won, const options* o, cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    if (o->html && !verb_may_write(o->html, o->force, error))
        return CAIRN_BAD_INPUT;
    if (o->html)
        status = cairn_page_check(error);
    for (int i = 0; status == CAIRN_OK && i < o->common.argument_count; i++) {
        bool won = false;
        status = race_file(results, &won, o->common.arguments[i], o, error);
        *all_won = *all_won && won;
    }
    if (status == CAIRN_OK && o->html)
        status = write_page(results, o, error);
    drop_traces(results);
    return status;
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {.common.def = cairn_default_solve_def()};
    o.common.def.fclib = true;
    o.common.def.time_limit = 10.0;
    verb_parse(v, argc, argv, &o.common);

    cairn_error error;
    json_t* results = json_array();
    bool all_won = true;
    cairn_status status = race_all(results, &all_won, &o, &error);
    if (status == CAIRN_OK && o.common.json)
        verb_print_json(o.common.argument_count == 1 ? json_incref(json_array_get(results, 0))
                                                     : json_pack("{s:O}", "problems", results));
    else if (status == CAIRN_OK && !o.common.quiet)
        print_table(results);
    json_decref(results);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    return all_won ? exit_done : exit_missed;
}

const verb verb_race = {
    .name = "race",
    .summary = "all methods on one FCLib problem or several",
    .arguments = "FILE.hdf5...",
    .least = 1,
    .most = verb_any_number,
    .noun = "problem",
    .expected = "the name of an FCLib file",
    .doc = doc,
    .options = own,
    .take = take,
    .limits = true,
    .tuning = true,
    .run = run,
};
