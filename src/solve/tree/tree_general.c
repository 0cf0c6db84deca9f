// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A forest with blocks of any size: the multifrontal L D L^T of
//
//     | M   J^T | | y |   | f  |
//     | J   -E  | | ν | = | -c |,      ν = -λ,
//
// from the leaves to the roots. The front of a body holds its coordinates, the rows of the
// constraint towards its parent, and the parent's coordinates. Coordinates are eliminated first,
// then rows, the largest pivot first. A row whose pivot vanishes is not determined by the outer
// body alone: it is handed on to the parent's front, where the coordinates of the parent give it a
// pivot (a delayed pivot). What is left without one at a root repeats other rows: it is left out.
//
// Linear in the number of bodies, with dense work of the cube of the block sizes. Blocks of up to
// six have kernels of their own (tree_kernel.c), some ten times faster.

#include "solve/tree/tree_general.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// a pivot below this share of what it was before other rows is round-off
static const double least_pivot = 1e-11;

typedef struct front {
    int size, pivots, delayed; // delayed rows follow the pivots, then the parent's coordinates
    int* var;                  // places in x: coordinates, then rows
    double* F;                 // size x size: below the diagonal L of the pivots, then their Schur
                               // complement; 1/D on the diagonal of pivots
} front;

struct cairn_tree_general {
    cairn_arena arena; // of the fronts
    front* fronts;     // of the links
    double* x;         // coordinates and rows
    double *f, *c;     // what is loaded
    double* y;
    bool* dropped; // rows without a pivot
};

bool cairn_tree_needs_general(const cairn_tree* tree)
{
    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        int d = tree->dimension[link->body];
        if (d > cairn_tree_small || link->rows > cairn_tree_small || link->rows > d)
            return true;
    }
    return false;
}

bool cairn_tree_general_make(cairn_tree* tree)
{
    size_t bodies = (size_t)tree->body_offset[tree->body_count];
    size_t rows = (size_t)tree->row_offset[tree->constraint_count];
    cairn_tree_general* g = calloc(1, sizeof *g);
    tree->general = g;
    if (!g)
        return false;

    g->fronts = calloc((size_t)tree->link_count + 1, sizeof(front));
    g->x = calloc(bodies + rows + 1, sizeof(double));
    g->f = calloc(bodies + 1, sizeof(double));
    g->c = calloc(rows + 1, sizeof(double));
    g->y = calloc(bodies + 1, sizeof(double));
    g->dropped = calloc(rows + 1, sizeof(bool));
    return g->fronts && g->x && g->f && g->c && g->y && g->dropped;
}

void cairn_tree_general_destroy(cairn_tree_general* general)
{
    if (!general)
        return;
    cairn_arena_destroy(&general->arena);
    free(general->fronts);
    free(general->x);
    free(general->f);
    free(general->c);
    free(general->y);
    free(general->dropped);
    free(general);
}

// ---------------------------------------------------------------- fronts

// lists the variables of a front; false: no memory
static bool list_variables(cairn_tree* tree, int k)
{
    cairn_tree_general* g = tree->general;
    const cairn_tree_link* link = &tree->links[k];
    front* at = &g->fronts[k];
    int bodies = (int)tree->body_offset[tree->body_count];
    int d = tree->dimension[link->body], inner = 0, rows = link->rows;
    if (link->parent >= 0)
        inner = tree->dimension[tree->links[link->parent].body];

    // rows: its own and those that its children could not eliminate
    for (int c = link->first_child; c >= 0; c = tree->links[c].next_sibling)
        rows += g->fronts[c].delayed;

    at->size = d + rows + inner;
    at->var = CAIRN_TAKE(&g->arena, int, at->size + 1);
    at->F = CAIRN_TAKE_ZEROED(&g->arena, double, (size_t)at->size*(size_t)at->size + 1);
    if (g->arena.failed)
        return false;

    // own coordinates, delayed rows, own rows, the parent's coordinates
    int n = 0;
    for (int i = 0; i < d; i++)
        at->var[n++] = (int)tree->body_offset[link->body] + i;
    for (int c = link->first_child; c >= 0; c = tree->links[c].next_sibling)
        for (int i = 0; i < g->fronts[c].delayed; i++)
            at->var[n++] = g->fronts[c].var[g->fronts[c].pivots + i];
    for (int r = 0; r < link->rows; r++)
        at->var[n++] = bodies + (int)tree->row_offset[link->constraint] + r;
    for (int i = 0; i < inner; i++)
        at->var[n++] = (int)tree->body_offset[tree->links[link->parent].body] + i;
    return true;
}

