// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What replay and live view share: the picture, how it is colored, the selected body, the plots, light and dark, keys.
// Four areas that never overlap: head, picture, side and foot.

import { Picture } from '../scene/scene.js';
import { MODES, bodyColors, fastest } from '../scene/paint.js';
import { OUTCOMES } from '../wire/frame.js';
import { BodyPanel } from './body_panel.js';
import { checkbox, h, iconButton, segments, setIcon } from './dom.js';
import { Film, savePicture } from './export.js';
import { niceStep, short, withUnit } from './format.js';
import { makeGlossary, makeHelp } from './help.js';
import { Legend } from './legend.js';
import { Plots } from './plots.js';
import { outcomeWords, solvedBy } from './words.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

// m: the worst that the certificate of the motion has found of places
function offBy({ penetration, motion }) {
    return Math.max(penetration, motion.penetration, motion.jointError, motion.updateError);
}

export class Shell {
    // `mode` is 'replay' or 'live'
    constructor(root, mode) {
        this.mode = mode;
        this.coloring = 'body';
        this.forces = false;
        this.extras = { chains: false, cones: false, trails: false };
        this.selected = null;
        this.speedScale = 1;
        this.contactsEvery = 1; // frames that share their contacts
        this.shown = null;
        this.build(root);
        this.picture = new Picture(this.canvas);
        this.film = new Film(this.canvas);
        this.setTheme(dark.matches ? 'dark' : 'light');
        dark.addEventListener('change', () => this.setTheme(dark.matches ? 'dark' : 'light'));
        this.listen();
    }

    // ---------------------------------------------------------------- elements

    build(root) {
        this.title = h('h1', {}, 'Cairn');
        this.subtitle = h('p', { class: 'subtitle' });
        this.help = makeHelp(this.mode);
        this.glossary = makeGlossary();
        this.canvas = h('canvas', { tabindex: '0', 'aria-label': '3D view of the scene' });
        this.legend = new Legend();
        this.status = h('p', { class: 'status', role: 'status' });
        this.readout = h('p', { class: 'readout' });
        this.panel = new BodyPanel(() => this.select(null));
        this.plots = new Plots((time) => this.seek?.(time));
        this.explain = h('button', { type: 'button', class: 'link', onclick: () => this.glossary.showModal() }, 'What is this?');
        this.side = h('aside', { class: 'side', 'aria-label': 'Display and plots' },
            this.display(), this.panel.element, this.plots.element);
        this.foot = h('footer', { class: 'foot' });
        root.replaceChildren(
            h('header', { class: 'head' },
                h('div', { class: 'words' }, this.title, this.subtitle),
                iconButton('camera', 'Save the picture (P)', () => this.savePicture()),
                this.filmButton = iconButton('film', 'Record a video (V)', () => this.toggleFilm()),
                iconButton('fit', 'Show the whole scene (C)', () => this.picture.lookAtAll()),
                iconButton('moon', 'Light or dark (T)', () => this.toggleTheme()),
                iconButton('help', 'Keys and mouse (?)', () => this.help.showModal())),
            h('main', { class: 'picture' }, this.canvas,
                h('div', { class: 'over' }, h('div', { class: 'badge' }, this.readout, this.explain), this.status,
                    this.legend.element)),
            this.side, this.foot, this.help, this.glossary);
    }

    display() {
        const names = { body: 'Body', contact: 'Contact', speed: 'Speed', island: 'Island' };
        this.colorings = segments('Color by', MODES.map((m) => [m, names[m]]), this.coloring, (m) => this.color(m));
        this.forcesBox = checkbox('Contact forces', this.forces, (on) => this.showForces(on));
        return h('section', { class: 'display' }, h('span', { class: 'caption' }, 'Color by'), this.colorings,
            h('div', { class: 'checks' }, this.forcesBox, ...Object.entries({ chains: 'Force chains', cones: 'Friction cones', trails: 'Trails' })
                .map(([name, text]) => this.extraBox(name, text))));
    }

    extraBox(name, text) {
        this.boxes ??= {};
        this.boxes[name] = checkbox(text, false, (on) => this.showExtra(name, on));
        return this.boxes[name];
    }

    showExtra(name, on) {
        this.extras = { ...this.extras, [name]: on };
        this.boxes[name].input.checked = on;
        this.picture.showExtras(this.extras);
        if (this.shown)
            this.legend.update(this);
    }

    // ---------------------------------------------------------------- files

    get fileName() {
        return (this.stage?.name || 'cairn').split('/').at(-1).replace(/\.json$/, '');
    }

    async savePicture() {
        const name = `${this.fileName}-${this.shown?.a.step ?? 0}`;
        await savePicture(this.canvas, name);
        this.say(`Saved ${name}.png`);
    }

    async toggleFilm() {
        try {
            if (!this.film.running) {
                this.film.start();
                this.say('Recording; press again to stop.');
            } else {
                await this.film.stop(this.fileName);
                this.say(`Saved ${this.fileName}.webm`);
            }
        } catch (error) {
            this.say(error.message, 'error');
        }
        setIcon(this.filmButton, this.film.running ? 'stop' : 'film', this.film.running ? 'Stop recording (V)' : 'Record a video (V)');
    }

