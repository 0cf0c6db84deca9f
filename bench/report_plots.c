// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plots of the report: growth, convergence, performance profiles, sweeps, and the engine. Those
// of the peers are in report_scatter.c.

#include "report.h"
#include "report_scatter.h"
#include "suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static plot* make(const char* title, const char* x_label, const char* y_label, bool log_x)
{
    plot* p = calloc(1, sizeof *p);
    *p = (plot){
        .title = title, .x_label = x_label, .y_label = y_label, .log_x = log_x, .log_y = true};
    return p;
}

static bool finish(FILE* file, plot* p)
{
    bool any = false;
    for (int i = 0; i < p->series_count; i++)
        any = any || p->series[i].count > 0;
    if (any)
        plot_write(file, p);
    free(p);
    return any;
}

// one series: column y over column x of the rows with key = value (NULL: all)
static plot_series* add_column(plot* p, const json_t* rows, const char* name, const char* x,
                               const char* y, const char* key, const char* value)
{
    plot_series* s = plot_add(p, PLOT_LINES, name);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!key || report_is(row, key, value))
            plot_point(p, s, report_number(row, x), report_number(row, y), NULL);
    }
    return s;
}

// ---------------------------------------------------------------- growth

// names the exponent of each curve, fitted over its points
static void name_slopes(plot* p)
{
    for (int i = 0; i < p->series_count; i++) {
        plot_series* s = &p->series[i];
        size_t used = strlen(s->name);
        if (s->count > 2)
            snprintf(s->name + used, sizeof s->name - used, ", n^%.1f",
                     report_slope(s->x, s->y, s->count));
    }
}

static bool draw_dantzig(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "dantzig");
    plot* p = make("Frictionless contact by pivoting", "contacts", "microseconds", true);
    add_column(p, rows, "dantzig", "n", "dantzig_us", NULL, NULL);
    add_column(p, rows, "elimination", "n", "gauss_us", NULL, NULL)->dashed = true;
    add_column(p, rows, "LAPACK", "n", "lapack_us", NULL, NULL)->dashed = true;
    name_slopes(p);
    return finish(file, p);
}

static bool draw_lemke(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "lemke");
    plot* p =
        make("Peg in a hole: three variants of Lemke's method", "contacts", "microseconds", true);
    add_column(p, rows, "lemke-standard", "contacts", "standard_us", "experiment", "peg");
    add_column(p, rows, "lemke-structural", "contacts", "structural_us", "experiment", "peg");
    add_column(p, rows, "lemke (reduced)", "contacts", "reduced_us", "experiment", "peg");
    name_slopes(p);
    return finish(file, p);
}

static bool draw_tree(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "tree");
    static const char* const shapes[] = {"chain", "binary", "star"};
    plot* p = make("Trees of joints: factor and solve", "multipliers", "microseconds", true);
    for (int k = 0; k < 3; k++) {
        plot_series* s = plot_add(p, PLOT_LINES, shapes[k]);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t* row = json_array_get(rows, i);
            if (report_is(row, "shape", shapes[k]))
                plot_point(p, s, report_number(row, "multipliers"),
                           report_number(row, "factor_us") + report_number(row, "solve_us"), NULL);
        }
    }

    add_column(p, rows, "dense L D Lᵀ", "multipliers", "dense_us", "shape", "binary")->dashed =
        true;
    name_slopes(p);
    return finish(file, p);
}

static bool draw_exact(FILE* file, const json_t* report)
{
    static const char* const families[] = {"stack", "pushed_stack", "wall", "heap", "boxes"};
    const json_t* rows = report_rows(report, "exact");
    plot* p = make("exact: a whole solve to 1e-8", "contacts", "milliseconds", true);
    for (int k = 0; k < 5; k++) {
        plot_series* s = plot_add(p, PLOT_POINTS, families[k]);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t* row = json_array_get(rows, i);
            const char* name = report_string(row, "problem");
            if (strncmp(name, families[k], strlen(families[k])) == 0)
                plot_point(p, s, report_number(row, "contacts"), report_number(row, "ms_1e8"),
                           name);
        }
    }

    name_slopes(p);
    return finish(file, p);
}

// ---------------------------------------------------------------- convergence

