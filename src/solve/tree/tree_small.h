// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The small dense system that the auxiliary constraints of a forest leave: v = S μ + s.
#ifndef CAIRN_SOLVE_TREE_SMALL_H
#define CAIRN_SOLVE_TREE_SMALL_H

#include "linalg/ldl.h"
#include "solve/method.h"

/// One row or contact as the other method sees it: three rows, absent ones -1. Its impulses λ' and
/// velocities v' stand for μ = sign λ' + shift and v = sign v'.
typedef struct cairn_small_item {
    int row[3];
    double sign;
    double shift;
    bool load; ///< row 0 is a made-up normal that carries a motor's limit
    cairn_friction friction;
} cairn_small_item;

typedef struct cairn_small {
    cairn_job* job;
    int block_count, row_count;
    const int* blocks;  ///< of the job's problem
    double* S;          ///< row_count², compliance included
    double* s;          ///< row_count
    double* mu;         ///< row_count: the answer
    cairn_ldl equality; ///< of the rows that must vanish and do not repeat others
    int* equal;         ///< these rows
    int refused;        ///< rows that must vanish and depend on others
    int refused_block;  ///< the first block of such a row, or -1
    int item_count;
    cairn_small_item* items;
    double* scratch; ///< row_count
    bool* stuck;     ///< row_count: rows that equality rows have left without mobility
    double* Y;       ///< L^-1 S of the equality rows, one column per row of S
    cairn_problem problem;
    double* lambda;
    double* other_ray; ///< of the reduced problem, or NULL: nobody asks for rays
    double* ray;       ///< row_count: the direction of a ray, where that is the outcome
    cairn_outcome outcome;
    bool exact; ///< the other method ends at round-off: asking again would change nothing
} cairn_small;

/// Whether the small system can hold the block: every kind but contacts with spin.
bool cairn_small_takes(const cairn_block* block);

/// Takes memory for blocks with `row_count` rows in all; the caller then fills in S and s.
bool cairn_small_take(cairn_small* small, cairn_job* job, const int* blocks, int block_count,
                      int row_count);

/// Removes the equality rows and states the rest for the other method, starting from the job's
/// impulses.
cairn_status cairn_small_prepare(cairn_small* small);

/// Solves to a tolerance and fills in mu. May be called again with a smaller one.
cairn_status cairn_small_solve(cairn_small* small, const char* method, double tolerance,
                               cairn_error* error);

#endif
