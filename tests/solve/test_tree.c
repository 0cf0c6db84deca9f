// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "forest.h"
#include "solve/tree/tree.h"

// ---------------------------------------------------------------- helpers

static double largest_difference(const double* a, const double* b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static double largest(const double* a, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i]));
    return worst;
}

// a random forest: body i hangs on an earlier one, on the world, or on nothing; rows never exceed
// the dimension of either body, so that random rows have full rank whatever the root is
static forest random_forest(cairn_random* random, int bodies, int largest_dimension, bool soft)
{
    int* dimension = malloc((size_t)bodies * sizeof(int));
    cairn_tree_constraint* list = malloc((size_t)bodies * sizeof *list);
    int count = 0;

    for (int i = 0; i < bodies; i++) {
        dimension[i] = 1 + cairn_random_index(random, largest_dimension);
        int to = cairn_random_index(random, 8) ? cairn_random_index(random, i + 1) - 1 : -2;
        if (to < -1)
            continue;
        int room = to >= 0 && dimension[to] < dimension[i] ? dimension[to] : dimension[i];
        int rows = 1 + cairn_random_index(random, room);
        bool flip = cairn_random_index(random, 2);
        list[count++] =
            flip ? (cairn_tree_constraint){i, to, rows} : (cairn_tree_constraint){to, i, rows};
    }

    forest f = forest_fill(random, bodies, dimension, count, list, soft);
    free(dimension);
    free(list);
    return f;
}

typedef enum shape { chain, star, binary, caterpillar, shape_count } shape;

static int shape_parent(shape s, int i)
{
    switch (s) {
    case chain:
        return i - 1;
    case star:
        return 0;
    case binary:
        return (i - 1) / 2;
    default:
        return i % 2 ? i - 1 : (i < 2 ? 0 : i - 2);
    }
}

// bodies of 6 joined by 3 rows; `anchored`: the first body to the world as well
static forest shaped_forest(cairn_random* random, shape s, int bodies, bool anchored)
{
    cairn_tree_constraint* list = malloc((size_t)bodies * sizeof *list);
    int count = 0;
    for (int i = 1; i < bodies; i++)
        list[count++] = (cairn_tree_constraint){shape_parent(s, i), i, 3};
    if (anchored)
        list[count++] = (cairn_tree_constraint){CAIRN_WORLD_BODY, 0, 3};
    forest f = forest_fill(random, bodies, NULL, count, list, false);
    free(list);
    return f;
}

typedef struct vectors {
    double *y, *lambda, *f, *c;
} vectors;

static vectors random_vectors(cairn_random* random, const forest* f, int columns)
{
    int bodies = f->body_unknowns * columns, rows = f->unknowns * columns - bodies;
    return (vectors){forest_numbers(random, bodies), forest_numbers(random, rows),
                     forest_numbers(random, bodies), forest_numbers(random, rows)};
}

static void free_vectors(vectors* v)
{
    free(v->y);
    free(v->lambda);
    free(v->f);
    free(v->c);
}

// the tree's answer against the dense one, 1e-10 of the size of the answer
static void check_against_dense(cairn_random* random, forest* f)
{
    vectors v = random_vectors(random, f, 1), dense = random_vectors(random, f, 1);
    int rows = f->unknowns - f->body_unknowns;
    cairn_tree_solve(f->tree, v.f, v.c, 1, v.y, v.lambda);
    double condition = forest_dense_solve(f, dense.y, dense.lambda, v.f, v.c);
    double size = fmax(1.0, fmax(largest(dense.y, f->body_unknowns), largest(dense.lambda, rows)));
    double bound = 1e-10 * fmin(1e4, fmax(1.0, 1e-4 * condition)) * size;
    CHECK_BELOW(largest_difference(v.y, dense.y, f->body_unknowns), bound);
    CHECK_BELOW(largest_difference(v.lambda, dense.lambda, rows), bound);
    free_vectors(&v);
    free_vectors(&dense);
}

