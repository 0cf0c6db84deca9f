// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn solve F.hdf5: solves an FCLib problem and says how exact the answer is.

#include "verb.h"
#include <cairn/io.h>
#include <stdlib.h>

typedef struct options {
    verb_common common;
    cairn_solve_def def;
    const char* file[1];
    const char* output;
    bool force;
} options;

enum { key_method = 0x200, key_output = 0x300, key_force = 0x201 };

static error_t parse(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->def;
        state->child_inputs[1] = &o->def;
        state->child_inputs[2] = &o->common;
        return 0;
    case key_method:
        o->def.method = arg;
        return 0;
    case key_output:
        o->output = arg;
        return 0;
    case key_force:
        o->force = true;
        return 0;
    case ARGP_KEY_ARG:
        verb_take_argument(state, o->file, 1, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            verb_usage(state, "no problem given, expected the name of an FCLib file");
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
static const struct argp_child children[] = {{&verb_limits_argp, 0, NULL, 0},
                                             {&verb_tuning_argp, 0, NULL, 0},
                                             {&verb_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp manual = {
    own,
    parse,
    "FILE.hdf5",
    "Solve a contact problem in FCLib's format. It counts as solved when both the relative "
    "residual "
    "and fclib_relative are within the tolerance (1e-8); then the exit status is 0, else 1.\v"
    "Example:\n  cairn solve wall.hdf5 --method auto --tolerance 1e-6 --output solved.hdf5",
    children,
    NULL,
    NULL};

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
    printf("%s: %d contacts, %d bodies, %d rows\n", o->file[0],
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
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %d impulses", o->file[0],
                          problem->row_count);
    cairn_status status = cairn_solve(lambda, problem, &o->def, report, error);
    if (status == CAIRN_OK && o->output)
        status =
            cairn_fclib_write_solution(o->output, o->file[0], problem, lambda, o->force, error);
    free(lambda);
    return status;
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {.def = cairn_default_solve_def()};
    o.def.fclib = true;
    verb_parse(v, argc, argv, &o);

    // refuse before the work, not after it
    cairn_error error;
    cairn_problem problem;
    cairn_report report;
    if (o.output && !verb_may_write(o.output, o.force, &error))
        return verb_fail(v, CAIRN_BAD_INPUT, &error);
    cairn_status status = cairn_fclib_read(&problem, o.file[0], &error);
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

const verb verb_solve = {"solve", "solve an FCLib problem by any method", &manual, run};
