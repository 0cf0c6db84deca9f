// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Post-stabilization: after a substep, contacts that overlap are pushed apart by displacements that
// change no velocity. Normal rows only: with J_N and M at the new positions, find x >= 0 with
//
//     J_N M^-1 J_N^T x + g >= 0  ⟂  x >= 0,        g = gap + slop,
//
// by Gauss-Seidel sweeps, and move the bodies by M^-1 J_N^T x. Open gaps give slack. A displacement
// per sweep and contact is bounded, so that one deep overlap does not throw bodies about.
//
// Joints first: one Newton step of J M^-1 J^T λ + C = 0 by the linear-time solver.

#include "world/state.h"
#include <string.h>

enum { sweeps = 4 };
static const double longest_push = 0.05; // m per substep

typedef struct push_row {
    int a, b;
    cairn_vec3 n, turn_a, turn_b; // r x n
    double gap, mobility, amount;
} push_row;

static double mobility(const cairn_body* body, cairn_vec3 turn)
{
    return body->inverse_mass + cairn_dot(turn, cairn_mat3_apply(body->inverse_inertia, turn));
}

// one row per contact that overlaps or may come to
static int list_rows(push_row* rows, const cairn_world* world, bool* any)
{
    int count = 0;
    *any = false;
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
        cairn_vec3 r_a = cairn_rotate(a->q, touch->at_a), r_b = cairn_rotate(b->q, touch->at_b);
        cairn_vec3 apart = cairn_sub(cairn_add(b->x, r_b), cairn_add(a->x, r_a));
        push_row row = {.a = touch->a,
                        .b = touch->b,
                        .n = touch->n,
                        .turn_a = cairn_cross(r_a, touch->n),
                        .turn_b = cairn_cross(r_b, touch->n),
                        .gap = cairn_dot(apart, touch->n) + world->def.slop};
        row.mobility = mobility(a, row.turn_a) + mobility(b, row.turn_b);
        if (row.mobility > 0.0 && row.gap < longest_push)
            rows[count++] = row;
        *any = *any || row.gap < 0.0;
    }
    return count;
}

static double displacement(const double* d, const push_row* row)
{
    const double *a = d + 6 * (ptrdiff_t)row->a, *b = d + 6 * (ptrdiff_t)row->b;
    cairn_vec3 slide = cairn_sub(cairn_vec(b[0], b[1], b[2]), cairn_vec(a[0], a[1], a[2]));
    return cairn_dot(row->n, slide) + cairn_dot(row->turn_b, cairn_vec(b[3], b[4], b[5])) -
           cairn_dot(row->turn_a, cairn_vec(a[3], a[4], a[5]));
}

static void shift(double* d, const cairn_body* body, cairn_vec3 n, cairn_vec3 turn, double amount)
{
    cairn_vec3 spin = cairn_mat3_apply(body->inverse_inertia, turn);
    d[0] += amount * body->inverse_mass * n.x;
    d[1] += amount * body->inverse_mass * n.y;
    d[2] += amount * body->inverse_mass * n.z;
    d[3] += amount * spin.x;
    d[4] += amount * spin.y;
    d[5] += amount * spin.z;
}

static void sweep(push_row* rows, int count, double* d, const cairn_world* world)
{
    for (int i = 0; i < count; i++) {
        push_row* row = &rows[i];
        double missing = -(fmax(row->gap, -longest_push) + displacement(d, row));
        double amount = fmax(0.0, row->amount + missing / row->mobility);
        double change = amount - row->amount;
        row->amount = amount;
        shift(d + 6 * (ptrdiff_t)row->a, &world->bodies[row->a], row->n, row->turn_a, -change);
        shift(d + 6 * (ptrdiff_t)row->b, &world->bodies[row->b], row->n, row->turn_b, change);
    }
}

static void displace_all(cairn_world* world, const double* d)
{
    for (int i = 0; i < world->body_count; i++)
        if (cairn_body_active(&world->bodies[i]))
            cairn_body_displace(&world->bodies[i], d + 6 * (ptrdiff_t)i);
}

