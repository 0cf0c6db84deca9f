// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Laws that the distance of two shapes obeys, each checked without a second implementation. A law
// that is broken is given by name.
#ifndef CAIRN_TESTS_COLLIDE_LAWS_H
#define CAIRN_TESTS_COLLIDE_LAWS_H

#include "collide_reference.h"

typedef struct law_pair {
    cairn_shape a, b;
    cairn_transform xa, xb;
    double scale; ///< m: what "relative" refers to, the extent of both shapes together
} law_pair;

/// Poses with a distance of the centers from 0 to `spread` times the sum of the radii.
void law_random_poses(law_pair* pair, cairn_random* random, double spread);

/// Two convex shapes that are apart by `g`: the points lie on the shapes, the normal joins them and
/// is a normal of both shapes at them, to 1e-9. Returns the first law that is broken, or NULL; `by`
/// is how much.
const char* law_of_apart(const law_pair* pair, const cairn_gap* g, double* by);

/// Any two shapes: finite numbers, and the same answer with A and B swapped and with both moved.
const char* law_of_symmetry(const law_pair* pair, const cairn_gap* g, double* by);

/// How many points of `now` have the names of points of `old`.
int law_kept_points(const cairn_manifold* old, const cairn_manifold* now);

/// A whole number from the environment: CAIRN_CAMPAIGN=N makes it N cases of every kind (with
/// CK_FORK=no, as a million takes longer than a test may), CAIRN_SEED gives other ones.
int law_from_environment(const char* name, int otherwise);

/// Says on standard output which law was broken; at most a few times for each pair of kinds.
void law_report(const law_pair* pair, int broken, int trial, const char* law, double by);

#endif
