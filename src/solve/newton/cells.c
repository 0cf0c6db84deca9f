// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cells: see cells.h.

#include "solve/newton/cells.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include "problem/natural_map.h"
#include "problem/residual.h"
#include "solve/newton/cell_products.h"
#include <string.h>

enum { stride = CAIRN_CELL_STRIDE };

static double mean_of_positive(const double* x, const double* factor, int n)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0.0 && factor[i] > 0.0) {
            sum += factor[i] * factor[i] * x[i];
            count++;
        }
    return count ? sum / count : 0.0;
}

// sets one number of a vector in memory; plain indexing makes the compiler copy the whole vector
static void set(cairn_double4* vector, int i, double x)
{
    memcpy((char*)vector + (size_t)i * sizeof x, &x, sizeof x);
}

// coefficients of the three friction rows, as one smooth law
static void friction_axes(double* mu, const cairn_friction* friction)
{
    bool round = friction->kind == CAIRN_FRICTION_CONE;
    bool none = friction->kind == CAIRN_FRICTION_NONE;
    mu[0] = none ? 0.0 : friction->mu[0];
    mu[1] = none ? 0.0 : round ? friction->mu[0] : friction->mu[1];
    mu[2] = friction->kind == CAIRN_FRICTION_ELLIPSOID ? friction->mu[2] : 0.0;
}

// a contact without friction: one row of bounds, the others stay zero
static void make_frictionless(cairn_cell* cell)
{
    cell->kind = CAIRN_CELL_BOUNDS;
    cell->hi[0] = INFINITY;
}

static void make_contact(cairn_cell* cell, const cairn_block* block, const double* diagonal)
{
    cairn_friction friction = cairn_friction_as(&block->friction, CAIRN_LAW_COULOMB, 3);
    double axis[3], factor[4] = {1.0, 1.0, 1.0, 1.0};

    friction_axes(axis, &friction);
    cell->kind = CAIRN_CELL_CONE;

    // friction axes become equal by scaling: the first sets μ
    for (int i = 1; i < block->row_count; i++) {
        if (friction.kind == CAIRN_FRICTION_SLIDING || !(axis[i - 1] > 0.0))
            continue;
        if (cell->slip_count == 0)
            cell->mu = axis[i - 1];
        factor[i] = axis[i - 1] / cell->mu;
        cell->slip[cell->slip_count++] = i;
    }

    // a known slip couples friction to the normal row
    if (friction.kind == CAIRN_FRICTION_SLIDING && friction.mu[0] > 0.0 && block->row_count > 1) {
        cell->kind = CAIRN_CELL_DIRECTED;
        cell->along[0] = 1.0;
        for (int i = 1; i < block->row_count && i < 3; i++)
            cell->along[i] = -friction.mu[0] * friction.slip[i - 1];
    } else if (cell->slip_count == 0) {
        make_frictionless(cell);
    }

    // a mean diagonal of one
    double a = mean_of_positive(diagonal, factor, block->row_count);
    for (int i = 0; i < block->row_count; i++)
        cell->scale[i] = a > 0.0 ? factor[i] / sqrt(a) : factor[i];
}

static void make_bounds(cairn_cell* cell, const cairn_problem* problem, const cairn_block* block,
                        const double* diagonal)
{
    cell->kind = CAIRN_CELL_BOUNDS;
    for (int i = 0; i < cell->rows; i++) {
        double d = diagonal[i], s = d > 0.0 ? 1.0 / sqrt(d) : 1.0;
        bool motor = block->kind == CAIRN_BLOCK_MOTOR;
        cell->scale[i] = s;
        cell->lo[i] = block->kind == CAIRN_BLOCK_LIMIT ? 0.0
                      : motor                          ? problem->lo[cell->row + i] / s
                                                       : -INFINITY;
        cell->hi[i] = motor ? problem->hi[cell->row + i] / s : INFINITY;

        // no impulse moves this row: leave it at the admissible value nearest to zero
        if (!(d > 0.0))
            cell->lo[i] = cell->hi[i] = fmin(fmax(0.0, cell->lo[i]), cell->hi[i]);
    }
}

