// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The arithmetic of few_bodies.c. Lanes are the coordinates of a body.

#include "solve/newton/few_bodies.h"
#include <math.h>

// ---------------------------------------------------------------- what each block does next

// g and B of a row that holds
CAIRN_INLINE void hold(cairn_few_bodies* all, int r)
{
    all->B[r] = 1.0 / (all->spring[r] + all->soft[r]);
    all->g[r] = all->spring[r] * all->center[r] * all->B[r];
}

// the velocity of a row on its spring
CAIRN_INLINE double sprung(const cairn_few_bodies* all, int r)
{
    double spring = all->sprung ? all->spring[r] * (all->lambda[r] - all->center[r]) : 0.0;
    return all->y[r] + all->soft[r] * all->lambda[r] + spring;
}

static void answer_bounded(cairn_few_bodies* all, int r, double over)
{
    double z = all->lambda[r] - over * sprung(all, r);
    hold(all, r);
    if (z > all->lo[r] && z < all->hi[r])
        return;
    all->g[r] = z <= all->lo[r] ? all->lo[r] : all->hi[r];
    all->B[r] = 0.0;
}

// friction of a contact that slides: in the direction d, and beside it as Newton's method has it
static void slide(cairn_few_bodies* all, cairn_few_block* own, const double* d, double tau)
{
    int n = own->first, count = own->row_count - 1;
    double s = all->spring[n + 1] + all->soft[n + 1];
    double step = tau * own->slip_over, over = 1.0 / (1.0 - tau + step * s), along[2] = {0};
    for (int k = 0; k < count; k++) {
        along[0] += d[k] * all->lambda[n + 1 + k];
        along[1] += d[k] * all->y[n + 1 + k];
    }
    for (int k = 0; k < count; k++) {
        int r = n + 1 + k;
        double beside = all->lambda[r] - along[0] * d[k], way = all->y[r] - along[1] * d[k];
        own->along[k] = d[k];
        for (int j = 0; j < count; j++)
            own->T[3 * k + j] = step * over * ((k == j ? 1.0 : 0.0) - d[k] * d[j]);
        all->g[r] = d[k] * all->g[n] + (1.0 - over) * beside + step * over * way;
        all->B[r] = 0.0;
    }
}

static void answer_contact(cairn_few_bodies* all, cairn_few_block* own)
{
    int n = own->first, count = own->row_count - 1;
    double z_n = all->lambda[n] - own->over * sprung(all, n), z[3] = {0}, length = 0.0;
    memset(own->T, 0, sizeof own->T);
    memset(own->along, 0, sizeof own->along);
    for (int k = 0; k <= count; k++)
        hold(all, n + k);
    if (!(z_n > 0.0)) {
        for (int k = 0; k <= count; k++)
            all->B[n + k] = all->g[n + k] = 0.0;
        return;
    }
    for (int k = 0; k < count; k++) {
        z[k] = all->lambda[n + 1 + k] - own->slip_over * sprung(all, n + 1 + k);
        length += z[k] * z[k];
    }
    length = sqrt(length);
    if (length <= z_n)
        return;
    for (int k = 0; k < count; k++)
        z[k] /= length;
    slide(all, own, z, z_n / length);
}

// ---------------------------------------------------------------- the system

CAIRN_INLINE double sum_six(cairn_double8 x)
{
    return ((x[0] + x[1]) + (x[2] + x[3])) + (x[4] + x[5]);
}

// B x of the rows of a block; x may be vectors
CAIRN_INLINE double product(const cairn_few_bodies* all, const cairn_few_block* own,
                            const double* x, int k)
{
    double sum = all->B[own->first + k] * x[k];
    if (k == 0 || own->kind != CAIRN_BLOCK_CONTACT)
        return sum;
    sum += own->along[k - 1] * all->B[own->first] * x[0];
    for (int j = 1; j < own->row_count; j++)
        sum += own->T[3 * (k - 1) + j - 1] * x[j];
    return sum;
}

CAIRN_INLINE cairn_double8 combine(const cairn_few_bodies* all, const cairn_few_block* own,
                                   const cairn_double8* j, int k)
{
    cairn_double8 sum = all->B[own->first + k] * j[k];
    if (k == 0 || own->kind != CAIRN_BLOCK_CONTACT)
        return sum;
    sum += own->along[k - 1] * all->B[own->first] * j[0];
    for (int i = 1; i < own->row_count; i++)
        sum += own->T[3 * (k - 1) + i - 1] * j[i];
    return sum;
}

