// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Baraff's claim of 1994: contact forces without friction cost two to three times one Gaussian
// elimination of the same size. Towers of blocks with five contacts per face (rank three) are
// solved by `dantzig`, whole call with check and certificate, any of the forces, beside plain elimination and LAPACK
// on the same matrix, dense and already formed, its diagonal raised by 1e-10 since it is singular.
//
// Then the campaigns: random problems with repeated contacts, without and with friction, and walls
// and heaps, at rest and moving. `polished` counts the answers that Newton's method finished after
// pivoting, `rescued` those that something else gave (cairn_report.rescued_by), right or not.

#include "linalg/gauss.h"
#include "math/arena.h"
#include "problem/delassus.h"
#include "random_contacts.h"
#include "suite.h"
#include <cairn/cairn.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_HAVE_OPENBLAS
extern void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* ipiv, double* b,
                   const int* ldb, int* info);
extern void openblas_set_num_threads(int threads);
#endif

enum { contacts_per_face = 5, towers = 5 };

// blocks of 1 m with random masses, falling at random velocities onto each other
static cairn_problem tower(int contacts, cairn_random* random)
{
    static const double corner[contacts_per_face][2] = {
        {-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {0.0, 0.0}};
    int bodies = contacts / contacts_per_face;
    cairn_problem problem = cairn_problem_empty();
    double below[6] = {0}, above[6];
    for (int i = 0; i < bodies; i++) {
        double m = cairn_random_range(random, 0.5, 2.0);
        cairn_mass mass = {1.0 / m, cairn_mat3_diagonal(6.0 / m, 6.0 / m, 6.0 / m)};
        cairn_problem_add_body(&problem, mass);
        for (int k = 0; k < 6; k++)
            above[k] = cairn_random_range(random, -0.5, 0.5) - (k == 2 ? 0.2 : 0.0);
        for (int c = 0; c < contacts_per_face; c++) {
            cairn_block block = {
                .kind = CAIRN_BLOCK_CONTACT, .row_count = 1, .body_a = i - 1, .body_b = i};
            cairn_row row;
            cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(corner[c][0], corner[c][1], 0.5),
                               cairn_vec(corner[c][0], corner[c][1], -0.5), 1, &row);
            double b = 0.0;
            for (int k = 0; k < 6; k++)
                b += row.b[k] * above[k] + (i > 0 ? row.a[k] * below[k] : 0.0);
            cairn_problem_add_block(&problem, &block, &row, &b);
        }
        memcpy(below, above, sizeof below);
    }
    return problem;
}

// the same matrix for the elimination
static void dense_system(double* A, double* rhs, const cairn_problem* problem)
{
    cairn_arena arena = {0};
    cairn_delassus delassus;
    cairn_delassus_prepare(&delassus, problem, &arena);
    cairn_delassus_dense(&delassus, A);
    int n = problem->row_count;
    double mean = 0.0;
    for (int i = 0; i < n; i++)
        mean += A[(size_t)i * (size_t)n + (size_t)i] / n;
    for (int i = 0; i < n; i++) {
        A[(size_t)i * (size_t)n + (size_t)i] += 1e-10 * mean;
        rhs[i] = -problem->b[i];
    }
    cairn_arena_destroy(&arena);
}

typedef struct timing {
    double dantzig, gauss, lapack; // seconds, the least of all repetitions
    double pivots, residual;
} timing;

static double time_gauss(const double* A, const double* rhs, double* work, double* x, int n)
{
    memcpy(work, A, (size_t)n * (size_t)n * sizeof(double));
    memcpy(x, rhs, (size_t)n * sizeof(double));
    double start = bench_clock();
    cairn_gauss_solve(work, (size_t)n, x, n, NULL);
    return bench_clock() - start;
}

static double time_lapack(const double* A, const double* rhs, double* work, double* x, int n,
                          int* swaps)
{
#ifdef CAIRN_HAVE_OPENBLAS
    int one = 1, info;
    memcpy(work, A, (size_t)n * (size_t)n * sizeof(double));
    memcpy(x, rhs, (size_t)n * sizeof(double));
    double start = bench_clock();
    dgesv_(&n, &one, work, &n, swaps, x, &n, &info);
    return bench_clock() - start;
#else
    (void)A, (void)rhs, (void)work, (void)x, (void)n, (void)swaps;
    return NAN;
#endif
}

