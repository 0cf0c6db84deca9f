// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From a contact problem to the scaled rows, bounds and friction groups of Dantzig's method; see
// dantzig.h. Products with A use the rows of Ĵ (24 flops per row) where there are bodies, so that A
// itself is never formed; an explicit A and that of a few rows without friction are kept dense by
// columns.

#include "linalg/dense.h"
#include "problem/friction.h"
#include "solve/pivot/dantzig.h"
#include <string.h>

// relative to the largest |b|
static const double zero_velocity = 1e-11;

// an explicit A that differs from its transpose by more than this is solved as unsymmetric
static const double asymmetry = 1e-9;

// without friction, A of up to so many rows is formed: products with it are cheaper then
enum { few_rows = 24 };

// w = Ĵ^T x
static void load(cairn_dantzig* d, const double* restrict x)
{
    double* restrict w = d->w;
    memset(w, 0, 6 * (size_t)(d->body_count + 1) * sizeof(double));
    for (int i = 0; i < d->n; i++) {
        if (x[i] == 0.0)
            continue;
        const cairn_dantzig_row* row = &d->rows[i];
        double *p = w + 6 * (ptrdiff_t)row->a, *q = w + 6 * (ptrdiff_t)row->b;
        for (int k = 0; k < 6; k++)
            p[k] += x[i] * row->j[k];
        for (int k = 0; k < 6; k++)
            q[k] += x[i] * row->j[6 + k];
    }
}

// Ĵ_i w, in two lanes
static inline double row_dot(const cairn_dantzig_row* row, const double* w)
{
    const double *j = row->j, *p = w + 6 * (ptrdiff_t)row->a, *q = w + 6 * (ptrdiff_t)row->b;
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = j[k] * p[k] + j[2 + k] * p[2 + k] + j[4 + k] * p[4 + k];
        y[k] = j[6 + k] * q[k] + j[8 + k] * q[2 + k] + j[10 + k] * q[4 + k];
    }
    return (x[0] + y[0]) + (x[1] + y[1]);
}

void cairn_dantzig_apply(cairn_dantzig* d, double* restrict out, const double* restrict x)
{
    int n = d->n;
    if (d->dense) {
        memset(out, 0, (size_t)n * sizeof(double));
        for (int j = 0; j < n; j++)
            if (x[j] != 0.0)
                cairn_dense_axpy(out, x[j], d->dense + (size_t)j * (size_t)n, n);
        return;
    }
    load(d, x);
    for (int i = 0; i < n; i++)
        out[i] = row_dot(&d->rows[i], d->w);
    if (d->softness)
        for (int i = 0; i < n; i++)
            out[i] += d->softness[i] * x[i];
}

void cairn_dantzig_apply_clamped(cairn_dantzig* d, double* out, const double* x, int row)
{
    if (d->dense) {
        cairn_dantzig_apply(d, out, x);
        return;
    }
    load(d, x);
    for (int j = 0; j <= d->k; j++) {
        int i = j < d->k ? d->list[j] : row;
        out[i] = row_dot(&d->rows[i], d->w) + (d->softness ? d->softness[i] * x[i] : 0.0);
    }
}

static double dot6(const double* x, const double* y)
{
    return (x[0] * y[0] + x[2] * y[2] + x[4] * y[4]) + (x[1] * y[1] + x[3] * y[3] + x[5] * y[5]);
}

// A_ij; few rows share a body
static double entry(const cairn_dantzig* d, int i, int j)
{
    const cairn_dantzig_row *x = &d->rows[i], *y = &d->rows[j];
    int world = d->body_count;
    double sum = i == j && d->softness ? d->softness[i] : 0.0;
    if (y->a == x->a && x->a != world)
        sum += dot6(x->j, y->j);
    if (y->b == x->a && x->a != world)
        sum += dot6(x->j, y->j + 6);
    if (y->a == x->b && x->b != world)
        sum += dot6(x->j + 6, y->j);
    if (y->b == x->b && x->b != world)
        sum += dot6(x->j + 6, y->j + 6);
    return sum;
}

