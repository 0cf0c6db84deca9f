// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Elementary functions of any number at all: what is finite and in the domain has a value in range.

#include "api.h"

static double any_real(api* a)
{
    return api_real(a, -1e3, 1e3);
}

// a value within bounds wherever the argument is a number
static void judge(api* a, double x, double y, double least, double most)
{
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!isnan(x) && !(y >= least && y <= most))
        api_broken(a, "%g gives %g", x, y);
}

static void sine(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, isinf(x) ? (double)NAN : x, cairn_sin(x), -1.0, 1.0);
}

static void cosine(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, isinf(x) ? (double)NAN : x, cairn_cos(x), -1.0, 1.0);
}

static void arc(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, x, cairn_atan(x), -1.5708, 1.5708);
}

static void direction(api* a)
{
    double x = any_real(a), y = any_real(a);
    api_begin(a);
    judge(a, x + y, cairn_atan2(y, x), -3.1416, 3.1416);
}

static void exponential(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, x, cairn_exp(x), 0.0, (double)INFINITY);
}

static void logarithm(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, x >= 0.0 ? x : (double)NAN, cairn_log(x), -(double)INFINITY, (double)INFINITY);
}

static void logarithm_of_sum(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, x >= -1.0 ? x : (double)NAN, cairn_log1p(x), -(double)INFINITY, (double)INFINITY);
}

static void length(api* a)
{
    double x = any_real(a), y = any_real(a);
    api_begin(a);
    judge(a, x + y, cairn_hypot(x, y), 0.0, (double)INFINITY);
}

static void cube_root(api* a)
{
    double x = any_real(a);
    api_begin(a);
    judge(a, x, cairn_cbrt(x), -(double)INFINITY, (double)INFINITY);
}

// clang-format off: one line for each call
const api_call api_math_calls[] = {
    {"cairn_sin", sine, 1},
    {"cairn_cos", cosine, 1},
    {"cairn_atan", arc, 1},
    {"cairn_atan2", direction, 1},
    {"cairn_exp", exponential, 1},
    {"cairn_log", logarithm, 1},
    {"cairn_log1p", logarithm_of_sum, 1},
    {"cairn_hypot", length, 1},
    {"cairn_cbrt", cube_root, 1},
    {0},
};
// clang-format on
