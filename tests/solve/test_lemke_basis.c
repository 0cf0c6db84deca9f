// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Systems with a basis of the contact LCP, solved in the kernel and, for comparison, as dense
// systems of the whole LCP: every kind of open row, with and without λ, every load.

#include "check_cairn.h"
#include "solve/pivot/lemke_basis.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

enum { contacts = 5, facets = 4, pairs = contacts * (facets + 2), dim = 12 };

typedef struct fixture {
    cairn_arena arena;
    cairn_problem problem;
    cairn_solve_def def;
    cairn_report report;
    cairn_job job;
    cairn_lemke_form form;
    cairn_lemke_basis basis;
    cairn_lemke_point point;
    double M[pairs * pairs], c[pairs], q[pairs];
} fixture;

// column `which` of an item as a vector of all bodies
static void column(const fixture* f, int item, int which, double* to)
{
    const cairn_lemke_item* it = &f->form.items[item];
    memset(to, 0, dim * sizeof(double));
    for (int side = 0; side < 2; side++)
        for (int k = 0; it->place[side] >= 0 && k < 6; k++)
            to[it->place[side] + k] += it->part[side][6 * which + k];
}

// what the impulse of a pair does to the bodies (nothing, for λ)
static void direction(const fixture* f, int pair, double* to)
{
    int item = f->basis.item_of[pair];
    memset(to, 0, dim * sizeof(double));
    if (pair < contacts) {
        column(f, item, 0, to);
    } else if (pair - f->basis.group[item] < facets) {
        const double* corner = f->form.items[item].corner + 2 * (pair - f->basis.group[item]);
        double T[dim], S[dim];
        column(f, item, 1, T);
        column(f, item, 2, S);
        for (int k = 0; k < dim; k++)
            to[k] = corner[0] * T[k] + corner[1] * S[k];
    }
}

static void form_lcp(fixture* f)
{
    for (int a = 0; a < pairs; a++) {
        int i = f->basis.item_of[a], facet = a - f->basis.group[i];
        const cairn_lemke_item* it = &f->form.items[i];
        bool normal = a < contacts, limit = !normal && facet == facets;
        double x[dim];
        direction(f, a, x);
        f->c[a] = f->basis.cover[a];

        // normal rows, rows of facets, and the limit row μ λ_N - Σ λ_f of each contact
        f->q[a] = normal ? f->basis.q[3 * i]
                  : limit
                      ? it->q_limit
                      : it->corner[2 * facet] * f->basis.q[3 * i + 1] +
                            it->corner[2 * facet + 1] * f->basis.q[3 * i + 2] + f->basis.lift[a];

        for (int b = 0; b < pairs; b++) {
            int j = f->basis.item_of[b], other = b - f->basis.group[j];
            bool slack = b >= contacts && other == facets;
            double y[dim], sum = 0.0;
            direction(f, b, y);
            for (int k = 0; k < dim; k++)
                sum += x[k] * y[k];
            if (limit)
                sum = i != j || slack ? 0.0 : b < contacts ? it->mu : -1.0;
            else if (slack)
                sum = i == j && !normal ? 1.0 : 0.0;
            f->M[pairs * a + b] = sum;
        }
    }
}

