// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Headlines of Baraff 1996: elimination on trees.

#include "headlines.h"
#include <math.h>

static double tree_time(const headlines* h, const char* shape)
{
    const json_t* row = headline_row(h, "tree", "shape", shape, NULL, 0);
    return report_number(row, "factor_us") + report_number(row, "solve_us");
}

void headlines_baraff_1996(headlines* h)
{
    double x[16], y[16];
    int count = 0;
    const json_t* rows = report_rows(h->report, "tree");
    const json_t* big = headline_row(h, "tree", "shape", "space-127-binary", NULL, 0);
    const json_t* touching = headline_row(h, "tree", "figure", "96 rows and 3 contacts", NULL, 0);
    h->paper = "Baraff 1996, linear-time elimination";
    double r = report_number(big, "dense_us") / tree_time(h, "space-127-binary");
    verdict_claim large = headline_more(40.0, 40.0, r, 2.0);
    headline_add(h, "127 ball joints, 381 multipliers: faster than dense elimination",
                 "about 40 times", &large, 1, "", "%.0f times", r);
    r = headline_ratio(touching, "dantzig_us", "tree_us");
    verdict_claim touches = headline_more(2.0, 2.0, r, 1.5);
    headline_add(h, "96 rows and 3 contacts: faster than the method of 1994", "2 times", &touches,
                 1, "whole solves with contacts by `tree` and by `dantzig`", "%.1f times", r);
    r = tree_time(h, "plane-48-loops") / tree_time(h, "plane-54");
    double chain = tree_time(h, "plane-48-chain-loops") / tree_time(h, "plane-54-chain");
    verdict_claim loops[] = {headline_less(3.2, 3.2, r, 1.5), headline_less(3.2, 3.2, chain, 1.5)};
    headline_add(h, "12 auxiliary rows instead of 12 others: longer by, on a tree and on a chain",
                 "3.2 times", loops, 2, "the connectivity was not published", "%.1f, %.1f times", r,
                 chain);
    r = headline_ratio(big, "factor_us", "solve_us");
    verdict_claim factor = headline_less(4.0, 4.0, r, 1.5);
    headline_add(h, "factor over solve", "4", &factor, 1, "", "%.1f", r);
    const json_t* open =
        headline_row(h, "tree", "figure", "conjugate gradients, 108 rows", NULL, 0);
    const json_t* closed =
        headline_row(h, "tree", "figure", "conjugate gradients, 96 and 12 rows", NULL, 0);
    double a = headline_ratio(open, "cg_us", "tree_us"),
           b = headline_ratio(closed, "cg_us", "tree_us");
    verdict_claim gradients[] = {
        headline_apart(headline_more(3.0, 3.0, a, 2.0), "the paper names no accuracy"),
        headline_apart(headline_more(1.0, 1.0, b, 2.0), "the paper names no accuracy")};
    headline_add(h, "faster than conjugate gradients: 108 rows, 96 with 12 auxiliary ones",
                 "3, 1 times", gradients, 2, "to a relative residual of 1e-6", "%.1f, %.1f times",
                 a, b);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (report_is(row, "shape", "binary") && count < 16) {
            x[count] = report_number(row, "multipliers");
            y[count++] = report_number(row, "factor_us") + report_number(row, "solve_us");
        }
    }
    r = count > 1 ? report_slope(x, y, count) : NAN;
    verdict_claim linear = headline_less(1.0, 1.0, r, 1.1);
    headline_add(h, "growth with the number of joints: exponent", "linear", &linear, 1,
                 "binary trees", "%.2f", r);

    // k auxiliary rows on a chain: O(n k) + O(k^2)
    count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (report_is(row, "figure", "auxiliary rows on a chain") && count < 16) {
            x[count] = report_number(row, "k");
            y[count++] = report_number(row, "ms");
        }
    }
    r = count > 2 ? report_slope(x, y, count) : NAN;
    verdict_claim rows_of_chain = headline_less(1.0, 1.0, r, 1.2);
    headline_add(h, "growth with the auxiliary rows of a chain: exponent", "O(nk): 1",
                 &rows_of_chain, 1, "from 32 rows on, 4,000 links", "%.2f", r);
}
