// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The loop of a session: obey, step when it is time, show. Steps are made by the worker, so that
// orders are obeyed meanwhile. The simulation keeps its own pace: a step is due every dt / speed
// seconds, and time that was missed is not made up for.

#include "io/file.h"
#include "view_drawing.h"
#include "view_needs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double frame_time = 1.0 / 60.0; // s: pictures come no faster
static const double patience = 0.25;         // s: so late a step is not made up for
static const double idle_time = 0.5;         // s: how long to wait for orders at a time
static const double long_time = 0.3;         // s: a computation that takes longer is announced
static const double news_time = 0.5;         // s: how often
enum { most_orders = 64 };                   // between two steps

// ---------------------------------------------------------------- showing

static void show_stage(view_session* s)
{
    cairn_error error;
    if (s->sent == s->stage.change)
        return;
    if (cairn_page_stage(&s->stage, &s->bytes, &error) != CAIRN_OK)
        return;
    view_hub_show_stage(s->hub, s->bytes.data, s->bytes.size);
    s->sent = s->stage.change;
}

void view_show(view_session* s, double now, bool force)
{
    cairn_error error;
    if (s->clients == 0 || (!force && now - s->shown < frame_time))
        return;
    show_stage(s);
    if (cairn_page_frame(&s->stage, &s->frame, &s->bytes, &error) == CAIRN_OK)
        view_hub_show_frame(s->hub, s->bytes.data, s->bytes.size);
    s->shown = now;
}

static json_t* vector_json(cairn_vec3 v)
{
    json_t* list = json_array();
    json_array_append_new(list, json_real(v.x));
    json_array_append_new(list, json_real(v.y));
    json_array_append_new(list, json_real(v.z));
    return list;
}

// Nobody watches: time stands still, so that whoever comes sees the beginning. A recording that is
// being made goes on.
static bool is_watched(const view_session* s)
{
    return s->clients > 0 || s->recorder;
}

static json_t* state_json(const view_session* s)
{
    json_t* out = json_object();
    const view_settings* set = &s->settings;

    // the playback
    verb_set_string(out, "type", "state");
    verb_set_string(out, "scene", s->name);
    json_object_set_new(out, "playing", json_boolean(s->playing));
    json_object_set_new(out, "waiting", json_boolean(s->playing && !is_watched(s)));
    verb_set_real(out, "solving", s->announced ? view_worker_age(s->worker) : 0.0);
    verb_set_integer(out, "step", s->frame.report.step);
    verb_set_real(out, "time", s->frame.report.time);
    verb_set_real(out, "dt", s->dt);
    verb_set_real(out, "speed", s->speed);

    // how far it can go forth and back
    verb_set_integer(out, "steps", s->recording ? cairn_recording_frame_count(s->recording) : 0);
    verb_set_integer(out, "back", s->recording ? s->index : s->moment_count);
    if (s->recorder)
        verb_set_string(out, "recording", s->record);
    else
        json_object_set_new(out, "recording", json_null());

    // the settings; a recording has those it was made with
    verb_set_string(out, "method", s->scene ? set->method : s->stage.method);
    verb_set_real(out, "tolerance", s->scene ? set->tolerance : s->stage.tolerance);
    verb_set_integer(out, "iterations", set->iterations);
    verb_set_integer(out, "substeps", s->scene ? set->substeps : s->stage.substeps);
    if (set->has_mu)
        verb_set_real(out, "mu", set->mu);
    else
        json_object_set_new(out, "mu", json_null());

    json_object_set_new(out, "gravity", vector_json(s->stage.gravity));
    return out;
}

void view_tell_state(view_session* s)
{
    view_hub_show_state(s->hub, state_json(s));
}

// ---------------------------------------------------------------- recordings

cairn_status view_seek(view_session* s, int index, cairn_error* error)
{
    cairn_status status = cairn_recording_show(s->recording, index, &s->stage, &s->frame, error);
    if (status == CAIRN_OK)
        s->index = index;
    return status;
}

// the frames that are due, of which the last is shown
static cairn_status play(view_session* s, double now, cairn_error* error)
{
    int last = cairn_recording_frame_count(s->recording) - 1;
    double each = s->dt / s->speed;
    int count = 1 + (int)fmin((now - s->due) / each, 1e6);
    int next = s->index + count < last ? s->index + count : last;
    s->due += count * each;
    cairn_status status = view_seek(s, next, error);
    if (status == CAIRN_OK && next == last) {
        s->playing = false;
        view_show(s, now, true);
        view_tell_state(s);
    }
    return status;
}

// ---------------------------------------------------------------- the loop

