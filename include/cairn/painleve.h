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
/// left. def->ray is not used. The status is as for cairn_solve.
CAIRN_API cairn_status cairn_solve_with_rays(const cairn_problem* problem,
                                             const cairn_solve_def* def, double* lambda,
                                             int* applied, cairn_report* report,
                                             cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
