// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Headlines of Baraff 1994 and Lloyd 2004: pivoting.

#include "headlines.h"
#include <math.h>

// ---------------------------------------------------------------- Baraff 1994

// what eliminations cost at every size that was measured
static void eliminations(headlines* h)
{
    static const int sizes[] = {10, 20, 50, 100, 200, 400};
    enum { count = sizeof sizes / sizeof sizes[0] };
    verdict_claim claims[count];
    double r[count], x[count], pivots[count];
    for (int k = 0; k < count; k++) {
        const json_t* row = headline_row(h, "dantzig", NULL, NULL, "n", sizes[k]);
        r[k] = headline_ratio(row, "dantzig_us", "gauss_us");
        x[k] = sizes[k];
        pivots[k] = report_number(row, "pivots");
        claims[k] = headline_less(2.0, 3.0, r[k], 1.5);
    }
    headline_add(
        h,
        "a frictionless solve in units of one Gaussian elimination, n = 10, 20, 50, 100, 200, 400",
        "2 to 3", claims, count, "", "%.2g, %.2g, %.2g, %.2g, %.2g, %.2g", r[0], r[1], r[2], r[3],
        r[4], r[5]);

    // an exponent of one is a constant number of pivots for each contact
    double slope = report_slope(x, pivots, count);
    verdict_claim linear = headline_less(1.0, 1.0, slope, 1.1);
    headline_add(h, "pivots grow with the contacts, without friction: exponent", "linear", &linear,
                 1, "", "%.2f; %.2f pivots per contact at n = 200", slope, pivots[4] / sizes[4]);
}

// campaigns of pivoting: problems, and those that pivoting alone did not solve
static void pivoting(headlines* h)
{
    const json_t* rows = report_rows(h->report, "dantzig");
    double tried = 0.0, lost = 0.0, rescued = 0.0, polished = 0.0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!json_object_get(row, "problems"))
            continue;
        tried += report_number(row, "problems");
        rescued += report_number(row, "rescued");
        polished += report_number(row, "polished");
        lost += report_number(row, "problems") - report_number(row, "solved");
    }
    verdict_claim never = headline_less(0.0, 0.0, tried > 0.0 ? lost + rescued : NAN, 1.0);

    if (headline_part(h, "dantzig"))
        never = headline_apart(never, headline_part(h, "dantzig"));

    // where none is lost, an answer that Newton's method finished still is not one of pivoting
    if (polished > 0.0 && lost + rescued == 0.0)
        never = headline_apart(never, "Newton's method finished some of the answers");
    headline_add(h, "problems on which pivoting did not end, with and without friction", "none",
                 &never, 1, "random problems, walls and heaps",
                 "%.0f unsolved and %.0f rescued of %.0f; %.0f more finished by Newton's method",
                 lost, rescued, tried, polished);
}

void headlines_baraff_1994(headlines* h)
{
    h->paper = "Baraff 1994, contact forces by pivoting";
    eliminations(h);
    double r = headline_paper_figure(h, "100 contacts without friction, exact") /
               headline_paper_figure(h, "100 contacts without friction, dantzig");
    verdict_claim general =
        headline_apart(headline_more(5.0, 10.0, r, 1.5),
                       "our own sparse cone solver, not a package for quadratic programs");
    headline_add(h, "faster than a general solver for convex problems, n = 100", "5 to 10 times",
                 &general, 1, "", "%.1f times", r);
    pivoting(h);

    // a mechanism counts when the method of the paper moved it within tolerance and it touched
    // something
    double rate = INFINITY;
    static const char* const mechanisms[] = {"jack", "double-action jack"};
    const char* obstacle = NULL;
    for (int k = 0; k < 2; k++) {
        const json_t* row = headline_paper_row(h, mechanisms[k]);
        rate = fmin(rate, row ? report_number(row, "value") : NAN);
        if (isnan(report_number(row, "value")))
            rate = NAN;
        if (row && !(report_number(row, "contacts") > 0.0))
            obstacle = "a mechanism without contacts";
        if (row && !report_is(row, "method", "dantzig"))
            obstacle = "solved by another method";
        if (row && report_number(row, "missed") > 0.0)
            obstacle = "some steps missed their tolerance";
    }
    verdict_claim interactive = headline_apart(headline_more(20.0, INFINITY, rate, 1.0), obstacle);
    headline_add(
        h, "mechanisms with joints and contacts at interactive rates", "20 to 30 Hz", &interactive,
        1,
        "whole steps by dantzig, with collision detection; the published rate is that of an R4400",
        "%.0f steps/s at least", rate);
}