static bool draw_convergence(FILE* file, const json_t* report, const char* problem)
{
    static const char* const methods[] = {"exact", "prox", "prox-jacobi", "pgs", "gauss-seidel"};
    const json_t* rows = report_rows(report, "convergence");
    plot* p = make(problem, "milliseconds", "certified residual, relative", true);
    for (int k = 0; k < 5; k++) {
        plot_series* s = plot_add(p, PLOT_LINES, methods[k]);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t* row = json_array_get(rows, i);
            if (report_is(row, "problem", problem) && report_is(row, "method", methods[k]))
                plot_point(p, s, report_number(row, "ms"),
                           fmax(report_number(row, "residual"), 1e-16), NULL);
        }
    }
    return finish(file, p);
}

static bool draw_convergence_wall(FILE* file, const json_t* report)
{
    return draw_convergence(file, report, "wall of 10 rows");
}

static bool draw_convergence_hit(FILE* file, const json_t* report)
{
    return draw_convergence(file, report, "wall of 10 rows, hit");
}

static bool draw_convergence_stack(FILE* file, const json_t* report)
{
    return draw_convergence(file, report, "stack of 10, mass ratio 10,000");
}

static bool draw_convergence_heap(FILE* file, const json_t* report)
{
    return draw_convergence(file, report, "heap of 200");
}

// ---------------------------------------------------------------- performance profiles

enum { solver_limit = 16, file_limit = 512 };

typedef struct profile {
    int solvers, files;
    const char* solver[solver_limit];
    const char* file[file_limit];
    double ms[solver_limit][file_limit];
} profile;

static int find_or_add(const char** names, int* count, int limit, const char* name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (*count >= limit)
        return -1;
    names[*count] = name;
    return (*count)++;
}

static profile* read_profile(const json_t* rows, double tolerance)
{
    profile* t = calloc(1, sizeof *t);
    for (int s = 0; s < solver_limit; s++)
        for (int f = 0; f < file_limit; f++)
            t->ms[s][f] = INFINITY;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (fabs(report_number(row, "tolerance") - tolerance) > 0.1 * tolerance)
            continue;
        int s = find_or_add(t->solver, &t->solvers, solver_limit, report_string(row, "solver"));
        int f = find_or_add(t->file, &t->files, file_limit, report_string(row, "file"));
        double ms = report_number(row, "ms");
        if (s >= 0 && f >= 0 && isfinite(ms))
            t->ms[s][f] = ms;
    }
    return t;
}

// the share of files that a solver solves within τ times the fastest solver's time
static void add_profile(plot* p, const profile* t, int s)
{
    double ratios[file_limit];
    int count = 0;

    for (int f = 0; f < t->files; f++) {
        double best = INFINITY;
        for (int k = 0; k < t->solvers; k++)
            best = fmin(best, t->ms[k][f]);

        if (isfinite(t->ms[s][f]))
            ratios[count++] = t->ms[s][f] / best;
    }
    bench_sort(ratios, count);

    plot_series* line = plot_add(p, PLOT_STEPS, t->solver[s]);
    if (!line)
        return;
    line->dashed = strncmp(t->solver[s], "Siconos", 7) == 0;

    plot_point(p, line, 1.0, 0.0, NULL);
    for (int i = 0; i < count; i++)
        plot_point(p, line, fmin(ratios[i], 1000.0), (i + 1.0) / t->files, NULL);
    plot_point(p, line, 1000.0, (double)count / t->files, NULL);
}

static bool draw_profile(FILE* file, const json_t* report, double tolerance, const char* title)
{
    profile* t = read_profile(report_rows(report, "files"), tolerance);
    plot* p = make(title, "time, in units of the fastest solver's", "share of files solved", true);
    p->log_y = false;
    for (int s = 0; s < t->solvers; s++)
        add_profile(p, t, s);
    bool any = finish(file, p);
    free(t);
    return any;
}

static bool draw_profile_4(FILE* file, const json_t* report)
{
    return draw_profile(file, report, 1e-4, "FCLib files to a relative residual of 1e-4");
}

static bool draw_profile_8(FILE* file, const json_t* report)
{
    return draw_profile(file, report, 1e-8, "FCLib files to a relative residual of 1e-8");
}

// ---------------------------------------------------------------- bars

static bool finish_bars(FILE* file, bars* b)
{
    bool any = b->count > 0;
    if (any)
        bars_write(file, b);
    free(b);
    return any;
}

static bool draw_prox(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "prox");
    bars* b = calloc(1, sizeof *b);
    b->title = "Median sweeps to the same residual, no mixing of iterates (limit 1000)";
    b->unit = "";
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        char label[96];
        if (!report_is(row, "strategy", "plain"))
            continue;
        bool jacobi = report_is(row, "scheme", "jacobi");
        snprintf(label, sizeof label, "%s, %s", report_string(row, "scene"),
                 report_string(row, "scheme"));
        bars_add(b, label, report_number(row, "sweeps_median"), plot_colors[jacobi]);
    }
    return finish_bars(file, b);
}

