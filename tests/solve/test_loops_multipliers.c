// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "loops_case.h"

// ---------------------------------------------------------------- the reference

// eigenvalues and vectors (columns of V) of a symmetric matrix by Jacobi's rotations
static void eigen(double* A, double* V, int n)
{
    for (int i = 0; i < n * n; i++)
        V[i] = i % (n + 1) == 0 ? 1.0 : 0.0;

    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0.0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double apq = A[p * n + q];
                off = fmax(off, fabs(apq));
                if (fabs(apq) < 1e-18)
                    continue;

                // the rotation that makes a_pq vanish
                double theta = (A[q * n + q] - A[p * n + p]) / (2.0 * apq);
                double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < n; k++) {
                    double x = A[k * n + p], y = A[k * n + q];
                    A[k * n + p] = c * x - s * y;
                    A[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = A[p * n + k], y = A[q * n + k];
                    A[p * n + k] = c * x - s * y;
                    A[q * n + k] = s * x + c * y;
                    x = V[k * n + p];
                    y = V[k * n + q];
                    V[k * n + p] = c * x - s * y;
                    V[k * n + q] = s * x + c * y;
                }
            }

        if (off < 1e-16)
            break;
    }
}

// J M^-1 J^T, row-major
static double* dense_product(const net* n)
{
    int rows = n->rows;
    double* A = calloc((size_t)rows * (size_t)rows + 1, sizeof(double));
    double* unit = calloc((size_t)rows + 1, sizeof(double));

    // column j: what a unit multiplier of row j does to all rows
    for (int j = 0; j < rows; j++) {
        unit[j] = 1.0;
        double* forces = all_forces(n, NULL, unit);

        for (int i = 0; i < n->bodies; i++) {
            double y[6];
            accelerate(y, &n->mass[i], forces + 6 * i);
            memcpy(forces + 6 * i, y, sizeof y);
        }

        for (int k = 0, r = 0; k < n->joints; k++)
            for (int i = 0; i < n->joint[k].row_count; i++, r++)
                A[r * rows + j] = row_velocity(n, k, r, forces);
        free(forces);

        unit[j] = 0.0;
    }
    free(unit);
    return A;
}

// λ = D^-1/2 (D^-1/2 A D^-1/2)^+ D^-1/2 r: the least Σ D λ² of the least Σ (A λ - r)²/D
static double* least_multipliers(const net* n, const double* r)
{
    int rows = n->rows;
    double *A = dense_product(n), *V = calloc((size_t)(rows * rows), sizeof(double));
    double* root = malloc((size_t)rows * sizeof(double));
    double* lambda = calloc((size_t)rows, sizeof(double));

    for (int i = 0; i < rows; i++)
        root[i] = sqrt(A[i * (rows + 1)]);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            A[i * rows + j] /= root[i] * root[j];

    // the pseudo-inverse leaves out eigenvalues that are zero
    eigen(A, V, rows);
    for (int k = 0; k < rows; k++) {
        double along = 0.0;
        if (A[k * (rows + 1)] < 1e-11)
            continue;
        for (int i = 0; i < rows; i++)
            along += V[i * rows + k] * r[i] / root[i];
        for (int i = 0; i < rows; i++)
            lambda[i] += V[i * rows + k] * along / A[k * (rows + 1)] / root[i];
    }
    free(A);
    free(V);
    free(root);
    return lambda;
}

TEST(multipliers_of_redundant_rows_are_the_least_ones)
{
    net cases[] = {net_ring(6, 6),      net_grid(4, 4, 3, 1.0), net_grid(3, 4, 5, 1.0),
                   net_ladder(5, true), net_lattice(2, 6),      net_random(4, 12, 3, 1.0)};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        net* n = &cases[k];
        net_load(n, 3, true);
        double* r = malloc((size_t)n->rows * sizeof(double));

        for (int i = 0; i < n->rows; i++)
            r[i] = -n->c[i];

        double* least = least_multipliers(n, r);
        answer a = solve(n, NULL, n->c, NULL);
        CHECK_BELOW(distance(a.lambda, least, n->rows), 1e-8);

        forget(&a);
        free(r);
        free(least);
        net_free(n);
    }
}
END

TEST(multipliers_are_the_nearest_to_the_start)
{
    // with λ = λ0 + δ: A δ = -(c + A λ0), and δ is the least one
    net n = net_ring(6, 6);
    net_load(&n, 3, true);
    answer a = solve(&n, NULL, n.c, NULL);
    double *start = malloc((size_t)n.rows * sizeof(double)), *A = dense_product(&n);
    double* r = calloc((size_t)n.rows, sizeof(double));

    for (int i = 0; i < n.rows; i++)
        start[i] = sin(3.0 * i);

    for (int i = 0; i < n.rows; i++) {
        r[i] = -n.c[i];
        for (int j = 0; j < n.rows; j++)
            r[i] -= A[i * n.rows + j] * start[j];
    }

    double* step = least_multipliers(&n, r);
    memcpy(a.lambda, start, (size_t)n.rows * sizeof(double));
    cairn_loops_solve(a.loops, NULL, n.c, 1, a.y, a.lambda);

    for (int i = 0; i < n.rows; i++)
        step[i] += start[i];
    CHECK_BELOW(distance(a.lambda, step, n.rows), 1e-8);

    forget(&a);
    free(start);
    free(A);
    free(r);
    free(step);
    net_free(&n);
}
END