void cairn_dantzig_column_clamped(cairn_dantzig* d, double* out, int row)
{
    if (d->dense) {
        memcpy(out, d->dense + (size_t)row * (size_t)d->n, (size_t)d->n * sizeof(double));
        return;
    }
    for (int j = 0; j <= d->k; j++) {
        int i = j < d->k ? d->list[j] : row;
        out[i] = entry(d, row, i);
    }
}

void cairn_dantzig_apply_transposed(cairn_dantzig* d, double* out, const double* x)
{
    if (!d->dense || d->symmetric) {
        cairn_dantzig_apply(d, out, x);
        return;
    }
    for (int j = 0; j < d->n; j++)
        out[j] = cairn_dense_dot(d->dense + (size_t)j * (size_t)d->n, x, d->n);
}

void cairn_dantzig_unscale(const cairn_dantzig* d, double* lambda, const double* f)
{
    for (int i = 0; i < d->n; i++)
        lambda[i] = d->kind[i] == CAIRN_DANTZIG_INERT ? 0.0 : d->scale[i] * f[i];
}

static cairn_status take_rows(cairn_dantzig* d, cairn_arena* arena)
{
    int n = d->n;
    double** numbers[] = {&d->scale, &d->size, &d->b,  &d->lo, &d->hi,     &d->tol,
                          &d->f,     &d->a,    &d->df, &d->da, &d->column, &d->fresh};
    int** integers[] = {&d->group_first, &d->group_count, &d->group_of, &d->tries, &d->stalls};
    enum {
        number_count = sizeof numbers / sizeof numbers[0],
        integer_count = sizeof integers / sizeof integers[0],
        line = 8, // numbers of a cache line
    };

    // one piece of memory for all vectors of numbers, and one for all of integers
    size_t stride = ((size_t)n + line - 1) / line * line;
    double* number = CAIRN_TAKE_ZEROED(arena, double, number_count* stride);
    int* integer = CAIRN_TAKE_ZEROED(arena, int, integer_count*(size_t)n);
    unsigned char* byte = CAIRN_TAKE_ZEROED(arena, unsigned char, 2 * (size_t)n);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    for (size_t i = 0; i < number_count; i++)
        *numbers[i] = number + i * stride;
    for (size_t i = 0; i < integer_count; i++)
        *integers[i] = integer + i * (size_t)n;
    d->kind = byte;
    d->state = byte + n;
    d->groups = CAIRN_TAKE(arena, cairn_dantzig_group, n);
    return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

static cairn_status take_factor(cairn_dantzig* d, cairn_arena* arena)
{
    // without compliance no more rows than degrees of freedom are independent
    bool rigid = !d->job->problem->A && !d->softness;
    d->capacity = rigid && 6 * d->body_count < d->n ? 6 * d->body_count : d->n;
    double** numbers[] = {&d->rhs, &d->x, &d->y, &d->gather};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = CAIRN_TAKE(arena, double, d->capacity + 1);
    d->list = CAIRN_TAKE(arena, int, d->capacity + 1);
    d->swap = CAIRN_TAKE(arena, int, d->capacity + 1);
    d->place = CAIRN_TAKE(arena, int, d->n);
    cairn_status status = cairn_ldl_take(&d->ldl, d->capacity, arena);
    if (status == CAIRN_OK && (d->group_total || !d->symmetric)) {
        status = cairn_inverse_take(&d->inverse, d->capacity, arena);
        d->inverse.stop = &d->job->stop;
        d->K = CAIRN_TAKE(arena, double, (size_t)d->capacity*(size_t)d->capacity);
    }
    return arena->failed ? CAIRN_NO_MEMORY : status;
}

static void add_group(cairn_dantzig* d, const cairn_dantzig_group* group)
{
    if (group->m == 0)
        return;
    int index = d->group_total++;
    d->groups[index] = *group;
    if (d->group_count[group->normal]++ == 0)
        d->group_first[group->normal] = index;
    for (int k = 0; k < group->m; k++) {
        d->kind[group->row[k]] = CAIRN_DANTZIG_FRICTION;
        d->group_of[group->row[k]] = index;
    }
}

// the friction groups of a contact: one ball, or one interval per axis of a box
static void set_friction(cairn_dantzig* d, const cairn_block* block, const double* D)
{
    const cairn_report* report = d->job->report;
    cairn_friction law = cairn_friction_as(&block->friction, report->law, report->facets);
    const cairn_friction* friction = &law;
    bool box = friction->kind == CAIRN_FRICTION_BOX,
         sliding = friction->kind == CAIRN_FRICTION_SLIDING;
    bool each = box || friction->kind == CAIRN_FRICTION_ELLIPSE ||
                friction->kind == CAIRN_FRICTION_ELLIPSOID;
    int n = block->row_count;
    int last = friction->kind == CAIRN_FRICTION_ELLIPSOID ? n : n < 3 ? n : 3;
    double largest = 0.0, mu[3];
    for (int k = 1; k < last; k++) {
        // rows that cannot move bear nothing, unless their slip is prescribed
        mu[k - 1] = D[n * k + k] > 0.0 || sliding ? friction->mu[each ? k - 1 : 0] : 0.0;
        largest = fmax(largest, mu[k - 1]);
    }
    if (friction->kind == CAIRN_FRICTION_NONE || largest == 0.0)
        return;
    cairn_dantzig_group group = {.normal = block->row, .mu = largest, .dynamic = sliding};
    for (int k = 1; k < last; k++) {
        int row = block->row + k;
        if (mu[k - 1] == 0.0)
            continue;
        if (box) {
            cairn_dantzig_group one = {.normal = block->row, .m = 1, .row = {row}, .mu = mu[k - 1]};
            add_group(d, &one);
            continue;
        }
        if (each)
            d->scale[row] *= mu[k - 1] / largest;
        group.u[group.m] = sliding ? -friction->slip[k - 1] : 0.0;
        group.row[group.m++] = row;
    }
    add_group(d, &group);
}

static void set_contact(cairn_dantzig* d, const cairn_block* block, const double* D)
{
    int n = block->row_count, count = 0;
    double sum = 0.0;
    for (int k = 0; k < n && k < 3; k++)
        if (D[n * k + k] > 0.0) {
            sum += D[n * k + k];
            count++;
        }
    double s = count ? 1.0 / sqrt(sum / count) : 1.0;
    for (int k = 0; k < n; k++) {
        d->scale[block->row + k] = s;
        d->kind[block->row + k] = CAIRN_DANTZIG_INERT;
        d->group_of[block->row + k] = -1;
    }
    if (!(D[0] > 0.0))
        return;
    d->kind[block->row] = CAIRN_DANTZIG_BOUNDED;
    d->lo[block->row] = 0.0;
    d->hi[block->row] = INFINITY;
    set_friction(d, block, D);
}

static void set_bounded(cairn_dantzig* d, const cairn_block* block, const double* D)
{
    const cairn_problem* problem = d->job->problem;
    for (int k = 0; k < block->row_count; k++) {
        int row = block->row + k;
        double diagonal = D[block->row_count * k + k];
        bool motor = block->kind == CAIRN_BLOCK_MOTOR;
        d->group_of[row] = -1;
        d->scale[row] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
        d->kind[row] = diagonal > 0.0 ? CAIRN_DANTZIG_BOUNDED : CAIRN_DANTZIG_INERT;
        d->lo[row] = block->kind == CAIRN_BLOCK_LIMIT ? 0.0
                     : motor && problem->lo           ? problem->lo[row] / d->scale[row]
                                                      : -INFINITY;
        d->hi[row] = motor && problem->hi ? problem->hi[row] / d->scale[row] : INFINITY;
    }
}

// an explicit A, scaled and by columns
static cairn_status set_explicit(cairn_dantzig* d)
{
    size_t n = (size_t)d->n;
    double* A = CAIRN_TAKE(d->job->arena, double, n* n);
    double difference = 0.0, size = 0.0;
    if (!A)
        return CAIRN_NO_MEMORY;
    cairn_delassus_dense(&d->job->A, A);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double s = d->scale[i] * d->scale[j];
            double lower = s * A[i * n + j], upper = s * A[j * n + i];
            difference = fmax(difference, fabs(lower - upper));
            size = fmax(size, fabs(lower));
            A[i * n + j] = upper;
            A[j * n + i] = lower;
        }
    d->dense = A;
    d->symmetric = difference <= asymmetry * size;
    return CAIRN_OK;
}

