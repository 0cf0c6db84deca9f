// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How right the engine is: shipped scenes simulated and measured against closed forms, statics and
// conservation laws, and motion beside closed forms (motion.h). Each row has its bound; a missed
// one is said.

#include "arch_limit.h"
#include "motion.h"
#include "scene_run.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

// one figure with its bound: it is met when value < bound
static void measured(bench* b, const char* name, double value, const char* unit, double bound)
{
    bench_row(b, json_pack("{s:s, s:f, s:s, s:f}", "case", name, "value", value, "unit", unit,
                           "bound", bound));
    bench_bound(b, value < bound, "%s: %.3g %s, bound %.3g", name, value, unit, bound);
}

// ---------------------------------------------------------------- slopes

static cairn_vec3 pull(const scene_run* run)
{
    return run->info.gravity;
}

// the distance that a box creeps on a slope below the limit, after the first second
static void creep(bench* b)
{
    scene_run run = scene_open("incline_lo");
    scene_advance(&run, 1.0);
    cairn_vec3 start = scene_body(&run, "box").center;
    double farthest = 0.0;
    while (run.steps * run.info.dt < run.info.time - 1e-9) {
        scene_step(&run);
        cairn_vec3 now = scene_body(&run, "box").center;
        farthest = fmax(farthest, cairn_norm(cairn_sub(now, start)));
    }
    measured(b, "incline-lo creep", farthest, "m", 1e-6);
    scene_close(&run);
}

// acceleration g (sin θ - μ cos θ) and direction on a slope above the limit
static void slide(bench* b, const char* name, const char* acceleration, const char* direction)
{
    scene_run run = scene_open(name);
    cairn_vec3 down = cairn_vec(pull(&run).x, pull(&run).y, 0.0);
    double expected = cairn_norm(down) - 0.5 * fabs(pull(&run).z);
    scene_advance(&run, 1.0);
    cairn_vec3 before = scene_body(&run, "box").velocity;
    double from = run.steps * run.info.dt;
    scene_advance(&run, b->quick ? 2.0 : run.info.time - 1.0);
    double seconds = run.steps * run.info.dt - from;
    cairn_vec3 after = scene_body(&run, "box").velocity;
    cairn_vec3 a = cairn_scale(1.0 / seconds, cairn_sub(after, before));
    cairn_vec3 across = cairn_cross(a, cairn_normalize(down));
    measured(b, acceleration, fabs(cairn_norm(a) / expected - 1.0), "relative", 1e-3);
    if (direction)
        measured(b, direction, cairn_norm(across) / cairn_norm(a), "rad", 1e-3);
    scene_close(&run);
}

static void slopes(bench* b)
{
    creep(b);
    slide(b, "incline_hi", "incline-hi acceleration", NULL);
    slide(b, "incline_hi45", "incline-hi45 acceleration", "incline-hi45 direction");
}

// ---------------------------------------------------------------- loads

static void mass_ratios(bench* b)
{
    static const struct {
        const char *scene, *penetration, *sinking;
    } cases[] = {{"massratio100", "massratio-100 penetration", "massratio-100 sinking"},
                 {"massratio", "massratio-1000 penetration", "massratio-1000 sinking"},
                 {"massratio10000", "massratio-10000 penetration", "massratio-10000 sinking"}};
    for (int i = 0; i < 3; i++) {
        scene_run run = scene_open(cases[i].scene);
        double z = scene_body(&run, "heavy").center.z;
        scene_advance(&run, b->quick ? 2.0 : 10.0);
        measured(b, cases[i].penetration, 1e3 * run.penetration, "mm", 1.0);
        measured(b, cases[i].sinking, 1e3 * fabs(scene_body(&run, "heavy").center.z - z), "mm",
                 1.0);
        scene_close(&run);
    }
}

// how much farther than its length the load of a chain gets from the pivot
static void hanging_chain(bench* b)
{
    scene_run run = scene_open("hanging");
    double stretch = 0.0;
    while (run.steps * run.info.dt < run.info.time - 1e-9) {
        scene_step(&run);
        stretch = fmax(stretch, cairn_norm(scene_body(&run, "load").center) - 5.0);
    }
    measured(b, "hanging-chain stretch", 1e3 * stretch, "mm", 0.1);
    measured(b, "hanging-chain joint error", 1e3 * run.joint_error, "mm", 0.1);
    scene_close(&run);
}

