// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A by its definition, with dense matrices and no cleverness: what tests compare with.
#ifndef CAIRN_TESTS_DENSE_REFERENCE_H
#define CAIRN_TESTS_DENSE_REFERENCE_H

#include <cairn/problem.h>

/// J M^-1 J^T + C, or the explicit A, row-major; free() it.
double* dense_A(const cairn_problem* problem);

/// The greatest |a_i - b_i| over the greatest |b_i| (or the former alone when b is zero).
double dense_distance(const double* a, const double* b, size_t n);

/// Elimination with complete pivoting of a symmetric n x n matrix and a right-hand side (both are
/// spoiled): the rank, with pivots below `small` times the largest taken as zero. `left` receives
/// what remains of the right-hand side outside the range, relative to its largest entry.
int dense_rank(double* A, double* b, int n, double small, double* left);

/// The least diagonal entry met by a Cholesky factorization with diagonal pivoting, relative to the
/// largest: at least -round-off if and only if A is positive semidefinite. A is spoiled.
double dense_least_pivot(double* A, int n);

#endif
