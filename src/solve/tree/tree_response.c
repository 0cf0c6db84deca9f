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
// this one has the difference taken link by link before it is squared. What the rows see of a
// right-hand side is found on the same way,
//
//     s_i = (J_a y)_i = Σ over links of i  z_i^T D^-1 z_f - γ_i^T t_f,
//
// with what its forward sweep left there: y without auxiliary forces is never formed. All rows go
// up together, four to a group, and S and s grow link by link (tree_path_kernel.c): nothing is kept
// of the way but which links it went through. Where many rows share long ways, as on a deep chain,
// whole columns are cheaper (tree_columns.c).
//
// Not for many rows: S is dense.

#include "math/accept.h"
#include "math/assert.h"
#include "solve/tree/tree_general.h"
#include "solve/tree/tree_unroll.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- groups

// Deals rows to groups in their order; a block that fits into one group is not split. Returns the
// number of groups.
static int deal(cairn_tree_group* groups, const cairn_tree_auxiliary* blocks, int block_count)
{
    int count = 0, row = 0, room = 0;
    for (int c = 0; c < block_count; c++)
        for (int left = blocks[c].row_count; left > 0;) {
            if (room < left && room < cairn_tree_lanes) {
                groups[count++] = (cairn_tree_group){.first_row = row};
                room = cairn_tree_lanes;
            }
            int taken = left < room ? left : room;
            groups[count - 1].row_count += taken;
            row += taken;
            left -= taken;
            room -= taken;
        }
    return count;
}

// Where heads are made: walk and the next one's memory.
typedef struct start {
    cairn_tree_walk* walk;
    const cairn_tree* tree;
    cairn_tree_head* next;
} start;

// the head of a group at a link, a new one where there is none
static cairn_tree_head* head_at(start* at, int link, int group)
{
    cairn_tree_head** place = &at->walk->first_head[link];
    while (*place && (*place)->group > group)
        place = &(*place)->next;
    if (*place && (*place)->group == group)
        return *place;

    cairn_tree_head* head = at->next++;
    int sides = at->walk->other_forces ? 2 : 1;
    for (int side = 0; side < sides; side++)
        for (int i = 0; i < at->tree->n; i++)
            head->z[side][i] = (cairn_double4){0.0};
    head->group = group;
    head->lanes = 0;
    head->next = *place;
    *place = head;
    at->walk->pending[link / 64] |= UINT64_C(1) << link % 64;
    return head;
}

INLINE void add_rows(cairn_double4* z, const double* j, const cairn_tree_part* p, const int d)
{
    for (int r = 0; r < p->count; r++)
        UNROLL for (int x = 0; x < d; x++) z[x][p->lane + r] += j[d * (p->first + r) + x];
}

static void start_part(start* at, const cairn_tree_part* p)
{
    const cairn_tree* tree = at->tree;
    ptrdiff_t place = 0;
    for (int i = 0; i < p->block->body_count; i++) {
        int body = p->block->bodies[i], link = tree->link_of_body[body], d = tree->dimension[body];
        const double* j = p->block->j + place;
        const double* k = p->block->k ? p->block->k + place : j;
        place += (ptrdiff_t)d * p->block->row_count;
        if (link < 0)
            continue;
        cairn_tree_head* head = head_at(at, link, p->group);
        head->lanes |= ((1U << p->count) - 1) << p->lane;
        FOR_ROWS(d, add_rows, head->z[0], j, p)
        if (at->walk->other_forces)
            FOR_ROWS(d, add_rows, head->z[1], k, p)
    }
}

bool cairn_tree_next_part(const cairn_tree_response* response, cairn_tree_part* p)
{
    int block = p->block ? (int)(p->block - response->blocks) : 0;
    int first = p->block ? p->first + p->count : 0;
    const cairn_tree_group* group = &response->groups[p->group];
    int lane = p->block ? p->lane + p->count : 0, g = p->group;

    // past the end of a block, on to the next
    if (block < response->block_count && first == response->blocks[block].row_count) {
        block++;
        first = 0;
    }
    if (block >= response->block_count)
        return false;

    // past the lanes of a group likewise
    if (lane == group->row_count) {
        g++;
        group++;
        lane = 0;
    }

    // as many rows as the block has left and the group has room for
    int left = response->blocks[block].row_count - first, room = group->row_count - lane;
    *p = (cairn_tree_part){.block = &response->blocks[block],
                           .first = first,
                           .count = left < room ? left : room,
                           .group = g,
                           .lane = lane};
    return true;
}

