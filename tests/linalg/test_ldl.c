// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/ldl.h"
#include <cairn/random.h>
#include <string.h>

#ifdef CAIRN_HAVE_OPENBLAS
extern void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* ipiv, double* b,
                   const int* ldb, int* info);
#endif

enum { most = 60 };

// a symmetric positive definite matrix K = R R^T + shift I with random R
static void random_matrix(double* K, int n, double shift, cairn_random* random)
{
    double R[most * most];
    for (int i = 0; i < n * n; i++)
        R[i] = cairn_random_range(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < n; k++)
                sum += R[i * n + k] * R[j * n + k];
            K[i * n + j] = sum;
        }
}

// Solves K x = rhs with one step of refinement; returns max |K x - rhs| / max |rhs|.
static double solve_refined(const cairn_ldl* ldl, double* x, const double* rhs, const double* K)
{
    int n = ldl->n;
    double left[most], worst = 0.0, size = 0.0;
    memset(x, 0, (size_t)n * sizeof(double));
    for (int pass = 0; pass < 3; pass++) {
        worst = size = 0.0;
        for (int i = 0; i < n; i++) {
            left[i] = rhs[i];
            for (int j = 0; j < n; j++)
                left[i] -= K[i * n + j] * x[j];
            worst = fmax(worst, fabs(left[i]));
            size = fmax(size, fabs(rhs[i]));
        }
        if (pass == 2)
            break;
        cairn_ldl_solve(ldl, left);
        for (int i = 0; i < n; i++)
            x[i] += left[i];
    }
    return worst / size;
}

// max |L D L^T - K[set, set]| / max |K|
static double factor_error(const cairn_ldl* ldl, const double* K, int n, const int* set)
{
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < ldl->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0, k_ij = K[set[i] * n + set[j]];
            for (int k = 0; k <= j; k++) {
                double l_i = k == i ? 1.0 : ldl->L[(size_t)k * ldl->stride + (size_t)i];
                double l_j = k == j ? 1.0 : ldl->L[(size_t)k * ldl->stride + (size_t)j];
                sum += l_i * ldl->D[k] * l_j;
            }
            worst = fmax(worst, fabs(sum - k_ij));
            size = fmax(size, fabs(k_ij));
        }
    return size > 0.0 ? worst / size : 0.0;
}

TEST(a_thousand_rows_appended_and_deleted_leave_a_true_factor)
{
    cairn_random random = {7};
    cairn_arena arena = {0};
    cairn_ldl ldl;
    double K[most * most], column[most];
    int set[most], n = most;
    bool in[most] = {false};
    random_matrix(K, n, 1.0, &random);
    CHECK(cairn_ldl_take(&ldl, n, &arena) == CAIRN_OK);
    for (int step = 0; step < 1000; step++) {
        int row = cairn_random_index(&random, n);
        if (in[row]) {
            int place = 0;
            while (set[place] != row)
                place++;
            cairn_ldl_remove(&ldl, place);
            memmove(set + place, set + place + 1, (size_t)(ldl.n - place) * sizeof(int));
        } else {
            for (int j = 0; j < ldl.n; j++)
                column[j] = K[row * n + set[j]];
            set[ldl.n] = row;
            CHECK(cairn_ldl_append(&ldl, column, K[row * n + row], 1e-12));
        }
        in[row] = !in[row];
        CHECK_BELOW(factor_error(&ldl, K, n, set), 1e-12);
    }
    CHECK(cairn_ldl_worn(&ldl));
    cairn_arena_destroy(&arena);
}
END

TEST(a_row_that_depends_on_the_others_is_refused_and_changes_nothing)
{
    // the third row is the sum of the first two
    double K[9] = {2.0, 1.0, 3.0, 1.0, 5.0, 6.0, 3.0, 6.0, 9.0}, x[2] = {4.0, 11.0};
    cairn_arena arena = {0};
    cairn_ldl ldl;
    cairn_ldl_take(&ldl, 3, &arena);
    CHECK(!cairn_ldl_factor(&ldl, K, 3, 3, 1e-9));
    CHECK(ldl.n == 2);
    cairn_ldl_solve(&ldl, x);
    CHECK_NEAR(x[0], 1.0, 1e-15);
    CHECK_NEAR(x[1], 2.0, 1e-15);
    cairn_arena_destroy(&arena);
}
END

