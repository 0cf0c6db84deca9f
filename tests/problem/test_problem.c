// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "dense_reference.h"
#include "mixed_problem.h"
#include <cairn/generate.h>
#include <cairn/random.h>
#include <string.h>

// ---------------------------------------------------------------- bad data

// spoils a good problem in one place; the sentence must name the place
typedef void (*spoiler)(cairn_problem* problem);

static void check_refused(cairn_problem problem, spoiler spoil, const char* place)
{
    cairn_error error = {""};
    CHECK(cairn_problem_check(&problem, &error) == CAIRN_OK);
    spoil(&problem);
    CHECK(cairn_problem_check(&problem, &error) == CAIRN_BAD_INPUT);
    ck_assert_msg(strstr(error.text, place), "'%s' does not say '%s'", error.text, place);
    CHECK(cairn_problem_check(&problem, NULL) == CAIRN_BAD_INPUT); // no sentence wanted
    cairn_problem_destroy(&problem);
}

static void negative_size(cairn_problem* p)
{
    p->body_count = -1;
}
static void flat_space(cairn_problem* p)
{
    p->space = 4;
}
static void no_b(cairn_problem* p)
{
    free(p->b);
    p->b = NULL;
}
static void no_rows(cairn_problem* p)
{
    free(p->rows);
    p->rows = NULL;
}
static void negative_mass(cairn_problem* p)
{
    p->bodies[1].inverse_mass = -1.0;
}
static void endless_mass(cairn_problem* p)
{
    p->bodies[1].inverse_mass = NAN;
}
static void endless_inertia(cairn_problem* p)
{
    p->bodies[3].inverse_inertia.cy.z = INFINITY;
}
static void negative_inertia(cairn_problem* p)
{
    p->bodies[3].inverse_inertia.cy.y = -1.0;
}
static void gap_in_rows(cairn_problem* p)
{
    p->blocks[5].row++;
}
static void too_many_rows(cairn_problem* p)
{
    p->blocks[5].row_count = 7;
}
static void no_rows_in_block(cairn_problem* p)
{
    p->blocks[5].row_count = 0;
}
static void long_contact(cairn_problem* p)
{
    p->blocks[5].row_count = 5;
}
static void body_beyond(cairn_problem* p)
{
    p->blocks[4].body_b = 6;
}
static void body_before(cairn_problem* p)
{
    p->blocks[4].body_a = -2;
}
static void negative_mu(cairn_problem* p)
{
    p->blocks[7].friction.mu[0] = -0.1;
}
static void no_mu(cairn_problem* p)
{
    p->blocks[7].friction.mu[2] = NAN;
}
static void many_facets(cairn_problem* p)
{
    p->blocks[4].friction.kind = CAIRN_FRICTION_PYRAMID;
    p->blocks[4].friction.facets = 2147483647;
}

static void two_facets(cairn_problem* p)
{
    p->blocks[4].friction.facets = 2;
}
static void no_projection(cairn_problem* p)
{
    p->blocks[7].friction.project = NULL;
}
static void long_slip(cairn_problem* p)
{
    p->blocks[6].friction.slip[0] = 2.0;
}
static void no_slip(cairn_problem* p)
{
    p->blocks[6].friction.slip[0] = NAN;
}
static void crossed_bounds(cairn_problem* p)
{
    for (int i = 0; i < p->row_count; i++)
        p->lo[i] = p->hi[i] + 1.0;
}
static void endless_bounds(cairn_problem* p)
{
    for (int i = 0; i < p->row_count; i++)
        p->lo[i] = p->hi[i] = INFINITY;
}
static void no_kind(cairn_problem* p)
{
    p->blocks[5].kind = (cairn_block_kind)-2;
}
static void kind_beyond(cairn_problem* p)
{
    p->blocks[5].kind = (cairn_block_kind)(CAIRN_BLOCK_VELOCITY + 1);
}
static void no_friction_kind(cairn_problem* p)
{
    p->blocks[4].friction.kind = (cairn_friction_kind)1000;
}
static void no_bounds(cairn_problem* p)
{
    free(p->hi);
    p->hi = NULL;
}
static void rows_left_over(cairn_problem* p)
{
    p->row_count--;
}
static void endless_b(cairn_problem* p)
{
    p->b[17] = -INFINITY;
}
static void endless_row(cairn_problem* p)
{
    p->rows[17].b[5] = NAN;
}
static void negative_compliance(cairn_problem* p)
{
    p->compliance[17] = -1e-9;
}
static void endless_warm(cairn_problem* p)
{
    p->warm[17] = NAN;
}

