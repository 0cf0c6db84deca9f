// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The small dense system v = S μ + s of auxiliary constraints. Rows that must vanish (loops, motors
// without limits) are removed first by L D L^T, refusing rows that depend on others, so that a
// closed ring or a chain pinned at both ends is as good as any system:
//
//     μ_e = -S_ee^-1 (s_e + S_ei μ_i),     T = S_ii - S_ie S_ee^-1 S_ei.
//
// The rest goes to another method as a problem with the explicit matrix T in 3x3 blocks, a form
// that every method takes. Contacts stand as they are, a limit is a contact without friction, and a
// motor with bounds lo <= μ <= hi is dry friction: one tangential row under a made-up load that
// carries (hi - lo)/2, around the middle (hi + lo)/2. With one bound alone it is a limit.

#include "solve/tree/tree_small.h"
#include "math/numbers.h"
#include <string.h>

// A row that keeps less than this share of the mobility A_ii that it had before any constraint is
// round-off: it depends on the others. Measured against S_ii, which may be round-off itself, rows
// out of the plane of a plane linkage would pass.
static const double least_mobility = 1e-11;

// of the largest velocity of the problem: what the equalities leave of velocities that they take
static const double round_off = 1e-12;

bool cairn_small_takes(const cairn_block* block)
{
    return block->kind != CAIRN_BLOCK_CONTACT || block->row_count <= 3;
}

static bool vanishes(const cairn_problem* problem, const cairn_block* block, int row)
{
    return block->kind == CAIRN_BLOCK_JOINT || block->kind == CAIRN_BLOCK_VELOCITY ||
           (block->kind == CAIRN_BLOCK_MOTOR && problem->lo[row] == -INFINITY &&
            problem->hi[row] == INFINITY);
}

bool cairn_small_take(cairn_small* small, cairn_job* job, const int* blocks, int block_count,
                      int row_count)
{
    ptrdiff_t n = row_count;
    *small = (cairn_small){.job = job,
                           .blocks = blocks,
                           .block_count = block_count,
                           .row_count = row_count,
                           .refused_block = -1};
    small->S = CAIRN_TAKE(job->arena, double, n* n);
    small->s = CAIRN_TAKE(job->arena, double, n);
    small->mu = CAIRN_TAKE_ZEROED(job->arena, double, n);
    small->equal = CAIRN_TAKE(job->arena, int, n);
    small->items = CAIRN_TAKE(job->arena, cairn_small_item, n);
    small->scratch = CAIRN_TAKE(job->arena, double, n);
    small->stuck = CAIRN_TAKE_ZEROED(job->arena, bool, n);
    return !job->arena->failed;
}

// ---------------------------------------------------------------- what goes where

static void add_item(cairn_small* small, cairn_small_item item)
{
    small->items[small->item_count++] = item;
}

static void add_motor(cairn_small* small, int row, double lo, double hi)
{
    cairn_small_item item = {.row = {row, -1, -1}, .sign = 1.0};
    item.friction.kind = CAIRN_FRICTION_NONE;
    if (hi == INFINITY) {
        item.shift = lo;
    } else if (lo == -INFINITY) {
        item.shift = hi;
        item.sign = -1.0;
    } else {
        item = (cairn_small_item){
            .row = {-1, row, -1}, .sign = 1.0, .shift = 0.5 * (lo + hi), .load = true};
        item.friction = cairn_friction_cone(0.5 * (hi - lo));
    }
    add_item(small, item);
}

static void add_block(cairn_small* small, const cairn_block* block, int row)
{
    const cairn_problem* problem = small->job->problem;
    if (block->kind == CAIRN_BLOCK_CONTACT) {
        cairn_small_item item = {.row = {row, -1, -1}, .sign = 1.0, .friction = block->friction};
        for (int i = 1; i < block->row_count; i++)
            item.row[i] = row + i;
        if (block->row_count == 1)
            item.friction = (cairn_friction){.kind = CAIRN_FRICTION_NONE};
        add_item(small, item);
        return;
    }

    for (int i = 0; i < block->row_count; i++) {
        if (vanishes(problem, block, block->row + i))
            continue;
        bool limit = block->kind == CAIRN_BLOCK_LIMIT;
        add_motor(small, row + i, limit ? 0.0 : problem->lo[block->row + i],
                  limit ? INFINITY : problem->hi[block->row + i]);
    }
}