// M, J and E of a link, and what its children have left
static void assemble(const cairn_tree* tree, int k)
{
    const cairn_tree_general* g = tree->general;
    const cairn_tree_link* link = &tree->links[k];
    front* at = &g->fronts[k];
    int n = tree->n, d = tree->dimension[link->body], m = link->rows;
    const double* M = tree->inputs + link->input;
    const double* outer = M + cairn_packed(n);
    const double* inner = outer + cairn_tree_block(n, m);
    const double* E = inner + cairn_tree_block(n, m);
    ptrdiff_t s = at->size;
    int up = link->parent >= 0 ? tree->dimension[tree->links[link->parent].body] : 0;
    ptrdiff_t own = s - up - m; // the first own row

    // the lower triangle of [M; J, -E]
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++)
            at->F[s * i + j] = M[cairn_packed(i) + (size_t)j];
    for (int r = 0; r < m; r++) {
        at->F[s * (own + r) + own + r] = -E[r];
        for (int i = 0; i < d; i++)
            at->F[s * (own + r) + i] = outer[n * r + i];
        for (int i = 0; i < up; i++)
            at->F[s * (s - up + i) + own + r] = inner[n * r + i];
    }

    // a child's last variables are this body's coordinates, those before them its delayed rows
    int delayed = d;
    for (int c = link->first_child; c >= 0; c = tree->links[c].next_sibling) {
        const front* child = &g->fronts[c];
        int left = child->size - child->pivots;
        for (int i = 0; i < left; i++)
            for (int j = 0; j <= i; j++) {
                int a = i < child->delayed ? delayed + i : i - child->delayed;
                int b = j < child->delayed ? delayed + j : j - child->delayed;
                double value =
                    child->F[(ptrdiff_t)child->size * (child->pivots + i) + child->pivots + j];
                at->F[a >= b ? s * a + b : s * b + a] += value;
            }
        delayed += child->delayed;
    }
}

// exchanges variables p and q, p < q, in the lower triangle that is not eliminated yet and in L
static void exchange(front* at, int p, int q)
{
    ptrdiff_t s = at->size;
    double* F = at->F;
    for (int j = 0; j < p; j++) {
        double t = F[s * p + j];
        F[s * p + j] = F[s * q + j];
        F[s * q + j] = t;
    }

    // the diagonal, and the mirrored entries between p and q
    double t = F[s * p + p];
    F[s * p + p] = F[s * q + q];
    F[s * q + q] = t;
    for (int i = p + 1; i < q; i++) {
        t = F[s * i + p];
        F[s * i + p] = F[s * q + i];
        F[s * q + i] = t;
    }

    for (int i = q + 1; i < s; i++) {
        t = F[s * i + p];
        F[s * i + p] = F[s * i + q];
        F[s * i + q] = t;
    }

    int v = at->var[p];
    at->var[p] = at->var[q];
    at->var[q] = v;
}

static void eliminate(front* at, int p)
{
    ptrdiff_t s = at->size;
    double* F = at->F;
    double over = 1.0 / F[s * p + p];
    for (ptrdiff_t i = p + 1; i < s; i++) {
        double l = F[s * i + p] * over;
        if (l == 0.0)
            continue;
        for (ptrdiff_t j = p + 1; j <= i; j++)
            F[s * i + j] -= l * F[s * j + p];
    }

    for (ptrdiff_t i = p + 1; i < s; i++)
        F[s * i + p] *= over;
    F[s * p + p] = over;
    at->pivots++;
}

// rows [d, d + rows): the largest pivot first, until none is left; `before` has room for size
static void eliminate_rows(front* at, int d, int rows, double* before)
{
    ptrdiff_t s = at->size;
    for (int r = d; r < d + rows; r++)
        before[r] = fabs(at->F[s * r + r]);

    // the largest pivot that is left
    for (int p = d; p < d + rows; p++) {
        int best = p;
        for (int r = p + 1; r < d + rows; r++)
            if (fabs(at->F[s * r + r]) > fabs(at->F[s * best + best]))
                best = r;

        if (best != p) {
            exchange(at, p, best);
            double t = before[p];
            before[p] = before[best];
            before[best] = t;
        }

        // a vanishing pivot is delayed to the parent's front
        if (!(fabs(at->F[s * p + p]) > least_pivot * before[p])) {
            at->delayed = d + rows - p;
            return;
        }
        eliminate(at, p);
    }
}

