// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Trees of joints that are kept between steps. Private to this folder.
#ifndef CAIRN_WORLD_LINKAGE_H
#define CAIRN_WORLD_LINKAGE_H

#include "solve/tree/ball_tree.h"
#include "solve/tree/loops.h"
#include "world/step/island.h"

/// What of a joint decides about the structure, and about what its rows have in common.
typedef struct cairn_joint_key {
    int a, b; ///< slots
    int16_t rows, kind;
} cairn_joint_key;

/// A tree that was built for one island.
struct cairn_linkage {
    cairn_linkage* next;
    cairn_tree* tree;      ///< NULL where there are ball joints alone
    cairn_ball_tree balls; ///< then
    cairn_arena own;       ///< its memory
    cairn_loops* net;      ///< of an island with many loops, once it was asked for
    int body_count, link_count;
    bool forest;           ///< every joint is an edge of the forest: there are no loops
    int64_t used;          ///< the step that needed it last
    int* bodies;           ///< slots
    cairn_joint_key* keys; ///< of each link
};

/// The tree of an island with these joints; NULL: no memory.
cairn_linkage* cairn_linkage_find(const cairn_span* span, const cairn_joint_key* keys);

/// Its sparse factor, with this many rows of each joint; NULL: no memory.
cairn_loops* cairn_linkage_net(cairn_linkage* kept, const cairn_span* span);

#endif
