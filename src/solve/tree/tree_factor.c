// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The forest as a user sees it: create, set numbers, factor, solve. The sparse factorization
// L D L^T of H = [M, -J^T; -J, -E] in the order of the forest,
//
//     D_k = M_k + Σ_children j^T N^-1 j,     N_q = E_q + j_qk D_k^-1 j_qk^T        (tree.h),
//
// is done by the kernels (tree_kernel.c) on the structure (tree_structure.c). After Baraff,
// "Linear-Time Dynamics using Lagrange Multipliers" (1996), with the world as an anchor, and D and
// N kept as sums of positive terms.
//
// Not for graphs with many loops: each loop row is a column of a dense system (tree_response.c).

#include "math/accept.h"
#include "math/assert.h"
#include "solve/tree/tree_general.h"
#include "solve/tree/tree_unroll.h"
#include <stdlib.h>
#include <string.h>

cairn_tree_topology cairn_default_tree_topology(void)
{
    return (cairn_tree_topology){.root = -1};
}

static cairn_status check_topology(const cairn_tree_topology* t, cairn_error* error)
{
    if (t->body_count < 0 || t->constraint_count < 0 || t->root < -1 || t->root >= t->body_count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the tree has a negative size or a wrong root");

    for (int i = 0; t->dimension && i < t->body_count; i++)
        if (t->dimension[i] < 0 || t->dimension[i] > cairn_tree_most)
            return cairn_fail(error, CAIRN_BAD_INPUT, "body %d: dimension %d, expected 0 to %d", i,
                              t->dimension[i], cairn_tree_most);

    // a constraint joins two different bodies, or a body and the world
    for (int c = 0; c < t->constraint_count; c++) {
        const cairn_tree_constraint* q = &t->constraints[c];
        if (q->row_count < 1 || q->row_count > cairn_tree_most)
            return cairn_fail(error, CAIRN_BAD_INPUT, "constraint %d: %d rows, expected 1 to %d", c,
                              q->row_count, cairn_tree_most);

        if (q->body_a < CAIRN_WORLD_BODY || q->body_a >= t->body_count ||
            q->body_b < CAIRN_WORLD_BODY || q->body_b >= t->body_count || q->body_a == q->body_b)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "constraint %d: between bodies %d and %d, expected two different "
                              "ones of %d",
                              c, q->body_a, q->body_b, t->body_count);
    }

    return CAIRN_OK;
}

cairn_status cairn_tree_create(const cairn_tree_topology* topology, cairn_tree** tree,
                               cairn_error* error)
{
    if (!tree || !topology)
        return cairn_refuse_null(error, "the place for the tree or its topology");

    cairn_status status = check_topology(topology, error);
    if (status != CAIRN_OK)
        return status;

    cairn_tree* out = calloc(1, sizeof *out);
    status = out ? cairn_tree_build(out, topology, false, &out->own) : CAIRN_NO_MEMORY;
    if (status == CAIRN_OK && cairn_tree_needs_general(out) && !cairn_tree_general_make(out))
        status = CAIRN_NO_MEMORY;
    if (status != CAIRN_OK) {
        cairn_tree_destroy(out);
        return cairn_fail(error, status, "no memory for a tree of %d bodies", topology->body_count);
    }
    *tree = out;
    return CAIRN_OK;
}

void cairn_tree_destroy(cairn_tree* tree)
{
    if (!tree)
        return;
    cairn_tree_response_free(tree->spare);
    cairn_tree_general_destroy(tree->general);
    cairn_arena_destroy(&tree->own);
    free(tree);
}

bool cairn_tree_is_primary(const cairn_tree* tree, int constraint)
{
    if (!tree)
        return false;
    return tree->link_of_constraint[constraint] >= 0;
}

ptrdiff_t cairn_tree_body_offset(const cairn_tree* tree, int body)
{
    if (!tree)
        return 0;
    return tree->body_offset[body];
}

ptrdiff_t cairn_tree_row_offset(const cairn_tree* tree, int constraint)
{
    if (!tree)
        return 0;
    return tree->row_offset[constraint];
}

int cairn_tree_depth(const cairn_tree* tree)
{
    if (!tree)
        return 0;
    return tree->depth;
}

static void mark(cairn_tree* tree, int link)
{
    tree->changed_count += !tree->changed[link];
    tree->changed[link] = true;
    if (link < tree->first_changed)
        tree->first_changed = link;
}

INLINE void pack(double* to, const double* M, const int d)
{
    UNROLL for (int i = 0; i < d; i++)
    {
        UNROLL for (int j = 0; j <= i; j++) to[AT(i, j)] = M[d * i + j];
    }
}

