// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Error over time. The green corner is at most a tenth of the best peer's error at no more than
// twice the fastest peer's time. What collapsed, diverged or was not done in time has no error and
// no point: "none". Below the least error that counts, all are drawn at one height.

#include "report_scatter.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *color;
} engines[] = {{"cairn", "#2f8f6b"}, {"box3d", "#111111"},   {"rapier", "#c2407a"},
               {"jolt", "#e08a1e"},  {"havok", "#6b8e23"},   {"mujoco 3", "#5b3f96"},
               {"ode", "#d1603d"},   {"bullet", "#1b6ca8"},  {"mujoco", "#8463b5"},
               {"dart", "#b98a14"},  {"ammo.js", "#6fa8d6"}, {"cannon-es", "#8a8a8a"}};

enum { engine_count = sizeof engines / sizeof engines[0] };

bool draw_peers_scene(FILE* file, const json_t* report, const char* scene, const char* title)
{
    const json_t* rows = report_rows(report, "peers");
    const char* kind = "error";
    double fastest = INFINITY, best = INFINITY;
    plot* p = calloc(1, sizeof *p);
    bool any = false;

    for (int e = 0; e < engine_count; e++) {
        plot_series* s = plot_add(p, PLOT_POINTS, engines[e].name);
        int failed = 0;
        s->color = engines[e].color;
        p->log_x = p->log_y = true;

        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t* row = json_array_get(rows, i);
            if (!report_is(row, "scene", scene) || !report_is(row, "peer", engines[e].name))
                continue;

            double error = report_number(row, "error"), ms = report_number(row, "ms_step_mean");
            kind = report_string(row, "error_kind");

            if (isfinite(error))
                plot_point(p, s, ms, fmax(error, 0.1 * report_no_error),
                           report_string(row, "settings"));
            else
                failed++;
            any = any || isfinite(error);

            // the goal is set by the peers: engine 0 is Cairn
            if (e > 0 && isfinite(ms))
                fastest = fmin(fastest, ms);
            if (e > 0 && isfinite(error))
                best = fmin(best, error);
        }

        if (failed)
            snprintf(s->name, sizeof s->name, "%s (%d of %d: none)", engines[e].name, failed,
                     failed + s->count);
        else if (s->count == 0)
            p->series_count--;
    }

    p->title = title;
    p->x_label = "milliseconds per step";
    p->y_label = kind;

    p->target = isfinite(fastest) && isfinite(best);
    p->target_x = 2.0 * fastest;
    p->target_y = fmax(0.1 * best, report_no_error);

    if (any)
        plot_write(file, p);
    free(p);
    return any;
}

bool draw_peers_massratio(FILE* file, const json_t* report)
{
    return draw_peers_scene(file, report, "massratio1000", "Mass ratio 1,000");
}

bool draw_peers_incline(FILE* file, const json_t* report)
{
    return draw_peers_scene(file, report, "incline_hi45", "A slope along the diagonal");
}

bool draw_peers_chain(FILE* file, const json_t* report)
{
    return draw_peers_scene(file, report, "chain10", "A chain of ten links");
}

bool draw_peers_wall(FILE* file, const json_t* report)
{
    return draw_peers_scene(file, report, "wall10", "A wall of ten rows");
}

bool draw_peers_tree(FILE* file, const json_t* report)
{
    return draw_peers_scene(file, report, "tree127", "A tree of 127 ball joints");
}

bool draw_peers_time(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "peers");
    bars* b = calloc(1, sizeof *b);
    b->title = "A wall of ten rows, milliseconds per step";
    b->unit = "ms";
    b->log = true;

    for (int e = 0; e < engine_count; e++)
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t* row = json_array_get(rows, i);
            char label[96];
            if (!report_is(row, "scene", "wall10") || !report_is(row, "peer", engines[e].name))
                continue;

            snprintf(label, sizeof label, "%s: %s", engines[e].name,
                     report_string(row, "settings"));
            bars_add(b, label, report_number(row, "ms_step_mean"), engines[e].color);
        }

    bool any = b->count > 0;
    if (any)
        bars_write(file, b);
    free(b);
    return any;
}
