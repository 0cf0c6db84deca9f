// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numbers of rigid bodies and ball joints straight into a tree whose bodies all have six
// coordinates: what cairn_tree_set_mass and cairn_tree_set_constraint do, without matrices in
// between. The next factorization takes all links.
#ifndef CAIRN_SOLVE_TREE_INPUT_H
#define CAIRN_SOLVE_TREE_INPUT_H

#include "solve/tree.h"

/// M = diag(mass, mass, mass) and the inertia about the center, world axes.
static inline void cairn_tree_put_body(cairn_tree* tree, int body, double mass, cairn_mat3 I)
{
    int k = tree->link_of_body[body];
    if (k < 0)
        return;
    const double M[21] = {mass, 0.0, mass,   0.0,    0.0, mass, 0.0, 0.0,    0.0,    I.cx.x, 0.0,
                          0.0,  0.0, I.cx.y, I.cy.y, 0.0, 0.0,  0.0, I.cx.z, I.cy.z, I.cz.z};
    double* to = tree->inputs + tree->links[k].input;
    for (int i = 0; i < 21; i++)
        to[i] = M[i];
    tree->fresh = true;
}

/// sign (1, -[r]x): the rows of a point at the arm r of a body.
static inline void cairn_tree_put_arm(double* to, double sign, cairn_vec3 r)
{
    double x = sign * r.x, y = sign * r.y, z = sign * r.z;
    const double rows[18] = {sign, 0.0, 0.0, 0.0, z,   -y,   0.0, sign, 0.0,
                             -z,   0.0, x,   0.0, 0.0, sign, y,   -x,   0.0};
    for (int i = 0; i < 18; i++)
        to[i] = rows[i];
}

/// The rows of cairn_ball_rows of a primary constraint.
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
