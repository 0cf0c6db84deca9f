// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Laws of motion that a step of a recording obeys, whatever was reported of it, from the states of two
// frames and the impulses of the contacts between them.
#ifndef CAIRN_IO_LAWS_H
#define CAIRN_IO_LAWS_H

#include "io/recording/remeasure.h"

/// The frame before. Zeroed is empty.
typedef struct cairn_laws {
    int capacity, count;
    cairn_frame_body* bodies;
    int contact_capacity, contact_count;
    cairn_contact* contacts;
    cairn_remeasured measured;
    double start,
        most;   ///< J: energy without the work that was done, when it began; the most that moved
    bool known; ///< there is a frame before, with the same bodies
} cairn_laws;

/// Which laws a step breaks.
typedef struct cairn_law_flaws {
    bool unborne; ///< a body that stands still is not held by the impulses of its contacts
    bool lost;    ///< energy that nothing in the step could take, and no report tells of
    bool grown;   ///< energy since the recording began, beyond the work that was done
    bool
        askew; ///< two balls push each other without friction along another line than that between their
               ///< centers
    bool passed;  ///< a body went through one that stands
    bool ghostly; ///< a body is pushed by one that another contact's plane parts from it
} cairn_law_flaws;

/// Judges the step that ends with a frame, and remembers the frame. `same`: the bodies are those of the frame
/// before. False without memory.
bool cairn_laws_judge(cairn_laws* laws, cairn_law_flaws* flaws, const cairn_stage* stage,
                      const cairn_frame* frame, const cairn_remeasured* now, bool same);

void cairn_laws_destroy(cairn_laws* laws);

#endif
