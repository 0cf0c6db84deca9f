// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One drive: a row or a friction group is brought to its condition while every other condition that
// holds is kept. Each pass finds the direction in which the clamped rows stay at rest,
//
//     driver with prescribed force   K x = -A[C,d] Δf_d
//     driver that must come to rest  K x = -a_F on its rows, 0 on the others,
//
// goes along it to the first event (a force at its bound, an open row that closes, friction at its
// limit, slip that stops, the driver's goal),
//
//     s = min { (lo_i - f_i)/Δf_i, (hi_i - f_i)/Δf_i on clamped rows;  -a_i/Δa_i on open ones;
//               the root of |f_F + s Δf_F| = μ (f_N + s Δf_N);  ... },
//
// and changes one state there.
//
// The friction of a group is driven as a vector: its rows join the clamped ones with -a_F as their
// rate, so that a_F shrinks along itself and f_F opposes it when it started from nothing. This
// needs no turning of the tangent frame and works in one, two and three dimensions. Where other
// contacts slide, the matrix is unsymmetric and that direction may feed the slip instead; then f_F
// is pushed against a_F until the slip stops or the limit is reached.

#include "solve/pivot/dantzig.h"
#include <string.h>

enum { most_stalls = 2 };

// relative to the largest |Δf|
static const double least_change = 1e-11;
static const double direction_residual = 1e-11;
static const double tie = 1e-12;

// a dependent row that no force can move is accepted within this many times its tolerance
static const double accepted = 100.0;

// what ends a step, in the order in which ties are broken
typedef enum event_kind {
    EVENT_GOAL,  // the driver is where it should be
    EVENT_BOUND, // a clamped force reaches a bound
    EVENT_LIMIT, // friction reaches its limit
    EVENT_CLOSE, // an open row's velocity reaches zero
    EVENT_STOP,  // a sliding group's velocity along u reaches zero
    EVENT_WEAK,  // a dependent row starts to move
    EVENT_NONE,
} event_kind;

typedef struct event {
    event_kind kind;
    double s;
    int index; // row or group
    bool high; // the bound is hi
} event;

typedef struct driver {
    cairn_dantzig_drive_kind kind;
    int row;
    cairn_dantzig_group* group;
    double sign;
} driver;

void cairn_dantzig_clamp(cairn_dantzig* d, int row)
{
    d->state[row] = CAIRN_DANTZIG_CLAMPED;
    d->a[row] = 0.0;
    cairn_dantzig_factor_append(d, row);
}

static void stick(cairn_dantzig* d, cairn_dantzig_group* group)
{
    cairn_dantzig_factor_set_group(d, group, CAIRN_DANTZIG_STICK);
    for (int k = 0; k < group->m; k++) {
        d->state[group->row[k]] = CAIRN_DANTZIG_CLAMPED;
        cairn_dantzig_factor_append(d, group->row[k]);
    }
}

void cairn_dantzig_open_group(cairn_dantzig* d, cairn_dantzig_group* group)
{
    for (int k = 0; k < group->m; k++) {
        d->state[group->row[k]] = CAIRN_DANTZIG_OPEN;
        cairn_dantzig_factor_remove(d, group->row[k]);
    }
    cairn_dantzig_factor_set_group(d, group, CAIRN_DANTZIG_GROUP_OPEN);
}

static double group_dot(const cairn_dantzig_group* group, const double* x, const double* y)
{
    double sum = 0.0;
    for (int k = 0; k < group->m; k++)
        sum += x[group->row[k]] * y[group->row[k]];
    return sum;
}

// f_F lies at the limit from now on, along x (a full vector) if that has a direction
static void slide_along(cairn_dantzig* d, cairn_dantzig_group* group, const double* x, double sign)
{
    double length = cairn_dantzig_group_norm(group, x);
    for (int k = 0; k < group->m; k++)
        group->u[k] = length > 0.0 ? sign * x[group->row[k]] / length : k == 0 ? 1.0 : 0.0;
    for (int k = 0; k < group->m; k++)
        d->f[group->row[k]] = group->mu * d->f[group->normal] * group->u[k];
    cairn_dantzig_factor_set_group(d, group, CAIRN_DANTZIG_SLIDE);
}