double cairn_tree_response_size(const cairn_tree* tree, const cairn_tree_auxiliary* blocks,
                                int block_count)
{
    double size = 0.0;
    for (int c = 0; c < block_count; c++)
        for (int i = 0; i < blocks[c].body_count; i++)
            for (int k = tree->link_of_body[blocks[c].bodies[i]]; k >= 0; k = tree->links[k].parent)
                size += 2.0 * (tree->n + tree->links[k].rows) * blocks[c].row_count;
    return size;
}

// memory for the response and, behind it, for the heads of the walk; NULL: there is none
static cairn_tree_head* take_response(cairn_tree_response* response,
                                      const cairn_tree_auxiliary* blocks, int block_count,
                                      cairn_arena* arena)
{
    ptrdiff_t heads = 0, groups = 0;
    size_t words = ((size_t)response->tree->link_count + 63) / 64;
    response->row_count = 0;
    response->other_forces = false;

    // parts of four rows, and a head for each body of each part
    for (int c = 0; c < block_count; c++) {
        int parts = (blocks[c].row_count + cairn_tree_lanes - 1) / cairn_tree_lanes;
        response->row_count += blocks[c].row_count;
        response->other_forces = response->other_forces || blocks[c].k;
        heads += (ptrdiff_t)parts * blocks[c].body_count;
        groups += parts;
    }

    cairn_tree_auxiliary* copy = CAIRN_TAKE(arena, cairn_tree_auxiliary, block_count);
    response->groups = CAIRN_TAKE(arena, cairn_tree_group, groups);
    response->visited = CAIRN_TAKE_ZEROED(arena, uint64_t, words);
    if (arena->failed)
        return NULL;

    memcpy(copy, blocks, (size_t)block_count * sizeof *copy);
    response->blocks = copy;
    response->block_count = block_count;
    response->group_count = deal(response->groups, blocks, block_count);

    ptrdiff_t lanes = cairn_tree_lanes * (ptrdiff_t)response->group_count;
    response->S = CAIRN_TAKE_ZEROED(arena, double, lanes*(lanes + 1));
    response->s = response->tree->loaded ? response->S + lanes * lanes : NULL;
    cairn_tree_head* first = CAIRN_TAKE(arena, cairn_tree_head, heads);
    return arena->failed ? NULL : first;
}

cairn_status cairn_tree_response_build(cairn_tree_response* response, cairn_tree* tree,
                                       const cairn_tree_auxiliary* blocks, int block_count,
                                       cairn_arena* arena)
{
    CAIRN_ASSERT(!tree->fresh && tree->first_changed == tree->link_count);
    response->tree = tree;
    cairn_tree_head* heads = take_response(response, blocks, block_count, arena);
    if (!heads)
        return CAIRN_NO_MEMORY;

    cairn_tree_walk walk = {.first_head = tree->first_head,
                            .pending = tree->pending,
                            .visited = response->visited,
                            .S = response->S,
                            .s = response->s,
                            .stride = cairn_tree_lanes * (ptrdiff_t)response->group_count,
                            .compliant = tree->compliant,
                            .other_forces = response->other_forces};

    if (tree->general) {
        cairn_tree_general_respond(response);
        return CAIRN_OK;
    }

    if (cairn_tree_columns_pay(response, arena))
        return cairn_tree_respond_by_columns(response, arena);

    // walk from the touched bodies to the roots
    start at = {&walk, tree, heads};
    for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);)
        start_part(&at, &p);
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_respond)(&sweep, &walk);
    return CAIRN_OK;
}

cairn_status cairn_tree_response_create(cairn_tree* tree, const cairn_tree_auxiliary* blocks,
                                        int block_count, cairn_tree_response** response,
                                        cairn_error* error)
{
    if (!response || !tree || (block_count > 0 && !blocks))
        return cairn_refuse_null(error, "the place for the response, the tree or its blocks");

    for (int c = 0; c < block_count; c++) {
        if (blocks[c].row_count < 1 || blocks[c].row_count > cairn_tree_most)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "auxiliary block %d: %d rows, expected 1 to %d", c,
                              blocks[c].row_count, cairn_tree_most);
        for (int i = 0; i < blocks[c].body_count; i++)
            if (blocks[c].bodies[i] < 0 || blocks[c].bodies[i] >= tree->body_count)
                return cairn_fail(error, CAIRN_BAD_INPUT,
                                  "auxiliary block %d: body %d, but there are %d", c,
                                  blocks[c].bodies[i], tree->body_count);
    }

    // a response that was destroyed left its memory to the tree
    cairn_tree_response* out = tree->spare ? tree->spare : calloc(1, sizeof *out);
    tree->spare = NULL;
    cairn_status status = out ? cairn_tree_response_build(out, tree, blocks, block_count, &out->own)
                              : CAIRN_NO_MEMORY;
    if (status != CAIRN_OK) {
        cairn_tree_response_free(out);
        return cairn_fail(error, status, "no memory for %d auxiliary blocks", block_count);
    }
    *response = out;
    return CAIRN_OK;
}

