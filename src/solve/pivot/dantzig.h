// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The state of Dantzig's method (see dantzig.c for the idea) and the parts that work on it.
//
// Rows are scaled so that A has a diagonal near one: a_i = s_i v_i, f_i = λ_i / s_i. All rows of a
// contact share one s, times μ_k / max μ for the friction rows of an ellipse or ellipsoid, so that
// every friction set is a ball |f_F| <= μ f_N in one, two or three dimensions ("group").
#ifndef CAIRN_SOLVE_DANTZIG_H
#define CAIRN_SOLVE_DANTZIG_H

#include "linalg/inverse.h"
#include "linalg/ldl.h"
#include "solve/method.h"
#include <cairn/random.h>

enum { cairn_dantzig_group_rows = 3 };

// fmax minds NaNs, which costs a call
static inline double cairn_dantzig_larger(double x, double y)
{
    return x > y ? x : y;
}

typedef enum cairn_dantzig_kind {
    CAIRN_DANTZIG_BOUNDED,  ///< lo <= f <= hi: normals, limits, motors, equality rows
    CAIRN_DANTZIG_FRICTION, ///< belongs to a group
    CAIRN_DANTZIG_INERT,    ///< bears nothing
} cairn_dantzig_kind;

typedef enum cairn_dantzig_row_state {
    CAIRN_DANTZIG_OPEN,    ///< not established: f stays, a is free
    CAIRN_DANTZIG_CLAMPED, ///< a is held at 0
    CAIRN_DANTZIG_LOW,     ///< f is held at lo, a >= 0
    CAIRN_DANTZIG_HIGH,    ///< f is held at hi, a <= 0
} cairn_dantzig_row_state;

typedef enum cairn_dantzig_group_state {
    CAIRN_DANTZIG_GROUP_OPEN, ///< not established: f_F stays
    CAIRN_DANTZIG_PUSHED,     ///< being driven: f_F grows against a_F
    CAIRN_DANTZIG_STICK,      ///< a_F is held at 0 (rows clamped)
    CAIRN_DANTZIG_SLIDE,      ///< f_F = μ f_N u
    CAIRN_DANTZIG_DORMANT,    ///< the contact is open: f_F = 0
} cairn_dantzig_group_state;

typedef struct cairn_dantzig_group {
    int normal;                        ///< its row
    int m;                             ///< dimensions
    int row[cairn_dantzig_group_rows]; ///< m rows
    double mu;                         ///< |f_F| <= mu f_N
    bool dynamic;                      ///< slides for ever: CAIRN_FRICTION_SLIDING
    cairn_dantzig_group_state state;
    double u[cairn_dantzig_group_rows]; ///< unit direction of f_F while sliding
} cairn_dantzig_group;

/// |x| over the rows of a group
static inline double cairn_dantzig_group_norm(const cairn_dantzig_group* group, const double* x)
{
    double sum = 0.0;
    for (int k = 0; k < group->m; k++)
        sum += x[group->row[k]] * x[group->row[k]];
    return sqrt(sum);
}

/// A row of Ĵ in the form with bodies; the world is one more body that never moves.
typedef struct cairn_dantzig_row {
    double j[12];
    int a, b;
} cairn_dantzig_row;

typedef struct cairn_dantzig {
    cairn_job* job;
    int n;

    // A: rows of Ĵ, or dense by columns
    cairn_dantzig_row* rows;
    double* dense;
    double* softness; ///< scaled compliance of the form with bodies, or NULL
    double* w;        ///< 6 per body and 6 for the world
    int body_count;
    bool symmetric; ///< A is symmetric to round-off

    // rows
    double *scale, *b, *lo, *hi, *tol; ///< tol: what counts as zero of a
    double* size; ///< root of the scaled diagonal: near 1 unless a contact is badly scaled
    double *f, *a;
    double *df, *da; ///< the direction of the step
    double* column;  ///< A times the prescribed part of the direction
    double* fresh;   ///< scratch
    unsigned char *kind, *state;
    int* group_first; ///< of a normal row
    int* group_count; ///< of a normal row
    int* group_of;    ///< of a friction row, or -1
    int* stalls;      ///< changes of state without motion in the present drive
    int* tries;       ///< how often a row (or the group of a first friction row) was established
    double b_scale;   ///< largest |b| of the problem

    cairn_dantzig_group* groups;
    int group_total;

    // the clamped rows and their factor
    int k;        ///< rows in the factor
    int capacity; ///< most rows that it can hold
    int* list;    ///< rows in the order of the factor
    int* place;   ///< of a row in the list, or -1
    bool general; ///< the clamped matrix is unsymmetric: `inverse` instead of `ldl`
    cairn_ldl ldl;
    cairn_inverse inverse;
    double* K;                    ///< capacity² scratch of the general form
    double *rhs, *x, *y, *gather; ///< capacity
    int y_row;                    ///< y = L^-1 A[list, y_row], or -1
    int* swap;                    ///< capacity

    // orders and limits
    int* order;         ///< rank of each row among those to be established, or NULL: worst first
    double least_pivot; ///< a row is independent when its pivot is larger (diagonals are near 1)
    int pivots, drives, give_ups, factorizations, limit;
} cairn_dantzig;

