// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The structure of a forest: which constraints are primary, where the roots are, in which order
// bodies are eliminated. Nothing here recurses, so that a chain of a million links is as good as
// any other tree.
//
// Primary: union-find over the bodies, with the world (and every prescribed body) as one element;
// constraints of more rows go first, and one whose bodies are joined already closes a loop.
// Roots: a tree with an anchor to the world hangs from that anchor; any other one from its center,
// which halves the depth. A constraint is never a leaf, so its pivot is never zero.

#include "math/assert.h"
#include "math/sets.h"
#include "solve/tree/tree.h"
#include <string.h>

// constraints that touch each body, compressed, without anchors
typedef struct neighbors {
    int* begin;
    int* constraint;
} neighbors;

typedef struct builder {
    cairn_tree* tree;
    bool* primary;
    int* anchor; // of each body: its primary anchor, or -1
    neighbors near;
    int* queue;   // bodies
    int* from;    // the constraint by which a body was reached, or -1
    int* below;   // bodies of the subtree that hangs from a body, itself included
    bool* placed; // the body's tree is in order already
} builder;

static bool prescribed(const cairn_tree* tree, int body)
{
    return body == CAIRN_WORLD_BODY || tree->dimension[body] == 0;
}

static void choose_primary(builder* b, int* leader)
{
    cairn_tree* tree = b->tree;
    int world = tree->body_count;

    // every body, and the world, is a set of its own
    for (int i = 0; i <= world; i++)
        leader[i] = i;
    int most = 0;
    for (int c = 0; c < tree->constraint_count; c++)
        most = tree->constraints[c].row_count > most ? tree->constraints[c].row_count : most;

    // more rows first, since they remove more freedom
    for (int rows = most; rows >= 1; rows--)
        for (int c = 0; c < tree->constraint_count; c++) {
            const cairn_tree_constraint* q = &tree->constraints[c];
            if (q->row_count != rows)
                continue;
            int x = cairn_set_root(leader, prescribed(tree, q->body_a) ? world : q->body_a);
            int y = cairn_set_root(leader, prescribed(tree, q->body_b) ? world : q->body_b);

            if (x == y)
                continue;
            leader[x < y ? x : y] = x < y ? y : x;
            b->primary[c] = true;
        }
}

static void list_neighbors(builder* b)
{
    cairn_tree* tree = b->tree;
    int* begin = b->near.begin;

    // counting sort: count, then write
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < tree->constraint_count; c++) {
            int x = tree->constraints[c].body_a, y = tree->constraints[c].body_b;
            if (!b->primary[c])
                continue;

            // the world's end of a constraint is an anchor of its tree
            if (prescribed(tree, x) || prescribed(tree, y)) {
                b->anchor[prescribed(tree, x) ? y : x] = c;
                continue;
            }

            if (pass == 0) {
                begin[x + 2]++;
                begin[y + 2]++;
            } else {
                b->near.constraint[begin[x + 1]++] = c;
                b->near.constraint[begin[y + 1]++] = c;
            }
        }

        for (int i = 0; pass == 0 && i < tree->body_count; i++)
            begin[i + 2] += begin[i + 1];
    }
}

static int other_body(const cairn_tree* tree, int constraint, int body)
{
    const cairn_tree_constraint* q = &tree->constraints[constraint];
    return q->body_a == body ? q->body_b : q->body_a;
}

// breadth first from `start`; returns how many bodies were reached, the last of them the farthest
static int reach(builder* b, int start)
{
    int count = 1;
    b->queue[0] = start;
    b->from[start] = -1;
    for (int head = 0; head < count; head++) {
        int body = b->queue[head];
        for (int k = b->near.begin[body]; k < b->near.begin[body + 1]; k++) {
            int c = b->near.constraint[k];
            if (c == b->from[body])
                continue;
            int next = other_body(b->tree, c, body);
            b->from[next] = c;
            b->queue[count++] = next;
        }
    }
    return count;
}

// the middle of a longest path: farthest from anywhere, then farthest from there, then half way
// back
static int center(builder* b, int start)
{
    int count = reach(b, start);
    count = reach(b, b->queue[count - 1]);
    int end = b->queue[count - 1], length = 0;
    for (int i = end; b->from[i] >= 0; i = other_body(b->tree, b->from[i], i))
        length++;
    for (int step = 0; step < length / 2; step++)
        end = other_body(b->tree, b->from[end], end);
    return end;
}

static int root_of(builder* b, int start, int wish)
{
    int count = reach(b, start), root = -1;
    for (int i = 0; i < count; i++) {
        if (b->anchor[b->queue[i]] >= 0)
            return b->queue[i];
        if (b->queue[i] == wish)
            root = wish;
    }
    return root >= 0 ? root : center(b, start);
}

static void weigh(builder* b, int root)
{
    int count = reach(b, root);
    for (int i = 0; i < count; i++)
        b->below[b->queue[i]] = 1;
    for (int i = count - 1; i > 0; i--)
        b->below[other_body(b->tree, b->from[b->queue[i]], b->queue[i])] += b->below[b->queue[i]];
}

