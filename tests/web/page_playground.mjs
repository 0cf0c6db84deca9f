// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The playground, opened from disk and driven as a user would.

import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, main, near, openPage, picture, pictureTimes, runCairn, source, until } from '../viewer/harness.mjs';

const file = join(source, 'build/site/playground.html');
const address = pathToFileURL(file).href;

const step = (page) => page.evaluate(() => cairn.shell.shown?.a.step ?? -1);
const state = (page, key) => page.evaluate((name) => cairn.state?.[name], key);
const send = (page, command, values) => page.evaluate(([name, rest]) => cairn.connection.send(name, rest), [command, values ?? {}]);

async function pause(page) {
    await send(page, 'pause');
    await until(() => page.evaluate(() => cairn.state.playing === false && cairn.state.step === cairn.shell.shown?.a.step),
        'time stands');
    return step(page);
}

// one step after the other, until the page shows step `count`
async function stepTo(page, count) {
    for (let i = await step(page); i < count; i++) {
        await send(page, 'step');
        await until(async () => await step(page) === i + 1, `step ${i + 1}`);
    }
}

const boxAt = (z) => JSON.stringify({
    cairn: 1, title: 'one box', bodies: [
        { type: 'static', shape: { kind: 'half_space' } }, { name: 'box', shape: { kind: 'box', size: [1, 1, 1] }, at: [0, 0, z] }],
}, null, 2);

