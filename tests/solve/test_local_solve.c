// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "solve/sweep/local_solve.h"
#include <cairn/random.h>

static const int rows[3] = {1, 2, 3};

// The natural map of the law, by a route of its own: F = r - P_K(r - (u + μ|u_T| e_N)), relative to
// |b|. The size of W is 1 here, so one step serves impulses and velocities.
static double law_residual(const double* r, const double* W, const double* b, double mu, int n)
{
    double u[4] = {0.0}, z[4], t = 0.0, slip = 0.0, F = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        u[i] = b[i];
        for (int j = 0; j < n; j++)
            u[i] += W[4 * j + i] * r[j];
        size += b[i] * b[i];
    }

    // z = r - (u + μ|u_T| e_N)
    for (int i = 1; i < n; i++)
        slip += u[i] * u[i];
    for (int i = 0; i < n; i++)
        z[i] = r[i] - u[i] - (i == 0 ? mu * sqrt(slip) : 0.0);
    for (int i = 1; i < n; i++)
        t += z[i] * z[i];

    t = sqrt(t);
    double normal = z[0], factor = 1.0;

    // the projection on the cone: on its surface, or at the tip
    if (t > mu * z[0]) {
        normal = fmax(0.0, (z[0] + mu * t) / (1.0 + mu * mu));
        factor = t > 0.0 ? mu * normal / t : 0.0;
    }

    F += (r[0] - normal) * (r[0] - normal);
    for (int i = 1; i < n; i++)
        F += (r[i] - factor * z[i]) * (r[i] - factor * z[i]);

    return sqrt(F / size);
}

// W = B B^T + d I with entries of size 1, and a skew part
static void random_matrix(double* W, int n, double skew, cairn_random* random)
{
    double B[4][4];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = cairn_random_range(random, -1.0, 1.0);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            W[4 * j + i] = i == j ? 0.05 : 0.0;
            for (int k = 0; k < n; k++)
                W[4 * j + i] += B[i][k] * B[j][k];
        }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double s = skew * cairn_random_range(random, -1.0, 1.0);
            W[4 * j + i] += s;
            W[4 * i + j] -= s;
        }
}

static double worst_of_random(int n, double mu, double skew, int count)
{
    cairn_random random = {1};
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        double W[16] = {0.0}, b[4] = {0.0}, r[4];
        random_matrix(W, n, skew, &random);
        for (int i = 0; i < n; i++)
            b[i] = cairn_random_range(&random, -1.0, 1.0);
        cairn_local_solve(r, &(cairn_local){W, mu, n - 1, rows}, b);
        double error = law_residual(r, W, b, mu, n);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

TEST(random_contacts_obey_the_law_to_round_off)
{
    const double mu[4] = {0.0, 0.01, 1.0, 10.0};
    for (int i = 0; i < 4; i++) {
        CHECK_BELOW(worst_of_random(3, mu[i], 0.0, 125000), 1e-12);
        CHECK_BELOW(worst_of_random(3, mu[i], 2.5e-3, 125000), 1e-12);
    }
}
END

TEST(contacts_of_the_plane_and_with_spin_obey_it_too)
{
    const double mu[3] = {0.01, 0.7, 5.0};
    for (int i = 0; i < 3; i++) {
        CHECK_BELOW(worst_of_random(2, mu[i], 0.0, 10000), 1e-12);
        CHECK_BELOW(worst_of_random(4, mu[i], 0.0, 10000), 1e-12);
    }
}
END

TEST(a_contact_that_separates_or_rests_bears_nothing)
{
    double W[12] = {1.0, 0.1, 0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0}, r[4];
    for (int i = 0; i < 2; i++) {
        double b[4] = {i == 0 ? 0.0 : 0.3, 1.0, -2.0};
        cairn_local_solve(r, &(cairn_local){W, 0.5, 2, rows}, b);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR(r[k], 0.0, 0.0);
    }
}
END

TEST(a_contact_without_slip_sticks_without_friction)
{
    // g = b_T - W_TN b_N / W_NN = 0: the normal impulse alone stops everything
    double W[12] = {2.0, 0.4, 0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0}, r[4];
    double b[4] = {-1.0, -0.2, 0.0};
    cairn_local_solve(r, &(cairn_local){W, 0.5, 2, rows}, b);
    CHECK_NEAR(r[0], 0.5, 1e-15);
    CHECK_NEAR(r[1], 0.0, 1e-15);
    CHECK_NEAR(r[2], 0.0, 1e-15);
}
END

TEST(a_direction_that_cannot_move_needs_no_inverse)
{
    // S is singular: the second tangent has no mobility and no velocity
    double W[12] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0}, r[4];
    double b[4] = {-1.0, 0.3, 0.0};
    cairn_local_solve(r, &(cairn_local){W, 0.5, 2, rows}, b);
    CHECK_BELOW(law_residual(r, W, b, 0.5, 3), 1e-12);
    b[1] = 3.0;
    cairn_local_solve(r, &(cairn_local){W, 0.5, 2, rows}, b);
    CHECK_BELOW(law_residual(r, W, b, 0.5, 3), 1e-12);
    CHECK_NEAR(r[1], -0.5, 1e-14);
}
END

TESTS(random_contacts_obey_the_law_to_round_off, contacts_of_the_plane_and_with_spin_obey_it_too,
      a_contact_that_separates_or_rests_bears_nothing,
      a_contact_without_slip_sticks_without_friction, a_direction_that_cannot_move_needs_no_inverse)