CAIRN_INLINE void add_outer(cairn_six_block* to, const cairn_double8* x, cairn_double8 y)
{
    const double* e = (const double*)x;
    for (int i = 0; i < 6; i++)
        to->row[i] += e[i] * y;
}

static bool slides(const cairn_few_block* own)
{
    return own->along[0] != 0.0 || own->along[1] != 0.0 || own->along[2] != 0.0;
}

// 1 + Ĵ^T B Ĵ, factored; the last factors where B is the same
static bool factor(cairn_few_bodies* all)
{
    cairn_six_lu* lu = &all->lu;
    bool same = all->factored;
    for (int c = 0; c < all->block_count && same; c++)
        same = !slides(&all->blocks[c]);
    size_t bytes = (size_t)all->row_count * sizeof(double);
    if (same && memcmp(all->B, all->B_last, bytes) == 0)
        return true;
    memcpy(all->B_last, all->B, bytes);
    memset(lu->blocks, 0, (size_t)lu->block_count * sizeof *lu->blocks);
    for (int i = 0; i < lu->n; i++)
        for (int k = 0; k < 6; k++)
            cairn_six_lu_block(lu, i, i)->row[k][k] = 1.0;
    for (int c = 0; c < all->block_count; c++) {
        const cairn_few_block* own = &all->blocks[c];
        const cairn_double8 *ja = all->ja + own->first, *jb = all->jb + own->first;
        for (int k = 0; k < own->row_count; k++) {
            if (own->a >= 0) {
                cairn_double8 x = combine(all, own, ja, k);
                add_outer(cairn_six_lu_block(lu, own->a, own->a), &ja[k], x);
                if (own->b >= 0)
                    add_outer(cairn_six_lu_block(lu, own->b, own->a), &jb[k], x);
            }
            if (own->b >= 0) {
                cairn_double8 x = combine(all, own, jb, k);
                add_outer(cairn_six_lu_block(lu, own->b, own->b), &jb[k], x);
                if (own->a >= 0)
                    add_outer(cairn_six_lu_block(lu, own->a, own->b), &ja[k], x);
            }
        }
    }
    all->factorizations++;
    all->factored = cairn_six_lu_factor(lu);
    return all->factored;
}

// w += Ĵ^T x of one row
CAIRN_INLINE void spread(const cairn_few_bodies* all, cairn_double8* w, const cairn_few_block* own,
                         int r, double x)
{
    if (own->a >= 0)
        w[own->a] += all->ja[r] * x;
    if (own->b >= 0)
        w[own->b] += all->jb[r] * x;
}

// y of all rows from w
static void read_velocities(cairn_few_bodies* all)
{
    for (int c = 0; c < all->block_count; c++) {
        const cairn_few_block* own = &all->blocks[c];
        for (int r = own->first; r < own->first + own->row_count; r++) {
            cairn_double8 sum = {0.0};
            if (own->a >= 0)
                sum += all->ja[r] * all->w[own->a];
            if (own->b >= 0)
                sum += all->jb[r] * all->w[own->b];
            all->y[r] = all->offset[r] + sum_six(sum);
        }
    }
}

static void clear(const cairn_few_bodies* all, cairn_double8* w)
{
    memset(w, 0, (size_t)all->body_count * sizeof *w);
}

// λ = g - B y of all rows
static void answer(cairn_few_bodies* all)
{
    for (int c = 0; c < all->block_count; c++) {
        const cairn_few_block* own = &all->blocks[c];
        for (int k = 0; k < own->row_count; k++)
            all->lambda[own->first + k] =
                all->g[own->first + k] - product(all, own, all->y + own->first, k);
    }
}

