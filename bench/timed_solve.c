// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "timed_solve.h"
#include "stopwatch.h"
#include <math.h>
#include <stdlib.h>

static const double long_solve = 0.2; // s

cairn_report timed_solve(double* lambda, const cairn_problem* problem, cairn_solve_def def,
                         int runs)
{
    cairn_report best = {.seconds = INFINITY}, report;
    cairn_error error;
    double* own = lambda ? NULL : calloc((size_t)problem->row_count + 1, sizeof(double));
    def.workspace = cairn_workspace_create();
    for (int i = 0; i < runs; i++) {
        stopwatch watch = stopwatch_start();
        if (cairn_solve(problem, &def, lambda ? lambda : own, &report, &error) != CAIRN_OK)
            break;
        report.seconds = 1e-3 * stopwatch_read(&watch);
        if (report.seconds < best.seconds)
            best = report;
        if (report.seconds > long_solve)
            break;
    }

    cairn_workspace_destroy(def.workspace);
    free(own);
    return best;
}
