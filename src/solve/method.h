// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a method is: one file in this folder with one function of this type, and one line in the
// table of methods (methods.c). The front door prepares the job, the method fills in the impulses
// and says how it ended, the front door measures.
#ifndef CAIRN_SOLVE_METHOD_H
#define CAIRN_SOLVE_METHOD_H

#include "math/arena.h"
#include "math/stop.h"
#include "problem/delassus.h"
#include <cairn/solve.h>

/// The impulses that were measured last, and what the certificate said of them.
typedef struct cairn_measured {
    double* lambda; ///< row_count; NULL: nothing is remembered
    bool any;
    cairn_law law;
    int facets;
    cairn_residual residual;
} cairn_measured;

/// One solve under way. `lambda` holds the start values on entry (zeros or the warm start) and the
/// answer on return.
typedef struct cairn_job {
    const cairn_problem* problem;
    const cairn_solve_def* def;
    cairn_delassus A;
    cairn_arena* arena;       ///< scratch; given back by the front door
    double* lambda;           ///< row_count
    double started;           ///< cairn_clock() at the start
    cairn_stop stop;          ///< when to end with the best answer so far
    cairn_report* report;     ///< the method sets outcome, law, facets, iterations, pivots, note
    cairn_measured* measured; ///< or NULL: so that nothing is measured twice
} cairn_job;

/// Solves, or returns CAIRN_NO_MEMORY, or CAIRN_NOT_SUPPORTED with a sentence in `error` when the
/// problem has parts that the method cannot treat at all.
typedef cairn_status (*cairn_method_function)(cairn_job* job, cairn_error* error);

typedef struct cairn_method {
    cairn_method_info info;
    cairn_method_function solve;
} cairn_method;

/// The method that chooses others, and the one that joints alone go to: what a caller compares with
/// to know which one it was given.
cairn_status cairn_method_auto(cairn_job* job, cairn_error* error);
cairn_status cairn_method_tree(cairn_job* job, cairn_error* error);

/// Whether a report that names `method` means `name`.
bool cairn_method_is(const char* method, const char* name);

/// The method of a name, or NULL.
const cairn_method* cairn_method_find(const char* name);

/// Whether the job is to end with the best answer so far: its time or its work has run out, or the
/// caller has canceled it. Every method asks this at least every few milliseconds. It then gives the
/// outcome CAIRN_OUTCOME_TIME_LIMIT; the front door tells the reasons apart.
static inline bool cairn_job_stopped(const cairn_job* job)
{
    return cairn_stop_now(&job->stop);
}

/// Says that the method has made so many sweeps over all rows, or what takes as long. A factorization
/// with its products and the line search after it takes 20 to 40 sweeps, from ten to a thousand rows.
/// Where A is given, a row is as long as its entries; and every sweep costs a little by itself.
enum { cairn_sweeps_per_factorization = 32 };
static inline void cairn_job_spend(const cairn_job* job, double sweeps)
{
    const cairn_block_matrix* A = job->problem->A;
    double rows = A ? 0.75 * A->row_begin[A->n] : job->problem->row_count;
    cairn_stop_spend(&job->stop, sweeps * (rows + 16.0));
}

/// Measures λ by the certificate against the law that the report names; true when it is within
/// tolerance (by fclib_relative too, where the options ask for it). `residual` may be NULL.
bool cairn_job_done(const cairn_job* job, const double* lambda, cairn_residual* residual);

/// Tells the caller's trace, if there is one.
void cairn_job_trace(const cairn_job* job, int iteration, double residual);

/// Writes the sentence of the report, unless one is there already.
void cairn_job_note(cairn_job* job, const char* format, ...) CAIRN_PRINTF(2, 3);

/// What a method keeps in the workspace between solves: the first member of a struct of its own.
/// `destroy` tells whose it is.
typedef struct cairn_kept {
    struct cairn_kept* next; ///< what other methods keep
    void (*destroy)(struct cairn_kept* kept);
    size_t (*memory)(const struct cairn_kept* kept); ///< bytes
    bool (*fit)(struct cairn_kept* kept); ///< forgets what no solve since the last fit has used;
                                          ///< false: nothing is left
} cairn_kept;

/// Bytes that a workspace holds.
size_t cairn_workspace_memory(const cairn_workspace* workspace);

/// Gives back what no solve since the last fit has needed.
void cairn_workspace_fit(cairn_workspace* workspace);

/// The place in the job's workspace for what `destroy` belongs to: it holds that, or NULL. NULL when
/// there is no workspace.
cairn_kept** cairn_job_kept(const cairn_job* job, void (*destroy)(cairn_kept* kept));

/// Solves a job by another method, for a fall-back: same problem, same arena, start from
/// job->lambda.
cairn_status cairn_job_delegate(cairn_job* job, const char* method, cairn_error* error);

#endif
