// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Splitting a problem into parts that do not feel each other: union-find over blocks, joined
// through the bodies that can move, or through the blocks of an explicit matrix.

#include "problem/islands.h"
#include "math/sets.h"
#include "problem/mass.h"
#include <stdlib.h>
#include <string.h>

static void join_through_matrix(int* parent, const cairn_block_matrix* A)
{
    for (int c = 0; c < A->n; c++)
        for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++)
            cairn_set_join(parent, c, A->column[k]);
}

// first[body] is the first block that touches the body
static void join_through_bodies(int* parent, int* first, const cairn_problem* problem)
{
    memset(first, -1, (size_t)problem->body_count * sizeof(int));
    for (int c = 0; c < problem->block_count; c++) {
        int body[2] = {problem->blocks[c].body_a, problem->blocks[c].body_b};
        for (int side = 0; side < 2; side++) {
            if (body[side] == CAIRN_WORLD_BODY || !cairn_mass_moves(&problem->bodies[body[side]]))
                continue;

            if (first[body[side]] < 0)
                first[body[side]] = c;
            else
                cairn_set_join(parent, first[body[side]], c);
        }
    }
}

cairn_status cairn_islands_find(cairn_islands* islands, const cairn_problem* problem,
                                cairn_arena* arena)
{
    int n = problem->block_count;

    int* parent = CAIRN_TAKE(arena, int, n);
    int* label = CAIRN_TAKE(arena, int, n);
    int* first = CAIRN_TAKE(arena, int, problem->body_count);
    cairn_islands out = {.begin = CAIRN_TAKE_ZEROED(arena, int, n + 2),
                         .block = CAIRN_TAKE(arena, int, n)};

    if (arena->failed)
        return CAIRN_NO_MEMORY;

    // union-find over the blocks
    for (int c = 0; c < n; c++)
        parent[c] = c;
    if (problem->A)
        join_through_matrix(parent, problem->A);
    else
        join_through_bodies(parent, first, problem);

    // islands in the order of their first blocks, then a counting sort of the blocks
    for (int c = 0; c < n; c++) {
        int root = cairn_set_root(parent, c);
        label[c] = root == c ? out.count++ : label[root];
        out.begin[label[c] + 2]++;
    }

    for (int i = 0; i + 2 <= out.count; i++)
        out.begin[i + 2] += out.begin[i + 1];
    for (int c = 0; c < n; c++)
        out.block[out.begin[label[c] + 1]++] = c;

    *islands = out;
    return CAIRN_OK;
}

cairn_status cairn_problem_islands(const cairn_problem* problem, cairn_islands* islands)
{
    if (!islands || !problem)
        return CAIRN_BAD_INPUT;

    cairn_arena arena = {0};
    cairn_islands found, out = {0};
    cairn_status status = cairn_islands_find(&found, problem, &arena);

    // copy out of the arena, which goes away
    if (status == CAIRN_OK) {
        size_t begin = ((size_t)found.count + 1) * sizeof(int);
        size_t block = (size_t)problem->block_count * sizeof(int);
        out = (cairn_islands){found.count, malloc(begin), malloc(block + 1)};
        if (out.begin && out.block) {
            memcpy(out.begin, found.begin, begin);
            memcpy(out.block, found.block, block);
        } else {
            cairn_islands_destroy(&out);
            status = CAIRN_NO_MEMORY;
        }
    }

    cairn_arena_destroy(&arena);
    if (status == CAIRN_OK)
        *islands = out;
    return status;
}

void cairn_islands_destroy(cairn_islands* islands)
{
    if (!islands)
        return;
    free(islands->begin);
    free(islands->block);
    *islands = (cairn_islands){0};
}

// ---------------------------------------------------------------- sub-problems

// room for the arrays that the whole has
static bool take_part(cairn_problem* part, int** row_of, const cairn_problem* problem,
                      cairn_arena* arena)
{
    int rows = part->row_count, blocks = part->block_count;
    int bodies = problem->body_count < 2 * blocks ? problem->body_count : 2 * blocks;

    part->bodies = CAIRN_TAKE(arena, cairn_mass, bodies);
    part->blocks = CAIRN_TAKE(arena, cairn_block, blocks);
    part->rows = problem->rows ? CAIRN_TAKE(arena, cairn_row, rows) : NULL;
    part->b = CAIRN_TAKE(arena, double, rows);
    part->lo = problem->lo ? CAIRN_TAKE(arena, double, rows) : NULL;
    part->hi = problem->hi ? CAIRN_TAKE(arena, double, rows) : NULL;
    part->compliance = problem->compliance ? CAIRN_TAKE(arena, double, rows) : NULL;
    part->warm = problem->warm ? CAIRN_TAKE(arena, double, rows) : NULL;

    *row_of = CAIRN_TAKE(arena, int, rows);
    return !arena->failed;
}

