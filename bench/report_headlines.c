// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The papers' headline figures: what was published, what is measured here as a ratio within one
// run, and a verdict. What is known to be wrong in print is said.

#include "report.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct headlines {
    const json_t* report;
    json_t* list;
    const char* paper;
} headlines;

typedef enum verdict { CONFIRMED, SHORT, REFUTED, UNMEASURED } verdict;

static void add(headlines* h, const char* figure, const char* published, verdict v,
                const char* note, const char* format, ...) __attribute__((format(printf, 6, 7)));

static void add(headlines* h, const char* figure, const char* published, verdict v,
                const char* note, const char* format, ...)
{
    static const char* const names[] = {"confirmed", "short", "refuted", "unmeasured"};
    char measured[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(measured, sizeof measured, format, arguments);
    va_end(arguments);
    if (v == UNMEASURED)
        snprintf(measured, sizeof measured, "–");
    json_array_append_new(h->list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "paper", h->paper,
                                             "figure", figure, "published", published, "measured",
                                             measured, "verdict", names[v], "note", note));
}

// a figure that could not be measured is not judged
static verdict when(double figure, bool met)
{
    return isnan(figure) ? UNMEASURED : met ? CONFIRMED : SHORT;
}

enum { number_size = 32 };

static const char* short_number(char* text, double x)
{
    return report_format(text, number_size, x);
}

// the first row of a suite with key = value (and key2 = number)
static const json_t* row_where(const headlines* h, const char* suite, const char* key,
                               const char* value, const char* key2, double number)
{
    const json_t* rows = report_rows(h->report, suite);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        bool fits = !key || report_is(row, key, value);
        if (fits && (!key2 || report_number(row, key2) == number))
            return row;
    }
    return NULL;
}

// the row of a suite with the greatest number
static const json_t* largest(const headlines* h, const char* suite, const char* key)
{
    const json_t* rows = report_rows(h->report, suite);
    const json_t* found = NULL;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!found || report_number(row, key) > report_number(found, key))
            found = row;
    }
    return found;
}

static double ratio(const json_t* row, const char* over, const char* under)
{
    return report_number(row, over) / report_number(row, under);
}

// ---------------------------------------------------------------- Baraff 1994

// "N of M below" sentences of the campaign over random problems
static void count_campaign(const headlines* h, long* solved, long* tried)
{
    const json_t* suites = json_object_get(h->report, "suites");
    *solved = *tried = 0;
    for (size_t i = 0; i < json_array_size(suites); i++) {
        const json_t* suite = json_array_get(suites, i);
        const json_t* bounds = json_object_get(suite, "bounds");
        for (size_t k = 0; report_is(suite, "suite", "dantzig") && k < json_array_size(bounds);
             k++) {
            long a, b;
            const char* text = report_string(json_array_get(bounds, k), "text");
            const char* colon = strchr(text, ':');
            if (colon && sscanf(colon, ": %ld of %ld below", &a, &b) == 2) {
                *solved += a;
                *tried += b;
            }
        }
    }
}

static double paper_figure(const headlines* h, const char* figure)
{
    return report_number(row_where(h, "papers", "figure", figure, NULL, 0), "value");
}

static void baraff_1994(headlines* h)
{
    const json_t* row = row_where(h, "dantzig", NULL, NULL, "n", 200);
    long solved, tried;
    h->paper = "Baraff 1994, contact forces by pivoting";
    double r = ratio(row, "dantzig_us", "gauss_us");
    add(h, "a frictionless solve in units of one Gaussian elimination, n = 200", "2 to 3",
        when(r, r <= 3.0), "the figure is quoted from memory", "%.2f", r);
    double p = report_number(row, "pivots") / 200.0;
    add(h, "pivots per contact", "O(1)", when(p, p <= 2.0), "", "%.2f at n = 200", p);
    r = paper_figure(h, "100 contacts without friction, exact") /
        paper_figure(h, "100 contacts without friction, dantzig");
    add(h, "faster than a general solver for convex problems, n = 100", "5 to 10 times",
        when(r, r >= 5.0),
        "the figure is quoted from memory; the general solver is our own sparse one, which did not "
        "exist then",
        "%.1f times", r);
    count_campaign(h, &solved, &tried);
    add(h, "pivoting never looped", "never", when(tried > 0 ? 0.0 : NAN, solved == tried),
        "random problems, with and without friction", "%ld of %ld solved", solved, tried);
    r = fmin(paper_figure(h, "jack"), paper_figure(h, "gears"));
    add(h, "mechanisms at interactive rates", "20 to 30 Hz", when(r, r >= 30.0),
        "on an R4400; here whole steps with collision detection", "%.0f steps/s at least", r);
}

