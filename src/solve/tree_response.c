// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Auxiliary constraints by anticipation: how rows J_a respond to forces K when the primary
// constraints of a forest hold,
//
//     S = J_a M̂^-1 K,     M̂^-1 = M^-1 - M^-1 J^T (J M^-1 J^T + E)^-1 J M^-1.
//
// A column (K; 0) is swept from the touched bodies to their roots and nowhere else. With z what
// arrives at a link, γ = -N^-1 Z^T z and y = G^-1 (z + j_qk^T γ),
//
//     S_ij = Σ over common links of  y_i^T Δ^-1 y_j + γ_i^T E γ_j,
//
// a Gram matrix: the published form Y^T D^-1 Y subtracts the constraints' part from the bodies',
// this one has the difference taken link by link before it is squared. Rows of one block share
// their path, up to four at once.
//
// Not for many rows: S is dense.

#include "math/assert.h"
#include "solve/tree.h"
#include <stdlib.h>
#include <string.h>

enum { group = 4 };

static int group_count(const cairn_tree_auxiliary* block)
{
    return (block->row_count + group - 1) / group;
}

// ---------------------------------------------------------------- paths

// the links where a block starts, each once; `which` tells the head of each body (-1: prescribed)
static int start_links(int* link, int* which, const cairn_tree* tree,
                       const cairn_tree_auxiliary* block)
{
    int count = 0;
    for (int i = 0; i < block->body_count; i++) {
        int k = tree->link_of_body[block->bodies[i]], h = 0;
        which[i] = -1;
        if (k < 0)
            continue;
        while (h < count && link[h] != k)
            h++;
        link[h] = k;
        which[i] = h;
        if (h == count)
            count++;
    }
    return count;
}

// how many links a path has, and how many numbers per lane; `link` is used up
static int path_extent(const cairn_tree* tree, int* link, int heads, size_t* numbers)
{
    int count = 0;
    *numbers = 0;
    while (heads > 0) {
        int first = 0;
        for (int h = 1; h < heads; h++)
            if (link[h] < link[first])
                first = h;
        const cairn_tree_link* at = &tree->links[link[first]];
        count++;
        *numbers += 2 * (size_t)(tree->n + at->rows);
        int into = at->parent < 0 ? first : -1;
        for (int h = 0; h < heads && at->parent >= 0; h++)
            if (link[h] == at->parent)
                into = h;
        if (into >= 0)
            link[first] = link[--heads];
        else
            link[first] = at->parent;
    }
    return count;
}

// one group of rows of a block into the heads' z
static void load_heads(double* z, const cairn_tree* tree, const cairn_tree_auxiliary* block,
                       const double* rows, const int* which, int first, int lanes)
{
    int n = tree->n;
    for (int i = 0; i < block->body_count; i++) {
        int d = tree->dimension[block->bodies[i]];
        for (int r = first; r < block->row_count && r < first + lanes && which[i] >= 0; r++)
            for (int k = 0; k < d; k++)
                z[lanes * (n * which[i] + k) + r - first] += rows[d * r + k];
        rows += d * block->row_count;
    }
}

static bool walk_group(cairn_tree_path* path, const cairn_tree* tree,
                       const cairn_tree_auxiliary* block, const double* rows, int first,
                       cairn_arena* arena)
{
    int bodies = block->body_count, lanes = block->row_count == 1 ? 1 : group;
    size_t numbers;

    // the path itself stays, the heads are scratch
    int* links = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)bodies);
    if (!links)
        return false;
    int* which = links + bodies;
    int heads = start_links(links, which, tree, block);
    int count = path_extent(tree, links, heads, &numbers);
    path->lanes = lanes;
    path->row_count = block->row_count - first < lanes ? block->row_count - first : lanes;
    path->links = CAIRN_TAKE(arena, int, count);
    path->data = CAIRN_TAKE(arena, double, (size_t)lanes* numbers);
    cairn_arena_mark mark = cairn_arena_here(arena);
    double* z = CAIRN_TAKE_ZEROED(arena, double, (ptrdiff_t)lanes * tree->n * bodies);
    if (arena->failed)
        return false;
    start_links(links, which, tree, block);
    load_heads(z, tree, block, rows, which, first, lanes);
    cairn_tree_heads at = {.count = heads, .link = links, .z = z};
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    if (lanes == 1)
        CAIRN_PICK_KERNEL(tree->level, cairn_tree_path)(&sweep, path, &at);
    else
        CAIRN_PICK_KERNEL(tree->level, cairn_tree_path4)(&sweep, path, &at);
    cairn_arena_release(arena, mark);
    return true;
}

