// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The reference for chains: N equal links of mass m, inertia I and length 2h that move in a plane,
// in the angles θ_i of their directions d_i = (cos θ_i, sin θ_i), so that joints cannot gape. With
// f_i the force on link i at its start, D_i = d⊥ d⊥ᵀ and k = h²/I, the points of neighbors keep
// together when
//
//     -(1/m - k D_{i-1}) f_{i-1} + (2/m + k D_{i-1} + k D_i) f_i - (1/m - k D_i) f_{i+1}
//         = -h ω_{i-1}² d_{i-1} - h ω_i² d_i                                        (i > 0)
//     (1/m + k D_0) f_0 - (1/m - k D_0) f_1 = -g - h ω_0² d_0
//
// a symmetric block tridiagonal system, solved by elimination from the free end. Then
// θ̈_i = -(h/I) d⊥·(f_i + f_{i+1}). Integrated by Runge and Kutta's rule of order four.

#include "peers/judge.h"
#include <stdlib.h>
#include <string.h>

typedef struct mat2 {
    double xx, xy, yy; ///< symmetric
} mat2;

typedef struct chain {
    int n;
    double m, I, h, g;
    mat2* diagonal; ///< after elimination
    double* f;      ///< 2 (n + 1)
    double* stage;  ///< 2 n: where a stage is evaluated
    double* rate;   ///< 2 n
    double* sum;    ///< 2 n
} chain;

// a/m + b k D
static mat2 block(const chain* c, double a, double b, double angle)
{
    double s = sin(angle), t = cos(angle), k = b * c->h * c->h / c->I, o = a / c->m;
    return (mat2){o + k * s * s, -k * s * t, o + k * t * t};
}

static mat2 sum2(mat2 a, mat2 b)
{
    return (mat2){a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
}

// x = M^-1 b
static void solve2(double* x, mat2 M, const double* b)
{
    double det = M.xx * M.yy - M.xy * M.xy;
    double p = (M.yy * b[0] - M.xy * b[1]) / det, q = (M.xx * b[1] - M.xy * b[0]) / det;
    x[0] = p;
    x[1] = q;
}

// M - O P^-1 O
static mat2 eliminate(mat2 M, mat2 O, mat2 P)
{
    double u[2], v[2];
    const double first[2] = {O.xx, O.xy}, second[2] = {O.xy, O.yy};
    solve2(u, P, first);
    solve2(v, P, second);
    return (mat2){M.xx - O.xx * u[0] - O.xy * u[1], M.xy - O.xx * v[0] - O.xy * v[1],
                  M.yy - O.xy * v[0] - O.yy * v[1]};
}

// forces at the joints for angles `y` and rates y + n
static void find_forces(chain* c, const double* y)
{
    int n = c->n;
    double* f = c->f;

    // elimination from the free end
    for (int i = n - 1; i >= 0; i--) {
        double w = y[n + i], *b = f + 2 * i;
        mat2 M = block(c, 1.0, 1.0, y[i]);
        b[0] = -c->h * w * w * cos(y[i]);
        b[1] = -c->h * w * w * sin(y[i]) + (i ? 0.0 : -c->g);

        // the diagonal block has a part of either link
        if (i > 0) {
            double before = y[n + i - 1];
            M = sum2(M, block(c, 1.0, 1.0, y[i - 1]));
            b[0] -= c->h * before * before * cos(y[i - 1]);
            b[1] -= c->h * before * before * sin(y[i - 1]);
        }

        if (i < n - 1) {
            mat2 O = block(c, -1.0, 1.0, y[i]);
            double x[2];
            solve2(x, c->diagonal[i + 1], f + 2 * (i + 1));
            b[0] -= O.xx * x[0] + O.xy * x[1];
            b[1] -= O.xy * x[0] + O.yy * x[1];
            M = eliminate(M, O, c->diagonal[i + 1]);
        }

        c->diagonal[i] = M;
    }

    // back from the fixed end
    for (int i = 0; i < n; i++) {
        if (i > 0) {
            mat2 O = block(c, -1.0, 1.0, y[i - 1]);
            f[2 * i] -= O.xx * f[2 * i - 2] + O.xy * f[2 * i - 1];
            f[2 * i + 1] -= O.xy * f[2 * i - 2] + O.yy * f[2 * i - 1];
        }

        solve2(f + 2 * i, c->diagonal[i], f + 2 * i);
    }

    f[2 * n] = f[2 * n + 1] = 0.0;
}

static void find_rates(chain* c, double* rate, const double* y)
{
    find_forces(c, y);
    for (int i = 0; i < c->n; i++) {
        const double* f = c->f + 2 * i;
        rate[i] = y[c->n + i];
        rate[c->n + i] = -c->h / c->I * (-sin(y[i]) * (f[0] + f[2]) + cos(y[i]) * (f[1] + f[3]));
    }
}

static void advance(chain* c, double* y, double dt)
{
    static const double ahead[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    int n = 2 * c->n;
    memset(c->sum, 0, (size_t)n * sizeof(double));
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++)
            c->stage[i] = y[i] + (s ? dt * ahead[s] * c->rate[i] : 0.0);
        find_rates(c, c->rate, c->stage);
        for (int i = 0; i < n; i++)
            c->sum[i] += weight[s] / 6.0 * c->rate[i];
    }

    for (int i = 0; i < n; i++)
        y[i] += dt * c->sum[i];
}

peer_last_link peer_chain_end(const peer_scene* scene, double time)
{
    const peer_body* link = &scene->bodies[0];
    size_t n = (size_t)scene->body_count;
    chain c = {.n = (int)n,
               .m = link->mass,
               .I = link->inertia[0],
               .h = link->size[1],
               .g = scene->gravity[2]};

    double* y = calloc(2 * n, sizeof(double));
    c.diagonal = calloc(n, sizeof *c.diagonal);
    c.f = calloc(2 * n + 2, sizeof(double));
    c.stage = calloc(2 * n, sizeof(double));
    c.rate = calloc(2 * n, sizeof(double));
    c.sum = calloc(2 * n, sizeof(double));

    // steps of at most a quarter of a millisecond
    int steps = (int)ceil(time / 2.5e-4);
    for (int i = 0; i < steps; i++)
        advance(&c, y, time / steps);

    // the place of the last link, link after link
    peer_last_link last = {0};
    for (size_t i = 0; i < n; i++) {
        cairn_vec3 half = cairn_vec(c.h * cos(y[i]), 0.0, c.h * sin(y[i]));
        last.center = cairn_add(last.tip, half);
        last.tip = cairn_add(last.center, half);
    }

    free(y);
    free(c.diagonal);
    free(c.f);
    free(c.stage);
    free(c.rate);
    free(c.sum);
    return last;
}