TEST(a_door_hangs_on_both_hinges_alike)
{
    net n = net_empty(1, 2);
    cairn_random random = {1};
    net_body(&n, cairn_vec(0.5, 0.0, 1.0), 20.0, &random);
    net_joint(&n, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 0.5), 5);
    net_joint(&n, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 1.5), 5);
    const double weight[6] = {0.0, 0.0, -20.0 * 9.81, 0.0, 0.0, 0.0};
    answer a = solve(&n, weight, NULL, NULL);
    CHECK_NEAR(a.lambda[2], 98.1, 1e-9);
    CHECK_NEAR(a.lambda[7], 98.1, 1e-9);
    CHECK_BELOW(fabs(a.y[2]), 1e-12);
    forget(&a);
    net_free(&n);
}
END

TEST(rows_that_contradict_each_other_are_met_halfway)
{
    // two joints that pull a corner to different velocities across the net, where it can move
    net n = net_grid(5, 5, 3, 1.0);

    for (int copy = 0; copy < 2; copy++)
        net_joint(&n, CAIRN_WORLD_BODY, 24, n.place[24], 3);

    net_load(&n, 3, false);
    n.c[n.rows - 5] = 0.3;
    n.c[n.rows - 2] = 0.1;
    answer a = solve(&n, NULL, n.c, NULL);
    CHECK(!a.report.converged);

    // both by a tenth in the end, and multipliers as if 0.2 had been asked for
    CHECK_NEAR(a.report.velocity, 0.1, 1e-6);
    CHECK(a.report.worst_row == n.rows - 5 || a.report.worst_row == n.rows - 2);

    n.c[n.rows - 5] = n.c[n.rows - 2] = 0.2;
    answer b = solve(&n, NULL, n.c, NULL);
    CHECK(b.report.converged);

    // multipliers 4 r/ε = 4e8 cancel on the way: that much round-off
    CHECK_BELOW(distance(a.lambda, b.lambda, n.rows), 1e-5);
    CHECK_BELOW(distance(a.y, b.y, 6 * n.bodies), 1e-6);

    forget(&a);
    forget(&b);
    net_free(&n);
}
END

TEST(a_row_that_moves_nothing_holds_or_is_named)
{
    net n = net_grid(2, 2, 3, 1.0);
    net_joint(&n, CAIRN_WORLD_BODY, 3, n.place[3], 1);
    memset(&n.row[n.rows - 1], 0, sizeof n.row[0]);
    net_load(&n, 3, false);
    answer a = solve(&n, n.f, n.c, NULL);
    CHECK(a.report.converged && a.lambda[n.rows - 1] == 0.0);
    n.c[n.rows - 1] = 0.5;
    a.report = cairn_loops_solve(a.loops, n.f, n.c, 1, a.y, a.lambda);
    CHECK(!a.report.converged);
    ck_assert_int_eq(a.report.worst_row, n.rows - 1);
    CHECK_NEAR(a.report.velocity, 0.5, 1e-12);
    forget(&a);
    net_free(&n);
}
END

// ---------------------------------------------------------------- springs

TEST(springs_keep_their_law_from_rubber_to_steel)
{
    net n = net_grid(6, 6, 3, 1.0);
    net_load(&n, 3, true);
    double* compliance = calloc((size_t)n.rows, sizeof(double));

    for (int exponent = -12; exponent <= 6; exponent += 3) {
        for (int i = 0; i < n.rows; i++)
            compliance[i] = i % 3 == 0 ? pow(10.0, exponent) : 0.0;
        answer a = solve(&n, n.f, n.c, compliance);
        CHECK(a.report.converged);
        CHECK_BELOW(momentum_error(&n, n.f, a.y, a.lambda), 1e-10);
        CHECK_BELOW(velocity_error(&n, n.f, n.c, compliance, a.y, a.lambda), 1e-10);
        forget(&a);
    }
    free(compliance);
    net_free(&n);
}
END

TESTS(multipliers_of_redundant_rows_are_the_least_ones, multipliers_are_the_nearest_to_the_start,
      a_door_hangs_on_both_hinges_alike, rows_that_contradict_each_other_are_met_halfway,
      a_row_that_moves_nothing_holds_or_is_named, springs_keep_their_law_from_rubber_to_steel)
