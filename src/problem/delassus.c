// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The operator A; see delassus.h.

#include "problem/delassus.h"
#include "math/assert.h"
#include <string.h>

cairn_body_factor cairn_factor_body(const cairn_mass* mass)
{
    const cairn_mat3* I = &mass->inverse_inertia;

    // Cholesky S S^T = I^-1, column by column; a direction that cannot turn has no column
    double s00 = I->cx.x > 0.0 ? sqrt(I->cx.x) : 0.0;
    double over0 = s00 > 0.0 ? 1.0 / s00 : 0.0;
    double s10 = I->cx.y * over0, s20 = I->cx.z * over0;
    double d1 = I->cy.y - s10 * s10;
    double s11 = d1 > 1e-15 * I->cy.y ? sqrt(d1) : 0.0;
    double s21 = s11 > 0.0 ? (I->cy.z - s20 * s10) / s11 : 0.0;
    double d2 = I->cz.z - s20 * s20 - s21 * s21;
    double s22 = d2 > 1e-15 * I->cz.z ? sqrt(d2) : 0.0;

    return (cairn_body_factor){.inverse_root_mass = sqrt(mass->inverse_mass),
                               .S = {{s00, s10, s20}, {0.0, s11, s21}, {0.0, 0.0, s22}}};
}

// j G^-T of one 6-vector: (j_lin/√m, S^T j_ang)
static void scale_half(double* to, const double* j, const cairn_body_factor* factor)
{
    cairn_vec3 turn = cairn_mat3_apply_transposed(factor->S, cairn_vec(j[3], j[4], j[5]));
    to[0] = factor->inverse_root_mass * j[0];
    to[1] = factor->inverse_root_mass * j[1];
    to[2] = factor->inverse_root_mass * j[2];
    to[3] = turn.x;
    to[4] = turn.y;
    to[5] = turn.z;
}

// Ĵ of one block
static void scale_rows(cairn_delassus* A, const cairn_block* block)
{
    const cairn_problem* problem = A->problem;
    for (int i = block->row; i < block->row + block->row_count; i++) {
        cairn_row* to = &A->scaled[i];
        *to = (cairn_row){0};
        if (block->body_a != CAIRN_WORLD_BODY)
            scale_half(to->a, problem->rows[i].a, &A->factor[block->body_a]);
        if (block->body_b != CAIRN_WORLD_BODY)
            scale_half(to->b, problem->rows[i].b, &A->factor[block->body_b]);
    }
}

static double dot6(const double* x, const double* y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
}

// A_ij of two rows of blocks c and d
static double entry(const cairn_delassus* A, const cairn_block* c, int i, const cairn_block* d,
                    int j)
{
    const cairn_row *x = &A->scaled[i], *y = &A->scaled[j];
    double sum = 0.0;

    if (c->body_a != CAIRN_WORLD_BODY) {
        if (c->body_a == d->body_a)
            sum += dot6(x->a, y->a);
        if (c->body_a == d->body_b)
            sum += dot6(x->a, y->b);
    }

    if (c->body_b != CAIRN_WORLD_BODY) {
        if (c->body_b == d->body_a)
            sum += dot6(x->b, y->a);
        if (c->body_b == d->body_b)
            sum += dot6(x->b, y->b);
    }
    return sum;
}

// A_ij of two rows of one block; the half of a row at the world is zero
static double own_entry(const cairn_delassus* A, const cairn_block* c, int i, int j)
{
    const cairn_row *x = &A->scaled[i], *y = &A->scaled[j];
    if (c->body_a == c->body_b)
        return entry(A, c, i, c, j);
    return dot6(x->a, y->a) + dot6(x->b, y->b);
}

static const double* explicit_block(const cairn_block_matrix* A, int row, int column)
{
    int lo = A->row_begin[row], hi = A->row_begin[row + 1];
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (A->column[middle] < column)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < A->row_begin[row + 1] && A->column[lo] == column ? A->value + 9 * (ptrdiff_t)lo
                                                                 : NULL;
}

// the scaled rows of a block are used while they are still near: one pass over memory
static void form_blocks(cairn_delassus* A)
{
    const cairn_problem* problem = A->problem;
    size_t place = 0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        int n = block->row_count;
        double* D = A->diagonal + place;
        A->diagonal_begin[c] = place;
        place += (size_t)(n * n);

        if (problem->A) {
            const double* explicit = explicit_block(problem->A, c, c);
            CAIRN_ASSERT(explicit);
            memcpy(D, explicit, 9 * sizeof(double));
        } else {
            scale_rows(A, block);
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++)
                    D[n * i + j] = D[n * j + i] =
                        own_entry(A, block, block->row + i, block->row + j);
        }

        if (problem->compliance)
            for (int i = 0; i < n; i++)
                D[n * i + i] += problem->compliance[block->row + i];
    }
}

cairn_status cairn_delassus_prepare(cairn_delassus* A, const cairn_problem* problem,
                                    cairn_arena* arena)
{
    size_t diagonal = 0;
    for (int c = 0; c < problem->block_count; c++)
        diagonal += (size_t)(problem->blocks[c].row_count * problem->blocks[c].row_count);

    *A = (cairn_delassus){.problem = problem};
    A->diagonal = CAIRN_TAKE(arena, double, diagonal);
    A->diagonal_begin = CAIRN_TAKE(arena, size_t, problem->block_count);
    if (!problem->A) {
        A->factor = CAIRN_TAKE(arena, cairn_body_factor, problem->body_count);
        A->scaled = CAIRN_TAKE(arena, cairn_row, problem->row_count);
    }
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    if (!problem->A) {
        for (int i = 0; i < problem->body_count; i++)
            A->factor[i] = cairn_factor_body(&problem->bodies[i]);
    }
    form_blocks(A);
    return CAIRN_OK;
}

