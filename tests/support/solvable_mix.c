// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "solvable_mix.h"
#include <cairn/random.h>

static void project_on_diamond(double* f, double normal, int rows, void* context)
{
    // |f_0| + |f_1| <= 0.4 normal, by the edge of the quadrant that f lies in
    double limit = 0.4 * normal, x = fabs(f[0]), y = rows > 1 ? fabs(f[1]) : 0.0;
    (void)context;
    if (x + y > limit) {
        double over = 0.5 * (x + y - limit);
        double u = x - over, v = y - over;
        if (u < 0.0) {
            u = 0.0;
            v = limit;
        } else if (v < 0.0) {
            v = 0.0;
            u = limit;
        }
        f[0] = copysign(u, f[0]);
        if (rows > 1)
            f[1] = copysign(v, f[1]);
    }
    if (rows > 2)
        f[2] = 0.0;
}

static double row_speed(const cairn_row* row, const double* a, const double* b)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += (a ? row->a[k] * a[k] : 0.0) + (b ? row->b[k] * b[k] : 0.0);
    return sum;
}

static void add(cairn_problem* problem, cairn_block block, const cairn_row* rows, double (*v)[6])
{
    double b[6];
    for (int i = 0; i < block.row_count; i++)
        b[i] = row_speed(&rows[i], block.body_a >= 0 ? v[block.body_a] : NULL, v[block.body_b]);
    cairn_problem_add_block(problem, &block, rows, b);
}

cairn_problem solvable_mix(uint64_t seed)
{
    static const cairn_friction_kind kinds[] = {CAIRN_FRICTION_NONE,    CAIRN_FRICTION_CONE,
                                                CAIRN_FRICTION_ELLIPSE, CAIRN_FRICTION_ELLIPSOID,
                                                CAIRN_FRICTION_PYRAMID, CAIRN_FRICTION_BOX,
                                                CAIRN_FRICTION_CUSTOM};
    enum { bodies = 7 };
    cairn_random random = {seed};
    cairn_problem problem = cairn_problem_empty();
    cairn_vec3 zero = cairn_vec(0.0, 0.0, 0.0);
    double v[bodies][6];
    for (int i = 0; i < bodies; i++) {
        cairn_problem_add_body(&problem, (cairn_mass){cairn_random_range(&random, 0.5, 2.0),
                                                      cairn_mat3_diagonal(3.0, 4.0, 5.0)});
        for (int k = 0; k < 6; k++)
            v[i][k] = cairn_random_range(&random, -1.0, 1.0) - (k == 2 ? 1.0 : 0.0);
    }

    // two contacts each, of 3 rows or, with torsion, 4
    for (int i = 0; i < 2 * bodies; i++) {
        cairn_row rows[4];
        cairn_friction_kind kind = kinds[i / 2];
        int count = kind == CAIRN_FRICTION_ELLIPSOID ? 4 : 3;
        cairn_vec3 r = cairn_vec(i % 2 ? 0.4 : -0.4, cairn_random_range(&random, -0.2, 0.2), -0.3);
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, r, count, rows);
        cairn_block block = {
            .kind = CAIRN_BLOCK_CONTACT,
            .row_count = count,
            .body_a = CAIRN_WORLD_BODY,
            .body_b = i / 2,
            .friction = {
                .kind = kind, .facets = 6, .mu = {0.4, 0.2, 0.05}, .project = project_on_diamond}};
        add(&problem, block, rows, v);
    }

    // a ball joint, a one-sided row, a motor and a gear
    static const cairn_block_kind others[] = {CAIRN_BLOCK_JOINT, CAIRN_BLOCK_LIMIT,
                                              CAIRN_BLOCK_MOTOR, CAIRN_BLOCK_VELOCITY};
    for (int i = 0; i < 4; i++) {
        cairn_row rows[3];
        cairn_vec3 r = cairn_random_vec3(&random), s = cairn_random_vec3(&random);
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), r, s, 3, rows);
        cairn_block block = {.kind = others[i],
                             .row_count = others[i] == CAIRN_BLOCK_JOINT ? 3 : 1,
                             .body_a = i,
                             .body_b = i + 1};
        add(&problem, block, rows, v);
        if (others[i] == CAIRN_BLOCK_MOTOR)
            cairn_problem_set_bounds(&problem, problem.row_count - 1, -0.3, 0.2);
    }
    return problem;
}
