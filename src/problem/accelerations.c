// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A contact problem at the level of accelerations (Baraff 1994):
//
//     a = A λ + b,     b = J M^-1 F + J̇ u,     λ forces.

#include "math/accept.h"
#include "problem/mass.h"
#include <cairn/problem.h>

// ω × (ω × r)
static cairn_vec3 centripetal(const cairn_moving_point* p)
{
    return cairn_cross(p->w, cairn_cross(p->w, p->r));
}

static cairn_vec3 velocity(const cairn_moving_point* p)
{
    return cairn_add(p->v, cairn_cross(p->w, p->r));
}

void cairn_frame_bias(cairn_mat3 frame, const cairn_moving_point* a, const cairn_moving_point* b,
                      int row_count, double* bias)
{
    const cairn_moving_point still = {.v = cairn_vec(0.0, 0.0, 0.0)};
    if (!bias)
        return;

    a = a ? a : &still;
    b = b ? b : &still;

    cairn_vec3 c = cairn_sub(centripetal(b), centripetal(a));
    cairn_vec3 v = cairn_sub(velocity(b), velocity(a));

    for (int k = 0; k < row_count; k++) {
        if (k > 2) {
            bias[k] = 0.0;
            continue;
        }

        cairn_vec3 f = k == 0 ? frame.cx : k == 1 ? frame.cy : frame.cz;
        bias[k] = cairn_dot(f, c) + 2.0 * cairn_dot(cairn_cross(a->w, f), v);
    }
}

// one side's part of J M^-1 F
static double pushed(const cairn_problem* problem, int body, const double* row, const double* force)
{
    if (body == CAIRN_WORLD_BODY || !cairn_mass_moves(&problem->bodies[body]))
        return 0.0;
    const cairn_mass* mass = &problem->bodies[body];
    const double* F = force + 6 * (ptrdiff_t)body;
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(F[3], F[4], F[5]));
    return mass->inverse_mass * (row[0] * F[0] + row[1] * F[1] + row[2] * F[2]) + row[3] * turn.x +
           row[4] * turn.y + row[5] * turn.z;
}

cairn_status cairn_problem_set_accelerations(cairn_problem* problem, const double* force,
                                             const double* bias, cairn_error* error)
{
    if (!problem || (problem->body_count > 0 && !force))
        return cairn_refuse_null(error, "the problem or the forces");

    cairn_status status = cairn_problem_check(problem, error);
    if (status != CAIRN_OK)
        return status;

    if (!problem->rows && problem->row_count > 0)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED, "an explicit matrix has no rows J");

    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++)
            problem->b[i] = pushed(problem, block->body_a, problem->rows[i].a, force) +
                            pushed(problem, block->body_b, problem->rows[i].b, force) +
                            (bias ? bias[i] : 0.0);
    }
    return CAIRN_OK;
}
