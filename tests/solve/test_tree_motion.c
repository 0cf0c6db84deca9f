// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion over time with accelerations from the tree: bodies in the plane (x, y, angle), joined by
// pins, J y + J̇ u = 0, integrated by the classic Runge-Kutta method.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <string.h>

enum { links = 5 };

static const double gravity = 9.81, half = 0.5, mass = 1.2, inertia = 0.1;

// positions and velocities, 3 each per body
typedef struct state {
    double q[3 * links], u[3 * links];
} state;

// the end of body i that lies at `side` half lengths from its center
static void end_of(const state* s, int i, double side, double* r)
{
    r[0] = side * half * cos(s->q[3 * i + 2]);
    r[1] = side * half * sin(s->q[3 * i + 2]);
}

static void pin_rows(double* j, double sign, const double* r)
{
    const double rows[6] = {sign, 0.0, -sign * r[1], 0.0, sign, sign * r[0]};
    memcpy(j, rows, sizeof rows);
}

// pin i joins body i - 1 (or the world) with body i; c = J̇ u: the points' centripetal accelerations
static void accelerations(double* a, const state* s, cairn_tree* tree)
{
    double f[3 * links], c[2 * links], lambda[2 * links];
    for (int i = 0; i < links; i++) {
        double r[2], before[2], ja[6], jb[6], w = s->u[3 * i + 2];
        end_of(s, i, -1.0, r);
        pin_rows(jb, 1.0, r);
        c[2 * i] = -w * w * r[0];
        c[2 * i + 1] = -w * w * r[1];

        if (i > 0) {
            double v = s->u[3 * i - 1];
            end_of(s, i - 1, 1.0, before);
            pin_rows(ja, -1.0, before);
            c[2 * i] += v * v * before[0];
            c[2 * i + 1] += v * v * before[1];
        }

        cairn_tree_set_constraint(tree, i, i ? ja : NULL, jb, NULL);
        f[3 * i] = f[3 * i + 2] = 0.0;
        f[3 * i + 1] = -mass * gravity;
    }
    ck_assert_int_eq(cairn_tree_factor(tree), 0);

    cairn_tree_solve(tree, f, c, 1, a, lambda);
}

static state moved(const state* s, double h, const double* u, const double* a)
{
    state to = *s;
    for (int i = 0; i < 3 * links; i++) {
        to.q[i] += h * u[i];
        to.u[i] += h * a[i];
    }
    return to;
}

static void step(state* s, double h, cairn_tree* tree)
{
    double a[4][3 * links];
    state at[4] = {*s};
    for (int k = 0; k < 4; k++) {
        if (k > 0)
            at[k] = moved(s, k == 3 ? h : 0.5 * h, at[k - 1].u, a[k - 1]);
        accelerations(a[k], &at[k], tree);
    }
    for (int i = 0; i < 3 * links; i++) {
        s->q[i] += h / 6.0 * (at[0].u[i] + 2.0 * at[1].u[i] + 2.0 * at[2].u[i] + at[3].u[i]);
        s->u[i] += h / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]);
    }
}

static double energy(const state* s)
{
    double sum = 0.0;
    for (int i = 0; i < links; i++) {
        const double* u = s->u + 3 * i;
        sum += 0.5 * mass * (u[0] * u[0] + u[1] * u[1]) + 0.5 * inertia * u[2] * u[2] +
               mass * gravity * s->q[3 * i + 1];
    }
    return sum;
}

static cairn_tree* pendulum_tree(void)
{
    cairn_tree_constraint list[links];
    int dimension[links];

    for (int i = 0; i < links; i++) {
        list[i] = (cairn_tree_constraint){i - 1, i, 2};
        dimension[i] = 3;
    }

    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = topology.constraint_count = links;
    topology.dimension = dimension;
    topology.constraints = list;
    cairn_tree* tree = NULL;
    cairn_tree_create(&topology, &tree, NULL);
    const double M[9] = {mass, 0.0, 0.0, 0.0, mass, 0.0, 0.0, 0.0, inertia};

    for (int i = 0; i < links; i++)
        cairn_tree_set_mass(tree, i, M);

    return tree;
}

// straight out to the right, at rest
static state raised(void)
{
    state s = {0};
    for (int i = 0; i < links; i++)
        s.q[3 * i] = (2 * i + 1) * half;
    return s;
}

// the worst distance between the ends that a pin should keep together
static double gap(const state* s)
{
    double worst = 0.0;
    for (int i = 0; i < links; i++) {
        double a[2] = {0.0, 0.0}, b[2];
        end_of(s, i, -1.0, b);
        if (i > 0)
            end_of(s, i - 1, 1.0, a);
        for (int k = 0; k < 2; k++)
            worst =
                fmax(worst, fabs(s->q[3 * i + k] + b[k] - (i ? s->q[3 * i - 3 + k] : 0.0) - a[k]));
    }
    return worst;
}

static double energy_error(double h, double time, state* s)
{
    cairn_tree* tree = pendulum_tree();
    *s = raised();
    double before = energy(s);
    for (int k = 0; k < (int)(time / h + 0.5); k++)
        step(s, h, tree);
    cairn_tree_destroy(tree);
    return fabs(energy(s) - before);
}

TEST(a_fivefold_pendulum_keeps_its_energy_to_the_order_of_the_integrator)
{
    state coarse, fine;
    double e1 = energy_error(2e-3, 1.0, &coarse), e2 = energy_error(1e-3, 1.0, &fine);
    double scale = links * mass * gravity;
    CHECK_BELOW(e2, 1e-7 * scale);
    CHECK_BELOW(e2, e1 / 8.0); // fourth order gives 16
    CHECK_BELOW(gap(&fine), 1e-8);
    CHECK(fine.q[3 * links - 2] < -1.0); // it did fall
}
END

TEST(a_projection_closes_the_gaps_of_a_coarse_integration)
{
    state s;
    energy_error(2e-2, 0.6, &s);
    cairn_tree* tree = pendulum_tree();
    double before = gap(&s), a[3 * links], dq[3 * links], C[2 * links];
    CHECK(before > 1e-6);

    for (int round = 0; round < 2; round++) {
        accelerations(a, &s, tree); // sets the rows of this pose and factors
        for (int i = 0; i < links; i++)
            for (int k = 0; k < 2; k++) {
                double r[2], before_end[2] = {0.0, 0.0};
                end_of(&s, i, -1.0, r);
                if (i > 0)
                    end_of(&s, i - 1, 1.0, before_end);
                C[2 * i + k] =
                    s.q[3 * i + k] + r[k] - (i ? s.q[3 * i - 3 + k] : 0.0) - before_end[k];
            }

        cairn_tree_project(tree, C, dq);
        for (int i = 0; i < 3 * links; i++)
            s.q[i] += dq[i];
    }

    // Newton's method: the gap is squared twice
    CHECK_BELOW(gap(&s), 1e-3 * before * before + 1e-13);
    cairn_tree_destroy(tree);
}
END

TESTS(a_fivefold_pendulum_keeps_its_energy_to_the_order_of_the_integrator,
      a_projection_closes_the_gaps_of_a_coarse_integration)
