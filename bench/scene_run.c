// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shipped scenes, found from the place of the program: installed, or built in the source tree.

#include "scene_run.h"
#include "stopwatch.h"
#include "verb.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_add_stages(double* sums, const cairn_step_report* s)
{
    const double ms[] = {s->ms_broad, s->ms_narrow, s->ms_assemble, s->ms_solve, s->ms_integrate};
    for (int k = 0; k < scene_stage_count; k++)
        sums[k] += ms[k];
}

json_t* scene_stages(const double* sums, int steps)
{
    static const char* const names[] = {"broad", "narrow", "assemble", "solve", "integrate"};
    json_t* out = json_object();
    for (int k = 0; k < scene_stage_count; k++)
        json_object_set_new(out, names[k], json_real(sums[k] / steps));
    return out;
}

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

scene_run scene_open_by(const char* name, const char* method)
{
    char path[2 * PATH_MAX];
    cairn_scene* scene = NULL;
    cairn_error error = {"is not a shipped scene"};
    cairn_scene_def def = awake;
    def.method = method;
    if (!verb_shipped_scene(path, sizeof path, name) ||
        cairn_scene_read(path, &def, &scene, &error) != CAIRN_OK)
        give_up(name, error.text);
    return begin(scene);
}

scene_run scene_open(const char* name)
{
    return scene_open_by(name, NULL);
}

scene_run scene_open_undisturbed(const char* name)
{
    char path[2 * PATH_MAX];
    if (!verb_shipped_scene(path, sizeof path, name))
        give_up(name, "is not a shipped scene");

    // the scene file, less what enters
    json_t* root = json_load_file(path, 0, NULL);
    json_t* bodies = json_object_get(root, "bodies");
    for (size_t i = json_array_size(bodies); i-- > 0;)
        if (json_object_get(json_array_get(bodies, i), "enter"))
            json_array_remove(bodies, i);
    char* text = json_dumps(root, JSON_REAL_PRECISION(17));
    if (!text)
        give_up(name, "not a scene");

    scene_run run = scene_open_text(text);
    free(text);
    json_decref(root);
    return run;
}

scene_run scene_open_within(const char* text, double budget)
{
    cairn_scene* scene;
    cairn_error error;
    cairn_scene_def def = awake;
    def.budget = budget;
    if (cairn_scene_read_text(text, strlen(text), "a scene", &def, &scene, &error) != CAIRN_OK)
        give_up("a scene", error.text);
    return begin(scene);
}

scene_run scene_open_text(const char* text)
{
    return scene_open_within(text, 0.0);
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
    run->missed += s->outcome != CAIRN_OUTCOME_CONVERGED;
    run->penetration = fmax(run->penetration, s->penetration);
    run->joint_error = fmax(run->joint_error, s->joint_error);
    run->residual = fmax(run->residual, s->residual);
    scene_add_stages(run->stages, s);
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
