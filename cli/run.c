// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn run SCENE: simulates a scene and says how exactly.

#include "run.h"
#include "ranks.h"
#include "sized.h"
#include <cairn/io.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void take_gravity(verb_common* common, const char* text, struct argp_state* state)
{
    run_options* o = (run_options*)common;
    double x, y, z;
    int used = 0;
    if (sscanf(text, "%lf,%lf,%lf%n", &x, &y, &z, &used) != 3 || text[used] ||
        !cairn_is_finite(cairn_vec(x, y, z)))
        verb_usage(state, "--gravity is '%s', expected X,Y,Z", text);
    o->gravity = cairn_vec(x, y, z);
    o->def.gravity = &o->gravity;
}

static void add_option(run_options* o, const char* text, struct argp_state* state)
{
    if (o->def.option_count == run_most_options)
        verb_usage(state, "too many --option, at most %d are allowed", run_most_options);
    o->options[o->def.option_count++] = text;
    o->def.options = o->options;
}

// checked here, so that a wrong one is told before the scene is read
static void take_option(verb_common* common, const char* text, struct argp_state* state)
{
    verb_set_option(&common->def, text, state);
    add_option((run_options*)common, text, state);
}

static void take_facets(verb_common* common, const char* text, struct argp_state* state)
{
    run_options* o = (run_options*)common;
    snprintf(o->facets, sizeof o->facets, "facets=%d",
             verb_integer(state, "--facets", text, 3, 1000));
    add_option(o, o->facets, state);
}

static void take_seed(verb_common* common, const char* text, struct argp_state* state)
{
    run_options* o = (run_options*)common;
    snprintf(o->seed, sizeof o->seed, "seed=%.30s", text);
    verb_set_option(&common->def, o->seed, state);
    add_option(o, o->seed, state);
}

static void take_preset(verb_common* common, const char* text, struct argp_state* state)
{
    run_options* o = (run_options*)common;
    if (strcmp(text, "balanced") != 0 && strcmp(text, "realtime") != 0 &&
        strcmp(text, "exact") != 0)
        verb_usage(state, "--preset is '%s', expected balanced, realtime or exact", text);
    o->def.preset = text;
}

static void take_watch(verb_common* common, const char* text, struct argp_state* state)
{
    run_options* o = (run_options*)common;
    if (o->watched_count == run_most_options)
        verb_usage(state, "too many --watch, at most %d are allowed", run_most_options);
    o->watched[o->watched_count++] = text;
}

// two values: the second is the next argument
static void take_dump(verb_common* common, const char* text, struct argp_state* state)
{
    run_options* o = (run_options*)common;
    o->dump_step = verb_integer(state, "--dump-problem", text, 1, 0);
    if (state->next >= state->argc)
        verb_usage(state, "--dump-problem needs two values (STEP FILE)");
    o->dump = state->argv[state->next++];
}

