// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem of a step.

#include "dump.h"
#include <stdlib.h>
#include <string.h>

// bodies that nothing moves become the world, which is what a file knows
static void drop_fixed(cairn_problem* problem)
{
    int* slot = malloc(sizeof(int) * ((size_t)problem->body_count + 1));
    int count = 0;
    if (!slot)
        return;
    for (int i = 0; i < problem->body_count; i++) {
        slot[i] = problem->bodies[i].inverse_mass > 0.0 ? count : CAIRN_WORLD;
        if (slot[i] != CAIRN_WORLD)
            problem->bodies[count++] = problem->bodies[i];
    }
    problem->body_count = count;
    for (int c = 0; c < problem->block_count; c++) {
        cairn_block* block = &problem->blocks[c];
        block->body_a = block->body_a == CAIRN_WORLD ? CAIRN_WORLD : slot[block->body_a];
        block->body_b = block->body_b == CAIRN_WORLD ? CAIRN_WORLD : slot[block->body_b];
    }
    free(slot);
}

void dump_keep(void* context, const cairn_problem* problem, const double* lambda)
{
    dump* d = context;
    if (!d->wanted)
        return;
    cairn_problem_destroy(&d->problem);
    free(d->lambda);
    size_t bytes = sizeof(double) * (size_t)problem->row_count;
    d->lambda = malloc(bytes + 1);
    d->failed = cairn_problem_copy(&d->problem, problem) != CAIRN_OK || !d->lambda;
    if (d->failed)
        return;
    memcpy(d->lambda, lambda, bytes);
    drop_fixed(&d->problem);
}

void dump_free(dump* d)
{
    cairn_problem_destroy(&d->problem);
    free(d->lambda);
    *d = (dump){0};
}
