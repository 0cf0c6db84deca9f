// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The cairn program: finds the verb and runs it.

#include "verb.h"
#include <string.h>

static const verb* const verbs[] = {
    &verb_run,   &verb_scenes, &verb_solve, &verb_race,  &verb_lcp,  &verb_generate, &verb_methods,
    &verb_bench, &verb_view,   &verb_info,  &verb_check, &verb_diff, &verb_help};

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
    puts(
        "cairn: contact and friction, computed exactly, with a certificate. Try first:\n"
        "  cairn run wall --html wall.html         simulate a wall that a ball hits, as a page\n"
        "  cairn view wall --open                  the same live: drag, shoot, change the method\n"
        "  cairn run wall --record wall.h5         record it ...\n"
        "  cairn check wall.h5                     ... and certify every step of the recording\n"
        "  cairn scenes                            the scenes that are shipped\n"
        "  cairn generate wall --output wall.hdf5  make a contact problem: bricks at rest\n"
        "  cairn solve wall.hdf5                   solve it, and see how exact the answer is\n"
        "  cairn race wall.hdf5                    every method on the same problem\n"
        "  cairn help VERB                         all options of a verb; `cairn help` lists them");
    return exit_done;
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
    if (strcmp(argv[1], "--help") == 0)
        argv[1] = help;
    const verb* v = verb_find(argv[1]);
    if (!v) {
        fprintf(stderr, "cairn: '%s' is not a verb; `cairn help` lists them\n", argv[1]);
        return exit_bad;
    }
    return v->run(v, argc - 1, argv + 1);
}

int main(int argc, char** argv)
{
    int status = run(argc, argv);

    // what could not be printed was not said
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("cairn: standard output cannot be written\n", stderr);
        return exit_bad;
    }
    return status;
}
