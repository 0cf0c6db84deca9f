// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One engine from npm on one scene: node driver.mjs ENGINE CHOICE (see ../npm.c, which starts it).
//
// Both sides talk over file 3, a socket. The benchmark sends the length of the scene (4 bytes, little-endian), the
// scene as JSON, and then one byte for each frame to step. The driver answers with one byte, 'y' when the scene
// could be made, else 'n'; then, after each frame, with the milliseconds of the step and 13 numbers per body
// (position, quaternion w x y z, velocity, spin), as doubles.
//
// An engine is a module ENGINE.mjs whose default export makes a world of a scene: { step(), read(i, put) },
// where put(position, quaternion, velocity, spin) takes arrays. Whatever engines print goes nowhere.

import fs from "node:fs";
import process from "node:process";

const socket = 3;
console.log = console.warn = console.error = () => {};

function readExactly(size) {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size;) {
        const count = fs.readSync(socket, bytes, at, size - at, null);
        if (count === 0) process.exit(0); // the benchmark has ended
        at += count;
    }
    return bytes;
}

function writeExactly(bytes) {
    for (let at = 0; at < bytes.length;) at += fs.writeSync(socket, bytes, at);
}

// the lesser of wall time and processor time, as for the engines in C
function timed(work) {
    const wall = performance.now(), processor = process.cpuUsage();
    work();
    const used = process.cpuUsage(processor);
    return Math.min(performance.now() - wall, (used.user + used.system) / 1e3);
}

const [engine, choice] = process.argv.slice(2);
const scene = JSON.parse(readExactly(readExactly(4).readUInt32LE(0)).toString());

// code is compiled while it first runs: a world that nobody looks at takes that upon itself
const warmFrames = 60, warmMilliseconds = 1000;
let world = null;
try {
    const { default: create } = await import(`./${engine}.mjs`);
    const first = await create(scene, Number(choice)), until = performance.now() + warmMilliseconds;
    for (let i = 0; first && i < warmFrames && performance.now() < until; i++) first.step();
    world = await create(scene, Number(choice));
} catch {
    // an engine that throws cannot make the scene
}
writeExactly(Buffer.from(world ? "y" : "n"));
if (!world) process.exit(0);

// bodies that do not move stay where they are
const state = new Float64Array(1 + 13 * scene.bodies.length);
scene.bodies.forEach((b, i) => state.set([...b.position, ...b.quaternion, ...b.velocity, ...b.spin], 1 + 13 * i));
for (;;) {
    readExactly(1);
    state[0] = timed(() => world.step());
    scene.bodies.forEach((b, i) => {
        if (b.mass > 0)
            world.read(i, (...parts) => parts.reduce((at, part) => (state.set(part, at), at + part.length), 1 + 13 * i));
    });
    writeExactly(Buffer.from(state.buffer));
}
