// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The fixed point of each contact (Erleben 2017, corrected):
//
//     λ_N = max(0, λ_N - r_N v_N),      λ_F = P_F(λ_N)(λ_F - R_F v_F).
//
// Published steps: `global` one r for all rows, `local` R = diag(1/A_ii), `blocked` r_N = 1/A_NN
// and R_F = A_FF^-1. The fixed point is maximum dissipation only if R_F is one number, or if the
// projection P is taken in the norm of R_F^-1: with a diagonal or a full R_F and the Euclidean
// projection, sliding contacts end with -R_F v_F in the normal cone instead of -v_F, that is with a
// wrong direction of slip. The published `local` and `blocked` are kept for comparison alone.
//
// The two right strategies take the normal first and the friction at the velocity that it leaves,
// v_F + A_FN Δ_N, and measure spin at an arm; the published ones take all rows at once, in the
// units of the problem. Rows of other blocks follow each other.

#include "solve/sweep/prox_step.h"
#include "linalg/eigen3.h"
#include "problem/friction.h"
#include "problem/natural_map.h"
#include <string.h>

// spin rows are measured at an arm, so that all friction rows have one unit
static void arm_units(double* unit, const cairn_block* block)
{
    unit[0] = unit[1] = 1.0;
    unit[2] = block->row_count == 4 ? cairn_spin_arm(&block->friction) : 1.0;
}

static void project(double* f, const cairn_block* block, double normal, const double* unit)
{
    cairn_friction friction = block->friction;
    int n = block->row_count - 1;
    friction.mu[2] /= unit[2];
    for (int k = 0; k < n; k++)
        f[k] /= unit[k];
    cairn_friction_project(f, n + 1, &friction, normal);
    for (int k = 0; k < n; k++)
        f[k] *= unit[k];
}

// ---------------------------------------------------------------- the update of one block

// fmax without a call in the hot loop; a NaN as b is ignored
static double larger(double a, double b)
{
    return b > a ? b : a;
}

static bool corrected(const cairn_prox* prox)
{
    return prox->strategy == CAIRN_PROX_SCALAR_LOCAL || prox->strategy == CAIRN_PROX_METRIC;
}

static void project_metric(double* f, const double* v, const cairn_prox_metric* metric, int n,
                           double normal, double damping)
{
    // y = E^-1 λ_F - Λ^-1 E^T v, projected on the ball in the norm of Λ
    double y[3], axis[3] = {normal, normal, normal};
    for (int i = 0; i < n; i++) {
        double s = 0.0, t = 0.0;
        for (int j = 0; j < n; j++) {
            s += metric->inverse[3 * i + j] * f[j];
            t += metric->E[3 * j + i] * v[j];
        }
        y[i] = s - damping * metric->weight[i] * t;
    }

    cairn_project_on_ellipsoid(y, y, axis, metric->weight, n);
    for (int i = 0; i < n; i++) {
        f[i] = 0.0;
        for (int j = 0; j < n; j++)
            f[i] += metric->E[3 * i + j] * y[j];
    }
}

// friction at velocity v (block rows 1..), from x to x, inside F(limit)
static void update_friction(const cairn_prox* prox, int c, double* x, const double* v, double limit)
{
    const cairn_block* block = &prox->job->problem->blocks[c];
    int n = block->row_count - 1;
    double unit[3] = {1.0, 1.0, 1.0};

    // the metric strategy projects in the norm of A_FF
    if (prox->metric && prox->metric[c].used) {
        project_metric(x, v, &prox->metric[c], n, limit, prox->damping[c]);
        return;
    }

    // a step against the velocity, then the Euclidean projection
    if (corrected(prox))
        arm_units(unit, block);

    if (prox->block_step) {
        const double* R = prox->block_step + 9 * (ptrdiff_t)c;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i] -= prox->damping[c] * R[3 * i + j] * v[j];
    } else {
        for (int i = 0; i < n; i++)
            x[i] -= prox->damping[c] * prox->rate[block->row + 1 + i] * v[i];
    }

    project(x, block, limit, unit);
}