// also across instruction sets: appending has no kernel
TEST(a_factor_from_scratch_has_the_bits_of_rows_appended_one_by_one)
{
    cairn_random random = {5};
    cairn_arena arena = {0};
    cairn_ldl whole, grown;
    double K[most * most], rhs[most], x[most];
    cairn_ldl_take(&whole, most, &arena);
    cairn_ldl_take(&grown, most, &arena);
    for (int n = 1; n <= most; n++) {
        random_matrix(K, n, 0.1, &random);
        CHECK(cairn_ldl_factor(&whole, K, (size_t)n, n, 1e-12));
        cairn_ldl_clear(&grown);
        for (int i = 0; i < n; i++)
            CHECK(cairn_ldl_append(&grown, K + n * i, K[n * i + i], 1e-12));
        ck_assert_mem_eq(whole.D, grown.D, (size_t)n * sizeof(double));
        for (int j = 0; j + 1 < n; j++)
            ck_assert_mem_eq(cairn_ldl_column(&whole, j) + j + 1,
                             cairn_ldl_column(&grown, j) + j + 1,
                             (size_t)(n - j - 1) * sizeof(double));

        // K x = K 1, with an error of the condition number (at most 60 n / 0.1) times round-off
        for (int i = 0; i < n; i++) {
            rhs[i] = 0.0;
            for (int j = 0; j < n; j++)
                rhs[i] += K[n * i + j];
        }
        memcpy(x, rhs, sizeof x);
        cairn_ldl_solve(&whole, x);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(x[i], 1.0, 1e-11);
    }
    cairn_arena_destroy(&arena);
}
END

TEST(solves_agree_with_lapack_after_deletions_and_refinement)
{
    cairn_random random = {3};
    cairn_arena arena = {0};
    cairn_ldl ldl;
    double K[most * most], small[most * most], rhs[most], x[most];
    cairn_ldl_take(&ldl, most, &arena);
    for (int trial = 0; trial < 20; trial++) {
        int n = 5 + cairn_random_index(&random, most - 5), m = n - 2;
        random_matrix(K, n, 1e-6, &random);
        CHECK(cairn_ldl_factor(&ldl, K, (size_t)n, n, 0.0));

        // rows 0 and 3 leave; `small` is what stays
        cairn_ldl_remove(&ldl, 3);
        cairn_ldl_remove(&ldl, 0);
        for (int i = 0, r = 0; i < n; i++)
            if (i != 0 && i != 3) {
                for (int j = 0, c = 0; j < n; j++)
                    if (j != 0 && j != 3)
                        small[r * m + c++] = K[i * n + j];
                r++;
            }
        for (int i = 0; i < m; i++)
            rhs[i] = cairn_random_range(&random, -1.0, 1.0);
        CHECK_BELOW(solve_refined(&ldl, x, rhs, small), 1e-10);
#ifdef CAIRN_HAVE_OPENBLAS
        // forward error of both: condition number times round-off
        int one = 1, pivots[most], info;
        double largest = 0.0;
        dgesv_(&m, &one, small, &m, pivots, rhs, &m, &info);
        CHECK(info == 0);
        for (int i = 0; i < m; i++)
            largest = fmax(largest, fabs(rhs[i]));
        for (int i = 0; i < m; i++)
            CHECK_NEAR(x[i], rhs[i], 1e-7 * largest);
#endif
    }
    cairn_arena_destroy(&arena);
}
END

TESTS(a_thousand_rows_appended_and_deleted_leave_a_true_factor,
      a_row_that_depends_on_the_others_is_refused_and_changes_nothing,
      a_factor_from_scratch_has_the_bits_of_rows_appended_one_by_one,
      solves_agree_with_lapack_after_deletions_and_refinement)
