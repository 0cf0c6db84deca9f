// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The natural map of one contact. It is zero where the law of contact holds:
//
//     F_N = λ_N - max(0, λ_N - v_N/a)
//     F_F = λ_F - P(λ_F - v_F/a),     P: onto the disc of radius μ max(0, λ_N), or onto the ellipsoid
//                                     of half-axes μ_k max(0, λ_N)
//
// a is the mean diagonal of A_cc, so that F is an impulse and a |F| a velocity, the error. A spin
// is measured at the arm ℓ = μ_τ/μ_T (friction.h), which makes the set of isotropic friction with
// torsion a ball.
//
// One text serves doubles and lanes of them. A file of lanes defines `real`, `mask`, `pick`, `root`
// and `any` and then CAIRN_NATURAL_LANES before it includes this; every other file gets plain
// doubles.
//
// Comparisons are written so that a NaN in λ, v or a stays a NaN: cairn_worst makes it an infinite
// residual, in whatever contact or lane it appears.
#ifndef CAIRN_PROBLEM_NATURAL_MAP_H
#define CAIRN_PROBLEM_NATURAL_MAP_H

#include "math/simd.h"
#include <math.h>

#ifndef CAIRN_NATURAL_LANES
typedef double real;
typedef bool mask;

CAIRN_INLINE double pick(bool yes, double a, double b)
{
    return yes ? a : b;
}

CAIRN_INLINE double root(double a)
{
    return sqrt(a);
}

CAIRN_INLINE bool any(bool yes)
{
    return yes;
}
#endif

/// The larger of two errors; a NaN counts as infinite.
static inline double cairn_worst(double most, double error)
{
    return error <= most ? most : isnan(error) ? (double)INFINITY : error;
}

/// λ and v of a contact. Friction has two components in the frame of the contact, three with
/// torsion, or three when the vectors stand in the world.
typedef struct cairn_natural {
    real lambda_n, v_n;
    real lambda_t[3], v_t[3];
    real mu;
    real over; ///< 1/a, or 0 where nothing can move
} cairn_natural;

/// |F|² of the friction rows.
CAIRN_INLINE real natural_slip(const cairn_natural* x, int components)
{
    const real zero = {0};

    // λ_F - v_F/a, and how far it may be from the axis
    real y[3], square = zero, radius = x->mu * pick(x->lambda_n < zero, zero, x->lambda_n);
    for (int k = 0; k < components; k++) {
        y[k] = x->lambda_t[k] - x->over * x->v_t[k];
        square += y[k] * y[k];
    }

    // outside the disc it goes back to its rim
    real length = root(square), slip = zero;
    real share = pick(length <= radius, zero + 1, radius / length);
    for (int k = 0; k < components; k++) {
        real F = x->lambda_t[k] - share * y[k];
        slip += F * F;
    }
    return slip;
}

/// x: the point of the ellipsoid Σ (x_k/a_k)² <= 1 that is nearest to z. Where it is not z itself,
///
///     x_k = z_k a_k²/(a_k² + t),      g(t) = Σ a_k² z_k²/(a_k² + t)² - 1 = 0,
///
/// by Newton's method from below the root, which climbs (friction.c says why). A lane that has
/// arrived waits for the others.
CAIRN_INLINE void natural_on_ellipsoid(real* x, const real* z, const real* a)
{
    enum { most_steps = 100 };
    const real zero = {0}, one = zero + 1, nothing = zero + 1e-150;

    // The largest length becomes 1. Axes of no length drop out. Comparisons let a NaN pass.
    real size = zero, u[3], b[3], inside = zero, t = zero;
    mask flat[3];
    for (int k = 0; k < 3; k++) {
        real length = pick(z[k] < zero, -z[k], z[k]);
        size = pick(length <= size, size, length);
        size = pick(a[k] <= size, size, a[k]);
    }

    size = pick(size == zero, one, size);

    for (int k = 0; k < 3; k++) {
        b[k] = a[k] / size;
        flat[k] = b[k] <= nothing;
        u[k] = pick(flat[k], zero * z[k], z[k] / size);

        // the start of Newton's method: one term of g alone is 1 there, so that g >= 0
        real ratio = u[k] / pick(flat[k], one, b[k]), length = pick(u[k] < zero, -u[k], u[k]);
        real start = b[k] * length - b[k] * b[k];
        inside += ratio * ratio;
        t = pick(start <= t, t, start);
    }

    // t = 0 would divide by the square of an axis of no length
    t = pick(t == zero, nothing * nothing, t);

    for (int step = 0; step < most_steps; step++) {
        real g = zero - 1, slope = zero;
        for (int k = 0; k < 3; k++) {
            real d = b[k] * b[k] + t, y = b[k] * u[k] / d;
            g += y * y;
            slope -= 2 * y * y / d;
        }

        real next = t - g / slope;
        mask goes_on = (g > zero) & (next > t);
        t = pick(goes_on, next, t);
        if (!any(goes_on))
            break;
    }

    // a hair inside of the boundary
    real y[3], square = zero;
    for (int k = 0; k < 3; k++) {
        y[k] = b[k] * u[k] / (b[k] * b[k] + t);
        square += y[k] * y[k];
    }

    real share = size / (root(square) * (1 + 1e-15));
    for (int k = 0; k < 3; k++)
        x[k] = pick(inside <= one, pick(flat[k], u[k], z[k]), share * b[k] * y[k]);
}

/// |F|² of three friction rows with a coefficient each: two along the axes of the contact, and
/// spin.
CAIRN_INLINE real natural_slip_ellipsoid(const cairn_natural* x, const real* mu)
{
    const real zero = {0};
    real y[3], axis[3], to[3], slip = zero, normal = pick(x->lambda_n < zero, zero, x->lambda_n);

    for (int k = 0; k < 3; k++) {
        y[k] = x->lambda_t[k] - x->over * x->v_t[k];
        axis[k] = mu[k] * normal;
    }

    natural_on_ellipsoid(to, y, axis);

    for (int k = 0; k < 3; k++) {
        real F = x->lambda_t[k] - to[k];
        slip += F * F;
    }
    return slip;
}

/// The same where the set may be a ball, as that of a cone is: x->mu is mu[0].
CAIRN_INLINE real natural_slip_law(const cairn_natural* x, const real* mu)
{
    mask uneven = (mu[0] != mu[1]) | (mu[0] != mu[2]);
    real slip = natural_slip(x, 3);
    if (any(uneven))
        slip = pick(uneven, natural_slip_ellipsoid(x, mu), slip);
    return slip;
}

/// F of the normal row.
CAIRN_INLINE real natural_normal(const cairn_natural* x)
{
    const real zero = {0};
    real z = x->lambda_n - x->over * x->v_n;
    return x->lambda_n - pick(z < zero, zero, z);
}

/// |F| of the contact.
CAIRN_INLINE real natural_contact(const cairn_natural* x, int components)
{
    real normal = natural_normal(x);
    return root(normal * normal + natural_slip(x, components));
}

#endif