// ---------------------------------------------------------------- primary constraints

TEST(a_random_forest_is_solved_like_its_dense_matrix)
{
    cairn_random random = {7};
    for (int trial = 0; trial < 60; trial++) {
        int bodies = 1 + cairn_random_index(&random, trial % 10 == 0 ? 120 : 24);
        forest f = random_forest(&random, bodies, trial % 3 == 0 ? 3 : 6, trial % 4 == 0);
        ck_assert_int_eq(forest_factor(&f, -1), 0);
        check_against_dense(&random, &f);
        forest_free(&f);
    }
}
END

// deformable bodies, and joints of many rows
TEST(blocks_of_any_size_are_solved_like_their_dense_matrix)
{
    cairn_random random = {9};
    for (int trial = 0; trial < 30; trial++) {
        forest f = random_forest(&random, 1 + cairn_random_index(&random, 16), 15, trial % 3 == 0);
        ck_assert_int_eq(forest_factor(&f, -1), 0);
        check_against_dense(&random, &f);
        forest_free(&f);
    }
}
END

// rows that one body alone cannot answer, whichever of the two is eliminated first
TEST(more_rows_than_the_outer_body_has_dimensions_are_solved)
{
    static const int cases[][3] = {{3, 6, 5}, {1, 6, 3}, {2, 3, 4}, {6, 6, 7}, {12, 12, 15}};
    cairn_random random = {13};
    for (int k = 0; k < 5; k++)
        for (int root = 0; root < 3; root++) {
            int dimension[3] = {cases[k][0], cases[k][1], 4};
            cairn_tree_constraint list[2] = {{0, 1, cases[k][2]}, {1, 2, 1}};
            forest f = forest_fill(&random, 3, dimension, 2, list, false);
            ck_assert_int_eq(forest_factor(&f, root), 0);
            check_against_dense(&random, &f);
            forest_free(&f);
        }
}
END

TEST(every_shape_and_every_root_give_the_same_answer)
{
    cairn_random random = {11};
    for (shape s = chain; s < shape_count; s++) {
        forest f = shaped_forest(&random, s, 15, false);
        ck_assert_int_eq(forest_factor(&f, -1), 0);
        check_against_dense(&random, &f);

        vectors v = random_vectors(&random, &f, 1), w = random_vectors(&random, &f, 1);
        cairn_tree_solve(f.tree, v.f, v.c, 1, v.y, v.lambda);

        for (int root = 0; root < f.body_count; root++) {
            ck_assert_int_eq(forest_factor(&f, root), 0);
            cairn_tree_solve(f.tree, v.f, v.c, 1, w.y, w.lambda);
            CHECK_BELOW(largest_difference(v.y, w.y, f.body_unknowns), 1e-10);
            CHECK_BELOW(largest_difference(v.lambda, w.lambda, f.unknowns - f.body_unknowns),
                        1e-10);
        }
        free_vectors(&v);
        free_vectors(&w);
        forest_free(&f);
    }
}
END

TEST(the_center_halves_the_depth_of_a_chain_and_an_anchor_is_the_root)
{
    cairn_random random = {3};
    forest f = shaped_forest(&random, chain, 101, false);
    forest_factor(&f, -1);
    ck_assert_int_eq(cairn_tree_depth(f.tree), 51);
    forest_factor(&f, 0);
    ck_assert_int_eq(cairn_tree_depth(f.tree), 101);
    forest_free(&f);
    f = shaped_forest(&random, chain, 101, true);
    forest_factor(&f, -1);
    ck_assert_int_eq(cairn_tree_depth(f.tree), 101);
    forest_free(&f);
}
END

