// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From blocks and rows to the items of Lemke's method; see lemke_form.h. With B = Q R the scaled
// equality rows (Q orthonormal, dependent rows left out) the impulses of the others move
//
//     v = (1 - Q Q^T) w - Q g,     R^T g = b_B,     λ_B = R^-1 (-Q^T w - g),
//
// so that it is enough to project their columns and to shift their b. A row with compliance c gets
// a dimension of its own with entry √c; an explicit A that is symmetric to round-off is factored by
// Cholesky's method with pivoting, A = L L^T, and the rows of L are the columns. An explicit A that
// is not symmetric has no columns: the form then holds A itself, for the standard variant alone.

#include "solve/pivot/lemke_form.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include <string.h>

// ---------------------------------------------------------------- counting

static bool is_equality(const cairn_problem* problem, const cairn_block* block, int row)
{
    return block->kind == CAIRN_BLOCK_JOINT || block->kind == CAIRN_BLOCK_VELOCITY ||
           (block->kind == CAIRN_BLOCK_MOTOR && isinf(problem->lo[row]) && isinf(problem->hi[row]));
}

static int count_items(const cairn_problem* problem, int* equalities)
{
    int count = 0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (block->kind == CAIRN_BLOCK_CONTACT) {
            count++;
            continue;
        }
        for (int r = block->row; r < block->row + block->row_count; r++)
            if (is_equality(problem, block, r))
                ++*equalities;
            else
                count++;
    }
    return count;
}

static int count_compliant(const cairn_problem* problem)
{
    int count = 0;
    for (int r = 0; problem->compliance && r < problem->row_count; r++)
        count += problem->compliance[r] > 0.0;
    return count;
}

// ---------------------------------------------------------------- friction

// the table of a regular polygon; the items share tables of the same size
static const double* regular_corners(cairn_lemke_form* form, int facets, cairn_arena* arena)
{
    for (int i = form->count - 1; i >= 0; i--) {
        const cairn_lemke_item* item = &form->items[i];
        if (item->facets == facets && item->corner[0] == 1.0 && item->corner[1] == 0.0)
            return item->corner;
    }

    double* corner = CAIRN_TAKE(arena, double, 2 * facets);
    for (int j = 0; corner && j < facets; j++) {
        double angle = 2.0 * 3.14159265358979323846 * j / facets;
        corner[2 * j] = cairn_cos(angle);
        corner[2 * j + 1] = facets == 2 ? 0.0 : cairn_sin(angle);
    }
    return corner;
}

static const double* box_corners(cairn_lemke_item* item, const double* mu, cairn_arena* arena)
{
    double* corner = CAIRN_TAKE(arena, double, 8);
    int count = 0;
    for (int j = 0; corner && j < 4; j++) {
        // corners of a flat box fall together: keep one of each two
        if ((!(mu[0] > 0.0) && (j == 1 || j == 2)) || (!(mu[1] > 0.0) && j >= 2))
            continue;
        corner[2 * count] = j == 0 || j == 3 ? mu[0] : -mu[0];
        corner[2 * count + 1] = j < 2 ? mu[1] : -mu[1];
        count++;
    }

    item->facets = count;
    return corner;
}

