// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How fast the engine is: shipped scenes on one thread with their own step, 1/60 s, nothing
// asleep. A scene may be measured in parts: a wall while it stands, and from when the ball enters.
// Scenes that are made follow: stacks not quite at rest, which fall by a millimeter or are jolted,
// heaps, nets of joints, figures, hulls, a yard and a drum, in several sizes; last, the worst step
// under a budget.

#include "engine_scenes.h"
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

    // percentile sorts, so that the last one is the longest
    double mean = run->ms / steps, p99 = ms ? percentile(ms, steps) : 0.0;
    bench_row(b,
              json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:f}", "scene", name,
                        "bodies", run->last.bodies, "contacts_mean", contacts / steps,
                        "ms_step_mean", mean, "ms_step_p99", p99, "ms_step_max",
                        ms ? ms[steps - 1] : 0.0, "memory_mb", memory, "stages",
                        scene_stages(run->stages, steps), "residual_max", run->residual,
                        "penetration_max", run->penetration, "joint_error_max", run->joint_error));

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

// ---------------------------------------------------------------- made scenes

typedef struct grown {
    const char* name;
    engine_kind kind;
    int size, steps;
    double gap, jolt; // m, m/s
    bool brief;
} grown;

// those of the same kind tell how the time grows with the size
static const grown made[] = {
    {"pyramid100", ENGINE_PYRAMID, 100, 20, 0.0, 0.0, false},
    {"pyramid10-gaps", ENGINE_PYRAMID, 10, 60, 1e-3, 0.0, true},
    {"pyramid20-gaps", ENGINE_PYRAMID, 20, 60, 1e-3, 0.0, true},
    {"pyramid40-gaps", ENGINE_PYRAMID, 40, 60, 1e-3, 0.0, false},
    {"pyramid60-gaps", ENGINE_PYRAMID, 60, 60, 1e-3, 0.0, false},
    {"pyramid100-gaps", ENGINE_PYRAMID, 100, 30, 1e-3, 0.0, false},
    {"pyramid160-gaps", ENGINE_PYRAMID, 160, 10, 1e-3, 0.0, false},
    {"pyramid20-jolt", ENGINE_PYRAMID, 20, 60, 0.0, 0.05, true},
    {"pyramid40-jolt", ENGINE_PYRAMID, 40, 60, 0.0, 0.05, false},
    {"wall32-gaps", ENGINE_WALL, 32, 120, 1e-3, 0.0, false},
    {"wall32-jolt", ENGINE_WALL, 32, 120, 0.0, 0.05, false},
    {"heap1000", ENGINE_HEAP, 10, 300, 0.0, 0.0, false},
    {"heap10648", ENGINE_HEAP, 22, 400, 0.0, 0.0, false},
    {"net10", ENGINE_NET, 10, 60, 0.0, 0.0, true},
    {"net20", ENGINE_NET, 20, 60, 0.0, 0.0, false},
    {"net40", ENGINE_NET, 40, 30, 0.0, 0.0, false},
    {"net100", ENGINE_NET, 100, 10, 0.0, 0.0, false},
    {"ragdolls10", ENGINE_RAGDOLLS, 2, 150, 0.0, 0.0, false},
    {"ragdolls50", ENGINE_RAGDOLLS, 10, 150, 0.0, 0.0, false},
    {"ragdolls100", ENGINE_RAGDOLLS, 20, 150, 0.0, 0.0, false},
    {"ragdolls200", ENGINE_RAGDOLLS, 40, 150, 0.0, 0.0, false},
    {"hulls1280", ENGINE_HULLS, 20, 150, 0.0, 0.0, false},
    {"hulls5120", ENGINE_HULLS, 80, 250, 0.0, 0.0, false},
    {"rocks2646", ENGINE_ROCKS, 6, 280, 0.0, 0.0, false},
    {"washer1728", ENGINE_WASHER, 12, 150, 0.0, 0.0, false},
    {"washer8000", ENGINE_WASHER, 20, 150, 0.0, 0.0, false},
};

static void measure_made(bench* b, const grown* g)
{
    char* text = engine_scene_text(g->kind, g->size, g->gap, g->jolt);
    if (!text)
        return;
    scene_run run = scene_open_text(text);
    int steps = b->quick && g->steps > 20 ? 20 : g->steps;
    double mean = run_steps(b, g->name, &run, steps);
    bench_say(b, "        %s: %.3f ms a step; %d of %d steps missed their tolerance", g->name, mean,
              run.missed, run.steps);
    scene_close(&run);
    free(text);
}

// ---------------------------------------------------------------- budgets

// A pyramid that lands takes 0.1 s and more in one step without a budget. A tenth more and
// 0.2 ms are for what cannot be interrupted.
static void measure_budget(bench* b)
{
    const double budget = 20.0; // ms
    char* text = engine_scene_text(ENGINE_PYRAMID, 24, 1e-3, 0.0);
    if (!text)
        return;

    scene_run run = scene_open_within(text, 1e-3 * budget);
    double worst = 0.0;
    for (int i = 0; i < 40; i++) {
        scene_step(&run);
        worst = fmax(worst, run.ms_last);
    }
    bench_row(b, json_pack("{s:s, s:f, s:f, s:i}", "scene", "pyramid24-budget", "budget_ms", budget,
                           "ms_step_max", worst, "missed", run.missed));
    bench_bound(b, worst <= 1.1 * budget + 0.2, "pyramid24-budget: %.2f ms at most, budget %g ms",
                worst, budget);
    scene_close(&run);
    free(text);
}

void bench_engine(bench* b)
{
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (bench_wants(b, list[i].name) && (list[i].brief || !b->quick || b->only) &&
            bench_reach(b, "%s", list[i].name))
            measure(b, &list[i]);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (bench_wants(b, made[i].name) && (made[i].brief || !b->quick || b->only) &&
            bench_reach(b, "%s", made[i].name))
            measure_made(b, &made[i]);
    if (bench_wants(b, "pyramid24-budget") && bench_reach(b, "pyramid24-budget"))
        measure_budget(b);
}
