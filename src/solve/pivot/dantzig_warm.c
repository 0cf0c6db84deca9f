// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Warm start: the impulses of the last solve name the rows that bear something and the friction
// that slips. These are clamped at once, the forces solved for, and what comes out with the wrong
// sign or beyond its limit changes its state, a few times over. The outer loop then finds little to
// do.
//
// A cold start is helped in the same way: all normals and limits that approach are clamped at once,
// without friction, those that would pull are let go until none is left, and again with the rows
// that approach now. Every such point is one that pivoting could have reached, and the outer loop
// goes on from it.

#include "solve/pivot/dantzig.h"
#include <string.h>

enum { most_passes = 10, most_rounds = 4 };

// relative to the largest force
static const double negligible = 1e-12;

static void let_slide(cairn_dantzig* d, cairn_dantzig_group* group)
{
    double length = cairn_dantzig_group_norm(group, d->f);
    cairn_dantzig_open_group(d, group);
    for (int k = 0; k < group->m; k++) {
        group->u[k] = d->f[group->row[k]] / length;
        d->f[group->row[k]] = group->mu * d->f[group->normal] * group->u[k];
    }
    cairn_dantzig_factor_set_group(d, group, CAIRN_DANTZIG_SLIDE);
}

// the states that the impulses in d->f tell
static void read_states(cairn_dantzig* d)
{
    for (int i = 0; i < d->n; i++) {
        d->state[i] = CAIRN_DANTZIG_OPEN;
        if (d->kind[i] == CAIRN_DANTZIG_BOUNDED && d->f[i] > d->lo[i] && d->f[i] < d->hi[i]) {
            d->state[i] = CAIRN_DANTZIG_CLAMPED;
            cairn_dantzig_factor_append(d, i);
        }
    }
    for (int g = 0; g < d->group_total; g++) {
        cairn_dantzig_group* group = &d->groups[g];
        bool closed = d->state[group->normal] == CAIRN_DANTZIG_CLAMPED;
        double limit = group->mu * d->f[group->normal];
        if (group->dynamic)
            continue;
        group->state = CAIRN_DANTZIG_DORMANT;
        for (int k = 0; k < group->m && !closed; k++)
            d->f[group->row[k]] = 0.0;
        if (closed && cairn_dantzig_group_norm(group, d->f) >= (1.0 - 1e-6) * limit) {
            let_slide(d, group);
        } else if (closed) {
            group->state = CAIRN_DANTZIG_STICK;
            for (int k = 0; k < group->m; k++) {
                d->state[group->row[k]] = CAIRN_DANTZIG_CLAMPED;
                cairn_dantzig_factor_append(d, group->row[k]);
            }
        }
    }
}

// a = A f + b
static void find_velocities(cairn_dantzig* d)
{
    cairn_dantzig_apply(d, d->a, d->f);
    for (int i = 0; i < d->n; i++)
        d->a[i] += d->b[i];
}

// corrects f by K x = -a, with a of this f; false where the clamped rows are at rest already
static bool correct_forces(cairn_dantzig* d)
{
    bool moving = false;
    for (int j = 0; j < d->k; j++) {
        d->rhs[j] = -d->a[d->list[j]];
        moving = moving || fabs(d->rhs[j]) > d->tol[d->list[j]];
    }
    if (!moving)
        return false;
    cairn_dantzig_factor_solve(d, d->x, d->rhs);
    for (int j = 0; j < d->k; j++)
        cairn_dantzig_expand(d, d->f, d->list[j], d->f[d->list[j]] + d->x[j]);
    return true;
}

// corrects f until the clamped rows are at rest; rows that the factor refused keep their share
static void solve_forces(cairn_dantzig* d)
{
    find_velocities(d);
    for (int pass = 0; pass < 3 && correct_forces(d); pass++)
        find_velocities(d);
}

static void open_row(cairn_dantzig* d, int i)
{
    d->f[i] = d->f[i] <= d->lo[i] ? d->lo[i] : d->hi[i];
    cairn_dantzig_factor_remove(d, i);
    d->state[i] = CAIRN_DANTZIG_OPEN;
    for (int g = 0; g < d->group_count[i]; g++) {
        cairn_dantzig_group* group = &d->groups[d->group_first[i] + g];
        for (int k = 0; k < group->m; k++)
            d->f[group->row[k]] = 0.0;
        if (group->dynamic)
            continue;
        cairn_dantzig_open_group(d, group);
        group->state = CAIRN_DANTZIG_DORMANT;
    }
}

