// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Newton's method in the velocities of a few bodies with joints and contacts; see few_bodies.c.
#ifndef CAIRN_SOLVE_FEW_BODIES_H
#define CAIRN_SOLVE_FEW_BODIES_H

#include "linalg/six_lu.h"
#include "math/stop.h"
#include <cairn/problem.h>

/// A block of the problem, between bodies that move.
typedef struct cairn_few_block {
    cairn_block_kind kind;
    int a, b;               ///< of the bodies that move, or -1
    int first, row_count;   ///< its rows; those of friction that is none are not among them
    double over, slip_over; ///< ρ: what turns a velocity into an impulse of the size of the law's
    double T[9];            ///< of a contact that slides: B of its friction rows
    double along[3];        ///< and how they follow the normal one
} cairn_few_block;

/// One problem under way. Rows of friction are scaled so that its cone is the unit one.
typedef struct cairn_few_bodies cairn_few_bodies;
struct cairn_few_bodies {
    const cairn_problem* problem;

    // the kernels of this machine
    void (*start)(cairn_few_bodies* all, const double* lambda);
    bool (*step)(cairn_few_bodies* all);
    double (*error)(const cairn_few_bodies* all, double springs, double* worst);

    cairn_six_lu lu;
    int body_count, block_count, row_count;
    int* index_of; ///< of each body, or -1: nothing moves it
    cairn_few_block* blocks;
    cairn_double8 *ja, *jb;                   ///< of the rows: M^-1/2 J^T
    int* row_of;                              ///< in the problem
    double* unit;                             ///< by which a row is scaled
    double *offset, *soft, *spring, *lo, *hi; ///< b, C, S and the bounds of each row
    double* center;                           ///< what the springs are unloaded at
    double *lambda, *y;                       ///< impulses, and velocities without springs
    double *g, *B, *B_last;       ///< λ = g - B y of each row, and how the factors have it
    double *lambda_last, *y_last; ///< before the last step
    cairn_double8* w;             ///< of each body: M^1/2 of what impulses change of its velocity
    cairn_double8* rest;          ///< scratch, likewise
    bool sprung;                  ///< λ is one of the problem on springs
    bool factored;
    int factorizations, iterations;
};

/// Reads a problem. NULL: no memory, or (the arena has not failed) more than 64 bodies, factors that fill in, or a
/// law of friction without a smooth cone.
cairn_few_bodies* cairn_few_bodies_make(const cairn_problem* problem, cairn_arena* arena);

/// Solves from the impulses `lambda`, of which the sets of what sticks, slides and bears are taken, until the error
/// of the natural map is below `goal` (m/s) or `stop` says so. Of all answers it is the least. False: not even
/// `enough` was reached; `lambda` is as it was.
bool cairn_few_bodies_solve(cairn_few_bodies* all, double* lambda, double goal, double enough,
                            const cairn_stop* stop);

/// Impulses as the start, with the velocities that they give. The first point z is that of the problem without
/// springs.
CAIRN_DECLARE_KERNEL(void, cairn_few_bodies_start_kernel,
                     (cairn_few_bodies * all, const double* lambda));

/// One step of Newton's: new impulses and velocities. False when the system is singular.
CAIRN_DECLARE_KERNEL(bool, cairn_few_bodies_step_kernel, (cairn_few_bodies * all));

/// |F| over all blocks (m/s) and the worst of them, with `springs` times what these add to the velocities.
CAIRN_DECLARE_KERNEL(double, cairn_few_bodies_error_kernel,
                     (const cairn_few_bodies* all, double springs, double* worst));

#endif
