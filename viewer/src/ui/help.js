// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Two dialogs: what the mouse and the keyboard do, and what the words and numbers mean.

import { h, iconButton } from './dom.js';
import { glossary } from './words.js';

const always = [
    ['drag', 'rotate the camera; right button or two fingers: pan'],
    ['wheel, pinch', 'zoom'],
    ['click', 'show the state of a body'],
    ['Space', 'play, pause'],
    ['← →', 'one step back, one step forward'],
    ['1 2 3 4', 'color by body, contact, speed, island'],
    ['F', 'show contact forces'],
    ['G, K, H', 'show force chains, friction cones, trails'],
    ['P, V', 'save the picture; record a video'],
    ['C', 'show the whole scene'],
    ['T', 'light or dark'],
    ['Esc', 'deselect the body'],
];
const replay = [['Home, End', 'go to the start, to the end'], ['[ ]', 'slower, faster'], ['L', 'loop on or off']];
const live = [
    ['drag a body', 'pull it with a spring'],
    ['B', 'shoot a ball from the camera'],
    ['D', 'show what the engine sees: joints, contacts, centers of mass, numbers of bodies'],
    ['R', 'restart'],
    ['[ ]', 'slower, faster'],
];

// closes by its button, by Escape, or by a click beside it
function makeDialog(kind, title, ...content) {
    const dialog = h('dialog', { class: kind, 'aria-label': title });
    dialog.append(h('header', {}, h('h2', {}, title), iconButton('close', 'Close', () => dialog.close())), ...content);
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog)
            dialog.close();
    });
    return dialog;
}

export function makeHelp(mode) {
    const keys = [...always, ...(mode === 'live' ? live : replay)];
    return makeDialog('help', 'Keys and mouse',
        h('dl', {}, ...keys.flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])));
}

export function makeGlossary() {
    return makeDialog('glossary', 'What is this?',
        h('dl', {}, ...glossary().flatMap(([term, text]) => [h('dt', {}, term), h('dd', {}, text)])));
}
