// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `peers`: the reference scenes through Cairn and through the engines that are installed, one
// thread, sleeping off, the same frames, and the same measure of error for all (peers/judge.h).

#include "peers/npm.h"
#include "peers/trial.h"
#include "report.h"
#include "suite.h"
#include "verb.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// those of the build; engines from npm are looked for when the suite runs
static const peer_engine* const built[] = {&peer_cairn,
#ifdef CAIRN_HAVE_BOX3D
                                           &peer_box3d,
#endif
#ifdef CAIRN_HAVE_ODE
                                           &peer_ode,
#endif
#ifdef CAIRN_HAVE_BULLET
                                           &peer_bullet,
#endif
#ifdef CAIRN_HAVE_MUJOCO
                                           &peer_mujoco,
#endif
#ifdef CAIRN_HAVE_DART
                                           &peer_dart,
#endif
                                           NULL};

enum { trial_limit = 64, engine_limit = 16 };

// the engines that take part; the last is NULL
typedef struct field {
    const peer_engine* engines[engine_limit + 1];
} field;

static field find_engines(void)
{
    field f = {0};
    int count = 0;
    for (int e = 0; built[e]; e++)
        f.engines[count++] = built[e];
    for (const peer_engine* e = peer_npm; e->name && count < engine_limit; e++)
        if (e->version(e))
            f.engines[count++] = e;
    return f;
}

// a trial and who made it
typedef struct entry {
    const peer_engine* engine;
    const peer_setting* setting;
    peer_trial trial;
} entry;

static json_t* number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

// ---------------------------------------------------------------- a scene

// The center of the last of ten links after 2 s, as another integration with error control has
// found it. (Its far end is then at (-4.5725, 0, -0.9659).)
static void check_reference(bench* b, const peer_case* c, cairn_vec3 center)
{
    const cairn_vec3 known = {-4.397, 0.0, -0.788};
    double apart = cairn_norm(cairn_sub(center, known));
    if (strcmp(c->name, "chain10") == 0)
        bench_bound(b, apart < 1e-3,
                    "the reference of %s: center of the last link at (%.4f, %.4f, %.4f), %.1e m "
                    "from the known one",
                    c->name, center.x, center.y, center.z, apart);
}

static int run_all(entry* entries, bench* b, const field* f, const peer_problem* problem)
{
    const peer_case* c = problem->about;
    bool joints = problem->scene.joint_count > 0;
    double time = b->quick && c->quick > 0.0 ? c->quick : c->time,
           budget = b->quick ? 0.2 : c->full_budget;
    peer_last_link last = {0};
    int count = 0;

    // the truth of a swinging chain is computed once
    if (c->truth == PEER_SWINGS)
        last = peer_chain_end(&problem->scene, time);
    check_reference(b, c, last.center);

    for (const peer_engine* const* e = f->engines; *e; e++)
        for (const peer_setting* s = (*e)->settings; s->text && count < trial_limit; s++) {
            if (!(joints ? s->joints : s->contacts))
                continue;

            if (isatty(STDERR_FILENO))
                fprintf(stderr, "\r\033[K%s: %s, %s", c->name, (*e)->name, s->text);
            entries[count++] =
                (entry){*e, s, peer_try(*e, s->choice, problem, time, budget, last.tip)};
        }

    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    return count;
}

// the fastest and the most exact of the peers
typedef struct best {
    double ms, error, friction;
} best;

static best find_best(const entry* entries, int count)
{
    best b = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < count; i++) {
        const peer_trial* t = &entries[i].trial;
        if (entries[i].engine == &peer_cairn || !peer_measured(t->outcome))
            continue;
        b.ms = fmin(b.ms, t->ms);
        b.error = fmin(b.error, t->error);
        b.friction = fmin(b.friction, t->friction);
    }
    return b;
}

