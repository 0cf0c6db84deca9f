// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of solve.h, lcp.h, ray.h and base.h. Every method is asked, with options of all sorts;
// a solve has a limit of time or of iterations. A refused solve leaves the impulses as they were.

#include "api.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- base

static void fail(api* a)
{
    cairn_error error;
    memset(&error, 0x55, sizeof error);
    int number = api_int(a, 0, 9);
    api_begin(a);
    cairn_status status = cairn_fail(api_chance(a, 32) ? NULL : &error, CAIRN_BAD_INPUT,
                                     "number %d of %0*d", number, 600, 0);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (status != CAIRN_BAD_INPUT)
        api_broken(a, "another status than it was given");
}

static void version(api* a)
{
    api_begin(a);
    const char* text = cairn_version();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!text || !text[0])
        api_broken(a, "no version");
}

static void version_serves(api* a)
{
    api_begin(a);
    bool serves =
        cairn_version_serves(api_int(a, 0, 3), api_int(a, 0, 3)) && !cairn_version_check();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (serves)
        api_broken(a, "serves others but not its own headers");
}

static void clock_runs(api* a)
{
    api_begin(a);
    double before = cairn_clock(), after = cairn_clock();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!(after >= before))
        api_broken(a, "the clock runs backward");
}

static void cancel_raise(api* a)
{
    api_begin(a);
    cairn_cancel_raise(api_chance(a, 32) ? NULL : &a->cancel);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void cancel_clear(api* a)
{
    api_begin(a);
    cairn_cancel_clear(api_chance(a, 32) ? NULL : &a->cancel);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void cancel_is_raised(api* a)
{
    const cairn_cancel* flag = api_chance(a, 32) ? NULL : &a->cancel;
    api_begin(a);
    bool raised = cairn_cancel_is_raised(flag);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (raised && !flag)
        api_broken(a, "a flag that is not there is raised");
}

static void outcome_name(api* a)
{
    int outcome = api_int(a, 0, CAIRN_OUTCOME_STEP_LIMIT);
    api_begin(a);
    const char* name = cairn_outcome_name((cairn_outcome)outcome);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!name)
        api_broken(a, "an outcome without a name");
}

static void workspace_create(api* a)
{
    if (a->workspace)
        return;
    api_begin(a);
    a->workspace = cairn_workspace_create();
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void workspace_destroy(api* a)
{
    api_begin(a);
    cairn_workspace_destroy(a->workspace);
    a->workspace = NULL;
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void method_count(api* a)
{
    api_begin(a);
    int count = cairn_method_count();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count <= 0)
        api_broken(a, "%d methods", count);
}

static void method_at(api* a)
{
    int index = api_below(a, cairn_method_count());
    api_begin(a);
    cairn_method_info info = cairn_method_at(index);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!info.name || !info.summary)
        api_broken(a, "a method without a name");
}

static void default_solve_def(api* a)
{
    api_begin(a);
    cairn_solve_def def = cairn_default_solve_def();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.tolerance != 1e-8 || def.threads != 1)
        api_broken(a, "other defaults than the header says");
}

// ---------------------------------------------------------------- options

static void traced(void* context, int iteration, double seconds, double residual)
{
    api* a = context;
    (void)residual;
    if (iteration > 3)
        cairn_cancel_raise(&a->cancel);
    if (iteration < 0 || !(seconds >= 0.0))
        api_broken(a, "a trace of iteration %d at %g s", iteration, seconds);
}

static void set_pgs(api* a, cairn_pgs_def* def)
{
    int b = api_byte(a);
    def->fast = b & 1;
    def->single = b & 2;
    def->box = b & 4;
    def->lagged = b & 8;
    def->filter = b & 16;
    def->verify = b & 32;
    def->symmetric = b & 64;
    def->form = (cairn_pgs_form)api_int(a, 0, 4);
    def->relaxation = api_real(a, 0.5, 1.5);
    if (b & 128) {
        def->sweeps = api_int(a, 0, 20);
        def->threshold = api_real(a, 0.0, 1e-3);
        def->filter_speed = api_real(a, 0.0, 1e-3);
    }
}