static void make(fixture* f, cairn_random* random)
{
    cairn_error error;
    memset(f, 0, sizeof *f);
    f->problem = cairn_problem_empty();

    for (int i = 0; i < 2; i++)
        cairn_problem_add_body(&f->problem,
                               (cairn_mass){1.0, cairn_mat3_diagonal(1.0, 2.0, 3.0 + i)});

    // contacts with the world and between both bodies
    for (int k = 0; k < contacts; k++) {
        cairn_row rows[3];
        double b[3];
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = k % 3 - 1,
                             .body_b = (k + 1) % 2,
                             .friction = cairn_friction_cone(0.5)};

        if (block.body_a == block.body_b)
            block.body_a = CAIRN_WORLD_BODY;
        for (int i = 0; i < 3; i++)
            b[i] = cairn_random_range(random, -1.0, 1.0);

        cairn_contact_rows(cairn_random_direction(random), cairn_random_vec3(random),
                           cairn_random_vec3(random), 3, rows);
        cairn_problem_add_block(&f->problem, &block, rows, b);
    }

    f->def = cairn_default_solve_def();
    f->def.facets = facets;
    f->job = (cairn_job){
        .problem = &f->problem, .def = &f->def, .arena = &f->arena, .report = &f->report};
    ck_assert(cairn_delassus_prepare(&f->job.A, &f->problem, &f->arena) == CAIRN_OK);
    ck_assert(cairn_lemke_form_make(&f->form, &f->job, &error) == CAIRN_OK);

    ck_assert(cairn_lemke_basis_make(&f->basis, &f->form, &f->arena));
    ck_assert(cairn_lemke_point_make(&f->point, &f->basis, &f->arena));
    ck_assert_int_eq(f->basis.pairs, pairs);

    // random data in place of those of the problem
    for (int k = 0; k < 3 * contacts; k++)
        f->basis.q[k] = cairn_random_range(random, -1.0, 1.0);
    for (int p = contacts; p < pairs; p++)
        f->basis.lift[p] = cairn_random_range(random, 0.0, 0.1);
    for (int i = 0; i < contacts; i++)
        cairn_lemke_basis_activate(&f->basis, i, 1.0);
    for (int p = 0; p < pairs; p++)
        f->basis.cover[p] = cairn_random_range(random, 0.5, 2.0);

    form_lcp(f);
}

static void destroy(fixture* f)
{
    cairn_problem_destroy(&f->problem);
    cairn_arena_destroy(&f->arena);
}

// the kinds of open pair that a path can meet
typedef enum open_kind {
    open_nu,
    open_sigma,
    open_sigma_slack,
    open_sigma_empty,
    open_gamma
} open_kind;

// a random basis; items other than 0 slide, stick or are free
static void choose_basis(fixture* f, open_kind kind, cairn_random* random)
{
    cairn_lemke_basis* basis = &f->basis;
    for (int i = 1; i < contacts; i++) {
        int state = cairn_random_index(random, 4), first = basis->group[i];
        if (state > 0)
            cairn_lemke_basis_set(basis, i, true);
        if (state > 1)
            cairn_lemke_basis_set(basis, first + cairn_random_index(random, facets), true);
        if (state > 2)
            cairn_lemke_basis_set(basis, first + facets, true);
    }

    // item 0 is the open one, in the state that `kind` names
    int first = basis->group[0];
    cairn_lemke_basis_set(basis, 0, kind != open_nu);

    if (kind == open_sigma_slack)
        cairn_lemke_basis_set(basis, first + 1, true);
    if (kind == open_sigma_slack || kind == open_sigma_empty)
        cairn_lemke_basis_set(basis, first + facets, true);
    if (kind == open_gamma)
        cairn_lemke_basis_set(basis, first + 2, true);

    basis->open = kind == open_nu ? 0 : kind == open_gamma ? first + facets : first + 3;
    basis->has_z0 = true;
}

// the dense system: row p is w_p - M z - c z_0 = rhs_p in the basic variables; z_0 stands in the
// place of the open pair. Returns false when it is singular.
static bool reference(const fixture* f, const double* rhs, double* y)
{
    double K[pairs * (pairs + 1)];
    for (int a = 0; a < pairs; a++) {
        double* row = K + (pairs + 1) * a;
        for (int b = 0; b < pairs; b++)
            row[b] = b == f->basis.open    ? -f->c[a]
                     : f->basis.impulse[b] ? -f->M[pairs * a + b]
                                           : (a == b ? 1.0 : 0.0);
        row[pairs] = rhs[a];
    }

    // Gauss and Jordan with partial pivoting
    for (int k = 0; k < pairs; k++) {
        int p = k;
        for (int i = k; i < pairs; i++)
            if (fabs(K[(pairs + 1) * i + k]) > fabs(K[(pairs + 1) * p + k]))
                p = i;
        if (fabs(K[(pairs + 1) * p + k]) < 1e-6)
            return false;

        for (int j = 0; j <= pairs; j++) {
            double x = K[(pairs + 1) * k + j];
            K[(pairs + 1) * k + j] = K[(pairs + 1) * p + j];
            K[(pairs + 1) * p + j] = x;
        }

        for (int i = 0; i < pairs; i++) {
            double g = i == k ? 0.0 : K[(pairs + 1) * i + k] / K[(pairs + 1) * k + k];
            for (int j = k; g != 0.0 && j <= pairs; j++)
                K[(pairs + 1) * i + j] -= g * K[(pairs + 1) * k + j];
        }
    }

    for (int k = 0; k < pairs; k++)
        y[k] = K[(pairs + 1) * k + pairs] / K[(pairs + 1) * k + k];

    return true;
}

