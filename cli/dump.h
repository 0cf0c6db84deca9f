// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem of a step, kept so that it can be written as a file or solved again: of each
// island its last solve, side by side in one problem.
#ifndef CAIRN_CLI_DUMP_H
#define CAIRN_CLI_DUMP_H

#include <cairn/io.h>

/// The last solve of an island.
typedef struct dump_part {
    int slot; ///< of its first body, which tells the island
    cairn_problem problem;
    double* lambda;
} dump_part;

typedef struct dump {
    bool failed; ///< there was no memory
    int part_count;
    dump_part* parts;
    cairn_problem problem; ///< all of them, once joined
    double* lambda;
} dump;

/// Makes the next step of a scene with every body awake and keeps its problem. The scene has moved
/// on afterwards, and its world has no solve hook: the caller goes back to a snapshot.
cairn_status dump_step(dump* d, cairn_scene* scene, double dt, cairn_error* error);
void dump_free(dump* d);

#endif
