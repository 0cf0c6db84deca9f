// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The cairn program: finds the verb and runs it.

#include "ranks.h"
#include "verb.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const verb* const verbs[] = {&verb_run,  &verb_scenes,   &verb_solve,   &verb_race,
                                    &verb_lcp,  &verb_generate, &verb_methods, &verb_bench,
                                    &verb_view, &verb_info,     &verb_convert, &verb_check,
                                    &verb_diff, &verb_sweep,    &verb_help};

enum { verb_count = sizeof verbs / sizeof verbs[0] };

const verb* verb_at(int index)
{
    return index >= 0 && index < verb_count ? verbs[index] : NULL;
}

const verb* verb_find(const char* name)
{
    for (int i = 0; i < verb_count; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

static int greet(void)
{
    puts("cairn: rigid-body dynamics with contact and friction, solved to a tolerance "
         "you choose,\nwith every result checked. Try:\n"
         "  cairn run wall --html wall.html   simulate a ball hitting a wall; then open wall.html\n"
         "  cairn view wall --open            the same live in the browser: drag, shoot, tune\n"
         "  cairn scenes                      list the included scenes\n"
         "  cairn race wall                   every solver on the hardest step of a scene\n"
         "  cairn help                        all commands; `cairn help run` shows the options of "
         "one");
    return exit_done;
}

// ---------------------------------------------------------------- running a verb

// files that were asked for are refused before the work, not after it
static cairn_status judge_outputs(const verb_common* options, cairn_error* error)
{
    // the first of several ranks writes files, and may have begun
    bool writes = ranks_own() == 0;
    for (const verb_option* o = options->verb->options; writes && o && o->name; o++) {
        if (o->kind != VERB_OUTPUT)
            continue;
        const char* path = *(const char* const*)((const char*)options + o->at);
        bool to_stdout = path && strcmp(o->name, "csv") == 0 && strcmp(path, "-") == 0;
        if (path && !to_stdout && !verb_may_write(path, options->force, error))
            return CAIRN_NO_FILE;
    }
    return CAIRN_OK;
}

static int start(const verb* v, int argc, char** argv)
{
    enum {
        first_speaks = 300000
    }; // microseconds: of ranks with the same fault, the first ends them all

    // a verb such as bench has a program of its own
    if (v->hand_over)
        return v->hand_over(v, argc, argv);

    verb_common* options = calloc(1, v->size > sizeof *options ? v->size : sizeof *options);
    cairn_error error = {""};
    if (!options) {
        cairn_fail(&error, CAIRN_NO_MEMORY, "no memory for the options");
        return verb_fail(v, CAIRN_NO_MEMORY, &error);
    }

    // defaults first, then the command line
    options->verb = v;
    options->def = cairn_default_solve_def();
    if (v->prepare)
        v->prepare(options);
    verb_parse(v, argc, argv, options);

    cairn_status status = judge_outputs(options, &error);
    if (status == CAIRN_OK)
        status = v->run(options, &error);

    bool missed = options->missed;
    free(options);

    // the exit code: a signal, a fault or a missed tolerance
    if (verb_signal())
        return exit_signal + verb_signal();

    // ranks often share a fault: the others wait, so that the first reports it and ends them all
    if (status != CAIRN_OK && ranks_own() > 0)
        usleep(first_speaks);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    return missed ? exit_missed : exit_done;
}

static int refuse_verb(const char* name)
{
    cairn_guess guess = {.word = name};
    char hint[80], path[PATH_MAX];

    // `cairn wall` lacks the verb: suggest `cairn run wall`
    if (verb_shipped_scene(path, sizeof path, name)) {
        verb_print_on(stderr, "cairn: '%s' is a scene, not a command; did you mean `cairn run %s`?",
                      name, name);
        return exit_bad;
    }
    for (int i = 0; i < verb_count; i++)
        cairn_guess_offer(&guess, verbs[i]->name);
    verb_print_on(stderr, "cairn: '%s' is not a command%s", name,
                  guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                             : "; `cairn help` lists them");
    return exit_bad;
}

static int run(int argc, char** argv)
{
    if (argc < 2)
        return greet();
    if (strcmp(argv[1], "--version") == 0) {
        printf("cairn %s\n", cairn_version());
        return exit_done;
    }
    char help[] = "help";
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        argv[1] = help;
    const verb* v = verb_find(argv[1]);
    return v ? start(v, argc - 1, argv + 1) : refuse_verb(argv[1]);
}

int main(int argc, char** argv)
{
    // only the first rank prints what all ranks would
    ranks_hush();
    int status = run(argc, argv);

    // output that could not be written is an error, not a success
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("cairn: standard output cannot be written\n", stderr);
        status = exit_bad;
    }
    ranks_end(status >= exit_bad ? status : 0);
    return status;
}