TEST(bad_data_are_refused_by_a_sentence_that_names_the_place)
{
    const struct {
        spoiler spoil;
        const char* place;
    } cases[] = {
        {negative_size, "negative size"},
        {flat_space, "space has 4 dimensions"},
        {no_b, "needs b"},
        {no_rows, "rows or an explicit matrix"},
        {negative_mass, "body 1: its inverse mass is -1"},
        {endless_mass, "body 1: its inverse mass"},
        {endless_inertia, "body 3: its inverse inertia is not finite"},
        {negative_inertia, "body 3: its inverse inertia has a negative"},
        {gap_in_rows, "block 5: rows"},
        {too_many_rows, "block 5: rows"},
        {no_rows_in_block, "block 5: rows"},
        {long_contact, "block 5: a contact of 5 rows"},
        {body_beyond, "block 4: between bodies"},
        {body_before, "block 4: between bodies -2"},
        {negative_mu, "block 7: its friction coefficient is -0.1"},
        {no_mu, "block 7: its friction coefficient"},
        {two_facets, "block 4: a friction pyramid of 2 facets"},
        {many_facets, "block 4: a friction pyramid of 2147483647 facets, expected 3 to 1000"},
        {no_projection, "block 7: its friction set"},
        {long_slip, "block 6: its slip direction"},
        {no_slip, "block 6: its slip direction"},
        {crossed_bounds, "expected lo <= hi"},
        {endless_bounds, "its bounds are inf and inf"},
        {no_kind, "block 5: there is no kind -2"},
        {kind_beyond, "block 5: there is no kind 5"},
        {no_friction_kind, "block 4: there is no kind 1000 of friction"},
        {no_bounds, "a motor without bounds"},
        {rows_left_over, "the blocks hold"},
        {endless_b, "row 17: b is -inf"},
        {endless_row, "row 17: its Jacobian"},
        {negative_compliance, "row 17: its compliance is -1e-09"},
        {endless_warm, "row 17: its warm start"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(mixed_problem(1), cases[i].spoil, cases[i].place);
}
END

// ---------------------------------------------------------------- bad matrices

static cairn_problem explicit_problem(void)
{
    cairn_generate_def def = cairn_default_generate_def("stack");
    cairn_problem rows, form;
    def.size = 3;
    CHECK(cairn_generate(&def, &rows, NULL) == CAIRN_OK);
    CHECK(cairn_problem_explicit(&rows, &form, NULL) == CAIRN_OK);
    cairn_problem_destroy(&rows);
    return form;
}

static void fewer_rows(cairn_problem* p)
{
    p->A->n--;
}
static void rows_run_back(cairn_problem* p)
{
    p->A->row_begin[3] = 0;
}
static void column_beyond(cairn_problem* p)
{
    p->A->column[p->A->row_begin[2]] = p->A->n;
}
static void columns_fall(cairn_problem* p)
{
    p->A->column[p->A->row_begin[2] + 1] = 0;
}
static void endless_value(cairn_problem* p)
{
    p->A->value[9 * p->A->row_begin[2] + 4] = NAN;
}
static void no_diagonal(cairn_problem* p)
{
    // the last row ends before its diagonal
    p->A->row_begin[p->A->n]--;
}
static void joint_in_matrix(cairn_problem* p)
{
    p->blocks[2].kind = CAIRN_BLOCK_JOINT;
}

TEST(bad_matrices_are_refused_by_a_sentence_that_names_the_place)
{
    check_refused(explicit_problem(), fewer_rows, "the matrix has 11 block rows");
    check_refused(explicit_problem(), rows_run_back, "of the matrix is not in order");
    check_refused(explicit_problem(), column_beyond, "block row 2 of the matrix: column 12");
    check_refused(explicit_problem(), columns_fall, "block row 2 of the matrix: column 0");
    check_refused(explicit_problem(), endless_value, "block (2, 0) of the matrix is not finite");
    check_refused(explicit_problem(), no_diagonal, "block row 11 of the matrix has no diagonal");
    check_refused(explicit_problem(), joint_in_matrix, "block 2: an explicit matrix");
}
END

// ---------------------------------------------------------------- building

TEST(an_empty_problem_is_a_problem)
{
    cairn_problem problem = cairn_problem_empty();
    CHECK(cairn_problem_check(&problem, NULL) == CAIRN_OK);
    ck_assert_int_eq(cairn_problem_contact_count(&problem), 0);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&problem);
}
END

TEST(rows_of_a_contact_give_the_relative_velocity_at_the_point)
{
    cairn_random random = {21};
    for (int trial = 0; trial < 200; trial++) {
        cairn_vec3 n = cairn_random_direction(&random), t, s;
        cairn_vec3 r_a = cairn_random_vec3(&random), r_b = cairn_random_vec3(&random);
        cairn_vec3 v_a = cairn_random_vec3(&random), w_a = cairn_random_vec3(&random);
        cairn_vec3 v_b = cairn_random_vec3(&random), w_b = cairn_random_vec3(&random);
        cairn_row rows[4];
        double a[6] = {v_a.x, v_a.y, v_a.z, w_a.x, w_a.y, w_a.z};
        double b[6] = {v_b.x, v_b.y, v_b.z, w_b.x, w_b.y, w_b.z};
        cairn_contact_rows(n, r_a, r_b, 4, rows);
        cairn_tangents(n, &t, &s);
        cairn_vec3 at_a = cairn_add(v_a, cairn_cross(w_a, r_a));
        cairn_vec3 at_b = cairn_add(v_b, cairn_cross(w_b, r_b));
        cairn_vec3 u = cairn_sub(at_b, at_a);
        double expected[4] = {cairn_dot(u, n), cairn_dot(u, t), cairn_dot(u, s),
                              cairn_dot(cairn_sub(w_b, w_a), n)};
        for (int i = 0; i < 4; i++) {
            double v = 0.0;
            for (int k = 0; k < 6; k++)
                v += rows[i].a[k] * a[k] + rows[i].b[k] * b[k];
            CHECK_NEAR(v, expected[i], 1e-14);
        }
    }
}
END

TEST(a_copy_is_the_same_problem_with_memory_of_its_own)
{
    cairn_problem forms[2] = {mixed_problem(6), explicit_problem()};
    for (int k = 0; k < 2; k++) {
        cairn_problem copy;
        int n = forms[k].row_count;
        CHECK(cairn_problem_copy(&forms[k], &copy) == CAIRN_OK);
        CHECK(cairn_problem_check(&copy, NULL) == CAIRN_OK);
        double *A = dense_A(&forms[k]), *B = dense_A(&copy);
        CHECK(memcmp(A, B, (size_t)(n * n) * sizeof(double)) == 0);
        CHECK(memcmp(copy.b, forms[k].b, (size_t)n * sizeof(double)) == 0);
        CHECK(copy.b != forms[k].b && copy.blocks != forms[k].blocks);

        // adding to the copy leaves the other alone
        if (copy.rows) {
            cairn_block block = copy.blocks[0];
            CHECK(cairn_problem_add_block(&copy, &block, forms[k].rows, forms[k].b) == CAIRN_OK);
            ck_assert_int_eq(copy.block_count, forms[k].block_count + 1);
            CHECK(copy.warm[n] == 0.0 && copy.compliance[n] == 0.0);
            CHECK(cairn_problem_check(&copy, NULL) == CAIRN_OK);
        }
        free(A);
        free(B);
        cairn_problem_destroy(&copy);
        cairn_problem_destroy(&forms[k]);
    }
}
END

TEST(contacts_are_counted_among_the_blocks)
{
    cairn_problem problem = mixed_problem(1);
    ck_assert_int_eq(cairn_problem_contact_count(&problem), 32);
    cairn_problem_destroy(&problem);
}
END

TESTS(bad_data_are_refused_by_a_sentence_that_names_the_place,
      bad_matrices_are_refused_by_a_sentence_that_names_the_place, an_empty_problem_is_a_problem,
      rows_of_a_contact_give_the_relative_velocity_at_the_point,
      a_copy_is_the_same_problem_with_memory_of_its_own, contacts_are_counted_among_the_blocks)