// ---------------------------------------------------------------- Lloyd 2004

static double growth(const headlines* h, const char* key)
{
    return report_number(headline_row(h, "lemke", "experiment", "peg", "contacts", 32), key) /
           report_number(headline_row(h, "lemke", "experiment", "peg", "contacts", 8), key);
}

// the slope of log time over log x in the rows of an experiment from `least` on
static double exponent(const headlines* h, const char* experiment, const char* over, double least,
                       const char* key)
{
    enum { most = 16 };
    const json_t* rows = report_rows(h->report, "lemke");
    double x[most], y[most];
    int count = 0;
    for (size_t i = 0; i < json_array_size(rows) && count < most; i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "experiment", experiment) || report_number(row, over) < least)
            continue;
        x[count] = report_number(row, over);
        y[count++] = report_number(row, key);
    }
    return count > 2 ? report_slope(x, y, count) : NAN;
}

// the published variant is compared; ours stands beside it
static void lloyd_pegs(headlines* h)
{
    const json_t* row = headline_row(h, "lemke", "experiment", "peg", "contacts", 32);
    double a = headline_ratio(row, "standard_us", "published_us"),
           b = headline_ratio(row, "structural_us", "published_us");
    verdict_claim one = headline_more(87.5, 87.5, a, 2.0), other = headline_more(5.8, 5.8, b, 2.0);
    headline_add(h, "peg, 32 contacts: standard over reduced", "87.5", &one, 1, "",
                 "%.1f; over our variant %.1f", a,
                 headline_ratio(row, "standard_us", "reduced_us"));
    headline_add(h, "peg, 32 contacts: structural over reduced", "5.8", &other, 1, "",
                 "%.1f; over our variant %.1f", b,
                 headline_ratio(row, "structural_us", "reduced_us"));

    // each variant by itself: one that grows less than published says nothing about the others
    static const struct {
        const char *name, *key, *grown, *exponent;
        double growth, slope;
    } variants[] = {{"standard", "standard_us", "64.8", "about 3", 64.8, 3.0},
                    {"structural", "structural_us", "10.4", "about 2", 10.4, 2.0},
                    {"reduced", "published_us", "4.24", "about 1", 4.24, 1.0}};
    for (int k = 0; k < 3; k++) {
        char figure[96];
        double g = growth(h, variants[k].key);
        double e = exponent(h, "peg", "contacts", 8.0, variants[k].key);
        verdict_claim grown = headline_less(variants[k].growth, variants[k].growth, g, 1.5);
        verdict_claim slope = headline_less(variants[k].slope, variants[k].slope, e, 1.25);
        snprintf(figure, sizeof figure, "peg, %s: growth from 8 to 32 contacts", variants[k].name);
        headline_add(h, figure, variants[k].grown, &grown, 1, "", "%.2f", g);
        snprintf(figure, sizeof figure, "peg, %s: exponent of that growth", variants[k].name);
        headline_add(h, figure, variants[k].exponent, &slope, 1, "fitted over 8 to 32 contacts",
                     "%.2f", e);
    }
    verdict_claim pivots = headline_less(NAN, NAN, report_number(row, "published_pivots"), 1.0);
    headline_add(h, "pivots at 32 contacts: reduced, structural", headline_no_figure, &pivots, 1,
                 "", "%.0f, %.0f; our variant %.0f", report_number(row, "published_pivots"),
                 report_number(row, "structural_pivots"), report_number(row, "reduced_pivots"));
}

