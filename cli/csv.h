// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One line for each step of a run. The file has its name from the beginning and grows line by line:
// however the run ends, every step up to then is there.
#ifndef CAIRN_CLI_CSV_H
#define CAIRN_CLI_CSV_H

#include <cairn/io.h>
#include <stdio.h>

typedef struct csv {
    const char* path; ///< "-": standard output
    FILE* file;
    const cairn_scene* scene;
    const char* const* watched; ///< names of bodies and joints that have columns of their own
    int watched_count;
} csv;

/// Makes the file with its head; `scene` and what is watched are set already. Does nothing without
/// a path.
cairn_status csv_open(csv* c, const char* path, bool force, cairn_error* error);
cairn_status csv_add(csv* c, const cairn_step_report* report, double ms, cairn_error* error);
cairn_status csv_close(csv* c, cairn_error* error);

#endif
