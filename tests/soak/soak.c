// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Ten shipped scenes for ten simulated minutes each, with sleep and without:
//
//     soak FOLDER [SECONDS [SCENE ...]]      default 600 s, all ten scenes
//
// Each run is held to four laws:
// - energy: without motors the total energy never exceeds that of the start by more than
//   Σ m g · 1 mm + 1e-3 max E_kin: position correction may lift what overlapped at the start, and
//   an integrator of second order trades energy to and fro between positions and velocities;
// - memory: the world never holds more in the second half of the run than in the first, nor the
//   process 8 MB more (in runs of a minute and more, in which bodies come to rest);
// - numbers: every body, contact and report is finite, and nothing is frozen;
// - tolerance: every solve that counts is within the tolerance of the scene.
//
// Prints a table and a line "N passed, N failed".

#include <cairn/io.h>
#include <cairn/world.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct plan {
    const char* name;
    bool driven; // by a motor, which does work
} plan;

static const plan plans[] = {
    {"cards", false},  {"column", false},   {"arch", false}, {"domino", false},
    {"chain", false},  {"tumble", false},   {"gears", true}, {"newton-cradle", false},
    {"fourbar", true}, {"ragdolls", false},
};

enum { plan_count = sizeof plans / sizeof plans[0] };

typedef struct record {
    long steps, missed; // steps whose residual is above the tolerance
    double worst;       // residual over tolerance
    double gained;      // J: the most that the energy was above that of the start
    double allowed;     // J
    double kinetic;     // J: the largest
    size_t early, late; // bytes: the most that the world holds in each half of the run
    long early_process, late_process;
    bool long_enough; // to judge memory
    int asleep, bodies;
    bool finite;
    double seconds; // of processor time
} record;

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// bytes that the process holds in memory
static long resident(void)
{
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

// ---------------------------------------------------------------- what is judged

static bool bodies_are_finite(const cairn_world* world, record* r)
{
    r->asleep = r->bodies = 0;
    for (int i = 0; i < cairn_world_body_slots(world); i++) {
        cairn_body_state s;
        if (cairn_body_get(world, cairn_world_body_at(world, i), &s, NULL) != CAIRN_OK)
            continue;
        r->bodies += isfinite(s.mass);
        r->asleep += s.asleep;
        if (s.frozen || !cairn_is_finite(s.pose.p) || !cairn_is_finite(s.velocity) ||
            !cairn_is_finite(s.spin))
            return false;
    }
    return true;
}

static bool contacts_are_finite(const cairn_world* world)
{
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < count; i++)
        if (!cairn_is_finite(contacts[i].impulse) || !isfinite(contacts[i].gap))
            return false;
    return true;
}

// Σ m |g| · 1 mm
static double lift_allowance(const cairn_world* world, cairn_vec3 gravity)
{
    double mass = 0.0;
    for (int i = 0; i < cairn_world_body_slots(world); i++) {
        cairn_body_state s;
        if (cairn_body_get(world, cairn_world_body_at(world, i), &s, NULL) == CAIRN_OK &&
            isfinite(s.mass))
            mass += s.mass;
    }
    return 1e-3 * mass * cairn_norm(gravity);
}

static void judge_step(record* r, const cairn_step_report* report, double start, double tolerance)
{
    double energy = report->kinetic + report->potential;
    r->kinetic = fmax(r->kinetic, report->kinetic);
    r->gained = fmax(r->gained, energy - start);
    r->worst = fmax(r->worst, report->residual / tolerance);
    r->missed += !(report->residual <= tolerance);
    r->finite = r->finite && isfinite(energy) && isfinite(report->penetration) &&
                isfinite(report->joint_error) && report->frozen == 0;
    r->steps++;
}

static void judge_memory(record* r, const cairn_world* world, bool first_half)
{
    size_t* bytes = first_half ? &r->early : &r->late;
    long* process = first_half ? &r->early_process : &r->late_process;
    size_t now = cairn_world_memory(world, NULL);
    long now_process = resident();
    *bytes = now > *bytes ? now : *bytes;
    *process = now_process > *process ? now_process : *process;
}

static bool passed(const record* r, bool driven)
{
    return r->finite && r->missed == 0 && (driven || r->gained <= r->allowed) &&
           (!r->long_enough ||
            (r->late <= r->early && r->late_process <= r->early_process + (8L << 20)));
}

// ---------------------------------------------------------------- a run

static bool run(record* r, cairn_scene* scene, double seconds, cairn_error* error)
{
    cairn_scene_info info = cairn_scene_describe(scene);
    cairn_world* world = cairn_scene_world(scene);
    long steps = lround(seconds / info.dt);
    double kinetic, potential, begun = processor_seconds();
    cairn_world_energy(world, &kinetic, &potential);
    r->finite = true;
    r->kinetic = kinetic;
    for (long i = 0; i < steps; i++) {
        cairn_step_report report;
        if (cairn_scene_step(scene, info.dt, &report, error) != CAIRN_OK)
            return false;
        judge_step(r, &report, kinetic + potential, info.tolerance);

        // every body and the memory once a simulated second
        if (i % lround(1.0 / info.dt) != 0)
            continue;
        r->finite = r->finite && bodies_are_finite(world, r) && contacts_are_finite(world);
        judge_memory(r, world, i < steps / 2);
    }
    r->finite = r->finite && bodies_are_finite(world, r);
    r->allowed = lift_allowance(world, info.gravity) + 1e-3 * r->kinetic;
    r->long_enough = seconds >= 60.0;
    r->seconds = processor_seconds() - begun;
    return true;
}

static bool soak(const char* folder, const plan* p, bool sleep, double seconds)
{
    char path[512];
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_scene_def def = {.no_sleep = !sleep};
    record r;
    memset(&r, 0, sizeof r);
    snprintf(path, sizeof path, "%s/%s.json", folder, p->name);
    bool good =
        cairn_scene_read(path, &def, &scene, &error) == CAIRN_OK && run(&r, scene, seconds, &error);
    if (!good)
        printf("%s\n", error.text);
    good = good && passed(&r, p->driven);
    printf("%-14s %-5s %6ld %8.2g %6ld %10.2g %10.2g %8.0f %8.0f %4d/%-4d %6.1f  %s\n", p->name,
           sleep ? "sleep" : "awake", r.steps, r.worst, r.missed, r.gained,
           p->driven ? INFINITY : r.allowed, (double)r.early / 1024.0, (double)r.late / 1024.0,
           r.asleep, r.bodies, r.seconds, good ? "ok" : "FAILED");
    fflush(stdout);
    cairn_scene_destroy(scene);
    return good;
}

static bool chosen(const char* name, int count, char** names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: soak FOLDER [SECONDS [SCENE ...]]\n");
        return 2;
    }
    double seconds = argc > 2 ? atof(argv[2]) : 600.0;
    int good = 0, bad = 0;
    printf("%-14s %-5s %6s %8s %6s %10s %10s %8s %8s %-9s %6s\n", "scene", "", "steps", "res/tol",
           "missed", "gained J", "allowed J", "early kB", "late kB", "asleep", "CPU s");
    for (int i = 0; i < 2 * plan_count; i++) {
        if (!chosen(plans[i / 2].name, argc > 3 ? argc - 3 : 0, argv + 3))
            continue;
        if (soak(argv[1], &plans[i / 2], i % 2 == 0, seconds))
            good++;
        else
            bad++;
    }
    printf("%d passed, %d failed\n", good, bad);
    return bad > 0;
}
