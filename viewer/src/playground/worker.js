// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The engine beside the page: the session of the live view in a thread of its own, so that a long solve does not hold
// up the picture. Messages are those of docs/view-protocol.md, and `start` and `put` before them.

import { Session, hasThreads, loadModule, loadShared, putFile } from '../../../web/npm/index.js';

const MOST_THREADS = 8;

// With threads where the page may have them and its folder holds that module; otherwise the module that the page carries.
async function loadBest(bytes, beside) {
    const count = Math.min(navigator.hardwareConcurrency ?? 1, MOST_THREADS);
    if (beside && count > 1 && hasThreads()) {
        try {
            return await loadShared(new URL('cairn-threads.wasm', beside), count);
        } catch (error) {
            console.info(`one thread: ${error.message}`);
        }
    }
    return loadModule(bytes);
}

let module = null, session = null, timer = 0;

// a turn whenever there is something to do
function turn() {
    clearTimeout(timer);
    try {
        const { wait, messages } = session.turn();
        for (const message of messages)
            postMessage(message, message instanceof Uint8Array ? [message.buffer] : []);
        timer = setTimeout(turn, Math.min(Math.max(1000 * wait, 0), 200));
    } catch (error) {
        postMessage({ type: 'broken', text: error.message });
    }
}

const orders = {
    async start({ bytes, beside, files, scene }) {
        module = await loadBest(bytes, beside);
        postMessage({ type: 'threads', count: 1 + module.workers.length });
        for (const [name, text] of files)
            putFile(module, name, text);
        session = new Session(module, scene);
        turn();
    },
    put({ name, text }) {
        putFile(module, name, text);
    },
    send({ message }) {
        session.send(message);
        turn();
    },
};

// one order after the other
let last = Promise.resolve();
addEventListener('message', ({ data }) => {
    last = last.then(() => orders[data.order](data)).catch((error) => {
        postMessage({ type: session ? 'error' : 'broken', command: data.order, text: error.message });
    });
});
