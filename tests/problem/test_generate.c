// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "dense_reference.h"
#include "problem/generate/generate_draft.h"
#include <cairn/cairn.h>
#include <string.h>

static cairn_problem make(const cairn_generate_def* def)
{
    cairn_problem problem;
    cairn_error error;
    ck_assert_msg(cairn_generate(def, &problem, &error) == CAIRN_OK, "%s", error.text);
    ck_assert_msg(cairn_problem_check(&problem, &error) == CAIRN_OK, "%s", error.text);
    return problem;
}

// small enough for dense matrices
static cairn_generate_def small_def(int index)
{
    cairn_generate_def def = cairn_default_generate_def(cairn_generate_kind_at(index));
    def.size = strcmp(def.kind, "peg") == 0 ? 20 : 8;
    def.width = strcmp(def.kind, "random") == 0 ? 8 : 3;
    def.height = strcmp(def.kind, "random") == 0 ? 16 : 3;
    return def;
}

// FNV-1a
static uint64_t hash_bytes(uint64_t hash, const void* data, size_t bytes)
{
    const unsigned char* byte = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_problem(const cairn_problem* problem)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < problem->body_count; i++)
        hash = hash_bytes(hash, &problem->bodies[i], sizeof(cairn_mass));
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        int32_t numbers[5] = {(int32_t)block->kind, block->row, block->row_count, block->body_a,
                              block->body_b};
        hash = hash_bytes(hash, numbers, sizeof numbers);
        hash = hash_bytes(hash, block->friction.mu, sizeof block->friction.mu);
    }
    size_t rows = (size_t)problem->row_count;
    hash = hash_bytes(hash, problem->rows, rows * sizeof(cairn_row));
    return hash_bytes(hash, problem->b, rows * sizeof(double));
}

TEST(A_is_symmetric_and_positive_semidefinite_and_b_lies_in_its_range)
{
    for (int i = 0; i < cairn_generate_kind_count(); i++) {
        cairn_generate_def def = small_def(i);
        cairn_problem problem = make(&def);
        int n = problem.row_count;
        double *A = dense_A(&problem), *copy = malloc((size_t)(n * n) * sizeof(double)), left;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < r; c++)
                CHECK_NEAR(A[r * n + c], A[c * n + r], 1e-14 * sqrt(A[r * n + r] * A[c * n + c]));
        memcpy(copy, A, (size_t)(n * n) * sizeof(double));

        // round-off of n eliminations
        ck_assert_msg(dense_least_pivot(copy, n) >= -1e-12, "%s", def.kind);

        // b = J v: no part of it is outside the range; what is left is round-off over a pivot
        dense_rank(A, problem.b, n, 1e-10, &left);
        ck_assert_msg(left < 1e-5, "%s: %g", def.kind, left);
        free(A);
        free(copy);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_peg_has_rank_six_however_many_contacts_it_has)
{
    const int sizes[] = {2, 3, 4, 9, 40};
    for (int i = 0; i < 5; i++) {
        cairn_generate_def def = cairn_default_generate_def("peg");
        def.size = sizes[i];
        cairn_problem problem = make(&def);
        double *A = dense_A(&problem), left;
        CHECK(problem.block_count == sizes[i]);
        int rank = dense_rank(A, problem.b, problem.row_count, 1e-12, &left);
        ck_assert_int_le(rank, 6);

        // two points of one line leave the turn about it free; three do not
        ck_assert_int_eq(rank, sizes[i] == 2 ? 5 : 6);
        free(A);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(repeated_contacts_lower_the_rank_to_order)
{
    for (int deficiency = 0; deficiency < 12; deficiency += 3) {
        cairn_generate_def def = cairn_default_generate_def("random");
        def.width = 20;
        def.height = 20;
        def.deficiency = deficiency;
        def.seed = 7;
        cairn_problem problem = make(&def);
        double *A = dense_A(&problem), left;
        CHECK(problem.body_count == 20 && problem.block_count == 20);
        ck_assert_int_eq(dense_rank(A, problem.b, problem.row_count, 1e-10, &left),
                         3 * (20 - deficiency));
        free(A);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_wall_of_32_by_32_has_8064_contacts)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    def.width = def.height = 32;
    cairn_problem problem = make(&def);
    ck_assert_int_eq(problem.block_count, 8064);
    ck_assert_int_eq(problem.row_count, 24192);
    ck_assert_int_eq(problem.body_count, 16 * 32 + 16 * 33);
    cairn_problem_destroy(&problem);
}
END

// Σ λ of the floor's normal rows
static double carried(const cairn_problem* problem, const double* lambda)
{
    double sum = 0.0;
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].body_a == CAIRN_WORLD_BODY)
            sum += lambda[problem->blocks[c].row];
    return sum;
}

