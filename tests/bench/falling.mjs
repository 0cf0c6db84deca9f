// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An engine of one formula for the test of the driver: bodies fall freely, whatever is in their way. It refuses joints.

export default async function create(scene) {
    let time = 0;
    if (scene.joints.length) throw new Error("no joints here");
    return {
        step: () => { time += scene.dt; },
        read(i, put) {
            const { position, quaternion, velocity, spin } = scene.bodies[i];
            put(position.map((x, k) => x + velocity[k] * time + 0.5 * scene.gravity[k] * time * time), quaternion,
                velocity.map((v, k) => v + scene.gravity[k] * time), spin);
        },
    };
}