// the constraint of a row
static int constraint_of(const cairn_tree* tree, ptrdiff_t row)
{
    int low = 0, high = tree->constraint_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (tree->row_offset[middle] <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// delayed rows of a root have no pivot anywhere
static void drop_rows(cairn_tree* tree, front* at)
{
    ptrdiff_t bodies = tree->body_offset[tree->body_count];
    for (int i = at->pivots; i < at->pivots + at->delayed; i++) {
        ptrdiff_t row = at->var[i] - bodies;
        cairn_tree_link* link = &tree->links[tree->link_of_constraint[constraint_of(tree, row)]];
        tree->general->dropped[row] = true;
        tree->redundant += !(link->redundancy & 1);
        link->redundancy |= 1;
    }
}

static bool factor_front(cairn_tree* tree, int k)
{
    cairn_tree_general* g = tree->general;
    cairn_tree_link* link = &tree->links[k];
    front* at = &g->fronts[k];
    *at = (front){0};
    if (!list_variables(tree, k))
        return false;
    assemble(tree, k);

    int d = tree->dimension[link->body], up = 0;
    if (link->parent >= 0)
        up = tree->dimension[tree->links[link->parent].body];
    double* before = CAIRN_TAKE(&g->arena, double, at->size + 1);
    if (!before)
        return false;

    // coordinates first; a massless one gets an infinite pivot and stays at rest
    for (int i = 0; i < d; i++)
        before[i] = at->F[(ptrdiff_t)at->size * i + i];
    for (int i = 0; i < d; i++) {
        double* pivot = &at->F[(ptrdiff_t)at->size * i + i];
        if (!(*pivot > 1e-14 * before[i])) { // as the kernels do: left out, and told
            tree->massless += !(link->redundancy & 2);
            link->redundancy |= 2;
            *pivot = INFINITY;
        }
        eliminate(at, i);
    }

    eliminate_rows(at, d, at->size - d - up, before);
    if (link->parent < 0)
        drop_rows(tree, at);
    return true;
}

int cairn_tree_general_factor(cairn_tree* tree)
{
    cairn_tree_general* g = tree->general;
    cairn_arena_reset(&g->arena);
    tree->redundant = tree->massless = 0;
    memset(g->dropped, 0, (size_t)tree->row_offset[tree->constraint_count] * sizeof(bool));
    for (int k = 0; k < tree->link_count; k++)
        tree->links[k].redundancy = 0;
    for (int k = 0; k < tree->link_count; k++)
        if (!factor_front(tree, k))
            return -1;
    return tree->massless > 0 ? -1 : tree->redundant;
}

// ---------------------------------------------------------------- solves

void cairn_tree_general_load(cairn_tree* tree, const double* f, const double* c)
{
    cairn_tree_general* g = tree->general;
    size_t bodies = (size_t)tree->body_offset[tree->body_count];
    size_t rows = (size_t)tree->row_offset[tree->constraint_count];
    for (size_t i = 0; i < bodies; i++)
        g->f[i] = f ? f[i] : 0.0;
    for (size_t i = 0; i < rows; i++)
        g->c[i] = c ? c[i] : 0.0;
    tree->loaded = true;
}

void cairn_tree_general_solve(cairn_tree* tree, const double* f, const double* c, double* y,
                              double* lambda)
{
    cairn_tree_general* g = tree->general;
    ptrdiff_t bodies = tree->body_offset[tree->body_count];
    ptrdiff_t rows = tree->row_offset[tree->constraint_count];
    double* x = g->x;

    for (ptrdiff_t i = 0; i < bodies; i++)
        x[i] = f ? f[i] : 0.0;
    for (ptrdiff_t i = 0; i < rows; i++)
        x[bodies + i] = c ? -c[i] : 0.0;

    // forward: from the leaves to the roots
    for (int k = 0; k < tree->link_count; k++) {
        const front* at = &g->fronts[k];
        for (int j = 0; j < at->pivots; j++)
            for (int i = j + 1; i < at->size; i++)
                x[at->var[i]] -= at->F[(ptrdiff_t)at->size * i + j] * x[at->var[j]];
    }

    // backward: from the roots to the leaves
    for (ptrdiff_t i = 0; i < rows; i++)
        if (g->dropped[i])
            x[bodies + i] = 0.0;
    for (int k = tree->link_count - 1; k >= 0; k--) {
        const front* at = &g->fronts[k];
        for (int j = at->pivots - 1; j >= 0; j--) {
            double sum = at->F[(ptrdiff_t)(at->size + 1) * j] * x[at->var[j]];
            for (int i = j + 1; i < at->size; i++)
                sum -= at->F[(ptrdiff_t)at->size * i + j] * x[at->var[i]];
            x[at->var[j]] = sum;
        }
    }

    memcpy(y, x, (size_t)bodies * sizeof(double));
    for (int c_at = 0; lambda && c_at < tree->constraint_count; c_at++)
        for (ptrdiff_t r = tree->row_offset[c_at]; r < tree->row_offset[c_at + 1]; r++)
            lambda[r] = tree->link_of_constraint[c_at] >= 0 ? -x[bodies + r] : 0.0;
}

// ---------------------------------------------------------------- auxiliary rows

// row r of a part times y
static double see(const cairn_tree* tree, const cairn_tree_part* p, int r, const double* y)
{
    const double* j = p->block->j;
    double sum = 0.0;
    for (int i = 0; i < p->block->body_count; i++) {
        int d = tree->dimension[p->block->bodies[i]];
        const double* at = y + tree->body_offset[p->block->bodies[i]];
        for (int k = 0; k < d; k++)
            sum += j[d * (p->first + r) + k] * at[k];
        j += d * p->block->row_count;
    }
    return sum;
}

// f += s K of row r of a part
static void push(const cairn_tree* tree, const cairn_tree_part* p, int r, double s, double* f)
{
    const double* k = p->block->k ? p->block->k : p->block->j;
    for (int i = 0; i < p->block->body_count; i++) {
        int d = tree->dimension[p->block->bodies[i]];
        double* at = f + tree->body_offset[p->block->bodies[i]];
        for (int x = 0; x < d; x++)
            at[x] += s * k[d * (p->first + r) + x];
        k += d * p->block->row_count;
    }
}

void cairn_tree_general_respond(cairn_tree_response* response)
{
    cairn_tree* tree = response->tree;
    cairn_tree_general* g = tree->general;
    size_t bodies = (size_t)tree->body_offset[tree->body_count];
    ptrdiff_t stride = cairn_tree_lanes * (ptrdiff_t)response->group_count;
    double* force = tree->lanes; // free between calls

    // s: what the rows see of the right-hand side
    if (response->s) {
        cairn_tree_general_solve(tree, g->f, g->c, g->y, NULL);
        for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);)
            for (int r = 0; r < p.count; r++)
                response->s[cairn_tree_lanes * p.group + p.lane + r] = see(tree, &p, r, g->y);
    }

    // S column by column: one unit force at a time
    for (cairn_tree_part q = {0}; cairn_tree_next_part(response, &q);)
        for (int b = 0; b < q.count; b++) {
            memset(force, 0, bodies * sizeof(double));
            push(tree, &q, b, 1.0, force);
            cairn_tree_general_solve(tree, force, NULL, g->y, NULL);

            ptrdiff_t column = cairn_tree_lanes * (ptrdiff_t)q.group + q.lane + b;
            for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);)
                for (int a = 0; a < p.count; a++)
                    response->S[stride * (cairn_tree_lanes * p.group + p.lane + a) + column] =
                        see(tree, &p, a, g->y);
        }
}

void cairn_tree_general_finish(cairn_tree_response* response, const double* mu, double* y,
                               double* lambda)
{
    cairn_tree* tree = response->tree;
    cairn_tree_general* g = tree->general;
    for (cairn_tree_part p = {0}; cairn_tree_next_part(response, &p);)
        for (int r = 0; r < p.count; r++)
            push(tree, &p, r, *mu++, g->f);
    cairn_tree_general_solve(tree, g->f, g->c, y, lambda);
    tree->loaded = false;
}
