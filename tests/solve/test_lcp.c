// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Plain LCPs: stored pairs with known status, random ones of known classes, and an enumeration of
// all complementary bases that shares no code with the methods.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { most = 40 };

typedef struct problem {
    int n;
    double M[most * most];
    double q[most];
} problem;

static cairn_lcp view(const problem* p)
{
    return (cairn_lcp){.n = p->n, .M = p->M, .q = p->q};
}

static cairn_lcp_report solve(const problem* p, const char* method, double* z)
{
    cairn_lcp lcp = view(p);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_lcp_report report;
    cairn_error error;
    def.method = method;
    ck_assert_msg(cairn_lcp_solve(&lcp, &def, z, &report, &error) == CAIRN_OK, "%s", error.text);
    return report;
}

// a dense array file of Matrix Market, column by column
static void read_array(double* to, int* rows, int* columns, const char* name, const char* part)
{
    char path[512], line[256];
    snprintf(path, sizeof path, "%s/lcp/%s.%s.mtx", CAIRN_TEST_DATA, name, part);
    FILE* file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    do {
        ck_assert(fgets(line, sizeof line, file) != NULL);
    } while (line[0] == '%');
    ck_assert(sscanf(line, "%d %d", rows, columns) == 2 && *rows * *columns <= most * most);
    for (int j = 0; j < *columns; j++)
        for (int i = 0; i < *rows; i++)
            ck_assert(fscanf(file, "%lf", &to[*columns * i + j]) == 1);
    fclose(file);
}

TEST(every_stored_pair_ends_with_its_known_status)
{
    char path[512], line[256], name[64], status[64];
    snprintf(path, sizeof path, "%s/lcp/status.txt", CAIRN_TEST_DATA);
    FILE* file = fopen(path, "r");
    int count = 0;

    ck_assert(file != NULL);
    while (fgets(line, sizeof line, file)) {
        problem p;
        double z[most];
        int rows, columns;
        if (line[0] == '#' || sscanf(line, "%63s %63s", name, status) != 2)
            continue;
        read_array(p.M, &rows, &columns, name, "M");
        p.n = rows;
        read_array(p.q, &rows, &columns, name, "q");

        cairn_lcp_report report = solve(&p, "auto", z);
        cairn_outcome expected =
            strcmp(status, "solvable") == 0 ? CAIRN_OUTCOME_CONVERGED : CAIRN_OUTCOME_NO_SOLUTION;
        ck_assert_msg(report.outcome == expected, "%s is %s, but ended %s by %s", name, status,
                      cairn_outcome_name(report.outcome), report.method);

        cairn_lcp lcp = view(&p);
        if (expected == CAIRN_OUTCOME_CONVERGED)
            CHECK_BELOW(cairn_lcp_residual(&lcp, z), 1e-8);
        count++;
    }

    fclose(file);
    ck_assert(count >= 11);
}
END

// Solves the m x m system K y = f by Gauss with full pivoting; false when singular.
static bool gauss(double* K, double* f, int m)
{
    int column[most];
    for (int k = 0; k < m; k++)
        column[k] = k;

    for (int k = 0; k < m; k++) {
        // the pivot: the largest entry of what is left
        int r = k, s = k;
        for (int i = k; i < m; i++)
            for (int j = k; j < m; j++)
                if (fabs(K[m * i + j]) > fabs(K[m * r + s])) {
                    r = i;
                    s = j;
                }

        if (fabs(K[m * r + s]) < 1e-12)
            return false;

        // swap rows and columns
        for (int j = 0; j < m; j++) {
            double x = K[m * k + j];
            K[m * k + j] = K[m * r + j];
            K[m * r + j] = x;
        }

        for (int i = 0; i < m; i++) {
            double x = K[m * i + k];
            K[m * i + k] = K[m * i + s];
            K[m * i + s] = x;
        }

        double x = f[k];
        f[k] = f[r];
        f[r] = x;
        int c = column[k];
        column[k] = column[s];
        column[s] = c;

        // eliminate
        for (int i = k + 1; i < m; i++) {
            double g = K[m * i + k] / K[m * k + k];
            for (int j = k; j < m; j++)
                K[m * i + j] -= g * K[m * k + j];
            f[i] -= g * f[k];
        }
    }

    // substitute back, and undo the order of the columns
    double y[most];
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++)
            f[k] -= K[m * k + j] * y[j];
        y[k] = f[k] / K[m * k + k];
    }

    for (int k = 0; k < m; k++)
        f[column[k]] = y[k];

    return true;
}