// ---------------------------------------------------------------- the direction

// the rate at which clamped row i should move
static double target_rate(const cairn_dantzig* d, const driver* drive, int row)
{
    bool driven = drive->kind == CAIRN_DANTZIG_DRIVE_STICK && d->group_of[row] >= 0 &&
                  &d->groups[d->group_of[row]] == drive->group;
    return driven ? -d->a[row] : 0.0;
}

static bool prescribes(const driver* drive)
{
    return drive->kind != CAIRN_DANTZIG_DRIVE_STICK || drive->group->state == CAIRN_DANTZIG_PUSHED;
}

// df = the prescribed part of the direction
static void prescribe(cairn_dantzig* d, const driver* drive, double sign)
{
    memset(d->df, 0, (size_t)d->n * sizeof(double));
    if (drive->kind == CAIRN_DANTZIG_DRIVE_ROW) {
        cairn_dantzig_expand(d, d->df, drive->row, sign);
    } else if (prescribes(drive)) {
        const double* from = drive->kind == CAIRN_DANTZIG_DRIVE_RESET ? d->f : d->a;
        double length = drive->kind == CAIRN_DANTZIG_DRIVE_RESET
                            ? 1.0
                            : cairn_dantzig_group_norm(drive->group, d->a);
        for (int k = 0; k < drive->group->m; k++)
            d->df[drive->group->row[k]] = -from[drive->group->row[k]] / length;
    }
}

// column = A times the prescribed part, where the solve needs it
static void load_column(cairn_dantzig* d, const driver* drive)
{
    if (drive->row >= 0 && d->group_count[drive->row] == 0) {
        cairn_dantzig_column_clamped(d, d->column, drive->row);
        return;
    }
    prescribe(d, drive, 1.0);
    cairn_dantzig_apply_clamped(d, d->column, d->df,
                                drive->row >= 0 ? drive->row : drive->group->row[0]);
}

static void solve_first(cairn_dantzig* d, const driver* drive)
{
    double sign = drive->kind == CAIRN_DANTZIG_DRIVE_ROW ? drive->sign : 1.0;
    bool prescribed = prescribes(drive);
    for (int j = 0; j < d->k; j++)
        d->rhs[j] = prescribed ? d->column[d->list[j]] : target_rate(d, drive, d->list[j]);
    if (d->general || !prescribed) {
        cairn_dantzig_factor_solve(d, d->x, d->rhs);
    } else {
        // L^-1 A[C,d] serves again when the driver joins the factor
        memcpy(d->y, d->rhs, (size_t)d->k * sizeof(double));
        cairn_ldl_forward(&d->ldl, d->y);
        memcpy(d->x, d->y, (size_t)d->k * sizeof(double));
        cairn_ldl_backward(&d->ldl, d->x);
        d->y_row = drive->kind == CAIRN_DANTZIG_DRIVE_ROW ? drive->row : -1;
    }

    for (int j = 0; j < d->k && prescribed; j++)
        d->x[j] = -sign * d->x[j];
}

// da = A df; the largest error of the clamped rows, and rhs = what is missing there
static double measure_direction(cairn_dantzig* d, const driver* drive)
{
    double worst = 0.0;
    cairn_dantzig_apply(d, d->da, d->df);
    for (int j = 0; j < d->k; j++) {
        d->rhs[j] = target_rate(d, drive, d->list[j]) - d->da[d->list[j]];
        worst = cairn_dantzig_larger(worst, fabs(d->rhs[j]));
    }
    return worst;
}

static double largest(const double* x, int n)
{
    double m = 0.0;
    for (int i = 0; i < n; i++)
        m = cairn_dantzig_larger(m, fabs(x[i]));
    return m;
}