void cairn_delassus_pair(const cairn_delassus* A, double* block, int c, int d)
{
    const cairn_block *x = &A->problem->blocks[c], *y = &A->problem->blocks[d];
    memset(block, 0, 9 * sizeof(double));
    for (int i = 0; i < x->row_count && i < 3; i++)
        for (int j = 0; j < y->row_count && j < 3; j++)
            block[3 * i + j] = entry(A, x, x->row + i, y, y->row + j);
    if (c == d && A->problem->compliance)
        for (int i = 0; i < x->row_count && i < 3; i++)
            block[4 * i] += A->problem->compliance[x->row + i];
}

int cairn_delassus_state_size(const cairn_delassus* A)
{
    return A->problem->A ? 0 : 6 * A->problem->body_count;
}

static void add6(double* w, double s, const double* j)
{
    for (int k = 0; k < 6; k++)
        w[k] += s * j[k];
}

void cairn_delassus_block_change(const cairn_delassus* A, double* w, int block, const double* delta)
{
    const cairn_block* c = &A->problem->blocks[block];
    if (A->problem->A)
        return;
    for (int i = 0; i < c->row_count; i++) {
        const cairn_row* row = &A->scaled[c->row + i];
        if (c->body_a != CAIRN_WORLD_BODY)
            add6(w + 6 * (ptrdiff_t)c->body_a, delta[i], row->a);
        if (c->body_b != CAIRN_WORLD_BODY)
            add6(w + 6 * (ptrdiff_t)c->body_b, delta[i], row->b);
    }
}

void cairn_delassus_load(const cairn_delassus* A, double* w, const double* lambda)
{
    memset(w, 0, (size_t)cairn_delassus_state_size(A) * sizeof(double));
    for (int c = 0; c < A->problem->block_count; c++)
        cairn_delassus_block_change(A, w, c, lambda + A->problem->blocks[c].row);
}

static void explicit_velocity(double* v, const cairn_block_matrix* A, int block,
                              const double* lambda)
{
    for (int k = A->row_begin[block]; k < A->row_begin[block + 1]; k++) {
        const double* a = A->value + 9 * (ptrdiff_t)k;
        const double* x = lambda + 3 * (ptrdiff_t)A->column[k];
        v[0] += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
        v[1] += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
        v[2] += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
    }
}

void cairn_delassus_block_velocity(const cairn_delassus* A, double* v, int block, const double* w,
                                   const double* lambda)
{
    const cairn_problem* problem = A->problem;
    const cairn_block* c = &problem->blocks[block];

    // b + C λ, C the compliance
    for (int i = 0; i < c->row_count; i++) {
        int row = c->row + i;
        v[i] = problem->b[row];
        if (problem->compliance)
            v[i] += problem->compliance[row] * lambda[row];
    }

    if (problem->A) {
        explicit_velocity(v, problem->A, block, lambda);
        return;
    }

    // Ĵ w, with w = Ĵ^T λ of the bodies
    for (int i = 0; i < c->row_count; i++) {
        const cairn_row* row = &A->scaled[c->row + i];
        if (c->body_a != CAIRN_WORLD_BODY)
            v[i] += dot6(row->a, w + 6 * (ptrdiff_t)c->body_a);
        if (c->body_b != CAIRN_WORLD_BODY)
            v[i] += dot6(row->b, w + 6 * (ptrdiff_t)c->body_b);
    }
}

void cairn_delassus_velocity(const cairn_delassus* A, double* v, const double* w,
                             const double* lambda)
{
    for (int c = 0; c < A->problem->block_count; c++)
        cairn_delassus_block_velocity(A, v + A->problem->blocks[c].row, c, w, lambda);
}

void cairn_delassus_dense(const cairn_delassus* A, double* dense)
{
    const cairn_problem* problem = A->problem;
    size_t n = (size_t)problem->row_count;

    memset(dense, 0, n * n * sizeof(double));

    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* x = &problem->blocks[c];
        for (int d = 0; d < problem->block_count; d++) {
            const cairn_block* y = &problem->blocks[d];
            const double* explicit = problem->A ? explicit_block(problem->A, c, d) : NULL;
            for (int i = 0; i < x->row_count; i++)
                for (int j = 0; j < y->row_count; j++)
                    dense[(size_t)(x->row + i) * n + (size_t)(y->row + j)] =
                        explicit     ? explicit[3 * i + j]
                        : problem->A ? 0.0
                                     : entry(A, x, x->row + i, y, y->row + j);
        }
    }

    if (problem->compliance)
        for (size_t i = 0; i < n; i++)
            dense[i * n + i] += problem->compliance[i];
}

void cairn_delassus_body_velocity(const cairn_delassus* A, double* change, const double* w)
{
    for (int i = 0; i < A->problem->body_count; i++) {
        const double* x = w + 6 * (ptrdiff_t)i;
        double* v = change + 6 * (ptrdiff_t)i;
        cairn_vec3 turn = cairn_mat3_apply(A->factor[i].S, cairn_vec(x[3], x[4], x[5]));
        for (int k = 0; k < 3; k++)
            v[k] = A->factor[i].inverse_root_mass * x[k];
        v[3] = turn.x;
        v[4] = turn.y;
        v[5] = turn.z;
    }
}
