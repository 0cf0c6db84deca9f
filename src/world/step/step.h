// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The stages of a step that step.c puts in order: the rest pass, the solve of one island, islands
// on all threads, and the pace. Private to this folder.
#ifndef CAIRN_WORLD_STEP_H
#define CAIRN_WORLD_STEP_H

#include "world/step/island.h"
#include "world/step/layout.h"

typedef cairn_status (*cairn_island_function)(const cairn_span* span);
typedef cairn_status (*cairn_solve_function)(const cairn_span* span, cairn_judged* judged,
                                             bool* solved);

/// Tries to leave the island as it stands: `rested` says whether it does.
cairn_status cairn_island_rest(const cairn_span* span);

/// Shares the loads that the contacts and joints of the island show after a step of dt seconds, and
/// tells their multiplicity. No body moves.
cairn_status cairn_island_share(const cairn_span* span, double dt);

/// Solves one kick of the island.
cairn_status cairn_island_solve_kick(const cairn_span* span);

/// Sweeps over an island with joints and contacts, whose problem this is; `solved` tells whether the
/// tolerance was met.
cairn_status cairn_jointed_sweep(const cairn_span* span, cairn_problem* problem, double* lambda,
                                 cairn_judged* judged, bool* solved);

/// The same by Newton's method in the velocities of its bodies, if they are few; of all impulses the
/// least.
cairn_status cairn_jointed_newton(const cairn_span* span, cairn_problem* problem, double* lambda,
                                  cairn_judged* judged, bool* solved);

/// Removes overlaps and closes the joints of an island that has both; `done` is false, and nothing
/// was moved in vain, where its joints close loops.
cairn_status cairn_jointed_part(const cairn_span* span, bool* done);

/// Runs a solve that needs no problem of its own. Whoever looks on sees the problem as it was before
/// and the impulses that contacts and joints hold after it.
cairn_status cairn_island_show(cairn_solve_function solve, const cairn_span* span,
                               cairn_judged* judged, bool* solved);

/// After a kick and before the drift: passes a blow on to bodies that the step did not expect to be
/// met. `group` is that of the span.
cairn_status cairn_group_aftershock(cairn_group* group, cairn_span* span, int substep);

/// Calls a function for each island that is not at rest; `forces`: with v* for a kick.
cairn_status cairn_group_each(cairn_island_function function, cairn_span* span, bool forces);

/// Raises the substeps to those that resolve joints under load beside contacts, h² ω² <= 2: a power
/// of two times those that were asked for, up to the most that are allowed.
cairn_status cairn_pace_joints(int* substeps, const cairn_group* group, cairn_world* world,
                               double dt);

/// Raises the inertia of jointed bodies beside contacts that substeps of h seconds cannot resolve, for
/// the rest of the step: `raised` receives the factors of all slots, 0: none. And back.
cairn_status cairn_pace_raise(double** raised, const cairn_group* group, cairn_world* world,
                              double dt, double h);
void cairn_pace_lower(const double* raised, cairn_world* world);

/// Doubles the substeps of a step in which a pile is struck by something fast.
void cairn_pace_blows(int* substeps, const cairn_group* group, const cairn_world* world, double dt);

/// Doubles the substeps as often as small islands of contacts need; learns from what their drifts
/// have missed in a step of so many.
void cairn_pace_contacts(int* substeps, const cairn_group* group, const cairn_world* world,
                         double dt);
void cairn_pace_learn(const cairn_group* group, const cairn_world* world, int substeps);

#endif