static void find_direction(cairn_dantzig* d, const driver* drive)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        solve_first(d, drive);
        prescribe(d, drive, drive->sign);
        for (int j = 0; j < d->k; j++)
            cairn_dantzig_expand(d, d->df, d->list[j], d->x[j]);
        double error = measure_direction(d, drive);
        double allowed = direction_residual * largest(d->df, d->n);

        // refine once, then compute the factor again
        if (error > allowed) {
            cairn_dantzig_factor_solve(d, d->x, d->rhs);
            for (int j = 0; j < d->k; j++)
                cairn_dantzig_expand(d, d->df, d->list[j], d->df[d->list[j]] + d->x[j]);
            error = measure_direction(d, drive);
        }

        if (error <= allowed)
            break;
        if (attempt == 0)
            cairn_dantzig_factor_renew(d);
    }

    // the rates of clamped rows are set to their targets, free of round-off
    for (int j = 0; j < d->k; j++)
        d->da[d->list[j]] = target_rate(d, drive, d->list[j]);
}

// ---------------------------------------------------------------- events

static void offer(event* best, event_kind kind, double s, int index, bool high)
{
    s = s > 0.0 ? s : 0.0;
    double slack = tie * cairn_dantzig_larger(1.0, s);
    bool tied = fabs(s - best->s) <= slack;
    if (best->kind == EVENT_NONE || (tied ? kind < best->kind : s < best->s))
        *best = (event){kind, best->kind != EVENT_NONE && tied ? fmin(s, best->s) : s, index, high};
}

// where f_F + s Δf_F leaves the ball of radius μ (f_N + s Δf_N), or infinity
static double limit_step(const cairn_dantzig* d, const cairn_dantzig_group* group, double small)
{
    double f_n = d->f[group->normal], df_n = d->df[group->normal], mu = group->mu;

    // one friction row: two lines
    if (group->m == 1) {
        double f = d->f[group->row[0]], df = d->df[group->row[0]], s = INFINITY;
        if (df - mu * df_n > small)
            s = fmin(s, (mu * f_n - f) / (df - mu * df_n));
        if (-df - mu * df_n > small)
            s = fmin(s, (mu * f_n + f) / (-df - mu * df_n));
        return s;
    }

    // two and more: the first root of α s² + 2 β s + γ = 0, γ <= 0 as the start is inside
    double alpha = group_dot(group, d->df, d->df) - mu * mu * df_n * df_n;
    double beta = group_dot(group, d->f, d->df) - mu * mu * f_n * df_n;
    double gamma = fmin(0.0, group_dot(group, d->f, d->f) - mu * mu * f_n * f_n);
    double Q = beta * beta - alpha * gamma;

    if (Q < 0.0 || cairn_dantzig_group_norm(group, d->df) + mu * fabs(df_n) <= small)
        return INFINITY;

    if (beta > 0.0)
        return -gamma / (beta + sqrt(Q));
    return alpha > small * small ? (sqrt(Q) - beta) / alpha : INFINITY;
}

static void offer_row(const cairn_dantzig* d, event* best, int i, double small)
{
    double df = d->df[i], da = d->da[i];
    if (d->state[i] == CAIRN_DANTZIG_CLAMPED) {
        if (df < -small && d->lo[i] > -INFINITY)
            offer(best, EVENT_BOUND, (d->lo[i] - d->f[i]) / df, i, false);
        else if (df > small && d->hi[i] < INFINITY)
            offer(best, EVENT_BOUND, (d->hi[i] - d->f[i]) / df, i, true);
        if (d->place[i] < 0 && fabs(da) > d->least_pivot / least_change * small)
            offer(best, EVENT_WEAK, 0.0, i, false);
    } else if (d->state[i] == CAIRN_DANTZIG_LOW && da < -small * d->size[i]) {
        offer(best, EVENT_CLOSE, -d->a[i] / da, i, false);
    } else if (d->state[i] == CAIRN_DANTZIG_HIGH && da > small * d->size[i]) {
        offer(best, EVENT_CLOSE, -d->a[i] / da, i, false);
    }
}