static bool draw_pgs(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "pgs");
    bars* b = calloc(1, sizeof *b);
    b->title = "Nanoseconds per row visit: eight rows at a time (blue), one (red)";
    b->unit = "ns";
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        const char* scene = report_string(row, "scene");
        if (strstr(scene, "hit"))
            continue;
        bars_add(b, scene, report_number(row, "ns_per_row_visit"), plot_colors[0]);
        bars_add(b, "", report_number(row, "scalar_ns_per_row_visit"), plot_colors[1]);
    }
    return finish_bars(file, b);
}

static bool draw_engine(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "engine");
    bars* b = calloc(1, sizeof *b);
    b->title = "A step of the engine, one thread";
    b->unit = "ms";
    b->log = true;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        bars_add(b, report_string(row, "scene"), report_number(row, "ms_step_mean"),
                 plot_colors[0]);
    }
    return finish_bars(file, b);
}

static bool draw_quality(FILE* file, const json_t* report)
{
    const json_t* rows = report_rows(report, "quality");
    bars* b = calloc(1, sizeof *b);
    b->title = "Errors in units of their bounds (red: beyond)";
    b->unit = "";
    b->log = true;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        double bound = report_number(row, "bound");
        double error = report_number(row, json_object_get(row, "error") ? "error" : "value");
        double share = bound > 0.0 ? error / bound : error; // of a count that must be 0
        bars_add(b, report_string(row, "case"), fmax(share, 1e-9),
                 share < 1.0 ? plot_colors[2] : plot_colors[1]);
    }
    return finish_bars(file, b);
}

const report_plot report_plots[] = {
    {"growth-dantzig", "dantzig",
     "Time over the number of contacts; Baraff measured in units of one elimination of the same "
     "size.",
     draw_dantzig},
    {"growth-lemke", "lemke",
     "Each slope follows from the matrix that the variant works on: all rows, the space of the "
     "bodies, the contacts with friction.",
     draw_lemke},
    {"growth-tree", "tree", "Slope one for every shape; dense elimination has slope three.",
     draw_tree},
    {"growth-exact", "exact", "Every problem of the suite, by family.", draw_exact},
    {"pgs-visits", "pgs", "The fast loop processes contacts that share no body together.",
     draw_pgs},
    {"prox-sweeps", "prox", "Gauss-Seidel and Jacobi on the published scenes.", draw_prox},
    {"convergence-wall", "convergence",
     "A wall at rest: sweeps converge slowly, Newton's method reaches round-off.",
     draw_convergence_wall},
    {"convergence-hit", "convergence", "The same wall when a brick is hit at 3 m/s.",
     draw_convergence_hit},
    {"convergence-stack", "convergence",
     "At a mass ratio of 10,000 sweeps need thousands of passes.", draw_convergence_stack},
    {"convergence-heap", "convergence", "On a heap of equal spheres sweeps converge well.",
     draw_convergence_heap},
    {"profile-1e-4", "files", "Higher and further left is better; Siconos dashed.", draw_profile_4},
    {"profile-1e-8", "files", "The same to eight digits.", draw_profile_8},
    {"engine-steps", "engine", "Mean time of a step, on a logarithmic scale.", draw_engine},
    {"quality-bounds", "quality", "On a logarithmic scale; shorter is better.", draw_quality},
    {"peers-overview", "peers",
     "Error and time of a step; each peer with the most accurate of its settings.",
     draw_peers_overview},
    {"peers-massratio1000", "peers", "A cube of 1 kg carries one of 1,000 kg.",
     draw_peers_massratio},
    {"peers-incline", "peers",
     "A box slides along its diagonal on a slope half a degree above the friction limit.",
     draw_peers_incline},
    {"peers-chain", "peers", "Error of the tip of a chain of ten links after two seconds.",
     draw_peers_chain},
    {"peers-wall", "peers", "How deeply bricks sink into each other while a wall stands.",
     draw_peers_wall},
    {"peers-tree", "peers",
     "Energy error of a tree of 127 ball joints, in which nothing dissipates.", draw_peers_tree},
    {"peers-time", "peers", "Time of a step of the wall of ten rows, for every engine and setting.",
     draw_peers_time},
    {0}};