// ---------------------------------------------------------------- dantzig_setup.c

/// Builds the scaled problem. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_dantzig_setup(cairn_dantzig* d, cairn_job* job);

/// out = A x
void cairn_dantzig_apply(cairn_dantzig* d, double* out, const double* x);

/// The entries of A times the prescribed direction x at the clamped rows and at `row`: all that a
/// solve needs of it, written to their places in `out`.
void cairn_dantzig_apply_clamped(cairn_dantzig* d, double* out, const double* x, int row);

/// The same for one row of unit force without friction.
void cairn_dantzig_column_clamped(cairn_dantzig* d, double* out, int row);

/// out = A^T x
void cairn_dantzig_apply_transposed(cairn_dantzig* d, double* out, const double* x);

/// λ from f.
void cairn_dantzig_unscale(const cairn_dantzig* d, double* lambda, const double* f);

// ---------------------------------------------------------------- dantzig_factor.c

/// Forgets all clamped rows.
void cairn_dantzig_factor_clear(cairn_dantzig* d);

/// Takes a row into the factor. False when it depends on the rows that are there.
bool cairn_dantzig_factor_append(cairn_dantzig* d, int row);

/// Takes a row out of the factor, if it is there.
void cairn_dantzig_factor_remove(cairn_dantzig* d, int row);

/// Changes the state of a sliding or stopping group and with it the column of its normal.
void cairn_dantzig_factor_set_group(cairn_dantzig* d, cairn_dantzig_group* group,
                                    cairn_dantzig_group_state state);

/// x = K^-1 rhs, both in the order of the list.
void cairn_dantzig_factor_solve(cairn_dantzig* d, double* x, const double* rhs);

/// Computes the factor again.
void cairn_dantzig_factor_renew(cairn_dantzig* d);

/// Sets df of a row and of the friction that slides with it.
void cairn_dantzig_expand(const cairn_dantzig* d, double* df, int row, double value);

// ---------------------------------------------------------------- dantzig_drive.c

typedef enum cairn_dantzig_drive_kind {
    CAIRN_DANTZIG_DRIVE_ROW,   ///< bring a bounded row to a = 0 or to a bound
    CAIRN_DANTZIG_DRIVE_STICK, ///< bring a group (rows clamped) to a_F = 0 or to its limit
    CAIRN_DANTZIG_DRIVE_RESET, ///< bring f_F of an open group to 0
} cairn_dantzig_drive_kind;

typedef enum cairn_dantzig_result {
    CAIRN_DANTZIG_DONE,
    CAIRN_DANTZIG_RAY,   ///< no event limits the step; df is the direction
    CAIRN_DANTZIG_STUCK, ///< too many steps, or no time
} cairn_dantzig_result;

cairn_dantzig_result cairn_dantzig_drive(cairn_dantzig* d, cairn_dantzig_drive_kind kind,
                                         int target);

/// Clamps a row at a = 0, in the factor when it is independent.
void cairn_dantzig_clamp(cairn_dantzig* d, int row);

/// Frees the rows of a group from the factor and leaves it open with f_F as it is.
void cairn_dantzig_open_group(cairn_dantzig* d, cairn_dantzig_group* group);

// ---------------------------------------------------------------- dantzig_establish.c

/// Establishes every row and group in the order `d->order`, from nothing or from the warm start.
cairn_dantzig_result cairn_dantzig_establish(cairn_dantzig* d, bool warm);

/// a = A f + b afresh, and the clamped forces corrected so that their a is 0.
void cairn_dantzig_refresh(cairn_dantzig* d);

// ---------------------------------------------------------------- dantzig_warm.c

/// Seeds the clamped set from the impulses `lambda`. False when it does not help.
bool cairn_dantzig_warm_start(cairn_dantzig* d, const double* lambda);

/// Clamps many normals and limits at once, after a cold start.
void cairn_dantzig_start_in_bulk(cairn_dantzig* d);

// ---------------------------------------------------------------- dantzig_polish.c

/// A residual below this share of the tolerance is not worth another step of Newton's method.
static const double cairn_dantzig_well_below = 0.01;

/// Turns sliding friction against the slip by Newton's method on the natural map, from d->f.
/// Returns the largest scaled error that is left. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_dantzig_polish(cairn_dantzig* d, double* error);

// ---------------------------------------------------------------- dantzig_blocks.c

/// Block pivoting for many contacts, from job->lambda, where the impulses are returned: the answer
/// (`done`) or the best ones that were found. Adds to the report's counts. CAIRN_NO_MEMORY,
/// CAIRN_NOT_SUPPORTED or CAIRN_OK.
cairn_status cairn_dantzig_blocks(cairn_job* job, bool* done);

#endif