static const verb_option own[] = {
    {"size", "GRAINS", "Approximate number of grains of the scenes heap, silo and drum, up to 1e8",
     VERB_POSITIVE, offsetof(run_options, size), 0, 0, NULL},
    {"steps", "N", "Number of steps (default: from --time)", VERB_INTEGER,
     offsetof(run_options, steps), 1, 0, NULL},
    {"time", "SECONDS", "Simulated time (default: the scene's)", VERB_POSITIVE,
     offsetof(run_options, time), 0, 0, NULL},
    {"dt", "SECONDS", "Time step (default: the scene's, usually 1/60)", VERB_POSITIVE,
     offsetof(run_options, dt), 0, 0, NULL},
    {"preset", "NAME",
     "Preset: balanced, realtime or exact (default: the scene's, usually balanced)", VERB_OWN, 0, 0,
     0, take_preset},
    {"substeps", "N", "Substeps per step (default: the scene's, usually 4)", VERB_INTEGER,
     offsetof(run_options, def.substeps), 1, 0, NULL},
    {"method", "NAME", "Solver, see `cairn methods` (default: the scene's, usually auto)",
     VERB_METHOD, offsetof(run_options, def.method), 0, 0, NULL},
    {"option", "NAME=VALUE", "Option of the solver, see `cairn methods`; repeat for more", VERB_OWN,
     0, 0, 0, take_option},
    {"facets", "N", "Facets of the friction pyramid, for methods that linearize the cone (8)",
     VERB_OWN, 0, 0, 0, take_facets},
    {"seed", "N", "Seed for methods that use random numbers (1)", VERB_OWN, 0, 0, 0, take_seed},
    {"tolerance", "X", "Relative residual at which a solve counts as converged", VERB_POSITIVE,
     offsetof(run_options, def.tolerance), 0, 0, NULL},
    {"budget", "SECONDS",
     "Time budget per step; a step that runs out of it reports the residual it "
     "reached (default: the scene's)",
     VERB_POSITIVE, offsetof(run_options, def.budget), 0, 0, NULL},
    {"work", "N",
     "Budget per step in counted operations (about 25 ns each): same result on every "
     "machine",
     VERB_POSITIVE, offsetof(run_options, def.work), 0, 0, NULL},
    {"time-limit", "SECONDS",
     "Stop the run after this much wall-clock time, even in the middle of a step; "
     "output up to then is kept, and the exit status is 1",
     VERB_POSITIVE, offsetof(run_options, time_limit), 0, 0, NULL},
    {"gravity", "X,Y,Z", "Gravity in m/s² (default: the scene's)", VERB_OWN, 0, 0, 0, take_gravity},
    {"threads", "N", "Number of threads; never changes the result (1)", VERB_INTEGER,
     offsetof(run_options, def.threads), 1, 0, NULL},
    {"no-sleep", NULL, "Never put islands to sleep", VERB_FLAG, offsetof(run_options, def.no_sleep),
     0, 0, NULL},
    {"csv", "FILE", "Write one line per step during the run (-: standard output)", VERB_OUTPUT,
     offsetof(run_options, csv), 0, 0, NULL},
    {"dump-problem", "STEP FILE",
     "Write the contact problem of one step (counted from 1; the largest of its solves) and "
     "the computed impulses as an FCLib file",
     VERB_OWN, 0, 0, 0, take_dump},
    {"record", "FILE",
     "Record the run as HDF5 (docs/recording.md), for `cairn info`, `check`, `diff` "
     "and `view`",
     VERB_OUTPUT, offsetof(run_options, record), 0, 0, NULL},
    {"watch", "NAME",
     "With --csv: add columns for the motion of this body, for the coordinate, speed and forces of "
     "this joint, or for what this sensor reads; with --json: include the final state of this "
     "body; repeat for more",
     VERB_OWN, 0, 0, 0, take_watch},
    {"joints", NULL, "With --json: include the final coordinate, error and force of every joint",
     VERB_FLAG, offsetof(run_options, joints), 0, 0, NULL},
    {"checkpoint", "FILE",
     "Under mpirun: write checkpoints of the run to this file; a run that was killed can be "
     "resumed from it",
     VERB_TEXT, offsetof(run_options, checkpoint), 0, 0, NULL},
    {"every", "STEPS", "Number of steps between checkpoints (100)", VERB_INTEGER,
     offsetof(run_options, every), 1, 0, NULL},
    {"resume", "FILE", "Under mpirun: resume from a checkpoint that the same number of ranks wrote",
     VERB_TEXT, offsetof(run_options, resume), 0, 0, NULL},
    {"html", "FILE", "Write a replay page: one self-contained file that opens in any browser",
     VERB_OUTPUT, offsetof(run_options, html), 0, 0, NULL},
    {"gltf", "FILE.glb",
     "Write the run as glTF 2.0 (GLB): the bodies as meshes and their motion as an animation, for "
     "Blender, three.js and other programs",
     VERB_OUTPUT, offsetof(run_options, gltf), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Simulate a scene: a file (docs/scene.md) or the name of an included scene "
    "(`cairn scenes`). The exit status is 1 if a solve missed its tolerance or a "
    "step missed the accuracy of its motion (outcome step-limit, "
    "docs/certificate.md). Ctrl-C stops a run at once; recordings and CSV files "
    "keep every completed step.\v"
    "Example:\n  cairn run wall --html wall.html\n"
    "  cairn run wall --time 2 --csv wall.csv --json";

// ---------------------------------------------------------------- what a run leaves behind

static double milliseconds(void)
{
    return 1e3 * verb_clock();
}

void run_count_method(run_record* r, const char* name, int64_t count)
{
    int k = 0;
    while (k < r->method_count && strcmp(r->methods[k].name, name) != 0)
        k++;
    if (k == run_most_methods || strcmp(name, "none") == 0)
        return;
    if (k == r->method_count) {
        r->methods[k].name = name;
        r->methods[k].count = 0;
        r->method_count++;
    }
    r->methods[k].count += count;
}

static void add_step(run_record* r, const cairn_step_report* s, int islands, double ms)
{
    const double stages[5] = {s->ms_broad, s->ms_narrow, s->ms_assemble, s->ms_solve,
                              s->ms_integrate};

    // sums and worst values over the steps
    r->ms[r->done++] = ms;
    r->contacts += s->contacts;
    r->residual += s->residual;
    r->contacts_max = s->contacts > r->contacts_max ? s->contacts : r->contacts_max;
    r->residual_max = fmax(r->residual_max, s->residual);
    r->penetration_max = fmax(r->penetration_max, s->penetration);
    r->joint_error_max = fmax(r->joint_error_max, s->joint_error);
    cairn_motion_add(&r->motion, &s->motion);
    r->missed += s->outcome != CAIRN_OUTCOME_CONVERGED;
    r->limited += s->outcome == CAIRN_OUTCOME_STEP_LIMIT;
    r->frozen += s->frozen;

    // counts of the last step; the multiplicity is that of the last step with islands
    r->bodies = s->bodies;
    r->awake = s->awake;
    if (s->islands > 0)
        r->multiplicity = s->multiplicity;

    // how often each method solved an island, and where the time went
    for (int i = 0; i < islands; i++)
        run_count_method(r, s->island_reports[i].method, 1);
    for (int k = 0; k < 5; k++)
        r->stages[k] += stages[k];
}

// the first bodies for which no velocity satisfied the contacts of a step
static void note_squeezed(run_record* r, const cairn_world* world)
{
    r->squeezed++;
    for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
        cairn_body_id id = cairn_world_body_at(world, slot);
        cairn_body_state body;
        if (id.generation == 0 || cairn_body_get(world, id, &body, NULL) != CAIRN_OK ||
            !body.squeezed)
            continue;

        int k = 0;
        while (k < r->squeezed_count && r->squeezed_bodies[k].index != id.index)
            k++;
        if (k == r->squeezed_count && k < run_most_named)
            r->squeezed_bodies[r->squeezed_count++] = id;
    }
}

// ---------------------------------------------------------------- running

static void show_progress(const run_record* r, double started, double* shown)
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

// why the run has to end before its last step
static run_ending must_end(const run_record* r, const run_options* o)
{
    if (verb_signal())
        return ENDED_SIGNAL;
    bool late = o->time_limit > 0.0 && verb_clock() - r->started >= o->time_limit;
    return late ? ENDED_TIME_LIMIT : ENDED_DONE;
}

static cairn_status make_step(cairn_scene* scene, run_record* r, run_onlookers* all,
                              const run_options* o, cairn_error* error)
{
    cairn_step_report report = {0};
    cairn_status status = CAIRN_OK;

    // the problem of a step can be dumped only by making the step twice
    if (r->done + 1 == o->dump_step)
        status = look_ahead(&all->d, scene, &all->w, o->dt, error);

    double start = milliseconds();
    if (status == CAIRN_OK)
        status = all->ranks.world ? run_ranks_step(&all->ranks, o->dt, &report, error)
                                  : cairn_scene_step(scene, o->dt, &report, error);
    if (status != CAIRN_OK)
        return status;

    double ms = milliseconds() - start;
    add_step(r, &report, all->ranks.world ? all->ranks.islands : report.islands, ms);
    r->energy_end = report.kinetic + report.potential;
    if (report.outcome == CAIRN_OUTCOME_NO_SOLUTION)
        note_squeezed(r, cairn_scene_world(scene));

    status = csv_add(&all->c, &report, ms, error);
    return status == CAIRN_OK ? witness_see(&all->w, scene, &report, ms, error) : status;
}

static cairn_status simulate(cairn_scene* scene, run_record* r, run_onlookers* all,
                             const run_options* o, cairn_error* error)
{
    bool bar = !o->common.quiet && isatty(STDERR_FILENO);
    double started = milliseconds(), shown = 0.0, potential;
    cairn_status status = CAIRN_OK;

    // several ranks have the energy together: each has only its own bodies
    cairn_world_energy(cairn_scene_world(scene), &r->energy_start, &potential);
    r->energy_start += potential;
    if (all->ranks.world)
        r->energy_start = run_ranks_energy(&all->ranks);
    r->energy_end = r->energy_start;

    // ranks must agree to end, or one would wait for ever for the others
    while (r->done < r->steps && status == CAIRN_OK) {
        r->ended = (run_ending)ranks_most((int)must_end(r, o));
        if (r->ended != ENDED_DONE)
            break;
        status = make_step(scene, r, all, o, error);
        if (bar)
            show_progress(r, started, &shown);
    }

    if (bar)
        fputs("\r\033[K", stderr);

    // a step that was canceled was never made
    if (status == CAIRN_INTERRUPTED) {
        r->ended = must_end(r, o);
        status = CAIRN_OK;
    }
    return status;
}

static cairn_status write_files(run_record* r, run_onlookers* all, const run_options* o,
                                cairn_error* error)
{
    cairn_status status = csv_close(&all->c, error);
    if (status == CAIRN_OK)
        status = witness_write(&all->w, r->ended == ENDED_SIGNAL, error);

    // a signal that came while the page was made
    if (status == CAIRN_INTERRUPTED) {
        r->ended = ENDED_SIGNAL;
        status = CAIRN_OK;
    }
    if (status != CAIRN_OK || !o->dump || r->done < o->dump_step)
        return status;
    return cairn_fclib_write(o->dump, &all->d.problem, all->d.lambda, o->common.force, error);
}

// ---------------------------------------------------------------- the verb

// lengths that the scene gives and options overrule
static cairn_status plan(run_options* o, run_record* r, const cairn_scene* scene,
                         cairn_error* error)
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
    return r->ms ? CAIRN_OK
                 : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the metrics of %d steps",
                              r->steps);
}