static void offer_group(const cairn_dantzig* d, const driver* drive, event* best, int g,
                        double small)
{
    const cairn_dantzig_group* group = &d->groups[g];

    bool driven = drive->group == group;
    if (group->dynamic || d->state[group->normal] != CAIRN_DANTZIG_CLAMPED)
        return;

    // sticking friction may reach its limit; a row outside of the factor must not move
    if (group->state == CAIRN_DANTZIG_STICK || group->state == CAIRN_DANTZIG_PUSHED) {
        double s = limit_step(d, group, small);
        if (s < INFINITY)
            offer(best, EVENT_LIMIT, s, g, false);

        for (int k = 0; k < group->m && !driven; k++)
            if (d->place[group->row[k]] < 0 &&
                fabs(d->da[group->row[k]]) > d->least_pivot / least_change * small)
                offer(best, EVENT_WEAK, 0.0, group->row[k], false);
    } else if (group->state == CAIRN_DANTZIG_SLIDE) {
        double speed = 0.0, rate = 0.0;
        for (int k = 0; k < group->m; k++) {
            speed += group->u[k] * d->a[group->row[k]];
            rate += group->u[k] * d->da[group->row[k]];
        }
        if (rate > small * d->size[group->row[0]])
            offer(best, EVENT_STOP, -speed / rate, g, false);
    }
}

static void offer_driver(const cairn_dantzig* d, const driver* drive, event* best)
{
    int i = drive->row;
    if (drive->kind != CAIRN_DANTZIG_DRIVE_ROW) {
        // a_F·a_F falls at the rate a_F·Δa_F while f_F is pushed against a_F
        bool pushed = drive->kind == CAIRN_DANTZIG_DRIVE_STICK && prescribes(drive);
        double square = pushed ? group_dot(drive->group, d->a, d->a) : 1.0;
        double rate = pushed ? -group_dot(drive->group, d->a, d->da) : 1.0;
        if (rate > d->least_pivot * sqrt(square))
            offer(best, EVENT_GOAL, square / rate, -1, false);
        return;
    }
    // a pivot that the factor would refuse is no way to the goal
    if (drive->sign * d->da[i] > d->least_pivot * d->size[i] * d->size[i])
        offer(best, EVENT_GOAL, -d->a[i] / d->da[i], i, false);
    if (drive->sign > 0.0 && d->hi[i] < INFINITY)
        offer(best, EVENT_BOUND, d->hi[i] - d->f[i], i, true);
    if (drive->sign < 0.0 && d->lo[i] > -INFINITY)
        offer(best, EVENT_BOUND, d->f[i] - d->lo[i], i, false);
}

static event find_event(const cairn_dantzig* d, const driver* drive)
{
    event best = {.kind = EVENT_NONE, .s = INFINITY, .index = -1};
    double small = least_change * largest(d->df, d->n);
    offer_driver(d, drive, &best);
    for (int i = 0; i < d->n; i++)
        if (d->kind[i] == CAIRN_DANTZIG_BOUNDED && i != drive->row)
            offer_row(d, &best, i, small);
    for (int g = 0; g < d->group_total; g++)
        offer_group(d, drive, &best, g, small);
    return best;
}

// ---------------------------------------------------------------- changes of state

// friction goes with its contact; what is open may be beyond its limit and waits for a drive
static void open_contact(cairn_dantzig* d, int row)
{
    for (int g = 0; g < d->group_count[row]; g++) {
        cairn_dantzig_group* group = &d->groups[d->group_first[row] + g];
        if (group->state == CAIRN_DANTZIG_GROUP_OPEN)
            continue;
        for (int k = 0; k < group->m; k++)
            d->f[group->row[k]] = 0.0;
        if (group->dynamic)
            continue;
        cairn_dantzig_open_group(d, group);
        group->state = CAIRN_DANTZIG_DORMANT;
    }
}

