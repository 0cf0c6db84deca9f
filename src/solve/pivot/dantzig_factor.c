// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The factor of the clamped matrix. Its rows are the clamped rows; the column of a normal whose
// friction slides carries that friction along,
//
//     K_ij = A_ij + Σ_k μ u_k A_i,F(k)        (j a normal, F its sliding friction rows),
//
// so K is symmetric positive definite (L D L^T) until something slides and general (an updated
// inverse) from then on. Every change costs O(k²).
//
// A row that depends on those in the factor stays outside: its velocity follows theirs. So does
// every row once the job is to stop.

#include "solve/pivot/dantzig.h"
#include <string.h>

void cairn_dantzig_expand(const cairn_dantzig* d, double* df, int row, double value)
{
    df[row] = value;
    for (int g = 0; g < d->group_count[row]; g++) {
        const cairn_dantzig_group* group = &d->groups[d->group_first[row] + g];
        if (group->state != CAIRN_DANTZIG_SLIDE)
            continue;
        for (int k = 0; k < group->m; k++)
            df[group->row[k]] = group->mu * group->u[k] * value;
    }
}

// out = the column of a row's variable, friction included
static void variable_column(cairn_dantzig* d, double* out, int row)
{
    memset(d->fresh, 0, (size_t)d->n * sizeof(double));
    cairn_dantzig_expand(d, d->fresh, row, 1.0);
    cairn_dantzig_apply(d, out, d->fresh);
}

static void gather(const cairn_dantzig* d, double* to, const double* from)
{
    for (int j = 0; j < d->k; j++)
        to[j] = from[d->list[j]];
}

void cairn_dantzig_factor_clear(cairn_dantzig* d)
{
    d->k = 0;
    d->y_row = -1;
    d->general = !d->symmetric;
    for (int g = 0; g < d->group_total; g++)
        d->general = d->general || d->groups[g].dynamic;
    cairn_ldl_clear(&d->ldl);
    d->inverse.n = 0;
    for (int i = 0; i < d->n; i++)
        d->place[i] = -1;
}

static bool append_symmetric(cairn_dantzig* d, int row)
{
    // the last solve may have left L^-1 A[list, row] behind
    double diagonal = d->column[row];
    if (d->y_row == row)
        return cairn_ldl_append_forward(&d->ldl, d->y, diagonal, d->least_pivot);
    cairn_dantzig_column_clamped(d, d->da, row);
    gather(d, d->gather, d->da);
    return cairn_ldl_append(&d->ldl, d->gather, d->da[row], d->least_pivot);
}

static bool append_general(cairn_dantzig* d, int row)
{
    // the new row: A[row, :] times the columns in the list
    memset(d->fresh, 0, (size_t)d->n * sizeof(double));
    d->fresh[row] = 1.0;
    cairn_dantzig_apply_transposed(d, d->da, d->fresh);
    for (int j = 0; j < d->k; j++) {
        int r = d->list[j];
        double sum = d->da[r];
        for (int g = 0; g < d->group_count[r]; g++) {
            const cairn_dantzig_group* group = &d->groups[d->group_first[r] + g];
            for (int k = 0; group->state == CAIRN_DANTZIG_SLIDE && k < group->m; k++)
                sum += group->mu * group->u[k] * d->da[group->row[k]];
        }
        d->y[j] = sum;
    }

    variable_column(d, d->da, row);
    gather(d, d->gather, d->da);
    return cairn_inverse_append(&d->inverse, d->gather, d->y, d->da[row], d->least_pivot);
}

static bool carries_friction(const cairn_dantzig* d, int row)
{
    for (int g = 0; g < d->group_count[row]; g++)
        if (d->groups[d->group_first[row] + g].state == CAIRN_DANTZIG_SLIDE)
            return true;
    return false;
}

