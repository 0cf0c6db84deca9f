// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Auxiliary constraints by columns, as published (Baraff 1996): the forest is solved for the forces
// K of four rows at a time, and S = J_a y is read off. That is O(n) for each row whatever the
// depth, where paths (tree_response.c) cost O(depth) for each row and once more for each pair of
// rows: on a chain with k rows at its end O(n k) beside O(n k²). Which one is less work is counted
// first.

#include "solve/tree/tree.h"
#include <string.h>

enum { fewest_groups = 8 }; // below, paths win whatever the tree

// Work of a link in three units: a group that goes through it, a pair of groups that meet there,
// and four columns of a solve. Measured on chains and binary trees.
static const double per_group = 5.0, per_pair = 1.0, per_column = 5.0;

bool cairn_tree_columns_pay(const cairn_tree_response* response, cairn_arena* arena)
{
    const cairn_tree* tree = response->tree;
    double columns = per_column * response->group_count * (double)tree->link_count, paths = 0.0;
    if (response->group_count < fewest_groups)
        return false;

    // count the work of the paths until it exceeds that of the columns
    cairn_arena_mark mark = cairn_arena_here(arena);
    int* last = CAIRN_TAKE_ZEROED(arena, int, tree->link_count);
    int* groups = CAIRN_TAKE_ZEROED(arena, int, tree->link_count);
    for (cairn_tree_part p = {0};
         !arena->failed && paths <= columns && cairn_tree_next_part(response, &p);)
        for (int i = 0; i < p.block->body_count; i++) {
            int k = tree->link_of_body[p.block->bodies[i]];
            for (; k >= 0 && last[k] != p.group + 1; k = tree->links[k].parent) {
                last[k] = p.group + 1;
                paths += per_group + per_pair * ++groups[k];
            }
        }

    cairn_arena_release(arena, mark);
    return paths > columns;
}

// K of a part's rows, into its lanes of f
static void add_column(const cairn_tree* tree, const cairn_tree_part* p, double* f)
{
    const double* k = p->block->k ? p->block->k : p->block->j;
    for (int i = 0; i < p->block->body_count; i++) {
        int d = tree->dimension[p->block->bodies[i]];
        double* to = f + cairn_tree_lanes * tree->body_offset[p->block->bodies[i]];
        for (int r = 0; r < p->count; r++)
            for (int x = 0; x < d; x++)
                to[cairn_tree_lanes * x + p->lane + r] += k[d * (p->first + r) + x];
        k += d * p->block->row_count;
    }
}

// zeros where add_column has added
static void clear_column(const cairn_tree* tree, const cairn_tree_part* p, double* f)
{
    for (int i = 0; i < p->block->body_count; i++)
        memset(f + cairn_tree_lanes * tree->body_offset[p->block->bodies[i]], 0,
               cairn_tree_lanes * (size_t)tree->dimension[p->block->bodies[i]] * sizeof(double));
}

// J_a y of a part's rows for y in lanes: to[4 r + lane]
static void see_column(const cairn_tree* tree, const cairn_tree_part* p, const double* y,
                       double* to, ptrdiff_t stride)
{
    const double* j = p->block->j;
    for (int r = 0; r < p->count; r++)
        for (int lane = 0; lane < cairn_tree_lanes; lane++)
            to[stride * r + lane] = 0.0;
    for (int i = 0; i < p->block->body_count; i++) {
        int d = tree->dimension[p->block->bodies[i]];
        const double* from = y + cairn_tree_lanes * tree->body_offset[p->block->bodies[i]];
        for (int r = 0; r < p->count; r++)
            for (int x = 0; x < d; x++)
                for (int lane = 0; lane < cairn_tree_lanes; lane++)
                    to[stride * r + lane] +=
                        j[d * (p->first + r) + x] * from[cairn_tree_lanes * x + lane];
        j += d * p->block->row_count;
    }
}

// the response of all rows to the forces of one group, whose solution y is
static void see_all(cairn_tree_response* response, int group, const double* y)
{
    ptrdiff_t stride = cairn_tree_lanes * (ptrdiff_t)response->group_count;
    for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);)
        if (response->other_forces || p.group >= group)
            see_column(response->tree, &p, y,
                       response->S + stride * (cairn_tree_lanes * p.group + p.lane) +
                           cairn_tree_lanes * group,
                       stride);
}

// s = J_a y of what is loaded
static void see_loaded(cairn_tree_response* response, double* y)
{
    const cairn_tree* tree = response->tree;
    cairn_tree_backward_only(response->tree, y, NULL);
    for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);) {
        const double* j = p.block->j;
        double* s = response->s + cairn_tree_lanes * p.group + p.lane;
        for (int i = 0; i < p.block->body_count; i++) {
            int d = tree->dimension[p.block->bodies[i]];
            const double* at = y + tree->body_offset[p.block->bodies[i]];
            for (int r = 0; r < p.count; r++)
                for (int x = 0; x < d; x++)
                    s[r] += j[d * (p.first + r) + x] * at[x];
            j += d * p.block->row_count;
        }
    }
}

// the links that forces of the rows go through on their way to the roots
static void mark_paths(cairn_tree_response* response)
{
    const cairn_tree* tree = response->tree;
    for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);)
        for (int i = 0; i < p.block->body_count; i++)
            for (int k = tree->link_of_body[p.block->bodies[i]];
                 k >= 0 && !(response->visited[k / 64] >> k % 64 & 1); k = tree->links[k].parent)
                response->visited[k / 64] |= UINT64_C(1) << k % 64;
}

cairn_status cairn_tree_respond_by_columns(cairn_tree_response* response, cairn_arena* arena)
{
    cairn_tree* tree = response->tree;
    cairn_arena_mark mark = cairn_arena_here(arena);
    size_t bodies = (size_t)tree->body_offset[tree->body_count];
    const cairn_tree_link* last = &tree->links[tree->link_count - 1];
    size_t loaded = last->x + (size_t)tree->n + last->rows;
    double* f = CAIRN_TAKE_ZEROED(arena, double, cairn_tree_lanes* bodies);
    double* y = CAIRN_TAKE_ZEROED(arena, double, cairn_tree_lanes* bodies);
    double* kept = CAIRN_TAKE(arena, double, loaded);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    mark_paths(response);
    if (response->s)
        see_loaded(response, y);

    // the sweeps use the room of what is loaded
    memcpy(kept, tree->x, loaded * sizeof(double));
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    sweep.f = f;
    sweep.y = y;

    cairn_tree_part p = {0}, first;
    for (bool more = cairn_tree_next_part(response, &p); more;) {
        int group = p.group;
        first = p;
        for (; more && p.group == group; more = cairn_tree_next_part(response, &p))
            add_column(tree, &p, f);

        // one solve for four forces, and what all rows see of them
        CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_forward4)(&sweep);
        CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_backward4)(&sweep);
        see_all(response, group, y);

        for (bool on = true; on && first.group == group;
             on = cairn_tree_next_part(response, &first))
            clear_column(tree, &first, f);
    }

    memcpy(tree->x, kept, loaded * sizeof(double));
    cairn_arena_release(arena, mark);
    return CAIRN_OK;
}
