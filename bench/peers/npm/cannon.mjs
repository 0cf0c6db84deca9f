// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cannon-es with `choice` iterations of its Gauss-Seidel solver (10 is its default). It has no capsules.

import * as CANNON from "cannon-es";

const vector = (v) => new CANNON.Vec3(...v);

function hullOf(body) {
    const vertices = [], faces = [];
    for (let i = 0; i < body.points.length; i += 3) vertices.push(vector(body.points.slice(i, i + 3)));
    for (let i = 0; i < body.polygons.length; i += 1 + body.polygons[i])
        faces.push(body.polygons.slice(i + 1, i + 1 + body.polygons[i]));
    return new CANNON.ConvexPolyhedron({ vertices, faces });
}

function shapeOf(body) {
    switch (body.shape) {
    case "sphere":
        return new CANNON.Sphere(body.size[0]);
    case "box":
        return new CANNON.Box(vector(body.size));
    case "hull":
        return hullOf(body);
    case "half_space":
        return new CANNON.Plane();
    default:
        throw new Error("no such shape");
    }
}

function addBody(world, body) {
    const [w, x, y, z] = body.quaternion;
    const made = new CANNON.Body({ mass: body.mass, position: vector(body.position),
        quaternion: new CANNON.Quaternion(x, y, z, w), velocity: vector(body.velocity),
        angularVelocity: vector(body.spin), linearDamping: 0, angularDamping: 0 });
    if (body.collides) made.addShape(shapeOf(body));
    if (body.mass > 0) {
        made.inertia.set(...body.inertia);
        made.invInertia.set(...body.inertia.map((i) => 1 / i));
        made.updateInertiaWorld(true);
    }
    world.addBody(made);
    return made;
}

export default async function create(scene, choice) {
    const world = new CANNON.World({ gravity: vector(scene.gravity) });
    world.solver.iterations = choice;
    world.broadphase = new CANNON.SAPBroadphase(world);
    world.defaultContactMaterial.friction = scene.bodies[0]?.mu ?? 0;
    world.defaultContactMaterial.restitution = 0;

    const bodies = scene.bodies.map((body) => addBody(world, body)), ground = new CANNON.Body();
    world.addBody(ground);
    for (const { a, b, at_a, at_b } of scene.joints)
        world.addConstraint(new CANNON.PointToPointConstraint(a < 0 ? ground : bodies[a], vector(at_a), bodies[b],
            vector(at_b)));

    return {
        step: () => world.step(scene.dt),
        read(i, put) {
            const { position: p, quaternion: q, velocity: v, angularVelocity: w } = bodies[i];
            put([p.x, p.y, p.z], [q.w, q.x, q.y, q.z], [v.x, v.y, v.z], [w.x, w.y, w.z]);
        },
    };
}