static cairn_status push_contacts(cairn_world* world)
{
    bool any;
    push_row* rows = CAIRN_TAKE(&world->arena, push_row, world->touch_count);
    double* d = CAIRN_TAKE_ZEROED(&world->arena, double, 6 * (size_t)world->body_count);
    if (world->arena.failed)
        return CAIRN_NO_MEMORY;
    int count = list_rows(rows, world, &any);
    if (!any)
        return CAIRN_OK;
    for (int k = 0; k < sweeps; k++)
        sweep(rows, count, d, world);
    displace_all(world, d);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- joints

// the equality rows of all joints where they are now, with b = their position error or their
// velocity
static cairn_status joint_problem(cairn_problem* problem, cairn_world* world, bool positions)
{
    cairn_arena* arena = &world->arena;
    size_t most = 6 * (size_t)world->link_count;
    *problem = (cairn_problem){.space = 3, .body_count = world->body_count};
    problem->bodies = CAIRN_TAKE(arena, cairn_mass, world->body_count);
    problem->blocks = CAIRN_TAKE(arena, cairn_block, world->link_count);
    problem->rows = CAIRN_TAKE(arena, cairn_row, most);
    problem->b = CAIRN_TAKE(arena, double, most);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    cairn_world_masses(problem->bodies, world);
    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        if (!cairn_link_active(world, link) || (positions && link->kind == CAIRN_GEAR))
            continue;
        cairn_link_place place = cairn_link_where(world, link);
        cairn_row* rows = problem->rows + problem->row_count;
        int count = cairn_link_rows(rows, link, &place);
        if (count == 0)
            continue;
        problem->blocks[problem->block_count++] = (cairn_block){.kind = CAIRN_JOINT,
                                                                .row = problem->row_count,
                                                                .row_count = count,
                                                                .body_a = link->a,
                                                                .body_b = link->b};
        if (positions)
            cairn_link_errors(problem->b + problem->row_count, link, &place, rows, count);
        for (int k = 0; k < count && !positions; k++)
            problem->b[problem->row_count + k] = cairn_link_velocity(&rows[k], world, link);
        problem->row_count += count;
    }
    return CAIRN_OK;
}

// the least displacement (in the mass metric) that closes the joints, or the same for their
// velocities
static cairn_status close_joints(double* d, cairn_world* world, bool positions, cairn_error* error)
{
    cairn_problem problem;
    cairn_status status = joint_problem(&problem, world, positions);
    double* lambda = CAIRN_TAKE(&world->arena, double, problem.row_count);
    if (status != CAIRN_OK || !lambda)
        return CAIRN_NO_MEMORY;
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.method = "tree";
    def.tolerance = 1e-9;
    def.workspace = world->workspace;
    status = cairn_solve(lambda, &problem, &def, &report, error);
    if (status == CAIRN_OK)
        cairn_problem_body_velocity(d, &problem, lambda);
    return status;
}

static cairn_status project_joints(cairn_world* world, cairn_error* error)
{
    double* d = CAIRN_TAKE(&world->arena, double, 6 * (size_t)world->body_count);
    if (!d)
        return CAIRN_NO_MEMORY;
    cairn_status status = close_joints(d, world, true, error);
    if (status != CAIRN_OK)
        return status;
    displace_all(world, d);
    if (world->def.integrator != CAIRN_MIDPOINT)
        return CAIRN_OK;

    // the midpoint rule leaves a velocity across the joints: remove it where they are now
    status = close_joints(d, world, false, error);
    for (int i = 0; i < world->body_count && status == CAIRN_OK; i++) {
        const double* x = d + 6 * (ptrdiff_t)i;
        cairn_body* body = &world->bodies[i];
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_add(body->v, cairn_vec(x[0], x[1], x[2]));
        body->w = cairn_add(body->w, cairn_vec(x[3], x[4], x[5]));
    }
    return status;
}

cairn_status cairn_world_stabilize(cairn_world* world, cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    if (world->def.stabilization != CAIRN_STABILIZE_POSITIONS)
        return CAIRN_OK;
    if (world->link_count > 0)
        status = project_joints(world, error);
    if (status == CAIRN_OK && world->touch_count > 0)
        status = push_contacts(world);
    return status;
}
