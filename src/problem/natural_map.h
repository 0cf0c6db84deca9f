// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The natural map of one contact with isotropic friction. It is zero where the law of contact
// holds:
//
//     F_N = λ_N - max(0, λ_N - v_N/a)
//     F_F = λ_F - P(λ_F - v_F/a),     P: onto the disc of radius μ max(0, λ_N)
//
// a is the mean diagonal of A_cc, so that F is an impulse and a |F| a velocity, the error.
//
// One text serves doubles and lanes of them. A file of lanes defines `real`, `pick` and `root` and
// then CAIRN_NATURAL_LANES before it includes this; every other file gets plain doubles.
//
// Comparisons are written so that a NaN in λ, v or a stays a NaN: cairn_worst makes it an infinite
// residual, in whatever contact or lane it appears.
#ifndef CAIRN_PROBLEM_NATURAL_MAP_H
#define CAIRN_PROBLEM_NATURAL_MAP_H

#include "math/simd.h"
#include <math.h>

#ifndef CAIRN_NATURAL_LANES
typedef double real;

CAIRN_INLINE double pick(bool yes, double a, double b)
{
    return yes ? a : b;
}

CAIRN_INLINE double root(double a)
{
    return sqrt(a);
}
#endif

/// The larger of two errors; a NaN counts as infinite.
static inline double cairn_worst(double most, double error)
{
    return error <= most ? most : isnan(error) ? (double)INFINITY : error;
}

/// λ and v of a contact. Friction has two components in the frame of the contact, or three when
/// the vectors stand in the world.
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
