// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Patterns of the systems of Newton's method and the choice between the two spaces.

#include "solve/newton/newton_plan.h"
#include "math/numbers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// block products per block row from which on dense fronts are faster than sparse rows (measured)
static const double dense_from = 700.0;

// products of blocks of 6x6 for each such block of the matrix from which on iteration with
// incomplete factors is faster than complete ones (measured)
static const double iterate_from = 25.0;

// lists: those of i are item[begin[i]] .. item[begin[i+1]-1]
typedef struct lists {
    int n;
    int* begin;
    int* item;
} lists;

// the cells of each moving body
static bool list_cells(lists* of_body, const cairn_cells* cells, cairn_arena* arena)
{
    int n = cells->body_count;
    of_body->n = n;
    of_body->begin = CAIRN_TAKE_ZEROED(arena, int, n + 2);
    of_body->item = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)cells->count);
    if (arena->failed)
        return false;

    // counting sort: count, then write
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < cells->count; c++) {
            const int* body = cells->cell[c].body;
            for (int side = 0; side < (body[0] == body[1] ? 1 : 2); side++) {
                if (body[side] < 0)
                    continue;
                if (pass == 0)
                    of_body->begin[body[side] + 2]++;
                else
                    of_body->item[of_body->begin[body[side] + 1]++] = c;
            }
        }
        for (int i = 0; pass == 0 && i < n; i++)
            of_body->begin[i + 2] += of_body->begin[i + 1];
    }

    return true;
}

// the cells that meet cell c on a body, itself among them, ascending
static int meeting(int* found, int* seen, const lists* of_body, const cairn_cells* cells, int c)
{
    int count = 0;
    seen[c] = c;
    found[count++] = c;
    for (int side = 0; side < 2; side++) {
        int body = cells->cell[c].body[side];
        for (int k = body < 0 ? 0 : of_body->begin[body]; body >= 0 && k < of_body->begin[body + 1];
             k++) {
            int d = of_body->item[k];
            if (seen[d] != c) {
                seen[d] = c;
                found[count++] = d;
            }
        }
    }

    qsort(found, (size_t)count, sizeof(int), cairn_compare_ints);
    return count;
}

static cairn_status contact_pattern(lists* pattern, const lists* of_body, const cairn_cells* cells,
                                    cairn_arena* arena)
{
    int n = cells->count;
    size_t room = 0;

    // an upper bound: cells that meet at two bodies count twice
    for (int c = 0; c < n; c++) {
        room++;
        for (int side = 0; side < 2; side++) {
            int body = cells->cell[c].body[side];
            if (body >= 0)
                room += (size_t)(of_body->begin[body + 1] - of_body->begin[body]);
        }
    }

    if (room > INT32_MAX)
        return CAIRN_NO_MEMORY;

    pattern->n = n;
    pattern->begin = CAIRN_TAKE(arena, int, n + 1);
    pattern->item = CAIRN_TAKE(arena, int, room);
    int* seen = CAIRN_TAKE(arena, int, n);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    memset(seen, -1, (size_t)n * sizeof(int));
    pattern->begin[0] = 0;
    for (int c = 0; c < n; c++)
        pattern->begin[c + 1] =
            pattern->begin[c] + meeting(pattern->item + pattern->begin[c], seen, of_body, cells, c);
    return CAIRN_OK;
}

// the bodies that each body meets, itself among them, ascending
static cairn_status neighbor_bodies(lists* near, const lists* of_body, const cairn_cells* cells,
                                    cairn_arena* arena)
{
    int n = cells->body_count, count = 0;
    near->n = n;
    near->begin = CAIRN_TAKE(arena, int, n + 1);
    near->item = CAIRN_TAKE(arena, int, n + 2 * (ptrdiff_t)cells->count);
    int* seen = CAIRN_TAKE(arena, int, n);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    memset(seen, -1, (size_t)n * sizeof(int));

    // `seen` holds the last body that listed each, so that none is listed twice
    for (int i = 0; i < n; i++) {
        near->begin[i] = count;
        seen[i] = i;
        near->item[count++] = i;

        for (int k = of_body->begin[i]; k < of_body->begin[i + 1]; k++) {
            const int* body = cells->cell[of_body->item[k]].body;
            int other = body[0] == i ? body[1] : body[0];
            if (other >= 0 && seen[other] != i) {
                seen[other] = i;
                near->item[count++] = other;
            }
        }

        qsort(near->item + near->begin[i], (size_t)(count - near->begin[i]), sizeof(int),
              cairn_compare_ints);
    }

    near->begin[n] = count;
    return CAIRN_OK;
}