static cairn_status add_friction(cairn_lemke_form* form, cairn_lemke_item* item,
                                 const cairn_block* block, cairn_job* job, cairn_error* error)
{
    const cairn_friction* f = &block->friction;
    cairn_friction as = cairn_friction_as(f, CAIRN_LAW_PYRAMID, job->def->facets);
    bool smooth = f->kind == CAIRN_FRICTION_ELLIPSE || f->kind == CAIRN_FRICTION_ELLIPSOID;

    if (as.kind == CAIRN_FRICTION_CUSTOM)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "Lemke's method needs friction sets with corners, but a contact has a "
                          "projection of its own");

    if (item->rows == 1 || as.kind == CAIRN_FRICTION_NONE)
        return CAIRN_OK;

    form->simpler = form->simpler || (smooth && (f->mu[0] != f->mu[1] || block->row_count == 4));
    item->mu = as.mu[0];

    // each law has corners of its own; a known slip has none
    if (as.kind == CAIRN_FRICTION_SLIDING) {
        item->sliding = form->sliding = true;
        item->slide[0] = -item->mu * as.slip[0];
        item->slide[1] = item->rows > 2 ? -item->mu * as.slip[1] : 0.0;
        item->mu = 0.0;
    } else if (as.kind == CAIRN_FRICTION_BOX && item->rows > 2) {
        if (as.mu[0] > 0.0 || as.mu[1] > 0.0) {
            item->mu = 1.0;
            item->corner = box_corners(item, as.mu, job->arena);
        }
    } else if (item->mu > 0.0) {
        int facets = item->rows == 2 ? 2 : as.facets;
        item->corner = regular_corners(form, facets, job->arena);
        item->facets = facets;
    }

    return CAIRN_OK;
}

// ---------------------------------------------------------------- items

static const double* one_corner(cairn_arena* arena)
{
    double* corner = CAIRN_TAKE(arena, double, 2);
    if (corner) {
        corner[0] = 1.0;
        corner[1] = 0.0;
    }
    return corner;
}

// A row bounded on both sides is friction of one corner with a constant limit; one bounded on one
// side is a frictionless contact, seen from that side.
static void add_bounded(cairn_lemke_item* item, const cairn_problem* problem,
                        const cairn_block* block, cairn_arena* arena)
{
    double lo = block->kind == CAIRN_BLOCK_LIMIT ? 0.0 : problem->lo[item->row];
    double hi = block->kind == CAIRN_BLOCK_LIMIT ? INFINITY : problem->hi[item->row];
    item->sign = isinf(lo) ? -1.0 : 1.0;
    item->shift = isinf(lo) ? hi : lo;
    if (!isinf(lo) && !isinf(hi)) {
        item->motor = true;
        item->facets = 1;
        item->corner = one_corner(arena);
        item->q_limit = hi - lo;
    }
}

static double mean_diagonal(const cairn_job* job, const cairn_block* block, int first, int rows)
{
    int index = (int)(block - job->problem->blocks), n = block->row_count;
    const double* D = cairn_delassus_block(&job->A, index);
    double sum = 0.0;
    for (int i = first; i < first + rows; i++)
        sum += D[n * i + i];
    return sum / rows;
}

static cairn_status list_items(cairn_lemke_form* form, cairn_job* job, int* block_of,
                               cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        bool contact = block->kind == CAIRN_BLOCK_CONTACT;
        int parts = contact ? 1 : block->row_count;
        for (int i = 0; i < parts; i++) {
            cairn_lemke_item* item = &form->items[form->count];
            int rows = contact ? (block->row_count < 3 ? block->row_count : 3) : 1;

            if (is_equality(problem, block, block->row + i))
                continue;
            *item = (cairn_lemke_item){
                .row = block->row + i, .rows = rows, .sign = 1.0, .place = {-1, -1}};

            if (contact) {
                cairn_status status = add_friction(form, item, block, job, error);
                if (status != CAIRN_OK)
                    return status;
            } else {
                add_bounded(item, problem, block, job->arena);
            }

            if (job->arena->failed)
                return CAIRN_NO_MEMORY;

            // the mean diagonal is the unit of the item
            double a = mean_diagonal(job, block, i, rows);
            item->unit = a > 0.0 ? 1.0 / sqrt(a) : 1.0;
            form->facets += item->facets;
            block_of[form->count++] = c;
        }
    }
    return CAIRN_OK;
}

// ---------------------------------------------------------------- columns

