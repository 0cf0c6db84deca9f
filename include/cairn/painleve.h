// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What to do when no finite impulses exist (Painlevé's paradox): a method has ended with CAIRN_OUTCOME_RAY
// and a direction in which the impulses would grow without bound. The direction is an impact
// without collision: applied until some sliding contact stops, it leaves a problem with one sliding
// contact less.
#ifndef CAIRN_PAINLEVE_H
#define CAIRN_PAINLEVE_H

#include <cairn/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What applying a ray did.
typedef struct cairn_ray_effect {
    double step;  ///< κ: the impulse that was applied is κ times the ray
    int block;    ///< the contact that stopped or opened, or -1: the ray does neither
    bool stopped; ///< its slip stopped: it is a cone now; otherwise it opens
} cairn_ray_effect;

/// Applies a ray: the smallest impulse κ ray, κ >= 0, at which the slip b_F·slip of some
/// CAIRN_FRICTION_SLIDING contact that the ray loads comes to zero. That contact's friction becomes the cone
/// of its μ; impulse += κ ray, problem->b += κ A ray. Where no slip is stopped, κ is where some
/// approaching contact comes to rest along its normal; where there is none either, nothing changes
/// and effect->block is -1. `impulse` and `ray` have row_count numbers. CAIRN_NO_MEMORY or
/// CAIRN_OK.
CAIRN_API cairn_status cairn_problem_apply_ray(cairn_problem* problem, const double* ray,
                                               double* impulse, cairn_ray_effect* effect);

/// Solves a problem and, as long as the outcome is CAIRN_OUTCOME_RAY, applies the ray and solves again, at
/// most once per contact. `lambda` receives the sum of all impulses, `applied` (or NULL) how often
/// a ray was applied. The report is that of the last solve, measured on the problem that the rays
/// left. b holds velocities: for accelerations, where b does not know the slip, there is
/// cairn_solve_forces. def->ray is not used. The status is as for cairn_solve.
CAIRN_API cairn_status cairn_solve_with_rays(const cairn_problem* problem,
                                             const cairn_solve_def* def, double* lambda,
                                             int* applied, cairn_report* report,
                                             cairn_error* error);

/// Forces, and the impulses that came before them. The arrays are yours, row_count numbers each.
typedef struct cairn_forces {
    double* force;   ///< N
    double* impulse; ///< N s: of impacts without collision, zero where there are none
    int applied;     ///< how many of them
} cairn_forces;

/// Forces at an instant: b holds accelerations (cairn_problem_set_accelerations) and `velocity` the
/// velocities J u of the rows, row_count numbers, or NULL: at rest. The velocity decides about the
/// contacts: those that part bear nothing, those with cones (or pyramids, taken as cones) that slip
/// have friction against their slip, the others stick or start to slip.
///
/// Where no finite forces exist (CAIRN_OUTCOME_RAY) the ray is applied as an impulse until the
/// known slip stops, contacts that approach after that are stopped by further impulses, and the
/// forces are solved for again. b is held meanwhile. The report is that of the last solve of
/// forces; its velocities are accelerations. def->ray is not used. The status is as for
/// cairn_solve.
CAIRN_API cairn_status cairn_solve_forces(const cairn_problem* problem, const double* velocity,
                                          const cairn_solve_def* def, cairn_forces* forces,
                                          cairn_report* report, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