static cairn_status open_csv(csv* c, const cairn_scene* scene, const run_options* o,
                             cairn_error* error)
{
    *c = (csv){.scene = scene, .watched = o->watched, .watched_count = o->watched_count};
    return csv_open(c, o->csv, o->common.force, error);
}

// a scene of as many grains as were asked for; each rank makes its own share of them
static cairn_status read_sized(cairn_scene** scene, char* path, size_t room, double grains,
                               run_onlookers* all, run_options* o, cairn_error* error)
{
    enum { beside = 100 }; // the grains
    cairn_status status = sized_write(o->common.arguments[0], grains, path, room, error);
    if (status != CAIRN_OK)
        return status;
    all->sized = true;
    o->def.limit = (int)(2.0 * grains) + beside;
    if (ranks_are_several() && grains >= run_least_sized) {
        o->def.part = ranks_own();
        o->def.parts = ranks_size();
        all->ranks.parted = true;
    }
    return cairn_scene_read(path, &o->def, scene, error);
}

// the scene, and the file that it was read from
static cairn_status read_scene(cairn_scene** scene, char* path, size_t room, run_onlookers* all,
                               run_options* o, cairn_error* error)
{
    const char* name = o->common.arguments[0];
    cairn_status status = CAIRN_OK;
    double grains = 0.0;
    bool sized = sized_scene(name, &grains);
    if (o->size > 0.0 && !sized)
        return cairn_fail(error, CAIRN_BAD_INPUT, "--size is of heap, silo and drum, not of %s",
                          name);
    grains = o->size > 0.0 ? o->size : grains;
    if (grains > 0.0)
        return read_sized(scene, path, room, grains, all, o, error);
    status = verb_scene_path(path, room, name, error);
    return status == CAIRN_OK ? cairn_scene_read(path, &o->def, scene, error) : status;
}