double cairn_tree_response_size(const cairn_tree* tree, const cairn_tree_auxiliary* blocks,
                                int block_count)
{
    double size = 0.0;
    for (int c = 0; c < block_count; c++)
        for (int i = 0; i < blocks[c].body_count; i++)
            for (int k = tree->link_of_body[blocks[c].bodies[i]]; k >= 0; k = tree->links[k].parent)
                size += 2.0 * (tree->n + tree->links[k].rows) *
                        (blocks[c].row_count == 1 ? 1 : group * group_count(&blocks[c]));
    return size;
}

cairn_status cairn_tree_response_build(cairn_tree_response* response, cairn_tree* tree,
                                       const cairn_tree_auxiliary* blocks, int block_count,
                                       cairn_arena* arena)
{
    CAIRN_ASSERT(!tree->fresh && tree->first_changed == tree->link_count);
    bool other_forces = false;
    int paths = 0, rows = 0;
    for (int c = 0; c < block_count; c++) {
        paths += group_count(&blocks[c]);
        other_forces = other_forces || blocks[c].k;
    }
    cairn_tree_auxiliary* copy = CAIRN_TAKE(arena, cairn_tree_auxiliary, block_count);
    response->motion = CAIRN_TAKE(arena, cairn_tree_path, paths);
    response->force = other_forces ? CAIRN_TAKE(arena, cairn_tree_path, paths) : response->motion;
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    response->tree = tree;
    response->path_count = response->row_count = 0;
    for (int c = 0; c < block_count; c++) {
        copy[c] = blocks[c];
        for (int first = 0; first < blocks[c].row_count; first += group) {
            int p = response->path_count++;
            response->motion[p].first_row = rows + first;
            if (!walk_group(&response->motion[p], tree, &blocks[c], blocks[c].j, first, arena))
                return CAIRN_NO_MEMORY;
            if (!other_forces)
                continue;
            response->force[p] = response->motion[p];
            if (blocks[c].k &&
                !walk_group(&response->force[p], tree, &blocks[c], blocks[c].k, first, arena))
                return CAIRN_NO_MEMORY;
        }
        rows += blocks[c].row_count;
    }
    response->row_count = rows;
    response->block_count = block_count;
    response->blocks = copy;
    return CAIRN_OK;
}

cairn_status cairn_tree_response_create(cairn_tree_response** response, cairn_tree* tree,
                                        const cairn_tree_auxiliary* blocks, int block_count,
                                        cairn_error* error)
{
    for (int c = 0; c < block_count; c++) {
        if (blocks[c].row_count < 1 || blocks[c].row_count > cairn_tree_max_rows)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "auxiliary block %d: %d rows, expected 1 to 6", c,
                              blocks[c].row_count);
        for (int i = 0; i < blocks[c].body_count; i++)
            if (blocks[c].bodies[i] < 0 || blocks[c].bodies[i] >= tree->body_count)
                return cairn_fail(error, CAIRN_BAD_INPUT,
                                  "auxiliary block %d: body %d, but there are %d", c,
                                  blocks[c].bodies[i], tree->body_count);
    }
    cairn_tree_response* out = calloc(1, sizeof *out);
    cairn_status status = out ? cairn_tree_response_build(out, tree, blocks, block_count, &out->own)
                              : CAIRN_NO_MEMORY;
    if (status != CAIRN_OK) {
        cairn_tree_response_destroy(out);
        return cairn_fail(error, status, "no memory for %d auxiliary blocks", block_count);
    }
    *response = out;
    return CAIRN_OK;
}

void cairn_tree_response_destroy(cairn_tree_response* response)
{
    if (!response)
        return;
    cairn_arena_destroy(&response->own);
    free(response);
}

int cairn_tree_response_rows(const cairn_tree_response* response)
{
    return response->row_count;
}

// ---------------------------------------------------------------- S

// sum += left^T right over `length` numbers: g lanes of which `rows` are used, against h lanes
static inline void add_product(double* sum, const double* left, const double* right, int length,
                               int rows, const int g, const int h)
{
    for (int a = 0; a < rows; a++) {
        double total[group] = {0.0};
        for (int i = 0; i < length; i++)
            for (int b = 0; b < h; b++)
                total[b] += left[g * i + a] * right[h * i + b];
        for (int b = 0; b < h; b++)
            sum[group * a + b] += total[b];
    }
}

static void add_common(double* sum, const double* left, const double* right, int length,
                       const cairn_tree_path* g, const cairn_tree_path* h)
{
    if (g->lanes == 1 && h->lanes == 1)
        add_product(sum, left, right, length, 1, 1, 1);
    else if (g->lanes == 1)
        add_product(sum, left, right, length, 1, 1, group);
    else if (h->lanes == 1)
        add_product(sum, left, right, length, g->row_count, group, 1);
    else
        add_product(sum, left, right, length, g->row_count, group, group);
}

