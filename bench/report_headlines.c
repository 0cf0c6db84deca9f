// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Figures and verdicts for all papers: see headlines.h.

#include "headlines.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

const char headline_no_figure[] = "–";

void headline_add(headlines* h, const char* figure, const char* published,
                  const verdict_claim* claims, int count, const char* note, const char* format, ...)
{
    char measured[256], remark[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(measured, sizeof measured, format, arguments);
    va_end(arguments);

    // NaN is not shown as a number
    for (char* nan; (nan = strstr(measured, "nan"));)
        memcpy(nan, headline_no_figure, 3);

    // the first reason not to compare is told
    const char* why = NULL;
    verdict all = verdict_judge(&claims[0], &why);
    for (int k = 1; k < count; k++) {
        const char* other;
        all = verdict_join(all, verdict_judge(&claims[k], &other));
        why = why ? why : other;
    }

    snprintf(remark, sizeof remark, "%s%s%s", why ? why : "", why && *note ? "; " : "", note);
    bool missing = isnan(claims[0].measured) && !claims[0].obstacle;
    json_array_append_new(h->list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "paper", h->paper,
                                             "figure", figure, "published", published, "measured",
                                             missing ? headline_no_figure : measured, "verdict",
                                             verdict_name(all), "note", remark));
}

verdict_claim headline_less(double low, double high, double measured, double factor)
{
    return (verdict_claim){low, high, measured, factor, VERDICT_LESS_IS_BETTER, NULL};
}

verdict_claim headline_more(double low, double high, double measured, double factor)
{
    return (verdict_claim){low, high, measured, factor, VERDICT_MORE_IS_BETTER, NULL};
}

verdict_claim headline_apart(verdict_claim claim, const char* obstacle)
{
    if (!isnan(claim.measured))
        claim.obstacle = obstacle;
    return claim;
}

const json_t* headline_row(const headlines* h, const char* suite, const char* key,
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

double headline_ratio(const json_t* row, const char* over, const char* under)
{
    return report_number(row, over) / report_number(row, under);
}

const json_t* headline_paper_row(const headlines* h, const char* figure)
{
    return headline_row(h, "papers", "figure", figure, NULL, 0);
}

double headline_paper_figure(const headlines* h, const char* figure)
{
    return report_number(headline_paper_row(h, figure), "value");
}

const char* headline_unfinished(const json_t* row)
{
    static const char* const reasons[][2] = {
        {"time-limit", "the time limit was reached"},
        {"iteration-limit", "the iteration limit was reached"}};
    for (int k = 0; k < 2; k++)
        if (report_is(row, "outcome", reasons[k][0]))
            return reasons[k][1];
    return NULL;
}

const char* headline_part(const headlines* h, const char* suite)
{
    const json_t* suites = json_object_get(h->report, "suites");
    for (size_t i = 0; i < json_array_size(suites); i++) {
        const json_t* s = json_array_get(suites, i);
        if (report_is(s, "suite", suite) && json_array_size(json_object_get(s, "unreached")) > 0)
            return "not all cases were reached in the time of the suite";
    }
    return NULL;
}

json_t* report_headlines(const json_t* report)
{
    headlines h = {.report = report, .list = json_array()};
    headlines_baraff_1994(&h);
    headlines_lloyd_2004(&h);
    headlines_erleben_2017(&h);
    headlines_ageia_2004(&h);
    headlines_baraff_1996(&h);
    return h.list;
}
