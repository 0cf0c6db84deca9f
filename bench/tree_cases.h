// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cases of the suite `tree` that compare whole methods (tree_cases.c).
#ifndef CAIRN_BENCH_TREE_CASES_H
#define CAIRN_BENCH_TREE_CASES_H

#include "suite.h"

/// 108 rows of a plane tree, and 96 with 12 that close loops, beside conjugate gradients.
void tree_gradients(bench* b);

/// 96 rows of ball joints and 3 frictionless contacts by `tree` and by `dantzig`.
void tree_contacts(bench* b);

/// k rows at the end of a chain of 4,000 links, k = 32 to 256.
void tree_auxiliary_rows(bench* b);

#endif
