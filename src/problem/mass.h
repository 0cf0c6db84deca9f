// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Small questions about a body's mass.
#ifndef CAIRN_PROBLEM_MASS_H
#define CAIRN_PROBLEM_MASS_H

#include <cairn/problem.h>

/// Whether any impulse can move the body.
static inline bool cairn_mass_moves(const cairn_mass* mass)
{
    const cairn_mat3* I = &mass->inverse_inertia;
    return mass->inverse_mass > 0.0 || I->cx.x > 0.0 || I->cy.y > 0.0 || I->cz.z > 0.0;
}

/// to = M^-1 j of one body and half a row
static inline void cairn_mass_apply(double* to, const cairn_mass* mass, const double* j)
{
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(j[3], j[4], j[5]));
    for (int k = 0; k < 3; k++)
        to[k] = mass->inverse_mass * j[k];
    to[3] = turn.x;
    to[4] = turn.y;
    to[5] = turn.z;
}

/// tr(K) of a body at an arm, K = 1/m - [r] I^-1 [r].
static inline double cairn_mass_trace(double inverse_mass, const cairn_mat3* inverse_inertia,
                                      cairn_vec3 r)
{
    const cairn_mat3* J = inverse_inertia;
    double sum = J->cx.x + J->cy.y + J->cz.z;
    return 3.0 * inverse_mass + sum * cairn_dot(r, r) - cairn_dot(r, cairn_mat3_apply(*J, r));
}

#endif