// friction of a contact that has just closed: at rest or sliding, by its velocity now
static void wake_contact(cairn_dantzig* d, int row)
{
    for (int g = 0; g < d->group_count[row]; g++) {
        cairn_dantzig_group* group = &d->groups[d->group_first[row] + g];
        if (group->state != CAIRN_DANTZIG_DORMANT)
            continue;
        if (cairn_dantzig_group_norm(group, d->a) <= d->tol[group->row[0]])
            stick(d, group);
        else
            slide_along(d, group, d->a, -1.0);
    }
}

static void reach_bound(cairn_dantzig* d, int row, bool high)
{
    d->f[row] = high ? d->hi[row] : d->lo[row];
    cairn_dantzig_factor_remove(d, row);
    d->state[row] = high ? CAIRN_DANTZIG_HIGH : CAIRN_DANTZIG_LOW;
    open_contact(d, row);
}

static void change_state(cairn_dantzig* d, const event* at)
{
    cairn_dantzig_group* group =
        at->kind == EVENT_LIMIT || at->kind == EVENT_STOP ? &d->groups[at->index] : NULL;

    switch (at->kind) {
    case EVENT_BOUND:
        reach_bound(d, at->index, at->high);
        break;
    case EVENT_CLOSE:
        cairn_dantzig_clamp(d, at->index);
        wake_contact(d, at->index);
        break;
    case EVENT_LIMIT: {
        bool pointed =
            cairn_dantzig_group_norm(group, d->f) > 1e-14 * cairn_dantzig_group_norm(group, d->df);
        cairn_dantzig_open_group(d, group);
        // A df was overwritten by the factor; df itself is still the direction
        slide_along(d, group, pointed ? d->f : d->df, 1.0);
        break;
    }
    case EVENT_STOP:
        stick(d, group);
        break;
    case EVENT_WEAK:
        if (!cairn_dantzig_factor_append(d, at->index))
            d->give_ups++;
        break;
    case EVENT_GOAL:
    case EVENT_NONE:
        break;
    }
}

// whether a row or group has changed its state too often in this drive while nothing moved
static bool returns(cairn_dantzig* d, const event* at)
{
    bool group = at->kind == EVENT_LIMIT || at->kind == EVENT_STOP;
    return ++d->stalls[group ? d->groups[at->index].row[0] : at->index] > most_stalls;
}

// a row that changes to and fro on steps of length zero is opened and established again later
static void give_up(cairn_dantzig* d, const event* at)
{
    d->give_ups++;
    int g = at->kind == EVENT_LIMIT || at->kind == EVENT_STOP ? at->index
            : at->kind == EVENT_WEAK                          ? d->group_of[at->index]
                                                              : -1;
    if (g >= 0) {
        cairn_dantzig_open_group(d, &d->groups[g]);
        return;
    }
    for (int k = 0; k < d->group_count[at->index]; k++) {
        cairn_dantzig_group* group = &d->groups[d->group_first[at->index] + k];
        if (!group->dynamic)
            cairn_dantzig_open_group(d, group);
    }

    cairn_dantzig_factor_remove(d, at->index);
    d->state[at->index] = CAIRN_DANTZIG_OPEN;
}

static void advance(cairn_dantzig* d, double s)
{
    for (int i = 0; i < d->n; i++) {
        d->f[i] += s * d->df[i];
        d->a[i] += s * d->da[i];
    }
}

// the driver is at its goal
static void finish(cairn_dantzig* d, const driver* drive)
{
    if (drive->kind == CAIRN_DANTZIG_DRIVE_ROW) {
        int i = drive->row;
        // a row at a bound stays there, any other is clamped
        d->a[i] = 0.0;
        if (d->f[i] <= d->lo[i])
            d->state[i] = CAIRN_DANTZIG_LOW;
        else if (d->f[i] >= d->hi[i])
            d->state[i] = CAIRN_DANTZIG_HIGH;
        else
            cairn_dantzig_clamp(d, i);
    } else {
        for (int k = 0; k < drive->group->m; k++) {
            int row = drive->group->row[k];
            if (drive->kind == CAIRN_DANTZIG_DRIVE_RESET)
                d->f[row] = 0.0;
            else if (d->place[row] >= 0)
                d->a[row] = 0.0;
        }
        if (drive->kind == CAIRN_DANTZIG_DRIVE_STICK && drive->group->state == CAIRN_DANTZIG_PUSHED)
            stick(d, drive->group);
    }
}