// the scaled row of the bodies as a vector of `dim` numbers
static void dense_row(double* to, const cairn_lemke_form* form, const cairn_job* job,
                      const cairn_block* block, int row)
{
    memset(to, 0, (size_t)form->dim * sizeof(double));
    const cairn_row* scaled = &job->A.scaled[row];
    for (int k = 0; k < 6; k++) {
        if (block->body_a != CAIRN_WORLD_BODY)
            to[6 * block->body_a + k] += scaled->a[k];
        if (block->body_b != CAIRN_WORLD_BODY)
            to[6 * block->body_b + k] += scaled->b[k];
    }

    const double* compliance = job->problem->compliance;
    if (compliance && compliance[row] > 0.0) {
        int place = 6 * job->problem->body_count;
        for (int r = 0; r < row; r++)
            place += compliance[r] > 0.0;
        to[place] = sqrt(compliance[row]);
    }
}

// y -= Q Q^T y, twice, which is once more than exact arithmetic needs
static void project(const cairn_lemke_form* form, double* y)
{
    for (int sweep = 0; sweep < 2; sweep++)
        for (int i = 0; i < form->bilateral; i++) {
            const double* Qi = form->Q + (ptrdiff_t)form->dim * i;
            double s = cairn_lemke_dot(Qi, y, form->dim);
            for (int k = 0; k < form->dim; k++)
                y[k] -= s * Qi[k];
        }
}

// Gram and Schmidt, twice; rows that depend on the others are left out
static void factor_equalities(cairn_lemke_form* form, const cairn_job* job)
{
    const cairn_problem* problem = job->problem;
    for (int c = 0; c < problem->block_count; c++)
        for (int i = 0; i < problem->blocks[c].row_count; i++) {
            const cairn_block* block = &problem->blocks[c];
            int row = block->row + i, k = form->bilateral;
            double* y = form->Q + (ptrdiff_t)form->dim * k;

            if (block->kind == CAIRN_BLOCK_CONTACT || !is_equality(problem, block, row))
                continue;
            if (cairn_job_stopped(job))
                return;

            dense_row(y, form, job, block, row);
            double whole = sqrt(cairn_lemke_dot(y, y, form->dim));

            // orthogonal to the rows before it, twice because of round-off
            for (int j = 0; j < k; j++)
                form->R[form->stride * j + k] = 0.0;
            for (int sweep = 0; sweep < 2; sweep++)
                for (int j = 0; j < k; j++) {
                    const double* Qj = form->Q + (ptrdiff_t)form->dim * j;
                    double s = cairn_lemke_dot(Qj, y, form->dim);
                    form->R[form->stride * j + k] += s;
                    for (int l = 0; l < form->dim; l++)
                        y[l] -= s * Qj[l];
                }

            // a row that nothing is left of depends on the others
            double norm = sqrt(cairn_lemke_dot(y, y, form->dim));
            if (!(norm > 1e-10 * whole))
                continue;

            for (int l = 0; l < form->dim; l++)
                y[l] /= norm;
            form->R[form->stride * k + k] = norm;
            form->bilateral_row[k] = row;

            // g by forward substitution in R^T g = b
            form->g[k] = problem->b[row];
            for (int j = 0; j < k; j++)
                form->g[k] -= form->R[form->stride * j + k] * form->g[j];
            form->g[k] /= norm;

            form->bilateral++;
        }
}

// the two halves of the scaled rows, for bodies that move
static bool sparse_columns(cairn_lemke_form* form, const cairn_job* job, const int* block_of)
{
    const cairn_problem* problem = job->problem;
    double* memory = CAIRN_TAKE_ZEROED(job->arena, double, 36 * (size_t)form->count);
    for (int i = 0; memory && i < form->count; i++) {
        cairn_lemke_item* item = &form->items[i];
        const cairn_block* block = &problem->blocks[block_of[i]];
        int body[2] = {block->body_a, block->body_b}, parts = 0;

        // a block within one body adds both halves in one place
        for (int side = 0; side < 2; side++) {
            bool again = side == 1 && parts == 1 && body[1] == body[0];
            if (body[side] == CAIRN_WORLD_BODY || !cairn_mass_moves(&problem->bodies[body[side]]))
                continue;
            double* to = memory + 36 * i + (again ? 0 : 18 * parts);

            for (int r = 0; r < item->rows; r++) {
                const cairn_row* scaled = &job->A.scaled[item->row + r];
                int which = item->motor ? 1 : r;
                for (int k = 0; k < 6; k++)
                    to[6 * which + k] +=
                        item->sign * item->unit * (side == 0 ? scaled->a[k] : scaled->b[k]);
            }

            if (again)
                continue;
            item->place[parts] = 6 * body[side];
            item->part[parts++] = to;
        }
    }
    return memory != NULL;
}