TEST(the_floor_carries_the_weight_of_what_stands_on_it)
{
    const char* const kinds[] = {"massratio", "wall"};
    for (int i = 0; i < 2; i++) {
        cairn_generate_def def = cairn_default_generate_def(kinds[i]);
        cairn_solve_def solve = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.size = def.width = def.height = 3;
        def.mass_ratio = 2.0;
        cairn_problem problem = make(&def);
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        double mass = 0.0;
        for (int k = 0; k < problem.body_count; k++)
            mass += 1.0 / problem.bodies[k].inverse_mass;
        solve.tolerance = 1e-10;
        CHECK(cairn_solve(&problem, &solve, lambda, &report, &error) == CAIRN_OK);
        ck_assert_msg(report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %g", def.kind,
                      report.residual.relative);

        // momentum of one frame; each of the bodies may keep the tolerance as a velocity
        double momentum = mass * 9.81 / 60.0;
        CHECK_NEAR(carried(&problem, lambda) / momentum, 1.0, 100.0 * solve.tolerance);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_hit_reaches_only_the_contacts_of_the_brick_that_is_hit)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    def.width = def.height = 5;
    cairn_problem rest = make(&def);
    def.hit = 3.0;
    cairn_problem hit = make(&def);
    int target = -1, changed = 0;
    for (int c = 0; c < rest.block_count; c++) {
        const cairn_block* block = &rest.blocks[c];
        if (memcmp(rest.b + block->row, hit.b + block->row, 3 * sizeof(double)) == 0)
            continue;
        changed++;
        if (target < 0)
            target = block->body_b;
        CHECK(block->body_a == target || block->body_b == target);
    }

    // two overlaps below and two above, four contacts each
    ck_assert_int_eq(changed, 16);
    cairn_problem_destroy(&rest);
    cairn_problem_destroy(&hit);
}
END

