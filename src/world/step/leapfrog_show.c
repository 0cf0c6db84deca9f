// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The end kick of a substep as a problem, for whoever looks on: the rows where the bodies have
// come, the impulses of the kick, and b such that A λ + b is what the rows miss.

#include "world/step/leapfrog.h"
#include <cairn/joint.h>

static void add_block(cairn_problem* problem, const cairn_tie* tie, cairn_block_kind kind,
                      int count)
{
    problem->blocks[problem->block_count++] = (cairn_block){.kind = kind,
                                                            .row = problem->row_count,
                                                            .row_count = count,
                                                            .body_a = tie->a,
                                                            .body_b = tie->b};
    problem->row_count += count;
}

// one row, with its impulse and what J u has to be added
static void add_row(cairn_problem* problem, double* lambda, cairn_row row, double impulse,
                    double bias)
{
    int at = problem->row_count;
    problem->rows[at] = row;
    problem->b[at] = bias;
    problem->lo[at] = -INFINITY;
    problem->hi[at] = INFINITY;
    problem->compliance[at] = 0.0;
    problem->warm[at] = lambda[at] = impulse;
}

static void add_free(cairn_problem* problem, double* lambda, const cairn_tie* tie)
{
    const cairn_free* free = &tie->more->free;
    cairn_row row = tie->more->rows[tie->more->count];
    if (!free->there)
        return;

    // a limit, as a row that pushes inward
    if (free->side != 0.0) {
        cairn_row inward = row;
        for (int k = 0; k < 6; k++) {
            inward.a[k] *= free->side;
            inward.b[k] *= free->side;
        }
        add_row(problem, lambda, inward, free->limit, 0.0);
        add_block(problem, tie, CAIRN_BLOCK_LIMIT, 1);
    }

    // a motor, bounded by its strength in the kick
    if (tie->link->driven) {
        add_row(problem, lambda, row, free->motor, -tie->link->speed);
        problem->lo[problem->row_count] = -free->bound;
        problem->hi[problem->row_count] = free->bound;
        add_block(problem, tie, CAIRN_BLOCK_MOTOR, 1);
    }

    // a spring and damper, as a row with compliance
    if (free->soft > 0.0) {
        add_row(problem, lambda, row, free->pull, free->bias);
        problem->compliance[problem->row_count] = free->soft;
        add_block(problem, tie, CAIRN_BLOCK_JOINT, 1);
    }
}

static void add_tie(cairn_problem* problem, double* lambda, const cairn_flight* all,
                    const cairn_tie* tie)
{
    const double* mu = all->lambda + tie->first;
    cairn_row balls[3], *rows = tie->more ? tie->more->rows : balls;
    int count = tie->more ? (tie->more->blank ? 0 : tie->more->count) : 3;
    if (!tie->more)
        cairn_ball_rows(tie->r_a, tie->r_b, balls);

    int first = problem->row_count;
    for (int r = 0; r < count; r++, problem->row_count++)
        add_row(problem, lambda, rows[r], mu[r], 0.0);
    problem->row_count = first;
    if (count > 0)
        add_block(problem, tie,
                  cairn_joint_is_gear(tie->link->kind) ? CAIRN_BLOCK_VELOCITY : CAIRN_BLOCK_JOINT,
                  count);

    if (tie->more && tie->more->extra)
        add_free(problem, lambda, tie);
}

// b += J (u - y), y what the impulses have done, kinematic bodies included
static void add_velocities(cairn_problem* problem, const cairn_flight* all, const double* y)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const int sides[2] = {block->body_a, block->body_b};
        for (int r = block->row; r < block->row + block->row_count; r++)
            for (int s = 0; s < 2; s++) {
                if (sides[s] < 0)
                    continue;
                const double* j = s ? problem->rows[r].b : problem->rows[r].a;
                const double* d = y + 6 * (ptrdiff_t)sides[s];
                const cairn_twist* u = &all->movers[sides[s]].u;
                const double x[6] = {u->v.x, u->v.y, u->v.z, u->w.x, u->w.y, u->w.z};
                for (int k = 0; k < 6; k++)
                    problem->b[r] += j[k] * (x[k] - d[k]);
            }
    }
}

// adds the velocities of kinematic bodies to b
static void add_own(cairn_problem* problem, const cairn_flight* all)
{
    int c = 0;
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        double u[6] = {0.0};
        cairn_tie_own_velocity(u, all, tie);

        int rows = tie->more ? (tie->more->blank ? 0 : tie->more->count) : 3;

        // the blocks of a joint come in the order in which add_tie and add_free have made them
        if (rows > 0) {
            for (int r = 0; r < rows; r++)
                problem->b[problem->blocks[c].row + r] += u[r];
            c++;
        }

        if (!tie->more || !tie->more->extra || !tie->more->free.there)
            continue;
        const cairn_free* free = &tie->more->free;
        double own = u[tie->more->count];
        if (free->side != 0.0)
            problem->b[problem->blocks[c++].row] += free->side * own;
        if (tie->link->driven)
            problem->b[problem->blocks[c++].row] += own;
        if (free->soft > 0.0)
            problem->b[problem->blocks[c++].row] += own;
    }
}

void cairn_flight_show(const cairn_flight* all, cairn_judged* judged)
{
    const cairn_span* span = all->span;
    if (!span->world->solve_hook)
        return;

    cairn_arena_mark mark = cairn_arena_here(span->arena);
    size_t rows = (size_t)all->row_count + 2 * (size_t)all->link_count;
    size_t blocks = 4 * (size_t)all->link_count;

    cairn_problem problem = {.space = 3, .body_count = all->body_count};
    problem.bodies = CAIRN_TAKE(span->arena, cairn_mass, all->body_count);
    problem.blocks = CAIRN_TAKE(span->arena, cairn_block, blocks);
    problem.rows = CAIRN_TAKE(span->arena, cairn_row, rows);
    problem.b = CAIRN_TAKE(span->arena, double, rows);
    problem.lo = CAIRN_TAKE(span->arena, double, rows);
    problem.hi = CAIRN_TAKE(span->arena, double, rows);
    problem.compliance = CAIRN_TAKE(span->arena, double, rows);
    problem.warm = CAIRN_TAKE(span->arena, double, rows);
    double* lambda = CAIRN_TAKE(span->arena, double, rows);
    double* y = CAIRN_TAKE(span->arena, double, 6 * (size_t)all->body_count);

    if (span->arena->failed)
        return;

    for (int i = 0; i < all->body_count; i++)
        problem.bodies[i] =
            (cairn_mass){all->movers[i].inverse_mass, all->movers[i].inverse_inertia};
    for (int i = 0; i < all->link_count; i++)
        add_tie(&problem, lambda, all, &all->ties[i]);

    // b is what the rows miss without the impulses of the kick
    cairn_problem_body_velocity(&problem, lambda, y);
    add_velocities(&problem, all, y);
    add_own(&problem, all);

    // the report tells the residual of the problem that the hook sees
    cairn_residual residual;
    judged->scale = 0.0;
    for (int i = 0; i < problem.row_count; i++)
        judged->scale = fmax(judged->scale, fabs(problem.b[i]));
    if (cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual) == CAIRN_OK)
        judged->residual = residual.velocity;

    cairn_span shown = *span;
    shown.h = all->eta;
    cairn_island_witness(&shown, &problem, lambda, judged, NULL);
    cairn_arena_release(span->arena, mark);
}
