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
} siconos_result;

/// Whether this build has Siconos.
bool siconos_is_here(void);

/// Runs every solver on a problem with an explicit matrix, each in a process of its own that ends
/// after `seconds`. The tolerance is on Siconos' own error |F| / max(|q|, |r|, |u|), which is the
/// laxer one.
siconos_result siconos_best(const cairn_problem* problem, double tolerance, int seconds);

#endif
