// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One contact, exactly. With r_N eliminated by u_N = 0 (a = W_TN / W_NN),
//
//     S = W_TT - a W_NT,   g = b_T - a b_N,   r_N(l) = -(b_N + W_NT r_T) / W_NN,
//
//     open   b_N >= 0:  r = 0
//     stick  r_T = -S^-1 g, if |r_T| <= μ r_N     (a singular S is shifted by round-off)
//     slide  u_T = -l r_T with l > 0:  r_T(l) = -(S + l I)^-1 g,  f(l) = |r_T| - μ r_N = 0.
//
// f(0) > 0 when sticking fails and f(∞) < 0, so there is a root. h(l) = 1/(μ r_N) - 1/|r_T| is
// almost linear in l: Newton's method on h within a bracket takes 2 to 5 steps. No quartic is
// needed.

#include "solve/sweep/local_solve.h"
#include "math/numbers.h"
#include <math.h>

// the contact with its normal impulse eliminated; n friction rows
typedef struct reduced {
    int n;
    double S[3][3], g[3], row[3]; // row: W_NT
    double W_NN, b_N, mu;
} reduced;

// x = (S + l I)^-1 y
static void solve_shifted(double* x, const reduced* c, double l, const double* y)
{
    double a = c->S[0][0] + l;
    if (c->n == 1) {
        x[0] = y[0] / a;
        return;
    }

    double b = c->S[0][1], d = c->S[1][0], e = c->S[1][1] + l;
    if (c->n == 2) {
        double over = 1.0 / (a * e - b * d);
        x[0] = over * (e * y[0] - b * y[1]);
        x[1] = over * (a * y[1] - d * y[0]);
        return;
    }

    // Cramer's rule for three rows
    double k = c->S[0][2], m = c->S[1][2], p = c->S[2][0], q = c->S[2][1], s = c->S[2][2] + l;
    double A = e * s - m * q, B = m * p - d * s, C = d * q - e * p;
    double over = 1.0 / (a * A + b * B + k * C);
    x[0] = over * (A * y[0] + (k * q - b * s) * y[1] + (b * m - k * e) * y[2]);
    x[1] = over * (B * y[0] + (a * s - k * p) * y[1] + (k * d - a * m) * y[2]);
    x[2] = over * (C * y[0] + (b * p - a * q) * y[1] + (a * e - b * d) * y[2]);
}

static void reduce(reduced* c, const cairn_local* local, const double* b)
{
    const double* W = local->W;
    c->n = local->slip_count;
    c->W_NN = W[0];
    c->b_N = b[0];
    c->mu = local->mu;
    for (int i = 0; i < c->n; i++) {
        int row = local->slip[i];
        double a = W[row] / W[0];
        c->row[i] = W[4 * row];
        c->g[i] = b[row] - a * b[0];
        for (int j = 0; j < c->n; j++)
            c->S[i][j] = W[4 * local->slip[j] + row] - a * W[4 * local->slip[j]];
    }
}

static double trace(const reduced* c)
{
    double sum = 0.0;
    for (int i = 0; i < c->n; i++)
        sum += c->S[i][i];
    return sum;
}

// what to add to S where it has (almost) no inverse: nothing, as a rule
static double least_shift(const reduced* c)
{
    double size = trace(c), det = c->S[0][0];
    if (c->n == 2)
        det = c->S[0][0] * c->S[1][1] - c->S[0][1] * c->S[1][0];
    if (c->n == 3)
        det = c->S[0][0] * (c->S[1][1] * c->S[2][2] - c->S[1][2] * c->S[2][1]) +
              c->S[0][1] * (c->S[1][2] * c->S[2][0] - c->S[1][0] * c->S[2][2]) +
              c->S[0][2] * (c->S[1][0] * c->S[2][1] - c->S[1][1] * c->S[2][0]);
    double regular = c->n == 1 ? c->W_NN : c->n == 2 ? size * size : size * size * size;
    return det > 1e-12 * regular ? 0.0 : 1e-14 * (size + c->W_NN);
}

// r_T(l) and r_N(l)
static double impulse(double* r_T, const reduced* c, double l)
{
    solve_shifted(r_T, c, l, c->g);
    for (int i = 0; i < c->n; i++)
        r_T[i] = -r_T[i];
    return -(c->b_N + cairn_dot_n(c->row, r_T, c->n)) / c->W_NN;
}

// the Newton step towards the root: on h, or on f where r_N <= 0
static double newton_step(const reduced* c, double l, const double* r_T, double length, double r_N)
{
    double change[3];
    solve_shifted(change, c, l, r_T);
    for (int i = 0; i < c->n; i++)
        change[i] = -change[i];
    double length_change = cairn_dot_n(r_T, change, c->n) / length;
    double N_change = -cairn_dot_n(c->row, change, c->n) / c->W_NN;
    if (r_N <= 0.0)
        return -(length - c->mu * r_N) / (length_change - c->mu * N_change);
    double h = 1.0 / (c->mu * r_N) - 1.0 / length;
    double slope = length_change / (length * length) - N_change / (c->mu * r_N * r_N);
    return -h / slope;
}

// the multiplier of a sliding contact: fills r_T and returns r_N
static double slide(double* r_T, const reduced* c, double least)
{
    double size = trace(c), lo = least, hi = INFINITY, l = least;
    double r_N = impulse(r_T, c, l);

    for (int iteration = 0; iteration < 80; iteration++) {
        double length = sqrt(cairn_dot_n(r_T, r_T, c->n)), f = length - c->mu * r_N;
        if (fabs(f) <= 1e-15 * (length + c->mu * fabs(r_N)))
            break;

        // keep the bracket: f > 0 below the root
        if (f > 0.0)
            lo = l;
        else
            hi = l;

        // Newton's step, or bisection when it leaves the bracket
        double next = l + newton_step(c, l, r_T, length, r_N);
        if (!(next > lo && next < hi))
            next = hi < INFINITY ? 0.5 * (lo + hi) : l > least ? 4.0 * l : 0.1 * size;
        if (!(next > 0.0) || fabs(next - l) <= 1e-16 * l)
            break;

        l = next;
        r_N = impulse(r_T, c, l);
    }

    return r_N;
}

void cairn_local_solve(double* r, const cairn_local* local, const double* b)
{
    r[0] = r[1] = r[2] = r[3] = 0.0;

    // open contacts, and those without friction
    if (!(b[0] < 0.0) || !(local->W[0] > 0.0))
        return;
    if (!(local->mu > 0.0) || local->slip_count == 0) {
        r[0] = -b[0] / local->W[0];
        return;
    }

    // stick, if friction can bear it
    reduced c = {0};
    double r_T[3] = {0.0};
    reduce(&c, local, b);
    double least = least_shift(&c), r_N = impulse(r_T, &c, least);
    double length = sqrt(cairn_dot_n(r_T, r_T, c.n));

    // otherwise slide on the boundary of the cone
    if (!(length <= c.mu * r_N)) {
        r_N = slide(r_T, &c, least);
        length = sqrt(cairn_dot_n(r_T, r_T, c.n));
        r_N = r_N > 0.0 ? r_N : 0.0;
        double factor = length > 0.0 ? c.mu * r_N / length : 0.0;
        for (int i = 0; i < c.n; i++)
            r_T[i] *= factor;
    }

    r[0] = r_N;
    for (int i = 0; i < c.n; i++)
        r[local->slip[i]] = r_T[i];
}
