// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The dialog that lists what the mouse and the keyboard do.

import { h, iconButton } from './dom.js';

const always = [
    ['drag', 'turn the camera; with the right button or two fingers: move it'],
    ['wheel, pinch', 'closer, farther'],
    ['click', 'the state of a body'],
    ['Space', 'play, pause'],
    ['← →', 'one step back, one step on'],
    ['1 2 3 4', 'colors by body, contact, speed, island'],
    ['F', 'contact forces'],
    ['C', 'the whole scene'],
    ['T', 'light, dark'],
    ['Esc', 'no body selected'],
];
const replay = [['Home, End', 'start, end'], ['[ ]', 'slower, faster']];
const live = [
    ['drag a body', 'pull it with a spring'],
    ['B', 'shoot a ball from the camera'],
    ['R', 'start again'],
    ['[ ]', 'slower, faster'],
];

export function makeHelp(mode) {
    const keys = [...always, ...(mode === 'live' ? live : replay)];
    const dialog = h('dialog', { class: 'help', 'aria-label': 'Keys and mouse' });
    dialog.append(
        h('header', {}, h('h2', {}, 'Keys and mouse'), iconButton('close', 'Close', () => dialog.close())),
        h('dl', {}, ...keys.flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])));
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog)
            dialog.close();
    });
    return dialog;
}
