// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The front door: check the problem, prepare A, run a method, measure its answer. A method's word
// is never taken: the outcome is `converged` if and only if the certificate says so.

#include "math/accept.h"
#include "math/numbers.h"
#include "problem/friction.h"
#include "problem/residual.h"
#include "solve/least_norm.h"
#include "solve/method.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cairn_workspace {
    cairn_arena arena;
    cairn_kept* kept; // what methods keep between solves: a list
};

cairn_workspace* cairn_workspace_create(void)
{
    return calloc(1, sizeof(cairn_workspace));
}

void cairn_workspace_destroy(cairn_workspace* workspace)
{
    if (!workspace)
        return;
    while (workspace->kept) {
        cairn_kept* first = workspace->kept;
        workspace->kept = first->next;
        first->destroy(first);
    }
    cairn_arena_destroy(&workspace->arena);
    free(workspace);
}

void cairn_workspace_fit(cairn_workspace* workspace)
{
    cairn_arena_fit(&workspace->arena);
    for (cairn_kept** at = &workspace->kept; *at;) {
        cairn_kept* kept = *at;
        if (kept->fit(kept)) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        kept->destroy(kept);
    }
}

size_t cairn_workspace_memory(const cairn_workspace* workspace)
{
    size_t kept = 0;
    for (const cairn_kept* own = workspace->kept; own; own = own->next)
        kept += own->memory(own);
    return sizeof *workspace + kept + cairn_arena_memory(&workspace->arena);
}

const char* cairn_outcome_name(cairn_outcome outcome)
{
    static const char* const names[] = {"converged", "iteration-limit", "time-limit", "no-solution",
                                        "ray",       "singular",        "canceled",   "step-limit"};
    return (size_t)outcome < sizeof names / sizeof names[0] ? names[outcome] : "unknown";
}

cairn_solve_def cairn_default_solve_def(void)
{
    return (cairn_solve_def){
        .cookie = cairn_cookie,
        .method = "auto",
        .tolerance = 1e-8,
        .facets = 8,
        .threads = 1,
        .seed = 1,
        .pgs = {.fast = true,
                .single = true,
                .form = CAIRN_PGS_REDUCED,
                .verify = true,
                .relaxation = 1.0},
        .tree = {.auxiliary_method = "dantzig", .large_method = "pgs", .max_auxiliary = 600},
        .prox = {.strategy = CAIRN_PROX_SCALAR_LOCAL,
                 .anderson = true,
                 .anderson_depth = 8,
                 .fast = true,
                 .single = true}};
}

// the figure of FCLib judges the true cone: it does not bind a method that solves pyramids or boxes
static bool within(const cairn_residual* residual, const cairn_solve_def* def, cairn_law law)
{
    bool cone = law == CAIRN_LAW_AS_GIVEN || law == CAIRN_LAW_COULOMB;
    bool strict = def->fclib && cone && residual->fclib_relative > def->tolerance;
    return residual->relative <= def->tolerance && !strict;
}

// The certificate of λ against the law that the report names. A method measures its answer before
// it returns it, `auto` and the front door ask again: the same impulses are measured once.
static cairn_status measure(const cairn_job* job, const double* lambda, cairn_residual* residual)
{
    const cairn_report* report = job->report;
    cairn_measured* last = job->measured;
    size_t bytes = (size_t)job->problem->row_count * sizeof(double);
    if (last && last->any && last->law == report->law && last->facets == report->facets &&
        memcmp(last->lambda, lambda, bytes) == 0) {
        *residual = last->residual;
        return CAIRN_OK;
    }

    cairn_status status = cairn_residual_measure(residual, job->problem, lambda, report->law,
                                                 report->facets, job->arena);
    if (status != CAIRN_OK || !last)
        return status;

    // remember it for the next call with these impulses
    last->any = true;
    last->law = report->law;
    last->facets = report->facets;
    last->residual = *residual;
    memcpy(last->lambda, lambda, bytes);
    return CAIRN_OK;
}

bool cairn_job_done(const cairn_job* job, const double* lambda, cairn_residual* residual)
{
    // without memory to measure them in, impulses are as bad as can be
    cairn_residual measured;
    bool known = measure(job, lambda, &measured) == CAIRN_OK;
    if (!known)
        measured = (cairn_residual){.relative = INFINITY, .velocity = INFINITY};
    if (residual)
        *residual = measured;
    return known && within(&measured, job->def, job->report->law);
}

void cairn_job_trace(const cairn_job* job, int iteration, double residual)
{
    if (job->def->trace)
        job->def->trace(job->def->trace_context, iteration, cairn_clock() - job->started, residual);
}

