// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Random contact problems for campaigns: free bodies of random mass and shape, contacts at random
// points with random normals against the world and each other, some of them repeated, and b from
// random velocities of the bodies, so that b lies in the range of A.
#ifndef CAIRN_BENCH_RANDOM_CONTACTS_H
#define CAIRN_BENCH_RANDOM_CONTACTS_H

#include <cairn/problem.h>
#include <cairn/random.h>

typedef struct random_contacts {
    int bodies;
    int contacts;
    int repeated; ///< of the contacts: copies of earlier ones
    int space;    ///< 2: all in a plane, contacts of two rows; 3
    double mu;    ///< 0: contacts of one row
} random_contacts;

/// Builds a problem; destroy it with cairn_problem_destroy.
cairn_problem random_contacts_make(const random_contacts* def, cairn_random* random);

/// Adds to b what random velocities of the bodies, up to `speed` (m/s, rad/s) in each coordinate,
/// contribute.
void random_contacts_stir(cairn_problem* problem, double speed, cairn_random* random);

#endif
