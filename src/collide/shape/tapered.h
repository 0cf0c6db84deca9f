// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The side of a tapered capsule is a piece of the cone that is tangent to both of its balls. With
// radii r and t about -h and h, s = (r - t) / 2h is the sine of the cone's half angle, and a ball
// of radius R about c is touched at z = c + R s, at the distance R cos from the axis. Private.
#ifndef CAIRN_COLLIDE_TAPERED_H
#define CAIRN_COLLIDE_TAPERED_H

#include <cairn/shape.h>

/// ρ(z) = rho + sigma z for z in [from, to]; empty (to < from) where one ball holds the other.
typedef struct cairn_tapered_side {
    double rho, sigma, from, to;
} cairn_tapered_side;

static inline cairn_tapered_side cairn_tapered_side_of(const cairn_shape* tapered)
{
    double r = tapered->radius, t = tapered->top_radius, h = tapered->half_height;
    double s = (r - t) / (2.0 * h);
    if (!(fabs(s) < 1.0))
        return (cairn_tapered_side){0.0, 0.0, 1.0, -1.0};
    double cosine = sqrt((1.0 - s) * (1.0 + s)), sigma = -s / cosine, from = -h + r * s;
    return (cairn_tapered_side){r * cosine - sigma * from, sigma, from, h + t * s};
}

#endif