// A of a few rows, body by body: A_ij is a sum over the bodies that rows i and j share
static cairn_status form(cairn_dantzig* d)
{
    int n = d->n, row[few_rows];
    const double* part[few_rows];
    double* A = CAIRN_TAKE_ZEROED(d->job->arena, double, (size_t)n*(size_t)n);
    if (!A)
        return CAIRN_NO_MEMORY;
    for (int body = 0; body < d->body_count; body++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            if (d->rows[i].a == body || d->rows[i].b == body) {
                part[count] = d->rows[i].j + (d->rows[i].a == body ? 0 : 6);
                row[count++] = i;
            }
        for (int p = 0; p < count; p++)
            for (int q = 0; q <= p; q++)
                A[row[p] * n + row[q]] += dot6(part[p], part[q]);
    }
    for (int i = 0; i < n; i++) {
        A[i * n + i] += d->softness ? d->softness[i] : 0.0;
        for (int j = 0; j < i; j++)
            A[j * n + i] = A[i * n + j];
    }
    d->dense = A;
    return CAIRN_OK;
}

static cairn_status set_operator(cairn_dantzig* d)
{
    cairn_job* job = d->job;
    const cairn_problem* problem = job->problem;
    size_t n = (size_t)d->n;
    d->symmetric = true;
    if (problem->A)
        return set_explicit(d);

    // the scaled rows of Ĵ
    d->body_count = problem->body_count;
    d->rows = CAIRN_TAKE(job->arena, cairn_dantzig_row, n);
    d->w = CAIRN_TAKE(job->arena, double, 6 * (size_t)(problem->body_count + 1));
    if (problem->compliance)
        d->softness = CAIRN_TAKE(job->arena, double, n);
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            cairn_dantzig_row* row = &d->rows[i];
            row->a = block->body_a == CAIRN_WORLD_BODY ? problem->body_count : block->body_a;
            row->b = block->body_b == CAIRN_WORLD_BODY ? problem->body_count : block->body_b;
            for (int k = 0; k < 6; k++) {
                row->j[k] = d->scale[i] * job->A.scaled[i].a[k];
                row->j[6 + k] = d->scale[i] * job->A.scaled[i].b[k];
            }
            if (d->softness)
                d->softness[i] = d->scale[i] * d->scale[i] * problem->compliance[i];
        }
    }
    return d->group_total == 0 && d->n <= few_rows ? form(d) : CAIRN_OK;
}

