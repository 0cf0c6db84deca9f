// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Options of methods by name and text: one table for the command line, for scenes and for whoever
// reads options from a file of their own.

#include "math/accept.h"
#include "solve/method.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_INTEGER,
    OPTION_SEED,
    OPTION_REAL,
    OPTION_WORD,
    OPTION_METHOD
} option_kind;

typedef struct option {
    const char* name;
    option_kind kind;
    size_t at; // in cairn_solve_def
    double least, most;
    const char* const* words; // OPTION_WORD: their places are the values of an enumeration
} option;

static const char* const forms[] = {"dense",      "auxiliary", "incremental",
                                    "compressed", "reduced",   NULL};
static const char* const strategies[] = {"scalar-local", "metric",  "global",
                                         "local",        "blocked", NULL};

#define AT(field) offsetof(cairn_solve_def, field)

static const option options[] = {
    {"facets", OPTION_INTEGER, AT(facets), 3.0, 1000.0, NULL},
    {"simpler_law", OPTION_FLAG, AT(simpler_law), 0.0, 0.0, NULL},
    {"any_forces", OPTION_FLAG, AT(any_forces), 0.0, 0.0, NULL},
    {"seed", OPTION_SEED, AT(seed), 0.0, 0.0, NULL},
    {"pgs.fast", OPTION_FLAG, AT(pgs.fast), 0.0, 0.0, NULL},
    {"pgs.single", OPTION_FLAG, AT(pgs.single), 0.0, 0.0, NULL},
    {"pgs.form", OPTION_WORD, AT(pgs.form), 0.0, 0.0, forms},
    {"pgs.box", OPTION_FLAG, AT(pgs.box), 0.0, 0.0, NULL},
    {"pgs.lagged", OPTION_FLAG, AT(pgs.lagged), 0.0, 0.0, NULL},
    {"pgs.sweeps", OPTION_INTEGER, AT(pgs.sweeps), 0.0, 1e6, NULL},
    {"pgs.threshold", OPTION_REAL, AT(pgs.threshold), 0.0, 1e6, NULL},
    {"pgs.filter", OPTION_FLAG, AT(pgs.filter), 0.0, 0.0, NULL},
    {"pgs.filter_speed", OPTION_REAL, AT(pgs.filter_speed), 0.0, 1e6, NULL},
    {"pgs.verify", OPTION_FLAG, AT(pgs.verify), 0.0, 0.0, NULL},
    {"pgs.relaxation", OPTION_REAL, AT(pgs.relaxation), 1e-6, 1.999999, NULL},
    {"pgs.symmetric", OPTION_FLAG, AT(pgs.symmetric), 0.0, 0.0, NULL},
    {"prox.strategy", OPTION_WORD, AT(prox.strategy), 0.0, 0.0, strategies},
    {"prox.published", OPTION_FLAG, AT(prox.published), 0.0, 0.0, NULL},
    {"prox.nu", OPTION_REAL, AT(prox.nu), 0.0, 0.999999, NULL},
    {"prox.global_step", OPTION_REAL, AT(prox.global_step), 0.0, 1e12, NULL},
    {"prox.anderson", OPTION_FLAG, AT(prox.anderson), 0.0, 0.0, NULL},
    {"prox.anderson_depth", OPTION_INTEGER, AT(prox.anderson_depth), 1.0, 16.0, NULL},
    {"prox.fast", OPTION_FLAG, AT(prox.fast), 0.0, 0.0, NULL},
    {"prox.single", OPTION_FLAG, AT(prox.single), 0.0, 0.0, NULL},
    {"tree.auxiliary_method", OPTION_METHOD, AT(tree.auxiliary_method), 0.0, 0.0, NULL},
    {"tree.large_method", OPTION_METHOD, AT(tree.large_method), 0.0, 0.0, NULL},
    {"tree.max_auxiliary", OPTION_INTEGER, AT(tree.max_auxiliary), 0.0, 1e5, NULL},
};

enum { option_count = sizeof options / sizeof options[0] };

const char* cairn_solve_option_at(int index)
{
    return index >= 0 && index < option_count ? options[index].name : NULL;
}

static cairn_status set_flag(bool* to, const option* o, const char* value, cairn_error* error)
{
    bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
    if (!yes && !no)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s is '%.60s', expected true or false", o->name,
                          value);
    *to = yes;
    return CAIRN_OK;
}

static cairn_status set_number(void* to, const option* o, const char* value, cairn_error* error)
{
    char* end;
    double x = strtod(value, &end);
    bool whole = o->kind == OPTION_INTEGER;
    if (end == value || *end || !(x >= o->least && x <= o->most) || (whole && x != (int)x))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s is '%.60s', expected a %snumber from %g to %g", o->name, value,
                          whole ? "whole " : "", o->least, o->most);
    if (whole)
        *(int*)to = (int)x;
    else
        *(double*)to = x;
    return CAIRN_OK;
}

static cairn_status set_seed(uint64_t* to, const option* o, const char* value, cairn_error* error)
{
    char* end;
    errno = 0;
    unsigned long long x = strtoull(value, &end, 10);
    if (end == value || *end || errno || strchr(value, '-'))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s is '%.60s', expected a whole number >= 0",
                          o->name, value);
    *to = x;
    return CAIRN_OK;
}

static cairn_status set_word(int* to, const option* o, const char* value, cairn_error* error)
{
    char list[120] = "";
    for (int k = 0; o->words[k]; k++) {
        if (strcmp(o->words[k], value) == 0) {
            *to = k;
            return CAIRN_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", o->words[k]);
    }
    return cairn_fail(error, CAIRN_BAD_INPUT, "%s is '%.60s', expected one of %s", o->name, value,
                      list);
}

// the method's own name, which outlives the text
static cairn_status set_method(const char** to, const option* o, const char* value,
                               cairn_error* error)
{
    const cairn_method* method = cairn_method_find(value);
    if (!method || method->solve == cairn_method_tree || method->solve == cairn_method_auto)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s is '%.60s', expected a method that `tree` can hand its rows to",
                          o->name, value);
    *to = method->info.name;
    return CAIRN_OK;
}

cairn_status cairn_solve_def_set(cairn_solve_def* def, const char* name, const char* value,
                                 cairn_error* error)
{
    if (!def || !name || !value)
        return cairn_refuse_null(error, "the def, the name or the value of an option");

    for (int i = 0; i < option_count; i++) {
        const option* o = &options[i];
        void* to = (char*)def + o->at;
        if (strcmp(o->name, name) != 0)
            continue;

        switch (o->kind) {
        case OPTION_FLAG:
            return set_flag(to, o, value, error);
        case OPTION_SEED:
            return set_seed(to, o, value, error);
        case OPTION_WORD:
            return set_word(to, o, value, error);
        case OPTION_METHOD:
            return set_method(to, o, value, error);
        default:
            return set_number(to, o, value, error);
        }
    }

    return cairn_fail(error, CAIRN_BAD_INPUT,
                      "'%.60s' is not an option of a method; `cairn methods` lists them", name);
}
