// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The safe theorem: an arch that cannot slide stands if and only if some line of thrust in
// equilibrium with the loads crosses every joint within its thickness (Heyman 1966). With the right
// springing at angle 0 and H the thrust, V the weight above, M the moment about the center of the
// circle, the part from the springing to the joint at angle a is held by the force (-H, V - w) and
// its line crosses the joint at the radius
//
//     ρ(a) = (M - Σ m_j) / (H sin a + (V - Σ w_j) cos a),
//
// where w_j and m_j are weights and their moments about the center. The denominator, the normal
// force on the joint, is positive; so r_in <= ρ <= r_out are linear inequalities in H and M, two
// for each joint. M enters with coefficient 1 and is eliminated: every lower bound must stay below
// every upper bound, which leaves an interval for H. By symmetry half of the arch is enough.

#include "arch_limit.h"
#include <math.h>
#include <stdbool.h>

static const double pi = 3.141592653589793;

typedef struct line {
    double constant, slope; // of a bound on M: constant + slope H
} line;

// weight and moment arm of one wedge, its flat sides at radii in and out, half of its angle given
static void wedge(double in, double out, double half, double* weight, double* radius)
{
    // a trapezoid with parallel sides 2 r sin(half) at the distances r cos(half)
    double a = 2.0 * in * sin(half), c = 2.0 * out * sin(half);
    double height = (out - in) * cos(half);
    *weight = 0.5 * (a + c) * height;
    *radius = in * cos(half) + height * (a + 2.0 * c) / (3.0 * (a + c));
}

static bool stands(int blocks, double ratio)
{
    enum { most = 64 };
    line low[most], high[most];
    double in = 1.0 - 0.5 * ratio, out = 1.0 + 0.5 * ratio, step = pi / blocks, weight, radius;
    double least = 0.0, greatest = INFINITY, sum = 0.0, moment = 0.0;
    int joints = blocks / 2 + 1;

    wedge(in, out, 0.5 * step, &weight, &radius);
    double V = 0.5 * blocks * weight;
    for (int i = 0; i < joints && i < most; i++) {
        double a = i * step, up = (V - sum) * cos(a);

        // r (H sin a + up) + Σ m: where M must lie above for r_in and below for r_out
        low[i] = (line){in * up + moment, in * sin(a)};
        high[i] = (line){out * up + moment, out * sin(a)};
        sum += weight;
        moment += weight * radius * cos(a + 0.5 * step);
    }

    // M is eliminated: every lower bound must stay below every upper one
    for (int i = 0; i < joints && i < most; i++) {
        for (int j = 0; j < joints && j < most; j++) {
            // low_i(H) <= high_j(H)
            double c = low[i].constant - high[j].constant, s = low[i].slope - high[j].slope;
            if (s > 0.0)
                greatest = fmin(greatest, -c / s);
            else if (s < 0.0)
                least = fmax(least, -c / s);
            else if (c > 0.0)
                return false;
        }
    }

    return least <= greatest;
}

double arch_limit(int blocks)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (stands(blocks, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}
