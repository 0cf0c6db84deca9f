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

static cairn_vec3 linear(const double* j)
{
    return cairn_vec(j[0], j[1], j[2]);
}

static cairn_vec3 angular(const double* j)
{
    return cairn_vec(j[3], j[4], j[5]);
}

static bool same(cairn_vec3 a, cairn_vec3 b, double scale)
{
    return cairn_norm(cairn_sub(a, b)) <= 1e-13 * scale;
}

// The arm r with r x c_i = d_i for the directions c of a contact's rows. Three rows fix it, Σ c_i x
// d_i = 2 r; with fewer some of r does not matter.
static cairn_vec3 arm_of(const cairn_vec3* c, const cairn_vec3* d, int n)
{
    cairn_vec3 r = cairn_cross(c[0], d[0]);
    if (n == 1)
        return r;
    cairn_vec3 s = cairn_cross(c[0], c[1]);
    return cairn_add_scaled(r, cairn_dot(s, cairn_sub(d[1], cairn_cross(r, c[1]))), c[0]);
}

// reads frame and arms from the rows; false when they are not those of a contact at a point
static bool read_frame(cairn_contact_frame* frame, const cairn_problem* problem,
                       const cairn_block* block)
{
    int body[2] = {block->body_a, block->body_b}, n = block->row_count;
    cairn_vec3 c[3], d[2][3];
    bool known = false;
    *frame = (cairn_contact_frame){0};
    for (int side = 0; side < 2; side++) {
        if (body[side] == CAIRN_WORLD || !cairn_mass_moves(&problem->bodies[body[side]]))
            continue;
        double sign = side ? 1.0 : -1.0;
        for (int i = 0; i < n; i++) {
            const cairn_row* row = &problem->rows[block->row + i];
            const double* j = side ? row->b : row->a;
            cairn_vec3 direction = cairn_scale(sign, linear(j));
            if (known && !same(direction, c[i], 1.0))
                return false;
            c[i] = direction;
            d[side][i] = cairn_scale(sign, angular(j));
        }
        known = true;
        frame->arm[side] = arm_of(c, d[side], n);
        for (int i = 0; i < n; i++)
            if (!same(cairn_cross(frame->arm[side], c[i]), d[side][i],
                      1.0 + cairn_norm(frame->arm[side])))
                return false;
    }
    if (!known)
        return true;
    cairn_vec3 s;
    frame->normal = c[0];
    cairn_tangents(c[0], &frame->tangent, &s);
    if (n > 1)
        frame->tangent = c[1];
    return n < 3 || same(cairn_cross(c[0], c[1]), c[2], 1.0);
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
    plan->frame = CAIRN_TAKE(arena, cairn_contact_frame, problem->block_count);
    int* fit = CAIRN_TAKE(arena, int, problem->block_count);
    if (arena->failed)
        return false;
    int count = 0;
    for (int c = 0; c < problem->block_count; c++)
        if (!problem->A && fits(plan, &problem->blocks[c]) &&
            read_frame(&plan->frame[c], problem, &problem->blocks[c]))
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
    for (int i = 0; i < n; i++)
        batch->rate[i][l] = d[i] > 0.0 ? plan->relaxation / d[i] : 0.0;
    batch->stiffness[l] = fmax(d[1], d[2]);
    batch->coupling[0][l] = n > 1 ? D[n] : 0.0;
    batch->coupling[1][l] = n > 2 ? D[2 * n] : 0.0;
    batch->coupling[2][l] = n > 2 ? D[2 * n + 1] : 0.0;
}

static void put(double (*to)[cairn_lanes], int l, cairn_vec3 v)
{
    to[0][l] = v.x;
    to[1][l] = v.y;
    to[2][l] = v.z;
}

static void fill_lane(cairn_batch_double* batch, int l, const cairn_batch_plan* plan, int c,
                      const double* lambda)
{
    const cairn_problem* problem = plan->A->problem;
    const cairn_block* block = &problem->blocks[c];
    for (int i = 0; i < block->row_count; i++) {
        int row = block->row + i;
        batch->b[i][l] = problem->b[row];
        batch->soft[i][l] = problem->compliance ? problem->compliance[row] : 0.0;
        batch->lambda[i][l] = lambda[row];
    }
    put(batch->normal, l, plan->frame[c].normal);
    put(batch->tangent, l, plan->frame[c].tangent);
    put(batch->arm[0], l, plan->frame[c].arm[0]);
    put(batch->arm[1], l, plan->frame[c].arm[1]);
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
        narrow(to->normal[0], wide.normal[0], sizeof to->normal);
        narrow(to->tangent[0], wide.tangent[0], sizeof to->tangent);
        narrow(to->arm[0][0], wide.arm[0][0], sizeof to->arm);
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

void cairn_batch_mass(double* mass, const cairn_batch_plan* plan, int place)
{
    const cairn_problem* problem = plan->A->problem;
    memset(mass, 0, cairn_state_stride * sizeof(double));
    if (place >= problem->body_count || !cairn_mass_moves(&problem->bodies[place]))
        return;
    const cairn_mass* body = &problem->bodies[place];
    const cairn_mat3* I = &body->inverse_inertia;
    double turn = (I->cx.x + I->cy.y + I->cz.z) / 3.0;
    double gyration = turn > 0.0 ? body->inverse_mass / turn : 0.0;
    const double numbers[cairn_state_stride] = {
        body->inverse_mass, I->cx.x, I->cy.y, I->cz.z, I->cx.y, I->cx.z, I->cy.z, gyration};
    memcpy(mass, numbers, sizeof numbers);
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
