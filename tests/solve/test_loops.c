// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "loops_case.h"

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

TEST(an_old_factor_that_has_failed_is_not_tried_again_at_once)
{
    net n = net_grid(8, 8, 1, 1.0);
    net_load(&n, 3, false);
    answer a = solve(&n, n.f, NULL, NULL);
    int fresh = a.report.iterations, most = 0;

    for (int step = 0; step < 2; step++) {
        bend(&n, 1.0);
        cairn_loops_load(a.loops, n.mass, n.row, NULL);
        memset(a.lambda, 0, (size_t)n.rows * sizeof(double));
        a.report = cairn_loops_solve(a.loops, n.f, NULL, 1, a.y, a.lambda);
        CHECK(a.report.converged);
        if (step == 0)
            most = a.report.iterations;
    }

    // the first attempt cost def.patience iterations, the second one none
    ck_assert_int_ge(most, fresh + a.loops->def.patience / 2);
    ck_assert_int_le(a.report.iterations, most - a.loops->def.patience / 2);

    forget(&a);
    net_free(&n);
}
END

TESTS(nets_keep_their_joints_and_the_law_of_momentum, rings_ladders_bridges_and_lattices_do_too,
      chains_and_trees_do_too, random_graphs_do_too, masses_may_differ_by_a_million,
      bodies_without_joints_and_parts_without_each_other_are_at_home,
      the_order_of_the_bodies_does_not_matter,
      an_old_factor_serves_until_it_takes_too_many_iterations,
      one_coarse_factor_serves_the_steps_of_a_moving_net,
      an_old_factor_that_has_failed_is_not_tried_again_at_once,
      columns_are_solved_as_if_they_were_alone)