cairn_status cairn_dantzig_setup(cairn_dantzig* d, cairn_job* job)
{
    const cairn_problem* problem = job->problem;
    *d = (cairn_dantzig){.job = job, .n = problem->row_count};
    if (take_rows(d, job->arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* D = cairn_delassus_block(&job->A, c);
        if (block->kind == CAIRN_BLOCK_CONTACT)
            set_contact(d, block, D);
        else
            set_bounded(d, block, D);
    }
    for (int i = 0; i < d->n; i++)
        d->b_scale = fmax(d->b_scale, fabs(problem->b[i]));
    double largest = 0.0;
    for (int i = 0; i < d->n; i++) {
        d->b[i] = d->scale[i] * problem->b[i];
        largest = fmax(largest, fabs(d->b[i]));
    }
    for (int c = 0; c < problem->block_count; c++) {
        const double* D = cairn_delassus_block(&job->A, c);
        int rows = problem->blocks[c].row_count;
        for (int k = 0; k < rows; k++) {
            int i = problem->blocks[c].row + k;
            d->size[i] = d->scale[i] * sqrt(fmax(D[rows * k + k], 0.0));
        }
    }
    for (int i = 0; i < d->n; i++)
        d->tol[i] = fmax(zero_velocity * d->b_scale * d->scale[i], 1e-14 * largest);
    cairn_status status = set_operator(d);
    if (status == CAIRN_OK)
        status = take_factor(d, job->arena);
    return status;
}
