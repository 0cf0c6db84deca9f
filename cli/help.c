// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn help [VERB]: the list of verbs, or the manual of one.

#include "manual.h"
#include <string.h>

typedef struct options {
    verb_common common;
    const char* completion; ///< "bash" or "zsh"
    bool man;
} options;

enum { key_man = 0x200, key_completion };

static error_t take(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_man:
        o->man = true;
        return 0;
    case key_completion:
        if (strcmp(arg, "bash") != 0 && strcmp(arg, "zsh") != 0)
            verb_usage(state, "--completion is '%s', expected bash or zsh", arg);
        o->completion = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option own[] = {
    {"man", key_man, NULL, 0, "Print the manual page cairn(1)", 0},
    {"completion", key_completion, "SHELL", 0, "Print the completion for bash or zsh", 0},
    {0}};
static const char doc[] = "Print the list of verbs, or all options of one.\v"
                          "Example:\n  cairn help solve\n  cairn help --man | man -l -";

static void print_json(void)
{
    json_t* list = json_array();
    for (int i = 0; verb_at(i); i++) {
        json_t* item = json_object();
        verb_set_string(item, "verb", verb_at(i)->name);
        verb_set_string(item, "summary", verb_at(i)->summary);
        json_array_append_new(list, item);
    }
    json_t* out = json_object();
    verb_set_string(out, "version", cairn_version());
    json_object_set_new(out, "verbs", list);
    verb_print_json(out);
}

static void print_list(void)
{
    printf("Usage: cairn VERB [OPTIONS]\n\n");
    for (int i = 0; verb_at(i); i++)
        printf("  cairn %-10s %s\n", verb_at(i)->name, verb_at(i)->summary);
    printf("  cairn %-10s %s\n", "--version", "print the version");
    printf("\nEvery verb takes --json, --quiet and --help; `cairn help VERB` tells the rest.\n"
           "Exit status: 0 done and within tolerance, 1 a solve missed its tolerance,\n"
           "2 bad usage or bad input, 3 a fault of the program.\n");
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {0};
    verb_parse(v, argc, argv, &o.common);
    const char* name = o.common.argument_count > 0 ? o.common.arguments[0] : NULL;
    const verb* asked = name ? verb_find(name) : NULL;
    if (name && !asked) {
        cairn_error error;
        cairn_fail(&error, CAIRN_BAD_INPUT, "'%s' is not a verb; `cairn help` lists them", name);
        return verb_fail(v, CAIRN_BAD_INPUT, &error);
    }
    if (o.man)
        manual_page(stdout);
    else if (o.completion && strcmp(o.completion, "bash") == 0)
        manual_bash(stdout);
    else if (o.completion)
        manual_zsh(stdout);
    else if (o.common.json)
        print_json();
    else if (asked && !o.common.quiet)
        verb_manual(asked);
    else if (!o.common.quiet)
        print_list();
    return exit_done;
}

const verb verb_help = {
    .name = "help",
    .summary = "this list, or the manual of a verb",
    .arguments = "[VERB]",
    .most = 1,
    .doc = doc,
    .options = own,
    .take = take,
    .run = run,
};
