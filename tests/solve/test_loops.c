// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "nets.h"
#include "solve/tree/loops.h"

// ---------------------------------------------------------------- laws, by their definition

// M^-1 of a body times a force
static void accelerate(double* y, const cairn_mass* mass, const double* f)
{
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(f[3], f[4], f[5]));
    for (int i = 0; i < 3; i++)
        y[i] = mass->inverse_mass * f[i];
    y[3] = turn.x;
    y[4] = turn.y;
    y[5] = turn.z;
}

// f + J^T λ
static double* all_forces(const net* n, const double* f, const double* lambda)
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
static double momentum_error(const net* n, const double* f, const double* y, const double* lambda)
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
static double row_velocity(const net* n, int k, int r, const double* y)
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
static double velocity_error(const net* n, const double* f, const double* c,
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

static answer solve(const net* n, const double* f, const double* c, const double* compliance)
{
    answer a = {.y = calloc(6 * (size_t)n->bodies + 1, sizeof(double)),
                .lambda = calloc((size_t)n->rows + 1, sizeof(double))};
    cairn_loops_def def = cairn_default_loops_def();
    ck_assert_int_eq(cairn_loops_create(&a.loops, n->bodies, n->joint, n->joints, &def), CAIRN_OK);
    cairn_loops_load(a.loops, n->mass, n->row, compliance);
    a.report = cairn_loops_solve(a.loops, f, c, 1, a.y, a.lambda);
    return a;
}

static void forget(answer* a)
{
    cairn_loops_destroy(a->loops);
    free(a->y);
    free(a->lambda);
}

// Both laws hold, for forces and for given velocities. 1e-10: round-off times the condition of the
// net, at most some 1e5 (1e-16 √(1e6 ...)).
static void check_laws(net* n, double tolerance)
{
    net_load(n, 3, true);
    const double* cases[3][2] = {{n->f, NULL}, {NULL, n->c}, {n->f, n->c}};
    for (int i = 0; i < 3; i++) {
        answer a = solve(n, cases[i][0], cases[i][1], NULL);
        ck_assert_msg(a.report.converged, "case %d: residual %g after %d iterations", i,
                      a.report.residual, a.report.iterations);
        CHECK_BELOW(momentum_error(n, cases[i][0], a.y, a.lambda), tolerance);
        CHECK_BELOW(velocity_error(n, cases[i][0], cases[i][1], NULL, a.y, a.lambda), tolerance);
        forget(&a);
    }
    net_free(n);
}

TEST(nets_keep_their_joints_and_the_law_of_momentum)
{
    for (int joint_rows = 1; joint_rows <= 6; joint_rows++) {
        net n = net_grid(9, 7, joint_rows, 1.0);
        check_laws(&n, 1e-10);
    }
    net large = net_grid(CHECK_SLOW_BUILD ? 20 : 40, 40, 3, 1.0);
    check_laws(&large, 1e-10);
}
END

TEST(rings_ladders_bridges_and_lattices_do_too)
{
    for (int joint_rows = 1; joint_rows <= 6; joint_rows++) {
        net ring = net_ring(24, joint_rows), cube = net_lattice(4, joint_rows);
        check_laws(&ring, 1e-10);
        check_laws(&cube, 1e-10);
    }
    net ladder = net_ladder(40, false), bridge = net_ladder(40, true);
    check_laws(&ladder, 1e-10);
    check_laws(&bridge, 1e-10);
}
END

TEST(chains_and_trees_do_too)
{
    net chain = net_grid(CHECK_SLOW_BUILD ? 200 : 2000, 1, 3, 1.0);
    check_laws(&chain, 1e-9); // the last links of 2000 move by 1e6 times the first one's rest
    net hinges = net_grid(200, 1, 5, 1.0);
    check_laws(&hinges, 1e-10);
}
END

TEST(random_graphs_do_too)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        net n = net_random(2 + (int)seed % 30, 3 + 2 * (int)seed, seed, seed % 2 ? 1.0 : 100.0);
        check_laws(&n, 1e-9);
    }
}
END

TEST(masses_may_differ_by_a_million)
{
    for (double ratio = 1e2; ratio <= 1e6; ratio *= 1e2) {
        net n = net_grid(12, 8, 3, ratio), ring = net_random(20, 24, 4, ratio);
        check_laws(&n, 1e-8); // forces of the heavy bodies reach the light ones: 1e6 round-off
        check_laws(&ring, 1e-8);
    }
}
END

