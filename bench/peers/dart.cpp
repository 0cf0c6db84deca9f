// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// DART: its boxed LCP by Dantzig's method and by projected Gauss-Seidel, with its own collision
// detector, which knows spheres and boxes; the floor is a large box. Ball joints are skeletons in
// reduced coordinates. Hulls are left out: only the detectors of other packages know them.

#include "engine.h"
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <string>

namespace {

enum { dantzig, gauss_seidel };

const double floor_size = 200.0; // m, a side
const int body_limit = 600;

const peer_setting settings[] = {{"boxed LCP, Dantzig", dantzig, true, true},
                                 {"boxed LCP, PGS", gauss_seidel, true, false},
                                 {nullptr, 0, false, false}};

Eigen::Vector3d vector(const double* x)
{
    return Eigen::Vector3d(x[0], x[1], x[2]);
}

Eigen::Isometry3d pose(const peer_state& at)
{
    const double* q = at.quaternion;
    Eigen::Isometry3d x = Eigen::Isometry3d::Identity();
    x.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    x.translation() = vector(at.position);
    return x;
}

class dart_world {
  public:
    dart_world(const peer_scene* scene_, int choice) : scene(scene_)
    {
        using namespace dart::constraint;
        auto lcp = std::make_unique<BoxedLcpConstraintSolver>(
            choice == dantzig ? BoxedLcpSolverPtr(std::make_shared<DantzigBoxedLcpSolver>())
                              : BoxedLcpSolverPtr(std::make_shared<PgsBoxedLcpSolver>()));
        if (choice == dantzig)
            lcp->setSecondaryBoxedLcpSolver(std::make_shared<PgsBoxedLcpSolver>());
        lcp->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
        lcp->getCollisionOption().maxNumContacts = 100000;
        world->setConstraintSolver(std::move(lcp));
        world->setTimeStep(scene->dt);
        world->setGravity(vector(scene->gravity));
        nodes.resize(static_cast<size_t>(scene->body_count), nullptr);
        if (scene->joint_count > 0)
            add_linkage();
        else
            for (int i = 0; i < scene->body_count; i++)
                add_body(i);
    }

    void step()
    {
        world->step();
    }

    void read(peer_state* all) const
    {
        for (int i = 0; i < scene->body_count; i++) {
            const auto* node = nodes[static_cast<size_t>(i)];
            all[i] = scene->bodies[i].start;
            if (!node)
                continue;
            Eigen::Quaterniond q(node->getWorldTransform().linear());
            const double turn[4] = {q.w(), q.x(), q.y(), q.z()};
            Eigen::Vector3d x = node->getWorldTransform().translation();
            Eigen::Vector3d v = node->getLinearVelocity(), w = node->getAngularVelocity();
            for (int k = 0; k < 4; k++)
                all[i].quaternion[k] = turn[k];
            for (int k = 0; k < 3; k++) {
                all[i].position[k] = x[k];
                all[i].velocity[k] = v[k];
                all[i].spin[k] = w[k];
            }
        }
    }

  private:
    static dart::dynamics::Inertia inertia(const peer_body& body)
    {
        return dart::dynamics::Inertia(body.mass, Eigen::Vector3d::Zero(),
                                       vector(body.inertia).asDiagonal().toDenseMatrix());
    }

    static dart::dynamics::ShapePtr shape(const peer_body& body)
    {
        using namespace dart::dynamics;
        if (body.shape == PEER_SPHERE)
            return std::make_shared<SphereShape>(body.size[0]);
        if (body.shape == PEER_BOX)
            return std::make_shared<BoxShape>(2.0 * vector(body.size));
        return std::make_shared<BoxShape>(Eigen::Vector3d::Constant(floor_size));
    }

    void add_body(int i)
    {
        using namespace dart::dynamics;
        const peer_body& body = scene->bodies[i];
        auto skeleton = Skeleton::create("body " + std::to_string(i));
        BodyNode* node;
        Eigen::Isometry3d at = pose(body.start);
        if (body.mass > 0.0) {
            auto made = skeleton->createJointAndBodyNodePair<FreeJoint>();
            node = made.second;
            node->setInertia(inertia(body));
            made.first->setTransform(at);
            made.first->setLinearVelocity(vector(body.start.velocity));
            made.first->setAngularVelocity(vector(body.start.spin));
            nodes[static_cast<size_t>(i)] = node;
        } else {
            if (body.shape == PEER_HALF_SPACE)
                at.translation() = Eigen::Vector3d(0, 0, -0.5 * floor_size);
            auto made = skeleton->createJointAndBodyNodePair<WeldJoint>();
            made.first->setTransformFromParentBodyNode(at);
            node = made.second;
        }
        auto* part = node->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape(body));
        part->getDynamicsAspect()->setFrictionCoeff(body.mu);
        part->getDynamicsAspect()->setRestitutionCoeff(0.0);
        world->addSkeleton(skeleton);
    }

    void add_linkage()
    {
        using namespace dart::dynamics;
        auto skeleton = Skeleton::create("linkage");
        for (int i = 0; i < scene->joint_count; i++) {
            const peer_joint& joint = scene->joints[i];
            Eigen::Isometry3d parent = Eigen::Isometry3d::Identity();
            BodyNode* above = nullptr;
            if (joint.a >= 0) {
                parent = pose(scene->bodies[joint.a].start);
                above = nodes[static_cast<size_t>(joint.a)];
            }
            Eigen::Isometry3d start = parent.inverse() * pose(scene->bodies[joint.b].start);
            auto made = skeleton->createJointAndBodyNodePair<BallJoint>(above);
            Eigen::Isometry3d from_child = Eigen::Isometry3d::Identity();
            from_child.translation() = vector(joint.at_b);
            made.first->setTransformFromChildBodyNode(from_child);
            made.first->setTransformFromParentBodyNode(start * from_child);
            made.second->setInertia(inertia(scene->bodies[joint.b]));
            nodes[static_cast<size_t>(joint.b)] = made.second;
        }
        world->addSkeleton(skeleton);
    }

    const peer_scene* scene;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    std::vector<dart::dynamics::BodyNode*> nodes;
};

const char* version(const peer_engine*)
{
    return DART_VERSION;
}

bool refuses(const peer_scene* scene, int)
{
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].shape == PEER_HULL)
            return true;
    return scene->body_count > body_limit;
}

void* create(const peer_scene* scene, int choice)
{
    return new dart_world(scene, choice);
}

void step(void* world, double)
{
    static_cast<dart_world*>(world)->step();
}

void read(void* world, peer_state* all)
{
    static_cast<dart_world*>(world)->read(all);
}

void destroy(void* world)
{
    delete static_cast<dart_world*>(world);
}

} // namespace

const peer_engine peer_dart = {"dart", "libdart-dev", version, settings, refuses, create,
                               step,   read,          destroy, nullptr,  nullptr};
