// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Headlines of Erleben 2017 and of the patent of AGEIA 2004: sweeps.

#include "headlines.h"
#include <math.h>
#include <string.h>

static const char* short_number(char* text, double x)
{
    return report_format(text, number_size, x);
}

// ---------------------------------------------------------------- Erleben 2017

enum { prox_scenes = 5 };

static const char* const prox_names[prox_scenes] = {"tower", "wall81", "spheres", "jacks",
                                                    "glasses"};

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

// the numbers of all scenes as one text
static const char* list_numbers(char* text, size_t size, const double* x)
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < prox_scenes && length < size; k++) {
        char number[number_size];
        length += (size_t)snprintf(text + length, size - length, "%s%s", k ? ", " : "",
                                   short_number(number, x[k]));
    }
    return text;
}

static double over(const json_t* one, const json_t* other, const char* key)
{
    return report_number(one, key) / fmax(report_number(other, key), 1.0);
}

// the paper's own schemes: how often a sweep is undone
static void erleben_divergence(headlines* h)
{
    double strategies[prox_scenes], schemes[prox_scenes];
    const char* part = headline_part(h, "prox");
    verdict_claim order[prox_scenes], undone[prox_scenes];
    char text[160];
    for (int k = 0; k < prox_scenes; k++) {
        const char* scene = prox_names[k];
        strategies[k] = over(prox_row(h, scene, "gauss-seidel", "local"),
                             prox_row(h, scene, "gauss-seidel", "global"), "rollbacks");
        schemes[k] = over(prox_row(h, scene, "jacobi", "local"),
                          prox_row(h, scene, "gauss-seidel", "local"), "rollbacks");
        order[k] = headline_apart(headline_more(1.0, INFINITY, strategies[k], 1.0), part);
        undone[k] = headline_apart(headline_more(60.0, 100.0, schemes[k], 2.0), part);
    }
    headline_add(h, "divergence detected, local over global: tower, wall, spheres, jacks, glasses",
                 "local more often", order, prox_scenes,
                 "the text gives no numbers; the published schemes", "%s",
                 list_numbers(text, sizeof text, strategies));
    headline_add(h, "rollbacks, Jacobi over Gauss-Seidel, the same scenes",
                 "60 to 100 times as many", undone, prox_scenes,
                 "published schemes, local strategy", "%s",
                 list_numbers(text, sizeof text, schemes));
}

// sweeps to one certified residual, without mixing of iterates
static void erleben_sweeps(headlines* h)
{
    double extra[prox_scenes], mixed[prox_scenes];
    verdict_claim claims[prox_scenes];
    char text[160], other[160];
    for (int k = 0; k < prox_scenes; k++) {
        const json_t* gs = prox_row(h, prox_names[k], "gauss-seidel", "plain");
        const json_t* jacobi = prox_row(h, prox_names[k], "jacobi", "plain");
        extra[k] = report_number(jacobi, "sweeps_median") - report_number(gs, "sweeps_median");
        mixed[k] =
            report_number(prox_row(h, prox_names[k], "jacobi", "scalar-local"), "sweeps_median") -
            report_number(prox_row(h, prox_names[k], "gauss-seidel", "scalar-local"),
                          "sweeps_median");
        claims[k] =
            headline_apart(headline_more(100.0, 100.0, extra[k], 2.0), headline_part(h, "prox"));
        if (report_number(jacobi, "sweeps_median") >= 1000.0)
            claims[k] =
                headline_apart(claims[k], "the median solve was ended by the limit of 1000 sweeps");
    }
    headline_add(
        h,
        "sweeps that Jacobi needs more than Gauss-Seidel to a certified residual of 1e-3, median",
        "about 100", claims, prox_scenes, "plain sweeps; then those with Anderson mixing",
        "%s; mixed: %s", list_numbers(text, sizeof text, extra),
        list_numbers(other, sizeof other, mixed));
}