TEST(bodies_without_joints_and_parts_without_each_other_are_at_home)
{
    net none = net_empty(3, 0);
    cairn_random random = {1};
    for (int i = 0; i < 3; i++)
        net_body(&none, cairn_vec(i, 0.0, 0.0), 1.0 + i, &random);
    net_load(&none, 3, false);
    answer a = solve(&none, none.f, NULL, NULL);
    CHECK(a.report.converged);
    CHECK_BELOW(momentum_error(&none, none.f, a.y, a.lambda), 1e-14);
    forget(&a);
    net_free(&none);

    // two rings and a free body
    net two = net_empty(13, 12);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 6; i++)
            net_body(&two, cairn_vec(cos(i), sin(i), part), 1.0, &random);
    net_body(&two, cairn_vec(9.0, 0.0, 0.0), 1.0, &random);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 6; i++)
            net_joint(&two, 6 * part + i, 6 * part + (i + 1) % 6, cairn_vec(cos(i), 0.0, i), 3);
    check_laws(&two, 1e-10);

    net nothing = net_empty(0, 0);
    a = solve(&nothing, NULL, NULL, NULL);
    CHECK(a.report.converged);
    forget(&a);
    net_free(&nothing);
}
END

// ---------------------------------------------------------------- multipliers

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

static double distance(const double* x, const double* y, int n)
{
    double most = 0.0, scale = 1e-300;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        scale = fmax(scale, fabs(y[i]));
    }
    return most / scale;
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

// ---------------------------------------------------------------- order, factors, instruction sets

TEST(the_order_of_the_bodies_does_not_matter)
{
    net n = net_grid(7, 7, 3, 10.0);
    net_load(&n, 3, true);
    answer a = solve(&n, n.f, n.c, NULL);

    // the same net with its bodies backwards
    net m = net_empty(n.bodies, n.joints);
    int last = n.bodies - 1;
    m.bodies = n.bodies;
    m.joints = n.joints;
    m.rows = n.rows;
    for (int i = 0; i <= last; i++) {
        m.mass[i] = n.mass[last - i];
        memcpy(m.f + 6 * i, n.f + 6 * (last - i), 6 * sizeof(double));
    }
    for (int k = 0; k < n.joints; k++) {
        m.joint[k] = n.joint[k];
        m.joint[k].body_a = n.joint[k].body_a >= 0 ? last - n.joint[k].body_a : CAIRN_WORLD_BODY;
        m.joint[k].body_b = last - n.joint[k].body_b;
    }
    memcpy(m.row, n.row, (size_t)n.rows * sizeof *n.row);
    memcpy(m.c, n.c, (size_t)n.rows * sizeof(double));
    answer b = solve(&m, m.f, m.c, NULL);
    CHECK_BELOW(distance(b.lambda, a.lambda, n.rows), 1e-9);
    for (int i = 0; i <= last; i++)
        CHECK_BELOW(distance(b.y + 6 * i, a.y + 6 * (last - i), 6), 1e-8);
    forget(&a);
    forget(&b);
    net_free(&m);
    net_free(&n);
}
END

// turns the arms of all rows about the x axis by an angle that grows along the net
static void bend(net* n, double angle)
{
    for (int r = 0; r < n->rows; r++)
        for (int side = 0; side < 2; side++) {
            double* j = (side ? n->row[r].b : n->row[r].a) + 3;
            double turn = angle * (1.0 + r / (double)n->rows), y = j[1], z = j[2];
            j[1] = cos(turn) * y - sin(turn) * z;
            j[2] = sin(turn) * y + cos(turn) * z;
        }
}

TEST(an_old_factor_serves_until_it_takes_too_many_iterations)
{
    net n = net_grid(12, 12, 1, 1.0);
    net_load(&n, 3, false);
    answer a = solve(&n, n.f, NULL, NULL);
    ck_assert_int_eq(a.report.factorizations, 1);

    // nothing has changed: no new factor
    memset(a.lambda, 0, (size_t)n.rows * sizeof(double));
    a.report = cairn_loops_solve(a.loops, n.f, NULL, 1, a.y, a.lambda);
    ck_assert_int_eq(a.report.factorizations, 0);

    // a little: the old one does, and the answer is the true one
    a.loops->def.tolerance = 1e-9;
    a.loops->def.patience = 20;
    bend(&n, 1e-5);
    cairn_loops_load(a.loops, n.mass, n.row, NULL);
    memset(a.lambda, 0, (size_t)n.rows * sizeof(double));
    a.report = cairn_loops_solve(a.loops, n.f, NULL, 1, a.y, a.lambda);
    ck_assert_int_eq(a.report.factorizations, 0);
    CHECK(a.report.converged);
    CHECK_BELOW(velocity_error(&n, n.f, NULL, NULL, a.y, a.lambda), 1e-8);

    // a lot: it is told by the iterations, and a new factor is made
    bend(&n, 1.0);
    cairn_loops_load(a.loops, n.mass, n.row, NULL);
    memset(a.lambda, 0, (size_t)n.rows * sizeof(double));
    cairn_loops_report old = cairn_loops_iterate(a.loops, n.f, NULL, 1, a.y, a.lambda);
    ck_assert_int_eq(old.factorizations, 0);
    ck_assert_int_gt(old.iterations, 20);
    memset(a.lambda, 0, (size_t)n.rows * sizeof(double));
    a.report = cairn_loops_solve(a.loops, n.f, NULL, 1, a.y, a.lambda);
    ck_assert_int_ge(a.report.factorizations, 1);
    CHECK(a.report.converged);
    CHECK_BELOW(velocity_error(&n, n.f, NULL, NULL, a.y, a.lambda), 1e-8);
    forget(&a);
    net_free(&n);
}
END

