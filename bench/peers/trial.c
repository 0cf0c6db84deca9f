// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What is timed is the engine's step and nothing else; samples are taken between steps. Runs that
// are over soon are repeated and the quickest counts.

#include "peers/trial.h"
#include "stopwatch.h"
#include "suite.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { repetitions = 3 };

typedef struct run {
    const peer_engine* engine;
    int choice;
    const peer_problem* problem;
    double time, budget;
    cairn_vec3 tip;
    peer_judge* judge;
    peer_state* all;
    double second;  ///< m: way of the only moving body within the first second
    double spin[2]; ///< rad/s after 0.1 and 0.3 s
    int end;        ///< of a pipe: a byte after the first step, the trial at the end
    bool told;
} run;

const char* peer_outcome_name(peer_outcome outcome)
{
    static const char* const names[] = {"done",    "stopped",   "diverged",
                                        "crashed", "no answer", "refused"};
    return names[outcome];
}

// ---------------------------------------------------------------- what friction does

static int moving_body(const peer_scene* scene)
{
    int i = 0;
    while (i < scene->body_count - 1 && !(scene->bodies[i].mass > 0.0))
        i++;
    return i;
}

static void keep_track(run* r, int step)
{
    const peer_scene* scene = &r->problem->scene;
    int body = moving_body(scene);
    const double *x = r->all[body].position, *x0 = scene->bodies[body].start.position;
    double t = step * scene->dt;
    if (fabs(t - 1.0) < 0.5 * scene->dt)
        r->second = hypot(x[0] - x0[0], x[1] - x0[1]);
    for (int k = 0; k < 2; k++)
        if (fabs(t - 0.1 - 0.2 * k) < 0.5 * scene->dt)
            r->spin[k] = r->all[body].spin[2];
}

// |a - a₀| / a₀ with the mean acceleration a of the run, a₀ = g_t - μ g_n
static double acceleration_error(const run* r)
{
    const peer_scene* scene = &r->problem->scene;
    const double *g = scene->gravity, *v = r->all[moving_body(scene)].velocity;
    double right = hypot(g[0], g[1]) + scene->bodies[0].mu * g[2];
    double speed = (v[0] * g[0] + v[1] * g[1]) / hypot(g[0], g[1]);
    return fabs(speed / r->time - right) / right;
}

// a plate of side a on four corners: ω̇ = -μ g r m / I with r = a/√2
static double spin_error(const run* r)
{
    const peer_scene* scene = &r->problem->scene;
    const peer_body* plate = &scene->bodies[moving_body(scene)];
    double arm = hypot(plate->size[0], plate->size[1]);
    double right = -plate->mu * scene->gravity[2] * arm * plate->mass / plate->inertia[2];
    return fabs((r->spin[0] - r->spin[1]) / 0.2 - right) / right;
}

// what a run that was not ended before its time has shown
static void judge_end(const run* r, peer_trial* t)
{
    const peer_scene* scene = &r->problem->scene;
    const peer_measure* m = &t->measure;

    t->stands = m->finite && m->moved <= 0.25;
    t->friction = t->error = NAN;
    if (t->outcome != PEER_DONE)
        return;

    switch (r->problem->about->truth) {
    case PEER_STANDS:
        t->friction = m->drift;
        t->error = t->stands ? m->penetration : NAN;
        break;
    case PEER_STICKS:
        t->error = t->friction = fabs(m->drift - r->second);
        break;
    case PEER_SLIDES:
        t->error = t->friction = acceleration_error(r);
        break;
    case PEER_SPINS:
        t->error = t->friction = spin_error(r);
        break;
    case PEER_SWINGS:
        t->error = cairn_norm(cairn_sub(peer_tip(scene, r->all), r->tip));
        break;
    case PEER_HANGS:
        t->error = fabs(m->energy);
        break;
    case PEER_SETTLES:
        t->friction = m->speed;
        t->error = m->penetration;
        break;
    case PEER_HIT:
        t->error = m->penetration;
        break;
    }
}

// ---------------------------------------------------------------- running

// samples every step of a small scene, every sixth of a large one, and the last
static void sample(run* r, peer_trial* t, int step, int steps)
{
    if (r->problem->scene.body_count > 20 && step % 6 && step != steps)
        return;
    peer_judge_sample(r->judge, &t->measure, r->all);
    if (!t->measure.finite)
        t->outcome = PEER_DIVERGED;
}

// beyond its budget after some of its steps, or beyond a quarter of it with no hope: four times the
// budget would not do either
static bool is_late(const run* r, double ms, int step, int steps)
{
    double budget = 1e3 * r->budget;
    return ms > budget || (ms > 0.25 * budget && ms / step * steps > 4.0 * budget);
}

