// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "dense_reference.h"
#include "mixed_problem.h"
#include "problem/delassus.h"
#include <cairn/generate.h>
#include <string.h>

// sums of a hundred products of numbers near one
static const double round_off = 1e-13;

static double* product(const double* A, const double* x, const double* b, int n)
{
    double* y = malloc((size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        y[i] = b ? b[i] : 0.0;
        for (int j = 0; j < n; j++)
            y[i] += A[i * n + j] * x[j];
    }
    return y;
}

static cairn_problem contacts_only(uint64_t seed)
{
    cairn_generate_def def = cairn_default_generate_def("random");
    cairn_problem problem;
    def.width = 8;
    def.height = 20;
    def.seed = seed;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

static void check_products(const cairn_problem* problem)
{
    cairn_arena arena = {0};
    cairn_delassus D;
    int n = problem->row_count;
    double *A = dense_A(problem), *x = random_numbers(3, n);
    double* expected = product(A, x, problem->b, n);
    CHECK(cairn_delassus_prepare(&D, problem, &arena) == CAIRN_OK);
    double* w = CAIRN_TAKE(&arena, double, cairn_delassus_state_size(&D));
    double* v = CAIRN_TAKE(&arena, double, n);
    double* dense = CAIRN_TAKE(&arena, double, n* n);

    cairn_delassus_load(&D, w, x);
    cairn_delassus_velocity(&D, v, w, x);
    CHECK_BELOW(dense_distance(v, expected, (size_t)n), round_off);
    CHECK(cairn_problem_velocity(problem, x, v) == CAIRN_OK);
    CHECK_BELOW(dense_distance(v, expected, (size_t)n), round_off);
    cairn_delassus_dense(&D, dense);
    CHECK_BELOW(dense_distance(dense, A, (size_t)(n * n)), round_off);
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        cairn_delassus_block_velocity(&D, v, c, w, x);
        CHECK_BELOW(dense_distance(v, expected + block->row, (size_t)block->row_count), 1e-12);
        for (int i = 0; i < block->row_count; i++)
            for (int j = 0; j < block->row_count; j++)
                CHECK_NEAR(cairn_delassus_block(&D, c)[block->row_count * i + j],
                           A[(block->row + i) * n + block->row + j], round_off);
    }
    free(A);
    free(x);
    free(expected);
    cairn_arena_destroy(&arena);
}

TEST(products_are_those_of_the_dense_matrix_for_every_kind_of_block)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cairn_problem problem = mixed_problem(seed);
        check_products(&problem);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(products_of_an_explicit_matrix_are_those_of_the_dense_matrix)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cairn_problem problem = contacts_only(seed), form;
        CHECK(cairn_problem_explicit(&problem, &form, NULL) == CAIRN_OK);
        check_products(&form);
        cairn_problem_destroy(&problem);
        cairn_problem_destroy(&form);
    }
}
END

TEST(both_forms_of_A_are_the_same_matrix)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cairn_problem problem = contacts_only(seed), form;
        problem.compliance = malloc((size_t)problem.row_count * sizeof(double));
        for (int i = 0; i < problem.row_count; i++)
            problem.compliance[i] = 0.1 * (i % 4);
        CHECK(cairn_problem_explicit(&problem, &form, NULL) == CAIRN_OK);
        int n = problem.row_count;
        double *A = dense_A(&problem), *B = dense_A(&form);
        CHECK(form.row_count == n && !form.rows);
        CHECK_BELOW(dense_distance(B, A, (size_t)(n * n)), round_off);
        CHECK(memcmp(form.b, problem.b, (size_t)n * sizeof(double)) == 0);
        free(A);
        free(B);
        cairn_problem_destroy(&problem);
        cairn_problem_destroy(&form);
    }
}
END

TEST(contacts_of_fewer_rows_are_padded_with_nothing)
{
    cairn_problem problem = mixed_problem(9), part, form;
    int blocks[20], row_of[100], count = 0;
    for (int c = 0; c < problem.block_count; c++)
        if (problem.blocks[c].kind == CAIRN_BLOCK_CONTACT && problem.blocks[c].row_count < 3)
            blocks[count++] = c;
    CHECK(cairn_problem_extract(&problem, blocks, count, &part, row_of) == CAIRN_OK);
    CHECK(cairn_problem_explicit(&part, &form, NULL) == CAIRN_OK);
    int n = part.row_count, m = form.row_count;
    double *A = dense_A(&part), *B = dense_A(&form), total = 0.0, found = 0.0;
    CHECK(m == 3 * count);
    for (int c = 0; c < count; c++)
        for (int d = 0; d < count; d++)
            for (int i = 0; i < part.blocks[c].row_count; i++)
                for (int j = 0; j < part.blocks[d].row_count; j++) {
                    double x = A[(part.blocks[c].row + i) * n + part.blocks[d].row + j];
                    CHECK_NEAR(B[(3 * c + i) * m + 3 * d + j], x, round_off);
                    total += fabs(x);
                }
    for (int i = 0; i < m * m; i++)
        found += fabs(B[i]);
    CHECK_NEAR(found, total, 1e-11);
    free(A);
    free(B);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&part);
    cairn_problem_destroy(&form);
}
END

