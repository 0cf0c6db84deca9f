// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An order of elimination that keeps the factors of a sparse symmetric matrix sparse.
#ifndef CAIRN_LINALG_AMD_H
#define CAIRN_LINALG_AMD_H

#include "math/arena.h"
#include "math/stop.h"

/// Approximate minimum degree order of a graph with n nodes: the neighbors of i are
/// neighbor[begin[i]] .. neighbor[begin[i+1]-1], in both directions; i itself may be among them.
/// order[k] is the node that is eliminated as the k-th. Scratch comes from the arena and is given
/// back. Returns CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_amd_order(int* order, int n, const int* begin, const int* neighbor,
                             cairn_arena* arena, const cairn_stop* stop);

#endif
