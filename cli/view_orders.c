// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What clients of `cairn view` can order (docs/view-protocol.md): one function for each command,
// one line in the table. Everything in a message is doubted.

#include "view_drawing.h"
#include "view_needs.h"
#include <cairn/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- reading messages

static cairn_status bad(cairn_error* error, const char* key, const char* expected)
{
    return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is missing or wrong, expected %s", key,
                      expected);
}

static bool read_number(const json_t* value, double least, double most, double* to)
{
    double x = json_number_value(value);
    if (!json_is_number(value) || !(x >= least && x <= most))
        return false;
    *to = x;
    return true;
}

static bool read_vector(const json_t* message, const char* key, cairn_vec3* to)
{
    const json_t* list = json_object_get(message, key);
    double x[3];
    if (!json_is_array(list) || json_array_size(list) != 3)
        return false;
    for (size_t i = 0; i < 3; i++)
        if (!read_number(json_array_get(list, i), -1e6, 1e6, &x[i]))
            return false;
    *to = cairn_vec(x[0], x[1], x[2]);
    return true;
}

// a number that may be left out
static bool read_optional(const json_t* message, const char* key, double least, double most,
                          double* to)
{
    const json_t* value = json_object_get(message, key);
    return !value || read_number(value, least, most, to);
}

// ---------------------------------------------------------------- time

typedef cairn_status (*command)(view_session* s, int client, const json_t* message,
                                cairn_error* error);

static cairn_status order_play(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    (void)client;
    (void)message;
    s->due = view_clock();
    s->playing = true;

    // from its end a recording plays from its start
    if (s->recording && s->index == cairn_recording_frame_count(s->recording) - 1)
        return view_seek(s, 0, error);
    return CAIRN_OK;
}

static cairn_status order_pause(view_session* s, int client, const json_t* message,
                                cairn_error* error)
{
    (void)client;
    (void)message;
    (void)error;
    s->playing = false;
    view_show(s, view_clock(), true);
    return CAIRN_OK;
}

// pauses one frame further or back; a step forward is shown when it is made
static cairn_status go_by_one(view_session* s, bool back, cairn_error* error)
{
    int to = s->index + (back ? -1 : 1);
    cairn_status status = CAIRN_OK;

    s->playing = false;
    if (s->scene && !back) {
        if (s->task == VIEW_NOTHING)
            status = view_scene_begin(s, error);
        else if (s->task != VIEW_STEP)
            status = cairn_fail(error, CAIRN_BAD_INPUT, "a race is still running");
        s->single = status == CAIRN_OK;
        return status;
    }

    if (s->scene)
        status = view_scene_back(s, error);
    else if (to >= 0 && to < cairn_recording_frame_count(s->recording))
        status = view_seek(s, to, error);

    view_show(s, view_clock(), true);
    return status;
}

static cairn_status order_step(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    (void)client;
    (void)message;
    return go_by_one(s, false, error);
}

static cairn_status order_back(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    (void)client;
    (void)message;
    return go_by_one(s, true, error);
}

static cairn_status order_restart(view_session* s, int client, const json_t* message,
                                  cairn_error* error)
{
    (void)client;
    (void)message;
    s->due = view_clock();
    cairn_status status = s->scene ? view_scene_restart(s, error) : view_seek(s, 0, error);
    view_show(s, view_clock(), true);
    return status;
}

static cairn_status order_speed(view_session* s, int client, const json_t* message,
                                cairn_error* error)
{
    (void)client;
    if (!read_number(json_object_get(message, "value"), 0.01, 100.0, &s->speed))
        return bad(error, "value", "a number from 0.01 to 100");
    s->due = view_clock();
    return CAIRN_OK;
}

static cairn_status order_seek(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    (void)client;
    const json_t* step = json_object_get(message, "step");
    json_int_t index = json_integer_value(step);
    if (!json_is_integer(step) || index < 0 || index >= cairn_recording_frame_count(s->recording))
        return bad(error, "step", "the number of a frame of the recording");
    s->due = view_clock();
    cairn_status status = view_seek(s, (int)index, error);
    view_show(s, view_clock(), true);
    return status;
}

// ---------------------------------------------------------------- hands on

static view_spring* spring_of(view_session* s, int client)
{
    for (int i = 0; i < view_most_springs; i++)
        if (s->springs[i].client == client)
            return &s->springs[i];
    return NULL;
}

