// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading the object of a report.

#include "report.h"
#include <math.h>
#include <string.h>

json_t* report_rows(const json_t* report, const char* suite)
{
    json_t* list = json_object_get(report, "suites");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t* s = json_array_get(list, i);
        if (report_is(s, "suite", suite))
            return json_object_get(s, "rows");
    }
    return NULL;
}

double report_number(const json_t* row, const char* key)
{
    const json_t* value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char* report_string(const json_t* row, const char* key)
{
    const char* text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

bool report_is(const json_t* row, const char* key, const char* value)
{
    return strcmp(report_string(row, key), value) == 0;
}

// an empty name stands for a report from before commits were recorded
static const char* other_commit(const json_t* of, const char* commit)
{
    const char* own = report_string(of, "commit");
    if (!*own)
        own = "unknown";
    return strcmp(own, commit) == 0 && strcmp(own, "unknown") != 0 ? NULL : own;
}

const char* report_stale(const json_t* report)
{
    return other_commit(report, report_string(report, "program_commit"));
}

const char* report_stale_suite(const json_t* report, const json_t* suite)
{
    const char* own = report_string(suite, "commit");
    return *own ? other_commit(suite, report_string(report, "commit")) : NULL;
}

double report_slope(const double* x, const double* y, int count)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < count; i++) {
        double u = log(x[i]), v = log(y[i]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

const char* report_format(char* text, size_t size, double x)
{
    if (!isfinite(x))
        snprintf(text, size, "–");
    else if (x != 0.0 && (fabs(x) < 1e-3 || fabs(x) >= 1e6))
        snprintf(text, size, "%.1e", x);
    else if (fabs(x) >= 100.0)
        snprintf(text, size, "%.0f", x);
    else
        snprintf(text, size, "%.3g", x);
    return text;
}
