// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of an island laid out for the machine: clusters of sixteen that share no active body,
// one lane each, which follow the features of their bodies (kinematics.h). Sweeps run on a copy in
// single precision; what a step keeps (frames, anchors in the bodies), places, gaps and the
// certificate are double. Bodies have places of eight numbers; what no impulse moves (the ground,
// partners that are moved from outside) has places too.
//
// Clusters of one color share no active body either: they can be done in any order, by any thread.
#ifndef CAIRN_SOLVE_CLUSTER_H
#define CAIRN_SOLVE_CLUSTER_H

#include "math/simd.h"

enum { cairn_cluster_lanes = 16, cairn_place_stride = 8 };

/// What a step keeps of contacts and what the certificate needs.
typedef struct cairn_cluster {
    double normal[3][cairn_cluster_lanes];    ///< tangents as cairn_tangents has them
    double anchor[2][3][cairn_cluster_lanes]; ///< core points in A and B, or the normal of a face
    double round[2][cairn_cluster_lanes];     ///< m: radii about these, or the level of the face
    double arm[2][3][cairn_cluster_lanes];    ///< from the centers to the point, world
    double gap[cairn_cluster_lanes];          ///< m
    double bias[cairn_cluster_lanes];         ///< what b_N has beside J v*, the bend apart
    double mean[cairn_cluster_lanes];         ///< tr(A_cc)/3; 0 in empty lanes
    double mu[cairn_cluster_lanes];
    double lambda[3][cairn_cluster_lanes]; ///< N s, as certified
    double total[3][cairn_cluster_lanes];  ///< N s, of the substeps so far; in the world
} cairn_cluster;

/// The same contacts as sweeps see them.
typedef struct cairn_swift {
    float normal[3][cairn_cluster_lanes];
    float arm[2][3][cairn_cluster_lanes];
    float bias[3][cairn_cluster_lanes];     ///< m/s; of the first m in a position pass
    float rate[2][cairn_cluster_lanes];     ///< 1/A_NN, 1/max(A_TT, A_SS)
    float coupling[2][cairn_cluster_lanes]; ///< A_TN, A_SN
    float mean[cairn_cluster_lanes];
    float mu[cairn_cluster_lanes];
    float lambda[3][cairn_cluster_lanes]; ///< N s
    float change[3][cairn_cluster_lanes]; ///< of lambda by the last sweep
    float way[3][cairn_cluster_lanes];    ///< p, see cluster_solve.c
    float amount[cairn_cluster_lanes];    ///< of a position pass: x >= 0, kg m
    int32_t body[2][cairn_cluster_lanes]; ///< places
} cairn_swift;

/// What the motion of the geometry within the drift, and of surfaces, adds to b (kinematics.c), world.
typedef struct cairn_bend {
    double by[3][cairn_cluster_lanes]; ///< m/s
} cairn_bend;

/// Which lanes of a cluster follow which rule, a bit each; those of none have anchors.
typedef struct cairn_cluster_rules {
    uint16_t balls; ///< points that are the centers
    uint16_t face_a, face_b, points;
    uint16_t bouncy;  ///< contacts with restitution
    uint16_t turning; ///< contacts that take no part while they are open
    uint16_t closing; ///< out, of a pass that places them: open ones that v* would close
    uint16_t passed;  ///< whose normal, arms and gap were set by others: they stay
} cairn_cluster_rules;

/// Contacts of a cluster whose friction is no cone: along the axes e_1, e_2 of the contact and about
/// its normal,
///
///     Σ (λ_k/μ_k)² <= λ_N²,      e_1 = cos t + sin s,   e_2 = n x e_1,   k = 1, 2, τ.
///
/// With λ_k = s_k y_k, s_k = μ_k/μ and μ the larger of μ_1, μ_2 that is a ball, |y| <= μ λ_N: so
/// sweeps see it. Where all contacts of an island have cones no cluster has this. λ_T and λ_S stay
/// where they are, along t and s.
typedef struct cairn_cluster_law {
    double axis[2][cairn_cluster_lanes]; ///< cos, sin
    double mu[3][cairn_cluster_lanes];   ///< along e_1, e_2 and about n at the arm, of the residual
    double arm[cairn_cluster_lanes];  ///< m: where spin is measured as a velocity; 0: no spin row
    double bias[cairn_cluster_lanes]; ///< rad/s: what b_τ has beside J v*
    double spin[cairn_cluster_lanes]; ///< N m s: λ_τ, as certified

    float turn[2][cairn_cluster_lanes];     ///< cos, sin
    float scale[3][cairn_cluster_lanes];    ///< s_k; 0 where there is no friction,
    float inverse[3][cairn_cluster_lanes];  ///< 1/s_k; and 0 there
    float rate[3][cairn_cluster_lanes];     ///< of y_k
    float diagonal[3][cairn_cluster_lanes]; ///< 1/rate
    float coupling[3][cairn_cluster_lanes]; ///< of y_k to the normal
    float swift_bias[cairn_cluster_lanes];  ///< rad/s
    float lambda[cairn_cluster_lanes];      ///< N m s: λ_τ,
    float change[cairn_cluster_lanes];      ///< and as in cairn_swift
    float way[cairn_cluster_lanes];
    float multiplier[cairn_cluster_lanes]; ///< of the ball, by the last sweep in which it slid
} cairn_cluster_law;

