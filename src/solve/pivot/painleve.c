// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From a ray to an impulse (Baraff 1994, section 9 of the method): with Δv = A ray, the impulse
// κ ray changes the velocities by κ Δv, and
//
//     κ = min over sliding contacts with ray_N > 0 and Δv_F·slip < 0 of  b_F·slip / (-Δv_F·slip).
//
// Each application turns one sliding contact into a resting one, so as many as there are contacts
// are enough.

#include "math/accept.h"
#include <cairn/painleve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double along_slip(const cairn_block* block, const double* x)
{
    double sum = 0.0;
    for (int k = 1; k < block->row_count && k < 3; k++)
        sum += block->friction.slip[k - 1] * x[block->row + k];
    return sum;
}

// the step at which a contact's slip stops, or infinity
static double stopping_step(const cairn_block* block, const double* b, const double* dv,
                            const double* ray)
{
    if (block->kind != CAIRN_BLOCK_CONTACT || block->friction.kind != CAIRN_FRICTION_SLIDING ||
        !(ray[block->row] > 0.0))
        return INFINITY;
    double speed = along_slip(block, b), rate = along_slip(block, dv);
    if (speed <= 0.0)
        return 0.0;
    return rate < 0.0 ? speed / -rate : INFINITY;
}

// the step at which an approaching contact comes to rest, or infinity
static double opening_step(const cairn_block* block, const double* b, const double* dv)
{
    bool opens = block->kind == CAIRN_BLOCK_CONTACT && b[block->row] < 0.0 && dv[block->row] > 0.0;
    return opens ? -b[block->row] / dv[block->row] : INFINITY;
}

static cairn_ray_effect find_effect(const cairn_problem* problem, const double* dv,
                                    const double* ray)
{
    cairn_ray_effect effect = {.step = INFINITY, .block = -1};
    for (int pass = 0; pass < 2 && effect.block < 0; pass++)
        for (int c = 0; c < problem->block_count; c++) {
            const cairn_block* block = &problem->blocks[c];
            double step = pass == 0 ? stopping_step(block, problem->b, dv, ray)
                                    : opening_step(block, problem->b, dv);
            if (step < effect.step)
                effect = (cairn_ray_effect){step, c, pass == 0};
        }
    if (effect.block < 0)
        effect.step = 0.0;
    return effect;
}

cairn_status cairn_problem_apply_ray(cairn_problem* problem, const double* ray, double* impulse,
                                     cairn_ray_effect* effect)
{
    if (!problem || !effect || (problem->row_count > 0 && (!impulse || !ray)))
        return CAIRN_BAD_INPUT;

    // A ray = (A ray + b) - b
    double* dv = malloc((size_t)problem->row_count * sizeof(double) + 1);
    if (!dv || cairn_problem_velocity(problem, ray, dv) != CAIRN_OK) {
        free(dv);
        return CAIRN_NO_MEMORY;
    }
    for (int i = 0; i < problem->row_count; i++)
        dv[i] -= problem->b[i];

    *effect = find_effect(problem, dv, ray);
    for (int i = 0; i < problem->row_count; i++) {
        problem->b[i] += effect->step * dv[i];
        impulse[i] += effect->step * ray[i];
    }

    // the contact whose slip has stopped may stick from now on
    if (effect->stopped) {
        cairn_friction* friction = &problem->blocks[effect->block].friction;
        *friction = cairn_friction_cone(friction->mu[0]);
    }

    free(dv);
    return CAIRN_OK;
}

// solves `problem`, whose laws and velocities it may change, until no ray is left
static cairn_status solve_until_finite(double* lambda, double* impulse, cairn_problem* problem,
                                       const cairn_solve_def* def, int* applied,
                                       cairn_report* report, cairn_error* error)
{
    // a ray that is applied stops the slip of one contact: no more of them than blocks, and one
    for (;;) {
        cairn_status status = cairn_solve(problem, def, lambda, report, error);
        cairn_ray_effect effect;
        if (status != CAIRN_OK || report->outcome != CAIRN_OUTCOME_RAY ||
            *applied > problem->block_count)
            return status;
        status = cairn_problem_apply_ray(problem, def->ray, impulse, &effect);
        if (status != CAIRN_OK || effect.block < 0)
            return status;
        ++*applied;
    }
}

cairn_status cairn_solve_with_rays(const cairn_problem* problem, const cairn_solve_def* def,
                                   double* lambda, int* applied, cairn_report* report,
                                   cairn_error* error)
{
    if (!problem || !def || !report || (problem->row_count > 0 && !lambda))
        return cairn_refuse_null(error,
                                 "the problem, the def, the report or the place for the impulses");

    int count = 0;
    size_t n = (size_t)problem->row_count;
    double* memory = calloc(3 * n + 1, sizeof(double));
    double *impulse = memory, *ray = memory + n, *last = memory + 2 * n;
    cairn_problem changed;
    if (!memory || cairn_problem_copy(problem, &changed) != CAIRN_OK) {
        free(memory);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to solve %d rows", problem->row_count);
    }

    // each ray is added to `impulse`, the finite answer after them is `last`
    cairn_solve_def with_ray = *def;
    with_ray.ray = ray;
    cairn_status status =
        solve_until_finite(last, impulse, &changed, &with_ray, &count, report, error);

    for (size_t i = 0; status == CAIRN_OK && i < n; i++)
        lambda[i] = impulse[i] + last[i];
    if (status == CAIRN_OK && count > 0 && !report->note[0])
        snprintf(report->note, sizeof report->note, "a ray was applied %d times", count);

    if (applied)
        *applied = count;
    cairn_problem_destroy(&changed);
    free(memory);
    return status;
}