static void set_prox(api* a, cairn_prox_def* def)
{
    int b = api_byte(a);
    def->strategy = (cairn_prox_strategy)api_int(a, 0, 4);
    def->published = b & 1;
    def->anderson = b & 2;
    def->fast = b & 4;
    def->single = b & 8;
    if (b & 16)
        def->nu = api_real(a, 0.1, 0.9);
    if (b & 32)
        def->global_step = api_real(a, 0.0, 1.0);
    if (b & 64)
        def->anderson_depth = api_int(a, 1, 16);
}

static void set_tree(api* a, cairn_tree_def* def)
{
    def->auxiliary_method = api_pick_method(a);
    def->large_method = api_pick_method(a);
    def->max_auxiliary = api_int(a, 0, 600);
}

static cairn_solve_def solve_def(api* a)
{
    cairn_solve_def def = cairn_default_solve_def();
    int b = api_byte(a), c = api_byte(a);
    def.method = API_OR_NULL(a, api_pick_method(a));
    def.time_limit = 0.02;
    def.workspace = b & 1 ? a->workspace : NULL;
    def.fclib = (b & 6) == 6;
    def.warm_start = (b & 8) != 0;
    if (b & 16)
        def.tolerance = api_real(a, 1e-12, 1e-2);
    if (b & 32)
        def.max_iterations = api_int(a, 0, 200);
    if ((b & 192) == 64)
        def.time_limit = api_real(a, 0.0, 0.0);
    if ((b & 192) == 128)
        def.threads = api_int(a, 1, 4);
    if (c & 1)
        set_pgs(a, &def.pgs);
    if (c & 2)
        set_prox(a, &def.prox);
    if (c & 4)
        set_tree(a, &def.tree);
    if (c & 8)
        def.facets = api_int(a, 3, 12);
    if (c & 16) {
        def.trace = traced;
        def.trace_context = a;
    }
    if ((c & 96) == 96)
        def.cancel = &a->cancel;
    def.seed = (uint64_t)(c >> 5);

    // without a limit of time, iterations stay below what a caller would wait for
    bool limited = def.time_limit > 0.0 && def.time_limit <= 0.02;
    if (!limited && (def.max_iterations > 1000 || def.pgs.sweeps > 1000))
        def.time_limit = 0.02;
    return def;
}

static void solve_def_set(api* a)
{
    static const char* const values[] = {"true", "8", "0.5", "blocked", "dantzig", "-1", ""};
    cairn_solve_def def = cairn_default_solve_def();
    const char* name = API_OR_NULL(a, cairn_solve_option_at(api_below(a, 20)));
    const char* value = API_OR_NULL(a, values[api_below(a, 7)]);
    api_begin(a);
    api_end(a, cairn_solve_def_set(&def, name, value, a->said), API_NOTHING);
}

static void solve_option_at(api* a)
{
    int index = api_int(a, 0, 40);
    api_begin(a);
    const char* name = cairn_solve_option_at(index);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (index == 0 && !name)
        api_broken(a, "no options");
}

// ---------------------------------------------------------------- solves

// impulses of exactly the size of a problem, with a pattern that tells whether they were touched
static double* pattern(int count)
{
    double* x = malloc(((size_t)count + !count) * sizeof *x);
    for (int i = 0; x && i < count; i++)
        x[i] = 1234.5 + i;
    return x;
}

static void judge_untouched(api* a, const double* x, int count)
{
    for (int i = 0; i < count; i++)
        if (x[i] != 1234.5 + i)
            api_broken(a, "refused, and changed number %d of its answer", i);
}

static void judge_report(api* a, const cairn_report* report)
{
    if (!report->method || (int)report->outcome < 0 || report->outcome > CAIRN_OUTCOME_CANCELED)
        api_broken(a, "a report without a method or an outcome");
    if (!memchr(report->note, 0, sizeof report->note))
        api_broken(a, "a note without an end");
    if (report->outcome == CAIRN_OUTCOME_CONVERGED && isnan(report->residual.relative))
        api_broken(a, "'%s' converged to a NaN", report->method);
}

// the answer of a solve that says OK is finite
static void judge_answer(api* a, const cairn_report* report, const double* x, int count)
{
    judge_report(a, report);
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            api_broken(a, "'%s' gives %g as impulse %d of %d, outcome %s", report->method, x[i], i,
                       count, cairn_outcome_name(report->outcome));
}

