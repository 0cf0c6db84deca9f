// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/amd.h"
#include "linalg/dissect.h"
#include <string.h>

typedef struct graph {
    int n;
    int* begin;
    int* neighbor;
} graph;

// a lattice of `copies` nodes at each place; places next to each other, also across, are joined,
// and so are the copies at a place
static graph lattice(int x, int y, int z, int copies)
{
    int places = x * y * z, count = 0;
    graph g = {.n = places * copies};
    g.begin = calloc((size_t)g.n + 1, sizeof(int));
    g.neighbor = calloc(27 * (size_t)g.n * (size_t)copies + 1, sizeof(int));
    for (int i = 0; i < g.n; i++) {
        int p = i / copies, at[3] = {p % x, p / x % y, p / x / y};
        for (int q = 0; q < places; q++) {
            int to[3] = {q % x, q / x % y, q / x / y};
            bool near =
                abs(to[0] - at[0]) <= 1 && abs(to[1] - at[1]) <= 1 && abs(to[2] - at[2]) <= 1;
            for (int c = 0; c < copies && near; c++)
                if (q * copies + c != i)
                    g.neighbor[count++] = q * copies + c;
        }
        g.begin[i + 1] = count;
    }
    return g;
}

static void destroy(graph* g)
{
    free(g->begin);
    free(g->neighbor);
}

// Σ of the squares of the columns of the factor, by eliminating the dense table
static double work_of(const graph* g, const int* order)
{
    size_t n = (size_t)g->n;
    double work = 0.0;
    bool* edge = calloc(n * n + 1, sizeof(bool));
    int *position = calloc(n + 1, sizeof(int)), *column = calloc(n + 1, sizeof(int));
    for (size_t k = 0; k < n; k++)
        position[order[k]] = (int)k;
    for (int i = 0; i < g->n; i++)
        for (int k = g->begin[i]; k < g->begin[i + 1]; k++)
            edge[(size_t)position[i] * n + (size_t)position[g->neighbor[k]]] = true;
    for (size_t k = 0; k < n; k++) {
        int count = 0;
        for (size_t i = k + 1; i < n; i++)
            if (edge[k * n + i])
                column[count++] = (int)i;
        for (int p = 0; p < count; p++)
            for (int q = 0; q < count; q++)
                edge[(size_t)column[p] * n + (size_t)column[q]] = true;
        work += (double)count * count;
    }
    free(edge);
    free(position);
    free(column);
    return work;
}

static void dissect(int* order, const graph* g)
{
    cairn_arena arena = {0};
    bool* seen = calloc((size_t)g->n + 1, sizeof(bool));
    ck_assert_int_eq(cairn_dissect_order(order, g->n, g->begin, g->neighbor, &arena, NULL),
                     CAIRN_OK);
    for (int k = 0; k < g->n; k++) {
        ck_assert_int_ge(order[k], 0);
        ck_assert_int_lt(order[k], g->n);
        CHECK(!seen[order[k]]);
        seen[order[k]] = true;
    }
    free(seen);
    cairn_arena_destroy(&arena);
}

TEST(every_node_is_ordered_once)
{
    static const int sizes[][4] = {{1, 1, 1, 1}, {5, 1, 1, 1},  {200, 1, 1, 1}, {1, 1, 1, 100},
                                   {9, 9, 1, 1}, {2, 2, 40, 1}, {5, 5, 5, 2},   {3, 3, 3, 30}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        graph g = lattice(sizes[k][0], sizes[k][1], sizes[k][2], sizes[k][3]);
        int* order = calloc((size_t)g.n, sizeof(int));
        dissect(order, &g);
        free(order);
        destroy(&g);
    }
    graph none = {.begin = (int[]){0}};
    dissect(NULL, &none);
}
END

TEST(a_graph_in_pieces_is_ordered_too)
{
    // 300 nodes in pieces of 1, 2, 3, ...
    int begin[301] = {0}, neighbor[600], order[300], count = 0, size = 1, left = 1;
    for (int i = 0; i < 300; i++) {
        if (left < size)
            neighbor[count++] = i - 1;
        if (left > 1 && i < 299)
            neighbor[count++] = i + 1;
        begin[i + 1] = count;
        if (--left == 0)
            left = ++size;
    }
    graph g = {300, begin, neighbor};
    dissect(order, &g);
}
END

TEST(twins_follow_each_other)
{
    graph g = lattice(6, 6, 6, 2);
    int* order = calloc((size_t)g.n, sizeof(int));
    dissect(order, &g);
    for (int k = 0; k < g.n; k += 2)
        ck_assert_int_eq(order[k] / 2, order[k + 1] / 2);
    free(order);
    destroy(&g);
}
END

TEST(a_cube_takes_less_work_than_by_minimum_degree)
{
    graph g = lattice(10, 10, 10, 1);
    cairn_arena arena = {0};
    int *order = calloc((size_t)g.n, sizeof(int)), *by_degree = calloc((size_t)g.n, sizeof(int));
    dissect(order, &g);
    ck_assert_int_eq(cairn_amd_order(by_degree, g.n, g.begin, g.neighbor, &arena, NULL), CAIRN_OK);
    CHECK_BELOW(work_of(&g, order), 0.9 * work_of(&g, by_degree));
    cairn_arena_destroy(&arena);
    free(order);
    free(by_degree);
    destroy(&g);
}
END

TESTS(every_node_is_ordered_once, a_graph_in_pieces_is_ordered_too, twins_follow_each_other,
      a_cube_takes_less_work_than_by_minimum_degree)