static void compare(fixture* f, cairn_lemke_load load, int pair)
{
    double rhs[pairs], y[pairs], size = 1.0;
    for (int a = 0; a < pairs; a++)
        rhs[a] = load == CAIRN_LEMKE_DATA      ? f->q[a]
                 : load == CAIRN_LEMKE_IMPULSE ? f->M[pairs * a + pair]
                                               : (a == pair ? -1.0 : 0.0);
    ck_assert(reference(f, rhs, y));
    for (int p = 0; p < pairs; p++)
        size = fmax(size, fabs(y[p]));
    cairn_lemke_basis_solve(&f->basis, &f->point, load, pair);
    CHECK_NEAR(f->point.z0, y[f->basis.open], 1e-9 * size);
    for (int p = 0; p < pairs; p++)
        if (p != f->basis.open)
            CHECK_NEAR(f->point.value[p], y[p], 1e-9 * size);
}

static void check_kind(open_kind kind)
{
    cairn_random random = {(uint64_t)kind + 1};
    int compared = 0;

    for (int k = 0; k < 200; k++) {
        fixture f;
        double y[pairs];
        make(&f, &random);
        choose_basis(&f, kind, &random);

        if (reference(&f, f.q, y) && cairn_lemke_basis_factor(&f.basis)) {
            compare(&f, CAIRN_LEMKE_DATA, 0);
            compare(&f, CAIRN_LEMKE_IMPULSE, f.basis.open);
            compare(&f, CAIRN_LEMKE_VELOCITY, f.basis.open);
            for (int p = 0; p < pairs; p++)
                if (f.basis.impulse[p])
                    compare(&f, CAIRN_LEMKE_VELOCITY, p);
            compared++;
        }
        destroy(&f);
    }

    ck_assert_int_gt(compared, 50);
}

TEST(an_open_normal_row_is_solved_as_by_the_whole_lcp)
{
    check_kind(open_nu);
}
END

TEST(an_open_friction_row_is_solved_as_by_the_whole_lcp)
{
    check_kind(open_sigma);
    check_kind(open_sigma_slack);
}
END

TEST(an_open_friction_row_whose_slack_has_no_other_column_is_solved_as_by_the_whole_lcp)
{
    check_kind(open_sigma_empty);
}
END

TEST(an_open_limit_row_is_solved_as_by_the_whole_lcp)
{
    check_kind(open_gamma);
}
END

TEST(products_kept_from_the_last_basis_are_those_of_this_basis)
{
    // one long walk over random bases against a fresh factor of each
    cairn_random random = {77};
    fixture f;
    make(&f, &random);
    int compared = 0;

    for (int k = 0; k < 300; k++) {
        double y[pairs];
        for (int p = 0; p < pairs; p++)
            if (cairn_random_index(&random, 4) == 0)
                cairn_lemke_basis_set(&f.basis, p, false);
        choose_basis(&f, (open_kind)(k % 5), &random);
        cairn_lemke_basis_set(&f.basis, f.basis.open, false);
        if (f.basis.theta_count + f.basis.phi_count <= dim && cairn_lemke_basis_factor(&f.basis) &&
            reference(&f, f.q, y)) {
            compare(&f, CAIRN_LEMKE_DATA, 0);
            compared++;
        }
    }

    ck_assert_int_gt(compared, 20);
    destroy(&f);
}
END

TESTS(an_open_normal_row_is_solved_as_by_the_whole_lcp,
      an_open_friction_row_is_solved_as_by_the_whole_lcp,
      an_open_friction_row_whose_slack_has_no_other_column_is_solved_as_by_the_whole_lcp,
      an_open_limit_row_is_solved_as_by_the_whole_lcp,
      products_kept_from_the_last_basis_are_those_of_this_basis)
