// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bullet's multibody: the articulated-body algorithm in reduced coordinates.

#include "peers.h"
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <algorithm>
#include <chrono>

double peer_bullet_us(const int* parent, int bodies, int repetitions)
{
    const btVector3 inertia(0.01, 0.01, 0.01);
    btMultiBody body(bodies - 1, 1.0, inertia, false, false);
    for (int i = 1; i < bodies; i++)
        body.setupSpherical(i - 1, 1.0, inertia, parent[i] - 1, btQuaternion(0, 0, 0, 1),
                            btVector3(0.5, 0, 0), btVector3(0.5, 0, 0), true);
    body.finalizeMultiDof();
    body.setBaseVel(btVector3(0, 0, 0));

    btAlignedObjectArray<btScalar> r;
    btAlignedObjectArray<btVector3> v;
    btAlignedObjectArray<btMatrix3x3> m;
    double best = 1e30;
    for (int k = 0; k < repetitions; k++) {
        body.clearForcesAndTorques();
        for (int i = 0; i < bodies - 1; i++)
            body.addLinkForce(i, btVector3(0, 0, -9.81));

        // the acceleration alone is timed
        auto start = std::chrono::steady_clock::now();
        body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(1e-3, r, v, m, false, false,
                                                                  false);
        std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());

        body.stepPositionsMultiDof(1e-3);
    }
    return best;
}
