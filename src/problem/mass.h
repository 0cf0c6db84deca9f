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

#endif