// A world too small to be shared is run by the first rank, as if it were alone; false: this is
// another one.
static bool takes_part(const cairn_scene* scene, const run_onlookers* all)
{
    bool small = cairn_scene_describe(scene).body_count < run_least_shared && !all->ranks.parted;
    if (!ranks_are_several() || !small)
        return true;
    bool first = ranks_own() == 0;
    ranks_leave();
    return first;
}

static cairn_status open_all(cairn_scene* scene, const char* path, run_record* r,
                             run_onlookers* all, run_options* o, cairn_error* error)
{
    const char* name = o->common.arguments[0];
    cairn_status status = CAIRN_OK;

    // what can be refused is refused before a file is made
    if (o->dump && !verb_may_write(o->dump, o->common.force, error))
        status = CAIRN_NO_FILE;
    if (o->csv && strcmp(o->csv, "-") == 0 && o->common.json)
        status = cairn_fail(error, CAIRN_BAD_INPUT,
                            "--csv - and --json both want standard output, expected one of them");

    if (status == CAIRN_OK)
        verb_print_ignored(&o->common, cairn_scene_describe(scene).ignored);
    if (status == CAIRN_OK)
        status = plan(o, r, scene, error);
    if (status == CAIRN_OK)
        status = open_csv(&all->c, scene, o, error);
    if (status == CAIRN_OK)
        status = witness_open(&all->w, scene, name, path, o->dt, error);

    return status;
}

