// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `cairn bench all`: every suite of the report, one after the other, each in a process of its own.
#ifndef CAIRN_BENCH_ALL_H
#define CAIRN_BENCH_ALL_H

#include "suite.h"

typedef struct bench_suite {
    const char* name;
    const char* summary;
    bench_function run;
    bool has_cases; ///< with names that --only may choose
} bench_suite;

typedef struct bench_all_options {
    const char* html;     ///< --html FILE, or NULL
    const char* markdown; ///< --markdown FOLDER, or NULL
    const char* from;     ///< --from FILE: the object of an earlier run instead of running
    bool force;           ///< --force: over an existing file too
    double seconds;       ///< --seconds N: what the run may take; 0: as planned
} bench_all_options;

/// Runs the suites, writes the files, prints the object with --json, a summary without. Gives the
/// exit status.
int bench_all(const bench* options, const bench_all_options* out, const bench_suite* suites);

/// The name of the processor.
const char* bench_machine(char* name, size_t size);

#endif
