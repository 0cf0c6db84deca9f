// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The methods `lemke` (reduced), `lemke-structural` and `lemke-standard`: exact pivoting for
// contacts with faceted friction (Lloyd 2004). Each answer is checked by the certificate; an answer
// that fails, a ray or a lost basis hands the problem to the next more robust variant,
//
//     reduced -> reduced with other data against degeneracy, then with the friction met so far
//                active from the start (3 restarts) -> structural -> standard,
//
// and the report says so. For few bodies with many contacts; the work of a pivot grows like the
// cube of the number of bodies (structural, reduced) or the square of the number of contacts
// (standard).

#include "solve/pivot/lemke.h"
#include "solve/pivot/lemke_pivot.h"
#include <string.h>

enum { restarts_allowed = 3 };

// ---------------------------------------------------------------- one attempt

// the direction of a ray, the driving variable included
static cairn_status read_ray(cairn_lemke_solver* solver, cairn_job* job, double* theta)
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
    return cairn_lemke_form_impulses(form, job, job->def->ray, theta, theta + n, true);
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
    solver.max_pivots = job->def->max_iterations ? job->def->max_iterations
                        : solver.reduced         ? 10 * form->count + 100
                                                 : 3 * solver.basis.pairs + 100;
    solver.stop = job->stop;
    solver.basis.stop = &job->stop;
    *attempt = (cairn_lemke_attempt){0};
    attempt->outcome =
        solver.reduced ? run_reduced(&solver, &attempt->restarts) : cairn_lemke_run(&solver);
    attempt->pivots = solver.pivots;
    attempt->kernel = solver.basis.largest;
    cairn_status status = CAIRN_OK;
    if (attempt->outcome == CAIRN_OUTCOME_RAY && job->def->ray)
        status = read_ray(&solver, job, theta);
    cairn_lemke_read(&solver, &solver.now, theta, theta + form->count);
    if (status == CAIRN_OK)
        status =
            cairn_lemke_form_impulses(form, job, job->lambda, theta, theta + form->count, false);
    cairn_arena_release(job->arena, mark);
    return status;
}

// ---------------------------------------------------------------- the methods

static const char* const names[] = {"lemke", "lemke-structural", "lemke-standard"};

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

static cairn_status solve_from(cairn_job* job, cairn_lemke_variant variant, cairn_error* error)
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
    if (form.simpler)
        cairn_job_note(job, "ellipses and spins were solved as regular pyramids");
    if ((form.dense || form.sliding) && variant != CAIRN_LEMKE_STANDARD) {
        cairn_job_note(job, "%s, so the standard variant was taken",
                       form.dense ? "A is not symmetric positive semidefinite"
                                  : "a contact slides in a known direction");
        variant = CAIRN_LEMKE_STANDARD;
    }
    // from variant to variant, the standard one is the last
    for (;;) {
        report->method = names[variant];
        status = cairn_lemke_try(&attempt, job, &form, variant);
        if (status != CAIRN_OK)
            return status;
        report->pivots += attempt.pivots;
        report->outcome = attempt.outcome;
        if (attempt.outcome == CAIRN_OUTCOME_CONVERGED && passes(job)) {
            if (attempt.restarts)
                cairn_job_note(job, "the reduced variant was restarted %d times", attempt.restarts);
            return CAIRN_OK;
        }
        bool limited =
            attempt.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && job->def->max_iterations > 0;
        if (variant == CAIRN_LEMKE_STANDARD || attempt.outcome == CAIRN_OUTCOME_TIME_LIMIT ||
            limited)
            return CAIRN_OK;

        // a path that winds through many bodies does so in both variants that walk there
        cairn_lemke_variant next = attempt.outcome == CAIRN_OUTCOME_ITERATION_LIMIT
                                       ? CAIRN_LEMKE_STANDARD
                                       : (cairn_lemke_variant)(variant + 1);
        cairn_job_note(job, "%s %s; %s was taken", names[variant], what_failed(attempt.outcome),
                       names[next]);
        variant = next;
    }
}

cairn_status cairn_method_lemke(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_REDUCED, error);
}

cairn_status cairn_method_lemke_structural(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_STRUCTURAL, error);
}

cairn_status cairn_method_lemke_standard(cairn_job* job, cairn_error* error)
{
    return solve_from(job, CAIRN_LEMKE_STANDARD, error);
}
