// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Nested dissection (George 1973): a small separator splits the graph in two parts without an edge
// between them; the parts are ordered first, each in the same way, the separator last. A separator
// starts halfway between two nodes far from each other, by the distances from them, and is improved
// by moving its nodes to one side or the other,
//
//     gain of moving v from S to A = w(v) - Σ w(u), u the neighbors of v in B,
//
// the best one first, through worse states too, keeping the best state (Fiduccia and Mattheyses
// 1982; Ashcraft and Liu 1998). Parts of a few nodes are ordered by minimum degree. Nodes with the
// same neighbors are one node of greater weight.
//
// Better than minimum degree on large graphs of heaps (three dimensions), worse on small graphs and
// on walls: compare before use.

#include "linalg/dissect.h"
#include "linalg/amd.h"
#include <string.h>

enum {
    leaf = 60,      // nodes up to which minimum degree orders a part
    trials = 8,     // pairs of nodes to separate
    passes = 6,     // of improvement
    patience = 60,  // moves without improvement that end a pass
    left = 0,       // the two sides,
    right = 1,      //
    between = 2,    // the separator,
    elsewhere = -1, // and what does not belong to the part
};

static const double largest_side = 0.6; // of the weight of a part

// the graph as it is given
typedef struct graph {
    int n;
    const int* begin;
    const int* neighbor;
} graph;

typedef struct dissection {
    int n;
    int *begin, *neighbor, *weight; // nodes of the compressed graph
    int* list;                      // a part is a range of it; at the end the order
    int* side;
    int *level, *other, *queue;
    int* place;       // of a node in the list
    int* rim;         // nodes of the separator, and where a node stands among them
    int* rim_place;   //
    int rim_count;    //
    int* best;        // sides of the best separator so far
    int *trail, *was; // moves of a pass, 3 n: nodes and the sides that they came from
    bool* locked;
    int *map, *sub_begin, *sub_neighbor, *sub_order; // of a leaf
    int weights[3];
    cairn_arena* arena;
    const cairn_stop* stop;
} dissection;

// ---------------------------------------------------------------- compression

// whether two neighbors have the same neighbors otherwise; `mark` holds v at those of v
static bool is_twin(const graph* g, const int* mark, int v, int u)
{
    if (g->begin[u + 1] - g->begin[u] != g->begin[v + 1] - g->begin[v])
        return false;
    for (int k = g->begin[u]; k < g->begin[u + 1]; k++)
        if (g->neighbor[k] != v && mark[g->neighbor[k]] != v)
            return false;
    return true;
}

// the node that stands for each
static void find_twins(int* stands, int* mark, const graph* g)
{
    memset(stands, -1, (size_t)g->n * sizeof(int));
    memset(mark, -1, (size_t)g->n * sizeof(int));
    for (int v = 0; v < g->n; v++) {
        if (stands[v] >= 0)
            continue;
        stands[v] = v;

        for (int k = g->begin[v]; k < g->begin[v + 1]; k++)
            mark[g->neighbor[k]] = v;

        for (int k = g->begin[v]; k < g->begin[v + 1]; k++) {
            int u = g->neighbor[k];
            if (u > v && stands[u] < 0 && is_twin(g, mark, v, u))
                stands[u] = v;
        }
    }
}

// the graph of those that stand for themselves; `number` of a node, `name` of a number
static void compress(dissection* d, const graph* g, const int* stands, int* number, int* name,
                     int* mark)
{
    int count = 0, edges = 0;
    for (int v = 0; v < g->n; v++) {
        if (stands[v] == v) {
            number[v] = count;
            d->weight[count] = 0;
            name[count++] = v;
        }
        d->weight[number[stands[v]]]++;
    }

    // edges between the nodes that stand for others, each once
    memset(mark, -1, (size_t)g->n * sizeof(int));
    for (int i = 0; i < count; i++) {
        d->begin[i] = edges;
        for (int k = g->begin[name[i]]; k < g->begin[name[i] + 1]; k++) {
            int u = stands[g->neighbor[k]];
            if (u == name[i] || mark[u] == i)
                continue;
            mark[u] = i;
            d->neighbor[edges++] = number[u];
        }
    }

    d->begin[count] = edges;
    d->n = count;
}

