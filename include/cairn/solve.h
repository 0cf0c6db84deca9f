// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The front door of the solvers: one call, a method by name, options by field, a report that is
// measured.
#ifndef CAIRN_SOLVE_H
#define CAIRN_SOLVE_H

#include <cairn/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a solve ended. The names of cairn_outcome_name are those of `cairn solve --json`.
typedef enum cairn_outcome {
    CAIRN_OUTCOME_CONVERGED,       ///< the measured residual is within tolerance
    CAIRN_OUTCOME_ITERATION_LIMIT, ///< ended by its own limit or stalled; the best answer is returned
    CAIRN_OUTCOME_TIME_LIMIT,      ///< ended by the time budget; the best answer is returned
    CAIRN_OUTCOME_NO_SOLUTION,     ///< the problem was shown to have none
    CAIRN_OUTCOME_RAY, ///< no finite impulses: a direction in which they grow without bound was found
    CAIRN_OUTCOME_SINGULAR,   ///< a matrix that had to be factored has no inverse
    CAIRN_OUTCOME_CANCELED,   ///< ended by the caller's flag; the best answer is returned
    CAIRN_OUTCOME_STEP_LIMIT, ///< of a step: solved, but its motion misses the accuracy
} cairn_outcome;

/// The name of an outcome, as "converged" or "iteration-limit"; static storage.
CAIRN_API const char* cairn_outcome_name(cairn_outcome outcome);

/// Memory that solves reuse: with the same workspace, a solve of a size seen before allocates
/// nothing. One workspace serves one thread at a time.
typedef struct cairn_workspace cairn_workspace;
CAIRN_API cairn_workspace* cairn_workspace_create(void);
CAIRN_API void cairn_workspace_destroy(cairn_workspace* workspace);

/// Called by iterative methods as they go, with the seconds since the start and the residual that
/// the method believes (not certified).
typedef void (*cairn_trace)(void* context, int iteration, double seconds, double residual);

/// The forms of the plain loop of projected Gauss-Seidel, slowest first. All give the same impulses
/// up to round-off.
typedef enum cairn_pgs_form {
    CAIRN_PGS_DENSE,       ///< R0: u = b + A f with the whole of A
    CAIRN_PGS_AUXILIARY,   ///< R1: u = b + J v, v = M^-1 J^T f computed afresh for every row
    CAIRN_PGS_INCREMENTAL, ///< R2: v follows the changes of f
    CAIRN_PGS_COMPRESSED,  ///< R3: rows of J and of J M^-1 stored, 24 numbers each
    CAIRN_PGS_REDUCED,     ///< R5: rows of J M^-1/2 stored, 12 numbers each
} cairn_pgs_form;

/// Options of `pgs`.
typedef struct cairn_pgs_def {
    bool fast;           ///< batches of contacts in vector registers; default true
    bool single;         ///< single precision first, as far as it carries; default true
    cairn_pgs_form form; ///< of the plain loop (fast false, and blocks that no batch can hold)
    bool box;            ///< friction rows bounded one by one: CAIRN_LAW_BOX; default false
    bool lagged;         ///< friction limits from the sweep before (plain loop); default false
    int sweeps;          ///< exactly so many sweeps without any test; default 0: test
    double threshold;    ///< m/s: end when no row violates by more (R4), instead of by the
                         ///< certificate and the tolerance; default 0
    bool filter;         ///< skip rows whose bodies do not change (R6); default false
    double filter_speed; ///< m/s: a smaller change of a body is none; default 0: the threshold
    bool verify;         ///< end a filtered solve with a sweep over all rows; default true
    double relaxation;   ///< factor ω on every step, 0 < ω < 2; default 1
    bool symmetric;      ///< every other sweep runs backward; default false
} cairn_pgs_def;