static void update_contact(const cairn_prox* prox, int c, double* x, double* v)
{
    const cairn_block* block = &prox->job->problem->blocks[c];
    const double* D = cairn_delassus_block(&prox->job->A, c);
    int n = block->row_count;
    double old = x[0];
    x[0] = larger(0.0, x[0] - prox->damping[c] * prox->rate[block->row] * v[0]);
    if (n == 1)
        return;
    if (corrected(prox))
        for (int i = 1; i < n; i++)
            v[i] += D[n * i] * (x[0] - old);
    update_friction(prox, c, x + 1, v + 1, prox->jacobi ? old : x[0]);
}

static void update_bounded(const cairn_prox* prox, int c, double* x, double* v)
{
    const cairn_problem* problem = prox->job->problem;
    const cairn_block* block = &problem->blocks[c];
    const double* D = cairn_delassus_block(&prox->job->A, c);
    int n = block->row_count;
    for (int i = 0; i < n; i++) {
        int row = block->row + i;
        double old = x[i], to = old - prox->damping[c] * prox->rate[row] * v[i];
        if (block->kind == CAIRN_BLOCK_LIMIT)
            to = larger(0.0, to);
        else if (block->kind == CAIRN_BLOCK_MOTOR)
            to = fmin(fmax(to, problem->lo[row]), problem->hi[row]);
        x[i] = to;
        for (int j = i + 1; j < n; j++)
            v[j] += D[n * j + i] * (to - old);
    }
}

// from the iterate to `x`; returns the largest change
static double update_block(cairn_prox* prox, int c, double* x)
{
    const cairn_block* block = &prox->job->problem->blocks[c];
    double v[6], change = 0.0;
    cairn_delassus_block_velocity(&prox->job->A, v, c, prox->w, prox->lambda);
    for (int i = 0; i < block->row_count; i++)
        x[i] = prox->lambda[block->row + i];
    if (block->kind == CAIRN_BLOCK_CONTACT)
        update_contact(prox, c, x, v);
    else
        update_bounded(prox, c, x, v);
    for (int i = 0; i < block->row_count; i++)
        change = larger(change, fabs(x[i] - prox->lambda[block->row + i]));
    prox->visits += block->row_count;
    return change;
}

double cairn_prox_sweep(cairn_prox* prox, bool backward)
{
    const cairn_problem* problem = prox->job->problem;
    double worst = 0.0;
    for (int k = 0; k < problem->block_count; k++) {
        int c = backward ? problem->block_count - 1 - k : k;
        const cairn_block* block = &problem->blocks[c];
        double x[6], delta[6];

        worst = larger(worst, update_block(prox, c, prox->jacobi ? prox->next + block->row : x));
        if (prox->jacobi)
            continue;

        // Gauss-Seidel: the change is felt at once
        for (int i = 0; i < block->row_count; i++) {
            delta[i] = x[i] - prox->lambda[block->row + i];
            prox->lambda[block->row + i] = x[i];
        }
        cairn_delassus_block_change(&prox->job->A, prox->w, c, delta);
    }

    // Jacobi: all changes together
    if (prox->jacobi) {
        memcpy(prox->lambda, prox->next, (size_t)problem->row_count * sizeof(double));
        cairn_prox_load(prox);
    }

    return worst;
}

void cairn_prox_load(cairn_prox* prox)
{
    cairn_delassus_load(&prox->job->A, prox->w, prox->lambda);
}

// ---------------------------------------------------------------- the natural residual

static double contact_error(const cairn_prox* prox, const cairn_block* block, const double* v)
{
    const double* x = prox->lambda + block->row;
    const double* r = prox->fixed + block->row;
    double unit[3], f[3], worst = 0.0;
    if (r[0] > 0.0)
        worst = fabs(x[0] - fmax(0.0, x[0] - r[0] * v[0])) / r[0];
    arm_units(unit, block);
    for (int i = 1; i < block->row_count; i++)
        f[i - 1] = x[i] - r[i] * v[i];
    project(f, block, fmax(x[0], 0.0), unit);
    for (int i = 1; i < block->row_count; i++)
        if (r[i] > 0.0)
            worst = cairn_worst(worst, fabs(x[i] - f[i - 1]) / r[i] * unit[i - 1]);
    return worst;
}

