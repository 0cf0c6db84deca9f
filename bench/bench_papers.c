// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `papers`: figures of the papers that no other suite measures: how fast mechanisms with
// contacts run by pivoting, what pivoting costs on a wall beside sweeps to the same tolerance, and
// beside a general convex solver without friction, what half the memory per row saves, what a
// strategy of proximal steps does to the time and to the energy of a simulation.

#include "prox_scenes.h"
#include "scene_run.h"
#include "suite.h"
#include "timed_solve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void add(bench* b, const char* figure, double value, const char* unit)
{
    bench_row(b, json_pack("{s:s, s:f, s:s}", "figure", figure, "value", value, "unit", unit));
}

// the quickest of some solves
static cairn_report solve(const cairn_problem* problem, const char* method, double tolerance,
                          double limit)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
    def.time_limit = limit;
    return timed_solve(NULL, problem, def, 3);
}

// a time is told with how the solve ended: a limit that was reached is no time
static void add_solve(bench* b, const char* figure, const cairn_report* report)
{
    bench_row(b, json_pack("{s:s, s:f, s:s, s:s, s:s, s:f}", "figure", figure, "value",
                           1e3 * report->seconds, "unit", "ms", "outcome",
                           cairn_outcome_name(report->outcome), "rescued_by",
                           report->rescued_by ? report->rescued_by : "", "residual",
                           report->residual.relative));
}

// whole steps by `dantzig`, and the method that did give the answers
static void mechanism(bench* b, const char* scene, const char* figure)
{
    if (!bench_reach(b, "%s", figure))
        return;

    scene_run run = scene_open_by(scene, "dantzig");
    int contacts = 0;
    const char* method = "dantzig";
    double end = b->quick ? 0.5 : run.info.time;

    while (run.steps * run.info.dt < end - 1e-9) {
        scene_step(&run);
        contacts = run.last.contacts > contacts ? run.last.contacts : contacts;

        // the method of an island that `dantzig` did not solve itself
        for (int i = 0; i < run.last.islands; i++)
            if (strcmp(run.last.island_reports[i].method, "dantzig") != 0 &&
                run.last.island_reports[i].rows > 0)
                method = run.last.island_reports[i].method;
    }

    bench_row(b,
              json_pack("{s:s, s:f, s:s, s:s, s:i, s:i, s:f}", "figure", figure, "value",
                        1e3 * run.steps / run.ms, "unit", "steps/s", "method", method, "contacts",
                        contacts, "missed", run.missed, "joint_error", run.joint_error));

    scene_close(&run);
}

static void pivoting_on_a_wall(bench* b)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    cairn_problem problem;
    cairn_error error;
    double limit = b->quick ? 2.0 : 30.0, tolerance = 1e-8;
    def.width = def.height = 10;
    if (cairn_generate(&def, &problem, &error) != CAIRN_OK)
        return;

    cairn_report pivoted = solve(&problem, "dantzig", tolerance, limit);
    cairn_report swept = solve(&problem, "pgs", tolerance, limit);
    add_solve(b, "10 x 10 wall, dantzig", &pivoted);
    add_solve(b, "10 x 10 wall, pgs", &swept);
    cairn_problem_destroy(&problem);
}

