// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "mixed_problem.h"
#include <cairn/random.h>
#include <stdlib.h>

enum { bodies = 6 };

static cairn_mass random_mass(cairn_random* random)
{
    cairn_vec3 v = cairn_random_vec3(random);
    cairn_quat q = {cairn_random_unit(random), v.x, v.y, v.z};
    cairn_mat3 R = cairn_quat_to_mat3(cairn_quat_normalize(q));
    cairn_mat3 D = cairn_mat3_diagonal(cairn_random_range(random, 0.2, 3.0),
                                       cairn_random_range(random, 0.2, 3.0),
                                       cairn_random_range(random, 0.2, 3.0));
    cairn_mat3 I = cairn_mat3_multiply(cairn_mat3_multiply(R, D), cairn_mat3_transpose(R));
    return (cairn_mass){cairn_random_range(random, 0.2, 2.0), I};
}

static void add(cairn_problem* problem, cairn_random* random, cairn_block block)
{
    cairn_row rows[6];
    double b[6];
    block.body_a = cairn_random_index(random, bodies + 1) - 1;
    block.body_b = cairn_random_index(random, bodies);
    for (int i = 0; i < block.row_count; i++) {
        b[i] = cairn_random_range(random, -1.0, 1.0);
        for (int k = 0; k < 6; k++) {
            rows[i].a[k] = cairn_random_range(random, -1.0, 1.0);
            rows[i].b[k] = cairn_random_range(random, -1.0, 1.0);
        }
    }
    cairn_problem_add_block(problem, &block, rows, b);
}

static void project_on_square(double* f, double normal, int rows, void* context)
{
    double limit = normal * *(const double*)context;
    for (int k = 0; k < rows; k++)
        f[k] = f[k] > limit ? limit : f[k] < -limit ? -limit : f[k];
}

cairn_problem mixed_problem(uint64_t seed)
{
    static const double square = 0.3;
    cairn_random random = {seed};
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < bodies; i++)
        cairn_problem_add_body(&problem, i == 2 ? (cairn_mass){0} : random_mass(&random));
    for (int rows = 1; rows <= 4; rows++)
        for (int kind = CAIRN_FRICTION_NONE; kind <= CAIRN_FRICTION_CUSTOM; kind++)
            add(&problem, &random,
                (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                              .row_count = rows,
                              .friction = {.kind = (cairn_friction_kind)kind,
                                           .facets = 5,
                                           .mu = {0.4, 0.7, 0.1},
                                           .slip = {0.6, -0.8},
                                           .project = project_on_square,
                                           .context = (void*)&square}});
    for (int rows = 1; rows <= 6; rows++)
        for (int kind = CAIRN_BLOCK_JOINT; kind <= CAIRN_BLOCK_VELOCITY; kind++)
            add(&problem, &random,
                (cairn_block){.kind = (cairn_block_kind)kind, .row_count = rows});
    for (int i = 0; i < problem.row_count; i++)
        cairn_problem_set_bounds(&problem, i, -cairn_random_unit(&random),
                                 cairn_random_unit(&random));
    problem.compliance = malloc((size_t)problem.row_capacity * sizeof(double));
    problem.warm = malloc((size_t)problem.row_capacity * sizeof(double));
    for (int i = 0; i < problem.row_count; i++) {
        problem.compliance[i] = i % 3 == 0 ? cairn_random_unit(&random) : 0.0;
        problem.warm[i] = cairn_random_range(&random, -1.0, 1.0);
    }
    return problem;
}

double* random_numbers(uint64_t seed, int n)
{
    cairn_random random = {seed};
    double* x = malloc((size_t)n * sizeof(double) + 1);
    for (int i = 0; i < n; i++)
        x[i] = cairn_random_range(&random, -1.0, 1.0);
    return x;
}
