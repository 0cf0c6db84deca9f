// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/inverse.h"
#include <cairn/random.h>

enum { most = 40 };

// max |B K[set, set] - I|
static double inverse_error(const cairn_inverse* inverse, const double* K, const int* set)
{
    double worst = 0.0;
    for (int i = 0; i < inverse->n; i++)
        for (int j = 0; j < inverse->n; j++) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < inverse->n; k++)
                sum +=
                    inverse->B[(size_t)i * inverse->stride + (size_t)k] * K[set[k] * most + set[j]];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

TEST(an_inverse_stays_true_while_rows_come_and_go_and_columns_change)
{
    cairn_random random = {5};
    cairn_arena arena = {0};
    cairn_inverse inverse;
    double K[most * most], column[most], row[most];
    int set[most];
    bool in[most] = {false};
    for (int i = 0; i < most * most; i++)
        K[i] = cairn_random_range(&random, -1.0, 1.0) + (i % (most + 1) == 0 ? 8.0 : 0.0);
    CHECK(cairn_inverse_take(&inverse, most, &arena) == CAIRN_OK);
    for (int step = 0; step < 600; step++) {
        int r = cairn_random_index(&random, most), place = 0;
        while (in[r] && set[place] != r)
            place++;
        if (in[r] && cairn_random_unit(&random) < 0.5) {
            // another column
            for (int i = 0; i < most; i++) {
                double change = cairn_random_range(&random, -0.1, 0.1);
                K[i * most + r] += change;
                row[i] = change;
            }
            for (int i = 0; i < inverse.n; i++)
                column[i] = row[set[i]];
            CHECK(cairn_inverse_replace(&inverse, place, column));
        } else if (in[r]) {
            CHECK(cairn_inverse_remove(&inverse, place));
            set[place] = set[inverse.n];
            in[r] = false;
        } else {
            for (int i = 0; i < inverse.n; i++) {
                column[i] = K[set[i] * most + r];
                row[i] = K[r * most + set[i]];
            }
            set[inverse.n] = r;
            CHECK(cairn_inverse_append(&inverse, column, row, K[r * most + r], 1e-12));
            in[r] = true;
        }
        CHECK_BELOW(inverse_error(&inverse, K, set), 1e-11);
    }
    cairn_arena_destroy(&arena);
}
END

TEST(gauss_jordan_inverts_a_matrix_that_needs_row_swaps)
{
    cairn_random random = {9};
    cairn_arena arena = {0};
    cairn_inverse inverse;
    double K[most * most], copy[most * most];
    int set[most], swap[most];
    for (int i = 0; i < most * most; i++)
        copy[i] = K[i] = i % (most + 1) == 0 ? 0.0 : cairn_random_range(&random, -1.0, 1.0);
    for (int i = 0; i < most; i++)
        set[i] = i;
    cairn_inverse_take(&inverse, most, &arena);
    CHECK(cairn_inverse_compute(&inverse, copy, most, most, 1e-14, swap));
    CHECK_BELOW(inverse_error(&inverse, K, set), 1e-10);
    cairn_arena_destroy(&arena);
}
END

TEST(singular_changes_are_refused_and_change_nothing)
{
    cairn_arena arena = {0};
    cairn_inverse inverse;
    double zero = 0.0, two = 2.0, minus_two = -2.0, one = 1.0, x;
    double singular[4] = {1.0, 2.0, 2.0, 4.0};
    int swap[2];
    cairn_inverse_take(&inverse, 2, &arena);
    CHECK(cairn_inverse_append(&inverse, &zero, &zero, 2.0, 1e-9));
    CHECK(!cairn_inverse_append(&inverse, &two, &two, 2.0, 1e-9));
    CHECK(!cairn_inverse_replace(&inverse, 0, &minus_two));
    cairn_inverse_solve(&inverse, &x, &one);
    CHECK_NEAR(x, 0.5, 0.0);
    CHECK(!cairn_inverse_compute(&inverse, singular, 2, 2, 1e-12, swap));
    CHECK(inverse.n == 0);
    cairn_arena_destroy(&arena);
}
END

TEST(a_raised_flag_ends_every_pass_over_the_matrix)
{
    cairn_arena arena = {0};
    cairn_inverse inverse;
    cairn_cancel flag = {0};
    cairn_stop stop = {.cancel = &flag};
    double K[most * most] = {0}, rhs[most], x[most];
    int swap[most];
    for (int i = 0; i < most; i++)
        K[i * most + i] = rhs[i] = 1.0;
    cairn_inverse_take(&inverse, most, &arena);
    inverse.stop = &stop;
    CHECK(cairn_inverse_compute(&inverse, K, most, most, 1e-14, swap));
    cairn_cancel_raise(&flag);

    // the first rows are done without a question, and none after it
    cairn_inverse_solve(&inverse, x, rhs);
    CHECK(x[0] == 1.0 && x[most - 1] == 0.0);
    CHECK(!cairn_inverse_replace(&inverse, 0, rhs));
    CHECK(!cairn_inverse_remove(&inverse, 0));
    CHECK(!cairn_inverse_compute(&inverse, K, most, most, 1e-14, swap));
    CHECK(inverse.n == 0);
    cairn_arena_destroy(&arena);
}
END

TESTS(a_raised_flag_ends_every_pass_over_the_matrix,
      an_inverse_stays_true_while_rows_come_and_go_and_columns_change,
      gauss_jordan_inverts_a_matrix_that_needs_row_swaps,
      singular_changes_are_refused_and_change_nothing)
