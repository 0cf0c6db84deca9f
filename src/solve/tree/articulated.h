// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts, limits and motors on bodies that joints hold together. The joints of a forest are
// eliminated exactly, in linear time, and the other blocks are swept on what is left:
//
//     Φ = M^-1 - M^-1 J_j^T (J_j M^-1 J_j^T + C)^-1 J_j M^-1,     W_cc = J_c Φ J_c^T.
//
// A contact on a shin then feels the whole figure, not the shin alone, and joints are never open
// between sweeps. See articulated.c for the algorithm.
#ifndef CAIRN_SOLVE_ARTICULATED_H
#define CAIRN_SOLVE_ARTICULATED_H

#include "math/arena.h"
#include "math/simd.h"
#include "math/stop.h"
#include <cairn/problem.h>

/// Six coordinates in eight lanes, and a 6x6 matrix by columns.
typedef cairn_double8 cairn_six;
typedef struct cairn_six_by_six {
    cairn_six column[6];
} cairn_six_by_six;

/// A body as a part of its tree; parents stand before their children.
typedef struct cairn_limb {
    int parent;      ///< -1: a root
    int depth, tree; ///< of a root: 0; which tree
    int body;        ///< of the problem
    int row_count;   ///< of the joint with its parent, or of a root with the world
    int row[6];      ///< in the problem
    bool is_b[6];    ///< the limb is body B of that row
} cairn_limb;

/// What the factorization keeps of a limb. With the articulated inertia I, the joint's rows J of
/// the limb and K of its parent, Y = I^-1 J^T and S = J Y + C,
typedef struct cairn_limb_factor {
    cairn_six_by_six response;    ///< Φ_ii: what an impulse on the limb does to it, by way of all
    cairn_six_by_six down;        ///< T = -Y S^-1 K: how it follows its parent
    cairn_six_by_six up;          ///< T^T: what its parent feels of an impulse on it
    cairn_six_by_six inertia;     ///< I; then its inverse
    cairn_six outer[6], inner[6]; ///< the rows J and K
    cairn_six_by_six S;           ///< its inverse
} cairn_limb_factor;

/// A block that is swept: a contact, a limit, a motor, or a joint that closes a loop.
typedef struct cairn_grip {
    cairn_block_kind kind;
    int a, b;                      ///< limbs, or -1
    int first, row_count;          ///< its rows among those of all grips
    int slip_count, slip[3];       ///< of a contact: the rows of friction that are not without it
    double scale;                  ///< mean diagonal of A_cc, as the certificate has it
    double over;                   ///< its inverse
    double slip_over, slip_square; ///< of friction in scaled rows: over/μ², μ²
    double lo, hi;                 ///< of one row
    double slide;                  ///< of a contact that slides: l of solve/sweep/local_solve.c
    double diagonal[6];            ///< of W
    double W[36];                  ///< contacts: W by columns of 4; others: W^-1 by columns of 6
} cairn_grip;

/// One problem under way. Memory of the arena that made it.
typedef struct cairn_articulated {
    const cairn_problem* problem;
    int limb_count, tree_count, grip_count, grip_rows;
    int loop_count; ///< grips that are joints
    int repeated_count,
        *repeated; ///< rows of joints side by side that say what others do: no impulse
    cairn_limb* limbs;
    cairn_limb_factor* factors;
    int* limb_of;       ///< of each body, or -1: it does not move
    cairn_grip* grips;  ///< in the order of sweeps
    cairn_six *ja, *jb; ///< of the rows of grips: their halves, friction scaled so that its cone is
                        ///< the unit one,
    int* row_of;        ///< in the problem
    double* factor_of;  ///< by this factor
    double* b;          ///< likewise
    double* softness;   ///< likewise, of the diagonal
    double* lambda;     ///< likewise, impulses
    double *before, *way;            ///< of the last sweep; the conjugate direction
    cairn_six *v, *v_before, *v_way; ///< of each limb: what impulses change of its velocity
    cairn_six* seen;                 ///< its parent's velocity that it has followed
    cairn_six* pending;              ///< impulses that its parent has not felt yet
    bool* stirred;                   ///< whether there are any
    int *at, *path;                  ///< of each tree: the limb whose velocity is true; scratch
    double last;                     ///< |d|² of the last sweep
    int sweeps;
} cairn_articulated;

/// Finds the forest and the grips of a problem. NULL: no memory, or (the arena has not failed) a
/// kind of friction that sweeps of this kind do not know.
cairn_articulated* cairn_articulated_make(const cairn_problem* problem, cairn_arena* arena);

/// Factors the forest, and what grips need of it. False: an inertia is not positive.
bool cairn_articulated_factor(cairn_articulated* all);

/// Takes impulses of the problem as the start, with the velocities that they give.
void cairn_articulated_start(cairn_articulated* all, double* lambda);

/// One sweep over all grips; returns the largest change in m/s, as the certificate measures.
double cairn_articulated_sweep(cairn_articulated* all);

/// The impulses of all rows that solve the joints exactly beside those of the grips.
void cairn_articulated_finish(cairn_articulated* all, double* lambda);

CAIRN_DECLARE_KERNEL(bool, cairn_articulated_factor_kernel, (cairn_articulated * all));
CAIRN_DECLARE_KERNEL(void, cairn_articulated_solve_kernel,
                     (cairn_articulated * all, const double* force, const double* c,
                      double* lambda));
CAIRN_DECLARE_KERNEL(double, cairn_articulated_sweep_kernel, (cairn_articulated * all));

#endif
