// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The report of `cairn bench all`: one object with the rows of every suite, and what is made of it:
// plots, the papers' figures, a page, a text. Everything is a function of that object alone.
//
//     {"suite": "all", "machine", "version", "commit", "date", "system", "compiler", "quick", "peers": [...],
//      "suites": [{"suite", "commit", "seconds", "rows", "bounds": [{"met", "text"}], "notes": [...],
//                  "unreached": [...]}],
//      "headlines": [{"paper", "figure", "published", "measured", "verdict", "note"}],
//      "against_peers": [{"scene", ...}]}
#ifndef CAIRN_BENCH_REPORT_H
#define CAIRN_BENCH_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

// ---------------------------------------------------------------- drawing (report_svg.c)

enum { plot_series_limit = 20, plot_point_limit = 160, bar_limit = 96 };

typedef enum plot_kind { PLOT_LINES, PLOT_POINTS, PLOT_STEPS } plot_kind;

typedef struct plot_series {
    char name[64];
    const char* color;
    plot_kind kind;
    bool dashed;
    int count;
    double x[plot_point_limit], y[plot_point_limit];
    const char* tip[plot_point_limit]; ///< what a point is; borrowed, or NULL
} plot_series;

typedef struct plot {
    const char* title;
    const char *x_label, *y_label;
    bool log_x, log_y;
    bool target; ///< the corner x <= target_x, y <= target_y is where one wants to be
    double target_x, target_y;
    int series_count;
    plot_series series[plot_series_limit];
} plot;

/// Colors of series, sober and told apart by color-blind eyes.
extern const char* const plot_colors[8];

/// A new series with a color, or NULL when there is no room.
plot_series* plot_add(plot* p, plot_kind kind, const char* name);

/// Adds a point unless a coordinate is not finite, or not positive on a logarithmic axis.
void plot_point(const plot* p, plot_series* s, double x, double y, const char* tip);

void plot_write(FILE* file, const plot* p);

/// Horizontal bars on a logarithmic or linear scale, with the value written at their ends.
typedef struct bars {
    const char* title;
    const char* unit;
    bool log;
    int count;
    struct bar {
        char label[96];
        double value;
        const char* color;
    } bar[bar_limit];
} bars;

void bars_add(bars* b, const char* label, double value, const char* color);
void bars_write(FILE* file, const bars* b);

/// Text with the characters of markup replaced.
void report_escape(FILE* file, const char* text);

// ---------------------------------------------------------------- reading (report_data.c)

/// The rows of a suite, an empty list when it was not run.
json_t* report_rows(const json_t* report, const char* suite);

/// A number of a row; NaN when it is absent or null.
double report_number(const json_t* row, const char* key);
const char* report_string(const json_t* row, const char* key);
bool report_is(const json_t* row, const char* key, const char* value);

/// The commit that the rows of a report, or of a suite of it, were measured at, when that is not
/// the one of this program, or not the report's; NULL: they are of one commit.
const char* report_stale(const json_t* report);
const char* report_stale_suite(const json_t* report, const json_t* suite);

/// The slope of log y over log x by least squares.
double report_slope(const double* x, const double* y, int count);

/// A number as people write it: 3 digits, with an exponent where that is shorter.
const char* report_format(char* text, size_t size, double x);

// ---------------------------------------------------------------- contents

/// A plot by its name: what it is and the function that draws it. False when there are no data.
typedef struct report_plot {
    const char* name;
    const char* suite;   ///< the section that it belongs to
    const char* caption; ///< one sentence
    bool (*draw)(FILE* file, const json_t* report);
} report_plot;

extern const report_plot report_plots[]; ///< the last has no name (report_plots.c)

/// The papers' figures beside ours (report_headlines.c).
json_t* report_headlines(const json_t* report);

/// An error up to this, in meters or relative, counts as none.
extern const double report_no_error;

/// A scene of the suite `peers`: our error and time against the best and the fastest peer, whether
/// we are where we want to be, and if not, why, as its rows tell; NULL when there is nothing to
/// compare (report_peers.c).
json_t* report_judge_scene(const json_t* rows, const char* scene);

/// That for each bounded scene.
json_t* report_against_peers(const json_t* report);

/// The page and the texts. Files appear whole or not at all; false with a sentence on standard
/// error.
bool report_html(const char* path, const json_t* report);
bool report_markdown(const char* folder, const json_t* report);

#endif