// m bodies on n = 8 m contacts: O(n m + m^3) allows an exponent of three
static void lloyd_columns(headlines* h)
{
    const json_t* rows = report_rows(h->report, "lemke");
    double solved = 0.0, tried = 0.0, most = 0.0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "experiment", "column"))
            continue;
        tried += report_number(row, "columns");
        solved += report_number(row, "solved");
        most = fmax(most, report_number(row, "bodies"));
    }
    double slope = exponent(h, "column", "bodies", 4.0, "ms");
    verdict_claim claims[] = {headline_less(0.0, 3.0, slope, 1.1),
                              headline_less(0.0, 0.0, tried > 0.0 ? tried - solved : NAN, 1.0)};
    if (most < 32.0 && tried > 0.0)
        claims[0].obstacle = "columns of 32 bodies were not reached";
    headline_add(
        h, "columns of m bodies on 8 m contacts: exponent of the time in m, and columns unsolved",
        "O(n m + m^3): at most 3, 0", claims, 2, "by the method `lemke`, m = 4 to 32",
        "%.2f, %.0f of %.0f", slope, tried - solved, tried);
}

void headlines_lloyd_2004(headlines* h)
{
    const json_t* rows = report_rows(h->report, "lemke");
    double failures = 0.0, problems = 0.0, least = INFINITY, most = 0.0, kernel = NAN;
    double cases = 0.0, stacks = 0.0, stack = NAN;
    h->paper = "Lloyd 2004, Lemke's method for few bodies";
    lloyd_pegs(h);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        double r = headline_ratio(row, "standard_us", "published_us");
        kernel = fmax(kernel, report_number(row, "kernel") / (6.0 * report_number(row, "bodies")));
        if (json_object_get(row, "problems")) {
            failures += report_number(row, "reduced_failures");
            problems += report_number(row, "problems");
        } else if (report_is(row, "experiment", "stack")) {
            stacks += 1.0;
            stack = fmax(stack, r);
        } else if (!report_is(row, "experiment", "peg") &&
                   !report_is(row, "experiment", "column") &&
                   report_number(row, "contacts") >= 8.0) {
            cases += 1.0;
            least = fmin(least, r);
            most = fmax(most, r);
        }
    }
    const char* part = cases < 10.0 ? "fewer than the paper's ten cases" : NULL;
    verdict_claim single[] = {
        headline_apart(headline_more(9.1, 9.1, cases > 0.0 ? least : NAN, 2.0), part),
        headline_apart(headline_more(38.0, 38.0, cases > 0.0 ? most : NAN, 2.0), part)};
    headline_add(h, "ten cases of one body, 8 to 16 contacts: standard over reduced", "9 to 38",
                 single, 2, "", "%.0f to %.0f", least, most);
    verdict_claim tall = headline_apart(headline_more(22.3, 22.3, stack, 2.0),
                                        stacks < 10.0 ? "fewer than the paper's ten stacks" : NULL);
    headline_add(h, "ten stacks of one to five blocks: standard over reduced, the largest", "22",
                 &tall, 1, "", "%.1f", stack);
    lloyd_columns(h);
    verdict_claim small = headline_less(1.0, 1.0, kernel, 1.5);
    headline_add(h, "rows of the kernel that is factored, over 6 for each body", "1 at most",
                 &small, 1, "two more for the covering vector and the driving variable",
                 "%.2f at most", kernel);
    verdict_claim wrong = headline_less(NAN, NAN, problems > 0.0 ? failures : NAN, 1.0);
    headline_add(h, "wrong answers of our reduced variant", headline_no_figure, &wrong, 1,
                 "every answer is certified", "%.0f of %.0f", failures, problems);
}
