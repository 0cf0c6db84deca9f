// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Robots: an arm that swings and a figure that tumbles, without friction, damping and contacts, so
// that energy is the judge. Each engine takes the longest of the steps 1/60 s, 1/120 s, ... with
// which its energy stays within a share of the kinetic energy that it starts with or reaches; then
// its steps per second and its speed (simulated seconds per second of processor time) are told. And
// a batch of 1,000 poles on carts: how much of the cores' speed is left when they are stepped
// together.

#include "peers/peers.h"
#include "stopwatch.h"
#include "suite.h"
#include <cairn/cairn.h>
#include <cairn/robot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef CAIRN_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

void bench_robots(bench* b);

static const double energy_share = 1e-3, frame = 1.0 / 60.0;
enum { finest = 256 };

// ---------------------------------------------------------------- the robots

#define START                                                                                      \
    "<mujoco><compiler angle='radian'/><default><geom type='capsule' contype='0' "                 \
    "conaffinity='0'/></default>"

// seven hinges that swing from level, 1 m long
static const char arm_text[] = START
    "<option gravity='0 0 -9.81'/><worldbody>"
    "<body><joint name='a' axis='0 0 1'/><geom fromto='0 0 0 0.15 0 0' size='0.06'/>"
    "<body pos='0.15 0 0'><joint name='b' axis='0 1 0'/><geom fromto='0 0 0 0.2 0 0' size='0.05'/>"
    "<body pos='0.2 0 0'><joint name='c' axis='1 0 0'/><geom fromto='0 0 0 0.15 0 0' size='0.05'/>"
    "<body pos='0.15 0 0'><joint name='d' axis='0 1 0'/><geom fromto='0 0 0 0.2 0 0' size='0.04'/>"
    "<body pos='0.2 0 0'><joint name='e' axis='1 0 0'/><geom fromto='0 0 0 0.1 0 0' size='0.04'/>"
    "<body pos='0.1 0 0'><joint name='f' axis='0 1 0'/><geom fromto='0 0 0 0.1 0 0' size='0.03'/>"
    "<body pos='0.1 0 0'><joint name='g' axis='1 0 0'/><geom fromto='0 0 0 0 0.1 0' size='0.03'/>"
    "</body></body></body></body></body></body></body></worldbody>"
    "<keyframe><key name='k' qvel='1 0 1 0 0 0 0'/></keyframe></mujoco>";

// a limb of an upper and a lower part with a hand or foot: four hinges
#define LIMB(name, at, way)                                                                        \
    "<body pos='" at "'><joint axis='1 0 0'/><geom fromto='0 0 0 " way "' size='0.05'/>"           \
    "<body pos='" way "'><joint axis='0 1 0'/><geom fromto='0 0 0 " way "' size='0.05'/>"          \
    "<body pos='" way "'><joint axis='0 1 0'/><geom fromto='0 0 0 " way "' size='0.045'/>"         \
    "<body pos='" way "'><joint axis='0 1 0'/><geom fromto='0 0 0 0.1 0 0' size='0.03'/>"          \
    "</body></body></body></body>"

// trunk and head on a free root, four limbs: 6 + 1 + 16 coordinates
static const char humanoid_text[] = START
    "<option gravity='0 0 0'/><worldbody><body name='trunk'><freejoint/>"
    "<geom fromto='0 0 0 0 0 0.5' size='0.11'/>"
    "<body pos='0 0 0.6'><joint axis='0 1 0'/><geom type='sphere' size='0.11' pos='0 0 "
    "0.1'/></body>" LIMB("left arm", "0 0.2 0.5", "0 0.05 -0.17") LIMB(
        "right arm", "0 -0.2 0.5", "0 -0.05 -0.17") LIMB("left leg", "0 0.1 -0.05", "0 0 -0.25")
        LIMB("right leg", "0 -0.1 -0.05",
             "0 0 -0.25") "</body></worldbody><keyframe><key name='k' qvel='0 0 0 1 2 0.5 1 "
                          "2 -1 3 1 -2 1 2 -1 1 2 -2 1 -1 -2 2 1'/></keyframe></mujoco>";

