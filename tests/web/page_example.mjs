// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The example of the npm package with three.js, served from the unpacked package: a ball hits a wall, and one sees it.
//     node page_example.mjs CAIRN SOURCE_DIR PACKAGE

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const [, , , source, folder] = process.argv;
const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const server = createServer(({ url }, answer) => {
    const [path] = url.split('?');
    const file = join(path.startsWith('/node_modules/three/') ? join(source, 'viewer') : folder, path);
    if (!existsSync(file)) {
        answer.writeHead(path === '/favicon.ico' ? 204 : 404).end();
        return;
    }
    answer.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' });
    answer.end(readFileSync(file));
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({ viewport: { width: 480, height: 320 } });
const faults = [];
page.on('pageerror', (error) => faults.push(error.message));
page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
await page.goto(`http://127.0.0.1:${server.address().port}/example/index.html`);
await page.waitForSelector('canvas');
const first = await page.screenshot();
await page.waitForTimeout(1500);
const later = await page.screenshot();
await browser.close();
server.close();

const lines = readFileSync(join(folder, 'example/index.html'), 'utf8').trimEnd().split('\n').length;
const checks = {
    'it has about forty lines': lines <= 45,
    'it draws a picture': first.length > 1500,
    'the picture moves': !first.equals(later),
    'nothing goes wrong': faults.length === 0,
};
let failed = 0;
for (const [sentence, holds] of Object.entries(checks)) {
    failed += holds ? 0 : 1;
    if (!holds)
        console.log(`FAILED: ${sentence} (${lines} lines, ${faults.join('; ')})`);
}
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
