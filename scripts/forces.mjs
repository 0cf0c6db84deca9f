// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Draws docs/concepts/forces.svg: the equilibria of a table of 200 N on four legs, and the least of them.
//     node forces.mjs SOURCE_DIR
//
// With s newtons moved from one diagonal to the other the legs carry 50 + s, 50 - s, 50 - s, 50 + s, all of them >= 0 for
// |s| <= 50: a set of one dimension. Half the sum of the squares is 5000 + 2 s².

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(process.argv[2], 'docs/concepts/forces.svg');

// colors and arrows are those that the picture has
const old = readFileSync(file, 'utf8');
const style = old.slice(old.indexOf('<style>'), old.indexOf('</defs>') + '</defs>'.length);

const arrow = (x, y, load) => (load > 0
    ? `<path class="t" marker-end="url(#ta)" d="M${x} ${y + 4 + 0.5 * load}L${x} ${y + 4}"/>`
        + `<text class="m a" x="${x}" y="${y + 20 + 0.5 * load}">${load} N</text>`
    : `<text class="m w" x="${x}" y="${y + 18}">0 N</text>`);

// a table whose front left corner stands at x
function table(x, title, s) {
    // where a leg leaves the top, where it ends, and its load; the back left one is seen below the front edge
    const legs = [[x + 8, 122, 174, 50 + s], [x + 122, 122, 174, 50 - s], [x + 52, 122, 148, 50 - s], [x + 168, 98, 148, 50 + s]];
    return `<text class="m b" x="${x + 80}" y="52">${title}</text>`
        + `<path class="soft" d="M${x} 112L${x + 46} 82H${x + 176}L${x + 130} 112Z"/>`
        + `<path class="soft" d="M${x} 112H${x + 130}V122H${x}Z"/>`
        + `<path class="soft" d="M${x + 130} 112L${x + 176} 82V92L${x + 130} 122Z"/>`
        + legs.map(([at, top, foot, load]) =>
            `<path class="l" d="M${at} ${top}V${foot}" style="stroke-width:4"/>${arrow(at, foot, load)}`).join('\n');
}

// half the sum of the squares over the set
function plot(x, y) {
    const at = (s) => [x + 100 + 1.8 * s, y - (5000 + 2 * s * s - 5000) / 5000 * 110];
    const points = Array.from({ length: 41 }, (_, i) => at(-50 + 2.5 * i).map((v) => v.toFixed(1)).join(' '));
    const [left, right, least] = [at(-50), at(50), at(0)];
    const dot = ([px, py], kind) => `<circle class="${kind}" cx="${px}" cy="${py}" r="5"/>`;
    return `<text class="m b" x="${x + 100}" y="52">½ Σ F² of all solutions</text>`
        + `<path class="l" d="M${x} ${y + 14}H${x + 200}"/><path class="t" d="M${points.join('L')}"/>`
        + dot(left, 'oa') + dot(right, 'oa') + dot(least, 'ta')
        + `<text class="m w" x="${left[0] + 6}" y="${left[1] - 10}">corner</text>`
        + `<text class="m w" x="${right[0] - 6}" y="${right[1] - 10}">corner</text>`
        + `<text class="m a" x="${least[0]}" y="${least[1] - 46}">least norm:</text>`
        + `<text class="m a" x="${least[0]}" y="${least[1] - 30}">returned</text>`
        + `<text class="m q" x="${x + 100}" y="${y + 32}">from one diagonal to the other</text>`;
}

writeFileSync(file, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 292" role="img">' + style
    + '\n<rect class="paper" width="780" height="292" rx="8"/>\n'
    + '<text class="b" x="20" y="28">A table that weighs 200 N: one motion, many force distributions</text>\n'
    + table(50, 'least norm', 0) + '\n' + table(300, 'a corner solution', -50) + '\n' + plot(550, 200) + '\n'
    + '<text class="q" x="20" y="276">All of them balance weight and moments and only push, so the certificate accepts each. Equal springs give the least norm.'
    + '</text>\n</svg>\n');
