// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/amd.h"
#include <cairn/random.h>
#include <string.h>

#ifdef CAIRN_HAVE_AMD
#include <suitesparse/amd.h>
#endif

// a graph as a dense table of edges and as lists
typedef struct graph {
    int n;
    bool* edge;
    int* begin;
    int* neighbor;
} graph;

static graph empty_graph(int n)
{
    graph g = {.n = n, .edge = calloc((size_t)n * (size_t)n + 1, sizeof(bool))};
    return g;
}

static void join(graph* g, int i, int j)
{
    if (i != j)
        g->edge[i * g->n + j] = g->edge[j * g->n + i] = true;
}

static void make_lists(graph* g)
{
    int count = 0;
    g->begin = calloc((size_t)g->n + 1, sizeof(int));
    g->neighbor = calloc((size_t)g->n * (size_t)g->n + 1, sizeof(int));
    for (int i = 0; i < g->n; i++) {
        for (int j = 0; j < g->n; j++)
            if (g->edge[i * g->n + j])
                g->neighbor[count++] = j;
        g->begin[i + 1] = count;
    }
}

static void destroy(graph* g)
{
    free(g->edge);
    free(g->begin);
    free(g->neighbor);
}

static graph grid(int side, bool diagonals)
{
    graph g = empty_graph(side * side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int i = side * y + x;
            if (x + 1 < side)
                join(&g, i, i + 1);
            if (y + 1 < side)
                join(&g, i, i + side);
            if (diagonals && x + 1 < side && y + 1 < side)
                join(&g, i, i + side + 1);
        }
    make_lists(&g);
    return g;
}

static graph random_graph(int n, int edges, uint64_t seed)
{
    graph g = empty_graph(n);
    cairn_random random = {seed};
    for (int k = 0; k < edges; k++) {
        int i = cairn_random_index(&random, n), j = cairn_random_index(&random, n);
        join(&g, i, j);
    }
    make_lists(&g);
    return g;
}

// bodies in a grid, four contacts on each edge: the contact graph of a wall
static graph contact_graph(int side)
{
    enum { copies = 4 };
    int edges = 2 * side * (side - 1);
    int(*ends)[2] = calloc((size_t)edges, sizeof *ends);
    int count = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            if (x + 1 < side)
                ends[count][0] = side * y + x, ends[count++][1] = side * y + x + 1;
            if (y + 1 < side)
                ends[count][0] = side * y + x, ends[count++][1] = side * y + x + side;
        }
    graph g = empty_graph(copies * edges);
    for (int a = 0; a < copies * edges; a++)
        for (int b = 0; b < a; b++) {
            const int *p = ends[a / copies], *q = ends[b / copies];
            if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1])
                join(&g, a, b);
        }
    make_lists(&g);
    free(ends);
    return g;
}

static void order_graph(int* order, const graph* g)
{
    cairn_arena arena = {0};
    ck_assert_int_eq(cairn_amd_order(order, g->n, g->begin, g->neighbor, &arena, NULL), CAIRN_OK);
    cairn_arena_destroy(&arena);
}

// entries below the diagonal of the factor, by eliminating the dense table
static double fill_of(const graph* g, const int* order)
{
    int n = g->n;
    double count = 0.0;
    bool* edge = calloc((size_t)n * (size_t)n + 1, sizeof(bool));
    int* list = calloc((size_t)n + 1, sizeof(int));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            edge[i * n + j] = g->edge[order[i] * n + order[j]];
    for (int k = 0; k < n; k++) {
        int length = 0;
        for (int j = k + 1; j < n; j++)
            if (edge[k * n + j])
                list[length++] = j;
        count += length;
        for (int a = 0; a < length; a++)
            for (int b = 0; b < length; b++)
                edge[list[a] * n + list[b]] = true;
    }
    free(edge);
    free(list);
    return count;
}

static double own_fill(const graph* g)
{
    int* order = calloc((size_t)g->n + 1, sizeof(int));
    order_graph(order, g);
    double fill = fill_of(g, order);
    free(order);
    return fill;
}

// the fill of SuiteSparse's order, or where it is not installed of no reordering at all
static double reference_fill(const graph* g)
{
    int* order = calloc((size_t)g->n + 1, sizeof(int));
    for (int i = 0; i < g->n; i++)
        order[i] = i;
#ifdef CAIRN_HAVE_AMD
    ck_assert_int_ge(amd_order(g->n, g->begin, g->neighbor, order, NULL, NULL), 0);
#endif
    double fill = fill_of(g, order);
    free(order);
    return fill;
}

TEST(an_order_names_every_node_once)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 1 + (int)(3 * seed);
        graph g = random_graph(n, (int)(seed % 7) * n, seed);
        int* order = calloc((size_t)n, sizeof(int));
        bool* seen = calloc((size_t)n, sizeof(bool));
        order_graph(order, &g);
        for (int k = 0; k < n; k++) {
            ck_assert_int_ge(order[k], 0);
            ck_assert_int_lt(order[k], n);
            CHECK(!seen[order[k]]);
            seen[order[k]] = true;
        }
        free(order);
        free(seen);
        destroy(&g);
    }
}
END

TEST(a_tree_fills_nothing)
{
    cairn_random random = {7};
    graph g = empty_graph(200);
    for (int i = 1; i < 200; i++)
        join(&g, i, cairn_random_index(&random, i));
    make_lists(&g);
    CHECK_NEAR(own_fill(&g), 199.0, 0.0);
    destroy(&g);
}
END

TEST(an_arrow_is_eliminated_from_its_tips)
{
    // one node that all others meet: first it would fill everything, last it fills nothing
    graph g = empty_graph(100);
    for (int i = 1; i < 100; i++)
        join(&g, 0, i);
    make_lists(&g);
    CHECK_NEAR(own_fill(&g), 99.0, 0.0);
    destroy(&g);
}
END

TEST(a_clique_of_equal_nodes_and_no_edges_at_all_are_orders_too)
{
    graph g = empty_graph(20);
    make_lists(&g);
    CHECK_NEAR(own_fill(&g), 0.0, 0.0);
    destroy(&g);
    g = empty_graph(20);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < i; j++)
            join(&g, i, j);
    make_lists(&g);
    CHECK_NEAR(own_fill(&g), 190.0, 0.0);
    destroy(&g);
}
END

TEST(the_fill_is_that_of_suitesparse)
{
    // ties are broken differently, so single graphs differ by some per cent either way; the sum
    // may not be worse by more than 3 %
    graph graphs[12];
    int count = 0;
    for (int side = 10; side <= 25; side += 5) {
        graphs[count++] = grid(side, false);
        graphs[count++] = grid(side, true);
    }
    graphs[count++] = contact_graph(6);
    graphs[count++] = contact_graph(8);
    graphs[count++] = random_graph(300, 600, 3);
    graphs[count++] = random_graph(300, 900, 4);
    double own = 0.0, reference = 0.0;
    for (int i = 0; i < count; i++) {
        double a = own_fill(&graphs[i]), b = reference_fill(&graphs[i]);
        CHECK_BELOW(a, 1.25 * b);
        own += a;
        reference += b;
        destroy(&graphs[i]);
    }
    CHECK_BELOW(own, 1.03 * reference);
}
END

TESTS(an_order_names_every_node_once, a_tree_fills_nothing, an_arrow_is_eliminated_from_its_tips,
      a_clique_of_equal_nodes_and_no_edges_at_all_are_orders_too, the_fill_is_that_of_suitesparse)