/// How `prox` and `prox-jacobi` choose the step r of each row.
typedef enum cairn_prox_strategy {
    CAIRN_PROX_SCALAR_LOCAL, ///< r_N = 1/A_NN and one r_F = 1/max diag A_FF per contact
    CAIRN_PROX_METRIC,  ///< r_N = 1/A_NN, R_F = A_FF^-1 and the projection in the norm of R_F^-1
    CAIRN_PROX_GLOBAL,  ///< as published: one r for every row
    CAIRN_PROX_LOCAL,   ///< as published: r = 1/A_ii per row; slides in a wrong direction
    CAIRN_PROX_BLOCKED, ///< as published: 1/A_NN and A_FF^-1, Euclidean projection; likewise wrong
} cairn_prox_strategy;

/// Options of `prox` and `prox-jacobi`.
typedef struct cairn_prox_def {
    cairn_prox_strategy strategy; ///< default CAIRN_PROX_SCALAR_LOCAL
    bool published;     ///< the published driver: a sweep whose change grew is undone and every
                        ///< step multiplied by nu; default false: the robust driver
    double nu;          ///< back-tracking factor; default 0: the strategy's own
    double global_step; ///< kg: r of CAIRN_PROX_GLOBAL; default 0: from the diagonal of A
    bool anderson;      ///< accelerate by mixing iterates, safeguarded; default true
    int anderson_depth; ///< iterates mixed, 1 to 16; default 8
    bool fast;          ///< batches of contacts in vector registers where they apply; default true
    bool single;        ///< as in cairn_pgs_def
} cairn_prox_def;

/// Options of `tree`: methods that it hands rows to, any but `tree` and `auto`.
typedef struct cairn_tree_def {
    const char* auxiliary_method; ///< solves loops, limits, motors and contacts; default "dantzig"
    const char* large_method;     ///< takes over where these are too many; default "pgs"
    int max_auxiliary;            ///< rows of a dense system; default 600
} cairn_tree_def;

/// Options of a solve. Start from cairn_default_solve_def().
typedef struct cairn_solve_def {
    uint32_t
        cookie; ///< of cairn_default_solve_def: options that were not started there are refused
    const char* method; ///< a name of cairn_method_at; default "auto"
    double tolerance;   ///< on the relative residual; default 1e-8
    bool fclib;         ///< also require fclib_relative <= tolerance of methods that solve cones
    bool warm_start;    ///< start from problem->warm; default false
    int max_iterations; ///< sweeps, pivots or factorizations; 0: the method's own limit
    double time_limit;  ///< seconds; 0: none
    double max_work;    ///< the same without a clock: updates of rows, some 10 to 50 ns each. A
                        ///< factorization counts as 32 sweeps; iteration-limit; 0: none
    const cairn_cancel* cancel; ///< a flag that ends the solve when it is raised, or NULL. It may
                                ///< be raised at any time from any thread or from a signal handler
                                ///< and stays up until the solve has returned
    int facets;          ///< corners of the pyramid that stands for a cone, 3 .. 1000; default 8
    int threads;         ///< default 1; never changes the answer
    uint64_t seed;       ///< of methods that draw random numbers; default 1
    bool simpler_law;    ///< `lemke*` may solve ellipses and spin as regular pyramids and call that
                         ///< converged; default false: they are measured against the law as given
    cairn_pgs_def pgs;   ///< options of `pgs`
    cairn_prox_def prox; ///< options of `prox` and `prox-jacobi`
    cairn_tree_def tree; ///< options of `tree`
    cairn_workspace* workspace; ///< or NULL: memory is taken and given back within the call
    double* ray;       ///< room for row_count numbers that receive the direction of a ray, or NULL
    cairn_trace trace; ///< or NULL
    void* trace_context;
    bool any_forces; ///< keep the impulses that the method found where others give the same motion;
                     ///< default false: the least of them, see docs/concepts/forces.md
    uint64_t reserved[2]; ///< room for options to come; 0
} cairn_solve_def;

