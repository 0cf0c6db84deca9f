// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bullet in double precision: sequential impulses, the same matrix by Dantzig and by Lemke, and for
// joints its multibody in reduced coordinates (bullet_multibody.cpp). The floor is a large box: on
// its static plane a box gets one point of contact per frame, and a sliding one tips over.

#include "bullet_multibody.h"
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

enum { sequential_10 = 10, sequential_50 = 50, dantzig = 1000, lemke = 1001, multibody = 1002 };

const double floor_size = 100.0; // m, half a side

const peer_setting settings[] = {{"sequential impulse, 10 iterations", sequential_10, true, true},
                                 {"sequential impulse, 50 iterations", sequential_50, true, true},
                                 {"MLCP, Dantzig", dantzig, true, true},
                                 {"MLCP, Lemke", lemke, true, true},
                                 {"multibody, articulated-body algorithm", multibody, false, true},
                                 {nullptr, 0, false, false}};

class contact_world final : public bullet_world {
  public:
    contact_world(const peer_scene* scene_, int choice) : scene(scene_)
    {
        dispatcher = std::make_unique<btCollisionDispatcher>(&configuration);
        if (choice == dantzig)
            direct = std::make_unique<btDantzigSolver>();
        if (choice == lemke)
            direct = std::make_unique<btLemkeSolver>();
        if (direct)
            solver = std::make_unique<btMLCPSolver>(direct.get());
        else
            solver = std::make_unique<btSequentialImpulseConstraintSolver>();
        world = std::make_unique<btDiscreteDynamicsWorld>(dispatcher.get(), &broad, solver.get(),
                                                          &configuration);
        world->setGravity(bullet_vector(scene->gravity));
        if (direct)
            world->getSolverInfo().m_minimumSolverBatchSize = 1;
        else
            world->getSolverInfo().m_numIterations = choice;
        for (int i = 0; i < scene->body_count; i++)
            add_body(scene->bodies[i]);
        for (int i = 0; i < scene->joint_count; i++)
            add_joint(scene->joints[i]);
    }

    ~contact_world() override
    {
        for (auto& joint : joints)
            world->removeConstraint(joint.get());
        for (auto& body : bodies)
            world->removeRigidBody(body.get());
    }

    void step(double dt) override
    {
        world->stepSimulation(dt, 0);
    }

    void read(peer_state* all) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            const btTransform& pose = bodies[i]->getWorldTransform();
            bullet_store(&all[i], pose, bodies[i]->getLinearVelocity(),
                         bodies[i]->getAngularVelocity());
        }
    }

  private:
    std::unique_ptr<btCollisionShape> make_shape(const peer_body& body)
    {
        const double* s = body.size;
        switch (body.shape) {
        case PEER_SPHERE:
            return std::make_unique<btSphereShape>(s[0]);
        case PEER_CAPSULE:
            return std::make_unique<btCapsuleShapeZ>(s[0], 2.0 * s[1]);
        case PEER_BOX:
            return std::make_unique<btBoxShape>(btVector3(s[0], s[1], s[2]));
        case PEER_HULL: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (int k = 0; k < body.hull.point_count; k++)
                hull->addPoint(bullet_vector(body.hull.points + 3 * k), false);
            hull->recalcLocalAabb();
            hull->setMargin(1e-3);
            return hull;
        }
        case PEER_HALF_SPACE:
            break;
        }
        return std::make_unique<btBoxShape>(btVector3(floor_size, floor_size, floor_size));
    }

    void add_body(const peer_body& body)
    {
        shapes.push_back(make_shape(body));
        btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes.back().get(),
                                                      bullet_vector(body.inertia));
        info.m_startWorldTransform = bullet_pose(body.start);
        if (body.shape == PEER_HALF_SPACE)
            info.m_startWorldTransform.setOrigin(btVector3(0, 0, -floor_size));
        // two bodies' coefficients are multiplied
        info.m_friction = std::sqrt(body.mu);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& made = *bodies.back();
        made.setLinearVelocity(bullet_vector(body.start.velocity));
        made.setAngularVelocity(bullet_vector(body.start.spin));
        made.setActivationState(DISABLE_DEACTIVATION);
        int group = body.mass > 0.0 ? 1 : 2;
        world->addRigidBody(&made, group, !body.collides ? 0 : body.mass > 0.0 ? 3 : 1);
    }

    void add_joint(const peer_joint& joint)
    {
        btRigidBody& b = *bodies[static_cast<size_t>(joint.b)];
        if (joint.a < 0)
            joints.push_back(
                std::make_unique<btPoint2PointConstraint>(b, bullet_vector(joint.at_b)));
        else
            joints.push_back(std::make_unique<btPoint2PointConstraint>(
                *bodies[static_cast<size_t>(joint.a)], b, bullet_vector(joint.at_a),
                bullet_vector(joint.at_b)));
        world->addConstraint(joints.back().get(), true);
    }

    const peer_scene* scene;
    btDefaultCollisionConfiguration configuration;
    btDbvtBroadphase broad;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    std::unique_ptr<btMLCPSolverInterface> direct;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
};

const char* version(const peer_engine*)
{
    static const std::string text =
        std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
    return text.c_str();
}

void* create(const peer_scene* scene, int choice)
{
    if (choice == multibody)
        return bullet_make_multibody(scene);
    return static_cast<bullet_world*>(new contact_world(scene, choice));
}

void step(void* world, double dt)
{
    static_cast<bullet_world*>(world)->step(dt);
}

void read(void* world, peer_state* all)
{
    static_cast<bullet_world*>(world)->read(all);
}

void destroy(void* world)
{
    delete static_cast<bullet_world*>(world);
}

} // namespace

const peer_engine peer_bullet = {"bullet", "libbullet-dev", version, settings,
                                 nullptr,  create,          step,    read,
                                 destroy,  nullptr,         nullptr};
