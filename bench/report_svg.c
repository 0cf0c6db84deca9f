// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Plots as SVG. Lines are named at their right ends instead of in a legend; names that would
// overlap are pushed apart.

#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const plot_colors[8] = {"#1b6ca8", "#d1603d", "#2f8f6b", "#8463b5",
                                    "#b98a14", "#5c6770", "#b3446c", "#3a9ea5"};

enum { width = 640, height = 360, left = 66, right = 150, top = 34, bottom = 46 };

typedef struct axis {
    double lo, hi; ///< in the axis' own scale
    bool log;
    double from, to; ///< pixels
} axis;

plot_series* plot_add(plot* p, plot_kind kind, const char* name)
{
    if (p->series_count >= plot_series_limit)
        return NULL;
    plot_series* s = &p->series[p->series_count];
    memset(s, 0, sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->kind = kind;
    s->color = plot_colors[p->series_count % 8];
    p->series_count++;
    return s;
}

void plot_point(const plot* p, plot_series* s, double x, double y, const char* tip)
{
    if (!s || s->count >= plot_point_limit || !isfinite(x) || !isfinite(y) ||
        (p->log_x && x <= 0.0) || (p->log_y && y <= 0.0))
        return;
    s->x[s->count] = x;
    s->y[s->count] = y;
    s->tip[s->count++] = tip;
}

void report_escape(FILE* file, const char* text)
{
    for (const char* c = text; *c; c++) {
        if (*c == '<')
            fputs("&lt;", file);
        else if (*c == '>')
            fputs("&gt;", file);
        else if (*c == '&')
            fputs("&amp;", file);
        else if (*c == '"')
            fputs("&quot;", file);
        else
            fputc(*c, file);
    }
}

// ---------------------------------------------------------------- axes

static double scaled(bool log, double x)
{
    return log ? log10(x) : x;
}

static double place(const axis* a, double x)
{
    double t = (scaled(a->log, x) - a->lo) / (a->hi - a->lo);
    return a->from + t * (a->to - a->from);
}

static void stretch(axis* a, double x)
{
    double t = scaled(a->log, x);
    a->lo = fmin(a->lo, t);
    a->hi = fmax(a->hi, t);
}

static void round_off(axis* a)
{
    if (!(a->lo <= a->hi)) {
        a->lo = 0.0;
        a->hi = 1.0;
    }
    if (a->log) {
        double room = 0.04 * (a->hi - a->lo) + 0.02;
        a->lo -= room;
        a->hi += room;
    } else {
        a->lo = fmin(a->lo, 0.0);
        a->hi = a->hi > a->lo ? a->hi + 0.04 * (a->hi - a->lo) : a->lo + 1.0;
    }
}

static void find_axes(const plot* p, axis* x, axis* y)
{
    *x = (axis){INFINITY, -INFINITY, p->log_x, left, width - right};
    *y = (axis){INFINITY, -INFINITY, p->log_y, height - bottom, top};
    for (int i = 0; i < p->series_count; i++)
        for (int k = 0; k < p->series[i].count; k++) {
            stretch(x, p->series[i].x[k]);
            stretch(y, p->series[i].y[k]);
        }
    if (p->target) {
        stretch(x, p->target_x);
        stretch(y, p->target_y);
    }
    round_off(x);
    round_off(y);
}

// m 10^exponent
static void write_power(FILE* file, int m, int exponent)
{
    static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char text[16];
    if (exponent >= -2 && exponent <= 3) {
        fprintf(file, "%.*f", exponent < 0 ? -exponent : 0, m * pow(10.0, exponent));
        return;
    }
    if (m > 1)
        fprintf(file, "%d·", m);
    snprintf(text, sizeof text, "%d", abs(exponent));
    fprintf(file, "10%s", exponent < 0 ? "⁻" : "");
    for (const char* c = text; *c; c++)
        fputs(digits[*c - '0'], file);
}

// a line of the grid at m 10^exponent, or at the value of a linear axis
static void write_tick(FILE* file, const axis* a, double value, bool vertical, int m, int exponent)
{
    double at = place(a, value);
    if (vertical)
        fprintf(file, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", left,
                width - right, at, at);
    else
        fprintf(file, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", at, at,
                top, height - bottom);

    if (vertical)
        fprintf(file, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", left - 7,
                at + 4.0);
    else
        fprintf(file, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", at,
                height - bottom + 17);

    if (a->log)
        write_power(file, m, exponent);
    else
        fprintf(file, "%g", value);
    fputs("</text>\n", file);
}

static void write_ticks(FILE* file, const axis* a, bool vertical)
{
    if (a->log) {
        // decades, or some of them; within two decades 2 and 5 as well
        static const int digits[] = {1, 2, 5};
        int step = (int)ceil((a->hi - a->lo) / 9.0), count = a->hi - a->lo < 2.2 ? 3 : 1;
        for (int e = (int)floor(a->lo); e <= (int)ceil(a->hi); e += step)
            for (int k = 0; k < count; k++) {
                double t = e + log10(digits[k]);
                if (t >= a->lo && t <= a->hi)
                    write_tick(file, a, pow(10.0, t), vertical, digits[k], e);
            }
        return;
    }

    double raw = (a->hi - a->lo) / 5.0, unit = pow(10.0, floor(log10(raw)));
    double step = raw / unit > 5.0 ? 10.0 * unit : raw / unit > 2.0 ? 5.0 * unit : 2.0 * unit;
    for (double t = ceil(a->lo / step) * step; t <= a->hi + 1e-9 * step; t += step)
        write_tick(file, a, t, vertical, 1, 0);
}

// ---------------------------------------------------------------- series

static void write_marks(FILE* file, const plot_series* s, const axis* x, const axis* y)
{
    double radius = s->kind == PLOT_POINTS ? 5.0 : 2.6;
    for (int k = 0; k < s->count && s->kind != PLOT_STEPS; k++) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"%s>",
                place(x, s->x[k]), place(y, s->y[k]), radius, s->color,
                s->kind == PLOT_POINTS ? " fill-opacity=\"0.85\" class=\"dot\"" : "");
        fputs("<title>", file);
        report_escape(file, s->name);
        if (s->tip[k]) {
            fputs(", ", file);
            report_escape(file, s->tip[k]);
        }
        fprintf(file, ": %.3g, %.3g</title></circle>", s->x[k], s->y[k]);
    }
    fputc('\n', file);
}

