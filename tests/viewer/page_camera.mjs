// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What one sees when a page opens: the whole motion, its shadows, and what is inside of glass.

import { join } from 'node:path';
import { changed, check, folder, main, near, openPage, picture, runCairn } from './harness.mjs';

// scenes, and for how many seconds
const scenes = [['chalices', 3], ['jacks', 2], ['ragdolls', 2], ['painleve', 2], ['newton-cradle', 2], ['wall', 3],
    ['bounce', 2], ['spinslide', 2], ['fourbar', 2], ['tree127', 2]];
const small = { width: 640, height: 300 };

async function open(browser, scene, ...options) {
    runCairn('run', scene, '--html', `${scene}.html`, '--force', '--quiet', ...options);
    const page = await openPage(browser, `file://${join(folder, `${scene}.html`)}`, small);
    await page.evaluate(() => cairn.player.toggle(false));
    return page;
}

// The bodies that leave the picture at five moments though they are no outliers. By the rule of docs/page-format.md
// an outlier goes half as far again as all but a tenth of the bodies; here by the centers of the bodies alone, which a
// body's own size may blur by a tenth.
function bodiesOutside(page) {
    return page.evaluate(() => {
        const { replay, shell, player } = cairn;
        const { stage } = shell;
        const moving = stage.bodies.flatMap((body, i) => (body?.type === 'dynamic' ? [i] : []));
        const placeOf = (frame, i) => [...frame.position.slice(3 * i, 3 * i + 3)];
        const present = (frame, i) => i < frame.bodyCount && frame.flags[i] & 1;

        // how far each goes from the middle of the start
        const first = replay.frame(0);
        const starts = moving.filter((i) => present(first, i)).map((i) => placeOf(first, i));
        const middle = [0, 1, 2].map((k) => 0.5 * (Math.min(...starts.map((p) => p[k])) + Math.max(...starts.map((p) => p[k]))));
        const reach = new Map(moving.map((i) => [i, 0]));
        for (let n = 0; n < replay.count; n++) {
            const frame = replay.frame(n);
            for (const i of moving)
                if (present(frame, i))
                    reach.set(i, Math.max(reach.get(i), Math.hypot(...placeOf(frame, i).map((x, k) => x - middle[k]))));
        }
        const sorted = [...reach.values()].sort((a, b) => a - b);
        const limit = 1.5 * 0.9 * sorted[sorted.length - 1 - Math.floor(sorted.length / 10)];
        const counts = moving.filter((i) => sorted.length < 10 || reach.get(i) <= limit);

        // five moments
        const box = shell.canvas.getBoundingClientRect();
        const outside = [];
        for (let m = 0; m < 5; m++) {
            player.seek(player.start + (m / 4) * (player.end - player.start));
            const frame = shell.shown.a;
            for (const i of counts.filter((body) => present(frame, body))) {
                const { x, y } = shell.picture.project(placeOf(frame, i));
                if (!(x > box.left && x < box.right && y > box.top && y < box.bottom))
                    outside.push(`${stage.bodies[i].name ?? i} at ${frame.time.toFixed(2)} s`);
            }
        }
        return { outside, counts: counts.length, all: moving.length };
    });
}

main([
    ...scenes.map(([scene, seconds]) => [`${scene}: every body is in the picture at five moments`, async ({ browser }) => {
        const page = await open(browser, scene, '--time', String(seconds));
        const { outside, counts, all } = await bodiesOutside(page);
        check(outside.length === 0, outside.join(', '));
        check(counts >= 0.9 * all, `only ${counts} of ${all} bodies count`);
        await page.context().close();
    }]),
    ['the ball that flies away takes no shadow from the wall', async ({ browser }) => {
        const page = await open(browser, 'wall', '--time', '8', '--preset', 'realtime');
        // half of the shadow map or more is for the wall of 10 m
        const reach = await page.evaluate(() => cairn.shell.picture.sun.shadow.camera.right);
        check(reach < 40, `the shadow map reaches ${reach} m`);
        await page.context().close();
    }],
    ['a container of glass shows what is inside, and a click goes through it', async ({ browser }) => {
        const page = await open(browser, 'peg', '--time', '1');
        const place = await page.evaluate(() => {
            cairn.player.seek(1);
            const { shown, stage, picture } = cairn.shell;
            const peg = stage.bodies.findIndex((body) => body.name === 'peg');
            return { peg, ...picture.project([...shown.a.position.slice(3 * peg, 3 * peg + 3)]) };
        });
        const closed = await picture(page);
        await page.mouse.click(place.x, place.y);
        near(await page.evaluate(() => cairn.shell.selected), place.peg, 0, 'selected');
        await page.evaluate((i) => {
            cairn.shell.select(null);
            cairn.shell.shown.a.flags[i] = 0;
            cairn.shell.again();
        }, place.peg);
        check(changed(closed, await picture(page)) > 100, 'one sees whether the peg is there');
        check(page.faults.length === 0, page.faults.join('; '));
        await page.context().close();
    }],
    ['tube and ring are drawn, and gears draw no lines', async ({ browser }) => {
        const rolling = await open(browser, 'rolling', '--time', '0.1');
        near(await rolling.evaluate(() => cairn.shell.picture.surfaces.children.length), 2, 0, 'surfaces');
        await rolling.context().close();
        const gears = await open(browser, 'gears', '--time', '0.1');
        near(await gears.evaluate(() => cairn.shell.picture.joints.joints.length), 3, 0, 'joints with lines');
        await gears.context().close();
    }],
]);
