// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of an island for many small steps at once: sixteen manifolds side by side, one lane each,
// of up to four points that share a normal and two bodies. The bodies are gathered once for all
// points. Arms and normals stand still; the gap of a point follows the displacements D of its bodies
// since it was placed,
//
//     gap = gap_0 + n·(D_B at r_B - D_A at r_A),
//
// in single precision: displacements are small, and gap_0 was told in double precision. Manifolds of
// one cluster share no active body. Places of bodies are as in cluster.h.
#ifndef CAIRN_SOLVE_MANIFOLD_H
#define CAIRN_SOLVE_MANIFOLD_H

#include "solve/sweep/cluster.h"

enum { cairn_manifold_points = 4 };

/// One point of sixteen manifolds.
typedef struct cairn_manifold_point {
    float arm[2][3][cairn_cluster_lanes];
    float gap[cairn_cluster_lanes];         ///< m: gap_0; wide open in empty lanes
    float bias[cairn_cluster_lanes];        ///< m/s: of the small step under way
    float rate[2][cairn_cluster_lanes];     ///< 1/A_NN, 1/max(A_TT, A_SS); 0 in empty lanes
    float coupling[2][cairn_cluster_lanes]; ///< A_TN, A_SN
    float lambda[3][cairn_cluster_lanes];   ///< N s
    float start[3][cairn_cluster_lanes];    ///< N s: what this small step began with
    float total[3][cairn_cluster_lanes];    ///< N s: of the small steps so far
} cairn_manifold_point;

/// Sixteen manifolds.
typedef struct cairn_manifold_cluster {
    float normal[3][cairn_cluster_lanes];
    float mu[cairn_cluster_lanes];
    int32_t body[2][cairn_cluster_lanes]; ///< places
    int32_t points;                       ///< the most that a manifold of these has,
    int32_t first;                        ///< and where these are in the list of points
    int32_t filled;                       ///< lanes, if they are filled one by one
    int32_t seen;                         ///< by the pass over positions, as `visit` counts
    int32_t apart;  ///< whether it shares no active body with the one before it
    int32_t ground; ///< the place of what never moves
} cairn_manifold_cluster;

/// What a pass over manifolds is told. A law of friction is that of cairn_cluster_law, one for each point
/// of sixteen manifolds; its `way` is what λ_τ of this small step began with. Eight numbers for each place.
typedef struct cairn_march_pass {
    cairn_manifold_cluster* clusters;
    cairn_manifold_point* points;
    cairn_cluster_law* laws; ///< of each of these; NULL: all friction is of cones
    float* velocity;         ///< linear, angular, then of round bodies 1/m and 1/I
    float* displacement;     ///< m, rad; and the same two
    const float* mass;       ///< as in cairn_cluster_pass
    float warm;              ///< how much longer this small step is than the last one, 0: as long
    float over_h;            ///< 1/s: of the small step
    float touching;          ///< m: a smaller gap counts as closed, of points that bore a load;
    float closed;            ///< m: of the others
    float slop, longest;     ///< m: overlap that is left alone; the largest that one pass removes
    bool round;              ///< all bodies have the same moment of inertia about every axis
    bool downwards;          ///< from the last cluster to the first
    bool again;     ///< positions: clusters alone whose bodies have moved since they were seen
    int32_t visit;  ///< clusters that come before these, counted from the first sweep on,
    int32_t* moved; ///< and which of all was the last to move each place; 0: none
} cairn_march_pass;

/// The diagonal blocks of A, from arms and normals; returns nothing that is of use.
CAIRN_DECLARE_KERNEL(double, cairn_manifold_diagonal, (const cairn_march_pass* pass, int count));

/// The first sweep of a small step: impulses grow by `warm` times what the last one began with (what
/// it added was a blow, of which a longer step has no more); gaps become biases; then projected
/// Gauss-Seidel, normal first, then friction on its disc. All sweeps return the largest approach
/// that they met, m/s.
CAIRN_DECLARE_KERNEL(double, cairn_manifold_start, (const cairn_march_pass* pass, int count));

/// Another sweep; and the last one, which adds the impulses to their totals.
CAIRN_DECLARE_KERNEL(double, cairn_manifold_sweep, (const cairn_march_pass* pass, int count));
CAIRN_DECLARE_KERNEL(double, cairn_manifold_finish, (const cairn_march_pass* pass, int count));

/// One sweep of a position pass on the displacements: overlaps go. Returns the deepest that it met. What it leaves out
/// `again` would not change by a bit.
CAIRN_DECLARE_KERNEL(double, cairn_manifold_part, (const cairn_march_pass* pass, int count));

/// velocity += M^-1 J^T λ of all points; returns nothing that is of use.
CAIRN_DECLARE_KERNEL(double, cairn_manifold_push, (const cairn_march_pass* pass, int count));

typedef double (*cairn_manifold_kernel)(const cairn_march_pass* pass, int count);

#endif