static void copy_row(cairn_problem* part, int to, const cairn_problem* problem, int from)
{
    part->b[to] = problem->b[from];
    if (problem->rows)
        part->rows[to] = problem->rows[from];
    if (problem->lo)
        part->lo[to] = problem->lo[from];
    if (problem->hi)
        part->hi[to] = problem->hi[from];
    if (problem->compliance)
        part->compliance[to] = problem->compliance[from];
    if (problem->warm)
        part->warm[to] = problem->warm[from];
}

// the index of a body in the part, which receives it when it is met first
static int part_body(cairn_problem* part, int* body_of, const cairn_problem* problem, int body)
{
    if (body == CAIRN_WORLD_BODY)
        return CAIRN_WORLD_BODY;
    if (body_of[body] < 0) {
        body_of[body] = part->body_count;
        part->bodies[part->body_count++] = problem->bodies[body];
    }
    return body_of[body];
}

static bool part_matrix(cairn_problem* part, const cairn_block_matrix* A, const int* blocks,
                        cairn_arena* arena)
{
    int n = part->block_count, count = 0;

    int* local = CAIRN_TAKE(arena, int, A->n);
    cairn_block_matrix* out = part->A = CAIRN_TAKE_ZEROED(arena, cairn_block_matrix, 1);

    if (arena->failed)
        return false;

    out->n = n;
    out->row_begin = CAIRN_TAKE_ZEROED(arena, int, n + 1);

    memset(local, -1, (size_t)A->n * sizeof(int));
    for (int i = 0; i < n; i++)
        local[blocks[i]] = i;

    // entries between blocks of the part; those to other blocks are left out
    for (int i = 0; i < n; i++)
        for (int k = A->row_begin[blocks[i]]; k < A->row_begin[blocks[i] + 1]; k++)
            count += local[A->column[k]] >= 0;

    out->column = CAIRN_TAKE(arena, int, count);
    out->value = CAIRN_TAKE(arena, double, 9 * (size_t)count);
    if (arena->failed)
        return false;

    int to = 0;
    for (int i = 0; i < n; i++) {
        for (int k = A->row_begin[blocks[i]]; k < A->row_begin[blocks[i] + 1]; k++) {
            if (local[A->column[k]] < 0)
                continue;
            out->column[to] = local[A->column[k]];
            memcpy(out->value + 9 * (ptrdiff_t)to, A->value + 9 * (ptrdiff_t)k, 9 * sizeof(double));
            to++;
        }
        out->row_begin[i + 1] = to;
    }
    return true;
}

cairn_status cairn_problem_part(cairn_problem* part, int** row_of, const cairn_problem* problem,
                                const int* blocks, int block_count, cairn_arena* arena)
{
    cairn_problem out = {.space = problem->space, .block_count = block_count};

    for (int i = 0; i < block_count; i++)
        out.row_count += problem->blocks[blocks[i]].row_count;

    int* body_of = CAIRN_TAKE(arena, int, problem->body_count);
    if (arena->failed || !take_part(&out, row_of, problem, arena))
        return CAIRN_NO_MEMORY;

    memset(body_of, -1, (size_t)problem->body_count * sizeof(int));
    int row = 0;

    // number the bodies in the order in which the blocks name them
    for (int i = 0; i < block_count; i++) {
        const cairn_block* block = &problem->blocks[blocks[i]];
        out.blocks[i] = *block;
        out.blocks[i].row = row;
        out.blocks[i].body_a = part_body(&out, body_of, problem, block->body_a);
        out.blocks[i].body_b = part_body(&out, body_of, problem, block->body_b);

        for (int k = block->row; k < block->row + block->row_count; k++) {
            copy_row(&out, row, problem, k);
            (*row_of)[row++] = k;
        }
    }

    if (problem->A && !part_matrix(&out, problem->A, blocks, arena))
        return CAIRN_NO_MEMORY;
    *part = out;
    return CAIRN_OK;
}

cairn_status cairn_problem_extract(const cairn_problem* problem, const int* blocks, int block_count,
                                   cairn_problem* part, int* row_of)
{
    if (!part || !row_of || !problem || (block_count > 0 && !blocks))
        return CAIRN_BAD_INPUT;

    cairn_arena arena = {0};
    cairn_problem found;
    int* rows;

    cairn_status status = cairn_problem_part(&found, &rows, problem, blocks, block_count, &arena);
    if (status == CAIRN_OK)
        status = cairn_problem_copy(&found, part);
    if (status == CAIRN_OK)
        memcpy(row_of, rows, (size_t)found.row_count * sizeof(int));

    cairn_arena_destroy(&arena);
    return status;
}
