// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The verified rest pass: impulses that hold a pile at rest, found by statics from the top down and
// judged by the certificate.
#ifndef CAIRN_WORLD_STATICS_H
#define CAIRN_WORLD_STATICS_H

#include "math/arena.h"
#include <cairn/problem.h>

/// Tries impulses under which every body stops. `free_velocity` (6 per body) is the velocity
/// without contact impulses and `gap` the gap of each block in meters; contacts that are open by
/// more than `margin` carry nothing. Fills `lambda` and sets `residual` (m/s, the certificate's);
/// it is infinite when the problem has blocks other than contacts, bodies that no chain of contacts
/// leads to the ground, or bodies that what is below them does not stop. The caller accepts the
/// impulses when the residual is small enough: then they solve the problem.
cairn_status cairn_rest_attempt(double* lambda, double* residual, const cairn_problem* problem,
                                const double* free_velocity, const double* gap, double margin,
                                cairn_arena* arena);

#endif
