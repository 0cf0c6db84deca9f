// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/block_lu.h"
#include <cairn/random.h>
#include <math.h>
#include <string.h>

// a random matrix in blocks: a pattern of a given density, dominant diagonal
typedef struct matrix {
    int n, width;
    int* begin;
    int* column;
    double* value; // 4 * width per block, by columns
} matrix;

static matrix random_matrix(int n, int width, double density, cairn_random* random)
{
    matrix m = {.n = n, .width = width};
    m.begin = calloc((size_t)n + 1, sizeof(int));
    m.column = calloc((size_t)n * (size_t)n, sizeof(int));
    m.value = calloc((size_t)n * (size_t)n * 16, sizeof(double));
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (i == j || cairn_random_unit(random) < density)
                m.column[count++] = j;
        m.begin[i + 1] = count;
    }
    return m;
}

static void random_values(matrix* m, cairn_random* random)
{
    int size = 4 * m->width;
    for (int i = 0; i < m->n; i++)
        for (int k = m->begin[i]; k < m->begin[i + 1]; k++)
            for (int q = 0; q < m->width; q++)
                for (int p = 0; p < m->width; p++)
                    m->value[size * k + 4 * q + p] =
                        cairn_random_range(random, -1.0, 1.0) +
                        (m->column[k] == i && p == q ? 2.0 * m->n : 0.0);
}

static void destroy(matrix* m)
{
    free(m->begin);
    free(m->column);
    free(m->value);
}

// |A x - b| over the rows that are not left out, with columns left out as zero
static double residual(const matrix* m, const double* x, const double* b, const bool* out)
{
    double worst = 0.0;
    int size = 4 * m->width;
    for (int i = 0; i < m->n; i++) {
        double sum[4] = {0.0};
        if (out && out[i])
            continue;
        for (int k = m->begin[i]; k < m->begin[i + 1]; k++)
            for (int q = 0; q < m->width && !(out && out[m->column[k]]); q++)
                for (int p = 0; p < m->width; p++)
                    sum[p] += m->value[size * k + 4 * q + p] * x[4 * m->column[k] + q];
        for (int p = 0; p < m->width; p++)
            worst = fmax(worst, fabs(sum[p] - b[4 * i + p]));
    }
    return worst;
}

static void check_solve(cairn_block_lu* lu, const matrix* m, const bool* out, cairn_random* random)
{
    double *b = calloc(4 * (size_t)m->n, sizeof(double)), *x = calloc(4 * (size_t)m->n, sizeof *x);
    for (int i = 0; i < m->n; i++)
        for (int p = 0; p < m->width; p++)
            b[4 * i + p] = cairn_random_range(random, -1.0, 1.0);
    memcpy(x, b, 4 * (size_t)m->n * sizeof(double));
    CHECK(cairn_block_lu_factor(lu, m->value, out));
    cairn_block_lu_solve(lu, x);

    // the diagonal is about 2 n, |x| about 1/(2 n): a few units of round-off
    CHECK_BELOW(residual(m, x, b, out), 1e-14 * m->n);
    for (int i = 0; i < m->n && out; i++)
        for (int p = 0; p < m->width && out[i]; p++)
            CHECK_NEAR(x[4 * i + p], 0.0, 0.0);
    free(b);
    free(x);
}

static void check_family(int width)
{
    cairn_random random = {3};
    for (int trial = 0; trial < 40; trial++) {
        int n = 1 + trial;
        matrix m = random_matrix(n, width, 0.02 * (trial % 8), &random);
        cairn_arena arena = {0};
        cairn_block_lu_pattern pattern;
        cairn_block_lu lu;
        bool* out = calloc((size_t)n, sizeof(bool));
        ck_assert_int_eq(
            cairn_block_lu_analyze(&pattern, n, m.begin, m.column, INFINITY, &arena, &arena, NULL),
            CAIRN_OK);
        ck_assert_int_eq(cairn_block_lu_prepare(&lu, &pattern, width, &arena), CAIRN_OK);

        // the same symbolic part for several matrices, with nothing and with something left out
        for (int repeat = 0; repeat < 3; repeat++) {
            random_values(&m, &random);
            check_solve(&lu, &m, NULL, &random);
            for (int i = 0; i < n; i++)
                out[i] = cairn_random_unit(&random) < 0.4;
            check_solve(&lu, &m, out, &random);
        }
        free(out);
        destroy(&m);
        cairn_arena_destroy(&arena);
    }
}

TEST(factors_of_3x3_blocks_solve_their_matrix)
{
    check_family(3);
}
END