// an error while playing: tells all clients and pauses
static void stumble(view_session* s, const cairn_error* error)
{
    s->playing = false;
    view_hub_tell(
        s->hub, 0,
        json_pack("{s:s,s:s,s:s}", "type", "error", "command", "play", "text", error->text));
    view_tell_state(s);
}

static void advance(view_session* s, double now)
{
    cairn_error error;
    cairn_status status;
    if (now - s->due > patience)
        s->due = now;
    if (s->recording) {
        status = play(s, now, &error);
        view_show(s, view_clock(), false);
    } else {
        status = view_scene_begin(s, &error);
        s->due += s->dt / s->speed;
    }
    if (status != CAIRN_OK)
        stumble(s, &error);
}

// the worker is done
static void finish(view_session* s)
{
    cairn_error error;
    bool step = s->task == VIEW_STEP, single = s->single, announced = s->announced;
    s->announced = s->single = false;
    cairn_status status = view_scene_finish(s, &error);
    if (status != CAIRN_OK)
        stumble(s, &error);
    if (step)
        view_show(s, view_clock(), single);
    if (announced || single)
        view_tell_state(s);
}

// a computation that takes long is announced, and from then on how long it takes
static void announce(view_session* s)
{
    double now = view_clock();
    if (view_worker_age(s->worker) < long_time || now - s->told < news_time)
        return;
    s->announced = true;
    s->told = now;
    view_tell_state(s);
}

static double time_to_wait(const view_session* s)
{
    if (s->task != VIEW_NOTHING)
        return long_time;
    return s->playing && is_watched(s) ? s->due - view_clock() : idle_time;
}

double view_session_turn(view_session* s, double wait)
{
    view_order order;

    // orders
    for (int i = 0; i < most_orders && view_hub_next_order(s->hub, &order, wait); i++) {
        view_obey(s, &order);
        json_decref(order.message);
        wait = 0.0;
    }

    // the result of the worker, or how long it has been at it
    if (s->task != VIEW_NOTHING && view_worker_done(s->worker))
        finish(s);
    else if (s->task != VIEW_NOTHING)
        announce(s);
    view_drawings_show(s);

    // the next step, when it is due and somebody watches
    double now = view_clock();
    if (s->task == VIEW_NOTHING && s->playing && is_watched(s) && now >= s->due)
        advance(s, now);

    return time_to_wait(s);
}

void view_session_run(view_session* s)
{
    s->due = view_clock();
    double wait = time_to_wait(s);
    while (!view_hub_stopped(s->hub))
        wait = view_session_turn(s, wait);
}

// ---------------------------------------------------------------- opening

static cairn_status open_recording(view_session* s, const char* path, cairn_error* error)
{
    cairn_status status = cairn_recording_open(path, &s->recording, error);
    if (status == CAIRN_OK && cairn_recording_frame_count(s->recording) < 1)
        status = cairn_fail(error, CAIRN_BAD_INPUT, "%s: has no frames", path);
    if (status == CAIRN_OK)
        status = view_seek(s, 0, error);
    snprintf(s->name, sizeof s->name, "%s", path);
    s->dt = s->stage.dt > 0.0 ? s->stage.dt : 1.0 / 60.0;
    return status;
}

// the shipped scenes by name and title
static json_t* list_scenes(void)
{
    json_t *list = json_array(), *shipped = verb_list_scenes(), *item;
    size_t i;
    json_array_foreach(shipped, i, item)
    {
        json_array_append_new(list, json_pack("{s:O,s:O}", "name", json_object_get(item, "scene"),
                                              "title", json_object_get(item, "title")));
    }
    json_decref(shipped);
    return list;
}

cairn_status view_session_open(view_session* s, view_hub* hub, const char* what,
                               const cairn_robot_def* robot, cairn_error* error)
{
    *s = (view_session){.hub = hub, .robot = robot, .speed = 1.0, .playing = true};
    cairn_status status = view_worker_create(&s->worker, hub, error);
    if (status != CAIRN_OK)
        return status;
    if (cairn_file_is_hdf5(what)) {
        s->scenes = json_array();
        return open_recording(s, what, error);
    }
    s->scenes = list_scenes();
    return view_scene_open(s, what, error);
}

void view_session_close(view_session* s)
{
    view_scene_close(s);
    for (int i = 0; i < view_most_springs; i++)
        json_decref(s->drawings[i].id);
    view_worker_destroy(s->worker);
    json_decref(s->asked_id);
    json_decref(s->race);
    cairn_recording_destroy(s->recording);
    cairn_stage_destroy(&s->stage);
    cairn_frame_destroy(&s->frame);
    cairn_page_bytes_destroy(&s->bytes);
    json_decref(s->scenes);
    free(s->materials);
}

void view_session_end(view_session* s)
{
    view_scene_stop(s);
    view_worker_destroy(s->worker);
    s->worker = NULL;
}
