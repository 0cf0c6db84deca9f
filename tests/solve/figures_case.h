// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Random figures with joints, limits, motors and contacts, for tests of the methods that know joints.
#ifndef CAIRN_TESTS_FIGURES_CASE_H
#define CAIRN_TESTS_FIGURES_CASE_H

#include "check_cairn.h"
#include <cairn/joint.h>
#include <cairn/problem.h>
#include <cairn/random.h>

static cairn_mass random_mass(cairn_random* random, double ratio)
{
    double m = pow(ratio, cairn_random_unit(random));
    cairn_vec3 u = cairn_random_vec3(random);
    cairn_mat3 I = cairn_mat3_add(cairn_mat3_diagonal(0.1, 0.2, 0.25),
                                  (cairn_mat3){cairn_scale(0.1 * u.x, u), cairn_scale(0.1 * u.y, u),
                                               cairn_scale(0.1 * u.z, u)});
    return (cairn_mass){1.0 / m, cairn_mat3_scale(1.0 / m, cairn_mat3_inverse(I))};
}

static void add(cairn_problem* problem, cairn_random* random, cairn_block block,
                const cairn_row* rows)
{
    double b[6];
    for (int r = 0; r < block.row_count; r++)
        b[r] = 2.0 * cairn_random_unit(random) - 1.0;
    CHECK(cairn_problem_add_block(problem, &block, rows, b) == CAIRN_OK);
}

static void add_ball(cairn_problem* problem, cairn_random* random, int a, int b)
{
    cairn_row rows[3];
    cairn_ball_rows(cairn_random_vec3(random), cairn_random_vec3(random), rows);
    add(problem, random,
        (cairn_block){.kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = a, .body_b = b}, rows);
}

// a contact that approaches
static void add_contact(cairn_problem* problem, cairn_random* random, int a, int b,
                        cairn_friction friction, int count)
{
    cairn_row rows[4];
    cairn_vec3 n = cairn_normalize(cairn_random_vec3(random));
    cairn_contact_rows(n, cairn_random_vec3(random), cairn_random_vec3(random), count, rows);
    add(problem, random,
        (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                      .row_count = count,
                      .body_a = a,
                      .body_b = b,
                      .friction = friction},
        rows);
    problem->b[problem->row_count - count] = -fabs(problem->b[problem->row_count - count]);
}

// one row about an axis between neighbors: a limit, or a motor with bounds
static void add_axis(cairn_problem* problem, cairn_random* random, cairn_block_kind kind, int a,
                     int b, double strength)
{
    cairn_vec3 z = cairn_normalize(cairn_random_vec3(random));
    cairn_row row = {{0, 0, 0, -z.x, -z.y, -z.z}, {0, 0, 0, z.x, z.y, z.z}};
    add(problem, random, (cairn_block){.kind = kind, .row_count = 1, .body_a = a, .body_b = b},
        &row);
    if (kind == CAIRN_BLOCK_MOTOR)
        cairn_problem_set_bounds(problem, problem->row_count - 1, -strength, strength);
}

// trees of ball joints, some held by the world, with contacts to the world and between each other
static cairn_problem figures(cairn_random* random, int bodies, int contacts, double ratio)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < bodies; i++) {
        CHECK(cairn_problem_add_body(&problem, random_mass(random, ratio)) == CAIRN_OK);
        int other = (int)cairn_random_index(random, i + 1) - 1;
        bool turned = other >= 0 && cairn_random_index(random, 2);
        if (i % 9 != 0)
            add_ball(&problem, random, turned ? i : other, turned ? other : i);
        if (other >= 0 && i % 5 == 1)
            add_axis(&problem, random, CAIRN_BLOCK_LIMIT, other, i, 0.0);
        if (other >= 0 && i % 5 == 2)
            add_axis(&problem, random, CAIRN_BLOCK_MOTOR, other, i, 0.05);
    }

    for (int c = 0; c < contacts; c++) {
        int a = (int)cairn_random_index(random, bodies + 1) - 1;
        int b = (int)cairn_random_index(random, bodies);
        if (a != b)
            add_contact(&problem, random, a, b, cairn_friction_cone(0.6), 3);
    }

    return problem;
}

static double* take_rows(const cairn_problem* problem)
{
    return calloc((size_t)problem->row_count + 1, sizeof(double));
}

#endif
