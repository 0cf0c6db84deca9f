// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A tree of ball joints as one of Bullet's multibodies: a fixed base at the origin, one spherical
// link for each body. Its damping, 0.04 by default, is switched off.

#include "bullet_multibody.h"
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <vector>

namespace {

class multibody_world final : public bullet_world {
  public:
    explicit multibody_world(const peer_scene* scene_)
        : scene(scene_), dispatcher(&configuration),
          world(&dispatcher, &broad, &solver, &configuration),
          body(scene_->body_count, 0.0, btVector3(0, 0, 0), true, false)
    {
        for (int i = 0; i < scene->joint_count; i++)
            add_link(scene->joints[i]);
        body.finalizeMultiDof();
        body.setLinearDamping(0.0);
        body.setAngularDamping(0.0);
        body.setMaxCoordinateVelocity(1e9);
        world.setGravity(bullet_vector(scene->gravity));
        world.addMultiBody(&body);
    }

    ~multibody_world() override
    {
        world.removeMultiBody(&body);
    }

    void step(double dt) override
    {
        world.stepSimulation(dt, 0);
    }

    void read(peer_state* all) override
    {
        size_t count = static_cast<size_t>(scene->body_count) + 1;
        btAlignedObjectArray<btQuaternion> turns;
        btAlignedObjectArray<btVector3> places;
        std::vector<btVector3> spin(count), velocity(count);
        body.forwardKinematics(turns, places);
        body.compTreeLinkVelocities(spin.data(), velocity.data());
        for (int i = 0; i < scene->body_count; i++) {
            const btTransform& pose = body.getLink(i).m_cachedWorldTransform;
            size_t k = static_cast<size_t>(i) + 1;
            bullet_store(&all[i], pose, pose.getBasis() * velocity[k], pose.getBasis() * spin[k]);
        }
    }

  private:
    void add_link(const peer_joint& joint)
    {
        const peer_body& link = scene->bodies[joint.b];
        btQuaternion parent(0, 0, 0, 1), own = bullet_pose(link.start).getRotation();
        if (joint.a >= 0)
            parent = bullet_pose(scene->bodies[joint.a].start).getRotation();
        body.setupSpherical(joint.b, link.mass, bullet_vector(link.inertia), joint.a,
                            own.inverse() * parent, bullet_vector(joint.at_a),
                            -bullet_vector(joint.at_b), true);
    }

    const peer_scene* scene;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world;
    btMultiBody body;
};

} // namespace

bullet_world* bullet_make_multibody(const peer_scene* scene)
{
    return new multibody_world(scene);
}