// whether a block is a contact with a round cone, or with no friction, all rows of which bodies follow
static bool is_plain(const cairn_block* block, const double* diagonal)
{
    bool smooth =
        block->friction.kind == CAIRN_FRICTION_NONE || block->friction.kind == CAIRN_FRICTION_CONE;
    bool known = block->row_count == 1 || block->row_count == 3;
    for (int i = 0; i < block->row_count; i++)
        known = known && diagonal[i] > 0.0;
    return block->kind == CAIRN_BLOCK_CONTACT && smooth && known;
}

static void make_cells(cairn_cells* cells, const int* moving)
{
    const cairn_problem* problem = cells->problem;
    int c = 0;
    for (int k = 0; k < problem->block_count; k++) {
        const cairn_block* block = &problem->blocks[k];
        int body[2] = {block->body_a, block->body_b};

        // long blocks of joint rows are cut into cells
        for (int done = 0; done < block->row_count; c++) {
            cairn_cell* cell = &cells->cell[c];
            int left = block->row_count - done;
            *cell = (cairn_cell){.row = block->row + done,
                                 .rows = left < cells->width ? left : cells->width,
                                 .body = {-1, -1},
                                 .scale = {1.0, 1.0, 1.0, 1.0}};

            const double* diagonal = cells->diagonal_of_rows + cell->row;
            for (int side = 0; side < 2 && moving; side++)
                if (body[side] != CAIRN_WORLD_BODY)
                    cell->body[side] = moving[body[side]];

            if (block->kind == CAIRN_BLOCK_CONTACT) {
                make_contact(cell, block, diagonal);
                cells->smoothed = cells->smoothed ||
                                  block->friction.kind == CAIRN_FRICTION_PYRAMID ||
                                  block->friction.kind == CAIRN_FRICTION_BOX;
            } else {
                make_bounds(cell, problem, block, diagonal);
            }

            cells->plain = cells->plain && is_plain(block, diagonal);
            done += cell->rows;
        }
    }
}

static void scale_rows(cairn_cells* cells, const cairn_delassus* A)
{
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        for (int side = 0; side < 2; side++) {
            cairn_cell_rows* to = &cells->J[2 * c + side];
            memset(to, 0, sizeof *to);
            for (int i = 0; i < cell->rows && cell->body[side] >= 0; i++) {
                const cairn_row* row = &A->scaled[cell->row + i];
                const double* j = side == 0 ? row->a : row->b;
                for (int k = 0; k < 6; k++) {
                    double x = cell->scale[i] * j[k];
                    set(&to->column[k], i, x);
                    set(&to->row[i][k / 3], k % 3, x);
                }
            }
        }
    }
}

// rows of an explicit A: by columns, scaled; compliance belongs to the diagonal
static void scale_matrix(cairn_cells* cells)
{
    const cairn_block_matrix* A = cells->problem->A;
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* x = &cells->cell[c];
        for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++) {
            const cairn_cell* y = &cells->cell[A->column[k]];
            const double* from = A->value + 9 * (ptrdiff_t)k;
            double* to = cells->W + 12 * (ptrdiff_t)k;
            for (int j = 0; j < 3; j++) {
                for (int i = 0; i < 3; i++)
                    to[4 * j + i] = x->scale[i] * from[3 * i + j] * y->scale[j];
                to[4 * j + 3] = 0.0;
            }
            for (int i = 0; i < 3 && A->column[k] == c; i++)
                to[5 * i] += x->softness[i];
        }
    }
}

static void scale_vectors(cairn_cells* cells)
{
    const cairn_problem* problem = cells->problem;
    for (int c = 0; c < cells->count; c++) {
        cairn_cell* cell = &cells->cell[c];
        for (int i = 0; i < cell->rows; i++) {
            double s = cell->scale[i];
            cells->q[stride * c + i] = s * problem->b[cell->row + i];
            if (problem->compliance)
                cell->softness[i] = s * s * problem->compliance[cell->row + i];
        }
    }
}

