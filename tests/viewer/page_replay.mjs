// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The replay page of `cairn run --html`, opened from the disk.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changed, check, folder, main, near, openPage, picture, pictureTimes, runCairn, until } from './harness.mjs';

const wall = join(folder, 'wall.html');
const address = `file://${wall}`;

const time = (page) => page.evaluate(() => cairn.player.time);
const step = async (page) => Number((await page.textContent('.readout')).match(/step (\d+)/)[1]);
const seek = (page, t) => page.evaluate((to) => { cairn.player.toggle(false); cairn.player.seek(to); }, t);

const areas = ['.head', '.picture', '.side', '.foot'];
const labels = ['.badge', '.legend'];

// boxes of elements that are shown
function boxes(page, names) {
    return page.evaluate((list) => list.flatMap((name) => [...document.querySelectorAll(name)]
        .filter((element) => element.offsetParent !== null || element.tagName === 'HEADER')
        .map((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return { name, left, right, top, bottom };
        })).filter((box) => box.right > box.left && box.bottom > box.top), names);
}

const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;

async function nothingOverlaps(page, names) {
    const list = await boxes(page, names);
    for (let i = 0; i < list.length; i++)
        for (let j = 0; j < i; j++)
            check(!overlap(list[i], list[j]), `${list[j].name} and ${list[i].name} overlap`);
    return list;
}

async function fits(page, { width, height }) {
    await page.evaluate(() => { cairn.shell.showForces(true); cairn.shell.color('speed'); });
    for (const box of await nothingOverlaps(page, areas))
        check(box.left >= -0.5 && box.right <= width + 0.5 && box.bottom <= height + 0.5, `${box.name} leaves the window`);
    await nothingOverlaps(page, labels);
    await nothingOverlaps(page, ['.foot button', '.foot .line', '.foot .clock', '.foot select']);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `the page is ${wide} pixels wide in a window of ${width}`);
    // words of buttons and headings are not cut
    const cut = await page.evaluate(() => [...document.querySelectorAll('button, label, figcaption span, .clock')]
        .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.textContent));
    check(cut.length === 0, `cut: ${cut.join(', ')}`);
}

