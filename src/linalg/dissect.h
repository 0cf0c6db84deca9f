// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An elimination order by nested dissection.
#ifndef CAIRN_LINALG_DISSECT_H
#define CAIRN_LINALG_DISSECT_H

#include "math/arena.h"
#include "math/stop.h"

/// Fills order[k] with the node to eliminate k-th. The graph is symmetric, without loops; the
/// neighbors of i are neighbor[begin[i]] .. neighbor[begin[i+1]-1]. Scratch from the arena is given
/// back. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_dissect_order(int* order, int n, const int* begin, const int* neighbor,
                                 cairn_arena* arena, const cairn_stop* stop);

#endif
