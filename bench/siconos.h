// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Siconos as a peer, where it is installed: the fastest of a handful of its solvers on a problem.
#ifndef CAIRN_BENCH_SICONOS_H
#define CAIRN_BENCH_SICONOS_H

#include <cairn/problem.h>

typedef struct siconos_result {
    const char* solver; ///< the fastest that reached the tolerance, or NULL
    double milliseconds;
    double residual; ///< |F| / |q| as cairn_problem_residual measures it
} siconos_result;

/// Whether this build has Siconos.
bool siconos_is_here(void);

/// Runs every solver on a problem with an explicit matrix, each in a process of its own that ends
/// after `seconds`. The tolerance is on Siconos' own error |F| / max(|q|, |r|, |u|), which is the
/// laxer one.
siconos_result siconos_best(const cairn_problem* problem, double tolerance, int seconds);

/// Its solvers by number.
int siconos_solver_count(void);
const char* siconos_solver_name(int solver);

/// One solver until |F| / |q|, measured by us, is within the tolerance: its own test is tightened
/// by a factor of ten, up to four times. `solver` of the result is NULL when it never is.
siconos_result siconos_try(const cairn_problem* problem, int solver, double tolerance, int seconds);

#endif