// Iterative refinement: what is left of w = Ĵ^T λ is taken away by another solve. True while it was worth one.
static bool refine(cairn_few_bodies* all)
{
    const double nothing = 1e-11;
    double size = 0.0, left = 0.0;
    clear(all, all->rest);
    for (int c = 0; c < all->block_count; c++)
        for (int r = all->blocks[c].first; r < all->blocks[c].first + all->blocks[c].row_count; r++)
            spread(all, all->rest, &all->blocks[c], r, all->lambda[r]);
    for (int i = 0; i < all->body_count; i++) {
        all->rest[i] -= all->w[i];
        for (int k = 0; k < 6; k++) {
            size = fmax(size, fabs(all->w[i][k]));
            left = fmax(left, fabs(all->rest[i][k]));
        }
    }
    if (!(left > nothing * size))
        return false;
    cairn_six_lu_solve(&all->lu, all->rest);
    for (int i = 0; i < all->body_count; i++)
        all->w[i] += all->rest[i];
    return true;
}

bool CAIRN_KERNEL(cairn_few_bodies_step_kernel)(cairn_few_bodies* all)
{
    enum { most_refinements = 3 };
    for (int c = 0; c < all->block_count; c++) {
        cairn_few_block* own = &all->blocks[c];
        if (own->kind == CAIRN_BLOCK_CONTACT)
            answer_contact(all, own);
        else
            for (int r = own->first; r < own->first + own->row_count; r++)
                answer_bounded(all, r, own->over);
    }
    if (!factor(all))
        return false;
    clear(all, all->w);
    for (int c = 0; c < all->block_count; c++) {
        const cairn_few_block* own = &all->blocks[c];
        for (int k = 0; k < own->row_count; k++)
            spread(all, all->w, own, own->first + k,
                   all->g[own->first + k] - product(all, own, all->offset + own->first, k));
    }
    cairn_six_lu_solve(&all->lu, all->w);
    for (int k = 0; k <= most_refinements; k++) {
        read_velocities(all);
        answer(all);
        if (k == most_refinements || !refine(all))
            break;
    }
    return true;
}

// ---------------------------------------------------------------- how far

// m/s: the natural map of a block, with what springs add to its velocities or without
CAIRN_INLINE double error_of(const cairn_few_bodies* all, const cairn_few_block* own,
                             double springs)
{
    double sum = 0.0, v[6], z[6];
    bool contact = own->kind == CAIRN_BLOCK_CONTACT;
    for (int k = 0; k < own->row_count; k++) {
        int r = own->first + k;
        double over = contact && k > 0 ? own->slip_over : own->over;
        v[k] = all->y[r] + all->soft[r] * all->lambda[r] +
               springs * all->spring[r] * (all->lambda[r] - all->center[r]);
        z[k] = all->lambda[r] - over * v[k];
        if (!contact) {
            double F = (all->lambda[r] - fmin(fmax(z[k], all->lo[r]), all->hi[r])) / over;
            sum += F * F;
        }
    }
    if (!contact)
        return sqrt(sum);

    // F in impulses, as of the rows of the problem
    double normal = all->lambda[own->first] - fmax(z[0], 0.0), length = 0.0;
    double radius = fmax(all->lambda[own->first], 0.0);
    for (int k = 1; k < own->row_count; k++)
        length += z[k] * z[k];
    double share = length > radius * radius ? radius / sqrt(length) : 1.0;
    for (int k = 1; k < own->row_count; k++) {
        double F = all->unit[own->first + k] * (all->lambda[own->first + k] - share * z[k]);
        sum += F * F;
    }
    return sqrt(normal * normal + sum) / own->over;
}

double CAIRN_KERNEL(cairn_few_bodies_error_kernel)(const cairn_few_bodies* all, double springs,
                                                   double* worst)
{
    double sum = 0.0;
    *worst = 0.0;
    for (int c = 0; c < all->block_count; c++) {
        double error = error_of(all, &all->blocks[c], springs);
        sum += error * error;
        if (!(error <= *worst))
            *worst = isnan(error) ? (double)INFINITY : error;
    }
    return sqrt(sum);
}

void CAIRN_KERNEL(cairn_few_bodies_start_kernel)(cairn_few_bodies* all, const double* lambda)
{
    clear(all, all->w);
    for (int c = 0; c < all->block_count; c++) {
        const cairn_few_block* own = &all->blocks[c];
        for (int r = own->first; r < own->first + own->row_count; r++) {
            all->lambda[r] = lambda[all->row_of[r]] / all->unit[r];
            all->center[r] = 0.0;
            spread(all, all->w, own, r, all->lambda[r]);
        }
    }
    read_velocities(all);
    all->sprung = false;
}