// alternating repetitions, the least of each: other work on the machine only ever adds time
static timing time_tower(const cairn_problem* problem, cairn_workspace* workspace, int repetitions)
{
    timing least = {.dantzig = INFINITY, .gauss = INFINITY, .lapack = INFINITY};
    int n = problem->row_count;
    size_t bytes = (size_t)n * sizeof(double);
    double *A = malloc(bytes * (size_t)n), *work = malloc(bytes * (size_t)n);
    double *rhs = malloc(bytes), *x = malloc(bytes), *lambda = malloc(bytes);
    int* swaps = malloc((size_t)n * sizeof(int));
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "dantzig";
    def.workspace = workspace;
    def.any_forces = true; // as published: the least of many forces is another problem
    cairn_report report = {0};
    dense_system(A, rhs, problem);
    for (int r = 0; r < repetitions; r++) {
        cairn_solve(problem, &def, lambda, &report, NULL);
        double start = bench_clock();
        cairn_solve(problem, &def, lambda, &report, NULL);
        least.dantzig = fmin(least.dantzig, bench_clock() - start);
        least.gauss = fmin(least.gauss, time_gauss(A, rhs, work, x, n));
        least.lapack = fmin(least.lapack, time_lapack(A, rhs, work, x, n, swaps));
    }
    free(A);
    free(work);
    free(rhs);
    free(x);
    free(lambda);
    free(swaps);
    least.pivots = report.pivots;
    least.residual = report.residual.relative;
    return least;
}

static void against_gauss(bench* b)
{
    static const int sizes[] = {10, 20, 50, 100, 200, 400};
    cairn_workspace* workspace = cairn_workspace_create();
    cairn_random random = {1994};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        timing mean = {0};
        int n = sizes[s], repetitions = n <= 50 ? 101 : b->quick ? 5 : 21;
        for (int t = 0; t < towers; t++) {
            cairn_problem problem = tower(n, &random);
            timing one = time_tower(&problem, workspace, repetitions);
            mean.dantzig += one.dantzig / towers;
            mean.gauss += one.gauss / towers;
            mean.lapack += one.lapack / towers;
            mean.pivots += one.pivots / towers;
            mean.residual = fmax(mean.residual, one.residual);
            cairn_problem_destroy(&problem);
        }
        json_t* lapack = isfinite(mean.lapack) ? json_real(1e6 * mean.lapack) : json_null();
        bench_row(b, json_pack("{s:i, s:f, s:f, s:o, s:f, s:f}", "n", n, "dantzig_us",
                               1e6 * mean.dantzig, "gauss_us", 1e6 * mean.gauss, "lapack_us",
                               lapack, "pivots", mean.pivots, "residual_max", mean.residual));
        if (n >= 50)
            bench_bound(b, mean.dantzig <= 3.0 * mean.gauss,
                        "n = %d: dantzig is %.2f times one elimination (bound 3)", n,
                        mean.dantzig / mean.gauss);
        bench_bound(b, mean.pivots <= 2.0 * n && mean.residual <= 1e-8,
                    "n = %d: %.1f pivots (bound %d), residual %.1e (bound 1e-8)", n, mean.pivots,
                    2 * n, mean.residual);
    }
    cairn_workspace_destroy(workspace);
}

// ---------------------------------------------------------------- campaigns

typedef struct tally {
    int count, solved, untrue, rescued, polished, reordered;
    double worst; // residual of those that were called converged
    long pivots, contacts;
} tally;

typedef struct crowd {
    const char* name;
    int space, most_contacts, count;
    double mu;
} crowd;

static random_contacts draw(const crowd* c, cairn_random* random)
{
    random_contacts def = {.bodies = 1 + cairn_random_index(random, 6),
                           .contacts = 3 + cairn_random_index(random, c->most_contacts - 2),
                           .space = c->space,
                           .mu = c->mu};
    def.repeated = cairn_random_index(random, def.contacts / 2 + 1);
    return def;
}

// the answer is measured again here, against what the report says
static void count_answer(tally* t, const cairn_problem* problem, const double* lambda,
                         const cairn_report* report)
{
    cairn_residual residual;
    cairn_problem_residual(problem, lambda, report->law, report->facets, &residual);
    bool good = residual.relative <= 1e-8;
    t->count++;
    t->solved += good;
    t->untrue += good != (report->outcome == CAIRN_OUTCOME_CONVERGED);
    bool polished = report->rescued_by && strcmp(report->rescued_by, "polish") == 0;
    t->polished += polished;
    t->rescued += !polished && (report->rescued_by || strcmp(report->method, "dantzig") != 0);
    t->reordered += strstr(report->note, "order") != NULL;
    t->pivots += report->pivots;
    t->contacts += problem->block_count;
    if (report->outcome == CAIRN_OUTCOME_CONVERGED)
        t->worst = fmax(t->worst, residual.relative);
}