// number of nonsingular complementary bases with z, w >= 0
static int enumerate(const problem* p)
{
    int found = 0;
    for (int set = 0; set < 1 << p->n; set++) {
        int member[most], m = 0;
        double K[most * most], f[most];
        bool good = true;

        // each set of indices is a basis: M_ss z_s = -q_s
        for (int i = 0; i < p->n; i++)
            if (set >> i & 1)
                member[m++] = i;

        for (int i = 0; i < m; i++) {
            f[i] = -p->q[member[i]];
            for (int j = 0; j < m; j++)
                K[m * i + j] = p->M[p->n * member[i] + member[j]];
        }

        // z and w = q + M z must not be negative
        if (!gauss(K, f, m))
            continue;
        for (int i = 0; i < m; i++)
            good = good && f[i] >= -1e-10;

        for (int i = 0; i < p->n && good; i++) {
            double w = p->q[i];
            for (int j = 0; j < m; j++)
                w += p->M[p->n * i + member[j]] * f[j];
            good = w >= -1e-10;
        }

        found += good;
    }

    return found;
}

static void random_problem(problem* p, int n, cairn_random* random)
{
    p->n = n;
    for (int i = 0; i < n * n; i++)
        p->M[i] = cairn_random_range(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        p->q[i] = cairn_random_range(random, -1.0, 1.0);
}

TEST(any_small_matrix_ends_as_the_enumeration_of_bases_says)
{
    cairn_random random = {7};
    int unsolvable = 0;

    for (int k = 0; k < CHECK_CASES(600); k++) {
        problem p;
        double z[most];
        random_problem(&p, 1 + k % 7, &random);
        cairn_lcp_report report = solve(&p, "auto", z);
        int bases = enumerate(&p);
        ck_assert_msg(report.outcome ==
                          (bases ? CAIRN_OUTCOME_CONVERGED : CAIRN_OUTCOME_NO_SOLUTION),
                      "case %d: %d bases, ended %s by %s, residual %g", k, bases,
                      cairn_outcome_name(report.outcome), report.method, report.residual);
        unsolvable += bases == 0;
    }
    ck_assert(unsolvable > CHECK_CASES(50));
}
END

TEST(sparse_integer_matrices_with_ties_end_as_the_enumeration_says)
{
    cairn_random random = {11};
    for (int k = 0; k < CHECK_CASES(600); k++) {
        problem p = {.n = 2 + k % 5};
        double z[most];

        for (int i = 0; i < p.n * p.n; i++)
            p.M[i] = cairn_random_index(&random, 3) ? 0.0 : cairn_random_index(&random, 5) - 2.0;
        for (int i = 0; i < p.n; i++)
            p.q[i] = cairn_random_index(&random, 4) - 2.0;
        cairn_lcp_report report = solve(&p, "auto", z);

        // singular complementary sets may hold solutions that no basis shows, so only one way
        if (enumerate(&p))
            ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "case %d ended %s", k,
                          cairn_outcome_name(report.outcome));
        else
            ck_assert_msg(
                report.outcome == CAIRN_OUTCOME_NO_SOLUTION ||
                    (report.outcome == CAIRN_OUTCOME_CONVERGED && report.residual < 1e-12),
                "case %d ended %s, residual %g", k, cairn_outcome_name(report.outcome),
                report.residual);
    }
}
END

// M = G G^T of rank r plus a skew part: positive semidefinite, q = w - M z for some z, w >= 0
static void make_semidefinite(problem* p, int n, int rank, double skew, cairn_random* random)
{
    double G[most * most], x[most];
    p->n = n;

    for (int i = 0; i < n * rank; i++)
        G[i] = cairn_random_range(random, -1.0, 1.0);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            p->M[n * i + j] = 0.0;
            for (int k = 0; k < rank; k++)
                p->M[n * i + j] += G[rank * i + k] * G[rank * j + k];
        }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double s = skew * cairn_random_range(random, -1.0, 1.0);
            p->M[n * i + j] += s;
            p->M[n * j + i] -= s;
        }

    for (int i = 0; i < n; i++)
        x[i] = cairn_random_index(random, 2) ? cairn_random_unit(random) : 0.0;

    for (int i = 0; i < n; i++) {
        p->q[i] = cairn_random_unit(random);
        for (int j = 0; j < n; j++)
            p->q[i] -= p->M[n * i + j] * x[j];
    }
}