// whole vectors, with compliance, projected
static bool dense_columns(cairn_lemke_form* form, const cairn_job* job, const int* block_of)
{
    size_t dim = (size_t)form->dim;
    double* memory = CAIRN_TAKE_ZEROED(job->arena, double, 3 * dim * (size_t)form->count);
    for (int i = 0; memory && i < form->count && !cairn_job_stopped(job); i++) {
        cairn_lemke_item* item = &form->items[i];
        const cairn_block* block = &job->problem->blocks[block_of[i]];
        double* columns = memory + 3 * dim * (size_t)i;
        for (int r = 0; r < item->rows; r++) {
            double* to = columns + (item->motor ? 1 : r) * form->dim;
            dense_row(to, form, job, block, item->row + r);
            for (size_t k = 0; k < dim; k++)
                to[k] *= item->sign * item->unit;
        }
        item->place[0] = 0;
        item->part[0] = columns;
    }
    return memory != NULL;
}

// An asymmetry or a remainder below these leaves an error in v that the certificate would not see.
static const double symmetry = 1e-10, smallest_pivot = 1e-12;

// A = L L^T by rows of L; returns the rank, or -1 when A is not symmetric positive semidefinite
static int factor_explicit(double* L, double* A, double* left, int n, const cairn_stop* stop)
{
    double largest = 0.0;
    int rank = 0;

    // A must be symmetric to round-off
    for (int i = 0; i < n; i++) {
        left[i] = A[(ptrdiff_t)n * i + i];
        largest = fmax(largest, left[i]);
        for (int j = 0; j < i; j++) {
            double x = A[(ptrdiff_t)n * i + j], y = A[(ptrdiff_t)n * j + i];
            double size = sqrt(fabs(A[(ptrdiff_t)n * i + i] * A[(ptrdiff_t)n * j + j]));
            if (fabs(x - y) > symmetry * (size + fabs(x) + fabs(y)))
                return -1;
        }
    }

    for (; rank < n && !cairn_stop_now(stop); rank++) {
        int p = 0;
        for (int i = 1; i < n; i++)
            if (left[i] > left[p])
                p = i;
        if (!(left[p] > smallest_pivot * largest))
            break;

        // the column of the largest pivot
        double root = sqrt(left[p]);
        for (int i = 0; i < n; i++) {
            double* Li = L + (ptrdiff_t)n * i;
            double sum = 0.5 * (A[(ptrdiff_t)n * i + p] + A[(ptrdiff_t)n * p + i]);
            for (int k = 0; k < rank; k++)
                sum -= Li[k] * L[(ptrdiff_t)n * p + k];
            Li[rank] = i == p ? root : sum / root;
        }

        for (int i = 0; i < n; i++)
            left[i] -= L[(ptrdiff_t)n * i + rank] * L[(ptrdiff_t)n * i + rank];
        left[p] = -1e-300;
    }

    // what is left must not be negative
    for (int i = 0; i < n; i++)
        if (left[i] < -1e-10 * largest)
            return -1;
    return rank;
}

static bool explicit_columns(cairn_lemke_form* form, cairn_job* job)
{
    int n = job->problem->row_count;
    size_t square = (size_t)n * (size_t)n;
    double* A = CAIRN_TAKE(job->arena, double, square);
    double* L = CAIRN_TAKE(job->arena, double, square);
    double* left = CAIRN_TAKE(job->arena, double, n);
    if (job->arena->failed)
        return false;

    cairn_delassus_dense(&job->A, A);
    int rank = factor_explicit(L, A, left, n, &job->stop);
    if (rank < 0) {
        for (ptrdiff_t i = 0; i < n; i++)
            for (ptrdiff_t j = 0; j < n; j++)
                A[n * i + j] *= form->items[i / 3].unit * form->items[j / 3].unit;
        form->dense = A;
        return true;
    }

    // rows of L one after the other, without the empty rest
    form->dim = form->width = rank;
    for (ptrdiff_t i = 0; i < n; i++) {
        cairn_lemke_item* item = &form->items[i / 3];
        for (int k = 0; k < rank; k++)
            A[rank * i + k] = item->unit * L[n * i + k];
        item->place[0] = 0;
        item->part[0] = A + 3 * rank * (i / 3);
    }
    return true;
}