void cairn_job_note(cairn_job* job, const char* format, ...)
{
    if (job->report->note[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(job->report->note, sizeof job->report->note, format, arguments);
    va_end(arguments);
}

cairn_kept** cairn_job_kept(const cairn_job* job, void (*destroy)(cairn_kept* kept))
{
    if (!job->def->workspace)
        return NULL;
    cairn_kept** at = &job->def->workspace->kept;
    while (*at && (*at)->destroy != destroy)
        at = &(*at)->next;
    return at;
}

cairn_status cairn_job_delegate(cairn_job* job, const char* method, cairn_error* error)
{
    const cairn_method* other = cairn_method_find(method);
    if (!other)
        return cairn_fail(error, CAIRN_FAULT, "the fall-back '%s' is not a method", method);
    job->report->method = other->info.name;
    job->report->law = CAIRN_LAW_AS_GIVEN;
    return other->solve(job, error);
}

static cairn_status check_def(const cairn_solve_def* def, cairn_error* error)
{
    if (cairn_accept_def(error, def->cookie, "cairn_default_solve_def") != CAIRN_OK)
        return CAIRN_BAD_INPUT;

    if (!(def->tolerance >= 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT, "the tolerance is %g, expected a number >= 0",
                          def->tolerance);

    if (def->max_iterations < 0 || !(def->time_limit >= 0.0) || !(def->max_work >= 0.0) ||
        def->threads < 1)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "limits are negative or no thread is allowed: expected iterations >= 0, "
                          "time >= 0, work >= 0, threads >= 1");

    if (def->facets < 3 || def->facets > cairn_most_facets)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "a friction pyramid of %d facets, expected 3 to %d", def->facets,
                          cairn_most_facets);

    if (!cairn_method_find(def->method))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "'%s' is not a method; `cairn methods` lists them", def->method);

    return CAIRN_OK;
}

// no facets anywhere: the law as given and the law with true cones are one
static bool all_smooth(const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++) {
        cairn_friction_kind kind = problem->blocks[c].friction.kind;
        if (problem->blocks[c].kind == CAIRN_BLOCK_CONTACT &&
            (kind == CAIRN_FRICTION_PYRAMID || kind == CAIRN_FRICTION_BOX))
            return false;
    }
    return true;
}

// The outcome that the certificate allows. A raised cancel flag is always reported, whatever the
// answer is worth; a method that ran out of time without a limit has used up its work, or was
// canceled by a flag that is down again.
static cairn_outcome judge(const cairn_job* job)
{
    cairn_report* report = job->report;
    bool limited = job->def->time_limit > 0.0;
    if (report->outcome == CAIRN_OUTCOME_TIME_LIMIT && cairn_stop_exhausted(&job->stop))
        report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    if (cairn_is_raised(job->def->cancel) ||
        (report->outcome == CAIRN_OUTCOME_TIME_LIMIT && !limited))
        return CAIRN_OUTCOME_CANCELED;

    if (within(&report->residual, job->def, report->law))
        return CAIRN_OUTCOME_CONVERGED;
    return report->outcome == CAIRN_OUTCOME_CONVERGED ? CAIRN_OUTCOME_ITERATION_LIMIT
                                                      : report->outcome;
}

// measures other impulses and takes them over when they are better than the answer, or when the
// answer is not finite
static cairn_status prefer(cairn_job* job, const double* other, const char* name)
{
    const cairn_problem* problem = job->problem;
    cairn_report* report = job->report;
    cairn_residual residual;
    size_t bytes = (size_t)problem->row_count * sizeof(double);

    // `warm` and islands that were not reached in time end where they started
    if (memcmp(other, job->lambda, bytes) == 0)
        return CAIRN_OK;

    // most others are worse, and a few blocks show it
    bool worse, finite = cairn_all_finite(job->lambda, problem->row_count);
    cairn_status status = cairn_residual_exceeds(&worse, problem, other, report->residual.relative,
                                                 report->law, report->facets, job->arena);
    if (status != CAIRN_OK || (worse && finite))
        return status;

    status =
        cairn_residual_measure(&residual, problem, other, report->law, report->facets, job->arena);
    if (status != CAIRN_OK)
        return status;
    bool better = residual.relative < report->residual.relative;
    if (!better && finite)
        return CAIRN_OK;

    report->residual = residual;
    report->rescued_by = name;
    memcpy(job->lambda, other, bytes);
    return CAIRN_OK;
}