TEST(an_explicit_matrix_is_refused_for_blocks_that_it_cannot_hold)
{
    cairn_problem problem = mixed_problem(1), form;
    cairn_error error;
    CHECK(cairn_problem_explicit(&problem, &form, &error) == CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "block "));
    cairn_problem_destroy(&problem);
}
END

TEST(the_state_follows_changes_of_single_blocks)
{
    cairn_problem problem = mixed_problem(4);
    cairn_arena arena = {0};
    cairn_delassus D;
    int n = problem.row_count;
    double* x = random_numbers(8, n);
    CHECK(cairn_delassus_prepare(&D, &problem, &arena) == CAIRN_OK);
    int size = cairn_delassus_state_size(&D);
    double *w = CAIRN_TAKE_ZEROED(&arena, double, size),
           *at_once = CAIRN_TAKE(&arena, double, size);

    // in another order than the load takes
    for (int c = problem.block_count - 1; c >= 0; c--)
        cairn_delassus_block_change(&D, w, c, x + problem.blocks[c].row);
    cairn_delassus_load(&D, at_once, x);
    CHECK_BELOW(dense_distance(w, at_once, (size_t)size), round_off);
    free(x);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
}
END

TEST(bodies_move_by_inverse_mass_times_impulse)
{
    cairn_problem problem = mixed_problem(5);
    cairn_arena arena = {0};
    cairn_delassus D;
    double* x = random_numbers(8, problem.row_count);
    double fast[36], plain[36];
    CHECK(problem.body_count == 6);
    CHECK(cairn_delassus_prepare(&D, &problem, &arena) == CAIRN_OK);
    double* w = CAIRN_TAKE(&arena, double, 36);
    cairn_delassus_load(&D, w, x);
    cairn_delassus_body_velocity(&D, fast, w);
    cairn_problem_body_velocity(&problem, x, plain);
    CHECK_BELOW(dense_distance(fast, plain, 36), round_off);
    for (int k = 0; k < 6; k++)
        CHECK(plain[12 + k] == 0.0); // the static one
    free(x);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
}
END

TEST(pairs_of_contacts_are_blocks_of_A)
{
    cairn_problem problem = contacts_only(2);
    cairn_arena arena = {0};
    cairn_delassus D;
    int n = problem.row_count;
    double *A = dense_A(&problem), block[9];
    CHECK(cairn_delassus_prepare(&D, &problem, &arena) == CAIRN_OK);
    for (int c = 0; c < problem.block_count; c++)
        for (int d = 0; d < problem.block_count; d++) {
            cairn_delassus_pair(&D, block, c, d);
            for (int i = 0; i < 9; i++)
                CHECK_NEAR(block[i], A[(3 * c + i / 3) * n + 3 * d + i % 3], round_off);
        }
    free(A);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
}
END

TEST(a_factor_of_a_body_squares_to_its_inverse_mass)
{
    const cairn_mat3 flat = {{2.0, 1.0, 0.0}, {1.0, 0.5, 0.0}, {0.0, 0.0, 0.0}};
    const cairn_mass masses[] = {{4.0, {{2.0, 0.3, 0.1}, {0.3, 1.0, -0.2}, {0.1, -0.2, 3.0}}},
                                 {0.25, flat},
                                 {.inverse_mass = 0.0}};
    for (int i = 0; i < 3; i++) {
        cairn_body_factor factor = cairn_factor_body(&masses[i]);
        cairn_mat3 product = cairn_mat3_multiply(factor.S, cairn_mat3_transpose(factor.S));
        CHECK_NEAR(factor.inverse_root_mass * factor.inverse_root_mass, masses[i].inverse_mass,
                   1e-15);
        CHECK_BELOW(dense_distance(&product.cx.x, &masses[i].inverse_inertia.cx.x, 9), 1e-15);
    }
}
END

TESTS(products_are_those_of_the_dense_matrix_for_every_kind_of_block,
      products_of_an_explicit_matrix_are_those_of_the_dense_matrix,
      both_forms_of_A_are_the_same_matrix, contacts_of_fewer_rows_are_padded_with_nothing,
      an_explicit_matrix_is_refused_for_blocks_that_it_cannot_hold,
      the_state_follows_changes_of_single_blocks, bodies_move_by_inverse_mass_times_impulse,
      pairs_of_contacts_are_blocks_of_A, a_factor_of_a_body_squares_to_its_inverse_mass)