// ---------------------------------------------------------------- right-hand sides

// q = b + J o with o = P Σ shifted columns - Q g, in the units of each item
static bool fill_q(cairn_lemke_form* form, cairn_job* job)
{
    const cairn_problem* problem = job->problem;
    double* o = CAIRN_TAKE_ZEROED(job->arena, double, form->dim + 1);
    double largest = 0.0;
    if (!o)
        return false;

    // the impulses that items are measured from
    for (int i = 0; i < form->count; i++) {
        const cairn_lemke_item* item = &form->items[i];
        if (item->shift != 0.0)
            cairn_lemke_item_add(item, item->motor ? 1 : 0, item->sign * item->shift / item->unit,
                                 o, form->width);
    }
    project(form, o);

    for (int k = 0; k < form->bilateral; k++)
        for (int l = 0; l < form->dim; l++)
            o[l] -= form->g[k] * form->Q[(ptrdiff_t)form->dim * k + l];

    for (int i = 0; i < form->count; i++) {
        cairn_lemke_item* item = &form->items[i];
        for (int r = 0; r < item->rows; r++) {
            int which = item->motor ? 1 : r;
            item->q[which] = item->sign * item->unit * problem->b[item->row + r] +
                             cairn_lemke_item_dot(item, which, o, form->width);
            largest = fmax(largest, fabs(item->q[which]));
        }
    }

    // q is scaled to the size of one
    form->unit = largest > 0.0 ? largest : 1.0;
    for (int i = 0; i < form->count; i++) {
        cairn_lemke_item* item = &form->items[i];
        for (int r = 0; r < 3; r++)
            item->q[r] /= form->unit;
        item->q_limit /= item->unit * form->unit;
        if (item->motor)
            item->q[0] = 1.0;
    }

    return true;
}