TEST(feasible_positive_semidefinite_problems_are_solved_by_lemke_alone)
{
    cairn_random random = {3};
    for (int k = 0; k < CHECK_CASES(300); k++) {
        problem p;
        double z[most];
        int n = 2 + k % 30;
        make_semidefinite(&p, n, 1 + k % n, k % 3 ? 0.5 : 0.0, &random);
        cairn_lcp_report report = solve(&p, "lemke-standard", z);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "case %d ended %s, residual %g", k,
                      cairn_outcome_name(report.outcome), report.residual);
        CHECK_BELOW(report.residual, 1e-10);
    }
}
END

TEST(a_problem_made_from_its_solution_is_never_said_to_have_none)
{
    // any matrix, q = w - M z for complementary z and w: far outside the classes of Lemke's method
    cairn_random random = {21};
    int searched = 0;

    for (int k = 0; k < CHECK_CASES(150); k++) {
        problem p;
        double z[most];
        random_problem(&p, 5 + k % 14, &random);
        memset(p.q, 0, sizeof p.q);

        for (int j = 0; j < p.n; j++) {
            double x = cairn_random_unit(&random);
            bool impulse = cairn_random_index(&random, 2) == 1;
            p.q[j] += impulse ? 0.0 : x;
            for (int i = 0; i < p.n && impulse; i++)
                p.q[i] -= p.M[p.n * i + j] * x;
        }

        cairn_lcp_report report = solve(&p, "auto", z);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "case %d ended %s by %s", k,
                      cairn_outcome_name(report.outcome), report.method);

        searched += strcmp(report.method, "search") == 0;
    }
    ck_assert_int_gt(searched, CHECK_CASES(10));
}
END

// seconds that this thread has computed
static double computed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A circuit of switches: sparse, indefinite, without diagonal in half of its rows. `solvable`: q is
// made from a solution; otherwise it is random, and nobody knows.
static void make_circuit(double* M, double* q, int n, bool solvable, cairn_random* random)
{
    memset(M, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        M[n * i + i] = i % 2 ? 0.0 : cairn_random_range(random, -0.2, 1.0);
        for (int k = 0; k < 4; k++) {
            int j = cairn_random_index(random, n);
            double x = cairn_random_range(random, -1.0, 1.0);
            M[n * i + j] += x;
            M[n * j + i] += cairn_random_index(random, 2) ? x : -x;
        }
        q[i] = cairn_random_range(random, -1.0, 1.0);
    }

    // q = w - M z with one of z_j, w_j zero
    for (int i = 0; i < n && solvable; i++)
        q[i] = 0.0;

    for (int j = 0; j < n && solvable; j++) {
        double x = cairn_random_unit(random);
        bool impulse = cairn_random_index(random, 2) == 1;
        q[j] += impulse ? 0.0 : x;
        for (int i = 0; i < n && impulse; i++)
            q[i] -= M[n * i + j] * x;
    }
}

TEST(hard_problems_end_by_their_counted_work_without_a_limit_of_time)
{
#if CHECK_SLOW_BUILD
    static const int sizes[] = {60};
    const double longest = 40.0;
#else
    static const int sizes[] = {100, 156, 300};
    const double longest = 4.0; // twice what they take on a machine of 2020
#endif
    cairn_random random = {156};
    int missed = 0;

    for (size_t k = 0; k < 2 * (sizeof sizes / sizeof sizes[0]); k++) {
        int n = sizes[k / 2];
        double* M = calloc((size_t)n * (size_t)n, sizeof(double));
        double *q = calloc((size_t)n, sizeof(double)), *z = calloc((size_t)n, sizeof(double));
        cairn_lcp lcp = {.n = n, .M = M, .q = q};
        cairn_solve_def def = cairn_default_solve_def();
        cairn_lcp_report report;
        make_circuit(M, q, n, k % 2 == 0, &random);
        double start = computed();
        CHECK(cairn_lcp_solve(&lcp, &def, z, &report, NULL) == CAIRN_OK);

        CHECK_BELOW(computed() - start, longest);
        CHECK_NEAR(report.residual, cairn_lcp_residual(&lcp, z), 0.0);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED ||
                          report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT ||
                          (report.outcome == CAIRN_OUTCOME_NO_SOLUTION && k % 2 == 1),
                      "%d rows ended %s", n, cairn_outcome_name(report.outcome));

        missed += report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT;
        free(M);
        free(q);
        free(z);
    }

    // else they were not hard
    ck_assert_int_gt(missed, 0);
}
END

