// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One picture for a reader in a hurry: six scenes, and for each engine the error (a bar on a
// logarithmic scale) and the time of a step. Cairn runs with the settings that the scene ships
// with; every peer is shown with the most accurate of its settings. Where no setting of an engine
// has an error the picture says why. The colors follow the reader's light or dark theme.

#include "report_scatter.h"
#include <math.h>
#include <string.h>

enum {
    columns = 3,
    width = 900,
    margin = 14,
    gutter = 22,
    panel = (width - 2 * margin - (columns - 1) * gutter) / columns,
    panel_top = 82,
    line = 21,
    bar_left = 62, // where bars begin, from the left edge of a panel
    bar_most = 88, // the longest bar
    bar_least = 3, // the shortest one
};

// those of the picture, in its order; of MuJoCo the newer build that was measured
static const struct {
    const char *row, *name;
} engines[] = {{"cairn", "Cairn"},   {"box3d", "Box3D"},   {"rapier", "Rapier"},
               {"jolt", "Jolt"},     {"havok", "Havok"},   {"mujoco 3", "MuJoCo 3"},
               {"mujoco", "MuJoCo"}, {"bullet", "Bullet"}, {"ode", "ODE"},
               {"dart", "DART"}};

enum { engine_count = sizeof engines / sizeof engines[0] };

static const struct scene {
    const char *name, *title, *error;
} scenes[] = {
    {"wall10", "A wall of 10 rows stands", "penetration"},
    {"massratio1000", "1 kg carries 1,000 kg", "penetration"},
    {"incline_hi45", "A box slides down a slope", "error of its acceleration"},
    {"chain10", "A chain of 10 links swings for 2 s", "error of its tip"},
    {"wall10_hit", "A ball hits the wall", "penetration"},
    {"boxes1000", "1,000 boxes fall into a bin", "penetration"},
};

enum { scene_count = sizeof scenes / sizeof scenes[0] };

// the row of an engine that is shown: ours as shipped, a peer's with the least error; without any
// error the one that came farthest
static const json_t* choose(const json_t* rows, const char* scene, const char* engine)
{
    const json_t* best = NULL;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "scene", scene) || !report_is(row, "peer", engine))
            continue;
        if (strcmp(engine, "cairn") == 0)
            return row;
        double error = report_number(row, "error"), least = report_number(best, "error");
        if (!best || (isfinite(error) && !(least <= error)) ||
            (!isfinite(error) && !isfinite(least) && report_is(row, "status", "done") &&
             !report_is(best, "status", "done")))
            best = row;
    }
    return best;
}

// two digits, without an exponent
static void write_number(FILE* f, double x, const char* unit)
{
    fprintf(f, x < 99.5 ? "%.2g %s" : "%.0f %s", x, unit);
}

// "2.7 mm", "11 %", "none"
static void write_error(FILE* f, double error, bool relative)
{
    if (error <= report_no_error)
        fputs("none", f);
    else if (relative)
        write_number(f, 100.0 * error, "%");
    else if (error < 1.0)
        write_number(f, 1e3 * error, "mm");
    else
        write_number(f, error, "m");
}

static void write_time(FILE* f, double ms)
{
    if (ms < 0.1)
        write_number(f, 1e3 * ms, "µs");
    else
        write_number(f, ms, "ms");
}

static void write_row(FILE* f, const json_t* row, int e, double x, double y, double lo, double hi)
{
    double error = report_number(row, "error"), ms = report_number(row, "ms_step_mean");
    bool measured = isfinite(error);
    double length = 0.0;

    // a bar even for the least error that is shown; none where there is no error to speak of
    if (measured && error > report_no_error)
        length = bar_least + (bar_most - bar_least) * (log(error) - lo) / fmax(hi - lo, 1e-9);

    fprintf(f, "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\">%s</text>", e ? "who" : "us", x, y + 12.0,
            engines[e].name);
    fprintf(f, "<rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"13\" rx=\"2\"/>",
            e ? "bar" : "ours", x + bar_left, y + 1.0, length);

    fprintf(f, "<text class=\"%s\" x=\"%.1f\" y=\"%.0f\">", e ? "value" : "us",
            x + bar_left + length + (length > 0.0 ? 6.0 : 0.0), y + 12.0);

    // without an error the status says why
    if (measured)
        write_error(f, error, strstr(report_string(row, "error_kind"), "relative") != NULL);
    else
        fputs(report_is(row, "status", "done")      ? "collapses"
              : report_is(row, "status", "stopped") ? "stopped: too slow"
              : report_is(row, "status", "refused") ? "not run: too large"
                                                    : report_string(row, "status"),
              f);

    fprintf(f, "</text><text class=\"time\" x=\"%.0f\" y=\"%.0f\">", x + panel, y + 12.0);
    if (isfinite(ms))
        write_time(f, ms);
    fputs("</text>\n", f);
}

