// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A dynamic tree of boxes. A leaf goes down from the root to the side where it adds the least
// surface: the chance that a random ray or box meets a node is its surface area, so the sum of the
// areas is the cost of a query. On the way back up each node may exchange a child with a grandchild
// under the other one, where that takes area away (Kopta et al. 2012): so the tree stays good while
// its leaves move, and a leaf that moves a little stays where it is in the tree.
//
// Height matters only as a bound: a node whose children differ by more than k = 8 is rotated. The
// least leaves of height h then follow N(h) = N(h-1) + N(h-1-k), N grows by 1.213 with each h, and
// a tree of 2^31 leaves is at most 108 high. Strict balance (k = 1) would take apart what belongs
// together: after some moves queries see three times as many nodes. Static sets are built at once,
// by halving along the longest side of the centers.

#include "collide/broad/aabb_tree.h"
#include "math/array.h"

enum { most_lean = 8 };

static double area(const cairn_aabb* b)
{
    cairn_vec3 d = cairn_sub(b->hi, b->lo);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static double joined_area(const cairn_aabb* a, const cairn_aabb* b)
{
    cairn_aabb joined = cairn_aabb_join(*a, *b);
    return area(&joined);
}

cairn_box_tree cairn_box_tree_empty(void)
{
    return (cairn_box_tree){.root = -1, .free = -1};
}

void cairn_box_tree_destroy(cairn_box_tree* tree)
{
    free(tree->nodes);
    *tree = cairn_box_tree_empty();
}

bool cairn_box_tree_copy(cairn_box_tree* copy, const cairn_box_tree* tree)
{
    *copy = *tree;
    copy->nodes =
        CAIRN_COPY_ARRAY(tree->nodes, cairn_box_tree_node, tree->capacity, tree->capacity);
    if (!copy->nodes)
        *copy = cairn_box_tree_empty();
    return copy->nodes != NULL;
}

// ---------------------------------------------------------------- nodes

static bool reserve(cairn_box_tree* tree, int capacity)
{
    if (capacity <= tree->capacity)
        return true;

    cairn_box_tree_node* nodes =
        CAIRN_GROW_ARRAY(tree->nodes, cairn_box_tree_node, tree->capacity, capacity);
    if (!nodes)
        return false;

    for (int i = capacity - 1; i >= tree->capacity; i--) {
        nodes[i].parent = tree->free;
        tree->free = i;
    }

    tree->nodes = nodes;
    tree->capacity = capacity;
    return true;
}

static int take_node(cairn_box_tree* tree)
{
    int i = tree->free;
    tree->free = tree->nodes[i].parent;
    return i;
}

static void give_node(cairn_box_tree* tree, int i)
{
    tree->nodes[i].parent = tree->free;
    tree->free = i;
}

void cairn_box_tree_fit(cairn_box_tree* tree)
{
    int end = tree->capacity, *link = &tree->free;

    // a negative height marks the unused nodes
    for (int i = tree->free; i >= 0; i = tree->nodes[i].parent)
        tree->nodes[i].height = -1;
    while (end > 0 && tree->nodes[end - 1].height < 0)
        end--;
    if (end == tree->capacity)
        return;

    // the list of unused nodes goes on without those behind the end
    for (int i = tree->free; i >= 0; i = tree->nodes[i].parent)
        if (i < end) {
            *link = i;
            link = &tree->nodes[i].parent;
        }
    *link = -1;

    if (end == 0) {
        cairn_box_tree_destroy(tree);
        return;
    }
    CAIRN_SHRINK_ARRAY(tree->nodes, tree->capacity, end);
}

static bool is_leaf(const cairn_box_tree_node* node)
{
    return node->child[0] < 0;
}

static void refresh(cairn_box_tree_node* nodes, int i)
{
    const cairn_box_tree_node *a = &nodes[nodes[i].child[0]], *b = &nodes[nodes[i].child[1]];
    nodes[i].box = cairn_aabb_join(a->box, b->box);
    nodes[i].height = (short)(1 + (a->height > b->height ? a->height : b->height));
    nodes[i].fresh = a->fresh || b->fresh;
}

static void replace_child(cairn_box_tree* tree, int parent, int old, int fresh)
{
    if (parent < 0)
        tree->root = fresh;
    else
        tree->nodes[parent].child[tree->nodes[parent].child[1] == old] = fresh;
    tree->nodes[fresh].parent = parent;
}

// ---------------------------------------------------------------- balance

// lifts child `side` of node i into its place; the lower of the lifted one's children goes to i
static void rotate(cairn_box_tree* tree, int i, int side)
{
    cairn_box_tree_node* n = tree->nodes;
    int up = n[i].child[side];
    int tall = n[n[up].child[0]].height > n[n[up].child[1]].height ? 0 : 1;
    int given = n[up].child[1 - tall];
    replace_child(tree, n[i].parent, i, up);
    n[up].child[1 - tall] = i;
    n[i].parent = up;
    n[i].child[side] = given;
    n[given].parent = i;
    refresh(n, i);
    refresh(n, up);
}

// a child of node i (on `side`) for a child of the other one (`nephew`); gain: the area that it
// saves
typedef struct exchange {
    int side, nephew;
    double gain;
} exchange;

static int higher(int a, int b)
{
    return a > b ? a : b;
}

static bool may_be_siblings(int height, int other)
{
    return height - other <= most_lean && other - height <= most_lean;
}

// what exchanging would save; 0 where it would not, or make the tree lean
static double exchange_gain(const cairn_box_tree_node* n, int i, int side, int nephew)
{
    const cairn_box_tree_node *child = &n[n[i].child[side]], *other = &n[n[i].child[1 - side]];
    if (is_leaf(other))
        return 0.0;
    const cairn_box_tree_node *up = &n[other->child[nephew]], *stays = &n[other->child[1 - nephew]];
    double gain = area(&other->box) - joined_area(&child->box, &stays->box);
    int height = 1 + higher(child->height, stays->height);
    bool level =
        may_be_siblings(child->height, stays->height) && may_be_siblings(height, up->height);
    return gain > 0.0 && level ? gain : 0.0;
}

static void improve(cairn_box_tree_node* n, int i)
{
    exchange best = {0, 0, 0.0};

    // the exchange of a child with a child of its sibling that makes the boxes smallest
    for (int k = 0; k < 4; k++) {
        double gain = exchange_gain(n, i, k / 2, k % 2);
        if (gain > best.gain)
            best = (exchange){k / 2, k % 2, gain};
    }

    if (best.gain == 0.0)
        return;

    int down = n[i].child[best.side], other = n[i].child[1 - best.side];
    int up = n[other].child[best.nephew];
    n[i].child[best.side] = up;
    n[up].parent = i;
    n[other].child[best.nephew] = down;
    n[down].parent = other;
    refresh(n, other);
    refresh(n, i);
}

static bool is_same(const cairn_box_tree_node* a, const cairn_box_tree_node* b)
{
    return a->height == b->height && a->fresh == b->fresh &&
           cairn_aabb_contains(&a->box, &b->box) && cairn_aabb_contains(&b->box, &a->box);
}

// the side that is too high, or -1
static int lean_of(const cairn_box_tree_node* n, int i)
{
    int lean = n[n[i].child[1]].height - n[n[i].child[0]].height;
    return lean > most_lean ? 1 : lean < -most_lean ? 0 : -1;
}

// From node i to the root, or to where nothing changes any more. An exchange may change a height by
// more than one, so that a node may have to be rotated down more than once.
static void refresh_upwards(cairn_box_tree* tree, int i)
{
    bool rotated = false;
    for (; i >= 0; i = tree->nodes[i].parent) {
        cairn_box_tree_node before = tree->nodes[i];
        for (int side; (side = lean_of(tree->nodes, i)) >= 0; rotated = true)
            rotate(tree, i, side);
        refresh(tree->nodes, i);
        improve(tree->nodes, i);
        if (!rotated && is_same(&tree->nodes[i], &before))
            return;
    }
}

// ---------------------------------------------------------------- insertion and removal

// going down from node i
static int best_sibling(const cairn_box_tree* tree, const cairn_aabb* box, int i)
{
    const cairn_box_tree_node* n = tree->nodes;
    while (!is_leaf(&n[i])) {
        // surface area heuristic: a new parent here, against the growth of this box and a step down
        double joined = joined_area(&n[i].box, box);
        double here = 2.0 * joined, push = 2.0 * (joined - area(&n[i].box)), down[2];
        for (int side = 0; side < 2; side++) {
            const cairn_box_tree_node* c = &n[n[i].child[side]];
            down[side] = push + joined_area(&c->box, box) - (is_leaf(c) ? 0.0 : area(&c->box));
        }

        if (here < down[0] && here < down[1])
            break;

        i = n[i].child[down[1] < down[0]];
    }
    return i;
}

// somewhere below node `top`
static void link_leaf(cairn_box_tree* tree, int leaf, int top)
{
    if (tree->root < 0) {
        tree->root = leaf;
        tree->nodes[leaf].parent = -1;
        return;
    }

    int sibling = best_sibling(tree, &tree->nodes[leaf].box, top);
    int joint = take_node(tree);

    // its height is zero, which no inner node has, so that refresh_upwards does not end at it
    tree->nodes[joint] = (cairn_box_tree_node){.child = {sibling, leaf}};
    replace_child(tree, tree->nodes[sibling].parent, sibling, joint);
    tree->nodes[sibling].parent = joint;
    tree->nodes[leaf].parent = joint;
    refresh_upwards(tree, joint);
}

static void unlink_leaf(cairn_box_tree* tree, int leaf)
{
    int parent = tree->nodes[leaf].parent;
    if (parent < 0) {
        tree->root = -1;
        return;
    }
    int sibling = tree->nodes[parent].child[tree->nodes[parent].child[0] == leaf];
    int above = tree->nodes[parent].parent;
    replace_child(tree, above, parent, sibling);
    give_node(tree, parent);
    refresh_upwards(tree, above);
}

int cairn_box_tree_insert(cairn_box_tree* tree, cairn_aabb box, int item)
{
    bool room = tree->free >= 0 && tree->nodes[tree->free].parent >= 0;
    if (!room && !reserve(tree, 2 * tree->capacity + 16))
        return -1;
    int leaf = take_node(tree);
    tree->nodes[leaf] = (cairn_box_tree_node){.box = box, .child = {-1, item}, .fresh = true};
    link_leaf(tree, leaf, tree->root);
    return leaf;
}

void cairn_box_tree_remove(cairn_box_tree* tree, int leaf)
{
    unlink_leaf(tree, leaf);
    give_node(tree, leaf);
}

// A leaf stays where it is in the tree as long as a node a few levels up holds its new box;
// otherwise it goes down again from the lowest node that does.
void cairn_box_tree_move(cairn_box_tree* tree, int leaf, cairn_aabb box, bool fresh)
{
    enum { few = 4 };
    cairn_box_tree_node* n = tree->nodes;
    int top = n[leaf].parent, levels = 0;
    while (top >= 0 && n[top].parent >= 0 && !cairn_aabb_contains(&n[top].box, &box)) {
        top = n[top].parent;
        levels++;
    }

    n[leaf].box = box;
    n[leaf].fresh = n[leaf].fresh || fresh;
    if (levels <= few) {
        refresh_upwards(tree, n[leaf].parent);
    } else {
        unlink_leaf(tree, leaf);
        link_leaf(tree, leaf, top);
    }
}

void cairn_box_tree_touch(cairn_box_tree* tree, int leaf)
{
    tree->nodes[leaf].fresh = true;
    refresh_upwards(tree, tree->nodes[leaf].parent);
}

// ---------------------------------------------------------------- building at once

static double center(const cairn_box_tree_node* leaf, int axis)
{
    const cairn_aabb* b = &leaf->box;
    if (axis == 0)
        return b->lo.x + b->hi.x;
    return axis == 1 ? b->lo.y + b->hi.y : b->lo.z + b->hi.z;
}

// The leaves with the lesser centers to the front, equal centers by index (Hoare's selection). Both
// inner loops stop at the pivot or at what was exchanged before, and at a NaN; each round leaves
// less than it had.
static void split_leaves(const cairn_box_tree_node* n, int* leaf, int count, int axis)
{
    int lo = 0, hi = count - 1, half = count / 2;
    while (lo < hi) {
        int pivot = leaf[lo + (hi - lo) / 2], i = lo, j = hi;
        double p = center(&n[pivot], axis);

        // Hoare's partition
        while (i <= j) {
            double c;
            while ((c = center(&n[leaf[i]], axis)) < p || (c == p && leaf[i] < pivot))
                i++;
            while ((c = center(&n[leaf[j]], axis)) > p || (c == p && leaf[j] > pivot))
                j--;
            if (i <= j) {
                int swap = leaf[i];
                leaf[i++] = leaf[j];
                leaf[j--] = swap;
            }
        }

        // go on with the side that holds the middle
        if (half <= j)
            hi = j;
        else if (half >= i)
            lo = i;
        else
            return;
    }
}

static int longest_axis(const cairn_box_tree_node* n, const int* leaf, int count)
{
    double lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = hi[axis] = center(&n[leaf[0]], axis);
        for (int i = 1; i < count; i++) {
            lo[axis] = fmin(lo[axis], center(&n[leaf[i]], axis));
            hi[axis] = fmax(hi[axis], center(&n[leaf[i]], axis));
        }
    }
    int axis = hi[1] - lo[1] > hi[0] - lo[0] ? 1 : 0;
    return hi[2] - lo[2] > hi[axis] - lo[axis] ? 2 : axis;
}