TEST(a_second_anchor_and_a_loop_are_not_primary)
{
    cairn_random random = {5};
    // two bodies, each anchored, and a joint between them of more rows than the anchors
    cairn_tree_constraint list[4] = {
        {CAIRN_WORLD_BODY, 0, 3}, {1, CAIRN_WORLD_BODY, 3}, {0, 1, 5}, {1, 0, 2}};
    forest f = forest_fill(&random, 2, NULL, 4, list, false);
    ck_assert_int_eq(forest_factor(&f, -1), 0);
    CHECK(cairn_tree_is_primary(f.tree, 0) && cairn_tree_is_primary(f.tree, 2));
    CHECK(!cairn_tree_is_primary(f.tree, 1) && !cairn_tree_is_primary(f.tree, 3));
    check_against_dense(&random, &f);
    forest_free(&f);
}
END

TEST(a_prescribed_body_acts_like_the_world)
{
    cairn_random random = {9};
    int dimension[3] = {6, 0, 4};
    cairn_tree_constraint list[3] = {{0, 1, 3}, {1, 2, 2}, {2, 0, 2}};
    forest f = forest_fill(&random, 3, dimension, 3, list, false);
    ck_assert_int_eq(forest_factor(&f, -1), 0);
    CHECK(cairn_tree_is_primary(f.tree, 0) && cairn_tree_is_primary(f.tree, 1));
    CHECK(!cairn_tree_is_primary(f.tree, 2));
    check_against_dense(&random, &f);
    forest_free(&f);
}
END

TEST(several_right_hand_sides_are_solved_like_one_after_the_other)
{
    cairn_random random = {13};
    forest f = random_forest(&random, 40, 6, false);
    forest_factor(&f, -1);
    int rows = f.unknowns - f.body_unknowns;

    for (int columns = 2; columns <= 7; columns++) {
        vectors v = random_vectors(&random, &f, columns), w = random_vectors(&random, &f, 1);
        cairn_tree_solve(f.tree, v.f, v.c, columns, v.y, v.lambda);
        for (int k = 0; k < columns; k++) {
            cairn_tree_solve(f.tree, v.f + f.body_unknowns * k, v.c + rows * k, 1, w.y, w.lambda);
            // the same operations in the same order: the same bits
            CHECK(memcmp(w.y, v.y + f.body_unknowns * k,
                         (size_t)f.body_unknowns * sizeof(double)) == 0);
            CHECK(memcmp(w.lambda, v.lambda + rows * k, (size_t)rows * sizeof(double)) == 0);
        }
        free_vectors(&v);
        free_vectors(&w);
    }

    forest_free(&f);
}
END

TEST(factoring_what_changed_gives_the_bits_of_factoring_everything)
{
    cairn_random random = {17};
    forest f = random_forest(&random, 60, 6, true);
    forest_factor(&f, -1);
    vectors v = random_vectors(&random, &f, 1), w = random_vectors(&random, &f, 1);

    for (int trial = 0; trial < 20; trial++) {
        int body = cairn_random_index(&random, f.body_count);
        int c = cairn_random_index(&random, f.constraint_count);
        free(f.M[body]);
        f.M[body] = random_mass(&random, f.dimension[body]);
        f.j[0][c][0] += 0.25;
        cairn_tree_set_mass(f.tree, body, f.M[body]);
        cairn_tree_set_constraint(f.tree, c, f.j[0][c], f.j[1][c], f.E[c]);
        ck_assert_int_eq(cairn_tree_factor(f.tree), 0);

        // one mass and one constraint are new to the first factor, all to the second
        cairn_tree_solve(f.tree, v.f, v.c, 1, v.y, v.lambda);
        forest_factor(&f, -1);
        cairn_tree_solve(f.tree, v.f, v.c, 1, w.y, w.lambda);

        CHECK(memcmp(v.y, w.y, (size_t)f.body_unknowns * sizeof(double)) == 0);
    }
    free_vectors(&v);
    free_vectors(&w);
    forest_free(&f);
}
END

