// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The same bits everywhere: twelve scenes of contacts, joints, impacts and round bodies by the native program, and by
// the modules in node and in Chromium, the one with threads on three of them. Ends with the line `N hashes equal`.
//     node hashes.mjs CAIRN SOURCE_DIR [CHROMIUM]

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { load } from '../../web/npm/index.js';

const [, , cairn, source, chromium] = process.argv;
const scenes = ['wall', 'arch', 'domino', 'chain', 'gears', 'fourbar', 'newton-cradle', 'bounce', 'cards', 'jacks',
    'ragdolls', 'tumble'];
const modules = { 'cairn.wasm': 1, 'cairn-scalar.wasm': 1, 'cairn-threads.wasm': 3 }; // and their threads
const STEPS = 120;
const textOf = (scene) => readFileSync(join(source, 'scenes', `${scene}.json`), 'utf8');

function native(scene) {
    let out;
    try {
        out = execFileSync(cairn, ['run', scene, '--steps', String(STEPS), '--json'], { encoding: 'utf8' });
    } catch (error) {
        out = error.stdout; // status 1: a solve missed its tolerance, and is compared all the same
    }
    return JSON.parse(out).state_hash;
}

// runs in node and, as a text, in the page
async function hashesOf(engine, threads, texts, steps) {
    if (engine.threads !== threads)
        throw new Error(`${engine.threads} threads, expected ${threads}`);
    const started = performance.now();
    const hashes = texts.map((text) => {
        const world = engine.world(text);
        for (let i = 0; i < steps; i++)
            world.step();
        const { hash } = world;
        world.free();
        return hash;
    });
    const ms = performance.now() - started;
    engine.close();
    return { hashes, ms };
}

async function inNode(module, threads) {
    const engine = await load(readFileSync(join(source, 'build/wasm', module)), { threads });
    return hashesOf(engine, threads, scenes.map(textOf), STEPS);
}

// a page of a server of its own, which gives the modules and the script; it is isolated, so that memory may be shared
async function inChromium(work) {
    const playwright = createRequire(join(source, 'viewer/package.json'))('playwright-core');
    const files = { 'index.js': [join(source, 'web/npm/index.js'), 'text/javascript'] };
    for (const module of Object.keys(modules))
        files[module] = [join(source, 'build/wasm', module), 'application/wasm'];
    const server = createServer(({ url }, answer) => {
        const [path, type] = files[basename(url)] ?? [];
        answer.writeHead(200, {
            'content-type': type ?? 'text/html', 'cross-origin-opener-policy': 'same-origin',
            'cross-origin-embedder-policy': 'require-corp',
        });
        answer.end(path ? readFileSync(path) : '<!doctype html><title>hashes</title>');
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const browser = await playwright.chromium.launch({ executablePath: chromium, args: ['--headless', '--no-sandbox'] });
    try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        await work((module, threads) => page.evaluate(async ({ name, count, texts, steps, code }) => {
            const { load: loadEngine } = await import('/index.js');
            const engine = await loadEngine(`/${name}`, { threads: count });
            return (0, eval)(`(${code})`)(engine, count, texts, steps);
        }, { name: module, count: threads, texts: scenes.map(textOf), steps: STEPS, code: hashesOf.toString() }));
    } finally {
        await browser.close();
        server.close();
    }
}

const expected = scenes.map(native);
let equal = 0, different = 0;

function compare(where, { hashes, ms }) {
    hashes.forEach((hash, i) => {
        if (hash === expected[i])
            equal++;
        else {
            different++;
            console.log(`${scenes[i]}: ${hash} in ${where}, ${expected[i]} natively`);
        }
    });
    console.log(`${where}: ${scenes.length} scenes of ${STEPS} steps in ${(ms / 1000).toFixed(2)} s`);
}

for (const [module, threads] of Object.entries(modules))
    compare(`node, ${module}`, await inNode(module, threads));
if (chromium)
    await inChromium(async (run) => {
        for (const [module, threads] of Object.entries(modules))
            compare(`Chromium, ${module}`, await run(module, threads));
    });
else
    console.log('SKIPPED in Chromium: it is not installed');
for (const module of Object.keys(modules)) {
    const bytes = readFileSync(join(source, 'build/wasm', module));
    const { gzipSync } = await import('node:zlib');
    console.log(`${module}: ${(bytes.length / 1e6).toFixed(2)} MB, ${Math.round(gzipSync(bytes, { level: 9 }).length / 1e3)} kB gzipped`);
}
console.log(`${equal} passed, ${different} failed`);
console.log(different > 0 ? `${different} hashes different` : `${equal} hashes equal`);
process.exit(different > 0 ? 1 : 0);
