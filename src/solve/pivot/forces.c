// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forces at the level of accelerations, with impacts without collision (Baraff 1994). Two problems
// share rows and matrix: forces f with accelerations a = A f + b, and impulses p with velocities
// u' = A p + u. A ray of the first is a direction of the second:
//
//     no finite f  ->  p = κ ray until a slip stops (painleve.c), then p that ends every approach
//                  ->  contacts judged by u', and f once more.

#include "math/accept.h"
#include <cairn/painleve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// of the largest velocity: slower is at rest
static const double at_rest = 1e-9;

typedef struct instant {
    const cairn_problem* problem;
    double* velocity; // J u so far
    double* ray;      // of the part that is solved
    double* part_force;
    double* part_impulse;
    double* change;
    int* blocks; // those that take part
    int* row_of;
    int block_count;
    double still; // m/s
} instant;

static bool parts(const instant* at, const cairn_block* block)
{
    return block->kind == CAIRN_BLOCK_CONTACT && at->velocity[block->row] > at->still;
}

// the law of a contact that slips, or may
static void judge(cairn_block* block, const double* v, double still)
{
    cairn_friction_kind kind = block->friction.kind;
    double x = block->row_count > 1 ? v[1] : 0.0, y = block->row_count > 2 ? v[2] : 0.0;
    double speed = cairn_hypot(x, y), mu = block->friction.mu[0];
    if (block->kind != CAIRN_BLOCK_CONTACT ||
        (kind != CAIRN_FRICTION_CONE && kind != CAIRN_FRICTION_PYRAMID &&
         kind != CAIRN_FRICTION_SLIDING))
        return;
    block->friction = cairn_friction_cone(mu);
    if (speed > still)
        block->friction = (cairn_friction){
            .kind = CAIRN_FRICTION_SLIDING, .mu = {mu}, .slip = {x / speed, y / speed}};
}

// the contacts that touch, with the laws that their velocities give them
static cairn_status extract(instant* at, cairn_problem* part)
{
    at->block_count = 0;
    for (int c = 0; c < at->problem->block_count; c++)
        if (!parts(at, &at->problem->blocks[c]))
            at->blocks[at->block_count++] = c;
    cairn_status status =
        cairn_problem_extract(at->problem, at->blocks, at->block_count, part, at->row_of);
    if (status != CAIRN_OK)
        return status;
    for (int c = 0; c < part->block_count; c++)
        judge(&part->blocks[c], at->velocity + at->row_of[part->blocks[c].row], at->still);
    return CAIRN_OK;
}

static bool approaches(const cairn_problem* part, double still)
{
    for (int c = 0; c < part->block_count; c++)
        if (part->blocks[c].kind == CAIRN_BLOCK_CONTACT && part->b[part->blocks[c].row] < -still)
            return true;
    return false;
}

// The impulse of a ray, and what ends the approach that it leaves, added to `impulse`; the
// velocities follow. `blocked`: the ray stops nothing.
static cairn_status strike(instant* at, cairn_problem* part, const cairn_solve_def* def,
                           double* impulse, bool* blocked, cairn_error* error)
{
    const cairn_problem* problem = at->problem;
    cairn_ray_effect effect;
    cairn_report report;
    size_t rows = (size_t)part->row_count;

    // the velocities of the rows that take part
    memset(at->part_impulse, 0, rows * sizeof(double));
    for (size_t i = 0; i < rows; i++)
        part->b[i] = at->velocity[at->row_of[i]];

    cairn_status status = cairn_problem_apply_ray(part, at->ray, at->part_impulse, &effect);
    *blocked = effect.block < 0;

    // the ray may leave an approach: an inelastic impact ends it
    if (status == CAIRN_OK && !*blocked && approaches(part, at->still)) {
        status = cairn_solve_with_rays(part, def, at->part_force, NULL, &report, error);
        for (size_t i = 0; status == CAIRN_OK && i < rows; i++)
            at->part_impulse[i] += at->part_force[i];
    }
    if (status != CAIRN_OK || *blocked)
        return status;

    // u' = u + A p over all rows, also of contacts that part
    double* p = at->part_force;
    memset(p, 0, (size_t)problem->row_count * sizeof(double));
    for (size_t i = 0; i < rows; i++) {
        p[at->row_of[i]] = at->part_impulse[i];
        impulse[at->row_of[i]] += at->part_impulse[i];
    }
    status = cairn_problem_velocity(problem, p, at->change);
    for (int i = 0; status == CAIRN_OK && i < problem->row_count; i++)
        at->velocity[i] += at->change[i] - problem->b[i];
    return status;
}

