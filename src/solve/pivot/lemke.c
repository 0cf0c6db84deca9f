// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The methods `lemke` (reduced), `lemke-published` (reduced, as printed), `lemke-structural` and
// `lemke-standard`: exact pivoting for contacts with faceted friction (Lloyd 2004). Each answer is
// checked by the certificate; an answer that fails, a lost basis or a ray that proves nothing hands
// the problem on:
//
//     reduced -> from near impulses (lemke_guess.c), from nothing, with other data against
//                degeneracy, then with the friction met so far active from the start (3 restarts)
//             -> structural -> standard
//     published, structural and standard -> their own way, then the reduced one
//
// and the report says so. A pivot factors its basis afresh: that of the bodies (structural,
// reduced; a band where contacts come in the order of a stack) or that of the contacts (standard).
//
// A ray says that no finite impulses exist. For symmetric A that is proven when the impulses along
// it move nothing while the velocities demand that they grow; any other is an error of round-off.

#include "solve/pivot/lemke.h"
#include "problem/friction.h"
#include "solve/pivot/lemke_guess.h"
#include <string.h>

enum {
    restarts_allowed = 3,
    many_dimensions = 36 // of v, from which on a path that starts from nothing winds
};

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------- one attempt

// the direction of a ray, the driving variable included
static void read_ray(const cairn_lemke_solver* solver, double* theta)
{
    const cairn_lemke_form* form = solver->basis.form;
    int open = solver->basis.open, n = form->count;
    cairn_lemke_read(solver, &solver->drive, theta, theta + n);
    if (solver->drive_impulse && open < n) {
        theta[open] += 1.0;
    } else if (solver->drive_impulse) {
        int item = solver->basis.item_of[open], facet = open - solver->basis.group[item];
        for (int k = 0; k < 2 && facet < form->items[item].facets; k++)
            theta[n + 2 * item + k] += form->items[item].corner[2 * facet + k];
    }
}