TEST(a_duplicated_row_and_column_is_no_trouble)
{
    cairn_random random = {5};
    for (int k = 0; k < CHECK_CASES(100); k++) {
        problem p, twice;
        double z[most];
        int n = 2 + k % 8;
        make_semidefinite(&p, n, n, 0.0, &random);
        twice.n = 2 * n;

        for (int i = 0; i < 2 * n; i++) {
            twice.q[i] = p.q[i % n];
            for (int j = 0; j < 2 * n; j++)
                twice.M[2 * n * i + j] = p.M[n * (i % n) + j % n];
        }

        cairn_lcp_report report = solve(&twice, "lemke-standard", z);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.residual, 1e-10);
    }
}
END

TEST(a_copositive_matrix_with_any_negative_q_is_solved)
{
    // strictly copositive: positive entries; Lemke's method always ends in a solution
    cairn_random random = {9};
    for (int k = 0; k < CHECK_CASES(200); k++) {
        problem p;
        double z[most];
        random_problem(&p, 1 + k % most, &random);
        for (int i = 0; i < p.n * p.n; i++)
            p.M[i] = fabs(p.M[i]) + 0.01;
        cairn_lcp_report report = solve(&p, "lemke-standard", z);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "case %d ended %s", k,
                      cairn_outcome_name(report.outcome));
    }
}
END

TEST(problems_of_no_and_of_one_unknown_are_answered)
{
    problem p = {.n = 0};
    double z[1];
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_CONVERGED);

    p = (problem){.n = 1, .M = {2.0}, .q = {-3.0}};
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_CONVERGED);
    CHECK_NEAR(z[0], 1.5, 1e-15);

    p = (problem){.n = 1, .M = {-1.0}, .q = {-3.0}};
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_NO_SOLUTION);

    p = (problem){.n = 1, .M = {-1.0}, .q = {3.0}};
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_CONVERGED);

    p = (problem){.n = 1, .M = {0.0}, .q = {0.0}};
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_CONVERGED);

    p = (problem){.n = 1, .M = {0.0}, .q = {-1e-300}};
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_NO_SOLUTION);
}
END

TEST(the_residual_sees_a_variable_whose_own_row_is_empty)
{
    // w_1 = 1 forces z_1 = 0, so that w_2 = z_1 - 1 is negative: no solution, also not by z_1 = 1
    problem p = {.n = 2, .M = {0.0, 0.0, 1.0, 0.0}, .q = {1.0, -1.0}};
    double z[2] = {1.0, 0.0};
    cairn_lcp lcp = view(&p);
    ck_assert(cairn_lcp_residual(&lcp, z) > 0.4);
    ck_assert_int_eq(solve(&p, "auto", z).outcome, CAIRN_OUTCOME_NO_SOLUTION);
}
END

TEST(a_solution_does_not_depend_on_units)
{
    // rows and columns scaled over twelve orders of magnitude: z scales with its unit
    cairn_random random = {13};
    problem p, scaled;
    double z[most], y[most], row[most], column[most];
    make_semidefinite(&p, 12, 12, 0.3, &random);
    scaled.n = p.n;

    for (int i = 0; i < p.n; i++) {
        row[i] = pow(10.0, cairn_random_range(&random, -3.0, 3.0));
        column[i] = pow(10.0, cairn_random_range(&random, -3.0, 3.0));
    }

    for (int i = 0; i < p.n; i++) {
        scaled.q[i] = row[i] * p.q[i];
        for (int j = 0; j < p.n; j++)
            scaled.M[p.n * i + j] = row[i] * p.M[p.n * i + j] * column[j];
    }

    solve(&p, "lemke-standard", z);
    solve(&scaled, "lemke-standard", y);

    for (int i = 0; i < p.n; i++)
        CHECK_NEAR(column[i] * y[i], z[i], 1e-11 * (1.0 + z[i]));
}
END