static cairn_status solve(instant* at, const cairn_solve_def* def, cairn_forces* forces,
                          cairn_report* report, cairn_error* error)
{
    // each ray ends a slip or an approach: no more of them than contacts, and one
    for (forces->applied = 0;; forces->applied++) {
        cairn_problem part;
        bool blocked = true;

        cairn_status status = extract(at, &part);
        if (status != CAIRN_OK)
            return status;

        status = cairn_solve(&part, def, at->part_force, report, error);
        bool again = status == CAIRN_OK && report->outcome == CAIRN_OUTCOME_RAY &&
                     forces->applied <= at->problem->block_count;
        memset(forces->force, 0, (size_t)at->problem->row_count * sizeof(double));
        for (int i = 0; status == CAIRN_OK && i < part.row_count; i++)
            forces->force[at->row_of[i]] = at->part_force[i];

        if (again)
            status = strike(at, &part, def, forces->impulse, &blocked, error);
        cairn_problem_destroy(&part);
        if (status != CAIRN_OK || blocked)
            return status;
    }
}

static bool take(instant* at, const cairn_problem* problem, const double* velocity, double** memory)
{
    size_t n = (size_t)problem->row_count, blocks = (size_t)problem->block_count;
    double* x = *memory = calloc(5 * n + 1, sizeof(double));
    int* k = malloc((n + blocks + 1) * sizeof(int));
    at->problem = problem;
    at->blocks = k;
    if (!x || !k)
        return false;

    at->velocity = x;
    at->ray = x + n;
    at->part_force = x + 2 * n;
    at->part_impulse = x + 3 * n;
    at->change = x + 4 * n;
    at->row_of = k + blocks;

    // velocities far below the largest count as rest
    for (size_t i = 0; velocity && i < n; i++) {
        at->velocity[i] = velocity[i];
        at->still = fmax(at->still, at_rest * fabs(velocity[i]));
    }
    return true;
}

cairn_status cairn_solve_forces(const cairn_problem* problem, const double* velocity,
                                const cairn_solve_def* def, cairn_forces* forces,
                                cairn_report* report, cairn_error* error)
{
    if (!problem || !def || !forces || !report ||
        (problem->row_count > 0 && (!forces->force || !forces->impulse)))
        return cairn_refuse_null(error, "the problem, the def, the report or the place for forces");

    cairn_status status = cairn_problem_check(problem, error);
    if (status != CAIRN_OK)
        return status;

    for (int i = 0; velocity && i < problem->row_count; i++)
        if (!isfinite(velocity[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT, "row %d: velocity %g is not finite", i,
                              velocity[i]);

    instant at = {0};
    double *memory, *own = calloc(2 * (size_t)problem->row_count + 1, sizeof(double));
    cairn_solve_def with_ray = *def;
    status = CAIRN_NO_MEMORY;
    if (take(&at, problem, velocity, &memory) && own) {
        // what is refused leaves the caller's arrays as they were
        cairn_forces out = {.force = own, .impulse = own + problem->row_count};
        with_ray.ray = at.ray;
        status = solve(&at, &with_ray, &out, report, error);
        if (status == CAIRN_OK && problem->row_count > 0) {
            memcpy(forces->force, out.force, (size_t)problem->row_count * sizeof(double));
            memcpy(forces->impulse, out.impulse, (size_t)problem->row_count * sizeof(double));
        }
        forces->applied = out.applied;
    }

    if (status == CAIRN_NO_MEMORY)
        cairn_fail(error, status, "no memory to solve %d rows", problem->row_count);
    free(memory);
    free(own);
    free(at.blocks);
    return status;
}