TEST(a_chain_of_a_million_links_is_solved)
{
    enum { n = 1000000 };
    cairn_tree_constraint* list = malloc(n * sizeof *list);
    int* dimension = malloc(n * sizeof(int));

    for (int i = 0; i < n; i++) {
        list[i] = (cairn_tree_constraint){i - 1, i, 1};
        dimension[i] = 1;
    }

    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = topology.constraint_count = n;
    topology.dimension = dimension;
    topology.constraints = list;
    cairn_tree* tree;
    ck_assert_int_eq(cairn_tree_create(&topology, &tree, NULL), CAIRN_OK);

    double plus = 1.0, minus = -1.0;
    for (int i = 0; i < n; i++)
        cairn_tree_set_constraint(tree, i, &minus, &plus, NULL);
    ck_assert_int_eq(cairn_tree_factor(tree), 0);

    // unit masses on a line, each tied to the one before: nothing moves under a force at the end,
    // and every tie carries it
    double* f = calloc(n, sizeof(double));
    double* y = malloc(n * sizeof(double));
    double* lambda = malloc(n * sizeof(double));
    f[n - 1] = 1.0;
    cairn_tree_solve(tree, f, NULL, 1, y, lambda);

    CHECK_BELOW(largest(y, n), 1e-12);
    for (int i = 0; i < n; i += 1000)
        CHECK_NEAR(lambda[i], -1.0, 1e-12);
    cairn_tree_destroy(tree);
    free(f);
    free(y);
    free(lambda);
    free(list);
    free(dimension);
}
END

TEST(mass_ratios_of_twelve_decades_leave_a_residual_of_round_off)
{
    cairn_random random = {19};
    enum { links = 100 };

    for (int pattern = 0; pattern < 3; pattern++) {
        forest f = shaped_forest(&random, chain, links, true);
        for (int i = 0; i < links; i++) {
            // rising along the chain, alternating between the extremes, or anything
            double decade = pattern == 0   ? -6.0 + 12.0 * i / (links - 1)
                            : pattern == 1 ? (i % 2 ? 6.0 : -6.0)
                                           : cairn_random_range(&random, -6.0, 6.0);
            for (int k = 0; k < 36; k++)
                f.M[i][k] *= pow(10.0, decade);
        }
        ck_assert_int_eq(forest_factor(&f, -1), 0);

        vectors v = random_vectors(&random, &f, 1);
        cairn_tree_solve(f.tree, v.f, v.c, 1, v.y, v.lambda);

        // neighbors that differ by all twelve decades need a step of refinement
        if (pattern == 0)
            CHECK_BELOW(cairn_tree_residual(f.tree, v.f, v.c, v.y, v.lambda), 1e-13);

        cairn_tree_refine(f.tree, v.f, v.c, v.y, v.lambda);
        CHECK_BELOW(cairn_tree_residual(f.tree, v.f, v.c, v.y, v.lambda), 1e-11);
        free_vectors(&v);
        forest_free(&f);
    }
}
END

TEST(a_redundant_primary_is_named_and_left_out)
{
    cairn_random random = {23};
    forest f = shaped_forest(&random, chain, 10, true);

    // the third row of constraint 4 repeats its first two
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 6; k++)
            f.j[side][4][12 + k] = f.j[side][4][k] - 2.0 * f.j[side][4][6 + k];

    ck_assert_int_eq(forest_factor(&f, -1), 1);
    ck_assert_int_eq(cairn_tree_next_redundant(f.tree, -1), 4);
    ck_assert_int_eq(cairn_tree_next_redundant(f.tree, 4), -1);

    // with a consistent right-hand side the answer is right all the same
    vectors v = random_vectors(&random, &f, 1);
    double* c = v.c + cairn_tree_row_offset(f.tree, 4);
    c[2] = c[0] - 2.0 * c[1];
    cairn_tree_solve(f.tree, v.f, v.c, 1, v.y, v.lambda);

    CHECK_BELOW(cairn_tree_residual(f.tree, v.f, v.c, v.y, v.lambda), 1e-12);
    free_vectors(&v);
    forest_free(&f);
}
END

TEST(a_mass_that_is_not_positive_is_told)
{
    cairn_random random = {29};
    forest f = shaped_forest(&random, chain, 3, false);
    f.M[1][0] = -5.0;
    ck_assert_int_eq(forest_factor(&f, -1), -1);
    forest_free(&f);
}
END

