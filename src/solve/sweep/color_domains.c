// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Domains grow breadth first over the graph of bodies and blocks until they are full; the next one
// starts at a body that the last ones have reached and not taken. In a wall or a heap this gives
// lumps, whose surface is small. Then every domain is colored by itself.

#include "solve/sweep/color_domains.h"
#include "problem/mass.h"

// blocks that touch each body, compressed
typedef struct graph {
    const cairn_problem* problem;
    int* begin;  // body_count + 2
    int* near;   // the other bodies
    int* domain; // of each body, or -1
    int* queue;  // bodies reached, each once
    bool* reached;
} graph;

static bool moves(const cairn_problem* problem, int body)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
}

static void connect(graph* g, const int* blocks, int count)
{
    const cairn_problem* problem = g->problem;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int a = problem->blocks[blocks[i]].body_a, b = problem->blocks[blocks[i]].body_b;
            if (!moves(problem, a) || !moves(problem, b))
                continue;
            if (pass == 0) {
                g->begin[a + 2]++;
                g->begin[b + 2]++;
            } else {
                g->near[g->begin[a + 1]++] = b;
                g->near[g->begin[b + 1]++] = a;
            }
        }
        for (int i = 0; pass == 0 && i < problem->body_count; i++)
            g->begin[i + 2] += g->begin[i + 1];
    }
}

static bool take_graph(graph* g, const cairn_problem* problem, int count, cairn_arena* arena)
{
    int bodies = problem->body_count;
    *g = (graph){.problem = problem};
    g->begin = CAIRN_TAKE_ZEROED(arena, int, bodies + 2);
    g->near = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)count);
    g->domain = CAIRN_TAKE(arena, int, bodies);
    g->queue = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)bodies);
    g->reached = CAIRN_TAKE_ZEROED(arena, bool, bodies);
    return !arena->failed;
}

// One domain from `seed`: breadth first, at most `room` bodies. What it reaches and does not take
// is appended to the seeds. Returns how many bodies it took.
static int grow(graph* g, int seed, int domain, int room, int* seeds, int* seed_count)
{
    int* queue = g->queue + g->problem->body_count;
    int taken = 0, count = 0;

    queue[count++] = seed;
    g->domain[seed] = domain;
    for (int head = 0; head < count; head++) {
        int body = queue[head];
        taken++;

        // neighbors join while there is room; the others may seed the next domains
        for (int k = g->begin[body]; k < g->begin[body + 1]; k++) {
            int next = g->near[k];
            if (g->domain[next] >= 0)
                continue;
            if (count < room) {
                g->domain[next] = domain;
                queue[count++] = next;
            } else if (!g->reached[next]) {
                g->reached[next] = true;
                seeds[(*seed_count)++] = next;
            }
        }
    }

    return taken;
}

// gives every moving body its domain; returns the number of domains
static int divide(graph* g)
{
    int bodies = g->problem->body_count, domain = 0, size = 0, seed_count = 0, head = 0;
    for (int i = 0; i < bodies; i++)
        g->domain[i] = -1;
    for (int i = 0; i < bodies;) {
        int seed = head < seed_count ? g->queue[head++] : i++;
        if (g->domain[seed] >= 0 || !moves(g->problem, seed))
            continue;
        if (size == cairn_domain_bodies) {
            domain++;
            size = 0;
        }
        size += grow(g, seed, domain, cairn_domain_bodies - size, g->queue, &seed_count);
    }
    return domain + 1;
}

// the domain of a block, or -1: between two of them
static int domain_of(const graph* g, const cairn_block* block)
{
    int a = moves(g->problem, block->body_a) ? g->domain[block->body_a] : -1;
    int b = moves(g->problem, block->body_b) ? g->domain[block->body_b] : -1;
    return a < 0 || b < 0 || a == b ? (a > b ? a : b) : -1;
}

// sorts by (domain, color), keeping the order within; `key` is -1 for the rest
static bool sort(cairn_domains* domains, const int* blocks, const int* key, int count,
                 cairn_arena* arena)
{
    int keys = domains->count * cairn_most_colors;
    int* place = CAIRN_TAKE_ZEROED(arena, int, keys + 1);
    if (!place)
        return false;

    for (int i = 0; i < count; i++)
        if (key[i] >= 0)
            place[key[i] + 1]++;

    // a run for every key that is used
    for (int k = 0; k < keys; k++) {
        if (k % cairn_most_colors == 0)
            domains->first_run[k / cairn_most_colors] = domains->run_count;
        int size = place[k + 1];
        place[k + 1] += place[k];
        if (size > 0)
            domains->begin[domains->run_count++] = place[k];
    }
    domains->first_run[domains->count] = domains->run_count;
    domains->begin[domains->run_count] = place[keys];

    // blocks go to their places, the rest to the end
    for (int i = 0; i < count; i++)
        if (key[i] >= 0)
            domains->block[place[key[i]]++] = blocks[i];
        else
            domains->rest[domains->rest_count++] = blocks[i];

    return true;
}

bool cairn_color_domains(cairn_domains* domains, const cairn_problem* problem, const int* blocks,
                         int count, cairn_arena* arena)
{
    bool small = problem->body_count < cairn_fewest_domains * cairn_domain_bodies;
    graph g = {0};
    *domains = (cairn_domains){.block = CAIRN_TAKE(arena, int, count),
                               .rest = CAIRN_TAKE(arena, int, count)};
    int* key = CAIRN_TAKE(arena, int, count);
    uint32_t* used = CAIRN_TAKE_ZEROED(arena, uint32_t, problem->body_count);
    if (arena->failed || (!small && !take_graph(&g, problem, count, arena)))
        return false;

    // bodies that blocks join are near each other
    if (!small) {
        connect(&g, blocks, count);
        domains->count = divide(&g);
    }

    // one run for each color of each domain, at most
    domains->first_run = CAIRN_TAKE_ZEROED(arena, int, domains->count + 1);
    domains->begin =
        CAIRN_TAKE_ZEROED(arena, int, (ptrdiff_t)domains->count* cairn_most_colors + 1);
    if (arena->failed)
        return false;

    // blocks inside of a domain, by color; the others are left over
    for (int i = 0; i < count; i++) {
        const cairn_block* block = &problem->blocks[blocks[i]];
        int domain = small ? -1 : domain_of(&g, block), color = cairn_most_colors;
        if (domain >= 0)
            color = cairn_color_take(used, problem, block);
        key[i] = color < cairn_most_colors ? cairn_most_colors * domain + color : -1;
    }
    return sort(domains, blocks, key, count, arena);
}
