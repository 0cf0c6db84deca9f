// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The page of `cairn race --html`.

import { join } from 'node:path';
import { check, folder, main, openPage, runCairn } from './harness.mjs';

const html = join(folder, 'race.html');

main([
    ['every method has a row', async (shared) => {
        runCairn('generate', 'stack', '--output', 'stack.hdf5');
        runCairn('generate', 'peg', '--output', 'peg.hdf5');
        runCairn('race', 'stack.hdf5', 'peg.hdf5', '--time-limit', '1', '--html', html, '--quiet');
        const { methods } = JSON.parse(runCairn('methods', '--json'));
        shared.page = await openPage(shared.browser, `file://${html}`);
        const rows = await shared.page.locator('table.race tbody tr').count();
        check(rows === methods.length, `${rows} rows of ${methods.length} methods`);
    }],
    ['the convergence of iterative methods is drawn', async ({ page }) => {
        await page.waitForSelector('.race-plot canvas');
        const lines = await page.evaluate(() => cairn.view.chart.series.slice(1).map(({ label }, k) =>
            [label, cairn.view.chart.data[k + 1].filter((y) => y > 0).length]));
        const points = Object.fromEntries(lines);
        check(points.pgs > 2, `pgs has ${points.pgs} points`);
        check(points.dantzig >= 1, `dantzig has ${points.dantzig} points`);
        const drawn = await page.evaluate(() => {
            const canvas = document.querySelector('.race-plot canvas');
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return new Set(Array.from({ length: data.length / 4 }, (_, i) => (data[4 * i + 3] > 200
                ? (data[4 * i] << 16) + (data[4 * i + 1] << 8) + data[4 * i + 2] : 0))).size;
        });
        check(drawn > 10, `${drawn} colors`);
    }],
    ['the last point of a line is the certified residual', async ({ page }) => {
        const wrong = await page.evaluate(() => cairn.page.problems[0].methods
            .filter((m) => m.trace && m.residual !== null)
            .filter((m) => Math.abs(m.trace.at(-1)[1] - m.residual) > 1e-5 * m.residual
                || m.trace.some(([t], i) => i > 0 && t < m.trace[i - 1][0]))
            .map((m) => m.method));
        check(wrong.length === 0, wrong.join());
    }],
    ['another problem can be chosen', async ({ page }) => {
        await page.selectOption('.head select', '1');
        check((await page.textContent('h1')) === 'peg.hdf5', await page.textContent('h1'));
        check(page.faults.length === 0, page.faults.join('; '));
    }],
]);
