// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn bench SUITE: starts the program cairn-bench, which is built beside this one and installed
// in libexec/cairn, so that the benchmarks' peers are no part of the cairn program.

#include "verb.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// the options are those of cairn-bench: listed here for the manual, handed on as they are
static const verb_option own[] = {
    {"quick", NULL, "Run a short version", VERB_FLAG, 0, 0, 0, NULL},
    {"problems", "DIR", "Folder of FCLib files to use as test problems", VERB_TEXT, 0, 0, 0, NULL},
    {"only", "NAME",
     "Run only the cases or scenes whose name contains NAME (engine, exact, peers, "
     "prox, quality), or one suite (all)",
     VERB_TEXT, 0, 0, 0, NULL},
    {"html", "FILE", "With `all`: write a page of plots", VERB_TEXT, 0, 0, 0, NULL},
    {"markdown", "DIR",
     "With `all`: write results.md and its plots, and update the tables of the other "
     "pages in DIR",
     VERB_TEXT, 0, 0, 0, NULL},
    {"from", "FILE",
     "With `all`: reuse the --json output of an earlier run and rerun only what "
     "--only names",
     VERB_TEXT, 0, 0, 0, NULL},
    {"force", NULL, "Overwrite an existing page", VERB_FLAG, 0, 0, 0, NULL},
    {"seconds", "N",
     "Start no case after N seconds and list those that were skipped; `all` divides "
     "the time among its suites (1900; 95 with --quick)",
     VERB_TEXT, 0, 0, 0, NULL},
    {0}};
static const char doc[] =
    "Run a benchmark suite; without a name, list the suites. The suite `all` runs "
    "everything in the report: the papers' figures and the peer engines. The exit "
    "status is 0 if every bound is met, else 1.\v"
    "Example:\n  cairn bench problem --quick --json\n  cairn bench all --quick --html report.html";

static bool find_program(char* path, size_t size)
{
    char folder[PATH_MAX];
    if (!verb_own_folder(folder, sizeof folder))
        return false;
    const char* const places[] = {"cairn-bench", "../libexec/cairn/cairn-bench"};
    for (int i = 0; i < 2; i++) {
        int length = snprintf(path, size, "%s/%s", folder, places[i]);
        if (length > 0 && (size_t)length < size && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static void silence(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

static int hand_over(const verb* v, int argc, char** argv)
{
    // cairn answers --help itself and keeps --quiet back; cairn-bench gets the rest
    bool quiet = false, json = false;
    int kept = 0;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            verb_manual(v);
            return exit_done;
        }
        json = json || strcmp(argv[i], "--json") == 0;
        if (strcmp(argv[i], "--quiet") == 0)
            quiet = true;
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;

    char path[2 * PATH_MAX];
    cairn_error error;
    if (!find_program(path, sizeof path)) {
        cairn_fail(&error, CAIRN_FAULT,
                   "the program cairn-bench is neither beside cairn nor in ../libexec/cairn; "
                   "`make build` builds it");
        return verb_fail(v, CAIRN_FAULT, &error);
    }

    // a quiet benchmark still prints its JSON
    if (quiet && !json)
        silence();

    // execv returns only when it fails
    execv(path, argv);
    cairn_fail(&error, CAIRN_FAULT, "%s: %s", path, strerror(errno));
    return verb_fail(v, CAIRN_FAULT, &error);
}

const verb verb_bench = {
    .name = "bench",
    .summary = "run a suite of benchmarks",
    .arguments = "[SUITE]",
    .doc = doc,
    .options = own,
    .hand_over = hand_over,
};
