// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Approximate minimum degree (Amestoy, Davis and Duff 1996). Eliminating node p makes its neighbors
// a clique. The cliques are kept as elements e with member lists L_e instead of edges (the quotient
// graph): node i then has plain neighbors A_i and elements E_i, and
//
//     L_p = A_p ∪ (∪_{e in E_p} L_e) \ {p},       the elements of E_p are absorbed by p,
//
//     degree(i) <= |A_i \ L_p| + |L_p \ {i}| + Σ_{e in E_i, e != p} |L_e \ L_p|.
//
// The bound on the right stands for the degree. |L_e \ L_p| of all e comes from one pass over the
// elements of the nodes in L_p. Nodes with the same neighbors are merged (they would be eliminated
// one after the other anyway); a node that only sees p goes with p. Before anything else, nodes
// that are the same from the start (the contacts of one face) are merged by the same test.
//
// Rows that are dense from the start are not set aside: the graphs here have none that matter.

#include "linalg/amd.h"
#include "math/assert.h"
#include <string.h>

typedef struct quotient {
    int n;
    int* start;         // into pool: first the elements of a node, then its plain neighbors
    int* element_count; // of a node; -1: eliminated or merged node
    int* length;        // of the whole list; for an element: its members
    int* weight;        // nodes that a node stands for; negative while it is in L_p; 0: gone
    int* degree;        // bound, in nodes; for an element: weight of its members
    bool* is_element;   // alive as an element
    int* pool;
    int* spare; // the other half of the pool
    int used, capacity;
    int* head; // of the nodes of a degree
    int* next;
    int* previous;
    int least;    // no node has a smaller degree
    int* outside; // |L_e \ L_p| + stamp
    int stamp;
    int* mark; // of the comparison of lists
    int mark_stamp;
    int* bucket; // of hash values
    int* bucket_next;
    unsigned* hash;
    int* merged_head; // nodes that were merged into a node: a list
    int* merged_tail;
    int* merged_next;
    int left; // nodes not yet eliminated, by weight
} quotient;

static bool take_memory(quotient* g, int n, int entries, cairn_arena* arena)
{
    *g = (quotient){.n = n, .left = n, .capacity = entries + 2 * n + 1};

    int** arrays[] = {&g->start,       &g->element_count, &g->length,      &g->weight,
                      &g->degree,      &g->next,          &g->previous,    &g->outside,
                      &g->mark,        &g->bucket,        &g->bucket_next, &g->merged_head,
                      &g->merged_tail, &g->merged_next};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = CAIRN_TAKE_ZEROED(arena, int, n);

    g->head = CAIRN_TAKE(arena, int, n + 1);
    g->hash = CAIRN_TAKE(arena, unsigned, n);
    g->is_element = CAIRN_TAKE_ZEROED(arena, bool, n);
    g->pool = CAIRN_TAKE(arena, int, g->capacity);
    g->spare = CAIRN_TAKE(arena, int, g->capacity);

    return !arena->failed;
}

// ---------------------------------------------------------------- lists of degrees

static void insert(quotient* g, int i)
{
    int d = g->degree[i];
    g->previous[i] = -1;
    g->next[i] = g->head[d];
    if (g->head[d] >= 0)
        g->previous[g->head[d]] = i;
    g->head[d] = i;
    if (d < g->least)
        g->least = d;
}

static void take_out(quotient* g, int i)
{
    if (g->previous[i] >= 0)
        g->next[g->previous[i]] = g->next[i];
    else
        g->head[g->degree[i]] = g->next[i];
    if (g->next[i] >= 0)
        g->previous[g->next[i]] = g->previous[i];
}

// ---------------------------------------------------------------- merging

// j goes into i: both have the same neighbors
static void merge(quotient* g, int i, int j)
{
    g->merged_next[g->merged_tail[i]] = j;
    g->merged_tail[i] = g->merged_tail[j];
    g->weight[i] += g->weight[j];
    g->weight[j] = 0;
    g->element_count[j] = -1;
}

// whether the list of j has the members that carry the present mark
static bool same_list(const quotient* g, int j)
{
    const int* list = g->pool + g->start[j];
    for (int k = 0; k < g->length[j]; k++)
        if (g->mark[list[k]] != g->mark_stamp)
            return false;
    return true;
}

static void mark_list(quotient* g, int i)
{
    const int* list = g->pool + g->start[i];
    g->mark_stamp++;
    for (int k = 0; k < g->length[i]; k++)
        g->mark[list[k]] = g->mark_stamp;
}

// merges equal nodes among those in the bucket that starts at `first`
static void merge_bucket(quotient* g, int first, bool with_self)
{
    for (int i = first; i >= 0; i = g->bucket_next[i]) {
        if (g->weight[i] == 0 || g->bucket_next[i] < 0)
            continue;

        mark_list(g, i);
        if (with_self)
            g->mark[i] = g->mark_stamp;

        // the hash rules out most pairs before the lists are compared
        int last = i;
        for (int j = g->bucket_next[i]; j >= 0; j = g->bucket_next[j]) {
            bool same = g->weight[j] != 0 && g->hash[j] == g->hash[i] &&
                        g->length[j] == g->length[i] &&
                        g->element_count[j] == g->element_count[i] &&
                        (!with_self || g->mark[j] == g->mark_stamp) && same_list(g, j);
            if (same) {
                merge(g, i, j);
                g->bucket_next[last] = g->bucket_next[j];
            } else {
                last = j;
            }
        }
    }
}

