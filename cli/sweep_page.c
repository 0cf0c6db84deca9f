// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The page of a study: one file without scripts. Each metric has a histogram and is drawn over each
// parameter; the table lists the runs, at most `most_lines` of them.

#include "io/file.h"
#include "sweep.h"
#include <math.h>
#include <stdlib.h>

enum { bins = 24, width = 300, height = 190, left = 60, bottom = 34, most_lines = 2000 };

static void put_escaped(FILE* out, const char* text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else if ((unsigned char)*text >= ' ')
            putc(*text, out);
    }
}

static double metric_of(const sweep_rows* rows, int run, int metric)
{
    return rows->metric[(size_t)run * (size_t)rows->of->metric_count + (size_t)metric];
}

typedef struct range {
    double least, most;
} range;

static void widen(range* r, double x)
{
    if (isfinite(x)) {
        r->least = fmin(r->least, x);
        r->most = fmax(r->most, x);
    }
}

// an axis needs a length
static range opened(range r)
{
    double half = r.most > r.least ? 0.0 : fmax(0.5 * fabs(r.least), 0.5);
    return (range){r.least - half, r.most + half};
}

static range range_of(const sweep_rows* rows, int metric)
{
    range r = {INFINITY, -INFINITY};
    for (int run = 0; run < rows->count; run++)
        widen(&r, metric_of(rows, run, metric));
    return r;
}

static double across(range r, double x)
{
    return left + (width - left - 8.0) * (x - r.least) / (r.most - r.least);
}

static double up(range r, double y)
{
    return height - bottom - (height - bottom - 10.0) * (y - r.least) / (r.most - r.least);
}

// the frame of a plot, with the ends of both axes
static void open_plot(FILE* out, range x, range y, const char* along)
{
    fprintf(out,
            "<svg viewBox='0 0 %d %d' role='img'><path class='axis' d='M%d 6V%dH%d'/>"
            "<text x='%d' y='%d'>%.4g</text><text x='%d' y='%d' text-anchor='end'>%.4g</text>"
            "<text x='%d' y='14' text-anchor='end'>%.3g</text>"
            "<text x='%d' y='%d' text-anchor='end'>%.3g</text>"
            "<text x='%d' y='%d' text-anchor='middle'>",
            width, height, left, height - bottom, width - 4, left, height - bottom + 13, x.least,
            width - 4, height - bottom + 13, x.most, left - 5, y.most, left - 5, height - bottom,
            y.least, (width + left) / 2, height - 6);
    put_escaped(out, along);
    fputs("</text>", out);
}

static void put_histogram(FILE* out, const sweep_rows* rows, int metric)
{
    int count[bins] = {0}, most = 1;
    range x = opened(range_of(rows, metric));

    for (int run = 0; run < rows->count; run++) {
        double value = metric_of(rows, run, metric);
        if (!isfinite(value))
            continue;

        int bin = (int)(bins * (value - x.least) / (x.most - x.least));
        bin = bin < 0 ? 0 : bin >= bins ? bins - 1 : bin;
        most = ++count[bin] > most ? count[bin] : most;
    }

    range y = {0.0, most};
    open_plot(out, x, y, rows->of->metrics[metric].name);
    for (int k = 0; k < bins; k++) {
        double from = across((range){0.0, bins}, k), top = up(y, count[k]);
        fprintf(out, "<rect class='bar' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>", from, top,
                (width - left - 8.0) / bins - 1.0, height - bottom - top);
    }

    fputs("</svg>", out);
}

static void put_scatter(FILE* out, const sweep_rows* rows, int metric, int parameter)
{
    enum { most_points = 3000 };
    range x = {INFINITY, -INFINITY}, y = range_of(rows, metric);
    double values[study_most_parameters];
    int measured = 0;

    // runs without the metric have no point
    for (int run = 0; run < rows->count; run++) {
        if (!isfinite(metric_of(rows, run, metric)))
            continue;
        sweep_parameters(rows, run, values);
        widen(&x, values[parameter]);
        measured++;
    }

    if (!(x.least <= x.most))
        return; // texts

    // a browser is slow with very many points: leave out evenly
    x = opened(x);
    y = opened(y);
    int every = 1 + measured / most_points, k = 0;
    fputs("<figure>", out);
    open_plot(out, x, y, rows->of->parameters[parameter].name);

    for (int run = 0; run < rows->count; run++) {
        double value = metric_of(rows, run, metric);
        if (!isfinite(value) || k++ % every)
            continue;
        sweep_parameters(rows, run, values);
        if (isfinite(values[parameter]))
            fprintf(out,
                    "<circle class='%s' cx='%.1f' cy='%.1f' r='2.5'><title>run %d: %.6g, %.6g"
                    "</title></circle>",
                    sweep_status_names[rows->row[run].status], across(x, values[parameter]),
                    up(y, value), run, values[parameter], value);
    }

    fputs("</svg></figure>", out);
}

