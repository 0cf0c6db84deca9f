// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn sweep STUDY.json: many runs of one scene. Each run is a process of its own (`cairn run
// --json` of the scene with its values put in), so that one that crashes or stalls is told in its
// row and the rest goes on. Rows are appended to the table as runs end: a study that was killed
// goes on where it was.

#include "ranks.h"
#include "sweep_ranks.h"
#include "verb.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_replays = 20 };

typedef struct options {
    verb_common common;
    int jobs; ///< 0: as many as there are processors
    int shard, shards;
    int only;    ///< -1: all
    int replays; ///< pages of the worst runs
    bool retry;  ///< run again what failed
    const char* csv;
    const char* hdf5;
    const char* html;
} options;

static void take_shard(verb_common* common, const char* text, struct argp_state* state)
{
    options* o = (options*)common;
    int used = 0;
    if (sscanf(text, "%d/%d%n", &o->shard, &o->shards, &used) != 2 || text[used] || o->shard < 1 ||
        o->shard > o->shards)
        verb_usage(state, "--shard is '%s', expected K/N with K from 1 to N", text);
}

static const verb_option own[] = {
    {"jobs", "N", "Number of parallel runs (default: one per processor; under mpirun one per rank)",
     VERB_INTEGER, offsetof(options, jobs), 1, sweep_most_jobs, NULL},
    {"shard", "K/N",
     "Run only every Nth case, starting at the Kth, to divide a study among N "
     "machines",
     VERB_OWN, 0, 0, 0, take_shard},
    {"only", "RUN", "Run only this case and show its result; no table is written", VERB_INTEGER,
     offsetof(options, only), 0, 0, NULL},
    {"retry", NULL, "Repeat runs that failed, crashed or stalled", VERB_FLAG,
     offsetof(options, retry), 0, 0, NULL},
    {"csv", "FILE", "Table of results; a study that was killed resumes from it (STUDY.csv)",
     VERB_TEXT, offsetof(options, csv), 0, 0, NULL},
    {"table", "FILE", "Also write the table as HDF5 at the end", VERB_OUTPUT,
     offsetof(options, hdf5), 0, 0, NULL},
    {"html", "FILE", "Write a page with the table, histograms and scatter plots", VERB_OUTPUT,
     offsetof(options, html), 0, 0, NULL},
    {"replays", "N",
     "With --html: also write replay pages of the N runs with the largest first "
     "metric (3)",
     VERB_INTEGER, offsetof(options, replays), 0, most_replays, NULL},
    {0}};

static const char doc[] =
    "Run a parameter study: one scene with many parameter values (docs/sweep.md). "
    "Each run adds a row of metrics to a table. A study that was killed resumes "
    "where it stopped; a run that fails records the reason in its row. Tables of "
    "other shards of the same study may follow, and their rows are merged. The exit "
    "status is 1 if a run missed its tolerance or failed.\v"
    "Example:\n  cairn sweep slope.json --html slope.html\n"
    "  cairn sweep slope.json --only 17 --json";

typedef struct sweep {
    const options* o;
    const study* s;
    sweep_rows rows;
    sweep_pool pool;
    int todo; ///< runs of this call
    double started, shown;
} sweep;

// ---------------------------------------------------------------- which run comes next

static bool is_open(const sweep* w, int run)
{
    sweep_status status = w->rows.row[run].status;
    return status == SWEEP_OPEN ||
           (w->o->retry && !sweep_measured(&w->rows.row[run]) && w->rows.row[run].seconds >= 0.0);
}

static bool is_ours(const options* o, int number)
{
    return o->shards == 0 || number % o->shards == o->shard - 1;
}