static void write_line(FILE* file, const plot_series* s, const axis* x, const axis* y)
{
    if (s->kind == PLOT_POINTS || s->count < 1)
        return;
    fprintf(file, "<path class=\"line\" stroke=\"%s\"%s d=\"", s->color,
            s->dashed ? " stroke-dasharray=\"5 4\"" : "");
    for (int k = 0; k < s->count; k++) {
        if (k > 0 && s->kind == PLOT_STEPS)
            fprintf(file, "H%.1f", place(x, s->x[k]));
        fprintf(file, "%c%.1f %.1f", k ? 'L' : 'M', place(x, s->x[k]), place(y, s->y[k]));
    }
    fputs("\"/>\n", file);
}

typedef struct tag {
    double y;
    const plot_series* series;
} tag;

static int by_height(const void* a, const void* b)
{
    double x = ((const tag*)a)->y, y = ((const tag*)b)->y;
    return (x > y) - (x < y);
}

// names beside the last points, at least a line apart
static void write_names(FILE* file, const plot* p, const axis* y)
{
    enum { apart = 15 };
    tag tags[plot_series_limit];
    int count = 0;

    for (int i = 0; i < p->series_count; i++) {
        const plot_series* s = &p->series[i];
        bool points = s->kind == PLOT_POINTS;
        if (s->count == 0 && !points)
            continue;
        tags[count] = (tag){points ? top + 8.0 + apart * count : place(y, s->y[s->count - 1]), s};
        count++;
    }

    // downwards until they are apart, then up again from the bottom
    qsort(tags, (size_t)count, sizeof tags[0], by_height);
    for (int i = 1; i < count; i++)
        tags[i].y = fmax(tags[i].y, tags[i - 1].y + apart);

    double over = count ? tags[count - 1].y - (height - bottom) : 0.0;
    for (int i = count - 1; i >= 0 && over > 0.0; i--) {
        tags[i].y -= over;
        if (i > 0)
            over = fmax(0.0, tags[i - 1].y + apart - tags[i].y);
    }

    for (int i = 0; i < count; i++) {
        const plot_series* s = tags[i].series;
        fprintf(file,
                "<rect x=\"%d\" y=\"%.1f\" width=\"9\" height=\"3\" fill=\"%s\"/><text "
                "class=\"name\" x=\"%d\" y=\"%.1f\" fill=\"%s\">",
                width - right + 8, tags[i].y - 1.5, s->color, width - right + 21, tags[i].y + 4.0,
                s->color);
        report_escape(file, s->name);
        fputs("</text>\n", file);
    }
}

