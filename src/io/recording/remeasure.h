// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The motion of a recording, measured again from shapes, places, velocities and masses alone: how
// deep bodies overlap, how far joints gape, how much energy there is. Nothing that the run has
// found, no contact and no figure of a report, is used.
#ifndef CAIRN_IO_REMEASURE_H
#define CAIRN_IO_REMEASURE_H

#include <cairn/recording.h>

/// What the frames of a recording show, one after the other. Zeroed is empty.
typedef struct cairn_remeasure {
    int change; ///< of the stage that the broad phase holds
    cairn_broad* broad;
    cairn_contacts contacts; ///< of one pair at a time
    int proxy_capacity;
    int* slot; ///< of the body of each proxy
    int body_capacity;
    int* proxy; ///< of each body, or -1
    int angle_capacity;
    double* angle; ///< rad: coordinate of each joint in the frame before, for turns
} cairn_remeasure;

/// A frame as it was found.
typedef struct cairn_remeasured {
    double penetration; ///< m: the deepest overlap
    double excess; ///< m: by which it is deeper than cairn_overlap_allowed, at most; 0: none is
    int body_a, body_b;                ///< slots: whose it is; -1: none
    double joint_error;                ///< m: the widest gap
    int joint;                         ///< whose it is, of the stage; -1: none
    double kinetic, potential, spring; ///< J
    double weight;                     ///< N: of all bodies that move
    double load;                       ///< N s: of all contacts in the step
    bool weighed; ///< the recording tells how masses lie: the energies are known
    bool powered; ///< of a drive in an island with contacts, or of contacts that are springs, no
                  ///< report tells the work
} cairn_remeasured;

/// Measures the next frame of a recording.
cairn_status cairn_remeasure_frame(cairn_remeasure* all, const cairn_stage* stage,
                                   const cairn_frame* frame, cairn_remeasured* out,
                                   cairn_error* error);

/// What is wrong with the motion of a step.
typedef struct cairn_motion_flaws {
    bool overlaps; ///< deeper than cairn_overlap_allowed and what the residual lets bodies approach
    bool torn;     ///< a joint gapes by more than 0.1 mm
    bool gained;   ///< energy beyond the work that was done: more than a share of 1e-3
    bool differs;  ///< from the report, which admits less than what is there
    bool judged;   ///< the energy was judged; not when the work that was done is not told
    double gain;   ///< J: the energy beyond the work that was done; 0 when it is not known
} cairn_motion_flaws;

/// Judges a step by the frames before (NULL: bodies came or went, energies do not compare) and
/// after it, by what was reported of it, and by its length in s.
cairn_motion_flaws cairn_motion_judge(const cairn_remeasured* before, const cairn_remeasured* after,
                                      const cairn_step_report* report, double dt);

void cairn_remeasure_destroy(cairn_remeasure* all);

#endif
