// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Symbolic part of the block LU (the numeric one is block_lu_kernel.c). With the pattern made
// symmetric, row i of L reaches the columns that the elimination tree connects i with: climb from
// every k < i with A_ik != 0 towards the root until a node that row i has visited already (Liu
// 1990). The pattern of U is the transpose of that of L.

#include "linalg/block_lu.h"
#include "linalg/amd.h"
#include "linalg/dissect.h"
#include "math/numbers.h"
#include <stdlib.h>
#include <string.h>

// block products from which on a second order is tried: it costs as much as 3e6 of them
static const double costly_work = 1e7;

// the pattern, completed to a symmetric one without the diagonal
typedef struct graph {
    int n;
    int* begin;
    int* neighbor;
} graph;

static bool complete_pattern(graph* g, int n, const int* begin, const int* column,
                             cairn_arena* arena)
{
    g->n = n;
    g->begin = CAIRN_TAKE_ZEROED(arena, int, n + 2);
    g->neighbor = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)begin[n]);
    int* seen = CAIRN_TAKE(arena, int, n);
    if (arena->failed)
        return false;

    // every entry counts in its row and in that of its transpose, then duplicates go
    for (int i = 0; i < n; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++)
            if (column[k] != i) {
                g->begin[i + 2]++;
                g->begin[column[k] + 2]++;
            }

    for (int i = 0; i < n; i++)
        g->begin[i + 2] += g->begin[i + 1];

    for (int i = 0; i < n; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++)
            if (column[k] != i) {
                g->neighbor[g->begin[i + 1]++] = column[k];
                g->neighbor[g->begin[column[k] + 1]++] = i;
            }

    // drop the duplicates in place
    memset(seen, -1, (size_t)n * sizeof(int));
    int write = 0, from = 0;
    for (int i = 0; i < n; i++) {
        int end = g->begin[i + 1];
        g->begin[i] = write;
        for (; from < end; from++)
            if (seen[g->neighbor[from]] != i) {
                seen[g->neighbor[from]] = i;
                g->neighbor[write++] = g->neighbor[from];
            }
    }

    g->begin[n] = write;
    return true;
}

// the elimination tree of the graph in an order, by path compression
static void eliminate_tree(int* parent, int* ancestor, const graph* g, const int* order,
                           const int* position)
{
    for (int i = 0; i < g->n; i++) {
        parent[i] = ancestor[i] = -1;
        for (int m = g->begin[order[i]]; m < g->begin[order[i] + 1]; m++) {
            // climb to the root of k's subtree; every node on the way gets the shortcut to i
            int k = position[g->neighbor[m]];
            while (k >= 0 && k < i) {
                int up = ancestor[k];
                ancestor[k] = i;
                if (up < 0)
                    parent[k] = i;
                k = up;
            }
        }
    }
}

// the columns of row i of L, unsorted; returns their number
static int row_reach(int* reach, int* seen, int i, const graph* g, const int* order,
                     const int* position, const int* parent)
{
    int count = 0;
    seen[i] = i;
    for (int m = g->begin[order[i]]; m < g->begin[order[i] + 1]; m++)
        for (int k = position[g->neighbor[m]]; k < i && seen[k] != i; k = parent[k]) {
            seen[k] = i;
            reach[count++] = k;
        }
    return count;
}

// reorders so that every subtree is contiguous, children before parents: less memory traffic
static void postorder(int* order, const int* parent, int n, int* child, int* sibling, int* stack,
                      int* copy)
{
    int root = -1, count = 0;
    memset(child, -1, (size_t)n * sizeof(int));

    // the children of each node, in ascending order
    for (int k = n - 1; k >= 0; k--) {
        int* head = parent[k] >= 0 ? &child[parent[k]] : &root;
        sibling[k] = *head;
        *head = k;
    }

    // depth first with a stack of its own: the tree may be as deep as it has nodes
    memcpy(copy, order, (size_t)n * sizeof(int));
    for (int tree = root; tree >= 0; tree = sibling[tree]) {
        int depth = 0;
        stack[depth++] = tree;
        while (depth > 0) {
            int top = stack[depth - 1];
            if (child[top] >= 0) {
                stack[depth++] = child[top];
                child[top] = sibling[child[top]];
            } else {
                order[count++] = copy[top];
                depth--;
            }
        }
    }
}

typedef struct analysis {
    graph g;
    int *order, *position, *parent, *seen, *reach, *column_count, *copy;
    double work;
    const cairn_stop* stop;
} analysis;

static void invert_order(int* position, const int* order, int n)
{
    for (int k = 0; k < n; k++)
        position[order[k]] = k;
}

