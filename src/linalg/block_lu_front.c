// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Symbolic part of the fronts: which pivots share one, what it reaches, where its entries go.

#include "linalg/block_lu_front.h"
#include "linalg/block_lu.h"
#include <string.h>

// A front grows by its last child when that adds few zeros: up to this share of its factors, or a
// larger one while it is small.
static const double few_zeros = 0.05, zeros_of_small = 0.3;

enum { small_pivots = 16 };

// pivots first .. end - 1, of which `zeros` blocks are stored though they are zero
typedef struct group {
    int first, end;
    double zeros;
} group;

// a block of the matrix, by positions
typedef struct entry {
    int row, column, place;
} entry;

static int reach(const cairn_block_lu_pattern* pattern, int position)
{
    return (int)(pattern->upper[position + 1] - pattern->upper[position]);
}

// whether the group `child`, just before `group`, may join it
static bool should_join(const group* child, const group* own, const int* parent,
                        const cairn_block_lu_pattern* pattern, double* zeros)
{
    int up = parent[child->end - 1];
    if (up < own->first || up >= own->end)
        return false;
    int rows = own->end - own->first + reach(pattern, own->end - 1);
    int pivots = own->end - child->first;
    double added = (double)(child->end - child->first) * (rows - reach(pattern, child->end - 1));
    double size = (double)pivots * (0.5 * pivots + reach(pattern, own->end - 1));
    *zeros = child->zeros + own->zeros + added;
    return *zeros <= (pivots <= small_pivots ? zeros_of_small : few_zeros) * size;
}

// pivots with the same pattern, joined with their last children where that pays; returns the number
static int group_pivots(group* groups, const cairn_block_lu_pattern* pattern, const int* parent)
{
    int count = 0;
    for (int k = 0; k < pattern->n;) {
        group own = {.first = k};

        // a fundamental supernode: each pivot is the parent of the one before, with one row less
        // behind it
        for (k++; k < pattern->n; k++)
            if (parent[k - 1] != k || reach(pattern, k - 1) != reach(pattern, k) + 1)
                break;
        own.end = k;

        // a child joins when the explicit zeros that this stores are few
        double zeros;
        while (count > 0 && should_join(&groups[count - 1], &own, parent, pattern, &zeros)) {
            own.first = groups[--count].first;
            own.zeros = zeros;
        }

        groups[count++] = own;
    }
    return count;
}

// sizes and places of the fronts
static void size_fronts(cairn_fronts* fronts, const group* groups, const int* front_of,
                        const cairn_block_lu_pattern* pattern, const int* parent)
{
    int index = 0;
    for (int f = 0; f < fronts->count; f++) {
        cairn_front* front = &fronts->front[f];
        int behind = reach(pattern, groups[f].end - 1), up = parent[groups[f].end - 1];

        front->first = groups[f].first;
        front->pivots = groups[f].end - groups[f].first;
        front->rows = front->pivots + behind;
        front->index = index;

        // room for whole vectors of 8 from any row on
        front->leading = (3 * front->rows + 14) / 8 * 8;

        front->L = fronts->values;
        front->U = front->L + 3 * front->pivots * (ptrdiff_t)front->leading;
        fronts->values = front->U + 9 * (ptrdiff_t)front->pivots * behind;

        ptrdiff_t size = 3 * behind * (ptrdiff_t)front->leading;
        fronts->widest = size > fronts->widest ? size : fronts->widest;
        fronts->tallest = front->rows > fronts->tallest ? front->rows : fronts->tallest;

        if (up >= 0)
            fronts->front[front_of[up]].children++;

        memcpy(fronts->row + index, pattern->upper_column + pattern->upper[groups[f].end - 1],
               (size_t)behind * sizeof(int));
        index += behind;
    }

    fronts->front[fronts->count].index = index;
}

// the greatest height of the stack: the Schur complement of a front replaces those of its children
static void size_stack(cairn_fronts* fronts, int* waiting)
{
    ptrdiff_t used = 0;
    int depth = 0;
    for (int f = 0; f < fronts->count; f++) {
        const cairn_front* front = &fronts->front[f];
        for (int c = 0; c < front->children; c++) {
            ptrdiff_t n = 3 * waiting[--depth];
            used -= n * n;
        }

        ptrdiff_t n = 3 * (front->rows - front->pivots);
        waiting[depth++] = front->rows - front->pivots;
        used += n * n;
        fronts->stack = used > fronts->stack ? used : fronts->stack;
        fronts->deepest = depth > fronts->deepest ? depth : fronts->deepest;

        if (n == 0)
            depth--;
    }
}

