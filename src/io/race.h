// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every method on one problem, as JSON: what `cairn race --json` prints and what the race page and
// the live view show.
#ifndef CAIRN_IO_RACE_H
#define CAIRN_IO_RACE_H

#include <cairn/solve.h>
#include <jansson.h>

/// Solves the problem by every method with the options of `def`. Gives an object with the keys
/// contacts, bodies, rows, tolerance and methods; each method has method, status, residual,
/// residual_coulomb, fclib_relative, iterations, seconds and perhaps a note. With `traces` each has
/// a trace too: pairs of seconds and residual, as the method saw it on the way, of which the last
/// is the certified end. `won`, when not NULL, tells whether a method is within tolerance. The
/// caller owns the object.
cairn_status cairn_race(json_t** race, const cairn_problem* problem, const cairn_solve_def* def,
                        bool traces, bool* won, cairn_error* error);

#endif
