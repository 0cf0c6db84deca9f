// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of recording.h and page.h: stages, frames, recordings and pages of the scenes that a
// session has read.

#include "api.h"
#include <string.h>

// ---------------------------------------------------------------- stages and frames

static void set_origin(api* a)
{
    cairn_stage_origin origin = {"a session", "{}", 2};
    if (api_chance(a, 64))
        memset(&origin, 0, sizeof origin);
    api_begin(a);
    api_end(a, cairn_stage_set_origin(&a->stage, &origin, a->said), API_NOTHING);
}

static void stage_take(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    double dt = api_real(a, 1e-3, 0.05);
    api_begin(a);
    api_end(a, cairn_stage_take(&a->stage, a->worlds[w].scene, dt, a->said), API_NOTHING);
}

static void stage_free(api* a)
{
    api_begin(a);
    cairn_stage_destroy(&a->stage);
    api_end(a, CAIRN_OK, API_NOTHING);
    memset(&a->stage, 0, sizeof a->stage);
}

// a frame of a world whose stage was just taken
static bool take_frame(api* a, int w)
{
    cairn_step_report report;
    return cairn_stage_take(&a->stage, a->worlds[w].scene, 0.01, NULL) == CAIRN_OK &&
           cairn_scene_step(a->worlds[w].scene, 0.01, &report, NULL) == CAIRN_OK &&
           cairn_stage_take(&a->stage, a->worlds[w].scene, 0.01, NULL) == CAIRN_OK &&
           cairn_frame_take(&a->frame, &a->stage, a->worlds[w].scene, &report, 0.1, NULL) ==
               CAIRN_OK;
}

static void frame_take(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0 || cairn_stage_take(&a->stage, a->worlds[w].scene, 0.01, NULL) != CAIRN_OK)
        return;
    cairn_step_report report;
    cairn_status status = cairn_scene_step(a->worlds[w].scene, 0.01, &report, NULL);
    a->worlds[w].known = false;
    if (cairn_stage_take(&a->stage, a->worlds[w].scene, 0.01, NULL) != CAIRN_OK)
        return;
    api_begin(a);
    status = cairn_frame_take(&a->frame, &a->stage, a->worlds[w].scene,
                              status == CAIRN_OK ? &report : NULL, 0.1, a->said);
    api_end(a, status, API_NOTHING);
}

static void frame_free(api* a)
{
    api_begin(a);
    cairn_frame_destroy(&a->frame);
    api_end(a, CAIRN_OK, API_NOTHING);
    memset(&a->frame, 0, sizeof a->frame);
}

// ---------------------------------------------------------------- recordings

static void recorder_create(api* a)
{
    char path[80];
    int w = api_pick_scene(a);
    if (w < 0 || a->recorder ||
        cairn_stage_take(&a->stage, a->worlds[w].scene, 0.01, NULL) != CAIRN_OK)
        return;
    const char* to = api_pick_path(a, path, sizeof path, ".h5");
    api_begin(a);
    cairn_status status = cairn_recorder_create(to, &a->stage, true, &a->recorder, a->said);
    if (!api_end(a, status, API_NOTHING))
        a->recorder = NULL;
}

static void recorder_solve(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0 || !a->recorder)
        return;
    api_begin(a);
    cairn_world_set_solve_hook(a->worlds[w].world, cairn_recorder_solve, a->recorder);
    cairn_status status = cairn_scene_step(a->worlds[w].scene, 0.01, NULL, a->said);
    cairn_world_set_solve_hook(a->worlds[w].world, NULL, NULL);
    api_end(a, status, w);
}

static void recorder_add(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0 || !a->recorder || !take_frame(a, w))
        return;
    a->worlds[w].known = false;
    api_begin(a);
    api_end(a, cairn_recorder_add(a->recorder, &a->stage, &a->frame, a->said), API_NOTHING);
}

