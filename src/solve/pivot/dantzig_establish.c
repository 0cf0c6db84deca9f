// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The outer loop: as long as some row or friction group does not meet its condition, establish it,
// the normal of a contact before its friction. Without friction each row is established once; with
// friction nothing guarantees an end, so the tries are counted.

#include "solve/pivot/dantzig.h"
#include <string.h>

enum { most_tries = 40, drives_between_refreshes = 32, refreshes_at_end = 3 };

// clamped rows slower than this part of what counts as zero need no correction
static const double settled = 0.01;

void cairn_dantzig_refresh(cairn_dantzig* d)
{
    for (int pass = 0; pass < 2; pass++) {
        bool moving = false;
        cairn_dantzig_apply(d, d->a, d->f);
        for (int i = 0; i < d->n; i++)
            d->a[i] += d->b[i];

        // K x = -a on the clamped rows, but not where a group is still on its way
        for (int j = 0; j < d->k; j++) {
            d->rhs[j] = -d->a[d->list[j]];
            if (fabs(d->rhs[j]) > 100.0 * d->tol[d->list[j]])
                d->rhs[j] = 0.0;
            moving = moving || fabs(d->rhs[j]) > settled * d->tol[d->list[j]];
        }

        if (!moving)
            return;

        cairn_dantzig_factor_solve(d, d->x, d->rhs);
        memset(d->df, 0, (size_t)d->n * sizeof(double));
        for (int j = 0; j < d->k; j++)
            cairn_dantzig_expand(d, d->df, d->list[j], d->x[j]);
        for (int i = 0; i < d->n; i++) {
            d->f[i] += d->df[i];
            if (d->kind[i] == CAIRN_DANTZIG_BOUNDED)
                d->f[i] = fmin(fmax(d->f[i], d->lo[i]), d->hi[i]);
        }
    }

    cairn_dantzig_apply(d, d->a, d->f);
    for (int i = 0; i < d->n; i++)
        d->a[i] += d->b[i];
}

// ---------------------------------------------------------------- what is to be done

// how far a bounded row is from its condition. Rows that meet it at a bound without having been
// established stay open: were they held there, everything that touches without moving would limit
// every step to nothing
static double row_violation(const cairn_dantzig* d, int i)
{
    double a = d->a[i], tol = d->tol[i];
    switch ((cairn_dantzig_row_state)d->state[i]) {
    case CAIRN_DANTZIG_OPEN:
        if ((d->f[i] == d->lo[i] && a >= -tol) || (d->f[i] == d->hi[i] && a <= tol))
            return 0.0;
        return fabs(a) + tol;
    case CAIRN_DANTZIG_CLAMPED:
        return fabs(a) > 10.0 * tol ? fabs(a) : 0.0;
    case CAIRN_DANTZIG_LOW:
        return a < -10.0 * tol ? -a : 0.0;
    case CAIRN_DANTZIG_HIGH:
        return a > 10.0 * tol ? a : 0.0;
    }
    return 0.0;
}

static double group_violation(const cairn_dantzig* d, const cairn_dantzig_group* group)
{
    double tol = d->tol[group->row[0]], along = 0.0;

    if (group->dynamic)
        return 0.0;

    // friction of an open contact must be zero
    if (d->state[group->normal] != CAIRN_DANTZIG_CLAMPED)
        return group->state == CAIRN_DANTZIG_GROUP_OPEN ? cairn_dantzig_group_norm(group, d->f)
                                                        : 0.0;

    // unsettled states always count, stick and slide only beyond round-off
    switch (group->state) {
    case CAIRN_DANTZIG_GROUP_OPEN:
    case CAIRN_DANTZIG_PUSHED:
    case CAIRN_DANTZIG_DORMANT:
        return cairn_dantzig_group_norm(group, d->a) + tol;
    case CAIRN_DANTZIG_STICK: {
        double a = cairn_dantzig_group_norm(group, d->a);
        return a > 10.0 * tol ? a : 0.0;
    }
    case CAIRN_DANTZIG_SLIDE:
        for (int k = 0; k < group->m; k++)
            along += group->u[k] * d->a[group->row[k]];
        return along > 10.0 * tol ? along : 0.0;
    }

    return 0.0;
}

// the next row to establish (the first friction row stands for a group), or -1
static int choose(const cairn_dantzig* d)
{
    int best = -1;
    double worst = 0.0;

    // rows with bounds, normals among them, come first
    for (int i = 0; i < d->n; i++) {
        if (d->kind[i] != CAIRN_DANTZIG_BOUNDED || d->tries[i] > most_tries)
            continue;
        double violation = row_violation(d, i);
        double weight = violation > 0.0 && d->order ? (double)(d->order[i] + 1) : violation;
        if (weight > worst) {
            worst = weight;
            best = i;
        }
    }

    if (best >= 0)
        return best;

    // then friction, a group at a time
    for (int g = 0; g < d->group_total; g++) {
        const cairn_dantzig_group* group = &d->groups[g];
        int i = group->row[0];
        if (d->tries[i] > most_tries)
            continue;

        double violation = group_violation(d, group);
        double weight = violation > 0.0 && d->order ? (double)(d->order[i] + 1) : violation;
        if (weight > worst) {
            worst = weight;
            best = i;
        }
    }

    return best;
}

// ---------------------------------------------------------------- doing it

// brings f_F of a group to zero, continuously
static cairn_dantzig_result reset_group(cairn_dantzig* d, int g)
{
    cairn_dantzig_group* group = &d->groups[g];
    cairn_dantzig_open_group(d, group);
    if (cairn_dantzig_group_norm(group, d->f) == 0.0)
        return CAIRN_DANTZIG_DONE;
    return cairn_dantzig_drive(d, CAIRN_DANTZIG_DRIVE_RESET, g);
}

