// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shipped scenes, found from the place of the program: installed, or built in the source tree.

#include "scene_run.h"
#include "stopwatch.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void give_up(const char* what, const char* why)
{
    fprintf(stderr, "cairn bench: %s: %s\n", what, why);
    exit(2);
}

static scene_run begin(cairn_scene* scene)
{
    return (scene_run){
        .scene = scene, .world = cairn_scene_world(scene), .info = cairn_scene_describe(scene)};
}

// what is measured is computed in every step
static const cairn_scene_def awake = {.no_sleep = true};

scene_run scene_open(const char* name)
{
    static const char* const places[] = {"../../share/cairn/scenes", "../share/cairn/scenes",
                                         "scenes", "../scenes", "../../scenes"};
    char own[PATH_MAX], path[2 * PATH_MAX];
    cairn_scene* scene;
    cairn_error error;
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s/%s.json", own, places[i], name);
        if (access(path, R_OK) == 0)
            break;
    }
    if (cairn_scene_read(&scene, path, &awake, &error) != CAIRN_OK)
        give_up(name, error.text);
    return begin(scene);
}

scene_run scene_open_text(const char* text)
{
    cairn_scene* scene;
    cairn_error error;
    if (cairn_scene_read_text(&scene, text, strlen(text), "a scene", &awake, &error) != CAIRN_OK)
        give_up("a scene", error.text);
    return begin(scene);
}

void scene_step(scene_run* run)
{
    cairn_error error;
    cairn_step_report* s = &run->last;
    stopwatch watch = stopwatch_start();
    if (cairn_scene_step(run->scene, run->info.dt, s, &error) != CAIRN_OK)
        give_up(run->info.title, error.text);
    run->ms_last = stopwatch_read(&watch);
    run->ms += run->ms_last;
    run->steps++;
    run->missed += s->outcome != CAIRN_CONVERGED;
    run->penetration = fmax(run->penetration, s->penetration);
    run->joint_error = fmax(run->joint_error, s->joint_error);
    run->residual = fmax(run->residual, s->residual);
    const double stages[5] = {s->ms_broad, s->ms_narrow, s->ms_assemble, s->ms_solve,
                              s->ms_integrate};
    for (int k = 0; k < 5; k++)
        run->stages[k] += stages[k];
}

void scene_advance(scene_run* run, double seconds)
{
    for (int n = (int)round(seconds / run->info.dt); n > 0; n--)
        scene_step(run);
}

cairn_body_state scene_body(const scene_run* run, const char* name)
{
    cairn_body_id id;
    cairn_body_state state;
    cairn_error error;
    if (!cairn_scene_find(run->scene, name, &id))
        give_up(run->info.title, "a body that is to be measured is missing");
    if (cairn_body_get(run->world, id, &state, &error) != CAIRN_OK)
        give_up(run->info.title, error.text);
    return state;
}

double scene_energy(const scene_run* run)
{
    double kinetic, potential;
    cairn_world_energy(run->world, &kinetic, &potential);
    return kinetic + potential;
}

void scene_close(scene_run* run)
{
    cairn_scene_destroy(run->scene);
}