static bool arrived(const cairn_dantzig* d, const driver* drive)
{
    if (drive->kind == CAIRN_DANTZIG_DRIVE_ROW)
        return fabs(d->a[drive->row]) <= d->tol[drive->row];
    if (drive->kind == CAIRN_DANTZIG_DRIVE_STICK)
        return cairn_dantzig_group_norm(drive->group, d->a) <= d->tol[drive->group->row[0]];
    return cairn_dantzig_group_norm(drive->group, d->f) == 0.0;
}

// whether the event changed the driver itself
static bool ended_driver(const driver* drive, const event* at)
{
    if (drive->kind == CAIRN_DANTZIG_DRIVE_ROW)
        return at->kind == EVENT_BOUND && at->index == drive->row;
    return drive->kind == CAIRN_DANTZIG_DRIVE_STICK && drive->group->state != CAIRN_DANTZIG_STICK &&
           drive->group->state != CAIRN_DANTZIG_PUSHED;
}

// finds the direction; friction that would feed the slip is pushed against it from now on
static void aim(cairn_dantzig* d, driver* drive)
{
    if (drive->kind == CAIRN_DANTZIG_DRIVE_ROW)
        drive->sign = d->a[drive->row] < 0.0 ? 1.0 : -1.0;
    if (prescribes(drive))
        load_column(d, drive);
    find_direction(d, drive);
    if (drive->kind != CAIRN_DANTZIG_DRIVE_STICK || prescribes(drive) ||
        group_dot(drive->group, d->df, d->a) <= 0.0)
        return;

    cairn_dantzig_open_group(d, drive->group);
    drive->group->state = CAIRN_DANTZIG_PUSHED;
    load_column(d, drive);
    find_direction(d, drive);
}

cairn_dantzig_result cairn_dantzig_drive(cairn_dantzig* d, cairn_dantzig_drive_kind kind,
                                         int target)
{
    driver drive = {.kind = kind, .row = -1};
    if (kind == CAIRN_DANTZIG_DRIVE_ROW)
        drive.row = target;
    else
        drive.group = &d->groups[target];
    if (kind == CAIRN_DANTZIG_DRIVE_STICK)
        stick(d, drive.group);

    int most = 50 + 20 * d->n;
    d->drives++;
    memset(d->stalls, 0, (size_t)d->n * sizeof(int));
    for (int step = 0; step < most; step++) {
        if (arrived(d, &drive)) {
            finish(d, &drive);
            return CAIRN_DANTZIG_DONE;
        }

        // the direction, and the first event along it
        aim(d, &drive);
        event at = find_event(d, &drive);
        bool immovable =
            kind != CAIRN_DANTZIG_DRIVE_ROW || fabs(d->a[target]) > accepted * d->tol[target];
        if (at.kind == EVENT_NONE && immovable)
            return CAIRN_DANTZIG_RAY;
        cairn_stop_spend(&d->job->stop, (double)d->n * (1.0 + d->n / 32.0));
        if (++d->pivots > d->limit || cairn_job_stopped(d->job))
            return CAIRN_DANTZIG_STUCK;

        // go there; a row that comes back at once is given up
        if (at.kind != EVENT_NONE)
            advance(d, at.s);
        if (at.kind == EVENT_GOAL || at.kind == EVENT_NONE) {
            finish(d, &drive);
            return CAIRN_DANTZIG_DONE;
        }

        if (at.s <= 1e-13 && returns(d, &at))
            give_up(d, &at);
        else
            change_state(d, &at);

        if (ended_driver(&drive, &at))
            return CAIRN_DANTZIG_DONE;
    }
    return CAIRN_DANTZIG_STUCK;
}
