// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One row i after the other, with the newest neighbors (US 7,079,145; corrected):
//
//     u = b_i + (A f)_i,      f_i ← med(lo, f_i - r_i u, hi),      r_i = ω / A_ii.
//
// The forms differ in how (A f)_i is had: from A (R0), from v = M^-1 J^T f computed afresh (R1) or
// kept true by increments (R2, R3), or from the weighted velocity Ĵ^T f with Ĵ = J M^-1/2 (R5). The
// friction rows of a contact are bounded by ±μ f_N of the current f_N one by one (box), or are
// projected together on the set F(f_N) with one r for all.
//
// A row violates when hi > lo and u would move it by more than T: f = lo and u < -T, f = hi and
// u > T, or lo < f < hi and |u| > T. Without `hi > lo` friction rows of open contacts, lo = hi = 0,
// would keep the loop alive for ever.

#include "solve/sweep/rows.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include <string.h>

enum { stride = 8 };

static double dot6(const double* x, const double* y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
}

static cairn_row moved_row(const cairn_problem* problem, const cairn_block* block, int row)
{
    cairn_row to = {0};
    if (block->body_a != CAIRN_WORLD_BODY)
        cairn_mass_apply(to.a, &problem->bodies[block->body_a], problem->rows[row].a);
    if (block->body_b != CAIRN_WORLD_BODY)
        cairn_mass_apply(to.b, &problem->bodies[block->body_b], problem->rows[row].b);
    return to;
}

// adds s j to the state of a body and wakes it when the change exceeds its threshold
static void push(cairn_rows* rows, int body, double s, const double* j)
{
    if (body == CAIRN_WORLD_BODY)
        return;
    double* v = rows->state + stride * (ptrdiff_t)body;
    double square = 0.0;
    for (int k = 0; k < 6; k++) {
        double change = s * j[k];
        v[k] += change;
        square += change * change;
    }
    if (rows->active && square > rows->quiet[body])
        rows->woken[body] = 1;
}

// keeps the state true after f_row changed by delta
static void row_change(cairn_rows* rows, const cairn_block* block, int row, double delta)
{
    if (rows->form < CAIRN_PGS_INCREMENTAL || delta == 0.0)
        return;

    cairn_row fresh;
    const cairn_row* j = &fresh;
    if (rows->form == CAIRN_PGS_REDUCED)
        j = &rows->job->A.scaled[row];
    else if (rows->form == CAIRN_PGS_COMPRESSED)
        j = &rows->moved[row];
    else
        fresh = moved_row(rows->job->problem, block, row);
    push(rows, block->body_a, delta, j->a);
    push(rows, block->body_b, delta, j->b);
}

void cairn_rows_load(cairn_rows* rows)
{
    const cairn_problem* problem = rows->job->problem;
    if (rows->form == CAIRN_PGS_DENSE)
        return;
    memset(rows->state, 0, stride * (size_t)problem->body_count * sizeof(double));
    if (rows->form == CAIRN_PGS_AUXILIARY)
        return;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++)
            row_change(rows, block, i, rows->job->lambda[i]);
    }
}

// R1: v = M^-1 J^T f from the beginning
static void refresh(cairn_rows* rows)
{
    const cairn_problem* problem = rows->job->problem;
    memset(rows->state, 0, stride * (size_t)problem->body_count * sizeof(double));
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            cairn_row j = moved_row(problem, block, i);
            push(rows, block->body_a, rows->job->lambda[i], j.a);
            push(rows, block->body_b, rows->job->lambda[i], j.b);
        }
    }
}

static double row_of_A(const cairn_rows* rows, int row)
{
    const cairn_problem* problem = rows->job->problem;
    const double* f = rows->job->lambda;
    double sum = problem->b[row];

    // from the dense matrix
    if (!problem->A) {
        const double* a = rows->dense + (size_t)row * (size_t)problem->row_count;
        for (int j = 0; j < problem->row_count; j++)
            sum += a[j] * f[j];
        return sum;
    }

    // from an explicit A of 3x3 blocks
    const cairn_block_matrix* A = problem->A;
    if (problem->compliance)
        sum += problem->compliance[row] * f[row];
    for (int k = A->row_begin[row / 3]; k < A->row_begin[row / 3 + 1]; k++) {
        const double* a = A->value + 9 * (ptrdiff_t)k + 3 * (row % 3);
        const double* x = f + 3 * (ptrdiff_t)A->column[k];
        sum += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    }

    return sum;
}

