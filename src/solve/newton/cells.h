// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The problem as `gauss-seidel` and `exact` see it: cells of up to 3 (or 4) rows in scaled units,
//
//     λ = S r,     u = S v = W r + q,     W = S A S,     q = S b,
//
// with S diagonal. A contact is one cell with one scale for all its rows, chosen so that the mean
// diagonal of its block of W is 1: cone, polar cone and De Saxcé's term keep their form, and every
// threshold of a method is a pure number. The rows of an ellipse or ellipsoid get a further factor
// μ_i/μ, which turns the set of friction impulses into a ball: |r_F| <= μ r_N. Rows of joints,
// limits and motors are scaled one by one (their laws are separable); a block of more rows than a
// cell holds is split.
//
// Vectors have 4 numbers per cell, blocks of W are stored by columns of 4 numbers, `width` columns;
// what a cell does not use is zero.
#ifndef CAIRN_SOLVE_CELLS_H
#define CAIRN_SOLVE_CELLS_H

#include "math/simd.h"
#include "solve/method.h"

enum { CAIRN_CELL_STRIDE = 4 };

typedef enum cairn_cell_kind {
    CAIRN_CELL_CONE,     ///< K* ∋ u + μ|u_F| e_N ⟂ r ∈ K = {|r_F| <= μ r_N}
    CAIRN_CELL_BOUNDS,   ///< r_i in [lo_i, hi_i], u_i = 0 between; also frictionless contacts
    CAIRN_CELL_DIRECTED, ///< r = r_N along, 0 <= u_N ⟂ r_N >= 0
} cairn_cell_kind;

typedef struct cairn_cell {
    cairn_cell_kind kind;
    int row, rows;      ///< rows of the problem that it holds
    int body[2];        ///< moving bodies, counted without the others, or -1
    int slip_count;     ///< CONE: friction rows; a row of no friction stays 0
    int slip[3];        ///< CONE: their places in the cell
    double mu;          ///< CONE
    double scale[4];    ///< S
    double lo[4];       ///< BOUNDS
    double hi[4];       ///< BOUNDS
    double along[4];    ///< DIRECTED
    double softness[4]; ///< compliance, scaled
} cairn_cell;

/// The scaled Jacobian of one cell towards one body: W = Ĵ Ĵ^T + C.
typedef struct cairn_cell_rows {
    cairn_double4 column[6]; ///< Ĵ by columns: the cell's rows in the lanes
    cairn_double4 row[4][2]; ///< the same by rows: linear and angular part
} cairn_cell_rows;

typedef struct cairn_cells {
    int count;
    int width;      ///< 3, or 4 when some contact bears a spin
    int body_count; ///< moving bodies; 0 when A is explicit
    cairn_cell* cell;
    double* q;
    double* diagonal;   ///< W_cc, 4 * width each
    cairn_cell_rows* J; ///< 2 per cell, or NULL
    const int* begin;   ///< explicit W: count + 1
    const int* column;  ///< explicit W
    double* W;          ///< explicit W, 4 * width per block, or NULL
    const cairn_problem* problem;
    double* diagonal_of_rows; ///< the diagonal of A, row_count
    double* lambda;           ///< scratch for measuring, row_count
    double* v;                ///< scratch for measuring, row_count
    bool smoothed;            ///< pyramids or boxes are solved as cones
    bool plain;               ///< all are contacts with a round cone, or without friction
    double speed;             ///< max |b|
    double length;            ///< |b|
} cairn_cells;

/// Makes the cells of a job. CAIRN_NOT_SUPPORTED when a contact has a friction set of the user's.
cairn_status cairn_cells_prepare(cairn_cells* cells, const cairn_job* job);

/// Numbers in the state w = Ĵ^T r that goes with r (0 when W is explicit).
static inline size_t cairn_cells_state_size(const cairn_cells* cells)
{
    return 8 * (size_t)cells->body_count;
}

/// w += Ĵ^T x of one cell.
void cairn_cells_push(const cairn_cells* cells, double* w, int c, const double* x);

/// y = W x; w is scratch for a state.
void cairn_cells_product(const cairn_cells* cells, double* y, const double* x, double* w);

/// r from and to the impulses of the problem.
void cairn_cells_load(const cairn_cells* cells, double* r, const double* lambda);
void cairn_cells_store(const cairn_cells* cells, double* lambda, const double* r);

/// Moves r into the set of impulses that the laws allow.
void cairn_cells_project(const cairn_cells* cells, double* r);

/// The certificate's figures at r with u = W r + q: the larger of the relative residual and, when
/// the options ask for it, |F|/|q|.
double cairn_cells_error(const cairn_cells* cells, const cairn_job* job, const double* r,
                         const double* u);

CAIRN_DECLARE_KERNEL(void, cairn_cells_product_kernel,
                     (const cairn_cells* cells, double* y, const double* x, double* w));

#endif
