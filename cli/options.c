// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Options that several verbs share, and errors of usage in one sentence. argp parses; its own
// messages (two lines, its own exit status) are switched off and told here instead.

#include "verb.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { manual_flags = ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC };

static void print_manual(const struct argp* argp, const char* name)
{
    char title[64];
    snprintf(title, sizeof title, "cairn %s", name);
    argp_help(argp, stdout, manual_flags, title);
}

void verb_usage(const struct argp_state* state, const char* format, ...)
{
    va_list arguments;
    fprintf(stderr, "cairn %s: ", state->argv[0]);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(exit_bad);
}

// ---------------------------------------------------------------- numbers

int verb_integer(const struct argp_state* state, const char* option, const char* text, int least)
{
    char* end;
    errno = 0;
    long x = strtol(text, &end, 10);
    if (end == text || *end || errno || x < least || x > INT_MAX)
        verb_usage(state, "%s is '%s', expected a whole number from %d to %d", option, text, least,
                   INT_MAX);
    return (int)x;
}

uint64_t verb_seed(const struct argp_state* state, const char* text)
{
    char* end;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-'))
        verb_usage(state, "--seed is '%s', expected a whole number >= 0", text);
    return x;
}

double verb_real(const struct argp_state* state, const char* option, const char* text)
{
    char* end;
    double x = strtod(text, &end);
    if (end == text || *end || !isfinite(x))
        verb_usage(state, "%s is '%s', expected a finite number", option, text);
    return x;
}

static double at_least_zero(const struct argp_state* state, const char* option, const char* text)
{
    double x = verb_real(state, option, text);
    if (x < 0.0)
        verb_usage(state, "%s is '%s', expected a number >= 0", option, text);
    return x;
}

// ---------------------------------------------------------------- what went wrong