static double bounded_error(const cairn_prox* prox, const cairn_block* block, const double* v)
{
    const cairn_problem* problem = prox->job->problem;
    double worst = 0.0;
    for (int i = 0; i < block->row_count; i++) {
        int row = block->row + i;
        double x = prox->lambda[row], r = prox->fixed[row], to = x - r * v[i];
        if (block->kind == CAIRN_BLOCK_LIMIT)
            to = fmax(0.0, to);
        else if (block->kind == CAIRN_BLOCK_MOTOR)
            to = fmin(fmax(to, problem->lo[row]), problem->hi[row]);
        if (r > 0.0)
            worst = cairn_worst(worst, fabs(x - to) / r);
    }
    return worst;
}

double cairn_prox_natural(const cairn_prox* prox, double* each)
{
    const cairn_problem* problem = prox->job->problem;
    double worst = 0.0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        double v[6];
        cairn_delassus_block_velocity(&prox->job->A, v, c, prox->w, prox->lambda);
        double e = block->kind == CAIRN_BLOCK_CONTACT ? contact_error(prox, block, v)
                                                      : bounded_error(prox, block, v);
        if (each)
            each[c] = e;
        worst = cairn_worst(worst, e);
    }
    return worst;
}

// ---------------------------------------------------------------- steps

// scalar-local steps of a block: r_N = 1/A_NN, one r_F for the friction rows in the unit of the arm
static void scalar_local(double* r, const cairn_block* block, const double* D)
{
    int n = block->row_count;
    double unit[3], largest = 0.0;
    arm_units(unit, block);
    for (int i = 1; i < n && block->kind == CAIRN_BLOCK_CONTACT; i++)
        largest = fmax(largest, D[n * i + i] * unit[i - 1] * unit[i - 1]);
    for (int i = 0; i < n; i++) {
        bool friction = block->kind == CAIRN_BLOCK_CONTACT && i > 0;
        double d = friction ? largest : D[n * i + i];
        r[i] = d > 0.0 ? (friction ? unit[i - 1] * unit[i - 1] : 1.0) / d : 0.0;
    }
}

