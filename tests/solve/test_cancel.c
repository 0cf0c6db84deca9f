// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static cairn_problem made(const char* kind, int size)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    def.size = size;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

// the report tells the residual of the returned impulses, whatever they are worth
static void measured(const cairn_problem* problem, const double* lambda, const cairn_report* report)
{
    cairn_residual residual;
    CHECK(cairn_problem_residual(problem, lambda, report->law, report->facets, &residual) ==
          CAIRN_OK);
    CHECK_NEAR(report->residual.relative, residual.relative, 0.0);
}

TEST(a_raised_flag_ends_every_method_and_is_always_told)
{
    cairn_problem problem = made("stack", 3);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));

    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_cancel cancel = {0};
        cairn_report report;
        def.method = cairn_method_at(i).name;
        def.cancel = &cancel;

        cairn_cancel_raise(&cancel);
        cairn_status status = cairn_solve(&problem, &def, lambda, &report, NULL);

        if (status == CAIRN_NOT_SUPPORTED)
            continue; // it does not apply, and has said so

        CHECK(status == CAIRN_OK);
        ck_assert_str_eq(cairn_outcome_name(report.outcome), "canceled");
        measured(&problem, lambda, &report);

        // the flag belongs to the caller: it stays up until he lowers it
        CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CANCELED);
        cairn_cancel_clear(&cancel);

        // `sweeps` is single precision
        if (strcmp(def.method, "sweeps") == 0)
            def.tolerance = 1e-5;

        CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED ||
                          strstr(report.note, "does not apply"),
                      "%s: %s", def.method, cairn_outcome_name(report.outcome));
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(a_raised_flag_ends_every_method_for_plain_lcps)
{
    const double M[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {-5.0, -6.0};
    cairn_lcp lcp = {.n = 2, .M = M, .q = q};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_cancel cancel = {0};
    cairn_lcp_report report;
    double z[2];
    def.cancel = &cancel;

    for (int i = -1; i < cairn_lcp_method_count(); i++) {
        def.method = i < 0 ? "auto" : cairn_lcp_method_at(i);
        cairn_cancel_raise(&cancel);
        CHECK(cairn_lcp_solve(&lcp, &def, z, &report, NULL) == CAIRN_OK);

        CHECK(report.outcome == CAIRN_OUTCOME_CANCELED);
        CHECK_NEAR(report.residual, cairn_lcp_residual(&lcp, z), 0.0);
        cairn_cancel_clear(&cancel);

        // `sweeps` is single precision
        if (strcmp(def.method, "sweeps") == 0)
            def.tolerance = 1e-5;

        CHECK(cairn_lcp_solve(&lcp, &def, z, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    }
}
END

// ---------------------------------------------------------------- latency

// Seconds that a thread has computed. The wall clock would measure how loaded the machine is.
static double computed(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct raiser {
    cairn_cancel* cancel;
    clockid_t solver; // clock of the thread that solves
    double delay;     // s that it may compute first
    double raised;    // its clock then
} raiser;

static void* raise_later(void* context)
{
    raiser* r = context;
    const struct timespec pause = {0, 500000};
    while (computed(r->solver) < r->delay)
        nanosleep(&pause, NULL);
    r->raised = computed(r->solver);
    cairn_cancel_raise(r->cancel);
    return NULL;
}

// solves with a tolerance that cannot be met; returns the seconds computed after the flag rose
static double latency(const cairn_problem* problem, const char* method, double delay,
                      cairn_report* report)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_cancel cancel = {0};
    pthread_t thread;
    double* lambda = calloc((size_t)problem->row_count, sizeof(double));
    def.method = method;
    def.tolerance = 0.0;
    def.max_iterations = 1000000000;
    def.cancel = &cancel;
    def.warm_start = problem->warm != NULL;

    raiser r = {.cancel = &cancel};
    CHECK(pthread_getcpuclockid(pthread_self(), &r.solver) == 0);

    r.delay = computed(r.solver) + delay;
    CHECK(pthread_create(&thread, NULL, raise_later, &r) == 0);

    cairn_status status = cairn_solve(problem, &def, lambda, report, NULL);
    double ended = computed(r.solver);
    pthread_cancel(thread);
    pthread_join(thread, NULL);

    // where a method does not apply it says so, and has ended
    bool raised = cancel.raised && status != CAIRN_NOT_SUPPORTED;
    CHECK(status == CAIRN_OK || status == CAIRN_NOT_SUPPORTED);

    if (raised)
        measured(problem, lambda, report);
    free(lambda);
    return raised ? ended - r.raised : -1.0;
}

// Seconds that may pass, on up to 10,000 contacts: 0.05 on a quiet machine (one poll every few
// milliseconds, and the certificate), three times that where others use its caches.
#if CHECK_SLOW_BUILD
static const double longest = 1.0;
#else
static const double longest = 0.15;
#endif

// Each method in each of its stages: before it begins, while it sets up, and on its way.
static void each_returns_soon(const cairn_problem* problem, const char* kind, size_t stages)
{
    static const double delays[] = {0.0, 0.02, 0.15};
    for (int i = 0; i < cairn_method_count(); i++) {
        const char* method = cairn_method_at(i).name;

        // the whole LCP of these would not fit into memory
        if (strcmp(method, "lemke-standard") == 0 && problem->row_count > 3000)
            continue;

        for (size_t k = 0; k < stages; k++) {
            cairn_report report;
            double t = latency(problem, method, delays[k], &report);
            bool canceled = report.outcome == CAIRN_OUTCOME_CANCELED;
            if (t < 0.0 || (!canceled && t < 0.1 * longest))
                break; // it had ended before, or just then
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CANCELED, "%s ended %s", method,
                          cairn_outcome_name(report.outcome));
            ck_assert_msg(t <= longest, "%s on %d rows of %s went on for %.3f s", method,
                          problem->row_count, kind, t);
        }
    }
}

static cairn_problem sized(const char* kind, int size, int width, int height)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def(kind);
    def.size = size;
    def.width = width;
    def.height = height;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

static void returns_soon(const char* kind, int size, int width, int height, size_t stages)
{
    cairn_problem problem = sized(kind, size, width, height);
    each_returns_soon(&problem, kind, stages);
    cairn_problem_destroy(&problem);
}

// a slow build has as much to do with less
enum { wall_side = CHECK_SLOW_BUILD ? 16 : 35, graph = CHECK_SLOW_BUILD ? 500 : 1200 };

TEST(every_method_returns_soon_from_a_wall_of_many_contacts)
{
    returns_soon("wall", 0, wall_side, wall_side, 2);
}
END

TEST(every_method_returns_soon_from_a_warm_start)
{
    // pressed everywhere, a guess that makes every contact a part of the first basis
    cairn_problem problem = sized("wall", 0, wall_side, wall_side);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    for (int i = 0; i < problem.block_count; i++)
        lambda[problem.blocks[i].row] = 1.0;
    problem.warm = lambda;
    each_returns_soon(&problem, "wall", 2);
    problem.warm = NULL;
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(every_method_returns_soon_from_a_graph_whose_factors_fill_up)
{
    returns_soon("random", 0, graph, 5 * graph, 3);
}
END

TEST(every_method_returns_soon_from_few_bodies_with_many_contacts)
{
    returns_soon("random", 0, 30, 300, 2);
}
END

TEST(every_method_returns_soon_from_a_chain)
{
    returns_soon("chain", 600, 0, 0, 2);
}
END

TEST(a_limit_of_time_ends_every_method_as_a_flag_does)
{
    // the same polls: they are tested above, here that they hear the clock
    cairn_problem problem = made("heap", 400);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));

    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        def.method = cairn_method_at(i).name;
        def.tolerance = 0.0;
        def.max_iterations = 1000000000;
        def.time_limit = 1e-3;

        cairn_status status = cairn_solve(&problem, &def, lambda, &report, NULL);
        if (status == CAIRN_NOT_SUPPORTED)
            continue; // it does not apply, and has said so
        CHECK(status == CAIRN_OK);

        if (strstr(report.note, "pairs, more than"))
            continue; // likewise

        // a direct method may have ended by itself before
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_TIME_LIMIT ||
                          report.seconds <= def.time_limit,
                      "%s ended %s", def.method, cairn_outcome_name(report.outcome));

        measured(&problem, lambda, &report);
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(what_a_method_has_when_it_is_stopped_is_no_worse_than_what_it_began_with)
{
    cairn_problem problem = made("stack", 40);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_residual start;

    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);

    // every method starts from an answer, and has no time to improve it
    problem.warm = lambda;
    double* again = calloc((size_t)problem.row_count, sizeof(double));

    for (int i = 0; i < cairn_method_count(); i++) {
        def.method = cairn_method_at(i).name;
        def.warm_start = true;
        def.tolerance = 0.0;
        def.time_limit = 1e-9;
        cairn_status status = cairn_solve(&problem, &def, again, &report, NULL);
        if (status == CAIRN_NOT_SUPPORTED)
            continue; // it does not apply, and has said so
        CHECK(status == CAIRN_OK);
        CHECK(cairn_problem_residual(&problem, lambda, report.law, report.facets, &start) ==
              CAIRN_OK);
        CHECK_BELOW(report.residual.relative, start.relative);
    }

    problem.warm = NULL;
    free(again);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(methods_that_crawl_end_where_the_work_that_is_allowed_ends)
{
    const char* const names[] = {"auto", "pgs", "prox", "prox-jacobi", "gauss-seidel", "exact"};
    cairn_problem problem = made("stack", 6);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        def.method = names[i];
        def.tolerance = 0.0; // never reached
        def.max_work = 640.0 * problem.row_count;

        CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT);
        measured(&problem, lambda, &report);

        // it ends at the next look, which is never far
        ck_assert_msg(report.work >= def.max_work && report.work <= 1.2 * def.max_work,
                      "%s: work %g of %g", names[i], report.work, def.max_work);
    }
    cairn_problem_destroy(&problem);
    free(lambda);
}

TESTS(methods_that_crawl_end_where_the_work_that_is_allowed_ends,
      a_raised_flag_ends_every_method_and_is_always_told,
      a_raised_flag_ends_every_method_for_plain_lcps,
      every_method_returns_soon_from_a_wall_of_many_contacts,
      every_method_returns_soon_from_a_warm_start,
      every_method_returns_soon_from_a_graph_whose_factors_fill_up,
      every_method_returns_soon_from_few_bodies_with_many_contacts,
      every_method_returns_soon_from_a_chain, a_limit_of_time_ends_every_method_as_a_flag_does,
      what_a_method_has_when_it_is_stopped_is_no_worse_than_what_it_began_with)