static void recorder_forget(api* a)
{
    api_begin(a);
    cairn_recorder_forget(a->recorder);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void recorder_cut(api* a)
{
    api_begin(a);
    cairn_status status = cairn_recorder_cut(a->recorder, a->said);
    a->recorder = NULL;
    api_end(a, status, API_NOTHING);
}

static void recorder_close(api* a)
{
    api_begin(a);
    cairn_status status = cairn_recorder_destroy(a->recorder, a->said);
    a->recorder = NULL;
    api_end(a, status, API_NOTHING);
}

static void recording_open(api* a)
{
    char path[80];
    if (a->recorder || a->recording)
        return;
    const char* from = api_pick_path(a, path, sizeof path, ".h5");
    api_begin(a);
    if (!api_end(a, cairn_recording_open(from, &a->recording, a->said), API_NOTHING))
        a->recording = NULL;
}

static void recording_open_bytes(api* a)
{
    cairn_recording* recording = NULL;
    static const uint8_t none[16] = {0x89, 'H', 'D', 'F'};
    api_begin(a);
    cairn_status status =
        cairn_recording_open_bytes(none, sizeof none, "session", &recording, a->said);
    if (api_end(a, status, API_NOTHING))
        cairn_recording_destroy(recording);
}

static void recording_close(api* a)
{
    if (!a->recording)
        return;
    api_begin(a);
    cairn_recording_destroy(a->recording);
    a->recording = NULL;
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void frame_count(api* a)
{
    if (!a->recording)
        return;
    api_begin(a);
    int count = cairn_recording_frame_count(a->recording);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count < 0)
        api_broken(a, "%d frames", count);
}

static void recording_show(api* a)
{
    if (!a->recording)
        return;
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    int index = api_int(a, 0, 3);
    api_begin(a);
    api_end(a, cairn_recording_show(a->recording, index, &stage, &frame, a->said), API_NOTHING);
    cairn_stage_destroy(&stage);
    cairn_frame_destroy(&frame);
}

static void solve_count(api* a)
{
    if (!a->recording)
        return;
    int index = api_int(a, 0, 3);
    api_begin(a);
    cairn_recording_solve_count(a->recording, index);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void recording_solve(api* a)
{
    if (!a->recording)
        return;
    cairn_recorded_solve solve;
    int index = api_int(a, 0, 3), number = api_int(a, 0, 1);
    api_begin(a);
    if (api_end(a, cairn_recording_solve(a->recording, index, number, &solve, a->said),
                API_NOTHING))
        cairn_recorded_solve_destroy(&solve);
}

static void recorded_solve_free(api* a)
{
    cairn_recorded_solve solve;
    memset(&solve, 0, sizeof solve);
    api_begin(a);
    cairn_recorded_solve_destroy(&solve);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// ---------------------------------------------------------------- pages

static void page_html(api* a)
{
    size_t size = 0;
    api_begin(a);
    const char* page = cairn_page_html(&size);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!page != !size)
        api_broken(a, "a page of %zu bytes", size);
}

static void page_check(api* a)
{
    api_begin(a);
    api_end(a, cairn_page_check(a->said), API_NOTHING);
}

static void page_bytes_free(api* a)
{
    cairn_page_bytes bytes = {0};
    api_begin(a);
    cairn_page_bytes_destroy(&bytes);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void page_stage(api* a)
{
    int w = api_pick_scene(a);
    cairn_page_bytes bytes = {0};
    if (w < 0 || cairn_stage_take(&a->stage, a->worlds[w].scene, 0.01, NULL) != CAIRN_OK)
        return;
    api_begin(a);
    api_end(a, cairn_page_stage(&a->stage, &bytes, a->said), API_NOTHING);
    cairn_page_bytes_destroy(&bytes);
}

static void page_frame(api* a)
{
    int w = api_pick_scene(a);
    cairn_page_bytes bytes = {0};
    if (w < 0 || !take_frame(a, w))
        return;
    a->worlds[w].known = false;
    api_begin(a);
    api_end(a, cairn_page_frame(&a->stage, &a->frame, &bytes, a->said), API_NOTHING);
    cairn_page_bytes_destroy(&bytes);
}

static void replay_create(api* a)
{
    if (a->replay)
        return;
    cairn_replay_def def = {0};
    def.frames = api_int(a, 0, 4);
    api_begin(a);
    if (!api_end(a, cairn_replay_create(&def, &a->replay, a->said), API_NOTHING))
        a->replay = NULL;
}

static void replay_add(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0 || !a->replay || !take_frame(a, w))
        return;
    a->worlds[w].known = false;
    api_begin(a);
    api_end(a, cairn_replay_add(a->replay, &a->stage, &a->frame, a->said), API_NOTHING);
}

static void replay_write(api* a)
{
    char path[80];
    if (!a->replay)
        return;
    const char* to = api_pick_path(a, path, sizeof path, ".html");
    api_begin(a);
    api_end(a, cairn_replay_write(a->replay, to, true, a->said), API_NOTHING);
}

static void replay_frames(api* a)
{
    int every = 0;
    if (!a->replay)
        return;
    api_begin(a);
    int frames = cairn_replay_frames(a->replay, &every);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (frames < 0 || every < 0)
        api_broken(a, "%d frames, every %d", frames, every);
}

static void replay_destroy(api* a)
{
    api_begin(a);
    cairn_replay_destroy(a->replay);
    a->replay = NULL;
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void gltf_create(api* a)
{
    if (a->gltf)
        return;
    api_begin(a);
    if (!api_end(a, cairn_gltf_create(&a->gltf, a->said), API_NOTHING))
        a->gltf = NULL;
}

static void gltf_add(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0 || !a->gltf || !take_frame(a, w))
        return;
    a->worlds[w].known = false;
    api_begin(a);
    api_end(a, cairn_gltf_add(a->gltf, &a->stage, &a->frame, a->said), API_NOTHING);
}

static void gltf_write(api* a)
{
    char path[80];
    if (!a->gltf)
        return;
    const char* to = api_pick_path(a, path, sizeof path, ".glb");
    api_begin(a);
    api_end(a, cairn_gltf_write(a->gltf, to, true, a->said), API_NOTHING);
}

static void gltf_destroy(api* a)
{
    api_begin(a);
    cairn_gltf_destroy(a->gltf);
    a->gltf = NULL;
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void write_race(api* a)
{
    char path[80];
    const char* to = api_pick_path(a, path, sizeof path, ".html");
    const char* json = api_chance(a, 128) ? "{}" : "{";
    api_begin(a);
    api_end(a, cairn_page_write_race(to, json, true, a->said), API_NOTHING);
}

// clang-format off: one line for each call
const api_call api_recording_calls[] = {
    {"cairn_stage_set_origin", set_origin, 1},
    {"cairn_stage_take", stage_take, 1},
    {"cairn_stage_destroy", stage_free, 1},
    {"cairn_frame_take", frame_take, 1},
    {"cairn_frame_destroy", frame_free, 1},
    {"cairn_recorder_create", recorder_create, 1},
    {"cairn_recorder_solve", recorder_solve, 1},
    {"cairn_recorder_add", recorder_add, 1},
    {"cairn_recorder_forget", recorder_forget, 1},
    {"cairn_recorder_cut", recorder_cut, 1},
    {"cairn_recorder_destroy", recorder_close, 1},
    {"cairn_recording_open", recording_open, 1},
    {"cairn_recording_open_bytes", recording_open_bytes, 1},
    {"cairn_recording_destroy", recording_close, 1},
    {"cairn_recording_frame_count", frame_count, 1},
    {"cairn_recording_show", recording_show, 1},
    {"cairn_recording_solve_count", solve_count, 1},
    {"cairn_recording_solve", recording_solve, 1},
    {"cairn_recorded_solve_destroy", recorded_solve_free, 1},
    {"cairn_page_html", page_html, 1},
    {"cairn_page_check", page_check, 1},
    {"cairn_page_bytes_destroy", page_bytes_free, 1},
    {"cairn_page_stage", page_stage, 1},
    {"cairn_page_frame", page_frame, 1},
    {"cairn_replay_create", replay_create, 1},
    {"cairn_replay_add", replay_add, 1},
    {"cairn_replay_write", replay_write, 1},
    {"cairn_replay_frames", replay_frames, 1},
    {"cairn_replay_destroy", replay_destroy, 1},
    {"cairn_page_write_race", write_race, 1},
    {"cairn_gltf_create", gltf_create, 1},
    {"cairn_gltf_add", gltf_add, 1},
    {"cairn_gltf_write", gltf_write, 1},
    {"cairn_gltf_destroy", gltf_destroy, 1},
    {0},
};
// clang-format on
