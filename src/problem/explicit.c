// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forming A = J M^-1 J^T explicitly in 3x3 blocks. Blocks c and d of A meet when the contacts share
// a body that moves; contacts of one or two rows are padded with rows of zeros.

#include "math/accept.h"
#include "math/arena.h"
#include "math/numbers.h"
#include "problem/delassus.h"
#include "problem/mass.h"
#include <stdlib.h>
#include <string.h>

// contacts of each body, compressed: contact[begin[i]] .. contact[begin[i+1] - 1]
typedef struct touching {
    int* begin;
    int* contact;
} touching;

static bool list_touching(touching* list, const cairn_problem* problem, cairn_arena* arena)
{
    list->begin = CAIRN_TAKE_ZEROED(arena, int, problem->body_count + 2);
    list->contact = CAIRN_TAKE(arena, int, 2 * problem->block_count);

    if (arena->failed)
        return false;

    // count in the first pass, fill in the second
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < problem->block_count; c++) {
            int body[2] = {problem->blocks[c].body_a, problem->blocks[c].body_b};
            for (int side = 0; side < (body[0] == body[1] ? 1 : 2); side++) {
                if (body[side] == CAIRN_WORLD_BODY)
                    continue;

                if (pass == 0)
                    list->begin[body[side] + 2]++;
                else
                    list->contact[list->begin[body[side] + 1]++] = c;
            }
        }
        for (int i = 0; pass == 0 && i < problem->body_count; i++)
            list->begin[i + 2] += list->begin[i + 1];
    }
    return true;
}

// the contacts that contact c meets, itself included, ascending
static int neighbors(int* found, int* seen, const touching* list, const cairn_problem* problem,
                     int c)
{
    int count = 0;
    seen[c] = c;
    found[count++] = c;

    // contacts meet through bodies that move; the ground joins none
    int body[2] = {problem->blocks[c].body_a, problem->blocks[c].body_b};
    for (int side = 0; side < 2; side++) {
        if (body[side] == CAIRN_WORLD_BODY || !cairn_mass_moves(&problem->bodies[body[side]]))
            continue;

        for (int k = list->begin[body[side]]; k < list->begin[body[side] + 1]; k++) {
            int d = list->contact[k];
            if (seen[d] != c) {
                seen[d] = c;
                found[count++] = d;
            }
        }
    }

    qsort(found, (size_t)count, sizeof(int), cairn_compare_ints);
    return count;
}

static bool grow_matrix(cairn_block_matrix* A, int* capacity, int need)
{
    if (need <= *capacity)
        return true;
    *capacity = 2 * need + 16;
    int* column = realloc(A->column, (size_t)*capacity * sizeof(int));
    if (column)
        A->column = column;
    double* value = realloc(A->value, (size_t)*capacity * 9 * sizeof(double));
    if (value)
        A->value = value;
    return column && value;
}

static bool form_matrix(cairn_block_matrix* A, const cairn_problem* problem, cairn_arena* arena)
{
    cairn_delassus J;
    touching list;
    int n = problem->block_count, capacity = 0, count = 0;

    int* seen = CAIRN_TAKE(arena, int, n);
    int* found = CAIRN_TAKE(arena, int, n);

    A->n = n;
    A->row_begin = calloc((size_t)n + 1, sizeof(int));
    if (!A->row_begin || cairn_delassus_prepare(&J, problem, arena) != CAIRN_OK ||
        !list_touching(&list, problem, arena))
        return false;

    memset(seen, -1, (size_t)n * sizeof(int));
    for (int c = 0; c < n; c++) {
        int near = neighbors(found, seen, &list, problem, c);
        if (!grow_matrix(A, &capacity, count + near))
            return false;

        for (int k = 0; k < near; k++) {
            A->column[count] = found[k];
            cairn_delassus_pair(&J, A->value + 9 * (ptrdiff_t)count, c, found[k]);
            count++;
        }
        A->row_begin[c + 1] = count;
    }
    return true;
}

static cairn_status check_form(const cairn_problem* problem, cairn_error* error)
{
    if (problem->A)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the matrix is explicit already");
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind != CAIRN_BLOCK_CONTACT || problem->blocks[c].row_count > 3)
            return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                              "block %d: an explicit matrix takes contacts of up to 3 rows only",
                              c);
    return CAIRN_OK;
}

cairn_status cairn_problem_explicit(const cairn_problem* problem, cairn_problem* form,
                                    cairn_error* error)
{
    if (!form || !problem)
        return cairn_refuse_null(error, "the problem or the place for its explicit form");
    cairn_status status = check_form(problem, error);
    if (status != CAIRN_OK)
        return status;

    // three rows for each contact, whatever it had
    int n = problem->block_count;
    cairn_arena arena = {0};
    cairn_problem out = {.space = problem->space, .block_count = n, .row_count = 3 * n};
    out.blocks = malloc((size_t)n * sizeof(cairn_block) + 1);
    out.b = calloc(3 * (size_t)n + 1, sizeof(double));
    out.warm = problem->warm ? calloc(3 * (size_t)n + 1, sizeof(double)) : NULL;
    out.A = calloc(1, sizeof(cairn_block_matrix));
    bool done = out.blocks && out.b && out.A && (out.warm || !problem->warm) &&
                form_matrix(out.A, problem, &arena);

    // the explicit form has no bodies: A holds all that is needed of them
    for (int c = 0; done && c < n; c++) {
        const cairn_block* block = &problem->blocks[c];
        out.blocks[c] = *block;
        out.blocks[c].row = 3 * c;
        out.blocks[c].row_count = 3;
        out.blocks[c].body_a = out.blocks[c].body_b = CAIRN_WORLD_BODY;
        if (block->row_count == 1)
            out.blocks[c].friction = (cairn_friction){.kind = CAIRN_FRICTION_NONE};
        for (int i = 0; i < block->row_count; i++) {
            out.b[3 * c + i] = problem->b[block->row + i];
            if (out.warm)
                out.warm[3 * c + i] = problem->warm[block->row + i];
        }
    }

    cairn_arena_destroy(&arena);

    if (!done) {
        cairn_problem_destroy(&out);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for an explicit matrix of %d contacts",
                          n);
    }

    *form = out;
    return CAIRN_OK;
}
