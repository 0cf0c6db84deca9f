// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of tree.h on a forest of up to ten bodies. Indices are those of the forest, and a
// solve follows a factor that succeeded, as the header asks.

#include "api.h"
#include <stdlib.h>
#include <string.h>

enum { most_bodies = 10, most_constraints = 12, most_numbers = 6 * (most_bodies + 2) };

struct api_forest {
    cairn_tree* tree;
    cairn_tree_topology topology;
    int dimension[most_bodies];
    cairn_tree_constraint constraints[most_constraints];
    bool factored, loaded;
    cairn_tree_response* response;
    cairn_tree_auxiliary blocks[2];
    int bodies[2];
    double j[36];
    double f[most_numbers], c[most_numbers], y[most_numbers], lambda[most_numbers];
};

void api_forest_free(api* a)
{
    if (!a->forest)
        return;
    cairn_tree_response_destroy(a->forest->response);
    cairn_tree_destroy(a->forest->tree);
    free(a->forest);
    a->forest = NULL;
}

// numbers of a right-hand side
static void fill(api* a, double* x)
{
    for (int i = 0; i < most_numbers; i++)
        x[i] = i < 6 ? api_real(a, -1.0, 1.0) : 0.1 * (i % 7) - 0.3;
}

// whatever changes the tree ends the response to it
static void end_response(api_forest* forest)
{
    cairn_tree_response_destroy(forest->response);
    forest->response = NULL;
}

// a tree that is factored, or NULL
static api_forest* factored(api* a)
{
    return a->forest && a->forest->factored ? a->forest : NULL;
}

// ---------------------------------------------------------------- topology

static void default_topology(api* a)
{
    api_begin(a);
    cairn_tree_topology topology = cairn_default_tree_topology();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (topology.root != -1)
        api_broken(a, "other defaults than the header says");
}

static void fill_topology(api* a, api_forest* forest)
{
    cairn_tree_topology* t = &forest->topology;
    *t = cairn_default_tree_topology();
    t->body_count = 1 + api_below(a, most_bodies);
    t->constraint_count = api_below(a, most_constraints + 1);
    bool plain = api_chance(a, 128);
    for (int i = 0; i < t->body_count; i++)
        forest->dimension[i] = plain ? 6 : api_int(a, 0, 6);
    t->dimension = plain ? NULL : forest->dimension;
    t->constraints = forest->constraints;
    for (int k = 0; k < t->constraint_count; k++) {
        cairn_tree_constraint* c = &forest->constraints[k];
        c->body_a = api_int(a, -1, t->body_count - 1);
        c->body_b = k < t->body_count ? k : api_int(a, -1, t->body_count - 1);
        c->row_count = api_int(a, 1, 6);
    }
    if (api_chance(a, 32))
        t->root = api_int(a, -1, t->body_count - 1);
}

static void tree_create(api* a)
{
    api_forest_free(a);
    api_forest* forest = calloc(1, sizeof *forest);
    if (!forest)
        return;
    fill_topology(a, forest);
    api_begin(a);
    if (api_end(a, cairn_tree_create(&forest->topology, &forest->tree, a->said), API_NOTHING)) {
        a->forest = forest;
        int numbers = 0, given = forest->topology.body_count;
        for (int i = 0; i < given; i++)
            numbers += forest->topology.dimension ? forest->dimension[i] : 6;
        if (cairn_tree_body_offset(forest->tree, given) != numbers)
            api_broken(a, "another number of coordinates than bodies have");

        // what is larger than the arrays here is put away
        bool large = false;
        for (int i = 0; i < given; i++)
            large = large || forest->dimension[i] > 6;
        for (int k = 0; k < forest->topology.constraint_count; k++)
            large = large || forest->constraints[k].row_count > 6;
        if (large)
            api_forest_free(a);
    } else {
        free(forest);
    }
}

