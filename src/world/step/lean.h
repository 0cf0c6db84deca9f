// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The lean step: the step of an island when there is no time for another. Its cost is a few visits
// of each body, contact and joint, whatever they do. Private to this folder.
#ifndef CAIRN_WORLD_LEAN_H
#define CAIRN_WORLD_LEAN_H

#include "world/step/island.h"

/// Small steps that a lean step has at most.
enum { cairn_lean_steps = 8 };

/// A body on its way. Those that nothing moves have no inverse mass.
typedef struct cairn_lean_body {
    cairn_vec3 v, w;          ///< m/s, rad/s
    cairn_vec3 moved, turned; ///< m, rad: since the step began
    cairn_transform at;       ///< where it is
    double inverse_mass;
    cairn_mat3 inverse_inertia; ///< of the beginning of the step
} cairn_lean_body;

/// How hard an error of position is pulled back: as a spring of a frequency and a damping would, so
/// that no stiffness makes it unstable.
///
///     impulse = -mass_scale m (u + rate C) - impulse_scale λ
typedef struct cairn_softness {
    double rate;                      ///< 1/s
    double mass_scale, impulse_scale; ///< of the row
} cairn_softness;

/// The softness of a damped spring in steps of h seconds; rigid and without a rate for 0 Hz.
cairn_softness cairn_softness_of(double hertz, double damping, double h);

typedef struct cairn_lean_joints cairn_lean_joints;

/// The joints of an island; NULL without memory, or where there are none (then `none` is set).
cairn_lean_joints* cairn_lean_joints_make(const cairn_span* span, bool* none);

/// Their rows where the bodies are now, for a small step of h seconds; and the impulses of the small
/// step before. Returns the largest velocity of a row under forces alone, m/s.
double cairn_lean_joints_begin(cairn_lean_joints* joints, const cairn_span* span,
                               cairn_lean_body* bodies, double h);

/// One sweep over the rows; `relax`: without pulling back errors of position. Returns how fast the
/// rows were violated before it, m/s.
double cairn_lean_joints_sweep(cairn_lean_joints* joints, cairn_lean_body* bodies, bool relax);

/// Closes the joints where the bodies are; no velocity changes. At the end of a step.
void cairn_lean_joints_close(cairn_lean_joints* joints, const cairn_span* span,
                             cairn_lean_body* bodies);

/// Adds the impulses of a small step to what the user sees; after the last one they are the next
/// warm start.
void cairn_lean_joints_end(const cairn_lean_joints* joints);

/// The whole step of an island in `span->substeps` small steps of `span->h` seconds; fewer when the
/// deadline passes.
cairn_status cairn_island_lean(const cairn_span* span);

#endif
