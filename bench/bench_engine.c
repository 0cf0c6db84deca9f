// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How fast the engine is: shipped scenes on one thread with their own step, 1/60 s, nothing
// asleep. A scene may be measured in parts: a wall while it stands, and from when the ball enters.
// Pyramids that are not quite at rest follow, which fall by a millimeter or are jolted, and grow.

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

// runs some steps and tells what they took; returns the mean in ms
static double run_steps(bench* b, const char* name, scene_run* run, int steps)
{
    double* ms = calloc((size_t)steps + 1, sizeof *ms);
    double contacts = 0.0, memory = 0.0;
    for (int i = 0; i < steps && ms; i++) {
        scene_step(run);
        ms[i] = run->ms_last;
        contacts += run->last.contacts;
        memory = fmax(memory, (double)cairn_world_memory(run->world, NULL) / 1048576.0);
    }
    double mean = run->ms / steps, p99 = ms ? percentile(ms, steps) : 0.0;
    bench_row(b, json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f}", "scene", name,
                           "bodies", run->last.bodies, "contacts_mean", contacts / steps,
                           "ms_step_mean", mean, "ms_step_p99", p99, "ms_step_max",
                           ms ? ms[steps - 1] : 0.0, "memory_mb", memory, "stages",
                           scene_stages(run->stages, steps), "residual_max", run->residual,
                           "penetration_max", run->penetration));
    free(ms);
    return mean;
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
    double mean = run_steps(b, t->name, &run, steps);
    bench_say(b,
              "        %s: broad %.3f, narrow %.3f, assemble %.3f, solve %.3f, integrate %.3f "
              "ms; %d of %d steps missed their tolerance",
              t->name, run.stages[0] / steps, run.stages[1] / steps, run.stages[2] / steps,
              run.stages[3] / steps, run.stages[4] / steps, run.missed, steps);
    if (t->aim > 0.0)
        bench_bound(b, mean <= t->aim, "%s: %.3f ms a step, aim %.3g ms", t->name, mean, t->aim);
    scene_close(&run);
}

// ---------------------------------------------------------------- not quite at rest

// a pyramid of cubes, touching side by side, a gap above each other, each at its own velocity
static char* pyramid_text(int rows, double gap, double jolt)
{
    json_t* bodies = json_pack("[{s:s, s:{s:s}}]", "type", "static", "shape", "kind", "half_space");
    unsigned state = 1;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r; i++) {
            double v[3];
            for (int k = 0; k < 3; k++) {
                state = state * 1664525u + 1013904223u;
                v[k] = jolt * ((double)(state >> 8) / 8388608.0 - 1.0);
            }
            json_array_append_new(
                bodies, json_pack("{s:{s:s, s:[f,f,f]}, s:[f,f,f], s:[f,f,f]}", "shape", "kind",
                                  "box", "size", 1.0, 1.0, 1.0, "at", i - 0.5 * (rows - r - 1), 0.0,
                                  r + 0.5 + gap * (r + 1), "velocity", v[0], v[1], v[2]));
        }
    json_t* root = json_pack("{s:i, s:o}", "cairn", 1, "bodies", bodies);
    char* text = json_dumps(root, JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}

typedef struct perturbed {
    const char* name;
    int rows, steps;
    double gap, jolt; // m, m/s
    bool brief;
} perturbed;

static const perturbed grown[] = {
    {"pyramid10-gaps", 10, 60, 1e-3, 0.0, true},    {"pyramid20-gaps", 20, 60, 1e-3, 0.0, true},
    {"pyramid40-gaps", 40, 60, 1e-3, 0.0, false},   {"pyramid60-gaps", 60, 60, 1e-3, 0.0, false},
    {"pyramid100-gaps", 100, 30, 1e-3, 0.0, false}, {"pyramid20-jolt", 20, 60, 0.0, 0.05, true},
    {"pyramid40-jolt", 40, 60, 0.0, 0.05, false},
};

static void measure_perturbed(bench* b, const perturbed* p)
{
    char* text = pyramid_text(p->rows, p->gap, p->jolt);
    if (!text)
        return;
    scene_run run = scene_open_text(text);
    run_steps(b, p->name, &run, b->quick ? 20 : p->steps);
    bench_say(b, "        %s: %d of %d steps missed their tolerance", p->name, run.missed,
              run.steps);
    scene_close(&run);
    free(text);
}

void bench_engine(bench* b)
{
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (bench_wants(b, list[i].name) && (list[i].brief || !b->quick || b->only) &&
            bench_reach(b, "%s", list[i].name))
            measure(b, &list[i]);
    for (size_t i = 0; i < sizeof grown / sizeof grown[0]; i++)
        if (bench_wants(b, grown[i].name) && (grown[i].brief || !b->quick || b->only) &&
            bench_reach(b, "%s", grown[i].name))
            measure_perturbed(b, &grown[i]);
}