TEST(links_of_a_chain_fall_together_but_for_the_ends)
{
    cairn_generate_def def = cairn_default_generate_def("chain");
    def.size = 12;
    cairn_problem problem = make(&def);
    ck_assert_int_eq(problem.block_count, 12);
    for (int c = 0; c < 12; c++) {
        const cairn_block* block = &problem.blocks[c];
        CHECK(block->kind == CAIRN_BLOCK_JOINT && block->body_a == c - 1 && block->body_b == c);
        for (int i = 0; i < 3; i++)
            if (c > 0 && c < 11)
                CHECK(problem.b[block->row + i] == 0.0);
    }
    CHECK_NEAR(problem.b[0], -9.81 / 60.0, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(spheres_of_a_heap_touch_along_the_line_of_their_centers)
{
    cairn_generate_def def = cairn_default_generate_def("heap");
    def.size = 100;
    cairn_problem problem = make(&def);
    ck_assert_int_eq(problem.body_count, 100);
    CHECK(problem.block_count > 300);
    for (int c = 0; c < problem.block_count; c++) {
        // a normal impulse through the center turns nothing
        const cairn_row* row = &problem.rows[problem.blocks[c].row];
        cairn_vec3 n = cairn_vec(row->b[0], row->b[1], row->b[2]);
        CHECK_NEAR(cairn_norm(n), 1.0, 1e-15);
        for (int k = 3; k < 6; k++) {
            CHECK_NEAR(row->a[k], 0.0, 1e-15);
            CHECK_NEAR(row->b[k], 0.0, 1e-15);
        }
    }
    cairn_problem_destroy(&problem);
}
END

TEST(the_angles_of_a_ring_are_those_of_the_circle)
{
    for (int n = 1; n < 200; n++)
        for (int k = 0; k < n; k++) {
            double angle = 2.0 * 3.14159265358979323846 * k / n;
            cairn_vec3 e = cairn_draft_turn(k, n);

            // the reference's angle, up to 6.3, is rounded three times by 1.1e-16
            CHECK_NEAR(e.x, cos(angle), 2.5e-15);
            CHECK_NEAR(e.y, sin(angle), 2.5e-15);
            CHECK_NEAR(cairn_norm(e), 1.0, 3e-16);
        }
}
END

TEST(a_seed_gives_the_same_bits_and_another_seed_gives_others)
{
    for (int i = 0; i < cairn_generate_kind_count(); i++) {
        cairn_generate_def def = small_def(i);
        def.hit = 1.0;
        cairn_problem one = make(&def), same = make(&def);
        def.seed = 2;
        cairn_problem other = make(&def);
        ck_assert_msg(hash_problem(&one) == hash_problem(&same), "%s", def.kind);
        ck_assert_msg(hash_problem(&one) != hash_problem(&other), "%s", def.kind);
        cairn_problem_destroy(&one);
        cairn_problem_destroy(&same);
        cairn_problem_destroy(&other);
    }
}
END

TEST(the_bits_are_those_of_every_other_machine)
{
    const uint64_t recorded[] = {
        0x3332cf40ab88fa92, 0x6b184e184e7e5fea, 0xf76baca5c62e2eea, 0x0cb9a3e73d5f7476,
        0x44b9e11e8173f34d, 0xf7e816d708382a70, 0xb92fce122bc2d3c2,
    };
    ck_assert_int_eq(cairn_generate_kind_count(), sizeof recorded / sizeof recorded[0]);
    for (int i = 0; i < cairn_generate_kind_count(); i++) {
        cairn_generate_def def = cairn_default_generate_def(cairn_generate_kind_at(i));
        cairn_problem problem = make(&def);
        uint64_t hash = hash_problem(&problem);
        ck_assert_msg(hash == recorded[i], "%s: 0x%016llx", def.kind, (unsigned long long)hash);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(problems_of_no_size_and_of_size_one_are_problems)
{
    for (int i = 0; i < cairn_generate_kind_count(); i++)
        for (int size = 0; size < 3; size++) {
            cairn_generate_def def = cairn_default_generate_def(cairn_generate_kind_at(i));
            cairn_solve_def solve = cairn_default_solve_def();
            cairn_report report;
            cairn_error error;
            def.size = def.width = def.height = size;
            cairn_problem problem = make(&def);
            double* lambda = calloc((size_t)problem.row_count + 1, sizeof(double));
            CHECK(cairn_solve(&problem, &solve, lambda, &report, &error) == CAIRN_OK);
            if (size == 0) {
                CHECK(problem.block_count == 0);
                CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED && report.residual.relative == 0.0);
            }
            free(lambda);
            cairn_problem_destroy(&problem);
        }
}
END

static void check_refused(cairn_generate_def def, const char* word)
{
    cairn_problem problem;
    cairn_error error = {""};
    CHECK(cairn_generate(&def, &problem, &error) == CAIRN_BAD_INPUT);
    ck_assert_msg(strstr(error.text, word), "'%s' does not say '%s'", error.text, word);
}

TEST(bad_sizes_and_numbers_are_refused_in_one_sentence)
{
    cairn_generate_def wall = cairn_default_generate_def("wall"), def;
    cairn_generate_def random = cairn_default_generate_def("random");
    check_refused(cairn_default_generate_def("tower"), "'tower' is not a kind");
    check_refused(cairn_default_generate_def(NULL), "kind is NULL");
    def = wall, def.size = -1;
    check_refused(def, "size is -1");
    def = wall, def.width = -3;
    check_refused(def, "width and height are -3");
    def = wall, def.width = def.height = 100000;
    check_refused(def, "100000 times 100000");
    def = wall, def.mu = -0.5;
    check_refused(def, "friction coefficient is -0.5");
    def = wall, def.mu = NAN;
    check_refused(def, "friction coefficient");
    def = wall, def.mass_ratio = 0.0;
    check_refused(def, "mass ratio is 0");
    def = wall, def.hit = INFINITY;
    check_refused(def, "hit is inf");
    def = random, def.width = 0;
    check_refused(def, "without a body");
    def = random, def.deficiency = def.height;
    check_refused(def, "deficiency");
    def = random, def.deficiency = -1;
    check_refused(def, "deficiency");
}
END

TESTS(A_is_symmetric_and_positive_semidefinite_and_b_lies_in_its_range,
      a_peg_has_rank_six_however_many_contacts_it_has, repeated_contacts_lower_the_rank_to_order,
      a_wall_of_32_by_32_has_8064_contacts, the_floor_carries_the_weight_of_what_stands_on_it,
      a_hit_reaches_only_the_contacts_of_the_brick_that_is_hit,
      links_of_a_chain_fall_together_but_for_the_ends,
      spheres_of_a_heap_touch_along_the_line_of_their_centers,
      the_angles_of_a_ring_are_those_of_the_circle,
      a_seed_gives_the_same_bits_and_another_seed_gives_others,
      the_bits_are_those_of_every_other_machine, problems_of_no_size_and_of_size_one_are_problems,
      bad_sizes_and_numbers_are_refused_in_one_sentence)