main([
    ['ten seconds of the wall are a page below 8 MB', async (shared) => {
        runCairn('run', 'wall', '--time', '10', '--html', wall, '--quiet');
        const { size } = statSync(wall);
        check(size < 8e6, `${size} bytes`);
        check(size > 5e5, `${size} bytes: too few to be a page`);
        shared.page = await openPage(shared.browser, address);
    }],
    ['a page grows by less than 36 bytes for each body that moves in a frame', async () => {
        for (const [scene, bodies] of [['boxes', 1000], ['heap', 1728]]) {
            const sizes = [30, 60].map((steps) => {
                runCairn('run', scene, '--steps', String(steps), '--html', `${scene}.html`, '--force', '--quiet');
                return statSync(join(folder, `${scene}.html`)).size;
            });
            const each = (sizes[1] - sizes[0]) / (30 * bodies);
            check(each > 0 && each < 36, `${scene}: ${each} bytes`);
        }
    }],
    ['the page opens playing, and starts again after the end', async ({ page }) => {
        await until(async () => await time(page) > 0.1, 'time goes on by itself');
        check(await page.getAttribute('.primary', 'aria-label') === 'Pause (Space)', 'the button offers to pause');
        await page.evaluate(() => cairn.player.seek(9.95));
        await until(async () => await time(page) > 9.99, 'the end is reached');
        await until(async () => await time(page) < 5, 'the start comes again');
        check(await page.evaluate(() => cairn.player.playing), 'and it plays on');
    }],
    ['without the loop the end is the end', async ({ page }) => {
        await page.click('button[aria-label^="Loop"]');
        await page.evaluate(() => cairn.player.seek(9.95));
        await until(() => page.evaluate(() => !cairn.player.playing), 'it stops');
        near(await time(page), 10, 1e-6, 'time');
        await page.click('button[aria-label^="Loop"]');
        check(await page.getAttribute('button[aria-label^="Loop"]', 'aria-pressed') === 'true', 'the loop is on again');
    }],
    ['the page needs no network', async ({ page }) => {
        const outside = page.requests.filter((url) => !/^(file|data|blob):/.test(url));
        check(outside.length === 0, outside.join(', '));
    }],
    ['the picture is not blank', async ({ page }) => {
        const values = new Set(await picture(page));
        check(values.size > 20, `${values.size} different gray values`);
    }],
    ['the picture changes over time', async ({ page }) => {
        await seek(page, 0.8);
        const standing = await picture(page);
        await seek(page, 2);
        const hit = await picture(page);
        check(changed(standing, hit) > 100, `${changed(standing, hit)} places differ`);
        await seek(page, 0.8);
        check(changed(standing, await picture(page)) < 10, 'the same time looks different');
    }],
    ['the time line seeks', async ({ page }) => {
        const line = await page.locator('.line').boundingBox();
        await page.mouse.click(line.x + 0.6 * line.width, line.y + line.height / 2);
        near(await time(page), 6, 0.2, 'time after a click at 60 %');
        near(await step(page), 360, 12, 'step');
        await page.locator('.line').focus();
        await page.keyboard.press('End');
        near(await time(page), 10, 1e-6, 'time after End');
        await page.keyboard.press('Home');
        near(await time(page), 0, 1e-6, 'time after Home');
    }],
    ['scrubbing shows the frame that it names', async ({ page }) => {
        const line = await page.locator('.line').boundingBox();
        for (let k = 0; k < 25; k++) {
            await page.mouse.click(line.x + 10 + ((line.width - 20) * k) / 24, line.y + line.height / 2);
            const seen = await page.evaluate(() => {
                const { player, replay, shell } = cairn;
                const shown = shell.shown.a;
                const residual = shell.plots.items[0].plot.value(shown);
                return {
                    time: player.time, alpha: player.alpha, step: shown.step, at: shown.time, dt: replay.stages[0].dt,
                    residual, readout: document.querySelector('.readout').textContent, heading: document.querySelector('figcaption output').textContent,
                };
            });
            near(seen.step, Math.round(seen.time / seen.dt), 0, `step at ${seen.time} s`);
            near(seen.at, seen.time, 0, 'time of the frame');
            near(seen.alpha, 0, 0, 'nothing between two frames');
            near(await step(page), seen.step, 0, 'step over the picture');
            check(seen.readout.includes('position error '), `the motion over the picture: ${seen.readout}`);
            check(seen.heading === seen.residual, `the plot says ${seen.heading}, the frame ${seen.residual}`);
        }
    }],
    ['play goes on and pause stands still', async ({ page }) => {
        await seek(page, 5);
        await page.click('.primary');
        await until(async () => await time(page) > 5.1, 'time goes on');
        await page.click('.primary');
        const stopped = await time(page);
        await page.waitForTimeout(250);
        near(await time(page), stopped, 0, 'time after pause');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('Space');
        check(await page.evaluate(() => cairn.player.playing), 'Space plays');
        await page.keyboard.press('Space');
        check(!await page.evaluate(() => cairn.player.playing), 'Space pauses');
    }],
    ['the speed counts', async ({ page }) => {
        await page.selectOption('.speed', '0.25');
        near(await page.evaluate(() => cairn.player.speed), 0.25, 0, 'speed');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press(']');
        near(await page.evaluate(() => cairn.player.speed), 0.5, 0, 'speed after ]');
        near(await page.evaluate(() => {
            cairn.player.seek(1);
            cairn.player.playing = true;
            cairn.player.tick(0.5);
            cairn.player.playing = false;
            return cairn.player.time;
        }), 1.25, 1e-9, 'half a second at half speed');
    }],
    ['a step is one step', async ({ page }) => {
        await seek(page, 2);
        const before = await step(page);
        await page.click('button[aria-label^="One step forward"]');
        near(await step(page), before + 1, 0, 'step on');
        await page.click('button[aria-label^="One step back"]');
        await page.click('button[aria-label^="One step back"]');
        near(await step(page), before - 1, 0, 'two steps back');
    }],
    ['five plots are drawn and follow the cursor', async ({ page }) => {
        const drawn = await page.evaluate(() => [...document.querySelectorAll('.plot canvas')].map((canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return data.filter((x, i) => i % 4 === 3 && x > 0).length;
        }));
        check(drawn.length === 5 && drawn.every((n) => n > 200), `pixels of the plots: ${drawn}`);
        const names = await page.locator('figcaption span').allTextContents();
        check(names.join() === 'Residual,Energy,Energy defect,Penetration,Computing time', names.join());
        await seek(page, 0.9);
        const standing = await page.locator('figcaption output').allTextContents();
        await seek(page, 1.5);
        const hit = await page.locator('figcaption output').allTextContents();
        // a defect may be nothing at both times
        check(standing.every((text, i) => text !== hit[i] || names[i] === 'Energy defect'), `${standing} against ${hit}`);
    }],
    ['every axis has a unit, and zero has a place in the plot of the residual', async ({ page }) => {
        await page.setViewportSize({ width: 1100, height: 760 });
        const axes = await page.evaluate(() => cairn.shell.plots.items.map(({ plot, chart }) => ({
            name: plot.name, x: chart.axes[0].show ? chart.axes[0]._values : null, y: chart.axes[1]._values,
        })));
        const units = { Residual: /^(0|1e−?\d+)$/, Energy: / [kM]?J$/, 'Energy defect': / [kMmµn]?J$/, Penetration: / [mµn]?m$/, 'Computing time': / [mµ]?s$/ };
        for (const { name, x, y } of axes) {
            check(y.length > 0 && y.every((text) => units[name].test(text)), `${name}: ${y}`);
            check(x === null || x.every((text) => / s$/.test(text)), `${name}: ${x}`);
        }
        check(axes.at(-1).x !== null, 'the time axis is there');
        const residuals = await page.evaluate(() => [cairn.replay.reports.some((r) => r.residual === 0),
            cairn.shell.plots.items[0].chart.data[1].every((v) => v > 0)]);
        check(residuals.every(Boolean), `a zero, and all of them drawn: ${residuals}`);
        await page.setViewportSize({ width: 820, height: 480 });
    }],
    ['words are explained', async ({ page }) => {
        await page.click('text=What is this?');
        const text = await page.textContent('dialog.glossary');
        for (const word of ['residual', 'outcome', 'at rest', 'newton', 'sweeps', 'penetration', 'energy', 'position error', 'energy defect'])
            check(text.includes(word), `${word} is explained`);
        await page.keyboard.press('Escape');
        check(!await page.locator('dialog.glossary').isVisible(), 'Escape closes it');
    }],
    ['a click into a plot seeks', async ({ page }) => {
        const plot = await page.locator('.u-over').nth(1).boundingBox();
        await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
        near(await time(page), 5, 0.1, 'time');
        await page.mouse.move(10, 100);
    }],
    ['a click on a body tells its state', async ({ page }) => {
        await seek(page, 0.8);
        // the highest brick is seen from everywhere
        const place = await page.evaluate(() => {
            const { a } = cairn.shell.shown;
            let top = 1;
            for (let i = 1; i < a.bodyCount; i++)
                if (a.position[3 * i + 2] > a.position[3 * top + 2])
                    top = i;
            return { top, ...cairn.shell.picture.project(a.position.slice(3 * top, 3 * top + 3)) };
        });
        await page.mouse.click(place.x, place.y);
        check(await page.locator('.body').isVisible(), 'the panel is shown');
        check((await page.textContent('.body dl')).includes('m/s'), 'it tells the velocity');
        check((await page.textContent('.contacts')).includes('stick'), 'it tells the contacts');
        check(!/body \d/.test(await page.textContent('.contacts')), 'by names');
        check(await page.evaluate(() => cairn.shell.selected) === place.top, 'it is that body');
        await page.keyboard.press('Escape');
        check(!await page.locator('.body').isVisible(), 'Escape hides it');
    }],
    ['colors tell body, contact, speed and island', async ({ page }) => {
        await seek(page, 1.4);
        const seen = [];
        for (const name of ['Body', 'Contact', 'Speed', 'Island']) {
            await page.click(`.segments button:text-is("${name}")`);
            const now = await picture(page);
            for (const other of seen)
                check(changed(now, other) > 50, `${name} looks like another one`);
            seen.push(now);
        }
        await page.keyboard.press('1');
        check(changed(await picture(page), seen[0]) < 10, '1 is Body again');
    }],
    ['arrows show the contact forces, with their scale', async ({ page }) => {
        await seek(page, 0.8);
        const without = await picture(page);
        await page.click('text=Contact forces');
        check(changed(without, await picture(page)) > 20, 'arrows are drawn');
        const legend = await page.textContent('.legend');
        check(/arrow of .* = .* k?N/.test(legend), legend);
        // the wall presses on the ground with its weight
        const [force, weight] = await page.evaluate(() => {
            const { a } = cairn.shell.shown;
            let sum = 0;
            for (let c = 0; c < a.contactCount; c++)
                if (cairn.shell.stage.bodies[a.contactPair[2 * c]].type === 'static')
                    sum += a.contactImpulse[3 * c + 2] / a.dt;
            return [sum, cairn.shell.stage.bodies.reduce((m, b, i) =>
                (b.type === 'dynamic' && i < a.bodyCount ? m + b.mass : m), 0) * 9.81];
        });
        near(force / weight, 1, 0.01, 'force on the ground by weight');
        await page.click('text=Contact forces');
    }],
    ['dragging turns the camera', async ({ page }) => {
        const before = await picture(page);
        const box = await page.locator('.picture canvas').boundingBox();
        await page.mouse.move(box.x + 100, box.y + 100);
        await page.mouse.down();
        await page.mouse.move(box.x + 300, box.y + 120, { steps: 4 });
        await page.mouse.up();
        await until(async () => changed(before, await picture(page)) > 100, 'the picture turns');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('c');
        await until(async () => changed(before, await picture(page)) < 10, 'C brings the first view back');
    }],
    ['the picture has a frame for the keyboard alone', async ({ page }) => {
        const frame = () => page.evaluate(() => getComputedStyle(cairn.shell.canvas).outlineStyle);
        const box = await page.locator('.picture canvas').boundingBox();
        await page.mouse.click(box.x + 20, box.y + 20);
        await page.keyboard.press('f');
        await page.keyboard.press('f');
        check(await frame() === 'none', `after the mouse: ${await frame()}`);
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        check(await page.evaluate(() => document.activeElement === cairn.shell.canvas), 'Tab reaches the picture');
        check(await frame() !== 'none', 'after Tab');
        await page.evaluate(() => document.activeElement.blur());
    }],
    ['light becomes dark', async ({ page }) => {
        await page.keyboard.press('t');
        const gray = await picture(page);
        check(gray[0] < 90, `the background is ${gray[0]}`);
        await page.keyboard.press('t');
    }],
    ['every control has a name', async ({ page }) => {
        const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select')]
            .filter((e) => !(e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim()))
            .map((e) => e.outerHTML));
        check(nameless.length === 0, nameless.join());
    }],
    ['help opens and closes', async ({ page }) => {
        await page.keyboard.press('?');
        check(await page.locator('dialog.help').isVisible(), 'it is shown');
        await page.keyboard.press('Escape');
        check(!await page.locator('dialog.help').isVisible(), 'it is hidden');
    }],
    ['nothing overlaps at 1280 x 720', async ({ page }) => {
        await page.setViewportSize({ width: 1280, height: 720 });
        await page.waitForTimeout(100);
        await fits(page, { width: 1280, height: 720 });
    }],
    ['nothing overlaps on a phone', async ({ page }) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await page.waitForTimeout(100);
        await fits(page, { width: 390, height: 844 });
        check(new Set(await picture(page)).size > 20, 'the picture is there');
    }],
    ['nothing went wrong on the way', async ({ page }) => {
        check(page.faults.length === 0, page.faults.join('; '));
        await page.context().close();
    }],
    ['a name of a scene stays text', async ({ browser }) => {
        const name = '<img src=x onerror=alert(1)>';
        const scene = {
            cairn: 1, title: `</script><script>alert(2)</script>${name}`,
            bodies: [{ type: 'static', shape: { kind: 'half_space' } },
                { name, shape: { kind: 'sphere', radius: 0.5 }, at: [0, 0, 0.5] }],
        };
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(scene));
        runCairn('run', `./${name}.json`, '--steps', '3', '--html', 'name.html', '--quiet');
        const page = await openPage(browser, `file://${join(folder, 'name.html')}`, { width: 640, height: 400 });
        check(await page.textContent('h1') === `${name}.json`, `of a path, the heading shows the file: ${await page.textContent('h1')}`);
        check(await page.textContent('.subtitle') === scene.title, 'the title is told as it is');
        await page.evaluate(() => cairn.shell.select(1));
        check(await page.textContent('.body h2') === name, 'and so is the name of the body');
        check(await page.locator('img').count() === 0, 'there is no image');
        check(page.faults.length === 0, page.faults.join('; '));
        await page.context().close();
    }],
    ['two thousand bodies that move are shown smoothly', async ({ browser }) => {
        const bodies = [{ type: 'static', shape: { kind: 'half_space' } }];
        for (let i = 0; i < 2000; i++)
            bodies.push({
                shape: i % 2 ? { kind: 'sphere', radius: 0.4 } : { kind: 'box', size: [0.7, 0.7, 0.7] },
                at: [1.2 * (i % 50), 1.2 * Math.floor(i / 50), 0.5], velocity: [0, 0, 1 + 0.1 * (i % 7)], spin: [0, 0.3, 0.2],
            });
        writeFileSync(join(folder, 'many.json'), JSON.stringify({ cairn: 1, title: 'many', bodies }));
        runCairn('run', 'many.json', '--steps', '40', '--html', 'many.html', '--quiet');
        const began = Date.now();
        const page = await openPage(browser, `file://${join(folder, 'many.html')}`);
        const loaded = Date.now() - began;
        await page.evaluate(() => cairn.player.toggle(false));
        const { own, drawn } = await pictureTimes(page, (k) => cairn.player.go(10 + 3 * k));
        console.log(`2,000 bodies: page ${Math.round(statSync(join(folder, 'many.html')).size / 1000)} kB, loaded in ${loaded} ms; `
            + `a picture takes the page ${own.toFixed(1)} ms, and ${drawn.toFixed(0)} ms to draw in software`);
        check(own < 1000 / 60, `${own.toFixed(1)} ms of the page: less than sixty pictures a second`);
        check(page.faults.length === 0, page.faults.join('; '));
        await page.context().close();
    }],
    ['a damaged page says so', async ({ browser }) => {
        const html = readFileSync(wall, 'utf8');
        const at = html.lastIndexOf('id="cairn-data">') + 200;
        writeFileSync(join(folder, 'damaged.html'), html.slice(0, at) + html.slice(at + 5000));
        const page = await openPage(browser, `file://${join(folder, 'damaged.html')}`, { width: 640, height: 400 });
        check((await page.textContent('[role=alert]')).startsWith('This page cannot be shown'), 'it says so');
        await page.context().close();
    }],
]);