// two block rows per body: linear and angular
static cairn_status body_pattern(lists* pattern, const lists* near, cairn_arena* arena)
{
    int n = near->n;
    pattern->n = 2 * n;
    pattern->begin = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)n + 1);
    pattern->item = CAIRN_TAKE(arena, int, 4 * (ptrdiff_t)near->begin[n]);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    int count = 0;
    for (int i = 0; i < 2 * n; i++) {
        pattern->begin[i] = count;
        for (int k = near->begin[i / 2]; k < near->begin[i / 2 + 1]; k++) {
            pattern->item[count++] = 2 * near->item[k];
            pattern->item[count++] = 2 * near->item[k] + 1;
        }
    }

    pattern->begin[2 * n] = count;
    return CAIRN_OK;
}

static cairn_status copy_lists(lists* to, const lists* from, cairn_arena* arena)
{
    int n = from->n, count = from->begin[n];
    to->n = n;
    to->begin = CAIRN_TAKE(arena, int, n + 1);
    to->item = CAIRN_TAKE(arena, int, count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    memcpy(to->begin, from->begin, (size_t)(n + 1) * sizeof(int));
    memcpy(to->item, from->item, (size_t)count * sizeof(int));
    return CAIRN_OK;
}

// the place of body j among the neighbors of body i
static int place_of(const lists* near, int i, int j)
{
    const int* found =
        bsearch(&j, near->item + near->begin[i], (size_t)(near->begin[i + 1] - near->begin[i]),
                sizeof(int), cairn_compare_ints);
    return (int)(found - (near->item + near->begin[i]));
}

// the blocks that a cell adds to: of 6x6 in the lists of `near`, or of 3x3 in those of `pattern`
static void find_slots(int* slot, const lists* near, const lists* pattern, const cairn_cells* cells)
{
    for (int c = 0; c < cells->count; c++)
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++) {
                int i = cells->cell[c].body[p], j = cells->cell[c].body[q];
                int* to = &slot[4 * c + 2 * p + q];
                if (i < 0 || j < 0)
                    *to = -1;
                else if (pattern->n == near->n)
                    *to = near->begin[i] + place_of(near, i, j);
                else
                    *to = pattern->begin[2 * i] + 2 * place_of(near, i, j);
            }
}

// ---------------------------------------------------------------- the choice

// Work of a factorization in products of two blocks. Forming the matrix counts: 2 products per
// block in contact space, about 12 per cell in body space.
static cairn_status is_body_cheaper(bool* body, const lists* near, const lists* of_body,
                                    const cairn_cells* cells, cairn_arena* scratch,
                                    const cairn_stop* stop)
{
    double n = cells->count, m = cells->body_count, contact_work = 0.0, body_work = 0.0;

    // few contacts on many bodies, many contacts on few bodies: no need to count
    *body = 2.0 * m <= 0.75 * n;
    if (*body || n <= m)
        return CAIRN_OK;

    lists by_cell, by_body;
    cairn_arena_mark here = cairn_arena_here(scratch);
    cairn_status status = contact_pattern(&by_cell, of_body, cells, scratch);
    if (status == CAIRN_OK)
        status = cairn_block_lu_estimate(&contact_work, by_cell.n, by_cell.begin, by_cell.item,
                                         scratch, stop);
    if (status == CAIRN_OK)
        status = body_pattern(&by_body, near, scratch);
    if (status == CAIRN_OK)
        status = cairn_block_lu_estimate(&body_work, by_body.n, by_body.begin, by_body.item,
                                         scratch, stop);

    if (status == CAIRN_OK) {
        double block = cells->width == 3 ? 1.0 : 16.0 / 9.0;
        *body = body_work + 12.0 * n < block * (contact_work + 2.0 * by_cell.begin[by_cell.n]);
    }

    cairn_arena_release(scratch, here);
    return status;
}

// whether complete factors would fill up so much that iteration costs less
static cairn_status is_iteration_cheaper(bool* iterated, const lists* near, cairn_arena* scratch,
                                         const cairn_stop* stop)
{
    double work = 0.0;
    cairn_status status =
        cairn_block_lu_estimate(&work, near->n, near->begin, near->item, scratch, stop);
    *iterated = work > iterate_from * near->begin[near->n];
    return status;
}

// ---------------------------------------------------------------- the key

static int key_length(const cairn_cells* cells)
{
    return cells->W ? 4 + cells->count + cells->begin[cells->count] : 4 + 2 * cells->count;
}