// The next run of a bisection: first both ends, then the middle of the interval that is left. -1:
// the case is done, or one of its runs gave no metrics. `low` and `high` receive the interval.
static int next_of_case(sweep* w, int number, double* low, double* high)
{
    const study* s = w->s;
    int first = number * s->stride;

    // without a bisection a case is one run
    if (s->bisection.parameter < 0)
        return is_open(w, first) ? first : -1;

    const study_parameter* p = &s->parameters[s->bisection.parameter];
    sweep_row* row = w->rows.row + first;
    *low = p->from;
    *high = p->to;

    // the runs of a case are replayed in order up to the first that is open
    for (int k = 0; k < s->stride; k++) {
        double middle = k == 0 ? p->from : k == 1 ? p->to : 0.5 * (*low + *high);

        // the condition holds at both ends or at neither: there is no threshold between them
        bool over = k == 2 && row[0].holds == row[1].holds;
        if (over || (k > 1 && fabs(*high - *low) <= s->bisection.tolerance))
            return -1;

        if (is_open(w, first + k)) {
            row[k].searched = middle;
            return first + k;
        }

        if (!sweep_measured(&row[k]))
            return -1;

        // the condition changes in the half whose ends differ
        if (k > 1)
            *(row[k].holds == row[0].holds ? low : high) = middle;
    }
    return -1;
}

static void show_progress(sweep* w)
{
    double now = verb_clock(), seconds = now - w->started;
    if (w->o->common.quiet || !isatty(STDERR_FILENO) || now - w->shown < 0.1)
        return;
    w->shown = now;
    double rate = seconds > 0.0 ? w->pool.done / seconds : 0.0;
    fprintf(stderr, "\r%d of %d runs  %.3g runs/s  %.0f s left   ", w->pool.done, w->todo, rate,
            rate > 0.0 ? (w->todo - w->pool.done) / rate : 0.0);
}

// whether a case has a run under way
static bool is_busy(const sweep* w, int number)
{
    for (int k = 0; k < w->pool.jobs; k++)
        if (sweep_is_busy(&w->pool.workers[k]) && w->pool.workers[k].run / w->s->stride == number)
            return true;
    return false;
}

// gives free workers something to do; false when no case has anything left to start
static cairn_status feed(sweep* w, int* first, bool* any, cairn_error* error)
{
    *any = false;
    for (int k = 0; k < w->pool.jobs; k++) {
        sweep_worker* slot = &w->pool.workers[k];
        if (sweep_is_busy(slot)) {
            *any = true;
            continue;
        }

        // cases before `first` are done for good; a bisection comes back to those under way
        for (int number = *first; number < w->s->cases; number++) {
            double low, high;
            int run = is_ours(w->o, number) && !is_busy(w, number)
                          ? next_of_case(w, number, &low, &high)
                          : -1;

            if (run < 0) {
                *first += number == *first && !is_busy(w, number);
                continue;
            }

            // the run gets a worker
            w->rows.row[run].status = SWEEP_OPEN;
            w->rows.row[run].seconds = -1.0;
            cairn_status status = sweep_pool_start(&w->pool, slot, run, error);
            if (status != CAIRN_OK)
                return status;
            *any = true;
            break;
        }
    }
    return CAIRN_OK;
}