static void put_in_bucket(quotient* g, int i, unsigned hash)
{
    int place = (int)(hash % (unsigned)g->n);
    g->hash[i] = hash;
    g->bucket_next[i] = g->bucket[place];
    g->bucket[place] = i;
}

static void empty_bucket(quotient* g, int i, bool with_self)
{
    int place = (int)(g->hash[i] % (unsigned)g->n), first = g->bucket[place];
    if (first < 0)
        return;
    g->bucket[place] = -1;
    merge_bucket(g, first, with_self);
}

// ---------------------------------------------------------------- start

// drops entries of nodes that are gone and adds up the weights of the others
static void clean_list(quotient* g, int i)
{
    int* list = g->pool + g->start[i];
    int length = 0, degree = 0;
    for (int k = 0; k < g->length[i]; k++)
        if (g->weight[list[k]] > 0) {
            degree += g->weight[list[k]];
            list[length++] = list[k];
        }
    g->length[i] = length;
    g->degree[i] = degree;
}

static void load_graph(quotient* g, const int* begin, const int* neighbor)
{
    int n = g->n;

    memset(g->head, -1, ((size_t)n + 1) * sizeof(int));
    memset(g->bucket, -1, (size_t)n * sizeof(int));
    g->least = n;
    g->stamp = 1;

    for (int i = 0; i < n; i++) {
        unsigned hash = (unsigned)i;
        g->start[i] = g->used;
        g->weight[i] = 1;
        g->merged_tail[i] = i;
        g->merged_next[i] = -1;

        for (int k = begin[i]; k < begin[i + 1]; k++)
            if (neighbor[k] != i) {
                g->pool[g->used++] = neighbor[k];
                hash += (unsigned)neighbor[k];
            }

        g->length[i] = g->used - g->start[i];
        put_in_bucket(g, i, hash);
    }

    // nodes that are the same from the start: A_i ∪ {i} = A_j ∪ {j}
    for (int i = 0; i < n; i++)
        empty_bucket(g, i, true);

    for (int i = 0; i < n; i++)
        if (g->weight[i] > 0) {
            clean_list(g, i);
            insert(g, i);
        }
}

// ---------------------------------------------------------------- elimination

// moves all lists that are alive to the other half of the pool, one after the other
static void compact(quotient* g)
{
    int used = 0;
    for (int i = 0; i < g->n; i++) {
        if (!g->is_element[i] && (g->weight[i] == 0 || g->element_count[i] < 0))
            continue;
        memcpy(g->spare + used, g->pool + g->start[i], (size_t)g->length[i] * sizeof(int));
        g->start[i] = used;
        used += g->length[i];
    }

    int* other = g->pool;
    g->pool = g->spare;
    g->spare = other;
    g->used = used;
}

// adds the members of a list to L_p, which grows at the end of the pool
static void gather(quotient* g, const int* list, int length, int* member_weight)
{
    for (int k = 0; k < length; k++) {
        int i = list[k], weight = g->weight[i];
        if (weight <= 0)
            continue;
        g->weight[i] = -weight;
        *member_weight += weight;
        g->pool[g->used++] = i;
        take_out(g, i);
    }
}

// forms L_p; p turns from a node into an element
static void make_element(quotient* g, int p)
{
    if (g->capacity - g->used < g->n)
        compact(g);

    int weight = 0, begin = g->used;
    const int* list = g->pool + g->start[p];
    int elements = g->element_count[p], length = g->length[p];
    g->weight[p] = -g->weight[p];

    // the union of the members of its elements and of its plain neighbors
    for (int k = 0; k < elements; k++) {
        int e = list[k];
        gather(g, g->pool + g->start[e], g->length[e], &weight);
        g->is_element[e] = false;
    }
    gather(g, list + elements, length - elements, &weight);

    // p's elements are absorbed: p is the element now
    g->start[p] = begin;
    g->length[p] = g->used - begin;
    g->degree[p] = weight;
    g->is_element[p] = true;
    g->element_count[p] = -1;
}

// |L_e \ L_p| of every element that a node of L_p sees, as an offset from the stamp
static void measure_outside(quotient* g, int p)
{
    const int* members = g->pool + g->start[p];
    for (int k = 0; k < g->length[p]; k++) {
        int i = members[k], weight = -g->weight[i];
        const int* list = g->pool + g->start[i];
        for (int m = 0; m < g->element_count[i]; m++) {
            int e = list[m];
            if (!g->is_element[e])
                continue;

            // the first node that sees e sets |L_e|; every node of L_p takes its weight away
            if (g->outside[e] < g->stamp)
                g->outside[e] = g->degree[e] + g->stamp;
            g->outside[e] -= weight;
        }
    }
}

