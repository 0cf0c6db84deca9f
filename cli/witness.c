// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Who looks on while a scene runs.

#include "witness.h"
#include "io/file.h"
#include "verb.h"
#include <stdlib.h>

static bool idle(const witness* w)
{
    return !w->html && !w->record && !w->gltf;
}

// adds the time since `start`, which moves on
static void add_time(double* seconds, double* start)
{
    double now = verb_clock();
    *seconds += now - *start;
    *start = now;
}

static cairn_status take(witness* w, const cairn_scene* scene, const cairn_step_report* report,
                         double ms, cairn_error* error)
{
    double start = verb_clock();
    cairn_status status = cairn_stage_take(&w->stage, scene, w->stage.dt, error);
    if (status == CAIRN_OK)
        status = cairn_frame_take(&w->frame, &w->stage, scene, report, ms, error);

    // what each output costs is told at the end
    if (status == CAIRN_OK && w->recorder)
        status = cairn_recorder_add(w->recorder, &w->stage, &w->frame, error);
    if (w->recorder)
        add_time(&w->record_seconds, &start);

    if (status == CAIRN_OK && w->replay)
        status = cairn_replay_add(w->replay, &w->stage, &w->frame, error);
    if (w->replay)
        add_time(&w->html_seconds, &start);

    if (status == CAIRN_OK && w->animation)
        status = cairn_gltf_add(w->animation, &w->stage, &w->frame, error);
    add_time(&w->gltf_seconds, &start);

    return status;
}

cairn_status witness_open(witness* w, const cairn_scene* scene, const char* name, const char* path,
                          double dt, cairn_error* error)
{
    cairn_bytes text = {0};
    if (idle(w))
        return CAIRN_OK;

    // whatever can be refused is refused before the first step
    cairn_status status = w->html ? cairn_page_check(error) : CAIRN_OK;
    if (status == CAIRN_OK)
        status = cairn_file_read(&text, path, &cairn_file_text, error);

    // outputs carry the text of the scene, so that they can be run again
    cairn_stage_origin origin = {.name = name, .text = text.data, .text_size = text.size};
    if (status == CAIRN_OK)
        status = cairn_stage_set_origin(&w->stage, &origin, error);
    free(text.data);

    if (status == CAIRN_OK && w->html)
        status = cairn_replay_create(&(cairn_replay_def){.cancel = w->cancel}, &w->replay, error);
    if (status == CAIRN_OK && w->gltf)
        status = cairn_gltf_create(&w->animation, error);

    // the stage, then the recorder that writes it and hooks into each solve
    if (status == CAIRN_OK)
        status = cairn_stage_take(&w->stage, scene, dt, error);
    if (status == CAIRN_OK && w->record)
        status = cairn_recorder_create(w->record, &w->stage, w->force, &w->recorder, error);
    if (status == CAIRN_OK && w->record)
        cairn_world_set_solve_hook(cairn_scene_world(scene), cairn_recorder_solve, w->recorder);

    return status == CAIRN_OK ? take(w, scene, NULL, 0.0, error) : status;
}

cairn_status witness_see(witness* w, const cairn_scene* scene, const cairn_step_report* report,
                         double ms, cairn_error* error)
{
    return idle(w) ? CAIRN_OK : take(w, scene, report, ms, error);
}

cairn_status witness_write(witness* w, bool hurry, cairn_error* error)
{
    double start = verb_clock();
    cairn_status status =
        hurry ? cairn_recorder_cut(w->recorder, error) : cairn_recorder_destroy(w->recorder, error);
    w->recorder = NULL;
    add_time(&w->record_seconds, &start);
    if (status == CAIRN_OK && w->replay && !hurry)
        status = cairn_replay_write(w->replay, w->html, w->force, error);
    add_time(&w->html_seconds, &start);
    if (status == CAIRN_OK && w->animation && !hurry)
        status = cairn_gltf_write(w->animation, w->gltf, w->force, error);
    add_time(&w->gltf_seconds, &start);
    return status;
}

void witness_close(witness* w)
{
    cairn_recorder_destroy(w->recorder, NULL);
    cairn_replay_destroy(w->replay);
    cairn_gltf_destroy(w->animation);
    cairn_frame_destroy(&w->frame);
    cairn_stage_destroy(&w->stage);
}