typedef struct machine {
    const char *name, *text;
    cairn_vec3 gravity; ///< m/s², as in the text
} machine;

static const machine arm = {"arm", arm_text, {0, 0, -9.81}};
static const machine humanoid = {"humanoid", humanoid_text, {0, 0, 0}};

static const char cart_pole[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.01'/><worldbody>"
    "<body name='cart'><joint name='slider' type='slide' axis='1 0 0' damping='0.1'/>"
    "<geom type='box' size='0.2 0.1 0.05' mass='1' contype='0' conaffinity='0'/>"
    "<body name='pole'><joint name='hinge' axis='0 1 0' damping='0.01'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 1' size='0.03' mass='0.2' contype='0' conaffinity='0'/>"
    "</body></body></worldbody><keyframe><key name='k' qpos='0 0.1'/></keyframe></mujoco>";

static cairn_robot* read_robot(bench* b, const char* text)
{
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    cairn_robot_def def = {.keyframe = "k"};
    if (cairn_robot_read_text(text, strlen(text), "bench.xml", &def, &robot, &error) != CAIRN_OK)
        bench_bound(b, false, "%s", error.text);
    return robot;
}

// ---------------------------------------------------------------- one run

/// What a run was like.
typedef struct trial {
    double error; ///< of energy, as a share
    double ms;
    int steps;
} trial;

/// An engine: runs a machine with `parts` steps for each of `frames` frames.
typedef trial (*engine_run)(bench* b, const machine* m, int parts, int frames);

// the largest excursion so far
static void watch_energy(trial* t, double kinetic, double total, double start, double* most)
{
    double error = fabs(total - start);
    *most = fmax(*most, kinetic);
    t->error = isfinite(error) ? fmax(t->error, error) : INFINITY;
}

static trial run_cairn(bench* b, const machine* m, int parts, int frames)
{
    trial t = {0};
    cairn_robot* robot = read_robot(b, m->text);
    cairn_scene* scene = NULL;
    cairn_scene_def def = {.no_sleep = true};

    if (!robot || cairn_robot_make_scene(robot, &def, &scene, NULL) != CAIRN_OK) {
        cairn_robot_destroy(robot);
        t.error = INFINITY;
        return t;
    }

    double kinetic, potential, most = 0.0;
    cairn_world_energy(cairn_scene_world(scene), &kinetic, &potential);
    double start = kinetic + potential;

    for (int i = 0; i < frames; i++) {
        stopwatch watch = stopwatch_start();
        for (int k = 0; k < parts; k++, t.steps++)
            if (cairn_scene_step(scene, frame / parts, NULL, NULL) != CAIRN_OK)
                t.error = INFINITY;

        // energy is looked at once a frame, outside of the time
        t.ms += stopwatch_read(&watch);
        cairn_world_energy(cairn_scene_world(scene), &kinetic, &potential);
        watch_energy(&t, kinetic, kinetic + potential, start, &most);
    }

    t.error /= most;
    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
    return t;
}

#ifdef CAIRN_HAVE_MUJOCO
static mjModel* read_mujoco(const char* text)
{
    const char* where = getenv("TMPDIR");
    char name[2100], said[500];
    snprintf(name, sizeof name, "%.2000s/cairn-bench-XXXXXX.xml", where && *where ? where : "/tmp");
    int file = mkstemps(name, 4);
    size_t size = strlen(text);
    mjModel* m = NULL;
    if (file >= 0 && write(file, text, size) == (ssize_t)size)
        m = mj_loadXML(name, NULL, said, sizeof said);
    if (file >= 0) {
        close(file);
        unlink(name);
    }
    return m;
}

// what goes wrong shows in the energy
static void be_quiet(const char* text)
{
    (void)text;
}

// outside of what is timed
static void measure_energy(mjModel* m, mjData* d)
{
    m->opt.enableflags |= mjENBL_ENERGY;
    mj_forward(m, d);
    m->opt.enableflags &= ~mjENBL_ENERGY;
}

static trial run_mujoco(const char* text, int parts, int frames, int integrator)
{
    trial t = {0};
    mjModel* m = read_mujoco(text);

    if (!m) {
        t.error = INFINITY;
        return t;
    }

    // no contacts, and the state of the keyframe
    mjData* d = mj_makeData(m);
    mju_user_warning = be_quiet;
    m->opt.timestep = frame / parts;
    m->opt.integrator = integrator;
    m->opt.disableflags |= mjDSBL_CONTACT;
    mj_resetDataKeyframe(m, d, 0);

    measure_energy(m, d);
    double start = d->energy[0] + d->energy[1], most = 0.0;

    for (int i = 0; i < frames; i++) {
        stopwatch watch = stopwatch_start();
        for (int k = 0; k < parts; k++, t.steps++)
            mj_step(m, d);
        t.ms += stopwatch_read(&watch);
        measure_energy(m, d);
        watch_energy(&t, d->energy[1], d->energy[0] + d->energy[1], start, &most);
    }

    t.error /= most;
    mj_deleteData(d);
    mj_deleteModel(m);
    return t;
}

static trial run_euler(bench* b, const machine* m, int parts, int frames)
{
    (void)b;
    return run_mujoco(m->text, parts, frames, mjINT_EULER);
}

static trial run_rk4(bench* b, const machine* m, int parts, int frames)
{
    (void)b;
    return run_mujoco(m->text, parts, frames, mjINT_RK4);
}
#endif

#ifdef CAIRN_HAVE_DART
static peer_dart_robot* make_dart(const cairn_robot* robot, cairn_vec3 gravity, double dt)
{
    const cairn_multibody* model = cairn_robot_multibody(robot);
    cairn_robot_info info = cairn_robot_describe(robot);
    double* q = calloc((size_t)(info.q_count + info.v_count), sizeof *q);
    if (!q)
        return NULL;

    cairn_robot_start(robot, q, q + info.q_count);
    peer_dart_robot* made = peer_dart_robot_create(model, q, q + info.q_count, gravity, dt);
    free(q);
    return made;
}

static trial run_dart(bench* b, const machine* m, int parts, int frames)
{
    trial t = {0};
    cairn_robot* robot = read_robot(b, m->text);
    peer_dart_robot* twin = robot ? make_dart(robot, m->gravity, frame / parts) : NULL;
    cairn_robot_destroy(robot);

    if (!twin) {
        t.error = INFINITY;
        return t;
    }

    double kinetic, potential, most = 0.0;
    peer_dart_robot_energy(twin, &kinetic, &potential);
    double start = kinetic + potential;

    bool lost = false;
    for (int i = 0; i < frames && !lost; i++) {
        stopwatch watch = stopwatch_start();
        for (int k = 0; k < parts && !lost; k++, t.steps++)
            lost = !peer_dart_robot_step(twin);
        t.ms += stopwatch_read(&watch);
        peer_dart_robot_energy(twin, &kinetic, &potential);
        watch_energy(&t, kinetic, kinetic + potential, start, &most);
    }

    t.error = lost ? INFINITY : t.error / most;
    peer_dart_robot_destroy(twin);
    return t;
}
#endif

static const struct {
    const char* name;
    engine_run run; // NULL: not installed
} engines[] = {
    {"Cairn", run_cairn},
#ifdef CAIRN_HAVE_MUJOCO
    {"MuJoCo, Euler", run_euler},
    {"MuJoCo, RK4", run_rk4},
#else
    {"MuJoCo, Euler", NULL},
#endif
#ifdef CAIRN_HAVE_DART
    {"DART", run_dart},
#else
    {"DART", NULL},
#endif
};

static void race(bench* b, const machine* m)
{
    int frames = b->quick ? 60 : 300;

    for (size_t e = 0; e < sizeof engines / sizeof engines[0]; e++) {
        if (!engines[e].run) {
            bench_say(b, "skipped: %s is not installed", engines[e].name);
            continue;
        }

        // halve the step until the energy stays within its share
        int parts = 1;
        trial t = engines[e].run(b, m, parts, frames);
        while (!(t.error <= energy_share) && parts < finest) {
            parts *= 2;
            t = engines[e].run(b, m, parts, frames);
        }

        bench_row(b, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "robot", m->name, "engine",
                               engines[e].name, "dt_ms", 1e3 * frame / parts, "energy_error",
                               isfinite(t.error) ? t.error : -1.0, "steps_per_s",
                               1e3 * t.steps / t.ms, "speed", 1e3 * frames * frame / t.ms));

        if (!(t.error <= energy_share))
            bench_say(b, "%s: %s does not keep its energy to %g with %d steps per frame", m->name,
                      engines[e].name, energy_share, parts);
    }
}

