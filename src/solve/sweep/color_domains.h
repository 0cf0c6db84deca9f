// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Domains: groups of bodies near each other, small enough for their velocities to stay in the
// cache nearest to the processor. Blocks inside of one domain touch no body of another: domains
// can be updated in any order, or at once, with the same result to the last bit. Blocks between
// domains are left over.
//
// Not for small problems: below a few thousand bodies all of them are in the cache anyway.
#ifndef CAIRN_SOLVE_COLOR_DOMAINS_H
#define CAIRN_SOLVE_COLOR_DOMAINS_H

#include "solve/sweep/color.h"

enum { cairn_domain_bodies = 512, cairn_fewest_domains = 8 };

/// A run is what is of one color and one domain: block[begin[k]] .. block[begin[k+1]-1].
typedef struct cairn_domains {
    int count;
    int run_count;
    int* first_run; ///< count + 1
    int* begin;     ///< run_count + 1
    int* block;
    int* rest; ///< ascending: between domains, or without a color
    int rest_count;
} cairn_domains;

/// Deals the blocks listed in `blocks` (ascending) to domains of at most cairn_domain_bodies
/// bodies; no domains (all is rest) for problems of fewer than cairn_fewest_domains of them.
/// Depends on the problem alone. False when there is no memory.
bool cairn_color_domains(cairn_domains* domains, const cairn_problem* problem, const int* blocks,
                         int count, cairn_arena* arena);

#endif
