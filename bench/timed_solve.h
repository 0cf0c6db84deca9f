// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The time of a solve from zero: with checks and certificate, the least of some runs.
#ifndef CAIRN_BENCH_TIMED_SOLVE_H
#define CAIRN_BENCH_TIMED_SOLVE_H

#include <cairn/solve.h>

/// Solves up to `runs` times, all with one workspace, and gives the report of the quickest run with
/// its `seconds` by the stopwatch (stopwatch.h): infinite when there was none. Solves of more than
/// 0.2 s are not repeated. `lambda` has room for the rows, or is NULL.
cairn_report timed_solve(double* lambda, const cairn_problem* problem, cairn_solve_def def,
                         int runs);

#endif
