// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn run SCENE: simulates a scene and says how exactly.

#include "dump.h"
#include "io/file.h"
#include "verb.h"
#include "witness.h"
#include <cairn/io.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct options {
    verb_common common;
    int steps;   ///< 0: from the time
    double time; ///< s; 0: the scene's
    double dt;   ///< s; 0: the scene's
    cairn_scene_def def;
    cairn_vec3 gravity;
    const char* csv;
    int dump_step; ///< 0: none
    const char* dump;
    const char* html;
    const char* record;
    bool force;
} options;

enum {
    key_steps = 0x200,
    key_time,
    key_dt,
    key_substeps,
    key_method,
    key_tolerance,
    key_gravity,
    key_threads,
    key_no_sleep,
    key_csv,
    key_dump,
    key_html,
    key_record,
    key_force
};

static double positive(const struct argp_state* state, const char* option, const char* text)
{
    double x = verb_real(state, option, text);
    if (!(x > 0.0))
        verb_usage(state, "%s is '%s', expected a number > 0", option, text);
    return x;
}

static cairn_vec3 vector(const struct argp_state* state, const char* text)
{
    double x, y, z;
    int used = 0;
    if (sscanf(text, "%lf,%lf,%lf%n", &x, &y, &z, &used) != 3 || text[used] ||
        !cairn_is_finite(cairn_vec(x, y, z)))
        verb_usage(state, "--gravity is '%s', expected X,Y,Z", text);
    return cairn_vec(x, y, z);
}

static const char* method(const struct argp_state* state, const char* name)
{
    for (int i = 0; i < cairn_method_count(); i++)
        if (strcmp(cairn_method_at(i).name, name) == 0)
            return cairn_method_at(i).name;
    verb_usage(state, "'%s' is not a method; `cairn methods` lists them", name);
}

// --dump-problem takes two values: the second is the next argument
static void take_dump(options* o, const char* arg, struct argp_state* state)
{
    o->dump_step = verb_integer(state, "--dump-problem", arg, 1);
    if (state->next >= state->argc)
        verb_usage(state, "--dump-problem needs two values (STEP FILE)");
    o->dump = state->argv[state->next++];
}

static error_t take_rest(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_gravity:
        o->gravity = vector(state, arg);
        o->def.gravity = &o->gravity;
        return 0;
    case key_csv:
        o->csv = arg;
        return 0;
    case key_dump:
        take_dump(o, arg, state);
        return 0;
    case key_html:
        o->html = arg;
        return 0;
    case key_record:
        o->record = arg;
        return 0;
    case key_force:
        o->force = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t take(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_steps:
        o->steps = verb_integer(state, "--steps", arg, 1);
        return 0;
    case key_time:
        o->time = positive(state, "--time", arg);
        return 0;
    case key_dt:
        o->dt = positive(state, "--dt", arg);
        return 0;
    case key_substeps:
        o->def.substeps = verb_integer(state, "--substeps", arg, 1);
        return 0;
    case key_threads:
        o->def.threads = verb_integer(state, "--threads", arg, 1);
        return 0;
    case key_no_sleep:
        o->def.no_sleep = true;
        return 0;
    case key_method:
        o->def.method = method(state, arg);
        return 0;
    case key_tolerance:
        o->def.tolerance = positive(state, "--tolerance", arg);
        return 0;
    default:
        return take_rest(key, arg, state);
    }
}