// A_ii of a row of a block
static double mobility(const cairn_small* small, int block, int i)
{
    const cairn_job* job = small->job;
    return cairn_delassus_block(&job->A, block)[(job->problem->blocks[block].row_count + 1) * i];
}

// the equality rows of a block join the factor unless they depend on those before
static void add_equalities(cairn_small* small, int index, int row)
{
    const cairn_block* block = &small->job->problem->blocks[index];
    ptrdiff_t n = small->row_count;
    for (int i = 0; i < block->row_count; i++) {
        if (!vanishes(small->job->problem, block, block->row + i))
            continue;

        const double* S = small->S + n * (row + i);
        int count = small->equality.n;
        for (int e = 0; e < count; e++)
            small->scratch[e] = S[small->equal[e]];

        // a row joins when its mobility exceeds round-off
        double least = least_mobility * mobility(small, index, i);
        if (S[row + i] > least &&
            cairn_ldl_append(&small->equality, small->scratch, S[row + i], least / S[row + i])) {
            small->equal[count] = row + i;
        } else {
            small->refused++;
            if (small->refused_block < 0)
                small->refused_block = index;
        }
    }
}

// ---------------------------------------------------------------- the reduced problem

// T_ij and t_i after the equality rows are removed; Y = L^-1 S_e:
static double reduced(const cairn_small* small, int i, int j)
{
    if (small->stuck[i] || small->stuck[j])
        return 0.0;
    ptrdiff_t n = small->row_count, ne = small->equality.n;
    const double *x = small->Y + ne * i, *y = small->Y + ne * j;
    double sum = small->S[n * i + j];
    for (ptrdiff_t e = 0; e < ne; e++)
        sum -= x[e] * y[e] / small->equality.D[e];
    return sum;
}

static bool reduce(cairn_small* small)
{
    ptrdiff_t n = small->row_count, ne = small->equality.n;
    small->Y = CAIRN_TAKE(small->job->arena, double, ne*(n + 1));
    if (!small->Y)
        return false;

    // Y = L^-1 S_ei, and the same of s_e
    for (ptrdiff_t i = 0; i < n; i++) {
        double* y = small->Y + ne * i;
        for (ptrdiff_t e = 0; e < ne; e++)
            y[e] = small->S[n * i + small->equal[e]];
        cairn_ldl_forward(&small->equality, y);
    }

    double* y = small->Y + ne * n;
    for (ptrdiff_t e = 0; e < ne; e++)
        y[e] = small->s[small->equal[e]];
    cairn_ldl_forward(&small->equality, y);

    // rows that cannot move any more would be divided by round-off
    for (int k = 0, row = 0; k < small->block_count; k++)
        for (int i = 0; i < small->job->problem->blocks[small->blocks[k]].row_count; i++, row++)
            small->stuck[row] =
                !(reduced(small, row, row) > least_mobility * mobility(small, small->blocks[k], i));
    return true;
}

static double reduced_velocity(const cairn_small* small, int i)
{
    ptrdiff_t n = small->row_count, ne = small->equality.n;
    const double *x = small->Y + ne * i, *y = small->Y + ne * n;
    double sum = small->s[i];
    for (ptrdiff_t e = 0; e < ne; e++)
        sum -= x[e] * y[e] / small->equality.D[e];
    return sum;
}

