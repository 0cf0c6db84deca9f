// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How fast the engine is: shipped scenes on one thread with their own step, 1/60 s, nothing
// asleep. A scene may be measured in parts: a wall while it stands, and from when the ball enters.

#include "scene_run.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

typedef struct timed {
    const char *name, *scene;
    double from, to; // s: the part that is measured; to = 0: the end, with what enters on the way
    double aim;      // ms per step; 0: none
    bool brief;      // part of a quick run
} timed;

static const timed list[] = {
    {"wall10", "wall", 0.0, 5.0, 0.3, true},       {"wall10-hit", "wall", 1.0, 0.0, 0.0, true},
    {"wall32", "wall32", 0.0, 5.0, 3.0, true},     {"wall32-hit", "wall32", 1.0, 0.0, 0.0, false},
    {"pyramid20", "pyramid", 0.0, 0.0, 0.5, true}, {"column30", "column", 0.0, 5.0, 0.0, true},
    {"arch15", "arch", 0.0, 5.0, 0.0, true},       {"heap1728", "heap", 0.0, 0.0, 3.5, false},
    {"boxes1000", "boxes", 0.0, 0.0, 0.0, false},  {"chain1000", "chain1000", 0.0, 0.0, 1.5, true},
    {"chain100", "chain100", 0.0, 0.0, 0.0, true}, {"tree127", "tree127", 0.0, 0.0, 0.0, true},
};

// the 99th percentile by nearest rank; sorts
static double percentile(double* x, int n)
{
    bench_sort(x, n);
    int rank = (int)ceil(0.99 * n);
    return x[rank > 0 ? rank - 1 : 0];
}

// what was counted so far belongs to the part before
static void forget(scene_run* run)
{
    scene_run fresh = {.scene = run->scene, .world = run->world, .info = run->info};
    *run = fresh;
}

static void measure(bench* b, const timed* t)
{
    scene_run run = t->to > 0.0 ? scene_open_undisturbed(t->scene) : scene_open(t->scene);
    scene_advance(&run, t->from);
    forget(&run);
    double seconds = (t->to > 0.0 ? t->to : run.info.time) - t->from;
    if (b->quick && t->from == 0.0)
        seconds = fmin(seconds, 0.5);
    int steps = (int)round(seconds / run.info.dt);
    double* ms = calloc((size_t)steps + 1, sizeof *ms);
    double contacts = 0.0;
    for (int i = 0; i < steps && ms; i++) {
        scene_step(&run);
        ms[i] = run.ms_last;
        contacts += run.last.contacts;
    }
    double mean = run.ms / steps;
    bench_row(b, json_pack("{s:s, s:i, s:f, s:f, s:f, s:o, s:f, s:f}", "scene", t->name, "bodies",
                           run.last.bodies, "contacts_mean", contacts / steps, "ms_step_mean", mean,
                           "ms_step_p99", ms ? percentile(ms, steps) : 0.0, "stages",
                           scene_stages(run.stages, steps), "residual_max", run.residual,
                           "penetration_max", run.penetration));
    bench_say(b,
              "        %s: broad %.3f, narrow %.3f, assemble %.3f, solve %.3f, integrate %.3f "
              "ms; %d of %d steps missed their tolerance",
              t->name, run.stages[0] / steps, run.stages[1] / steps, run.stages[2] / steps,
              run.stages[3] / steps, run.stages[4] / steps, run.missed, steps);
    if (t->aim > 0.0)
        bench_bound(b, mean <= t->aim, "%s: %.3f ms a step, aim %.3g ms", t->name, mean, t->aim);
    free(ms);
    scene_close(&run);
}

void bench_engine(bench* b)
{
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (bench_wants(b, list[i].name) && (list[i].brief || !b->quick || b->only) &&
            bench_reach(b, "%s", list[i].name))
            measure(b, &list[i]);
}