void cairn_tree_set_mass(cairn_tree* tree, int body, const double* M)
{
    if (!tree || !M)
        return;

    int k = tree->link_of_body[body];
    if (k < 0)
        return;

    double* to = tree->inputs + tree->links[k].input;
    if (tree->dimension[body] > cairn_tree_small)
        for (int i = 0; i < tree->dimension[body]; i++)
            memcpy(to + cairn_packed(i), M + (ptrdiff_t)tree->dimension[body] * i,
                   ((size_t)i + 1) * sizeof(double));
    else
        FOR_ROWS(tree->dimension[body], pack, to, M)
    mark(tree, k);
}

static void copy_rows(double* to, const double* j, int n, int m, int dimension)
{
    if (j && dimension == n) {
        memcpy(to, j, cairn_tree_block(n, m) * sizeof(double));
        return;
    }
    for (int r = 0; r < m; r++)
        for (int i = 0; i < dimension; i++)
            to[n * r + i] = j ? j[dimension * r + i] : 0.0;
}

void cairn_tree_set_constraint(cairn_tree* tree, int constraint, const double* j_a,
                               const double* j_b, const double* compliance)
{
    if (!tree)
        return;

    // constraints outside of the forest have no link
    int k = tree->link_of_constraint[constraint];
    if (k < 0)
        return;

    const cairn_tree_link* link = &tree->links[k];
    int n = tree->n, m = link->rows;
    double* outer = tree->inputs + link->input + cairn_packed(n);
    double* inner = outer + cairn_tree_block(n, m);
    double* E = inner + cairn_tree_block(n, m);

    // the outer body is this link's own, the inner one its parent's
    copy_rows(outer, link->outer_is_b ? j_b : j_a, n, m, tree->dimension[link->body]);
    if (link->parent >= 0)
        copy_rows(inner, link->outer_is_b ? j_a : j_b, n, m,
                  tree->dimension[tree->links[link->parent].body]);

    for (int r = 0; r < m; r++) {
        E[r] = compliance ? compliance[r] : 0.0;
        tree->compliant = tree->compliant || E[r] != 0.0;
    }

    mark(tree, k);
}

cairn_tree_sweep cairn_tree_sweep_of(const cairn_tree* tree)
{
    return (cairn_tree_sweep){.n = tree->n,
                              .link_count = tree->link_count,
                              .links = tree->links,
                              .steps = tree->steps,
                              .inputs = tree->inputs,
                              .factors = tree->factors,
                              .couplings = tree->couplings,
                              .x = tree->x};
}

int cairn_tree_factor(cairn_tree* tree)
{
    if (!tree)
        return 0;

    // blocks of any size: all of it again
    if (tree->general) {
        memset(tree->changed, 0, (size_t)tree->link_count * sizeof(bool));
        tree->fresh = tree->loaded = false;
        tree->first_changed = tree->link_count;
        tree->changed_count = 0;
        return cairn_tree_general_factor(tree);
    }

    // when few links have changed, only they and their ways to the roots are factored again
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    if (tree->fresh || 2 * tree->changed_count > tree->link_count) {
        CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_factor_all)(&sweep);
        memset(tree->changed, 0, (size_t)tree->link_count * sizeof(bool));
    } else {
        CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_factor_changed)
        (&sweep, tree->changed, tree->first_changed);
    }

    tree->fresh = tree->loaded = false;
    tree->first_changed = tree->link_count;
    tree->changed_count = 0;
    tree->redundant += sweep.redundant;
    tree->massless += sweep.massless;
    return tree->massless > 0 ? -1 : tree->redundant;
}

int cairn_tree_next_redundant(const cairn_tree* tree, int after)
{
    if (!tree)
        return -1;
    for (int c = after + 1; c < tree->constraint_count; c++) {
        int k = tree->link_of_constraint[c];
        if (k >= 0 && (tree->links[k].redundancy & 1))
            return c;
    }
    return -1;
}

// ---------------------------------------------------------------- solving

// columns of `size` numbers each, one after the other, side by side in lanes; absent ones are zero
static void interleave(double* to, const double* from, ptrdiff_t size, int count)
{
    for (ptrdiff_t i = 0; i < size; i++)
        for (int lane = 0; lane < cairn_tree_lanes; lane++)
            to[cairn_tree_lanes * i + lane] = lane < count ? from[size * lane + i] : 0.0;
}

static void separate(double* to, const double* from, ptrdiff_t size, int count)
{
    for (int lane = 0; lane < count; lane++)
        for (ptrdiff_t i = 0; i < size; i++)
            to[size * lane + i] = from[cairn_tree_lanes * i + lane];
}