// A_FF, symmetric part, padded with the identity
static cairn_mat3 friction_matrix(const cairn_block* block, const double* D)
{
    int n = block->row_count;
    double a[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            a[3 * (i - 1) + j - 1] = 0.5 * (D[n * i + j] + D[n * j + i]);
    return (cairn_mat3){{a[0], a[3], a[6]}, {a[1], a[4], a[7]}, {a[2], a[5], a[8]}};
}

static void write_matrix(double* to, cairn_mat3 m)
{
    const double x[9] = {m.cx.x, m.cy.x, m.cz.x, m.cx.y, m.cy.y, m.cz.y, m.cx.z, m.cy.z, m.cz.z};
    memcpy(to, x, sizeof x);
}

static void set_block_step(double* R, const cairn_block* block, const double* D, const double* r)
{
    cairn_mat3 inverse = cairn_mat3_inverse(friction_matrix(block, D));
    bool regular = cairn_mat3_determinant(inverse) != 0.0;
    write_matrix(R, inverse);
    for (int i = 0; i < 9 && !regular; i++)
        R[i] = 0.0;
    for (int i = 1; i < block->row_count && !regular; i++)
        R[4 * (i - 1)] = r[i];
}

static void set_metric(cairn_prox_metric* metric, const cairn_block* block, const double* D)
{
    const cairn_friction* friction = &block->friction;
    int n = block->row_count - 1;
    double mu[3] = {friction->mu[0], friction->mu[friction->kind == CAIRN_FRICTION_CONE ? 0 : 1],
                    friction->mu[2]};
    bool smooth = friction->kind == CAIRN_FRICTION_CONE ||
                  friction->kind == CAIRN_FRICTION_ELLIPSE ||
                  friction->kind == CAIRN_FRICTION_ELLIPSOID;
    *metric = (cairn_prox_metric){.used = smooth && n > 0 && (n < 3 || mu[2] > 0.0) &&
                                          mu[0] > 0.0 && (n < 2 || mu[1] > 0.0)};

    if (n == 3 && friction->kind != CAIRN_FRICTION_ELLIPSOID)
        metric->used = false;
    if (!metric->used)
        return;

    for (int i = n; i < 3; i++)
        mu[i] = 1.0;

    // diag(μ) A_FF diag(μ) = Q Λ Q^T; the padding is of the same size and stays in its place
    cairn_mat3 A = friction_matrix(block, D), S = cairn_mat3_diagonal(mu[0], mu[1], mu[2]);
    cairn_mat3 scaled = cairn_mat3_multiply(S, cairn_mat3_multiply(A, S));
    if (n < 2)
        scaled.cy.y = scaled.cx.x;
    if (n < 3)
        scaled.cz.z = scaled.cx.x;

    cairn_vec3 values;
    cairn_quat axes;
    cairn_eigen3(&values, &axes, scaled);
    cairn_mat3 Q = cairn_quat_to_mat3(axes), E = cairn_mat3_multiply(S, Q);

    cairn_mat3 inverse = cairn_mat3_multiply(
        cairn_mat3_transpose(Q), cairn_mat3_diagonal(1.0 / mu[0], 1.0 / mu[1], 1.0 / mu[2]));
    double largest = fmax(values.x, fmax(values.y, values.z));
    const double value[3] = {values.x, values.y, values.z};

    write_matrix(metric->E, E);
    write_matrix(metric->inverse, inverse);
    for (int i = 0; i < 3; i++)
        metric->weight[i] = 1.0 / fmax(value[i], 1e-12 * largest);
    metric->used = largest > 0.0;
}

static double positive_median(double* x, int n)
{
    // selection by counting: n is the number of rows, once per solve
    int count = 0;

    for (int i = 0; i < n; i++)
        if (x[i] > 0.0)
            x[count++] = x[i];
    if (count == 0)
        return 0.0;

    // Hoare's quickselect
    int lo = 0, hi = count - 1, k = count / 2;
    while (lo < hi) {
        double pivot = x[k];
        int i = lo, j = hi;
        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (pivot < x[j])
                j--;
            if (i <= j) {
                double t = x[i];
                x[i++] = x[j];
                x[j--] = t;
            }
        }

        if (j < k)
            lo = i;
        if (k < i)
            hi = j;
    }

    return x[k];
}

// one r for every row: the option, or 1 / median A_ii
static double global_step(const cairn_prox* prox)
{
    const cairn_problem* problem = prox->job->problem;
    if (prox->job->def->prox.global_step > 0.0)
        return prox->job->def->prox.global_step;
    int count = 0;
    for (int c = 0; c < problem->block_count; c++)
        for (int i = 0, n = problem->blocks[c].row_count; i < n; i++)
            prox->next[count++] = cairn_delassus_block(&prox->job->A, c)[n * i + i];
    double median = positive_median(prox->next, count);
    return median > 0.0 ? 1.0 / median : 0.0;
}

static void set_steps(cairn_prox* prox)
{
    const cairn_problem* problem = prox->job->problem;
    double global = prox->strategy == CAIRN_PROX_GLOBAL ? global_step(prox) : 0.0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* D = cairn_delassus_block(&prox->job->A, c);
        double *r = prox->rate + block->row, *fixed = prox->fixed + block->row;
        int n = block->row_count;

        // the scalar step of the robust strategies, replaced where a published one is asked for
        scalar_local(fixed, block, D);

        for (int i = 0; i < n; i++) {
            double d = D[n * i + i];
            r[i] = fixed[i];
            if (prox->strategy == CAIRN_PROX_GLOBAL)
                r[i] = d > 0.0 ? global : 0.0;
            else if (prox->strategy == CAIRN_PROX_LOCAL)
                r[i] = d > 0.0 ? 1.0 / d : 0.0;
        }

        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        if (prox->block_step)
            set_block_step(prox->block_step + 9 * (ptrdiff_t)c, block, D, r);
        if (prox->metric)
            set_metric(&prox->metric[c], block, D);
    }
}

