// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A multibody program of one's own on cairn_tree: 64 bars on pins, in coordinates (x, y, angle),
// whose last end is pinned as well. One step is one factor and one sweep, linear in the bars; the
// last pin closes a loop and is an auxiliary constraint of two rows.
#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>

enum { bars = 64 };
static const double half = 0.05, dt = 1e-3, M[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 1e-4};

// J of the end of a bar at q = (x, y, angle), at its start (-1) or its end (1)
static void rows(const double* q, double end, double sign, double* j)
{
    const double J[6] = {1, 0, -end * half * sin(q[2]), 0, 1, end * half * cos(q[2])};
    for (int k = 0; k < 6; k++)
        j[k] = sign * J[k];
}

int main(void)
{
    double q[bars][3], u[3 * bars] = {0}, f[3 * bars], c[2 * bars], lambda[2 * bars];
    double inner[6], outer[6], S[4], s[2], mu[2];
    cairn_tree_constraint pins[bars];
    int dimension[bars], last = bars - 1;
    for (int i = 0; i < bars; i++) { // a zigzag; the first bar hangs from the world
        pins[i] = (cairn_tree_constraint){i - 1, i, 2};
        dimension[i] = 3;
        q[i][2] = i % 2 ? -0.7 : 0.7;
        q[i][0] = half * cos(0.7) * (2 * i + 1), q[i][1] = half * sin(0.7);
    }
    cairn_tree_topology topology = {bars, dimension, bars, pins, -1};
    cairn_tree_auxiliary loop = {2, 1, &last, inner, NULL};
    cairn_tree_response* response;
    cairn_tree* tree;
    if (cairn_tree_create(&topology, &tree, NULL) != CAIRN_OK)
        return 1;
    for (int step = 0; step < 1000; step++) {
        // M u' = M u + dt F + J^T λ,  J u' = -gap / dt
        for (int i = 0; i < bars; i++) {
            rows(q[i], -1, 1, outer);
            if (i > 0)
                rows(q[i - 1], 1, -1, inner);
            cairn_tree_set_mass(tree, i, M);
            cairn_tree_set_constraint(tree, i, inner, outer, NULL);
            c[2 * i] = (q[i][0] - half * cos(q[i][2])) / dt;
            c[2 * i + 1] = (q[i][1] - half * sin(q[i][2])) / dt;
            for (int k = 0; k < 2 && i > 0; k++)
                c[2 * i + k] -=
                    (q[i - 1][k] + half * (k ? sin(q[i - 1][2]) : cos(q[i - 1][2]))) / dt;
            for (int k = 0; k < 3; k++)
                f[3 * i + k] = M[4 * k] * u[3 * i + k] - (k == 1 ? dt * M[0] * 9.81 : 0);
        }
        cairn_tree_factor(tree);
        cairn_tree_load(tree, f, c);
        rows(q[last], 1, 1, inner);
        if (cairn_tree_response_create(tree, &loop, 1, &response, NULL) != CAIRN_OK)
            return 1;
        cairn_tree_response_matrix(response, S); // S μ + s = 0
        cairn_tree_response_offset(response, s);
        mu[0] = (S[1] * s[1] - S[3] * s[0]) / (S[0] * S[3] - S[1] * S[2]);
        mu[1] = (S[2] * s[0] - S[0] * s[1]) / (S[0] * S[3] - S[1] * S[2]);
        cairn_tree_response_finish(response, mu, u, lambda);
        cairn_tree_response_destroy(response);
        for (int i = 0; i < 3 * bars; i++)
            q[i / 3][i % 3] += dt * u[i];
    }
    cairn_tree_destroy(tree);
    printf("after 1 s the middle hangs at %.3f m, the ends pull %.2f and %.2f N\n", q[bars / 2][1],
           hypot(lambda[0], lambda[1]) / dt, hypot(mu[0], mu[1]) / dt);
    return !(q[bars / 2][1] < -0.1);
}
