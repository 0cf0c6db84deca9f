// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `files`: every FCLib file of a folder (--problems DIR, or the bundled ones) by our methods
// and by Siconos' solvers, from zero to a relative residual of 1e-4 and 1e-8. The error is |F|/|q|,
// measured by cairn_problem_residual for all; a solver of Siconos whose own test was too lax is run
// again with a tighter one, and the time of the run that passes counts.

#include "siconos.h"
#include "suite.h"
#include "timed_solve.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { file_limit = 1000, repetitions = 3 };

static const char* const methods[] = {"auto", "exact", "prox", "gauss-seidel"};
static const double tolerances[] = {1e-4, 1e-8};

typedef struct tally {
    int files;
    int ours[2], theirs[2]; ///< files solved by our auto, and by the best of Siconos
    int faster[2];          ///< files on which our best is at least as fast as Siconos' best
} tally;

// milliseconds, the least of some solves from zero; NaN when the tolerance was missed
static double our_time(const cairn_problem* problem, const char* method, double tolerance,
                       double seconds, double* residual)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
    def.fclib = true;
    def.time_limit = seconds;
    cairn_report report = timed_solve(NULL, problem, def, repetitions);
    *residual = isfinite(report.seconds) ? report.residual.fclib_relative : NAN;
    return *residual <= tolerance ? 1e3 * report.seconds : NAN;
}

static void add_row(bench* b, const char* file, int contacts, double tolerance, const char* solver,
                    double ms, double residual)
{
    json_t* row = json_pack("{s:s, s:i, s:f, s:s}", "file", file, "contacts", contacts, "tolerance",
                            tolerance, "solver", solver);
    json_object_set_new(row, "ms", isfinite(ms) ? json_real(ms) : json_null());
    json_object_set_new(row, "residual", isfinite(residual) ? json_real(residual) : json_null());
    bench_row(b, row);
}

static double try_siconos(bench* b, const char* file, int contacts, const cairn_problem* problem,
                          double tolerance)
{
    cairn_problem form = {0};
    cairn_error error;
    const cairn_problem* asked = problem;
    double best = NAN;
    int count = b->quick ? 3 : siconos_solver_count();

    // Siconos takes an explicit matrix
    if (!problem->A) {
        if (cairn_problem_explicit(problem, &form, &error) != CAIRN_OK)
            return NAN;
        asked = &form;
    }

    for (int k = 0; k < count; k++) {
        siconos_result r = siconos_try(asked, k, tolerance, b->quick ? 1 : 3);
        char name[64];
        snprintf(name, sizeof name, "Siconos %s", siconos_solver_name(k));

        double ms = r.solver ? r.milliseconds : NAN;
        add_row(b, file, contacts, tolerance, name, ms, r.residual);
        best = fmin(isnan(best) ? INFINITY : best, isnan(ms) ? INFINITY : ms);
    }

    if (asked == &form)
        cairn_problem_destroy(&form);
    return best;
}

static void measure(bench* b, tally* t, const char* file, const cairn_problem* problem)
{
    int contacts = cairn_problem_contact_count(problem);
    t->files++;

    for (int k = 0; k < 2; k++) {
        double best = INFINITY;

        // `auto`, the first of ours, decides whether a file counts as solved
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            double residual;
            double ms =
                our_time(problem, methods[m], tolerances[k], b->quick ? 0.3 : 3.0, &residual);
            add_row(b, file, contacts, tolerances[k], methods[m], ms, residual);
            best = fmin(best, isnan(ms) ? INFINITY : ms);
            t->ours[k] += m == 0 && isfinite(ms);
        }

        if (siconos_is_here()) {
            double theirs = try_siconos(b, file, contacts, problem, tolerances[k]);
            t->theirs[k] += isfinite(theirs);
            t->faster[k] += isfinite(best) && best <= theirs;
        }
    }
}

// ---------------------------------------------------------------- the folder

static bool bundled(char* folder, size_t size)
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(own, '/');
    if (!slash)
        return false;
    *slash = '\0';
    snprintf(folder, size, "%s/../../tests/data/fclib", own);
    return access(folder, R_OK) == 0;
}

static int by_name(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static int list(char** names, const char* folder)
{
    int count = 0;
    DIR* d = opendir(folder);
    for (const struct dirent* e; d && count < file_limit && (e = readdir(d));)
        if (strstr(e->d_name, ".hdf5"))
            names[count++] = strdup(e->d_name);
    if (d)
        closedir(d);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

static void conclude(bench* b, const tally* t)
{
    for (int k = 0; k < 2 && t->files > 0; k++) {
        bench_bound(b, t->ours[k] == t->files, "auto: %d of %d files to %.0e by |F|/|q|",
                    t->ours[k], t->files, tolerances[k]);
        if (siconos_is_here())
            bench_bound(b, t->faster[k] == t->files,
                        "to %.0e our fastest method is no slower than Siconos' fastest solver on "
                        "%d of %d files (Siconos solves %d)",
                        tolerances[k], t->faster[k], t->files, t->theirs[k]);
    }
    if (!siconos_is_here())
        bench_say(b, "skipped: libsiconos-numerics-dev is not installed");
}

void bench_files(bench* b)
{
    char folder[2 * PATH_MAX];
    char* names[file_limit];
    tally t = {0};

    if (b->problems) {
        snprintf(folder, sizeof folder, "%s", b->problems);
    } else if (!bundled(folder, sizeof folder)) {
        bench_say(b, "no folder of FCLib files; --problems DIR names one");
        return;
    }

    int count = list(names, folder);
    for (int i = 0; i < count; i++) {
        char path[3 * PATH_MAX];
        cairn_problem problem;
        cairn_error error;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (cairn_fclib_read(path, &problem, &error) != CAIRN_OK) {
            bench_bound(b, false, "%s", error.text);
        } else {
            // --quick leaves the large ones out
            *strstr(names[i], ".hdf5") = '\0';
            if ((!b->quick || cairn_problem_contact_count(&problem) <= 150) &&
                bench_reach(b, "%s", names[i]))
                measure(b, &t, names[i], &problem);
            cairn_problem_destroy(&problem);
        }
        free(names[i]);
    }
    conclude(b, &t);
}
