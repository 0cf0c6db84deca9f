// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact impulses of a recording, held against those of its solves.
#ifndef CAIRN_CLI_IMPULSES_H
#define CAIRN_CLI_IMPULSES_H

#include <cairn/recording.h>

/// What the bodies of a step were given, by slot. Zeroed is empty.
typedef struct impulses {
    int capacity;
    cairn_vec3* net;    ///< N s: of the solves, less those of the contacts
    cairn_vec3* told;   ///< of the contacts
    cairn_vec3* before; ///< m/s: velocities in the last frame
    double* speed;      ///< m/s: bounds of the speed of any point in the last frame
    int* root;          ///< of the bodies that joints hold together
    int known;          ///< bodies of the last frame
    bool* moves;        ///< by island: whether any of its bodies moves
    bool* anchored;     ///< by root: whether a joint holds them to what is not dynamic
    double scale;       ///< the sum of the lengths of all impulses
    double kick;        ///< m/s: the largest |b| of the step's solves so far
} impulses;

/// Starts a step of so many bodies; false without memory.
bool impulses_reset(impulses* b, int slots);

/// Adds the contact impulses of a solve of the step.
void impulses_add_solve(impulses* b, const cairn_recorded_solve* solve);

typedef enum impulses_verdict {
    IMPULSES_HOLD,
    IMPULSES_UNKNOWN, ///< joints that are not recorded may have taken what differs
    IMPULSES_DIFFER
} impulses_verdict;

/// Whether the contacts of a frame show the impulses of the solves that were added.
impulses_verdict impulses_hold(impulses* b, const cairn_frame* frame, const cairn_stage* stage);

/// Keeps the velocities of a frame for the next one; false without memory.
bool impulses_remember(impulses* b, const cairn_frame* frame, const cairn_stage* stage);

void impulses_destroy(impulses* b);

/// m/s: how fast a point of a body is, at most; and where it is slower than in its frame by v and w.
double impulses_speed_of(const cairn_frame* frame, const cairn_stage* stage, int i);
double impulses_slower_by(const cairn_frame* frame, const cairn_stage* stage, int i, cairn_vec3 v,
                          cairn_vec3 w);

#endif