// W_cc = S A_cc S: a cell is a part of the diagonal of its block
static void form_diagonal(cairn_cells* cells, const cairn_delassus* A)
{
    const cairn_problem* problem = cells->problem;
    memset(cells->diagonal, 0, 4 * (size_t)(cells->width * cells->count) * sizeof(double));
    for (int k = 0, c = 0; k < problem->block_count; k++) {
        const cairn_block* block = &problem->blocks[k];
        const double* from = cairn_delassus_block(A, k);
        int n = block->row_count;
        for (; c < cells->count && cells->cell[c].row < block->row + n; c++) {
            const cairn_cell* cell = &cells->cell[c];
            double* D = cells->diagonal + 4 * cells->width * (ptrdiff_t)c;
            int first = cell->row - block->row;
            for (int j = 0; j < cell->rows; j++)
                for (int i = 0; i < cell->rows; i++)
                    D[4 * j + i] =
                        cell->scale[i] * from[n * (first + i) + first + j] * cell->scale[j];
        }
    }
}

static cairn_status check_support(cairn_cells* cells)
{
    const cairn_problem* problem = cells->problem;
    cells->width = 3;
    for (int k = 0; k < problem->block_count; k++) {
        const cairn_block* block = &problem->blocks[k];
        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        if (block->friction.kind == CAIRN_FRICTION_CUSTOM)
            return CAIRN_NOT_SUPPORTED;
        if (block->row_count == 4)
            cells->width = 4;
    }

    for (int k = 0; k < problem->block_count; k++)
        cells->count += (problem->blocks[k].row_count + cells->width - 1) / cells->width;
    return CAIRN_OK;
}

cairn_status cairn_cells_prepare(cairn_cells* cells, const cairn_job* job)
{
    const cairn_problem* problem = job->problem;
    cairn_arena* arena = job->arena;
    *cells = (cairn_cells){.problem = problem};
    if (check_support(cells) != CAIRN_OK)
        return CAIRN_NOT_SUPPORTED;

    // room
    int* moving = problem->A ? NULL : CAIRN_TAKE(arena, int, problem->body_count);
    cells->cell = CAIRN_TAKE(arena, cairn_cell, cells->count);
    cells->q = CAIRN_TAKE_ZEROED(arena, double, stride*(ptrdiff_t)cells->count);
    cells->diagonal = CAIRN_TAKE(arena, double, 4 * cells->width * (ptrdiff_t)cells->count);
    cells->diagonal_of_rows = CAIRN_TAKE(arena, double, problem->row_count);
    cells->lambda = CAIRN_TAKE(arena, double, problem->row_count);
    cells->v = CAIRN_TAKE(arena, double, problem->row_count);
    if (problem->A) {
        cells->begin = problem->A->row_begin;
        cells->column = problem->A->column;
        cells->W = CAIRN_TAKE(arena, double, 12 * (ptrdiff_t)cells->begin[cells->count]);
    } else {
        cells->J = CAIRN_TAKE(arena, cairn_cell_rows, 2 * (ptrdiff_t)cells->count);
    }
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    // bodies that move are numbered; the diagonals of A set the units
    for (int i = 0; moving && i < problem->body_count; i++)
        moving[i] = cairn_mass_moves(&problem->bodies[i]) ? cells->body_count++ : -1;
    for (int k = 0; k < problem->block_count; k++) {
        const cairn_block* block = &problem->blocks[k];
        const double* D = cairn_delassus_block(&job->A, k);
        for (int i = 0; i < block->row_count; i++)
            cells->diagonal_of_rows[block->row + i] = D[(block->row_count + 1) * i];
    }

    cells->plain = true;
    make_cells(cells, moving);

    // what errors are relative to
    for (int i = 0; i < problem->row_count; i++) {
        cells->speed = fmax(cells->speed, fabs(problem->b[i]));
        cells->length += problem->b[i] * problem->b[i];
    }
    cells->length = sqrt(cells->length);

    // everything in the units of the cells
    scale_vectors(cells);
    if (problem->A)
        scale_matrix(cells);
    else
        scale_rows(cells, &job->A);
    form_diagonal(cells, &job->A);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- products

void cairn_cells_push(const cairn_cells* cells, double* w, int c, const double* x)
{
    cairn_cell_push(cells, w, c, x);
}

void cairn_cells_product(const cairn_cells* cells, double* y, const double* x, double* w)
{
    CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_cells_product_kernel)(cells, y, x, w);
}

// ---------------------------------------------------------------- to and from the problem

void cairn_cells_load(const cairn_cells* cells, double* r, const double* lambda)
{
    memset(r, 0, stride * (size_t)cells->count * sizeof(double));
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        for (int i = 0; i < cell->rows; i++)
            r[stride * c + i] = lambda[cell->row + i] / cell->scale[i];
    }
}

