// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every method on one problem, as JSON: what `cairn race --json` prints and what the race page and
// the live view show.
#ifndef CAIRN_CLI_RACE_JSON_H
#define CAIRN_CLI_RACE_JSON_H

#include <cairn/solve.h>
#include <jansson.h>

/// How a race is run.
typedef struct cairn_race_def {
    const cairn_solve_def* solve; ///< its options, the method apart
    int runs;                     ///< of each method at most, of which the fastest counts
    double patience;              ///< s: a method that has run for so long is not run again
    bool traces;                  ///< keep the way of each method
} cairn_race_def;

/// Solves the problem by every method. Gives an object with the keys contacts, bodies, rows,
/// tolerance and methods: first those that met the tolerance, the fastest first, then the others by
/// residual. Each has method, status, residual, residual_coulomb, fclib_relative, iterations,
/// pivots, seconds (of processor time, or of the clock with several threads), rescued_by (what gave
/// the answer where the method alone did not, else null) and perhaps a note. With `traces`
/// each has a trace too: pairs of seconds and residual, as the method saw it on the way, of which
/// the last is the certified end. `won`, when not NULL, says whether a method met the tolerance.
/// The caller owns the object. CAIRN_INTERRUPTED when the race was canceled.
cairn_status cairn_race(json_t** race, const cairn_problem* problem, const cairn_race_def* def,
                        bool* won, cairn_error* error);

#endif
