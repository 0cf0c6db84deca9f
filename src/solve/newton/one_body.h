// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Newton's method in the six velocities of one body; see one_body.c.
#ifndef CAIRN_SOLVE_ONE_BODY_H
#define CAIRN_SOLVE_ONE_BODY_H

#include <cairn/problem.h>

/// How the impulse of a contact changes with the change δ of its velocity:
/// λ' = λ - f - (stiff n n^T + cross d n^T + along d d^T + beside p p^T) δ.
typedef struct cairn_one_body_answer {
    cairn_vec3 f, d, p;
    double stiff, cross, along, beside;
} cairn_one_body_answer;

/// A contact of the body with something that no impulse moves.
typedef struct cairn_one_body_contact {
    cairn_vec3 n, t;    ///< unit: the normal from A to B and a tangent, world
    cairn_vec3 arm;     ///< m: from the center of the body to the point
    cairn_vec3 other;   ///< m/s: velocity of the partner's point
    cairn_vec3 bias;    ///< m/s: what u has beside the velocities
    cairn_vec3 impulse; ///< N s, on B
    double mu;
    double mean;                  ///< tr(A_cc)/3
    bool is_b;                    ///< the body is B of the contact
    cairn_one_body_answer answer; ///< of the last step
} cairn_one_body_contact;

/// Relative residual below which the rest is round-off.
static const double cairn_one_body_exact = 1e-13;

/// One step of Newton's: new impulses of all contacts. `v` is the velocity of the body with the
/// impulses at hand. False when the system is singular.
bool cairn_one_body_step(cairn_one_body_contact* contacts, int count, const cairn_mass* mass,
                         const double* v);

#endif
