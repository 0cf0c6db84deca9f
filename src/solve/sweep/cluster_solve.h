// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps over clusters of contacts (cluster.h) by conjugate directions, and their certificate. Who
// calls lays the clusters out: a world the contacts of an island, `sweeps` those of a problem.
#ifndef CAIRN_SOLVE_CLUSTER_SOLVE_H
#define CAIRN_SOLVE_CLUSTER_SOLVE_H

#include "solve/sweep/cluster.h"
#include "solve/sweep/exchange.h"
#include "solve/threads.h"

/// Bodies that other processes sweep, too (mass splitting): each of the k processes whose contacts hold one
/// sweeps it with mass m/k, and after the sweep its velocity is the mean of theirs,
///
///     v = Σ v_c / k = v_before + M^-1 Σ J^T Δλ,
///
/// so that no sum of pushes overshoots and the answer is the same.
typedef struct cairn_sweeps_shared {
    const cairn_exchange* exchange;
    const int* place;   ///< of each shared body; -1: it takes no part
    const double* part; ///< 1/k, 0 where no contact of this process holds it
    const float* split; ///< k
    double* numbers;    ///< 6 of each, for messages
} cairn_sweeps_shared;

/// Clusters with the places of their bodies, between sweeps.
typedef struct cairn_sweeps {
    cairn_cluster_pass pass;
    cairn_simd_level level;
    cairn_team* team; ///< threads that share the clusters of a color; or NULL
    int count;        ///< clusters
    const int*
        color;      ///< where each of `colors` begins; the clusters from color[colors] on are done
    int colors;     ///< one by one
    int body_count; ///< places of bodies that impulses move; they come first
    int place_count;
    double* velocity;    ///< as in the pass; v* when a certificate is asked for
    float *before, *way; ///< velocities before a sweep, and the way of the conjugate directions
    const float* weight; ///< of the numbers of each place, for the norm of the kinetic energy
    const cairn_sweeps_shared* shared; ///< or NULL
    int sweeps;                        ///< so far
    double last;                       ///< |d_old|²
    float beta;
} cairn_sweeps;

/// Numbers of all places, and of one more where these are odd.
static inline size_t cairn_sweeps_numbers(int place_count)
{
    return cairn_place_stride * (size_t)((place_count + 1) / 2 * 2);
}

/// A kernel over all clusters, color by color, always in the same order. Returns the largest of
/// what it returns.
double cairn_sweeps_over(const cairn_sweeps* s, cairn_cluster_kernel kernel);

/// The same for clusters that write nothing in common.
double cairn_sweeps_over_apart(const cairn_sweeps* s, cairn_cluster_kernel kernel);

/// Velocities afresh from the impulses of the clusters, and the residual of both, m/s. Before it
/// `velocity` is v*, after it v* + M^-1 J^T λ.
double cairn_sweeps_certify(const cairn_sweeps* s);

/// Shared bodies are as light as sweeps see them: 1/m and 1/I of their places.
void cairn_sweeps_split(const cairn_sweeps* s);

/// Sweeps go on from the certified velocities.
void cairn_sweeps_load(const cairn_sweeps* s);

/// A step along the way and a sweep by a kernel, whose largest violation it returns.
double cairn_sweeps_sweep(cairn_sweeps* s, cairn_cluster_kernel kernel);

#endif
