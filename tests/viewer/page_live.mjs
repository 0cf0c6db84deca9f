// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The live view: the page of `cairn view`, driven as a user would, and its socket, treated as nobody should.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, folder, main, near, openPage, picture, runCairn, until } from './harness.mjs';
import { frameOf, get, startServer, upgrade } from './server.mjs';

// a box that slides for long, and one that stands
const scene = {
    cairn: 1, title: 'sliding and standing', run: { time: 100 }, defaults: { material: { mu: 0.3 } },
    bodies: [
        { type: 'static', shape: { kind: 'half_space' }, material: { mu: 0.3, friction_rule: 'smaller' } },
        { name: 'slider', shape: { kind: 'box', size: [1, 1, 1] }, at: [-3, 3, 0.5], velocity: [3, 0, 0],
            material: { mu: 0.005, friction_rule: 'smaller' } },
        { name: 'stander', shape: { kind: 'box', size: [1, 1, 1] }, at: [0, -1, 0.5] },
    ],
};
const SLIDER = 1, STANDER = 2;

const step = (page) => page.evaluate(() => cairn.shell.shown?.a.step ?? -1);
const place = (page, body) => page.evaluate((i) => [...cairn.shell.shown.a.position.slice(3 * i, 3 * i + 3)], body);
const goesOn = async (page) => {
    const before = await step(page);
    await until(async () => await step(page) > before, 'time goes on');
};

// until the page shows the step at which the server stands
async function stands(page) {
    await until(() => page.evaluate(() => cairn.state.playing === false && cairn.state.step === cairn.shell.shown?.a.step),
        'time stands');
    return step(page);
}

async function pause(page) {
    await page.evaluate(() => cairn.connection.send('pause'));
    return stands(page);
}

async function play(page) {
    await page.evaluate(() => cairn.connection.send('play'));
    await goesOn(page);
}