/// What a pass over clusters is told. Eight numbers for each place.
typedef struct cairn_cluster_pass {
    cairn_cluster* clusters;
    cairn_swift* swift;
    cairn_cluster_law* law;     ///< of each cluster; NULL: all friction is of cones
    cairn_cluster_rules* rules; ///< of each cluster
    const double* velocity;     ///< linear, angular, then of round bodies 1/m and 1/I
    double* momentum;           ///< linear, angular, two zeros
    const double* mass;         ///< 1/m, the inverse inertia xx, yy, zz, xy, xz, yz, a zero
    const double* pose;         ///< x, q (w, x, y, z), a zero
    const cairn_bend* bend;     ///< of each cluster: what the drift ahead adds to b, world; or NULL
    float* swift_velocity;      ///< as velocity; displacements in a position pass
    const float* swift_mass;
    double remaining; ///< s in which an open gap may close; 0: the step ends here
    double touching;  ///< m: a smaller gap counts as closed, of contacts that bore a load;
    double closed;    ///< m: of the others
    double bounce;    ///< m/s: at the end of a step, faster contacts with restitution wait
    double slop, baumgarte;
    double longest; ///< m: the largest overlap that one position pass removes
    float beta;     ///< the step along the way before a sweep
    bool round;     ///< all bodies have the same moment of inertia about every axis
} cairn_cluster_pass;

// Each goes over the clusters from `first` to before `end`.

/// Arms, gaps, bias and mean diagonal of A where the bodies are; `velocity` is v*. Frames turn with
/// the features, impulses stay. Returns the largest |b|, m/s.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_place,
                     (const cairn_cluster_pass* pass, int first, int end));

/// Gaps alone, and with them the bias of a position pass, its normals and arms; no arms of balls.
/// Returns the deepest overlap, m.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_gaps,
                     (const cairn_cluster_pass* pass, int first, int end));

/// λ as sweeps left it, cut to its cone once more, and momentum += J^T λ
CAIRN_DECLARE_KERNEL(double, cairn_cluster_push,
                     (const cairn_cluster_pass* pass, int first, int end));

/// The natural residual of λ with `velocity` = v* + M^-1 J^T λ, m/s.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_measure,
                     (const cairn_cluster_pass* pass, int first, int end));

/// total += the impulses λ of a substep, in the world.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_sum, (cairn_cluster * clusters, int count));

/// The diagonal blocks of A for sweeps, from placed arms.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_diagonal,
                     (const cairn_cluster_pass* pass, int first, int end));

/// A step along the way, then one sweep of projected Gauss-Seidel, normal first, then friction on
/// its disc or ellipsoid. Returns the largest violation that it met, m/s.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_sweep,
                     (const cairn_cluster_pass* pass, int first, int end));

/// One sweep of the position pass. Returns the deepest overlap that it met, m.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_part,
                     (const cairn_cluster_pass* pass, int first, int end));

typedef double (*cairn_cluster_kernel)(const cairn_cluster_pass* pass, int first, int end);

/// Σ weight (x - before)², n a multiple of 16, always in the same order.
CAIRN_DECLARE_KERNEL(double, cairn_cluster_square,
                     (const float* x, const float* before, const float* weight, int n));

/// A step along the way: d = x - before, x += β way, way = β way + d, before = x.
CAIRN_DECLARE_KERNEL(void, cairn_cluster_follow,
                     (float* x, float* way, float* before, int n, float beta));

#endif
