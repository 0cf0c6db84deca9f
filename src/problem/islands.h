// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands and sub-problems with memory from an arena; the public forms are cairn_problem_islands
// and cairn_problem_extract.
#ifndef CAIRN_PROBLEM_ISLANDS_H
#define CAIRN_PROBLEM_ISLANDS_H

#include "math/arena.h"
#include <cairn/problem.h>

/// CAIRN_NO_MEMORY or CAIRN_OK. Nothing is to be destroyed.
cairn_status cairn_islands_find(cairn_islands* islands, const cairn_problem* problem,
                                cairn_arena* arena);

/// The sub-problem of some ascending blocks; `row_of` (its row -> the whole's row) comes from the
/// arena too. Nothing is to be destroyed.
cairn_status cairn_problem_part(cairn_problem* part, int** row_of, const cairn_problem* problem,
                                const int* blocks, int block_count, cairn_arena* arena);

#endif