static void erleben_blocked(headlines* h)
{
    const json_t* jacks = prox_row(h, "jacks", "gauss-seidel", "blocked");
    double jacks_share = headline_ratio(jacks, "certified", "solves"), share[prox_scenes];
    char text[160];
    for (int k = 0; k < prox_scenes; k++)
        share[k] = 100.0 * headline_ratio(prox_row(h, prox_names[k], "gauss-seidel", "blocked"),
                                          "certified", "solves");
    verdict_claim none =
        headline_apart(headline_more(0.0, 0.0, jacks_share, 1.0), headline_part(h, "prox"));
    headline_add(h, "steps of the jacks that the blocked strategy solves", "none", &none, 1,
                 "solves with a certified residual of 1e-3, in percent; all scenes", "%.0f %%; %s",
                 100.0 * jacks_share, list_numbers(text, sizeof text, share));
}

// times of strategies that leave very different numbers of islands unsolved say little
static verdict_claim of_equal_work(verdict_claim claim, double one, double other)
{
    const double much = 1.5;
    return one > much * other || other > much * one
               ? headline_apart(claim, "one of the two leaves many more islands unsolved")
               : claim;
}

// figures 5 to 7: what a strategy does to the simulation
static void erleben_simulation(headlines* h)
{
    static const char* const strategies[] = {"global", "local", "blocked"};
    double ms[3], rise[3], unsolved[3];
    for (int k = 0; k < 3; k++) {
        const json_t* row = headline_row(h, "papers", "strategy", strategies[k], NULL, 0);
        ms[k] = report_number(row, "ms_step_mean");
        rise[k] = report_number(row, "energy_rise");
        unsolved[k] = report_number(row, "unsolved");
    }
    verdict_claim alike = headline_less(1.0, 1.0, ms[1] / ms[0], 2.0),
                  slower = headline_more(1.0, INFINITY, ms[2] / ms[0], 1.0);
    alike = of_equal_work(alike, unsolved[1], unsolved[0]);
    slower = of_equal_work(slower, unsolved[2], unsolved[0]);
    if (headline_part(h, "papers")) {
        alike = headline_apart(alike, headline_part(h, "papers"));
        slower = headline_apart(slower, headline_part(h, "papers"));
    }
    headline_add(h, "jacks, solver time of a step: local over global", "comparable", &alike, 1, "",
                 "%.2f (%.1f and %.1f ms); %.0f and %.0f islands left above 1e-3", ms[1] / ms[0],
                 ms[1], ms[0], unsolved[1], unsolved[0]);
    headline_add(h, "jacks, solver time of a step: blocked over global", "slower", &slower, 1, "",
                 "%.2f; %.0f and %.0f islands left above 1e-3", ms[2] / ms[0], unsolved[2],
                 unsolved[0]);
    verdict_claim bump = headline_less(NAN, NAN, rise[0], 1.0);
    headline_add(
        h,
        "jacks, greatest rise of the energy in a step, over the initial one: global, local, "
        "blocked",
        headline_no_figure, &bump, 1, "figure 7 shows curves without numbers", "%.2g, %.2g, %.2g",
        rise[0], rise[1], rise[2]);
}

void headlines_erleben_2017(headlines* h)
{
    h->paper = "Erleben 2017, proximal operators";
    erleben_divergence(h);
    erleben_sweeps(h);
    erleben_blocked(h);
    erleben_simulation(h);
    double most_us = NAN;
    for (int k = 0; k < prox_scenes; k++)
        most_us = fmax(most_us, report_number(prox_row(h, prox_names[k], "gauss-seidel", "local"),
                                              "us_per_contact_sweep"));
    verdict_claim speed = headline_less(NAN, NAN, most_us, 1.0);
    headline_add(h, "microseconds per contact and sweep, set-up included", headline_no_figure,
                 &speed, 1, "Gauss-Seidel with the published driver", "%.3f at most", most_us);
}

// ---------------------------------------------------------------- AGEIA 2004