TEST(one_coarse_factor_serves_the_steps_of_a_moving_net)
{
    net n = net_grid(14, 14, 3, 1.0);
    net_load(&n, 3, true);
    cairn_loops* loops;
    cairn_loops_def def = cairn_default_loops_def();
    def.redundancy = 1e-4;
    def.tolerance = 1e-6;
    def.patience = 12;
    ck_assert_int_eq(cairn_loops_create(&loops, n.bodies, n.joint, n.joints, &def), CAIRN_OK);
    double* y = calloc(6 * (size_t)n.bodies, sizeof(double));
    double* lambda = calloc((size_t)n.rows, sizeof(double));

    // the plane net can move: its joints are met, although it is redundant in its plane
    cairn_loops_load(loops, n.mass, n.row, NULL);
    cairn_loops_report report = cairn_loops_solve(loops, n.f, n.c, 1, y, lambda);
    CHECK(report.converged);
    CHECK_BELOW(velocity_error(&n, n.f, n.c, NULL, y, lambda), 1e-5);
    CHECK_BELOW(momentum_error(&n, n.f, y, lambda), 1e-12);

    // A net that bends is locked in almost all directions, and rows contradict each other by the
    // turn: no new factor, momentum is kept, velocities stay within that turn.
    int factors = 0;
    for (int step = 1; step <= 5; step++) {
        bend(&n, 1e-4);
        cairn_loops_load(loops, n.mass, n.row, NULL);
        report = cairn_loops_solve(loops, n.f, n.c, 1, y, lambda);
        factors += report.factorizations;
        CHECK_BELOW(momentum_error(&n, n.f, y, lambda), 1e-12);
        CHECK_BELOW(report.residual, 10.0 * 1e-4 * step);
    }
    ck_assert_int_eq(factors, 0);
    cairn_loops_destroy(loops);
    free(y);
    free(lambda);
    net_free(&n);
}
END

TEST(columns_are_solved_as_if_they_were_alone)
{
    net n = net_grid(5, 5, 3, 1.0);
    net_load(&n, 3, true);
    answer a = solve(&n, n.f, n.c, NULL);
    size_t bodies = 6 * (size_t)n.bodies, rows = (size_t)n.rows;
    double *f = calloc(2 * bodies, sizeof(double)), *c = calloc(2 * rows, sizeof(double));
    double *y = calloc(2 * bodies, sizeof(double)), *lambda = calloc(2 * rows, sizeof(double));
    memcpy(f + bodies, n.f, bodies * sizeof(double));
    memcpy(c + rows, n.c, rows * sizeof(double));
    cairn_loops_solve(a.loops, f, c, 2, y, lambda);
    ck_assert_mem_eq(y + bodies, a.y, bodies * sizeof(double));
    ck_assert_mem_eq(lambda + rows, a.lambda, rows * sizeof(double));
    for (size_t i = 0; i < bodies; i++)
        CHECK(y[i] == 0.0);
    free(f);
    free(c);
    free(y);
    free(lambda);
    forget(&a);
    net_free(&n);
}
END

TESTS(nets_keep_their_joints_and_the_law_of_momentum, rings_ladders_bridges_and_lattices_do_too,
      chains_and_trees_do_too, random_graphs_do_too, masses_may_differ_by_a_million,
      bodies_without_joints_and_parts_without_each_other_are_at_home,
      multipliers_of_redundant_rows_are_the_least_ones, multipliers_are_the_nearest_to_the_start,
      a_door_hangs_on_both_hinges_alike, rows_that_contradict_each_other_are_met_halfway,
      a_row_that_moves_nothing_holds_or_is_named, springs_keep_their_law_from_rubber_to_steel,
      the_order_of_the_bodies_does_not_matter,
      an_old_factor_serves_until_it_takes_too_many_iterations,
      one_coarse_factor_serves_the_steps_of_a_moving_net, columns_are_solved_as_if_they_were_alone)
