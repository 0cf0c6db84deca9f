// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `papers`: figures of the papers that no other suite measures: how fast mechanisms run, what
// pivoting costs on a wall beside sweeps, and beside a general convex solver without friction, what
// half the memory per row saves, how kinetic energy decays.

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
    if (cairn_generate(&def, &problem, &error) != CAIRN_OK)
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
    if (cairn_generate(&def, &problem, &error) != CAIRN_OK)
        return;
    double dantzig = solve_ms(&problem, "dantzig", 1e-8, 2.0, &residual);
    double general = solve_ms(&problem, "exact", 1e-8, 2.0, &residual);
    add(b, "100 contacts without friction, dantzig", dantzig, "ms");
    add(b, "100 contacts without friction, exact", general, "ms");
    cairn_problem_destroy(&problem);
}

// A hundred sweeps of the plain loop on a wall of 24,192 rows, with J and J M^-1 stored and with
// the one matrix that serves for both.
static void storage_of_rows(bench* b)
{
    static const struct {
        const char* figure;
        cairn_pgs_form form;
    } forms[] = {{"32 x 32 wall, rows of 24 numbers", CAIRN_PGS_COMPRESSED},
                 {"32 x 32 wall, rows of 12 numbers", CAIRN_PGS_REDUCED}};
    cairn_generate_def wall = cairn_default_generate_def("wall");
    cairn_problem problem;
    cairn_error error;
    wall.width = wall.height = 32;
    if (cairn_generate(&wall, &problem, &error) != CAIRN_OK)
        return;
    for (int k = 0; k < 2; k++) {
        cairn_solve_def def = cairn_default_solve_def();
        def.method = "pgs";
        def.pgs.fast = false;
        def.pgs.form = forms[k].form;
        def.pgs.sweeps = 100;
        add(b, forms[k].figure, 1e3 * timed_solve(NULL, &problem, def, 5).seconds, "ms");
    }
    cairn_problem_destroy(&problem);
}

// Jacks that fall on each other: how far the kinetic energy rises above its least value so far,
// over its greatest, once it has fallen to a hundredth of that.
static void decay(bench* b)
{
    scene_run run = scene_open("jacks");
    double peak = 0.0, least = INFINITY, rise = 0.0;
    while (run.steps * run.info.dt < run.info.time - 1e-9) {
        scene_step(&run);
        double kinetic = run.last.kinetic;
        if (kinetic > peak)
            peak = kinetic, least = INFINITY, rise = 0.0;
        if (kinetic < 0.01 * peak)
            least = fmin(least, kinetic);
        if (isfinite(least))
            rise = fmax(rise, kinetic - least);
    }
    add(b, "jacks, rise of the kinetic energy after settling", rise / peak, "relative");
    scene_close(&run);
}

void bench_papers(bench* b)
{
    mechanism(b, "jack", "jack");
    mechanism(b, "gears", "gears");
    mechanism(b, "fourbar", "four-bar linkage");
    if (bench_reach(b, "pivoting without friction"))
        pivoting_without_friction(b);
    if (bench_reach(b, "storage of rows"))
        storage_of_rows(b);
    if (bench_reach(b, "kinetic energy of jacks"))
        decay(b);
    if (bench_reach(b, "pivoting on a wall"))
        pivoting_on_a_wall(b);
}
