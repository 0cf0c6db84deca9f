// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which values a case has, and what is measured of it. A sample is a number u in [0, 1) for each
// parameter p and case i:
//
//     random:  u = hash(seed, p, i)
//     latin:   u = (π_p(i) + hash(seed, p, i)) / N     each of N equal slices holds one sample
//
// with π_p a permutation of the N cases. Evaluated by index, so no case depends on another one: π_p
// is a Feistel network over the next power of four, walked until it falls below N (four times on
// average at most, because the domain is at most four times as large).

#include "expression.h"
#include "study.h"
#include <cairn/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash(uint64_t seed, uint64_t parameter, uint64_t number)
{
    cairn_random r = {seed};
    r.state = cairn_random_bits(&r) ^ (parameter * 0x9e3779b97f4a7c15u);
    r.state = cairn_random_bits(&r) ^ (number * 0xd1b54a32d192ed03u);
    return cairn_random_bits(&r);
}

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

// where a permutation of 0 to n - 1 takes i
static uint32_t permute(uint64_t seed, int parameter, uint32_t i, uint32_t n)
{
    enum { rounds = 4 };
    int half = 1;
    while (((uint64_t)1 << (2 * half)) < n)
        half++;

    // a Feistel network over 2 · half bits
    const uint32_t mask = ((uint32_t)1 << half) - 1;
    do {
        // a bijection of the larger domain: it returns below n at the latest after one cycle
        uint32_t left = i >> half, right = i & mask;
        for (uint64_t k = 0; k < rounds; k++) {
            uint32_t turned = (uint32_t)hash(seed ^ (k << 56), (uint64_t)parameter, right) & mask;
            uint32_t next = left ^ turned;
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);

    return i;
}

// u of a sampled parameter
static double draw(const study* s, int parameter, int number)
{
    double u = unit(hash(s->seed, (uint64_t)parameter, (uint64_t)number));
    if (s->sampling == STUDY_RANDOM)
        return u;
    uint32_t slice = permute(s->seed + 1, parameter, (uint32_t)number, (uint32_t)s->cases);
    return fmin((slice + u) / s->cases, 1.0 - 0x1p-53);
}

// from + u (to - from), or by equal factors
static json_t* at(const study_parameter* p, double u)
{
    double x = p->log ? p->from * pow(p->to / p->from, u) : p->from + u * (p->to - p->from);
    bool whole = p->from == floor(p->from) && x == floor(x) && fabs(x) < 1e15 && p->option;
    return whole ? json_integer((json_int_t)x) : json_real(x);
}

json_t* study_value(const study* s, int parameter, int number)
{
    const study_parameter* p = &s->parameters[parameter];

    // a random or Latin sample is a number from 0 to 1, mapped to the list or the range
    if (parameter == s->bisection.parameter)
        return json_null(); // each run of the case has another one
    if (s->sampling != STUDY_GRID) {
        double u = draw(s, parameter, number);
        return p->values ? json_incref(json_array_get(
                               p->values, (size_t)(u * (double)json_array_size(p->values))))
                         : at(p, u);
    }

    // the last parameter of a grid changes fastest
    int index = number;
    for (int k = s->parameter_count - 1; k > parameter; k--)
        if (k != s->bisection.parameter)
            index /= s->parameters[k].values ? (int)json_array_size(s->parameters[k].values)
                                             : s->parameters[k].count;

    int count = p->values ? (int)json_array_size(p->values) : p->count;
    index %= count;
    if (p->values)
        return json_incref(json_array_get(p->values, (size_t)index));

    // the ends of a range are met exactly
    if (count == 1 || index == 0)
        return at(p, 0.0);
    return index == count - 1 ? at(p, 1.0) : at(p, (double)index / (count - 1));
}

// ---------------------------------------------------------------- metrics

// a number of the result of a run: members and elements, parted by dots
static bool find(const json_t* at, const char* name, size_t length, double* value)
{
    const char* end = name + length;
    while (at && name < end) {
        const char* dot = memchr(name, '.', (size_t)(end - name));
        size_t part = (size_t)((dot ? dot : end) - name);
        char key[256];
        if (part >= sizeof key)
            return false;

        memcpy(key, name, part);
        key[part] = 0;
        at = json_is_array(at) ? json_array_get(at, (size_t)strtoul(key, NULL, 10))
                               : json_object_get(at, key);
        name += part + (dot != NULL);
    }

    *value = json_is_boolean(at) ? json_is_true(at) : json_number_value(at);
    if (json_is_null(at))
        *value = NAN;
    return json_is_boolean(at) || json_is_number(at) || json_is_null(at);
}

static bool same(const char* text, const char* name, size_t length)
{
    return strlen(text) == length && strncmp(text, name, length) == 0;
}

static bool look_up(void* context, const char* name, size_t length, double* value)
{
    const study_result* result = context;
    const study* s = result->of;
    for (int k = 0; k < s->parameter_count; k++)
        if (same(s->parameters[k].name, name, length)) {
            *value = result->parameters[k];
            return true;
        }
    for (int k = 0; k < result->known; k++)
        if (same(s->metrics[k].name, name, length)) {
            *value = result->metrics[k];
            return true;
        }
    return find(result->run, name, length, value);
}

cairn_status study_measure(study_result* result, bool* holds, cairn_error* error)
{
    const study* s = result->of;
    for (result->known = 0; result->known < s->metric_count; result->known++) {
        cairn_status status = expression_evaluate(s->metrics[result->known].expression, look_up,
                                                  result, &result->metrics[result->known], error);
        if (status != CAIRN_OK)
            return status;
    }
    double value = 0.0;
    cairn_status status = CAIRN_OK;
    if (s->bisection.parameter >= 0)
        status = expression_evaluate(s->bisection.when, look_up, result, &value, error);
    *holds = value != 0.0;
    return status;
}

// ---------------------------------------------------------------- what runs are to show

typedef struct watcher {
    void (*visit)(void* context, const char* name, size_t length);
    void* context;
} watcher;

static bool watch(void* context, const char* name, size_t length, double* value)
{
    const watcher* w = context;
    const char prefix[] = "watch.";
    size_t before = sizeof prefix - 1;
    *value = 1.0;
    if (length <= before || strncmp(name, prefix, before) != 0)
        return true;

    const char* dot = memchr(name + before, '.', length - before);
    if (dot)
        w->visit(w->context, name + before, (size_t)(dot - name) - before);
    return true;
}

void study_watched(const study* s, void (*visit)(void* context, const char* name, size_t length),
                   void* context)
{
    watcher w = {visit, context};
    double value;
    for (int k = 0; k < s->metric_count; k++)
        expression_evaluate(s->metrics[k].expression, watch, &w, &value, NULL);
    if (s->bisection.parameter >= 0)
        expression_evaluate(s->bisection.when, watch, &w, &value, NULL);
}