TEST(wrong_topologies_are_refused_by_name)
{
    cairn_tree* tree;
    cairn_error error;
    cairn_tree_topology topology = cairn_default_tree_topology();
    cairn_tree_constraint self = {0, 0, 3};
    topology.body_count = topology.constraint_count = 1;
    topology.constraints = &self;

    ck_assert_int_eq(cairn_tree_create(&topology, &tree, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "constraint 0") != NULL);

    self = (cairn_tree_constraint){0, CAIRN_WORLD_BODY, 1001};
    ck_assert_int_eq(cairn_tree_create(&topology, &tree, &error), CAIRN_BAD_INPUT);

    int dimension = 1001;
    self.row_count = 2;
    topology.dimension = &dimension;

    ck_assert_int_eq(cairn_tree_create(&topology, &tree, &error), CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "body 0") != NULL);
}
END

TEST(a_tree_of_nothing_is_solved)
{
    cairn_tree* tree;
    cairn_tree_topology topology = cairn_default_tree_topology();
    double nothing[1];
    ck_assert_int_eq(cairn_tree_create(&topology, &tree, NULL), CAIRN_OK);
    ck_assert_int_eq(cairn_tree_factor(tree), 0);
    cairn_tree_solve(tree, NULL, NULL, 1, nothing, nothing);
    cairn_tree_destroy(tree);
}
END

TEST(a_projection_removes_the_errors_of_position)
{
    cairn_random random = {31};
    forest f = shaped_forest(&random, binary, 31, true);
    forest_factor(&f, -1);
    vectors v = random_vectors(&random, &f, 1), dense = random_vectors(&random, &f, 1);
    memset(v.f, 0, (size_t)f.body_unknowns * sizeof(double));
    cairn_tree_project(f.tree, v.c, v.y);
    forest_dense_solve(&f, dense.y, dense.lambda, v.f, v.c);
    CHECK_BELOW(largest_difference(v.y, dense.y, f.body_unknowns), 1e-10);
    free_vectors(&v);
    free_vectors(&dense);
    forest_free(&f);
}
END

// ---------------------------------------------------------------- auxiliary constraints

enum { auxiliary_blocks = 14 };

typedef struct auxiliary_set {
    cairn_tree_auxiliary blocks[auxiliary_blocks];
    int bodies[auxiliary_blocks][4];
    int rows;
} auxiliary_set;

// blocks of 1..6 rows on 1..4 bodies, some of them repeated, some with forces of their own
static void random_auxiliary(auxiliary_set* set, cairn_random* random, const forest* f, bool forces)
{
    set->rows = 0;
    for (int b = 0; b < auxiliary_blocks; b++) {
        cairn_tree_auxiliary* block = &set->blocks[b];
        int size = 0;
        block->row_count = 1 + b % 6;
        block->body_count = 1 + cairn_random_index(random, 4);

        for (int i = 0; i < block->body_count; i++) {
            set->bodies[b][i] = cairn_random_index(random, f->body_count);
            size += block->row_count * f->dimension[set->bodies[b][i]];
        }

        block->bodies = set->bodies[b];
        block->j = forest_numbers(random, size);
        block->k = forces && b % 2 ? forest_numbers(random, size) : NULL;
        set->rows += block->row_count;
    }
}

static void free_auxiliary(auxiliary_set* set)
{
    for (int b = 0; b < auxiliary_blocks; b++) {
        free((void*)set->blocks[b].j);
        free((void*)set->blocks[b].k);
    }
}

// F += K μ with plain products
static void add_forces(double* F, const forest* f, const auxiliary_set* set, const double* mu)
{
    for (int b = 0; b < auxiliary_blocks; b++) {
        const cairn_tree_auxiliary* block = &set->blocks[b];
        const double* k = block->k ? block->k : block->j;
        for (int i = 0; i < block->body_count; i++) {
            int d = f->dimension[block->bodies[i]];
            double* to = F + cairn_tree_body_offset(f->tree, block->bodies[i]);
            for (int r = 0; r < block->row_count; r++)
                for (int x = 0; x < d; x++)
                    to[x] += k[d * r + x] * mu[r];
            k += d * block->row_count;
        }
        mu += block->row_count;
    }
}

