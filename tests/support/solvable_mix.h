// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A problem with a block of every kind and every convex friction set that has a solution: bodies on
// the floor, one per friction set, some of them joined; b = J v_free.
#ifndef CAIRN_TESTS_SOLVABLE_MIX_H
#define CAIRN_TESTS_SOLVABLE_MIX_H

#include <cairn/problem.h>

/// Destroy it with cairn_problem_destroy.
cairn_problem solvable_mix(uint64_t seed);

#endif