bool cairn_prox_prepare(cairn_prox* prox, const cairn_job* job, cairn_prox_strategy strategy,
                        bool jacobi)
{
    const cairn_problem* problem = job->problem;
    cairn_arena* arena = job->arena;
    *prox = (cairn_prox){.job = job, .strategy = strategy, .jacobi = jacobi, .lambda = job->lambda};
    prox->w = CAIRN_TAKE(arena, double, cairn_delassus_state_size(&job->A));
    prox->next = CAIRN_TAKE(arena, double, problem->row_count);
    prox->rate = CAIRN_TAKE(arena, double, problem->row_count);
    prox->fixed = CAIRN_TAKE(arena, double, problem->row_count);
    prox->damping = CAIRN_TAKE(arena, double, problem->block_count);

    // what only one strategy needs
    if (strategy == CAIRN_PROX_BLOCKED)
        prox->block_step = CAIRN_TAKE_ZEROED(arena, double, 9 * (ptrdiff_t)problem->block_count);
    if (strategy == CAIRN_PROX_METRIC)
        prox->metric = CAIRN_TAKE_ZEROED(arena, cairn_prox_metric, problem->block_count);
    if (arena->failed)
        return false;

    for (int c = 0; c < problem->block_count; c++)
        prox->damping[c] = 1.0;
    set_steps(prox);
    cairn_prox_load(prox);
    return true;
}

// ---------------------------------------------------------------- splitting for Jacobi

static double half_trace(const cairn_row* rows, int n, bool side_b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double* j = side_b ? rows[i].b : rows[i].a;
        for (int k = 0; k < 6; k++)
            sum += j[k] * j[k];
    }
    return sum;
}

// trace A_cc / Σ_d |A_cd|, by row sums
static double explicit_share(const cairn_block_matrix* A, int c)
{
    double sum[3] = {0.0}, share = 1.0;
    for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++)
        for (int i = 0; i < 9; i++)
            sum[i / 3] += fabs(A->value[9 * (ptrdiff_t)k + i]);
    for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++)
        for (int i = 0; i < 3 && A->column[k] == c; i++)
            if (sum[i] > 0.0)
                share = fmin(share, fabs(A->value[9 * (ptrdiff_t)k + 4 * i]) / sum[i]);
    return share;
}

void cairn_prox_split(cairn_prox* prox)
{
    const cairn_problem* problem = prox->job->problem;
    if (problem->A) {
        for (int c = 0; c < problem->block_count; c++)
            prox->damping[c] = explicit_share(problem->A, c);
        return;
    }
    // blocks per body, counted in scratch that a sweep overwrites
    double* count = prox->w;
    memset(count, 0, 6 * (size_t)problem->body_count * sizeof(double));
    for (int c = 0; c < problem->block_count; c++) {
        if (problem->blocks[c].body_a != CAIRN_WORLD_BODY)
            count[problem->blocks[c].body_a] += 1.0;
        if (problem->blocks[c].body_b != CAIRN_WORLD_BODY)
            count[problem->blocks[c].body_b] += 1.0;
    }

    // the step of a block shrinks by the mean number of blocks that share its bodies
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const cairn_row* rows = &prox->job->A.scaled[block->row];
        double a = half_trace(rows, block->row_count, false);
        double b = half_trace(rows, block->row_count, true), split = 0.0;
        if (block->body_a != CAIRN_WORLD_BODY)
            split += a * count[block->body_a];
        if (block->body_b != CAIRN_WORLD_BODY)
            split += b * count[block->body_b];
        prox->damping[c] = split > 0.0 ? (a + b) / split : 1.0;
    }

    // w held the counts: compute it afresh
    cairn_prox_load(prox);
}