static const struct argp_option own[] = {
    {"steps", key_steps, "N", 0, "Steps to make (from --time)", 0},
    {"time", key_time, "SECONDS", 0, "Time to simulate (the scene's)", 0},
    {"dt", key_dt, "SECONDS", 0, "Length of a step (the scene's, mostly 1/60)", 0},
    {"substeps", key_substeps, "N", 0, "Substeps of a step (the scene's, mostly 1)", 0},
    {"method", key_method, "NAME", 0, "Method, see `cairn methods` (the scene's, mostly auto)", 0},
    {"tolerance", key_tolerance, "X", 0, "Largest relative residual that counts as solved", 0},
    {"gravity", key_gravity, "X,Y,Z", 0, "Gravity in m/s² (the scene's)", 0},
    {"threads", key_threads, "N", 0, "Threads; they never change the answer (1)", 0},
    {"no-sleep", key_no_sleep, NULL, 0, "Compute islands that stand still too", 0},
    {"csv", key_csv, "FILE", 0, "Write one line for each step", 0},
    {"dump-problem", key_dump, "STEP FILE", 0,
     "Write the contact problem of a step (the first is 1; of its last substep) with the impulses "
     "that were found, in FCLib's format",
     0},
    {"record", key_record, "FILE", 0,
     "Record the run as HDF5 (docs/recording.md): `cairn info`, `check`, `diff` and `view` read it",
     0},
    {"html", key_html, "FILE", 0,
     "Write a page that plays the run: one file that opens in any browser, without network", 0},
    {"force", key_force, NULL, 0, "Overwrite existing files", 0},
    {0}};
static const char doc[] =
    "Simulate a scene: a file (docs/scene.md) or the name of a shipped one (`cairn scenes`). The "
    "exit status is 1 when a solve missed its tolerance.\v"
    "Example:\n  cairn run wall --html wall.html\n"
    "  cairn run wall --time 2 --csv wall.csv --json";

// ---------------------------------------------------------------- what a run leaves behind

enum { most_methods = 24 };

typedef struct record {
    int steps; ///< to make
    int done;
    double* ms;                ///< of each step
    double contacts, residual; ///< sums
    int contacts_max;
    double residual_max, penetration_max, joint_error_max;
    double energy_start, energy_end;
    double stages[5]; ///< ms, sums
    int missed, frozen;
    int bodies, awake;
    int method_count;
    struct {
        const char* name;
        int64_t count;
    } methods[most_methods]; ///< how many islands of all steps each one solved
    FILE* csv;
    char* csv_text;
    size_t csv_size;
} record;

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void count_methods(record* r, const cairn_step_report* s)
{
    for (int i = 0; i < s->islands; i++) {
        const char* name = s->island_reports[i].method;
        int k = 0;
        while (k < r->method_count && strcmp(r->methods[k].name, name) != 0)
            k++;
        if (k == most_methods || strcmp(name, "none") == 0)
            continue;
        if (k == r->method_count) {
            r->methods[k].name = name;
            r->methods[k].count = 0;
            r->method_count++;
        }
        r->methods[k].count++;
    }
}

