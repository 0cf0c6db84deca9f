// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The plain linear complementarity problem: find z >= 0 with w = M z + q >= 0 and z·w = 0, for any
// square matrix M. With bounds: lo <= z <= hi with w_i >= 0 where z_i = lo_i, w_i <= 0 where
// z_i = hi_i, and w_i = 0 between.
#ifndef CAIRN_LCP_H
#define CAIRN_LCP_H

#include <cairn/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_lcp {
    int n;
    const double* M;  ///< n x n, row-major
    const double* q;  ///< n
    const double* lo; ///< n: least z, -INFINITY where there is none; NULL: zeros
    const double* hi; ///< n: greatest z, INFINITY where there is none; NULL: none anywhere
} cairn_lcp;

typedef struct cairn_lcp_report {
    const char* method; ///< that gave the answer (static storage)
    cairn_outcome outcome;
    double residual; ///< cairn_lcp_residual of the returned z
    int iterations;  ///< pivots or sweeps
    double seconds;
} cairn_lcp_report;

/// max_i |min(z_i, (M z + q)_i / d_i)| d_i / max |q| with d_i = max(|M_ii|, mean_j |M_ij|,
/// mean_j |M_ji|), or 1 where row and column are zero: the relative error of complementarity.
/// With bounds the distance of z_i to the point of [lo_i, hi_i] next to z_i - w_i / d_i, times d_i.
/// Column i counts because z_i acts on all of w. Absolute when q = 0. Measured from z alone.
CAIRN_API double cairn_lcp_residual(const cairn_lcp* lcp, const double* z);

/// Solves an LCP; one with bounds as a plain one of up to twice the size. Variables without any
/// bound must have a regular matrix among themselves (else CAIRN_NOT_SUPPORTED). Of the options, method ("auto" or a name of cairn_lcp_method_at), tolerance,
/// max_iterations, time_limit, cancel and seed count. The status is as for cairn_solve.
CAIRN_API cairn_status cairn_lcp_solve(const cairn_lcp* lcp, const cairn_solve_def* def, double* z,
                                       cairn_lcp_report* report, cairn_error* error);

/// How many methods solve LCPs, and their names.
CAIRN_API int cairn_lcp_method_count(void);
CAIRN_API const char* cairn_lcp_method_at(int index);

#ifdef __cplusplus
}
#endif

#endif