static void pivoting_without_friction(bench* b)
{
    cairn_generate_def def = cairn_default_generate_def("random");
    cairn_problem problem;
    cairn_error error;
    def.width = 25;
    def.height = 100;
    def.mu = 0.0;
    if (cairn_generate(&def, &problem, &error) != CAIRN_OK)
        return;

    cairn_report dantzig = solve(&problem, "dantzig", 1e-8, 2.0);
    cairn_report general = solve(&problem, "exact", 1e-8, 2.0);
    add_solve(b, "100 contacts without friction, dantzig", &dantzig);
    add_solve(b, "100 contacts without friction, exact", &general);
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

    // the plain loop over rows, so that only the storage differs
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

// ---------------------------------------------------------------- strategies

// A simulation moved by a strategy of its own. The world makes a step by its own solver and shows
// the problem of every island; the strategy solves it from zero, and what its impulses change,
//
//     Δv = M^-1 J^T (λ - λ_world),   Δx = dt/2 Δv,
//
// is added at the end of the step: that is the step of the midpoint rule with these impulses.
typedef struct strategy_run {
    scene_run run;
    cairn_solve_def def;
    double* change; // six numbers for each slot
    double seconds; // of the strategy's solves in this step
    int unsolved;   // islands with a certified residual above the tolerance, all steps
} strategy_run;

static double thread_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void solve_island(void* context, const cairn_island_solve* island)
{
    strategy_run* s = context;
    const cairn_problem* problem = island->problem;
    size_t rows = (size_t)problem->row_count;
    double* lambda = calloc(rows + 1, sizeof(double));
    double* velocity = calloc(6 * (size_t)problem->body_count + 1, sizeof(double));
    cairn_report report;

    if (!lambda || !velocity)
        exit(2);

    double start = thread_clock();
    if (cairn_solve(problem, &s->def, lambda, &report, NULL) != CAIRN_OK)
        exit(2);
    s->seconds += thread_clock() - start;
    s->unsolved += !(report.residual.relative <= s->def.tolerance);

    // what the strategy would change in the motion of the step
    for (size_t i = 0; i < rows; i++)
        lambda[i] -= island->lambda[i];
    cairn_problem_body_velocity(problem, lambda, velocity);
    for (int i = 0; i < problem->body_count; i++)
        memcpy(s->change + 6 * (ptrdiff_t)island->slot[i], velocity + 6 * (ptrdiff_t)i,
               6 * sizeof(double));

    free(lambda);
    free(velocity);
}

static void change_motion(strategy_run* s)
{
    double half = 0.5 * s->run.info.dt;
    for (int slot = 0; slot < cairn_world_body_slots(s->run.world); slot++) {
        const double* d = s->change + 6 * (ptrdiff_t)slot;
        cairn_body_id id = cairn_world_body_at(s->run.world, slot);

        cairn_body_state state;
        if (cairn_body_get(s->run.world, id, &state, NULL) != CAIRN_OK || !isfinite(state.mass))
            continue;
        cairn_vec3 v = cairn_vec(d[0], d[1], d[2]), w = cairn_vec(d[3], d[4], d[5]);

        // the pose moves by half a step of the change; the body turns about its center of mass
        cairn_quat turn = cairn_quat_from_rotation_vector(cairn_scale(half, w));
        cairn_vec3 arm = cairn_sub(state.pose.p, state.center);
        cairn_transform pose = {cairn_add(cairn_add_scaled(state.center, half, v),
                                          cairn_mat3_apply(cairn_quat_to_mat3(turn), arm)),
                                cairn_quat_normalize(cairn_quat_multiply(turn, state.pose.q))};

        cairn_body_set_pose(s->run.world, id, pose, NULL);
        cairn_body_set_velocity(s->run.world, id, cairn_add(state.velocity, v),
                                cairn_add(state.spin, w), NULL);
    }
}

static double percentile(double* x, int n, int percent)
{
    bench_sort(x, n);
    return n ? x[(n - 1) * percent / 100] : 0.0;
}

static void simulate_by(bench* b, const char* name, cairn_prox_strategy strategy, int steps)
{
    enum { jacks = 3 };
    if (!bench_reach(b, "jacks by the strategy %s", name))
        return;

    strategy_run s = {.run = prox_scene_open(jacks), .def = cairn_default_solve_def()};
    size_t numbers = 6 * (size_t)cairn_world_body_slots(s.run.world);
    double *ms = malloc((size_t)steps * sizeof(double)), end = bench_part_ends(b, 2), sum = 0.0;
    s.change = calloc(numbers + 1, sizeof(double));
    if (!s.change || !ms)
        exit(2);

    s.def.method = "prox";
    s.def.prox.strategy = strategy;
    s.def.prox.published = true;
    s.def.tolerance = 1e-3;
    s.def.max_iterations = 1000;

    cairn_world_set_solve_hook(s.run.world, solve_island, &s);
    double first = scene_energy(&s.run), last = first, rise = 0.0, kinetic = 0.0, potential;
    int done = 0;

    // the engine steps with its own impulses, then the motion is changed to the strategy's
    for (; done < steps && bench_clock() < end; done++) {
        memset(s.change, 0, numbers * sizeof(double));
        s.seconds = 0.0;
        scene_step(&s.run);
        change_motion(&s);

        double energy = scene_energy(&s.run);
        rise = fmax(rise, energy - last);
        last = energy;

        ms[done] = 1e3 * s.seconds;
        sum += ms[done];
    }

    cairn_world_energy(s.run.world, &kinetic, &potential);
    bench_row(b, json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:i, s:f}", "figure",
                           "jacks by strategy", "strategy", name, "steps", done, "ms_step_mean",
                           sum / done, "ms_step_p90", percentile(ms, done, 90), "energy_end",
                           last / first, "kinetic_end", kinetic / first, "energy_rise",
                           rise / first, "unsolved", s.unsolved, "penetration", s.run.penetration));

    if (done < steps)
        bench_unreached(b, "jacks by the strategy %s: steps %d to %d", name, done + 1, steps);
    scene_close(&s.run);
    free(s.change);
    free(ms);
}

static void strategies(bench* b)
{
    int steps = b->quick ? 60 : 450;
    simulate_by(b, "global", CAIRN_PROX_GLOBAL, steps);
    simulate_by(b, "local", CAIRN_PROX_LOCAL, steps);
    simulate_by(b, "blocked", CAIRN_PROX_BLOCKED, steps);
}

void bench_papers(bench* b)
{
    mechanism(b, "jack", "jack");
    mechanism(b, "double-jack", "double-action jack");
    mechanism(b, "fourbar", "four-bar linkage");
    if (bench_reach(b, "pivoting without friction"))
        pivoting_without_friction(b);
    if (bench_reach(b, "storage of rows"))
        storage_of_rows(b);
    if (bench_reach(b, "pivoting on a wall"))
        pivoting_on_a_wall(b);
    strategies(b);
}