// S_gh: both lists of links ascend, so their common part is found by merging
static void meet(double* sum, const cairn_tree* tree, const cairn_tree_path* g,
                 const cairn_tree_path* h)
{
    int n = tree->n;
    const double *left = g->data, *right = h->data;
    memset(sum, 0, group * group * sizeof(double));
    for (int i = 0, j = 0; i < g->count && j < h->count;) {
        int k = g->links[i], l = h->links[j];
        int size = n + tree->links[k].rows, other = n + tree->links[l].rows;
        if (k == l)
            add_common(sum, left, right + (ptrdiff_t)size * h->lanes, tree->compliant ? size : n, g,
                       h);
        if (k <= l) {
            left += 2 * (ptrdiff_t)size * g->lanes;
            i++;
        }
        if (l <= k) {
            right += 2 * (ptrdiff_t)other * h->lanes;
            j++;
        }
    }
}

void cairn_tree_response_matrix(const cairn_tree_response* response, double* S)
{
    ptrdiff_t n = response->row_count;
    bool symmetric = response->motion == response->force;
    for (int p = 0; p < response->path_count; p++) {
        const cairn_tree_path* g = &response->motion[p];
        for (int q = 0; q < (symmetric ? p + 1 : response->path_count); q++) {
            const cairn_tree_path* h = &response->force[q];
            double sum[group * group];
            meet(sum, response->tree, g, h);
            for (int a = 0; a < g->row_count; a++)
                for (int b = 0; b < h->row_count; b++) {
                    if (symmetric && p == q && b > a)
                        continue;
                    S[n * (g->first_row + a) + h->first_row + b] = sum[group * a + b];
                    if (symmetric)
                        S[n * (h->first_row + b) + g->first_row + a] = sum[group * a + b];
                }
        }
    }
}

void cairn_tree_response_velocity(const cairn_tree_response* response, double* s, const double* y)
{
    const cairn_tree* tree = response->tree;
    int row = 0;
    for (int c = 0; c < response->block_count; c++) {
        const cairn_tree_auxiliary* block = &response->blocks[c];
        const double* j = block->j;
        for (int r = 0; r < block->row_count; r++)
            s[row + r] = 0.0;
        for (int i = 0; i < block->body_count; i++) {
            int d = tree->dimension[block->bodies[i]];
            const double* v = y + tree->body_offset[block->bodies[i]];
            for (int r = 0; r < block->row_count; r++)
                for (int k = 0; k < d; k++)
                    s[row + r] += j[d * r + k] * v[k];
            j += d * block->row_count;
        }
        row += block->row_count;
    }
}

// w += G^-T Δ^-1 Y μ, γ += Γ μ of one link
static inline void add_force(cairn_tree* tree, const cairn_tree_link* link,
                             const cairn_tree_path* path, const double* data, const double* mu,
                             const int n)
{
    int m = link->rows, lanes = path->lanes, rows = path->row_count;
    const double* right = data + (ptrdiff_t)(n + m) * lanes;
    const double* G = tree->factors + link->factor;
    double* forward = tree->forward + link->x;
    double w[6] = {0.0};
    for (int i = 0; i < n; i++)
        for (int a = 0; a < rows; a++)
            w[i] += right[lanes * i + a] * mu[a];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < i; j++)
            w[j] -= G[cairn_packed(i) + (size_t)j] * w[i];
        forward[i] += w[i];
    }
    for (int r = 0; r < m; r++)
        for (int a = 0; a < rows; a++)
            forward[n + r] += data[lanes * (n + r) + a] * mu[a];
}

void cairn_tree_response_finish(cairn_tree_response* response, double* y, double* lambda,
                                const double* mu)
{
    cairn_tree* tree = response->tree;
    CAIRN_ASSERT(tree->resumable);
    for (int p = 0; p < response->path_count; p++) {
        const cairn_tree_path* path = &response->force[p];
        const double* data = path->data;
        for (int i = 0; i < path->count; i++) {
            const cairn_tree_link* link = &tree->links[path->links[i]];
            if (tree->n == 3)
                add_force(tree, link, path, data, mu + path->first_row, 3);
            else
                add_force(tree, link, path, data, mu + path->first_row, 6);
            data += 2 * (ptrdiff_t)(tree->n + link->rows) * path->lanes;
        }
    }
    tree->resumable = false;
    cairn_tree_backward_only(tree, y, lambda);
}
