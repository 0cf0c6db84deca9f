// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lemke's method on the faceted contact LCP: structural (all friction from the start) and reduced
// (friction where a contact becomes active).
#ifndef CAIRN_SOLVE_LEMKE_PIVOT_H
#define CAIRN_SOLVE_LEMKE_PIVOT_H

#include "solve/pivot/lemke_basis.h"

typedef struct cairn_lemke_solver {
    cairn_lemke_basis basis;
    cairn_lemke_point now;    ///< values of the basic variables
    cairn_lemke_point drive;  ///< their change when the driving variable grows
    cairn_lemke_point column; ///< a column of B^-1, for ties
    int* tied;
    int tied_count;
    bool drive_impulse;     ///< the driver is θ, φ or λ of the open pair
    unsigned char* settled; ///< per item: friction that takes part from the start
    unsigned char* met;     ///< per item: friction that ever took part
    bool reduced;           ///< other friction comes and goes with its normal impulse
    bool published;         ///< other friction comes as printed, with covers that grow, and stays
    double perturbation;    ///< of the reduced variant's data, relative to the largest
    uint64_t seed;          ///< of the perturbation
    int max_pivots;         ///< per run
    cairn_stop stop;        ///< when to give up
    int pivots;             ///< of all runs
    int tie_columns;        ///< columns of B^-1 that ties asked for
} cairn_lemke_solver;

/// Takes memory for problems of this form. False: no memory.
bool cairn_lemke_solver_make(cairn_lemke_solver* solver, const cairn_lemke_form* form,
                             cairn_arena* arena);

/// Runs until z_0 leaves (converged: `now` holds a complementary solution whose signs were
/// checked), a ray (`drive` holds it), a limit, or trouble (singular).
cairn_outcome cairn_lemke_run(cairn_lemke_solver* solver);

/// The problem's own data, without perturbation.
void cairn_lemke_true_data(cairn_lemke_solver* solver);

/// The least of the values in `now`, at most zero.
double cairn_lemke_least_value(const cairn_lemke_solver* solver);

/// The walk itself, from a complementary basis that is factored and whose values are in `now`: the
/// cover must make all of them positive at z_0 = 1, with the velocities that it causes in `drive.v`
/// and the values in `drive.value`.
cairn_outcome cairn_lemke_walk(cairn_lemke_solver* solver);

/// θ of each item and the friction impulses T, S from a point's values.
void cairn_lemke_read(const cairn_lemke_solver* solver, const cairn_lemke_point* point,
                      double* theta, double* friction);

#endif