// true when every force is within its bounds
static bool mend(cairn_dantzig* d)
{
    bool good = true;
    for (int i = 0; i < d->n; i++) {
        bool inside = d->f[i] > d->lo[i] && d->f[i] < d->hi[i];
        if (d->kind[i] != CAIRN_DANTZIG_BOUNDED || d->state[i] != CAIRN_DANTZIG_CLAMPED || inside)
            continue;
        good = good && d->place[i] < 0;
        open_row(d, i);
    }
    for (int g = 0; g < d->group_total; g++) {
        cairn_dantzig_group* group = &d->groups[g];
        double limit = group->mu * d->f[group->normal];
        if (group->state != CAIRN_DANTZIG_STICK || cairn_dantzig_group_norm(group, d->f) <= limit)
            continue;
        let_slide(d, group);
        good = false;
    }
    return good;
}

bool cairn_dantzig_warm_start(cairn_dantzig* d, const double* lambda)
{
    cairn_dantzig_factor_clear(d);
    double largest = 0.0;
    for (int i = 0; i < d->n; i++) {
        d->f[i] = d->kind[i] == CAIRN_DANTZIG_INERT ? 0.0 : lambda[i] / d->scale[i];
        largest = fmax(largest, fabs(d->f[i]));
    }
    if (largest == 0.0)
        return false;

    // what is at a bound to round-off is at the bound
    for (int i = 0; i < d->n; i++) {
        if (d->kind[i] != CAIRN_DANTZIG_BOUNDED)
            continue;
        if (d->f[i] <= d->lo[i] + negligible * largest)
            d->f[i] = d->lo[i];
        else if (d->f[i] >= d->hi[i] - negligible * largest)
            d->f[i] = d->hi[i];
    }
    for (int g = 0; g < d->group_total; g++) {
        cairn_dantzig_group* group = &d->groups[g];
        group->state = group->dynamic ? CAIRN_DANTZIG_SLIDE : CAIRN_DANTZIG_DORMANT;
        if (group->dynamic)
            cairn_dantzig_expand(d, d->f, group->normal, d->f[group->normal]);
    }
    read_states(d);
    for (int pass = 0; pass < most_passes && !cairn_job_stopped(d->job); pass++) {
        solve_forces(d);
        if (mend(d))
            return true;
    }
    return false;
}

// clamps the one-sided rows that approach; how many
static int clamp_approaching(cairn_dantzig* d)
{
    int added = 0;
    for (int i = 0; i < d->n; i++) {
        bool one_sided = d->lo[i] > -INFINITY && d->hi[i] == INFINITY;
        if (d->kind[i] != CAIRN_DANTZIG_BOUNDED || d->state[i] != CAIRN_DANTZIG_OPEN ||
            !one_sided || d->a[i] >= -d->tol[i] || !cairn_dantzig_factor_append(d, i))
            continue;
        d->state[i] = CAIRN_DANTZIG_CLAMPED;
        added++;
    }
    return added;
}

// lets go the rows that pull; how many
static int release_pulling(cairn_dantzig* d)
{
    int released = 0;
    for (int i = 0; i < d->n; i++)
        if (d->state[i] == CAIRN_DANTZIG_CLAMPED && d->f[i] < d->lo[i]) {
            if (cairn_job_stopped(d->job))
                break;
            open_row(d, i);
            released++;
        }
    return released;
}

void cairn_dantzig_start_in_bulk(cairn_dantzig* d)
{
    for (int round = 0; round < most_rounds; round++) {
        int changed = clamp_approaching(d);
        if (changed == 0)
            return;
        // each pass lets at least one of the clamped rows go, and none is clamped again within the
        // round: no more passes than rows. Only the forces that would stay are made exact
        while (changed > 0 && !cairn_job_stopped(d->job)) {
            d->pivots += changed;
            correct_forces(d);
            changed = release_pulling(d);
            if (changed == 0) {
                solve_forces(d);
                changed = release_pulling(d);
            }
            if (changed > 0)
                find_velocities(d);
        }
    }
}