void cairn_tree_response_free(cairn_tree_response* response)
{
    if (!response)
        return;
    cairn_arena_destroy(&response->own);
    free(response);
}

// the memory waits for the next response
void cairn_tree_response_destroy(cairn_tree_response* response)
{
    if (!response)
        return;
    cairn_tree_response_free(response->tree->spare);
    cairn_arena_reset(&response->own);
    response->tree->spare = response;
}

int cairn_tree_response_rows(const cairn_tree_response* response)
{
    if (!response)
        return 0;
    return response->row_count;
}

// ---------------------------------------------------------------- S

void cairn_tree_response_matrix(const cairn_tree_response* response, double* S)
{
    if (!response || !S)
        return;

    ptrdiff_t n = response->row_count, stride = cairn_tree_lanes * (ptrdiff_t)response->group_count;
    bool mirrored = !response->other_forces;
    for (int p = 0; p < response->group_count; p++)
        for (int q = 0; q < (mirrored ? p + 1 : response->group_count); q++) {
            const cairn_tree_group *g = &response->groups[p], *h = &response->groups[q];
            const double* from = response->S + cairn_tree_lanes * (stride * p + q);
            double* to = S + n * g->first_row + h->first_row;
            double* mirror = S + n * h->first_row + g->first_row;
            for (int a = 0; a < g->row_count; a++, from += stride)
                for (int b = 0; b < h->row_count; b++) {
                    to[n * a + b] = from[b];
                    if (mirrored)
                        mirror[n * b + a] = from[b];
                }
        }
}

void cairn_tree_response_offset(const cairn_tree_response* response, double* s)
{
    if (!response || !s)
        return;
    CAIRN_ASSERT(response->s);
    for (int p = 0; p < response->group_count; p++)
        for (int a = 0; a < response->groups[p].row_count; a++)
            *s++ = response->s[cairn_tree_lanes * p + a];
}

void cairn_tree_response_velocity(const cairn_tree_response* response, const double* y, double* s)
{
    if (!response || !s || !y)
        return;
    const cairn_tree* tree = response->tree;
    int row = 0;

    for (int c = 0; c < response->block_count; c++) {
        const cairn_tree_auxiliary* block = &response->blocks[c];
        const double* j = block->j;
        for (int r = 0; r < block->row_count; r++)
            s[row + r] = 0.0;

        // J_a y, body by body
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

// K μ of one block at one body
INLINE void add_force(double* force, const double* k, const double* mu, int rows, const int d)
{
    for (int r = 0; r < rows; r++)
        UNROLL for (int x = 0; x < d; x++) force[x] += k[d * r + x] * mu[r];
}

// K μ at the bodies
static void add_forces(double* forces, const cairn_tree_response* response, const double* mu)
{
    const cairn_tree* tree = response->tree;
    for (int c = 0; c < response->block_count; c++) {
        const cairn_tree_auxiliary* block = &response->blocks[c];
        const double* k = block->k ? block->k : block->j;
        for (int i = 0; i < block->body_count; i++) {
            int d = tree->dimension[block->bodies[i]], link = tree->link_of_body[block->bodies[i]];
            if (link >= 0)
                FOR_ROWS(d, add_force, forces + tree->links[link].x, k, mu, block->row_count)
            k += d * block->row_count;
        }
        mu += block->row_count;
    }
}

void cairn_tree_response_finish(cairn_tree_response* response, const double* mu, double* y,
                                double* lambda)
{
    if (!response || !y || !mu)
        return;

    cairn_tree* tree = response->tree;
    CAIRN_ASSERT(tree->loaded);
    if (tree->general) {
        cairn_tree_general_finish(response, mu, y, lambda);
        return;
    }
    add_forces(tree->forces, response, mu);
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_push)(&sweep, response->visited, tree->forces);
    tree->loaded = false;
    cairn_tree_backward_only(tree, y, lambda);
}
