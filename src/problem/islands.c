// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Splitting a problem into parts that do not feel each other: union-find over blocks, joined
// through the bodies that can move, or through the blocks of an explicit matrix.

#include "problem/mass.h"
#include <stdlib.h>
#include <string.h>

static int find(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// the smaller index becomes the root, so that an island is named by its first block
static void join(int* parent, int i, int j)
{
    i = find(parent, i);
    j = find(parent, j);
    if (i < j)
        parent[j] = i;
    else
        parent[i] = j;
}

static bool join_blocks(int* parent, const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++)
        parent[c] = c;
    if (problem->A) {
        const cairn_block_matrix* A = problem->A;
        for (int c = 0; c < A->n; c++)
            for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++)
                join(parent, c, A->column[k]);
        return true;
    }
    int* first = malloc((size_t)problem->body_count * sizeof(int) + 1);
    if (!first)
        return false;
    memset(first, -1, (size_t)problem->body_count * sizeof(int));
    for (int c = 0; c < problem->block_count; c++) {
        int body[2] = {problem->blocks[c].body_a, problem->blocks[c].body_b};
        for (int side = 0; side < 2; side++) {
            if (body[side] == CAIRN_WORLD || !cairn_mass_moves(&problem->bodies[body[side]]))
                continue;
            if (first[body[side]] < 0)
                first[body[side]] = c;
            else
                join(parent, first[body[side]], c);
        }
    }
    free(first);
    return true;
}

cairn_status cairn_problem_islands(cairn_islands* islands, const cairn_problem* problem)
{
    int n = problem->block_count;
    int* parent = malloc((size_t)n * sizeof(int) + 1);
    int* label = malloc((size_t)n * sizeof(int) + 1);
    cairn_islands out = {.begin = calloc((size_t)n + 2, sizeof(int)),
                         .block = malloc((size_t)n * sizeof(int) + 1)};
    if (!parent || !label || !out.begin || !out.block || !join_blocks(parent, problem)) {
        free(parent);
        free(label);
        cairn_islands_destroy(&out);
        return CAIRN_NO_MEMORY;
    }
    // islands in the order of their first blocks, then a counting sort of the blocks
    for (int c = 0; c < n; c++) {
        int root = find(parent, c);
        label[c] = root == c ? out.count++ : label[root];
        out.begin[label[c] + 2]++;
    }
    for (int i = 0; i < out.count; i++)
        out.begin[i + 2] += out.begin[i + 1];
    for (int c = 0; c < n; c++)
        out.block[out.begin[label[c] + 1]++] = c;
    free(parent);
    free(label);
    *islands = out;
    return CAIRN_OK;
}

void cairn_islands_destroy(cairn_islands* islands)
{
    free(islands->begin);
    free(islands->block);
    *islands = (cairn_islands){0};
}

// ---------------------------------------------------------------- sub-problems

static void copy_row(cairn_problem* part, int to, const cairn_problem* problem, int from)
{
    if (part->lo) {
        part->lo[to] = problem->lo ? problem->lo[from] : -INFINITY;
        part->hi[to] = problem->hi ? problem->hi[from] : INFINITY;
    }
    if (part->compliance)
        part->compliance[to] = problem->compliance[from];
    if (part->warm)
        part->warm[to] = problem->warm[from];
}

static bool add_part_block(cairn_problem* part, int* row_of, int* body_of,
                           const cairn_problem* problem, const cairn_block* block)
{
    cairn_block copy = *block;
    int* body[2] = {&copy.body_a, &copy.body_b};
    for (int side = 0; side < 2; side++) {
        int i = *body[side];
        if (i == CAIRN_WORLD)
            continue;
        if (body_of[i] < 0) {
            body_of[i] = part->body_count;
            if (cairn_problem_add_body(part, problem->bodies[i]) != CAIRN_OK)
                return false;
        }
        *body[side] = body_of[i];
    }
    const cairn_row none[3] = {0};
    const cairn_row* rows = problem->rows ? problem->rows + block->row : none;
    int row = part->row_count;
    if (cairn_problem_add_block(part, &copy, rows, problem->b + block->row) != CAIRN_OK)
        return false;
    for (int i = 0; i < block->row_count; i++) {
        copy_row(part, row + i, problem, block->row + i);
        row_of[row + i] = block->row + i;
    }
    return true;
}

static bool extract_matrix(cairn_problem* part, const cairn_block_matrix* A, const int* blocks)
{
    int n = part->block_count, count = 0;
    int* local = malloc((size_t)A->n * sizeof(int) + 1);
    cairn_block_matrix* out = part->A = calloc(1, sizeof *out);
    if (out)
        out->row_begin = calloc((size_t)n + 1, sizeof(int));
    if (!local || !out || !out->row_begin) {
        free(local);
        return false;
    }
    memset(local, -1, (size_t)A->n * sizeof(int));
    for (int i = 0; i < n; i++)
        local[blocks[i]] = i;
    out->n = n;
    for (int i = 0; i < n; i++) {
        for (int k = A->row_begin[blocks[i]]; k < A->row_begin[blocks[i] + 1]; k++)
            count += local[A->column[k]] >= 0;
        out->row_begin[i + 1] = count;
    }
    out->column = malloc((size_t)count * sizeof(int) + 1);
    out->value = malloc((size_t)count * 9 * sizeof(double) + 1);
    bool done = out->column && out->value;
    for (int i = 0, to = 0; done && i < n; i++)
        for (int k = A->row_begin[blocks[i]]; k < A->row_begin[blocks[i] + 1]; k++) {
            if (local[A->column[k]] < 0)
                continue;
            out->column[to] = local[A->column[k]];
            memcpy(out->value + 9 * (ptrdiff_t)to, A->value + 9 * (ptrdiff_t)k, 9 * sizeof(double));
            to++;
        }
    free(local);
    return done;
}

cairn_status cairn_problem_extract(cairn_problem* part, int* row_of, const cairn_problem* problem,
                                   const int* blocks, int block_count)
{
    cairn_problem out = cairn_problem_empty();
    int* body_of = malloc((size_t)problem->body_count * sizeof(int) + 1);
    bool done = body_of != NULL;
    if (done)
        memset(body_of, -1, (size_t)problem->body_count * sizeof(int));
    out.space = problem->space;
    if (done && problem->compliance)
        done = (out.compliance = malloc(1)) != NULL;
    if (done && problem->warm)
        done = (out.warm = malloc(1)) != NULL;
    for (int i = 0; done && i < block_count; i++)
        done = add_part_block(&out, row_of, body_of, problem, &problem->blocks[blocks[i]]);
    free(body_of);
    if (done && problem->A) {
        free(out.rows);
        out.rows = NULL;
        done = extract_matrix(&out, problem->A, blocks);
    }
    if (!done) {
        cairn_problem_destroy(&out);
        return CAIRN_NO_MEMORY;
    }
    *part = out;
    return CAIRN_OK;
}