bool cairn_dantzig_factor_append(cairn_dantzig* d, int row)
{
    if (d->place[row] >= 0)
        return true;
    if (d->k == d->capacity || cairn_job_stopped(d->job))
        return false;
    if (!d->general && carries_friction(d, row)) {
        d->general = true;
        cairn_dantzig_factor_renew(d);
    }
    bool taken = d->general ? append_general(d, row) : append_symmetric(d, row);
    d->y_row = -1;
    if (!taken)
        return false;
    d->place[row] = d->k;
    d->list[d->k++] = row;
    return true;
}

// K of the list, row-major; false: no time for it
static bool form_general(cairn_dantzig* d)
{
    size_t stride = (size_t)d->capacity;
    for (int j = 0; j < d->k; j++) {
        variable_column(d, d->da, d->list[j]);

        // the first column touches every page of K for the first time: some tens of milliseconds
        for (int i = 0; i < d->k; i++) {
            if (i % 64 == 0 && cairn_job_stopped(d->job))
                return false;
            d->K[(size_t)i * stride + (size_t)j] = d->da[d->list[i]];
        }
    }
    return true;
}

void cairn_dantzig_factor_renew(cairn_dantzig* d)
{
    d->factorizations++;
    d->y_row = -1;
    if (d->general && form_general(d) &&
        cairn_inverse_compute(&d->inverse, d->K, (size_t)d->capacity, d->k, 1e-13, d->swap))
        return;

    // one row at a time; dependent ones fall out (the list shrinks behind the reader)
    int count = d->k;
    d->k = 0;
    cairn_ldl_clear(&d->ldl);
    d->inverse.n = 0;
    for (int j = 0; j < count; j++)
        d->place[d->list[j]] = -1;
    for (int j = 0; j < count; j++)
        cairn_dantzig_factor_append(d, d->list[j]);
}

void cairn_dantzig_factor_remove(cairn_dantzig* d, int row)
{
    int place = d->place[row];
    if (place < 0)
        return;

    d->place[row] = -1;
    d->y_row = -1;
    d->k--;

    // the updated inverse of the general case
    if (d->general) {
        // the last row takes the place
        bool removed = cairn_inverse_remove(&d->inverse, place);
        if (place < d->k) {
            d->list[place] = d->list[d->k];
            d->place[d->list[place]] = place;
        }
        if (!removed)
            cairn_dantzig_factor_renew(d);
        return;
    }

    // L D L^T of the symmetric case
    cairn_ldl_remove(&d->ldl, place);
    memmove(d->list + place, d->list + place + 1, (size_t)(d->k - place) * sizeof(int));
    for (int j = place; j < d->k; j++)
        d->place[d->list[j]] = j;

    if (cairn_ldl_worn(&d->ldl))
        cairn_dantzig_factor_renew(d);
}

void cairn_dantzig_factor_set_group(cairn_dantzig* d, cairn_dantzig_group* group,
                                    cairn_dantzig_group_state state)
{
    bool slid = group->state == CAIRN_DANTZIG_SLIDE, slides = state == CAIRN_DANTZIG_SLIDE;
    int place = d->place[group->normal];

    if (place < 0 || (!slid && !slides)) {
        group->state = state;
        return;
    }

    // the first group that slides makes the matrix general
    if (!d->general) {
        group->state = state;
        d->general = true;
        cairn_dantzig_factor_renew(d);
        return;
    }

    // the difference of the columns, then a rank-one change
    memset(d->fresh, 0, (size_t)d->n * sizeof(double));
    for (int k = 0; k < group->m; k++)
        d->fresh[group->row[k]] = (slides ? 1.0 : -1.0) * group->mu * group->u[k];
    cairn_dantzig_apply(d, d->da, d->fresh);
    gather(d, d->gather, d->da);
    group->state = state;
    if (!cairn_inverse_replace(&d->inverse, place, d->gather))
        cairn_dantzig_factor_renew(d);
}

void cairn_dantzig_factor_solve(cairn_dantzig* d, double* x, const double* rhs)
{
    if (d->general) {
        cairn_inverse_solve(&d->inverse, x, rhs);
        return;
    }
    memcpy(x, rhs, (size_t)d->k * sizeof(double));
    cairn_ldl_solve(&d->ldl, x);
}