static cairn_status run_all(sweep* w, cairn_error* error)
{
    int first = 0;
    bool any = true;
    cairn_status status = CAIRN_OK;
    while (any && status == CAIRN_OK && !verb_signal()) {
        status = feed(w, &first, &any, error);
        sweep_pool_attend(&w->pool);
        show_progress(w);
    }

    if (!w->o->common.quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (status == CAIRN_OK && w->pool.lost)
        status = cairn_fail(error, CAIRN_NO_FILE, "%s cannot be written: %s", w->o->csv,
                            strerror(errno));
    return status;
}

// ---------------------------------------------------------------- pages of the worst runs

// the run with the largest first metric below the `count` that are listed
static int next_worst(const sweep* w, const sweep_replay* listed, int count)
{
    int worst = -1;
    size_t each = (size_t)w->s->metric_count;
    for (int run = 0; run < w->rows.count; run++) {
        bool known = !sweep_measured(&w->rows.row[run]);
        for (int k = 0; k < count; k++)
            known = known || listed[k].run == run;
        double x = w->rows.metric[(size_t)run * each];
        if (!known && !isnan(x) && (worst < 0 || x > w->rows.metric[(size_t)worst * each]))
            worst = run;
    }
    return worst;
}

static cairn_status write_page(const sweep* w, cairn_error* error)
{
    sweep_replay replays[most_replays];
    int count = 0;
    while (count < w->o->replays) {
        replays[count].run = next_worst(w, replays, count);
        if (replays[count].run < 0 || !sweep_pool_replay(&w->pool, &replays[count], w->o->html))
            break;
        count++;
    }
    return sweep_page_write(&w->rows, replays, count, w->o->html, w->o->common.force, error);
}

// ---------------------------------------------------------------- showing

static void count_statuses(const sweep* w, int count[sweep_statuses])
{
    memset(count, 0, sweep_statuses * sizeof *count);
    for (int run = 0; run < w->rows.count; run++)
        count[w->rows.row[run].status]++;
}

// the case of a bisection as an object
static json_t* threshold_to_json(sweep* w, int number)
{
    const study* s = w->s;
    const sweep_row* row = w->rows.row + (ptrdiff_t)number * s->stride;
    double low, high;
    json_t* out = json_object();
    verb_set_integer(out, "case", number);
    for (int k = 0; k < s->parameter_count; k++)
        if (k != s->bisection.parameter)
            json_object_set_new(out, s->parameters[k].name, study_value(s, k, number));
    next_of_case(w, number, &low, &high);
    bool found = row[1].status != SWEEP_OPEN && row[0].holds != row[1].holds;
    verb_set_real(out, "threshold", found ? 0.5 * (low + high) : NAN);
    verb_set_real(out, "from", low);
    verb_set_real(out, "to", high);
    return out;
}

static json_t* to_json(const void* from)
{
    sweep* w = (sweep*)from;
    json_t *out = json_object(), *files = json_array();
    int count[sweep_statuses];
    count_statuses(w, count);

    verb_set_string(out, "study", w->o->common.arguments[0]);
    verb_set_string(out, "scene", w->s->scene_name);
    verb_set_integer(out, "cases", w->s->cases);
    verb_set_integer(out, "made", w->pool.done);

    // how the runs ended
    for (int k = 1; k < sweep_statuses; k++)
        verb_set_integer(out, sweep_status_names[k], count[k]);

    // where the condition changes, by case
    if (w->s->bisection.parameter >= 0) {
        json_t* thresholds = json_array();
        for (int number = 0; number < w->s->cases; number++)
            json_array_append_new(thresholds, threshold_to_json(w, number));
        json_object_set_new(out, "thresholds", thresholds);
    }

    verb_set_real(out, "seconds", verb_clock() - w->started);
    const char* paths[] = {w->o->csv, w->o->hdf5, w->o->html};
    for (int k = 0; k < 3; k++)
        if (paths[k])
            json_array_append_new(files, json_string(paths[k]));
    json_object_set_new(out, "files", files);
    return out;
}

// least, mean and largest of a metric, and the run of the largest
static void add_metric(verb_table* table, const sweep* w, int metric)
{
    double least = INFINITY, most = -INFINITY, sum = 0.0;
    int count = 0, where = -1;

    for (int run = 0; run < w->rows.count; run++) {
        double x = w->rows.metric[(size_t)run * (size_t)w->s->metric_count + (size_t)metric];
        if (isnan(x))
            continue;
        where = x > most ? run : where;
        least = fmin(least, x);
        most = fmax(most, x);
        sum += x;
        count++;
    }

    verb_cell(table, "%.100s", w->s->metrics[metric].name);
    verb_cell(table, count ? "%.6g" : "-", least);
    verb_cell(table, count ? "%.6g" : "-", sum / count);
    verb_cell(table, count ? "%.6g" : "-", most);
    verb_cell(table, count ? "%d" : "-", where);
}

static void to_text(const void* from)
{
    sweep* w = (sweep*)from;
    int count[sweep_statuses];
    count_statuses(w, count);

    verb_print("%s: %d runs ok, %d missed a tolerance, %d failed, %d crashed, %d stalled",
               w->o->common.arguments[0], count[SWEEP_OK], count[SWEEP_MISSED], count[SWEEP_FAILED],
               count[SWEEP_CRASHED], count[SWEEP_STALLED]);

    // three reasons are enough for a terminal
    for (int run = 0, told = 0; run < w->rows.count && told < 3; run++)
        if (w->rows.row[run].reason) {
            verb_print("run %d %s: %s", run, sweep_status_names[w->rows.row[run].status],
                       w->rows.row[run].reason);
            told++;
        }

    verb_table table = {.columns = 5};
    const char* const head[] = {"metric", "least", "mean", "largest", "in run"};
    for (int k = 0; k < 5; k++)
        verb_cell(&table, "%s", head[k]);
    for (int k = 0; k < w->s->metric_count; k++)
        add_metric(&table, w, k);
    verb_print_table(&table);

    // thresholds of the bisections
    for (int number = 0; w->s->bisection.parameter >= 0 && number < w->s->cases; number++) {
        json_t* found = threshold_to_json(w, number);
        const json_t* value = json_object_get(found, "threshold");
        const char* name = w->s->parameters[w->s->bisection.parameter].name;
        if (json_is_null(value))
            verb_print("case %d: '%s' is the same at both ends of %s", number, w->s->bisection.when,
                       name);
        else
            verb_print("case %d: '%s' changes at %s = %.9g", number, w->s->bisection.when, name,
                       json_number_value(value));
        json_decref(found);
    }

    if (w->o->csv)
        verb_print_file(w->o->csv, 0.0);
    if (w->o->hdf5)
        verb_print_file(w->o->hdf5, 0.0);
    if (w->o->html)
        verb_print_file(w->o->html, 0.0);
}

// ---------------------------------------------------------------- the verb

// STUDY.csv, or STUDY-K-of-N.csv, in the folder where the program runs
static void name_table(const options* o, char* path, size_t size)
{
    const char* name = strrchr(o->common.arguments[0], '/');
    name = name ? name + 1 : o->common.arguments[0];
    const char* dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (o->shards > 1)
        snprintf(path, size, "%.*s-%d-of-%d.csv", stem, name, o->shard, o->shards);
    else
        snprintf(path, size, "%.*s.csv", stem, name);
}

// rows that are there already, and the table to which new ones are added
static cairn_status open_table(sweep* w, const options* o, cairn_error* error)
{
    struct stat about;
    bool there = lstat(o->csv, &about) == 0;
    if (!verb_may_write(o->csv, true, error))
        return CAIRN_NO_FILE;
    cairn_status status = CAIRN_OK;
    if (there && !o->common.force)
        status = sweep_table_read(&w->rows, o->csv, error);
    for (int k = 1; k < o->common.argument_count && status == CAIRN_OK; k++)
        status = sweep_table_read(&w->rows, o->common.arguments[k], error);

    // written anew, so that it ends with a whole line
    if (status == CAIRN_OK)
        status = sweep_table_write(&w->rows, o->csv, error);
    if (status != CAIRN_OK)
        return status;
    w->pool.table = fopen(o->csv, "ae");
    return w->pool.table ? CAIRN_OK
                         : cairn_fail(error, CAIRN_NO_FILE, "%s cannot be written: %s", o->csv,
                                      strerror(errno));
}

static cairn_status make_only(sweep* w, cairn_error* error)
{
    int run = w->o->only, number = run / w->s->stride;
    if (run >= w->rows.count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "--only is %d, expected a run from 0 to %d", run,
                          w->rows.count - 1);

    // runs of a bisection stand on those before them
    cairn_status status = CAIRN_OK;
    double low, high;
    for (int next = 0; next >= 0 && w->rows.row[run].status == SWEEP_OPEN && status == CAIRN_OK;) {
        next = next_of_case(w, number, &low, &high);
        if (next >= 0)
            status = sweep_pool_start(&w->pool, &w->pool.workers[0], next, error);
        while (status == CAIRN_OK && next >= 0 && w->pool.workers[0].pid && !verb_signal())
            sweep_pool_attend(&w->pool);
    }
    return status;
}

static cairn_status write_outputs(const sweep* w, cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    if (w->o->csv)
        status = sweep_table_write(&w->rows, w->o->csv, error);
    if (status == CAIRN_OK && w->o->hdf5)
        status = sweep_hdf5_write(&w->rows, w->o->hdf5, w->o->common.force, error);
    if (status == CAIRN_OK && w->o->html)
        status = write_page(w, error);
    return status;
}

static int count_todo(const sweep* w)
{
    int todo = 0;
    for (int number = 0; number < w->s->cases; number++)
        for (int k = 0; k < w->s->stride && is_ours(w->o, number); k++)
            todo += is_open(w, number * w->s->stride + k);
    return todo;
}

static void show_row(const sweep* w)
{
    const study* s = w->s;
    json_t* out = json_object();
    const sweep_row* row = &w->rows.row[w->o->only];

    verb_set_integer(out, "run", w->o->only);
    for (int k = 0; k < s->parameter_count; k++)
        json_object_set_new(out, s->parameters[k].name,
                            k == s->bisection.parameter
                                ? json_real(row->searched)
                                : study_value(s, k, w->o->only / s->stride));

    verb_set_string(out, "status", sweep_status_names[row->status]);
    for (int k = 0; k < s->metric_count; k++)
        verb_set_real(out, s->metrics[k].name,
                      w->rows.metric[(size_t)w->o->only * (size_t)s->metric_count + (size_t)k]);

    if (row->reason)
        verb_set_string(out, "reason", row->reason);
    verb_print_json(out);
}

// Slots for the runs at once: of one process as many as there are processors, of several ranks one
// each. Other ranks than the first serve until the study is over, and have no slots after that.
static cairn_status open_pool(sweep* w, const options* o, cairn_error* error)
{
    int ranks = 1;
    bool several = ranks_are_several() && o->only < 0;
    long processors = several ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    int jobs = o->jobs ? o->jobs : (int)fmin(fmax((double)processors, 1.0), sweep_most_jobs);

    cairn_status status = sweep_rows_make(&w->rows, w->s, error);
    if (status == CAIRN_OK && several)
        status = ranks_begin(&ranks, error);
    if (status == CAIRN_OK && ranks_own() > 0)
        return several ? sweep_ranks_serve(w->s, &w->rows, jobs, error) : CAIRN_OK;
    if (status == CAIRN_OK)
        status = sweep_pool_open(&w->pool, w->s, &w->rows, jobs, error);
    if (status == CAIRN_OK && several)
        status = sweep_ranks_open(&w->pool, ranks, error);
    return status;
}

static cairn_status run_study(sweep* w, options* o, cairn_error* error)
{
    char table[PATH_MAX];
    cairn_status status = open_pool(w, o, error);
    if (status != CAIRN_OK || !w->pool.workers)
        return status;

    verb_catch_signals();

    // one run alone: its row goes to standard output, and no table is written
    if (o->only >= 0) {
        status = make_only(w, error);
        if (status == CAIRN_OK && !verb_signal())
            show_row(w);
        return status;
    }

    // the table keeps each run as it ends, so that an interrupted study can be resumed
    if (!o->csv) {
        name_table(o, table, sizeof table);
        o->csv = table;
    }
    status = open_table(w, o, error);
    if (status != CAIRN_OK)
        return status;

    w->todo = count_todo(w);
    status = run_all(w, error);
    fclose(w->pool.table);
    w->pool.table = NULL;

    if (status == CAIRN_OK && !verb_signal())
        status = write_outputs(w, error);
    if (status == CAIRN_OK && !verb_signal())
        verb_show(&o->common, to_json, to_text, w);
    o->csv = NULL; // it may be the name made here
    return status;
}

static void prepare(verb_common* common)
{
    options* o = (options*)common;
    o->only = -1;
    o->replays = 3;
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    options* o = (options*)common;
    study s;
    cairn_status status = study_read(&s, common->arguments[0], error);
    if (status != CAIRN_OK)
        return status;

    sweep w = {.o = o, .s = &s, .started = verb_clock()};
    status = run_study(&w, o, error);

    int count[sweep_statuses];
    if (w.rows.row) {
        count_statuses(&w, count);
        common->missed = count[SWEEP_MISSED] + count[SWEEP_FAILED] + count[SWEEP_CRASHED] +
                             count[SWEEP_STALLED] >
                         0;
    }

    sweep_pool_close(&w.pool);
    sweep_rows_free(&w.rows);
    study_free(&s);
    return status;
}

const verb verb_sweep = {
    .name = "sweep",
    .summary = "run a parameter study of a scene",
    .arguments = "STUDY [TABLE...]",
    .least = 1,
    .most = verb_any_number,
    .noun = "study",
    .expected = "a JSON file (docs/sweep.md)",
    .doc = doc,
    .options = own,
    .size = sizeof(options),
    .prepare = prepare,
    .run = run,
};