main([
    ['the page shows a simulation that goes on', async (shared) => {
        writeFileSync(join(folder, 'boxes.json'), JSON.stringify(scene));
        const server = shared.server = await startServer('boxes.json');
        shared.end = () => server.stop();
        const page = shared.page = await openPage(shared.browser, server.address);
        await play(page);
        await goesOn(page);
        check(new Set(await picture(page)).size > 20, 'the picture is not blank');
        check((await page.textContent('.subtitle')) === scene.title, 'the title is told');
    }],
    ['pause stops time', async ({ page }) => {
        await page.click('.primary');
        const stopped = await stands(page);
        await page.waitForTimeout(300);
        near(await step(page), stopped, 0, 'step');
    }],
    ['a step advances one step', async ({ page }) => {
        const before = await pause(page);
        await page.click('button[aria-label^="One step forward"]');
        await until(async () => await step(page) === before + 1, 'one step on');
        await page.waitForTimeout(200);
        near(await step(page), before + 1, 0, 'and no more than one');
    }],
    ['the engine\'s view is drawn and goes', async ({ page }) => {
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('d');
        await until(() => page.evaluate(() => {
            const { drawing } = cairn.shell.picture;
            return drawing.visible && drawing.points.geometry.attributes.position?.count > 0
                && drawing.labels.children.length > 1;
        }), 'contacts and numbers of bodies');
        await page.keyboard.press('d');
        check(await page.evaluate(() => !cairn.shell.picture.drawing.visible), 'it is gone');
    }],
    ['a step back is one step back', async ({ page }) => {
        const before = await pause(page);
        const there = await place(page, SLIDER);
        await page.click('button[aria-label^="One step back"]');
        await until(async () => await step(page) === before - 1, 'one step back');
        check((await place(page, SLIDER))[0] < there[0], 'the slider is where it was before');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('ArrowRight');
        await until(async () => await step(page) === before, 'the same step again');
        near((await place(page, SLIDER))[0], there[0], 0, 'gives the same place');
    }],
    ['dragging moves a body', async ({ page }) => {
        await play(page);
        const before = await place(page, STANDER);
        const from = await page.evaluate((p) => cairn.shell.picture.project(p), before);
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x + 90, from.y - 20, { steps: 6 });
        await until(async () => {
            const now = await place(page, STANDER);
            return Math.hypot(...now.map((x, k) => x - before[k])) > 0.2;
        }, 'the box follows the pointer');
        await page.mouse.up();
        check(await page.evaluate(() => cairn.shell.picture.controls.enabled), 'the camera can be turned again');
    }],
    ['changing the method shows in the report', async ({ page }) => {
        await page.evaluate(() => cairn.connection.send('restart'));
        await until(async () => await step(page) < 60, 'the start again');
        await page.selectOption('.drive select >> nth=1', 'pgs');
        await until(() => page.evaluate(() => cairn.state.method === 'pgs'), 'the server says so');
        await play(page);
        await until(async () => (await page.textContent('.readout')).includes(' pgs '), 'the report of a step names it');
        await page.selectOption('.drive select >> nth=1', 'exact');
        await until(async () => (await page.textContent('.readout')).includes(' exact '), 'and the next one');
    }],
    ['tolerance, iterations and friction can be changed', async ({ page }) => {
        const state = (key) => page.evaluate((name) => cairn.state[name], key);
        await page.selectOption('.drive select >> nth=2', { label: '1e−4' });
        await until(async () => await state('tolerance') === 1e-4, 'tolerance');
        await page.fill('.drive input[type=number] >> nth=0', '50');
        await page.keyboard.press('Enter');
        await until(async () => await state('iterations') === 50, 'iterations');
        await page.click('text=as in the scene');
        await until(async () => await state('mu') === 0.5, 'friction');
        await page.fill('.drive input[type=number] >> nth=1', '0.9');
        await page.keyboard.press('Enter');
        await until(async () => await state('mu') === 0.9, 'another friction');
        await page.click('text=as in the scene');
        await until(async () => await state('mu') === null, 'the friction of the scene');
    }],
    ['gravity can be changed', async ({ page }) => {
        await play(page);
        await page.fill('.three input >> nth=2', '3');
        await page.keyboard.press('Enter');
        await until(async () => (await place(page, STANDER))[2] > 0.7, 'the box rises');
        await page.fill('.three input >> nth=2', '-9.81');
        await page.keyboard.press('Enter');
        await until(() => page.evaluate(() => cairn.state.gravity[2] === -9.81), 'and falls again');
    }],
    ['a ball can be shot', async ({ page }) => {
        const before = await page.evaluate(() => cairn.shell.stage.bodies.filter(Boolean).length);
        await page.click('text=Shoot a ball');
        await until(() => page.evaluate((n) => cairn.shell.stage.bodies.filter(Boolean).length > n, before), 'a body more');
        await goesOn(page);
    }],
    ['a second client works and sees the same', async ({ page, browser, server }) => {
        const other = await openPage(browser, server.address, { width: 480, height: 400 });
        await until(async () => await step(other) >= 0, 'the second one has a frame');
        const stopped = await pause(other);
        await until(async () => await step(page) === stopped, 'the first one stands at the same step');
        check(await page.getAttribute('.primary', 'aria-label') === 'Play (Space)', 'its button offers to play');
        check(other.faults.length === 0, other.faults.join('; '));
        await other.context().close();
        await play(page);
    }],
    ['the problem of a step can be saved and solved', async ({ page }) => {
        await page.evaluate(() => cairn.connection.send('restart'));
        await until(async () => await step(page) < 60 && await step(page) > 2, 'the start again');
        await page.click('text=Save problem');
        await until(async () => (await page.textContent('.status')).startsWith('Saved'), 'it is said');
        const file = readdirSync(folder).find((name) => name.endsWith('.hdf5'));
        check(file, 'there is a file');
        check(JSON.parse(runCairn('solve', file, '--json')).status === 'converged', 'it can be solved');
    }],
    ['a run can be recorded', async ({ page }) => {
        await page.click('.actions button:has-text("Record")');
        const file = await until(() => page.evaluate(() => cairn.state.recording), 'the state names the file');
        await goesOn(page);
        await page.waitForTimeout(200);
        await page.click('text=Stop recording');
        await until(async () => (await page.textContent('.status')).includes(file.split('/').at(-1)), 'it is complete');
        check(existsSync(join(folder, file.split('/').at(-1))), 'there is a file');
        runCairn('info', file.split('/').at(-1));
    }],
    ['the methods race on a step', async ({ page }) => {
        await page.click('text=Race methods');
        await page.waitForSelector('.race-dialog tbody tr', { timeout: 60000 });
        const { methods } = JSON.parse(runCairn('methods', '--json'));
        const rows = await page.locator('.race-dialog tbody tr').count();
        check(rows === methods.length, `${rows} rows of ${methods.length} methods`);
        await page.waitForSelector('.race-dialog .race-plot canvas');
        await page.keyboard.press('Escape');
    }],
    ['plots follow', async ({ page }) => {
        await page.click('.tabs button:text-is("Plots")');
        await play(page);
        await until(async () => await page.locator('.plot canvas').count() === 5, 'five plots');
        await until(() => page.evaluate(() => cairn.shell.plots.reports.length > 3), 'with points');
        await page.click('.tabs button:text-is("Drive")');
    }],
    ['another scene can be picked', async ({ page }) => {
        await page.selectOption('.drive select >> nth=0', 'arch');
        await until(async () => (await page.textContent('h1')).includes('arch'), 'its name is told');
        await play(page);
        check(page.faults.length === 0, page.faults.join('; '));
    }],
    ['orders are obeyed during a long solve, and the page shows that it solves', async ({ page }) => {
        const send = (command, values) => page.evaluate(([c, v]) => cairn.connection.send(c, v), [command, values ?? {}]);
        await send('scene', { name: 'wall32' });
        await until(() => page.evaluate(() => cairn.state.scene === 'wall32'), 'the wall is there');
        await send('restart');
        await send('play');
        await until(() => page.evaluate(() => cairn.state.playing && cairn.shell.shown?.a.step > 70), 'the wall is hit');
        await send('set', { method: 'dantzig', tolerance: 1e-12 });
        await until(() => page.isVisible('.solving'), 'the sign is shown');
        check((await page.textContent('.solving')).includes('dantzig'), 'it names the method');
        const began = Date.now();
        await send('set', { method: 'auto', tolerance: 0.01 });
        await until(() => page.evaluate(() => cairn.state.method === 'auto'), 'the method is another');
        check(Date.now() - began < 5000, `the order was obeyed after ${Date.now() - began} ms`);
        await until(async () => !await page.isVisible('.solving'), 'the sign goes');
        await goesOn(page);
        await pause(page);
    }],
    ['a lost connection is told and mended', async ({ page }) => {
        await page.evaluate(() => cairn.connection.socket.close());
        await until(() => page.evaluate(() => cairn.shell.status.textContent.includes('lost')), 'the page tells');
        await until(() => page.evaluate(() => cairn.shell.status.textContent.includes('Reconnected')), 'it is mended');
        await play(page);
    }],
    ['a forbidden Origin is refused', async ({ server }) => {
        near((await upgrade(server, { Origin: 'http://example.com' })).status, 403, 0, 'another page');
        near((await upgrade(server, { Origin: 'null' })).status, 403, 0, 'a page from the disk');
        const own = await upgrade(server);
        near(own.status, 101, 0, 'the own page');
        own.socket.destroy();
    }],
    ['a wrong token, host or name is refused', async ({ server }) => {
        near(await get(server, server.url.pathname), 200, 0, 'the page');
        near(await get(server, `/${'0'.repeat(32)}/`), 404, 0, 'a wrong token');
        near(await get(server, `${server.url.pathname}../etc/passwd`), 404, 0, 'another file');
        near(await get(server, server.url.pathname, { Host: 'example.com' }), 403, 0, 'another host');
    }],
    ['garbage closes only its own connection', async ({ page, server }) => {
        const rude = [
            Buffer.from('this is no frame of a WebSocket at all, and it goes on and on'),
            frameOf(1, 'this is no JSON'), frameOf(1, '[]'), frameOf(2, 'binary'),
            frameOf(1, JSON.stringify({ command: 'x'.repeat(5000) })),
        ];
        for (const bytes of rude) {
            const client = await upgrade(server);
            near(client.status, 101, 0, 'the connection');
            client.socket.write(bytes);
            await until(() => client.closed, `closed after ${bytes.length} bytes`);
            client.socket.destroy();
            await goesOn(page);
        }
        // a wrong command is only answered
        await page.evaluate(() => cairn.connection.send('set', { method: 'nonsense' }));
        await until(async () => (await page.textContent('.status[data-kind=error]')).includes('method'), 'it is told');
        await goesOn(page);
    }],
    ['the server ends when it is asked to, and the page says so', async (shared) => {
        await shared.server.stop();
        shared.end = null;
        await until(async () => (await shared.page.textContent('.status')).includes('has stopped'), 'it is said');
        await shared.page.context().close();
    }],
    ['a recording is played, and the time line seeks in it', async (shared) => {
        runCairn('run', 'boxes.json', '--steps', '90', '--record', 'boxes.h5', '--quiet');
        const server = await startServer('boxes.h5', '--paused');
        shared.end = () => server.stop();
        const page = await openPage(shared.browser, server.address);
        await until(async () => await step(page) >= 0, 'a frame is there');
        check(await page.locator('.drive').count() === 0, 'there is nothing to drive');
        const line = await page.locator('.line').boundingBox();
        await page.mouse.click(line.x + 0.5 * line.width, line.y + line.height / 2);
        await until(async () => Math.abs(await step(page) - 45) < 4, 'the middle is shown');
        const there = await step(page);
        await page.click('button[aria-label^="One step forward"]');
        await until(async () => await step(page) === there + 1, 'one step on');
        await page.click('.primary');
        await until(async () => await step(page) === 90, 'it plays to the end');
        check(page.faults.length === 0, page.faults.join('; '));
    }],
]);
