// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numbers of rigid bodies and ball joints straight into a tree whose bodies all have six
// coordinates: what cairn_tree_set_mass and cairn_tree_set_constraint do, without matrices in
// between. The next factorization takes all links.
#ifndef CAIRN_SOLVE_TREE_INPUT_H
#define CAIRN_SOLVE_TREE_INPUT_H

#include "solve/tree/tree.h"

/// M = diag(mass, mass, mass) and the inertia about the center, world axes. What else there is in M
/// is zero, and nothing else has been put there.
static inline void cairn_tree_put_body(cairn_tree* tree, int body, double mass, cairn_mat3 I)
{
    int k = tree->link_of_body[body];
    if (k < 0)
        return;

    double* M = tree->inputs + tree->links[k].input;
    M[0] = M[2] = M[5] = mass;
    M[9] = I.cx.x;
    M[13] = I.cx.y;
    M[14] = I.cy.y;
    M[18] = I.cx.z;
    M[19] = I.cy.z;
    M[20] = I.cz.z;
    tree->fresh = true;
}

/// sign (1, -[r]x): the rows of a point at the arm r of a body; zeros are there already.
static inline void cairn_tree_put_arm(double* to, double sign, cairn_vec3 r)
{
    double x = sign * r.x, y = sign * r.y, z = sign * r.z;
    to[0] = to[7] = to[14] = sign;
    to[4] = z;
    to[5] = -y;
    to[9] = -z;
    to[11] = x;
    to[15] = y;
    to[16] = -x;
}

/// The rows of cairn_ball_rows of a primary constraint, which has never had others.
static inline void cairn_tree_put_ball(cairn_tree* tree, int constraint, cairn_vec3 r_a,
                                       cairn_vec3 r_b)
{
    const cairn_tree_link* link = &tree->links[tree->link_of_constraint[constraint]];
    double* outer = tree->inputs + link->input + cairn_packed(6);
    double* inner = outer + cairn_tree_block(6, 3);
    cairn_tree_put_arm(outer, link->outer_is_b ? 1.0 : -1.0, link->outer_is_b ? r_b : r_a);
    if (link->parent >= 0)
        cairn_tree_put_arm(inner, link->outer_is_b ? -1.0 : 1.0, link->outer_is_b ? r_a : r_b);
    tree->fresh = true;
}

#endif