static bool take_problem(cairn_small* small)
{
    cairn_arena* arena = small->job->arena;
    cairn_problem* problem = &small->problem;
    ptrdiff_t n = small->item_count;
    *problem = (cairn_problem){.space = small->job->problem->space,
                               .block_count = small->item_count,
                               .row_count = 3 * small->item_count};

    problem->blocks = CAIRN_TAKE_ZEROED(arena, cairn_block, n);
    problem->b = CAIRN_TAKE_ZEROED(arena, double, 3 * n);
    problem->A = CAIRN_TAKE_ZEROED(arena, cairn_block_matrix, 1);
    small->lambda = CAIRN_TAKE_ZEROED(arena, double, 3 * n);
    if (small->job->def->ray) {
        small->other_ray = CAIRN_TAKE_ZEROED(arena, double, 3 * n);
        small->ray = CAIRN_TAKE_ZEROED(arena, double, small->row_count);
    }
    if (arena->failed)
        return false;

    // T is dense, in 3x3 blocks
    problem->A->n = small->item_count;
    problem->A->row_begin = CAIRN_TAKE(arena, int, n + 1);
    problem->A->column = CAIRN_TAKE(arena, int, n* n);
    problem->A->value = CAIRN_TAKE_ZEROED(arena, double, 9 * n * n);
    return !arena->failed;
}

static void fill_matrix(cairn_small* small)
{
    cairn_block_matrix* A = small->problem.A;
    ptrdiff_t n = small->item_count;
    for (ptrdiff_t c = 0; c < n; c++) {
        const cairn_small_item* x = &small->items[c];
        A->row_begin[c] = (int)(n * c);
        for (ptrdiff_t d = 0; d < n; d++) {
            const cairn_small_item* y = &small->items[d];
            double* value = A->value + 9 * (n * c + d);
            A->column[n * c + d] = (int)d;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    if (x->row[i] >= 0 && y->row[j] >= 0)
                        value[3 * i + j] = x->sign * y->sign * reduced(small, x->row[i], y->row[j]);
        }
    }
    A->row_begin[n] = (int)(n * n);
}

// The velocities without impulses, with the middle of each motor's bounds applied already. Where the
// equalities hold a body altogether, round-off is all that is left of them: no problem to solve.
static double fill_velocities(cairn_small* small)
{
    const cairn_problem* whole = small->job->problem;
    double scale = 0.0, nothing = round_off * cairn_largest(whole->b, whole->row_count);
    for (int c = 0; c < small->item_count; c++)
        for (int i = 0; i < 3; i++) {
            const cairn_small_item* x = &small->items[c];
            if (x->row[i] < 0)
                continue;
            double t = reduced_velocity(small, x->row[i]);
            for (int d = 0; d < small->item_count; d++) {
                const cairn_small_item* y = &small->items[d];
                if (y->shift != 0.0)
                    t += reduced(small, x->row[i], y->row[y->load ? 1 : 0]) * y->shift;
            }
            t = fabs(t) <= nothing ? 0.0 : t;
            small->problem.b[3 * c + i] = x->sign * t;
            scale = fmax(scale, fabs(t));
        }
    return scale > 0.0 ? scale : 1.0;
}

// a load of β/a moves at no velocity when its row is a λ - β; friction under it bears half the
// range of the motor
static void fill_loads(cairn_small* small, double scale)
{
    cairn_problem* problem = &small->problem;
    for (int c = 0; c < small->item_count; c++) {
        cairn_small_item* item = &small->items[c];
        double* D = problem->A->value + 9 * (ptrdiff_t)(small->item_count + 1) * c;
        problem->blocks[c] = (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                                           .row = 3 * c,
                                           .row_count = 3,
                                           .body_a = CAIRN_WORLD_BODY,
                                           .body_b = CAIRN_WORLD_BODY,
                                           .friction = item->friction};
        if (!item->load)
            continue;

        // a made-up load for the friction of a motor
        D[0] = D[4] > 0.0 ? D[4] : 1.0;
        problem->b[3 * c] = -scale;
        for (int i = 0; i < 2; i++)
            problem->blocks[c].friction.mu[i] *= D[0] / scale;
        small->lambda[3 * c] = scale / D[0];
    }
}

