// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The frame of the tests that drive the page in a browser: a test is a sentence and a function, a program is a list
// of them and ends with one line "N passed, N failed".

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const [, , cairn, source] = process.argv;
const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');

const PATIENCE = 30000; // ms: a loaded machine draws slowly
const flags = ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export const folder = mkdtempSync(join(tmpdir(), 'cairn-page-'));

// runs the program in the folder of the test; an exit status other than 0 or 1 (a solve missed its tolerance) is a fault
export function runCairn(...options) {
    try {
        return execFileSync(cairn, options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
        if (error.status === 1)
            return error.stdout;
        throw new Error(`cairn ${options.join(' ')}: ${error.stderr}`);
    }
}

export function check(condition, sentence) {
    if (!condition)
        throw new Error(sentence);
}

export function near(value, expected, tolerance, sentence) {
    check(Math.abs(value - expected) <= tolerance, `${sentence}: ${value}, expected ${expected} +- ${tolerance}`);
}

// waits until `question`, asked again and again, is answered by something true
export async function until(question, sentence, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
        const answer = await question();
        if (answer)
            return answer;
        if (Date.now() > end)
            throw new Error(`never: ${sentence}`);
        await new Promise((resolve) => { setTimeout(resolve, 30); });
    }
}

// A page whose errors and requests are kept. Half a pixel for each unit of length: pictures are drawn by the processor, and
// looked at as 96 x 64 gray values.
export async function openPage(browser, address, viewport = { width: 820, height: 480 }) {
    const context = await browser.newContext({ viewport, colorScheme: 'light', deviceScaleFactor: 0.5 });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.faults = [];
    page.requests = [];
    page.on('pageerror', (error) => page.faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
    page.on('dialog', (dialog) => { page.faults.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', (request) => page.requests.push(request.url()));
    await page.addInitScript(drawWhenLookedAt);
    await page.goto(address);
    await page.waitForSelector('#app[data-ready]');
    return page;
}

// Without a graphics card a picture takes the processor a good part of a second, and nobody looks at most of them: the page
// works as ever, its calls that draw do so while `looking` alone.
function drawWhenLookedAt() {
    for (const name of ['drawArrays', 'drawArraysInstanced', 'drawElements', 'drawElementsInstanced']) {
        const draw = WebGL2RenderingContext.prototype[name];
        WebGL2RenderingContext.prototype[name] = function drawOrNot(...values) {
            if (globalThis.looking)
                draw.apply(this, values);
        };
    }
}

// the picture as a few thousand gray values, read where it is drawn
export function picture(page) {
    return page.evaluate(() => new Promise((resolve) => {
        globalThis.looking = true;
        cairn.shell.picture.touch();
        requestAnimationFrame(() => {
            globalThis.looking = false;
            const small = new OffscreenCanvas(96, 64).getContext('2d');
            small.drawImage(document.querySelector('.picture canvas'), 0, 0, 96, 64);
            const { data } = small.getImageData(0, 0, 96, 64);
            const gray = [];
            for (let i = 0; i < data.length; i += 4)
                gray.push(Math.round((data[i] + data[i + 1] + data[i + 2]) / 3));
            resolve(gray);
        });
    }));
}

// ms that a picture takes: `own` of the page, with calls that draw nothing, and `drawn` until its pixels are there, at the
// size of the window. Each is the least of several, since others use the machine, too. `turn(k)` runs before picture k.
export function pictureTimes(page, turn, count = 6) {
    return page.evaluate(({ code, n }) => {
        const next = (0, eval)(`(${code})`);
        const { picture: drawer } = cairn.shell;
        const gl = drawer.renderer.getContext(), pixel = new Uint8Array(4);
        const time = () => {
            const times = [];
            for (let k = 0; k < n; k++) {
                const began = performance.now();
                next(k);
                drawer.touch();
                drawer.draw();
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
                times.push(performance.now() - began);
            }
            return Math.min(...times.slice(1)); // the first one compiles
        };
        const own = time();
        globalThis.looking = true;
        const drawn = time();
        globalThis.looking = false;
        return { own, drawn };
    }, { code: turn.toString(), n: count });
}

// how many of the gray values differ by more than noise
export function changed(a, b) {
    return a.filter((x, i) => Math.abs(x - b[i]) > 12).length;
}

export async function main(list) {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
    let passed = 0, failed = 0;
    const shared = { browser };
    for (const [sentence, body] of list) {
        const start = Date.now();
        try {
            await body(shared);
            passed++;
            console.log(`ok: ${sentence} (${Date.now() - start} ms)`);
        } catch (error) {
            failed++;
            console.log(`FAILED: ${sentence}: ${error.message.split('\n')[0]}`);
        }
    }
    await shared.end?.();
    await browser.close();
    if (existsSync(folder))
        rmSync(folder, { recursive: true });
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed > 0 ? 1 : 0);
}