static void put_table(FILE* out, const sweep_rows* rows)
{
    const study* s = rows->of;
    int lines = 0, left_out = 0;

    // parameters, then metrics, then how it ended
    fputs("<h2>Runs</h2><div class='wide'><table><tr><th>run</th>", out);
    for (int k = 0; k < s->parameter_count + s->metric_count; k++) {
        bool parameter = k < s->parameter_count;
        fputs("<th>", out);
        put_escaped(out,
                    parameter ? s->parameters[k].name : s->metrics[k - s->parameter_count].name);
        fputs("</th>", out);
    }
    fputs("<th>status</th></tr>\n", out);

    // a page has room for so many runs; the table file has them all
    for (int run = 0; run < rows->count; run++) {
        const sweep_row* row = &rows->row[run];
        double values[study_most_parameters];
        if (row->status == SWEEP_OPEN)
            continue;
        if (lines++ >= most_lines) {
            left_out++;
            continue;
        }

        sweep_parameters(rows, run, values);
        fprintf(out, "<tr><td>%d</td>", run);

        // texts stand as they are, numbers with six digits
        for (int k = 0; k < s->parameter_count; k++) {
            json_t* value = study_value(s, k, run / s->stride);
            fputs("<td>", out);
            if (json_is_string(value))
                put_escaped(out, json_string_value(value));
            else
                fprintf(out, "%.6g", values[k]);
            fputs("</td>", out);
            json_decref(value);
        }

        for (int k = 0; k < s->metric_count; k++)
            fprintf(out, isnan(metric_of(rows, run, k)) ? "<td></td>" : "<td>%.6g</td>",
                    metric_of(rows, run, k));

        fprintf(out, "<td class='%s'>%s ", sweep_status_names[row->status],
                sweep_status_names[row->status]);
        put_escaped(out, row->reason ? row->reason : "");
        fputs("</td></tr>\n", out);
    }

    fputs("</table></div>", out);
    if (left_out)
        fprintf(out, "<p>%d more runs are in the table file.</p>", left_out);
}

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d2126;--dim:#68707a;--line:#d5dae0;--page:#fff;"
    "--blue:#2f6fb5;--red:#c0392b}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--dim:#98a1ab;--line:#3a4149;"
    "--page:#15181c;--blue:#6aa6e8;--red:#ef7d6e}}"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);"
    "max-width:1100px;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}"
    ".plots{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:320px}"
    "svg{width:100%;font-size:11px;fill:var(--dim)}.axis{fill:none;stroke:var(--line)}"
    ".bar,circle.ok{fill:var(--blue)}circle.missed{fill:var(--red)}circle{opacity:.7}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--line)}"
    "td.ok{color:var(--dim)}td.missed,td.failed,td.crashed,td.stalled{color:var(--red)}";

static void put_page(FILE* out, const sweep_rows* rows, const sweep_replay* replays, int count)
{
    const study* s = rows->of;
    const char* title = *s->title ? s->title : "A study";
    int counts[sweep_statuses] = {0};

    for (int run = 0; run < rows->count; run++)
        counts[rows->row[run].status]++;

    // title, scene, and how the runs ended
    fputs("<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' "
          "content='width=device-width'><title>",
          out);
    put_escaped(out, title);
    fprintf(out, "</title><style>%s</style><h1>", style);
    put_escaped(out, title);
    fputs("</h1><p>Scene ", out);
    put_escaped(out, s->scene_name);
    fprintf(out, ": %d runs ok, %d missed a tolerance, %d failed, %d crashed, %d stalled.</p>",
            counts[SWEEP_OK], counts[SWEEP_MISSED], counts[SWEEP_FAILED], counts[SWEEP_CRASHED],
            counts[SWEEP_STALLED]);

    // links to the replays of the worst runs
    if (count > 0) {
        fputs("<p>Runs with the largest ", out);
        put_escaped(out, s->metrics[0].name);
        fputs(":", out);
        for (int k = 0; k < count; k++) {
            fputs(" <a href=\"", out);
            put_escaped(out, replays[k].file);
            fprintf(out, "\">run %d</a>", replays[k].run);
        }
        fputs("</p>", out);
    }

    // a histogram of each metric, and a scatter plot over each parameter
    for (int k = 0; k < s->metric_count; k++) {
        range r = range_of(rows, k);
        if (!(r.least <= r.most))
            continue;
        fputs("<h2>", out);
        put_escaped(out, s->metrics[k].name);
        fputs("</h2><div class='plots'><figure>", out);
        put_histogram(out, rows, k);
        fputs("</figure>", out);
        for (int p = 0; p < s->parameter_count; p++)
            put_scatter(out, rows, k, p);
        fputs("</div>\n", out);
    }

    put_table(out, rows);
    fputs("</html>\n", out);
}

cairn_status sweep_page_write(const sweep_rows* rows, const sweep_replay* replays, int count,
                              const char* path, bool force, cairn_error* error)
{
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the page");
    put_page(out, rows, replays, count);
    bool whole = fclose(out) == 0;
    cairn_status status = whole ? cairn_file_write(path, text, size, force, error)
                                : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the page");
    free(text);
    return status;
}
