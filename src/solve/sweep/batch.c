// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dealing the contacts of a problem to batches, and the way in and out of them; see batch.h.

#include "solve/sweep/batch.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include <string.h>

// whether boxes are what the contacts ask for
static bool all_boxed(const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind == CAIRN_BLOCK_CONTACT)
            return problem->blocks[c].friction.kind == CAIRN_FRICTION_BOX;
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
    cairn_vec3 apart = cairn_sub(a, b);
    return cairn_dot(apart, apart) <= 1e-26 * scale * scale;
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
        if (body[side] == CAIRN_WORLD_BODY || !cairn_mass_moves(&problem->bodies[body[side]]))
            continue;
        double sign = side ? 1.0 : -1.0;

        // linear parts are ∓ the axes of the frame, and both sides must agree on them
        for (int i = 0; i < n; i++) {
            const cairn_row* row = &problem->rows[block->row + i];
            const double* j = side ? row->b : row->a;
            cairn_vec3 direction = cairn_scale(sign, linear(j));
            if (known && !same(direction, c[i], 1.0))
                return false;
            c[i] = direction;
            d[side][i] = cairn_scale(sign, angular(j));
        }

        // the angular parts must be arm x axis
        known = true;
        frame->arm[side] = arm_of(c, d[side], n);
        double reach = 1.0 + cairn_norm(frame->arm[side]);
        for (int i = 0; i < n; i++)
            if (!same(cairn_cross(frame->arm[side], c[i]), d[side][i], reach))
                return false;
    }

    if (!known)
        return true;

    // the tangent is given or chosen; a third row must be n x t
    cairn_vec3 s;
    frame->normal = c[0];
    cairn_tangents(c[0], &frame->tangent, &s);
    if (n > 1)
        frame->tangent = c[1];
    return n < 3 || same(cairn_cross(c[0], c[1]), c[2], 1.0);
}

static bool fits(const cairn_batch_plan* plan, const cairn_block* block)
{
    if (block->kind != CAIRN_BLOCK_CONTACT || block->row_count > 3 ||
        block->body_a == block->body_b)
        return false;
    cairn_friction friction = cairn_friction_as(&block->friction, plan->law, 0);
    return friction.kind == CAIRN_FRICTION_NONE ||
           friction.kind == (plan->box ? CAIRN_FRICTION_BOX : CAIRN_FRICTION_CONE);
}

// how many batches hold `size` contacts
static int batches_for(int size)
{
    return (size + cairn_lanes - 1) / cairn_lanes;
}

// a run of contacts that share no body, as batches in the plan
static void append_run(cairn_batch_plan* plan, const int* blocks, int count, int lanes)
{
    for (int done = 0; done < count; done += lanes) {
        int size = count - done < lanes ? count - done : lanes;
        int batch = plan->batch_count++, first = plan->first_block[batch];
        plan->rows[batch] = 0;
        for (int l = 0; l < size; l++) {
            plan->block[first + l] = blocks[done + l];
            plan->rows[batch] += plan->A->problem->blocks[blocks[done + l]].row_count;
        }
        plan->first_block[batch + 1] = first + size;
    }
}

static bool take_plan(cairn_batch_plan* plan, const cairn_domains* domains,
                      const cairn_coloring* coloring, cairn_arena* arena)
{
    ptrdiff_t blocks = domains->begin[domains->run_count] + coloring->total;
    ptrdiff_t batches = coloring->total - coloring->begin[coloring->count];
    for (int r = 0; r < domains->run_count; r++)
        batches += batches_for(domains->begin[r + 1] - domains->begin[r]);
    for (int k = 0; k < coloring->count; k++)
        batches += batches_for(coloring->begin[k + 1] - coloring->begin[k]);
    plan->domain_begin = CAIRN_TAKE(arena, int, domains->count + 1);
    plan->block = CAIRN_TAKE(arena, int, blocks);
    plan->first_block = CAIRN_TAKE(arena, int, batches + 1);
    plan->rows = CAIRN_TAKE(arena, int32_t, batches);
    plan->immovable = CAIRN_TAKE(arena, int, batches);
    return !arena->failed;
}

// Batches domain by domain, then by color, then one contact per batch for what found no color.
// What runs on different threads at a time has different immovable places.
static void deal(cairn_batch_plan* plan, const cairn_domains* domains,
                 const cairn_coloring* coloring)
{
    int place = plan->A->problem->body_count;
    plan->first_block[0] = 0;
    plan->domain_count = domains->count;

    // domains: each has one immovable place, as one thread sweeps it
    for (int d = 0; d < domains->count; d++) {
        plan->domain_begin[d] = plan->batch_count;
        for (int r = domains->first_run[d]; r < domains->first_run[d + 1]; r++)
            append_run(plan, domains->block + domains->begin[r],
                       domains->begin[r + 1] - domains->begin[r], cairn_lanes);
        for (int i = plan->domain_begin[d]; i < plan->batch_count; i++)
            plan->immovable[i] = place;
        place++;
    }

    // colors: threads share one, so that each batch has an immovable place of its own
    plan->domain_begin[domains->count] = plan->batch_begin[0] = plan->batch_count;
    plan->color_count = coloring->count;
    for (int k = 0; k <= coloring->count; k++) {
        int end = k < coloring->count ? coloring->begin[k + 1] : coloring->total;
        append_run(plan, coloring->block + coloring->begin[k], end - coloring->begin[k],
                   k < coloring->count ? cairn_lanes : 1);
        plan->batch_begin[k + 1] = plan->batch_count;
    }

    for (int i = plan->batch_begin[0]; i < plan->batch_count; i++)
        plan->immovable[i] = place++;
    plan->slot_count = place;
}

bool cairn_batch_plan_make(cairn_batch_plan* plan, const cairn_delassus* A, cairn_law law,
                           cairn_arena* arena)
{
    const cairn_problem* problem = A->problem;
    cairn_domains domains;
    cairn_coloring coloring;
    *plan = (cairn_batch_plan){.A = A, .law = law, .relaxation = 1.0};
    plan->box = law == CAIRN_LAW_BOX || all_boxed(problem);
    plan->more = plan->box || problem->compliance;
    plan->rest = CAIRN_TAKE(arena, int, problem->block_count);
    plan->frame = CAIRN_TAKE(arena, cairn_contact_frame, problem->block_count);
    int* fit = CAIRN_TAKE(arena, int, problem->block_count);
    if (arena->failed)
        return false;

    // contacts that fit a lane, and the blocks that the row loop takes
    int count = 0;
    for (int c = 0; c < problem->block_count; c++)
        if (!problem->A && fits(plan, &problem->blocks[c]) &&
            read_frame(&plan->frame[c], problem, &problem->blocks[c]))
            fit[count++] = c;
        else
            plan->rest[plan->rest_count++] = c;

    if (!cairn_color_domains(&domains, problem, fit, count, arena) ||
        !cairn_color_blocks(&coloring, problem, domains.rest, domains.rest_count, arena) ||
        !take_plan(plan, &domains, &coloring, arena))
        return false;
    deal(plan, &domains, &coloring);
    return true;
}

static int slot(const cairn_problem* problem, int body, int immovable)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]) ? body : immovable;
}

// ---------------------------------------------------------------- in and out

#define REAL float
#define NAMED(name) name##_float
#include "solve/sweep/batch_fill.h"
#undef REAL
#undef NAMED

#define REAL double
#define NAMED(name) name##_double
#include "solve/sweep/batch_fill.h"
