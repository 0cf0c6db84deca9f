// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Warm start: the impulses of the last solve name the rows that bear something and the friction
// that slips. These are clamped at once, the forces solved for, and what comes out with the wrong
// sign or beyond its limit changes its state, a few times over. The outer loop then finds little to
// do.

#include "solve/dantzig.h"
#include <string.h>

enum { most_passes = 10 };

static double group_norm(const dantzig_group* group, const double* x)
{
    double sum = 0.0;
    for (int k = 0; k < group->m; k++)
        sum += x[group->row[k]] * x[group->row[k]];
    return sqrt(sum);
}

static void let_slide(dantzig* d, dantzig_group* group)
{
    double length = group_norm(group, d->f);
    dantzig_open_group(d, group);
    for (int k = 0; k < group->m; k++)
        group->u[k] = d->f[group->row[k]] / length;
    dantzig_factor_set_group(d, group, DANTZIG_SLIDE);
}

// the states that the impulses in d->f tell; the number of rows that the factor refused
static int read_states(dantzig* d)
{
    int refused = 0;
    for (int i = 0; i < d->n; i++) {
        d->state[i] = DANTZIG_OPEN;
        if (d->kind[i] == DANTZIG_BOUNDED && d->f[i] > d->lo[i] && d->f[i] < d->hi[i] &&
            (d->f[i] != 0.0 || d->lo[i] < 0.0)) {
            d->state[i] = DANTZIG_CLAMPED;
            refused += !dantzig_factor_append(d, i);
        }
    }
    for (int g = 0; g < d->group_total; g++) {
        dantzig_group* group = &d->groups[g];
        bool closed = d->state[group->normal] == DANTZIG_CLAMPED;
        double limit = group->mu * d->f[group->normal];
        if (group->dynamic)
            continue;
        group->state = DANTZIG_DORMANT;
        if (closed && group_norm(group, d->f) >= (1.0 - 1e-9) * limit) {
            let_slide(d, group);
        } else if (closed) {
            group->state = DANTZIG_STICK;
            for (int k = 0; k < group->m; k++) {
                d->state[group->row[k]] = DANTZIG_CLAMPED;
                refused += !dantzig_factor_append(d, group->row[k]);
            }
        }
    }
    return refused;
}

// f of the clamped rows from K f = -(b + A f_fixed)
static void solve_forces(dantzig* d)
{
    for (int i = 0; i < d->n; i++)
        if (d->kind[i] != DANTZIG_BOUNDED || d->state[i] == DANTZIG_CLAMPED)
            d->f[i] = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        dantzig_apply(d, d->a, d->f);
        for (int i = 0; i < d->n; i++)
            d->a[i] += d->b[i];
        for (int j = 0; j < d->k; j++)
            d->rhs[j] = -d->a[d->list[j]];
        dantzig_factor_solve(d, d->x, d->rhs);
        for (int j = 0; j < d->k; j++)
            dantzig_expand(d, d->f, d->list[j], d->f[d->list[j]] + d->x[j]);
    }
    dantzig_apply(d, d->a, d->f);
    for (int i = 0; i < d->n; i++)
        d->a[i] += d->b[i];
}

static void open_row(dantzig* d, int i)
{
    d->f[i] = d->f[i] <= d->lo[i] ? d->lo[i] : d->hi[i];
    dantzig_factor_remove(d, i);
    d->state[i] = DANTZIG_OPEN;
    for (int g = 0; g < d->group_count[i]; g++) {
        dantzig_group* group = &d->groups[d->group_first[i] + g];
        if (group->dynamic)
            continue;
        dantzig_open_group(d, group);
        group->state = DANTZIG_DORMANT;
    }
}

// true when every force is within its bounds
static bool mend(dantzig* d)
{
    bool good = true;
    for (int i = 0; i < d->n; i++) {
        bool inside = d->f[i] > d->lo[i] && d->f[i] < d->hi[i];
        if (d->kind[i] != DANTZIG_BOUNDED || d->state[i] != DANTZIG_CLAMPED || inside)
            continue;
        good = good && d->place[i] < 0;
        open_row(d, i);
    }
    for (int g = 0; g < d->group_total; g++) {
        dantzig_group* group = &d->groups[g];
        double limit = group->mu * d->f[group->normal];
        if (group->state != DANTZIG_STICK || group_norm(group, d->f) <= limit)
            continue;
        let_slide(d, group);
        good = false;
    }
    return good;
}

bool dantzig_warm_start(dantzig* d, const double* lambda)
{
    dantzig_factor_clear(d);
    bool any = false;
    for (int i = 0; i < d->n; i++) {
        double f = d->kind[i] == DANTZIG_INERT ? 0.0 : lambda[i] / d->scale[i];
        d->f[i] = d->kind[i] == DANTZIG_BOUNDED ? fmin(fmax(f, d->lo[i]), d->hi[i]) : f;
        any = any || f != 0.0;
    }
    for (int g = 0; g < d->group_total; g++)
        d->groups[g].state = d->groups[g].dynamic ? DANTZIG_SLIDE : DANTZIG_DORMANT;
    if (!any || 4 * read_states(d) > d->n)
        return false;
    for (int pass = 0; pass < most_passes; pass++) {
        solve_forces(d);
        if (mend(d))
            return true;
    }
    return false;
}