// tree, column counts and work of a->order, which is put in postorder; false: no time for it
static bool count_columns(analysis* a)
{
    int n = a->g.n;

    invert_order(a->position, a->order, n);
    eliminate_tree(a->parent, a->seen, &a->g, a->order, a->position);
    postorder(a->order, a->parent, n, a->column_count, a->reach, a->seen, a->copy);

    // the tree and the counts belong to the new order
    invert_order(a->position, a->order, n);
    eliminate_tree(a->parent, a->seen, &a->g, a->order, a->position);

    memset(a->seen, -1, (size_t)n * sizeof(int));
    memset(a->column_count, 0, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        if (cairn_stop_asked(a->stop))
            return false;

        int count = row_reach(a->reach, a->seen, i, &a->g, a->order, a->position, a->parent);
        for (int k = 0; k < count; k++)
            a->column_count[a->reach[k]]++;
    }

    a->work = 0.0;
    for (int k = 0; k < n; k++)
        a->work += (double)a->column_count[k] * ((double)a->column_count[k] + 1.0);
    return true;
}

// order, tree and column counts by minimum degree
static cairn_status order_by_degree(analysis* a, int n, const int* begin, const int* column,
                                    cairn_arena* scratch)
{
    if (!complete_pattern(&a->g, n, begin, column, scratch))
        return CAIRN_NO_MEMORY;

    int** arrays[] = {&a->order, &a->position,     &a->parent, &a->seen,
                      &a->reach, &a->column_count, &a->copy};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = CAIRN_TAKE_ZEROED(scratch, int, n);

    if (scratch->failed)
        return CAIRN_NO_MEMORY;

    cairn_status status = cairn_amd_order(a->order, n, a->g.begin, a->g.neighbor, scratch, a->stop);
    if (status == CAIRN_OK && !count_columns(a))
        status = CAIRN_INTERRUPTED;
    return status;
}

// the same by nested dissection, where that takes less work
static cairn_status order_by_dissection(analysis* a, cairn_arena* scratch)
{
    int n = a->g.n;
    double work = a->work;

    int* by_degree = CAIRN_TAKE(scratch, int, n);
    if (!by_degree)
        return CAIRN_NO_MEMORY;
    memcpy(by_degree, a->order, (size_t)n * sizeof(int));

    cairn_status status =
        cairn_dissect_order(a->order, n, a->g.begin, a->g.neighbor, scratch, a->stop);
    if (status != CAIRN_OK)
        return status;
    bool counted = count_columns(a);

    // minimum degree was better: count it again
    if (counted && a->work > work) {
        memcpy(a->order, by_degree, (size_t)n * sizeof(int));
        counted = count_columns(a);
    }

    return counted ? CAIRN_OK : CAIRN_INTERRUPTED;
}

cairn_status cairn_block_lu_estimate(double* work, int n, const int* begin, const int* column,
                                     cairn_arena* scratch, const cairn_stop* stop)
{
    analysis a = {.stop = stop};
    cairn_arena_mark here = cairn_arena_here(scratch);
    cairn_status status = order_by_degree(&a, n, begin, column, scratch);
    if (status == CAIRN_OK)
        *work = a.work;
    cairn_arena_release(scratch, here);
    return status;
}

// where the blocks of the matrix go, row by row in the order of elimination
static void place_entries(cairn_block_lu_pattern* pattern, const int* begin, const int* column)
{
    int count = 0;
    for (int i = 0; i < pattern->n; i++) {
        pattern->entry[i] = count;
        for (int k = begin[pattern->order[i]]; k < begin[pattern->order[i] + 1]; k++) {
            pattern->entry_column[count] = pattern->position[column[k]];
            pattern->entry_place[count++] = k;
        }
    }
    pattern->entry[pattern->n] = count;
}

// rows of L, sorted, and of U: visiting the rows of L in order fills those of U in order; false: no
// time for it
static bool fill_lists(cairn_block_lu_pattern* pattern, analysis* a, ptrdiff_t* next)
{
    int n = pattern->n;

    pattern->upper[0] = pattern->lower[0] = 0;
    for (int k = 0; k < n; k++)
        pattern->upper[k + 1] = pattern->upper[k] + a->column_count[k];
    memcpy(next, pattern->upper, (size_t)n * sizeof(ptrdiff_t));
    memset(a->seen, -1, (size_t)n * sizeof(int));

    for (int i = 0; i < n; i++) {
        if (cairn_stop_asked(a->stop))
            return false;

        int* row = pattern->lower_column + pattern->lower[i];
        int count = row_reach(row, a->seen, i, &a->g, a->order, a->position, a->parent);
        qsort(row, (size_t)count, sizeof(int), cairn_compare_ints);
        pattern->lower[i + 1] = pattern->lower[i] + count;

        for (int k = 0; k < count; k++)
            pattern->upper_column[next[row[k]]++] = i;
    }
    return true;
}

