// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The package as a user has it: laws of what a world does through JavaScript. node --test test.mjs

import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './index.js';

const cairn = await load();
const ground = { type: 'static', shape: { kind: 'half_space' } };
const box = { name: 'box', shape: { kind: 'box', size: [1, 1, 1] }, at: [0, 0, 0.5] };

test('a body that falls freely follows the parabola of Galileo', () => {
    const world = cairn.world({ cairn: 1, bodies: [{ ...box, at: [0, 0, 100] }] });
    for (let i = 0; i < 60; i++)
        world.step(1 / 60);
    const slot = world.find('box');
    assert.ok(Math.abs(world.poses[7 * slot + 2] - (100 - 0.5 * 9.81)) < 1e-9);
    assert.ok(Math.abs(world.velocities[6 * slot + 2] + 9.81) < 1e-9);
    world.free();
});

test('the ground carries the weight of a box at rest', () => {
    const world = cairn.world({ cairn: 1, bodies: [ground, box] });
    for (let i = 0; i < 30; i++)
        world.step(1 / 60);
    const { count, points } = world.contacts;
    let impulse = 0;
    for (let i = 0; i < count; i++)
        impulse += points[10 * i + 8];
    // m g dt within the tolerance of the solve
    assert.ok(Math.abs(impulse - 1000 * 9.81 / 60) < 1e-2 * 1000 * 9.81 / 60, `${impulse}`);
    assert.equal(world.report.outcome, 'converged');
    world.free();
});

test('a restored snapshot goes on with the same bits', () => {
    const world = cairn.world({ cairn: 1, bodies: [ground, { ...box, at: [0, 0, 1.2], turn: [20, 30, 0] }] });
    const snapshot = world.snapshot();
    const run = () => {
        for (let i = 0; i < 50; i++)
            world.step();
        return world.hash;
    };
    const first = run();
    world.restore(snapshot);
    assert.equal(run(), first);
    snapshot.free();
    world.free();
});

test('a ray finds the body that stands in its way', () => {
    const world = cairn.world({ cairn: 1, bodies: [ground, box] });
    const hit = world.castRay([-5, 0, 0.5], [10, 0, 0]);
    assert.equal(hit.slot, world.find('box'));
    assert.ok(Math.abs(hit.point[0] + 0.5) < 1e-9);
    assert.equal(world.castRay([-5, 0, 5], [10, 0, 0]), null);
    world.free();
});

test('threads share the work and change no bit', async () => {
    const pile = { cairn: 1, bodies: [ground] };
    for (let i = 0; i < 60; i++)
        pile.bodies.push({ shape: { kind: 'box', size: [1, 1, 1] }, at: [3 * (i % 8), 3 * Math.floor(i / 8), 0.7] });
    const many = await load(null, { threads: 3 });
    assert.equal(many.threads, 3);
    const [one, three] = [cairn, many].map((engine) => {
        const world = engine.world(pile);
        for (let i = 0; i < 60; i++)
            world.step();
        return world.hash;
    });
    many.close();
    assert.equal(three, one);
    assert.equal((await load(null, { threads: 1 })).threads, 1);
});

test('bodies come and go, and forces push them', () => {
    const world = cairn.world({ cairn: 1, bodies: [] }, { gravity: [0, 0, 0] });
    const ball = world.addBody({ shape: 'sphere', radius: 0.5, density: 6 / Math.PI, position: [0, 0, 3] });
    world.addForce(ball, [2, 0, 0]);
    world.step(0.5);
    // of 1 kg: v = F t / m
    assert.ok(Math.abs(world.velocities[6 * ball] - 1) < 1e-12);
    world.removeBody(ball);
    assert.equal(world.states[ball], 0);
    world.free();
});

test('what is wrong is refused by one sentence that names its place', () => {
    assert.throws(() => cairn.world('{"cairn": 1,\n "bodies": [}'), /scene:2:\d+: /);
    assert.throws(() => cairn.world({ cairn: 1, bodies: [{ shape: { kind: 'egg' } }] }), /shape\.kind/);
    assert.throws(() => cairn.world({ cairn: 1, bodies: [] }, { method: 'guess' }), /guess/);
    assert.throws(() => cairn.world({ cairn: 1, bodies: [] }).addBody({ radius: -1 }), Error);
});

test('arrays show the newest state after the memory has grown', () => {
    const world = cairn.world({ cairn: 1, bodies: [ground] });
    const before = world.poses.buffer;
    for (let i = 0; i < 3000; i++)
        world.addBody({ position: [2 * i, 0, 5] });
    world.step(1 / 60);
    assert.equal(world.slots, 3001);
    assert.ok(world.poses[7 * 3000 + 2] < 5);
    assert.ok(world.poses.buffer === before || before.byteLength === 0);
    world.free();
});