// u = b_i + (A f)_i
static double row_velocity(cairn_rows* rows, const cairn_block* block, int row)
{
    const cairn_problem* problem = rows->job->problem;
    if (rows->form == CAIRN_PGS_DENSE)
        return row_of_A(rows, row);
    if (rows->form == CAIRN_PGS_AUXILIARY)
        refresh(rows);
    const cairn_row* j =
        rows->form == CAIRN_PGS_REDUCED ? &rows->job->A.scaled[row] : &problem->rows[row];
    double u = problem->b[row];
    if (problem->compliance)
        u += problem->compliance[row] * rows->job->lambda[row];
    if (block->body_a != CAIRN_WORLD_BODY)
        u += dot6(j->a, rows->state + stride * (ptrdiff_t)block->body_a);
    if (block->body_b != CAIRN_WORLD_BODY)
        u += dot6(j->b, rows->state + stride * (ptrdiff_t)block->body_b);
    return u;
}

static void wake(cairn_rows* rows, const cairn_block* block)
{
    if (!rows->active)
        return;
    if (block->body_a != CAIRN_WORLD_BODY && rows->quiet[block->body_a] < INFINITY)
        rows->woken[block->body_a] = 1;
    if (block->body_b != CAIRN_WORLD_BODY && rows->quiet[block->body_b] < INFINITY)
        rows->woken[block->body_b] = 1;
}

static void violate(cairn_rows* rows, const cairn_block* block, double by)
{
    rows->worst = fmax(rows->worst, by);
    if (by > rows->threshold)
        wake(rows, block);
}

// one row with bounds
static void visit_row(cairn_rows* rows, const cairn_block* block, int row, double lo, double hi)
{
    double* f = rows->job->lambda + row;
    double u = row_velocity(rows, block, row);
    double x = fmin(fmax(*f - rows->rate[row] * u, lo), hi), delta = x - *f;
    *f = x;
    row_change(rows, block, row, delta);
    rows->visits++;
    if (!(hi > lo) || rows->rate[row] == 0.0)
        return;
    bool free = x > lo && x < hi;
    if (free || (x <= lo && u < 0.0) || (x >= hi && u > 0.0))
        violate(rows, block, fabs(u));
}

// the friction rows of a contact together: one r, the Euclidean projection on F(limit)
static void visit_friction(cairn_rows* rows, const cairn_block* block, const cairn_friction* given,
                           double limit)
{
    int n = block->row_count - 1, first = block->row + 1;
    double* f = rows->job->lambda + first;
    double u[3], x[3], moved = 0.0, stuck = 0.0, r = 0.0;
    double arm = n == 3 ? cairn_spin_arm(given) : 1.0, unit[3] = {1.0, 1.0, arm};
    cairn_friction friction = *given;
    friction.mu[2] /= arm;

    // spin is measured at its arm, so that one rate serves all rows
    for (int k = 0; k < n; k++) {
        u[k] = row_velocity(rows, block, first + k) * unit[k];
        r = fmax(r, rows->rate[first + k] / (unit[k] * unit[k]));
    }

    // a step against the velocity, then the projection
    bool inside = true;
    double z[3];
    for (int k = 0; k < n; k++)
        x[k] = z[k] = f[k] / unit[k] - r * u[k];
    cairn_friction_project(x, n + 1, &friction, limit);

    // inside the set the velocity itself is the violation, on its boundary the change over the rate
    for (int k = 0; k < n; k++) {
        double delta = x[k] * unit[k] - f[k];
        inside = inside && x[k] == z[k];
        moved = fmax(moved, fabs(delta) / unit[k]);
        stuck = fmax(stuck, fabs(u[k]));
        f[k] = x[k] * unit[k];
        row_change(rows, block, first + k, delta);
    }

    rows->visits += n;
    if (r > 0.0)
        violate(rows, block, inside ? stuck : moved / r);
}

static void visit_contact(cairn_rows* rows, int c)
{
    const cairn_block* block = &rows->job->problem->blocks[c];
    double* f = rows->job->lambda + block->row;
    double before = f[0];
    visit_row(rows, block, block->row, 0.0, INFINITY);

    // friction must follow a falling normal impulse, however little its own rows move
    if (rows->rate[block->row] > 0.0 && (before - f[0]) / rows->rate[block->row] > rows->threshold)
        wake(rows, block);

    if (block->row_count == 1)
        return;

    // the friction of a box is bounded row by row, any other is projected as a whole
    double limit = rows->lagged ? rows->limit[c] : f[0];
    cairn_friction friction = cairn_friction_as(&block->friction, rows->law, 0);
    if (friction.kind != CAIRN_FRICTION_BOX || block->row_count > 3) {
        visit_friction(rows, block, &friction, limit);
        return;
    }

    for (int k = 1; k < block->row_count; k++)
        visit_row(rows, block, block->row + k, -friction.mu[k - 1] * limit,
                  friction.mu[k - 1] * limit);
}

