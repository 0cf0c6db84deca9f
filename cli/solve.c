// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn solve F.hdf5: solves an FCLib problem and says how exact the answer is.

#include "verb.h"
#include <cairn/io.h>
#include <stdlib.h>

typedef struct options {
    verb_common common;
    const char* output;
    bool force;
} options;

enum { key_method = 0x200, key_output = 0x300, key_force = 0x201 };

static error_t take(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_method:
        o->common.def.method = arg;
        return 0;
    case key_output:
        o->output = arg;
        return 0;
    case key_force:
        o->force = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option own[] = {
    {"method", key_method, "NAME", 0, "Method, see `cairn methods` (auto)", 0},
    {"output", key_output, "FILE", 0, "Write the problem with its solution as FCLib", 0},
    {"force", key_force, NULL, 0, "Overwrite an existing output file", 0},
    {0}};
static const char doc[] =
    "Solve a contact problem in FCLib's format. It counts as solved when both the relative "
    "residual "
    "and fclib_relative are within the tolerance (1e-8); then the exit status is 0, else 1.\v"
    "Example:\n  cairn solve wall.hdf5 --method auto --tolerance 1e-6 --output solved.hdf5";

// what the report says, or else which simpler law was solved; false when there is nothing to say
static bool note_of(char* note, size_t size, const cairn_report* report)
{
    if (report->note[0])
        snprintf(note, size, "%s", report->note);
    else if (report->law == CAIRN_LAW_PYRAMID)
        snprintf(note, size, "friction was solved as pyramids of %d facets", report->facets);
    else if (report->law == CAIRN_LAW_BOX)
        snprintf(note, size, "friction was solved as boxes");
    else
        return false;
    return true;
}

static void print_json(const cairn_problem* problem, const cairn_report* report)
{
    json_t* out = json_object();
    verb_set_string(out, "method", report->method);
    verb_set_string(out, "status", cairn_outcome_name(report->outcome));
    verb_set_integer(out, "contacts", cairn_problem_contact_count(problem));
    verb_set_integer(out, "bodies", problem->body_count);
    verb_set_integer(out, "rows", problem->row_count);
    verb_set_real(out, "residual", report->residual.relative);
    verb_set_real(out, "residual_velocity", report->residual.velocity);
    verb_set_real(out, "residual_coulomb", report->residual_coulomb);
    verb_set_real(out, "fclib_merit", report->residual.fclib_merit);
    verb_set_real(out, "fclib_relative", report->residual.fclib_relative);
    verb_set_real(out, "tolerance", report->tolerance);
    verb_set_integer(out, "iterations", report->iterations);
    verb_set_integer(out, "pivots", report->pivots);
    verb_set_real(out, "seconds", report->seconds);
    char note[sizeof report->note];
    if (note_of(note, sizeof note, report))
        verb_set_string(out, "note", note);
    verb_print_json(out);
}

static void print_text(const options* o, const cairn_problem* problem, const cairn_report* report)
{
    printf("%s: %d contacts, %d bodies, %d rows\n", o->common.arguments[0],
           cairn_problem_contact_count(problem), problem->body_count, problem->row_count);
    printf("%s by %s in %.3g s: %d iterations, %d pivots\n", cairn_outcome_name(report->outcome),
           report->method, report->seconds, report->iterations, report->pivots);
    printf("residual          %9.3e  (tolerance %.3g)\n", report->residual.relative,
           report->tolerance);
    printf("residual_velocity %9.3e  m/s\n", report->residual.velocity);
    printf("residual_coulomb  %9.3e\n", report->residual_coulomb);
    printf("fclib_merit       %9.3e\n", report->residual.fclib_merit);
    printf("fclib_relative    %9.3e\n", report->residual.fclib_relative);
    char note[sizeof report->note];
    if (note_of(note, sizeof note, report))
        printf("%s\n", note);
    if (o->output)
        printf("written to %s\n", o->output);
}

static cairn_status solve_and_write(const options* o, const cairn_problem* problem,
                                    cairn_report* report, cairn_error* error)
{
    double* lambda = malloc((size_t)problem->row_count * sizeof(double) + 1);
    if (!lambda)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %d impulses",
                          o->common.arguments[0], problem->row_count);
    cairn_status status = cairn_solve(lambda, problem, &o->common.def, report, error);
    if (status == CAIRN_OK && o->output)
        status = cairn_fclib_write_solution(o->output, o->common.arguments[0], problem, lambda,
                                            o->force, error);
    free(lambda);
    return status;
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {.common.def = cairn_default_solve_def()};
    o.common.def.fclib = true;
    verb_parse(v, argc, argv, &o.common);

    // refuse before the work, not after it
    cairn_error error;
    cairn_problem problem;
    cairn_report report;
    if (o.output && !verb_may_write(o.output, o.force, &error))
        return verb_fail(v, CAIRN_BAD_INPUT, &error);
    cairn_status status = cairn_fclib_read(&problem, o.common.arguments[0], &error);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    status = solve_and_write(&o, &problem, &report, &error);
    if (status == CAIRN_OK && o.common.json)
        print_json(&problem, &report);
    else if (status == CAIRN_OK && !o.common.quiet)
        print_text(&o, &problem, &report);
    cairn_problem_destroy(&problem);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    return report.outcome == CAIRN_CONVERGED ? exit_done : exit_missed;
}

const verb verb_solve = {
    .name = "solve",
    .summary = "solve an FCLib problem by any method",
    .arguments = "FILE.hdf5",
    .least = 1,
    .most = 1,
    .noun = "problem",
    .expected = "the name of an FCLib file",
    .doc = doc,
    .options = own,
    .take = take,
    .limits = true,
    .tuning = true,
    .run = run,
};