// ---------------------------------------------------------------- Lloyd 2004

static double growth(const headlines* h, const char* key)
{
    return report_number(row_where(h, "lemke", "experiment", "peg", "contacts", 32), key) /
           report_number(row_where(h, "lemke", "experiment", "peg", "contacts", 8), key);
}

// the slope of log time over log contacts of a peg
static double exponent(const headlines* h, const char* key)
{
    enum { most = 16 };
    const json_t* rows = report_rows(h->report, "lemke");
    double x[most], y[most];
    int count = 0;
    for (size_t i = 0; i < json_array_size(rows) && count < most; i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "experiment", "peg"))
            continue;
        x[count] = report_number(row, "contacts");
        y[count++] = report_number(row, key);
    }
    return count > 2 ? report_slope(x, y, count) : NAN;
}

static void lloyd_pegs(headlines* h)
{
    const json_t* row = row_where(h, "lemke", "experiment", "peg", "contacts", 32);
    double a = ratio(row, "standard_us", "reduced_us");
    double b = ratio(row, "structural_us", "reduced_us");
    add(h, "peg, 32 contacts: standard over reduced", "87.5", when(a, a >= 40.0),
        "the author's Java today gives 46", "%.1f", a);
    add(h, "peg, 32 contacts: structural over reduced", "5.8", when(b, b >= 4.0),
        "the author's Java today gives 4.3", "%.1f", b);
    double s = growth(h, "standard_us"), t = growth(h, "structural_us"),
           r = growth(h, "reduced_us");
    add(h, "growth from 8 to 32 contacts: standard, structural, reduced", "64.8, 10.4, 4.24",
        when(r, r <= 5.0), "", "%.1f, %.1f, %.2f", s, t, r);
    s = exponent(h, "standard_us"), t = exponent(h, "structural_us"), r = exponent(h, "reduced_us");
    add(h, "exponents of that growth", "about 3, 2, 1", when(r, s <= 3.3 && t <= 2.2 && r <= 1.1),
        "fitted over 8 to 32 contacts", "%.1f, %.1f, %.1f", s, t, r);
    add(h, "pivots at 32 contacts: reduced over structural", "99 / 186",
        when(a, ratio(row, "reduced_pivots", "structural_pivots") < 1.0), "", "%.0f / %.0f",
        report_number(row, "reduced_pivots"), report_number(row, "structural_pivots"));
}

static void lloyd_2004(headlines* h)
{
    const json_t* rows = report_rows(h->report, "lemke");
    double failures = 0.0, problems = 0.0, least = INFINITY, most = 0.0, kernel = NAN;
    h->paper = "Lloyd 2004, Lemke's method for few bodies";
    lloyd_pegs(h);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        double r = ratio(row, "standard_us", "reduced_us");
        kernel = fmax(kernel, report_number(row, "kernel") - 6.0 * report_number(row, "bodies"));
        if (json_object_get(row, "problems")) {
            failures += report_number(row, "reduced_failures");
            problems += report_number(row, "problems");
        } else if (!report_is(row, "experiment", "peg") && !report_is(row, "experiment", "stack")) {
            least = fmin(least, r);
            most = fmax(most, r);
        }
    }
    add(h, "ten cases of one body: standard over reduced", "9 to 38",
        when(most > 0.0 ? least : NAN, least >= 9.0), "", "%.0f to %.0f", least, most);
    double r = ratio(row_where(h, "lemke", "experiment", "stack", "bodies", 5), "standard_us",
                     "reduced_us");
    add(h, "stack of five: standard over reduced", "22", when(r, r >= 22.0),
        "our standard variant has been made faster too; both are exact", "%.1f", r);
    add(h, "rows of the kernel that is factored, independent of the contacts", "6 for each body",
        when(kernel, kernel <= 2.0), "and two for the covering vector and the driving variable",
        "%.0f more at most", kernel);
    add(h, "wrong answers of the reduced method", "26 of 14,000 as published",
        when(problems > 0.0 ? 0.0 : NAN, failures == 0.0),
        "in the published form the covering vector grows like 1/z_0; in ours it does not, and "
        "every answer is verified",
        "%.0f of %.0f", failures, problems);
}

// ---------------------------------------------------------------- Erleben 2017

