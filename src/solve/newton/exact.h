// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The stages of the method `exact`. Each works on the same state, measures what it reaches and
// leaves the best point seen so far in `best`.
#ifndef CAIRN_SOLVE_EXACT_H
#define CAIRN_SOLVE_EXACT_H

#include "solve/newton/newton.h"

typedef struct cairn_exact {
    cairn_job* job;
    cairn_cells cells;
    cairn_newton newton;
    size_t size; ///< numbers in a vector: 4 per cell
    double* u;   ///< W r + q of the point that was measured last
    double* w;   ///< scratch: a state
    double* best;
    double best_error;
    double* interior;    ///< where interior points ended, or NULL: not yet
    double goal;         ///< the error to reach
    bool done;           ///< the certificate is within tolerance at `best`
    int factorizations;  ///< of all stages
    int limit;           ///< on factorizations
    int iterations;      ///< sweeps and Newton steps
    double* scratch[10]; ///< vectors of the stages
} cairn_exact;

/// Makes the cells of a job and the memory for measuring; then, when Newton's method is needed, its
/// systems and the memory of the stages.
cairn_status cairn_exact_prepare(cairn_exact* exact, cairn_job* job);
cairn_status cairn_exact_prepare_newton(cairn_exact* exact, cairn_newton_space space);

/// Measures r (its velocity goes to `u`), remembers it when it is the best so far. Returns its
/// error.
double cairn_exact_measure(cairn_exact* exact, const double* r);

/// Whether to end: done, out of time or out of factorizations.
bool cairn_exact_stop(const cairn_exact* exact);

/// Factors the system that newton.local describes and counts it.
bool cairn_exact_factor(cairn_exact* exact);

/// The usual step of the map of proximal-point Newton.
#define CAIRN_PPN_STEP 3.0

/// Proximal-point Newton (ppn.c): from r, weight eps at the start, step rho of the map, until
/// `budget` factorizations in a row have not halved the error.
void cairn_exact_ppn(cairn_exact* exact, double* r, int budget, double eps, double rho);

/// The n - 1 unit vectors that complete a unit vector t to a basis of its n = 1, 2 or 3 dimensions.
int cairn_exact_complete_basis(double p[2][3], const double* t, int n);

/// |Φ| of the inner problem of proximal-point Newton at r around a center, and the Newton direction
/// there: |Φ(r + h dr)| = (1 - h)|Φ(r)| + O(h²) away from kinks. For tests.
double cairn_exact_ppn_map(cairn_exact* exact, const double* r, const double* center, double eps);
bool cairn_exact_ppn_direction(cairn_exact* exact, double* dr, const double* r,
                               const double* center, double eps);

/// Interior points (ipm.c): fills r with its best point, starting from none. With `slips` for
/// Coulomb's law, without for the convex problem of contacts that stick or open. False when the
/// problem has laws that it does not treat.
bool cairn_exact_ipm(cairn_exact* exact, double* r, bool slips);

/// Alternating directions (admm.c): improves r.
void cairn_exact_admm(cairn_exact* exact, double* r, int iterations);

#endif
