// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The least impulses among those that give the same motion; see least_norm.c.
#ifndef CAIRN_SOLVE_LEAST_NORM_H
#define CAIRN_SOLVE_LEAST_NORM_H

#include "solve/method.h"

enum {
    cairn_shared_contacts = 1000
}; ///< of an island, and bodies: larger ones keep what they have

/// An answer: impulses that obey the law, and the velocities of their rows.
typedef struct cairn_answer {
    const cairn_delassus* A; ///< of a problem with rows
    const double* v;         ///< row_count
    double still;            ///< m/s: slower is at rest
    cairn_law law;
    int facets;
} cairn_answer;

/// What is known of the set of answers.
typedef struct cairn_shared {
    int multiplicity; ///< its dimension, or CAIRN_MULTIPLICITY_UNKNOWN
    bool moves; ///< a contact slides or a motor is at its bound: another answer may move otherwise
} cairn_shared;

/// The dimension of the set of answers of some blocks that do not feel the others, and, where it is
/// not 0, the least of these answers in `lambda`. Where that is not found, lambda stays as it is.
/// Not known for more than cairn_shared_contacts. CAIRN_NO_MEMORY, CAIRN_INTERRUPTED or CAIRN_OK.
cairn_status cairn_least_norm(double* lambda, cairn_shared* shared, const cairn_answer* answer,
                              const int* blocks, int block_count, cairn_arena* arena,
                              const cairn_stop* stop);

/// C of the rows of a block.
void cairn_share_compliance(double* C, const cairn_problem* problem, const cairn_block* block);

/// After a solve that converged: the least impulses of the job's answer where they are not unique,
/// and the multiplicity of its report.
cairn_status cairn_job_share(cairn_job* job, cairn_error* error);

#endif
