// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn race PROBLEM...: every method on the same problem, one table for each. A problem is an
// FCLib file, or the step of a scene that has most contacts. Results are kept as the JSON objects
// that
// --json prints; the tables read from them.

#include "dump.h"
#include "io/file.h"
#include "race_json.h"
#include "verb.h"
#include <cairn/io.h>
#include <cairn/page.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    verb_common common;
    const char* html;
} options;

static const verb_option own[] = {
    {"html", "FILE",
     "Write a page with the table and a plot of residual against time: one "
     "self-contained file that opens in any browser",
     VERB_OUTPUT, offsetof(options, html), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Solve a contact problem with every method and compare them. The problem is an "
    "FCLib file, or the step of a scene that has the most contacts. The default "
    "tolerance is the scene's, or 1e-8 for a file. Each method runs several times "
    "and the fastest run counts, in seconds of processor time; --time-limit bounds "
    "each method (10 s). The exit status is 0 if at least one method meets the "
    "tolerance on each problem, else 1.\v"
    "Example:\n  cairn race wall\n"
    "  cairn race wall.hdf5 --tolerance 1e-6 --time-limit 5 --html race.html";

static const int runs = 10;
static const double patience = 0.3; // s: enough for the fast ones to have ten runs

// ---------------------------------------------------------------- the hardest step of a scene

// runs the scene to its end and keeps the state before the step that solved most contacts: of those
// that a step reports some may be near without touching
static cairn_status find_hardest(cairn_scene* scene, cairn_snapshot** hardest, int64_t* step,
                                 cairn_error* error)
{
    cairn_scene_info info = cairn_scene_describe(scene);
    cairn_world* world = cairn_scene_world(scene);
    cairn_status status = CAIRN_OK;
    dump solved = {0};

    int most = -1, steps = (int)fmin(fmax(round(info.time / info.dt), 1.0), 1e6);
    for (int i = 0; i < steps && status == CAIRN_OK; i++) {
        cairn_snapshot* here = NULL;
        cairn_step_report report;

        // the state before the step: the step itself is needed to know how hard it is
        status = cairn_world_snapshot(world, &here, error);
        if (status == CAIRN_OK)
            status = dump_next_step(&solved, scene, info.dt, &report, error);

        // the hardest step so far keeps its snapshot; the one it replaces is freed
        if (status == CAIRN_OK && solved.problem.block_count > most) {
            cairn_snapshot* before = *hardest;
            most = solved.problem.block_count;
            *hardest = here;
            *step = report.step;
            here = before;
        }
        cairn_snapshot_destroy(here);
    }

    dump_free(&solved);
    return status;
}

static cairn_status scene_problem(dump* d, int64_t* step, double* tolerance, const char* path,
                                  cairn_error* error)
{
    cairn_scene* scene = NULL;
    cairn_snapshot* hardest = NULL;
    cairn_status status = cairn_scene_read(path, NULL, &scene, error);
    if (status != CAIRN_OK)
        return status;

    cairn_scene_info info = cairn_scene_describe(scene);
    verb_cancel_steps(cairn_scene_world(scene), 0.0);

    // run once to find the hardest step, then go back and make that step again
    status = find_hardest(scene, &hardest, step, error);
    if (status == CAIRN_OK)
        status = cairn_scene_restore(scene, hardest, error);
    if (status == CAIRN_OK)
        status = dump_step(d, scene, info.dt, error);

    verb_cancel_steps(NULL, 0.0);
    *tolerance = info.tolerance;
    cairn_snapshot_destroy(hardest);
    cairn_scene_destroy(scene);
    return status;
}

// ---------------------------------------------------------------- racing

// the name of the problem comes first
static cairn_status race_problem(json_t* results, bool* won, const cairn_problem* problem,
                                 const char* name, int64_t step, const cairn_race_def* def,
                                 cairn_error* error)
{
    json_t* race = NULL;
    cairn_status status = cairn_race(&race, problem, def, won, error);
    if (status != CAIRN_OK)
        return status;
    json_t* result = json_object();
    verb_set_string(result, "problem", name);
    if (step > 0)
        verb_set_integer(result, "step", step);
    json_object_update(result, race);
    json_decref(race);
    json_array_append_new(results, result);
    return CAIRN_OK;
}

// an HDF5 file is a problem, whatever its name; other names are scenes if they look like one
static bool is_scene(const char* name)
{
    char path[2 * PATH_MAX];
    size_t length = strlen(name);
    return !cairn_file_is_hdf5(name) &&
           (verb_shipped_scene(path, sizeof path, name) || !strpbrk(name, "./") ||
            (length > 5 && strcmp(name + length - 5, ".json") == 0));
}

static cairn_status race_one(json_t* results, bool* won, const char* name, const options* o,
                             cairn_error* error)
{
    cairn_solve_def solve = o->common.def;
    cairn_race_def def = {
        .solve = &solve, .runs = runs, .patience = patience, .traces = o->html != NULL};
    cairn_status status;

    // a scene races on its hardest step, at the scene's own tolerance
    if (is_scene(name)) {
        dump d = {0};
        char path[2 * PATH_MAX];
        int64_t step = 0;
        double tolerance = 0.0;

        status = verb_scene_path(path, sizeof path, name, error);
        if (status == CAIRN_OK)
            status = scene_problem(&d, &step, &tolerance, path, error);
        solve.tolerance = isnan(solve.tolerance) ? tolerance : solve.tolerance;
        solve.fclib = false;

        if (status == CAIRN_OK)
            status = race_problem(results, won, &d.problem, name, step, &def, error);
        dump_free(&d);
        return status;
    }

    // any other name is a file of FCLib
    cairn_problem problem;
    status = cairn_fclib_read(name, &problem, error);
    if (status != CAIRN_OK)
        return status;

    solve.tolerance =
        isnan(solve.tolerance) ? cairn_default_solve_def().tolerance : solve.tolerance;
    status = race_problem(results, won, &problem, name, 0, &def, error);
    cairn_problem_destroy(&problem);
    return status;
}

// ---------------------------------------------------------------- the page

static cairn_status write_page(const json_t* results, const options* o, cairn_error* error)
{
    json_t* page =
        json_pack("{s:s,s:s,s:O}", "type", "race", "version", cairn_version(), "problems", results);
    char* text = json_dumps(page, JSON_COMPACT | JSON_REAL_PRECISION(6));
    cairn_status status = text ? cairn_page_write_race(o->html, text, o->common.force, error)
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

// ---------------------------------------------------------------- showing

static json_t* to_json(const void* from)
{
    const json_t* results = from;
    return json_array_size(results) == 1 ? json_incref(json_array_get(results, 0))
                                         : json_pack("{s:O}", "problems", results);
}

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

static long long count_of(const json_t* result, const char* key)
{
    return (long long)json_integer_value(json_object_get(result, key));
}

static void print_problem(const json_t* result)
{
    static const char* const keys[] = {"method",         "status",    "seconds",
                                       "iterations",     "residual",  "residual_coulomb",
                                       "fclib_relative", "rescued_by"};
    enum { columns = sizeof keys / sizeof keys[0] };
    char step[64] = "";

    if (count_of(result, "step") > 0)
        snprintf(step, sizeof step, ", step %lld (most contacts)", count_of(result, "step"));
    verb_print("%s%s: %lld contacts, %lld bodies, %lld rows, tolerance %g",
               json_string_value(json_object_get(result, "problem")), step,
               count_of(result, "contacts"), count_of(result, "bodies"), count_of(result, "rows"),
               json_number_value(json_object_get(result, "tolerance")));

    verb_table table = {.columns = columns};
    size_t i;
    const json_t* item;
    for (int k = 0; k < columns; k++)
        verb_cell(&table, "%s", keys[k]);

    json_array_foreach(json_object_get(result, "methods"), i, item)
    {
        for (int k = 0; k < columns; k++)
            cell_of(&table, item, keys[k]);
    }

    verb_print_table(&table);
}

static void to_text(const void* from)
{
    const json_t* results = from;
    size_t i;
    const json_t* result;
    json_array_foreach(results, i, result)
    {
        if (i)
            verb_print("%s", "");
        print_problem(result);
    }
}

// ---------------------------------------------------------------- the verb

static cairn_status race_all(json_t* results, options* o, cairn_error* error)
{
    cairn_status status = o->html ? cairn_page_check(error) : CAIRN_OK;
    for (int i = 0; status == CAIRN_OK && i < o->common.argument_count; i++) {
        bool won = false;
        status = race_one(results, &won, o->common.arguments[i], o, error);
        o->common.missed = o->common.missed || !won;
    }
    if (status == CAIRN_OK && o->html)
        status = write_page(results, o, error);
    drop_traces(results);
    return status;
}

static void prepare(verb_common* common)
{
    common->def.fclib = true;
    common->def.time_limit = 10.0;
    common->def.tolerance = NAN; // that of the problem
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    options* o = (options*)common;
    json_t* results = json_array();
    common->def.cancel = verb_catch_signals();
    cairn_status status = race_all(results, o, error);
    if (status == CAIRN_OK)
        verb_show(common, to_json, to_text, results);
    if (status == CAIRN_OK && o->html && !common->json && !common->quiet)
        verb_print_file(o->html, 0.0);
    json_decref(results);
    return status;
}

const verb verb_race = {
    .name = "race",
    .summary = "compare all solvers on a file or on the hardest step of a scene",
    .arguments = "SCENE|FILE.hdf5...",
    .least = 1,
    .most = verb_any_number,
    .noun = "problem",
    .expected = "the name of a scene or of an FCLib file",
    .doc = doc,
    .options = own,
    .limits = true,
    .tuning = true,
    .size = sizeof(options),
    .prepare = prepare,
    .run = run,
};
