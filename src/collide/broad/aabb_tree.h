// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A binary tree of axis-aligned boxes: the broad phase, meshes and queries walk it.
#ifndef CAIRN_COLLIDE_AABB_TREE_H
#define CAIRN_COLLIDE_AABB_TREE_H

#include <cairn/shape.h>

/// One cache line. A leaf has child[0] = -1 and its item in child[1].
typedef struct cairn_box_tree_node {
    cairn_aabb box;
    int parent; ///< -1 at the root; the next free node when unused
    int child[2];
    short height; ///< 0 for a leaf
    bool fresh;   ///< a leaf below it (or itself) is new, was moved or touched
} cairn_box_tree_node;

typedef struct cairn_box_tree {
    cairn_box_tree_node* nodes;
    int root; ///< -1 when empty
    int free; ///< first unused node, or -1
    int capacity;
} cairn_box_tree;

cairn_box_tree cairn_box_tree_empty(void);
void cairn_box_tree_destroy(cairn_box_tree* tree);

/// A tree with the same nodes in the same places; false when there is no memory.
bool cairn_box_tree_copy(cairn_box_tree* copy, const cairn_box_tree* tree);

/// Gives back the nodes behind the last one in use.
void cairn_box_tree_fit(cairn_box_tree* tree);

/// Replaces the tree by one of the given boxes, item i for box i; leaf i is node i.
cairn_status cairn_box_tree_build(cairn_box_tree* tree, const cairn_aabb* boxes, int count);

/// Adds a leaf; its node, or -1 when there is no memory.
int cairn_box_tree_insert(cairn_box_tree* tree, cairn_aabb box, int item);
void cairn_box_tree_remove(cairn_box_tree* tree, int leaf);

/// Moves a leaf to a new box, which makes it fresh if wanted.
void cairn_box_tree_move(cairn_box_tree* tree, int leaf, cairn_aabb box, bool fresh);

/// Makes a leaf fresh where it is; and all leaves old.
void cairn_box_tree_touch(cairn_box_tree* tree, int leaf);
void cairn_box_tree_settle(cairn_box_tree* tree);

/// Calls `visit` for each two leaves whose boxes meet and of which one or both are fresh: of one
/// tree, or of two. Walking down both sides at once costs a fraction of a query for each fresh
/// leaf.
typedef void (*cairn_box_tree_visit)(void* context, int item, int other);
void cairn_box_tree_meetings(const cairn_box_tree* tree, cairn_box_tree_visit visit, void* context);
void cairn_box_tree_meetings_between(const cairn_box_tree* a, const cairn_box_tree* b,
                                     cairn_box_tree_visit visit, void* context);

/// A walk over the leaves that meet a box or a ray. A tree of 2^31 leaves is at most 108 high.
typedef struct cairn_box_tree_walk {
    int count;
    int stack[128];
} cairn_box_tree_walk;

cairn_box_tree_walk cairn_box_tree_start(const cairn_box_tree* tree);

/// The next item whose box meets `box`, or -1 at the end.
int cairn_box_tree_next(const cairn_box_tree* tree, cairn_box_tree_walk* walk,
                        const cairn_aabb* box);

/// A ray p + t d, 0 <= t <= reach, against boxes.
typedef struct cairn_box_tree_ray {
    cairn_vec3 origin, inverse; ///< inverse: 1 / d by component, infinite where d is zero
    cairn_vec3 grow;            ///< boxes are grown by this on each side (a cast shape's half box)
    double reach;
} cairn_box_tree_ray;

cairn_box_tree_ray cairn_box_tree_ray_make(cairn_vec3 origin, cairn_vec3 direction, double reach);

/// The next item whose box meets the ray, or -1. `ray->reach` may shrink between calls.
int cairn_box_tree_next_ray(const cairn_box_tree* tree, cairn_box_tree_walk* walk,
                            const cairn_box_tree_ray* ray);

#endif