// ---------------------------------------------------------------- linkages

// Σ m g |x| at the start: the scale of the energy that a swinging linkage turns over
static double swing_scale(const scene_run* run)
{
    double sum = 0.0;
    char name[32];
    for (int i = 0; i < run->info.body_count; i++) {
        snprintf(name, sizeof name, "link.%d", i);
        cairn_body_state state = scene_body(run, name);
        sum += state.mass * g * cairn_norm(state.center);
    }
    return sum;
}

static void swing(bench* b, const char* scene, const char* drift_name, const char* error_name)
{
    scene_run run = scene_open(scene);
    double start = scene_energy(&run), scale = swing_scale(&run), drift = 0.0;
    while (run.steps * run.info.dt < (b->quick ? 0.5 : run.info.time) - 1e-9) {
        scene_step(&run);
        drift = fmax(drift, fabs(scene_energy(&run) - start) / scale);
    }
    if (drift_name)
        measured(b, drift_name, 1e2 * drift, "%", 5.0);
    measured(b, error_name, 1e3 * run.joint_error, "mm", 0.1);
    bench_say(b, "        %s: %d substeps, %.3f ms for a step of %.4g s, energy drift %.3g %%",
              scene, run.info.substeps, run.ms / run.steps, run.info.dt, 1e2 * drift);
    scene_close(&run);
}

static void linkages(bench* b)
{
    hanging_chain(b);
    swing(b, "chain1000", NULL, "chain-1000 joint error");
    swing(b, "tree127", "tree-127 energy drift", "tree-127 joint error");
    swing(b, "chain", "chain-10 energy drift", "chain-10 joint error");
}

// ---------------------------------------------------------------- masonry

enum { wall_bricks = 1040, top_bricks = 33 };

static void wall(bench* b)
{
    scene_run run = scene_open_undisturbed("wall32");
    cairn_vec3 start[top_bricks];
    char name[32];
    double drift = 0.0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < top_bricks; i++) {
            snprintf(name, sizeof name, "brick.%d", wall_bricks - top_bricks + i);
            cairn_vec3 at = scene_body(&run, name).center;
            if (k == 0)
                start[i] = at;
            drift = fmax(drift, hypot(at.x - start[i].x, at.y - start[i].y));
        }
        if (k == 0)
            scene_advance(&run, b->quick ? 1.0 : 5.0);
    }

    measured(b, "wall-32 penetration", 1e3 * run.penetration, "mm", 1.0);
    measured(b, "wall-32 drift of the top", 1e3 * drift, "mm", 1.0);
    scene_close(&run);
}

static void column(bench* b)
{
    scene_run run = scene_open("column");
    cairn_vec3 top = scene_body(&run, "cube.29").center;
    scene_advance(&run, b->quick ? 3.0 : 30.0);
    cairn_vec3 now = scene_body(&run, "cube.29").center;
    measured(b, "column-30 shortening", 1e3 * fabs(top.z - now.z), "mm", 1.0);
    measured(b, "column-30 lean", 1e3 * hypot(now.x - top.x, now.y - top.y), "mm", 1.0);
    scene_close(&run);
}

// whether the arch with this ratio of thickness to mean radius has come down after 10 s
static bool arch_falls(double ratio)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"cairn\": 1, \"defaults\": {\"material\": {\"mu\": 0.7}}, \"bodies\": ["
             "{\"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
             "{\"name\": \"block\", \"arch\": {\"blocks\": 15, \"radius\": 5, "
             "\"thickness\": %.17g, \"depth\": 1}}]}",
             5.0 * ratio);
    scene_run run = scene_open_text(text);
    double z = scene_body(&run, "block.7").center.z, sag = 0.0;
    while (run.steps < 600 && sag < 0.5) {
        scene_step(&run);
        sag = z - scene_body(&run, "block.7").center.z;
    }
    scene_close(&run);
    return sag >= 0.5;
}

static void arch(bench* b)
{
    double limit = arch_limit(15), low = 0.9 * limit, high = 1.1 * limit;
    bool bracketed = arch_falls(low) && !arch_falls(high);
    for (int i = 0; i < (b->quick ? 3 : 6) && bracketed; i++) {
        double middle = 0.5 * (low + high);
        if (arch_falls(middle))
            low = middle;
        else
            high = middle;
    }

    double ratio = bracketed ? 0.5 * (low + high) : 0.0;
    measured(b, "arch-15 thickness ratio", fabs(ratio / limit - 1.0), "relative", 0.03);
    bench_say(b, "        the arch falls below %.5f; limit analysis of 15 blocks: %.5f", ratio,
              limit);
}