// ---------------------------------------------------------------- the whole

static void begin(FILE* file, int w, int h, const char* title)
{
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">"
        "<style>text{font:12px system-ui,sans-serif;fill:#444}.title{font-weight:600;font-size:"
        "13.5px;fill:#222}.tick{font-size:11px;fill:#666}.label{font-size:11.5px}.grid{stroke:"
        "#e6e6e3;stroke-width:1}.line{fill:none;stroke-width:2;stroke-linejoin:round}.name{font-"
        "size:11.5px}.dot{stroke:#fff;stroke-width:1}.frame{fill:none;stroke:#b9b9b4}</style>"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text class=\"title\" x=\"14\" "
        "y=\"20\">",
        w, h, w, h);
    report_escape(file, title);
    fputs("</text>\n", file);
}

static void write_target(FILE* file, const plot* p, const axis* x, const axis* y)
{
    double w = place(x, p->target_x) - left, t = place(y, p->target_y);
    fprintf(file,
            "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#2f8f6b\" "
            "fill-opacity=\"0.12\" stroke=\"#2f8f6b\" stroke-dasharray=\"3 3\"><title>at most a "
            "tenth of the best peer's error, at most twice the fastest peer's "
            "time</title></rect>\n",
            left, t, fmax(w, 0.0), fmax(height - bottom - t, 0.0));
}

void plot_write(FILE* file, const plot* p)
{
    axis x, y;
    find_axes(p, &x, &y);

    begin(file, width, height, p->title);
    write_ticks(file, &x, false);
    write_ticks(file, &y, true);
    if (p->target)
        write_target(file, p, &x, &y);
    fprintf(file, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", left,
            top, width - left - right, height - top - bottom);

    for (int i = 0; i < p->series_count; i++) {
        write_line(file, &p->series[i], &x, &y);
        write_marks(file, &p->series[i], &x, &y);
    }

    write_names(file, p, &y);
    fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
            (left + width - right) / 2, height - 10);
    report_escape(file, p->x_label);
    fprintf(file,
            "</text><text class=\"label\" transform=\"translate(16 %d) rotate(-90)\" "
            "text-anchor=\"middle\">",
            (top + height - bottom) / 2);
    report_escape(file, p->y_label);
    fputs("</text></svg>\n", file);
}

// ---------------------------------------------------------------- bars

void bars_add(bars* b, const char* label, double value, const char* color)
{
    if (b->count >= bar_limit || !isfinite(value) || (b->log && value <= 0.0))
        return;
    struct bar* bar = &b->bar[b->count++];
    snprintf(bar->label, sizeof bar->label, "%s", label);
    bar->value = value;
    bar->color = color;
}

// the first letters of a text that is too long, whole words where that is possible; all of it on
// pointing at it
static void write_short(FILE* file, const char* text, int letters)
{
    char cut[128];
    int end = letters;
    if ((int)strlen(text) <= letters) {
        report_escape(file, text);
        return;
    }
    while (end > letters / 2 && text[end] != ' ')
        end--;
    while (end > 0 && strchr(" ,(", text[end - 1]))
        end--;
    snprintf(cut, sizeof cut, "%.*s…", end, text);
    report_escape(file, cut);
    fputs("<title>", file);
    report_escape(file, text);
    fputs("</title>", file);
}

void bars_write(FILE* file, const bars* b)
{
    enum { label = 276, letters = 46, line = 21, room = 84 };
    axis x = {INFINITY, -INFINITY, b->log, label, width - room};
    int h = 44 + line * b->count;

    for (int i = 0; i < b->count; i++)
        stretch(&x, b->bar[i].value);
    if (b->log)
        x.lo = floor(x.lo - 0.3);
    round_off(&x);

    begin(file, width, h, b->title);
    for (int i = 0; i < b->count; i++) {
        const struct bar* bar = &b->bar[i];
        char text[32];
        double y = 34.0 + line * i, end = fmax(place(&x, bar->value), label + 2.0);

        fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", label - 8,
                y + 12.0);
        write_short(file, bar->label, letters);

        fprintf(file,
                "</text><rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"14\" rx=\"2\" "
                "fill=\"%s\"/><text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%s %s</text>\n",
                label, y, end - label, bar->color, end + 6.0, y + 11.5,
                report_format(text, sizeof text, bar->value), b->unit);
    }

    fputs("</svg>\n", file);
}