// ---------------------------------------------------------------- a separator

// breadth-first levels from a node within the part (where side >= 0); returns the number reached
static int search(dissection* d, int start)
{
    int head = 0, tail = 0;

    for (d->level[start] = 0, d->queue[tail++] = start; head < tail; head++) {
        int v = d->queue[head];
        for (int k = d->begin[v]; k < d->begin[v + 1]; k++) {
            int u = d->neighbor[k];
            if (d->side[u] == elsewhere || d->level[u] >= 0)
                continue;

            d->level[u] = d->level[v] + 1;
            d->queue[tail++] = u;
        }
    }
    return tail;
}

static void forget_levels(dissection* d, int lo, int hi)
{
    for (int k = lo; k < hi; k++)
        d->level[d->list[k]] = -1;
}

// Sides by the distances from two nodes, far - near: left up to half of the weight, and of the left
// the rim is the separator. Both distances must be known: near in `level`, far in `other`.
static void split_by_distance(dissection* d, int lo, int hi, int total)
{
    int reached = 0, longest = 0, edge = 0;

    for (int k = lo; k < hi; k++)
        longest = d->level[d->list[k]] > longest ? d->level[d->list[k]] : longest;
    memset(d->trail, 0, (size_t)(2 * longest + 1) * sizeof(int));

    // a histogram of the weights by the difference of the distances
    for (int k = lo; k < hi; k++) {
        int v = d->list[k];
        d->level[v] -= d->other[v];
        d->trail[d->level[v] + longest] += d->weight[v];
    }

    // the difference at which half of the weight is reached
    for (; 2 * (reached + d->trail[edge]) < total; edge++)
        reached += d->trail[edge];

    // the nodes of the edge itself go left until half of the weight is there
    for (int k = lo; k < hi; k++) {
        int v = d->list[k], distance = d->level[v] + longest - edge;
        bool first = distance < 0 || (distance == 0 && 2 * reached < total);
        reached += first && distance == 0 ? d->weight[v] : 0;
        d->side[v] = first ? left : right;
    }

    // a node on the left that has a neighbor on the right belongs to the separator
    memset(d->weights, 0, sizeof d->weights);
    for (int k = lo; k < hi; k++) {
        int v = d->list[k];
        bool rim = false;
        for (int m = d->begin[v]; m < d->begin[v + 1] && d->side[v] == left; m++)
            rim = rim || d->side[d->neighbor[m]] == right;
        d->side[v] = rim ? between : d->side[v];
        d->weights[d->side[v]] += d->weight[v];
    }
}

static void put(dissection* d, int v, int side)
{
    // the separator is kept as a set of its own: it is small
    if (side == between) {
        d->rim_place[v] = d->rim_count;
        d->rim[d->rim_count++] = v;
    } else if (d->side[v] == between) {
        int last = d->rim[--d->rim_count];
        d->rim[d->rim_place[v]] = last;
        d->rim_place[last] = d->rim_place[v];
    }

    d->weights[d->side[v]] -= d->weight[v];
    d->weights[side] += d->weight[v];
    d->side[v] = side;
}

static int gain(const dissection* d, int v, int to)
{
    int sum = d->weight[v];
    for (int k = d->begin[v]; k < d->begin[v + 1]; k++)
        if (d->side[d->neighbor[k]] == 1 - to)
            sum -= d->weight[d->neighbor[k]];
    return sum;
}

// The best move of a node of the separator, or -1. Among equals the first of the list.
static int best_move(const dissection* d, int limit, int* to)
{
    int best = -1, most = 0, lighter = d->weights[left] <= d->weights[right] ? left : right;
    for (int k = 0; k < d->rim_count; k++) {
        int v = d->rim[k];
        if (d->locked[v])
            continue;

        for (int i = 0; i < 2; i++) {
            int side = i == 0 ? lighter : 1 - lighter;
            if (d->weights[side] + d->weight[v] > limit)
                continue;

            int g = gain(d, v, side);
            bool earlier = g == most && best != v && best >= 0 && d->place[v] < d->place[best];
            if (best < 0 || g > most || earlier) {
                best = v;
                most = g;
                *to = side;
            }
        }
    }
    return best;
}