// places of the positions that front f knows
static void number_rows(int* place, const cairn_fronts* fronts, int f)
{
    const cairn_front* front = &fronts->front[f];
    for (int k = 0; k < front->pivots; k++)
        place[front->first + k] = k;
    for (int k = 0; k < front->rows - front->pivots; k++)
        place[fronts->row[front->index + k]] = front->pivots + k;
}

// Entries (i, j) belong to the front of the pivot min(i, j). Counted for each front, then sorted.
static void place_entries(cairn_fronts* fronts, const int* front_of,
                          const cairn_block_lu_pattern* pattern, int* place, int* next,
                          entry* sorted)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < pattern->n; i++)
            for (int m = pattern->entry[i]; m < pattern->entry[i + 1]; m++) {
                int j = pattern->entry_column[m], f = front_of[i < j ? i : j];
                if (pass == 0)
                    next[f + 1]++;
                else
                    sorted[next[f]++] = (entry){i, j, pattern->entry_place[m]};
            }

        for (int f = 0; f < fronts->count && pass == 0; f++) {
            fronts->front[f].entry = next[f];
            next[f + 1] += next[f];
        }
    }
    fronts->front[fronts->count].entry = pattern->entry[pattern->n];

    // rows and columns of the entries as numbers within their front
    for (int f = 0; f < fronts->count; f++) {
        number_rows(place, fronts, f);
        for (int e = fronts->front[f].entry; e < fronts->front[f + 1].entry; e++) {
            fronts->entry_place[e] = sorted[e].place;
            fronts->entry_row[e] = place[sorted[e].row];
            fronts->entry_column[e] = place[sorted[e].column];
        }
    }
}

static void link_rows(cairn_fronts* fronts, const int* front_of, int* place, const int* parent,
                      const group* groups)
{
    for (int f = 0; f < fronts->count; f++) {
        int up = parent[groups[f].end - 1];
        if (up < 0)
            continue;
        number_rows(place, fronts, front_of[up]);
        const cairn_front* front = &fronts->front[f];
        for (int k = front->index; k < front[1].index; k++)
            fronts->into[k] = place[fronts->row[k]];
    }
}

cairn_status cairn_fronts_make(cairn_fronts* fronts, const cairn_block_lu_pattern* pattern,
                               const int* parent, cairn_arena* arena, cairn_arena* scratch)
{
    int n = pattern->n, entries = pattern->entry[n], rows = 0;
    *fronts = (cairn_fronts){0};

    group* groups = CAIRN_TAKE(scratch, group, n);
    int* front_of = CAIRN_TAKE(scratch, int, n);
    int* place = CAIRN_TAKE(scratch, int, n);
    int* next = CAIRN_TAKE_ZEROED(scratch, int, n + 1);
    entry* sorted = CAIRN_TAKE(scratch, entry, entries);

    if (scratch->failed)
        return CAIRN_NO_MEMORY;

    fronts->count = group_pivots(groups, pattern, parent);
    for (int f = 0; f < fronts->count; f++) {
        rows += reach(pattern, groups[f].end - 1);
        for (int k = groups[f].first; k < groups[f].end; k++)
            front_of[k] = f;
    }

    fronts->front = CAIRN_TAKE_ZEROED(arena, cairn_front, fronts->count + 1);
    fronts->row = CAIRN_TAKE(arena, int, rows);
    fronts->into = CAIRN_TAKE(arena, int, rows);
    fronts->entry_place = CAIRN_TAKE(arena, int, entries);
    fronts->entry_row = CAIRN_TAKE(arena, int, entries);
    fronts->entry_column = CAIRN_TAKE(arena, int, entries);

    if (arena->failed)
        return CAIRN_NO_MEMORY;

    size_fronts(fronts, groups, front_of, pattern, parent);
    link_rows(fronts, front_of, place, parent, groups);
    place_entries(fronts, front_of, pattern, place, next, sorted);
    size_stack(fronts, place);
    return CAIRN_OK;
}

cairn_status cairn_front_lu_prepare(cairn_front_lu* lu, const cairn_fronts* fronts,
                                    cairn_arena* arena)
{
    *lu = (cairn_front_lu){.fronts = fronts};
    lu->value = CAIRN_TAKE(arena, double, fronts->values);
    lu->stack = CAIRN_TAKE(arena, double, fronts->stack);
    lu->waiting = CAIRN_TAKE(arena, int, fronts->deepest);
    lu->X = CAIRN_TAKE(arena, double, fronts->widest);
    lu->run = CAIRN_TAKE(arena, int, fronts->tallest + 1);
    lu->y = CAIRN_TAKE(arena, double, 3 * (ptrdiff_t)fronts->tallest + 16);
    return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}