void cairn_rows_visit(cairn_rows* rows, int c)
{
    const cairn_problem* problem = rows->job->problem;
    const cairn_block* block = &problem->blocks[c];
    if (block->kind == CAIRN_BLOCK_CONTACT) {
        visit_contact(rows, c);
        return;
    }
    for (int i = block->row; i < block->row + block->row_count; i++) {
        double lo = block->kind == CAIRN_BLOCK_LIMIT   ? 0.0
                    : block->kind == CAIRN_BLOCK_MOTOR ? problem->lo[i]
                                                       : -INFINITY;
        double hi = block->kind == CAIRN_BLOCK_MOTOR ? problem->hi[i] : INFINITY;
        visit_row(rows, block, i, lo, hi);
    }
}

// no body of the block changed in the last sweep, nor in this one so far
static bool asleep(const cairn_rows* rows, const cairn_block* block)
{
    if (!rows->active)
        return false;
    int body[2] = {block->body_a, block->body_b};
    for (int side = 0; side < 2; side++)
        if (body[side] != CAIRN_WORLD_BODY && (rows->active[body[side]] || rows->woken[body[side]]))
            return false;
    return true;
}

void cairn_rows_sweep(cairn_rows* rows, bool backward)
{
    const cairn_problem* problem = rows->job->problem;
    int count = problem->block_count;
    for (int c = 0; rows->lagged && c < count; c++)
        rows->limit[c] = rows->job->lambda[problem->blocks[c].row];
    for (int i = 0; i < count; i++) {
        int c = backward ? count - 1 - i : i;
        if (!asleep(rows, &problem->blocks[c]))
            cairn_rows_visit(rows, c);
    }
}

static void set_rates(cairn_rows* rows, double relaxation)
{
    const cairn_problem* problem = rows->job->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* D = cairn_delassus_block(&rows->job->A, c);
        cairn_friction friction = cairn_friction_as(&block->friction, rows->law, 0);
        int n = block->row_count;
        double largest = 0.0, arm = n == 4 ? cairn_spin_arm(&friction) : 1.0;
        for (int i = 1; i < n; i++)
            largest = fmax(largest, D[n * i + i] * (i == 3 ? arm * arm : 1.0));
        bool together =
            block->kind == CAIRN_BLOCK_CONTACT && (friction.kind != CAIRN_FRICTION_BOX || n > 3);
        for (int i = 0; i < n; i++) {
            double d = together && i > 0 ? largest / (i == 3 ? arm * arm : 1.0) : D[n * i + i];
            rows->rate[block->row + i] = d > 0.0 ? relaxation / d : 0.0;
        }
    }
}

static void set_filter(cairn_rows* rows, double speed)
{
    const cairn_problem* problem = rows->job->problem;
    for (int i = 0; i < problem->body_count; i++) {
        double m = problem->bodies[i].inverse_mass;
        bool weighted = rows->form == CAIRN_PGS_REDUCED && m > 0.0;
        rows->quiet[i] = speed * speed / (weighted ? m : 1.0);
        rows->active[i] = rows->woken[i] = 1;
        if (!cairn_mass_moves(&problem->bodies[i])) {
            rows->quiet[i] = INFINITY;
            rows->active[i] = rows->woken[i] = 0;
        }
    }
}

bool cairn_rows_prepare(cairn_rows* rows, const cairn_job* job, cairn_pgs_form form, cairn_law law,
                        double relaxation, double filter_speed)
{
    const cairn_problem* problem = job->problem;
    cairn_arena* arena = job->arena;
    size_t n = (size_t)problem->row_count;
    *rows = (cairn_rows){.job = job, .form = problem->A ? CAIRN_PGS_DENSE : form, .law = law};
    rows->rate = CAIRN_TAKE(arena, double, n);
    rows->limit = CAIRN_TAKE(arena, double, problem->block_count);
    rows->state = CAIRN_TAKE_ZEROED(arena, double, stride*(size_t)problem->body_count);

    // each form keeps what it needs of A
    if (rows->form == CAIRN_PGS_DENSE && !problem->A)
        rows->dense = CAIRN_TAKE(arena, double, n* n);
    if (rows->form == CAIRN_PGS_COMPRESSED)
        rows->moved = CAIRN_TAKE(arena, cairn_row, n);

    if (filter_speed >= 0.0 && rows->form >= CAIRN_PGS_INCREMENTAL) {
        rows->active = CAIRN_TAKE(arena, uint8_t, problem->body_count);
        rows->woken = CAIRN_TAKE(arena, uint8_t, problem->body_count);
        rows->quiet = CAIRN_TAKE(arena, double, problem->body_count);
    }

    if (arena->failed)
        return false;

    if (rows->dense)
        cairn_delassus_dense(&job->A, rows->dense);
    for (int c = 0; rows->moved && c < problem->block_count; c++)
        for (int i = 0; i < problem->blocks[c].row_count; i++)
            rows->moved[problem->blocks[c].row + i] =
                moved_row(problem, &problem->blocks[c], problem->blocks[c].row + i);

    set_rates(rows, relaxation);
    cairn_rows_load(rows);
    if (rows->active)
        set_filter(rows, filter_speed);
    return true;
}
