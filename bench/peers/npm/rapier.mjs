// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Rapier with `choice` solver iterations (4 is its default). It has no half-space here: the floor is a large box.

import RAPIER from "@dimforge/rapier3d-simd-compat";

const vector = ([x, y, z]) => ({ x, y, z });
const rotation = ([w, x, y, z]) => ({ x, y, z, w });

function shapeOf(body) {
    const [a, b, c] = body.size;
    switch (body.shape) {
    case "sphere":
        return RAPIER.ColliderDesc.ball(a);
    case "capsule": // its axis is y
        return RAPIER.ColliderDesc.capsule(b, a).setRotation({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 });
    case "box":
        return RAPIER.ColliderDesc.cuboid(a, b, c);
    case "hull":
        return RAPIER.ColliderDesc.convexHull(new Float32Array(body.points));
    default:
        return RAPIER.ColliderDesc.cuboid(200, 200, 10).setTranslation(0, 0, -10);
    }
}

function addBody(world, body) {
    const moves = body.mass > 0;
    const about = moves ? RAPIER.RigidBodyDesc.dynamic().setCanSleep(false) : RAPIER.RigidBodyDesc.fixed();
    about.setTranslation(...body.position).setRotation(rotation(body.quaternion));
    if (moves) {
        about.setLinvel(...body.velocity).setAngvel(vector(body.spin));
        about.setAdditionalMassProperties(body.mass, vector([0, 0, 0]), vector(body.inertia), rotation([1, 0, 0, 0]));
    }
    const made = world.createRigidBody(about);
    if (body.collides)
        world.createCollider(shapeOf(body).setDensity(0).setFriction(body.mu).setRestitution(0), made);
    return made;
}

export default async function create(scene, choice) {
    await RAPIER.init();
    const world = new RAPIER.World(vector(scene.gravity));
    world.timestep = scene.dt;
    world.numSolverIterations = choice;

    const bodies = scene.bodies.map((body) => addBody(world, body));
    const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    for (const { a, b, at_a, at_b } of scene.joints) {
        const ball = RAPIER.JointData.spherical(vector(at_a), vector(at_b));
        world.createImpulseJoint(ball, a < 0 ? ground : bodies[a], bodies[b], true);
    }

    return {
        step: () => world.step(),
        read(i, put) {
            const p = bodies[i].translation(), q = bodies[i].rotation(), v = bodies[i].linvel(), w = bodies[i].angvel();
            put([p.x, p.y, p.z], [q.w, q.x, q.y, q.z], [v.x, v.y, v.z], [w.x, w.y, w.z]);
        },
    };
}
