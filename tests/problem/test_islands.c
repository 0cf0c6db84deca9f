// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "dense_reference.h"
#include "mixed_problem.h"
#include <cairn/cairn.h>
#include <string.h>

static cairn_problem scattered(uint64_t seed, int bodies, int contacts)
{
    cairn_generate_def def = cairn_default_generate_def("random");
    cairn_problem problem;
    def.width = bodies;
    def.height = contacts;
    def.seed = seed;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

// whether A couples any row of c with any row of d: the definition of feeling each other
static bool coupled(const double* A, const cairn_problem* problem, int c, int d)
{
    const cairn_block *x = &problem->blocks[c], *y = &problem->blocks[d];
    for (int i = x->row; i < x->row + x->row_count; i++)
        for (int j = y->row; j < y->row + y->row_count; j++)
            if (A[i * problem->row_count + j] != 0.0 || A[j * problem->row_count + i] != 0.0)
                return true;
    return false;
}

// brute force: spread the least label along couplings until nothing changes
static int* label_by_force(const cairn_problem* problem)
{
    double* A = dense_A(problem);
    int* label = malloc((size_t)problem->block_count * sizeof(int) + 1);
    for (int c = 0; c < problem->block_count; c++)
        label[c] = c;
    for (bool changed = true; changed;) {
        changed = false;
        for (int c = 0; c < problem->block_count; c++)
            for (int d = 0; d < problem->block_count; d++)
                if (label[c] < label[d] && coupled(A, problem, c, d)) {
                    label[d] = label[c];
                    changed = true;
                }
    }
    free(A);
    return label;
}

static void check_islands(const cairn_problem* problem)
{
    cairn_islands islands;
    int *label = label_by_force(problem), last = -1, blocks = 0;
    CHECK(cairn_problem_islands(problem, &islands) == CAIRN_OK);
    CHECK(islands.begin[0] == 0 && islands.begin[islands.count] == problem->block_count);
    for (int i = 0; i < islands.count; i++) {
        int first = islands.block[islands.begin[i]];
        ck_assert_int_gt(first, last); // ordered by first block
        last = first;
        for (int k = islands.begin[i]; k < islands.begin[i + 1]; k++, blocks++) {
            ck_assert_int_eq(label[islands.block[k]], first);
            CHECK(k == islands.begin[i] || islands.block[k] > islands.block[k - 1]);
        }
    }

    // every label is one island: as many islands as labels
    int labels = 0;
    for (int c = 0; c < problem->block_count; c++)
        labels += label[c] == c;
    ck_assert_int_eq(islands.count, labels);
    ck_assert_int_eq(blocks, problem->block_count);
    cairn_islands_destroy(&islands);
    free(label);
}

TEST(islands_are_what_brute_force_finds)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_problem problem = scattered(seed, 30, 20), form;
        problem.bodies[15] = (cairn_mass){0}; // a static body does not connect
        check_islands(&problem);
        CHECK(cairn_problem_explicit(&problem, &form, NULL) == CAIRN_OK);
        check_islands(&form);
        cairn_problem_destroy(&problem);
        cairn_problem_destroy(&form);
    }
}
END

TEST(no_blocks_make_no_islands)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_islands islands;
    CHECK(cairn_problem_islands(&problem, &islands) == CAIRN_OK);
    ck_assert_int_eq(islands.count, 0);
    cairn_islands_destroy(&islands);
}
END

static void check_part(const cairn_problem* problem, const int* blocks, int count)
{
    cairn_problem part;
    cairn_error error;
    int *row_of = malloc((size_t)problem->row_count * sizeof(int)), n = problem->row_count;
    CHECK(cairn_problem_extract(problem, blocks, count, &part, row_of) == CAIRN_OK);
    ck_assert_msg(cairn_problem_check(&part, &error) == CAIRN_OK, "%s", error.text);
    double *A = dense_A(problem), *B = dense_A(&part);
    for (int i = 0; i < part.row_count; i++) {
        int row = row_of[i];
        CHECK(part.b[i] == problem->b[row]);
        CHECK(!problem->warm || part.warm[i] == problem->warm[row]);
        CHECK(!problem->lo || (part.lo[i] == problem->lo[row] && part.hi[i] == problem->hi[row]));
        for (int j = 0; j < part.row_count; j++)
            CHECK_NEAR(B[i * part.row_count + j], A[row * n + row_of[j]], 1e-14);
    }
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(part.blocks[i].kind, problem->blocks[blocks[i]].kind);
        ck_assert_int_eq(row_of[part.blocks[i].row], problem->blocks[blocks[i]].row);
        CHECK(memcmp(part.blocks[i].friction.mu, problem->blocks[blocks[i]].friction.mu,
                     3 * sizeof(double)) == 0);
    }
    free(A);
    free(B);
    free(row_of);
    cairn_problem_destroy(&part);
}

TEST(a_part_has_the_matrix_and_the_velocities_of_the_whole)
{
    cairn_problem problem = mixed_problem(3), random = scattered(5, 10, 20), form;
    int some[] = {0, 3, 4, 9, 17, 30, 42, 55}, few[] = {1, 2, 5, 11, 19};
    CHECK(problem.block_count > 55);
    check_part(&problem, some, 8);
    check_part(&random, few, 5);
    CHECK(cairn_problem_explicit(&random, &form, NULL) == CAIRN_OK);
    check_part(&form, few, 5);
    check_part(&form, few, 0);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&random);
    cairn_problem_destroy(&form);
}
END

// solves each island alone and puts the impulses together
static void solve_islands(double* lambda, const cairn_problem* problem, const cairn_solve_def* def)
{
    cairn_islands islands;
    int* row_of = malloc((size_t)problem->row_count * sizeof(int));
    double* x = malloc((size_t)problem->row_count * sizeof(double));
    CHECK(cairn_problem_islands(problem, &islands) == CAIRN_OK);
    CHECK(islands.count > 1);
    for (int i = 0; i < islands.count; i++) {
        cairn_problem part;
        cairn_report report;
        CHECK(cairn_problem_extract(problem, islands.block + islands.begin[i],
                                    islands.begin[i + 1] - islands.begin[i], &part,
                                    row_of) == CAIRN_OK);
        CHECK(cairn_solve(&part, def, x, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        for (int k = 0; k < part.row_count; k++)
            lambda[row_of[k]] = x[k];
        cairn_problem_destroy(&part);
    }
    free(row_of);
    free(x);
    cairn_islands_destroy(&islands);
}

TEST(islands_solved_one_by_one_solve_the_whole)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cairn_problem problem = scattered(seed, 30, 20);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_residual residual;
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        def.method = "pgs";
        def.tolerance = 1e-9;
        solve_islands(lambda, &problem, &def);
        CHECK(cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual) ==
              CAIRN_OK);

        // each part is measured by its own max |b|, which is at most that of the whole
        CHECK_BELOW(residual.relative, def.tolerance);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TESTS(islands_are_what_brute_force_finds, no_blocks_make_no_islands,
      a_part_has_the_matrix_and_the_velocities_of_the_whole,
      islands_solved_one_by_one_solve_the_whole)
