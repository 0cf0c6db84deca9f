// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lemke's algorithm for a plain LCP, with memory from an arena.
#ifndef CAIRN_SOLVE_LCP_LEMKE_H
#define CAIRN_SOLVE_LCP_LEMKE_H

#include "math/arena.h"
#include "math/stop.h"
#include <cairn/lcp.h>

/// What to do beyond the problem. Zero is a good start.
typedef struct cairn_lcp_lemke_def {
    const double* cover; ///< n positive numbers, or NULL: all ones after equilibration
    int max_pivots;      ///< 0: 50 n + 1000
    cairn_stop stop;     ///< when to give up
    double max_work;     ///< multiplications; 0: no limit but that of pivots
} cairn_lcp_lemke_def;

typedef struct cairn_lcp_lemke_end {
    cairn_outcome outcome; ///< converged, ray, singular, iteration or time limit
    int pivots;
    double work;     ///< multiplications
    bool infeasible; ///< the ray proves that no z >= 0 has M z + q >= 0
} cairn_lcp_lemke_end;

/// Fills z; on a ray fills `ray` (n numbers, or NULL) with the direction of z instead.
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_lcp_lemke(double* z, double* ray, const cairn_lcp* lcp,
                             const cairn_lcp_lemke_def* def, cairn_lcp_lemke_end* end,
                             cairn_arena* arena);

#endif