static int build_node(cairn_box_tree* tree, int* leaf, int count)
{
    if (count == 1)
        return leaf[0];
    int half = count / 2, i = take_node(tree);
    split_leaves(tree->nodes, leaf, count, longest_axis(tree->nodes, leaf, count));
    int a = build_node(tree, leaf, half);
    int b = build_node(tree, leaf + half, count - half);
    tree->nodes[i].child[0] = a;
    tree->nodes[i].child[1] = b;
    tree->nodes[a].parent = tree->nodes[b].parent = i;
    refresh(tree->nodes, i);
    return i;
}

cairn_status cairn_box_tree_build(cairn_box_tree* tree, const cairn_aabb* boxes, int count)
{
    cairn_box_tree built = cairn_box_tree_empty();

    if (count == 0) {
        cairn_box_tree_destroy(tree);
        return CAIRN_OK;
    }

    int* leaf = malloc((size_t)count * sizeof(int));
    if (!leaf || !reserve(&built, 2 * count)) {
        free(leaf);
        return CAIRN_NO_MEMORY;
    }

    for (int i = 0; i < count; i++) {
        leaf[i] = take_node(&built);
        built.nodes[leaf[i]] = (cairn_box_tree_node){.box = boxes[i], .child = {-1, i}};
    }

    built.root = build_node(&built, leaf, count);
    built.nodes[built.root].parent = -1;
    free(leaf);
    cairn_box_tree_destroy(tree);
    *tree = built;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- fresh leaves

static void settle(cairn_box_tree_node* n, int i)
{
    if (!n[i].fresh)
        return;
    n[i].fresh = false;
    for (int k = 0; k < 2 && !is_leaf(&n[i]); k++)
        settle(n, n[i].child[k]);
}

void cairn_box_tree_settle(cairn_box_tree* tree)
{
    if (tree->root >= 0)
        settle(tree->nodes, tree->root);
}

typedef struct meetings {
    const cairn_box_tree_node *a, *b; // nodes of the two trees, or of one
    cairn_box_tree_visit visit;
    void* context;
} meetings;

// below node i of one tree and node j of the other, or of another part of the same
static void meet(const meetings* m, int i, int j)
{
    const cairn_box_tree_node *a = &m->a[i], *b = &m->b[j];

    if (!(a->fresh || b->fresh) || !cairn_aabb_overlap(&a->box, &b->box))
        return;

    if (is_leaf(a) && is_leaf(b)) {
        m->visit(m->context, a->child[1], b->child[1]);
    } else if (a->height > b->height) {
        // descend into the higher of the two nodes
        meet(m, a->child[0], j);
        meet(m, a->child[1], j);
    } else {
        meet(m, i, b->child[0]);
        meet(m, i, b->child[1]);
    }
}

static void meet_within(const meetings* m, int i)
{
    const cairn_box_tree_node* n = &m->a[i];
    if (!n->fresh || is_leaf(n))
        return;
    meet_within(m, n->child[0]);
    meet_within(m, n->child[1]);
    meet(m, n->child[0], n->child[1]);
}

void cairn_box_tree_meetings(const cairn_box_tree* tree, cairn_box_tree_visit visit, void* context)
{
    meetings m = {tree->nodes, tree->nodes, visit, context};
    if (tree->root >= 0)
        meet_within(&m, tree->root);
}

void cairn_box_tree_meetings_between(const cairn_box_tree* a, const cairn_box_tree* b,
                                     cairn_box_tree_visit visit, void* context)
{
    meetings m = {a->nodes, b->nodes, visit, context};
    if (a->root >= 0 && b->root >= 0)
        meet(&m, a->root, b->root);
}

// ---------------------------------------------------------------- walks

cairn_box_tree_walk cairn_box_tree_start(const cairn_box_tree* tree)
{
    cairn_box_tree_walk walk;
    walk.count = tree->root >= 0;
    walk.stack[0] = tree->root;
    return walk;
}

// the item of a leaf; the children of another node go onto the stack
static int open_node(const cairn_box_tree_node* n, cairn_box_tree_walk* walk)
{
    if (is_leaf(n))
        return n->child[1];
    walk->stack[walk->count++] = n->child[1];
    walk->stack[walk->count++] = n->child[0];
    return -1;
}

int cairn_box_tree_next(const cairn_box_tree* tree, cairn_box_tree_walk* walk,
                        const cairn_aabb* box)
{
    int item = -1;
    while (item < 0 && walk->count > 0) {
        const cairn_box_tree_node* n = &tree->nodes[walk->stack[--walk->count]];
        if (cairn_aabb_overlap(&n->box, box))
            item = open_node(n, walk);
    }
    return item;
}

cairn_box_tree_ray cairn_box_tree_ray_make(cairn_vec3 origin, cairn_vec3 direction, double reach)
{
    cairn_vec3 inverse = cairn_vec(1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z);
    return (cairn_box_tree_ray){.origin = origin, .inverse = inverse, .reach = reach};
}

// shortens [t[0], t[1]] to where lo <= p + t d <= hi; 0 · ∞ counts as inside
static void clip_slab(double* t, double lo, double hi, double inverse)
{
    double a = lo * inverse, b = hi * inverse;
    if (isnan(a) || isnan(b))
        return;
    t[0] = fmax(t[0], fmin(a, b));
    t[1] = fmin(t[1], fmax(a, b));
}

static bool meets(const cairn_aabb* box, const cairn_box_tree_ray* ray)
{
    double t[2] = {0.0, ray->reach};
    cairn_vec3 lo = cairn_sub(cairn_sub(box->lo, ray->grow), ray->origin);
    cairn_vec3 hi = cairn_sub(cairn_add(box->hi, ray->grow), ray->origin);
    clip_slab(t, lo.x, hi.x, ray->inverse.x);
    clip_slab(t, lo.y, hi.y, ray->inverse.y);
    clip_slab(t, lo.z, hi.z, ray->inverse.z);
    return t[0] <= t[1];
}

int cairn_box_tree_next_ray(const cairn_box_tree* tree, cairn_box_tree_walk* walk,
                            const cairn_box_tree_ray* ray)
{
    int item = -1;
    while (item < 0 && walk->count > 0) {
        const cairn_box_tree_node* n = &tree->nodes[walk->stack[--walk->count]];
        if (meets(&n->box, ray))
            item = open_node(n, walk);
    }
    return item;
}
