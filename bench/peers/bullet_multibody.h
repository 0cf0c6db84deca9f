// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What Bullet's two kinds of worlds share.
#ifndef CAIRN_BENCH_PEERS_BULLET_MULTIBODY_H
#define CAIRN_BENCH_PEERS_BULLET_MULTIBODY_H

#include "engine.h"
#include <LinearMath/btTransform.h>

class bullet_world {
  public:
    virtual ~bullet_world() = default;
    virtual void step(double dt) = 0;
    virtual void read(peer_state* all) = 0;
};

/// Ball joints in reduced coordinates.
bullet_world* bullet_make_multibody(const peer_scene* scene);

inline btVector3 bullet_vector(const double* x)
{
    return btVector3(x[0], x[1], x[2]);
}

inline btTransform bullet_pose(const peer_state& at)
{
    const double* q = at.quaternion;
    return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), bullet_vector(at.position));
}

inline void bullet_store(peer_state* at, const btTransform& pose, const btVector3& v,
                         const btVector3& w)
{
    btQuaternion q = pose.getRotation();
    const double turn[4] = {q.w(), q.x(), q.y(), q.z()};
    for (int k = 0; k < 4; k++)
        at->quaternion[k] = turn[k];
    for (int k = 0; k < 3; k++) {
        at->position[k] = pose.getOrigin()[k];
        at->velocity[k] = v[k];
        at->spin[k] = w[k];
    }
}

#endif