static const json_t* prox_row(const headlines* h, const char* scene, const char* scheme,
                              const char* strategy)
{
    const json_t* rows = report_rows(h->report, "prox");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (report_is(row, "scene", scene) && report_is(row, "scheme", scheme) &&
            report_is(row, "strategy", strategy))
            return row;
    }
    return NULL;
}

static void erleben_2017(headlines* h)
{
    static const char* const scenes[] = {"tower", "wall81", "spheres", "jacks"};
    double least = INFINITY, worst = 1.0, most_us = 0.0, r[4], roll[4], undone[4];
    char text[4][number_size];
    h->paper = "Erleben 2017, proximal operators";
    for (int k = 0; k < 4; k++) {
        const json_t* gs = prox_row(h, scenes[k], "gauss-seidel", "scalar-local");
        const json_t* jacobi = prox_row(h, scenes[k], "jacobi", "scalar-local");
        const json_t* blocked = prox_row(h, scenes[k], "gauss-seidel", "blocked");
        r[k] = report_number(prox_row(h, scenes[k], "gauss-seidel", "local"), "rollbacks") /
               report_number(prox_row(h, scenes[k], "gauss-seidel", "global"), "rollbacks");
        roll[k] = report_number(jacobi, "sweeps_median") / report_number(gs, "sweeps_median");
        undone[k] = report_number(prox_row(h, scenes[k], "jacobi", "local"), "rollbacks") /
                    report_number(prox_row(h, scenes[k], "gauss-seidel", "local"), "rollbacks");
        least = fmin(least, roll[k]);
        worst = fmin(worst, ratio(blocked, "converged", "solves"));
        most_us = fmax(most_us, report_number(gs, "us_per_contact_sweep"));
    }
    add(h, "divergence detected, local over global: tower, wall, spheres, jacks",
        "64, 4.6, 2.4, 1.04", when(r[0], r[0] > 1.0 && r[1] > 1.0),
        "the text says that local needs fewer sweeps; the published raw data show the opposite for "
        "jacks and wall",
        "%s, %s, %s, %s", short_number(text[0], r[0]), short_number(text[1], r[1]),
        short_number(text[2], r[2]), short_number(text[3], r[3]));
    add(h, "sweeps to the same true residual, Jacobi over Gauss-Seidel",
        "Gauss-Seidel about 100 fewer", when(least, least > 1.0), "",
        "%.1f, %.1f, %.1f, %.1f times as many", roll[0], roll[1], roll[2], roll[3]);
    add(h, "rollbacks, Jacobi over Gauss-Seidel", "60 to 100 times as many",
        when(undone[0], fmin(fmin(undone[0], undone[1]), fmin(undone[2], undone[3])) >= 60.0),
        "local strategy; the same scenes", "%s, %s, %s, %s times", short_number(text[0], undone[0]),
        short_number(text[1], undone[1]), short_number(text[2], undone[2]),
        short_number(text[3], undone[3]));
    add(h, "the blocked strategy does not converge", "6 to 66 % of steps",
        isnan(roll[0])  ? UNMEASURED
        : worst >= 0.95 ? REFUTED
                        : SHORT,
        "in the publication the damping is computed and never applied; with it the strategy works",
        "at least %.0f %% converge", 100.0 * worst);
    double rise = paper_figure(h, "jacks, rise of the kinetic energy after settling");
    add(h, "kinetic energy after settling", "decays", when(rise, rise <= 0.01),
        "falling jacks; settled: below a hundredth of the maximum", "rises by %.2g of the maximum",
        rise);
    const json_t* large = largest(h, "pgs", "rows");
    add(h, "large scenes: microseconds per contact and sweep", "4.1 to 4.7",
        when(report_number(large, "rows"), 3e-3 * report_number(large, "ns_per_row_visit") < 4.1),
        "published on about 667,000 contacts", "%.3f on %.0f contacts, by pgs",
        3e-3 * report_number(large, "ns_per_row_visit"), report_number(large, "contacts"));
    add(h, "microseconds per contact and sweep", "4.1 to 4.7", when(roll[0], most_us < 4.1),
        "another machine: a 2.7 GHz Xeon E5", "%.3f at most", most_us);
}

// ---------------------------------------------------------------- AGEIA 2004

