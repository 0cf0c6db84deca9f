// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Takes the pictures of the manual from Cairn's own pages in headless Chromium, as PNG files that scripts/gallery turns
// into WebP: node gallery.mjs PROGRAM FILM_PROGRAM SOURCE_DIR WORK_DIR [NAME...]
//
// A film is a folder WORK_DIR/NAME of numbered frames, a picture is one file WORK_DIR/NAME.png.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [, , cairn, filmed, source, work, ...names] = process.argv;
const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');
const flags = ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

// ---------------------------------------------------------------- runs

// when the ball of a scene enters, in s
function entrance(scene) {
    const { bodies } = JSON.parse(readFileSync(join(source, 'scenes', `${scene}.json`), 'utf8'));
    return Math.max(0, ...bodies.map((body) => body.enter ?? 0));
}

// a page of a shipped scene; a solve that missed its tolerance (status 1) is no fault of the picture
function runScene(scene, time) {
    const file = join(work, `${scene}.html`);
    const options = ['run', scene, '--html', file, '--force', '--quiet', ...(time ? ['--time', String(time)] : [])];
    try {
        execFileSync(cairn, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        if (error.status !== 1)
            throw new Error(`cairn ${options.join(' ')}: ${error.stderr}`);
    }
    return file;
}

// the page of an example program
function runExample() {
    const file = join(work, 'example.html');
    execFileSync(resolve(filmed), [], { cwd: join(source, 'examples'), env: { ...process.env, CAIRN_FILM: file }, stdio: ['ignore', 'ignore', 'inherit'] });
    return file;
}

// ---------------------------------------------------------------- pages

// Software drawing takes the path of graphics cards: smooth edges and fine shadows, however long it lasts.
function claimGraphicsCard() {
    const { getParameter } = WebGL2RenderingContext.prototype;
    const UNMASKED_RENDERER_WEBGL = 0x9246;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
        return name === UNMASKED_RENDERER_WEBGL ? 'a graphics card' : getParameter.call(this, name);
    };
}

async function open(browser, file, { width, height, theme = 'light', whole = false }) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, deviceScaleFactor: 1 });
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    await page.addInitScript(claimGraphicsCard);
    await page.goto(`file://${file}`);
    await page.waitForSelector('#app[data-ready="true"]');
    await page.evaluate(() => cairn.player.toggle(false));

    // the picture alone fills the window
    if (!whole) {
        await page.addStyleTag({ content: '.picture { position: fixed !important; inset: 0; z-index: 99; }' });
        await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
        await page.evaluate(() => {
            cairn.shell.picture.bare = true;
            cairn.shell.picture.resize();
            cairn.shell.picture.lookAtAll();
        });
    }
    return page;
}

// looks from `from` at `at`, both in m
async function aim(page, camera) {
    if (camera)
        await page.evaluate(({ from, at }) => {
            const { camera: eye, controls } = cairn.shell.picture;
            eye.position.set(...from);
            controls.target.set(...at);
            controls.update();
        }, camera);
}

// what the canvas shows at a time
async function expose(page, time, file) {
    const url = await page.evaluate((t) => {
        cairn.player.seek(t);
        cairn.shell.picture.touch();
        cairn.shell.picture.draw();
        return document.querySelector('.picture canvas').toDataURL('image/png');
    }, time);
    writeFileSync(file, Buffer.from(url.split(',')[1], 'base64'));
}

async function film(browser, file, name, { from, to, fps, camera, ...size }) {
    const page = await open(browser, file, size);
    const folder = join(work, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await aim(page, camera);
    const count = Math.round((to - from) * fps);
    for (let i = 0; i < count; i++)
        await expose(page, from + i / fps, join(folder, `${String(i).padStart(4, '0')}.png`));
    await page.context().close();
}

// ---------------------------------------------------------------- the pictures

// a shipped scene, the time at which it is shown, and what it shows
const sheet = [
    ['colosseum', 1, 'three stories, no mortar'], ['arch', 2, '15 voussoirs'], ['cards', 2, 'a house of cards'],
    ['heap', 3, '1,728 balls'], ['funnel', 2.5, '288 balls in a funnel'], ['jacks', 1.5, 'compound shapes'],
    ['newton-cradle', 0.35, 'impacts in a row'], ['domino', 6, '100 dominoes'], ['tower', 1, 'a round tower of bricks'],
];

// small pictures of scenes side by side, with their names
async function contactSheet(browser) {
    const cells = [];
    for (const [scene, time, words] of sheet) {
        const file = join(work, `${scene}.png`);
        const page = await open(browser, runScene(scene, time), { width: 320, height: 210 });
        await expose(page, time, file);
        await page.context().close();
        const data = readFileSync(file).toString('base64');
        cells.push(`<figure><img src="data:image/png;base64,${data}"><figcaption><b>${scene}</b> ${words}</figcaption></figure>`);
    }
    const context = await browser.newContext({ viewport: { width: 996, height: 750 }, deviceScaleFactor: 1 });
    const page = await context.newPage();
    await page.setContent(`<style>
        body { margin: 0; padding: 9px; background: #f6f4f0; display: grid; grid-template-columns: repeat(3, 320px);
               gap: 9px; font: 14px system-ui, sans-serif; color: #23282c; width: max-content; }
        figure { margin: 0; } img { display: block; border-radius: 6px; }
        figcaption { padding: 4px 2px; } b { font-weight: 600; }</style>${cells.join('')}`);
    await page.locator('body').screenshot({ path: join(work, 'scenes.png') });
    await context.close();
}

const pictures = {
    // the wall that a ball hits
    async wall(browser) {
        const enter = entrance('wall');
        await film(browser, runScene('wall', enter + 4), 'wall',
            { from: Math.max(0, enter - 0.3), to: enter + 3.2, fps: 20, width: 960, height: 480 });
    },
    // what examples/overhang.c does
    async overhang(browser) {
        await film(browser, runExample(), 'overhang', {
            from: 0, to: 2.4, fps: 25, width: 640, height: 360, camera: { from: [4.9, -3.6, 2.9], at: [0.9, 0.75, 0.62] },
        });
    },
    // the page with its plots
    async page(browser) {
        const enter = entrance('wall');
        const page = await open(browser, runScene('wall', enter + 4), { width: 1200, height: 646, whole: true });
        await page.evaluate((t) => { cairn.player.seek(t); }, enter + 0.6);
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(work, 'page.png') });
        await page.context().close();
    },
    scenes: contactSheet,
};

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
mkdirSync(work, { recursive: true });
for (const [name, take] of Object.entries(pictures))
    if (names.length === 0 || names.includes(name))
        await take(browser);
await browser.close();
