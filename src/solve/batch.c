// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dealing the contacts of a problem to batches, and the way in and out of them; see batch.h.

#include "solve/batch.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include <string.h>

// whether boxes are what the contacts ask for
static bool all_boxed(const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind == CAIRN_CONTACT)
            return problem->blocks[c].friction.kind == CAIRN_BOX;
    return false;
}

static bool fits(const cairn_batch_plan* plan, const cairn_block* block)
{
    if (block->kind != CAIRN_CONTACT || block->row_count > 3 || block->body_a == block->body_b)
        return false;
    cairn_friction friction = cairn_friction_as(&block->friction, plan->law, 0);
    return friction.kind == CAIRN_FRICTIONLESS ||
           friction.kind == (plan->box ? CAIRN_BOX : CAIRN_CONE);
}

bool cairn_batch_plan_make(cairn_batch_plan* plan, const cairn_delassus* A, cairn_law law,
                           cairn_arena* arena)
{
    const cairn_problem* problem = A->problem;
    *plan = (cairn_batch_plan){.A = A, .law = law, .relaxation = 1.0};
    plan->box = law == CAIRN_LAW_BOX || all_boxed(problem);
    plan->rest = CAIRN_TAKE(arena, int, problem->block_count);
    int* fit = CAIRN_TAKE(arena, int, problem->block_count);
    if (arena->failed)
        return false;
    int count = 0;
    for (int c = 0; c < problem->block_count; c++)
        if (!problem->A && fits(plan, &problem->blocks[c]))
            fit[count++] = c;
        else
            plan->rest[plan->rest_count++] = c;
    if (!cairn_color_blocks(&plan->coloring, problem, fit, count, arena))
        return false;

    // full batches per color, then one contact per batch for what found no color
    const cairn_coloring* coloring = &plan->coloring;
    for (int k = 0; k < coloring->count; k++) {
        int size = coloring->begin[k + 1] - coloring->begin[k];
        plan->batch_begin[k + 1] = plan->batch_begin[k] + (size + cairn_lanes - 1) / cairn_lanes;
    }
    plan->batch_count =
        plan->batch_begin[coloring->count] + count - coloring->begin[coloring->count];
    plan->batch_begin[coloring->count + 1] = plan->batch_count;
    plan->slot_count = problem->body_count + plan->batch_count;
    return true;
}

// the blocks of batch i: returns how many
static int lanes_of(const cairn_batch_plan* plan, int i, const int** blocks)
{
    const cairn_coloring* coloring = &plan->coloring;
    int k = 0;
    while (k < coloring->count && i >= plan->batch_begin[k + 1])
        k++;
    int step = k < coloring->count ? cairn_lanes : 1;
    int first = coloring->begin[k] + step * (i - plan->batch_begin[k]);
    int end = k < coloring->count ? coloring->begin[k + 1] : first + 1;
    *blocks = coloring->block + first;
    return end - first < step ? end - first : step;
}

static int slot(const cairn_problem* problem, int body, int immovable)
{
    return body != CAIRN_WORLD && cairn_mass_moves(&problem->bodies[body]) ? body : immovable;
}

static void fill_rates(cairn_batch_double* batch, int l, const cairn_batch_plan* plan,
                       const double* D, int n)
{
    double d[3] = {0.0};
    for (int i = 0; i < n; i++)
        d[i] = D[n * i + i];
    if (!plan->box)
        d[1] = d[2] = fmax(d[1], d[2]);
    for (int i = 0; i < 3; i++)
        batch->rate[i][l] = d[i] > 0.0 ? plan->relaxation / d[i] : 0.0;
    batch->stiffness[l] = fmax(d[1], d[2]);
    batch->coupling[0][l] = n > 1 ? D[n] : 0.0;
    batch->coupling[1][l] = n > 2 ? D[2 * n] : 0.0;
    batch->coupling[2][l] = n > 2 ? D[2 * n + 1] : 0.0;
}

static void fill_lane(cairn_batch_double* batch, int l, const cairn_batch_plan* plan, int c,
                      const double* lambda)
{
    const cairn_problem* problem = plan->A->problem;
    const cairn_block* block = &problem->blocks[c];
    for (int i = 0; i < block->row_count; i++) {
        int row = block->row + i;
        const cairn_row* from = &plan->A->scaled[row];
        for (int k = 0; k < 6; k++) {
            batch->J[12 * i + k][l] = from->a[k];
            batch->J[12 * i + 6 + k][l] = from->b[k];
        }
        batch->b[i][l] = problem->b[row];
        batch->soft[i][l] = problem->compliance ? problem->compliance[row] : 0.0;
        batch->lambda[i][l] = lambda[row];
    }
    cairn_friction friction = cairn_friction_as(&block->friction, plan->law, 0);
    bool smooth = friction.kind == CAIRN_FRICTIONLESS;
    batch->mu[0][l] = smooth ? 0.0 : friction.mu[0];
    batch->mu[1][l] = smooth ? 0.0 : friction.mu[plan->box ? 1 : 0];
    fill_rates(batch, l, plan, cairn_delassus_block(plan->A, c), block->row_count);
    batch->body[0][l] = slot(problem, block->body_a, batch->body[0][l]);
    batch->body[1][l] = slot(problem, block->body_b, batch->body[1][l]);
    batch->block[l] = c;
    batch->rows += block->row_count;
}