// the site as a server gives it that isolates its pages from other origins
async function serve() {
    const types = { '.html': 'text/html', '.wasm': 'application/wasm' };
    const server = createServer(({ url }, answer) => {
        const name = url.split('/').at(-1);
        if (!['playground.html', 'cairn-threads.wasm'].includes(name)) {
            answer.writeHead(404).end();
            return;
        }
        answer.writeHead(200, {
            'content-type': types[extname(name)], 'cross-origin-opener-policy': 'same-origin',
            'cross-origin-embedder-policy': 'require-corp',
        });
        answer.end(readFileSync(join(source, 'build/site', name)));
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function type(page, text) {
    await page.evaluate(() => cairn.openTab('scene'));
    await page.fill('.editor textarea', text);
}

main([
    ['a page from disk runs a scene, without network', async (shared) => {
        const page = shared.page = await openPage(shared.browser, address);
        await until(async () => await step(page) > 3, 'time goes on');
        check(new Set(await picture(page)).size > 20, 'the picture is not blank');
        check(page.requests.every((url) => /^(file|data|blob):/.test(url)), 'nothing was asked of a network');
        const { own, drawn } = await pictureTimes(page, () => {});
        console.log(`page ${Math.round(statSync(file).size / 1000)} kB, loaded in ${Math.round(await page.evaluate(() => cairn.loaded))} ms; `
            + `a picture of the wall takes the page ${own.toFixed(1)} ms, and ${drawn.toFixed(0)} ms to draw in software`);
    }],
    ['it computes the bits of the native program', async ({ page }) => {
        await send(page, 'scene', { name: 'arch' });
        await until(async () => await state(page, 'scene') === 'arch', 'the arch');
        await pause(page);
        await send(page, 'restart');
        await until(async () => await step(page) === 0, 'the start');
        await stepTo(page, 12);
        const hash = await page.evaluate(() => cairn.shell.shown.a.hash.toString(16).padStart(16, '0'));
        const native = JSON.parse(runCairn('run', 'arch', '--steps', '12', '--json')).state_hash;
        check(hash === native, `${hash}, natively ${native}`);
    }],
    ['a step back is the state before', async ({ page }) => {
        const hash = () => page.evaluate(() => String(cairn.shell.shown.a.hash));
        const before = await hash();
        await stepTo(page, 13);
        await send(page, 'back');
        await until(async () => await step(page) === 12, 'one step back');
        check(await hash() === before, 'the same bits');
    }],
    ['method, tolerance, substeps and gravity can be changed', async ({ page }) => {
        await send(page, 'set', { method: 'pgs', tolerance: 1e-5, substeps: 7, gravity: [0, 0, -2] });
        await until(async () => await state(page, 'method') === 'pgs' && await state(page, 'substeps') === 7, 'they are set');
        near((await state(page, 'gravity'))[2], -2, 1e-12, 'gravity');
        near(await state(page, 'tolerance'), 1e-5, 1e-12, 'tolerance');
    }],
    ['a ball that is shot is a body more', async ({ page }) => {
        const count = () => page.evaluate(() => cairn.shell.stage.bodies.filter(Boolean).length);
        const before = await count();
        await page.evaluate(() => cairn.openTab('drive'));
        await page.click('text=Shoot a ball');
        await until(async () => await count() === before + 1, 'a body more');
    }],
    ['a body is dragged by the pointer', async ({ page }) => {
        await send(page, 'scene', { name: 'slide' });
        await send(page, 'play');
        await until(async () => await state(page, 'scene') === 'slide' && await step(page) > 0, 'the scene');
        const body = await page.evaluate(() => cairn.shell.stage.bodies.findIndex((b) => b?.type === 'dynamic'));
        const place = () => page.evaluate((i) => [...cairn.shell.shown.a.position.slice(3 * i, 3 * i + 3)], body);
        await pause(page);
        const before = await place();
        const from = await page.evaluate((p) => cairn.shell.picture.project(p), before);
        await send(page, 'play');
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x, from.y - 60, { steps: 4 });
        check(await page.evaluate(() => cairn.shell.picture.spring.visible), 'the spring is shown');
        await until(async () => (await place())[2] > before[2] + 0.1, 'the body is lifted');
        await page.mouse.up();
        check(await page.evaluate(() => !cairn.shell.picture.spring.visible), 'the spring goes');
    }],
    ['every contact that bears a force shows its friction cone, and the force lies in it', async ({ page }) => {
        await send(page, 'scene', { name: 'arch' });
        await send(page, 'play');
        await until(async () => await state(page, 'scene') === 'arch' && await step(page) > 5, 'the arch');
        await pause(page);
        await page.evaluate(() => cairn.openTab('plots'));
        await page.click('text=Friction cones');
        const { drawn, closed, outside } = await page.evaluate(() => {
            const { a } = cairn.shell.shown;
            const at = (x, c) => [...x.slice(3 * c, 3 * c + 3)];
            const dot = (x, y) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
            let bearing = 0, wrong = 0;
            for (let c = 0; c < a.contactCount; c++) {
                const f = at(a.contactImpulse, c), n = at(a.contactNormal, c);
                const normal = dot(f, n), along = Math.sqrt(Math.max(dot(f, f) - normal * normal, 0));
                bearing += a.contactState[c] !== 0 ? 1 : 0;
                wrong += along > a.contactFriction[c] * normal * 1.001 + 4 * a.impulseUnit ? 1 : 0;
            }
            return { drawn: cairn.shell.picture.cones.count, closed: bearing, outside: wrong };
        });
        check(closed > 0 && drawn === closed, `${drawn} cones of ${closed} contacts`);
        check(outside === 0, `${outside} forces outside of their cones`);
        await page.click('text=Friction cones');
        check(await page.evaluate(() => cairn.shell.picture.cones.count === 0), 'they go');
    }],
    ['islands have colors of their own', async ({ page }) => {
        await type(page, JSON.stringify({ cairn: 1, title: 'two islands', bodies: [
            { type: 'static', shape: { kind: 'half_space' } },
            ...[[0, 0.5], [0, 1.5], [5, 0.5]].map(([x, z]) => ({ shape: { kind: 'box', size: [1, 1, 1] }, at: [x, 0, z], spin: [0, 0, 1] })),
        ] }, null, 1));
        await until(() => page.evaluate(() => cairn.stage?.title === 'two islands'), 'the scene');
        await send(page, 'play');
        await until(() => page.evaluate(() => cairn.shell.shown.a.islands === 2), 'two islands');
        await page.evaluate(() => cairn.openTab('plots'));
        await page.click('button:text-is("Island")');
        const colors = await page.evaluate(() => {
            const { meshes } = cairn.shell.picture.bodies;
            return meshes.flatMap((mesh) => mesh.userData.members.map(({ index }, k) => [index,
                [...mesh.instanceColor.array.slice(3 * k, 3 * k + 3)].join()])).sort((a, b) => a[0] - b[0]).map(([, c]) => c);
        });
        check(colors[0] === colors[1] && colors[1] !== colors[2], `colors ${colors}`);
        check((await page.textContent('.legend')).includes('2 islands'), 'the legend counts them');
        await send(page, 'scene', { name: 'cards' });
        await until(() => page.evaluate(() => cairn.state?.scene === 'cards' && cairn.shell.shown.a.islands === 1), 'one island');
        await until(async () => /\b1 island$/.test((await page.textContent('.legend')).trim()), 'one is counted as one');
        await page.click('button:text-is("Body")');
    }],
    ['the residual and the certificate of the motion are told', async ({ page }) => {
        const words = await page.textContent('.readout');
        check(/residual|asleep|at rest/.test(words), words);
        check(words.includes('position error'), words);
        await page.evaluate(() => cairn.openTab('plots'));
        for (const title of ['Residual', 'Energy defect', 'Penetration', 'Computing time'])
            check(await page.isVisible(`figcaption:has-text("${title}")`), `the plot ${title}`);
    }],
    ['a text that is a scene runs at once', async ({ page }) => {
        await type(page, boxAt(5));
        await until(async () => await state(page, 'scene') === 'playground', 'it is shown');
        await until(() => page.evaluate(() => cairn.stage?.title === 'one box'), 'with its title');
    }],
    ['what is wrong is told at its line, and the scene before stays', async ({ page }) => {
        await type(page, boxAt(5).replace('"half_space"', '"half_spice"'));
        await until(() => page.isVisible('.editor .wrong'), 'a complaint');
        check((await page.textContent('.editor .wrong')).includes('half_spice'), 'that names the value');
        const line = boxAt(5).split('\n').findIndex((text) => text.includes('half_space')) + 1;
        check((await page.textContent('.gutter .wrong-line')).trim() === String(line), 'at its line');
        check(await page.evaluate(() => cairn.stage.title === 'one box'), 'the last scene is still there');
        await type(page, '{"cairn": 1,\n"bodies": [}');
        await until(async () => (await page.textContent('.editor .wrong')).startsWith('Line 2'), 'a text that is no JSON');
    }],
    ['keys of the schema are offered where they fit', async ({ page }) => {
        await page.fill('.editor textarea', '');
        await page.focus('.editor textarea');
        await page.keyboard.type('{"cairn": 1, "bodies": [{"sha');
        check((await page.textContent('.suggestions')).startsWith('shape'), 'shape');
        await page.keyboard.press('Enter');
        await page.keyboard.type('{"kind": "cap');
        check((await page.textContent('.suggestions')).includes('capsule'), 'the name of a kind');
    }],
    ['a link holds the scene', async ({ browser, page }) => {
        await type(page, boxAt(3));
        await until(async () => await page.isHidden('.editor .wrong'), 'it is right again');
        await page.click('text=Copy link');
        await until(() => page.evaluate(() => location.hash.startsWith('#scene=')), 'the address holds it');
        const other = await openPage(browser, await page.evaluate(() => location.href));
        await until(() => other.evaluate(() => cairn.stage?.title === 'one box'), 'the same scene');
        check(await other.evaluate(() => cairn.playground.editor.text) === boxAt(3), 'the same text');
        await other.close();
    }],
    ['the methods race on the step that is shown', async ({ page }) => {
        await send(page, 'play');
        await until(async () => await step(page) > 60, 'the box lies', 120000);
        await page.evaluate(() => cairn.openTab('drive'));
        await page.click('text=Race methods');
        await until(() => page.isVisible('.race-dialog table.race'), 'the table', 120000);
        check(await page.locator('.race-dialog tbody tr').count() > 5, 'of every method');
        await page.keyboard.press('Escape');
    }],
    ['chains, trails and the picture as a file', async ({ page }) => {
        await page.click('text=Force chains');
        await page.click('text=Trails');
        check(await page.evaluate(() => cairn.shell.picture.extras.chains && cairn.shell.picture.trails.visible), 'they are shown');
        const saved = page.waitForEvent('download');
        await page.click('button[aria-label^="Save the picture"]');
        check((await saved).suggestedFilename().endsWith('.png'), 'a PNG');
    }],
    ['a film is a WebM file', async ({ page }) => {
        await page.keyboard.press('v');
        await until(() => page.evaluate(() => cairn.shell.film.running), 'it records');
        await page.evaluate(() => { globalThis.looking = true; });
        await send(page, 'play');
        await until(() => page.evaluate(() => cairn.shell.film.size > 500), 'pictures are recorded');
        const saved = page.waitForEvent('download');
        await page.keyboard.press('v');
        const film = await saved;
        await page.evaluate(() => { globalThis.looking = false; });
        check(film.suggestedFilename().endsWith('.webm'), 'its name');
        const bytes = readFileSync(await film.path());
        check(bytes.length > 500 && bytes.readUInt32BE(0) === 0x1a45dfa3, `${bytes.length} bytes that start as Matroska does`);
    }],
    ['on a server that isolates the page, threads step it, and the bits are the same', async ({ browser }) => {
        const server = await serve();
        const page = await openPage(browser, `${server.address}playground.html#arch`);
        await until(() => page.evaluate(() => cairn.connection.threads > 0 && cairn.state?.scene === 'arch'), 'the arch');
        const threads = await page.evaluate(() => cairn.connection.threads);
        check(threads === Math.min(await page.evaluate(() => navigator.hardwareConcurrency), 8), `${threads} threads`);
        await pause(page);
        await send(page, 'restart');
        await until(async () => await step(page) === 0, 'the start');
        await stepTo(page, 12);
        const hash = await page.evaluate(() => cairn.shell.shown.a.hash.toString(16).padStart(16, '0'));
        const native = JSON.parse(runCairn('run', 'arch', '--steps', '12', '--json')).state_hash;
        check(hash === native, `${hash}, natively ${native}`);
        check(page.faults.length === 0, page.faults.join('; '));
        console.log(`${threads} threads in an isolated page`);
        await page.close();
        server.close();
    }],
    ['nothing went wrong on the way', async ({ page }) => {
        check(page.faults.length === 0, page.faults.join('; '));
    }],
]);
