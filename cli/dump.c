// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem of a step.

#include "dump.h"
#include <stdlib.h>
#include <string.h>

static void free_part(dump_part* part)
{
    cairn_problem_destroy(&part->problem);
    free(part->slots);
    free(part->lambda);
    *part = (dump_part){0};
}

static bool has_slot(const dump_part* part, int slot)
{
    for (int i = 0; i < part->problem.body_count; i++)
        if (part->slots[i] == slot)
            return true;
    return false;
}

static bool shares_body(const dump_part* part, const cairn_island_solve* solve)
{
    for (int i = 0; i < solve->problem->body_count; i++)
        if (has_slot(part, solve->slot[i]))
            return true;
    return false;
}

// removes the parts that share a body with a solve; false when they have more constraints than it
static bool make_way(dump* d, const cairn_island_solve* solve)
{
    int constraints = 0, left = 0;
    for (int i = 0; i < d->part_count; i++)
        if (shares_body(&d->parts[i], solve))
            constraints += d->parts[i].problem.block_count;
    if (constraints > solve->problem->block_count)
        return false;

    for (int i = 0; i < d->part_count; i++)
        if (shares_body(&d->parts[i], solve))
            free_part(&d->parts[i]);
        else
            d->parts[left++] = d->parts[i];
    d->part_count = left;
    return true;
}

static bool copy_part(dump_part* part, const cairn_island_solve* solve)
{
    size_t rows = (size_t)solve->problem->row_count, bodies = (size_t)solve->problem->body_count;
    *part = (dump_part){.slots = malloc(sizeof(int) * bodies),
                        .lambda = malloc(sizeof(double) * rows + 1)};
    if (!part->slots || !part->lambda ||
        cairn_problem_copy(solve->problem, &part->problem) != CAIRN_OK) {
        free_part(part);
        return false;
    }
    memcpy(part->slots, solve->slot, sizeof(int) * bodies);
    memcpy(part->lambda, solve->lambda, sizeof(double) * rows);
    return true;
}

// the hook
static void keep(void* context, const cairn_island_solve* solve)
{
    dump* d = context;
    if (d->failed || solve->problem->body_count == 0 || !make_way(d, solve))
        return;
    dump_part* parts = realloc(d->parts, sizeof(dump_part) * ((size_t)d->part_count + 1));
    d->failed = !parts;
    if (!parts)
        return;
    d->parts = parts;
    d->failed = !copy_part(&parts[d->part_count], solve);
    d->part_count += d->failed ? 0 : 1;
}

static int moved(int body, int offset)
{
    return body == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY : body + offset;
}

// one island beside those that are there
static cairn_status add_part(cairn_problem* to, const cairn_problem* part)
{
    int offset = to->body_count, first = to->row_count;
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < part->body_count && status == CAIRN_OK; i++)
        status = cairn_problem_add_body(to, part->bodies[i]);
    for (int c = 0; c < part->block_count && status == CAIRN_OK; c++) {
        cairn_block block = part->blocks[c];
        block.body_a = moved(block.body_a, offset);
        block.body_b = moved(block.body_b, offset);
        status = cairn_problem_add_block(to, &block, part->rows + block.row, part->b + block.row);
    }
    for (int i = 0; i < part->row_count && status == CAIRN_OK && part->lo && part->hi; i++)
        cairn_problem_set_bounds(to, first + i, part->lo[i], part->hi[i]);
    return status;
}

// what is one number for each row: impulses, and the softness of springs
static bool join_rows(dump* d)
{
    size_t rows = (size_t)d->problem.row_count + 1;
    bool soft = false;

    // compliance is there when any part has some
    for (int i = 0; i < d->part_count; i++)
        soft = soft || d->parts[i].problem.compliance;

    d->lambda = calloc(rows, sizeof(double));
    d->problem.compliance = soft ? calloc(rows, sizeof(double)) : NULL;
    if (!d->lambda || (soft && !d->problem.compliance))
        return false;

    int first = 0;
    for (int i = 0; i < d->part_count; i++) {
        const cairn_problem* part = &d->parts[i].problem;
        size_t bytes = sizeof(double) * (size_t)part->row_count;
        memcpy(d->lambda + first, d->parts[i].lambda, bytes);
        if (part->compliance)
            memcpy(d->problem.compliance + first, part->compliance, bytes);
        first += part->row_count;
    }

    return true;
}

static cairn_status join(dump* d)
{
    cairn_status status = d->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    d->problem = cairn_problem_empty();
    for (int i = 0; i < d->part_count && status == CAIRN_OK; i++)
        status = add_part(&d->problem, &d->parts[i].problem);
    if (status == CAIRN_OK && !join_rows(d))
        status = CAIRN_NO_MEMORY;
    return status;
}

cairn_status dump_next_step(dump* d, cairn_scene* scene, double dt, cairn_step_report* report,
                            cairn_error* error)
{
    cairn_world* world = cairn_scene_world(scene);
    dump_free(d);
    cairn_world_set_solve_hook(world, keep, d);
    cairn_status status = cairn_scene_step(scene, dt, report, error);
    cairn_world_set_solve_hook(world, NULL, NULL);
    if (status == CAIRN_OK && join(d) != CAIRN_OK)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the problem of a step");
    return status;
}

cairn_status dump_step(dump* d, cairn_scene* scene, double dt, cairn_error* error)
{
    cairn_world_wake_all(cairn_scene_world(scene));
    return dump_next_step(d, scene, dt, NULL, error);
}

void dump_free(dump* d)
{
    for (int i = 0; i < d->part_count; i++)
        free_part(&d->parts[i]);
    free(d->parts);
    cairn_problem_destroy(&d->problem);
    free(d->lambda);
    *d = (dump){0};
}