// One pass; true when the separator has become lighter. A node leaves the separator once, as it is
// locked then, so that it enters twice at most: no more than 3 moves for each.
static bool improve(dissection* d, int lo, int hi, int limit)
{
    int moves = 0, kept = 0, start = d->weights[between], least = start, idle = 0;
    d->rim_count = 0;

    for (int k = lo; k < hi; k++) {
        int v = d->list[k];
        d->locked[v] = false;
        d->place[v] = k;
        if (d->side[v] == between) {
            d->rim_place[v] = d->rim_count;
            d->rim[d->rim_count++] = v;
        }
    }

    while (idle < patience) {
        int to, v = best_move(d, limit, &to);
        if (v < 0)
            break;

        // v leaves the separator and is locked; its neighbors on the other side come into it
        d->locked[v] = true;
        d->trail[moves] = v;
        d->was[moves++] = between;
        put(d, v, to);
        for (int k = d->begin[v]; k < d->begin[v + 1]; k++) {
            int u = d->neighbor[k];
            if (d->side[u] != 1 - to)
                continue;
            d->trail[moves] = u;
            d->was[moves++] = 1 - to;
            put(d, u, between);
        }

        // go on through worse states for a while, and remember the best
        idle++;
        if (d->weights[between] < least) {
            least = d->weights[between];
            kept = moves;
            idle = 0;
        }
    }

    // back to the best state
    while (moves > kept) {
        moves--;
        put(d, d->trail[moves], d->was[moves]);
    }
    return least < start;
}

// ---------------------------------------------------------------- recursion

static bool order_leaf(dissection* d, int lo, int hi)
{
    int edges = 0, n = hi - lo;

    for (int k = lo; k < hi; k++)
        d->map[d->list[k]] = k - lo;

    // the subgraph of the part
    for (int k = lo; k < hi; k++) {
        int v = d->list[k];
        d->sub_begin[k - lo] = edges;
        for (int m = d->begin[v]; m < d->begin[v + 1]; m++)
            if (d->map[d->neighbor[m]] >= 0)
                d->sub_neighbor[edges++] = d->map[d->neighbor[m]];
    }
    d->sub_begin[n] = edges;

    for (int k = lo; k < hi; k++)
        d->map[d->list[k]] = -1;

    if (cairn_amd_order(d->sub_order, n, d->sub_begin, d->sub_neighbor, d->arena, d->stop) !=
        CAIRN_OK)
        return false;

    for (int k = 0; k < n; k++)
        d->queue[k] = d->list[lo + d->sub_order[k]];
    memcpy(d->list + lo, d->queue, (size_t)n * sizeof(int));
    return true;
}

// Looks for a light separator between several pairs of nodes; sides of the best stay. False when
// the part is in pieces: then the first piece is left, the rest right, with nothing between.
static bool separate(dissection* d, int lo, int hi)
{
    int total = 0, least = INT32_MAX, n = hi - lo;

    for (int k = lo; k < hi; k++)
        total += d->weight[d->list[k]];
    for (int trial = 0; trial < trials; trial++) {
        for (int k = lo; k < hi; k++)
            d->side[d->list[k]] = right;

        // from any node to the farthest, and back from there
        forget_levels(d, lo, hi);
        int count = search(d, d->list[lo + trial * (n / trials)]);
        if (count < n) {
            for (int k = 0; k < count; k++)
                d->side[d->queue[k]] = left;
            return false;
        }
        for (int k = lo; k < hi; k++)
            d->other[d->list[k]] = d->level[d->list[k]];
        int far = d->queue[count - 1];
        forget_levels(d, lo, hi);
        search(d, far);

        split_by_distance(d, lo, hi, total);

        int limit = (int)(largest_side * total);
        for (int pass = 0; pass < passes && improve(d, lo, hi, limit); pass++)
            continue;

        // keep the lightest separator between sides of a fair size
        bool balanced = d->weights[left] <= limit && d->weights[right] <= limit;
        if (balanced && d->weights[between] < least) {
            least = d->weights[between];
            for (int k = lo; k < hi; k++)
                d->best[d->list[k]] = d->side[d->list[k]];
        }
    }

    for (int k = lo; k < hi; k++)
        d->side[d->list[k]] = least < INT32_MAX ? d->best[d->list[k]] : right;
    return true;
}

