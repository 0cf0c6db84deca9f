// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sets of numbers by union and find: parent[i] leads towards the root of i's set, which is its own
// parent.
#ifndef CAIRN_MATH_SETS_H
#define CAIRN_MATH_SETS_H

/// The root of i's set. Paths are halved on the way.
static inline int cairn_set_root(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/// Makes one set of two; the smaller root stays, so that a set is named by its first member.
static inline void cairn_set_join(int* parent, int i, int j)
{
    i = cairn_set_root(parent, i);
    j = cairn_set_root(parent, j);
    if (i < j)
        parent[j] = i;
    else
        parent[i] = j;
}

#endif
