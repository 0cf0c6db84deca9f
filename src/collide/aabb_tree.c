// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A dynamic tree of boxes. A leaf goes down from the root to the side where it adds the least
// surface: the chance that a random ray or box meets a node is its surface area, so the sum of the
// areas is the cost of a query. On the way back up, nodes whose children differ in height by more
// than one are rotated (AVL), which bounds the depth by 1.44 log2 n whatever comes. Static sets are
// built at once, by halving along the longest side of the centers.

#include "collide/aabb_tree.h"
#include "math/array.h"

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

static bool is_leaf(const cairn_box_tree_node* node)
{
    return node->child[0] < 0;
}

static void refresh(cairn_box_tree_node* nodes, int i)
{
    const cairn_box_tree_node *a = &nodes[nodes[i].child[0]], *b = &nodes[nodes[i].child[1]];
    nodes[i].box = cairn_aabb_join(a->box, b->box);
    nodes[i].height = 1 + (a->height > b->height ? a->height : b->height);
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
static int rotate(cairn_box_tree* tree, int i, int side)
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
    return up;
}

static void rebalance_upwards(cairn_box_tree* tree, int i)
{
    while (i >= 0) {
        cairn_box_tree_node* n = tree->nodes;
        int lean = n[n[i].child[1]].height - n[n[i].child[0]].height;
        if (lean > 1)
            i = rotate(tree, i, 1);
        else if (lean < -1)
            i = rotate(tree, i, 0);
        else
            refresh(n, i);
        i = tree->nodes[i].parent;
    }
}

// ---------------------------------------------------------------- insertion and removal

static int best_sibling(const cairn_box_tree* tree, const cairn_aabb* box)
{
    const cairn_box_tree_node* n = tree->nodes;
    int i = tree->root;
    while (!is_leaf(&n[i])) {
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

static void link_leaf(cairn_box_tree* tree, int leaf)
{
    if (tree->root < 0) {
        tree->root = leaf;
        tree->nodes[leaf].parent = -1;
        return;
    }
    int sibling = best_sibling(tree, &tree->nodes[leaf].box);
    int joint = take_node(tree);
    replace_child(tree, tree->nodes[sibling].parent, sibling, joint);
    tree->nodes[joint].child[0] = sibling;
    tree->nodes[joint].child[1] = leaf;
    tree->nodes[sibling].parent = joint;
    tree->nodes[leaf].parent = joint;
    rebalance_upwards(tree, joint);
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
    rebalance_upwards(tree, above);
}

int cairn_box_tree_insert(cairn_box_tree* tree, cairn_aabb box, int item)
{
    bool room = tree->free >= 0 && tree->nodes[tree->free].parent >= 0;
    if (!room && !reserve(tree, 2 * tree->capacity + 16))
        return -1;
    int leaf = take_node(tree);
    tree->nodes[leaf] = (cairn_box_tree_node){.box = box, .child = {-1, item}};
    link_leaf(tree, leaf);
    return leaf;
}

void cairn_box_tree_remove(cairn_box_tree* tree, int leaf)
{
    unlink_leaf(tree, leaf);
    give_node(tree, leaf);
}

void cairn_box_tree_move(cairn_box_tree* tree, int leaf, cairn_aabb box)
{
    unlink_leaf(tree, leaf);
    tree->nodes[leaf].box = box;
    link_leaf(tree, leaf);
}

// ---------------------------------------------------------------- building at once

static double center(const cairn_box_tree_node* leaf, int axis)
{
    const cairn_aabb* b = &leaf->box;
    if (axis == 0)
        return b->lo.x + b->hi.x;
    return axis == 1 ? b->lo.y + b->hi.y : b->lo.z + b->hi.z;
}

// the leaves with the lesser centers to the front, equal centers by index (Hoare's selection)
static void split_leaves(const cairn_box_tree_node* n, int* leaf, int count, int axis)
{
    int lo = 0, hi = count - 1, half = count / 2;
    while (lo < hi) {
        int pivot = leaf[lo + (hi - lo) / 2], i = lo, j = hi;
        double p = center(&n[pivot], axis);
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

// cairn_aabb_overlap as one number: which of the six comparisons fails cannot be foreseen, and a
// branch that goes wrong costs more than all of them
static int overlap(const cairn_aabb* a, const cairn_aabb* b)
{
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) &
           (b->lo.y <= a->hi.y) & (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

int cairn_box_tree_next(const cairn_box_tree* tree, cairn_box_tree_walk* walk,
                        const cairn_aabb* box)
{
    int item = -1;
    while (item < 0 && walk->count > 0) {
        const cairn_box_tree_node* n = &tree->nodes[walk->stack[--walk->count]];
        // a leaf, or the children that meet the box
        if (is_leaf(n)) {
            if (overlap(&n->box, box))
                item = n->child[1];
            continue;
        }
        const int* child = n->child;
        int* top = &walk->stack[walk->count];
        int far = overlap(&tree->nodes[child[1]].box, box);
        top[0] = child[1];
        top[far] = child[0];
        walk->count += far + overlap(&tree->nodes[child[0]].box, box);
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