static void add_tally(bench* b, const char* problems, double mu, const tally* t, double seconds)
{
    bench_row(b,
              json_pack("{s:s, s:f, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f}", "campaign", problems,
                        "mu", mu, "problems", t->count, "solved", t->solved, "rescued", t->rescued,
                        "polished", t->polished, "reordered", t->reordered, "pivots_per_contact",
                        (double)t->pivots / (double)(t->contacts ? t->contacts : 1), "residual_max",
                        t->worst, "ms_each", 1e3 * seconds / t->count));
}

static void campaign(bench* b, const crowd* c)
{
    if (!bench_reach(b, "%s, mu %.1f", c->name, c->mu))
        return;
    cairn_random random = {(uint64_t)c->space};
    cairn_workspace* workspace = cairn_workspace_create();
    cairn_solve_def def = cairn_default_solve_def();
    tally t = {0};
    def.method = "dantzig";
    def.workspace = workspace;
    double start = bench_clock();
    for (int i = 0; i < c->count; i++) {
        enum { most_rows = 256 };
        double lambda[most_rows];
        random_contacts drawn = draw(c, &random);
        cairn_problem problem = random_contacts_make(&drawn, &random);
        cairn_report report;
        if (cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK)
            count_answer(&t, &problem, lambda, &report);
        cairn_problem_destroy(&problem);
    }
    add_tally(b, c->name, c->mu, &t, bench_clock() - start);
    double needed = c->mu > 0.0 ? 0.999 : 1.0;
    bench_bound(
        b, t.count == c->count && t.untrue == 0 && t.solved >= needed * c->count,
        "%s, mu %.1f: %d of %d below 1e-8 (bound %.1f %%), %d untrue; worst called "
        "converged %.1e; %.2f pivots per contact, %d after other orders, %d polished, %d rescued",
        c->name, c->mu, t.solved, c->count, 100.0 * needed, t.untrue, t.worst,
        (double)t.pivots / (double)t.contacts, t.reordered, t.polished, t.rescued);
    cairn_workspace_destroy(workspace);
}

// a wall or a heap, each body with a random velocity of up to `stir` m/s
static void structure(bench* b, const char* kind, int size, double stir)
{
    enum { time_limit = 5 };
    char name[64];
    snprintf(name, sizeof name, "%s %d%s", kind, size, stir > 0.0 ? ", moving" : "");
    if (!bench_reach(b, "%s", name))
        return;
    cairn_generate_def def = cairn_default_generate_def(kind);
    cairn_problem problem;
    cairn_random random = {1};
    def.size = def.width = def.height = size;
    if (cairn_generate(&def, &problem, NULL) != CAIRN_OK)
        return;
    random_contacts_stir(&problem, stir, &random);

    cairn_solve_def solve = cairn_default_solve_def();
    cairn_report report;
    tally t = {0};
    double* lambda = calloc((size_t)problem.row_count + 1, sizeof(double));
    solve.method = "dantzig";
    solve.time_limit = b->quick ? 1 : time_limit;
    double start = bench_clock();
    if (lambda && cairn_solve(&problem, &solve, lambda, &report, NULL) == CAIRN_OK)
        count_answer(&t, &problem, lambda, &report);
    add_tally(b, name, def.mu, &t, bench_clock() - start);
    if (t.count == 1)
        bench_say(b, "%s: %d contacts, %s%s%s, residual %.1e", name, problem.block_count,
                  cairn_outcome_name(report.outcome), report.rescued_by ? ", rescued by " : "",
                  report.rescued_by ? report.rescued_by : "", report.residual.relative);
    free(lambda);
    cairn_problem_destroy(&problem);
}

void bench_dantzig(bench* b)
{
#ifdef CAIRN_HAVE_OPENBLAS
    openblas_set_num_threads(1);
#endif
    int few = b->quick ? 500 : 10000;
    against_gauss(b);
    const crowd crowds[] = {
        {"in space", 3, 16, 5 * few, 0.0}, {"in the plane", 2, 16, 5 * few, 0.0},
        {"in the plane", 2, 16, few, 0.3}, {"in space", 3, 16, few, 0.3},
        {"in space", 3, 16, few / 5, 1.0}, {"in space, up to 60 contacts", 3, 60, few / 25, 0.6}};
    for (size_t k = 0; k < sizeof crowds / sizeof crowds[0]; k++)
        campaign(b, &crowds[k]);
    for (int size = 5; size <= 10; size += size < 8 ? 1 : 2) {
        structure(b, "wall", size, 0.0);
        structure(b, "wall", size, 0.01);
    }
    structure(b, "heap", 40, 0.0);
    structure(b, "heap", 160, 0.0);
}
