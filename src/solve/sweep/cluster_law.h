// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Laws of friction as lanes of a cluster (cairn_cluster_law).
#ifndef CAIRN_SOLVE_CLUSTER_LAW_H
#define CAIRN_SOLVE_CLUSTER_LAW_H

#include "problem/friction.h"
#include "solve/sweep/cluster.h"

/// Gives a lane the law of a contact of `rows` rows (1, 3, or 4 with spin) whose first tangent is
/// cosine t + sine s. Returns μ, the radius of its ball by λ_N.
double cairn_cluster_set_law(cairn_cluster_law* law, int lane, const cairn_friction* friction,
                             int rows, double cosine, double sine);

#endif