// ---------------------------------------------------------------- many worlds

// processor and wall time of `steps` steps of a batch of `count` copies
static bool time_batch(const cairn_scene* scene, int count, int threads, int steps,
                       struct timespec spent[2])
{
    cairn_batch_def def = cairn_default_batch_def();
    cairn_batch* batch = NULL;

    def.count = count;
    def.threads = threads;
    if (cairn_batch_create(cairn_scene_world(scene), &def, &batch, NULL) != CAIRN_OK)
        return false;

    // two steps first, so that memory is there and caches are warm
    cairn_batch_step(batch, 0.01, 2, NULL, NULL, NULL, NULL);
    stopwatch from = stopwatch_start();
    bool done = true;
    for (int i = 0; i < steps && done; i++)
        done = cairn_batch_step(batch, 0.01, 1, NULL, NULL, NULL, NULL) == CAIRN_OK;

    stopwatch now = stopwatch_start();
    spent[0].tv_sec = now.processor.tv_sec - from.processor.tv_sec;
    spent[0].tv_nsec = now.processor.tv_nsec - from.processor.tv_nsec;
    spent[1].tv_sec = now.wall.tv_sec - from.wall.tv_sec;
    spent[1].tv_nsec = now.wall.tv_nsec - from.wall.tv_nsec;