// rewrites the list of node i in L_p: elements that are left, then p, then neighbors outside L_p
static void update_node(quotient* g, int p, int i)
{
    int* list = g->pool + g->start[i];
    int elements = g->element_count[i], length = g->length[i], kept = 0, degree = 0;
    unsigned hash = (unsigned)p;

    // elements that still have members outside L_p count for the degree
    for (int m = 0; m < elements; m++) {
        int e = list[m];
        if (!g->is_element[e])
            continue;

        int outside = g->outside[e] - g->stamp;
        if (outside > 0) {
            degree += outside;
            hash += (unsigned)e;
            list[kept++] = e;
        } else {
            g->is_element[e] = false; // all of e is in L_p: absorbed
        }
    }

    // p takes the place of an element or of itself as a neighbor: at least one entry was dropped,
    // but it may stand behind neighbors that stay
    int element_end = kept, write = kept + 1, first = -1;
    for (int m = elements; m < length; m++) {
        int j = list[m];
        if (g->weight[j] <= 0)
            continue;
        degree += g->weight[j];
        hash += (unsigned)j;
        if (write > m) {
            first = j; // no room yet: carried until a later entry is dropped
            continue;
        }
        list[write++] = j;
    }

    if (first >= 0)
        list[write++] = first;

    list[element_end] = p;
    g->element_count[i] = element_end + 1;
    g->length[i] = write;

    // the lesser of two bounds; finish_element adds the weight of L_p
    if (degree < g->degree[i])
        g->degree[i] = degree;
    if (degree == 0)
        g->degree[i] = 0;

    g->hash[i] = hash;
}

// updates all nodes of L_p; those that see nothing but p are eliminated with it
static void update_members(quotient* g, int p)
{
    const int* members = g->pool + g->start[p];
    for (int k = 0; k < g->length[p]; k++) {
        int i = members[k];
        update_node(g, p, i);
        if (g->element_count[i] == 1 && g->length[i] == 1) {
            g->degree[p] += g->weight[i];
            merge(g, p, i);
        } else {
            put_in_bucket(g, i, g->hash[i]);
        }
    }

    // nodes of L_p with the same hash may be indistinguishable
    for (int k = 0; k < g->length[p]; k++)
        if (g->weight[members[k]] != 0)
            empty_bucket(g, members[k], false);
}

// puts the nodes of L_p back into the lists of degrees
static void finish_element(quotient* g, int p)
{
    int* members = g->pool + g->start[p];
    int length = 0, inside = g->degree[p];

    g->left += g->weight[p];
    for (int k = 0; k < g->length[p]; k++) {
        int i = members[k];
        if (g->weight[i] == 0)
            continue;

        // the degree is bounded by all that is left, too
        int weight = g->weight[i] = -g->weight[i];
        int degree = g->degree[i] + inside - weight;
        g->degree[i] = degree < g->left - weight ? degree : g->left - weight;
        if (g->degree[i] < 0)
            g->degree[i] = 0;

        insert(g, i);
        members[length++] = i;
    }

    // members that were merged leave the list
    g->length[p] = length;
    g->used = g->start[p] + length;
    g->weight[p] = 0;
    if (length == 0)
        g->is_element[p] = false;

    g->stamp += g->n + 1;
}

static int write_order(const quotient* g, int* order, int count, int p)
{
    for (int i = p; i >= 0; i = g->merged_next[i])
        order[count++] = i;
    return count;
}

// the stamp would overflow: start again from 1
static void renew_stamp(quotient* g)
{
    if (g->stamp < INT32_MAX - 4 * g->n - 4)
        return;
    memset(g->outside, 0, (size_t)g->n * sizeof(int));
    g->stamp = 1;
}

cairn_status cairn_amd_order(int* order, int n, const int* begin, const int* neighbor,
                             cairn_arena* arena, const cairn_stop* stop)
{
    cairn_arena_mark here = cairn_arena_here(arena);
    quotient g;

    if (n == 0)
        return CAIRN_OK;

    if (!take_memory(&g, n, begin[n], arena))
        return CAIRN_NO_MEMORY;
    load_graph(&g, begin, neighbor);
    int count = 0;
    while (count < n) {
        if (cairn_stop_asked(stop)) {
            cairn_arena_release(arena, here);
            return CAIRN_INTERRUPTED;
        }

        // some node is left, so that some list is not empty
        while (g.head[g.least] < 0)
            g.least++;

        // eliminate the node of least degree
        int p = g.head[g.least];
        take_out(&g, p);
        make_element(&g, p);
        measure_outside(&g, p);
        update_members(&g, p);
        finish_element(&g, p);

        count = write_order(&g, order, count, p);
        renew_stamp(&g);
    }

    CAIRN_ASSERT(count == n);
    cairn_arena_release(arena, here);
    return CAIRN_OK;
}
