// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a broad phase holds. Private to this folder.
#ifndef CAIRN_COLLIDE_BROAD_STATE_H
#define CAIRN_COLLIDE_BROAD_STATE_H

#include "collide/broad.h"
#include "collide/broad/aabb_tree.h"

typedef struct proxy {
    cairn_aabb fat; // at the last update; empty where any pair of it may be new
    cairn_filter filter;
    int leaf;   // in the tree of its kind; -1: not in use
    bool moved; // since the last update; then its box is that of the leaf
} proxy;

typedef struct pair_list {
    cairn_pair* pairs;
    int count, capacity;
} pair_list;

typedef struct int_list {
    int* items;
    int count, capacity;
} int_list;

// what cairn_broad_undo goes back to
typedef struct history {
    int count, capacity;
    cairn_aabb* boxes; // in the trees, of the proxies that moved, in their order
    int changed_count, changed_capacity;
    cairn_aabb* fat;  // of the first of them, which had changed before
    int most_changed; // since the last fit
    int slot_count, free_slots, free_proxies;
    bool open;    // boxes are being noted
    bool updated; // pairs were exchanged
} history;

struct cairn_broad {
    double margin;
    cairn_box_tree tree[2]; // moving, fixed
    proxy* proxies;
    int proxy_count, proxy_capacity;
    int_list free_proxies; // the last one first; room for all
    int_list moved;        // proxies to look around; likewise
    int_list free_slots;
    int slot_count;
    pair_list pairs;
    pair_list excluded;             // ascending
    pair_list merged, fresh, ended; // of the last update that found something moved: scratch
    history past;
    bool no_memory; // while boxes were noted, or pairs looked for
};

#endif