void headlines_ageia_2004(headlines* h)
{
    const json_t* wall = headline_row(h, "pgs", "scene", "wall32", NULL, 0);
    const json_t* pile = headline_row(h, "pgs", "scene", "pile", NULL, 0);
    const json_t* ode = NULL;
    char text[number_size];
    const json_t* rows = report_rows(h->report, "peers");
    h->paper = "AGEIA 2004, projected Gauss-Seidel (patent)";

    // equal residuals: plain sweeps end at the residual that the filter left
    double visits = headline_ratio(wall, "equal_row_visits", "filtered_row_visits");
    double time = headline_ratio(wall, "equal_ms", "filtered_ms");
    verdict_claim filter[] = {headline_more(5.0, 5.0, visits, 1.5),
                              headline_more(5.0, 5.0, time, 1.5)};
    headline_add(
        h, "filtering at an equal residual, 32 x 32 wall: visits, time", "up to 5 times faster",
        filter, 2, "at an equal threshold the residual of the filter is larger",
        "%.2f, %.2f; at an equal threshold %.1f times fewer visits at %.1f times the residual",
        visits, time, headline_ratio(wall, "row_visits", "filtered_row_visits"),
        headline_ratio(wall, "filtered_residual", "residual"));
    double ms = fmax(report_number(pile, "ms"), report_number(pile, "filtered_ms"));
    double left = report_number(pile, "residual");
    verdict_claim frame = headline_less(0.0, 16.7, ms, 1.0);
    if (!(left <= 1.01 * report_number(pile, "threshold")))
        frame = headline_apart(frame, "the threshold was not met");
    headline_add(h, "888 bodies, some 5,170 contacts within a frame of 16.7 ms", "real time",
                 &frame, 1,
                 "from a cold start, the slower of with and without the filter, which ends at a "
                 "larger residual",
                 "%.1f ms to %.2g m/s, with the filter to %.2g", ms, left,
                 report_number(pile, "filtered_residual"));
    double residual = report_number(wall, "residual"), aim = report_number(wall, "threshold");
    verdict_claim size = headline_more(15000.0, 15000.0, report_number(wall, "rows"), 2.0);
    if (!(residual <= 1.01 * aim))
        size = headline_apart(size, "the threshold was not met");
    headline_add(h, "a wall of 32 x 32 bricks is solved: rows", "about 15,000", &size, 1,
                 "no time was published", "%.0f to %.2g m/s in %.1f ms, warm %.1f ms",
                 report_number(wall, "rows"), residual, report_number(wall, "ms"),
                 report_number(wall, "warm_ms"));
    double flops =
        report_number(headline_row(h, "pgs", "figure", "flops per row visit", NULL, 0), "value");
    verdict_claim count = headline_less(52.0, 52.0, flops, 1.1);
    headline_add(h, "floating-point operations of a row visit", "52", &count, 1,
                 "counted in the loop of the patent, comparisons of the bounds apart", "%.0f",
                 flops);
    double r = headline_paper_figure(h, "32 x 32 wall, rows of 24 numbers") /
               headline_paper_figure(h, "32 x 32 wall, rows of 12 numbers");
    verdict_claim half = headline_apart(headline_less(0.5, 0.5, r, 1.0),
                                        "12 numbers per row instead of 24 by construction");
    headline_add(h, "one stored matrix instead of two", "half the memory", &half, 1,
                 "no time was published", "%.2f times as fast in the plain loop", r);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (report_is(row, "scene", "wall10") && report_is(row, "peer", "ode") &&
            strncmp(report_string(row, "settings"), "world step", 10) == 0)
            ode = row;
    }
    const json_t *pivoted = headline_paper_row(h, "10 x 10 wall, dantzig"),
                 *swept = headline_paper_row(h, "10 x 10 wall, pgs");
    double dantzig = report_number(pivoted, "value"), equal = report_number(swept, "value");
    const char* reason = headline_unfinished(pivoted);
    verdict_claim slow = headline_apart(headline_less(1000.0, INFINITY, dantzig, 1.0),
                                        reason ? reason : "another program than ODE of 2003");
    headline_add(h, "pivoting on a 10 x 10 wall, per frame", "seconds to tens of seconds, by ODE",
                 &slow, 1, "sweeps to the same tolerance beside it",
                 "ours %s%.0f ms, sweeps %s%.0f ms; ODE's world step in ms: %s",
                 reason ? "not done in " : "", dantzig,
                 headline_unfinished(swept) ? "not done in " : "", equal,
                 isfinite(report_number(ode, "ms_step_mean"))
                     ? short_number(text, report_number(ode, "ms_step_mean"))
                     : "no answer");
}
