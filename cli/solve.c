// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn solve F.hdf5: solves an FCLib problem and says how exact the answer is.

#include "verb.h"
#include <cairn/io.h>
#include <math.h>
#include <stdlib.h>

typedef struct options {
    verb_common common;
    const char* output;
    double known_slip; ///< m/s; 0: none
} options;

static const verb_option own[] = {
    {"method", "NAME", "Method, see `cairn methods` (auto)", VERB_METHOD,
     offsetof(options, common.def.method), 0, 0, NULL},
    {"output", "FILE", "Write the problem and its solution as an FCLib file", VERB_OUTPUT,
     offsetof(options, output), 0, 0, NULL},
    {"known-slip", "SPEED",
     "Treat contacts that slip faster than this (m/s) before the solve as sliding in "
     "that direction",
     VERB_POSITIVE, offsetof(options, known_slip), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Solve a contact problem from an FCLib file. It counts as solved if the relative "
    "residual is within the tolerance (1e-8) and, unless the method replaces cones by "
    "pyramids or boxes, fclib_relative too; then the exit status is 0, else 1.\v"
    "Example:\n  cairn solve wall.hdf5 --method auto --tolerance 1e-6 --output solved.hdf5";

// what the report says, or else which simpler law was solved; false when there is nothing to say
static bool note_of(char* note, size_t size, const cairn_report* report)
{
    if (report->note[0])
        snprintf(note, size, "%s", report->note);
    else if (report->law == CAIRN_LAW_PYRAMID)
        snprintf(note, size, "friction cones were replaced by pyramids of %d facets",
                 report->facets);
    else if (report->law == CAIRN_LAW_BOX)
        snprintf(note, size, "friction cones were replaced by boxes");
    else
        return false;
    return true;
}

// what is shown
typedef struct result {
    const options* o;
    const cairn_problem* problem;
    const cairn_report* report;
} result;

static json_t* to_json(const void* from)
{
    const result* r = from;
    const cairn_report* report = r->report;
    json_t* out = json_object();

    // the outcome, and the size of the problem
    verb_set_string(out, "method", report->method);
    verb_set_string(out, "status", cairn_outcome_name(report->outcome));
    verb_set_integer(out, "contacts", cairn_problem_contact_count(r->problem));
    verb_set_integer(out, "bodies", r->problem->body_count);
    verb_set_integer(out, "rows", r->problem->row_count);

    // the certificate
    verb_set_real(out, "residual", report->residual.relative);
    verb_set_real(out, "residual_velocity", report->residual.velocity);
    verb_set_real(out, "residual_coulomb", report->residual_coulomb);
    verb_set_real(out, "fclib_merit", report->residual.fclib_merit);
    verb_set_real(out, "fclib_relative", report->residual.fclib_relative);
    verb_set_real(out, "tolerance", report->tolerance);
    verb_set_integer(out, "multiplicity", report->multiplicity);

    // what it cost
    verb_set_integer(out, "iterations", report->iterations);
    verb_set_integer(out, "pivots", report->pivots);
    verb_set_integer(out, "factorizations", report->factorizations);
    verb_set_real(out, "seconds", report->seconds);

    // a fallback method, and the remark of the solver
    json_object_set_new(out, "rescued_by",
                        report->rescued_by ? json_string(report->rescued_by) : json_null());
    char note[sizeof report->note];
    if (note_of(note, sizeof note, report))
        verb_set_string(out, "note", note);
    return out;
}

static void to_text(const void* from)
{
    const result* r = from;
    const cairn_report* report = r->report;

    verb_print("%s: %d contacts, %d bodies, %d rows", r->o->common.arguments[0],
               cairn_problem_contact_count(r->problem), r->problem->body_count,
               r->problem->row_count);
    verb_print("%s by %s in %.3g s: %d iterations, %d pivots", cairn_outcome_name(report->outcome),
               report->method, report->seconds, report->iterations, report->pivots);

    verb_print("residual          %9.3e  (tolerance %.3g)", report->residual.relative,
               report->tolerance);
    verb_print("residual_velocity %9.3e  m/s", report->residual.velocity);
    verb_print("residual_coulomb  %9.3e", report->residual_coulomb);
    verb_print("fclib_merit       %9.3e", report->residual.fclib_merit);
    verb_print("fclib_relative    %9.3e", report->residual.fclib_relative);

    if (report->multiplicity != CAIRN_MULTIPLICITY_UNKNOWN)
        verb_print("multiplicity      %9d  %s", report->multiplicity,
                   report->multiplicity == 0 ? "(impulses are unique)"
                                             : "(impulses are not unique: the least norm)");
    else
        verb_print("multiplicity        unknown  (impulses may not be unique)");

    if (report->rescued_by)
        verb_print("rescued_by        %s", report->rescued_by);
    char note[sizeof report->note];
    if (note_of(note, sizeof note, report))
        verb_print("%s", note);
    if (r->o->output)
        verb_print_file(r->o->output, 0.0);
}

static cairn_status solve_and_write(const options* o, const cairn_problem* problem,
                                    cairn_report* report, cairn_error* error)
{
    double* lambda = malloc((size_t)problem->row_count * sizeof(double) + 1);
    if (!lambda)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %d impulses",
                          o->common.arguments[0], problem->row_count);
    cairn_status status = cairn_solve(problem, &o->common.def, lambda, report, error);
    if (status == CAIRN_OK && report->outcome == CAIRN_OUTCOME_CANCELED)
        status = cairn_fail(error, CAIRN_INTERRUPTED, "the solve was interrupted");
    if (status == CAIRN_OK && o->output)
        status = cairn_fclib_write_solution(o->output, o->common.arguments[0], problem, lambda,
                                            o->common.force, error);
    free(lambda);
    return status;
}

// cones whose slip is known from b
static void take_slip(cairn_problem* problem, double speed)
{
    for (int c = 0; c < problem->block_count; c++) {
        cairn_block* block = &problem->blocks[c];
        if (block->kind != CAIRN_BLOCK_CONTACT || block->friction.kind != CAIRN_FRICTION_CONE ||
            block->row_count < 2)
            continue;
        const double* b = problem->b + block->row;
        double x = b[1], y = block->row_count > 2 ? b[2] : 0.0, slip = hypot(x, y);
        if (slip > speed)
            block->friction = (cairn_friction){.kind = CAIRN_FRICTION_SLIDING,
                                               .mu = {block->friction.mu[0]},
                                               .slip = {x / slip, y / slip}};
    }
}

static void prepare(verb_common* common)
{
    common->def.fclib = true;
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    options* o = (options*)common;
    cairn_problem problem;
    cairn_report report;
    cairn_status status = cairn_fclib_read(common->arguments[0], &problem, error);
    if (status != CAIRN_OK)
        return status;

    if (o->known_slip > 0.0)
        take_slip(&problem, o->known_slip);

    common->def.cancel = verb_catch_signals();
    status = solve_and_write(o, &problem, &report, error);
    if (status == CAIRN_OK)
        verb_show(common, to_json, to_text, &(result){o, &problem, &report});

    common->missed = status == CAIRN_OK && report.outcome != CAIRN_OUTCOME_CONVERGED;
    cairn_problem_destroy(&problem);
    return status;
}

const verb verb_solve = {
    .name = "solve",
    .summary = "solve an FCLib problem with any method",
    .arguments = "FILE.hdf5",
    .least = 1,
    .most = 1,
    .noun = "problem",
    .expected = "the name of an FCLib file",
    .doc = doc,
    .options = own,
    .limits = true,
    .tuning = true,
    .size = sizeof(options),
    .prepare = prepare,
    .run = run,
};