static void add_step(record* r, const cairn_step_report* s, double ms)
{
    const double stages[5] = {s->ms_broad, s->ms_narrow, s->ms_assemble, s->ms_solve,
                              s->ms_integrate};
    r->ms[r->done++] = ms;
    r->contacts += s->contacts;
    r->residual += s->residual;
    r->contacts_max = s->contacts > r->contacts_max ? s->contacts : r->contacts_max;
    r->residual_max = fmax(r->residual_max, s->residual);
    r->penetration_max = fmax(r->penetration_max, s->penetration);
    r->joint_error_max = fmax(r->joint_error_max, s->joint_error);
    r->missed += s->outcome != CAIRN_CONVERGED;
    r->frozen += s->frozen;
    r->bodies = s->bodies;
    r->awake = s->awake;
    count_methods(r, s);
    for (int k = 0; k < 5; k++)
        r->stages[k] += stages[k];
    if (r->csv)
        fprintf(r->csv, "%" PRId64 ",%.9g,%.6g,%d,%d,%.6g,%.6g,%.6g,%.6g,%.17g,%.17g,%s,%s\n",
                s->step, s->time, ms, s->bodies, s->contacts, s->residual, s->residual_velocity,
                s->penetration, s->joint_error, s->kinetic, s->potential, s->method,
                cairn_outcome_name(s->outcome));
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// the 99th percentile by nearest rank; sorts
static double percentile(record* r)
{
    qsort(r->ms, (size_t)r->done, sizeof *r->ms, by_size);
    int rank = (int)ceil(0.99 * r->done);
    return r->ms[rank > 0 ? rank - 1 : 0];
}

static double sum(const double* x, int n)
{
    double total = 0.0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

// ---------------------------------------------------------------- running

static void show_progress(const record* r, double started, double* shown)
{
    enum { width = 30 };
    double now = milliseconds(), seconds = 1e-3 * (now - started);
    if (now - *shown < 100.0 && r->done < r->steps)
        return;
    *shown = now;
    double rate = seconds > 0.0 ? r->done / seconds : 0.0;
    int full = (int)((int64_t)width * r->done / r->steps);
    char bar[width + 1];
    memset(bar, '.', width);
    memset(bar, '#', (size_t)full);
    bar[width] = 0;
    fprintf(stderr, "\r[%s] %d/%d  %.0f steps/s  %.0f s left   ", bar, r->done, r->steps, rate,
            rate > 0.0 ? (r->steps - r->done) / rate : 0.0);
}

// keeps the problem of the next step, which is made once more: the run is the same with it and
// without
static cairn_status look_ahead(dump* d, cairn_scene* scene, const witness* w, double dt,
                               cairn_error* error)
{
    cairn_world* world = cairn_scene_world(scene);
    cairn_snapshot* here = NULL;
    cairn_status status = cairn_world_snapshot(world, &here, error);
    if (status == CAIRN_OK)
        status = dump_step(d, scene, dt, error);
    if (status == CAIRN_OK)
        status = cairn_scene_restore(scene, here, error);
    if (w->recorder)
        cairn_world_set_solve_hook(world, cairn_recorder_solve, w->recorder);
    cairn_snapshot_destroy(here);
    return status;
}

static cairn_status simulate(cairn_scene* scene, record* r, dump* d, witness* w, const options* o,
                             cairn_error* error)
{
    bool bar = !o->common.quiet && isatty(STDERR_FILENO);
    double started = milliseconds(), shown = 0.0, potential;
    cairn_world* world = cairn_scene_world(scene);
    cairn_status status = CAIRN_OK;
    cairn_step_report report = {0};
    cairn_world_energy(world, &r->energy_start, &potential);
    r->energy_start += potential;
    for (int i = 1; i <= r->steps && status == CAIRN_OK; i++) {
        if (i == o->dump_step)
            status = look_ahead(d, scene, w, o->dt, error);
        double start = milliseconds();
        if (status == CAIRN_OK)
            status = cairn_scene_step(scene, o->dt, &report, error);
        double ms = milliseconds() - start;
        if (status == CAIRN_OK)
            add_step(r, &report, ms);
        if (status == CAIRN_OK)
            status = witness_see(w, scene, &report, ms, error);
        if (bar)
            show_progress(r, started, &shown);
    }
    if (bar)
        fputs("\r\033[K", stderr);
    r->energy_end = report.kinetic + report.potential;
    return status;
}

static cairn_status write_files(record* r, dump* d, witness* w, const options* o,
                                cairn_error* error)
{
    cairn_status status = witness_write(w, error);
    if (status == CAIRN_OK && r->csv) {
        fflush(r->csv);
        status = cairn_file_write(o->csv, r->csv_text, r->csv_size, o->force, error);
    }
    if (status != CAIRN_OK || !o->dump)
        return status;
    return cairn_fclib_write(o->dump, &d->problem, d->lambda, o->force, error);
}

// ---------------------------------------------------------------- telling

static const char* const stage_names[] = {"broad", "narrow", "assemble", "solve", "integrate"};

static void print_json(record* r, const cairn_scene* scene, const options* o)
{
    json_t *out = json_object(), *stages = json_object(), *methods = json_object();
    char hash[32];
    double mean = sum(r->ms, r->done) / r->done;
    snprintf(hash, sizeof hash, "%016" PRIx64, cairn_world_hash(cairn_scene_world(scene)));
    verb_set_string(out, "scene", o->common.arguments[0]);
    verb_set_string(out, "method", cairn_scene_describe(scene).method);
    verb_set_integer(out, "steps", r->done);
    verb_set_real(out, "dt", o->dt);
    verb_set_integer(out, "bodies", r->bodies);
    verb_set_real(out, "contacts_mean", r->contacts / r->done);
    verb_set_integer(out, "contacts_max", r->contacts_max);
    verb_set_real(out, "ms_step_mean", mean);
    verb_set_real(out, "ms_step_p99", percentile(r));
    verb_set_real(out, "residual_mean", r->residual / r->done);
    verb_set_real(out, "residual_max", r->residual_max);
    verb_set_real(out, "penetration_max", r->penetration_max);
    verb_set_real(out, "joint_error_max", r->joint_error_max);
    verb_set_real(out, "energy_start", r->energy_start);
    verb_set_real(out, "energy_end", r->energy_end);
    verb_set_string(out, "state_hash", hash);
    for (int k = 0; k < 5; k++)
        verb_set_real(stages, stage_names[k], r->stages[k] / r->done);
    json_object_set_new(out, "stages", stages);
    for (int k = 0; k < r->method_count; k++)
        verb_set_integer(methods, r->methods[k].name, r->methods[k].count);
    json_object_set_new(out, "methods", methods);
    verb_set_integer(out, "awake", r->awake);
    verb_print_json(out);
}

static void print_text(record* r, const cairn_scene* scene, const options* o)
{
    cairn_scene_info info = cairn_scene_describe(scene);
    double total = sum(r->ms, r->done), mean = total / r->done;
    verb_table table = {.columns = 2};
    printf("%s: %s\n", o->common.arguments[0], info.title);
    verb_cell(&table, "simulated");
    verb_cell(&table, "%.6g s in %.3g s: %d steps of %.6g s, %d substeps", r->done * o->dt,
              1e-3 * total, r->done, o->dt, info.substeps);
    verb_cell(&table, "bodies");
    verb_cell(&table, "%d, %d of them awake at the end", r->bodies, r->awake);
    verb_cell(&table, "contacts");
    verb_cell(&table, "%.1f on average, %d at most", r->contacts / r->done, r->contacts_max);
    verb_cell(&table, "method");
    verb_cell(&table, "%s, tolerance %g", info.method, info.tolerance);
    if (r->method_count > 0) {
        verb_cell(&table, "islands by");
        char text[400] = "";
        size_t length = 0;
        for (int k = 0; k < r->method_count && length < sizeof text; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %" PRId64,
                                       k ? ", " : "", r->methods[k].name, r->methods[k].count);
        verb_cell(&table, "%s", text);
    }
    verb_cell(&table, "a step");
    verb_cell(&table, "%.3f ms on average, 99 %% within %.3f ms", mean, percentile(r));
    verb_cell(&table, "of that");
    verb_cell(&table, "broad %.3f, narrow %.3f, assemble %.3f, solve %.3f, integrate %.3f ms",
              r->stages[0] / r->done, r->stages[1] / r->done, r->stages[2] / r->done,
              r->stages[3] / r->done, r->stages[4] / r->done);
    verb_cell(&table, "residual");
    verb_cell(&table, "%.2e on average, %.2e at most", r->residual / r->done, r->residual_max);
    verb_cell(&table, "penetration");
    verb_cell(&table, "%.3g mm at most", 1e3 * r->penetration_max);
    verb_cell(&table, "joint error");
    verb_cell(&table, "%.3g mm at most", 1e3 * r->joint_error_max);
    verb_cell(&table, "energy");
    verb_cell(&table, "%.6g J at the start, %.6g J at the end", r->energy_start, r->energy_end);
    verb_cell(&table, "state hash");
    verb_cell(&table, "%016" PRIx64, cairn_world_hash(cairn_scene_world(scene)));
    verb_print_table(&table);
    if (r->missed)
        printf("%d of %d steps missed the tolerance\n", r->missed, r->done);
    if (r->frozen)
        printf("%d bodies left the range of numbers and were frozen\n", r->frozen);
}

// ---------------------------------------------------------------- the verb

// lengths that the scene gives and options overrule
static cairn_status plan(options* o, record* r, const cairn_scene* scene, cairn_error* error)
{
    cairn_scene_info info = cairn_scene_describe(scene);
    o->dt = o->dt > 0.0 ? o->dt : info.dt;
    double steps = o->steps ? o->steps : round((o->time > 0.0 ? o->time : info.time) / o->dt);
    if (!(steps >= 1.0 && steps <= 1e8))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%g steps, expected 1 to 1e8", steps);
    r->steps = (int)steps;
    if (o->dump_step > r->steps)
        return cairn_fail(error, CAIRN_BAD_INPUT, "--dump-problem is %d, expected a step up to %d",
                          o->dump_step, r->steps);
    r->ms = calloc((size_t)r->steps, sizeof *r->ms);
    if (o->csv)
        r->csv = open_memstream(&r->csv_text, &r->csv_size);
    if (!r->ms || (o->csv && !r->csv))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the metrics of %d steps",
                          r->steps);
    if (r->csv)
        fputs("step,time,ms,bodies,contacts,residual,residual_velocity,penetration,joint_error,"
              "kinetic,potential,method,outcome\n",
              r->csv);
    return CAIRN_OK;
}

static cairn_status open_scene(cairn_scene** scene, char* path, const options* o,
                               cairn_error* error)
{
    if ((o->csv && !verb_may_write(o->csv, o->force, error)) ||
        (o->dump && !verb_may_write(o->dump, o->force, error)) ||
        (o->html && !verb_may_write(o->html, o->force, error)) ||
        (o->record && !verb_may_write(o->record, o->force, error)) ||
        !verb_scene_path(path, PATH_MAX, o->common.arguments[0], error))
        return CAIRN_BAD_INPUT;
    return cairn_scene_read(scene, path, &o->def, error);
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {0};
    record r = {0};
    dump d = {0};
    cairn_scene* scene = NULL;
    cairn_error error;
    char path[PATH_MAX];
    verb_parse(v, argc, argv, &o.common);
    witness w = {.html = o.html, .record = o.record, .force = o.force};
    cairn_status status = open_scene(&scene, path, &o, &error);
    if (status == CAIRN_OK)
        status = plan(&o, &r, scene, &error);
    if (status == CAIRN_OK)
        status = witness_open(&w, scene, o.common.arguments[0], path, o.dt, &error);
    if (status == CAIRN_OK)
        status = simulate(scene, &r, &d, &w, &o, &error);
    if (status == CAIRN_OK)
        status = write_files(&r, &d, &w, &o, &error);
    if (status == CAIRN_OK && o.common.json)
        print_json(&r, scene, &o);
    else if (status == CAIRN_OK && !o.common.quiet)
        print_text(&r, scene, &o);
    if (r.csv)
        fclose(r.csv);
    free(r.csv_text);
    free(r.ms);
    dump_free(&d);
    witness_close(&w);
    cairn_scene_destroy(scene);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    return r.missed ? exit_missed : exit_done;
}

const verb verb_run = {
    .name = "run",
    .summary = "simulate a scene",
    .arguments = "SCENE",
    .least = 1,
    .most = 1,
    .noun = "scene",
    .expected = "for example 'wall'; `cairn scenes` lists them",
    .doc = doc,
    .options = own,
    .take = take,
    .run = run,
};
