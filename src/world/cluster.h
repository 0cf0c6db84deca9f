// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of an island laid out for the machine: clusters of eight that share no active body, one
// lane each. What a step keeps (frames, anchors in the bodies) is filled in once; what a substep
// changes (arms, gaps, the diagonal of A) is computed in the lanes, and so are the sweeps and the
// certificate. Bodies have places; the last place is the ground, which nothing moves.
#ifndef CAIRN_WORLD_CLUSTER_H
#define CAIRN_WORLD_CLUSTER_H

#include "math/simd.h"

enum { cairn_cluster_lanes = 8, cairn_place_stride = 8 };

typedef struct cairn_cluster {
    double normal[3][cairn_cluster_lanes];
    double tangent[3][cairn_cluster_lanes];   ///< the second one is normal x tangent
    double anchor[2][3][cairn_cluster_lanes]; ///< in the frames of A and B
    double arm[2][3][cairn_cluster_lanes];    ///< from the centers to the point, world
    double gap[cairn_cluster_lanes];          ///< m
    double drive[3][cairn_cluster_lanes];     ///< velocity of the point of a driven partner
    double bias[cairn_cluster_lanes];         ///< what b_N has beside J v*
    double lambda[3][cairn_cluster_lanes];    ///< N s
    double total[3][cairn_cluster_lanes];     ///< N s, of the substeps that were stored so far
    double amount[cairn_cluster_lanes];       ///< of a position pass: x >= 0, kg m
    double rate[2][cairn_cluster_lanes];      ///< 1/A_NN, 1/max(A_TT, A_SS)
    double coupling[2][cairn_cluster_lanes];  ///< A_TN, A_SN
    double mean[cairn_cluster_lanes];         ///< tr(A_cc)/3; 0 in empty lanes
    double mu[cairn_cluster_lanes];
    int32_t body[2][cairn_cluster_lanes]; ///< places
    int32_t touch[cairn_cluster_lanes];   ///< -1: an empty lane
    bool driven;                          ///< some partner is moved from outside
} cairn_cluster;

/// A pass over clusters, and what it is told and tells.
typedef struct cairn_cluster_pass {
    cairn_cluster* clusters;
    int count;
    double* velocity;   ///< 8 for each place: linear, angular, two zeros
    const double* mass; ///< 1/m, the inverse inertia xx, yy, zz, xy, xz, yz, a zero
    const double* pose; ///< x, q (w, x, y, z), a zero
    double remaining;   ///< s in which an open gap may close
    double touching;    ///< m: a smaller gap counts as closed
    double slop, baumgarte;
    bool backward;
    double longest; ///< m: the largest overlap that one position pass removes
    double worst;   ///< out, m/s: largest |b| (place), violation met (sweep), residual (measure)
    double deepest; ///< out, m: the least gap (place)
} cairn_cluster_pass;

/// Arms, gaps, bias and the diagonal of A where the bodies are; `velocity` is v*.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_place, (cairn_cluster_pass * pass));

/// velocity += M^-1 J^T λ
CAIRN_DECLARE_KERNEL(void, cairn_cluster_push, (cairn_cluster_pass * pass));

/// One sweep of projected Gauss-Seidel, normal first, then friction on its disc.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_sweep, (cairn_cluster_pass * pass));

/// The natural residual of λ with `velocity` = v* + M^-1 J^T λ.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_measure, (cairn_cluster_pass * pass));

/// One sweep of the position pass: `velocity` holds displacements, gaps are those of the place.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_part, (cairn_cluster_pass * pass));

/// A step along the way: d = x - before, x += β way, way = β way + d; n is a multiple of 8.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_follow,
                     (double* x, double* way, const double* before, int n, double beta));

#endif
