// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The playground: the live view with the engine inside of the page, and the scene as a text that can be changed.

import './style.css';
import './playground.css';
import { startWith } from './live_page.js';
import { Editor } from './playground/editor.js';
import { Engine } from './playground/engine.js';
import { linkTo, nameOf, sceneOf } from './playground/link.js';
import { h, icon } from './ui/dom.js';
import { unpackBytes } from './wire/container.js';

const OWN = 'playground'; // the name of the scene that is being edited
const FIRST = 'wall';

function readJson(id) {
    const element = document.getElementById(id);
    const value = JSON.parse(element.textContent);
    element.remove();
    return value;
}

async function readEngine() {
    const element = document.getElementById('cairn-engine');
    const bytes = await unpackBytes(element.textContent);
    element.remove();
    return bytes;
}

function button(name, text, title, action) {
    return h('button', { type: 'button', class: 'wide', title, onclick: action }, icon(name), h('span', {}, text));
}

class Playground {
    constructor(engine, scenes, schema) {
        this.engine = engine;
        this.scenes = new Map(scenes);
        this.editor = new Editor(schema, (text) => engine.load(OWN, text));
        this.panel = h('section', { class: 'scene-panel', 'aria-label': 'Scene' },
            h('div', { class: 'actions' },
                button('play', 'Run', 'Run this scene (Ctrl+Enter)', () => this.editor.now()),
                button('link', 'Copy link', 'Copy a link that contains this scene', () => this.share()),
                button('save', 'Download', 'Download this scene as a file', () => this.download())),
            this.editor.element);
        this.awaited = null; // the scene of a link, which comes after the first one
        engine.on('error', ({ command, text }) => {
            if (command === 'scene') {
                this.awaited = null;
                this.editor.complain(text);
            }
        });
        engine.on('state', ({ scene }) => this.follow(scene));
    }

    // another shipped scene was chosen: its text is what is edited from now on
    follow(scene) {
        if (scene === this.awaited)
            this.awaited = null;
        if (scene === this.scene || this.awaited)
            return;
        this.scene = scene;
        if (scene !== OWN && this.scenes.has(scene))
            this.editor.text = this.scenes.get(scene);
    }

    async share() {
        const shipped = this.scenes.get(this.scene) === this.editor.text && this.scene !== OWN;
        const link = shipped ? `${location.href.split('#')[0]}#${this.scene}` : await linkTo(this.editor.text, location.href);
        history.replaceState(null, '', link);
        try {
            await navigator.clipboard.writeText(link);
            this.page.shell.say('Link copied; it contains the whole scene.');
        } catch {
            this.page.shell.say('The address of this page now contains the scene; copy it.');
        }
    }

    download() {
        const address = URL.createObjectURL(new Blob([this.editor.text], { type: 'application/json' }));
        h('a', { href: address, download: `${this.scene}.json` }).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
    }
}

async function start(root) {
    const began = performance.now();
    const scenes = readJson('cairn-scenes'), schema = readJson('cairn-schema');
    const given = await sceneOf(location.hash);
    const name = scenes.some(([known]) => known === nameOf(location.hash)) ? nameOf(location.hash) : FIRST;
    const files = [...scenes, [OWN, given ?? scenes.find(([known]) => known === name)[1]]];
    const engine = new Engine(await readEngine(), files, name);
    const playground = new Playground(engine, scenes, schema);
    const page = await startWith(root, engine, () => ({ panels: [['Scene', playground.panel]], files: false }));
    playground.page = page;
    page.playground = playground;
    if (given !== null) {
        playground.editor.text = given;
        playground.scene = playground.awaited = OWN;
        engine.load(OWN, given);
    }
    page.loaded = performance.now() - began;
    return page;
}

const root = document.getElementById('app');
start(root).then((page) => {
    globalThis.cairn = page; // for a look from the console, and for tests
    root.dataset.ready = 'true';
}).catch((error) => {
    root.replaceChildren(h('p', { class: 'fatal', role: 'alert' }, `The playground cannot be shown: ${error.message}`));
    root.dataset.ready = 'failed';
    console.error(error);
});