// a factored forest with auxiliary blocks; every third one a chain, whose rows share long ways
static forest forest_with(auxiliary_set* set, cairn_random* random, int trial, int dimension)
{
    forest f = trial % 3 == 2 ? shaped_forest(random, chain, 60, true)
                              : random_forest(random, 30, dimension, trial % 4 == 1);
    forest_factor(&f, -1);
    random_auxiliary(set, random, &f, trial % 2);
    return f;
}

TEST(the_response_is_that_of_solves_for_each_force)
{
    cairn_random random = {37};
    for (int trial = 0; trial < 24; trial++) {
        auxiliary_set set;
        forest f = forest_with(&set, &random, trial, trial % 6 == 0 ? 9 : trial % 3 ? 6 : 3);
        cairn_tree_response* response;

        ck_assert_int_eq(
            cairn_tree_response_create(f.tree, set.blocks, auxiliary_blocks, &response, NULL),
            CAIRN_OK);

        int k = cairn_tree_response_rows(response);
        ck_assert_int_eq(k, set.rows);

        double* S = malloc((size_t)(k * k) * sizeof(double));
        double* mu = calloc((size_t)k, sizeof(double));
        double* s = malloc((size_t)k * sizeof(double));
        vectors v = random_vectors(&random, &f, 1);
        cairn_tree_response_matrix(response, S);

        // column by column: the velocities that a unit force causes
        for (int column = 0; column < k; column++) {
            memset(v.f, 0, (size_t)f.body_unknowns * sizeof(double));
            mu[column] = 1.0;
            add_forces(v.f, &f, &set, mu);
            mu[column] = 0.0;
            cairn_tree_solve(f.tree, v.f, NULL, 1, v.y, v.lambda);
            cairn_tree_response_velocity(response, v.y, s);
            for (int i = 0; i < k; i++)
                CHECK_NEAR(S[k * i + column], s[i], 1e-11);
        }
        free(S);
        free(mu);
        free(s);
        free_vectors(&v);
        cairn_tree_response_destroy(response);
        free_auxiliary(&set);
        forest_free(&f);
    }
}
END

// the forward sweep of a right-hand side is enough: its y is never formed
TEST(rows_see_a_loaded_right_hand_side_as_they_see_its_solution)
{
    cairn_random random = {43};
    for (int trial = 0; trial < 24; trial++) {
        auxiliary_set set;
        forest f = forest_with(&set, &random, trial, trial % 3 ? 6 : 3);
        vectors v = random_vectors(&random, &f, 1);
        double s[auxiliary_blocks * 6], reference[auxiliary_blocks * 6];
        cairn_tree_response* response;
        cairn_tree_load(f.tree, trial % 5 ? v.f : NULL, trial % 7 ? v.c : NULL);
        cairn_tree_response_create(f.tree, set.blocks, auxiliary_blocks, &response, NULL);
        cairn_tree_response_offset(response, s);
        cairn_tree_solve(f.tree, trial % 5 ? v.f : NULL, trial % 7 ? v.c : NULL, 1, v.y, v.lambda);
        cairn_tree_response_velocity(response, v.y, reference);

        CHECK_BELOW(largest_difference(s, reference, set.rows), 1e-11);
        free_vectors(&v);
        cairn_tree_response_destroy(response);
        free_auxiliary(&set);
        forest_free(&f);
    }
}
END

