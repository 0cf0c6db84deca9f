// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Friction sets F(λ_N) and the projections on them: the one place that knows their shapes.
#ifndef CAIRN_PROBLEM_FRICTION_H
#define CAIRN_PROBLEM_FRICTION_H

#include <cairn/problem.h>

/// Of a pyramid. A thousand differ from the cone by 5e-6 of the friction limit; each costs a row of
/// a complementarity problem.
enum { cairn_most_facets = 1000 };

/// The law that stands for `friction` when it is measured or solved as `law`.
cairn_friction cairn_friction_as(const cairn_friction* friction, cairn_law law, int facets);

/// Projects f (rows - 1 friction components of a contact of `rows` rows) on F(normal), normal >= 0,
/// in place, in the Euclidean norm. CAIRN_FRICTION_SLIDING has no set: its only point is -μ λ_N
/// slip.
void cairn_friction_project(double* f, int rows, const cairn_friction* friction, double normal);

/// The arm ℓ = μ_τ/μ_T at which the spin of a contact of 4 rows is measured as a velocity (v_τ ℓ,
/// λ_τ/ℓ, A_ττ ℓ²), so that all its friction rows have one unit.
static inline double cairn_spin_arm(const cairn_friction* friction)
{
    return friction->mu[0] > 0.0 && friction->mu[2] > 0.0 ? friction->mu[2] / friction->mu[0] : 1.0;
}

/// μ_τ at that arm: μ_T, where there are both.
static inline double cairn_spin_axis(const cairn_friction* friction)
{
    return friction->mu[0] > 0.0 && friction->mu[2] > 0.0 ? friction->mu[0] : friction->mu[2];
}

/// The point x of the ellipsoid Σ (x_k/axis_k)² <= 1 that is nearest to z in the norm
/// Σ (x_k - z_k)²/weight_k. `weight` may be NULL (all one). Axes may be zero. n <= 3; x may be z.
void cairn_project_on_ellipsoid(double* x, const double* z, const double* axis,
                                const double* weight, int n);

/// The nearest point of the regular polygon with `facets` corners at distance `radius`, one on the
/// first axis. In place.
void cairn_project_on_polygon(double* x, int facets, double radius);

/// The nearest point of K = {|(y, z)| <= μ x}.
cairn_vec3 cairn_project_on_cone(cairn_vec3 r, double mu);

#endif