// The problem with cones inside the pyramids, solved by Newton's method: where contacts stick, its
// answer is one of the pyramids too.
static cairn_status solve_cones(cairn_job* job, double* lambda)
{
    const cairn_problem* problem = job->problem;
    cairn_problem cones = *problem;
    cairn_solve_def def = *job->def;
    cairn_report report = {.tolerance = 1e-9, .facets = def.facets};
    cones.blocks = CAIRN_TAKE(job->arena, cairn_block, problem->block_count);
    if (!cones.blocks)
        return CAIRN_NO_MEMORY;

    // the inscribed cone or ellipse of each contact
    for (int c = 0; c < problem->block_count; c++) {
        cairn_block* block = &cones.blocks[c];
        *block = problem->blocks[c];
        cairn_friction f = cairn_friction_as(&block->friction, CAIRN_LAW_PYRAMID, def.facets);
        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        if (f.kind == CAIRN_FRICTION_PYRAMID && block->row_count > 2)
            block->friction = cairn_friction_cone(f.mu[0] * cairn_cos(pi / f.facets));
        else if (f.kind == CAIRN_FRICTION_BOX)
            block->friction.kind = CAIRN_FRICTION_ELLIPSE;
    }

    // a solve of its own within the time of this one
    def.method = "exact";
    def.tolerance = report.tolerance;
    def.fclib = def.warm_start = false;
    def.ray = NULL;
    def.trace = NULL;
    memset(lambda, 0, (size_t)problem->row_count * sizeof(double));
    cairn_job nested = {.problem = &cones,
                        .def = &def,
                        .arena = job->arena,
                        .lambda = lambda,
                        .started = job->started,
                        .stop = job->stop,
                        .report = &report};

    cairn_error ignored;
    cairn_status status = cairn_delassus_prepare(&nested.A, &cones, job->arena);
    if (status == CAIRN_OK)
        status = cairn_method_find("exact")->solve(&nested, &ignored);
    job->report->factorizations += report.factorizations;
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

static bool found(const cairn_lemke_attempt* attempt)
{
    return attempt->outcome == CAIRN_OUTCOME_CONVERGED ||
           attempt->outcome == CAIRN_OUTCOME_TIME_LIMIT;
}

// Runs the reduced variant from the warm start and, where bodies are many, from an answer with
// cones. `theta` has room for 3 numbers per item.
static cairn_status run_from_guess(cairn_lemke_solver* solver, cairn_job* job, double* theta,
                                   cairn_lemke_attempt* attempt)
{
    const cairn_lemke_form* form = solver->basis.form;
    double* friction = theta + form->count;
    attempt->outcome = CAIRN_OUTCOME_SINGULAR;

    // the impulses of the last step
    if (job->def->warm_start && job->problem->warm) {
        cairn_lemke_form_guess(form, job->problem->warm, theta, friction);
        attempt->guess = CAIRN_LEMKE_WARM;
        if (!cairn_lemke_run_warm(solver, theta, friction, job->arena, &attempt->outcome))
            return CAIRN_NO_MEMORY;
    }

    if (found(attempt) || form->dim <= many_dimensions || form->simpler)
        return CAIRN_OK;

    // the answer of `exact` for the cones inside the pyramids
    cairn_arena_mark mark = cairn_arena_here(job->arena);
    double* lambda = CAIRN_TAKE(job->arena, double, job->problem->row_count);
    cairn_status status = lambda ? solve_cones(job, lambda) : CAIRN_NO_MEMORY;
    if (status != CAIRN_OK)
        return status;

    cairn_lemke_form_guess(form, lambda, theta, friction);
    cairn_arena_release(job->arena, mark);
    attempt->guess = CAIRN_LEMKE_CONES;
    return cairn_lemke_run_near(solver, theta, friction, job->arena, &attempt->outcome)
               ? CAIRN_OK
               : CAIRN_NO_MEMORY;
}

// Runs the reduced variant until it ends well. Data moved by ε may hide what happens below ε, so
// the next run moves them less; the runs after that start with all friction met so far.
static cairn_outcome run_reduced(cairn_lemke_solver* solver, int* restarts)
{
    static const double sizes[restarts_allowed] = {1e-9, 1e-11, 1e-9};
    cairn_outcome outcome = cairn_lemke_run(solver);
    while ((outcome == CAIRN_OUTCOME_SINGULAR || outcome == CAIRN_OUTCOME_RAY) &&
           *restarts < restarts_allowed) {
        solver->perturbation = sizes[*restarts];
        solver->seed++;
        if (++*restarts > 1)
            memcpy(solver->settled, solver->met, (size_t)solver->basis.form->count);
        outcome = cairn_lemke_run(solver);
    }
    return outcome;
}

// a ray of the reduced or structural variant
static cairn_status judge_ray(cairn_lemke_solver* solver, cairn_job* job, double* theta,
                              cairn_lemke_attempt* attempt)
{
    const cairn_lemke_form* form = solver->basis.form;
    read_ray(solver, theta);
    if (!cairn_lemke_form_jams(form, theta, theta + form->count, solver->column.v)) {
        attempt->outcome = CAIRN_OUTCOME_SINGULAR;
        return CAIRN_OK;
    }
    return job->def->ray ? cairn_lemke_form_impulses(form, job, job->def->ray, theta,
                                                     theta + form->count, true)
                         : CAIRN_OK;
}

static cairn_status run(cairn_lemke_solver* solver, cairn_job* job, double* theta,
                        cairn_lemke_attempt* attempt)
{
    if (!solver->reduced) {
        attempt->outcome = cairn_lemke_run(solver);
        return CAIRN_OK;
    }
    cairn_status status = run_from_guess(solver, job, theta, attempt);
    if (status != CAIRN_OK || found(attempt))
        return status;
    attempt->guess = CAIRN_LEMKE_NO_GUESS;
    attempt->outcome = run_reduced(solver, &attempt->restarts);
    return CAIRN_OK;
}

cairn_status cairn_lemke_try(cairn_lemke_attempt* attempt, cairn_job* job,
                             const cairn_lemke_form* form, cairn_lemke_variant variant)
{
    if (variant == CAIRN_LEMKE_STANDARD)
        return cairn_lemke_try_standard(attempt, job, form);

    cairn_arena_mark mark = cairn_arena_here(job->arena);
    cairn_lemke_solver solver;
    double* theta = CAIRN_TAKE(job->arena, double, 3 * (size_t)form->count + 1);
    if (!theta || !cairn_lemke_solver_make(&solver, form, job->arena))
        return CAIRN_NO_MEMORY;

    solver.reduced = variant == CAIRN_LEMKE_REDUCED;
    solver.published = variant == CAIRN_LEMKE_PUBLISHED;
    solver.seed = job->def->seed;
    solver.max_pivots = job->def->max_iterations ? job->def->max_iterations
                        : solver.reduced         ? 10 * form->count + 100
                                                 : 3 * solver.basis.pairs + 100;
    solver.stop = job->stop;
    solver.basis.stop = &job->stop;

    *attempt = (cairn_lemke_attempt){0};
    cairn_status status = run(&solver, job, theta, attempt);
    attempt->pivots = solver.pivots;
    attempt->kernel = solver.basis.largest;

    // a ray may prove that there is no solution
    if (status == CAIRN_OK && attempt->outcome == CAIRN_OUTCOME_RAY)
        status = judge_ray(&solver, job, theta, attempt);

    cairn_lemke_read(&solver, &solver.now, theta, theta + form->count);
    if (status == CAIRN_OK)
        status =
            cairn_lemke_form_impulses(form, job, job->lambda, theta, theta + form->count, false);

    cairn_arena_release(job->arena, mark);
    return status;
}

// ---------------------------------------------------------------- the methods

static const char* const names[] = {"lemke", "lemke-structural", "lemke-standard",
                                    "lemke-published"};

// what is tried after what, when the first of a row was asked for
static const cairn_lemke_variant chains[][3] = {
    {CAIRN_LEMKE_REDUCED, CAIRN_LEMKE_STRUCTURAL, CAIRN_LEMKE_STANDARD},
    {CAIRN_LEMKE_STRUCTURAL, CAIRN_LEMKE_STANDARD, CAIRN_LEMKE_REDUCED},
    {CAIRN_LEMKE_STANDARD, CAIRN_LEMKE_REDUCED, CAIRN_LEMKE_REDUCED},
    {CAIRN_LEMKE_PUBLISHED, CAIRN_LEMKE_REDUCED, CAIRN_LEMKE_STANDARD},
};

static const char* what_failed(cairn_outcome outcome)
{
    switch (outcome) {
    case CAIRN_OUTCOME_CONVERGED:
        return "failed its check";
    case CAIRN_OUTCOME_RAY:
        return "ended on a ray";
    case CAIRN_OUTCOME_SINGULAR:
        return "lost its basis";
    default:
        return "reached its limit";
    }
}

// Another variant cannot bring a pyramid nearer to the cone of FCLib's figure.
static bool passes(cairn_job* job)
{
    cairn_residual residual = {.relative = INFINITY};
    if (cairn_job_done(job, job->lambda, &residual))
        return true;
    bool pyramid = residual.relative <= job->def->tolerance;
    if (pyramid)
        cairn_job_note(job, "the pyramids are solved; a cone asks for more facets or a method "
                            "for cones");
    return pyramid;
}

static cairn_status solve_pyramids(cairn_job* job, cairn_lemke_variant variant, bool* simpler,
                                   cairn_error* error)
{
    cairn_report* report = job->report;
    cairn_lemke_form form;
    cairn_lemke_attempt attempt;

    report->law = CAIRN_LAW_PYRAMID;
    cairn_status status = cairn_lemke_form_make(&form, job, error);
    if (status != CAIRN_OK)
        return status;

    // a form that was not finished is of no use: the impulses stay those of the start
    report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
    if (cairn_job_stopped(job))
        return CAIRN_OK;

    *simpler = form.simpler;
    if (form.simpler)
        cairn_job_note(job, "ellipses and spins were solved as regular pyramids");
    if ((form.dense || form.sliding) && variant != CAIRN_LEMKE_STANDARD) {
        cairn_job_note(job, "%s, so the standard variant was taken",
                       form.dense ? "A is not symmetric positive semidefinite"
                                  : "a contact slides in a known direction");
        variant = CAIRN_LEMKE_STANDARD;
    }

    // the variants of the chain, until one passes the certificate
    const cairn_lemke_variant* chain = chains[variant];
    for (int k = 0;; k++) {
        variant = chain[k];
        report->method = names[variant];
        status = cairn_lemke_try(&attempt, job, &form, variant);
        if (status != CAIRN_OK)
            return status;

        report->pivots += attempt.pivots;
        report->outcome = attempt.outcome;
        if (attempt.outcome == CAIRN_OUTCOME_CONVERGED && passes(job)) {
            if (attempt.guess == CAIRN_LEMKE_CONES)
                cairn_job_note(job, "pivoting started from an answer of `exact` for cones");
            if (attempt.restarts)
                cairn_job_note(job, "the reduced variant was restarted %d times", attempt.restarts);
            return CAIRN_OK;
        }

        // a ray, a limit or the end of the chain ends it
        bool limited =
            attempt.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && job->def->max_iterations > 0;
        bool last = k == 2 || chain[k + 1] == variant || form.dense || form.sliding;
        if (last || limited || attempt.outcome == CAIRN_OUTCOME_RAY ||
            attempt.outcome == CAIRN_OUTCOME_TIME_LIMIT)
            return CAIRN_OK;

        // a path over bodies that was too long for one variant is too long for the structural one
        if (attempt.outcome == CAIRN_OUTCOME_ITERATION_LIMIT &&
            chain[k + 1] == CAIRN_LEMKE_STRUCTURAL)
            k++;
        cairn_job_note(job, "%s %s; %s was taken", names[variant], what_failed(attempt.outcome),
                       names[chain[k + 1]]);
    }
}

static cairn_status solve_from(cairn_job* job, cairn_lemke_variant variant, cairn_error* error)
{
    bool simpler = false;
    cairn_status status = solve_pyramids(job, variant, &simpler, error);

    // the answer for a simpler law is measured against the law that was given
    if (status == CAIRN_OK && simpler && !job->def->simpler_law)
        job->report->law = CAIRN_LAW_AS_GIVEN;
    return status;
}

cairn_status cairn_method_lemke(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_REDUCED, error);
}

cairn_status cairn_method_lemke_published(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_PUBLISHED, error);
}

cairn_status cairn_method_lemke_structural(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_STRUCTURAL, error);
}

cairn_status cairn_method_lemke_standard(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_STANDARD, error);
}
