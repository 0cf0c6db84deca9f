// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Havok as Babylon.js ships it, as it comes. The floor is a large box.

import fs from "node:fs";
import { createRequire } from "node:module";
import load from "@babylonjs/havok";

let loaded;
const turned = ([w, x, y, z]) => [x, y, z, w];
const straight = [0, 0, 0, 1];

function checked([result, value]) {
    if (result.value !== 0 && result !== 0) throw new Error("Havok refused");
    return value;
}

function hullOf(hk, points) {
    const size = 4 * points.length, at = hk._malloc(size);
    new Float32Array(hk.HEAPU8.buffer, at, points.length).set(points);
    const shape = checked(hk.HP_Shape_CreateConvexHull(at, points.length / 3));
    hk._free(at);
    return shape;
}

function shapeOf(hk, body) {
    const [a, b, c] = body.size;
    switch (body.shape) {
    case "sphere":
        return checked(hk.HP_Shape_CreateSphere([0, 0, 0], a));
    case "capsule":
        return checked(hk.HP_Shape_CreateCapsule([0, 0, -b], [0, 0, b], a));
    case "box":
        return checked(hk.HP_Shape_CreateBox([0, 0, 0], straight, [2 * a, 2 * b, 2 * c]));
    case "hull":
        return hullOf(hk, body.points);
    default:
        return checked(hk.HP_Shape_CreateBox([0, 0, -10], straight, [400, 400, 20]));
    }
}

function addBody(hk, world, body) {
    const moves = body.mass > 0, made = checked(hk.HP_Body_Create()), shape = shapeOf(hk, body);
    hk.HP_Shape_SetMaterial(shape, [body.mu, body.mu, 0, hk.MaterialCombine.MINIMUM, hk.MaterialCombine.MINIMUM]);
    if (!body.collides) hk.HP_Shape_SetFilterInfo(shape, [0, 0]);
    hk.HP_Body_SetShape(made, shape);
    hk.HP_Body_SetMotionType(made, moves ? hk.MotionType.DYNAMIC : hk.MotionType.STATIC);
    hk.HP_Body_SetQTransform(made, [body.position, turned(body.quaternion)]);
    if (moves) {
        // inertia is that of a mass of 1
        hk.HP_Body_SetMassProperties(made, [[0, 0, 0], body.mass, body.inertia.map((x) => x / body.mass), straight]);
        hk.HP_Body_SetLinearDamping(made, 0);
        hk.HP_Body_SetAngularDamping(made, 0);
        hk.HP_Body_SetLinearVelocity(made, body.velocity);
        hk.HP_Body_SetAngularVelocity(made, body.spin);
    }
    hk.HP_World_AddBody(world, made, false);
    if (moves) hk.HP_Body_SetActivationControl(made, hk.ActivationControl.ALWAYS_ACTIVE);
    return made;
}

function addJoint(hk, ground, bodies, { a, b, at_a, at_b }) {
    const ball = checked(hk.HP_Constraint_Create());
    hk.HP_Constraint_SetParentBody(ball, a < 0 ? ground : bodies[a]);
    hk.HP_Constraint_SetChildBody(ball, bodies[b]);
    hk.HP_Constraint_SetAnchorInParent(ball, at_a, [1, 0, 0], [0, 1, 0]);
    hk.HP_Constraint_SetAnchorInChild(ball, at_b, [1, 0, 0], [0, 1, 0]);
    for (const axis of ["LINEAR_X", "LINEAR_Y", "LINEAR_Z"])
        hk.HP_Constraint_SetAxisMode(ball, hk.ConstraintAxis[axis], hk.ConstraintAxisLimitMode.LOCKED);
    hk.HP_Constraint_SetCollisionsEnabled(ball, 0);
    hk.HP_Constraint_SetEnabled(ball, 1);
}

export default async function create(scene) {
    // node cannot fetch a file by its address
    const package_ = createRequire(import.meta.url).resolve("@babylonjs/havok");
    const wasmBinary = fs.readFileSync(new URL("HavokPhysics.wasm", `file://${package_}`));
    const hk = await (loaded ??= load({ wasmBinary }));
    const world = checked(hk.HP_World_Create());
    hk.HP_World_SetGravity(world, scene.gravity);
    hk.HP_World_SetIdealStepTime(world, scene.dt);

    const bodies = scene.bodies.map((body) => addBody(hk, world, body));
    const ground = checked(hk.HP_Body_Create());
    hk.HP_Body_SetMotionType(ground, hk.MotionType.STATIC);
    hk.HP_World_AddBody(world, ground, false);
    for (const joint of scene.joints) addJoint(hk, ground, bodies, joint);

    return {
        step: () => hk.HP_World_Step(world, scene.dt),
        read(i, put) {
            const [at, [x, y, z, w]] = checked(hk.HP_Body_GetQTransform(bodies[i]));
            put(at, [w, x, y, z], checked(hk.HP_Body_GetLinearVelocity(bodies[i])),
                checked(hk.HP_Body_GetAngularVelocity(bodies[i])));
        },
    };
}
