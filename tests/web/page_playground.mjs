// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The playground, opened from disk and driven as a user would.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, main, near, openPage, picture, runCairn, source, until } from '../viewer/harness.mjs';

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
        const frames = await page.evaluate(() => new Promise((resolve) => {
            const times = [];
            const note = (now) => (times.push(now) < 20 ? requestAnimationFrame(note) : resolve(times));
            requestAnimationFrame(note);
        }));
        console.log(`page ${Math.round(statSync(file).size / 1000)} kB, loaded in ${Math.round(await page.evaluate(() => cairn.loaded))} ms, `
            + `${((frames.at(-1) - frames[0]) / 19).toFixed(0)} ms a picture, drawn in software`);
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
    ['nothing went wrong on the way', async ({ page }) => {
        check(page.faults.length === 0, page.faults.join('; '));
    }],
]);