// sorts the part lo .. hi - 1 of the list into left, right, separator; where the last two begin
static void split(dissection* d, int lo, int hi, int* second, int* third)
{
    int at[3] = {0}, place[3];

    separate(d, lo, hi);
    forget_levels(d, lo, hi);

    for (int k = lo; k < hi; k++)
        at[d->side[d->list[k]]]++;

    // counting sort by side
    place[0] = 0;
    place[1] = at[0];
    place[2] = at[0] + at[1];
    *second = lo + place[1];
    *third = lo + place[2];

    for (int k = lo; k < hi; k++)
        d->queue[place[d->side[d->list[k]]]++] = d->list[k];
    memcpy(d->list + lo, d->queue, (size_t)(hi - lo) * sizeof(int));

    for (int k = lo; k < hi; k++)
        d->side[d->list[k]] = elsewhere;
}

static bool dissect(dissection* d, int lo, int hi)
{
    if (cairn_stop_asked(d->stop))
        return false;
    if (hi - lo <= leaf)
        return order_leaf(d, lo, hi);
    int second, third;
    split(d, lo, hi, &second, &third);

    // no separator to speak of: a dense part
    if (second == lo || third == second)
        return order_leaf(d, lo, hi);
    return dissect(d, lo, second) && dissect(d, second, third);
}

static bool prepare(dissection* d, int n, int edges, cairn_arena* arena)
{
    d->arena = arena;

    int** arrays[] = {&d->weight,    &d->list, &d->side,  &d->level, &d->queue, &d->rim,
                      &d->sub_order, &d->map,  &d->other, &d->best,  &d->place, &d->rim_place};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = CAIRN_TAKE(arena, int, n);

    d->trail = CAIRN_TAKE(arena, int, 3 * (ptrdiff_t)n);
    d->was = CAIRN_TAKE(arena, int, 3 * (ptrdiff_t)n);
    d->locked = CAIRN_TAKE(arena, bool, n);
    d->begin = CAIRN_TAKE(arena, int, n + 1);
    d->sub_begin = CAIRN_TAKE(arena, int, n + 1);
    d->neighbor = CAIRN_TAKE(arena, int, edges);
    d->sub_neighbor = CAIRN_TAKE(arena, int, edges);

    return !arena->failed;
}

cairn_status cairn_dissect_order(int* order, int n, const int* begin, const int* neighbor,
                                 cairn_arena* arena, const cairn_stop* stop)
{
    dissection d = {.stop = stop};
    cairn_arena_mark here = cairn_arena_here(arena);
    int* stands = CAIRN_TAKE(arena, int, n);
    int* number = CAIRN_TAKE(arena, int, n);
    int* name = CAIRN_TAKE(arena, int, n);
    if (arena->failed || !prepare(&d, n, begin[n], arena))
        return CAIRN_NO_MEMORY;

    graph g = {n, begin, neighbor};
    find_twins(stands, d.queue, &g);
    compress(&d, &g, stands, number, name, d.queue);

    for (int i = 0; i < d.n; i++) {
        d.list[i] = i;
        d.side[i] = elsewhere;
        d.level[i] = d.map[i] = -1;
    }

    bool done = d.n == 0 || dissect(&d, 0, d.n);

    // every node is followed by its twins: place of a number, then of the nodes it stands for
    int at = 0;
    for (int k = 0; k < d.n; k++) {
        int i = d.list[k];
        d.level[i] = at;
        at += d.weight[i];
    }

    for (int v = 0; v < n; v++)
        order[d.level[number[stands[v]]]++] = v;

    cairn_arena_release(arena, here);
    return done ? CAIRN_OK : cairn_stop_asked(stop) ? CAIRN_INTERRUPTED : CAIRN_NO_MEMORY;
}
