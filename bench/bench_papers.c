// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `papers`: figures of the papers that no other suite measures: how fast mechanisms run, what
// pivoting costs on a wall beside sweeps, and beside a general convex solver without friction.

#include "scene_run.h"
#include "suite.h"
#include "timed_solve.h"
#include <math.h>
#include <stdlib.h>

static void add(bench* b, const char* figure, double value, const char* unit)
{
    bench_row(b, json_pack("{s:s, s:f, s:s}", "figure", figure, "value", value, "unit", unit));
}

// milliseconds and relative residual of the quickest of some solves
static double solve_ms(const cairn_problem* problem, const char* method, double tolerance,
                       double limit, double* residual)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
    def.time_limit = limit;
    cairn_report report = timed_solve(NULL, problem, def, 3);
    *residual = report.residual.relative;
    return 1e3 * report.seconds;
}

static void mechanism(bench* b, const char* scene, const char* figure)
{
    if (!bench_reach(b, "%s", figure))
        return;
    scene_run run = scene_open(scene);
    scene_advance(&run, b->quick ? 1.0 : 4.0);
    add(b, figure, 1e3 * run.steps / run.ms, "steps/s");
    scene_close(&run);
}

static void pivoting_on_a_wall(bench* b)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    cairn_problem problem;
    cairn_error error;
    double limit = b->quick ? 2.0 : 30.0, pivoted, swept;
    def.width = def.height = 10;
    if (cairn_generate(&problem, &def, &error) != CAIRN_OK)
        return;
    double dantzig = solve_ms(&problem, "dantzig", 1e-8, limit, &pivoted);
    double pgs = solve_ms(&problem, "pgs", 1e-2, limit, &swept);
    add(b, "10 x 10 wall, dantzig", dantzig, "ms");
    add(b, "10 x 10 wall, dantzig: residual", pivoted, "relative");
    add(b, "10 x 10 wall, pgs", pgs, "ms");
    add(b, "10 x 10 wall, pgs: residual", swept, "relative");
    cairn_problem_destroy(&problem);
}

static void pivoting_without_friction(bench* b)
{
    cairn_generate_def def = cairn_default_generate_def("random");
    cairn_problem problem;
    cairn_error error;
    double residual;
    def.width = 25;
    def.height = 100;
    def.mu = 0.0;
    if (cairn_generate(&problem, &def, &error) != CAIRN_OK)
        return;
    double dantzig = solve_ms(&problem, "dantzig", 1e-8, 2.0, &residual);
    double general = solve_ms(&problem, "exact", 1e-8, 2.0, &residual);
    add(b, "100 contacts without friction, dantzig", dantzig, "ms");
    add(b, "100 contacts without friction, exact", general, "ms");
    cairn_problem_destroy(&problem);
}

void bench_papers(bench* b)
{
    mechanism(b, "jack", "jack");
    mechanism(b, "gears", "gears");
    mechanism(b, "fourbar", "four-bar linkage");
    if (bench_reach(b, "pivoting without friction"))
        pivoting_without_friction(b);
    if (bench_reach(b, "pivoting on a wall"))
        pivoting_on_a_wall(b);
}