// No method returns impulses that are worse than those that it started from or than none: one that
// was stopped half way, that found a ray or that diverged may end there. Where data near the end of
// the range of numbers overflowed, the impulses may be infinite or NaN.
static cairn_status keep_better_start(cairn_job* job)
{
    const cairn_problem* problem = job->problem;
    size_t count = (size_t)problem->row_count;
    double* zero = CAIRN_TAKE_ZEROED(job->arena, double, count);
    if (!zero)
        return CAIRN_NO_MEMORY;
    cairn_status status = CAIRN_OK;
    if (job->def->warm_start && problem->warm)
        status = prefer(job, problem->warm, "start");
    return status == CAIRN_OK ? prefer(job, zero, "zero") : status;
}

// a method that handed the problem on to another one was rescued by it; `auto` is there to choose
static void name_rescuer(const cairn_job* job)
{
    cairn_report* report = job->report;
    bool another = !cairn_method_is(report->method, job->def->method);
    if (another && !cairn_method_is(job->def->method, "auto"))
        report->rescued_by = report->method;
}

static cairn_status certify(cairn_job* job, double* lambda, cairn_error* error)
{
    cairn_report* report = job->report;
    cairn_residual coulomb;

    name_rescuer(job);
    cairn_status status = measure(job, job->lambda, &report->residual);
    if (status == CAIRN_OK && !within(&report->residual, job->def, report->law))
        status = keep_better_start(job);
    else if (status == CAIRN_OK && !job->def->any_forces && job->problem->row_count > 0)
        status = cairn_job_share(job, error);

    // the report also tells how far the answer is from Coulomb's law, whatever law was solved
    coulomb = report->residual;
    if (status == CAIRN_OK && !(report->law == CAIRN_LAW_AS_GIVEN && all_smooth(job->problem)))
        status = cairn_residual_measure(&coulomb, job->problem, job->lambda, CAIRN_LAW_COULOMB,
                                        report->facets, job->arena);
    if (status != CAIRN_OK)
        return status;

    report->residual_coulomb = coulomb.relative;
    report->outcome = judge(job);
    if (job->problem->row_count > 0)
        memcpy(lambda, job->lambda, (size_t)job->problem->row_count * sizeof(double));
    return CAIRN_OK;
}

static cairn_status run(cairn_job* job, double* lambda, cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    const cairn_method* method = cairn_method_find(job->def->method);
    size_t bytes = (size_t)problem->row_count * sizeof(double);
    cairn_measured measured = {.lambda = CAIRN_TAKE(job->arena, double, problem->row_count)};
    job->lambda = CAIRN_TAKE_ZEROED(job->arena, double, problem->row_count);
    job->measured = &measured;

    cairn_status status = cairn_delassus_prepare(&job->A, problem, job->arena);
    if (status == CAIRN_OK && job->arena->failed)
        status = CAIRN_NO_MEMORY;

    // the method starts from the warm start or from zero
    if (status == CAIRN_OK) {
        if (job->def->warm_start && problem->warm)
            memcpy(job->lambda, problem->warm, bytes);
        job->report->method = method->info.name;
        status = method->solve(job, error);
    }

    // its answer goes through the certificate
    if (status == CAIRN_OK)
        status = certify(job, lambda, error);
    if (status == CAIRN_NO_MEMORY)
        cairn_fail(error, status, "no memory to solve %d rows by %s", problem->row_count,
                   method->info.name);
    return status;
}

cairn_status cairn_solve(const cairn_problem* problem, const cairn_solve_def* def, double* lambda,
                         cairn_report* report, cairn_error* error)
{
    if (!problem || !def || !def->method || !report || (problem->row_count > 0 && !lambda))
        return cairn_refuse_null(
            error, "the problem, the def, its method, the report or the place for the impulses");

    double started = cairn_clock();
    cairn_status status = check_def(def, error);
    if (status == CAIRN_OK)
        status = cairn_problem_check(problem, error);
    if (status != CAIRN_OK)
        return status;

    cairn_arena own = {0};
    cairn_arena* arena = def->workspace ? &def->workspace->arena : &own;
    cairn_arena_reset(arena);

    // the job, with its clock and its work
    cairn_report out = {.tolerance = def->tolerance,
                        .facets = def->facets,
                        .multiplicity = CAIRN_MULTIPLICITY_UNKNOWN};
    cairn_job job = {.problem = problem,
                     .def = def,
                     .arena = arena,
                     .started = started,
                     .stop = cairn_stop_after(started, def->time_limit, def->cancel),
                     .report = &out};
    double spent = 0.0;
    job.stop.spent = &spent;
    job.stop.most = def->max_work > 0.0 ? def->max_work : INFINITY;

    // a failed call changes nothing
    status = run(&job, lambda, error);
    cairn_arena_destroy(&own);
    out.seconds = cairn_clock() - started;
    out.work = spent;
    if (status == CAIRN_OK)
        *report = out;
    return status;
}
