// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One step: detect contacts, then for each substep assemble the problem, solve it, integrate, and
// push overlapping bodies apart. Each stage is one function.

#include "world/rest.h"
#include "world/rotation.h"
#include "world/state.h"

static const double resting_speed = 0.5;   // m/s: faster bodies are not tried at rest
static const double rest_tolerance = 1e-5; // m/s

// whether the rest pass is worth a try: contacts only, and nothing moves fast
static bool slow(const cairn_world* world)
{
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        if (body->alive &&
            (cairn_norm(body->v) > resting_speed || cairn_norm(body->w) > resting_speed))
            return false;
    }
    return true;
}

static void measure_solve(cairn_step_report* report, cairn_world* world, const cairn_report* solve)
{
    world->solved = *solve;
    report->residual = fmax(report->residual, solve->residual.relative);
    report->residual_velocity = fmax(report->residual_velocity, solve->residual.velocity);
    report->method = solve->method;
    if (solve->outcome != CAIRN_CONVERGED)
        report->outcome = solve->outcome;
}

static double largest(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// the impulses of one substep: by the rest pass where it is certified, else by a method
static cairn_status solve(double* lambda, const cairn_problem* problem, const double* velocity,
                          cairn_world* world, cairn_step_report* report, cairn_error* error)
{
    if (world->def.rest_pass && world->link_count == 0 && slow(world)) {
        double* gap = CAIRN_TAKE(&world->arena, double, problem->block_count);
        double residual;
        if (!gap)
            return CAIRN_NO_MEMORY;
        for (int c = 0; c < problem->block_count; c++)
            gap[c] = world->touches[c].gap;
        cairn_status status = cairn_rest_attempt(lambda, &residual, problem, velocity, gap,
                                                 cairn_touching_gap, &world->arena);
        if (status != CAIRN_OK)
            return status;
        double scale = largest(problem->b, problem->row_count);
        if (residual <= rest_tolerance && residual <= world->def.tolerance * scale) {
            cairn_report rest = {.method = "rest", .tolerance = world->def.tolerance};
            rest.residual.relative = scale > 0.0 ? residual / scale : residual;
            rest.residual.velocity = residual;
            measure_solve(report, world, &rest);
            report->rested++;
            return CAIRN_OK;
        }
    }
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report solved;
    def.method = world->def.method;
    def.tolerance = world->def.tolerance;
    def.time_limit = world->def.time_limit;
    def.threads = world->def.threads;
    def.warm_start = true;
    def.workspace = world->workspace;
    cairn_status status = cairn_solve(lambda, problem, &def, &solved, error);
    if (status == CAIRN_OK)
        measure_solve(report, world, &solved);
    return status;
}

// hands the impulses back to the contacts, for the next substep and for the user
static void keep_impulses(cairn_world* world, const cairn_problem* problem, const double* lambda)
{
    for (int c = 0; c < world->touch_count; c++) {
        cairn_touch* touch = &world->touches[c];
        const cairn_block* block = &problem->blocks[c];
        cairn_vec3 sum = cairn_vec(0.0, 0.0, 0.0);
        for (int i = 0; i < 3; i++) {
            const double* along = problem->rows[block->row + i].b;
            sum = cairn_add_scaled(sum, lambda[block->row + i],
                                   cairn_vec(along[0], along[1], along[2]));
        }
        touch->impulse = sum;
        touch->spin_impulse = block->row_count == 4 ? lambda[block->row + 3] : 0.0;
        touch->total = cairn_add(touch->total, sum);
    }
    cairn_world_keep_link_impulses(world, problem, world->touch_count, lambda);
}

// moves all bodies by their velocities for h seconds
static void drift(cairn_world* world, double h)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (!body->alive || body->frozen || body->asleep || body->type == CAIRN_STATIC)
            continue;
        cairn_vec3 inertia = body->type == CAIRN_DYNAMIC ? body->inertia : cairn_vec(1.0, 1.0, 1.0);
        body->x = cairn_add_scaled(body->x, h, body->v);
        cairn_rotate_freely(&body->q, &body->w, inertia, h);
        cairn_body_refresh(body);
    }
}

static void kick(cairn_world* world, const double* velocity, const double* change)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        const double *v = velocity + 6 * (ptrdiff_t)i, *d = change + 6 * (ptrdiff_t)i;
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_vec(v[0] + d[0], v[1] + d[1], v[2] + d[2]);
        body->w = cairn_vec(v[3] + d[3], v[4] + d[4], v[5] + d[5]);
    }
}

static cairn_status substep(cairn_world* world, double h, cairn_step_report* report,
                            cairn_error* error)
{
    cairn_problem problem;
    double* velocity;
    double start = cairn_world_clock();
    bool midpoint = world->def.integrator == CAIRN_MIDPOINT;
    cairn_arena_reset(&world->arena);
    cairn_world_freeze_lost(world, h, report);
    if (midpoint)
        drift(world, 0.5 * h);
    cairn_status status = cairn_world_assemble(&problem, &velocity, world, h);
    double* lambda = CAIRN_TAKE(&world->arena, double, problem.row_count);
    double* change = CAIRN_TAKE(&world->arena, double, 6 * (size_t)world->body_count);
    if (status != CAIRN_OK || world->arena.failed)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a problem of %d contacts",
                          world->touch_count);
    double assembled = cairn_world_clock();
    report->ms_assemble += assembled - start;
    status = solve(lambda, &problem, velocity, world, report, error);
    if (status != CAIRN_OK)
        return status;
    double solved = cairn_world_clock();
    report->ms_solve += solved - assembled;
    if (world->hook)
        world->hook(world->hook_context, &problem, lambda);
    cairn_problem_body_velocity(change, &problem, lambda);
    keep_impulses(world, &problem, lambda);
    kick(world, velocity, change);
    drift(world, midpoint ? 0.5 * h : h);
    cairn_world_freeze_lost(world, 0.0, report);
    status = cairn_world_stabilize(world, error);
    report->ms_integrate += cairn_world_clock() - solved;
    return status;
}

cairn_status cairn_world_step(cairn_world* world, double dt, cairn_step_report* report,
                              cairn_error* error)
{
    cairn_step_report out = {.method = "none"};
    if (!(isfinite(dt) && dt > 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT, "the step is %g s, expected > 0", dt);
    cairn_status status = cairn_world_detect(world, dt, &out);
    for (int k = 0; k < world->def.substeps && status == CAIRN_OK; k++)
        status = substep(world, dt / world->def.substeps, &out, error);
    if (status == CAIRN_NO_MEMORY)
        return cairn_fail(error, status, "no memory for a step of %d bodies", world->body_count);
    if (status != CAIRN_OK)
        return status;
    world->step++;
    world->time += dt;
    cairn_world_publish(world, &out);
    if (report)
        *report = out;
    return CAIRN_OK;
}
