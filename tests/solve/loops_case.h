// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the tests of nets of joints share: the two laws by their definition, and a solve.
#ifndef CAIRN_TESTS_LOOPS_CASE_H
#define CAIRN_TESTS_LOOPS_CASE_H

#include "check_cairn.h"
#include "nets.h"
#include "solve/tree/loops.h"

// ---------------------------------------------------------------- laws, by their definition

// M^-1 of a body times a force
static inline void accelerate(double* y, const cairn_mass* mass, const double* f)
{
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(f[3], f[4], f[5]));
    for (int i = 0; i < 3; i++)
        y[i] = mass->inverse_mass * f[i];
    y[3] = turn.x;
    y[4] = turn.y;
    y[5] = turn.z;
}

// f + J^T λ
static inline double* all_forces(const net* n, const double* f, const double* lambda)
{
    double* sum = malloc(6 * (size_t)n->bodies * sizeof(double) + 1);
    for (int i = 0; i < 6 * n->bodies; i++)
        sum[i] = f ? f[i] : 0.0;
    for (int k = 0, r = 0; k < n->joints; k++)
        for (int i = 0; i < n->joint[k].row_count; i++, r++)
            for (int m = 0; m < 6; m++) {
                if (n->joint[k].body_a >= 0)
                    sum[6 * n->joint[k].body_a + m] += n->row[r].a[m] * lambda[r];
                if (n->joint[k].body_b >= 0)
                    sum[6 * n->joint[k].body_b + m] += n->row[r].b[m] * lambda[r];
            }
    return sum;
}

// the largest |y - M^-1 (f + J^T λ)| over the largest term
static inline double momentum_error(const net* n, const double* f, const double* y,
                                    const double* lambda)
{
    double worst = 0.0, scale = 1e-300;
    double* sum = all_forces(n, f, lambda);
    for (int i = 0; i < n->bodies; i++) {
        double own[6], given[6];
        accelerate(own, &n->mass[i], sum + 6 * i);
        accelerate(given, &n->mass[i], f ? f + 6 * i : sum + 6 * i);
        for (int m = 0; m < 6; m++) {
            worst = fmax(worst, fabs(own[m] - y[6 * i + m]));
            scale = fmax(scale, fabs(given[m]));
        }
    }
    free(sum);
    return worst / scale;
}

// (J y)_r of joint k
static inline double row_velocity(const net* n, int k, int r, const double* y)
{
    double v = 0.0;
    for (int m = 0; m < 6; m++) {
        if (n->joint[k].body_a >= 0)
            v += n->row[r].a[m] * y[6 * n->joint[k].body_a + m];
        if (n->joint[k].body_b >= 0)
            v += n->row[r].b[m] * y[6 * n->joint[k].body_b + m];
    }
    return v;
}

// the largest |J y + c + C λ| over the largest of |J M^-1 f|, |c|
static inline double velocity_error(const net* n, const double* f, const double* c,
                                    const double* compliance, const double* y, const double* lambda)
{
    double worst = 0.0, scale = 1e-300;
    double* free_y = calloc(6 * (size_t)n->bodies + 1, sizeof(double));
    for (int i = 0; i < n->bodies && f; i++)
        accelerate(free_y + 6 * i, &n->mass[i], f + 6 * i);
    for (int k = 0, r = 0; k < n->joints; k++)
        for (int i = 0; i < n->joint[k].row_count; i++, r++) {
            double v = row_velocity(n, k, r, y) + (c ? c[r] : 0.0) +
                       (compliance ? compliance[r] * lambda[r] : 0.0);
            worst = fmax(worst, fabs(v));
            scale = fmax(scale, fmax(fabs(row_velocity(n, k, r, free_y)), c ? fabs(c[r]) : 0.0));
        }
    free(free_y);
    return worst / scale;
}

// ---------------------------------------------------------------- a solve

typedef struct answer {
    cairn_loops* loops;
    double *y, *lambda;
    cairn_loops_report report;
} answer;

static inline answer solve(const net* n, const double* f, const double* c, const double* compliance)
{
    answer a = {.y = calloc(6 * (size_t)n->bodies + 1, sizeof(double)),
                .lambda = calloc((size_t)n->rows + 1, sizeof(double))};
    cairn_loops_def def = cairn_default_loops_def();
    ck_assert_int_eq(cairn_loops_create(&a.loops, n->bodies, n->joint, n->joints, &def), CAIRN_OK);
    cairn_loops_load(a.loops, n->mass, n->row, compliance);
    a.report = cairn_loops_solve(a.loops, f, c, 1, a.y, a.lambda);
    return a;
}

static inline void forget(answer* a)
{
    cairn_loops_destroy(a->loops);
    free(a->y);
    free(a->lambda);
}

// the largest |x - y| over the largest |y|
static inline double distance(const double* x, const double* y, int n)
{
    double most = 0.0, scale = 1e-300;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        scale = fmax(scale, fabs(y[i]));
    }
    return most / scale;
}

#endif
