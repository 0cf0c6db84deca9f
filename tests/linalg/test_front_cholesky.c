// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/front_cholesky.h"
#include <cairn/random.h>

// a random graph with a dominant diagonal, the lower triangle by rows
typedef struct matrix {
    int n;
    int *begin, *column;
    double* blocks;
} matrix;

static matrix random_matrix(int n, double density, uint64_t seed)
{
    cairn_random random = {seed};
    matrix A = {.n = n};
    int count = 0;
    A.begin = malloc(((size_t)n + 1) * sizeof(int));
    A.column = malloc((size_t)n * ((size_t)n + 1) / 2 * sizeof(int) + 1);
    A.blocks = calloc((size_t)n * ((size_t)n + 1) / 2 * 36 + 1, sizeof(double));
    for (int i = 0; i < n; i++) {
        A.begin[i] = count;
        for (int j = 0; j <= i; j++) {
            if (j < i && cairn_random_unit(&random) > density)
                continue;
            double* block = A.blocks + 36 * (ptrdiff_t)count;
            for (int r = 0; r < 6; r++)
                for (int c = 0; c <= (i == j ? r : 5); c++) {
                    block[6 * r + c] = cairn_random_range(&random, -1.0, 1.0);
                    if (i == j)
                        block[6 * c + r] = block[6 * r + c];
                }
            for (int r = 0; r < 6 && i == j; r++)
                block[7 * r] += 6.0 * (1.0 + 2.0 * density * n);
            A.column[count++] = j;
        }
    }
    A.begin[n] = count;
    return A;
}

static void free_matrix(matrix* A)
{
    free(A->begin);
    free(A->column);
    free(A->blocks);
}

// the largest |b - A x|
static double residual(const matrix* A, const double* x, const double* b)
{
    size_t n = 6 * (size_t)A->n;
    double *rest = malloc(n * sizeof(double) + 1), worst = 0.0;
    memcpy(rest, b, n * sizeof(double));
    for (int i = 0; i < A->n; i++)
        for (int k = A->begin[i]; k < A->begin[i + 1]; k++)
            for (int r = 0; r < 6; r++)
                for (int c = 0; c < 6; c++) {
                    int j = A->column[k];
                    double a = A->blocks[36 * (ptrdiff_t)k + 6 * r + c];
                    rest[6 * i + r] -= a * x[6 * j + c];
                    if (i != j)
                        rest[6 * j + c] -= a * x[6 * i + r];
                }
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(rest[i]));
    free(rest);
    return worst;
}

static void fill_right_side(double* b, int n)
{
    for (int i = 0; i < 6 * n; i++)
        b[i] = sin(1.0 + i);
}

TEST(both_precisions_solve_to_their_round_off)
{
    const struct {
        int n;
        double density;
    } cases[] = {{1, 0.0}, {2, 1.0}, {7, 0.5}, {40, 0.0}, {40, 0.05}, {60, 0.2}, {25, 1.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        matrix A = random_matrix(cases[k].n, cases[k].density, k + 1);
        cairn_arena arena = {0}, scratch = {0};
        cairn_front_cholesky chol;
        ck_assert_int_eq(
            cairn_front_cholesky_prepare(&chol, A.n, A.begin, A.column, &arena, &scratch, NULL),
            CAIRN_OK);
        double* b = malloc(6 * (size_t)A.n * sizeof(double));
        double* x = malloc(6 * (size_t)A.n * sizeof(double));
        for (int p = 0; p < 2; p++) {
            fill_right_side(b, A.n);
            memcpy(x, b, 6 * (size_t)A.n * sizeof(double));
            CHECK(cairn_front_cholesky_factor(&chol, A.blocks, (cairn_front_precision)p));
            cairn_front_cholesky_solve(&chol, x);

            // the matrices have condition numbers below 10: some tens of units in the last place
            CHECK_BELOW(residual(&A, x, b), p == CAIRN_FRONT_SINGLE ? 1e-5 : 1e-14);
        }
        free(b);
        free(x);
        cairn_arena_destroy(&arena);
        cairn_arena_destroy(&scratch);
        free_matrix(&A);
    }
}
END

TEST(a_matrix_that_is_not_positive_definite_is_refused)
{
    matrix A = random_matrix(10, 0.3, 1);
    cairn_arena arena = {0}, scratch = {0};
    cairn_front_cholesky chol;
    cairn_front_cholesky_prepare(&chol, A.n, A.begin, A.column, &arena, &scratch, NULL);
    double* last = A.blocks + 36 * (ptrdiff_t)(A.begin[10] - 1);
    const double bad[] = {-1.0, 0.0, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (int p = 0; p < 2; p++) {
            last[35] = bad[i];
            CHECK(!cairn_front_cholesky_factor(&chol, A.blocks, (cairn_front_precision)p));
        }
    cairn_arena_destroy(&arena);
    cairn_arena_destroy(&scratch);
    free_matrix(&A);
}
END

// factors and solves by the kernels of one instruction set
static void run_kernels(cairn_front_cholesky* chol, const matrix* A, double* x,
                        cairn_simd_level level, cairn_front_precision precision)
{
    fill_right_side(x, A->n);
    if (precision == CAIRN_FRONT_SINGLE) {
        CHECK(CAIRN_PICK_KERNEL(level, cairn_front_cholesky_factor_single_kernel)(chol, A->blocks));
        CAIRN_PICK_KERNEL(level, cairn_front_cholesky_solve_single_kernel)(chol, x);
    } else {
        CHECK(CAIRN_PICK_KERNEL(level, cairn_front_cholesky_factor_double_kernel)(chol, A->blocks));
        CAIRN_PICK_KERNEL(level, cairn_front_cholesky_solve_double_kernel)(chol, x);
    }
}

TEST(every_instruction_set_gives_the_same_bits)
{
    matrix A = random_matrix(70, 0.08, 3);
    cairn_arena arena = {0}, scratch = {0};
    cairn_front_cholesky chol;
    cairn_front_cholesky_prepare(&chol, A.n, A.begin, A.column, &arena, &scratch, NULL);
    size_t bytes = 6 * (size_t)A.n * sizeof(double);
    double *x = malloc(bytes), *y = malloc(bytes);
    for (int p = 0; p < 2; p++) {
        run_kernels(&chol, &A, x, CAIRN_SIMD_BASELINE, (cairn_front_precision)p);
        for (int level = CAIRN_SIMD_AVX2; level <= (int)cairn_simd_detect(); level++) {
            run_kernels(&chol, &A, y, (cairn_simd_level)level, (cairn_front_precision)p);
            ck_assert_mem_eq(x, y, bytes);
        }
    }
    free(x);
    free(y);
    cairn_arena_destroy(&arena);
    cairn_arena_destroy(&scratch);
    free_matrix(&A);
}
END

TESTS(both_precisions_solve_to_their_round_off, a_matrix_that_is_not_positive_definite_is_refused,
      every_instruction_set_gives_the_same_bits)