static void add_row(bench* b, const peer_problem* problem, const entry* e, const best* peers)
{
    const peer_trial* t = &e->trial;
    const peer_case* c = problem->about;
    bool joints = problem->scene.joint_count > 0;
    bool measured = peer_measured(t->outcome);

    json_t* row =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:i}", "scene", c->name, "peer", e->engine->name,
                  "settings", e->setting->text, "status", peer_outcome_name(t->outcome), "bodies",
                  problem->scene.body_count, "steps", t->steps);

    // what a scene or an engine does not have is null
    json_object_set_new(row, "ms_step_mean", number(measured ? t->ms : NAN));
    json_object_set_new(row, "penetration_max",
                        number(measured && !joints ? t->measure.penetration : NAN));
    json_object_set_new(row, "friction_error", number(t->friction));
    json_object_set_new(row, "joint_error",
                        number(measured && joints ? t->measure.joint_error : NAN));
    json_object_set_new(row, "energy_drift", number(measured ? t->measure.energy : NAN));
    json_object_set_new(
        row, "stands", c->truth == PEER_STANDS && measured ? json_boolean(t->stands) : json_null());

    json_object_set_new(row, "error", number(t->error));
    json_object_set_new(row, "error_kind", json_string(c->error));
    json_object_set_new(row, "bounded", json_boolean(c->bound));
    json_object_set_new(row, "time_ratio", number(t->ms / peers->ms));
    json_object_set_new(row, "error_ratio", number(t->error / peers->error));
    json_object_set_new(row, "stages", t->staged ? scene_stages(t->stages, t->steps) : json_null());

    bench_row(b, row);
}

// ---------------------------------------------------------------- bounds

// at most a tenth of the best peer's error at no more than twice the fastest peer's time, both with
// one setting of ours
static void judge_bounds(bench* b, const char* scene)
{
    json_t* v = report_judge_scene(b->rows, scene);
    if (!v)
        return;

    double error = report_number(v, "error"), peer_error = report_number(v, "peer_error");
    double ms = report_number(v, "ms"), peer_ms = report_number(v, "peer_ms");
    bench_bound(b, json_is_true(json_object_get(v, "met")),
                "%s: %s %.2g%s, the best peer's %.2g (at most a tenth); %.3g ms a step, the "
                "fastest peer's %.3g (%.2gx, at most 2) [%s]",
                scene, report_string(v, "error_kind"), error,
                error <= report_no_error ? " (none)" : "", peer_error, ms, peer_ms, ms / peer_ms,
                report_string(v, "settings"));
    json_decref(v);
}

// ---------------------------------------------------------------- the suite

// whether an engine of this package takes part
static bool has_package(const field* f, const char* package)
{
    for (const peer_engine* const* e = f->engines; *e; e++)
        if (strcmp((*e)->package, package) == 0)
            return true;
    return false;
}

static void say_who(bench* b, const field* f)
{
    static const char* const packages[] = {"libode-dev", "libbullet-dev", "libmujoco-dev",
                                           "libdart-dev", "box3d"};
    char who[512] = "";
    for (const peer_engine* const* e = f->engines; *e; e++) {
        size_t used = strlen(who);
        snprintf(who + used, sizeof who - used, "%s%s %s", used ? ", " : "", (*e)->name,
                 (*e)->version(*e));
    }

    bench_say(b, "%s", who);
    for (int k = 0; k < 5; k++)
        if (!has_package(f, packages[k]))
            bench_say(b, "skipped: %s is not installed", packages[k]);
    for (const peer_engine* e = peer_npm; e->name; e++)
        if (!has_package(f, e->package))
            bench_say(b, "skipped: %s is not installed (npm ci in bench/peers/npm)", e->package);
    bench_say(b, "one thread, sleeping off, frames of 1/60 s, time of a step without measuring");
}

void bench_peers(bench* b)
{
    char folder[4096];
    entry entries[trial_limit];
    field f = find_engines();

    if (!verb_scene_folder(folder, sizeof folder)) {
        bench_bound(b, false, "the folder of the shipped scenes is not found");
        return;
    }
    say_who(b, &f);

    // --quick leaves out the scenes without a short form
    for (const peer_case* c = peer_cases; c->name; c++) {
        peer_problem problem;
        cairn_error error;
        if (!bench_wants(b, c->name) || (b->quick && !b->only && !(c->quick > 0.0)))
            continue;
        if (!bench_reach(b, "%s", c->name))
            continue;

        if (!peer_open(&problem, c, folder, &error)) {
            bench_bound(b, false, "%s", error.text);
            continue;
        }

        int count = run_all(entries, b, &f, &problem);
        best peers = find_best(entries, count);
        for (int i = 0; i < count; i++)
            add_row(b, &problem, &entries[i], &peers);

        if (c->bound)
            judge_bounds(b, c->name);
        peer_close(&problem);
    }
}