// constraints that are not primary have no multiplier
static void clear_multipliers(const cairn_tree* tree, double* lambda, int width)
{
    if (lambda && !tree->all_primary)
        memset(lambda, 0,
               (size_t)(width * tree->row_offset[tree->constraint_count]) * sizeof(double));
}

// up to four columns in lanes
static void solve_some(cairn_tree* tree, double* y, double* lambda, const double* f,
                       const double* c, int count)
{
    ptrdiff_t bodies = tree->body_offset[tree->body_count];
    ptrdiff_t rows = tree->row_offset[tree->constraint_count];
    double* wide_f = tree->lanes;
    double* wide_y = wide_f + cairn_tree_lanes * bodies;
    double* wide_c = wide_y + cairn_tree_lanes * bodies;
    double* wide_lambda = wide_c + cairn_tree_lanes * rows;
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);

    // columns become lanes, one sweep solves them all, and lanes become columns
    if (f)
        interleave(wide_f, f, bodies, count);
    if (c)
        interleave(wide_c, c, rows, count);

    sweep.f = f ? wide_f : NULL;
    sweep.c = c ? wide_c : NULL;
    sweep.y = wide_y;
    sweep.lambda = lambda ? wide_lambda : NULL;
    clear_multipliers(tree, sweep.lambda, cairn_tree_lanes);

    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_forward4)(&sweep);
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_backward4)(&sweep);

    separate(y, wide_y, bodies, count);
    if (lambda)
        separate(lambda, wide_lambda, rows, count);
}

void cairn_tree_load(cairn_tree* tree, const double* f, const double* c)
{
    if (!tree)
        return;

    CAIRN_ASSERT(!tree->fresh && tree->first_changed == tree->link_count);
    if (tree->general) {
        cairn_tree_general_load(tree, f, c);
        return;
    }
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    sweep.f = f;
    sweep.c = c;
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_forward)(&sweep);
    tree->loaded = true;
}

void cairn_tree_solve(cairn_tree* tree, const double* f, const double* c, int columns, double* y,
                      double* lambda)
{
    if (!tree || !y)
        return;
    CAIRN_ASSERT(!tree->fresh && tree->first_changed == tree->link_count);
    CAIRN_ASSERT(columns == 1 || !tree->lean);

    ptrdiff_t bodies = tree->body_offset[tree->body_count];
    ptrdiff_t rows = tree->row_offset[tree->constraint_count];
    for (int first = 0; first < columns; first += cairn_tree_lanes) {
        int count = columns - first < cairn_tree_lanes ? columns - first : cairn_tree_lanes;
        double* y_at = y + bodies * first;
        double* lambda_at = lambda ? lambda + rows * first : NULL;
        const double* f_at = f ? f + bodies * first : NULL;
        const double* c_at = c ? c + rows * first : NULL;

        // the general form solves column by column
        if (tree->general) {
            for (int k = 0; k < count; k++)
                cairn_tree_general_solve(tree, f_at ? f_at + bodies * k : NULL,
                                         c_at ? c_at + rows * k : NULL, y_at + bodies * k,
                                         lambda_at ? lambda_at + rows * k : NULL);
            if (columns == 1)
                cairn_tree_general_load(tree, f_at, c_at);
        } else if (count == 1) {
            cairn_tree_load(tree, f_at, c_at);
            cairn_tree_backward_only(tree, y_at, lambda_at);
        } else {
            solve_some(tree, y_at, lambda_at, f_at, c_at, count);
        }
    }
    tree->loaded = columns == 1;
}

void cairn_tree_solve_pair(cairn_tree* tree, double* y, double* lambda, const double* c)
{
    CAIRN_ASSERT(!tree->fresh && tree->first_changed == tree->link_count);
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    sweep.c = c;
    sweep.y = y;
    sweep.lambda = lambda;
    clear_multipliers(tree, lambda, 2);
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_forward2)(&sweep);
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_backward2)(&sweep);
    tree->loaded = false;
}

void cairn_tree_backward_only(cairn_tree* tree, double* y, double* lambda)
{
    cairn_tree_sweep sweep = cairn_tree_sweep_of(tree);
    sweep.y = y;
    sweep.lambda = lambda;
    clear_multipliers(tree, lambda, 1);
    CAIRN_PICK_NARROW_KERNEL(tree->level, cairn_tree_backward)(&sweep);
}

void cairn_tree_project(cairn_tree* tree, const double* C, double* dq)
{
    if (!tree || !dq)
        return;
    cairn_tree_solve(tree, NULL, C, 1, dq, NULL);
}
