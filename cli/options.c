// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The options of all verbs, from their tables, and errors of usage in one sentence. argp parses;
// its own messages (two lines, its own exit status) are switched off and given here instead.

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
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    verb_print_on(stderr, "cairn %s: %s", state->argv[0], text);
    exit(exit_bad);
}

// ---------------------------------------------------------------- values

int verb_integer(const struct argp_state* state, const char* option, const char* text, int least,
                 int most)
{
    char* end;
    errno = 0;
    long x = strtol(text, &end, 10);
    most = most > 0 ? most : INT_MAX;
    if (end == text || *end || errno || x < least || x > most)
        verb_usage(state, "%s is '%s', expected a whole number from %d to %d", option, text, least,
                   most);
    return (int)x;
}

static uint64_t take_seed(const struct argp_state* state, const char* option, const char* text)
{
    char* end;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-'))
        verb_usage(state, "%s is '%s', expected a whole number >= 0", option, text);
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

static double bounded_real(const struct argp_state* state, const char* option, const char* text,
                           bool positive)
{
    double x = verb_real(state, option, text);
    if (positive ? !(x > 0.0) : !(x >= 0.0))
        verb_usage(state, "%s is '%s', expected a number %s 0", option, text,
                   positive ? ">" : ">=");
    return x;
}

static const char* method(const struct argp_state* state, const char* text, bool plain)
{
    cairn_guess guess;
    char hint[80];
    if (plain ? verb_is_lcp_method(text, &guess) : verb_is_method(text, &guess))
        return text;
    verb_usage(state, "'%s' is not a method%s%s", text, plain ? " for plain LCPs" : "",
               guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                          : "; `cairn methods` lists them");
}

// puts the value of an option where its table says
static void take(const verb_option* o, verb_common* options, char* arg, struct argp_state* state)
{
    void* to = (char*)options + o->at;
    char name[64];
    snprintf(name, sizeof name, "--%s", o->name);

    switch (o->kind) {
    case VERB_FLAG:
        *(bool*)to = true;
        break;
    case VERB_TEXT:
    case VERB_OUTPUT:
        *(const char**)to = arg;
        break;
    case VERB_INTEGER:
        *(int*)to = verb_integer(state, name, arg, o->least, o->most);
        break;
    case VERB_SEED:
        *(uint64_t*)to = take_seed(state, name, arg);
        break;
    case VERB_REAL:
        *(double*)to = verb_real(state, name, arg);
        break;
    case VERB_AT_LEAST_0:
    case VERB_POSITIVE:
        *(double*)to = bounded_real(state, name, arg, o->kind == VERB_POSITIVE);
        break;
    case VERB_METHOD:
    case VERB_LCP_METHOD:
        *(const char**)to = method(state, arg, o->kind == VERB_LCP_METHOD);
        break;
    case VERB_OWN:
        o->take(options, arg, state);
        break;
    }
}

// ---------------------------------------------------------------- shared options

#define COMMON(field) offsetof(verb_common, field)

const verb_option verb_limits[] = {
    {"tolerance", "X", "Relative residual at which a solve counts as converged", VERB_AT_LEAST_0,
     COMMON(def.tolerance), 0, 0, NULL},
    {"max-iterations", "N", "Maximum number of sweeps, pivots or Newton steps", VERB_INTEGER,
     COMMON(def.max_iterations), 0, 0, NULL},
    {"time-limit", "SECONDS", "Time limit (0: none)", VERB_AT_LEAST_0, COMMON(def.time_limit), 0, 0,
     NULL},
    {0}};

void verb_set_option(cairn_solve_def* def, const char* text, struct argp_state* state)
{
    char name[64];
    cairn_error error;
    const char* value = strchr(text, '=');
    snprintf(name, sizeof name, "%.*s", value ? (int)(value - text) : 0, text);
    if (!value)
        verb_usage(state, "--option is '%s', expected NAME=VALUE", text);
    if (cairn_solve_def_set(def, name, value + 1, &error) != CAIRN_OK)
        verb_usage(state, "%s", error.text);
}

static void take_option(verb_common* options, const char* text, struct argp_state* state)
{
    verb_set_option(&options->def, text, state);
}

const verb_option verb_tuning[] = {
    {"facets", "N", "Facets of the friction pyramid, for methods that linearize the cone (8)",
     VERB_INTEGER, COMMON(def.facets), 3, 0, NULL},
    {"warm-start", NULL, "Start from the initial guess stored in the file", VERB_FLAG,
     COMMON(def.warm_start), 0, 0, NULL},
    {"threads", "N", "Number of threads; never changes the result (1)", VERB_INTEGER,
     COMMON(def.threads), 1, 0, NULL},
    {"seed", "N", "Seed for methods that use random numbers (1)", VERB_SEED, COMMON(def.seed), 0, 0,
     NULL},
    {"option", "NAME=VALUE", "Option of the solver, see `cairn methods`; repeat for more", VERB_OWN,
     0, 0, 0, take_option},
    {0}};

const verb_option verb_robots[] = {
    {"packages", "FOLDER",
     "Robots: where to look for package://NAME/... (default: the parent folders)", VERB_TEXT,
     COMMON(robot.packages), 0, 0, NULL},
    {"keyframe", "NAME", "MJCF robots: the keyframe to start from, by name or number", VERB_TEXT,
     COMMON(robot.keyframe), 0, 0, NULL},
    {"strict", NULL, "Robots: refuse unsupported elements instead of skipping them", VERB_FLAG,
     COMMON(robot.strict), 0, 0, NULL},
    {"fix-base", NULL, "URDF robots: fix the root link to the world", VERB_FLAG,
     COMMON(robot.fix_base), 0, 0, NULL},
    {"no-floor", NULL, "URDF robots: add no floor under a free root link", VERB_FLAG,
     COMMON(robot.no_floor), 0, 0, NULL},
    {"no-meshes", NULL, "Robots: read no mesh files; shapes that need one are left out", VERB_FLAG,
     COMMON(robot.no_meshes), 0, 0, NULL},
    {"hold-frames", NULL,
     "URDF robots: hold the joints of last links that have neither mass nor shape, instead of "
     "rejecting them",
     VERB_FLAG, COMMON(robot.hold_frames), 0, 0, NULL},
    {0}};

static const verb_option force[] = {
    {"force", NULL, "Overwrite existing files", VERB_FLAG, COMMON(force), 0, 0, NULL}, {0}};

static const verb_option common[] = {
    {"json", NULL, "Print one JSON object and nothing else", VERB_FLAG, COMMON(json), 0, 0, NULL},
    {"quiet", NULL, "Print only errors (and the JSON object of --json)", VERB_FLAG, COMMON(quiet),
     0, 0, NULL},
    {0}};

// ---------------------------------------------------------------- what went wrong

static const struct argp_option* find_option(const struct argp* argp, const char* name,
                                             size_t length)
{
    for (const struct argp_option* o = argp->options; o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static void refuse_option(const struct argp_state* state, const char* culprit, size_t length)
{
    char word[64], hint[80], name[64] = "";
    cairn_guess guess = {.word = word};
    snprintf(word, sizeof word, "%.*s", length > 2 ? (int)length - 2 : 0, culprit + 2);
    if (strncmp(culprit, "--", 2) == 0)
        for (const struct argp_option* o = state->root_argp->options; o->name; o++)
            cairn_guess_offer(&guess, o->name);
    if (guess.best) {
        snprintf(name, sizeof name, "--%s", guess.best);
        guess.best = name;
        cairn_guess_hint(&guess, hint, sizeof hint);
    } else {
        snprintf(hint, sizeof hint, "; `cairn help %s` lists them", state->argv[0]);
    }
    verb_usage(state, "'%s' is not an option%s", culprit, hint);
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
    refuse_option(state, culprit, length);
}

// ---------------------------------------------------------------- a verb

enum { key_first = 0x200, key_help = 'h' };

// what argp hands to the parser
typedef struct parsing {
    const verb_argp* all;
    verb_common* options;
} parsing;

static error_t parse(int key, char* arg, struct argp_state* state)
{
    const parsing* p = state->input;
    verb_common* options = p->options;
    const verb* v = options->verb;

    // an option of the verb's own table
    if (key >= key_first && key < key_first + verb_most_options) {
        take(p->all->from[key - key_first], options, arg, state);
        return 0;
    }

    // the keys of argp itself
    switch (key) {
    case key_help:
        print_manual(state->root_argp, state->argv[0]);
        exit(exit_done);
    case ARGP_KEY_ARGS:
        options->arguments = state->argv + state->next;
        options->argument_count = state->argc - state->next;
        if (options->argument_count > v->most)
            verb_usage(state, "'%s' is one argument too many", options->arguments[v->most]);
        return 0;

    // arguments are counted last, when the options have been read
    case ARGP_KEY_END:
        if (options->argument_count < v->least)
            verb_usage(state, "%s %s given, expected %s", options->argument_count ? "one" : "no",
                       v->noun, v->expected);
        return 0;
    case ARGP_KEY_ERROR:
        explain(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void add_options(verb_argp* out, int* count, const verb_option* from, int group)
{
    for (const verb_option* o = from; o && o->name && *count < verb_most_options; o++) {
        out->from[*count] = o;
        out->own[*count] = (struct argp_option){.name = o->name,
                                                .key = key_first + *count,
                                                .arg = o->value,
                                                .doc = o->doc,
                                                .group = group};
        (*count)++;
    }
}

static bool writes_files(const verb* v)
{
    for (const verb_option* o = v->options; o && o->name; o++)
        if (o->kind == VERB_OUTPUT)
            return true;
    return false;
}

void verb_describe(verb_argp* out, const verb* v)
{
    int count = 0;
    *out = (verb_argp){
        .argp = {.options = out->own, .parser = parse, .args_doc = v->arguments, .doc = v->doc}};

    add_options(out, &count, v->options, 0);

    // groups of options that only some verbs have
    if (writes_files(v))
        add_options(out, &count, force, 0);
    if (v->limits)
        add_options(out, &count, verb_limits, 0);
    if (v->tuning)
        add_options(out, &count, verb_tuning, 0);
    if (v->robots)
        add_options(out, &count, verb_robots, 0);

    add_options(out, &count, common, -1);
    out->own[count] = (struct argp_option){
        .name = "help", .key = key_help, .doc = "Print this text", .group = -1};
}

void verb_parse(const verb* v, int argc, char** argv, verb_common* options)
{
    verb_argp all;
    parsing p = {&all, options};
    verb_describe(&all, v);
    error_t wrong = argp_parse(&all.argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &p);

    // all other errors were reported while the options were read
    if (wrong == ENOMEM) {
        cairn_error error;
        cairn_fail(&error, CAIRN_NO_MEMORY, "no memory for the options");
        exit(verb_fail(v, CAIRN_NO_MEMORY, &error));
    }
    if (wrong != 0)
        exit(exit_bad);
}

void verb_manual(const verb* v)
{
    verb_argp all;
    verb_describe(&all, v);
    print_manual(&all.argp, v->name);
}