// several ranks write no files but checkpoints and, the first, what it prints
static cairn_status prepare_ranks(run_options* o, cairn_error* error)
{
    const char* option = o->html            ? "--html"
                         : o->gltf          ? "--gltf"
                         : o->record        ? "--record"
                         : o->dump          ? "--dump-problem"
                         : o->watched_count ? "--watch"
                         : o->joints        ? "--joints"
                                            : NULL;

    bool several = ranks_are_several();
    if (several && option)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%s is not done on several ranks yet",
                          option);
    if (!several && (o->checkpoint || o->resume))
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "--%s is for runs on several ranks, expected mpirun",
                          o->checkpoint ? "checkpoint" : "resume");

    // the first rank alone writes
    if (ranks_own() > 0)
        o->csv = NULL;
    return CAIRN_OK;
}

static cairn_status open_ranks(run_record* r, run_onlookers* all, const cairn_scene* scene,
                               const run_options* o, cairn_error* error)
{
    enum { steps_between = 100 };
    all->ranks.checkpoint = o->checkpoint;
    all->ranks.every = o->every ? o->every : steps_between;
    cairn_status status = ranks_begin(&all->ranks.count, error);
    if (status == CAIRN_OK)
        status = run_ranks_open(&all->ranks, scene, error);
    int made = 0;
    if (status == CAIRN_OK && o->resume)
        status = run_ranks_resume(&all->ranks, scene, o->resume, &made, error);
    if (status == CAIRN_OK && made >= r->steps)
        status = cairn_fail(error, CAIRN_BAD_INPUT, "%s is of step %d, expected one before %d",
                            o->resume, made, r->steps);
    r->steps -= made;
    return status;
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    run_options* o = (run_options*)common;
    run_record r = {.started = verb_clock()};
    cairn_scene* scene = NULL;
    run_onlookers all = {.w = {.html = o->html,
                               .gltf = o->gltf,
                               .record = o->record,
                               .force = common->force,
                               .cancel = verb_canceled()}};
    o->def.robot = &common->robot;
    char path[2 * PATH_MAX] = "";
    cairn_status status = read_scene(&scene, path, sizeof path, &all, o, error);

    // the first rank runs a small world alone: the others are done
    if (status == CAIRN_OK && !takes_part(scene, &all)) {
        cairn_scene_destroy(scene);
        return CAIRN_OK;
    }

    // open the outputs before the first step; by then a scene made for this run has been read
    if (status == CAIRN_OK)
        status = prepare_ranks(o, error);
    if (status == CAIRN_OK)
        status = open_all(scene, path, &r, &all, o, error);
    if (all.sized)
        unlink(path);
    if (status == CAIRN_OK && ranks_are_several())
        status = open_ranks(&r, &all, scene, o, error);

    // a signal or the time limit cancels the step that runs
    if (status == CAIRN_OK) {
        verb_catch_signals();
        if (!all.ranks.world)
            verb_cancel_steps(cairn_scene_world(scene), o->time_limit);
        status = simulate(scene, &r, &all, o, error);
        verb_cancel_steps(NULL, 0.0);
    }

    // results: files first, then the report, unless standard output carries the CSV
    if (status == CAIRN_OK)
        status = write_files(&r, &all, o, error);
    bool to_stdout = o->csv && strcmp(o->csv, "-") == 0;
    if (status == CAIRN_OK && !to_stdout)
        run_show(&(run_result){.r = &r, .scene = scene, .o = o, .all = &all});

    common->missed = r.missed > 0 || r.ended == ENDED_TIME_LIMIT;
    free(r.ms);
    run_ranks_close(&all.ranks);
    csv_close(&all.c, NULL);
    dump_free(&all.d);
    witness_close(&all.w);
    cairn_scene_destroy(scene);
    return status;
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
    .robots = true,
    .size = sizeof(run_options),
    .run = run,
};