static void solve(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    const cairn_problem* problem = &a->problems[p].problem;
    cairn_solve_def def = solve_def(a);
    cairn_report report;
    double *lambda = pattern(problem->row_count), *ray = pattern(problem->row_count);
    def.ray = api_chance(a, 64) ? ray : NULL;
    const cairn_problem* given = API_OR_NULL(a, problem);
    const cairn_solve_def* options = API_OR_NULL(a, &def);
    double* place = API_OR_NULL(a, lambda);
    cairn_report* told = API_OR_NULL(a, &report);
    api_begin(a);
    if (api_end(a, cairn_solve(given, options, place, told, a->said), API_NOTHING))
        judge_answer(a, &report, lambda, problem->row_count);
    else
        judge_untouched(a, lambda, problem->row_count);
    free(lambda);
    free(ray);
}

static void solve_gaps(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    const cairn_problem* problem = &a->problems[p].problem;
    cairn_solve_def def = solve_def(a);
    cairn_report report;
    double slop = api_real(a, 0.0, 0.01);
    double *x = pattern(problem->row_count), *gap = pattern(problem->block_count);
    for (int i = 0; i < problem->block_count; i++)
        gap[i] = i < 8 ? api_real(a, -0.1, 0.1) : -0.01;
    const double* gaps = API_OR_NULL(a, gap);
    const cairn_solve_def* options = API_OR_NULL(a, &def);
    cairn_report* told = API_OR_NULL(a, &report);
    api_begin(a);
    if (api_end(a, cairn_solve_gaps(problem, gaps, slop, options, x, told, a->said), API_NOTHING))
        judge_answer(a, &report, x, problem->row_count);
    else
        judge_untouched(a, x, problem->row_count);
    free(x);
    free(gap);
}

static void solve_with_rays(api* a)
{
    int p = api_pick_problem(a), applied = 0;
    if (p < 0)
        return;
    const cairn_problem* problem = &a->problems[p].problem;
    cairn_solve_def def = solve_def(a);
    cairn_report report;
    double* lambda = pattern(problem->row_count);
    const cairn_solve_def* options = API_OR_NULL(a, &def);
    cairn_report* told = API_OR_NULL(a, &report);
    api_begin(a);
    if (api_end(a, cairn_solve_with_rays(problem, options, lambda, &applied, told, a->said),
                API_NOTHING))
        judge_answer(a, &report, lambda, problem->row_count);
    else
        judge_untouched(a, lambda, problem->row_count);
    free(lambda);
}

static void solve_forces(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    const cairn_problem* problem = &a->problems[p].problem;
    cairn_solve_def def = solve_def(a);
    cairn_report report;
    cairn_forces forces = {.force = pattern(problem->row_count),
                           .impulse = pattern(problem->row_count)};
    double* velocity = pattern(problem->row_count);
    for (int i = 0; i < problem->row_count; i++)
        velocity[i] = i < 8 ? api_real(a, -1.0, 1.0) : 0.0;
    const double* given = API_OR_NULL(a, velocity);
    const cairn_solve_def* options = API_OR_NULL(a, &def);
    cairn_report* told = API_OR_NULL(a, &report);
    api_begin(a);
    if (api_end(a, cairn_solve_forces(problem, given, options, &forces, told, a->said),
                API_NOTHING))
        judge_answer(a, &report, forces.force, problem->row_count);
    else
        judge_untouched(a, forces.force, problem->row_count);
    free(velocity);
    free(forces.force);
    free(forces.impulse);
}

static void apply_ray(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0 || cairn_problem_check(&a->problems[p].problem, NULL) != CAIRN_OK)
        return;
    cairn_problem copy;
    if (cairn_problem_copy(&a->problems[p].problem, &copy) != CAIRN_OK)
        return;
    cairn_ray_effect effect;
    double *impulse = pattern(copy.row_count), *ray = pattern(copy.row_count);
    for (int r = 0; r < copy.row_count; r++)
        ray[r] = r < 8 ? api_real(a, -1.0, 1.0) : 0.1;
    api_begin(a);
    a->said = NULL;
    if (api_end(a, cairn_problem_apply_ray(&copy, ray, impulse, &effect), API_NOTHING) &&
        (effect.block < -1 || effect.block >= copy.block_count))
        api_broken(a, "block %d of %d stopped", effect.block, copy.block_count);
    free(impulse);
    free(ray);
    cairn_problem_destroy(&copy);
}

