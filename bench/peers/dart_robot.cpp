// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// DART: robots in joint coordinates (articulated bodies, semi-implicit Euler), without contacts.

#include "peers.h"
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <string>
#include <tuple>
#include <vector>

using namespace dart::dynamics;

struct peer_dart_robot {
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    SkeletonPtr skeleton = Skeleton::create("robot");
};

namespace {

// rad/s or m/s: in DART, what is faster ends the program sooner or later
const double most_speed = 1e6;

Eigen::Vector3d vector(cairn_vec3 x)
{
    return Eigen::Vector3d(x.x, x.y, x.z);
}

Eigen::Quaterniond turn(const double* q)
{
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

Eigen::Isometry3d pose(const cairn_transform& at)
{
    const double q[4] = {at.q.w, at.q.x, at.q.y, at.q.z};
    Eigen::Isometry3d x = Eigen::Isometry3d::Identity();
    x.linear() = turn(q).toRotationMatrix();
    x.translation() = vector(at.p);
    return x;
}

Inertia inertia(const cairn_multibody_link& link)
{
    Eigen::Matrix3d I;
    I << vector(link.inertia.cx), vector(link.inertia.cy), vector(link.inertia.cz);
    return Inertia(link.mass, vector(link.center), I);
}

// a link and its joint; DART tells on the terminal of names that are used twice
template <class Kind> std::pair<Kind*, BodyNode*> add(const SkeletonPtr& skeleton, BodyNode* parent)
{
    typename Kind::Properties joint;
    BodyNode::Properties node;
    joint.mName = node.mName = std::to_string(skeleton->getNumBodyNodes());
    return skeleton->createJointAndBodyNodePair<Kind>(parent, joint, node);
}

// the frame of the joint sits at the anchor and has the axes of the link
BodyNode* add_link(const SkeletonPtr& skeleton, BodyNode* parent, const cairn_multibody_link& link)
{
    Joint* joint = nullptr;
    BodyNode* node = nullptr;

    if (link.mobility == CAIRN_MOBILITY_HINGE) {
        RevoluteJoint* hinge;
        std::tie(hinge, node) = add<RevoluteJoint>(skeleton, parent);
        hinge->setAxis(vector(link.axis));
        joint = hinge;
    } else if (link.mobility == CAIRN_MOBILITY_SLIDE) {
        PrismaticJoint* slide;
        std::tie(slide, node) = add<PrismaticJoint>(skeleton, parent);
        slide->setAxis(vector(link.axis));
        joint = slide;
    } else if (link.mobility == CAIRN_MOBILITY_BALL)
        std::tie(joint, node) = add<BallJoint>(skeleton, parent);
    else if (link.mobility == CAIRN_MOBILITY_FREE)
        std::tie(joint, node) = add<FreeJoint>(skeleton, parent);
    else
        std::tie(joint, node) = add<WeldJoint>(skeleton, parent);

    node->setInertia(inertia(link));
    if (link.mobility != CAIRN_MOBILITY_FREE) {
        Eigen::Isometry3d anchor = Eigen::Isometry3d::Identity();
        anchor.translation() = vector(link.anchor);
        joint->setTransformFromChildBodyNode(anchor);
        joint->setTransformFromParentBodyNode(pose(link.at) * anchor);
    }
    return node;
}

// the coordinates of a joint; those of a free one are of the link's frame
void set_state(Joint* joint, const double* q, const double* v)
{
    if (auto* free = dynamic_cast<FreeJoint*>(joint)) {
        Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
        at.linear() = turn(q + 3).toRotationMatrix();
        at.translation() = Eigen::Vector3d(q[0], q[1], q[2]);
        free->setTransform(at);
        free->setLinearVelocity(Eigen::Vector3d(v[0], v[1], v[2]));
        free->setAngularVelocity(at.linear() * Eigen::Vector3d(v[3], v[4], v[5]));
    } else if (auto* ball = dynamic_cast<BallJoint*>(joint)) {
        ball->setPositions(BallJoint::convertToPositions(turn(q).toRotationMatrix()));
        ball->setVelocities(Eigen::Vector3d(v[0], v[1], v[2]));
    } else if (joint->getNumDofs() == 1) {
        joint->setPosition(0, q[0]);
        joint->setVelocity(0, v[0]);
    }
}

} // namespace

peer_dart_robot* peer_dart_robot_create(const cairn_multibody* model, const double* q,
                                        const double* v, cairn_vec3 gravity, double dt)
{
    auto* robot = new peer_dart_robot;
    std::vector<BodyNode*> nodes;

    for (int i = 0; i < cairn_multibody_links(model); i++) {
        cairn_multibody_link link = cairn_multibody_get(model, i);
        BodyNode* parent = link.parent < 0 ? nullptr : nodes[static_cast<size_t>(link.parent)];
        nodes.push_back(add_link(robot->skeleton, parent, link));
    }

    robot->world->setGravity(vector(gravity));
    robot->world->setTimeStep(dt);
    robot->world->addSkeleton(robot->skeleton);
    for (int i = 0; i < cairn_multibody_links(model); i++)
        set_state(nodes[static_cast<size_t>(i)]->getParentJoint(),
                  q + cairn_multibody_q_offset(model, i), v + cairn_multibody_v_offset(model, i));
    return robot;
}

bool peer_dart_robot_step(peer_dart_robot* robot)
{
    robot->world->step();
    return robot->skeleton->getVelocities().lpNorm<Eigen::Infinity>() < most_speed;
}

void peer_dart_robot_energy(const peer_dart_robot* robot, double* kinetic, double* potential)
{
    *kinetic = robot->skeleton->computeKineticEnergy();

    // DART's own sum takes the origins of the links for their centers of mass
    *potential = 0.0;
    for (const BodyNode* node : robot->skeleton->getBodyNodes())
        *potential -= node->getMass() * robot->world->getGravity().dot(node->getCOM());
}

void peer_dart_robot_destroy(peer_dart_robot* robot)
{
    delete robot;
}