static cairn_dantzig_result establish_group(cairn_dantzig* d, int g)
{
    cairn_dantzig_group* group = &d->groups[g];

    d->tries[group->row[0]]++;
    double limit = group->mu * d->f[group->normal], opposed = 0.0;
    for (int k = 0; k < group->m; k++)
        opposed += d->f[group->row[k]] * d->a[group->row[k]];

    bool closed = d->state[group->normal] == CAIRN_DANTZIG_CLAMPED;

    // friction that cannot stay, or does not oppose the slip, starts again from nothing
    bool beyond = cairn_dantzig_group_norm(group, d->f) > limit * (1.0 + 1e-12);
    if (!closed || beyond || (opposed > 0.0 && group->state != CAIRN_DANTZIG_STICK)) {
        cairn_dantzig_result result = reset_group(d, g);
        if (result != CAIRN_DANTZIG_DONE)
            return result;
    } else if (group->state == CAIRN_DANTZIG_SLIDE) {
        cairn_dantzig_open_group(d, group);
    }

    if (d->state[group->normal] != CAIRN_DANTZIG_CLAMPED) {
        group->state = CAIRN_DANTZIG_DORMANT;
        return CAIRN_DANTZIG_DONE;
    }

    return cairn_dantzig_drive(d, CAIRN_DANTZIG_DRIVE_STICK, g);
}

static cairn_dantzig_result establish_row(cairn_dantzig* d, int row)
{
    d->tries[row]++;

    int first = d->group_first[row], count = d->group_count[row];
    cairn_dantzig_result result = CAIRN_DANTZIG_DONE;

    // its friction is taken off first, for it was found with the old normal impulse
    for (int g = first; g < first + count && result == CAIRN_DANTZIG_DONE; g++)
        if (!d->groups[g].dynamic)
            result = reset_group(d, g);
    if (result != CAIRN_DANTZIG_DONE)
        return result;

    // the row by itself
    cairn_dantzig_factor_remove(d, row);
    d->state[row] = CAIRN_DANTZIG_OPEN;
    if (row_violation(d, row) > 0.0)
        result = cairn_dantzig_drive(d, CAIRN_DANTZIG_DRIVE_ROW, row);

    // friction once more, if the contact is closed
    for (int g = first; g < first + count && result == CAIRN_DANTZIG_DONE; g++) {
        if (d->groups[g].dynamic)
            continue;
        if (d->state[row] == CAIRN_DANTZIG_CLAMPED)
            result = establish_group(d, g);
        else
            d->groups[g].state = CAIRN_DANTZIG_DORMANT;
    }

    return result;
}

// equality rows first: they never leave the factor
static void clamp_equalities(cairn_dantzig* d)
{
    for (int i = 0; i < d->n; i++)
        if (d->kind[i] == CAIRN_DANTZIG_BOUNDED && d->lo[i] == -INFINITY && d->hi[i] == INFINITY) {
            d->state[i] = CAIRN_DANTZIG_CLAMPED;
            cairn_dantzig_factor_append(d, i);
        }
    for (int pass = 0; pass < 2 && d->k > 0; pass++) {
        for (int j = 0; j < d->k; j++)
            d->rhs[j] = -d->a[d->list[j]];
        cairn_dantzig_factor_solve(d, d->x, d->rhs);
        for (int j = 0; j < d->k; j++)
            d->f[d->list[j]] += d->x[j];
        cairn_dantzig_apply(d, d->a, d->f);
        for (int i = 0; i < d->n; i++)
            d->a[i] += d->b[i];
    }
}

// nothing is established
static void start_cold(cairn_dantzig* d)
{
    cairn_dantzig_factor_clear(d);
    for (int i = 0; i < d->n; i++) {
        d->state[i] = CAIRN_DANTZIG_OPEN;
        d->f[i] = d->kind[i] == CAIRN_DANTZIG_BOUNDED ? fmin(fmax(0.0, d->lo[i]), d->hi[i]) : 0.0;
    }
    for (int g = 0; g < d->group_total; g++)
        d->groups[g].state = d->groups[g].dynamic ? CAIRN_DANTZIG_SLIDE : CAIRN_DANTZIG_DORMANT;
    cairn_dantzig_apply(d, d->a, d->f);
    for (int i = 0; i < d->n; i++)
        d->a[i] += d->b[i];
    clamp_equalities(d);
    if (!d->order)
        cairn_dantzig_start_in_bulk(d);
}

cairn_dantzig_result cairn_dantzig_establish(cairn_dantzig* d, bool warm)
{
    memset(d->tries, 0, (size_t)d->n * sizeof(int));

    if (!warm || !cairn_dantzig_warm_start(d, d->job->lambda))
        start_cold(d);
    int refreshed = 0, seen = d->drives;

    // choose() offers no row more often than most_tries + 1 times and each round that is not a
    // refresh counts a try: at most 41 n drives, a refresh for every 32 of them, and 3 at the end
    for (;;) {
        int row = choose(d);
        if (row < 0 || d->drives - seen >= drives_between_refreshes) {
            // round-off is measured and taken out before the end is believed
            if (row < 0 && refreshed++ == refreshes_at_end)
                return CAIRN_DANTZIG_DONE;
            int before = d->drives;
            cairn_dantzig_refresh(d);
            seen = before;
            if (row < 0 && choose(d) < 0)
                return CAIRN_DANTZIG_DONE;
            continue;
        }

        cairn_dantzig_result result = d->kind[row] == CAIRN_DANTZIG_FRICTION
                                          ? establish_group(d, d->group_of[row])
                                          : establish_row(d, row);
        if (result != CAIRN_DANTZIG_DONE)
            return result;
    }
}