    cairn_batch_destroy(batch);
    return done;
}

static double seconds(struct timespec t)
{
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// one world by itself and 1,000 by all cores, several times in turn: the best of each
static void many(bench* b)
{
    enum { worlds = 1000, rounds = 5 };
    int steps = b->quick ? 20 : 100, cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    double alone = INFINITY, wall = INFINITY, processor = INFINITY;
    cairn_robot* robot = read_robot(b, cart_pole);
    cairn_scene* scene = NULL;
    cairn_scene_def def = {.no_sleep = true};
    bool made = robot && cairn_robot_make_scene(robot, &def, &scene, NULL) == CAIRN_OK;

    // by turns, so that what disturbs the machine meets both
    for (int k = 0; k < rounds && made; k++) {
        struct timespec one[2], all[2];
        made = time_batch(scene, 1, 1, worlds * steps / 50, one) &&
               time_batch(scene, worlds, cores, steps, all);

        alone = fmin(alone, seconds(one[0]) / (worlds * steps / 50));
        processor = fmin(processor, seconds(all[0]) / ((double)worlds * steps));
        wall = fmin(wall, seconds(all[1]) / ((double)worlds * steps));
    }

    cairn_scene_destroy(scene);
    cairn_robot_destroy(robot);
    if (!made) {
        bench_bound(b, false, "the batch of cart-poles was not made");
        return;
    }

    double share = alone / processor, of_clock = alone / (cores * wall);
    bench_row(b, json_pack("{s:s, s:i, s:i, s:f, s:f, s:f, s:f}", "batch", "cart-pole", "worlds",
                           worlds, "cores", cores, "alone_us", 1e6 * alone, "steps_per_s",
                           1.0 / wall, "share_processor", share, "share_clock", of_clock));
    bench_bound(b, share >= 0.8,
                "1,000 cart-poles: %.0f %% of cores x single-world speed by processor time (by the "
                "clock %.0f %%), expected 80",
                100.0 * share, 100.0 * of_clock);
}

void bench_robots(bench* b)
{
    if (bench_wants(b, "arm") && bench_reach(b, "arm"))
        race(b, &arm);
    if (bench_wants(b, "humanoid") && bench_reach(b, "humanoid"))
        race(b, &humanoid);
    if (bench_wants(b, "batch") && bench_reach(b, "batch"))
        many(b);
}