    setTitle(name, title) {
        const short = name?.split('/').at(-1); // of a path: the file
        this.title.textContent = short || 'Cairn';
        this.title.title = name ?? '';
        this.subtitle.textContent = title ?? '';
        this.subtitle.title = title ?? '';
        document.title = short ? `${short} – Cairn` : 'Cairn';
    }

    // a sentence over the picture; a 'note' or an 'error' goes away by itself, what is 'lasting' stays
    say(text, kind = 'note') {
        this.status.textContent = text;
        this.status.dataset.kind = kind;
        clearTimeout(this.silence);
        if (kind !== 'lasting')
            this.silence = setTimeout(() => { this.status.textContent = ''; }, kind === 'error' ? 8000 : 4000);
    }

    // ---------------------------------------------------------------- what is shown

    setStage(stage, frame, options) {
        this.stage = stage;
        this.picture.setStage(stage, frame, options);
        if (!options?.keepCamera)
            this.selected = null;
        this.picture.select(this.selected);
    }

    // frame `a`, or a place between it and `b`
    show(a, b = null, alpha = 0) {
        this.shown = { a, b, alpha };
        const dt = a.dt > 0 ? a.dt : this.stage.dt;
        const most = fastest(this.stage, a);
        if (most > this.speedScale || most < 0.2 * this.speedScale)
            this.speedScale = niceStep(Math.max(most, 0.01));
        const colors = bodyColors(this.coloring, this.stage, a, this.picture.theme, this.speedScale);
        this.picture.show(a, b, alpha, colors, this.forces, dt);
        this.panel.update(this.stage, a, this.selected, dt);
        this.legend.update(this);
        this.tell(a);
    }

    tell(frame) {
        const words = [`step ${frame.step}`, `${frame.contacts} contacts`, solvedBy(frame.method, frame.contacts)];
        if (frame.method !== 'none')
            words.push(`residual ${frame.residual > 0 ? short(frame.residual) : '0'}`);
        words.push(`position error ${withUnit(offBy(frame), 'm')}`);
        if (frame.outcome > 0)
            words.push(outcomeWords(OUTCOMES[frame.outcome]));
        this.readout.textContent = words.join(' · ');
        this.readout.classList.toggle('missed', frame.outcome > 0);
    }

    again() {
        if (this.shown)
            this.show(this.shown.a, this.shown.b, this.shown.alpha);
    }

    select(body) {
        this.selected = body;
        this.picture.select(body);
        this.again();
    }

    color(mode) {
        this.coloring = mode;
        this.colorings.choose(mode);
        this.again();
    }

    showForces(on) {
        this.forces = on;
        this.forcesBox.input.checked = on;
        this.again();
    }

    setTheme(name) {
        this.themeName = name;
        document.documentElement.dataset.theme = name;
        this.picture.setTheme(name);
        this.plots.repaint();
        this.again();
    }

    toggleTheme() {
        this.setTheme(this.themeName === 'dark' ? 'light' : 'dark');
    }

    // ---------------------------------------------------------------- pointer and keys

    listen() {
        // a frame around the picture is for those who came to it by the keyboard
        this.canvas.addEventListener('pointerdown', () => this.canvas.classList.add('by-pointer'));
        this.canvas.addEventListener('blur', () => this.canvas.classList.remove('by-pointer'));
        // a click is a press that did not move
        let pressed = null;
        this.canvas.addEventListener('pointerdown', (event) => {
            pressed = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
        });
        this.canvas.addEventListener('pointerup', (event) => {
            const still = pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 5;
            pressed = null;
            if (still)
                this.select(this.picture.pick(event)?.body ?? null);
        });
        this.keys = {
            c: () => this.picture.lookAtAll(),
            f: () => this.showForces(!this.forces),
            g: () => this.showExtra('chains', !this.extras.chains),
            k: () => this.showExtra('cones', !this.extras.cones),
            h: () => this.showExtra('trails', !this.extras.trails),
            p: () => this.savePicture(),
            v: () => this.toggleFilm(),
            t: () => this.toggleTheme(),
            '?': () => this.help.showModal(),
            Escape: () => this.select(null),
        };
        MODES.forEach((mode, i) => { this.keys[i + 1] = () => this.color(mode); });
        addEventListener('keydown', (event) => this.key(event));
    }

    key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
            return;
        const { target } = event;
        const typing = target.matches?.('input:not([type=range], [type=checkbox]), select, textarea');
        const own = target.matches?.('button, input[type=checkbox]') && (event.key === ' ' || event.key === 'Enter');
        if (typing || own)
            return;
        const action = this.keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action)
            return;
        event.preventDefault();
        action(event);
    }

    // calls `tick` with the seconds that went by, then draws, for as long as the page is there
    run(tick) {
        let before = performance.now();
        const next = (now) => {
            requestAnimationFrame(next);
            // a frame's time stamp may lie before the call that asked for it
            tick(Math.min(Math.max((now - before) / 1000, 0), 0.1));
            before = now;
            this.picture.draw();
        };
        requestAnimationFrame(next);
    }
}