cairn_status cairn_lemke_form_make(cairn_lemke_form* form, cairn_job* job, cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    int equalities = 0, count = count_items(problem, &equalities);
    int extra = count_compliant(problem);
    *form = (cairn_lemke_form){.width = 6, .dim = 6 * problem->body_count};
    form->items = CAIRN_TAKE(job->arena, cairn_lemke_item, count);
    int* block_of = CAIRN_TAKE(job->arena, int, count);
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    cairn_status status = list_items(form, job, block_of, error);
    if (status != CAIRN_OK)
        return status;

    // columns: from an explicit A, dense with equalities or compliance, else sparse by bodies
    bool filled;
    if (problem->A) {
        form->dim = form->width = 0;
        filled = explicit_columns(form, job);
    } else if (equalities + extra > 0) {
        form->dim = form->width = form->dim + extra;
        form->stride = equalities;
        form->Q = CAIRN_TAKE(job->arena, double, (size_t)form->dim*(size_t)(equalities + 1));
        form->R = CAIRN_TAKE(job->arena, double, (size_t)equalities*(size_t)equalities);
        form->g = CAIRN_TAKE(job->arena, double, equalities);
        form->bilateral_row = CAIRN_TAKE(job->arena, int, equalities);
        if (job->arena->failed)
            return CAIRN_NO_MEMORY;
        factor_equalities(form, job);
        filled = dense_columns(form, job, block_of);
    } else {
        filled = sparse_columns(form, job, block_of);
    }

    if (!filled)
        return CAIRN_NO_MEMORY;
    if (cairn_job_stopped(job))
        return CAIRN_OK;
    if (!fill_q(form, job))
        return CAIRN_NO_MEMORY;

    // from here on the columns see what the equality rows leave
    for (int i = 0; i < form->count && form->bilateral > 0 && !cairn_job_stopped(job); i++)
        for (int r = 0; r < 3; r++)
            project(form, (double*)form->items[i].part[0] + r * form->dim);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- the way back

cairn_status cairn_lemke_form_impulses(const cairn_lemke_form* form, cairn_job* job, double* lambda,
                                       const double* theta, const double* friction, bool direction)
{
    memset(lambda, 0, (size_t)job->problem->row_count * sizeof(double));
    for (int i = 0; i < form->count; i++) {
        const cairn_lemke_item* item = &form->items[i];
        double unit = item->sign * item->unit * (direction ? 1.0 : form->unit);
        double* to = lambda + item->row;
        to[0] = unit * (item->motor ? friction[2 * i] : theta[i]);
        to[0] += direction ? 0.0 : item->shift;
        for (int r = 1; r < item->rows; r++)
            to[r] = item->sliding ? item->slide[r - 1] * to[0] : unit * friction[2 * i + r - 1];
    }

    if (form->bilateral == 0)
        return CAIRN_OK;

    // y = -Q^T w - g, λ_B = R^-1 y
    cairn_arena_mark mark = cairn_arena_here(job->arena);
    double* w = CAIRN_TAKE_ZEROED(job->arena, double, form->dim);
    double* y = CAIRN_TAKE(job->arena, double, form->bilateral);
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;
    cairn_delassus_load(&job->A, w, lambda);
    for (int k = 0; k < form->bilateral; k++)
        y[k] = -cairn_lemke_dot(form->Q + (ptrdiff_t)form->dim * k, w, form->dim) -
               (direction ? 0.0 : form->g[k]);

    for (int k = form->bilateral - 1; k >= 0; k--) {
        for (int j = k + 1; j < form->bilateral; j++)
            y[k] -= form->R[form->stride * k + j] * lambda[form->bilateral_row[j]];
        lambda[form->bilateral_row[k]] = y[k] / form->R[form->stride * k + k];
    }

    cairn_arena_release(job->arena, mark);
    return CAIRN_OK;
}

void cairn_lemke_form_guess(const cairn_lemke_form* form, const double* lambda, double* theta,
                            double* friction)
{
    for (int i = 0; i < form->count; i++) {
        const cairn_lemke_item* item = &form->items[i];
        double over = 1.0 / (item->sign * item->unit * form->unit);
        double first = over * (lambda[item->row] - item->shift);
        theta[i] = item->motor ? 0.0 : fmax(0.0, first);
        friction[2 * i] = item->motor      ? fmin(fmax(0.0, first), item->q_limit)
                          : item->rows > 1 ? over * lambda[item->row + 1]
                                           : 0.0;
        friction[2 * i + 1] = item->rows > 2 ? over * lambda[item->row + 2] : 0.0;
    }
}

bool cairn_lemke_form_jams(const cairn_lemke_form* form, const double* theta,
                           const double* friction, double* v)
{
    // of impulses of size 1: the motion that round-off may leave
    static const double at_rest = 1e-7;
    double size = 0.0, demand = 0.0, motion = 0.0;

    if (form->dense || form->sliding)
        return true;
    memset(v, 0, (size_t)form->dim * sizeof(double));

    // the motion of the impulses, and what they ask for against q
    for (int i = 0; i < form->count; i++) {
        const cairn_lemke_item* item = &form->items[i];
        double impulse[3] = {item->motor ? 0.0 : theta[i], friction[2 * i], friction[2 * i + 1]};
        for (int k = item->motor; k < 3; k++) {
            cairn_lemke_item_add(item, k, impulse[k], v, form->width);
            demand -= impulse[k] * item->q[k];
            size = fmax(size, fabs(impulse[k]));
        }
    }

    for (int k = 0; k < form->dim; k++)
        motion = fmax(motion, fabs(v[k]));
    return motion <= at_rest * size && demand > at_rest * size;
}
