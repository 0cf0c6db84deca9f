// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem of a step, kept so that it can be written as a file or solved again. A step
// solves an island several times, and from one small step to the next islands part and join: of
// solves that share bodies the one with most constraints is kept, the last among equals. Those that
// are left share no body and stand side by side in one problem.
#ifndef CAIRN_CLI_DUMP_H
#define CAIRN_CLI_DUMP_H

#include <cairn/io.h>

/// A solve of an island.
typedef struct dump_part {
    int* slots; ///< of its bodies
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

/// The same without waking any body: the motion is that of a run.
cairn_status dump_next_step(dump* d, cairn_scene* scene, double dt, cairn_step_report* report,
                            cairn_error* error);
void dump_free(dump* d);

#endif