static void place_link(builder* b, int body, int at)
{
    cairn_tree* tree = b->tree;
    cairn_tree_link* link = &tree->links[at];
    tree->link_of_body[body] = at;
    b->placed[body] = true;
    *link = (cairn_tree_link){
        .body = body, .constraint = b->from[body], .parent = -1, .first_child = -1};
    if (link->constraint < 0)
        return;

    const cairn_tree_constraint* q = &tree->constraints[link->constraint];
    int up = other_body(tree, link->constraint, body);
    link->rows = (uint16_t)q->row_count;
    link->outer_is_b = q->body_b == body;
    link->parent = prescribed(tree, up) ? -1 : tree->link_of_body[up];
    tree->link_of_constraint[link->constraint] = at;
}

// Depth first from the root, parents first; written from `place` downwards, so that reading upwards
// gives children first. The heaviest child is eliminated before its siblings: what it adds to its
// parent then waits in the cache for theirs. Returns the number of bodies.
static int order_tree(builder* b, int root, int place)
{
    int* stack = b->queue;
    int top = 0, count = 0;

    weigh(b, root);
    stack[top++] = root;
    b->from[root] = b->anchor[root];
    while (top > 0) {
        int body = stack[--top], first = top;
        place_link(b, body, place - count++);

        for (int k = b->near.begin[body]; k < b->near.begin[body + 1]; k++) {
            int c = b->near.constraint[k];
            if (c == b->from[body])
                continue;

            int next = other_body(b->tree, c, body);
            b->from[next] = c;
            stack[top++] = next;

            // the heaviest child lies deepest on the stack: it is placed last and eliminated first
            if (b->below[next] > b->below[stack[first]]) {
                stack[top - 1] = stack[first];
                stack[first] = next;
            }
        }
    }
    return count;
}

// children's lists, depth, and the places of each link's numbers
typedef struct extent {
    size_t input, factor, coupling, x;
} extent;

static extent lay_out(cairn_tree* tree)
{
    int n = tree->n;

    // lists of children, backwards so that they ascend
    for (int k = tree->link_count - 1; k >= 0; k--) {
        cairn_tree_link* link = &tree->links[k];
        link->next_sibling = -1;
        if (link->parent >= 0) {
            link->next_sibling = tree->links[link->parent].first_child;
            tree->links[link->parent].first_child = k;
        }
    }

    // places in the arrays, in order of elimination
    extent at = {0};
    for (int k = 0; k < tree->link_count; k++) {
        cairn_tree_link* link = &tree->links[k];
        int m = link->rows;

        link->opens = link->parent >= 0 && tree->links[link->parent].first_child == k;
        link->input = at.input;
        link->factor = at.factor;
        link->coupling = at.coupling;
        link->x = at.x;

        at.input += cairn_packed(n) + 2 * cairn_tree_block(n, m) + (size_t)m;
        at.factor += cairn_packed(n) + cairn_packed(m);
        at.coupling += 2 * cairn_tree_block(n, m);
        at.x += (size_t)(n + m);
    }
    return at;
}

// the links once more, for the sweeps of a solve
static void list_steps(cairn_tree* tree)
{
    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        cairn_tree_step* step = &tree->steps[k];
        *step = (cairn_tree_step){
            .body_at = (uint32_t)tree->body_offset[link->body],
            .row_at = link->constraint >= 0 ? (uint32_t)tree->row_offset[link->constraint] : 0,
            .rows = (uint8_t)link->rows,
            .dimension = (uint8_t)tree->dimension[link->body],
            .has_parent = link->parent >= 0,
            .opens = link->opens,
            .leaf = link->first_child < 0};

        if (link->parent < 0)
            continue;
        const cairn_tree_link* parent = &tree->links[link->parent];
        step->parent_body_at = (uint32_t)tree->body_offset[parent->body];
        step->parent_x = (uint32_t)parent->x;
        step->parent_dimension = (uint8_t)tree->dimension[parent->body];
    }
}

static void measure_depth(cairn_tree* tree, int* below)
{
    tree->depth = 0;
    for (int k = tree->link_count - 1; k >= 0; k--) {
        int parent = tree->links[k].parent;
        below[k] = parent >= 0 ? below[parent] + 1 : 1;
        if (below[k] > tree->depth)
            tree->depth = below[k];
    }
}

static void copy_topology(cairn_tree* tree, const cairn_tree_topology* topology)
{
    int largest = 0;
    tree->body_offset[0] = tree->row_offset[0] = 0;
    for (int i = 0; i < tree->body_count; i++) {
        int d = topology->dimension ? topology->dimension[i] : cairn_tree_small;
        tree->dimension[i] = d;
        tree->body_offset[i + 1] = tree->body_offset[i] + d;
        tree->link_of_body[i] = -1;
        if (d > largest)
            largest = d;
    }

    for (int c = 0; c < tree->constraint_count; c++) {
        tree->constraints[c] = topology->constraints[c];
        tree->row_offset[c + 1] = tree->row_offset[c] + topology->constraints[c].row_count;
        tree->link_of_constraint[c] = -1;
    }
    tree->n = largest <= 3 ? 3 : largest <= cairn_tree_small ? cairn_tree_small : largest;
}

