// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forests of rigid bodies and ball joints: what solve/tree.h does for any joints, in a third of the
// memory and half the time. A link is a body with the joint towards its parent; parents come after
// all their children. With p the velocity of the body at the joint, r its arm and R = [r]x,
//
//     v = p + R ω,      D' = | A  B |  = D in (p, ω),      A p + B ω   = z_p + s λ
//                            | B' C |                      B' p + C ω  = z_ω - r x z_p = z'
//
// (D: mass and what the children add; s = 1 when the body is B of the joint, else -1). Without ω:
//
//     s λ = K p - t,    H = B C^-1,    K = A - H B',    t = z_p - H z',
//
// which the parent feels at its arm ρ: D += P' K P, z += P' (t + s K c), P = (1, -[ρ]x). That is
// the elimination of a positive matrix, ω before p. Back from the roots:
//
//     p = v_p + ω_p x ρ - s c,    ω = C^-1 z' - H' p,    v = p + r x ω.
#ifndef CAIRN_SOLVE_BALL_TREE_H
#define CAIRN_SOLVE_BALL_TREE_H

#include "math/simd.h"
#include "solve/tree/tree.h"

/// A body and the joint towards its parent. Symmetric matrices are packed: xx, yx, yy, zx, zy, zz.
typedef struct cairn_ball_link {
    int parent; ///< link, or -1
    int body;
    int joint;      ///< or -1: a free root
    bool body_is_b; ///< of the joint
    cairn_vec3 r, rho;
    double A[6];    ///< A of D; K when it was factored
    double B[3][3]; ///< B of D, rows; H when it was factored
    double C[6];    ///< C of D; L and 1/Δ of C when it was factored
} cairn_ball_link;

typedef struct cairn_ball_tree {
    int count;
    cairn_ball_link* links;
    int* link_of_body;
    int* link_of_joint;
    double* x; ///< z, then t and C^-1 z': 6 for each link and column
} cairn_ball_tree;

/// Takes over the structure of a forest whose constraints are all primary ball joints of bodies
/// with six coordinates, for solves of up to two columns. Memory of `arena`; false: there is none.
bool cairn_ball_tree_make(cairn_ball_tree* balls, const cairn_tree* tree, cairn_arena* arena);

/// The mass of a body and its inertia about the center, world axes: before each factorization.
static inline void cairn_ball_tree_put_body(cairn_ball_tree* balls, int body, double mass,
                                            cairn_mat3 I)
{
    cairn_ball_link* link = &balls->links[balls->link_of_body[body]];
    const double C[6] = {I.cx.x, I.cx.y, I.cy.y, I.cx.z, I.cy.z, I.cz.z};
    const double A[6] = {mass, 0.0, mass, 0.0, 0.0, mass};
    memcpy(link->A, A, sizeof A);
    memset(link->B, 0, sizeof link->B);
    memcpy(link->C, C, sizeof C);
}

/// The arms of a joint from the centers of its bodies.
static inline void cairn_ball_tree_put_joint(cairn_ball_tree* balls, int joint, cairn_vec3 r_a,
                                             cairn_vec3 r_b)
{
    cairn_ball_link* link = &balls->links[balls->link_of_joint[joint]];
    link->r = link->body_is_b ? r_b : r_a;
    link->rho = link->body_is_b ? r_a : r_b;
}

/// Factors; false when a mass is not positive.
bool cairn_ball_tree_factor(cairn_ball_tree* balls);

/// M y = J^T λ, J y + c = 0: six numbers of y for each body, three of λ and c for each joint, each
/// of them `columns` (1 or 2) side by side. λ may be NULL.
void cairn_ball_tree_solve(cairn_ball_tree* balls, double* y, double* lambda, const double* c,
                           int columns);

// the kernels
typedef struct cairn_ball_sweep {
    const cairn_ball_tree* balls;
    double *y, *lambda;
    const double* c;
} cairn_ball_sweep;

CAIRN_DECLARE_NARROW_KERNEL(bool, cairn_ball_factor, (const cairn_ball_tree* balls));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_ball_solve, (const cairn_ball_sweep* sweep));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_ball_solve2, (const cairn_ball_sweep* sweep));

#endif