cairn_status cairn_small_prepare(cairn_small* small)
{
    const cairn_problem* problem = small->job->problem;
    if (cairn_ldl_take(&small->equality, small->row_count, small->job->arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    // equalities are factored, other rows become items; μ starts from the given impulses
    for (int k = 0, row = 0; k < small->block_count; k++) {
        const cairn_block* block = &problem->blocks[small->blocks[k]];
        add_equalities(small, small->blocks[k], row);
        add_block(small, block, row);
        for (int i = 0; i < block->row_count; i++)
            small->mu[row + i] = small->job->lambda[block->row + i];
        row += block->row_count;
    }

    if (!reduce(small) || !take_problem(small))
        return CAIRN_NO_MEMORY;

    fill_matrix(small);
    fill_loads(small, fill_velocities(small));

    for (int c = 0; c < small->item_count; c++)
        for (int i = 0; i < 3; i++) {
            const cairn_small_item* x = &small->items[c];
            if (x->row[i] >= 0)
                small->lambda[3 * c + i] = x->sign * (small->mu[x->row[i]] - x->shift);
        }

    // a warm start is passed on to the other method
    if (small->job->def->warm_start && problem->warm)
        small->problem.warm = small->lambda;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- solving

static cairn_status run_other(cairn_small* small, const char* method, double tolerance,
                              cairn_error* error)
{
    cairn_job* job = small->job;
    cairn_solve_def def = *job->def;
    cairn_report report = {.tolerance = tolerance, .facets = def.facets};
    const cairn_method* other = cairn_method_find(method);

    // another method, in the same arena and within the same time
    def.method = method;
    def.tolerance = tolerance;
    def.fclib = false;
    def.ray = small->other_ray;
    def.trace = NULL;

    cairn_job nested = {.problem = &small->problem,
                        .def = &def,
                        .arena = job->arena,
                        .lambda = small->lambda,
                        .started = job->started,
                        .stop = job->stop,
                        .report = &report};
    cairn_status status = cairn_delassus_prepare(&nested.A, &small->problem, job->arena);
    if (status == CAIRN_OK)
        status = other->solve(&nested, error);
    if (status != CAIRN_OK)
        return status;

    // its work counts as ours
    small->outcome = report.outcome;
    small->exact = other->info.exact;
    job->report->law = report.law;
    job->report->facets = report.facets;
    job->report->iterations += report.iterations;
    job->report->pivots += report.pivots;
    job->report->factorizations += report.factorizations;

    if (report.rescued_by)
        job->report->rescued_by = report.rescued_by;

    // a method that handed the rows on to another one says so by its name
    if (report.method && !cairn_method_is(report.method, method))
        job->report->rescued_by = report.method;
    if (report.note[0])
        cairn_job_note(job, "%s", report.note);
    return CAIRN_OK;
}

// All rows from those of the other method. A direction has no shifts and no velocities of its own.
static void read_rows(cairn_small* small, const double* lambda, double* mu, bool direction)
{
    ptrdiff_t n = small->row_count;
    memset(mu, 0, (size_t)n * sizeof(double));

    for (int c = 0; c < small->item_count; c++)
        for (int i = 0; i < 3; i++) {
            const cairn_small_item* x = &small->items[c];
            if (x->row[i] >= 0)
                mu[x->row[i]] = x->sign * lambda[3 * c + i] + (direction ? 0.0 : x->shift);
        }

    // μ_e = -S_ee^-1 (s_e + S_ei μ_i)
    for (int e = 0; e < small->equality.n; e++) {
        const double* S = small->S + n * small->equal[e];
        double sum = direction ? 0.0 : small->s[small->equal[e]];
        for (ptrdiff_t i = 0; i < n; i++)
            sum += S[i] * mu[i];
        small->scratch[e] = -sum;
    }
    cairn_ldl_solve(&small->equality, small->scratch);
    for (int e = 0; e < small->equality.n; e++)
        mu[small->equal[e]] = small->scratch[e];
}

cairn_status cairn_small_solve(cairn_small* small, const char* method, double tolerance,
                               cairn_error* error)
{
    small->outcome = CAIRN_OUTCOME_CONVERGED;
    small->exact = true;
    if (small->item_count > 0) {
        cairn_status status = run_other(small, method, tolerance, error);
        if (status != CAIRN_OK)
            return status;
    }
    read_rows(small, small->lambda, small->mu, false);
    if (small->outcome == CAIRN_OUTCOME_RAY && small->ray)
        read_rows(small, small->other_ray, small->ray, true);
    return CAIRN_OK;
}
