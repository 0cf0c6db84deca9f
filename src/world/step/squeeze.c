// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Squeezes: a plate that moves whatever resists it presses a box into the floor. No velocities keep
// all contacts from closing, and every method would grow its impulses for ever. By Farkas' lemma
// there are none exactly if some d >= 0 has
//
//     M^-1 J_N^T d = 0,     b_N·d < 0,
//
// and the impulses of projected Gauss-Seidel grow along such a d. If it is found, the contacts in d
// yield: with a compliance C_ii = A_ii/10 on their normal rows the problem has an answer, in which
// the body is between those that squeeze it. The outcome says no-solution.

#include "world/step/squeeze.h"
#include "world/step/policy.h"

enum { most_sweeps = 96, between_tests = 16 };
static const double small = 1e-3;   // of the terms of M^-1 J^T d: their sum counts as zero
static const double softness = 0.1; // of A_ii

bool cairn_island_may_be_squeezed(const cairn_span* span)
{
    const cairn_world* world = span->world;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[span->group->touches[span->island->touch + c]];
        const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
        if ((a->type == CAIRN_BODY_KINEMATIC && cairn_norm(a->v) + cairn_norm(a->w) > 0.0) ||
            (b->type == CAIRN_BODY_KINEMATIC && cairn_norm(b->v) + cairn_norm(b->w) > 0.0))
            return true;
    }
    return false;
}

// M^-1 of a half row
static void answer(double* to, const cairn_mass* mass, const double* half)
{
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(half[3], half[4], half[5]));
    for (int k = 0; k < 3; k++)
        to[k] = mass->inverse_mass * half[k];
    to[3] = turn.x;
    to[4] = turn.y;
    to[5] = turn.z;
}

static double product(const double* a, const double* b)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += a[k] * b[k];
    return sum;
}

// the normal rows of the contacts of a problem, and what they do
typedef struct normals {
    const cairn_problem* problem;
    int count;
    int* row;
    double* answers; // 12 for each: M^-1 J^T of A and B
    double *mobility, *lambda, *old;
    double* v; // 6 for each body: M^-1 J^T λ
} normals;

static bool list_normals(normals* all, const cairn_problem* problem, cairn_arena* arena)
{
    size_t blocks = (size_t)problem->block_count;
    *all = (normals){.problem = problem};
    all->row = CAIRN_TAKE(arena, int, blocks);
    all->answers = CAIRN_TAKE_ZEROED(arena, double, 12 * blocks);
    all->mobility = CAIRN_TAKE_ZEROED(arena, double, blocks);
    all->lambda = CAIRN_TAKE_ZEROED(arena, double, blocks);
    all->old = CAIRN_TAKE_ZEROED(arena, double, blocks);
    all->v = CAIRN_TAKE_ZEROED(arena, double, 6 * (size_t)problem->body_count);
    if (arena->failed)
        return false;

    // J_N M^-1 of each contact by body, and the diagonal of A
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        int i = all->count++;
        const cairn_row* row = &problem->rows[block->row];
        double* own = all->answers + 12 * (ptrdiff_t)i;
        all->row[i] = c;
        if (block->body_a >= 0) {
            answer(own, &problem->bodies[block->body_a], row->a);
            all->mobility[i] += product(own, row->a);
        }
        if (block->body_b >= 0) {
            answer(own + 6, &problem->bodies[block->body_b], row->b);
            all->mobility[i] += product(own + 6, row->b);
        }
    }

    return true;
}

static void sweep(normals* all)
{
    for (int i = 0; i < all->count; i++) {
        const cairn_block* block = &all->problem->blocks[all->row[i]];
        const cairn_row* row = &all->problem->rows[block->row];
        double u = all->problem->b[block->row], change;
        double* a = block->body_a < 0 ? NULL : all->v + 6 * (ptrdiff_t)block->body_a;
        double* b = block->body_b < 0 ? NULL : all->v + 6 * (ptrdiff_t)block->body_b;

        u += (a ? product(row->a, a) : 0.0) + (b ? product(row->b, b) : 0.0);

        if (!(all->mobility[i] > 0.0))
            continue;

        // one projected Gauss-Seidel step of the normal impulse
        change = fmax(-all->lambda[i], -u / all->mobility[i]);
        all->lambda[i] += change;
        for (int k = 0; k < 6; k++) {
            if (a)
                a[k] += change * all->answers[12 * i + k];
            if (b)
                b[k] += change * all->answers[12 * i + 6 + k];
        }
    }
}

// whether d = λ - λ_old proves that there is no answer
static bool proves(const normals* all, double* w)
{
    double down = 0.0, scale = 0.0, most = 0.0;

    for (int i = 0; i < 6 * all->problem->body_count; i++)
        w[i] = 0.0;

    // w = M^-1 J_N^T d, b_N·d and the size of what cancels in w
    for (int i = 0; i < all->count; i++) {
        const cairn_block* block = &all->problem->blocks[all->row[i]];
        double d = fmax(all->lambda[i] - all->old[i], 0.0), size = 0.0;
        down += d * all->problem->b[block->row];
        for (int k = 0; k < 12; k++) {
            int body = k < 6 ? block->body_a : block->body_b;
            if (body >= 0)
                w[6 * body + k % 6] += d * all->answers[12 * i + k];
            size = fmax(size, fabs(all->answers[12 * i + k]));
        }
        scale += d * size;
    }

    for (int i = 0; i < 6 * all->problem->body_count; i++)
        most = fmax(most, fabs(w[i]));

    // d is Farkas' certificate: its impulses cancel on every body, and all contacts close
    return down < 0.0 && scale > 0.0 && most <= small * scale;
}

// the bodies of a contact that yields
static void mark(cairn_world* world, const cairn_touch* touch)
{
    cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    a->yields = a->yields || cairn_body_active(a);
    b->yields = b->yields || cairn_body_active(b);
}

cairn_status cairn_island_soften(const cairn_span* span, cairn_problem* problem)
{
    normals all;
    bool* softened = &span->island->squeezed;
    cairn_arena* arena = span->arena;
    *softened = false;
    double* w = CAIRN_TAKE(arena, double, 6 * (size_t)problem->body_count);
    double* compliance = CAIRN_TAKE_ZEROED(arena, double, problem->row_count);
    if (arena->failed || !list_normals(&all, problem, arena))
        return CAIRN_NO_MEMORY;

    // the impulses of many sweeps grow along d, if there is one
    for (int k = 1; k <= most_sweeps && !*softened; k++) {
        sweep(&all);
        if (k % between_tests != 0)
            continue;
        *softened = proves(&all, w);
        for (int i = 0; i < all.count && !*softened; i++)
            all.old[i] = all.lambda[i];
    }

    if (!*softened)
        return CAIRN_OK;

    // contacts in d yield
    for (int r = 0; r < problem->row_count && problem->compliance; r++)
        compliance[r] = problem->compliance[r];
    for (int i = 0; i < all.count; i++) {
        if (!(all.lambda[i] > all.old[i]))
            continue;
        const cairn_block* block = &problem->blocks[all.row[i]];
        compliance[block->row] += softness * all.mobility[i];
        mark(span->world, &span->world->touches[block->source]);
    }

    problem->compliance = compliance;
    return CAIRN_OK;
}