static const struct argp_option* find_option(const struct argp* argp, const char* name,
                                             size_t length)
{
    for (const struct argp_option* o = argp->options; o && (o->name || o->key || o->doc); o++)
        if (o->name && strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    for (const struct argp_child* child = argp->children; child && child->argp; child++) {
        const struct argp_option* o = find_option(child->argp, name, length);
        if (o)
            return o;
    }
    return NULL;
}

// the argument that argp stumbled over is the last one that it took
static void explain(const struct argp_state* state)
{
    const char* culprit = state->argv[state->next > 1 ? state->next - 1 : 1];
    const struct argp_option* option = NULL;
    size_t length = strcspn(culprit, "=");
    if (strncmp(culprit, "--", 2) == 0)
        option = find_option(state->root_argp, culprit + 2, length - 2);
    if (option && option->arg && !culprit[length])
        verb_usage(state, "%s needs a value (%s)", culprit, option->arg);
    if (option && !option->arg && culprit[length])
        verb_usage(state, "--%s takes no value", option->name);
    verb_usage(state, "'%s' is not an option; `cairn help %s` lists them", culprit, state->argv[0]);
}

// ---------------------------------------------------------------- parsers

enum {
    key_json = 0x100,
    key_quiet,
    key_help,
    key_tolerance,
    key_max_iterations,
    key_time_limit,
    key_facets,
    key_warm_start,
    key_threads,
    key_seed
};

static error_t parse_common(int key, char* arg, struct argp_state* state)
{
    verb_common* common = state->input;
    (void)arg;
    switch (key) {
    case key_json:
        common->json = true;
        return 0;
    case key_quiet:
        common->quiet = true;
        return 0;
    case key_help:
        print_manual(state->root_argp, state->argv[0]);
        exit(exit_done);
    case ARGP_KEY_ERROR:
        explain(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option common_options[] = {
    {"json", key_json, NULL, 0, "Print one JSON object and nothing else", -1},
    {"quiet", key_quiet, NULL, 0, "Print nothing but errors (and what --json asks for)", -1},
    {"help", key_help, NULL, 0, "Print this text", -1},
    {0}};

static const struct argp common_argp = {common_options, parse_common, NULL, NULL, NULL, NULL, NULL};

static error_t parse_limits(int key, char* arg, struct argp_state* state)
{
    cairn_solve_def* def = &((verb_common*)state->input)->def;
    switch (key) {
    case key_tolerance:
        def->tolerance = at_least_zero(state, "--tolerance", arg);
        return 0;
    case key_max_iterations:
        def->max_iterations = verb_integer(state, "--max-iterations", arg, 0);
        return 0;
    case key_time_limit:
        def->time_limit = at_least_zero(state, "--time-limit", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option limits_options[] = {
    {"tolerance", key_tolerance, "X", 0, "Largest relative residual that counts as solved", 0},
    {"max-iterations", key_max_iterations, "N", 0, "Limit of sweeps, pivots or Newton steps", 0},
    {"time-limit", key_time_limit, "SECONDS", 0, "Limit of time (0: none)", 0},
    {0}};

static const struct argp limits_argp = {limits_options, parse_limits, NULL, NULL, NULL, NULL, NULL};

static error_t parse_tuning(int key, char* arg, struct argp_state* state)
{
    cairn_solve_def* def = &((verb_common*)state->input)->def;
    switch (key) {
    case key_facets:
        def->facets = verb_integer(state, "--facets", arg, 3);
        return 0;
    case key_warm_start:
        def->warm_start = true;
        return 0;
    case key_threads:
        def->threads = verb_integer(state, "--threads", arg, 1);
        return 0;
    case key_seed:
        def->seed = verb_seed(state, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option tuning_options[] = {
    {"facets", key_facets, "N", 0, "Corners of the pyramid that stands for a cone (8)", 0},
    {"warm-start", key_warm_start, NULL, 0, "Start from the guess stored in the file", 0},
    {"threads", key_threads, "N", 0, "Threads; they never change the answer (1)", 0},
    {"seed", key_seed, "N", 0, "Of methods that draw random numbers (1)", 0},
    {0}};

static const struct argp tuning_argp = {tuning_options, parse_tuning, NULL, NULL, NULL, NULL, NULL};

// ---------------------------------------------------------------- a verb

// the plain arguments of a verb, and what it takes itself
static error_t parse_verb(int key, char* arg, struct argp_state* state)
{
    verb_common* common = state->input;
    const verb* v = common->verb;
    switch (key) {
    case ARGP_KEY_INIT:
        for (int k = 0; state->root_argp->children[k].argp; k++)
            state->child_inputs[k] = common;
        return 0;
    case ARGP_KEY_ARGS:
        common->arguments = state->argv + state->next;
        common->argument_count = state->argc - state->next;
        if (common->argument_count > v->most)
            verb_usage(state, "'%s' is one argument too many; `cairn help %s` shows the use",
                       common->arguments[v->most], v->name);
        return 0;
    case ARGP_KEY_END:
        if (common->argument_count < v->least)
            verb_usage(state, "%s %s given, expected %s", common->argument_count ? "one" : "no",
                       v->noun, v->expected);
        break;
    default:
        break;
    }
    return v->take ? v->take(key, arg, state) : ARGP_ERR_UNKNOWN;
}

void verb_describe(verb_argp* out, const verb* v)
{
    int count = 0;
    *out = (verb_argp){
        .argp = {
            .options = v->options, .parser = parse_verb, .args_doc = v->arguments, .doc = v->doc}};
    if (v->limits)
        out->children[count++].argp = &limits_argp;
    if (v->tuning)
        out->children[count++].argp = &tuning_argp;
    out->children[count].argp = &common_argp;
    out->argp.children = out->children;
}

void verb_parse(const verb* v, int argc, char** argv, verb_common* options)
{
    verb_argp all;
    options->verb = v;
    verb_describe(&all, v);
    if (argp_parse(&all.argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, options) != 0)
        exit(exit_bad);
}

void verb_manual(const verb* v)
{
    verb_argp all;
    verb_describe(&all, v);
    print_manual(&all.argp, v->name);
}