// what solves of several columns and responses need, with `size` numbers in each column of x
static void take_wide(cairn_tree* tree, size_t size, cairn_arena* arena)
{
    ptrdiff_t places =
        tree->body_offset[tree->body_count] + tree->row_offset[tree->constraint_count];
    tree->lanes = CAIRN_TAKE(arena, double, 2 * cairn_tree_lanes * places);
    tree->forces = CAIRN_TAKE_ZEROED(arena, double, size);
    tree->first_head = CAIRN_TAKE_ZEROED(arena, cairn_tree_head*, tree->link_count);
    tree->pending = CAIRN_TAKE_ZEROED(arena, uint64_t, ((size_t)tree->link_count + 63) / 64);
}

// all masses the identity, all rows zero
static bool take_numbers(cairn_tree* tree, cairn_arena* arena)
{
    extent size = lay_out(tree);
    if (size.x > UINT32_MAX) // places of steps have 32 bits
        return false;

    tree->steps = CAIRN_TAKE(arena, cairn_tree_step, tree->link_count);
    tree->inputs = CAIRN_TAKE_ZEROED(arena, double, size.input);
    tree->factors = CAIRN_TAKE_ZEROED(arena, double, size.factor);
    tree->couplings = CAIRN_TAKE_ZEROED(arena, double, size.coupling);
    tree->x = CAIRN_TAKE(arena, double, (tree->lean ? 2 : cairn_tree_lanes) * size.x);
    if (!tree->lean)
        take_wide(tree, size.x, arena);
    tree->changed = CAIRN_TAKE_ZEROED(arena, bool, tree->link_count);
    if (arena->failed)
        return false;

    // unit masses
    list_steps(tree);
    for (int k = 0; k < tree->link_count; k++)
        for (int i = 0; i < tree->n; i++)
            tree->inputs[tree->links[k].input + cairn_packed(i + 1) - 1] = 1.0;

    tree->fresh = true;
    tree->first_changed = tree->link_count;
    tree->redundant = tree->massless = 0;
    tree->level = cairn_simd_detect();
    tree->all_primary = true;

    for (int c = 0; c < tree->constraint_count; c++)
        tree->all_primary = tree->all_primary && tree->link_of_constraint[c] >= 0;
    return true;
}

static bool take_builder(builder* b, cairn_tree* tree, cairn_arena* arena)
{
    int bodies = tree->body_count, constraints = tree->constraint_count;
    *b = (builder){.tree = tree};
    b->primary = CAIRN_TAKE_ZEROED(arena, bool, constraints);
    b->placed = CAIRN_TAKE_ZEROED(arena, bool, bodies);
    b->anchor = CAIRN_TAKE(arena, int, bodies);
    b->near.begin = CAIRN_TAKE_ZEROED(arena, int, bodies + 2);
    b->near.constraint = CAIRN_TAKE(arena, int, 2 * (ptrdiff_t)constraints);
    b->queue = CAIRN_TAKE(arena, int, bodies + 1);
    b->from = CAIRN_TAKE(arena, int, bodies + 1);
    b->below = CAIRN_TAKE(arena, int, bodies);
    if (arena->failed)
        return false;
    for (int i = 0; i < bodies; i++)
        b->anchor[i] = -1;
    return true;
}

cairn_status cairn_tree_build(cairn_tree* tree, const cairn_tree_topology* topology, bool lean,
                              cairn_arena* arena)
{
    builder b;
    tree->lean = lean;
    int bodies = topology->body_count, constraints = topology->constraint_count;
    tree->body_count = bodies;
    tree->constraint_count = constraints;
    tree->links = CAIRN_TAKE(arena, cairn_tree_link, bodies);
    tree->link_of_body = CAIRN_TAKE(arena, int, bodies);
    tree->link_of_constraint = CAIRN_TAKE(arena, int, constraints);
    tree->dimension = CAIRN_TAKE(arena, int, bodies);
    tree->constraints = CAIRN_TAKE(arena, cairn_tree_constraint, constraints);
    tree->body_offset = CAIRN_TAKE(arena, ptrdiff_t, bodies + 1);
    tree->row_offset = CAIRN_TAKE(arena, ptrdiff_t, constraints + 1);
    if (arena->failed || !take_builder(&b, tree, arena))
        return CAIRN_NO_MEMORY;

    copy_topology(tree, topology);
    choose_primary(&b, b.queue);
    list_neighbors(&b);

    // links are written from the end of the array towards its start
    int moving = 0;
    for (int i = 0; i < bodies; i++)
        moving += tree->dimension[i] > 0;
    int place = moving - 1;
    for (int i = 0; i < bodies; i++)
        if (tree->dimension[i] > 0 && !b.placed[i])
            place -= order_tree(&b, root_of(&b, i, topology->root), place);

    CAIRN_ASSERT(place == -1);
    tree->link_count = moving;
    measure_depth(tree, b.queue);
    return take_numbers(tree, arena) ? CAIRN_OK : CAIRN_NO_MEMORY;
}