static void write_key(int* key, const cairn_cells* cells, cairn_newton_space space)
{
    int* to = key + 4;
    key[0] = cells->count;
    key[1] = cells->body_count;
    key[2] = cells->width;
    key[3] = (int)space;
    if (cells->W) {
        memcpy(to, cells->begin, (size_t)cells->count * sizeof(int));
        memcpy(to + cells->count, cells->column, (size_t)cells->begin[cells->count] * sizeof(int));
        return;
    }

    for (int c = 0; c < cells->count; c++) {
        *to++ = cells->cell[c].body[0];
        *to++ = cells->cell[c].body[1];
    }
}

bool cairn_newton_key_make(cairn_newton_key* key, const cairn_cells* cells,
                           cairn_newton_space space, cairn_arena* arena)
{
    *key = (cairn_newton_key){.length = key_length(cells), .hash = 14695981039346656037u};
    key->word = CAIRN_TAKE(arena, int, key->length);
    if (!key->word)
        return false;
    write_key(key->word, cells, space);

    // Fowler, Noll and Vo's hash, a word at a time
    for (int i = 0; i < key->length; i++)
        key->hash = (key->hash ^ (uint32_t)key->word[i]) * 1099511628211u;
    return true;
}

bool cairn_newton_key_equal(const cairn_newton_key* x, const cairn_newton_key* y)
{
    return x->length == y->length && x->hash == y->hash &&
           memcmp(x->word, y->word, (size_t)x->length * sizeof(int)) == 0;
}

// ---------------------------------------------------------------- the plan

// the lists of a plan in the space that it was given
static cairn_status fill_lists(cairn_newton_plan* plan, const lists* near, const lists* of_body,
                               const cairn_cells* cells, cairn_arena* arena)
{
    lists pattern;
    cairn_status status = plan->iterated     ? copy_lists(&pattern, near, arena)
                          : plan->body_space ? body_pattern(&pattern, near, arena)
                                             : contact_pattern(&pattern, of_body, cells, arena);
    if (status != CAIRN_OK)
        return status;
    if (plan->body_space) {
        plan->slot = CAIRN_TAKE(arena, int, 4 * (ptrdiff_t)cells->count);
        if (!plan->slot)
            return CAIRN_NO_MEMORY;
        find_slots(plan->slot, near, &pattern, cells);
    }

    plan->n = pattern.n;
    plan->begin = pattern.begin;
    plan->column = pattern.item;
    return CAIRN_OK;
}

static cairn_status plan_bodies(cairn_newton_plan* plan, const cairn_cells* cells,
                                cairn_newton_space space, cairn_arena* arena, cairn_arena* scratch,
                                const cairn_stop* stop)
{
    lists of_body, near;
    if (!list_cells(&of_body, cells, scratch))
        return CAIRN_NO_MEMORY;
    cairn_status status = neighbor_bodies(&near, &of_body, cells, scratch);
    plan->iterated = space == CAIRN_NEWTON_ITERATED;
    if (status == CAIRN_OK && space == CAIRN_NEWTON_CHEAPEST)
        status = is_iteration_cheaper(&plan->iterated, &near, scratch, stop);
    plan->body_space = plan->iterated || space == CAIRN_NEWTON_BODIES;
    if (status == CAIRN_OK && !plan->body_space && space != CAIRN_NEWTON_CONTACTS)
        status = is_body_cheaper(&plan->body_space, &near, &of_body, cells, scratch, stop);
    return status == CAIRN_OK ? fill_lists(plan, &near, &of_body, cells, arena) : status;
}

void cairn_newton_plan_borrow(cairn_newton_plan* plan, const cairn_cells* cells)
{
    if (!cells->W)
        return;
    plan->n = cells->count;
    plan->begin = cells->begin;
    plan->column = cells->column;
}

cairn_status cairn_newton_plan_make(cairn_newton_plan* plan, const cairn_cells* cells,
                                    cairn_newton_space space, cairn_arena* arena,
                                    cairn_arena* scratch, const cairn_stop* stop)
{
    *plan = (cairn_newton_plan){0};
    cairn_newton_plan_borrow(plan, cells);
    cairn_status status =
        cells->W ? CAIRN_OK : plan_bodies(plan, cells, space, arena, scratch, stop);
    if (status == CAIRN_OK && !plan->iterated)
        status =
            cairn_block_lu_analyze(&plan->pattern, plan->n, plan->begin, plan->column,
                                   plan->body_space ? dense_from : INFINITY, arena, scratch, stop);
    return status;
}