static cairn_status order_drag(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    view_spring spring = {.client = client};
    const json_t* body = json_object_get(message, "body");
    json_int_t slot = json_integer_value(body);

    // the order comes from a browser: all of it is checked
    if (!json_is_integer(body) || slot < 0 || slot >= s->stage.body_count ||
        s->stage.bodies[slot].id.generation == 0)
        return bad(error, "body", "the slot of a body");
    if (s->stage.bodies[slot].type != CAIRN_BODY_DYNAMIC)
        return cairn_fail(error, CAIRN_BAD_INPUT, "body %d does not move", (int)slot);
    if (!read_vector(message, "point", &spring.point))
        return bad(error, "point", "[x, y, z] in the frame of the body");
    if (!read_vector(message, "target", &spring.target))
        return bad(error, "target", "[x, y, z] in the world");

    // a client has one spring; a new client takes a free one
    spring.body = s->stage.bodies[slot].id;
    view_spring* to = spring_of(s, client);
    if (!to)
        to = spring_of(s, 0);
    if (!to)
        return cairn_fail(error, CAIRN_BAD_INPUT, "too many bodies are being dragged");

    // the point stays where it was taken
    if (to->client == client && to->body.index == spring.body.index &&
        to->body.generation == spring.body.generation)
        spring.point = to->point;
    *to = spring;
    return CAIRN_OK;
}

static void release(view_session* s, int client)
{
    view_spring* spring = spring_of(s, client);
    if (spring)
        *spring = (view_spring){0};
}

static cairn_status order_release(view_session* s, int client, const json_t* message,
                                  cairn_error* error)
{
    (void)message;
    (void)error;
    release(s, client);
    return CAIRN_OK;
}

static cairn_status order_shoot(view_session* s, int client, const json_t* message,
                                cairn_error* error)
{
    (void)client;
    cairn_vec3 origin, direction;
    double speed = 20.0, radius = 0.15;
    if (!read_vector(message, "origin", &origin))
        return bad(error, "origin", "[x, y, z]");
    if (!read_vector(message, "direction", &direction))
        return bad(error, "direction", "[x, y, z]");
    if (!read_optional(message, "speed", 0.0, 1000.0, &speed))
        return bad(error, "speed", "0 to 1000 m/s");
    if (!read_optional(message, "radius", 1e-3, 100.0, &radius))
        return bad(error, "radius", "0.001 to 100 m");
    cairn_status status = view_scene_shoot(s, origin, direction, speed, radius, error);
    view_show(s, view_clock(), true);
    return status;
}

// ---------------------------------------------------------------- settings

static const char* method_of(const char* name)
{
    for (int i = 0; name && i < cairn_method_count(); i++)
        if (strcmp(cairn_method_at(i).name, name) == 0)
            return cairn_method_at(i).name;
    return NULL;
}

static cairn_status order_set(view_session* s, int client, const json_t* message,
                              cairn_error* error)
{
    (void)client;
    view_settings set = s->settings;
    const json_t *method = json_object_get(message, "method"), *mu = json_object_get(message, "mu"),
                 *iterations = json_object_get(message, "iterations"),
                 *substeps = json_object_get(message, "substeps");
    double count = set.iterations, parts = set.substeps;

    // what the message does not name stays; nothing is applied unless all is valid
    if (method && !(set.method = method_of(json_string_value(method))))
        return bad(error, "method", "the name of a method");
    if (!read_optional(message, "tolerance", 1e-16, 1.0, &set.tolerance))
        return bad(error, "tolerance", "a number > 0 and up to 1");
    if (iterations && (!json_is_integer(iterations) || !read_number(iterations, 0, 1e6, &count)))
        return bad(error, "iterations", "a whole number from 0 to 1000000");
    if (substeps && (!json_is_integer(substeps) || !read_number(substeps, 1, 1000, &parts)))
        return bad(error, "substeps", "a whole number from 1 to 1000");
    if (mu && !json_is_null(mu) && !read_number(mu, 0.0, 10.0, &set.mu))
        return bad(error, "mu", "a number from 0 to 10, or null");
    if (json_object_get(message, "gravity") && !read_vector(message, "gravity", &set.gravity))
        return bad(error, "gravity", "[x, y, z] in m/s²");

    set.iterations = (int)count;
    set.substeps = (int)parts;
    set.has_mu = mu ? !json_is_null(mu) : set.has_mu;
    return view_scene_apply(s, &set, error);
}

static cairn_status order_scene(view_session* s, int client, const json_t* message,
                                cairn_error* error)
{
    (void)client;
    const char* name = json_string_value(json_object_get(message, "name"));
    size_t i;
    json_t* item;

    json_array_foreach(s->scenes, i, item)
    {
        const char* known = json_string_value(json_object_get(item, "name"));
        if (!name || strcmp(known, name) != 0)
            continue;

        s->due = view_clock();
        cairn_status status = view_scene_open(s, known, error);
        view_show(s, view_clock(), true);
        return status;
    }

    return bad(error, "name", "the name of a shipped scene");
}