void cairn_cells_store(const cairn_cells* cells, double* lambda, const double* r)
{
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        for (int i = 0; i < cell->rows; i++)
            lambda[cell->row + i] = cell->scale[i] * r[stride * c + i];
    }
}

static void project_on_cone(const cairn_cell* cell, double* r)
{
    double n = r[0], t = 0.0, slip[3];

    for (int k = 0; k < cell->slip_count; k++) {
        slip[k] = r[cell->slip[k]];
        t += slip[k] * slip[k];
    }
    t = sqrt(t);

    // inside the polar cone: zero; outside of the cone: on its boundary
    double mu = cell->mu, factor = 1.0;
    if (mu * t <= -n || !(n > -mu * t)) {
        n = factor = 0.0;
    } else if (t > mu * n) {
        n = (n + mu * t) / (1.0 + mu * mu);
        factor = mu * n / t;
    }

    for (int i = 0; i < stride; i++)
        r[i] = 0.0;
    r[0] = n;
    for (int k = 0; k < cell->slip_count; k++)
        r[cell->slip[k]] = factor * slip[k];
}

void cairn_cells_project(const cairn_cells* cells, double* r)
{
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        double* x = r + stride * c;
        if (cell->kind == CAIRN_CELL_CONE) {
            project_on_cone(cell, x);
        } else if (cell->kind == CAIRN_CELL_BOUNDS) {
            for (int i = 0; i < cell->rows; i++)
                x[i] = fmin(fmax(x[i], cell->lo[i]), cell->hi[i]);
        } else {
            double n = fmax(0.0, x[0]);
            for (int i = 0; i < cell->rows; i++)
                x[i] = n * cell->along[i];
        }
    }
}

// The relative residual where all cells are plain. The scale s makes the step of the natural map 1:
// a |F| = |r - P(r - u)| / s.
static double plain_error(const cairn_cells* cells, const double* r, const double* u)
{
    double worst = 0.0;
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        const double *x = r + stride * c, *v = u + stride * c;
        cairn_natural map = {.lambda_n = x[0],
                             .v_n = v[0],
                             .lambda_t = {x[1], x[2]},
                             .v_t = {v[1], v[2]},
                             .mu = cell->mu,
                             .over = 1.0};
        worst = cairn_worst(worst, natural_contact(&map, 2) / cell->scale[0]);
    }
    return cells->speed > 0.0 ? worst / cells->speed : worst;
}

// |F|/|q| in the units of the problem where all cells are plain: F = λ - P_K(λ - v - μ|v_T| e_N)
static double plain_strict_error(const cairn_cells* cells, const double* r, const double* u)
{
    double sum = 0.0;
    for (int c = 0; c < cells->count; c++) {
        const double *x = r + stride * c, *v = u + stride * c;
        double s = cells->cell[c].scale[0], over = 1.0 / s, mu = cells->cell[c].mu;
        double a = over * v[1], b = over * v[2];
        double shifted = over * v[0] + mu * sqrt(a * a + b * b);
        cairn_vec3 z = cairn_vec(s * x[0] - shifted, s * x[1] - a, s * x[2] - b);
        cairn_vec3 F =
            cairn_sub(cairn_vec(s * x[0], s * x[1], s * x[2]), cairn_project_on_cone(z, mu));
        sum += cairn_dot(F, F);
    }
    return cells->length > 0.0 ? sqrt(sum) / cells->length : sqrt(sum);
}

double cairn_cells_error(const cairn_cells* cells, const cairn_job* job, const double* r,
                         const double* u)
{
    cairn_residual residual;
    if (cells->plain) {
        double error = plain_error(cells, r, u);
        return job->def->fclib ? fmax(error, plain_strict_error(cells, r, u)) : error;
    }
    cairn_cells_store(cells, cells->lambda, r);
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        for (int i = 0; i < cell->rows; i++)
            cells->v[cell->row + i] = u[stride * c + i] / cell->scale[i];
    }

    cairn_residual_evaluate(&residual, cells->problem, cells->lambda, cells->v,
                            cells->diagonal_of_rows, job->report->law, job->report->facets);
    return job->def->fclib ? fmax(residual.relative, residual.fclib_relative) : residual.relative;
}