/// The method "auto" with its usual tolerance and limits.
CAIRN_API cairn_solve_def cairn_default_solve_def(void);

/// Sets an option of a method by its name and a text: "facets", "seed", and each field of pgs, prox
/// and tree as "prox.strategy" (docs/methods.md). Flags are true or false, choices words. Options
/// that are refused stay as they were.
CAIRN_API cairn_status cairn_solve_def_set(cairn_solve_def* def, const char* name,
                                           const char* value, cairn_error* error);

/// The names of these options, one after the other from 0; NULL behind the last.
CAIRN_API const char* cairn_solve_option_at(int index);

/// cairn_report.multiplicity where it was not measured.
#define CAIRN_MULTIPLICITY_UNKNOWN (-1)

/// What a solve did, and how exact its answer is. The residuals are measured by
/// cairn_problem_residual on the returned impulses, never taken from the method.
typedef struct cairn_report {
    const char* method; ///< the method that gave the answer (static storage)
    const char*
        rescued_by; ///< what gave the answer where the method alone did not, or NULL (static
                    ///< storage): another method, "polish" (Newton's method on the cones
                    ///< after pivoting), "start" or "zero" (the impulses that it started
                    ///< from, or none, were better than those that it found)
    cairn_outcome outcome;
    cairn_law law;           ///< the friction law that was solved
    int facets;              ///< of that law, when it is a pyramid
    cairn_residual residual; ///< against that law
    double residual_coulomb; ///< relative residual of the true cones
    double tolerance;
    int multiplicity; ///< in how many independent ways impulses can change without a change of any
                      ///< velocity, as far as no friction limit is in the way. 0: they are unique;
                      ///< CAIRN_MULTIPLICITY_UNKNOWN: one of many, or not measured (islands of
                      ///< more than 1,000 contacts, an explicit A, no convergence, any_forces)
    int iterations;   ///< sweeps or Newton steps
    int pivots;
    int factorizations;
    int rollbacks;      ///< sweeps that were undone
    int64_t row_visits; ///< rows updated by sweeps
    double seconds;
    double work;    ///< updates of rows, as max_work counts them
    char note[160]; ///< one sentence when something is worth saying: a fall-back, a simpler law
} cairn_report;

/// Solves a problem: fills `lambda` (row_count numbers) and `report`. Returns CAIRN_OK also when
/// the solve did not converge; another status means that nothing was solved and lambda is
/// unchanged.
CAIRN_API cairn_status cairn_solve(const cairn_problem* problem, const cairn_solve_def* def,
                                   double* lambda, cairn_report* report, cairn_error* error);

/// Position correction: the problem of normals alone, on gaps instead of velocities. With the gaps
/// g (m, one per block, negative where bodies overlap; blocks other than contacts are ignored),
/// finds
///
///     x >= 0,   J_N M^-1 J_N^T x + g + slop >= 0,   and for every contact one of them zero.
///
/// `x` has row_count numbers: the solution in the normal rows, zeros elsewhere, so that
/// cairn_problem_body_velocity(problem, x, move) gives the displacements (m, rad) that close the
/// overlaps down to the slop. No velocity is touched. Options and status are those of cairn_solve.
CAIRN_API cairn_status cairn_solve_gaps(const cairn_problem* problem, const double* gap,
                                        double slop, const cairn_solve_def* def, double* x,
                                        cairn_report* report, cairn_error* error);

/// What `cairn methods` prints.
typedef struct cairn_method_info {
    const char* name;
    const char* from;    ///< author and year
    const char* law;     ///< the friction that it solves
    const char* summary; ///< what it is for
    bool exact;          ///< ends at round-off instead of at a tolerance
} cairn_method_info;

/// How many methods there are, and what each one is.
CAIRN_API int cairn_method_count(void);
CAIRN_API cairn_method_info cairn_method_at(int index);

#ifdef __cplusplus
}
#endif

#endif
