// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/six_lu.h"
#include <cairn/random.h>
#include <string.h>

enum { most = 6 * cairn_six_lu_most };

// the pattern of a tree and some edges more
static void join_at_random(cairn_six_lu* lu, int n, int extra, cairn_random* random)
{
    cairn_six_lu_start(lu, n);
    for (int i = 1; i < n; i++)
        cairn_six_lu_join(lu, i, (int)cairn_random_index(random, i));
    for (int k = 0; k < extra && n > 1; k++) {
        int i = 1 + (int)cairn_random_index(random, n - 1);
        cairn_six_lu_join(lu, i, (int)cairn_random_index(random, i));
    }
}

// random blocks where the pattern has some; also as a dense matrix
static void fill_at_random(cairn_six_lu* lu, const uint64_t* near, double* dense,
                           cairn_random* random)
{
    memset(lu->blocks, 0, (size_t)lu->block_count * sizeof *lu->blocks);
    memset(dense, 0, (size_t)most * most * sizeof *dense);
    for (int i = 0; i < lu->n; i++)
        for (int j = 0; j < lu->n; j++) {
            if (i != j && !(near[i] >> j & 1))
                continue;
            for (int r = 0; r < 6; r++)
                for (int c = 0; c < 6; c++) {
                    // the diagonal of a block may vanish: pivots are looked for
                    double x = cairn_random_range(random, -1.0, 1.0) +
                               (i == j && c == (r + 1) % 6 ? 6.0 * lu->n : 0.0);
                    cairn_six_lu_block(lu, i, j)->row[r][c] = x;
                    dense[most * (6 * i + r) + 6 * j + c] = x;
                }
        }
}

TEST(what_is_solved_satisfies_the_equations)
{
    cairn_random random = {5};
    double *dense = malloc(sizeof *dense * most * most), b[most];
    cairn_double8 x[cairn_six_lu_most];
    const int sizes[] = {1, 2, 5, 12, 40, 64};
    for (int k = 0; k < 6; k++) {
        cairn_arena arena = {0};
        cairn_six_lu lu;
        join_at_random(&lu, sizes[k], sizes[k] / 2, &random);
        uint64_t near[cairn_six_lu_most];
        memcpy(near, lu.near, sizeof near);
        CHECK(cairn_six_lu_plan(&lu, &arena) == CAIRN_OK);
        fill_at_random(&lu, near, dense, &random);
        for (int i = 0; i < 6 * lu.n; i++)
            x[i / 6][i % 6] = b[i] = cairn_random_range(&random, -1.0, 1.0);
        CHECK(cairn_six_lu_factor(&lu));
        cairn_six_lu_solve(&lu, x);
        for (int i = 0; i < 6 * lu.n; i++) {
            double sum = 0.0;
            for (int j = 0; j < 6 * lu.n; j++)
                sum += dense[most * i + j] * x[j / 6][j % 6];
            CHECK_NEAR(sum, b[i], 1e-11); // round-off of 384 unknowns
        }
        cairn_arena_destroy(&arena);
    }
    free(dense);
}
END

TEST(a_tree_fills_nothing_in)
{
    cairn_random random = {9};
    for (int k = 0; k < 20; k++) {
        cairn_arena arena = {0};
        cairn_six_lu lu;
        int n = 2 + (int)cairn_random_index(&random, cairn_six_lu_most - 1);
        join_at_random(&lu, n, 0, &random);
        CHECK(cairn_six_lu_plan(&lu, &arena) == CAIRN_OK);
        ck_assert_int_eq(lu.block_count, n + 2 * (n - 1));
        cairn_arena_destroy(&arena);
    }
}
END

TEST(a_singular_pivot_is_told)
{
    cairn_arena arena = {0};
    cairn_six_lu lu;
    cairn_six_lu_start(&lu, 2);
    CHECK(cairn_six_lu_plan(&lu, &arena) == CAIRN_OK);
    memset(lu.blocks, 0, (size_t)lu.block_count * sizeof *lu.blocks);
    for (int i = 0; i < 2; i++)
        for (int r = 0; r < 6 - i; r++)
            cairn_six_lu_block(&lu, i, i)->row[r][r] = 1.0;
    CHECK(!cairn_six_lu_factor(&lu));
    cairn_arena_destroy(&arena);
}
END

TESTS(what_is_solved_satisfies_the_equations, a_tree_fills_nothing_in, a_singular_pivot_is_told)