// row i + 1 is a twin of row i when L has the same columns there, and i itself
static void pair_rows(cairn_block_lu_pattern* pattern)
{
    for (int i = 0; i + 1 < pattern->n; i++) {
        const ptrdiff_t* at = pattern->lower + i;
        ptrdiff_t count = at[1] - at[0];
        const int *first = pattern->lower_column + at[0], *second = pattern->lower_column + at[1];
        if (at[2] - at[1] != count + 1 || second[count] != i ||
            memcmp(first, second, (size_t)count * sizeof(int)) != 0)
            continue;
        pattern->is_twin[i] = true;
        i++; // a row belongs to one pair
    }
}

cairn_status cairn_block_lu_analyze(cairn_block_lu_pattern* pattern, int n, const int* begin,
                                    const int* column, double dense_from, cairn_arena* arena,
                                    cairn_arena* scratch, const cairn_stop* stop)
{
    analysis a = {.stop = stop};
    cairn_arena_mark here = cairn_arena_here(scratch);

    cairn_status status = order_by_degree(&a, n, begin, column, scratch);
    if (status == CAIRN_OK && a.work >= costly_work)
        status = order_by_dissection(&a, scratch);

    if (status != CAIRN_OK)
        return status;

    ptrdiff_t blocks = 0;
    for (int k = 0; k < n; k++)
        blocks += a.column_count[k];
    *pattern = (cairn_block_lu_pattern){.n = n, .work = a.work};

    pattern->order = CAIRN_TAKE(arena, int, n);
    pattern->position = CAIRN_TAKE(arena, int, n);
    pattern->lower = CAIRN_TAKE(arena, ptrdiff_t, n + 1);
    pattern->upper = CAIRN_TAKE(arena, ptrdiff_t, n + 1);
    pattern->lower_column = CAIRN_TAKE(arena, int, blocks);
    pattern->upper_column = CAIRN_TAKE(arena, int, blocks);
    pattern->is_twin = CAIRN_TAKE_ZEROED(arena, bool, n);
    pattern->entry = CAIRN_TAKE(arena, int, n + 1);
    pattern->entry_column = CAIRN_TAKE(arena, int, begin[n]);
    pattern->entry_place = CAIRN_TAKE(arena, int, begin[n]);
    ptrdiff_t* next = CAIRN_TAKE(scratch, ptrdiff_t, n);

    if (arena->failed || scratch->failed)
        return CAIRN_NO_MEMORY;

    memcpy(pattern->order, a.order, (size_t)n * sizeof(int));
    memcpy(pattern->position, a.position, (size_t)n * sizeof(int));
    place_entries(pattern, begin, column);
    if (!fill_lists(pattern, &a, next))
        return CAIRN_INTERRUPTED;

    pair_rows(pattern);

    // with enough work per pivot dense fronts pay
    if (a.work >= dense_from * n)
        status = cairn_fronts_make(&pattern->fronts, pattern, a.parent, arena, scratch);

    if (scratch != arena)
        cairn_arena_release(scratch, here);
    return status;
}

cairn_status cairn_block_lu_prepare(cairn_block_lu* lu, const cairn_block_lu_pattern* pattern,
                                    int width, cairn_arena* arena)
{
    int n = pattern->n, size = 4 * width;
    ptrdiff_t blocks = pattern->lower[n];
    *lu = (cairn_block_lu){.pattern = pattern, .width = width};

    if (pattern->fronts.count > 0)
        return cairn_front_lu_prepare(&lu->front, &pattern->fronts, arena);

    lu->lower_count = CAIRN_TAKE(arena, int, n);
    lu->upper_count = CAIRN_TAKE(arena, int, n);
    lu->lower_column = CAIRN_TAKE(arena, int, blocks);
    lu->upper_column = CAIRN_TAKE(arena, int, blocks);
    lu->L = CAIRN_TAKE(arena, double, size* blocks);
    lu->U = CAIRN_TAKE(arena, double, size* blocks);
    lu->inverse = CAIRN_TAKE(arena, double, size*(ptrdiff_t)n);
    lu->row = CAIRN_TAKE(arena, double, 2 * size * (ptrdiff_t)n);
    lu->touched = CAIRN_TAKE(arena, int, n);
    lu->x = CAIRN_TAKE(arena, double, 4 * (ptrdiff_t)n);
    return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

bool cairn_block_lu_factor(cairn_block_lu* lu, const double* value, const bool* left_out)
{
    lu->left_out = left_out;
    if (lu->front.fronts)
        return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_front_lu_factor_kernel)(&lu->front,
                                                                                    value);
    return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_block_lu_factor_kernel)(lu, value);
}

void cairn_block_lu_solve(const cairn_block_lu* lu, double* x)
{
    cairn_simd_level level = cairn_simd_detect();
    if (lu->front.fronts)
        CAIRN_PICK_KERNEL(level, cairn_front_lu_solve_kernel)
    (&lu->front, lu->pattern->order, x);
    else CAIRN_PICK_KERNEL(level, cairn_block_lu_solve_kernel)(lu, x);
}