// ---------------------------------------------------------------- files and races

void view_reply(view_session* s, int client, const json_t* id, json_t* answer)
{
    if (id)
        json_object_set(answer, "id", (json_t*)id);
    view_hub_tell(s->hub, client, answer);
}

static cairn_status order_save(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    return view_scene_problem(s, VIEW_SAVE, client, message, error);
}

static cairn_status order_record(view_session* s, int client, const json_t* message,
                                 cairn_error* error)
{
    (void)client;
    const json_t* on = json_object_get(message, "on");
    if (!json_is_boolean(on))
        return bad(error, "on", "true or false");
    return json_is_true(on) ? view_scene_record(s, error) : view_scene_end_record(s, error);
}

static cairn_status order_race(view_session* s, int client, const json_t* message,
                               cairn_error* error)
{
    return view_scene_problem(s, VIEW_RACE_PROBLEM, client, message, error);
}

// ---------------------------------------------------------------- the table

typedef enum subject { ANY, LIVE, PLAYED } subject;

static const struct {
    const char* name;
    command run;
    subject of;    // what it applies to
    bool controls; // changes what the state shows
    bool world;    // needs the world, so that a step that is under way is canceled
} commands[] = {
    {"play", order_play, ANY, true, false},
    {"pause", order_pause, ANY, true, true},
    {"step", order_step, ANY, true, false},
    {"back", order_back, ANY, true, true},
    {"restart", order_restart, ANY, true, true},
    {"speed", order_speed, ANY, true, false},
    {"seek", order_seek, PLAYED, true, false},
    {"drag", order_drag, LIVE, false, false},
    {"release", order_release, LIVE, false, false},
    {"shoot", order_shoot, LIVE, false, true},
    {"set", order_set, LIVE, true, true},
    {"scene", order_scene, LIVE, true, true},
    {"save-problem", order_save, LIVE, false, true},
    {"record", order_record, LIVE, true, true},
    {"race", order_race, LIVE, false, true},
    {"draw", view_drawings_order, LIVE, false, false},
};

static cairn_status run_command(view_session* s, const view_order* order, cairn_error* error)
{
    const char* name = json_string_value(json_object_get(order->message, "command"));
    for (size_t i = 0; name && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, name) != 0)
            continue;

        if ((commands[i].of == LIVE && !s->scene) || (commands[i].of == PLAYED && s->scene))
            return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is for %s only", name,
                              s->scene ? "recordings" : "scenes");

        // a step that runs would answer too late
        if (commands[i].world)
            view_scene_interrupt(s);
        cairn_status status = commands[i].run(s, order->client, order->message, error);
        // what a single step changes is told when it is made
        if (commands[i].controls && !s->single)
            view_tell_state(s);
        return status;
    }

    return cairn_fail(error, CAIRN_BAD_INPUT, "unknown command '%.40s'", name ? name : "");
}

static void greet(view_session* s, int client)
{
    json_t *hello = json_object(), *methods = json_array();
    for (int i = 0; i < cairn_method_count(); i++)
        json_array_append_new(methods, json_string(cairn_method_at(i).name));
    verb_set_string(hello, "type", "hello");
    verb_set_string(hello, "version", cairn_version());
    verb_set_string(hello, "mode", s->scene ? "live" : "recording");
    verb_set_string(hello, "scene", s->name);
    verb_set_string(hello, "title", s->stage.title ? s->stage.title : "");
    json_object_set(hello, "scenes", s->scenes);
    json_object_set_new(hello, "methods", methods);
    verb_set_integer(hello, "clients", s->clients);
    view_hub_tell(s->hub, client, hello);
    view_tell_state(s);
    view_show(s, view_clock(), true);
}

void view_obey(view_session* s, const view_order* order)
{
    cairn_error error = {""};

    if (order->kind == VIEW_JOINED) {
        s->clients++;
        greet(s, order->client);
        return;
    }

    if (order->kind == VIEW_LEFT) {
        s->clients--;
        release(s, order->client);
        view_drawings_forget(s, order->client);
        return;
    }

    if (run_command(s, order, &error) == CAIRN_OK)
        return;

    const char* name = json_string_value(json_object_get(order->message, "command"));
    view_reply(s, order->client, json_object_get(order->message, "id"),
               json_pack("{s:s,s:s,s:s}", "type", "error", "command", name ? name : "", "text",
                         error.text));
}
