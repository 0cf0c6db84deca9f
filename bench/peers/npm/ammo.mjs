// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bullet as ammo.js (single precision): sequential impulses, 10 iterations as it comes. The floor is a large box,
// since a box gets one contact point per frame on Bullet's static plane.

import Ammo from "ammo.js";

const vector = (v) => new Ammo.btVector3(...v);
const rotation = ([w, x, y, z]) => new Ammo.btQuaternion(x, y, z, w);

function shapeOf(body) {
    const [a, b, c] = body.size;
    let hull;
    switch (body.shape) {
    case "sphere":
        return new Ammo.btSphereShape(a);
    case "capsule":
        return new Ammo.btCapsuleShapeZ(a, 2 * b);
    case "box":
        return new Ammo.btBoxShape(vector([a, b, c]));
    case "hull":
        hull = new Ammo.btConvexHullShape();
        for (let i = 0; i < body.points.length; i += 3) hull.addPoint(vector(body.points.slice(i, i + 3)));
        return hull;
    default:
        return new Ammo.btBoxShape(vector([200, 200, 10]));
    }
}

function addBody(world, body) {
    const moves = body.mass > 0, at = new Ammo.btTransform();
    at.setIdentity();
    at.setOrigin(vector(body.shape === "half_space" ? [0, 0, -10] : body.position));
    at.setRotation(rotation(body.quaternion));
    const about = new Ammo.btRigidBodyConstructionInfo(body.mass, new Ammo.btDefaultMotionState(at), shapeOf(body),
        vector(moves ? body.inertia : [0, 0, 0]));
    const made = new Ammo.btRigidBody(about);
    made.setFriction(Math.sqrt(body.mu)); // the coefficients of two bodies are multiplied
    made.setRestitution(0);
    made.setDamping(0, 0);
    made.setActivationState(4); // never sleeps
    if (moves) {
        made.setLinearVelocity(vector(body.velocity));
        made.setAngularVelocity(vector(body.spin));
    }
    if (body.collides) world.addRigidBody(made);
    else world.addRigidBody(made, 1, 0);
    return made;
}

export default async function create(scene) {
    const settings = new Ammo.btDefaultCollisionConfiguration();
    const world = new Ammo.btDiscreteDynamicsWorld(new Ammo.btCollisionDispatcher(settings), new Ammo.btDbvtBroadphase(),
        new Ammo.btSequentialImpulseConstraintSolver(), settings);
    world.setGravity(vector(scene.gravity));

    const bodies = scene.bodies.map((body) => addBody(world, body));
    for (const { a, b, at_a, at_b } of scene.joints)
        world.addConstraint(a < 0 ? new Ammo.btPoint2PointConstraint(bodies[b], vector(at_b))
            : new Ammo.btPoint2PointConstraint(bodies[a], bodies[b], vector(at_a), vector(at_b)), true);

    return {
        step: () => world.stepSimulation(scene.dt, 0),
        read(i, put) {
            const place = bodies[i].getWorldTransform(), p = place.getOrigin(), at = [p.x(), p.y(), p.z()];
            const q = place.getRotation(), turn = [q.w(), q.x(), q.y(), q.z()];
            const v = bodies[i].getLinearVelocity(), speed = [v.x(), v.y(), v.z()], w = bodies[i].getAngularVelocity();
            put(at, turn, speed, [w.x(), w.y(), w.z()]);
        },
    };
}
