// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "exact_bench.h"

// |b - K x|, by the blocks of K alone
static double residual(const cairn_krylov* krylov, const double* x, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < krylov->n; i++)
        for (int row = 0; row < 8; row++) {
            double rest = b[8 * i + row];
            for (int m = krylov->begin[i]; m < krylov->begin[i + 1]; m++)
                for (int k = 0; k < 6; k++)
                    rest -= krylov->K[CAIRN_KRYLOV_BLOCK * m + 8 * k + row] *
                            x[8 * krylov->column[m] + k + k / 3];
            sum += rest * rest;
        }
    return sqrt(sum);
}

// fills K with the system in which every contact sticks
static void fill_system(bench* b, const cairn_problem* problem, double eps)
{
    set_up(b, problem, CAIRN_NEWTON_ITERATED);
    cairn_newton* newton = &b->exact.newton;
    memset(newton->local, 0, (size_t)newton->cells->count * sizeof *newton->local);
    for (int c = 0; c < newton->cells->count; c++)
        for (int i = 0; i < 3; i++) {
            newton->local[c].V[5 * i] = newton->local[c].Vt[5 * i] = 1.0;
            newton->local[c].D[5 * i] = eps;
        }
    CHECK(cairn_newton_factor(newton));
}

// solves for a random right side; returns the iterations
static int solve_random(bench* b, double tolerance)
{
    cairn_krylov* krylov = &b->exact.newton.krylov;
    size_t n = 8 * (size_t)krylov->n;
    double *x = calloc(n, 8), *right = calloc(n, 8), size = 0.0;
    random_point(right, n, 7);

    for (size_t i = 0; i < n; i++)
        size += right[i] * right[i];

    size = sqrt(size);
    memcpy(x, right, n * sizeof(double));
    CHECK(cairn_krylov_solve(krylov, x, tolerance * size));

    // the recurrence knows its residual up to round-off of K x, whose terms are 1/eps times larger
    CHECK_BELOW(residual(krylov, x, right), 1.5 * tolerance * size);
    free(x);
    free(right);
    return krylov->iterations;
}

TEST(incomplete_factors_of_a_stack_are_complete)
{
    // a chain of blocks has no fill
    cairn_problem problem = make("stack", 10, 0.5, 1.0, 0.0);
    bench b;
    fill_system(&b, &problem, 1e-3);
    ck_assert_int_le(solve_random(&b, 1e-10), 2);
    cairn_arena_destroy(&b.arena);
    cairn_problem_destroy(&problem);
}
END

TEST(a_heap_takes_tens_of_iterations_however_small_the_regularization)
{
    for (double eps = 1e-1; eps > 1e-8; eps *= 1e-2) {
        cairn_problem problem = make("heap", 100, 0.5, 1.0, 0.0);
        bench b;
        fill_system(&b, &problem, eps);
        ck_assert_int_le(solve_random(&b, 1e-6), 60);
        cairn_arena_destroy(&b.arena);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(the_direction_of_an_iterated_solve_is_that_of_the_derivative)
{
    cairn_problem problem = make("heap", 40, 0.5, 1.0, 0.0);
    bench b;
    set_up(&b, &problem, CAIRN_NEWTON_ITERATED);
    for (uint64_t seed = 1; seed <= 10; seed++)
        CHECK_NEAR(relative_slope(&b, seed), -1.0, 1e-4);
    CHECK(b.exact.newton.plan->iterated && !b.exact.newton.gave_up);
    cairn_arena_destroy(&b.arena);
    cairn_problem_destroy(&problem);
}
END

TEST(every_instruction_set_gives_the_same_bits)
{
    cairn_problem problem = make("heap", 40, 0.5, 1.0, 0.0);
    bench b;
    fill_system(&b, &problem, 1e-3);
    cairn_krylov* krylov = &b.exact.newton.krylov;
    size_t n = 8 * (size_t)krylov->n, bytes = 4 * n * sizeof(double);
    double* x[2];

    for (int level = 0; level < 2; level++) {
        cairn_simd_level use = level == 0 ? CAIRN_SIMD_BASELINE : cairn_simd_detect();
        double* own = x[level] = calloc(1, bytes);

        // factors, (L U)^-1 v, K of that, what of it is orthogonal to v, and the two figures of
        // that
        random_point(krylov->basis, n, 5);
        CHECK(CAIRN_PICK_KERNEL(use, cairn_krylov_factor_kernel)(krylov));

        CAIRN_PICK_KERNEL(use, cairn_krylov_precondition_kernel)(krylov, own, krylov->basis);
        CAIRN_PICK_KERNEL(use, cairn_krylov_product_kernel)(krylov, own + n, own);
        memcpy(krylov->basis + n, own + n, n * sizeof(double));
        own[3 * n + 1] =
            CAIRN_PICK_KERNEL(use, cairn_krylov_orthogonal_kernel)(krylov, own + 3 * n, 1);
        memcpy(own + 2 * n, krylov->basis + n, n * sizeof(double));
    }
    ck_assert_mem_eq(x[0], x[1], bytes);
    free(x[0]);
    free(x[1]);
    cairn_arena_destroy(&b.arena);
    cairn_problem_destroy(&problem);
}
END

TEST(iteration_that_fails_says_so)
{
    cairn_problem problem = make("heap", 40, 0.5, 1.0, 0.0);
    bench b;
    fill_system(&b, &problem, 1e-3);
    cairn_krylov* krylov = &b.exact.newton.krylov;
    double* x = calloc(8 * (size_t)krylov->n, 8);
    memset(krylov->factor, 0, CAIRN_KRYLOV_BLOCK * sizeof(double));
    x[0] = 1.0;

    // without the factors of the first body nothing reaches it
    CHECK(!cairn_krylov_solve(krylov, x, 1e-9));
    CHECK(!cairn_exact_stop(&b.exact));

    b.exact.newton.local[0].D[0] = NAN;
    CHECK(!cairn_newton_factor(&b.exact.newton) && b.exact.newton.gave_up);
    CHECK(cairn_exact_stop(&b.exact));
    free(x);
    cairn_arena_destroy(&b.arena);
    cairn_problem_destroy(&problem);
}
END

TEST(large_heaps_are_iterated_and_walls_are_factored)
{
    static const struct {
        const char* kind;
        int size;
        bool iterated;
    } cases[] = {{"heap", 30, false}, {"heap", 200, true}, {"wall", 10, false}};
    for (int k = 0; k < 3; k++) {
        cairn_problem problem = make(cases[k].kind, cases[k].size, 0.5, 1.0, 0.0);
        bench b;
        set_up(&b, &problem, CAIRN_NEWTON_CHEAPEST);
        ck_assert_int_eq(b.exact.newton.plan->iterated, cases[k].iterated);
        cairn_arena_destroy(&b.arena);
        cairn_problem_destroy(&problem);
    }
}
END

TESTS(incomplete_factors_of_a_stack_are_complete,
      a_heap_takes_tens_of_iterations_however_small_the_regularization,
      the_direction_of_an_iterated_solve_is_that_of_the_derivative,
      every_instruction_set_gives_the_same_bits, iteration_that_fails_says_so,
      large_heaps_are_iterated_and_walls_are_factored)