static void cards(bench* b)
{
    scene_run run = scene_open("cards");
    double z = scene_body(&run, "top").center.z;
    scene_advance(&run, b->quick ? 1.0 : 10.0);
    measured(b, "cards sinking", 1e3 * fabs(z - scene_body(&run, "top").center.z), "mm", 1.0);
    scene_close(&run);
}

// ---------------------------------------------------------------- conservation and impacts

static cairn_vec3 momentum(cairn_body_state state, const double* size)
{
    cairn_vec3 w = cairn_rotate_back(state.pose.q, state.spin);
    double k = state.mass / 12.0, x = size[0] * size[0], y = size[1] * size[1],
           z = size[2] * size[2];
    return cairn_rotate(state.pose.q,
                        cairn_vec(k * (y + z) * w.x, k * (x + z) * w.y, k * (x + y) * w.z));
}

static void tumbling(bench* b)
{
    static const double size[3] = {1.0, 0.6, 0.3};
    scene_run run = scene_open("tumble");
    cairn_vec3 L = momentum(scene_body(&run, "box"), size);
    double E = scene_energy(&run), energy = 0.0, turning = 0.0;
    while (run.steps * run.info.dt < run.info.time - 1e-9) {
        scene_step(&run);
        cairn_vec3 now = momentum(scene_body(&run, "box"), size);
        energy = fmax(energy, fabs(scene_energy(&run) / E - 1.0));
        turning = fmax(turning, cairn_norm(cairn_sub(now, L)) / cairn_norm(L));
    }

    measured(b, "tumbling energy", energy, "relative", 1e-3);
    measured(b, "tumbling angular momentum", turning, "relative", 1e-6);
    scene_close(&run);
}

// the last ball of the cradle must rise as high as the first one fell, and the first one again
static void cradle(bench* b)
{
    scene_run run = scene_open("newton-cradle");
    double drop = scene_body(&run, "first").center.z - scene_body(&run, "ball.0").center.z;
    double base = scene_body(&run, "ball.0").center.z, last = 0.0, first = 0.0;
    double half = 1.1; // s: the first ball has hit and the last one has turned back by then
    while (run.steps * run.info.dt < 2.0 * half) {
        scene_step(&run);
        last = fmax(last, scene_body(&run, "ball.3").center.z - base);
        if (run.steps * run.info.dt > half)
            first = fmax(first, scene_body(&run, "first").center.z - base);
    }

    measured(b, "cradle height of the last ball", 1e2 * fabs(last / drop - 1.0), "%", 1.0);
    measured(b, "cradle height of the first ball", 1e2 * fabs(first / drop - 1.0), "%", 1.0);
    scene_close(&run);
}

// heights between bounces: each e² times the one before
static void bounces(bench* b)
{
    enum { most = 3 };
    static const char* const names[most] = {"bounce 1 height", "bounce 2 height",
                                            "bounce 3 height"};
    scene_run run = scene_open("bounce");
    double radius = 0.5, drop = scene_body(&run, "ball").center.z - radius, v = 0.0, height = drop;
    for (int count = 0; count < most && run.steps < 600;) {
        scene_step(&run);
        cairn_body_state ball = scene_body(&run, "ball");
        if (ball.velocity.z > 0.0 && v <= 0.0) {
            // the energy right after the bounce is that of the next summit
            height = ball.center.z - radius + 0.5 * ball.velocity.z * ball.velocity.z / g;
            drop *= 0.25;
            measured(b, names[count++], 1e2 * fabs(height / drop - 1.0), "%", 1.0);
        }
        v = ball.velocity.z;
    }
    scene_close(&run);
}

static const struct {
    const char* name;
    void (*run)(bench* b);
} groups[] = {{"incline", slopes},    {"massratio", mass_ratios}, {"linkages", linkages},
              {"wall", wall},         {"column", column},         {"arch", arch},
              {"tumbling", tumbling}, {"cradle", cradle},         {"bounce", bounces},
              {"cards", cards},       {"motion", motion_section}, {"endurance", motion_long}};

void bench_quality(bench* b)
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (bench_wants(b, groups[i].name) && bench_reach(b, "%s", groups[i].name))
            groups[i].run(b);
}