// the first step is over, or there is none: whoever waits may expect an answer
static void tell_progress(run* r)
{
    if (!r->told && write(r->end, "1", 1) != 1)
        _exit(1);
    r->told = true;
}

static peer_trial run_once(run* r)
{
    const peer_scene* scene = &r->problem->scene;
    int steps = (int)round(r->time / scene->dt);
    peer_trial t = {.outcome = PEER_DONE, .error = NAN, .friction = NAN, .measure.finite = true};
    void* world = r->engine->create(scene, r->choice);
    double total = 0.0;

    if (!world) {
        t.outcome = PEER_REFUSED;
        return t;
    }

    for (int i = 1; i <= steps && t.outcome == PEER_DONE; i++) {
        stopwatch watch = stopwatch_start();
        r->engine->step(world, scene->dt);
        double ms = stopwatch_read(&watch);
        total += r->engine->step_ms ? r->engine->step_ms(world) : ms;
        t.steps = i;

        if (i == 1)
            tell_progress(r);

        r->engine->read(world, r->all);
        sample(r, &t, i, steps);
        keep_track(r, i);

        if (t.outcome == PEER_DONE && i < steps && is_late(r, total, i, steps))
            t.outcome = PEER_STOPPED;
    }

    // a run that was stopped is still measured where it was
    if (t.outcome == PEER_STOPPED)
        peer_judge_sample(r->judge, &t.measure, r->all);

    t.ms = total / t.steps;
    t.staged = r->engine->stages != NULL;
    for (int k = 0; k < scene_stage_count && t.staged; k++)
        t.stages[k] = r->engine->stages(world)[k];

    judge_end(r, &t);
    r->engine->destroy(world);
    return t;
}

static peer_trial run_best(run* r)
{
    peer_trial best = run_once(r);
    for (int i = 1; i < repetitions && best.outcome == PEER_DONE &&
                    best.ms * best.steps < 0.2e3 * r->budget / repetitions;
         i++) {
        peer_trial next = run_once(r);
        if (next.ms < best.ms)
            best = next;
    }
    return best;
}

static void run_child(run* r, int end)
{
    bench_end_with_parent();
    r->end = end;
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    r->judge = peer_judge_create(r->problem);
    r->all = calloc((size_t)r->problem->scene.body_count + 1, sizeof *r->all);
    peer_trial t = run_best(r);
    tell_progress(r);
    _exit(write(end, &t, sizeof t) == (ssize_t)sizeof t ? 0 : 1);
}

// Waits for `size` bytes of a child that has been given `limit` seconds of processor time in all;
// false when it has used them up, or half a minute and ten times as much of the clock (an engine
// from npm computes in a process of its own). A timer of its own would coarsen the clock that the
// child measures with.
static bool await(void* answer, size_t size, pid_t child, int end, double limit)
{
    struct pollfd ready = {.fd = end, .events = POLLIN};
    struct timespec used = {0, 0};
    clockid_t clock;
    double latest = bench_clock() + 30.0 + 10.0 * limit;
    if (clock_getcpuclockid(child, &clock) != 0)
        return true;

    while (poll(&ready, 1, 20) == 0)
        if (bench_clock() > latest || (clock_gettime(clock, &used) == 0 &&
                                       (double)used.tv_sec + 1e-9 * (double)used.tv_nsec > limit))
            return false;
    char bytes[sizeof(peer_trial)];
    if (read(end, bytes, size) == (ssize_t)size)
        memcpy(answer, bytes, size);
    return true;
}

peer_trial peer_try(const peer_engine* engine, int choice, const peer_problem* problem, double time,
                    double budget, cairn_vec3 tip)
{
    run r = {.engine = engine,
             .choice = choice,
             .problem = problem,
             .time = time,
             .budget = budget,
             .tip = tip};
    peer_trial t = {.outcome = PEER_CRASHED, .error = NAN, .friction = NAN};
    int ends[2];

    if (engine->refuses && engine->refuses(&problem->scene, choice)) {
        t.outcome = PEER_REFUSED;
        return t;
    }

    if (pipe(ends) != 0)
        return t;

    // the engine runs in a child: it may crash, hang or end the program
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(&r, ends[1]);

    close(ends[1]);
    char begun;
    if (child > 0 && !(await(&begun, 1, child, ends[0], 0.4 * budget + 1.0) &&
                       await(&t, sizeof t, child, ends[0], 1.5 * budget + 1.0))) {
        kill(child, SIGKILL);
        t.outcome = PEER_NO_ANSWER;
    }

    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return t;
}
