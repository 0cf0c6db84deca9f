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

static void take_shell(verb_common* common, const char* text, struct argp_state* state)
{
    if (strcmp(text, "bash") != 0 && strcmp(text, "zsh") != 0)
        verb_usage(state, "--completion is '%s', expected bash or zsh", text);
    ((options*)common)->completion = text;
}

static const verb_option own[] = {
    {"man", NULL, "Print the manual page cairn(1)", VERB_FLAG, offsetof(options, man), 0, 0, NULL},
    {"completion", "SHELL", "Print the completion script for bash or zsh", VERB_OWN, 0, 0, 0,
     take_shell},
    {0}};
static const char doc[] = "List the commands, or show all options of one.\v"
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
    printf("Usage: cairn COMMAND [OPTIONS]\n\n");
    for (int i = 0; verb_at(i); i++)
        printf("  cairn %-10s %s\n", verb_at(i)->name, verb_at(i)->summary);
    printf("  cairn %-10s %s\n", "--version", "print the version");
    printf("\nAll commands take --json, --quiet and --help (-h); see `cairn help COMMAND`.\nExit "
           "status: 0 done and within tolerance, 1 a tolerance or a bound "
           "was missed,\n2 bad usage or bad input, 3 internal error or out of memory,\n"
           "130 interrupted (SIGINT), 143 terminated (SIGTERM).\n");
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    const options* o = (const options*)common;
    const char* name = common->argument_count > 0 ? common->arguments[0] : NULL;
    const verb* asked = name ? verb_find(name) : NULL;

    // a word that is no verb: offer the nearest
    if (name && !asked) {
        cairn_guess guess = {.word = name};
        char hint[80];
        for (int i = 0; verb_at(i); i++)
            cairn_guess_offer(&guess, verb_at(i)->name);
        return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a command%s", name,
                          guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                                     : "; `cairn help` lists them");
    }

    if (o->man)
        manual_page(stdout);
    else if (o->completion && strcmp(o->completion, "bash") == 0)
        manual_bash(stdout);
    else if (o->completion)
        manual_zsh(stdout);
    else if (common->json)
        print_json();
    else if (asked && !common->quiet)
        verb_manual(asked);
    else if (!common->quiet)
        print_list();
    return CAIRN_OK;
}

const verb verb_help = {
    .name = "help",
    .summary = "this list, or the manual of a command",
    .arguments = "[COMMAND]",
    .most = 1,
    .doc = doc,
    .options = own,
    .size = sizeof(options),
    .run = run,
};