static void fill_batch(cairn_batch_double* batch, const cairn_batch_plan* plan, int i,
                       const double* lambda)
{
    const int* blocks;
    int lanes = lanes_of(plan, i, &blocks);
    memset(batch, 0, sizeof *batch);
    for (int l = 0; l < cairn_lanes; l++) {
        batch->body[0][l] = batch->body[1][l] = plan->A->problem->body_count + i;
        batch->block[l] = -1;
    }
    for (int l = 0; l < lanes; l++)
        fill_lane(batch, l, plan, blocks[l], lambda);
}

void cairn_batch_fill_double(cairn_batch_double* batches, const cairn_batch_plan* plan,
                             const double* lambda)
{
    for (int i = 0; i < plan->batch_count; i++)
        fill_batch(&batches[i], plan, i, lambda);
}

static void narrow(float* to, const double* from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(float); i++)
        to[i] = (float)from[i];
}

void cairn_batch_fill_float(cairn_batch_float* batches, const cairn_batch_plan* plan,
                            const double* lambda)
{
    for (int i = 0; i < plan->batch_count; i++) {
        cairn_batch_double wide;
        cairn_batch_float* to = &batches[i];
        fill_batch(&wide, plan, i, lambda);
        narrow(to->J[0], wide.J[0], sizeof to->J);
        narrow(to->b[0], wide.b[0], sizeof to->b);
        narrow(to->soft[0], wide.soft[0], sizeof to->soft);
        narrow(to->lambda[0], wide.lambda[0], sizeof to->lambda);
        narrow(to->rate[0], wide.rate[0], sizeof to->rate);
        narrow(to->coupling[0], wide.coupling[0], sizeof to->coupling);
        narrow(to->stiffness, wide.stiffness, sizeof to->stiffness);
        narrow(to->mu[0], wide.mu[0], sizeof to->mu);
        memcpy(to->body, wide.body, sizeof to->body);
        memcpy(to->block, wide.block, sizeof to->block);
        to->rows = wide.rows;
    }
}

void cairn_batch_set_float(cairn_batch_float* batches, const cairn_batch_plan* plan,
                           const double* lambda)
{
    for (int i = 0; i < plan->batch_count; i++)
        for (int l = 0; l < cairn_lanes && batches[i].block[l] >= 0; l++) {
            const cairn_block* block = &plan->A->problem->blocks[batches[i].block[l]];
            for (int k = 0; k < block->row_count; k++)
                batches[i].lambda[k][l] = (float)lambda[block->row + k];
        }
}

void cairn_batch_set_double(cairn_batch_double* batches, const cairn_batch_plan* plan,
                            const double* lambda)
{
    for (int i = 0; i < plan->batch_count; i++)
        for (int l = 0; l < cairn_lanes && batches[i].block[l] >= 0; l++) {
            const cairn_block* block = &plan->A->problem->blocks[batches[i].block[l]];
            for (int k = 0; k < block->row_count; k++)
                batches[i].lambda[k][l] = lambda[block->row + k];
        }
}

static void store_lane(double* lambda, const cairn_batch_plan* plan, int c, const double* x)
{
    const cairn_block* block = &plan->A->problem->blocks[c];
    cairn_friction friction = cairn_friction_as(&block->friction, plan->law, 0);
    for (int i = 0; i < block->row_count; i++)
        lambda[block->row + i] = i == 0 ? fmax(x[0], 0.0) : x[i];
    cairn_friction_project(lambda + block->row + 1, block->row_count, &friction,
                           lambda[block->row]);
}

void cairn_batch_store_float(double* lambda, const cairn_batch_plan* plan,
                             const cairn_batch_float* batches)
{
    for (int i = 0; i < plan->batch_count; i++)
        for (int l = 0; l < cairn_lanes && batches[i].block[l] >= 0; l++) {
            double x[3] = {(double)batches[i].lambda[0][l], (double)batches[i].lambda[1][l],
                           (double)batches[i].lambda[2][l]};
            store_lane(lambda, plan, batches[i].block[l], x);
        }
}

void cairn_batch_store_double(double* lambda, const cairn_batch_plan* plan,
                              const cairn_batch_double* batches)
{
    for (int i = 0; i < plan->batch_count; i++)
        for (int l = 0; l < cairn_lanes && batches[i].block[l] >= 0; l++) {
            double x[3] = {batches[i].lambda[0][l], batches[i].lambda[1][l],
                           batches[i].lambda[2][l]};
            store_lane(lambda, plan, batches[i].block[l], x);
        }
}
