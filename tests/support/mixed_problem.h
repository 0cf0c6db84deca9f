// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A small problem with a block of every kind, every friction law and every number of rows, random
// rows, bounds and compliance: what a law must hold for.
#ifndef CAIRN_TESTS_MIXED_PROBLEM_H
#define CAIRN_TESTS_MIXED_PROBLEM_H

#include <cairn/problem.h>

/// Destroy it with cairn_problem_destroy.
cairn_problem mixed_problem(uint64_t seed);

/// Random numbers in [-1, 1); free() them.
double* random_numbers(uint64_t seed, int n);

#endif
