// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One page for three things: a replay or a race that the file carries, or a live simulation that a server streams.

import './style.css';
import { startLive } from './live_page.js';
import { startRace } from './race_page.js';
import { startReplay } from './replay_page.js';
import { h } from './ui/dom.js';
import { isJson, readJson, unpack } from './wire/container.js';

async function start(root) {
    const data = document.getElementById('cairn-data');
    if (!data && location.protocol.startsWith('http'))
        return startLive(root);
    if (!data)
        throw new Error('it contains no recording; `cairn run SCENE --html FILE` writes one');
    const blocks = await unpack(data.textContent);
    data.remove();
    const first = blocks.length > 0 && isJson(blocks[0]) ? readJson(blocks[0]) : null;
    return first?.type === 'race' ? startRace(root, first) : startReplay(root, blocks);
}

const root = document.getElementById('app');
start(root).then((page) => {
    globalThis.cairn = page; // for a look from the console, and for tests
    root.dataset.ready = 'true';
}).catch((error) => {
    root.replaceChildren(h('p', { class: 'fatal', role: 'alert' }, `This page cannot be shown: ${error.message}`));
    root.dataset.ready = 'failed';
    console.error(error);
});
