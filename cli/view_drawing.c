// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the engine sees, as lines, points and words of cairn_world_draw: the answer to `draw`. The
// world can be read between two computations only, so that a drawing waits for the end of the one
// under way. Each client has at most one that waits.

#include "view_drawing.h"
#include <cairn/draw.h>
#include <cairn/io.h>
#include <string.h>

enum { most_lines = 8000, most_points = 8000, most_texts = 1000 };

// ---------------------------------------------------------------- drawing

// lists of numbers: both ends and the color of a line, place and color of a point; pairs of a place
// with its color and a text
typedef struct canvas {
    json_t *lines, *points, *texts;
    int line_count, point_count, text_count;
} canvas;

static void put(json_t* list, cairn_vec3 v)
{
    json_array_append_new(list, json_real(v.x));
    json_array_append_new(list, json_real(v.y));
    json_array_append_new(list, json_real(v.z));
}

static void draw_line(void* context, cairn_vec3 from, cairn_vec3 to, uint32_t color)
{
    canvas* c = context;
    if (c->line_count++ >= most_lines)
        return;
    put(c->lines, from);
    put(c->lines, to);
    json_array_append_new(c->lines, json_integer(color));
}

static void draw_point(void* context, cairn_vec3 at, uint32_t color)
{
    canvas* c = context;
    if (c->point_count++ >= most_points)
        return;
    put(c->points, at);
    json_array_append_new(c->points, json_integer(color));
}

static void draw_text(void* context, cairn_vec3 at, const char* text, uint32_t color)
{
    canvas* c = context;
    if (c->text_count++ >= most_texts)
        return;
    json_t* numbers = json_array();
    put(numbers, at);
    json_array_append_new(numbers, json_integer(color));
    json_array_append_new(c->texts, json_pack("[o,s]", numbers, text));
}

// the answer, or NULL with the reason
static json_t* drawn(const view_session* s, const view_drawing* order, cairn_error* error)
{
    canvas c = {json_array(), json_array(), json_array(), 0, 0, 0};
    cairn_draw draw = cairn_default_draw();
    draw.what = order->what;
    draw.force_scale = order->force_scale;
    draw.context = &c;
    draw.line = draw_line;
    draw.point = draw_point;
    draw.text = draw_text;
    cairn_status status = cairn_world_draw(cairn_scene_world(s->scene), &draw, error);

    // what did not fit is told
    bool whole =
        c.line_count <= most_lines && c.point_count <= most_points && c.text_count <= most_texts;
    json_t* answer = json_pack("{s:s,s:o,s:b,s:o,s:o,s:o}", "type", "drawing", "step",
                               json_integer(s->frame.report.step), "whole", whole, "lines", c.lines,
                               "points", c.points, "texts", c.texts);
    if (status == CAIRN_OK)
        return answer;
    json_decref(answer);
    return NULL;
}

void view_drawings_show(view_session* s)
{
    for (int i = 0; i < view_most_springs && s->task == VIEW_NOTHING && s->scene; i++) {
        view_drawing* order = &s->drawings[i];
        cairn_error error = {""};
        if (order->client == 0)
            continue;
        json_t* answer = drawn(s, order, &error);
        if (!answer)
            answer =
                json_pack("{s:s,s:s,s:s}", "type", "error", "command", "draw", "text", error.text);
        view_reply(s, order->client, order->id, answer);
        view_drawings_forget(s, order->client);
    }
}

// ---------------------------------------------------------------- the order

static bool read_what(const json_t* message, unsigned* what)
{
    static const struct {
        const char* name;
        unsigned flag;
    } kinds[] = {{"shapes", CAIRN_DRAW_SHAPES},
                 {"joints", CAIRN_DRAW_JOINTS},
                 {"contacts", CAIRN_DRAW_CONTACTS},
                 {"centers", CAIRN_DRAW_CENTERS},
                 {"slots", CAIRN_DRAW_SLOTS}};
    const json_t *list = json_object_get(message, "what"), *item;
    size_t i;
    if (!json_is_array(list))
        return false;
    *what = 0;
    json_array_foreach(list, i, item)
    {
        unsigned flag = 0;
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (json_is_string(item) && strcmp(json_string_value(item), kinds[k].name) == 0)
                flag = kinds[k].flag;
        if (flag == 0)
            return false;
        *what |= flag;
    }
    return true;
}

cairn_status view_drawings_order(view_session* s, int client, const json_t* message,
                                 cairn_error* error)
{
    view_drawing order = {.client = client, .force_scale = cairn_default_draw().force_scale};
    const json_t* scale = json_object_get(message, "force_scale");
    if (!read_what(message, &order.what))
        return cairn_fail(
            error, CAIRN_BAD_INPUT,
            "'what' is missing or wrong, expected a list of shapes, joints, contacts, "
            "centers and slots");
    if (scale)
        order.force_scale = json_number_value(scale);
    if (scale && !(json_is_number(scale) && order.force_scale >= 0.0 && order.force_scale <= 1e6))
        return cairn_fail(error, CAIRN_BAD_INPUT, "'force_scale' is wrong, expected 0 to 1e6 m/N");

    // it takes the place of one of the same client that still waits
    view_drawings_forget(s, client);
    for (int i = 0; i < view_most_springs; i++) {
        if (s->drawings[i].client != 0)
            continue;
        order.id = json_incref(json_object_get(message, "id"));
        s->drawings[i] = order;
        view_drawings_show(s);
        return CAIRN_OK;
    }
    return cairn_fail(error, CAIRN_BUSY, "too many drawings wait");
}

void view_drawings_forget(view_session* s, int client)
{
    for (int i = 0; i < view_most_springs; i++) {
        if (s->drawings[i].client != client)
            continue;
        json_decref(s->drawings[i].id);
        s->drawings[i] = (view_drawing){0};
    }
}