// ---------------------------------------------------------------- bounds

// what the bounds say of each z and w, to a tolerance
static void check_bounds(const cairn_lcp* lcp, const double* z)
{
    for (int i = 0; i < lcp->n; i++) {
        double w = lcp->q[i];
        for (int j = 0; j < lcp->n; j++)
            w += lcp->M[lcp->n * i + j] * z[j];
        ck_assert(z[i] >= lcp->lo[i] && z[i] <= lcp->hi[i]);
        ck_assert(w >= -1e-9 || z[i] >= lcp->hi[i] - 1e-12);
        ck_assert(w <= 1e-9 || z[i] <= lcp->lo[i] + 1e-12);
    }
}

TEST(bounds_on_both_sides_one_side_and_none_are_kept)
{
    enum { n = 12 };
    cairn_random random = {29};

    for (int k = 0; k < CHECK_CASES(100); k++) {
        double M[n * n], q[n], lo[n], hi[n], z[n], B[n * n];
        cairn_solve_def def = cairn_default_solve_def();
        cairn_lcp_report report;
        cairn_error error;

        for (int i = 0; i < n * n; i++)
            B[i] = cairn_random_range(&random, -1.0, 1.0);

        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                // positive definite, and not symmetric
                M[n * i + j] = (i == j ? 0.1 : 0.0) + 0.3 * (B[n * i + j] - B[n * j + i]);
                for (int l = 0; l < n; l++)
                    M[n * i + j] += B[n * i + l] * B[n * j + l];
            }
            q[i] = cairn_random_range(&random, -3.0, 3.0);
            lo[i] = i % 4 == 1 || i % 4 == 3 ? -INFINITY : cairn_random_range(&random, -1.0, 0.0);
            hi[i] = i % 4 == 2 || i % 4 == 3 ? INFINITY : cairn_random_range(&random, 0.0, 1.0);
        }

        cairn_lcp lcp = {n, M, q, lo, hi};
        ck_assert(cairn_lcp_solve(&lcp, &def, z, &report, &error) == CAIRN_OK);

        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        check_bounds(&lcp, z);
    }
}
END

TEST(bounds_that_cross_and_free_variables_without_an_answer_are_refused)
{
    double M[4] = {1.0, 1.0, 1.0, 1.0}, q[2] = {1.0, 2.0}, z[2];
    double lo[2] = {-INFINITY, -INFINITY}, hi[2] = {INFINITY, INFINITY}, low[2] = {-1.0, -1.0};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_lcp_report report;
    cairn_error error;
    cairn_lcp free_ones = {2, M, q, lo, hi}, crossed = {2, M, q, NULL, low};
    ck_assert(cairn_lcp_solve(&free_ones, &def, z, &report, &error) == CAIRN_NOT_SUPPORTED);
    ck_assert(cairn_lcp_solve(&crossed, &def, z, &report, &error) == CAIRN_BAD_INPUT);
}
END

TESTS(bounds_on_both_sides_one_side_and_none_are_kept,
      bounds_that_cross_and_free_variables_without_an_answer_are_refused,
      every_stored_pair_ends_with_its_known_status,
      any_small_matrix_ends_as_the_enumeration_of_bases_says,
      sparse_integer_matrices_with_ties_end_as_the_enumeration_says,
      feasible_positive_semidefinite_problems_are_solved_by_lemke_alone,
      a_problem_made_from_its_solution_is_never_said_to_have_none,
      hard_problems_end_by_their_counted_work_without_a_limit_of_time,
      a_duplicated_row_and_column_is_no_trouble, a_copositive_matrix_with_any_negative_q_is_solved,
      problems_of_no_and_of_one_unknown_are_answered,
      the_residual_sees_a_variable_whose_own_row_is_empty, a_solution_does_not_depend_on_units)