TEST(factors_of_4x4_blocks_solve_their_matrix)
{
    check_family(4);
}
END

TEST(dense_fronts_solve_their_matrix)
{
    cairn_random random = {4};
    for (int trial = 0; trial < 40; trial++) {
        int n = 1 + 3 * trial;
        matrix m = random_matrix(n, 3, 0.005 * (trial % 8), &random);
        cairn_arena arena = {0};
        cairn_block_lu_pattern pattern;
        cairn_block_lu lu;
        ck_assert_int_eq(
            cairn_block_lu_analyze(&pattern, n, m.begin, m.column, 0.0, &arena, &arena, NULL),
            CAIRN_OK);
        ck_assert_int_gt(pattern.fronts.count, 0);
        ck_assert_int_eq(cairn_block_lu_prepare(&lu, &pattern, 3, &arena), CAIRN_OK);
        for (int repeat = 0; repeat < 2; repeat++) {
            random_values(&m, &random);
            check_solve(&lu, &m, NULL, &random);
        }
        destroy(&m);
        cairn_arena_destroy(&arena);
    }
}
END

static void check_singular(double dense_from)
{
    int begin[2] = {0, 1}, column[1] = {0};
    double value[12] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    cairn_arena arena = {0};
    cairn_block_lu_pattern pattern;
    cairn_block_lu lu;
    cairn_block_lu_analyze(&pattern, 1, begin, column, dense_from, &arena, &arena, NULL);
    cairn_block_lu_prepare(&lu, &pattern, 3, &arena);
    CHECK(!cairn_block_lu_factor(&lu, value, NULL));
    value[10] = NAN;
    CHECK(!cairn_block_lu_factor(&lu, value, NULL));
    cairn_arena_destroy(&arena);
}

TEST(a_singular_pivot_block_is_reported)
{
    check_singular(0.0);
    check_singular(INFINITY);
}
END

TEST(every_instruction_set_gives_the_same_bits)
{
    cairn_random random = {5};
    matrix m = random_matrix(30, 3, 0.1, &random);
    cairn_arena arena = {0};
    cairn_block_lu_pattern pattern;
    cairn_block_lu lu;
    double x[2][120];
    random_values(&m, &random);
    cairn_block_lu_analyze(&pattern, 30, m.begin, m.column, INFINITY, &arena, &arena, NULL);
    cairn_block_lu_prepare(&lu, &pattern, 3, &arena);
    for (int level = 0; level < 2; level++) {
        cairn_simd_level use = level == 0 ? CAIRN_SIMD_BASELINE : cairn_simd_detect();
        for (int i = 0; i < 120; i++)
            x[level][i] = i % 4 < 3 ? 1.0 / (1.0 + i) : 0.0;
        lu.left_out = NULL;
        CHECK(CAIRN_PICK_KERNEL(use, cairn_block_lu_factor_kernel)(&lu, m.value));
        CAIRN_PICK_KERNEL(use, cairn_block_lu_solve_kernel)(&lu, x[level]);
    }
    ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
    cairn_arena_destroy(&arena);
    destroy(&m);
}
END

TEST(every_instruction_set_gives_the_same_bits_in_fronts)
{
    cairn_random random = {6};
    matrix m = random_matrix(60, 3, 0.05, &random);
    cairn_arena arena = {0};
    cairn_block_lu_pattern pattern;
    cairn_block_lu lu;
    double x[2][240];
    random_values(&m, &random);
    cairn_block_lu_analyze(&pattern, 60, m.begin, m.column, 0.0, &arena, &arena, NULL);
    cairn_block_lu_prepare(&lu, &pattern, 3, &arena);
    for (int level = 0; level < 2; level++) {
        cairn_simd_level use = level == 0 ? CAIRN_SIMD_BASELINE : cairn_simd_detect();
        for (int i = 0; i < 240; i++)
            x[level][i] = i % 4 < 3 ? 1.0 / (1.0 + i) : 0.0;
        CHECK(CAIRN_PICK_KERNEL(use, cairn_front_lu_factor_kernel)(&lu.front, m.value));
        CAIRN_PICK_KERNEL(use, cairn_front_lu_solve_kernel)(&lu.front, pattern.order, x[level]);
    }
    ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
    cairn_arena_destroy(&arena);
    destroy(&m);
}
END

TESTS(factors_of_3x3_blocks_solve_their_matrix, factors_of_4x4_blocks_solve_their_matrix,
      dense_fronts_solve_their_matrix, a_singular_pivot_block_is_reported,
      every_instruction_set_gives_the_same_bits,
      every_instruction_set_gives_the_same_bits_in_fronts)