static void ageia_2004(headlines* h)
{
    const json_t* wall = row_where(h, "pgs", "scene", "wall32", NULL, 0);
    const json_t* pile = row_where(h, "pgs", "scene", "pile", NULL, 0);
    const json_t* ode = NULL;
    char text[number_size];
    const json_t* rows = report_rows(h->report, "peers");
    h->paper = "AGEIA 2004, projected Gauss-Seidel (patent)";
    double r = ratio(wall, "row_visits", "filtered_row_visits");
    add(h, "filtering saves row visits, 32 x 32 wall", "up to 5 times", when(r, r >= 3.0),
        "at a price: the residual is larger too", "%.1f times fewer, residual %.1f times", r,
        ratio(wall, "filtered_residual", "residual"));
    double ms = report_number(pile, "ms");
    add(h, "888 bodies, some 5,170 contacts within a frame of 16.7 ms", "real time",
        when(ms, ms <= 16.7), "to 0.01 m/s, from a cold start", "%.1f ms", ms);
    ms = report_number(wall, "ms");
    double residual = report_number(wall, "residual"), aim = report_number(wall, "threshold");
    add(h, "a wall of 32 x 32 bricks is solved", "about 15,000 rows",
        when(ms, report_number(wall, "rows") >= 15000.0 && residual <= aim),
        "ours has more contacts; no time was published",
        "%.0f rows to %.2g m/s in %.1f ms, warm %.1f ms", report_number(wall, "rows"), residual, ms,
        report_number(wall, "warm_ms"));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (report_is(row, "scene", "wall10") && report_is(row, "peer", "ode") &&
            strncmp(report_string(row, "settings"), "world step", 10) == 0)
            ode = row;
    }
    r = paper_figure(h, "32 x 32 wall, rows of 24 numbers") /
        paper_figure(h, "32 x 32 wall, rows of 12 numbers");
    add(h, "one stored matrix instead of two", "half the memory", when(r, r >= 0.9),
        "12 numbers per row instead of 24, and no slower; no time was published",
        "%.2f times as fast in the plain loop", r);
    double dantzig = paper_figure(h, "10 x 10 wall, dantzig"),
           pgs = paper_figure(h, "10 x 10 wall, pgs");
    add(h, "pivoting on a 10 x 10 wall, per frame", "seconds to tens of seconds",
        when(dantzig, dantzig > 10.0 * pgs), "on the hardware of that time; compare the ratio",
        "ours %.0f ms and %.0f times its sweeps; ODE's world step in ms: %s", dantzig,
        dantzig / pgs,
        isfinite(report_number(ode, "ms_step_mean"))
            ? short_number(text, report_number(ode, "ms_step_mean"))
            : "no answer in the time");
}

// ---------------------------------------------------------------- Baraff 1996

static double tree_time(const headlines* h, const char* shape)
{
    const json_t* row = row_where(h, "tree", "shape", shape, NULL, 0);
    return report_number(row, "factor_us") + report_number(row, "solve_us");
}

static void baraff_1996(headlines* h)
{
    double x[16], y[16];
    int count = 0;
    const json_t* rows = report_rows(h->report, "tree");
    const json_t* big = row_where(h, "tree", "shape", "space-127-binary", NULL, 0);
    const json_t* touching = row_where(h, "tree", "shape", "space-32-contacts", NULL, 0);
    h->paper = "Baraff 1996, linear-time elimination";
    double r = report_number(big, "dense_us") / tree_time(h, "space-127-binary");
    add(h, "127 ball joints, 381 multipliers: faster than dense elimination", "about 40 times",
        when(r, r >= 40.0), "", "%.0f times", r);
    r = report_number(touching, "dense_us") / tree_time(h, "space-32-contacts");
    add(h, "96 rows and 3 contacts: faster than dense elimination", "2 times", when(r, r >= 2.0),
        "", "%.1f times", r);
    r = tree_time(h, "plane-48-loops") / tree_time(h, "plane-54");
    add(h, "12 auxiliary rows instead of 12 others: longer by", "3.2 times", when(r, r <= 3.2), "",
        "%.1f times", r);
    r = ratio(big, "factor_us", "solve_us");
    add(h, "factor over solve", "4", when(r, r <= 4.0), "a smaller ratio means a cheaper factor",
        "%.1f", r);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (report_is(row, "shape", "binary") && count < 16) {
            x[count] = report_number(row, "multipliers");
            y[count++] = report_number(row, "factor_us") + report_number(row, "solve_us");
        }
    }
    r = count > 1 ? report_slope(x, y, count) : NAN;
    add(h, "growth with the number of joints", "linear", when(r, r < 1.1), "binary trees",
        "exponent %.2f", r);
}

json_t* report_headlines(const json_t* report)
{
    headlines h = {.report = report, .list = json_array()};
    baraff_1994(&h);
    lloyd_2004(&h);
    erleben_2017(&h);
    ageia_2004(&h);
    baraff_1996(&h);
    return h.list;
}