// ---------------------------------------------------------------- linear complementarity

typedef struct small_lcp {
    cairn_lcp lcp;
    double M[64], q[8], z[8], lo[8], hi[8];
} small_lcp;

static void fill_lcp(api* a, small_lcp* s)
{
    int n = 1 + api_below(a, 8), kind = api_below(a, 3);
    s->lcp = (cairn_lcp){.n = n, .M = s->M, .q = s->q};
    if (api_chance(a, 64)) {
        s->lcp.lo = s->lo;
        s->lcp.hi = s->hi;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            s->M[i * n + j] = kind == 0 && i != j ? 0.0 : api_real(a, kind == 2 ? 0.0 : -1.0, 1.0);
        if (kind != 2)
            s->M[i * n + i] += n;
        s->q[i] = api_real(a, -1.0, 1.0);
        s->lo[i] = i % 3 ? -0.5 : -INFINITY;
        s->hi[i] = i % 2 ? 0.5 : INFINITY;
        s->z[i] = 1234.5 + i;
    }
    if (api_hostile(a))
        s->lcp.n = api_int(a, 0, n) > n ? -1 : 0;
}

static void lcp_residual(api* a)
{
    small_lcp s;
    fill_lcp(a, &s);
    if (s.lcp.n < 0)
        return;
    api_begin(a);
    cairn_lcp_residual(&s.lcp, s.z);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void lcp_solve(api* a)
{
    small_lcp s;
    fill_lcp(a, &s);
    cairn_solve_def def = solve_def(a);
    cairn_lcp_report report;
    if (def.method && !api_chance(a, 64))
        def.method = cairn_lcp_method_at(api_below(a, cairn_lcp_method_count()));
    const cairn_lcp* given = API_OR_NULL(a, &s.lcp);
    const cairn_solve_def* options = API_OR_NULL(a, &def);
    int n = s.lcp.n > 0 ? s.lcp.n : 0;
    api_begin(a);
    if (!api_end(a, cairn_lcp_solve(given, options, s.z, &report, a->said), API_NOTHING))
        judge_untouched(a, s.z, n);
    else if (!report.method ||
             (report.outcome == CAIRN_OUTCOME_CONVERGED && isnan(report.residual)))
        api_broken(a, "converged to a NaN");
}

static void lcp_method_count(api* a)
{
    api_begin(a);
    int count = cairn_lcp_method_count();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count <= 0)
        api_broken(a, "%d methods", count);
}

static void lcp_method_at(api* a)
{
    int index = api_below(a, cairn_lcp_method_count());
    api_begin(a);
    const char* name = cairn_lcp_method_at(index);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!name)
        api_broken(a, "a method without a name");
}

// clang-format off: one line for each call
const api_call api_solve_calls[] = {
    {"cairn_fail", fail, 1},
    {"cairn_version", version, 1},
    {"cairn_clock", clock_runs, 1},
    {"cairn_version_serves", version_serves, 1},
    {"cairn_cancel_raise", cancel_raise, 1},
    {"cairn_cancel_clear", cancel_clear, 2},
    {"cairn_cancel_is_raised", cancel_is_raised, 1},
    {"cairn_outcome_name", outcome_name, 1},
    {"cairn_workspace_create", workspace_create, 2},
    {"cairn_workspace_destroy", workspace_destroy, 1},
    {"cairn_method_count", method_count, 1},
    {"cairn_method_at", method_at, 1},
    {"cairn_default_solve_def", default_solve_def, 1},
    {"cairn_solve", solve, 12},
    {"cairn_solve_gaps", solve_gaps, 4},
    {"cairn_solve_with_rays", solve_with_rays, 3},
    {"cairn_solve_def_set", solve_def_set, 1},
    {"cairn_solve_option_at", solve_option_at, 1},
    {"cairn_solve_forces", solve_forces, 3},
    {"cairn_problem_apply_ray", apply_ray, 2},
    {"cairn_lcp_residual", lcp_residual, 1},
    {"cairn_lcp_solve", lcp_solve, 6},
    {"cairn_lcp_method_count", lcp_method_count, 1},
    {"cairn_lcp_method_at", lcp_method_at, 1},
    {0},
};
// clang-format on