// whether an engine has a line in the panels: one that was measured, and of MuJoCo the newer
static bool is_shown(const json_t* rows, int e)
{
    bool measured = false, newer = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        measured = measured || report_is(row, "peer", engines[e].row);
        newer = newer || report_is(row, "peer", "mujoco 3");
    }
    return measured && !(newer && strcmp(engines[e].row, "mujoco") == 0);
}

static void write_panel(FILE* f, const json_t* rows, int k, int panel_height)
{
    const struct scene* s = &scenes[k];
    double x = margin + (k % columns) * (panel + gutter);
    double y = panel_top + (k / columns) * panel_height;
    const json_t* row[engine_count];
    double lo = INFINITY, hi = -INFINITY;

    // the scale of a panel spans the errors that it shows
    for (int e = 0; e < engine_count; e++) {
        row[e] = is_shown(rows, e) ? choose(rows, s->name, engines[e].row) : NULL;
        double error = report_number(row[e], "error");
        if (isfinite(error) && error > report_no_error) {
            lo = fmin(lo, log(error));
            hi = fmax(hi, log(error));
        }
    }

    fprintf(f, "<text class=\"scene\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x, y + 12.0, s->title);
    fprintf(f, "<text class=\"kind\" x=\"%.0f\" y=\"%.0f\">%s</text>", x, y + 28.0, s->error);
    fprintf(f, "<text class=\"time\" x=\"%.0f\" y=\"%.0f\">a step</text>\n", x + panel, y + 28.0);
    for (int e = 0, at = 0; e < engine_count; e++)
        if (row[e])
            write_row(f, row[e], e, x, y + 35.0 + line * at++, lo, hi);
}

bool draw_peers_overview(FILE* f, const json_t* report)
{
    const json_t* rows = report_rows(report, "peers");
    int lines = 0;
    if (json_array_size(rows) == 0)
        return false;

    for (int e = 0; e < engine_count; e++)
        lines += is_shown(rows, e);
    int panel_height = 59 + line * lines;
    int height = panel_top + (scene_count + columns - 1) / columns * panel_height - margin;

    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\"><style>"
            "text{font:12px system-ui,sans-serif;fill:#30363b}.head{font-weight:600;font-size:15px}"
            ".scene{font-weight:600;font-size:13px}.kind,.note{fill:#6a7076;font-size:11.5px}"
            ".time{fill:#6a7076;text-anchor:end;font-size:11.5px}.us{font-weight:600;fill:#0f6b76}"
            ".ours{fill:#0f6b76}.bar{fill:#c28a63}.paper{fill:#fdfcfa}"
            "@media(prefers-color-scheme:dark){text{fill:#e6e4df}.kind,.note,.time{fill:#9aa2a9}"
            ".us{fill:#62bcc6}.ours{fill:#62bcc6}.bar{fill:#b07b57}.paper{fill:#1b1f22}}</style>"
            "<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
            width, height, width, height);

    fprintf(f,
            "<text class=\"head\" x=\"%d\" y=\"26\">Error and time of a step, measured by "
            "`cairn bench peers`</text>\n<text class=\"note\" x=\"%d\" y=\"44\">Bars: the error "
            "on a logarithmic scale; shorter is better. Cairn with the scene's own settings, each "
            "peer with the most</text>\n<text class=\"note\" x=\"%d\" y=\"59\">accurate of its "
            "settings. One thread, steps of 1/60 s, sleeping off. “none”: below 10⁻⁹.</text>\n",
            margin, margin, margin);

    for (int k = 0; k < scene_count; k++)
        write_panel(f, rows, k, panel_height);
    fputs("</svg>\n", f);
    return true;
}