static void tree_destroy(api* a)
{
    api_begin(a);
    if (!a->forest)
        cairn_tree_destroy(NULL);
    api_forest_free(a);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static int pick_constraint(api* a)
{
    int count = a->forest ? a->forest->topology.constraint_count : 0;
    return count > 0 ? api_below(a, count) : -1;
}

static void is_primary(api* a)
{
    int k = pick_constraint(a);
    if (k < 0)
        return;
    api_begin(a);
    cairn_tree_is_primary(a->forest->tree, k);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void body_offset(api* a)
{
    if (!a->forest)
        return;
    int body = api_below(a, a->forest->topology.body_count + 1);
    api_begin(a);
    ptrdiff_t offset = cairn_tree_body_offset(a->forest->tree, body);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (offset < 0 || offset > 6 * body)
        api_broken(a, "the numbers of body %d start at %td", body, offset);
}

static void row_offset(api* a)
{
    if (!a->forest)
        return;
    int k = api_below(a, a->forest->topology.constraint_count + 1);
    api_begin(a);
    ptrdiff_t offset = cairn_tree_row_offset(a->forest->tree, k);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (offset < 0 || offset > 6 * k)
        api_broken(a, "the rows of constraint %d start at %td", k, offset);
}

static void depth(api* a)
{
    if (!a->forest)
        return;
    api_begin(a);
    int deep = cairn_tree_depth(a->forest->tree);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (deep < 0 || deep > most_bodies)
        api_broken(a, "a depth of %d", deep);
}

// ---------------------------------------------------------------- numbers

static int dimension(const api_forest* forest, int body)
{
    if (body < 0)
        return 0;
    return forest->topology.dimension ? forest->topology.dimension[body] : 6;
}

static void set_mass(api* a)
{
    if (!a->forest)
        return;
    api_forest* forest = a->forest;
    double M[36] = {0};
    int body = api_below(a, forest->topology.body_count), n = dimension(forest, body);
    for (int i = 0; i < n; i++)
        M[i * n + i] = api_real(a, 0.1, 10.0);
    if (n > 1 && api_hostile(a))
        M[1] = api_real(a, -1.0, 1.0);
    end_response(forest);
    api_begin(a);
    cairn_tree_set_mass(forest->tree, body, M);
    api_end(a, CAIRN_OK, API_NOTHING);
    forest->factored = forest->loaded = false;
}

static void set_constraint(api* a)
{
    int k = pick_constraint(a);
    if (k < 0)
        return;
    api_forest* forest = a->forest;
    const cairn_tree_constraint* c = &forest->constraints[k];
    double j_a[36], j_b[36], E[6];
    for (int i = 0; i < 36; i++) {
        j_a[i] = i % 7 == 0 || api_chance(a, 32) ? api_real(a, -1.0, 1.0) : 0.0;
        j_b[i] = i % 7 == 0 ? -1.0 : 0.1 * (i % 5);
    }
    for (int i = 0; i < 6; i++)
        E[i] = i == 0 ? api_real(a, 0.0, 0.1) : 0.0;
    bool soft = api_chance(a, 64);
    end_response(forest);
    api_begin(a);
    cairn_tree_set_constraint(forest->tree, k, dimension(forest, c->body_a) ? j_a : NULL,
                              dimension(forest, c->body_b) ? j_b : NULL, soft ? E : NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
    forest->factored = forest->loaded = false;
}

static void factor(api* a)
{
    if (!a->forest)
        return;
    end_response(a->forest);
    api_begin(a);
    int redundant = cairn_tree_factor(a->forest->tree);
    api_end(a, CAIRN_OK, API_NOTHING);
    a->forest->factored = redundant >= 0;
    a->forest->loaded = false;
    if (redundant < -1 || redundant > a->forest->topology.constraint_count)
        api_broken(a, "%d redundant constraints", redundant);
}

static void next_redundant(api* a)
{
    const api_forest* forest = factored(a);
    if (!forest)
        return;
    api_begin(a);
    int after = -1, count = 0;
    while ((after = cairn_tree_next_redundant(forest->tree, after)) >= 0)
        if (++count > forest->topology.constraint_count)
            api_broken(a, "more redundant constraints than constraints");
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void tree_solve(api* a)
{
    api_forest* forest = factored(a);
    if (!forest)
        return;
    fill(a, forest->f);
    fill(a, forest->c);
    bool f = api_chance(a, 192), c = api_chance(a, 192), lambda = api_chance(a, 192);
    end_response(forest);
    api_begin(a);
    cairn_tree_solve(forest->tree, f ? forest->f : NULL, c ? forest->c : NULL, 1, forest->y,
                     lambda ? forest->lambda : NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
    forest->loaded = true;
}

static void load(api* a)
{
    api_forest* forest = factored(a);
    if (!forest)
        return;
    fill(a, forest->f);
    fill(a, forest->c);
    end_response(forest);
    api_begin(a);
    cairn_tree_load(forest->tree, forest->f, forest->c);
    api_end(a, CAIRN_OK, API_NOTHING);
    forest->loaded = true;
}

static void residual(api* a)
{
    api_forest* forest = factored(a);
    if (!forest)
        return;
    api_begin(a);
    cairn_tree_residual(forest->tree, forest->f, forest->c, forest->y, forest->lambda);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void refine(api* a)
{
    api_forest* forest = factored(a);
    if (!forest)
        return;
    end_response(forest);
    api_begin(a);
    cairn_tree_refine(forest->tree, forest->f, forest->c, forest->y, forest->lambda);
    api_end(a, CAIRN_OK, API_NOTHING);
    forest->loaded = false;
}

static void project(api* a)
{
    api_forest* forest = factored(a);
    if (!forest)
        return;
    fill(a, forest->c);
    end_response(forest);
    api_begin(a);
    cairn_tree_project(forest->tree, forest->c, forest->y);
    api_end(a, CAIRN_OK, API_NOTHING);
    forest->loaded = false;
}

// ---------------------------------------------------------------- responses

static void response_create(api* a)
{
    api_forest* forest = factored(a);
    if (!forest)
        return;

    // two blocks of one body each that can move
    int count = 0;
    for (int i = 0; i < forest->topology.body_count && count < 2; i++)
        if (dimension(forest, i) > 0)
            forest->bodies[count++] = i;
    for (int i = 0; i < 36; i++)
        forest->j[i] = i < 6 ? api_real(a, -1.0, 1.0) : 0.1 * (i % 5);
    for (int i = 0; i < count; i++)
        forest->blocks[i] =
            (cairn_tree_auxiliary){1 + api_below(a, 3), 1, &forest->bodies[i], forest->j, NULL};
    end_response(forest);
    api_begin(a);
    cairn_status status =
        cairn_tree_response_create(forest->tree, forest->blocks, count, &forest->response, a->said);
    if (!api_end(a, status, API_NOTHING))
        forest->response = NULL;
}

static void response_destroy(api* a)
{
    api_begin(a);
    if (a->forest)
        end_response(a->forest);
    cairn_tree_response_destroy(NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static cairn_tree_response* response(api* a)
{
    return a->forest ? a->forest->response : NULL;
}

static void response_rows(api* a)
{
    if (!response(a))
        return;
    api_begin(a);
    int rows = cairn_tree_response_rows(response(a));
    api_end(a, CAIRN_OK, API_NOTHING);
    if (rows < 0 || rows > 6)
        api_broken(a, "%d rows", rows);
}

static void response_matrix(api* a)
{
    double S[36];
    if (!response(a))
        return;
    api_begin(a);
    cairn_tree_response_matrix(response(a), S);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void response_offset(api* a)
{
    double s[6];
    if (!response(a) || !a->forest->loaded)
        return;
    api_begin(a);
    cairn_tree_response_offset(response(a), s);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void response_velocity(api* a)
{
    double s[6];
    if (!response(a))
        return;
    api_begin(a);
    cairn_tree_response_velocity(response(a), a->forest->y, s);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void response_finish(api* a)
{
    double mu[6];
    if (!response(a) || !a->forest->loaded)
        return;
    for (int i = 0; i < 6; i++)
        mu[i] = api_real(a, 0.0, 1.0);
    api_begin(a);
    cairn_tree_response_finish(response(a), mu, a->forest->y, a->forest->lambda);
    api_end(a, CAIRN_OK, API_NOTHING);
    a->forest->loaded = false;
}

// clang-format off: one line for each call
const api_call api_tree_calls[] = {
    {"cairn_default_tree_topology", default_topology, 1},
    {"cairn_tree_create", tree_create, 3},
    {"cairn_tree_destroy", tree_destroy, 1},
    {"cairn_tree_is_primary", is_primary, 1},
    {"cairn_tree_body_offset", body_offset, 1},
    {"cairn_tree_row_offset", row_offset, 1},
    {"cairn_tree_depth", depth, 1},
    {"cairn_tree_set_mass", set_mass, 3},
    {"cairn_tree_set_constraint", set_constraint, 4},
    {"cairn_tree_factor", factor, 4},
    {"cairn_tree_next_redundant", next_redundant, 1},
    {"cairn_tree_solve", tree_solve, 2},
    {"cairn_tree_load", load, 2},
    {"cairn_tree_residual", residual, 1},
    {"cairn_tree_refine", refine, 1},
    {"cairn_tree_project", project, 1},
    {"cairn_tree_response_create", response_create, 3},
    {"cairn_tree_response_destroy", response_destroy, 1},
    {"cairn_tree_response_rows", response_rows, 1},
    {"cairn_tree_response_matrix", response_matrix, 1},
    {"cairn_tree_response_offset", response_offset, 1},
    {"cairn_tree_response_velocity", response_velocity, 1},
    {"cairn_tree_response_finish", response_finish, 1},
    {0},
};
// clang-format on