TEST(finishing_with_forces_is_a_solve_with_these_forces)
{
    cairn_random random = {41};
    for (int trial = 0; trial < 12; trial++) {
        auxiliary_set set;
        forest f = forest_with(&set, &random, trial, trial % 4 == 0 ? 9 : 6);
        cairn_tree_response* response;
        double* mu = forest_numbers(&random, set.rows);
        vectors v = random_vectors(&random, &f, 1), w = random_vectors(&random, &f, 1);

        cairn_tree_load(f.tree, v.f, v.c);
        cairn_tree_response_create(f.tree, set.blocks, auxiliary_blocks, &response, NULL);
        cairn_tree_response_finish(response, mu, v.y, v.lambda);

        add_forces(v.f, &f, &set, mu);
        cairn_tree_solve(f.tree, v.f, v.c, 1, w.y, w.lambda);
        CHECK_BELOW(largest_difference(v.y, w.y, f.body_unknowns), 1e-11);

        int rows = f.unknowns - f.body_unknowns;
        CHECK_BELOW(largest_difference(v.lambda, w.lambda, rows),
                    1e-12 * (1.0 + largest(w.lambda, rows)));
        free(mu);
        free_vectors(&v);
        free_vectors(&w);
        cairn_tree_response_destroy(response);
        free_auxiliary(&set);
        forest_free(&f);
    }
}
END

// factors, solves of 1, 2 and 4 columns in lanes, and responses; copies of kernels are unrolled or not
TEST(every_instruction_set_gives_the_same_bits)
{
    enum { columns = 7 };
    cairn_random random = {51};

    for (int trial = 0; trial < 8; trial++) {
        auxiliary_set set;
        forest f = forest_with(&set, &random, trial, trial % 2 ? 6 : 3);
        size_t bodies = columns * (size_t)f.body_unknowns * sizeof(double);
        size_t responses = (size_t)(set.rows * set.rows) * sizeof(double);
        vectors v = random_vectors(&random, &f, columns);
        double *y = malloc(bodies + 1), *S = malloc(responses + 1), *T = malloc(responses + 1);

        for (int level = CAIRN_SIMD_BASELINE; level <= (int)cairn_simd_detect(); level++) {
            bool first = level == CAIRN_SIMD_BASELINE;
            cairn_tree_response* response;
            f.tree->level = (cairn_simd_level)level;
            forest_factor(&f, -1);
            cairn_tree_solve(f.tree, v.f, v.c, columns, first ? y : v.y, v.lambda);
            CHECK(cairn_tree_response_create(f.tree, set.blocks, auxiliary_blocks, &response,
                                             NULL) == CAIRN_OK);
            cairn_tree_response_matrix(response, first ? S : T);
            cairn_tree_response_destroy(response);
            CHECK(first || (memcmp(y, v.y, bodies) == 0 && memcmp(S, T, responses) == 0));
        }
        free(y);
        free(S);
        free(T);
        free_vectors(&v);
        free_auxiliary(&set);
        forest_free(&f);
    }
}
END

TESTS(a_random_forest_is_solved_like_its_dense_matrix,
      blocks_of_any_size_are_solved_like_their_dense_matrix,
      more_rows_than_the_outer_body_has_dimensions_are_solved,
      every_shape_and_every_root_give_the_same_answer,
      the_center_halves_the_depth_of_a_chain_and_an_anchor_is_the_root,
      a_second_anchor_and_a_loop_are_not_primary, a_prescribed_body_acts_like_the_world,
      several_right_hand_sides_are_solved_like_one_after_the_other,
      factoring_what_changed_gives_the_bits_of_factoring_everything,
      a_chain_of_a_million_links_is_solved,
      mass_ratios_of_twelve_decades_leave_a_residual_of_round_off,
      a_redundant_primary_is_named_and_left_out, a_mass_that_is_not_positive_is_told,
      wrong_topologies_are_refused_by_name, a_tree_of_nothing_is_solved,
      a_projection_removes_the_errors_of_position, the_response_is_that_of_solves_for_each_force,
      rows_see_a_loaded_right_hand_side_as_they_see_its_solution,
      finishing_with_forces_is_a_solve_with_these_forces, every_instruction_set_gives_the_same_bits)
